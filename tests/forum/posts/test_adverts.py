"""What looks like posts: adverts between them, and a list of messages below the only one."""

from datetime import UTC, datetime

import pytest

from tests.forum.outlines import at, outline_of
from threadmill.forum.posts.adverts import find_adverts
from threadmill.forum.posts.post_columns import find_post_columns
from threadmill.forum.read_page import read_thread
from threadmill.forum.records.date_columns import find_page_dates
from threadmill.forum.records.record_table import PageRecord, RecordTable
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)
POST = (
    '<div class="post" k="r{n}"><div class="by"><b>{name}</b> <i>{n} June 2020 10:00</i>{panel}</div>'
    '<div class="text">{words}</div></div>'
)
RANK = "<em>Member</em>"
AWAY = '<p><a href="http://shop.example.org/">Pumps for everybody</a></p>'


def adverts(words: str, *, panel: str = "", others: int = 3) -> set[int]:
    """The adverts among posts, of which the last has these words and this panel."""
    names = ("anna", "bert", "carl")
    posts = [
        POST.format(
            n=n + 1, name=names[n], panel=RANK, words=f"The pump number {n} leaks again, says {names[n]}."
        )
        for n in range(others)
    ]
    last = POST.format(n=others + 1, name="dora", panel=panel, words=words)
    outline = outline_of(f"<main>{''.join(posts)}{last}</main>")
    records = [PageRecord(root, (root,)) for n in range(others + 1) for root in [at(outline, f"r{n + 1}")]]
    table = RecordTable(outline, records, find_page_dates(outline))
    return find_adverts(table, find_post_columns(table, NOW))


def test_an_advert_only_leads_away_and_lacks_what_all_posts_show() -> None:
    assert adverts(AWAY) == {3}


@pytest.mark.parametrize(
    "words",
    [
        '<p><a href="http://shop.example.org/">http://shop.example.org/</a></p>',
        '<p><a href="http://shop.example.org/">shop.example.org</a></p>',
        '<p><a href="/t/8">Pumps for everybody</a></p>',
        f"{AWAY}<p>I bought mine there.</p>",
    ],
)
def test_a_post_may_be_a_link(words: str) -> None:
    assert adverts(words) == set()


def test_a_link_with_the_panel_of_a_person_is_a_post() -> None:
    assert adverts(AWAY, panel=RANK) == set()


def test_one_other_post_does_not_show_what_posts_have() -> None:
    assert adverts(AWAY, others=1) == set()


ENTRY = '<li><a href="/m/{n}">{mark}How to mend the pump</a> <u>{name}</u> <i>{n} June 2020 11:30</i></li>'
HEAD = '<p><a class="u" href="/u/anna">anna</a> <i>1 June 2020 11:30</i></p>'


def message(entries: str) -> str:
    """A page of one message and what stands below it."""
    return (
        "<html><head><title>How to mend the pump - The forum</title></head><body>"
        f"<article>{HEAD}<div><p>The pump leaks again, and the seal is as good as new.</p></div></article>"
        f"<ol>{entries}</ol></body></html>"
    )


def read(page: str) -> list[tuple[str | None, str]]:
    found = read_thread(parse(page.encode(), "http://forum.example.org/m/1"), NOW)
    return [(post.author, post.text) for post in found.posts]


def test_the_list_of_a_thread_below_its_only_message_is_no_post() -> None:
    tree = "".join(
        ENTRY.format(n=n, mark="Re: " if n > 1 else "", name=name)
        for n, name in enumerate(("anna", "bert", "carl", "dora"), 1)
    )
    assert read(message(tree)) == [("anna", "The pump leaks again, and the seal is as good as new.")]


def test_answers_below_a_first_post_are_posts() -> None:
    answers = "".join(
        f"<article>{HEAD.replace('anna', name).replace('1 June', f'{n} June')}<div>"
        f"<p>Turn the seal number {n} around first, and then ask {name} again.</p></div></article>"
        for n, name in enumerate(("bert", "carl", "dora"), 2)
    )
    assert [author for author, _ in read(message(answers))] == ["anna", "bert", "carl", "dora"]
