from __future__ import annotations

import pytest

from tests.sites.read.test_contacts import found
from threadmill.sites.read.contacts import find_contacts
from threadmill.sites.read.postal_addresses import places_in


def test_an_address_is_postcode_street_and_house() -> None:
    assert found("address", "Lindenstraße 14, 28211 Bremen") == {"28211 lindenstr 14"}
    assert found("address", "Lindenstr. 14, 28211 Bremen") == {"28211 lindenstr 14"}


def test_the_end_of_a_telephone_number_is_no_house() -> None:
    assert not found("address", "WhatsApp: +995 593 583 830 Station Square, Tbilisi, 0100 Georgia")
    assert found("address", "Kern Ltd, 14 Mill Road, Linz, 4020 Austria") == {"4020 mill road 14"}


def test_a_number_before_a_kind_of_street_belongs_to_it() -> None:
    text = "Mairie de La Flotte 3 Rue du Calvaire, 17630 La Flotte"
    assert found("address", text) == {"17630 rue calvaire 3"}


def test_the_last_digits_of_a_telephone_number_are_no_postcode() -> None:
    assert not found("address", "EasySite Ltd, support 0800 471 2290, help desk")


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("12 Mill Lane, SK9 5AF Wilmslow", {"sk95af mill lane 12"}),
        ("3 rue Fontanelle, 75007 Paris", {"75007 rue fontanelle 3"}),
        ("Hogeweg 30, 2594 AV Den Haag", {"2594av hogeweg 30"}),
        ("ul. Stawkowa 2, 00-193 Warszawa", {"00193 stawkowa 2"}),
        ("Since May 12, 1998 Wien", set()),
        ("Parkgasse 5, 1030 Wien", {"1030 parkgasse 5"}),
        ("28211 Bremen", set()),
        ("Am Markt 7 oder Lindenweg 14, 28211 Bremen", {"28211 lindenweg 14"}),
        ("Lindenstraße 14\n\n28211 Bremen", set()),
        ("Lindenstraße 14\n28211 Bremen", {"28211 lindenstr 14"}),
        ("Lindenstraße 14" + " " * 70 + "28211 Bremen", set()),
        ("105 Mill Drive Huntsville, AL 35806 Phone: 7", {"35806 mill drive huntsville 105"}),
    ],
)
def test_addresses_of_several_countries_are_read(text: str, addresses: set[str]) -> None:
    assert found("address", text) == addresses


@pytest.mark.parametrize("text", ["REGON 220\n43300 Bielsko", "Telefon 12, 79100 Freiburg"])
def test_a_name_of_a_number_is_no_street(text: str) -> None:
    assert not found("address", text)


def test_where_the_place_stands_before_the_postcode_the_address_ends_with_it() -> None:
    american, british = (
        next(fact for fact in find_contacts(text, []) if fact.kind == "address")
        for text in (
            "105 Mill Drive, Huntsville, AL 35806 Phone: 7",
            "14 Mill Road, London SE1 2QG Telephone 7",
        )
    )
    assert american.written == "105 Mill Drive, Huntsville, AL 35806"
    assert british.written == "14 Mill Road, London SE1 2QG"
    assert places_in([american, british]) == {"huntsville", "london"}


def test_a_place_before_a_postcode_at_the_end_of_a_line_is_part_of_the_address() -> None:
    text = "Görlitzer Str. 45, Horka /OL, 02923\nAuch in diesem Jahr"
    [address] = [fact for fact in find_contacts(text, []) if fact.kind == "address"]
    assert address.written == "Görlitzer Str. 45, Horka /OL, 02923"


@pytest.mark.parametrize(
    "text",
    [
        "1530 Chemin de Peyniblou 06560 Sophia-Antipolis",
        "Reicher-Leute-Stege 12 46485 Wesel",
        "Zum Blöcken 9 21775 Wanna-Südaleda",
        "P.le Pietro Nenni 1 10081 Castellamonte",
    ],
)
def test_streets_and_towns_of_several_words_are_told_whole(text: str) -> None:
    [address] = [fact for fact in find_contacts(text, []) if fact.kind == "address"]
    assert address.written == text


def test_cells_of_a_table_are_no_address() -> None:
    assert not found("address", "Topics about bread\nGeneral Discussion\n13\n1563\nOctober 25, 2020")
    assert not found("address", "Lindenstraße 14\n1563 October 25, 2020")
    assert found("address", "Lindenstraße 14\n1563 Linz") == {"1563 lindenstr 14"}


def test_a_year_before_a_word_of_the_arabic_script_is_no_postcode() -> None:
    assert not found("address", "خرداد ۲۵ ۱۴۰۲ ساعت")
    assert not found("address", "Khordad 25 1402 ساعت")
