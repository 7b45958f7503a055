"""A page in numbers: what the classifier of index, thread and other looks at."""

from __future__ import annotations

import math
from statistics import median

from threadmill.forum.index.row_lists import find_title_column
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.index_or_thread import index_or_thread_features, main_list, people_share
from threadmill.forum.page_class.page_hints import hints
from threadmill.forum.posts.authors import PERSON_WORDS, find_authors
from threadmill.forum.posts.bodies import find_sentences
from threadmill.forum.posts.few_posts import complete_records, own_text_lengths
from threadmill.forum.posts.post_columns import find_record_ids
from threadmill.forum.posts.post_records import BEST_RATING, rate_posts
from threadmill.forum.records.date_columns import read_page_dates, sorted_share
from threadmill.forum.records.record_table import RecordTable


def features(analysis: PageAnalysis) -> dict[str, float]:
    """Named numbers of a page, each roughly between 0 and a few."""
    outline = analysis.outline
    text = outline.text_before[-1] if outline.segments else 0
    dense = outline.script_density
    free = outline.unlinked_before[-1] if outline.segments else 0
    numbers = {
        "text": math.log1p(dense * text) / 10,
        "linked": 1.0 - free / text if text else 0.0,
        "password": float(_has_password(analysis)),
        "dates": math.log1p(len(analysis.dates)) / 4,
        "elements": math.log1p(len(outline)) / 10,
    }
    numbers.update(_page_features(analysis))
    numbers.update(_thread_features(analysis, free))
    numbers.update(_list_features(analysis))
    numbers.update(_post_features(analysis))
    numbers.update(index_or_thread_features(analysis))
    numbers.update(hints(analysis))
    return numbers


def _has_password(analysis: PageAnalysis) -> bool:
    return any(
        (element.attr("type") or "").lower() == "password"
        for element in analysis.tree.document.iter_elements("input")
    )


def _page_features(analysis: PageAnalysis) -> dict[str, float]:
    outline = analysis.outline
    said = list(find_sentences(outline, 0, {cell.element for cell in analysis.dates})) if len(outline) else []
    longest = max((len(outline.segments[number]) for number in said), default=0)
    people = sum(bool(href and PERSON_WORDS.search(href)) for href in outline.hrefs)
    links = sum(href is not None for href in outline.hrefs)
    words = outline.unlinked_length(analysis.single_post.records[0].start) if analysis.single_post else 0
    return {
        "sentences": math.log1p(len(said)) / 4,
        "longest": math.log1p(outline.script_density * longest) / 8,
        "people": math.log1p(people) / 5,
        "links": math.log1p(links) / 6,
        "single": math.log1p(outline.script_density * words) / 8,
    }


_THREAD_NAMES = (
    "t_score", "t_quality", "t_count", "t_dated", "t_named", "t_words", "t_share", "t_order", "t_linked",
    "t_titles", "t_sentences", "t_ids", "t_same",
)  # fmt: skip


def _thread_features(analysis: PageAnalysis, free: int) -> dict[str, float]:
    found = analysis.chosen_posts
    if found is None:
        return dict.fromkeys(_THREAD_NAMES, 0.0)
    table, outline = found[0], analysis.outline
    size = len(table.records)
    lengths = [sum(outline.unlinked_length(root) for root in record.roots) for record in table.records]
    linked = [sum(outline.text_length(root) for root in record.roots) for record in table.records]
    cells = max(table.date_columns.values(), key=len, default={})
    moments = [m for m in read_page_dates(list(cells.values()), analysis.now) if m is not None]
    values = (
        math.log1p(analysis.found_posts.score) if analysis.found_posts and len(table.records) > 1 else 0.0,
        rate_posts(table) / BEST_RATING,
        math.log1p(size) / 4,
        len(cells) / size,
        min(1.0, find_authors(table).score / 1.5),
        math.log1p(outline.script_density * median(lengths)) / 8,
        min(1.0, sum(lengths) / (free or 1)),
        sorted_share(moments),
        1.0 - sum(lengths) / (sum(linked) or 1),
        _titled(table),
        sum(_has_sentence(analysis, table, number) for number in range(size)) / size,
        len(find_record_ids(table)) / size,
        _same_place(analysis, table),
    )
    return dict(zip(_THREAD_NAMES, values, strict=True))


def _post_features(analysis: PageAnalysis) -> dict[str, float]:
    """What the page's posts would be, if it had any: how many are whole, and how much they say."""
    names = ("p_count", "p_whole", "p_words", "p_share", "p_links")
    found = analysis.chosen_posts
    if found is None:
        return dict.fromkeys(names, 0.0)
    table = found[0]
    words, whole = own_text_lengths(table), complete_records(table)
    size = len(table.records)
    total = analysis.outline.text_before[-1] or 1
    linked = sum(
        analysis.outline.text_length(root) - analysis.outline.unlinked_length(root)
        for record in table.records
        for root in record.roots
    )
    values = (
        math.log1p(size) / 4,
        len(whole) / size,
        math.log1p(analysis.outline.script_density * median(words)) / 8,
        sum(words) / total,
        linked / (linked + sum(words) + 1),
    )
    return dict(zip(names, values, strict=True))


def _titled(table: RecordTable) -> float:
    """How much the records have a long link of their own: rows do, posts do not."""
    # A lone record has a link for a column of links: what its post links to.
    found = find_title_column(table) if len(table.records) > 1 else None
    if found is None:
        return 0.0
    lengths = [table.outline.text_length(index) for index in found[1].values()]
    return len(lengths) / len(table.records) * min(1.0, table.outline.script_density * median(lengths) / 20)


def _has_sentence(analysis: PageAnalysis, table: RecordTable, number: int) -> bool:
    return any(
        True for root in table.records[number].roots for _ in find_sentences(analysis.outline, root, set())
    )


def _same_place(analysis: PageAnalysis, table: RecordTable) -> float:
    """The share of the records that are also rows of the page's best list."""
    place = main_list(analysis)
    if place is None:
        return 0.0
    rows = {record.start for record in analysis.row_lists[place].table.records}
    return sum(record.start in rows for record in table.records) / len(table.records)


def _list_features(analysis: PageAnalysis) -> dict[str, float]:
    names = (
        "l_score",
        "l_count",
        "l_dated",
        "l_title",
        "l_free",
        "l_counted",
        "l_board",
        "l_pages",
        "l_people",
    )
    people = people_share(analysis, 0) if analysis.row_lists else 0.0
    place = main_list(analysis)
    if place is None:
        return dict.fromkeys(names, 0.0) | {"l_people": people}
    found, read = analysis.row_lists[place], analysis.parsed_row_lists[place]
    table, outline = found.table, analysis.outline
    size = len(table.records)
    free = [sum(outline.unlinked_length(root) for root in record.roots) for record in table.records]
    values = (
        math.log1p(found.score),
        math.log1p(size) / 4 * found.substance,
        sum(row.active is not None for row in read.rows) / size,
        math.log1p(outline.script_density * median(len(row.title) for row in read.rows)) / 5,
        math.log1p(outline.script_density * median(free)) / 8,
        sum(row.replies is not None for row in read.rows) / size,
        max(-1.0, min(1.0, read.boardness / 2)),
        sum(bool(row.page_urls) for row in read.rows) / size,
        people,
    )
    return dict(zip(names, values, strict=True))
