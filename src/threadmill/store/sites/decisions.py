"""The table of what people decided about pairs of sites: one company, or not; by whom and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Boolean, Column, Connection, ForeignKey, Table, Text, Uuid, select
from sqlalchemy.dialects import postgresql, sqlite

from threadmill.store.schema import Instant, metadata
from threadmill.store.sites.task_sites import site

site_decision = Table(
    "site_decision",
    metadata,
    Column("task_id", Uuid, ForeignKey("task.id"), primary_key=True),
    Column("site1_id", Uuid, ForeignKey("site.id"), primary_key=True),
    Column("site2_id", Uuid, ForeignKey("site.id"), primary_key=True),
    Column("same", Boolean, nullable=False),  # one company, or not
    Column("who", Text, nullable=False),
    Column("at", Instant, nullable=False),
)


@dataclass(frozen=True, slots=True)
class SiteDecision:
    """What a person decided about two sites of a task, named by their positions in its list."""

    position1: int  # the smaller one
    position2: int
    url1: str
    url2: str
    same: bool
    who: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DecisionMaker:
    """Who decides, and when."""

    who: str
    at: datetime


def decide_pairs(
    connection: Connection,
    task_id: UUID,
    pairs: Iterable[tuple[int, int]],
    *,
    same: bool,
    maker: DecisionMaker,
) -> int:
    """Store a decision about pairs of sites, in place of earlier ones. Unknown sites are left out.

    Returns the number of decisions.
    """
    wanted = {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}
    ids = _ids(connection, task_id, {position for pair in wanted for position in pair})
    rows = [
        {"task_id": task_id, "site1_id": ids[one], "site2_id": ids[other], "same": same, "who": maker.who,
         "at": maker.at}
        for one, other in sorted(wanted)
        if one in ids and other in ids
    ]  # fmt: skip
    if rows:
        dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
        insert: Any = dialect.insert(site_decision)
        changed = {name: insert.excluded[name] for name in ("same", "who", "at")}
        keys = ["task_id", "site1_id", "site2_id"]
        connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=changed), rows)
    return len(rows)


def forget_decision(connection: Connection, task_id: UUID, position1: int, position2: int) -> None:
    """Forget what was decided about a pair: its score counts again."""
    ids = _ids(connection, task_id, {position1, position2})
    one, other = ids.get(min(position1, position2)), ids.get(max(position1, position2))
    own = site_decision.c
    connection.execute(
        site_decision.delete().where(own.task_id == task_id, own.site1_id == one, own.site2_id == other)
    )


def decisions_of(connection: Connection, task_id: UUID) -> list[SiteDecision]:
    """Return all decisions about a task, oldest first."""
    one, other = site.alias("one"), site.alias("other")
    own = site_decision.c
    wanted = (
        select(
            one.c.position.label("position1"), other.c.position.label("position2"),
            one.c.root_url.label("url1"), other.c.root_url.label("url2"), own.same, own.who, own.at,
        )
        .join(one, one.c.id == own.site1_id)
        .join(other, other.c.id == own.site2_id)
        .where(own.task_id == task_id)
        .order_by(own.at, one.c.position, other.c.position)
    )  # fmt: skip
    return [SiteDecision(**row._mapping) for row in connection.execute(wanted)]


def _ids(connection: Connection, task_id: UUID, positions: set[int]) -> dict[int, UUID]:
    wanted = select(site.c.position, site.c.id).where(
        site.c.task_id == task_id, site.c.position.in_(positions)
    )
    return {row.position: row.id for row in connection.execute(wanted)}
