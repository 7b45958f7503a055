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
from threadmill.page.layout import layout_columns

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

    def put(self, name: str, values: Floats | float) -> None:
        """Append a column of either sort."""
        self.names.append(name)
        self.values.append(values)

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
    of = np.array([block.frame for block in cutting.blocks], np.intp)
    text = text_columns(cutting, of, facts, lexicon)
    frames, bits = frame_columns(cutting, lexicon)
    prior = frames[of, 1] + text["lexical"]
    _add_text(columns, text)
    _add_frames(columns, frames[of], bits[of])
    _add_place(columns, text)
    means = _range_means(text, prior, *_ranges(cutting, of))
    for step in range(_ANCESTORS):
        for name in ("share", "links", "words", "prior"):
            columns.add(f"frame {step} {name}", means[name][step])
    _add_groups(columns, cutting, text, prior)
    _add_neighbours(columns, text, prior)
    for i, reach in enumerate(_WINDOWS, _ANCESTORS):
        for name in ("links", "words", "prior"):
            columns.add(f"window {reach} {name}", means[name][i])
    _add_page(columns, text, facts)
    for column, values in layout_columns(cutting, of, text, prior, columns.column("link density")):
        columns.put(column, values)
    inside = columns.column("in main")
    columns.put("outside main", (1 - inside) * inside.max())
    return columns


def _add_text(columns: Columns, text: dict[str, Floats]) -> None:
    columns.add("words", np.log1p(text["words"]))
    columns.add("chars", np.log1p(text["chars"]))
    columns.add("link density", np.minimum(text["link_chars"] / np.maximum(text["chars"], 1), 1))
    for name in TEXT[3:]:
        columns.add(name, text[name])


def _add_frames(columns: Columns, frames: Floats, bits: Indices) -> None:
    for name, values in zip(("names own", "names sum", "names least", "names most"), frames.T, strict=True):
        columns.add(name, values)
    flags = ((bits >> np.arange(len(TAG_GROUPS))[:, None]) & 1).astype(np.float32)
    for (tags, _), values in zip(TAG_GROUPS, flags, strict=True):
        columns.add(f"in {tags}", values)


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


def _ranges(cutting: Cut, of: Indices) -> tuple[Indices, Indices]:
    """For every block the ranges of blocks it is seen in: its innermost frames, then windows around it."""
    count = len(of)
    starts, ends, parents = np.array((cutting.starts, cutting.ends, cutting.parents), np.intp)
    ends, parents = np.maximum(ends, starts), np.maximum(parents, 0)
    first, last = np.empty((2, _ANCESTORS + len(_WINDOWS), count), np.intp)
    frame = of
    for step in range(_ANCESTORS):
        first[step], last[step] = starts[frame], ends[frame]
        frame = parents[frame]
    reaches = np.array(_WINDOWS)[:, None]
    index = np.arange(count)
    np.maximum(index - reaches, 0, out=first[_ANCESTORS:])
    np.minimum(index + reaches + 1, count, out=last[_ANCESTORS:])
    return first, last


def _range_means(text: dict[str, Floats], prior: Floats, first: Indices, last: Indices) -> dict[str, Floats]:
    """Share of the page's text, link density, mean log length and mean prior of each range."""
    sums = np.zeros((4, len(prior) + 1))
    columns = (text["chars"], np.minimum(text["link_chars"], text["chars"]), np.log1p(text["words"]), prior)
    np.cumsum(np.stack(columns), axis=1, out=sums[:, 1:])
    chars, links, words, priors = (sums[:, last] - sums[:, first]).astype(np.float32)
    blocks = np.maximum(last - first, 1).astype(np.float32)
    return {
        "share": chars / np.float32(max(sums[0, -1], 1.0)),
        "links": links / np.maximum(chars, 1),
        "words": words / blocks,
        "prior": priors / blocks,
    }


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
