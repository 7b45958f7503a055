"""Finds the part of speech (UPOS) of each word of a sentence, by weights that were learnt from treebanks.

A contraction has the tags of its words with a plus between them: "du" is ADP+DET.
`tools/train_tagger.py` makes the tables.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt

from threadmill.corpus.text.tag_features import WordFeatures, pair_rows, word_features
from threadmill.errors import MissingDependencyError
from threadmill.native.loader import load_extension

Weights = npt.NDArray[np.int8]

_FILE = "data/tags.zip"  # a member for each language, packed by itself
_HEADER_SIZE = 4  # bytes that hold the length of the header
_BEGIN_PACKED, _BEGIN = 4096, 64  # bytes that tell whether a table holds lemmas, packed and unpacked
_MOST_WORDS = 40_000  # remembered forms of a language, some 10 MB
_MOST_LANGUAGES = 16
# Of simplemma, some 100 MB each where Python unpacks them. It keeps eight by itself; a list of sites has more
# languages, in any order, and a dictionary takes up to 5 s to load again.
_MOST_DICTIONARIES = 24
FRONT_CODED = b"SMFC1"  # how such a dictionary of simplemma begins
# The code of a language in simplemma, or in our tables, where it differs.
DICTIONARY_NAMES = {"hr": "hbs", "sr": "hbs", "bs": "hbs", "sh": "hbs", "no": "nb"}
_TABLE_NAMES = {"no": "nb", "bs": "hr", "sh": "hr", "hbs": "hr", "cmn": "zh"}

_compiled = load_extension("tagger")


@dataclass(frozen=True, slots=True)
class TagTables:
    """What was learnt of one language: its tags, a row of weights for each feature, and tables for lemmas."""

    tags: tuple[str, ...]
    weights: Weights  # a power of two of rows, a column for each tag
    lemmas: dict[str, Any] = field(default_factory=dict, hash=False, compare=False)

    def to_bytes(self) -> bytes:
        """The tables as their file holds them: a header in JSON, then the weights, column by column."""
        head = {"tags": self.tags, "rows": len(self.weights), "lemmas": self.lemmas}
        octets = json.dumps(head, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
        size = len(octets).to_bytes(_HEADER_SIZE, "little")
        return lzma.compress(size + octets + self.weights.T.tobytes(), preset=6)

    @classmethod
    def from_bytes(cls, packed: bytes) -> TagTables:
        """The inverse of to_bytes."""
        octets = lzma.decompress(packed)
        begin = _HEADER_SIZE + int.from_bytes(octets[:_HEADER_SIZE], "little")
        head = json.loads(octets[_HEADER_SIZE:begin])
        weights = np.frombuffer(octets, np.int8, offset=begin).reshape(len(head["tags"]), head["rows"])
        return cls(tuple(head["tags"]), np.ascontiguousarray(weights.T), head["lemmas"])


def _table_code(language: str) -> str:
    code = language.replace("_", "-").partition("-")[0].lower()
    return _TABLE_NAMES.get(code, code)


@cache
def tag_languages() -> frozenset[str]:
    """Codes of the languages with tags."""
    with files("threadmill.corpus").joinpath(_FILE).open("rb") as octets, ZipFile(octets) as packed:
        own = set(packed.namelist())
    return frozenset(own | {code for code, name in _TABLE_NAMES.items() if name in own})


@cache
def languages_with_learnt_lemmas() -> frozenset[str]:
    """Codes of the languages whose tables hold lemmas. Only the beginning of each table is unpacked."""
    own = set()
    with files("threadmill.corpus").joinpath(_FILE).open("rb") as octets, ZipFile(octets) as packed:
        for code in packed.namelist():
            with packed.open(code) as member:
                begin = lzma.LZMADecompressor().decompress(member.read(_BEGIN_PACKED), max_length=_BEGIN)
            # The keys of the header are sorted, so that the lemmas come first.
            if not begin[_HEADER_SIZE:].startswith(b'{"lemmas":{}'):
                own.add(code)
    return frozenset(own | {code for code, name in _TABLE_NAMES.items() if name in own})


@lru_cache(maxsize=_MOST_LANGUAGES)
def tag_tables(language: str) -> TagTables | None:
    """The tables of a language. None if nothing was learnt of it."""
    code = _table_code(language)
    if code not in tag_languages():
        return None
    with files("threadmill.corpus").joinpath(_FILE).open("rb") as octets, ZipFile(octets) as packed:
        return TagTables.from_bytes(packed.read(code))


class PlainScorer:
    """The Python twin of the compiled scorer: the same integers, in the same order."""

    def __init__(self, weights: Weights, lemma_of: Callable[[str], str]) -> None:
        self._weights = weights
        self._mask = len(weights) - 1
        self._nothing = self.word("", lemma_of)

    def word(self, form: str, lemma_of: Callable[[str], str]) -> WordFeatures:
        """What best_tags takes for a form."""
        return word_features(form, lemma_of, self._mask)

    def best_tags(self, words: Sequence[WordFeatures]) -> list[int]:
        """The number of the best tag of each word of a sentence."""
        previous = earlier = self._weights.shape[1]
        padded = [self._nothing, self._nothing, *words, self._nothing, self._nothing]
        found = []
        for at, word in enumerate(words, 2):
            before, after = padded[at - 1], padded[at + 1]
            rows = [*word.own, *before.before, *after.after]
            rows += [*padded[at - 2].far_before, *padded[at + 2].far_after]
            rows += pair_rows(self._mask, previous, earlier, (before, word, after))
            best = int(self._weights[rows].sum(axis=0, dtype=np.int32).argmax())
            found.append(best)
            previous, earlier = best, previous
        return found


class Tagger:
    """Tags sentences of one language. Keep one, because it remembers the scores of words."""

    def __init__(self, tables: TagTables, lemma_of: Callable[[str], str]) -> None:
        self._tags = tables.tags
        make = _compiled.Scorer if _compiled is not None else PlainScorer
        self._scorer = make(tables.weights, lemma_of)
        self._words = _ScoredWords(self._scorer.word, lemma_of)

    def tags(self, forms: Sequence[str]) -> list[str]:
        """The tag of each form of one sentence."""
        if len(self._words) > _MOST_WORDS:
            self._words.clear()
        scored = list(map(self._words.__getitem__, forms))
        return list(map(self._tags.__getitem__, self._scorer.best_tags(scored)))


class _ScoredWords(dict[str, Any]):
    """What the scorer takes for each form, made when it is first asked for."""

    def __init__(
        self, make: Callable[[str, Callable[[str], str]], Any], lemma_of: Callable[[str], str]
    ) -> None:
        super().__init__()
        self._make = make
        self._lemma_of = lemma_of

    def __missing__(self, form: str) -> Any:
        found = self[form] = self._make(form, self._lemma_of)
        return found


def make_tagger(language: str) -> Tagger | None:
    """The tagger of a language. None if it has no tables."""
    tables = tag_tables(language)
    return Tagger(tables, dictionary_lemmas(language)) if tables is not None else None


def dictionary_lemmas(language: str) -> Callable[[str], str]:
    """A function that looks a form up in simplemma's dictionary. It gives an empty text for unknown forms."""
    code = language.partition("-")[0].lower()
    dictionaries = simplemma_dictionaries()
    try:
        found = dictionaries.get_dictionary(DICTIONARY_NAMES.get(code, code)).get
    except ValueError:
        return lambda _form: ""

    def look_up(form: str) -> str:
        try:
            lemma = found(form)
            if lemma is None and not form.islower():
                lemma = found(form.lower())
        except UnicodeEncodeError:  # half a character, as JSON may hold: simplemma looks up UTF-8
            return ""
        return lemma or ""

    return look_up


@cache
def simplemma_dictionaries() -> Any:
    """The dictionaries of simplemma, which its lemmatiser uses too, so that each is in memory once."""
    try:
        from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory
    except ImportError:
        raise MissingDependencyError("simplemma", "lemma", "lemmas and tags") from None
    plain = DefaultDictionaryFactory(_MOST_DICTIONARIES)
    # An extension that was built before this class is no reason to fail.
    return CompiledDictionaries(plain) if hasattr(_compiled, "LemmaDictionary") else plain


class CompiledDictionaries:
    """simplemma's dictionaries as they are packed. What is packed in another way, simplemma reads itself."""

    def __init__(self, plain: Any) -> None:
        self._plain = plain
        self._found: dict[str, Any] = {}

    def get_dictionary(self, lang: str) -> Any:
        """The dictionary of a language. A language without one is a ValueError, as simplemma wants it."""
        found = self._found.get(lang)
        if found is None:
            file = files("simplemma").joinpath(f"strategies/dictionaries/data/{lang}.plzma")
            if lang.isalpha() and file.is_file():
                octets = lzma.decompress(file.read_bytes())
                if octets.startswith(FRONT_CODED) and _compiled is not None:
                    found = _compiled.LemmaDictionary(octets)
            found = self._found[lang] = found or self._plain.get_dictionary(lang)
        return found
