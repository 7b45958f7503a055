import pytest

from threadmill.forum.site_model.link_shapes import group_by_shape

SITE = "https://forum.example"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            ["/showthread.php?tid=1", "/showthread.php?tid=22"],
            ["/showthread.php?tid=1&action=lastpost", "/showthread.php?tid=9&action=lastpost"],
        ),
        (["/thread-1-1-1.html", "/thread-2-1-1.html"], ["/forum-1-1.html", "/forum-12-1.html"]),
        (["/topic/12-old-pump/", "/topic/7-new-valve/"], ["/forum/3-water/", "/forum/4-fire-and-ice/"]),
        (
            ["/old-pump-t12.html", "/new-valve-t7.html", "/what-now-t8.html"],
            ["/water-works-f2.html", "/fire-f3.html", "/ice-age-f5.html"],
        ),
    ],
)
def test_addresses_written_alike_are_one_group(one: list[str], other: list[str]) -> None:
    groups = group_by_shape(SITE + path for path in [*one, *other])
    assert {frozenset(group) for group in groups} == {
        frozenset(SITE + path for path in one),
        frozenset(SITE + path for path in other),
    }


def test_numbers_inside_titles_name_nothing() -> None:
    paths = ["/t/41/project-of-40-days", "/t/24/trip-to-assen", "/t/25/noise-in-ee-989", "/t/26/hello"]
    assert len(group_by_shape(SITE + path for path in paths)) == 1
