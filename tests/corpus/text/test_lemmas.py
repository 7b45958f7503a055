import pytest

from threadmill.types import Token

pytest.importorskip("simplemma", reason="simplemma is not installed (pip install '.[lemma]')")

from threadmill.corpus.text.lemmas import Lemmatiser, lemma_languages
from threadmill.corpus.text.tags import simplemma_dictionaries


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


def test_a_lemma_depends_on_the_tag() -> None:
    english = Lemmatiser("en")
    [noun] = english.sentence([Token("meeting", True, None, "NOUN")])
    [verb] = english.sentence([Token("meeting", True, None, "VERB")])
    assert (noun.lemma, verb.lemma) == ("meeting", "meet")


def test_contractions_have_the_lemmas_and_tags_of_their_words() -> None:
    def both(language: str, text: str, at: int) -> tuple[str | None, str | None]:
        token = Lemmatiser(language).sentence([Token(form) for form in text.split()])[at]
        return token.lemma, token.tag

    assert both("en", "They don't know .", 1) == ("do+not", "AUX+PART")
    assert both("en", "Now it's late .", 1) == ("it+be", "PRON+AUX")
    assert both("en", "I'm here .", 0) == ("I+be", "PRON+AUX")
    assert both("fr", "Le bruit du moulin .", 2) == ("de+le", "ADP+DET")
    assert both("fr", "Il va au moulin .", 2) == ("à+le", "ADP+DET")
    assert both("de", "Er geht zum Haus .", 2) == ("zu+der", "ADP+DET")


def test_languages_without_a_dictionary_have_the_lemmas_of_their_treebank() -> None:
    assert "be" in lemma_languages()
    assert lemmas("be", "У", "горадзе", ".")[2] == "."


def test_tokens_keep_all_else() -> None:
    [token] = Lemmatiser("en").sentence([Token("dogs", False, None, "NOUN")])
    assert token == Token("dogs", False, "dog", "NOUN")


def test_a_language_without_a_dictionary_has_empty_lemmas() -> None:
    lao = Lemmatiser("lo")
    assert lao.lemma("ໂຮງສີ") == ""
    assert lao.lemma("1932") == "1932"


def test_dictionaries_of_many_languages_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from simplemma.strategies.dictionaries import dictionary_factory

    languages = ("bg", "cs", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "nl")
    monkeypatch.setattr(dictionary_factory, "_load_dictionary_from_disk", lambda _language: {})
    simplemma_dictionaries.cache_clear()
    try:
        get = simplemma_dictionaries().get_dictionary
        first = [get(language) for language in languages]
        assert all(get(language) is found for language, found in zip(languages, first, strict=True))
    finally:
        simplemma_dictionaries.cache_clear()
