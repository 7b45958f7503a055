"""Tells whether the rows of a list are boards or threads, by all that they show together.

The weights are those of a logistic regression. `python -m tools.train_boards` learns them from random forums,
simulated ones and pages made by hand.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median
from urllib.parse import urlsplit

from threadmill.forum.index.counters import VIEWS
from threadmill.forum.index.like_urls import fits_values
from threadmill.forum.index.row_lists import RowList, is_reply_title
from threadmill.forum.link_urls import (
    absolute_url,
    is_unnamed,
    kind_named_by_url,
    same_site,
    url_fields,
)
from threadmill.forum.records.date_columns import sort_key
from threadmill.forum.records.page_outline import PageOutline
from threadmill.types import ThreadRow

_TOPICS = re.compile(
    r"topic|thread|thema|themen|sujet|tém|tem[aey]\b|тем[аыу]?\b|主[题題]|スレッド|トピック|wątk|temat|konu|discuss|"
    r"onderwerp|tópico|emner?\b|ämne|aihe|주제|vlák",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"repl|answ|antw|répon|respuest|rispost|respost|ответ|відпов|回[复覆帖]|レス|返信|odpow|odpov|svar|vastau|yanıt|cevap|"
    r"reacti|comment|kommentar|댓글|답글",
    re.IGNORECASE,
)
# Boards are on the site that lists them. No list that the weights were learnt from leads to other sites.
_ELSEWHERE = 8.0
_DIGIT = re.compile(r"\d")
_QUESTION = re.compile(r"[?!？！:：…]|\.\.\.")
_START_FILE = re.compile(r"(?:index|default|main|home|forums?|start)\.\w+$|$", re.IGNORECASE)
_LONG_TITLE = 40  # letters
_LONG_ROW = 80  # letters outside links
_FULL_LIST = 6  # dates from which a falling order is no chance
_MAX_LABEL = 30  # characters of a counter with its label
_MAX_HEADERS = 12  # texts above the first row
_MOST = 0.8  # share of the URLs that shows what is usual
_MAX_FOLDER = 12  # characters of a folder that is no name of a board
_MIN_SECOND_TITLE = 14  # characters of the title of a last thread


def rate_boardness(found: RowList, rows: Sequence[ThreadRow], *, two_dates: bool) -> float:
    """How much rows look like boards (above 0) or threads (below 0): the logarithm of the odds."""
    numbers = board_features(found, rows, two_dates=two_dates)
    home = found.table.outline.base
    elsewhere = _share(not same_site(row.url, home) for row in rows)
    return _BIAS + sum(_WEIGHTS[name] * value for name, value in numbers.items()) - _ELSEWHERE * elsewhere


def board_features(found: RowList, rows: Sequence[ThreadRow], *, two_dates: bool) -> dict[str, float]:
    """What speaks for boards or threads, by name. Each lies roughly between -1 and 2."""
    outline, size = found.table.outline, len(rows)
    density = outline.script_density
    titles = [row.title for row in rows]
    urls = [row.url for row in rows]
    family = 0.0 if _links_itself_first(outline) else _compare_family(outline.tree.url, urls)
    kinds = _named_kinds(outline.tree.url, urls)
    labels = _labels(found)
    counts = [max(row.replies or 0, row.views or 0) for row in rows]
    records = found.table.records
    unlinked = sum(outline.unlinked_length(root) for record in records for root in record.roots)
    return {
        "length": min(2.0, density * sum(map(len, titles)) / size / _LONG_TITLE),
        "marks": _share(bool(_QUESTION.search(title)) for title in titles),
        "answers": _share(map(is_reply_title, titles)),
        "repeats": 1.0 - len(set(titles)) / size,
        "second": float(_has_second_titles(found)),
        "paged": _share(bool(row.page_urls) for row in rows),
        "falling": _rate_order(rows),
        "two_dates": float(two_dates),
        "words": min(2.0, density * unlinked / len(records) / _LONG_ROW),
        "named": _share(row.author is not None for row in rows),
        "last": _share(row.active_url is not None for row in rows),
        "counted": _share(row.replies is not None for row in rows),
        "counted_twice": _share(row.views is not None for row in rows),
        "large": math.log1p(median(counts)) / 8,
        "size": math.log1p(size) / 4,
        "url_index": _share(kind == "index" for kind in kinds),
        "url_thread": _share(kind == "thread" for kind in kinds),
        "word_topics": float(bool(_TOPICS.search(labels))),
        "word_answers": float(bool(_ANSWERS.search(labels))),
        "word_views": float(bool(VIEWS.search(labels))),
        "same_family": float(family > 0),
        "other_family": float(family < 0),
    }


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _named_kinds(page: str, urls: Sequence[str]) -> list[str]:
    """The kinds that words of the URLs suggest, without the parts that the URL of the page has too."""
    shared = set(url_fields(page).values())
    return [
        kind_named_by_url(
            "/".join(
                f"{name if not is_unnamed(name) else ''}/{value}"
                for name, value in url_fields(url).items()
                if value not in shared
            )
        )
        for url in urls
    ]


def _rate_order(rows: Sequence[ThreadRow]) -> float:
    """1 where dates fall from row to row, -1 where they rise, nearer to 0 the fewer there are."""
    moments = [sort_key(row.active) for row in rows if row.active]
    if len(moments) < 2:
        return 0.0
    falling = sum(one >= other for one, other in pairwise(moments)) / (len(moments) - 1)
    return (2 * falling - 1) * min(1.0, (len(moments) - 1) / _FULL_LIST)


def _labels(found: RowList) -> str:
    """The words that may label counters: short texts with a number, and short texts above the first row."""
    outline, table = found.table.outline, found.table
    start = table.records[0].start
    parent = outline.parent[start]
    before = range(outline.text_from[parent] if parent >= 0 else 0, outline.text_from[start])
    texts = [outline.segments[number] for number in before][-_MAX_HEADERS:]
    for segments in table.segments[:2]:
        texts += [outline.segments[n] for n in segments if _DIGIT.search(outline.segments[n])]
    return " ".join(text for text in texts if len(text) <= _MAX_LABEL)


def _compare_family(page: str, urls: Sequence[str]) -> float:
    """1 if the URL of the page is built like those of its rows: boards in a board. -1 if it is not.

    0 for a start page, whose URL tells nothing.
    """
    if _may_be_start(page, urls):
        return 0.0
    mine, theirs = url_fields(page), [url_fields(url) for url in urls]
    names = [name for name in theirs[0] if sum(name in other for other in theirs) >= _MOST * len(theirs)]
    fits = all(
        name in mine and fits_values(mine[name], [other[name] for other in theirs if name in other])
        for name in names
    )
    return 1.0 if fits else -1.0


def _links_itself_first(outline: PageOutline) -> bool:
    """Whether the first link of the page leads to the page itself: the name of the site on its start page."""
    here = absolute_url(outline.base, outline.tree.url)
    targets = (absolute_url(outline.base, href) for href in outline.hrefs if href)
    return next((target == here for target in targets if target and same_site(target, outline.base)), False)


def _may_be_start(url: str, rows: Sequence[str]) -> bool:
    """Whether a URL may be that of a start page: no query, and a folder or an index file at the end."""
    parts = urlsplit(url)
    *folders, last = parts.path.split("/")
    if parts.query or _DIGIT.search(parts.path):
        return False
    if not _START_FILE.match(last) and not any(urlsplit(row).path == parts.path for row in rows):
        return len(folders) == 1 and all(urlsplit(row).path.startswith(f"{parts.path}/") for row in rows)
    return all(len(folder) <= _MAX_FOLDER for folder in folders)


def _has_second_titles(found: RowList) -> bool:
    """Whether rows have a second column of long links with other targets: the last thread of each board."""
    table, outline = found.table, found.table.outline
    least = _MIN_SECOND_TITLE / outline.script_density
    for cells in (*table.columns.values(), *table.loose_columns.values()):
        links = {
            number: index
            for number, index in cells.items()
            if outline.hrefs[index] and index not in table.dated and number in found.titles
        }
        if len(links) < 0.5 * len(table.records):
            continue
        others = [
            index
            for number, index in links.items()
            if outline.hrefs[index] != outline.hrefs[found.titles[number]]
            and outline.text_length(index) >= least
        ]
        targets = {outline.hrefs[index] for index in others}
        if len(others) >= 0.4 * len(table.records) and len(targets) >= 0.7 * len(others):
            return True
    return False


_BIAS = 3.49
_WEIGHTS = {
    "answers": -0.33,
    "counted": -0.13,
    "counted_twice": 0.50,
    "falling": -3.48,
    "large": 1.18,
    "last": -1.23,
    "length": -1.86,
    "marks": -2.72,
    "named": -0.26,
    "other_family": -2.00,
    "paged": -1.06,
    "repeats": -0.86,
    "same_family": 0.86,
    "second": 1.61,
    "size": -1.24,
    "two_dates": -0.42,
    "url_index": 3.30,
    "url_thread": -0.66,
    "word_answers": -1.32,
    "word_topics": 0.46,
    "word_views": -0.38,
    "words": -1.22,
}
