"""Crawls into a workspace: a forum, or any site. Each has a blocking and an async form."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Literal, TypeVar

from threadmill.config import AccessSettings, override
from threadmill.crawl.access.login import load_recipe
from threadmill.crawl.access.site_access import for_start, load_access
from threadmill.crawl.fetch.proxies import ProxyChoice
from threadmill.crawl.forget import ForgetReport, ForgetRequest
from threadmill.crawl.forget import forget as forget_request
from threadmill.crawl.forum import forum_crawl
from threadmill.crawl.forum.choice import read_choice
from threadmill.crawl.forum.progress import ForumProgress
from threadmill.crawl.site import site_crawl
from threadmill.crawl.site.site_loop import SiteProgress
from threadmill.errors import UsageError
from threadmill.store.forum.export import read_since
from threadmill.urls import Scope, canonicalise, site_of
from threadmill.workspace import Workspace, open_workspace, refuse_lost_database

AnyWorkspace = Workspace | str | os.PathLike[str]
DEFAULT_WORKSPACE = "threadmill-work"
T = TypeVar("T")


def crawl_forum(
    url: str,
    workspace: AnyWorkspace = DEFAULT_WORKSPACE,
    *,
    delay: float | None = None,
    concurrency: int | None = None,
    max_pages: int | None = None,
    max_seconds: float | None = None,
    access: Mapping[str, str | None] | None = None,
    browser: bool | None = None,
    boards: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    since: str | None = None,
    max_threads: int = 0,
    on_progress: Callable[[ForumProgress], None] | None = None,
) -> ForumProgress:
    """Crawl a forum: everything the first time, afterwards only pages with new posts.

    `url` is any page of the forum. `workspace` is an open workspace, or a directory, which is made when it is
    new. `delay` is the least time in seconds between two requests to a host, `concurrency` the number of
    requests at the same time. Options that are not given come from the workspace's threadmill.toml. `access`
    opens closed forums: any of `cookies` (a file), `headers`, `user`, `password`, `login` (a file), `proxy`.
    With `browser`, Chromium runs the scripts of pages that are empty without them. `boards` (URLs), `include`
    and `exclude` (patterns of URLs or titles, such as "*cars*"), `since` (the day of a thread's last post, or
    later) and `max_threads` choose what to read. The rest stays for a later call without them.
    `on_progress` gets the counts now and then. After an interruption, the same call
    continues the crawl. Read the posts with `open_workspace`. In a notebook, use `crawl_forum_async`.

    >>> import threadmill
    >>> crawl = threadmill.crawl_forum("https://forum.example.org/", "work")
    >>> crawl.new_posts
    29
    >>> crawl = threadmill.crawl_forum("https://forum.example.org/", "work")
    >>> crawl.new_posts
    0
    """
    return run_blocking(
        "crawl_forum",
        lambda: crawl_forum_async(
            url,
            workspace,
            delay=delay,
            concurrency=concurrency,
            max_pages=max_pages,
            max_seconds=max_seconds,
            access=access,
            browser=browser,
            boards=boards,
            include=include,
            exclude=exclude,
            since=since,
            max_threads=max_threads,
            on_progress=on_progress,
        ),
    )


async def crawl_forum_async(
    url: str,
    workspace: AnyWorkspace = DEFAULT_WORKSPACE,
    *,
    delay: float | None = None,
    concurrency: int | None = None,
    max_pages: int | None = None,
    max_seconds: float | None = None,
    access: Mapping[str, str | None] | None = None,
    browser: bool | None = None,
    boards: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    since: str | None = None,
    max_threads: int = 0,
    on_progress: Callable[[ForumProgress], None] | None = None,
) -> ForumProgress:
    """Do what `crawl_forum` does, inside a running event loop: in a notebook, or beside other tasks.

    >>> import asyncio, threadmill
    >>> async def main():
    ...     return await threadmill.crawl_forum_async("https://forum.example.org/", "work")
    >>> asyncio.run(main()).new_posts
    29
    """
    start = canonicalise(url)  # before a directory is made for a wrong URL
    day = read_since(since, datetime.now().astimezone()) if since is not None else ""
    choice = read_choice(boards, include, exclude, day, max_threads)
    for board in choice.boards if choice else ():
        if site_of(board) != site_of(start):
            raise UsageError(f"{board} is no board of {start}; name a board of the same site")
    options = {
        "delay": delay,
        "concurrency": concurrency,
        "max_pages": max_pages,
        "max_seconds": max_seconds,
    }
    _check_access(access, start)
    opened = _with_access(_open(workspace, options, browser), access, start)
    return await forum_crawl.crawl_forum_async(opened, start, on_progress, choice)


def crawl_site(
    url: str,
    workspace: AnyWorkspace = DEFAULT_WORKSPACE,
    *,
    scope: Literal["host", "site", "prefix"] = "host",
    delay: float | None = None,
    concurrency: int | None = None,
    max_pages: int | None = None,
    max_depth: int | None = None,
    max_seconds: float | None = None,
    sitemaps: bool | None = None,
    access: Mapping[str, str | None] | None = None,
    browser: bool | None = None,
    on_progress: Callable[[SiteProgress], None] | None = None,
) -> SiteProgress:
    """Crawl an ordinary site, breadth-first, and keep every page as WARC.

    `scope` limits the crawl to the host of `url`, to the hosts of its registered domain ("site"), or to URLs
    below the directory of `url` ("prefix"). `max_depth` is a number of links from `url`. With `sitemaps`, the
    crawl also starts from the URLs in the site's sitemaps and feeds. The other options are those of
    `crawl_forum`. After an interruption, the same call continues the crawl.

    >>> import threadmill
    >>> crawl = threadmill.crawl_site("https://example.org/", "site", max_pages=1000)
    >>> crawl.pages, crawl.ended
    (3, 'nothing left')
    """
    return run_blocking(
        "crawl_site",
        lambda: crawl_site_async(
            url,
            workspace,
            scope=scope,
            delay=delay,
            concurrency=concurrency,
            max_pages=max_pages,
            max_depth=max_depth,
            max_seconds=max_seconds,
            sitemaps=sitemaps,
            access=access,
            browser=browser,
            on_progress=on_progress,
        ),
    )


async def crawl_site_async(
    url: str,
    workspace: AnyWorkspace = DEFAULT_WORKSPACE,
    *,
    scope: Literal["host", "site", "prefix"] = "host",
    delay: float | None = None,
    concurrency: int | None = None,
    max_pages: int | None = None,
    max_depth: int | None = None,
    max_seconds: float | None = None,
    sitemaps: bool | None = None,
    access: Mapping[str, str | None] | None = None,
    browser: bool | None = None,
    on_progress: Callable[[SiteProgress], None] | None = None,
) -> SiteProgress:
    """Do what `crawl_site` does, inside a running event loop: in a notebook, or beside other tasks.

    >>> import asyncio, threadmill
    >>> async def main():
    ...     return await threadmill.crawl_site_async("https://example.org/", "site", max_depth=1)
    >>> asyncio.run(main()).pages
    3
    """
    start = canonicalise(url)  # before a directory is made for a wrong URL
    options = {
        "delay": delay,
        "concurrency": concurrency,
        "max_pages": max_pages,
        "max_depth": max_depth,
        "max_seconds": max_seconds,
        "sitemaps": sitemaps,
    }
    _check_access(access, start)
    opened = _with_access(_open(workspace, options, browser), access, start)
    return await site_crawl.crawl_site_async(opened, start, Scope(scope), on_progress)


def forget(
    workspace: AnyWorkspace, *, author: str | None = None, thread: str | None = None, forum: str | None = None
) -> ForgetReport:
    """Delete an author, a thread or a forum from a workspace: store, archive and search indexes.

    An author may be limited to one forum. Afterwards everything is searched: `left` of the report names each
    place that still holds something. After an interruption, the same call goes on.

    >>> import threadmill
    >>> threadmill.forget("threadmill-work", author="juniper").left
    []
    """
    if not (author or thread or forum):
        raise UsageError("name what to forget: author, thread or forum")
    opened = workspace if isinstance(workspace, Workspace) else open_workspace(workspace)
    return forget_request(opened, ForgetRequest(author, thread, forum))


def _open(workspace: AnyWorkspace, options: dict[str, Any], browser: bool | None) -> Workspace:
    """The workspace with the options of the call over its settings."""
    opened = workspace if isinstance(workspace, Workspace) else open_workspace(workspace, create=True)
    refuse_lost_database(opened)
    # A crawl visits one host for the most part, so the number of requests at once holds for the host too.
    settings = override(opened.settings, "crawl", **options, host_concurrency=options["concurrency"])
    settings = override(settings, "fetch", browser=browser)
    return replace(opened, settings=settings)


def _check_access(access: Mapping[str, str | None] | None, start: str) -> None:
    """Refuse credentials that cannot be used, before a directory is made."""
    given = {name: value for name, value in (access or {}).items() if value is not None}
    unknown = sorted(given.keys() - {field.name for field in fields(AccessSettings)})
    if not unknown:
        settings = for_start(replace(AccessSettings(), **given), start)
        recipe = load_access(settings).recipe
        if recipe is not None:
            load_recipe(recipe)
        ProxyChoice(settings.proxy)


def _with_access(workspace: Workspace, access: Mapping[str, str | None] | None, start: str) -> Workspace:
    """The workspace with the credentials of the call; without a site of their own they are for the start."""
    known = [field.name for field in fields(AccessSettings)]
    unknown = sorted((access or {}).keys() - set(known))
    if unknown:
        raise UsageError(f"access has no {unknown[0]!r}; known are {', '.join(known)}")
    given = {name: value for name, value in (access or {}).items() if value is not None}
    settings = override(workspace.settings, "access", **given)
    return replace(workspace, settings=replace(settings, access=for_start(settings.access, start)))


def run_blocking(name: str, start: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run the async form of a function. Inside an event loop, name the function to use instead."""
    with suppress(RuntimeError):
        asyncio.get_running_loop()
        raise UsageError(
            f"{name} cannot run inside an event loop, such as that of a notebook; use: await {name}_async(…)"
        )
    return asyncio.run(start())
