"""Reads the word lists of ICU's break iterators from its data file: libicudata.so or icudt*.dat.

The format is that of ICU's source: a table of contents, then items. A list is a trie of bytes (bytestrie.h),
of which each is added to the first character of the script.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

_MAGIC = b"\xda\x27"
_TYPE = b"CmnD"  # of the table of contents
_JOINERS = {0xFF: "\u200d", 0xFE: "\u200c"}
# The first bytes of nodes and values, as in bytestrie.h.
_LINEAR, _VALUE = 0x10, 0x20
_MOST_AT_LEAF = 5  # a branch with more bytes is divided


def read_words(data: Path, name: str) -> list[str]:
    """The words of a list such as "khmerdict"."""
    octets = data.read_bytes()
    item = next(item for title, item in _items(octets) if title.endswith(f"/{name}.dict"))
    header = struct.unpack_from("<H", item)[0]
    start, _, _, size, kind, offset = struct.unpack_from("<6i", item, header)[:6]
    if kind & 7:
        raise ValueError(f"{name} is a trie of another kind; expected one of bytes")
    return sorted(_Trie(item[header + start : header + size], offset & 0x1FFFFF).words())


def _items(octets: bytes) -> Iterator[tuple[str, bytes]]:
    at = octets.index(_TYPE) - 12
    if octets[at + 2 : at + 4] != _MAGIC:
        raise ValueError("no ICU data: expected libicudata.so or icudt*.dat")
    at += struct.unpack_from("<H", octets, at)[0]
    count = struct.unpack_from("<I", octets, at)[0]
    entries = [struct.unpack_from("<II", octets, at + 4 + 8 * number) for number in range(count)]
    ends = [start for _, start in entries[1:]] + [len(octets) - at]
    for (title, start), end in zip(entries, ends, strict=True):
        yield octets[at + title : octets.index(0, at + title)].decode(), octets[at + start : at + end]


class _Trie:
    def __init__(self, octets: bytes, first: int) -> None:
        self._octets = octets
        self._first = first

    def words(self) -> Iterator[str]:
        """All words, in the order of the trie."""
        yield from self._node(0, "")

    def _sign(self, octet: int) -> str:
        return _JOINERS.get(octet) or chr(self._first + octet)

    def _node(self, at: int, before: str) -> Iterator[str]:
        lead = self._octets[at]
        if lead < _LINEAR:
            at += 1 if lead else 2
            yield from self._branch(at, (lead or self._octets[at - 1]) + 1, before)
        elif lead < _VALUE:
            end = at + 1 + lead - _LINEAR + 1
            yield from self._node(end, before + "".join(map(self._sign, self._octets[at + 1 : end])))
        else:
            yield before
            if not lead & 1:
                yield from self._node(self._value(at)[1], before)

    def _branch(self, at: int, count: int, before: str) -> Iterator[str]:
        while count > _MOST_AT_LEAF:
            jump, after = self._delta(at + 1)
            yield from self._branch(after + jump, count // 2, before)
            count -= count // 2
            at = after
        for _ in range(count - 1):
            word = before + self._sign(self._octets[at])
            value, after = self._value(at + 1)
            if self._octets[at + 1] & 1:
                yield word
            else:
                yield from self._node(after + value, word)
            at = after
        yield from self._node(at + 1, before + self._sign(self._octets[at]))

    def _value(self, at: int) -> tuple[int, int]:
        """A value, and where it ends."""
        lead = self._octets[at] >> 1
        if lead < 0x51:
            return lead - _LINEAR, at + 1
        if lead < 0x6C:
            return lead - 0x51 << 8 | self._octets[at + 1], at + 2
        if lead < 0x7E:
            return lead - 0x6C << 16 | self._number(at + 1, 2), at + 3
        return self._number(at + 1, lead - 0x7B), at + lead - 0x7A

    def _delta(self, at: int) -> tuple[int, int]:
        """How far a jump goes, and where what it is counted from begins."""
        lead = self._octets[at]
        if lead < 0xC0:
            return lead, at + 1
        if lead < 0xF0:
            return lead - 0xC0 << 8 | self._octets[at + 1], at + 2
        if lead < 0xFE:
            return lead - 0xF0 << 16 | self._number(at + 1, 2), at + 3
        return self._number(at + 1, lead - 0xFB), at + lead - 0xFA

    def _number(self, at: int, size: int) -> int:
        return int.from_bytes(self._octets[at : at + size], "big")
