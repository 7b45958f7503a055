from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import pytest

from threadmill.sites.model import CollectedSite, CompanySite, ReadOutcome, SiteFacts
from threadmill.sites.read.read_site import (
    domain_of,
    find_shared_facts,
    label_of,
    pages_of,
    read_site,
    sketch_of,
)
from threadmill.types import Capture

TEXT = (
    "Our bakers make bread, rolls and cakes by hand every morning, with flour from the mill next door. " * 3
)
URL = "http://kern-bakery.org/"


def capture(url: str, html: str | bytes, kind: str = "text/html; charset=utf-8") -> Capture:
    payload = html.encode() if isinstance(html, str) else html
    return Capture(url, datetime(2026, 1, 1, tzinfo=UTC), 200, (("Content-Type", kind),), payload)


def read(html: str, *more: str, **others: object) -> CompanySite:
    pages = [capture(URL, f"<title>Kern</title><p>{TEXT}</p>{html}")]
    pages += [capture(f"{URL}{number}", page) for number, page in enumerate(more)]
    return read_site(CollectedSite(URL, tuple(pages), **others))  # type: ignore[arg-type]


def facts(html: str, *more: str, **others: object) -> SiteFacts:
    return read(html, *more, **others).facts


def domains(found: SiteFacts) -> set[str]:
    return {value for kind, value in found.keys if kind == "domain"}


def test_a_site_without_a_home_page_is_dead_or_forbidden_and_says_why() -> None:
    assert read_site(CollectedSite(URL, failure="no host")) == CompanySite(URL, ReadOutcome.DEAD, "no host")
    found = read_site(CollectedSite(URL, failure="robots.txt", forbidden=True))
    assert found == CompanySite(URL, ReadOutcome.FORBIDDEN, "robots.txt")


def test_a_placeholder_is_read_no_further() -> None:
    home = capture(URL, "<p>This domain is for sale. Call 030 2093 7841.")
    found = read_site(CollectedSite(URL, (home, home)))
    assert (found.outcome, found.pages) == (ReadOutcome.PARKED, 1)
    assert "for sale" in found.reason
    assert found.facts == SiteFacts()


def test_a_site_has_language_keywords_and_pages() -> None:
    found = read("", f"<p>{TEXT}</p>")
    assert (found.outcome, found.reason, found.language, found.pages) == (ReadOutcome.OK, "", "en", 2)
    assert found.keywords["bread"] == 6


def test_legal_pages_give_contact_data_and_links_but_no_words_and_no_names() -> None:
    legal = capture(
        f"{URL}legal",
        "<title>Xylophon</title><p>Zimtstern Tel. 030 2093 7841</p><a href='http://friend.net/'>F</a>",
    )
    found = facts("", legal=(legal,))
    assert ("phone", "20937841") in found.keys
    assert "friend.net" in found.links
    assert ("title", "xylophon") not in found.keys
    assert ("title", "kern") in found.keys


def test_the_mail_domain_is_a_fact_of_a_site() -> None:
    found = facts("<p>office@kern-mill.net</p><p>kern@gmail.com</p>")
    assert {key for key in found.keys if "mail" in key[0]} == {
        ("e-mail", "office@kern-mill.net"),
        ("mail domain", "kern-mill.net"),
        ("e-mail", "kern@gmail.com"),
    }


def test_accounts_in_the_markup_and_linked_profiles_are_facts() -> None:
    found = facts(
        "<script>ga('create', 'UA-4826091-1')</script><a href='https://facebook.com/kernbakery'>f</a>"
    )
    assert ("account", "Google Analytics UA-4826091") in found.keys
    assert ("profile", "facebook kernbakery") in found.keys


@pytest.mark.parametrize(
    "html",
    [
        '<link rel=canonical href="http://www.kern-mill.net/a">',
        '<meta property="og:url" content=" https://kern-mill.net/ ">',
        '<link rel=alternate hreflang=de href="https://de.kern-mill.net/">',
        '<meta name="twitter:url" content="https://kern-mill.net/">',
        '<base href="https://kern-mill.net/">',
        '<script type="application/ld+json">{"url": "https://kern-mill.net/"}</script>',
        '<script type="application/ld+json">{"@id": "https://kern-mill.net/#org"}</script>',
    ],
)
def test_a_page_states_its_own_domain_in_many_ways(html: str) -> None:
    assert domains(facts(html)) == {"kern-mill.net"}


def test_a_feed_a_list_as_address_or_a_path_state_no_domain() -> None:
    assert domains(facts('<link rel=alternate href="http://kern-mill.net/feed">')) == set()
    assert domains(facts('<link rel=canonical href="/a">')) == set()
    assert (
        domains(facts('<script type="application/ld+json">{"url": ["https://kern-mill.net/"]}</script>'))
        == set()
    )


def test_a_redirect_makes_the_target_an_own_domain() -> None:
    home = capture("http://kern-mill.net/", f"<title>Kern</title><p>{TEXT}</p>")
    found = read_site(CollectedSite(URL, (home,))).facts
    assert domains(found) == {"kern-mill.net"}
    assert found.domain == "kern-bakery.org"
    assert domains(facts("")) == set()


def test_the_store_of_a_picture_is_an_own_domain_only_if_the_site_links_or_writes_from_it() -> None:
    image = '<meta property="og:image" content="https://img.kern-mill.net/x.jpg">'
    alone = facts(image)
    assert domains(alone) == set()
    assert alone.links == {"kern-mill.net"}
    assert domains(facts(f"{image}<a href='http://kern-mill.net/'>x</a>")) == {"kern-mill.net"}
    assert domains(facts(f"{image}<p>office@kern-mill.net</p>")) == {"kern-mill.net"}
    logo = '<script type="application/ld+json">{"logo": "https://kern-mill.net/l.png"}</script>'
    assert domains(facts(f"{logo}<p>office@kern-mill.net</p>")) == {"kern-mill.net"}


def test_links_to_pictures_and_to_makers_are_no_links_of_the_site() -> None:
    found = facts(
        "<a href='http://friend.net/'>x</a><a href='http://photos.net/a.JPG?x'>y</a>"
        "<a href='http://mine.net/jpg'>z</a>"
        "<p>Webdesign: <a href='http://maker.net/'>Nordlicht</a></p>"
    )
    assert found.links == {"friend.net", "mine.net"}


def test_the_digest_of_a_picture_is_a_key_unless_it_is_tiny() -> None:
    large, tiny = b"x" * 100, b"y" * 99
    pictures = tuple(capture(f"{URL}i", data, "image/png") for data in (large, tiny))
    found = facts("", pictures=pictures)
    assert {key for key in found.keys if key[0] == "picture"} == {
        ("picture", hashlib.sha1(large).hexdigest())
    }


def test_names_of_pictures_are_facts_without_generic_ones() -> None:
    found = facts(
        "<img src='/a/Oven-2019.JPG?x=1'><img data-src='b/team.jpg'><img src=logo.png>"
        "<img src='data:image/x.y'>"
        "<img src='/noending'><source srcset='/c/mill.webp 2x'><img src='img_0042.jpg'>",
        "<img src=second.png>",
    )
    assert found.pictures == {"oven-2019.jpg", "mill.webp", "second.png"}


def test_class_names_and_ids_of_the_first_two_pages_are_facts() -> None:
    found = facts("<div class='a b' id=main></div>", "<p class=c>", "<p class=d>")
    assert found.template == sketch_of(["a", "b", "#main", "c"])
    many = [f"k{number}" for number in range(9)]
    assert facts(f"<p class='{' '.join(many)}'>").template == sketch_of(many[:8])


def test_a_sketch_is_small_and_the_same_for_the_same_names() -> None:
    names = [f"class-{number}" for number in range(500)]
    assert sketch_of(names) == sketch_of(reversed(names))
    assert len(sketch_of(names)) == 64
    assert set(sketch_of(names)) & set(sketch_of([*names, "one-more"]))


def test_style_sheets_of_the_home_page_hide_words() -> None:
    sheet = capture(f"{URL}s.css", ".gone{display:none}", "text/css")
    html = "<p class=gone>Zimtstern 030 2093 7841</p>"
    assert "zimtstern" in read(html).keywords
    assert "zimtstern" not in read(html, sheets=(sheet,)).keywords


def test_each_key_is_kept_with_the_first_page_that_has_it() -> None:
    found = facts("", "<p>Tel. 030 2093 7841</p>", "<p>call: Tel. 030 20937841</p>")
    [phone] = [fact for fact in found.found if fact.kind == "phone"]
    assert (phone.page, phone.written) == (f"{URL}0", "030 2093 7841")
    assert {fact.key for fact in found.found} == {key for key in found.keys if "sound" not in key[0]}


def test_the_first_part_of_a_domain_is_a_label() -> None:
    assert label_of("shop.kern-mill.co.uk") == "kern-mill"
    assert label_of("abc.de") == ""
    assert label_of("facebook.com") == ""
    assert ("label", "kern-mill") in facts("<p>office@kern-mill.net</p>").keys


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("http://www.kern.co.uk/a", "kern.co.uk"),
        ("https://kern.at", "kern.at"),
        ("ftp://kern.at/", ""),
        ("mailto:a@kern.at", ""),
        ("http://localhost/", ""),
        ("http://127.0.0.1:80/", ""),
        ("http://fonts.adobe.com/", ""),
        ("http://[broken", ""),
        ("", ""),
    ],
)
def test_the_domain_of_an_address_is_the_registrable_one(url: str, domain: str) -> None:
    assert domain_of(url) == domain


def plain_page(url: str, text: str) -> Capture:
    html = f"<html><title>page</title><body><p>{text}</p></body></html>".encode()
    return Capture(url, datetime(2026, 1, 1, tzinfo=UTC), 200, (("content-type", "text/html"),), html, "test")


def test_shared_facts_are_found_with_their_pages() -> None:
    one = CollectedSite(
        "http://kern.test/",
        (
            plain_page("http://kern.test/", "welcome"),
            plain_page("http://kern.test/about", "info@kern-huber.test"),
        ),
        (plain_page("http://kern.test/imprint", "Tel. +49 30 2287431, info@kern-huber.test"),),
    )
    other = CollectedSite(
        "http://huber.test/",
        (plain_page("http://huber.test/", 'Tel. +49 30 2287431 <a href="http://kern.test/">Kern</a>'),),
    )
    found = {fact.kind: fact for fact in find_shared_facts(one, other)}
    assert found["phone"].one == (2,)
    assert found["phone"].other == (0,)
    assert found["link to the other site"].other == (0,)
    assert "e-mail" not in found
    assert [page.url for page in pages_of(one)][2] == "http://kern.test/imprint"


def test_sites_that_share_nothing_have_no_facts() -> None:
    one = CollectedSite("http://a.test/", (plain_page("http://a.test/", "nothing here"),))
    assert find_shared_facts(one, CollectedSite("http://b.test/")) == []


def test_a_domain_has_an_ending_without_a_hyphen() -> None:
    assert domain_of("https://www.kern.atabout-us/") == ""
    assert domain_of("https://www.kern.xn--p1ai/") == "kern.xn--p1ai"


def mentions(found: SiteFacts) -> dict[str, bool]:
    return {fact.written: fact.is_mention for fact in found.found if fact.kind == "phone"}


def test_numbers_in_an_article_are_mentions_and_those_around_it_are_not() -> None:
    published = "<meta property='article:published_time' content='2024-01-01'>"
    found = facts(f"{published}<p>The mayor: Tel. 030 2093 7841</p><footer>Tel. 030 2093 7842</footer>")
    assert mentions(found) == {"030 2093 7841": True, "030 2093 7842": False}


def test_a_number_that_another_page_has_as_its_own_is_no_mention() -> None:
    published = "<meta property='article:published_time' content='2024-01-01'>"
    found = facts(f"{published}<p>Tel. 030 2093 7841</p>", "<p>Tel. 030 2093 7841</p>")
    assert mentions(found) == {"030 2093 7841": False}


def test_numbers_in_long_lines_and_in_titles_are_mentions() -> None:
    found = facts(
        f"<p>{TEXT} Tel. 030 2093 7841</p><p>{TEXT} Tel. 030 2093 7842, info@kern-bakery.org</p>"
        f"<p>{TEXT}</p><p>Tel. 030 2093 7843</p><p><a href='/post'>Call 030 2093 7844 for bread</a></p>"
    )
    assert [mentions(found)[f"030 2093 784{number}"] for number in range(1, 5)] == [True, False, False, True]


def test_an_address_in_a_sentence_is_a_mention() -> None:
    found = facts(
        "<p>We meet on Friday at the inn, Lindenstr. 3, 23552 Lübeck and all of our friends are most welcome."
    )
    assert [fact.is_mention for fact in found.found if fact.kind == "address"] == [True]
    short = facts("<p>Am 8. Juni findet im Buthmanns, Glockengasse 3, 23552 Lübeck statt. Mit dabei: Ann.")
    assert [fact.is_mention for fact in short.found if fact.kind == "address"] == [True]
    own = facts("<p>Kern, Glockengasse 3, 23552 Lübeck tel 030 2093 7841")
    assert [fact.is_mention for fact in own.found if fact.kind == "address"] == [False]


def test_a_profile_in_an_article_is_that_of_others() -> None:
    published = "<meta property='article:published_time' content='2024-01-01'><title>Ann Huber | Kern</title>"
    link = "<a href='https://www.instagram.com/annhuber/'>Ann</a>"
    found = facts(f"{published}<article>{link}</article>")
    assert [fact.is_mention for fact in found.found if fact.kind == "profile"] == [True]
    assert "ann huber" not in found.names
    beside = facts(f"{published}<div>{link}</div>")
    assert [fact.is_mention for fact in beside.found if fact.kind == "profile"] == [False]


def test_mail_is_a_mention_but_in_a_footer_and_on_a_legal_page() -> None:
    legal = (capture(f"{URL}imprint", "<p>Write to c@three.org"),)
    found = facts("<p>Write to a@one.org</p><footer>Write to b@two.org</footer>", legal=legal)
    mail = {fact.value: fact.is_mention for fact in found.found if fact.kind == "e-mail"}
    assert mail == {"a@one.org": True, "b@two.org": False, "c@three.org": False}


def test_a_host_that_begins_with_a_dot_is_no_domain() -> None:
    assert domain_of("http://.kern.test/") == ""


def test_a_word_behind_an_ending_makes_no_domain() -> None:
    assert domain_of("https://extended.kern.educertificates/managers") == ""
    assert domain_of("https://kern.photography/") == "kern.photography"


def test_the_number_of_a_maker_of_goods_is_a_mention() -> None:
    assert mentions(facts("<p>Manufacturer: Support Phone: 030 2093 7841")) == {"030 2093 7841": True}


def test_a_site_tells_which_contact_data_are_those_of_a_template() -> None:
    found = read(
        "<p>Tel. (212) 555-0123, info@example.com</p><script>gtag('config', 'G-XXXXXXXXXX')</script>"
    )
    expected = ("info@example.com", "(212) 555-0123", "Google Analytics 4 G-XXXXXXXXXX")
    assert found.facts.ignored == expected
    assert found.reason == f"placeholder data left out: {', '.join(expected)}"
    assert not {kind for kind, _ in found.facts.keys} & {"phone", "e-mail", "account", "placeholder"}
    assert len(facts("".join(f"<p>Tel. (212) 555-01{number}</p>" for number in range(10, 30))).ignored) == 5


def test_the_address_of_an_offer_is_not_the_sites() -> None:
    offer = '{"@type": "Offer", "url": "https://shop.org/x"}'
    firm = '{"@type": "Organization", "url": "https://kern-mill.org/"}'
    found = facts(f"<script type='application/ld+json'>[{offer}, {firm}]</script>")
    assert domains(found) == {"kern-mill.org"}
