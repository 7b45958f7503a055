"""What "not modified" is worth, page by page, without a network."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.empty_store import put_empty_store
from threadmill.crawl.fetch.client import FetchResult, Request
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge, SiteSignals
from threadmill.crawl.forum.page_requests import (
    LIE,
    Condition,
    ConditionalRequests,
    FetchedPage,
    Weight,
    archive_result,
    page_from_archive,
    site_time,
)
from threadmill.crawl.forum.rows.row_knowledge import Votes
from threadmill.crawl.forum.rows.row_state import SURELY_CHANGED
from threadmill.forum.index.rows import IndexOrder
from threadmill.forum.paging.thread_walk import ThreadWalk
from threadmill.forum.site_model.model import ForumModel
from threadmill.store import Store, open_store
from threadmill.store.crawl.captures import CaptureRow, add_captures
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import BoardState, add_board, change_board, find_board, keep_forum
from threadmill.store.forum.threads import ThreadState, add_thread, change_thread, find_thread
from threadmill.types import Capture, Exchange, Location

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ENTRY = "https://f.example/"
LAST = "https://f.example/t/1?page=3"
BOARD = "https://f.example/b/1"
PROVED = {"thread proof": 2, "index proof": 2, "entry change": 2}
OURS = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(put_empty_store(tmp_path / "store.sqlite"))
    with opened.writing() as connection:
        job = find_or_add_job(connection, "forum", ENTRY, "forum", NOW)
        keep_forum(connection, job.id, ENTRY, {}, NOW)
        change_board(connection, add_board(connection, 1, BOARD, "Board", None), visited=NOW)
        thread = add_thread(
            connection, forum=1, board=1, key="t1", url="https://f.example/t/1", title="Title", posts=50
        )
        change_thread(connection, thread, last_page=LAST)
    yield opened
    opened.close()


def _knowledge(votes: dict[str, int] | None = None) -> ForumKnowledge:
    site = SiteSignals(validators=Votes(Counter(votes or {})))
    model = ForumModel(ENTRY, index_order=IndexOrder.ACTIVITY)
    return ForumKnowledge(LayoutKnowledge(model), site=site)


def _row(url: str, hours: int = 0, status: int = 200, **changes: Any) -> CaptureRow:
    values = {"digest": f"sha1:{hours}", "etag": '"a"', **changes}
    return CaptureRow(1, url, NOW + timedelta(hours=hours), status, **values)


def _keep(store: Store, *rows: CaptureRow) -> None:
    with store.writing() as connection:
        add_captures(connection, rows)


def _thread(store: Store, url: str = LAST, *, sure: bool = False, **walk: Any) -> ThreadState:
    with store.writing() as connection:
        change_thread(
            connection, 1, due=url, walk=ThreadWalk(url, **walk).as_dict(), said={SURELY_CHANGED: sure}
        )
        return find_thread(connection, 1)


def _board(store: Store, **changes: Any) -> BoardState:
    with store.writing() as connection:
        change_board(connection, 1, due=BOARD, **changes)
        board = find_board(connection, 1, BOARD)
    assert board is not None
    return board


def _of(store: Store, knowledge: ForumKnowledge, task: BoardState | ThreadState) -> Condition:
    return ConditionalRequests(store, 1, 1, knowledge).condition_for(task)


def test_a_page_never_read_is_asked_for_plainly(store: Store) -> None:
    assert not _of(store, _knowledge(PROVED), _thread(store)).sent


def test_a_row_that_moved_makes_the_request_a_proof(store: Store) -> None:
    _keep(store, _row(LAST, last_modified="Fri, 01 May 2026 00:00:00 GMT"))
    found = _of(store, _knowledge(), _thread(store, sure=True))
    assert (found.weight, found.request.etag) == (Weight.PROOF, '"a"')
    assert found.request.last_modified == "Fri, 01 May 2026 00:00:00 GMT"


def test_rows_that_are_wrong_themselves_prove_nothing(store: Store) -> None:
    _keep(store, _row(LAST))
    assert _of(store, _knowledge({"thread vain": 1}), _thread(store, sure=True)).sent
    assert not _of(store, _knowledge({"thread vain": 2}), _thread(store, sure=True)).sent
    assert _of(store, _knowledge({"thread vain": 2, "thread proof": 2}), _thread(store, sure=True)).sent


def test_an_open_question_is_asked_conditionally_after_proofs_only(store: Store) -> None:
    _keep(store, _row(LAST), _row(BOARD))
    for task in (_thread(store), _board(store)):
        assert not _of(store, _knowledge(), task).sent
        assert not _of(store, _knowledge({"entry change": 9}), task).sent
        assert _of(store, _knowledge(PROVED), task).weight is Weight.BELIEVED


def test_one_kind_of_page_does_not_speak_for_another(store: Store) -> None:
    _keep(store, _row(BOARD))
    assert not _of(store, _knowledge({"thread proof": 9}), _board(store)).sent


def test_only_the_last_page_read_of_a_thread_tells_that_nothing_follows(store: Store) -> None:
    middle = "https://f.example/t/1?page=2"
    _keep(store, _row(middle))
    assert not _of(store, _knowledge(PROVED), _thread(store, middle)).sent


def test_a_walk_under_way_is_not_asked_conditionally(store: Store) -> None:
    _keep(store, _row(LAST))
    assert not _of(store, _knowledge(PROVED), _thread(store, first=False)).sent
    assert not _of(store, _knowledge(PROVED), _board(store, page=1)).sent


def test_each_fourth_look_is_a_control(store: Store) -> None:
    _keep(store, _row(LAST))
    seen = []
    for hours in range(1, 5):
        seen.append(_of(store, _knowledge(PROVED), _thread(store)).sent)
        _keep(store, _row(LAST, hours, 304 if seen[-1] else 200))
    assert seen == [True, True, True, False]
    assert _of(store, _knowledge(PROVED), _thread(store)).sent


def test_a_liar_is_not_asked_again(store: Store) -> None:
    _keep(store, _row(LAST))
    assert not _of(store, _knowledge({**PROVED, LIE: 1}), _thread(store, sure=True)).sent


@pytest.mark.parametrize(
    ("denied", "now", "news", "votes"),
    [
        (False, {"etag": '"b"'}, 1, {"thread proof": 1}),
        (False, {"etag": '"b"'}, 0, {}),  # a page may change without news
        (False, {}, 1, {LIE: 1}),
        (False, {}, 0, {}),
        (True, {"etag": '"b"'}, 1, {LIE: 1}),
        (True, {"etag": '"b"'}, 0, {"thread vain": 1}),  # the row was wrong, not the site
        (True, {"digest": "sha1:0"}, 1, {}),  # the same page, read in another way
    ],
)
def test_what_came_is_held_against_its_validators(
    store: Store, denied: bool, now: dict[str, Any], news: int, votes: dict[str, int]
) -> None:
    _keep(store, _row(LAST))
    knowledge = _knowledge()
    asking = ConditionalRequests(store, 1, 1, knowledge)
    condition = asking.condition_for(_thread(store, sure=True))
    with store.writing() as connection:
        asking.record(
            connection, condition.without_validators() if denied else condition, _row(LAST, 1, **now), news
        )
    assert knowledge.site.validators.votes == votes


def test_after_a_lie_everything_that_was_believed_is_due(store: Store) -> None:
    """Their rows will not say again that they have changed."""
    _keep(store, _row(LAST), _row(BOARD), _row(ENTRY))
    _keep(store, _row(LAST, 1, 304), _row(BOARD, 1, 304))
    knowledge = _knowledge(PROVED)
    asking = ConditionalRequests(store, 1, 1, knowledge)
    other = Condition(asking.condition_for(_board(store)).request, "entry", _row(ENTRY))
    with store.writing() as connection:
        change_thread(connection, 1, due=None, walk={})
        change_board(connection, 1, due=None)
        asking.record(connection, other, _row(ENTRY, 2), news=1)
        board = find_board(connection, 1, BOARD)
        assert board is not None
        assert (board.due, find_thread(connection, 1).due) == (BOARD, LAST)
        assert find_thread(connection, 1).walk["overlap"]


@pytest.mark.parametrize(
    ("said", "moment"),
    [
        ("Fri, 31 Jan 2025 23:00:05 GMT", datetime(2025, 1, 31, 23, 0, 5, tzinfo=UTC)),
        ("Fri, 31 Jan 2025 23:00:05 +0100", datetime(2025, 1, 31, 22, 0, 5, tzinfo=UTC)),
        ("Fri, 31 Jan 2025 23:00:05 -0000", datetime(2025, 1, 31, 23, 0, 5, tzinfo=UTC)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", OURS),
        ("now", OURS),
        ("", OURS),
    ],
)
def test_the_time_at_the_site_is_what_its_date_header_says_if_that_makes_sense(
    said: str, moment: datetime
) -> None:
    capture = Capture("https://f.example/", OURS, 200, (("Date", said),), b"", "http")
    assert site_time(capture) == moment


@pytest.mark.parametrize(
    ("status", "kind", "readable"),
    [
        (200, "text/html", True),
        (299, "application/xhtml+xml", True),
        (199, "text/html", False),
        (300, "text/html", False),
        (200, "application/json", False),
    ],
)
def test_a_page_is_readable_if_it_is_html_and_came_well(status: int, kind: str, readable: bool) -> None:
    capture = Capture(ENTRY, NOW, status, (("Content-Type", kind),), b"", "http")
    assert FetchedPage(ENTRY, capture, ()).readable is readable


def test_only_a_conditional_request_can_be_unmodified() -> None:
    capture = Capture(ENTRY, NOW, 304, (), b"", "http")
    plain, asked = Condition(Request(ENTRY)), Condition(Request(ENTRY, etag="a"))
    assert not FetchedPage(ENTRY, capture, ()).unmodified
    assert not FetchedPage(ENTRY, capture, (), plain).unmodified
    assert FetchedPage(ENTRY, capture, (), asked).unmodified
    assert not FetchedPage(ENTRY, replace(capture, status=200), (), asked).unmodified


def test_every_exchange_of_a_fetch_has_a_row(store: Store) -> None:
    exchanges = tuple(
        Exchange(f"{ENTRY}{number}", NOW, b"", 302 - 102 * number, "", (), b"", "", "") for number in range(2)
    )
    capture = Capture(f"{ENTRY}1", NOW, 200, (), b"", "http")
    result = FetchResult(Request(f"{ENTRY}0"), exchanges, capture, not_modified=False)
    page = archive_result(store, None, 1, result)
    assert (page.asked, page.capture) == (f"{ENTRY}0", capture)
    assert [(row.url, row.status, row.job) for row in page.rows] == [
        (f"{ENTRY}0", 302, 1),
        (f"{ENTRY}1", 200, 1),
    ]


def _archived(
    status: int = 200, body: bytes = b"<p>words</p>", truncated: str = "", **headers: str
) -> Exchange:
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    at = datetime(2026, 11, 15, tzinfo=UTC)
    return Exchange("https://f.example/t/1", at, b"", status, "", pairs, body, truncated=truncated)


def test_a_whole_page_of_the_archive_is_the_page_of_its_first_url() -> None:
    redirect = replace(_archived(301, b""), url="https://f.example/first")
    where = Location("1.warc.gz", 5, 90, "")
    page = page_from_archive(3, [(where, redirect), (where, _archived())], 1000)
    assert page is not None
    assert (page.asked, page.capture.url) == ("https://f.example/first", "https://f.example/t/1")
    assert (page.capture.payload, page.capture.source) == (b"<p>words</p>", "archive")
    assert [(row.job, row.url, row.offset) for row in page.rows] == [
        (3, "https://f.example/first", 5),
        (3, "https://f.example/t/1", 5),
    ]


@pytest.mark.parametrize(
    "exchange",
    [
        _archived(404),
        _archived(body=b""),
        _archived(truncated="disconnect"),
        _archived(body=b"no gzip", content_encoding="gzip"),
    ],
    ids=["no page", "empty", "cut", "damaged"],
)
def test_half_a_page_of_the_archive_is_none(exchange: Exchange) -> None:
    assert page_from_archive(3, [(Location("", 0, 0, ""), exchange)], 1000) is None


def test_a_board_of_unknown_order_is_asked_without_condition(store: Store) -> None:
    _keep(store, _row(BOARD))
    known = _knowledge(PROVED)
    unknown = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)), site=known.site)
    assert _of(store, known, _board(store)).sent
    assert not _of(store, unknown, _board(store)).sent
