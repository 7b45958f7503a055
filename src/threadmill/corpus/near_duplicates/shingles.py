"""Text to hashes of its words and word n-grams, in a few passes over bytes instead of a loop over words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

# An odd number has an inverse modulo 2^64, so the hash of a word does not depend on where it stands.
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_MIX = 0xFF51AFD7ED558CCD
# Longer texts are taken in parts of this many bytes; it bounds the table of powers.
_MOST_BYTES = 1 << 20


@cache
def _powers(length: int) -> tuple[Hashes, Hashes]:
    """Powers of the base and of its inverse."""
    import numpy as np

    base = np.full(length, _BASE, dtype=np.uint64)
    inverse = np.full(length, _INVERSE, dtype=np.uint64)
    base[0] = inverse[0] = 1
    return np.multiply.accumulate(base), np.multiply.accumulate(inverse)


def word_hashes(text: str) -> Hashes:
    """One number for each word of a text; words are what white space parts, in lower case."""
    import numpy as np

    data = text.lower().encode("utf-8", "replace")
    if len(data) > _MOST_BYTES:
        half = text.rfind(" ", 0, len(text) // 2) + 1 or len(text) // 2
        return np.concatenate([word_hashes(text[:half]), word_hashes(text[half:])])
    if not data:
        return np.empty(0, dtype=np.uint64)
    table, inverse = _powers(1 << max(12, (len(data) - 1).bit_length()))
    values = np.frombuffer(data, dtype=np.uint8)
    # ASCII white space: 9 to 13 and 32. Words of other spaces' making are rare and no worse for it.
    inside = ~((values == 32) | ((values >= 9) & (values <= 13)))
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    sums = np.zeros(len(data) + 1, dtype=np.uint64)
    np.cumsum((values + np.uint64(1)) * table[: len(data)], out=sums[1:])
    hashes: Hashes = (sums[ends] - sums[starts]) * inverse[starts]
    return mix(hashes)


def ngrams(words: Hashes, size: int) -> Hashes:
    """Hashes of all runs of so many words; a shorter text is one run."""
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
    """Spreads the bits of hashes over all 64."""
    import numpy as np

    shift = np.uint64(33)
    mixed: Hashes = (values ^ (values >> shift)) * np.uint64(_MIX)
    return mixed ^ (mixed >> shift)
