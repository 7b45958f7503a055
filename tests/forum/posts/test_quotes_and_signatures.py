# ruff: noqa: E501 -- markup reads better unbroken
"""Quotes, signatures and edit notes: found by element, by class or by their words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.forum.outlines import at, keys, outline_of
from threadmill.forum.posts.quotes_and_signatures import (
    begins_as_quote_or_note,
    find_quote_intro,
    find_quotes,
    find_signatures_and_notes,
    read_quote,
    split_edit_note,
    split_marked_lines,
    split_repeated_quote,
    split_signature,
    tells_writer,
    text_around_quotes,
)
from threadmill.forum.read_page import read_thread
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse
from threadmill.types import Post, Quote

NOW = datetime(2020, 6, 17, 12, tzinfo=UTC)


def body_of(html: str) -> tuple[PageOutline, int]:
    outline = outline_of(f'<div k="body">{html}<p>My own words.</p></div>')
    return outline, at(outline, "body")


def quotes_in(html: str, authors: tuple[str, ...] = ("anna",)) -> list[Quote]:
    outline, body = body_of(html)
    return [read_quote(outline, index, authors) for index in find_quotes(outline, body)]


@pytest.mark.parametrize(
    "html",
    [
        "<blockquote><cite>anna wrote:</cite>It rains.</blockquote>",
        '<div class="bbCodeBlock bbCodeQuote" data-author="anna"><aside><div>anna said:</div><blockquote>It rains.</blockquote></aside></div>',
        '<aside class="quote" data-username="anna"><div class="title">anna:</div><blockquote><p>It rains.</p></blockquote></aside>',
        "<div><div>Quote:</div><table><tr><td><div>Originally Posted by <b>anna</b></div><div>It rains.</div></td></tr></table></div>",
        '<blockquote class="x" data-ipsquote-username="anna"><div class="x_citation">anna schrieb:</div><p>It rains.</p></blockquote>',
        "<div><p>bert's friend anna wrote:</p><p>It rains.</p></div>",
        '<blockquote cite="anna">It rains.</blockquote>',
        '<blockquote><a href="/u/1">@anna</a> <p>It rains.</p></blockquote>',
        '<blockquote><a href="/u/1">anna</a> wrote <p>It rains.</p></blockquote>',
    ],
)
def test_a_quote_names_whom_it_quotes(html: str) -> None:
    (quote,) = quotes_in(html)
    assert quote.author == "anna"
    assert quote.text.removeprefix("wrote").strip() == "It rains."


@pytest.mark.parametrize(
    "html",
    [
        '<div class="body js-selectToQuote">It rains, and these are words of mine.</div>',
        '<div class="quotable">It rains.</div>',
        '<span class="quote">It rains.</span>',
        '<div class="quote">ab</div>',
        "<div>Quote: It rains.</div>",  # the label stands in no element of its own
        "<div><b>Quote me on this</b><i>It rains.</i></div>",
        "<p>&lt; It rains.</p>",
        "<p>wrote: It rains.</p>",
        "<section><b>Quote</b><i>It rains.</i></section>",
    ],
)
def test_words_of_the_author_are_no_quote(html: str) -> None:
    assert quotes_in(html) == []


@pytest.mark.parametrize(
    "html",
    [
        '<div class="quote">It.</div>',
        "<div><b>Quote:</b><i>It rains.</i></div>",
        "<div><b>Originally posted by somebody</b><i>It rains.</i></div>",
        "<fieldset><legend>Zitat</legend><p>It rains.</p></fieldset>",
        "<p>&gt; It rains.</p>",
        "<div><p>anna wrote:</p><p>It rains.</p></div>",
    ],
)
def test_markup_label_or_header_make_a_quote(html: str) -> None:
    outline, body = body_of(f'<i k="x">x</i>{html}')
    assert [outline.parent[index] for index in find_quotes(outline, body)] == [body]


@pytest.mark.parametrize("authors", [("juniper", "Bramble"), ("Bramble", "juniper")])
def test_a_quote_that_begins_with_another_is_of_its_own_author(authors: tuple[str, ...]) -> None:
    inner = "<blockquote><cite>Bramble wrote:</cite>Thanks!</blockquote>"
    outline = PageOutline(
        parse(f"<blockquote><cite>juniper wrote:</cite>{inner}Good point.</blockquote>".encode())
    )
    quote = outline.tags.index("blockquote")
    assert read_quote(outline, quote, authors).author == "juniper"


def test_a_paragraph_with_all_the_words_is_no_quote_because_it_begins_with_a_sign() -> None:
    outline = outline_of('<div k="body"><p>&gt; anna wrote: It rains.\nNot here, the sun shines.</p></div>')
    assert find_quotes(outline, at(outline, "body")) == []
    outline, body = body_of("<p>&gt; It rains.</p>")
    assert len(find_quotes(outline, body)) == 1
    outline = outline_of('<div k="body"><blockquote>It rains.</blockquote></div>')
    assert len(find_quotes(outline, at(outline, "body"))) == 1


def test_only_outermost_quotes_are_found() -> None:
    outline, body = body_of(
        '<blockquote k="a">One <blockquote>two</blockquote></blockquote><blockquote k="b">x</blockquote>'
    )
    assert keys(outline, find_quotes(outline, body)) == ["a", "b"]


def test_a_header_belongs_to_the_smallest_box_with_words_after_it() -> None:
    def found(html: str, authors: tuple[str, ...] = ()) -> list[str]:
        outline, body = body_of(html.replace("It rains.", "It rains. " * 9))
        return keys(outline, find_quotes(outline, body, authors))

    assert found(
        '<div k="a"><div k="b"><p>anna wrote:</p><p>It rains.</p></div><p>Not any more, it is dry.</p></div>'
    ) == ["b"]
    assert found(
        '<div k="a"><b>A short label above</b><div k="b"><p>anna wrote:</p><p>It rains.</p></div></div>'
    ) == ["a"]
    assert found(
        '<div k="a"><b>A label that is long</b><div k="b"><p>anna wrote:</p><p>It rains.</p></div></div>'
    ) == ["a"]
    assert found(
        '<div k="a"><b>A label that is longe</b><div k="b"><p>anna wrote:</p><p>It rains.</p></div></div>'
    ) == ["b"]
    assert found("<p>anna wrote:</p>") == []
    assert found('<div k="a"><p>anna skrifaði:</p><p>Það rignir.</p></div>') == []
    assert found('<div k="a"><p>anna skrifaði:</p><p>Það rignir.</p></div>', ("anna",)) == ["a"]
    assert found('<div k="a"><p>anna skrifaði</p><p>Það rignir.</p></div>', ("anna",)) == []
    assert found(f'<div k="a"><p>{"x" * 74} wrote</p><p>Það rignir.</p></div>') == ["a"]
    assert found(f'<div k="a"><p>{"x" * 75} wrote</p><p>Það rignir.</p></div>') == []


def intro(html: str, authors: tuple[str, ...] = ()) -> str | None:
    outline, body = body_of(html)
    (quote,) = find_quotes(outline, body)
    line = find_quote_intro(outline, quote, authors)
    return outline.text(line) if line is not None else None


def test_the_line_above_a_quote_names_whom_it_quotes() -> None:
    html = "<p><a href=/u/7>@farid</a> said:</p><blockquote>Old words</blockquote>"
    assert intro(html) == "@farid said:"
    outline, body = body_of(html)
    (quote,) = find_quotes(outline, body)
    line = find_quote_intro(outline, quote, ())
    assert read_quote(outline, quote, (), line) == Quote("Old words", "farid", "/u/7")


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<p>anna skrifaði:</p><blockquote>Old words</blockquote>", "anna skrifaði:"),
        ("<p>I saw this today:</p><blockquote>Old words</blockquote>", None),
        ("<p>anna said</p><blockquote>Old words</blockquote>", None),
        ("<p>anna said:</p> But no. <blockquote>Old words</blockquote>", None),
        ("<h2>anna said:</h2><blockquote>Old words</blockquote>", None),
        (f"<p>anna {'x' * 69} said:</p><blockquote>Old words</blockquote>", f"anna {'x' * 69} said:"),
        (f"<p>anna {'x' * 70} said:</p><blockquote>Old words</blockquote>", None),
        ("<blockquote>Old words</blockquote>", None),
        ("<cite>anna said 3 May</cite><br><blockquote>Old words</blockquote>", "anna said 3 May"),
    ],
)
def test_a_line_above_a_quote_may_name_nobody(html: str, line: str | None) -> None:
    assert intro(html, ("anna",)) == line


@pytest.mark.parametrize(
    ("html", "author", "text"),
    [
        ("<blockquote><b>anna-maria wrote:</b><p>Old</p></blockquote>", "anna-maria", "Old"),
        ("<blockquote><b>somebody schrieb am 3. Mai:</b><p>Old</p></blockquote>", "somebody", "Old"),
        ("<blockquote><b>Old</b><p>words</p></blockquote>", None, "Old\nwords"),
        (
            "<blockquote><b>one wrote:</b><b>two wrote:</b><b>three wrote:</b><b>four wrote:</b><p>Old</p></blockquote>",
            "one",
            "four wrote:\nOld",
        ),
        (f"<blockquote><cite>{'x' * 100}</cite><p>Old</p></blockquote>", "x" * 100, "Old"),
        (f"<blockquote><cite>{'x' * 101}</cite><p>Old</p></blockquote>", None, f"{'x' * 101}\nOld"),
        ("<blockquote><p>Old</p><a class='js-Expand' href='#'>Click to expand</a></blockquote>", None, "Old"),
        (
            f"<blockquote><p>Old</p><a class='expand' href='#'>{'x' * 41}</a></blockquote>",
            None,
            f"Old\n{'x' * 41}",
        ),
        (f"<blockquote><p>Old</p><a class='expand' href='#'>{'x' * 40}</a></blockquote>", None, "Old"),
        ("<blockquote><a class='expand'>Old</a><p>words</p></blockquote>", None, "Old\nwords"),
        ("<blockquote data-quote=''>Old</blockquote>", None, "Old"),
        (f"<blockquote data-quote='{'x' * 60}'>Old</blockquote>", "x" * 60, "Old"),
        (f"<blockquote data-quote='{'x' * 61}'>Old</blockquote>", None, "Old"),
        ("<blockquote data-quoted='anna'>Old</blockquote>", None, "Old"),
        ("<blockquote></blockquote>", None, ""),
        ("<blockquote><a href='/u/1'>x</a> wrote <p>Old</p></blockquote>", None, "x wrote\nOld"),
        (f"<blockquote><a href='/u/1'>{'x' * 40}</a> wrote <p>Old</p></blockquote>", "x" * 40, "wrote\nOld"),
        (
            f"<blockquote><a href='/u/1'>{'x' * 41}</a> wrote <p>Old</p></blockquote>",
            None,
            f"{'x' * 41} wrote\nOld",
        ),
        ("<blockquote><a href='/u/1'>stranger</a> <p>Old</p></blockquote>", None, "stranger\nOld"),
    ],
)
def test_headers_and_buttons_are_no_quoted_words(html: str, author: str | None, text: str) -> None:
    (quote,) = quotes_in(html, ("anna", "anna-maria"))
    assert (quote.author, quote.text) == (author, text)


def test_the_url_of_a_quote_is_that_of_its_header() -> None:
    (header,) = quotes_in(
        '<blockquote><b><a href="/p/1">anna</a> wrote:</b><p>Old <a href="/x">x</a></p></blockquote>'
    )
    (link,) = quotes_in('<blockquote><a href="/u/1">anna</a> <p>Old</p></blockquote>')
    (none,) = quotes_in('<blockquote><p>Old <a href="/x">x</a></p></blockquote>')
    assert (header.url, link.url, none.url) == ("/p/1", "/u/1", None)


def apart(*posts: str, authors: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
    """The keys of the signatures and edit notes of posts; `[…]` holds the body of each."""
    html = "".join(
        f"<section>{post}</section>".replace("[", '<div class="b">').replace("]", "</div>") for post in posts
    )
    outline = outline_of(html)
    sections = [index for index, tag in enumerate(outline.tags) if tag == "section"]
    bodies = dict(enumerate(i for i, s in enumerate(outline.symbols) if s == "div.b"))
    members = [list(range(index, outline.end[index])) for index in sections]
    names = dict(enumerate(authors))
    found = find_signatures_and_notes(outline, bodies, names, members)
    return tuple(  # type: ignore[return-value]
        [f"{number}{outline.attribute(index, 'k') or outline.tags[index]}" for number, index in part.items()]
        for part in found
    )


@pytest.mark.parametrize(
    "post",
    [
        '[Words <div class="signature" k="s">Bye</div>]',
        '[Words] <div id="sig" k="s">Bye</div>',
        '[Words] <div data-role="memberSignature" k="s">Bye</div>',
        '[Words] <i class="x"></i><div class="post-sign" k="s">Bye</div><div class="signature">again</div>',
    ],
)
def test_a_signature_is_known_by_its_name(post: str) -> None:
    assert apart(post) == (["0s"], [])


@pytest.mark.parametrize(
    "post",
    [
        '[Words <b class="design">Bye</b>]',
        '[Words] <div class="signature"></div>',
        '<b class="signature">x</b>[Words]',
    ],
)
def test_other_parts_are_no_signature(post: str) -> None:
    assert apart(post) == ([], [])


def test_an_ending_that_an_author_repeats_is_a_signature() -> None:
    posts = ["[<p>One</p><div k=s>Cheers</div>]", "[<p>Two</p><div k=s>Cheers</div>]"]
    assert apart(*posts, authors=("anna", "anna"))[0] == ["0s", "1s"]
    assert apart(*posts, authors=("anna", "bert"))[0] == []
    assert apart(posts[0], authors=("anna",))[0] == []


def test_a_repeated_paragraph_must_end_three_posts() -> None:
    posts = [f"[<div>{n}x</div><p k=s>Cheers</p>]" for n in range(3)]
    assert apart(*posts)[0] == ["0s", "1s", "2s"]
    assert apart(*posts[:2])[0] == []


def test_a_repeated_ending_that_is_all_of_a_post_is_its_words() -> None:
    alone = "[<div k=s>Cheers</div>]"
    assert apart(alone, alone)[0] == []
    quoted = "[<blockquote>Old</blockquote><div k=s>Cheers</div>]"
    assert apart(quoted, quoted)[0] == []
    below = "[<div k=s>Cheers</div>words]"
    assert apart(below, below)[0] == []
    assert apart("[Words]", "[Words]")[0] == []
    short = "[Words<div k=s>abc</div>]"
    assert apart(short, short)[0] == []


def test_a_post_that_says_a_thing_twice_does_not_repeat_an_ending() -> None:
    assert apart("[<p>x y</p><div>Cheers</div><div>Cheers</div>]", "[<p>Other words</p>]")[0] == []


@pytest.mark.parametrize(
    "post",
    [
        "[Words <i k=n>Last edited 3 May</i>]",
        "[<i k=n>Bearbeitet 3. Mai</i><p>Many</p><p>words</p><p>after</p><p>it</p>]",
        '[Words <i class="edit" k=n>edited by anna</i>]',
        '[Words <i class="moderated" k=n>This thread was moved</i>]',
        "[Words]<p k=n>Last edited 3 May</p>",
        "[Words <i k=n>Last edited 3 May</i><b>1</b><b>2</b><b>3</b>]",
        f"[Words <i k=n>edited 3 {'x' * 211}</i>]",
        f"[Words]<p k=n>edited 3 {'x' * 211}</p>",
    ],
)
def test_an_edit_note_stands_at_an_end_of_the_body_or_after_it(post: str) -> None:
    assert apart(post) == ([], ["0n"])


@pytest.mark.parametrize(
    "post",
    [
        "[Words <i>edited by anna</i>]",  # no number
        "[Words <i>Seen 3 May</i>]",
        "[Words <a>Last edited 3 May</a>]",
        "[Words <i>Last edited 3 May</i><b>1</b><b>2</b><b>3</b><b>4</b>]",
        f"[Words <i>edited 3 {'x' * 212}</i>]",
        f"[Words]<p>edited 3 {'x' * 212}</p>",
        "[Words]<li>Last edited 3 May</li>",
        "[Words]<p>edited by anna</p>",
        "[Words]<p>Seen 3 May</p>",
        "<p>Last edited 3 May</p>[Words]",
    ],
)
def test_other_lines_are_no_edit_note(post: str) -> None:
    assert apart(post) == ([], [])


def test_the_first_edit_note_and_signature_count() -> None:
    post = '[Words <i k=n>edited 3 May</i><i k=o>edited 4 May</i>]<i k=p>edited 5 May</i><b class="sig" k=s>x</b><b class="sig">y</b>'
    assert apart(post) == (["0s"], ["0n"])


POST = (
    '<div class="post" id="p{n}"><a class="username" href="/user/{n}">user{n}</a> <i>2020-01-0{n} 10:00</i>'
    '<div class="content"><p>These are the words of post number {n}, and there are enough of them.</p>'
    "{within}</div>"
    "{after}</div>"
)


def read(within: str = "", after: str = "") -> tuple[Post, ...]:
    body = "".join(POST.format(n=n, within=within, after=after) for n in range(1, 6))
    return read_thread(parse(f"<body><div>{body}</div></body>".encode(), "https://a.example/"), NOW).posts


@pytest.mark.parametrize("where", ["within", "after"])
def test_a_signature_is_not_part_of_the_words(where: str) -> None:
    posts = read(**{where: '<div class="signature">Fifty ways to leave</div>'})
    assert {post.signature for post in posts} == {"Fifty ways to leave"}
    assert not any("Fifty" in post.text for post in posts)


def test_the_date_of_an_edit_note_is_not_that_of_the_post() -> None:
    posts = read(after="<div class='notice'>Last edited by user1 on 2020-03-03 12:00</div>")
    assert all(post.edit_note.startswith("Last edited") for post in posts)
    assert [post.date.date.month for post in posts if post.date] == [1] * 5


def test_a_clock_in_a_byline_does_not_make_it_the_begin_of_a_quote() -> None:
    assert begins_as_quote_or_note("anna wrote: the pump")
    assert not begins_as_quote_or_note("anna wrote on 3 May 2019 10:15 the pump")


def _around(html: str) -> tuple[str, list[str]]:
    outline, body = body_of(html)
    quotes = find_quotes(outline, body)
    text, lines = text_around_quotes(outline, body, quotes, frozenset(), ("anna",))
    return text, [lines.get(quote, "") for quote in quotes]


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<b>anna</b> wrote:<br><blockquote>It rains.</blockquote>", "anna wrote:"),
        ('<b><a href="/t/1">anna wrote</a></b>:<br><div class="quote">It rains.</div>', "anna wrote:"),
        ("anna :<blockquote>It rains.</blockquote>", "anna :"),
        ("<blockquote>It rains.</blockquote>", ""),
    ],
)
def test_a_bare_line_above_a_quote_tells_who_is_quoted(html: str, line: str) -> None:
    assert _around(html) == ("My own words.", [line])


def test_other_lines_above_a_quote_are_words_of_the_author() -> None:
    quote = "<blockquote>It rains.</blockquote>"
    assert _around(f"I say this:<br>{quote}") == ("I say this:\nMy own words.", [""])
    assert _around(f"anna wrote:<br>{quote}{quote}") == ("My own words.", ["anna wrote:", ""])


def test_a_bare_line_above_a_quote_gives_it_its_author() -> None:
    outline, body = body_of("<blockquote>It rains.</blockquote>")
    (quote,) = find_quotes(outline, body)
    assert read_quote(outline, quote, (), line="bert wrote:") == Quote("It rains.", "bert", None)


def test_a_line_of_an_imageboard_that_begins_with_an_arrow_is_a_quote() -> None:
    html = '<a href="#12">&gt;&gt;12</a><br><span class="quote">&gt;It rains.</span><br>'
    assert _around(html) == ("My own words.", [""])


def test_lines_that_only_name_other_posts_are_left_out() -> None:
    assert _around('<a href="#1">&gt;&gt;1</a>, <a href="#2">&gt;&gt;2</a><br>') == ("My own words.", [])
    assert _around("&gt;&gt;12 is right<br>") == (">>12 is right\nMy own words.", [])


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("Thanks!\n_________________\nGreetings from Udine", "Greetings from Udine"),
        ("One\n________\nTwo\n________\nThree", "Three"),
        ("No rule", ""),
        ("_____\ntoo short a rule", ""),
        ("a ________ gap", ""),
        (f"Plan\n________\n{'word ' * 100}", ""),
    ],
)
def test_a_signature_stands_below_a_rule_of_underscores(text: str, signature: str) -> None:
    assert split_signature(text) == (
        text.rpartition("\n_")[0].rstrip("_\n") if signature else text,
        signature,
    )


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("I agree.\nEdited 1 time(s). Last edit at 12/13/2024 12:02AM by anna.", True),
        ("I agree.\nLast edited by anna on 3 May 2024", True),
        ("Edited 1 time(s). Last edit at 12/13/2024 12:02AM by anna.", False),  # all that the post says
        ("Try this.\nIt was edited until 2024 by hand and then printed.", False),  # the word comes late
        ("Try this.\nEdit: it works with 3 pumps too.", False),
        ("Edited 12/13/2024.\nMore words", False),
    ],
)
def test_an_edit_note_may_be_the_last_line_of_a_text(text: str, note: bool) -> None:
    words, _, line = text.rpartition("\n")
    assert split_edit_note(text) == ((words, line) if note else (text, ""))


def test_a_paragraph_that_ends_two_posts_of_an_author_is_no_signature() -> None:
    def signatures(ending: str) -> dict[int, int]:
        posts = "".join(f'<div k="b{n}"><div>Words of post {n}.</div>{ending}</div>' for n in range(2))
        outline = outline_of(posts)
        found = {n: at(outline, f"b{n}") for n in range(2)}
        return find_signatures_and_notes(outline, found, dict.fromkeys(found, "anna"), [[], []])[0]

    assert signatures("<div>It rains.</div>") == {}
    assert len(signatures('<div class="box">It rains.</div>')) == 2


@pytest.mark.parametrize(
    ("line", "tells"),
    [
        ("Erguvan demiş ki:", True),
        ("anna sagte:", True),
        ("marta a dit :", True),
        ("Somebody wrote about this years ago but I cannot find it.", False),
        ("anna wrote on 3 May 2019 at 10:15 a.m.", True),
        ("Mein Vater sagte das auch", False),
        ("sagte:", False),
    ],
)
def test_a_line_tells_a_writer_by_a_verb_and_a_colon_but_no_sentence_does(line: str, tells: bool) -> None:
    assert tells_writer(line, ()) is tells


SAID = [("anna", "The old pump is loud.\nIt was never quiet.\nSell it."), ("bert", "Try oil.")]


@pytest.mark.parametrize(
    ("text", "own", "quoted"),
    [
        ("Skrifað af anna\nThe old pump is loud.\nMine is not.", "Mine is not.", "The old pump is loud."),
        (
            "@anna 2016-01-01\nIt was never quiet.\nSell it.\n----\nI will.",
            "I will.",
            "It was never quiet.\nSell it.",
        ),
        ("anna is right\nMine is loud too.", "anna is right\nMine is loud too.", ""),
        ("carl said so\nThe old pump is loud.\nNo.", "carl said so\nThe old pump is loud.\nNo.", ""),
        ("anna", "anna", ""),
    ],
)
def test_words_of_another_post_below_the_name_of_its_author_are_a_quote(
    text: str, own: str, quoted: str
) -> None:
    left, quote = split_repeated_quote(text, SAID)
    assert left == own
    assert quote == (Quote(quoted, "anna") if quoted else None)


@pytest.mark.parametrize(
    ("text", "own", "quoted"),
    [
        ("> Try oil.\nI did.", "I did.", Quote("Try oil.")),
        ("I did.\n[ bert wrote: ]\n: Try some oil.", "I did.", Quote("Try some oil.", "bert")),
        ("I typed:\n> summary(x)\nNothing came.", "I typed:\n> summary(x)\nNothing came.", None),
        ("Nothing is marked.", "Nothing is marked.", None),
    ],
)
def test_marked_lines_are_a_quote_where_somebody_said_them(text: str, own: str, quoted: Quote | None) -> None:
    assert split_marked_lines(text, SAID) == (own, quoted)


@pytest.mark.parametrize("line", ["Quoting anna:", "Trích anna：", "anna posted..."])
def test_a_name_and_an_open_end_tell_who_is_quoted(line: str) -> None:
    assert tells_writer(line, ["anna"])
    assert not tells_writer(line, ["bert"])


@pytest.mark.parametrize("rule", ["--", "---", "________"])
def test_a_signature_stands_below_a_rule(rule: str) -> None:
    assert split_signature(f"My words.\n{rule}\nSail on") == ("My words.", "Sail on")
