"""The command `threadmill`. Each of its commands is one module, which is loaded when it is needed."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Protocol, cast

from threadmill import __version__
from threadmill.cli.arguments import refuse_to_overwrite
from threadmill.cli.terminal import start_logging
from threadmill.errors import ThreadmillError, UsageError
from threadmill.native.loader import describe_extensions

# Each command and what it does. The list stands here and not in the modules, because --help must stay fast.
COMMANDS: dict[str, str] = {
    "init": "make a workspace with a settings file that explains itself; a crawl makes one, too",
    "crawl": "crawl a forum (with --site, any site): everything once, afterwards only new pages",
    "watch": "keep forums current; busy boards are checked more often, within a daily budget",
    "fleet": "show the workers that keep forums current together, and what each is doing",
    "posts": "export the posts of a workspace as JSON lines, CSV or Parquet",
    "threads": "list the threads of a workspace with their counts and dates, as a table, CSV or JSON lines",
    "boards": "list the boards of a workspace: threads, posts kept, posts claimed",
    "replies": "export who answered whom in a workspace, as CSV or as a graph (GEXF)",
    "rebuild": "make the database of a workspace again from its archive, without asking any site",
    "move": "take the database of a workspace to PostgreSQL, or back to SQLite",
    "forget": "delete an author, a thread or a forum from a workspace and its archive, and prove it",
    "report": "show what each crawl of a workspace fetched, as a table or a chart",
    "console": "open a web page on a workspace: see pages as Threadmill reads them, crawls, posts and sites",
    "doctor": "check the installation, a workspace, and what keeps us from reading a page",
    "forum": "learn the structure of a forum from one URL, or read the posts and rows of saved pages",
    "dates": "find dates and times in a text or a page, or read a column of dates",
    "clean": "find the main text of pages, with the class and reason of every paragraph",
    "template": "learn what repeats over a site's pages (menus, footers), and remove or colour it",
    "vert": "build a corpus (vertical, CoNLL-U, JSON lines) from WARC, HTML or Wikipedia extracts",
    "dedup": "remove near-duplicate documents and paragraphs from vertical or JSON-lines files",
    "index": "make the paragraphs and posts of corpora, archives and workspaces searchable",
    "search": "find words and phrases in an index, and show them in context",
    "query": "ask a corpus in CQL: concordances, frequencies, collocations, keywords, frequency over time",
    "sites": "find the sites of a list that belong to one company, with the evidence",
    "serve": "offer the comparison of sites as an HTTP service: lists of sites in, pairs out",
    "worker": "run one stage of the service that `serve` offers, on this or another machine",
    "archive": "list, show, verify and compact the records of a WARC archive, or send it to a store",
    "simulate": "serve a simulated forum as of a date",
    "evaluate": "measure a part of Threadmill on real pages and print its figures",
    "completion": "write the script by which bash, zsh or fish complete commands and options",
    "demo": "crawl a simulated forum on this machine, to see what Threadmill does",
}

# The package of each command.
_ROOMS = {
    "crawling": (
        "init",
        "crawl",
        "watch",
        "fleet",
        "posts",
        "threads",
        "boards",
        "replies",
        "rebuild",
        "move",
        "forget",
        "report",
        "console",
        "doctor",
    ),
    "pages": ("forum", "dates", "clean", "template", "archive"),
    "corpora": ("vert", "dedup", "index", "search", "query"),
    "comparison": ("sites", "serve", "worker"),
    "lab": ("simulate", "evaluate", "completion", "demo"),
}
_MODULES = {
    command: f"threadmill.cli.{room}.{command}" for room, commands in _ROOMS.items() for command in commands
}


_LEAST_LIKENESS = 0.7  # of a word with a slip of the pen: "crwl", "--bord"
_SURROGATE = re.compile("[\ud800-\udfff]").search  # a byte of the command line that is not UTF-8


class CommandModule(Protocol):
    """What the module of a command has."""

    EXAMPLES: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do the work and return the exit code."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. An expected error becomes one sentence on standard error."""
    words = list(sys.argv[1:] if argv is None else argv)
    debug = bool(os.environ.get("THREADMILL_DEBUG"))
    try:
        if not words or words[0] in {"-h", "--help", "help"}:
            print(overview())
            return 0
        if words[0] in {"-V", "--version"}:
            print(f"threadmill {__version__}, {describe_extensions()}")
            return 0
        return _run_command(words[0], start_logging(words[1:]))
    except ThreadmillError as error:
        if debug:
            raise
        print(f"threadmill: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print(
            "threadmill: interrupted; run the same command again to continue (what it prints begins anew)",
            file=sys.stderr,
        )
        return 130
    except BrokenPipeError:  # the reader of our output, such as head or less, has ended: nothing is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if debug:
            raise
        print(f"threadmill: {_describe(error)}", file=sys.stderr)
        return 1


def make_parser(command: str) -> tuple[argparse.ArgumentParser, CommandModule]:
    """The argument parser of a command, and its module."""
    module = cast(CommandModule, import_module(_MODULES[command]))
    parser = _CommandParser(
        prog=f"threadmill {command}",
        description=_wrapped(COMMANDS[command]),
        epilog=_wrapped(f"examples:\n{module.EXAMPLES}"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    for action in parser._actions:  # the help of a task begins with what the list of tasks says about it
        if isinstance(action, argparse._SubParsersAction):
            for listed in action._choices_actions:
                action.choices[listed.dest].description = listed.help
    return parser, module


def _wrapped(text: str) -> str:
    """Sentences and exit codes in the width of the terminal. Examples stay whole: they are copied."""
    columns = shutil.get_terminal_size().columns - 2
    return "\n".join(
        line
        if line.startswith(" ") and not line.split()[0].isdigit()
        else textwrap.fill(line, columns, subsequent_indent=" " * 7 if line.startswith("  ") else "")
        for line in text.splitlines()
    )


class _CommandParser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence."""

    def error(self, message: str) -> None:  # type: ignore[override]
        unknown = message.partition("unrecognized arguments: ")[2].split()
        near = _nearest(unknown[0], self._option_string_actions) if unknown else ""
        raise UsageError(f"{message}{near}; see: {self.prog} --help")


def _nearest(word: str, known: Iterable[str]) -> str:
    """A question about the known word that one with a slip of the pen is like. Empty if there is none."""
    found = get_close_matches(word.partition("=")[0], list(known), n=1, cutoff=_LEAST_LIKENESS)
    return f" (did you mean {found[0]}?)" if found else ""


def _run_command(command: str, words: Sequence[str]) -> int:
    if command not in COMMANDS:
        near = _nearest(command.lower(), COMMANDS)
        known = near or f"; known are {', '.join(COMMANDS)}"
        raise UsageError(f"no command {command!r}{known}; see: threadmill --help")
    # numpy's algebra library starts a thread per core; starting them costs 0.08 s, and nothing uses them
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parser, module = make_parser(command)
    if {"-h", "--help"}.intersection(words):
        _narrow(parser, words[0], getattr(module, "USED", {}))
    arguments = parser.parse_args(words)
    for name, value in vars(arguments).items():
        # Paths may be any bytes; other arguments are text.
        if isinstance(value, str) and _SURROGATE(value):
            raise UsageError(f"{name} is not UTF-8 text; write it in UTF-8 or check the locale (LC_ALL)")
    refuse_to_overwrite(parser, arguments)
    return module.run(arguments)


def _narrow(parser: argparse.ArgumentParser, verb: str, used: Mapping[str, Collection[str]]) -> None:
    """Let the help of a verb show its own options and examples. `used` names the options of each."""
    if verb not in used:
        return
    parser.prog = f"{parser.prog} {verb}"
    for action in parser._actions:
        if action.option_strings and action.dest not in {"help", *used[verb]}:
            action.help = argparse.SUPPRESS
        elif not action.option_strings and action.choices:
            action.help = argparse.SUPPRESS  # it is the verb
            action.metavar = ""
        elif action.help:
            action.help = _for_verb(action.help, verb)
    lines = [line for line in (parser.epilog or "").splitlines() if line.strip().startswith(parser.prog)]
    parser.epilog = "\n".join(["examples:", *lines]) if lines else None


def _for_verb(told: str, verb: str) -> str:
    """What the help of an option says about one verb: of "index: files; others: a query" its own part."""
    parts = dict(part.partition(": ")[::2] for part in told.split("; ") if ": " in part)
    if set(parts) <= {"others"} or not all(name.isalpha() for name in parts):
        return told
    own = parts.get(verb) or parts.get("others")
    return own if own and len(parts) == len(told.split("; ")) else told.removeprefix(f"{verb}: ")


def overview() -> str:
    """The text of `threadmill --help`."""
    width = max((len(command) for command in COMMANDS), default=0)
    columns = shutil.get_terminal_size().columns
    commands = "\n".join(
        textwrap.fill(
            f"  {command:<{width}}  {summary}", max(columns, 2 * width), subsequent_indent=" " * (width + 4)
        )
        for command, summary in COMMANDS.items()
    )
    return (
        "usage: threadmill COMMAND [options]\n\n"
        "Keeps a clean text corpus of forums and sites, and downloads almost nothing\ntwice.\n\n"
        f"commands:\n{commands}\n\n"
        "threadmill COMMAND --help shows the options of a command, with examples.\n"
        "Every command takes --verbose (every request, on standard error), --debug (more)\nand --log-json.\n"
        "THREADMILL_DEBUG=1 shows tracebacks. THREADMILL_PURE=1 uses no compiled code."
    )


def _describe(error: OSError) -> str:
    """An error of the operating system (disk full, port in use, no such file) as one sentence."""
    what = error.strerror or str(error)
    where = f" ({error.filename})" if error.filename else ""
    return f"{what[:1].lower()}{what[1:]}{where}. Fix this and retry."
