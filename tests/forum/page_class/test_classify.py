"""The class of a page, with its reason or detail."""

from datetime import UTC, datetime

import pytest

from tests.forum import known_values, sites
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.classify import PageClass, classify_page, predict_kinds
from threadmill.forum.page_class.features import page_features
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _classify(body: str) -> PageClass:
    return classify_page(
        PageAnalysis(parse(f"<html><body>{body}</body></html>".encode(), "http://a.test/x"), NOW)
    )


def test_every_page_has_its_known_class() -> None:
    assert known_values.differences("class") == []


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('<form>Name <input> Password <input type="password"> and much more to read here</form>', "login"),
        ("<div id='app'></div>", "empty shell"),
        ("<noscript>You need to enable scripts to run this application</noscript>", "empty shell"),
        ("<p>The requested topic does not exist.</p>", "message"),
        (f"<p>{'Nothing of this is a post of a forum. ' * 60}</p>", "no rows and no posts"),
    ],
)
def test_a_page_without_rows_and_posts_is_other_for_a_reason(body: str, reason: str) -> None:
    found = _classify(body)
    assert (found.kind, found.reason) == ("other", reason)


def test_a_long_page_with_a_password_is_no_login_page() -> None:
    body = f'<input type="password"><p>{"Nothing of this is a post of a forum. " * 60}</p>'
    assert _classify(body).reason == "no rows and no posts"


def test_an_index_says_whether_it_shows_threads() -> None:
    analysis = PageAnalysis(sites.tree(sites.index_page(), "https://forum.example.org/b/5"), sites.NOW)
    found = classify_page(analysis)
    assert (found.kind, found.detail, found.reason) == ("index", "threads", "")


def test_probabilities_sum_up_to_one() -> None:
    analysis = PageAnalysis(sites.tree(sites.flat_thread()), sites.NOW)
    found = predict_kinds(page_features(analysis))
    assert set(found) == {"index", "other", "thread"}
    assert sum(found.values()) == pytest.approx(1.0)
    assert found["thread"] > 0.5
    assert classify_page(analysis).confidence == found["thread"]
