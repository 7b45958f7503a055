"""Made-up contents for the console: a comparison of sites. For screenshots, tests and measurements."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from threadmill.store.sites.compare_results import ResultRow, put_results
from threadmill.store.sites.task_sites import SiteRow, add_sites
from threadmill.store.sites.tasks import TaskRow, TaskStatus, add_task

if TYPE_CHECKING:
    from threadmill.store import Store

_SPACE = UUID("264d54d7-be3c-4bed-bbee-e7eadf8d99c5")
_START = datetime(2026, 11, 1, 9, tzinfo=UTC)
_WORDS = (
    "harbour mill north light stone river garden copper winter salt field anchor cedar maple tower lantern "
    "bridge orchard falcon amber willow summit meadow quarry beacon ferry hollow saddle thistle granite"
)
_NAMES = tuple(_WORDS.split())
_TRADES = ("tools", "bakery", "logistics", "optics", "travel", "print", "pumps", "dental", "solar", "fabrics")
_ENDINGS = ("com", "de", "at", "ch", "co.uk", "fr", "eu", "org")
_KINDS = ("phone", "name", "mail domain", "address", "register number", "account", "picture", "links")
_LARGEST_COMPANY = 9  # sites


def add_comparison(store: Store, count: int, seed: int = 1) -> UUID:
    """Store a comparison that is done: companies of one to nine sites, with weaker pairs between some."""
    chance = random.Random(seed)
    task = uuid5(_SPACE, f"{count} {seed}")
    rows = list(_sites(chance, task, count))
    pairs = list(_pairs(chance, rows))
    with store.writing() as connection:
        done = _START + timedelta(minutes=7)
        add_task(connection, TaskRow(task, _START, done, TaskStatus.DONE, queued_at=_START))
        add_sites(connection, rows)
        put_results(connection, pairs)
    return task


def _sites(chance: random.Random, task: UUID, count: int) -> Iterator[SiteRow]:
    position = 0
    used: set[str] = set()
    while position < count:
        name = f"{chance.choice(_NAMES)}-{chance.choice(_TRADES)}"
        name += "" if name not in used else str(position)
        used.add(name)
        size = min(count - position, 1 + int(chance.expovariate(0.7)), _LARGEST_COMPANY)
        for ending in chance.sample(_ENDINGS, min(size, len(_ENDINGS))):
            outcome, reason = ("ok", "") if chance.random() < 0.93 else ("dead", "the name has no address")
            url = f"https://www.{name}.{ending}/"
            yield SiteRow(
                uuid5(task, str(position)), task, position, url, True, "", _START, _START, _START,
                _START if outcome == "ok" else None, outcome, reason, "en" if ending == "com" else "de", 4,
            )  # fmt: skip
            position += 1


def _pairs(chance: random.Random, rows: list[SiteRow]) -> Iterator[ResultRow]:
    usable = [row for row in rows if row.outcome == "ok"]
    by_name: dict[str, list[SiteRow]] = {}
    for row in usable:
        by_name.setdefault(row.root_url.split(".")[1], []).append(row)
    seen: set[tuple[int, int]] = set()
    for group in by_name.values():
        for one, other in combinations(group[:_LARGEST_COMPANY], 2):
            if chance.random() < 0.75:
                seen.add((one.position, other.position))
                yield _pair(chance, one, other, chance.uniform(0.55, 0.99))
    for _ in range(2 * len(usable)):
        one, other = sorted(chance.sample(usable, 2), key=lambda row: row.position)
        if (one.position, other.position) not in seen:
            seen.add((one.position, other.position))
            yield _pair(chance, one, other, min(0.9, 0.01 + chance.expovariate(9)))


def _pair(chance: random.Random, one: SiteRow, other: SiteRow, score: float) -> ResultRow:
    strong = chance.sample(_KINDS, 1 + round(3 * score))
    evidence = {kind: round(chance.uniform(0.3, 1.0), 3) for kind in strong}
    evidence |= {"words": round(score * chance.uniform(0.3, 0.9), 3)}
    if score < 0.6:
        evidence["other name"] = 1.0
    why = f"Both have the same {strong[0]}; their words are alike to {evidence['words']:.2f}."
    return ResultRow(one.task_id, one.id, other.id, round(score, 4), evidence["words"], why, evidence)
