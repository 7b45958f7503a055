"""From a site's visible text to its counted keywords: main language, lemmas, stop words out."""

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
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


def main_language(texts: Sequence[str]) -> str:
    """The language of most of a site's text."""
    shares: Counter[str] = Counter()
    for text in texts:
        language, confidence = detect_language(text)
        if language:
            shares[language] += int(len(text) * confidence)
    return shares.most_common(1)[0][0] if shares else ""


def in_language(texts: Sequence[str], language: str) -> list[str]:
    """Of each text the lines in a site's main language; short lines cannot tell and stay."""
    kept = []
    for text in texts:
        if detect_language(text)[0] == language:
            kept.append(text)
            continue
        lines = text.split("\n")
        kept.append(
            "\n".join(line for line in lines if len(line) < 60 or detect_language(line)[0] == language)
        )
    return kept


def count_keywords(texts: Sequence[str], language: str, *, lemmas: bool = False) -> dict[str, int]:
    """Words (or lemmas) and how often they occur; stop words, numbers and single letters mean nothing.

    Lemmas cost 2 to 5 seconds and a hundred megabytes for each language a list has, so they are asked for.
    """
    ignored = stop_words(language) if language in stop_word_languages() else frozenset()
    lemma = _lemmatiser(language) if lemmas else None
    counted: Counter[str] = Counter()
    for text in texts:
        if language in {"zh", "ja", "th"} or len(_UNSPACED.findall(text[:2000])) > 400:
            counted.update(_pairs(text))
        counted.update(word for word in _WORD.findall(text.lower()) if word not in ignored)
    result: Counter[str] = Counter()
    for word, count in counted.items():
        result[lemma.lemma(word).lower() if lemma else word] += count
    return {word: count for word, count in result.items() if word not in ignored}


def _pairs(text: str) -> list[str]:
    """Scripts without spaces: neighbouring characters are the nearest thing to a word."""
    return [run[i : i + 2] for run in re.findall(f"{_UNSPACED.pattern}+", text) for i in range(len(run) - 1)]


@lru_cache(maxsize=24)
def _lemmatiser(language: str) -> Lemmatiser | None:
    try:
        return Lemmatiser(language) if language in lemma_languages() else None
    except MissingDependencyError:  # words as they stand then: the evidence besides words weighs more anyway
        return None
