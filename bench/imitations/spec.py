"""The types that a table of engines.toml and the pages made from it have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Spec = Mapping[str, Any]  # one table of engines.toml
Shown = dict[str, Any]  # a board, row, post or pager as a template is given it
