"""Downloads of a comparison: pairs with their evidence, graphs, and what people decided."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from uuid import UUID

from fastapi import APIRouter, HTTPException, Request
from sqlalchemy import Connection
from starlette.responses import Response

from threadmill.console.context import ConsoleContext
from threadmill.console.sites.comparisons import Comparison, Comparisons, load_whole
from threadmill.console.sites.decision_routes import border_of
from threadmill.sites.report.graph_files import as_evidence_csv, as_gexf, as_graphml
from threadmill.sites.report.results import without_formula
from threadmill.store.sites.decisions import SiteDecision

_RESULTS = {
    "pairs.csv": (as_evidence_csv, "text/csv; charset=utf-8"),
    "graph.gexf": (as_gexf, "application/xml"),
    "graph.graphml": (as_graphml, "application/xml"),
}


def add_exports(router: APIRouter, context: ConsoleContext, comparisons: Comparisons) -> None:
    """Add the downloads."""

    @router.get("/{task_id}/export/{name}")
    async def export(request: Request, task_id: UUID, name: str) -> Response:
        border = border_of(request)
        if name not in _RESULTS and name not in _DECISIONS:
            raise HTTPException(404, "There is no such download.")

        def read(connection: Connection) -> tuple[str, str]:
            comparison = comparisons.load(connection, task_id)
            if name in _DECISIONS:
                write_decisions, kind = _DECISIONS[name]
                return write_decisions(comparison.decided), kind
            return _write_results(connection, comparison, name, border)

        text, kind = await context.access.read(read)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type=kind, headers=headers)


def _write_results(
    connection: Connection, comparison: Comparison, name: str, border: float
) -> tuple[str, str]:
    write, kind = _RESULTS[name]
    return write(load_whole(connection, comparison), border), kind


def decisions_as_csv(decided: Sequence[SiteDecision]) -> str:
    """One line per decision."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("url1", "url2", "decision", "who", "at"))
    for made in decided:
        said = "one company" if made.same else "not one company"
        row = (made.url1, made.url2, said, made.who, made.at.isoformat())
        writer.writerow([without_formula(value) for value in row])
    return out.getvalue()


def decisions_as_json(decided: Sequence[SiteDecision]) -> str:
    """The decisions as a JSON list."""
    value = [
        {
            "url1": made.url1,
            "url2": made.url2,
            "same": made.same,
            "who": made.who,
            "at": made.at.isoformat(),
        }
        for made in decided
    ]
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


_DECISIONS: dict[str, tuple[Callable[[Sequence[SiteDecision]], str], str]] = {
    "decisions.csv": (decisions_as_csv, "text/csv; charset=utf-8"),
    "decisions.json": (decisions_as_json, "application/json"),
}
