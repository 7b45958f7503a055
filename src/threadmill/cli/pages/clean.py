"""threadmill clean: pages in, their main text out; or every paragraph judged, or a comparison."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from threadmill.errors import HookError, UsageError

if TYPE_CHECKING:
    from threadmill.archive import ReadTally
    from threadmill.page.clean_pages import Source
    from threadmill.page.judge.clean_settings import CleanSettings
    from threadmill.page.judge.user_hooks import Hook
    from threadmill.template import Template
    from threadmill.types import Capture, Page

EXAMPLES = """\
  threadmill clean page.html                             the main text of a saved page
  curl -s https://example.org/ | threadmill clean        … of standard input
  threadmill clean crawl.warc.gz --format jsonl          every paragraph with class, reason, links
  threadmill clean pages/ --format markdown --output pages.md
  threadmill clean page.html --format html-marked        the page itself, framing in colour
  threadmill clean page.html --favour recall             rather too much than too little
  threadmill clean page.html --method justext --stop-words cs
  threadmill clean page.html --hook threadmill.page.judge.user_hooks:keep_wikipedia_links
  threadmill clean work/                                 the pages of a workspace, with its templates
  threadmill clean page.html --template site.template    … with one that was learnt before
  threadmill clean page.html --compare trafilatura > comparison.html"""

_FORMATS = ("text", "markdown", "jsonl", "html-removed", "html-marked")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare inputs, outputs and how pages are judged."""
    parser.add_argument(
        "inputs",
        nargs="*",
        default=["-"],
        metavar="INPUT",
        help="HTML, WARC or Wikipedia extract, directory, workspace, or -",
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="write here instead of to standard output"
    )
    parser.add_argument("--format", choices=_FORMATS, default="text")
    parser.add_argument("--url", default="", help="the address of a page that does not say it itself")
    parser.add_argument("--method", choices=("default", "justext", "everything"), default="default")
    parser.add_argument("--favour", choices=("balance", "precision", "recall"), default="balance")
    parser.add_argument(
        "--language", action="append", metavar="CODE", help="only pages in this language; may be repeated"
    )
    parser.add_argument(
        "--no-language-detection", dest="languages", action="store_false", help="do not tell languages at all"
    )
    parser.add_argument(
        "--hook",
        metavar="MODULE:FUNCTION",
        help="(text, class, html) -> (class, text); also FILE.py:FUNCTION",
    )
    parser.add_argument(
        "--template",
        default="auto",
        metavar="FILE",
        help="the framing of the site (threadmill template learn --save); none; or auto: the workspace's, "
        "else learnt from the input where it holds ten pages of a site",
    )
    parser.add_argument("--workspace", type=Path, metavar="DIR", help="use the templates kept here")
    parser.add_argument(
        "--compare", metavar="OTHER", help="justext, trafilatura or resiliparse beside ours, as HTML"
    )
    rules = parser.add_argument_group("jusText's rules", "with --method justext")
    rules.add_argument("--stop-words", default="auto", metavar="CODE", help="language, auto or none")
    rules.add_argument("--length-low", type=int, default=70, metavar="N")
    rules.add_argument("--length-high", type=int, default=200, metavar="N")
    rules.add_argument("--stop-words-low", type=float, default=0.30, metavar="X")
    rules.add_argument("--stop-words-high", type=float, default=0.32, metavar="X")
    rules.add_argument("--max-link-density", type=float, default=0.2, metavar="X")
    rules.add_argument("--max-heading-distance", type=int, default=200, metavar="N")
    rules.add_argument("--no-headings", action="store_true", help="short headings are judged like other text")


def run(arguments: argparse.Namespace) -> int:
    """Clean every page of every input; a page that is none is counted and passed over."""
    if arguments.output is None:
        return _run(arguments, sys.stdout)
    with arguments.output.open("w", encoding="utf-8") as target:
        return _run(arguments, target)


def _run(arguments: argparse.Namespace, target: TextIO) -> int:
    from threadmill.archive import ReadTally

    tally = ReadTally()
    counts = Counter(_write(arguments, target, _captures(arguments, tally)))
    if arguments.compare:
        target.write("</body></html>\n")
    if counts.total() != 1 or tally.damaged:
        said = ", ".join(f"{counts[outcome]} {outcome}" for outcome in _OUTCOMES)
        print(f"{said}, {tally.damaged} records damaged", file=sys.stderr)
    return 0 if counts[_CLEANED] or counts[_LEFT_OUT] else 1


_CLEANED, _LEFT_OUT, _FAILED = _OUTCOMES = ("pages cleaned", "left out by language", "could not be cleaned")


def _captures(arguments: argparse.Namespace, tally: ReadTally) -> Iterator[Capture]:
    for source in arguments.inputs:
        if source != "-" and not Path(source).exists():
            raise UsageError(f"there is no file or directory {source!r}; give HTML, WARC, a directory, or -")
        for capture in _read(source, tally):
            if capture.content_type in {"text/html", "application/xhtml+xml", ""}:
                yield capture


def _read(source: str, tally: ReadTally) -> Iterator[Capture]:
    from threadmill.archive import read_captures, read_inputs
    from threadmill.cli.pages.clean_sites import is_workspace

    if source == "-" or not is_workspace(Path(source)):
        yield from read_inputs(source, tally)
        return
    captures = read_captures(Path(source) / "archive", tally=tally, follow_revisits=True)
    yield from (capture for capture in captures if capture.status == 200)


def _write(arguments: argparse.Namespace, target: TextIO, captures: Iterator[Capture]) -> Iterator[str]:
    """Clean the captures and write them; says what became of each."""
    from threadmill.archive import ReadTally
    from threadmill.cli.pages.clean_sites import read_templates

    templates = read_templates(arguments, lambda: _captures(arguments, ReadTally()))
    settings, hook = _settings(arguments), _hook(arguments.hook)
    wanted = frozenset(arguments.language or ())
    as_html = arguments.format.startswith("html") and not arguments.compare
    shape = _comparison(arguments.compare, target) if arguments.compare else _shape(arguments.format)

    def write_html(capture: Capture) -> None:
        url, marked = arguments.url or capture.url, arguments.format == "html-marked"
        _write_bytes(target, _html(capture, url, templates.of(capture), settings, hook, marked=marked))

    if as_html and not wanted:
        for capture in captures:
            write_html(capture)
            yield _CLEANED
        return
    sources = (_source(capture, arguments.url or capture.url, templates.of(capture)) for capture in captures)
    for capture, page in _clean(sources, settings, hook):
        if page is None:
            yield _FAILED
        elif wanted and page.language not in wanted:
            yield _LEFT_OUT
        else:
            if as_html:
                write_html(capture)
            else:
                target.write(shape(page, capture))
            yield _CLEANED


def _source(capture: Capture, url: str, template: Template | None) -> Source:
    from threadmill.page.clean_pages import Source
    from threadmill.template import framing_of

    kind = capture.header("content-type") or ""
    framing = framing_of(template) if template is not None else None
    return Source(capture.payload, url, kind, framing, capture)


def _clean(
    sources: Iterator[Source], settings: CleanSettings, hook: Hook | None
) -> Iterator[tuple[Capture, Page | None]]:
    """Captures with the pages they are; None, and a line that says why, for one that cannot be read."""
    from threadmill.page.clean_pages import CleanFailure, clean_pages

    for outcome in clean_pages(sources, settings, hook=hook):
        capture = outcome.source.origin
        if not isinstance(outcome, CleanFailure):
            yield capture, outcome.page
        elif isinstance(outcome.error, HookError):  # the user's own fault, who wants to see it
            raise outcome.error
        else:
            why = f"{type(outcome.error).__name__}: {outcome.error}"
            print(f"{capture.url or capture.source} could not be cleaned: {why}", file=sys.stderr)
            yield capture, None


def _html(
    capture: Capture,
    url: str,
    template: Template | None,
    settings: CleanSettings,
    hook: Hook | None,
    *,
    marked: bool,
) -> bytes:
    from threadmill.template import clean_html

    return clean_html(
        capture.payload,
        url,
        settings,
        marked=marked,
        content_type=capture.header("content-type") or "",
        hook=hook,
        template=template,
    )


def _write_bytes(target: TextIO, html: bytes) -> None:
    """Write a page as it is, whatever its encoding, through the text stream that everything else goes to."""
    target.flush()
    target.buffer.write(html)
    target.buffer.flush()


def _shape(name: str) -> Callable[[Page, Capture], str]:
    """How a page is written as text."""
    from threadmill.page.render import to_markdown, to_record

    if name == "jsonl":
        return lambda page, _: json.dumps(to_record(page), ensure_ascii=False) + "\n"
    if name == "markdown":
        return lambda page, _: to_markdown(page) + "\n\n"
    return lambda page, _: page.text + "\n"


def _comparison(other: str, target: TextIO) -> Callable[[Page, Capture], str]:
    from threadmill.page.comparison import compare, comparison_head, extractor
    from threadmill.page.parse.tree import parse

    extract = extractor(other)
    target.write(comparison_head("threadmill", other))

    def shape(page: Page, capture: Capture) -> str:
        # the peers read text, and some refuse what our parser mends, so they are given the mended page
        html = parse(capture.payload, "", capture.header("content-type") or "").document.html
        try:
            theirs = extract(html)
        except Exception as error:  # whatever a peer raises is its result
            theirs = f"({other} failed: {error})"
        return compare(page.url or capture.source, page.text, theirs)

    return shape


def _settings(arguments: argparse.Namespace) -> CleanSettings:
    from threadmill.page.judge.clean_settings import CleanSettings, Favour, Method
    from threadmill.page.judge.justext import Thresholds

    return CleanSettings(
        method=Method(arguments.method),
        favour=Favour(arguments.favour),
        stop_words=arguments.stop_words,
        thresholds=Thresholds(
            arguments.length_low,
            arguments.length_high,
            arguments.stop_words_low,
            arguments.stop_words_high,
            arguments.max_link_density,
            arguments.max_heading_distance,
            not arguments.no_headings,
        ),
        languages=arguments.languages or bool(arguments.language),
    )


def _hook(path: str | None) -> Hook | None:
    """The function that MODULE:FUNCTION or FILE.py:FUNCTION names."""
    if path is None:
        return None
    place, _, name = path.rpartition(":")
    if not place or not name:
        raise UsageError(f"a hook is MODULE:FUNCTION or FILE.py:FUNCTION, not {path!r}")
    try:
        found = getattr(_module(place), name)
    except (ImportError, AttributeError, OSError, SyntaxError) as error:
        raise UsageError(f"the hook {path!r} cannot be loaded: {error}") from error
    if not callable(found):
        raise UsageError(f"the hook {path!r} is no function")
    return cast("Hook", found)


def _module(place: str) -> Any:
    if not place.endswith(".py"):
        return importlib.import_module(place)
    specification = importlib.util.spec_from_file_location("threadmill_user_hook", place)
    if specification is None or specification.loader is None:
        raise UsageError(f"{place} is no Python file")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
