"""The class of a page, with its reason or detail, and the features it is told by."""

from datetime import UTC, datetime

import pytest

from tests.forum import known_values, sites
from threadmill.forum.page_class.classify import (
    PageClass,
    class_evidence,
    classify_page,
    hint_features,
    page_features,
    predict_kinds,
)
from threadmill.forum.read_page import PageAnalysis
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


def test_a_notice_with_the_title_of_the_login_link_is_no_list() -> None:
    def page(title: str) -> str:
        rows = "".join(
            f'<li><a href="/t/{n}">Odd sound of the pump {n}</a> hrast, {n} May 2020 10:15, 5 replies</li>'
            for n in range(1, 12)
        )
        menu = '<a href="/index.php?login/">Prijava</a> | <a href="/search">Pretraga</a>'
        return f"{menu}<ul>{rows}</ul><h1>{title}</h1><p>Morate biti prijavljeni.</p>"

    assert _classify(page("Kafana")).kind == "index"
    found = _classify(page("Prijava"))
    assert (found.kind, found.reason) == ("other", "login")


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


def test_json_ld_and_microdata_are_both_heard() -> None:
    linked = '<script type="application/ld+json">{"@type":"DiscussionForumPosting"}</script><p>words</p>'
    marked = '<div itemscope itemtype="https://schema.org/QAPage">words</div>'

    for page in (linked, marked):
        assert hint_features(PageAnalysis(parse(page.encode(), ""), NOW))["s_thread"] == 1.0


def test_news_article_is_no_thread() -> None:
    page = b'<script type="application/ld+json">{"@type":"NewsArticle"}</script><p>words</p>'
    found = hint_features(PageAnalysis(parse(page, ""), NOW))

    assert (found["s_thread"], found["s_other"]) == (0.0, 1.0)


def test_every_feature_has_the_value_that_the_weights_were_trained_for() -> None:
    assert known_values.differences("features") == []


def test_a_page_without_anything_has_no_posts_no_rows_and_no_text() -> None:
    found = page_features(PageAnalysis(parse(b"", "http://a.test/"), NOW))
    assert {name: value for name, value in found.items() if value} == {"elements": found["elements"]}


def test_a_form_with_a_password_is_seen() -> None:
    page = b'<form><input type="Password"></form>'
    assert page_features(PageAnalysis(parse(page, "http://a.test/"), NOW))["password"] == 1.0


def test_a_word_in_the_url_counts_before_the_canonical_url() -> None:
    page = b'<head><link rel="canonical" href="http://a.test/thread/5"></head><p>words</p>'
    saved = hint_features(PageAnalysis(parse(page, ""), NOW))
    fetched = hint_features(PageAnalysis(parse(page, "http://a.test/forum/2"), NOW))
    assert (saved["u_thread"], saved["u_index"]) == (1.0, 0.0)
    assert (fetched["u_thread"], fetched["u_index"]) == (0.0, 1.0)


def test_a_collection_is_an_index() -> None:
    page = b'<script type="application/ld+json">{"@type": "CollectionPage"}</script>'
    found = hint_features(PageAnalysis(parse(page, ""), NOW))
    assert (found["s_index"], found["s_thread"], found["s_other"]) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("row", "kind"), [("", "index"), ("<tr><td>1</td><td>of</td><td>9</td></tr>", "other")]
)
def test_names_of_columns_without_rows_are_a_board_without_threads(row: str, kind: str) -> None:
    head = "<tr><th>Topic</th><td>Author</td><td>Replies</td><td>Last post</td></tr>"
    assert _classify(f"<h1>Market</h1><div><table>{head}{row}</table></div>").kind == kind


def test_a_menu_in_a_table_is_no_board() -> None:
    cells = "".join(f'<td><a href="/{name}">{name}</a></td>' for name in ("home", "help", "rules", "team"))
    notice = "<p>The requested topic does not exist.</p>"
    assert _classify(f"{notice}<div><table><tr>{cells}</tr></table></div>").kind == "other"


def test_stories_in_full_with_titles_and_pages_of_their_own_are_a_list() -> None:
    text = "The pump of this boat ran for many hours before it failed. " * 4

    def page(target: str, title: str) -> str:
        return "".join(
            f'<div class="story"><a class="by" href="/user/u{n}">u{n}</a> <i>{n} May 2020 10:{n + 10}</i>'
            f'<h2><a href="{target.format(n=n)}">{title.format(n=n)}</a></h2>'
            f'<div class="text"><p>{text}{n}</p></div></div>'
            for n in range(1, 9)
        )

    assert _classify(page("/story/of-pump-{n}/", "How to repair pump {n}")).kind == "index"
    assert _classify(page("/x#p{n}", "How to repair pump {n}")).kind == "thread"
    assert _classify(page("/story/of-pump-{n}/", "Re: How to repair it")).kind == "thread"


def test_the_evidence_for_a_class_is_that_of_its_features_strongest_first() -> None:
    page = PageAnalysis(parse(b"<html><body><p>Words.</p></body></html>", "http://a.test/x"), NOW)
    numbers = page_features(page)
    found = {kind: class_evidence(numbers, kind) for kind in ("index", "thread", "other")}
    for evidence in found.values():
        sizes = [abs(value) for value in evidence.values()]
        assert sizes == sorted(sizes, reverse=True)
        assert evidence.keys() <= numbers.keys()
    assert sum(found["other"].values()) > max(sum(found["index"].values()), sum(found["thread"].values()))
    # What speaks for one class speaks against the others by as much.
    for name in found["other"]:
        assert sum(evidence[name] for evidence in found.values()) == pytest.approx(0.0, abs=1e-9)
