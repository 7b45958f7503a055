"""A piece of text between two white spaces, analysed once: its positions, and how it may begin or end a sentence."""

from __future__ import annotations

import re
from typing import NamedTuple

from threadmill.corpus.languages import Profile
from threadmill.corpus.tokens import cut
from threadmill.types import Token

# Full stops of other scripts are as good as ours: Devanagari, Arabic, Armenian, Ethiopic, Khmer, Burmese, CJK.
STRONG_STOPS = "!?‼⁇⁈⁉؟۔։።។၊။।॥。！？｡"
_OPENERS = "\"'`«»“”„‘’‚‹›([{<¿¡—–‒―-•*·▪►■…."
_CLOSERS = "\"'`«»“”‘’‹›)]}>*"
_TAIL = re.compile(rf"([.…]+|[{STRONG_STOPS}]+[.…]*|[:;,]|[—–-]+)?([{re.escape(_CLOSERS)}]*)([.…{STRONG_STOPS}]?)$")
_HEAD = re.compile(rf"[{re.escape(_OPENERS)}]*")
_ROMAN = re.compile(r"[IVXLC]+")
_RANKS = ((30, "a"), (150, "b"), (500, "c"), (1500, "d"))


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


class Piece:
    """A piece and all that is ever asked of it; kept and shared, so never changed."""

    __slots__ = ("depth", "ending", "final", "inside", "lexical", "opening", "plain", "quotes", "starts", "word")

    def __init__(self, text: str, profile: Profile) -> None:
        forms = cut(text, profile)
        self.final = _tokens(forms)
        self.inside = _tokens(_joined(forms, profile))
        self.word, self.ending = _ending(text, profile)
        self.lexical, self.opening = _opening(text, profile)
        self.plain = not self.ending.stop and not self.ending.closer
        self.starts = self.opening.shape != "l" or bool(self.opening.opener)
        self.quotes = text.count('"') & 1
        self.depth = text.count("(") - text.count(")") if "(" in text or ")" in text else 0


def _tokens(forms: list[str]) -> tuple[Token, ...]:
    return (*(Token(form, False) for form in forms[:-1]), Token(forms[-1]))


def _joined(forms: list[str], profile: Profile) -> list[str]:
    """The positions if no sentence ends here: the full stop then belongs to the word or the ordinal number."""
    if len(forms) < 2 or forms[-1] != "." or not profile.stop_attached:
        return forms
    before = forms[-2]
    number = before.isdigit() and profile.ordinals or bool(_ROMAN.fullmatch(before)) and profile.ordinals
    if number or (before.isalpha() and len(before) <= 6):
        return [*forms[:-2], before + "."]
    return forms


def _ending(text: str, profile: Profile) -> tuple[str, Ending]:
    match = _TAIL.search(text)
    stop, closers, after = match.groups() if match else ("", "", "")
    stop = stop or ""
    if not stop and after:
        stop, closers, after = after, closers, ""
    core = text[: match.start() if match else len(text)]
    word = core.lstrip(_OPENERS)
    lowered = word.lower()
    kind = Ending(
        stop=_stop(stop, len(text) == len(stop)),
        closer=_closer(closers),
        shape=shape(word),
        known=lowered in profile.abbreviations,
        size=str(min(len(word), 6)),
        rank=rank(lowered, profile),
    )
    return lowered, kind


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


def _opening(text: str, profile: Profile) -> tuple[str, Opening]:
    match = _HEAD.match(text)
    cut_at = match.end() if match else 0
    lead, word = text[:cut_at], text[cut_at:].rstrip(_CLOSERS + ".,;:!?…")
    lowered = word.lower()
    opener = ""
    if lead:
        opener = "p" if lead[0] in "([{<" else "d" if lead[0] in "—–‒―-•*·▪►■" else "s" if lead[0] in "….," else "q"
    return lowered, Opening(opener, shape(word), rank(lowered, profile), not word)


def shape(word: str) -> str:
    """U Upper, A ALL CAPS, I one capital, l lower, 0 digit, r roman number, . inner stop, o no case, x no word."""
    if not word:
        return "x"
    first = word[0]
    if first.isdigit():
        return "0" if word.isdigit() else "9"
    if not first.isalpha():
        return "x"
    if first.islower():
        return "." if "." in word else "l"
    if not first.isupper():
        return "o"
    if "." in word:
        return ":"
    if len(word) == 1:
        return "I"
    if _ROMAN.fullmatch(word):
        return "r"
    return "A" if word.isupper() else "U"


def rank(word: str, profile: Profile) -> str:
    """How common a word is, in five steps."""
    at = profile.ranks.get(word, 1 << 30)
    return next((name for limit, name in _RANKS if at < limit), "e")
