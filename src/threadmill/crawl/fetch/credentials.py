"""Credentials of a closed site: which requests they are sent with, and how they stay out of the archive."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from threadmill.crawl.fetch.cookies import Cookie
from threadmill.crawl.fetch.target import RequestTarget

LEFT_OUT = "(left out)"
_SECRET_HEADERS = frozenset({"cookie", "set-cookie", "authorization", "proxy-authorization"})


@dataclass(frozen=True, slots=True)
class Credentials:
    """Headers and cookies that open a closed site. Nothing of them is written to an archive or a message."""

    site: str = ""  # the address, such as https://forum.example.org, that the headers are sent to
    headers: tuple[tuple[str, str], ...] = ()
    cookies: tuple[Cookie, ...] = ()

    logs_in: bool = False  # a form gives more cookies

    @property
    def are_given(self) -> bool:
        """Whether there are any."""
        return bool(self.headers or self.cookies or self.logs_in)

    @property
    def hidden(self) -> frozenset[str]:
        """Names of headers, in lower case, whose values are not archived."""
        return _SECRET_HEADERS | {name.lower() for name, _ in self.headers}

    def lines(self, target: RequestTarget) -> str:
        """The header lines for a request. Empty for every host but that of the site."""
        if not self.headers or not self._is_for(target):
            return ""
        return "".join(f"{name}: {value}\r\n" for name, value in self.headers)

    def _is_for(self, target: RequestTarget) -> bool:
        site = urlsplit(self.site)
        if site.scheme == "https" and target.scheme != "https":
            return False  # a redirect must not send a password over an open line
        return target.host.removeprefix("www.") == (site.hostname or "").removeprefix("www.")


NO_CREDENTIALS = Credentials()


def without_secrets(
    head: bytes, headers: tuple[tuple[str, str], ...], hidden: frozenset[str]
) -> tuple[bytes, tuple[tuple[str, str], ...]]:
    """A request head and response headers as they may be archived: those with `hidden` names lose values."""
    lines = head.split(b"\r\n")
    kept = [_without_value(line, hidden) for line in lines]
    told = tuple((name, LEFT_OUT if name.lower() in hidden else value) for name, value in headers)
    return b"\r\n".join(kept), told


def _without_value(line: bytes, hidden: frozenset[str]) -> bytes:
    name = line.partition(b":")[0]
    return name + b": " + LEFT_OUT.encode() if name.decode("latin-1").lower() in hidden else line
