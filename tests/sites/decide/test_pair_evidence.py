"""The evidence for a pair, kind by kind, on sites made of plain facts."""

from __future__ import annotations

import math
from typing import Any

import pytest

from threadmill.sites.decide.pair_evidence import (
    EVIDENCE_KINDS,
    MOST_SITES_OF_KEY,
    ListBackground,
    candidate_pairs,
    describe_list,
    find_evidence,
)
from threadmill.sites.decide.sparse_vectors import make_vectors
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, Evidence, Key, ReadOutcome, SiteFacts

VOCABULARY = Vocabulary(1000, {"forum": 100, "linden": 5})


def site(
    domain: str, *keys: Key, names: tuple[str, ...] = (), links: tuple[str, ...] = (), **more: Any
) -> CompanySite:
    facts = SiteFacts(frozenset(keys), domain, frozenset(links), frozenset(names), **more)
    return CompanySite(f"http://{domain}/", ReadOutcome.OK, facts=facts)


def background(*sites: CompanySite) -> ListBackground:
    return describe_list(sites, make_vectors([{} for _ in sites], 1), VOCABULARY)


def evidence(*sites: CompanySite) -> dict[str, Evidence]:
    """The evidence for the first two sites of a list."""
    [found] = find_evidence(background(*sites), 0, [1])
    assert [item.kind for item in found] == list(EVIDENCE_KINDS)
    return {item.kind: item for item in found if item.strength}


def strength(kind: str, *sites: CompanySite) -> float:
    found = evidence(*sites)
    return found[kind].strength if kind in found else 0.0


PHONE = ("phone", "20937841")


def test_sites_with_nothing_in_common_have_no_evidence() -> None:
    assert evidence(site("a.test"), site("b.test")) == {}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (("e-mail", "info@kern.test"), "the e-mail address info@kern.test"),
        (("mail domain", "kern.test"), "the e-mail domain kern.test"),
        (("phone", "20937841"), "the telephone number …20937841"),
        (("register number", "123456"), "the register, tax or bank number 123456"),
        (("address", "28211 lindenstr 14"), "the address 28211 lindenstr 14"),
        (("account", "Hotjar 12345"), "the account Hotjar 12345"),
        (("profile", "facebook kern"), "the profile facebook kern"),
        (("domain", "kern.test"), "the domain kern.test as their own"),
        (("name", "kern mill"), "the name 'kern mill'"),
        (("picture", "ab12"), "the same favicon or logo"),
    ],
)
def test_a_shared_key_is_evidence_of_its_kind_with_a_text(key: Key, text: str) -> None:
    found = evidence(site("a.test", key), site("b.test", key))
    assert found == {key[0]: Evidence(key[0], 1.0, text)}


def test_further_shared_keys_of_a_kind_add_less_and_less() -> None:
    keys = [("account", str(number)) for number in range(3)]
    assert strength("account", site("a.test", *keys[:2]), site("b.test", *keys[:2])) == 1.25
    assert strength("account", site("a.test", *keys), site("b.test", *keys)) == pytest.approx(
        1 + 1 / 4 + 1 / 9
    )
    many = [("account", str(number)) for number in range(60)]
    assert strength("account", site("a.test", *many), site("b.test", *many)) == 1.5


def test_the_text_names_the_key_that_fewest_sites_have() -> None:
    keys = [("account", "a"), ("account", "b")]
    sites = [site("a.test", *keys), site("b.test", *keys), site("c.test", keys[0])]
    assert evidence(*sites)["account"].text == "the account b"


@pytest.mark.parametrize(
    ("holders", "expected"), [(2, 1.0), (3, 1.0), (6, 1 / 1.5), (12, 0.5), (40, None), (41, 0.0)]
)
def test_a_key_counts_less_the_more_sites_have_it(holders: int, expected: float | None) -> None:
    sites = [site(f"s{number}.test", ("account", "x")) for number in range(holders)]
    found = strength("account", *sites)
    if expected is None:
        assert 0.3 < found < 0.4
    else:
        assert found == pytest.approx(expected)


def test_a_key_on_too_many_sites_makes_no_candidates() -> None:
    sites = [site(f"s{number}.test", ("account", "x")) for number in range(MOST_SITES_OF_KEY)]
    assert len(candidate_pairs(background(*sites))) == 40 * 39 // 2
    assert candidate_pairs(background(*sites, site("one-more.test", ("account", "x")))) == set()


def test_candidates_share_a_key_or_a_link_or_a_claimed_domain() -> None:
    sites = [
        site("a.test", PHONE),
        site("b.test", PHONE),
        site("c.test", links=("a.test", "nowhere.test", "c.test")),
        site("d.test", ("mail domain", "c.test")),
        site("e.test", ("domain", "d.test")),
        site("f.test", ("account", "alone")),
        site("", links=("",)),
        site(""),
    ]
    assert candidate_pairs(background(*sites)) == {(0, 1), (0, 2), (2, 3), (3, 4)}


def test_two_sites_on_one_domain_are_both_linked() -> None:
    sites = [site("a.test"), site("a.test"), site("b.test", links=("a.test",))]
    assert candidate_pairs(background(*sites)) == {(0, 2), (1, 2)}


# Third parties: keys of an authority, a host or a designer that both sites only name.

OWN_A, OWN_B = ("phone", "11112223"), ("phone", "44445556")


def named_pair(
    *shared: Key, own: bool = True, names: tuple[str, str] = ("bakery kern", "velo huber")
) -> list[CompanySite]:
    own_keys = [(OWN_A,), (OWN_B,)] if own else [(), ()]
    return [
        site(f"{letter}.test", *shared, *keys, names=(name,))
        for letter, keys, name in zip("ab", own_keys, names, strict=True)
    ]


def test_a_number_beside_own_numbers_of_sites_with_other_names_is_a_third_partys() -> None:
    assert strength("phone", *named_pair(PHONE)) == pytest.approx(0.3)


def test_sites_without_own_numbers_share_theirs() -> None:
    assert strength("phone", *named_pair(PHONE, own=False)) == 1.0
    first, second = named_pair(PHONE)
    only_one = site("b.test", PHONE, names=("velo huber",))
    assert strength("phone", first, only_one) == 1.0
    assert strength("phone", only_one, second) == 1.0


def test_sites_with_a_common_word_in_their_names_share_their_number() -> None:
    assert strength("phone", *named_pair(PHONE, names=("bakery kern", "kern shop"))) == 1.0


def test_an_own_key_of_another_kind_does_not_make_a_third_party() -> None:
    sites = [
        site("a.test", PHONE, ("e-mail", "a@a.test"), names=("bakery kern",)),
        site("b.test", PHONE, ("e-mail", "b@b.test"), names=("velo huber",)),
    ]
    assert strength("phone", *sites) == 1.0


@pytest.mark.parametrize("kind", ["e-mail", "mail domain", "phone", "register number", "address"])
def test_contact_data_of_any_kind_may_be_a_third_partys(kind: str) -> None:
    sites = [
        site("a.test", (kind, "shared@x.test"), (kind, "one@y.test"), names=("bakery kern",)),
        site("b.test", (kind, "shared@x.test"), (kind, "other@z.test"), names=("velo huber",)),
    ]
    assert strength(kind, *sites) == pytest.approx(0.3)


@pytest.mark.parametrize("kind", ["account", "profile", "domain", "picture"])
def test_accounts_profiles_and_pictures_are_never_a_third_partys(kind: str) -> None:
    sites = [
        site("a.test", (kind, "shared"), (kind, "one"), names=("bakery kern",)),
        site("b.test", (kind, "shared"), (kind, "other"), names=("velo huber",)),
    ]
    assert strength(kind, *sites) == 1.0


def test_a_key_whose_holders_mostly_share_a_name_is_theirs() -> None:
    family = [site(f"k{number}.test", PHONE, names=("mill family",)) for number in range(3)]
    # 3 of the 10 pairs of these five sites share a name: still a third party's.
    five = [*named_pair(PHONE), *family]
    assert background(*five).is_of_third_party(PHONE)
    # 6 of 10 pairs share a name: not a third party's, though the first two sites have other names.
    stranger = site("b.test", PHONE, OWN_B, names=("velo huber",))
    mill = site("a.test", PHONE, OWN_A, names=("old mill",))
    assert not background(mill, stranger, *family).is_of_third_party(PHONE)


def test_exactly_half_of_the_pairs_with_other_names_is_not_enough() -> None:
    names = ["kern one", "kern two", "kern huber", "huber three"]
    sites = [site(f"s{number}.test", PHONE, names=(name,)) for number, name in enumerate(names)]
    # Without a common word: 0-3 and 1-3, that is 2 of 6 pairs.
    assert not background(*sites).is_of_third_party(PHONE)
    apart = [
        site(f"t{number}.test", PHONE, names=(name,))
        for number, name in enumerate(["aaa", "bbb", "aaa bbb ccc", "ccc ddd"])
    ]
    # Without a common word: 0-1, 0-3, 1-3, that is 3 of 6 pairs.
    assert not background(*apart).is_of_third_party(PHONE)
    assert not background(site("a.test", ("phone", "only"), names=("aaa",))).is_of_third_party(
        ("phone", "only")
    )


def test_short_words_are_no_common_part_of_two_names() -> None:
    sites = [
        site("a.test", names=("de kern",)),
        site("b.test", names=("de huber",)),
        site("c.test", names=("see huber",)),
    ]
    known = background(*sites)
    assert known.have_other_names(0, 1)
    assert not known.have_other_names(1, 2)
    assert not background(site("a.test"), sites[1]).have_other_names(0, 1)
    assert not background(sites[0], site("b.test")).have_other_names(0, 1)


# Mail at a domain that belongs to neither site.


def mail_site(domain: str, *addresses: str) -> CompanySite:
    keys = [("e-mail", address) for address in addresses]
    return site(domain, *keys, *(("mail domain", address.partition("@")[2]) for address in addresses))


@pytest.mark.parametrize(
    ("one", "other", "factor"),
    [
        (("info@agency.test",), ("info@agency.test",), 1.0),
        (("info@agency.test", "me@a.test"), ("info@agency.test",), 0.7),
        (("info@agency.test",), ("info@agency.test", "me@b.test"), 0.7),
        (("info@agency.test", "me@a.test"), ("info@agency.test", "me@b.test"), 0.5),
        (("me@a.test",), ("me@a.test",), 1.0),
    ],
)
def test_mail_at_a_third_domain_counts_less_beside_mail_at_the_own_domain(
    one: tuple[str, ...], other: tuple[str, ...], factor: float
) -> None:
    found = evidence(mail_site("a.test", *one), mail_site("b.test", *other))
    assert found["e-mail"].strength == pytest.approx(factor)
    assert found["mail domain"].strength == pytest.approx(factor)


# Names.


def test_a_name_that_is_an_ordinary_word_counts_less() -> None:
    def name(value: str) -> float:
        return strength("name", site("a.test", ("name", value)), site("b.test", ("name", value)))

    assert name("forum") == pytest.approx(math.log(10) / 5)
    assert name("linden") == 1.0
    assert name("forum forum") == pytest.approx(2 * math.log(10) / 5)
    assert name("unknown") == 1.0


def test_the_rarest_of_several_shared_names_decides() -> None:
    names = (("name", "forum"), ("name", "linden"))
    assert strength("name", site("a.test", *names), site("b.test", *names)) == pytest.approx(1.25)


def test_names_without_a_common_word_speak_against_a_pair() -> None:
    found = evidence(site("a.test", names=("kern",)), site("b.test", names=("huber",)))
    assert found == {"other name": Evidence("other name", 1.0)}


# Links, labels, contact data, cosines.


@pytest.mark.parametrize(
    ("one", "other", "expected", "text"),
    [
        (site("a.test", links=("b.test",)), site("b.test"), 0.5, "a link from one to the other"),
        (site("a.test"), site("b.test", links=("a.test",)), 0.5, "a link from one to the other"),
        (
            site("a.test", links=("b.test",)),
            site("b.test", links=("a.test",)),
            1.0,
            "links in both directions",
        ),
        (
            site("a.test", ("domain", "b.test")),
            site("b.test"),
            1.0,
            "one names the other's domain as its own",
        ),
        (
            site("a.test"),
            site("b.test", ("domain", "a.test")),
            1.0,
            "one names the other's domain as its own",
        ),
        (
            site("a.test", ("domain", "b.test"), links=("b.test",)),
            site("b.test", links=("a.test",)),
            1.5,
            "one names the other's domain as its own",
        ),
        (site("", links=("b.test",)), site("b.test"), 0.5, "a link from one to the other"),
    ],
)
def test_links_and_claimed_domains_are_evidence(
    one: CompanySite, other: CompanySite, expected: float, text: str
) -> None:
    assert evidence(one, other)["links"] == Evidence("links", expected, text)


def test_links_between_sites_of_one_domain_or_of_none_mean_nothing() -> None:
    assert strength("links", site("a.test", links=("a.test",)), site("a.test")) == 0.0
    assert strength("links", site("", ("domain", ""), links=("",)), site("b.test", links=("",))) == 0.0
    assert strength("links", site("a.test", links=("c.test",)), site("b.test")) == 0.0


def test_the_same_label_under_another_ending_is_evidence() -> None:
    found = evidence(site("kern.test"), site("kern.example"))
    assert found == {"same label": Evidence("same label", 1.0, "the same name 'kern' under another ending")}
    assert evidence(site("abc.test"), site("abc.example")) == {}
    assert evidence(site("kern.test"), site("kern.test")) == {}
    assert evidence(site("kern.test"), site("korn.example")) == {}


def test_contact_data_that_differ_in_every_kind_speak_against_a_pair() -> None:
    one = site("a.test", ("phone", "1"), ("e-mail", "x@a.test"), ("address", "1"))
    assert strength("other contact", one, site("b.test", ("phone", "2"), ("e-mail", "y@b.test"))) == 1.0
    assert strength("other contact", one, site("b.test", ("phone", "1"), ("e-mail", "y@b.test"))) == 0.5
    assert strength("other contact", one, site("b.test", ("phone", "1"))) == 0.0
    assert strength("other contact", one, site("b.test", ("register number", "7"))) == 0.0


@pytest.mark.parametrize("kind", ["phone", "e-mail", "mail domain", "register number", "address"])
def test_each_kind_of_contact_data_can_differ(kind: str) -> None:
    assert strength("other contact", site("a.test", (kind, "1")), site("b.test", (kind, "2"))) == 1.0


def test_other_kinds_of_keys_cannot_differ() -> None:
    assert (
        strength("other contact", site("a.test", ("account", "1")), site("b.test", ("account", "2"))) == 0.0
    )


def test_a_common_mail_address_or_mail_domain_is_enough_for_mail() -> None:
    one = site("a.test", ("e-mail", "x@kern.test"), ("mail domain", "kern.test"))
    other = site("b.test", ("e-mail", "y@kern.test"), ("mail domain", "kern.test"))
    assert strength("other contact", one, other) == 0.0


def test_words_pictures_and_class_names_are_compared_by_cosine() -> None:
    alike: dict[str, Any] = {
        "words": {"brot": 1},
        "pictures": frozenset({"oven.jpg"}),
        "template": frozenset({"wp-block"}),
    }
    sites = [site("a.test", **alike), site("b.test", **alike), site("c.test", words={"rad": 1})]
    vectors = make_vectors([{0: 1.0}, {0: 1.0, 1: 1.0}, {1: 1.0}], 2)
    found = list(find_evidence(describe_list(sites, vectors, VOCABULARY), 0, [1, 2]))
    first = {item.kind: item for item in found[0] if item.strength}
    assert first["words"].strength == pytest.approx(math.sqrt(0.5))
    assert first["words"].text == "words alike to 0.71"
    assert [first[kind].strength for kind in ("rare words", "pictures", "template")] == pytest.approx(
        [1, 1, 1]
    )
    assert first["rare words"].text == "rare words alike to 1.00"
    assert [item.kind for item in found[1] if item.strength] == []
