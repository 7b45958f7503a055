"""First crawls of forums drawn at random, each with something that crawls once missed."""

import pytest

from threadmill.lab.evaluate.forum_experiment import crawl_dates, judge_run
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum

DATE = "2016-03-01"


@pytest.mark.parametrize(
    ("seed", "what"),
    [
        (1707, "a board for members, whose page shows a box of the latest threads"),
        (1726, "IDs in base64"),
        (1736, "a tree of subjects, and pages of whole threads"),
        (1716, "a list whose only row looks like a link to its next page"),
        (12014, "a next page that only a relation names, beside numbers of posts"),
        (30309, "a board that the learnt patterns leave out, while all counters agree"),
        (1000385, "pages that only relations name, by a letter and a number"),
        (1743, "titles and IDs with the kind of page between them"),
        (1411, "posts of guests without names between those of members"),
        (1001016, "hashes behind a letter, and behind another one the cursor of the page"),
    ],
)
def test_a_first_crawl_keeps_every_post_and_no_account_claims_more(seed: int, what: str) -> None:
    forum = open_random_forum(seed)
    run = crawl_dates(forum, (DATE,), forum.layout.home)
    figures, account = judge_run(forum, run).first, run.reports[DATE].account
    assert (figures.found, figures.true) == (figures.posts, figures.exported), what
    assert figures.pages <= 1.4 * figures.least, what
    assert account is not None
    assert account.verdict != "incomplete", what
