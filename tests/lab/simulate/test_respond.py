import re
import time
from urllib.robotparser import RobotFileParser

import pytest
from turbohtml import parse

from threadmill.errors import UsageError
from threadmill.lab.judge.truth import all_pages, true_posts
from threadmill.lab.simulate.catalogue import FORUMS, open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.layout import LAYOUTS
from threadmill.lab.simulate.respond import respond
from threadmill.lab.simulate.url_keys import url_key
from threadmill.lab.simulate.view import ForumView

NOW = as_unix_time("2016-03-01")


@pytest.mark.parametrize("name", FORUMS)
def test_the_date_header_says_the_simulated_present(name: str) -> None:
    forum = open_forum(name, "small")
    assert respond(forum, forum.layout.home, NOW).header("Date") == "Tue, 01 Mar 2016 12:00:00 GMT"


@pytest.mark.parametrize("name", FORUMS)
def test_robots_allow_every_index_and_thread_page_and_forbid_what_they_name(name: str) -> None:
    forum = open_forum(name, "small")
    robots = RobotFileParser()
    robots.parse(respond(forum, "/robots.txt", NOW).body.decode().splitlines())
    assert all(robots.can_fetch("x", page.key) for page in all_pages(forum, NOW))
    assert not any(robots.can_fetch("x", rule) for rule in forum.traits.robots)


def test_session_ids_stand_in_every_link_until_the_cookie_comes_back() -> None:
    forum = open_forum("harbour", "small")
    first = respond(forum, forum.layout.home, NOW, tick=1)
    second = respond(forum, forum.layout.home, NOW, tick=2)
    cookie = (first.header("Set-Cookie") or "").partition(";")[0]
    assert re.search(rb"viewforum\.php\?f=\d+&amp;sid=[0-9a-f]{32}", first.body)
    assert re.findall(rb"sid=([0-9a-f]+)", first.body)[0] != re.findall(rb"sid=([0-9a-f]+)", second.body)[0]
    kept = respond(forum, forum.layout.home, NOW, {"Cookie": cookie})
    assert b"sid=" not in kept.body
    assert kept.header("Set-Cookie") is None


def test_an_address_with_a_session_id_shows_the_same_page() -> None:
    forum = open_forum("werkbank", "small")
    page = next(p for p in all_pages(forum, NOW) if p.kind == "thread")
    assert respond(forum, f"{page.key}&s=0123456789abcdef", NOW).page == respond(forum, page.key, NOW).page


def test_counters_move_with_every_request_but_content_stays() -> None:
    forum = open_forum("almazara", "small")
    page = next(p for p in all_pages(forum, NOW) if p.kind == "index")
    one, two = respond(forum, page.key, NOW, tick=1), respond(forum, page.key, NOW, tick=9)
    assert one.body != two.body
    assert one.page == two.page


def test_a_true_etag_changes_only_with_content() -> None:
    forum = open_forum("clearing", "small")
    later = as_unix_time("2016-03-02")
    shown_later = {page.key: page.items for page in all_pages(forum, later)}
    unchanged = 0
    for page in (p for p in all_pages(forum, NOW) if p.kind == "thread"):
        etag = respond(forum, page.key, NOW).header("ETag") or ""
        again = respond(forum, page.key, later, {"If-None-Match": etag})
        if again.status == 304:
            assert shown_later[page.key] == page.items
            unchanged += 1
    assert unchanged > 20
    assert respond(forum, forum.layout.home, NOW).header("ETag")


def test_last_modified_is_now_where_the_forum_says_so() -> None:
    answer = respond(open_forum("harbour", "small"), "/index.php", NOW)
    assert answer.header("Last-Modified") == answer.header("Date")


@pytest.mark.parametrize(("name", "status"), [("werkbank", 200), ("harbour", 404)])
def test_a_thread_that_is_none_is_said_so_with_the_forums_status(name: str, status: int) -> None:
    forum = open_forum(name, "small")
    url = {"werkbank": "/showthread.php?t=999999", "harbour": "/viewtopic.php?t=999999"}[name]
    answer = respond(forum, url, NOW)
    assert answer.status == status
    assert forum.world.language.words["missing"][:20] in answer.body.decode()
    assert answer.page_class == "other"


@pytest.mark.parametrize("name", FORUMS)
def test_an_unknown_path_is_404_and_nonsense_never_fails(name: str) -> None:
    forum = open_forum(name, "small")
    assert respond(forum, "/no/such/thing.html", NOW).status == 404
    for url in (
        "",
        "/?",
        "/%ff%fe",
        "//",
        "/index.php?topic=x.y;a=b",
        "/showthread.php?t=-1&page=zz",
        "/t/1/99999999.html",
    ):
        assert respond(forum, url, NOW).status in {200, 301, 302, 404}


@pytest.mark.parametrize("name", [name for name in FORUMS if FORUMS[name].layout != "plaza"])
def test_pages_beyond_the_end_are_answered_as_the_forum_does(name: str) -> None:
    forum = open_forum(name, "small")
    last = max((p for p in all_pages(forum, NOW) if p.kind == "thread"), key=lambda p: p.order)
    index = forum.world.thread_by_number(last.thread)
    assert index is not None
    beyond = forum.layout.thread_url(ForumView(forum, NOW), index, 900 * forum.traits.posts_per_page)
    answer = respond(forum, beyond, NOW)
    if forum.traits.overrun == "last":
        assert url_key(answer.page) == last.key
    elif forum.traits.overrun == "redirect":
        assert (answer.status, url_key(answer.target)) == (301, last.key)
    else:
        assert (answer.status, answer.page) == (forum.traits.missing_status, "")


@pytest.mark.parametrize("name", [name for name, traits in FORUMS.items() if traits.feed != "none"])
def test_a_feed_is_linked_and_tells_of_threads(name: str) -> None:
    forum = open_forum(name, "small")
    answer = respond(forum, forum.layout.feed, NOW, {"Host": "f.test"})
    assert answer.body.count(b"<item>") == 15
    home = respond(forum, forum.layout.home, NOW, {"Cookie": f"{forum.layout.cookie}=1"}).body.decode()
    assert "application/rss+xml" in home
    newest = max(true_posts(forum, NOW), key=lambda post: post.date)
    told = f"#{forum.layout.anchor(newest.post)}<" in answer.body.decode()
    assert told == (forum.traits.feed == "truthful")


def test_the_lying_sitemap_says_everything_changed_today_and_the_true_one_does_not() -> None:
    lying = respond(open_forum("bahce", "small"), "/sitemap.xml", NOW).body.decode()
    true = respond(open_forum("clearing", "small"), "/sitemap.xml", NOW).body.decode()
    assert set(re.findall(r"<lastmod>(.*?)</lastmod>", lying)) == {"2016-03-01T12:00:00+00:00"}
    assert len(set(re.findall(r"<lastmod>(.*?)</lastmod>", true))) > 10


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_relaunch_shows_the_same_posts_in_another_layout(layout: str) -> None:
    old, new = open_forum("harbour", "small"), open_forum("harbour", "small", layout=layout)
    own = {(post.post, post.author, post.date) for post in true_posts(old, NOW)}
    assert own == {(post.post, post.author, post.date) for post in true_posts(new, NOW)}
    assert respond(new, new.layout.home, NOW).status == 200


def test_an_unknown_forum_layout_or_trait_is_a_clear_error() -> None:
    with pytest.raises(UsageError, match="no forum"):
        open_forum("nowhere")
    with pytest.raises(UsageError, match="no layout"):
        open_forum("harbour", layout="nothing")
    with pytest.raises(UsageError, match="no trait"):
        open_forum("harbour", colour="blue")


@pytest.mark.parametrize("name", FORUMS)
def test_pages_carry_the_noise_of_real_ones(name: str) -> None:
    forum = open_forum(name, "small")
    page = next(p for p in all_pages(forum, NOW) if p.kind == "thread")
    tree = parse(respond(forum, page.key, NOW).body.decode(forum.layout.charset))
    assert len(tree.select("a[href]")) > 8


def test_a_page_costs_milliseconds() -> None:
    forum = open_forum("harbour", "small")
    shown = all_pages(forum, NOW)
    forum.at(NOW)
    start = time.process_time()
    for page in shown:
        respond(forum, page.key, NOW)
    assert (time.process_time() - start) / len(shown) < 0.02  # measured: 0.001; a guard against a slip by ten


def test_a_closed_board_is_listed_and_answers_with_a_login_page_and_status_200() -> None:
    forum = open_forum("werkbank", "small")
    assert b"forumdisplay.php?f=90" in respond(forum, forum.layout.home, NOW).body
    answer = respond(forum, "/forumdisplay.php?f=90", NOW)
    assert (answer.status, answer.page, answer.page_class) == (200, "", "other")
    assert "/forumdisplay.php?f=90" not in {page.key for page in all_pages(forum, NOW)}
