"""Reads what a page declares about itself, in JSON-LD, microdata, OpenGraph and other meta elements.

Title, authors, dates, site, language, categories, tags, licence, picture, canonical URL; for each, where it
was found and how sure it is. What only a reader sees (byline, dateline) is read by
threadmill.page.visible_metadata.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from itertools import islice
from typing import Any

from turbohtml import Document, Element

from threadmill.native.loader import load_extension
from threadmill.page.parse.author_names import author_names, site_names
from threadmill.page.parse.link_targets import LinkResolver, link_base
from threadmill.page.parse.tree import Tree
from threadmill.types import Metadata, Moment, Precision

_COMPILED = load_extension("story")

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# Dates with a year do not depend on the present. A relative date is known by its year, which no page has.
_NEVER = datetime(1900, 6, 1, tzinfo=UTC)
_NEVER_YEARS = range(1899, 1902)

_JSON_LD = 'script[type*="ld+json" i]'

Found = tuple[str, str]  # (where, value)
Meta = Mapping[str, Sequence[str]]  # the contents of meta elements by name

# Longer values are cut: a hostile page may have a title of megabytes.
_MAX_VALUE = 2000
_MAX_SCRIPTS = 50  # with JSON-LD
_MAX_ITEMS = 500  # structured items that are read; a hostile page may have a million
_MAX_LIST = 50  # tags, categories, authors

_META = {
    name: {key: f"meta {key}" for key in keys.split()}
    for name, keys in {
        "title": "og:title twitter:title dc.title dcterms.title citation_title",
        "author": "author article:author dc.creator dcterms.creator citation_author parsely-author "
        "byl sailthru.author",
        "site_name": "og:site_name application-name publisher dc.publisher",
        "description": "description og:description twitter:description dc.description",
        "licence": "dc.rights dcterms.rights dcterms.license licence license copyright",
        "date": "article:published_time citation_publication_date citation_online_date dc.date "
        "dc.date.issued dcterms.created dcterms.issued dcterms.date datepublished date pubdate publish-date "
        "publication_date parsely-pub-date sailthru.date og:published_time og:article:published_time",
        "modified": "article:modified_time og:updated_time dcterms.modified datemodified last-modified "
        "og:article:modified_time",
        "image": "og:image og:image:url twitter:image twitter:image:src thumbnail",
        "categories": "article:section dc.subject parsely-section category",
        "tags": "keywords news_keywords article:tag parsely-tags sailthru.tags",
        "language": "content-language dc.language dcterms.language og:locale",
    }.items()
}
_SCHEMA = {
    "title": ("headline", "name"),
    "author": ("author", "creator"),
    "site_name": ("publisher",),
    "description": ("description",),
    "licence": ("license",),
    "date": ("datePublished", "uploadDate", "dateCreated"),
    "modified": ("dateModified",),
    "image": ("image", "thumbnailUrl"),
    "categories": ("articleSection", "genre"),
    "tags": ("keywords",),
    "language": ("inLanguage",),
}
_SCHEMA_FIRST = frozenset({"author", "date", "modified", "licence", "categories", "image"})
_THINGS = ("author", "creator", "publisher")  # values that are things with a name of their own
_ADDRESSES = ("image", "canonical_url")
_TEXTS = ("title", "site_name", "description", "licence", "language", *_ADDRESSES)
_LISTS = ("categories", "tags")
# schema.org types that describe the page itself, not its site, breadcrumbs or pictures
_ABOUT = (
    "article posting page product recipe event video report book course review question softwareapplication "
    "dataset creativework podcastepisode howto"
)
_ABOUT_THE_PAGE = tuple(_ABOUT.split())
_NOT_OF_THE_PAGE = ("website", "breadcrumb", "listitem", "searchaction", "organization", "imageobject")

_WORDS = re.compile(r"\w+")
_SEPARATOR = re.compile(r"\s+[-–—|│·•»›:/]+\s+|\s*[|│»›•]\s*|:\s+")
_MOST_HEADINGS = 20
# Elements that say what they hold. They are searched for together, because a search over all elements takes
# 40 µs whatever it looks for.
_MARKED = "[rel], [itemprop], [itemscope][itemtype]"
# The share of the words of a heading that the declared title must have. On half of the labelled sites, .5 and
# .6 name the same titles; below .4, headings of menus become titles.
_LIKE_TITLE = 0.5
_WHOLE_PIECE = 0.05  # a heading that is a whole piece of the declared title comes before others as alike
_SAME_AS_TITLE = 0.8  # for an h2, which mostly heads a part of the page
_FEW_WORDS = 3  # a shorter heading is a title only where the declared title is short
_HEADING_CHARS = 300

# How often a value of each place was right on labelled pages of half of the sites (239 pages of trafilatura's
# evaluation). A place that was seen less than five times takes the value of its field.
_SURE = {
    "title": 0.6, "title h1": 0.87, "title h2": 0.83, "title title element": 0.4, "title meta": 0.3,
    "author": 0.7, "author schema.org": 0.84, "author meta": 0.64, "author byline": 0.77,
    "author itemprop=author": 0.86, "author rel=author": 0.56,
    "date": 0.8, "date schema.org": 0.87, "date meta": 0.92, "date itemprop=datePublished": 0.99,
    "date time": 0.99, "date named": 0.95, "date dateline": 0.88, "date text": 0.5, "date end": 0.4,
    "kind": 0.8,
}  # fmt: skip
_SURE_OF_OTHERS = 0.9
SITE_ITSELF = " (the site itself)"  # where the only author that a page names is its site


def read_metadata(tree: Tree, searched: DeclaringPage | None = None) -> Metadata:
    """Each value from the most reliable place that declares it, with the name of that place.

    A caller who goes on to look at what the page shows searches it once for both.
    """
    page = searched or DeclaringPage.of(tree)
    addresses = LinkResolver(link_base(page.document, tree.url))
    found = {
        name: (where, addresses.absolute(value) if name in _ADDRESSES else value[:_MAX_VALUE])
        for name in _TEXTS
        for where, value in _first(_candidates(name, page))
    }
    sources = {name: where for name, (where, _) in found.items()}
    values: dict[str, Any] = {name: value for name, (_, value) in found.items()}
    others = {
        **{name: _list(name, page) for name in _LISTS},
        **{name: _declared_moment(name, page) for name in ("date", "modified")},
        "authors": _declared_authors(page, site_names(tree.url, values.get("site_name", ""))),
        "alternates": ("link alternate", tuple(_alternates(page.document, addresses))),
    }
    for name, (where, value) in others.items():
        if value:
            sources["author" if name == "authors" else name], values[name] = where, value
    return Metadata(
        **values,
        author=", ".join(values.get("authors", ())),
        schema=_schema_types(page),
        sources=sources,
        confidence=how_sure(sources),
    )


@dataclass(frozen=True, slots=True)
class DeclaringPage:
    """What a page declares about itself, before its fields are read."""

    tree: Tree
    meta: Meta
    items: list[dict[str, Any]]  # of schema.org
    named: list[tuple[str, Element]]  # elements with the attributes rel and itemprop, and these in lower case
    typed: list[Element]  # with a type of schema.org

    @classmethod
    def of(cls, tree: Tree, wanted: frozenset[str] | None = None) -> DeclaringPage:
        """Search the page for all that declares something, or only for meta elements of the wanted names.

        Elements with certain attributes are found by a look at all elements, which takes longest.
        """
        document = tree.document
        page = cls(tree, _meta_values(document, wanted), list(_schema_items(document)), [], [])
        if wanted is None:
            sort = _sort_marked if _COMPILED is None else _COMPILED.sort_marked
            sort(document.select(_MARKED), page.named, page.typed)
        return page

    @property
    def document(self) -> Document:
        """The page itself."""
        return self.tree.document

    def select(self, word: str, selector: str) -> Iterator[Element]:
        """The elements of a selector that asks for this word in rel or itemprop."""
        return (element for names, element in self.named if word in names and element.matches(selector))


def _sort_marked(elements: Sequence[Element], named: list[tuple[str, Element]], typed: list[Element]) -> None:
    for element in elements:
        relation, names = element.attr("rel"), element.attr("itemprop")
        if relation or names:
            named.append((f"{relation or ''} {names or ''}".lower(), element))
        if element.attr("itemtype") is not None and element.attr("itemscope") is not None:
            typed.append(element)


def _first(candidates: Iterable[Found]) -> list[Found]:
    """The first candidate that has a value, or none."""
    return next(([found] for found in candidates if found[1]), [])


def _declared_moment(name: str, page: DeclaringPage) -> tuple[str, Moment | None]:
    for where, value in _candidates(name, page):
        if value and (moment := read_moment(value)) is not None:
            return where, moment
    return "", None


def _declared_authors(page: DeclaringPage, owners: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """The declared authors. The site itself counts only if there is no other."""
    declared: list[Found] = []
    for where, value in _candidates("author", page):
        if not value:
            continue
        if names := author_names(value, owners):
            return where, names
        declared.append((where, value))
    for where, value in declared:
        if names := author_names(value, frozenset()):
            return where + SITE_ITSELF, names
    return "", ()


def how_sure(sources: Mapping[str, str]) -> dict[str, float]:
    """The probability that each value is right, by the place it was found in."""
    return {name: _sure_of(name, where) for name, where in sources.items()}


@cache  # there are some dozens of places
def _sure_of(name: str, where: str) -> float:
    keys = (f"{name} {where}", f"{name} {where.split(maxsplit=1)[0]}", name)
    return next((known for key in keys if (known := _SURE.get(key))), _SURE_OF_OTHERS)


def read_title(tree: Tree) -> str:
    """The title alone, as read_metadata() finds it."""
    page = DeclaringPage.of(tree, frozenset((*_META["title"], *_META["site_name"])))
    return next((value[:_MAX_VALUE] for _, value in _candidates("title", page) if value), "")


def _candidates(name: str, page: DeclaringPage) -> Iterator[Found]:
    """Values of a field with the place of each, the most reliable first. Some are empty."""
    document, items = page.document, page.items
    if name == "title":
        yield from _titles(page)
        return
    if name == "canonical_url":
        yield "link canonical", _link(document, "canonical")
        yield "meta og:url", (page.meta.get("og:url") or [""])[0]
        return
    if name == "licence":
        yield "link license", _link(document, "license")
        yield "a rel=license", _value(page.select("license", "a[rel~=license i]"), "href")
    if name in _SCHEMA_FIRST:
        yield "schema.org", _schema_value(items, _SCHEMA[name])
    if name == "language":
        yield "html lang", _attribute(document, "html[lang]", "lang")
    for where, values in _in_meta(name, page.meta):
        yield where, ", ".join(values) if name == "author" else values[0]
    if name not in _SCHEMA_FIRST:
        yield "schema.org", _schema_value(items, _SCHEMA[name])
    yield from _microdata(name, page)


def _in_meta(name: str, meta: Meta) -> Iterator[tuple[str, Sequence[str]]]:
    """The values of the meta elements of a field, with the place of each."""
    return ((where, meta[key]) for key, where in _META[name].items() if key in meta)


def _microdata(name: str, page: DeclaringPage) -> Iterator[Found]:
    if name == "author":
        authors = list(page.select("author", "[itemprop~=author]"))
        if authors:
            yield "itemprop=author", _text_of(page.select("name", "[itemprop~=author] [itemprop~=name]"))
            yield "itemprop=author", _text_of(authors)
        yield "rel=author", _text_of(page.select("author", "[rel~=author i]"))
    if name in {"date", "modified"}:
        key = _SCHEMA[name][0]
        for attribute in ("content", "datetime"):
            found = page.select(key.lower(), f"[itemprop~={key}][{attribute}]")
            yield f"itemprop={key}", _value(found, attribute)


def _titles(page: DeclaringPage) -> Iterator[Found]:
    """A heading that the declared title repeats, else the declared title without the name of the site.

    Declared titles are made for search engines: half of them carry the name of the site or other words.
    """
    declared = [("schema.org headline", _schema_value(page.items, ("headline",)))]
    declared += [(where, values[0]) for where, values in _in_meta("title", page.meta)]
    declared.append(("schema.org", _schema_value(page.items, _SCHEMA["title"])))
    declared.append(("title element", _text(page.document, "title")))
    declared = [(where, value) for where, value in declared if value]
    sites = [name for _, values in _in_meta("site_name", page.meta) for name in values]
    best = _best_heading(page.document, list(dict.fromkeys(value for _, value in declared)), sites)
    if best:
        yield best
    for where, value in declared:
        yield where, _without_site(value, sites)
    yield "h1 alone", _text(page.document, "h1")[:_HEADING_CHARS]


_Words = Sequence[frozenset[str]]  # of some texts


def _best_heading(document: Document, declared: Sequence[str], sites: Sequence[str]) -> Found | None:
    """The heading among the first of the page most of whose words the declared titles have.

    A tree knows the elements of each tag. A search for two tags looks at all elements: only if order decides.
    """
    first, second = document.select("h1"), document.select("h2")
    if not declared or not (first or second):
        return None
    not_titles = [_words(name) for name in sites]
    known = [_words(value) for value in declared]
    pieces = [_words(piece) for value in declared for piece in _SEPARATOR.split(value)]
    if len(first) + len(second) <= _MOST_HEADINGS:
        rank, best = _like_title(first, known, pieces, not_titles)
        if rank > 1:  # no h2 is as likely
            return best
        other_rank, other = _like_title(second, known, pieces, not_titles)
        if rank != other_rank or best is None:
            return best if rank > other_rank else other
    return _like_title(document.select("h1, h2")[:_MOST_HEADINGS], known, pieces, not_titles)[1]


def _like_title(
    headings: Sequence[Element], known: _Words, pieces: _Words, not_titles: _Words
) -> tuple[float, Found | None]:
    """The heading most of whose words the declared titles have, and how much it is like them."""
    longest = max(map(len, pieces))
    likeness, best = 0.0, None
    for heading in headings:
        text = " ".join(heading.text[: 2 * _MAX_VALUE].split())
        own = _words(text)
        if not own or own in not_titles or len(text) > _HEADING_CHARS:
            continue
        if len(own) < _FEW_WORDS <= longest - 1:  # the name of a section or of the site
            continue
        shared = max(len(own & other) / len(own) for other in known)
        least = _LIKE_TITLE if heading.tag == "h1" else _SAME_AS_TITLE
        rank = shared + _WHOLE_PIECE * (own in pieces) - _WHOLE_PIECE * (heading.tag == "h2")
        if shared >= least and rank > likeness:
            likeness, best = rank, (heading.tag, text)
    return likeness, best


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.casefold()))


def _without_site(title: str, sites: Sequence[str]) -> str:
    """A title without the name of the site before or after it."""
    names = [_words(site) for site in sites]
    pieces = [(match.start(), match.end()) for match in _SEPARATOR.finditer(title[:_MAX_VALUE])]
    for start, end in pieces:
        if _words(title[:start]) in names and title[end:]:
            return title[end:]
    for start, end in reversed(pieces):
        if _words(title[end:]) in names and title[:start]:
            return title[:start]
    return title


def _list(name: str, page: DeclaringPage) -> tuple[str, tuple[str, ...]]:
    """Tags or categories: all values of the first place that has some."""
    for where, values in _list_places(name, page):
        parts = [part.strip() for value in values for part in value[:_MAX_VALUE].replace(";", ",").split(",")]
        if found := tuple(dict.fromkeys(filter(None, parts)))[:_MAX_LIST]:
            return where, found
    return "", ()


def _list_places(name: str, page: DeclaringPage) -> Iterator[tuple[str, Sequence[str]]]:
    yield "schema.org", [_schema_value(page.items, _SCHEMA[name])]
    yield from _in_meta(name, page.meta)
    word = "tag" if name == "tags" else "category"
    found = islice(page.select(word, f"[rel~={word} i]"), _MAX_LIST)
    yield f"rel={name}", [" ".join(element.text[:200].split()) for element in found]


def _meta_values(document: Document, wanted: frozenset[str] | None = None) -> dict[str, list[str]]:
    """The contents of meta elements by their names in lower case; of all, or of the wanted names."""
    values: dict[str, list[str]] = {}
    elements = document.select("meta[content]")[:_MAX_ITEMS]
    for key, content in (_named_contents if _COMPILED is None else _COMPILED.named_contents)(
        elements, _MAX_VALUE
    ):
        if (wanted is None or key in wanted) and len(known := values.setdefault(key, [])) < _MAX_LIST:
            known.append(content)
    return values


def _named_contents(elements: Sequence[Element], most: int) -> Iterator[tuple[str, str]]:
    """Name and content of meta elements that have both."""
    for element in elements:
        key = (
            element.attr("name")
            or element.attr("property")
            or element.attr("itemprop")
            or element.attr("http-equiv")
        )
        content = " ".join((element.attr("content") or "")[:most].split())
        if key and content:
            yield key.strip().lower(), content


def _schema_items(document: Document) -> Iterator[dict[str, Any]]:
    """schema.org items that describe the page, from JSON-LD, also inside of @graph."""
    waiting = [data for script in document.select(_JSON_LD)[:_MAX_SCRIPTS] for data in _json(script.text)]
    items: list[dict[str, Any]] = []
    for _ in range(_MAX_ITEMS):
        if not waiting:
            break
        item = waiting.pop(0)
        if isinstance(item, list):
            waiting[:0] = item[:_MAX_ITEMS]
        elif isinstance(item, dict):
            waiting.extend(value for key in ("@graph", "mainEntity") if (value := item.get(key)) is not None)
            items.append(item)
    names = {str(item["@id"]): item["name"] for item in items if "@id" in item and "name" in item}
    for item in items:
        kind = str(item.get("@type", "")).lower()
        if any(word in kind for word in _ABOUT_THE_PAGE) and not any(
            word in kind for word in _NOT_OF_THE_PAGE
        ):
            yield item | {key: _named(item[key], names) for key in _THINGS if key in item}


def _json(text: str) -> list[Any]:
    """JSON as pages have it: with line ends inside of texts, and inside of a comment or CDATA."""
    text = text.replace("<![CDATA[", "", 1)
    start, end = text.find("{"), text.rfind("}")
    bracket = text.find("[")
    if 0 <= bracket < start:
        start, end = bracket, text.rfind("]")
    try:
        return [json.loads(text[start : end + 1], strict=False)] if 0 <= start < end else []
    except (ValueError, RecursionError):
        return []


def _named(value: Any, names: Mapping[str, Any]) -> Any:
    """A thing that is only pointed at by its ID, with the name that it has elsewhere on the page."""
    if isinstance(value, list):
        return [_named(one, names) for one in value[:_MAX_LIST]]
    if isinstance(value, dict) and "name" not in value and (name := names.get(str(value.get("@id")))):
        return value | {"name": name}
    return value


def _schema_types(page: DeclaringPage) -> tuple[str, ...]:
    kinds = [kind for item in page.items for kind in _as_list(item.get("@type"))]
    kinds += [(element.attr("itemtype") or "") for element in page.typed[:_MAX_ITEMS]]
    return tuple(dict.fromkeys(kind.rpartition("/")[2][:100] for kind in kinds if kind))[:20]


def _as_list(value: Any) -> list[str]:
    return (
        [str(one) for one in value] if isinstance(value, list) else [value] if isinstance(value, str) else []
    )


def _schema_value(items: list[dict[str, Any]], names: tuple[str, ...]) -> str:
    for name in names:
        for item in items:
            if value := _plain(item.get(name)):
                return value
    return ""


def _plain(value: Any, depth: int = 0) -> str:
    """A JSON-LD value as text: the name of a thing, or the names of several."""
    if isinstance(value, str):
        return " ".join(value[:_MAX_VALUE].split())
    if depth > 3:
        return ""
    if isinstance(value, dict):
        return _plain(value.get("name") or value.get("@value") or value.get("url"), depth + 1)
    if isinstance(value, list):
        names = dict.fromkeys(filter(None, (_plain(one, depth + 1) for one in value[:20])))
        return ", ".join(names)
    return ""


def _link(document: Document, relation: str) -> str:
    return _attribute(document, f"link[rel~={relation} i][href]", "href")


def _alternates(document: Document, addresses: LinkResolver) -> Iterator[tuple[str, str]]:
    for element in document.select("link[rel~=alternate i][hreflang][href]")[:_MAX_ITEMS]:
        yield element.attr("hreflang") or "", addresses.absolute(element.attr("href") or "")


def _attribute(document: Document, selector: str, name: str) -> str:
    element = document.select_one(selector)
    return _value([element], name) if element is not None else ""


def _value(elements: Iterable[Element], name: str) -> str:
    """The attribute of the first element."""
    return next(((element.attr(name) or "").strip()[:_MAX_VALUE] for element in elements), "")


def _text(document: Document, selector: str) -> str:
    element = document.select_one(selector)
    return _text_of([element]) if element is not None else ""


def _text_of(elements: Iterable[Element]) -> str:
    """The text of the first element."""
    texts = (" ".join(element.text[: 10 * _MAX_VALUE].split())[:_MAX_VALUE] for element in elements)
    return next(texts, "")


def read_moment(value: str) -> Moment | None:
    """A date as metadata has it: mostly ISO 8601, sometimes in words. None if it has no year."""
    value = value.strip()[:100]
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return _moment_in_words(value) if _YEAR.search(value) else None
    if "T" not in value and ":" not in value:
        return Moment(moment.date())
    zone = moment.isoformat()[-6:] if moment.tzinfo else None
    return Moment(moment.date(), moment.time(), zone, Precision.SECOND if moment.second else Precision.MINUTE)


# A day as most pages in English write it. All forms of a day are read by threadmill.dates, which takes a
# hundred times as long; of these it reads the same day.
_ENGLISH_DAY = re.compile(
    r"(?:([A-Z][a-z]+), )?(?:([A-Z][a-z]+) (\d\d?)(?:st|nd|rd|th)?,|(\d\d?)(?:st|nd|rd|th)? ([A-Z][a-z]+),?)"
    r" (199[1-9]|20[0-3]\d)"
)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_MONTH_NUMBERS = {name: i for i, month in enumerate(_MONTHS, 1) for name in (month, month[:3])}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def english_day(value: str) -> Moment | None:
    """The day that a value names in one of these forms; None for others, and where the weekday is another."""
    if not (found := _ENGLISH_DAY.fullmatch(value)):
        return None
    weekday, month, day, first_day, then_month, year = found.groups()
    try:
        named = date(int(year), _MONTH_NUMBERS[month or then_month], int(day or first_day))
    except (KeyError, ValueError):
        return None
    told = _WEEKDAYS[named.weekday()]
    return Moment(named) if weekday in {None, told, told[:3]} else None


def _moment_in_words(value: str) -> Moment | None:
    if (moment := english_day(value)) is not None:
        return moment
    from threadmill.dates import parse_date  # seldom needed, and it loads the words of all languages

    moment = parse_date(value, _NEVER)
    return None if moment is None or moment.date.year in _NEVER_YEARS else moment
