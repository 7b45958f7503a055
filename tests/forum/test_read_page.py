"""Pages read as a whole: index pages that show posts, comments of questions, pages with one post."""

from datetime import UTC, date, datetime

import pytest

from tests.forum import sites
from tests.forum.outlines import keys, outline_of, table_of
from threadmill.forum.page_class.classify import classify, classify_page
from threadmill.forum.read_page import (
    PageAnalysis,
    PostOrder,
    _is_hollow,
    _record_spans,
    extract_index,
    extract_thread,
    read_index,
    read_thread,
)
from threadmill.page.parse.tree import parse
from threadmill.types import Moment, Post

URL = "http://board.example/b/"
TEXT = "The pump was loud again tonight, so I took the lid off and had a look at it. "


def _post(number: int, thread: int, name: str = "Anonymous") -> str:
    return (
        f"<div class=post id=p{number}><b>{name}</b> <i>2026-10-{number:02} 10:15</i>"
        f" <a href='/b/thread/{thread}#p{number}'>No.{number}</a>"
        f"<p>{TEXT * (1 + number % 3)}</p><a href='/b/report/{thread}'>Report</a></div>"
    )


def _analyse(html: str, url: str = URL) -> PageAnalysis:
    return PageAnalysis(parse(f"<html><body>{html}</body></html>", url), datetime(2026, 11, 16, tzinfo=UTC))


def test_posts_that_lead_to_several_threads_make_an_index() -> None:
    blocks = [(4, [4, 9, 10]), (5, [5]), (6, [6, 7, 8])]
    html = "".join(
        f"<div class=thread><b>Subject {thread}</b> [<a href='/b/thread/{thread}'>Reply</a>]"
        f"{''.join(_post(number, thread) for number in numbers)}</div>"
        for thread, numbers in blocks
    )
    analysis = _analyse(html)
    assert classify_page(analysis).kind == "index"
    rows = extract_index(analysis).rows
    assert [row.url for row in rows] == [f"http://board.example/b/thread/{n}" for n in (4, 5, 6)]
    assert rows[0].title == "Subject 4"
    assert [row.active and row.active.date.day for row in rows] == [10, 5, 8]  # of the last posts


def test_buttons_above_the_posts_of_threads_make_an_index_whatever_links_posts_have() -> None:
    blocks = [(4, [4, 9, 10]), (5, [5]), (6, [6, 7, 8]), (1, [1])]
    html = "".join(
        f"<div class=thread><b>Subject {thread}</b> [<a href='/b/thread/{thread}'>Reply</a>]"
        + "".join(_post(n, thread).replace(f"/b/thread/{thread}#p{n}", f"/b/post/{n}") for n in numbers)
        + "</div>"
        for thread, numbers in blocks
    ).replace("/b/report/", "/b/report?")
    rows = extract_index(_analyse(html)).rows
    assert [row.url for row in rows] == [f"http://board.example/b/thread/{n}" for n in (4, 5, 6, 1)]


def test_posts_that_lead_to_one_thread_make_a_thread() -> None:
    analysis = _analyse(
        "".join(_post(number, 4) for number in range(4, 10)), "http://board.example/b/thread/4"
    )
    assert analysis.previews == ()
    assert classify_page(analysis).kind == "thread"


def test_links_that_follow_the_authors_lead_to_people() -> None:
    people = ["ann", "ann", "bob", "bob", "cem"]
    html = "".join(
        f"<div class=post><b>{name}</b> <i>2026-10-{number:02} 10:15</i><p>{TEXT}</p>"
        f"<a href='/who/{len(name)}{name}'>Website</a></div>"
        for number, name in enumerate(people, 1)
    )
    assert _analyse(html).previews == ()


def test_links_that_differ_in_a_date_lead_to_days_and_not_to_threads() -> None:
    html = "".join(
        f"<div class=post><b>{['ann', 'bob', 'cem'][place % 3]}</b> <i>2026-10-{day:02} 10:15</i>"
        f"<a href='/days?from=2026-10-{day:02}'>a month</a> ago<p>{TEXT}</p></div>"
        for place, day in enumerate((1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4))
    )
    assert _analyse(html).previews == ()


def test_files_of_some_posts_are_no_threads() -> None:
    html = "".join(
        f"<div class=post><b>ann{number}</b> <i>2026-10-{number:02} 10:15</i><p>{TEXT}</p>"
        + (f"<a href='/file/{number}.zip'>Download</a>" if number in {1, 4, 5} else "")
        + "</div>"
        for number in range(1, 8)
    )
    assert _analyse(html).previews == ()


@pytest.mark.parametrize(
    "page", [sites.flat_thread(), sites.table_thread(), sites.nested_thread(), sites.odd_first_thread()]
)
def test_every_layout_gives_the_same_posts(page: str) -> None:
    posts = read_thread(sites.tree(page), sites.NOW).posts
    assert [post.text for post in posts] == list(sites.WORDS)
    assert [post.author for post in posts] == list(sites.NAMES)
    assert [post.date.date.isoformat() for post in posts if post.date] == [
        f"2020-06-0{n}" for n in (1, 2, 3, 4)
    ]


def test_a_post_knows_its_number_and_address() -> None:
    post = read_thread(sites.tree(sites.flat_thread()), sites.NOW).posts[1]
    assert post.post_id == "101"
    assert post.url == "https://forum.example.org/t/9#p101"
    assert post.author_url == "https://forum.example.org/user/Bert77"


def test_nested_replies_name_the_post_they_answer() -> None:
    posts = read_thread(sites.tree(sites.nested_thread()), sites.NOW).posts
    assert [post.parent for post in posts] == [None, "0", "1", None]


def test_posts_in_order_of_time_are_ascending() -> None:
    assert read_thread(sites.tree(sites.flat_thread()), sites.NOW).order is PostOrder.ASCENDING


def test_a_thread_page_is_a_thread() -> None:
    assert classify(sites.tree(sites.flat_thread()), sites.NOW).kind == "thread"


def test_an_index_page_is_an_index() -> None:
    assert classify(sites.tree(sites.index_page()), sites.NOW).kind == "index"


def test_rows_tell_of_their_threads() -> None:
    index = read_index(sites.tree(sites.index_page(), "https://forum.example.org/b/5"), sites.NOW)
    row = index.rows[3]
    assert row.title == "How to repair the old pump no 3"
    assert (row.author, row.replies, row.views) == ("carla_x", 9, 307)
    assert row.active is not None
    assert row.active.date.isoformat() == "2020-06-15"
    assert row.active_url == f"{row.url}?page=2#p903"
    assert [r.sticky for r in index.rows] == [True, True, *[False] * 6]


def test_an_index_sorted_by_activity_is_known_in_spite_of_stickies() -> None:
    index = read_index(sites.tree(sites.index_page(), "https://forum.example.org/b/5"), sites.NOW)
    assert index.order == "activity"
    assert index.paging.next == "https://forum.example.org/b/5?page=2"
    assert index.paging.count == 3


@pytest.mark.parametrize(
    "page", ["", "<p>", "<html><body><p>Nothing here.</p></body></html>", "<div>" * 3000]
)
def test_a_page_without_posts_gives_none_and_no_error(page: str) -> None:
    assert read_thread(sites.tree(page), sites.NOW).posts == ()
    assert read_index(sites.tree(page), sites.NOW).rows == ()
    assert classify(sites.tree(page), sites.NOW).kind == "other"


@pytest.mark.parametrize(
    ("post", "hollow"),
    [
        (Post("", "<div></div>"), True),
        (Post("", "<div></div>", date=Moment(date(2026, 4, 2))), True),
        (Post("", "<div></div>", author="anna"), False),
        (Post("", '<div><img src="a.png"></div>'), False),
        (Post("Thanks.", "<div>Thanks.</div>"), False),
    ],
)
def test_a_record_that_shows_nothing_is_no_post(post: Post, hollow: bool) -> None:
    assert _is_hollow(post) is hollow


_ASKED = "Does anybody know whether the pump fits without drilling into the frame of it?"
_SAID = "The manual says one thing and the part says another, so I measured it again myself."


def _answer(number: int, name: str, words: str, more: str = "") -> str:
    return (
        f"<div class=post id=p{number}><a class=author href='/user/{name}'>{name}</a> "
        f"<i class=date>2026-10-0{number} 10:15</i><div class=body><p>{words}</p></div>{more}</div>"
    )


def _read(html: str) -> list[tuple[str | None, str, str | None]]:
    posts = extract_thread(_analyse(html)).posts
    return [(post.author, post.text, post.parent) for post in posts]


def test_comments_with_ids_like_those_of_posts_need_neither_links_nor_many_words() -> None:
    comment = (
        "<div class=c id=p4>anna <time datetime=2026-10-04T10:15>today</time> <span>Same here.</span></div>"
    )
    html = _answer(1, "ben", _ASKED, comment) + _answer(2, "carl", _SAID) + _answer(3, "ben", "Thanks.")
    assert _read(html)[1] == ("anna", "Same here.", "1")
    assert len(_read(html)) == 4


def test_a_part_of_a_post_with_the_number_of_the_post_is_no_comment() -> None:
    def panel(number: int) -> str:
        return f"<div class=panel id=panel{number}>Member since <i>2019-01-0{number}</i> Posts: 12</div>"

    html = "".join(_answer(n, name, _SAID + str(n), panel(n)) for n, name in enumerate(("ben", "carl"), 1))
    assert [author for author, _, _ in _read(html)] == ["ben", "carl"]


def test_two_of_three_people_may_write_the_same_sentence() -> None:
    html = _answer(1, "ben", _ASKED) + _answer(2, "carl", "Same here.") + _answer(3, "dora", "Same here.")
    assert [text for _, text, _ in _read(html)] == [_ASKED, "Same here.", "Same here."]


def test_posts_in_two_lists_stay_apart() -> None:
    answers = _answer(2, "carl", _SAID) + _answer(3, "dora", _SAID + " Twice.") + _answer(4, "ben", "Thanks!")
    question = f"<div class=posts>{_answer(1, 'ben', _ASKED)}</div>"
    html = f"{question}<h2>3 answers</h2><div class=posts>{answers}</div>"
    assert [(author, parent) for author, _, parent in _read(html)] == [
        ("ben", None),
        ("carl", None),
        ("dora", None),
        ("ben", None),
    ]


def test_the_only_post_of_a_page_is_not_by_a_button() -> None:
    html = (
        f"<article id=p7><header><h4>ben</h4>, <time datetime=2026-10-04T10:15>4 October</time></header>"
        f"<div><p>{_ASKED}</p></div><footer><a href='/reply/16/'>Reply</a></footer></article>"
    )
    assert _read(html) == [("ben", _ASKED, None)]


def test_the_only_post_of_a_page_may_be_preformatted() -> None:
    html = (
        "<div><h1>Loud pump</h1><a href='/c/4/thread/102'>Next</a><hr><b><a href='/users/17'>ben</a></b><br>"
        f"<i>2026-10-04 10:15:51</i><hr><pre>{_ASKED}</pre><a href='/reply/11'>Reply</a></div>"
    )
    assert _read(html) == [("ben", _ASKED, None)]
    assert extract_thread(_analyse(html)).posts[0].post_id is None  # links to a board or a thread tell no id


def test_a_pager_counts_in_the_box_of_the_replies_that_the_first_post_took() -> None:
    outline = outline_of(
        '<h1 k="top">A thread</h1><div k="box"><p k="reply">Hi</p><a href="?p=2">2</a></div><p k="foot">x</p>'
    )
    table = table_of(outline, "top box foot", "reply")
    assert keys(outline, [start for start, _ in _record_spans(outline, table)]) == ["top", "reply", "foot"]


def test_text_outside_posts_is_told_without_the_names_of_its_authors_and_the_title() -> None:
    def unread(name: str, title: str) -> tuple[str, ...]:
        posts = "".join(
            f'<div class="post"><a class="username" href="/user/{who}">{who}</a> <i>2020-01-0{n} 10:00</i>'
            f"<p>{TEXT}</p></div>"
            for n, who in enumerate((name, "bert", "carl", "dora"), 1)
        )
        ask = f"Provide an answer of your own, or ask {name} for more information if necessary."
        body = f"<h1>The club – {title}</h1><div>{posts}</div><div><p>{ask}</p></div>"
        return extract_thread(
            _analyse(f"<html><head><title>{title}</title></head><body>{body}</body></html>")
        ).unread

    one, other = (
        unread("anna", "Which of the two pumps would you take?"),
        unread("zoe", "Has the pump run dry again?"),
    )
    assert one == other
    assert [text[:39] for text in one] == ["Provide an answer of your own, or ask *"]
