"""Detects near-duplicate documents and paragraphs by hashes of word n-grams.

MinHash finds candidate documents, and the exact share of common n-grams decides. Paragraphs are compared with
a Bloom filter of all n-grams seen. All hashes are computed in a few passes over bytes, not in a loop over
words.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

# An odd number has an inverse modulo 2^64. So the hash of a word can be made independent of its position.
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_MIX = 0xFF51AFD7ED558CCD
# Longer texts are split into parts of this many bytes, which limits the table of powers.
_MOST_BYTES = 1 << 20
# Kana, Han, Thai, Lao, Burmese and Khmer: scripts that put no spaces between words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


@cache
def _powers(length: int) -> tuple[Hashes, Hashes]:
    """The powers of the base and of its inverse."""
    import numpy as np

    base = np.full(length, _BASE, dtype=np.uint64)
    inverse = np.full(length, _INVERSE, dtype=np.uint64)
    base[0] = inverse[0] = 1
    return np.multiply.accumulate(base), np.multiply.accumulate(inverse)


def word_hashes(text: str) -> Hashes:
    """One hash for each word of a text. Words stand between white space; their case does not matter.

    In scripts without spaces, each character is a word.
    """
    import numpy as np

    if not text.isascii():
        text = _UNSPACED.sub(r" \g<0> ", text)
    data = text.lower().encode("utf-8", "replace")
    if len(data) > _MOST_BYTES:
        half = text.rfind(" ", 0, len(text) // 2) + 1 or len(text) // 2
        return np.concatenate([word_hashes(text[:half]), word_hashes(text[half:])])
    if not data:
        return np.empty(0, dtype=np.uint64)
    table, inverse = _powers(1 << max(12, (len(data) - 1).bit_length()))
    values = np.frombuffer(data, dtype=np.uint8)
    # ASCII white space: 9 to 13 and 32. Other spaces are rare, and words joined by them do no harm.
    inside = np.zeros(len(data) + 2, dtype=np.bool_)  # with a space at both ends
    inside[1:-1] = (values != 32) & (values - np.uint8(9) > 4)  # below 9 the difference wraps around
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = edges[::2], edges[1::2]
    sums = np.zeros(len(data) + 1, dtype=np.uint64)
    np.cumsum((values + np.uint64(1)) * table[: len(data)], out=sums[1:])
    hashes: Hashes = (sums[ends] - sums[starts]) * inverse[starts]
    return mix(hashes)


def ngrams(words: Hashes, size: int) -> Hashes:
    """The hashes of all runs of `size` words. A shorter text is one run."""
    import numpy as np

    if len(words) < size:
        size = max(1, len(words))
    count = len(words) - size + 1
    found = words[:count].copy()
    for at in range(1, size):
        found *= np.uint64(_BASE)
        found += words[at : at + count]
    return mix(found)


def mix(values: Hashes) -> Hashes:
    """Spread the bits of hashes over all 64."""
    import numpy as np

    shift = np.uint64(33)
    mixed: Hashes = (values ^ (values >> shift)) * np.uint64(_MIX)
    return mixed ^ (mixed >> shift)


if TYPE_CHECKING:
    from numpy.typing import NDArray

# 16 bands of 4 hashes. Two documents that share 0.7 of their n-grams agree in some band with the probability
# 1 - (1 - 0.7^4)^16 = 0.988, those that share 0.8 with 0.9998.
BANDS, _ROWS = 16, 4
# N-grams of three words, as usual; other lengths were not measured.
_NGRAM_WORDS = 3
_FIRST_SLOTS = 1 << 16
_MOST_FILLED = 0.7


class DocumentSketcher:
    """Makes what documents are compared by: their n-grams, and keys that similar documents share."""

    def __init__(self) -> None:
        import numpy as np

        generator = np.random.default_rng(20161)  # the same permutations in every run
        odd = np.uint64(1)
        self._multipliers = generator.integers(1, 1 << 32, (BANDS * _ROWS, 1), dtype=np.uint32) | np.uint32(1)
        self._weights = generator.integers(1, 1 << 63, (BANDS, _ROWS), dtype=np.uint64) | odd

    def sketch(self, text: str) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """The keys and the n-grams of a document. None if it has no words."""
        import numpy as np

        words = word_hashes(text)
        if not len(words):
            return None
        grams = ngrams(words, _NGRAM_WORDS).astype(np.uint32)
        grams.sort()
        grams = grams[np.concatenate(([True], grams[1:] != grams[:-1]))]  # np.unique takes twice as long
        return self._keys(grams), grams

    def _keys(self, grams: NDArray[Any]) -> NDArray[Any]:
        """One key per band. A product with an odd number permutes the n-grams; the least is the MinHash."""
        import numpy as np

        least = (grams * self._multipliers).min(axis=1).reshape(BANDS, _ROWS).astype(np.uint64)
        return mix(
            ((least ^ (least << np.uint64(29))) * self._weights).sum(axis=1, dtype=np.uint64)
        ) | np.uint64(1)


def share_ngrams(grams: NDArray[Any], other: NDArray[Any], threshold: float) -> bool:
    """Whether two documents share so much of their n-grams."""
    import numpy as np

    low, high = sorted((len(grams), len(other)))
    if low < threshold * high:
        return False
    common = len(np.intersect1d(grams, other, assume_unique=True))
    return common >= threshold * (len(grams) + len(other) - common)


class DocumentIndex:
    """The documents seen so far. 1,000,000 of them need some 400 MB in tables; their n-grams are on disk."""

    def __init__(self, threshold: float = 0.7) -> None:
        import numpy as np

        self._threshold = threshold
        self._sketcher = DocumentSketcher()
        self._table = _Table()
        self._offsets = np.zeros(1024, dtype=np.int64)
        self._count = 0
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 -- lives as long as the index
        weakref.finalize(self, self._file.close)

    def __len__(self) -> int:
        return self._count

    def add(self, text: str) -> int | None:
        """Add a document. If it is a version of an earlier one, return the number of that one instead."""
        found = self._sketcher.sketch(text)
        if found is None:
            return None
        keys, grams = found
        slots, owners = self._table.find(keys)
        for candidate in dict.fromkeys(owners[owners >= 0].tolist()):
            if share_ngrams(grams, self._grams(candidate), self._threshold):
                return int(candidate)
        self._table.insert(keys, slots, owners < 0, self._count)
        self._keep(grams)
        return None

    def save(self, directory: Path) -> None:
        """Write everything that a later run needs to continue."""
        import numpy as np

        self._file.seek(0)
        with (directory / "ngrams.bin").open("wb") as copy:
            shutil.copyfileobj(self._file, copy, 1 << 20)
        np.save(directory / "offsets.npy", self._offsets[: self._count + 1])
        np.save(directory / "keys.npy", self._table.keys)
        np.save(directory / "owners.npy", self._table.owners)

    def load(self, directory: Path) -> None:
        """Continue from a saved state."""
        import numpy as np

        with (directory / "ngrams.bin").open("rb") as copy:
            shutil.copyfileobj(copy, self._file, 1 << 20)
        self._offsets = np.load(directory / "offsets.npy")
        self._count = len(self._offsets) - 1
        self._table = _Table(np.load(directory / "keys.npy"), np.load(directory / "owners.npy"))

    def _grams(self, document: int) -> NDArray[Any]:
        import numpy as np

        start, end = self._offsets[document : document + 2].tolist()
        self._file.seek(start)
        return np.frombuffer(self._file.read(end - start), dtype=np.uint32)

    def _keep(self, grams: NDArray[Any]) -> None:
        import numpy as np

        if self._count + 2 > len(self._offsets):
            self._offsets = np.concatenate([self._offsets, np.zeros_like(self._offsets)])
        end = int(self._offsets[self._count])
        self._file.seek(end)
        self._file.write(grams.tobytes())
        self._offsets[self._count + 1] = end + grams.nbytes
        self._count += 1


class _Table:
    """Keys of bands with the first document of each: a hash table with open addressing in two arrays."""

    def __init__(self, keys: NDArray[Any] | None = None, owners: NDArray[Any] | None = None) -> None:
        import numpy as np

        self.keys = np.zeros(_FIRST_SLOTS, dtype=np.uint64) if keys is None else keys
        self.owners = np.zeros(_FIRST_SLOTS, dtype=np.int32) if owners is None else owners
        self._filled = int(np.count_nonzero(self.keys))

    def find(self, keys: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """For each key its slot, and the document that owns it (-1: the slot is free)."""
        import numpy as np

        mask = len(self.keys) - 1
        slots = ((keys >> np.uint64(1)) & np.uint64(mask)).astype(np.int64)
        unsettled = np.arange(len(keys))
        while len(unsettled):
            there = self.keys[slots[unsettled]]
            unsettled = unsettled[(there != 0) & (there != keys[unsettled])]
            slots[unsettled] = (slots[unsettled] + 1) & mask
        return slots, np.where(self.keys[slots] == 0, -1, self.owners[slots])

    def insert(self, keys: NDArray[Any], slots: NDArray[Any], free: NDArray[Any], owner: int) -> None:
        """Put keys into the free slots that `find` gave. Of two keys for one slot the later wins."""
        self.keys[slots[free]] = keys[free]
        self.owners[slots[free]] = owner
        self._filled += int(free.sum())
        if self._filled > _MOST_FILLED * len(self.keys):
            self._grow()

    def _grow(self) -> None:
        import numpy as np

        used = self.keys != 0
        keys, owners = self.keys[used], self.owners[used]
        self.keys = np.zeros(2 * len(used), dtype=np.uint64)
        self.owners = np.zeros(2 * len(used), dtype=np.int32)
        while len(keys):
            slots, _ = self.find(keys)
            _, first = np.unique(slots, return_index=True)
            self.keys[slots[first]], self.owners[slots[first]] = keys[first], owners[first]
            rest = np.ones(len(keys), dtype=bool)
            rest[first] = False
            keys, owners = keys[rest], owners[rest]
        self._filled = int(np.count_nonzero(self.keys))


class SeenNgrams:
    """Runs of words that a corpus has had: a Bloom filter with a fixed number of bytes."""

    def __init__(self, megabytes: int = 256, words: int = 7, threshold: float = 0.5) -> None:
        import numpy as np

        self._words = words
        self._threshold = threshold
        # A power of two, so that a position needs a mask and no division.
        self._bits = 1 << ((megabytes << 23).bit_length() - 1)
        self._filter = np.zeros(self._bits >> 3, dtype=np.uint8)

    def seen(self, paragraph: str) -> bool:
        """Whether more of a paragraph than the threshold was seen before. New runs are remembered."""
        import numpy as np

        words = word_hashes(paragraph)
        if len(words) < self._words:  # "Yes, thank you." is nobody's copy
            return False
        grams = ngrams(words, self._words)
        places = self._places(grams)
        held = self._filter[places >> np.uint64(3)] >> (places & np.uint64(7)).astype(np.uint8)
        known = (held & np.uint8(1)).all(axis=0)
        duplicate = bool(known.mean() > self._threshold)
        if not duplicate:
            new = places[:, ~known].ravel()
            bits = np.left_shift(np.uint8(1), (new & np.uint64(7)).astype(np.uint8))
            np.bitwise_or.at(self._filter, (new >> np.uint64(3)).astype(np.int64), bits)
        return duplicate

    def save(self, directory: Path) -> None:
        """Write everything that a later run needs to continue."""
        import numpy as np

        np.save(directory / "seen.npy", self._filter)

    def load(self, directory: Path) -> None:
        """Continue from a saved state."""
        import numpy as np

        self._filter = np.load(directory / "seen.npy")
        self._bits = len(self._filter) << 3

    def _places(self, grams: NDArray[Any]) -> NDArray[Any]:
        """Three bits for each run. At ten bits a run, one new run in sixty seems seen."""
        import numpy as np

        turns = np.array([[0], [21], [42]], dtype=np.uint64)
        turned = (grams >> turns) | (grams << (np.uint64(64) - turns) % np.uint64(64))
        return mix(turned) & np.uint64(self._bits - 1)
