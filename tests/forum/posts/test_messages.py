"""Messages with labelled heads."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from threadmill.forum.page_class.classify import classify
from threadmill.forum.posts.message_lines import read_lines
from threadmill.forum.posts.messages import _MAX_NAME, Messages, _Head, _name_in, _permalink, find_messages
from threadmill.forum.read_page import PageAnalysis, read_thread
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse

_NOW = datetime(2026, 11, 1, tzinfo=UTC)
_WORDS = "Mine did the same thing until I replaced the cable."
_LIST_HEAD = """
<ul><li><em>To</em>: bikes@lists.example</li><li><em>Subject</em>: Re: Chain</li>
<li><em>From</em>: Ada Byron &lt;ada@people.example&gt;</li>
<li><em>Date</em>: Sun, 15 Jun 2025 12:45:00 +0000</li></ul>"""
_MENU = '<hr><a href="m1.html">Date Prev</a> <a href="m3.html">Date Next</a><h1>Re: Chain</h1>'
_FOLLOW_UPS = (
    '<hr><ul><li>Follow-Ups: <ul><li><a href="m4.html">Re: Chain</a><li><em>From:</em> eve</ul></ul>'
)


def _page(body: str) -> bytes:
    return f"<html><head><title>Re: Chain</title></head><body>{body}</body></html>".encode()


def _messages(body: str) -> Messages | None:
    return find_messages(PageOutline(parse(_page(body), "http://a.test/bikes/m2.html")), _NOW)


@pytest.mark.parametrize(
    "head",
    [
        _LIST_HEAD,
        "<p><b>From:</b> Ada Byron (<i>ada@people.example</i>)<br>"
        "<b>Date:</b> Sun Jun 15 2025 - 12:45:00 UTC</p>",
        "<p>#27 <b>From:</b> Ada Byron &lt;ada@people.example&gt;<br><b>Date:</b> Sun Jun 15, 2025 12:45 pm"
        "<br><b>Subject:</b> Re: Chain</p>",
        "<table><tr><th>Von:</th><td>Ada Byron</td></tr><tr><th>Datum:</th>"
        "<td>So, 15 Jun 2025 12:45:00 +0000</td></tr><tr><th>Gruppen:</th><td>de.rec.rad</td></tr></table>",
        "<dl><dt>From</dt><dd>Ada Byron</dd><dt>Date</dt><dd>2025-06-15 12:45 UTC</dd></dl>",
        "<dl><dt>From</dt><dd>Ada Byron</dd><dt>Date</dt>"
        '<dd><time datetime="2025-06-15T12:45:00Z">1 year ago</time></dd></dl>',
        "<pre>From: Ada Byron &lt;ada@people.example&gt;\nTo: bikes@lists.example\nSubject: Re: Chain\n"
        "Date: Sun, 15 Jun 2025 12:45:00 +0000\nMessage-ID: &lt;5@people.example&gt;</pre>",
        '<h1>Re: Chain</h1><b>Ada Byron</b> <a href="mailto:ada@people.example">ada at people.example</a><br>'
        '<i>Sun Jun 15 12:45:00 UTC 2025</i><p><ul><li>Next message: <a href="m3.html">Re: Chain</a></ul>',
    ],
    ids=[
        "list",
        "lines",
        "number before the first label",
        "table",
        "definitions",
        "exact date in an attribute",
        "preformatted",
        "without labels",
    ],
)
def test_a_head_tells_who_wrote_and_when(head: str) -> None:
    found = _messages(f"{_MENU}{head}<hr><pre>{_WORDS}\n</pre>{_FOLLOW_UPS}")
    assert found is not None
    assert [(post.author, post.text) for post in found.posts] == [("Ada Byron", _WORDS)]
    date = found.posts[0].date
    assert date is not None
    assert (date.date.isoformat(), str(date.time)[:5]) == ("2025-06-15", "12:45")


def test_the_value_of_a_label_may_stand_in_the_next_line() -> None:
    head = "<p>From:<br>Ada Byron<br>Date:<br>Sun, 15 Jun 2025 12:45:00 +0000<br>Subject:<br>Chain</p>"
    found = _messages(f"{_MENU}{head}<hr><pre>{_WORDS}\n</pre>")
    assert found is not None
    assert [(post.author, post.text) for post in found.posts] == [("Ada Byron", _WORDS)]


def test_such_a_page_is_a_thread_page_whose_next_message_is_no_next_page() -> None:
    page = parse(_page(f"{_MENU}{_LIST_HEAD}<hr><pre>{_WORDS}</pre>{_FOLLOW_UPS}"), "http://a.test/m2.html")
    assert classify(page, _NOW).kind == "thread"
    thread = read_thread(page, _NOW)
    assert len(thread.posts) == 1
    assert thread.paging.next is None


def test_quoted_lines_and_the_signature_are_no_words_of_the_author() -> None:
    body = f"On Sat, 14 Jun 2025, Eve\nwrote:\n&gt; Does it fit?\n&gt; I doubt it.\n\n{_WORDS}\n\n-- \nAda\n"
    found = _messages(f"{_LIST_HEAD}<hr><pre>{body}</pre>")
    assert found is not None
    post = found.posts[0]
    assert (post.text, post.signature) == (_WORDS, "Ada")
    assert [quote.text for quote in post.quotes] == ["Does it fit?\nI doubt it."]


def test_the_head_of_a_forwarded_mail_begins_no_message() -> None:
    forwarded = (
        "-----Original Message-----\nFrom: Eve\nSent: 3 May 2025 10:00\nTo: ada\nSubject: Chain\n\nOld words."
    )
    found = _messages(f"{_LIST_HEAD}<hr><pre>{_WORDS}\n\n{forwarded}</pre>")
    assert found is not None
    assert [post.author for post in found.posts] == ["Ada Byron"]


def test_several_messages_on_one_page_are_as_many_posts() -> None:
    parts = "<hr>".join(
        f'<pre><a href="#t{n}">*</a> <b>Re: Chain</b>\n  2025-06-14 10:00 <a href="#t9">eve</a>\n'
        f'From: {name} @ 2025-06-15 12:0{n} UTC (<a href="../{n}@x/">permalink</a> / '
        f'<a href="../{n}@x/raw">raw</a>)\n'
        f"  To: bikes\n\n{_WORDS} {n}\n\n"
        f'<a href="../{n}@x/">permalink</a> <a href="../{n}@x/#R">reply</a></pre>'
        for n, name in enumerate(("ada", "carla", "dmitri"))
    )
    found = _messages(parts)
    assert found is not None
    assert [(post.author, post.text) for post in found.posts] == [
        ("ada", f"{_WORDS} 0"),
        ("carla", f"{_WORDS} 1"),
        ("dmitri", f"{_WORDS} 2"),
    ]
    assert [post.url for post in found.posts] == [f"http://a.test/{n}@x/" for n in range(3)]
    assert [str(post.date.time) for post in found.posts if post.date] == ["12:00:00", "12:01:00", "12:02:00"]


def test_rows_of_a_table_with_author_and_date_end_where_the_table_ends() -> None:
    rows = "".join(
        f'<tr><th><a href="msg{n}">msg{n}</a></th><th>Author: {name}</th>'
        f"<th>Date: 2025-06-15.12:0{n}:00</th></tr>"
        f"<tr><td><pre>{_WORDS} {n}</pre></td></tr>"
        for n, name in enumerate(("ada", "carla"))
    )
    found = _messages(
        f"<table>{rows}</table><table><tr><th>History</th></tr><tr><td>set by admin</td></tr></table>"
    )
    assert found is not None
    assert [(post.author, post.text) for post in found.posts] == [
        ("ada", f"{_WORDS} 0"),
        ("carla", f"{_WORDS} 1"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<p>From: the makers of chains</p><p>A long story about bikes follows here, without any date.</p>",
        "<table><tr><th>Author</th><th>Message</th></tr><tr><td>ada</td><td>Posted: 3 May 2025 10:00<br>"
        f"{_WORDS}</td></tr></table>",
        f"<div>Author: ada | Date: 2025-06-15 12:45 | Views: 9</div><p>{_WORDS}</p>",
        '<p>Write to Ada <a href="mailto:ada@x.test">ada@x.test</a></p><p>3 May 2025</p><p>News.</p>',
        "<pre>From: \nDate: \n</pre>",
    ],
    ids=["empty", "no date", "head of columns", "byline", "contact", "empty head"],
)
def test_other_pages_have_no_messages(body: str) -> None:
    assert _messages(body) is None


def test_posts_with_linked_names_are_read_by_their_records() -> None:
    posts = "".join(
        f'<div class="post"><a class="user" href="/u/{n}">{name}</a> <i class="d">2025-06-15 12:0{n}</i>'
        f"<p>From: Berlin</p><p>Date: 3 May 2025 joined</p><div class=text>{_WORDS} {_WORDS} {n}</div></div>"
        for n, name in enumerate(("ada", "carla", "dmitri", "eve"))
    )
    analysis = PageAnalysis(parse(_page(posts), "http://a.test/t/1"), _NOW)
    assert analysis.messages is None
    assert [post.author for post in read_thread(analysis.tree, _NOW).posts] == [
        "ada",
        "carla",
        "dmitri",
        "eve",
    ]


def test_quotes_signatures_and_notes_with_an_element_of_their_own_leave_the_text() -> None:
    body = (
        "<div><blockquote><cite>Eve wrote:</cite><br>Does it fit?</blockquote>"
        f"<p>{_WORDS}</p></div><div><em>Last edited by Ada on 16 Jun 2025, 10:00</em></div>"
        '<div class="signature">Ride on</div>'
    )
    found = _messages(f"{_LIST_HEAD}<hr>{body}<hr>{_MENU}")
    assert found is not None
    post = found.posts[0]
    assert (post.text, post.signature) == (_WORDS, "Ride on")
    assert [(quote.text, quote.author) for quote in post.quotes] == [("Does it fit?", "Eve")]
    assert "edited by Ada" in post.edit_note


def test_a_short_quote_does_not_take_the_words_below_it_along() -> None:
    body = f'<div><div class="quote"><div>Eve wrote:</div>Does it fit?</div><p>{_WORDS}</p></div>'
    found = _messages(f'{_LIST_HEAD}<hr>{body}<div class="signature">Ride on</div><hr>{_MENU}')
    assert found is not None
    assert [(post.text, len(post.quotes)) for post in found.posts] == [(_WORDS, 1)]


def test_below_plain_text_the_site_speaks() -> None:
    found = _messages(f"{_LIST_HEAD}<hr><pre>{_WORDS}\n</pre><div>Greetings from Kiel</div><hr>{_MENU}")
    assert found is not None
    assert [post.text for post in found.posts] == [_WORDS]


def test_a_head_in_one_block_takes_labels_that_no_list_knows() -> None:
    head = "<div><b>From:</b> Ada<br><b>Date:</b> 2025-06-15 12:45 UTC<br><b>Pwnc:</b> Re: Chain<br></div>"
    found = _messages(f"{_MENU}{head}<hr><div>{_WORDS}</div>")
    assert found is not None
    assert [(post.author, post.text) for post in found.posts] == [("Ada", _WORDS)]


def test_a_signature_below_a_rule_of_underscores_is_no_part_of_the_words() -> None:
    found = _messages(f"{_LIST_HEAD}<hr><p>{_WORDS}</p><div><br>_________________<br>Slow and steady</div>")
    assert found
    assert [(post.text, post.signature) for post in found.posts] == [(_WORDS, "Slow and steady")]


def test_a_sentence_about_something_written_begins_no_quote() -> None:
    said = "Somebody wrote about this years ago but I cannot find the thread."
    found = _messages(f"{_LIST_HEAD}<hr><div><p>{said}</p><p>{_WORDS}</p></div><div>Ride on</div>")
    assert found
    assert found.posts[0].text.startswith(f"{said}\n{_WORDS}")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Ada Byron <ada@people.example>", "Ada Byron"),
        ("ada@people.example (Ada Byron)", "Ada Byron"),
        ("ada@people.example", "ada@people.example"),
        ("<ada@people.example>", "ada@people.example"),
        ("ada (at) people.example [Ada]", "Ada"),
        ('"Byron, Ada" (by way of list)', "Byron, Ada"),
        (" - ", ""),
        ("A  B\tC " + "x" * 200, "A B C " + "x" * (_MAX_NAME - 6)),
    ],
)
def test_a_sender_has_a_name_and_else_an_address(line: str, name: str) -> None:
    assert _name_in(line) == name


_TABLE_HEAD = (
    '<table class="head"><tr><td colspan="2">{mark}Chain</td></tr>'
    '<tr><td class="l">From:</td><td class="f"><a href="/people/{n}">{name}</a></td></tr>'
    '<tr><td class="l">Date:</td><td class="d">{n} Jun 2025 12:45 <a href="/posts/{n}0">#</a></td></tr>'
    '<tr><td class="l">Votes:</td><td class="r">9 (3)</td></tr></table><div class="m">{words}</div>'
)


def test_heads_in_tables_are_whole_and_end_the_message_before() -> None:
    names = ("Ada", "Bert", "Cleo", "Dora")
    words = [f"{name} has oiled the chain, and it is quiet now." for name in names]
    page = "".join(
        _TABLE_HEAD.format(n=n, name=name, mark="Re: " if n > 1 else "", words=said)
        for n, (name, said) in enumerate(zip(names, words, strict=True), 1)
    )
    found = _messages(f"{page}<div class='foot'>Please wait</div>")
    assert found
    assert [(post.author, post.text) for post in found.posts] == list(zip(names, words, strict=True))
    assert [post.url for post in found.posts] == [f"http://a.test/posts/{n}0" for n in range(1, 5)]


def test_a_head_whose_last_label_ends_the_page_has_a_permalink() -> None:
    date = "<tr><td>Date:</td><td><a href='/msg/7'>3 May 2026</a></td></tr>"
    html = f"<table>{date}<tr><td>Reply to:</td></tr></table>"
    outline = PageOutline(parse(html, "http://list.example/msg/7"))
    lines = read_lines(outline)
    head = _Head(0, len(lines), 0)  # the value of the last label would stand one line below
    assert _permalink(outline, lines, head) == "http://list.example/msg/7"
