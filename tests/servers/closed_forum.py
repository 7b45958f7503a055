"""A simulated forum that is open to members only: by a log-in form, by HTTP basic, or by a header."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from threadmill.lab.simulate.server import Simulation

NAME, PASSWORD, KEY = "anna", "s3cret-§word", "key-5150"
_FORM = """<html><head><title>Log in</title></head><body><form action="/search"><input name="q"></form>
<form action="/login" method="post"><input type="hidden" name="token" value="{token}">
<input name="user"><input type="password" name="pass"><input type="checkbox" name="public" value="1">
<input type="submit" name="go" value="Log in"></form></body></html>"""


@dataclass
class ClosedForum:
    """A forum and the way in."""

    simulation: Simulation
    way: str  # form, basic or header
    sessions: set[str] = field(default_factory=set)
    tokens: set[str] = field(default_factory=set)
    refused: int = 0
    base: str = ""
    closed_part: str = ""  # only pages with this in their address are closed

    def is_open_for(self, headers: dict[str, str]) -> bool:
        """Whether a request is that of a member."""
        if self.way == "basic":
            pair = base64.b64encode(f"{NAME}:{PASSWORD}".encode()).decode()
            return headers.get("authorization") == f"Basic {pair}"
        if self.way == "header":
            return headers.get("x-key") == KEY
        cookies = dict(part.strip().partition("=")[::2] for part in headers.get("cookie", "").split(";"))
        return cookies.get("member") in self.sessions

    def log_in(self, body: str) -> str | None:
        """The session of a member whose form is right, or None."""
        given = {name: values[0] for name, values in parse_qs(body).items()}
        fits = given.get("user") == NAME and given.get("pass") == PASSWORD and given.get("go") == "Log in"
        if not fits or given.get("token") not in self.tokens or "public" in given:
            return None
        session = secrets.token_hex(8)
        self.sessions.add(session)
        return session


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def forum(self) -> ClosedForum:
        assert isinstance(self.server, _Server)
        return self.server.forum

    def do_GET(self) -> None:
        forum = self.forum
        if self.path == "/robots.txt":
            self._send(404, b"none")
        elif urlsplit(self.path).path == "/login":
            token = secrets.token_hex(4)
            forum.tokens.add(token)
            self._send(200, _FORM.format(token=token).encode())
        elif forum.closed_part not in self.path or forum.is_open_for(
            {name.lower(): value for name, value in self.headers.items()}
        ):
            answer = forum.simulation.answer(self.path, dict(self.headers.items()))
            self._send(answer.status, answer.body, dict(answer.headers))
        else:
            forum.refused += 1
            if forum.way == "form":
                self._send(302, b"", {"Location": "/login"})
            else:
                self._send(401, b"members only", {"WWW-Authenticate": 'Basic realm="x"'})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        session = self.forum.log_in(body)
        if session is None:
            self._send(200, b"<p>wrong</p><form><input type=password name=pass></form>")
        else:
            self._send(303, b"", {"Location": "/", "Set-Cookie": f"member={session}; Path=/; HttpOnly"})

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        given = {"Content-Type": "text/html; charset=utf-8"} | (headers or {})
        for name, value in given.items():
            if name.lower() not in {"content-length", "connection", "date", "server"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    def __init__(self, forum: ClosedForum) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.forum = forum


@contextmanager
def serving_closed(forum: ClosedForum) -> Iterator[ClosedForum]:
    """Serve a closed forum on a free port."""
    server = _Server(forum)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    forum.base = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield forum
    finally:
        server.shutdown()
        server.server_close()
