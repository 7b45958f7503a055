"""Recognises home pages without a site: server defaults, domains for sale, a new CMS, empty pages."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection
from importlib.resources import files
from operator import itemgetter

from threadmill.errors import URLError
from threadmill.sites.model import ReadOutcome
from threadmill.sites.read.contacts import find_contacts
from threadmill.sites.read.folded_words import fold
from threadmill.sites.read.site_page import SitePage
from threadmill.urls import site_of

_PHRASES = json.loads(files("threadmill.sites").joinpath("data/placeholder.json").read_text(encoding="utf-8"))


def _any_of(kind: str) -> str:
    # Phrases are folded like the text in which they are sought. Folding also takes Korean and Greek letters
    # apart.
    return "|".join(f"(?:{fold(phrase)})" for phrase in _PHRASES[kind])


# No company says a SURE phrase of itself. A WEAK phrase or a PRODUCT name counts only on a page with few
# words.
_SURE = re.compile(_any_of("sure"))
_WEAK = re.compile(_any_of("weak"))
_PRODUCT = re.compile(_any_of("product"))
# A page that says of its own address what became of it: "domain … expired", "website … not ready yet".
_ABOUT_ITSELF = re.compile(
    f"(?:{_any_of('itself')})[^\\n]{{0,80}}?(?:{_any_of('state')})|(?:{_any_of('state')})[^\\n]{{0,50}}?(?:{_any_of('itself')})"
)
_ITSELF = re.compile(_any_of("itself"))
_FEW_LINKS = 2
_LINKS_TO_PROVIDER = 2  # its home page and an offer
# The home pages of 204 real small organisations have at least 20 words; 19 of 20 have more than 60.
_FEW_WORDS = 60
_NO_WORDS = 8
_HARDLY_WORDS = 12  # without a link and without contact data: nothing to compare
_LEAST_WORDS = 24
# A page that builds itself in the browser has one of these elements, or several scripts and hardly a word.
_SHELL = re.compile(
    r"<div[^>]{0,80}\bid=[\"']?(?:root|app|__next|__nuxt|main-app|svelte|q-app)\b"
    r"|<app-root|<base href=|data-reactroot",
    re.IGNORECASE,
)
_SHELL_WINDOW = 20_000  # characters of the markup
_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
_FEW_SCRIPTS = 2
_WINDOW = 1500  # characters: a placeholder says at once what it is
# Words: so long a page is a real site whatever phrase it quotes, unless its title has the phrase.
_LONG = 250
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNSPACED_LETTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


def judge_home(page: SitePage) -> tuple[ReadOutcome, str]:
    """Decide whether a home page belongs to a real site. The reason quotes the words that decided."""
    text = fold(page.text)
    words = _count_words(page.text, text)
    title = fold(page.title).strip()
    sure = _SURE.search(title) or (_SURE.search(text[:_WINDOW]) if words < _LONG else None)
    if sure:
        return ReadOutcome.PARKED, f"says {sure[0].strip()[:60]!r}"
    if words < _FEW_WORDS:
        said = f"{title}\n{text[:_WINDOW]}"
        weak = _ABOUT_ITSELF.search(said) or _PRODUCT.search(said)
        if weak is None and not _has_contact(page):
            # A firm that gives its telephone number is one, whatever of it is coming soon.
            weak = _WEAK.search(said) or (
                _ITSELF.search(said) if len(_own_links(page)) < _FEW_LINKS else None
            )
        if weak:
            return ReadOutcome.PARKED, f"little more than {weak[0].strip()[:60]!r}"
    if words >= _LEAST_WORDS:
        return ReadOutcome.OK, ""
    is_shell = bool(_SHELL.search(page.markup[:_SHELL_WINDOW]))
    if words < _NO_WORDS and not _has_contact(page):
        needs_scripts = is_shell or len(_SCRIPT.findall(page.markup)) > _FEW_SCRIPTS
        return (ReadOutcome.SCRIPT_ONLY if needs_scripts else ReadOutcome.EMPTY), f"{words} words"
    if is_shell:
        return ReadOutcome.SCRIPT_ONLY, f"{words} words beside its scripts"
    if words < _HARDLY_WORDS and not _own_links(page) and not _has_contact(page):
        return ReadOutcome.EMPTY, f"{words} words, no link to another page, no contact data"
    return ReadOutcome.OK, ""


def _has_contact(page: SitePage) -> bool:
    """Whether a page gives an e-mail address, a telephone number or an address of its own."""
    hrefs = [href for href, _ in page.links if href.startswith(("mailto:", "tel:"))]
    found = list(find_contacts(page.whole, hrefs))
    provider = _provider_of(page, {fact.value for fact in found if fact.kind == "mail domain"})
    if provider:  # then a telephone number is that of the provider
        return any(fact.kind == "e-mail" and not fact.value.endswith(provider) for fact in found)
    return any(fact.kind in {"e-mail", "phone", "address"} for fact in found)


def _provider_of(page: SitePage, mail_domains: Collection[str]) -> str:
    """The domain to which most links of a page lead, if it is another's: that of a host or a builder.

    One link is enough if mail goes there too. A firm that moved links to its other domain as well, but that
    has its name.
    """
    if len(_own_links(page)) >= _FEW_LINKS:
        return ""
    targets = Counter(_domain_of(href) for href, _ in page.links if href.startswith(("http://", "https://")))
    own = _domain_of(page.url)
    domain, count = max(targets.items(), key=itemgetter(1), default=("", 0))
    least = 1 if domain in mail_domains else _LINKS_TO_PROVIDER
    if count < least or 2 * count <= targets.total() or domain == own:
        return ""
    short, long = sorted((own.partition(".")[0], domain.partition(".")[0]), key=len)
    return "" if short in long else domain


def _domain_of(url: str) -> str:
    try:
        return site_of(url)
    except URLError:
        return ""


def _own_links(page: SitePage) -> set[str]:
    """The other pages of its site that a page links to."""
    home = page.url.partition("#")[0]
    own = f"{'/'.join(home.split('/')[:3])}/"
    return {href.partition("#")[0] for href, _ in page.links if href.startswith(own)} - {home}


def _count_words(text: str, folded: str) -> int:
    """The words of a text. In scripts without spaces between words, two letters count as one word."""
    unspaced = len(_UNSPACED_LETTER.findall(text)) // 2
    return max(len(_WORD.findall(folded)), unspaced)
