"""Reads the rows of a list: what each row says about its thread or board, and which of the two it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from threadmill.forum.index.boards_or_threads import rate_boardness
from threadmill.forum.index.counter_columns import find_replies_and_views
from threadmill.forum.index.row_lists import RowList
from threadmill.forum.link_urls import NumberSlot, absolute_url, is_like_urls, number_slots
from threadmill.forum.posts.authors import find_authors
from threadmill.forum.records.date_columns import read_page_dates, sort_key
from threadmill.forum.records.record_table import RecordTable
from threadmill.types import BoardRow, Moment, ThreadRow

_PAGE_LABEL = re.compile(r"^\W*(\d{1,5})\W*$")
# Marks stand in classes, titles and image names. The word roots are those of many engines and languages.
_STICKY = re.compile(
    r"stick|pinn|announce|wichtig|angepinnt|épingl|annonce|globaltop|displayorder|置顶|公告|важно|прикреп|закреп|fijado|important",
    re.IGNORECASE,
)
_LOCKED = re.compile(
    r"\block|closed|geschlossen|gesperrt|verrouill|fermé|закрыт|关闭|鎖定|cerrado|chiuso", re.IGNORECASE
)
_MOVED = re.compile(r"\bmoved|verschoben|déplacé|перемещ|移动|移動|movido|spostat", re.IGNORECASE)
_MAX_MARKED = 60  # elements of a row that are searched for marks
_MAX_TITLE = 300  # characters


@dataclass(frozen=True, slots=True)
class ParsedRowList:
    """The rows of one list, read as threads. Their `boardness` tells whether they are boards."""

    rows: tuple[ThreadRow, ...]
    boardness: float  # above 0: boards, below: threads
    two_dates: bool  # rows show creation and last activity
    shape: str = ""  # how a row is built, if all rows are built alike


def parse_row_list(found: RowList, now: datetime) -> ParsedRowList:
    """Read what each row of a list says."""
    table, outline = found.table, found.table.outline
    replies, views = find_replies_and_views(table, found.titles)
    dates = _find_date_columns(table, found.titles, now)
    authors = {
        number: author
        for number, author in find_authors(table).authors.items()
        if author.element not in found.titles.values()
    }
    rows = []
    for number in sorted(found.titles):
        title = found.titles[number]
        url = absolute_url(outline.base, outline.hrefs[title] or "") or outline.base
        shown = [column[number] for column in dates if number in column]
        created = min(shown, key=sort_key) if len(dates) > 1 and len(shown) > 1 else None
        marks = _collect_marks(table, number)
        rows.append(
            ThreadRow(
                url=url,
                title=outline.text(title, _MAX_TITLE),
                author=authors[number].name if number in authors else None,
                replies=replies.get(number),
                views=views.get(number),
                created=created,
                active=max(shown, key=sort_key) if shown else None,
                active_url=_find_last_post_url(table, number, url, title),
                page_urls=_find_page_urls(table, number, url),
                sticky=bool(_STICKY.search(marks)),
                locked=bool(_LOCKED.search(marks)),
                moved=bool(_MOVED.search(marks)),
            )
        )
    rows = _without_common_marks(rows)
    two_dates = len(dates) > 1
    boardness = rate_boardness(found, rows, two_dates=two_dates)
    return ParsedRowList(tuple(rows), boardness, two_dates)


def as_board(row: ThreadRow) -> BoardRow:
    """The row of a board. Its two counters are threads and posts."""
    return BoardRow(row.url, row.title, row.replies, row.views, row.active)


def find_sub_boards(found: RowList, parsed: ParsedRowList) -> list[BoardRow]:
    """The boards that rows of boards link besides their own: URLs built like theirs, away from dates."""
    table, outline = found.table, found.table.outline
    urls = [row.url for row in parsed.rows]
    known, boards = set(urls), []
    for number, title in found.titles.items():
        for index in table.members[number]:
            href = outline.hrefs[index]
            target = absolute_url(outline.base, href) if href and index != title else None
            if target is None or target in known or index in table.dated or not outline.text_length(index):
                continue
            if is_like_urls(target, urls):
                known.add(target)
                boards.append(BoardRow(target, outline.text(index, _MAX_TITLE), None, None, None))
    return boards


def _find_date_columns(table: RecordTable, titles: dict[int, int], now: datetime) -> list[dict[int, Moment]]:
    """At most two columns of dates outside the titles, the fuller one first."""
    outline = table.outline
    found = []
    for cells in table.date_columns.values():
        outside = {
            n: cell
            for n, cell in cells.items()
            if not (n in titles and outline.is_under(cell.element, titles[n]))
        }
        read = zip(outside, read_page_dates(list(outside.values()), now), strict=True)
        moments = {number: moment for number, moment in read if moment is not None}
        if len(moments) >= 0.3 * len(table.records):
            found.append(moments)
    found.sort(key=lambda moments: -len(moments))
    return [column for place, column in enumerate(found) if not _repeats(column, found[:place])][:2]


def _repeats(column: dict[int, Moment], others: list[dict[int, Moment]]) -> bool:
    """Whether a column has only dates that a longer column has in the same rows."""
    return any(all(other.get(number) == moment for number, moment in column.items()) for other in others)


def _find_last_post_url(table: RecordTable, number: int, url: str, title: int) -> str | None:
    """The link of a row to the last post: it has a date, or the URL of the thread with the largest number."""
    outline = table.outline
    numbered: list[tuple[int, str]] = []
    for index in table.members[number]:
        href = outline.hrefs[index]
        if not href or index == title:
            continue
        target = absolute_url(outline.base, href)
        if target is None:
            continue
        whole = _with_fragment(target, href)
        if whole == url or not _is_same_thread(url, target):
            continue
        if index in table.dated:
            return whole
        if not _PAGE_LABEL.match(outline.text(index, 30)):
            numbers = (found for _, found in number_slots(whole.replace("#", "/")))
            numbered.append((max(numbers, default=0), whole))
    return max(numbered)[1] if numbered else None


def _with_fragment(target: str, href: str) -> str:
    fragment = href.partition("#")[2]
    return f"{target}#{fragment}" if fragment else target


def _is_same_thread(thread: str, other: str) -> bool:
    """Whether a URL leads into the same thread: it begins alike, or it has the number of the thread."""
    mine = {number for _, number in number_slots(thread) if number > 9}
    theirs = {number for _, number in number_slots(other)}
    return bool(mine & theirs) or other.startswith(thread.rstrip("/"))


def _find_page_urls(table: RecordTable, number: int, url: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(target for _, target in find_page_links(table, number, url)))


def find_page_links(table: RecordTable, number: int, url: str) -> list[tuple[int, str]]:
    """The links of a row to single pages of its thread ("1 2 3"): element and target of each."""
    outline = table.outline
    found = []
    for index in table.members[number]:
        href = outline.hrefs[index]
        if href and _PAGE_LABEL.match(outline.text(index, 12)):
            target = absolute_url(outline.base, href)
            if target and any(_is_page_of(slot, url) for slot, _ in number_slots(target)):
                found.append((index, target))
    return found


def _is_page_of(slot: NumberSlot, url: str) -> bool:
    return slot.number_in(url) is not None or slot.is_first(url)


def _collect_marks(table: RecordTable, number: int) -> str:
    """The attributes and short labels of a row that may mark it as sticky, locked or moved."""
    outline = table.outline
    marks = []
    for index in table.members[number][:_MAX_MARKED]:
        element = outline.elements[index]
        if outline.tags[index] != "a":
            marks += [element.attr(name) or "" for name in ("class", "title", "alt", "src", "id")]
        if outline.tags[index] in {"span", "strong", "em", "b", "label"} and outline.text_length(index) < 20:
            marks.append(outline.text(index))
    return " ".join(marks)


def _without_common_marks(rows: list[ThreadRow]) -> list[ThreadRow]:
    """The rows without marks that nearly all of them have: such a mark says nothing about a row."""
    most = 0.9 * len(rows)
    if len(rows) > 2 and sum(row.sticky for row in rows) > most:
        rows = [replace(row, sticky=False) for row in rows]
    if len(rows) > 2 and sum(row.locked for row in rows) > most:
        rows = [replace(row, locked=False) for row in rows]
    if len(rows) > 2 and sum(row.moved for row in rows) > most:
        rows = [replace(row, moved=False) for row in rows]
    return rows
