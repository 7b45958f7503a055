from __future__ import annotations

import pytest

from threadmill.sites.read.contacts import find_contacts, is_dummy_number


def found(kind: str, text: str, hrefs: list[str] | None = None) -> set[str]:
    return {value for k, value in find_contacts(text, hrefs or []) if k == kind}


def test_one_number_written_in_several_ways_is_one_key() -> None:
    ways = ["Tel. 030 / 2093 7841", "+49 (0)30 20937841", "Phone: 0049 30 2093-7841"]
    assert {value for way in ways for value in found("phone", way)} == {"20937841"}
    assert found("phone", "", ["tel:+493020937841"]) == {"20937841"}


@pytest.mark.parametrize(
    "text", ["12.05.2020 - 14.05.2021", "Tel: 123 456 7890", "2010-2019 2020", "page 12 34 56"]
)
def test_dates_and_dummy_numbers_are_no_telephones(text: str) -> None:
    assert not found("phone", text)


def test_free_mail_gives_an_address_but_no_domain() -> None:
    assert found("e-mail", "write to berta.k@gmail.com") == {"berta.k@gmail.com"}
    assert not found("mail domain", "write to berta.k@gmail.com")
    assert found("mail domain", "", ["mailto:office@muehle-kern.at?subject=x"]) == {"muehle-kern.at"}


def test_disguised_addresses_are_read() -> None:
    assert found("e-mail", "office (at) muehle-kern [dot] at") == {"office@muehle-kern.at"}


@pytest.mark.parametrize("text", ["info@example.com", "you@yourdomain.com", "name@muehle.at"])
def test_addresses_left_in_by_templates_say_nothing(text: str) -> None:
    assert not found("e-mail", text)


def test_tax_numbers_are_one_with_and_without_country() -> None:
    assert found("register number", "P.IVA 03258490212") == {"03258490212"}
    assert found("register number", "VAT: IT03258490212") == {"03258490212"}


def test_an_address_is_postcode_street_and_house() -> None:
    assert found("address", "Lindenstraße 14, 28211 Bremen") == {"28211 lindenstr 14"}
    assert found("address", "Lindenstr. 14, 28211 Bremen") == {"28211 lindenstr 14"}


@pytest.mark.parametrize("digits", ["1234567890", "5555555555", "0000000000", "2345678901"])
def test_dummy_numbers_are_known(digits: str) -> None:
    assert is_dummy_number(digits)


def test_the_last_digits_of_a_telephone_number_are_no_postcode() -> None:
    assert not found("address", "EasySite Ltd, support 0800 471 2290, help desk")


def test_who_made_a_site_is_not_who_runs_it() -> None:
    text = "Praxis Horn, Tel. 0421 77 80 91\nWebdesign: Nordlicht, Tel. 0431 990 2171, moin@nordlicht.test"
    assert found("phone", text) == {"21778091"}
    assert not found("e-mail", text, ["mailto:moin@nordlicht.test"])
    assert found("e-mail", "moin@nordlicht.test\nWebdesign und Druck") == {"moin@nordlicht.test"}
