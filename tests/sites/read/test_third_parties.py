"""Authorities, hosts and payment services that many sites name join none of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from threadmill.sites.compare import compare_read_sites
from threadmill.sites.decide.vocabulary import Vocabulary, load_vocabulary
from threadmill.sites.model import CollectedSite, CompanySite
from threadmill.sites.read.contacts import find_contacts
from threadmill.sites.read.read_site import read_site
from threadmill.sites.read.third_parties import without_third_parties
from threadmill.types import Capture

# As privacy policies and imprints have them; the numbers are made up.
_NAMED = {
    "authority, de": "Zuständige Aufsichtsbehörde ist: Die Landesbeauftragte für den Datenschutz, "
    "Prinzenweg 5, 30159 Hannover, Telefon: 0511 733 45 61, poststelle@lfd-nord.test",
    "authority, de, in lines": "Beschwerderecht bei der Datenschutzbehörde<br>Barichweg 40<br>1030 Wien<br>"
    "Telefon: +43 1 527 15 22<br>E-Mail: dsb@behoerde.test",
    "authority, en": "You may complain to the Information Commissioner's Office, Wycliffe Lane 7, Wilmslow "
    "SK9 5AF, tel. +44 303 427 11 36, casework@commissioner.test",
    "authority, fr": "Vous pouvez saisir la CNIL, 3 place Fontanelle, 75007 Paris, tél. +33 1 53 73 82 20, "
    "plainte@autorite.test",
    "authority, it": "reclamo al Garante per la protezione dei dati personali, Piazza Venere 11, 00187 Roma, "
    "tel. +39 06 696 77 91, protocollo@garante.test",
    "authority, pl": "skargę do Prezesa Urzędu Ochrony Danych Osobowych, ul. Stawkowa 2, 00-193 Warszawa, "
    "tel. +48 22 531 03 17, kancelaria@urzad.test",
    "authority, nl": "Een klacht kunt u indienen bij de Autoriteit Persoonsgegevens, Hoge Weg 30, 2594 AV "
    "Den Haag, tel. +31 70 888 85 13, post@autoriteit.test",
    "host, fr": "Hébergeur : Nuage SAS, 2 rue Kellermann, 59100 Roubaix, RCS 424 761 419, "
    "tél. +33 9 72 10 14 07, support@nuage.test",
    "host, de": "Hosting-Anbieter: Wolke GmbH, Elgendorfer Straße 57, 56410 Montabaur, "
    "USt-IdNr. DE 815 563 912, Tel. +49 721 170 55 22, info@wolke.test",
    "payment, en": "Our payment service provider is Paywell Ltd, 22 Boulevard Royal, 2449 Luxembourg, "
    "VAT LU22046007, tel. +352 27 302 41 43, help@paywell.test",
}
_FIRMS = (
    ("Bäckerei Löwenzahn", "de", "Hauptstraße 3, 24103 Kiel", "0431 67 20 91", "backstube@loewenzahn.test"),
    ("Tischlerei Brandt", "de", "Mühlenweg 18, 18055 Rostock", "0381 45 77 02", "werkstatt@brandt-holz.test"),
    ("Velo Sander", "de", "Lange Gasse 9, 86150 Augsburg", "0821 34 90 66", "laden@velo-sander.test"),
    ("Studio Kormoran", "de", "Ringstraße 77, 50667 Köln", "0221 91 38 54", "hallo@kormoran.test"),
)


def site(number: int, legal: str) -> CompanySite:
    """A firm with contact data of its own and a legal page."""
    name, language, address, phone, mail = _FIRMS[number]
    text = f"{name} {number} – wir arbeiten seit vielen Jahren gern für unsere Kunden im ganzen Land. " * 8
    home = (
        f"<html lang={language}><title>{name}</title><p>{text}</p><footer><p>{name}, {address}</p>"
        f"<p>Tel. {phone}, {mail}</p></footer></html>"
    )
    page = (
        f"<html><title>Legal – {name}</title><h1>Legal</h1><p>{legal}</p><p>{name}, Tel. {phone}</p></html>"
    )
    url = f"http://firm{number}.test/"
    return read_site(CollectedSite(url, (_capture(url, home),), (_capture(f"{url}legal", page),)))


def _capture(url: str, html: str) -> Capture:
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return Capture(url, datetime(2026, 11, 16, tzinfo=UTC), 200, headers, html.encode())


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_vocabulary()


@pytest.mark.parametrize("legal", _NAMED.values(), ids=_NAMED)
def test_two_sites_that_name_one_authority_or_service_are_not_joined(
    legal: str, vocabulary: Vocabulary
) -> None:
    results = compare_read_sites([site(0, legal), site(1, legal)], vocabulary)
    assert not results.over(0.1)


@pytest.mark.parametrize("count", [2, 4])
def test_a_third_party_nobody_wrote_down_joins_none_of_those_who_name_it(
    count: int, vocabulary: Vocabulary
) -> None:
    legal = (
        "Kammer: Handwerk Nordmark, Bergweg 12, 24937 Flensburg, Tel. 0461 86 61 07, post@hwk-nordmark.test"
    )
    sites = [site(number, legal) for number in range(count)]
    results = compare_read_sites(sites, vocabulary)
    assert not results.over(0.5), [pair.why for pair in results.over(0.5)]


def test_sisters_that_share_their_only_contact_data_are_still_joined(vocabulary: Vocabulary) -> None:
    results = compare_read_sites([site(0, ""), _renamed(site(0, ""))], vocabulary)
    assert [pair.score > 0.5 for pair in results.pairs] == [True]


def _renamed(one: CompanySite) -> CompanySite:
    return replace(one, url="http://other.test/", facts=replace(one.facts, domain="other.test"))


def test_what_stands_before_and_after_a_third_party_stays() -> None:
    text = "Horn, Tel. 0421 77 80 91\nAufsichtsbehörde:\nAmt 7\nTel. 0421 361 20 10\nKontakt: 0421 77 80 91"
    kept = without_third_parties(text)
    assert "361" not in kept
    assert kept.count("77 80 91") == 2


def test_an_address_below_a_third_party_ends_at_a_sentence_of_the_site() -> None:
    sentence = "Wir reparieren seit vielen Jahren gern Fahrräder und Roller für Kunden " * 2
    lines = ["Aufsichtsbehörde:", "Amt 7", "", sentence, "Tel. 0421 77 80 91"]
    assert without_third_parties("\n".join(lines)).split("\n")[-2:] == lines[-2:]
    few = [f"Zeile {number}" for number in range(9)]
    kept = without_third_parties("\n".join(["Aufsichtsbehörde:", *few]))
    assert kept.split("\n")[1:] == few[7:]  # an address has seven lines at most


def test_a_company_of_the_list_keeps_its_own_contact_data() -> None:
    text = "PayPal Pte, Tel. +65 6510 45 84"
    assert not list(find_contacts(text, [], "buecherei"))
    assert ("phone", "65104584") in {fact.key for fact in find_contacts(text, [], "paypal")}
