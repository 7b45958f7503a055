"""Cuts runs of Lao, Khmer and Burmese into words by a list of words with costs.

There is no free treebank of these languages, so nothing is trained. The words with the smallest sum of costs
are taken. Words end only between clusters: a letter with its marks. What no list has stays together if it is
short, as a name is, and falls to syllables if it is long.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

# The characters of each script, for a character class.
SCRIPTS = {"lo": "\u0e80-\u0eff", "my": "\u1000-\u109f", "km": "\u1780-\u17ff"}
_NUMBER = r"\d+(?:[.,:/]\d+)*"
_LAO_LETTER = "\u0e81-\u0eae\u0edc-\u0edf"
_KHMER_LETTER = "\u1780-\u17b3"
_KHMER_MARK = "\u17b4-\u17d1\u17d3\u17dd"
# The Myanmar block serves Shan, Mon and Karen too.
_BURMESE_LETTER = (
    "[\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e]"
)
_BURMESE_MARK = (
    "\u102b-\u1038\u103a-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d"
    "\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d"
)
_CLUSTERS: dict[str, tuple[str, str]] = {
    # A cluster, and a letter that cannot stand alone: it ends the syllable before it.
    "lo": (
        f"[\u0ec0-\u0ec4]?ຫ?[{_LAO_LETTER}][\u0eb0-\u0ebd\u0ec8-\u0ece]*",
        f"[{_LAO_LETTER}]|\u0ec6",  # and the sign that a word is said twice
    ),
    "km": (
        f"[{_KHMER_LETTER}](?:\u17d2[{_KHMER_LETTER}]|[{_KHMER_MARK}])*",
        "[\u1780-\u17a2]",
    ),
    "my": (
        f"{_BURMESE_LETTER}(?:\u1039{_BURMESE_LETTER}|[{_BURMESE_MARK}]|{_BURMESE_LETTER}\u1037?\u103a)*",
        "(?!)",
    ),
}
MOST_CLUSTERS = 12  # of a listed word
_MOST_UNKNOWN = 6  # clusters of a word that no list has: longer ones are other languages, or several words


class ListCutter:
    """Cuts runs of one language."""

    def __init__(self, language: str, costs: Mapping[str, int], unknown: int) -> None:
        cluster, dependent = _CLUSTERS[language]
        self._clusters = re.compile(rf"{cluster}|{_NUMBER}|.", re.DOTALL)
        self._dependent = re.compile(dependent)
        self._costs = dict(costs)
        self._unknown = unknown  # the cost of a cluster that is not in a listed word

    @classmethod
    def from_table(cls, language: str, table: Mapping[str, Any]) -> ListCutter:
        """The cutter of a table as read_table() reads it."""
        costs = {word: cost for cost, words in table["costs"] for word in words.split(" ")}
        return cls(language, costs, table["unknown"])

    def is_dependent(self, cluster: str) -> bool:
        """Whether a cluster cannot stand alone."""
        return self._dependent.fullmatch(cluster) is not None

    def clusters(self, run: str) -> list[str]:
        """The clusters of a run: letters with their marks, numbers, signs."""
        return self._clusters.findall(run)

    def cut(self, run: str) -> list[str]:
        """The words of a run. They join to it."""
        clusters = self.clusters(run)
        words: list[str] = []
        unknown: list[str] = []
        start = 0
        for end in [*self._bounds(clusters), 0]:
            word = "".join(clusters[start:end])
            if end and word not in self._costs and word[0].isalpha():
                unknown.append(word)
            else:
                words += self._unlisted(unknown, words)
                unknown = []
                if word:
                    words.append(word)
            start = end
        return words

    def _bounds(self, clusters: Sequence[str]) -> list[int]:
        """Where the cheapest words end."""
        size, costs = len(clusters), self._costs
        best = [0, *([len(clusters) * self._unknown + 1] * size)]
        back = [0] * (size + 1)
        for at in range(size):
            so_far = best[at]
            if so_far + self._unknown < best[at + 1]:
                best[at + 1], back[at + 1] = so_far + self._unknown, at
            word = ""
            for end in range(at + 1, min(at + MOST_CLUSTERS, size) + 1):
                word += clusters[end - 1]
                cost = costs.get(word)
                if cost is not None and so_far + cost < best[end]:
                    best[end], back[end] = so_far + cost, at
        bounds = [size]
        while bounds[-1]:
            bounds.append(back[bounds[-1]])
        return bounds[-2::-1]

    def _unlisted(self, clusters: Sequence[str], before: list[str]) -> list[str]:
        """The words of neighbouring clusters that no list has. A lone ending goes to the word before."""
        if not clusters:
            return []
        if len(clusters) == 1 and before and before[-1][0].isalpha() and self.is_dependent(clusters[0]):
            before[-1] += clusters[0]
            return []
        return ["".join(clusters)] if len(clusters) <= _MOST_UNKNOWN else self._syllables(clusters)

    def _syllables(self, clusters: Sequence[str]) -> list[str]:
        found: list[str] = []
        for cluster in clusters:
            if found and self.is_dependent(cluster):
                found[-1] += cluster
            else:
                found.append(cluster)
        return found
