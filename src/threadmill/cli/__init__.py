"""The command `threadmill`: parse, call one function, print; one module per verb, loaded when asked for."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from threadmill import __version__
from threadmill.errors import ThreadmillError, UsageError
from threadmill.native.loader import describe_extensions

# verb → what it does in one line; its module is in _MODULES. Loading all of them to
# print this list would cost more than the 0.3 s that --help may take.
VERBS: dict[str, str] = {
    "crawl": "fetch a forum (or, with --site, any site): everything once, afterwards only what is new",
    "watch": "keep forums current: visit each board as often as its posting is worth, within a budget",
    "posts": "export the posts of a workspace as JSON lines, CSV or Parquet",
    "report": "tell what each crawl of a workspace fetched and what that was worth, as a table and a chart",
    "forum": "read a forum: its structure from one URL, or the posts and rows of saved pages",
    "dates": "find and normalise dates and times in a text, a page or a column of cells",
    "clean": "find the main text of pages, with the class and reason of every paragraph",
    "template": "learn what repeats over a site's pages (menus, footers), take it out or colour it",
    "vert": "turn WARC, HTML and Wikipedia extracts into a vertical corpus, CoNLL-U or JSON lines; check one",
    "dedup": "leave near-duplicate documents and paragraphs out of vertical or JSON-lines files",
    "index": "make paragraphs and posts of corpora, archives and workspaces searchable",
    "search": "find words and phrases in an index, shown in their context",
    "sites": "tell which sites of a list are one company, and why",
    "serve": "the same as a service: lists of sites in, pairs of one company out, over HTTP",
    "worker": "do one stage of the service's work, beside others and on other machines",
    "archive": "list, show and verify what a WARC archive holds",
    "simulate": "serve a simulated forum as it looked at a date",
    "evaluate": "measure a part on real material and print its figures",
    "demo": "show the main job on a simulated forum, on this machine alone",
}

# verb → its module
_ROOMS = {
    "crawling": ("crawl", "watch", "posts", "report"),
    "pages": ("forum", "dates", "clean", "template", "archive"),
    "corpora": ("vert", "dedup", "index", "search"),
    "companies": ("sites", "serve", "worker"),
    "lab": ("simulate", "evaluate", "demo"),
}
_MODULES = {verb: f"threadmill.cli.{room}.{verb}" for room, verbs in _ROOMS.items() for verb in verbs}


class VerbModule(Protocol):
    """What a module of this package offers."""

    EXAMPLES: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the verb's options."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do the job and return the exit code."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; errors of ours become one sentence on standard error."""
    words = list(sys.argv[1:] if argv is None else argv)
    debug = bool(os.environ.get("THREADMILL_DEBUG"))
    try:
        if not words or words[0] in {"-h", "--help", "help"}:
            print(overview())
            return 0
        if words[0] in {"-V", "--version"}:
            print(f"threadmill {__version__}, {describe_extensions()}")
            return 0
        return _run_verb(words[0], words[1:])
    except ThreadmillError as error:
        if debug:
            raise
        print(f"threadmill: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print(
            "threadmill: interrupted; the same command goes on where this one stopped",
            file=sys.stderr,
        )
        return 130
    except BrokenPipeError:  # the reader of our output (head, less) has gone: nothing is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if debug:
            raise
        print(f"threadmill: {_describe(error)}", file=sys.stderr)
        return 1


def make_parser(verb: str) -> tuple[argparse.ArgumentParser, VerbModule]:
    """The argument parser of a verb, with its module."""
    module = cast(VerbModule, import_module(_MODULES[verb]))
    parser = _Parser(
        prog=f"threadmill {verb}",
        description=VERBS[verb],
        epilog=f"examples:\n{module.EXAMPLES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    return parser, module


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one sentence."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UsageError(f"{message}; see: {self.prog} --help")


def _run_verb(verb: str, words: Sequence[str]) -> int:
    if verb not in VERBS:
        raise UsageError(f"there is no verb {verb!r}; known are {', '.join(VERBS)}; see: threadmill --help")
    # numpy's algebra starts a thread for every core, and they burn 0.08 s before they find nothing to do
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parser, module = make_parser(verb)
    return module.run(parser.parse_args(words))


def overview() -> str:
    """What `threadmill --help` prints."""
    width = max((len(verb) for verb in VERBS), default=0)
    verbs = "\n".join(f"  {verb:<{width}}  {summary}" for verb, summary in VERBS.items())
    return (
        "usage: threadmill VERB [options]\n\n"
        "Keeps a clean, deduplicated text corpus of forums and sites, and downloads almost nothing twice.\n\n"
        f"verbs:\n{verbs}\n\n"
        "threadmill VERB --help tells the options of a verb, with examples.\n"
        "THREADMILL_DEBUG=1 shows tracebacks; THREADMILL_PURE=1 does without compiled loops."
    )


def _describe(error: OSError) -> str:
    """An error of the operating system (disk full, port in use, no such file) as a sentence."""
    what = error.strerror or str(error)
    where = f" ({error.filename})" if error.filename else ""
    return f"{what[:1].lower()}{what[1:]}{where}; mend that and run the same command again"
