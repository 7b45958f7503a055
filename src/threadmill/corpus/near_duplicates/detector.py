"""Near-duplicate documents and paragraphs: MinHash finds candidates, exact shares of n-grams decide."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.corpus.near_duplicates.shingles import mix, ngrams, word_hashes

if TYPE_CHECKING:
    from numpy.typing import NDArray

# 16 bands of 4: two documents that share 0.7 of their n-grams meet in some band with probability
# 1 - (1 - 0.7^4)^16 = 0.988, those that share 0.8 with 0.9998.
_BANDS, _ROWS = 16, 4
# The usual three words; other lengths were not measured.
_WORDS = 3
_FIRST_SLOTS = 1 << 16
_MOST_FILLED = 0.7


class DocumentIndex:
    """Documents seen so far: 1,000,000 of them take some 400 MB in tables; their n-grams are on disk."""

    def __init__(self, threshold: float = 0.7) -> None:
        import numpy as np

        self._threshold = threshold
        generator = np.random.default_rng(20161)  # the same permutations in every run
        odd = np.uint64(1)
        self._multipliers = generator.integers(1, 1 << 32, (_BANDS * _ROWS, 1), dtype=np.uint32) | np.uint32(
            1
        )
        self._weights = generator.integers(1, 1 << 63, (_BANDS, _ROWS), dtype=np.uint64) | odd
        self._table = _Table()
        self._offsets = np.zeros(1024, dtype=np.int64)
        self._count = 0
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 -- lives as long as the index
        weakref.finalize(self, self._file.close)

    def __len__(self) -> int:
        return self._count

    def add(self, text: str) -> int | None:
        """Take in a document, unless it is a version of an earlier one: then that one's number."""
        import numpy as np

        words = word_hashes(text)
        if not len(words):
            return None
        grams = ngrams(words, _WORDS)
        shortened = np.unique(grams.astype(np.uint32))
        keys = self._keys(shortened)
        slots, owners = self._table.find(keys)
        for candidate in dict.fromkeys(owners[owners >= 0].tolist()):
            if self._similar(shortened, candidate):
                return int(candidate)
        self._table.insert(keys, slots, owners < 0, self._count)
        self._keep(shortened)
        return None

    def save(self, directory: Path) -> None:
        """Write all that a later run needs to go on."""
        import numpy as np

        self._file.seek(0)
        with (directory / "ngrams.bin").open("wb") as copy:
            shutil.copyfileobj(self._file, copy, 1 << 20)
        np.save(directory / "offsets.npy", self._offsets[: self._count + 1])
        np.save(directory / "keys.npy", self._table.keys)
        np.save(directory / "owners.npy", self._table.owners)

    def load(self, directory: Path) -> None:
        """Go on where the run that saved this stopped."""
        import numpy as np

        with (directory / "ngrams.bin").open("rb") as copy:
            shutil.copyfileobj(copy, self._file, 1 << 20)
        self._offsets = np.load(directory / "offsets.npy")
        self._count = len(self._offsets) - 1
        self._table = _Table(np.load(directory / "keys.npy"), np.load(directory / "owners.npy"))

    def _keys(self, grams: NDArray[Any]) -> NDArray[Any]:
        """One key per band. A product by an odd number is a permutation; its least value is the MinHash."""
        import numpy as np

        least = (grams * self._multipliers).min(axis=1).reshape(_BANDS, _ROWS).astype(np.uint64)
        return mix(
            ((least ^ (least << np.uint64(29))) * self._weights).sum(axis=1, dtype=np.uint64)
        ) | np.uint64(1)

    def _similar(self, grams: NDArray[Any], candidate: int) -> bool:
        import numpy as np

        start, end = self._offsets[candidate : candidate + 2].tolist()
        self._file.seek(start)
        other = np.frombuffer(self._file.read(end - start), dtype=np.uint32)
        low, high = sorted((len(grams), len(other)))
        if low < self._threshold * high:
            return False
        common = len(np.intersect1d(grams, other, assume_unique=True))
        return common >= self._threshold * (len(grams) + len(other) - common)

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
    """Keys of bands and the document that had each first: open addressing in two arrays."""

    def __init__(self, keys: NDArray[Any] | None = None, owners: NDArray[Any] | None = None) -> None:
        import numpy as np

        self.keys = np.zeros(_FIRST_SLOTS, dtype=np.uint64) if keys is None else keys
        self.owners = np.zeros(_FIRST_SLOTS, dtype=np.int32) if owners is None else owners
        self._filled = int(np.count_nonzero(self.keys))

    def find(self, keys: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """For each key the slot where it is or would be, and the document that owns it (-1: none)."""
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
        """Put keys into the free slots that find gave; of two that want one slot the later gets it."""
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
    """Which runs of words a corpus has had, in a fixed number of bytes: a Bloom filter."""

    def __init__(self, megabytes: int = 256, words: int = 7, threshold: float = 0.5) -> None:
        import numpy as np

        self._words = words
        self._threshold = threshold
        # A power of two, so that a position is a mask and not a division.
        self._bits = 1 << ((megabytes << 23).bit_length() - 1)
        self._filter = np.zeros(self._bits >> 3, dtype=np.uint8)

    def seen(self, paragraph: str) -> bool:
        """Whether more of a paragraph than the threshold has been seen; what has not been is remembered."""
        import numpy as np

        words = word_hashes(paragraph)
        if len(words) < self._words:  # "Yes, thank you." is no copy of anything
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
        """Write all that a later run needs to go on."""
        import numpy as np

        np.save(directory / "seen.npy", self._filter)

    def load(self, directory: Path) -> None:
        """Go on where the run that saved this stopped."""
        import numpy as np

        self._filter = np.load(directory / "seen.npy")
        self._bits = len(self._filter) << 3

    def _places(self, grams: NDArray[Any]) -> NDArray[Any]:
        """Three places a run; at ten bits a run one unseen in sixty seems seen, far from the threshold."""
        import numpy as np

        turns = np.array([[0], [21], [42]], dtype=np.uint64)
        turned = (grams >> turns) | (grams << (np.uint64(64) - turns) % np.uint64(64))
        return mix(turned) & np.uint64(self._bits - 1)
