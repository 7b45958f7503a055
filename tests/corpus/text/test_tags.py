import numpy as np
import pytest

pytest.importorskip("simplemma", reason="simplemma is not installed (pip install '.[lemma]')")

from threadmill.corpus.text.tags import (
    TagTables,
    languages_with_learnt_lemmas,
    make_tagger,
    tag_languages,
    tag_tables,
)

SENTENCES = {
    "en": ("The old mill was never quiet .", "DET ADJ NOUN AUX ADV ADJ PUNCT"),
    "cs": ("Starý mlýn stojí u řeky .", "ADJ NOUN VERB ADP NOUN PUNCT"),
    "de": ("Der alte Müller wohnt zum Glück hier .", "DET ADJ NOUN VERB ADP+DET NOUN ADV PUNCT"),
    "fr": ("Le bruit du vieux moulin .", "DET NOUN ADP+DET ADJ NOUN PUNCT"),
    "ru": ("Старая мельница стоит у реки .", "ADJ NOUN VERB ADP NOUN PUNCT"),
}


def tags(language: str, text: str) -> str:
    tagger = make_tagger(language)
    assert tagger is not None
    return " ".join(tagger.tags(text.split()))


@pytest.mark.parametrize("language", SENTENCES)
def test_words_have_their_part_of_speech(language: str) -> None:
    text, expected = SENTENCES[language]
    assert tags(language, text) == expected


def test_half_a_character_is_a_word_without_a_lemma() -> None:
    assert tags("en", "The \ud800 mill .").split()[::3] == ["DET", "PUNCT"]


def test_a_tag_depends_on_the_words_around() -> None:
    assert tags("en", "They walk home .").split()[1] == "VERB"
    assert tags("en", "A long walk .").split()[2] == "NOUN"


def test_forty_languages_have_tags() -> None:
    assert len(tag_languages()) >= 40


def test_a_language_without_a_treebank_has_no_tagger() -> None:
    assert make_tagger("sw") is None
    assert make_tagger("") is None


def test_an_empty_sentence_has_no_tags() -> None:
    assert tags("en", "") == ""


def test_tables_are_read_back() -> None:
    weights = np.arange(-16, 16, dtype=np.int8).reshape(8, 4)
    tables = TagTables(("ADJ", "ADV", "NOUN", "VERB"), weights, {"case": {"NOUN": "first"}})
    found = TagTables.from_bytes(tables.to_bytes())
    assert found.tags == tables.tags
    assert found.lemmas == tables.lemmas
    assert (found.weights == weights).all()


def test_all_tables_together_are_small() -> None:
    from importlib.resources import files

    assert len(files("threadmill.corpus").joinpath("data/tags.zip").read_bytes()) < 20_000_000


def test_which_tables_hold_lemmas_is_read_from_their_beginning() -> None:
    found = languages_with_learnt_lemmas()
    assert {"cs", "de", "en", "no"} <= found
    for code in ("ca", "fo", "lo", "nb", "te"):
        tables = tag_tables(code)
        assert (code in found) == bool(tables and tables.lemmas)
