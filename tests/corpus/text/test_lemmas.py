import pytest

from threadmill.types import Token

pytest.importorskip("simplemma", reason="simplemma is not installed (pip install '.[lemma]')")

from threadmill.corpus.text.lemmas import Lemmatiser, lemma_languages


def lemmas(language: str, *forms: str) -> list[str | None]:
    return [token.lemma for token in Lemmatiser(language).sentence([Token(form) for form in forms])]


def test_words_have_their_dictionary_form() -> None:
    assert lemmas("en", "The", "children", "were", "walked", ".") == ["the", "child", "be", "walk", "."]
    assert lemmas("de", "Die", "Häuser", "standen", "leer")[1] == "Haus"
    assert lemmas("hr", "u", "gradovima")[1] == "grad"


def test_numbers_and_signs_are_their_own_lemma() -> None:
    assert lemmas("en", "3.14", "%", ":-)") == ["3.14", "%", ":-)"]


def test_forty_languages_have_lemmas() -> None:
    assert len(lemma_languages()) >= 40


def test_tokens_keep_all_else() -> None:
    [token] = Lemmatiser("en").sentence([Token("dogs", False, None, "NOUN")])
    assert token == Token("dogs", False, "dog", "NOUN")


def test_a_language_without_a_dictionary_has_empty_lemmas() -> None:
    thai = Lemmatiser("th")
    assert thai.lemma("โรงสี") == ""
    assert thai.lemma("1932") == "1932"
