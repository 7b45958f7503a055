from __future__ import annotations

import random

import pytest

from threadmill.sites.decide import candidates
from threadmill.sites.decide.candidates import connected_pairs, find_candidates, floor_for, rarity
from threadmill.sites.decide.evidence import find_evidence
from threadmill.sites.decide.score_pairs import (
    COSINE_FLOOR,
    LEAST_KEPT_SCORE,
    default_weights,
    describe_list,
    score_pairs,
)
from threadmill.sites.decide.site_table import KEY_KINDS, MOST_SITES_OF_KEY
from threadmill.sites.decide.sparse_vectors import join_by_cosine
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, ReadOutcome, SiteFacts
from threadmill.sites.read.names import sounds_of

WORDS = [f"word{number}" for number in range(40)]
VOCABULARY = Vocabulary(100, {word: number + 2 for number, word in enumerate(WORDS)})
NAMES = ["kern bakery", "huber metal", "embaby plast", "golden house", "kern metal", "moskva torg"]


def site(number: int, chance: random.Random) -> CompanySite:
    """A site whose facts, words and links are drawn from so few that many pairs share some."""
    domain = f"site{number}.test"
    keys = {(kind, f"{kind} {chance.randrange(25)}") for kind in KEY_KINDS if chance.random() < 0.4}
    names = frozenset(name for name in NAMES if chance.random() < 0.2)
    keys |= {("name", name) for name in names} | {
        ("sound", sound) for name in names for sound in sounds_of(name)
    }
    if chance.random() < 0.1:
        keys |= {("foreign sound", sound) for sound in sounds_of(chance.choice(NAMES))}
    if chance.random() < 0.2:
        keys.add((chance.choice(["domain", "mail domain"]), f"site{chance.randrange(60)}.test"))
    if chance.random() < 0.5:
        keys.add(("account", "of everybody"))
    links = frozenset(f"site{chance.randrange(60)}.test" for _ in range(2))
    pictures = frozenset(f"{chance.randrange(30)}.jpg" for _ in range(3))
    words = {word: chance.randrange(1, 4) for word in chance.sample(WORDS, 6)}
    template = tuple(range(64)) if chance.random() < 0.3 else ()
    facts = SiteFacts(frozenset(keys), domain, links, names, pictures, template)
    return CompanySite(f"http://{domain}/", ReadOutcome.OK, keywords=words, facts=facts)


@pytest.mark.parametrize("seed", range(6))
def test_pairs_that_are_dropped_early_would_score_too_little(seed: int) -> None:
    chance = random.Random(seed)
    table = describe_list([site(number, chance) for number in range(60)], VOCABULARY)
    weights = default_weights()
    codes = {divmod(code, len(table)) for code in connected_pairs(table).tolist()}
    codes |= {(match.one, match.other) for match in join_by_cosine(table.words, COSINE_FLOOR)}
    expected = {}
    for one, other in codes:
        [evidence] = find_evidence(table, one, [other])
        score = round(weights.score({item.kind: item.strength for item in evidence}), 4)
        if score >= LEAST_KEPT_SCORE:
            expected[one, other] = score
    assert {(pair.one, pair.other): pair.score for pair in score_pairs(table)} == expected
    assert 20 < len(expected) < len(codes)


def test_a_pair_of_weak_evidence_with_other_contact_data_is_not_compared() -> None:
    def firm(number: int, title: str) -> CompanySite:
        keys = {("phone", f"{number}"), ("e-mail", f"x@{number}.test"), ("title", title)}
        return CompanySite(
            "http://x.test/", ReadOutcome.OK, facts=SiteFacts(frozenset(keys), f"{number}.test")
        )

    table = describe_list([firm(1, "our bread"), firm(2, "our bread"), firm(3, "rolls")], VOCABULARY)
    weights = default_weights()
    assert connected_pairs(table).tolist() == [1]
    assert find_candidates(table, 0.3, weights.weights, 1.3).codes.tolist() == []
    assert find_candidates(table, 0.3, weights.weights, -2.0).codes.tolist() == [1]


def test_a_domain_of_many_sites_connects_none_of_them() -> None:
    def page(number: int) -> CompanySite:
        facts = SiteFacts(domain="host.test", links=frozenset({"host.test"}))
        return CompanySite(f"http://{number}.host.test/", ReadOutcome.OK, facts=facts)

    few = describe_list([page(number) for number in range(3)], VOCABULARY)
    many = describe_list([page(number) for number in range(MOST_SITES_OF_KEY + 1)], VOCABULARY)
    assert connected_pairs(few).tolist() == [1, 2, 5]
    assert connected_pairs(many).tolist() == []


def test_in_a_long_list_a_text_of_many_sites_makes_no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "_LONG_LIST", 10)

    def page(number: int, word: str) -> CompanySite:
        facts = SiteFacts(domain=f"{number}.test")
        return CompanySite("http://x.test/", ReadOutcome.OK, keywords={word: 1}, facts=facts)

    crowd = [page(number, "word1") for number in range(MOST_SITES_OF_KEY + 5)]
    twins = [page(number, "word2") for number in (1000, 1001)]
    table = describe_list([*crowd, *twins], VOCABULARY)
    found = find_candidates(table, 0.3, {"words": 3.0}, 2.0)
    size = len(table)
    assert [divmod(code, size) for code in found.codes.tolist()] == [(size - 2, size - 1)]
    assert found.words.tolist() == pytest.approx([1.0])


def test_a_key_is_worth_less_the_more_sites_have_it() -> None:
    assert [rarity(count) for count in (2, 3)] == [1.0, 1.0]
    assert rarity(12) == 0.5


@pytest.mark.parametrize(
    ("sites", "floor", "used"), [(20_000, 0.3, 0.3), (20_001, 0.3, 0.8), (100_000, 0.9, 0.9)]
)
def test_in_a_long_list_words_alone_connect_only_sites_that_are_very_alike(
    sites: int, floor: float, used: float
) -> None:
    assert floor_for(sites, floor) == used
