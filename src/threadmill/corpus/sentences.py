"""Cuts paragraphs into sentences of tokens; where a sentence may end, a small trained table decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from threadmill.corpus.cut_text import PASSAGE, SENTENCE, from_forms, to_forms, to_sentences, to_text
from threadmill.corpus.documents import to_tokens
from threadmill.corpus.languages import profile
from threadmill.corpus.pieces import Begin, Begins, End, Ends, bare_word
from threadmill.corpus.places import prospects
from threadmill.corpus.tokens import LONG_PIECE, UNSPACED_LETTER, CutPieces, Tokeniser
from threadmill.corpus.weighing import (
    CERTAIN,
    HOPELESS,
    NO_BEGIN,
    NO_END,
    of_first_word,
    of_last_word,
    scores_of,
    state_of,
)
from threadmill.types import Token

# Chinese and Japanese part sentences by these and no space.
_WIDE_STOP = re.compile("[。！？｡]")
_UP_TO_WIDE_STOP = re.compile('[^。！？｡]*[。！？｡]+[」』）〉》】”’"]*|[^。！？｡]+')
_NEXT_PIECE = re.compile(r" (\S+)")


class _Progress:
    """How long the sentence is so far and what is open in it; looks at every character once."""

    __slots__ = ("_depth", "_done", "_quotes", "_spaces", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self.restart(0)

    def restart(self, at: int) -> None:
        """A sentence begins here."""
        self._done = at
        self._spaces = self._quotes = self._depth = 0

    def state(self, at: int) -> int:
        """The state of the sentence up to this space."""
        part = self._text[self._done : at]
        if PASSAGE in part:
            self.restart(self._done + part.rindex(PASSAGE) + 2)
            part = self._text[self._done : at]
        self._done = at
        self._spaces += part.count(" ")
        if '"' in part:
            self._quotes ^= part.count('"') & 1
        if "(" in part or ")" in part:
            self._depth += part.count("(") - part.count(")")
        return state_of(self._spaces + 1, self._quotes, self._depth)


class Splitter:
    """Sentences and tokens of one language; keep one and feed it paragraphs."""

    def __init__(self, language: str = "") -> None:
        spelling = profile(language)
        self._ends_by_piece = Ends(spelling)
        self._begins_by_piece = Begins(spelling)
        self._tokeniser = Tokeniser(spelling)
        self.tokenise = self._tokeniser.forms  # one sentence
        self._pieces = CutPieces(self._tokeniser)
        self._scores = scores_of(spelling.language)
        self._prospects = prospects(language)

    def tokens(self, text: str) -> list[list[Token]]:
        """The sentences of a paragraph as tokens; white space runs count as one space."""
        sentences = self.forms(text)
        following = [forms[0][0] == " " for forms in sentences[1:]]
        return [to_tokens(f, space) for f, space in zip(sentences, [*following, True], strict=False)]

    def forms(self, text: str) -> list[list[str]]:
        """The same as plain strings; a form keeps the space before it, if there is one."""
        return list(map(to_forms, to_sentences(self.cut(" ".join(text.split())))))

    def sentences(self, text: str) -> list[str]:
        """The sentences of a paragraph as text, each with the space before it: they join to the paragraph."""
        return list(map(to_text, to_sentences(self.cut(" ".join(text.split())))))

    def cut(self, text: str) -> str:
        """A paragraph whose white space is single spaces, with its joints."""
        return self.cut_all([text])[0]

    def cut_all(self, texts: Sequence[str]) -> list[str]:
        """The paragraphs of a document at once, which is the fast way."""
        if not texts:
            return []
        text = f"{PASSAGE} ".join(texts) + PASSAGE
        if not text.isascii() and _WIDE_STOP.search(text):
            return [self._cut_wide(part) if _WIDE_STOP.search(part) else self.cut(part) for part in texts]
        ends = self._ends(text)
        if ends:
            text = SENTENCE.join([text[a:b] for a, b in pairwise((0, *ends, len(text)))])
        pieces, cut_pieces = text.split(" "), self._pieces
        # Han and kana are letters too, and hostile words have no end: of these no word is surely one token.
        if max(map(len, pieces)) < LONG_PIECE and (text.isascii() or not UNSPACED_LETTER.search(text)):
            parts = [piece if piece.isalpha() else cut_pieces[piece] for piece in pieces]
        else:
            parts = list(map(cut_pieces.__getitem__, pieces))
        cut = " ".join(parts)
        return cut[:-1].replace(f"{SENTENCE} ", SENTENCE).split(f"{PASSAGE} ")

    def _cut_wide(self, text: str) -> str:
        """The same where sentences also end without a space."""
        found = [text[a:b] for a, b in pairwise((0, *self._ends(text), len(text)))]
        parts = (part for sentence in found for part in _UP_TO_WIDE_STOP.findall(sentence))
        return from_forms(map(self.tokenise, parts))

    def _ends(self, text: str) -> list[int]:
        """The spaces that end a sentence; most are passed over by the characters around them."""
        found: list[int] = []
        ends, begins, scores = self._ends_by_piece, self._begins_by_piece, self._scores
        pairs, is_hopeless = scores.pairs, self._prospects.is_hopeless
        progress = _Progress(text)
        for match in self._prospects.places(text):
            at, right_piece = match.start(), match[1]
            left_piece = text[text.rfind(" ", 0, at) + 1 : at]
            if is_hopeless(left_piece, right_piece):
                continue
            left, right = ends[left_piece], begins[right_piece]
            if left.plain and not right.starts:
                continue
            # 13 bits each: there are some hundred different endings and openings.
            score = pairs.get(left.left << 13 | right.right)
            if score is None:
                score = scores.of_pair(left, right)
            if HOPELESS < score < CERTAIN:
                before, after = self._around(text, at - len(left_piece) - 1, match.end(1))
                score = scores.of_context(before, left, right, after, progress.state(at))
                score += self._of_words(left_piece, left, right_piece, right)
            if score > 0:
                found.append(at)
                progress.restart(at + 1)
        return found

    def _around(self, text: str, begin: int, end: int) -> tuple[End, Begin]:
        """The pieces before the one space and after the other, in the same paragraph."""
        before, after = NO_END, NO_BEGIN
        if begin > 0 and text[begin - 1] != PASSAGE:
            before = self._ends_by_piece[text[text.rfind(" ", 0, begin) + 1 : begin]]
        following = _NEXT_PIECE.match(text, end)
        if following:
            after = self._begins_by_piece[following[1]]
        return before, after

    def _of_words(self, left_piece: str, left: End, right_piece: str, right: Begin) -> int:
        """What the last and the first word weigh where the table knows them."""
        shape, score = right.opening.shape, 0
        lasts = self._scores.last_words.get(bare_word(left_piece))
        if lasts:
            score += lasts.get(of_last_word(left.stop, shape), 0)
        firsts = self._scores.first_words.get(bare_word(right_piece))
        if firsts:
            score += firsts.get(of_first_word(shape, left.plain), 0)
        return score
