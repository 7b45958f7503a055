"""Stop words of 107 languages, loaded one language at a time."""

from __future__ import annotations

import zipfile
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from threadmill.errors import UsageError
from threadmill.native.loader import load_extension

_COMPILED = load_extension("word_sets")

# Built by tools/build_stop_words.py from the lists of jusText and stopwords-iso.
_ARCHIVE = files("threadmill.page").joinpath("data/stopwords.zip")


@cache
def languages() -> frozenset[str]:
    """The codes of all languages that have a list."""
    with _ARCHIVE.open("rb") as stream, zipfile.ZipFile(stream) as archive:
        return frozenset(name.removesuffix(".txt") for name in archive.namelist())


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language in lower case."""
    if language not in languages():
        raise UsageError(
            f"there are no stop words for the language {language!r}; "
            f"use one of {', '.join(sorted(languages()))}, or none"
        )
    with _ARCHIVE.open("rb") as stream, zipfile.ZipFile(stream) as archive:
        return frozenset(archive.read(f"{language}.txt").decode().split("\n"))


@lru_cache(maxsize=256)  # more than there are lists; users may bring some of their own
def word_set(words: frozenset[str]) -> Any:
    """The same words as native code looks them up; None where that is not built."""
    return None if _COMPILED is None else _COMPILED.WordSet(words)
