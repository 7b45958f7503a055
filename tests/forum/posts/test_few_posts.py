# ruff: noqa: E501 -- markup reads better unbroken
"""Pages of one or two posts: a post beside a list is one post, two posts are two."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.forum.outlines import keys, outline_of, table_of
from threadmill.forum.posts.few_posts import (
    add_first_post,
    are_posts,
    are_similar,
    complete_records,
    find_short_post,
    find_single_post,
    own_text_lengths,
    words_outside,
)
from threadmill.forum.posts.post_records import drop_inserts, shrink_records
from threadmill.forum.read_page import read_thread
from threadmill.forum.records.date_columns import find_page_dates, has_date, is_dated_sentence
from threadmill.forum.records.record_table import PageRecord, RecordTable
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 6, 17, 12, tzinfo=UTC)
POST = (
    '<div class="post"><a class="username" href="/user/{0}">{0}</a> <i>{1}</i>'
    '<div class="text"><p>{2} and that is what I wanted to say about this matter today.</p></div></div>'
)


def posts_of(html: str) -> list[tuple[str | None, str]]:
    page = f"<html><head><title>A thread</title></head><body><h1>A thread</h1>{html}</body></html>"
    return [
        (post.author, post.text)
        for post in read_thread(parse(page.encode(), "https://a.example/"), NOW).posts
    ]


def test_a_post_beside_a_list_of_threads_is_one_post() -> None:
    rows = "".join(
        f'<li><a href="/t/{n}">Some other thread {n}</a> <time>2020-01-0{n}</time></li>' for n in range(1, 6)
    )
    found = posts_of(
        f'<div id="main">{POST.format("anna", "2020-01-05 10:00", "Hello")}</div><ul>{rows}</ul>'
    )

    assert [author for author, _ in found] == ["anna"]
    assert found[0][1].startswith("Hello and that")


def test_two_posts_are_two_without_the_headings_around_them() -> None:
    first, second = (
        POST.format("anna", "2020-01-05 10:00", "Hello"),
        POST.format("bert", "2020-01-06 11:30", "Hi"),
    )
    found = posts_of(f"<div>{first}</div><div><h2>1 answer</h2>{second}<form><p>Reply</p></form></div>")

    assert [author for author, _ in found] == ["anna", "bert"]
    assert "answer" not in found[1][1]


def test_what_stands_between_posts_without_a_place_in_the_site_is_no_post() -> None:
    first, second = (
        POST.format("anna", "2020-01-05 10:00", "Hello"),
        POST.format("bert", "2020-01-06 11:30", "Hi"),
    )
    insert = (
        '<div class="post"><b>Bargains</b> <i>2020-06-17</i><div class="text"><p>We have more pumps than '
        "anybody else in this town and in all the others.</p></div></div>"
    )

    assert [author for author, _ in posts_of(f"{first}{insert}{second}")] == ["anna", "bert"]


def test_pagers_above_and_below_a_lone_post_make_no_pair() -> None:
    pager = '<table class="pager"><tr><td>Page 4 of 4</td><td><a href="/?page=3">3</a></td></tr></table>'

    assert len(posts_of(f"{pager}{POST.format('anna', '2020-01-05 10:00', 'Hello')}{pager}")) == 1


JULY = datetime(2020, 7, 1, tzinfo=UTC)
WORDS = "We left before sunrise and were at the lake when the others had their breakfast."


def _page(author: str) -> bytes:
    recent = "".join(f'<li><a href="/t/{n}/">Trip {n}</a> {n} June 2020, 10:15</li>' for n in range(1, 6))
    return (
        f"<html><head><title>Early</title></head><body><h1>Early</h1><div>{author} <i>3 May 2020, 10:15</i>"
        f'<p>{WORDS}</p><a href="/answer?to=153">Zitieren</a></div><ul>{recent}</ul></body></html>'
    ).encode()


@pytest.mark.parametrize(
    "author", ['<a href="/lid/23/meeuw">meeuw</a>', '<a href="/clan.asp?id=31"><b>meeuw</b></a>']
)
def test_a_name_is_known_by_where_it_leads_in_any_language(author: str) -> None:
    posts = read_thread(parse(_page(author), "http://a.test/t/7/"), JULY).posts

    assert [post.author for post in posts] == ["meeuw"]
    assert posts[0].text.startswith(WORDS)


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("Since 4 March 2014 nobody answers the telephone any more.", True),
        ("上周末换了CE-189，味道安静了许多，2012-08-10以后。", True),
        ("Posted: Tue Mar 12, 2010 10:12 am Post subject: where is the old one?", False),
        ("Joined: March 2010.", False),
    ],
)
def test_a_date_in_a_sentence_is_no_byline(text: str, prose: bool) -> None:
    assert is_dated_sentence(text) is prose
    assert has_date(text) is not prose


def _short(words: str) -> bytes:
    menu = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in ("home", "search", "members", "help"))
    return (
        f"<html><head><title>Pumps</title></head><body><h1>A board</h1><ul>{menu}</ul><p>You are not logged in.</p>"
        '<div id="p1562"><h2><a href="/t/9?p=1562">2020-05-03 10:15</a></h2><div><a href="/profile/27">otter</a> '
        f"<dl><dd>Member</dd><dd>Posts: 20</dd></dl></div><div class='said'><p>{words}</p></div></div>"
        "<div><h2>Footer</h2><p>Powered by hand</p></div></body></html>"
    ).encode()


def test_a_lone_post_may_say_next_to_nothing() -> None:
    posts = read_thread(parse(_short("Thanks, that solved it!"), "http://a.test/t/9"), JULY).posts

    assert [(post.author, post.text) for post in posts] == [("otter", "Thanks, that solved it!")]


def test_posts_of_people_without_a_name_are_told_apart_by_their_bylines() -> None:
    rows = "".join(
        f'<dt id="r{n}">{n} : <b>nameless</b> : 2020/05/0{n} 11:10:37</dt><dd>{WORDS} That was number {n}.</dd>'
        for n in (1, 2)
    )
    page = f"<html><head><title>Early</title></head><body><h1>Early</h1><dl>{rows}</dl></body></html>"
    posts = read_thread(parse(page.encode(), "http://a.test/t/7/"), JULY).posts

    assert [post.author for post in posts] == ["nameless", "nameless"]


def test_a_message_whose_page_wraps_nothing_is_a_post() -> None:
    page = (
        "<html><head><title>Early</title></head><body><h1>Early</h1><b>otter</b> "
        '<a href="mailto:l@lists.test">otter at a.test</a><br><i>Mon May 4 10:15:00 2020</i><ul><li>Next message: '
        f'<a href="000124.html">Late</a></li></ul><hr><pre>{WORDS}</pre><hr></body></html>'
    )
    posts = read_thread(parse(page.encode(), "http://a.test/2020-May/000123.html"), JULY).posts

    assert [(post.author, post.text) for post in posts] == [("otter", WORDS)]


LINE = "These are the words of somebody who had a lot to say"


def table(html: str, title: str = "") -> RecordTable:
    """The records of a page whose keys begin with "r", with all its dates."""
    outline = outline_of(html, title)
    roots = [key for i in range(len(outline)) if (key := outline.attribute(i, "k") or "").startswith("r")]
    return RecordTable(outline, table_of(outline, *roots).records, find_page_dates(outline))


def starts(found: RecordTable | None) -> list[str]:
    return [" ".join(keys(found.outline, record.roots)) for record in found.records] if found else []


def full(n: int, words: str = LINE, extra: str = "") -> str:
    name = ("anna", "bert", "carl", "dora", "emil")[n]
    return f'<div k="r{n}"><a href="/user/{name}">{name}</a><i>{n + 1} May 2020</i><p>{words} {n}</p>{extra}</div>'


def test_a_complete_record_has_author_date_and_words() -> None:
    bare = '<div k="r2"><a href="/user/x">carl</a><p>words</p></div><div k="r3"><i>2 May 2020</i><p>more words</p></div>'
    empty = '<div k="r4"><a href="/user/emil">emil</a><i>9 May 2020</i><p>17</p></div>'
    assert complete_records(table(full(0) + full(1) + bare + empty)) == [0, 1]


def test_own_text_is_no_link_date_label_or_number() -> None:
    html = (
        '<div k="r0"><a href="/x">linked</a><i>1 May 2020</i><p>own</p><u>Quote</u><b>17</b></div>'
        '<div k="r1"><u>Quote</u><p>four</p><p>five!</p></div>'
    )
    assert own_text_lengths(table(html)) == [3, 9]


def test_more_than_three_records_are_posts_as_far_as_they_have_words() -> None:
    assert are_posts(table("".join(full(n) for n in range(4)))) == 1.0
    picture = full(0, "").replace(" 0</p>", "</p>")
    worded = "".join(full(n) for n in (2, 3, 4))
    assert are_posts(table(worded + picture)) == 0.875
    assert are_posts(table(worded + '<div k="r5"><i>7 May 2020</i></div>')) == pytest.approx(0.8)
    assert are_posts(table(worded + '<div k="r5"><b>17</b></div>')) == 0.75
    rows = "".join(
        f'<div k="r{n}"><a href="/t/{n}">Thread {n}</a><i>{n} May 2020</i></div>' for n in range(5, 9)
    )
    assert are_posts(table(full(0) + rows)) == 0.2


def test_boxes_without_date_and_sentence_are_no_posts_where_another_has_a_date() -> None:
    post = f'<div k="r0"><b>anna</b> <i k="d">3 May 2019</i><p>{"It rains and rains here. " * 3}</p></div>'
    boxes = "".join(
        f'<div k="r{n}"><h2>{word}</h2><a href="/t/{n}">x</a></div>'
        for n, word in enumerate(("Tags", "Search", "Boards", "Feed"), 1)
    )
    keys_of_all = [f"r{n}" for n in range(5)]
    table = table_of(outline_of(f"<div>{post}{boxes}</div>"), *keys_of_all, dates=("d",))
    undated = table_of(outline_of(f"<div>{post}{boxes}</div>"), *keys_of_all)
    assert are_posts(table) < 0.5 < are_posts(undated)


def test_words_of_a_single_post_count_where_no_record_has_them() -> None:
    inside, outside = f"<p>{LINE} inside</p>", f"<p>{LINE} and outside</p>"
    found = table(f'<div k="single"><div k="r0">{inside}</div>{outside}</div>')
    assert words_outside(found, table_of(found.outline, "single")) == len(f"{LINE} and outside")


def pair(first: str, second: str, *, complete: bool) -> bool:
    """Whether two records with these elements, and with a name and a date or without, are posts."""

    def record(n: int, inner: str) -> str:
        return (
            full(n, extra=inner)
            if complete
            else f'<div k="r{n}"><p>{LINE} {n}</p><a>x</a><i>y</i>{inner}</div>'
        )

    return are_posts(table(record(0, first) + record(1, second))) == 1.0


def test_few_records_are_posts_when_they_are_similar() -> None:
    # Both have div, p, a and i in common: 4 of 4 + the tags that differ.
    assert pair("<b></b><u></u>", "<s></s><em></em>", complete=False)  # 4 of 8
    assert pair("<b></b><u></u><q></q>", "<s></s><em></em><h2></h2>", complete=False)  # 4 of 10
    assert not pair("<b></b><u></u><q></q>", "<s></s><em></em><h2></h2><h3></h3>", complete=False)  # 4 of 11
    assert pair("<b></b><u></u><q></q>", "<s></s><em></em><h2></h2><h3></h3>", complete=True)


def test_records_with_neither_date_nor_words_are_no_posts() -> None:
    pager = '<div k="r{}"><a href="/?page={}">{}</a><p>17</p></div>'
    assert are_posts(table(pager.format(0, 1, 1) + pager.format(1, 2, 2))) == 0.0


def test_more_than_three_records_are_similar() -> None:
    odd = '<section k="r3"><h1>x</h1></section>'
    assert are_similar(table("".join(full(n) for n in range(3)) + odd))
    assert not are_similar(table(full(0) + full(1) + odd))
    assert are_similar(table(full(0) + full(1) + full(2)))


def insert(key: str = "rx", inner: str = "<p>Buy pumps</p>") -> str:
    return f'<div k="{key}">{inner}</div>'


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        (full(0) + insert() + full(1), ["r0", "r1"]),
        (full(0) + insert() + full(1) + full(2), ["r0", "r1", "r2"]),
        (full(0) + insert() + full(1) + full(2) + full(3), ["r0", "r1", "r2", "r3"]),
        (
            full(0) + insert() + insert("ry") + full(1) + full(2) + full(3),
            ["r0", "rx", "ry", "r1", "r2", "r3"],
        ),
        (insert() + full(0) + full(1), ["rx", "r0", "r1"]),
        (full(0) + full(1), ["r0", "r1"]),
        (full(0) + insert(inner='<p id="c7">x</p>'), ["r0", "rx"]),
        (full(0) + insert(inner='<a href="/x">x</a>'), ["r0", "rx"]),
        (full(0) + insert(inner='<a href="https://pumps.example/">x</a>'), ["r0"]),
        (full(0) + insert(inner='<a href="javascript:x()">x</a>'), ["r0"]),
    ],
)
def test_inserts_between_few_posts_are_dropped(html: str, kept: list[str]) -> None:
    assert starts(drop_inserts(table(html))) == kept


def test_few_records_shrink_to_author_date_and_sentences() -> None:
    def boxed(n: int, beside: str = "<form>x</form>") -> str:
        return f'<section k="r{n}"><h2>Head</h2><div k="w{n}"><div k="i{n}">{full(n).replace("k=", "q=")}</div></div>{beside}</section>'

    assert starts(shrink_records(table(boxed(0) + boxed(1)))) == ["w0", "w1"]
    assert starts(shrink_records(table("".join(boxed(n) for n in range(4))))) == [f"r{n}" for n in range(4)]
    alone = "".join(boxed(n, "").replace("<h2>Head</h2>", "") for n in range(2))
    assert starts(shrink_records(table(alone))) == ["r0", "r1"]


@pytest.mark.parametrize(
    "inner",
    [
        pytest.param(f"<div><i>1 May 2020</i><p>{LINE} 0</p></div><h2>x</h2>", id="no author"),
        pytest.param(f'<div><a href="/user/anna">anna</a><p>{LINE} 0</p></div><h2>x</h2>', id="no date"),
        pytest.param(
            '<div><a href="/user/anna">anna</a><i>1 May 2020</i><p>short</p></div><h2>x</h2>',
            id="no sentence",
        ),
    ],
)
def test_a_record_without_one_of_them_stays(inner: str) -> None:
    assert starts(shrink_records(table(f'<section k="r0">{inner}</section>'))) == ["r0"]


def single(html: str, title: str = "") -> list[str]:
    outline = outline_of(html, title)
    return starts(find_single_post(outline, find_page_dates(outline)))


POST_PARTS = f'<a class="user" href="/u/x">anna</a><i>1 May 2020</i><p>{LINE}</p>'


@pytest.mark.parametrize(
    ("html", "found"),
    [
        pytest.param(f'<div k="a"><div k="b">{POST_PARTS}</div><hr></div>', ["b"], id="the lowest block"),
        pytest.param(
            f'<div k="b">{POST_PARTS.replace("user", "x").replace("/u/", "/")}</div>', [], id="nobody"
        ),
        pytest.param(f'<div k="b">{POST_PARTS.replace("1 May 2020", "x")}</div>', [], id="no date"),
        pytest.param(f'<div k="b">{POST_PARTS.replace(LINE, "short")}</div>', [], id="no sentence"),
        pytest.param(f'<div k="b">1: <b>anna</b> 1 May 2020<p>{LINE}</p></div>', ["b"], id="a byline"),
        pytest.param(
            f'<div k="b"><a href="/x/17">anna</a><i>1 May 2020</i><p>{LINE}</p></div>',
            ["b"],
            id="a numbered link before",
        ),
        pytest.param(
            f'<div k="b"><i>1 May 2020</i><p>{LINE}</p><a href="/x/17">anna</a></div>',
            [],
            id="a numbered link after",
        ),
        pytest.param(
            f'<div k="a"><div k="b">{POST_PARTS}</div></div><div k="c">{POST_PARTS}<p>{LINE} too</p></div>',
            ["c"],
            id="the most sentences",
        ),
        pytest.param(
            f'<div k="a"><h1>Head <b>2 May 2020</b></h1><div k="b">{POST_PARTS}</div></div>',
            ["b"],
            id="without the heading",
        ),
        pytest.param(f'<div k="a"><h1>x</h1>{POST_PARTS}</div>', ["a"], id="with the heading"),
        pytest.param(
            f'<div k="a"><a href="/members">Members</a><ul>{"<li>A line of the menu here</li>" * 9}</ul>'
            f'<div k="b"><h4><b>anna</b></h4> <i>1 May 2020</i><p>{LINE}</p></div></div>',
            ["b"],
            id="a menu with a link to people around it",
        ),
    ],
)
def test_a_single_post_is_a_block_with_date_person_and_sentences(html: str, found: list[str]) -> None:
    assert single(html) == found


def test_a_block_with_little_more_text_is_the_whole_post() -> None:
    def html(more: int) -> str:
        # The sentence has 52 characters, so the inner block has 52 + 10 outside links.
        return f'<div k="a"><b>2 May 2020</b><u>{"y" * more}</u><div k="b">{POST_PARTS}</div></div>'

    assert single(html(27)) == ["a"]
    assert single(html(28)) == ["b"]


def test_a_block_without_the_heading_is_left_only_for_many_more_words() -> None:
    def html(words: int) -> str:
        inner = f'<div k="b"><a class="user" href="/u/x">anna</a><i>1 May 2020</i><p>{"x" * 50}</p></div>'
        return f'<div k="a"><h1>Head <b>2 May 2020</b></h1><p>{"y" * words}</p>{inner}</div>'

    assert single(html(10)) == ["b"]
    assert single(html(90)) == ["a"]


LETTER = f"<pre k='w'>{LINE}</pre>"


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("<b k='n'>anna</b>", LETTER, ["n d w"]),
        (
            "<h1 k='h'>x</h1><b k='n'>anna</b>",
            f"<ul k='u'><li>Next</li></ul>{LETTER}<p k='v'>{LINE} too</p>",
            ["n d w v"],
        ),
        ("<p k='n'><a class='user'>anna</a></p>", LETTER, ["n d w"]),
        ("<p k='n'><a>anna</a></p>", LETTER, []),
        ("<b k='n'>It rains.</b>", LETTER, []),
        ("<b k='n'>anna</b><br><br><br>", LETTER, ["n br br br d w"]),
        ("<b k='n'>anna</b><br><br><br><br>", LETTER, []),
        ("", f"<b k='n'>anna</b>{LETTER}", ["d w"]),
        ("", f"<br><br><b k='n'>anna</b>{LETTER}", ["d w"]),
        ("", f"<br><br><br><b k='n'>anna</b>{LETTER}", []),
        ("", f"{LETTER}<b k='n'>anna</b>", []),
        ("<b k='n'>anna</b>", "<pre k='w'>short</pre>", []),
        (f"{LETTER}<b k='n'>anna</b>", "", []),
    ],
)
def test_a_post_whose_parts_stand_in_no_element_is_found(before: str, after: str, found: list[str]) -> None:
    assert single(f"{before}<i k='d'>1 May 2020</i>{after}<hr k='end'>") == found


def test_a_short_post_is_a_part_of_the_page() -> None:
    def short(inside: int, outside: int, inner: str = "<p>Thanks!</p>") -> list[str]:
        links = "<a href='/x'>x</a>"
        outline = outline_of(
            f'<div k="b"><b class="user">anna</b><i>1 May 2020</i>{inner}{links * inside}</div>{links * outside}'
        )
        return starts(find_short_post(outline, find_page_dates(outline)))

    assert short(2, 2) == ["b"]
    assert short(3, 2) == []
    assert short(0, 1, "<p>Thanks</p>") == []
    assert short(0, 1, "<p>Thanks!</p><h1>x</h1>") == []
    assert short(0, 0) == ["b"]


PUMP = "The pump ran dry last night and the garage is full of water now"
NAMES = ("bert", "carl", "dora")


def reply(number: int) -> str:
    name = NAMES[number]
    return (
        f'<div class="reply" k="r{number}"><a class="name" href="/user/{name}">{name}</a> <i>{number + 2} June 2020</i>'
        f'<div class="text"><p>{PUMP}, said {name}.</p></div></div>'
    )


REPLIES = "".join(reply(number) for number in range(3))


def roots(before: str, replies: str = REPLIES) -> list[str]:
    """The keys of the roots of a page's records, after its first post was looked for."""
    outline = outline_of(f"<div>{before}{replies}</div>")
    found = [index for index in range(len(outline)) if (outline.attribute(index, "k") or "").startswith("r")]
    table = RecordTable(outline, [PageRecord(index, (index,)) for index in found], find_page_dates(outline))
    added = add_first_post(table)
    assert added is table or added.records[1:] == table.records
    return [" ".join(keys(outline, record.roots)) for record in added.records]


KNOWN = ["r0", "r1", "r2"]


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(
            f'<section k="x"><a href="/user/anna">anna</a> <b>1 June 2020</b><p>{PUMP}.</p></section>',
            id="a link to a profile",
        ),
        pytest.param(
            f'<section k="x"><a class="name" href="/x">anna</a> <b>1 June 2020</b><p>{PUMP}.</p></section>',
            id="a name with the same class",
        ),
        pytest.param(
            '<section k="x"><a href="/user/anna">anna</a> <b>1 June 2020</b><div class="text">Hm.</div></section>',
            id="a body with the same class",
        ),
        pytest.param(
            '<section k="x"><a href="/user/anna">anna</a> <b>1 June 2020</b><a href="https://pumps.example/the/pump">https://pumps.example/the/pump</a></section>',
            id="a pasted URL",
        ),
        pytest.param(
            f'<nav>x</nav><article k="x"><header><a href="/user/anna">anna</a> <b>1 June 2020</b></header><p>{PUMP}.</p></article>',
            id="the header of an article",
        ),
    ],
)
def test_a_first_post_of_another_layout_is_added(before: str) -> None:
    assert roots(before) == [before.partition('k="')[2][0], *KNOWN]


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("", id="nothing"),
        pytest.param(f"<section><b>1 June 2020</b><p>{PUMP}.</p></section>", id="no name"),
        pytest.param(f'<section><a href="/user/anna">anna</a><p>{PUMP}.</p></section>', id="no date"),
        pytest.param(
            '<section><a href="/user/anna">anna</a> <b>1 June 2020</b><p>Hm.</p></section>', id="no words"
        ),
        pytest.param(
            f'<nav><a href="/user/anna">anna</a> <b>1 June 2020</b><p>{PUMP}.</p></nav>', id="a menu"
        ),
        pytest.param(
            f'<header><a href="/user/anna">anna</a> <b>1 June 2020</b><p>{PUMP}.</p></header>',
            id="the header of the page",
        ),
        pytest.param(
            '<section><a href="/user/anna">anna</a> <p>This thread was last updated on the first of June, <b>1 June 2020</b></p></section>'.replace(
                "<b>", ""
            ).replace("</b>", ""),
            id="a sentence about the thread",
        ),
        pytest.param(
            f'<section><a href="/user/bert">bert</a> <b>2 June 2020</b><p>{PUMP}.</p></section>',
            id="it repeats the first",
        ),
        pytest.param(
            f'<section><a href="/user/anna">anna</a> <b>1 June 2020</b><a href="/t/1">{PUMP} {PUMP}</a><p>{PUMP}.</p></section>',
            id="mostly links",
        ),
        pytest.param(
            '<section><a href="/user/anna">anna</a> <b>1 June 2020</b><a href="https://forum.example.org/the/pump">https://forum.example.org/the/pump</a></section>',
            id="a URL of the site",
        ),
    ],
)
def test_other_things_before_the_first_record_are_no_post(before: str) -> None:
    assert roots(before) == KNOWN


def test_a_first_post_that_holds_its_replies_is_made_of_siblings() -> None:
    before = f'<h1>Pump</h1><p k="x"><a href="/user/anna">anna</a> <b>1 June 2020</b></p><p k="y">{PUMP}.</p><hr k="z">'
    assert roots(before) == ["x y z", *KNOWN]
    assert roots(before.replace(f"{PUMP}.", f"{PUMP} (of 5 in all")) == KNOWN
    assert roots(before.replace("anna", "").replace("/user/", "/")) == KNOWN
    buttons = '<ul k="b"><li><a href="/t/1">Older pump</a></li><li><a href="/t/3">Newer pump</a></li></ul>'
    assert roots(f"{before}{buttons}") == ["x y z", *KNOWN]
    pasted = '<a href="https://pumps.example/the/pump">https://pumps.example/the/pump</a>'
    assert roots(before.replace(f"{PUMP}.", f"See {pasted} for more.") + buttons) == ["x y z", *KNOWN]


def test_a_name_may_stand_in_its_link_here_and_in_an_element_inside_it_there() -> None:
    def replies(cls: str) -> str:
        return "".join(
            f'<div class="reply" k="r{n}"><a {cls} href="/{name[0]}/{name}"><b>{name}</b></a> <i>{n + 2} June 2020</i>'
            f"<p>{PUMP}, said {name}.</p></div>"
            for n, name in enumerate(NAMES)
        )

    before = f'<section k="x"><a class="name" href="/x">anna</a> <u>1 June 2020</u><p>{PUMP}.</p></section>'
    assert roots(before, replies('class="name"')) == ["x", *KNOWN]
    assert roots(before, replies("")) == KNOWN


def test_replies_without_authors_get_no_first_post() -> None:
    plain = "".join(f'<div k="r{n}"><p>{PUMP} {n}00.</p></div>' for n in range(3))
    before = f'<section k="x"><a href="/user/anna">anna</a> <b>1 June 2020</b><p>{PUMP}.</p></section>'
    assert roots(before, plain) == KNOWN


def test_the_last_twenty_dates_before_the_replies_are_tried() -> None:
    before = f'<section k="x"><a href="/user/anna">anna</a> <b>1 June 2020</b><p>{PUMP}.</p></section>'
    dates = "".join(f"<p><u>{n} May 2020</u></p>" for n in range(1, 20))
    assert roots(before + dates) == ["x", *KNOWN]
    assert roots(before + dates + "<p><u>20 May 2020</u></p>") == KNOWN


def test_a_first_post_of_a_few_words_is_known_by_an_id_like_those_of_the_others() -> None:
    first = '<section k="x" id="post-1"><a href="/user/anna">anna</a> <b>1 June 2020</b><p>Hello all.</p></section>'
    numbered = REPLIES
    for number in range(3):
        numbered = numbered.replace(f'k="r{number}"', f'k="r{number}" id="post-{number + 2}"')
    assert roots(first, numbered) == ["x", *KNOWN]
    assert roots(first.replace("post-1", "head"), numbered) == KNOWN


LEAD_WORDS = "The pump makes a noise since last winter and nobody at the shop knows why that is."
REPLY_ROW = "<tr><td><span>{0}</span></td><td>Posted: {1} May 2019 10:0{1}<div><p>Reply {1} has words of its own, enough of them to be read.</p></div><div><a href='/reply/1'>Reply</a></div></td></tr>"
TABLE_OF_ANSWERS = (
    "<table>"
    + "".join(REPLY_ROW.format(name, n) for n, name in enumerate(("anna", "boris", "carla", "anna"), 2))
    + "</table>"
)


def _lead(head: str, tag: str = "div") -> str:
    return f"<{tag}>{head}<div>Posted: 1 May 2019 10:00</div><div><p>{LEAD_WORDS}</p></div><div><a href='/reply/1'>Reply</a></div></{tag}>{TABLE_OF_ANSWERS}"


@pytest.mark.parametrize(
    ("html", "author"),
    [
        (_lead("<div>by <span>zoe</span></div>"), "zoe"),
        (_lead("<div><span>zoe</span></div>"), "zoe"),
        (_lead("<header><h2>A thread</h2></header>", "article"), None),
    ],
)
def test_a_first_post_apart_from_its_replies_is_read_with_its_author(html: str, author: str | None) -> None:
    posts = posts_of(html)
    assert len(posts) == 5
    assert posts[0] == (author, LEAD_WORDS)


def test_a_byline_with_the_class_of_bodies_is_not_the_whole_first_post() -> None:
    replies = "".join(
        POST.format(name, f"{n} May 2019", f"Answer {n}")
        for n, name in enumerate(("anna", "boris", "carla", "anna"), 2)
    )
    lead = f'<section><div class="text"><a href="/user/zoe">zoe</a> <i>1 May 2019</i> | #1</div><div class="text"><p>{LEAD_WORDS}</p></div></section>'
    assert posts_of(lead + replies)[0] == ("zoe", LEAD_WORDS)


def test_an_article_with_the_id_of_a_post_is_the_first_post_even_without_date_and_author() -> None:
    replies = "".join(
        POST.format(name, f"{n} May 2019", f"Answer {n}").replace("<div", f'<div data-post-id="{n}"', 1)
        for n, name in enumerate(("anna", "boris", "carla"), 2)
    )
    lead = f'<article data-post-id="1"><h2>A thread</h2><div class="text"><p>{LEAD_WORDS}</p></div></article>'
    assert next(text for _, text in posts_of(lead + replies)) == LEAD_WORDS
    unnumbered = lead.replace(' data-post-id="1"', "")
    assert len(posts_of(unnumbered + replies)) == 3


@pytest.mark.parametrize(("minute", "posts"), [(1, 5), (2, 4)])
def test_a_first_post_as_old_as_the_first_reply_of_the_same_person_is_no_repetition_of_it(
    minute: int, posts: int
) -> None:
    """Both are "1 year ago". Their exact dates tell them apart."""

    def head(name: str, at: int) -> str:
        return (
            f'<a class="name" href="/user/{name}">{name}</a> <i title="2019-06-01T10:0{at}:00">1 year ago</i>'
        )

    names = ("bert", "carl", "dora", "emil")
    replies = "".join(
        f'<li>{head(name, at)}<div class="text"><p>{PUMP}, said for the time {at}.</p></div></li>'
        for at, name in enumerate(names, 2)
    )
    first = f"<section><h1>Pump</h1><p>{head('bert', minute)}</p><blockquote>{PUMP}.</blockquote></section>"
    page = parse(f"<html><body>{first}<ul>{replies}</ul></body></html>".encode(), "https://f.example/t/1")
    assert len(read_thread(page, NOW).posts) == posts


_BOX = (
    '<div class="side"><h1>The club</h1><p>{0} All about the engines of old boats and their repair.</p><h1>Staff</h1>'
    '<a class="username" href="/user/zoe">zoe</a> <span>a club for <time>4 years</time></span></div>'
)


def test_a_box_at_the_side_is_no_first_post() -> None:
    post = POST.format("anna", "2020-01-05 10:00", "Hello")
    for heading in ("", "Welcome."):
        found = posts_of(f'{_BOX.format(heading)}<div class="content">{post}</div>')
        assert [author for author, _ in found] == ["anna"]


def test_the_first_post_is_sought_at_dates_like_those_of_the_others() -> None:
    words = f'<a href="/user/anna">anna</a><p>{PUMP}.</p>'
    box = f'<div k="box">{words}<b>1 May 2012</b></div>'
    first = f'<div class="reply" k="first">{words}<i>1 June 2020</i></div>'
    assert roots(box) == ["box", *KNOWN]
    assert roots(box + first) == roots(first) == ["first", *KNOWN]


def test_a_line_about_the_author_below_a_post_is_no_part_of_it() -> None:
    about = (
        "Posts: 7 | From: Leeds | Registered: May 2012 | IP: Logged",
        "Posts: 812 | Registered: June 2001 | IP: Logged",
    )
    html = "".join(
        f'<tr><td><a class="username" href="/user/{name}">{name}</a></td><td><i>2020-01-0{n + 1} 10:00</i><hr>{text}'
        f"<p>--------------------<br>So long</p><p align=right><font>{line}</font></p></td></tr>"
        for n, (name, text, line) in enumerate(
            zip(("anna", "bert"), (f"{PUMP}.", "Good point: yes."), about, strict=True)
        )
    )
    assert posts_of(f"<table>{html}</table>") == [("anna", f"{PUMP}."), ("bert", "Good point: yes.")]


def test_the_byline_of_a_first_post_may_be_an_aside() -> None:
    byline = '<aside><a href="/user/anna">anna</a> <i>1 June 2020</i></aside>'
    assert roots(f'<article k="x"><p>{PUMP}.</p>{byline}</article>') == ["x", *KNOWN]
    assert roots(f'<div k="x"><p>{PUMP}.</p>{byline}</div>') == KNOWN


COMMENT = (
    '<div class="comment" id="c-{0}"><span class="who">{1}</span> <span class="when">2020-01-0{0} 11:30</span>'
    "<div class='said'>{2} and that is what I think of this pump.</div></div>"
)
COMMENTS = "".join(
    COMMENT.format(n, name, words)
    for n, name, words in ((5, "bert", "Yes"), (6, "carl", "No"), (7, "dora", "So"), (8, "bert", "But"))
)
ARTICLE = "The pump was bought in the spring of last year and has never been quiet since then."


def test_an_article_above_its_comments_is_the_first_post_by_its_heading_and_date() -> None:
    head = "<table><tr><td>Ritað af carl</td></tr><tr><td>4 January 2020 10:00</td></tr>"
    found = posts_of(
        f"<div><div>A thread</div>{head}<tr><td><p>{ARTICLE}</p></td></tr></table>{COMMENTS}</div>"
    )

    assert found[0] == ("carl", ARTICLE)
    assert [author for author, _ in found] == ["carl", "bert", "carl", "dora", "bert"]


def test_an_article_may_stand_apart_from_the_head_with_its_date() -> None:
    head = "<div><span>Ritað af carl</span> <span>4 January 2020 10:00</span></div>"
    found = posts_of(f"{head}<div><div class='first'>{ARTICLE}</div>{COMMENTS}</div>")

    assert found[0][1] == ARTICLE
    assert len(found) == 5


def test_a_notice_without_a_date_above_posts_is_no_post() -> None:
    found = posts_of(f"<div class='notice'><p>{ARTICLE}</p></div><div>{COMMENTS}</div>")

    assert [author for author, _ in found] == ["bert", "carl", "dora", "bert"]
