"""Splits paragraphs into sentences of tokens.

Candidate sentence boundaries are found first; only those are examined. A small trained table decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain

from threadmill.corpus.build.documents import to_tokens
from threadmill.corpus.text import syllables
from threadmill.corpus.text.boundary_features import (
    NO_BEGIN,
    NO_END,
    Begin,
    Begins,
    End,
    Ends,
    IsHopeless,
    Opening,
)
from threadmill.corpus.text.boundary_weights import CERTAIN, HOPELESS, Scores, goes_on, scores_of, state_of
from threadmill.corpus.text.delimited_text import (
    JOINED,
    NO_WIDTH,
    PASSAGE,
    SENTENCE,
    from_forms,
    to_forms_by_sentence,
    to_sentences,
    to_text,
)
from threadmill.corpus.text.languages import language_profile
from threadmill.corpus.text.syllables import SyllableJoiner
from threadmill.corpus.text.tokens import LONG_PIECE, UNSPACED, CutPieces, Tokeniser
from threadmill.native.loader import load_extension
from threadmill.types import Token

RANKS = "abcdefn"  # steps of frequency: see LanguageProfile; "e" for unknown words
SHAPES = "lUA09.:Irxo"
_WORD_SHAPES = "lUo"  # shapes of a word of letters that is not all in capitals
_SIZES = "0123456"
# Letters with case are listed up to Greek Extended, letters without case up to the end of Hangul. Places at
# other letters count as candidates.
LAST_CASED = 0x2000
LAST_LETTER = 0xD7FF


@dataclass(frozen=True, slots=True)
class BoundaryCandidates:
    """Which places a table rules out, by the characters around a space and by the first word after it."""

    small: bool  # no sentence begins in lower case after a word or a comma
    digits: bool  # no sentence begins with a digit after a word
    numbers: bool  # no sentence begins with a digit after a comma
    is_hopeless: IsHopeless

    @property
    def split(self) -> Callable[[str], list[str]]:
        """A function that splits a text at its candidate boundaries."""
        return _candidate_spaces(self.small, self.digits, self.numbers).split


@cache
def boundary_candidates(scores: Scores) -> BoundaryCandidates:
    """The candidates that a table leaves."""

    @cache  # there are only some hundred openings
    def is_hopeless(stop: str, begin: Opening) -> bool:
        return _score_bound(scores, stop, begin) <= HOPELESS

    def are_hopeless(stop: str, shapes: str) -> bool:
        begins = (Opening("", shape, rank) for shape in shapes for rank in RANKS)
        return all(_score_bound(scores, stop, begin, SHAPES) <= HOPELESS for begin in begins)

    small = are_hopeless("", "l.o") and are_hopeless(",", "l.o")
    return BoundaryCandidates(small, are_hopeless("", "09"), are_hopeless(",", "09"), is_hopeless)


def _score_bound(scores: Scores, stop: str, begin: Opening, shapes: str = "") -> int:
    """The highest score of a place after a word (of these shapes, with or without a comma) before `begin`."""
    if goes_on(stop, begin):
        return 2 * HOPELESS
    weight, head, shape, rank = scores.weight, begin.opener + begin.shape, begin.shape, begin.rank
    last = max([weight(f"f{stop}|{before}|{shape}|{rank}") for before in RANKS])
    word = _word_score_bound(scores, stop, shape, shapes or (SHAPES if stop else _WORD_SHAPES))
    fixed = weight("bias") + weight(f"a{stop}") + weight(f"b{stop}|{head}") + weight(f"e{stop}|{head}|{rank}")
    return fixed + word + last


@cache  # there are many openings, but few shapes
def _word_score_bound(scores: Scores, stop: str, shape: str, shapes: str) -> int:
    """The highest score that the word before the place can add."""
    weight = scores.weight
    return max(
        max([weight(f"c{stop}|{left}{known}|{shape}") for left in shapes])
        + max([weight(f"d{stop}|{size}{known}|{shape}") for size in _SIZES])
        for known in "01"
    )


@cache
def _candidate_spaces(small: bool, digits: bool, numbers: bool) -> re.Pattern[str]:
    """A space, unless the characters around it rule it out. A comma that stands alone rules nothing out."""
    letters = _small_letters() + _letters_without_case() if small else ""
    after_word = f"[{letters}{'0-9' if digits else ''}]" if small or digits else "(?!)"
    after_comma = f"[{letters}{'0-9' if numbers else ''}]" if small or numbers else "(?!)"
    return re.compile(
        rf" (?:(?<!\w )|(?!{after_word}))(?:(?<!, )|(?<= , )|(?!{after_comma}))(?<!{PASSAGE} )(?!{PASSAGE})"
    )


@cache
def _small_letters() -> str:
    return _character_class(sign for sign in _letters(LAST_CASED) if sign.islower())


@cache
def _letters_without_case() -> str:
    return _character_class(
        sign for sign in _letters(LAST_LETTER) if not sign.islower() and not sign.isupper()
    )


def _letters(last: int) -> Iterator[str]:
    return filter(str.isalpha, map(chr, range(last + 1)))


def _character_class(signs: Iterable[str]) -> str:
    """These characters, which come in order, as ranges for a character class."""
    ranges: list[list[int]] = []
    for code in map(ord, signs):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


# Chinese, Japanese, Burmese and Khmer end sentences with these signs, often without a space.
_WIDE_STOPS = "。！？｡။។៕"
_WIDE_STOP = re.compile(f"[{_WIDE_STOPS}]")
_INSIDE = f"(?:។ល។|[^{_WIDE_STOPS}])"  # the Khmer "etc." has two stops
_UP_TO_WIDE_STOP = re.compile(f'{_INSIDE}*+[{_WIDE_STOPS}]++[」』）〉》】”’"]*+|{_INSIDE}++')

# A text with one of these characters is split in another way.
_WITHOUT_SPACES = re.compile(f"[{UNSPACED}{_WIDE_STOPS}]")

_Cut = Callable[[str], str]
_compiled = load_extension("tokens")


def _join_paragraphs(texts: Sequence[str]) -> str:
    return f"{PASSAGE} ".join(texts) + PASSAGE


def _not_compiled(_texts: Sequence[str], _cut_wide: _Cut) -> None:
    """Stands for the compiled function where there is none: Python does the work."""


class _SentenceState:
    """Length of the current sentence, open quotes and parentheses. It looks at every character once."""

    __slots__ = ("_depth", "_done", "_quotes", "_spaces", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._restart(0)

    def _restart(self, at: int) -> None:
        self._done = at
        self._spaces = self._quotes = self._depth = 0

    def state(self, start: int, at: int) -> int:
        """The state at this space of the sentence that began at `start` or at the last paragraph."""
        passage = self._text.rfind(PASSAGE, self._done, at)
        if passage >= 0:
            start = max(start, passage + 2)
        if start > self._done:
            self._restart(start)
        part = self._text[self._done : at]
        self._done = at
        self._spaces += part.count(" ")
        if '"' in part:
            self._quotes ^= part.count('"') & 1
        if "(" in part or ")" in part:
            self._depth += part.count("(") - part.count(")")
        return state_of(self._spaces + 1, self._quotes, self._depth)


class SentenceSplitter:
    """Splits paragraphs of one language into sentences and tokens. Keep one, because it remembers pieces."""

    def __init__(
        self,
        language: str = "",
        scores: Scores | None = None,
        tokeniser: Tokeniser | None = None,
        joiner: SyllableJoiner | None = None,
    ) -> None:
        spelling = language_profile(language)
        self._joiner = joiner or syllables.joiner(spelling.language)
        self._tokeniser = tokeniser or Tokeniser(spelling)
        self.tokenise = self._tokeniser.forms  # for one sentence
        self._pieces = CutPieces(self._tokeniser)
        self._scores = scores or scores_of(spelling.language)
        self._candidates = boundary_candidates(self._scores)
        self._ends_by_piece = Ends(spelling, self._scores.last_words)
        self._begins_by_piece = Begins(spelling, self._scores.first_words, self._candidates.is_hopeless)
        self._compiled_cut: Callable[[Sequence[str], _Cut], list[str] | None] = _not_compiled
        if _compiled is not None:
            self._compiled_cut = _compiled.Cutter(
                spelling,
                self._scores,
                self._candidates,
                self._ends_by_piece,
                self._begins_by_piece,
                self._pieces,
            ).cut_all

    def tokens(self, text: str) -> list[list[Token]]:
        """The sentences of a paragraph as tokens. Any run of white space counts as one space."""
        sentences = self.forms(text)
        following = [forms[0][0] == " " for forms in sentences[1:]]
        return [to_tokens(f, space) for f, space in zip(sentences, [*following, True], strict=False)]

    def forms(self, text: str) -> list[list[str]]:
        """The same as plain strings. A form keeps the space before it, if there is one."""
        sentences = to_forms_by_sentence(self.cut(" ".join(text.split())))
        if NO_WIDTH in text:
            sentences = [[form.rstrip(NO_WIDTH) for form in forms] for forms in sentences]
        if self._joiner is None:
            return sentences
        return [[form.replace(JOINED, " ") for form in forms] for forms in sentences]

    def sentences(self, text: str) -> list[str]:
        """The sentences of a paragraph as text, each with the space before it, so that they join to it."""
        return list(map(to_text, to_sentences(self.cut(" ".join(text.split())))))

    def cut(self, text: str) -> str:
        """The delimited text of a paragraph with single spaces."""
        return self.cut_all([text])[0]

    def cut_all(self, texts: Sequence[str]) -> list[str]:
        """The delimited texts of many paragraphs, which is faster than one by one."""
        if not texts:
            return []
        cuts = self._cut_texts(texts)
        return cuts if self._joiner is None else [self._joiner.join(cut) for cut in cuts]

    def _cut_texts(self, texts: Sequence[str]) -> list[str]:
        found = self._compiled_cut(texts, self._cut_wide)
        if found is not None:
            return found
        text = _join_paragraphs(texts)
        if text.isascii() or not _WITHOUT_SPACES.search(text):
            return self._cut(text)
        return self._cut_some_unspaced(texts)

    def _cut_some_unspaced(self, texts: Sequence[str]) -> list[str]:
        """Split paragraphs some of which have scripts without spaces. All others are still split together."""
        unspaced = [_WITHOUT_SPACES.search(text) is not None for text in texts]
        spaced = [text for text, is_unspaced in zip(texts, unspaced, strict=True) if not is_unspaced]
        others = iter(self._cut(_join_paragraphs(spaced)) if spaced else ())
        return [
            self._cut_unspaced(text) if is_unspaced else next(others)
            for text, is_unspaced in zip(texts, unspaced, strict=True)
        ]

    def _cut_unspaced(self, text: str) -> str:
        """Split a paragraph with Han or kana. They are letters too, so a word may be several tokens."""
        pieces, _ = self._pieces_of(text + PASSAGE)
        if _WIDE_STOP.search(text):
            return self._cut_wide(" ".join(pieces)[:-1].replace(f"{SENTENCE} ", SENTENCE))
        return self._with_delimiters(map(self._pieces.__getitem__, pieces))[0]

    def _cut(self, text: str) -> list[str]:
        """Split joined paragraphs of scripts with spaces."""
        (pieces, longest), cut_pieces = self._pieces_of(text), self._pieces
        if longest >= LONG_PIECE and max(map(len, pieces)) >= LONG_PIECE:  # hostile pages have endless words
            return self._with_delimiters(map(cut_pieces.__getitem__, pieces))
        return self._with_delimiters([piece if piece.isalpha() else cut_pieces[piece] for piece in pieces])

    @staticmethod
    def _with_delimiters(pieces: Iterable[str]) -> list[str]:
        return " ".join(pieces)[:-1].replace(f"{SENTENCE} ", SENTENCE).split(f"{PASSAGE} ")

    def _cut_wide(self, text: str) -> str:
        """Split at stops without a space, in a text in which the other sentence ends are already marked."""
        found = text.replace(SENTENCE, f"{SENTENCE} ").split(SENTENCE)
        parts = (part for sentence in found for part in _UP_TO_WIDE_STOP.findall(sentence))
        return from_forms(map(self.tokenise, parts))

    def _pieces_of(self, text: str) -> tuple[list[str], int]:
        """The pieces between spaces. A piece that ends a sentence has SENTENCE at its end.

        The second value is a length that no piece exceeds.
        """
        segments = self._candidates.split(text)
        longest = max(map(len, segments))
        runs = [segment.split(" ") for segment in segments]
        if len(runs) == 1:
            return runs[0], longest
        ends, pairs = self._ends_by_piece, self._scores.pairs
        offsets = list(accumulate(map(len, segments)))
        progress = _SentenceState(text)
        start = 0
        rights = map(self._begins_by_piece.__getitem__, [run[0] for run in runs[1:]])
        for at, (right, left_run) in enumerate(zip(rights, runs, strict=False)):
            left_piece = left_run[-1]
            if right.never_after_word and left_piece.isalpha() and not left_piece.isupper():
                continue
            if right.never_after_comma and left_piece[-1] == "," and len(left_piece) > 1:
                continue
            left = ends[left_piece]
            if left.plain and not right.starts:
                continue
            # 16 bits for each part, as there are only some thousand different endings and openings.
            score = pairs.get(left.left << 16 | right.right)
            if score is None:
                score = self._scores.of_pair(left, right)
            if HOPELESS < score < CERTAIN:
                before, after = self._neighbours(runs, at)
                score = self._scores.of_context(
                    before, left, right, after, progress.state(start, offsets[at] + at)
                )
                if left.of_word:
                    score += left.of_word.get(right.opening.shape, 0)
                score += right.of_word[left.plain]
            if score > 0:
                left_run[-1] = left_piece + SENTENCE
                start = offsets[at] + at + 1
        return list(chain.from_iterable(runs)), longest

    def _neighbours(self, runs: list[list[str]], at: int) -> tuple[End, Begin]:
        """The pieces before and after a place, if they belong to this paragraph."""
        run, following = runs[at], runs[at + 1]
        before, after = NO_END, NO_BEGIN
        if len(run) > 1:
            before = self._ends_by_piece[run[-2]]
        elif at:
            before = self._ends_by_piece[runs[at - 1][-1].rstrip(SENTENCE)]
        if following[0][-1] != PASSAGE:
            after = self._begins_by_piece[following[1] if len(following) > 1 else runs[at + 2][0]]
        return before, after
