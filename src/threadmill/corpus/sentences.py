"""Cuts a paragraph into sentences of tokens; where a sentence may end, a small trained table decides."""

from __future__ import annotations

import re
from itertools import pairwise

from threadmill.corpus.documents import to_tokens
from threadmill.corpus.languages import profile
from threadmill.corpus.pieces import Codes, Kinds, bare_word
from threadmill.corpus.tokens import Tokeniser
from threadmill.corpus.weighing import (
    CERTAIN,
    EDGE,
    HOPELESS,
    Words,
    of_first_word,
    of_last_word,
    scores_of,
    state_of,
)
from threadmill.types import Token

# Chinese and Japanese part sentences by these and no space.
_UP_TO_WIDE_STOP = re.compile('[^。！？｡]*[。！？｡]+[」』）〉》】”’"]*|[^。！？｡]+')


# Over the codes of pieces: one after which, or before which, a sentence may end or begin.
_MAY_END = re.compile("[bn](?=.)|.(?=[bs])").finditer

_NO_WEIGHTS: dict[str, float] = {}
_MOST_PIECES = 10_000


class _Progress:
    """How long the sentence is so far and what is open in it; looks at every piece once."""

    __slots__ = ("_begin", "_depth", "_done", "_pieces", "_quotes")

    def __init__(self, pieces: list[str]) -> None:
        self._pieces = pieces
        self.restart(0)

    def restart(self, at: int) -> None:
        """A sentence begins with this piece."""
        self._begin = self._done = at
        self._quotes = self._depth = 0

    def state(self, at: int) -> int:
        """The state of the sentence up to and with this piece."""
        part = "".join(self._pieces[self._done : at + 1])
        self._done = at + 1
        if '"' in part:
            self._quotes ^= part.count('"') & 1
        if "(" in part or ")" in part:
            self._depth += part.count("(") - part.count(")")
        return state_of(at - self._begin + 1, self._quotes, self._depth)


class _ByPiece(dict[str, dict[str, float]]):
    """Weights of the word of a piece, by the piece as it is written; forgets all when full."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, piece: str) -> dict[str, float]:
        if len(self) >= _MOST_PIECES:
            self.clear()
        found = self[piece] = self._words.get(bare_word(piece), _NO_WEIGHTS)
        return found


class Splitter:
    """Sentences and tokens of one language; keep one and feed it paragraphs."""

    def __init__(self, language: str = "") -> None:
        spelling = profile(language)
        self._kinds = Kinds(spelling)
        self._codes = Codes(self._kinds)
        self.tokenise = Tokeniser(spelling).forms  # one sentence
        self._scores = scores_of(spelling.language)
        self._last_words = _ByPiece(self._scores.last_words)
        self._first_words = _ByPiece(self._scores.first_words)

    def tokens(self, text: str) -> list[list[Token]]:
        """The sentences of a paragraph as tokens; white space runs count as one space."""
        sentences = self.forms(text)
        following = [forms[0][0] == " " for forms in sentences[1:]]
        return [to_tokens(f, space) for f, space in zip(sentences, [*following, True], strict=False)]

    def forms(self, text: str) -> list[list[str]]:
        """The same as plain strings, the fast way; a form keeps the space before it, if there is one."""
        return list(map(self.tokenise, self.sentences(text)))

    def sentences(self, text: str) -> list[str]:
        """The sentences of a paragraph as text, each with the space before it: they join to the paragraph."""
        return self.cut(" ".join(text.split()))

    def cut(self, text: str) -> list[str]:
        """The same of a text whose white space is single spaces already."""
        if not text:
            return []
        pieces = text.split(" ")
        ends = self._boundaries(pieces)
        found = [text]
        if ends:
            found = [" ".join(pieces[a + 1 : b + 1]) for a, b in pairwise((-1, *ends, len(pieces)))]
            found[1:] = [f" {sentence}" for sentence in found[1:]]
        if not text.isascii() and ("。" in text or "！" in text or "？" in text or "｡" in text):
            return [part for sentence in found for part in _UP_TO_WIDE_STOP.findall(sentence)]
        return found

    def _boundaries(self, words: list[str]) -> list[int]:
        """The pieces that end a sentence; most are passed over by their codes alone."""
        found: list[int] = []
        kinds, pairs = self._kinds, self._scores.pairs
        progress = _Progress(words)
        for match in _MAY_END("".join(map(self._codes.__getitem__, words))):
            at = match.start()
            left, right = kinds[words[at]], kinds[words[at + 1]]
            # 13 bits each: there are some hundred different endings and openings.
            score = pairs.get(left.left << 13 | right.right)
            if score is None:
                score = self._scores.of_pair(left, right)
            if HOPELESS < score < CERTAIN:
                score += self._scores.of_state(left, right, progress.state(at))
                score += self._of_surroundings(words, at)
            if score > 0:
                found.append(at)
                progress.restart(at + 1)
        return found

    def _of_surroundings(self, words: list[str], at: int) -> float:
        """The pieces around a place, and what its last and first word weigh where the table knows them."""
        kinds = self._kinds
        left, right = kinds[words[at]], kinds[words[at + 1]]
        before = kinds[words[at - 1]] if at else EDGE
        after = kinds[words[at + 2]] if at + 2 < len(words) else EDGE
        score = self._scores.of_neighbours(before, left, right, after)
        lasts, firsts = self._last_words[words[at]], self._first_words[words[at + 1]]
        if lasts or firsts:
            score += lasts.get(of_last_word(left.stop, right.opening.shape), 0.0)
            score += firsts.get(of_first_word(right.opening.shape, left.plain), 0.0)
        return score
