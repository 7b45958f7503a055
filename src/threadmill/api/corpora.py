"""Corpora: build one from archives and pages, make texts searchable, search them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from threadmill.archive.remote_files import AnyFile, RemoteFile, as_file, as_files, file_version
from threadmill.corpus.build.corpus_file import BuildProgress, CorpusJob
from threadmill.corpus.build.corpus_inputs import columns_of, open_unpacked
from threadmill.corpus.build.corpus_options import FORMATS, CorpusOptions
from threadmill.corpus.build.pipeline import run_job
from threadmill.corpus.near_duplicates.dedup import DedupRules
from threadmill.corpus.search.entries import SearchEntry
from threadmill.corpus.search.index import SearchIndex, SearchResult
from threadmill.corpus.search.query import SearchQuery, parse_question
from threadmill.corpus.search.sources import entries_of_lines, files_of, read_entries, write_entries
from threadmill.corpus.text.clitics import LANGUAGES as CLITIC_LANGUAGES
from threadmill.corpus.text.tags import tag_languages
from threadmill.corpus.vertical import Inventory
from threadmill.corpus.vertical.corpus_managers import (
    CorpusDescription,
    CorpusManager,
    convert_corpus,
    corpus_manager,
    prepare_corpus,
)
from threadmill.errors import ArchiveError, StoreError, UsageError, WorkspaceError
from threadmill.page.judge.clean_settings import CleanMethod, Favour
from threadmill.page.language import detected_languages
from threadmill.parallel.parts import PartMaker, drop_folder, parts_folder, read_part, run_in_parts
from threadmill.parallel.workers import LOCAL, WorkPlace, open_workers

AnyPath = str | os.PathLike[str]
_PACKED = (".gz", ".xz", ".bz2", ".zst")
_LANGUAGE = re.compile("[a-z]{2,3}")  # ISO 639
_FORMAT_OF_ENDING = {".conllu": "conllu", ".conll": "conllu", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_REPORT_EVERY = 500  # entries of an index


def build_corpus(
    inputs: AnyPath | Iterable[AnyPath],
    output: AnyPath,
    *,
    format: Literal["", "vertical", "conllu", "jsonl"] = "",  # noqa: A002 -- the name of the option
    dialect: Literal["sketch", "cwb", "knot"] = "sketch",
    manager: str = "",
    maintainer: str = "",
    languages: Sequence[str] = (),
    detect_languages: bool = True,
    lemmas: bool = False,
    tags: bool = False,
    clitics: bool = False,
    metadata: bool = False,
    posts: bool = False,
    method: Literal["default", "justext", "everything"] = "default",
    favour: Literal["balance", "precision", "recall"] = "balance",
    hook: str = "",
    wiki: bool = False,
    field: str = "text",
    base: str = "",
    dedup: Literal["off", "remove", "mark"] = "off",
    processes: int = 1,
    on: str = LOCAL,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> BuildProgress:
    """Turn WARC, WET, HTML, JSON-lines and Parquet files, or workspaces, into one corpus file.

    The result counts pages, documents and positions, and gives a reason for every page that was left out.
    `format` is vertical, conllu or jsonl; without it, the ending of `output` says it, or else vertical.
    `dialect` is of vertical: for Sketch Engine, CWB or KNOT. `manager` is the program that the corpus is for:
    nosketch, kontext, cwb, cqpweb, blacklab or antconc; it sets the dialect, and beside the corpus stand the
    configuration, a script that loads it and a page that explains it. `maintainer` is a mail address for the
    configuration. `languages` are codes such as "en"; pages in
    other languages are left out. `lemmas` and `tags` add a column for the lemma and one for the part of
    speech. `clitics` makes the conjunctions, prepositions and articles that Arabic and Hebrew write together
    with the next word positions of their own. `metadata` adds date, author, site and licence. `posts` writes
    pages of forum threads as posts.
    `method`, `favour` and `hook` judge paragraphs as in `clean`; a hook is named "module:function" or
    "file.py:function". `wiki` reads Wikipedia extracts. `field` is the field of
    JSON lines and Parquet that holds the text. `base` is the URL of the directory of HTML files, by which
    they get URLs and their relative links become absolute. `dedup` removes or marks near-duplicates.
    `processes` is the number of worker processes; 0 means one per core. `on` is "local", "ray" or
    "ray://host:port": the workers are processes of this machine, or of a Ray cluster. Inputs and output may
    be URLs such as s3://….
    After an interruption, the same call continues the corpus.

    >>> import threadmill
    >>> from pathlib import Path
    >>> html = "<html lang=en><h1>Tides</h1><p>" + "The tide was late at the pier today. " * 9
    >>> _ = Path("tides.html").write_text(html)
    >>> corpus = threadmill.build_corpus(["tides.html"], "corpus.vert")
    >>> corpus.inventory.documents
    1
    >>> Path("corpus.vert").read_text().splitlines()[1:5]
    ['<head>', '<s>', 'Tides', '</s>']
    """
    if processes < 0:
        raise UsageError(f"the number of processes is 0 (one per core) or more, not {processes}")
    if str(output).endswith(_PACKED):
        raise UsageError(
            "a corpus is written uncompressed, so that an interrupted run can continue; "
            f"leave the ending off {output} and compress the file afterwards"
        )
    chosen = _format_of(output, format)
    program = corpus_manager(manager) if manager else None
    if program is not None:
        _check_manager(program, output, chosen, dialect)
    if dedup != "off" and chosen != "vertical":
        raise UsageError("dedup needs vertical output; for JSON lines run: threadmill dedup FILE -o DIR")
    if lemmas or tags:
        from threadmill.corpus.text.lemmas import lemma_languages

        lemma_languages()  # a missing package is reported before the work begins
    if tags and languages and not tag_languages().intersection(languages):
        known = ", ".join(sorted(tag_languages()))
        raise UsageError(f"there are no tags for {', '.join(languages)}; there are for {known}")
    if clitics and languages and not CLITIC_LANGUAGES.intersection(languages):
        raise UsageError(
            f"clitics are split in {', '.join(sorted(CLITIC_LANGUAGES))}, not in {', '.join(languages)}; "
            "leave them out"
        )
    options = CorpusOptions(
        dialect=program.dialect if program else dialect,
        format=chosen,
        languages=_check_languages(languages, detect=detect_languages and not (wiki and len(languages) == 1)),
        detect=detect_languages,
        lemma=lemmas,
        tags=tags,
        clitics=clitics,
        metadata=metadata,
        posts=posts,
        method=CleanMethod(method),
        favour=Favour(favour),
        hook=hook,
        field=field,
        base=_check_base(base),
        lempos=lemmas and tags and program is not None and program.lempos,
    )
    rules = None if dedup == "off" else DedupRules(mark=dedup == "mark")
    paths = tuple(as_files(inputs))
    number = processes or (os.cpu_count() or 1 if on == LOCAL else 0)
    job = CorpusJob(paths, as_file(output), options, wiki, number, rules, on)
    progress = run_job(job, on_progress or _ignore)
    if program is not None:
        language = languages[0] if len(languages) == 1 else ""
        corpus = CorpusDescription(Path(output), progress.inventory, options.columns, language, maintainer)
        prepare_corpus(corpus, program)
    return progress


def _check_base(base: str) -> str:
    """The URL of a directory; without a slash at its end its last part would be lost."""
    if base and not base.startswith(("http://", "https://")):
        raise UsageError(f"expected a URL such as https://example.org/ as base, but got {base!r}")
    return base if not base or base.endswith("/") else f"{base}/"


def _format_of(output: AnyPath, wanted: str) -> str:
    """The format that is wanted, or that the ending of the output says."""
    if wanted and wanted not in FORMATS:
        raise UsageError(
            f"a corpus is written as {', '.join(FORMATS)}, not as {wanted!r}; choose one of them"
        )
    ending = Path(output).suffix.lower()
    if ending == ".parquet":
        raise UsageError(
            f"a corpus is not written as Parquet; write JSON lines (-o corpus.jsonl) instead of {output}, "
            "and let pandas or DuckDB make Parquet of them"
        )
    return wanted or _FORMAT_OF_ENDING.get(ending, "vertical")


def _check_manager(program: CorpusManager, output: AnyPath, wanted_format: str, dialect: str) -> None:
    """Refuse options that contradict the corpus manager."""
    if str(output) == "-" or isinstance(as_file(output), RemoteFile):
        raise UsageError(f"a corpus for {program.title} has files beside it; name a file: -o corpus.vert")
    if wanted_format != "vertical":
        raise UsageError(f"{program.title} reads vertical text, not {wanted_format}; leave the format out")
    if dialect not in {"sketch", program.dialect}:
        raise UsageError(f"{program.title} needs the dialect {program.dialect}, not {dialect}")


def convert_vertical(
    vertical: AnyPath,
    output: AnyPath,
    *,
    source: Literal["sketch", "cwb", "knot"] = "sketch",
    dialect: Literal["sketch", "cwb", "knot"] = "sketch",
    manager: str = "",
    maintainer: str = "",
    columns: Sequence[str] = (),
) -> Inventory:
    """Write a vertical corpus in another dialect, or for a corpus manager as `build_corpus` does.

    `source` is the dialect of the file. `columns` are the names of its columns; without them, the registry
    beside it names them, or they are word, lemma and tag as far as there are any. The result counts documents
    and positions.

    >>> import threadmill
    >>> from pathlib import Path
    >>> _ = Path("tiny.vert").write_text("<doc>\\n<p>\\n<s>\\nAT&T\\n</s>\\n</p>\\n</doc>\\n")
    >>> threadmill.convert_vertical("tiny.vert", "cwb.vert", manager="cwb").documents
    1
    >>> Path("cwb.vert").read_text().split()[3]
    'AT&amp;T'
    """
    path, place = Path(vertical), Path(output)
    if _format_of(output, "") != "vertical":
        raise UsageError(
            f"only vertical is converted, into vertical, not into {place.suffix}; "
            f"to write {output}, run threadmill vert on the pages or the workspace"
        )
    program = corpus_manager(manager) if manager else None
    if program is not None:
        _check_manager(program, output, "vertical", dialect)
    if place.exists() and path.exists() and place.samefile(path):
        raise UsageError(f"{output} is the input and would be overwritten; give another output")
    names = tuple(columns) or columns_of(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    target = program.dialect if program else dialect
    with open_unpacked(path) as (octets, _):
        lines = (line.decode("utf-8", "replace") for line in octets)
        joined = ("lempos",) if program and program.lempos and {"lemma", "tag"} <= {*names} else ()
        written = tuple(dict.fromkeys((*names, *joined)))
        inventory = convert_corpus(lines, place, (source, target), names, written)
    if program is not None:
        prepare_corpus(CorpusDescription(place, inventory, written, "", maintainer), program)
    return inventory


def _ignore(_: object) -> None:
    """Report progress to nobody."""


def _check_languages(codes: Sequence[str], *, detect: bool) -> tuple[str, ...]:
    """Refuse what is no language code, and languages that no page would ever be recognised as."""
    wrong = [code for code in codes if not _LANGUAGE.fullmatch(code)]
    if wrong:
        raise UsageError(f"expected language codes such as en or cs, not {', '.join(map(repr, wrong))}")
    unknown = sorted({*codes} - detected_languages()) if codes and detect else []
    if unknown:
        raise UsageError(
            f"no page is ever recognised as {', '.join(map(repr, unknown))}, so the corpus would be empty; "
            f"{len(detected_languages())} languages are, by their ISO 639 codes: de is German, zh is Chinese"
        )
    return tuple(codes)


@dataclass(slots=True)
class IndexProgress:
    """Counts of one indexing run."""

    inputs: int = 0
    done: int = 0
    unchanged: int = 0  # inputs that the index already holds as they are
    entries: int = 0  # paragraphs and posts that were added
    characters: int = 0
    total: int = 0  # entries of the whole index at the end
    reasons: Counter[str] = field(default_factory=Counter)  # of what was left out


def build_index(
    inputs: AnyPath | Iterable[AnyPath],
    index: AnyPath = "threadmill-index",
    *,
    posts: bool = True,
    processes: int = 1,
    on: str = LOCAL,
    on_progress: Callable[[IndexProgress], None] | None = None,
) -> IndexProgress:
    """Make the paragraphs and posts of corpora, archives, pages and workspaces searchable.

    Inputs are vertical or JSON-lines files, WARC or HTML files, directories of them, or workspaces. An input
    that has not changed since the last call is skipped; a changed one replaces its old entries. An input that
    cannot be read is counted, and the others follow. With posts=False, thread pages are indexed by paragraph.
    `processes` and `on` are as for `build_corpus`: workers read the inputs, this process keeps the index.

    >>> import threadmill
    >>> from pathlib import Path
    >>> _ = Path("posts.jsonl").write_text('{"text": "The lighthouse keeper slept.", "author": "anna"}\\n')
    >>> threadmill.build_index(["posts.jsonl"], "my-index").entries
    1
    >>> threadmill.build_index(["posts.jsonl"], "my-index").unchanged
    1
    """
    files = files_of(as_files(inputs))
    progress = IndexProgress(inputs=len(files))
    run = _IndexRun(SearchIndex(Path(index), create=True), progress, on_progress or _ignore)
    place = WorkPlace(on, processes)
    if place.is_here() and not any(isinstance(file, RemoteFile) for file in files):
        return run.add_all(files, posts=posts)
    return run.add_parts(files, PartMaker(write_entries, posts, "index", parts_folder(Path(index))), place)


class _IndexRun:
    """Adds inputs to an index and counts what it does."""

    def __init__(
        self, index: SearchIndex, progress: IndexProgress, report: Callable[[IndexProgress], None]
    ) -> None:
        self._index = index
        self._progress = progress
        self._report = report

    def add_all(self, files: Sequence[AnyFile], *, posts: bool) -> IndexProgress:
        try:
            for file in files:
                self._add(file, posts=posts)
        finally:
            self._index.close()
        self._progress.total = len(self._index)
        return self._progress

    def add_parts(self, files: Sequence[AnyFile], maker: PartMaker, place: WorkPlace) -> IndexProgress:
        """Let workers read the inputs, one at a time, and add what they found in the order of the inputs."""
        once = dict.fromkeys(files)
        self._progress.unchanged = self._progress.done = len(files) - len(once)
        todo = [file for file in once if not self._is_unchanged(file)]
        try:
            with open_workers(place.on, place.processes) as workers:
                for outcome in run_in_parts(workers, maker, ((file,) for file in todo)):
                    [file] = outcome.files
                    for part in outcome.parts:
                        entries = entries_of_lines(read_part(maker.folder, part))
                        self._index.add(_name_of(file), file_version(file), entries, self._count)
                        self._progress.reasons.update(part.counts["reasons"])
                    for _, why in outcome.failures:
                        self._progress.reasons[f"unreadable input ({why.partition(':')[0]})"] += 1
                    self._progress.done += 1
        finally:
            self._index.close()
        drop_folder(maker.folder)
        self._progress.total = len(self._index)
        return self._progress

    def _is_unchanged(self, file: AnyFile) -> bool:
        unchanged = self._index.is_done(_name_of(file), file_version(file))
        self._progress.unchanged += unchanged
        self._progress.done += unchanged
        return unchanged

    def _add(self, file: AnyFile, *, posts: bool) -> None:
        try:
            if self._is_unchanged(file):
                return
            entries = read_entries(file, self._progress.reasons, posts=posts)
            self._index.add(_name_of(file), file_version(file), entries, self._count)
        except (ArchiveError, StoreError, WorkspaceError, OSError, EOFError) as error:
            self._progress.reasons[f"unreadable input ({type(error).__name__})"] += 1
        self._progress.done += 1

    def _count(self, entry: SearchEntry) -> None:
        self._progress.entries += 1
        self._progress.characters += len(entry.text)
        if self._progress.entries % _REPORT_EVERY == 0:
            self._report(self._progress)


def _name_of(file: AnyFile) -> str:
    return str(file.resolve()) if isinstance(file, Path) else file.url


def search(
    question: str,
    index: AnyPath = "threadmill-index",
    *,
    site: str = "",
    author: str = "",
    language: str = "",
    since: str = "",
    until: str = "",
    order: Literal["relevance", "corpus", "newest", "oldest"] = "relevance",
    limit: int = 20,
) -> SearchResult:
    """Find words and phrases in an index that `build_index` made.

    A question holds words (all must be there), "a phrase", begin*, -without, a OR b, and fields such as
    author:anna or date:2024-05..2024-07. The options are the same fields. `since` and `until` are a year, a
    month or a day. The answer has at most `limit` hits, and the count of all.

    >>> import threadmill
    >>> from pathlib import Path
    >>> _ = Path("posts.jsonl").write_text('{"text": "The lighthouse keeper slept.", "author": "anna"}\\n')
    >>> _ = threadmill.build_index(["posts.jsonl"], "my-index")
    >>> answer = threadmill.search('"lighthouse keeper" -lamp', "my-index", author="anna")
    >>> answer.count
    1
    >>> answer.hits[0].entry.text
    'The lighthouse keeper slept.'
    """
    wanted = parse_question(question, site=site, author=author, language=language, since=since, until=until)
    return ask(wanted, index, order=order, limit=limit)


def ask(question: SearchQuery, index: AnyPath, *, order: str, limit: int) -> SearchResult:
    """The answer of an index to a parsed question."""
    if limit < 1:
        raise UsageError(f"the limit is a number of hits, 1 or more, not {limit}")
    return SearchIndex(Path(index)).search(question, limit, order=order)
