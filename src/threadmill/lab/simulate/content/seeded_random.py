"""Repeatable random numbers: each name always gives the same numbers, without global state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import TypeVar

T = TypeVar("T")


def random_stream(*names: object) -> Random:
    """Return a generator for a name. Use only its random(): Python keeps that method stable."""
    return Random(int.from_bytes(_digest(names), "big"))


def random_fraction(*names: object) -> float:
    """Return the number in [0, 1) of a name."""
    return int.from_bytes(_digest(names)[:7], "big") / float(1 << 56)


def pick_one(options: Sequence[T], *names: object) -> T:
    """Pick the option of a name."""
    return options[int(random_fraction(*names) * len(options))]


def draw_one(options: Sequence[T], source: Random) -> T:
    """Draw an option from a generator."""
    return options[int(source.random() * len(options))]


def draw_normal(source: Random) -> float:
    """Draw a standard normal number (Box-Muller)."""
    return math.sqrt(-2.0 * math.log(1.0 - source.random())) * math.cos(2.0 * math.pi * source.random())


def _digest(names: tuple[object, ...]) -> bytes:
    return blake2b("\x1f".join(map(str, names)).encode(), digest_size=8).digest()
