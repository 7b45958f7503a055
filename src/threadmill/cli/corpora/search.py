"""`threadmill search`: find words and phrases in an index, and print each hit in its context."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from threadmill.cli.arguments import add_index_argument, whole_number

if TYPE_CHECKING:
    from rich.console import Console

    from threadmill.corpus.search.index import SearchHit, SearchResult
    from threadmill.corpus.search.query import SearchQuery

EXAMPLES = """\
  threadmill search lighthouse
  threadmill search '"light house" keeper -lamp' --index my-index
  threadmill search 'lightho* OR beacon' --site example.org --since 2020 --until 2021-06
  threadmill search 'author:"Anna K" date:2024-05..2024-07 train' --order newest
  threadmill search '"in the evening"' --lang en --json > hits.jsonl
"""
_LEAST_CONTEXT = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "question",
        nargs="+",
        help='words (all must occur), "a phrase", begin*, -without, a OR b, field:value',
    )
    add_index_argument(parser)
    parser.add_argument("--site", default="", help="only this site or host (also site:…)")
    parser.add_argument("--board", default="", help="only the board with this URL (also board:…)")
    parser.add_argument("--author", default="", help="only this author (also author:…)")
    parser.add_argument("--lang", default="", help="only this language, such as en (also lang:…)")
    parser.add_argument(
        "--since", default="", metavar="DATE", help="only texts of this date or later: 2024, 2024-05 …"
    )
    parser.add_argument("--until", default="", metavar="DATE", help="only texts of this date or earlier")
    parser.add_argument(
        "--order",
        choices=("relevance", "corpus", "newest", "oldest"),
        default="relevance",
        help="order of the hits (relevance)",
    )
    parser.add_argument("--limit", type=whole_number(1), default=20, metavar="N", help="most hits shown (20)")
    parser.add_argument(
        "--context",
        type=int,
        default=0,
        metavar="N",
        help="characters shown on each side (default: what fits)",
    )
    parser.add_argument("--json", action="store_true", help="print hits as JSON lines with their whole texts")


def run(arguments: argparse.Namespace) -> int:
    """Search and print the hits. The exit code is 1 when nothing is found."""
    from threadmill.api.corpora import ask
    from threadmill.corpus.search.query import parse_question

    question = parse_question(
        " ".join(arguments.question),
        site=arguments.site,
        board=arguments.board,
        author=arguments.author,
        language=arguments.lang,
        since=arguments.since,
        until=arguments.until,
    )
    answer = ask(question, arguments.index, order=arguments.order, limit=arguments.limit)
    if arguments.json:
        for hit in answer.hits:
            print(json.dumps({**asdict(hit.entry), "score": round(hit.score, 4)}, ensure_ascii=False))
    else:
        _show(answer, question, arguments.context)
    found = f"{answer.count:,} found, {len(answer.hits)} shown, in {1000 * answer.seconds:.1f} ms"
    print(found, file=sys.stderr)
    return 0 if answer.count else 1


def _show(answer: SearchResult, question: SearchQuery, context: int) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True, width=shutil.get_terminal_size((120, 24)).columns)
    longest = max((len(phrase_text) for phrase_text in _phrases(question)), default=0)
    width = context or max(_LEAST_CONTEXT, (console.width - longest - 2) // 2)
    for hit in answer.hits:
        _show_hit(console, hit, question, width)


def _phrases(question: SearchQuery) -> list[str]:
    return [" ".join(phrase.words) for phrase in question.wanted]


def _show_hit(console: Console, hit: SearchHit, question: SearchQuery, width: int) -> None:
    from rich.text import Text

    from threadmill.corpus.search.query import concordance

    entry = hit.entry
    about = (entry.date, entry.author, entry.title, entry.url)
    console.print(Text(" · ".join(value for value in about if value) or entry.kind, style="dim"))
    for line in concordance(entry.text, question.wanted, width):
        row = Text(line.left.rjust(width) if line.match else line.left)
        row.append(line.match, style="bold red")
        row.append(line.right)
        console.print(row)
