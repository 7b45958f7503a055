from __future__ import annotations

from datetime import UTC, datetime

from threadmill.sites.read import site_page
from threadmill.sites.read.site_page import SitePage, read_page
from threadmill.types import Capture


def page(html: str, *sheets: str) -> SitePage:
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    capture = Capture("http://kern.test/a/", datetime(2026, 1, 1, tzinfo=UTC), 200, headers, html.encode())
    return read_page(capture, sheets)


def test_the_title_is_one_line_of_300_characters_at_most() -> None:
    assert page("<title> Kern \n Mill </title>").title == "Kern Mill"
    assert page(f"<title>{'x' * 400}</title>").title == "x" * 300
    assert page("<p>x").title == ""


def test_visible_text_lacks_what_is_hidden_and_the_whole_has_it() -> None:
    found = page("<p>Bread and rolls from our oven.</p><p hidden>Call 123</p><p style='display:none'>Fax</p>")
    assert found.text == "Bread and rolls from our oven."
    assert found.whole == "Bread and rolls from our oven.\nCall 123\nFax"


HTML = "<p class=a>{}</p><p class=b>{}</p><p hidden>secret</p>"


def test_what_a_sheet_hides_is_invisible_unless_it_is_more_than_half_of_the_page() -> None:
    sheet = ".b{display:none}"
    assert page(HTML.format("x" * 20, "y" * 20), sheet).text == "x" * 20
    assert page(HTML.format("x" * 20, "y" * 21), sheet).text == f"{'x' * 20}\n{'y' * 21}"


def test_links_are_absolute_with_their_text() -> None:
    found = page("<a href=team.html> Our \n team</a><a href='mailto:a@b.test'>Mail</a><area href=/map>")
    assert found.links == (
        ("http://kern.test/a/team.html", "Our team"),
        ("mailto:a@b.test", "Mail"),
        ("http://kern.test/map", ""),
    )
    assert page(f"<a href=x>{'y' * 200}</a>").links[0][1] == "y" * 120


def test_links_follow_the_base_of_a_page() -> None:
    assert page("<base href='http://else.test/b/'><a href=c>C</a>").links == (("http://else.test/b/c", "C"),)


def test_links_that_name_the_maker_of_a_site_are_credits() -> None:
    found = page(
        "<p><a href='http://friend.test/'>Friend</a></p>"
        "<p>Webdesign: <a href='http://maker.test/'>Nordlicht</a></p>"
        "<p><a href='http://other.test/'>Webdesign by Other</a></p>"
        "<p><a href='/local'>Webdesign by us</a></p>"
    )
    assert found.credits == {"http://maker.test/", "http://other.test/"}


def test_a_long_line_around_a_link_is_no_credit() -> None:
    long = "We offer webdesign. " * 12
    assert page(f"<p>{long}<a href='http://maker.test/'>Nordlicht</a></p>").credits == frozenset()


def test_only_the_last_links_of_a_page_are_credits() -> None:
    credit = "<p>Webdesign: <a href='http://maker.test/'>Nordlicht</a></p>"
    later = "".join(f"<p><a href='http://x{number}.test/'>x</a></p>" for number in range(40))
    assert page(credit + later).credits == frozenset()
    assert page(credit + later.partition("</p>")[2]).credits == {"http://maker.test/"}


def test_structured_data_are_found_at_every_depth() -> None:
    data = '{"@graph": [{"@type": "Organization", "address": {"url": "x"}}, [{"name": "deep"}], 5]}'
    found = page(
        f"<script type='application/ld+json'>{data}</script><script type='application/ld+json'>no</script>"
    )
    assert len(found.data) == 4
    assert {"name": "deep"} in found.data
    assert {"url": "x"} in found.data


def test_media_and_others_in_structured_data_are_left_out() -> None:
    data = '{"@type": "Article", "image": {"u": "x"}, "author": {"u": "y"}, "a": {"@type": "ImageObject"}}'
    found = page(f"<script type='application/ld+json'>{data}</script>")
    assert [item["@type"] for item in found.data] == ["Article"]


def test_an_article_has_a_text_around_it() -> None:
    body = (
        "<p>Call 030 1 <a href='tel:1'>x</a></p><footer>Call 030 2</footer><div><a href='tel:3'>y</a></div>"
    )
    assert page(body).framing is None
    article = page(f"<meta property='article:published_time' content='2024-01-01'>{body}")
    assert article.framing == "Call 030 2\ntel:3"
    data = '{"@type": ["NewsArticle"]}'
    assert page(f"<script type='application/ld+json'>{data}</script>{body}").framing == article.framing
    assert page('<script type=\'application/ld+json\'>{"@type": "FAQPage"}</script>').framing is None


def test_endless_structured_data_are_cut_off() -> None:
    many = ",".join('{"a": 1}' for _ in range(500))
    assert len(page(f"<script type='application/ld+json'>[{many}]</script>").data) == site_page._MOST_DATA
