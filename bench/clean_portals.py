"""Pages of news sites with several pages each: ours alone and with the site's template, beside the peers.

    python3 dev.py run python -m bench.clean_portals --data DIR [--development]

A site is measured when the set has five pages of it. Half of the sites, by the CRC32 of their names, are for
development; the other half is looked at by figures alone. Templates are learnt from the pages of the site.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.clean_data import WITHOUT_SITES, in_development, read_pages, site_of
from bench.clean_peers import PEERS
from bench.clean_quality import Scores, mean_f1, measure, summarise
from bench.figures import Figure, at_least, at_most, write_figures
from threadmill import clean, learn_template
from threadmill.page.judge.clean_settings import CleanSettings

_LEAST_PAGES = 5
# Networks that serve advertisements to many sites; their pages have no other name.
_NO_SITES = frozenset({"googlesyndication.com", "adtech.de", "doubleclick.net", ""})
_QUICK = CleanSettings(languages=False, metadata=False)
_NO_FREQUENT_LINES = ", no frequent lines"
_NOTHING = 1e-6  # a smaller difference of means is rounding
_OFTEN = 0.2  # a line on this share of a site's pages is dropped from what a peer found

Pages = Sequence[dict[str, Any]]
Extractor = Callable[[Pages], list[str]]


def alone(pages: Pages) -> list[str]:
    """Each page by itself."""
    return [clean(page["html"], page["url"], _QUICK).text for page in pages]


def with_template(pages: Pages) -> list[str]:
    """Each page with the template of the site."""
    template = learn_template([page["html"] for page in pages])
    return [clean(page["html"], page["url"], _QUICK, template=template).text for page in pages]


def each_page(extract: Callable[[str, str], str]) -> Extractor:
    """A peer, which knows no sites."""
    return lambda pages: [extract(page["html"], page["url"]) for page in pages]


def without_frequent_lines(texts: Sequence[str]) -> list[str]:
    """The texts without the lines that a fifth of them have: what a peer can do with a site."""
    pages_with = Counter(line for text in texts for line in set(text.split("\n")))
    least = max(2, _OFTEN * len(texts))
    return ["\n".join(line for line in text.split("\n") if pages_with[line] < least) for text in texts]


def portals(folder: Path, *, development: bool) -> dict[str, list[dict[str, Any]]]:
    """The pages of each site that has enough of them."""
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for group in sorted(WITHOUT_SITES):
        for record in read_pages(folder, group):
            found[site_of(record)].append(record)
    return {
        site: pages
        for site, pages in sorted(found.items())
        if len(pages) >= _LEAST_PAGES and site not in _NO_SITES and in_development(pages[0]) is development
    }


def main() -> None:
    """Print ours and every installed peer."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--peers", default=";".join(PEERS), help="names with ; between them; empty: none")
    parser.add_argument("--development", action="store_true", help="the sites that rules are written with")
    arguments = parser.parse_args()
    extractors: dict[str, Extractor] = {"alone": alone, "with the site's template": with_template}
    for name in filter(None, arguments.peers.split(";")):
        extractors[name] = each_page(PEERS[name])
    sites = portals(arguments.data, development=arguments.development)
    rows: defaultdict[str, list[Scores]] = defaultdict(list)
    changes: dict[str, float] = {}  # of the word F1 of each site by its template
    for site, pages in sites.items():
        for name, extract in extractors.items():
            texts = extract(pages)
            rows[name] += map(measure, texts, pages)
            if name in PEERS:
                rows[name + _NO_FREQUENT_LINES] += map(measure, without_frequent_lines(texts), pages)
        before, after = (mean_f1(rows[name][-len(pages) :]) for name in ("alone", "with the site's template"))
        changes[site] = after - before
    for name, found in rows.items():
        print(f"{name:<42} {summarise(found)}  {len(found)} pages of {len(sites)} sites")
    for site, change in sorted(changes.items(), key=lambda pair: pair[1]):
        print(f"{site:<42} {change:+.4f} with its template")
    figures = make_figures(rows, len(sites), held_back=not arguments.development)
    worse = sum(change < -_NOTHING for change in changes.values())
    what = f"news sites of {len(sites)} that are worse with their template"
    figures.append(Figure("page", what, worse, at_most(0), held_back=not arguments.development))
    write_figures("clean_portals", figures)


def make_figures(rows: dict[str, list[Scores]], sites: int, *, held_back: bool) -> list[Figure]:
    """Word F1 alone and with the template. The bar is the best peer, which may drop frequent lines there."""
    figures = []
    for name in ("alone", "with the site's template"):
        peers: dict[str, float] = {}
        for peer, found in rows.items():
            plain = peer.removesuffix(_NO_FREQUENT_LINES)
            if plain in PEERS and (plain == peer or name != "alone"):
                peers[plain] = max(peers.get(plain, 0.0), mean_f1(found))
        bar = at_least(max(peers.values())) if peers else None
        what = f"main content, {sites} news sites, {name}, word F1"
        figures.append(Figure("page", what, mean_f1(rows[name]), bar, peers=peers, held_back=held_back))
    return figures


if __name__ == "__main__":
    main()
