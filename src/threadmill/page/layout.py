"""Where blocks stand on the page as a whole: on the trunk that holds its text, among cards, beside prose."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from threadmill.page.cut import Cut
from threadmill.page.evidence import Floats, Indices

_FEW_WORDS, _LONG_WORDS, _LONG_LINKS = 8, 20, 0.3
_FAR = 60  # blocks; who is further away is simply elsewhere
_LEAST_CARDS = 3
_CARDS = ("cards", "cards share", "card chars", "page cards share")
_CURRENCIES = "$€£"

Named = tuple[str, Floats | float]  # a plain number stands for a column of it


def layout_columns(
    cutting: Cut, of: Indices, text: dict[str, Floats], prior: Floats, density: Floats
) -> Iterator[Named]:
    """Name and values of every column."""
    words = text["words"]
    starts, ends, parents = np.array((cutting.starts, cutting.ends, cutting.parents), np.intp)
    filled = starts >= 0  # a frame without blocks begins at -1
    starts = np.maximum(starts, 0)
    ranges = starts, np.maximum(ends, starts)
    prose = np.where(words >= _FEW_WORDS, words * (1 - density), np.float32(0))
    yield from _trunk("prose", prose, ranges)
    yield from _trunk("prior", words / (1 + np.exp(-prior)), ranges)
    yield from _cards(_shelves(cutting, parents), filled, of, text["chars"], ranges, parents)
    yield from _signs(cutting)
    index = np.arange(len(words), dtype=np.float32)
    long = np.flatnonzero((words >= _LONG_WORDS) & (density < _LONG_LINKS))
    for name, at in (("first", 0), ("last", -1)):
        distance = index - long[at] if len(long) else np.full_like(index, 2 * _FAR)
        yield f"after {name} long", np.clip(distance, -_FAR, 2 * _FAR)


def _trunk(name: str, mass: Floats, ranges: tuple[Indices, Indices]) -> Iterator[Named]:
    """Frames that hold at least half of the page's mass stand in one another: how far in is each block?"""
    starts, ends = ranges
    sums = np.concatenate(([0.0], np.cumsum(mass, dtype=np.float64)))
    total = max(float(sums[-1]), 1e-9)
    on = sums[ends] - sums[starts] >= total / 2
    count = len(mass)
    levels = np.bincount(starts[on], minlength=count + 1) - np.bincount(ends[on], minlength=count + 1)
    level = np.cumsum(levels)[:count].astype(np.float32)
    deepest = float(level.max())
    inner = np.flatnonzero(level == deepest)
    first, last = int(inner[0]), int(inner[-1])
    index = np.arange(count, dtype=np.float32)
    away = np.minimum(index - first, 0) + np.maximum(index - last, 0)
    yield f"trunk {name}", level / max(deepest, 1.0)
    yield f"above trunk {name}", deepest - level
    yield f"off trunk {name}", np.clip(away, -_FAR, _FAR)
    yield f"page trunk {name}", float(sums[last + 1] - sums[first]) / total


def _shelves(cutting: Cut, parents: Indices) -> Indices:
    """A number for every frame, the same for frames of one tag under one parent."""
    numbers = {tag: i for i, tag in enumerate(dict.fromkeys(cutting.tags))}
    tags = np.array([numbers[tag] for tag in cutting.tags], np.intp)
    shelves: Indices = (parents + 1) * len(numbers) + tags[cutting.shapes]
    return shelves


def _cards(  # noqa: PLR0917 -- columns of frames, made once
    shelf: Indices,
    filled: NDArray[np.bool_],
    of: Indices,
    chars: Floats,
    ranges: tuple[Indices, Indices],
    parents: Indices,
) -> Iterator[Named]:
    """Elements of one tag under one parent are cards of a shelf; the outermost shelf around a block."""
    starts, ends = ranges
    count = len(parents)
    if not count:  # text outside of all elements
        yield from zip(_CARDS, repeat(0.0), strict=False)
        return
    cards = np.bincount(shelf[filled], minlength=int(shelf.max()) + 1)
    sums = np.concatenate(([0.0], np.cumsum(chars, dtype=np.float64)))
    total = max(float(sums[-1]), 1.0)
    held = np.bincount(shelf, sums[ends] - sums[starts])
    outermost = np.append(np.where(cards[shelf] >= _LEAST_CARDS, np.arange(count), -1), -1)
    outer = np.append(parents, count)
    outer[outer < 0] = count
    while (outer < count).any():  # each round doubles how far up the chain a frame has looked
        further = outermost[outer]
        outermost = np.where(further >= 0, further, outermost)
        outer = outer[outer]
    found = outermost[of]
    own = shelf[np.maximum(found, 0)]
    many, much = cards[own], held[own]
    for name, values in zip(_CARDS[:-1], (np.log1p(many), much / total, np.log1p(much / many)), strict=True):
        yield name, np.where(found >= 0, values, 0).astype(np.float32)
    shelves = held[cards >= _LEAST_CARDS]
    yield _CARDS[-1], float(shelves.max()) / total if len(shelves) else 0.0


def _signs(cutting: Cut) -> Iterator[Named]:
    """What is sold and what is hidden on the page."""
    text = "".join([block.text for block in cutting.blocks])
    yield "page prices", math.log1p(sum(map(text.count, _CURRENCIES)))
    hidden = len([block for block in cutting.blocks if block.hidden])
    yield "page hidden", hidden / max(len(cutting.blocks), 1)
