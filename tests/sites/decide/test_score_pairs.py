from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.sites.decide.test_evidence import HOUSE, company, evidence
from threadmill.sites.compare import compare_read_sites
from threadmill.sites.decide.evidence import EVIDENCE_KINDS
from threadmill.sites.decide.score_pairs import (
    DEFAULT_BORDER,
    EvidenceWeights,
    default_weights,
    describe_list,
    explain,
    score_pairs,
    score_pairs_by_words,
)
from threadmill.sites.decide.sparse_vectors import make_vectors
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, Evidence, Fact, ReadOutcome, SiteFacts, SitePair
from threadmill.sites.report.results import ComparisonResults

_WORDS = Vocabulary(100, {"bread": 10, "roll": 10, "brot": 10, "wheel": 10, "bike": 10})


def site(url: str, words: dict[str, int], *keys: tuple[str, str], name: str = "") -> CompanySite:
    facts = SiteFacts(frozenset(keys), url.split("/")[2], frozenset(), frozenset({name} if name else set()))
    return CompanySite(url, ReadOutcome.OK, "", "en", words, facts, 1)


def compare(*sites: CompanySite) -> ComparisonResults:
    return compare_read_sites(sites, _WORDS)


def test_one_company_in_two_languages_is_found_by_its_contact_data() -> None:
    keys = [("e-mail", "info@kern.test"), ("mail domain", "kern.test"), ("phone", "20937841")]
    results = compare(
        site("http://kern.test/", {"bread": 3}, *keys, name="kern"),
        site("http://kern-bakery.test/", {"brot": 3}, *keys, name="kern"),
        site("http://bikes.test/", {"bike": 3, "wheel": 1}, ("phone", "99887712"), name="bikes"),
    )
    [pair] = results.over(DEFAULT_BORDER)
    assert (pair.one, pair.other) == (0, 1)
    assert "info@kern.test" in pair.why


def test_a_number_that_half_the_list_shares_joins_nobody() -> None:
    sites = [site(f"http://s{n}.test/", {"bread": 1}, ("phone", "1"), name=f"firm{n}") for n in range(45)]
    assert not compare(*sites).over(DEFAULT_BORDER)


def test_words_alone_with_other_names_and_contact_are_not_enough() -> None:
    results = compare(
        site("http://a.test/", {"bread": 2, "roll": 1}, ("phone", "20937841"), name="kern"),
        site("http://b.test/", {"bread": 2, "roll": 1}, ("phone", "77120034"), name="huber"),
    )
    assert not results.over(DEFAULT_BORDER)


def test_placeholders_take_no_part() -> None:
    parked = [CompanySite(f"http://p{n}.test/", ReadOutcome.PARKED, "says 'for sale'") for n in range(2)]
    assert compare(*parked).pairs == ()


def test_every_kind_of_evidence_speaks_for_or_against_as_it_should() -> None:
    weights = default_weights().weights
    assert all(weight <= 0 for kind, weight in weights.items() if kind.startswith("other"))
    assert all(weight >= 0 for kind, weight in weights.items() if not kind.startswith("other"))


def test_the_sources_method_scores_by_words_and_nothing_else() -> None:
    results = compare_read_sites(
        [
            site("http://a.test/", {"bread": 2, "roll": 1}, ("phone", "20937841"), name="kern"),
            site("http://b.test/", {"bread": 2, "roll": 1}, ("phone", "77120034"), name="huber"),
            site("http://c.test/", {"brot": 2}, ("phone", "20937841"), name="kern"),
        ],
        _WORDS,
        words_only=True,
    )
    [pair] = results.pairs
    assert (pair.one, pair.other, pair.score) == (0, 1, 1.0)


WEIGHTS = EvidenceWeights(-2.0, {"phone": 3.0, "e-mail": 1.0, "words": 2.0, "other name": -1.0})


@pytest.mark.parametrize(
    ("evidence", "total"),
    [
        ([], -2.0),
        ([Evidence("phone", 1.0)], 1.0),
        ([Evidence("phone", 0.5), Evidence("words", 0.25), Evidence("other name", 1.0)], -1.0),
        ([Evidence("unknown", 9.0)], -2.0),
        ([Evidence("phone", 99.0)], 30.0),
        ([Evidence("other name", 99.0)], -30.0),
    ],
)
def test_the_score_is_a_logistic_function_of_the_weighed_strengths(
    evidence: list[Evidence], total: float
) -> None:
    assert WEIGHTS.score({item.kind: item.strength for item in evidence}) == pytest.approx(
        1 / (1 + math.exp(-total)), rel=1e-12
    )


def test_the_sentence_names_the_strongest_evidence_first_and_five_at_most() -> None:
    evidence = [
        Evidence("e-mail", 1.0, "mail"),
        Evidence("phone", 1.0, "a phone"),
        Evidence("words", 0.07, "hardly alike"),  # 0.14 is not worth saying
        Evidence("words", 0.08, "a little alike"),
        Evidence("phone", 0.3),  # it has no text
    ]
    assert explain(evidence, WEIGHTS) == "both have a phone, mail, a little alike."
    many = [Evidence("phone", 1.0 - number / 10, str(number)) for number in range(6)]
    assert explain(many, WEIGHTS) == "both have 0, 1, 2, 3, 4."


def test_the_sentence_says_what_speaks_against_a_pair() -> None:
    assert explain([], WEIGHTS) == "little in common."
    contact, name = Evidence("other contact", 0.5), Evidence("other name", 1.0)
    assert explain([contact], WEIGHTS) == "little in common; but some contact data differ."
    assert explain([name], WEIGHTS) == "little in common; but their names differ."
    phone = Evidence("phone", 1.0, "a phone")
    assert explain([name, phone, contact], WEIGHTS) == (
        "both have a phone; but their names differ, and so do some contact data."
    )
    assert explain([Evidence("other name", 0.0)], WEIGHTS) == "little in common."


def test_every_kind_of_evidence_has_a_weight() -> None:
    assert set(default_weights().weights) == set(EVIDENCE_KINDS)
    assert default_weights().intercept < 0


def test_pairs_come_best_first_with_scores_of_four_digits() -> None:
    sites = [
        site("http://a.test/", {"bread": 1}, ("phone", "1"), ("e-mail", "x@mail.test")),
        site("http://b.test/", {"bread": 1, "roll": 2}, ("phone", "1"), ("e-mail", "x@mail.test")),
        site("http://c.test/", {"bike": 1}, ("e-mail", "x@mail.test")),
    ]
    pairs = score_pairs(describe_list(sites, _WORDS), WEIGHTS, floor=0.1)
    assert [(pair.one, pair.other) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    cosine = 1 / math.sqrt(5)
    best = pairs[0]
    assert best.cosine == round(cosine, 4)
    assert best.score == round(1 / (1 + math.exp(-(-2 + 3 + 1 + 2 * cosine))), 4)
    assert {item.kind for item in best.evidence} == {"phone", "e-mail", "words"}
    assert best.why == explain(best.evidence, WEIGHTS)
    assert pairs[1].score == pairs[2].score == round(1 / (1 + math.exp(1)), 4)
    assert pairs[1].cosine == 0.0


def test_words_alike_below_the_floor_make_no_pair() -> None:
    table = describe_list(
        [site("http://a.test/", {"bread": 1}), site("http://b.test/", {"bread": 1, "roll": 1})], _WORDS
    )
    assert len(score_pairs(table, WEIGHTS, floor=0.7)) == 1
    assert score_pairs(table, WEIGHTS, floor=0.72) == []


def test_the_sentence_names_what_differs() -> None:
    ours = company(
        "a.test",
        ("phone", "1"),
        ("e-mail", "a@a.test"),
        names=("kern mill",),
        found=(Fact("name", "kern mill", "Kern Mill"),),
    )
    theirs = company(
        "b.test",
        ("phone", "2"),
        ("e-mail", "b@b.test"),
        names=("huber",),
        found=(Fact("name", "huber", "Huber"),),
    )
    found = evidence(ours, theirs)
    assert found["other contact"].text == "the telephone numbers and e-mail addresses"
    assert found["other name"].text == "words that may be their names ('Kern Mill' and 'Huber')"
    sentence = explain(list(found.values()), WEIGHTS)
    assert sentence == (
        "little in common; but the telephone numbers and e-mail addresses differ, "
        "and so do words that may be their names ('Kern Mill' and 'Huber')."
    )


def test_a_mail_domain_that_an_address_shows_is_not_said_again() -> None:
    texts = [
        Evidence("e-mail", 1.0, "the e-mail address a@kern.at"),
        Evidence("phone", 0.1, "the e-mail domain kern.at"),
    ]
    assert explain(texts, WEIGHTS) == "both have the e-mail address a@kern.at."


def test_by_words_alone_the_cosine_is_the_score() -> None:
    vectors = make_vectors([{0: 1.0}, {0: 1.0, 1: 1.0}, {1: 1.0}, {0: 2.0}], 2)
    pairs = score_pairs_by_words(vectors, 0.5)
    assert [(pair.one, pair.other, pair.score) for pair in pairs] == [
        (0, 3, 1.0),
        (0, 1, 0.7071),
        (1, 2, 0.7071),
        (1, 3, 0.7071),
    ]
    assert pairs[1] == SitePair(
        0,
        1,
        0.7071,
        0.7071,
        (Evidence("words", 0.7071, "words alike to 0.71 of 1"),),
        "both have words alike to 0.71 of 1.",
    )


def test_a_renamed_firm_with_its_telephone_and_address_is_found() -> None:
    sites = [
        site("http://exterran.test/", {}, *HOUSE, ("e-mail", "info@exterran.test"), name="exterran"),
        site("http://enerflex.test/", {}, *HOUSE, ("e-mail", "info@enerflex.test"), name="enerflex"),
    ]
    [pair] = compare(*sites).over(DEFAULT_BORDER)
    assert pair.why.endswith("differ, and so do their names.")


def test_what_a_bought_template_left_joins_nobody() -> None:
    left = [*HOUSE, ("e-mail", "info@legal-template.test"), ("mail domain", "legal-template.test")]
    words = {"bread": 4, "roll": 2, "wheel": 1}
    sites = [
        replace(firm, facts=replace(firm.facts, template=tuple(range(64))))
        for firm in (
            site(
                f"http://{name}.test/", words, *left, ("phone", f"7712003{number}"), name=f"{name} attorneys"
            )
            for number, name in enumerate(("anna bell maria", "jan preez peter", "eva holm stella"))
        )
    ]
    assert not compare(*sites).over(DEFAULT_BORDER)
    apart = [replace(firm, facts=replace(firm.facts, template=())) for firm in sites]
    assert compare(*apart).pairs[0].score > 0.1
