"""Cuts a paragraph into sentences of tokens; where a sentence may end, a small trained table decides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from threadmill.corpus.languages import Profile, profile
from threadmill.corpus.pieces import Ending, Opening, Piece
from threadmill.types import Token

# A piece costs about 1 kB; a corpus of one language repeats its commonest pieces for ever.
_MOST_PIECES = 40_000
_MOST_DECISIONS = 200_000
_START = Ending("^", "", "", False, "", "")
_END = Opening("$", "", "", False)


class _Pieces(dict[str, Piece]):
    """Analysed pieces by their text; forgets everything when full, since the commonest are soon back."""

    def __init__(self, spelling: Profile) -> None:
        super().__init__()
        self._profile = spelling

    def __missing__(self, text: str) -> Piece:
        if len(self) >= _MOST_PIECES:
            self.clear()
        piece = self[text] = Piece(text, self._profile)
        return piece


def situation(
    before: Ending, left: Ending, right: Opening, after: Opening, state: tuple[str, int, int]
) -> Iterator[str]:
    """The features of a place between two pieces, words apart; state is (length so far, open quote, depth)."""
    length, quote, depth = state
    stop = left.stop + left.closer
    head = right.opener + right.shape
    yield f"a{stop}"
    yield f"b{stop}|{head}"
    yield f"c{stop}|{left.shape}{int(left.known)}|{right.shape}"
    yield f"d{stop}|{left.size}{int(left.known)}|{right.shape}"
    yield f"e{stop}|{head}|{right.rank}"
    yield f"f{stop}|{left.rank}|{right.shape}|{right.rank}"
    yield f"g{stop}|{before.shape}|{left.shape}|{right.shape}"
    yield f"h{stop}|{head}|{after.shape}"
    yield f"i{stop}|{left.shape}|{right.shape}{right.rank}|{after.shape}{after.rank}"
    yield f"j{stop}|{length}|{right.shape}"
    yield f"k{stop}|{quote}|{head}"
    yield f"l{stop}|{depth}|{head}"
    yield f"m{stop}|{before.stop}|{right.shape}"
    yield f"n{stop}|{length}|{left.shape}|{right.shape}"


def words(left: Piece, right: Piece) -> Iterator[str]:
    """The features that are words."""
    stop = left.ending.stop + left.ending.closer
    yield f"v{left.word}|{stop}|{right.opening.shape}"
    yield f"w{right.lexical}|{right.opening.shape}|{int(left.plain)}"


def length_step(pieces: int) -> str:
    """How long the sentence is so far, in steps."""
    return "1" if pieces == 1 else "2" if pieces == 2 else "4" if pieces <= 4 else "8" if pieces <= 8 else "9"


class Splitter:
    """Sentences and tokens of one language; keep one and feed it paragraphs."""

    def __init__(self, language: str = "") -> None:
        self._profile = profile(language)
        self._pieces = _Pieces(self._profile)
        self._weights, self._bias = _weights()
        self._decisions: dict[tuple[object, ...], float] = {}

    def split(self, text: str) -> list[list[Token]]:
        """The sentences of a paragraph; white space runs count as one space."""
        pieces = list(map(self._pieces.__getitem__, text.split()))
        sentences: list[list[Token]] = []
        tokens: list[Token] = []
        boundaries = self._boundaries(pieces)
        boundaries.append(len(pieces) - 1)
        ends = iter(boundaries)
        end = next(ends)
        for at, piece in enumerate(pieces):
            if at == end:
                tokens += piece.final
                sentences.append(tokens)
                tokens = []
                end = next(ends, -1)
            else:
                tokens += piece.inside
        return sentences

    def _boundaries(self, pieces: list[Piece]) -> list[int]:
        found: list[int] = []
        start = quotes = depth = 0
        for at, (left, right) in enumerate(zip(pieces, pieces[1:], strict=False)):
            quotes ^= left.quotes
            depth += left.depth
            if left.plain and not right.starts:
                continue
            state = (length_step(at - start + 1), quotes, (depth > 0) - (depth < 0))
            if self._score(pieces, at, state) > 0:
                found.append(at)
                start, quotes, depth = at + 1, 0, 0
        return found

    def _score(self, pieces: list[Piece], at: int, state: tuple[str, int, int]) -> float:
        left, right = pieces[at], pieces[at + 1]
        before = pieces[at - 1].ending if at else _START
        after = pieces[at + 2].opening if at + 2 < len(pieces) else _END
        key = (before, left.ending, right.opening, after, state)
        score = self._decisions.get(key)
        if score is None:
            if len(self._decisions) >= _MOST_DECISIONS:
                self._decisions.clear()
            score = self._decisions[key] = self._bias + self._sum(situation(*key))
        return score + self._sum(words(left, right))

    def _sum(self, features: Iterator[str]) -> float:
        get, language = self._weights.get, f"@{self._profile.language}"
        return sum(get(f, 0.0) + get(language + f, 0.0) for f in features)


def candidates(pieces: list[Piece]) -> Iterator[int]:
    """Places that are looked at."""
    for at, (left, right) in enumerate(zip(pieces, pieces[1:], strict=False)):
        if not left.plain or right.starts:
            yield at


@cache
def _weights() -> tuple[dict[str, float], float]:
    text = files("threadmill.corpus").joinpath("data/sentences.json").read_text(encoding="utf-8")
    table = json.loads(text)
    return {feature: weight / 100 for feature, weight in table["weights"].items()}, table["bias"]
