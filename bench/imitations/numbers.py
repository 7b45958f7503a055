"""How engines write numbers of boards, threads and posts in URLs: decimal, padded, as a hash …"""

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


@dataclass(frozen=True, slots=True)
class Padded(NumberStyle):
    """Decimal numbers with zeros in front: 000123."""

    pattern: str = r"\d{5,15}"
    width: int = 5

    def write(self, number: int) -> str:
        return f"{number:0{self.width}d}"

    def read(self, text: str) -> int:
        number = NumberStyle.read(self, text)
        return number if number < 0 or self.write(number) == text else -1


@dataclass(frozen=True, slots=True)
class Shifted(NumberStyle):
    """Numbers of one range of a site that counts everything with one counter."""

    pattern: str = r"\d{1,20}"
    base: int = 0
    step: int = 1
    count: int = 100_000

    def write(self, number: int) -> str:
        return str(self.base + number * self.step)

    def read(self, text: str) -> int:
        number, rest = divmod(NumberStyle.read(self, text) - self.base, self.step)
        return number if 0 <= number < self.count and not rest else -1


@dataclass(frozen=True, slots=True)
class Scrambled(NumberStyle):
    """A fixed number of digits of an alphabet, in no visible order: 5f3e09a1c2."""

    pattern: str = r"[0-9a-f]{10}"
    alphabet: str = "0123456789abcdef"
    length: int = 10

    def write(self, number: int) -> str:
        mixed, text = number * _FACTOR % len(self.alphabet) ** self.length, ""
        for _ in range(self.length):
            mixed, digit = divmod(mixed, len(self.alphabet))
            text += self.alphabet[digit]
        return text

    def read(self, text: str) -> int:
        if len(text) != self.length or not set(text) <= set(self.alphabet):
            return -1
        base = len(self.alphabet)
        mixed = sum(self.alphabet.index(digit) * base**place for place, digit in enumerate(text))
        number = mixed * pow(_FACTOR, -1, base**self.length) % base**self.length
        return number if number < 1 << 35 else -1


@dataclass(frozen=True, slots=True)
class Hex(NumberStyle):
    """At least three digits, in base 16: 2F5."""

    pattern: str = r"[0-9A-F]{3,8}"

    def write(self, number: int) -> str:
        return f"{number:03X}"

    def read(self, text: str) -> int:
        number = int(text, 16) if 3 <= len(text) <= 8 and set(text) <= set("0123456789ABCDEF") else -1
        return number if number < 0 or self.write(number) == text else -1


_WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

STYLES = {
    "decimal": NumberStyle(),
    "base36": Base36(),
    "hash": Hash32(),
    "padded5": Padded(),
    "padded6": Padded(r"\d{6,15}", 6),
    "hex": Hex(),
    "scrambled": Scrambled(),
    "letters": Scrambled(r"[\w-]{12}", _WORD, 12),
    # The counters of sites that number boards, threads and posts together, and of a site with long numbers.
    "shared_board": Shifted(base=470_000, count=1000),
    "shared_thread": Shifted(base=1_100_000),
    "shared_post": Shifted(base=1_200_000),
    "long": Shifted(base=483_366_528_000_000_000, step=7_919_317),
}
