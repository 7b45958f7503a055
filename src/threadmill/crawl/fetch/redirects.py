"""Follows redirects: where a response leads, and when to stop."""

from __future__ import annotations

from threadmill.crawl.fetch.target import RequestTarget, resolve_redirect
from threadmill.errors import BadRedirectError, RedirectLoopError, TooManyRedirectsError, URLError
from threadmill.types import Exchange

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class RedirectChain:
    """The redirects of one fetch. Raises an error on a loop or on too many."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._hops = 0
        self._seen: set[tuple[str, str]] = set()

    def next(self, target: RequestTarget, exchange: Exchange, cookies: str) -> RequestTarget | None:
        """The next target. None if the response is not a redirect.

        The same URL with other cookies does not count as a loop: sites that require a cookie redirect to the
        same page once to set it.
        """
        if exchange.status not in _REDIRECTS:
            return None
        location = next((value for name, value in exchange.headers if name.lower() == "location"), "")
        if not location.strip():
            return None
        onward = self._read(target, location)
        if not self._seen:
            self._seen.add((target.url, ""))
        if (onward.url, cookies) in self._seen:
            raise RedirectLoopError(f"the redirects lead back to {onward.url}")
        self._seen.add((onward.url, cookies))
        self._hops += 1
        if self._hops > self._limit:
            raise TooManyRedirectsError(f"more than {self._limit} redirects; the last to {onward.url}")
        return onward

    def _read(self, target: RequestTarget, location: str) -> RequestTarget:
        try:
            return resolve_redirect(target, location)
        except (URLError, ValueError):
            raise BadRedirectError(
                f"{target.url} redirects to {location[:200]!r}, which is not a web page"
            ) from None
