"""One page of a site read once: the words a visitor sees, and what its markup says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from turbohtml import Document, Element

from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import READER, cut
from threadmill.page.parse.hidden import hidden_elements
from threadmill.page.parse.link_targets import Addresses
from threadmill.page.parse.links import base_of
from threadmill.page.parse.tree import Tree, parse
from threadmill.sites.read.credits import is_credit
from threadmill.types import Capture

_MOST_LINKS = 2000
_LAST_LINKS = 40  # makers are named at the end of a page
_BY_SHEET = "hidden by a style sheet"  # what page.hidden says of it
_MOST_DATA = 200  # objects of structured data


@dataclass(frozen=True, slots=True)
class Reading:
    """What the stages after the collector need of a page."""

    url: str
    title: str
    text: str  # visible, a line per block
    whole: str  # the same with what is hidden: contact data stand in menus and dialogs that open on a click
    markup: str
    links: tuple[tuple[str, str], ...]  # (absolute URL or mailto:/tel:, text)
    tree: Tree
    credits: frozenset[str] = frozenset()  # of the links: those that name who made the site
    data: tuple[dict[str, Any], ...] = ()  # JSON-LD objects, flattened


def read_page(capture: Capture, sheets: Sequence[str] = ()) -> Reading:
    """Parse a page and take from it what is needed; the style sheets it links tell what nobody sees."""
    tree = parse(capture.payload, capture.url, capture.header("content-type") or "")
    document = tree.document
    blocks = cut(document, READER, hidden_elements(document, sheets)).blocks
    title = document.select_one("title")
    addresses = Addresses(base_of(tree) or capture.url)
    links = tuple(
        (addresses.absolute(a.attr("href") or ""), " ".join(a.text.split())[:120])
        for a in document.select("a[href], area[href]")[:_MOST_LINKS]
    )
    return Reading(
        capture.url,
        " ".join(title.text.split())[:300] if title is not None else "",
        _visible(blocks),
        "\n".join(block.text for block in blocks if block.text),
        capture.payload.decode("utf-8", "replace"),
        links,
        tree,
        frozenset(_credits(document, addresses)),
        tuple(_objects(document)),
    )


def _visible(blocks: Sequence[Block]) -> str:
    """What a visitor sees; where a style sheet hides most of a page, a script shows it again at once."""
    shown = [block.text for block in blocks if block.text and not block.hidden]
    styled = [block.text for block in blocks if block.text and block.hidden in {"", _BY_SHEET}]
    return "\n".join(styled if sum(map(len, styled)) > 2 * sum(map(len, shown)) else shown)


def _credits(document: Document, addresses: Addresses) -> Iterator[str]:
    """Links out of the site that say, or stand in a short line that says, who made it."""
    for link in document.select("a[href^=http]")[-_LAST_LINKS:]:
        around = link.parent.text if isinstance(link.parent, Element) else ""
        if is_credit(link.text) or is_credit(around):
            yield addresses.absolute(link.attr("href") or "")


def _objects(document: Any) -> list[dict[str, Any]]:
    """JSON-LD objects at every depth; what is no JSON is left out by the parser."""
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
            found.append(value)
            waiting.extend(value.values())
    return found
