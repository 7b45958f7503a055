"""Finds the story of a page, and what is kept around it though it belongs to other stories.

The core is the frame with most of the long text that is surely content. Text outside of it is judged in
groups: a group is the largest frame around it that does not hold the core. A group continues the story if it
is prose with words or tags of the core. Other stories begin with a link each and have words of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from threadmill.native.loader import load_extension
from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import Cut
from threadmill.page.judge.block_evidence import PageFacts
from threadmill.page.judge.page_batch import Floats
from threadmill.page.judge.tree_model import KINDS

# Over the half of the sites that rules are written with, these settings gave word F1 .931 for .912 on news
# and .961 for .956 on articles. In place of .7 for text before the story, .6 and .8 gave .929 and .932 on
# news, but .850 and .844 on services. With documentation among the kinds, products lost .017.
_KINDS_WITH_STORY = frozenset({"article", "service"})
SURE_OF_STORY, _LONG_OF_STORY = 0.8, 15  # probability and words of a block that shows where the story is
_MOST_OF_STORY = 0.9
_LEAST_STORY = 50  # words
_NEAR_STORY = 5  # so many blocks before the story may belong to it: title, byline, lead
_SURE_BEFORE_STORY = 0.7

# On the same sites, judging groups around the core gave .949 for .938 (runs of four words) on news, where
# none of 312 pages became worse, and .953 as before on articles. With any size of the core, lists of
# articles lost .020; without the bar for the share of the core, services lost .070.
_LEAST_CORE = 70  # words
_LEVELS = 4  # frames around a block that its words count for, each half as much as the one inside
_CORE_OF_STORY = 0.5  # share of the core in all text that continues the story; else the page is made of parts
_CORE_OF_OTHER_KINDS = 0.7  # share of the core in the kept text of a page that seems to be of another kind
_NEVER_A_STORY = frozenset({"forum", "documentation"})
_LED_BY_LINKS = 0.3  # share of words in blocks after a link: teasers
_MANY_LINKS, _FEW_LINKS = 0.5, 0.3  # link densities
_OF_THE_CORE = 0.1, 0.15  # share of words that the core has: of sure text, of doubtful text
_LIKELY, _QUITE_LIKELY = 0.6, 0.75  # probability of doubtful text that continues the story
_IN_STYLE = 0.9  # share of words in blocks with a tag path of the core
_FEW_WORDS, _SOME_WORDS = 12, 20  # of titles, bylines and captions before the story
_LINK_WORDS = 3  # a link with fewer words is a button

# On the same sites, cells, items and headings inside of the story were rejected as unlike content though
# 1,200 of 1,437 are part of the text by hand. With them, runs of four words: articles .9544 to .9574.
_CELLS, LIST_ITEMS = frozenset({"td", "th"}), frozenset({"li", "dt", "dd"})
_LEAST_ITEM, _LEAST_HEADING = 0.2, 0.1  # probabilities

_SureBlocks = list[tuple[Block, int]]  # long blocks that are surely content, with their words

_WORD, _ASCII_WORD = re.compile(r"[^\W\d_]{4,}"), re.compile("[a-z]{4,}")

_COMPILED = load_extension("story")


@dataclass(frozen=True, slots=True)
class Core:
    """Where the story of a page is."""

    sure: _SureBlocks  # all of the page
    frame: int  # that with most of the long and sure text, near to it; -1 where there is too little text


def find_core(cutting: Cut, chances: Floats) -> Core:
    """The core of the story of a page."""
    search, find = _sure_blocks, _frame_of_core
    if _COMPILED is not None:
        search, find = _COMPILED.sure_blocks, _COMPILED.frame_of_core
    sure = search(cutting.blocks, chances, SURE_OF_STORY, _LONG_OF_STORY)
    return Core(sure, find(cutting.parents, sure, _LEVELS, _LEAST_STORY))


def outside_of_story(
    cutting: Cut, facts: PageFacts, chances: Floats, kept: Sequence[int], core: Core
) -> list[int]:
    """The blocks among `kept` that belong to no story or to another one than that of the page."""
    kind = KINDS[int(np.argmax(facts.kind_odds))] if len(facts.kind_odds) else ""
    has_story = kind in _KINDS_WITH_STORY
    if not has_story and kind in _NEVER_A_STORY:
        return []
    outside = _around_frame(_find_story(cutting, core.sure), chances, kept) if has_story else []
    if core.frame < 0:
        return outside
    gone = frozenset(outside)
    rest = [i for i in kept if i not in gone]
    groups = _Groups(cutting, facts.stop_words, chances, rest, core.frame)
    least_share = 0.0 if has_story else _CORE_OF_OTHER_KINDS
    if groups.core_words < max(_LEAST_CORE, least_share * groups.all_words):
        return outside
    return outside + groups.others()


def inside_of_story(cutting: Cut, chances: Floats, core: Core) -> range:
    """The blocks between the first and the last long paragraph of the core."""
    if core.frame < 0:
        return range(0)
    start, end = cutting.starts[core.frame], cutting.ends[core.frame]
    likely = (np.flatnonzero(chances[start:end] >= SURE_OF_STORY) + start).tolist()
    first, last = (
        next((i for i in found if word_count(cutting.blocks[i]) >= _LONG_OF_STORY), end)
        for found in (likely, reversed(likely))
    )
    return range(first + 1, last)


def small_parts(cutting: Cut, chances: Floats, rejected: Sequence[int]) -> list[int]:
    """The table cells, list items and headings among the rejected blocks inside of the story.

    Alone they look like menus. Between two long paragraphs of the core they are text like these.
    """
    gone = frozenset(rejected)
    return [i for i in rejected if _is_small_part(cutting.blocks, i, float(chances[i]), gone)]


def _is_small_part(blocks: Sequence[Block], number: int, chance: float, rejected: Set[int]) -> bool:
    """Whether a block is a table cell, a list item that is not unlikely, or the heading of a kept block."""
    block = blocks[number]
    if not block.text or block.hidden or block.link_chars > _FEW_LINKS * len(block.text):
        return False
    if block.heading:
        return chance >= _LEAST_HEADING and number + 1 not in rejected
    return block.tag in _CELLS or (block.tag in LIST_ITEMS and chance >= _LEAST_ITEM)


def _find_story(cutting: Cut, sure: _SureBlocks) -> tuple[int, int] | None:
    """The first block of the story and the one after its last; None where there is too little text.

    The story is the innermost frame that holds nearly all long text that is surely content.
    """
    find = _frame_of_most if _COMPILED is None else _COMPILED.frame_of_most
    story: int = find(cutting.parents, sure, _MOST_OF_STORY, _LEAST_STORY)
    return (cutting.starts[story], cutting.ends[story]) if story >= 0 else None


def _frame_of_most(parents: Sequence[int], sure: _SureBlocks, share: float, least_words: int) -> int:
    """The innermost frame that holds this share of the words of sure blocks; -1 where there is none."""
    held = [0] * len(parents)
    total = 0
    for block, words in sure:
        total += words
        if block.frame >= 0:
            held[block.frame] += words
    if total < least_words:
        return -1
    for frame in range(len(parents) - 1, -1, -1):  # inner frames have greater numbers
        if held[frame] >= share * total:
            return frame
        if parents[frame] >= 0:
            held[parents[frame]] += held[frame]
    return -1


def captions_of_pictures(cutting: Cut, kept: Sequence[int]) -> list[int]:
    """The captions among the kept blocks. On a page of pictures they are the text, and stay."""
    blocks = cutting.blocks
    if "figcaption" not in " ".join(cutting.paths):
        return []
    found = [i for i in kept if "figcaption" in blocks[i].path]
    if not found or 2 * sum(word_count(blocks[i]) for i in found) > sum(word_count(blocks[i]) for i in kept):
        return []
    return found


def word_count(block: Block) -> int:
    """How many words a block has, roughly."""
    return block.text.count(" ") + 1 if block.text else 0


def word_counts(blocks: Sequence[Block], numbers: Iterable[int]) -> dict[int, int]:
    """How many words each of some blocks has."""
    return {i: word_count(blocks[i]) for i in numbers}


def _sure_blocks(blocks: Sequence[Block], chances: Floats, least: float, least_words: int) -> _SureBlocks:
    """The long blocks that are surely text. A listing may be far longer than the story that it belongs to."""
    likely = map(blocks.__getitem__, np.flatnonzero(chances >= least).tolist())
    return [
        (block, words)
        for block in likely
        if (words := block.text.count(" ") + 1) >= least_words and not block.hidden and block.tag != "pre"
    ]


def _around_frame(story: tuple[int, int] | None, chances: Floats, kept: Sequence[int]) -> list[int]:
    """What stands after the frame of the story, and doubtful text far before it."""
    if story is None:
        return []
    start, end = story
    return [i for i in kept if i >= end or (i < start - _NEAR_STORY and chances[i] < _SURE_BEFORE_STORY)]


def _frame_of_core(parents: Sequence[int], sure: _SureBlocks, levels: int, least_words: int) -> int:
    """The frame with most words of sure blocks near to it; -1 where there are too few."""
    near: dict[int, float] = {}
    total = 0
    for block, words in sure:
        if 2 * block.link_chars > len(block.text):
            continue
        total += words
        frame, share = block.frame, float(words)
        for _ in range(levels):
            if frame < 0:
                break
            near[frame] = near.get(frame, 0.0) + share
            frame, share = parents[frame], share / 2
    if total < least_words:
        return -1
    return max(near, key=lambda frame: (near[frame], -frame), default=-1)


@dataclass(frozen=True, slots=True)
class _Group:
    """Kept blocks in one frame outside of the core."""

    blocks: list[int]
    words: int
    links: float  # share of the text that is links
    led: float  # share of the words in blocks after a link
    is_sure: bool  # whether a long block of it is surely content
    chance: float  # mean probability


class _Groups:
    """The kept text of a page: its core, and the groups around it."""

    def __init__(
        self, cutting: Cut, stop_words: Set[str], chances: Floats, kept: Sequence[int], core: int
    ) -> None:
        self._cutting, self._stop_words = cutting, stop_words
        # Plain numbers: to take one out of an array takes as long as all else that is done with it. What they
        # are compared with here, .8 and .5, is the same border in either precision.
        self._chances: list[float] = chances.tolist()
        self._core = core
        self._start, self._end = cutting.starts[core], cutting.ends[core]
        count = word_counts if _COMPILED is None else _COMPILED.word_counts
        self._words: dict[int, int] = count(cutting.blocks, kept)
        long = [
            i
            for i, words in self._words.items()
            if words >= _LONG_OF_STORY and self._start <= i < self._end and self._chances[i] >= SURE_OF_STORY
        ]
        # The first and the last long and sure block of the core.
        self._first, self._last = (min(long), max(long)) if long else (self._start, self._end)
        self._around = {core, -1}
        while (core := cutting.parents[core]) >= 0:
            self._around.add(core)
        self.all_words = sum(self._words.values())
        self.core_words = sum(words for i, words in self._words.items() if self._start <= i < self._end)

    def others(self) -> list[int]:
        """The blocks of groups that do not continue the story, and links at its end.

        A page that is made of several parts has no other stories: all parts are its text.
        """
        found: list[int] = []
        doubtful: list[_Group] = []
        story, end, beside = self.core_words, self._end, 0
        for group in self._find_groups():
            is_after = group.blocks[0] >= self._end
            if group.is_sure and not (is_after and self._is_other_story(group)):
                story, end = story + group.words, max(end, group.blocks[-1] + 1)
            elif group.is_sure:
                found += group.blocks
            elif is_after:
                doubtful.append(group)
                beside += group.words * (group.links < _MANY_LINKS and group.led < _LED_BY_LINKS)
            elif self._is_no_lead(group):
                found += group.blocks
        if self.core_words < _CORE_OF_STORY * story or beside > story:
            return []
        for group in doubtful:
            if group.blocks[0] >= end and not self._continues(group):
                found += group.blocks
        return found + self._head() + self._tail()

    def _find_groups(self) -> list[_Group]:
        found: dict[int, list[int]] = {}
        parents, blocks = self._cutting.parents, self._cutting.blocks
        for i, words in self._words.items():
            if self._start <= i < self._end or not words:
                continue
            outer, frame = -1 - i, blocks[i].frame  # a block directly in a frame around the core stands alone
            while frame not in self._around:
                outer, frame = frame, parents[frame]
            found.setdefault(outer, []).append(i)
        return [self._measure(numbers) for numbers in found.values()]

    def _measure(self, numbers: list[int]) -> _Group:
        total = chars = links = led = 0
        likely, is_sure = 0.0, False
        for i in numbers:  # one loop: a page may have hundreds of such blocks
            block, words, chance = self._cutting.blocks[i], self._words[i], self._chances[i]
            total += words
            chars += len(block.text)
            links += block.link_chars
            led += words if i and _is_link(self._cutting.blocks[i - 1]) else 0
            likely += chance * words
            is_sure = is_sure or (words >= _LONG_OF_STORY and chance >= SURE_OF_STORY)
        return _Group(numbers, total, links / chars, led / total, is_sure, likely / total)

    def _is_other_story(self, group: _Group) -> bool:
        """Whether text that is surely content tells something else."""
        if group.led >= _LED_BY_LINKS:
            return True
        return not self._is_in_style(group) and self._shared_words(group) < _OF_THE_CORE[0]

    def _is_no_lead(self, group: _Group) -> bool:
        """Whether doubtful text before the story is too long or too far from it for a title or a byline."""
        if group.words > _FEW_WORDS and group.links >= _MANY_LINKS:
            return True
        return (
            group.words > _SOME_WORDS
            and not self._is_in_style(group)
            and self._shared_words(group) < _OF_THE_CORE[0]
        )

    def _continues(self, group: _Group) -> bool:
        """Whether doubtful text after the story belongs to it."""
        if group.links >= _FEW_LINKS or group.led >= _LED_BY_LINKS or group.chance < _LIKELY:
            return False
        return (
            group.chance >= _QUITE_LIKELY
            or self._is_in_style(group)
            or self._shared_words(group) >= _OF_THE_CORE[1]
        )

    def _head(self) -> list[int]:
        """Doubtful links of the core before its first long and sure block: tools, lists of other stories."""
        blocks, chances = self._cutting.blocks, self._chances
        before = range(self._start, self._first)
        return [
            i
            for i in before
            if self._words.get(i)
            and chances[i] < SURE_OF_STORY
            and blocks[i].link_chars > _MANY_LINKS * len(blocks[i].text)
        ]

    def _tail(self) -> list[int]:
        """Blocks after the last long and sure block of the core that do not belong to it.

        These are links, and doubtful blocks of other frames than those of the story.
        """
        blocks, parents = self._cutting.blocks, self._cutting.parents
        found: dict[int, list[int]] = {}
        for i, words in self._words.items():
            if not self._last < i < self._end or not words:
                continue
            outer, frame = -1 - i, blocks[i].frame
            while frame != self._core and frame >= 0:
                outer, frame = frame, parents[frame]
            found.setdefault(outer, []).append(i)
        rest: list[int] = []
        for group in map(self._measure, found.values()):
            if not group.is_sure and self._ends_story(group):
                rest += group.blocks
        return rest

    def _ends_story(self, group: _Group) -> bool:
        if group.links >= _MANY_LINKS or group.led >= _LED_BY_LINKS:
            return group.chance < SURE_OF_STORY
        return group.chance < _LIKELY and not self._is_in_style(group)

    def _is_in_style(self, group: _Group) -> bool:
        """Whether the blocks of a group have the tag paths of the core."""
        blocks = self._cutting.blocks
        alike = sum(self._words[i] for i in group.blocks if blocks[i].path in self._core_paths)
        return alike >= _IN_STYLE * group.words

    def _shared_words(self, group: _Group) -> float:
        """The share of the words of a group that the core has too, without stop words and short words."""
        found = [
            word
            for i in group.blocks
            for word in _long_words(self._cutting.blocks[i].text)
            if word not in self._stop_words
        ]
        return sum(word in self._core_vocabulary for word in found) / max(1, len(found))

    @cached_property
    def _core_blocks(self) -> list[Block]:
        blocks = self._cutting.blocks
        last = min(self._last + 1, self._end)
        return [blocks[i] for i in range(self._start, last) if self._chances[i] >= 0.5]

    @cached_property
    def _core_vocabulary(self) -> Set[str]:
        words = {word for block in self._core_blocks for word in _long_words(block.text)}
        return words - self._stop_words

    @cached_property
    def _core_paths(self) -> Set[str]:
        return {block.path for block in self._core_blocks}


def _long_words(text: str) -> list[str]:
    """The words of four letters or more. For ASCII there is an expression that takes a third of the time."""
    text = text.lower()
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text)


def _is_link(block: Block) -> bool:
    """Whether a block is a link with some words: the headline of a teaser."""
    text = block.text
    return block.link_chars > 0.8 * len(text) and text.count(" ") + 1 >= _LINK_WORDS
