"""Tests of what tells the URLs of boards from those of threads."""

from __future__ import annotations

from threadmill.forum.site_model.url_marks import find_mark, has_mark, split_by_kind, tell_apart
from threadmill.forum.site_model.url_patterns import UrlPattern, matches_any

HOST = "https://f.example/"
BOARDS = [HOST + name for name in ("general-b2-1-1.html", "trip-reports-b6-1-1.html")]
THREADS = [
    HOST + name
    for name in ("trip-to-cork-m25-1-1.html", "sound-of-tr-214-m26-1-1.html", "thanks-m13-1-1.html")
]


def _names(urls: list[str]) -> list[str]:
    return [url.removeprefix(HOST) for url in urls]


def test_the_word_before_the_id_is_the_mark_and_not_a_word_of_a_title() -> None:
    mark = find_mark(_names(THREADS), _names(BOARDS), _names(THREADS))
    assert mark is not None
    assert has_mark(mark, "another-m99-2-1.html")
    assert not has_mark(mark, "another-b99-2-1.html")


def test_words_before_hashes_are_marks() -> None:
    own, others = ["t-fa8cfb8b.htm", "t-45402165.htm"], ["index-2.htm"]
    mark = find_mark(own, others, own)
    assert mark is not None
    assert has_mark(mark, "t-cc623aa1-2.htm")
    assert not has_mark(mark, "user-anna.htm")


def test_single_titles_that_begin_with_different_letters_have_no_mark() -> None:
    assert find_mark(["cooking"], ["travel"]) is None


def test_a_group_of_boards_and_threads_is_split_by_the_mark() -> None:
    kinds = {BOARDS[0]: "index", THREADS[0]: "thread", THREADS[1]: "thread"}
    service = HOST + "login.html"
    parts = split_by_kind([*BOARDS, *THREADS, service], kinds)
    assert sorted(map(sorted, parts)) == sorted([sorted(BOARDS), sorted(THREADS), [service]])


def test_a_group_of_one_kind_is_not_split() -> None:
    assert split_by_kind(THREADS, dict.fromkeys(THREADS, "thread")) == [THREADS]


def test_a_pattern_refuses_urls_of_another_kind_that_no_page_has_proven() -> None:
    wide = UrlPattern((("/1", r"[^/]+\.html"),))
    narrow = tell_apart(wide, THREADS[:2], BOARDS[:1], THREADS)
    assert all(matches_any([narrow], url) for url in THREADS)
    assert not any(matches_any([narrow], url) for url in BOARDS)


def test_a_pattern_that_takes_in_no_stranger_stays() -> None:
    pattern = UrlPattern((("/1", r"[^/]*\-m(\d+)\-1\-1\.html"),))
    assert tell_apart(pattern, THREADS, BOARDS, THREADS) == pattern


def test_a_pattern_refuses_a_word_that_all_urls_of_another_kind_share() -> None:
    wide = UrlPattern((("/1", "[^/]+"), ("/2", "[^/]+")))
    threads = [
        f"https://f.example/{board}/{title}" for board in ("bikes", "cars") for title in ("oil", "chain")
    ]
    messages = [f"https://f.example/msg/{number}" for number in (117, 118)]
    narrow = tell_apart(wide, threads, messages, threads)
    assert matches_any([narrow], "https://f.example/trucks/brakes")
    assert not matches_any([narrow], "https://f.example/msg/119")


def test_words_glued_to_hashes_are_marks() -> None:
    own = ["forge-cat78dde6c9-1-1.html", "foundry-catb54cda2b-1-1.html"]
    others = ["sound-of-tx-209-storye3779b16-1-1.html", "hello-story736ae24f-1-1.html"]
    mark = find_mark(own, others, own)
    assert mark is not None
    assert has_mark(mark, "tools-catf1bbcd8d-2-1.html")
    assert not has_mark(mark, "cat-story8a8042c4-1-1.html")


def test_a_hash_among_hashes_is_no_word_of_another_kind() -> None:
    """A board with two rows and excerpts was taken for a thread. It is a board like the others."""
    wide = UrlPattern((("/1", "boards"), ("/2", "[^/]+")))
    boards = [f"{HOST}boards/{code}" for code in ("3c6ef367", "78dde6c9", "0a51b2f4")]
    assert tell_apart(wide, boards, [f"{HOST}boards/b54cda2b"], boards) == wide
