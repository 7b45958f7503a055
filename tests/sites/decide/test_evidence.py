from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from threadmill.sites.decide.evidence import EVIDENCE_KINDS, find_evidence, is_of_third_party
from threadmill.sites.decide.score_pairs import (
    candidate_pairs,
    describe_list,
)
from threadmill.sites.decide.site_table import MOST_SITES_OF_KEY, SiteTable, hash_of
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, Evidence, Fact, Key, ReadOutcome, SiteFacts
from threadmill.sites.read.read_site import OF_PICTURE

VOCABULARY = Vocabulary(1000, {"forum": 100, "linden": 5})


def company(
    domain: str, *keys: Key, names: tuple[str, ...] = (), links: tuple[str, ...] = (), **more: Any
) -> CompanySite:
    facts = SiteFacts(frozenset(keys), domain, frozenset(links), frozenset(names), **more)
    return CompanySite(f"http://{domain}/", ReadOutcome.OK, facts=facts)


def background(*sites: CompanySite) -> SiteTable:
    return describe_list(sites, VOCABULARY)


def evidence(*sites: CompanySite) -> dict[str, Evidence]:
    """The evidence for the first two sites of a list."""
    [found] = find_evidence(background(*sites), 0, [1])
    assert [item.kind for item in found] == list(EVIDENCE_KINDS)
    return {item.kind: replace(item, places=()) for item in found if item.strength}


def strength(kind: str, *sites: CompanySite) -> float:
    found = evidence(*sites)
    return found[kind].strength if kind in found else 0.0


PHONE = ("phone", "20937841")


def test_sites_with_nothing_in_common_have_no_evidence() -> None:
    assert evidence(company("a.test"), company("b.test")) == {}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (("e-mail", "info@kern.test"), "the e-mail address info@kern.test"),
        (("mail domain", "kern.test"), "the e-mail domain kern.test"),
        (("phone", "20937841"), "the telephone number …20937841"),
        (("register number", "123456"), "the register, tax or bank number 123456"),
        (("address", "28211 lindenstr 14"), "the address 28211 lindenstr 14"),
        (("account", "Hotjar 12345"), "the same Hotjar 12345"),
        (("profile", "facebook kern"), "a link to facebook kern"),
        (("domain", "kern.test"), "the domain kern.test as their own"),
        (("name", "kern mill"), "the words 'kern mill' in a title"),
        (("picture", "ab12"), "the same favicon or logo"),
    ],
)
def test_a_shared_key_is_evidence_of_its_kind_with_a_text(key: Key, text: str) -> None:
    found = evidence(company("a.test", key), company("b.test", key))
    assert found == {key[0]: Evidence(key[0], 1.0, text)}


def told(kind: str, *facts: Fact) -> str:
    """The text for two sites with the same facts."""
    keys = [fact.key for fact in facts]
    return evidence(company("a.test", *keys, found=facts), company("b.test", *keys, found=facts))[kind].text


def test_a_profile_is_theirs_if_it_is_called_like_them() -> None:
    name = Fact("name", "kern mill")
    partner, own = Fact("profile", "facebook the-partner-of-kern"), Fact("profile", "facebook kernmill")
    assert told("profile", partner, name) == "a link to facebook the-partner-of-kern"
    assert told("profile", partner, own, name) == "the profile facebook kernmill"


@pytest.mark.parametrize(
    ("proof", "written", "text"),
    [
        (Fact("label", "kernmill", "kernmill.test"), "Kern Mill", "the name 'Kern Mill'"),
        (
            Fact("label", "kernmill", "kernmill.test"),
            "Kern Mill, Bath",
            "the words 'Kern Mill, Bath' in a copyright line",
        ),
        (Fact("profile", "facebook kernmill"), "Kern Mill", "the name 'Kern Mill'"),
        (Fact("label", "linden", "linden.test"), "Kern Mill GmbH", "the name 'Kern Mill GmbH'"),
        (Fact("label", "linden", "linden.test"), "Kern Mill", "the words 'Kern Mill' in a copyright line"),
        (
            Fact("profile", "facebook kernmill", is_mention=True),
            "Kern Mill",
            "the words 'Kern Mill' in a copyright line",
        ),
    ],
)
def test_a_name_is_theirs_by_a_legal_form_a_domain_or_a_profile(proof: Fact, written: str, text: str) -> None:
    name = Fact("name", "kern mill", written, f"© 2024 {written}")
    assert told("name", name, proof) == text


def test_the_mail_address_at_their_own_domain_is_named_first() -> None:
    maker = Fact("e-mail", "webmaster-of-the-site@pixel.test")
    assert told("e-mail", maker, Fact("e-mail", "info@kern.test"), Fact("name", "kern")).endswith(
        "info@kern.test"
    )


def test_mail_is_theirs_by_their_domains_and_names_and_not_by_its_own_domain() -> None:
    mail = (
        Fact("e-mail", "ann@pixel.test", is_mention=True),
        Fact("mail domain", "pixel.test", is_mention=True),
    )
    label = Fact("label", "pixel", "pixel.test")  # what reading makes of the mail domain
    assert told("e-mail", *mail, label) == "a mention of the e-mail address ann@pixel.test"
    assert told("mail domain", *mail, label) == "a mention of an e-mail address at pixel.test"
    own = Fact("domain", "pixel.test")
    assert told("e-mail", *mail, label, own) == "the e-mail address ann@pixel.test"
    assert told("mail domain", *mail, Fact("name", "pixel")) == "the e-mail domain pixel.test"


def test_contact_data_in_a_text_are_told_as_mentions() -> None:
    mentioned = Fact("phone", "58421337", "02 58 42 13 37", is_mention=True)
    own = Fact("phone", "58421321", "02 58 42 13 21")
    assert told("phone", mentioned) == "a mention of the telephone number 02 58 42 13 37"
    assert told("phone", mentioned, own) == "the telephone number 02 58 42 13 21"
    address = Fact("address", "28211 lindenstr 14", "Lindenstr. 14, 28211 Bremen")
    here, there = (
        company("a.test", address.key, found=(address,)),
        company("b.test", address.key, found=(replace(address, is_mention=True),)),
    )
    assert evidence(here, there)["address"].text == "a mention of the address Lindenstr. 14, 28211 Bremen"


def test_a_domain_that_only_pictures_lie_at_is_told_so() -> None:
    assert told("domain", Fact("domain", "store.test", "store.test", OF_PICTURE)) == "pictures at store.test"


def test_pages_for_payments_and_bookings_are_links() -> None:
    page = "page for payments ko-fi.com/kern"
    assert told("account", Fact("account", page, page)) == "a link to ko-fi.com/kern"


def test_a_fax_is_called_so_and_named_only_without_a_telephone() -> None:
    fax = Fact("phone", "58421337", "02 58 42 13 37", "Tel 02 58 42 13 21 Fax 02 58 42 13 37")
    phone = Fact("phone", "58421321", "02 58 42 13 21", "Tel 02 58 42 13 21 Fax 02 58 42 13 37")
    both = Fact("phone", "58421337", "02 58 42 13 37", "Tel/Fax: 02 58 42 13 37")
    assert told("phone", fax) == "the fax number 02 58 42 13 37"
    assert told("phone", fax, phone) == "the telephone number 02 58 42 13 21"
    assert told("phone", both) == "the telephone number 02 58 42 13 37"


@pytest.mark.parametrize(
    ("around", "where"),
    [
        ("Kern | Home", "a title"),
        ("© 2024 Kern", "a copyright line"),
        ('meta[property="og:site_name"]', "the metadata"),
        ("structured data: Organization", "the metadata"),
    ],
)
def test_words_are_told_with_the_place_where_they_stand(around: str, where: str) -> None:
    assert told("title", Fact("title", "kern", "Kern", around)) == f"the words 'Kern' in {where}"


def test_further_shared_keys_of_a_kind_add_less_and_less() -> None:
    keys = [("account", str(number)) for number in range(3)]
    assert strength("account", company("a.test", *keys[:2]), company("b.test", *keys[:2])) == 1.25
    assert strength("account", company("a.test", *keys), company("b.test", *keys)) == pytest.approx(
        1 + 1 / 4 + 1 / 9
    )
    many = [("account", str(number)) for number in range(60)]
    assert strength("account", company("a.test", *many), company("b.test", *many)) == 1.5


def test_the_text_names_the_key_that_fewest_sites_have() -> None:
    keys = [("account", "a"), ("account", "b")]
    sites = [company("a.test", *keys), company("b.test", *keys), company("c.test", keys[0])]
    assert evidence(*sites)["account"].text == "the same b"


@pytest.mark.parametrize(
    ("holders", "expected"), [(2, 1.0), (3, 1.0), (6, 1 / 1.5), (12, 0.5), (40, None), (41, 0.0)]
)
def test_a_key_counts_less_the_more_sites_have_it(holders: int, expected: float | None) -> None:
    sites = [company(f"s{number}.test", ("account", "x")) for number in range(holders)]
    found = strength("account", *sites)
    if expected is None:
        assert 0.3 < found < 0.4
    else:
        assert found == pytest.approx(expected)


def test_a_key_on_too_many_sites_makes_no_candidates() -> None:
    sites = [company(f"s{number}.test", ("account", "x")) for number in range(MOST_SITES_OF_KEY)]
    assert len(candidate_pairs(background(*sites))) == 40 * 39 // 2
    assert candidate_pairs(background(*sites, company("one-more.test", ("account", "x")))) == set()


def test_candidates_share_a_key_or_a_link_or_a_claimed_domain() -> None:
    sites = [
        company("a.test", PHONE),
        company("b.test", PHONE),
        company("c.test", links=("a.test", "nowhere.test", "c.test")),
        company("d.test", ("mail domain", "c.test")),
        company("e.test", ("domain", "d.test")),
        company("f.test", ("account", "alone")),
        company("", links=("",)),
        company(""),
    ]
    assert candidate_pairs(background(*sites)) == {(0, 1), (0, 2), (2, 3), (3, 4)}


def test_two_sites_on_one_domain_are_both_linked() -> None:
    sites = [company("a.test"), company("a.test"), company("b.test", links=("a.test",))]
    assert candidate_pairs(background(*sites)) == {(0, 2), (1, 2)}


# Third parties: keys of an authority, a host or a designer that both sites only name.

OWN_A, OWN_B = ("phone", "11112223"), ("phone", "44445556")


def named_pair(
    *shared: Key, own: bool = True, names: tuple[str, str] = ("bakery kern", "velo huber")
) -> list[CompanySite]:
    own_keys = [(OWN_A,), (OWN_B,)] if own else [(), ()]
    return [
        company(f"{letter}.test", *shared, *keys, names=(name,))
        for letter, keys, name in zip("ab", own_keys, names, strict=True)
    ]


def test_a_number_beside_own_numbers_of_sites_with_other_names_is_a_third_partys() -> None:
    assert strength("phone", *named_pair(PHONE)) == pytest.approx(0.3)


def test_sites_without_own_numbers_share_theirs() -> None:
    assert strength("phone", *named_pair(PHONE, own=False)) == 1.0
    first, second = named_pair(PHONE)
    only_one = company("b.test", PHONE, names=("velo huber",))
    assert strength("phone", first, only_one) == 1.0
    assert strength("phone", only_one, second) == 1.0


def test_sites_with_a_common_word_in_their_names_share_their_number() -> None:
    assert strength("phone", *named_pair(PHONE, names=("bakery kern", "kern shop"))) == 1.0


def test_an_own_key_of_another_kind_does_not_make_a_third_party() -> None:
    sites = [
        company("a.test", PHONE, ("e-mail", "a@a.test"), names=("bakery kern",)),
        company("b.test", PHONE, ("e-mail", "b@b.test"), names=("velo huber",)),
    ]
    assert strength("phone", *sites) == 1.0


@pytest.mark.parametrize("kind", ["e-mail", "mail domain", "phone", "register number", "address"])
def test_contact_data_of_any_kind_may_be_a_third_partys(kind: str) -> None:
    sites = [
        company("a.test", (kind, "shared@x.test"), (kind, "one@y.test"), names=("bakery kern",)),
        company("b.test", (kind, "shared@x.test"), (kind, "other@z.test"), names=("velo huber",)),
    ]
    assert strength(kind, *sites) == pytest.approx(0.3)


@pytest.mark.parametrize("kind", ["account", "profile", "domain", "picture"])
def test_accounts_profiles_and_pictures_are_never_a_third_partys(kind: str) -> None:
    sites = [
        company("a.test", (kind, "shared"), (kind, "one"), names=("bakery kern",)),
        company("b.test", (kind, "shared"), (kind, "other"), names=("velo huber",)),
    ]
    assert strength(kind, *sites) == 1.0


def test_a_key_whose_holders_mostly_share_a_name_is_theirs() -> None:
    family = [company(f"k{number}.test", PHONE, names=("mill family",)) for number in range(3)]
    # 3 of the 10 pairs of these five sites share a name: still a third party's.
    five = [*named_pair(PHONE), *family]
    assert is_of_third_party(background(*five), hash_of(PHONE))
    # 6 of 10 pairs share a name: not a third party's, though the first two sites have other names.
    stranger = company("b.test", PHONE, OWN_B, names=("velo huber",))
    mill = company("a.test", PHONE, OWN_A, names=("old mill",))
    assert not is_of_third_party(background(mill, stranger, *family), hash_of(PHONE))


def test_exactly_half_of_the_pairs_with_other_names_is_not_enough() -> None:
    names = ["kern one", "kern two", "kern huber", "huber three"]
    sites = [company(f"s{number}.test", PHONE, names=(name,)) for number, name in enumerate(names)]
    # Without a common word: 0-3 and 1-3, that is 2 of 6 pairs.
    assert not is_of_third_party(background(*sites), hash_of(PHONE))
    apart = [
        company(f"t{number}.test", PHONE, names=(name,))
        for number, name in enumerate(["aaa", "bbb", "aaa bbb ccc", "ccc ddd"])
    ]
    # Without a common word: 0-1, 0-3, 1-3, that is 3 of 6 pairs.
    assert not is_of_third_party(background(*apart), hash_of(PHONE))
    alone = background(company("a.test", ("phone", "only"), names=("aaa",)))
    assert not is_of_third_party(alone, hash_of(("phone", "only")))


def test_short_words_are_no_common_part_of_two_names() -> None:
    sites = [
        company("a.test", names=("de kern",)),
        company("b.test", names=("de huber",)),
        company("c.test", names=("see huber",)),
    ]
    known = background(*sites)
    assert known.have_other_names(0, 1)
    assert not known.have_other_names(1, 2)
    assert not background(company("a.test"), sites[1]).have_other_names(0, 1)
    assert not background(sites[0], company("b.test")).have_other_names(0, 1)


# Mail at a domain that belongs to neither site.


def mail_site(domain: str, *addresses: str) -> CompanySite:
    keys = [("e-mail", address) for address in addresses]
    return company(domain, *keys, *(("mail domain", address.partition("@")[2]) for address in addresses))


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
        return strength("name", company("a.test", ("name", value)), company("b.test", ("name", value)))

    assert name("forum") == pytest.approx(math.log(10) / 5)
    assert name("linden") == 1.0
    assert name("forum forum") == pytest.approx(2 * math.log(10) / 5)
    assert name("unknown") == 1.0


def test_the_rarest_of_several_shared_names_decides() -> None:
    names = (("name", "forum"), ("name", "linden"))
    both = 1 + math.log(10) / 5 / 4
    assert strength("name", company("a.test", *names), company("b.test", *names)) == pytest.approx(both)


def test_names_without_a_common_word_speak_against_a_pair() -> None:
    found = evidence(company("a.test", names=("kern",)), company("b.test", names=("huber",)))
    assert found == {"other name": Evidence("other name", 1.0)}


# Links, labels, contact data, cosines.


@pytest.mark.parametrize(
    ("one", "other", "expected", "text"),
    [
        (company("a.test", links=("b.test",)), company("b.test"), 0.5, "a link from one to the other"),
        (company("a.test"), company("b.test", links=("a.test",)), 0.5, "a link from one to the other"),
        (
            company("a.test", links=("b.test",)),
            company("b.test", links=("a.test",)),
            1.0,
            "links in both directions",
        ),
        (
            company("a.test", ("domain", "b.test")),
            company("b.test"),
            1.0,
            "one names the other's domain as its own",
        ),
        (
            company("a.test"),
            company("b.test", ("domain", "a.test")),
            1.0,
            "one names the other's domain as its own",
        ),
        (
            company("a.test", ("domain", "b.test"), links=("b.test",)),
            company("b.test", links=("a.test",)),
            1.5,
            "one names the other's domain as its own",
        ),
        (company("", links=("b.test",)), company("b.test"), 0.5, "a link from one to the other"),
    ],
)
def test_links_and_claimed_domains_are_evidence(
    one: CompanySite, other: CompanySite, expected: float, text: str
) -> None:
    assert evidence(one, other)["links"] == Evidence("links", expected, text)


def test_links_between_sites_of_one_domain_or_of_none_mean_nothing() -> None:
    assert strength("links", company("a.test", links=("a.test",)), company("a.test")) == 0.0
    assert strength("links", company("", ("domain", ""), links=("",)), company("b.test", links=("",))) == 0.0
    assert strength("links", company("a.test", links=("c.test",)), company("b.test")) == 0.0


def test_the_same_label_under_another_ending_is_evidence() -> None:
    found = evidence(company("kern.test"), company("kern.example"))
    text = "the same domain name 'kern' under other endings (kern.test and kern.example)"
    assert found == {"same label": Evidence("same label", 1.0, text)}
    assert evidence(company("abc.test"), company("abc.example")) == {}
    assert evidence(company("kern.test"), company("kern.test")) == {}
    assert evidence(company("kern.test"), company("korn.example")) == {}


def labelled(domain: str, mail: str) -> CompanySite:
    label = mail.partition(".")[0]
    found = (Fact("mail domain", mail, mail), Fact("label", label, mail))
    return company(domain, *(fact.key for fact in found), found=found)


def test_mail_under_another_ending_speaks_for_a_pair_and_not_against_it() -> None:
    found = evidence(labelled("a.test", "kern.at"), labelled("b.test", "kern.de"))
    assert set(found) == {"same label"}
    assert "kern.at and kern.de" in found["same label"].text
    ordinary = evidence(labelled("a.test", "forum.at"), labelled("b.test", "forum.de"))
    assert ordinary["same label"].strength == pytest.approx(math.log(10) / 5)


def test_the_same_mail_domain_is_not_counted_again_as_a_label() -> None:
    assert "same label" not in evidence(labelled("a.test", "kern.at"), labelled("b.test", "kern.at"))


def test_contact_data_that_differ_in_every_kind_speak_against_a_pair() -> None:
    one = company("a.test", ("phone", "1"), ("e-mail", "x@a.test"), ("address", "1"))
    assert strength("other contact", one, company("b.test", ("phone", "2"), ("e-mail", "y@b.test"))) == 1.0
    assert strength("other contact", one, company("b.test", ("phone", "1"), ("e-mail", "y@b.test"))) == 0.5
    assert strength("other contact", one, company("b.test", ("phone", "1"))) == 0.0
    assert strength("other contact", one, company("b.test", ("register number", "7"))) == 0.0


@pytest.mark.parametrize("kind", ["phone", "e-mail", "mail domain", "register number", "address"])
def test_each_kind_of_contact_data_can_differ(kind: str) -> None:
    assert strength("other contact", company("a.test", (kind, "1")), company("b.test", (kind, "2"))) == 1.0


def test_other_kinds_of_keys_cannot_differ() -> None:
    assert (
        strength("other contact", company("a.test", ("account", "1")), company("b.test", ("account", "2")))
        == 0.0
    )


def test_a_common_mail_address_or_mail_domain_is_enough_for_mail() -> None:
    one = company("a.test", ("e-mail", "x@kern.test"), ("mail domain", "kern.test"))
    other = company("b.test", ("e-mail", "y@kern.test"), ("mail domain", "kern.test"))
    assert strength("other contact", one, other) == 0.0


def test_words_and_pictures_are_compared_by_cosine() -> None:
    pictures = frozenset({"oven.jpg"})
    sites = [
        replace(company("a.test", pictures=pictures), keywords={"forum": 1}),
        replace(company("b.test", pictures=pictures), keywords={"forum": 1, "linden": 1}),
        replace(company("c.test"), keywords={"unknown": 1}),
    ]
    found = list(find_evidence(background(*sites), 0, [1, 2]))
    first = {item.kind: item for item in found[0] if item.strength}
    forum, linden = math.log(10), math.log(200)
    assert first["words"].strength == pytest.approx(forum / math.hypot(forum, linden), rel=1e-5)
    assert first["words"].text == "words alike to 0.40 of 1"
    assert first["pictures"].strength == pytest.approx(1.0)
    assert [item.kind for item in found[1] if item.strength] == []


# Names in another script, renamed firms, bought templates.


def sounding(domain: str, kind: str, sound: str, name: str) -> CompanySite:
    facts = (Fact("name", name, name.title()),)
    return company(domain, ("name", name), (kind, sound), names=(name,), found=facts)


def test_a_name_in_another_script_is_evidence_and_no_other_name() -> None:
    latin = sounding("a.test", "sound", "MBLST", "embaby plast")
    arabic = sounding("b.test", "foreign sound", "MBLST", "إمبابي بلاست")
    found = evidence(latin, arabic)
    assert found["name in another script"].strength == 1.0
    assert found["name in another script"].text == "a name in two scripts (Embaby Plast and إمبابي بلاست)"
    assert "other name" not in found
    assert candidate_pairs(background(latin, arabic)) == {(0, 1)}


def test_two_names_of_one_script_are_not_compared_by_their_sound() -> None:
    sites = [
        sounding(f"{x}.test", "sound", "MBLST", name)
        for x, name in (("a", "embaby plast"), ("b", "mable set"))
    ]
    assert "name in another script" not in evidence(*sites)
    assert candidate_pairs(background(*sites)) == set()


HOUSE: tuple[Key, Key] = (PHONE, ("address", "28211 lindenstr 14"))


def test_mail_at_the_domain_of_a_sister_is_not_of_a_template() -> None:
    sites = [
        company(
            f"{name}.test",
            ("e-mail", "info@kern.at"),
            ("mail domain", "kern.at"),
            ("name", name),
            names=(name,),
            template=(1, 2, 3),
        )
        for name in ("kern", "huber")
    ]
    assert strength("e-mail", *sites) == 1.0


def test_evidence_says_where_it_stands_on_both_sites() -> None:
    places = [
        Fact(*PHONE, "030 20 93 78 41", "Tel. 030 20 93 78 41", f"http://{x}.test/contact") for x in "ab"
    ]
    sites = [company(f"{x}.test", PHONE, found=(place,)) for x, place in zip("ab", places, strict=True)]
    [found] = find_evidence(background(*sites), 0, [1])
    [phone] = [item for item in found if item.strength]
    assert phone.places == tuple(places)
    assert phone.text == "the telephone number 030 20 93 78 41"
