"""The cookie jar of a crawl (RFC 6265), kept in memory, and the cookie files of browsers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from time import time
from typing import Any

from threadmill.archive.header_values import read_http_date, read_whole_number
from threadmill.crawl.fetch.target import RequestTarget
from threadmill.errors import NothingFoundError, UsageError
from threadmill.urls import site_of

# RFC 6265, section 6.1: at least 50 cookies per domain, 4096 bytes each. A host that sends more abuses us.
_PER_DOMAIN = 50
_MAX_BYTES = 4096
# cookies.txt, as browsers and curl export it: the Netscape format, one cookie a line.
_FILE_FIELDS = 7  # domain, is it for subdomains, path, secure, expires, name, value
_HTTP_ONLY = "#HttpOnly_"
_MAX_FILE_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Cookie:
    """One cookie."""

    name: str
    value: str
    domain: str
    path: str = "/"
    host_only: bool = True
    secure: bool = False
    expires: float | None = None  # Unix seconds; None: when the process ends


class CookieJar:
    """Keeps cookies. A cookie is sent only to the host that set it, or to the domain it was set for."""

    def __init__(self) -> None:
        self._jar: dict[str, dict[tuple[str, str], Cookie]] = {}

    def header(self, target: RequestTarget, now: datetime) -> str:
        """The value of the Cookie header for a request. Empty if there is no cookie to send."""
        if not self._jar:
            return ""
        moment = now.timestamp()
        found = [
            cookie
            for domain in _host_and_parents(target.host)
            for cookie in self._jar.get(domain, {}).values()
            if _applies(cookie, target, moment)
        ]
        found.sort(key=lambda cookie: -len(cookie.path))
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in found)

    def take(self, target: RequestTarget, headers: Iterable[tuple[str, str]], now: datetime) -> None:
        """Keep the cookies that the Set-Cookie headers of a response set."""
        for name, value in headers:
            if len(name) == 10 and name.lower() == "set-cookie":
                cookie = parse_cookie(value, target, now)
                if cookie is not None:
                    self._put(cookie, now.timestamp())

    def export(self) -> list[dict[str, Any]]:
        """Return all cookies as plain data."""
        return [asdict(cookie) for jar in self._jar.values() for cookie in jar.values()]

    def load(self, cookies: Iterable[dict[str, Any]]) -> None:
        """Add cookies that `export` returned."""
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


def parse_cookie(text: str, target: RequestTarget, now: datetime) -> Cookie | None:
    """Parse a Set-Cookie value. None if it is malformed or set for a domain that is not the host's own."""
    pair, *rest = text.split(";")
    name, equals, value = (part.strip() for part in pair.partition("="))
    if not equals or not name or len(pair) > _MAX_BYTES or any(ord(c) < 32 or ord(c) > 255 for c in pair):
        return None
    fields = {key.strip().lower(): value.strip() for key, _, value in (part.partition("=") for part in rest)}
    domain = fields.get("domain", "").lstrip(".").lower()
    if domain and domain != target.host and not _may_set_for(domain, target.host):
        return None
    path = fields.get("path", "")
    return Cookie(
        name,
        value,
        domain or target.host,
        path if path.startswith("/") else _default_path(target.resource),
        host_only=not domain,
        secure="secure" in fields,
        expires=_expiry(fields, now),
    )


def _expiry(fields: dict[str, str], now: datetime) -> float | None:
    """When a cookie expires, in Unix seconds. Max-Age goes before Expires."""
    age = read_whole_number(fields.get("max-age"))
    if age is not None:
        return now.timestamp() + age
    moment = read_http_date(fields.get("expires", "").replace("-", " "))
    return moment.timestamp() if moment is not None else None


def _default_path(resource: str) -> str:
    path = resource.partition("?")[0]
    return path[: path.rfind("/")] or "/"


def _may_set_for(domain: str, host: str) -> bool:
    """May the host set cookies for a parent domain? Not above its own site: nobody owns "co.uk"."""
    return host.endswith(f".{domain}") and f".{domain}".endswith(f".{site_of(f'http://{host}/')}")


def _host_and_parents(host: str) -> list[str]:
    labels = host.split(".")
    return [host, *(".".join(labels[start:]) for start in range(1, len(labels) - 1))]


def _applies(cookie: Cookie, target: RequestTarget, moment: float) -> bool:
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


def read_cookie_file(file: Path) -> tuple[Cookie, ...]:
    """All cookies of a file. Raise UsageError if it cannot be read or holds none."""
    try:
        if file.stat().st_size > _MAX_FILE_BYTES:
            raise UsageError(f"{file} is too large for a cookie file; export only the cookies of one site")
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise NothingFoundError(f"cannot read the cookies in {file}: {error.strerror}") from None
    found = tuple(cookie for line in text.splitlines() if (cookie := _read_file_line(line)) is not None)
    if not found:
        raise UsageError(
            f"expected cookies in {file}, in the Netscape format (seven columns with tabs between them), "
            "but found none; export them again with a cookies.txt extension of a browser"
        )
    if all(cookie.expires is not None and cookie.expires <= time() for cookie in found):
        raise UsageError(
            f"all cookies in {file} have expired; log in with the browser, and export them again"
        )
    return found


def _read_file_line(line: str) -> Cookie | None:
    line = line.removeprefix(_HTTP_ONLY)
    if line.startswith("#"):
        return None
    fields = line.strip("\r\n").split("\t")
    if len(fields) == _FILE_FIELDS - 1:
        fields.append("")  # an empty value at the end of a line that an editor trimmed
    if len(fields) != _FILE_FIELDS:
        return None
    domain, subdomains, path, secure, expires, name, value = fields
    host = domain.strip().lstrip(".").lower()
    if not host or not name.strip() or any(ord(letter) < 32 or ord(letter) > 255 for letter in name + value):
        return None
    return Cookie(
        name.strip(),
        value.strip(),
        host,
        path if path.startswith("/") else "/",
        host_only=subdomains.upper() != "TRUE" and not domain.strip().startswith("."),
        secure=secure.upper() == "TRUE",
        expires=_read_expiry(expires),
    )


def _read_expiry(text: str) -> float | None:
    """Unix seconds. 0 or nonsense: the cookie of a session, which the file keeps alive."""
    try:
        moment = float(text)
    except ValueError:
        return None
    return moment if 0 < moment < float("inf") else None
