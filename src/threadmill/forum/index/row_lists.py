"""Finds the lists of an index page: which records are rows, which link is their title, what numbers count.

The only row of a list is found apart: on a start page with one board, in a board with one thread. Nothing
repeats there, so no records show where a row begins. A title that stands with counters or a date does.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from threadmill.forum.index.counters_and_boards import (
    find_counter_columns,
    find_title_counters,
    is_reply_title,
    read_counter,
)
from threadmill.forum.link_urls import (
    absolute_url,
    is_back,
    is_built_like,
    is_next,
    names_file,
    names_service_page,
    same_site,
)
from threadmill.forum.posts.author_names import PERSON_WORDS
from threadmill.forum.posts.post_records import PageSplit
from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import ColumnKey, PageRecord, RecordTable, split_records

MAX_MENU_SCORE = 0.35  # menus of usual length do not reach this score
_FULLY_JUDGED = 24  # ways to split the page whose columns are examined
_MAX_LISTS = 3
_MIN_TITLE = 2  # characters
_USUAL_TITLE = 20  # letters
_LONG_TITLE, _MIN_TITLE_WORDS = 15, 3  # characters and words of a text that is no button
_TITLE_BEFORE = 0.5  # of the text of a row: a button stands behind a post
_MAX_TITLE = 90  # characters of a title that count for its weight
_MAX_OWN_PLACES = 0.5  # of the links of a column of titles lead to places of the page itself
_MIN_TITLE_COVER = 0.6  # of the records must have a title
_FULL_ROW = 0.3  # what a row with a date or a counter adds to the score; a link alone adds 0.06
_NEARLY_FULL = 0.9
_FEW_RECORDS = 3
_MAX_ROWS = 1500
_NEARLY_ALL = 0.75  # of the text of the page, as for boxes at the side
_ASIDE = 0.5  # the factor for the score of a list in a box at the side
# Lists of subjects: their least rows and title, and how much they count where rows show dates and counters.
_MIN_SUBJECTS, _SHORT_SUBJECT = 4, 12
_SUBJECT_AS_DATE, _SUBJECT_AS_COUNTER = 0.75, 0.5
SURE_SUBJECTS = 0.5
_FEW_FULL = 0.3
_NUMBERS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
_LAST_NUMBER = re.compile(r"(\d{1,18})(?!\d)(?=\D*+\Z)")


@dataclass(frozen=True, slots=True)
class RowList:
    """Rows that stand under each other, with their title links."""

    table: RecordTable
    titles: dict[int, int]  # record → link element
    score: float
    aside: bool = False  # in a box at the side of the page
    subjects: float = 0.0  # the share of rows that look like subjects of mails, from 0 to 1

    @property
    def worth(self) -> float:
        """The score regardless of the place.

        On a page with a single row, a box at the side shows what rows look like.
        """
        return self.score / _ASIDE if self.aside else self.score

    @property
    def is_menu(self) -> bool:
        """Whether the rows may be a menu: few of them have more than a title."""
        per_row = self.worth / math.log(1 + len(self.table.records))
        return self.worth <= MAX_MENU_SCORE and per_row < _NEARLY_FULL * _FULL_ROW

    @property
    def substance(self) -> float:
        """How much the rows have beyond a title, from 0 (a menu) to 1."""
        return min(1.0, self.score / math.log(1 + len(self.table.records)) / _FULL_ROW)


def find_row_lists(
    outline: PageOutline, dates: Sequence[PageDate], splits: Sequence[PageSplit]
) -> list[RowList]:
    """The row lists of a page, best first. They do not overlap."""
    known = {tuple(record.start for record in split.records) for split in splits}
    ways = [split.records for split in splits]
    ways += [
        tuple(records)
        for records in _split_by_place(outline)
        if tuple(record.start for record in records) not in known
    ]
    ways.sort(key=lambda records: -_rough_score(outline, records, dates))
    judged = [
        found
        for records in ways[:_FULLY_JUDGED]
        if (found := _judge(RecordTable(outline, _unwrap_rows(outline, records), dates))) is not None
    ]
    judged.sort(key=lambda found: -found.score)
    chosen: list[RowList] = []
    for found in judged:
        if len(chosen) < _MAX_LISTS and all(not _overlap(outline, found, other) for other in chosen):
            chosen.append(found)
    return chosen


def _split_by_place(outline: PageOutline) -> Iterator[list[PageRecord]]:
    """Splits by links that stand at one place among their siblings.

    Without classes, titles and names of authors have the same tags around them. Titles come first.
    """
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for index, href in enumerate(outline.hrefs):
        if href and "." not in outline.kind(index):
            parent = outline.parent[index]
            place = (outline.paths[index], outline.child_position[index], outline.child_position[parent])
            groups[place].append(index)
    for group in groups.values():
        if not _FEW_RECORDS <= len(group) + 1 <= _MAX_ROWS:
            continue
        records = split_records(outline, group)
        if records and all(_is_near(outline, record) for record in records):
            yield records


def _is_near(outline: PageOutline, record: PageRecord) -> bool:
    """Whether the link of a row stands directly in it, or in a cell of it."""
    parent = outline.parent[record.anchor]
    return not {record.anchor, parent, outline.parent[parent]}.isdisjoint(record.roots)


def move_aside(found: RowList) -> RowList:
    """The same list as a list in a box at the side of the page."""
    return found if found.aside else replace(found, score=found.score * _ASIDE, aside=True)


def _unwrap_rows(outline: PageOutline, records: Sequence[PageRecord]) -> list[PageRecord]:
    """The rows, all made of the usual element. A row alone under a heading has grown into its box."""
    tops = [next((r for r in record.roots if outline.is_under(record.anchor, r)), -1) for record in records]
    usual, count = Counter(outline.symbols[top] for top in tops if top >= 0).most_common(1)[0]
    if not len(records) <= 2 * count < 2 * len(records):
        return list(records)
    found = []
    for record, top in zip(records, tops, strict=True):
        inner = top
        while inner >= 0 and outline.symbols[inner] != usual and inner != record.anchor:
            inner = outline.child_towards(inner, record.anchor)
        fits = inner >= 0 and outline.symbols[inner] == usual and inner != top
        found.append(replace(record, roots=(inner,)) if fits else record)
    return found


def _overlap(outline: PageOutline, one: RowList, other: RowList) -> bool:
    spans = sorted(
        (*span, side)
        for side, found in enumerate((one, other))
        for record in found.table.records
        for span in record.spans(outline)
    )
    ends = [-1, -1]
    for start, end, side in spans:
        if start < ends[1 - side]:
            return True
        ends[side] = max(ends[side], end)
    return False


def _rough_score(outline: PageOutline, records: Sequence[PageRecord], dates: Sequence[PageDate]) -> float:
    """A quick score of records as rows, by linked text and dates, without columns."""
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
    """The records as a row list with its score. None if they have no column of titles."""
    size = len(table.records)
    found = find_title_column(table)
    if found is None or size < 2:
        return None
    key, titles = found
    outline = table.outline
    if size <= _FEW_RECORDS and _holds_page(table):
        return None
    cover = len(titles) / size
    dates, counts = _find_full_rows(table, titles)
    dated, counted = len(dates) / size, len(counts) / size
    if 2 * len(dates & counts) >= size:
        dated = counted = len(dates | counts) / size
        titles = _without_heads(outline, titles, dates | counts)
    unlinked = sum(outline.unlinked_length(root) for record in table.records for root in record.roots)
    linked = sum(outline.text_length(index) for index in titles.values())
    linked = max(linked, int(size * _USUAL_TITLE / outline.script_density))  # names of boards are short
    brevity = 1.0 / (1.0 + max(0.0, unlinked / (linked + 1) - 6.0) / 6.0)
    subjects = _share_of_subjects(table, titles) if max(dated, counted) < _FEW_FULL else 0.0
    if subjects >= SURE_SUBJECTS:
        titles = _with_usual_urls(outline, titles)
    dated, counted = max(dated, _SUBJECT_AS_DATE * subjects), max(counted, _SUBJECT_AS_COUNTER * subjects)
    score = math.log(1 + size) * cover * (0.25 + dated) * (0.25 + counted) * brevity
    score *= 1.0 - 0.8 * _merged_share(table, key, titles)
    aside = table.in_side_box
    return RowList(table, titles, score * (_ASIDE if aside else 1.0), aside, subjects)


def _find_full_rows(table: RecordTable, titles: dict[int, int]) -> tuple[set[int], set[int]]:
    """The rows with a date and those with a counter.

    Where most rows have both, one of them is enough: an empty board has no last post, and the counter of a
    moved thread is a dash. The head of a table has neither.
    """
    dated = max((set(cells) for cells in table.date_columns.values()), key=len, default=set())
    columns = [column for column in find_counter_columns(table) if not column.is_in(table.outline, titles)]
    counts = [set(column.values) for column in columns]
    return dated, max([*counts, set(find_title_counters(table, titles))], key=len)


def _without_heads(outline: PageOutline, titles: dict[int, int], full: set[int]) -> dict[int, int]:
    """The titles without those of rows that have nothing but a link to another kind of page."""
    usual = [outline.hrefs[index] or "" for number, index in titles.items() if number in full]
    return {
        number: index
        for number, index in titles.items()
        if number in full or any(is_built_like(outline.hrefs[index] or "", href) for href in usual[:3])
    }


def _share_of_subjects(table: RecordTable, titles: dict[int, int]) -> float:
    """The share of titles that are subjects of messages, which often show neither dates nor counters.

    They begin with "Re:", or their URLs count on by one and a name stands beside each.
    """
    outline = table.outline
    texts = [outline.text(index, _MAX_TITLE) for index in titles.values()]
    if len(texts) < _MIN_SUBJECTS or median(map(len, texts)) < _SHORT_SUBJECT:
        return 0.0
    replies = sum(map(is_reply_title, texts)) / len(texts)
    numbers = [_last_number(outline.hrefs[index]) for index in titles.values()]
    counted = sum(other - one == 1 for one, other in pairwise(numbers)) / (len(texts) - 1)
    named = sum(
        any(outline.unlinked_length(root) > 1 for root in table.records[n].roots) for n in titles
    ) / len(texts)
    return max(min(1.0, 2 * replies), min(counted, named))


def _last_number(href: str | None) -> int:
    match = _LAST_NUMBER.search(href or "")
    return int(match[1]) if match else 0


def _with_usual_urls(outline: PageOutline, titles: dict[int, int]) -> dict[int, int]:
    """The titles whose URLs are built alike, without the links to other orders above them."""
    shapes = {number: _NUMBERS.sub("#", outline.hrefs[index] or "") for number, index in titles.items()}
    usual, count = Counter(shapes.values()).most_common(1)[0]
    if count < _MIN_TITLE_COVER * len(titles):
        return titles
    return {number: index for number, index in titles.items() if shapes[number] == usual}


def _holds_page(table: RecordTable) -> bool:
    """Whether one record is nearly all of the page. The main part of a page and its footer are no rows."""
    outline = table.outline
    largest = max(sum(outline.text_length(root) for root in record.roots) for record in table.records)
    return largest > _NEARLY_ALL * outline.text_before[-1]


def _merged_share(table: RecordTable, key: ColumnKey, titles: dict[int, int]) -> float:
    """The share of records with a second title: two rows in one record."""
    kind, place = key
    columns = table.loose_columns if "//" in kind else table.columns
    second = columns.get((kind, place + 1), {})
    outline = table.outline
    merged = sum(
        outline.hrefs[index] != outline.hrefs[titles[number]]
        and outline.text_length(index) * 2 >= outline.text_length(titles[number])
        and is_built_like(outline.hrefs[index] or "", outline.hrefs[titles[number]] or "")
        for number, index in second.items()
        if number in titles
    )
    return merged / len(table.records)


def find_title_column(table: RecordTable) -> tuple[ColumnKey, dict[int, int]] | None:
    """The column of title links: long texts, different targets, early in the row."""
    outline = table.outline
    size = len(table.records)
    candidates: list[tuple[float, ColumnKey, dict[int, int]]] = []
    for key, cells in (*table.columns.items(), *table.loose_columns.items()):
        if len(cells) < _MIN_TITLE_COVER * size or outline.tags[next(iter(cells.values()))] != "a":
            continue
        links = {
            number: index
            for number, index in cells.items()
            if outline.hrefs[index] and outline.text_length(index) >= _MIN_TITLE and index not in table.dated
        }
        if len(links) < _MIN_TITLE_COVER * size or not _are_distinct(table, links):
            continue
        if _MAX_OWN_PLACES * len(links) < sum(_leads_to_place_here(outline, i) for i in links.values()):
            continue
        # A title has words. "#171193" is the number of a post.
        if 2 * sum(bool(_WORD.search(outline.text(index, _MAX_TITLE))) for index in links.values()) < len(
            links
        ):
            continue
        weight = sum(min(outline.text_length(index), _MAX_TITLE) for index in links.values())
        weight *= (len(links) / size) * (1.0 - _relative_position(table, links)) ** 2.5
        candidates.append((weight, key, links))
    # The first of equal columns: those by class come before those by tag.
    best = max(candidates, key=lambda candidate: round(candidate[0], 3), default=None)
    if best is None:
        return None
    return _before_last_thread(table, candidates, best)[1:]


def _before_last_thread(
    table: RecordTable,
    candidates: Sequence[tuple[float, ColumnKey, dict[int, int]]],
    best: tuple[float, ColumnKey, dict[int, int]],
) -> tuple[float, ColumnKey, dict[int, int]]:
    """The names of boards, where the best column is that of their last threads.

    A last thread stands with a date. The name of its board stands before it, apart from that date, and it is
    another one in each row. So are no names of people and no names of boards beside threads.
    """
    outline = table.outline
    if _share_beside_date(table, best[2]) < _NEARLY_ALL:
        return best
    place = _relative_position(table, best[2])
    earlier = [
        found
        for found in candidates
        if _relative_position(table, found[2]) < place
        and len({outline.hrefs[index] for index in found[2].values()}) == len(found[2]) >= len(best[2])
        and not any(PERSON_WORDS.search(outline.hrefs[index] or "") for index in found[2].values())
        and _share_beside_date(table, found[2]) == 0
    ]
    return max(earlier, key=lambda found: found[0], default=best)


def _share_beside_date(table: RecordTable, links: dict[int, int]) -> float:
    """The share of links that stand in one part of their row with a date. A flat row has no parts."""
    outline = table.outline
    elements = sorted(cell.element for cell in table.dates)
    beside = 0
    for index in links.values():
        part = outline.parent[index]
        while part >= 0 and part not in table.roots and not _any_between(elements, part, outline.end[part]):
            part = outline.parent[part]
        beside += part >= 0 and part not in table.roots
    return beside / len(links)


def _leads_to_place_here(outline: PageOutline, link: int) -> bool:
    """Whether a link leads to a place that this page has: it is the permalink of a post shown here."""
    return (outline.hrefs[link] or "").partition("#")[2] in outline.anchors


def _are_distinct(table: RecordTable, links: dict[int, int]) -> bool:
    """Whether links differ in target and text. Links to feeds and buttons have the same text in every row."""
    outline = table.outline
    targets = {absolute_url(outline.base, outline.hrefs[index] or "") for index in links.values()}
    if 2 * sum(names_file(target or "") for target in targets) > len(targets):
        return False
    texts = Counter(
        text for index in links.values() if not is_reply_title(text := outline.text(index, 120))
    ) or Counter({"": 1})
    usual, times = texts.most_common(1)[0]
    if len(targets) < 0.8 * len(links):
        return False
    if times <= max(1, 0.9 * len(links)):
        return True
    early = _relative_position(table, links) < _TITLE_BEFORE
    return early and _is_title_of_several(usual, targets, len(links))


def _is_title_of_several(text: str, targets: Collection[str | None], rows: int) -> bool:
    """Whether a text that all of a few rows show is a title: two people may have asked the same.

    Buttons are shorter, stand behind the text, and many of them lead to pages for writing.
    """
    long_enough = len(text) >= _LONG_TITLE and len(_WORD.findall(text)) >= _MIN_TITLE_WORDS
    return (
        long_enough
        and rows <= _FEW_RECORDS
        and len(targets) == rows
        and not any(names_service_page(target or "") for target in targets)
    )


def _relative_position(table: RecordTable, links: dict[int, int]) -> float:
    """Where links stand in their rows on average, by the text before them: 0 first, 1 last."""
    before = table.outline.text_before
    total = 0.0
    for number, index in links.items():
        segments = table.segments[number]
        start, end = before[segments[0]], before[segments[-1] + 1]
        total += (before[table.outline.text_from[index]] - start) / max(1, end - start)
    return total / len(links)


_MAX_DEPTH = 7  # elements from a title up to its row
_MAX_ELEMENTS = 80  # of a row; with pagers, icons and a last post up to 60 were seen
_MAX_LETTERS = 400  # of a row with a description or an excerpt
_MAX_COUNTER = 30  # characters of a counter with its label
_MAX_PAGE_LABEL = 6  # characters of a number in a pager
_MAX_COUNTERS = 2  # that count as evidence
_YEAR = re.compile(r"\D*(?:19|20)\d\d\D*")
_FRAME_TAGS = frozenset(("nav", "footer", "aside", "form", "blockquote"))
_OUTER_TAGS = frozenset(("h1", "main", "body", "form"))
_LEAST_SCORE = 0.36  # a little more than that of a menu


def find_single_row(outline: PageOutline, dates: Sequence[PageDate]) -> RowList | None:
    """The row with the most counters and dates, the first of equal ones. None if no link has any."""
    marks = _Marks(outline, dates)
    best: tuple[int, int, int] | None = None
    for title in _find_titles(outline, marks):
        root, evidence = _grow_row(outline, title, marks)
        if evidence and (best is None or evidence > best[0]):
            best = evidence, root, title
    if best is None:
        return None
    evidence, root, title = best
    table = RecordTable(outline, [PageRecord(title, (root,))], dates)
    if table.in_side_box:
        return None
    score = max(_LEAST_SCORE, math.log(2) * (0.25 + evidence / 2))
    return RowList(table, {0: title}, score)


class _Marks:
    """Where the dates and the counters of a page stand."""

    def __init__(self, outline: PageOutline, dates: Sequence[PageDate]) -> None:
        self.dates = sorted(cell.element for cell in dates)
        self.dated = set(self.dates)
        self.counters = sorted(
            outline.segment_owner[number]
            for number, text in enumerate(outline.segments)
            if len(text) <= _MAX_COUNTER
            and read_counter(text) is not None
            and not _YEAR.fullmatch(text)
            and not outline.in_link[outline.segment_owner[number]]
            and outline.segment_owner[number] not in self.dated
        )

    def in_span(self, start: int, end: int) -> int:
        """How much stands in a range of elements: up to two counters and a date."""
        counters = bisect_left(self.counters, end) - bisect_left(self.counters, start)
        dates = bisect_left(self.dates, end) - bisect_left(self.dates, start)
        return min(_MAX_COUNTERS, counters) + min(1, dates)


def _find_titles(outline: PageOutline, marks: _Marks) -> Iterator[int]:
    """The links that may be titles: with words, to another page of the site that is nobody's profile."""
    framed = _framed_elements(outline)
    here = absolute_url(outline.base, outline.tree.url)
    numbered = {href for index, href in enumerate(outline.hrefs) if href and _is_number(outline, index)}
    for index, href in enumerate(outline.hrefs):
        if not href or framed[index] or outline.text_length(index) < _MIN_TITLE or index in marks.dated:
            continue
        target = absolute_url(outline.base, href)
        if target is None or target == here or not same_site(target, outline.base):
            continue
        if PERSON_WORDS.search(href) or names_service_page(target):
            continue
        if href in numbered and (is_next(outline, index) or is_back(outline, index)):
            continue  # of a pager, whose numbers look like counters
        if _WORD.search(outline.text(index, 60)):
            yield index


def _is_number(outline: PageOutline, index: int) -> bool:
    return outline.text_length(index) < _MAX_PAGE_LABEL and outline.text(index, _MAX_PAGE_LABEL).isdecimal()


def _framed_elements(outline: PageOutline) -> list[bool]:
    found: list[bool] = []
    for index, parent in enumerate(outline.parent):
        found.append(outline.tags[index] in _FRAME_TAGS or (parent >= 0 and found[parent]))
    return found


def _grow_row(outline: PageOutline, title: int, marks: _Marks) -> tuple[int, int]:
    """The lowest element around a title that holds all counters and dates of its row, and their number."""
    root, evidence = title, 0
    index = title
    for _ in range(_MAX_DEPTH):
        index = outline.parent[index]
        if index < 0 or not _may_be_row(outline, index, title):
            break
        more = marks.in_span(index, outline.end[index])
        if more > evidence:
            root, evidence = index, more
    return root, evidence


def _may_be_row(outline: PageOutline, index: int, title: int) -> bool:
    """Whether an element may be a row: no large part of the page, and its title is its first link."""
    if outline.end[index] - index > _MAX_ELEMENTS or outline.tags[index] in _OUTER_TAGS:
        return False
    if outline.text_length(index) * outline.script_density > _MAX_LETTERS:
        return False
    inner = range(index, outline.end[index])
    if any(outline.tags[i] in _OUTER_TAGS for i in inner):
        return False
    first = next(i for i in inner if outline.hrefs[i] and outline.text_length(i) >= _MIN_TITLE)
    return first == title or outline.text_length(first) * 2 < outline.text_length(title)
