"""The chart of a report as a PNG, by the standard library alone: bars, and letters of five by seven."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from threadmill.cli.crawling.chart import COLOURS

if TYPE_CHECKING:
    from threadmill.store.forum.page_visits import RunReport

_BAR, _GAP, _LEFT, _WIDTH, _RIGHT = 22, 8, 220, 640, 220
_SCALE = 2  # screen points a point of a letter
_INK, _PAPER = (0x22, 0x22, 0x22), (0xFF, 0xFF, 0xFF)
# The letters of small displays: five columns each, the lowest bit on top.
_GLYPHS = (
    "3e5149453e 00427f4000 4261514946 2141454b31 1814127f10 2745454539 3c4a494930 0171090503 3649494936 "
    "064949291e 0808080808 0036360000 0050300000 2054545478 7f48444438 3844444420 384444487f 3854545418 "
    "087e090102 0c5252523e 7f08040478 00447d4000 2040443d00 7f10284400 00417f4000 7c04180478 7c08040478 "
    "3844444438 7c14141408 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c "
    "4428102844 0c5050503c 4464544c44"
)
_LETTERS = dict(zip("0123456789-:,abcdefghijklmnopqrstuvwxyz", _GLYPHS.split(), strict=True))


def draw_picture(runs: Sequence[RunReport]) -> bytes:
    """A bar for each run, its pages by what they were worth."""
    canvas = _Canvas(_LEFT + _WIDTH + _RIGHT, (len(runs) + 1) * (_BAR + _GAP) + _GAP)
    left = _LEFT
    for name, colour in COLOURS.items():
        canvas.fill(left, _GAP + 4, 14, 14, _rgb(colour))
        left = canvas.write(left + 20, _GAP + 4, name) + 24
    most = max((report.pages.pages for report in runs), default=0) or 1
    for row, report in enumerate(runs, 1):
        top = _GAP + row * (_BAR + _GAP)
        canvas.write(0, top + 4, f"{report.started:%Y-%m-%d %H:%M}")
        end = 0.0
        for name, colour in COLOURS.items():
            start, end = end, end + _WIDTH * getattr(report.pages, name) / most
            canvas.fill(_LEFT + round(start), top, round(end) - round(start), _BAR, _rgb(colour))
        canvas.write(_LEFT + round(end) + 8, top + 4, f"{report.pages.posts:,} new posts")
    return canvas.png()


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


class _Canvas:
    """Points of three bytes, row by row."""

    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        self._rows = [bytearray(bytes(_PAPER) * width) for _ in range(height)]

    def fill(self, left: int, top: int, width: int, height: int, colour: Sequence[int]) -> None:
        """A box of one colour; what lies outside is left out."""
        right = min(left + width, self._width)
        for row in self._rows[top : top + height]:
            row[left * 3 : right * 3] = bytes(colour) * max(0, right - left)

    def write(self, left: int, top: int, text: str) -> int:
        """Words in small letters; gives where they end."""
        for letter in text:
            for column, bits in enumerate(bytes.fromhex(_LETTERS.get(letter, ""))):
                for row in range(7):
                    if bits >> row & 1:
                        self.fill(left + column * _SCALE, top + row * _SCALE, _SCALE, _SCALE, _INK)
            left += 6 * _SCALE
        return left

    def png(self) -> bytes:
        """The file (ISO 15948): eight bits a colour, no filter."""
        head = struct.pack(">IIBBBBB", self._width, self._height, 8, 2, 0, 0, 0)
        points = zlib.compress(b"".join(b"\0" + row for row in self._rows), 9)
        parts = ((b"IHDR", head), (b"IDAT", points), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in parts)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
