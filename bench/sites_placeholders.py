"""How many placeholders are told from sites: pages of real domains, and texts of hosts and builders.

    python3 dev.py run python -m bench.sites_placeholders [--show]

The texts are judged alone and in frames of a provider with its own links, telephone and mail. The 75 later
texts were written when the phrases were done; alone, all were told at first sight, in the first frame 57.
Then came the rule that contact data of a provider do not count, and after it the second frame (75 at first
sight) and the third (57; then one link was enough where mail goes to the same domain).
Firms that say "coming soon" stand beside them: taking one for a placeholder is a fault too.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from datetime import UTC, datetime

from bench.figures import Figure, at_least, at_most, write_figures
from bench.sites_data import ROOT, data_folder
from threadmill.sites.model import ReadOutcome
from threadmill.sites.read.placeholder import judge_home
from threadmill.sites.read.site_page import read_page
from threadmill.types import Capture

_CASES = ROOT / "tests/sites/cases"
_AT = datetime(2026, 1, 1, tzinfo=UTC)
_FRAME = (
    "<header><a href=https://www.web-{number}.example>Home</a> <a href=https://www.web-{number}.example/domains>"
    "Domains</a> <a href=https://www.web-{number}.example/mail>E-mail</a></header>{text}"
    "<footer>© 2024 Web {number} Ltd. Support: +44 20 7946 {number:04}, help@web-{number}.example "
    "<a href=https://www.web-{number}.example/terms>Terms</a></footer>"
)
_SECOND_FRAME = (
    "<div>Hotline 0800 33 {number:04} <a href=https://my.server-{number}.test/login>Login</a> "
    "<a href=https://server-{number}.test/webspace>Webspace</a></div>{text}<p><a href=https://www.facebook.com/"
    "server{number}>Facebook</a> <a href=https://server-{number}.test/imprint>Imprint</a></p>"
)
_THIRD_FRAME = (
    "<h2>Site builder {number}</h2>{text}<p>Questions? Write to abuse@builder-{number}.test or visit "
    "<a href=https://builder-{number}.test/>builder-{number}.test</a></p>"
)
_FIRMS = (
    "Bakery Kern. Coming soon: our new shop in Linz. Call us: +43 732 770 214.",
    "Praxis Dr. Horn. Binnenkort nieuwe openingstijden. info@{host}",
    "Malermeister Huber, Lindenstraße 14, 28211 Bremen. Unsere Seite ist im Aufbau. Tel. 0421 778 0912",
    "Restaurant Le Chêne. Bientôt une nouvelle carte. Réservations : 01 44 27 31 09, contact@{host}",
    "Studio Rossi, Via Roma 12, 10121 Torino. Sito in aggiornamento. Tel. 011 768 9123, info@{host}",
)
# Of the pages of real domains, those that show a site to a person who looks at them.
_REAL_SITES = frozenset(
    (
        *("1-win-cazinos-club.org.ru", "1win-sloty.pp.ru", "1wincasinoz-vhod.org.ru", "cazinoz1-win.pp.ru"),
        *("cazinos-official-1win.net.ru", "fontan-casino.pp.ru", "alessiodecurtis.com", "astroservice.top"),
        *("authologic.io", "dianessidewalkdeli.com", "ecoled.co.in", "lbgenetics.com", "lmeloyalty.com"),
        *("novltyclub.com", "visittlfl.com", "proapremium.id", "rmhaddock.com"),
    )
)


def is_told(host: str, html: bytes) -> bool:
    """Whether a home page is judged to be no site."""
    capture = Capture(f"http://{host}/", _AT, 200, (("Content-Type", "text/html; charset=utf-8"),), html)
    return judge_home(read_page(capture))[0] is not ReadOutcome.OK


def texts(name: str, frame: str = "{text}") -> Iterator[tuple[str, bytes]]:
    """The texts of a file as pages, each with a host of its own."""
    for number, line in enumerate((_CASES / name).read_text(encoding="utf-8").splitlines()):
        host = f"kern-{number}.com"
        title, _, text = line.replace("{host}", host).partition("|")
        body = frame.format(number=number, text=f"<p>{text}</p>")
        yield host, f"<title>{title}</title>{body}".encode()


def main() -> None:
    """Print how many are told, and write the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", action="store_true", help="name what was taken for a site")
    arguments = parser.parse_args()
    figures = []
    for what, name, frame, held_back in (
        ("190 earlier texts", "placeholder_texts.txt", "{text}", False),
        ("75 later texts", "placeholder_texts_later.txt", "{text}", True),
        ("75 later texts in a provider's first frame", "placeholder_texts_later.txt", _FRAME, False),
        ("75 later texts in the second frame", "placeholder_texts_later.txt", _SECOND_FRAME, True),
        ("75 later texts in the third frame", "placeholder_texts_later.txt", _THIRD_FRAME, False),
    ):
        pages = list(texts(name, frame))
        figures.append(_judge(f"placeholders told, {what}", pages, arguments.show, held_back=held_back))
    if (data := data_folder()) is not None:
        files = sorted((data / "home-pages").glob("*.html.gz"))
        real = [(file.name.removesuffix(".html.gz"), gzip.decompress(file.read_bytes())) for file in files]
        empty = [page for page in real if page[0] not in _REAL_SITES]
        figures.append(
            _judge("placeholders told, pages of real domains", empty, arguments.show, held_back=False)
        )
        wrong = sum(is_told(*page) for page in real if page[0] in _REAL_SITES)
        figures.append(
            Figure("sites", "real sites taken for placeholders", wrong, at_most(0), held_back=False)
        )
    firms = [(f"firm-{n}.com", f"<title>{text[:12]}</title><p>{text}") for n, text in enumerate(_FIRMS)]
    lost = sum(is_told(host, text.replace("{host}", host).encode()) for host, text in firms)
    figures.append(Figure("sites", "firms that say 'coming soon' taken for placeholders", lost, at_most(0)))
    print(*(f"{figure.what}: {figure.value:.3f}" for figure in figures[-2:]), sep="\n")
    write_figures("sites_placeholders", figures)


def _judge(what: str, pages: list[tuple[str, bytes]], show: bool, *, held_back: bool) -> Figure:
    missed = [(host, html) for host, html in pages if not is_told(host, html)]
    print(f"{what}: {len(pages) - len(missed)} of {len(pages)}")
    if show:
        print(*(f"  {host}: {html[:90].decode('utf-8', 'replace')}" for host, html in missed), sep="\n")
    share = (len(pages) - len(missed)) / len(pages)
    return Figure("sites", what, share, at_least(0.945), held_back=held_back)  # 70 of 74


if __name__ == "__main__":
    main()
