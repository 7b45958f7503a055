# ruff: noqa: E501 -- markup reads better unbroken
import re
from datetime import UTC, date, datetime, timedelta

import pytest

from tests.forum import sites
from tests.forum.outlines import URL, at, outline_of, table_of
from threadmill.forum.posts.author_names import PostAuthor
from threadmill.forum.posts.post_columns import PostColumns
from threadmill.forum.posts.read_posts import read_columns, read_posts
from threadmill.forum.read_page import PageAnalysis, PostOrder, find_post_order, read_thread
from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.record_table import PageRecord, RecordTable
from threadmill.forum.site_model.learn_wrapper import learn_wrapper
from threadmill.page.parse.tree import parse
from threadmill.types import Link, Moment, Post


def _comment(number: int, place: int) -> str:
    name = sites.NAMES[number]
    return (
        f'<li class="note" id="note-{number}{place}">'
        f'<span class="said">Please check the fuse of pump {number}{place} first.</span> '
        f'<a class="who" href="/user/{name}">{name}</a> '
        f'<i class="at">{number + 10} June 2020 11:0{number}</i></li>'
    )


def _answer(number: int) -> str:
    name = sites.NAMES[number]
    return (
        f'<div class="answer" id="answer-{number}"><div class="words"><p>{sites.WORDS[number]}</p></div>'
        f'<div class="by"><a class="name" href="/user/{name}">{name}</a> '
        f"<em>{number + 1} June 2020 10:1{number}</em></div>"
        f'<ul class="notes">{_comment(number, 1)}{_comment((number + 1) % 4, 2)}</ul></div>'
    )


def _page() -> str:
    return (
        f"<html><body><h1>Pump</h1><div id='all'>{''.join(_answer(n) for n in range(4))}</div></body></html>"
    )


def test_comments_inside_posts_are_records_of_their_own() -> None:
    analysis = PageAnalysis(sites.tree(_page()), sites.NOW)
    assert analysis.found_posts
    table = analysis.found_posts.table
    read = read_columns(table, analysis.splits, sites.NOW)
    wrapper = learn_wrapper([read])
    posts = read_thread(sites.tree(_page()), sites.NOW, wrapper).posts
    assert [post.text for post in posts if "fuse" not in post.text] == list(sites.WORDS)
    assert sum("fuse" in post.text for post in posts) == 8


def test_comments_that_name_their_author_twice_are_found_by_their_dates() -> None:
    """A picture and a name lead to the same profile, so that no link stands once in a comment."""

    def note(number: int) -> str:
        name = sites.NAMES[number]
        face = f'<a class="face" href="/user/{name}"><img alt="{name}"></a>'
        link = f'{face}<a class="who" href="/user/{name}">{name}</a>'
        words = f"<p>Please check the fuse of pump {number} first.</p>"
        date = f"<abbr>{number + 10} June 2020 11:00</abbr>"
        return f'<div class="note"><div>{words}</div><div>{link} {date}</div></div>'

    def answer(number: int) -> str:
        return _answer(number).partition('<ul class="notes">')[0] + (
            f'<div class="notes">{note(number) if number else ""}<a href="#">add one</a></div></div>'
        )

    page = f"<html><body><div id='all'>{''.join(answer(n) for n in range(4))}</div></body></html>"
    analysis = PageAnalysis(sites.tree(page), sites.NOW)
    assert analysis.found_posts
    table = analysis.found_posts.table
    read = read_columns(table, analysis.splits, sites.NOW)
    posts = read_thread(sites.tree(page), sites.NOW, learn_wrapper([read])).posts
    assert sum("fuse" in post.text for post in posts) == 3
    assert len(posts) == 7


def test_a_page_alone_shows_comments_with_and_without_numbers() -> None:
    numbered = read_thread(sites.tree(_page()), sites.NOW).posts
    nameless = read_thread(sites.tree(re.sub(r' id="note-\d+"', "", _page())), sites.NOW).posts

    assert len(numbered) == len(nameless) == 12
    assert [post.parent for post in numbered[:4]] == [None, "0", "0", None]


def inner(page: str) -> list[tuple[str, str | None]]:
    """Text and author of the posts of a page, comments with a number in their id included."""
    return [(post.text, post.author) for post in read_thread(sites.tree(page), sites.NOW).posts]


def _noted(note: str, notes_in_body: bool = False) -> str:
    """Three answers with two notes each; `{n}` is the number of the answer, `{m}` that of the note."""
    answers = []
    for number in range(3):
        name = sites.NAMES[number]
        notes = "".join(
            note.format(n=number, m=f"{number}{m}", name=sites.NAMES[m + 1], day=10 + m) for m in (0, 1)
        )
        words = f'<div class="words">{notes if notes_in_body else ""}<p>{sites.WORDS[number]}</p></div>'
        answers.append(
            f'<div class="answer" id="answer-{number}">{words}<div class="by"><a class="name" href="/user/{name}">{name}</a> '
            f"<em>{number + 1} June 2020 10:1{number}</em></div>{'' if notes_in_body else notes}</div>"
        )
    return f"<html><body><h1>Pump</h1><div id='all'>{''.join(answers)}</div></body></html>"


NOTE = '<div class="note" id="note-{m}"><span class="said">{words}</span> <a class="who" href="/user/{{name}}">{{name}}</a> <i>{{day}} June 2020</i></div>'


def _with_words(words: str) -> str:
    return NOTE.replace("{words}", words).replace("{{", "{").replace("}}", "}")


def test_comments_come_right_after_the_post_they_stand_in() -> None:
    texts = [text for text, _ in inner(_noted(_with_words("Please check fuse {m} first.")))]
    assert [text for text in texts if "fuse" in text] == [
        f"Please check fuse {m} first." for m in ("00", "01", "10", "11", "20", "21")
    ]
    assert [index for index, text in enumerate(texts) if "fuse" not in text] == [0, 3, 6]


def test_comments_have_their_own_author_date_and_id() -> None:
    posts = read_thread(sites.tree(_noted(_with_words("Please check fuse {m} first."))), sites.NOW).posts
    comment = posts[2]
    assert (comment.author, comment.post_id, comment.parent) == ("anna", "01", "0")
    assert comment.date is not None
    assert comment.date.date.day == 11
    assert posts[3].author == "Bert77"


def test_short_or_equal_lines_are_no_comments() -> None:
    assert len(inner(_noted(_with_words("check fuse {m} now.")))) == 9
    assert len(inner(_noted(_with_words("check fuse no {m}")))) == 3
    assert len(inner(_noted(_with_words("see fuse {m}")))) == 3
    assert len(inner(_noted(_with_words("Please check the fuse first.")))) == 3


def test_lines_without_a_name_or_a_date_are_no_comments() -> None:
    line = _with_words("Please check fuse {m} first.")
    assert len(inner(_noted(line.replace("{name}</a>", "</a>")))) == 3
    assert len(inner(_noted(line.replace("{day} June 2020", "later")))) == 3


def test_quotes_in_a_body_are_no_comments() -> None:
    assert len(inner(_noted(_with_words("Please check fuse {m} first."), notes_in_body=True))) == 3


def test_comments_may_carry_the_number_of_their_post() -> None:
    same = _with_words("Please check fuse {m} first.").replace("note-{m}", "foot-{n}")
    assert len(inner(_noted(same))) == 9


def test_one_comment_is_known_by_an_author_who_leads_where_authors_of_posts_lead() -> None:
    page = _noted(_with_words("Please check fuse {m} first."))
    one = re.sub(r'<div class="note" id="note-(?!00)\d+">.*?</div>', "", page)
    assert "note-00" in one
    assert len(inner(one)) == 4
    assert len(inner(one.replace('class="who" href="/user/', 'class="who" href="http://b.test/'))) == 3
    two = re.sub(r'<div class="note" id="note-(?!00|11)\d+">.*?</div>', "", page)
    assert len(inner(two)) == 5


NOW = datetime(2020, 6, 17, 12, tzinfo=UTC)


def read_one(html: str) -> Post:
    """The post of a record `r` with body `b`, author `a`, date `d` and permalink `l`, where it has them."""
    outline = outline_of(f'<div k="r">{html}</div>')
    table = table_of(outline, "r")
    marked = {outline.attribute(index, "k"): index for index in range(len(outline))}
    columns = PostColumns()
    if "b" in marked:
        columns.bodies[0] = marked["b"]
    if "a" in marked:
        index = marked["a"]
        columns.authors[0] = PostAuthor(index, outline.text(index), outline.hrefs[index])
    if "d" in marked:
        columns.dates[0] = PageDate(marked["d"], outline.text(marked["d"]))
    if "l" in marked:
        columns.links[0] = marked["l"]
    (post,) = read_posts(table, columns, NOW)
    return post


def test_a_post_has_what_its_columns_show() -> None:
    post = read_one(
        '<a k="a" href="/u/1">anna</a><i k="d">3 May 2020</i><a k="l" href="#p17">#1</a><div k="b">Some <b>words</b></div>'
    )
    assert post == Post(
        text="Some words",
        html='<div k="b">Some <b>words</b></div>',
        author="anna",
        author_url="https://forum.example.org/u/1",
        date=post.date,
        url=f"{URL}#p17",
        post_id="17",
        position=1,
    )
    assert post.date is not None
    assert post.date.date == date(2020, 5, 3)


def test_a_record_without_columns_is_an_empty_post() -> None:
    assert read_one("x") == Post(text="", html="", position=1)


def test_an_author_without_a_profile_has_no_url() -> None:
    post = read_one('<b k="a">anna</b>')
    assert (post.author, post.author_url) == ("anna", None)


def test_the_id_of_the_site_comes_before_that_of_the_permalink() -> None:
    outline = outline_of('<div k="r"><a k="l" href="/t/9?x=y">#</a></div>')
    columns = PostColumns(links={0: at(outline, "l")}, ids={0: "5"})
    (post,) = read_posts(table_of(outline, "r"), columns, NOW)
    assert (post.url, post.post_id) == ("https://forum.example.org/t/9?x=y", "5")


def test_quotes_and_their_intros_are_not_part_of_the_text() -> None:
    post = read_one('<div k="b"><p>bert said:</p><blockquote>Old</blockquote><p>New</p></div>')
    assert post.text == "New"
    assert [(quote.author, quote.text) for quote in post.quotes] == [("bert", "Old")]


def test_signature_and_edit_note_are_not_part_of_the_text() -> None:
    post = read_one('<div k="b"><p>New</p><p class="signature">Bye</p><i>Last edited 3 May</i></div>')
    assert (post.text, post.signature, post.edit_note) == ("New", "Bye", "Last edited 3 May")


def test_a_byline_in_the_body_is_not_part_of_the_text() -> None:
    assert (
        read_one('<div k="b"><p>by <b k="a">anna</b></p><p>on <i k="d">3 May 2020</i></p>New</div>').text
        == "New"
    )
    line = "x" * 146
    assert read_one(f'<div k="b"><p>{line}<b k="a">anna</b></p>New</div>').text == "New"
    assert read_one(f'<div k="b"><p>{line}x<b k="a">anna</b></p>New</div>').text == f"{line}x\nNew"
    assert read_one('<div k="b"><b>New</b></div><p k="d">3 May 2020</p>').text == "New"


def test_a_body_that_is_the_author_keeps_its_text() -> None:
    outline = outline_of('<div k="r"><b k="b">anna</b></div>')
    columns = PostColumns({0: at(outline, "b")}, {0: PostAuthor(at(outline, "b"), "anna", None)})
    assert read_posts(table_of(outline, "r"), columns, NOW)[0].text == "anna"


def test_a_byline_is_no_quote() -> None:
    post = read_one(
        '<div k="b"><div class="quote">by <b k="a">anna</b></div><blockquote>Old</blockquote>New</div>'
    )
    assert [quote.text for quote in post.quotes] == ["Old"]
    inside = read_one('<div k="b"><p><blockquote>Old</blockquote><b k="a">anna</b></p>New</div>')
    assert inside.text == "New"


def test_links_and_images_of_the_body_are_listed() -> None:
    post = read_one(
        '<div k="b"><a href="/x">there</a><a href="#top">up</a><a href="javascript:go()">go</a><a>none</a>'
        '<img src="a.png" alt="A"><img src="data:x"><img data-src="b.png" src="c.png"><img><a href="http://[">bad</a></div><a href="/y">out</a>'
    )
    assert post.links == (
        Link("https://forum.example.org/x", "there", 0, 0),
        Link("https://forum.example.org/t/a.png", "A", 0, 0, "image"),
        Link("https://forum.example.org/t/b.png", "", 0, 0, "image"),
        Link("http://[", "bad", 0, 0),
    )


def test_dates_are_read_in_the_order_given() -> None:
    outline = outline_of('<div k="r"><i k="d">04/05/2019</i></div>')
    columns = PostColumns(dates={0: PageDate(at(outline, "d"), "04/05/2019")})
    (post,) = read_posts(table_of(outline, "r"), columns, NOW, "mdy")
    assert post.date is not None
    assert post.date.date == date(2019, 4, 5)


def parents(html: str, *records: str) -> list[str | None]:
    """The parent of each record, whose ids are their keys; the anchor of record `a` is `xa` where there is one."""
    outline = outline_of(html)
    marked = {outline.attribute(index, "k"): index for index in range(len(outline))}
    found = [PageRecord(marked.get(f"x{key}", marked[key]), (marked[key],)) for key in records]
    columns = PostColumns(ids=dict(enumerate(records)))
    return [post.parent for post in read_posts(RecordTable(outline, found, []), columns, NOW)]


def test_a_reply_inside_a_post_answers_it() -> None:
    html = '<div k="a">1<div k="b">2<div k="c">3</div></div><div k="d">4</div></div><div k="e">5</div>'
    assert parents(html, *"abcde") == [None, "a", "b", "a", None]


def test_a_reply_deeper_in_the_parent_of_a_post_answers_it() -> None:
    html = (
        '<ul><li><p k="a"><i k="xa">1</i></p><ul><li><p k="b"><i k="xb">2</i></p></li></ul></li>'
        '<li><p k="c"><i k="xc">3</i></p></li></ul>'
    )
    assert parents(html, *"abc") == [None, "a", None]
    other = html.replace('<i k="xb">2</i>', '<u k="xb">2</u>')
    assert parents(other, *"abc") == [None, None, None]


def test_replies_beside_the_first_post_answer_the_thread() -> None:
    html = '<div><p k="a"><i k="xa">1</i></p><div><p k="b"><i k="xb">2</i></p><p k="c"><i k="xc">3</i></p></div></div>'
    assert parents(html, *"abc") == [None, None, None]
    deeper = html.replace('<p k="c"><i k="xc">3</i></p>', '<div><p k="c"><i k="xc">3</i></p></div>')
    assert parents(deeper, *"abc") == [None, None, "b"]


def test_replies_inside_the_first_post_answer_it() -> None:
    assert parents('<div k="a">1<p k="b">2</p><p k="c">3</p></div>', *"abc") == [None, "a", "a"]


def post(day: int | None = None, post_id: str | None = None, parent: str | None = None) -> Post:
    shown = Moment(date(2020, 1, 1) + timedelta(days=day)) if day is not None else None
    return Post("x", "", date=shown, post_id=post_id, parent=parent)


@pytest.mark.parametrize(
    ("posts", "order"),
    [
        ([post(1), post(2)], PostOrder.ASCENDING),
        ([post(2), post(1)], PostOrder.DESCENDING),
        ([post(1), post(3), post(2), post(4)], PostOrder.ASCENDING),
        ([post(1)], None),
        ([], None),
        ([post(1, "5"), post(1, "7")], PostOrder.ASCENDING),
        ([post(1, "7"), post(1, "5")], PostOrder.DESCENDING),
        ([post(1, "7"), post(1, "x"), post(1, "5")], PostOrder.DESCENDING),
        ([post(None, "7", "1"), post(None, "5", "1")], None),
        (
            [post(1), post(9, parent="1"), post(2), post(8, parent="1"), post(7, parent="1"), post(3)],
            PostOrder.ASCENDING,
        ),
        ([post(4), post(2, parent="1"), post(1, parent="1"), post(3)], PostOrder.DESCENDING),
        ([post(3), post(4, parent="1"), post(5, parent="1"), post(2)], PostOrder.ASCENDING),
        ([post(3), post(4, parent="1"), post(5, parent="1"), post(2), post(1)], PostOrder.DESCENDING),
    ],
)
def test_posts_have_the_order_of_their_dates_or_ids(posts: list[Post], order: PostOrder | None) -> None:
    assert find_post_order(posts) is order


def test_ten_posts_of_a_plain_page_are_ten_even_if_their_dates_are_permalinks() -> None:
    words = "The pump ran dry last night and number {} had to carry the water down the stairs."
    rows = "".join(
        f'<div class="post" id="p{n}"><div class="by"><a href="/user?name=u{n % 3}">u{n % 3}</a> wrote on '
        f'<a href="/thread?id=5#p{n}">Jan {n + 2}, 2024 04:{10 + n} PM</a></div>'
        f'<div class="text">{words.format(n)}</div></div>'
        for n in range(1, 11)
    )
    page = f"<html><head><title>Pumps</title></head><body><h1>Pumps</h1>{rows}</body></html>"
    posts = read_thread(
        parse(page.encode(), "http://a.test/thread?id=5"), datetime(2024, 6, 1, tzinfo=UTC)
    ).posts
    assert [(post.author, post.post_id, post.text) for post in posts] == [
        (f"u{n % 3}", str(n), words.format(n)) for n in range(1, 11)
    ]


@pytest.mark.parametrize(
    ("end", "text"),
    [
        ('<div><a href="/reply/5">Reply</a> | <a href="/quote/5">Quote</a></div>', "My words."),
        ('<div><a href="http://b.test/x">Elsewhere</a></div>', "My words.\nElsewhere"),
        ('<p><a href="/t/7">This thread</a></p>', "My words.\nThis thread"),
        ('<div>See <a href="/t/7">this thread</a></div>', "My words.\nSee this thread"),
    ],
)
def test_a_box_of_short_links_into_the_site_at_the_end_of_a_body_holds_buttons(end: str, text: str) -> None:
    assert read_one(f'<div k="b"><p>My words.</p>{end}</div>').text == text


def _reply_without_classes(number: int, head: str, words: str) -> str:
    return (
        f"<table border=1><tr><td width=150><strong>{sites.NAMES[number]}</strong></td><td valign=top>{head}"
        f"<div><p>{words}</p></div><div>Sent: {number + 10} June 2020 11:0{number}</div></td></tr></table>"
    )


def test_the_subject_and_the_permalink_above_each_text_are_no_part_of_it() -> None:
    heads = [
        f'<div>Re: Pump fails</div><span> <a href="/msg/{n}#c{n}">Direct link</a></span>' for n in range(4)
    ]
    rows = "".join(_reply_without_classes(n, heads[n], sites.WORDS[n]) for n in range(4))
    page = f"<html><head><title>Pump fails - Forum</title></head><body>{rows}</body></html>"
    assert [post.text for post in read_thread(sites.tree(page), sites.NOW).posts] == list(sites.WORDS)


def test_words_that_one_author_writes_above_a_text_are_part_of_it() -> None:
    heads = ["<div>Pump fails</div>", "", "", ""]
    rows = "".join(_reply_without_classes(n, heads[n], sites.WORDS[n]) for n in range(4))
    page = f"<html><head><title>Pump fails - Forum</title></head><body>{rows}</body></html>"
    texts = [post.text for post in read_thread(sites.tree(page), sites.NOW).posts]
    assert texts == [f"Pump fails\n{sites.WORDS[0]}", *sites.WORDS[1:]]


@pytest.mark.parametrize("head", ["<div>Re: Pump fails</div>", "<h3>Pump fails</h3>"])
def test_the_subject_above_several_paragraphs_is_no_part_of_the_text(head: str) -> None:
    """Nothing stands around the paragraphs alone: they and the subject are the cell."""
    posts = "".join(
        f"<table><tr><td><a href='/u/{n}'>{sites.NAMES[n]}</a><br>{n + 10} June 2020 11:0{n}</td>"
        f"<td class=body>{head}<p>{words}</p><p>Thank you for reading this, {n}.</p></td></tr></table>"
        for n, words in enumerate(sites.WORDS)
    )
    page = f"<html><head><title>Pump fails - Forum</title></head><body>{posts}</body></html>"
    texts = [post.text for post in read_thread(sites.tree(page), sites.NOW).posts]
    assert texts == [f"{words}\nThank you for reading this, {n}." for n, words in enumerate(sites.WORDS)]


@pytest.mark.parametrize("byline", ["kirjoitti {}.5.2019 klo 5.00:", "wrote on {} May 2019 at 5:00"])
def test_a_byline_of_bare_text_above_the_words_is_no_part_of_them(byline: str) -> None:
    posts = "".join(
        f'<div class="m"><a href="/user/{sites.NAMES[n]}">{sites.NAMES[n]}</a> {byline.format(n + 3)}<br>{sites.WORDS[n]}</div>'
        for n in range(4)
    )
    read = read_thread(sites.tree(f"<title>Pump</title><h1>Pump</h1>{posts}"), sites.NOW).posts
    assert [post.text for post in read] == list(sites.WORDS[:4])
    assert [post.author for post in read] == list(sites.NAMES[:4])
    assert [post.date and post.date.date.day for post in read] == [3, 4, 5, 6]


def test_a_first_line_with_a_date_stays_where_another_element_shows_the_date() -> None:
    posts = "".join(
        f'<div class="m"><p><b>{sites.NAMES[n]}</b> <i>{n + 3} May 2019 5:00</i></p>'
        f'<div class="w">Summit on {n + 9} June 2019<br>{sites.WORDS[n]}</div></div>'
        for n in range(4)
    )
    read = read_thread(sites.tree(f"<title>Pump</title><h1>Pump</h1>{posts}"), sites.NOW).posts
    assert [post.text.partition("\n")[0] for post in read] == [
        f"Summit on {n + 9} June 2019" for n in range(4)
    ]


def _cell(number: int, words: str, comments: str = "") -> str:
    return (
        f'<tr id="post-{number + 200}"><td><a href="/user/{number % 3}">anna{number % 3}</a> wrote: '
        f"{number} months ago<div><p>{words}</p></div><div>{comments}</div></td></tr>"
    )


def test_the_words_of_posts_count_where_the_date_stands_bare_beside_them() -> None:
    cells = "".join(_cell(n, sites.WORDS[n]) for n in range(1, 4))
    posts = read_thread(
        sites.tree(f"<html><body><h1>Pump</h1><table>{cells}</table></body></html>"), sites.NOW
    ).posts
    assert [(one.post_id, one.text) for one in posts] == [(str(n + 200), sites.WORDS[n]) for n in range(1, 4)]


def test_comments_with_a_bare_date_in_posts_with_a_bare_date_are_posts() -> None:
    def comment(number: int) -> str:
        words = f"Please check the fuse of pump {number} first, and the float switch after that."
        name = f"bert{number % 2}"
        return f'<div id="post-{number + 200}"><span>{words}</span> – <a href="/user/{name}">{name}</a> 3 weeks ago</div>'

    cells = _cell(3, sites.WORDS[0], comment(11)) + _cell(4, sites.WORDS[1], comment(12) + comment(13))
    cells += _cell(5, sites.WORDS[2])
    posts = read_thread(
        sites.tree(f"<html><body><h1>Pump</h1><table>{cells}</table></body></html>"), sites.NOW
    ).posts
    assert [(one.post_id, one.author) for one in posts] == [
        ("203", "anna0"), ("211", "bert1"), ("204", "anna1"), ("212", "bert0"), ("213", "bert1"), ("205", "anna2")
    ]  # fmt: skip


def test_the_head_of_a_mail_in_the_element_of_the_words_is_no_part_of_them() -> None:
    words = [f"{sites.WORDS[n]} Whoever knows it may tell {sites.NAMES[n]}." for n in range(4)]
    page = "".join(
        f'<div class="post" k="r{n}"><a href="/user/{n}">{sites.NAMES[n]}</a><div class="text" k="b{n}">'
        f'<p k="p{n}">Sender: {sites.NAMES[n]} (Leeds), Board: Bikes<br>Subject: Chain<br>'
        f"Site: Bikes (Sat Jan 1{n} 13:31:11 2015), here<br>{words[n]}</p></div></div>"
        for n in range(4)
    )
    outline = outline_of(f"<main>{page}</main>")
    dates = [PageDate(at(outline, f"p{n}"), f"Sat Jan 1{n} 13:31:11 2015") for n in range(4)]
    records = [PageRecord(at(outline, f"r{n}"), (at(outline, f"r{n}"),)) for n in range(4)]
    columns = PostColumns({n: at(outline, f"b{n}") for n in range(4)}, {}, dict(enumerate(dates)))
    found = read_posts(RecordTable(outline, records, dates), columns, sites.NOW)
    assert [post.text for post in found] == words
