# ruff: noqa: E501 -- markup reads better unbroken
import pytest

from tests.forum.outlines import at, keys, outline_of, table_of
from threadmill.forum.records.date_columns import PageDate, find_page_dates
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable, _part, split_records


def split(html: str, *anchors: str) -> list[str]:
    """The keys of the roots of each record, found by anchors with these keys."""
    outline = outline_of(html)
    records = split_records(outline, [at(outline, anchor) for anchor in anchors])
    assert [record.anchor for record in records] == [at(outline, a) for a in anchors[: len(records)]]
    return [" ".join(keys(outline, record.roots)) for record in records]


def test_a_record_knows_its_start_and_what_stands_in_it() -> None:
    outline = outline_of('<div k="x">0</div><p k="a"><b k="b">1</b></p><p k="c">2</p><p k="d">3</p>')
    record = PageRecord(at(outline, "b"), (at(outline, "a"), at(outline, "c")))
    assert record.start == at(outline, "a")
    assert list(record.spans(outline)) == [
        (at(outline, "a"), at(outline, "b") + 1),
        (at(outline, "c"), at(outline, "d")),
    ]
    assert {key for key in "xabcd" if record.holds(outline, at(outline, key))} == set("abc")


def test_records_grow_up_to_the_elements_that_hold_one_anchor_each() -> None:
    html = '<div><div k="A"><p><i k="a">1</i></p></div><div k="B"><p><i k="b">2</i></p></div></div>'
    assert split(html, "a", "b") == ["A", "B"]


def test_records_inside_one_another_begin_at_the_same_element() -> None:
    html = (
        '<ul><li k="A"><p k="pa"><i k="a">1</i></p>'
        '<ul><li k="B"><p><i k="b">2</i></p></li></ul></li><li k="C"><p><i k="c">3</i></p></li></ul>'
    )
    assert split(html, "a", "b", "c") == ["A", "B", "C"]


def test_a_post_with_replies_in_it_is_whole_and_a_reply_is_no_box() -> None:
    def post(key: str, inside: str = "") -> str:
        head = f'<div k="h{key}"><i k="{key}">1</i></div>'
        return f'<div k="{key.upper()}">{head}<div>words</div>{inside}</div>'

    html = post("a", f"<div>{post('b')}</div>") + post("c", f"<div>{post('d')}{post('e')}</div>")
    assert split(f"<div>{html}</div>", "a", "b", "c", "d", "e") == ["A", "B", "C", "D", "E"]


def test_an_element_beside_other_records_is_no_box() -> None:
    html = '<p k="p"><a k="a">1</a></p><i k="i">2</i><br><a k="b">3</a><i k="j">4</i><br><a k="c">5</a><i k="k">6</i>'
    assert [record.split()[:2] for record in split(f"<div>{html}</div>", "a", "b", "c")] == [
        ["p", "i"],
        ["b", "j"],
        ["c", "k"],
    ]


def test_the_last_record_keeps_as_many_siblings_of_a_kind_as_each_of_the_others() -> None:
    rows = "".join(
        f'<dt k="{key}">{key}</dt>' + "".join(f'<dd k="{key}{n}">1</dd>' for n in range(5)) for key in "abc"
    )
    found = split(f"<dl>{rows}</dl><p>end</p>", "a", "b", "c")
    assert found[2] == "c c0 c1 c2 c3 c4"


def test_an_anchor_inside_another_anchor_gives_no_records() -> None:
    assert split('<div k="a"><p k="b">1</p></div><p k="c">2</p>', "a", "a", "c") == []


def test_siblings_between_records_belong_to_the_record_before() -> None:
    html = '<dl><dt k="a">1</dt><dd k="x">one</dd><dt k="b">2</dt><dd k="y">two</dd></dl>'
    assert split(html, "a", "b") == ["a x", "b y"]


def test_siblings_that_lead_every_record_belong_to_the_record_after() -> None:
    html = '<div><h3 k="x">X</h3><p k="a">1</p><h3 k="y">Y</h3><p k="b">2</p><h3 k="z">Z</h3><p k="c">3</p></div>'
    assert split(html, "a", "b", "c") == ["x a", "y b", "z c"]


def test_the_first_lead_may_have_another_class_when_two_others_agree() -> None:
    def html(first: str) -> str:
        return (
            f'<div><{first} k="x">X</{first[:2]}><p k="a">1</p><h3 class="t" k="y">Y</h3><p k="b">2</p>'
            '<h3 class="t" k="z">Z</h3><p k="c">3</p></div>'
        )

    assert split(html("h3"), "a", "b", "c") == ["x a", "y b", "z c"]
    assert split(html("h2"), "a", "b", "c") == ["a y", "b z", "c"]
    assert split(html("h3"), "a", "b") == ["a y", "b z"]


def test_rows_of_posts_with_classes_by_turns_stay_together() -> None:
    rows = "".join(
        f'<tr class="{way}" k="h{n}"><td>3 May</td></tr><tr class="{way}" k="a{n}"><td>anna</td></tr>'
        f'<tr k="m{n}"><td><a href="/p">profile</a></td></tr>'
        for n, way in enumerate(("odd", "even", "odd", "even"))
    )
    html = f'<table><tr k="head"><th>Author</th></tr>{rows}</table>'
    assert split(html, "a0", "a1", "a2", "a3") == ["h0 a0 m0", "h1 a1 m1", "h2 a2 m2", "h3 a3 m3"]


def test_leads_count_by_nearly_all_records() -> None:
    def html(wrong: int) -> str:
        tops = "".join(
            f'<{"h4" if n <= wrong else "h3"} k="x{n}">X</{"h4" if n <= wrong else "h3"}><p k="a{n}">1</p>'
            for n in range(1, 6)
        )
        return f'<div><h3 k="x0">X</h3><p k="a0">1</p>{tops}</div>'

    anchors = [f"a{n}" for n in range(6)]
    assert split(html(1), *anchors)[0] == "x0 a0"
    assert split(html(2), *anchors)[0] == "a0 x1"


def test_siblings_that_also_follow_the_last_record_end_records() -> None:
    def html(last: str) -> str:
        line = '<div class="end" k="{}">end</div>'
        return (
            f'<div>{line.format("w")}<p k="a">1</p>{line.format("x")}<p k="b">2</p>{line.format("y")}'
            f'<p k="c">3</p>{last}</div>'
        )

    assert split(html('<div class="end" k="z">end</div>'), "a", "b", "c") == ["a x", "b y", "c z"]
    assert split(html('<div class="end" k="z"></div>'), "a", "b", "c") == ["w a", "x b", "y c"]
    assert split(html('<div class="foot" k="z">end</div>'), "a", "b", "c") == ["w a", "x b", "y c"]
    assert split(html(""), "a", "b", "c") == ["w a", "x b", "y c"]


def test_the_last_record_keeps_only_what_the_others_have() -> None:
    html = (
        '<div><p k="a">1</p><b k="x">x</b><p k="b">2</p><b k="y">y</b><i k="z">no</i><b k="u">after</b></div>'
    )
    assert split(html, "a", "b") == ["a x", "b y"]


def test_the_last_record_keeps_at_most_three_siblings_of_a_kind() -> None:
    html = (
        f'<div><p k="a">1</p><b k="x">x</b><p k="b">2</p>{"".join(f"<b k={n}>y</b>" for n in range(5))}</div>'
    )
    assert split(html, "a", "b") == ["a x", "b 0 1 2"]


def test_a_record_takes_at_most_sixty_siblings() -> None:
    def html(count: int) -> str:
        more = "".join(f"<b k=x{n}>x</b>" for n in range(count))
        return f'<div><p k="a">1</p>{more}<p k="b">2</p></div>'

    assert len(split(html(60), "a", "b")[0].split()) == 61
    assert len(split(html(61), "a", "b")[0].split()) == 1


def test_one_anchor_makes_the_whole_page_its_record() -> None:
    assert split('<div k="A"><p k="a">1</p></div><p>2</p>', "a") == ["body"]


POSTS = (
    '<div class="post odd" k="A"><a class="name" href="/u/1" k="n1">anna</a><i k="d1">3 May 2020</i>'
    '<p class="text" k="t1">Hello <b k="b1">you</b></p><u k="q1">Quote</u></div>'
    '<div class="post even" k="B"><span class="name" k="s2"><a href="/u/2" k="n2">bert</a></span>'
    '<i k="d2">4 May 2020</i><p class="text" k="t2">Hi</p><p class="text" k="t3">there</p><u k="q2">Quote</u></div>'
)


def posts() -> RecordTable:
    return table_of(outline_of(f"<div>{POSTS}</div><p k='z'>z</p>"), "A", "B", dates=("d1", "d2"))


def test_every_element_belongs_to_its_record() -> None:
    table = posts()
    assert table.owner[at(table.outline, "b1")] == 0
    assert table.owner[at(table.outline, "q2")] == 1
    assert table.owner[at(table.outline, "z")] == -1
    assert keys(table.outline, table.members[0]) == ["A", "n1", "d1", "t1", "b1", "q1"]
    assert [table.outline.segments[number] for number in table.segments[0]] == [
        "anna",
        "3 May 2020",
        "Hello",
        "you",
        "Quote",
    ]
    assert table.roots == {at(table.outline, "A"), at(table.outline, "B")}


def test_of_nested_records_the_inner_one_owns_an_element() -> None:
    table = table_of(outline_of('<div k="A"><p k="B"><b k="b">x</b></p><i k="i">y</i></div>'), "A", "B")
    assert table.owner[at(table.outline, "b")] == 1
    assert table.owner[at(table.outline, "i")] == 0


def test_the_same_thing_in_each_record_is_a_column() -> None:
    table = posts()
    outline = table.outline
    assert table.columns["div/div/p.text", 1] == {0: at(outline, "t1"), 1: at(outline, "t2")}
    assert table.columns["div/div/p.text", 2] == {1: at(outline, "t3")}


def test_classes_of_roots_count_only_where_their_tags_differ() -> None:
    table = table_of(
        outline_of('<div k="A" class="x"><p k="p">1</p></div><li k="B"><p k="q">2</p></li>'), "A", "B"
    )
    outline = table.outline
    assert not table.same_root_tags
    assert table.kind(at(outline, "p")) == "body/div.x/p"
    assert posts().same_root_tags
    assert table.loose_columns == {}
    assert table_of(outline, "A").kind(at(outline, "p")) == "body/div/p"


def test_records_with_the_same_two_first_tags_begin_alike() -> None:
    html = '<dt k="a">1</dt><dd k="b">2</dd><dt k="c">3</dt><p k="d">4</p><dt k="e">5</dt><dd k="f">6</dd><p k="g">7</p>'
    outline = outline_of(html)
    assert not table_of(outline, "a b", "c d").same_root_tags
    assert table_of(outline, "a b", "e f g").same_root_tags


def test_an_anchor_between_two_others_is_bounded_by_the_nearer() -> None:
    html = '<div k="A"><p k="pa"><i k="a">1</i></p><p k="pb"><i k="b">2</i></p></div><div k="C"><i k="c">3</i></div>'
    assert split(html, "a", "b", "c") == ["pa", "pb", "C"]
    turned = '<div k="C"><i k="c">3</i></div><div k="A"><p k="pa"><i k="a">1</i></p><p k="pb"><i k="b">2</i></p></div>'
    assert split(turned, "c", "a", "b") == ["C", "pa", "pb"]


def test_two_leads_of_which_the_nearer_differs_are_none() -> None:
    html = (
        '<div><h3 k="x">X</h3><b k="u">U</b><p k="a">1</p><h3 k="y">Y</h3><b k="v">V</b><p k="b">2</p>'
        '<h3 k="z">Z</h3><b k="w">W</b><p k="c">3</p></div>'
    )
    assert split(html, "a", "b", "c") == ["x u a", "y v b", "z w c"]
    assert split(html.replace('<b k="u">U</b>', '<s k="u">U</s>'), "a", "b", "c")[0] == "a y v"


def test_kinds_reach_up_to_the_root_of_the_page() -> None:
    outline = outline_of("<p>1</p>")
    table = RecordTable(outline, [PageRecord(0, (0,))], [])
    assert [table.kind(index) for index in range(3)] == ["//html", "/html/body", "html/body/p"]


def test_loose_columns_go_by_tags_below_the_grandparent() -> None:
    html = (
        '<div k="A"><h3 class="x"><a class="vip" k="a">1</a></h3></div>'
        '<div k="B"><h3 class="y"><a class="new" k="b">2</a></h3></div>'
    )
    table = table_of(outline_of(html), "A", "B")
    outline = table.outline
    assert table.loose_columns["div//h3/a", 1] == {0: at(outline, "a"), 1: at(outline, "b")}
    assert ("body//div/h3", 1) in table.loose_columns
    mixed = table_of(outline_of('<div class="x" k="A"><p><a k="a">1</a></p></div><li k="B"></li>'), "A", "B")
    assert list(mixed.loose_columns) == [("div.x//p/a", 1)]
    root = RecordTable(outline_of("<a>1</a>"), [PageRecord(2, (2,))], [])
    assert list(root.loose_columns) == [("html//body/a", 1)]


def test_at_most_three_elements_of_a_kind_make_columns() -> None:
    html = '<div k="A"><b>1</b><b>2</b><b>3</b><b>4</b></div>'
    table = table_of(outline_of(html), "A")
    assert [key for key in table.columns if key[0].endswith("/b")] == [("body/div/b", n) for n in (1, 2, 3)]
    assert [key for key in table.loose_columns if key[0].endswith("/b")] == [
        ("body//div/b", n) for n in (1, 2, 3)
    ]


def test_named_columns_join_links_and_plain_names() -> None:
    table = posts()
    outline = table.outline
    assert table.named_columns["@name", 1] == {0: at(outline, "n1"), 1: at(outline, "n2")}
    assert table.named_columns["@text", 1] == {1: at(outline, "t2")}


def test_short_texts_of_half_the_records_are_repeated_texts() -> None:
    def repeated(count: int, size: int, text: str = "Quote") -> set[str]:
        html = "".join(f'<div k="r{n}">{text if n < count else n}</div>' for n in range(size))
        return table_of(outline_of(html), *(f"r{n}" for n in range(size))).repeated_texts

    assert repeated(2, 4) == {"Quote"}
    assert repeated(2, 5) == set()
    assert repeated(1, 1) == set()
    assert repeated(2, 2, "x" * 59) == {"x" * 59}
    assert repeated(2, 2, "x" * 60) == set()


def test_a_text_twice_in_one_record_counts_once() -> None:
    table = table_of(outline_of('<p k="A"><b>Quote</b><b>Quote</b></p><p k="B">x</p>'), "A", "B")
    assert table.repeated_texts == set()


def test_elements_with_a_date_and_little_else_are_dated() -> None:
    html = '<ul k="u"><li k="l"><div k="e">on:<p k="p"><b k="b"><i k="d">3 May</i></b></p></div></li></ul>'
    table = table_of(outline_of(html), "u", dates=("d",))
    assert keys(table.outline, table.dated) == ["p", "b", "d"]
    near = table_of(outline_of('<div k="e">on:<p k="p"><i k="d">3 May</i></p></div>'), "e", dates=("d",))
    assert keys(near.outline, near.dated) == ["e", "p", "d"]
    far = table_of(outline_of('<div k="e">on: <p k="p">at:.<i k="d">3 May</i></p></div>'), "e", dates=("d",))
    assert keys(far.outline, far.dated) == ["d"]


def test_dates_of_one_kind_make_a_column() -> None:
    table = posts()
    first, second = table.dates
    assert table.date_columns == {("div/div/i", 1): {0: first, 1: second}}


def test_a_second_date_of_a_kind_makes_a_second_column() -> None:
    html = '<div k="A"><i k="a">1 May</i><i k="b">2 May</i></div><i k="c">3 May</i>'
    table = table_of(outline_of(html), "A", dates=("a", "b", "c"))
    assert set(table.date_columns) == {("body/div/i", 1), ("body/div/i", 2)}


def test_dates_in_like_blocks_make_a_column_where_kinds_do_not() -> None:
    html = (
        '<div k="A"><p class="on"><b k="a">Today</b></p></div><div k="B"><p class="on" k="b">1 May</p></div>'
        '<div k="C"><p class="on" k="c">2 May</p></div>'
    )
    table = table_of(outline_of(html), "A", "B", "C", dates=("a", "b", "c"))
    block = "block body/div/p.on"
    assert list(table.date_columns[block, 1]) == [0, 1, 2]
    assert list(table.date_columns["body/div/p.on", 1]) == [1, 2]


def test_a_block_ends_at_the_record() -> None:
    table = table_of(
        outline_of('<div><b k="A"><i k="a">1 May</i></b><b k="B"><u><i k="b">2 May</i></u></b></div>'),
        "A",
        "B",
        dates=("a", "b"),
    )
    assert list(table.date_columns["block body/div/b", 1]) == [0, 1]


@pytest.mark.parametrize("records", [0, 1])
def test_dates_outside_the_records_are_in_no_column(records: int) -> None:
    outline = outline_of('<p k="A">x</p><p k="d">3 May</p>')
    found = [PageRecord(at(outline, "A"), (at(outline, "A"),))][:records]
    assert RecordTable(outline, found, [PageDate(at(outline, "d"), "3 May")]).date_columns == {}


def test_a_table_of_a_page_without_elements_is_empty() -> None:
    outline = outline_of("")
    assert isinstance(outline, PageOutline)
    assert RecordTable(outline, [], []).columns == {}


def boxed(side: str, beside: str = "x" * 40, inner: str = "") -> bool:
    """Whether two records of ten characters stand in a box at the side, on a page with other text."""
    outline = outline_of(
        f'<div {side}>{inner}<ul><li k="a">0123456789</li><li k="b">0123456789</li></ul></div><p>{beside}</p>'
    )
    return table_of(outline, "a", "b").in_side_box


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ('class="sidebar"', True),
        ('class="x page-Sidebar"', True),
        ('id="right_rail"', True),
        ('role="complementary"', True),
        ('class="no-sidebar"', False),
        ('class="sidebar-toggle"', False),
        ('class="content"', False),
    ],
)
def test_a_box_at_the_side_is_known_by_its_name_or_role(side: str, expected: bool) -> None:
    assert boxed(side) is expected


def test_a_box_with_most_of_the_text_or_with_the_heading_is_the_page() -> None:
    assert boxed('class="sidebar"', "x" * 7)
    assert not boxed('class="sidebar"', "x" * 6)
    assert not boxed('class="sidebar"', inner="<h1></h1>")


def test_more_than_half_of_the_records_stand_in_the_box() -> None:
    html = '<aside><p k="a">1</p><p k="b">2</p></aside><p k="c">3</p><p k="d">4</p><p>many other words</p>'
    outline = outline_of(html)
    assert table_of(outline, "a", "b", "c").in_side_box
    assert not table_of(outline, "a", "b", "c", "d").in_side_box


@pytest.mark.parametrize(("records", "shown"), [(8, 4), (3, 3)])
def test_a_short_text_with_other_numbers_in_half_of_the_records_is_repeated(records: int, shown: int) -> None:
    def table(count: int) -> RecordTable:
        posts = "".join(
            f'<div k="r{n}"><p>{f"{n} posts" if n < count else "words"}</p></div>' for n in range(records)
        )
        return table_of(outline_of(posts), *(f"r{n}" for n in range(records)))

    assert table(shown).has_repeated_shape("99 posts")
    assert not table(shown).has_repeated_shape("99 threads")
    assert not table(shown - 1).has_repeated_shape("99 posts")


def test_siblings_lead_records_of_the_usual_container_though_the_first_stands_in_another() -> None:
    row = '<tr><td>{n}</td></tr><tr><td><i k="a{n}">x</i></td></tr>'
    rest = "".join(row.format(n=n) for n in (1, 2, 3))
    outline = outline_of(f"<table>{row.format(n=0)}</table><h2>3 answers</h2><table>{rest}</table>")
    records = split_records(outline, [at(outline, f"a{n}") for n in range(4)])
    assert [outline.text(record.start) for record in records[1:]] == ["1", "2", "3"]
    assert all(len(record.roots) == 2 for record in records[1:])


def test_a_record_made_of_the_usual_siblings_twice_is_two() -> None:
    post = '<div class="post"><b class="name">{name}</b><div class="text">words</div></div>'
    page = "".join(post.format(name=f'<a k="a{n}" href="/u/{n}">u{n}</a>') for n in range(3))
    outline = outline_of(f"{page}{post.format(name='Guest')}{post.format(name='<a k=a3 href=/u/3>u3</a>')}")
    records = split_records(outline, [at(outline, f"a{n}") for n in range(4)])
    assert [outline.text(record.start) for record in records] == [
        "u0 words", "u1 words", "u2 words", "Guest words", "u3 words",
    ]  # fmt: skip


def test_siblings_before_the_first_anchor_that_are_no_record_belong_to_the_one_after_them() -> None:
    outline = outline_of('<div k="one">words</div><div k="two"><p><a k="a">link</a></p></div>')
    record = PageRecord(at(outline, "a"), (at(outline, "one"), at(outline, "two")))
    chunks = [(root,) for root in record.roots]
    assert _part(outline, record, chunks, {"p", "a", "div"}) == [record]


def test_several_roots_of_a_record_keep_their_names_and_the_first_record_may_have_another() -> None:
    page = "".join(
        f'<div k="h{n}" class="{name}"></div><div k="b{n}" class="text"></div>{more}'
        for n, (name, more) in enumerate(
            [("topic", ""), ("reply", '<div k="s1" class="sig"></div>'), *[("reply", "")] * 4]
        )
    )
    outline = outline_of(page)
    records = [f"h{n} b{n}" + (" s1" if n == 1 else "") for n in range(6)]
    names = table_of(outline, *records).root_names
    assert names[at(outline, "h0")] == names[at(outline, "h3")] == "div.reply"
    assert names[at(outline, "b0")] == "div.text"
    assert names[at(outline, "s1")] == "div.sig"


def _striped(classes: str) -> RecordTable:
    rows = "".join(
        f'<div k="r{n}"><table><tr><td class="{name}"><b>a</b></td><td class="{name}"><p>b</p></td></tr></table></div>'
        for n, name in enumerate(classes.split())
    )
    return table_of(outline_of(rows), *(f"r{n}" for n in range(len(classes.split()))))


def test_classes_that_records_have_by_turns_name_one_thing() -> None:
    table = _striped("light dark light dark")
    assert list(table.columns["tr/td.light:1/b", 1]) == [0, 1, 2, 3]
    assert list(table.columns["tr/td.light:2/p", 1]) == [0, 1, 2, 3]
    assert set(table.own_names.values()) == {"td.light:1", "td.light:2", "div"}


@pytest.mark.parametrize("classes", ["light dark light", "light light light dark", "a b c d"])
def test_classes_of_few_records_or_of_one_name_different_things(classes: str) -> None:
    table = _striped(classes)
    assert set(table.own_names.values()) == {"div"}


def test_classes_that_one_record_has_together_name_different_things() -> None:
    rows = "".join(
        f'<div k="r{n}"><p class="{one}">1</p><p class="{other}">2</p></div>'
        for n, (one, other) in enumerate([("a", "b"), ("a", "b"), ("a", "c"), ("b", "c")])
    )
    table = table_of(outline_of(rows), "r0", "r1", "r2", "r3")
    assert list(table.columns["body/div/p.a", 1]) == [0, 1, 2]


def test_a_short_title_with_a_date_behind_it_in_its_title_attribute_is_no_date() -> None:
    rows = "".join(
        f'<li><a href="/t/{n}" title="{words}, since {day}">{words}</a> <a title="{day}">May {n}</a></li>'
        for n, words, day in ((1, "Pumps", "2015-05-01 10:00"), (2, "Valves", "2015-05-02 11:00"))
    )
    outline = outline_of(f"<ul>{rows}</ul>")
    links = [index for index, tag in enumerate(outline.tags) if tag == "a"]
    items = [index for index, tag in enumerate(outline.tags) if tag == "li"]
    table = RecordTable(outline, [PageRecord(i, (i,)) for i in items], find_page_dates(outline))
    assert table.dated.intersection(links) == {links[1], links[3]}


def test_a_box_beside_records_is_left_out_where_nothing_follows_it() -> None:
    def record(key: str) -> str:
        return f"<table k='{key.upper()}'><tr><td><i k='{key}'>1</i></td></tr><tr><td>words</td></tr></table>"

    boxed = f"<table><tr><td></td><td>{record('b')}</td></tr></table>"
    html = f"<div>{record('a')}{boxed}{record('c')}{record('d')}</div>"
    assert split(html, "a", "b", "c", "d") == ["A", "B", "C", "D"]


def test_cells_with_a_class_by_turns_are_one_column_whichever_is_more_frequent() -> None:
    rows = "".join(f"<tr k='r{n}'><td{' class=norm' if n % 2 == 0 else ''}>{n}</td></tr>" for n in range(5))
    table = table_of(outline_of(f"<table>{rows}</table>"), *(f"r{n}" for n in range(5)))
    assert any(len(cells) == 5 for (kind, _), cells in table.columns.items() if kind.endswith("td:1"))
