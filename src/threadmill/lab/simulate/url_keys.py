"""The key of a URL in the request log: the URL without parts that do not change the page."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote, urlsplit

_SESSION = {"sid", "phpsessid", "s", "formhash"}
_PATH_SAFE = "/-._~!$'()*+,;=:@"
_QUERY_SAFE = "-._~!$'()*,:@/?[]"


def url_key(url: str) -> str:
    """Drop scheme, host, fragment and session ids; normalise percent-encoding; sort parameters."""
    parts = urlsplit(url.strip())
    path = quote(unquote(parts.path or "/"), safe=_PATH_SAFE)
    parameters = sorted(filter(None, map(_parameter, re.split("[&;]", parts.query))))
    return (path or "/") + ("?" + "&".join(parameters) if parameters else "")


def _parameter(piece: str) -> str:
    name, equals, value = piece.partition("=")
    if equals and name.lower() in _SESSION:
        return ""
    written = quote(unquote(name), safe=_QUERY_SAFE)
    return written + (equals and "=" + quote(unquote(value.replace("+", " ")), safe=_QUERY_SAFE))
