"""Columns of real forum pages, where the shared material is at hand."""

import json
import os
from datetime import datetime
from pathlib import Path

import pytest

from threadmill.dates import read_date_column

ROOT = Path(__file__).parents[2]
PLACES = [Path(os.environ.get("THREADMILL_SHARED", ROOT / "../shared")), ROOT / "../../shared"]
MANIFEST = next((p for place in PLACES if (p := place / "data/forum-pages/manifest.jsonl").exists()), None)


@pytest.mark.skipif(MANIFEST is None, reason="the labelled forum pages are not here (THREADMILL_SHARED)")
def test_dates_of_annotated_posts_are_read_as_their_labels_say() -> None:
    assert MANIFEST is not None
    right = total = 0
    for line in MANIFEST.read_text().splitlines():
        page = json.loads(line)
        cells = [post.get("datetime") or "" for post in page.get("gold_posts") or []]
        if len(cells) != len(page.get("dates") or ()):
            continue
        column = read_date_column(cells, datetime(2020, 6, 20, 12, 0))  # when the pages were annotated
        for moment, label in zip(column.moments, page.get("dates") or (), strict=True):
            total += 1
            right += moment is not None and moment.date.isoformat() == label[:10]
    assert total > 400
    assert right / total > 0.99
