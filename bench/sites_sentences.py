"""The sentences that explain pairs, on a sheet for a person who judges each fact in them; then the count.

    python3 dev.py run python -m bench.sites_sentences draw PAGES SHEET [--part 1/3] [--below] [--single]
    python3 dev.py run python -m bench.sites_sentences count SHEET...

PAGES are saved pages of real sites: a folder with index.json (file → {"url": …}), as the data of Formasaurus
have it (`formasaurus/data` in the source package on PyPI), or JSON lines with "url" and "html". The pages of
a domain are dealt out to two sites with invented host names, so they share only what the pages say. `--part`
takes a part of the domains; a part that nobody has looked at is fresh. With `--single`, only domains with a
single page are taken, and both sites have it: then every strong fact of the page is in the sentence. With
`--below`, only pairs under the border are drawn: those of different domains among them.

The sheet has a line per fact in a sentence, with the words around it on both sites. The person writes into
the first column "t" if the fact stands on both pages and is what the sentence says, else "f", and why. A
sentence is true if all its facts are. Likeness of words and pictures is computed and needs no judgement.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from urllib.parse import urlsplit

from bench.figures import Figure, at_least, write_figures
from threadmill.errors import URLError
from threadmill.sites.compare import compare_read_sites
from threadmill.sites.decide.score_pairs import DEFAULT_BORDER
from threadmill.sites.decide.vocabulary import load_vocabulary
from threadmill.sites.model import CollectedSite, Evidence, SitePair
from threadmill.sites.read.read_site import read_site
from threadmill.types import Capture
from threadmill.urls import site_of

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_COLUMNS = ("verdict", "pair", "score", "kind", "fact", "first place", "second place", "cause")
_COMPUTED = frozenset({"words", "pictures", "other contact"})
_MOST_PAGES = 3  # of each of the two sites


def saved_pages(place: Path) -> Iterator[tuple[str, bytes]]:
    """The URL and the body of each saved page."""
    if place.is_dir():
        for name, entry in json.loads((place / "index.json").read_text(encoding="utf-8")).items():
            yield entry["url"], (place / name).read_bytes()
        return
    lines = gzip.decompress(place.read_bytes()) if place.suffix == ".gz" else place.read_bytes()
    for line in lines.splitlines():
        entry = json.loads(line)
        yield entry["url"], entry["html"].encode()


def is_in_part(domain: str, part: str) -> bool:
    """Whether a domain is in a part such as "1/3"."""
    number, _, parts = part.partition("/")
    return hashlib.sha256(f"sentences of {domain}".encode()).digest()[0] % int(parts) == int(number) - 1


def deal_out(
    pages: Iterable[tuple[str, bytes]], part: str, *, single: bool = False
) -> Iterator[tuple[str, CollectedSite]]:
    """Two sites of each domain that has two pages or more, with the domain. The shortest URL is the home."""
    by_domain: dict[str, dict[str, bytes]] = {}
    for url, body in pages:
        try:
            by_domain.setdefault(site_of(url), {})[url] = body
        except URLError:
            continue
    chosen = (d for d in sorted(by_domain) if (len(by_domain[d]) == 1) is single and is_in_part(d, part))
    for number, domain in enumerate(chosen):
        urls = sorted(by_domain[domain], key=lambda url: (len(url), url))
        for side, letter in enumerate("ab"):
            host = f"{letter}{number:03}{letter}.test"
            captures = tuple(
                Capture(_moved(url, host), _AT, 200, (("Content-Type", "text/html"),), by_domain[domain][url])
                for url in (urls if single else urls[side::2][:_MOST_PAGES])
            )
            yield domain, CollectedSite(f"http://{host}/", captures)


def _moved(url: str, host: str) -> str:
    parts = urlsplit(url)
    return parts._replace(scheme="http", netloc=host).geturl()


def facts_to_judge(pair: SitePair) -> Iterator[Evidence]:
    """The facts that the sentence of a pair names."""
    return (e for e in pair.evidence if e.kind not in _COMPUTED and e.text and e.text in pair.why)


def draw(arguments: argparse.Namespace) -> None:
    """Compare the sites and write the sheet."""
    collected = list(deal_out(saved_pages(arguments.pages), arguments.part, single=arguments.single))
    results = compare_read_sites([read_site(site) for _, site in collected], load_vocabulary())
    domains = [domain for domain, _ in collected]
    pairs = [pair for pair in results.pairs if (pair.score < DEFAULT_BORDER) == arguments.below]
    with arguments.sheet.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, delimiter="\t")
        writer.writerow(_COLUMNS)
        for pair in pairs:
            name = f"{domains[pair.one]} {domains[pair.other]}"
            for item in facts_to_judge(pair):
                places = [f"{fact.written} [{fact.around}] {fact.page}" for fact in item.places] or ["", ""]
                writer.writerow(["", name, pair.score, item.kind, item.text, *places, ""])
    read = sum(site.outcome == "ok" for site in results.sites)
    print(f"{len(pairs)} pairs of {read} sites that were read ({len(domains)} in all): {arguments.sheet}")


def count(arguments: argparse.Namespace) -> None:
    """Count the verdicts of some sheets, and write the figures."""
    facts = true_facts = sentences = true_sentences = 0
    for sheet in arguments.sheets:
        with sheet.open(encoding="utf-8", newline="") as lines:
            rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["kind"]]
        blank = [row for row in rows if row["verdict"] not in {"t", "f"}]
        if blank:
            raise SystemExit(f"expected t or f in each line of {sheet}, but {len(blank)} have neither")
        for _, of_pair in groupby(rows, key=lambda row: (row["pair"], row["score"])):
            verdicts = [row["verdict"] == "t" for row in of_pair]
            facts, true_facts = facts + len(verdicts), true_facts + sum(verdicts)
            sentences, true_sentences = sentences + 1, true_sentences + all(verdicts)
    print(f"{true_sentences} of {sentences} sentences are true, {true_facts} of {facts} facts in them")
    write_figures(
        "sites_sentences",
        [
            Figure(
                "sites",
                f"true sentences, judged by hand, {sentences} pairs of fresh sites",
                true_sentences / sentences,
                at_least(0.98),
            ),
            Figure("sites", f"true facts in them, {facts} facts", true_facts / facts, at_least(0.98)),
        ],
    )


def main() -> None:
    """Draw a sheet, or count sheets that were judged."""
    parser = argparse.ArgumentParser()
    verbs = parser.add_subparsers(required=True)
    drawing = verbs.add_parser("draw")
    drawing.add_argument("pages", type=Path)
    drawing.add_argument("sheet", type=Path)
    drawing.add_argument("--part", default="1/1")
    drawing.add_argument("--below", action="store_true")
    drawing.add_argument("--single", action="store_true")
    drawing.set_defaults(run=draw)
    counting = verbs.add_parser("count")
    counting.add_argument("sheets", type=Path, nargs="+")
    counting.set_defaults(run=count)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
