"""URLs are compared as a reader compares them."""

import pytest

from threadmill.forum.link_urls import kind_named_by_url


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://a.example/forum/viewtopic.php?f=4&t=2", "thread"),
        ("https://a.example/index.php?board=3.0", "index"),
        ("https://a.example/forum/login", "other"),
        ("https://a.example/categories/help", "index"),
        ("https://a.example/x/45", ""),
    ],
)
def test_address_names_a_kind(url: str, kind: str) -> None:
    assert kind_named_by_url(url) == kind
