"""Keeps a corpus as numbers in files that are mapped into memory: forms, lemmas, tags, and where they
occur.

Each attribute has a lexicon (the different values), a stream (the number of the value at each
position), and for each value the sorted list of its positions. Structures are ranges of positions with
values of their own.
"""

from __future__ import annotations

import json
import re
import shutil
import warnings
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from threadmill.corpus.vertical.dialects import Dialect, dialect
from threadmill.errors import UsageError

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Stream = npt.NDArray[np.integer[Any]]

_META = "index.json"
_VERSION = 2
# Attributes of documents that people ask about, and how a corpus gets them. A thread has a date only.
_METADATA = dict.fromkeys(
    ("author", "site", "licence"), "; threadmill vert --metadata writes it for pages that state it"
)
_METADATA["date"] = "; threadmill vert --metadata writes it, for a thread that of its first post"
_BLOCK = 1 << 20  # positions that are sorted or written at once
_SMALLEST_BLOCK, _LARGEST_BLOCK = 1 << 10, 1 << 18  # positions of a list that are looked at together
_TAG = re.compile(r"<(/?)([A-Za-z_][\w-]*)((?:\s[^>]*?)?)(/?)>\s*$")
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w-]*)=(?:"([^"]*)"|'([^']*)')""")
_KNOT_COLUMN = re.compile(r"<(?:link|length)=")
# Every link has another address, so a table of them would be as large as the corpus.
_WITHOUT_VALUES = frozenset({"link", "img"})
# Signs that make a regular expression of a text.
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
_MAY_LEAVE_LINE = re.compile(r"\[\^|\\[sWD]|\(\?")


class Lexicon:
    """The different values of an attribute, numbered in the order of their first use."""

    def __init__(self, directory: Path, name: str) -> None:
        self._octets = _mapped_octets(directory / f"{name}.lexicon")
        self._offsets = _mapped(directory / f"{name}.offsets", np.int64)
        self._order = _mapped(directory / f"{name}.order", np.int32)

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, number: int) -> str:
        return self._octet_value(number).decode()

    def _octet_value(self, number: int) -> bytes:
        return self._octets[self._offsets[number] : self._offsets[number + 1] - 1]

    def number(self, value: str) -> int | None:
        """The number of a value, by halving the sorted values."""
        wanted = value.encode("utf-8", "replace")
        low, high = 0, len(self._order)
        while low < high:
            middle = (low + high) // 2
            if self._octet_value(int(self._order[middle])) < wanted:
                low = middle + 1
            else:
                high = middle
        if low < len(self._order) and self._octet_value(int(self._order[low])) == wanted:
            return int(self._order[low])
        return None

    @cached_property
    def _text(self) -> str:
        return self._octets[:].decode()

    @cached_property
    def _line_starts(self) -> Places:
        lengths = np.fromiter(map(len, self._text.split("\n")[:-1]), np.int64, len(self))
        return np.concatenate(([0], np.cumsum(lengths + 1)[:-1])) if len(self) else np.zeros(0, np.int64)

    def matching(self, pattern: str, *, ignore_case: bool = False, ignore_accents: bool = False) -> Flags:
        """Which values match a regular expression as a whole."""
        found = np.zeros(len(self), np.bool_)
        if not ignore_case and not ignore_accents and not _SPECIAL.search(pattern):
            number = self.number(pattern)
            if number is not None:
                found[number] = True
            return found
        flags = re.IGNORECASE if ignore_case else 0
        if ignore_accents or _MAY_LEAVE_LINE.search(pattern):
            wanted = compile_pattern(without_accents(pattern) if ignore_accents else pattern, flags).fullmatch
            for number, value in enumerate(self._text.split("\n")[:-1]):
                found[number] = wanted(without_accents(value) if ignore_accents else value) is not None
            return found
        compile_pattern(pattern, flags)  # one that is wrong is named as it was written
        lines = compile_pattern(f"^(?:{pattern})$", flags | re.MULTILINE)
        starts = np.fromiter((match.start() for match in lines.finditer(self._text)), np.int64)
        # At the very end of the text there is no value any more.
        starts = starts[starts < len(self._text)]
        found[np.searchsorted(self._line_starts, starts)] = True
        return found


def compile_pattern(pattern: str, flags: int) -> re.Pattern[str]:
    """A regular expression of a query. One that is wrong is named."""
    try:
        with warnings.catch_warnings():  # Python warns of what a later version may read in another way
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(pattern, flags)
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError(f"expected a regular expression, but {pattern!r} is none: {error}") from None


def without_accents(text: str) -> str:
    """The text without combining marks."""
    import unicodedata

    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


class PositionAttribute:
    """One attribute of all positions, such as the lemma."""

    def __init__(self, directory: Path, name: str) -> None:
        self.name = name
        self.lexicon = Lexicon(directory, name)
        self.stream = _mapped(directory / f"{name}.stream", stream_kind(len(self.lexicon)))
        self._places: npt.NDArray[np.int32] = _mapped(directory / f"{name}.places", np.int32)
        self._starts = _mapped(directory / f"{name}.starts", np.int64)

    @cached_property
    def counts(self) -> Places:
        """How often each value occurs."""
        counts: Places = np.diff(self._starts)
        return counts

    def places(self, number: int) -> npt.NDArray[np.int32]:
        """The sorted positions of a value."""
        return self._places[self._starts[number] : self._starts[number + 1]]

    def values_at(self, places: Places) -> list[str]:
        """The values at some positions."""
        return [self.lexicon[number] for number in self.stream[places].tolist()]


class StructureRanges:
    """The ranges of one structure in the order of the corpus. Of nested ones the outermost is kept."""

    def __init__(self, directory: Path, name: str, attributes: Sequence[str]) -> None:
        self.name = name
        self.begins: Places = _mapped(directory / f"{name}.begins", np.int64)
        self.ends: Places = _mapped(directory / f"{name}.ends", np.int64)
        self.attributes = tuple(attributes)
        self._directory = directory

    def __len__(self) -> int:
        return len(self.begins)

    def of(self, places: Places) -> Places:
        """The number of the range around each position, -1 where there is none."""
        if not len(self):
            return np.full(len(places), -1, np.int64)
        found = np.searchsorted(self.begins, places, side="right") - 1
        return np.where((found >= 0) & (places < self.ends[np.maximum(found, 0)]), found, -1)

    def values(self, attribute: str) -> tuple[Lexicon, Stream]:
        """The values of an attribute, and the number of the value of each range."""
        if attribute not in self.attributes:
            known = ", ".join(self.attributes) or "none"
            hint = _METADATA.get(attribute, "") if self.name == "doc" else ""
            raise UsageError(f"<{self.name}> has no attribute {attribute!r}; it has {known}{hint}")
        name = f"{self.name}.{attribute}"
        lexicon = Lexicon(self._directory, name)
        return lexicon, _mapped(self._directory / f"{name}.stream", stream_kind(len(lexicon)))


class PositionIndex:
    """A corpus that can be queried. `build_positions` makes it."""

    def __init__(self, directory: Path) -> None:
        if not (directory / _META).exists():
            raise UsageError(
                f"{directory} is no index of positions; "
                f"make one: threadmill query index corpus.vert --index {directory}"
            )
        meta = json.loads((directory / _META).read_text(encoding="utf-8"))
        if meta["version"] != _VERSION:
            raise UsageError(
                f"{directory} was made by another version; make it again with: threadmill query index"
            )
        self.size: int = meta["size"]
        self.attributes = {name: PositionAttribute(directory, name) for name in meta["attributes"]}
        self.structures = {
            name: StructureRanges(directory, name, attributes)
            for name, attributes in meta["structures"].items()
        }
        self._glue = _mapped(directory / "glue.bits", np.uint8)

    def attribute(self, name: str) -> PositionAttribute:
        """An attribute by its name."""
        if name not in self.attributes:
            raise UsageError(f"the corpus has no attribute {name!r}; it has {', '.join(self.attributes)}")
        return self.attributes[name]

    def structure(self, name: str) -> StructureRanges:
        """A structure by its name."""
        if name not in self.structures:
            raise UsageError(f"the corpus has no structure {name!r}; it has {', '.join(self.structures)}")
        return self.structures[name]

    def is_glued(self, place: int) -> bool:
        """Whether no white space stands before a position."""
        return bool(self._glue[place >> 3] >> (place & 7) & 1)

    def text(self, begin: int, end: int) -> str:
        """The text of some positions."""
        forms = self.attributes["word"].values_at(np.arange(begin, end))
        return "".join(
            form if at == begin or self.is_glued(at) else f" {form}" for at, form in enumerate(forms, begin)
        )


def stream_kind(different: int) -> Any:
    """The type of the numbers of a stream with so many different values.

    Tags fit into one byte. Then a query reads a quarter of the memory: [lemma="go" & tag="V.*"] among
    3.8 million places took 10 ms for 95.
    """
    return np.uint8 if different <= 1 << 8 else np.uint16 if different <= 1 << 16 else np.int32


def _mapped(file: Path, kind: Any) -> Any:
    """The numbers of a file. An empty file cannot be mapped."""
    return np.memmap(file, kind, "r") if file.stat().st_size else np.zeros(0, kind)


def _mapped_octets(file: Path) -> mmap | bytes:
    if not file.stat().st_size:
        return b""
    with file.open("rb") as octets:
        return mmap(octets.fileno(), 0, access=ACCESS_READ)


class _Values:
    """The values of an attribute while the index is made. Numbers wait in memory until they are written."""

    def __init__(self, directory: Path, name: str) -> None:
        self.numbers: dict[str, int] = {}
        self.waiting = array("i")
        self.place = directory / name
        self._stream = _beside(self.place, ".stream").open("wb")

    def add(self, value: str) -> None:
        numbers = self.numbers
        self.waiting.append(numbers.setdefault(value, len(numbers)))

    def flush(self) -> None:
        self.waiting.tofile(self._stream)
        self.waiting = array("i")

    def close(self) -> None:
        self.flush()
        self._stream.close()
        self._narrow()
        octets = [value.encode("utf-8", "replace") for value in self.numbers]
        self.numbers = {}
        _beside(self.place, ".lexicon").write_bytes(b"".join(value + b"\n" for value in octets))
        lengths = np.fromiter((len(value) + 1 for value in octets), np.int64, len(octets))
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int64).tofile(_beside(self.place, ".offsets"))
        np.array(sorted(range(len(octets)), key=octets.__getitem__), np.int32).tofile(
            _beside(self.place, ".order")
        )

    def _narrow(self) -> None:
        """Write the stream anew with smaller numbers, if its values are few."""
        kind = stream_kind(len(self.numbers))
        if kind is np.int32:
            return
        wide, narrow = _beside(self.place, ".stream"), _beside(self.place, ".narrow")
        with wide.open("rb") as source, narrow.open("wb") as target:
            while octets := source.read(4 * _BLOCK):
                np.frombuffer(octets, np.int32).astype(kind).tofile(target)
        narrow.replace(wide)


def make_places(values: Path, size: int) -> None:
    """Write the positions of each value: a counting sort, block by block, so that memory stays small."""
    different = len(np.fromfile(_beside(values, ".order"), np.int32))
    stream = _mapped(_beside(values, ".stream"), stream_kind(different))
    counts = np.zeros(different, np.int64)
    for at in range(0, size, _BLOCK):
        counts += np.bincount(stream[at : at + _BLOCK], minlength=different)
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    starts.tofile(_beside(values, ".starts"))
    if not size:
        _beside(values, ".places").write_bytes(b"")
        return
    places = np.memmap(_beside(values, ".places"), np.int32, "w+", shape=(size,))
    filled = starts[:-1].copy()
    for at in range(0, size, _BLOCK):
        block = np.asarray(stream[at : at + _BLOCK])
        order = np.argsort(block, kind="stable")
        numbers, first, number_counts = np.unique(block[order], return_index=True, return_counts=True)
        within = np.arange(len(block)) - np.repeat(first, number_counts)
        places[np.repeat(filled[numbers], number_counts) + within] = order + at
        filled[numbers] += number_counts
    places.flush()


def _beside(values: Path, ending: str) -> Path:
    return values.with_name(values.name + ending)


class _StructureValues:
    """The ranges of a structure while the index is made."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ranges = array("q")
        self.depth = 0
        self.values: dict[str, tuple[dict[str, int], array[int]]] = {}

    def open(self, at: int, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > 1:
            return
        done = len(self.ranges) // 2
        self.ranges.extend((at, at))
        for name in attributes:
            if name not in self.values:
                self.values[name] = ({"": 0}, array("i", [0]) * done)
        for name, (numbers, stream) in self.values.items():
            value = attributes.get(name, "")
            stream.append(numbers.setdefault(value, len(numbers)))

    def close(self, at: int) -> None:
        if self.depth == 1:
            self.ranges[-1] = at
        self.depth = max(0, self.depth - 1)

    def write(self, directory: Path) -> None:
        ranges = np.array(self.ranges, np.int64)
        ranges[::2].tofile(directory / f"{self.name}.begins")
        ranges[1::2].tofile(directory / f"{self.name}.ends")
        for name, (numbers, stream) in self.values.items():
            values = _Values(directory, f"{self.name}.{name}")
            values.numbers, values.waiting = numbers, stream
            values.close()


class IndexBuilder:
    """Makes an index from the lines of a vertical. Nothing is visible before `finish`."""

    def __init__(self, directory: Path, columns: Sequence[str], dialect_name: str = "sketch") -> None:
        if directory.exists() and any(directory.iterdir()) and not (directory / _META).exists():
            raise UsageError(
                f"{directory} holds other files; choose an empty or a new directory for the index"
            )
        self._target = directory
        self._fresh = directory.with_name(f"{directory.name}.new")
        shutil.rmtree(self._fresh, ignore_errors=True)
        self._fresh.mkdir(parents=True)
        self._dialect: Dialect = dialect(dialect_name)
        self._columns = [_Values(self._fresh, name) for name in columns]
        self._names = tuple(columns)
        self._structures: dict[str, _StructureValues] = {}
        self._glue = array("q")
        self._glued = False
        self._glue_file: IO[bytes] = (self._fresh / "glue.places").open("wb")
        self.size = 0

    def add(self, lines: Iterable[str]) -> None:
        """Add the lines of one file."""
        read_form, read_column = self._dialect.read_form, self._dialect.read_column
        first, *others = self._columns
        for raw in lines:
            line = raw.rstrip("\r\n")
            if line.startswith("<") and self._structure(line):
                continue
            if not line:
                continue
            form, *rest = line.split("\t")
            first.add(read_form(form))
            for at, values in enumerate(others):
                text = rest[at] if at < len(rest) and not _KNOT_COLUMN.match(rest[at]) else ""
                values.add(read_column(text) or "")
            if self._glued:
                self._glue.append(self.size)
                self._glued = False
            self.size += 1
            if not self.size % _BLOCK:
                self._flush()

    def _flush(self) -> None:
        for values in self._columns:
            values.flush()
        self._glue.tofile(self._glue_file)
        self._glue = array("q")

    def _structure(self, line: str) -> bool:
        """Take a line as a tag. False if it is a token that begins with the same sign."""
        match = _TAG.match(line)
        if match is None:
            return False
        closing, name, attributes, empty = match.groups()
        if empty:
            self._glued = self._glued or name == "g"
            return True
        known = self._structures.get(name)
        if known is None:
            known = self._structures[name] = _StructureValues(name)
        if closing:
            known.close(self.size)
        else:
            known.open(self.size, {} if name in _WITHOUT_VALUES else self._values_of(attributes))
        return True

    def _values_of(self, attributes: str) -> dict[str, str]:
        return {
            name: self._dialect.read_value(double or single)
            for name, double, single in _ATTRIBUTE.findall(attributes)
        }

    def finish(self) -> PositionIndex:
        """Write everything and put the index in its place."""
        self._flush()
        self._glue_file.close()
        for structure in self._structures.values():
            while structure.depth:
                structure.close(self.size)
            structure.write(self._fresh)
        for values in self._columns:
            values.close()
            make_places(values.place, self.size)
        self._write_glue()
        meta = {
            "version": _VERSION,
            "size": self.size,
            "attributes": self._names,
            "structures": {name: list(found.values) for name, found in self._structures.items()},
        }
        (self._fresh / _META).write_text(json.dumps(meta, indent=1), encoding="utf-8")
        if self._target.exists():
            shutil.rmtree(self._target)
        self._fresh.rename(self._target)
        return PositionIndex(self._target)

    def _write_glue(self) -> None:
        place = self._fresh / "glue.places"
        bits = np.zeros((self.size + 7) // 8, np.uint8)
        with place.open("rb") as octets:
            while block := octets.read(8 * _BLOCK):
                places = np.frombuffer(block, np.int64)
                np.bitwise_or.at(bits, places >> 3, (1 << (places & 7)).astype(np.uint8))
        bits.tofile(self._fresh / "glue.bits")
        place.unlink()


def blocks_of(places: npt.NDArray[np.int32]) -> Iterator[Places]:
    """The positions in blocks, as 64-bit numbers. The first are small, so that a first page comes at once."""
    at, size = 0, _SMALLEST_BLOCK
    while at < len(places):
        yield places[at : at + size].astype(np.int64)
        at, size = at + size, min(4 * size, _LARGEST_BLOCK)
