"""Addresses compared as a reader compares them: session ids dropped, one number apart from the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

_SESSION = re.compile(
    r"(?P<lead>[?&;])(?:s|sid|phpsessid|jsessionid|zenid|oscsid|[a-z]*session[a-z_]*)=[^&#;]*|"
    r";jsessionid=[^?#/]*|(?P<hex>[?&;])\w+=[0-9a-f]{26,}(?=[&#;]|$)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,7}(?!\d)")
# What a later page's address has more than the first's: "&start=10", "/page/2", "-2", "index2.html".
_PIECE = re.compile(r"[\W_]*[a-z_]{0,12}[\W_]*\d{1,7}[\W_]*[a-z]{0,5}", re.IGNORECASE)
_LEFT_OVER = re.compile(r"[\W_]*(?:index)?[\W_]*[a-z]{0,5}", re.IGNORECASE)


def strip_session(url: str) -> str:
    """An address without fragment and session id."""
    address = url.partition("#")[0].replace("&amp;", "&")
    if "=" in address:
        address = _SESSION.sub(_keep_lead, address)
        address = address.replace("?&", "?").rstrip("?&;")
    return address


def _keep_lead(match: re.Match[str]) -> str:
    lead = match["lead"] or match["hex"] or ""
    return lead if lead == "?" else ""


def absolute_url(base: str, href: str) -> str | None:
    """A link's cleaned absolute address; None when it leads to no page."""
    if href.startswith(("#", "javascript:", "mailto:", "data:", "tel:")):
        return None
    try:
        url = urljoin(base, href.strip())
    except ValueError:  # "http://[broken": judged as no link
        return None
    return strip_session(url)


def same_site(one: str, other: str) -> bool:
    """Whether two addresses are on one host, with or without www."""
    first, second = urlsplit(one).netloc.lower(), urlsplit(other).netloc.lower()
    return not first or not second or first.removeprefix("www.") == second.removeprefix("www.")


@dataclass(frozen=True, slots=True)
class NumberSlot:
    """An address with one of its numbers taken out."""

    before: str
    after: str

    def fill(self, number: int) -> str:
        """The address with that number."""
        return f"{self.before}{number}{self.after}"

    def number_in(self, url: str) -> int | None:
        """The number an address has in this place, if it is one of this family."""
        if not url.startswith(self.before) or not url.endswith(self.after):
            return None
        middle = url[len(self.before) : len(url) - len(self.after)]
        return int(middle) if middle.isdecimal() and len(middle) <= 7 else None

    def is_first(self, url: str) -> bool:
        """Whether an address is this family's without the number: its first page."""
        if self.number_in(url) is not None:
            return False
        later = self.fill(0)
        start = _shared(url, later)
        end = min(_shared(url[::-1], later[::-1]), len(url) - start, len(later) - start)
        mine, theirs = url[start : len(url) - end], later[start : len(later) - end]
        if start > len(self.before) or not _PIECE.fullmatch(theirs):
            return False
        return bool(_LEFT_OVER.fullmatch(mine)) and urlsplit(url).netloc == urlsplit(later).netloc


def _shared(one: str, other: str) -> int:
    limit = min(len(one), len(other))
    if one[:limit] == other[:limit]:
        return limit
    return next(place for place in range(limit) if one[place] != other[place])


def number_slots(url: str) -> Iterator[tuple[NumberSlot, int]]:
    """Each number of an address, taken out."""
    start = url.find("/", url.find("://") + 3) if "://" in url else 0
    if start < 0 or len(url) > 600:
        return
    for match in _NUMBER.finditer(url, start):
        if url[match.start() - 1].isdigit() or "%" in url[match.start() - 2 : match.start()]:
            continue  # the end of a longer number, or a part of an escape such as %D0
        yield NumberSlot(url[: match.start()], url[match.end() :]), int(match[0])
