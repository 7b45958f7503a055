"""What names a thread among its URLs: the parts in which the rows of an index page differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl, urlsplit

_ENOUGH = 3  # rows on a page from which a parameter that never differs can be told from one that names


def naming_parameters(urls: Sequence[str]) -> frozenset[str] | None:
    """The query parameters that differ between the rows of one page; None when too few rows tell."""
    if len(urls) < _ENOUGH:
        return None
    values: dict[str, set[str]] = {}
    for url in urls:
        for name, value in parse_qsl(urlsplit(url).query, keep_blank_values=True):
            values.setdefault(name, set()).add(value)
    return frozenset(name for name, found in values.items() if len(found) > 1)


def thread_key(url: str, naming: Iterable[str] | None) -> str:
    """Host, path and the parameters that name the thread; others may change from page to page."""
    parts = urlsplit(url)
    stem = f"{parts.netloc}{parts.path}"
    if naming is None:
        return f"{stem}?{parts.query}" if parts.query else stem
    wanted = set(naming)
    named = sorted(
        f"{name}={value}" for name, value in parse_qsl(parts.query, keep_blank_values=True) if name in wanted
    )
    return f"{stem}?{'&'.join(named)}" if named else stem
