"""What a piece of text between two white spaces is like as the end or the beginning of a sentence."""

from __future__ import annotations

import re
from typing import NamedTuple

from threadmill.corpus.languages import Profile

# Stops of other scripts are as good as ours: Devanagari, Arabic, Armenian, Ethiopic, Khmer, Burmese, CJK.
STRONG_STOPS = "!?‼⁇⁈⁉؟۔։።។၊။।॥。！？｡"
_OPENERS = "\"'`«»“”„‘’‚‹›([{<¿¡—–‒―-•*·▪►■…."
_CLOSERS = "\"'`«»“”‘’‹›)]}>*"
_TAIL = re.compile(
    rf"([.…]+|[{STRONG_STOPS}]+[.…]*|[:;,]|[—–-]+)?([{re.escape(_CLOSERS)}]*)([.…{STRONG_STOPS}]?)$"
)
_AROUND = _OPENERS + _CLOSERS + ".,;:!?…"
_ROMAN = re.compile(r"[IVXLC]+")


# A few words of a language make up most of its text; these many cost about 2 MB each.
_MOST_KINDS = 15_000
_MOST_CODES = 20_000


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


class Kind:
    """What the splitter asks of a piece, words apart; shared by all alike, with numbers for its parts."""

    __slots__ = (
        "after",
        "before",
        "counts",
        "depth",
        "ending",
        "head",
        "left",
        "opening",
        "plain",
        "quotes",
        "right",
        "starts",
        "stop",
        "tail",
    )

    def __init__(self, ending: Ending, opening: Opening, quotes: int, depth: int) -> None:
        self.ending = ending
        self.opening = opening
        self.quotes = quotes  # straight ones, odd or even
        self.depth = depth  # of parentheses: opened less closed
        self.counts = bool(quotes or depth)
        self.plain = not ending.stop and not ending.closer
        self.starts = opening.shape != "l" or bool(opening.opener)
        self.stop = ending.stop + ending.closer
        self.left = _number(ending)
        self.right = _number(opening)
        self.tail = _number((self.stop, ending.shape))
        self.head = _number((opening.opener + opening.shape, ""))
        self.before = _number((ending.shape, ending.stop))
        self.after = _number((opening.shape, opening.rank))


_NUMBERS: dict[tuple[object, ...], int] = {}
_KINDS: dict[tuple[object, ...], Kind] = {}


def _number(part: tuple[object, ...]) -> int:
    """A small number for a value, the same for the life of the process; there are some thousands at most."""
    return _NUMBERS.setdefault(part, len(_NUMBERS))


def kind_of(ending: Ending, opening: Opening, quotes: int = 0, depth: int = 0) -> Kind:
    """The one Kind of these parts."""
    key = (ending, opening, quotes, depth)
    kind = _KINDS.get(key)
    if kind is None:
        kind = _KINDS[key] = Kind(ending, opening, quotes, depth)
    return kind


class Kinds(dict[str, Kind]):
    """Kinds by the text of the piece; forgets all when full, since the commonest are soon back."""

    def __init__(self, spelling: Profile) -> None:
        super().__init__()
        self._profile = spelling
        self._of_words: dict[tuple[object, ...], Kind] = {}

    def __missing__(self, text: str) -> Kind:
        if len(self) >= _MOST_KINDS:
            self.clear()
        kind = self[text] = self._kind(text)
        return kind

    def _kind(self, text: str) -> Kind:
        if text.isalpha():
            return self._of_word(text, "")
        stop, core = text[-1], text[:-1]
        if stop in ".,;:!?" and core.isalpha():
            return self._of_word(core, stop)
        quotes, depth = text.count('"') & 1, text.count("(") - text.count(")")
        return kind_of(
            _ending(text, self._profile), _opening(text, self._profile), quotes, max(-2, min(depth, 2))
        )

    def _of_word(self, core: str, stop: str) -> Kind:
        """The kind of a word, perhaps with one stop after it."""
        word = core.lower()
        spelling = self._profile
        step = spelling.steps.get(word, "e")
        form = "l" if core == word and core[0].islower() else shape(core)
        key = (form, word in spelling.abbreviations, min(6, len(core)), step, stop)
        kind = self._of_words.get(key)
        if kind is None:
            ending = Ending(stop, "", form, key[1], str(key[2]), step)
            kind = self._of_words[key] = kind_of(ending, Opening("", form, step, False))
        return kind


class Codes(dict[str, str]):
    """One letter a piece, so that a pattern over the letters of a paragraph finds where it may be cut.

    l: a plain word in small letters; s: may begin a sentence; n: may end one; b: both.
    """

    def __init__(self, kinds: Kinds) -> None:
        super().__init__()
        self._kinds = kinds

    def __missing__(self, text: str) -> str:
        if len(self) >= _MOST_CODES:
            self.clear()
        code = self[text] = self._code(text)
        return code

    def _code(self, text: str) -> str:
        if text.islower() and text.isalpha():
            return "l"
        kind = self._kinds[text]
        if kind.plain:
            return "s" if kind.starts else "l"
        return "b" if kind.starts else "n"


def bare_word(text: str) -> str:
    """The word of a piece in lower case, without the punctuation around it."""
    return text.strip(_AROUND).lower()


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


def _opening(text: str, profile: Profile) -> Opening:
    word = text.lstrip(_OPENERS)
    lead, word = text[: len(text) - len(word)], word.rstrip(_AROUND)
    opener = ""
    if lead:
        opener = (
            "p" if lead[0] in "([{<" else "d" if lead[0] in "—–‒―-•*·▪►■" else "s" if lead[0] in "…." else "q"
        )
    return Opening(opener, shape(word), profile.steps.get(word.lower(), "e"), not word)


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
