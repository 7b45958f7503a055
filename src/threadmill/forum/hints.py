"""What a page says of itself outside its layout: words of its address and schema.org's names for it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from threadmill.forum.reading import Reading

# General words that sites of many makes put into addresses; none knows an engine.
_WORDS = re.compile(
    r"(?P<thread>thread|topic|tema|thema|sujet|discussion|question|showpost|article|comments?(?![a-z])|message)|"
    r"(?P<index>forums?(?![a-z])|viewforum|forumdisplay|boards?|categor|foren|rubri|sektion|tags?(?![a-z]))|"
    r"(?P<other>login|signin|logging|regist|member|profil|users?(?![a-z])|search|suche|faq|account|"
    r"contact|privacy|terms|rules|password|calendar)",
    re.IGNORECASE,
)
_TYPE = re.compile(r'"@type"\s*:\s*"(\w+)"')
_DISCUSSIONS = re.compile(r"DiscussionForumPosting|QAPage|Question|Comment|Answer")
_COLLECTIONS = re.compile(r"CollectionPage|ItemList$")
_OTHERS = re.compile(r"NewsArticle|BlogPosting|ProfilePage|Product|AboutPage|ContactPage|FAQPage")
KINDS = ("thread", "index", "other")


def hints(reading: Reading) -> dict[str, float]:
    """1 for each kind the address or the markup names."""
    said = address_word(reading.tree.url)
    types = _types(reading)
    found = {f"u_{kind}": float(said == kind) for kind in KINDS}
    found["s_thread"] = float(any(_DISCUSSIONS.search(name) for name in types))
    found["s_index"] = float(any(_COLLECTIONS.search(name) for name in types))
    found["s_other"] = float(any(_OTHERS.search(name) for name in types))
    return found


def address_word(url: str) -> str:
    """The kind of page the last telling word of an address names; empty when there is none."""
    parts = urlsplit(url)
    found = [match.lastgroup or "" for match in _WORDS.finditer(f"{parts.path}?{parts.query}")]
    # A thread's address often names its board too, never the other way round.
    return "thread" if "thread" in found else found[-1] if found else ""


def _types(reading: Reading) -> set[str]:
    """The names schema.org has for what is on the page, from attributes and from JSON-LD."""
    outline = reading.outline
    found = {
        value.rpartition("/")[2] for i in range(len(outline)) if (value := outline.attribute(i, "itemtype"))
    }
    for script in reading.tree.document.iter_elements("script"):
        if (script.attr("type") or "").lower() == "application/ld+json":
            found.update(_TYPE.findall(script.text[:20_000]))
    return found
