"""Reads data of languages: word lists, and JSON with one language a line, so that one can be read alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import SEEK_CUR
from struct import unpack
from typing import Any
from zipfile import ZipFile, ZipInfo

from isal import isal_zlib

_WORDS = "data/words.zip"  # a member for each language
_RAW = -15  # deflated data without a header
_BEFORE_LENGTHS = 26  # bytes of a member before the lengths of its name and of what is added to it
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
    member = _members().get(language)
    if member is None:
        return "", ""
    with _words_file().open("rb") as octets:  # zipfile's own reading takes three times as long
        octets.seek(member.header_offset + _BEFORE_LENGTHS)
        octets.seek(sum(unpack("<HH", octets.read(4))), SEEK_CUR)
        text = isal_zlib.decompress(octets.read(member.compress_size), _RAW).decode()
    words, _, names = text.partition("\n\n")
    return words, names


@cache
def _members() -> dict[str, ZipInfo]:
    """The members of the word lists by their languages."""
    with _words_file().open("rb") as octets, ZipFile(octets) as packed:
        return {member.filename: member for member in packed.infolist()}


def _words_file() -> Traversable:
    return files("threadmill.corpus").joinpath(_WORDS)


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
