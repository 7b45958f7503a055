# ruff: noqa: E501 -- markup reads better unbroken
from datetime import UTC, datetime

import pytest

from tests.forum import sites
from tests.forum.outlines import at, outline_of, table_of
from threadmill.forum.posts.bodies import (
    TextWeights,
    find_bodies,
    find_heaviest,
    find_remarks,
    find_sentences,
)
from threadmill.forum.read_page import read_thread
from threadmill.forum.records.record_table import RecordTable
from threadmill.page.parse.tree import parse

_NOW = datetime(2020, 7, 1, tzinfo=UTC)
LINE = "These are the words of somebody who had a lot to say"


def found(find: object, html: str, title: str = "") -> list[str]:
    outline = outline_of(html, title)
    dated = {index for index in range(len(outline)) if outline.attribute(index, "k") == "date"}
    return [outline.segments[number] for number in find(outline, 0, dated)]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("html", "sentences"),
    [
        (f"<p>{'x' * 45}</p>", 1),
        (f"<p>{'x' * 44}</p>", 0),
        (f"<p>{'水' * 15}</p>", 1),
        (f"<p>{'水' * 14}ab</p>", 0),
        (f"<p>{'水' * 14}abc</p>", 1),
        (f"<p>{'1 2 ' * 20}</p>", 0),
        (f"<a href='/x'>{LINE}</a>", 0),
        (f"<h2>{LINE}</h2>", 0),
        (f"<h4>{LINE}</h4>", 1),
        (f"<p k='date'>{LINE}</p>", 0),
        (f"<p>https://a.example/{'x' * 45}</p>", 0),
        (f"<p>{{{{ {LINE} }}}}</p>", 0),
    ],
)
def test_a_long_text_outside_links_is_a_sentence(html: str, sentences: int) -> None:
    assert len(found(find_sentences, html)) == sentences


def test_a_part_of_the_title_is_no_sentence() -> None:
    assert found(find_sentences, f"<p>{LINE}</p>", f"Forum - {LINE}") == []
    assert found(find_remarks, "<p>It rains!</p>", "It rains! - Forum") == []


@pytest.mark.parametrize(
    ("html", "remarks"),
    [
        ("<p>Thanks!</p>", 1),
        ("<p>Thanks</p>", 0),
        ("<p>(It rains.)</p>", 1),
        ("<p>Page 4.</p>", 0),
        ("<p>Thanks:)!</p>", 0),
        ("<a href='/x'>Thanks!</a>", 0),
        ("<h1>Thanks!</h1>", 0),
        ("<p k='date'>Thanks!</p>", 0),
    ],
)
def test_a_remark_ends_like_a_sentence(html: str, remarks: int) -> None:
    assert len(found(find_remarks, html)) == remarks


def test_sentences_are_those_of_the_block() -> None:
    outline = outline_of(f'<p>{LINE}</p><div k="d"><p>{LINE} too</p></div>')
    assert [outline.segments[n] for n in find_sentences(outline, at(outline, "d"), set())] == [f"{LINE} too"]


def weights_of(table: RecordTable, *skip: str) -> TextWeights:
    return TextWeights(table, {at(table.outline, key) for key in skip})


def test_words_weigh_by_characters_and_links_less() -> None:
    html = '<div k="A"><p k="p">four <a href="/x" k="a">linked text</a></p><i k="i">17</i><b k="b">anna</b></div><p k="z">out</p>'
    weights = weights_of(table_of(outline_of(html), "A"), "b")
    outline = weights.outline
    assert weights.of(at(outline, "p")) == pytest.approx(4 + 0.3 * 11)
    assert weights.of(at(outline, "A")) == pytest.approx(4 + 0.3 * 11)
    assert [weights.of(at(outline, key)) for key in "ibz"] == [0, 0, 0]


def test_labels_weigh_nothing() -> None:
    table = table_of(outline_of('<p k="A">Quote</p><p k="B">Quote</p><p k="C">words</p>'), "A", "B", "C")
    assert [weights_of(table).of(record.start) for record in table.records] == [0, 0, 5]


def test_a_form_in_a_post_has_no_words_of_its_author() -> None:
    form = '<form k="f">Your answer to ann:<textarea></textarea></form>'
    weights = weights_of(table_of(outline_of(f'<div k="A"><p k="p">words</p>{form}</div>'), "A"))
    assert [weights.of(at(weights.outline, key)) for key in "Apf"] == [5, 5, 0]


def test_a_form_around_a_post_says_nothing() -> None:
    weights = weights_of(table_of(outline_of('<form k="A"><p>words</p><input type="text"></form>'), "A"))
    assert weights.of(at(weights.outline, "A")) == 5


def test_replies_inside_a_post_are_not_its_words() -> None:
    html = '<div k="A"><p k="p">own</p><ul k="u"><li k="B">reply<ul k="v"><li k="C">second</li></ul></li></ul></div>'
    table = table_of(outline_of(html), "A", "B", "C")
    weights = weights_of(table)
    assert {key: weights.of(at(table.outline, key)) for key in "ApuBvC"} == {
        "A": 3.0, "p": 3.0, "u": 0.0, "B": 5.0, "v": 0.0, "C": 6.0,
    }  # fmt: skip


def bodies(*inner: str, tag: str = "div", skip: tuple[str, ...] = ()) -> list[str | None]:
    """The keys of the bodies of records with these markups."""
    html = "".join(f'<{tag} class="post" k="r{n}">{text}</{tag}>' for n, text in enumerate(inner))
    table = table_of(outline_of(f"<main>{html}</main>"), *(f"r{n}" for n in range(len(inner))))
    found = find_bodies(table, weights_of(table, *skip))
    return [table.outline.attribute(index, "k") if index is not None else None for index in found]


def post(number: int, words: str = "words of the post that differ") -> str:
    return (
        f'<div class="side">user{number}x<i>Posts: {number}</i></div><div class="main" k="m{number}"><h3>Re: {number}</h3>'
        f'<div class="text" k="t{number}"><p>{words} {number}</p><p>and more</p></div></div>'
    )


def test_bodies_are_the_smallest_elements_with_nearly_all_words() -> None:
    assert bodies(*(post(n) for n in range(4))) == ["t0", "t1", "t2", "t3"]


def test_the_walk_ends_at_elements_of_text() -> None:
    assert bodies(*(f'<div k="t{n}"><p>{LINE} {n}</p></div>' for n in range(4))) == ["t0", "t1", "t2", "t3"]


def test_a_record_without_words_has_no_body() -> None:
    assert bodies("<p>1</p>", "<p>2</p>") == [None, None]


def test_a_first_post_with_another_layout_gets_a_body_like_the_others() -> None:
    odd = '<section><div class="intro">x y</div><div class="text" k="t9"><p>the first words of this thread</p></div></section>'
    assert bodies(odd, *(post(n) for n in range(4))) == ["t9", "t0", "t1", "t2", "t3"]


def test_a_record_without_such_a_body_gets_its_heaviest_element() -> None:
    odd = f'<section><div class="intro">x y</div><article k="t9"><p>{LINE}</p><p>and more of them</p></article></section>'
    assert bodies(odd, *(post(n) for n in range(4))) == ["t9", "t0", "t1", "t2", "t3"]


def test_one_long_record_does_not_outvote_the_others() -> None:
    long = f'<div class="side" k="log">{LINE * 60}</div><div class="main" k="m9">short words</div>'
    short = [
        f'<div class="side">user{n}x</div><div class="main" k="m{n}">{LINE * 8} {n}</div>' for n in range(5)
    ]
    assert bodies(long, *short) == ["m9", "m0", "m1", "m2", "m3", "m4"]


def test_a_long_record_with_words_elsewhere_does_not_stop_the_walk() -> None:
    long = f'<div class="text" k="t9">{LINE * 8}</div><section>{LINE * 40}</section><article>{LINE * 40}</article>'
    short = [f'<div class="text" k="t{n}">{LINE * 8} {n}</div><em>user{n}x</em>' for n in range(4)]
    assert bodies(long, *short) == ["t9", "t0", "t1", "t2", "t3"]


def test_words_in_several_kinds_of_children_stay_together() -> None:
    parts = [
        f'<div class="x">{LINE} a{n}</div><div class="y">{LINE} b{n}</div><div class="z">{LINE} c{n}</div>'
        for n in range(4)
    ]
    assert bodies(*parts) == ["r0", "r1", "r2", "r3"]


def test_children_of_one_name_are_told_apart_by_their_position() -> None:
    cells = [f"<div>user{n}x</div><div k='t{n}'>{LINE} {n}</div><div>bye{n}x</div>" for n in range(4)]
    assert bodies(*cells) == ["t0", "t1", "t2", "t3"]


def test_markup_of_few_records_tells_the_body() -> None:
    def marked(n: int, extra: str = "") -> str:
        return (
            f'<div class="head">{extra}</div><div><div itemprop="text" k="t{n}">{LINE} {n}</div> by x</div>'
        )

    assert bodies(marked(0), marked(1)) == ["t0", "t1"]
    assert bodies(marked(0), f'<div class="other" k="o">{LINE}</div>', marked(2)) == ["t0", "o", "t2"]


def test_markup_that_holds_few_words_does_not_tell_the_body() -> None:
    def marked(n: int) -> str:
        return f'<b itemprop="text" k="x{n}">hi{n}x</b><div class="words" k="t{n}">{LINE} {n}</div>'

    assert bodies(marked(0), marked(1)) == ["t0", "t1"]


def test_bodies_of_records_that_begin_differently_are_found_by_column() -> None:
    boxes = ("section", "article", "aside", "form", "nav")
    html = "".join(
        f'<{box} k="r{n}"><div class="outer"><div class="wrap" k="w{n}"><div class="text" k="t{n}"><p>{LINE} {n}</p></div>'
        f"<i>x y</i></div></div></{box}>"
        for n, box in enumerate(boxes)
    )
    table = table_of(outline_of(html), *(f"r{n}" for n in range(5)))
    found = find_bodies(table, weights_of(table))
    assert found == [at(table.outline, f"t{n}") for n in range(5)]


def heaviest(html: str, start: str | None = None) -> str | None:
    table = table_of(outline_of(html), "A")
    index = find_heaviest(table, weights_of(table), 0, at(table.outline, start) if start else None)
    return table.outline.attribute(index, "k") if index is not None else None


def test_the_heaviest_element_holds_seven_tenths_of_the_words() -> None:
    def split(first: int) -> str:
        return f'<div k="A"><div k="x">{"x" * first}</div><div>{"y" * (10 - first)}</div></div>'

    assert heaviest(split(7)) == "x"
    assert heaviest(split(6)) == "A"


def test_the_heaviest_element_is_no_paragraph_of_a_body() -> None:
    assert heaviest('<div k="A"><p k="p">all the words</p></div>') == "A"
    assert heaviest('<p k="A">all the words</p>') == "A"
    assert heaviest('<div k="A"><div k="x"><section k="s">words</section></div><i>1</i></div>', "x") == "s"
    assert heaviest('<div k="A">1</div>') is None


def _words(number: int) -> str:
    return f"{sites.WORDS[number % 4][: 90 - 7 * number].strip()} and so on."


def _reply(number: int, inside: str = "") -> str:
    return (
        f'<div class="reply" id="c{number}"><div class="by"><a href="/user/name{number}">name{number}</a> '
        f'<a href="/item/1/c{number}">{number} June 2020</a></div>'
        f'<div class="said"><p>{_words(number)}</p></div>'
        f'<div class="do"><a href="/reply?to={number}">Reply</a></div><div class="kids">{inside}</div></div>'
    )


def test_bodies_of_nested_posts_are_their_own_words() -> None:
    deep = ""
    for number in range(7, 4, -1):
        deep = _reply(number, deep)
    replies = _reply(1) + _reply(2) + _reply(3, _reply(4, deep)) + _reply(8)
    page = f"<html><body><h1>Pump</h1><div>{replies}</div></body></html>"
    posts = read_thread(parse(page.encode(), "http://a.test/item/1"), _NOW).posts
    assert [post.text for post in posts] == [_words(number) for number in range(1, 9)]


def test_a_body_is_found_in_the_same_column_though_some_records_have_a_row_more() -> None:
    panel, words = (
        "<td class=panel>Posts: {n}</td>",
        "<td class=main><div class=text k=t{n}>{line}, {n} times.</div></td>",
    )
    rows = [
        f"<table k=r{n}><tr>{panel.format(n=n)}{words.format(n=n, line=LINE)}</tr>{'<tr><td>Sig</td></tr>' * (n % 2)}</table>"
        for n in range(4)
    ]
    outline = outline_of("".join(rows))
    table = table_of(outline, *(f"r{n}" for n in range(4)))
    assert find_bodies(table, TextWeights(table, set())) == [at(outline, f"t{n}") for n in range(4)]


def test_paragraphs_of_some_bodies_are_no_bodies_though_others_have_one() -> None:
    def boxed(number: int, more: str = "") -> str:
        return f'<i>{number} May</i><div class="box" k="b{number}"><div k="p{number}">{LINE} {number}</div>{more}</div>'

    whole = [boxed(n) for n in range(4)]
    assert bodies(*whole) == ["p0", "p1", "p2", "p3"]
    assert bodies(*whole[:3], boxed(3, "<div>And a second one.</div>")) == ["b0", "b1", "b2", "b3"]


def test_a_note_that_recurs_with_other_numbers_is_no_paragraph_of_a_body() -> None:
    def boxed(number: int, note: str = "") -> str:
        words = f'<div k="p{number}"><p>{LINE} {number}</p></div>'
        return f'<i>{number} May</i><dd k="b{number}">{words}{note}<div><a href="/r">Reply</a></div></dd>'

    noted = [boxed(n, f"<div>[#{n}: In reply to #{n - 1}]</div>") for n in range(2, 5)]
    assert bodies(boxed(1), *noted) == ["p1", "p2", "p3", "p4"]


def test_records_that_share_only_their_subjects_get_their_heaviest_elements() -> None:
    def post(number: int) -> str:
        return (
            f'<div class="box"><div class="head"><div class="subject">On pumps {number}</div></div>'
            f'<div class="words" k="b{number}">{LINE} {number}</div></div>'
        )

    outline = outline_of(
        f'<div k="r0"><div class="post">{post(0)}</div></div><ul k="r1"><li class="post">{post(1)}</li></ul>'
    )
    table = table_of(outline, "r0", "r1")
    found = find_bodies(table, weights_of(table))
    assert [outline.attribute(body or 0, "k") for body in found] == ["b0", "b1"]


def test_a_first_post_in_another_box_gets_the_element_in_the_same_parent() -> None:
    def post(number: int) -> str:
        return (
            f'<div class="sm"><div class="head">On {number} old pumps in the yard</div>'
            f'<div class="sm" k="b{number}">{LINE} {number}</div></div>'
        )

    outline = outline_of(
        f'<div k="r0"><div>{post(0)}</div></div>'
        + "".join(f'<li class="post" k="r{n}">{post(n)}</li>' for n in range(1, 5))
    )
    table = table_of(outline, "r0", "r1", "r2", "r3", "r4")
    found = find_bodies(table, weights_of(table))
    assert [outline.attribute(body or 0, "k") for body in found] == ["b0", "b1", "b2", "b3", "b4"]


@pytest.mark.parametrize(
    ("below", "body"), [("", "blockquote"), ("<p>I think so too, said {} of us.</p>", "td")]
)
def test_a_blockquote_with_all_words_is_the_body_and_no_quote(below: str, body: str) -> None:
    rows = "".join(
        f'<tr><td k="r{n}"><b>anna</b> {n} May <blockquote>{said}</blockquote>{below.format("abc"[n])}</td></tr>'
        for n, said in enumerate(
            ("It rains and rains here all day.", "Not here.", "We have had snow since May.")
        )
    )
    table = table_of(outline_of(f"<table>{rows}</table>"), "r0", "r1", "r2")
    found = find_bodies(table, weights_of(table))
    assert [table.outline.tags[index] for index in found if index is not None] == [body] * 3


def test_the_article_is_the_body_though_a_box_below_it_looks_like_a_comment() -> None:
    """The box for trackbacks stands in an element of the same class as each comment."""
    said = "We went to the harbour before dawn and came back with nothing but wet feet"
    comments = "".join(
        f"<div class='comment'><p>{said}, number {name}.</p><span class='by'>Posted by <a href='/u/{name}'>{name}</a> "
        f"on {day} March 2016 10:0{day}</span></div>"
        for day, name in enumerate(("anna", "bert", "carl", "dora"), start=4)
    )
    page = (
        "<html><head><title>Notes: The harbour</title></head><body><div class='blog'><h2 class='date'>3 March 2016</h2>"
        f"<div class='entry'><h3>The harbour</h3><p>{said}.</p><p>It had been raining since the first of the month, "
        "and nobody else was there to see how the boats were taken out of the water.</p>"
        "<span class='posted'>Posted by emil on 3 March 2016 09:00</span></div>"
        "<div class='head'>Trackbacks</div><div class='comment'>The address for this article: "
        f"http://a.example/tb/12</div><div class='head'>Comments</div>{comments}</div></body></html>"
    )
    posts = read_thread(parse(page, "http://a.example/archives/12.html"), _NOW).posts
    assert len(posts) == 5
    assert "It had been raining" in posts[0].text
    assert "address for this article" not in posts[0].text


def test_a_box_around_an_answer_does_not_end_the_walk() -> None:
    def rows(n: int) -> str:
        return (
            f"<table><tr><td>Re: A title ({n})</td></tr><tr><td k='t{n}'>{LINE} {n}</td></tr>"
            f"<tr><td><a href='/reply/{n}'>Reply</a></td></tr></table>"
        )

    boxed = [f"<table><tr><td>&nbsp;</td><td>{rows(n)}</td></tr></table>" for n in range(1, 5)]
    assert bodies(rows(0), *boxed) == ["t0", "t1", "t2", "t3", "t4"]


def test_a_first_post_whose_words_stand_in_another_row_keeps_them() -> None:
    def rows(n: int) -> str:
        return f"<table><tr><td>Title {n}</td></tr><tr><td k='t{n}'>{LINE} {n}</td></tr></table>"

    first = (
        f"<table><tr><td>A title</td></tr><tr><td>By</td></tr><tr><td k='t9'>{LINE} {LINE}</td></tr></table>"
    )
    assert bodies(first, *map(rows, range(5))) == ["t9", "t0", "t1", "t2", "t3", "t4"]


def test_the_words_in_a_table_of_labels_are_those_of_the_cell_with_sentences() -> None:
    labels = "".join(f"<tr><th>Label {n}</th><td>value {n}</td></tr>" for n in range(6))
    html = f"<table><tbody>{labels}<tr><th>Text</th><td k='t'>{LINE} {LINE}.</td></tr></tbody></table>"
    assert bodies(html) == ["t"]
