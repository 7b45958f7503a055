"""Reads what a corpus is made from: archives, HTML, wiki extracts, records of datasets, workspaces."""

from __future__ import annotations

import gzip
import html
import json
import lzma
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import quote, urljoin

from threadmill.archive.header_values import read_iso_date
from threadmill.archive.inputs import HTML_SUFFIXES, TITLE_HEADER, read_extract, read_inputs
from threadmill.archive.read_tally import ReadTally, RecordPlace
from threadmill.archive.remote_files import AnyFile, RemoteFile, files_under
from threadmill.archive.warc_reader import STDIN, WARC_SUFFIXES, read_captures
from threadmill.corpus.build.stored_threads import CorpusThread, is_workspace, read_workspace
from threadmill.errors import ArchiveError, MissingDependencyError, NothingFoundError
from threadmill.types import Capture

WIKI_TYPE = "text/x-wiki-extract"
RECORD_TYPE = "text/x-record"  # a text with its title and author in headers
AUTHOR_HEADER = "X-Threadmill-Author"
_JSON_LINES = (".jsonl", ".ndjson")
_PACKED = (".gz", ".xz")
_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_LINE = 1 << 26  # characters of a line; a longer one is no record
# Names of the fields of a record, as data pipelines use them.
_URL_FIELDS = ("url", "source_url", "link")
_DATE_FIELDS = ("date", "timestamp", "published", "created")
_COLUMNS = ("word", "lemma", "tag", "lempos")  # in the order in which a corpus has them
_DECLARED = re.compile(r"^ATTRIBUTE (\w+)$", re.MULTILINE)
_BLOCK = re.compile(rb"<(?:p|h[1-6]|li|ul|ol|table|div|td)\b", re.IGNORECASE)


def expand_inputs(
    paths: Sequence[AnyFile], *, wiki: bool = False, skipped: Counter[str] | None = None
) -> list[AnyFile]:
    """Replace each directory by the readable files under it, and each URL with * by the files it names.

    Both are sorted by name. Files of other kinds are counted in `skipped`.
    """
    found: list[AnyFile] = []
    for path in paths:
        if isinstance(path, RemoteFile) and path.is_pattern():
            found += path.matches()
            continue
        if str(path) != STDIN and not path.exists():
            raise NothingFoundError(
                f"{path} does not exist; give WARC, HTML, JSON-lines or Parquet files, directories, "
                "or - for a pipe"
            )
        if path.is_dir() and not is_workspace(path):
            files = files_under(path)
            readable = [file for file in files if wiki or _is_readable(file.name.lower())]
            found += readable
            if skipped is not None and len(readable) < len(files):
                skipped["file of another kind"] += len(files) - len(readable)
        else:
            found.append(path)
    return found


def _is_readable(name: str) -> bool:
    """Whether the name is that of a WARC, HTML or WikiExtractor file (wiki_00, wiki_01.bz2 …)."""
    return name.endswith((*WARC_SUFFIXES, *HTML_SUFFIXES)) or name.startswith("wiki_")


@contextmanager
def open_unpacked(file: AnyFile) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a plain, .gz or .xz file: the unpacked stream, and the raw file, for its position."""
    try:
        with file.open("rb") as raw:
            if file.suffix == ".gz":
                yield cast(BinaryIO, gzip.GzipFile(fileobj=raw)), raw
            elif file.suffix == ".xz":
                yield cast(BinaryIO, lzma.LZMAFile(raw)), raw  # noqa: SIM115 - closed with the file under it
            else:
                yield raw, raw
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError) as error:
        raise ArchiveError(
            f"{file} is damaged or cut off ({error}); download it again, or unpack it"
        ) from None


def columns_of(vertical: Path) -> tuple[str, ...]:
    """The columns of a vertical file, by the registry beside it or by its first position."""
    registry = vertical.with_name(f"{vertical.name}.registry")
    if registry.exists():
        return tuple(_DECLARED.findall(registry.read_text(encoding="utf-8"))) or ("word",)
    with open_unpacked(vertical) as (octets, _):
        for raw in octets:
            line = raw.decode("utf-8", "replace")
            if not line.startswith("<") and line.strip():
                count = sum(not part.startswith(("<link=", "<length=")) for part in line.split("\t"))
                return tuple(_COLUMNS[at] if at < len(_COLUMNS) else f"column{at + 1}" for at in range(count))
    return ("word",)


def records_kind(name: str) -> str:
    """json for JSON lines, parquet for Parquet, else nothing."""
    name = name.lower()
    if name.endswith(".parquet"):
        return "parquet"
    for ending in _PACKED:
        name = name.removesuffix(ending)
    return "json" if name.endswith(_JSON_LINES) else ""


def read_rows(file: AnyFile, tally: ReadTally) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of JSON lines or of a Parquet file, each with its offset or number."""
    if records_kind(file.name) == "parquet":
        yield from enumerate(_read_parquet(file))
        return
    offset = 0
    with open_unpacked(file) as (octets, _):
        while line := octets.readline(_MAX_LINE):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if isinstance(row, dict):
                yield offset, row
            elif line.strip():
                tally.skip(RecordPlace(str(file), offset), "no JSON object")
            offset += len(line)


def _read_parquet(file: AnyFile) -> Iterator[dict[str, Any]]:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise MissingDependencyError("pyarrow", "parquet", "Reading Parquet") from None
    with file.open("rb") as stream:
        try:
            for batch in parquet.ParquetFile(stream).iter_batches(batch_size=256):
                yield from batch.to_pylist()
        except arrow.ArrowException as error:
            raise ArchiveError(f"{file} is no readable Parquet file: {error}") from None


def _read_records(file: AnyFile, tally: ReadTally, field: str) -> Iterator[Capture]:
    """The records of a dataset that have a text. Their other fields may stand in an object `metadata`."""
    for place, row in read_rows(file, tally):
        tally.records += 1
        text = row.get(field)
        if not isinstance(text, str) or not text.strip():
            tally.skip(RecordPlace(str(file), place), f"no text in the field {field!r}")
            continue
        about = row.get("metadata")
        # A table has every column in every row, so an empty one hides nothing.
        stated = {name: value for name, value in row.items() if value is not None}
        known = {**about, **stated} if isinstance(about, dict) else stated
        headers = (
            ("Content-Type", f"{RECORD_TYPE}; charset=utf-8"),
            (TITLE_HEADER, _value(known, ("title",))),
            (AUTHOR_HEADER, _value(known, ("author",))),
        )
        at = read_iso_date(_value(known, _DATE_FIELDS)) or _NO_DATE
        payload = text.encode("utf-8", "replace")
        tally.captures += 1
        yield Capture(_value(known, _URL_FIELDS), at, 200, headers, payload, f"{file}:{place}")


def _value(row: dict[str, Any], names: Sequence[str]) -> str:
    for name in names:
        value = row.get(name)
        if isinstance(value, datetime):
            return value.isoformat()
        if isinstance(value, str) and value:
            return value
    return ""


def read_sources(
    path: AnyFile, tally: ReadTally, *, wiki: bool = False, field: str = "text"
) -> Iterator[Capture | CorpusThread]:
    """The pages, threads or texts of one input. Records that are none are counted in the tally.

    `field` is the field of a dataset's records that holds the text.
    """
    if wiki:
        yield from map(_wiki_page, read_extract(path, tally))
    elif isinstance(path, Path) and path.is_dir():
        yield from read_workspace(path, tally)
    elif path.name.lower().endswith(WARC_SUFFIXES):  # with such a name, noise is a broken archive, not a page
        yield from read_captures(path, tally)
    elif records_kind(path.name):
        yield from _read_records(path, tally, field)
    else:
        yield from read_inputs(path, tally)


def with_base(
    sources: Iterator[Capture | CorpusThread], base: str, file: AnyFile, inputs: Sequence[AnyFile]
) -> Iterator[Capture | CorpusThread]:
    """The pages of a file with a URL below `base`, where they have none but that of the file.

    What follows the base is the path of the file in the directory that is an input, as in a mirror of a site.
    """
    is_pipe = str(file) == STDIN
    path = "" if is_pipe else file.name
    for place in inputs:
        if (
            isinstance(place, Path)
            and isinstance(file, Path)
            and file != place
            and file.is_relative_to(place)
        ):
            path = file.relative_to(place).as_posix()
            break
    url = urljoin(base, quote(path))
    for source in sources:
        is_capture = isinstance(source, Capture)
        without_url = is_capture and (source.url.startswith("file:") or (is_pipe and not source.url))
        yield replace(source, url=url) if without_url else source


def _wiki_page(document: Capture) -> Capture:
    """A document of a wiki extract as a page. Its content type says that the whole text is kept."""
    body = document.payload
    if not _BLOCK.search(body):  # plain text: a line is a paragraph
        body = b"".join(b"<p>%s</p>" % line for line in body.split(b"\n") if line.strip())
    stated = document.header(TITLE_HEADER) or ""
    title = html.escape(stated).encode("utf-8", "replace")
    page = b"<!doctype html><title>%s</title><body>%s" % (title, body)
    headers = (("Content-Type", f"{WIKI_TYPE}; charset=utf-8"), (TITLE_HEADER, stated))
    return replace(document, headers=headers, payload=page)
