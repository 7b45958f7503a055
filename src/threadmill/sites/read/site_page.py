"""Reads one page of a site: the words that a visitor sees, its links, and what its markup says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turbohtml import Document, Element

from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import READER, cut
from threadmill.page.parse.hidden import hidden_elements
from threadmill.page.parse.link_targets import LinkResolver
from threadmill.page.parse.links import base_of
from threadmill.page.parse.tree import Tree, parse
from threadmill.sites.read.third_parties import is_credit
from threadmill.types import Capture

_MOST_LINKS = 2000
_LAST_LINKS = 40  # the makers of a site are named at the end of a page
_BY_SHEET = "hidden by a style sheet"  # the reason that page.parse.hidden gives for such a block
# Properties of structured data whose values are not who runs the site.
_OF_OTHERS = frozenset(
    {
        *(
            "author",
            "creator",
            "contributor",
            "review",
            "brand",
            "manufacturer",
            "performer",
            "sponsor",
            "audience",
        ),
        *("citation", "mentions", "isBasedOn", "itemReviewed", "subjectOf", "workExample"),
        *(
            "alumniOf",
            "parentOrganization",
            "affiliation",
            "memberOf",
            "funder",
            "hasCredential",
            "recognizedBy",
        ),
        # Pictures and films lie on stores that thousands of sites use.
        *("image", "logo", "photo", "thumbnail", "video", "audio", "associatedMedia", "encoding"),
    }
)
_MEDIA = re.compile(r"(?:Image|Video|Audio|Media)Object$")
# A page with a day of publication is an article; home pages and pages about the firm have none.
_PUBLISHED = 'meta[property="article:published_time"], meta[name="citation_title"]'
_ARTICLE = re.compile(r"Article$|(?:Blog|Forum|Media)Posting$|^(?:QAPage|Report)$")
_FRAMING_TAGS = ("header", "footer", "nav", "aside", "address")
_FOOTER = re.compile(r"\.(?:footer|address)(?:\.|$)")
_LINKS_IN_TEXT = "p a[href], article a[href], blockquote a[href], td a[href]"
_FRAMING = re.compile(rf"\.(?:{'|'.join(_FRAMING_TAGS)})(?:\.|$)")
_MOST_DATA = 200  # objects of structured data


@dataclass(frozen=True, slots=True)
class SitePage:
    """What the reading stage needs of a page."""

    url: str
    title: str
    text: str  # the visible text, a line per block
    whole: (
        str  # the same with hidden blocks, because menus and dialogs that open on a click hold contact data
    )
    markup: str
    links: tuple[tuple[str, str], ...]  # (absolute URL or mailto:/tel:, text)
    tree: Tree
    credits: frozenset[str] = frozenset()  # URLs of the links that name who made the site
    data: tuple[dict[str, Any], ...] = ()  # JSON-LD objects of every depth
    framing: str | None = None  # of an article: the text around it, with the targets of its links
    footer: str = ""  # what stands in footers and address elements


def read_page(capture: Capture, sheets: Sequence[str] = ()) -> SitePage:
    """Read a page. The rules of its style sheets (`sheets`) show which blocks are hidden."""
    tree = parse(capture.payload, capture.url, capture.header("content-type") or "")
    document = tree.document
    blocks = cut(document, READER, hidden_elements(document, sheets)).blocks
    title = document.select_one("title")
    addresses = LinkResolver(base_of(tree) or capture.url)
    links = tuple(
        (addresses.absolute(a.attr("href") or ""), " ".join(a.text.split())[:120])
        for a in document.select("a[href], area[href]")[:_MOST_LINKS]
    )
    data = tuple(_json_ld_objects(document))
    is_article = document.select_one(_PUBLISHED) is not None or any(
        _has_type(item, _ARTICLE) for item in data
    )
    return SitePage(
        capture.url,
        " ".join(title.text.split())[:300] if title is not None else "",
        _visible_text(blocks),
        "\n".join(block.text for block in blocks if block.text),
        capture.payload.decode("utf-8", "replace"),
        links,
        tree,
        frozenset(_find_credits(document, addresses)),
        data,
        _framing_text(document, blocks) if is_article else None,
        "\n".join(block.text for block in blocks if block.text and _FOOTER.search(block.path)),
    )


def _has_type(item: Mapping[str, Any], types: re.Pattern[str]) -> bool:
    said = item.get("@type")
    return any(
        isinstance(kind, str) and types.search(kind) for kind in (said if isinstance(said, list) else [said])
    )


def _framing_text(document: Document, blocks: Sequence[Block]) -> str:
    """The text in the header, the footer and the columns beside an article."""
    lines = [block.text for block in blocks if block.text and _FRAMING.search(block.path)]
    inside = {str(link.attr("href")) for link in document.select(_LINKS_IN_TEXT)}
    links = (str(link.attr("href")) for link in document.select("a[href]")[:_MOST_LINKS])
    return "\n".join([*lines, *(link for link in links if link not in inside)])


def _visible_text(blocks: Sequence[Block]) -> str:
    """The text that a visitor sees.

    Where style sheets hide more than half of a page, a script shows it again at once, so it counts as seen.
    """
    shown = [block.text for block in blocks if block.text and not block.hidden]
    styled = [block.text for block in blocks if block.text and block.hidden in {"", _BY_SHEET}]
    return "\n".join(styled if sum(map(len, styled)) > 2 * sum(map(len, shown)) else shown)


def _find_credits(document: Document, addresses: LinkResolver) -> Iterator[str]:
    """URLs of the last links whose text, or the short line around them, names who made the site."""
    for link in document.select("a[href^=http], a[href^=mailto], a[href^=tel]")[-_LAST_LINKS:]:
        around = link.parent.text if isinstance(link.parent, Element) else ""
        if is_credit(link.text) or is_credit(around):
            yield addresses.absolute(link.attr("href") or "")


def _json_ld_objects(document: Any) -> list[dict[str, Any]]:
    """JSON-LD objects of every depth, without media and those that are somebody else: authors, makers.

    The parser leaves out what is no JSON.
    """
    found: list[dict[str, Any]] = []
    try:
        waiting = list(document.json_ld())
    except (ValueError, RecursionError):
        return found
    while waiting and len(found) < _MOST_DATA:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value[:_MOST_DATA])
        elif isinstance(value, dict):
            if not _has_type(value, _MEDIA):
                found.append(value)
            waiting.extend(part for key, part in value.items() if key not in _OF_OTHERS)
    return found
