"""Cuts a page into fragments (tags and texts), and gives every chain of fragments a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Lengths = NDArray[np.int64]

# A fragment is one tag, or the text between two tags without the white space around it. A script, a style
# sheet and a comment are one fragment each: nothing in them is a tag for a browser. No part of the pattern
# can run past a "<" and come back, so hostile pages are read in linear time too.
FRAGMENT = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(?i:script|style)\b[^<>]*+>.*?(?:</(?i:script|style)\b[^<>]*+>|\Z)"
    rb"|<[a-zA-Z/!?](?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+'|[\"'])*+>"
    rb"|<?[^<\s][^<]*"
    rb"|<",
    re.DOTALL,
)

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd: spreads CRC32 over 64 bits


@dataclass(frozen=True, slots=True)
class Chains:
    """The chains of one page: names in ascending order, and the length of each chain in bytes."""

    names: Hashes
    lengths: Lengths

    @property
    def size(self) -> int:
        """The length of all chains in bytes."""
        return int(self.lengths.sum())


def overlap_bytes(page: Chains, framing: Chains) -> int:
    """Return how many bytes of a framing's chains a page has."""
    return int(framing.lengths[_contained(framing.names, page.names)].sum())


def _contained(some: Hashes, others: Hashes) -> NDArray[np.bool_]:
    """Return which of some names are among other, sorted names."""
    if not len(others):
        return np.zeros(len(some), bool)
    place = np.searchsorted(others, some)
    place[place == len(others)] = 0
    return np.asarray(others[place] == some)


def cut_fragments(html: bytes) -> list[bytes]:
    """Return the fragments of a page in order."""
    return [fragment.rstrip() for fragment in FRAGMENT.findall(html)]


def chain_names(fragments: list[bytes], chain_length: int) -> Hashes:
    """Return the name of the chain that starts at each fragment, as long as a whole chain is left.

    The source names a chain by the CRC32 of its bytes. On a site of 10,000 pages, 32 bits would collide
    thousands of times, so the CRC32s of the fragments are combined into 64 bits instead.
    """
    count = len(fragments) - chain_length + 1
    if count <= 0:
        return np.empty(0, np.uint64)
    single = np.fromiter(map(crc32, fragments), np.uint64, len(fragments))
    names = np.zeros(count, np.uint64)
    for place in range(chain_length):
        names = (names ^ single[place : place + count]) * _MULTIPLIER
        names ^= names >> np.uint64(29)
    return names


def chains_of(html: bytes, chain_length: int) -> Chains:
    """Return the set of chains of a page."""
    fragments = cut_fragments(html)
    return _as_set(chain_names(fragments, chain_length), fragments, chain_length)


def _as_set(names: Hashes, fragments: list[bytes], chain_length: int) -> Chains:
    ends = np.cumsum([0, *map(len, fragments)], dtype=np.int64)
    lengths = ends[chain_length:] - ends[: len(ends) - chain_length] if len(names) else np.empty(0, np.int64)
    unique, first = np.unique(names, return_index=True)
    return Chains(unique, lengths[first])


def intersect_chains(one: Chains, other: Chains) -> Chains:
    """Return the chains that both have."""
    both = _contained(one.names, other.names)
    return Chains(one.names[both], one.lengths[both])


@dataclass(frozen=True, slots=True)
class Fragments:
    """The fragments of a page with their byte spans, and the chains that start at them."""

    places: list[tuple[int, int]]  # in the page's bytes
    names: Hashes
    chains: Chains
    chain_length: int

    def covered(self, framing: Hashes) -> list[bool]:
        """Return for each fragment whether it stands in a chain of a framing."""
        starts = _contained(self.names, framing)
        inside = np.zeros(len(self.places), bool)
        for shift in range(self.chain_length):
            inside[shift : shift + len(starts)] |= starts
        return cast(list[bool], inside.tolist())


def fragments_of(html: bytes, chain_length: int) -> Fragments:
    """Cut a page into fragments and keep their byte spans."""
    places, pieces = [], []
    for found in FRAGMENT.finditer(html):
        piece = found.group().rstrip()
        start = found.start()
        places.append((start, start + len(piece)))
        pieces.append(piece)
    names = chain_names(pieces, chain_length)
    return Fragments(places, names, _as_set(names, pieces, chain_length), chain_length)
