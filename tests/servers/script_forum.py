"""A forum that scripts make: each page is an empty shell, and a program fetches its content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from threadmill.lab.simulate.server import Simulation

SHELL = (
    b"<!doctype html><title>Forum</title><link rel=stylesheet href=/style.css>"
    b"<noscript>You need to enable JavaScript to run this forum.</noscript>"
    b"<div id=app></div><script src=/program.js></script>"
)
# It waits before it fills the page, and tries to reach the server around the client in all ways it knows.
PROGRAM = b"""
const page = encodeURIComponent(location.pathname + location.search);
new Image().src = "/around/image";
try { new WebSocket(location.origin.replace("http", "ws") + "/around/socket"); } catch (error) {}
navigator.sendBeacon("/around/beacon", "x");
const frame = document.createElement("iframe");
frame.src = "/around/frame";
document.head.appendChild(frame);
fetch("/around/post", {method: "POST", body: "x"}).catch(() => 0);
setTimeout(async () => {
  const answer = await fetch("/content?page=" + page, {headers: {"X-Asked-By": "program"}});
  document.getElementById("app").innerHTML = (await answer.json()).html;
}, 200);
"""


@dataclass
class ScriptForum:
    """A simulated forum behind shells, and the requests that it got."""

    simulation: Simulation
    robots: bytes = b""
    base: str = ""
    requests: list[tuple[str, str, str]] = field(default_factory=list)  # method, path, user agent

    def asked(self, start: str) -> list[str]:
        """The paths of requests that begin with a text."""
        return [path for _, path, _ in self.requests if path.startswith(start)]

    def answer(self, path: str, headers: dict[str, str]) -> tuple[int, str, bytes]:
        """Status, type and body of the answer to a request."""
        if path == "/robots.txt":
            return 200, "text/plain", self.robots
        if path == "/program.js":
            return 200, "text/javascript", PROGRAM
        asks = urlsplit(path)
        if asks.path == "/content":
            page = parse_qs(asks.query)["page"][0]
            found = self.simulation.answer(page, headers)
            inner = re.sub(r"(?s)^.*<body[^>]*>|</body>.*$", "", found.body.decode())
            return found.status, "application/json", json.dumps({"html": inner}).encode()
        if path.startswith("/around/"):
            return 200, "text/html", b"around the client"
        found = self.simulation.answer(path, headers)
        return (found.status, "text/html", SHELL) if found.status == 200 else (404, "text/html", b"")


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        forum = self.server.forum
        forum.requests.append((self.command, self.path, self.headers.get("User-Agent", "")))
        status, kind, body = forum.answer(self.path, dict(self.headers.items()))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("ETag", '"the same shell for ever"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_HEAD = do_OPTIONS = do_GET  # noqa: N815 -- the names http.server calls

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """The forum keeps its own log."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, forum: ScriptForum) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.forum = forum


@contextmanager
def serving_scripts(forum: ScriptForum) -> Iterator[ScriptForum]:
    """Serve the forum in a thread."""
    server = _Server(forum)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    forum.base = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield forum
    finally:
        server.shutdown()
        server.server_close()
