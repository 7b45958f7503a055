"""Vertical text: one token or one structure tag a line, in the dialects of the corpus managers."""

from threadmill.corpus.vertical.dialects import DIALECTS, Dialect, dialect
from threadmill.corpus.vertical.reader import read
from threadmill.corpus.vertical.writer import Inventory, Writer

__all__ = ["DIALECTS", "Dialect", "Inventory", "Writer", "dialect", "read"]
