"""The service as a user runs it: `threadmill serve` and `threadmill worker` as processes, and calls to it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.servers.rabbitmq import free_port

TOKEN = "secret-of-the-tests"
_START_SECONDS = 120


class Program:
    """One verb of the command line as a process that can be killed and started again."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self.words = words
        self._words = [sys.executable, "-m", "threadmill", *words]
        self._environment = {**os.environ, **environment}
        self._log = log
        self.cpu = 0.0  # seconds of those that were waited for
        self.start()

    def start(self) -> None:
        """Start it, and wait until it says that it is ready."""
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                self._words, env=self._environment, stdout=subprocess.PIPE, stderr=log, text=True
            )

    def ready(self) -> str:
        """The line that it prints when it is ready."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"{' '.join(self._words[2:])} ended: {self._log.read_text(errors='replace')[-1000:]}"
        return line

    def end(self, number: int = signal.SIGKILL) -> None:
        """End it; SIGKILL leaves it no time for anything."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Caller:
    """Calls to whoever answers on a port."""

    port: int

    def fetch(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        """One call: the status, the headers and the bytes of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """One call: the status and the JSON of the answer."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        status, _, text = self.fetch(method, path, data, headers)
        return status, json.loads(text or b"null")

    def post(self, urls: Sequence[str], *, use_archive_data: bool = False) -> str:
        """Make a task; gives its id."""
        status, value = self.ask("POST", "/task", {"sites": list(urls), "use_archive_data": use_archive_data})
        assert status == 200, value
        return str(value["id"])

    def wait(self, task: str, seconds: float = 120.0, border: float = 0.01) -> dict[str, Any]:
        """The answer once a task has ended, however often the service is away meanwhile."""
        end = time.monotonic() + seconds
        value: Any = None
        while time.monotonic() < end:
            try:
                status, value = self.ask("GET", f"/task/{task}?similarity_border={border}")
                if status == 200 and value["status"] != "in_progress":
                    return dict(value)
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.1)
        raise AssertionError(f"task {task} did not end in {seconds} s: {value}")


class Service(Caller):
    """A `serve` with any number of workers over one workspace."""

    def __init__(self, root: Path, environment: Mapping[str, str]) -> None:
        self._root = root
        self._environment = {
            "THREADMILL_SERVICE_PRIVATE_TARGETS": "1",
            "THREADMILL_SERVICE_TOKEN": TOKEN,
            "THREADMILL_CRAWL_DELAY": "0",
            "THREADMILL_FETCH_RETRIES": "0",
            **environment,
        }
        root.mkdir(parents=True, exist_ok=True)
        self.port = free_port()  # chosen here, so that it is the same after a restart
        self.server = self._program("serve", "--port", str(self.port))
        self.workers: list[Program] = []
        self.server.ready()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for program in (*self.workers, self.server):
            program.end(signal.SIGTERM)

    def add_worker(self, stage: str) -> Program:
        """Start a worker of a stage."""
        worker = self._program("worker", stage)
        self.workers.append(worker)
        return worker

    def _program(self, verb: str, *words: str) -> Program:
        workspace = ["--workspace", str(self._root / "workspace")]
        log = self._root / f"{verb}.log"
        return Program([verb, *words, *workspace], self._environment, log)
