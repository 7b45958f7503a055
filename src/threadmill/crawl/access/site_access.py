"""Reads what a person gives to get into a closed site: headers, a password, a file of cookies, a recipe."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from threadmill.config import AccessSettings
from threadmill.crawl.fetch.cookies import read_cookie_file
from threadmill.crawl.fetch.credentials import NO_CREDENTIALS, Credentials
from threadmill.errors import SettingsError, UsageError

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # a header name of RFC 9110
# These are ours to set: another value would break the connection, or say that somebody else asks.
_OWN_HEADERS = {"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "user-agent"}


@dataclass(frozen=True, slots=True)
class SiteAccess:
    """How a crawl gets in: what is sent with requests, and the form to fill in before them."""

    credentials: Credentials = NO_CREDENTIALS
    recipe: Path | None = None  # of a log-in form


def load_access(settings: AccessSettings) -> SiteAccess:
    """Read what the settings name. Raise UsageError for what cannot be used."""
    headers = _read_headers(settings.headers)
    if settings.user:  # a password alone may stand in the environment for other forums
        pair = f"{settings.user}:{settings.password}".encode()
        headers = (*headers, ("Authorization", f"Basic {base64.b64encode(pair).decode('ascii')}"))
    if headers and not urlsplit(settings.site).hostname:
        raise SettingsError(
            "headers or a password are set without access.site; "
            "set it to the address that they are for, such as https://forum.example.org"
        )
    cookies = read_cookie_file(Path(settings.cookies)) if settings.cookies else ()
    recipe = Path(settings.login) if settings.login else None
    return SiteAccess(Credentials(settings.site, headers, cookies, recipe is not None), recipe)


def for_start(settings: AccessSettings, url: str) -> AccessSettings:
    """The settings for a crawl of one URL: without a site of their own they are for the site of the URL."""
    if settings.site:
        return settings
    parts = urlsplit(url)
    return replace(settings, site=f"{parts.scheme}://{parts.netloc}")


def _read_headers(text: str) -> tuple[tuple[str, str], ...]:
    found = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        name, colon, value = line.partition(":")
        name, value = name.strip(), value.strip()
        if not colon or not _NAME.fullmatch(name):
            raise UsageError(f"expected a header such as 'X-Key: value', but got {name[:40]!r}")
        if name.lower() in _OWN_HEADERS:
            raise UsageError(f"the header {name} is set by Threadmill itself; leave it out")
        if any(ord(letter) < 32 or ord(letter) > 255 for letter in value):
            raise UsageError(f"the value of the header {name} holds a character that HTTP does not allow")
        found.append((name, value))
    return tuple(found)
