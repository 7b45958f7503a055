"""What speaks for and against each block of a page, as numbers: the input of the trained judgement.

One Python loop over frames and one over blocks gather counts; all about neighbours, groups and positions is
arithmetic on whole columns. Blocks inside a frame are consecutive, so sums over a frame are differences of
running sums.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
_DIGITS = b"0123456789"
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SENTENCE_ENDS = frozenset('.!?。！？…"”')
# What a block is shows in its beginning: words that are looked up, and characters they are sought in.
_FEW_WORDS = 16
_FEW_CHARS = 120
_MOST_SEEN = 50_000
_MOST_NAMES = 300  # characters of an attribute; megabytes of class names say no more


def name_parts(names: str) -> tuple[str, ...]:
    """The words in class names, ids and their like: "postBody_3 js-post" → post, body, js."""
    return tuple(dict.fromkeys(_NAME_PARTS.findall(_CAMEL.sub(" ", names[:_MOST_NAMES]).lower())))


def block_words(text: str) -> list[str]:
    """The first words of a block as the lexicon knows them."""
    return _WORDS.findall(text[:_FEW_CHARS].lower())[:_FEW_WORDS]


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
    rows: list[tuple[float, float, float, float]] = []
    bits: list[int] = []
    known = lexicon.seen
    for element, parent, names in zip(cutting.elements, cutting.parents, frame_names(cutting), strict=True):
        own = known.get(names) if names else 0.0
        if own is None:
            own = lexicon.weigh(names)
        role = element.attr("role")
        bit = _TAG_BITS.get(element.tag, 0) | (_ROLE_BITS.get(role, 0) if role else 0)
        if parent >= 0:
            _, total, least, most = rows[parent]
            rows.append((own, total + own, min(least, own), max(most, own)))
            bits.append(bits[parent] | bit)
        else:
            rows.append((own, own, min(0.0, own), max(0.0, own)))
            bits.append(bit)
    return np.array(rows, np.float32).reshape(-1, 4), np.array(bits, np.intp)


TEXT = ("words", "chars", "link_chars", "digits", "capitals", "ending", "stop_words", "title", "lexical",
        "lexical_min", "heading", "kind", "depth")  # fmt: skip


def _text_row(
    block: Block, stop_words: Set[str], title: Set[str], weights: Mapping[str, float]
) -> tuple[float, ...]:
    text = block.text
    found = block_words(text)
    count = len(found) or 1
    raw = text[:_FEW_CHARS].encode("utf-8", "replace")
    size = len(raw) or 1
    last = text[-1:]
    known = [weights.get(word, 0.0) for word in found]
    return (
        text.count(" ") + 1 if text else 0,
        len(text),
        block.link_chars,
        1 - len(raw.translate(None, _DIGITS)) / size,
        1 - len(raw.translate(None, _CAPITALS)) / size,
        2.0 if last in _SENTENCE_ENDS else 1.0 if last == ":" else 0.0,
        sum(map(stop_words.__contains__, found)) / count,
        sum(map(title.__contains__, found)) / count,
        sum(known),
        min(known, default=0.0),
        block.heading,
        KIND_CODES.get(block.tag, 0),
        block.path.count("."),
    )


def text_columns(blocks: Sequence[Block], facts: PageFacts, lexicon: Lexicon) -> dict[str, Floats]:
    """What each block's own text says."""
    title = frozenset(block_words(facts.title))
    rows = [_text_row(block, facts.stop_words, title, lexicon.words) for block in blocks]
    table = np.array(rows, np.float32).reshape(-1, len(TEXT)).T
    return dict(zip(TEXT, np.ascontiguousarray(table), strict=True))


def group_ids(keys: Sequence[Any]) -> tuple[Indices, Indices]:
    """The same number for equal keys, and how often each occurs."""
    numbers: dict[Any, int] = {}
    ids = np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.intp)
    return ids, np.bincount(ids, minlength=len(numbers))
