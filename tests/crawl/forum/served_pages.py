"""Pages made by hand, served on loopback, for crawls of forums that no simulator shows."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class ServedPages:
    """The body of each page by its path, and the paths that were asked for."""

    pages: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)


@contextmanager
def serving_pages(served: ServedPages) -> Iterator[str]:
    """Serve the pages. Yield the URL of the root."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(self.path)
            body = served.pages.get(self.path)
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"<html><body>{body or 'not here'}</body></html>".encode())

        def log_message(self, format: str, *words: object) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
