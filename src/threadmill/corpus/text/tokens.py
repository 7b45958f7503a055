"""Splits pieces of text into tokens: words, numbers, addresses, signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from itertools import chain

from threadmill.corpus.text.delimited_text import GLUE, NO_WIDTH, PASSAGE, SENTENCE
from threadmill.corpus.text.languages import LanguageProfile
from threadmill.corpus.text.listed_words import SCRIPTS
from threadmill.corpus.text.unspaced_words import RunCutter, cutter_of

# Scripts without spaces between words. A pattern splits Han into characters, kana into runs, Thai into
# clusters; words are found in runs of these.
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3040-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_THAI = f"\u0e00-\u0e7f{SCRIPTS['lo']}"
_THAI_ABBREVIATION = r"(?:[ก-ฮ]{1,2}\.){2,}"  # of two parts at least: "พ.ศ."
_BURMESE_KHMER = f"{SCRIPTS['my']}{SCRIPTS['km']}"
UNSPACED = f"{_HAN}{_HIRAGANA}{_KATAKANA}{_THAI}{_BURMESE_KHMER}"

# Accents, the soft hyphen, and the characters that join emoji or turn signs into emoji.
_COMMON_MARKS = "\u0300-\u036f\u00ad\u200c\u200d\u20e3\ufe0e\ufe0f"
_FIRST_UNSPACED = "\u0e00"

UNSPACED_LETTER = re.compile(f"[{UNSPACED}]")

# An English word with one of these before its hyphen is one token: "re-elected".
_PREFIXES = "e re co pre non anti un mis counter multi semi sub ex de inter ultra mid bi over under pro x t"
ENGLISH_PREFIXES = tuple(_PREFIXES.split())
# Words and addresses of real text are shorter. A longer piece is encoded data or an attack.
LONG_PIECE = 2000
_LONG_RUN = re.compile(rf"\S{{{LONG_PIECE}}}")
_ENDED_PARTS = re.compile(f"[^{NO_WIDTH}]+{NO_WIDTH}*")
_SLICE = re.compile(rf" ?\S{{1,{LONG_PIECE - 2}}}")

# Pieces that are remembered, some 3 MB. A long piece hardly ever returns.
_MOST_PIECES = 15_000
_LONGEST_KEPT = 30
_ENDS = SENTENCE + PASSAGE
# Tokens of their own after a word: inside a sentence, and at its end.
_STOPS_APART = ",;:!?"
_FINAL_STOPS = ".,;:!?"

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
# The most frequent tokens come first in the pattern. Their order matters for speed only.
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
    r"(?:-t)?-(?:je|tu|ils?|elles?|on|nous|vous|ce|ci|là|moi|toi|lui|leur|les?|la|y|en)"
    r"(?!\w|-(?!(?:moi|toi|lui|nous|vous|leur|les?|la|y|en)(?![\w-])))"  # "donne-le-moi", but "Bar-le-Duc"
)


@cache
def marks() -> str:
    """Combining marks for a character class. \\w lacks them, but Hindi needs them."""
    found, start = [], 0
    for code in chain(
        range(0x300, 0x3400), range(0xA000, 0xAC00), range(0xD7A4, 0x10000)
    ):  # Han has no marks
        inside = unicodedata.category(chr(code)) in {"Mn", "Mc", "Me"}
        if inside and not start:
            start = code
        elif not inside and start:
            found.append(f"{chr(start)}-{chr(code - 1)}")
            start = 0
    return "".join(found) + "\u00ad\u200c\u200d"


class Script(Enum):
    """The characters that a pattern must know. A pattern with fewer is compiled and matched faster."""

    PLAIN = "ASCII"
    SPACED = "words between spaces"
    MARKED = "the same, with the combining marks of any script"
    UNSPACED = "words without spaces between them"


@cache
def _marked_or_unspaced() -> re.Pattern[str]:
    return re.compile(f"(?![{_COMMON_MARKS}])[{UNSPACED}{marks()}]")


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of a language that shape its pattern. Most languages share one; compiling it takes 20 ms."""

    stop_attached: bool
    ordinals: bool
    elision: bool
    hyphens: str
    language: str  # empty unless it has rules of its own
    own_words: tuple[str, ...] = ()


# Scripts without spaces, or with marks of their own, have none of these habits. One pattern serves them in
# all languages.
_GENERAL = Habits(stop_attached=True, ordinals=False, elision=False, hyphens="keep", language="")


def _habits(spelling: LanguageProfile) -> Habits:
    own = spelling.language if spelling.language in _OWN_RULES else ""
    return Habits(
        spelling.stop_attached,
        spelling.ordinals,
        spelling.elision,
        spelling.hyphens,
        own,
        spelling.own_words,
    )


class Tokeniser:
    """Splits sentences of one language into tokens. It takes whole sentences, to know which stop is final."""

    def __init__(
        self,
        spelling: LanguageProfile,
        cutter_of: Callable[[str, str], RunCutter | None] = cutter_of,  # for scripts without spaces
    ) -> None:
        self._profile = spelling
        self._habits = _habits(spelling)
        self._cutter_of = cutter_of

    def forms(self, sentence: str) -> list[str]:
        """The tokens of a sentence with single spaces. A form keeps the space before it."""
        if len(sentence) > LONG_PIECE and _LONG_RUN.search(sentence):
            return self._slices(sentence)
        found = self._positions(sentence)(sentence)
        return [*found[:-2], *self.final_word(*found[-2:])] if found[-1] == "." and len(found) > 1 else found

    def inner_forms(self, piece: str) -> list[str]:
        """The tokens of a piece without white space that does not end a sentence."""
        if len(piece) >= LONG_PIECE:
            return self._slices(piece)
        follower = f"{piece} x"  # patterns look only at whether something follows
        return self._positions(piece)(follower)[:-1]

    def _positions(self, text: str) -> Callable[[str], list[str]]:
        """The function that finds the tokens of a text, by its script.

        The ASCII pattern is a fifth faster for sentences, but pieces are not worth the 6 ms to compile it.
        """
        if text.isascii():
            return self._plain if " " in text or not text.isprintable() else self._spaced
        if not _marked_or_unspaced().search(text):
            return self._spaced
        return self._unspaced if UNSPACED_LETTER.search(text) else self._marked

    @cached_property
    def _plain(self) -> Callable[[str], list[str]]:
        return _pattern(self._habits, Script.PLAIN).findall

    @cached_property
    def _spaced(self) -> Callable[[str], list[str]]:
        return _pattern(self._habits, Script.SPACED).findall

    @cached_property
    def _marked(self) -> Callable[[str], list[str]]:
        return _pattern(_GENERAL, Script.MARKED).findall

    @cached_property
    def _unspaced(self) -> Callable[[str], list[str]]:
        pieces = _pattern(_GENERAL, Script.UNSPACED).findall
        return lambda text: self._words_of_runs(pieces(text))

    def _words_of_runs(self, pieces: list[str]) -> list[str]:
        """Join neighbours of a script without spaces, and cut them into words."""
        found: list[str] = []
        run: list[str] = []
        for piece in [*pieces, " "]:
            begin = piece[0] == " "  # a space stands before the first of a run
            inside = piece[-1] != "." and UNSPACED_LETTER.match(piece, begin) is not None
            if piece == NO_WIDTH and run:
                run.append(piece)
                continue
            if run and (begin or not inside):
                found += self._words_of_run(run)
                run = []
            if inside:
                run.append(piece)
            else:
                found.append(piece)
        return found[:-1]

    def _words_of_run(self, pieces: list[str]) -> list[str]:
        run = "".join(pieces)
        text = run.lstrip(" ")
        cutter = self._cutter_of(text, self._profile.language)
        if cutter is None:
            return pieces
        words: list[str] = []
        for part in _ENDED_PARTS.findall(text):
            letters = part.rstrip(NO_WIDTH)
            words += cutter.cut(letters)
            words[-1] += part[len(letters) :]
        return [run[: len(run) - len(text)] + words[0], *words[1:]]

    def _slices(self, sentence: str) -> list[str]:
        """Split hostile text anywhere, because looking ahead in it would take the square of its length."""
        return [form for piece in _SLICE.findall(sentence) for form in self.forms(piece)]

    def final_word(self, word: str, stop: str) -> list[str]:
        """The last word of a sentence and its stop. They are one token if the word is an abbreviation."""
        if stop == "." and self._profile.stop_attached and is_abbreviation(word.lstrip(" "), self._profile):
            return [f"{word}."]
        return [word, stop]


class CutPieces(dict[str, str]):
    """Pieces of text as delimited text. When full, it is emptied, as frequent pieces soon return.

    A piece that ends a sentence or a paragraph has SENTENCE or PASSAGE at its end.
    """

    def __init__(self, tokeniser: Tokeniser) -> None:
        super().__init__()
        self._tokeniser = tokeniser

    def __missing__(self, piece: str) -> str:
        core, last = piece[:-1], piece[-1]
        if last in _ENDS:
            cut = self._final(core) + last
        elif last in _STOPS_APART and _is_word(core):
            cut = f"{core}{GLUE}{last}"
        elif _is_word(piece):
            cut = piece
        else:
            cut = GLUE.join(self._tokeniser.inner_forms(piece))
        if len(piece) <= _LONGEST_KEPT:
            if len(self) >= _MOST_PIECES:
                self.clear()
            self[piece] = cut
        return cut

    def _final(self, piece: str) -> str:
        if not piece or _is_word(piece):
            return piece
        core, last = piece[:-1], piece[-1]
        if last in _FINAL_STOPS and _is_word(core):
            return GLUE.join(self._tokeniser.final_word(core, last))
        return GLUE.join(self._tokeniser.forms(piece))


def _is_word(text: str) -> bool:
    """Whether the text is surely one token: only letters, or only digits."""
    if text.isascii():
        return (text.isalpha() or text.isdigit()) and len(text) < LONG_PIECE
    return text.isalpha() and max(text) < _FIRST_UNSPACED and len(text) < LONG_PIECE


@cache
def _pattern(profile: Habits, script: Script) -> re.Pattern[str]:
    """The pattern of one token with the space before it. The most frequent kinds of tokens come first."""
    plain = script is Script.PLAIN
    marked = marks() if script in {Script.MARKED, Script.UNSPACED} else "" if plain else _COMMON_MARKS
    unspaced = UNSPACED if script is Script.UNSPACED else ""
    letter = f"(?:[^\\W\\d_{unspaced}]|[{marked}])" if marked else r"[^\W\d_]"
    word = f"(?:(?![{UNSPACED}])[\\w{marked}])++" if unspaced else f"[\\w{marked}]++"
    joiners = "['’`\u02bc\u05f3\u05f4·&]" if not profile.elision else "[`&·]"
    if profile.hyphens == "keep":
        joiners = joiners[:-1] + "\u2010\u2011-]"
    inner = f"{word}(?:{joiners}{word})*+"
    alternatives = [
        *profile.own_words,
        *(
            [f"[{_HAN}]", _THAI_ABBREVIATION] if unspaced else _COMMON
        ),  # a look ahead for addresses at every sign is slow
        rf"(?=[\w.+%-]\S*[@./]\w)(?:{'|'.join(_ADDRESSES)})",
        f"[@#]{word}(?:-{word})*",
        r"(?:&(?:#\d{1,6}|#x[\da-fA-F]{1,6}|[a-zA-Z]{2,8});)+",
        _EMOTICON,
        *([] if plain else [_EMOJI]),
        *_with_stops(profile, letter),
        _number(profile, letter),
        *([_FRENCH_CLITICS] if profile.language == "fr" else []),
        *_words(profile, inner, word),
        *(_clusters(marked) if unspaced else []),
        r"\.{2,}|…+|-{2,}|–{2,}|!+\?*|\?+!*|``|''|,,|\*{2,}|={2,}|_{2,}|~{2,}|#{2,}|\${2,}|\+{2,}|<{2,}|>{2,}",
        r"[^\s]",
    ]
    return re.compile(f" ?(?:{'|'.join(alternatives)})", re.ASCII if plain else 0)


def _clusters(marked: str) -> tuple[str, ...]:
    """Tokens of scripts without spaces."""
    return (
        f"[{_HAN}]|[{_KATAKANA}]+|[{_HIRAGANA}]+",
        f"[\u0e40-\u0e44\u0ec0-\u0ec4]?[{_THAI}](?:[{marked}\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3])*",
        f"[{_BURMESE_KHMER}](?:[{marked}])*",
    )


def _with_stops(profile: Habits, letter: str) -> list[str]:
    """Abbreviations and ordinal numbers inside a sentence, whose stop belongs to the token."""
    inner = rf"{letter}++(?:\.{letter}++)++(?=\.|$|\W)"
    if not profile.stop_attached:
        return [inner]
    # A longer word before such a stop is more often an error of the text than an abbreviation. Those of
    # several parts ("f.eks.", "o.s.frv.") have at most four letters a part: 23 of 23 in treebanks of Danish,
    # Icelandic, Norwegian and Swedish.
    goes_on = "(?=[,;:]| (?=.))"
    parts = rf"{letter}{{1,4}}(?:\.{letter}{{1,4}})++\.{goes_on}"
    initials = rf"(?:{letter}\.-?){{2,}}(?:{letter}(?![\w.]))?"
    found = [parts, initials, rf"{letter}{{1,6}}\.{goes_on}", inner]
    found = [rf"(?={letter}++\.)(?:{'|'.join(found)})"]  # most words fail this look ahead at once
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
        prefixes = "|".join(ENGLISH_PREFIXES)
        return [rf"(?=\w{{1,7}}-)(?i:{prefixes})-{inner}(?!-\w)", inner]
    if profile.language == "hu":  # the question particle -e, and "élelmiszer- és húsipar"
        return [r"-e(?!\w)", rf"{inner}-(?=,?$)", inner]
    return [inner]


def _number(profile: Habits, letter: str) -> str:
    """Numbers with what is joined to them (1,000.50, 3rd, 25-metarskim, 1996'da), and ranges."""
    digits = r"\d+(?:[.,:/'’]\d+)*+"
    sign = r"(?:(?<![\w)])[+-])?"
    ending = f"(?:{letter}+)?" if profile.elision else f"(?:['’]?{letter}+)?"
    if profile.hyphens == "keep":
        return rf"{sign}{digits}(?:[-–]{digits})*+(?:[-–]{letter}+|{ending})"
    telephone = r"\d{3}-\d{3}-\d{4}|\d{3}-\d{4}(?!\d)"
    return rf"{telephone}|{sign}{digits}{ending}"


def is_abbreviation(form: str, profile: LanguageProfile) -> bool:
    """Whether a form is a known abbreviation or a single capital letter."""
    if len(form) == 1:
        return form.isalpha() and (form.isupper() or form in profile.abbreviations)
    return form.lower() in profile.abbreviations
