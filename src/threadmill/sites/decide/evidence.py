"""Finds evidence that two sites belong to one company, or to two: its kinds, strengths and words."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from threadmill.sites.decide.candidates import (
    CLAIM_STRENGTH,
    CONTACT_KINDS,
    LINK_STRENGTH,
    MOST_STRENGTH,
    rarity,
)
from threadmill.sites.decide.site_table import MOST_SITES_OF_KEY, SiteTable, hash_of
from threadmill.sites.model import Evidence, Fact
from threadmill.sites.read.names import ends_with_legal_form, is_label, is_latin, sounds_of
from threadmill.sites.read.read_site import OF_PICTURE, label_of

# Kinds of keys, with the words for them in a sentence.
_KEY_TEXTS = {
    "e-mail": "the e-mail address {}",
    "mail domain": "the e-mail domain {}",
    "phone": "the telephone number {}",
    "register number": "the register, tax or bank number {}",
    "address": "the address {}",
    "account": "the same {}",
    "profile": "the profile {}",
    "domain": "the domain {} as their own",
    "name": "the name {!r}",
    "title": "the words {!r} in a title",
    "picture": "the same favicon or logo",
}
# The same where it is not sure whose they are.
_MENTION_TEXTS = {
    "e-mail": "a mention of the e-mail address {}",
    "mail domain": "a mention of an e-mail address at {}",
    "phone": "a mention of the telephone number {}",
    "register number": "a mention of the register, tax or bank number {}",
    "address": "a mention of the address {}",
    "profile": "a link to {}",
}
_CONTACT_TEXTS = {
    "phone": "telephone numbers",
    "e-mail": "e-mail addresses",
    "register number": "register, tax or bank numbers",
    "address": "addresses",
}
KEY_EVIDENCE_KINDS = tuple(_KEY_TEXTS)
_COSINE_KINDS = ("words", "pictures")
EVIDENCE_KINDS = (
    *_KEY_TEXTS,
    "name in another script",
    "phone and address",
    "links",
    "same label",
    *_COSINE_KINDS,
    "other contact",
    "other name",
)
# Kinds of keys that may belong to somebody whom a site only names, such as an authority or a host.
_KINDS_OF_THIRD_PARTIES = frozenset({"e-mail", "mail domain", "phone", "register number", "address"})
_MOST_HOLDERS = 12  # sites with such a key that are looked at
_THIRD_PARTY_FACTOR = 0.3  # for the strength of a key that seems to belong to a third party
# Two firms with other names and the same class names have bought one template. What it left in their pages
# (contact data, words, pictures) joins nobody. Of 204 real sites, those of one organisation overlap by 0.81
# in the median; of the other pairs 999 of 1,000 by 0.25 at most.
_SAME_TEMPLATE = 0.6
_TEMPLATE_FACTOR = 0.1
_TEMPLATE_KINDS = _KINDS_OF_THIRD_PARTIES | {"account", "profile", "title", "picture", "words", "pictures"}
# A name counts in full if the IDF of its words sums up to this. Below, it is an ordinary word: "forum" has
# 2.6, "Nintendo" 4.3, "Linden" 5.1, any two words more.
_IDF_OF_NAME = 5.0
# Factors for shared mail at a third domain, by how many of the two sites (0, 1, 2) also have mail at their
# own domain.
_FOREIGN_MAIL_FACTORS = (1.0, 0.7, 0.5)
_LINKED_ACCOUNT = re.compile("bookings |page for payments ")  # an article may link to that of others
_COPYRIGHT = re.compile(r"©|\(c\)|copyright", re.IGNORECASE)
_METADATA = re.compile(r"meta\[|meta |structured data")  # how `read.names` calls the place
_FAX = re.compile(
    r"(?<!/)(?:fax|faks|факс|φαξ|télécopi\w*|فاكس|传真|傳真|ファックス|팩스|פקס)\w{0,4}[^\w+]{0,9}$",
    re.IGNORECASE,
)
_MAIL = ("e-mail", "mail domain")
_LEAST_CONTACT = 0.9  # strength of a telephone number and of an address that count together


def is_of_third_party(table: SiteTable, key: int) -> bool:
    """Whether most pairs of sites with this key have names without a common word.

    Then the key belongs to an authority, a host, a chamber or a web designer that many sites name.
    """
    pairs = list(combinations(table.holders(key)[:_MOST_HOLDERS], 2))
    apart = sum(table.seem_to_differ(one, other) for one, other in pairs)
    return apart > len(pairs) / 2


@dataclass(slots=True)
class SiteComparison:
    """Two sites: the strength of each kind of evidence, and the key that stands for it in the sentence."""

    table: SiteTable
    one: int
    other: int
    ours: Mapping[int, str]  # keys with their kinds
    theirs: Mapping[int, str]
    strengths: dict[str, float]
    chosen: dict[str, int]
    seem_to_differ: bool  # by their names or titles

    @classmethod
    def of(
        cls, table: SiteTable, one: int, other: int, ours: Mapping[int, str], alike: Sequence[float]
    ) -> SiteComparison:
        """Compare two sites."""
        strengths = {kind: cosine for kind, cosine in zip(_COSINE_KINDS, alike, strict=True) if cosine > 0}
        differ = table.seem_to_differ(one, other)
        found = cls(table, one, other, ours, table.keys_of(other), strengths, {}, differ)
        found.compare_keys()
        found.compare_labels()
        found.compare_links()
        found.compare_contacts()
        found.discount_template()
        if table.shared_sound(one, other) and "name" not in strengths:
            strengths["name in another script"] = 1.0
        elif differ and table.have_other_names(one, other):
            strengths["other name"] = 1.0
        return found

    def compare_keys(self) -> None:
        """The strongest shared key of a kind counts in full, further keys add less and less."""
        shared: dict[str, list[int]] = {}
        for key, kind in self.theirs.items():
            if key in self.ours and kind in _KEY_TEXTS and self.table.count(key) <= MOST_SITES_OF_KEY:
                shared.setdefault(kind, []).append(key)
        for kind, keys in shared.items():
            of_third_parties = self._keys_of_third_parties(kind, keys)
            strengths = sorted(
                (
                    rarity(self.table.count(key))
                    * (_THIRD_PARTY_FACTOR if key in of_third_parties else 1.0)
                    * self._ordinary_factor(kind, key)
                    for key in keys
                ),
                reverse=True,
            )
            total = sum(strength / (rank + 1) ** 2 for rank, strength in enumerate(strengths))
            self.strengths[kind] = min(MOST_STRENGTH, total) * self._foreign_mail_factor(kind, keys)
            self.chosen[kind] = min(keys, key=self._rank_of) if len(keys) > 1 else keys[0]
        if min(self.strengths.get(kind, 0.0) for kind in ("phone", "address")) >= _LEAST_CONTACT:
            self.strengths["phone and address"] = 1.0

    def _rank_of(self, key: int) -> tuple[bool, bool, int, int, str]:
        """A key that is surely theirs is named in the sentence; of several, what fewest sites have."""
        fact = self.table.facts_of(self.one)[key]
        is_own, is_called = self._is_surely_own(fact), self._is_called_like_them(fact)
        return not is_own, not is_called, self.table.count(key), -len(fact.value), fact.value

    def _is_surely_own(self, fact: Fact) -> bool:
        """Whether nothing speaks for another owner or another use of a fact.

        A profile is called like the site or one of its domains, so is mail in a text, a telephone number is
        no fax, and other contact data stand in no article.
        """
        if fact.kind == "profile":
            return not fact.is_mention and self._is_called_like_them(fact)
        if fact.kind in _MAIL and fact.is_mention:
            return self._is_called_like_them(fact)
        return not fact.is_mention and not (fact.kind == "phone" and _is_fax(fact))

    def _is_called_like_them(self, fact: Fact) -> bool:
        """Whether a profile or mail has a name or a domain of the site. Mail may be anybody's by itself."""
        if fact.kind not in {"profile", *_MAIL}:
            return False
        facts = self.table.facts_of(self.one)
        user, _, host = fact.value.replace("@", " ").rpartition(" ")
        if fact.kind == "profile":
            return any(is_label(named.value, [host]) for named in _named(facts))
        own = {self.table.domains[self.one], *(f.value for f in facts.values() if f.kind == "domain")}
        if any(domain and f".{host}".endswith(f".{domain}") for domain in own):
            return True
        labels = [label for label in (user, label_of(host)) if label]
        return any(is_label(named.value, labels) for named in _named(facts, own))

    def _keys_of_third_parties(self, kind: str, keys: Sequence[int]) -> frozenset[int]:
        """Shared keys that seem to belong to somebody whom both sites only name.

        The two sites have different names, each has another key of the same kind for itself, and most sites
        with the key have different names too.
        """
        if not self.seem_to_differ or kind not in _KINDS_OF_THIRD_PARTIES or not self._have_own(kind):
            return frozenset()
        return frozenset(key for key in keys if is_of_third_party(self.table, key))

    def _have_own(self, kind: str) -> bool:
        """Whether each site has a key of this kind that the other has not."""
        return all(
            any(of == kind and key not in there for key, of in here.items())
            for here, there in ((self.ours, self.theirs), (self.theirs, self.ours))
        )

    def _ordinary_factor(self, kind: str, key: int) -> float:
        """A name or a label that is an ordinary word ("help", "hotel") counts less: anybody may have it."""
        if kind not in {"name", "title", "label"}:
            return 1.0
        vocabulary = self.table.vocabulary
        most = math.log(vocabulary.documents)
        words = self.table.facts_of(self.one)[key].value.split()
        return min(1.0, sum(vocabulary.idf(word) or most for word in words) / _IDF_OF_NAME)

    def _foreign_mail_factor(self, kind: str, keys: Sequence[int]) -> float:
        """Shared mail at a third domain counts less if a site has mail at its own domain too.

        Then the third domain may be that of a web designer, a chain or a partner.
        """
        if kind not in {"e-mail", "mail domain"}:
            return 1.0
        facts = self.table.facts_of(self.one)
        domains = {facts[key].value.rpartition("@")[2] for key in keys}
        foreign = sum(
            hash_of(("mail domain", domain)) in keys_of_site and domain not in domains
            for domain, keys_of_site in (
                (self.table.domains[self.one], self.ours),
                (self.table.domains[self.other], self.theirs),
            )
        )
        return _FOREIGN_MAIL_FACTORS[foreign]

    def compare_labels(self) -> None:
        """Whether domains of the two sites, or of their mail, are the same but for their endings."""
        labels = [key for key, kind in self.theirs.items() if kind == "label" and key in self.ours]
        if not labels or {"mail domain", "domain"} & self.strengths.keys():
            return
        one, other = self.table.facts_of(self.one), self.table.facts_of(self.other)
        labels = [key for key in labels if one[key].written != other[key].written]
        if labels:
            best = max(labels, key=lambda key: self._ordinary_factor("label", key))
            count = self.table.count(best)
            if count <= MOST_SITES_OF_KEY:
                self.strengths["same label"] = rarity(count) * self._ordinary_factor("label", best)
                self.chosen["same label"] = best

    def compare_links(self) -> None:
        """Whether one site links to the other or states its domain as its own."""
        ours, theirs = self.table.domains[self.one], self.table.domains[self.other]
        if ours == theirs:
            return
        # A site on an IP address or a common domain has no domain of its own, but may link to another site.
        there, back = self.table.links_to(self.one, theirs), self.table.links_to(self.other, ours)
        claims = hash_of(("domain", theirs)) in self.ours or hash_of(("domain", ours)) in self.theirs
        claimed = claims and bool(ours and theirs)
        if there or back or claimed:
            self.strengths["links"] = min(
                MOST_STRENGTH, LINK_STRENGTH * (there + back) + CLAIM_STRENGTH * claimed
            )

    def compare_contacts(self) -> None:
        """The share of kinds of contact data that both sites give, but with no value in common."""
        both = apart = 0
        for kinds in CONTACT_KINDS:
            differ = self._differ_in(kinds)
            both += differ is not None
            apart += bool(differ)
        if apart:
            self.strengths["other contact"] = apart / both

    def _differ_in(self, kinds: Collection[str]) -> bool | None:
        """Whether two sites have no value of these kinds in common; None if one of them has none at all."""
        ours = {key for key, kind in self.ours.items() if kind in kinds}
        theirs = {key for key, kind in self.theirs.items() if kind in kinds}
        if not ours or not theirs:
            return None
        return ours.isdisjoint(theirs) and not ("e-mail" in kinds and "same label" in self.strengths)

    def _other_contacts(self) -> list[str]:
        """Words for the kinds of contact data that differ."""
        return [
            _CONTACT_TEXTS[kind]
            for kinds in CONTACT_KINDS
            for kind in kinds
            if kind in _CONTACT_TEXTS and self._differ_in(kinds)
        ]

    def discount_template(self) -> None:
        """Take away what two firms have only because they bought one template."""
        # Titles are no names here: those of two languages differ, and both sites have one template.
        differ = self.seem_to_differ and self.table.have_other_names(self.one, self.other)
        if not differ or "links" in self.strengths or self._is_mail_of_one():
            return
        if self.table.template_overlap(self.one, self.other) < _SAME_TEMPLATE:
            return
        self.strengths.pop("phone and address", None)
        own = any(self._have_own(kind) for kind in ("phone", "e-mail", "address"))
        for kind in _TEMPLATE_KINDS & self.strengths.keys():
            is_contact = kind in _KINDS_OF_THIRD_PARTIES and not own
            self.strengths[kind] *= _THIRD_PARTY_FACTOR if is_contact else _TEMPLATE_FACTOR

    def _is_mail_of_one(self) -> bool:
        """Whether a shared mail domain is called like a site that has it. Then no template left it there."""
        if "mail domain" not in self.strengths:
            return False
        ours, theirs = self.table.facts_of(self.one), self.table.facts_of(self.other)
        return any(
            is_label(named.value, [fact.value.partition(".")[0]])
            for key, fact in ours.items()
            if fact.kind == "mail domain" and key in theirs
            for holder in self.table.holders(key)[:_MOST_HOLDERS]
            for named in self.table.facts_of(holder).values()
            if named.kind == "name"
        )

    def evidence(self) -> Iterator[Evidence]:
        """Every kind, in the order of EVIDENCE_KINDS, with its text and where it was found."""
        for kind in EVIDENCE_KINDS:
            strength = self.strengths.get(kind, 0.0)
            yield (
                Evidence(kind, strength, *self._describe(kind, strength)) if strength else Evidence(kind, 0.0)
            )

    def _describe(self, kind: str, strength: float) -> tuple[str, tuple[Fact, ...]]:
        places = self._places(kind)
        if kind in _COSINE_KINDS:
            text = f"{kind} alike to {strength:.2f} of 1"
        elif kind == "links":
            text = self._describe_links()
        elif kind == "same label":
            endings = " and ".join(fact.written for fact in places)
            text = f"the same domain name {places[0].value!r} under other endings ({endings})"
        elif kind == "name in another script":
            text = "a name in two scripts"
            if places:
                text += f" ({' and '.join(fact.written for fact in places)})"
        elif kind in _KEY_TEXTS:
            text = self._describe_key(kind, places)
        elif kind == "other contact":
            text = f"the {_in_a_row(self._other_contacts())}"
        elif kind == "other name" and places:
            names = "their names" if self._are_proved_names(places) else "words that may be their names"
            text = f"{names} ({' and '.join(repr(fact.written) for fact in places)})"
        else:
            text = ""
        return text, places

    def _describe_key(self, kind: str, places: tuple[Fact, ...]) -> str:
        shown = _shown(kind, places[0])
        if kind == "phone" and all(map(_is_fax, places)):
            return f"the fax number {shown}"
        if kind == "account" and (link := _LINKED_ACCOUNT.match(shown)):
            return f"a link to {shown[link.end() :]}"
        if kind == "domain" and any(fact.around == OF_PICTURE for fact in places):
            return f"pictures at {shown}"  # a store that it links to need not be its own
        if kind == "title" or (kind == "name" and not self._are_proved_names(places)):
            return f"the words {shown!r} in {_where_words_stand(places)}"
        texts = _MENTION_TEXTS if kind in _MENTION_TEXTS and self._is_mentioned(places) else _KEY_TEXTS
        return texts[kind].format(shown)

    def _is_mentioned(self, places: Sequence[Fact]) -> bool:
        """Whether a shared fact may be that of a partner, a customer or somebody whom a text names."""
        if places[0].kind in {"profile", *_MAIL}:
            return not all(map(self._is_surely_own, places))
        return any(fact.is_mention for fact in places)

    def _are_proved_names(self, places: Sequence[Fact]) -> bool:
        """Whether each site surely has its name: with a legal form, or a domain or profile called so.

        Templates leave names of their own in titles, metadata and copyright lines.
        """
        return all(
            ends_with_legal_form(fact.written)
            or (", " not in fact.written and is_label(fact.value, self._labels(site)))
            for site, fact in zip((self.one, self.other), places, strict=True)
        )

    def _labels(self, site: int) -> list[str]:
        """First parts of the domains of a site and of its mail, and the names of its profiles."""
        facts = [fact for fact in self.table.facts_of(site).values() if not fact.is_mention]
        handles = [fact.value.partition(" ")[2] for fact in facts if fact.kind == "profile"]
        return [*handles, *(fact.value for fact in facts if fact.kind == "label")]

    def _describe_links(self) -> str:
        ours, theirs = self.table.domains[self.one], self.table.domains[self.other]
        claims = hash_of(("domain", theirs)) in self.ours or hash_of(("domain", ours)) in self.theirs
        if ours and theirs and claims:
            return "one names the other's domain as its own"
        both = self.table.links_to(self.one, theirs) and self.table.links_to(self.other, ours)
        return "links in both directions" if both else "a link from one to the other"

    def _places(self, kind: str) -> tuple[Fact, ...]:
        one, other = self.table.facts_of(self.one), self.table.facts_of(self.other)
        if kind in self.chosen:
            return one[self.chosen[kind]], other[self.chosen[kind]]
        if kind == "other name":
            names = [
                next((fact for fact in facts.values() if fact.kind == "name"), None) for facts in (one, other)
            ]
            return tuple(fact for fact in names if fact) if all(names) else ()
        if kind == "name in another script":
            return next(
                (
                    (mine, yours)
                    for mine in _named(one)
                    for yours in _named(other)
                    if is_latin(mine.value) != is_latin(yours.value)
                    and not sounds_of(mine.value).isdisjoint(sounds_of(yours.value))
                ),
                (),
            )
        return ()


def _shown(kind: str, fact: Fact) -> str:
    """The fact as a page writes it. A telephone number without that is cut to its last digits."""
    if kind == "phone" and fact.written == fact.value:
        return f"…{fact.value}"
    return fact.written or fact.value


def _is_fax(fact: Fact) -> bool:
    """Whether the last word before a number is that for a fax."""
    return bool(_FAX.search(fact.around.partition(fact.written)[0]))


def _where_words_stand(places: Sequence[Fact]) -> str:
    return " and ".join(dict.fromkeys(map(_where_stands, places)))


def _where_stands(fact: Fact) -> str:
    if _COPYRIGHT.match(fact.around):
        return "a copyright line"
    return "the metadata" if _METADATA.match(fact.around) else "a title"


def _named(facts: Mapping[int, Fact], own: Collection[str] = ()) -> list[Fact]:
    """Names, titles and labels of domains. With `own`, labels only of these: mail may be anybody's."""
    return [
        fact
        for fact in facts.values()
        if fact.kind in {"name", "title"} or (fact.kind == "label" and (not own or fact.written in own))
    ]


def _in_a_row(texts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


def find_evidence(table: SiteTable, one: int, others: Sequence[int]) -> Iterator[tuple[Evidence, ...]]:
    """The evidence for one site and each of some others: every kind, in the order of EVIDENCE_KINDS."""
    ours = table.keys_of(one)
    cosines = (table.words.cosines(one, others), table.pictures.cosines(one, others))
    for other, *alike in zip(others, *cosines, strict=True):
        yield tuple(SiteComparison.of(table, one, other, ours, alike).evidence())
