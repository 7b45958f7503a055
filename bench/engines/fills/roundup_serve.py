"""Run by the Python that has Roundup: serves the tracker on a port.

Its own server refuses to run as root.
"""

# mypy: ignore-errors
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

from roundup.cgi.wsgi_handler import RequestDispatcher


class _Quiet(WSGIRequestHandler):
    def log_message(self, *words):
        pass


make_server("127.0.0.1", int(sys.argv[1]), RequestDispatcher("tracker"), handler_class=_Quiet).serve_forever()
