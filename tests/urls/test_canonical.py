import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from threadmill.errors import URLError
from threadmill.urls import MAX_LENGTH, canonicalise, is_trap, resolve


def judge(rest: str) -> str:
    return is_trap(f"http://example.com/{rest}", year=2026)


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("calendar?month=5&year=2031", "calendar far ahead"),
        ("calendar.php?year=1889&month=12", "calendar far back"),
        ("events/2150/07/", "calendar far ahead"),
        ("kalender/1985-02", "calendar far back"),
        ("index.php?option=com_events&date=20400101", "calendar far ahead"),
        ("?y=2099", "calendar far ahead"),
        ("a/b/a/b/a/b", "repeating path"),
        ("img/img/img/x.png", "repeating path"),
        ("forum/login/login/login", "repeating path"),
        ("/".join(f"d{i}" for i in range(25)), "too deep"),
        ("x" * 2100, "too long"),
        ("?page=1&page=2&page=3&page=4", "growing query"),
        ("?" + "&".join(f"f{i}=1" for i in range(30)), "too many parameters"),
        ("login?return=%252525", "nested query"),
    ],
)
def test_traps_are_named(rest: str, reason: str) -> None:
    assert judge(rest) == reason


@pytest.mark.parametrize(
    "rest",
    [
        *("", "viewtopic.php?f=3&t=203105&start=20", "threads/roadster-2035-concept.345678/", "t/1234/5678"),
        *("calendar?month=12&year=2027", "calendar?year=2026&month=1", "calendar/1999/12/31", "2011/11/11/x"),
        *(
            "films?year=1936",
            "archive/1889/05/03/frontpage",
            "11/11/11",
            "events/2026/festival",
            "a/a/b",
            "a/b/a/b",
        ),
        *(
            "?tag=a&tag=b&tag=c",
            "?id[]=1&id[]=2&id[]=3&id[]=4&id[]=5",
            "calendar/event/20456",
            "day-trader/1234",
        ),
        *("product/cal-203105", "forum/daylight/198502", "best-day-ever.204506/", "best_day/204506"),
    ],
)
def test_ordinary_pages_are_no_traps(rest: str) -> None:
    assert judge(rest) == ""


def test_an_endless_calendar_is_left_within_three_years() -> None:
    months = [f"cal.php?month={m}&year={y}" for y in range(2026, 2040) for m in range(1, 13)]
    assert sum(not judge(month) for month in months) == 36


@given(st.text() | st.from_regex(r"http://a/[0-9/?&=.a-c-]*calendar[0-9/?&=.-]*"))
def test_any_text_is_judged(text: str) -> None:
    assert isinstance(is_trap(text), str)


BASE = "http://a/b/c/d;p?q"  # RFC 3986, 5.4

# Text that looks enough like URLs to reach every branch.
PIECES = [
    *("http://", "https://", "//", "/", "?", "#", "&", "=", ";", "%", "%2", "%41", "%2e", "%zz", "..", "."),
    *(
        "a",
        "B",
        "ä",
        "例え",
        "xn--",
        "@",
        ":",
        ":80",
        ":443",
        "[::1]",
        "127.1",
        "amp;",
        "&amp;",
        " ",
        "\t",
        "\\",
    ),
    *(
        "sid=",
        "utm_x=1",
        "PHPSESSID=3",
        ";jsessionid=1",
        "(S(x))",
        "0123456789abcdef" * 2,
        "\ud800",
        "|",
        "[]",
    ),
]
urlish = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:443/a", "http://example.com:443/a"),
        ("http://example.com./a", "http://example.com/a"),
        ("http://user:secret@example.com/", "http://example.com/"),
        ("http://example.com/a/./b/../c", "http://example.com/a/c"),
        ("http://example.com/%7euser/%41%2f%c3%a4", "http://example.com/~user/A%2F%C3%A4"),
        ("http://example.com/100%", "http://example.com/100%25"),
        ("http://example.com/ä b", "http://example.com/%C3%A4%20b"),
        ("http://münchen.de/", "http://xn--mnchen-3ya.de/"),
        ("http://faß.de/", "http://xn--fa-hia.de/"),
        ("http://ＥＸＡＭＰＬＥ.com/", "http://example.com/"),
        ("http://[::0:1]:80/", "http://[::1]/"),
        ("  http://example.com/a\nb\t ", "http://example.com/ab"),
        ("http:\\\\example.com\\a", "http://example.com/a"),
        ("http://example.com/a#b?c=d", "http://example.com/a"),
        ("http://example.com/a?#", "http://example.com/a"),
        ("http://example.com/?b=2&a=1&b=1", "http://example.com/?b=2&a=1&b=1"),
        ("http://example.com/?a[]=1&a[]=2", "http://example.com/?a[]=1&a[]=2"),
        ("http://example.com/?a=1&amp;b=2", "http://example.com/?a=1&b=2"),
        ("http://example.com/?a&&b=", "http://example.com/?a&b="),
    ],
)
def test_spellings_of_one_page_become_one(spelling: str, canonical: str) -> None:
    assert canonicalise(spelling) == canonical


@pytest.mark.parametrize(
    ("link", "kept"),
    [
        ("t?f=2&sid=0123456789abcdef0123456789abcdef", "t?f=2"),
        ("t?s=0123456789abcdef0123456789abcdef&t=5", "t?t=5"),
        ("t?PHPSESSID=x&a=1", "t?a=1"),
        ("t?a=1;PHPSESSID=x", "t?a=1;PHPSESSID=x"),
        ("t;jsessionid=1A2B.node1?a=1", "t?a=1"),
        ("(S(lit3py55t21z5v55vlm25s55))/t.aspx", "t.aspx"),
        ("t?utm_source=a&UTM_Medium=b&id=3&fbclid=c&gclid=d", "t?id=3"),
        ("t?sid=05/12/2345", "t?sid=05/12/2345"),
        ("t?s=lawnmower", "t?s=lawnmower"),
        ("t?sid=", "t?sid="),
        ("t?hash=17", "t?hash=17"),
    ],
)
def test_sessions_and_tracking_go_and_what_names_the_page_stays(link: str, kept: str) -> None:
    assert resolve(link, "http://example.com/") == f"http://example.com/{kept}"


@pytest.mark.parametrize(
    ("link", "resolved"),
    [  # the normal and abnormal examples of RFC 3986, 5.4, where browsers agree; fragments dropped
        ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g/"),
        ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q"),
        ("g?y#s", "http://a/b/c/g?y"),
        (";x", "http://a/b/c/;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y"),
        ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"),
        ("..", "http://a/b/"),
        ("../..", "http://a/"),
        ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"),
        ("g.", "http://a/b/c/g."),
        ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"),
        ("g/./h", "http://a/b/c/g/h"),
        ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("http:g", "http://a/b/c/g"),
    ],
)
def test_links_resolve_as_in_a_browser(link: str, resolved: str) -> None:
    assert resolve(link, BASE) == resolved


@pytest.mark.parametrize(
    "link",
    [
        *(
            "javascript:void(0)",
            "mailto:a@b.c",
            "data:text/html,x",
            "tel:+49",
            "ftp://a/b",
            "http://",
            "http:///",
        ),
        *(
            "http://a b/",
            "http://a..b/",
            "http://xn--.com/",
            f"http://{'a' * 64}.com/",
            "http://a/\ud800",
            "x",
        ),
        *(
            "http://a!b/",
            "http://[::1",
            "http://1.2.3.4.5/",
            "http://a:99999/",
            f"http://a/{'b' * MAX_LENGTH}",
        ),
    ],
)
def test_junk_on_pages_is_judged_and_in_calls_is_an_error(link: str) -> None:
    assert resolve(link) is None
    with pytest.raises(URLError):
        canonicalise(link)


def test_a_url_without_scheme_is_answered_with_the_cure() -> None:
    with pytest.raises(URLError, match=r"did you mean https://forum\.example\.org/x"):
        canonicalise("forum.example.org/x")


def test_a_bad_base_is_named() -> None:
    assert resolve("a", "nonsense") is None
    with pytest.raises(URLError, match="base"):
        canonicalise("a", "nonsense")


@given(st.text() | urlish, st.none() | st.text() | urlish)
@example("http://a/%%34%31", None)
@example("http://a/.;sid=1/b", None)
@example("http://a/;s;sid=1id=2", None)
@example("http://a../", None)
@example("http://a/?" + "ä" * 3000, None)
def test_any_text_is_judged_and_the_canonical_form_is_final(link: str, base: str | None) -> None:
    found = resolve(link, base)
    if found is not None:
        assert resolve(found) == found
        assert canonicalise(found, "https://elsewhere.example/x/") == found
        assert found.isascii()
        assert len(found) <= MAX_LENGTH


@given(urlish)
def test_the_page_itself_is_what_an_empty_link_names(tail: str) -> None:
    page = resolve("http://example.com/" + tail)
    if page is not None:
        assert resolve("", page) == page
        assert resolve("#top", page) == page


@pytest.mark.parametrize("filler", ["a", "/", ";sid=1", "%", "&", "/(S(", "&amp;", "=", "."])
def test_hostile_links_take_no_long_time(filler: str) -> None:
    link = "http://example.com/" + (filler * MAX_LENGTH)[: MAX_LENGTH - 30]
    start = time.process_time()
    resolve(link + "\u00a0")
    assert time.process_time() - start < 0.5  # linear work takes a few milliseconds; backtracking takes hours
