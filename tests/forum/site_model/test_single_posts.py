"""Pages with one post each, read side by side."""

from __future__ import annotations

from datetime import UTC, datetime

from threadmill.forum.posts.read_posts import read_posts
from threadmill.forum.read_page import PageAnalysis, extract_thread
from threadmill.forum.site_model.learn import SamplePage, learn
from threadmill.forum.site_model.single_posts import read_side_by_side
from threadmill.page.parse.tree import Tree, parse

_NOW = datetime(2026, 11, 1, tzinfo=UTC)
_NAMES = ("Ahorn", "Birke", "Ahorn", "Eibe", "Birke", "Fichte")
_WORDS = (
    "Der Regler pfeift, sobald man ihn belastet.",
    "Bei mir war es die Dichtung. Danach lief er wieder.",
    "Danke, das war es.",
    "Ich habe 47 Volt gemessen, das ist zu wenig.",
    "Hat jemand den Schaltplan?",
    "Der Plan liegt im Archiv. Ich schicke ihn dir.",
)


def _page(number: int, body: str | None = None) -> Tree:
    """A message as archives show it: nothing tells that the first line of its head is a name."""
    words = body or f"<div>{_WORDS[number]}</div>"
    return parse(
        f"<html><title>Regler {number} - Werkstatt</title><body><p><a href='/'>Werkstatt</a> "
        f"<a href='/rules'>Regeln</a></p><div><a href='/b/{number % 2}'>Brett {number % 2}</a>"
        f"<h1>Regler {number}</h1><a href='/m/{number + 1}'>weiter</a><hr>"
        f"<b>{_NAMES[number]}</b><br><i>{number + 3}.10.2026, 1{number}:20</i><hr>{words}<hr></div>"
        "<p><a href='/help'>Hilfe</a></p></body></html>",
        f"http://a.test/m/{number}",
    )


def _analyses(count: int, **more: str) -> list[PageAnalysis]:
    return [PageAnalysis(_page(number, **more), _NOW) for number in range(count)]


def _is_known(url: str) -> bool:
    return "/m/" in url or "/b/" in url


def test_what_differs_from_page_to_page_is_the_post_and_its_head() -> None:
    found = read_side_by_side(_analyses(6), _is_known)
    assert found is not None
    posts = read_posts(*found, _NOW)
    assert [post.author for post in posts] == list(_NAMES)
    assert [post.text for post in posts] == list(_WORDS)
    assert [post.date and post.date.date.day for post in posts] == [3, 4, 5, 6, 7, 8]
    assert {post.url for post in posts} == {None}  # links lead to other messages


def test_a_few_pages_and_pages_that_are_all_the_same_show_nothing() -> None:
    assert read_side_by_side(_analyses(3), _is_known) is None
    assert read_side_by_side(_analyses(6, body="<div>Gone.</div>"), _is_known) is None


def test_a_site_of_single_messages_gets_a_wrapper_that_reads_each_of_them() -> None:
    long = [f"<div>{' '.join(_WORDS[n:] + _WORDS[:n])}</div>" for n in range(6)]
    rows = "".join(
        f"<tr><td><a href='/m/{n}'>Der Regler {n} pfeift laut</a></td><td>{_NAMES[n % 6]}</td>"
        f"<td>{40 - n}</td><td>{25 - n}.10.2026, 10:20</td></tr>"
        for n in range(20)
    )
    start = parse(
        f"<html><title>Werkstatt</title><body><h1>Werkstatt</h1><table>{rows}</table></body></html>",
        "http://a.test/",
    )
    pages = [start, *(_page(number, long[number]) for number in range(6))]
    model = learn([SamplePage(page.url, page, _NOW) for page in pages], "http://a.test/")
    assert model.wrapper is not None
    thread = extract_thread(PageAnalysis(_page(3, long[3]), _NOW), model.wrapper)
    assert thread.wrapped
    assert [(post.author, post.text[:30]) for post in thread.posts] == [(_NAMES[3], _WORDS[3][:30])]


def test_preformatted_messages_keep_quoted_lines_apart() -> None:
    bodies = [f"<pre>Eibe schrieb:\n&gt; Frage {n}?\n\n{words}</pre>" for n, words in enumerate(_WORDS)]
    analyses = [PageAnalysis(_page(n, body), _NOW) for n, body in enumerate(bodies)]
    found = read_side_by_side(analyses, _is_known)
    assert found is not None
    posts = read_posts(*found, _NOW)
    assert [post.text for post in posts] == list(_WORDS)
    assert [post.quotes[0].text for post in posts] == [f"Frage {n}?" for n in range(6)]
