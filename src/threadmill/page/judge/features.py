"""The features of a block: numbers about its text, its frames, its neighbours and its page.

The trained model judges a block by these. Native code fills the same table (native_features(), judgement.py).
COLUMNS_FIRST and COLUMNS_LAST give the order of the columns for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as numbers_from

import numpy as np

from threadmill.page.judge.block_evidence import (
    KIND_CODES,
    TAG_GROUPS,
    TEXT,
    PageFacts,
    WordWeights,
    chains,
    frame_columns,
    text_columns,
)
from threadmill.page.judge.page_batch import Floats, Indices, Numbers, PageBatch, exact, running

WINDOWS = (2, 5, 12)  # blocks before and after a block that are looked at together with it
ANCESTORS = 4  # frames around a block that are looked at, from the inside
MOST_AFTER_H1 = (-50, 200)  # blocks; a block further away is simply far
MOST_AFTER_HEADING = 60
LONG_BLOCK = (25, 0.4)  # least words and greatest link density of a long block, for features of the page
EDGE = -1.0  # stands for the block before the first and after the last of a page

# For features of the layout.
FEW_WORDS = 8  # a block with fewer words adds nothing to the prose of its frames
LONG_PROSE = (20, 0.3)  # least words and greatest link density of long prose
FAR = 60  # blocks; a block further away is simply far
LEAST_CARDS = 3
CURRENCIES = "$€£"
WORD_PARTS = 1024  # masses are counted in whole parts of a word, so that their sums are exact

# The columns in the order that the model was trained with. The odds of the kinds of pages stand between them.
COLUMNS_FIRST = (
    "words",
    "chars",
    "link density",
    *TEXT[3:],
    "names own",
    "names sum",
    "names least",
    "names most",
    *(f"in {tags}" for tags, _ in TAG_GROUPS),
    "place by blocks",
    "place by text",
    "page blocks",
    "page chars",
    "page link density",
    "blocks after h1",
    "blocks after heading",
    *(f"frame {step} {name}" for step in range(ANCESTORS) for name in ("share", "links", "words", "prior")),
    "same text",
    "path count",
    "path share",
    "path links",
    "path words",
    "path prior",
    "words -1",
    "prior -1",
    "words +1",
    "prior +1",
    "ending +1",
    *(f"window {reach} {name}" for reach in WINDOWS for name in ("links", "words", "prior")),
    "page long share",
    "page long blocks",
    "page longest",
    "page words",
    "page headings",
    "page items",
    "page in main",
    "page in article",
    "page in form fieldset search",
    "page path share",
    "page same text",
    "page prior",
)
COLUMNS_LAST = (
    *(
        f"{where} main column by {mass}"
        for mass in ("prose", "prior")
        for where in ("depth in", "height above", "distance from", "share of")
    ),
    "cards",
    "cards share",
    "card chars",
    "page cards share",
    "page prices",
    "page hidden",
    "after first long",
    "after last long",
    "outside main",
)


def column_names(kinds: Sequence[str]) -> tuple[str, ...]:
    """The names of all columns, in their order, for these kinds of pages."""
    return (*COLUMNS_FIRST, *(f"kind {kind}" for kind in kinds), *COLUMNS_LAST)


class FeatureColumns:
    """Named columns, one value per block each."""

    __slots__ = ("names", "page", "values")

    def __init__(self, page: Indices, kinds: Sequence[str]) -> None:
        self.page = page  # of each block
        self.names = {name: i for i, name in enumerate(column_names(kinds))}
        self.values: dict[str, Numbers] = {}

    def add(self, name: str, values: Numbers) -> None:
        """Fill a column."""
        self.values[name] = values

    def add_page(self, name: str, values: Numbers) -> None:
        """Fill a column that is the same for every block of a page, from one value per page."""
        self.add(name, values[self.page])

    def column(self, name: str) -> Numbers:
        """A column by its name."""
        return self.values[name]

    def table(self) -> Floats:
        """One row per column, one column per block."""
        table = np.empty((len(self.names), len(self.page)), np.float32)
        for name, row in self.names.items():
            table[row] = self.values[name]
        return table


def features(batch: PageBatch, facts: Sequence[PageFacts], weights: WordWeights) -> FeatureColumns:
    """All features of the blocks of some pages."""
    columns = FeatureColumns(batch.page, facts[0].kinds)
    text = text_columns(batch, facts, weights)
    text["log words"] = np.log1p(text["words"])
    frames, bits = frame_columns(batch, weights)
    of_blocks = frames[:, batch.of]
    prior = exact(of_blocks[1] + text["lexical"])
    _add_text(columns, text)
    _add_frames(columns, of_blocks, bits[batch.of])
    _add_place(columns, batch, text)
    means = _range_means(batch, text, prior)
    for step in range(ANCESTORS):
        for name in ("share", "links", "words", "prior"):
            columns.add(f"frame {step} {name}", means[name][step])
    _add_groups(columns, batch, text, prior)
    _add_neighbours(columns, batch, text, prior)
    for i, reach in enumerate(WINDOWS, ANCESTORS):
        for name in ("links", "words", "prior"):
            columns.add(f"window {reach} {name}", means[name][i])
    _add_page(columns, batch, text, facts)
    for column, values in _layout_columns(batch, text, prior, columns.column("link density")):
        columns.add(column, values)
    inside = columns.column("in main")
    columns.add("outside main", (1 - inside) * batch.most(inside)[batch.page])
    return columns


def _add_text(columns: FeatureColumns, text: dict[str, Floats]) -> None:
    columns.add("words", text["log words"])
    columns.add("chars", np.log1p(text["chars"]))
    columns.add("link density", np.minimum(text["link_chars"] / np.maximum(text["chars"], 1), 1))
    for name in TEXT[3:]:
        columns.add(name, text[name])


def _add_frames(columns: FeatureColumns, frames: Floats, bits: Indices) -> None:
    for name, values in zip(("names own", "names sum", "names least", "names most"), frames, strict=True):
        columns.add(name, values)
    flags = ((bits >> np.arange(len(TAG_GROUPS))[:, None]) & 1).astype(np.float32)
    for (tags, _), values in zip(TAG_GROUPS, flags, strict=True):
        columns.add(f"in {tags}", values)


def _add_place(columns: FeatureColumns, batch: PageBatch, text: dict[str, Floats]) -> None:
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
    top[page[first[::-1]]] = index[first[::-1]]  # the first of several is written last, and stays
    columns.add("blocks after h1", np.clip(index - top[page], *MOST_AFTER_H1))
    headed = np.maximum.accumulate(np.where(text["heading"] > 0, np.arange(len(page)), -1))
    columns.add(
        "blocks after heading",
        np.minimum(
            np.where(headed < batch.firsts[page], index + 1, np.arange(len(page)) - headed),
            MOST_AFTER_HEADING,
        ),
    )


def _range_means(batch: PageBatch, text: dict[str, Floats], prior: Floats) -> dict[str, Floats]:
    """Share of the page's text, link density, mean log length and mean prior of each range of each block."""
    first, last = _ranges(batch)
    sums = running(
        np.stack((text["chars"], np.minimum(text["link_chars"], text["chars"]), text["log words"], prior))
    )
    chars, links, words, priors = (sums[:, last] - sums[:, first]).astype(np.float32)
    blocks = np.maximum(last - first, 1).astype(np.float32)
    total = np.maximum(batch.sums(text["chars"]), 1.0).astype(np.float32)
    return {
        "share": chars[:ANCESTORS] / total[batch.page],
        "links": links / np.maximum(chars, 1),
        "words": words / blocks,
        "prior": priors / blocks,
    }


def _ranges(batch: PageBatch) -> tuple[Indices, Indices]:
    """First and last block of the ranges around each block: its innermost frames, then windows."""
    count = len(batch.page)
    first, last = np.empty((2, ANCESTORS + len(WINDOWS), count), np.intp)
    frame = batch.of
    for step in range(ANCESTORS):
        first[step], last[step] = batch.starts[frame], batch.ends[frame]
        frame = batch.around[frame]
    reaches = np.array(WINDOWS)[:, None]
    index = np.arange(count)
    edge = batch.firsts[batch.page]
    np.maximum(index - reaches, edge, out=first[ANCESTORS:])
    np.minimum(index + reaches + 1, edge + batch.counts[batch.page], out=last[ANCESTORS:])
    return first, last


def _add_groups(columns: FeatureColumns, batch: PageBatch, text: dict[str, Floats], prior: Floats) -> None:
    """Blocks with the same tag path mostly have the same role: their means say what each of them is."""
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


def _same_texts(batch: PageBatch) -> Indices:
    """The same number for blocks of one page with equal texts."""
    ids: list[int] = []
    for texts in batch.by_page(batch.texts):
        numbers = dict(zip(dict.fromkeys(texts), numbers_from(len(ids)), strict=False))
        ids.extend(map(numbers.__getitem__, texts))
    return np.array(ids, np.intp)


def _add_neighbours(
    columns: FeatureColumns, batch: PageBatch, text: dict[str, Floats], prior: Floats
) -> None:
    for step in (-1, 1):
        columns.add(f"words {step:+}", shifted(batch, text["log words"], step))
        columns.add(f"prior {step:+}", shifted(batch, prior, step))
    columns.add("ending +1", shifted(batch, text["ending"], 1))


def shifted(batch: PageBatch, values: Floats, step: int) -> Floats:
    """The values of the block before (-1) or after (1)."""
    moved = np.roll(values, -step)
    moved[batch.firsts if step < 0 else batch.firsts + batch.counts - 1] = EDGE
    return moved


def _add_page(
    columns: FeatureColumns, batch: PageBatch, text: dict[str, Floats], facts: Sequence[PageFacts]
) -> None:
    """What the page as a whole is like: articles, lists of links and shops differ."""
    words, chars, counts = text["log words"], text["chars"], batch.counts
    total = np.maximum(batch.sums(chars), 1.0)
    least_words, most_links = LONG_BLOCK
    long = (text["words"] >= least_words) & (columns.column("link density") < most_links)
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


Named = tuple[str, Numbers]


def _layout_columns(
    batch: PageBatch, text: dict[str, Floats], prior: Floats, density: Floats
) -> Iterator[Named]:
    """Where blocks stand on the page as a whole: in the main column, among cards, beside long prose."""
    words = text["words"]
    prose = np.where(words >= FEW_WORDS, words * (1 - density), np.float32(0))
    yield from _main_column("prose", prose, batch)
    yield from _main_column("prior", words / (1 + np.exp(-prior)), batch)
    yield from _cards(batch, text["chars"])
    yield from _signs(batch)
    least_words, most_links = LONG_PROSE
    long = np.flatnonzero((words >= least_words) & (density < most_links))
    index = np.arange(len(words))
    for name, at in zip(("first", "last"), _ends(batch, long, -2 * FAR), strict=True):
        yield f"after {name} long", np.clip(index - at[batch.page], -FAR, 2 * FAR)


def _ends(batch: PageBatch, blocks: Indices, none: int) -> tuple[Indices, Indices]:
    """The first and the last of these blocks on each page."""
    first = np.full(len(batch.counts), none)
    last = first.copy()
    first[batch.page[blocks[::-1]]] = blocks[::-1]  # of several, the one that is written last stays
    last[batch.page[blocks]] = blocks
    return first, last


def _main_column(name: str, mass: Floats, batch: PageBatch) -> Iterator[Named]:
    """How deep each block stands in the main column, by some mass of text.

    Frames that hold at least half of the page's mass are nested in one another. The innermost of them is the
    main column.
    """
    page, count = batch.page, len(batch.page)
    sums = running(np.rint(mass * WORD_PARTS))
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
    yield f"depth in main column by {name}", level / np.maximum(deepest, 1)[page]
    yield f"height above main column by {name}", above
    yield f"distance from main column by {name}", np.clip(away, -FAR, FAR)
    yield f"share of main column by {name}", ((sums[last + 1] - sums[first]) / total)[page]


def _card_groups(batch: PageBatch) -> Indices:
    """A number for every frame, the same for frames of one tag under one parent."""
    numbers = {tag: i for i, tag in enumerate(dict.fromkeys(batch.tags))}
    tags = np.array([numbers[tag] for tag in batch.tags], np.intp)
    groups: Indices = batch.around * len(numbers) + tags[batch.shapes]
    return np.unique(groups, return_inverse=True)[1]


def _cards(batch: PageBatch, chars: Floats) -> Iterator[Named]:
    """Features of the outermost group of cards around a block: frames of one tag under one parent."""
    group = _card_groups(batch)
    cards = np.bincount(group, batch.filled).astype(np.intp)
    sums = running(chars)
    held = np.bincount(group, sums[batch.ends] - sums[batch.starts])
    total = np.maximum(batch.sums(chars), 1.0)
    is_card = batch.filled & (cards[group] >= LEAST_CARDS)
    outermost = np.where(is_card, np.arange(len(group)), -1)
    for outer in chains(batch.around):
        further = outermost[outer]
        outermost = np.where(further >= 0, further, outermost)
    found = outermost[batch.of]
    own = group[found]
    many, much = np.maximum(cards[own], 1), held[own]
    columns = np.log1p(many), much / total[batch.page], np.log1p(much / many)
    for name, values in zip(("cards", "cards share", "card chars"), columns, strict=True):
        yield name, np.where(found >= 0, values, 0)
    most = np.maximum.reduceat(np.where(is_card, held[group], 0), batch.first_frames)
    yield "page cards share", (most / total)[batch.page]


def _signs(batch: PageBatch) -> Iterator[Named]:
    """How many prices the page shows, and how many of its blocks are hidden."""
    prices = [sum(map("".join(texts).count, CURRENCIES)) for texts in batch.by_page(batch.texts)]
    yield "page prices", np.log1p(prices)[batch.page]
    yield "page hidden", (batch.sums(batch.hidden) / batch.counts)[batch.page]
