"""The sites of a list in arrays: all that the comparison of pairs needs, in some kilobytes a site.

Keys, names and links are kept as 64-bit hashes, so that a hundred thousand sites fit into memory. What the
pages say in words (`Fact`) is kept packed, and unpacked only where sites share something.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from threadmill.sites.decide.sparse_vectors import Indices, Vectors, list_vectors, unit_vectors
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, Fact, Key
from threadmill.sites.read.names import romanise
from threadmill.sites.read.read_site import label_of

Flags = NDArray[np.bool_]
# A key on more sites than this belongs to a web designer or a template. The number of its pairs would grow
# with the square of its sites.
MOST_SITES_OF_KEY = 40
KEY_KINDS = (
    *("e-mail", "mail domain", "phone", "register number", "address", "account", "profile", "domain"),
    *("name", "title", "label", "picture"),
)
# Two names are different if less than this share of their words is common: "Anna Maria Bell Attorneys" and
# "Jan Peter Preez Attorneys" are, "Bakery Kern" and "Kern Shop" are not.
_LEAST_COMMON = 0.25
_NEXT_NAME = 0  # between the words of two names
_CODES = {kind: code for code, kind in enumerate(KEY_KINDS)}
_TERMS_AT_ONCE = 300_000  # of about a thousand sites
_UNPACKED_SITES = 4096  # whose facts are kept unpacked: pairs come sorted by their first site


def hash_of(key: Key) -> int:
    """The number that stands for a key in a table. It differs from run to run."""
    return hash(key)


class _Rows:
    """Rows of numbers of any length, one after the other in one array."""

    def __init__(self, kind: str = "q") -> None:
        self.values = array(kind)
        self.starts = array("q", [0])

    def add(self, row: Iterable[int]) -> None:
        self.values.extend(row)
        self.starts.append(len(self.values))

    def __getitem__(self, number: int) -> array[int]:
        return self.values[self.starts[number] : self.starts[number + 1]]

    def owners(self) -> Indices:
        """The row of every value."""
        starts = np.frombuffer(self.starts, np.int64)
        return np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))

    def entries(self) -> tuple[Indices, Indices]:
        """All values, and the row of each."""
        return np.frombuffer(self.values, np.int64), self.owners()


@dataclass(frozen=True, slots=True)
class SharedKeys:
    """Keys that several sites have: number of its kind, how many sites, where these begin in `owners`."""

    kinds: Indices
    counts: Indices
    begins: Indices
    owners: Indices


class SiteTable:
    """Rows of sites. Add all of them first, then ask."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.domains: list[str] = []
        self.keys = _Rows()
        self.kinds = array("B")  # of each key
        self._links = _Rows()
        self._names = _Rows()
        self._titles = _Rows()
        self._sounds = _Rows()
        self._foreign_sounds = _Rows()
        self._pictures = _Rows()
        self._templates = _Rows("I")
        self._facts: list[bytes] = []
        self._packer = zstandard.ZstdCompressor(level=1)
        self._unpacker = zstandard.ZstdDecompressor()
        self._unpacked: dict[int, dict[int, Fact]] = {}
        # The most frequent first: of two terms with one hash (the letters of "line" are the bytes of two
        # Chinese signs) it is the one that counts.
        rarity = _rarity_of_terms(vocabulary)
        order = np.argsort(rarity, kind="stable")
        hashes = np.fromiter(map(hash, vocabulary.frequencies), np.int64, len(rarity))
        self._hashes, first = np.unique(hashes[order], return_index=True)
        self._rarity = rarity[order][first]
        self._waiting = array("q")  # hashes of terms whose columns are not looked up yet
        self._terms = array("i")  # the columns of the terms of all sites
        self._counts = array("H")
        self._term_starts = array("q", [0])

    def __len__(self) -> int:
        return len(self.domains)

    def add(self, site: CompanySite) -> None:
        """Add a site as the next row."""
        facts = site.facts
        found: list[tuple[Any, ...]] = [
            (fact.kind, fact.value, fact.written, fact.around, fact.page, fact.is_mention)
            for fact in facts.found
        ]
        stated = {(fact.kind, fact.value) for fact in facts.found}
        found += [(*key, key[1], "", "") for key in facts.keys if key not in stated and key[0] in _CODES]
        is_labelled = not facts.domain or any(kind == "label" for kind, _ in facts.keys)
        if not is_labelled and (label := label_of(facts.domain)):
            found.append(("label", label, facts.domain, "its address", site.url))
        self.domains.append(facts.domain)
        self.keys.add(hash_of((kind, value)) for kind, value, *_ in found)
        self.kinds.extend(_CODES[kind] for kind, *_ in found)
        self._facts.append(self._packer.compress(marshal.dumps(found)))
        self._links.add(map(hash, facts.links))
        titles = () if facts.names else (value for kind, value in facts.keys if kind == "title")
        self._names.add(_word_hashes(facts.names))
        self._titles.add(_word_hashes(titles))
        self._sounds.add(hash(value) for kind, value in facts.keys if kind == "sound")
        self._foreign_sounds.add(hash(value) for kind, value in facts.keys if kind == "foreign sound")
        self._pictures.add(map(hash, facts.pictures))
        self._templates.add(facts.template)
        self._add_terms(site.keywords)

    def _add_terms(self, keywords: Mapping[str, int]) -> None:
        self._waiting.extend(map(hash, keywords))
        counts = np.fromiter(keywords.values(), np.int64, len(keywords))
        self._counts.frombytes(np.minimum(counts, 2**16 - 1).astype(np.uint16).tobytes())
        self._term_starts.append(self._term_starts[-1] + len(keywords))
        if len(self._waiting) >= _TERMS_AT_ONCE:
            self._look_up()

    def _look_up(self) -> None:
        """Find the columns of the terms of some sites at once: sorted, so that memory is read in order."""
        terms, places = np.unique(np.frombuffer(self._waiting, np.int64), return_inverse=True)
        columns = np.searchsorted(self._hashes, terms).astype(np.int32)
        columns[~np.isin(terms, self._hashes, assume_unique=True)] = len(self._hashes)  # unknown
        self._terms.frombytes(columns[places].tobytes())
        self._waiting = array("q")

    @cached_property
    def words(self) -> Vectors:
        """TF-IDF vectors of the sites, the most frequent term first. Ends the adding: counts are given up."""
        self._look_up()
        width = len(self._hashes) + 1
        columns, counts = np.frombuffer(self._terms, np.int32), np.frombuffer(self._counts, np.uint16)
        rarity = np.append(self._rarity, 0.0)  # the last one is that of unknown terms
        # What weighs nothing is left out of the vectors and comes last. In this order the join needs no copy.
        frequency = np.where(rarity > 0, np.bincount(columns, minlength=width), -1)
        order = np.argsort(-frequency, kind="stable")
        rank = np.empty(width, np.int32)
        rank[order] = np.arange(width, dtype=np.int32)
        columns, rarity = rank[columns], rarity[order]
        starts = np.frombuffer(self._term_starts, np.int64)
        vectors = unit_vectors(starts, columns, lambda part: counts[part] * rarity[columns[part]], width)
        self._terms, self._counts, self._term_starts = array("i"), array("H"), array("q", [0])
        return vectors

    @cached_property
    def pictures(self) -> Vectors:
        """Vectors of the names of pictures, weighted by their rarity in the list."""
        names, columns = np.unique(np.frombuffer(self._pictures.values, np.int64), return_inverse=True)
        starts = np.frombuffer(self._pictures.starts, np.int64)
        columns = columns.astype(np.int32)
        rows = (columns[starts[number] : starts[number + 1]] for number in range(len(self)))
        return list_vectors(rows, len(self), len(names))

    @cached_property
    def _index(self) -> tuple[Indices, Indices, Indices, Indices]:
        """The different keys, sorted; how many sites have each; where these begin; the sites, key by key."""
        keys = np.frombuffer(self.keys.values, np.int64)[self._key_order]
        different, begins, counts = np.unique(keys, return_index=True, return_counts=True)
        return different, counts, begins, self.keys.owners()[self._key_order]

    @cached_property
    def _key_order(self) -> Indices:
        return np.argsort(np.frombuffer(self.keys.values, np.int64), kind="stable")

    @cached_property
    def _counts_by_key(self) -> dict[int, int]:
        different, counts, _, _ = self._index
        shared = counts > 1
        return dict(zip(different[shared].tolist(), counts[shared].tolist(), strict=True))

    def count(self, key: int) -> int:
        """How many sites have a key."""
        return self._counts_by_key.get(key, 1)

    def holders(self, key: int) -> list[int]:
        """The sites that have a key."""
        different, counts, begins, owners = self._index
        place = int(np.searchsorted(different, key))
        if place == len(different) or different[place] != key:
            return []
        found: list[int] = owners[begins[place] : begins[place] + counts[place]].tolist()
        return found

    def keys_of(self, number: int) -> dict[int, str]:
        """The keys of a site with their kinds."""
        part = slice(self.keys.starts[number], self.keys.starts[number + 1])
        return {
            key: KEY_KINDS[code] for key, code in zip(self.keys.values[part], self.kinds[part], strict=True)
        }

    def facts_of(self, number: int) -> dict[int, Fact]:
        """What the pages of a site say, by key."""
        known = self._unpacked.get(number)
        if known is None:
            packed = marshal.loads(self._unpacker.decompress(self._facts[number]))  # noqa: S302 -- our own bytes
            known = {hash_of((kind, value)): Fact(kind, value, *rest) for kind, value, *rest in packed}
            if len(self._unpacked) >= _UNPACKED_SITES:
                self._unpacked.clear()
            self._unpacked[number] = known
        return known

    def have_other_names(self, one: int, other: int) -> bool:
        """Whether both sites have names, and no two of them have enough words in common."""
        return _differ(_split(self._names[one]), _split(self._names[other]))

    def seem_to_differ(self, one: int, other: int) -> bool:
        """The same, where the titles of a site stand for names that it does not state."""
        ours, theirs = (self._names[n] or self._titles[n] for n in (one, other))
        return _differ(_split(ours), _split(theirs))

    def links_to(self, one: int, domain: str) -> bool:
        """Whether a site links to a domain."""
        return bool(domain) and hash(domain) in self._links[one]

    def shared_sound(self, one: int, other: int) -> bool:
        """Whether a name of one site sounds like a name of the other site in another script."""
        return not set(self._sounds[one]).isdisjoint(self._foreign_sounds[other]) or not set(
            self._foreign_sounds[one]
        ).isdisjoint(self._sounds[other])

    def template_overlap(self, one: int, other: int) -> float:
        """Share of class names that two sites have in common, estimated from their sketches."""
        ours, theirs = set(self._templates[one]), set(self._templates[other])
        size = min(len(ours | theirs), max(len(ours), len(theirs)))
        if not ours or not theirs:
            return 0.0
        smallest = sorted(ours | theirs)[:size]
        return sum(value in ours and value in theirs for value in smallest) / size

    @cached_property
    def shared_keys(self) -> SharedKeys:
        """The keys that several sites have."""
        _, counts, begins, owners = self._index
        shared = np.flatnonzero(counts > 1)
        kinds = np.frombuffer(self.kinds, np.uint8)[self._key_order]
        return SharedKeys(kinds[begins[shared]], counts[shared], begins[shared], owners)

    def contact_kinds(self, kinds: Collection[str]) -> tuple[Flags, Flags]:
        """Of every site: whether it has a key of these kinds, and whether many others have it too."""
        codes = np.frombuffer(self.kinds, np.uint8)
        of_kind = np.flatnonzero(np.isin(codes, [_CODES[kind] for kind in kinds]))
        owners = self.keys.owners()[of_kind]
        different, counts, _, _ = self._index
        keys = np.frombuffer(self.keys.values, np.int64)[of_kind]
        many = counts[np.searchsorted(different, keys)] > MOST_SITES_OF_KEY
        has, shares = np.zeros(len(self), np.bool_), np.zeros(len(self), np.bool_)
        has[owners] = True
        shares[owners[many]] = True
        return has, shares

    def sounds(self) -> tuple[tuple[Indices, Indices], tuple[Indices, Indices]]:
        """The sounds of names in Latin letters and in other scripts: each sound and its site."""
        return self._sounds.entries(), self._foreign_sounds.entries()

    def links(self) -> tuple[Indices, Indices]:
        """Hashes of the domains that sites link to, and the sites that do."""
        return self._links.entries()


def _rarity_of_terms(vocabulary: Vocabulary) -> NDArray[np.float64]:
    """The inverse document frequency of every term. Many terms are on as many sites, so few are computed."""
    terms = vocabulary.frequencies
    counts = np.fromiter(terms.values(), np.int64, len(terms))
    _, examples, places = np.unique(counts, return_index=True, return_inverse=True)
    names = list(terms)
    values = [vocabulary.idf(names[example]) for example in examples]
    return np.array(values, np.float64)[places]


def _word_hashes(names: Iterable[str]) -> Iterator[int]:
    """The words of names in Latin letters, as numbers, with a mark behind each name."""
    for name in names:
        yield from (hash(word) for word in romanise(name).split() if len(word) > 2)
        yield _NEXT_NAME


def _split(words: Iterable[int]) -> list[set[int]]:
    names: list[set[int]] = [set()]
    for word in words:
        if word == _NEXT_NAME:
            names.append(set())
        else:
            names[-1].add(word)
    return [name for name in names if name]


def _differ(ours: Sequence[set[int]], theirs: Sequence[set[int]]) -> bool:
    return bool(ours and theirs) and all(
        len(mine & yours) < _LEAST_COMMON * len(mine | yours) for mine in ours for yours in theirs
    )
