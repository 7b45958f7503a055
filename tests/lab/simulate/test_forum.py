from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from threadmill.errors import UsageError
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import PageLocation, PageRequest, as_unix_time
from threadmill.lab.simulate.snapshot import ALL

NOW = as_unix_time("2016-06-01")


def test_a_date_is_its_noon_in_utc() -> None:
    noon = int(datetime(2016, 1, 1, 12, tzinfo=UTC).timestamp())
    assert as_unix_time("2016-01-01") == as_unix_time(date(2016, 1, 1)) == as_unix_time(noon) == noon
    assert as_unix_time("2016-01-01T12:00:01") == noon + 1
    assert as_unix_time("2016-01-01T13:00:00+01:00") == noon
    with pytest.raises(UsageError, match="expected a date such as"):
        as_unix_time("yesterday")


def test_what_does_not_exist_has_no_page() -> None:
    forum = open_forum("harbour", "small")
    for request in (
        PageRequest("board", 1),
        PageRequest("thread", 1),
        PageRequest("post", 1),
        PageRequest("other", what="login"),
    ):
        assert forum.locate(request, NOW) is None
    assert forum.locate(PageRequest("home"), NOW) == PageLocation("home")
    assert open_forum("clearing", "small").locate(PageRequest("home"), NOW) == PageLocation("index", ALL, 0)


def test_pages_may_be_counted_from_the_oldest() -> None:
    forum = open_forum("harbour", "small")
    board = next(iter(forum.at(NOW).boards))
    part, number = forum.at(NOW).listing_slice(board, 0), forum.world.boards[board].number
    newest, oldest = (PageRequest("board", number, from_end=page) for page in (part.pages, 1))
    assert forum.locate(newest, NOW) == PageLocation("index", board, 0)
    assert forum.locate(oldest, NOW) == PageLocation("index", board, part.offset_of(part.pages))


@pytest.mark.parametrize(("name", "found"), [("harbour", True), ("kiosk", False)])
def test_a_page_beyond_the_end_is_the_last_one_or_missing(name: str, found: bool) -> None:
    forum = open_forum(name, "small")
    snapshot = forum.at(NOW)
    board = snapshot.boards[0]
    last = snapshot.listing_slice(board, 0)
    place = forum.locate(PageRequest("board", forum.world.boards[board].number, page=999), NOW)
    assert place == (PageLocation("index", board, last.offset_of(last.pages)) if found else None)


def test_a_post_and_the_last_post_lead_to_their_page() -> None:
    forum = open_forum("harbour", "small")
    snapshot = forum.at(NOW)
    index = max(range(len(forum.world.threads)), key=snapshot.count)
    number, last = forum.world.threads[index].number, snapshot.ranks(index)[-1]
    place = PageLocation("thread", index, snapshot.offset_of_post(index, last))
    assert place.offset > 0
    assert forum.locate(PageRequest("last", number), NOW) == place
    assert forum.locate(PageRequest("post", forum.world.ids[last]), NOW) == place
    assert forum.locate(PageRequest("thread", number, offset=place.offset), NOW) == place
    assert forum.thread_number(PageRequest("post", forum.world.ids[last])) == number
    assert forum.thread_number(PageRequest("thread", 5)) == 5
    assert forum.thread_number(PageRequest("board", 5)) is None


def test_a_few_snapshots_are_kept() -> None:
    forum = open_forum("harbour", "small")
    first = forum.at(NOW)
    assert forum.at(NOW) is first
    for day in range(1, 5):
        forum.at(NOW + day * 86400)
    assert forum.at(NOW) is not first
