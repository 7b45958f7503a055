"""Small pages for tests of records and posts. Elements are known by their attribute `k`."""

from collections.abc import Iterable

from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable
from threadmill.page.parse.tree import parse

URL = "https://forum.example.org/t/9"


def outline_of(body: str, title: str = "") -> PageOutline:
    """The outline of a page with this body."""
    page = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
    return PageOutline(parse(page, URL))


def at(outline: PageOutline, key: str) -> int:
    """The element with `k=key`."""
    return next(index for index in range(len(outline)) if outline.attribute(index, "k") == key)


def keys(outline: PageOutline, indices: Iterable[int]) -> list[str]:
    """The keys of elements, or their tags where they have none."""
    return [outline.attribute(index, "k") or outline.tags[index] for index in sorted(indices)]


def table_of(outline: PageOutline, *records: str, dates: tuple[str, ...] = ()) -> RecordTable:
    """A table of records, each with the roots of these keys ("a b"), and of the dates in these elements."""
    found = [tuple(at(outline, key) for key in record.split()) for record in records]
    shown = [PageDate(at(outline, key), outline.text(at(outline, key))) for key in dates]
    return RecordTable(outline, [PageRecord(roots[0], roots) for roots in found], shown)
