"""What a piece of text between two white spaces is like as the end or the beginning of a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from threadmill.corpus.languages import Profile

# Stops of other scripts are as good as ours: Devanagari, Arabic, Armenian, Ethiopic, Khmer, Burmese, CJK.
STRONG_STOPS = "!?‼⁇⁈⁉؟۔։።។၊။।॥。！？｡"
_OPENERS = "\"'`«»“”„‘’‚‹›([{<¿¡—–‒―-•*·▪►■…."
_CLOSERS = "\"'`«»“”‘’‹›)]}>*"
_TAIL = re.compile(
    rf"([.…]+|[{STRONG_STOPS}]+[.…]*|[:;,]|[—–-]+)?([{re.escape(_CLOSERS)}]*)([.…{STRONG_STOPS}]?)$"
)
AROUND = _OPENERS + _CLOSERS + ".,;:!?…"
_ROMAN = re.compile(r"[IVXLC]+")


# A few words of a language make up most of its text; these many cost about 2 MB.
_MOST_PIECES = 15_000


class Ending(NamedTuple):
    """What a sentence would end in if it ended after this piece."""

    stop: str  # "." ".." "!" "?" ":" ";" "," "-" or nothing
    closer: str  # q quote, p parenthesis, m more than one, nothing
    shape: str  # of the word before it
    known: bool  # a known abbreviation
    size: str
    rank: str


class Opening(NamedTuple):
    """What a sentence would begin with if it began at this piece."""

    opener: str
    shape: str
    rank: str
    bare: bool  # nothing but punctuation


class End:
    """A piece as the end of a sentence, words apart; shared by all alike, with numbers for its parts."""

    __slots__ = ("before", "ending", "left", "plain", "stop", "tail")

    def __init__(self, ending: Ending) -> None:
        self.ending = ending
        self.plain = not ending.stop and not ending.closer
        self.stop = ending.stop + ending.closer
        self.left = _number(ending)
        self.tail = _number((self.stop, ending.shape))
        self.before = _number((ending.shape, ending.stop))


class Begin:
    """A piece as the beginning of a sentence."""

    __slots__ = ("after", "head", "opening", "right", "starts")

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.starts = opening.shape != "l" or bool(opening.opener)
        self.right = _number(opening)
        self.head = _number((opening.opener + opening.shape, ""))
        self.after = _number((opening.shape, opening.rank))


_NUMBERS: dict[tuple[object, ...], int] = {}


def _number(part: tuple[object, ...]) -> int:
    """A small number for a value, the same for the life of the process; there are some thousands at most."""
    return _NUMBERS.setdefault(part, len(_NUMBERS))


@cache
def end_of(ending: Ending) -> End:
    """The one End of these parts."""
    return End(ending)


@cache
def begin_of(opening: Opening) -> Begin:
    """The one Begin of these parts."""
    return Begin(opening)


class Ends(dict[str, End]):
    """Ends by the text of the piece; forgets all when full, since the commonest are soon back."""

    def __init__(self, spelling: Profile) -> None:
        super().__init__()
        self._profile = spelling

    def __missing__(self, text: str) -> End:
        if len(self) >= _MOST_PIECES:
            self.clear()
        found = self[text] = end_of(self._ending(text))
        return found

    def _ending(self, text: str) -> Ending:
        if text.isalpha():
            return self._of_word(text, "")
        stop, core = text[-1], text[:-1]
        return (
            self._of_word(core, stop) if stop in ".,;:!?" and core.isalpha() else _ending(text, self._profile)
        )

    def _of_word(self, core: str, stop: str) -> Ending:
        """Of a word, perhaps with one stop after it."""
        word, spelling = core.lower(), self._profile
        form = "l" if core == word and core[0].islower() else shape(core)
        size = str(min(6, len(core)))
        return Ending(stop, "", form, word in spelling.abbreviations, size, spelling.steps.get(word, "e"))


class Begins(dict[str, Begin]):
    """Beginnings by the text of the piece."""

    def __init__(self, spelling: Profile) -> None:
        super().__init__()
        self._steps = spelling.steps

    def __missing__(self, text: str) -> Begin:
        if len(self) >= _MOST_PIECES:
            self.clear()
        found = self[text] = begin_of(self._opening(text))
        return found

    def _opening(self, text: str) -> Opening:
        if text.islower() and text.isalpha() and text[0].islower():
            return Opening("", "l", self._steps.get(text, "e"), False)
        return _opening(text, self._steps)


def bare_word(text: str) -> str:
    """The word of a piece in lower case, without the punctuation around it."""
    return text.lower() if text.isalpha() else text.strip(AROUND).lower()


def _ending(text: str, profile: Profile) -> Ending:
    match = _TAIL.search(text)
    stop, closers, after = match.groups("") if match else ("", "", "")
    stop = stop or after
    core = text[: match.start() if match else len(text)]
    word = core.lstrip(_OPENERS)
    lowered = word.lower()
    return Ending(
        stop=_stop(stop, len(text) == len(stop)),
        closer=_closer(closers),
        shape=shape(word),
        known=lowered in profile.abbreviations,
        size=str(min(len(word), 6)),
        rank=profile.steps.get(lowered, "e"),
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


def _opening(text: str, steps: Mapping[str, str]) -> Opening:
    word = text.lstrip(_OPENERS)
    lead, word = text[: len(text) - len(word)], word.rstrip(AROUND)
    opener = ""
    if lead:
        opener = (
            "p" if lead[0] in "([{<" else "d" if lead[0] in "—–‒―-•*·▪►■" else "s" if lead[0] in "…." else "q"
        )
    return Opening(opener, shape(word), steps.get(word.lower(), "e"), not word)


def shape(word: str) -> str:
    """U Upper, A ALL CAPS, I one capital, l lower, 0 digit, r roman, . inner stop, o no case, x no word."""
    first = word[:1]
    if first.isdigit():
        return "0" if word.isdigit() else "9"
    if first.islower():
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
