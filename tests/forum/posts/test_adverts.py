"""Adverts between posts."""

from datetime import UTC, datetime

import pytest

from tests.forum.outlines import at, outline_of
from threadmill.forum.posts.adverts import find_adverts
from threadmill.forum.posts.post_columns import find_post_columns
from threadmill.forum.records.date_columns import find_page_dates
from threadmill.forum.records.record_table import PageRecord, RecordTable

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
