"""Feeds and sitemaps as hints: a site that says that nothing has changed is believed once it has proved true.

A hint costs a request, so that it is asked for only where runs have found nothing and cost more than that.
What it says of the past is held against the posts we have, what it says of the present against what the run
then finds: posts that it did not tell of are a lie, and one lie is enough. A site that was right twice is
believed when it says that nothing is new; each fourth run walks all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from threadmill.crawl.forum.knowledge import Lore
from threadmill.crawl.frontier.feeds import read_feed
from threadmill.crawl.frontier.sitemaps import read_sitemap
from threadmill.crawl.frontier.url_listing import ListedURL
from threadmill.page.parse.tree import Tree
from threadmill.types import Capture
from threadmill.urls import resolve

LIE, PROOF, PAST, ALARM, SHORT = "lie", "proof", "past", "alarm", "short"
IDLE, BUSY = "idle", "busy"  # runs that found nothing and cost more than a page, and all others

_TYPES = {"application/rss+xml", "application/atom+xml", "application/feed+json"}
_MOST_LINKS = 20
_ENOUGH_PROOFS = 2
_ENOUGH_PAST = 3  # threads of which both we and the hint must know; one or two may be there by chance
_NEARLY_ALL, _HALF = 0.9, 0.5
_ENOUGH_IDLE = 2  # runs in vain before a hint is worth its request
_CONTROL = 4  # each fourth run walks whatever the hint says
MOST_NESTED = 2  # sitemaps below an index; more cost as much as the walk they are to spare
_MOST_SHORT = 3  # times that a feed did not reach back to the last look
_MOST_ALARMS = 3  # times more often than its news were true: it cries every time
_LATE = timedelta(days=1)  # the zone of a post's date is not always known


@dataclass(frozen=True, slots=True)
class Hint:
    """What a feed or sitemap said before a run."""

    reaches: bool  # does it tell of everything since the last look
    changed: frozenset[str]  # threads that it says have changed since, by key
    unknown: int  # entries since then that are no thread's address: links to posts, perhaps
    told: Mapping[str, datetime]  # all threads that it tells of, and when they changed
    since: datetime  # how far back it goes

    @property
    def quiet(self) -> bool:
        """Does it say that nothing is new?"""
        return self.reaches and not self.changed and not self.unknown


def find_feed(pages: Iterable[Tree]) -> str | None:
    """The feed that most pages name: a board or a thread may have one of its own."""
    named: Counter[str] = Counter()
    for tree in pages:
        links = {
            url
            for element in tree.document.select("link[rel~=alternate i][type][href]")[:_MOST_LINKS]
            if (element.attr("type") or "").lower().partition(";")[0].strip() in _TYPES
            and (url := resolve(element.attr("href") or "", tree.url))
        }
        named.update(links)
    url, count = named.most_common(1)[0] if named else ("", 0)
    return url if count > 1 else None


def is_worth_asking(lore: Lore) -> bool:
    """Would a hint spare more than it costs?"""
    votes, runs = lore.hints.votes, lore.runs.votes
    if votes[LIE] or votes[SHORT] >= _MOST_SHORT or votes[ALARM] > votes[PROOF] + _MOST_ALARMS:
        return False
    if lore.looked is None or lore.rested >= _CONTROL - 1:
        return False
    return runs[IDLE] >= _ENOUGH_IDLE and runs[IDLE] >= runs[BUSY]


def is_believed(lore: Lore) -> bool:
    """Has it been right often enough, and never wrong?"""
    votes = lore.hints.votes
    return votes[PROOF] + votes[PAST] >= _ENOUGH_PROOFS and not votes[LIE]


def nested_sitemaps(capture: Capture, lore: Lore) -> tuple[str, ...]:
    """Of an index of sitemaps those that may tell of changes since the last look; none if it is no index."""
    since = lore.looked
    named = read_sitemap(capture.payload, capture.url).sitemaps
    return tuple(one.url for one in named if one.modified is None or since is None or one.modified >= since)


def read_hint(capture: Capture, lore: Lore, nested: Sequence[Capture] = ()) -> Hint | None:
    """What a feed or sitemap says of the time since the last look; None where it is none or has no dates.

    Of an index the sitemaps below it that have changed since; those that have not tell of nothing new.
    """
    since = lore.looked
    listing = read_feed(capture.payload, capture.url)
    whole = not listing.entries  # a sitemap tells of everything there is
    if whole:
        listing = read_sitemap(capture.payload, capture.url)
    index = bool(listing.sitemaps) and not listing.entries
    listings = [read_sitemap(one.payload, one.url) for one in nested] if index else [listing]
    entries = [entry for one in listings for entry in one.entries]
    undated = any(entry.modified is None for entry in entries)
    if since is None or undated or not all(one.entries for one in listings):
        return None
    dated = [(_thread_of(entry, lore), entry.modified) for entry in entries if entry.modified]
    recent = [key for key, at in dated if at >= since]
    told: dict[str, datetime] = {}
    for key, at in dated:
        if key:
            told[key] = max(at, told.get(key, at))
    return Hint(
        reaches=not any(one.flaw for one in listings) and (whole or len(recent) < len(dated)),
        changed=frozenset(key for key in recent if key),
        unknown=recent.count(None),
        told=told,
        since=since if index else min(at for _, at in dated),
    )


def judge_past(lore: Lore, hint: Hint, newest: Mapping[str, datetime | None]) -> None:
    """Does it tell of the threads we know to have got posts while it goes back, up to the last look?"""
    looked = lore.looked
    known = {
        key: at for key, at in newest.items() if at and looked and hint.since + _LATE < at < looked - _LATE
    }
    if len(known) < _ENOUGH_PAST or not hint.told:
        return
    right = sum(key in hint.told and hint.told[key] >= at - _LATE for key, at in known.items())
    # A thread may have been deleted or merged since without our having seen it.
    if right >= _NEARLY_ALL * len(known):
        lore.hints.add(PAST)
    elif right < _HALF * len(known):
        lore.hints.add(LIE)


def judge(lore: Lore, hint: Hint, changed: Mapping[str, datetime | None]) -> None:
    """A run is over: threads that got posts, with the date of the newest, against what was said before it."""
    if not hint.reaches:
        lore.hints.add(SHORT)
        return
    since = lore.looked
    fresh = {key for key, at in changed.items() if at is None or since is None or at >= since - _LATE}
    if not fresh:
        if not hint.quiet:
            lore.hints.add(ALARM)
    elif hint.quiet or (not hint.unknown and fresh - hint.changed):
        lore.hints.add(LIE)
    else:
        lore.hints.add(PROOF)


def judge_run(lore: Lore, pages: int, posts: int) -> None:
    """What a run without a hint cost, and whether it was worth it."""
    lore.runs.add(IDLE if pages > 1 and not posts else BUSY, _CONTROL * 2)


def _thread_of(entry: ListedURL, lore: Lore) -> str | None:
    url = resolve(entry.url)
    if not url or lore.leads_to(url) != "thread":
        return None
    first = lore.model.threads.split(url)  # a feed may lead to the page of the thread that holds the post
    return lore.key_of(first[0] if first else url)
