"""Pieces of an archive to its records: each with its headers and its block, whatever damage lies between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from threadmill.archive.pieces import Piece
from threadmill.archive.tally import Place, Tally
from threadmill.errors import ArchiveError

# A record's own headers take about 500 bytes; a megabyte of them is an attack or another format.
_LONGEST_HEAD = 1 << 16
# The fetcher keeps bodies up to 20 MB; other crawlers' longer ones are media, never pages.
LARGEST_BLOCK = 1 << 26

_HEAD_END = re.compile(rb"\r?\n\r?\n").search
_NEWLINES = re.compile(rb"[\r\n]*").match
_FOLD = re.compile(r"\r?\n[ \t]+")
_SIGNATURE = b"WARC/"
# Each search goes over up to 64 MB again; a file that needs more of them is hostile, not damaged.
_MOST_RESCANS = 64
_NEXT_RECORD = re.compile(rb"WARC/[01]\.[0-9]{1,2}\r?\n").search
_ARC = re.compile(rb"filedesc://|https?://\S+ [0-9.]+ [0-9]{14} ").match


class Record(NamedTuple):
    """One WARC record as it stands in a file; what is asked of it is read then.

    A tuple, as pieces are: frozen dataclasses take four times as long to make, and files hold millions.
    """

    head: bytes
    data: bytes  # the block is data[start:end]: a page is copied once, not at every step
    start: int
    end: int
    place: Place
    length: int  # compressed; 0 when the record is not alone in its member

    @property
    def kind(self) -> str:
        """WARC-Type in lower case."""
        return find_header(self.head, b"WARC-Type").lower()

    def header(self, name: bytes) -> str:
        """A header of the record, empty when there is none."""
        return find_header(self.head, name)

    @property
    def block(self) -> bytes:
        """What follows the record's headers."""
        return self.data[self.start : self.end]


class RecordReader:
    """Cuts pieces into records; what it cannot read it tells the tally and leaves behind."""

    def __init__(
        self, pieces: Iterator[Piece], file: str, tally: Tally, *, plain: bool = False, size: int = 0
    ) -> None:
        self._pieces = pieces
        self._file = file
        self._tally = tally
        self._plain = plain
        self._size = size  # of a plain file where known: no length may point beyond it
        self._data = b""
        self._at = 0  # index in data
        self._member = 0  # offset of the compressed member that data belongs to
        self._inner = 0  # decompressed offset of data in it
        self._ends = 0  # where the member ends, when data is the last of it
        self._rescans = 0
        self._lost = False  # searching after damage that is already named

    def __iter__(self) -> Iterator[Record]:
        """Record after record."""
        while True:
            yield from self._whole_members()
            if not self._find_start():
                return
            record = self._read_record()
            if record is not None:
                self._tally.records += 1
                yield record

    def _whole_members(self) -> Iterator[Record]:
        """The common case, fast: each piece is a member and each member a record."""
        while self._at >= len(self._data) and (piece := next(self._pieces, None)):
            record = _sole_record(piece, self._file) if piece.length else None
            if record is None:
                self._begin(piece)
                return
            self._lost = False
            self._tally.records += 1
            yield record

    def _begin(self, piece: Piece) -> None:
        if piece.problem:
            self._tally.skip(Place(self._file, piece.offset), piece.problem, damaged=True)
            self._lost = True
        else:
            self._use(piece)

    def _place(self, at: int) -> Place:
        if self._plain:
            return Place(self._file, self._inner + at)
        return Place(self._file, self._member, self._inner + at)

    def _damage(self, at: int, reason: str) -> None:
        if not self._lost:
            self._tally.skip(self._place(at), reason, damaged=True)

    def _use(self, piece: Piece, keep: int = 0) -> None:
        """Go on with a piece, keeping the last so many bytes of what was there."""
        if piece.starts and not keep:
            self._data, self._inner, self._member = piece.data, 0, piece.offset
        else:
            self._inner += len(self._data) - keep
            self._data = self._data[len(self._data) - keep :] + piece.data
        self._at = 0
        self._ends = piece.ends

    def _find_start(self) -> bool:
        """Go to the next record; False at the end of everything."""
        while True:
            newlines = _NEWLINES(self._data, self._at)
            assert newlines is not None, "an empty run of newlines matches too"
            self._at = newlines.end()
            if self._data.startswith(_SIGNATURE, self._at):
                self._lost = False
                return True
            if self._at < len(self._data) and self._skip_garbage():
                continue
            if not self._next_piece():
                return False

    def _skip_garbage(self) -> bool:
        """Whether something that looks like a record follows in the data at hand."""
        rest = len(self._data) - self._at
        if rest < len(_SIGNATURE) and _SIGNATURE.startswith(self._data[self._at :]):
            return False  # perhaps cut here: the next piece will tell
        if self._tally.records == 0 and _ARC(self._data, self._at):
            raise ArchiveError(
                f"expected WARC in {self._file}, but it is the older ARC format; "
                "convert it first: warcio recompress FILE.arc.gz FILE.warc.gz"
            )
        self._damage(self._at, "not a WARC record")
        self._lost = True
        found = _NEXT_RECORD(self._data, self._at)
        self._at = found.start() if found else max(len(self._data) - 16, self._at)
        return found is not None

    def _next_piece(self) -> bool:
        keep = min(len(self._data) - self._at, 16)
        for piece in self._pieces:
            if not piece.problem:
                self._use(piece, keep)
                return True
            self._begin(piece)
        if keep and not self._lost:
            self._damage(self._at, "not a WARC record")
        return False

    def _read_record(self) -> Record | None:
        start = self._find_head_end()
        if start < 0:
            return None
        head = self._data[self._at : start]
        place = self._place(self._at)
        length = _content_length(head)
        if length is None or (self._size and place.offset + length > self._size):
            self._damage(
                self._at, "bad Content-Length" if length is None else "truncated, or bad Content-Length"
            )
            self._lost, self._at = True, start
            return None
        data, end = self._data, start + length
        if end > len(data):
            block = self._gather_block(start, length, place)
            if block is None:
                return None
            data, start, end = block, 0, length
        elif not self._ends_at(end):
            self._tally.skip(place, "wrong Content-Length", damaged=True)
            self._lost, self._at = True, start
            return None
        alone = self._ends and not place.inner and self._at == len(self._data)
        return Record(head, data, start, end, place, self._ends - place.offset if alone else 0)

    def _find_head_end(self) -> int:
        """Where the block starts; -1 when there is no such place, which is then already told."""
        while True:
            end = head_end(self._data, self._at, self._at + _LONGEST_HEAD)
            if end >= 0:
                return end
            if len(self._data) - self._at >= _LONGEST_HEAD:
                return self._give_up_head("WARC header without end", None)
            piece = next(self._pieces, None)
            if piece is None or _break_in(piece):
                return self._give_up_head("truncated record", piece)
            self._use(piece, len(self._data) - self._at)

    def _give_up_head(self, reason: str, piece: Piece | None) -> int:
        self._damage(self._at, piece.problem if piece is not None and piece.problem else reason)
        self._lost = True
        self._at += len(_SIGNATURE)
        if piece is not None and not piece.problem:
            self._use(piece)
        return -1

    def _ends_at(self, end: int) -> bool:
        """Go behind a block; whether two newlines follow, as they must, or at least a record or nothing."""
        newlines = _NEWLINES(self._data, end)
        assert newlines is not None, "an empty run of newlines matches too"
        self._at = newlines.end()
        rest = self._data[self._at : self._at + len(_SIGNATURE)]
        return _SIGNATURE.startswith(rest) or self._data.startswith(b"\r\n\r\n", end)

    def _gather_block(self, start: int, length: int, place: Place) -> bytes | None:
        """A block that goes on in further pieces."""
        parts = [self._data[start:]]
        block_inner = self._inner + start
        missing = length - len(parts[0])
        self._at = len(self._data)
        reason = ""
        while missing > 0 and not reason:
            piece = next(self._pieces, None)
            reason = _break_in(piece)
            if piece is None or piece.problem:
                break
            self._use(piece)
            if not reason:
                self._at = min(missing, len(piece.data))
                missing -= self._at
                if length <= LARGEST_BLOCK:
                    parts.append(piece.data[: self._at])
        if not reason and length > LARGEST_BLOCK:
            reason = f"larger than {LARGEST_BLOCK} bytes"
        elif not reason and not self._ends_at(self._at):
            reason = "wrong Content-Length"
        if not reason:
            return b"".join(parts)
        self._tally.skip(place, reason, damaged="larger" not in reason)
        self._lost = True
        if self._at:  # else a new member has begun, and it is no part of this record
            self._search_again(parts, block_inner)
        return None

    def _search_again(self, parts: list[bytes], inner: int) -> None:
        """A length that was too long swallowed what came next: look for records in it."""
        self._rescans += 1
        if self._rescans > _MOST_RESCANS:
            return
        self._data = b"".join(parts) + self._data[self._at :]
        self._inner, self._at = inner, 0


def _sole_record(piece: Piece, file: str) -> Record | None:
    """The record that fills a compressed member to its last byte, or None."""
    data = piece.data
    start = data.find(b"\r\n\r\n", 0, _LONGEST_HEAD) + 4
    head = data[:start]
    if start < 4 or not data.startswith(_SIGNATURE):
        return None
    end = start + (_content_length(head) or 0)
    if end + 4 != len(data) or not data.endswith(b"\r\n\r\n"):
        return None
    return Record(head, data, start, end, Place(file, piece.offset), piece.length)


def _break_in(piece: Piece | None) -> str:
    """Why a block cannot go on in this piece."""
    if piece is None:
        return "truncated record"
    if piece.starts and piece.data.startswith(_SIGNATURE):
        return "Content-Length beyond its compressed member"
    return piece.problem


def head_end(data: bytes, start: int, stop: int | None = None) -> int:
    """Behind the empty line that ends headers, or -1; old crawlers wrote bare newlines."""
    end = data.find(b"\r\n\r\n", start, stop)
    if end >= 0:
        return end + 4
    found = _HEAD_END(data, start, len(data) if stop is None else stop)
    return found.end() if found else -1


_LINES: dict[bytes, bytes] = {}  # header name → how its line begins; we ask for a handful of names


def find_header(head: bytes, name: bytes) -> str:
    """The value of a header; spelt as the standard spells it, as nearly always, it is found fast."""
    line = _LINES.get(name) or _LINES.setdefault(name, b"\n%b: " % name)
    at = head.find(line)
    if at < 0:
        wanted = name.decode().lower()
        return next((value for key, value in header_pairs(head) if key.lower() == wanted), "")
    end = head.find(b"\n", at + 1)
    if head.startswith((b" ", b"\t"), end + 1):  # goes on in the next line
        return dict(reversed(header_pairs(head))).get(name.decode(), "")
    return decode_header(head[at + len(name) + 3 : end]).strip()


def header_pairs(head: bytes) -> list[tuple[str, str]]:
    """Headers after the first line as they were received; a line without a colon says nothing."""
    text = decode_header(head)
    if "\n " in text or "\n\t" in text:
        text = _FOLD.sub(" ", text)
    pairs = [line.partition(":") for line in text.split("\n")[1:]]
    return [(name, value.strip()) for name, colon, value in pairs if colon]


def decode_header(head: bytes) -> str:
    """UTF-8 as browsers send it, else Latin-1 as HTTP once had it."""
    try:
        return head.decode()
    except UnicodeDecodeError:
        return head.decode("latin-1")


def _content_length(head: bytes) -> int | None:
    stated = find_header(head, b"Content-Length")
    # 18 digits are an exabyte; Python refuses to read more than 4,300
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) <= 18 else None
