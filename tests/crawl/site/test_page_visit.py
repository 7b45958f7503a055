from datetime import UTC, datetime

import pytest

from threadmill.crawl.frontier.frontier import Frontier, Lease
from threadmill.crawl.frontier.scope import CrawlScope
from threadmill.crawl.site.page_visit import URLVisit, VisitJudge
from threadmill.errors import (
    BusyError,
    FetchError,
    FetchTimeoutError,
    RedirectLoopError,
    RobotsForbiddenError,
)
from threadmill.store.crawl.url_queue import UrlState
from threadmill.types import Capture, Exchange
from threadmill.urls import Scope

AT = datetime(2026, 11, 15, tzinfo=UTC)
URL = "http://a.example/x"


def judge(max_depth: int = 0) -> VisitJudge:
    return VisitJudge(Frontier(1), CrawlScope("http://a.example/", Scope.HOST, max_depth))


def lease(tries: int = 0) -> Lease:
    return Lease(1, URL, "a.example", 2, tries)


def arrive(status: int, payload: bytes = b"", *, max_depth: int = 0, **headers: str) -> URLVisit:
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return judge(max_depth).judge_response(lease(), Capture(URL, AT, status, pairs, payload), ())


@pytest.mark.parametrize(
    ("status", "state", "reason", "kind"),
    [
        (200, UrlState.DONE, "", "fetched"),
        (204, UrlState.DONE, "", "fetched"),
        (304, UrlState.DONE, "not modified", "done: not modified"),
        (301, UrlState.DONE, "redirect", "done: redirect"),
        (404, UrlState.FAILED, "404", "failed: 404"),
        (500, UrlState.FAILED, "500", "failed: 500"),
    ],
)
def test_every_status_has_an_outcome(status: int, state: UrlState, reason: str, kind: str) -> None:
    visit = arrive(status)
    assert (visit.outcome.state, visit.outcome.reason, visit.kind) == (state, reason, kind)


def test_a_page_leads_one_level_deeper() -> None:
    visit = arrive(200, b'<a href="/y">y</a><a href="http://b.example/">b</a>', content_type="text/html")
    assert [(lead.url, lead.depth, lead.priority) for lead in visit.links] == [("http://a.example/y", 3, 3)]
    assert visit.left_out == (("http://b.example/", "out of scope"),)


def test_a_page_that_cannot_be_read_is_kept_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise ValueError("nobody reads this")

    monkeypatch.setattr("threadmill.crawl.site.page_visit.parse", fail)
    visit = arrive(200, b"<p>", content_type="text/html")
    assert (visit.outcome.state, visit.flaws, visit.links) == (UrlState.DONE, ("unreadable",), ())


def test_a_redirect_leads_to_the_same_level() -> None:
    (lead,) = arrive(301, location="/y").links
    assert (lead.url, lead.depth) == ("http://a.example/y", 2)


def test_what_is_too_deep_is_kept_for_a_deeper_run() -> None:
    visit = arrive(200, b'<a href="/y">y</a>', max_depth=2, content_type="text/html")
    assert visit.links == ()
    assert [lead.url for lead in visit.too_deep] == ["http://a.example/y"]


@pytest.mark.parametrize(
    ("error", "tries", "state", "due"),
    [
        (RobotsForbiddenError("no"), 0, UrlState.REFUSED, 0.0),
        (RedirectLoopError("no"), 0, UrlState.FAILED, 0.0),
        (FetchTimeoutError("no"), 0, UrlState.WAITING, 1060.0),
        (FetchTimeoutError("no"), 1, UrlState.WAITING, 1240.0),
        (FetchTimeoutError("no"), 2, UrlState.FAILED, 0.0),
        (BusyError("no", retry_in=7.0), 0, UrlState.WAITING, 1007.0),
    ],
)
def test_a_failure_is_final_or_waits_for_its_time(
    error: FetchError, tries: int, state: UrlState, due: float
) -> None:
    outcome = judge().judge_error(lease(tries), error, 1000.0).outcome
    assert (outcome.state, outcome.reason, outcome.due) == (state, error.reason, due)


def test_a_try_does_not_count_while_the_whole_host_fails() -> None:
    error = BusyError("no", retry_in=7.0)
    outcome = judge().judge_error(lease(2), error, 1000.0, host_fails=True).outcome
    assert (outcome.state, outcome.due, outcome.counts) == (UrlState.WAITING, 1007.0, False)


def test_urls_a_redirect_led_through_count_as_fetched() -> None:
    hops = tuple(Exchange(url, AT, b"", 200, "", (), b"") for url in (URL, "http://a.example/y"))
    visit = judge().judge_response(lease(), Capture("http://a.example/y", AT, 200, (), b""), hops)
    assert [lead.url for lead in visit.redirected] == ["http://a.example/y"]
