from datetime import UTC, datetime

from threadmill.sites.model import CollectedSite
from threadmill.sites.read.fact_pages import find_shared_facts, pages_of
from threadmill.types import Capture


def capture(url: str, text: str) -> Capture:
    html = f"<html><title>page</title><body><p>{text}</p></body></html>".encode()
    return Capture(url, datetime(2026, 1, 1, tzinfo=UTC), 200, (("content-type", "text/html"),), html, "test")


def test_shared_facts_are_found_with_their_pages() -> None:
    one = CollectedSite(
        "http://kern.test/",
        (capture("http://kern.test/", "welcome"), capture("http://kern.test/about", "info@kern-huber.test")),
        (capture("http://kern.test/imprint", "Tel. +49 30 2287431, info@kern-huber.test"),),
    )
    other = CollectedSite(
        "http://huber.test/",
        (capture("http://huber.test/", 'Tel. +49 30 2287431 <a href="http://kern.test/">Kern</a>'),),
    )
    found = {fact.kind: fact for fact in find_shared_facts(one, other)}
    assert found["phone"].one == (2,)
    assert found["phone"].other == (0,)
    assert found["link to the other site"].other == (0,)
    assert "e-mail" not in found
    assert [page.url for page in pages_of(one)][2] == "http://kern.test/imprint"


def test_sites_that_share_nothing_have_no_facts() -> None:
    one = CollectedSite("http://a.test/", (capture("http://a.test/", "nothing here"),))
    assert find_shared_facts(one, CollectedSite("http://b.test/")) == []
