"""Cookies as hosts ask us to bring them back (RFC 6265), kept in memory, exported as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from threadmill.crawl.fetch.target import Target
from threadmill.urls import site_of

# RFC 6265 asks for at least 50 per domain and 4096 bytes each; a host that sends more is misusing us.
_PER_DOMAIN = 50
_MAX_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Cookie:
    """One cookie."""

    name: str
    value: str
    domain: str
    path: str = "/"
    host_only: bool = True
    secure: bool = False
    expires: float | None = None  # Unix seconds; None: as long as we live


class Cookies:
    """The jar of a crawl; a cookie goes back only to the host, or the family of hosts, that set it."""

    def __init__(self) -> None:
        self._jar: dict[str, dict[tuple[str, str], Cookie]] = {}

    def header(self, target: Target, now: datetime) -> str:
        """The value of the Cookie header for a request; empty when there is none to send."""
        if not self._jar:
            return ""
        moment = now.timestamp()
        fitting = [
            cookie
            for domain in _family(target.host)
            for cookie in self._jar.get(domain, {}).values()
            if _fits(cookie, target, moment)
        ]
        fitting.sort(key=lambda cookie: -len(cookie.path))
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in fitting)

    def take(self, target: Target, headers: Iterable[tuple[str, str]], now: datetime) -> None:
        """Keep what the Set-Cookie headers of an answer ask for."""
        for name, value in headers:
            if len(name) == 10 and name.lower() == "set-cookie":
                cookie = parse_cookie(value, target, now)
                if cookie is not None:
                    self._put(cookie, now.timestamp())

    def export(self) -> list[dict[str, Any]]:
        """All cookies as plain data."""
        return [asdict(cookie) for jar in self._jar.values() for cookie in jar.values()]

    def load(self, cookies: Iterable[dict[str, Any]]) -> None:
        """Take in what `export` gave."""
        for values in cookies:
            cookie = Cookie(**values)
            self._jar.setdefault(cookie.domain, {})[cookie.name, cookie.path] = cookie

    def _put(self, cookie: Cookie, moment: float) -> None:
        jar = self._jar.setdefault(cookie.domain, {})
        key = (cookie.name, cookie.path)
        jar.pop(key, None)
        if cookie.expires is None or cookie.expires > moment:
            jar[key] = cookie
        if len(jar) > _PER_DOMAIN:
            del jar[next(iter(jar))]


def parse_cookie(text: str, target: Target, now: datetime) -> Cookie | None:
    """A Set-Cookie value as a cookie of the host that sent it; None when it is none or not its to set."""
    pair, *rest = text.split(";")
    name, equals, value = (part.strip() for part in pair.partition("="))
    if not equals or not name or len(pair) > _MAX_BYTES or any(ord(c) < 32 or ord(c) > 255 for c in pair):
        return None
    said = {key.strip().lower(): value.strip() for key, _, value in (part.partition("=") for part in rest)}
    domain = said.get("domain", "").lstrip(".").lower()
    if domain and domain != target.host and not _is_family(domain, target.host):
        return None
    path = said.get("path", "")
    return Cookie(
        name,
        value,
        domain or target.host,
        path if path.startswith("/") else _default_path(target.resource),
        host_only=not domain,
        secure="secure" in said,
        expires=_expiry(said, now),
    )


def _expiry(said: dict[str, str], now: datetime) -> float | None:
    age = said.get("max-age", "")
    if age.lstrip("-").isdigit() and age.isascii():
        return now.timestamp() + int(age[:12])
    try:
        moment = parsedate_to_datetime(said["expires"].replace("-", " "))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (KeyError, ValueError, TypeError, IndexError, OverflowError):
        return None


def _default_path(resource: str) -> str:
    path = resource.partition("?")[0]
    return path[: path.rfind("/")] or "/"


def _is_family(domain: str, host: str) -> bool:
    """Is the domain above the host, but no higher than its site? "co.uk" is nobody's to set cookies for."""
    return host.endswith(f".{domain}") and f".{domain}".endswith(f".{site_of(f'http://{host}/')}")


def _family(host: str) -> list[str]:
    labels = host.split(".")
    return [host, *(".".join(labels[start:]) for start in range(1, len(labels) - 1))]


def _fits(cookie: Cookie, target: Target, moment: float) -> bool:
    if cookie.host_only and cookie.domain != target.host:
        return False
    if cookie.secure and target.scheme != "https":
        return False
    if cookie.expires is not None and cookie.expires <= moment:
        return False
    path = target.resource.partition("?")[0]
    return path == cookie.path or (
        path.startswith(cookie.path) and (cookie.path.endswith("/") or path[len(cookie.path)] == "/")
    )
