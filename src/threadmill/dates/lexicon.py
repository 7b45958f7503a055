"""The words of dates in all languages: what each word or number can mean, and in which languages."""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from operator import and_
from typing import Any, NamedTuple

from threadmill.dates.written_dates import BUDDHIST, FIRST_YEAR, LAST_YEAR, PERSIAN

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
MARKUP = "\x01"  # replaces a character of markup: no date crosses it
_ASCII_SPLITTER = re.compile(r"[0-9]+|[a-z]+|\s+|\x01+|.", re.DOTALL)
_ASCII_DIGITS = frozenset("0123456789")
# Signs that do not change a word, such as the vowel signs of Arabic and Hebrew, are removed. Letters of the
# Arabic script that people type for one another are unified. The word list is built in the same way.
_LETTER_VARIANTS: dict[int, int | None] = {
    **dict.fromkeys([0xAD, 0x640, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x61C]),
    **dict.fromkeys([*range(0x64B, 0x653), 0x670, *range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2]),
    **str.maketrans("أإآٱىيكةۀ", "ااااییکهه"),
}
_SIGN_LETTERS = {sign: sign for sign in "/-.,:'\\()|+;"} | {"[": "(", "]": ")"}
NUMBER_LETTERS = frozenset("0123456789BEFLPY")
_TWO_DIGITS = ["7"] + ["2"] * 12 + ["3"] * 12 + ["4"] * 7 + ["5"] * 28 + ["6"] * 40
# The cache takes a few megabytes at most. Longer runs are no words, and lists of names are not worth keeping.
_MAX_KEPT_LENGTH, _MAX_KEPT_TOKENS = 24, 20_000


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

    def first_language(self, languages: int) -> str:
        """Return the code of the first of some languages; empty for none."""
        return self.languages[(languages & -languages).bit_length() - 1] if languages else ""


def most_common_languages(masks: Sequence[int]) -> int:
    """Return the languages that most of the masks contain, each mask with a bit for each language."""
    shared = reduce(and_, masks, masks[0] if masks else 0)
    if shared or not masks:
        return shared
    counts = {
        bit: sum(mask >> bit & 1 for mask in masks) for bit in range(max(mask.bit_length() for mask in masks))
    }
    most = max(counts.values())
    return sum(1 << bit for bit, count in counts.items() if count == most)


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


@lru_cache(maxsize=1)
def _combining_marks() -> str:
    """Return the combining characters that are part of a word, for use in a character class."""
    return (
        "".join(chr(code) for code in range(0x300, 0x2000) if unicodedata.category(chr(code)) in {"Mn", "Mc"})
        + "\u200c\u200d\u200b\u00ad\u00b7"
    )


@lru_cache(maxsize=8)
def _unspaced_splitter(unspaced_words: str) -> re.Pattern[str]:
    """Build the splitter for texts with scripts that use no spaces."""
    marks = re.escape(_combining_marks())
    letter = f"(?![{UNSPACED_SCRIPTS}])[^\\W\\d_]"
    return re.compile(f"[0-9]+|{unspaced_words}|{letter}(?:{letter}|[{marks}])*|\\s+|\\x01+|.", re.DOTALL)


@lru_cache(maxsize=1)
def _spaced_splitter() -> re.Pattern[str]:
    """Build the splitter for all other texts; it is faster, because it looks ahead at no letter."""
    return re.compile(
        f"[0-9]+|[^\\W\\d_]+(?:[{re.escape(_combining_marks())}]+[^\\W\\d_]*)*|\\s+|\\x01+|.", re.DOTALL
    )


class DateToken(NamedTuple):
    """A run of characters with its class."""

    letter: str
    number: int  # the value of a number, -1 for other tokens
    senses: tuple[WordSense, ...]
    phrases: tuple[DatePhrase, ...]  # the phrases that begin with this word
    word: str  # in its looked-up form; empty for other tokens


class DateTokenCache(dict[str, DateToken]):
    """The tokens seen so far under one lexicon. Forums repeat the same words all the time."""

    def __init__(self, lexicon: DateLexicon) -> None:
        super().__init__()
        self._lexicon = lexicon

    def __missing__(self, raw: str) -> DateToken:
        token = _classify_token(raw, self._lexicon)
        if len(raw) <= _MAX_KEPT_LENGTH:
            self[raw] = token
        return token

    def split(self, text: str) -> list[str]:
        """Split a folded text into runs of characters. Joined together, they are the text again."""
        if len(self) > _MAX_KEPT_TOKENS:
            self.clear()
        if text.isascii():
            return _ASCII_SPLITTER.findall(text)
        pattern = (
            _unspaced_splitter(self._lexicon.unspaced_words.pattern)
            if _IS_UNSPACED.search(text)
            else _spaced_splitter()
        )
        return pattern.findall(text)


@lru_cache(maxsize=8)
def token_cache_for(lexicon: DateLexicon) -> DateTokenCache:
    """Return the token cache of a lexicon."""
    return DateTokenCache(lexicon)


def _classify_token(raw: str, lexicon: DateLexicon) -> DateToken:
    first = raw[0]
    if first.isspace():
        return DateToken(" ", -1, (), (), "")
    if first in _ASCII_DIGITS:
        return DateToken(classify_number(raw), int(raw) if len(raw) <= 18 else -1, (), (), "")
    if first == MARKUP:
        return DateToken("<", -1, (), (), "")
    word = _clean_word(raw)
    known = lexicon.words.get(word)
    if known:
        return DateToken(known.letter, -1, known.senses, lexicon.phrases.get(word, ()), word)
    if _IS_UNSPACED.match(raw):
        return DateToken("x", -1, (), (), "")
    if first.isalnum() and not first.isdecimal():
        return DateToken(UNKNOWN_WORD, -1, (), lexicon.phrases.get(word, ()), word)
    return DateToken(_SIGN_LETTERS.get(first, "?"), -1, (), (), "")


def _clean_word(word: str) -> str:
    """Compose a word and remove the signs that do not change it."""
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", word).translate(_LETTER_VARIANTS)


def classify_number(digits: str) -> str:
    """Return the class letter of a run of digits: what its length and value allow it to be in a date.

    0 zero, 1 one digit, 2 01 to 12, 3 13 to 24, 4 25 to 31, 5 32 to 59, 6 60 to 99, 7 00, 8 three digits,
    Y a year, B a year of the Buddhist or Persian calendar, 9 other four digits, E yyyymmdd, F yyyymmddhhmm or
    yyyymmddhhmmss, P a timestamp in seconds or milliseconds, L other.
    """
    length = len(digits)
    if length == 1:
        return "1" if digits != "0" else "0"
    if length == 2:
        return _TWO_DIGITS[int(digits)]
    value = int(digits) if length <= 14 else -1
    if length == 4:
        return _classify_year(value)
    if length == 8 and FIRST_YEAR <= value // 10000 <= LAST_YEAR:
        month, day = value // 100 % 100, value % 100
        return "E" if 1 <= month <= 12 and 1 <= day <= 31 else "L"
    if length in {12, 14} and FIRST_YEAR <= value // 10 ** (length - 4) <= LAST_YEAR:
        return "F" if classify_number(digits[:8]) == "E" else "L"
    if length in {10, 13} and digits[0] in "123456789":
        return "P"
    return "8" if length == 3 else "L"


def _classify_year(value: int) -> str:
    if FIRST_YEAR <= value <= LAST_YEAR:
        return "Y"
    if (
        FIRST_YEAR + BUDDHIST <= value <= LAST_YEAR + BUDDHIST
        or FIRST_YEAR - PERSIAN <= value <= LAST_YEAR - PERSIAN
    ):
        return "B"
    return "9"
