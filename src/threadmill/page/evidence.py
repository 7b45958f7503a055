"""What speaks for and against each block of a page, as numbers: the input of the trained judgement.

One Python loop over frames and one over blocks gather counts; all about neighbours, groups and positions is
arithmetic on whole columns. Blocks inside a frame are consecutive, so sums over a frame are differences of
running sums.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element

from threadmill.page.block import Block
from threadmill.page.cut import Cut

Floats = NDArray[np.float32]
Indices = NDArray[np.intp]

TAG_GROUPS = (
    ("nav", "navigation menu menubar directory"),
    ("header", "banner"),
    ("footer", "contentinfo"),
    ("aside", "complementary"),
    ("main", "main"),
    ("article", "article"),
    ("section", "region"),
    ("form fieldset search", "search form"),
    ("table", "table grid"),
    ("ul ol menu dl", "list listbox"),
    ("figure", "figure img"),
    ("noscript", ""),
    ("details summary", ""),
    ("blockquote", ""),
    ("dialog", "dialog alertdialog alert"),
    ("button", "button tab tablist"),
    ("h1 h2 h3 h4 h5 h6", "heading"),
)
_TAG_BITS = {tag: 1 << i for i, (tags, _) in enumerate(TAG_GROUPS) for tag in tags.split()}
_ROLE_BITS = {role: 1 << i for i, (_, roles) in enumerate(TAG_GROUPS) for role in roles.split()}

_KINDS = """
    p li td th dt dd div pre blockquote button figcaption section article a header footer nav summary body
    noscript aside label
"""
KIND_CODES = {kind: i + 1 for i, kind in enumerate(_KINDS.split())}

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAME_PARTS = re.compile(r"[a-z]{2,}")
_WORDS = re.compile(r"[^\W\d_]+")
_MARK = "\0"  # in no text: the parser replaces it
_WORDS_AND_MARKS = re.compile(r"[^\W\d_]+|\0")
_SENTENCE_ENDS = frozenset('.!?。！？…"”')
# What a block is shows in its beginning.
_FEW_CHARS = 120
_MOST_SEEN = 50_000
_MOST_NAMES = 300  # characters of an attribute; megabytes of class names say no more


def name_parts(names: str) -> tuple[str, ...]:
    """The words in class names, ids and their like: "postBody_3 js-post" → post, body, js."""
    return tuple(dict.fromkeys(_NAME_PARTS.findall(_CAMEL.sub(" ", names[:_MOST_NAMES]).lower())))


def block_words(text: str) -> list[str]:
    """The first words of a block as the lexicon knows them."""
    return _WORDS.findall(text[:_FEW_CHARS].lower())


@dataclass(frozen=True, slots=True)
class Lexicon:
    """How much a word in a name or a text speaks for content, learnt from pages; unknown words say nil."""

    names: Mapping[str, float]
    words: Mapping[str, float]
    seen: dict[str, float] = field(default_factory=dict)  # attribute values weighed before: sites repeat them

    def weigh(self, names: str) -> float:
        """How much the words in an element's names speak for content, together."""
        if len(self.seen) > _MOST_SEEN:
            self.seen.clear()
        weight = sum(self.names.get(part, 0.0) for part in name_parts(names))
        self.seen[names] = weight
        return weight


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of the page as a whole before its blocks are looked at."""

    title: str = ""
    stop_words: Set[str] = frozenset()
    kinds: Sequence[str] = ()  # of page, with the logarithm of how likely each is
    kind_odds: Sequence[float] | Floats = ()


def frame_names(cutting: Cut) -> list[str]:
    """Class, id, role and itemprop of every frame, as one string each."""
    names = []
    for element in cutting.elements:
        attr = element.attr
        one, two = attr("class"), attr("id")
        three = attr("itemprop")
        names.append(f"{one or ''} {two or ''} {three or ''}"[:_MOST_NAMES] if one or two or three else "")
    return names


def frame_columns(cutting: Cut, lexicon: Lexicon) -> tuple[Floats, Indices]:
    """For every frame: its names' own weight, the chain's sum, least and greatest; its chain's tag bits."""
    known, weigh = lexicon.seen, lexicon.weigh
    own = [
        0.0 if not names else known[names] if names in known else weigh(names)
        for names in frame_names(cutting)
    ]
    bits = np.array([_bits(element) for element in cutting.elements], np.intp)
    outer = np.array(cutting.parents, np.intp)
    total = np.array(own, np.float32)
    least, most = np.minimum(total, 0), np.maximum(total, 0)
    columns = [total.copy(), total, least, most]
    # each round doubles how far up the chain a frame has looked, until all have seen the outermost
    while (inner := np.flatnonzero(outer >= 0)).size:
        above = outer[inner]
        total[inner] += total[above]
        least[inner] = np.minimum(least[inner], least[above])
        most[inner] = np.maximum(most[inner], most[above])
        bits[inner] |= bits[above]
        outer[inner] = outer[above]
    return np.stack(columns, axis=1), bits


def _bits(element: Element) -> int:
    role = element.attr("role")
    bit = _TAG_BITS.get(element.tag, 0)
    return bit | _ROLE_BITS.get(role, 0) if role else bit


TEXT = ("words", "chars", "link_chars", "digits", "capitals", "ending", "stop_words", "title", "lexical",
        "lexical_min", "heading", "kind", "depth")  # fmt: skip


def text_columns(blocks: Sequence[Block], facts: PageFacts, lexicon: Lexicon) -> dict[str, Floats]:
    """What each block's own text says.

    The beginnings of all blocks are looked at as one text with a mark after each, so that finding and looking
    up words is one call for the page.
    """
    rows = [
        (
            block.text.count(" ") + 1 if block.text else 0,
            len(block.text),
            block.link_chars,
            2.0 if block.text[-1:] in _SENTENCE_ENDS else 1.0 if block.text[-1:] == ":" else 0.0,
            block.heading,
            KIND_CODES.get(block.tag, 0),
            block.path.count("."),
        )
        for block in blocks
    ]
    table = np.ascontiguousarray(np.array(rows, np.float32).T)
    columns = dict(
        zip(("words", "chars", "link_chars", "ending", "heading", "kind", "depth"), table, strict=True)
    )
    beginnings = _MARK.join([block.text[:_FEW_CHARS] for block in blocks]) + _MARK
    _count_characters(columns, beginnings)
    _look_up_words(columns, beginnings.lower(), facts, lexicon)
    return columns


def _count_characters(columns: dict[str, Floats], beginnings: str) -> None:
    """Shares of digits and capitals in the beginning of each block, over its bytes."""
    raw = np.frombuffer(beginnings.encode("utf-8", "replace"), np.uint8)
    ends = np.flatnonzero(raw == 0)
    size = np.maximum(np.diff(ends, prepend=-1) - 1, 1)
    for name, first, last in (("digits", 48, 57), ("capitals", 65, 90)):
        found = np.cumsum((raw >= first) & (raw <= last))[ends]
        columns[name] = (np.diff(found, prepend=0) / size).astype(np.float32)


def _look_up_words(columns: dict[str, Floats], beginnings: str, facts: PageFacts, lexicon: Lexicon) -> None:
    """Which words of each block's beginning are stop words or in the title, and what the lexicon says."""
    words = _WORDS_AND_MARKS.findall(beginnings)
    title = frozenset(block_words(facts.title))
    ends = np.flatnonzero(np.fromiter(map(_MARK.__eq__, words), bool, len(words)))
    starts = np.concatenate(([0], ends[:-1] + 1))
    count = np.maximum(ends - starts, 1)
    weights = np.fromiter(map(lexicon.words.get, words, repeat(0.0)), np.float32, len(words))
    for name, known in (("stop_words", facts.stop_words), ("title", title)):
        found = np.fromiter(map(known.__contains__, words), bool, len(words))
        columns[name] = (np.add.reduceat(found, starts, dtype=np.float32) / count).astype(np.float32)
    # the mark itself weighs nothing and closes every block, so that no range is empty
    columns["lexical"] = np.add.reduceat(weights, starts)
    columns["lexical_min"] = np.minimum.reduceat(weights, starts)


def group_ids(keys: Sequence[Any]) -> tuple[Indices, Indices]:
    """The same number for equal keys, and how often each occurs."""
    numbers: dict[Any, int] = {}
    ids = np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.intp)
    return ids, np.bincount(ids, minlength=len(numbers))
