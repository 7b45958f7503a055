"""Judges one visit to a URL: which state it gets, which links are followed, which are left out and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadmill.crawl.frontier.frontier import FoundURL, Frontier, Lease, LeaseOutcome
from threadmill.crawl.frontier.scope import TOO_DEEP, CrawlScope
from threadmill.errors import FetchError, ForbiddenError, TransientError
from threadmill.page.parse.links import find_links
from threadmill.page.parse.tree import parse
from threadmill.store.crawl.url_queue import UrlState
from threadmill.types import Capture, Exchange
from threadmill.urls import resolve

_HTML = {"text/html", "application/xhtml+xml"}
_REDIRECTS = {301, 302, 303, 307, 308}
# The fetcher itself tries five times within seconds. Then the URL waits a minute, then four, then fails.
_MAX_TRIES = 3
_FIRST_PAUSE = 60.0
_LATER_PAUSE = 4.0

_ChosenLinks = tuple[tuple[FoundURL, ...], tuple[FoundURL, ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class URLVisit:
    """What one leased URL came to."""

    outcome: LeaseOutcome
    exchanges: tuple[Exchange, ...] = ()
    links: tuple[FoundURL, ...] = ()  # found on the page, to be fetched
    too_deep: tuple[FoundURL, ...] = ()  # found on the page, but too deep for this run
    left_out: tuple[tuple[str, str], ...] = ()  # (URL, reason) of links that are not followed
    redirected: tuple[FoundURL, ...] = ()  # targets of redirects, which were claimed and fetched
    page: bool = False  # did it bring a page (status 2xx)
    flaws: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The name under which the visit is counted."""
        reason = self.outcome.reason
        return "fetched" if self.page else f"{self.outcome.state.name.lower()}: {reason or 'no page'}"


class VisitJudge:
    """Judges the responses and errors of one crawl."""

    def __init__(self, frontier: Frontier, scope: CrawlScope) -> None:
        self._frontier = frontier
        self._scope = scope

    def judge_response(
        self, lease: Lease, capture: Capture, exchanges: tuple[Exchange, ...], flaws: tuple[str, ...] = ()
    ) -> URLVisit:
        """Judge a response: a page, a redirect that was not followed, or a failure."""
        redirected = tuple(self._redirect_targets(lease, exchanges))
        status = capture.status
        if 200 <= status < 300:
            links = _find_page_links(capture)
            flaws = flaws if links is not None else (*flaws, "unreadable")
            chosen = self._choose(links or (), lease.depth + 1)
            outcome = LeaseOutcome(lease, UrlState.DONE, ",".join(flaws))
            return URLVisit(outcome, exchanges, *chosen, redirected=redirected, page=True, flaws=flaws)
        if status in _REDIRECTS:
            target = resolve(capture.header("location") or "", capture.url)
            chosen = self._choose((target,) if target else (), lease.depth)
            outcome = LeaseOutcome(lease, UrlState.DONE, "redirect")
            return URLVisit(outcome, exchanges, *chosen, redirected=redirected)
        state, reason = (UrlState.DONE, "not modified") if status == 304 else (UrlState.FAILED, str(status))
        return URLVisit(LeaseOutcome(lease, state, reason), exchanges, redirected=redirected)

    def judge_error(
        self, lease: Lease, error: FetchError, now: float, *, host_fails: bool = False
    ) -> URLVisit:
        """Judge a failed fetch: the URL is refused, waits for another try, or has failed for good.

        A try does not count against a URL while its whole host fails: a busy week would lose its pages.
        """
        outcome = LeaseOutcome(lease, UrlState.FAILED, error.reason)
        if isinstance(error, ForbiddenError):
            outcome = LeaseOutcome(lease, UrlState.REFUSED, error.reason)
        elif isinstance(error, TransientError) and (host_fails or lease.tries + 1 < _MAX_TRIES):
            pause = error.retry_in or _FIRST_PAUSE * _LATER_PAUSE**lease.tries
            outcome = LeaseOutcome(lease, UrlState.WAITING, error.reason, now + pause, counts=not host_fails)
        return URLVisit(outcome, error.exchanges)

    def _redirect_targets(self, lease: Lease, exchanges: tuple[Exchange, ...]) -> Iterator[FoundURL]:
        if len(exchanges) > 1:
            urls = {url for exchange in exchanges if (url := resolve(exchange.url)) and url != lease.url}
            for url in urls:
                yield FoundURL(url, lease.depth, lease.depth)

    def _choose(self, urls: tuple[str, ...], depth: int) -> _ChosenLinks:
        """Sort unknown URLs into those to follow, those too deep, and those left out with their reasons."""
        links: list[FoundURL] = []
        too_deep: list[FoundURL] = []
        left_out: list[tuple[str, str]] = []
        for url in self._frontier.unknown(urls):
            reason = self._scope.reason_to_skip(url, depth)
            if not reason:
                links.append(FoundURL(url, depth, depth))
                continue
            left_out.append((url, reason))
            if reason is TOO_DEEP:
                too_deep.append(FoundURL(url, depth, depth))
        return tuple(links), tuple(too_deep), tuple(left_out)


def _find_page_links(capture: Capture) -> tuple[str, ...] | None:
    """The links of a page. None if the page cannot be read at all."""
    if capture.content_type not in _HTML or not capture.payload:
        return ()
    try:
        found = find_links(parse(capture.payload, capture.url, capture.header("content-type") or ""))
    except Exception:  # one bad page must not end the crawl
        return None
    return () if found.closed else found.urls
