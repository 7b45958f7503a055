"""Boxes of the latest threads beside a list."""

from datetime import date, timedelta

import pytest

from tests.crawl.forum.stored_boards import NOW, PARENT, StoredBoards
from threadmill.crawl.forum.rows.latest_box import (
    LatestBox,
    NamedPost,
    find_named_posts,
    follow_named_posts,
    is_full_of_news,
    note_latest_posts,
    read_latest_box,
)
from threadmill.forum.read_page import PageAnalysis
from threadmill.page.parse.tree import parse
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread, change_thread, find_threads
from threadmill.types import Moment, Post, ThreadRow

# The days of April of the first and the last post of each thread that is stored.
STORED = {1: (1, 20), 2: (2, 2), 3: (3, 9), 4: (4, 4), 5: (5, 6)}


def _url(number: int) -> str:
    return f"https://f.example/t/{number}"


def _read(
    boards: StoredBoards, box: list[tuple[int, int]], listed: dict[int, int] | None = None
) -> LatestBox | None:
    """What a box tells that shows threads with days of April, beside a list that shows others."""
    layout = boards.knowledge.layout
    for number, days in STORED.items():
        key = layout.thread_key(_url(number))
        if not find_threads(boards.connection, boards.forum, [key]):
            thread = add_thread(
                boards.connection, forum=boards.forum, board=None, key=key, url=_url(number), title=""
            )
            for day in days:
                post = Post(f"{number} {day}", "", date=Moment(date(2026, 4, day)))
                add_post(boards.connection, thread, post, _url(number), NOW)
    items = "".join(
        f'<li><a href="{_url(number)}">Question about pump {number}</a> <i>2026-04-{day:02d}</i></li>'
        for number, day in box
    )
    page = f"<html><body><h1>Pumps</h1><div class=box><ul>{items}</ul></div></body></html>"
    analysis = PageAnalysis(parse(page.encode(), PARENT), NOW)
    rows = {
        layout.thread_key(_url(number)): ThreadRow(_url(number), "", active=Moment(date(2026, 4, day)))
        for number, day in (listed or {}).items()
    }
    return read_latest_box(boards.connection, boards.forum, boards.knowledge, analysis, rows)


def _day(day: int) -> int:
    """The last day that a date of April may mean: the dates of rows are to the day."""
    return (date(2026, 4, day) + timedelta(days=1)).toordinal()


def test_a_box_in_the_order_of_answers_tells_since_when_other_threads_are_quiet(boards: StoredBoards) -> None:
    found = _read(boards, [(3, 25), (1, 20), (5, 6)])
    assert found is not None
    assert found.quiet_since == _day(6)
    answered = find_threads(boards.connection, boards.forum, [boards.knowledge.layout.thread_key(_url(3))])
    assert found.answered == {state.id for state in answered.values()}


@pytest.mark.parametrize(
    ("box", "listed"),
    [
        ([(5, 6), (4, 4), (2, 2)], {}),  # perhaps new threads
        ([(1, 20), (5, 6), (3, 9)], {}),  # in no order
        ([(5, 25), (1, 20)], {}),
        ([(3, 25), (1, 10), (5, 6)], {}),  # thread 1 had its last post on the 20th
        ([(3, 25), (1, 20), (5, 6)], {2: 24}),  # the list shows a later answer
    ],
)
def test_a_box_that_may_be_in_another_order_tells_nothing(
    boards: StoredBoards, box: list[tuple[int, int]], listed: dict[int, int]
) -> None:
    assert _read(boards, box, listed) is None


def test_a_box_in_another_order_than_a_list_by_creation_is_by_answers(boards: StoredBoards) -> None:
    box = [(7, 28), (9, 27), (8, 26)]
    assert _read(boards, box, {9: 27, 8: 26, 7: 28}) == LatestBox(_day(26), frozenset())


def test_a_box_that_was_once_out_of_order_is_not_trusted_any_more(boards: StoredBoards) -> None:
    assert _read(boards, [(3, 25), (1, 20), (5, 6)]) is not None
    assert _read(boards, [(1, 20), (5, 6), (3, 9)]) is None
    assert _read(boards, [(3, 25), (1, 20), (5, 6)]) is None


# The numbers of the posts that are stored of each article, and the day of April of the last one.
ARTICLES = {"pumps": ((1, 7), 20), "valves": ((2, 8), 9), "pipes": ((3, 4), 4)}


def _article(name: str) -> str:
    return f"https://f.example/articles/{name}/"


def _find_named(boards: StoredBoards, links: list[str]) -> dict[str, list[NamedPost]]:
    """The posts that links of a box name, beside stored articles."""
    key = boards.knowledge.layout.thread_key
    for name, (numbers, day) in ARTICLES.items():
        url = _article(name)
        if find_threads(boards.connection, boards.forum, [key(url)]):
            continue
        thread = add_thread(
            boards.connection, forum=boards.forum, board=None, key=key(url), url=url, title="", posts=2
        )
        for number in numbers:
            post = Post(f"{number}", "", date=Moment(date(2026, 4, day)), post_id=str(number))
            add_post(boards.connection, thread, post, url, NOW)
    items = "".join(f'<li>anna on <a href="{link}">an article</a></li>' for link in links)
    page = f"<html><body><h1>News</h1><ol>{items}</ol></body></html>"
    analysis = PageAnalysis(parse(page.encode(), PARENT), NOW)
    return find_named_posts(boards.connection, boards.forum, boards.knowledge, analysis)


def _follow(boards: StoredBoards, links: list[str]) -> dict[str, str | None]:
    """The pages that are due after the links of a box were followed, by article."""
    named = [one for found in _find_named(boards, links).values() for one in found]
    follow_named_posts(boards.connection, boards.knowledge, named, NOW.isoformat())
    key = boards.knowledge.layout.thread_key
    known = find_threads(boards.connection, boards.forum, [key(_article(name)) for name in ARTICLES])
    return {name: known[key(_article(name))].due for name in ARTICLES if known[key(_article(name))].due}


def _end_visits(boards: StoredBoards) -> None:
    key = boards.knowledge.layout.thread_key
    for state in find_threads(
        boards.connection, boards.forum, [key(_article(name)) for name in ARTICLES]
    ).values():
        change_thread(boards.connection, state.id, due=None)


def test_a_link_to_a_post_that_is_not_kept_makes_the_page_of_that_post_due(boards: StoredBoards) -> None:
    links = [
        f"{_article('pumps')}comment-page-2/#comment-12",
        f"{_article('valves')}comment-page-1/#comment-11",
        f"{_article('pipes')}#comment-4",  # is kept
        f"{_article('taps')}#comment-9",  # an article that is not known
        f"{_article('pipes')}#respond",
    ]
    assert _follow(boards, links) == {
        "pumps": f"{_article('pumps')}comment-page-2/",
        "valves": _article("valves"),
    }


def test_a_link_to_a_post_is_followed_once(boards: StoredBoards) -> None:
    hidden = [f"{_article('pumps')}#comment-12"]
    assert _follow(boards, hidden)
    _end_visits(boards)
    assert not _follow(boards, hidden)
    assert _follow(boards, [*hidden, f"{_article('valves')}#comment-13"]) == {"valves": _article("valves")}


def test_links_to_posts_are_no_longer_followed_if_their_pages_never_show_them(boards: StoredBoards) -> None:
    for _ in range(4):
        boards.knowledge.rows.record_named_post(news=False)
    assert not _follow(boards, [f"{_article('pumps')}#comment-12"])


@pytest.mark.parametrize(
    ("posts", "day"),
    [
        (["valves 12", "pumps 11", "valves 8"], 9),
        (["pumps 12", "pipes 11", "valves 10"], None),  # does not reach back to a post that is kept
        (["pumps 11", "pipes 12", "valves 8"], None),  # in another order
        (["pumps 12", "pumps 7"], None),  # too few
    ],
)
def test_a_box_of_the_latest_posts_tells_since_when_other_threads_are_quiet(
    boards: StoredBoards, posts: list[str], day: int | None
) -> None:
    links = [f"{_article(name)}#comment-{number}" for name, number in map(str.split, posts)]
    quiet = note_latest_posts(boards.knowledge, _find_named(boards, links))
    assert list(quiet.values()) == ([] if day is None else [date(2026, 4, day).toordinal()])


@pytest.mark.parametrize(
    ("posts", "full"),
    [
        (["pumps 12", "pipes 11", "valves 10"], True),
        (["pumps 12", "pipes 11", "valves 8"], False),  # the last one is kept
        (["pumps 12", "pumps 11", "pumps 10"], False),  # perhaps a list of the posts of one thread
        (["pumps 12", "pipes 11"], False),
    ],
)
def test_a_box_that_shows_news_only_may_have_left_out_more(
    boards: StoredBoards, posts: list[str], full: bool
) -> None:
    links = [f"{_article(name)}#comment-{number}" for name, number in map(str.split, posts)]
    assert [is_full_of_news(found) for found in _find_named(boards, links).values()] == [full]
