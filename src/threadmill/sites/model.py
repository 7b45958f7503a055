"""The values that the stages of a comparison pass on: collected site, read site, evidence, pair, cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from threadmill.types import Capture

Key = tuple[str, str]  # kind of evidence and its value in one spelling: ("phone", "301234567")


class ReadOutcome(StrEnum):
    """Result of fetching and reading one site. Only sites with the outcome OK are compared."""

    OK = "ok"
    EMPTY = "empty"  # the server answered, but the page has no words
    PARKED = "parked"  # a placeholder: server default page, domain for sale, coming soon, new CMS
    SCRIPT_ONLY = "script-only"  # the page has no words until its scripts run
    DEAD = "dead"  # no usable answer
    FORBIDDEN = "forbidden"  # robots.txt or the address policy forbids the request


@dataclass(frozen=True, slots=True)
class CollectedSite:
    """Everything that was fetched of one site."""

    url: str  # as the list gives it
    pages: tuple[Capture, ...] = ()  # the home page first; read for words and facts
    legal: tuple[Capture, ...] = ()  # imprint and contact page; read for facts, not for words
    pictures: tuple[Capture, ...] = ()  # favicon and logo
    failure: str = ""  # why there is no home page: the reason of a FetchError
    forbidden: bool = False
    sheets: tuple[Capture, ...] = ()  # style sheets of the home page


_AROUND = 45  # characters on each side of a fact that are kept, so that a person can find it


def words_around(text: str, start: int, end: int) -> str:
    """A part of a text with some words on both sides, in one line."""
    return " ".join(text[max(0, start - _AROUND) : end + _AROUND].split())


@dataclass(frozen=True, slots=True)
class Fact:
    """One key of a site, and where it was found."""

    kind: str
    value: str  # in the one spelling in which sites are compared
    written: str = ""  # as the page writes it
    around: str = ""  # the words around it
    page: str = ""  # URL of the page
    is_mention: bool = False  # it stands in a text that may speak of others: an article, a post

    @property
    def key(self) -> Key:
        """What is compared."""
        return self.kind, self.value


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """What a site says about who runs it, and what its pages are made of."""

    keys: frozenset[Key] = frozenset()
    domain: str = ""  # the registrable domain of its address
    links: frozenset[str] = frozenset()  # domains it links to
    names: frozenset[str] = frozenset()  # what it calls itself, folded
    pictures: frozenset[str] = frozenset()  # file names of its pictures
    template: tuple[int, ...] = ()  # a sketch of its class names: the smallest of their hashes
    found: tuple[Fact, ...] = ()  # each key once, from the first page that has it
    ignored: tuple[str, ...] = ()  # contact data that a template left there: 555-0100, info@example.com


@dataclass(frozen=True, slots=True)
class CompanySite:
    """One site after reading: its outcome, its keywords and its facts."""

    url: str
    outcome: ReadOutcome
    reason: str = ""
    language: str = ""
    keywords: Mapping[str, int] = field(default_factory=dict)
    facts: SiteFacts = field(default_factory=SiteFacts)
    pages: int = 0
    name: str = ""  # what it calls itself, as it writes it


@dataclass(frozen=True, slots=True)
class Evidence:
    """One kind of evidence for or against a pair: its strength, and a text for people."""

    kind: str
    strength: float
    text: str = ""
    places: tuple[Fact, ...] = ()  # where the strongest of it stands: on the first site, on the second


@dataclass(frozen=True, slots=True)
class SitePair:
    """Two sites of a list (by position), the probability that they are one company, and the evidence."""

    one: int
    other: int
    score: float
    cosine: float
    evidence: tuple[Evidence, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class SiteCluster:
    """Sites of one company, by position in the list. The first one represents the cluster."""

    members: tuple[int, ...]
