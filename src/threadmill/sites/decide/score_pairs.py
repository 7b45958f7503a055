"""Scores pairs of sites: finds evidence, weighs it into one calibrated score, explains it in a sentence."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import combinations, groupby
from operator import itemgetter

from threadmill.sites.decide.sparse_vectors import Vectors, join_by_cosine, list_vectors
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, Evidence, Key, SiteFacts, SitePair
from threadmill.sites.read.folded_words import fold

# Kinds of keys, with the words for them in a sentence.
_KEY_TEXTS = {
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
_COSINE_KINDS = ("words", "rare words", "pictures", "template")
EVIDENCE_KINDS = (
    *_KEY_TEXTS,
    "links",
    "same label",
    *_COSINE_KINDS,
    "other contact",
    "other name",
)
_NO_EVIDENCE = {kind: Evidence(kind, 0.0) for kind in EVIDENCE_KINDS}
_OTHER_NAME = Evidence("other name", 1.0)
# A key on more sites than this belongs to a web designer or a template. The number of its pairs would grow
# with the square of its sites.
MOST_SITES_OF_KEY = 40
# Contact data are compared by kind. An e-mail address and its domain are one kind.
_CONTACT_KINDS = ({"phone"}, {"e-mail", "mail domain"}, {"register number"}, {"address"})
# Kinds of keys that may belong to somebody whom a site only names, such as an authority or a host.
_KINDS_OF_THIRD_PARTIES = frozenset({"e-mail", "mail domain", "phone", "register number", "address"})
_MOST_HOLDERS = 12  # sites with such a key that are looked at
_THIRD_PARTY_FACTOR = 0.3  # for the strength of a key that seems to belong to a third party
_MOST_STRENGTH = 1.5
# A name counts in full if the IDF of its words sums up to this. Below, it is an ordinary word: "forum" has
# 2.6, "Nintendo" 4.3, "Linden" 5.1, any two words more.
_IDF_OF_NAME = 5.0
# Factors for shared mail at a third domain, by how many of the two sites (0, 1, 2) also have mail at their
# own domain.
_FOREIGN_MAIL_FACTORS = (1.0, 0.7, 0.5)


@dataclass(frozen=True, slots=True)
class ListBackground:
    """What must be known of the whole list before two of its sites are compared."""

    sites: Sequence[CompanySite]
    counts: Mapping[Key, int]  # number of sites with each key
    words: Vectors
    rare: Vectors
    pictures: Vectors
    classes: Vectors
    vocabulary: Vocabulary
    holders: Mapping[Key, Sequence[int]]  # sites with each key that some sites share, but not too many
    # Needed for every pair, so prepared once per site: contact data by kind, and the words of the names.
    contacts: Sequence[tuple[frozenset[str], ...]]
    name_words: Sequence[frozenset[str]]

    def is_of_third_party(self, key: Key) -> bool:
        """Whether most pairs of sites with this key have names without a common word.

        Then the key belongs to an authority, a host, a chamber or a web designer that many sites name.
        """
        pairs = list(combinations(self.holders.get(key, ())[:_MOST_HOLDERS], 2))
        apart = sum(self.have_other_names(one, other) for one, other in pairs)
        return apart > len(pairs) / 2

    def have_other_names(self, one: int, other: int) -> bool:
        """Whether both sites have names, and no word is common to them."""
        both_named = bool(self.sites[one].facts.names and self.sites[other].facts.names)
        return both_named and self.name_words[one].isdisjoint(self.name_words[other])


def describe_list(sites: Sequence[CompanySite], words: Vectors, vocabulary: Vocabulary) -> ListBackground:
    """Count and index what the comparison of pairs needs of the whole list."""
    size = len(sites)
    counts = Counter(key for site in sites for key in site.facts.keys)
    return ListBackground(
        sites,
        counts,
        words,
        list_vectors((site.facts.words for site in sites), size),
        list_vectors((site.facts.pictures for site in sites), size),
        list_vectors((site.facts.template for site in sites), size),
        vocabulary,
        _sites_by_key(sites, counts),
        [_contacts_by_kind(site.facts.keys) for site in sites],
        [_name_words(site.facts.names) for site in sites],
    )


def _sites_by_key(sites: Sequence[CompanySite], counts: Mapping[Key, int]) -> dict[Key, list[int]]:
    holders: dict[Key, list[int]] = defaultdict(list)
    for number, site in enumerate(sites):
        for key in site.facts.keys:
            if 1 < counts[key] <= MOST_SITES_OF_KEY:
                holders[key].append(number)
    return dict(holders)


def _contacts_by_kind(keys: frozenset[Key]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(value for kind, value in keys if kind in kinds) for kinds in _CONTACT_KINDS)


def _name_words(names: frozenset[str]) -> frozenset[str]:
    return frozenset(word for name in names for word in fold(name).split() if len(word) > 2)


def candidate_pairs(background: ListBackground) -> set[tuple[int, int]]:
    """Pairs that share a rare key, and pairs of which one site links to the other or claims its domain."""
    by_key = {pair for numbers in background.holders.values() for pair in combinations(numbers, 2)}
    return by_key | _linked_pairs(background.sites)


def _linked_pairs(sites: Sequence[CompanySite]) -> set[tuple[int, int]]:
    by_domain: dict[str, list[int]] = defaultdict(list)
    for number, site in enumerate(sites):
        if site.facts.domain:
            by_domain[site.facts.domain].append(number)
    found: set[tuple[int, int]] = set()
    for number, site in enumerate(sites):
        claimed = {value for kind, value in site.facts.keys if kind in {"domain", "mail domain"}}
        for domain in site.facts.links | claimed:
            found.update(
                (min(number, other), max(number, other))
                for other in by_domain.get(domain, ())
                if other != number
            )
    return found


def find_evidence(
    background: ListBackground, one: int, others: Sequence[int]
) -> Iterator[tuple[Evidence, ...]]:
    """The evidence for one site and each of some others: every kind, in the order of EVIDENCE_KINDS."""
    cosines = (
        background.words.cosines(one, others),
        background.rare.cosines(one, others),
        background.pictures.cosines(one, others),
        background.classes.cosines(one, others),
    )
    for other, *alike in zip(others, *cosines, strict=True):
        found = dict(_NO_EVIDENCE)
        _add_shared_keys(found, background, one, other)
        found["links"] = _compare_links(background.sites[one].facts, background.sites[other].facts)
        found["same label"] = _compare_labels(background.sites[one].facts, background.sites[other].facts)
        for kind, cosine in zip(_COSINE_KINDS, alike, strict=True):
            if cosine:
                found[kind] = Evidence(kind, cosine, f"{kind} alike to {cosine:.2f}")
        found["other contact"] = _compare_contacts(background.contacts[one], background.contacts[other])
        if background.have_other_names(one, other):
            found["other name"] = _OTHER_NAME
        yield tuple(found.values())


def _add_shared_keys(found: dict[str, Evidence], background: ListBackground, one: int, other: int) -> None:
    first, second = background.sites[one].facts, background.sites[other].facts
    shared = first.keys & second.keys
    if not shared:
        return
    of_third_parties = _keys_of_third_parties(background, one, other, shared)
    for kind in {kind for kind, _ in shared}:
        found[kind] = _compare_keys(kind, shared, background.counts, of_third_parties)
    for kind in ("e-mail", "mail domain"):
        found[kind] = _weaken_foreign_mail(found[kind], shared, first, second)
    found["name"] = _weaken_ordinary_name(found["name"], shared, background.vocabulary)


def _keys_of_third_parties(
    background: ListBackground, one: int, other: int, shared: frozenset[Key]
) -> frozenset[Key]:
    """Shared keys that seem to belong to somebody whom both sites only name.

    The two sites have different names, each has another key of the same kind for itself, and most sites with
    the key have different names too.
    """
    if not background.have_other_names(one, other):
        return frozenset()
    first, second = background.sites[one].facts.keys - shared, background.sites[other].facts.keys - shared
    own_kinds = {kind for kind, _ in first} & {kind for kind, _ in second}
    suspects = _KINDS_OF_THIRD_PARTIES & own_kinds
    return frozenset(key for key in shared if key[0] in suspects and background.is_of_third_party(key))


def _compare_keys(
    kind: str, shared: frozenset[Key], counts: Mapping[Key, int], of_third_parties: frozenset[Key]
) -> Evidence:
    """The strongest shared key of a kind counts in full, further keys add less and less."""
    mine = [key for key in shared if key[0] == kind and counts[key] <= MOST_SITES_OF_KEY]
    if not mine:
        return Evidence(kind, 0.0)
    strengths = [
        _rarity(counts[key]) * (_THIRD_PARTY_FACTOR if key in of_third_parties else 1.0) for key in mine
    ]
    total = sum(strength / (rank + 1) ** 2 for rank, strength in enumerate(sorted(strengths, reverse=True)))
    _, rarest = min((counts[key], key[1]) for key in mine)
    return Evidence(kind, min(_MOST_STRENGTH, total), _KEY_TEXTS[kind].format(rarest))


def _rarity(count: int) -> float:
    """1 for a key on up to three sites (a firm with two languages and a shop), 0.5 for a key on twelve."""
    return 1.0 if count <= 3 else 1 / (1 + math.log2(count / 3) / 2)


def _weaken_foreign_mail(
    evidence: Evidence, shared: frozenset[Key], one: SiteFacts, other: SiteFacts
) -> Evidence:
    """Shared mail at a third domain counts less if a site has mail at its own domain too.

    Then the third domain may be that of a web designer, a chain or a partner.
    """
    if evidence.strength == 0:
        return evidence
    domains = {value.rpartition("@")[2] for kind, value in shared if kind == evidence.kind}
    own = [facts.domain for facts in (one, other) if ("mail domain", facts.domain) in facts.keys]
    foreign = sum(domain not in domains for domain in own)
    return replace(evidence, strength=evidence.strength * _FOREIGN_MAIL_FACTORS[foreign])


def _weaken_ordinary_name(evidence: Evidence, shared: frozenset[Key], vocabulary: Vocabulary) -> Evidence:
    """A shared name that is an ordinary word ("help", "politica") counts less: anybody may have it."""
    if evidence.strength == 0:
        return evidence
    most = math.log(vocabulary.documents)
    rarest = max(
        sum(vocabulary.idf(word) or most for word in name.split()) for kind, name in shared if kind == "name"
    )
    return replace(evidence, strength=evidence.strength * min(1.0, rarest / _IDF_OF_NAME))


def _compare_links(ours: SiteFacts, theirs: SiteFacts) -> Evidence:
    if ours.domain == theirs.domain:
        return _NO_EVIDENCE["links"]
    # A site on an IP address or on a common domain has no domain of its own, but may link to another site.
    there = bool(theirs.domain) and theirs.domain in ours.links
    back = bool(ours.domain) and ours.domain in theirs.links
    claimed = ("domain", theirs.domain) in ours.keys or ("domain", ours.domain) in theirs.keys
    claimed = claimed and bool(ours.domain and theirs.domain)
    if not (there or back or claimed):
        return _NO_EVIDENCE["links"]
    text = "links in both directions" if there and back else "a link from one to the other"
    text = "one names the other's domain as its own" if claimed else text
    return Evidence("links", min(_MOST_STRENGTH, 0.5 * (there + back) + claimed), text)


def _compare_labels(ours: SiteFacts, theirs: SiteFacts) -> Evidence:
    """Whether two domains are the same but for the part after the first dot."""
    label = ours.domain.partition(".")[0]
    if len(label) > 3 and ours.domain != theirs.domain and label == theirs.domain.partition(".")[0]:
        return Evidence("same label", 1.0, f"the same name {label!r} under another ending")
    return _NO_EVIDENCE["same label"]


def _compare_contacts(one: Sequence[frozenset[str]], other: Sequence[frozenset[str]]) -> Evidence:
    """The share of kinds of contact data that both sites give, but with no value in common."""
    both = [(ours, theirs) for ours, theirs in zip(one, other, strict=True) if ours and theirs]
    apart = sum(ours.isdisjoint(theirs) for ours, theirs in both)
    return Evidence("other contact", apart / len(both)) if apart else _NO_EVIDENCE["other contact"]


COSINE_FLOOR = 0.3  # of words: a pair below it is examined only if other evidence connects the two sites
DEFAULT_BORDER = 0.5  # of the score: more likely one company than not
_LEAST_WORTH = 0.15  # strength times weight: weaker evidence is not mentioned in the sentence
_MOST_REASONS = 5


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """A logistic model over the strengths of the evidence."""

    intercept: float
    weights: dict[str, float]

    def score(self, evidence: Iterable[Evidence]) -> float:
        """The probability that two sites are one company."""
        total = self.intercept + sum(self.weights.get(e.kind, 0.0) * e.strength for e in evidence)
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def default_weights() -> EvidenceWeights:
    """The weights that come with Threadmill. tools/train_sites.py says what they were learnt from."""
    text = files("threadmill.sites").joinpath("data/weights.json").read_text(encoding="utf-8")
    value = json.loads(text)
    weights = {kind: float(value["weights"][kind]) for kind in EVIDENCE_KINDS}
    return EvidenceWeights(float(value["intercept"]), weights)


def score_pairs(
    sites: Sequence[CompanySite],
    vectors: Vectors,
    vocabulary: Vocabulary,
    weights: EvidenceWeights | None = None,
    floor: float = COSINE_FLOOR,
) -> list[SitePair]:
    """All pairs whose words are alike over the floor or that other evidence connects, best first."""
    weights = weights or default_weights()
    background = describe_list(sites, vectors, vocabulary)
    alike = {(match.one, match.other) for match in join_by_cosine(vectors, floor)}
    found = []
    for one, group in groupby(sorted(candidate_pairs(background) | alike), itemgetter(0)):
        others = [other for _, other in group]
        for other, every_kind in zip(others, find_evidence(background, one, others), strict=True):
            evidence = tuple(e for e in every_kind if e.strength > 0)
            cosine = next((e.strength for e in evidence if e.kind == "words"), 0.0)
            score = round(weights.score(evidence), 4)
            found.append(SitePair(one, other, score, round(cosine, 4), evidence, explain(evidence, weights)))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))


def score_pairs_by_words(vectors: Vectors, floor: float = COSINE_FLOOR) -> list[SitePair]:
    """The method of the source: the score of two sites is the cosine of their words, nothing else counts."""
    found = []
    for match in join_by_cosine(vectors, floor):
        cosine = round(match.cosine, 4)
        words = Evidence("words", cosine, f"words alike to {cosine:.2f}")
        found.append(SitePair(match.one, match.other, cosine, cosine, (words,), f"both have {words.text}."))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))


def explain(evidence: Sequence[Evidence], weights: EvidenceWeights) -> str:
    """One sentence: the evidence for the pair, strongest first, then the evidence against it."""
    weighed = [(weights.weights.get(e.kind, 0.0) * e.strength, e) for e in evidence]
    reasons = [(worth, e.text) for worth, e in weighed if worth > _LEAST_WORTH and e.text]
    reasons.sort(key=itemgetter(0), reverse=True)
    texts = [text for _, text in reasons[:_MOST_REASONS]]
    kinds = {e.kind for e in evidence if e.strength > 0}
    sentence = f"both have {', '.join(texts)}" if texts else "little in common"
    if "other contact" in kinds:
        sentence += "; but some contact data differ"
    if "other name" in kinds:
        sentence += "; but their names differ"
    return f"{sentence}."
