"""What an address says of the page it leads to, by words that sites of many makes use."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

# General words that sites of many makes put into addresses; none knows an engine.
_WORDS = re.compile(
    r"(?P<thread>thread|topic|tema|thema|sujet|discussion|question|showpost|article|comments?(?![a-z])|message)|"
    r"(?P<index>forums?(?![a-z])|viewforum|forumdisplay|boards?|categor|foren|rubri|sektion|tags?(?![a-z]))|"
    r"(?P<other>login|signin|logging|regist|member|profil|users?(?![a-z])|search|suche|faq|account|"
    r"contact|privacy|terms|rules|password|calendar)",
    re.IGNORECASE,
)


def kind_named_by_url(url: str) -> str:
    """The kind of page the last telling word of an address names; empty when there is none."""
    parts = urlsplit(url)
    found = [match.lastgroup or "" for match in _WORDS.finditer(f"{parts.path}?{parts.query}")]
    # A thread's address often names its board too, never the other way round.
    return "thread" if "thread" in found else found[-1] if found else ""
