"""What a page says of itself outside its layout: words of its address and schema.org's names for it."""

from __future__ import annotations

import re

from threadmill.forum.link_urls import kind_named_by_url
from threadmill.forum.page_analysis import PageAnalysis

_TYPE = re.compile(r'"@type"\s*:\s*"(\w+)"')
_DISCUSSIONS = re.compile(r"DiscussionForumPosting|QAPage|Question|Comment|Answer")
_COLLECTIONS = re.compile(r"CollectionPage|ItemList$")
_OTHERS = re.compile(r"NewsArticle|BlogPosting|ProfilePage|Product|AboutPage|ContactPage|FAQPage")
KINDS = ("thread", "index", "other")


def hints(analysis: PageAnalysis) -> dict[str, float]:
    """1 for each kind the address or the markup names."""
    said = kind_named_by_url(analysis.tree.url) or kind_named_by_url(_own_address(analysis))
    types = _types(analysis)
    found = {f"u_{kind}": float(said == kind) for kind in KINDS}
    found["s_thread"] = float(any(_DISCUSSIONS.search(name) for name in types))
    found["s_index"] = float(any(_COLLECTIONS.search(name) for name in types))
    found["s_other"] = float(any(_OTHERS.search(name) for name in types))
    return found


def _own_address(analysis: PageAnalysis) -> str:
    """Where the page says it stands: a saved page may have no other address."""
    for element in analysis.tree.document.iter_elements("link"):
        if (element.attr("rel") or "").lower() == "canonical":
            return element.attr("href") or ""
    return ""


def _types(analysis: PageAnalysis) -> set[str]:
    """The names schema.org has for what is on the page, from attributes and from JSON-LD."""
    outline = analysis.outline
    found = {
        value.rpartition("/")[2] for i in range(len(outline)) if (value := outline.attribute(i, "itemtype"))
    }
    for script in analysis.tree.document.iter_elements("script"):
        if (script.attr("type") or "").lower() == "application/ld+json":
            found.update(_TYPE.findall(script.text[:20_000]))
    return found
