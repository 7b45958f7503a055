"""Learns a forum by visiting some of its pages; what was fetched for that is not fetched again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from threadmill.crawl.forum.answers import PageCame
from threadmill.errors import UsageError
from threadmill.forum.site_model.explore import explore
from threadmill.forum.site_model.learn import SamplePage
from threadmill.forum.site_model.model import ForumModel

Fetch = Callable[[str], Awaitable[PageCame | None]]


async def learn_forum(start: str, fetch: Fetch) -> ForumModel:
    """The model of the forum that a page belongs to."""
    exploration = explore(start)
    wanted = next(exploration)
    while True:
        came = await fetch(wanted)
        sample = (
            SamplePage(came.capture.url, came.tree(), came.now)
            if came is not None and came.readable
            else None
        )
        try:
            wanted = exploration.send(sample)
        except StopIteration as end:
            model: ForumModel = end.value
            break
    if not model.threads.patterns and model.wrapper is None:
        raise UsageError(
            f"expected a page of a forum at {start}, but found neither boards nor threads there; "
            "name a page of the forum itself, or add --site to crawl an ordinary site"
        )
    return model
