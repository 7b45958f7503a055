"""`threadmill vert`: build a corpus; `vert check` and `vert convert` check and convert one."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.cli.arguments import add_workers, refuse_unused
from threadmill.cli.terminal import counted, live_text, octets_per_second
from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.corpus.build.pipeline import BuildProgress

EXAMPLES = """\
  threadmill vert crawl.warc.gz -o corpus.vert
  threadmill vert archive/ -o corpus.vert --lang en,cs --metadata --processes 4
  threadmill vert 's3://crawls/2026/*.warc.gz' -o s3://corpora/2026.vert --on ray
  threadmill vert --wiki < extract.txt > wiki.vert
  threadmill vert page.html -o - --format jsonl
  threadmill vert dataset.parquet -o corpus.vert --field text
  threadmill vert archive/ -o corpus.vert --for nosketch --tags --lemma
  threadmill vert check corpus.vert
  threadmill vert convert corpus.vert -o cwb.vert --for cqpweb
"""
_MOST_FAULTS = 50
USED = {
    "check": ("json",),
    "convert": ("output", "source", "columns", "dialect", "manager", "maintainer", "json"),
}
_MOST_FAILED = 0.01  # share of the pages that may fail; more have a common cause, and the corpus lacks them


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "inputs",
        nargs="*",
        help="WARC, WET or HTML files, directories of them, URLs (s3://…), workspaces, - for standard input",
    )
    parser.add_argument("--input", action="append", default=[], metavar="FILE", help="one more input")
    parser.add_argument(
        "-o", "--output", default="-", help="the corpus file, which is overwritten (standard output)"
    )
    parser.add_argument(
        "--wiki",
        action="store_true",
        help="the inputs are Wikipedia extracts; all their text is kept; one language in --lang is theirs",
    )
    parser.add_argument(
        "--field", default="text", help="the field of JSON lines or Parquet that holds the text (text)"
    )
    parser.add_argument(
        "--base",
        default="",
        metavar="URL",
        help="where HTML files come from: they get this URL with their path, and their links become absolute",
    )
    parser.add_argument(
        "--dialect", choices=("sketch", "cwb", "knot"), default="sketch", help="dialect of vertical (sketch)"
    )
    parser.add_argument(
        "--for",
        dest="manager",
        choices=("nosketch", "kontext", "cwb", "cqpweb", "blacklab", "antconc"),
        default="",
        help="the program that the corpus is for; writes its configuration and a page on how to load it",
    )
    parser.add_argument(
        "--maintainer", default="", metavar="MAIL", help="with --for: whom users of the corpus may ask"
    )
    parser.add_argument(
        "--from",
        dest="source",
        choices=("sketch", "cwb", "knot"),
        help="convert: the dialect of the input (sketch)",
    )
    parser.add_argument("--columns", default="", help="convert: names of the columns, such as word,tag")
    parser.add_argument(
        "--format",
        choices=("vertical", "conllu", "jsonl"),
        default="",
        help="default: by the ending of -o (.vert, .conllu, .jsonl), or vertical",
    )
    parser.add_argument(
        "--lang", default="", help="languages to keep, such as en,cs; pages in others are left out"
    )
    parser.add_argument("--no-lang-detect", action="store_true", help="do not detect the languages of pages")
    parser.add_argument("--lemma", action="store_true", help="add the column lemma (pip install '.[lemma]')")
    parser.add_argument(
        "--tags", action="store_true", help="add the column tag: parts of speech (pip install '.[lemma]')"
    )
    parser.add_argument(
        "--clitics",
        action="store_true",
        help="Arabic, Hebrew: conjunctions, prepositions and articles are positions of their own",
    )
    parser.add_argument(
        "--metadata", action="store_true", help="add date, author, site and licence as attributes"
    )
    parser.add_argument(
        "--posts", action="store_true", help="write pages of forum threads as <post> structures"
    )
    parser.add_argument(
        "--method",
        choices=("default", "justext", "everything"),
        default="default",
        help="how paragraphs are judged (default)",
    )
    parser.add_argument(
        "--favour",
        choices=("balance", "precision", "recall"),
        default="balance",
        help="precision: rather lose text than keep boilerplate; recall: the opposite (balance)",
    )
    parser.add_argument(
        "--hook",
        default="",
        help="a function of yours that judges each paragraph last: MODULE:FUNCTION or FILE.py:FUNCTION",
    )
    parser.add_argument(
        "--dedup",
        choices=("off", "remove", "mark"),
        default="off",
        help="what to do with near-duplicates (off)",
    )
    add_workers(parser)
    parser.add_argument(
        "--json", action="store_true", help="print the counts as one JSON object (of check: one a file)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build a corpus, or check one."""
    words: list[str] = arguments.inputs
    if words[:1] == ["check"]:
        if len(words) == 1:
            raise UsageError("vert check needs files to check: threadmill vert check corpus.vert")
        refuse_unused(arguments, add_arguments, USED["check"], "vert check")
        return max(_check(Path(word), as_json=arguments.json) for word in words[1:])
    if words[:1] == ["convert"]:
        return _convert(arguments, words[1:])
    if arguments.source or arguments.columns:
        raise UsageError("--from and --columns belong to: threadmill vert convert corpus.vert -o OUTPUT")
    return _build(arguments)


def _convert(arguments: argparse.Namespace, words: list[str]) -> int:
    from threadmill.api.corpora import convert_vertical

    refuse_unused(arguments, add_arguments, USED["convert"], "vert convert")
    if len(words) != 1 or arguments.output == "-":
        raise UsageError(
            "vert convert takes one file and an output: threadmill vert convert a.vert -o b.vert"
        )
    found = convert_vertical(
        words[0],
        arguments.output,
        source=arguments.source or "sketch",
        dialect=arguments.dialect,
        manager=arguments.manager,
        maintainer=arguments.maintainer,
        columns=[name for name in arguments.columns.replace(" ", "").split(",") if name],
    )
    if arguments.json:
        print(json.dumps({"documents": found.documents, "positions": found.tokens}))
    else:
        print(f"{counted(found.documents, 'document')}, {counted(found.tokens, 'position')}", file=sys.stderr)
    _say_page(arguments)
    return 0 if found.documents else 1


def _say_page(arguments: argparse.Namespace) -> None:
    if arguments.manager:
        page = f"{arguments.output}.{arguments.manager}.md"
        print(f"how to load it into {arguments.manager}: see {page}", file=sys.stderr)


def _build(arguments: argparse.Namespace) -> int:
    from threadmill.api.corpora import build_corpus

    if arguments.json and arguments.output == "-":
        raise UsageError("with --json the corpus needs a file: add -o FILE; standard output takes the counts")
    started = time.monotonic()
    inputs = [*arguments.inputs, *arguments.input] or ["-"]
    if inputs == ["-"] and sys.stdin.isatty():
        print("reading standard input; to read a file, name it: threadmill vert FILE", file=sys.stderr)
    with live_text("reading …") as show:
        progress = build_corpus(
            inputs,
            arguments.output,
            format=arguments.format,
            dialect=arguments.dialect,
            manager=arguments.manager,
            maintainer=arguments.maintainer,
            languages=_languages(arguments.lang),
            detect_languages=not arguments.no_lang_detect,
            lemmas=arguments.lemma,
            tags=arguments.tags,
            clitics=arguments.clitics,
            metadata=arguments.metadata,
            posts=arguments.posts,
            method=arguments.method,
            favour=arguments.favour,
            hook=arguments.hook,
            wiki=arguments.wiki,
            field=arguments.field,
            base=arguments.base,
            dedup=arguments.dedup,
            processes=arguments.processes,
            on=arguments.on,
            on_progress=(lambda now: show(_line(now, time.monotonic() - started))) if show else None,
        )
    missing, passed = _missing(progress), time.monotonic() - started
    if arguments.json:
        print(json.dumps(_as_dict(progress, passed), ensure_ascii=False))
    for text in missing if arguments.json else (*missing, _line(progress, passed), *_reasons(progress)):
        print(text, file=sys.stderr)
    _say_page(arguments)
    return 0 if progress.inventory.documents and not missing else 1


def _as_dict(progress: BuildProgress, seconds: float) -> dict[str, Any]:
    """The counts of a corpus, for --json."""
    return {
        "files": progress.files,
        "unreadable_files": progress.unreadable_files,
        "pages": progress.pages,
        "failed_pages": progress.failed_pages,
        "documents": progress.inventory.documents,
        "positions": progress.inventory.tokens,
        "left_out": dict(progress.reasons.most_common()),
        "near_duplicates": asdict(progress.duplicates) if progress.duplicates is not None else None,
        "seconds": round(seconds, 3),
    }


def _missing(progress: BuildProgress) -> list[str]:
    """What the corpus lacks because of failures, in sentences."""
    said = []
    if progress.unreadable_files:
        said.append(f"{progress.unreadable_files:,} of {progress.files:,} files could not be read")
    if progress.failed_pages > _MOST_FAILED * progress.pages:
        said.append(
            f"{progress.failed_pages:,} of {progress.pages:,} pages failed and are missing in the corpus"
        )
    return said


def _languages(wanted: str) -> list[str]:
    codes = [code for code in wanted.lower().replace(" ", "").split(",") if code]
    if wanted and not codes:
        raise UsageError(f"--lang is a list of language codes such as en,cs, not {wanted!r}")
    return codes


def _line(progress: BuildProgress, seconds: float) -> str:
    rate = 1 / max(seconds, 0.001)
    return (
        f"{progress.files_done} of {counted(progress.files, 'file')}, {counted(progress.pages, 'page')}, "
        f"{counted(progress.inventory.documents, 'document')}, "
        f"{counted(progress.inventory.tokens, 'position')}; "
        f"{octets_per_second(progress.octets * rate)}, {progress.pages * rate:,.0f} pages/s, "
        f"{progress.inventory.tokens * rate:,.0f} positions/s{_time_left(progress, seconds)}"
    )


def _time_left(progress: BuildProgress, seconds: float) -> str:
    left = progress.seconds_left(seconds)
    if left is None or progress.files_done == progress.files:
        return ""
    return f"; {progress.position / progress.total:.0%}, {timedelta(seconds=round(left))} left"


def _reasons(progress: BuildProgress) -> list[str]:
    lines = [f"  left out: {count:,} × {reason}" for reason, count in progress.reasons.most_common()]
    if progress.duplicates is not None:
        found = progress.duplicates
        lines.append(
            f"  near-duplicates: {found.duplicate_documents:,} of {found.documents:,} documents, "
            f"{found.duplicate_paragraphs:,} of {found.paragraphs:,} paragraphs of the others"
        )
    return lines


def _check(file: Path, *, as_json: bool) -> int:
    from threadmill.corpus.build.corpus_inputs import open_unpacked
    from threadmill.corpus.vertical.check import Checker

    checker = Checker()
    faults, named = 0, []
    with open_unpacked(file) as (lines, _):
        for fault in checker.check(lines):
            faults += 1
            if faults <= _MOST_FAULTS:
                named.append(str(fault))
                if not as_json:
                    print(f"{file}: {fault}")
    if as_json:
        told = {"file": str(file), "documents": checker.documents, "positions": checker.positions}
        print(json.dumps({**told, "faults": faults, "named": named}, ensure_ascii=False))
        return 1 if faults else 0
    if faults > _MOST_FAULTS:
        print(f"{file}: and {faults - _MOST_FAULTS:,} more")
    if not faults:
        documents, positions = counted(checker.documents, "document"), counted(checker.positions, "position")
        print(f"{file}: valid; {documents}, {positions}")
    return 1 if faults else 0
