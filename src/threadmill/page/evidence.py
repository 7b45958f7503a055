"""What the text and the frames of each block say of it, as numbers: the input of the trained judgement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element

from threadmill.page.batch import Batch, Floats, Indices
from threadmill.page.characters import MARK, count_characters, read_characters, words_of

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
_ROLE_BITS: dict[str | None, int] = {
    role: 1 << i for i, (_, roles) in enumerate(TAG_GROUPS) for role in roles.split()
}

_KINDS = """
    p li td th dt dd div pre blockquote button figcaption section article a header footer nav summary body
    noscript aside label
"""
KIND_CODES = {kind: i + 1 for i, kind in enumerate(_KINDS.split())}

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAME_PARTS = re.compile(r"[a-z]{2,}")
_WORDS = re.compile(r"[^\W\d_]+")
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

    def look_up(self, words: Iterable[str], stop_words: Set[str], title: Iterable[str]) -> list[float]:
        """What is known of each word on a page of this language and title, as one number."""
        table = self.tables.get(stop_words)
        if table is None:
            table = dict.fromkeys(stop_words, _STOP_WORD)
            table.update((word, weight + table.get(word, 0.0)) for word, weight in self.words.items())
            table[MARK] = _CLOSES
            self.tables[stop_words] = table
        table = table.copy()  # 28 µs; the title is of this page alone
        table.update((word, table.get(word, 0.0) + _TITLE_WORD) for word in set(title))
        return list(map(table.get, words, repeat(0.0)))


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of the page as a whole before its blocks are looked at."""

    title: str = ""
    stop_words: Set[str] = frozenset()
    kinds: Sequence[str] = ()  # of page, with the logarithm of how likely each is
    kind_odds: Sequence[float] | Floats = ()


def frame_names(elements: Sequence[Element]) -> list[Names]:
    """Class, id and itemprop of every frame."""
    return [(element.attr("class"), element.attr("id"), element.attr("itemprop")) for element in elements]


def joined_names(names: Names) -> str:
    """The names of an element as one text."""
    return " ".join(name or "" for name in names)[:_MOST_NAMES]


def frame_columns(batch: Batch, lexicon: Lexicon) -> tuple[Floats, Indices]:
    """For every frame: its names' own weight, the chain's sum, least and greatest; its chain's tag bits."""
    filled = np.flatnonzero(batch.filled)  # the others are around nothing
    every: list[Any] = list(chain.from_iterable([(*cut.elements, None) for cut in batch.cuts]))
    elements = list(map(every.__getitem__, filled.tolist()))
    own = np.zeros(len(every), np.float32)
    own[filled] = lexicon.weigh(frame_names(elements))
    bits = np.array([_TAG_BITS.get(tag, 0) for tag in batch.tags], np.intp)[batch.shapes]
    bits[filled] |= np.array([_ROLE_BITS.get(element.attr("role"), 0) for element in elements], np.intp)
    total = own.copy()
    extremes = np.maximum(np.stack((own, -own)), 0)
    for outer in chains(batch.around):
        total += total[outer]
        np.maximum(extremes, extremes[:, outer], out=extremes)
        bits |= bits[outer]
    return np.stack((own, total, -extremes[1], extremes[0])), bits


def chains(around: Indices) -> Iterator[Indices]:
    """For every frame one further up, each time twice as far, until all have seen the page around them."""
    while True:
        yield around
        further = around[around]
        if np.array_equal(further, around):
            return
        around = further


TEXT = ("words", "chars", "link_chars", "digits", "capitals", "ending", "stop_words", "title", "lexical",
        "lexical_min", "heading", "kind", "depth")  # fmt: skip


def text_columns(batch: Batch, facts: Sequence[PageFacts], lexicon: Lexicon) -> dict[str, Floats]:
    """What each block's own text says, and the frame it stands in directly.

    The beginnings of all blocks are looked at as one text with a mark after each, so that finding and looking
    up words is one call for a page.
    """
    texts, count = batch.texts, len(batch.texts)
    chars = np.fromiter(map(len, texts), np.float32, count)
    spaces = np.fromiter(map(str.count, texts, repeat(" ")), np.float32, count)
    frame = batch.shapes[batch.of]
    columns = {
        "words": np.where(chars > 0, spaces + 1, np.float32(0)),
        "chars": chars,
        "link_chars": np.array([block.link_chars for block in batch.blocks], np.float32),
        "ending": np.fromiter(
            map(_ENDINGS.get, [text[-1:] for text in texts], repeat(0.0)), np.float32, count
        ),
        "heading": np.array(batch.headings, np.float32)[frame],
        "kind": np.array([KIND_CODES.get(tag, 0) for tag in batch.tags], np.float32)[frame],
        "depth": np.array([path.count(".") for path in batch.paths], np.float32)[frame],
    }
    raw, ends = read_characters([text[:_FEW_CHARS] for text in texts])
    columns["digits"], columns["capitals"] = count_characters(raw, ends)
    known: list[float] = []
    start = 0
    for page, last in zip(facts, (batch.firsts + batch.counts - 1).tolist(), strict=True):
        words = words_of(raw[start : ends[last] + 1])
        known += lexicon.look_up(words, page.stop_words, block_words(page.title))
        start = ends[last] + 1
    _weigh_words(columns, np.array(known))
    return columns


def _weigh_words(columns: dict[str, Floats], known: NDArray[np.float64]) -> None:
    """Which words of each block's beginning are stop words or in the title, and what the lexicon says."""
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
