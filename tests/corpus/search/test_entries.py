from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.corpus.build.documents import Document, Passage, Section
from threadmill.corpus.search.entries import (
    SearchEntry,
    days,
    entries_of,
    frequent_pairs,
    periods,
    term_spans,
    terms,
    whole_periods,
)
from threadmill.types import Token


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Bread, ROLLS & e-mail_x 12!", ["bread", "rolls", "e", "mail", "x", "12"]),
        ("Größe été", ["größe", "été"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("面包 x", ["面", "包", "x"]),
        ("a" * 100, ["a" * 80]),
    ],
)
def test_terms_are_words_in_lower_case_or_characters(text: str, found: list[str]) -> None:
    assert terms(text) == found


@given(st.text(st.characters(max_codepoint=0x24F, exclude_characters="İ"), max_size=40))
def test_terms_have_their_places_in_the_text(text: str) -> None:
    found = term_spans(text)
    assert [term for _, _, term in found] == terms(text)
    assert all(text[start:end].lower() == term for start, end, term in found)


def test_neighbours_that_are_both_frequent_make_a_term() -> None:
    assert list(frequent_pairs(["of", "the", "mill", "of", "the"], {"of", "the"})) == ["of_the", "of_the"]


@pytest.mark.parametrize(
    ("date", "span", "terms_of_date"),
    [
        ("2024-05-31", (20240531, 20240531), ["2024", "202405"]),
        ("2024-05-31T10:00", (20240531, 20240531), ["2024", "202405"]),
        ("2024-02", (20240201, 20240231), ["2024", "202402"]),
        ("2024", (20240101, 20241231), ["2024", *(f"2024{month:02}" for month in range(1, 13))]),
        ("", None, []),
        ("yesterday", None, []),
    ],
)
def test_a_date_means_a_range_of_days_and_its_periods(
    date: str, span: tuple[int, int] | None, terms_of_date: list[str]
) -> None:
    assert days(date) == span
    assert periods(date) == terms_of_date


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [
        (20240101, 20241231, ["2024"]),
        (20240301, 20240431, ["202403", "202404"]),
        (20231101, 20250231, ["2024", "202311", "202312", "202501", "202502"]),
        (20230101, 20241231, ["2023", "2024"]),
        (20240102, 20241231, []),
        (20240101, 20241230, []),
        (20250101, 20241231, []),
        (0, 0, []),
    ],
)
def test_whole_years_and_months_make_up_a_range(since: int, until: int, found: list[str]) -> None:
    assert whole_periods(since, until) == found


def test_an_open_range_reaches_over_all_years() -> None:
    assert whole_periods(20240101, 0)[0] == "2024"
    assert whole_periods(20240101, 0)[-1] == "2999"
    assert whole_periods(0, 20240131)[-1] == "202401"


def passage(*forms: str) -> Passage:
    return Passage((tuple(map(Token, forms)),))


def test_posts_and_quotes_are_entries_of_their_own_and_paragraphs_stand_alone() -> None:
    quote = Section("quote", (("author", "bert"),), (passage("Why", "?"),))
    post = Section(
        "post",
        (("author", "anna"), ("date", "2024-05-02"), ("url", "u2")),
        (quote, passage("So"), passage("it", "is")),
    )
    document = Document(
        (("url", "u1"), ("title", "T"), ("lang", "en"), ("date", "2020")),
        (passage("Intro"), passage("More"), post),
    )
    assert list(entries_of(document)) == [
        SearchEntry("Intro", "u1", "T", "", "2020", "en", "p"),
        SearchEntry("More", "u1", "T", "", "2020", "en", "p"),
        SearchEntry("Why ?", "u2", "T", "bert", "", "en", "quote"),
        SearchEntry("So\nit is", "u2", "T", "anna", "2024-05-02", "en", "post"),
    ]
