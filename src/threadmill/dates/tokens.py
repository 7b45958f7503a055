"""Splits a text into tokens and gives each a class letter, so that the grammar can match a short string."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from threadmill.dates.lexicon import UNKNOWN_WORD, UNSPACED_SCRIPTS, DateLexicon, DatePhrase, WordSense
from threadmill.dates.masking import (
    MARKUP,
    MASK,
    ReadableAttribute,
    decode_entities,
    fold,
    mask_addresses,
    mask_markup,
)
from threadmill.dates.written_dates import BUDDHIST, FIRST_YEAR, LAST_YEAR, PERSIAN

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
_IS_UNSPACED = re.compile(f"[{UNSPACED_SCRIPTS}]")
# The cache takes a few megabytes at most. Longer runs are no words, and lists of names are not worth keeping.
_MAX_KEPT_LENGTH, _MAX_KEPT_TOKENS = 24, 20_000
_WORD_JOIN = re.compile(r"(?<=[a-z])(?=[A-Z][a-z]{2})")


class TokenisedText(NamedTuple):
    """The tokens of a text: their class letters as one string, with their offsets and meanings."""

    text: str  # folded; markup and addresses are masked
    letters: str  # one class letter per token
    starts: list[int]
    ends: list[int]
    numbers: Sequence[int]  # the value of a number, -1 for others
    senses: Sequence[tuple[WordSense, ...]]
    attributes: list[ReadableAttribute]
    original_offsets: list[int] | None  # of each character, before character references were resolved
    word_joins: frozenset[int]  # offsets between two words that lost the space between them

    @property
    def has_number(self) -> bool:
        """Whether the text has a number; without one, only words like «yesterday» and «Monday» are dates."""
        return any(number >= 0 for number in self.numbers)

    def attribute_at(self, offset: int) -> ReadableAttribute | None:
        """Return the readable attribute value that covers an offset."""
        index = bisect_right(self.attributes, offset, key=attrgetter("start")) - 1
        if index >= 0 and offset < self.attributes[index].end:
            return self.attributes[index]
        return None

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Turn offsets of the folded text into offsets of the text as it was given."""
        if self.original_offsets is None:
            return start, end
        return self.original_offsets[start], self.original_offsets[end]


def tokenise(text: str, lexicon: DateLexicon) -> TokenisedText:
    """Split a text or an HTML fragment into tokens."""
    masked, attributes = mask_markup(text)
    original_offsets: list[int] | None = None
    if "&" in masked:
        masked, original_offsets = decode_entities(masked)
        if original_offsets is not None and attributes:
            attributes = _move_attributes(attributes, original_offsets)
    folded = mask_addresses(fold(masked))
    return _classify_tokens(folded, _find_word_joins(masked, folded), lexicon, attributes, original_offsets)


def _find_word_joins(text: str, folded: str) -> frozenset[int]:
    """Find where two words lost the space between them, as in text taken out of markup: «by SmithMarch 5»."""
    if not _WORD_JOIN.search(text):
        return frozenset()
    return frozenset(m.start() for m in _WORD_JOIN.finditer(text) if folded[m.start()] != MASK)


def _move_attributes(
    attributes: list[ReadableAttribute], original_offsets: list[int]
) -> list[ReadableAttribute]:
    """Move the offsets of attributes to where their values stand after character references were resolved."""
    new: dict[int, int] = {}
    for now, before in enumerate(original_offsets):
        new.setdefault(before, now)
    return [ReadableAttribute(new.get(a.start, 0), new.get(a.end, 0), a.names_time) for a in attributes]


def _split_joined_words(raw: list[str], word_joins: frozenset[int], known: DateTokenCache) -> list[str]:
    """Split tokens at word joins, but only in front of the name of a month or a weekday."""
    tokens: list[str] = []
    place = 0
    for token in raw:
        last = 0
        for cut in range(1, len(token)) if known[token].letter == UNKNOWN_WORD else ():
            if place + cut in word_joins and _is_month_or_weekday(
                known[_word_at(token, cut, word_joins, place)]
            ):
                tokens.append(token[last:cut])
                last = cut
        tokens.append(token[last:])
        place += len(token)
    return tokens


def _word_at(token: str, cut: int, word_joins: frozenset[int], place: int) -> str:
    end = next((at for at in range(cut + 1, len(token)) if place + at in word_joins), len(token))
    return token[cut:end]


def _is_month_or_weekday(token: DateToken) -> bool:
    return any(sense.role in {"month", "weekday"} for sense in token.senses)


def _classify_tokens(
    folded: str,
    word_joins: frozenset[int],
    lexicon: DateLexicon,
    attributes: list[ReadableAttribute],
    original_offsets: list[int] | None,
) -> TokenisedText:
    known = token_cache_for(lexicon)
    raw = known.split(folded)
    if word_joins:
        raw = _split_joined_words(raw, word_joins, known)
    tokens = [known[token] for token in raw]
    ends = list(accumulate(map(len, raw)))
    starts = [0, *ends][: len(ends)]  # the tokens cover the text without gaps
    if not tokens:
        return TokenisedText(folded, "", [], [], [], [], attributes, original_offsets, word_joins)
    letters, numbers, senses, phrases, _ = zip(*tokens, strict=True)
    if any(phrases):
        tokens, starts, ends = join_phrases(tokens, starts, ends)
        letters, numbers, senses, _, _ = zip(*tokens, strict=True)
    return TokenisedText(
        folded, "".join(letters), starts, ends, numbers, senses, attributes, original_offsets, word_joins
    )


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


NUMBER_LETTERS = frozenset("0123456789BEFLPY")
_TWO_DIGITS = ["7"] + ["2"] * 12 + ["3"] * 12 + ["4"] * 7 + ["5"] * 28 + ["6"] * 40


def _classify_year(value: int) -> str:
    if FIRST_YEAR <= value <= LAST_YEAR:
        return "Y"
    if (
        FIRST_YEAR + BUDDHIST <= value <= LAST_YEAR + BUDDHIST
        or FIRST_YEAR - PERSIAN <= value <= LAST_YEAR - PERSIAN
    ):
        return "B"
    return "9"


# Characters that may stand between the words of a phrase.
_INSIDE_PHRASES = frozenset(" '-.")


def join_phrases(
    tokens: list[DateToken], starts: list[int], ends: list[int]
) -> tuple[list[DateToken], list[int], list[int]]:
    """Join the words of a phrase («il y a», «last week») into one token; return tokens, starts and ends."""
    joined: list[DateToken] = []
    first_of: list[int] = []
    last_of: list[int] = []
    index = 0
    while index < len(tokens):
        token, last = tokens[index], index
        if token.phrases:
            token, last = _find_phrase(tokens, index)
        joined.append(token)
        first_of.append(starts[index])
        last_of.append(ends[last])
        index = last + 1
    return joined, first_of, last_of


def _find_phrase(tokens: list[DateToken], index: int) -> tuple[DateToken, int]:
    """Return the phrase that begins at a token, or the token alone, and the index of its last token."""
    for phrase in tokens[index].phrases:
        last = _match_phrase(tokens, index, phrase.rest)
        if last and not (phrase.senses[0].role == "relunit" and _follows_number(tokens, index)):
            return DateToken(phrase.letter, -1, phrase.senses, (), tokens[index].word), last
    return tokens[index], index


def _follows_number(tokens: list[DateToken], index: int) -> bool:
    """Whether a number stands in front: Vietnamese «tuần trước» is last week, «2 tuần trước» 2 weeks ago."""
    index -= 1
    if index >= 0 and tokens[index].letter == " ":
        index -= 1
    return index >= 0 and tokens[index].number >= 0


def _match_phrase(tokens: list[DateToken], index: int, rest: tuple[str, ...]) -> int:
    """Return the index of a phrase's last token; 0 when the rest of its words does not follow."""
    count = len(tokens)
    for part in rest:
        index += 1
        gap = 0
        while index < count and gap < 3 and not tokens[index].word:
            if tokens[index].letter not in _INSIDE_PHRASES:
                return 0
            index, gap = index + 1, gap + 1
        if index >= count or not gap or tokens[index].word != part:
            return 0
    return index
