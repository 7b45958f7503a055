"""Splits off what Arabic and Hebrew write together with the next word: conjunctions, prepositions, articles.

Where several ways to split a word are possible, a trained table chooses. It looks at how frequent the rest
is, and with how many other beginnings the rest occurs in a list of frequent words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import log1p

from threadmill.corpus.text.delimited_text import DELIMITERS, GLUE
from threadmill.corpus.text.unspaced_words import read_table
from threadmill.types import Token

# The letters of a language, for a character class, and marks that may stand after each: vowels, stretching.
_LETTERS = {"ar": "\u0621-\u063a\u0641-\u064a\u0671-\u06d3", "he": "\u05d0-\u05ea"}
_MARKS = {"ar": "\u0640\u064b-\u0652\u0670", "he": "\u0591-\u05c7"}
LANGUAGES = frozenset(_LETTERS)

# The kinds of a clitic. Languages share them, so Arabic, of which there is no free treebank, can use the
# weights that were learnt from Hebrew.
_KINDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("ו", "و", "ف"), ("and",)),
    **dict.fromkeys(("ה", "ال"), ("the",)),
    **dict.fromkeys(("ב", "ל", "ب", "ل"), ("to",)),
    **dict.fromkeys(("כ", "ك"), ("like",)),
    **dict.fromkeys(("ש", "כש", "לכש", "מש"), ("that",)),
    "מ": ("from",),
    "س": ("will",),
    "لل": ("to", "the"),
}
_TAGS = {"and": "CCONJ", "the": "DET", "that": "SCONJ", "will": "AUX"}  # the others are prepositions
_ARTICLES = {"ar": "ال", "he": "ה"}
# What stands before many words. A rest that occurs with several of them is a word of its own.
_FAMILIES = {
    "ar": ("و", "ال", "ب", "ل", "ك", "ف", "وال", "بال"),
    "he": ("ו", "ה", "ב", "ל", "מ", "כ", "ש"),
}
_SHORTEST_REST = 2
_LONGEST_WORD = 25  # letters; longer ones are no words
_MOST_KEPT = 50_000
Clitics = tuple[str, ...]


def possible_clitics(word: str, language: str) -> list[Clitics]:
    """All ways to split a word without marks: the clitics before the rest. None at all comes first."""
    beginnings = _arabic(word) if language == "ar" else _hebrew(word)
    return [(), *(c for c in beginnings if len(word) - len("".join(c)) >= _SHORTEST_REST)]


def _arabic(word: str) -> Iterator[Clitics]:
    for first in _with_optional(word, (), "وف"):
        if first:
            yield first
        at = len(first)
        if re.match("س[يتنأا]", word[at:]):
            yield (*first, "س")
        if word.startswith("لل", at):
            yield (*first, "لل")
        for second in _with_optional(word, first, "بكل"):
            if second != first:
                yield second
            if word.startswith("ال", len("".join(second))):
                yield (*second, "ال")


def _hebrew(word: str) -> Iterator[Clitics]:
    for first in _with_optional(word, (), "ו"):
        for second in (
            first,
            *((*first, c) for c in ("כש", "לכש", "מש", "ש") if word.startswith(c, len(first))),
        ):
            if second:
                yield second
            for third in _with_optional(word, second, "בלכמ"):
                if third != second:
                    yield third
                yield from _with_optional(word, third, "ה")[1:]


def _with_optional(word: str, before: Clitics, letters: str) -> tuple[Clitics, ...]:
    """These clitics, and those with the next letter if it is one of some."""
    letter = word[len("".join(before)) :][:1]
    return (before, (*before, letter)) if letter and letter in letters else (before,)


class CliticSplitter:
    """Splits the words of one language. Keep one, because it remembers words."""

    def __init__(self, language: str, frequencies: Mapping[str, float], weights: Mapping[str, float]) -> None:
        self._language = language
        self._frequencies = frequencies
        self._weights = weights
        letters, marks = _LETTERS[language], _MARKS[language]
        self._marks = re.compile(f"[{marks}]")
        self._letter = re.compile(f"[{letters}][{marks}]*")
        self._word = re.compile(rf"(?<![^{DELIMITERS}])(?:[{letters}][{marks}]*){{3,}}(?![^{DELIMITERS}])")
        self._kept: dict[str, tuple[str, ...]] = {}

    def split(self, cut: str) -> str:
        """The delimited text with the clitics as tokens of their own."""
        return self._word.sub(lambda match: GLUE.join(self.parts(match[0])), cut)

    def parts(self, word: str) -> tuple[str, ...]:
        """The clitics of a word and its rest. They join to it."""
        found = self._kept.get(word)
        if found is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            found = self._kept[word] = self._parts(word)
        return found

    def _parts(self, word: str) -> tuple[str, ...]:
        letters = self._letter.findall(word)
        if "".join(letters) != word or len(letters) > _LONGEST_WORD:
            return (word,)
        parts, at = [], 0
        for clitic in self.best(self._marks.sub("", word)):
            parts.append("".join(letters[at : at + len(clitic)]))
            at += len(clitic)
        return (*parts, "".join(letters[at:]))

    def best(self, word: str) -> Clitics:
        """The clitics of a word without marks."""
        ways = possible_clitics(word, self._language)
        return max(ways, key=lambda clitics: self._score(clitics, word)) if len(ways) > 1 else ()

    def _score(self, clitics: Clitics, word: str) -> float:
        features = self.features(clitics, word[len("".join(clitics)) :])
        return sum([self._weights.get(name, 0.0) * value for name, value in features])

    def features(self, clitics: Clitics, rest: str) -> list[tuple[str, float]]:
        """What speaks for and against a way to split: names of features with their values."""
        frequency = self._frequencies.get(rest)
        family = log1p(sum([before + rest in self._frequencies for before in _FAMILIES[self._language]]))
        article = _ARTICLES[self._language]
        kinds = [kind for clitic in clitics for kind in _KINDS[clitic]]
        last = kinds[-1] if kinds else ""
        found = [(f"length {len(rest)}", 1.0), ("family", family), *((kind, 1.0) for kind in kinds)]
        found += [("several", 1.0)] if len(clitics) > 1 else []
        found += [(f"article {last}", 1.0)] if article + rest in self._frequencies else []
        found += [(f"begins {last}", 1.0)] if rest[0] == article[0] else []
        if frequency is None:
            found += [
                ("new", 1.0),
                ("length of new", len(rest)),
                ("family of new", family),
                (f"new {last}", 1.0),
            ]
        else:
            found.append(("frequency", frequency))
        return [*found, (f"{clitics[-1] if clitics else ''}+{rest}", 1.0)]

    def whole_words(
        self, forms: Sequence[str], spaces: Sequence[bool]
    ) -> tuple[list[str], list[bool], list[tuple[str, ...]]]:
        """The words of a sentence as they were before split(), with their spaces and their parts."""
        words: list[str] = []
        ends: list[bool] = []
        parts: list[tuple[str, ...]] = []
        at = 0
        while at < len(forms):
            end = at + 1
            while end < len(forms) and not spaces[end - 1]:
                end += 1
            own = self._own_parts(forms[at:end])
            at += len(own)
            words.append("".join(own))
            ends.append(spaces[at - 1])
            parts.append(own)
        return words, ends, parts

    def _own_parts(self, forms: Sequence[str]) -> tuple[str, ...]:
        """The first of these forms, which no space parts, that are the parts of one word."""
        for size in range(len(forms), 1, -1):
            if self.parts("".join(forms[:size])) == tuple(forms[:size]):
                return tuple(forms[:size])
        return (forms[0],)

    def split_tokens(self, tokens: Sequence[Token], parts: Iterable[tuple[str, ...]]) -> tuple[Token, ...]:
        """Tokens of whole words, with tags and lemmas, as tokens of their parts."""
        found: list[Token] = []
        for token, own in zip(tokens, parts, strict=True):
            found += [token] if len(own) == 1 else self._token_parts(token, own)
        return tuple(found)

    def _token_parts(self, token: Token, parts: tuple[str, ...]) -> Iterator[Token]:
        """The tag ADP+NOUN of a whole word is one of each part, and so is its lemma."""
        *clitics, rest = parts
        bare = [self._marks.sub("", clitic) for clitic in clitics]
        tags, lemmas = _shared_out(token.tag, bare), _shared_out(token.lemma, bare)
        for clitic, form in zip(bare, clitics, strict=True):
            tag = "+".join(_TAGS.get(kind, "ADP") for kind in _KINDS[clitic])
            yield Token(form, False, clitic if token.lemma else token.lemma, tag if token.tag else token.tag)
        yield replace(token, form=rest, tag=tags, lemma=lemmas)


def _shared_out(value: str | None, clitics: Sequence[str]) -> str | None:
    """What of a tag or lemma belongs to the word after the clitics."""
    if not value:
        return value
    values = value.split("+")
    if len(values) > len(clitics):
        return "+".join(values[len(clitics) :])
    return values[-1].removeprefix("".join(clitics)) or values[-1]


@cache
def clitic_splitter(language: str) -> CliticSplitter | None:
    """The splitter of a language. None if it writes no clitics together with words."""
    if language not in LANGUAGES:
        return None
    table = read_table(language)
    frequencies = {word: frequency for frequency, words in table["words"] for word in words.split(" ")}
    return CliticSplitter(language, frequencies, table["weights"])
