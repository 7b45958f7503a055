"""Pages with one post each, read side by side."""

from __future__ import annotations

from datetime import UTC, datetime

from threadmill.forum.posts.read_posts import read_posts
from threadmill.forum.read_page import PageAnalysis, extract_thread
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.learn import SamplePage, learn
from threadmill.forum.site_model.single_posts import JoinedPages, join_pages, read_side_by_side
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


_MENU = '<ul class="menu"><li><a href="../faq">Questions</a></li><li>Members</li></ul>'


def _join(*bodies: str) -> JoinedPages:
    pages = [
        parse(f"<html><title>Page {n}</title><body>{body}</body></html>", f"http://a.test/dir/{n}.html")
        for n, body in enumerate(bodies)
    ]
    return join_pages([PageOutline(page) for page in pages])


def test_the_bodies_of_all_pages_stand_below_one_root() -> None:
    joined = _join("<p>one</p>", "<p>two <b>three</b></p>")
    outline = joined.outline
    assert [outline.tags[top] for top in joined.tops] == ["body", "body"]
    assert [outline.parent[top] for top in joined.tops] == [0, 0]
    assert [outline.text(top) for top in joined.tops] == ["one", "two three"]
    assert outline.text(0) == "one two three"
    assert outline.end[0] == len(outline)
    assert outline.title.splitlines() == ["Page 0", "Page 1"]


def test_elements_have_the_chains_that_they_have_on_their_own_page() -> None:
    page = '<div class="post"><b>anna</b></div>'
    alone = PageOutline(parse(f"<html><body>{page}</body></html>", "http://a.test/"))
    joined = _join("<p>other</p>", page).outline
    assert joined.chain(len(joined) - 1, 4) == alone.chain(len(alone) - 1, 4)


def test_links_are_absolute_so_that_pages_of_several_folders_agree() -> None:
    joined = _join(f"{_MENU}<p>one</p>", '<p><a href="#top">up</a></p>')
    assert {href for href in joined.outline.hrefs if href} == {"http://a.test/faq", "#top"}


def test_what_stands_at_the_same_place_of_most_pages_is_framing() -> None:
    joined = _join(*(f"{_MENU}<p>text {n}</p><p>same words</p>" for n in range(5)), "<p>text 9</p>")
    texts = [joined.outline.text(index) for index in joined.framing]
    assert texts == ["Questions Members", "same words"] * 5


def test_a_name_on_half_of_the_pages_is_no_framing() -> None:
    names = ["anna", "anna", "bert", "anna", "carl"]
    joined = _join(*(f"{_MENU}<b>{name}</b><p>text {n}</p>" for n, name in enumerate(names)))
    assert {joined.outline.text(index) for index in joined.framing} == {"Questions Members"}
