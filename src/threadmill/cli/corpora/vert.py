"""The verb `vert`: archives, pages and extracts to a corpus; `vert check` validates any vertical."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.corpus.build.pipeline import Job, Progress

EXAMPLES = """\
  threadmill vert crawl.warc.gz -o corpus.vert
  threadmill vert archive/ -o corpus.vert --lang en,cs --metadata --processes 4
  threadmill vert --wiki < extract.txt > wiki.vert
  threadmill vert page.html -o - --format jsonl
  threadmill vert check corpus.vert
"""
_MOST_FAULTS = 50
_PACKED = (".gz", ".xz", ".bz2", ".zst")
_LANGUAGE = re.compile("[a-z]{2,3}")  # ISO 639


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `threadmill vert`."""
    parser.add_argument(
        "inputs", nargs="*", help="WARC, WET or HTML files, directories of them, - for standard input"
    )
    parser.add_argument("--input", action="append", default=[], metavar="FILE", help="the same as naming it")
    parser.add_argument(
        "-o", "--output", default="-", help="the corpus; overwritten; standard output without it"
    )
    parser.add_argument(
        "--wiki", action="store_true", help="inputs are Wikipedia extracts: all their text is kept"
    )
    parser.add_argument(
        "--dialect", choices=("sketch", "cwb", "knot"), default="sketch", help="of vertical (sketch)"
    )
    parser.add_argument("--format", choices=("vertical", "conllu", "jsonl"), default="vertical")
    parser.add_argument("--lang", default="", help="wanted languages, as en,cs; others are left out")
    parser.add_argument("--no-lang-detect", action="store_true", help="look at no page's language")
    parser.add_argument(
        "--lemma", action="store_true", help="add the columns lemma and tag (pip install '.[lemma]')"
    )
    parser.add_argument(
        "--metadata", action="store_true", help="date, author, site and licence as attributes"
    )
    parser.add_argument("--posts", action="store_true", help="pages of forum threads as <post> structures")
    parser.add_argument(
        "--method",
        choices=("default", "justext", "everything"),
        default="default",
        help="who judges paragraphs",
    )
    parser.add_argument("--favour", choices=("balance", "precision", "recall"), default="balance")
    parser.add_argument(
        "--hook", default="", help="module:function or file.py:function that judges each paragraph last"
    )
    parser.add_argument(
        "--dedup", choices=("off", "remove", "mark"), default="off", help="near-duplicates (off)"
    )
    parser.add_argument("--processes", type=int, default=0, help="0: one a core")


def run(arguments: argparse.Namespace) -> int:
    """Make a corpus, or check one."""
    words: list[str] = arguments.inputs
    if words[:1] == ["check"]:
        if len(words) == 1:
            raise UsageError("vert check wants the files to check: threadmill vert check corpus.vert")
        return max(_check(Path(word)) for word in words[1:])
    return _build(_job(arguments), quiet=not sys.stderr.isatty())


def _job(arguments: argparse.Namespace) -> Job:
    from threadmill.corpus.build.page_to_corpus import Recipe
    from threadmill.corpus.build.pipeline import Job
    from threadmill.corpus.near_duplicates.dedup import Rules
    from threadmill.page.judge.clean_settings import Favour, Method

    inputs = tuple(Path(word) for word in [*arguments.inputs, *arguments.input]) or (Path("-"),)
    if arguments.processes < 0:
        raise UsageError(
            f"--processes is a number of processes, or 0 for one a core, not {arguments.processes}"
        )
    if arguments.output.endswith(_PACKED):
        raise UsageError(
            "a corpus is written plain, so that an interrupted run can go on; leave the ending off "
            f"{arguments.output}, and pack the file when it is done"
        )
    if arguments.dedup != "off" and arguments.format != "vertical":
        raise UsageError(
            "--dedup works on vertical output here; for JSON lines run: threadmill dedup FILE -o DIR"
        )
    if arguments.lemma:
        from threadmill.corpus.text.lemmas import lemma_languages

        lemma_languages()  # tells at once when the package is missing
    recipe = Recipe(
        dialect=arguments.dialect,
        format=arguments.format,
        languages=_languages(arguments.lang),
        detect=not arguments.no_lang_detect,
        lemma=arguments.lemma,
        metadata=arguments.metadata,
        posts=arguments.posts,
        method=Method(arguments.method),
        favour=Favour(arguments.favour),
        hook=arguments.hook,
    )
    dedup = None if arguments.dedup == "off" else Rules(mark=arguments.dedup == "mark")
    processes = arguments.processes or os.cpu_count() or 1
    return Job(inputs, Path(arguments.output), recipe, arguments.wiki, processes, dedup)


def _languages(wanted: str) -> tuple[str, ...]:
    codes = tuple(code for code in wanted.lower().replace(" ", "").split(",") if code)
    wrong = [code for code in codes if not _LANGUAGE.fullmatch(code)]
    if wrong or (wanted and not codes):
        raise UsageError(f"--lang wants codes of languages, as en,cs, not {', '.join(wrong) or wanted!r}")
    return codes


def _build(job: Job, *, quiet: bool) -> int:
    from threadmill.corpus.build.pipeline import build

    started = time.monotonic()
    if job.inputs == (Path("-"),) and sys.stdin.isatty():
        print("reading standard input; to read a file, name it: threadmill vert FILE", file=sys.stderr)
    if quiet:
        progress = build(job)
    else:
        from rich.console import Console

        with Console(stderr=True).status("reading …") as status:
            progress = build(job, lambda now: status.update(_line(now, time.monotonic() - started)))
    for text in (_line(progress, time.monotonic() - started), *_reasons(progress)):
        print(text, file=sys.stderr)
    return 0 if progress.inventory.documents else 1


def _line(progress: Progress, seconds: float) -> str:
    rate = 1 / max(seconds, 0.001)
    return (
        f"{progress.files_done} of {progress.files} files, {progress.pages:,} pages, "
        f"{progress.inventory.documents:,} documents, {progress.inventory.tokens:,} positions; "
        f"{progress.octets * rate / 1e6:.1f} MB/s, {progress.pages * rate:,.0f} pages/s, "
        f"{progress.inventory.tokens * rate:,.0f} positions/s{_time_left(progress, seconds)}"
    )


def _time_left(progress: Progress, seconds: float) -> str:
    left = progress.seconds_left(seconds)
    if left is None or progress.files_done == progress.files:
        return ""
    return f"; {progress.position / progress.total:.0%}, {timedelta(seconds=round(left))} left"


def _reasons(progress: Progress) -> list[str]:
    lines = [f"  left out: {count:,} × {reason}" for reason, count in progress.reasons.most_common()]
    if progress.duplicates is not None:
        found = progress.duplicates
        lines.append(
            f"  near-duplicates: {found.duplicate_documents:,} of {found.documents:,} documents, "
            f"{found.duplicate_paragraphs:,} of {found.paragraphs:,} paragraphs of the others"
        )
    return lines


def _check(file: Path) -> int:
    from threadmill.corpus.build.corpus_inputs import unpacked
    from threadmill.corpus.vertical.check import Checker

    checker = Checker()
    faults = 0
    with unpacked(file) as (lines, _):
        for fault in checker.check(lines):
            faults += 1
            if faults <= _MOST_FAULTS:
                print(f"{file}: {fault}")
    if faults > _MOST_FAULTS:
        print(f"{file}: and {faults - _MOST_FAULTS:,} more")
    if not faults:
        print(f"{file}: valid; {checker.documents:,} documents, {checker.positions:,} positions")
    return 1 if faults else 0
