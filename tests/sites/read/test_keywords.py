from __future__ import annotations

import pytest

from threadmill.sites.read.keywords import count_keywords, in_language, main_language

ENGLISH = (
    "The bakers make bread and rolls by hand every morning, and they bring them to your door before noon."
)
GERMAN = "Die Bäcker backen jeden Morgen Brot und Brötchen von Hand und bringen sie vor Mittag an Ihre Tür."


def test_the_main_language_is_that_of_most_text() -> None:
    assert main_language([ENGLISH * 3, GERMAN]) == "en"
    assert main_language([ENGLISH, GERMAN * 3]) == "de"
    assert main_language([GERMAN, ENGLISH, ENGLISH]) == "en"
    assert main_language([]) == ""
    assert main_language([""]) == ""


def test_a_text_in_the_language_stays_whole_with_its_foreign_lines() -> None:
    text = f"{ENGLISH * 4}\n{GERMAN}"
    assert in_language([text], "en") == [text]


def test_of_a_text_in_another_language_only_lines_in_the_language_and_short_lines_stay() -> None:
    short = "Öffnungszeiten: Montag bis Freitag"
    text = f"{GERMAN * 4}\n{ENGLISH}\n{short}"
    assert in_language([text], "en") == [f"{ENGLISH}\n{short}"]


@pytest.mark.parametrize(("length", "stays"), [(59, True), (60, False)])
def test_a_line_is_short_below_sixty_characters(length: int, stays: bool) -> None:
    line = GERMAN[:length]
    assert (line in in_language([f"{GERMAN * 4}\n{line}"], "en")[0]) is stays


def test_words_are_counted_without_stop_words_numbers_and_single_letters() -> None:
    assert count_keywords(["The bread, the BREAD and 12 rolls x", "bread"], "en") == {"bread": 3, "rolls": 1}


def test_without_a_known_language_every_word_counts() -> None:
    assert count_keywords(["the bread"], "") == {"the": 1, "bread": 1}


def test_words_of_more_than_forty_letters_are_cut() -> None:
    assert set(count_keywords(["a" * 45], "")) == {"a" * 40, "a" * 5}


def test_scripts_without_spaces_are_counted_by_pairs_of_letters() -> None:
    counted = count_keywords(["面包店 面包"], "zh")
    assert counted["面包"] == 3  # twice as a pair, once as a word
    assert counted["包店"] == 1
    assert counted["面包店"] == 1


def test_much_text_without_spaces_is_counted_so_in_any_language() -> None:
    assert count_keywords(["面包" * 201], "en")["包面"] == 200
    assert "包面" not in count_keywords(["面包" * 200], "en")
    assert "包面" not in count_keywords(["x " * 1000 + "面包" * 201], "en")


def test_lemmas_are_counted_on_request() -> None:
    pytest.importorskip("simplemma", reason="lemmas need the extra of that name")
    texts = ["Bakers bake breads, the baker bakes bread."]
    assert count_keywords(texts, "en", lemmas=True) == {"baker": 2, "bake": 2, "bread": 2}
    assert count_keywords(["breads bread"], "xx", lemmas=True) == {"breads": 1, "bread": 1}
