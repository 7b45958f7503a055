"""Finds lemmas of tokens by their form and tag: simplemma's dictionaries, and what was learnt from treebanks.

The lemma of a contraction has those of its words with a plus between them: "du" is "de+le".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from threadmill.corpus.text.contractions import contractions_of
from threadmill.corpus.text.tag_features import lemma_change
from threadmill.corpus.text.tags import (
    DICTIONARY_NAMES,
    dictionary_lemmas,
    languages_with_learnt_lemmas,
    make_tagger,
    simplemma_dictionaries,
    tag_tables,
)
from threadmill.errors import MissingDependencyError
from threadmill.types import Token

_MOST_KEPT = 100_000
_MOST_TOKENS = 30_000  # shared objects of a language, some 8 MB
LONGEST_ENDING = 6
Rule = tuple[str, int]  # what replaces an ending, and how often in a hundred that is right


@cache
def lemma_languages() -> frozenset[str]:
    """Codes of the languages with lemmas."""
    folder = files("simplemma").joinpath("strategies/dictionaries/data") if _simplemma() else None
    own = {entry.name.partition(".")[0] for entry in folder.iterdir()} if folder else set()
    learnt = languages_with_learnt_lemmas()
    return frozenset(own | learnt | {code for code, name in DICTIONARY_NAMES.items() if name in own})


class LemmaRules:
    """Chooses the lemma of a form with a tag between the dictionary's and that of its ending."""

    def __init__(
        self, tables: Mapping[str, Any], guess: Callable[[str], str], known: Callable[[str], str]
    ) -> None:
        self._words: Mapping[str, Mapping[str, str]] = tables.get("words", {})
        self._endings: Mapping[str, Mapping[str, Rule]] = tables.get("endings", {})
        self._trust: Mapping[str, int] = tables.get("trust", {})
        self._case: Mapping[str, str] = tables.get("case", {})
        self._guess = guess
        self._known = known

    def lemma(self, form: str, tag: str, *, first: bool) -> str:
        """The lemma. `first`: the form is the first word of its sentence."""
        low = form.lower()
        found = self._words.get(tag, {}).get(low)
        if found is not None:
            return found
        if not form[:1].isalpha() and "+" not in tag:
            return form
        return self.with_case(form, self.choose(form, low, tag), tag, first=first)

    def choose(self, form: str, low: str, tag: str) -> str:
        """The lemma in small letters, by whichever was right more often in the treebank."""
        lemma, trust = self.by_dictionary(form, low, tag)
        other, share = self.by_ending(low, tag)
        return other if share > trust else lemma

    def by_dictionary(self, form: str, low: str, tag: str) -> Rule:
        """The dictionary's lemma, and how often in a hundred such a lemma is right for this tag."""
        lemma = self._guess(form).lower() or low
        kind = dictionary_kind(tag, self._known(form))
        trust = self._trust.get(f"{kind}|{lemma_change(low, lemma)}", self._trust.get(kind, 1))
        return lemma, trust

    def by_ending(self, low: str, tag: str) -> Rule:
        """The lemma by the longest known ending of words with this tag, and how often that is right."""
        endings = self._endings.get(tag)
        if endings:
            for length in range(min(LONGEST_ENDING, len(low) - 1), -1, -1):
                rule = endings.get(low[len(low) - length :])
                if rule is not None:
                    return low[: len(low) - length] + rule[0], rule[1]
        return low, 0

    def with_case(self, form: str, lemma: str, tag: str, *, first: bool) -> str:
        """The lemma with the capitals that words with this tag keep."""
        kept = self._case.get(case_kind(form, tag, first=first), "small")
        if kept == "first":
            return lemma[:1].upper() + lemma[1:]
        return lemma.upper() if kept == "all" else lemma


def dictionary_kind(tag: str, known: str) -> str:
    """The kind of a dictionary's answer: the tag of the form, and whether the dictionary has the form."""
    return f"{tag}|{'known' if known else 'new'}"


def case_kind(form: str, tag: str, *, first: bool) -> str:
    """The kind of a form as to its capitals. All first words count alike, because any word may be first."""
    capitals = "small" if form.islower() else "all" if form.isupper() and len(form) > 1 else "first"
    return f"{tag}|{capitals}|{'first' if first else 'inside'}"


class _SharedTokens(dict[tuple[str, bool, str, bool], Token]):
    """Tokens by form, space, tag and whether the word is the first. Each is made once."""

    def __init__(
        self,
        lemma_of: Callable[[str, str, bool], str] | None,
        tag_of: Callable[[str, str], str],
        *,
        tags: bool,
    ) -> None:
        super().__init__()
        self._lemma_of = lemma_of
        self._tag_of = tag_of
        self._tags = tags

    def __missing__(self, key: tuple[str, bool, str, bool]) -> Token:
        if len(self) >= _MOST_TOKENS:
            self.clear()
        form, space, tag, first = key
        lemma = self._lemma_of(form, tag, first) if self._lemma_of else None
        token = self[key] = Token(form, space, lemma, (self._tag_of(form, tag) if self._tags else "") or None)
        return token


class Lemmatiser:
    """Finds tags and lemmas of one language. Keep one, because it remembers what it has looked up.

    The lemma of a word in a language without a dictionary and without a treebank is empty.
    """

    def __init__(self, language: str) -> None:
        code = language.partition("-")[0].lower()
        self._tagger = make_tagger(code)
        tables = tag_tables(code)
        self._guess = (
            _simplemma_guess(DICTIONARY_NAMES.get(code, code)) if code in lemma_languages() else _empty
        )
        self._contractions = contractions_of(code, dictionary_lemmas(code))
        self._rules: LemmaRules | None = None
        if tables is not None and tables.lemmas:
            self._rules = LemmaRules(tables.lemmas, self._guess, dictionary_lemmas(code))
        self._kept: dict[tuple[str, str, bool], str] = {}
        self._alone: dict[str, str] = {}  # lemmas of forms without a sentence
        self._shared = {
            (lemmas, tags): _SharedTokens(self._lemma if lemmas else None, self._tag, tags=tags)
            for lemmas in (False, True)
            for tags in (False, True)
        }

    def annotate(
        self, forms: Sequence[str], spaces: Sequence[bool], *, lemmas: bool = True, tags: bool = True
    ) -> tuple[Token, ...]:
        """The tokens of a sentence of these forms, with what is wanted. Spaces say what a space follows."""
        found = self._tagger.tags(forms) if self._tagger else [""] * len(forms)
        begun = next((at for at, form in enumerate(forms, 1) if form[:1].isalnum()), len(forms))
        is_first = [True] * begun + [False] * (len(forms) - begun)
        shared = self._shared[lemmas, tags]
        return tuple(map(shared.__getitem__, zip(forms, spaces, found, is_first, strict=True)))

    def sentence(
        self, tokens: Iterable[Token], *, lemmas: bool = True, tags: bool = True
    ) -> tuple[Token, ...]:
        """The tokens of a sentence with what is wanted. A tag that a token has is kept."""
        tokens = tuple(tokens)
        found = self._tagger.tags([token.form for token in tokens]) if self._tagger else [""] * len(tokens)
        annotated = []
        first = True
        for token, tag in zip(tokens, found, strict=True):
            used = token.tag or self._tag(token.form, tag)
            lemma = self._lemma(token.form, used, first) if lemmas else token.lemma
            annotated.append(
                Token(token.form, token.space_after, lemma, (used if tags else token.tag) or None)
            )
            first = first and not token.form[:1].isalnum()
        return tuple(annotated)

    def lemma(self, form: str) -> str:
        """The lemma of a form that stands alone."""
        found = self._alone.get(form)
        if found is None:
            if len(self._alone) >= _MOST_KEPT:
                self._alone.clear()
            tag = self._tagger.tags([form])[0] if self._tagger else ""
            found = self._alone[form] = self._lemma(form, tag, first=False)
        return found

    def _tag(self, form: str, tag: str) -> str:
        """The tag of a form that the tagger took for this."""
        return (self._contractions.find(form, tag)[0] if self._contractions and tag else "") or tag

    def _lemma(self, form: str, tag: str, first: bool) -> str:
        key = (form, tag, first)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = self._look_up(form, tag, first)
        return found

    def _look_up(self, form: str, tag: str, first: bool) -> str:
        if self._contractions is not None and tag:
            lemma = self._contractions.find(form, tag)[1]
            if lemma:
                return lemma
        if self._rules is not None:
            return self._rules.lemma(form, tag, first=first)
        return self._guess(form) if form[:1].isalpha() else form


def _empty(_form: str) -> str:
    return ""


def _simplemma_guess(name: str) -> Callable[[str], str]:
    """simplemma's lemma of a form: by its dictionary, or by its rules for unknown words."""
    library = _simplemma()
    if name not in {entry.name.partition(".")[0] for entry in _dictionary_files()}:
        return _empty
    from simplemma.strategies import DefaultStrategy

    strategy = DefaultStrategy(dictionary_factory=simplemma_dictionaries())
    lemmatize = library.Lemmatizer(cache_max_size=0, lemmatization_strategy=strategy).lemmatize
    return lambda form: lemmatize(form, name) if form[:1].isalpha() else form


def _dictionary_files() -> Iterable[Any]:
    return files("simplemma").joinpath("strategies/dictionaries/data").iterdir()


def _simplemma() -> Any:
    try:
        import simplemma
    except ImportError:
        raise MissingDependencyError("simplemma", "lemma", "the lemma column") from None
    return simplemma
