"""Decides which URLs belong to a crawl, with a reason for each that does not."""

from __future__ import annotations

import re

from threadmill.urls import Scope, in_scope, is_trap

# Files without text to read: images, audio, video, archives, programs, fonts, style sheets.
_MEDIA = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif|svgz?|ico|bmp|tiff?|heic|psd|mp[34]|m4[av]|ogg|og[av]|opus|wav|flac|aac|wma|midi?"
    r"|avi|mov|mkv|webm|wmv|flv|mpe?g|3gp|zip|rar|7z|gz|tgz|bz2|xz|zst|tar|iso|dmg|img|exe|msi|apk|deb|rpm|jar"
    r"|woff2?|ttf|otf|eot|css|js|mjs|map|swf|bin|torrent)\Z",
    re.IGNORECASE,
).search

# A link that ends the session of a crawl that has logged in. "logout-problem" is a title.
_ENDS_SESSION = re.compile(
    r"(?:[/=?&._]|\A)(?:log|sign)[-_]?(?:out|off)(?=[/?&.#;]|\Z)", re.IGNORECASE
).search

TOO_DEEP = "too deep"


class CrawlScope:
    """Which URLs one crawl may fetch: its scope (host, site, prefix) and its depth."""

    def __init__(self, seed: str, scope: Scope, max_depth: int = 0) -> None:
        self.seed = seed
        self._scope = scope
        self._max_depth = max_depth
        self._port = _port_of(seed)

    def reason_to_skip(self, url: str, depth: int) -> str:
        """Why a canonical URL is not fetched. Empty if it may be fetched."""
        if not in_scope(url, self.seed, self._scope):
            return "out of scope"
        # Another port is another server. Only the scope "site" covers several servers.
        if self._scope is not Scope.SITE and _port_of(url) != self._port:
            return "out of scope"
        if _MEDIA(url.partition("?")[0]):
            return "media"
        if _ENDS_SESSION(url.split("/", 3)[3] if url.count("/") > 2 else ""):
            return "logs out"
        trap = is_trap(url)
        if trap:
            return f"trap: {trap}"
        return TOO_DEEP if self._max_depth and depth > self._max_depth else ""


def _port_of(url: str) -> str:
    authority = url.split("/", 3)[2]
    host, colon, port = authority.rpartition(":")
    return port if colon and not port.endswith("]") and host else ""
