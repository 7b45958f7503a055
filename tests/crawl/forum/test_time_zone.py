import pytest

from threadmill.crawl.forum.knowledge import find_stated_zone, has_no_summer_time
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("GMT+8, 2025-1-31 20:00", "+08:00"),
        ("All times are UTC + 5:30", "+05:30"),
        ("All times are UTC-05:00", "-05:00"),
        ("All times are local", None),
        ("The train leaves at 10:15", None),
    ],
)
def test_a_page_states_its_zone(text: str, zone: str | None) -> None:
    page = f"<html><body><p>Hello</p><p>{text}</p></body></html>"
    assert find_stated_zone(PageOutline(parse(page.encode(), "https://f.example/", "text/html"))) == zone


def test_two_zones_on_a_page_are_none() -> None:
    page = b"<html><body><p>GMT+8</p><p>I live in GMT+3</p></body></html>"
    assert find_stated_zone(PageOutline(parse(page, "https://f.example/", "text/html"))) is None


def test_offsets_of_places_that_change_their_clocks_are_not_steady() -> None:
    assert has_no_summer_time("+08:00")
    assert not has_no_summer_time("+01:00")
    assert not has_no_summer_time("-05:00")
