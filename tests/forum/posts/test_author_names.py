"""Names that single elements show."""

import pytest

from tests.forum.outlines import at, outline_of
from threadmill.forum.posts.author_names import (
    PostAuthor,
    author_at,
    common_prefix,
    is_action,
    is_name_in_byline,
    may_name_person,
    names_person,
)


@pytest.mark.parametrize(
    ("hrefs", "prefix"),
    [
        (["/user/anna", "/user/bert"], "/user/"),
        (["/user/anna"], ""),
        (["/user/anna", "/user/anna"], ""),
        (["/u/1", "/u/2"], ""),
        (["/u1/1", "/u1/2"], "/u1/"),
        (["https://a.example/u1", "https://a.example/v2"], ""),
        (["https://a.example/m/u1", "https://a.example/m/v2"], "https://a.example/m/"),
        (["/user/a", "/user/ab"], "/user/a"),
    ],
)
def test_a_common_prefix_says_more_than_a_host(hrefs: list[str], prefix: str) -> None:
    assert common_prefix(hrefs) == prefix


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ('<b k="x">anna  maria</b>', "anna maria"),
        ('<b k="x">Ingrid P.</b>', "Ingrid P."),
        ('<b k="x">anna · <i>3 May</i></b>', "anna"),
        ('<b k="x">anna <i>3 May</i></b>', None),
        ('<b k="x">· anna ·</b>', "anna"),
        ('<b k="x">anna · <i>May</i></b>', "anna"),
        ('<b k="x">anna · <i>3</i><i>4</i></b>', "anna"),
        ('<b k="x">anna · <i>3</i><i>4</i><i>5</i></b>', None),
        ('<b k="x"><i>anna</i></b>', None),
        ('<b k="x"></b>', None),
        ('<b k="x">77</b>', None),
        ('<b k="x">It rains.</b>', None),
        ('<b k="x">Really?</b>', None),
        ('<b k="x">うちも同じです。</b>', None),
        ('<b k="x">谢谢！</b>', None),
        ('<b k="x">Author: anna</b>', "anna"),
        ('<b k="x">Rules: anna</b>', None),
        ('<b k="x">Posted by anna on 3 May 2019 at 10:11</b>', "anna"),
        ('<b k="x">anna schrieb am 03.05.2019 10:11:</b>', "anna"),
        ('<b k="x">Ludwig von Anna</b>', "Ludwig von Anna"),
        ('<div k="x">anna<br>Posts: 5<br>Joined: 2010</div>', "anna"),
        ('<b k="x"><i>From</i>: Anna B &lt;anna@example.org&gt;</b>', "Anna B"),
        ('<b k="x">anna at example.org (Anna B)</b>', "Anna B"),
        ('<div k="x">Posted <i>3 May</i> anna wrote: <i>No.3</i> <a href="#p3">Link</a></div>', "anna"),
        ('<div k="x">Posted <i>3 May</i> anna schrieb: <i>No.3</i> <a href="#p3">Link</a></div>', "anna"),
        ('<div k="x">Posted <i>3 May</i> anna is here: <i>No.3</i> <a href="#p3">Link</a></div>', None),
        ('<dt k="x"><a href="#c5">1.</a> Le mardi 2 mai 2016, 09:12 par Anna</dt>', "Anna"),
        ('<dt k="x"><a href="#c5">1.</a> On 2 May 2016, 09:12, by <a href="/u/5">Anna</a></dt>', "Anna"),
        ('<dt k="x"><a href="#c5">1.</a> Last edited on 2 May 2016, 09:12 by Anna</dt>', None),
        ('<p k="x">By Anna on 2 May 2016 - <a href="/b">Boats</a> - <a href="/t">Link</a> - x</p>', "Anna"),
        ('<p k="x">In spring we left - <a href="/b">Boats</a> - <a href="/t">Link</a> - x</p>', None),
        ('<span k="x">por</span>', None),
        ('<b k="x">http://a</b>', None),
        ('<b k="x">Home » Pumps</b>', None),
        (f'<b k="x">{"a" * 40}</b>', "a" * 40),
        (f'<b k="x">{"a" * 41}</b>', None),
    ],
)
def test_a_short_text_without_the_marks_of_a_sentence_may_be_a_name(markup: str, name: str | None) -> None:
    outline = outline_of(f"<p>{markup}</p>")
    author = author_at(outline, at(outline, "x"))
    assert (author.name if author else None) == name


@pytest.mark.parametrize(
    ("markup", "href"),
    [
        ('<a href="/u/1"><u><s><i><b k="x">anna</b></i></s></u></a>', "/u/1"),
        ('<a href="/u/1"><u><em><s><i><b k="x">anna</b></i></s></em></u></a>', None),
        ('<a href="#p1" k="x">anna</a>', None),
        ('<a href="mailto:a@b.c" k="x">anna</a>', None),
        ('<b k="x">anna</b>', None),
    ],
)
def test_a_name_has_the_url_of_the_link_around_it(markup: str, href: str | None) -> None:
    outline = outline_of(f"<p>{markup}</p>")
    author = author_at(outline, at(outline, "x"))
    assert author == PostAuthor(at(outline, "x"), "anna", href)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<b class="username" k="x">anna</b>', True),
        ('<a href="/member/1" k="x">anna</a>', True),
        ('<p class="author"><b k="x">anna</b></p>', True),
        ('<p itemprop="author"><i><b k="x">anna</b></i></p>', True),
        ('<p itemprop="author"><u><i><b k="x">anna</b></i></u></p>', False),
        ('<b k="x">anna</b>', False),
        ('<b class="username" k="x">It rains.</b>', False),
    ],
)
def test_markup_tells_of_a_person(markup: str, expected: bool) -> None:
    outline = outline_of(f"<div>{markup}</div>")
    assert names_person(outline, at(outline, "x")) is expected


def test_a_name_in_a_byline_stands_directly_in_the_line_with_the_date() -> None:
    outline = outline_of(
        '<p k="p">1: <b k="b">anna</b> <a k="a">bert</a> <i k="i">It rains.</i> 3 May</p><b k="c">carl</b>'
    )
    dated = {at(outline, "p")}
    assert [k for k in "baic" if is_name_in_byline(outline, at(outline, k), dated)] == ["b"]
    assert not is_name_in_byline(outline, at(outline, "b"), {*dated, at(outline, "b")})


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<a href="/lid/23" k="x">meeuw</a>', True),
        ('<a href="/lid/meeuw" k="x">meeuw</a>', True),
        ('<a href="/lid/Me-Euw" k="x">me euw</a>', True),
        ('<a href="http://a1.example/lid" k="x">meeuw</a>', False),
        ('<a href="http://a1.example/lid/3" k="x">meeuw</a>', True),
        ('<a href="/lid/me" k="x">me</a>', False),
        ('<a href="/lid" k="x">meeuw</a>', False),
        ('<b k="x">meeuw</b>', False),
        ('<a href="/lid/23" k="x">Pumps</a>', False),
    ],
)
def test_a_link_may_name_a_person_by_its_url(markup: str, expected: bool) -> None:
    outline = outline_of(f"<p>{markup}</p>", title="Pumps and more")
    assert may_name_person(outline, at(outline, "x")) is expected


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<div k=x><i>3 May 2019</i> anna <b>No.3</b></div>", "anna"),
        ("<div k=x><i>3 May 2019</i> <b>No.3</b></div>", None),
        ("<div k=x>anna <span>#3</span><div>Words of a post.</div></div>", "anna"),
        ("<div k=x>anna <span>3</span><div>Words of a post.</div></div>", None),
    ],
)
def test_a_name_may_stand_bare_beside_a_date_or_a_number(html: str, name: str | None) -> None:
    outline = outline_of(html)
    author = author_at(outline, at(outline, "x"))
    assert (author.name if author else None) == name


def test_a_name_in_a_heading_beside_a_date_stands_in_a_byline() -> None:
    outline = outline_of("<div><h4><b k=x>anna</b></h4> <span k=d>3 May 2019</span></div>")
    assert is_name_in_byline(outline, at(outline, "x"), {at(outline, "d")})


def test_a_name_in_two_phrase_elements_stands_in_the_byline_around_them() -> None:
    outline = outline_of("<dl><dt k=d>12: <font><b k=x>anna</b></font>: 3 May 2019 ID:7<dd>Words</dd></dl>")
    assert is_name_in_byline(outline, at(outline, "x"), {at(outline, "d")})


@pytest.mark.parametrize("word", ["by", "von", "przez", "yazan", "gönderen"])
def test_a_word_for_by_is_no_part_of_a_name(word: str) -> None:
    outline = outline_of(f'<div><b k="x">{word} ceviz</b></div>')
    author = author_at(outline, at(outline, "x"))
    assert author is not None
    assert author.name == "ceviz"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/", True),
        ("https://forum.example.org/", True),
        ("http://anna.example.net/", False),
        ("http://anna.example.net", False),
        ("/u/7", False),
    ],
)
def test_only_the_start_page_of_this_site_is_no_link_of_a_person(href: str, expected: bool) -> None:
    """Guests of blogs name their own sites, and the link around their name leads there."""
    outline = outline_of(f'<p><a href="{href}" k="x">anna</a></p>')
    author = author_at(outline, at(outline, "x"))
    assert author is not None
    assert is_action(author, outline.tree.url) is expected
