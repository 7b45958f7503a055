"""How a forum makes the URL of a thread's page k from that of its first page, learnt from long threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from threadmill.forum.paging import Paging


@dataclass(frozen=True, slots=True)
class PageRule:
    """What is cut out of the first page's URL, before which end, and what takes its place."""

    cut: str  # "0" in topic=64.0, "1" in thread-147-1-1.html, nothing in ?t=5
    tail: str  # what stays behind it: "-1.html"
    lead: str  # put before the number: "&page="
    trail: str  # put behind the number
    start: int  # the number of page 1
    step: int  # from page to page: 1, or how many posts a page shows

    def url_of(self, first: str, page: int) -> str | None:
        """The URL of page k of the thread with that first page, if the rule fits it."""
        if page == 1:
            return first
        end = self.cut + self.tail
        if not first.endswith(end):
            return None
        stem = first[: len(first) - len(end)]
        lead = self.lead
        if not self.cut and lead[:1] in "?&" and not self.tail:
            lead = ("&" if "?" in stem else "?") + lead[1:]
        return f"{stem}{lead}{self.start + self.step * (page - 1)}{self.trail}{self.tail}"

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PageRule:
        """What to_json() wrote."""
        return cls(**data)


def learn_page_rule(first: str, paging: Paging) -> PageRule | None:
    """The rule that leads from the first page's URL to the paging URLs of the same thread."""
    if paging.slot is None:
        return None
    before, after = paging.slot.before, paging.slot.after
    head = _shared(first, before)
    tail = _shared(first[head:][::-1], after[::-1])
    cut = first[head : len(first) - tail]
    rest = first[len(first) - tail :]
    lead, trail = before[head:], after[: len(after) - tail]
    if any(ch.isdigit() for ch in lead + trail) or len(cut) > len(lead) + 12:
        return None  # it holds something of this very thread
    return PageRule(cut, rest, lead, trail, paging.start, paging.step)


def _shared(one: str, other: str) -> int:
    """How many leading characters two strings share, whole numbers only."""
    limit = min(len(one), len(other))
    place = next((i for i in range(limit) if one[i] != other[i]), limit)
    while 0 < place < max(len(one), len(other)) and one[place - 1].isdigit() and _digit_at(one, other, place):
        place -= 1
    return place


def _digit_at(one: str, other: str, place: int) -> bool:
    return any(text[place : place + 1].isdigit() for text in (one, other))
