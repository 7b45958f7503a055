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
    Column("found", JSON, nullable=False, server_default="[]"),  # pages and words of the evidence
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
    found: Sequence[Mapping[str, str]] = ()


@dataclass(frozen=True, slots=True)
class FoundPair:
    """A result with the URLs of its sites."""

    url1: str
    url2: str
    similarity: float
    words: float | None
    why: str
    evidence: Mapping[str, float]
    found: Sequence[Mapping[str, str]]
    position1: int
    position2: int


def put_results(connection: Connection, rows: Sequence[ResultRow]) -> None:
    """Store results. A pair that is already stored is replaced, so the work can be repeated."""
    if not rows:
        return
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    insert: Any = dialect.insert(compare_result)
    changed = {name: insert.excluded[name] for name in ("similarity", "words", "why", "evidence", "found")}
    statement = insert.on_conflict_do_update(index_elements=["task_id", "site1_id", "site2_id"], set_=changed)
    values = [{name: getattr(row, name) for name in ResultRow.__slots__} for row in rows]
    connection.execute(statement, values)


_one, _other = site.alias("one"), site.alias("other")
_PAIRS = (
    select(
        _one.c.root_url.label("url1"),
        _other.c.root_url.label("url2"),
        compare_result.c.similarity,
        compare_result.c.words,
        compare_result.c.why,
        compare_result.c.evidence,
        compare_result.c.found,
        _one.c.position.label("position1"),
        _other.c.position.label("position2"),
    )
    .join(_one, _one.c.id == compare_result.c.site1_id)
    .join(_other, _other.c.id == compare_result.c.site2_id)
)


def pairs_over(
    connection: Connection,
    task_id: UUID,
    border: float,
    *,
    limit: int | None = None,
    offset: int = 0,
    rising: bool = False,
) -> list[FoundPair]:
    """Return the pairs of a task with a similarity of at least `border`, best first or worst first."""
    score = compare_result.c.similarity
    order = (score if rising else score.desc(), _one.c.position, _other.c.position)
    wanted = _over(_PAIRS.order_by(*order), task_id, border).limit(limit).offset(offset)
    return [FoundPair(**row._mapping) for row in connection.execute(wanted)]


def pairs_among(connection: Connection, task_id: UUID, positions: Sequence[int]) -> list[FoundPair]:
    """Return all pairs whose sites both stand at one of these positions, best first."""
    ids = select(site.c.id).where(site.c.task_id == task_id, site.c.position.in_(positions))
    result = compare_result.c
    own = (result.task_id == task_id, result.site1_id.in_(ids), result.site2_id.in_(ids))
    wanted = _PAIRS.where(*own).order_by(result.similarity.desc(), _one.c.position, _other.c.position)
    return [FoundPair(**row._mapping) for row in connection.execute(wanted)]


def pair_scores(connection: Connection, task_id: UUID) -> list[tuple[int, int, float]]:
    """Return the positions and the similarity of all pairs of a task, best first. Takes little memory."""
    result = compare_result.c
    wanted = (
        select(_one.c.position, _other.c.position, result.similarity)
        .select_from(compare_result)
        .join(_one, _one.c.id == result.site1_id)
        .join(_other, _other.c.id == result.site2_id)
        .where(result.task_id == task_id)
        .order_by(result.similarity.desc(), _one.c.position, _other.c.position)
    )
    return [(row[0], row[1], row[2]) for row in connection.execute(wanted)]


def count_over(connection: Connection, task_id: UUID, border: float) -> int:
    """Count the pairs of a task with a similarity of at least `border`."""
    wanted = _over(select(func.count()).select_from(compare_result), task_id, border)
    return int(connection.execute(wanted).scalar_one())


def _over(wanted: Select[Any], task_id: UUID, border: float) -> Select[Any]:
    return wanted.where(compare_result.c.task_id == task_id, compare_result.c.similarity >= border)
