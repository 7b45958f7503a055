import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.page.parse.links import MAX_LINKS, find_links
from threadmill.page.parse.tree import parse
from threadmill.urls import resolve

URL = "https://a.example/dir/page.html?q=1"


def urls(html: str, url: str = URL) -> list[str]:
    return list(find_links(parse(html, url)).urls)


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("other.html", "https://a.example/dir/other.html"),
        ("/top", "https://a.example/top"),
        ("//b.example/x", "https://b.example/x"),
        ("http://c.example", "http://c.example/"),
        ("?q=2", "https://a.example/dir/page.html?q=2"),
        ("../up#part", "https://a.example/up"),
        ("  spaced \n", "https://a.example/dir/spaced"),
        ("x?a=1&amp;b=2", "https://a.example/dir/x?a=1&b=2"),
    ],
)
def test_links_become_absolute_and_canonical(href: str, url: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == [url]


@pytest.mark.parametrize(
    "href",
    [
        "#part",
        "",
        "mailto:a@b.example",
        "javascript:void(0)",
        "tel:1",
        "data:text/html,x",
        "http://",
        "ftp://a/b",
    ],
)
def test_what_leads_to_no_page_is_no_link(href: str) -> None:
    assert urls(f'<a href="{href}">x</a><a>none</a><a name="anchor">none</a>') == []


def test_each_url_is_told_once_in_the_order_of_the_page() -> None:
    html = '<a href="b">1</a><a href="a">2</a><a href="b#x">3</a><a href="https://a.example/dir/a">4</a>'
    assert urls(html) == ["https://a.example/dir/b", "https://a.example/dir/a"]


def test_image_maps_and_frames_lead_on_too() -> None:
    html = '<map><area href="/area"></map><iframe src="/frame"></iframe>'
    assert urls(html) == ["https://a.example/area", "https://a.example/frame"]


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://b.example/sub/", "https://b.example/sub/x"),
        ("/other/", "https://a.example/other/x"),
        ("deeper/", "https://a.example/dir/deeper/x"),
        ("javascript:alert(1)", "https://a.example/dir/x"),
        ("", "https://a.example/dir/x"),
        ("http://[broken", "https://a.example/dir/x"),
    ],
)
def test_the_first_base_that_is_a_web_address_counts(base: str, url: str) -> None:
    assert urls(f'<base target="_top"><base href="{base}"><base href="/later/"><a href="x">x</a>') == [url]


def test_without_a_url_only_absolute_links_are_known() -> None:
    assert urls('<a href="/x">1</a><a href="https://b.example/">2</a>', url="") == ["https://b.example/"]


def test_links_that_ask_not_to_be_followed_are_marked() -> None:
    found = find_links(parse('<a rel="noopener NOFOLLOW" href="/a">1</a><a rel="next" href="/b">2</a>', URL))
    assert found.nofollow == {"https://a.example/a"}
    assert not found.closed


@pytest.mark.parametrize(
    ("content", "closed"),
    [
        ("nofollow", True),
        ("NoIndex,NoFollow", True),
        ("none", True),
        ("index, follow", False),
        ("noindex", False),
    ],
)
def test_a_page_may_ask_that_no_link_be_followed(content: str, closed: bool) -> None:
    html = f'<meta name="Robots" content="{content}"><a href="/a">1</a>'
    assert find_links(parse(html, URL)).closed is closed


def test_a_page_of_very_many_links_is_cut_and_says_so() -> None:
    found = find_links(parse("".join(f"<a href=/{n}>x</a>" for n in range(MAX_LINKS + 5)), URL))
    assert found.cut
    assert len(found.urls) == MAX_LINKS


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 50_000 + "<a href=/x>y</a>",
        "<a href=/x>" * 20_000,
        '<a href="/x' + "y" * 1_000_000 + '">long</a><a href=/x>y</a>',
        "<a href='/x\x00'>nul</a><a href=/x>y</a>",
        "<a href='/\ud800'>surrogate</a><a href=/x>y</a>",
        "<svg><a href=/x>y</a></svg>",
    ],
)
def test_hostile_pages_are_read_as_far_as_they_go(html: str) -> None:
    assert "https://a.example/x" in urls(html)


@given(
    st.sampled_from(
        ["", "/", ".", "..", "a", "http:", "https://b.example", "//", "?", " ", "\t", "\\", "%2e", ":"]
    ),
    st.text(alphabet="ab/.?#:%\\ \t&=@[]é", max_size=12),
    st.sampled_from(
        [URL, "http://a.example", "http://a.example/", "http://a.example/x/?q=/y/z", "http://[::1]:8/a/b"]
    ),
)
def test_shared_bases_resolve_links_as_the_page_itself_does(start: str, rest: str, page: str) -> None:
    document = parse("<a>x</a>", page)
    element = document.document.select_one("a")
    assert element is not None
    element.attrs["href"] = start + rest
    wanted = resolve(start + rest, page) if start + rest and (start + rest)[0] != "#" else None
    assert list(find_links(document).urls) == ([wanted] if wanted else [])


@given(st.text(), st.text())
def test_no_page_makes_it_fail(html: str, href: str) -> None:
    for url in urls(f"<base href='{href}'>{html}<a href='{href}'>x</a>"):
        assert url.startswith(("http://", "https://"))
