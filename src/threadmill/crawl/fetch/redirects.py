"""Where an answer sends us on to, and when to stop following."""

from __future__ import annotations

from threadmill.crawl.fetch.target import Target, follow
from threadmill.errors import BadRedirectError, RedirectLoopError, TooManyRedirectsError, URLError
from threadmill.types import Exchange

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Trail:
    """The way of one request through redirects."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._hops = 0
        self._seen: set[tuple[str, str]] = set()

    def next(self, target: Target, exchange: Exchange, cookies: str) -> Target | None:
        """The next target; None when the answer is no redirect.

        The same URL with other cookies is another question: sites that insist on a cookie send us
        round once to get it.
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

    def _read(self, target: Target, location: str) -> Target:
        try:
            return follow(target, location)
        except (URLError, ValueError):
            raise BadRedirectError(
                f"{target.url} redirects to {location[:200]!r}, which is no web page"
            ) from None
