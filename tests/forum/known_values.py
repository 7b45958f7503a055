"""What is found on hand-made and simulated pages, step by step, and the values it must have.

A change that keeps the output keeps all of them. After a change that is meant to alter them, look at the
differences, then write the new values: python -m tests.forum.known_values
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from bench import forum_cases, simulated
from threadmill.forum.index.rows import find_index_order
from threadmill.forum.page_class.classify import classify_page, page_features
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import PageAnalysis, extract_index, extract_thread
from threadmill.lab.simulate.catalogue import FORUMS, open_forum
from threadmill.page.parse.tree import parse
from threadmill.types import ThreadRow

FILE = Path(__file__).with_name("known_values.json")
LAYOUTS = {FORUMS[name].layout: name for name in reversed(FORUMS)}


@cache
def known() -> dict[str, dict[str, Any]]:
    """Page → part → the value it must have."""
    values: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return values


def pages() -> Iterator[tuple[str, PageAnalysis]]:
    """Every hand-made page, and an index and a thread page of every simulated layout."""
    for name, page, wanted in forum_cases.cases():
        yield name, PageAnalysis(parse(page, wanted["url"]), datetime.fromisoformat(wanted["now"]))
    for layout, name in sorted(LAYOUTS.items()):
        forum = open_forum(name, "small")
        for kind in ("index", "thread"):
            key = simulated.shown(forum, kind, 1)[0].key
            url, answer = simulated.ask(forum, simulated.BASE + key)
            yield f"{layout} {kind}", PageAnalysis(parse(answer.body, url), simulated.shown_now())


def differences(part: str) -> list[str]:
    """The pages on which a part has another value than the known one."""
    found = []
    for name, analysis in pages():
        value = json.loads(json.dumps(PARTS[part](analysis)))
        if value != known()[name][part]:
            found.append(f"{name}: {value} instead of {known()[name][part]}")
    return found


def _class(analysis: PageAnalysis) -> list[Any]:
    found = classify_page(analysis)
    return [found.kind, round(found.confidence, 4), found.reason, found.detail]


def _features(analysis: PageAnalysis) -> dict[str, float]:
    return {name: round(value, 4) for name, value in sorted(page_features(analysis).items()) if value}


def _lists(analysis: PageAnalysis) -> list[Any]:
    return [
        [len(found.table.records), round(found.score, 4), round(found.substance, 4), found.aside]
        for found in analysis.row_lists
    ]


def _rows(analysis: PageAnalysis) -> list[Any]:
    return [
        [round(parsed.boardness, 4), parsed.two_dates, [_row(row) for row in parsed.rows]]
        for parsed in analysis.parsed_row_lists
    ]


def _index(analysis: PageAnalysis) -> list[Any]:
    index = extract_index(analysis)
    orders = [find_index_order(parsed.rows) for parsed in analysis.parsed_row_lists]
    counts = [len(index.rows), len(index.boards)]
    return [*counts, index.title, index.order, index.two_dates, orders, _paging(index.paging)]


def _thread(analysis: PageAnalysis) -> list[Any]:
    thread = extract_thread(analysis)
    confidence = round(thread.confidence, 4)
    return [len(thread.posts), thread.title, thread.order, confidence, _paging(thread.paging)]


def _row(row: ThreadRow) -> list[Any]:
    dates = [date.isoformat() if date else None for date in (row.created, row.active)]
    flags = "".join(name[0] for name in ("sticky", "locked", "moved") if getattr(row, name))
    links = [row.active_url, len(row.page_urls), *row.page_urls[-1:]]
    return [row.url, row.title, row.author, row.replies, row.views, *dates, *links, flags]


def _paging(paging: Paging) -> list[Any]:
    slot = [paging.slot.before, paging.slot.after] if paging.slot else None
    ends = [paging.next, paging.previous, paging.first, paging.last]
    return [paging.number, paging.count, *ends, slot, paging.step, paging.start, paging.url_of(3)]


PARTS: dict[str, Callable[[PageAnalysis], Any]] = {
    "class": _class,
    "features": _features,
    "index": _index,
    "lists": _lists,
    "rows": _rows,
    "thread": _thread,
}


def main() -> None:
    """Write the values of today."""
    lines = []
    for name, analysis in pages():
        parts = [
            f" {json.dumps(part)}: {json.dumps(value_of(analysis), ensure_ascii=False)}"
            for part, value_of in PARTS.items()
        ]
        lines.append(f"{json.dumps(name)}: {{\n" + ",\n".join(parts) + "}")
    FILE.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
