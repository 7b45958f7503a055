"""Finds on which pages the facts stand that two sites share, so that a person can look them up."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from threadmill.sites.model import CollectedSite, Key, SiteFacts
from threadmill.sites.read.read_site import domain_of, gather_facts
from threadmill.sites.read.site_page import read_page
from threadmill.types import Capture

_LINK = "link to the other site"


@dataclass(frozen=True, slots=True)
class SharedFact:
    """A fact of two sites, and the pages of each where it stands, as numbers in `pages_of`."""

    kind: str
    value: str
    one: tuple[int, ...]
    other: tuple[int, ...]


def pages_of(site: CollectedSite) -> tuple[Capture, ...]:
    """The pages of a site that are read for facts."""
    return (*site.pages, *site.legal)


def find_shared_facts(one: CollectedSite, other: CollectedSite) -> list[SharedFact]:
    """The facts that both sites state, and links from one to the other, each with its pages."""
    ours, theirs = _facts_by_page(one), _facts_by_page(other)
    mine, yours = _pages_by_key(ours), _pages_by_key(theirs)
    found = [
        SharedFact(kind, value, tuple(mine[kind, value]), tuple(yours[kind, value]))
        for kind, value in sorted(mine.keys() & yours.keys())
    ]
    there = _linking_pages(ours, domain_of(other.url), domain_of(one.url))
    back = _linking_pages(theirs, domain_of(one.url), domain_of(other.url))
    if there or back:
        found.append(SharedFact(_LINK, "", there, back))
    return found


def _facts_by_page(site: CollectedSite) -> list[SiteFacts]:
    facts = []
    for number, capture in enumerate(pages_of(site)):
        page = read_page(capture)
        is_legal = number >= len(site.pages)
        facts.append(gather_facts(site.url, () if is_legal else (page,), (page,) if is_legal else (), ()))
    return facts


def _pages_by_key(facts: list[SiteFacts]) -> dict[Key, list[int]]:
    found: dict[Key, list[int]] = defaultdict(list)
    for number, one in enumerate(facts):
        for key in one.keys:
            found[key].append(number)
    return found


def _linking_pages(facts: list[SiteFacts], target: str, own: str) -> tuple[int, ...]:
    if not target or target == own:
        return ()
    return tuple(number for number, one in enumerate(facts) if target in one.links)
