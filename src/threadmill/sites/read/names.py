"""Finds what a site calls itself, and writes names so that two scripts and two spellings can be compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import unescape
from itertools import combinations_with_replacement

from threadmill.sites.model import Fact
from threadmill.sites.read.folded_words import common_words, fold
from threadmill.sites.read.site_page import SitePage
from threadmill.sites.read.third_parties import before_credit, is_credit

_TITLE_PARTS = re.compile(r"(?<=\w\w)[-–—]\s|\s+[|–—\-·•:»/>]+\s+|\s*[|»•·]\s*|\s[-–—]\s|:\s")
_COPYRIGHT = re.compile(
    r"((?:(?:©|℗|\(c\)|&copy;|\bcopyright\b(?:\s*@)?)\s*)+(?:(?:19|20)\d\d(?:\s*[-–—/,]?\s*(?:19|20)?\d\d\b)*)?)[\s,.|:–-]*(?:(?:by|of)\s+)?"
    # A comma is a part of a name where "and" follows: "Ministry of Europe, Integration and Trade".
    r"([^\n|©.,;:–—<>]{3,60}(?:, [^\W\d_]+(?: [^\W\d_]+)? (?:und|and|et|y|e|i|og|och|en|&) [^\W\d_]+)?)",
    re.IGNORECASE,
)
_COPYRIGHT_SIGN = re.compile(
    r"©|\(c\)|&copy;|\d", re.IGNORECASE
)  # "Copyright notice" has neither sign nor year
# Before the sign stands a program: "SEO by Linkmill 3.6.0 © 2011 Linkmill Inc."
_VERSION = re.compile(r"\d\.\d+(?:\.\d+)?\S{0,8}\W{0,9}$")
_LEGAL_FORM = re.compile(
    r"\b(?:gmbh|mbh|co|kg|ag|ug|ohg|gbr|e\.? ?v|ek|inc|llc|ltd|limited|plc|corp|corporation|company|"
    r"s\.? ?r\.? ?l|srls|s\.? ?p\.? ?a|s\.? ?a|sas|sarl|sasu|eurl|b\.? ?v|n\.? ?v|vof|s\.? ?r\.? ?o|a\.? ?s|"
    r"spol|sp\.? ?k|sp\.? ?j|"
    r"sp\.? z\.? ?o\.? ?o|z o\.? ?o|kft|bt|zrt|nyrt|d\.? ?o\.? ?o|ab|oy|oyj|aps|as|asa|ooo|ооо|зао|тов|ltda|"
    r"lda|sl|slu|pte|pty|p\.? ?iva|partita iva|"
    r"sti|as|ltd sti|san tic)\b\.?"
    r"|股份|有限|责任|責任|公司|集团|集團|株式会社|合同会社|주식회사|شركة|חברה",
    re.IGNORECASE,
)
# Two or three words with a capital, letters alone: "Anna Huber", "J. P. Huber". Firms are called so too.
_PERSON = re.compile(r"(?:[^\W\d_a-z][^\W\d_]*\.?[ -]){1,2}[^\W\d_a-z][^\W\d_]+")
_LEGAL_FORM_AT_END = re.compile(rf"\w\W+(?:{_LEGAL_FORM.pattern})\W*$", re.IGNORECASE)
_LONGEST_LEGAL_FORM = 12  # characters: " Sp. z o.o."
_YEARS = re.compile(r"(?:19|20)\d\d(?:[-–—/](?:19|20)?\d\d)?")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# Words that sites of any trade call themselves by, and words that site builders leave in titles.
_GENERIC = common_words("generic_names")
_PARTS_OF_NAMES = common_words("parts_of_names")  # generic words that a name may end with: "Kern News"
_LONGEST_NAME = 80  # characters
_MOST_NAME_WORDS = 7  # a longer text is a sentence
_LEAST_LETTERS = 4
_VERBS = frozenset({"ist", "is", "est", "jest", "sind", "are", "sont", "является", "είναι"})  # of a sentence
# Behind it, a copyright line goes on with something else: "Kern Mill Limited Quay House".
_END_OF_NAME = re.compile(
    r".*?\b(?:gmbh|limited|ltd|llc|inc|plc|s\.?r\.?l|kft|zrt|d\.?o\.?o|s\.?r\.?o|aps|(?-i:BV|AG|AB|NV|SAS|SpA|SE))\b\.?",
    re.IGNORECASE,
)
_LICENCE = re.compile(
    r"\s+[(\[]?(?:CC[ -](?:BY|0|ZERO)|CC0|Creative Commons|(?:MIT|GPL|Apache|BSD) Licen[cs]e|"
    r"(?:is |are )?licen[cs]ed|"
    r"under (?:a|the)|unter (?:der|einer)|sous licence|bajo licencia|Lizenz:|Licen[cs]e:)",
    re.IGNORECASE,
)
# Behind a year stands the next link of the line: "Kern Mill 2026 Sitemap Legal". Rights may stick to it.
_BEHIND_NAME = re.compile(r"(?<=\w) (?:19|20)\d\d (?=\w)|(?<=[a-z])All [Rr]ights|(?<=[a-z])Alle Rechte")
_WELCOME = re.compile(
    r"^(?:welcome|willkommen|bienvenue|bienvenidos?|benvenut[io]|welkom|witamy|vítejte)"
    r"(?:\s+(?:to|at|bei|auf|in|zu|zur|zum|sur|chez|dans|a|en|su|bij|op|na|v))?\s+(?=\S)",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"^(?:von|by|par|por|door|od|av|af)\s+", re.IGNORECASE)
_ADDRESS = re.compile(r"^https?://(?:www\.)?|/$")
_TRADE_MARK = re.compile(r"(?<=\w)(?:\s?[™®©]|(?<=[a-z])TM)$")  # "KernTM" has a raised TM
_UNFILLED = re.compile(r"[{}<>]|%s")  # a variable of a template
_CUT_OFF = frozenset(
    {"pte", "pty", "sp", "e", "p", "s", "z", "o", "d", "spol"}
)  # of "Sp. z o.o.", "e.V.", "S.p.A."
_BEFORE_NAME = frozenset({"copyright", "by", "of", "powered", "©", "-", "–"})
_STATED = (
    'meta[property="og:site_name"]',
    'meta[name="application-name"]',
)
_SHORT_TITLE = 'meta[name="apple-mobile-web-app-title"]'  # of the page or of the site
_ORGANISATION = re.compile(
    r"Organi[sz]ation|Business(?!Audience|Function)|Corporation|Store|Restaurant|Hotel|School|WebSite|Club|\wService\b|Dentist|Physician|Attorney"
)
_HOME_PATH = re.compile(r"/?(?:[a-z]{2}(?:-[a-z]{2})?/?)?(?:(?:index|home|default)[\w.-]*)?", re.IGNORECASE)
# A name and a domain agree if one contains the other and is not much shorter: "safeti" and "safetipl" do,
# "maastricht" and "fietsenmakermaastricht" do not.
_LEAST_SHARE = 0.6
_LEAST_SHARE_OF_LABEL = 0.7  # other words are no part of the name: "a service of Kern Mill"
_OF_OTHERS = "of others"  # a kind of name: the text of a link to the home page of somebody else
_FEW_PAGES = 2  # whose titles show nothing: both may be called "secure form"


def fold_name(text: str) -> str:
    """A name without case, accents, legal form, year, signs and generic words; empty if nothing is left."""
    plain = _YEAR.sub(" ", _LEGAL_FORM.sub(" ", fold(_TRADE_MARK.sub("", text.strip()))))
    words = re.findall(r"\w+", plain)
    own = [word for word in words if word not in _GENERIC and not word.isdigit()]
    letters = sum(map(len, own)) * (1 if "".join(own).isascii() or " " in plain else 2)
    if not own or len(words) > _MOST_NAME_WORDS or letters < _LEAST_LETTERS:
        return ""
    return " ".join(own)


def ends_with_legal_form(name: str) -> bool:
    """Whether a name ends with a legal form, as that of a firm does: "Kern Mill GmbH"."""
    return bool(_LEGAL_FORM_AT_END.search(name))


def find_names(
    pages: Sequence[SitePage],
    domains: Collection[str] = (),
    places: Collection[str] = (),
    handles: Collection[str] = (),
) -> Iterator[Fact]:
    """Facts of the kind "name": what the site calls itself; and of the kind "title": other parts of titles.

    Metadata, structured data and the copyright line state a name. A part of a title is a name only if the
    first part of a domain (`domains`) or a profile of the site (`handles`) says the same: else it may be a
    slogan, a town or the name of the page. What the copyright line names needs a second sign too: it may be a
    designer, a photographer or the software. `places` are words of the site's addresses. A town alone is no
    name.
    """
    labels = frozenset((*domains, *handles))
    titles = list(_parts_of_titles(pages))
    stated = [fact for page in pages for fact in _stated_names(page, labels, domains)]
    if any(is_label(title.value, labels) for title in titles):
        # The name is known; another one without a legal form is that of a part: "Loans".
        stated = [fact if _is_sure(fact, labels) else replace(fact, kind="title") for fact in stated]
    signs = _Signs.of(pages, titles, labels)
    owners = [
        own for page in pages for fact in _copyright_names(page, labels) if (own := signs.confirm(fact))
    ]
    known = {fact.value for fact in (*stated, *owners) if fact.kind == "name"}
    for fact in (*stated, *owners, *titles):
        words = fact.value.split()
        if not words or all(word in places for word in words):
            continue
        is_name = fact.kind == "name" or fact.value in known or is_label(fact.value, labels)
        written = _trim(fact.written) if is_name else _without_half_quotes(fact.written[:_LONGEST_NAME])
        yield Fact("name" if is_name else "title", fact.value, written, fact.around, fact.page)


def _is_sure(stated: Fact, labels: Collection[str]) -> bool:
    """Whether a stated name is one even if a title has another."""
    if stated.around not in _STATED:
        return True
    return is_label(stated.value, labels) or bool(_LEGAL_FORM.search(stated.written))


def _stated_names(page: SitePage, labels: Collection[str], domains: Collection[str]) -> Iterator[Fact]:
    document = page.tree.document
    for selector in (*_STATED, _SHORT_TITLE):
        element = document.select_one(selector)
        for fact in _stated_name(element and element.attr("content"), selector, page, labels):
            is_title = (
                selector == _SHORT_TITLE and not is_label(fact.value, labels) and _is_in_title(fact, page)
            )
            yield replace(fact, kind="title") if is_title else fact
    author = document.select_one('meta[name="author"]')
    for fact in _stated_name(author and author.attr("content"), "meta author", page, labels):
        # If the title has other words, the author is the web designer or the writer. So it is if the title is
        # not that of the home page: "Lower taxes, by Ann Kern".
        is_known = is_label(fact.value, domains) or _LEGAL_FORM.search(fact.written)
        if is_known or (_is_in_title(fact, page) and _is_home(page.url, "/".join(page.url.split("/")[:3]))):
            yield fact
    for item in page.data:
        if isinstance(item.get("name"), str):
            place = f"structured data: {item.get('@type')}"
            if _is_organisation(item.get("@type")):
                yield from _stated_name(item["name"], place, page, labels)
            # A person may be an author or a customer, unless the domain has the same name. Without a type it
            # may be a step of the path to the page: "Kern Home".
            elif (
                item.get("@type")
                and (plain := re.sub(r"\W", "", fold_name(item["name"])))
                and plain in _plain(domains)
            ):
                yield _name(_PREPOSITION.sub("", item["name"]), place, page)


def _is_in_title(fact: Fact, page: SitePage) -> bool:
    return set(fact.value.split()) <= set(re.findall(r"\w+", fold(page.title)))


def _plain(labels: Collection[str]) -> set[str]:
    return {re.sub(r"\W", "", fold(label)) for label in labels}


def _stated_name(written: object, place: str, page: SitePage, labels: Collection[str]) -> Iterator[Fact]:
    """A name in the metadata. What has several parts is a title, unless a domain is called like a part."""
    if not isinstance(written, str):
        return
    parts = [part for part in _TITLE_PARTS.split(written) if fold_name(part)]
    if len(parts) < 2:
        yield replace(_name(written, place, page), kind="title" if _is_list(written) else "name")
        return
    named = [fact for part in parts if is_label((fact := _name(part, place, page)).value, labels)]
    yield from named or [replace(_name(written, place, page), kind="title")]


def _is_list(written: str) -> bool:
    """Whether a text names several things: "Mykonos, Cyclades, Greece" is no company."""
    return ", " in written and not _LEGAL_FORM.search(written)


def _copyright_names(page: SitePage, labels: Collection[str]) -> Iterator[Fact]:
    """Names in the copyright line. What is only perhaps a name has no kind, or is of the kind "title".

    A name has a legal form, or a second sign elsewhere. Without both, the words are of the kind "title", and
    those of a person, a maker, a program or a link ("Copyright notice") are nothing. Nor is what the metadata
    say, where people who make sites write their own name.
    """
    element = page.tree.document.select_one('meta[name="copyright"]')
    if element is not None:
        yield replace(_name(str(element.attr("content") or ""), "meta copyright", page), kind="")
    end = page.text[-4000:]
    linked, foreign = _texts_of_links(page, labels)
    owners = {fold_name(found[2]) for found in _COPYRIGHT.finditer(end)} - {""}
    for found in _COPYRIGHT.finditer(end):
        parts = (part for part in _TITLE_PARTS.split(before_credit(found[2])) if fold_name(part))
        written = _without_cut_off(next(parts, ""), end[found.end() : found.end() + 1])
        fact = _name(written, " ".join(found[0].split()), page)
        if fact.value in linked:  # beside the year stands a link: "© 2024 - Our terms"
            continue
        line = end[found.start(2) : found.end() + _LONGEST_LEGAL_FORM].partition("\n")[0]
        if fact.value in foreign:
            yield replace(fact, kind=_OF_OTHERS)
        elif "\n" in found[0].rstrip() and not _LEGAL_FORM.search(line):
            continue  # the next line, which may be anything
        elif _is_behind_maker(end, found.start()) or not _COPYRIGHT_SIGN.search(found[1]):
            yield replace(fact, kind="")
        elif _LEGAL_FORM.search(line):
            # Of several owners, some have written the software.
            yield fact if len(owners) == 1 else replace(fact, kind="")
        else:
            is_doubtful = _PERSON.fullmatch(fact.written) or _is_phrase(fact.written)
            yield replace(fact, kind="" if is_doubtful else "title")


def _without_cut_off(written: str, behind: str) -> str:
    """The text up to its legal form or a licence, and without the first letter of a form such as "B.V."."""
    written = _BEHIND_NAME.split(_LICENCE.split(written)[0])[0] or written
    if (name := _END_OF_NAME.match(written)) and not re.match(r"\W*&", written[name.end() :]):
        return name[0]
    rest, _, last = written.rstrip().rpartition(" ")
    return rest if behind == "." and rest and len(last) == 1 else written


def _is_behind_maker(text: str, place: int) -> bool:
    """Whether the line up to a place, or the line before it, names who made the site or its software."""
    before, _, line = text[:place].rstrip(" ").rpartition("\n")
    if _VERSION.search(line) or is_credit(line):
        return True
    last = before.rstrip().rpartition("\n")[2]
    return not line.strip() and is_credit(last)


@dataclass(frozen=True, slots=True)
class _Signs:
    """What else a site calls itself: the second sign for a name in its copyright line."""

    names: frozenset[str]  # folded: parts of titles, texts of links to the home page
    labels: Collection[str]
    lines: tuple[str, ...]  # folded, without those that name a copyright or a maker

    @classmethod
    def of(cls, pages: Sequence[SitePage], titles: Sequence[Fact], labels: Collection[str]) -> _Signs:
        """Read the signs of some pages."""
        names = {title.value for title in titles}
        for page in pages:
            own = "/".join(page.url.split("/")[:3])
            names.update(fold_name(text) for href, text in page.links if _is_home(href, own))
        lines = (line for page in pages for line in fold(page.text).split("\n"))
        others = tuple(line for line in lines if not _COPYRIGHT.search(line) and not is_credit(line))
        return cls(frozenset(names - {""}), labels, others)

    def confirm(self, fact: Fact) -> Fact | None:
        """The name, or the longest part of it that has a second sign; else the fact, if it has a kind."""
        if not fact.value or fact.kind == "name":
            return fact
        if fact.value in self.names:
            return replace(fact, kind="name")
        if part := self._known_part(fact):
            return part
        # A single word may stand anywhere, and the name of a maker in any line about the site.
        is_sayable = " " in fact.value and fact.kind != _OF_OTHERS and not _is_phrase(fact.written)
        is_said = is_sayable and any(fact.value in line for line in self.lines)
        if is_said or is_label(fact.value, self.labels):
            return replace(fact, kind="name")
        return fact if fact.kind == "title" else None

    def _known_part(self, fact: Fact) -> Fact | None:
        """The longest part of a name that a title, a link to the home page or a domain has too."""
        words = fact.written.split()
        ends = [place for place, word in enumerate(words) if not _is_rest(word)]
        runs = [" ".join(words[one : other + 1]) for one, other in combinations_with_replacement(ends, 2)]
        for run in sorted(runs, key=len, reverse=True):
            name = fold_name(run)
            if name in self.names or not _plain([name, run]).isdisjoint(self.labels):
                return replace(fact, kind="name", value=name, written=_trim(run))
        return None


def _is_phrase(written: str) -> bool:
    """Whether half of the words, and two at least, begin with a small letter, or one is a verb."""
    if not _VERBS.isdisjoint(written.split()[1:]):
        return True
    small = sum(word[0].islower() for word in written.split())
    return small > 1 and 2 * small >= len(written.split())


def _is_home(href: str, own: str) -> bool:
    """Whether a link leads to the home page of the site with this address."""
    return href.startswith(own) and bool(_HOME_PATH.fullmatch(href[len(own) :].partition("#")[0]))


def _name(written: str, around: str, page: SitePage) -> Fact:
    written = _ADDRESS.sub("", unescape(written).strip())  # "Kern &amp;amp; Co"
    value = "" if _UNFILLED.search(written) else fold_name(written)
    return Fact("name", value, _trim(written), around[:160], page.url)


def _trim(written: str) -> str:
    """A name as it is written, without generic words and cut-off legal forms at both ends."""
    words = _WELCOME.sub("", written).split()
    while len(words) > 1 and (_is_rest(words[-1]) or _YEARS.fullmatch(words[-1].strip("()"))):
        words.pop()
    while len(words) > 1 and _is_before_name(words[0]):
        words.pop(0)
    return _TRADE_MARK.sub("", _without_half_quotes(" ".join(words)[:_LONGEST_NAME].rstrip(":,; ")))


def _is_before_name(word: str) -> bool:
    """Whether a word is a year, "by", or a sign without a letter: "@ 2023 Kern Mill"."""
    plain = fold(word).strip(":,")
    return not any(map(str.isalnum, word)) or plain in _BEFORE_NAME or bool(_YEARS.fullmatch(word))


def _without_half_quotes(text: str) -> str:
    """The text without an opening quotation mark that nothing closes, or the other way round."""
    for one, other in ("«»", "„“", "“”", '""'):
        if text.count(one) + (text.count(other) if one != other else 0) == 1:
            text = text.strip(one + other)
    return text


def _is_rest(word: str) -> bool:
    plain = re.sub(r"\W", "", fold(word))
    return not plain or plain in _GENERIC - _PARTS_OF_NAMES or plain in _CUT_OFF


def _texts_of_links(page: SitePage, labels: Collection[str]) -> tuple[set[str], set[str]]:
    """The folded texts of links to pages that are no home page, and of links to home pages of others."""
    pages, homes = set(), set()
    own = "/".join(page.url.split("/")[:3])
    for href, text in page.links:
        host = "/".join(href.split("/")[:3])
        if not _is_home(href, host):
            pages.add(fold_name(text))
        elif host != own and not set(labels) & set(re.split(r"[./]", host)):
            homes.add(fold_name(text))
    return pages, homes


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
                kind = "name" if everywhere == [value] and not _is_list(part) else "title"
                yield Fact(kind, value, part.strip(), page.title[:160], page.url)


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
        share = _LEAST_SHARE if short == compact else _LEAST_SHARE_OF_LABEL
        if len(short) >= _LEAST_LETTERS and short in long and len(short) >= share * len(long):
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
