"""A batch of pages laid end to end, so that one call of numpy counts for the blocks of all of them.

A page has some two hundred blocks. For so few numbers a call of numpy costs more than its work. Pages in a
batch must not influence one another: sums over parts of a page are differences of running sums, and these are
exact, because all summed values are multiples of a power of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import Cut

Floats = NDArray[np.float32]
Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]
Numbers = NDArray[Any]  # of any sort

EXACT = 2.0**16  # weights and probabilities are rounded to multiples of 1 / EXACT before they are summed


@dataclass(frozen=True, slots=True)
class PageBatch:
    """The blocks and frames of some pages. Every page has blocks.

    Every page has one frame more than its cut. This last frame stands for the page itself, and is its own
    parent.
    """

    cuts: Sequence[Cut]
    blocks: list[Block]
    texts: list[str]  # of the blocks
    hidden: Flags  # which of them are
    page: Indices  # of each block
    firsts: Indices  # the first block of each page …
    counts: Indices  # … and how many it has
    of: Indices  # the frame of each block
    first_frames: Indices  # of each page
    around: Indices  # the frame around each frame
    starts: Indices  # the first block of each frame …
    ends: Indices  # … and the one after its last
    filled: Flags  # frames that are elements and hold a block
    shapes: Indices  # of each frame, …
    tags: list[str]  # … its tag, …
    paths: list[str]  # … its tag path …
    headings: list[int]  # … and the heading around it

    @staticmethod
    def of_cuts(cuts: Sequence[Cut]) -> PageBatch:
        """Lay pages end to end."""
        counts = np.array([len(cut.blocks) for cut in cuts], np.intp)
        firsts = np.cumsum(counts) - counts
        frames = np.array([len(cut.parents) + 1 for cut in cuts], np.intp)
        lasts = np.cumsum(frames) - 1  # the frame that is the page
        shapes = np.array([len(cut.paths) + 1 for cut in cuts], np.intp)
        total = int(frames.sum())
        parents, starts, ends, own = (
            np.fromiter(chain.from_iterable(column), np.intp, total)
            for column in (
                (chain(cut.parents, (-1,)) for cut in cuts),
                (chain(cut.starts, (-1,)) for cut in cuts),
                (chain(cut.ends, (0,)) for cut in cuts),
                (chain(cut.shapes, (len(cut.paths),)) for cut in cuts),
            )
        )
        filled = starts >= 0
        starts[lasts], ends[lasts] = 0, counts
        starts = np.maximum(starts, 0)
        ends = np.maximum(ends, starts)
        blocks = list(chain.from_iterable([cut.blocks for cut in cuts]))
        page, home = np.repeat(np.arange(len(cuts)), counts), np.repeat(np.arange(len(cuts)), frames)
        offsets = lasts + 1 - frames
        of = np.array([block.frame for block in blocks], np.intp)
        return PageBatch(
            cuts,
            blocks,
            [block.text for block in blocks],
            np.array([block.hidden != "" for block in blocks], bool),
            page,
            firsts,
            counts,
            np.where(of < 0, lasts[page], of + offsets[page]),
            offsets,
            np.where(parents < 0, lasts[home], parents + offsets[home]),
            starts + firsts[home],
            ends + firsts[home],
            filled,
            own + (np.cumsum(shapes) - shapes)[home],
            list(chain.from_iterable([(*cut.tags, "body") for cut in cuts])),
            list(chain.from_iterable([(*cut.paths, "") for cut in cuts])),
            list(chain.from_iterable([(*cut.headings, 0) for cut in cuts])),
        )

    def by_page(self, values: list[Any]) -> Iterator[list[Any]]:
        """Values of blocks, page by page."""
        for first, count in zip(self.firsts.tolist(), self.counts.tolist(), strict=True):
            yield values[first : first + count]

    def index(self) -> Indices:
        """The number of every block on its page."""
        return np.arange(len(self.page)) - self.firsts[self.page]

    def sums(self, values: Numbers) -> Numbers:
        """The sum over each page."""
        return np.bincount(self.page, values, len(self.counts))

    def most(self, values: Numbers) -> Numbers:
        """The greatest value of each page."""
        greatest: Numbers = np.maximum.reduceat(values, self.firsts)
        return greatest


def exact(values: Numbers) -> Floats:
    """The values, rounded so that sums of thousands of them are exact in any order."""
    return (np.rint(values * EXACT) / EXACT).astype(np.float32)


def running(values: Numbers) -> NDArray[np.float64]:
    """Running sums: the sum of all values before each place, and of all values at the end."""
    sums = np.zeros((*values.shape[:-1], values.shape[-1] + 1))
    np.cumsum(values, axis=-1, out=sums[..., 1:])
    return sums
