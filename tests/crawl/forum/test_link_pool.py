"""Which of the links that nothing is known about is tried next."""

import pytest

from tests.crawl.forum.test_fallback import ENTRY, pool


@pytest.mark.parametrize(
    "url",
    [
        "/login",
        "/posting.php?mode=reply&t=3",
        "/ask",
        "/search?q=a",
        "/user/7",
        "/a.png",
        "https://other.example/t/1",
    ],
)
def test_pages_for_writing_and_other_sites_are_never_tried(url: str) -> None:
    assert pool(url if url.startswith("http") else f"{ENTRY[:-1]}{url}").choose(8) is None


def test_a_group_of_like_urls_is_left_alone_after_some_misses() -> None:
    links = pool(*(f"{ENTRY}x/{number}" for number in range(1, 30)))
    tried = 0
    while (url := links.choose(8)) is not None:
        links.judge(url, hit=False)
        tried += 1
    assert tried == 8


def test_a_group_with_threads_is_read_to_its_end() -> None:
    links = pool(*(f"{ENTRY}x/{number}" for number in range(1, 30)))
    while (url := links.choose(8)) is not None:
        links.judge(url, hit=True)
    assert links.tried == 29


def test_a_group_is_tried_as_often_when_new_links_come_and_all_are_grouped_anew() -> None:
    links = pool(*(f"{ENTRY}x/{number}" for number in range(1, 30)))
    tried = 0
    while (url := links.choose(8)) is not None and tried < 30:
        links.judge(url, hit=False)
        tried += 1
        links.add({f"{ENTRY}x/{1000 + 10 * tried + number}": 20 for number in range(9)})
    assert 8 <= tried < 12
