"""What speaks for rows and what for posts."""

from datetime import UTC, datetime

from tests.forum import sites
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.index_or_thread import index_or_thread_features
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _balance(body: str) -> dict[str, float]:
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
    rows = _balance(f"<table>{heads}{''.join(map(_row, range(1, 8)))}</table>")
    posts = _balance("".join(map(_post, range(1, 8))))

    assert rows["b_lean"] < 0 < posts["b_lean"]
    assert (rows["b_counters"], rows["b_heads"]) == (1.0, 1.0)
    assert posts["b_buttons"] > 0 == rows["b_buttons"]
    assert posts["b_timed"] == 1.0


def test_a_single_row_is_seen_without_others_to_compare() -> None:
    assert _balance(f"<table>{_row(3)}</table>")["b_row"] == 1.0
    assert _balance(_post(3))["b_row"] == 0.0
