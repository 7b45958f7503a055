"""`threadmill query`: ask a corpus in CQL: concordances, frequencies, collocations, keywords."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from threadmill.cli.arguments import refuse_unused, whole_number
from threadmill.cli.tables import TableColumns, add_table_options, write_rows
from threadmill.cli.terminal import counted, live_text
from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.api.queries import CorpusPositions

EXAMPLES = """\
  threadmill query index corpus.vert                       # once
  threadmill query find '[lemma="go" & tag="V.*"] []{0,3} "home" within s'
  threadmill query find '"mill"%c' --order right --sample 100 --seed 1 --format csv -o lines.csv
  threadmill query count '[tag="ADJ"] [lemma="mill"] within <doc lang="en"/>'
  threadmill query group '[lemma="mill"]' --by left1.lemma
  threadmill query words --attribute lemma --pattern 'un.*' --limit 50
  threadmill query ngrams --length 3
  threadmill query collocations '[lemma="mill"]' --attribute lemma --by log_likelihood
  threadmill query keywords --reference other-positions --attribute lemma
  threadmill query dispersion '[lemma="mill"]'
  threadmill query time '[lemma="mill"]' --per month
"""
_DEFAULT_INDEX = "threadmill-positions"
_SHOWN = 20  # lines that people read on a screen
_ALL = 2**31  # lines; more than any corpus has matches here
_WITH_QUERY = ("find", "count", "group", "collocations", "dispersion", "time")
Rows = Iterable[Mapping[str, Any]]
# The options that each question uses.
_TABLE = ("index", "format", "json", "output")
USED = {
    "index": ("columns", "dialect", "index", "json"),
    "find": ("limit", "skip", "context", "order", "sample", "seed", "show", *_TABLE),
    "count": _TABLE,
    "group": ("by", "limit", *_TABLE),
    "words": ("attribute", "pattern", "least", "limit", *_TABLE),
    "ngrams": ("length", "attribute", "least", "limit", *_TABLE),
    "collocations": ("by", "attribute", "window", "least", "limit", *_TABLE),
    "keywords": ("reference", "attribute", "least", "limit", *_TABLE),
    "dispersion": _TABLE,
    "time": ("per", *_TABLE),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("question", choices=("index", *QUESTIONS), help="what to do or to ask")
    parser.add_argument("words", nargs="*", help="index: vertical files; others: a query in CQL")
    parser.add_argument(
        "--index", default=_DEFAULT_INDEX, metavar="DIR", help=f"the index of positions ({_DEFAULT_INDEX})"
    )
    parser.add_argument(
        "--columns", default="", help="index: names of the columns, such as word,tag (from the registry)"
    )
    parser.add_argument(
        "--dialect", choices=("sketch", "cwb", "knot"), default="sketch", help="index: dialect"
    )
    parser.add_argument(
        "--limit",
        type=whole_number(1),
        metavar="N",
        help=f"most lines (default: {_SHOWN}, or those of --sample; with -o: all)",
    )
    parser.add_argument("--skip", type=whole_number(0), default=0, metavar="N", help="find: lines to skip")
    parser.add_argument(
        "--context", type=whole_number(0), default=8, metavar="N", help="find: words on each side (8)"
    )
    parser.add_argument(
        "--order",
        choices=("corpus", "left", "right", "match", "shuffle"),
        default="corpus",
        help="find: by place in the corpus (default), by the words beside the match, or by the match",
    )
    parser.add_argument(
        "--sample", type=whole_number(0), default=0, metavar="N", help="find: draw so many matches first"
    )
    parser.add_argument(
        "--show",
        default="",
        metavar="NAMES",
        help="find: what else a line tells of the structures around it, such as post.author,post.date",
    )
    parser.add_argument("--seed", type=int, default=0, help="find: the same seed draws the same sample")
    parser.add_argument(
        "--by",
        default="",
        help="group: match.lemma, left1.word, doc.lang; "
        "collocations: log_dice, mi, t_score, log_likelihood, count",
    )
    parser.add_argument("--attribute", default="word", help="the attribute that is counted (word)")
    parser.add_argument("--pattern", default="", help="words: a regular expression")
    parser.add_argument(
        "--length", type=whole_number(1), default=2, metavar="N", help="ngrams: positions (2)"
    )
    parser.add_argument("--least", type=whole_number(1), default=0, metavar="N", help="lowest frequency")
    parser.add_argument(
        "--window", type=whole_number(1), default=5, metavar="N", help="collocations: words on each side (5)"
    )
    parser.add_argument(
        "--reference", default="", metavar="DIR", help="keywords: the index of another corpus"
    )
    parser.add_argument("--per", choices=("year", "month", "day"), default="year", help="time: step (year)")
    add_table_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Make an index, or answer a question. The exit code is 1 when there is nothing to show."""
    refuse_unused(arguments, add_arguments, USED[arguments.question], f"query {arguments.question}")
    if arguments.question == "index":
        return _build(arguments)
    if arguments.limit is None:
        arguments.limit = _ALL if arguments.output is not None else arguments.sample or _SHOWN
    from threadmill.api.queries import open_positions

    needed = 1 if arguments.question in _WITH_QUERY else 0
    if len(arguments.words) != needed:
        given = len(arguments.words)
        raise UsageError(f"query {arguments.question} takes {needed or 'no'} query in CQL, but got {given}")
    ask, columns = QUESTIONS[arguments.question]
    if shown := _names(arguments.show):
        columns = replace(columns, names=(*columns.names[:3], *shown, *columns.names[3:]))
    rows = ask(open_positions(arguments.index), arguments)
    return 0 if write_rows(rows, columns, arguments) else 1


def _names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(name for name in text.replace(" ", "").split(",") if name)


def _build(arguments: argparse.Namespace) -> int:
    from threadmill.api.queries import build_positions

    columns = _names(arguments.columns)
    started = time.monotonic()
    with live_text("reading …") as show:

        def watch(lines: int) -> None:
            if show is not None:
                show(f"{lines:,} lines read, {lines / max(0.001, time.monotonic() - started):,.0f} a second")

        corpus = build_positions(
            arguments.words, arguments.index, columns=columns, dialect=arguments.dialect, on_progress=watch
        )
    if arguments.json:
        told = {"index": arguments.index, "positions": len(corpus), "attributes": list(corpus.attributes)}
        print(json.dumps(told, ensure_ascii=False))
        return 0 if len(corpus) else 1
    print(
        f"{arguments.index}: {len(corpus):,} positions with {', '.join(corpus.attributes)}", file=sys.stderr
    )
    return 0 if len(corpus) else 1


def _find(corpus: CorpusPositions, arguments: argparse.Namespace) -> Rows:
    found = corpus.concordance(
        arguments.words[0],
        context=arguments.context,
        limit=arguments.limit,
        skip=arguments.skip,
        order=arguments.order,
        sample=arguments.sample,
        seed=arguments.seed,
        show=_names(arguments.show),
    )
    print(counted(found.count, "match", "matches"), file=sys.stderr)
    for line in found.lines:
        source = line.document.get("url", "")
        yield {
            "left": line.left,
            "match": line.match,
            "right": line.right,
            **line.around,
            "document": source,
            "place": line.place,
        }


def _count(corpus: CorpusPositions, arguments: argparse.Namespace) -> Rows:
    count = corpus.count(arguments.words[0])
    return [{"count": count, "per_million": round(1e6 * count / max(1, len(corpus)), 2)}]


def _group(corpus: CorpusPositions, arguments: argparse.Namespace) -> Rows:
    return _rows(corpus.group(arguments.words[0], arguments.by or "match.word", limit=arguments.limit))


def _words(corpus: CorpusPositions, arguments: argparse.Namespace) -> Rows:
    least = arguments.least or 1
    return _rows(
        corpus.frequencies(arguments.attribute, pattern=arguments.pattern, least=least, limit=arguments.limit)
    )


def _ngrams(corpus: CorpusPositions, arguments: argparse.Namespace) -> Rows:
    least = arguments.least or 2
    return _rows(corpus.ngrams(arguments.length, arguments.attribute, least=least, limit=arguments.limit))


def _collocations(corpus: CorpusPositions, arguments: argparse.Namespace) -> Rows:
    found = corpus.collocations(
        arguments.words[0],
        attribute=arguments.attribute,
        left=arguments.window,
        right=arguments.window,
        least=arguments.least or 3,
        by=arguments.by or "log_dice",
        limit=arguments.limit,
    )
    return _rows(found)


def _keywords(corpus: CorpusPositions, arguments: argparse.Namespace) -> Rows:
    from threadmill.api.queries import open_positions

    if not arguments.reference:
        raise UsageError("query keywords compares two corpora; name the other index with --reference DIR")
    reference = open_positions(arguments.reference)
    return _rows(
        corpus.keywords(reference, arguments.attribute, least=arguments.least or 3, limit=arguments.limit)
    )


def _dispersion(corpus: CorpusPositions, arguments: argparse.Namespace) -> Rows:
    return _rows([corpus.dispersion(arguments.words[0])])


def _time(corpus: CorpusPositions, arguments: argparse.Namespace) -> Rows:
    lines = corpus.over_time(arguments.words[0], per=arguments.per)
    undated = corpus.count(arguments.words[0]) - sum(line.count for line in lines)
    if undated:
        told = counted(undated, "match", "matches")
        print(
            f"{told} without a date: in titles of threads, or in pages without one; "
            "threadmill vert --metadata dates titles by the first post",
            file=sys.stderr,
        )
    return _rows(lines)


def _rows(found: Iterable[Any]) -> Rows:
    for line in found:
        yield {name: _rounded(name, value) for name, value in asdict(line).items()}


def _rounded(name: str, value: Any) -> Any:
    return round(value, 2 if name == "per_million" else 4) if isinstance(value, float) else value


_FREQUENCIES = ("value", "count", "per_million")
_ASSOCIATIONS = ("count", "frequency", "log_dice", "mi", "t_score", "log_likelihood")
_KEYNESS = ("count", "reference_count", "score", "log_likelihood", "log_ratio")
_SPREAD = ("count", "documents", "all_documents", "dp", "juilland_d", "arf")
_CONCORDANCE = TableColumns(
    ("left", "match", "right", "document", "place"), right=("left", "place"), cut=("left", "right")
)
# Each question: the function that answers it, and the columns of its table.
QUESTIONS: dict[str, tuple[Callable[[CorpusPositions, argparse.Namespace], Rows], TableColumns]] = {
    "find": (_find, _CONCORDANCE),
    "count": (_count, TableColumns(_FREQUENCIES[1:], _FREQUENCIES[1:])),
    "group": (_group, TableColumns(_FREQUENCIES, _FREQUENCIES[1:])),
    "words": (_words, TableColumns(_FREQUENCIES, _FREQUENCIES[1:])),
    "ngrams": (_ngrams, TableColumns(_FREQUENCIES, _FREQUENCIES[1:])),
    "collocations": (_collocations, TableColumns(("value", *_ASSOCIATIONS), _ASSOCIATIONS)),
    "keywords": (_keywords, TableColumns(("value", *_KEYNESS), _KEYNESS)),
    "dispersion": (_dispersion, TableColumns(_SPREAD, _SPREAD)),
    "time": (_time, TableColumns(_FREQUENCIES, _FREQUENCIES[1:])),
}
