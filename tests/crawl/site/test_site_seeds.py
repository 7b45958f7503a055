import gzip
from pathlib import Path

from tests.servers.sites import Reply, SiteServer, page
from threadmill.config import override
from threadmill.crawl.site.site_crawl import crawl_site
from threadmill.urls import Scope
from threadmill.workspace import Workspace, open_workspace

XML = {"Content-Type": "application/xml"}


def workspace(root: Path, **crawl: object) -> Workspace:
    opened = open_workspace(root, create=True)
    settings = override(opened.settings, "crawl", delay=0.0, **crawl)
    return Workspace(opened.root, override(settings, "fetch", retries=0))


def urlset(*urls: str) -> bytes:
    places = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'.encode()


def make_site(server: SiteServer) -> None:
    """A page nobody links to stands in a gzipped sitemap, another in a feed, both behind an index."""
    index = "".join(
        f"<sitemap><loc>{server.url(path)}</loc></sitemap>"
        for path in ("/a.xml.gz", "/feed.rss", "/gone.xml")
    )
    feed = f"<rss><channel><item><link>{server.url('/news')}</link></item></channel></rss>"
    server.pages |= {
        "/robots.txt": Reply(
            f"Sitemap: {server.url('/index.xml')}\n".encode(), 200, {"Content-Type": "text/plain"}
        ),
        "/index.xml": Reply(f"<sitemapindex>{index}</sitemapindex>".encode(), 200, XML),
        "/a.xml.gz": Reply(
            gzip.compress(urlset(server.url("/island"), "http://elsewhere.example/")), 200, XML
        ),
        "/feed.rss": Reply(feed.encode(), 200, XML),
        "/": page("/near"),
        "/near": page(),
        "/island": page("/islet"),
        "/islet": page(),
        "/news": page(),
    }


def test_pages_that_only_sitemaps_and_feeds_tell_of_are_fetched(tmp_path: Path) -> None:
    with SiteServer({}) as server:
        make_site(server)
        crawl_site(workspace(tmp_path / "w", sitemaps=True), server.url(), Scope.HOST)
        assert {"/", "/near", "/island", "/islet", "/news"} <= set(server.log)


def test_without_being_asked_no_sitemap_is_read(tmp_path: Path) -> None:
    with SiteServer({}) as server:
        make_site(server)
        crawl_site(workspace(tmp_path / "w"), server.url(), Scope.HOST)
        assert sorted(server.log) == ["/", "/near"]


def test_a_second_run_fetches_nothing_again(tmp_path: Path) -> None:
    with SiteServer({}) as server:
        make_site(server)
        for _ in range(2):
            crawl_site(workspace(tmp_path / "w", sitemaps=True), server.url(), Scope.HOST)
        assert server.log.count("/island") == 1
        assert server.log.count("/news") == 1
