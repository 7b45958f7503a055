"""Describes a piece of text (between two spaces) as a possible end or beginning of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping
from typing import NamedTuple

from threadmill.corpus.text.delimited_text import PASSAGE
from threadmill.corpus.text.languages import LanguageProfile

# Sentence stops of all scripts: Latin, Arabic, Armenian, Ethiopic, Khmer, Burmese, Devanagari, CJK.
STRONG_STOPS = "!?‼⁇⁈⁉؟۔։።។၊။।॥。！？｡"
_OPENERS = "\"'`«»“”„‘’‚‹›([{<¿¡—–‒―-•*·▪►■…."
OPENING_DASHES = "—–‒―-•*·▪►■"
_CLOSERS = "\"'`«»“”‘’‹›)]}>*"
_TAIL = re.compile(
    rf"([.…]+|[{STRONG_STOPS}]+[.…]*|[:;,]|[—–-]+)?([{re.escape(_CLOSERS)}]*)([.…{STRONG_STOPS}]?)$"
)
AROUND = _OPENERS + _CLOSERS + ".,;:!?…"
_AROUND = AROUND + PASSAGE
_FULL_STOPS, _WEAK_STOPS = (".", "…"), ":;,—–-"
_STOPS = ".,;:!?"  # an empty string counts as contained, too
_ROMAN = re.compile(r"[IVXLC]+")
# A sign that was encoded twice, as in feeds. Nearly all of them are quotes and apostrophes.
_ENCODED = re.compile(r"&#?\w{2,8};")


# Pieces that are remembered. A few words make up most of a text; so many need about 2 MB.
_MOST_PIECES = 15_000


class Ending(NamedTuple):
    """The features of a piece as the last one of a sentence."""

    stop: str  # "." ".." "!" "?" ":" ";" "," "-" or empty
    closer: str  # q quote, p parenthesis, m several, or empty
    shape: str  # of the word before the stop
    known: bool  # whether the word is a known abbreviation
    size: str
    rank: str


class Opening(NamedTuple):
    """The features of a piece as the first one of a sentence."""

    opener: str
    shape: str
    rank: str


class End:
    """A piece as the end of a sentence. Pieces with equal features share it; numbers stand for its parts."""

    __slots__ = ("before", "ending", "left", "of_word", "plain", "stop", "tail")

    def __init__(self, ending: Ending, of_word: Mapping[str, int] | None = None) -> None:
        self.ending = ending
        self.plain = not ending.stop and not ending.closer
        self.stop = ending.stop + ending.closer
        self.left = _number(ending)
        self.tail = _number((self.stop, ending.shape))
        self.before = _number((ending.shape, ending.stop))
        self.of_word = of_word  # weights of this word, by the shape of the next word


class Begin:
    """A piece as the beginning of a sentence."""

    __slots__ = (
        "after", "head", "never_after_comma", "never_after_word", "of_word", "opening", "right", "starts",
    )  # fmt: skip

    def __init__(self, opening: Opening, of_word: tuple[int, int] = (0, 0)) -> None:
        self.opening = opening
        self.starts = opening.shape != "l" or bool(opening.opener)
        self.right = _number(opening)
        self.head = _number((opening.opener + opening.shape, ""))
        self.after = _number((opening.shape, opening.rank))
        self.of_word = of_word  # weights of this word: after punctuation, and without
        self.never_after_comma = self.never_after_word = False


_NUMBERS: dict[tuple[object, ...], int] = {}


def _number(part: tuple[object, ...]) -> int:
    """A small number for a value, the same during the life of the process. There are some thousands."""
    return _NUMBERS.setdefault(part, len(_NUMBERS))


NO_END = End(Ending("^", "", "", False, "", ""))
NO_BEGIN = Begin(Opening("$", "", ""))
Words = MutableMapping[str, dict[str, int]]  # weights of words: word → other features → weight
IsHopeless = Callable[[str, Opening], bool]  # (stop, opening) → whether no sentence begins so


def of_last_word(stop: str, shape: str) -> str:
    """The key of a last word's weight: its stop, and the shape of the word after it."""
    return f"{stop}|{shape}"


def of_first_word(shape: str, plain: bool) -> str:
    """The key of a first word's weight: its shape, and whether no punctuation stands before it."""
    return f"{shape}|{plain:d}"


class Ends(dict[str, End]):
    """Ends by the text of the piece. When full, it is emptied, as frequent pieces soon return."""

    def __init__(self, spelling: LanguageProfile, last_words: Words | None = None) -> None:
        super().__init__()
        self._profile = spelling
        self._last_words = last_words or {}
        self._rare: dict[tuple[str, str, int], End] = {}
        self._others: dict[tuple[Ending, str | None], End] = {}

    def __missing__(self, text: str) -> End:
        if len(self) >= _MOST_PIECES:
            self.clear()
        found = self[text] = self._found(text)
        return found

    def _found(self, text: str) -> End:
        stop, core = "", text
        if not text[-1].isalnum():
            stop, core = text[-1], text[:-1]
            if stop == PASSAGE:  # it is the end of another paragraph
                return NO_END
        is_plain = core[:1].isalnum() and core[-1].isalnum() and stop in _STOPS
        if not is_plain or (stop == ";" and "&" in core):
            return self._shared(_ending(text, self._profile), bare_word(text))
        return self._of_word(core, stop)

    def _of_word(self, core: str, stop: str) -> End:
        """The end of a word or number with at most one stop. Most new words are rare and share an end."""
        word, spelling = core.lower(), self._profile
        form, size = shape(core), min(6, len(core))
        known = word in spelling.abbreviations
        if known or word in spelling.steps or word in self._last_words:
            rank = spelling.steps.get(word, "e")
            return self._shared(Ending(stop, "", form, known, str(size), rank), word)
        found = self._rare.get((stop, form, size))
        if found is None:
            found = self._shared(Ending(stop, "", form, False, str(size), "e"), None)
            self._rare[stop, form, size] = found
        return found

    def _shared(self, ending: Ending, word: str | None) -> End:
        weights = self._last_words.get(word) if word is not None else None
        key = (ending, word if weights else None)
        found = self._others.get(key)
        if found is None:
            stop = of_last_word(ending.stop + ending.closer, "")
            of_word = {k[len(stop) :]: w for k, w in (weights or {}).items() if k.startswith(stop)}
            found = self._others[key] = End(ending, of_word or None)
        return found


class Begins(dict[str, Begin]):
    """Beginnings by the text of the piece, which may also be the last of its paragraph."""

    def __init__(
        self,
        spelling: LanguageProfile,
        first_words: Words | None = None,
        is_hopeless: IsHopeless | None = None,
    ) -> None:
        super().__init__()
        self._steps = spelling.steps
        self._first_words = first_words or {}
        self._is_hopeless = is_hopeless
        self._others: dict[tuple[str, str, str, str | None], Begin] = {}
        self._rare: dict[str, Begin] = {}  # words and numbers that no table has, by their shape

    def __missing__(self, text: str) -> Begin:
        if len(self) >= _MOST_PIECES:
            self.clear()
        word = text.rstrip(_AROUND)
        found = self[text] = self._of_word(word) if word[:1].isalnum() else self._found(text.rstrip(PASSAGE))
        return found

    def _of_word(self, word: str) -> Begin:
        """The beginning of a word or number. Most new words are rare and share a beginning."""
        lowered, form = word.lower(), shape(word)
        if lowered in self._steps or lowered in self._first_words:
            return self._shared("", form, lowered, lowered)
        found = self._rare.get(form)
        if found is None:
            found = self._rare[form] = self._made(Opening("", form, "e"), {})
        return found

    def _found(self, text: str) -> Begin:
        word = text.lstrip(_OPENERS)
        opener, word = _opener(text[: len(text) - len(word)]), word.rstrip(AROUND)
        lowered = word.lower()
        return self._shared(opener, shape(word), lowered, lowered if word[:1].isalnum() else bare_word(text))

    def _shared(self, opener: str, form: str, word: str, bare: str) -> Begin:
        key = (opener, form, _rank(word, self._steps), bare if bare in self._first_words else None)
        found = self._others.get(key)
        if found is None:
            opening = Opening(*key[:3])
            found = self._others[key] = self._made(opening, self._first_words.get(bare, {}))
        return found

    def _made(self, opening: Opening, weights: Mapping[str, int]) -> Begin:
        after_stop, after_word = (weights.get(of_first_word(opening.shape, p), 0) for p in (False, True))
        begin = Begin(opening, (after_stop, after_word))
        if self._is_hopeless is not None:
            begin.never_after_comma = self._is_hopeless(",", opening)
            begin.never_after_word = self._is_hopeless("", opening)
        return begin


def bare_word(text: str) -> str:
    """The word of a piece in lower case, without punctuation."""
    return text.lower() if text.isalpha() else text.strip(AROUND).lower()


def _rank(word: str, steps: Mapping[str, str]) -> str:
    """The step of frequency of a word. No list has one that begins with a sign, so none is read for signs."""
    return steps.get(word, "e") if word[:1].isalnum() else "e"


def _ending(text: str, profile: LanguageProfile) -> Ending:
    text = _ENCODED.sub('"', text) if "&" in text else text
    match = None if text[-1].isalnum() else _TAIL.search(text)
    stop, closers, after = match.groups("") if match else ("", "", "")
    if not stop or (after in _FULL_STOPS and stop[0] in _WEAK_STOPS):
        stop = after
    core = text[: match.start() if match else len(text)]
    word = core.lstrip(_OPENERS)
    lowered = word.lower()
    return Ending(
        stop=_stop(stop, len(text) == len(stop)),
        closer=_closer(closers),
        shape=shape(word),
        known=lowered in profile.abbreviations,
        size=str(min(len(word), 6)),
        rank=_rank(lowered, profile.steps),
    )


def _stop(stop: str, alone: bool) -> str:
    if not stop:
        return ""
    if stop[0] in ".…":
        kind = "." if stop == "." else ".."
    elif stop[0] in "?؟？":
        kind = "?"
    elif stop[0] in ":;,":
        kind = stop[0]
    else:
        kind = "-" if stop[0] in "—–-" else "!"
    return f"{kind}_" if alone else kind


def _closer(closers: str) -> str:
    if not closers:
        return ""
    if len(closers) > 1:
        return "m"
    return "p" if closers in ")]}>" else "q"


def _opener(lead: str) -> str:
    if not lead:
        return ""
    return "p" if lead[0] in "([{<" else "d" if lead[0] in OPENING_DASHES else "s" if lead[0] in "…." else "q"


def shape(word: str) -> str:
    """The shape of a word as a letter.

    U Upper, A ALL CAPS, I one capital, l lower, : upper with inner stop, . lower with inner stop, 0 digits, 9
    digits and more, r Roman numeral, o letters without case, x no word.
    """
    first = word[:1]
    if first.isdigit():
        return "0" if word.isdigit() else "9"
    if first.islower() and not "ა" <= first <= "ჿ":  # Georgian has small letters only
        return "." if "." in word else "l"
    if not first.isupper():
        return "o" if first.isalpha() else "x"
    if "." in word:
        return ":"
    if len(word) == 1:
        return "I"
    if not word.isupper():
        return "U"
    return "r" if _ROMAN.fullmatch(word) else "A"
