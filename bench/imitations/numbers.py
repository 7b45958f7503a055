"""How engines write numbers of threads and posts in URLs: decimal, in base 36, or as a hash."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_FACTOR, _MODULUS = 21_684_773_351, 1 << 35  # seven letters of 32; an odd factor has an inverse
_INVERSE = pow(_FACTOR, -1, _MODULUS)


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """Decimal numbers as they are."""

    pattern: str = r"\d{1,15}"

    def write(self, number: int) -> str:
        """Return a number as URLs have it."""
        return str(number)

    def read(self, text: str) -> int:
        """Return the number that a URL has, or -1."""
        return int(text) if text.isascii() and text.isdigit() else -1


@dataclass(frozen=True, slots=True)
class Base36(NumberStyle):
    """Short ids of digits and letters: 1a2b."""

    pattern: str = r"[0-9a-z]{1,10}"

    def write(self, number: int) -> str:
        number += 40_000  # sites with such ids show three digits and more
        text = ""
        while number:
            number, digit = divmod(number, 36)
            text = _DIGITS[digit] + text
        return text

    def read(self, text: str) -> int:
        return int(text, 36) - 40_000 if text and set(text) <= set(_DIGITS) else -1


@dataclass(frozen=True, slots=True)
class Hash32(NumberStyle):
    """Ids of 32 letters, as mail archives make of a Message-ID."""

    pattern: str = r"[A-Z2-7]{32}"

    def write(self, number: int) -> str:
        mixed, text = number * _FACTOR % _MODULUS, ""
        for _ in range(7):
            mixed, digit = divmod(mixed, 32)
            text += _LETTERS[digit]
        return text + "".join(_LETTERS[byte % 32] for byte in blake2b(text.encode(), digest_size=25).digest())

    def read(self, text: str) -> int:
        if len(text) != 32 or not set(text) <= set(_LETTERS):
            return -1
        mixed = sum(_LETTERS.index(letter) << 5 * place for place, letter in enumerate(text[:7]))
        number = mixed * _INVERSE % _MODULUS
        return number if self.write(number) == text else -1


STYLES = {"decimal": NumberStyle(), "base36": Base36(), "hash": Hash32()}
