from __future__ import annotations

from datetime import UTC, datetime

from threadmill.sites.collect.home_links import (
    HomeLinks,
    find_home_links,
    rank_for_identity,
    rank_for_text,
)
from threadmill.sites.read.site_page import read_page
from threadmill.types import Capture

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_HOME = (
    "<link rel=stylesheet href=/style.css><a href=/about.html>About</a><a href=/~b/x.html>B</a>"
    "<a href=team.html>Team</a><p class=gone>Secret words.</p><p>Bread and rolls from our own oven.</p>"
)


def capture(url: str) -> Capture:
    return Capture(url, _AT, 200, (("Content-Type", "text/html"),), _HOME.encode())


def leads(url: str, *, alone: bool = True) -> HomeLinks:
    return find_home_links(capture(url), alone=alone)


def test_a_site_that_shares_its_host_is_only_what_lies_under_its_path() -> None:
    found = leads("http://uni.test/~a/", alone=False)
    assert [url for url, _ in found.links] == ["http://uni.test/~a/team.html"]
    assert found.pictures == []


def test_in_a_local_mirror_links_from_the_root_stay_with_their_site() -> None:
    found = leads("http://127.0.0.1:8899/kern.test/")
    assert "http://127.0.0.1:8899/kern.test/about.html" in [url for url, _ in found.links]


def test_a_linked_style_sheet_hides_words_but_not_contact_data() -> None:
    assert leads("http://kern.test/").sheets == ["http://kern.test/style.css"]
    page = read_page(capture("http://kern.test/"), [".gone{display:none}"])
    assert "Secret" not in page.text
    assert "Secret" in page.whole


def test_a_sheet_that_hides_most_of_a_page_is_undone_by_a_script() -> None:
    page = read_page(capture("http://kern.test/"), ["p{display:none}"])
    assert "Bread and rolls" in page.text


def test_links_are_ranked_in_many_languages() -> None:
    links = [
        ("http://a.test/x1", "Galerie"),
        ("http://a.test/x2", "О компании"),
        ("http://a.test/x3", "会社概要"),
    ]
    assert rank_for_text(links)[-1] == "http://a.test/x1"
    assert (
        rank_for_text([("http://a.test/p", "Polityka prywatności"), ("http://a.test/f.pdf", "About")]) == []
    )
    assert rank_for_identity([("http://a.test/k", "Kontakt"), ("http://a.test/i", "Impressum")])[0].endswith(
        "/i"
    )


def links_of(html: str, url: str = "http://kern.test/", *, alone: bool = True) -> HomeLinks:
    return find_home_links(
        Capture(url, _AT, 200, (("Content-Type", "text/html"),), html.encode()), alone=alone
    )


def test_pages_of_the_host_are_listed_once_with_all_their_texts() -> None:
    found = links_of(
        "<a href=/a#top>One</a><a href=/a>Two</a><a href=/>Home</a><a href='http://else.test/b'>B</a>"
        "<a href='http://www.kern.test/c'>C</a><area href=/d><frame src=/e><a href='mailto:x@y.z'>M</a>"
    )
    assert found.links == [
        ("http://kern.test/a", " One Two"),
        ("http://www.kern.test/c", " C"),
        ("http://kern.test/d", " "),
    ]
    long = links_of(f"<a href=/a>{'x' * 150}</a>")
    assert long.links == [("http://kern.test/a", " " + "x" * 100)]


def test_frames_are_links() -> None:
    assert links_of("<frameset><frame src=/main.html></frameset>").links == [
        ("http://kern.test/main.html", " ")
    ]


def test_relative_links_follow_the_base() -> None:
    found = links_of("<base href='http://kern.test/sub/'><a href=a>A</a><link rel=stylesheet href=s.css>")
    assert [url for url, _ in found.links] == ["http://kern.test/sub/a"]
    assert found.sheets == ["http://kern.test/sub/s.css"]


def test_no_more_than_two_thousand_links_are_read() -> None:
    html = "".join(f"<a href=/{number}>x</a>" for number in range(2001))
    assert len(links_of(html).links) == 2000


def test_in_a_mirror_each_site_is_its_folder() -> None:
    found = links_of(
        "<a href=/x>X</a><a href=/kern.test/y>Y</a><a href=//else.test/z>Z</a>",
        "http://localhost:80/kern.test/",
    )
    assert [url for url, _ in found.links] == ["http://localhost/kern.test/x", "http://localhost/kern.test/y"]
    assert found.pictures == []
    root = links_of("<a href=/x>X</a>", "http://127.0.0.1/")
    assert [url for url, _ in root.links] == ["http://127.0.0.1/x"]


def test_the_icon_and_the_logo_are_the_pictures() -> None:
    found = links_of("<link rel='shortcut icon' href=i.ico><img src=x.png><img class=site-logo src=l.png>")
    assert found.pictures == ["http://kern.test/i.ico", "http://kern.test/l.png"]
    assert links_of("<p>x").pictures == ["http://kern.test/favicon.ico"]
    assert links_of("<p>x", alone=False).pictures == []
    assert links_of("<link rel=icon href='data:image/png;base64,x'>").pictures == []


def test_style_sheets_of_the_site_are_found_but_not_those_of_others_or_for_print() -> None:
    found = links_of(
        "<link rel=stylesheet href='http://cdn.kern.test/a.css'><link rel=stylesheet href='http://lib.test/b.css'>"
        "<link rel=stylesheet media=print href=/p.css><link rel=stylesheet href=/c.css>"
    )
    assert found.sheets == ["http://cdn.kern.test/a.css", "http://kern.test/c.css"]
    many = "".join(f"<link rel=stylesheet href=/{number}.css>" for number in range(25))
    assert len(links_of(many).sheets) == 20


def test_a_company_word_in_path_and_text_ranks_a_page_up_and_depth_ranks_it_down() -> None:
    links = [
        ("http://a.test/x", "Something"),
        ("http://a.test/y", "About"),
        ("http://a.test/about", "Something"),
        ("http://a.test/about", "About"),
        ("http://a.test/1/2/3/4/about", "x"),
        ("http://a.test/z?page=2", "Other"),
        ("http://a.test/1/2/3", "Other"),
    ]
    assert rank_for_text(links) == [
        "http://a.test/about",
        "http://a.test/about",
        "http://a.test/y",
        "http://a.test/1/2/3/4/about",
        "http://a.test/x",
        "http://a.test/1/2/3",
        "http://a.test/z?page=2",
    ]


def test_equal_links_stay_in_their_order() -> None:
    links = [(f"http://a.test/{letter}", letter) for letter in "cab"]
    assert rank_for_text(links) == [url for url, _ in links]


def test_imprint_comes_before_contact_and_contact_before_privacy() -> None:
    links = [
        ("http://a.test/1", "Privacy"),
        ("http://a.test/2", "Contact"),
        ("http://a.test/3", "Impressum"),
        ("http://a.test/4", "News"),
        ("http://a.test/impressum.pdf", "PDF"),
        ("http://a.test/kontakt", "Wir"),
    ]
    assert [url[-1] for url in rank_for_identity(links)] == ["3", "2", "t", "1"]


def test_legal_pages_imprints_and_files_are_no_text() -> None:
    links = [
        ("http://a.test/agb", "x"),
        ("http://a.test/a", "Impressum"),
        ("http://a.test/a.JPG", "About"),
        ("http://a.test/b", "x"),
    ]
    assert rank_for_text(links) == ["http://a.test/b"]


def test_short_stems_are_whole_words_and_long_ones_beginnings() -> None:
    # "om" is Swedish for "about"; "omelette" is not.
    assert rank_for_text([("http://a.test/omelette", ""), ("http://a.test/om", "")])[0].endswith("/om")
    assert rank_for_text(
        [("http://a.test/x", ""), ("http://a.test/news", ""), ("http://a.test/companyinfo", "")]
    )[0].endswith("/companyinfo")
    assert rank_for_text([("http://a.test/x", ""), ("http://a.test/our_team", "")])[0].endswith("/our_team")
    assert rank_for_text([("http://a.test/x", ""), ("http://a.test/%C3%BCber-uns", "")])[0].endswith("-uns")
