"""Passing over hopeless places changes nothing: the ends are those of looking at every space."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.corpus.text.boundary_candidates import BoundaryCandidates
from threadmill.corpus.text.boundary_features import Begins
from threadmill.corpus.text.delimited_text import PASSAGE
from threadmill.corpus.text.languages import language_profile
from threadmill.corpus.text.sentences import SentenceSplitter

PIECES = st.sampled_from(
    ["the", "The", "word,", "Word,", ",", "NATO", "I", "3", "3rd", "2009.", "e.g.", "end.", "x:", "(a",
     "b)", '"Q', 'q"', "–", "...", "Dr.", "он", "Он", "سلام", "中文", "iPhone", "$5", "A.", "XIV", "Foo.bar",
     "Straße", "übrigens", "Und", "In", "He", "ǅ", "n°", "!"]
)  # fmt: skip
LANGUAGES = ["en", "de", "sk", "tr", "ru", "fr", "cs", "hr", "sr", "es", "fi", "ar", ""]
SPLITTERS = {language: SentenceSplitter(language) for language in LANGUAGES}


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
    assert SPLITTERS[language].cut_all(passages) == UNHURRIED[language].cut_all(passages)


@pytest.mark.parametrize("language", ["en", "zh", "de"])
@settings(deadline=None, max_examples=60)
@given(passages=st.lists(st.text(max_size=40).map(lambda text: " ".join(text.split())), max_size=4))
def test_paragraphs_are_cut_together_as_they_are_alone(language: str, passages: list[str]) -> None:
    splitter = SPLITTERS.get(language) or SentenceSplitter(language)
    assert splitter.cut_all(passages) == [splitter.cut(passage) for passage in passages]
