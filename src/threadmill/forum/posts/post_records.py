"""Finds the posts of a thread page without a wrapper: the split of the page into records that gives posts."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate
from statistics import median

from threadmill.forum.link_urls import absolute_url, same_site
from threadmill.forum.posts.author_names import author_at, common_prefix
from threadmill.forum.posts.authors import AuthorColumn, find_authors
from threadmill.forum.posts.bodies import find_sentences
from threadmill.forum.posts.few_posts import (
    FEW,
    add_first_post,
    are_posts,
    are_similar,
    own_text_lengths,
    words_lacking,
    words_outside,
)
from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.page_outline import PageOutline, once_per_page, shape_of_id
from threadmill.forum.records.record_table import (
    PageRecord,
    RecordTable,
    is_empty_anchor,
    once_per_table,
    split_records,
)

_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d{1,}")
_MAX_ANCHORS = 1500  # elements of one kind; the longest real thread page seen shows 500 posts
_MAX_BYLINE = 150  # characters of an element that shows a date and no words of a post
_MIN_NAMED_TEXT = 20  # characters of an element that is an anchor by its class alone
_MAX_RATED = (
    12  # splits that are rated by their columns; the right one was never below place 10 by rough score
)
_RATING_WEIGHT = 1.5
BEST_RATING = 1.15 * 1.15  # of rate_posts(), when every record has an author and a date
_SEPARATORS = set("/?=&")
_GOOD_AUTHORS = 1.5  # the score of a column of linked names
# Bounds and weights of what speaks for several posts. On saved pages the support of posts is 0.45 to 0.97.
_MIN_SUPPORT = 0.35
_SUPPORT_WEIGHT = 8.0  # several posts may have an eighth of the words of the page
_SIDE_FACTOR = 0.3  # for records in a box at the side, unless they have most of the words
_SIDE_WORDS = 0.35
_DIVIDED_WEIGHT = 0.3  # records that begin in the middle of posts show all that posts show
_MERGED_WEIGHT = 1.4  # a fifth of records with two posts is worse than a fifth without a linked name
# Share of the common columns that a record must have. Posts without avatar or signature have over a half.
_MIN_COMMON = 0.35
_MOST = 0.8  # share of the records that show where records begin, or that link into the site between inserts
_HALF = 0.5
_AS_GOOD = 0.9  # of the rating of the records around posts
_MUCH_LESS = 0.3  # rows of a list against posts
_ID_RATING = 0.35  # of records that all have an id, against 1 for those with names
_MIN_WORDS = 15  # characters; records with fewer and without a date are links of a page that has no posts
_SINGLE_CONFIDENCE = 0.3
_OF_HISTORY = 0.1  # factor for records that only say what was done and when
_MAX_LABEL, _MIN_LABELS = 60, 2  # characters; texts that are alike but for their numbers


@dataclass(frozen=True, slots=True)
class PageSplit:
    """One way to split a page into records, with a rough score of how much they look like posts."""

    records: tuple[PageRecord, ...]
    score: float


@dataclass(frozen=True, slots=True)
class FoundPosts:
    """The records of a page that look most like posts."""

    table: RecordTable
    score: float

    @property
    def support(self) -> float:
        """How sure authors, dates and ids make it that the records are posts, from 0 to 1."""
        return support_of(self.table)

    @property
    def sure(self) -> bool:
        """Whether the records are posts, whatever else the page may show."""
        return _outweighs(self.table, lambda: None)


def find_page_splits(outline: PageOutline, dates: list[PageDate]) -> list[PageSplit]:
    """The ways to split a page into records, best first by rough score."""
    seen: set[tuple[int, ...]] = set()
    splits: list[PageSplit] = []
    dates_before = _count_dates_before(outline, dates)
    words_before = _count_words_before(outline, dates)
    for anchors in _find_anchor_groups(outline, dates):
        records = split_records(outline, anchors)
        starts = tuple(record.start for record in records)
        if not records or starts in seen:
            continue
        seen.add(starts)
        splits.append(PageSplit(tuple(records), _rough_score(outline, records, dates_before, words_before)))
    splits.sort(key=lambda split: -split.score)
    return splits


def _find_anchor_groups(outline: PageOutline, dates: list[PageDate]) -> list[list[int]]:
    """Groups of like elements that may stand once in each post: dates, links, ids and classes."""
    groups: dict[object, list[int]] = defaultdict(list)
    for date in dates:
        groups["date", outline.kind(date.element)].append(date.element)
        groups["loose date", outline.loose_kinds[date.element]].append(date.element)
        groups["date path", outline.paths[date.element]].append(date.element)
    for index, href in enumerate(outline.hrefs):
        if href:
            kind = outline.kind(index)
            groups["link", kind].append(index)
            groups["loose link", outline.loose_kinds[index]].append(index)
            if "." not in kind:  # without classes, links in menus and in rows differ only by their path
                groups["link path", outline.paths[index]].append(index)
    for index, element in enumerate(outline.elements):
        name = element.attr("id")
        if name and _NUMBER.search(name):
            groups["id", shape_of_id(name)].append(index)
        elif "." in outline.symbols[index] and outline.text_length(index) > _MIN_NAMED_TEXT:
            groups["class", outline.kind(index)].append(index)
    return [group for group in groups.values() if 2 <= len(group) <= _MAX_ANCHORS]


def _count_dates_before(outline: PageOutline, dates: list[PageDate]) -> list[int]:
    """How many dates stand before each element, and at last how many there are."""
    counts = [0] * len(outline)
    for date in dates:
        counts[date.element] += 1
    return [0, *accumulate(counts)]


def _count_words_before(outline: PageOutline, dates: list[PageDate]) -> list[int]:
    """Characters before each segment that are neither link nor date. Rows of an index page have few."""
    lengths = [
        0 if outline.in_link[owner] else len(text)
        for text, owner in zip(outline.segments, outline.segment_owner, strict=True)
    ]
    for date in dates:
        # A byline may stand bare in the element around the whole post, beside its words.
        is_byline = outline.text_length(date.element) <= max(_MAX_BYLINE, len(date.text))
        for number in range(outline.text_from[date.element], outline.text_to[date.element]):
            if is_byline or outline.segments[number] in date.text:
                lengths[number] = 0
    return [0, *accumulate(lengths)]


@once_per_page
def _find_labels(outline: PageOutline) -> frozenset[int]:
    """The short texts that like elements of the page show again with other numbers: "Note added: 0619"."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, (text, owner) in enumerate(zip(outline.segments, outline.segment_owner, strict=True)):
        if len(text) <= _MAX_LABEL and (shape := _NUMBER.sub("#", text)) != text:
            found[shape, outline.kind(owner)].append(number)
    return frozenset(number for alike in found.values() if len(alike) >= _MIN_LABELS for number in alike)


def _is_history(table: RecordTable) -> bool:
    """Whether half of the records say nothing but a label beside a name and a date: "Note added: 0619".

    A history of what was done to a thread has such a line for each of its posts.
    """
    outline, labels = table.outline, _find_labels(table.outline)
    found = 0
    for segments in table.segments:
        said = [
            number
            for number in segments
            if not outline.in_link[owner := outline.segment_owner[number]] and owner not in table.dated
        ]
        found += bool(said) and labels.issuperset(said)
    return 2 * found >= len(table.records)


def _rough_score(
    outline: PageOutline, records: list[PageRecord], dates_before: list[int], words_before: list[int]
) -> float:
    """How much records look like posts, without a look at their columns: many, with dates and most words."""
    total = words_before[-1] or 1
    lengths = _word_lengths(outline, records, words_before)
    dated = sum(
        any(dates_before[end] > dates_before[start] for start, end in record.spans(outline))
        for record in records
    )
    worded = sum(length > 0 for length in lengths) / len(records)
    share = sum(lengths) / total
    return share * (0.2 + dated / len(records)) * math.log(1 + len(records)) * worded


def _word_lengths(outline: PageOutline, records: list[PageRecord], words_before: list[int]) -> list[int]:
    """The characters of each record that are neither link nor date, without the records nested in it."""
    lengths: list[int] = []
    open_records: list[tuple[int, int]] = []  # end and number of the records that hold the present one
    for number, record in enumerate(records):
        length = sum(
            words_before[outline.text_to[r]] - words_before[outline.text_from[r]] for r in record.roots
        )
        while open_records and open_records[-1][0] <= record.start:
            open_records.pop()
        if open_records:
            lengths[open_records[-1][1]] -= length
        lengths.append(length)
        open_records.append((outline.end[record.roots[-1]], number))
    return [max(0, length) for length in lengths]


def find_posts(outline: PageOutline, dates: list[PageDate], splits: list[PageSplit]) -> FoundPosts | None:
    """The split whose records look most like posts, by rough score and by authors and dates."""
    best: FoundPosts | None = None
    highest = 0.0
    words_before = _count_words_before(outline, dates)
    for split in splits[:_MAX_RATED]:
        if best is not None and split.score * BEST_RATING**_RATING_WEIGHT <= highest:
            break  # the splits after it have lower scores
        table = _drop_link_records(RecordTable(outline, split.records, dates), words_before)
        if _share_dated(table) < 1:  # advertisements have no date
            without = drop_inserts(table)
            table = without if 2 * len(without.records) > len(table.records) else table
        # Finding authors takes most of the time, so it is spared where they could not help.
        if best is not None and split.score * _highest_rating(table) ** _RATING_WEIGHT <= highest:
            continue
        rating = rate_posts(table)
        score = split.score * max(rating, _rate_by_ids(table)) ** _RATING_WEIGHT
        score *= _OF_HISTORY if score > highest and _is_history(table) else 1.0
        if best is None or score > highest:
            best, highest = FoundPosts(table, split.score * rating**_RATING_WEIGHT), score
    if best is None:
        return None
    best = _posts_within_record(best, splits, dates, words_before) or best
    return replace(best, table=add_first_post(_drop_strangers(_unwrap_records(_lift_records(best.table)))))


def _posts_within_record(
    found: FoundPosts, splits: list[PageSplit], dates: list[PageDate], words_before: list[int]
) -> FoundPosts | None:
    """The best split that lies in one of the records found, has most of its words and rates as well.

    Then that record is no post: a list of threads beside the posts took all of them for its first row.
    The other rows say little. In a question with many comments, answers say as much.
    """
    outline, owner = found.table.outline, found.table.owner
    lengths = _word_lengths(outline, found.table.records, words_before)
    for split in splits[:_MAX_RATED]:
        holders = {owner[record.start] for record in split.records}
        if len(holders) > 1 or -1 in holders:
            continue
        holder = holders.pop()
        inner = _word_lengths(outline, list(split.records), words_before)
        others = [length for number, length in enumerate(lengths) if number != holder]
        if len(inner) < 2 or not others or sum(inner) <= sum(others):
            continue
        least = _HALF if median(others) < _MUCH_LESS * median(inner) else _MOST
        if sum(inner) < least * lengths[holder]:
            continue
        table = RecordTable(outline, split.records, dates)
        if rate_posts(table) >= _AS_GOOD * rate_posts(found.table):
            return FoundPosts(table, split.score * rate_posts(table) ** _RATING_WEIGHT)
    return None


def _drop_link_records(table: RecordTable, words_before: list[int]) -> RecordTable:
    """The table without records at its begin and end that are only links: a menu looks like linked names."""
    lengths = _word_lengths(table.outline, table.records, words_before)
    dated = {table.owner[date.element] for date in table.dates}
    worded = [number for number, length in enumerate(lengths) if length or number in dated]
    if len(worded) < 2 or worded[-1] - worded[0] + 1 == len(lengths):
        return table
    return RecordTable(table.outline, table.records[worded[0] : worded[-1] + 1], table.dates)


def _lift_records(table: RecordTable) -> RecordTable:
    """The table with the records that hold replies beginning at the same element as those that hold none.

    A record ends where the next begins. If that stands inside it, only the parts before it were found.
    """
    outline = table.outline
    tops = [_top_of(outline, record) for record in table.records]
    least = _MOST * len(tops)
    parents = [outline.parent[top] for top in tops]
    alike = Counter((outline.parent[top], outline.symbols[top]) for top in tops)
    lists = {up for (up, _), count in alike.items() if count > 1}  # elements around several posts
    above = Counter(outline.symbols[up] for up in parents if up >= 0 and up not in lists)
    own = Counter(outline.symbols[top] for top in tops)
    usual = max(own, key=lambda symbol: own[symbol] + above[symbol])
    if own[usual] >= least or own[usual] + above[usual] < least or (own[usual] == 1 and "." not in usual):
        return table
    lifted: list[PageRecord] = []
    taken = set(tops)
    for record, top in zip(table.records, tops, strict=True):
        parent = outline.parent[top]
        if outline.symbols[top] != usual and outline.symbols[parent] == usual and parent not in taken:
            taken.add(parent)
            record = replace(record, roots=(parent,))  # noqa: PLW2901
        lifted.append(record)
    lifted.sort(key=lambda record: record.start)
    return RecordTable(outline, lifted, table.dates) if lifted != table.records else table


def _unwrap_records(table: RecordTable) -> RecordTable:
    """The table with all records made of the usual element.

    A reply that stands alone in its box has grown into the box: nothing else in it stopped the record.
    """
    outline = table.outline
    tops = Counter(outline.symbols[_top_of(outline, record)] for record in table.records)
    usual, count = tops.most_common(1)[0]
    if count * 2 < len(table.records) or count == len(table.records):
        return table
    records = [_unwrap(outline, record, usual) for record in table.records]
    return RecordTable(outline, records, table.dates) if records != table.records else table


def _top_of(outline: PageOutline, record: PageRecord) -> int:
    """The root that holds the anchor of a record."""
    return next((root for root in record.roots if outline.is_under(record.anchor, root)), record.start)


def _unwrap(outline: PageOutline, record: PageRecord, usual: str) -> PageRecord:
    if len(record.roots) != 1:
        return record
    top = record.start
    while outline.symbols[top] != usual:
        inside = outline.child_towards(top, record.anchor) if top != record.anchor else -1
        # A title and a button may stand in the box of the only reply, if a class tells what a reply is.
        least = outline.text_length(top) / (2 if "." in usual else 1)
        if inside < 0 or outline.text_length(inside) < least:
            return record
        top = inside
    return replace(record, roots=(top,))


def _drop_strangers(table: RecordTable) -> RecordTable:
    """The table without records that have few of the common columns, such as advertisements between posts."""
    size = len(table.records)
    if size < 4:
        return table
    common = [set(cells) for cells in table.columns.values() if len(cells) >= 0.75 * size]
    if len(common) < 4:
        return table
    kept = [
        record
        for number, record in enumerate(table.records)
        if sum(number in cells for cells in common) >= _MIN_COMMON * len(common)
    ]
    return RecordTable(table.outline, kept, table.dates) if 0.6 * size <= len(kept) < size else table


@once_per_table
def rate_posts(table: RecordTable) -> float:
    """How well authors and dates cover the records, and that no record holds two posts."""
    return _rate_with_names(table, min(1.0, find_authors(table).score / _GOOD_AUTHORS))


def _rate_by_ids(table: RecordTable) -> float:
    """The same if all records have an id: it tells posts of guests without names as well."""
    return _rate_with_names(table, _ID_RATING) if all(table.numbers_in_ids) else 0.0


def _rate_with_names(table: RecordTable, named: float) -> float:
    whole = max(0.2, 1 - _MERGED_WEIGHT * _share_merged(table)) * (
        1 - _DIVIDED_WEIGHT * _share_divided(table)
    )
    return (0.15 + _share_dated(table)) * (0.15 + named) * whole


def _share_divided(table: RecordTable) -> float:
    """The share of records with one rule across the page, or one anchor, in their middle.

    Posts that stand side by side without a box of their own begin or end there.
    """
    return sum(_is_divided(table.outline, record.roots) for record in table.records) / len(table.records)


def _is_divided(outline: PageOutline, roots: Sequence[int]) -> bool:
    rules = [place for place, root in enumerate(roots) if outline.tags[root] == "hr"]
    anchors = [place for place, root in enumerate(roots) if is_empty_anchor(outline, root)]
    divides = len(rules) == 1 and 0 < rules[0] < len(roots) - 1
    return divides or (len(anchors) == 1 and anchors[0] > 0 and len(rules) <= 1)


def _highest_rating(table: RecordTable) -> float:
    """What `rate_posts` would give if every record had one author."""
    merged = max(_share_with_two_dates(table), _share_doubled(table))
    return (0.15 + _share_dated(table)) * 1.15 * max(0.2, 1 - _MERGED_WEIGHT * merged)


def _share_dated(table: RecordTable) -> float:
    return max((len(dates) for dates in table.date_columns.values()), default=0) / len(table.records)


@once_per_table
def _share_merged(table: RecordTable) -> float:
    """The share of records that hold two posts. None does where each has one id of its own.

    A post may name the person who edited it beside its author.
    """
    if _have_one_id_each(table):
        return 0.0
    authors = find_authors(table)
    return max(_share_with_two_authors(table, authors), _share_with_two_dates(table), _share_doubled(table))


def _have_one_id_each(table: RecordTable) -> bool:
    """Whether the elements of the records have ids of one shape, each its own, and no part has another."""
    outline = table.outline
    ids = [
        next(
            (name for root in record.roots if _NUMBER.search(name := outline.attribute(root, "id") or "")), ""
        )
        for record in table.records
    ]
    shapes = Counter(shape_of_id(name) for name in ids if name)
    if not shapes or len(set(ids)) < len(ids):
        return False
    shape, count = shapes.most_common(1)[0]
    if count < len(ids) - 1:  # an opening post may differ
        return False
    inside = (outline.attribute(index, "id") or "" for members in table.members for index in members)
    return sum(shape_of_id(name) == shape for name in inside if _NUMBER.search(name)) == count


def _share_with_two_authors(table: RecordTable, column: AuthorColumn) -> float:
    """The share of records that name a second author in the same kind of element.

    Other links beside a name say the same in each record ("link", "reply"), or lead elsewhere.
    """
    if not column.key:
        return 0.0
    kind, place = column.key
    names = {author.name for author in column.authors.values()}
    prefix = common_prefix([author.href for author in column.authors.values() if author.href])
    second = 0
    for number, index in table.columns.get((kind, place + 1), {}).items():
        other = author_at(table.outline, index)
        if number not in column.authors or index in table.dated or other is None:
            continue
        if other.name == column.authors[number].name or other.name in table.repeated_texts - names:
            continue
        second += other.name in names or _leads_alike(column.authors[number].href, other.href, prefix)
    return second / len(table.records)


def _leads_alike(one: str | None, other: str | None, prefix: str) -> bool:
    """Whether two URLs are those of people, by what those of all authors begin with. Or neither is there."""
    if one is None or other is None:
        return one is other
    common = prefix or common_prefix([one, other])
    rest = other.removeprefix(common)
    return bool(common) and other.startswith(common) and (bool(prefix) or not _SEPARATORS & set(rest[:-1]))


def _share_with_two_dates(table: RecordTable) -> float:
    """The share of records with a second date of the usual kind; 0 when nearly all have two: so posts are."""
    if not table.date_columns:
        return 0.0
    kind, place = max(table.date_columns, key=lambda key: len(table.date_columns[key]))
    share = len(table.date_columns.get((kind, place + 1), {})) / len(table.records)
    return share if share < 0.8 else 0.0


def _share_doubled(table: RecordTable) -> float:
    """The share of the parts that stand in records of equal parts with a date each: <dt><dd><dt><dd>.

    The dates stand in elements of one kind: that of a post and that on which its author joined do not count.
    0 when these are fewer than half: then something was put between posts that looks like them. A record of
    one part counts as one.
    """
    outline = table.outline
    dates = [date.element for date in table.dates]
    doubled = records = 0
    for record in table.records:
        half = len(record.roots) // 2
        symbols = [outline.symbols[root] for root in record.roots]
        if half and symbols[:half] == symbols[half:]:
            parts = [record.roots[:half], record.roots[half:]]
        elif half and len(set(symbols)) == 1 and "." in symbols[0]:
            parts = [(root,) for root in record.roots]
        else:
            continue
        kinds = [
            {outline.kind(date) for root in part for date in dates if outline.is_under(date, root)}
            for part in parts
        ]
        if set[str]().union(*kinds) and set.intersection(*kinds):
            records += 1
            doubled += len(parts)
    share = doubled / (doubled + len(table.records) - records)
    return share if share >= _HALF else 0.0


def choose_posts(
    found: FoundPosts | None,
    find_single: Callable[[], RecordTable | None],
    find_short: Callable[[], RecordTable | None],
) -> tuple[RecordTable, float] | None:
    """The posts of a page and the confidence in them; None when the page has no posts.

    `found` is what looks most like several posts. What would be the only post is looked for (`find_single`)
    when it could be better, a post of a few words (`find_short`) when there is neither.
    """
    if found and _outweighs(found.table, find_single):
        return shrink_records(drop_inserts(found.table)), min(1.0, max(found.score / 2, 0.5 * found.support))
    single = find_single() or find_short()
    if single is not None:
        return add_first_post(single), _SINGLE_CONFIDENCE
    if found is None or found.table.in_side_box:
        return None
    if not _has_words_or_dates(found.table) or not are_similar(found.table):
        return None
    return found.table, min(1.0, found.score / 2)


def _outweighs(table: RecordTable, find_single: Callable[[], RecordTable | None]) -> bool:
    """Whether several records are the posts of a page rather than one post.

    All evidence counts together: what the records show, how much they say, how alike they are, and how much
    the other reading has to say that they lack.
    """
    if len(table.records) <= FEW and table.beside_side_box:
        return False
    support = support_of(table)
    words = sum(own_text_lengths(table))
    weight = support * are_posts(table)
    if len(table.records) <= FEW and table.date_columns:  # of few posts, each has a date or none has
        dated = {table.owner[date.element] for date in table.dates} - {-1}
        apart = 0 not in dated and table.outline.tags[table.records[0].start] == "article"
        weight *= (len(dated) / (len(table.records) - apart)) ** 2
    if table.in_side_box and words < _SIDE_WORDS * table.outline.unlinked_before[-1]:
        weight *= _SIDE_FACTOR
    if weight < _MIN_SUPPORT:
        return False
    enough = _SUPPORT_WEIGHT * weight**2 * words
    if enough >= words_lacking(table, 0):  # then no post has more
        return True
    single = find_single()
    return single is None or enough >= words_outside(table, single)


@once_per_table
def support_of(table: RecordTable) -> float:
    """How sure authors, dates and ids make it that records are posts, from 0 to 1. Each of them may lack."""
    named = min(1.0, find_authors(table).score / _GOOD_AUTHORS)
    ids = [table.numbers_in_ids[number] for number in range(len(table.records))]
    numbered = sum(map(bool, ids)) / len(ids)
    lacking = (1 - 0.8 * _share_dated(table)) * (1 - 0.8 * named) * (1 - 0.3 * numbered)
    return (1 - lacking) * max(0.2, 1 - _share_merged(table))


def _has_words_or_dates(table: RecordTable) -> bool:
    return bool(table.date_columns) or median(own_text_lengths(table)) >= _MIN_WORDS


def drop_inserts(table: RecordTable) -> RecordTable:
    """The table without what was put between posts, such as advertisements.

    An insert has no link into the site and no id with a number. The first record must have one of them, and
    of many records nearly all.
    """
    belong = [belongs_to_site(table, number) for number in range(len(table.records))]
    if all(belong) or not belong[0] or (len(belong) > FEW + 1 and sum(belong) < _MOST * len(belong)):
        return table
    kept = [record for record, belongs in zip(table.records, belong, strict=True) if belongs]
    return RecordTable(table.outline, kept, table.dates)


def belongs_to_site(table: RecordTable, number: int) -> bool:
    """Whether a record has a link into the site or an id with a number."""
    outline = table.outline
    for index in table.members[number]:
        href = outline.hrefs[index]
        if (
            href
            and not href.startswith("javascript:")
            and same_site(absolute_url(outline.base, href) or "", outline.base)
        ):
            return True
        if _DIGIT.search(outline.attribute(index, "id") or ""):
            return True
    return False


def shrink_records(table: RecordTable) -> RecordTable:
    """Few records, each cut down to the smallest element with its author, its dates and its sentences.

    Records grow from their anchors until they meet. Two records grow into headings, forms and boxes that
    belong to neither.
    """
    if len(table.records) > FEW:
        return table
    authors = find_authors(table)
    records = [_shrink(table, authors, number) for number in range(len(table.records))]
    return RecordTable(table.outline, records, table.dates) if records != table.records else table


def _shrink(table: RecordTable, authors: AuthorColumn, number: int) -> PageRecord:
    record, outline = table.records[number], table.outline
    author = authors.authors.get(number)
    dates = [date.element for date in table.dates if table.owner[date.element] == number]
    words = [outline.segment_owner[s] for s in find_sentences(outline, record.start, set(dates))]
    words = [owner for owner in words if table.owner[owner] == number]
    if len(record.roots) > 1 or author is None or not dates or not words:
        return record
    block = reduce(outline.common_ancestor, [*words, *dates, author.element])
    # Elements around it with no other child have its class and id.
    while block > record.start and len(outline.children[outline.parent[block]]) == 1:
        block = outline.parent[block]
    return PageRecord(record.anchor, (block,))
