"""Stop words of 107 languages, loaded one language at a time."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from importlib.resources import files

from threadmill.errors import UsageError


@cache
def _archive() -> zipfile.ZipFile:
    # Built by tools/build_stop_words.py from the lists of jusText and stopwords-iso; small enough, packed,
    # to be held whole, and no file stays open.
    return zipfile.ZipFile(io.BytesIO(files("threadmill.page").joinpath("data/stopwords.zip").read_bytes()))


@cache
def languages() -> frozenset[str]:
    """The codes of all languages that have a list."""
    return frozenset(name.removesuffix(".txt") for name in _archive().namelist())


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language in lower case."""
    if language not in languages():
        raise UsageError(
            f"there are no stop words for the language {language!r}; "
            f"use one of {', '.join(sorted(languages()))}, or none"
        )
    return frozenset(_archive().read(f"{language}.txt").decode().split("\n"))
