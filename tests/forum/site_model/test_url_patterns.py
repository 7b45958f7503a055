"""Patterns of URLs, learnt from examples."""

import pytest

from threadmill.forum.site_model.url_patterns import (
    UrlPattern,
    learn_patterns,
    matches_any,
    merge_patterns,
    split_url,
)


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


@pytest.mark.parametrize(
    ("samples", "pattern"),
    [
        (["/t?id=1"], r"/t\?id=\d+"),
        (["/t5/x?q=a7.0"], r"/t\d+/x\?q=a\d+\.\d+"),
        (["/t?id=1&f=2", "/t?id=3&f=2"], r"/t\?f=2&id=\d+"),
        (["/t-1-1.html", "/t-2-1.html"], r"/t\-\d+\-\d+\.html"),
        (["/t-1-1.html", "/t-2-1.html", "/t-3-1.html"], r"/t\-\d+\-1\.html"),
        (["/a-x.5", "/b-y.6"], r"/[^/]*\.\d+"),
        (["/a-t5.html", "/b-x-t6.html"], r"/[^/]*\-t\d+\.html"),
        (["/a-5", "/b.6"], r"/[^/]*\d+"),
        (["/12-x", "/7-y-z"], r"/\d+[^/]*"),
        (["/t12-x", "/t7-y-z"], r"/t\d+[^/]*"),
        (["/a", "/b"], r"/[^/]+"),
        (["/x.html", "/yy.html"], r"/[^/]+\.html"),
        (["/x.1", "/y.2"], r"/[^/]*\.\d+"),
        (["/t?q=ab", "/t?q=cd"], r"/t\?q=[^&]*"),
        (["/t?q=a1", "/t?q=a2"], r"/t\?q=a\d+"),
        (["/", ""], "/"),
        (["/9/a-1", "/8/b"], r"/\d+/[^/]+"),
        (["/9/a-1", "/8/b-2"], r"/\d+/[^/]+"),
        (["/a/x-1", "/b/y-2"], r"/[^/]+/[^/]*\-\d+"),
        (["/5/x-1", "/5/y-2"], r"/5/[^/]*\-\d+"),
    ],
)
def test_what_differs_is_generalised_and_the_rest_stays(samples: list[str], pattern: str) -> None:
    assert [str(found) for found in learn_patterns(f"http://a{sample}" for sample in samples)] == [pattern]


def test_what_slips_in_by_mistake_makes_no_pattern() -> None:
    threads = [f"http://a/t/{n}" for n in range(20)]
    patterns = learn_patterns([*threads, "http://a/login?back=1"])
    assert not matches_any(patterns, "http://a/login?back=2")


def test_a_fifth_of_the_samples_makes_a_pattern_of_its_own() -> None:
    threads = [f"http://a/t/{n}" for n in range(4)]
    assert len(learn_patterns([*threads, "http://a/x?b=1"])) == 2
    assert len(learn_patterns([*threads, "http://a/t/99", "http://a/x?b=1"])) == 1


def test_session_ids_do_not_matter() -> None:
    patterns = learn_patterns(["http://a/t?id=1&sid=0123456789abcdef0123456789abcdef", "http://a/t?id=2"])
    assert matches_any(patterns, "http://a/t?id=3&sid=ffffffffffffffffffffffffffffffff")


def test_a_parameter_that_says_where_one_came_from_is_free() -> None:
    (pattern,) = learn_patterns(["http://a/t?id=1&from=page%3D1", "http://a/t?id=2&from=page%3D4"])
    assert pattern == UrlPattern("/t", (("id", r"\d+"),), ("from",))
    assert matches_any([pattern], "http://a/t?id=3")
    assert matches_any([pattern], "http://a/t?id=3&from=x")
    assert not matches_any([pattern], "http://a/t?from=x")


def test_patterns_that_differ_in_one_parameter_become_one() -> None:
    short = UrlPattern("/t", (("id", r"\d+"),))
    long = UrlPattern("/t", (("f", r"\d+"), ("id", r"\d+")), ("x",))
    merged = UrlPattern("/t", (("id", r"\d+"),), ("f", "x"))
    assert merge_patterns([short, long]) == (merged,)
    assert merge_patterns([long, short]) == (merged,)


@pytest.mark.parametrize(
    "other",
    [
        UrlPattern("/u", (("id", r"\d+"),)),
        UrlPattern("/t", (("id", r"[^&]*"),)),
        UrlPattern("/t", (("p", r"\d+"),)),
        UrlPattern("/t", ()),
    ],
)
def test_other_patterns_stay_apart(other: UrlPattern) -> None:
    short = UrlPattern("/t", (("id", r"\d+"),))
    assert merge_patterns([short, other, short]) == (short, other)


def test_a_url_is_split_into_path_and_decoded_parameters() -> None:
    assert split_url("http://a?x=%41;print&sid=7") == ("/", {"x": "A", "print": ""})
    assert split_url("http://a/t#x") == ("/t", {})
