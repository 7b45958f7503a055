import pytest

pytest.importorskip("simplemma", reason="simplemma is not installed (pip install '.[lemma]')")

from threadmill.corpus.text.contractions import SpanishPronouns, contractions_of
from threadmill.corpus.text.lemmas import Lemmatiser
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.corpus.text.tags import dictionary_lemmas


def found(language: str, form: str, tag: str) -> tuple[str, str]:
    contractions = contractions_of(language, dictionary_lemmas(language))
    assert contractions is not None
    return contractions.find(form, tag)


@pytest.mark.parametrize(
    ("form", "lemma", "tag"),
    [
        ("Vámonos", "ir+yo", "VERB+PRON"),
        ("dárselo", "dar+él+él", "VERB+PRON+PRON"),
        ("irnos", "ir+yo", "VERB+PRON"),
        ("Cómprame", "comprar+yo", "VERB+PRON"),
        ("diciéndole", "decir+él", "VERB+PRON"),
        ("dime", "decir+yo", "VERB+PRON"),
    ],
)
def test_pronouns_at_the_end_of_a_spanish_verb_are_told(form: str, lemma: str, tag: str) -> None:
    spanish = Lemmatiser("es")
    [token] = spanish.annotate([form], [True])
    if form != "dime":  # alone, the tagger takes it for another word
        assert (token.lemma, token.tag) == (lemma, tag)
    assert SpanishPronouns(dictionary_lemmas("es")).find(form, "VERB") == (tag, lemma)


@pytest.mark.parametrize(
    "form", ["pétalos", "Marte", "parte", "artículos", "rápidamente", "vela", "océanos", "Carlos"]
)
def test_other_spanish_words_that_end_like_pronouns_stay(form: str) -> None:
    assert SpanishPronouns(dictionary_lemmas("es")).find(form, "PROPN") == ("", "")


@pytest.mark.parametrize(
    ("form", "lemma", "tag"),
    [
        ("Dammelo", "dare+me+lo", "VERB+PRON+PRON"),
        ("Dimmi", "dire+mi", "VERB+PRON"),
        ("Parlandone", "parlare+ne", "VERB+PRON"),
        ("vederlo", "vedere+lo", "VERB+PRON"),
        ("dirglielo", "dire+gli+lo", "VERB+PRON+PRON"),
        ("opporsi", "opporre+si", "VERB+PRON"),
        ("Andiamocene", "andare+ce+ne", "VERB+PRON+PRON"),
        ("Guardalo", "guardare+lo", "VERB+PRON"),
        ("Eccolo", "ecco+lo", "ADV+PRON"),
        ("sullo", "su+il", "ADP+DET"),
    ],
)
def test_pronouns_at_the_end_of_an_italian_verb_are_told(form: str, lemma: str, tag: str) -> None:
    assert found("it", form, "PROPN" if form[0].isupper() else "VERB") == (tag, lemma)


@pytest.mark.parametrize(
    "form",
    ["Carlo", "Angelo", "Milano", "Vendola", "Buffalo", "Carmelo", "Danilo", "popolo", "Merli", "Fermi"],
)
def test_italian_names_and_nouns_that_end_like_pronouns_stay(form: str) -> None:
    assert found("it", form, "PROPN") == ("", "")


@pytest.mark.parametrize("form", ["trasporti", "parlavi", "salvati", "dalle"])
def test_other_forms_of_italian_verbs_stay(form: str) -> None:
    assert found("it", form, "VERB") == ("", "")


@pytest.mark.parametrize(
    ("form", "lemma", "tag"),
    [
        ("hab's", "haben+es", "AUX+PRON"),
        ("Geht's", "gehen+es", "VERB+PRON"),
        ("gibt’s", "geben+es", "VERB+PRON"),
        ("war's", "sein+es", "AUX+PRON"),
        ("Hast's", "haben+es", "AUX+PRON"),
        ("würd's", "werden+es", "AUX+PRON"),
        ("mir's", "ich+es", "PRON+PRON"),
        ("wenn's", "wenn+es", "SCONJ+PRON"),
        ("Auf's", "auf+der", "ADP+DET"),
        ("fürs", "für+der", "ADP+DET"),
    ],
)
def test_german_contractions_are_told(form: str, lemma: str, tag: str) -> None:
    assert found("de", form, "PROPN") == (tag, lemma)


@pytest.mark.parametrize("form", ["Koch's", "Peter's", "Wolf's", "Andrea's", "McDonald's", "TV's", "heute's"])
def test_german_genitives_are_no_contractions(form: str) -> None:
    assert found("de", form, "PROPN") == ("", "")


def test_contractions_that_the_tagger_takes_for_names_have_their_words() -> None:
    assert found("en", "Gonna", "PROPN") == ("VERB+PART", "go+to")
    assert found("en", "dunno", "AUX") == ("AUX+PART+VERB", "do+not+know")
    assert found("fr", "desquels", "ADV") == ("ADP+PRON", "de+lequel")
    assert found("pt", "daquilo", "NOUN") == ("ADP+PRON", "de+aquilo")
    assert found("pt", "desse", "VERB") == ("", "")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ich hab's gewusst. Wie geht's dir? Das war's."),
        ("it", "Dammelo subito! Parlandone con lui, dirglielo era difficile."),
        ("en", "Gonna be fine. I wanna see, dunno."),
    ],
)
def test_tags_and_lemmas_of_a_contraction_have_as_many_parts(language: str, text: str) -> None:
    forms = [form for forms in SentenceSplitter(language).forms(text) for form in forms]
    tokens = Lemmatiser(language).annotate([form.strip() for form in forms], [True] * len(forms))
    counts = [((token.tag or "").count("+"), (token.lemma or "").count("+")) for token in tokens]
    assert all(tags == lemmas for tags, lemmas in counts)
    assert any(tags for tags, _ in counts)
