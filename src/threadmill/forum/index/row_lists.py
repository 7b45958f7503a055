"""The lists of an index page: which records are rows of threads or boards, and which link is the title."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from threadmill.forum.link_urls import absolute_url
from threadmill.forum.posts.post_records import PageSplit
from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import ColumnKey, PageRecord, RecordTable
from threadmill.forum.records.side_boxes import in_side_box

# The number stands alone or with words around it, never at the end of a name such as "anna77".
_COUNTER = re.compile(
    r"^(?:[^\d\n]{0,24}?(?<![a-zA-Z\u00c0-\u024f\u0400-\u04ff_.\-]))?(\d{1,3}(?:[.,\s\u00a0\u202f']\d{3})+|\d+(?:[.,]\d+)?)"
    r"\s*([kKmM万]?)(?![a-zA-Z0-9])[^\d\n]{0,24}$"
)
_MULTIPLE = {"": 1, "k": 1_000, "m": 1_000_000, "万": 10_000}
_FULLY_JUDGED = 24
_MIN_TITLE = 2  # characters
_MAX_COUNTER = 30  # characters of a counter with its label
_MAX_LINES = 3  # counters in one cell
_WORD = re.compile(r"[^\W\d_]+")
_WORDS_OF_A_NAME = 3  # "5 new replies" has two
_PARTS = re.compile(r"[,;·•]\s+|\s*[/|]\s*")  # between counters in one line: "20 threads, 169 posts", "3/40"
_NUMBERS = re.compile(r"\W*\d")
MENU = 0.35  # a score that menus of usual length do not reach
_FULL_ROW = 0.3  # what a row with a date or a counter adds to the score; a link alone adds 0.06
_FEW = 3  # records
_NEARLY_ALL = 0.75  # of the page's text, as for boxes at the side
_ASIDE = 0.5  # what a list in a box at the side is worth


@dataclass(frozen=True, slots=True)
class RowList:
    """Rows that stand under each other, with their title links."""

    table: RecordTable
    titles: dict[int, int]  # record → link element
    score: float
    aside: bool = False  # in a box at the side of the page

    @property
    def worth(self) -> float:
        """Its score wherever it stands: on a page of one row the box at the side tells what rows are like."""
        return self.score / _ASIDE if self.aside else self.score

    @property
    def substance(self) -> float:
        """How far its rows have more than a title, as menus have: 0 to 1."""
        return min(1.0, self.score / math.log(1 + len(self.table.records)) / _FULL_ROW)


def find_row_lists(
    outline: PageOutline, dates: Sequence[PageDate], ways: Sequence[PageSplit]
) -> list[RowList]:
    """The row lists of a page that do not overlap, best first."""
    judged = [
        found
        for way in sorted(ways, key=lambda way: -_rough(outline, way.records, dates))[:_FULLY_JUDGED]
        if (found := _judge(RecordTable(outline, way.records, dates))) is not None
    ]
    judged.sort(key=lambda found: -found.score)
    chosen: list[RowList] = []
    for found in judged:
        if len(chosen) < 3 and all(not _overlap(outline, found, other) for other in chosen):
            chosen.append(found)
    return chosen


def _overlap(outline: PageOutline, one: RowList, other: RowList) -> bool:
    spans = sorted(
        (*span, side)
        for side, found in enumerate((one, other))
        for r in found.table.records
        for span in r.spans(outline)
    )
    ends = [-1, -1]
    for start, end, side in spans:
        if start < ends[1 - side]:
            return True
        ends[side] = max(ends[side], end)
    return False


def _rough(outline: PageOutline, records: Sequence[PageRecord], dates: Sequence[PageDate]) -> float:
    linked = [
        sum(outline.text_length(root) - outline.unlinked_length(root) for root in record.roots)
        for record in records
    ]
    with_title = sum(length >= 6 for length in linked) / len(records)
    elements = sorted(cell.element for cell in dates)
    dated = sum(_any_between(elements, *span) for record in records for span in record.spans(outline))
    return math.log(1 + len(records)) * with_title * (0.3 + min(1.0, dated / len(records)))


def _any_between(elements: list[int], start: int, end: int) -> bool:
    place = bisect_left(elements, start)
    return place < len(elements) and elements[place] < end


def _judge(table: RecordTable) -> RowList | None:
    size = len(table.records)
    found = find_title_column(table)
    if found is None or size < 2:
        return None
    key, titles = found
    outline = table.outline
    if size <= _FEW and _is_cut_through(table):
        return None
    cover = len(titles) / size
    dated = max((len(cells) for cells in table.date_columns.values()), default=0) / size
    counters = [column for column in find_counter_columns(table) if not column.is_in(outline, titles)]
    counted = max((len(column.values) for column in counters), default=0) / size
    free = sum(outline.unlinked_length(root) for record in table.records for root in record.roots)
    linked = sum(outline.text_length(index) for index in titles.values())
    brevity = 1.0 / (1.0 + max(0.0, free / (linked + 1) - 6.0) / 6.0)
    score = math.log(1 + size) * cover * (0.25 + dated) * (0.25 + counted) * brevity
    score *= 1.0 - 0.8 * _merged(table, key, titles)
    aside = in_side_box(outline, table.records)
    return RowList(table, titles, score * (_ASIDE if aside else 1.0), aside)


def _is_cut_through(table: RecordTable) -> bool:
    """Whether one of few records is nearly all of the page: its main part beside its foot are no rows."""
    outline = table.outline
    largest = max(sum(outline.text_length(root) for root in record.roots) for record in table.records)
    return largest > _NEARLY_ALL * outline.text_before[-1]


def _merged(table: RecordTable, key: ColumnKey, titles: dict[int, int]) -> float:
    """The share of records that hold a second title: rows glued together."""
    kind, place = key
    columns = table.loose_columns if "//" in kind else table.columns
    second = columns.get((kind, place + 1), {})
    outline = table.outline
    glued = sum(
        outline.hrefs[index] != outline.hrefs[titles[number]]
        and outline.text_length(index) * 2 >= outline.text_length(titles[number])
        for number, index in second.items()
        if number in titles
    )
    return glued / len(table.records)


def find_title_column(table: RecordTable) -> tuple[ColumnKey, dict[int, int]] | None:
    """The column of links with long texts, each its own and leading elsewhere, early in the row."""
    outline = table.outline
    dated = table.dated
    best: tuple[float, ColumnKey, dict[int, int]] | None = None
    for key, cells in (*table.columns.items(), *table.loose_columns.items()):
        if len(cells) < 0.6 * len(table.records):
            continue
        links = {
            n: i
            for n, i in cells.items()
            if outline.hrefs[i] and outline.text_length(i) >= _MIN_TITLE and i not in dated
        }
        if len(links) < 0.6 * len(table.records) or not _distinct(outline, links):
            continue
        # "#171193" names a post.
        if 2 * sum(bool(_WORD.search(outline.text(index, 90))) for index in links.values()) < len(links):
            continue
        weight = sum(min(outline.text_length(index), 90) for index in links.values())
        weight *= (len(links) / len(table.records)) * (1.0 - _lateness(table, links)) ** 2.5
        if best is None or weight > best[0] * 1.001:
            best = weight, key, links
    return best[1:] if best else None


def _distinct(outline: PageOutline, links: dict[int, int]) -> bool:
    targets = {absolute_url(outline.base, outline.hrefs[index] or "") for index in links.values()}
    texts = Counter(outline.text(index, 120) for index in links.values())
    # A feed's or a button's words are the same in every row; even dull titles are not.
    return len(targets) >= 0.8 * len(links) and texts.most_common(1)[0][1] <= max(1, 0.9 * len(links))


def _lateness(table: RecordTable, links: dict[int, int]) -> float:
    """How far down in the row the links stand, by text before them: 0 first, 1 last."""
    before = table.outline.text_before
    total = 0.0
    for number, index in links.items():
        segments = table.segments[number]
        start, end = before[segments[0]], before[segments[-1] + 1]
        total += (before[table.outline.text_from[index]] - start) / max(1, end - start)
    return total / len(links)


@dataclass(frozen=True, slots=True)
class CounterColumn:
    """Record → cell and the number it says; with the words beside the number where a cell has several."""

    cells: dict[int, int]
    values: dict[int, int]
    words: str = ""

    def is_in(self, outline: PageOutline, titles: dict[int, int]) -> bool:
        """Whether titles say these numbers: "3 days with it"."""
        return any(
            outline.is_under(self.cells[n], titles[n])
            or (outline.is_under(titles[n], self.cells[n]) and not _stands_beside(outline, self.cells[n]))
            for n in self.values
            if n in titles and n in self.cells
        )


def _stands_beside(outline: PageOutline, index: int) -> bool:
    """Whether an element says something between its links that is a number: "<a>Lounge</a> (12/80)"."""
    return any(
        outline.segment_owner[number] == index and _NUMBERS.match(outline.segments[number])
        for number in range(outline.text_from[index], outline.text_to[index])
    )


def find_counter_columns(table: RecordTable) -> list[CounterColumn]:
    """Columns whose cells say one number each, or several in lines of their own ("Posts: 5", "Topics: 2")."""
    found = []
    for cells in table.columns.values():
        texts: dict[int, list[str]] = {
            number: own for number, index in cells.items() if (own := _counter_texts(table, index))
        }
        for place in range(max(map(len, texts.values()), default=0)):
            said = {number: lines[place] for number, lines in texts.items() if len(lines) > place}
            values = {n: value for n, text in said.items() if (value := read_counter(text)) is not None}
            if len(values) >= 0.5 * len(table.records):
                words = said[next(iter(values))] if len(texts[next(iter(values))]) > 1 else ""
                found.append(CounterColumn(cells, values, words))
    return found


def _counter_texts(table: RecordTable, index: int) -> list[str]:
    """The text of a cell, or its lines when it has a few that are its own."""
    outline = table.outline
    first, last = outline.text_from[index], outline.text_to[index]
    if index in table.dated or first == last or outline.text_length(index) > _MAX_LINES * _MAX_COUNTER:
        return []
    own = [
        outline.segments[number] for number in range(first, last) if outline.segment_owner[number] == index
    ]
    if 1 < len(own) <= _MAX_LINES and len(own) == last - first:
        return own
    if is_link_name(outline, index):
        return []
    whole = outline.text(index) if outline.text_length(index) <= _MAX_COUNTER * 2 else ""
    if len(own) < last - first and len(own) == 1 and read_counter(whole) is None:
        whole = own[0]  # "(12)" or "3/40" beside a link
    parts = [part for part in _PARTS.split(whole) if part]
    if 1 < len(parts) <= _MAX_LINES and all(read_counter(part) is not None for part in parts):
        return parts
    return [whole] if 0 < len(whole) <= _MAX_COUNTER else []


def is_link_name(outline: PageOutline, index: int) -> bool:
    """Is what an element says the name of what it links to ("Broken after 4 hours"), and no counter?"""
    return outline.unlinked_length(index) == 0 and len(_WORD.findall(outline.text(index))) >= _WORDS_OF_A_NAME


def read_counter(text: str) -> int | None:
    """A counter as forums write it: 1,234 or 1.2k or "5 replies"."""
    match = _COUNTER.match(text)
    if not match:
        return None
    digits, unit = match[1], match[2].lower()
    if unit:
        return (
            int(float(digits.replace(",", ".")) * _MULTIPLE[unit])
            if digits.count(".") + digits.count(",") <= 1
            else None
        )
    whole = re.sub(r"[.,\s\u00a0\u202f']", "", digits)
    return int(whole) if len(whole) <= 12 else None
