"""`threadmill sites`: find sites that belong to one company, export the results, train a vocabulary."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.cli.arguments import add_workers, score, seconds, whole_number
from threadmill.cli.tables import TableColumns, print_table
from threadmill.cli.terminal import counted, show_count
from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.sites.model import CompanySite
    from threadmill.sites.report.results import ComparisonResults

_MOST_REASONS = 20  # in the summary
_NAMED = 3  # sites that the summary names for a reason
_ENDINGS = {
    "": "csv",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
    ".gexf": "gexf",
    ".graphml": "graphml",
}
_SECONDS_OF_LOG = 10.0  # between two lines of progress in a log
EXAMPLES = """\
  threadmill sites compare list.txt
  threadmill sites compare customers.csv -o results.json
  threadmill sites compare list.txt -o results.json --border 0.9 --archive kept
  threadmill sites compare list.txt -o results.json --archive kept --use-archive-data
  threadmill sites export results.json --format html -o report.html
  threadmill sites train crawl/archive -o vocabulary.json.gz --least 20
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="compare|export|train")
    compare = actions.add_parser(
        "compare", help="fetch the sites of a list and find those that belong to one company"
    )
    compare.add_argument(
        "list", type=Path, help="one URL or domain a line, or a CSV, TSV or Excel file with a column of them"
    )
    compare.add_argument(
        "-o", "--output", type=Path, help="JSON file for all results (default: only the pairs are printed)"
    )
    _add_border(compare)
    add_workers(compare, 1)
    compare.add_argument(
        "--vocabulary", type=Path, help="a file made by `sites train` (default: the one in the package)"
    )
    compare.add_argument(
        "--method",
        choices=["all", "source"],
        default="all",
        help="all: a calibrated score of all evidence (default); source: the cosine of lemmas alone",
    )
    compare.add_argument(
        "--lemmas", action="store_true", help="count lemmas instead of words (pip install '.[lemma]')"
    )
    compare.add_argument("--archive", type=Path, help="a directory that keeps all answers as WARC")
    compare.add_argument(
        "--use-archive-data",
        action="store_true",
        help="use the pages in --archive; only sites that it does not hold are fetched",
    )
    compare.add_argument(
        "--delay", type=seconds, metavar="S", help="least seconds between two requests to a host (1)"
    )
    compare.add_argument("--settings", type=Path, help="a settings file (threadmill.toml)")
    compare.add_argument("--json", action="store_true", help="print the pairs as JSON lines")
    export = actions.add_parser(
        "export", help="write the results of a comparison as a table, a page or a graph, for any border"
    )
    export.add_argument("results", type=Path, help="JSON file written by `sites compare`")
    formats = ["csv", "evidence-csv", "json", "html", "gexf", "graphml"]
    export.add_argument("--format", choices=formats, help="default: by the ending of -o, or csv")
    export.add_argument("-o", "--output", type=Path, help="file to write (standard output)")
    _add_border(export)
    train = actions.add_parser("train", help="make a vocabulary from WARC files or directories of pages")
    train.add_argument("sources", nargs="+", type=Path, help="WARC files, HTML files or directories of them")
    train.add_argument("-o", "--output", type=Path, required=True, help="the vocabulary, .json.gz")
    train.add_argument("--lemmas", action="store_true", help="count lemmas, for `compare --lemmas`")
    train.add_argument(
        "--least",
        type=whole_number(1),
        default=2,
        help="sites on which a term must occur (2; the source: 300)",
    )


def _add_border(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--border", type=score, default=0.5, help="least score of a pair, 0 to 1 (0.5)")


def run(arguments: argparse.Namespace) -> int:
    """Compare, export or train."""
    return {"compare": _compare, "export": _export, "train": _train}[arguments.action](arguments)


def _compare(arguments: argparse.Namespace) -> int:
    from threadmill.api.sites import compare_sites
    from threadmill.config import load_settings
    from threadmill.sites.collect.site_lists import read_site_list
    from threadmill.sites.report.results import save_results

    if arguments.use_archive_data and not arguments.archive:
        raise UsageError("--use-archive-data needs --archive, the directory that holds the pages")
    listed = read_site_list(arguments.list.read_bytes())
    for problem in listed.problems():
        print(f"threadmill: {arguments.list}, {problem}", file=sys.stderr)
    urls = listed.urls
    results = compare_sites(
        urls,
        method=arguments.method,
        vocabulary=arguments.vocabulary,
        lemmas=arguments.lemmas,
        archive=arguments.archive,
        use_archive_data=arguments.use_archive_data,
        delay=arguments.delay,
        processes=arguments.processes,
        on=arguments.on,
        settings=load_settings(arguments.settings),
        on_site=_SiteLine(len(urls)),
    )
    if arguments.output is not None:
        save_results(results, arguments.output)
        print(f"threadmill: all results are in {arguments.output}", file=sys.stderr)
    if arguments.json:
        _print_json(results, arguments.border)
    else:
        _sum_up(results, arguments.border)
    return 0 if any(site.outcome == "ok" for site in results.sites) else 1


class _SiteLine:
    """Shows each site that was read: on one line of a terminal, now and then in a log."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._told = time.monotonic()

    def __call__(self, site: CompanySite) -> None:
        self._done += 1
        if sys.stderr.isatty():
            line = f"\r{self._done}/{self._total} {site.outcome:<12}{site.url[:60]:<60}"
            print(line, end="\n" if self._done == self._total else "", file=sys.stderr, flush=True)
        elif self._done == self._total or time.monotonic() - self._told >= _SECONDS_OF_LOG:
            self._told = time.monotonic()
            print(f"threadmill: {self._done}/{self._total} sites collected", file=sys.stderr, flush=True)


def _pairs(results: ComparisonResults, border: float) -> Iterator[dict[str, Any]]:
    for pair in results.over(border):
        one, other = results.sites[pair.one].url, results.sites[pair.other].url
        yield {"score": round(pair.score, 4), "one": one, "other": other, "why": pair.why}


def _print_json(results: ComparisonResults, border: float) -> None:
    for pair in _pairs(results, border):
        print(json.dumps(pair, ensure_ascii=False))


def _sum_up(results: ComparisonResults, border: float) -> None:
    if results.over(border):
        rows = (pair | {"score": f"{pair['score']:.2f}"} for pair in _pairs(results, border))
        print_table(rows, TableColumns(("score", "one", "other", "why"), right=("score",)))
    counts = Counter(site.outcome.value for site in results.sites)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
    _print_reasons(results)
    pairs, clusters = len(results.over(border)), len(results.clusters(border))
    found = f"{counted(pairs, 'pair')} scored {border:g} or more in {counted(clusters, 'cluster')}"
    print(f"{counted(len(results.sites), 'site')} ({outcomes}); {found}")


def _print_reasons(results: ComparisonResults) -> None:
    """A line for each reason of an outcome. Remarks about sites that are ok share a line by their kind."""
    sites: dict[tuple[str, str], list[str]] = {}
    for site in results.sites:
        if not site.reason:
            continue
        kind, _, told = site.reason.partition(": ")
        is_remark = site.outcome == "ok" and told
        key = (site.outcome.value, kind if is_remark else site.reason)
        sites.setdefault(key, []).append(f"{told} at {site.url}" if is_remark else site.url)
    ordered = sorted(sites.items(), key=lambda one: -len(one[1]))
    for (outcome, reason), named in ordered[:_MOST_REASONS]:
        more = f" and {len(named) - _NAMED:,} more" if len(named) > _NAMED else ""
        separator = "," if outcome == "ok" else ":"
        print(f"{len(named):,} {outcome}{separator} {reason} ({', '.join(named[:_NAMED])}{more})")
    if len(ordered) > _MOST_REASONS:
        print(f"… and {len(ordered) - _MOST_REASONS:,} more reasons, in the results")


def _export(arguments: argparse.Namespace) -> int:
    from threadmill.sites.report.graph_files import as_evidence_csv, as_gexf, as_graphml
    from threadmill.sites.report.html_report import as_html, write_html
    from threadmill.sites.report.results import as_csv, as_json, load_results

    form = arguments.format or _format_of(arguments.output)
    write = {
        "csv": as_csv,
        "evidence-csv": as_evidence_csv,
        "json": as_json,
        "html": as_html,
        "gexf": as_gexf,
        "graphml": as_graphml,
    }[form]
    results = load_results(arguments.results)
    if form == "html" and arguments.output:
        written = write_html(results, arguments.border, arguments.output)
        more = f" and {counted(len(written) - 1, 'more page')}" if len(written) > 1 else ""
        _say_written(results, arguments, more)
        return 0
    text = write(results, arguments.border)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
        _say_written(results, arguments)
    else:
        sys.stdout.write(text)
    return 0


def _say_written(results: ComparisonResults, arguments: argparse.Namespace, more: str = "") -> None:
    pairs = counted(len(results.over(arguments.border)), "pair is", "pairs are")
    where = f"{arguments.output}{more}"
    print(f"{pairs} in {where}: those scored {arguments.border:g} or more", file=sys.stderr)


def _format_of(output: Path | None) -> str:
    """The format that the name of the output tells."""
    ending = output.suffix.lower() if output is not None else ""
    if ending not in _ENDINGS:
        known = ", ".join(filter(None, _ENDINGS))
        raise UsageError(f"{output} tells no format; end it with {known}, or say which with --format")
    return _ENDINGS[ending]


def _train(arguments: argparse.Namespace) -> int:
    from threadmill.archive.inputs import read_inputs
    from threadmill.sites.decide.vocabulary import save_vocabulary, train_vocabulary

    pages = (capture for source in arguments.sources for capture in read_inputs(source))
    captures = show_count(pages, "pages read")
    note = f"threadmill sites train: {', '.join(source.name for source in arguments.sources)}"
    vocabulary = train_vocabulary(captures, arguments.least, note, lemmas=arguments.lemmas)
    if not vocabulary.frequencies:
        raise UsageError(
            f"expected terms that {arguments.least} or more sites use, but no term occurs on so many of the "
            f"{vocabulary.documents} sites that were read; give more sources or a smaller --least"
        )
    save_vocabulary(vocabulary, arguments.output)
    print(f"{vocabulary.documents} sites, {len(vocabulary.frequencies)} terms on {arguments.least} or more")
    return 0
