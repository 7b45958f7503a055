"""Codes and hashes in URLs are told from words and numbers, URLs of boards from those of threads."""

import pytest

from threadmill.forum.site_model.url_codes import (
    find_codes,
    find_hashes,
    find_mark,
    find_words_before_hashes,
    has_mark,
    is_code,
    split_by_kind,
    stem_of,
    word_before_code,
)

HOST = "https://f.example/"
BOARDS = [HOST + name for name in ("general-b2-1-1.html", "trip-reports-b6-1-1.html")]
THREADS = [
    HOST + name
    for name in ("trip-to-cork-m25-1-1.html", "sound-of-tr-214-m26-1-1.html", "thanks-m13-1-1.html")
]
HASHES = ["be9bca40", "a195a339", "00c1d2e3", "12345678"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [("dGhyZWFkOjIz", True), ("f3c6", True), ("mp3", False), ("viewTopic", False), ("20190512", False)],
)
def test_a_code_changes_between_letters_and_digits_three_times(value: str, expected: bool) -> None:
    assert is_code(value) is expected


def test_a_value_like_a_word_is_a_code_beside_sure_codes_of_its_length() -> None:
    codes = {"dGhyZWFkOjIz", "dGhyZWFkOjIx", "dGhyZWFkOjab"}
    assert find_codes([*codes, "short"]) == codes


def test_without_a_half_of_sure_codes_there_are_none() -> None:
    assert find_codes(["dGhyZWFkOjIz", "sailing", "weather"]) == set()


def test_four_values_of_one_length_are_hashes_if_half_of_them_mix_letters_and_digits() -> None:
    assert find_hashes(HASHES) == set(HASHES)
    assert find_hashes([f"{value}.html" for value in HASHES]) == {f"{value}.html" for value in HASHES}
    assert find_hashes(HASHES[:3]) == set()
    assert find_hashes(["10000001", "10000002", "10000003", "a195a339"]) == set()


def test_hashes_of_other_lengths_or_endings_are_counted_apart() -> None:
    assert find_hashes([*HASHES[:2], *(f"{value}.html" for value in HASHES[2:])]) == set()


def test_the_word_before_a_code_names_the_kind_unless_it_begins_a_title() -> None:
    assert word_before_code("t,dGhyZWFkOjIz") == "t,"
    assert word_before_code("chain-slips.dGhyZWFkOjIz") == ""


def test_a_word_glued_to_hashes_is_found_behind_titles_and_before_page_numbers() -> None:
    glued = [f"late-ferry-topic{value}" for value in ("a195a339", "be9bca40", "00c1d2e3")]
    assert find_words_before_hashes([*glued, "sea-topic1a2b3c4d-2-1"]) == ["topic"] * 4
    assert find_words_before_hashes([*glued, "rules"]) == [""] * 4


def test_the_stem_of_a_value_lacks_its_ending_but_keeps_a_number_behind_a_dot() -> None:
    assert stem_of("be9bca40.html") == "be9bca40"
    assert stem_of("title.20") == "title.20"


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


def test_words_glued_to_hashes_are_marks() -> None:
    own = ["forge-cat78dde6c9-1-1.html", "foundry-catb54cda2b-1-1.html"]
    others = ["sound-of-tx-209-storye3779b16-1-1.html", "hello-story736ae24f-1-1.html"]
    mark = find_mark(own, others, own)
    assert mark is not None
    assert has_mark(mark, "tools-catf1bbcd8d-2-1.html")
    assert not has_mark(mark, "cat-story8a8042c4-1-1.html")
