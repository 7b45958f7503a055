"""Stands between the crawler and an engine, and notes what each answer shows: posts, titles, or neither."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from bench.engines.world import MARK

_HOP_HEADERS = {"connection", "keep-alive", "transfer-encoding", "content-length"}
_FEED = re.compile(rb"<(?:rss|feed|rdf:RDF)\b")
_HEAD = 1000  # bytes in which a feed begins
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class LoggedAnswer:
    """One answer of the engine."""

    address: str  # path and query
    status: int
    body: bytes

    @property
    def is_page(self) -> bool:
        """Redirects, unchanged pages and robots.txt are no pages."""
        return not 300 <= self.status < 400 and self.address.partition("?")[0] != "/robots.txt"

    @property
    def text(self) -> str:
        """The words a reader sees, without markup."""
        return " ".join(html.unescape(_TAG.sub(" ", self.body.decode("utf-8", "replace"))).split())

    @property
    def posts(self) -> frozenset[int]:
        """Numbers of the posts whose last words it shows. A feed is a list: no post is read from it."""
        if _FEED.search(self.body[:_HEAD]):
            return frozenset()
        return frozenset(int(number) for number in MARK.findall(self.text))


@contextmanager
def logged(engine: str, root: str, answers: list[LoggedAnswer]) -> Iterator[None]:
    """Pass requests to `root` on to an engine and note its answers."""
    target = urlsplit(engine).netloc

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._pass_on("GET")

        def do_HEAD(self) -> None:
            self._pass_on("HEAD")

        def log_message(self, format: str, *words: object) -> None:  # noqa: A002 -- the base class's name
            """Say nothing on the terminal."""

        def _pass_on(self, method: str) -> None:
            headers = {
                name: value for name, value in self.headers.items() if name.lower() != "accept-encoding"
            }
            connection = HTTPConnection(target, timeout=60)
            connection.request(method, self.path, headers={**headers, "Connection": "close"})
            answer = connection.getresponse()
            body = answer.read()
            connection.close()
            answers.append(LoggedAnswer(self.path, answer.status, body))
            self.send_response_only(answer.status)  # the engine's own clock tells the date
            for name, value in answer.getheaders():
                if name.lower() not in _HOP_HEADERS:
                    self.send_header(name, value.replace(engine, root))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if method != "HEAD":
                self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", urlsplit(root).port or 80), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
