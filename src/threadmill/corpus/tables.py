"""The data files beside this module: JSON with one language a line, so that a language is read alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

_NAME = re.compile(rb'^"([^"]*)": ', re.MULTILINE)


@cache
def names(file: str) -> frozenset[str]:
    """The languages of a table."""
    return frozenset(name.decode() for name in _NAME.findall(_octets(file)))


def entry(file: str, language: str) -> dict[str, Any]:
    """What a table has for a language; nothing is kept, since reading it again costs little."""
    octets = _octets(file)
    start = octets.find(b'\n"%s": ' % language.encode())
    if start < 0:
        return {}
    start = octets.index(b": ", start) + 2
    found: dict[str, Any] = json.loads(octets[start : octets.index(b"\n", start)].rstrip(b","))
    return found


def written(table: Mapping[str, Any]) -> str:
    """A table as its file holds it."""
    return "{\n" + ",\n".join(_lines(table.items())) + "\n}\n"


def _lines(items: Iterable[tuple[str, Any]]) -> Iterable[str]:
    for name, value in items:
        yield f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"


def _octets(file: str) -> bytes:
    return files("threadmill.corpus").joinpath(f"data/{file}.json").read_bytes()
