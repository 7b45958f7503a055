"""What speaks for rows and what for posts."""

from datetime import UTC, datetime

import pytest

from tests.forum import known_values, sites
from threadmill.forum.page_class.index_or_thread import (
    find_main_list,
    index_or_thread_features,
    share_of_people,
)
from threadmill.forum.read_page import PageAnalysis
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _features(body: str) -> dict[str, float]:
    page = f"<html><head><title>Pump</title></head><body>{body}</body></html>"
    return index_or_thread_features(PageAnalysis(parse(page.encode(), "http://a.test/x"), NOW))


def _row(number: int) -> str:
    return (
        f'<tr><td><a href="/t/{number}">A question about pump number {number}</a></td><td>{number}</td>'
        f"<td>{number * 31}</td><td>{number} June 2020, 10:1{number}</td></tr>"
    )


def _post(number: int) -> str:
    return (
        f'<div class="post"><a class="user" href="/u/n{number}">n{number}</a> '
        f"<i>{number} June 2020, 10:15</i> #{number}"
        f'<p>{sites.WORDS[number % 4]}</p><a href="/reply/{number}">Reply</a></div>'
    )


def test_rows_have_titles_and_counters_and_posts_have_words() -> None:
    heads = "<tr><th>Topic</th><th>Replies</th><th>Views</th><th>Last post</th></tr>"
    rows = _features(f"<table>{heads}{''.join(map(_row, range(1, 8)))}</table>")
    posts = _features("".join(map(_post, range(1, 8))))

    assert rows["b_lean"] < 0 < posts["b_lean"]
    assert (rows["b_counters"], rows["b_heads"]) == (1.0, 1.0)
    assert posts["b_buttons"] > 0 == rows["b_buttons"]
    assert posts["b_timed"] == 1.0


def test_a_single_row_is_seen_without_others_to_compare() -> None:
    assert _features(f"<table>{_row(3)}</table>")["b_row"] == 1.0
    assert _features(_post(3))["b_row"] == 0.0


def test_posts_against_rows_have_the_values_that_the_weights_were_trained_for() -> None:
    for name, analysis in known_values.pages():
        known = known_values.known()[name]["features"]
        expected = {key: value for key, value in known.items() if key.startswith("b_")}
        found = {key: round(value, 4) for key, value in index_or_thread_features(analysis).items() if value}
        assert found == expected, name


def test_a_list_of_members_is_not_the_main_list() -> None:
    members = "".join(
        f'<tr><td><a href="/profile/{n}">Some member number {n}</a></td><td>{n * 7}</td>'
        f"<td>{n} June 2020, 10:1{n}</td></tr>"
        for n in range(1, 8)
    )
    analysis = PageAnalysis(
        parse(f"<html><body><table>{members}</table></body></html>".encode(), "http://a.test/x"), NOW
    )
    assert analysis.row_lists
    assert share_of_people(analysis, 0) == 1.0
    assert find_main_list(analysis) is None


def test_headers_without_rows_are_an_empty_board() -> None:
    heads = "<tr><th>Topic</th><th>Replies</th><th>Views</th><th>Last post</th></tr>"
    empty = _features(f"<table>{heads}</table>")
    assert (empty["b_heads"], empty["b_empty"]) == (1.0, 1.0)
    full = _features(f"<table>{heads}{''.join(map(_row, range(1, 8)))}</table>")
    assert full["b_empty"] == 0.0
    digits = "<tr><th>2019</th><th>2020</th><th>2021</th><th>2022</th></tr>"
    assert _features(f"<table>{digits}</table>")["b_heads"] == 0.0
    two = "<tr><th>Topic</th><th>Replies</th></tr>"
    assert _features(f"<table>{two}</table>")["b_heads"] == 0.0


def test_posts_show_their_numbers_and_buttons() -> None:
    found = _features("".join(map(_post, range(1, 6))))
    assert found["b_places"] == 1.0
    assert found["b_buttons"] == pytest.approx(1 / 3)
    assert found["b_numbered"] == 0.0


def test_links_that_repeat_the_id_of_their_post_are_seen() -> None:
    posts = "".join(
        f'<div class="post" id="p{400 + n}"><a class="user" href="/u/n{n}">n{n}</a> '
        f"<i>{n} June 2020, 10:15</i>"
        f'<p>{sites.WORDS[n % 4]}</p><a href="/quote?p={400 + n}">Quote</a></div>'
        for n in range(1, 6)
    )
    assert _features(posts)["b_numbered"] == 1.0


def test_a_list_below_the_posts_is_measured_from_the_first_post() -> None:
    posts = "".join(map(_post, range(1, 6)))
    table = f"<table>{''.join(map(_row, range(1, 8)))}</table>"
    below, above = _features(posts + table), _features(table + posts)
    assert below["b_after"] > 0.4
    assert above["b_after"] == 0.0
