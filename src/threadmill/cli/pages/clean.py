"""`threadmill clean`: write the main text of pages, all their judged paragraphs, or a comparison."""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from threadmill.cli.arguments import add_workers
from threadmill.cli.pages.site_pages import SiteTemplates, is_workspace, read_templates
from threadmill.cli.terminal import show_count, show_parts
from threadmill.errors import HookError, NothingFoundError, UsageError

if TYPE_CHECKING:
    from threadmill.archive import ReadTally
    from threadmill.archive.remote_files import AnyFile
    from threadmill.page.clean import PageInput
    from threadmill.page.judge.clean_settings import CleanSettings
    from threadmill.page.judge.user_hooks import Hook
    from threadmill.parallel.workers import WorkPlace
    from threadmill.template import Template
    from threadmill.types import Capture, Page

EXAMPLES = """\
  threadmill clean page.html                             the main text of a saved page
  curl -s https://example.org/ | threadmill clean        … of standard input
  threadmill clean crawl.warc.gz --format jsonl          every paragraph with class, reason, links
  threadmill clean pages/ -o pages.md                     Markdown; the ending tells the format
  threadmill clean page.html --format html-marked        the page itself, with boilerplate in colour
  threadmill clean page.html --format tei --no-images    headings, lists and tables as TEI-XML
  threadmill clean page.html --recall                    keep too much rather than too little
  threadmill clean page.html --method justext --stop-words cs
  threadmill clean page.html --hook threadmill.page.judge.user_hooks:keep_wikipedia_links
  threadmill clean work/                                 the pages of a workspace, with its templates
  threadmill clean page.html --template site.template    … with a template from a file
  threadmill clean page.html --compare trafilatura > comparison.html"""

_FORMATS = ("text", "markdown", "html", "xml", "tei", "csv", "jsonl", "html-removed", "html-marked")
_ENDINGS = {
    ".txt": "text", ".md": "markdown", ".html": "html", ".xml": "xml", ".tei": "tei", ".csv": "csv",
    ".jsonl": "jsonl", ".json": "jsonl",
}  # fmt: skip
# Files that hold texts already, and what reads them.
_OTHER_READERS = {
    ".jsonl": 'JSON lines: threadmill vert reads their field "text"',
    ".parquet": 'a Parquet file: threadmill vert reads its field "text"',
    ".vert": "a corpus: threadmill vert convert, check and dedup read it",
}
_WITHOUT_STRUCTURE = ("text", "markdown", "csv", "jsonl")  # these can be written of changed paragraphs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "inputs",
        nargs="*",
        default=["-"],
        metavar="INPUT",
        help="HTML or WARC file, Wikipedia extract, directory, workspace, or - for standard input",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write here instead of to standard output")
    add_workers(parser, 1)
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        help="default: by the ending of -o (.txt, .md, .html, .xml, .csv, .jsonl), or text",
    )
    parser.add_argument("--json", action="store_true", help="the same as --format jsonl")
    parser.add_argument("--url", default="", metavar="URL", help="the URL of the page")
    parser.add_argument(
        "--method",
        choices=("default", "justext", "everything"),
        default="default",
        help="judge paragraphs by a trained model (default), by the rules of jusText, or keep all of them",
    )
    favour = parser.add_mutually_exclusive_group()
    favour.add_argument(
        "--favour",
        choices=("balance", "precision", "recall"),
        default="balance",
        help="precision: rather lose text than keep boilerplate; recall: the opposite (default: balance)",
    )
    for name in ("precision", "recall"):
        favour.add_argument(
            f"--{name}", dest="favour", action="store_const", const=name, help=f"the same as --favour {name}"
        )
    parser.add_argument("--no-tables", dest="tables", action="store_false", help="leave tables out")
    parser.add_argument("--no-images", dest="images", action="store_false", help="leave images out")
    parser.add_argument("--no-links", dest="links", action="store_false", help="leave out where links lead")
    parser.add_argument(
        "--dedup",
        action="store_true",
        help="leave out paragraphs of 50 characters or more that this run wrote before",
    )
    parser.add_argument(
        "--comments",
        choices=("auto", "keep", "apart", "drop"),
        default="auto",
        help="comments of readers: kept as content, apart (a field of --format jsonl), or dropped; "
        "auto (default): apart, but kept where the page is a discussion",
    )
    parser.add_argument(
        "--language", action="append", metavar="CODE", help="only pages in this language; may be repeated"
    )
    parser.add_argument(
        "--no-language-detection", dest="languages", action="store_false", help="do not detect languages"
    )
    parser.add_argument(
        "--hook",
        metavar="MODULE:FUNCTION",
        help="a function of yours: (text, class, html) -> (class, text); also FILE.py:FUNCTION",
    )
    parser.add_argument(
        "--template",
        default="auto",
        metavar="FILE",
        help="framing of the site: a file of `threadmill template learn --save`; none; or auto (default): "
        "the template of the workspace, else one learnt from the input if it has ten pages",
    )
    parser.add_argument("--workspace", type=Path, metavar="DIR", help="use the templates of this workspace")
    parser.add_argument(
        "--compare", metavar="OTHER", help="compare with justext, trafilatura or resiliparse, as an HTML page"
    )
    rules = parser.add_argument_group("thresholds of jusText", "with --method justext")
    rules.add_argument("--stop-words", default="auto", metavar="CODE", help="language, auto or none")
    for name, default, text in (
        ("length-low", 70, "paragraphs with fewer characters are short"),
        ("length-high", 200, "only paragraphs with more characters are good by themselves"),
        ("stop-words-low", 0.30, "share of stop words from which a paragraph is near-good"),
        ("stop-words-high", 0.32, "share of stop words from which a paragraph may be good"),
        ("max-link-density", 0.2, "a paragraph with a larger share of characters in links is bad"),
        ("max-heading-distance", 200, "most characters between a heading and its good text"),
    ):
        rules.add_argument(
            f"--{name}",
            type=type(default),
            default=default,
            metavar="N" if isinstance(default, int) else "X",
            help=f"{text} ({default})",
        )
    rules.add_argument("--no-headings", action="store_true", help="judge short headings like other text")


def run(arguments: argparse.Namespace) -> int:
    """Clean every page of every input. A page that cannot be read is counted."""
    from threadmill.archive import ReadTally
    from threadmill.archive.remote_files import as_file
    from threadmill.page.render import extractor
    from threadmill.parallel.parts import PartMaker, write_parts
    from threadmill.parallel.workers import WorkPlace

    if arguments.json and arguments.format not in {None, "jsonl"}:
        raise UsageError(f"--json and --format {arguments.format} contradict each other; leave one out")
    arguments.format = "jsonl" if arguments.json else arguments.format or _format_of(arguments.output)
    if arguments.compare:
        extractor(arguments.compare)  # one that is not installed is told before anything is written
    if arguments.dedup and arguments.format not in _WITHOUT_STRUCTURE:
        raise UsageError(f"--dedup writes {', '.join(_WITHOUT_STRUCTURE)}, not {arguments.format}")
    place = WorkPlace(arguments.on, arguments.processes)
    files = _files(arguments, place)
    templates = read_templates(arguments, lambda: _captures(arguments.inputs, ReadTally()))
    _hook(arguments.hook)  # one that cannot be loaded fails here, not in every process
    maker = PartMaker(clean_files, (arguments, templates), _job(arguments))
    output = as_file(arguments.output) if arguments.output is not None else None
    tally, counts = ReadTally(), Counter[str]()
    head, tail = _head(arguments).encode(), _tail(arguments)
    # Repeated paragraphs are found by whoever reads all pages.
    together = arguments.dedup
    parts = write_parts(maker, files, output, place, head=head, tail=tail, together=together)
    # One process alone counts pages.
    for outcome in parts if place.is_here() else show_parts(parts, files):
        for part in outcome.parts:
            counts.update(part.counts["outcomes"])
            tally.skipped.update(part.counts["skipped"])
            tally.damaged += part.counts["damaged"]
        counts[_FAILED] += len(outcome.failures)
    return _say(counts, tally)


def _format_of(output: str | None) -> str:
    """The format that the name of the output tells."""
    ending = Path(output or "").suffix.lower()
    if ending == ".parquet":
        raise UsageError(
            f"pages are not written as Parquet; write JSON lines (-o pages.jsonl) instead of {output}, "
            "and let pandas or DuckDB make Parquet of them"
        )
    return _ENDINGS.get(ending, "text")


def _files(arguments: argparse.Namespace, place: WorkPlace) -> list[AnyFile]:
    """The inputs. For many processes, directories are replaced by their files."""
    from threadmill.archive.remote_files import as_file
    from threadmill.corpus.build.corpus_inputs import expand_inputs

    found = [as_file(source) for source in arguments.inputs]
    for source in found:
        if str(source) != "-" and not source.exists():
            raise NothingFoundError(
                f"no file or directory {str(source)!r}; name HTML or WARC files, a directory, or -"
            )
        other = next((what for end, what in _OTHER_READERS.items() if end in Path(source.name).suffixes), "")
        if other and not source.is_dir():
            raise UsageError(f"expected web pages, but {source} is {other}")
    return found if place.is_here() else expand_inputs(found)


def _job(arguments: argparse.Namespace) -> str:
    """Names everything that the output depends on, except the inputs."""
    said = {**vars(arguments), "inputs": (), "on": "", "processes": 0}
    return hashlib.sha256(repr(sorted(said.items(), key=str)).encode()).hexdigest()


def clean_files(
    options: tuple[argparse.Namespace, SiteTemplates],
    files: Sequence[AnyFile],
    write: Callable[[bytes], object],
) -> dict[str, Any]:
    """Clean the pages of some files, and write them. Returns what became of the pages."""
    from threadmill.archive import ReadTally
    from threadmill.parallel.workers import WorkPlace

    arguments, templates = options
    tally = ReadTally()
    done = _write(arguments, write, _captures(map(str, files), tally), templates)
    # One process alone shows how far it is. Texts that are printed on a terminal are progress enough.
    alone = WorkPlace(arguments.on, arguments.processes).is_here()
    quiet = not alone or (arguments.output is None and sys.stdout.isatty())
    outcomes = Counter(show_count(done, "pages", quiet=quiet))
    pages = outcomes.total()
    return {"outcomes": outcomes, "pages": pages, "skipped": tally.skipped, "damaged": tally.damaged}


def _say(counts: Counter[str], tally: ReadTally) -> int:
    """Report what became of the pages. The exit code is 1 when none was cleaned."""
    if not counts.total() and (other := next((one for one in tally.skipped if one.startswith(_NO_PAGE)), "")):
        thing = other.removeprefix(_NO_PAGE).strip()
        raise UsageError(f"expected web pages, but this is {thing}; name HTML or WARC files")
    if counts.total() != 1 or tally.damaged:
        said = ", ".join(f"{counts[outcome]} {outcome}" for outcome in _OUTCOMES)
        print(f"{said}, {tally.damaged} records damaged", file=sys.stderr)
        if not counts.total() and not tally.damaged and not tally.skipped:
            print("  the input holds no page", file=sys.stderr)
        for reason, count in tally.skipped.most_common():
            if not reason.endswith(" record"):  # records of requests and the like are no pages
                print(f"  left out: {count:,} × {reason}", file=sys.stderr)
    return 0 if counts[_CLEANED] or counts[_LEFT_OUT] else 1


_CLEANED, _LEFT_OUT, _FAILED = _OUTCOMES = ("pages cleaned", "left out by language", "could not be cleaned")


_NO_PAGE = "no page:"


def _captures(inputs: Iterable[str], tally: ReadTally) -> Iterator[Capture]:
    from threadmill.archive.read_tally import RecordPlace
    from threadmill.page.obstacles import name_of_binary

    for source in inputs:
        for capture in _read(source, tally):
            place = RecordPlace(capture.source, 0)
            if capture.status != 200:  # a message of the server or a redirect, not a page of the site
                tally.skip(place, f"status {capture.status}")
            # What is not text, whatever its name or type says.
            elif thing := name_of_binary(capture.payload):
                tally.skip(place, f"{_NO_PAGE} {thing}")
            elif capture.content_type in {"text/html", "application/xhtml+xml", ""}:
                yield capture


def _read(source: str, tally: ReadTally) -> Iterator[Capture]:
    from threadmill.archive import read_captures, read_inputs

    if source == "-" or not is_workspace(Path(source)):
        yield from read_inputs(source, tally)
        return
    yield from read_captures(Path(source) / "archive", tally=tally, follow_revisits=True)


def _write(
    arguments: argparse.Namespace,
    write: Callable[[bytes], object],
    captures: Iterator[Capture],
    templates: SiteTemplates,
) -> Iterator[str]:
    """Clean the captures and write them. Yields what became of each."""
    from threadmill.page.render import RepeatedParagraphs

    settings, hook = _settings(arguments), _hook(arguments.hook)
    wanted = frozenset(arguments.language or ())
    as_html = arguments.format.startswith("html-") and not arguments.compare
    shape = _comparison(arguments.compare) if arguments.compare else _shape(arguments)
    repeats = RepeatedParagraphs() if arguments.dedup else None

    def write_html(capture: Capture) -> None:
        url, marked = arguments.url or capture.url, arguments.format == "html-marked"
        write(_html(capture, url, templates.of(capture), settings, hook, marked=marked))

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
                shown = page if repeats is None else repeats.left_out(page)
                write(shape(shown, capture).encode("utf-8", "replace"))
            yield _CLEANED


def _source(capture: Capture, url: str, template: Template | None) -> PageInput:
    from threadmill.page.clean import PageInput
    from threadmill.template import framing_of

    kind = capture.header("content-type") or ""
    framing = framing_of(template) if template is not None else None
    return PageInput(capture.payload, url, kind, framing, capture)


def _clean(
    sources: Iterator[PageInput], settings: CleanSettings, hook: Hook | None
) -> Iterator[tuple[Capture, Page | None]]:
    """Captures with their pages. A page that cannot be read is None, and a line says why."""
    from threadmill.page.clean import CleanFailure, clean_pages

    for outcome in clean_pages(sources, settings, hook=hook):
        capture = outcome.source.origin
        if not isinstance(outcome, CleanFailure):
            yield capture, outcome.page
        elif isinstance(outcome.error, HookError):  # a fault of the user's own function: it must be seen
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


def _head(arguments: argparse.Namespace) -> str:
    """What stands before the first page."""
    from threadmill.page.render import CSV_HEAD, comparison_head, csv_line

    if arguments.compare:
        return comparison_head("threadmill", arguments.compare)
    return csv_line(CSV_HEAD) + "\n" if arguments.format == "csv" else ""


def _tail(arguments: argparse.Namespace) -> bytes:
    return b"</body></html>\n" if arguments.compare else b""


def _shape(arguments: argparse.Namespace) -> Callable[[Page, Capture], str]:
    """The function that turns a page into text."""
    from threadmill.page.render import render
    from threadmill.page.structure import StructureOptions
    from threadmill.page.structured_formats import WRITERS

    name = "json" if arguments.format == "jsonl" else arguments.format
    options = StructureOptions(arguments.tables, arguments.images, arguments.links)
    end = "\n\n" if name in WRITERS else "\n"
    return lambda page, _: render(page, name, options) + end


def _comparison(other: str) -> Callable[[Page, Capture], str]:
    from threadmill.page.parse.tree import parse
    from threadmill.page.render import compare, extractor

    extract = extractor(other)

    def shape(page: Page, capture: Capture) -> str:
        # the others read text, and some refuse broken HTML, so they get the page as our parser repaired it
        html = parse(capture.payload, "", capture.header("content-type") or "").document.html
        try:
            theirs = extract(html)
        except Exception as error:  # whatever the other raises is its result
            theirs = f"({other} failed: {error})"
        return compare(page.url or capture.source, page.text, theirs)

    return shape


def _settings(arguments: argparse.Namespace) -> CleanSettings:
    from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings, Comments, Favour
    from threadmill.page.judge.justext import JusTextThresholds

    return CleanSettings(
        method=CleanMethod(arguments.method),
        favour=Favour(arguments.favour),
        comments=Comments(arguments.comments),
        stop_words=arguments.stop_words,
        thresholds=JusTextThresholds(
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
    """Load the function that MODULE:FUNCTION or FILE.py:FUNCTION names."""
    if path is None:
        return None
    place, _, name = path.rpartition(":")
    if not place or not name:
        raise UsageError(f"a hook is MODULE:FUNCTION or FILE.py:FUNCTION, not {path!r}")
    try:
        found = getattr(_module(place), name)
    except AttributeError:
        raise UsageError(f"the hook {path!r} cannot be loaded: {place} has no function {name!r}") from None
    except FileNotFoundError:
        raise UsageError(f"the hook {path!r} cannot be loaded: there is no file {place}") from None
    except (ImportError, OSError, SyntaxError) as error:
        raise UsageError(f"the hook {path!r} cannot be loaded: {error}") from error
    if not callable(found):
        raise UsageError(f"the hook {path!r} is not a function")
    return cast("Hook", found)


def _module(place: str) -> Any:
    if not place.endswith(".py"):
        return importlib.import_module(place)
    specification = importlib.util.spec_from_file_location("threadmill_user_hook", place)
    if specification is None or specification.loader is None:
        raise UsageError(f"{place} is not a Python file")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
