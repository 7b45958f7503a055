"""Cuts a piece of text without white space into positions: words, numbers, addresses, signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from threadmill.corpus.cut_text import GLUE, PASSAGE, SENTENCE
from threadmill.corpus.languages import Profile

# Scripts without spaces between words: Han is cut by the character, kana by the run, Thai by the cluster.
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3040-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_THAI = "\u0e00-\u0e7f\u0e80-\u0eff"
_BURMESE_KHMER = "\u1000-\u109f\u1780-\u17ff"
UNSPACED = f"{_HAN}{_HIRAGANA}{_KATAKANA}{_THAI}{_BURMESE_KHMER}"

UNSPACED_LETTER = re.compile(f"[{UNSPACED}]")

# The longest words and addresses of real text are shorter; beyond it is encoded data or an attack.
LONG_PIECE = 2000
_LONG_RUN = re.compile(rf"\S{{{LONG_PIECE}}}")
_SLICE = re.compile(rf" ?\S{{1,{LONG_PIECE - 2}}}")

# Some 3 MB; a long piece hardly ever comes again.
_MOST_PIECES = 15_000
_LONGEST_KEPT = 30
_ENDS = SENTENCE + PASSAGE

_OWN_RULES = frozenset({"fr", "hu", "it"})
_TOP_DOMAINS = "com|org|net|edu|gov|info|biz|eu|io|tv|me|co|[a-z]{2}"
_FILE_ENDINGS = "html?|pdf|docx?|xlsx?|txt|jpe?g|png|gif|zip|exe|php|asp|mp3|mp4|avi|csv|xml|json"

_URL_REST = r"[^\s<>\"”“»«]*[^\s<>\"”“»«.,;:!?)\]}'’…]"
_ADDRESSES = (
    rf"(?:https?|ftp|file)://{_URL_REST}",
    rf"www\.{_URL_REST}",
    r"[\w.+%-]++@[\w-]+(?:\.[\w-]+)+",
    rf"[A-Za-z0-9](?:[\w-]*+\.)+(?:{_TOP_DOMAINS})(?:/{_URL_REST}|(?![\w.]))",
    rf"[A-Za-z0-9][\w.-]*\.(?:{_FILE_ENDINGS})(?!\w)",
)
# What most positions are, so that they meet no other alternative: the order of these is for speed alone.
_COMMON = (
    r"[^\W\d_]++(?=[ ,;!?)\"»”]|:? |\.?$)",
    r"[,;:](?= )|[.!?]$|\d++(?=[ )]|$)|[\"“”„«»](?=[\w ,]|$)|\((?=\w)|\)(?=[ ,.;]|$)",
)

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
    """Combining marks for a character class: \\w lacks them, and Hindi is not written without."""
    found, start = [], 0
    for code in range(0x300, 0x10000):
        inside = unicodedata.category(chr(code)) in {"Mn", "Mc", "Me"}
        if inside and not start:
            start = code
        elif not inside and start:
            found.append(f"{chr(start)}-{chr(code - 1)}")
            start = 0
    return "".join(found) + "\u00ad\u200c\u200d"


@dataclass(frozen=True, slots=True)
class Habits:
    """What of a language shapes its pattern; most languages share theirs, and compiling one costs 20 ms."""

    stop_attached: bool
    ordinals: bool
    elision: bool
    hyphens: str
    language: str  # where it has rules of its own


def _habits(spelling: Profile) -> Habits:
    own = spelling.language if spelling.language in _OWN_RULES else ""
    return Habits(spelling.stop_attached, spelling.ordinals, spelling.elision, spelling.hyphens, own)


class Tokeniser:
    """Cuts sentences of one language into positions; given whole sentences, it knows which stop is final."""

    def __init__(self, spelling: Profile) -> None:
        self._profile = spelling
        self._habits = _habits(spelling)

    def forms(self, sentence: str) -> list[str]:
        """The positions of a sentence with single spaces; a form keeps the space before it."""
        if len(sentence) > LONG_PIECE and _LONG_RUN.search(sentence):
            return self._slices(sentence)
        if sentence.isascii() or not UNSPACED_LETTER.search(sentence):
            found = self._spaced(sentence)
        else:
            found = self._unspaced(sentence)
        return [*found[:-2], *self.final_word(*found[-2:])] if found[-1] == "." and len(found) > 1 else found

    def inner_forms(self, piece: str) -> list[str]:
        """The positions of a piece of text without white space that ends no sentence."""
        if len(piece) >= LONG_PIECE:
            return self._slices(piece)
        follower = f"{piece} x"  # patterns look at whether anything follows, never at what it is
        if piece.isascii() or not UNSPACED_LETTER.search(piece):
            return self._spaced(follower)[:-1]
        return self._unspaced(follower)[:-1]

    @cached_property
    def _spaced(self) -> Callable[[str], list[str]]:
        return _pattern(self._habits, spaced=True).findall

    @cached_property
    def _unspaced(self) -> Callable[[str], list[str]]:
        return _pattern(self._habits, spaced=False).findall

    def _slices(self, sentence: str) -> list[str]:
        """Hostile text is cut anywhere, or looking ahead in it would cost the square of its length."""
        return [form for piece in _SLICE.findall(sentence) for form in self.forms(piece)]

    def final_word(self, word: str, stop: str) -> list[str]:
        """The last word of a sentence and its stop: one position if it is known to be written with it."""
        if stop == "." and self._profile.stop_attached and is_abbreviation(word.lstrip(" "), self._profile):
            return [f"{word}."]
        return [word, stop]


class CutPieces(dict[str, str]):
    """Pieces of text between spaces with their joints; forgets all when full, the commonest are soon back.

    A piece that ends a sentence or a paragraph comes with the sign of that at its end.
    """

    def __init__(self, tokeniser: Tokeniser) -> None:
        super().__init__()
        self._tokeniser = tokeniser

    def __missing__(self, piece: str) -> str:
        core, last = piece[:-1], piece[-1]
        if last in _ENDS:
            cut = GLUE.join(self._final_forms(core)) + last
        elif (
            last in ",;!?" and core.isalpha() and core.isascii() and len(core) < LONG_PIECE
        ):  # as patterns do
            cut = f"{core}{GLUE}{last}"
        else:
            cut = GLUE.join(self._tokeniser.inner_forms(piece))
        if len(piece) <= _LONGEST_KEPT:
            if len(self) >= _MOST_PIECES:
                self.clear()
            self[piece] = cut
        return cut

    def _final_forms(self, piece: str) -> list[str]:
        if piece.isascii() and len(piece) < LONG_PIECE:
            if not piece or piece.isalpha():
                return [piece]
            if piece[-1] in ".!?" and piece[:-1].isalpha():
                return self._tokeniser.final_word(piece[:-1], piece[-1])
        return self._tokeniser.forms(piece)


@cache
def _pattern(profile: Habits, spaced: bool) -> re.Pattern[str]:
    """One position with the space before it, if there is one; the commonest kinds of positions come first."""
    unspaced = "" if spaced else UNSPACED
    letter = f"(?:[^\\W\\d_{unspaced}]|[{marks()}])"
    word = f"[\\w{marks()}]++" if spaced else f"(?:(?![{UNSPACED}])[\\w{marks()}])++"
    joiners = "['’`\u02bc\u05f3\u05f4·&]" if not profile.elision else "[`&·]"
    if profile.hyphens == "keep":
        joiners = joiners[:-1] + "\u2010\u2011-]"
    inner = f"{word}(?:{joiners}{word})*+"
    alternatives = [
        *(_COMMON if spaced else [f"[{_HAN}]"]),  # looking for addresses ahead of every sign is slow
        rf"(?=[\w.+%-]\S*[@./]\w)(?:{'|'.join(_ADDRESSES)})",
        f"[@#]{word}(?:-{word})*",
        r"(?:&(?:#\d{1,6}|#x[\da-fA-F]{1,6}|[a-zA-Z]{2,8});)+",
        _EMOTICON,
        _EMOJI,
        *_with_stops(profile, letter),
        _number(profile, unspaced),
        *([_FRENCH_CLITICS] if profile.language == "fr" else []),
        *_words(profile, inner, word),
        f"[{_HAN}]|[{_KATAKANA}]+|[{_HIRAGANA}]+",
        f"[\u0e40-\u0e44\u0ec0-\u0ec4]?[{_THAI}](?:[{marks()}\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3])*",
        f"[{_BURMESE_KHMER}](?:[{marks()}])*",
        r"\.{2,}|…+|-{2,}|–{2,}|!+\?*|\?+!*|``|''|,,|\*{2,}|={2,}|_{2,}|~{2,}|#{2,}|\${2,}|\+{2,}|<{2,}|>{2,}",
        r"[^\s]",
    ]
    return re.compile(f" ?(?:{'|'.join(alternatives)})")


def _with_stops(profile: Habits, letter: str) -> list[str]:
    """Abbreviations and ordinal numbers inside a sentence: a stop that ends nothing belongs to its word."""
    inner = rf"{letter}++(?:\.{letter}++)++(?=\.|$|\W)"
    if not profile.stop_attached:
        return [inner]
    # A longer word before a stop that ends no sentence is a mistake more often than an abbreviation.
    found = [rf"(?:{letter}\.-?){{2,}}(?:{letter}(?![\w.]))?", rf"{letter}{{1,6}}\.(?=[,;:]| (?=.))", inner]
    return [*found, r"(?:\d+|[IVXLC]+)\.(?= .)"] if profile.ordinals else found


def _words(profile: Habits, inner: str, word: str) -> list[str]:
    if profile.elision:
        hyphenated = rf"{word}(?:[-\u2010\u2011]{word})*"
        return [
            r"(?i:aujourd['’]hui|quelqu['’]une?s?|prud['’]hom\w+|presqu['’]île|d['’]accord(?=$))",
            rf"{word}['’](?={word})",
            r"(?i:po|mo|di|va|fa|sta|da|be|ca)['’](?!\w)" if profile.language == "it" else r"(?!)",
            rf"{word}(?:(?!{_FRENCH_CLITICS})[-\u2010\u2011]{word})*"
            if profile.language == "fr"
            else hyphenated,
        ]
    if profile.hyphens == "prefix":
        prefixes = (
            "e|re|co|pre|non|anti|un|mis|counter|multi|semi|sub|ex|de|inter|ultra|mid|bi|over|under|pro|x|t"
        )
        return [rf"(?i:{prefixes})-{inner}(?!-\w)", inner]
    if profile.language == "hu":  # the question particle, and élelmiszer- és húsipar
        return [r"-e(?!\w)", rf"{inner}-(?=,?$)", inner]
    return [inner]


def _number(profile: Habits, unspaced: str) -> str:
    """Digits and what may be joined to them: 1,000.50, 3rd, 25-metarskim, 1996'da; ranges too."""
    letters = f"(?:[^\\W\\d_{unspaced}]|[{marks()}])+"
    digits = r"\d+(?:[.,:/'’]\d+)*+"
    sign = r"(?:(?<![\w)])[+-])?"
    ending = f"(?:{letters})?" if profile.elision else f"(?:['’]?{letters})?"
    if profile.hyphens == "keep":
        return rf"{sign}{digits}(?:[-–]{digits})*+(?:[-–]{letters}|{ending})"
    telephone = r"\d{3}-\d{3}-\d{4}|\d{3}-\d{4}(?!\d)"
    return rf"{telephone}|{sign}{digits}{ending}"


def is_abbreviation(form: str, profile: Profile) -> bool:
    """Whether a form is known to be written with a full stop, or is a single capital letter."""
    if len(form) == 1:
        return form.isalpha() and (form.isupper() or form in profile.abbreviations)
    return form.lower() in profile.abbreviations
