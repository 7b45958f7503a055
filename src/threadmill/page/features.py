"""The columns a block is judged by, from what its text, its frames, its neighbours and its page say."""

from __future__ import annotations

from typing import cast

import numpy as np

from threadmill.page.cut import Cut
from threadmill.page.evidence import (
    KIND_CODES,
    TAG_GROUPS,
    TEXT,
    Floats,
    Indices,
    Lexicon,
    PageFacts,
    frame_columns,
    group_ids,
    text_columns,
)

_WINDOWS = (2, 5, 12)
_ANCESTORS = 4


class Columns:
    """Named columns in the order they were added: the order the model was trained with."""

    __slots__ = ("names", "values")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.values: list[Floats | float] = []  # a plain number stands for a column of it

    def add(self, name: str, values: Floats) -> None:
        """Append a column."""
        self.names.append(name)
        self.values.append(values)

    def constant(self, name: str, value: float) -> None:
        """Append a column that says the same of every block."""
        self.names.append(name)
        self.values.append(value)

    def column(self, name: str) -> Floats:
        """A column by its name, not a constant one."""
        return cast(Floats, self.values[self.names.index(name)])

    def table(self) -> Floats:
        """One row per column, one column per block."""
        count = next(len(values) for values in self.values if isinstance(values, np.ndarray))
        table = np.empty((len(self.values), count), np.float32)
        for i, values in enumerate(self.values):
            table[i] = values
        return table


def features(cutting: Cut, facts: PageFacts, lexicon: Lexicon) -> Columns:
    """Everything that is known of the blocks of a page, column by column."""
    columns = Columns()
    text = text_columns(cutting.blocks, facts, lexicon)
    frames, bits = frame_columns(cutting, lexicon)
    of = np.array([block.frame for block in cutting.blocks], np.intp)
    hint = frames[of, 1]
    prior = hint + text["lexical"]
    _add_text(columns, text)
    _add_frames(columns, frames[of], bits[of])
    _add_place(columns, text)
    sums = _Sums(text, prior)
    _add_ancestors(columns, cutting, of, sums)
    _add_groups(columns, cutting, text, prior)
    _add_neighbours(columns, text, prior)
    _add_windows(columns, sums)
    _add_page(columns, text, facts)
    return columns


def _add_text(columns: Columns, text: dict[str, Floats]) -> None:
    columns.add("words", np.log1p(text["words"]))
    columns.add("chars", np.log1p(text["chars"]))
    columns.add("link density", np.minimum(text["link_chars"] / np.maximum(text["chars"], 1), 1))
    for name in TEXT[3:]:
        columns.add(name, text[name])


def _add_frames(columns: Columns, frames: Floats, bits: Indices) -> None:
    for i, name in enumerate(("names own", "names sum", "names least", "names most")):
        columns.add(name, frames[:, i])
    for i, (tags, _) in enumerate(TAG_GROUPS):
        columns.add(f"in {tags}", ((bits >> i) & 1).astype(np.float32))


def _add_place(columns: Columns, text: dict[str, Floats]) -> None:
    count = len(text["chars"])
    index = np.arange(count, dtype=np.float32)
    running = np.cumsum(text["chars"])
    total = max(float(running[-1]), 1.0)
    columns.add("place by blocks", index / np.float32(count))
    columns.add("place by text", running / total)
    columns.constant("page blocks", float(np.log1p(count)))
    columns.constant("page chars", float(np.log1p(total)))
    columns.constant("page link density", float(text["link_chars"].sum()) / total)
    first = np.flatnonzero(text["heading"] == 1)
    top = int(first[0]) if len(first) else 0
    columns.add("blocks after h1", np.clip(index - top, -50, 200))
    headings = np.where(text["heading"] > 0, index, -1)
    columns.add("blocks after heading", np.minimum(index - np.maximum.accumulate(headings), 60))


class _Sums:
    """Running sums over the blocks, from which the sums over any range of them follow."""

    __slots__ = ("chars", "count", "links", "prior", "total", "words")

    def __init__(self, text: dict[str, Floats], prior: Floats) -> None:
        self.chars = running(text["chars"])
        self.links = running(np.minimum(text["link_chars"], text["chars"]))
        self.words = running(np.log1p(text["words"]))
        self.prior = running(prior)
        self.count = len(prior)
        self.total = max(float(self.chars[-1]), 1.0)

    def over(self, start: Indices, end: Indices) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Blocks, characters, link density, mean log length and mean prior of ranges."""
        blocks = np.maximum(end - start, 1).astype(np.float32)
        chars = self.chars[end] - self.chars[start]
        links = (self.links[end] - self.links[start]) / np.maximum(chars, 1)
        words = (self.words[end] - self.words[start]) / blocks
        return blocks, chars, links, words, (self.prior[end] - self.prior[start]) / blocks


def running(values: Floats) -> Floats:
    sums = np.zeros(len(values) + 1, np.float64)
    np.cumsum(values, out=sums[1:])
    return sums.astype(np.float32)


def _add_ancestors(columns: Columns, cutting: Cut, of: Indices, sums: _Sums) -> None:
    starts, ends = np.array(cutting.starts, np.intp), np.array(cutting.ends, np.intp)
    parents = np.maximum(np.array(cutting.parents, np.intp), 0)
    frame = of
    for step in range(_ANCESTORS):
        start, end = starts[frame], np.maximum(ends[frame], starts[frame])
        _, chars, links, words, prior = sums.over(start, end)
        columns.add(f"frame {step} share", chars / sums.total)
        columns.add(f"frame {step} links", links)
        columns.add(f"frame {step} words", words)
        columns.add(f"frame {step} prior", prior)
        frame = parents[frame]


def _add_groups(columns: Columns, cutting: Cut, text: dict[str, Floats], prior: Floats) -> None:
    """Blocks of one tag path are of one make: what most of them are says what each is."""
    same_text, often = group_ids([block.text for block in cutting.blocks])
    columns.add("same text", np.log1p(often[same_text]).astype(np.float32))
    ids, counts = group_ids([block.path for block in cutting.blocks])
    size = counts.astype(np.float32)
    columns.add("path count", np.log1p(size)[ids])
    chars = np.bincount(ids, text["chars"]).astype(np.float32)
    columns.add("path share", (chars / max(float(chars.sum()), 1.0))[ids])
    links = np.bincount(ids, text["link_chars"]) / np.maximum(chars, 1)
    columns.add("path links", np.minimum(links, 1)[ids].astype(np.float32))
    columns.add("path words", (np.bincount(ids, np.log1p(text["words"])) / size)[ids].astype(np.float32))
    columns.add("path prior", (np.bincount(ids, prior) / size)[ids].astype(np.float32))


def _add_neighbours(columns: Columns, text: dict[str, Floats], prior: Floats) -> None:
    words = np.log1p(text["words"])
    for step in (-1, 1):
        columns.add(f"words {step:+}", shifted(words, step))
        columns.add(f"prior {step:+}", shifted(prior, step))
    columns.add("ending +1", shifted(text["ending"], 1))


def shifted(values: Floats, step: int, edge: float = -1.0) -> Floats:
    """The values of the block that many places on; the edges of the page have a value of their own."""
    moved = np.full(len(values), edge, values.dtype)
    if abs(step) < len(values):
        if step > 0:
            moved[:-step] = values[step:]
        else:
            moved[-step:] = values[:step]
    return moved


def _add_windows(columns: Columns, sums: _Sums) -> None:
    index = np.arange(sums.count)
    for reach in _WINDOWS:
        start, end = np.maximum(index - reach, 0), np.minimum(index + reach + 1, sums.count)
        _, _, links, words, prior = sums.over(start, end)
        columns.add(f"window {reach} links", links)
        columns.add(f"window {reach} words", words)
        columns.add(f"window {reach} prior", prior)


def _add_page(columns: Columns, text: dict[str, Floats], facts: PageFacts) -> None:
    """What the page as a whole is like: articles, lists of links, a shop's shelf differ."""
    words, chars = columns.column("words"), text["chars"]
    total = max(float(chars.sum()), 1.0)
    long = (text["words"] >= 25) & (columns.column("link density") < 0.4)
    columns.constant("page long share", float(chars[long].sum()) / total)
    columns.constant("page long blocks", float(np.log1p(long.sum())))
    columns.constant("page longest", float(words.max()))
    columns.constant("page words", float(words.mean()))
    columns.constant("page headings", float(np.log1p((text["heading"] > 0).sum())))
    columns.constant("page items", float((text["kind"] == KIND_CODES["li"]).mean()))
    for name in ("in main", "in article", "in form fieldset search"):
        columns.constant(f"page {name}", float(columns.column(name).mean()))
    columns.constant("page path share", float(columns.column("path share").max()))
    columns.constant("page same text", float(columns.column("same text").mean()))
    columns.constant("page prior", float((columns.column("frame 0 prior") * chars).sum()) / total)
    for name, value in zip(facts.kinds, facts.kind_odds, strict=True):
        columns.constant(f"kind {name}", float(value))
