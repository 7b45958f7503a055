import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.corpus.build.documents import to_tokens
from threadmill.corpus.text.boundary_features import Begins
from threadmill.corpus.text.delimited_text import PASSAGE
from threadmill.corpus.text.languages import language_profile
from threadmill.corpus.text.sentences import BoundaryCandidates, SentenceSplitter

PIECES = st.sampled_from(
    ["the", "The", "word,", "Word,", ",", "NATO", "I", "3", "3rd", "2009.", "e.g.", "end.", "x:", "(a",
     "b)", '"Q', 'q"', "–", "...", "Dr.", "он", "Он", "سلام", "中文", "iPhone", "$5", "A.", "XIV", "Foo.bar",
     "Straße", "übrigens", "Und", "In", "He", "ǅ", "n°", "!"]
)  # fmt: skip
LANGUAGES = ["en", "de", "sk", "tr", "ru", "fr", "cs", "hr", "sr", "es", "fi", "ar", ""]
CANDIDATE_SPLITTERS = {language: SentenceSplitter(language) for language in LANGUAGES}


EVERY_PLACE = re.compile(rf" (?<!{PASSAGE} )(?!{PASSAGE})").split


class _EveryPlace(BoundaryCandidates):
    split = EVERY_PLACE


class _Unhurried(SentenceSplitter):
    """Looks at every space: no place and no name is hopeless beforehand."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self._candidates = _EveryPlace(False, False, False, lambda *_: False)
        self._compiled_cut = lambda *_: None
        self._begins_by_piece = Begins(language_profile(language), self._scores.first_words)


UNHURRIED = {language: _Unhurried(language) for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
@settings(deadline=None, max_examples=150)
@given(passages=st.lists(st.lists(PIECES, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=3))
def test_the_ends_are_those_of_looking_at_every_space(language: str, passages: list[str]) -> None:
    assert CANDIDATE_SPLITTERS[language].cut_all(passages) == UNHURRIED[language].cut_all(passages)


@pytest.mark.parametrize("language", ["en", "zh", "de"])
@settings(deadline=None, max_examples=60)
@given(passages=st.lists(st.text(max_size=40).map(lambda text: " ".join(text.split())), max_size=4))
def test_paragraphs_are_cut_together_as_they_are_alone(language: str, passages: list[str]) -> None:
    splitter = CANDIDATE_SPLITTERS.get(language) or SentenceSplitter(language)
    assert splitter.cut_all(passages) == [splitter.cut(passage) for passage in passages]


def texts(language: str, paragraph: str) -> list[str]:
    return [sentence.strip() for sentence in SentenceSplitter(language).sentences(paragraph)]


@pytest.mark.parametrize(
    ("language", "paragraph", "sentences"),
    [
        ("en", "Dr. Smith came home. He was tired.", 2),
        ("en", "He lives in the U.S. and works for Foo Inc. in Boston.", 1),
        ("en", "Is it true? Yes! It is.", 3),
        ("de", "Am 3. Mai kam er z. B. nach Berlin. Dort blieb er.", 2),
        ("cs", "Přišel např. v pondělí. Odešel v úterý.", 2),
        ("hr", "Rođen je 16. siječnja 2007. u Zagrebu. Živi u Splitu.", 2),
        ("fr", "M. Dupont est arrivé. Il est reparti.", 2),
        ("ru", "Он родился в 1905 г. в Москве. Потом он уехал.", 2),
        ("zh", "今天天气很好。我们去公园吧！你来吗？", 3),
        ("ja", "「行こう。」と彼は言った。雨が降る。", 3),
        ("hi", "यह एक वाक्य है। यह दूसरा है।", 2),
        ("ka", "მიზნებით გამოყენების სფერო. საინჟინრო საქმის საფუძველია.", 2),
        ("xx", "Unknown language here. Still two sentences.", 2),
    ],
)
def test_sentences_end_where_a_reader_ends_them(language: str, paragraph: str, sentences: int) -> None:
    assert len(texts(language, paragraph)) == sentences


def test_a_heading_without_a_stop_is_parted_from_a_sentence_that_opens_with_a_common_word() -> None:
    assert len(texts("sk", "Smrť po amputácii Lekár vykonal operáciu. V nemocnici zostal týždeň.")) >= 2


@pytest.mark.parametrize("ending", ["", ".", ",", " and so on.", ", x. Then."])
def test_a_word_without_end_is_cut(ending: str) -> None:
    text = "Well, " + "a" * 100_000 + ending
    forms = [form for sentence in SentenceSplitter("en").forms(text) for form in sentence]
    assert "".join(forms) == text
    assert max(map(len, forms)) <= 2000


def test_no_text_has_no_sentence() -> None:
    assert SentenceSplitter("en").tokens("  \n ") == []


SCRAPS = st.sampled_from(
    ["a", "Dr.", "3.", "http://x.cz/a,b", "e@f.org", "#tag", "@me", ":-)", "1,000.5", "don't", "l'eau", "…", "...",  # noqa: E501
     "中文。", "日本語です", "ไทย", "हिन्दी", "I.", "(x)", '"', "“Q”", "&amp;", "<p>", "|", "🙂", "👩‍👩‍👧", "z.B.", "\u0301", "-", "x\u00ady", "٣"]  # noqa: E501
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.one_of(SCRAPS, st.just(" ")), max_size=30).map("".join))


@pytest.mark.parametrize("language", ["en", "de", "fr", "cs", "hr", "hu", "zh", "th", ""])
@settings(deadline=None, max_examples=60)
@given(text=TEXTS)
def test_tokens_rebuild_the_text_but_for_runs_of_white_space(language: str, text: str) -> None:
    tokens = [token for sentence in SPLITTERS[language].tokens(text) for token in sentence]
    rebuilt = "".join(token.form + " " * token.space_after for token in tokens)
    assert rebuilt.strip() == " ".join(text.split())
    assert not any(re.search(r"\s", token.form) for token in tokens)


SPLITTERS = {name: SentenceSplitter(name) for name in ["en", "de", "fr", "cs", "hr", "hu", "zh", "th", ""]}


def test_a_form_with_a_space_before_it_is_parted_from_the_one_before() -> None:
    tokens = to_tokens(["Hello", ",", " world", "!"])
    assert [(t.form, t.space_after) for t in tokens] == [
        ("Hello", False), (",", True), ("world", False), ("!", True),
    ]  # fmt: skip
