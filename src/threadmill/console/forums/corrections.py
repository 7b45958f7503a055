"""Correcting how a forum is read: point at something or say it, see what would change, keep it or not."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from threading import Lock
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from sqlalchemy import Connection
from starlette.responses import HTMLResponse, Response

from threadmill.console.context import ConsoleContext
from threadmill.console.inspector.page_inspector import PageInspector, find_known_site
from threadmill.console.page_renderer import redirect
from threadmill.console.security.sessions import current_session
from threadmill.crawl.corrections import (
    COUNT_WORDS,
    CorrectionTest,
    ReadingCounts,
    check_corrections,
    join_corrections,
)
from threadmill.errors import UsageError
from threadmill.forum.link_urls import absolute_url, same_site
from threadmill.forum.read_page import PageAnalysis, find_thread_records
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.corrections import (
    DATE_ORDERS,
    KINDS,
    MOST_VALUES,
    write_place,
)
from threadmill.forum.site_model.wrapper import NEAR, Wrapper, element_keys
from threadmill.page.parse.tree import parse
from threadmill.store.forum.browsing import forum_job_url
from threadmill.store.forum.corrections import (
    add_correction,
    corrections_of,
    remove_correction,
    stop_boards,
)

_MOST_PENDING = 64
_LARGEST = 2**62
_MAX_PAGE = 10_000_000  # bytes


@dataclass(frozen=True, slots=True)
class PendingCorrection:
    """A correction that was tested, but not kept yet."""

    forum: int
    url: str  # of the job
    kind: str
    said: tuple[str, ...]
    test: CorrectionTest


class PendingCorrections:
    """The latest tested corrections. Only a tested one can be kept."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, PendingCorrection] = OrderedDict()
        self._lock = Lock()

    def add(self, pending: PendingCorrection) -> str:
        """Hold a correction. Return its key."""
        key = secrets.token_urlsafe(12)
        with self._lock:
            self._held[key] = pending
            while len(self._held) > _MOST_PENDING:
                self._held.popitem(last=False)
        return key

    def take(self, key: str, forum: int) -> PendingCorrection:
        """The correction with a key; it is no longer held."""
        with self._lock:
            found = self._held.pop(key, None)
        if found is None or found.forum != forum:
            raise HTTPException(404, "This correction is not waiting any more. Try it again.")
        return found


def make_router(context: ConsoleContext) -> APIRouter:
    """The routes of corrections."""
    router = APIRouter(prefix="/forums/{number}/corrections")
    pending = PendingCorrections()
    inspector = PageInspector(context)

    async def wanted(request: Request, number: int, kind: str, page: str, element: int) -> list[str]:
        """The values of a correction: those of the form, or what the person pointed at."""
        if not page:
            lines = [line for text in request.query_params.getlist("said") for line in text.split("\n")]
            return [line.strip() for line in lines if line.strip()][:MOST_VALUES]
        found = await inspector.find(page)
        capture = found.capture
        site = await context.access.read(lambda connection: find_known_site(connection, found))
        if site.forum != number:
            raise UsageError("this page does not belong to the forum that is corrected")
        tree = parse(capture.payload[:_MAX_PAGE], capture.url, capture.header("content-type") or "")
        return pointed_values(PageAnalysis(tree, capture.at), site.wrapper, kind, element)

    @router.get("/try")
    async def try_it(
        request: Request,
        number: int,
        kind: str,
        page: Annotated[str, Query(max_length=100)] = "",
        element: Annotated[int, Query(ge=0, le=10**7)] = 0,
    ) -> HTMLResponse:
        if kind not in KINDS or not 0 < number < _LARGEST:
            raise HTTPException(404, "There is no such correction.")
        said = await wanted(request, number, kind, page, element)
        tested = await context.access.read(lambda connection: _test(context, connection, number, kind, said))
        key = pending.add(tested)
        rows = [
            (words, getattr(tested.test.before, name), getattr(tested.test.after, name))
            for name, words in COUNT_WORDS.items()
        ]
        return context.renderer.page(
            request,
            "forums/correction.html",
            number=number,
            pending=tested,
            key=key,
            rows=rows,
            back=page,
            orders=DATE_ORDERS,
        )

    _add_keeping(router, context, pending)
    return router


def _add_keeping(router: APIRouter, context: ConsoleContext, pending: PendingCorrections) -> None:
    @router.post("")
    async def keep(request: Request, number: int) -> Response:
        form = await request.form()
        found = pending.take(str(form.get("key") or ""), number)
        who, now = current_session(request).name or "somebody", datetime.now(UTC)

        def write(connection: Connection) -> None:
            counts = found.test.counts()
            add_correction(connection, found.url, found.kind, found.said, counts, who=who, at=now)
            if found.kind == "not boards":
                stop_boards(connection, number, found.said)

        await context.access.write(write)
        return redirect(request, f"/forums/{number}/model")

    @router.post("/{correction}/remove")
    async def remove(request: Request, number: int, correction: int) -> Response:
        def write(connection: Connection) -> None:
            url = forum_job_url(connection, _known(number)) or ""
            remove_correction(connection, url, _known(correction))

        await context.access.write(write)
        return redirect(request, f"/forums/{number}/model")


def _known(number: int) -> int:
    if not 0 < number < _LARGEST:
        raise HTTPException(404, "There is no such forum or correction.")
    return number


def _test(
    context: ConsoleContext, connection: Connection, number: int, kind: str, said: Sequence[str]
) -> PendingCorrection:
    url = forum_job_url(connection, number)
    if url is None:
        raise HTTPException(404, "There is no such forum.")
    fresh = join_corrections(corrections_of(connection, url)).with_one(kind, said)
    test = check_corrections(context.workspace, connection, number, fresh)
    return PendingCorrection(number, url, kind, tuple(said), test)


def describe_tested(tested: dict[str, Any]) -> str:
    """What changed when a correction was tested, in a few words."""
    before, after = tested.get("before", {}), tested.get("after", {})
    changes = [
        f"{COUNT_WORDS[one.name]} {before.get(one.name, 0):,} → {after.get(one.name, 0):,}"
        for one in fields(ReadingCounts)
        if before.get(one.name, 0) != after.get(one.name, 0)
    ]
    posts = tested.get("changed", {}).get("posts", 0)
    return (
        "; ".join([f"{posts:,} posts read differently" if posts else "", *changes]).strip("; ") or "no change"
    )


def pointed_values(analysis: PageAnalysis, wrapper: Wrapper | None, kind: str, element: int) -> list[str]:
    """The values of the correction of a kind. Raise UsageError if the element does not fit it."""
    outline = analysis.outline
    if element >= len(outline.elements):
        raise UsageError("expected an element of this page; the page may have changed, so point again")
    if kind in {"author", "date", "text"}:
        return [_place_in_post(analysis, wrapper, element)]
    link = _link_around(outline, element)
    url = absolute_url(outline.base, outline.hrefs[link] or "") if link is not None else None
    if link is None or url is None:
        raise UsageError("expected a link; point at the title of a thread or the name of a board")
    return [url] if kind == "not boards" else _links_alike(outline, link)


def _place_in_post(analysis: PageAnalysis, wrapper: Wrapper | None, element: int) -> str:
    found = find_thread_records(analysis, wrapper)
    for members in found.table.members if found is not None else ():
        for index, key in element_keys(analysis.outline, members):
            if index == element:
                return write_place(key)
    raise UsageError("expected something inside a post, but this stands outside of all posts that were found")


def _link_around(outline: PageOutline, element: int) -> int | None:
    while element >= 0:
        if outline.hrefs[element]:
            return element
        element = outline.parent[element]
    return None


def _links_alike(outline: PageOutline, link: int) -> list[str]:
    """The URLs of all links that stand in elements of the same names, as those of one list do."""
    chain = outline.chain(link, NEAR)
    urls = (
        absolute_url(outline.base, href)
        for index, href in enumerate(outline.hrefs)
        if href and outline.chain(index, NEAR) == chain
    )
    found = dict.fromkeys(url for url in urls if url and same_site(url, outline.base))
    return list(found)[:MOST_VALUES]
