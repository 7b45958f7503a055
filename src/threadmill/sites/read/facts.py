"""All that a site gives away about who runs it, gathered over its pages."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from threadmill.errors import URLError
from threadmill.sites.model import Facts, Key
from threadmill.sites.read.common_words import known
from threadmill.sites.read.contacts import contacts
from threadmill.sites.read.identifiers import identifiers
from threadmill.sites.read.site_names import names
from threadmill.sites.read.site_page import Reading
from threadmill.sites.read.spelling import fold
from threadmill.types import Capture
from threadmill.urls import site_of

_WORD = re.compile(r"[^\W_]{3,40}")
_NUMBERED = re.compile(r"\d")
_CLAIMS = (
    ('link[rel~="canonical" i][href]', "href"),
    ('meta[property="og:url"]', "content"),
    ('link[rel~="alternate" i][hreflang][href]', "href"),
    ('meta[name="twitter:url"]', "content"),
    ("base[href]", "href"),
)
_IMAGE = 'meta[property="og:image"][content]'
_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif)(?:$|[?#])", re.IGNORECASE)
# Where everybody's pages, scripts and examples live: sharing one of them says nothing.
_COMMON_DOMAINS = known("common_domains")
_SMALLEST_PICTURE = 100  # bytes: one transparent pixel is everybody's
_GENERIC_PICTURE = re.compile(
    r"^(?:logo\d?|favicon|icon|banner|header|hero|bg|background|image|img|photo|slide|about|contact|home|team|gallery|"
    r"facebook|instagram|twitter|youtube|linkedin|phone|mail|email|map|menu|arrow|flag|loading|placeholder|avatar|user|"
    r"pic|picture|foto|blank|spacer|\w{0,2})?[-_]?\d{0,4}\.\w+$",
    re.IGNORECASE,
)
_MOST_WORDS = 20_000


def gather_facts(
    url: str, pages: Sequence[Reading], legal: Sequence[Reading], pictures: Sequence[Capture]
) -> Facts:
    """The facts of a site; its legal pages are read for contact data only."""
    keys: set[Key] = set()
    links: set[str] = set()
    pictured: set[str] = set()
    for page in (*pages, *legal):
        hrefs = [href for href, _ in page.links if href not in page.credits]
        keys.update(contacts(page.whole, hrefs, domain_of(url).partition(".")[0]))
        keys.update(identifiers(page.markup, hrefs))
        keys.update(("domain", domain) for domain in _claimed(page))
        links.update(domain for href in hrefs if not _FILE.search(href) and (domain := domain_of(href)))
        pictured.update(_pictured(page))
    # Pictures lie with whoever stores them for thousands; a domain that the site also links to or writes
    # from is no such store.
    known_as = links | {value for kind, value in keys if kind == "mail domain"}
    keys.update(("domain", domain) for domain in pictured & known_as)
    links |= pictured
    called = frozenset(name for name in names(pages) if name)
    keys.update(("name", name) for name in called)
    keys.update(("picture", digest) for digest in _digests(pictures))
    return Facts(
        frozenset(keys),
        domain_of(url),
        frozenset(links),
        called,
        _words(pages),
        frozenset(_picture_names(pages)),
        frozenset(_template(pages)),
    )


def domain_of(url: str) -> str:
    """The registrable domain of a web address; empty where there is none, or it is everybody's."""
    if not url.startswith(("http://", "https://")):
        return ""
    try:
        domain = site_of(url)
    except URLError:
        return ""
    if "." not in domain or domain in _COMMON_DOMAINS or domain.replace(".", "").isdigit():
        return ""
    return domain


def _claimed(page: Reading) -> Iterator[str]:
    """Domains that a page says are its own."""
    document = page.tree.document
    for selector, attribute in _CLAIMS:
        for element in document.select(selector)[:60]:
            domain = domain_of(str(element.attr(attribute) or "").strip())
            if domain:
                yield domain
    for item in page.data:
        for name in ("url", "@id"):
            value = item.get(name)
            if isinstance(value, str) and (domain := domain_of(value)):
                yield domain


def _pictured(page: Reading) -> Iterator[str]:
    """Domains that the picture and the logo of a page come from."""
    said = [element.attr("content") for element in page.tree.document.select(_IMAGE)[:10]]
    for value in (*said, *(item.get("logo") for item in page.data)):
        if isinstance(value, str) and (domain := domain_of(value.strip())):
            yield domain


def _digests(pictures: Sequence[Capture]) -> Iterator[str]:
    for picture in pictures:
        if len(picture.payload) >= _SMALLEST_PICTURE:
            yield hashlib.sha1(picture.payload).hexdigest()


def _words(pages: Sequence[Reading]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for page in pages:
        counted.update(_WORD.findall(fold(page.text[:200_000])))
    return dict(counted.most_common(_MOST_WORDS))


def _picture_names(pages: Sequence[Reading]) -> Iterator[str]:
    for page in pages:
        for image in page.tree.document.select("img[src], img[data-src], source[srcset]")[:400]:
            source = str(image.attr("src") or image.attr("data-src") or image.attr("srcset") or "")
            name = source.strip().partition(" ")[0].partition("?")[0].rpartition("/")[2].casefold()
            if "." in name and not source.startswith("data:") and not _GENERIC_PICTURE.match(name):
                yield name[-80:]


def _template(pages: Sequence[Reading]) -> Iterator[str]:
    for page in pages[:2]:
        for element in page.tree.document.select("[class], [id]")[:1500]:
            yield from str(element.attr("class") or "").split()[:8]
            if element.attr("id"):
                yield f"#{element.attr('id')}"
