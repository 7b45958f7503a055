"""The table of accounts: a verdict is set against the posts that are truly kept."""

from typing import Any

import pytest

from bench.accounts import figures_of_accounts, kept_shares, print_accounts
from bench.imitations import open_imitation
from threadmill.lab.judge.post_matching import PostMatcher
from threadmill.lab.judge.truth import true_posts

DATE = "2016-03-01"


def test_a_post_whose_body_has_too_much_is_no_lost_post() -> None:
    forum = open_imitation("punbb", 60)
    posts: list[dict[str, Any]] = [
        {"thread_url": f"http://forum.example{one.thread_key}", "author": one.author, "text": one.text}
        for one in true_posts(forum, DATE)
    ]
    quoted = [{**post, "text": f"{'Somebody wrote much more. ' * 40}{post['text']} --"} for post in posts]
    matcher = PostMatcher(forum)
    assert kept_shares(matcher, posts, DATE) == (1.0, 1.0)
    found, kept = kept_shares(matcher, quoted, DATE)
    assert found < 0.1
    assert kept == 1.0
    half = len(posts) // 2
    assert kept_shares(matcher, quoted[:half], DATE)[1] == pytest.approx(half / len(posts))


def test_complete_with_posts_missing_is_counted_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    accounts = [
        {"date": DATE, "verdict": verdict, "found": kept, "kept": kept}
        for verdict, kept in (("complete", 0.97), ("complete", 0.99), ("unknown", 1.0), ("incomplete", 1.0))
    ]
    records = [{"seed": 7, "accounts": accounts}]
    assert [figure.value for figure in figures_of_accounts(records, "one forum")] == [1, 1, 1]
    print_accounts(records)
    shown = capsys.readouterr().out
    assert "7 2016-03-01: complete, 0.970 kept" in shown
    assert "0.990" not in shown
