"""Reads a page in every way Threadmill can, and remembers which elements each reading stands on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from turbohtml import Element, Node

from threadmill.forum.index.row_lists import RowList
from threadmill.forum.index.rows import ParsedRowList
from threadmill.forum.link_urls import absolute_url
from threadmill.forum.page_class.classify import PageClass, class_evidence, classify_page, page_features
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import (
    PageAnalysis,
    ThreadRecords,
    chosen_lists,
    extract_index,
    extract_thread,
    find_thread_records,
)
from threadmill.forum.records.date_columns import read_page_dates
from threadmill.forum.records.record_table import RecordTable
from threadmill.forum.site_model.wrapper import Wrapper
from threadmill.page.blocks.cutting import Cut
from threadmill.page.clean import clean, cut_page
from threadmill.page.parse.tree import Tree
from threadmill.template import Template, clean_with_template, framing_elements
from threadmill.types import Page, ParagraphClass, Post, ThreadRow

_MAX_MARKED_DATES = 2000
_MAX_LABEL = 300  # characters of a label
_LINK_LEVELS = 4  # elements between a text and its link


class LayerName(StrEnum):
    """The layers that can be switched on, in the order of their buttons."""

    POSTS = "posts"
    ROWS = "rows"
    PAGER = "pager"
    DATES = "dates"
    FRAMING = "framing"
    PARAGRAPHS = "paragraphs"
    LINKS = "links"


@dataclass(frozen=True, slots=True)
class LayerMark:
    """One element or text that a reading stands on."""

    layer: LayerName
    part: str  # post, author, date, body, row, title, next, page, good, bad …
    label: str  # for people


@dataclass(frozen=True, slots=True)
class DateReading:
    """One date of the page: what stands there, and what it means."""

    text: str
    moment: str  # ISO 8601; empty: it could not be read


@dataclass(frozen=True, slots=True)
class PageLayers:
    """Everything that Threadmill reads on one page."""

    tree: Tree
    kind: PageClass
    evidence: tuple[tuple[str, float], ...]  # features of the page class, strongest first
    posts: tuple[Post, ...]
    wrapped: bool  # the posts were found with the wrapper of the site
    rows: tuple[ThreadRow, ...]
    boards: int
    order: str
    paging: Paging
    dates: tuple[DateReading, ...]
    page: Page  # the main text
    framing: int | None  # elements of the site's framing; None: no template is known
    marks: dict[Node, list[LayerMark]] = field(default_factory=dict)


def read_layers(
    tree: Tree, now: datetime, wrapper: Wrapper | None = None, template: Template | None = None
) -> PageLayers:
    """Read a page that was fetched at `now`."""
    analysis = PageAnalysis(tree, now)
    marks: dict[Node, list[LayerMark]] = defaultdict(list)
    kind = classify_page(analysis)
    thread, index = extract_thread(analysis, wrapper), extract_index(analysis)
    is_thread = kind.kind != "index" or thread.wrapped
    lists = [] if is_thread and thread.posts else list(chosen_lists(analysis))
    posts = thread.posts if is_thread else ()
    if posts and analysis.messages is not None:
        for number, (start, _) in enumerate(analysis.messages.spans, 1):
            marks[analysis.outline.elements[start]].append(
                LayerMark(LayerName.POSTS, "post", f"post {number}")
            )
    elif posts:
        _mark_posts(marks, analysis, find_thread_records(analysis, wrapper), posts)
    _mark_rows(marks, analysis, lists)
    paging = thread.paging if posts else index.paging
    _mark_pager(marks, analysis, paging)
    cutting = cut_page(tree, keeps_nodes=True)
    page = clean_with_template(tree, template, cutting=cutting) if template else clean(tree, cutting=cutting)
    _mark_paragraphs(marks, cutting, page)
    framing = framing_elements(template, tree.document) if template else None
    for element in framing or ():
        marks[element].append(LayerMark(LayerName.FRAMING, "framing", "framing of the site"))
    order = thread.order if posts else index.order
    return PageLayers(
        tree,
        kind,
        tuple(class_evidence(page_features(analysis), kind.kind).items()),
        posts,
        bool(posts and thread.wrapped),
        tuple(row for _, parsed in lists for row in parsed.rows),
        sum(len(parsed.rows) for _, parsed in lists if parsed.boardness > 0),
        str(order or ""),
        paging,
        tuple(_mark_dates(marks, analysis)),
        page,
        None if framing is None else len(framing),
        dict(marks),
    )


def _mark_posts(
    marks: dict[Node, list[LayerMark]],
    analysis: PageAnalysis,
    found: ThreadRecords | None,
    posts: tuple[Post, ...],
) -> None:
    if found is None:
        return
    elements = analysis.outline.elements
    columns = found.columns

    def mark(index: int, part: str, label: str) -> None:
        marks[elements[index]].append(LayerMark(LayerName.POSTS, part, label[:_MAX_LABEL]))

    for number, post in enumerate(posts):
        for root in _roots(found.table, number):
            mark(root, "post", f"post {number + 1}")
        if number in columns.bodies:
            mark(columns.bodies[number], "body", "its text")
        if number in columns.authors:
            mark(columns.authors[number].element, "author", f"author: {post.author or 'unknown'}")
        if number in columns.dates:
            moment = post.date.isoformat() if post.date else "not readable"
            mark(columns.dates[number].element, "date", f"date: {moment}")
        if number in columns.links:
            mark(columns.links[number], "permalink", f"link to the post: {post.url or ''}")


def _roots(table: RecordTable, number: int) -> tuple[int, ...]:
    return table.records[number].roots


def _mark_rows(
    marks: dict[Node, list[LayerMark]], analysis: PageAnalysis, lists: list[tuple[RowList, ParsedRowList]]
) -> None:
    elements = analysis.outline.elements
    for found, parsed in lists:
        part = "board" if parsed.boardness > 0 else "row"
        for number, row in zip(sorted(found.titles), parsed.rows, strict=True):
            facts = [f"{part}: {row.title}", row.author and f"by {row.author}"]
            facts += [f"{count:,} {name}" for name, count in _counters(row, part) if count is not None]
            facts += [f"last activity {row.active.isoformat()}"] if row.active else []
            label = ", ".join(fact for fact in facts if fact)[:_MAX_LABEL]
            for root in _roots(found.table, number):
                marks[elements[root]].append(LayerMark(LayerName.ROWS, part, label))
            title = elements[found.titles[number]]
            marks[title].append(LayerMark(LayerName.ROWS, "title", f"leads to {row.url}"[:_MAX_LABEL]))


def _counters(row: ThreadRow, part: str) -> tuple[tuple[str, int | None], tuple[str, int | None]]:
    names = ("threads", "posts") if part == "board" else ("replies", "views")
    return (names[0], row.replies), (names[1], row.views)


def _mark_pager(marks: dict[Node, list[LayerMark]], analysis: PageAnalysis, paging: Paging) -> None:
    outline = analysis.outline
    named = {
        paging.first: ("page", "first page"),
        paging.last: ("page", "last page"),
        paging.previous: ("page", "previous page"),
        paging.next: ("next", "next page"),
    }
    for index, href in enumerate(outline.hrefs):
        url = absolute_url(outline.base, href) if href else None
        if url is None:
            continue
        if url in named:
            part, label = named[url]
        elif paging.slot is not None and (number := paging.slot.number_in(url)) is not None:
            part, label = "page", f"page {(number - paging.start) // (paging.step or 1) + 1}"
        else:
            continue
        marks[outline.elements[index]].append(LayerMark(LayerName.PAGER, part, label))


def _mark_dates(marks: dict[Node, list[LayerMark]], analysis: PageAnalysis) -> Iterator[DateReading]:
    """Every date with its reading. Dates of one kind are read together, as a column."""
    outline = analysis.outline
    columns = defaultdict(list)
    for date in analysis.dates[:_MAX_MARKED_DATES]:
        columns[outline.kind(date.element)].append(date)
    for column in columns.values():
        for date, moment in zip(column, read_page_dates(column, analysis.now), strict=True):
            read = moment.isoformat() if moment else ""
            label = f"read as {read}" if read else "looks like a date, but could not be read"
            marks[outline.elements[date.element]].append(LayerMark(LayerName.DATES, "moment", label))
            yield DateReading(date.text[:_MAX_LABEL], read)


def _mark_paragraphs(marks: dict[Node, list[LayerMark]], cutting: Cut, page: Page) -> None:
    for block, paragraph in zip(cutting.blocks, page.paragraphs, strict=True):
        part = str(paragraph.verdict)
        label = f"{part}: {paragraph.reason}"[:_MAX_LABEL]
        for node in block.nodes:
            marks[node].append(LayerMark(LayerName.PARAGRAPHS, part, label))
            link = _link_around(node) if paragraph.verdict is ParagraphClass.GOOD else None
            if link is not None and not any(mark.layer is LayerName.LINKS for mark in marks[link]):
                marks[link].append(LayerMark(LayerName.LINKS, "link", link.attr("href") or ""))


def _link_around(node: Node) -> Element | None:
    above = node.parent
    for _ in range(_LINK_LEVELS):
        if not isinstance(above, Element):
            return None
        if above.tag == "a":
            return above if above.attr("href") else None
        above = above.parent
    return None


# What the features of the page class are, for people.
FEATURE_WORDS = {
    "b_after": "a list below the posts, about other threads",
    "b_buttons": "buttons for answering or quoting",
    "b_counters": "columns of counters",
    "b_empty": "records without words",
    "b_heads": "headings in the records",
    "b_lean": "more text in posts than in rows",
    "b_numbered": "the number in the URL is that of a post",
    "b_panel": "panels about the authors",
    "b_places": "places where the records stand",
    "b_posts": "text of posts outside the list",
    "b_rivals": "lists that compete with the posts",
    "b_row": "a list with a single row",
    "b_self": "a row with the title of this page",
    "b_timed": "dates with a time of day",
    "b_titles": "titles of rows",
    "b_weight": "more text in posts than in titles of rows",
    "dates": "number of dates",
    "elements": "size of the page",
    "l_aside": "the list stands in a box at the side",
    "l_board": "rows that look like boards",
    "l_count": "number of rows",
    "l_counted": "rows with counters",
    "l_dated": "rows with dates",
    "l_free": "text in rows outside links",
    "l_own": "rows that lead to this page",
    "l_pages": "rows with links to pages",
    "l_people": "rows that lead to people",
    "l_score": "how good the list is",
    "l_share": "share of the text in rows",
    "l_single": "a list of one row",
    "l_title": "length of the titles of rows",
    "linked": "share of the text in links",
    "links": "number of links",
    "longest": "longest sentence",
    "p_count": "number of posts",
    "p_links": "links in posts",
    "p_share": "share of the text in posts",
    "p_whole": "posts with author, date and text",
    "p_words": "length of posts",
    "password": "a field for a password",
    "people": "links to people",
    "s_index": "schema.org says: a list",
    "s_other": "schema.org says: neither list nor thread",
    "s_thread": "schema.org says: a discussion",
    "sentences": "number of sentences",
    "single": "length of the only post",
    "t_both": "records that are also rows and have much of the text",
    "t_count": "number of records",
    "t_dated": "records with a date",
    "t_ids": "records with a number in their id",
    "t_linked": "share of links in records",
    "t_named": "records with an author",
    "t_order": "dates in order",
    "t_quality": "how well authors and dates cover the records",
    "t_same": "records that are also rows",
    "t_score": "how much the records look like posts",
    "t_sentences": "records with a sentence",
    "t_share": "share of the text in records",
    "t_titles": "records with a long link",
    "t_words": "length of records",
    "text": "amount of text",
    "u_index": "a word in the URL says: list",
    "u_other": "a word in the URL says: neither",
    "u_thread": "a word in the URL says: thread",
    "writing": "a field for writing a text",
}


def in_words(feature: str) -> str:
    """What a feature is. A new one keeps its name until somebody writes a sentence for it."""
    return FEATURE_WORDS.get(feature, feature.replace("_", " "))
