from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher
from threadmill.crawl.fetch.connection import RawResponse
from threadmill.crawl.fetch.target import RequestTarget
from threadmill.crawl.fetch.transport import Departure
from threadmill.errors import UnknownHostError
from threadmill.sites.collect.fetch_sites import (
    FetchLimits,
    HomeLinks,
    fetch_site,
    fetch_sites,
    find_home_links,
    rank_for_identity,
    rank_for_text,
    shared_hosts,
)
from threadmill.sites.model import CollectedSite, ReadOutcome
from threadmill.sites.read.read_site import read_site
from threadmill.sites.read.site_page import read_page
from threadmill.types import Capture

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_LINKED_HOME = (
    "<link rel=stylesheet href=/style.css><a href=/about.html>About</a><a href=/~b/x.html>B</a>"
    "<a href=team.html>Team</a><p class=gone>Secret words.</p><p>Bread and rolls from our own oven.</p>"
)


def capture(url: str) -> Capture:
    return Capture(url, _AT, 200, (("Content-Type", "text/html"),), _LINKED_HOME.encode())


def leads(url: str, *, alone: bool = True) -> HomeLinks:
    return find_home_links(capture(url), alone=alone)


def test_a_site_that_shares_its_host_is_only_what_lies_under_its_path() -> None:
    found = leads("http://uni.test/~a/", alone=False)
    assert [url for url, _ in found.links] == ["http://uni.test/~a/team.html"]
    assert found.pictures == []


def test_in_a_local_mirror_links_from_the_root_stay_with_their_site() -> None:
    for home in ("http://127.0.0.1:8899/kern.test/", "http://127.0.0.1:8899/kern.test/index.html"):
        assert "http://127.0.0.1:8899/kern.test/about.html" in [url for url, _ in leads(home).links]


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


_HOME = """<title>Kern</title><p>Bread</p><a href=/news>News</a><a href=/ueber-uns.html>Wir</a>
<a href=/datenschutz>Datenschutz</a><a href=/impressum>Impressum</a><a href=http://else.test/about>About</a>"""


class Pages:
    """A web of a few pages."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages = pages
        self.asked: list[str] = []
        self.types = {"txt": "text/plain", "css": "text/css", "png": "image/png", "pdf": "application/pdf"}

    async def exchange(
        self,
        target: RequestTarget,
        head: bytes,  # noqa: ARG002
        max_body: int,  # noqa: ARG002
        departure: Departure,  # noqa: ARG002
    ) -> RawResponse:
        self.asked.append(target.url)
        if target.host == "dead.test":
            raise UnknownHostError("there is no host dead.test")
        html = self.pages.get(target.url)
        kind = (("Content-Type", self.types.get(target.url.rpartition(".")[2], "text/html")),)
        return (
            RawResponse(200, "OK", kind, html.encode()) if html else RawResponse(404, "Not Found", kind, b"")
        )

    async def close(self) -> None:
        pass


QUICK = override(override(Settings(), "crawl", delay=0.0), "fetch", retry_seconds=0.01)


def fetch(web: Pages, *urls: str) -> dict[str, CollectedSite]:
    async def work() -> dict[str, CollectedSite]:
        async with Fetcher(QUICK, transport=web) as fetcher:
            return {
                found.url: found
                async for found in fetch_sites(fetcher, urls, FetchLimits(pages=1, identity=1))
            }

    return asyncio.run(work())


def test_company_pages_come_before_news_and_legal_pages_serve_as_evidence_only() -> None:
    pages = {
        f"http://kern.test/{name}": "<p>x" for name in ("news", "ueber-uns.html", "datenschutz", "impressum")
    }
    web = Pages({"http://kern.test/": _HOME, **pages})
    found = fetch(web, "http://kern.test/")["http://kern.test/"]
    assert [page.url for page in found.pages] == ["http://kern.test/", "http://kern.test/ueber-uns.html"]
    assert [page.url for page in found.legal] == ["http://kern.test/impressum"]
    assert not any("else.test" in url for url in web.asked)


def test_a_dead_or_forbidden_site_says_so_and_holds_up_nobody() -> None:
    web = Pages({"http://shy.test/robots.txt": "User-agent: *\nDisallow: /\n", "http://kern.test/": _HOME})
    found = fetch(web, "http://dead.test/", "http://shy.test/", "http://kern.test/")
    assert read_site(found["http://dead.test/"]).outcome is ReadOutcome.DEAD
    assert read_site(found["http://shy.test/"]).outcome is ReadOutcome.FORBIDDEN
    assert found["http://kern.test/"].pages


HOME = "http://kern.test/"


def collect_one(
    web: Pages, url: str = HOME, limits: FetchLimits | None = None, alone: bool = True
) -> CollectedSite:
    async def work() -> CollectedSite:
        async with Fetcher(QUICK, transport=web) as fetcher:
            return await fetch_site(fetcher, url, limits or FetchLimits(), alone=alone)

    return asyncio.run(work())


def requested(web: Pages) -> list[str]:
    return [url for url in web.asked if not url.endswith("robots.txt")]


def test_a_site_without_a_usable_home_page_says_why() -> None:
    assert collect_one(Pages({})) == CollectedSite(HOME, failure="404")
    assert collect_one(Pages({}), "http://kern.test/x.pdf").failure == "404"
    plain = Pages({"http://kern.test/x.pdf": "%PDF"})
    assert collect_one(plain, "http://kern.test/x.pdf").failure == "no page but application/pdf"
    assert collect_one(Pages({}), "no URL").failure == "bad URL"
    dead = collect_one(Pages({}), "http://dead.test/")
    assert dead.failure
    assert not dead.forbidden


@pytest.mark.parametrize(
    ("status", "forbidden"), [(401, True), (403, True), (451, True), (500, False), (400, False)]
)
def test_a_server_that_refuses_us_forbids_its_site(status: int, forbidden: bool) -> None:
    class Refusing(Pages):
        async def exchange(
            self, target: RequestTarget, head: bytes, max_body: int, departure: Departure
        ) -> RawResponse:
            if target.url.endswith("robots.txt"):
                return await super().exchange(target, head, max_body, departure)
            return RawResponse(status, "No", (("Content-Type", "text/html"),), b"<p>No")

    found = collect_one(Refusing({}))
    assert (found.failure, found.forbidden) == (str(status), forbidden)


def test_an_empty_answer_is_no_content() -> None:
    class Silent(Pages):
        async def exchange(
            self,
            target: RequestTarget,  # noqa: ARG002
            head: bytes,  # noqa: ARG002
            max_body: int,  # noqa: ARG002
            departure: Departure,  # noqa: ARG002
        ) -> RawResponse:
            return RawResponse(200, "OK", (("Content-Type", "text/html"),), b"")

    assert collect_one(Silent({})) == CollectedSite(HOME, failure="no content")


LINKS = "".join(f"<a href=/about{number}>About {number}</a>" for number in range(7))
LEGAL = "".join(f"<a href=/{name}>{name}</a>" for name in ("impressum", "kontakt", "privacy"))
RICH = (
    "<title>Kern</title><link rel=icon href=/i.png><img src=/logo.png>"
    + "".join(f"<link rel=stylesheet href=/s{number}.css>" for number in range(4))
    + LINKS
    + LEGAL
)


def rich_web() -> Pages:
    pages = {f"http://kern.test/about{number}": "<p>x" for number in range(7)}
    pages |= {f"http://kern.test/{name}": "<p>y" for name in ("impressum", "kontakt", "privacy")}
    pages |= {f"http://kern.test/s{number}.css": "p{}" for number in range(4)}
    pages |= {"http://kern.test/i.png": "icon", "http://kern.test/logo.png": "logo"}
    return Pages({HOME: RICH, **pages})


def test_five_pages_two_legal_pages_two_pictures_and_three_sheets_are_fetched() -> None:
    found = collect_one(rich_web())
    assert [page.url for page in found.pages] == [HOME, *(f"{HOME}about{number}" for number in range(5))]
    assert [page.url for page in found.legal] == [f"{HOME}impressum", f"{HOME}kontakt"]
    assert [picture.payload for picture in found.pictures] == [b"icon", b"logo"]
    assert [sheet.url for sheet in found.sheets] == [f"{HOME}s{number}.css" for number in range(3)]
    assert (found.url, found.failure, found.forbidden) == (HOME, "", False)


def test_limits_are_kept_and_nothing_more_is_requested() -> None:
    web = rich_web()
    collect_one(web, limits=FetchLimits(pages=1, identity=1, pictures=1, sheets=0))
    assert requested(web) == [HOME, f"{HOME}about0", f"{HOME}impressum", f"{HOME}i.png"]


def test_what_is_no_page_no_picture_or_no_sheet_is_left_out() -> None:
    home = (
        "<title>Kern</title><link rel=icon href=/icon><img src=/logo.png><link rel=stylesheet href=/s.png>"
        "<a href=/about.css>About</a><a href=/about2>About</a><a href=/impressum.css>Impressum</a>"
    )
    pages = {
        HOME: home,
        f"{HOME}icon": "<p>an error page",
        f"{HOME}logo.png": "x" * 300_001,
        f"{HOME}s.png": "x",
        f"{HOME}impressum.css": "x",
    }
    found = collect_one(Pages(pages))
    assert [page.url for page in found.pages] == [HOME]
    assert (found.legal, found.pictures, found.sheets) == ((), (), ())


def test_a_picture_of_just_the_largest_size_is_kept() -> None:
    pages = {HOME: "<img src=/logo.png>", f"{HOME}logo.png": "x" * 300_000}
    assert len(collect_one(Pages(pages)).pictures) == 1


def test_a_page_wanted_for_its_text_is_not_fetched_again_for_identity() -> None:
    web = Pages({HOME: "<a href=/kontakt-team>Team</a>", f"{HOME}kontakt-team": "<p>x"})
    found = collect_one(web)
    assert len(found.pages) == 2
    assert requested(web).count(f"{HOME}kontakt-team") == 1


@pytest.mark.parametrize(
    "refresh",
    [
        "<meta http-equiv=refresh content='0; url=/start'>",
        '<META HTTP-EQUIV="Refresh" CONTENT="5;URL=\'http://kern.test/start\'">',
    ],
)
def test_a_home_page_that_only_sends_the_browser_on_is_followed(refresh: str) -> None:
    found = collect_one(Pages({HOME: refresh, f"{HOME}start": "<p>Bread"}))
    assert [page.url for page in found.pages] == [f"{HOME}start"]


@pytest.mark.parametrize(
    "html",
    [
        "<meta http-equiv=refresh content='30'><p>x",
        "<meta http-equiv=refresh content='0; url=/'><p>x",
        "<p>Our refresh tokens",
        " " * 20_000 + "<meta http-equiv=refresh content='0; url=/start'>",
    ],
)
def test_other_pages_send_nobody_on(html: str) -> None:
    web = Pages({HOME: html, f"{HOME}start": "<p>Bread"})
    assert [page.url for page in collect_one(web).pages] == [HOME]
    assert f"{HOME}start" not in web.asked


def test_a_site_that_is_not_alone_keeps_to_its_path() -> None:
    web = Pages(
        {
            "http://kern.test/a/": "<a href=/about>About</a><a href=team>Team</a>",
            "http://kern.test/a/team": "<p>x",
        }
    )
    found = collect_one(web, "http://kern.test/a/", alone=False)
    assert [page.url for page in found.pages] == ["http://kern.test/a/", "http://kern.test/a/team"]


def test_hosts_with_several_sites_are_shared() -> None:
    urls = ["http://uni.test/~a/", "HTTP://UNI.test/~b/", "http://kern.test/", "nonsense", "nonsense"]
    assert shared_hosts(urls) == {"uni.test"}


def test_no_more_sites_than_asked_for_are_fetched_at_a_time() -> None:
    class Counting(Pages):
        running = most = 0

        async def exchange(
            self, target: RequestTarget, head: bytes, max_body: int, departure: Departure
        ) -> RawResponse:
            self.running += 1
            self.most = max(self.most, self.running)
            await asyncio.sleep(0.005)
            self.running -= 1
            return await super().exchange(target, head, max_body, departure)

    web = Counting({f"http://s{number}.test/": "<p>x" for number in range(9)})

    async def work() -> list[str]:
        async with Fetcher(QUICK, transport=web) as fetcher:
            found = fetch_sites(fetcher, [f"http://s{number}.test/" for number in range(9)], together=3)
            return [site.url async for site in found]

    assert sorted(asyncio.run(work())) == [f"http://s{number}.test/" for number in range(9)]
    assert web.most == 3


def test_sites_that_share_a_host_are_told_apart_in_a_list() -> None:
    pages = {
        "http://uni.test/a/": "<a href=/b/x>B</a>",
        "http://uni.test/b/": "<p>y",
        "http://uni.test/b/x": "<p>z",
    }
    found = fetch(Pages(pages), "http://uni.test/a/", "http://uni.test/b/")
    assert len(found["http://uni.test/a/"].pages) == 1
    alone = fetch(Pages(pages), "http://uni.test/a/")
    assert len(alone["http://uni.test/a/"].pages) == 2


def test_answers_are_kept() -> None:
    kept: list[str] = []

    async def work() -> None:
        async with Fetcher(
            override(Settings(), "crawl", delay=0.0), transport=Pages({HOME: _HOME})
        ) as fetcher:
            await fetch_site(fetcher, HOME, FetchLimits(), lambda answer: kept.append(answer.capture.url))

    asyncio.run(work())
    assert HOME in kept


class EndlessHome(Pages):
    """A web whose pages never end."""

    async def exchange(
        self, target: RequestTarget, head: bytes, max_body: int, departure: Departure
    ) -> RawResponse:
        answer = await super().exchange(target, head, max_body, departure)
        return replace(answer, truncated="length", flaw="too-large") if answer.status == 200 else answer


def test_a_home_page_without_end_is_truncated_and_not_ok() -> None:
    found = fetch(EndlessHome({"http://kern.test/": _HOME}), "http://kern.test/")["http://kern.test/"]
    assert found.failure == "truncated"
    assert read_site(found).outcome is not ReadOutcome.OK


def test_a_site_does_not_fill_the_memory() -> None:
    long = "<p>" + "x" * 3_000_000
    pages = {f"http://kern.test/{name}": long for name in ("news", "ueber-uns.html", "impressum")}
    web = Pages({"http://kern.test/": _HOME + long, **pages})
    found = fetch(web, "http://kern.test/")["http://kern.test/"]
    assert [len(page.payload) for page in (*found.pages, *found.legal)] == [2_000_000] * 3


def test_where_no_link_leads_on_the_usual_addresses_of_an_imprint_are_tried_until_one_answers() -> None:
    home = '<html lang="de"><title>Kern</title><p>Brot</p>'
    web = Pages({"http://kern.test/": home, "http://kern.test/impressum": "<p>Kern, Tel. 030 2093 7841"})
    found = fetch(web, "http://kern.test/")["http://kern.test/"]
    assert [page.url for page in found.legal] == ["http://kern.test/impressum"]
    asked = [url for url in web.asked if url != "http://kern.test/robots.txt"]
    assert asked[-2:] == ["http://kern.test/impressum", "http://kern.test/favicon.ico"]  # no more tries
