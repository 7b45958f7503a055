"""Reading thread pages into a store, page by page, without a network."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from tests.empty_store import put_empty_store
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge, SearchLevel
from threadmill.crawl.forum.rows.row_state import EXCESS, SEEN_AT, RowState
from threadmill.crawl.forum.thread_visit import MAX_EMPTY_VISITS, ThreadVisit, _following
from threadmill.forum.paging.pager import Paging
from threadmill.forum.paging.thread_walk import ThreadWalk
from threadmill.forum.read_page import PostOrder, ThreadPage
from threadmill.forum.site_model.model import ForumModel
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import add_board, keep_forum
from threadmill.store.forum.posts import post, wording
from threadmill.store.forum.threads import ThreadState, add_thread, change_thread, find_thread
from threadmill.types import Moment, Post, Precision

NOW = datetime(2026, 5, 1, tzinfo=UTC)
URL = "https://f.example/t/1"


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    store = open_store(put_empty_store(tmp_path / "store.sqlite"))
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", "https://f.example/", "forum", NOW)
        keep_forum(connection, job.id, "https://f.example/", {}, NOW)
        add_board(connection, 1, "https://f.example/b/1", "Board", None)
        yield connection
    store.close()


def _knowledge(**changes: Any) -> ForumKnowledge:
    return ForumKnowledge(LayoutKnowledge(ForumModel("https://f.example/")), **changes)


def _thread(connection: Connection, key: str = "t1", title: str = "Title", url: str = URL) -> ThreadState:
    number = add_thread(
        connection, forum=1, board=1, key=key, url=url, title=title, due=url, walk=ThreadWalk(url).as_dict()
    )
    return find_thread(connection, number)


def _post(number: int, text: str = "", *, numbered: bool = True) -> Post:
    moment = Moment(date(2026, 4, number), time(12, 0), precision=Precision.MINUTE)
    return Post(
        text=text or f"text of post {number}",
        html=text,
        author=f"author {number % 3}",
        date=moment,
        post_id=str(100 + number) if numbered else None,
    )


def _page(*posts: Post, **paging: Any) -> ThreadPage:
    return ThreadPage(posts=posts, paging=Paging(**paging))


def _take(
    connection: Connection, knowledge: ForumKnowledge, number: int, page: ThreadPage, url: str = URL
) -> Any:
    return ThreadVisit(connection, knowledge).take(find_thread(connection, number), page, url, NOW)


def test_a_page_is_kept_and_the_walk_goes_on_to_the_next(connection: Connection) -> None:
    state = _thread(connection)
    news = _take(connection, _knowledge(), state.id, _page(_post(1), _post(2), next=f"{URL}?p=2", number=1))
    after = find_thread(connection, state.id)
    assert (news.new, news.finished) == (2, False)
    assert (after.posts, after.due) == (2, f"{URL}?p=2")


def test_a_page_seen_again_brings_nothing_and_ends_the_walk(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    page = _page(_post(1), _post(2))
    _take(connection, knowledge, state.id, page)
    news = _take_again(connection, knowledge, state.id, page)
    assert (news.new, news.edited, news.vanished, news.finished) == (0, 0, 0, True)
    assert find_thread(connection, state.id).posts == 2


def _take_again(connection: Connection, knowledge: ForumKnowledge, number: int, page: ThreadPage) -> Any:
    change_thread(connection, number, due=URL, walk=ThreadWalk(URL, overlap=True).as_dict())
    return _take(connection, knowledge, number, page)


def test_a_post_that_others_surround_no_more_is_marked(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    _take(connection, knowledge, state.id, _page(*(_post(n) for n in range(1, 6))))
    news = _take_again(connection, knowledge, state.id, _page(_post(1), _post(2), _post(4), _post(5)))
    gone = connection.execute(select(post.c.post_id).where(post.c.vanished.is_not(None))).scalars().all()
    assert news.vanished == 1
    assert gone == ["103"]
    assert find_thread(connection, state.id).posts == 4


def test_the_last_post_of_a_thread_is_missed_on_its_last_page(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    _take(connection, knowledge, state.id, _page(*(_post(n) for n in range(1, 5))))
    assert _take_again(connection, knowledge, state.id, _page(_post(1), _post(2), _post(3))).vanished == 1


def test_a_post_that_moved_to_the_page_before_is_not_taken_for_vanished(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    knowledge.layout.page_size.add(3)
    first, second = f"{URL}?p=1", f"{URL}?p=2"
    _take(connection, knowledge, state.id, _page(_post(1), _post(2), _post(3), next=second, number=1), first)
    _take(
        connection, knowledge, state.id, _page(_post(4), _post(5), _post(6), number=2, previous=first), second
    )
    # Posts 1 and 2 were deleted: the second page now begins with post 6, and 4 and 5 stand on the first.
    page = _page(_post(6), _post(7), _post(8), number=2, previous=first)
    assert _take_again(connection, knowledge, state.id, page).vanished == 0
    again = _page(_post(6), _post(7), _post(8), _post(9), number=2, previous=first)
    assert _take_again(connection, knowledge, state.id, again).vanished == 0


def test_posts_of_page_one_are_not_vanished_where_page_two_repeats_the_question_and_its_comments(
    connection: Connection,
) -> None:
    """Positions are unsure while a thread is read again. Then 3 to 6 seemed to be missing on page 2."""
    state, knowledge = _thread(connection), _knowledge()
    question, comment = _post(1), replace(_post(2), parent="101")
    answers = [_post(number) for number in range(3, 7)]
    _take(connection, knowledge, state.id, _page(question, comment, *answers))
    second = f"{URL}?p=2"
    page = _page(question, comment, *answers, _post(7), next=second, number=1)
    assert _take_again(connection, knowledge, state.id, page).vanished == 0
    page = _page(question, comment, _post(8), previous=URL, number=2)
    assert _take(connection, knowledge, state.id, page, second).vanished == 0


def test_posts_between_are_not_vanished_where_the_last_page_repeats_the_question_and_names_no_other_page(
    connection: Connection,
) -> None:
    state, knowledge = _thread(connection), _knowledge()
    question = [_post(1), *(replace(_post(n), parent="101") for n in (2, 3))]
    pages = [URL, f"{URL}?p=2", f"{URL}?p=3"]
    for shown, url in (((4, 5), pages[0]), ((6, 7), pages[1]), ((8, 9), pages[2]), ((8, 9, 10), pages[2])):
        walk = ThreadWalk(URL, overlap=True, first=url == URL)
        change_thread(connection, state.id, due=url, walk=walk.as_dict())
        _take(connection, knowledge, state.id, _page(*question, *map(_post, shown)), url)
    held = connection.execute(select(post.c.post_id).where(post.c.vanished.is_(None))).scalars().all()
    assert len(held) == 10


def test_an_opening_post_that_is_repeated_on_each_page_keeps_its_place(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    second = f"{URL}?p=2"
    _take(connection, knowledge, state.id, _page(*(_post(n) for n in range(1, 5)), next=second, number=1))
    news = _take(connection, knowledge, state.id, _page(_post(1), _post(5), previous=URL, number=2), second)
    assert (news.new, news.vanished) == (1, 0)
    more = _page(_post(1), _post(5), _post(6), previous=URL, number=2)
    assert _take_again(connection, knowledge, state.id, more).vanished == 0
    places = {
        row.post_id: row.position for row in connection.execute(select(post.c.post_id, post.c.position))
    }
    assert places["101"] == 1


def test_a_post_without_a_number_is_known_again_after_it_was_edited(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    _take(connection, knowledge, state.id, _page(_post(1, numbered=False), _post(2, numbered=False)))
    edited = _page(_post(1, "another text", numbered=False), _post(2, numbered=False))
    news = _take_again(connection, knowledge, state.id, edited)
    assert (news.new, news.edited) == (0, 1)


def test_the_old_version_of_an_edited_post_is_kept_beside_the_new_one(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    _take(connection, knowledge, state.id, _page(_post(1, "first words"), _post(2)))
    news = _take_again(connection, knowledge, state.id, _page(_post(1, "better words"), _post(2)))
    assert (news.new, news.edited) == (0, 1)
    assert connection.execute(select(wording.c.text)).scalars().all() == ["first words"]
    kept = connection.execute(select(post.c.text).where(post.c.post_id == "101")).scalar_one()
    assert kept == "better words"


def test_after_a_relaunch_a_renamed_thread_is_known_by_its_posts(connection: Connection) -> None:
    old, knowledge = _thread(connection), _knowledge(relaunched=True)
    _take(connection, knowledge, old.id, _page(*(_post(n) for n in range(1, 4))))
    new = _thread(connection, "t2", "Title [solved]", "https://f.example/topic/1")
    page = _page(*(_post(n, numbered=False) for n in range(1, 5)))
    visit = ThreadVisit(connection, knowledge)
    state = visit.known_before(1, new, page)
    assert state.id == old.id
    news = visit.take(state, page, "https://f.example/topic/1", NOW)
    assert news.new == 1
    assert len(connection.execute(select(post.c.id)).all()) == 4


@pytest.mark.parametrize(
    ("title", "listed", "first", "same"),
    [
        ("Title", False, 1, True),
        ("Title", True, 1, False),  # both stand in the list
        ("Other", False, 1, False),
        ("Title", False, 3, False),  # begins with another post: it may have been split off
    ],
)
def test_a_thread_may_have_another_url_after_each_answer(
    connection: Connection, title: str, listed: bool, first: int, same: bool
) -> None:
    old, knowledge = _thread(connection, title=title), _knowledge()
    _take(connection, knowledge, old.id, _page(*(_post(n) for n in range(1, 5))))
    new = _thread(connection, "t2", "Title", "https://f.example/post/5")
    if not listed:
        change_thread(connection, new.id, said={SEEN_AT: "2026-05-02T10:00:00"})
    page = _page(*(_post(n) for n in range(first, 6)))
    found = ThreadVisit(connection, knowledge).known_before(1, find_thread(connection, new.id), page)
    assert (found.id == old.id) is same


def test_another_thread_with_the_same_phrase_is_not_taken_for_it(connection: Connection) -> None:
    old, knowledge = _thread(connection), _knowledge(relaunched=True)
    _take(connection, knowledge, old.id, _page(*(_post(n) for n in range(1, 6))))
    new = _thread(connection, "t2", "Other", "https://f.example/topic/2")
    page = _page(_post(1, numbered=False), *(_post(n, f"new {n}", numbered=False) for n in range(11, 16)))
    assert ThreadVisit(connection, knowledge).known_before(1, new, page).id == new.id


def test_a_predicted_page_that_is_not_there_is_looked_for_at_the_last_known_one_and_then_at_the_first(
    connection: Connection,
) -> None:
    state, knowledge = _thread(connection), _knowledge()
    second = f"{URL}?p=2"
    _take(connection, knowledge, state.id, _page(_post(1), _post(2), next=second, number=1))
    _take(connection, knowledge, state.id, _page(_post(3), _post(4), previous=URL, number=2, count=2), second)
    predicted = ThreadWalk(f"{URL}?p=3", 3)
    change_thread(connection, state.id, due=predicted.url, walk=predicted.as_dict())
    _take(connection, knowledge, state.id, _page(), predicted.url)
    assert find_thread(connection, state.id).due == second
    assert ThreadVisit(connection, knowledge).fall_back(find_thread(connection, state.id))
    assert find_thread(connection, state.id).due == URL
    assert not ThreadVisit(connection, knowledge).fall_back(find_thread(connection, state.id))


def test_a_forum_that_shows_more_posts_a_page_is_followed(connection: Connection) -> None:
    knowledge = _knowledge()
    visit = ThreadVisit(connection, knowledge)
    for size in [10] * 300 + [20] * 12:
        visit._record_page_size(_page(*[_post(1)] * size, next=URL), size)
    assert knowledge.layout.posts_per_page == 20


def test_a_post_repeated_on_each_page_takes_no_room_from_the_others(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    pages = [f"{URL}?p={number}" for number in (1, 2, 3, 4)]
    _take(connection, knowledge, state.id, _page(*(_post(n) for n in range(1, 5)), next=pages[1], number=1))
    for number in (2, 3):
        own = [_post(n) for n in range(3 * number - 1, 3 * number + 2)]
        turn = {"next": pages[number], "previous": pages[number - 2], "number": number}
        assert (
            _take(connection, knowledge, state.id, _page(_post(1), *own, **turn), pages[number - 1]).new == 3
        )
    assert (knowledge.layout.posts_on_first_page, knowledge.layout.posts_per_page) == (4, 3)
    places = connection.execute(select(post.c.position).order_by(post.c.date)).scalars()
    assert list(places) == list(range(1, 11))


def test_a_repeated_post_does_not_hide_that_older_ones_are_unseen(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    _take(
        connection, knowledge, state.id, _page(*(_post(n) for n in range(1, 5)), next=f"{URL}?p=2", number=1)
    )
    walk = ThreadWalk(f"{URL}?p=3", 3, overlap=True)
    change_thread(connection, state.id, due=walk.url, walk=walk.as_dict())
    page = _page(_post(1), _post(8), _post(9), previous=f"{URL}?p=2", number=3)
    _take(connection, knowledge, state.id, page, walk.url)
    assert find_thread(connection, state.id).due == f"{URL}?p=2"


@pytest.mark.parametrize("newest_first", [True, False])
def test_an_opening_post_above_the_newest_ones_does_not_hide_that_older_ones_are_unseen(
    connection: Connection, newest_first: bool
) -> None:
    state, knowledge = _thread(connection), _knowledge()
    order = PostOrder.DESCENDING if newest_first else PostOrder.ASCENDING
    knowledge.layout.model = replace(knowledge.layout.model, post_order=order)
    _take(connection, knowledge, state.id, _page(_post(1), _post(3), _post(2)))
    page = _page(_post(1), _post(9), _post(8), _post(7), next=f"{URL}?p=2", number=1)
    _take_again(connection, knowledge, state.id, page)
    assert find_thread(connection, state.id).due == f"{URL}?p=2"


def test_positions_hold_after_a_second_visit_where_the_newest_posts_come_first(
    connection: Connection,
) -> None:
    state, knowledge = _thread(connection), _knowledge()
    knowledge.layout.model = replace(knowledge.layout.model, post_order=PostOrder.DESCENDING)
    _take(connection, knowledge, state.id, _page(_post(3), _post(2), _post(1)))
    _take_again(connection, knowledge, state.id, _page(_post(5), _post(4), _post(3), _post(2), _post(1)))
    rows = connection.execute(select(post.c.post_id, post.c.position).order_by(post.c.post_id)).all()
    assert [tuple(row) for row in rows] == [(str(100 + place), place) for place in (1, 2, 3, 4, 5)]


def test_a_page_without_posts_stays_due_until_it_came_too_often(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    for _ in range(MAX_EMPTY_VISITS - 1):
        _take(connection, knowledge, state.id, _page())
        assert find_thread(connection, state.id).due == URL
    _take(connection, knowledge, state.id, _page())
    assert find_thread(connection, state.id).due is None


def test_a_later_page_without_posts_brings_nothing_and_loses_nothing(connection: Connection) -> None:
    state = _thread(connection)
    knowledge = _knowledge()
    _take(connection, knowledge, state.id, _page(_post(1), _post(2), number=1, next=f"{URL}?page=2"))
    news = _take(connection, knowledge, state.id, _page(number=2, previous=URL), url=f"{URL}?page=2")
    assert (news.items, news.new, news.vanished) == (0, 0, 0)
    assert connection.execute(select(post.c.post_id).where(post.c.vanished.is_(None))).all() == [
        ("101",),
        ("102",),
    ]


def _counting_lore() -> ForumKnowledge:
    knowledge = _knowledge()
    for posts in (3, 5, 8, 13, 21):
        knowledge.rows.record_counters(RowState(count=posts), posts)
    return knowledge


def _visit_last_page(connection: Connection, knowledge: ForumKnowledge, number: int, counted: int) -> Any:
    """The thread's row counts so many posts; its last page is read again, with one new post on it."""
    said = {**find_thread(connection, number).said, "count": counted}
    walk = ThreadWalk(f"{URL}?p=2", 2, overlap=True)
    change_thread(connection, number, due=walk.url, walk=walk.as_dict(), said=said)
    page = _page(_post(3), _post(5), previous=URL, number=2)
    return _take(connection, knowledge, number, page, f"{URL}?p=2")


def test_posts_that_the_row_counts_are_searched_for_on_earlier_pages(connection: Connection) -> None:
    state, knowledge = _thread(connection), _counting_lore()
    _take(connection, knowledge, state.id, _page(_post(1), _post(2), next=f"{URL}?p=2", number=1))
    _take(connection, knowledge, state.id, _page(_post(3), previous=URL, number=2), f"{URL}?p=2")
    _visit_last_page(connection, knowledge, state.id, counted=5)
    assert find_thread(connection, state.id).due == URL  # four are held
    _take(connection, knowledge, state.id, _page(_post(1), _post(2), _post(4), next=f"{URL}?p=2", number=1))
    assert (find_thread(connection, state.id).due, find_thread(connection, state.id).posts) == (None, 5)


def test_posts_that_a_row_always_counted_too_many_are_not_searched_for(connection: Connection) -> None:
    state, knowledge = _thread(connection), _counting_lore()
    change_thread(connection, state.id, said={"count": 4})
    _take(connection, knowledge, state.id, _page(_post(1), _post(2), next=f"{URL}?p=2", number=1))
    _take(connection, knowledge, state.id, _page(_post(3), previous=URL, number=2), f"{URL}?p=2")
    assert find_thread(connection, state.id).said[EXCESS] == 1
    _visit_last_page(connection, knowledge, state.id, counted=5)
    assert find_thread(connection, state.id).due is None


def test_a_date_is_not_lost_on_a_page_that_does_not_tell_it(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    _take(connection, knowledge, state.id, _page(_post(1), _post(2)))
    _take_again(connection, knowledge, state.id, _page(replace(_post(1), date=None), _post(2)))
    dates = connection.execute(select(post.c.date).order_by(post.c.position)).scalars().all()
    assert dates == ["2026-04-01T12:00", "2026-04-02T12:00"]


def test_an_opening_post_whose_number_was_read_from_the_address_is_not_taken_for_a_later_one(
    connection: Connection,
) -> None:
    state, knowledge = _thread(connection), _knowledge()
    opening = replace(_post(1), post_id="105", url=f"{URL}/noise-of-pump-105")
    _take(connection, knowledge, state.id, _page(opening, next=f"{URL}?p=2", number=1))
    reply = replace(_post(5), author=opening.author, url=f"{URL}/comment/105")
    news = _take(connection, knowledge, state.id, _page(reply, previous=URL, number=2), f"{URL}?p=2")
    assert (news.new, news.edited) == (1, 0)
    assert find_thread(connection, state.id).posts == 2


def test_posts_of_a_thread_that_was_merged_into_another_are_held_once(connection: Connection) -> None:
    first, knowledge = _thread(connection), _knowledge()
    _take(connection, knowledge, first.id, _page(_post(1), _post(3)))
    second = _thread(connection, "t2", "Other", "https://f.example/t/2")
    news = _take(connection, knowledge, second.id, _page(_post(1), _post(2), _post(3), _post(4)))
    assert news.new == 2
    held = connection.execute(select(post.c.post_id, post.c.thread)).all()
    assert sorted(held) == [(str(100 + number), second.id) for number in (1, 2, 3, 4)]


def test_the_same_words_of_another_moment_are_another_post(connection: Connection) -> None:
    first, knowledge = _thread(connection), _knowledge()
    _take(connection, knowledge, first.id, _page(_post(1)))
    second = _thread(connection, "t2", "Other", "https://f.example/t/2")
    again = replace(_post(1), date=_post(2).date)  # numbers that count the posts of each thread
    assert _take(connection, knowledge, second.id, _page(again)).new == 1


@pytest.mark.parametrize(
    ("address", "number"), [("/t/13/noise-of-pump-105", None), ("/t/105/noise-of-a-pump", "105")]
)
def test_a_number_in_the_words_of_the_threads_address_is_none_of_a_post(
    connection: Connection, address: str, number: str | None
) -> None:
    url = f"https://f.example{address}"
    state = _thread(connection, url=url)
    _take(connection, _knowledge(), state.id, _page(replace(_post(5), url=url)), url)
    assert connection.execute(select(post.c.post_id)).scalar() == number


def test_numbers_that_are_places_move_up_when_a_post_is_deleted(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    _take(connection, knowledge, state.id, _page(*(_post(number) for number in (1, 2, 3, 4))))
    change_thread(connection, state.id, walk=ThreadWalk(URL).as_dict())
    left = [replace(_post(number), post_id=str(99 + number)) for number in (3, 4)]
    news = _take(connection, knowledge, state.id, _page(_post(1), *left, replace(_post(5), post_id="104")))
    assert (news.new, news.edited) == (1, 0)
    held = connection.execute(select(post.c.text, post.c.vanished).order_by(post.c.date)).all()
    assert [text for text, _ in held] == [f"text of post {number}" for number in (1, 2, 3, 4, 5)]
    assert [bool(gone) for _, gone in held] == [False, True, False, False, False]


def test_a_reply_pushed_to_the_next_page_by_one_above_it_is_not_taken_for_vanished(
    connection: Connection,
) -> None:
    state, knowledge = _thread(connection), _knowledge()
    first, second = f"{URL}?p=1", f"{URL}?p=2"
    # Replies stand under what they answer: 6 under 2, then 3 and 5, and 4 on the second page.
    before = _page(_post(1), _post(2), _post(6), _post(3), _post(5), next=second, number=1)
    _take(connection, knowledge, state.id, before, first)
    _take(connection, knowledge, state.id, _page(_post(4), number=2, previous=first), second)
    after = _page(_post(1), _post(2), _post(6), _post(7), _post(3), next=second, number=1)
    assert _take_again(connection, knowledge, state.id, after).vanished == 0
    whole = _page(_post(1), _post(2), _post(6), _post(7), _post(3))
    assert _take_again(connection, knowledge, state.id, whole).vanished == 2


@pytest.mark.parametrize("old_first", [True, False])
def test_posts_that_were_split_off_into_a_new_thread_go_on_there(
    connection: Connection, old_first: bool
) -> None:
    old, knowledge = _thread(connection), _knowledge()
    _take(connection, knowledge, old.id, _page(*(_post(number) for number in range(1, 6))))
    rest, split = _page(*(_post(number) for number in (1, 2, 3))), _page(_post(4), _post(5), _post(6))
    if old_first:
        _take_again(connection, knowledge, old.id, rest)
    new = _thread(connection, "t2", "Split off", "https://f.example/t/2")
    news = _take(connection, knowledge, new.id, split, new.url)
    if not old_first:
        assert _take_again(connection, knowledge, old.id, rest).vanished == 0
    shown = connection.execute(select(post.c.thread, post.c.post_id).where(post.c.vanished.is_(None))).all()
    assert news.new == 1
    assert sorted(tuple(row) for row in shown) == [
        *((old.id, str(100 + number)) for number in (1, 2, 3)),
        *((new.id, str(100 + number)) for number in (4, 5, 6)),
    ]


def test_a_thread_without_a_pager_has_one_page_and_its_row_is_judged(connection: Connection) -> None:
    state, knowledge = _thread(connection), _knowledge()
    change_thread(connection, state.id, said={"count": 1, "still": True})
    _take(connection, knowledge, state.id, _page(_post(1), _post(2)))
    after = find_thread(connection, state.id)
    assert (after.pages, after.last_page, after.due) == (1, URL, None)
    assert knowledge.rows.counter.votes == {"count 1": 1}
    assert knowledge.rows.stillness.votes == {"still, news": 1}
    _take_again(connection, knowledge, state.id, _page(_post(1), _post(2)))
    assert knowledge.rows.stillness.votes == {"still, news": 1, "still, none": 1}


@pytest.mark.parametrize(
    ("seen", "shown", "double"),
    [
        ("now", (1, 2, 3), True),
        ("now", (1, 2, 9), True),  # a post was added in between
        ("now", (2, 9), False),  # posts that were split off
        ("before", (1, 2, 3), False),  # a thread that was moved to another URL: the earlier row is gone
    ],
)
def test_two_urls_in_one_row_are_one_thread(
    connection: Connection, seen: str, shown: tuple[int, ...], double: bool
) -> None:
    thread = _thread(connection)
    _take(connection, _knowledge(), thread.id, _page(_post(1), _post(2), _post(3)))
    change_thread(connection, thread.id, said={SEEN_AT: "now"})
    other = _thread(connection, "p7", "#3", "https://f.example/posts/7")
    change_thread(connection, other.id, said={SEEN_AT: seen})
    visit = ThreadVisit(connection, _knowledge())
    page = _page(*(_post(number) for number in shown))
    assert visit.is_double(1, find_thread(connection, other.id), page) is double
    assert find_thread(connection, other.id).gone is double


@pytest.mark.parametrize(
    ("title", "shown", "is_known", "double"),
    [
        ("Re: A thread", (2,), False, True),
        ("Another thread", (2,), False, False),  # a post that was split off
        ("Re: A thread", (9,), False, False),
        ("Re: A thread", (9,), True, True),  # its lines were read in another layout
        ("Re: A thread", (8, 9), True, False),
    ],
)
def test_a_message_of_a_known_thread_is_no_thread_of_its_own(
    connection: Connection, title: str, shown: tuple[int, ...], is_known: bool, double: bool
) -> None:
    thread = _thread(connection)
    _take(connection, _knowledge(), thread.id, _page(_post(1), _post(2), _post(3)))
    change_thread(connection, thread.id, said={SEEN_AT: "before"})
    other = _thread(connection, "p7", title, "https://f.example/posts/7")
    knowledge = _knowledge()
    knowledge.layout.level = SearchLevel.ROWS  # any link in a row is followed
    visit = ThreadVisit(connection, knowledge)
    page = _page(*(_post(number) for number in shown))
    assert visit.is_double(1, find_thread(connection, other.id), page, is_known=is_known) is double


@pytest.mark.parametrize(
    ("here", "following"),
    [
        (f"{URL}?offset=10", f"{URL}?offset=20"),
        (f"{URL}?page=2", f"{URL}?page=3"),
        (f"{URL}?from=341", None),  # a cursor
        (URL, None),
    ],
)
def test_the_page_after_a_later_page_follows_from_its_number(here: str, following: str | None) -> None:
    assert _following(URL, here, 10) == following


def test_a_number_that_does_not_grow_by_the_posts_of_a_page_counts_no_pages(connection: Connection) -> None:
    """The number behind "from-" is that of a post: the last page would be page 125."""
    knowledge = _knowledge()
    for _ in range(3):
        knowledge.layout.record_page_size(6, first=False)
    for step, number, pages in ((2, 125, 1), (6, 3, 3)):
        state = _thread(connection, f"t{step}")
        page = _page(_post(1), _post(2), number=number, count=number, step=step, start=0)
        _take(connection, knowledge, state.id, page)
        assert find_thread(connection, state.id).pages == pages
