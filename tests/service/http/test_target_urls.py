from __future__ import annotations

import pytest

from threadmill.service.http.target_urls import check_url, find_private_urls, without_duplicates


@pytest.mark.parametrize("url", ["dawei", "", "ftp://a.example/", "http://", "mailto:a@b", "http://a b/"])
def test_what_is_no_address_of_the_web_is_refused_with_a_reason(url: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        check_url(url)


def test_a_bare_domain_is_a_site() -> None:
    assert check_url("dawei.at") == "http://dawei.at/"


def test_the_same_page_counts_once_and_keeps_its_first_spelling() -> None:
    assert without_duplicates(["http://A.example", "http://a.example/", "http://b.example/"]) == [
        "http://A.example",
        "http://b.example/",
    ]


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/",
        "http://printer.local/",
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://10.1.2.3/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://metadata.google.internal/",
        "http://localhost./",
    ],
)
def test_private_and_loopback_addresses_are_told_by_their_place_in_the_list(url: str) -> None:
    assert [c.position for c in find_private_urls(["https://dawei.at", url])] == [1]


def test_addresses_of_the_open_web_pass() -> None:
    assert find_private_urls(["https://dawei.at", "http://93.184.216.34/", "http://local.example/"]) == []
