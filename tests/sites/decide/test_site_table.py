from __future__ import annotations

import math
from typing import Any

import pytest

from threadmill.sites.decide.site_table import SiteTable, hash_of
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, Fact, ReadOutcome, SiteFacts

VOCABULARY = Vocabulary(8, {"bread": 2, "roll": 4, "all": 8})


def firm(domain: str = "a.test", words: dict[str, int] | None = None, **facts: Any) -> CompanySite:
    keys = frozenset(facts.pop("keys", ()))
    return CompanySite(
        f"http://{domain}/", ReadOutcome.OK, keywords=words or {}, facts=SiteFacts(keys, domain, **facts)
    )


def table(*sites: CompanySite) -> SiteTable:
    made = SiteTable(VOCABULARY)
    for site in sites:
        made.add(site)
    return made


def test_weights_of_a_vector_are_tf_times_idf() -> None:
    rows: list[dict[str, int]] = [{"roll": 3, "bread": 1, "all": 9, "unknown": 4}, {"bread": 7}, {}]
    vectors = table(*(firm(words=row) for row in rows)).words
    columns, values = vectors.row(0)
    assert columns.tolist() == [0, 1]  # "bread" and "roll"; the other two weigh nothing
    assert values[1] / values[0] == pytest.approx(3 * math.log(2) / (1 * math.log(4)), rel=1e-5)
    assert vectors.row(1)[1].tolist() == [1.0]
    assert vectors.row(2)[1].tolist() == []


def test_facts_come_back_as_they_were_added() -> None:
    fact = Fact("phone", "20937841", "030 / 2093 78 41", "Tel. 030 / 2093 78 41 ☎", "http://a.test/contact")
    made = table(firm(keys={fact.key, ("e-mail", "x@y.test")}, found=(fact,)))
    assert made.facts_of(0)[hash_of(fact.key)] == fact
    assert made.facts_of(0)[hash_of(("e-mail", "x@y.test"))].written == "x@y.test"


def test_halves_of_characters_do_no_harm() -> None:
    fact = Fact("name", "kern \ud800", "Kern \ud800")
    assert table(firm(keys={fact.key}, found=(fact,))).facts_of(0)[hash_of(fact.key)] == fact


def test_sites_know_how_many_have_a_key_and_which() -> None:
    phone, mail = ("phone", "1"), ("e-mail", "x@y.test")
    made = table(firm(keys={phone, mail}), firm("b.test"), firm("c.test", keys={phone}))
    assert (made.count(hash_of(phone)), made.holders(hash_of(phone))) == (2, [0, 2])
    assert (made.count(hash_of(mail)), made.holders(hash_of(mail))) == (1, [0])
    assert made.holders(hash_of(("phone", "unknown"))) == []


@pytest.mark.parametrize(
    ("one", "other", "different"),
    [
        (("bakery kern",), ("kern shop",), False),
        (("anna maria bell attorneys",), ("jan peter preez attorneys",), True),
        (("kern",), ("huber", "kern"), False),
        (("kern",), (), False),
        (("керн",), ("kern",), False),
    ],
)
def test_names_differ_if_no_two_have_enough_words_in_common(
    one: tuple[str, ...], other: tuple[str, ...], different: bool
) -> None:
    made = table(firm(names=frozenset(one)), firm("b.test", names=frozenset(other)))
    assert made.have_other_names(0, 1) is different


def test_titles_stand_for_names_that_a_site_does_not_state() -> None:
    made = table(firm(keys={("title", "kern")}), firm("b.test", keys={("title", "huber")}))
    assert not made.have_other_names(0, 1)
    assert made.seem_to_differ(0, 1)


def test_sketches_show_how_alike_two_templates_are() -> None:
    made = table(
        firm(template=tuple(range(64))),
        firm("b.test", template=tuple(range(64))),
        firm("c.test", template=tuple(range(100, 164))),
        firm("d.test"),
    )
    assert [made.template_overlap(0, other) for other in (1, 2, 3)] == [1.0, 0.0, 0.0]


def test_a_table_of_no_sites_has_no_pairs() -> None:
    assert table().shared_keys.counts.tolist() == []
    assert len(table().words) == 0
