"""What a crawl has learnt of a forum by reading it: wrapper, order, page size, what counters count."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from threadmill.forum.order import IndexOrder, PostOrder
from threadmill.forum.page_rule import PageRule
from threadmill.forum.thread_key import thread_key
from threadmill.forum.wrapper import Wrapper

_MAX_VOTES = 200  # enough to be sure, few enough to follow a forum that changes its ways


@dataclass(slots=True)
class Ballot:
    """Votes for one of several answers; the last few hundred count."""

    votes: Counter[str] = field(default_factory=Counter)

    def add(self, answer: object) -> None:
        """One page's opinion."""
        self.votes[str(answer)] += 1
        if self.votes.total() > _MAX_VOTES:
            self.votes = Counter({name: count // 2 for name, count in self.votes.items() if count > 1})

    @property
    def winner(self) -> str | None:
        """What most pages say."""
        return self.votes.most_common(1)[0][0] if self.votes else None


@dataclass(slots=True)
class Lore:
    """The growing knowledge of one forum; plain data on its way to the store and back."""

    wrapper: Wrapper | None = None
    post_order: Ballot = field(default_factory=Ballot)
    index_order: Ballot = field(default_factory=Ballot)
    page_size: Ballot = field(default_factory=Ballot)
    count_offset: Ballot = field(default_factory=Ballot)  # posts shown less what the row counts: 0 or 1
    page_rule: Ballot = field(default_factory=Ballot)
    naming: Ballot = field(default_factory=Ballot)  # the parameters that name a thread

    @property
    def ascending(self) -> bool:
        """Do posts stand oldest first?"""
        return self.post_order.winner != PostOrder.DESCENDING.value

    @property
    def by_creation(self) -> bool:
        """Are threads sorted by when they began?"""
        return self.index_order.winner == IndexOrder.CREATION.value

    @property
    def posts_a_page(self) -> int | None:
        """How many posts a full page shows."""
        return int(self.page_size.winner) if self.page_size.winner else None

    def total(self, count: int | None) -> int | None:
        """How many posts a thread has by its row's counter."""
        if count is None or self.count_offset.winner is None:
            return None
        return count + int(self.count_offset.winner)

    def key_of(self, url: str) -> str:
        """What names a thread."""
        return thread_key(url, json.loads(self.naming.winner) if self.naming.winner else None)

    def url_of_page(self, first: str, page: int) -> str | None:
        """The URL of a thread's page, where it can be computed."""
        if page == 1:
            return first
        rule = self.page_rule.winner
        return PageRule.from_json(json.loads(rule)).url_of(first, page) if rule else None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        ballots = {name: dict(getattr(self, name).votes) for name in _BALLOTS}
        return {"wrapper": self.wrapper.to_json() if self.wrapper else None, **ballots}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Lore:
        """What to_json() wrote; nothing, for a forum not yet visited."""
        wrapper = Wrapper.from_json(data["wrapper"]) if data.get("wrapper") else None
        return cls(wrapper, **{name: Ballot(Counter(data.get(name, {}))) for name in _BALLOTS})


_BALLOTS = ("post_order", "index_order", "page_size", "count_offset", "page_rule", "naming")
