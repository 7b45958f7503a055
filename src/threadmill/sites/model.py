"""The values that the stages of a comparison hand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from threadmill.types import Capture

Key = tuple[str, str]  # kind of evidence and its value in one spelling: ("phone", "301234567")


class Outcome(StrEnum):
    """What became of one site of the list."""

    OK = "ok"
    EMPTY = "empty"  # answered, but shows no words
    PARKED = "parked"  # a placeholder: server default, for sale, coming soon, fresh CMS
    SCRIPT_ONLY = "script-only"  # nothing without running its scripts
    DEAD = "dead"  # no usable answer
    FORBIDDEN = "forbidden"  # robots.txt or the address policy says no


@dataclass(frozen=True, slots=True)
class Collected:
    """What the collector brought of one site: pages for its text, pages for its contact data, pictures."""

    url: str  # as it stands in the list
    pages: tuple[Capture, ...] = ()  # home page first
    legal: tuple[Capture, ...] = ()  # imprint and contact: read for evidence, not for words
    pictures: tuple[Capture, ...] = ()  # favicon and logo
    failure: str = ""  # why there is no home page: the reason of a FetchError
    forbidden: bool = False
    sheets: tuple[Capture, ...] = ()  # style sheets of the home page


@dataclass(frozen=True, slots=True)
class Facts:
    """What one site says about who runs it, and what it is made of."""

    keys: frozenset[Key] = frozenset()
    domain: str = ""  # where it lives
    links: frozenset[str] = frozenset()  # domains it links to
    names: frozenset[str] = frozenset()  # what it calls itself, folded
    words: Mapping[str, int] = field(default_factory=dict)  # of any language, folded: how often
    pictures: frozenset[str] = frozenset()  # file names
    template: frozenset[str] = frozenset()  # class names and ids


@dataclass(frozen=True, slots=True)
class Site:
    """One site read: its outcome, its keywords, its facts."""

    url: str
    outcome: Outcome
    reason: str = ""
    language: str = ""
    keywords: Mapping[str, int] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)
    pages: int = 0


@dataclass(frozen=True, slots=True)
class Signal:
    """One kind of evidence for a pair: how strong, and in words."""

    kind: str
    strength: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sites, how likely they are one company, and why."""

    one: int
    other: int
    score: float
    cosine: float
    signals: tuple[Signal, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Sites that are one company, the one that speaks for them first."""

    members: tuple[int, ...]
