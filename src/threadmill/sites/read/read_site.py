"""Reads one collected site: its outcome, its names, its keywords and its facts. No network, no clock.

For two sites it also finds the pages where their shared facts stand, so that a person can look them up.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from threadmill.errors import URLError
from threadmill.page.parse.hidden import hiding_rules
from threadmill.sites.model import CollectedSite, CompanySite, Fact, Key, ReadOutcome, SiteFacts
from threadmill.sites.read.contacts import (
    PLACEHOLDER,
    find_accounts,
    find_contacts,
    links_to_other_number,
)
from threadmill.sites.read.folded_words import common_words
from threadmill.sites.read.keywords import count_keywords, in_language, main_language
from threadmill.sites.read.names import find_names, is_latin, sounds_of
from threadmill.sites.read.placeholder import judge_home
from threadmill.sites.read.postal_addresses import places_in
from threadmill.sites.read.site_page import SitePage, read_page
from threadmill.types import Capture
from threadmill.urls import site_of
from threadmill.urls.sites import is_ending

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
_LEAST_LABEL = 3  # letters: "sps" and "abc" are the domains of many
_LEAST_PICTURE_BYTES = 100  # one transparent pixel is smaller, and many sites have it
_GENERIC_PICTURE = re.compile(
    r"^(?:logo\d?|favicon|icon|banner|header|hero|bg|background|image|img|photo|slide|about|contact|home|team|gallery|"
    r"facebook|instagram|twitter|youtube|linkedin|phone|mail|email|map|menu|arrow|flag|loading|placeholder|avatar|user|"
    r"pic|picture|foto|blank|spacer|\w{0,2})?[-_]?\d{0,4}\.\w+$",
    re.IGNORECASE,
)
# Limits that keep a hostile page cheap.
_MOST_ADDRESSES = 60
_MOST_IMAGES = 400
_MOST_IGNORED = 5  # that are told
_MOST_ELEMENTS = 1500
_LONGEST_USUAL_ENDING = 5  # letters: "local" and "intra" are the endings of private networks
OF_PICTURE = "address of its picture"  # where a domain was found
_MAIL = {"e-mail", "mail domain"}
_WORDS_OF_TEXT = 40  # spaces in a line of running text; a line of contact data has fewer
_WORDS_OF_SENTENCE = 15
# A sentence goes on behind it: "at the inn, Lindenstr. 3, 23552 Lübeck instead of".
_GOES_ON = re.compile(r" (?!tel|fax|mob|e-?mail|mail|phone|web|kontakt|contact)[a-zß-öø-ÿа-я]{3,}\b")
_MAKER = re.compile(
    r"manufacturer|hersteller|fabrica\w+|produttore|producent|výrobce", re.IGNORECASE
)  # of goods
_SENTENCE = re.compile(r"(?:(?<!\w)[a-zß-öø-ÿа-я]{2,} ){3}")
_SKETCH = 64  # hashes of a site: the share that two sites have in common is then right to 0.06


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
    if final_domain and final_domain != facts.domain and ("domain", final_domain) not in facts.keys:
        redirect = Fact("domain", final_domain, final_domain, f"redirect to {home.url}", collected.url)
        facts = replace(facts, keys=facts.keys | {redirect.key}, found=(*facts.found, redirect))
    keywords = count_keywords(in_language(texts, language), language, lemmas=lemmas)
    reason = f"placeholder data left out: {', '.join(facts.ignored)}" if facts.ignored else ""
    return CompanySite(collected.url, ReadOutcome.OK, reason, language, keywords, facts, len(pages))


def gather_facts(
    url: str, pages: Sequence[SitePage], legal: Sequence[SitePage], pictures: Sequence[Capture]
) -> SiteFacts:
    """The facts of a site. Its legal pages give contact data and links, but no names."""
    found: dict[Key, Fact] = {}
    links: set[str] = set()
    picture_domains: set[str] = set()
    for number, page in enumerate((*pages, *legal)):
        hrefs = [
            href
            for href, text in page.links
            if href not in page.credits and not links_to_other_number(href, text)
        ]
        domains = [Fact("domain", domain, domain, place) for domain, place in _own_domains(page)]
        own = {fact.value for fact in domains} | {domain_of(url)} - {""}
        contacts = find_contacts(page.whole, hrefs, domain_of(url).partition(".")[0])
        for fact in (
            *_with_mentions(contacts, page, own, is_legal=number >= len(pages)),
            *_profiles_of_others(find_accounts(page.markup, hrefs), page),
            *domains,
        ):
            known = found.get(fact.key)
            if known is None or (known.is_mention and not fact.is_mention):
                found[fact.key] = replace(fact, page=page.url)
        links.update(
            domain for href in hrefs if not _PICTURE_FILE.search(href) and (domain := domain_of(href))
        )
        picture_domains.update(_domains_of_pictures(page))
    # Pictures often lie on a store that thousands of sites use. A domain that the site also links to, or has
    # mail addresses at, is no such store.
    related = links | {value for kind, value in found if kind == "mail domain"}
    for domain in picture_domains & related:
        found.setdefault(("domain", domain), Fact("domain", domain, domain, OF_PICTURE, url))
    links |= picture_domains
    for fact in _find_name_facts(url, pages, found):
        found.setdefault(fact.key, fact)
    for picture in pictures:
        if len(picture.payload) >= _LEAST_PICTURE_BYTES:
            digest = hashlib.sha1(picture.payload).hexdigest()
            found.setdefault(("picture", digest), Fact("picture", digest, picture.url, "", picture.url))
    ignored = tuple(value for kind, value in found if kind == PLACEHOLDER)[:_MOST_IGNORED]
    found = {key: fact for key, fact in found.items() if fact.kind != PLACEHOLDER}
    return SiteFacts(
        frozenset(found),
        domain_of(url),
        frozenset(links),
        frozenset(value for kind, value in found if kind == "name"),
        frozenset(_picture_names(pages)),
        sketch_of(_class_names(pages)),
        tuple(fact for fact in found.values() if "sound" not in fact.kind),
        ignored,
    )


def _with_mentions(
    facts: Iterable[Fact], page: SitePage, own: Collection[str], *, is_legal: bool
) -> Iterator[Fact]:
    """The contact data of a page. Those in a running text may be somebody else's, and are marked as mentions.

    A running text is that of an article, a long line, or the text of a link: the title of something else.
    Mail is a mention wherever it stands, but in a footer and on a legal page. What stands beside the site's
    own domain is its own.
    """
    titles = "\n".join(text for href, text in page.links if href.startswith("http"))
    long_lines = [line for line in page.whole.split("\n") if _is_running_text(line)]
    for fact in facts:
        if is_legal or any(domain in fact.around.lower() for domain in own):
            yield fact
        elif fact.kind in _MAIL:
            yield replace(fact, is_mention=fact.value not in page.footer.lower())
        elif _MAKER.search(fact.around.partition(fact.written)[0]):
            yield replace(fact, is_mention=True)
        elif page.framing is not None:
            yield replace(fact, is_mention=not _stands_in(fact, page.framing))
        else:
            is_said = any(
                fact.written in line and not any(map(line.lower().count, own)) for line in long_lines
            )
            goes_on = _GOES_ON.match(fact.around.partition(fact.written)[2]) is not None
            yield replace(fact, is_mention=is_said or goes_on or fact.written in titles)


def _is_running_text(line: str) -> bool:
    """Whether a line is long, or shorter with several words of a sentence in a row."""
    words = line.count(" ")
    return words >= _WORDS_OF_TEXT or (words >= _WORDS_OF_SENTENCE and _SENTENCE.search(line) is not None)


def _profiles_of_others(facts: Iterable[Fact], page: SitePage) -> Iterator[Fact]:
    """The accounts and profiles of a page. A profile that the text of an article links to is a mention."""
    for fact in facts:
        is_mention = fact.kind == "profile" and page.framing is not None and fact.around not in page.framing
        yield replace(fact, is_mention=True) if is_mention else fact


def _stands_in(fact: Fact, text: str) -> bool:
    return fact.written in text or fact.around in text  # around a linked number stands its link


def _find_name_facts(url: str, pages: Sequence[SitePage], found: Mapping[Key, Fact]) -> Iterator[Fact]:
    """Names, the first parts of domains, and the sounds of both, by which another script is compared."""
    labels: dict[str, Fact] = {}
    own = domain_of(url)
    for fact in (Fact("domain", own, own, "its address", url), *found.values()):
        if fact.kind in {"domain", "mail domain"} and (label := label_of(fact.value)):
            labels.setdefault(label, replace(fact, kind="label", value=label))
    yield from labels.values()
    profiles = (fact for fact in found.values() if fact.kind == "profile" and not fact.is_mention)
    handles = {fact.value.partition(" ")[2] for fact in profiles}
    names = list(find_names(pages, labels.keys(), places_in(found.values()), handles))
    yield from names
    for fact in (*names, *labels.values()):
        for sound in sounds_of(fact.value):
            yield replace(fact, kind="sound" if is_latin(fact.value) else "foreign sound", value=sound)


def label_of(domain: str) -> str:
    """The part of a domain that its owner chose, empty if it says nothing: "kern" of shop.kern.co.uk."""
    try:
        label = site_of(f"http://{domain}/").partition(".")[0]
    except URLError:
        return ""
    return label if len(label) > _LEAST_LABEL and domain not in _COMMON_DOMAINS else ""


def domain_of(url: str) -> str:
    """The registrable domain of a web address. Empty if there is none, or if everybody uses it."""
    if not url.startswith(("http://", "https://")):
        return ""
    try:
        domain = site_of(url)
    except URLError:
        return ""
    if (
        "." not in domain.strip(".")
        or domain.startswith(".")
        or domain in _COMMON_DOMAINS
        or domain.replace(".", "").isdigit()
    ):
        return ""
    ending = domain.rpartition(".")[2]
    if "-" in ending and not ending.startswith("xn--"):
        return ""  # a slash is missing: "kern.atabout-us"
    return "" if _is_glued(ending) else domain


def _is_glued(ending: str) -> bool:
    """Whether a known ending and a word of a path are one: "kern.educertificates"."""
    return (
        len(ending) > _LONGEST_USUAL_ENDING
        and not is_ending(ending)
        and any(map(is_ending, (ending[:2], ending[:3])))
    )


def _own_domains(page: SitePage) -> Iterator[tuple[str, str]]:
    """Domains that a page states as its own, and where."""
    document = page.tree.document
    for selector, attribute in _OWN_ADDRESS:
        for element in document.select(selector)[:_MOST_ADDRESSES]:
            address = str(element.attr(attribute) or "").strip()
            if domain := domain_of(address):
                yield domain, f"{selector.partition('[href]')[0]}: {address[:120]}"
    for item in page.data:
        if str(item.get("@type")).endswith("Offer"):
            continue  # its address may be that of a shop elsewhere
        for name in ("url", "@id"):
            value = item.get(name)
            if isinstance(value, str) and not _PICTURE_FILE.search(value) and (domain := domain_of(value)):
                yield domain, f"structured data: {value[:120]}"


def _domains_of_pictures(page: SitePage) -> Iterator[str]:
    """Domains of a page's preview picture and of the logo in its structured data."""
    previews = [element.attr("content") for element in page.tree.document.select(_IMAGE)[:10]]
    for value in (*previews, *(item.get("logo") for item in page.data)):
        if isinstance(value, str) and (domain := domain_of(value.strip())):
            yield domain


def _picture_names(pages: Sequence[SitePage]) -> Iterator[str]:
    """File names of the pictures on the pages, without generic ones such as logo.png."""
    for page in pages:
        for image in page.tree.document.select("img[src], img[data-src], source[srcset]")[:_MOST_IMAGES]:
            source = str(image.attr("src") or image.attr("data-src") or image.attr("srcset") or "")
            name = source.strip().partition(" ")[0].partition("?")[0].rpartition("/")[2].casefold()
            if "." in name and not source.startswith("data:") and not _GENERIC_PICTURE.match(name):
                yield name[-80:]


def sketch_of(names: Iterable[str]) -> tuple[int, ...]:
    """The smallest hashes of some names: two sketches show how many names two sites have in common."""
    return tuple(sorted({zlib.crc32(name.encode("utf-8", "replace")) for name in names})[:_SKETCH])


def _class_names(pages: Sequence[SitePage]) -> Iterator[str]:
    """Class names and ids of the elements on the first two pages."""
    for page in pages[:2]:
        for element in page.tree.document.select("[class], [id]")[:_MOST_ELEMENTS]:
            yield from str(element.attr("class") or "").split()[:8]
            if element.attr("id"):
                yield f"#{element.attr('id')}"


_LINK = "link to the other site"
_HIDDEN_KINDS = {"label", "sound", "foreign sound"}  # other spellings of facts that are shown


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
        if kind not in _HIDDEN_KINDS
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
