"""The table of compared pairs. Pairs from a low score on are stored, for queries with any border."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Select,
    Table,
    Text,
    Uuid,
    func,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from threadmill.store.schema import metadata
from threadmill.store.sites.task_sites import site

compare_result = Table(
    "compare_result",
    metadata,
    Column("task_id", Uuid, ForeignKey("task.id"), primary_key=True),
    Column("site1_id", Uuid, ForeignKey("site.id"), primary_key=True),
    Column("site2_id", Uuid, ForeignKey("site.id"), primary_key=True),
    Column("similarity", Double, nullable=False),
    Column("words", Double),  # cosine similarity; NULL when a private call wrote the result
    Column("why", Text, nullable=False),
    Column("evidence", JSON, nullable=False),
    Index("ix_compare_result_task_id_similarity", "task_id", "similarity"),
)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The similarity of two sites of a task, and the evidence. site1 comes first in the list of the task."""

    task_id: UUID
    site1_id: UUID
    site2_id: UUID
    similarity: float
    words: float | None = None
    why: str = ""
    evidence: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoundPair:
    """A result with the URLs of its sites."""

    url1: str
    url2: str
    similarity: float
    words: float | None
    why: str
    evidence: Mapping[str, float]
    position1: int
    position2: int


def put_results(connection: Connection, rows: Sequence[ResultRow]) -> None:
    """Store results. A pair that is already stored is replaced, so the work can be repeated."""
    if not rows:
        return
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    insert: Any = dialect.insert(compare_result)
    changed = {name: insert.excluded[name] for name in ("similarity", "words", "why", "evidence")}
    statement = insert.on_conflict_do_update(index_elements=["task_id", "site1_id", "site2_id"], set_=changed)
    values = [{name: getattr(row, name) for name in ResultRow.__slots__} for row in rows]
    connection.execute(statement, values)


def pairs_over(
    connection: Connection, task_id: UUID, border: float, *, limit: int | None = None, offset: int = 0
) -> list[FoundPair]:
    """Return the pairs of a task with a similarity of at least `border`, best first."""
    one, other = site.alias("one"), site.alias("other")
    result = compare_result.c
    wanted = (
        select(
            one.c.root_url.label("url1"),
            other.c.root_url.label("url2"),
            result.similarity,
            result.words,
            result.why,
            result.evidence,
            one.c.position.label("position1"),
            other.c.position.label("position2"),
        )
        .join(one, one.c.id == result.site1_id)
        .join(other, other.c.id == result.site2_id)
        .order_by(result.similarity.desc(), one.c.position, other.c.position)
    )
    rows = connection.execute(_over(wanted, task_id, border).limit(limit).offset(offset))
    return [FoundPair(**row._mapping) for row in rows]


def count_over(connection: Connection, task_id: UUID, border: float) -> int:
    """Count the pairs of a task with a similarity of at least `border`."""
    wanted = _over(select(func.count()).select_from(compare_result), task_id, border)
    return int(connection.execute(wanted).scalar_one())


def _over(wanted: Select[Any], task_id: UUID, border: float) -> Select[Any]:
    return wanted.where(compare_result.c.task_id == task_id, compare_result.c.similarity >= border)
