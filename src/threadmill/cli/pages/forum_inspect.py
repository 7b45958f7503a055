"""`threadmill forum inspect`: fetches about twenty pages of a forum, and shows what was learnt from them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from threadmill.cli.arguments import access_settings
from threadmill.cli.pages.forum_archives import post_record
from threadmill.cli.tables import TableColumns, print_table
from threadmill.cli.terminal import counted, live_text
from threadmill.errors import FetchError

if TYPE_CHECKING:
    from threadmill.forum.site_model.learn import SamplePage
    from threadmill.forum.site_model.model import ForumModel
    from threadmill.types import Moment, Post


def inspect_forum(arguments: argparse.Namespace) -> int:
    """Learn from one URL and print what was learnt. The exit code is 1 when no threads were found."""
    import asyncio

    with live_text(f"learning the structure of {arguments.url} …") as show:
        model, samples = asyncio.run(_explore(arguments, show))
    if arguments.json:
        posts = [post_record(post) for post in _sample_posts(model, samples)]
        shown = {"model": model.to_json(), "fetched": [sample.url for sample in samples], "posts": posts}
        print(json.dumps(shown, ensure_ascii=False, indent=1))
    elif model.threads.patterns or model.boards.patterns:
        _show(model, samples)
    else:
        pages = counted(len(samples), "page")
        print(
            f"threadmill: nothing was learnt from {pages}: neither boards nor threads were found",
            file=sys.stderr,
        )
    return 0 if model.threads.patterns else 1


async def _explore(
    arguments: argparse.Namespace, show: Callable[[str], None] | None
) -> tuple[ForumModel, list[SamplePage]]:
    from threadmill.config import load_settings, override
    from threadmill.crawl.access.login import open_fetcher
    from threadmill.crawl.fetch.clock import SystemClock
    from threadmill.crawl.manners.robots import MemoryRobotsCache
    from threadmill.forum.site_model.explore import explore
    from threadmill.urls import canonicalise

    settings = override(load_settings(), "crawl", delay=arguments.delay)
    start = canonicalise(arguments.url)
    settings = access_settings(arguments, settings, start)
    samples: list[SamplePage] = []
    async with open_fetcher(settings, SystemClock(), MemoryRobotsCache()) as fetcher:
        search = explore(start)
        url = next(search)
        while True:
            if show is not None:
                most = arguments.max_pages
                show(f"learning from {len(samples) + 1:,} of about 20 pages, at most {most:,}: {url}")
            may_fetch = len(samples) < arguments.max_pages
            sample = await _fetch(fetcher, url, is_first=not samples) if may_fetch else None
            if sample:
                samples.append(sample)
            try:
                url = search.send(sample)
            except StopIteration as end:
                return end.value, samples


async def _fetch(fetcher: Any, url: str, *, is_first: bool) -> SamplePage | None:
    from threadmill.api.forum_page import find_obstacle
    from threadmill.crawl.fetch.client import Request
    from threadmill.crawl.forum.page_requests import site_time
    from threadmill.forum.site_model.learn import SamplePage
    from threadmill.page.parse.tree import parse

    try:
        capture = (await fetcher.fetch(Request(url))).capture
    except FetchError as error:
        print(f"threadmill: {url}: {error}", file=sys.stderr)
        return None
    kind = capture.header("content-type") or ""
    problem = find_obstacle(capture)
    if problem is not None and (is_first or problem.kind != "missing"):  # later URLs may be guesses
        print(f"threadmill: {url}: {problem.sentence}", file=sys.stderr)
    if capture.status != 200 or "html" not in (capture.content_type or "html"):
        return None
    tree = parse(capture.payload, capture.url, kind)
    return SamplePage(url, tree, site_time(capture))


def _sample_posts(model: ForumModel, samples: list[SamplePage]) -> Iterator[Post]:
    from threadmill.forum.read_page import read_thread

    for sample in samples:
        if model.kind_of_url(sample.url).startswith("thread"):
            yield from read_thread(sample.tree, sample.now, model.wrapper).posts[:3]
            return


def _show(model: ForumModel, samples: list[SamplePage]) -> None:
    print(f"{model.entry}: what was learnt")
    for name, value in _facts(model, len(samples)):
        print(f"  {name:20} " + f"\n{'':23}".join(value.splitlines()))
    posts = (
        {"author": post.author, "date": _iso(post.date), "text": post.text[:200]}
        for post in _sample_posts(model, samples)
    )
    print_table(posts, TableColumns(("author", "date", "text")), title="some posts")


def _iso(moment: Moment | None) -> str:
    return moment.isoformat() if moment else ""


def _facts(model: ForumModel, fetched: int) -> list[tuple[str, str]]:
    def lines(values: Iterator[str]) -> str:
        return "\n".join(values) or "none found"

    return [
        ("pages fetched", str(fetched)),
        ("boards", lines(str(pattern) for pattern in model.boards.patterns)),
        ("pages of boards", _style(model, "boards")),
        ("threads", lines(str(pattern) for pattern in model.threads.patterns)),
        ("pages of threads", _style(model, "threads")),
        ("boards sorted by", model.index_order or "unknown"),
        ("posts sorted by", model.post_order or "unknown"),
        (
            "element of a post",
            lines(shape.top for shape in model.wrapper.shapes) if model.wrapper else "none found",
        ),
        (
            "element of its text",
            lines(kind for shape in model.wrapper.shapes for kind, _ in shape.bodies)
            if model.wrapper
            else "none found",
        ),
    ]


def _style(model: ForumModel, name: str) -> str:
    family = getattr(model, name)
    if family.style is None:
        return "one page each"
    where = (
        f"parameter {family.style.parameter}"
        if family.style.parameter
        else family.style.insert + family.style.tail
    )
    size = f"{family.per_page or '?'} a page"
    if not family.style.step:
        return f"{where}, a cursor, {size}"
    return f"{where}, from {family.style.start} by {family.style.step}, {size}"
