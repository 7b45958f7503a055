import pytest

from threadmill.crawl.frontier.scope import TOO_DEEP, CrawlScope
from threadmill.urls import Scope

SEED = "http://www.example.org:8080/docs/start.html"


@pytest.mark.parametrize(
    ("scope", "url", "objection"),
    [
        (Scope.HOST, "http://www.example.org:8080/elsewhere", ""),
        (Scope.HOST, "https://example.org:8080/", ""),
        (Scope.HOST, "http://www.example.org:9090/docs/", "out of scope"),
        (Scope.HOST, "http://wiki.example.org:8080/", "out of scope"),
        (Scope.SITE, "http://wiki.example.org/", ""),
        (Scope.SITE, "http://example.com/", "out of scope"),
        (Scope.PREFIX, "http://www.example.org:8080/docs/deeper/x", ""),
        (Scope.PREFIX, "http://www.example.org:8080/other", "out of scope"),
        (Scope.HOST, "http://www.example.org:8080/photo.JPG", "media"),
        (Scope.HOST, "http://www.example.org:8080/film.mp4?t=1", "media"),
        (Scope.HOST, "http://www.example.org:8080/paper.pdf", ""),
        (Scope.HOST, "http://www.example.org:8080/logout", "logs out"),
        (Scope.HOST, "http://www.example.org:8080/ucp.php?mode=logout&k=1", "logs out"),
        (Scope.HOST, "http://www.example.org:8080/account/sign-out/", "logs out"),
        (Scope.HOST, "http://www.example.org:8080/t/logout-problem-12", ""),
        (Scope.HOST, "http://www.example.org:8080/show.php?file=a.jpg", ""),
        (Scope.HOST, "http://www.example.org:8080/a/b/a/b/a/b/a/b", "trap: repeating path"),
    ],
)
def test_a_url_is_let_in_or_left_out_for_a_reason(scope: Scope, url: str, objection: str) -> None:
    assert CrawlScope(SEED, scope).reason_to_skip(url, 1) == objection


def test_what_is_too_deep_is_left_out_last_so_that_a_deeper_run_can_take_it_up() -> None:
    territory = CrawlScope(SEED, Scope.HOST, max_depth=2)
    assert territory.reason_to_skip(SEED, 2) == ""
    assert territory.reason_to_skip(SEED, 3) == TOO_DEEP
    assert territory.reason_to_skip("http://example.com/", 3) == "out of scope"


def test_an_address_of_version_6_has_a_port_or_none() -> None:
    assert CrawlScope("http://[::1]/", Scope.HOST).reason_to_skip("http://[::1]/x", 1) == ""
    assert CrawlScope("http://[::1]:80801/", Scope.HOST).reason_to_skip("http://[::1]/x", 1) == "out of scope"
