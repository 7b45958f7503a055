"""Targets of links made absolute, cheaply: most need no URL parser at all."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit


class Addresses:
    """Resolves the targets of one page against the URL its links are relative to."""

    __slots__ = ("base", "origin", "scheme")

    def __init__(self, base: str) -> None:
        self.base = base
        self.scheme, self.origin = _origin(base)

    def absolute(self, target: str) -> str:
        """The absolute URL of a target as it stands in an attribute; what is no URL stays as it is."""
        target = target.strip()
        if not self.base or target.startswith(("https://", "http://")):
            return target
        if target.startswith("//"):
            return f"{self.scheme}:{target}"
        if target.startswith("/") and "/." not in target:
            return self.origin + target
        try:
            return urljoin(self.base, target)
        except ValueError:  # "http://[" and its kin: the web is full of them
            return target


def _origin(base: str) -> tuple[str, str]:
    try:
        parts = urlsplit(base)
    except ValueError:
        return "", ""
    return parts.scheme, f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
