"""Words and names that are everybody's: free mail, common domains, what any page is called."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


@cache
def known(kind: str) -> frozenset[str]:
    """One of the lists of data/known.json."""
    text = files("threadmill.sites").joinpath("data/known.json").read_text(encoding="utf-8")
    return frozenset(json.loads(text)[kind])
