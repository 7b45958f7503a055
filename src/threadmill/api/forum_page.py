"""A saved page of a forum: its posts, or its rows of threads and boards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import PageAnalysis, extract_index, extract_thread
from threadmill.page.obstacles import PageProblem, find_problem
from threadmill.page.parse.tree import parse
from threadmill.types import BoardRow, Capture, Post, ThreadRow


@dataclass(frozen=True, slots=True)
class ForumPage:
    """What one page of a forum shows."""

    kind: str  # "thread", "index" or "other"
    confidence: float  # of the kind, 0 to 1
    reason: str  # why the kind is "other": login, message, empty shell …
    detail: str  # of an index page: threads, boards or mixed
    title: str
    paging: Paging | None = None  # the page's place among the pages of its thread or board
    order: str | None = None  # of posts or rows, where it shows
    posts: tuple[Post, ...] = ()  # of a thread page
    threads: tuple[ThreadRow, ...] = ()  # of an index page
    boards: tuple[BoardRow, ...] = ()  # of an index page


def read_forum_page(
    html: str | bytes,
    url: str = "",
    *,
    now: datetime | None = None,
    content_type: str = "",
    read_as: Literal["thread", "index"] | None = None,
) -> ForumPage:
    """Read a page of any forum: its posts, or its rows of threads and boards.

    `url` is the address of the page. Without it, links stay as they are on the page ("#p675").
    `now` is when the page was fetched; dates such as "yesterday" count from it. It is in UTC unless
    it has a zone, and the default is the clock. With `read_as`, the page is read as this kind
    whatever it looks like.

    >>> import threadmill
    >>> html = "".join(
    ...     f"<div class=post><a href=/user/{name}>{name}</a> <span>2024-05-{day} 10:15</span>"
    ...     f"<div>{name} thinks that the ferry was late again, as it is on most days.</div></div>"
    ...     for name, day in [("anna", 28), ("boris", 29), ("carla", 30)])
    >>> page = threadmill.read_forum_page(html, "https://forum.example.org/t/1")
    >>> page.kind
    'thread'
    >>> [(post.author, post.date.isoformat()) for post in page.posts]
    [('anna', '2024-05-28T10:15'), ('boris', '2024-05-29T10:15'), ('carla', '2024-05-30T10:15')]
    """
    fetched = now or datetime.now(UTC)
    if fetched.tzinfo is None:
        fetched = fetched.replace(tzinfo=UTC)
    analysis = PageAnalysis(parse(html, url, content_type), fetched)
    found = classify_page(analysis)
    page = ForumPage(found.kind, found.confidence, found.reason, found.detail, analysis.outline.title)
    kind = read_as or found.kind
    if kind == "thread":
        thread = extract_thread(analysis)
        return replace(page, paging=thread.paging, order=thread.order, posts=thread.posts)
    if kind == "index":
        index = extract_index(analysis)
        return replace(page, paging=index.paging, order=index.order, threads=index.rows, boards=index.boards)
    return page


def find_obstacle(capture: Capture) -> PageProblem | None:
    """Why an answer shows nothing of a forum to read. A short index with a box for logging in is no wall."""
    kind = capture.header("content-type") or ""
    problem = find_problem(capture.payload, capture.status, kind, capture.headers)
    if problem is None or problem.kind != "log-in":
        return problem
    page = read_forum_page(capture.payload, capture.url, now=capture.at, content_type=kind)
    boards = (value for row in page.boards for value in (row.threads, row.posts, row.active))
    threads = (value for row in page.threads for value in (row.replies, row.created, row.active))
    return None if page.posts or any(value is not None for value in (*boards, *threads)) else problem
