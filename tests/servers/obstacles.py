"""A server whose pages show nothing to read, each for another reason."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_FORM = "<form method=post><input name=u><input type=password name=p><button>Log in</button></form>"
# Path → status, content type, body.
PAGES = {
    "/robots.txt": (200, "text/plain", "User-agent: *\nDisallow: /private/\n"),
    "/private/": (200, "text/html", "<p>not for robots"),
    "/login": (200, "text/html", f"<h1>Log in</h1><p>You must be logged in to view this forum.</p>{_FORM}"),
    "/refused": (403, "text/html", "<h1>Forbidden</h1>"),
    "/password": (401, "text/html", "<h1>Unauthorized</h1>"),
    "/failed": (500, "text/html", "<h1>Database error</h1>"),
    "/challenge": (
        503,
        "text/html",
        "<title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/x'>",
    ),
    "/script": (
        200,
        "text/html",
        "<div id=root></div><script src=app.js></script><noscript>Please enable JavaScript</noscript>",
    ),
    "/file.pdf": (200, "application/pdf", "%PDF-1.4\n1 0 obj"),
    "/empty": (200, "text/html", ""),
    "/bakery": (200, "text/html", "<h1>Bakery</h1>" + "<p>We bake bread every morning in the old town." * 5),
}


@contextmanager
def serving_obstacles() -> Iterator[str]:
    """Serve the pages on a free port of this machine; the base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, kind, text = PAGES.get(self.path, (404, "text/html", "<h1>Not found</h1>"))
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name of the base class
        """Say nothing."""
