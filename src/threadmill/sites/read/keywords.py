"""Counts the keywords of a site's visible text: words of its main language, without stop words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from threadmill.corpus.text.lemmas import Lemmatiser, lemma_languages
from threadmill.errors import MissingDependencyError
from threadmill.page.judge.stop_words import languages as stop_word_languages
from threadmill.page.judge.stop_words import stop_words
from threadmill.page.language import detect_language

_WORD = re.compile(r"[^\W\d_]{2,40}")
_UNSPACED_LETTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_UNSPACED_LANGUAGES = {"zh", "ja", "th"}
_SHORT_LINE = 60  # characters: the language of a shorter line cannot be detected
# A text counts as written without spaces if its first characters have more than so many such letters.
_WINDOW = 2000
_MANY_UNSPACED = 400


def main_language(texts: Sequence[str]) -> str:
    """The language of most of a site's text, empty if unknown."""
    shares: Counter[str] = Counter()
    for text in texts:
        language, confidence = detect_language(text)
        if language:
            shares[language] += int(len(text) * confidence)
    return shares.most_common(1)[0][0] if shares else ""


def in_language(texts: Sequence[str], language: str) -> list[str]:
    """The texts without lines in other languages. Short lines stay, because their language is unknown."""
    kept = []
    for text in texts:
        if detect_language(text)[0] == language:
            kept.append(text)
            continue
        lines = text.split("\n")
        kept.append(
            "\n".join(
                line for line in lines if len(line) < _SHORT_LINE or detect_language(line)[0] == language
            )
        )
    return kept


def count_keywords(texts: Sequence[str], language: str, *, lemmas: bool = False) -> dict[str, int]:
    """Words (or lemmas) with their counts, without stop words, numbers and single letters.

    Lemmas are optional, because they cost 2 to 5 seconds and a hundred megabytes for each language of a list.
    """
    ignored = stop_words(language) if language in stop_word_languages() else frozenset()
    lemmatiser = _lemmatiser(language) if lemmas else None
    counted: Counter[str] = Counter()
    for text in texts:
        if language in _UNSPACED_LANGUAGES or len(_UNSPACED_LETTER.findall(text[:_WINDOW])) > _MANY_UNSPACED:
            counted.update(_letter_pairs(text))
        counted.update(word for word in _WORD.findall(text.lower()) if word not in ignored)
    result: Counter[str] = Counter()
    for word, count in counted.items():
        result[lemmatiser.lemma(word).lower() if lemmatiser else word] += count
    return {word: count for word, count in result.items() if word not in ignored}


def _letter_pairs(text: str) -> list[str]:
    """Pairs of neighbouring letters, which stand for words in scripts without spaces."""
    runs = re.findall(f"{_UNSPACED_LETTER.pattern}+", text)
    return [run[i : i + 2] for run in runs for i in range(len(run) - 1)]


@lru_cache(maxsize=24)
def _lemmatiser(language: str) -> Lemmatiser | None:
    try:
        return Lemmatiser(language) if language in lemma_languages() else None
    except MissingDependencyError:  # plain words will do, as other evidence weighs more than words
        return None
