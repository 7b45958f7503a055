"""Comments inside posts (sites of questions): records that stand in other records, beside the body."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from statistics import median

from threadmill.forum.posts.post_columns import PostColumns, find_post_columns, split_numbered_id
from threadmill.forum.posts.post_records import PageSplit
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

_FEWEST = 2  # comments on a page that show what a comment is
_WHOLE = 0.8  # of the comments have a name, a date and words
_MIN_WORDS = 15  # characters of a comment; "edited by anna" has none of its own
_MAX_TRIED = 8  # ways to cut, those with the most records first

Page = tuple[RecordTable, PostColumns]


def add_comments(page: Page, ways: list[PageSplit], now: datetime) -> Page:
    """The page with its comments as records among the others, where it has such."""
    found_ways = [way.records for way in ways] + _ways_by_dates(page)
    return _with_best(page, [records for records in found_ways if len(records) >= _FEWEST], now)


def add_numbered_comments(page: Page, now: datetime) -> Page:
    """The same for a page alone: quotations have names and dates too, but no numbers of their own."""
    return _with_best(page, _ways_by_numbers(page), now)


def _with_best(page: Page, ways: list[tuple[PageRecord, ...]], now: datetime) -> Page:
    table = page[0]
    inner = [records for records in ways if _are_inner(page, records)]
    # A way by the whole path from the root may find the comments of one post only: the most come first.
    for records in sorted(inner, key=lambda records: -len(records))[:_MAX_TRIED]:
        cut = RecordTable(table.outline, records, table.dates)
        found = find_post_columns(cut, now)
        if _are_comments(cut, found):
            return _merge(page, (cut, found))
    return page


def _ways_by_numbers(page: Page) -> list[tuple[PageRecord, ...]]:
    """The elements with a number in their id, standing in a post with a date of their own, by id."""
    table, columns = page
    outline = table.outline
    posts = {
        up for number in columns.bodies for part in _parts(columns, number) for up in _above(outline, part)
    }
    found: dict[str, dict[int, PageRecord]] = defaultdict(dict)
    for cell in table.dates:
        for up in _above(outline, cell.element) if table.owner[cell.element] >= 0 else ():
            if up in posts:
                break
            if (
                (name := split_numbered_id(table, up))
                and outline.text_length(up) > len(cell.text)
                and not _names_its_post(table, up, name[1])
            ):
                found[name[0]].setdefault(up, PageRecord(cell.element, (up,)))
    return [tuple(records.values()) for records in found.values() if len(records) >= _FEWEST]


def _names_its_post(table: RecordTable, index: int, number: str) -> bool:
    """Whether something else in the post has the number too: then it is the number of the post."""
    members = table.members[table.owner[index]]
    return any(
        (name := split_numbered_id(table, other)) is not None and name[1] == number
        for other in members
        if not table.outline.is_under(other, index)
    )


def _ways_by_dates(page: Page) -> list[tuple[PageRecord, ...]]:
    """Cuts by the dates that stand in posts and are not theirs, one for each kind of element that says them.

    From the date up as far as all of them can go without meeting another one, or a part of the post: a post
    with one comment shows no boundary, one with two does for all.
    """
    table, columns = page
    outline = table.outline
    kinds: dict[str, list[int]] = defaultdict(list)
    for cell in table.dates:
        number = table.owner[cell.element]
        if number >= 0 and not any(outline.is_under(cell.element, part) for part in _parts(columns, number)):
            kinds[outline.kind(cell.element)].append(cell.element)
    posts = {
        up for number in columns.bodies for part in _parts(columns, number) for up in _above(outline, part)
    }
    ways = []
    for dates in kinds.values():
        above = [list(_above(outline, date)) for date in dates]
        shared = {up for up, count in Counter(up for ups in above for up in ups).items() if count > 1}
        level = min(_free_steps(ups, shared | posts) for ups in above)
        if level:
            ways.append(
                tuple(PageRecord(date, (ups[level - 1],)) for date, ups in zip(dates, above, strict=True))
            )
    return ways


def _free_steps(above: list[int], taken: set[int]) -> int:
    """How many elements around a date hold nothing else."""
    return next((steps for steps, up in enumerate(above) if up in taken), len(above))


def _above(outline: PageOutline, index: int) -> Iterator[int]:
    """The elements around one, from the nearest."""
    index = outline.parent[index]
    while index >= 0:
        yield index
        index = outline.parent[index]


def _are_inner(page: Page, records: tuple[PageRecord, ...]) -> bool:
    """Whether records stand in others, and hold none of what makes the others posts."""
    table, columns = page
    outline = table.outline
    for record in records:
        number = table.owner[record.start]
        if number < 0 or any(root in table.roots for root in record.roots):
            return False
        parts = list(_parts(columns, number))
        if any(record.holds(outline, part) for part in parts):
            return False
        body = columns.bodies.get(number)
        if body is not None and outline.is_under(record.start, body):
            return False
    return True


def _parts(columns: PostColumns, number: int) -> Iterator[int]:
    if number in columns.bodies:
        yield columns.bodies[number]
    if number in columns.authors:
        yield columns.authors[number].element
    if number in columns.dates:
        yield columns.dates[number].element


def _are_comments(table: RecordTable, columns: PostColumns) -> bool:
    enough = _WHOLE * len(table.records)
    if min(len(columns.bodies), len(columns.authors), len(columns.dates)) < enough:
        return False
    outline = table.outline
    lengths = [_own_length(outline, columns, number) for number in columns.bodies]
    texts = {outline.text(body, 200) for body in columns.bodies.values()}
    return median(lengths) >= _MIN_WORDS and len(texts) >= enough


def _own_length(outline: PageOutline, columns: PostColumns, number: int) -> int:
    """The words of a comment without its name and date."""
    body = columns.bodies[number]
    others = [part for part in _parts(columns, number) if part != body and outline.is_under(part, body)]
    return outline.unlinked_length(body) - sum(outline.unlinked_length(part) for part in others)


def _merge(outer: Page, inner: Page) -> Page:
    """Both kinds of records in the page's order."""
    parts = [
        (record, page, number) for page in (outer, inner) for number, record in enumerate(page[0].records)
    ]
    parts.sort(key=lambda part: part[0].start)
    columns = PostColumns()
    for place, (_, (_, theirs), number) in enumerate(parts):
        for mine, cells in (
            (columns.bodies, theirs.bodies),
            (columns.authors, theirs.authors),
            (columns.dates, theirs.dates),
            (columns.links, theirs.links),
            (columns.ids, theirs.ids),
        ):
            if number in cells:
                mine[place] = cells[number]  # type: ignore[assignment]
    table = outer[0]
    return RecordTable(table.outline, [record for record, _, _ in parts], table.dates), columns
