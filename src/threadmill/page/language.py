"""Detects the language of a text, offline, with fastText's compressed model of 176 languages.

The model file is read here, once. Predictions run in native code where it was built, else in numpy. Both do
every step in single precision and in the same order, and take logarithms and powers of e in double precision
before they round. So label and confidence are the same on every processor. fastText itself leaves the
rounding to its compiler; its confidence differs from ours in the last digits of single precision at most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from threadmill.native.loader import load_extension

# Native code reads these: they stand before it is loaded.
END_OF_LINE = b"</s>"
LABEL_PREFIX = b"__label__"
# fastText hashes words with FNV-1a over bytes that it takes for signed numbers.
HASH_START, HASH_STEP = 2166136261, 16777619
# fastText adds this to a probability before it takes the logarithm.
LOG_OFFSET = 1e-5

_COMPILED = load_extension("language")
MODEL_FILE = files("threadmill.page").joinpath("data/lid.176.ftz")

# More text does not help: with 270 characters of 15 languages the right one is found in 97.4 % of cases.
_ENOUGH = 300
_MOSTLY_ENOUGH = 400  # characters that mostly hold as many without their superfluous white space
_UNKNOWN = ("", 0.0)


def detect_language(text: str) -> tuple[str, float]:
    """The ISO 639 code of a text's language and the confidence; ("", 0.0) for a text without letters."""
    sample = " ".join(text[:_MOSTLY_ENOUGH].split())[:_ENOUGH]
    if len(sample) < _ENOUGH:
        sample = " ".join(text[: 4 * _ENOUGH].split())[:_ENOUGH]
    if not any(map(str.isalpha, sample)):
        return _UNKNOWN
    # a lone surrogate of a broken page has no UTF-8, and is no letter of any language
    label, score = _predict(sample.encode("utf-8", "ignore")) or _UNKNOWN
    return label.removeprefix("__label__"), min(1.0, score)


Prediction = tuple[str, float]


@cache
def detected_languages() -> frozenset[str]:
    """The codes of all languages that can be recognised."""
    return frozenset(label.removeprefix(LABEL_PREFIX.decode()) for label in shipped_language_model().labels)


def _predict(line: bytes) -> Prediction | None:
    if _COMPILED is None:
        return shipped_language_model().predict(line)
    found: Prediction | None = _native_model(_COMPILED).predict(line)
    return found


@cache
def _native_model(compiled: Any) -> Any:
    return compiled.LanguagePredictor(shipped_language_model())


@cache
def shipped_language_model() -> LanguageModel:
    """The model that comes with the package."""
    return read_language_model(MODEL_FILE.read_bytes())


_LEAST_SCORE = math.log(LOG_OFFSET)  # fastText leaves out what is less likely than 1e-5


def _rounded(value: float) -> float:
    """The value in single precision."""
    return float(np.float32(value))


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A fastText classifier with hierarchical softmax over words and n-grams of characters."""

    labels: Sequence[str]
    words: dict[bytes, int]  # number of each word's row; labels follow from `word_count` on and have no row
    word_count: int
    buckets: int  # the hash of an n-gram is taken modulo this number
    shortest: int  # length of n-grams in characters
    longest: int
    gram_keys: NDArray[np.int32]  # sorted hashes of the n-grams that the model knows
    gram_rows: NDArray[np.int32]  # the row of each
    rows: NDArray[np.float32]  # one vector per word and per known n-gram
    output: NDArray[np.float32]  # one vector per inner node of the tree
    children: NDArray[np.int32]  # left and right child of each inner node; smaller numbers are labels

    def predict(self, line: bytes) -> Prediction | None:
        """The most likely label of a text in UTF-8 and its probability; None where nothing is known of it."""
        numbers = self._row_numbers(line)
        if not len(numbers):
            return None
        # accumulate() adds one row after the other, as native code does; sum() has an order of its own
        total = np.add.accumulate(self.rows[numbers], axis=0)[-1]
        hidden = total * np.float32(1.0 / len(numbers))
        return self._best_label(np.add.accumulate(self.output * hidden, axis=1)[:, -1].tolist())

    def _row_numbers(self, line: bytes) -> NDArray[np.int32]:
        """The rows of all words and n-grams of a line: each word's own, then those of its n-grams."""
        words: list[bytes] = []
        own: list[int] = []  # row of each word, -1 for an unknown one
        for word in line.replace(b"\0", b" ").split():
            if word == END_OF_LINE:
                break
            number = self.words.get(word, -1)
            if number >= self.word_count or (number < 0 and word.startswith(LABEL_PREFIX)):
                continue
            words.append(b"<%b>" % word)
            own.append(number)
        lengths = np.array([len(word.decode("utf-8", "replace")) for word in words], np.intp)
        ends = np.cumsum(lengths)
        rows = self._gram_rows(b"".join(words), np.repeat(ends, lengths))
        rows[ends - lengths, 0] = own
        end = self.words.get(END_OF_LINE, -1)
        found = np.append(rows.ravel(), np.int32(end if end < self.word_count else -1))
        return found[found >= 0]

    def _gram_rows(self, text: bytes, ends: NDArray[np.intp]) -> NDArray[np.int32]:
        """For each character of a text the rows of the n-grams that begin there, -1 for unknown ones.

        No n-gram goes beyond the end of its word. The first column is left to the caller.
        """
        signed = np.frombuffer(text, np.int8).astype(np.int32).view(np.uint32)
        begins = np.flatnonzero((signed & 0xC0) != 0x80)  # bytes that continue a character are 10xxxxxx
        count = len(begins)
        sizes = np.diff(begins, append=len(signed))
        most_bytes = int(sizes.max(initial=1))
        lengths = np.arange(self.shortest, self.longest + 1)
        hashes = np.zeros((count, len(lengths)), np.uint32)
        running = np.full(count, HASH_START, np.uint32)
        for length in range(1, self.longest + 1):
            # every n-gram grows by a character; those at the end of the text stop growing
            last = slice(length - 1, count)
            grown = running[: max(count - length + 1, 0)]
            grown ^= signed[begins[last]]
            grown *= np.uint32(HASH_STEP)
            for byte in range(1, most_bytes):
                at = np.flatnonzero(sizes[last] > byte)
                grown[at] = (grown[at] ^ signed[begins[last][at] + byte]) * np.uint32(HASH_STEP)
            if length >= self.shortest:
                hashes[: len(grown), length - self.shortest] = grown
        keys = hashes % np.uint32(self.buckets)
        at = np.minimum(np.searchsorted(self.gram_keys, keys), len(self.gram_keys) - 1)
        is_known = (self.gram_keys[at] == keys) & (np.arange(count)[:, None] + lengths <= ends[:, None])
        rows = np.full((count, 1 + len(lengths)), -1, np.int32)
        rows[:, 1:] = np.where(is_known, self.gram_rows[at], -1)
        return rows

    def _best_label(self, sums: Sequence[float]) -> Prediction | None:
        """Search the tree of labels from its root, and leave out what is less likely than the best so far."""
        best, label = 0.0, -1
        waiting = [(len(self.labels) + len(self.children) - 1, 0.0)]
        while waiting:
            node, score = waiting.pop()
            if score < _LEAST_SCORE or (label >= 0 and score < best):
                continue
            inner = node - len(self.labels)
            if inner < 0:
                best, label = score, node  # of equal scores fastText keeps the last
                continue
            # beyond 88 the power of e has no single precision, and its sign decides alone
            power = _rounded(math.exp(min(-sums[inner], 88.0)))
            right = _rounded(1.0 / _rounded(1.0 + power))
            left_child, right_child = self.children[inner].tolist()
            waiting.append((right_child, _rounded(score + _log(right))))
            waiting.append((left_child, _rounded(score + _log(_rounded(1.0 - right)))))
        return (self.labels[label], _rounded(math.exp(best))) if label >= 0 else None


def _log(probability: float) -> float:
    return _rounded(math.log(probability + LOG_OFFSET))


# How fastText writes a model (fasttext.cc and its sources: args, dictionary, productquantizer, model).
_MAGIC, _VERSION = 793712314, 12
_HIERARCHICAL_SOFTMAX, _SUPERVISED = 1, 3
_DIMENSIONS, _CODES, _CENTROIDS = 16, 8, 256  # a row is 16 numbers, coded two by two
_MOST_LABELS, _MOST_ROWS = 1000, 1 << 24
_BEYOND_COUNTS = 10**15  # fastText's count of a node that is not made yet


class _ModelBytes:
    """The bytes of a model file, read from beginning to end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if not 0 <= count <= len(self.data) - self.at:
            raise ValueError("the model file ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def numbers(self, kind: str, count: int) -> NDArray[Any]:
        """The next numbers of a numpy type."""
        return np.frombuffer(self.take(count * np.dtype(kind).itemsize), kind)

    def expect(self, kind: str, *values: int) -> None:
        """Refuse a model that has other numbers here."""
        if self.numbers(kind, len(values)).tolist() != list(values):
            raise ValueError("this kind of fastText model is not supported")

    def text(self) -> bytes:
        """The bytes up to the next zero."""
        end = self.data.find(b"\0", self.at)
        if end <= self.at:
            raise ValueError("the model file ends too early, or has an empty word")
        text = self.take(end - self.at)
        self.at += 1
        return text


def _check(is_supported: bool) -> None:
    if not is_supported:
        raise ValueError("this kind of fastText model is not supported")


def read_language_model(data: bytes) -> LanguageModel:
    """Read a model of the kind that lid.176.ftz is; ValueError for others and for broken ones.

    That kind was trained with labels and hierarchical softmax, keeps some n-grams only, and codes its rows
    with a product quantiser and their norms apart.
    """
    source = _ModelBytes(data)
    source.expect("<i4", _MAGIC, _VERSION)
    # dim ws epoch minCount neg wordNgrams loss model bucket minn maxn lrUpdateRate, then t as a double
    dimensions, *_, grams, loss, kind, buckets, shortest, longest, _ = source.numbers("<i4", 12).tolist()
    source.take(8)
    _check((dimensions, grams, loss, kind) == (_DIMENSIONS, 1, _HIERARCHICAL_SOFTMAX, _SUPERVISED))
    _check(buckets >= 1 and 2 <= shortest <= longest <= 16)
    size, word_count, label_count = source.numbers("<i4", 3).tolist()
    source.take(8)
    kept = int(source.numbers("<i8", 1)[0])
    _check(1 <= word_count < _MOST_ROWS and 1 <= label_count <= _MOST_LABELS)
    _check(size == word_count + label_count and 1 <= kept < _MOST_ROWS)
    words, counts = _read_words(source, size, word_count)
    keys, gram_rows = source.numbers("<i4", 2 * kept).reshape(kept, 2).T
    _check(bool((keys >= 0).all() and (keys < buckets).all() and (gram_rows >= 0).all()))
    rows = _read_rows(source, word_count + kept)
    _check(bool((gram_rows < len(rows) - word_count).all()))
    source.expect("u1", 0)  # the output is not coded
    source.expect("<i8", label_count, _DIMENSIONS)
    output = source.numbers("<f4", label_count * _DIMENSIONS).reshape(label_count, _DIMENSIONS)
    order = np.argsort(keys, kind="stable")
    return LanguageModel(
        labels=[word.decode() for word, number in words.items() if number >= word_count],
        words=words,
        word_count=word_count,
        buckets=buckets,
        shortest=shortest,
        longest=longest,
        gram_keys=keys[order].astype(np.int32),
        gram_rows=(gram_rows[order] + word_count).astype(np.int32),
        rows=rows,
        output=output[: label_count - 1].astype(np.float32),
        children=_huffman_tree(counts),
    )


def _read_words(source: _ModelBytes, size: int, word_count: int) -> tuple[dict[bytes, int], list[int]]:
    """The number of each word and label, and how often each label was seen in training."""
    words: dict[bytes, int] = {}
    counts: list[int] = []
    for number in range(size):
        word = source.text()
        count = int.from_bytes(source.take(8), "little", signed=True)
        source.expect("u1", number >= word_count)  # labels come last
        words[word] = number
        if number >= word_count:
            counts.append(count)
    _check(len(words) == size)
    return words, counts


def _read_rows(source: _ModelBytes, least: int) -> NDArray[np.float32]:
    """The vectors of words and n-grams: what the codes stand for, times their norms."""
    source.expect("u1", 1, 1)  # coded, with their norms apart
    count, width = source.numbers("<i8", 2).tolist()
    _check(width == _DIMENSIONS and least <= count < _MOST_ROWS)
    source.expect("<i4", count * _CODES)
    codes = source.numbers("u1", count * _CODES).reshape(count, _CODES)
    source.expect("<i4", _DIMENSIONS, _CODES, 2, 2)
    centroids = source.numbers("<f4", _CODES * _CENTROIDS * 2).reshape(_CODES, _CENTROIDS, 2)
    norm_codes = source.numbers("u1", count)
    source.expect("<i4", 1, 1, 1, 1)
    norms = source.numbers("<f4", _CENTROIDS)[norm_codes]
    vectors = centroids[np.arange(_CODES), codes].reshape(count, _DIMENSIONS)
    return np.ascontiguousarray(vectors * norms[:, None], np.float32)


def _huffman_tree(counts: Sequence[int]) -> NDArray[np.int32]:
    """The tree of labels as fastText builds it; labels come from the most to the least frequent."""
    weights = [*counts, *[_BEYOND_COUNTS] * (len(counts) - 1)]
    children: list[tuple[int, int]] = []
    leaf, node = len(counts) - 1, len(counts)
    for new in range(len(counts), len(weights)):
        pair: list[int] = []
        for _ in range(2):
            if leaf >= 0 and weights[leaf] < weights[node]:
                pair.append(leaf)
                leaf -= 1
            else:
                pair.append(node)
                node += 1
        _check(max(pair) < new)
        children.append((pair[0], pair[1]))
        weights[new] = weights[pair[0]] + weights[pair[1]]
    return np.array(children, np.int32).reshape(-1, 2)
