"""A page in numbers: what the classifier of index, thread and other looks at."""

from __future__ import annotations

import math
from statistics import median

from threadmill.forum.moments import monotony, read_cells
from threadmill.forum.names import PERSON, find_authors
from threadmill.forum.odd import sentences
from threadmill.forum.reading import Reading
from threadmill.forum.single import find_single

_CARRIERS = frozenset(("div", "article", "section", "main", "li", "body", "html", "span"))


def features(reading: Reading) -> dict[str, float]:
    """Named numbers of a page, each roughly between 0 and a few."""
    outline = reading.outline
    text = outline.text_before[-1] if outline.segments else 0
    free = outline.free_before[-1] if outline.segments else 0
    numbers = {
        "text": math.log1p(text) / 10,
        "linked": 1.0 - free / text if text else 0.0,
        "password": float(_has_password(reading)),
        "dates": math.log1p(len(reading.dates)) / 4,
        "elements": math.log1p(len(outline)) / 10,
    }
    numbers.update(_page_features(reading, free))
    numbers.update(_thread_features(reading, free))
    numbers.update(_list_features(reading))
    return numbers


def _has_password(reading: Reading) -> bool:
    return any(
        (element.attr("type") or "").lower() == "password"
        for element in reading.tree.document.iter_elements("input")
    )


def _page_features(reading: Reading, free: int) -> dict[str, float]:
    outline = reading.outline
    said = list(sentences(outline, 0, {cell.element for cell in reading.dates})) if len(outline) else []
    longest = max((len(outline.segments[number]) for number in said), default=0)
    written = sum(len(outline.segments[number]) for number in said)
    people = sum(bool(href and PERSON.search(href)) for href in outline.hrefs)
    links = sum(href is not None for href in outline.hrefs)
    single = find_single(outline, reading.dates)
    return {
        "sentences": math.log1p(len(said)) / 4,
        "longest": math.log1p(longest) / 8,
        "written": written / (free or 1),
        "people": math.log1p(people) / 5,
        "links": math.log1p(links) / 6,
        "single": math.log1p(outline.free_length(single.records[0].start)) / 8 if single else 0.0,
        "areas": float(next(iter(reading.tree.document.iter_elements("textarea")), None) is not None),
        "schema": _schema(reading),
    }


def _schema(reading: Reading) -> float:
    """1 when the page calls itself a discussion, -1 when a collection."""
    kinds = " ".join(outline_type or "" for outline_type in _item_types(reading))
    return float("Posting" in kinds or "QAPage" in kinds or "Question" in kinds or "Comment" in kinds)


def _item_types(reading: Reading) -> list[str | None]:
    outline = reading.outline
    return [
        outline.attribute(index, "itemtype") for index, tag in enumerate(outline.tags) if tag in _CARRIERS
    ]


def _thread_features(reading: Reading, free: int) -> dict[str, float]:
    finding = reading.finding
    if finding is None:
        return dict.fromkeys(
            ("t_score", "t_count", "t_dated", "t_named", "t_words", "t_share", "t_order", "t_linked"), 0.0
        )
    table, outline = finding.table, reading.outline
    size = len(table.records)
    lengths = [sum(outline.free_length(root) for root in record.roots) for record in table.records]
    linked = [sum(outline.text_length(root) for root in record.roots) for record in table.records]
    cells = max(table.date_columns.values(), key=len, default={})
    moments = [m for m in read_cells(list(cells.values()), reading.now) if m is not None]
    return {
        "t_score": math.log1p(finding.score),
        "t_count": math.log1p(size) / 4,
        "t_dated": len(cells) / size,
        "t_named": min(1.0, find_authors(table).score / 1.5),
        "t_words": math.log1p(median(lengths)) / 8,
        "t_share": min(1.0, sum(lengths) / (free or 1)),
        "t_order": monotony(moments),
        "t_linked": 1.0 - sum(lengths) / (sum(linked) or 1),
    }


def _list_features(reading: Reading) -> dict[str, float]:
    names = ("l_score", "l_count", "l_dated", "l_title", "l_free", "l_counted", "l_board", "l_pages")
    if not reading.lists:
        return dict.fromkeys(names, 0.0)
    found, read = reading.lists[0], reading.read_lists[0]
    table, outline = found.table, reading.outline
    size = len(table.records)
    free = [sum(outline.free_length(root) for root in record.roots) for record in table.records]
    values = (
        math.log1p(found.score),
        math.log1p(size) / 4,
        sum(row.active is not None for row in read.rows) / size,
        math.log1p(median(len(row.title) for row in read.rows)) / 5,
        math.log1p(median(free)) / 8,
        sum(row.replies is not None for row in read.rows) / size,
        max(-1.0, min(1.0, read.boardness / 2)),
        sum(bool(row.page_urls) for row in read.rows) / size,
    )
    return dict(zip(names, values, strict=True))
