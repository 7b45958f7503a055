# ruff: noqa: E501 -- markup reads better unbroken
import math

import pytest

from tests.forum import sites
from tests.forum.outlines import at, keys, outline_of, table_of
from threadmill.forum.posts import post_records
from threadmill.forum.posts.post_records import (
    BEST_RATING,
    FoundPosts,
    PageSplit,
    choose_posts,
    find_page_splits,
    find_posts,
    rate_posts,
    support_of,
)
from threadmill.forum.records.date_columns import find_page_dates
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

NAMES = ("anna", "bert", "carl", "dora", "emil", "fred")
WORDS = "these are words that somebody wrote in a post about the old pump"


def splits_of(html: str) -> list[list[str]]:
    """The keys of the records of each split, best split first."""
    outline = outline_of(html)
    return [
        [" ".join(keys(outline, record.roots)) for record in split.records]
        for split in find_page_splits(outline, find_page_dates(outline))
    ]


@pytest.mark.parametrize(
    "one",
    [
        pytest.param("<p k='r{n}'><u>{n} May 2020</u> words</p>", id="dates"),
        pytest.param("<p k='r{n}'><a href='/{n}'>x</a> words</p>", id="links"),
        pytest.param("<p k='r{n}'><b id='x{n}'></b> words</p>", id="ids"),
        pytest.param("<p k='r{n}'><b class='text'>words that are long enough</b> words</p>", id="classes"),
    ],
)
def test_what_repeats_splits_a_page_into_records(one: str) -> None:
    html = "".join(one.format(n=n) for n in range(1, 4))
    assert splits_of(f"<div>{html}</div>")[0] == ["r1", "r2", "r3"]


@pytest.mark.parametrize(
    "one",
    [
        "<p k='r{n}'><b class='text'>twenty characters: x</b></p>",
        "<p k='r{n}'>words</p>",
        "<p k='r{n}'><a>x</a></p>",
    ],
)
def test_other_things_do_not_split_a_page(one: str) -> None:
    assert splits_of(f"<div>{''.join(one.format(n=n) for n in range(1, 4))}</div>") == []


def test_one_thing_does_not_split_a_page() -> None:
    assert splits_of("<div><p><u>1 May 2020</u> words</p></div>") == []


def test_each_split_comes_once() -> None:
    html = "".join(f"<p k='r{n}'><a href='/{n}'>{n} May 2020</a> words</p>" for n in range(1, 4))
    assert splits_of(f"<div>{html}</div>") == [["r1", "r2", "r3"]]


def test_links_without_classes_are_also_split_by_their_path() -> None:
    menu = "".join(f"<li k='m{n}'><a href='/m{n}'>x</a></li>" for n in range(3))
    rows = "".join(f"<li k='r{n}'><a href='/r{n}'>y</a> words</li>" for n in range(3))
    assert ["r0", "r1", "r2"] in splits_of(
        f"<div><div><ul>{menu}</ul></div></div><section><ul>{rows}</ul></section>"
    )


def scores_of(html: str) -> dict[str, float]:
    outline = outline_of(html)
    return {
        " ".join(keys(outline, [record.start for record in split.records])): split.score
        for split in find_page_splits(outline, find_page_dates(outline))
    }


def test_the_rough_score_is_the_share_of_words_with_dates_and_number_of_records() -> None:
    dated = "".join(f"<p k='r{n}'><u>{n} May 2020</u> words</p>" for n in (1, 2))
    assert scores_of(f"<div>{dated}</div>") == {"r1 r2": pytest.approx(1.0 * 1.2 * math.log(3) * 1.0)}
    other = scores_of(f"<div>{dated}</div><div>others</div>")
    assert other == {"r1 r2": pytest.approx(10 / 16 * 1.2 * math.log(3))}
    undated = "<p k='r1'><b id='x1'></b> words</p><p k='r2'><b id='x2'></b> <a>words</a></p>"
    assert scores_of(f"<div>{undated}</div>") == {"r1 r2": pytest.approx(1.0 * 0.2 * math.log(3) * 0.5)}
    empty = "<p k='r1'><b id='x1'></b></p><p k='r2'><b id='x2'></b></p>"
    assert scores_of(f"<div>{empty}</div>") == {"r1 r2": 0.0}


def test_words_of_nested_records_count_once() -> None:
    html = "<div><div k='r1'><u>1 May 2020</u> one<div k='r2'><u>2 May 2020</u> two</div></div><div k='r3'><u>3 May 2020</u> three</div></div>"
    outline = outline_of(html)
    roots = [at(outline, f"r{n}") for n in (1, 2, 3)]
    split = PageSplit(tuple(PageRecord(root, (root,)) for root in roots), 1.0)
    found = find_posts(outline, find_page_dates(outline), [split])
    assert found is not None
    assert len(found.table.records) == 3


def post(number: int, words: str = WORDS, tag: str = "div", cls: str = "post") -> str:
    name = NAMES[number]
    return (
        f'<{tag} class="{cls}" k="r{number}"><h4><a class="name" href="/user/{name}">{name}</a></h4><i>{number + 1} May 2020 10:15</i>'
        f'<div class="text"><p>{words} {name}</p></div><ul><li>x</li></ul></{tag}>'
    )


def found_in(html: str) -> tuple[PageOutline, FoundPosts]:
    outline = outline_of(html)
    dates = find_page_dates(outline)
    found = find_posts(outline, dates, find_page_splits(outline, dates))
    assert found is not None
    return outline, found


def starts(html: str) -> list[str]:
    outline, found = found_in(html)
    return [" ".join(keys(outline, record.roots)) for record in found.table.records]


def test_posts_are_the_records_with_authors_and_dates() -> None:
    menu = "".join(f'<li><a href="/{n}">menu item number {n}</a></li>' for n in range(9))
    html = f"<ul>{menu}</ul><div>{''.join(post(n) for n in range(4))}</div>"
    assert starts(html) == ["r0", "r1", "r2", "r3"]
    _, found = found_in(html)
    assert found.support > 0.9


def test_a_page_without_splits_has_no_posts() -> None:
    outline = outline_of("<p>x</p>")
    assert find_posts(outline, [], []) is None


def records_after(html: str, *roots: str) -> list[str]:
    """The records of a split with these roots, after what find_posts does to them."""
    outline = outline_of(html)
    found_roots = [tuple(at(outline, key) for key in root.split()) for root in roots]
    anchors = [
        next((i for i in range(r[0], outline.end[r[0]]) if outline.tags[i] == "i"), r[0]) for r in found_roots
    ]
    split = PageSplit(tuple(PageRecord(a, r) for a, r in zip(anchors, found_roots, strict=True)), 1.0)
    found = find_posts(outline, find_page_dates(outline), [split])
    assert found is not None
    return [" ".join(keys(outline, record.roots)) for record in found.table.records]


def test_records_at_the_ends_that_are_only_links_are_dropped() -> None:
    def menu(key: str) -> str:
        return f'<div class="post" k="{key}"><h4><a class="name" href="/user/{key}">{key}</a></h4></div>'

    html = f"<div>{menu('x')}{post(0)}{menu('y')}{post(1)}{menu('z')}</div>"
    assert records_after(html, "x", "r0", "y", "r1", "z") == ["r0", "y", "r1"]
    assert records_after(f"<div>{menu('x')}{post(0)}</div>", "x", "r0") == ["x", "r0"]


def test_a_record_that_grew_into_its_box_begins_where_the_others_do() -> None:
    def html(more: str) -> str:
        return f'<div>{post(0)}{post(1)}<section k="box"><b k="in">{more}</b>{post(2)}</section></div>'

    assert records_after(html(""), "r0", "r1", "box") == ["r0", "r1", "r2"]
    assert records_after(html("a title"), "r0", "r1", "box") == ["r0", "r1", "r2"]
    assert records_after(html("more words than a post has. " * 20), "r0", "r1", "box") == ["r0", "r1", "box"]
    assert records_after(html(""), "r0", "box") == ["r0", "r2"]
    rows = f'<div>{post(0)}{post(1)}<section k="box">{post(2)}</section><hr k="hr"></div>'
    assert records_after(rows, "r0", "r1", "box hr") == ["r0", "r1", "box hr"]


def test_strangers_are_dropped_only_when_they_are_few() -> None:
    def stranger(n: int) -> str:
        return f'<div class="post" k="s{n}"><em>{n} May 2020</em> Buy pumps today.</div>'

    three = f"<div>{post(0)}{post(1)}{post(2)}{stranger(1)}</div>"
    assert records_after(three, "r0", "r1", "r2", "s1") == ["r0", "r1", "r2"]
    small = f"<div>{post(0)}{post(1)}{stranger(1)}</div>"
    assert records_after(small, "r0", "r1", "s1") == ["r0", "r1", "s1"]


def rating(*inner: str) -> float:
    html = "".join(f'<div k="r{n}">{text}</div>' for n, text in enumerate(inner))
    outline = outline_of(f"<main>{html}</main>")
    roots = [at(outline, f"r{n}") for n in range(len(inner))]
    return rate_posts(RecordTable(outline, [PageRecord(r, (r,)) for r in roots], find_page_dates(outline)))


def line(n: int, more: str = "") -> str:
    return f'<a href="/user/{NAMES[n]}"><img></a><a href="/user/{NAMES[n]}">{NAMES[n]}</a><i>{n + 1} May 2020</i>{more}<p>{WORDS}.</p>'


def test_records_with_authors_and_dates_have_the_best_rating() -> None:
    assert rating(*(line(n) for n in range(4))) == pytest.approx(BEST_RATING)


def test_the_rating_falls_with_the_share_of_records_without_a_date() -> None:
    parts = [line(n) for n in range(4)]
    parts[3] = parts[3].replace("4 May 2020", "x")
    assert rating(*parts) == pytest.approx((0.15 + 0.75) * 1.15)
    assert rating("<p>It rains.</p>", "<p>It snows.</p>") == pytest.approx(0.15 * 0.15)


def test_records_with_two_authors_or_dates_are_merged_posts() -> None:
    second = '<a href="/user/zoe">zoe</a>'
    parts = [line(n) for n in range(4)]
    # Every record links its author twice, so a second author is the third link.
    single = [
        part.replace("<img></a>", "</a>", 1).replace(f'<a href="/user/{NAMES[n]}"></a>', "", 1)
        for n, part in enumerate(parts)
    ]
    before = rating(*single)
    single[3] += second
    assert rating(*single) == pytest.approx(before * (1 - 1.4 * 0.25))
    parts[3] += "<i>9 May 2020</i>"
    assert rating(*parts) == pytest.approx(BEST_RATING * (1 - 1.4 * 0.25))


def test_a_second_date_in_nearly_all_records_is_usual() -> None:
    parts = [line(n) + f"<i>{n + 9} May 2020</i>" for n in range(5)]
    assert rating(*parts) == pytest.approx(BEST_RATING)
    parts[0] = line(0)
    assert rating(*parts) == pytest.approx(BEST_RATING)
    parts[1] = line(1)
    assert rating(*parts) == pytest.approx(BEST_RATING * 0.2)


def test_posts_without_boxes_begin_at_their_anchor_and_end_at_a_rule() -> None:
    html = "".join(
        f'<a name="p{n}7"></a><i>Re: pump</i> <a href="/t/1#p{n}7">#{n + 1}</a><div class="words"><p>{WORDS} {n}.</p></div>'
        f'<div class="by"><a href="/user/{NAMES[n]}">{NAMES[n]}</a> {n + 1} May 2020</div><hr>'
        for n in range(6)
    )
    outline = outline_of(
        f'<main><div class="by"><a href="/">Home</a></div><div class="words">Pumps</div>{html}</main>'
    )
    dates = find_page_dates(outline)
    found = find_posts(outline, dates, find_page_splits(outline, dates))
    assert found
    assert len(found.table.records) == 6
    assert [outline.tags[record.roots[0]] for record in found.table.records] == ["a"] * 6
    assert [outline.tags[record.roots[-1]] for record in found.table.records] == ["hr"] * 6


def test_records_of_two_equal_halves_are_merged_posts() -> None:
    def double(doubled: int) -> float:
        rows = "".join(
            f"<dt k='t{n}'><b>{n + 1} May 2020</b></dt><dd k='d{n}'>{WORDS}</dd>" for n in range(4 + doubled)
        )
        outline = outline_of(f"<dl>{rows}</dl>")
        roots, n = [], 0
        for record in range(4):
            count = 2 if record < doubled else 1
            roots.append(" ".join(f"t{m} d{m}" for m in range(n, n + count)))
            n += count
        dates = find_page_dates(outline)
        return rate_posts(RecordTable(outline, table_of(outline, *roots).records, dates))

    single = double(0)
    assert double(1) == pytest.approx(single * (1 - 1.4 * 0.25))
    assert double(4) == pytest.approx(single * 0.2)


def choose(
    html: str, score: float = 1.0, single: str = "", short: str = ""
) -> tuple[list[str], float] | None:
    outline = outline_of(html)
    roots = [k for i in range(len(outline)) if (k := outline.attribute(i, "k") or "").startswith("r")]
    dates = find_page_dates(outline)
    table = RecordTable(outline, table_of(outline, *roots).records, dates)
    lone = RecordTable(outline, table_of(outline, single).records, dates) if single else None
    chosen = choose_posts(
        FoundPosts(table, score), lambda: lone, lambda: table_of(outline, short) if short else None
    )
    if chosen is None:
        return None
    return [" ".join(keys(outline, record.roots)) for record in chosen[0].records], chosen[1]


FOUR = f"<div k='all'>{''.join(post(n) for n in range(4))}</div>"
ROWS = "".join(f'<p k="r{n}">{WORDS[:20]}{n}</p>' for n in range(4))  # nobody wrote them, and never


def test_posts_are_chosen_with_half_their_score_as_confidence_but_as_sure_as_their_columns() -> None:
    records = ["r0", "r1", "r2", "r3"]
    unsure = choose(FOUR, score=0.1)
    assert unsure is not None
    assert unsure[1] == pytest.approx(0.5 * (1 - 0.2 * 0.2))
    assert choose(FOUR, score=1.4) == (records, 0.7)
    assert choose(FOUR, score=5.0) == (records, 1.0)


def test_support_grows_with_dates_authors_and_ids_and_none_of_them_is_needed() -> None:
    def support(html: str) -> float:
        outline = outline_of(f"<div>{html}</div>")
        roots = [k for i in range(len(outline)) if (k := outline.attribute(i, "k") or "").startswith("r")]
        dates = find_page_dates(outline)
        return support_of(RecordTable(outline, table_of(outline, *roots).records, dates))

    named = "".join(f'<div k="r{n}"><b class="user">{name}</b><p>x</p></div>' for n, name in enumerate(NAMES))
    dated = "".join(f'<div k="r{n}"><i>{n + 1} May 2020</i><p>x</p></div>' for n in range(4))
    assert support(dated) == pytest.approx(0.8)
    assert 0.4 < support(named) < 0.8 < support(FOUR)
    assert support(dated.replace("<p>", '<p id="p17">')) == pytest.approx(1 - 0.2 * 0.7)


def test_a_single_post_is_chosen_where_nothing_tells_that_several_are_posts() -> None:
    page = f"<div k='all'>{ROWS}</div>"
    assert choose(page, single="all") == (["all"], 0.3)
    assert choose(page, short="r2") == (["r2"], 0.3)
    assert choose(page, score=1.0) == (["r0", "r1", "r2", "r3"], 0.5)
    assert choose(page, score=4.0) == (["r0", "r1", "r2", "r3"], 1.0)


def test_a_single_post_outweighs_others_with_less_than_an_eighth_of_its_words() -> None:
    def beside(words: int) -> list[str]:
        chosen = choose(f"{FOUR}<div k='single'><p>{WORDS * words}</p></div>", single="single")
        return chosen[0] if chosen else []

    assert beside(10) == ["r0", "r1", "r2", "r3"]
    assert beside(100) == ["single"]


def test_records_in_a_box_at_the_side_are_no_posts_unless_they_have_most_words() -> None:
    page = f"<aside>{FOUR}</aside><p>{WORDS * 40}</p>"
    assert choose(page) is None
    assert choose(page, single="all") == (["all"], 0.3)
    widget = f"<div class='forum-widget'>{FOUR}</div><p>{WORDS}</p>"
    assert choose(widget, single="all", score=1.4) == (["r0", "r1", "r2", "r3"], 0.7)


@pytest.mark.parametrize(("words", "expected"), [("x" * 14, False), ("x" * 15, True)])
def test_records_without_dates_need_words(words: str, expected: bool) -> None:
    html = "".join(f'<p k="r{n}">{words[:-1]}{n}</p>' for n in range(4))
    assert (choose(html) is not None) is expected
    dated = "".join(f'<p k="r{n}">{n + 1} May 2020</p>' for n in range(4))
    assert choose(dated) is not None


def test_two_records_that_differ_are_no_posts() -> None:
    html = f"<section k='r0'><h2>{WORDS}</h2><b>x</b></section><p k='r1'><i>{WORDS} too</i><u>x</u></p>"
    assert choose(html) is None


def test_posts_are_found_in_every_layout() -> None:
    for page in (sites.flat_thread(), sites.table_thread(), sites.nested_thread(), sites.odd_first_thread()):
        outline = PageOutline(sites.tree(page))
        dates = find_page_dates(outline)
        found = find_posts(outline, dates, find_page_splits(outline, dates))
        assert found is not None
        assert len(found.table.records) == 4


def test_posts_inside_the_first_row_of_a_list_are_the_posts() -> None:
    rows = "".join(f"<div k='x{n}'>{line(n).replace(WORDS, 'Pump')}</div>" for n in range(4))
    outline = outline_of(f"<main k='content'>{FOUR}</main><aside>{rows}</aside>")
    dates = find_page_dates(outline)
    threads = table_of(outline, "content", "x0", "x1", "x2", "x3").records
    posts = table_of(outline, "r0", "r1", "r2", "r3").records
    found = find_posts(outline, dates, [PageSplit(tuple(threads), 2.0), PageSplit(tuple(posts), 0.5)])
    assert found is not None
    assert [record.start for record in found.table.records] == [record.start for record in posts]


def test_a_single_post_is_not_looked_for_where_the_records_have_all_words() -> None:
    outline = outline_of(FOUR)
    table = RecordTable(outline, table_of(outline, "r0", "r1", "r2", "r3").records, find_page_dates(outline))

    def find() -> RecordTable:
        raise AssertionError("the search for a single post takes time")

    chosen = choose_posts(FoundPosts(table, 1.0), find, find)
    assert chosen is not None
    assert len(chosen[0].records) == 4


def test_authors_are_looked_for_only_in_splits_that_may_be_the_best() -> None:
    outline = outline_of(FOUR)
    dates = find_page_dates(outline)
    good = table_of(outline, "r0", "r1", "r2", "r3").records
    splits = [PageSplit(tuple(good), 1.0), PageSplit(tuple(good[1:]), 0.01)]
    read: list[int] = []

    def rate(table: RecordTable) -> float:
        read.append(len(table.records))
        return 1.0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(post_records, "rate_posts", rate)
        found = find_posts(outline, dates, splits)
    assert found is not None
    assert read == [4]


def test_a_history_of_the_thread_is_no_list_of_posts() -> None:
    notes = "".join(
        f'<tr id="c{n}"><td><a href="/u/{name}">{name}</a> {n + 1} May 2020 10:00</td><td>{WORDS[: 24 + 3 * n]}.</td></tr>'
        for n, name in enumerate(NAMES[:4])
    )
    history = "".join(
        f'<tr><td>{n + 1} May 2020 10:00</td><td><a href="/u/{name}">{name}</a></td><td>A note was added to this report: 000{n}</td></tr>'
        for n, name in enumerate(("zoe", *NAMES[:4]))
    )
    outline = outline_of(f"<table>{notes}</table><table>{history}</table>")
    dates = find_page_dates(outline)
    found = find_posts(outline, dates, find_page_splits(outline, dates))
    assert found is not None
    assert [outline.attribute(record.start, "id") for record in found.table.records] == [
        "c0",
        "c1",
        "c2",
        "c3",
    ]
