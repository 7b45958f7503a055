"""Finds lemmas of tokens: simplemma's dictionaries, with our tables of words and endings that they lack."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from threadmill.errors import MissingDependencyError
from threadmill.types import Token

# simplemma's code of a language where it differs.
_NAMES = {"hr": "hbs", "sr": "hbs", "bs": "hbs", "sh": "hbs", "no": "nb"}
_MOST_KEPT = 100_000
_LONGEST_ENDING = 6
_SHORTEST_ENDING = 3


@cache
def lemma_languages() -> frozenset[str]:
    """Codes of the languages with lemmas."""
    folder = files("simplemma").joinpath("strategies/dictionaries/data") if _simplemma() else None
    own = {entry.name.partition(".")[0] for entry in folder.iterdir()} if folder else set()
    return frozenset(own | {code for code, name in _NAMES.items() if name in own})


class Lemmatiser:
    """Finds the lemmas of one language. Keep one, because it remembers what it has looked up.

    The lemma of a word in a language without a dictionary is empty.
    """

    def __init__(self, language: str) -> None:
        code = language.partition("-")[0].lower()
        self._name = _NAMES.get(code, code)
        tables = _tables().get(code, {})
        self._table = tables.get("words", {})
        self._endings = tables.get("endings", {})
        self._is_supported = code in lemma_languages()
        library = _simplemma()
        self._lemmatize = library.Lemmatizer().lemmatize
        self._is_known = library.is_known
        self._inside: dict[str, str] = {}
        self._first: dict[str, str] = {}

    def sentence(self, tokens: Iterable[Token]) -> tuple[Token, ...]:
        """The tokens with their lemmas. A capital means nothing only in the first word of a sentence."""
        found = []
        first = True
        for token in tokens:
            lemma = self.lemma(token.form, first=first)
            found.append(Token(token.form, token.space_after, lemma, token.tag))
            first = first and not token.form[:1].isalnum()
        return tuple(found)

    def lemma(self, form: str, *, first: bool = False) -> str:
        """The lemma of a form. `first`: it is the first word of its sentence."""
        kept = self._first if first else self._inside
        found = kept.get(form)
        if found is None:
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            found = kept[form] = self._look_up(form, first)
        return found

    def _look_up(self, form: str, first: bool) -> str:
        if not form[:1].isalpha():
            return form
        if form in self._table:
            return self._table[form]
        if first and form[0].isupper() and form.lower() in self._table:
            return self._table[form.lower()]
        if not self._is_supported:
            return ""
        found: str = self._lemmatize(form, self._name)
        if self._endings and found.lower() == form.lower() and not self._is_known(form, self._name):
            found = self._by_ending(form, found)
        return found

    def _by_ending(self, form: str, found: str) -> str:
        """The lemma of a word that the dictionary lacks, by its longest known ending."""
        for length in range(min(_LONGEST_ENDING, len(form) - 2), _SHORTEST_ENDING - 1, -1):
            replacement = self._endings.get(form[-length:])
            if replacement is not None:
                return form[:-length] + replacement
        return found


def _simplemma() -> Any:
    try:
        import simplemma
    except ImportError:
        raise MissingDependencyError("simplemma", "lemma", "the lemma column") from None
    return simplemma


@cache
def _tables() -> dict[str, dict[str, dict[str, str]]]:
    text = files("threadmill.corpus").joinpath("data/lemmas.json").read_text(encoding="utf-8")
    tables: dict[str, dict[str, dict[str, str]]] = json.loads(text)
    return tables
