import numpy as np
import pytest

from threadmill.page.judge.characters import (
    CHARACTERS_KNOWN,
    MARK,
    count_characters,
    read_characters,
    small_letters,
    words_of,
)


def test_words_are_in_lower_case_and_every_text_ends_with_a_mark() -> None:
    raw, ends = read_characters(["The Pier, 9 o'clock", "ÄÖ-Übung", ""])
    assert words_of(raw) == ["the", "pier", "o", "clock", MARK, "äö", "übung", MARK, MARK]
    assert len(ends) == 3


def test_an_emoji_is_in_no_word() -> None:
    raw, _ = read_characters(["a😀b"])
    assert int(raw.max()) == CHARACTERS_KNOWN - 1
    assert words_of(raw) == ["a", "b", MARK]


@pytest.mark.parametrize(
    ("text", "digits", "capitals"),
    [("ab", 0, 0), ("a1", 0.5, 0), ("AB12", 0.5, 0.5), ("é1", 1 / 3, 0), ("字A", 0, 0.25), ("", 0, 0)],
)
def test_shares_are_of_the_bytes_of_each_text(text: str, digits: float, capitals: float) -> None:
    """A text gives the same alone, first and last."""
    for texts, place in (([text], 0), ([text, "X9"], 0), (["X9", text], 1)):
        found = count_characters(*read_characters(texts))
        assert [float(shares[place]) for shares in found] == pytest.approx([digits, capitals])


def test_letters_of_all_scripts_have_a_small_letter_and_signs_none() -> None:
    table = small_letters()
    for capital, small in (("A", "a"), ("Ж", "ж"), ("Σ", "σ"), ("z", "z"), ("字", "字")):
        assert chr(table[ord(capital)]) == small
    assert (table[[ord(sign) for sign in ",-№\u00a0"]] == ord(" ")).all()
    assert np.count_nonzero(table == ord(MARK)) == 1
