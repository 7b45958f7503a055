"""Reads one collected site: its outcome, its names, its keywords and its facts. No network, no clock.

For two sites it also finds the pages where their shared facts stand, so that a person can look them up.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from threadmill.errors import URLError
from threadmill.page.parse.hidden import hiding_rules
from threadmill.sites.model import CollectedSite, CompanySite, Key, ReadOutcome, SiteFacts
from threadmill.sites.read.contacts import find_accounts, find_contacts
from threadmill.sites.read.folded_words import common_words, fold
from threadmill.sites.read.keywords import count_keywords, in_language, main_language
from threadmill.sites.read.placeholder import judge_home
from threadmill.sites.read.site_page import SitePage, read_page
from threadmill.types import Capture
from threadmill.urls import site_of

_TITLE_PARTS = re.compile(r"\s+[|–—\-·•:»/>]+\s+|\s*[|»•·]\s*|\s[-–—]\s|:\s")
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|&copy;|copyright)\s*(?:copyright)?\s*(?:(?:19|20)\d\d\s*[-–—/]?\s*(?:(?:19|20)?\d\d)?)?[\s,.|:–-]*(?:by\s+)?"
    r"([^\n|©.,;:–—<>]{3,60})",
    re.IGNORECASE,
)
_LEGAL_FORM = re.compile(
    r"\b(?:gmbh|mbh|co|kg|ag|ug|ohg|gbr|e\.? ?v|ek|inc|llc|ltd|limited|plc|corp|corporation|company|"
    r"s\.? ?r\.? ?l|srls|s\.? ?p\.? ?a|s\.? ?a|sas|sarl|sasu|eurl|b\.? ?v|n\.? ?v|vof|s\.? ?r\.? ?o|a\.? ?s|"
    r"spol|"
    r"sp\.? z o\.? ?o|z o\.? ?o|kft|bt|zrt|nyrt|d\.? ?o\.? ?o|ab|oy|oyj|aps|as|asa|ooo|ооо|зао|тов|ltda|"
    r"lda|sl|slu|"
    r"sti|as|ltd sti|san tic)\b\.?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# Words that sites of any trade call themselves by, and words that site builders leave in titles.
_GENERIC = common_words("generic_names")
_MOST_NAME_WORDS = 7  # a longer text is a sentence
_LEAST_LETTERS = 4


def fold_name(text: str) -> str:
    """A name without case, accents, legal form, year, signs and generic words; empty if nothing is left."""
    plain = _YEAR.sub(" ", _LEGAL_FORM.sub(" ", fold(text)))
    words = re.findall(r"\w+", plain)
    own = [word for word in words if word not in _GENERIC and not word.isdigit()]
    if not own or len(words) > _MOST_NAME_WORDS or sum(map(len, own)) < _LEAST_LETTERS:
        return ""
    return " ".join(own)


def find_names(pages: Sequence[SitePage]) -> Iterator[str]:
    """Folded names of the site, each from a place where sites put their own name. Some are empty."""
    for page in pages:
        document = page.tree.document
        for selector in (
            'meta[property="og:site_name"]',
            'meta[name="application-name"]',
            'meta[name="apple-mobile-web-app-title"]',
            'meta[name="copyright"]',
        ):
            element = document.select_one(selector)
            if element is not None:
                yield fold_name(str(element.attr("content") or ""))
        yield from _author_name(page)
        yield from (fold_name(found) for found in _COPYRIGHT.findall(page.text[-4000:]))
        for item in page.data:
            if isinstance(item.get("name"), str) and _is_organisation(item.get("@type")):
                yield fold_name(item["name"])
    yield from _names_in_titles([page.title for page in pages])


def _author_name(page: SitePage) -> Iterator[str]:
    """The author that a page names, if its title has a word of it. Else the author is the web designer."""
    element = page.tree.document.select_one('meta[name="author"]')
    name = fold_name(str(element.attr("content") or "")) if element is not None else ""
    if set(name.split()) & set(re.findall(r"\w+", fold(page.title))):
        yield name


def _is_organisation(kind: object) -> bool:
    """Whether a type of structured data (a text or a list of texts) means an organisation or a person."""
    said = " ".join(kind) if isinstance(kind, list) and all(isinstance(k, str) for k in kind) else str(kind)
    return bool(
        re.search(
            r"Organi[sz]ation|Business|Corporation|Store|Restaurant|Hotel|School|WebSite|Club|Service\b|Person",
            said,
        )
    )


def _names_in_titles(titles: Sequence[str]) -> Iterator[str]:
    """Names in the titles of a site's pages.

    A part that several titles share is the name of the site. So may be the shortest, the first and the last
    part of the home page's title.
    """
    parts = Counter(
        part for title in set(titles) for part in {fold_name(p) for p in _TITLE_PARTS.split(title)} if part
    )
    yield from (part for part, count in parts.items() if count > 1)
    if titles:
        own = [part for p in _TITLE_PARTS.split(titles[0]) if (part := fold_name(p))]
        if own:
            yield min(own, key=len)
            yield own[0]
            yield own[-1]


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


_LINK = "link to the other site"


@dataclass(frozen=True, slots=True)
class SharedFact:
    """A fact of two sites, and the pages of each where it stands, as numbers in `pages_of`."""

    kind: str
    value: str
    one: tuple[int, ...]
    other: tuple[int, ...]


def pages_of(site: CollectedSite) -> tuple[Capture, ...]:
    """The pages of a site that are read for facts."""
    return (*site.pages, *site.legal)


def find_shared_facts(one: CollectedSite, other: CollectedSite) -> list[SharedFact]:
    """The facts that both sites state, and links from one to the other, each with its pages."""
    ours, theirs = _facts_by_page(one), _facts_by_page(other)
    mine, yours = _pages_by_key(ours), _pages_by_key(theirs)
    found = [
        SharedFact(kind, value, tuple(mine[kind, value]), tuple(yours[kind, value]))
        for kind, value in sorted(mine.keys() & yours.keys())
    ]
    there = _linking_pages(ours, domain_of(other.url), domain_of(one.url))
    back = _linking_pages(theirs, domain_of(one.url), domain_of(other.url))
    if there or back:
        found.append(SharedFact(_LINK, "", there, back))
    return found


def _facts_by_page(site: CollectedSite) -> list[SiteFacts]:
    facts = []
    for number, capture in enumerate(pages_of(site)):
        page = read_page(capture)
        is_legal = number >= len(site.pages)
        facts.append(gather_facts(site.url, () if is_legal else (page,), (page,) if is_legal else (), ()))
    return facts


def _pages_by_key(facts: list[SiteFacts]) -> dict[Key, list[int]]:
    found: dict[Key, list[int]] = defaultdict(list)
    for number, one in enumerate(facts):
        for key in one.keys:
            found[key].append(number)
    return found


def _linking_pages(facts: list[SiteFacts], target: str, own: str) -> tuple[int, ...]:
    if not target or target == own:
        return ()
    return tuple(number for number, one in enumerate(facts) if target in one.links)
