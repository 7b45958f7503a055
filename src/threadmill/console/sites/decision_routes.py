"""The pages of one cluster and one pair, and the buttons with which people decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import product
from typing import Any
from uuid import UUID

from fastapi import APIRouter, HTTPException, Request
from sqlalchemy import Connection
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, Response

from threadmill.console.context import ConsoleContext
from threadmill.console.page_renderer import local_path, redirect, show_url
from threadmill.console.security.sessions import current_session
from threadmill.console.sites.cluster_graph import large_graph
from threadmill.console.sites.comparisons import Comparison, Comparisons, as_pair
from threadmill.errors import MessageError, UsageError
from threadmill.service.http.store_access import require_task
from threadmill.service.work.stage_files import COLLECTED, load
from threadmill.sites.decide.score_pairs import DEFAULT_BORDER
from threadmill.sites.model import CollectedSite, SiteCluster, SitePair
from threadmill.sites.read.read_site import SharedFact, find_shared_facts, pages_of
from threadmill.store.sites.compare_results import pairs_among
from threadmill.store.sites.decisions import DecisionMaker, decide_pairs, forget_decision
from threadmill.store.sites.task_sites import SiteRow, find_site

_MOST_MEMBERS = 300  # of a cluster page: the pairs of more would not fit on a page
_MOST_PAIRS = 500
_LARGEST_POSITION = 2**31


def border_of(request: Request) -> float:
    """The border that a request names. What makes no sense is read as the default."""
    try:
        border = float(request.query_params.get("border", DEFAULT_BORDER))
    except ValueError:
        return DEFAULT_BORDER
    return round(border, 4) if 0 <= border <= 1 else DEFAULT_BORDER


def pairs_by_cluster(
    comparison: Comparison, clusters: Sequence[SiteCluster], border: float
) -> dict[int, list[SitePair]]:
    """The pairs of some clusters, by the first member of each."""
    head = {member: cluster.members[0] for cluster in clusters for member in cluster.members}
    found: dict[int, list[SitePair]] = defaultdict(list)
    for pair in comparison.results.over(border):
        if pair.one in head and head[pair.one] == head.get(pair.other):
            found[head[pair.one]].append(pair)
    return found


def add_decision_routes(router: APIRouter, context: ConsoleContext, comparisons: Comparisons) -> None:
    """Add the pages and the buttons."""
    _add_pages(router, context, comparisons)
    _add_buttons(router, context)
    _add_merge(router, context, comparisons)

    @router.get("/{task_id}/page/{position}/{number}")
    async def collected_page(request: Request, task_id: UUID, position: int, number: int) -> Response:
        """Hand a collected page to the inspector."""
        site = await context.access.read(
            lambda connection: find_site(connection, task_id, _checked(position))
        )
        pages = pages_of(_collected(context, site)) if site is not None else ()
        if not 0 <= number < len(pages):
            raise HTTPException(404, "This page was not collected, or was removed since.")
        held = context.held.add(pages[number], "collected for a comparison of sites")
        return redirect(request, f"/inspect/{held.key}?layer=paragraphs&layer=links")


def _add_pages(router: APIRouter, context: ConsoleContext, comparisons: Comparisons) -> None:
    @router.get("/{task_id}/cluster/{position}")
    async def cluster_page(request: Request, task_id: UUID, position: int) -> HTMLResponse:
        border = border_of(request)

        def read(connection: Connection) -> dict[str, Any]:
            comparison = comparisons.load(connection, task_id)
            found = comparisons.clusters(comparison, border)
            cluster = next((one for one in found if position in one.members), None)
            if cluster is None:
                raise HTTPException(404, "This site is in no cluster at this border.")
            members = sorted(cluster.members[:_MOST_MEMBERS])
            pairs = [as_pair(pair) for pair in pairs_among(connection, task_id, members)]
            edges = pairs_by_cluster(comparison, [cluster], border)[cluster.members[0]]
            graph = large_graph(comparison.results.sites, cluster, edges, comparison.results.decisions)
            made = comparison.results.decisions
            shown = [pair for pair in pairs if pair.score >= border or (pair.one, pair.other) in made]
            told = {"comparison": comparison, "cluster": cluster, "graph": graph}
            return {**told, "pairs": shown[:_MOST_PAIRS]}

        values = await context.access.read(read)
        return context.renderer.page(request, "sites/cluster.html", border=border, **values)

    @router.get("/{task_id}/pair/{one}/{other}")
    async def pair_page(request: Request, task_id: UUID, one: int, other: int) -> HTMLResponse:
        _checked(one), _checked(other)

        def read(connection: Connection) -> dict[str, Any]:
            comparison = comparisons.load(connection, task_id)
            pair = [find_site(connection, task_id, position) for position in (one, other)]
            if None in pair or one == other:
                raise HTTPException(404, "There is no such pair in this comparison.")
            found = pairs_among(connection, task_id, [one, other])
            return {"comparison": comparison, "pair": as_pair(found[0]) if found else None, "two": pair}

        values = await context.access.read(read)
        facts, pages = await context.access.read(lambda _: _shared_facts(context, values["two"]))
        return context.renderer.page(
            request, "sites/pair.html", border=border_of(request), facts=facts, pages=pages, **values
        )


def _shared_facts(context: ConsoleContext, pair: list[SiteRow]) -> tuple[list[SharedFact], list[list[str]]]:
    """The facts that two sites share, and the URLs of the pages of each."""
    one, other = (_collected(context, site) for site in pair)
    return find_shared_facts(one, other), [[page.url for page in pages_of(site)] for site in (one, other)]


def _collected(context: ConsoleContext, site: SiteRow) -> CollectedSite:
    """What was fetched of a site. Nothing if its files are gone."""
    try:
        return load(context.workspace.root, site.files_path, COLLECTED, CollectedSite)
    except (MessageError, OSError, ValueError):
        return CollectedSite(site.root_url)


def _add_buttons(router: APIRouter, context: ConsoleContext) -> None:
    @router.post("/{task_id}/decide")
    async def decide(request: Request, task_id: UUID) -> Response:
        form = await request.form()
        pairs, same = _wanted_pairs(form)
        maker = DecisionMaker(current_session(request).name or "somebody", datetime.now(UTC))

        def write(connection: Connection) -> None:
            require_task(connection, task_id)
            if same is None:
                for one, other in pairs:
                    forget_decision(connection, task_id, one, other)
            elif not decide_pairs(connection, task_id, pairs, same=same, maker=maker):
                raise HTTPException(404, "There are no such sites in this comparison.")

        await context.access.write(write)
        return redirect(request, local_path(str(form.get("back") or f"/sites/{task_id}")))

    @router.post("/{task_id}/split")
    async def split(request: Request, task_id: UUID) -> Response:
        """The chosen sites leave their cluster: each is kept apart from every site that stays."""
        form = await request.form()
        members, leaving = _positions(form, "member"), _positions(form, "chosen")
        staying = [member for member in members if member not in leaving]
        if not leaving or not staying:
            raise UsageError("choose some sites of the cluster, but not all, to split it")
        maker = DecisionMaker(current_session(request).name or "somebody", datetime.now(UTC))
        pairs = list(product(leaving, staying))
        await context.access.write(
            lambda connection: decide_pairs(connection, task_id, pairs, same=False, maker=maker)
        )
        return redirect(request, local_path(str(form.get("back") or f"/sites/{task_id}")))


def _add_merge(router: APIRouter, context: ConsoleContext, comparisons: Comparisons) -> None:
    @router.post("/{task_id}/merge")
    async def merge(request: Request, task_id: UUID) -> Response:
        """Join the cluster of a site with that of another site, which is named by its URL."""
        form = await request.form()
        named, one = str(form.get("url") or ""), _positions(form, "one")
        maker = DecisionMaker(current_session(request).name or "somebody", datetime.now(UTC))

        def write(connection: Connection) -> None:
            other = _site_named(comparisons.load(connection, task_id), named)
            decide_pairs(connection, task_id, [(first, other) for first in one], same=True, maker=maker)

        await context.access.write(write)
        return redirect(request, local_path(str(form.get("back") or f"/sites/{task_id}")))


def _site_named(comparison: Comparison, text: str) -> int:
    """The position of the site whose URL is, or alone contains, a text."""
    wanted = show_url(text.strip().lower())
    urls = [show_url(site.url.lower()) for site in comparison.results.sites]
    found = [number for number, url in enumerate(urls) if url == wanted]
    found = found or [number for number, url in enumerate(urls) if wanted and wanted in url]
    if len(found) != 1:
        raise UsageError(f"expected the URL of one site of this comparison, but {len(found):,} fit")
    return found[0]


def _wanted_pairs(form: FormData) -> tuple[list[tuple[int, int]], bool | None]:
    """The pair of a form, and what it says about it: one company, not, or nothing any more."""
    said = {"accept": True, "reject": False, "forget": None}
    word = str(form.get("decision") or "")
    one, other = _positions(form, "one"), _positions(form, "other")
    if word not in said or len(one) != 1 or len(other) != 1 or one == other:
        raise UsageError("expected two different sites of the comparison and a decision about them")
    return [(one[0], other[0])], said[word]


def _positions(form: FormData, name: str) -> list[int]:
    texts = [value for value in form.getlist(name)[:_MOST_MEMBERS] if isinstance(value, str)]
    return [int(text) for text in texts if text.isascii() and text.isdigit() and len(text) < 10]


def _checked(position: int) -> int:
    if not 0 <= position < _LARGEST_POSITION:
        raise HTTPException(404, "There is no such site in this comparison.")
    return position
