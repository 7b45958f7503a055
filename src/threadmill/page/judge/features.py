"""The columns a block is judged by, from what its text, its frames, its neighbours and its page say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as numbers_from

import numpy as np

from threadmill.page.blocks.page_batch import Batch, Floats, Indices, Numbers, exact, running
from threadmill.page.judge.block_evidence import (
    KIND_CODES,
    TAG_GROUPS,
    TEXT,
    Lexicon,
    PageFacts,
    chains,
    frame_columns,
    text_columns,
)

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


_WINDOWS = (2, 5, 12)
_ANCESTORS = 4


class Columns:
    """Named columns in the order they were added: the order the model was trained with."""

    __slots__ = ("names", "page", "values")

    def __init__(self, page: Indices) -> None:
        self.page = page  # of each block
        self.names: dict[str, int] = {}
        self.values: list[Numbers] = []

    def add(self, name: str, values: Numbers) -> None:
        """Append a column."""
        self.names[name] = len(self.values)
        self.values.append(values)

    def add_page(self, name: str, values: Numbers) -> None:
        """Append a column that says the same of every block of a page, given one value a page."""
        self.add(name, values[self.page])

    def column(self, name: str) -> Numbers:
        """A column by its name."""
        return self.values[self.names[name]]

    def table(self) -> Floats:
        """One row per column, one column per block."""
        table = np.empty((len(self.values), len(self.page)), np.float32)
        for i, values in enumerate(self.values):
            table[i] = values
        return table


def features(batch: Batch, facts: Sequence[PageFacts], lexicon: Lexicon) -> Columns:
    """Everything that is known of the blocks of some pages, column by column."""
    columns = Columns(batch.page)
    text = text_columns(batch, facts, lexicon)
    text["log words"] = np.log1p(text["words"])
    frames, bits = frame_columns(batch, lexicon)
    of_blocks = frames[:, batch.of]
    prior = exact(of_blocks[1] + text["lexical"])
    _add_text(columns, text)
    _add_frames(columns, of_blocks, bits[batch.of])
    _add_place(columns, batch, text)
    means = _range_means(batch, text, prior)
    for step in range(_ANCESTORS):
        for name in ("share", "links", "words", "prior"):
            columns.add(f"frame {step} {name}", means[name][step])
    _add_groups(columns, batch, text, prior)
    _add_neighbours(columns, batch, text, prior)
    for i, reach in enumerate(_WINDOWS, _ANCESTORS):
        for name in ("links", "words", "prior"):
            columns.add(f"window {reach} {name}", means[name][i])
    _add_page(columns, batch, text, facts)
    for column, values in layout_columns(batch, text, prior, columns.column("link density")):
        columns.add(column, values)
    inside = columns.column("in main")
    columns.add("outside main", (1 - inside) * batch.most(inside)[batch.page])
    return columns


def _add_text(columns: Columns, text: dict[str, Floats]) -> None:
    columns.add("words", text["log words"])
    columns.add("chars", np.log1p(text["chars"]))
    columns.add("link density", np.minimum(text["link_chars"] / np.maximum(text["chars"], 1), 1))
    for name in TEXT[3:]:
        columns.add(name, text[name])


def _add_frames(columns: Columns, frames: Floats, bits: Indices) -> None:
    for name, values in zip(("names own", "names sum", "names least", "names most"), frames, strict=True):
        columns.add(name, values)
    flags = ((bits >> np.arange(len(TAG_GROUPS))[:, None]) & 1).astype(np.float32)
    for (tags, _), values in zip(TAG_GROUPS, flags, strict=True):
        columns.add(f"in {tags}", values)


def _add_place(columns: Columns, batch: Batch, text: dict[str, Floats]) -> None:
    page, counts = batch.page, batch.counts
    index = batch.index()
    sums = running(text["chars"])
    total = np.maximum(batch.sums(text["chars"]), 1.0)
    columns.add("place by blocks", index.astype(np.float32) / counts.astype(np.float32)[page])
    columns.add("place by text", (sums[1:] - sums[batch.firsts][page]) / total[page])
    columns.add_page("page blocks", np.log1p(counts))
    columns.add_page("page chars", np.log1p(total))
    columns.add_page("page link density", batch.sums(text["link_chars"]) / total)
    first = np.flatnonzero(text["heading"] == 1)
    top = np.zeros(len(counts), np.intp)
    top[page[first[::-1]]] = index[first[::-1]]  # of several the first is written last
    columns.add("blocks after h1", np.clip(index - top[page], -50, 200))
    headed = np.maximum.accumulate(np.where(text["heading"] > 0, np.arange(len(page)), -1))
    columns.add(
        "blocks after heading",
        np.minimum(np.where(headed < batch.firsts[page], index + 1, np.arange(len(page)) - headed), 60),
    )


def _range_means(batch: Batch, text: dict[str, Floats], prior: Floats) -> dict[str, Floats]:
    """Share of the page's text, link density, mean log length and mean prior of all ranges of each block."""
    first, last = _ranges(batch)
    sums = running(
        np.stack((text["chars"], np.minimum(text["link_chars"], text["chars"]), text["log words"], prior))
    )
    chars, links, words, priors = (sums[:, last] - sums[:, first]).astype(np.float32)
    blocks = np.maximum(last - first, 1).astype(np.float32)
    total = np.maximum(batch.sums(text["chars"]), 1.0).astype(np.float32)
    return {
        "share": chars[:_ANCESTORS] / total[batch.page],
        "links": links / np.maximum(chars, 1),
        "words": words / blocks,
        "prior": priors / blocks,
    }


def _ranges(batch: Batch) -> tuple[Indices, Indices]:
    """For every block the ranges of blocks it is seen in: its innermost frames, then windows around it."""
    count = len(batch.page)
    first, last = np.empty((2, _ANCESTORS + len(_WINDOWS), count), np.intp)
    frame = batch.of
    for step in range(_ANCESTORS):
        first[step], last[step] = batch.starts[frame], batch.ends[frame]
        frame = batch.around[frame]
    reaches = np.array(_WINDOWS)[:, None]
    index = np.arange(count)
    edge = batch.firsts[batch.page]
    np.maximum(index - reaches, edge, out=first[_ANCESTORS:])
    np.minimum(index + reaches + 1, edge + batch.counts[batch.page], out=last[_ANCESTORS:])
    return first, last


def _add_groups(columns: Columns, batch: Batch, text: dict[str, Floats], prior: Floats) -> None:
    """Blocks of one tag path are of one make: what most of them are says what each is."""
    same = _same_texts(batch)
    columns.add("same text", np.log1p(np.bincount(same)[same]))
    ids, count = batch.shapes[batch.of], len(batch.paths)
    size = np.maximum(np.bincount(ids, minlength=count), 1)
    columns.add("path count", np.log1p(size)[ids])
    chars = np.bincount(ids, text["chars"], count)
    columns.add("path share", chars[ids] / np.maximum(batch.sums(text["chars"]), 1.0)[batch.page])
    links = np.bincount(ids, text["link_chars"], count) / np.maximum(chars, 1)
    columns.add("path links", np.minimum(links, 1)[ids])
    columns.add("path words", (np.bincount(ids, text["log words"], count) / size)[ids])
    columns.add("path prior", (np.bincount(ids, prior, count) / size)[ids])


def _same_texts(batch: Batch) -> Indices:
    """The same number for blocks of one page with equal texts."""
    ids: list[int] = []
    for texts in batch.by_page(batch.texts):
        numbers = dict(zip(dict.fromkeys(texts), numbers_from(len(ids)), strict=False))
        ids.extend(map(numbers.__getitem__, texts))
    return np.array(ids, np.intp)


def _add_neighbours(columns: Columns, batch: Batch, text: dict[str, Floats], prior: Floats) -> None:
    for step in (-1, 1):
        columns.add(f"words {step:+}", shifted(batch, text["log words"], step))
        columns.add(f"prior {step:+}", shifted(batch, prior, step))
    columns.add("ending +1", shifted(batch, text["ending"], 1))


_EDGE = -1.0  # stands for what is beyond the first and the last block of a page


def shifted(batch: Batch, values: Floats, step: int) -> Floats:
    """The values of the block before (-1) or after (1)."""
    moved = np.roll(values, -step)
    moved[batch.firsts if step < 0 else batch.firsts + batch.counts - 1] = _EDGE
    return moved


def _add_page(columns: Columns, batch: Batch, text: dict[str, Floats], facts: Sequence[PageFacts]) -> None:
    """What the page as a whole is like: articles, lists of links, a shop's shelf differ."""
    words, chars, counts = text["log words"], text["chars"], batch.counts
    total = np.maximum(batch.sums(chars), 1.0)
    long = (text["words"] >= 25) & (columns.column("link density") < 0.4)
    columns.add_page("page long share", batch.sums(np.where(long, chars, 0)) / total)
    columns.add_page("page long blocks", np.log1p(batch.sums(long)))
    columns.add_page("page longest", batch.most(words))
    columns.add_page("page words", batch.sums(words) / counts)
    columns.add_page("page headings", np.log1p(batch.sums(text["heading"] > 0)))
    columns.add_page("page items", batch.sums(text["kind"] == KIND_CODES["li"]) / counts)
    for name in ("in main", "in article", "in form fieldset search"):
        columns.add_page(f"page {name}", batch.sums(columns.column(name)) / counts)
    columns.add_page("page path share", batch.most(columns.column("path share")))
    columns.add_page("page same text", batch.sums(columns.column("same text")) / counts)
    columns.add_page("page prior", batch.sums(columns.column("frame 0 prior") * chars) / total)
    odds = np.array([page.kind_odds for page in facts], np.float32)
    for i, name in enumerate(facts[0].kinds):
        columns.add_page(f"kind {name}", odds[:, i])
