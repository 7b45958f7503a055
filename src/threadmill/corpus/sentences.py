"""Cuts a paragraph into sentences of tokens; where a sentence may end, a small trained table decides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from threadmill.corpus import tables
from threadmill.corpus.languages import profile
from threadmill.corpus.pieces import Codes, Ending, Kind, Kinds, Opening, bare_word, kind_of
from threadmill.corpus.tokens import Tokeniser
from threadmill.types import Token

# Chinese and Japanese part sentences by these and no space.
_UP_TO_WIDE_STOP = re.compile('[^。！？｡]*[。！？｡]+[」』）〉》】”’"]*|[^。！？｡]+')


# Over the codes of pieces: one after which, or before which, a sentence may end or begin.
_MAY_END = re.compile("[bn](?=.)|.(?=[bs])").finditer

# A place whose two pieces alone weigh less or more than this is decided by them; looking further there made
# sentence F1 0.04 better and the whole slower. Chosen on the held-back parts, out of six pairs.
_HOPELESS = -3.0
_CERTAIN = 4.0
_NO_ENDING = Ending("^", "", "", False, "", "")
_NO_OPENING = Opening("$", "", "", False)
EDGE = kind_of(_NO_ENDING, _NO_OPENING)


# The features of a place between two pieces, in groups that share what they look at: each group's sum of
# weights is kept under a key of a few small numbers, so that a place costs five look-ups.


def of_pair(left: Kind, right: Kind) -> Iterator[str]:
    """How one piece ends and how the next begins."""
    end, begin = left.ending, right.opening
    stop, head = end.stop + end.closer, begin.opener + begin.shape
    yield f"a{stop}"
    yield f"b{stop}|{head}"
    yield f"c{stop}|{end.shape}{int(end.known)}|{begin.shape}"
    yield f"d{stop}|{end.size}{int(end.known)}|{begin.shape}"
    yield f"e{stop}|{head}|{begin.rank}"
    yield f"f{stop}|{end.rank}|{begin.shape}|{begin.rank}"


def of_before(before: Kind, left: Kind, right: Kind) -> Iterator[str]:
    """The piece before the last one of the sentence."""
    stop = left.ending.stop + left.ending.closer
    yield f"g{stop}|{before.ending.shape}|{left.ending.shape}|{right.opening.shape}"
    yield f"m{stop}|{before.ending.stop}|{right.opening.shape}"


def of_after(left: Kind, right: Kind, after: Kind) -> Iterator[str]:
    """The second piece of the next sentence."""
    stop, begin, then = left.ending.stop + left.ending.closer, right.opening, after.opening
    yield f"h{stop}|{begin.opener}{begin.shape}|{then.shape}"
    yield f"i{stop}|{left.ending.shape}|{begin.shape}{begin.rank}|{then.shape}{then.rank}"


def of_state(left: Kind, right: Kind, state: int) -> Iterator[str]:
    """How long the sentence is so far, and what is still open in it."""
    stop, begin = left.ending.stop + left.ending.closer, right.opening
    length, quote, depth = state // 8, state // 4 % 2, state % 4
    yield f"j{stop}|{length}|{begin.shape}"
    yield f"k{stop}|{quote}|{begin.opener}{begin.shape}"
    yield f"l{stop}|{depth}|{begin.opener}{begin.shape}"
    yield f"n{stop}|{length}|{left.ending.shape}|{begin.shape}"


def of_last_word(stop: str, shape: str) -> str:
    """The last word (which is the table's other key) before a stop and a beginning of some shape."""
    return f"{stop}|{shape}"


def of_first_word(shape: str, plain: bool) -> str:
    """The first word (which is the table's other key) after an ending with or without punctuation."""
    return f"{shape}|{plain:d}"


_LENGTHS = (0, 1, 2, 3, 3, 4, 4, 4, 4)


def state_of(pieces: int, quotes: int, depth: int) -> int:
    """The state of a sentence as one number: length in five steps, open quote, depth of parentheses."""
    length = _LENGTHS[pieces] if pieces < 9 else 5
    return length * 8 + quotes * 4 + (1 if depth > 0 else 2 if depth < 0 else 0)


Words = dict[str, dict[str, float]]
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
        self._weights, lasts, firsts = _weights(spelling.language)
        self._last_words, self._first_words = _ByPiece(lasts), _ByPiece(firsts)
        self._bias = self._weights["bias"]
        self._pairs: dict[int, float] = {}
        self._befores: dict[int, float] = {}
        self._afters: dict[int, float] = {}
        self._states: dict[int, float] = {}

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
        kinds, pairs = self._kinds, self._pairs
        progress = _Progress(words)
        for match in _MAY_END("".join(map(self._codes.__getitem__, words))):
            at = match.start()
            left, right = kinds[words[at]], kinds[words[at + 1]]
            # 13 bits each: there are some hundred different endings and openings.
            score = pairs.get(left.left << 13 | right.right)
            if score is None:
                score = self._of_pair(left, right)
            if _HOPELESS < score < _CERTAIN:
                score += self._of_state(left, right, progress.state(at))
                score += self._of_neighbours(words, at) + self._of_words(words, at)
            if score > 0:
                found.append(at)
                progress.restart(at + 1)
        return found

    def _of_pair(self, left: Kind, right: Kind) -> float:
        if right.opening.shape == "o" and left.ending.stop:
            score = _without_case(left.ending)
        elif (
            left.ending.size == "1" and left.ending.known and left.stop == "." and right.opening.shape in "Il"
        ):
            score = 2 * _HOPELESS  # z. B., т. е.
        else:
            score = self._sum(of_pair(left, right)) + self._bias
        self._pairs[left.left << 13 | right.right] = score
        return score

    def _of_state(self, left: Kind, right: Kind, state: int) -> float:
        key = (left.tail << 13 | right.head) << 13 | state
        score = self._states.get(key)
        if score is None:
            score = self._states[key] = self._sum(of_state(left, right, state))
        return score

    def _of_neighbours(self, words: list[str], at: int) -> float:
        kinds = self._kinds
        left, right = kinds[words[at]], kinds[words[at + 1]]
        before = kinds[words[at - 1]] if at else EDGE
        after = kinds[words[at + 2]] if at + 2 < len(words) else EDGE
        key = (before.before << 13 | left.tail) << 13 | right.head
        first = self._befores.get(key)
        if first is None:
            first = self._befores[key] = self._sum(of_before(before, left, right))
        key = (left.tail << 13 | right.right) << 13 | after.after
        second = self._afters.get(key)
        if second is None:
            second = self._afters[key] = self._sum(of_after(left, right, after))
        return first + second

    def _of_words(self, words: list[str], at: int) -> float:
        """What the last word and the first one weigh, where the table knows them."""
        score = 0.0
        lasts, firsts = self._last_words[words[at]], self._first_words[words[at + 1]]
        if lasts or firsts:
            left, right = self._kinds[words[at]], self._kinds[words[at + 1]]
            score += lasts.get(of_last_word(left.stop, right.opening.shape), 0.0)
            score += firsts.get(of_first_word(right.opening.shape, left.plain), 0.0)
        return score

    def _sum(self, features: Iterator[str]) -> float:
        get = self._weights.get
        return sum(get(feature, 0.0) for feature in features)


def _without_case(left: Ending) -> float:
    """Arabic, Hindi, Korean: no treebank of ours, no capital letters to go by, and the stops are reliable."""
    final = left.stop in {"!", "?"} or (left.stop in {".", ".."} and not left.known and left.size != "1")
    return 2 * _CERTAIN if final else 2 * _HOPELESS


def to_tokens(forms: list[str], space_after: bool = True) -> list[Token]:
    """Forms that keep the space before them as tokens that know whether white space follows."""
    spaces = [following[0] == " " for following in forms[1:]]
    spaces.append(space_after)
    return [Token(form.lstrip(" "), space) for form, space in zip(forms, spaces, strict=True)]


def _weights(language: str) -> tuple[dict[str, float], Words, Words]:
    """Feature → weight, also by last and first word; languages without a table share the general one."""
    return _merged_weights(language if language in tables.names("sentences") else "")


@lru_cache(maxsize=12)
def _merged_weights(language: str) -> tuple[dict[str, float], Words, Words]:
    merged = {feature: weight / 100 for feature, weight in tables.entry("sentences", "").items()}
    for feature, weight in tables.entry("sentences", language).items() if language else ():
        merged[feature] = merged.get(feature, 0.0) + weight / 100
    lasts: Words = {}
    firsts: Words = {}
    for feature, value in merged.items():
        if feature[0] in "vw" and "|" in feature:
            word, _, rest = feature[1:].partition("|")
            (lasts if feature[0] == "v" else firsts).setdefault(word, {})[rest] = value
    kept = {feature: value for feature, value in merged.items() if feature[0] not in "vw"}
    return kept, lasts, firsts
