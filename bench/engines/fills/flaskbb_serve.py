"""Run by the Python that has FlaskBB: serves it on a port of loopback."""

# mypy: ignore-errors
import sys

from flaskbb_site import app
from werkzeug.serving import run_simple

run_simple("127.0.0.1", int(sys.argv[1]), app, threaded=True)
