"""The words of dates in every language: what each can mean, and in which languages it does."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

ROLES = [
    "month",
    "weekday",
    "relday",
    "relunit",
    "relweekday",
    "now",
    "unit",
    "agobefore",
    "agoafter",
    "hencebefore",
    "henceafter",
    "half",
    "at",
    "link",
    "tail",
    "number",
    "ordinal",
    "and",
    "zone",
    "monthmark",
    "ymark",
    "mmark",
    "dmark",
    "hmark",
    "imark",
    "smark",
    "era",
    "about",
    "pastunit",
    "weekdaymark",
    "cutword",
    "hourword",
    "dual",
]
# Scripts written without spaces (and Hangul, where particles stick to nouns): words are cut out of the run.
FUSED = (
    "\u0e00-\u0e4f\u0e5a-\u0ecf\u0ede-\u0eff\u1000-\u103f\u104a-\u109f\u1780-\u17df"
    "\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
)
_IS_FUSED = re.compile(f"[{FUSED}]")
_PARTS = re.compile(r"[^ '\-.,]+")
UNKNOWN = "w"
# Word classes are letters of the private use area: one for each combination of roles that occurs.
_FIRST_CLASS = 0xE000


class Sense(NamedTuple):
    """One thing a word can mean, and the languages (a bit each) in which it does."""

    role: str
    value: Any
    languages: int


class Phrase(NamedTuple):
    """A meaning of several words: those after the first, its class and senses."""

    rest: tuple[str, ...]
    letter: str
    senses: tuple[Sense, ...]


class Word(NamedTuple):
    """A word's class letter and its senses."""

    letter: str
    senses: tuple[Sense, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """All words that count for one reader of texts, with the class letters of their roles."""

    words: dict[str, Word]
    phrases: dict[str, tuple[Phrase, ...]]
    letters: dict[str, str]  # role → the letters of all classes that have it
    fused: re.Pattern[str]  # cuts words out of scripts without spaces
    languages: tuple[str, ...]
    bits: dict[str, int]  # of each language
    usual: int  # languages with many forums, and the one that was asked for
    dotted: int  # languages whose dates end in a dot
    dotted_days: int  # languages that put a dot behind the day: «5. listopada»

    def role(self, *names: str) -> str:
        """A character class of the words that can play any of these roles."""
        letters = "".join(sorted({c for name in names for c in self.letters.get(name, "")}))
        return f"[{letters or chr(0)}]"

    def bit(self, language: str) -> int:
        """The bit of a language by its code or by a longer tag; 0 when it is not known."""
        known = self.bits.get(language)
        return self.bits.get(_code(language), 0) if known is None else known


def _code(language: str) -> str:
    """The language of a tag: pt of pt_BR."""
    return language.lower().replace("_", "-").partition("-")[0]


@cache
def _data() -> dict[str, Any]:
    from importlib.resources import files  # a third of the time that importing threadmill.dates takes

    packed = files("threadmill.dates").joinpath("data/words.json.gz").read_bytes()
    data: dict[str, Any] = json.loads(gzip.decompress(packed))
    data["sets"] = [int(mask, 16) for mask in data["sets"]]
    return data


def find_lexicon(language: str | None = None) -> Lexicon:
    """The lexicon for texts of one language, or of any.

    Without a language a word that has a sense in a language with many forums keeps only such senses:
    otherwise the abbreviations of three hundred languages would make a weekday of half the words of English.
    """
    if not language:
        return _build("")
    code = _code(language)
    data = _data()
    if code in data["languages"] and not (1 << data["languages"].index(code)) & data["major"]:
        return _build(code)
    return _build("")


@lru_cache(maxsize=8)
def _build(extra: str) -> Lexicon:
    data = _data()
    kept = data["major"] | (1 << data["languages"].index(extra) if extra else 0)
    letter_of: dict[frozenset[str], str] = {}
    words: dict[str, Word] = {}
    phrases: dict[str, list[Phrase]] = defaultdict(list)
    for text, packed in data["words"].items():
        senses = _choose_senses(packed, data["sets"], kept)
        roles = frozenset(sense.role for sense in senses)
        letter = letter_of.setdefault(roles, chr(_FIRST_CLASS + len(letter_of)))
        parts = _PARTS.findall(text)
        if len(parts) == 1:
            words[parts[0]] = Word(letter, senses)
        elif parts and all(_IS_FUSED.match(part) for part in parts):  # Thai «เม.ย.»
            words[".".join(parts)] = words["".join(parts)] = Word(letter, senses)
        elif parts and not _is_shadowed(senses, parts, data, kept):
            phrases[parts[0]].append(Phrase(tuple(parts[1:]), letter, senses))
    letters: dict[str, str] = defaultdict(str)
    for roles, letter in letter_of.items():
        for role in roles:
            letters[role] += letter
    longest_first = {
        head: tuple(sorted(found, key=lambda phrase: -len(phrase.rest))) for head, found in phrases.items()
    }
    return Lexicon(
        words,
        longest_first,
        dict(letters),
        re.compile(_trie_pattern(word for word in words if _IS_FUSED.match(word))),
        tuple(data["languages"]),
        {code: 1 << place for place, code in enumerate(data["languages"])},
        kept,
        data["dotted"],
        data["dotted_days"],
    )


def _is_shadowed(senses: tuple[Sense, ...], parts: list[str], data: dict[str, Any], kept: int) -> bool:
    """Whether a phrase of a rare language would hide words of a common one."""
    if any(sense.languages & kept for sense in senses):
        return False
    return any(data["sets"][index] & kept for part in parts for _, _, index in data["words"].get(part, ()))


def _choose_senses(packed: list[list[Any]], sets: list[int], kept: int) -> tuple[Sense, ...]:
    senses = [Sense(role, value, sets[index]) for role, value, index in packed]
    strong = [Sense(s.role, s.value, s.languages & kept) for s in senses if s.languages & kept]
    return tuple(strong or senses)


def _trie_pattern(words: Iterable[str]) -> str:
    """One regular expression for many words, longest match first, without trying them one by one."""
    trie: dict[str, Any] = {}
    for word in words:
        node = trie
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return _trie_branch(trie) if trie else "(?!)"


def _trie_branch(node: dict[str, Any]) -> str:
    branches = [re.escape(char) + _trie_branch(child) for char, child in sorted(node.items()) if char]
    if not branches:
        return ""
    body = branches[0] if len(branches) == 1 and "" not in node else f"(?:{'|'.join(branches)})"
    return f"{body}?" if "" in node else body
