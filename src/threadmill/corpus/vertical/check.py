"""Checks a vertical file line by line, in one pass, for what a corpus manager would reject."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from threadmill.corpus.build.documents import MOST_VALUE_BYTES
from threadmill.corpus.vertical.reader import ATTRIBUTE, TAG

# The size of CWB's line buffer. A longer line is cut, or stops the encoder.
_MOST_LINE_BYTES = 65_534
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LOOKS_LIKE_TAG = re.compile(r"</?[A-Za-z_][\w.-]*(?:\s[^<>]*)?/?>$")
_DECLARATION = re.compile(r"<[!?]")
_KNOT_COLUMN = re.compile(r'<link="[^"|\s]*">|<length=([1-9]\d*)>')
# Allowed parents of a structure. Structures of other names may stand anywhere inside <doc>.
_PARENTS = {"doc": {""}, "s": {"p", "head"}}
# Structures that may cross sentence boundaries.
_CROSSING = frozenset({"link", "img"})


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of the file, with its line."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(slots=True)
class Checker:
    """Checks a file. It keeps the state of the lines before."""

    at_once: int = 20_000  # lines checked in one step
    columns: int = 0  # of the first token line
    positions: int = 0
    documents: int = 0
    _open: list[tuple[str, int]] = field(default_factory=list)
    _crossing: dict[str, int] = field(default_factory=dict)
    _passage_positions: int = 0
    _glue: int = 0  # the line of a <g/> whose second token is missing so far
    _position_before: bool = False

    def check(self, lines: Iterable[bytes]) -> Iterator[Fault]:
        """All faults of a file, in order."""
        number = 0
        source = iter(lines)
        while batch := list(islice(source, self.at_once)):
            yield from self._batch(batch, number)
            number += len(batch)
        yield from (Fault(line, f"<{name}> is never closed") for name, line in self._open)
        if not number:
            yield Fault(1, "the file is empty")

    def _batch(self, batch: list[bytes], before: int) -> Iterator[Fault]:
        """Check some thousand lines. A pattern skips correct passages, other lines are checked one by one."""
        text = _faultless_text(batch)
        at = done = 0
        while done < len(batch):
            if text is not None and (end := self._faultless_end(text, at)):
                count = text.count("\n", at, end)
                positions = count - text.count("\n<", at, end - 1) - (text[at] == "<")
                self.positions += positions
                self._passage_positions += positions
                self._position_before, self._glue = True, 0
                at, done = end, done + count
                continue
            raw = batch[done]
            done += 1
            for message in self._line(raw, before + done):
                yield Fault(before + done, message)
            if text is not None:
                at = text.find("\n", at) + 1

    def _faultless_end(self, text: str, at: int) -> int:
        """The end of the correct passages, or of the correct tokens, that begin here. 0 if there are none."""
        if not self.columns or not self._open:
            return 0
        if text[at] != "<":
            match = _positions(self.columns).match(text, at)
        elif self._crossing or any(name in {"p", "head"} for name, _ in self._open):
            return 0
        else:
            match = _passages(self.columns).match(text, at)
        return match.end() if match else 0

    def _line(self, raw: bytes, number: int) -> Iterator[str]:
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            yield f"not UTF-8 at byte {error.start + 1}"
            return
        yield from _check_any_line(line, raw, number)
        line = line.rstrip("\r\n").removeprefix("\ufeff")
        if not line:
            yield "an empty line"
        elif line[0] != "<":
            yield from self._position(line)
        elif _DECLARATION.match(line):
            yield "a declaration, comment or processing instruction: corpus managers take it for a position"
        elif match := TAG.fullmatch(line):
            yield from self._tag(match, number)
        elif _LOOKS_LIKE_TAG.match(line):
            yield f"a tag that is not well formed: {line[:60]}"
        else:
            yield from self._position(line)

    def _position(self, line: str) -> Iterator[str]:
        self.positions += 1
        self._passage_positions += 1
        self._position_before, self._glue = True, 0
        if not self._open:
            yield "a position outside every structure"
        columns = line.split("\t")
        if "<" not in line and len(columns) == self.columns and columns[0]:
            return
        plain = [column for column in columns if not _KNOT_COLUMN.fullmatch(column)]
        if not columns[0]:
            yield "the first column is empty"
        if not self.columns:
            self.columns = len(plain)
        elif len(plain) != self.columns:
            yield f"{len(plain)} columns, but the positions before have {self.columns}"
        yield from self._knot_links(columns[1:])

    def _knot_links(self, columns: list[str]) -> Iterator[str]:
        found = [match for column in columns if (match := _KNOT_COLUMN.fullmatch(column))]
        lengths = [int(match[1]) for match in found if match[1]]
        if len(found) != 2 * len(lengths):
            yield "a <link=…> without its <length=…>, or the reverse"
        if any(length > self._passage_positions for length in lengths):
            longest, so_far = max(lengths), self._passage_positions
            yield f"<length={longest}>, but this passage has only {so_far} positions so far"

    def _tag(self, match: re.Match[str], number: int) -> Iterator[str]:
        closing, name, attributes, empty = match.groups()
        names = []
        for attribute in ATTRIBUTE.finditer(attributes):
            names.append(attribute[1])
            if len((attribute[2] or attribute[3] or "").encode()) > MOST_VALUE_BYTES:
                yield f"the value of {attribute[1]} is longer than {MOST_VALUE_BYTES} bytes"
        if len(names) != len(set(names)):
            yield f"<{name}> has an attribute twice"
        if empty:
            yield from self._empty(name, number)
        elif name in _CROSSING:
            yield from self._cross(name, bool(closing), number)
        elif closing:
            yield from self._close(name)
        else:
            yield from self._begin(name, number)

    def _empty(self, name: str, number: int) -> Iterator[str]:
        if name == "g":
            if not self._position_before:
                yield "<g/> without a position before it in the passage"
            elif self._glue:
                yield "two <g/> in a row"
            self._glue = number

    def _cross(self, name: str, closing: bool, number: int) -> Iterator[str]:
        if closing and self._crossing.pop(name, None) is None:
            yield f"</{name}> closes nothing"
        elif not closing:
            if name in self._crossing:
                yield f"<{name}> inside the <{name}> of line {self._crossing[name]}"
            self._crossing[name] = number

    def _begin(self, name: str, number: int) -> Iterator[str]:
        parent = self._open[-1][0] if self._open else ""
        allowed = _PARENTS.get(name)
        if allowed is not None and parent not in allowed:
            yield f"<{name}> inside <{parent}>" if parent else f"<{name}> outside every structure"
        if name in {"p", "head"}:
            self._position_before, self._passage_positions, self._glue = False, 0, 0
            if any(open_name == name for open_name, _ in self._open):
                yield f"<{name}> inside <{name}>"
        self.documents += name == "doc" or (name == "text" and not parent)  # as CQPweb wants them
        self._open.append((name, number))

    def _close(self, name: str) -> Iterator[str]:
        if not any(open_name == name for open_name, _ in self._open):
            yield f"</{name}> closes nothing"
            return
        while self._open[-1][0] != name:
            other, line = self._open.pop()
            yield f"</{name}> comes before the <{other}> of line {line} is closed"
        self._open.pop()
        if name in {"p", "head"}:
            if self._glue:
                yield "<g/> without a position after it in the passage"
            for crossing in list(self._crossing):
                yield f"<{crossing}> is not closed in its passage"
                del self._crossing[crossing]
            self._glue = 0


def _faultless_text(batch: list[bytes]) -> str | None:
    """The lines as one text. None if a line may have a fault that any kind of line can have."""
    whole = b"".join(batch)
    if max(map(len, batch)) > MOST_VALUE_BYTES or not whole.endswith(b"\n"):
        return None
    try:
        text = whole.decode("utf-8")
    except UnicodeDecodeError:
        return None
    sound = text.isascii() or unicodedata.is_normalized("NFC", text)
    return text if sound and not _CONTROL.search(text) and not text.startswith("\ufeff") else None


@cache
def _passages(columns: int) -> re.Pattern[str]:
    """The pattern of correct passages: sentences of tokens with so many columns, links, images and glue."""
    position = _position(columns)
    url = r"""url=(?:"[^"\n]*"|'[^'\n]*')"""
    image = rf"<img {url}>\n{position}</img>\n"
    link = _glued(rf"<link {url}>\n", f"(?:{position}|{image})", "</link>\n")
    sentence = _glued("<s>\n", f"(?:{position}|{link}|{image})", "</s>\n")
    passages = [_glued(f"<{name}>\n", sentence, f"</{name}>\n") for name in ("p", "head")]
    return re.compile(f"(?:{'|'.join(passages)})++")


@cache
def _positions(columns: int) -> re.Pattern[str]:
    return re.compile(_glued("", _position(columns), ""))


def _position(columns: int) -> str:
    return rf"[^<\n\t][^\n\t]*+(?:\t(?!<)[^\n\t]*+){{{columns - 1}}}\n"


def _glued(begin: str, item: str, end: str) -> str:
    """The pattern of one or more items in a structure, with or without <g/> between two."""
    return f"(?:{begin}{item}(?:(?:<g/>\n)?{item})*+{end})"


def _check_any_line(line: str, raw: bytes, number: int) -> Iterator[str]:
    if number == 1 and line.startswith("\ufeff"):
        yield "a byte order mark"
    if len(raw) > _MOST_LINE_BYTES:
        yield f"longer than {_MOST_LINE_BYTES} bytes"
    if not raw.isascii() and not unicodedata.is_normalized("NFC", line):
        yield "not in Unicode's normal form C"
    text = line.rstrip("\n")
    if text.endswith("\r"):
        yield "ends in a carriage return"
        text = text[:-1]
    if _CONTROL.search(text):
        yield "a control character"
