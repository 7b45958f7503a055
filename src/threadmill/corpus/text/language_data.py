"""Reads data of languages: word lists, and JSON with one language a line, so that one can be read alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from zipfile import ZipFile

_WORDS = "data/words.zip"  # a member for each language
_NAME = re.compile(rb'^"([^"]*)": ', re.MULTILINE)


@cache
def languages_in(file: str) -> frozenset[str]:
    """The languages of a table."""
    return frozenset(_places(file))


def read_entry(file: str, language: str) -> dict[str, Any]:
    """The entry of a language. Only its line is read, and only the position of the line is remembered."""
    place = _places(file).get(language)
    if place is None:
        return {}
    with _file(file).open("rb") as octets:
        octets.seek(place)
        found: dict[str, Any] = json.loads(octets.readline().rstrip(b",\n"))
    return found


def read_words(language: str) -> tuple[str, str]:
    """Words that a language writes in lower case, and names: one a line, in lower case.

    Not all languages have such lists. A list stays one text: most callers need no object for each word.
    """
    with files("threadmill.corpus").joinpath(_WORDS).open("rb") as octets, ZipFile(octets) as packed:
        if language not in packed.namelist():
            return "", ""
        words, _, names = packed.read(language).decode().partition("\n\n")
    return words, names


@cache
def _places(file: str) -> dict[str, int]:
    """The position of each language's entry in the file."""
    return {match[1].decode(): match.end() for match in _NAME.finditer(_file(file).read_bytes())}


def _file(file: str) -> Traversable:
    return files("threadmill.corpus").joinpath(f"data/{file}.json")


def format_table(table: Mapping[str, Any]) -> str:
    """The text of a table's file."""
    return "{\n" + ",\n".join(_lines(table.items())) + "\n}\n"


def _lines(items: Iterable[tuple[str, Any]]) -> Iterable[str]:
    for name, value in items:
        yield f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
