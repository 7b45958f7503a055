"""An outage: the service while its broker, its database or both are away, with a task under way."""

from __future__ import annotations

import http.client
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.servers.companies import Companies
from tests.servers.postgresql import Database
from tests.servers.rabbitmq import Broker
from tests.servers.service import Service

_SITES = 8
_STAGES = ("collect", "read", "decide")
_BACK_SECONDS = 300.0  # in which the task must end once all are back, on a busy machine
GONE = ("broker", "database", "both")


@dataclass(slots=True)
class OutageReport:
    """What came of one outage."""

    gone: str
    minutes: float
    problems: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)  # what the service answered meanwhile


def run_outage(root: Path, gone: str, minutes: float) -> OutageReport:
    """Take servers away while a task is under way, bring them back, and compare what comes of tasks."""
    report = OutageReport(gone, minutes)
    with Companies(_SITES, latency=0.05) as companies, Database() as database, Broker() as broker:
        settings = {"THREADMILL_STORE_URL": database.url, "THREADMILL_SERVICE_BROKER": broker.url}
        with Service(root, settings) as service:
            for stage in _STAGES:
                service.add_worker(stage)
            for worker in service.workers:
                worker.ready()
            expected = _results(service, service.post(companies.urls), report)
            task = service.post(companies.urls)
            away = [
                server
                for name, server in (("broker", broker), ("database", database))
                if gone in {name, "both"}
            ]
            for server in away:
                server.kill()
            _wait(service, task, 60 * minutes, report)
            for server in away:
                server.start()
            if _results(service, task, report) != expected:
                report.problems.append("the task that was under way has another result")
            if _results(service, service.post(companies.urls), report) != expected:
                report.problems.append("a new task has another result")
    return report


def _wait(service: Service, task: str, seconds: float, report: OutageReport) -> None:
    """Wait until the end of the outage. No program may end, and every call gets an answer."""
    end = time.monotonic() + seconds
    programs = {"serve": service.server} | {program.words[1]: program for program in service.workers}
    while time.monotonic() < end:
        try:
            status, value = service.ask("GET", f"/task/{task}")
            report.said.add(f"{status} {value.get('detail', value.get('status', ''))}"[:100])
        except (OSError, http.client.HTTPException, ValueError) as error:
            report.said.add(type(error).__name__)
        ended = [name for name, program in programs.items() if program.process.poll() is not None]
        if ended:
            report.problems.append(f"ended by themselves: {', '.join(ended)}")
            return
        time.sleep(min(5.0, max(0.1, end - time.monotonic())))


def _results(service: Service, task: str, report: OutageReport) -> list[Any]:
    try:
        value = service.wait(task, _BACK_SECONDS)
    except AssertionError as error:
        report.problems.append(str(error))
        return []
    if value["status"] != "done":
        report.problems.append(f"a task ended with {value['status']}")
    return list(value["results"])
