"""Serves simulated forums on loopback, with a control for the clock and a log of every request."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from aiohttp import web

from threadmill.errors import UsageError
from threadmill.simulate.forum import Forum, moment_of
from threadmill.simulate.keys import url_key
from threadmill.simulate.respond import Answer, respond, trouble_page

TROUBLES = ("maintenance", "429", "503", "drop")


@dataclass
class Simulation:
    """Forums at one moment, and what was asked of them; the part of the server that needs no network."""

    forums: dict[str, Forum]
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
        """Move the clock."""
        try:
            self.now = moment_of(when)
        except ValueError as error:
            raise UsageError(f"expected a date such as 2016-01-01, got {when!r}") from error

    def answer(self, url: str, headers: dict[str, str], method: str = "GET") -> Answer:
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
        """Counters by simulated date."""
        return {
            "date": self.date,
            "forums": list(self.forums),
            "requests": self.count,
            "by_date": {date: dict(counter) for date, counter in self.counters.items()},
        }

    def _forum_of(self, headers: dict[str, str]) -> Forum:
        """One forum answers everything; of many, the one whose name the host begins with (NAME.localhost)."""
        host = next((value for key, value in headers.items() if key.lower() == "host"), "")
        name = host.partition(":")[0].partition(".")[0]
        return self.forums.get(name) or next(iter(self.forums.values()))

    def _troubled(self, forum: Forum) -> Answer:
        if self.trouble == "maintenance":
            return trouble_page(forum, self.now)
        status = int(self.trouble) if self.trouble.isdigit() else 500
        headers = (("Content-Type", "text/plain"), ("Retry-After", "1"))
        return Answer(status, headers, b"later\n")

    def _record(self, forum: Forum, url: str, answer: Answer, method: str) -> None:
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


def make_app(simulation: Simulation) -> web.Application:
    """The web application of a simulation."""

    async def page(request: web.Request) -> web.StreamResponse:
        if request.method not in {"GET", "HEAD"}:
            return web.Response(status=405, text="only GET and HEAD\n")
        if simulation.latency:
            await asyncio.sleep(simulation.latency)
        if simulation.trouble == "drop" and simulation.trouble_left > 0:
            simulation.trouble_left -= 1
            assert request.transport is not None
            request.transport.close()
        answer = simulation.answer(request.raw_path, dict(request.headers), request.method)
        body = b"" if request.method == "HEAD" else answer.body
        return web.Response(status=answer.status, headers=list(answer.headers), body=body)

    async def advance(request: web.Request) -> web.Response:
        try:
            simulation.advance(request.query.get("date", ""))
        except UsageError as error:
            return web.json_response({"error": str(error)}, status=400)
        return web.json_response({"date": simulation.date})

    async def trouble(request: web.Request) -> web.Response:
        kind = request.query.get("kind", "")
        if kind not in TROUBLES:
            return web.json_response({"error": f"kind must be one of {', '.join(TROUBLES)}"}, status=400)
        simulation.trouble, simulation.trouble_left = kind, int(request.query.get("requests", "1"))
        return web.json_response({"kind": kind, "requests": simulation.trouble_left})

    async def stats(request: web.Request) -> web.Response:
        del request
        return web.json_response(simulation.stats())

    app = web.Application()
    app.router.add_route("*", "/__simulate__/advance", advance)
    app.router.add_route("*", "/__simulate__/trouble", trouble)
    app.router.add_get("/__simulate__/stats", stats)
    app.router.add_route("*", "/{tail:.*}", page)
    return app


@asynccontextmanager
async def serving(simulation: Simulation, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[str]:
    """Serve a simulation on a free port; gives the base URL, without a slash at its end."""
    runner = web.AppRunner(make_app(simulation), access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port, shutdown_timeout=1)
        await site.start()
        bound = runner.addresses[0][1]
        yield f"http://{host}:{bound}"
    finally:
        await runner.cleanup()


def serve(simulation: Simulation, host: str, port: int, log: Path | None, announce: Any = print) -> None:
    """Serve until interrupted."""

    async def forever() -> None:
        async with serving(simulation, host, port) as base:
            for name, forum in simulation.forums.items():
                where = base if len(simulation.forums) == 1 else base.replace(host, f"{name}.localhost")
                announce(f"{name} as of {simulation.date}: {where}{forum.layout.home}")
            await asyncio.Event().wait()

    if log is None:
        asyncio.run(forever())
        return
    with log.open("a", encoding="utf-8") as lines:
        simulation.log = lines
        asyncio.run(forever())
