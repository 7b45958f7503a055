"""Chance that always falls the same way: numbers drawn from names, without any global state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import TypeVar

T = TypeVar("T")


def random_stream(*names: object) -> Random:
    """A generator of its own for a name; only .random() is used, the one method Python keeps stable."""
    return Random(int.from_bytes(_digest(names), "big"))


def random_fraction(*names: object) -> float:
    """One number in [0, 1) for a name."""
    return int.from_bytes(_digest(names)[:7], "big") / float(1 << 56)


def pick_one(options: Sequence[T], *names: object) -> T:
    """One of the options for a name."""
    return options[int(random_fraction(*names) * len(options))]


def draw_one(options: Sequence[T], source: Random) -> T:
    """One of the options from a stream."""
    return options[int(source.random() * len(options))]


def draw_normal(source: Random) -> float:
    """A standard normal number (Box and Muller)."""
    return math.sqrt(-2.0 * math.log(1.0 - source.random())) * math.cos(2.0 * math.pi * source.random())


def _digest(names: tuple[object, ...]) -> bytes:
    return blake2b("\x1f".join(map(str, names)).encode(), digest_size=8).digest()
