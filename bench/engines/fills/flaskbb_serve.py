"""Run by the Python that has FlaskBB: serves it on a port of loopback."""

# mypy: ignore-errors
import sys

from flaskbb_site import app
from werkzeug.serving import run_simple

# One request after the other: its reader of Markdown mixes the texts of pages that are made at one time.
run_simple("127.0.0.1", int(sys.argv[1]), app)
