"""Computes features that weigh the posts of a page against its rows: is it an index or a thread?"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from threadmill.forum.index.counters_and_boards import find_counter_columns, read_counter
from threadmill.forum.index.row_lists import MAX_MENU_SCORE
from threadmill.forum.posts.author_names import PERSON_WORDS
from threadmill.forum.posts.bodies import find_sentences
from threadmill.forum.posts.few_posts import own_text_lengths
from threadmill.forum.read_page import PageAnalysis
from threadmill.forum.records.date_columns import read_page_dates
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable

_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\W*\d{1,3}(?:[.,\s]?\d{3})*\W*")
_POST_NUMBER = re.compile(r"#\s?\d{1,6}|\d{1,6}\s?#")
_LONG_NUMBER = re.compile(r"(?<!\d)\d{2,}(?!\d)")
_MAX_HEADER = 24  # characters of a column header
_HEADERS = range(3, 9)  # columns of a table of threads
_MAX_ROW = 80  # elements of a row; with pagers, icons and a last post up to 60 were seen
_MAX_ROW_DEPTH = 7  # elements from a date up to its row
_MAX_BUTTON = 24  # characters of "Reply with quote" and the like
_MIN_TITLE = 4  # characters
_MAX_MEMBERS = 400  # elements of a post that are searched for IDs
_MANY_PEOPLE = 0.5  # of the rows of a list lead to people: it is a list of people


def index_or_thread_features(analysis: PageAnalysis) -> dict[str, float]:
    """The features by name. Each lies roughly between 0 and 1."""
    found = analysis.chosen_posts
    posts = found[0] if found else None
    density = analysis.outline.script_density
    outside, inside = _lengths_of_posts(analysis, posts)
    titles = sum(
        rows.substance * _length_of_titles(analysis, place)
        for place, rows in enumerate(analysis.row_lists)
        if not rows.aside and not _lists_people(analysis, place)
    )
    return {
        "b_posts": math.log1p(density * outside) / 8,
        "b_rivals": math.log1p(density * inside) / 8,
        "b_titles": math.log1p(density * titles) / 8,
        "b_weight": math.log((1 + density * (outside + inside)) / (1 + density * titles)) / 4,
        "b_lean": math.log((1 + outside) / (1 + titles)) / 4,
        "b_after": _distance_to_list(analysis, posts),
        "b_self": float(_lists_itself(analysis)),
        "b_counters": min(2, _count_counters(analysis)) / 2,
        "b_timed": _share_with_time(analysis, posts),
        "b_buttons": _rate_buttons(posts),
        "b_places": _share_with_number(posts),
        "b_panel": _rate_author_panels(posts),
        "b_heads": float(_has_headers(analysis.outline)),
        "b_empty": float(_is_empty_board(analysis, outside)),
        "b_row": float(_has_single_row(analysis)),
        "b_numbered": _share_with_own_id(analysis.tree.url, posts),
    }


# ---- lists ----


def share_of_people(analysis: PageAnalysis, place: int) -> float:
    """The share of rows of a list that lead to people: members, or the authors of posts."""
    rows = analysis.parsed_row_lists[place].rows
    return sum(bool(PERSON_WORDS.search(row.url)) for row in rows) / len(rows)


def _lists_people(analysis: PageAnalysis, place: int) -> bool:
    return share_of_people(analysis, place) >= _MANY_PEOPLE


def find_main_list(analysis: PageAnalysis) -> int | None:
    """The position of the best list that is not a list of people."""
    return next(
        (place for place in range(len(analysis.row_lists)) if not _lists_people(analysis, place)), None
    )


def _length_of_titles(analysis: PageAnalysis, place: int) -> int:
    return sum(len(row.title) for row in analysis.parsed_row_lists[place].rows)


def _distance_to_list(analysis: PageAnalysis, posts: RecordTable | None) -> float:
    """The share of the text between the first post and a list below it, which is about other threads."""
    place = find_main_list(analysis)
    if posts is None or place is None:
        return 0.0
    outline = analysis.outline
    first_post = min(record.start for record in posts.records)
    first_row = min(record.start for record in analysis.row_lists[place].table.records)
    if first_row <= first_post:
        return 0.0
    before = outline.text_before
    between = before[outline.text_from[first_row]] - before[outline.text_from[first_post]]
    return between / (before[-1] or 1)


def _lists_itself(analysis: PageAnalysis) -> bool:
    """Whether a list has a row with the title of the page: it lists the thread that the page shows."""
    title = analysis.outline.title
    return any(
        len(row.title) > 2 * _MIN_TITLE and title.startswith(row.title)
        for found, parsed in zip(analysis.row_lists, analysis.parsed_row_lists, strict=True)
        if not found.aside and found.score > MAX_MENU_SCORE
        for row in parsed.rows
    )


def _count_counters(analysis: PageAnalysis) -> int:
    """How many different columns of counters the main list has. A column with one value is none."""
    place = find_main_list(analysis)
    if place is None:
        return 0
    table = analysis.row_lists[place].table
    distinct = {tuple(sorted(column.values.items())) for column in find_counter_columns(table)}
    return sum(len({value for _, value in values}) > 1 for values in distinct)


# ---- posts ----


def _lengths_of_posts(analysis: PageAnalysis, posts: RecordTable | None) -> tuple[int, int]:
    """Characters of the posts outside the main list, and of those that are also its rows."""
    if posts is None:
        return 0, 0
    place = find_main_list(analysis)
    lists = [] if place is None else analysis.row_lists[place : place + 1]
    rows = {root for found in lists for record in found.table.records for root in record.roots}
    inside = outside = 0
    for record, length in zip(posts.records, own_text_lengths(posts), strict=True):
        if any(root in rows for root in record.roots):
            inside += length
        else:
            outside += length
    return outside, inside


def _share_with_time(analysis: PageAnalysis, posts: RecordTable | None) -> float:
    """The share of posts with a time of day. Articles show the day only."""
    if posts is None:
        return 0.0
    cells = max(posts.date_columns.values(), key=len, default={})
    moments = read_page_dates(list(cells.values()), analysis.now)
    return sum(moment is not None and moment.time is not None for moment in moments) / len(posts.records)


def _rate_buttons(posts: RecordTable | None) -> float:
    """How many buttons each post has: links with one short text and a target of their own (reply, quote)."""
    if posts is None or len(posts.records) < 2:
        return 0.0
    outline = posts.outline
    texts: Counter[str] = Counter()
    targets: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for members in posts.members:
        links = {
            (outline.text(index, _MAX_BUTTON + 1), outline.hrefs[index] or "")
            for index in members
            if outline.hrefs[index] and 0 < outline.text_length(index) <= _MAX_BUTTON
        }
        texts.update({text for text, _ in links})
        for link in links - seen:
            seen.add(link)
            targets[link[0]] += 1
    most = 0.8 * len(posts.records)
    return min(3, sum(texts[text] >= most and targets[text] >= most for text in texts)) / 3


def _share_with_number(posts: RecordTable | None) -> float:
    """The share of posts that show their number in the thread: "#3"."""
    if posts is None:
        return 0.0
    texts = posts.outline.segments
    numbered = sum(any(_POST_NUMBER.fullmatch(texts[n]) for n in segments) for segments in posts.segments)
    return numbered / len(posts.records)


def _share_with_own_id(url: str, posts: RecordTable | None) -> float:
    """The share of posts whose links repeat the number of their `id` or `name`: to quote, to answer, to link.

    Numbers of the URL of the page do not count: they belong to the thread.
    """
    if posts is None:
        return 0.0
    common = set(_LONG_NUMBER.findall(url))
    own = []
    for members in posts.members:
        elements = [posts.outline.elements[index] for index in members[:_MAX_MEMBERS]]
        named = {
            number
            for element in elements
            for name in ("id", "name")
            for number in _LONG_NUMBER.findall(element.attr(name) or "")
        }
        linked = {
            number
            for index in members[:_MAX_MEMBERS]
            for number in _LONG_NUMBER.findall(posts.outline.hrefs[index] or "")
        }
        own.append((named & linked) - common)
    return sum(map(bool, own)) / len(own)


def _rate_author_panels(posts: RecordTable | None) -> float:
    """The median number of short texts with a number in a post: "Posts: 131", "Joined 2012"."""
    if posts is None:
        return 0.0
    texts = posts.outline.segments
    counts = sorted(
        sum(len(texts[n]) <= _MAX_BUTTON and read_counter(texts[n]) is not None for n in segments)
        for segments in posts.segments
    )
    return min(4, counts[len(counts) // 2]) / 4


# ---- tables without rows, and a single row ----


def _has_headers(outline: PageOutline) -> bool:
    """Whether there are column headers: short texts side by side, none with a digit, few of them links."""
    return any(True for _ in _find_headers(outline))


def _is_empty_board(analysis: PageAnalysis, outside: int) -> bool:
    """Whether there are column headers and nothing below them: a board without threads."""
    listed = any(found.score > MAX_MENU_SCORE for found in analysis.row_lists)
    return not listed and outside < _MAX_HEADER and _has_headers(analysis.outline)


def _find_headers(outline: PageOutline) -> Iterator[int]:
    for index, children in enumerate(outline.children):
        if len(children) not in _HEADERS or outline.text_length(index) > _MAX_HEADER * len(children):
            continue
        texts = [outline.text(child, _MAX_HEADER + 1) for child in children]
        headers = [text for text in texts if 1 < len(text) <= _MAX_HEADER and not _DIGIT.search(text)]
        if len(headers) < len(children) - 1 or len(headers) < _HEADERS.start:
            continue
        linked = sum(outline.unlinked_length(child) == 0 for child in children)
        if linked * 2 <= len(children) and outline.tags[children[-1]] in {"th", "td", "dd", "li", "div"}:
            yield index


def _has_single_row(analysis: PageAnalysis) -> bool:
    """Whether a date stands with a title and a bare number but without a sentence: the only row of a list."""
    outline = analysis.outline
    if not len(outline):
        return False
    dated = {cell.element for cell in analysis.dates}
    marks = [0] * (len(outline.segments) + 1)
    for number in find_sentences(outline, 0, dated):
        marks[number + 1] = 1
    sentences_before = list(accumulate(marks))
    return any(_is_in_row(outline, cell.element, sentences_before, dated) for cell in analysis.dates)


def _is_in_row(outline: PageOutline, index: int, sentences_before: list[int], dated: set[int]) -> bool:
    """Whether an element around a date looks like a row."""
    for _ in range(_MAX_ROW_DEPTH):
        index = outline.parent[index]
        if index <= 1 or outline.end[index] - index > _MAX_ROW:
            return False
        first, last = outline.text_from[index], outline.text_to[index]
        if sentences_before[last] > sentences_before[first]:
            return False
        has_title = any(
            outline.in_link[owner := outline.segment_owner[number]]
            and owner not in dated
            and len(outline.segments[number]) >= _MIN_TITLE
            and not _DIGIT.fullmatch(outline.segments[number])
            and not PERSON_WORDS.search(outline.hrefs[owner] or "")
            for number in range(first, last)
        )
        has_counter = any(
            _NUMBER.fullmatch(outline.segments[number]) and outline.segment_owner[number] not in dated
            for number in range(first, last)
        )
        if has_title and has_counter:
            return True
    return False
