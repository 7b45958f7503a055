"""Floors of what is read of saved real pages; skipped where the shared data is not at hand."""

from __future__ import annotations

import gzip
import json

import pytest

from bench.forum_quality import NOW, Tally, score_gold, shared
from threadmill.forum.read_page import read_thread
from threadmill.page.parse.tree import parse


@pytest.fixture(scope="module")
def tally() -> Tally:
    try:
        base = shared() / "data/forum-pages"
    except SystemExit as missing:
        pytest.skip(str(missing))
    found = Tally()
    for line in (base / "manifest.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["label"] == "gold":
            page = gzip.decompress((base / row["file"]).read_bytes())
            score_gold(row, list(read_thread(parse(page, row["url"] or ""), NOW).posts), found)
    return found


# Measured 2026-11-16: 0.991, 0.992, 0.882, 0.992, 0.947; a floor leaves room for one page.
@pytest.mark.parametrize(
    ("hit", "of", "floor"),
    [
        ("right", "found", 0.985),
        ("right", "gold", 0.985),
        ("perfect", "pages", 0.86),
        ("author right", "matched", 0.985),
        ("date right", "dated", 0.94),
    ],
)
def test_annotated_pages_are_read_no_worse_than_measured(
    tally: Tally, hit: str, of: str, floor: float
) -> None:
    assert tally.counts[hit] / tally.counts[of] >= floor
