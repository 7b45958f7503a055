import pytest

from threadmill.forum.addresses import Slot
from threadmill.forum.page_rule import PageRule, learn_page_rule
from threadmill.forum.paging import Paging

H = "http://f.example"


@pytest.mark.parametrize(
    ("first", "paging", "other", "third"),
    [
        (
            f"{H}/t?id=140",
            Paging(slot=Slot(f"{H}/t?id=140&p=", ""), start=1, step=1),
            f"{H}/t?id=7",
            f"{H}/t?id=7&p=3",
        ),
        (
            f"{H}/i?topic=64.0",
            Paging(slot=Slot(f"{H}/i?topic=64.", ""), start=0, step=15),
            f"{H}/i?topic=9.0",
            f"{H}/i?topic=9.30",
        ),
        (
            f"{H}/thread-147-1-1.html",
            Paging(slot=Slot(f"{H}/thread-147-", "-1.html"), start=1, step=1),
            f"{H}/thread-8-1-1.html",
            f"{H}/thread-8-3-1.html",
        ),
        (
            f"{H}/topic/some-61/",
            Paging(slot=Slot(f"{H}/topic/some-61/?page=", ""), start=1, step=1),
            f"{H}/topic/x-2/",
            f"{H}/topic/x-2/?page=3",
        ),
        (
            f"{H}/threads/abc.12/",
            Paging(slot=Slot(f"{H}/threads/abc.12/page-", ""), start=1, step=1),
            f"{H}/threads/d.1/",
            f"{H}/threads/d.1/page-3",
        ),
        (
            f"{H}/t/758057",
            Paging(slot=Slot(f"{H}/t/758057/", ".html"), start=1, step=1),
            f"{H}/t/9",
            f"{H}/t/9/3.html",
        ),
        (
            f"{H}/t?id=1&x=2",
            Paging(slot=Slot(f"{H}/t?id=1&x=2&start=", ""), start=0, step=20),
            f"{H}/t",
            f"{H}/t?start=40",
        ),
    ],
)
def test_a_rule_of_one_thread_gives_the_pages_of_another(
    first: str, paging: Paging, other: str, third: str
) -> None:
    rule = learn_page_rule(first, paging)
    assert rule is not None
    assert rule.url_of(other, 3) == third
    assert rule.url_of(other, 1) == other
    assert PageRule.from_json(rule.to_json()) == rule


def test_a_rule_that_does_not_fit_says_nothing() -> None:
    rule = learn_page_rule(f"{H}/i?topic=64.0", Paging(slot=Slot(f"{H}/i?topic=64.", ""), start=0, step=15))
    assert rule is not None
    assert rule.url_of(f"{H}/other/", 2) is None


def test_no_rule_comes_from_what_belongs_to_one_thread() -> None:
    assert learn_page_rule(f"{H}/t/5", Paging(slot=Slot(f"{H}/archive/2019/slug-5/p", ""))) is None
