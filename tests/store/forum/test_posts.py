from dataclasses import replace
from datetime import date, time, timedelta

from sqlalchemy import Connection, select

from tests.store.forum.conftest import NOW, THREAD, make_post
from threadmill.store.forum.posts import (
    add_post,
    count_posts,
    count_shown,
    find_known,
    find_moved,
    mark_vanished,
    move_post,
    newest_by_thread,
    newest_post_id,
    number_posts,
    post,
    renew_post,
    threads_with,
    wording,
)
from threadmill.store.forum.threads import add_thread, change_thread
from threadmill.types import Moment, Post, Precision


def test_a_post_is_known_again_edited_and_missed(connection: Connection) -> None:
    for number in (1, 2, 3):
        add_post(connection, 1, make_post(number), "https://f.example/t/1", NOW)
    known = find_known(connection, 1, [make_post(1), make_post(2, "changed"), make_post(9)])
    assert [match and match.post_id for match in known] == ["1", "2", None]
    assert known[1] is not None
    assert renew_post(connection, known[1], make_post(2, "changed"), "https://f.example/t/1", NOW)
    change_thread(connection, 1, visited=NOW)
    seen = [match for match in find_known(connection, 1, [make_post(1), make_post(3)]) if match]
    assert mark_vanished(connection, 1, seen, shown_last=False, at=NOW) == 1
    assert (count_shown(connection, 1), count_posts(connection, 1)) == (2, 2)
    assert newest_post_id(connection, 1) == "3"
    assert threads_with(connection, 1, [make_post(3), make_post(1)]) == [1]
    assert threads_with(connection, 1, [make_post(3, "other words")]) == []


def test_an_advertisement_without_a_number_is_not_the_newest_post(connection: Connection) -> None:
    add_post(connection, 1, make_post(1), THREAD, NOW)
    add_post(connection, 1, replace(make_post(2), post_id=None), THREAD, NOW)
    assert newest_post_id(connection, 1) == "1"


def known(connection: Connection, *shown: Post) -> list[str | None]:
    return [match.post_id if match else None for match in find_known(connection, 1, shown)]


def test_a_post_of_another_day_author_and_url_form_has_another_identity_despite_its_number(
    connection: Connection,
) -> None:
    add_post(connection, 1, make_post(1), THREAD, NOW)
    same_day = replace(make_post(1, "new words"), author="Ben")
    assert known(connection, same_day) == ["1"]
    other_day = replace(make_post(2, "new words", "Ben"), post_id="1")
    assert known(connection, other_day) == [None]
    renamed_day = replace(make_post(2, "new words"), post_id="1")  # only the day differs
    assert known(connection, renamed_day) == ["1"]


def test_a_coarser_date_is_the_same_post_but_another_minute_is_not(connection: Connection) -> None:
    first = replace(make_post(3, "the same words"), post_id=None)
    add_post(connection, 1, first, THREAD, NOW)
    day_only = replace(first, date=Moment(date(2026, 4, 3), None, None, Precision.DAY))
    minute_later = replace(first, date=Moment(date(2026, 4, 3), time(9, 31), "+02:00", Precision.MINUTE))
    assert [bool(match) for match in find_known(connection, 1, [day_only])] == [True]
    assert [bool(match) for match in find_known(connection, 1, [minute_later])] == [False]
    assert [bool(match) for match in find_known(connection, 1, [replace(first, date=None)])] == [True]


def test_an_edited_post_without_a_number_is_known_by_author_and_minute(connection: Connection) -> None:
    first = replace(make_post(3, "before"), post_id=None)
    add_post(connection, 1, first, THREAD, NOW)
    (match,) = find_known(connection, 1, [replace(first, text="after")])
    assert match is not None
    (other_author,) = find_known(connection, 1, [replace(first, text="after", author="Ben")])
    assert other_author is None


def test_numbers_that_shift_after_a_deletion_are_not_trusted(connection: Connection) -> None:
    for number in (1, 2, 3):
        add_post(connection, 1, make_post(number), THREAD, NOW)
    # The second post was deleted: the third one now has its number.
    moved_up = replace(make_post(3), post_id="2")
    (first, second) = find_known(connection, 1, [make_post(1), moved_up])
    assert first is not None
    assert second is not None
    assert (first.position, second.position) == (1, 3)


def test_a_post_with_another_number_is_the_same_if_its_url_and_its_words_are(connection: Connection) -> None:
    url = "https://f.example/post/62e19997"
    add_post(connection, 1, replace(make_post(1), url=url), url, NOW)
    again = replace(make_post(1), post_id="4711", url=url)
    others = (replace(again, url="https://f.example/post/4a758177"), replace(again, text="other words"))
    assert find_known(connection, 1, [again])[0] is not None
    assert [find_known(connection, 1, [other])[0] for other in others] == [None, None]


def test_an_edit_keeps_the_old_wording(connection: Connection) -> None:
    add_post(connection, 1, make_post(1, "before"), THREAD, NOW)
    (match,) = find_known(connection, 1, [make_post(1, "after")])
    assert match is not None
    assert renew_post(connection, match, make_post(1, "after"), THREAD, NOW)
    rows = connection.execute(select(wording.c.post, wording.c.text, wording.c.until)).all()
    assert [tuple(row) for row in rows] == [(1, "before", NOW)]
    (match,) = find_known(connection, 1, [make_post(1, "after")])
    assert match is not None
    assert not renew_post(connection, match, make_post(1, "after"), THREAD, NOW)
    assert connection.execute(select(post.c.text)).scalars().all() == ["after"]


def test_a_less_precise_date_does_not_replace_a_precise_one(connection: Connection) -> None:
    add_post(connection, 1, make_post(1), THREAD, NOW)
    coarse = replace(make_post(1), date=Moment(date(2026, 4, 1), None, None, Precision.DAY), position=7)
    (match,) = find_known(connection, 1, [coarse])
    assert match is not None
    renew_post(connection, match, coarse, THREAD, NOW)
    row = connection.execute(select(post.c.date, post.c.position)).one()
    assert tuple(row) == ("2026-04-01T09:30+02:00", 7)


def test_a_post_after_the_last_shown_one_vanished_only_on_the_last_page(connection: Connection) -> None:
    for number in (1, 2, 3):
        add_post(connection, 1, make_post(number), THREAD, NOW)
    seen = [match for match in find_known(connection, 1, [make_post(1), make_post(2)]) if match]
    assert mark_vanished(connection, 1, seen, shown_last=True, at=NOW) == 0, "of a visit that is under way"
    change_thread(connection, 1, visited=NOW)
    assert mark_vanished(connection, 1, seen, shown_last=False, at=NOW) == 0
    assert mark_vanished(connection, 1, seen, shown_last=True, at=NOW) == 1
    assert mark_vanished(connection, 1, seen[:1], shown_last=True, at=NOW) == 0
    vanished = connection.execute(select(post.c.post_id).where(post.c.vanished.is_not(None))).scalars().all()
    assert vanished == ["3"]


def test_a_post_that_moved_to_another_thread_is_found_there(connection: Connection) -> None:
    other = add_thread(connection, forum=1, board=1, key="k2", url="https://f.example/t/2", title="Two")
    add_post(connection, 1, make_post(1), THREAD, NOW)
    assert find_moved(connection, 1, [make_post(1)]) == [None]
    (moved, none) = find_moved(connection, other, [make_post(1), replace(make_post(2), post_id=None)])
    assert none is None
    assert moved is not None
    move_post(connection, moved, other, make_post(1), "https://f.example/t/2")
    assert (count_shown(connection, 1), count_shown(connection, other)) == (0, 1)


def test_the_newest_post_of_each_thread_is_given_by_key(connection: Connection) -> None:
    for number in (1, 2):
        add_post(connection, 1, make_post(number), THREAD, NOW)
    assert newest_by_thread(connection, 1) == {"k1": "2026-04-02T09:30+02:00"}
    assert newest_by_thread(connection, 1, post.c.post_id == "1") == {"k1": "2026-04-01T09:30+02:00"}
    assert newest_by_thread(connection, 2) == {}


def positions(connection: Connection) -> list[tuple[str | None, int]]:
    rows = connection.execute(select(post.c.post_id, post.c.position).order_by(post.c.position, post.c.id))
    return [(row.post_id, row.position) for row in rows]


def keep(connection: Connection, *shown: Post, later: int = 0) -> None:
    for one in shown:
        add_post(connection, 1, one, THREAD, NOW + timedelta(days=later))


def at_place(number: int, place: int) -> Post:
    return replace(make_post(number), position=place)


def test_posts_shown_newest_first_are_numbered_from_the_oldest(connection: Connection) -> None:
    keep(connection, at_place(3, 1), at_place(2, 2), at_place(1, 3))
    number_posts(connection, 1, oldest_first=False)
    assert positions(connection) == [("1", 1), ("2", 2), ("3", 3)]


def test_undated_posts_shown_newest_first_are_numbered_from_the_oldest_in_each_visit(
    connection: Connection,
) -> None:
    bare = [replace(make_post(number), date=None, post_id=name) for number, name in enumerate("dcba", 1)]
    keep(connection, replace(bare[2], position=1), replace(bare[3], position=2))
    number_posts(connection, 1, oldest_first=False)
    change_thread(connection, 1, visited=NOW)
    keep(connection, replace(bare[0], position=3), replace(bare[1], position=4), later=1)
    number_posts(connection, 1, oldest_first=False)
    assert positions(connection) == [("a", 1), ("b", 2), ("c", 3), ("d", 4)]


def test_positions_that_collide_after_an_inserted_answer_are_settled_by_the_dates(
    connection: Connection,
) -> None:
    keep(connection, at_place(1, 7), at_place(2, 9), at_place(4, 9), at_place(3, 12))
    number_posts(connection, 1, oldest_first=True)
    assert positions(connection) == [("1", 1), ("2", 2), ("3", 3), ("4", 4)]


def test_a_plain_list_keeps_the_order_of_its_pages_though_one_post_shows_a_later_date(
    connection: Connection,
) -> None:
    keep(connection, at_place(9, 1), *(at_place(number, number) for number in (2, 3, 4, 5)))
    number_posts(connection, 1, oldest_first=True)
    assert [number for number, _ in positions(connection)] == ["9", "2", "3", "4", "5"]


def test_posts_that_votes_sort_are_numbered_by_time(connection: Connection) -> None:
    keep(connection, at_place(1, 1), at_place(4, 2), at_place(2, 3), at_place(5, 4), at_place(3, 5))
    number_posts(connection, 1, oldest_first=True)
    assert [number for number, _ in positions(connection)] == ["1", "2", "3", "4", "5"]


def test_a_post_without_a_date_stays_behind_the_one_above_it(connection: Connection) -> None:
    bare = replace(make_post(8), date=None, position=3)
    keep(connection, at_place(1, 1), at_place(4, 2), bare, at_place(2, 7))
    number_posts(connection, 1, oldest_first=True)
    assert [number for number, _ in positions(connection)] == ["1", "2", "4", "8"]
