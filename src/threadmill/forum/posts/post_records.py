"""A thread page's posts: which records they are, and for each its author, date, address and words."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import accumulate
from statistics import median

from threadmill.forum.posts.authors import find_authors
from threadmill.forum.posts.few_posts import (
    are_alike,
    are_posts,
    drop_inserts,
    own_text_lengths,
    shrink_records,
)
from threadmill.forum.posts.first_post import add_first_post
from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable, split_records
from threadmill.forum.records.side_boxes import in_side_box

_MAX_GROUP = 1500  # values of one kind; the longest real thread page seen shows 500 posts
_FULLY_JUDGED = (
    12  # cuts whose columns are looked at; the right one was never below place 10 of the rough order
)
_JUDGE_WEIGHT = 1.5
BEST_QUALITY = 1.15 * 1.15  # what judge() gives when every record has both
_SURE = 0.3
_MERGED = 1.4  # a fifth of the records holding two posts weighs more than a fifth without a linked name
_KINSHIP = 0.35  # share of the common columns; posts without avatar or signature keep over a half of them
_NUMBERED_ID = re.compile(r"\d{1,}")


@dataclass(frozen=True, slots=True)
class PageSplit:
    """One way to cut a page into records, with how much it looks like posts."""

    records: tuple[PageRecord, ...]
    score: float


def anchor_groups(outline: PageOutline, dates: list[PageDate]) -> list[list[int]]:
    """Elements that may stand once in each post."""
    groups: dict[object, list[int]] = defaultdict(list)
    for cell in dates:
        groups["date", outline.kind(cell.element)].append(cell.element)
        groups["loose date", outline.loose_kind(cell.element)].append(cell.element)
        groups["datepath", outline.paths[cell.element]].append(cell.element)
    for index, href in enumerate(outline.hrefs):
        if href and outline.tags[index] == "a":
            kind = outline.kind(index)
            groups["link", kind].append(index)
            groups["loose", outline.loose_kind(index)].append(index)
            if "." not in kind:  # where nothing is named, menus and rows differ only in where they stand
                groups["linkpath", outline.paths[index]].append(index)
    for index, element in enumerate(outline.elements):
        name = element.attr("id")
        if name and _NUMBERED_ID.search(name):
            groups["id", _NUMBERED_ID.sub("#", name)].append(index)
        elif "." in outline.symbols[index] and outline.text_length(index) > 20:
            groups["symbol", outline.kind(index)].append(index)
    return [group for group in groups.values() if 2 <= len(group) <= _MAX_GROUP]


def find_page_splits(outline: PageOutline, dates: list[PageDate]) -> list[PageSplit]:
    """Ways to cut the page, best first."""
    seen: set[tuple[int, ...]] = set()
    rough: list[PageSplit] = []
    dated = [0] * (len(outline) + 1)
    for cell in dates:
        dated[cell.element + 1] += 1
    for index in range(len(outline)):
        dated[index + 1] += dated[index]
    words = _words_before(outline, dates)
    for group in anchor_groups(outline, dates):
        records = split_records(outline, group)
        name = tuple(record.start for record in records)
        if not records or name in seen:
            continue
        seen.add(name)
        rough.append(PageSplit(tuple(records), _rough_score(outline, records, dated, words)))
    rough.sort(key=lambda candidate: -candidate.score)
    return rough


def _words_before(outline: PageOutline, dates: list[PageDate]) -> list[int]:
    """How many characters that are neither link nor date stand before each segment: rows have few of them."""
    lengths = [
        0 if outline.in_link[owner] else len(text)
        for text, owner in zip(outline.segments, outline.segment_owner, strict=True)
    ]
    for cell in dates:
        for number in range(outline.text_from[cell.element], outline.text_to[cell.element]):
            lengths[number] = 0
    return [0, *accumulate(lengths)]


def _rough_score(
    outline: PageOutline, records: list[PageRecord], dated: list[int], words: list[int]
) -> float:
    total = words[-1] or 1
    texts, dates = _own_lengths(outline, records, words), 0
    for record in records:
        dates += any(dated[end] > dated[start] for start, end in record.spans(outline))
    with_text = sum(length > 0 for length in texts) / len(records)
    share = sum(texts) / total
    return share * (0.2 + dates / len(records)) * math.log(1 + len(records)) * with_text


def _own_lengths(outline: PageOutline, records: list[PageRecord], words: list[int]) -> list[int]:
    """The plain text of each record without the records nested in it."""
    lengths: list[int] = []
    open_records: list[tuple[int, int]] = []  # (end of its last root, number)
    for number, record in enumerate(records):
        length = sum(words[outline.text_to[r]] - words[outline.text_from[r]] for r in record.roots)
        while open_records and open_records[-1][0] <= record.start:
            open_records.pop()
        if open_records:
            lengths[open_records[-1][1]] -= length
        lengths.append(length)
        open_records.append((outline.end[record.roots[-1]], number))
    return [max(0, length) for length in lengths]


@dataclass(frozen=True, slots=True)
class FoundPosts:
    """The table that looks most like posts, and how much."""

    table: RecordTable
    score: float
    quality: float  # of authors and dates alone: 0 none, 1 all

    @property
    def sure(self) -> bool:
        """Whether most records have an author and a date of their own."""
        return self.quality >= _SURE


def find_posts(outline: PageOutline, dates: list[PageDate], ways: list[PageSplit]) -> FoundPosts | None:
    """The table of records that looks most like posts."""
    best: FoundPosts | None = None
    words = _words_before(outline, dates)
    for way in ways[:_FULLY_JUDGED]:
        table = _without_silent(RecordTable(outline, way.records, dates), words)
        quality = rate_posts(table)
        score = way.score * quality**_JUDGE_WEIGHT
        if best is None or score > best.score:
            best = FoundPosts(table, score, quality / BEST_QUALITY)
    if best is None:
        return None
    return FoundPosts(
        add_first_post(_without_strangers(_without_wraps(best.table))), best.score, best.quality
    )


def _without_silent(table: RecordTable, words: list[int]) -> RecordTable:
    """The table without records at its ends that are links only: a menu looks like names that are links."""
    lengths = _own_lengths(table.outline, table.records, words)
    dated = {table.owner[cell.element] for cell in table.dates}
    told = [number for number, length in enumerate(lengths) if length or number in dated]
    if len(told) < 2 or told[-1] - told[0] + 1 == len(lengths):
        return table
    return RecordTable(table.outline, table.records[told[0] : told[-1] + 1], table.dates)


def _without_wraps(table: RecordTable) -> RecordTable:
    """The table with records begun where the others begin: a lone answer fills the box it stands in."""
    outline = table.outline
    begins = Counter(outline.symbols[record.start] for record in table.records)
    usual, count = begins.most_common(1)[0]
    if count * 2 < len(table.records) or count == len(table.records):
        return table
    records = [_unwrapped(outline, record, usual) for record in table.records]
    return RecordTable(outline, records, table.dates) if records != list(table.records) else table


def _unwrapped(outline: PageOutline, record: PageRecord, usual: str) -> PageRecord:
    top = record.start
    while len(record.roots) == 1 and outline.symbols[top] != usual:
        inside = outline.child_towards(top, record.anchor) if top != record.anchor else -1
        if inside < 0 or outline.text_length(inside) < outline.text_length(top):
            return record
        top = inside
    return replace(record, roots=(top,)) if len(record.roots) == 1 else record


def _without_strangers(table: RecordTable) -> RecordTable:
    """The table without records that have little of what the others have: advertisements between posts."""
    size = len(table.records)
    if size < 4:
        return table
    shared = [set(cells) for cells in table.columns.values() if len(cells) >= 0.75 * size]
    if len(shared) < 4:
        return table
    kept = [
        record
        for number, record in enumerate(table.records)
        if sum(number in cells for cells in shared) >= _KINSHIP * len(shared)
    ]
    return (
        RecordTable(table.outline, kept, table.dates)
        if len(kept) < size and len(kept) >= 0.6 * size
        else table
    )


def _doubled(table: RecordTable) -> float:
    """The share of records that are the same twice over, each time with a date: <dt><dd><dt><dd>.

    Where few are, something was put between posts that looks like them.
    """
    outline = table.outline
    dates = [cell.element for cell in table.dates]
    doubled = 0
    for record in table.records:
        half = len(record.roots) // 2
        first, second = record.roots[:half], record.roots[half:]
        if half and [outline.symbols[i] for i in first] == [outline.symbols[i] for i in second]:
            doubled += all(
                any(outline.is_under(date, root) for root in part for date in dates)
                for part in (first, second)
            )
    return doubled / len(table.records) if 2 * doubled >= len(table.records) else 0.0


def rate_posts(table: RecordTable) -> float:
    """How well authors and dates cover the records, and that no record holds two of either."""
    size = len(table.records)
    dates = max(table.date_columns.items(), key=lambda item: len(item[1]), default=None)
    dated = len(dates[1]) / size if dates else 0.0
    authors = find_authors(table)
    merged = 0.0
    if authors.key:
        second = table.columns.get((authors.key[0], authors.key[1] + 1), {})
        names = [
            number
            for number, index in second.items()
            if number in authors.authors
            and index not in table.dated
            and table.outline.text(index) != authors.authors[number].name
        ]
        merged = len(names) / size
    if dates:
        kind, place = dates[0]
        second_dates = len(table.date_columns.get((kind, place + 1), {})) / size
        merged = max(merged, second_dates if second_dates < 0.8 else 0.0)
    merged = max(merged, _doubled(table))
    return (0.15 + dated) * (0.15 + min(1.0, authors.score / 1.5)) * max(0.2, 1 - _MERGED * merged)


_FEW_WORDS = 15  # characters; records that say less, and no date, are links of a page that has no posts


def choose_posts(
    finding: FoundPosts | None, single: RecordTable | None, remark: Callable[[], RecordTable | None]
) -> tuple[RecordTable, float] | None:
    """The posts of a page: of what looks most like several and what would be the only one; how sure.

    A post of a few words is looked for where nothing else is left.
    """
    if finding and in_side_box(finding.table.outline, finding.table.records):
        finding = None
    if finding and finding.sure and are_posts(finding.table, single):
        return shrink_records(drop_inserts(finding.table)), min(1.0, finding.score / 2)
    if single is None:
        single = remark()
    if single is not None:
        return add_first_post(single), 0.3
    if finding is None or not _says_something(finding.table) or not are_alike(finding.table):
        return None
    return finding.table, min(1.0, finding.score / 2)


def _says_something(table: RecordTable) -> bool:
    return bool(table.date_columns) or median(own_text_lengths(table)) >= _FEW_WORDS
