"""Reads what a corpus is made from, page by page: archives, HTML, wiki extracts, directories, workspaces."""

from __future__ import annotations

import gzip
import html
import lzma
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, cast

from threadmill.archive.inputs import HTML_SUFFIXES, TITLE_HEADER, read_extract, read_inputs
from threadmill.archive.read_tally import ReadTally
from threadmill.archive.remote_files import AnyFile, RemoteFile, files_under
from threadmill.archive.warc_reader import STDIN, WARC_SUFFIXES, read_captures
from threadmill.corpus.build.stored_threads import CorpusThread, is_workspace, read_workspace
from threadmill.errors import ArchiveError, UsageError
from threadmill.types import Capture

WIKI_TYPE = "text/x-wiki-extract"
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
            raise UsageError(
                f"{path} does not exist; give WARC or HTML files, directories of them, or - for a pipe"
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


def read_sources(path: AnyFile, tally: ReadTally, *, wiki: bool = False) -> Iterator[Capture | CorpusThread]:
    """The pages or threads of one input. Records that are no pages are counted in the tally."""
    if wiki:
        yield from map(_wiki_page, read_extract(path, tally))
    elif isinstance(path, Path) and path.is_dir():
        yield from read_workspace(path, tally)
    elif path.name.lower().endswith(WARC_SUFFIXES):  # with such a name, noise is a broken archive, not a page
        yield from read_captures(path, tally)
    else:
        yield from read_inputs(path, tally)


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
