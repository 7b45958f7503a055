from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.corpus.text.clitics import CliticSplitter, clitic_splitter, possible_clitics
from threadmill.corpus.text.delimited_text import GLUE, to_text
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.types import Token


def splitter_of(language: str) -> CliticSplitter:
    found = clitic_splitter(language)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("ar", "وقال الوزير للطلاب", "و|قال ال|وزير لل|طلاب"),
        ("ar", "سيكتب ولد رسالة بالعربية", "س|يكتب ولد رسالة ب|ال|عربية"),
        ("ar", "الله كتاب بيت كلب فرنسا", "الله كتاب بيت كلب فرنسا"),
        ("he", "לפני שניתנת מנת פלזמה בדם", "לפני ש|ניתנת מנת פלזמה ב|דם"),
        ("he", "והספר בבית כלב ילד", "ו|ה|ספר ב|בית כלב ילד"),
    ],
)
def test_what_is_written_together_is_split(language: str, text: str, expected: str) -> None:
    cut = splitter_of(language).split(SentenceSplitter(language).cut(text))
    assert cut.replace(GLUE, "|") == expected


def test_other_languages_have_no_clitics() -> None:
    assert clitic_splitter("en") is None


def test_vowels_and_stretching_stay_with_their_letters() -> None:
    assert splitter_of("ar").parts("وَالْكِتَـابُ") == ("وَ", "الْ", "كِتَـابُ")


def test_numbers_punctuation_and_other_scripts_stay() -> None:
    cut = SentenceSplitter("he").cut("INR 1.5, (בדם) 2020!")
    assert splitter_of("he").split(cut) == cut.replace("בדם", f"ב{GLUE}דם")


def test_the_rest_has_two_letters_or_more() -> None:
    assert possible_clitics("به", "ar") == [()]
    assert possible_clitics("בבית", "he") == [(), ("ב",)]


@given(st.text("והבלכמשדםיתא ַ", max_size=30))
def test_the_parts_join_to_the_text(text: str) -> None:
    splitter = splitter_of("he")
    cut = SentenceSplitter("he").cut(" ".join(text.split()))
    assert to_text(splitter.split(cut)) == to_text(cut)


def test_words_are_found_again_for_tags_and_lemmas() -> None:
    splitter = splitter_of("he")
    words, spaces, parts = splitter.whole_words(
        ["ב", "דם", ",", "ו", "ה", "ספר"], [False, False, True, False, False, True]
    )
    assert words == ["בדם", ",", "והספר"]
    assert spaces == [False, True, True]
    assert parts == [("ב", "דם"), (",",), ("ו", "ה", "ספר")]


@pytest.mark.parametrize(
    ("lemma", "tag", "expected"),
    [
        ("ב+דם", "ADP+NOUN", [("ב", "ADP"), ("דם", "NOUN")]),
        ("בדם", "NOUN", [("ב", "ADP"), ("דם", "NOUN")]),  # the tagger took the word for a whole
        ("", "", [("", ""), ("", "")]),  # unknown stays unknown
        (None, None, [(None, None), (None, None)]),  # not wanted
    ],
)
def test_each_part_has_its_tag_and_lemma(
    lemma: str | None, tag: str | None, expected: list[tuple[str | None, str | None]]
) -> None:
    found = splitter_of("he").split_tokens([Token("בדם", True, lemma, tag)], [("ב", "דם")])
    assert [token.form for token in found] == ["ב", "דם"]
    assert [token.space_after for token in found] == [False, True]
    assert [(token.lemma, token.tag) for token in found] == expected
