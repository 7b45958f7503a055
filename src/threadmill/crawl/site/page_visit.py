"""What one visit to a URL came to, judged: what is written down of it, and where it leads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadmill.crawl.frontier.frontier import Frontier, Lead, Lease, Outcome
from threadmill.crawl.frontier.scope import TOO_DEEP, Territory
from threadmill.errors import FetchError, ForbiddenError, TransientError
from threadmill.page.parse.links import find_links
from threadmill.page.parse.tree import parse
from threadmill.store.crawl.url_queue import UrlState
from threadmill.types import Capture, Exchange
from threadmill.urls import resolve

_HTML = {"text/html", "application/xhtml+xml"}
_REDIRECTS = {301, 302, 303, 307, 308}
# The fetcher has tried five times over some seconds before it says "later": a minute, four, then no more.
_MAX_TRIES = 3
_FIRST_PAUSE = 60.0
_LATER_PAUSE = 4.0

_Choice = tuple[tuple[Lead, ...], tuple[Lead, ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Visit:
    """One lease's end."""

    outcome: Outcome
    exchanges: tuple[Exchange, ...] = ()
    leads: tuple[Lead, ...] = ()  # found on the page
    beyond: tuple[Lead, ...] = ()  # found there, but too deep for this run
    left_out: tuple[tuple[str, str], ...] = ()  # (URL, reason) of links not taken
    passed: tuple[Lead, ...] = ()  # claimed and fetched on the way: where redirects led
    page: bool = False  # brought a page (status 2xx)
    flaws: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What it is counted as."""
        reason = self.outcome.reason
        return "fetched" if self.page else f"{self.outcome.state.name.lower()}: {reason or 'no page'}"


class Judge:
    """Reads answers for one crawl."""

    def __init__(self, frontier: Frontier, territory: Territory) -> None:
        self._frontier = frontier
        self._territory = territory

    def arrived(
        self, lease: Lease, capture: Capture, exchanges: tuple[Exchange, ...], flaws: tuple[str, ...] = ()
    ) -> Visit:
        """An answer came."""
        passed = tuple(self._passed(lease, exchanges))
        status = capture.status
        if 200 <= status < 300:
            links = _links(capture)
            flaws = flaws if links is not None else (*flaws, "unreadable")
            choice = self._choose(links or (), lease.depth + 1)
            outcome = Outcome(lease, UrlState.DONE, ",".join(flaws))
            return Visit(outcome, exchanges, *choice, passed=passed, page=True, flaws=flaws)
        if status in _REDIRECTS:
            target = resolve(capture.header("location") or "", capture.url)
            choice = self._choose((target,) if target else (), lease.depth)
            return Visit(Outcome(lease, UrlState.DONE, "redirect"), exchanges, *choice, passed=passed)
        state, reason = (UrlState.DONE, "not modified") if status == 304 else (UrlState.FAILED, str(status))
        return Visit(Outcome(lease, state, reason), exchanges, passed=passed)

    def failed(self, lease: Lease, error: FetchError, now: float) -> Visit:
        """No usable answer came."""
        outcome = Outcome(lease, UrlState.FAILED, error.reason)
        if isinstance(error, ForbiddenError):
            outcome = Outcome(lease, UrlState.REFUSED, error.reason)
        elif isinstance(error, TransientError) and lease.tries + 1 < _MAX_TRIES:
            pause = error.retry_in or _FIRST_PAUSE * _LATER_PAUSE**lease.tries
            outcome = Outcome(lease, UrlState.WAITING, error.reason, now + pause)
        return Visit(outcome, error.exchanges)

    def _passed(self, lease: Lease, exchanges: tuple[Exchange, ...]) -> Iterator[Lead]:
        if len(exchanges) > 1:
            urls = {url for exchange in exchanges if (url := resolve(exchange.url)) and url != lease.url}
            for url in urls:
                yield Lead(url, lease.depth, lease.depth)

    def _choose(self, urls: tuple[str, ...], depth: int) -> _Choice:
        leads: list[Lead] = []
        beyond: list[Lead] = []
        left_out: list[tuple[str, str]] = []
        for url in self._frontier.unknown(urls):
            reason = self._territory.objection(url, depth)
            if not reason:
                leads.append(Lead(url, depth, depth))
                continue
            left_out.append((url, reason))
            if reason is TOO_DEEP:
                beyond.append(Lead(url, depth, depth))
        return tuple(leads), tuple(beyond), tuple(left_out)


def _links(capture: Capture) -> tuple[str, ...] | None:
    """Where a page leads; None when it cannot be read at all."""
    if capture.content_type not in _HTML or not capture.payload:
        return ()
    try:
        found = find_links(parse(capture.payload, capture.url, capture.header("content-type") or ""))
    except (ValueError, LookupError, RecursionError):  # one page must not end the crawl of a million
        return None
    return () if found.closed else found.urls
