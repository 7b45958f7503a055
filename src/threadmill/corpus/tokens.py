"""Cuts a piece of text without white space into positions: words, numbers, addresses, signs."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from threadmill.corpus.languages import Profile

# Scripts that write no spaces between words. Han by the character; kana and Thai-like scripts by run or cluster.
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3040-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_THAI = "\u0e00-\u0e7f\u0e80-\u0eff"
_BURMESE_KHMER = "\u1000-\u109f\u1780-\u17ff"
UNSPACED = f"{_HAN}{_HIRAGANA}{_KATAKANA}{_THAI}{_BURMESE_KHMER}"
_UNSPACED_LETTER = re.compile(f"[{UNSPACED}]")

_TOP_DOMAINS = "com|org|net|edu|gov|info|biz|eu|io|tv|me|co|[a-z]{2}"
_FILE_ENDINGS = "html?|pdf|docx?|xlsx?|txt|jpe?g|png|gif|zip|exe|php|asp|mp3|mp4|avi|csv|xml|json"

_EMOJI = (
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
    "(?:[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\u20e3]|\u200d[\u2600-\u27bf\U0001f000-\U0001faff])*"
)
_EMOTICON = (
    r"(?:[:;=8xX][-^o']?(?:[)\](\[/\\|*3]{1,9}|[DdPpOoSs]\b)"
    r"|<3+|\^[_.-]?\^|[oO]_[oO]|-_+-|¯\\_\(ツ\)_/¯|:'\()(?![\w])"
)
_FRENCH_CLITICS = (
    r"(?:-t)?-(?:je|tu|ils?|elles?|on|nous|vous|ce|ci|là|moi|toi|lui|leur|les?|la|y|en)(?![\w-])"
)


@cache
def marks() -> str:
    """Combining marks as the inside of a character class: \\w lacks them, and Hindi is not written without."""
    found, start = [], 0
    for code in range(0x300, 0x10000):
        inside = unicodedata.category(chr(code)) in {"Mn", "Mc", "Me"}
        if inside and not start:
            start = code
        elif not inside and start:
            found.append(f"{chr(start)}-{chr(code - 1)}")
            start = 0
    return "".join(found) + "\u00ad\u200c\u200d"


@cache
def _pattern(profile: Profile) -> re.Pattern[str]:
    letter = f"(?:[^\\W\\d_{UNSPACED}]|[{marks()}])"
    word_char = f"[^\\W{UNSPACED}]|[{marks()}]"
    word = f"(?:{word_char})+"
    joiners = "['’`\u02bc\u05f3\u05f4·&]" if not profile.elision else "[`&·]"
    if profile.hyphens == "keep":
        joiners = joiners[:-1] + "\u2010\u2011-]"
    inner = f"{word}(?:{joiners}{word})*+"
    alternatives = [
        r"(?:https?|ftp|file)://[^\s<>\"”“»«]*[^\s<>\"”“»«.,;:!?)\]}'’…]",
        r"www\.[^\s<>\"”“»«]*[^\s<>\"”“»«.,;:!?)\]}'’…]",
        r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+",
        f"[@#]{word}(?:-{word})*",
        rf"[A-Za-z0-9](?:[\w-]*\.)+(?:{_TOP_DOMAINS})(?:/[^\s<>\"”“»«]*[^\s<>\"”“»«.,;:!?)\]}}'’…]|(?![\w.]))",
        rf"[A-Za-z0-9][\w.-]*\.(?:{_FILE_ENDINGS})(?!\w)",
        r"(?:&(?:#\d{1,6}|#x[\da-fA-F]{1,6}|[a-zA-Z]{2,8});)+",
        _EMOTICON,
        _EMOJI,
        # U.S., d.o.o., J.-C.: single letters or short groups, each with its stop
        rf"(?:{letter}\.-?){{2,}}(?:{letter}(?![\w.]))?" if profile.stop_attached else r"(?!)",
        rf"{letter}+(?:\.{letter}+)+(?=\.|$|\W)",
        _number(profile),
        *([_FRENCH_CLITICS] if profile.language == "fr" else []),
        *_words(profile, inner, word),
        f"[{_HAN}]|[{_KATAKANA}]+|[{_HIRAGANA}]+",
        f"[\u0e40-\u0e44\u0ec0-\u0ec4]?[{_THAI}](?:[{marks()}\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3])*",
        f"[{_BURMESE_KHMER}](?:[{marks()}])*",
        r"\.{2,}|…+|-{2,}|–{2,}|!+\?*|\?+!*|``|''|,,|\*{2,}|={2,}|_{2,}|~{2,}|#{2,}|\${2,}|\+{2,}|<{2,}|>{2,}",
        r"[^\s]",
    ]
    return re.compile("|".join(alternatives))


def _words(profile: Profile, inner: str, word: str) -> list[str]:
    if profile.elision:
        hyphenated = rf"{word}(?:[-\u2010\u2011]{word})*"
        return [
            r"(?i:aujourd['’]hui|quelqu['’]une?s?|prud['’]hom\w+|presqu['’]île|d['’]accord(?=$))",
            rf"{word}['’](?={word})",
            rf"(?i:po|mo|di|va|fa|sta|da|be|ca)['’](?!\w)" if profile.language == "it" else r"(?!)",
            hyphenated,
        ]
    if profile.hyphens == "prefix":
        prefixes = "e|re|co|pre|non|anti|un|mis|counter|multi|semi|sub|ex|de|inter|ultra|mid|bi|over|under|pro|x|t"
        return [rf"(?i:{prefixes})-{inner}(?!-\w)", inner]
    if profile.language == "hu":  # the question particle, and élelmiszer- és húsipar
        return [r"-e(?!\w)", rf"{inner}-(?=,?$)", inner]
    return [inner]


def _number(profile: Profile) -> str:
    """Digits with what may be joined to them: 1,000.50, 3rd, 25-metarskim, 1996'da; ranges where hyphens join."""
    letters = f"(?:[^\\W\\d_{UNSPACED}]|[{marks()}])+"
    digits = r"\d+(?:[.,:/'’]\d+)*+"
    sign = r"(?:(?<![\w)])[+-])?"
    ending = f"(?:{letters})?" if profile.elision else f"(?:['’]?{letters})?"
    if profile.hyphens == "keep":
        return rf"{sign}{digits}(?:[-–]{digits})*+(?:[-–]{letters}|{ending})"
    telephone = r"\d{3}-\d{3}-\d{4}|\d{3}-\d{4}(?!\d)"
    return rf"{telephone}|{sign}{digits}{ending}"


def cut(piece: str, profile: Profile) -> list[str]:
    """The positions of a piece without white space, full stops of abbreviations attached where that is the habit."""
    if piece.isalpha() and not _UNSPACED_LETTER.search(piece):
        return [piece]
    forms = _pattern(profile).findall(piece)
    if profile.stop_attached and len(forms) > 1 and "." in piece:
        return _attach_stops(forms, profile)
    return forms


def _attach_stops(forms: list[str], profile: Profile) -> list[str]:
    """Join a known abbreviation, or a word before a stop and more punctuation, with its full stop."""
    joined: list[str] = []
    last = len(forms) - 1
    for at, form in enumerate(forms):
        if form == "." and joined and (is_abbreviation(joined[-1], profile) or 0 < at < last and _goes_on(forms[at + 1], joined[-1])):
            joined[-1] += "."
        else:
            joined.append(form)
    return joined


def _goes_on(following: str, before: str) -> bool:
    return following in {",", ";", ":"} and before[-1:].isalpha()


def is_abbreviation(form: str, profile: Profile) -> bool:
    """Whether a form is known to be written with a full stop, or is a single capital letter."""
    if len(form) == 1:
        return form.isalpha() and (form.isupper() or form in profile.abbreviations)
    return form.lower() in profile.abbreviations and form.isalpha() or "." in form and form.lower() in profile.abbreviations
