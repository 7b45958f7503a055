# ruff: noqa: E501 -- markup reads better unbroken
from datetime import UTC, datetime

import pytest

from tests.forum.outlines import at, outline_of, table_of
from threadmill.forum.posts.post_columns import (
    PostColumns,
    find_post_columns,
    find_record_id,
    find_record_ids,
    id_in_link,
    numbered_ids,
)
from threadmill.forum.records.date_columns import find_page_dates
from threadmill.forum.records.record_table import PageRecord, RecordTable

NOW = datetime(2020, 6, 17, 12, tzinfo=UTC)
NAMES = ("anna", "bert", "carl", "dora", "emil")
WORDS = "words of a post that somebody wrote about the pump"


def table(*inner: str) -> RecordTable:
    """A table with one record for each markup and all dates of the page."""
    html = "".join(f'<div class="post" k="r{n}">{text}</div>' for n, text in enumerate(inner))
    outline = outline_of(f"<main>{html}</main>")
    roots = [at(outline, f"r{n}") for n in range(len(inner))]
    return RecordTable(outline, [PageRecord(root, (root,)) for root in roots], find_page_dates(outline))


def posts(markup: str, count: int = 4) -> tuple[RecordTable, PostColumns]:
    """Posts with this markup before their body; `{n}` is the number of the post, `{d}` a day."""
    return whole(markup + '<div class="body" k="b{n}">{words}</div>', count)


def whole(markup: str, count: int = 4) -> tuple[RecordTable, PostColumns]:
    found = table(
        *(
            f'<a class="user" href="/user/{NAMES[n]}">{NAMES[n]}</a>'
            + markup.format(n=n, d=n + 1, e=20 - n, p=700 + n, words=f"{WORDS}, number {n}")
            for n in range(count)
        )
    )
    return found, find_post_columns(found, NOW)


def dates(markup: str, *, body_inside: bool = True) -> list[str]:
    """The texts of the dates of posts with this markup."""
    _, columns = posts(markup) if body_inside else whole(markup)
    return [columns.dates[n].text for n in range(4) if n in columns.dates]


def test_bodies_authors_dates_links_and_ids_of_posts_are_found() -> None:
    found, columns = posts('<i>{d} May 2020</i><a href="/t/9#p{p}" id="post-{p}">#</a>')
    outline = found.outline
    assert columns.bodies == {n: at(outline, f"b{n}") for n in range(4)}
    assert [author.name for author in columns.authors.values()] == list(NAMES[:4])
    assert [date.text for date in columns.dates.values()] == [f"{n} May 2020" for n in range(1, 5)]
    assert [outline.hrefs[index] for index in columns.links.values()] == [
        f"/t/9#p{700 + n}" for n in range(4)
    ]
    assert columns.ids == {n: str(700 + n) for n in range(4)}


@pytest.mark.parametrize(("field", "first"), [("n", 0), ("d", 1)])
def test_ids_that_only_count_give_way_to_permalinks(field: str, first: int) -> None:
    counted = f'<b id="row{{{field}}}"></b>'
    assert posts(f'<a href="/t/9#p{{p}}">#</a>{counted}')[1].ids == {}
    assert posts(counted)[1].ids == {n: str(n + first) for n in range(4)}


def test_ids_that_skip_a_number_stay() -> None:
    _, columns = posts('<a href="/t/9#p{p}">#</a><b id="x{p}"></b>')
    assert columns.ids == {n: str(700 + n) for n in range(4)}
    assert len(columns.links) == 4


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        # later dates are those of posts: nobody posts before joining
        ("<i>{d} May 2019</i><b>{d} May 2020</b>", "{d} May 2020"),
        ("<i>{d} May 2020</i><b>{d} May 2019</b>", "{d} May 2020"),
        # a month is no date of a post
        ("<i>May 2012</i><b>{d} May 2011</b>", "{d} May 2011"),
        # schema.org markup
        ("<i itemprop='datePublished'>{d} May 2019</i><b>{d} May 2020</b>", "{d} May 2019"),
        ("<i itemprop='dateModified'>{d} May 2020</i><b>{d} May 2019</b>", "{d} May 2019"),
        # an edit note
        ("<i>edited {d} May 2020</i><b>{d} May 2019</b>", "{d} May 2019"),
        # the time of day
        ("<i>{e} May 2019 10:15</i><b>{e} May 2019</b>", "{e} May 2019 10:15"),
    ],
)
def test_the_date_of_a_post_is_chosen_from_several(markup: str, expected: str) -> None:
    assert dates(markup) == [expected.format(d=n + 1, e=20 - n) for n in range(4)]


def test_a_later_date_below_the_body_is_that_of_a_change() -> None:
    markup = '<i>{d} May 2020 10:15</i><div class="body" k="b{n}">{words}</div><b>{d} June 2020 11:30</b>'
    assert dates(markup, body_inside=False) == [f"{n} May 2020 10:15" for n in range(1, 5)]
    joined = '<i>{d} May 2019</i><div class="body" k="b{n}">{words}</div><b>{d} June 2020 11:30</b>'
    assert dates(joined, body_inside=False) == [f"{n} June 2020 11:30" for n in range(1, 5)]


def test_dates_in_the_words_are_not_those_of_posts() -> None:
    markup = '<div class="body" k="b{n}"><p>{words}</p><p><b>{d} May 2019</b> it began</p></div><u>{d} May 2020</u>'
    assert dates(markup, body_inside=False) == [f"{n} May 2020" for n in range(1, 5)]


def test_dates_that_repeat_in_a_record_are_those_of_comments() -> None:
    comments = "<ul><li><em>{d} June 2020</em></li><li><em>{e} June 2020</em></li></ul>"
    assert dates("<i>{d} May 2020</i>" + comments) == [f"{n} May 2020" for n in range(1, 5)]


def test_a_record_the_column_missed_takes_its_first_date_outside_the_body() -> None:
    parts = [
        f'<a class="user" href="/user/{n}">{n}</a><i>{d + 1} May 2020</i><div class="body">{WORDS} {d}</div>'
        for d, n in enumerate(NAMES[:4])
    ]
    parts[2] = (
        f'<a class="user" href="/user/carl">carl</a><div class="body">{WORDS} <b>2 May 2011</b></div><p><u>7 May 2020</u></p>'
    )
    columns = find_post_columns(table(*parts), NOW)
    assert [columns.dates[n].text for n in range(4)] == [
        "1 May 2020",
        "2 May 2020",
        "7 May 2020",
        "4 May 2020",
    ]


@pytest.mark.parametrize(("ahead", "taken"), [("", True), ("y" * 59, True), ("y" * 60, False)])
def test_a_record_without_a_date_takes_one_at_the_head_of_its_body(ahead: str, taken: bool) -> None:
    parts = [
        f'<a class="user" href="/user/{n}">{n}</a><i>{d + 1} May 2020</i><div class="body"><p>{WORDS} {d}</p></div>'
        for d, n in enumerate(NAMES[:4])
    ]
    parts[2] = (
        f'<a class="user" href="/user/carl">carl</a><div class="body"><b>{ahead}</b><p><u>7 May 2020</u></p><p>{WORDS}</p></div>'
    )
    columns = find_post_columns(table(*parts), NOW)
    assert (2 in columns.dates) is taken


def permalinks(markup: str) -> list[str | None]:
    found, columns = posts(markup)
    return [found.outline.hrefs[columns.links[n]] for n in range(4) if n in columns.links]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<a href="/p/{p}">x</a>', "/p/{p}"),
        ('<a href="/p/{p}/quote">x</a><i><a href="/p/{p}">y</a></i>', "/p/{p}"),
        ('<a href="/p/{e}">x</a><i><a href="/p/{p}">y</a></i>', "/p/{p}"),
        ('<a href="/p/{p}">x</a><i><a href="/thread/9/#p{p}">y</a></i>', "/thread/9/#p{p}"),
        ('<a href="/newreply?p={p}">x</a><i><a href="/showpost.php?p={p}">y</a></i>', "/showpost.php?p={p}"),
    ],
)
def test_permalinks_have_a_number_of_their_own_that_rises(markup: str, expected: str) -> None:
    assert permalinks(markup) == [expected.format(p=700 + n, e=20 - n) for n in range(4)]


def test_a_permalink_in_another_place_is_written_like_those_of_other_posts() -> None:
    parts = [
        f'<a class="user" href="/user/{name}">{name}</a><p>'
        + (f'in reply to <a href="/p/{709 + n}">1</a> ' if n else "")
        + f'<a href="/p/{710 + n}">link</a> <a href="/p/{710 + n}?raw">source</a></p><div class="body">{WORDS} {n}</div>'
        for n, name in enumerate(NAMES)
    ]
    found = table(*parts)
    columns = find_post_columns(found, NOW)
    assert [found.outline.hrefs[columns.links[n]] for n in range(5)] == [f"/p/{710 + n}" for n in range(5)]


@pytest.mark.parametrize(
    "markup",
    [
        '<a href="/p/7">x</a>',
        '<a href="/p/x">x</a>',
        '<a href="javascript:go({p})">x</a>',
        '<a href="https://share.test/?url=https%3A%2F%2Fforum.test%2Ft%2F5%23post-{p}">x</a>',
        "<b>{p}</b>",
        '<div class="body"><p>{words}</p><a href="/p/{p}">x</a></div>',
    ],
)
def test_other_links_are_no_permalinks(markup: str) -> None:
    assert permalinks(markup) == []


def test_links_to_the_neighbours_of_a_post_are_no_permalinks() -> None:
    own = '<a href="/t/5#p{p}">1 hour</a> '
    next_one = '<a class="go" href="/t/5#p{p}9">next</a> '
    assert permalinks(next_one) == []
    assert permalinks(own + next_one) == permalinks(own)


def test_the_link_of_an_author_is_no_permalink() -> None:
    parts = [
        f'<a class="user" href="/user/{n}{d}">{n}</a><div class="body">{WORDS} {d}</div>'
        for d, n in enumerate(NAMES[:4])
    ]
    assert find_post_columns(table(*parts), NOW).links == {}


def test_permalinks_must_cover_three_fifths_of_the_records() -> None:
    def columns(linked: int) -> PostColumns:
        return find_post_columns(
            table(
                *(
                    f'<b class="user">{NAMES[n]}</b><div class="body">{WORDS} {n}</div>'
                    + (f'<a href="/p/{n}">x</a>' if n < linked else "")
                    for n in range(5)
                )
            ),
            NOW,
        )

    assert len(columns(3).links) == 3
    assert columns(2).links == {}


def test_the_id_of_a_record_is_in_ids_of_one_shape() -> None:
    assert find_record_ids(table('<b id="p7">x</b>', '<b id="p9">y</b>')) == {0: "7", 1: "9"}
    assert find_record_ids(table('<a name="p7">x</a>', '<a name="p9">y</a>')) == {0: "7", 1: "9"}
    assert find_record_ids(table('<b name="p7">x</b>', '<b name="p9">y</b>')) == {}
    assert find_record_ids(table('<b id="p7">x</b>', '<b id="p7">y</b>')) == {}
    assert find_record_ids(table('<b id="p7">x</b>', '<b id="q9">y</b>')) == {}
    assert find_record_ids(table(*(f'<b id="{"p" if n < 3 else "q"}{n}">x</b>' for n in range(5)))) == {
        0: "0",
        1: "1",
        2: "2",
    }


def test_the_shape_that_covers_most_records_has_the_ids() -> None:
    inner = [f'<b id="x{n}">x</b>' + (f'<b id="y{n + 50}">x</b>' if n else "") for n in range(4)]
    assert find_record_ids(table(*inner)) == {n: str(n) for n in range(4)}
    assert find_record_ids(table(*(f'<b id="p{n}"></b><b id="p{n + 40}"></b>' for n in (1, 2)))) == {
        0: "1",
        1: "2",
    }


def test_an_only_record_has_the_most_frequent_number() -> None:
    assert find_record_ids(
        table('<b id="a0">x</b><b id="d0">x</b><b id="b7">y</b><b id="e8">y</b><b id="c7">z</b>')
    ) == {0: "7"}
    assert find_record_ids(table("<b>x</b>")) == {}


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<b id="post-17-4">x</b>', ("post-#-#", "4")),
        ('<b id="post">x</b>', None),
        ("<b>x</b>", None),
        (f'<b id="p{"1" * 18}">x</b>', ("p#", "1" * 18)),
        (f'<b id="p{"1" * 19}">x</b>', None),
    ],
)
def test_an_id_is_split_into_shape_and_number(markup: str, expected: tuple[str, str] | None) -> None:
    found = table(markup)
    assert numbered_ids(found, found.members[0][1]) == ((expected,) if expected else ())


def test_the_id_of_one_record_is_found_by_known_shapes() -> None:
    found = table('<b id="q5">x</b><b id="p7">x</b>', '<b id="q6">x</b>')
    assert find_record_id(found, 0, {"p#"}) == "7"
    assert find_record_id(found, 1, {"p#"}) is None


def test_elements_around_a_record_may_have_its_id() -> None:
    html = (
        '<div><div id="w1" k="w"><div id="v1"><div id="u1"><p k="a">x</p><p>more</p></div></div></div>'
        '<div id="w2"><i>z</i><div id="v2"><div id="u2"><p k="b">y</p></div></div></div></div>'
    )
    found = table_of(outline_of(html), "a", "b")
    assert [find_record_id(found, 0, {shape}) for shape in ("u#", "v#", "w#")] == ["1", "1", None]
    assert [find_record_id(found, 1, {shape}) for shape in ("u#", "v#", "w#")] == ["2", "2", None]
    nested = table_of(
        outline_of('<div k="a" id="x1"><p>1</p><ul id="y1"><li k="b">2</li></ul></div>'), "a", "b"
    )
    assert find_record_id(nested, 1, {"y#", "x#"}) is None


def test_a_date_that_every_post_of_a_person_shows_is_that_of_joining() -> None:
    people = [("anna", "3 May 2011"), ("bert", "4 June 2012"), ("carl", "5 July 2013")] * 3
    found = table(
        *(
            f'<a class="user" href="/user/{name}">{name}</a><small>{joined}, 10:00</small>'
            f"<i>{20 - 5 * (n % 2)} August 2019</i><p>{WORDS}</p>"
            for n, (name, joined) in enumerate(people)
        )
    )
    dates = find_post_columns(found, NOW).dates
    assert [dates[n].text for n in (0, 1, 8)] == ["20 August 2019", "15 August 2019", "20 August 2019"]


def test_a_post_of_another_layout_takes_the_date_of_the_usual_class() -> None:
    head = '<div class="user">{name}<br>Joined: 3 May 2011</div>'
    rest = '<div><span class="when">{d} June 2019</span></div><p>{words}</p>'
    others = [head.format(name=name) + rest.format(d=n + 2, words=WORDS) for n, name in enumerate(NAMES)]
    first = head.format(name="zoe") + f'<header><span class="when">1 June 2019</span></header><p>{WORDS}</p>'
    assert find_post_columns(table(first, *others), NOW).dates[0].text == "1 June 2019"


@pytest.mark.parametrize(
    ("href", "found"),
    [
        ("/t,08d12e03.html#post-248e0681", "248e0681"),
        ("/t/5#cG9zdDoxMjM", "cG9zdDoxMjM"),
        ("/t/5#p102", "102"),
        ("/post/102/", "102"),
        ("/t/5#top", "5"),
        ("/about", None),
    ],
)
def test_the_id_in_a_permalink_is_its_code_or_its_last_number(href: str, found: str | None) -> None:
    assert id_in_link(href) == found


def test_a_link_of_thousands_of_characters_names_no_post() -> None:
    assert id_in_link("/t/5#p17") == "17"
    assert id_in_link("/t/5#p" + "9" * 5000) is None


def test_a_first_post_without_the_markup_of_the_others_takes_the_date_of_a_column_that_agrees() -> None:
    """The first post shows the date of the last post of its thread above its own."""
    user, body = '<a class="user" href="/user/{0}">{0}</a>', f'<div class="body">{WORDS}</div>'
    own = "<b class=own><time>{} June 2020 10:00</time></b>"
    others = [
        f'<meta itemprop="datePublished" content="2020-06-0{day}T10:00:00Z">'
        + user.format(NAMES[day % 4])
        + own.format(day)
        + body
        for day in range(2, 9)
    ]
    last = "<i><time>8 June 2020 10:00</time></i>"
    first = user.format(NAMES[1]) + last + own.format(1) + body
    found = find_post_columns(table(first, *others), NOW).dates
    assert [found[0].text, found[1].exact] == ["1 June 2020 10:00", "2020-06-02T10:00:00Z"]


def test_an_element_around_a_record_has_its_id_only_if_it_begins_with_it() -> None:
    """Comments got the ids of the answers that they stand in, and were lost as copies of them."""
    answer = '<div data-id="{0}"><p>an answer</p><div k="c{1}"><p data-id="{2}">a comment</p></div></div>'
    outline = outline_of("".join(answer.format(179 + n, n, 183 + n) for n in range(3)))
    roots = [at(outline, f"c{n}") for n in range(3)]
    found = RecordTable(outline, [PageRecord(root, (root,)) for root in roots], ())
    assert find_record_ids(found) == {0: "183", 1: "184", 2: "185"}


def test_a_hash_in_an_id_is_the_number_of_its_post() -> None:
    posts = "".join(
        f'<div k="r{n}" id="comment-{code}"><p>Words.</p></div>'
        for n, code in enumerate(("ed92179a", "0a1a7c8a", "41166b71"))
    )
    table = table_of(outline_of(f"<div>{posts}</div>"), "r0", "r1", "r2")
    assert list(find_record_ids(table).values()) == ["ed92179a", "0a1a7c8a", "41166b71"]
    assert {table.outline.symbols[record.start] for record in table.records} == {"div.comment-#"}
