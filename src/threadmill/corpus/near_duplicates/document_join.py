"""Finds near-duplicates among any number of documents: signatures in files, sorted keys, an exact check.

Workers write the signatures: for each document its keys (see `detector`) and its n-grams. One process sorts
the keys in small shards, compares only documents that share a key, and keeps the first of each group. The
decisions are those of `DocumentIndex`, which holds all keys in memory. This needs 17 bytes a document, and up
to 40 bytes for each key of a document that another one has too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from threadmill.archive.remote_files import AnyFile
from threadmill.corpus.near_duplicates.detector import BANDS, DocumentSketcher, share_ngrams
from threadmill.errors import ArchiveError
from threadmill.parallel.parts import Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HEAD = 4  # bytes of the number of n-grams of a document
_KEY_BYTES = 8 * BANDS
# Keys are sorted in so many files: at 100 million documents, each has 25 million keys, 300 MB.
_SHARDS = 64
_BUFFERED = 1 << 15  # keys in memory for each shard


class SignatureWriter:
    """Writes the signatures of documents one after the other."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._sketcher = DocumentSketcher()
        self.documents = 0

    def add(self, text: str) -> None:
        """Write the signature of the next document. One without words has none."""
        self.documents += 1
        found = self._sketcher.sketch(text)
        if found is None:
            self._write(bytes(_HEAD))
            return
        keys, grams = found
        self._write(len(grams).to_bytes(_HEAD, "little") + keys.tobytes() + grams.tobytes())


def find_duplicates(folder: AnyFile, parts: Sequence[Part], threshold: float) -> NDArray[np.bool_]:
    """For each document of the parts, in order, whether it is a version of an earlier one."""
    import numpy as np

    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        files = [stack.enter_context((folder / f"{part.name}.part").open("rb")) for part in parts]
        shards = _KeyShards(Path(name), stack)
        places: list[tuple[NDArray[Any], NDArray[Any]]] = []
        first = 0
        for file, part in zip(files, parts, strict=True):
            places.append(_read_signatures(file, part, first, shards))
            first += len(places[-1][0])
        starts = np.concatenate([start for start, _ in places])
        sizes = np.concatenate([size for _, size in places])
        homes = np.repeat(np.arange(len(parts), dtype=np.int32), [len(start) for start, _ in places])

        def grams(document: int) -> NDArray[Any]:
            file = files[homes[document]]
            file.seek(int(starts[document]))
            return np.frombuffer(file.read(4 * int(sizes[document])), dtype=np.uint32)

        return _decide(first, shards.shared_keys(), grams, threshold)


def _read_signatures(
    file: IO[bytes], part: Part, first: int, shards: _KeyShards
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Note where the n-grams of each document are, and hand the keys to the shards."""
    import numpy as np

    count: int = part.counts["documents"]
    starts, sizes = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.uint32)
    at = 0
    for number in range(count):
        head = file.read(_HEAD)
        if len(head) < _HEAD:
            raise ArchiveError(f"the signatures of {part.inputs[0][0]} are cut off; run this again")
        size = int.from_bytes(head, "little")
        at += _HEAD
        if size:
            keys = np.frombuffer(file.read(_KEY_BYTES), dtype=np.uint64)
            shards.add(keys, first + number)
            at += _KEY_BYTES
            starts[number], sizes[number] = at, size
            at += 4 * size
            file.seek(at)
    return starts, sizes


class _KeyShards:
    """Keys with their documents, in files by the first bits of the key."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        import numpy as np

        self._kind = np.dtype([("key", np.uint64), ("document", np.uint32)])
        self._files = [stack.enter_context((folder / str(n)).open("w+b")) for n in range(_SHARDS)]
        self._held = np.empty(_BUFFERED * 16, dtype=self._kind)
        self._count = 0

    def add(self, keys: NDArray[Any], document: int) -> None:
        """Take the keys of the next document."""
        if self._count + len(keys) > len(self._held):
            self._flush()
        rows = self._held[self._count : self._count + len(keys)]
        rows["key"], rows["document"] = keys, document
        self._count += len(keys)

    def _flush(self) -> None:
        import numpy as np

        rows = self._held[: self._count]
        homes = (rows["key"] >> np.uint64(64 - 6)).astype(np.intp)
        order = np.argsort(homes, kind="stable")
        borders = np.searchsorted(homes[order], np.arange(_SHARDS + 1))
        for file, start, end in zip(self._files, borders[:-1], borders[1:], strict=True):
            file.write(rows[order[start:end]].tobytes())
        self._count = 0

    def shared_keys(self) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """Keys that several documents have: of each shard the documents, and a number for each one's key."""
        import numpy as np

        self._flush()
        groups = 0
        for file in self._files:
            file.seek(0)
            rows = np.frombuffer(file.read(), dtype=self._kind)
            order = np.argsort(rows["key"], kind="stable")
            keys = rows["key"][order]
            same = np.zeros(len(keys) + 1, dtype=bool)
            same[1:-1] = keys[1:] == keys[:-1]
            shared = same[1:] | same[:-1]
            starts = shared & ~same[:-1]
            numbers = np.cumsum(starts)[shared] - 1 + groups
            groups += int(starts.sum())
            yield rows["document"][order][shared], numbers.astype(np.uint32)


def _decide(
    count: int,
    shared: Iterable[tuple[NDArray[Any], NDArray[Any]]],
    grams: Callable[[int], NDArray[Any]],
    threshold: float,
) -> NDArray[np.bool_]:
    """Go through the documents that share keys, in order. The first that is kept owns a key."""
    import numpy as np

    pairs = list(shared)
    documents = np.concatenate([found for found, _ in pairs])
    numbers = np.concatenate([found for _, found in pairs])
    order = np.argsort(documents, kind="stable")
    documents, numbers = documents[order], numbers[order]
    owners = np.full(int(numbers.max()) + 1 if len(numbers) else 0, -1, dtype=np.int64)
    duplicates = np.zeros(count, dtype=bool)
    borders = np.flatnonzero(np.diff(documents, prepend=-1, append=-1)) if len(documents) else documents
    for start, end in zip(borders[:-1].tolist(), borders[1:].tolist(), strict=True):
        document, keys = int(documents[start]), numbers[start:end]
        known = owners[keys]
        candidates = dict.fromkeys(known[known >= 0].tolist())
        own = grams(document) if candidates else None
        if own is not None and any(share_ngrams(own, grams(other), threshold) for other in candidates):
            duplicates[document] = True
        else:
            owners[keys[known < 0]] = document
    return duplicates
