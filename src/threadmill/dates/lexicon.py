"""The words of dates in all languages: what each word can mean, and in which languages."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

# What a word can do in a date or a time. The word list (data/words.json.gz) uses these names.
ROLES = [
    "month",
    "weekday",
    "relday",  # a day by its distance from today: yesterday
    "relunit",  # a unit with its distance: last week
    "relweekday",  # a weekday with its week: last Sunday
    "now",
    "unit",  # day, week, hours
    "agobefore",  # a word for "ago" in front of the amount: French «il y a»
    "agoafter",  # and behind it: ago
    "hencebefore",  # in 3 days
    "henceafter",  # 3 days from now
    "half",  # half of the day and its like: AM, PM, 下午
    "at",  # between a date and its time: at, um, à
    "link",  # between the parts of a date: of, de
    "tail",  # behind the year: Russian «г.», Polish «r.»
    "number",  # a number as a word: three
    "ordinal",  # st, nd, th
    "and",
    "zone",  # UTC, CET
    "monthmark",  # in front of the number of a month: Vietnamese «tháng»
    "ymark",  # 年
    "mmark",  # 月
    "dmark",  # 日
    "hmark",  # 時, h
    "imark",  # 分
    "smark",  # 秒
    "era",  # 令和
    "about",
    "pastunit",  # a unit that also says "ago": Hungarian «órája»
    "weekdaymark",  # in front of the number of a weekday: Vietnamese «Thứ»
    "cutword",  # an abbreviation that ends in a dot
    "hourword",  # noon, midnight
    "dual",  # two units in one word: Hebrew «יומיים»
]
# Scripts written without spaces, and Hangul, where particles are attached to nouns. Known words are cut out
# of a run of these characters.
UNSPACED_SCRIPTS = (
    "\u0e00-\u0e4f\u0e5a-\u0ecf\u0ede-\u0eff\u1000-\u103f\u104a-\u109f\u1780-\u17df"
    "\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
)
_IS_UNSPACED = re.compile(f"[{UNSPACED_SCRIPTS}]")
_WORD_PARTS = re.compile(r"[^ '\-.,]+")
UNKNOWN_WORD = "w"  # the class letter of a word that is not in the lexicon
# A word class is one character of the private use area. Each combination of roles has its own class.
_FIRST_CLASS = 0xE000


class WordSense(NamedTuple):
    """One meaning of a word, with a bit for each language that has this meaning."""

    role: str
    value: Any
    languages: int


class DatePhrase(NamedTuple):
    """A phrase of several words: the words after the first, its class letter and its senses."""

    rest: tuple[str, ...]
    letter: str
    senses: tuple[WordSense, ...]


class LexiconWord(NamedTuple):
    """The class letter of a word and its senses."""

    letter: str
    senses: tuple[WordSense, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DateLexicon:
    """The words that count for a requested language, with the class letters of their roles."""

    words: dict[str, LexiconWord]
    phrases: dict[str, tuple[DatePhrase, ...]]
    letters: dict[str, str]  # role → the class letters of all words that have it
    unspaced_words: re.Pattern[str]  # finds words in scripts without spaces
    languages: tuple[str, ...]
    bits: dict[str, int]  # the bit of each language
    common_languages: int  # a bit for each language with many forums, and for the requested one
    dates_end_in_dot: int  # languages that write a dot after the year
    days_with_dot: int  # languages that write a dot after the day: «5. listopada»

    def role(self, *names: str) -> str:
        """Return a regular-expression character class of the words that can play any of these roles."""
        letters = "".join(sorted({c for name in names for c in self.letters.get(name, "")}))
        return f"[{letters or chr(0)}]"

    def bit(self, language: str) -> int:
        """Return the bit of a language, given its code or a longer tag; 0 for an unknown language."""
        known = self.bits.get(language)
        return self.bits.get(_language_code(language), 0) if known is None else known


def _language_code(language: str) -> str:
    """Return the language of a tag: pt for pt_BR."""
    return language.lower().replace("_", "-").partition("-")[0]


@cache
def _load_words() -> dict[str, Any]:
    from importlib.resources import files  # imported here: a third of the import time of threadmill.dates

    packed = files("threadmill.dates").joinpath("data/words.json.gz").read_bytes()
    data: dict[str, Any] = json.loads(gzip.decompress(packed))
    data["sets"] = [int(mask, 16) for mask in data["sets"]]
    return data


def load_lexicon(language: str | None = None) -> DateLexicon:
    """Return the lexicon for texts of one language, or of any language.

    Without a language, a word that has a sense in a common language keeps only such senses. Otherwise the
    abbreviations of three hundred languages would turn half the words of English into weekdays.
    """
    if not language:
        return _build_lexicon("")
    code = _language_code(language)
    data = _load_words()
    if code in data["languages"] and not (1 << data["languages"].index(code)) & data["major"]:
        return _build_lexicon(code)
    return _build_lexicon("")


@lru_cache(maxsize=8)
def _build_lexicon(extra: str) -> DateLexicon:
    data = _load_words()
    kept = data["major"] | (1 << data["languages"].index(extra) if extra else 0)
    letter_of: dict[frozenset[str], str] = {}
    words: dict[str, LexiconWord] = {}
    phrases: dict[str, list[DatePhrase]] = defaultdict(list)
    for text, packed in data["words"].items():
        senses = _choose_senses(packed, data["sets"], kept)
        roles = frozenset(sense.role for sense in senses)
        letter = letter_of.setdefault(roles, chr(_FIRST_CLASS + len(letter_of)))
        parts = _WORD_PARTS.findall(text)
        if len(parts) == 1:
            words[parts[0]] = LexiconWord(letter, senses)
        elif parts and all(_IS_UNSPACED.match(part) for part in parts):  # Thai «เม.ย.»
            words[".".join(parts)] = words["".join(parts)] = LexiconWord(letter, senses)
        elif parts and not _is_shadowed(senses, parts, data, kept):
            phrases[parts[0]].append(DatePhrase(tuple(parts[1:]), letter, senses))
    letters: dict[str, str] = defaultdict(str)
    for roles, letter in letter_of.items():
        for role in roles:
            letters[role] += letter
    longest_first = {
        head: tuple(sorted(found, key=lambda phrase: -len(phrase.rest))) for head, found in phrases.items()
    }
    return DateLexicon(
        words,
        longest_first,
        dict(letters),
        re.compile(_trie_pattern(word for word in words if _IS_UNSPACED.match(word))),
        tuple(data["languages"]),
        {code: 1 << place for place, code in enumerate(data["languages"])},
        kept,
        data["dotted"],
        data["dotted_days"],
    )


def _is_shadowed(senses: tuple[WordSense, ...], parts: list[str], data: dict[str, Any], kept: int) -> bool:
    """Whether a phrase of a rare language would hide words of a common language."""
    if any(sense.languages & kept for sense in senses):
        return False
    return any(data["sets"][index] & kept for part in parts for _, _, index in data["words"].get(part, ()))


def _choose_senses(packed: list[list[Any]], sets: list[int], kept: int) -> tuple[WordSense, ...]:
    """Keep the senses of the common languages; keep all senses where no common language has the word."""
    senses = [WordSense(role, value, sets[index]) for role, value, index in packed]
    strong = [WordSense(s.role, s.value, s.languages & kept) for s in senses if s.languages & kept]
    return tuple(strong or senses)


def _trie_pattern(words: Iterable[str]) -> str:
    """Build one regular expression for many words, which prefers the longest word.

    The words share prefixes as in a trie, so the expression does not try them one by one.
    """
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
