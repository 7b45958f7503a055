"""The first stage: a site's home page, its most informative pages, its imprint, its favicon and logo."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from threadmill.crawl.fetch.client import Fetcher, FetchResult, Request
from threadmill.errors import FetchError, ForbiddenError, URLError, UsageError
from threadmill.page.parse.tree import parse
from threadmill.sites.collect.archived_pages import Archived
from threadmill.sites.collect.home_links import Leads, find_leads
from threadmill.sites.collect.link_ranking import rank_for_identity, rank_for_text
from threadmill.sites.model import Collected
from threadmill.types import Capture
from threadmill.urls import canonicalise, host_of, resolve

_HTML = {"text/html", "application/xhtml+xml", ""}
_REFRESH = re.compile(r"""url\s*=\s*["']?([^"'>\s]+)""", re.IGNORECASE)
_MOST_PICTURE = 300_000  # bytes: logos are small
_CLOSED = {401, 403, 451}  # the server says that we may not

Keep = Callable[[FetchResult], None]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much of a site is fetched."""

    pages: int = 5  # beside the home page, for its text; what the source took
    identity: int = 2  # imprint and contact page
    pictures: int = 2  # favicon and logo
    sheets: int = 3  # style sheets of the home page: they say what of it nobody sees


async def collect(
    fetcher: Fetcher,
    urls: Sequence[str],
    effort: Effort | None = None,
    keep: Keep | None = None,
    together: int = 16,
    *,
    archived: Archived | None = None,
    use_archive_data: bool = False,
) -> AsyncIterator[Collected]:
    """Every site of the list as it is done; a site that fails says why and holds up nobody."""
    waiting = iter(urls)
    shared = shared_hosts(urls)
    # No more sites at once than `together`, the finished ones included: who reads them may be slower.
    running: set[asyncio.Task[Collected]] = set()
    try:
        while True:
            for url in waiting:
                work = collect_site(
                    fetcher,
                    url,
                    effort or Effort(),
                    keep,
                    archived=archived,
                    use_archive_data=use_archive_data,
                    alone=_host(url) not in shared,
                )
                running.add(asyncio.ensure_future(work))
                if len(running) >= together:
                    break
            if not running:
                return
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in running:
            task.cancel()


async def collect_site(
    fetcher: Fetcher,
    url: str,
    effort: Effort,
    keep: Keep | None = None,
    *,
    archived: Archived | None = None,
    use_archive_data: bool = False,
    alone: bool = True,
) -> Collected:
    """One site; with `use_archive_data` and its home page in the archive, without a single request.

    A site that is not `alone` on its host is only what lies under its address.
    """
    if use_archive_data and archived is None:
        raise UsageError("use_archive_data needs an archive to take the pages from, but none was given")
    visit = _Visit(fetcher, keep, archived if use_archive_data else None)
    try:
        home = await visit.home(canonicalise(url))
    except ForbiddenError as error:
        return Collected(url, failure=error.reason, forbidden=True)
    except (FetchError, URLError) as error:
        return Collected(url, failure=getattr(error, "reason", "bad URL"))
    if home.status >= 400 or not home.payload:
        failure = str(home.status) if home.status >= 400 else "no content"
        return Collected(url, failure=failure, forbidden=home.status in _CLOSED)
    if home.content_type not in _HTML:
        return Collected(url, failure=f"no page but {home.content_type}")
    return await _around(visit, url, home, find_leads(home, alone=alone), effort)


async def _around(visit: _Visit, url: str, home: Capture, leads: Leads, effort: Effort) -> Collected:
    """What the home page leads to."""
    wanted = rank_for_text(leads.links)[: effort.pages]
    who = [link for link in rank_for_identity(leads.links) if link not in wanted][: effort.identity]
    return Collected(
        url,
        (home, *[page for page in await visit.all(wanted) if _is_page(page)]),
        tuple(page for page in await visit.all(who) if _is_page(page)),
        tuple(
            picture
            for picture in await visit.all(leads.pictures[: effort.pictures])
            if picture.status == 200
            and len(picture.payload) <= _MOST_PICTURE
            and picture.content_type != "text/html"
        ),
        sheets=tuple(
            sheet
            for sheet in await visit.all(leads.sheets[: effort.sheets])
            if sheet.status == 200 and sheet.content_type in {"text/css", ""}
        ),
    )


def shared_hosts(urls: Sequence[str]) -> frozenset[str]:
    """Hosts that several sites of a list live on, each under its own path."""
    return frozenset(host for host, count in Counter(map(_host, urls)).items() if host and count > 1)


def _host(url: str) -> str:
    clean = resolve(url)
    return host_of(clean) if clean else ""


class _Visit:
    """The requests to one site, or the looks into the archive instead."""

    def __init__(self, fetcher: Fetcher, keep: Keep | None, archived: Archived | None) -> None:
        self._fetcher = fetcher
        self._keep = keep
        self._archived = archived

    async def home(self, url: str) -> Capture:
        """The home page; a page that only sends the browser on is followed once."""
        if self._archived is not None and self._archived.find(url) is None:
            self._archived = None  # never seen: fetch it and all it leads to
        capture = await self._get(url)
        onward = _refresh(capture)
        if not onward or onward == capture.url:
            return capture
        return await self._get(onward)

    async def all(self, urls: Sequence[str]) -> list[Capture]:
        """What can be had of some URLs; a page that fails is only a page less."""
        found = []
        for url in urls:
            try:
                found.append(await self._get(url))
            except (FetchError, URLError):
                continue
        return found

    async def _get(self, url: str) -> Capture:
        if self._archived is not None:
            capture = self._archived.find(url)
            if capture is None:
                raise FetchError(f"the archive has no answer for {url}")
            return capture
        answer = await self._fetcher.fetch(Request(url))
        if self._keep is not None:
            self._keep(answer)
        return answer.capture


def _is_page(capture: Capture) -> bool:
    return capture.status == 200 and capture.content_type in _HTML and bool(capture.payload)


def _refresh(capture: Capture) -> str | None:
    # Spares almost every home page the extra parse.
    if capture.content_type not in _HTML or b"refresh" not in capture.payload[:20_000].lower():
        return None
    document = parse(capture.payload[:20_000], capture.url).document
    element = document.select_one('meta[http-equiv="refresh" i][content]')
    found = _REFRESH.search(str(element.attr("content"))) if element is not None else None
    return resolve(found[1], capture.url) if found else None
