"""Numbers about the text and the frames of each block: the first features of the trained model.

A frame is a block-level element around a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element

from threadmill.page.judge.characters import MARK, count_characters, read_characters, words_of
from threadmill.page.judge.page_batch import Floats, Indices, PageBatch

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
TAG_BITS = {tag: 1 << i for i, (tags, _) in enumerate(TAG_GROUPS) for tag in tags.split()}
ROLE_BITS: dict[str | None, int] = {
    role: 1 << i for i, (_, roles) in enumerate(TAG_GROUPS) for role in roles.split()
}

_KINDS = """
    p li td th dt dd div pre blockquote button figcaption section article a header footer nav summary body
    noscript aside label
"""
KIND_CODES = {kind: i + 1 for i, kind in enumerate(_KINDS.split())}

_NAME_PARTS = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")  # a capital after a small letter begins a new word
_LINE = "\x01"  # ends the names of an element
_IN_NAMES = bytes(  # lower-case letters, the end of a line, and spaces for all else
    ord(small) if (small := chr(i).lower()) in f"abcdefghijklmnopqrstuvwxyz{_LINE}" else 32
    for i in range(256)
)
_WORDS = re.compile(r"[^\W\d_]+")
ENDINGS = dict.fromkeys('.!?。！？…"”', 2.0) | {":": 1.0}
# The beginning of a block shows what it is.
FEW_CHARS = 120
_MOST_SEEN = 50_000
MOST_NAMES = 300  # characters of names that are read; megabytes of class names say no more

# All that is known of a word is one number, so that each word is looked up once: its weight, plus one of
# these if it is a stop word, in the title, or the mark after a block. They are far greater than any weight.
STOP_WORD, TITLE_WORD, _CLOSES = 1e3, 1e6, 1e9


def name_parts(names: str) -> tuple[str, ...]:
    """The words in class names, ids and their like: "postBody_3 js-post" → post, body, js."""
    parts = map(str.lower, _NAME_PARTS.findall(names[:MOST_NAMES]))
    return tuple(dict.fromkeys(part for part in parts if len(part) > 1))


def name_lines(lines: Iterable[str]) -> list[bytes]:
    """The words of many names, as name_parts() finds them, with the end of a line after those of each."""
    text = "".join([f"{line} {_LINE} " for line in lines]).encode("ascii", "replace")
    letters = np.frombuffer(text, np.uint8)
    small, capital = (
        letters - np.uint8(ord(first)) < 26 for first in "aA"
    )  # unsigned: what is below the first letter becomes large
    begins = np.flatnonzero(small[:-1] & capital[1:]) + 1
    return np.insert(letters, begins, ord(" ")).tobytes().translate(_IN_NAMES).split()


def block_words(text: str) -> list[str]:
    """The first words of a block, in lower case."""
    return _WORDS.findall(text[:FEW_CHARS].lower())


Names = tuple[str | None, ...]  # class, id, itemprop and role of an element


@dataclass(frozen=True, slots=True)
class WordWeights:
    """How much words in names and texts speak for content, learnt from pages. Unknown words weigh nothing."""

    names: Mapping[str, float]
    words: Mapping[str, float]
    seen: dict[Names, float] = field(
        default_factory=dict
    )  # names that were weighed before: sites repeat them
    tables: dict[Set[str], dict[str, float]] = field(default_factory=dict)  # stop words → all that is known
    readers: list[Any] = field(default_factory=list)  # laid out for native code, once asked for
    numbers: dict[bytes, int] = field(init=False)  # of the names, from 1 on; 0 ends a line

    def __post_init__(self) -> None:
        """Words in names are looked up as bytes."""
        object.__setattr__(self, "numbers", {word.encode(): i for i, word in enumerate((_LINE, *self.names))})

    def weigh(self, names: Sequence[Names]) -> list[float]:
        """How much the words in the names of each element speak for content, in sum."""
        if len(self.seen) > _MOST_SEEN:
            self.seen.clear()
        new = list(set(names).difference(self.seen))
        self.seen.update(zip(new, self._weigh(new), strict=True))
        return list(map(self.seen.__getitem__, names))

    def _weigh(self, names: Sequence[Names]) -> list[float]:
        """Weigh all names as one text with a line for each: a few calls for the hundred names of a page."""
        parts = name_lines(map(joined_names, names))
        numbers = np.fromiter(map(self.numbers.get, parts, repeat(-1)), np.intp, len(parts))
        line = np.cumsum(numbers == 0)
        known = np.unique((line * len(self.numbers) + numbers)[numbers > 0])  # a word counts once per line
        line, word = np.divmod(known, len(self.numbers))
        weights = np.fromiter(self.names.values(), float, len(self.names))
        return list(np.bincount(line, weights[word - 1], len(names)))

    def look_up(self, words: Iterable[str], stop_words: Set[str], title: Iterable[str]) -> list[float]:
        """What is known of each word, on a page of this language and title, as one number."""
        table = self.tables.get(stop_words)
        if table is None:
            table = dict.fromkeys(stop_words, STOP_WORD)
            table.update((word, weight + table.get(word, 0.0)) for word, weight in self.words.items())
            table[MARK] = _CLOSES
            self.tables[stop_words] = table
        table = table.copy()  # takes 28 µs; the title belongs to this page alone
        table.update((word, table.get(word, 0.0) + TITLE_WORD) for word in set(title))
        return list(map(table.get, words, repeat(0.0)))


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of the page as a whole before its blocks are looked at."""

    title: str = ""
    stop_words: Set[str] = frozenset()
    kinds: Sequence[str] = ()  # of pages, and the logarithm of the probability of each
    kind_odds: Sequence[float] | Floats = ()


def frame_names(elements: Sequence[Element]) -> list[Names]:
    """Class, id, itemprop and role of every frame."""
    return [
        (element.attr("class"), element.attr("id"), element.attr("itemprop"), element.attr("role"))
        for element in elements
    ]


def joined_names(names: Names) -> str:
    """Class, id and itemprop of an element as one text; its role is no name."""
    return " ".join([name for name in names[:3] if name])[:MOST_NAMES].replace(_LINE, " ")


def frame_columns(batch: PageBatch, weights: WordWeights) -> tuple[Floats, Indices]:
    """For every frame the weight of its names, and sum, least and greatest weight of all frames around it.

    Also, as bits, the groups of tags that it stands in.
    """
    filled = np.flatnonzero(batch.filled)  # the others are around nothing
    every: list[Any] = list(chain.from_iterable([(*cut.elements, None) for cut in batch.cuts]))
    names = frame_names(list(map(every.__getitem__, filled.tolist())))
    own = np.zeros(len(every), np.float32)
    own[filled] = weights.weigh(names)
    bits = np.array([TAG_BITS.get(tag, 0) for tag in batch.tags], np.intp)[batch.shapes]
    bits[filled] |= np.array([ROLE_BITS.get(role, 0) for *_, role in names], np.intp)
    total = own.copy()
    extremes = np.maximum(np.stack((own, -own)), 0)
    for outer in chains(batch.around):
        total += total[outer]
        np.maximum(extremes, extremes[:, outer], out=extremes)
        bits |= bits[outer]
    return np.stack((own, total, -extremes[1], extremes[0])), bits


def chains(around: Indices) -> Iterator[Indices]:
    """For every frame an ancestor, each time twice as far up, until all have reached the page."""
    while True:
        yield around
        further = around[around]
        if np.array_equal(further, around):
            return
        around = further


TEXT = ("words", "chars", "link_chars", "digits", "capitals", "ending", "stop_words", "title", "lexical",
        "lexical_min", "heading", "kind", "depth")  # fmt: skip


def text_columns(batch: PageBatch, facts: Sequence[PageFacts], weights: WordWeights) -> dict[str, Floats]:
    """Numbers about the text of each block and about the frame directly around it.

    The beginnings of all blocks are read as one text with a mark after each: so one call finds all words.
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
            map(ENDINGS.get, [text[-1:] for text in texts], repeat(0.0)), np.float32, count
        ),
        "heading": np.array(batch.headings, np.float32)[frame],
        "kind": np.array([KIND_CODES.get(tag, 0) for tag in batch.tags], np.float32)[frame],
        "depth": np.array([path.count(".") for path in batch.paths], np.float32)[frame],
    }
    raw, ends = read_characters([text[:FEW_CHARS] for text in texts])
    columns["digits"], columns["capitals"] = count_characters(raw, ends)
    known: list[float] = []
    start = 0
    for page, last in zip(facts, (batch.firsts + batch.counts - 1).tolist(), strict=True):
        words = words_of(raw[start : ends[last] + 1])
        known += weights.look_up(words, page.stop_words, block_words(page.title))
        start = ends[last] + 1
    _weigh_words(columns, np.array(known))
    return columns


def _weigh_words(columns: dict[str, Floats], known: NDArray[np.float64]) -> None:
    """Shares of stop words and title words at the beginning of each block, and the weights of its words."""
    ends = np.flatnonzero(known == _CLOSES)
    starts = np.concatenate(([0], ends[:-1] + 1))
    count = np.maximum(ends - starts, 1)
    known[ends] = 0.0  # the mark weighs nothing; it stands after every block, so no range is empty
    for name, flag in (("title", TITLE_WORD), ("stop_words", STOP_WORD)):
        found = known > flag / 2
        known -= flag * found
        columns[name] = (np.add.reduceat(found, starts, dtype=np.float32) / count).astype(np.float32)
    weights = known.astype(np.float32)
    columns["lexical"] = np.add.reduceat(weights, starts)
    columns["lexical_min"] = np.minimum.reduceat(weights, starts)
