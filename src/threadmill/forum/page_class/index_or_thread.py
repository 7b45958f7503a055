"""What speaks for rows and what for posts, weighed against each other: features of the page's class."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from threadmill.forum.index.counter_columns import find_counter_columns, read_counter
from threadmill.forum.index.row_lists import MAX_MENU_SCORE
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.posts.authors import PERSON_WORDS
from threadmill.forum.posts.bodies import find_sentences
from threadmill.forum.posts.few_posts import own_text_lengths
from threadmill.forum.records.date_columns import read_page_dates
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable

_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\W*\d{1,3}(?:[.,\s]?\d{3})*\W*")
_PLACE = re.compile(r"#\s?\d{1,6}|\d{1,6}\s?#")
_MAX_HEAD = 24  # characters of a column's name
_HEADS = range(3, 9)  # columns of a table of threads
_MAX_ROW = 80  # elements of a row; with pagers, icons and a last post seen up to 60
_BUTTON = 24  # characters of "Reply with quote" and the like
_MIN_TITLE = 4
_LONG_NUMBER = re.compile(r"(?<!\d)\d{2,}(?!\d)")
_MAX_MEMBERS = 400
_MANY_PEOPLE = 0.5  # of the rows lead to people


def index_or_thread_features(analysis: PageAnalysis) -> dict[str, float]:
    """Named numbers, each roughly between 0 and 1."""
    found = analysis.chosen_posts
    posts = found[0] if found else None
    dense = analysis.outline.script_density
    own, rivals = _words_of_posts(analysis, posts)
    titles = sum(
        rows.substance * _titles_length(analysis, place)
        for place, rows in enumerate(analysis.row_lists)
        if not rows.aside and not _lists_people(analysis, place)
    )
    return {
        "b_posts": math.log1p(dense * own) / 8,
        "b_rivals": math.log1p(dense * rivals) / 8,
        "b_titles": math.log1p(dense * titles) / 8,
        "b_lean": math.log((1 + own) / (1 + titles)) / 4,
        "b_after": _lists_after(analysis, posts),
        "b_self": float(_lists_itself(analysis)),
        "b_counters": min(2, _counters(analysis)) / 2,
        "b_timed": _timed(analysis, posts),
        "b_buttons": _buttons(posts),
        "b_places": _placed(posts),
        "b_panel": _panels(posts),
        "b_heads": float(_has_heads(analysis.outline)),
        "b_empty": float(_is_empty(analysis, own)),
        "b_row": float(_has_row(analysis)),
        "b_numbered": _numbered(analysis.tree.url, posts),
    }


def _words_of_posts(analysis: PageAnalysis, posts: RecordTable | None) -> tuple[int, int]:
    """What the posts say outside of the page's lists, and inside them."""
    if posts is None:
        return 0, 0
    place = main_list(analysis)
    lists = [] if place is None else analysis.row_lists[place : place + 1]
    rows = {root for found in lists for record in found.table.records for root in record.roots}
    inside = outside = 0
    for record, words in zip(posts.records, own_text_lengths(posts), strict=True):
        if any(root in rows for root in record.roots):
            inside += words
        else:
            outside += words
    return outside, inside


def people_share(analysis: PageAnalysis, place: int) -> float:
    """The share of a list's rows that lead to people: members, or the names above posts."""
    rows = analysis.parsed_row_lists[place].rows
    return sum(bool(PERSON_WORDS.search(row.url)) for row in rows) / len(rows)


def _lists_people(analysis: PageAnalysis, place: int) -> bool:
    return people_share(analysis, place) >= _MANY_PEOPLE


def main_list(analysis: PageAnalysis) -> int | None:
    """The place of the best list that is not one of people."""
    return next(
        (place for place in range(len(analysis.row_lists)) if not _lists_people(analysis, place)), None
    )


def _titles_length(analysis: PageAnalysis, place: int) -> int:
    return sum(len(row.title) for row in analysis.parsed_row_lists[place].rows)


def _lists_after(analysis: PageAnalysis, posts: RecordTable | None) -> float:
    """How far behind the first post the best list begins: what stands below is about others."""
    place = main_list(analysis)
    if posts is None or place is None:
        return 0.0
    outline = analysis.outline
    first = min(record.start for record in posts.records)
    start = min(record.start for record in analysis.row_lists[place].table.records)
    if start <= first:
        return 0.0
    before = outline.text_before
    return (before[outline.text_from[start]] - before[outline.text_from[first]]) / (before[-1] or 1)


def _lists_itself(analysis: PageAnalysis) -> bool:
    """Whether a list has the very thing the page is about among its rows."""
    title = analysis.outline.title
    return any(
        len(row.title) > 2 * _MIN_TITLE and title.startswith(row.title)
        for found, read in zip(analysis.row_lists, analysis.parsed_row_lists, strict=True)
        if not found.aside and found.score > MAX_MENU_SCORE
        for row in read.rows
    )


def _counters(analysis: PageAnalysis) -> int:
    place = main_list(analysis)
    if place is None:
        return 0
    table = analysis.row_lists[place].table
    distinct = {tuple(sorted(column.values.items())) for column in find_counter_columns(table)}
    return sum(len({value for _, value in values}) > 1 for values in distinct)


def _timed(analysis: PageAnalysis, posts: RecordTable | None) -> float:
    """The share of posts with a time of day: articles show the day only."""
    if posts is None:
        return 0.0
    cells = max(posts.date_columns.values(), key=len, default={})
    moments = read_page_dates(list(cells.values()), analysis.now)
    return sum(moment is not None and moment.time is not None for moment in moments) / len(posts.records)


def _buttons(posts: RecordTable | None) -> float:
    """How many links of the same short words each post has with an address of its own: reply, quote."""
    if posts is None or len(posts.records) < 2:
        return 0.0
    outline = posts.outline
    texts: Counter[str] = Counter()
    targets: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for members in posts.members:
        said = {
            (outline.text(index, _BUTTON + 1), outline.hrefs[index] or "")
            for index in members
            if outline.hrefs[index] and 0 < outline.text_length(index) <= _BUTTON
        }
        texts.update({text for text, _ in said})
        for pair in said - seen:
            seen.add(pair)
            targets[pair[0]] += 1
    size = len(posts.records)
    return min(3, sum(texts[text] >= 0.8 * size and targets[text] >= 0.8 * size for text in texts)) / 3


def _placed(posts: RecordTable | None) -> float:
    """The share of posts that say their place in the thread: "#3"."""
    if posts is None:
        return 0.0
    texts = posts.outline.segments
    said = sum(any(_PLACE.fullmatch(texts[n]) for n in segments) for segments in posts.segments)
    return said / len(posts.records)


def _numbered(url: str, posts: RecordTable | None) -> float:
    """The share of posts whose links repeat a number of theirs: to quote, to answer, to this very place."""
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


def _panels(posts: RecordTable | None) -> float:
    """How many short texts with a number each post has beside its words: "Posts: 131", "Joined 2012"."""
    if posts is None:
        return 0.0
    texts = posts.outline.segments
    counts = sorted(
        sum(len(texts[n]) <= _BUTTON and read_counter(texts[n]) is not None for n in segments)
        for segments in posts.segments
    )
    return min(4, counts[len(counts) // 2]) / 4


def _has_heads(outline: PageOutline) -> bool:
    """Whether columns have names: short texts side by side, none with a digit, few of them links."""
    return any(True for _ in _heads(outline))


def _is_empty(analysis: PageAnalysis, own: int) -> bool:
    """Whether columns have names and nothing stands below them: a board without threads."""
    listed = any(found.score > MAX_MENU_SCORE for found in analysis.row_lists)
    return not listed and own < _MAX_HEAD and _has_heads(analysis.outline)


def _heads(outline: PageOutline) -> Iterator[int]:
    for index, children in enumerate(outline.children):
        if len(children) not in _HEADS or outline.text_length(index) > _MAX_HEAD * len(children):
            continue
        texts = [outline.text(child, _MAX_HEAD + 1) for child in children]
        named = [text for text in texts if 1 < len(text) <= _MAX_HEAD and not _DIGIT.search(text)]
        if len(named) < len(children) - 1 or len(named) < _HEADS.start:
            continue
        linked = sum(outline.unlinked_length(child) == 0 for child in children)
        if linked * 2 <= len(children) and outline.tags[children[-1]] in {"th", "td", "dd", "li", "div"}:
            yield index


def _has_row(analysis: PageAnalysis) -> bool:
    """Whether a date stands with a title and a lone number but no sentence: the only row of a list."""
    outline = analysis.outline
    if not len(outline):
        return False
    dated = {cell.element for cell in analysis.dates}
    said = [0] * (len(outline.segments) + 1)
    for number in find_sentences(outline, 0, dated):
        said[number + 1] = 1
    spoken = list(accumulate(said))
    return any(_is_row(outline, cell.element, spoken, dated) for cell in analysis.dates)


def _is_row(outline: PageOutline, index: int, spoken: list[int], dated: set[int]) -> bool:
    for _ in range(7):
        index = outline.parent[index]
        if index <= 1 or outline.end[index] - index > _MAX_ROW:
            return False
        if spoken[outline.text_to[index]] > spoken[outline.text_from[index]]:
            return False
        inside = range(outline.text_from[index], outline.text_to[index])
        titled = any(
            outline.in_link[owner := outline.segment_owner[number]]
            and owner not in dated
            and len(outline.segments[number]) >= _MIN_TITLE
            and not _DIGIT.fullmatch(outline.segments[number])
            and not PERSON_WORDS.search(outline.hrefs[owner] or "")
            for number in inside
        )
        counted = any(
            _NUMBER.fullmatch(outline.segments[number]) and outline.segment_owner[number] not in dated
            for number in inside
        )
        if titled and counted:
            return True
    return False
