"""How the pages to learn from are chosen, with a site of plain strings in place of the network."""

from datetime import UTC, datetime
from typing import cast

import pytest

from tests.forum import known_models
from threadmill.forum.page_class.classify import PageClass
from threadmill.forum.site_model.explore import (
    _call_threads,
    _choose_threads,
    _contains,
    explore,
    find_entry_candidates,
)
from threadmill.forum.site_model.learn import AnalysedSample, SamplePage
from threadmill.forum.site_model.model import ForumModel
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum
from threadmill.lab.simulate.respond import respond
from threadmill.page.parse.tree import parse
from threadmill.types import ThreadRow

HOME = "http://f.example/"
NOW = datetime(2026, 11, 16)


def _asked(pages: dict[str, str]) -> list[str]:
    """The addresses that learning a forum asks for."""
    exploration = explore(HOME)
    asked = [next(exploration)]
    try:
        while True:
            html = pages.get(asked[-1])
            sample = SamplePage(asked[-1], parse(html, asked[-1]), NOW) if html else None
            asked.append(exploration.send(sample))
    except StopIteration:
        return asked


def _learn_random_forum(seed: int, **fixed: str) -> ForumModel:
    forum, home = open_random_forum(seed, **fixed), "http://f.example"
    exploration = explore(f"{home}{forum.layout.home}")
    url = next(exploration)
    while True:
        answer = respond(forum, url.removeprefix(home), as_unix_time("2016-03-01"), {"host": "f.example"})
        page = SamplePage(url, parse(answer.body, url), datetime(2016, 3, 1, tzinfo=UTC))
        try:
            url = exploration.send(page if answer.status == 200 else None)
        except StopIteration as end:
            return cast("ForumModel", end.value)


def _page(body: str) -> str:
    return f"<html><body><h1>Forum</h1>{body}</body></html>"


def test_an_empty_board_does_not_end_the_search_for_boards() -> None:
    boards = "".join(f"<p><a href='/c/{n}'>All about the subject {n}</a></p>" for n in range(1, 7))
    asked = _asked({HOME: _page(boards)} | {f"{HOME}c/{n}": _page("No topics yet") for n in range(1, 7)})
    assert len([url for url in asked if "/c/" in url]) >= 3


def test_boards_with_two_lists_each_are_looked_for_on_both() -> None:
    home = "".join(
        f"<li><a href='/{name}/dates.html'>{name} by date</a> <a href='/{name}/tree.html'>tree</a></li>"
        for name in ("bikes", "cars", "boats", "maps")
    )
    rows = "".join(
        f"<li><a href='msg{n}.html'>Re: Chain number {n} slips</a> <i>ada</i></li>" for n in range(9)
    )
    lists = [
        f"{HOME}{n}/{page}.html" for n in ("bikes", "cars", "boats", "maps") for page in ("dates", "tree")
    ]
    pages = {url: _page(f"<ul>{rows}</ul>") for url in lists}
    asked = _asked({HOME: _page(f"<ul>{home}</ul>")} | pages)
    assert len({url.split("/")[3] for url in asked if url.endswith("dates.html")}) > 1


def test_boards_that_list_months_are_followed_to_the_threads_of_several_boards() -> None:
    names = ("bikes", "cars", "boats")
    months = ("2025/9", "2025/10", "2025/11", "2025/12")
    pages = {HOME: _page("".join(f"<p><a href='/list/{n}/'>All about {n}</a></p>" for n in names))}
    for name in names:
        links = "".join(f"<li><a href='/list/{name}/{m}/'>Threads of the month {m}</a></li>" for m in months)
        files = f"<a href='/list/{name}/export.mbox.gz'>Download the messages of this list</a>"
        pages[f"{HOME}list/{name}/"] = _page(f"<ul>{links}</ul>{files}")
        for month in months:
            rows = "".join(
                f"<tr><td><a href='/list/{name}/thread/{n}{month[-1]}/'>Chain {n} in {month}?</a></td>"
                f"<td>ada</td><td>{n} replies</td><td>2025-11-{n + 10} 10:0{n}</td></tr>"
                for n in range(1, 9)
            )
            pages[f"{HOME}list/{name}/{month}/"] = _page(f"<table>{rows}</table>")
    asked = _asked(pages)
    assert len({url.split("/")[4] for url in asked if "/thread/" in url}) > 1
    assert not any(url.endswith(".gz") for url in asked)


def test_learning_stays_on_the_site() -> None:
    elsewhere = "".join(
        f"<p><a href='http://other.example/c/{n}'>Subject number {n}</a></p>" for n in range(1, 7)
    )
    asked = _asked({HOME: _page(elsewhere)})
    assert all(url.startswith(HOME) for url in asked)


def test_a_start_page_with_one_board_among_its_menu_leads_to_the_board_and_its_threads() -> None:
    menu = "<p><a href='/login'>Log in to write something here</a> <a href='/help.html'>Help</a></p>"
    rows = "".join(
        f"<tr><td><a href='/t/{n}'>A long title of the thread {n}</a></td><td>{n}</td>"
        f"<td>2026-11-{n:02} 10:00</td></tr>"
        for n in range(1, 9)
    )
    posts = "".join(
        f"<div class=post><b>anna{n}</b> <i>2026-11-{n:02} 10:00</i><p>{f'Word {n} of it. ' * 9}</p></div>"
        for n in range(1, 5)
    )
    threads = {f"{HOME}t/{n}": _page(menu + posts) for n in range(1, 9)}
    home = _page(f"{menu}<p><a href='/c/general'>General talk</a></p>")
    asked = _asked({HOME: home, f"{HOME}c/general": _page(f"{menu}<table>{rows}</table>")} | threads)
    assert f"{HOME}c/general" in asked
    assert len([url for url in asked if "/t/" in url]) > 1
    assert f"{HOME}login" not in asked


def test_a_box_of_the_latest_threads_on_every_page_does_not_hide_the_only_board() -> None:
    """Profiles look like lists then: 12012 is a forum of one board whose pages all have such a box."""
    model = _learn_random_forum(12012)
    assert model.kind_of_url("http://f.example/forum.asp?action=board&f=2") == "index"


def test_a_second_name_of_the_start_page_does_not_end_the_search_for_threads() -> None:
    """Boards whose rows look like boards, and a menu with an address that shows the start page again."""
    forum, home = open_forum("kafana", 2400), "http://f.example"
    exploration = explore(f"{home}/")
    url, model = next(exploration), None
    while model is None:
        answer = respond(forum, url.removeprefix(home), as_unix_time("2015-12-01"))
        try:
            url = exploration.send(
                SamplePage(url, parse(answer.body, url), datetime(2015, 12, 1, tzinfo=UTC))
            )
        except StopIteration as end:
            model = end.value
    assert model.threads.patterns


def test_a_list_of_messages_is_learnt_with_the_pages_that_show_whole_threads() -> None:
    model, home = _learn_random_forum(1736, shape="tree"), "http://f.example"
    assert model.kind_of_url(f"{home}/read?in=2&t=99") == "thread"
    assert model.kind_of_url(f"{home}/read?msg=99") == "other"


@pytest.mark.parametrize("name", known_models.NAMES)
def test_exploring_asks_for_the_known_pages(name: str) -> None:
    assert known_models.explored(name)[0] == known_models.known()[name]["asked"]


def test_a_start_page_that_cannot_be_fetched_gives_an_empty_model() -> None:
    exploration = explore(HOME + "?phpsessid=1")
    assert next(exploration) == HOME + "?phpsessid=1"
    with pytest.raises(StopIteration) as end:
        exploration.send(None)
    assert end.value.value == ForumModel(HOME)


def _sample(body: str, url: str = HOME) -> AnalysedSample:
    return AnalysedSample(SamplePage(url, parse(f"<html><body>{body}</body></html>".encode(), url), NOW))


def test_entries_are_looked_for_above_the_page_and_at_urls_with_a_word_for_forums() -> None:
    links = (
        '<a href="/a/b/">Board</a> <a href="/a/">Part</a> <a href="/x/forum/">Forum</a> <a href="/x/y/">Y</a>'
        ' <a href="/index.php">Start</a> <a href="/a/?x=1">X</a> <a href="http://other.example/">Other</a>'
        ' <a href="/x/index.php?a=1">No</a>'
    )
    page = _sample(links, "http://f.example/a/b/thread")
    assert find_entry_candidates(page) == [
        "http://f.example/a/b/",
        "http://f.example/a/",
        "http://f.example/index.php",
        "http://f.example/",
        "http://f.example/x/forum/",
    ]


def _entry_of(pages: dict[str, str], start: str) -> str:
    """The entry of a forum that is learnt from a page."""
    exploration = explore(start)
    asked = next(exploration)
    while True:
        html = pages.get(asked)
        try:
            sample = SamplePage(asked, parse(html, asked), NOW.replace(tzinfo=UTC)) if html else None
            asked = exploration.send(sample)
        except StopIteration as end:
            return cast("ForumModel", end.value).entry


def test_where_no_page_is_a_list_the_forum_begins_where_the_user_says() -> None:
    start = f"{HOME}forum/archive/index.php/"
    boards = "".join(f"<li><a href='f-{n}.html'>Pumps {n}</a></li>" for n in (2, 4))
    archive = f"<p>Full version: <a href='{HOME}forum/index.php'>Forum</a></p><ul>{boards}</ul>"
    pages = {start: _page(archive), f"{HOME}forum/index.php": _page("This page is for members.")}
    assert _entry_of(pages, start) == start


def test_a_menu_of_the_site_that_leads_to_a_list_of_threads_is_no_list_of_boards() -> None:
    rows = "".join(
        f"<tr><td><a href='/talk/{n}'>What is wrong with pump {n}?</a></td><td>user{n}</td><td>{n}</td>"
        f"<td>{n} June 2026 10:0{n}</td></tr>"
        for n in range(1, 9)
    )
    menu = "".join(f"<li><a href='/{name}/'>{name}</a></li>" for name in ("talk", "guides", "news"))
    table = f"<table><tr><th>Topic</th><th>By</th><th>Replies</th><th>Last post</th></tr>{rows}</table>"
    pages = {f"{HOME}talk/": _page(f"<ul>{menu}</ul>{table}"), HOME: _page(f"<ul>{menu}</ul>")}
    assert _entry_of(pages, f"{HOME}talk/") == f"{HOME}talk/"


def test_the_page_itself_is_no_other_entry() -> None:
    assert find_entry_candidates(_sample('<a href="/">Home</a>')) == []


def test_some_threads_are_fetched_even_where_two_for_each_list_were_enough() -> None:
    """Threads of one message each are read side by side: three samples taught no wrapper."""
    model = _learn_random_forum(1_000_575)
    assert model.wrapper
    assert model.wrapper.cover["authors"] == 1.0


def test_where_no_sample_has_a_second_page_the_links_in_rows_tell_how_it_is_written() -> None:
    threads = _learn_random_forum(1_000_563).threads
    assert threads.split("http://f.example/view.php?19,offset=10") == ("http://f.example/view.php?19", 2)


def test_titles_that_messages_share_make_one_pattern_beside_numbers() -> None:
    threads = _learn_random_forum(1_000_811).threads
    assert [str(pattern) for pattern in threads.patterns] == [r"/d/\d+/[^/]+"]


def test_the_longest_threads_and_one_of_medium_length_are_chosen() -> None:
    rows = [ThreadRow(f"{HOME}t/{n}", f"Thread {n}", replies=n) for n in range(1, 10)]
    assert [row.replies for row in _choose_threads(rows, 3)] == [9, 8, 5]
    assert [row.replies for row in _choose_threads(rows[:2], 3)] == [2, 1]


def _learn(pages: dict[str, str]) -> ForumModel:
    exploration = explore(HOME)
    url = next(exploration)
    while True:
        html = pages.get(url)
        try:
            url = exploration.send(SamplePage(url, parse(html, url), NOW) if html else None)
        except StopIteration as end:
            return cast("ForumModel", end.value)


def test_a_list_with_a_word_for_forums_in_its_name_is_no_start_page_if_others_are_like_it() -> None:
    names = ("general-discussion", "boat-repairs", "trips")
    links = "".join(f"<p><a href='/{name}@x.example/'>{name}@x.example</a></p>" for name in names)
    pages = {HOME: _page(links)}
    for name in names:
        rows = "".join(
            f"<li><a href='/{name}@x.example/m{n}.html'>Chain {n} slips on {name}</a> ada 2026-11-0{n}</li>"
            for n in range(1, 7)
        )
        pages[f"{HOME}{name}@x.example/"] = _page(f"<ul>{rows}</ul>")
    assert _learn(pages).entry == HOME
    only = {HOME: _page(f"<p><a href='/{names[0]}@x.example/'>{names[0]}</a></p>")}
    only[f"{HOME}{names[0]}@x.example/"] = pages[f"{HOME}{names[0]}@x.example/"]
    assert _learn(only).entry == f"{HOME}{names[0]}@x.example/"


def _posts_page(*texts: str, url: str = HOME + "x/1") -> AnalysedSample:
    posts = "".join(
        f'<div class="post" id="p{n}"><a class="author" href="/u/{n}">member{n}</a> '
        f'<i>{n + 3} May 2026 10:00</i><div class="text">{text}</div></div>'
        for n, text in enumerate(texts)
    )
    html = f"<html><body><h1>A thread about pumps</h1>{posts}</body></html>"
    return AnalysedSample(SamplePage(url, parse(html.encode(), url), NOW.replace(tzinfo=UTC)))


_LONG = "My pump makes a strange noise since last week, who knows why?"


def test_a_page_with_several_posts_contains_a_message_that_is_long_enough_to_be_known_again() -> None:
    several = _posts_page(_LONG, "Thanks!", "Please look at the seal of it first of all.")
    assert len(several.thread.posts) == 3
    assert _contains(several, _posts_page(_LONG))
    assert not _contains(several, _posts_page("Thanks!"))
    assert not _contains(several, _posts_page("Quite another message about something else."))
    assert not _contains(_posts_page(_LONG), _posts_page(_LONG))  # one post is no thread


def test_pages_with_several_posts_are_called_threads_where_one_of_them_is() -> None:
    several, single = _posts_page(_LONG, "Please look at the seal of it first of all."), _posts_page(_LONG)
    for page in (several, single):
        page.page_class = PageClass("index", 0.6, "", "threads")
    _call_threads([several, single])
    assert (several.kind, single.kind) == ("thread", "index")
