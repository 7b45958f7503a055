import pytest

from threadmill.forum.site_model.url_patterns import learn_patterns, matches_any


@pytest.mark.parametrize(
    ("samples", "of_them", "not_of_them"),
    [
        (["/viewtopic.php?id=140", "/viewtopic.php?id=7"], "/viewtopic.php?id=999", "/viewtopic.php?pid=3"),
        (["/threads/foo-bar.123/", "/threads/x.9/"], "/threads/some-new.77/", "/members/foo.12/"),
        (["/t/slug-x/123", "/t/other/77"], "/t/a/9", "/u/a/9"),
        (["/topic/8/house-7", "/topic/9/garden-8"], "/topic/1/welcome-to-all", "/user/1/welcome"),
        (["/f/2/12-a.html", "/f/2/9-b-c.html"], "/f/2/77-z.html", "/f/2/77-z.php"),
        (
            ["/index.php?topic=64.0", "/index.php?topic=7.0"],
            "/index.php?topic=5.0",
            "/index.php?topic=5.0&print",
        ),
    ],
)
def test_a_pattern_matches_its_kind_and_no_other(samples: list[str], of_them: str, not_of_them: str) -> None:
    patterns = learn_patterns(f"http://a{sample}" for sample in samples)
    assert matches_any(patterns, f"http://a{of_them}")
    assert not matches_any(patterns, f"http://a{not_of_them}")


def test_what_slips_in_by_mistake_makes_no_pattern() -> None:
    threads = [f"http://a/t/{n}" for n in range(20)]
    patterns = learn_patterns([*threads, "http://a/login?back=1"])
    assert not matches_any(patterns, "http://a/login?back=2")


def test_session_ids_do_not_matter() -> None:
    patterns = learn_patterns(["http://a/t?id=1&sid=0123456789abcdef0123456789abcdef", "http://a/t?id=2"])
    assert matches_any(patterns, "http://a/t?id=3&sid=ffffffffffffffffffffffffffffffff")
