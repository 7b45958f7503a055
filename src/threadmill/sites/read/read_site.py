"""Reads one collected site: its outcome, its keywords and its facts. No network, no clock."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from threadmill.errors import URLError
from threadmill.page.parse.hidden import hiding_rules
from threadmill.sites.model import CollectedSite, CompanySite, Key, ReadOutcome, SiteFacts
from threadmill.sites.read.contacts import find_accounts, find_contacts
from threadmill.sites.read.folded_words import common_words, fold
from threadmill.sites.read.keywords import count_keywords, in_language, main_language
from threadmill.sites.read.placeholder import judge_home
from threadmill.sites.read.site_names import find_names
from threadmill.sites.read.site_page import SitePage, read_page
from threadmill.types import Capture
from threadmill.urls import site_of

_WORD = re.compile(r"[^\W_]{3,40}")
# Elements in which a page states its own address.
_OWN_ADDRESS = (
    ('link[rel~="canonical" i][href]', "href"),
    ('meta[property="og:url"]', "content"),
    ('link[rel~="alternate" i][hreflang][href]', "href"),
    ('meta[name="twitter:url"]', "content"),
    ("base[href]", "href"),
)
_IMAGE = 'meta[property="og:image"][content]'
_PICTURE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif)(?:$|[?#])", re.IGNORECASE)
# Domains with pages, scripts and examples of everybody. Two sites that share one of them need not be related.
_COMMON_DOMAINS = common_words("common_domains")
_LEAST_PICTURE_BYTES = 100  # one transparent pixel is smaller, and many sites have it
_GENERIC_PICTURE = re.compile(
    r"^(?:logo\d?|favicon|icon|banner|header|hero|bg|background|image|img|photo|slide|about|contact|home|team|gallery|"
    r"facebook|instagram|twitter|youtube|linkedin|phone|mail|email|map|menu|arrow|flag|loading|placeholder|avatar|user|"
    r"pic|picture|foto|blank|spacer|\w{0,2})?[-_]?\d{0,4}\.\w+$",
    re.IGNORECASE,
)
# Limits that keep a hostile page cheap.
_MOST_WORDS = 20_000
_MOST_TEXT = 200_000
_MOST_ADDRESSES = 60
_MOST_IMAGES = 400
_MOST_ELEMENTS = 1500


def read_site(collected: CollectedSite, *, lemmas: bool = False) -> CompanySite:
    """Judge and read one site. Whatever is wrong with it becomes its outcome, never an error."""
    if not collected.pages:
        outcome = ReadOutcome.FORBIDDEN if collected.forbidden else ReadOutcome.DEAD
        return CompanySite(collected.url, outcome, collected.failure)
    sheets = [hiding_rules(sheet.payload.decode("utf-8", "replace")) for sheet in collected.sheets]
    home = read_page(collected.pages[0], sheets)
    outcome, reason = judge_home(home)
    if outcome is not ReadOutcome.OK:
        return CompanySite(collected.url, outcome, reason, pages=1)
    pages = [home, *(read_page(capture, sheets) for capture in collected.pages[1:])]
    legal = [read_page(capture, sheets) for capture in collected.legal]
    texts = [page.text for page in pages]
    language = main_language(texts)
    facts = gather_facts(collected.url, pages, legal, collected.pictures)
    final_domain = domain_of(home.url)  # after redirects
    if final_domain and final_domain != facts.domain:
        facts = replace(facts, keys=facts.keys | {("domain", final_domain)})
    keywords = count_keywords(in_language(texts, language), language, lemmas=lemmas)
    return CompanySite(collected.url, ReadOutcome.OK, "", language, keywords, facts, len(pages))


def gather_facts(
    url: str, pages: Sequence[SitePage], legal: Sequence[SitePage], pictures: Sequence[Capture]
) -> SiteFacts:
    """The facts of a site. Its legal pages give keys and links, but no names and no words."""
    keys: set[Key] = set()
    links: set[str] = set()
    picture_domains: set[str] = set()
    for page in (*pages, *legal):
        hrefs = [href for href, _ in page.links if href not in page.credits]
        keys.update(find_contacts(page.whole, hrefs, domain_of(url).partition(".")[0]))
        keys.update(find_accounts(page.markup, hrefs))
        keys.update(("domain", domain) for domain in _own_domains(page))
        links.update(
            domain for href in hrefs if not _PICTURE_FILE.search(href) and (domain := domain_of(href))
        )
        picture_domains.update(_domains_of_pictures(page))
    # Pictures often lie on a store that thousands of sites use. A domain that the site also links to, or has
    # mail addresses at, is no such store.
    related = links | {value for kind, value in keys if kind == "mail domain"}
    keys.update(("domain", domain) for domain in picture_domains & related)
    links |= picture_domains
    names = frozenset(name for name in find_names(pages) if name)
    keys.update(("name", name) for name in names)
    keys.update(("picture", digest) for digest in _picture_digests(pictures))
    return SiteFacts(
        frozenset(keys),
        domain_of(url),
        frozenset(links),
        names,
        _count_words(pages),
        frozenset(_picture_names(pages)),
        frozenset(_class_names(pages)),
    )


def domain_of(url: str) -> str:
    """The registrable domain of a web address. Empty if there is none, or if everybody uses it."""
    if not url.startswith(("http://", "https://")):
        return ""
    try:
        domain = site_of(url)
    except URLError:
        return ""
    if "." not in domain or domain in _COMMON_DOMAINS or domain.replace(".", "").isdigit():
        return ""
    return domain


def _own_domains(page: SitePage) -> Iterator[str]:
    """Domains that a page states as its own."""
    document = page.tree.document
    for selector, attribute in _OWN_ADDRESS:
        for element in document.select(selector)[:_MOST_ADDRESSES]:
            domain = domain_of(str(element.attr(attribute) or "").strip())
            if domain:
                yield domain
    for item in page.data:
        for name in ("url", "@id"):
            value = item.get(name)
            if isinstance(value, str) and (domain := domain_of(value)):
                yield domain


def _domains_of_pictures(page: SitePage) -> Iterator[str]:
    """Domains of a page's preview picture and of the logo in its structured data."""
    previews = [element.attr("content") for element in page.tree.document.select(_IMAGE)[:10]]
    for value in (*previews, *(item.get("logo") for item in page.data)):
        if isinstance(value, str) and (domain := domain_of(value.strip())):
            yield domain


def _picture_digests(pictures: Sequence[Capture]) -> Iterator[str]:
    for picture in pictures:
        if len(picture.payload) >= _LEAST_PICTURE_BYTES:
            yield hashlib.sha1(picture.payload).hexdigest()


def _count_words(pages: Sequence[SitePage]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for page in pages:
        counted.update(_WORD.findall(fold(page.text[:_MOST_TEXT])))
    return dict(counted.most_common(_MOST_WORDS))


def _picture_names(pages: Sequence[SitePage]) -> Iterator[str]:
    """File names of the pictures on the pages, without generic ones such as logo.png."""
    for page in pages:
        for image in page.tree.document.select("img[src], img[data-src], source[srcset]")[:_MOST_IMAGES]:
            source = str(image.attr("src") or image.attr("data-src") or image.attr("srcset") or "")
            name = source.strip().partition(" ")[0].partition("?")[0].rpartition("/")[2].casefold()
            if "." in name and not source.startswith("data:") and not _GENERIC_PICTURE.match(name):
                yield name[-80:]


def _class_names(pages: Sequence[SitePage]) -> Iterator[str]:
    """Class names and ids of the elements on the first two pages."""
    for page in pages[:2]:
        for element in page.tree.document.select("[class], [id]")[:_MOST_ELEMENTS]:
            yield from str(element.attr("class") or "").split()[:8]
            if element.attr("id"):
                yield f"#{element.attr('id')}"
