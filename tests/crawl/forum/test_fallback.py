"""Other ways to find posts: which links are tried, and when."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

from threadmill.crawl.forum.fallback import Fallbacks, FallbackTools, needs_fallback
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.link_pool import LinkPool
from threadmill.crawl.forum.page_requests import FetchedPage
from threadmill.crawl.forum.resources import CrawlContext
from threadmill.forum.site_model.model import ForumModel
from threadmill.types import Capture, CrawlAccount

ENTRY = "https://f.example/"


def pool(*urls: str) -> LinkPool:
    found = LinkPool(ENTRY)
    found.add(dict.fromkeys(urls, 20))
    return found


def account(verdict: str, kept: int, claimed: int | None) -> CrawlAccount:
    return CrawlAccount(verdict, kept, claimed)


def test_other_ways_are_tried_where_posts_are_missing_and_not_again_for_the_same_posts() -> None:
    knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)))
    assert needs_fallback(account("incomplete", 7, 1620), knowledge)
    assert needs_fallback(account("unknown", 0, None), knowledge)
    assert not needs_fallback(account("unknown", 300, None), knowledge)
    assert not needs_fallback(account("complete", 300, 300), knowledge)
    assert not needs_fallback(account("incomplete", 290, 300), knowledge)  # a few, where none was missing
    assert needs_fallback(account("incomplete", 290, 300), replace(knowledge, just_learnt=True))
    knowledge.site.missing_after_search = 1613
    again = ForumKnowledge.from_json(knowledge.to_json())
    assert not needs_fallback(account("incomplete", 7, 1640), again)
    assert needs_fallback(account("incomplete", 7, 4000), again)


def test_the_first_crawl_always_asks_where_links_lead_that_were_not_followed() -> None:
    knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)), just_learnt=True)
    assert needs_fallback(account("complete", 300, 300), knowledge)
    knowledge.site.missing_after_search = 0
    assert not needs_fallback(account("complete", 300, 300), knowledge)


def test_posts_are_known_by_their_lines_whatever_else_a_page_shows() -> None:
    unread = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY))).site.unread
    unread.record("/t1", [], ["The paint lasted for eleven winters.\nThanks."])
    assert unread.knows(["A subject of some length, twice\nThe paint lasted for eleven winters."])
    assert not unread.knows(["Nobody has answered the telephone since.\nThanks."])
    assert not unread.knows(["Thanks."])


def test_a_page_that_was_looked_at_is_read_without_a_request_once_its_kind_is_known() -> None:
    """Its URL was asked for, so the crawl would take it for a list that goes in a circle."""
    at = datetime(2026, 5, 1, tzinfo=UTC)
    taken: list[dict[str, bool]] = []

    async def fetch(url: str) -> FetchedPage | None:
        capture = Capture(url, at, 200, (("Content-Type", "text/html"),), b"<p>Words</p>")
        return FetchedPage(url, capture, ())

    async def crawl() -> None:
        taken.append({url: page.stored for url, page in tools.ready.items() if url not in tools.asked})
        tools.ready.clear()

    async def work() -> None:
        for url in ("b/?t=2", "t/1"):
            await ways._fetch(ENTRY + url)
            tools.asked.add(ENTRY + url)
        tools.ready[f"{ENTRY}t/1"] = cast(FetchedPage, await fetch(f"{ENTRY}t/1"))  # offered, not stored yet
        tools.asked.discard(f"{ENTRY}t/1")
        await ways._crawl()
        await ways._crawl()

    tools = FallbackTools(fetch, crawl, {}, set(), {})
    knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)))
    ways = Fallbacks(cast(CrawlContext, None), knowledge, tools)
    asyncio.run(work())
    assert taken == [{f"{ENTRY}b/?t=2": True, f"{ENTRY}t/1": False}, {}]
