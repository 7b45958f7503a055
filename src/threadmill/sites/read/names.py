"""Finds what a site calls itself, and writes names so that two scripts and two spellings can be compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache

from threadmill.sites.model import Fact
from threadmill.sites.read.folded_words import common_words, fold
from threadmill.sites.read.site_page import SitePage
from threadmill.sites.read.third_parties import before_credit, is_credit

_TITLE_PARTS = re.compile(r"\s+[|–—\-·•:»/>]+\s+|\s*[|»•·]\s*|\s[-–—]\s|:\s")
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|&copy;|copyright)\s*(?:copyright)?\s*(?:(?:19|20)\d\d\s*[-–—/]?\s*(?:(?:19|20)?\d\d)?)?[\s,.|:–-]*(?:by\s+)?"
    r"([^\n|©.,;:–—<>]{3,60})",
    re.IGNORECASE,
)
_LEGAL_FORM = re.compile(
    r"\b(?:gmbh|mbh|co|kg|ag|ug|ohg|gbr|e\.? ?v|ek|inc|llc|ltd|limited|plc|corp|corporation|company|"
    r"s\.? ?r\.? ?l|srls|s\.? ?p\.? ?a|s\.? ?a|sas|sarl|sasu|eurl|b\.? ?v|n\.? ?v|vof|s\.? ?r\.? ?o|a\.? ?s|"
    r"spol|sp\.? ?k|sp\.? ?j|"
    r"sp\.? z\.? ?o\.? ?o|z o\.? ?o|kft|bt|zrt|nyrt|d\.? ?o\.? ?o|ab|oy|oyj|aps|as|asa|ooo|ооо|зао|тов|ltda|"
    r"lda|sl|slu|p\.? ?iva|partita iva|"
    r"sti|as|ltd sti|san tic)\b\.?"
    r"|股份|有限|责任|責任|公司|集团|集團|株式会社|合同会社|주식회사|شركة|חברה",
    re.IGNORECASE,
)
# Two or three words with a capital, letters alone: "Anna Huber", "J. P. Huber". Firms are called so too.
_PERSON = re.compile(r"(?:[^\W\d_a-z][^\W\d_]*\.?[ -]){1,2}[^\W\d_a-z][^\W\d_]+")
_LONGEST_LEGAL_FORM = 12  # characters: " Sp. z o.o."
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# Words that sites of any trade call themselves by, and words that site builders leave in titles.
_GENERIC = common_words("generic_names")
_MOST_NAME_WORDS = 7  # a longer text is a sentence
_LEAST_LETTERS = 4
_CUT_OFF = frozenset({"sp", "e", "p", "s", "z", "o", "d", "spol"})  # of "Sp. z o.o.", "e.V.", "S.p.A."
_BEFORE_NAME = frozenset({"copyright", "by", "powered", "©", "-", "–"})
_STATED = (
    'meta[property="og:site_name"]',
    'meta[name="application-name"]',
    'meta[name="apple-mobile-web-app-title"]',
)
_ORGANISATION = re.compile(
    r"Organi[sz]ation|Business|Corporation|Store|Restaurant|Hotel|School|WebSite|Club|\wService\b|Dentist|Physician|Attorney"
)
_HOME_PATH = re.compile(r"/?(?:[a-z]{2}(?:-[a-z]{2})?/?)?(?:(?:index|home|default)[\w.-]*)?", re.IGNORECASE)
# A name and a domain agree if one contains the other and is not much shorter: "safeti" and "safetipl" do,
# "maastricht" and "fietsenmakermaastricht" do not.
_LEAST_SHARE = 0.6
_FEW_PAGES = 2  # whose titles show nothing: both may be called "secure form"


def fold_name(text: str) -> str:
    """A name without case, accents, legal form, year, signs and generic words; empty if nothing is left."""
    plain = _YEAR.sub(" ", _LEGAL_FORM.sub(" ", fold(text)))
    words = re.findall(r"\w+", plain)
    own = [word for word in words if word not in _GENERIC and not word.isdigit()]
    letters = sum(map(len, own)) * (1 if "".join(own).isascii() or " " in plain else 2)
    if not own or len(words) > _MOST_NAME_WORDS or letters < _LEAST_LETTERS:
        return ""
    return " ".join(own)


def find_names(
    pages: Sequence[SitePage], labels: Collection[str] = (), places: Collection[str] = ()
) -> Iterator[Fact]:
    """Facts of the kind "name": what the site calls itself; and of the kind "title": other parts of titles.

    Metadata, structured data and the copyright line state a name. A part of a title is a name only if a
    domain or a profile of the site (`labels`) says the same: else it may be a slogan, a town or the name of
    the page. What looks like a person in the copyright line needs a second sign too: it may be a designer or
    a photographer. `places` are words of the site's addresses. A town alone is no name.
    """
    stated = [fact for page in pages for fact in _stated_names(page, labels)]
    titles = list(_parts_of_titles(pages))
    owners = [fact for page in pages for fact in _copyright_names(page)]
    known = {fact.value for fact in (*stated, *owners) if fact.kind == "name"}
    known |= {fact.value for fact in owners if fact.kind == "title" and _has_second_sign(fact, pages, titles)}
    owners = [fact for fact in owners if fact.value in known]
    for fact in (*stated, *owners, *titles):
        words = fact.value.split()
        if not words or all(word in places for word in words):
            continue
        is_name = fact.kind == "name" or fact.value in known or is_label(fact.value, labels)
        yield Fact("name" if is_name else "title", fact.value, fact.written, fact.around, fact.page)


def _stated_names(page: SitePage, labels: Collection[str]) -> Iterator[Fact]:
    document = page.tree.document
    for selector in _STATED:
        element = document.select_one(selector)
        if element is not None:
            yield _name(str(element.attr("content") or ""), selector, page)
    author = document.select_one('meta[name="author"]')
    if author is not None:  # if the title has no word of it, the author is the web designer
        fact = _name(str(author.attr("content") or ""), "meta author", page)
        if set(fact.value.split()) & set(re.findall(r"\w+", fold(page.title))):
            yield fact
    for item in page.data:
        if isinstance(item.get("name"), str):
            fact = _name(item["name"], f"structured data: {item.get('@type')}", page)
            # A person may be an author or a customer, unless the domain has the same name.
            if _is_organisation(item.get("@type")) or is_label(fact.value, labels):
                yield fact


def _copyright_names(page: SitePage) -> Iterator[Fact]:
    """Names in the copyright line. One that looks like a person's is of the kind "title".

    So is what the metadata say, where people who make sites write their own name.
    """
    element = page.tree.document.select_one('meta[name="copyright"]')
    if element is not None:
        yield replace(_name(str(element.attr("content") or ""), "meta copyright", page), kind="title")
    end = page.text[-4000:]
    for found in _COPYRIGHT.finditer(end):
        parts = (part for part in _TITLE_PARTS.split(before_credit(found[1])) if fold_name(part))
        fact = _name(next(parts, ""), " ".join(found[0].split()), page)
        if fact.value not in _texts_of_links(page):  # beside the year stands a link: "© 2024 - Our terms"
            line = end[found.start(1) : found.end() + _LONGEST_LEGAL_FORM].partition("\n")[0]
            is_person = _PERSON.fullmatch(fact.written) and not _LEGAL_FORM.search(line)
            yield replace(fact, kind="title") if is_person else fact


def _has_second_sign(person: Fact, pages: Sequence[SitePage], titles: Sequence[Fact]) -> bool:
    """Whether a title, a link to the home page or a line without a copyright sign has the name too."""
    if any(person.value == title.value for title in titles):
        return True
    name = person.value
    if not name:
        return False
    for page in pages:
        own = "/".join(page.url.split("/")[:3])
        if any(fold_name(text) == name and _is_home(href, own) for href, text in page.links):
            return True
        lines = (line for line in fold(page.text).split("\n") if name in line)
        if any(not _COPYRIGHT.search(line) and not is_credit(line) for line in lines):
            return True
    return False


def _is_home(href: str, own: str) -> bool:
    """Whether a link leads to the home page of the site with this address."""
    return href.startswith(own) and bool(_HOME_PATH.fullmatch(href[len(own) :].partition("#")[0]))


def _name(written: str, around: str, page: SitePage) -> Fact:
    return Fact("name", fold_name(written), _trim(written), around[:160], page.url)


def _trim(written: str) -> str:
    """A name as it is written, without generic words and cut-off legal forms at both ends."""
    words = written.split()
    while len(words) > 1 and _is_rest(words[-1]):
        words.pop()
    while len(words) > 1 and fold(words[0]).strip(":,") in _BEFORE_NAME:
        words.pop(0)
    return " ".join(words)[:80]


def _is_rest(word: str) -> bool:
    plain = re.sub(r"\W", "", fold(word))
    return not plain or plain in _GENERIC or plain in _CUT_OFF


def _texts_of_links(page: SitePage) -> set[str]:
    """The folded texts of links to other pages of the site, without the home page."""
    own = "/".join(page.url.split("/")[:3])
    return {fold_name(text) for href, text in page.links if href.startswith(own) and not _is_home(href, own)}


def _is_organisation(kind: object) -> bool:
    """Whether a type of structured data (a text or a list of texts) means an organisation."""
    said = " ".join(kind) if isinstance(kind, list) and all(isinstance(k, str) for k in kind) else str(kind)
    return bool(_ORGANISATION.search(said))


def _parts_of_titles(pages: Sequence[SitePage]) -> Iterator[Fact]:
    """Parts of the titles of a site's pages that may be its name.

    These are parts that several titles share, and the shortest, the first and the last part of the home
    page's title.
    """
    counts = Counter(
        part
        for title in {page.title for page in pages}
        for part in {fold_name(p) for p in _TITLE_PARTS.split(title)}
        if part
    )
    seen: set[str] = set()
    # A part that is the only one in all titles is the name: nothing else stands on every page.
    everywhere = [part for part, count in counts.items() if count == len(pages) > _FEW_PAGES]
    everywhere = everywhere or _only_title(pages)
    for number, page in enumerate(pages):
        parts = [(value, part) for part in _TITLE_PARTS.split(page.title) if (value := fold_name(part))]
        own = (
            {parts[0][0], parts[-1][0], min(parts)[0], min(parts, key=lambda p: len(p[0]))[0]}
            if parts
            else set()
        )
        for value, part in parts:
            if value not in seen and (counts[value] > 1 or (number == 0 and value in own)):
                seen.add(value)
                kind = "name" if everywhere == [value] else "title"
                yield Fact(kind, value, _trim(part), page.title[:160], page.url)


def _only_title(pages: Sequence[SitePage]) -> list[str]:
    """The folded title that all pages have, if it is one name without other parts."""
    titles = {page.title for page in pages}
    if len(titles) != 1 or len(pages) <= _FEW_PAGES:
        return []
    return [name] if (name := fold_name(titles.pop())) else []


def is_label(name: str, labels: Collection[str]) -> bool:
    """Whether a domain or a profile of the site has this name."""
    compact = re.sub(r"\W", "", romanise(name))
    for label in labels:
        plain = re.sub(r"[\W\d_]", "", fold(label))
        short, long = sorted((compact, plain), key=len)
        if len(short) >= _LEAST_LETTERS and short in long and len(short) >= _LEAST_SHARE * len(long):
            return True
    return False


def romanise(text: str) -> str:
    """The text in Latin letters, folded."""
    if text.isascii():
        return text.casefold()
    from anyascii import anyascii  # its tables are read letter by letter: nothing is loaded for Latin text

    return fold(str(anyascii(text)))


_DIGRAPHS = {
    "shch": "s",
    "tsch": "s",
    "sch": "s",
    "dzh": "g",
    "sh": "s",
    "zh": "s",
    "ch": "k",
    "kh": "h",
    "gh": "g",
    "ph": "f",
    "th": "t",
    "rh": "r",
    "dj": "g",
    "ts": "s",
    "tz": "s",
    "ck": "k",
}
_ONE_SOUND = str.maketrans(
    {"p": "b", "q": "k", "x": "k", "z": "s", "w": "f", "v": "f", "j": "g", "h": None, "y": None}
    | dict.fromkeys("aeiou")
)
_LEAST_SOUNDS = 5  # letters: fewer are shared by many names
_SEMITIC = re.compile(r"[\u0590-\u06ff]")


def sounds_of(name: str) -> frozenset[str]:
    """Spellings by which a name is found in another script: "Embaby Plast" and "إمبابي بلاست" share one.

    The first is the name in Latin letters. The others are its consonants alone, because scripts write other
    vowels, or none, and have letters for other consonants: Arabic has no p, Greek no sh. A Latin c is a k or
    an s.
    """
    plain = re.sub(r"[^a-z]", "", romanise(name))
    found = {plain.replace("w", "v").replace("y", "i")} if len(plain) >= _LEAST_SOUNDS else set()
    if _SEMITIC.search(name):
        plain = plain.replace("w", "")  # stands for o and u
    plain = _digraph_pattern().sub(lambda digraph: _DIGRAPHS[digraph[0]], plain)
    for letter in "ks" if "c" in plain else "k":
        sounds = re.sub(r"(.)\1+", r"\1", plain.replace("c", letter).translate(_ONE_SOUND))
        if len(sounds) >= _LEAST_SOUNDS:
            found.add(sounds.upper())
    return frozenset(found)


@cache
def _digraph_pattern() -> re.Pattern[str]:
    return re.compile("|".join(sorted(_DIGRAPHS, key=len, reverse=True)))


def is_latin(name: str) -> bool:
    """Whether a folded name is written in Latin letters."""
    return name.isascii() or all(sign < "\u0250" for sign in name)
