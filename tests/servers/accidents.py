"""Accidents on purpose: workers, broker and database killed at random while a task is under way."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.servers.companies import Companies
from tests.servers.postgresql import Database
from tests.servers.rabbitmq import Broker
from tests.servers.service import Program, Service

WORKERS = ("collect", "read", "read", "decide")


@dataclass
class Report:
    """What happened, and what came of every task."""

    kills: list[str] = field(default_factory=list)
    answers: list[list[Any]] = field(default_factory=list)
    expected: list[Any] = field(default_factory=list)
    outcomes: list[dict[str, int]] = field(default_factory=list)


class Stricken:
    """The whole service on real servers, with a hand that kills parts of it."""

    def __init__(self, root: Path, sites: int, seed: int) -> None:
        self._root = root
        self._sites = sites
        self._chance = random.Random(seed)
        self.report = Report()

    def run(self, kinds: list[str], say: Callable[[str], None] = lambda _: None) -> Report:
        """Post tasks and kill until every kind of the list had its turn; the first task is left in peace."""
        waiting = list(kinds)
        self._chance.shuffle(waiting)
        with Companies(self._sites, latency=0.05) as companies, Database() as database, Broker() as broker:
            settings = {
                "THREADMILL_STORE_URL": database.url,
                "THREADMILL_SERVICE_BROKER": broker.url,
                "THREADMILL_SERVICE_TOGETHER": "10",
            }
            with Service(self._root, settings) as service:
                for stage in WORKERS:
                    service.add_worker(stage)
                for worker in service.workers:
                    worker.ready()
                self.report.expected = self._finish(service, service.post(companies.urls))
                while waiting:
                    task = service.post(companies.urls)
                    for kind in (waiting.pop() for _ in range(min(2, len(waiting)))):
                        time.sleep(self._chance.uniform(0.1, 1.5))
                        say(f"kill {kind}: {service.ask('GET', f'/task/{task}/progress')[1]}")
                        self._kill(kind, service, database, broker)
                    self.report.answers.append(self._finish(service, task))
        return self.report

    def _finish(self, service: Service, task: str) -> list[Any]:
        value = service.wait(task, 240)
        assert value["status"] == "done", value
        self.report.outcomes.append(service.ask("GET", f"/task/{task}/progress")[1]["outcomes"])
        return list(value["results"])

    def _kill(self, kind: str, service: Service, database: Database, broker: Broker) -> None:
        self.report.kills.append(kind)
        if kind in {"broker", "database"}:
            server = broker if kind == "broker" else database
            server.kill()
            time.sleep(self._chance.uniform(0, 1))
            server.start()
            return
        program: Program = service.server if kind == "serve" else self._worker(service, kind)
        program.end()
        program.start()
        if kind == "serve":
            program.ready()

    def _worker(self, service: Service, stage: str) -> Program:
        numbers = [n for n, name in enumerate(WORKERS) if name == stage]
        return service.workers[self._chance.choice(numbers)]
