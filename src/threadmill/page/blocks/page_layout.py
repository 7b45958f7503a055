"""Where blocks stand on the page as a whole: on the trunk that holds its text, among cards, beside prose."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from threadmill.page.blocks.page_batch import Batch, Floats, Indices, Numbers, running
from threadmill.page.judge.block_evidence import chains

_FEW_WORDS, _LONG_WORDS, _LONG_LINKS = 8, 20, 0.3
_FAR = 60  # blocks; who is further away is simply elsewhere
_LEAST_CARDS = 3
_CURRENCIES = "$€£"
_PARTS = 1024  # of a word: masses are counted in whole parts, so that sums of them are exact

Named = tuple[str, Numbers]


def layout_columns(batch: Batch, text: dict[str, Floats], prior: Floats, density: Floats) -> Iterator[Named]:
    """Name and values of every column."""
    words = text["words"]
    prose = np.where(words >= _FEW_WORDS, words * (1 - density), np.float32(0))
    yield from _trunk("prose", prose, batch)
    yield from _trunk("prior", words / (1 + np.exp(-prior)), batch)
    yield from _cards(batch, text["chars"])
    yield from _signs(batch)
    long = np.flatnonzero((words >= _LONG_WORDS) & (density < _LONG_LINKS))
    index = np.arange(len(words))
    for name, at in zip(("first", "last"), _ends(batch, long, -2 * _FAR), strict=True):
        yield f"after {name} long", np.clip(index - at[batch.page], -_FAR, 2 * _FAR)


def _ends(batch: Batch, blocks: Indices, none: int) -> tuple[Indices, Indices]:
    """The first and the last of these blocks on each page."""
    first = np.full(len(batch.counts), none)
    last = first.copy()
    first[batch.page[blocks[::-1]]] = blocks[::-1]  # of several the one written last stays
    last[batch.page[blocks]] = blocks
    return first, last


def _trunk(name: str, mass: Floats, batch: Batch) -> Iterator[Named]:
    """Frames that hold at least half of the page's mass stand in one another: how far in is each block?"""
    page, count = batch.page, len(batch.page)
    sums = running(np.rint(mass * _PARTS))
    total = np.maximum(sums[batch.firsts + batch.counts] - sums[batch.firsts], 1e-9)
    starts, ends = batch.starts[batch.filled], batch.ends[batch.filled]
    on = sums[ends] - sums[starts] >= total[page[starts]] / 2
    levels = np.bincount(starts[on], minlength=count + 1) - np.bincount(ends[on], minlength=count + 1)
    level = np.cumsum(levels)[:count].astype(np.float32)
    deepest = batch.most(level)
    above = deepest[page] - level
    first, last = _ends(batch, np.flatnonzero(above == 0), 0)
    index = np.arange(count)
    away = np.minimum(index - first[page], 0) + np.maximum(index - last[page], 0)
    yield f"trunk {name}", level / np.maximum(deepest, 1)[page]
    yield f"above trunk {name}", above
    yield f"off trunk {name}", np.clip(away, -_FAR, _FAR)
    yield f"page trunk {name}", ((sums[last + 1] - sums[first]) / total)[page]


def _shelves(batch: Batch) -> Indices:
    """A number for every frame, the same for frames of one tag under one parent."""
    numbers = {tag: i for i, tag in enumerate(dict.fromkeys(batch.tags))}
    tags = np.array([numbers[tag] for tag in batch.tags], np.intp)
    shelves: Indices = batch.around * len(numbers) + tags[batch.shapes]
    return np.unique(shelves, return_inverse=True)[1]


def _cards(batch: Batch, chars: Floats) -> Iterator[Named]:
    """Elements of one tag under one parent are cards of a shelf; the outermost shelf around a block."""
    shelf = _shelves(batch)
    cards = np.bincount(shelf, batch.filled).astype(np.intp)
    sums = running(chars)
    held = np.bincount(shelf, sums[batch.ends] - sums[batch.starts])
    total = np.maximum(batch.sums(chars), 1.0)
    is_card = batch.filled & (cards[shelf] >= _LEAST_CARDS)
    outermost = np.where(is_card, np.arange(len(shelf)), -1)
    for outer in chains(batch.around):
        further = outermost[outer]
        outermost = np.where(further >= 0, further, outermost)
    found = outermost[batch.of]
    own = shelf[found]
    many, much = np.maximum(cards[own], 1), held[own]
    columns = np.log1p(many), much / total[batch.page], np.log1p(much / many)
    for name, values in zip(("cards", "cards share", "card chars"), columns, strict=True):
        yield name, np.where(found >= 0, values, 0)
    most = np.maximum.reduceat(np.where(is_card, held[shelf], 0), batch.first_frames)
    yield "page cards share", (most / total)[batch.page]


def _signs(batch: Batch) -> Iterator[Named]:
    """What is sold and what is hidden on the page."""
    prices = [sum(map("".join(texts).count, _CURRENCIES)) for texts in batch.by_page(batch.texts)]
    yield "page prices", np.log1p(prices)[batch.page]
    yield "page hidden", (batch.sums(batch.hidden) / batch.counts)[batch.page]
