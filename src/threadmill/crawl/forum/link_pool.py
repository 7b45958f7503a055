"""Keeps links that nothing is known about, and chooses the next to try: one like links that led to posts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from threadmill.crawl.frontier.scope import CrawlScope
from threadmill.forum.link_urls import kind_named_by_url, same_site, strip_session
from threadmill.forum.site_model.url_shapes import group_by_shape
from threadmill.urls import Scope

# Pages for writing, logging in, searching and the like: a guest has no business there.
_NOT_FOR_GUESTS = re.compile(
    r"log-?(?:in|out|on|off)|sign-?(?:in|up|out)|regist|passw|(?<![a-z])(?:ask|compose|new-?(?:topic|thread|post)|"
    r"post(?:ing|-?(?:new|reply|thread))|reply|edit|delete|report|quote|vote|like|share|print|search|"
    r"feedback|contact|privacy|terms|faq|help|rules|calendar|members?|users?|profile|account|online|"
    r"subscri\w*|unsubscri\w*|watch|follow|mark-?\w*read|rss|feeds?|atom|xml|sitemap|ical|mailto|pm|ucp|"
    r"attachment|download|redirect|sort|order|filter|stats|donate|shop|store|cart)(?![a-z])",
    re.IGNORECASE,
)


@dataclass(slots=True)
class LinkPool:
    """Links within a forum that nothing is known about, in groups of like URLs."""

    entry: str
    refused: frozenset[str] = frozenset()  # URLs that a person said are no boards
    seen: set[str] = field(default_factory=set)  # fetched before, or in the pool
    tried: int = 0
    _links: dict[str, int] = field(default_factory=dict)  # URL → length of its longest text
    _groups: dict[str, int] = field(default_factory=dict)
    _tries: Counter[int] = field(default_factory=Counter)
    _hits: Counter[int] = field(default_factory=Counter)
    _known: dict[str, bool] = field(default_factory=dict)  # pages that were tried, and whether they were hits
    _fresh: int = 0  # links that belong to no group yet

    def __bool__(self) -> bool:
        return bool(self._links)

    def add(self, links: dict[str, int]) -> None:
        """Add the links of a page that a guest may follow."""
        scope = CrawlScope(self.entry, Scope.HOST)
        for url, length in links.items():
            if url in self.seen or not self.is_wanted(url, scope):
                continue
            self.seen.add(url)
            self._links[url] = length
            self._fresh += 1

    def is_wanted(self, url: str, scope: CrawlScope | None = None) -> bool:
        """May a guest follow a link, and does it stay within the forum?"""
        if strip_session(url) in self.refused:
            return False
        parts = urlsplit(url)
        scope = scope or CrawlScope(self.entry, Scope.HOST)
        if not same_site(url, self.entry) or scope.reason_to_skip(url, 0):
            return False
        return not _NOT_FOR_GUESTS.search(f"{parts.path}?{parts.query}")

    def choose(self, per_group: int) -> str | None:
        """The link to try next. None if no group is worth another try."""
        if self._fresh * 10 >= len(self._links):
            self._regroup()
        best: tuple[float, str] | None = None
        for url, length in self._links.items():
            worth = self._worth(url, length, per_group)
            if worth is not None and (best is None or worth > best[0]):
                best = worth, url
        if best is None:
            return None
        del self._links[best[1]]
        return best[1]

    def judge(self, url: str, *, hit: bool) -> None:
        """Note whether a page was a thread or a list."""
        group = self._groups.get(url, -1)
        self.tried += 1
        self._known[url] = hit
        self._tries[group] += 1
        self._hits[group] += hit

    def _worth(self, url: str, length: int, per_group: int) -> float | None:
        group = self._groups.get(url, -1)
        tries, hits = self._tries[group], self._hits[group]
        if tries - hits >= per_group * (hits + 1):
            return None
        named = {"thread": 0.3, "index": 0.2, "other": -0.5}.get(kind_named_by_url(url), 0.0)
        # A new group is tried before one that is known to be good is read to its end.
        return (hits + 1) / (tries + 1) + named + min(length, 60) / 600

    def _regroup(self) -> None:
        self._fresh = 0
        self._groups.clear()
        self._tries.clear()
        self._hits.clear()
        for number, group in enumerate(group_by_shape([*self._known, *self._links])):
            for url in group:
                self._groups[url] = number
                if url in self._known:
                    self._tries[number] += 1
                    self._hits[number] += self._known[url]
