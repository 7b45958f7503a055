"""What speaks for two sites being one company: each kind of evidence as a number and in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from threadmill.sites.decide.candidates import (
    MOST_SHARING,
    frequencies,
    list_vectors,
    pairs_by_keys,
    pairs_by_links,
    sharing,
)
from threadmill.sites.decide.sparse_vectors import Vectors
from threadmill.sites.model import Facts, Key, Signal, Site
from threadmill.sites.read.spelling import fold
from threadmill.sites.read.vocabulary import Vocabulary

# Kinds of keys, with how a sentence calls them.
_KEYS = {
    "e-mail": "the e-mail address {}",
    "mail domain": "the e-mail domain {}",
    "phone": "the telephone number …{}",
    "register number": "the register, tax or bank number {}",
    "address": "the address {}",
    "account": "the account {}",
    "profile": "the profile {}",
    "domain": "the domain {} as their own",
    "name": "the name {!r}",
    "picture": "the same favicon or logo",
}
_CONTACTS = ({"phone"}, {"e-mail", "mail domain"}, {"register number"}, {"address"})
_ANY = ""  # an address and its domain are compared by value alone
_COSINES = ("words", "rare words", "pictures", "template")
FEATURES = (
    *_KEYS,
    "links",
    "same label",
    *_COSINES,
    "other contact",
    "other name",
)
_NOTHING = {kind: Signal(kind, 0.0) for kind in FEATURES}
_OTHER_NAME = Signal("other name", 1.0)
# Kinds of keys that a site may have from somebody it only names, beside those of its own.
_NAMED = frozenset({"e-mail", "mail domain", "phone", "register number", "address"})
_LOOKED_AT = 12  # of those who share one
_STRANGE = 0.3  # what such a key still counts
# Sum of the IDF of a name's words from which on it is a name and no word: "forum" has 2.6, "Nintendo" 4.3,
# "Linden" 5.1, any two words more.
_OWN_NAME = 5.0
# What mail of a third party counts where none, one or both of two sites have mail at their own domain.
_FOREIGN = (1.0, 0.7, 0.5)


@dataclass(frozen=True, slots=True)
class Background:
    """What must be known of the whole list before two of its sites are looked at."""

    sites: Sequence[Site]
    counts: Mapping[Key, int]
    words: Vectors
    rare: Vectors
    pictures: Vectors
    classes: Vectors
    vocabulary: Vocabulary
    holders: Mapping[Key, Sequence[int]]  # of keys that some share
    # Asked of every pair, so made once of every site: its contact data by kind, the words of its names.
    contacts: Sequence[tuple[frozenset[Key], ...]]
    named: Sequence[frozenset[str]]

    def is_strange(self, key: Key) -> bool:
        """Whether most of those who share a key have names that have nothing in common.

        An authority, a host, a chamber or a builder stands on the sites of many: then the key is not theirs.
        """
        pairs = list(combinations(self.holders.get(key, ())[:_LOOKED_AT], 2))
        apart = sum(self.have_other_names(one, other) for one, other in pairs)
        return apart > len(pairs) / 2

    def have_other_names(self, one: int, other: int) -> bool:
        """Both have names, and no word is in both."""
        first, second = self.named[one], self.named[other]
        return bool(self.sites[one].facts.names and self.sites[other].facts.names) and first.isdisjoint(
            second
        )


def make_background(sites: Sequence[Site], words: Vectors, vocabulary: Vocabulary) -> Background:
    """Count the list over."""
    size = len(sites)
    counts = frequencies(sites)
    return Background(
        sites,
        counts,
        words,
        list_vectors((site.facts.words for site in sites), size),
        list_vectors((site.facts.pictures for site in sites), size),
        list_vectors((site.facts.template for site in sites), size),
        vocabulary,
        sharing(sites, counts),
        [_contacts(site.facts.keys) for site in sites],
        [_name_words(site.facts.names) for site in sites],
    )


def candidate_pairs(background: Background) -> set[tuple[int, int]]:
    """Pairs that share a key or a link."""
    return pairs_by_keys(background.holders) | pairs_by_links(background.sites)


def signals(background: Background, one: int, others: Sequence[int]) -> Iterator[tuple[Signal, ...]]:
    """All evidence for and against one site and each of some others, in the order of FEATURES."""
    cosines = (
        background.words.cosines(one, others),
        background.rare.cosines(one, others),
        background.pictures.cosines(one, others),
        background.classes.cosines(one, others),
    )
    for other, *alike in zip(others, *cosines, strict=True):
        found = dict(_NOTHING)
        _add_keys(found, background, one, other)
        found["links"] = _links(background.sites[one].facts, background.sites[other].facts)
        found["same label"] = _same_label(background.sites[one].facts, background.sites[other].facts)
        for kind, cosine in zip(_COSINES, alike, strict=True):
            if cosine:
                found[kind] = Signal(kind, cosine, f"{kind} alike to {cosine:.2f}")
        found["other contact"] = _conflict(background.contacts[one], background.contacts[other])
        if background.have_other_names(one, other):
            found["other name"] = _OTHER_NAME
        yield tuple(found.values())


def _add_keys(found: dict[str, Signal], background: Background, one: int, other: int) -> None:
    """What the keys say that two sites share."""
    first, second = background.sites[one].facts, background.sites[other].facts
    shared = first.keys & second.keys
    if not shared:
        return
    strange = frozenset[Key]()
    if background.have_other_names(one, other):
        own = {kind for kind, _ in first.keys - shared} & {kind for kind, _ in second.keys - shared}
        strange = frozenset(key for key in shared if key[0] in _NAMED & own and background.is_strange(key))
    for kind in {kind for kind, _ in shared}:
        found[kind] = _shared(kind, shared, background.counts, strange)
    for kind in ("e-mail", "mail domain"):
        found[kind] = _of_others(found[kind], shared, first, second)
    found["name"] = _own_name(found["name"], shared, background.vocabulary)


def _shared(kind: str, shared: frozenset[Key], counts: Mapping[Key, int], strange: frozenset[Key]) -> Signal:
    """The rarest shared key counts in full, further ones add less and less."""
    mine = [key for key in shared if key[0] == kind and counts[key] <= MOST_SHARING]
    values = sorted((counts[key], key[1]) for key in mine)
    if not values:
        return Signal(kind, 0.0)
    strengths = [_rarity(counts[key]) * (_STRANGE if key in strange else 1.0) for key in mine]
    total = sum(strength / (rank + 1) ** 2 for rank, strength in enumerate(sorted(strengths, reverse=True)))
    return Signal(kind, min(1.5, total), _KEYS[kind].format(values[0][1]))


def _of_others(signal: Signal, shared: frozenset[Key], one: Facts, other: Facts) -> Signal:
    """A site with mail at its own domain that also gives another's may name a maker, a chain or a partner."""
    if signal.strength == 0:
        return signal
    domains = {value.rpartition("@")[2] for kind, value in shared if kind == signal.kind}
    own = [facts.domain for facts in (one, other) if ("mail domain", facts.domain) in facts.keys]
    foreign = sum(domain not in domains for domain in own)
    return replace(signal, strength=signal.strength * _FOREIGN[foreign])


def _own_name(signal: Signal, shared: frozenset[Key], vocabulary: Vocabulary) -> Signal:
    """A name that is a word of every day ("help", "politica") may be anybody's."""
    if signal.strength == 0:
        return signal
    most = math.log(vocabulary.documents)
    rarest = max(
        sum(vocabulary.idf(word) or most for word in name.split()) for kind, name in shared if kind == "name"
    )
    return replace(signal, strength=signal.strength * min(1.0, rarest / _OWN_NAME))


def _rarity(count: int) -> float:
    """A key on up to three sites counts in full (a firm with two languages and a shop), on twelve half."""
    return 1.0 if count <= 3 else 1 / (1 + math.log2(count / 3) / 2)


def _links(ours: Facts, theirs: Facts) -> Signal:
    if ours.domain == theirs.domain:
        return _NOTHING["links"]
    there = bool(theirs.domain) and theirs.domain in ours.links
    back = bool(ours.domain) and ours.domain in theirs.links
    claimed = ("domain", theirs.domain) in ours.keys or ("domain", ours.domain) in theirs.keys
    claimed = claimed and bool(ours.domain and theirs.domain)
    if not (there or back or claimed):
        return _NOTHING["links"]
    text = "links in both directions" if there and back else "a link from one to the other"
    text = "one names the other's domain as its own" if claimed else text
    return Signal("links", min(1.5, 0.5 * (there + back) + claimed), text)


def _same_label(ours: Facts, theirs: Facts) -> Signal:
    label = ours.domain.partition(".")[0]
    if len(label) > 3 and ours.domain != theirs.domain and label == theirs.domain.partition(".")[0]:
        return Signal("same label", 1.0, f"the same name {label!r} under another ending")
    return _NOTHING["same label"]


def _conflict(one: Sequence[frozenset[Key]], other: Sequence[frozenset[Key]]) -> Signal:
    """Both give contact data of a kind, and none of it is the same."""
    both = [(ours, theirs) for ours, theirs in zip(one, other, strict=True) if ours and theirs]
    apart = sum(ours.isdisjoint(theirs) for ours, theirs in both)
    return Signal("other contact", apart / len(both)) if apart else _NOTHING["other contact"]


def _contacts(keys: frozenset[Key]) -> tuple[frozenset[Key], ...]:
    return tuple(frozenset((_ANY, key[1]) for key in keys if key[0] in kinds) for kinds in _CONTACTS)


def _name_words(names: frozenset[str]) -> frozenset[str]:
    return frozenset(word for name in names for word in fold(name).split() if len(word) > 2)
