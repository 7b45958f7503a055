from threadmill.forum.paging.cursors import find_cursor_parameter, without_parameter
from threadmill.forum.paging.pager import find_paging
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse


def _outline(url: str, links: str) -> PageOutline:
    return PageOutline(parse(f"<html><body><p>{links}</p></body></html>".encode(), url))


def test_from_page_one_a_step_to_older_posts_leads_on() -> None:
    page = _outline("http://a.test/t/1", '<a href="/t/1?before=130">Ältere Beiträge</a>')
    assert find_paging(page).next == "http://a.test/t/1?before=130"


def test_a_later_page_knows_the_way_back_and_on() -> None:
    links = '<a href="/t/1">Newer posts</a> <a href="/t/1?before=113">Older posts</a>'
    paging = find_paging(_outline("http://a.test/t/1?before=130", links))
    assert (paging.next, paging.previous) == ("http://a.test/t/1?before=113", "http://a.test/t/1")


def test_a_link_that_sorts_the_page_anew_is_no_step() -> None:
    page = _outline("http://a.test/t/1", '<a href="/t/1?order=old">Older first</a>')
    assert find_paging(page).next is None


def test_the_cursor_is_the_parameter_in_which_the_next_page_differs() -> None:
    assert find_cursor_parameter("http://a.test/t/1?b=2", "http://a.test/t/1?b=2&before=9") == "before"
    assert without_parameter("http://a.test/t/1?b=2&before=9", "before") == "http://a.test/t/1?b=2"


def test_a_cursor_that_is_called_an_offset_is_not_counted_by() -> None:
    links = (
        '<a class="step" href="/t/1">Newer posts</a> <a class="step" href="/t/1?start=386">Older posts</a>'
    )
    paging = find_paging(_outline("http://a.test/t/1?start=398", links))
    assert (paging.next, paging.previous) == ("http://a.test/t/1?start=386", "http://a.test/t/1")
    assert paging.slot is None


def test_a_word_that_leads_to_another_thread_is_no_cursor() -> None:
    page = _outline("http://a.test/t.php?t=5", '<a href="/t.php?t=5&amp;goto=nextoldest">Older thread</a>')
    assert find_paging(page).next is None
