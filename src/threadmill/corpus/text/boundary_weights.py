"""Scores a place between two pieces as the end of a sentence: features, and sums of a trained table."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import repeat

from threadmill.corpus.text import language_data as tables
from threadmill.corpus.text.boundary_features import Begin, End, Ending, Opening, Words

# If the two pieces alone score below the first or above the second limit, they decide. With -300 sentence F1
# was 0.25 lower on development parts (Slovak 2.5), with -600 no higher. Above the
# second, no other feature ever changed a decision in 26,000 sentence ends of treebanks and web pages.
HOPELESS = -450
CERTAIN = 100
_MOST_CONTEXTS = 20_000  # remembered sums; some 3 MB


# The features of a place come in groups that look at the same things. The sum of each group is remembered
# under a key of a few small numbers, so that a place costs five look-ups.


def of_pair(end: Ending, begin: Opening) -> tuple[str, ...]:
    """Features of how one piece ends and how the next begins."""
    stop, head = end.stop + end.closer, begin.opener + begin.shape
    known, shape, rank = "1" if end.known else "0", begin.shape, begin.rank
    return (
        f"a{stop}",
        f"b{stop}|{head}",
        f"c{stop}|{end.shape}{known}|{shape}",
        f"d{stop}|{end.size}{known}|{shape}",
        f"e{stop}|{head}|{rank}",
        f"f{stop}|{end.rank}|{shape}|{rank}",
    )


def of_before(before: Ending, end: Ending, begin: Opening) -> tuple[str, ...]:
    """Features of the piece before the last one of the sentence."""
    stop = end.stop + end.closer
    return f"g{stop}|{before.shape}|{end.shape}|{begin.shape}", f"m{stop}|{before.stop}|{begin.shape}"


def of_after(end: Ending, begin: Opening, then: Opening) -> tuple[str, ...]:
    """Features of the second piece of the next sentence."""
    stop = end.stop + end.closer
    return (
        f"h{stop}|{begin.opener}{begin.shape}|{then.shape}",
        f"i{stop}|{end.shape}|{begin.shape}{begin.rank}|{then.shape}{then.rank}",
    )


def of_state(end: Ending, begin: Opening, state: int) -> tuple[str, ...]:
    """Features of the sentence so far: its length, open quotes and open parentheses."""
    stop, head = end.stop + end.closer, begin.opener + begin.shape
    length, quote, depth = state // 8, state // 4 % 2, state % 4
    return (
        f"j{stop}|{length}|{begin.shape}",
        f"k{stop}|{quote}|{head}",
        f"l{stop}|{depth}|{head}",
        f"n{stop}|{length}|{end.shape}|{begin.shape}",
    )


_LENGTHS = (0, 1, 2, 3, 3, 4, 4, 4, 4)


def state_of(pieces: int, quotes: int, depth: int) -> int:
    """The state of a sentence as one number: length in six steps, open quote, depth of parentheses."""
    length = _LENGTHS[pieces] if pieces < 9 else 5
    return length * 8 + quotes * 4 + (1 if depth > 0 else 2 if depth < 0 else 0)


def goes_on(stop: str, begin: Opening) -> bool:
    """Whether a sentence surely goes on: in lower case after a word or a comma, with a number after a comma.

    Few treebanks have such an end, but their weights would make every such place a candidate.
    """
    return not begin.opener and begin.shape in ("l.o" if not stop else "l.o09" if stop == "," else "")


class Scores:
    """Sums of the weights of one table. It remembers them. Languages without a table share one.

    The weights of a language are added to the general ones, which are in memory once for all languages.
    """

    def __init__(
        self,
        weights: Mapping[str, int],
        last_words: Words,
        first_words: Words,
        own_weights: Mapping[str, int] | None = None,
    ) -> None:
        self.last_words, self.first_words = last_words, first_words
        self.pairs: dict[int, int] = {}
        self._weights, self._own_weights = weights, own_weights or {}
        self._bias = self.weight("bias")
        self._befores: dict[int, int] = {}
        self._afters: dict[int, int] = {}
        self._states: dict[int, int] = {}
        self._contexts: dict[tuple[int, int, int, int, int], int] = {}

    def weight(self, feature: str) -> int:
        """The weight of one feature."""
        return self._weights.get(feature, 0) + self._own_weights.get(feature, 0)

    def of_pair(self, left: End, right: Begin) -> int:
        """The score of two pieces alone. Callers in a hot loop look into `pairs` first."""
        score = self.of_two(left.ending, right.opening)
        self.pairs[left.left << 16 | right.right] = score
        return score

    def of_two(self, end: Ending, begin: Opening) -> int:
        """The same without remembering it."""
        if goes_on(end.stop + end.closer, begin):
            return 2 * HOPELESS
        if begin.shape == "o" and end.stop:
            return _without_case(end)
        if end.size == "1" and end.known and end.stop + end.closer == "." and begin.shape in "Il":
            return 2 * HOPELESS  # z. B., т. е.
        return self.sum(of_pair(end, begin)) + self._bias

    def of_context(self, before: End, left: End, right: Begin, after: Begin, state: int) -> int:
        """The score of a place with its neighbours and the sentence so far, without weights of words."""
        key = (before.before, left.left, right.right, after.after, state)
        score = self._contexts.get(key)
        if score is None:
            if len(self._contexts) >= _MOST_CONTEXTS:
                self._contexts.clear()
            score = self.pairs[left.left << 16 | right.right] + self._of_state(left, right, state)
            score += self._of_neighbours(before, left, right, after)
            self._contexts[key] = score
        return score

    def _of_state(self, left: End, right: Begin, state: int) -> int:
        """The score of the state of the sentence."""
        key = (left.tail << 16 | right.head) << 16 | state
        score = self._states.get(key)
        if score is None:
            score = self._states[key] = self.sum(of_state(left.ending, right.opening, state))
        return score

    def _of_neighbours(self, before: End, left: End, right: Begin, after: Begin) -> int:
        """The score of the pieces around the two."""
        key = (before.before << 16 | left.tail) << 16 | right.head
        first = self._befores.get(key)
        if first is None:
            first = self.sum(of_before(before.ending, left.ending, right.opening))
            self._befores[key] = first
        key = (left.tail << 16 | right.right) << 16 | after.after
        second = self._afters.get(key)
        if second is None:
            second = self.sum(of_after(left.ending, right.opening, after.opening))
            self._afters[key] = second
        return first + second

    def sum(self, features: Sequence[str]) -> int:
        """The sum of the weights of some features."""
        total = sum(map(self._weights.get, features, repeat(0)))
        return total + sum(map(self._own_weights.get, features, repeat(0))) if self._own_weights else total


def _without_case(left: Ending) -> int:
    """The score before letters without case (Arabic, Hindi, Korean).

    There is no treebank of them, and no capital letter to go by, but their stops are reliable.
    """
    final = left.stop in {"!", "?"} or (left.stop in {".", ".."} and not left.known and left.size != "1")
    return 2 * CERTAIN if final else 2 * HOPELESS


def scores_of(language: str) -> Scores:
    """The scores of a language. Languages without a table share the general one."""
    return _scores(language if language in tables.languages_in("sentences") else "")


@cache
def _scores(language: str) -> Scores:
    return make_scores(tables.read_entry("sentences", language)) if language else Scores(*_general())


def make_scores(own: Mapping[str, int], general: Mapping[str, int] | None = None) -> Scores:
    """Scores by the table of a language and a general one, which is that of the package if none is given."""
    weights, last_words, first_words = _general() if general is None else _split_table(general)
    own_weights, own_last_words, own_first_words = _split_table(own)
    return Scores(
        weights,
        _word_sums(last_words, own_last_words),
        _word_sums(first_words, own_first_words),
        own_weights,
    )


@cache
def _general() -> tuple[dict[str, int], Words, Words]:
    return _split_table(tables.read_entry("sentences", ""))


def _split_table(table: Mapping[str, int]) -> tuple[dict[str, int], Words, Words]:
    """The weights of a table, split into those of shapes, of last words and of first words."""
    words: dict[str, dict[str, dict[str, int]]] = {"v": {}, "w": {}}
    for feature, value in table.items():
        if feature[0] in words and "|" in feature:
            word, _, rest = feature[1:].partition("|")
            words[feature[0]].setdefault(word, {})[rest] = value
    return {f: value for f, value in table.items() if f[0] not in words}, words["v"], words["w"]


def _sums(general: Mapping[str, int], own: Mapping[str, int]) -> dict[str, int]:
    return {**general, **{feature: general.get(feature, 0) + value for feature, value in own.items()}}


def _word_sums(general: Words, own: Words) -> Words:
    """The weights of words in a language. Words that only the general table has stay there."""
    return ChainMap({word: _sums(general.get(word, {}), weights) for word, weights in own.items()}, general)
