"""Finds comments inside posts, as on question-and-answer sites, and adds them as posts of their own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from statistics import median

from threadmill.forum.posts.post_columns import PostColumns, find_post_columns, split_numbered_id
from threadmill.forum.posts.post_records import PageSplit
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

_MIN_COMMENTS = 2  # on a page; fewer do not show what a comment is
_MOST = 0.8  # share of the comments that have a name, a date and words
_MIN_WORDS = 15  # characters of a usual comment; "edited by anna" has no words besides name and date
_MAX_TRIED = 8  # splits, those with the most records first

PostTable = tuple[RecordTable, PostColumns]


def add_comments(posts: PostTable, splits: list[PageSplit], now: datetime) -> PostTable:
    """The posts of a page with the comments inside them as further records, if it has comments."""
    tried = [split.records for split in splits] + _split_by_dates(posts)
    return _add_best(posts, [records for records in tried if len(records) >= _MIN_COMMENTS], now)


def add_numbered_comments(posts: PostTable, now: datetime) -> PostTable:
    """The same for a page alone: only elements with a number in their id may be comments.

    Quotes have names and dates too, but no such ids.
    """
    return _add_best(posts, _split_by_ids(posts), now)


def _add_best(posts: PostTable, splits: list[tuple[PageRecord, ...]], now: datetime) -> PostTable:
    table = posts[0]
    inner = [records for records in splits if _are_inside_posts(posts, records)]
    # A split by the path from the root may find the comments of one post only. So the largest comes first.
    for records in sorted(inner, key=lambda records: -len(records))[:_MAX_TRIED]:
        comments = RecordTable(table.outline, records, table.dates)
        columns = find_post_columns(comments, now)
        if _are_comments(comments, columns):
            return _merge(posts, (comments, columns))
    return posts


def _split_by_ids(posts: PostTable) -> list[tuple[PageRecord, ...]]:
    """Elements inside posts that have a date and a number in their id: one split for each shape of id."""
    table, columns = posts
    outline = table.outline
    around_posts = _elements_around_parts(outline, columns)
    found: dict[str, dict[int, PageRecord]] = defaultdict(dict)
    for date in table.dates:
        for up in _ancestors(outline, date.element) if table.owner[date.element] >= 0 else ():
            if up in around_posts:
                break
            if (
                (name := split_numbered_id(table, up))
                and outline.text_length(up) > len(date.text)
                and not _is_id_of_post(table, up, name[1])
            ):
                found[name[0]].setdefault(up, PageRecord(date.element, (up,)))
    return [tuple(records.values()) for records in found.values() if len(records) >= _MIN_COMMENTS]


def _is_id_of_post(table: RecordTable, index: int, number: str) -> bool:
    """Whether another element of the post has the same number in its id."""
    members = table.members[table.owner[index]]
    return any(
        (name := split_numbered_id(table, other)) is not None and name[1] == number
        for other in members
        if not table.outline.is_under(other, index)
    )


def _split_by_dates(posts: PostTable) -> list[tuple[PageRecord, ...]]:
    """Splits by dates inside posts that are not the dates of the posts: one for each kind of element.

    All records of a split reach equally far up from their date: as far as none of them holds another of the
    dates or a part of a post. A post with one comment does not show where it ends. A post with two does.
    """
    table, columns = posts
    outline = table.outline
    kinds: dict[str, list[int]] = defaultdict(list)
    for date in table.dates:
        number = table.owner[date.element]
        if number >= 0 and not any(outline.is_under(date.element, part) for part in _parts(columns, number)):
            kinds[outline.kind(date.element)].append(date.element)
    around_posts = _elements_around_parts(outline, columns)
    splits = []
    for dates in kinds.values():
        ancestors = [list(_ancestors(outline, date)) for date in dates]
        shared = {up for up, count in Counter(up for ups in ancestors for up in ups).items() if count > 1}
        level = min(_free_levels(ups, shared | around_posts) for ups in ancestors)
        if level:
            splits.append(
                tuple(PageRecord(date, (ups[level - 1],)) for date, ups in zip(dates, ancestors, strict=True))
            )
    return splits


def _free_levels(ancestors: list[int], taken: set[int]) -> int:
    """How many ancestors come before the first that is taken."""
    return next((level for level, up in enumerate(ancestors) if up in taken), len(ancestors))


def _ancestors(outline: PageOutline, index: int) -> Iterator[int]:
    """The elements around an element, nearest first."""
    index = outline.parent[index]
    while index >= 0:
        yield index
        index = outline.parent[index]


def _elements_around_parts(outline: PageOutline, columns: PostColumns) -> set[int]:
    """The elements that hold the body, author or date of a post."""
    return {
        up
        for number in columns.bodies
        for part in _parts(columns, number)
        for up in _ancestors(outline, part)
    }


def _are_inside_posts(posts: PostTable, records: tuple[PageRecord, ...]) -> bool:
    """Whether records stand inside posts, beside their bodies, and hold no part of a post."""
    table, columns = posts
    outline = table.outline
    for record in records:
        number = table.owner[record.start]
        if number < 0 or any(root in table.roots for root in record.roots):
            return False
        if any(record.holds(outline, part) for part in _parts(columns, number)):
            return False
        body = columns.bodies.get(number)
        if body is not None and outline.is_under(record.start, body):
            return False
    return True


def _parts(columns: PostColumns, number: int) -> Iterator[int]:
    """The elements of the body, author and date of a post."""
    if number in columns.bodies:
        yield columns.bodies[number]
    if number in columns.authors:
        yield columns.authors[number].element
    if number in columns.dates:
        yield columns.dates[number].element


def _are_comments(table: RecordTable, columns: PostColumns) -> bool:
    """Whether most records have a name, a date and words of their own, and the words differ."""
    enough = _MOST * len(table.records)
    if min(len(columns.bodies), len(columns.authors), len(columns.dates)) < enough:
        return False
    outline = table.outline
    lengths = [_own_length(outline, columns, number) for number in columns.bodies]
    texts = {outline.text(body, 200) for body in columns.bodies.values()}
    return median(lengths) >= _MIN_WORDS and len(texts) >= enough


def _own_length(outline: PageOutline, columns: PostColumns, number: int) -> int:
    """The length of the body of a comment without its author and date."""
    body = columns.bodies[number]
    others = [part for part in _parts(columns, number) if part != body and outline.is_under(part, body)]
    return outline.unlinked_length(body) - sum(outline.unlinked_length(part) for part in others)


def _merge(posts: PostTable, comments: PostTable) -> PostTable:
    """Posts and comments in one table, in the order of the page."""
    records = [
        (record, columns, number)
        for table, columns in (posts, comments)
        for number, record in enumerate(table.records)
    ]
    records.sort(key=lambda item: item[0].start)
    merged = PostColumns()
    for place, (_, columns, number) in enumerate(records):
        for target, source in (
            (merged.bodies, columns.bodies),
            (merged.authors, columns.authors),
            (merged.dates, columns.dates),
            (merged.links, columns.links),
            (merged.ids, columns.ids),
        ):
            if number in source:
                target[place] = source[number]  # type: ignore[assignment]
    table = posts[0]
    return RecordTable(table.outline, [record for record, _, _ in records], table.dates), merged
