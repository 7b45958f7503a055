"""Serves simulated forums on loopback, with control paths for the clock and a log of all requests."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from typing import IO, Any
from urllib.parse import parse_qsl, urlsplit

from threadmill.errors import UsageError
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.respond import SimulatedAnswer, maintenance_page, respond
from threadmill.lab.simulate.url_keys import url_key

CONTROL = "/__simulate__/"
TROUBLES = ("maintenance", "429", "503", "drop")


@dataclass
class Simulation:
    """Forums at a simulated time, with their request log: the part of the server without network."""

    forums: dict[str, SimulatedForum]
    now: int
    log: IO[str] | None = None
    latency: float = 0.0
    requests: list[dict[str, Any]] = field(default_factory=list)
    trouble: str = ""
    trouble_left: int = 0
    keep_requests: bool = True

    def __post_init__(self) -> None:
        self.count = 0
        self.started = time.monotonic()
        self.counters: dict[str, Counter[str]] = defaultdict(Counter)

    @property
    def date(self) -> str:
        """The simulated date."""
        return datetime.fromtimestamp(self.now, UTC).date().isoformat()

    def advance(self, when: str) -> None:
        """Set the clock."""
        self.now = as_unix_time(when)

    def answer(self, url: str, headers: dict[str, str], method: str = "GET") -> SimulatedAnswer:
        """Answer a request and log it."""
        forum = self._forum_of(headers)
        if self.trouble_left > 0 and url != "/robots.txt":
            self.trouble_left -= 1
            answer = self._troubled(forum)
        else:
            answer = respond(forum, url, self.now, headers, self.count)
        self._record(forum, url, answer, method)
        return answer

    def stats(self) -> dict[str, Any]:
        """Return the request counters by simulated date."""
        return {
            "date": self.date,
            "forums": list(self.forums),
            "requests": self.count,
            "by_date": {date: dict(counter) for date, counter in self.counters.items()},
        }

    def _forum_of(self, headers: dict[str, str]) -> SimulatedForum:
        """Return the forum of a request. With several forums, the host selects one (NAME.localhost)."""
        host = next((value for key, value in headers.items() if key.lower() == "host"), "")
        name = host.partition(":")[0].partition(".")[0]
        return self.forums.get(name) or next(iter(self.forums.values()))

    def _troubled(self, forum: SimulatedForum) -> SimulatedAnswer:
        if self.trouble == "maintenance":
            return maintenance_page(forum, self.now)
        status = int(self.trouble) if self.trouble.isdigit() else 500
        headers = (("Content-Type", "text/plain"), ("Retry-After", "1"))
        return SimulatedAnswer(status, headers, b"later\n")

    def _record(self, forum: SimulatedForum, url: str, answer: SimulatedAnswer, method: str) -> None:
        size = 0 if method == "HEAD" else len(answer.body)
        entry: dict[str, Any] = {
            "n": self.count,
            "t": round(time.monotonic() - self.started, 3),
            "forum": forum.traits.name,
            "date": self.date,
            "url": url,
            "key": url_key(url),
            "page": answer.page,
            "status": answer.status,
            "bytes": size,
            "class": answer.page_class,
        }
        if answer.target:
            entry["target"] = url_key(answer.target)
        if method != "GET":
            entry["method"] = method
        self.count += 1
        counter = self.counters[self.date]
        counter.update({"requests": 1, "bytes": size, answer.page_class: 1})
        if self.keep_requests:
            self.requests.append(entry)
        if self.log:
            self.log.write(json.dumps(entry, ensure_ascii=False) + "\n")
            self.log.flush()


class _Handler(BaseHTTPRequestHandler):
    """Answers HTTP requests. Control paths begin with /__simulate__/."""

    protocol_version = "HTTP/1.1"  # keep-alive
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        """Answer with a page, or run a control action."""
        parts = urlsplit(self.path)
        if parts.path.startswith(CONTROL):
            self._control(parts.path.removeprefix(CONTROL), dict(parse_qsl(parts.query)))
        else:
            self._page()

    do_HEAD = do_POST = do_GET  # noqa: N815 -- the names http.server calls

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """The simulation keeps its own log."""

    def _page(self) -> None:
        simulation = self.server.simulation
        if self.command not in {"GET", "HEAD"}:
            self._send(405, (("Content-Type", "text/plain"),), b"only GET and HEAD\n")
            return
        if simulation.latency:
            time.sleep(simulation.latency)
        if simulation.trouble == "drop" and simulation.trouble_left > 0:
            simulation.trouble_left -= 1
            self.close_connection = True
            return
        with self.server.lock:
            answer = simulation.answer(self.path, dict(self.headers.items()), self.command)
        self._send(answer.status, answer.headers, answer.body)

    def _control(self, action: str, query: dict[str, str]) -> None:
        simulation = self.server.simulation
        status = 200
        said: dict[str, Any] = {}
        if action == "advance":
            try:
                simulation.advance(query.get("date", ""))
                said = {"date": simulation.date}
            except UsageError as error:
                status, said = 400, {"error": str(error)}
        elif action == "trouble" and query.get("kind") in TROUBLES:
            simulation.trouble, simulation.trouble_left = query["kind"], int(query.get("requests", "1"))
            said = {"kind": simulation.trouble, "requests": simulation.trouble_left}
        elif action == "trouble":
            status, said = 400, {"error": f"kind must be one of {', '.join(TROUBLES)}"}
        elif action == "stats":
            said = simulation.stats()
        else:
            status, said = 404, {"error": f"there is no control {action!r}"}
        self._send(status, (("Content-Type", "application/json"),), json.dumps(said).encode())

    def _send(self, status: int, headers: Iterable[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], simulation: Simulation) -> None:
        super().__init__(address, _Handler)
        self.simulation = simulation
        self.lock = Lock()  # requests are counted, so one is answered at a time

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A crawler that was killed hangs up. That is no error of the server."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving(simulation: Simulation, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """Serve a simulation on a free port, in a thread. Yield the base URL, without a slash at its end."""
    server = _Server((host, port), simulation)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def serve(
    simulation: Simulation, host: str, port: int, log: Path | None, announce: Callable[[str], None] = print
) -> None:
    """Serve until interrupted."""
    with ExitStack() as stack:
        if log is not None:
            simulation.log = stack.enter_context(log.open("a", encoding="utf-8"))
        base = stack.enter_context(serving(simulation, host, port))
        for name, forum in simulation.forums.items():
            where = base if len(simulation.forums) == 1 else base.replace(host, f"{name}.localhost")
            announce(f"{name} as of {simulation.date}: {where}{forum.layout.home}")
        Event().wait()
