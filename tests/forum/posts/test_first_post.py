# ruff: noqa: E501 -- markup reads better unbroken
import pytest

from tests.forum.outlines import keys, outline_of
from threadmill.forum.posts.first_post import add_first_post
from threadmill.forum.records.date_columns import find_page_dates
from threadmill.forum.records.record_table import PageRecord, RecordTable

WORDS = "The pump ran dry last night and the garage is full of water now"
NAMES = ("bert", "carl", "dora")


def reply(number: int) -> str:
    name = NAMES[number]
    return (
        f'<div class="reply" k="r{number}"><a class="name" href="/user/{name}">{name}</a> <i>{number + 2} June 2020</i>'
        f'<div class="text"><p>{WORDS}, said {name}.</p></div></div>'
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
            f'<section k="x"><a href="/user/anna">anna</a> <b>1 June 2020</b><p>{WORDS}.</p></section>',
            id="a link to a profile",
        ),
        pytest.param(
            f'<section k="x"><a class="name" href="/x">anna</a> <b>1 June 2020</b><p>{WORDS}.</p></section>',
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
            f'<nav>x</nav><article k="x"><header><a href="/user/anna">anna</a> <b>1 June 2020</b></header><p>{WORDS}.</p></article>',
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
        pytest.param(f"<section><b>1 June 2020</b><p>{WORDS}.</p></section>", id="no name"),
        pytest.param(f'<section><a href="/user/anna">anna</a><p>{WORDS}.</p></section>', id="no date"),
        pytest.param(
            '<section><a href="/user/anna">anna</a> <b>1 June 2020</b><p>Hm.</p></section>', id="no words"
        ),
        pytest.param(
            f'<nav><a href="/user/anna">anna</a> <b>1 June 2020</b><p>{WORDS}.</p></nav>', id="a menu"
        ),
        pytest.param(
            f'<header><a href="/user/anna">anna</a> <b>1 June 2020</b><p>{WORDS}.</p></header>',
            id="the header of the page",
        ),
        pytest.param(
            '<section><a href="/user/anna">anna</a> <p>This thread was last updated on the first of June, <b>1 June 2020</b></p></section>'.replace(
                "<b>", ""
            ).replace("</b>", ""),
            id="a sentence about the thread",
        ),
        pytest.param(
            f'<section><a href="/user/bert">bert</a> <b>2 June 2020</b><p>{WORDS}.</p></section>',
            id="it repeats the first",
        ),
        pytest.param(
            f'<section><a href="/user/anna">anna</a> <b>1 June 2020</b><a href="/t/1">{WORDS} {WORDS}</a><p>{WORDS}.</p></section>',
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
    before = f'<h1>Pump</h1><p k="x"><a href="/user/anna">anna</a> <b>1 June 2020</b></p><p k="y">{WORDS}.</p><hr k="z">'
    assert roots(before) == ["x y z", *KNOWN]
    assert roots(before.replace(f"{WORDS}.", f"{WORDS} (of 5 in all")) == KNOWN
    assert roots(before.replace("anna", "").replace("/user/", "/")) == KNOWN


def test_a_name_may_stand_in_its_link_here_and_in_an_element_inside_it_there() -> None:
    def replies(cls: str) -> str:
        return "".join(
            f'<div class="reply" k="r{n}"><a {cls} href="/{name[0]}/{name}"><b>{name}</b></a> <i>{n + 2} June 2020</i>'
            f"<p>{WORDS}, said {name}.</p></div>"
            for n, name in enumerate(NAMES)
        )

    before = f'<section k="x"><a class="name" href="/x">anna</a> <u>1 June 2020</u><p>{WORDS}.</p></section>'
    assert roots(before, replies('class="name"')) == ["x", *KNOWN]
    assert roots(before, replies("")) == KNOWN


def test_replies_without_authors_get_no_first_post() -> None:
    plain = "".join(f'<div k="r{n}"><p>{WORDS} {n}00.</p></div>' for n in range(3))
    before = f'<section k="x"><a href="/user/anna">anna</a> <b>1 June 2020</b><p>{WORDS}.</p></section>'
    assert roots(before, plain) == KNOWN


def test_the_last_twenty_dates_before_the_replies_are_tried() -> None:
    before = f'<section k="x"><a href="/user/anna">anna</a> <b>1 June 2020</b><p>{WORDS}.</p></section>'
    dates = "".join(f"<p><u>{n} May 2020</u></p>" for n in range(1, 20))
    assert roots(before + dates) == ["x", *KNOWN]
    assert roots(before + dates + "<p><u>20 May 2020</u></p>") == KNOWN
