"""Text of thread pages that no post has: what differs from thread to thread is an unread post."""

from __future__ import annotations

from tests.forum import sites
from threadmill.crawl.forum.knowledge import UnreadTexts
from threadmill.forum.read_page import read_thread

LEAD = "The pump makes a noise since last winter and nobody at the shop knows why."
ONLINE = "anna, boris, carla, dora, emil, frida, gustav, hanna, ingo, jana and two guests"


def test_sentences_outside_the_posts_of_a_page_are_found() -> None:
    plain = sites.flat_thread()
    assert read_thread(sites.tree(plain), sites.NOW).unread == ()
    page = plain.replace("<body>", f"<body><div>{LEAD}</div><div>{ONLINE}</div>")
    assert read_thread(sites.tree(page), sites.NOW).unread == (LEAD[:40],)


def _record(unread: UnreadTexts, count: int, text: str) -> None:
    for number in range(count):
        unread.record(f"/t/{number}", [text.format(number)], ["Thanks."])


def test_text_of_its_own_in_many_threads_tells_of_unread_posts() -> None:
    unread = UnreadTexts()
    _record(unread, 5, "{} is what this thread is about.")
    assert unread.find_threads() == {f"/t/{number}" for number in range(5)}
    unread.clear()
    assert unread.find_threads() == set()


def test_text_that_other_threads_show_too_is_framing() -> None:
    unread = UnreadTexts()
    _record(unread, 5, "Please read the rules before you write your first post.")
    assert unread.find_threads() == set()


def test_text_that_a_post_of_another_thread_says_is_an_excerpt() -> None:
    unread = UnreadTexts()
    _record(unread, 5, "Excerpt {} of a similar thread, shown below the posts.")
    unread.record(
        "/t/9", [], [f"Excerpt {number} of a similar thread, shown below the posts." for number in range(5)]
    )
    assert unread.find_threads() == set()


def test_few_threads_with_a_poll_tell_nothing() -> None:
    unread = UnreadTexts()
    _record(unread, 2, "{}: Which of these pumps would you buy, if you had to?")
    assert unread.find_threads() == set()
    for number in range(2, 40):
        unread.record(f"/t/{number}", ["Which? {number}"] if number == 2 else [], [])
    assert unread.find_threads() == set()


def test_what_was_found_survives_json_and_stays_small() -> None:
    unread = UnreadTexts()
    _record(unread, 500, "{} is what this thread is about.")
    assert len(unread.threads) == len(unread.texts) == 40
    assert UnreadTexts.from_json(unread.to_json()).find_threads() == unread.find_threads()
