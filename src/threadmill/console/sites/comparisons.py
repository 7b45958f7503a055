"""Loads comparisons for the pages. The scores of a task that is done are kept, because they do not change."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from uuid import UUID

from sqlalchemy import Connection

from threadmill.service.http.store_access import require_task
from threadmill.service.work.worker_group import WorkerGroupProcess
from threadmill.sites.model import CompanySite, Evidence, ReadOutcome, SiteCluster, SitePair
from threadmill.sites.report.results import ComparisonResults
from threadmill.store.sites.compare_results import FoundPair, pair_scores, pairs_over
from threadmill.store.sites.decisions import SiteDecision, decisions_of
from threadmill.store.sites.task_sites import outline_sites
from threadmill.store.sites.tasks import TaskRow, TaskStatus
from threadmill.workspace import Workspace

_MOST_KEPT = 4  # tasks; one of 10,000 sites takes some 20 MB
_MOST_CLUSTERINGS = 64  # borders for which the clusters are kept
BINS = 50  # of the histogram of scores


class SiteWorker:
    """Does the work of comparisons: in a process of its own that starts with the first one.

    Below `threadmill serve` the service does the work, and `given` tells it about a new task.
    """

    def __init__(self, workspace: Workspace, given: Callable[[], None] | None = None) -> None:
        self._group = WorkerGroupProcess(workspace)
        self._given = given
        self._has_broker = bool(workspace.settings.service.broker)
        self._task: asyncio.Task[None] | None = None

    @property
    def is_working(self) -> bool:
        """Whether somebody works on the tasks of this workspace, as far as this console knows."""
        return self._given is not None or (self._task is not None and not self._task.done())

    def wake(self) -> None:
        """Begin with the tasks in progress. With a broker, `threadmill serve` sends them to the workers."""
        if self._given is not None:
            self._given()
        elif self.is_working:
            self._group.wake()
        elif not self._has_broker:
            self._task = asyncio.create_task(self._group.run())


@dataclass(frozen=True, slots=True)
class Comparison:
    """A task with its sites, its scores and the decisions of people."""

    task: TaskRow
    results: ComparisonResults  # its pairs have no evidence: that is loaded for the pairs that are shown
    decided: tuple[SiteDecision, ...]
    histogram: tuple[int, ...]  # pairs by score
    made: Mapping[tuple[int, int], SiteDecision] = field(default_factory=dict)  # the decisions by pair

    def decision(self, one: int, other: int) -> SiteDecision | None:
        """What was decided about a pair."""
        return self.made.get((min(one, other), max(one, other)))


class Comparisons:
    """Comparisons that were looked at, the latest few."""

    def __init__(self) -> None:
        self._scores: OrderedDict[tuple[UUID, datetime | None], Comparison] = OrderedDict()
        self._clusters: OrderedDict[object, list[SiteCluster]] = OrderedDict()
        self._lock = Lock()

    def load(self, connection: Connection, task_id: UUID) -> Comparison:
        """The comparison of a task, or the answer 404. Before the task is done it has no pairs."""
        task = require_task(connection, task_id)
        key = (task_id, task.done_at)
        with self._lock:
            known = self._scores.get(key)
        if known is None:
            known = _load(connection, task)
            if task.status is TaskStatus.DONE:
                self._keep(self._scores, key, known, _MOST_KEPT)
        decided = tuple(decisions_of(connection, task_id))
        made = {(one.position1, one.position2): one for one in decided}
        results = with_decisions(known.results, decided)
        return replace(known, decided=decided, made=made, results=results)

    def clusters(self, comparison: Comparison, border: float) -> list[SiteCluster]:
        """The clusters of a comparison for a border."""
        told = tuple((made.position1, made.position2, made.same) for made in comparison.decided)
        key = (comparison.task.id, comparison.task.done_at, border, told)
        with self._lock:
            known = self._clusters.get(key)
        if known is None:
            known = comparison.results.clusters(border)
            self._keep(self._clusters, key, known, _MOST_CLUSTERINGS)
        return known

    def _keep(self, kept: OrderedDict, key: object, value: object, most: int) -> None:  # type: ignore[type-arg]
        with self._lock:
            kept[key] = value
            while len(kept) > most:
                kept.popitem(last=False)


def _load(connection: Connection, task: TaskRow) -> Comparison:
    outlines = outline_sites(connection, task.id)
    sites = tuple(
        CompanySite(row.root_url, _outcome(row.outcome), row.reason, row.language, pages=row.pages)
        for row in outlines
    )
    index_of = {row.position: number for number, row in enumerate(outlines)}
    scores = pair_scores(connection, task.id)
    pairs = tuple(SitePair(index_of[one], index_of[other], score, 0.0) for one, other, score in scores)
    counts = [0] * BINS
    for pair in pairs:
        counts[min(BINS - 1, int(pair.score * BINS))] += 1
    return Comparison(task, ComparisonResults(sites, pairs), (), tuple(counts))


def _outcome(said: str) -> ReadOutcome:
    """The outcome of a site. One that is not read yet, or that a stage gave up, cannot be compared."""
    try:
        return ReadOutcome(said)
    except ValueError:
        return ReadOutcome.DEAD


def with_decisions(results: ComparisonResults, decided: Sequence[SiteDecision]) -> ComparisonResults:
    """The results with what people decided. A pair that was accepted without a score is added."""
    said = {(made.position1, made.position2): made.same for made in decided}
    if not said:
        return results
    known = {(pair.one, pair.other) for pair in results.pairs}
    added = tuple(
        SitePair(*pair, 0.0, 0.0, (), "joined by a person")
        for pair, same in said.items()
        if same and pair not in known
    )
    return ComparisonResults(results.sites, (*results.pairs, *added), said)


def load_whole(connection: Connection, comparison: Comparison) -> ComparisonResults:
    """The results with the evidence of every pair, for exports."""
    pairs = tuple(as_pair(found) for found in pairs_over(connection, comparison.task.id, 0.0))
    return with_decisions(ComparisonResults(comparison.results.sites, pairs), comparison.decided)


def as_pair(found: FoundPair) -> SitePair:
    """A stored pair. Positions of a task are the numbers of its sites."""
    evidence = tuple(Evidence(kind, float(strength)) for kind, strength in found.evidence.items())
    return SitePair(
        found.position1, found.position2, found.similarity, found.words or 0.0, evidence, found.why
    )
