"""The rows of an index page: threads and boards with what their rows tell of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from threadmill.forum.index.row_lists import RowList, counter_columns
from threadmill.forum.link_urls import Slot, absolute, slots
from threadmill.forum.page_class.url_words import address_word
from threadmill.forum.posts.authors import find_authors
from threadmill.forum.records.date_columns import read_page_dates, sort_key
from threadmill.forum.records.record_table import RecordTable
from threadmill.types import BoardRow, Moment, ThreadRow

_ADDRESS_WORTH = 1.6  # a little more than dates that fall: those of boards may do so by chance
_LABEL = re.compile(r"^\W*(\d{1,5})\W*$")
REPLIES = re.compile(
    r"repl|answ|antw|répon|respuest|rispost|ответ|сообщ|回复|回覆|回帖|odpowied|odpov|svar|vastau|yanıt|posts?\b",
    re.IGNORECASE,
)
VIEWS = re.compile(
    r"view|hits|aufruf|vue|visit|visual|просмотр|查看|浏览|odsłon|zobraz|visning|luettu|katselu|okunma|gelesen|zugriff|read\b",
    re.IGNORECASE,
)
# Marks stand in classes, titles and picture names; the roots are those of many engines and languages.
_STICKY = re.compile(
    r"stick|pinn|announce|wichtig|angepinnt|épingl|annonce|globaltop|displayorder|置顶|公告|важно|прикреп|закреп|fijado|important",
    re.IGNORECASE,
)
_LOCKED = re.compile(
    r"\block|closed|geschlossen|gesperrt|verrouill|fermé|закрыт|关闭|鎖定|cerrado|chiuso", re.IGNORECASE
)
_MOVED = re.compile(r"\bmoved|verschoben|déplacé|перемещ|移动|移動|movido|spostat", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadList:
    """The rows of one list, as threads; whether they are boards is judged from all of them."""

    rows: tuple[ThreadRow, ...]
    boardness: float  # above 0: boards, below: threads
    two_dates: bool
    threads_counters: tuple[tuple[int | None, int | None], ...] = ()
    shape: str = ""  # how a row is built, where all are built alike


def read_list(found: RowList, now: datetime) -> ReadList:
    """What each row of a list tells."""
    table, outline = found.table, found.table.outline
    counters = _counters(table, found.titles)
    dates = _dates(table, found.titles, now)
    authors = find_authors(table)
    starter = {n: a for n, a in authors.authors.items() if a.element not in found.titles.values()}
    rows = []
    numbers = sorted(found.titles)
    for number in numbers:
        title = found.titles[number]
        url = absolute(outline.base, outline.hrefs[title] or "") or outline.base
        shown = [column[number] for column in dates if number in column]
        created = min(shown, key=sort_key) if len(dates) > 1 and len(shown) > 1 else None
        marks = _marks(table, number)
        rows.append(
            ThreadRow(
                url=url,
                title=outline.text(title, 300),
                author=starter[number].name if number in starter else None,
                replies=counters[0].get(number),
                views=counters[1].get(number),
                created=created,
                active=max(shown, key=sort_key) if shown else None,
                active_url=_active_url(table, number, url, title),
                page_urls=_page_urls(table, number, url),
                sticky=bool(_STICKY.search(marks)),
                locked=bool(_LOCKED.search(marks)),
                moved=bool(_MOVED.search(marks)),
            )
        )
    rows = _unmark_all(rows)
    return ReadList(tuple(rows), _boardness(found, rows), len(dates) > 1)


def as_board(row: ThreadRow) -> BoardRow:
    """A row as one of a board: its two counters are threads and posts."""
    return BoardRow(row.url, row.title, row.replies, row.views, row.active)


def _counters(table: RecordTable, titles: dict[int, int]) -> tuple[dict[int, int], dict[int, int]]:
    """Replies and views: by their labels, else the larger sum is the views."""
    outline = table.outline
    found: list[tuple[str, dict[int, int]]] = []
    for column in counter_columns(table):
        cells, values = column.cells, column.values
        if column.is_in(outline, titles):
            continue
        if any(values == other for _, other in found):
            continue
        found.append((column.words or _label(table, cells), values))
    replies = next((v for label, v in found if REPLIES.search(label)), None)
    views = next((v for label, v in found if VIEWS.search(label) and v is not replies), None)
    rest = sorted((v for _, v in found if v is not replies and v is not views), key=lambda v: sum(v.values()))
    if replies is None and views is None and len(rest) >= 2:
        replies, views = rest[0], rest[-1]
    elif replies is None and rest:
        replies = rest[0]
    return replies or {}, views or {}


def _label(table: RecordTable, cells: dict[int, int]) -> str:
    """The words that go with a column of numbers: in the cell, beside it or in its name."""
    outline = table.outline
    index = next(iter(cells.values()))
    near = [outline.symbols[index], outline.symbols[outline.parent[index]], outline.text(index)]
    near.append(outline.attribute(index, "title") or "")
    siblings = outline.children[outline.parent[index]]
    place = outline.child_position[index]
    if (
        place
        and outline.text_length(siblings[place - 1]) < 30
        and outline.tags[index] in {"dd", "span", "b", "strong"}
    ):
        near.append(outline.text(siblings[place - 1]))
    return " ".join(near)


def _dates(table: RecordTable, titles: dict[int, int], now: datetime) -> list[dict[int, Moment]]:
    outline = table.outline
    found = []
    for cells in table.date_columns.values():
        outside = {
            n: c for n, c in cells.items() if not (n in titles and outline.is_under(c.element, titles[n]))
        }
        read = zip(outside, read_page_dates(list(outside.values()), now), strict=True)
        moments = {number: moment for number, moment in read if moment is not None}
        if len(moments) >= 0.3 * len(table.records):
            found.append(moments)
    found.sort(key=lambda moments: -len(moments))
    return [column for place, column in enumerate(found) if not _repeats(column, found[:place])][:2]


def _repeats(column: dict[int, Moment], others: list[dict[int, Moment]]) -> bool:
    """Whether a column says only what a longer one says."""
    return any(all(other.get(number) == moment for number, moment in column.items()) for other in others)


def _active_url(table: RecordTable, number: int, url: str, title: int) -> str | None:
    """The row's link to the last post: with a date, or the thread's address with the largest number."""
    outline = table.outline
    dated = table.dated
    kin: list[tuple[int, str]] = []
    for index in table.members[number]:
        href = outline.hrefs[index]
        if not href or index == title:
            continue
        target = absolute(outline.base, href)
        if target is None:
            continue
        whole = _with_fragment(target, href)
        if index in dated and whole != url and _is_kin(url, target):
            return whole
        if whole != url and _is_kin(url, target) and not _LABEL.match(outline.text(index, 30)):
            kin.append((max((n for _, n in slots(whole.replace("#", "/"))), default=0), whole))
    return max(kin)[1] if kin else None


def _with_fragment(target: str, href: str) -> str:
    fragment = href.partition("#")[2]
    return f"{target}#{fragment}" if fragment else target


def _is_kin(thread: str, other: str) -> bool:
    """Whether an address is of the same thread: it begins alike, or has the thread's own number."""
    mine = {n for _, n in slots(thread) if n > 9}
    theirs = {n for _, n in slots(other)}
    return bool(mine & theirs) or other.startswith(thread.rstrip("/"))


def _page_urls(table: RecordTable, number: int, url: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(target for _, target in page_links(table, number, url)))


def page_links(table: RecordTable, number: int, url: str) -> list[tuple[int, str]]:
    """The links of a row to pages of its thread, by their labels: element and target."""
    outline = table.outline
    found = []
    for index in table.members[number]:
        href = outline.hrefs[index]
        if href and _LABEL.match(outline.text(index, 12)):
            target = absolute(outline.base, href)
            if target and any(_is_page(slot, url) for slot, _ in slots(target)):
                found.append((index, target))
    return found


def _is_page(slot: Slot, url: str) -> bool:
    return slot.number_in(url) is not None or slot.is_first(url)


def _marks(table: RecordTable, number: int) -> str:
    outline = table.outline
    said = []
    for index in table.members[number][:60]:
        element = outline.elements[index]
        said += [
            element.attr(name) or ""
            for name in ("class", "title", "alt", "src", "id")
            if outline.tags[index] != "a"
        ]
        if outline.tags[index] in {"span", "strong", "em", "b", "label"} and outline.text_length(index) < 20:
            said.append(outline.text(index))
    return " ".join(said)


def _unmark_all(rows: list[ThreadRow]) -> list[ThreadRow]:
    """A mark that nearly every row has says nothing about any of them."""
    most = 0.9 * len(rows)
    if len(rows) > 2 and sum(row.sticky for row in rows) > most:
        rows = [replace(row, sticky=False) for row in rows]
    if len(rows) > 2 and sum(row.locked for row in rows) > most:
        rows = [replace(row, locked=False) for row in rows]
    if len(rows) > 2 and sum(row.moved for row in rows) > most:
        rows = [replace(row, moved=False) for row in rows]
    return rows


def _boardness(found: RowList, rows: list[ThreadRow]) -> float:
    """Boards have short names, descriptions and a last thread; threads stand in order of dates."""
    table, outline = found.table, found.table.outline
    length = sum(len(row.title) for row in rows) / len(rows)
    score = 0.8 if length < 20 else -0.8 if length > 28 else 0.0
    score += 1.2 if _second_titles(found) else -0.3
    score -= 1.5 if any(row.page_urls for row in rows) else 0.0
    moments = [row.active for row in rows if row.active]
    if len(moments) >= 4:
        falling = sum(sort_key(a) >= sort_key(b) for a, b in pairwise(moments)) / (len(moments) - 1)
        score -= 1.5 if falling > 0.85 else 0.0
    free = sum(outline.unlinked_length(root) for record in table.records for root in record.roots) / len(
        table.records
    )
    return score + (0.5 if free > 80 else 0.0) + _said_by_addresses(rows)


def _said_by_addresses(rows: list[ThreadRow]) -> float:
    """Above 0 where the rows' addresses speak of boards; those of threads may be boards' last threads."""
    return _ADDRESS_WORTH * sum(address_word(row.url) == "index" for row in rows) / len(rows)


def _second_titles(found: RowList) -> bool:
    """Whether rows have another column of long links that lead elsewhere: the last thread of a board."""
    table, outline = found.table, found.table.outline
    for cells in (*table.columns.values(), *table.loose_columns.values()):
        links = {
            n: i for n, i in cells.items() if outline.hrefs[i] and i not in table.dated and n in found.titles
        }
        if len(links) < 0.5 * len(table.records):
            continue
        other = [
            i
            for n, i in links.items()
            if outline.hrefs[i] != outline.hrefs[found.titles[n]] and outline.text_length(i) >= 14
        ]
        if len(other) >= 0.4 * len(table.records) and len({outline.hrefs[i] for i in other}) >= 0.7 * len(
            other
        ):
            return True
    return False
