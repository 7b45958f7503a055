from __future__ import annotations

import pytest

from threadmill.corpus.text.boundary_features import Begins, Ending, Ends, Opening
from threadmill.corpus.text.boundary_weights import (
    CERTAIN,
    HOPELESS,
    Scores,
    goes_on,
    of_pair,
    scores_of,
    state_of,
)
from threadmill.corpus.text.languages import language_profile

END = Ending(".", "", "l", False, "5", "e")
BEGIN = Opening("", "U", "a")


def scores(**weights: int) -> Scores:
    return Scores({"bias": -10, **weights}, {}, {})


def test_the_score_of_two_pieces_is_the_sum_of_their_features_and_the_bias() -> None:
    table = Scores({"bias": -10, "a.": 30, "b.|U": 5, "c.|l0|U": 7, "g.": 99}, {}, {})
    assert set(of_pair(END, BEGIN)) >= {"a.", "b.|U", "c.|l0|U"}
    assert table.of_two(END, BEGIN) == 32
    assert table.weight("a.") == 30
    assert table.weight("nothing") == 0


def test_a_single_letter_abbreviation_before_another_ends_nothing() -> None:
    known = Ending(".", "", "l", True, "1", "e")
    assert scores().of_two(known, Opening("", "I", "e")) == 2 * HOPELESS
    assert scores().of_two(known, Opening("", "U", "e")) == -10


@pytest.mark.parametrize(
    ("end", "certain"),
    [
        (Ending("!", "", "o", False, "5", "e"), True),
        (Ending(".", "", "o", False, "5", "e"), True),
        (Ending(".", "", "o", True, "5", "e"), False),
        (Ending(".", "", "o", False, "1", "e"), False),
        (Ending(",", "", "o", False, "5", "e"), False),
    ],
)
def test_before_letters_without_case_the_stop_decides(end: Ending, certain: bool) -> None:
    expected = 2 * CERTAIN if certain else 2 * HOPELESS
    assert scores().of_two(end, Opening("", "o", "e")) == expected


@pytest.mark.parametrize(
    ("stop", "opener", "shape", "expected"),
    [
        ("", "", "l", True),
        (",", "", "l", True),
        (",", "", "0", True),
        ("", "", "0", False),
        (",", "d", "l", False),
        (".", "", "l", False),
        (",", "", "U", False),
    ],
)
def test_sentences_go_on_in_lower_case_after_words_and_commas(
    stop: str, opener: str, shape: str, expected: bool
) -> None:
    assert goes_on(stop, Opening(opener, shape, "e")) == expected


@pytest.mark.parametrize(
    ("state", "number"),
    [((1, 0, 0), 8), ((3, 0, 0), 24), ((8, 1, 0), 36), ((9, 0, 1), 41), ((99, 1, -1), 46)],
)
def test_the_state_of_a_sentence_is_one_number(state: tuple[int, int, int], number: int) -> None:
    assert state_of(*state) == number


def test_a_context_adds_neighbours_and_state_to_the_pair() -> None:
    table = scores_of("en")
    spelling = language_profile("en")
    ends, begins = Ends(spelling, table.last_words), Begins(spelling, table.first_words)
    before, left, right, after = ends["the"], ends["house."], begins["He"], begins["was"]
    pair = table.of_pair(left, right)
    assert table.pairs[left.left << 16 | right.right] == pair
    first = table.of_context(before, left, right, after, 8)
    assert table.of_context(before, left, right, after, 8) == first
    assert pair > 0


def test_languages_without_a_table_share_the_general_one() -> None:
    assert scores_of("xx") is scores_of("")
    assert scores_of("en") is not scores_of("")
    assert scores_of("en") is scores_of("en")
