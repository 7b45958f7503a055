"""Reads the rows of a list: what each says about its thread or board, and in which order they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import pairwise

from threadmill.forum.index.counters_and_boards import (
    find_replies_and_views,
    find_title_counters,
    rate_boardness,
    without_counter,
)
from threadmill.forum.index.row_lists import RowList
from threadmill.forum.link_urls import (
    NumberSlot,
    absolute_url,
    is_like_urls,
    names_service_page,
    number_slots,
)
from threadmill.forum.posts.authors import find_authors
from threadmill.forum.records.date_columns import PageDate, has_date, read_page_dates, sort_key
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable
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
_MIN_DATED = 0.3  # of the rows have a date in a column of dates
_MIN_BESIDE = 0.8  # of the rows have a date beside their links: texts may name a day


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
    page_links = {link for number in found.titles for link in page_links_of_row(table, found.titles, number)}
    replies, views = find_replies_and_views(table, found.titles, page_links)
    dates, repeated = _find_date_columns(table, found.titles, now)
    authors = {
        number: author
        for number, author in find_authors(table).authors.items()
        if author.element not in found.titles.values()
    }
    rows = []
    counted = bool(find_title_counters(table, found.titles))
    for number in sorted(found.titles):
        title = found.titles[number]
        text = outline.text(title, _MAX_TITLE)
        url = absolute_url(outline.base, outline.hrefs[title] or "") or outline.base
        shown = [column[number] for column in dates if number in column]
        latest = [*shown, *(column[number] for column in repeated if number in column)]
        created = min(shown, key=sort_key) if len(dates) > 1 and len(shown) > 1 else None
        marks = _collect_marks(table, number)
        rows.append(
            ThreadRow(
                url=url,
                title=without_counter(text) if counted else text,
                author=authors[number].name if number in authors else None,
                replies=replies.get(number),
                views=views.get(number),
                created=created,
                active=max(latest, key=sort_key) if latest else None,
                active_url=_find_last_post_url(table, number, url, title),
                page_urls=_find_page_urls(table, number, url),
                sticky=bool(_STICKY.search(marks)),
                locked=bool(_LOCKED.search(marks)),
                moved=bool(_MOVED.search(marks)),
            )
        )
    rows = _without_common_marks(rows)
    two_dates = len(dates) > 1
    boardness = rate_boardness(table, found.titles, rows, two_dates=two_dates)
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


def _find_date_columns(
    table: RecordTable, titles: dict[int, int], now: datetime
) -> tuple[list[dict[int, Moment]], list[dict[int, Moment]]]:
    """At most two columns of dates outside the titles, the fuller one first, and further ones of their kinds.

    A row that shows the last posts of its thread has one date of a kind for each: the latest counts.
    """
    found = []
    for (kind, _), cells in table.date_columns.items():
        moments = _read_dates_outside(table, titles, cells, now)
        if moments:
            found.append((kind, moments))
    found.sort(key=lambda column: -len(column[1]))
    columns = [moments for _, moments in found]
    usual = [
        place
        for place, column in enumerate(columns)
        if len(column) >= _MIN_DATED * len(table.records) and not _repeats(column, columns[:place])
    ][:2]
    if not usual and (beside := _read_dates_beside_links(table, now)):
        return [beside], []
    kinds = {found[place][0] for place in usual}
    further = [column for place, (kind, column) in enumerate(found) if place not in usual and kind in kinds]
    return [columns[place] for place in usual], further


def _read_dates_beside_links(table: RecordTable, now: datetime) -> dict[int, Moment]:
    """The dates of rows that are links in a running text, by the bare text beside them.

    In such a text every date stands between two links. It belongs to the link before it if a date follows
    the last link, and to the link after it if one leads the first. If both do, it is not known.
    """
    outline, first = table.outline, table.records[0]
    if len({outline.parent[record.start] for record in table.records}) != 1:
        return {}
    before, behind = zip(*(_texts_beside(outline, record) for record in table.records), strict=True)
    leads, follows = has_date(before[0]), has_date(behind[-1])
    if leads == follows or first.start != first.roots[-1]:
        return {}
    above, texts = outline.parent[first.start], before if leads else behind
    dated = {number: PageDate(above, text) for number, text in enumerate(texts) if has_date(text)}
    if len(dated) < _MIN_BESIDE * len(texts):
        return {}
    read = zip(dated, read_page_dates(list(dated.values()), now), strict=True)
    return {number: moment for number, moment in read if moment is not None}


def _texts_beside(outline: PageOutline, record: PageRecord) -> tuple[str, str]:
    """The bare text before and behind a record, up to the elements beside it."""
    above, last = outline.parent[record.start], record.roots[-1]
    siblings = outline.children[above]
    place, end = outline.child_position[record.start], outline.child_position[last] + 1
    begin = outline.text_to[siblings[place - 1]] if place else outline.text_from[above]
    until = outline.text_from[siblings[end]] if end < len(siblings) else outline.text_to[above]
    ranges = range(begin, outline.text_from[record.start]), range(outline.text_to[last], until)
    before, behind = (
        " ".join(outline.segments[one] for one in segments if outline.segment_owner[one] == above)
        for segments in ranges
    )
    return before, behind


def _read_dates_outside(
    table: RecordTable, titles: dict[int, int], cells: dict[int, PageDate], now: datetime
) -> dict[int, Moment]:
    """The dates of a column that are not part of a title."""
    outside = {
        n: cell
        for n, cell in cells.items()
        if not (n in titles and table.outline.is_under(cell.element, titles[n]))
    }
    read = zip(outside, read_page_dates(list(outside.values()), now), strict=True)
    return {number: moment for number, moment in read if moment is not None}


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
        if whole == url or not _is_same_thread(url, target) or names_service_page(target):
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


def page_links_of_row(table: RecordTable, titles: dict[int, int], number: int) -> list[int]:
    """The links of a row to the pages of its thread: "1 2 3 … 17" are no counters.

    A number other than 1 that links to the thread itself is no page link. It may be the number of replies.
    """
    outline, title = table.outline, titles.get(number)
    href = outline.hrefs[title] if title is not None else None
    url = absolute_url(outline.base, href) if href else None
    links = find_page_links(table, number, url) if url else []
    if all(target == url for _, target in links):
        return []
    return [index for index, target in links if target != url or outline.text(index, 12).strip() == "1"]


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


# Leaving out a row at the top as a sticky thread costs less than a break in the order, but it is not free.
_STICKY_COST = 0.3
_MAX_STICKIES = 2 / 3  # of the rows of a page
# What a pair of neighbouring rows costs, as logarithms. Of 200 pairs, 1 breaks the order that an index is
# sorted by (moved and merged threads). At least 15 of 100 break the other order (the fewest on the boards we
# have; most have a third).
_BREAK_COST, _OTHER_BREAK_COST, _OTHER_PAIR_COST = 5.3, 1.9, 0.16
_KNOWN_ORDER_COST = 8.0  # to contradict the other pages of the site takes more than one broken pair
_ID_WEIGHT = 0.5  # trust in the IDs in URLs: imports and merges renumber threads
_MIN_DATED = 0.6  # of the rows: fewer dates are no column
_MIN_DIFFERENCE = 0.5  # a smaller difference of costs decides nothing
_MIN_ROWS = 3  # fewer rows show no order

Values = Sequence[tuple[int, float]]


class IndexOrder(StrEnum):
    """What an index is sorted by, newest first."""

    ACTIVITY = "activity"
    CREATION = "creation"


@dataclass(frozen=True, slots=True)
class ThreadDates:
    """The dates that the posts of a thread show."""

    created: Moment | None  # of its first post
    active: Moment | None  # of its last post, if that page was seen


@dataclass(frozen=True, slots=True)
class OrderCost:
    """How much speaks against each order."""

    created: float = 0.0
    active: float = 0.0

    def __add__(self, other: OrderCost) -> OrderCost:
        return OrderCost(self.created + other.created, self.active + other.active)

    def order(self) -> IndexOrder | None:
        """The cheaper order. None if the costs are nearly equal."""
        if abs(self.created - self.active) < _MIN_DIFFERENCE:
            return None
        return IndexOrder.CREATION if self.created < self.active else IndexOrder.ACTIVITY


def find_index_order(
    rows: Sequence[ThreadRow],
    visits: Mapping[str, ThreadDates] | None = None,
    known: IndexOrder | None = None,
) -> IndexOrder | None:
    """The order of the rows of one page. None if neither the page nor the `known` order of the site decides.

    `visits` has the dates of threads that were opened, by their URLs.
    """
    return find_site_order([rows], visits or {}, known)


def find_site_order(
    pages: Sequence[Sequence[ThreadRow]],
    visits: Mapping[str, ThreadDates],
    known: IndexOrder | None = None,
) -> IndexOrder | None:
    """The order of all index pages of a site. The costs of the pages are summed."""
    plain = [[row for row in rows if not row.sticky and not row.moved] or list(rows) for rows in pages]
    shown = _find_shown_date([row for rows in plain for row in rows], visits)
    cost = OrderCost(
        _KNOWN_ORDER_COST * (known is IndexOrder.ACTIVITY), _KNOWN_ORDER_COST * (known is IndexOrder.CREATION)
    )
    return sum((_cost_of_page(rows, visits, shown) for rows in plain), cost).order()


def _cost_of_page(
    rows: Sequence[ThreadRow], visits: Mapping[str, ThreadDates], shown: IndexOrder | None
) -> OrderCost:
    """The costs by the best evidence that the page has: two dates, one date, opened threads, or IDs."""
    if len(rows) < _MIN_ROWS:
        return OrderCost()
    enough = max(_MIN_ROWS, _MIN_DATED * len(rows))
    both = [(row.created, row.active) for row in rows if row.created and row.active]
    if len(both) >= enough:
        created, active = [sort_key(c) for c, _ in both], [sort_key(a) for _, a in both]
        return OrderCost(_cost_if_sorted(created), _cost_if_sorted(active))
    dated = [row for row in rows if row.active]
    if len(dated) >= enough:
        return _cost_by_one_date(dated, shown)
    seen = [visit for row in rows if (visit := visits.get(row.url)) and visit.created and visit.active]
    cost = OrderCost()
    if len(seen) >= _MIN_ROWS:
        created = [sort_key(visit.created) for visit in seen if visit.created]
        active = [sort_key(visit.active) for visit in seen if visit.active]
        cost = OrderCost(_cost_if_sorted(created), _cost_if_sorted(active))
    return cost if cost.order() else _cost_by_ids(rows)


def _cost_by_one_date(rows: Sequence[ThreadRow], shown: IndexOrder | None) -> OrderCost:
    """The costs where rows show one date. `shown` says which date that is, if opened threads told."""
    column = [sort_key(row.active) for row in rows if row.active]
    by_ids = _cost_by_ids(rows)
    if shown is None:
        return _cost_by_unknown_date(column, by_ids)
    if shown is IndexOrder.CREATION:
        return OrderCost(_cost_if_sorted(column), _cost_if_not_sorted(column))
    return OrderCost(_cost_if_not_sorted(column) + by_ids.created, _cost_if_sorted(column) + by_ids.active)


def _cost_by_unknown_date(column: Values, by_ids: OrderCost) -> OrderCost:
    """The costs where it is unknown which date rows show. Most forums with one date show the last one."""
    order = by_ids.order()
    if order is None:
        return OrderCost(_cost_if_not_sorted(column), _cost_if_sorted(column))
    in_order = _cost_if_sorted(column) < _cost_if_not_sorted(column)
    return OrderCost() if order is IndexOrder.CREATION and in_order else by_ids


def _cost_by_ids(rows: Sequence[ThreadRow]) -> OrderCost:
    """The costs by the IDs in URLs, which grow with creation."""
    numbers = _find_thread_ids(rows)
    if not numbers:
        return OrderCost()
    return OrderCost(_ID_WEIGHT * _cost_if_sorted(numbers), _ID_WEIGHT * _cost_if_not_sorted(numbers))


def _cost_if_sorted(values: Values) -> float:
    """What speaks against an index that is sorted by these values."""
    broken, _, skipped = count_breaks(values)
    return _BREAK_COST * broken + _STICKY_COST * skipped


def _cost_if_not_sorted(values: Values) -> float:
    """What speaks against an index that is sorted by something else."""
    broken, pairs, skipped = count_breaks(values)
    return _OTHER_BREAK_COST * broken + _OTHER_PAIR_COST * (pairs - broken) + _STICKY_COST * skipped


def _find_shown_date(rows: Sequence[ThreadRow], visits: Mapping[str, ThreadDates]) -> IndexOrder | None:
    """Which date a single column shows, by threads that were opened. None if they do not tell."""
    created = active = 0
    for row in rows:
        visit = visits.get(row.url)
        if not visit or not visit.created or not row.active:
            continue
        if not _may_be_same(row.active, visit.created):
            active += 1
        elif visit.active and not _may_be_same(row.active, visit.active):
            created += 1
    if created == active:
        return None
    return IndexOrder.CREATION if created > active else IndexOrder.ACTIVITY


def count_breaks(values: Values) -> tuple[int, int, int]:
    """Pairs of neighbours that rise where they should fall, all pairs, and rows left out as sticky threads.

    Sticky threads stand at the top. They end where the values jump up. As many are left out as costs least.
    """
    rises = [one < other for one, other in pairwise(values)]
    best = (float(sum(rises)), sum(rises), len(rises), 0)
    for start in range(1, int(_MAX_STICKIES * len(values)) + 1):
        if start <= len(rises) and rises[start - 1]:
            tail = rises[start:]
            best = min(best, (sum(tail) + _STICKY_COST * start, sum(tail), len(tail), start))
    return best[1:]


def _may_be_same(one: Moment, other: Moment) -> bool:
    """Whether two dates, perhaps of different precision, can be one moment."""
    if one.date != other.date:
        return False
    if one.time is None or other.time is None:
        return True
    return (one.time.hour, one.time.minute) == (other.time.hour, other.time.minute)


def _find_thread_ids(rows: Sequence[ThreadRow]) -> Values:
    """The IDs of the threads: the number in their URLs that differs in every row. Empty if none does."""
    by_place: dict[int, list[int]] = {}
    for row in rows:
        for place, (_, number) in enumerate(number_slots(row.url)):
            by_place.setdefault(place, []).append(number)
    complete = [numbers for numbers in by_place.values() if len(numbers) == len(rows)]
    found = max(complete, key=lambda numbers: len(set(numbers)), default=[])
    return [(number, 0.0) for number in found] if len(set(found)) == len(rows) else []
