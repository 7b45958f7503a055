"""What speaks for and against each block of a page, as numbers: the input of the trained judgement.

One Python loop over frames and one over blocks gather counts; all about neighbours, groups and positions is
arithmetic on whole columns. Blocks inside a frame are consecutive, so sums over a frame are differences of
running sums.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import repeat
from operator import methodcaller
from typing import Any

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element

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
_MARK = "\0"  # in no text: the parser replaces it
_WORDS = re.compile(r"[^\W\d_]+")
# What is no letter of ASCII becomes a blank, but for the mark; other punctuation is taken out before.
_OTHER_PUNCTUATION = re.compile(r"[^\w\x00-\x7f]+")
_LETTERS_AND_MARKS = bytes(
    c if c in {0, *range(0x61, 0x7B), *range(0x80, 0x100)} else 0x20 for c in range(256)
)
_ENDINGS = dict.fromkeys('.!?。！？…"”', 2.0) | {":": 1.0}
# What a block is shows in its beginning.
_FEW_CHARS = 120
_MOST_SEEN = 50_000
_MOST_NAMES = 300  # characters of an attribute; megabytes of class names say no more

# What is known of a word is one number, so that a page's words are looked up once: its weight, and far above
# every weight whether it is a stop word, is in the title, or is the mark that closes a block.
_STOP_WORD, _TITLE_WORD, _CLOSES = 1e3, 1e6, 1e9


def name_parts(names: str) -> tuple[str, ...]:
    """The words in class names, ids and their like: "postBody_3 js-post" → post, body, js."""
    return tuple(dict.fromkeys(_NAME_PARTS.findall(_CAMEL.sub(" ", names[:_MOST_NAMES]).lower())))


def block_words(text: str) -> list[str]:
    """The first words of a block as the lexicon knows them."""
    return _WORDS.findall(text[:_FEW_CHARS].lower())


Names = tuple[str | None, ...]  # class, id and itemprop of an element


class _Weights(dict[Names, float]):
    """Names of an element → how much they speak for content; asked for what is not there, it finds out."""

    def __init__(self, words: Mapping[str, float]) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, names: Names) -> float:
        weight = sum(self._words.get(part, 0.0) for part in name_parts(joined_names(names)))
        self[names] = weight
        return weight


@dataclass(frozen=True, slots=True)
class Lexicon:
    """How much a word in a name or a text speaks for content, learnt from pages; unknown words say nil."""

    names: Mapping[str, float]
    words: Mapping[str, float]
    seen: dict[Names, float] = field(init=False)  # names weighed before: sites repeat them
    tables: dict[Set[str], dict[str, float]] = field(default_factory=dict)  # stop words → all that is known

    def __post_init__(self) -> None:
        """Names are weighed when they are first met."""
        object.__setattr__(self, "seen", _Weights(self.names))

    def weigh(self, names: Sequence[Names]) -> list[float]:
        """How much the words in each element's names speak for content, together."""
        if len(self.seen) > _MOST_SEEN:
            self.seen.clear()
        return list(map(self.seen.__getitem__, names))

    def table(self, stop_words: Set[str], title: Iterable[str]) -> dict[str, float]:
        """Word → what is known of it on this page, as one number."""
        if stop_words not in self.tables:
            known = dict.fromkeys(stop_words, _STOP_WORD)
            known.update((word, weight + known.get(word, 0.0)) for word, weight in self.words.items())
            self.tables[stop_words] = known
        table = self.tables[stop_words].copy()
        table.update((word, table.get(word, 0.0) + _TITLE_WORD) for word in set(title))
        table[_MARK] = _CLOSES
        return table


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of the page as a whole before its blocks are looked at."""

    title: str = ""
    stop_words: Set[str] = frozenset()
    kinds: Sequence[str] = ()  # of page, with the logarithm of how likely each is
    kind_odds: Sequence[float] | Floats = ()


_NAMED_BY = tuple(map(methodcaller, repeat("attr"), ("class", "id", "itemprop")))
_ROLE = methodcaller("attr", "role")


def frame_names(elements: Sequence[Element]) -> list[Names]:
    """Class, id and itemprop of every frame."""
    return list(zip(*(map(attribute, elements) for attribute in _NAMED_BY), strict=True))


def joined_names(names: Names) -> str:
    """The names of an element as one text."""
    return " ".join(name or "" for name in names)[:_MOST_NAMES]


def frame_columns(cutting: Cut, lexicon: Lexicon) -> tuple[Floats, Indices]:
    """For every frame: its names' own weight, the chain's sum, least and greatest; its chain's tag bits."""
    count = len(cutting.parents)
    filled = [i for i, start in enumerate(cutting.starts) if start >= 0]  # the others are around nothing
    elements = [cutting.elements[i] for i in filled]
    own = np.zeros(count + 1, np.float32)  # one more frame around all, which says nothing
    own[filled] = lexicon.weigh(frame_names(elements))
    bits = np.zeros(count + 1, np.intp)
    bits[:count] = np.array([_TAG_BITS.get(tag, 0) for tag in cutting.tags], np.intp)[cutting.shapes]
    bits[filled] |= np.fromiter(map(_ROLE_BITS.get, map(_ROLE, elements), repeat(0)), np.intp, len(filled))
    outer = np.array([*cutting.parents, count], np.intp)
    outer[outer < 0] = count
    total = own.copy()
    extremes = np.maximum(np.stack((own, -own)), 0)
    # each round doubles how far up the chain a frame has looked, until all have seen the outermost
    while (outer < count).any():
        total += total[outer]
        np.maximum(extremes, extremes[:, outer], out=extremes)
        bits |= bits[outer]
        outer = outer[outer]
    return np.stack((own, total, -extremes[1], extremes[0]), axis=1)[:count], bits[:count]


TEXT = ("words", "chars", "link_chars", "digits", "capitals", "ending", "stop_words", "title", "lexical",
        "lexical_min", "heading", "kind", "depth")  # fmt: skip


def text_columns(cutting: Cut, of: Indices, facts: PageFacts, lexicon: Lexicon) -> dict[str, Floats]:
    """What each block's own text says, and the frame it stands in directly.

    The beginnings of all blocks are looked at as one text with a mark after each, so that finding and looking
    up words is one call for the page.
    """
    texts = [block.text for block in cutting.blocks]
    count = len(texts)
    chars = np.fromiter(map(len, texts), np.float32, count)
    spaces = np.fromiter(map(str.count, texts, repeat(" ")), np.float32, count)
    kinds, depths, headings = _frame_values(cutting)
    columns = {
        "words": np.where(chars > 0, spaces + 1, np.float32(0)),
        "chars": chars,
        "link_chars": np.fromiter([block.link_chars for block in cutting.blocks], np.float32, count),
        "ending": np.fromiter(
            map(_ENDINGS.get, [text[-1:] for text in texts], repeat(0.0)), np.float32, count
        ),
        "heading": headings[of],
        "kind": kinds[of],
        "depth": depths[of],
    }
    beginnings = _MARK.join([text[:_FEW_CHARS] for text in texts]) + _MARK
    _count_characters(columns, beginnings)
    _look_up_words(columns, _words_and_marks(beginnings.lower()), facts, lexicon)
    return columns


def _words_and_marks(text: str) -> list[str]:
    """All words of a text in small letters, and the marks; by a pattern it takes half as long again."""
    if not text.isascii():
        text = _OTHER_PUNCTUATION.sub(" ", text)
    raw = text.encode("utf-8", "replace").replace(b"\0", b" \0 ").translate(_LETTERS_AND_MARKS)
    return raw.decode().split()


def _frame_values(cutting: Cut) -> tuple[Floats, Floats, Floats]:
    """Kind, depth and heading of every frame; text outside of all frames finds the last entry."""
    count = len(cutting.shapes)
    values = np.zeros((3, count + 1), np.float32)
    values[0, count] = KIND_CODES["body"]
    kinds = [KIND_CODES.get(tag, 0) for tag in cutting.tags]
    depths = [path.count(".") for path in cutting.paths]
    values[:, :count] = np.array((kinds, depths, cutting.headings), np.float32)[:, cutting.shapes]
    return values[0], values[1], values[2]


def _count_characters(columns: dict[str, Floats], beginnings: str) -> None:
    """Shares of digits and capitals in the beginning of each block, over its bytes."""
    raw = np.frombuffer(beginnings.encode("utf-8", "replace"), np.uint8)
    ends = np.flatnonzero(raw == 0)
    size = np.maximum(np.diff(ends, prepend=-1) - 1, 1)
    for name, first, last in (("digits", 48, 57), ("capitals", 65, 90)):
        # an unsigned number less than the first wraps around and is greater than the last
        found = np.cumsum((raw - np.uint8(first)) <= last - first, dtype=np.int32)[ends]
        columns[name] = (np.diff(found, prepend=0) / size).astype(np.float32)


def _look_up_words(
    columns: dict[str, Floats], words: Sequence[str], facts: PageFacts, lexicon: Lexicon
) -> None:
    """Which words of each block's beginning are stop words or in the title, and what the lexicon says."""
    table = lexicon.table(facts.stop_words, block_words(facts.title))
    known = np.fromiter(map(table.get, words, repeat(0.0)), np.float64, len(words))
    ends = np.flatnonzero(known == _CLOSES)
    starts = np.concatenate(([0], ends[:-1] + 1))
    count = np.maximum(ends - starts, 1)
    known[ends] = 0.0  # the mark weighs nothing and closes every block, so that no range is empty
    for name, flag in (("title", _TITLE_WORD), ("stop_words", _STOP_WORD)):
        found = known > flag / 2
        known -= flag * found
        columns[name] = (np.add.reduceat(found, starts, dtype=np.float32) / count).astype(np.float32)
    weights = known.astype(np.float32)
    columns["lexical"] = np.add.reduceat(weights, starts)
    columns["lexical_min"] = np.minimum.reduceat(weights, starts)


def group_ids(keys: Sequence[Any]) -> tuple[Indices, Indices]:
    """The same number for equal keys, and how often each occurs."""
    numbers: dict[Any, int] = {}
    ids = np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.intp)
    return ids, np.bincount(ids, minlength=len(numbers))
