"""Reads what a page declares about itself, in JSON-LD, microdata, OpenGraph and other meta elements.

Title, authors, dates, site, language, categories, tags, licence, picture, canonical URL; for each, where it
was found and how sure it is. What only a reader sees (byline, dateline) is read by
threadmill.page.visible_metadata.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from turbohtml import Document

from threadmill.page.parse.author_names import author_names, site_names
from threadmill.page.parse.link_targets import LinkResolver, link_base
from threadmill.page.parse.tree import Tree
from threadmill.types import Metadata, Moment, Precision

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
    name: tuple(keys.split())
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


def read_metadata(tree: Tree) -> Metadata:
    """Each value from the most reliable place that declares it, with the name of that place."""
    document = tree.document
    addresses = LinkResolver(link_base(document, tree.url))
    meta = _meta_values(document)
    items = list(_schema_items(document))
    found = {
        name: (where, addresses.absolute(value) if name in _ADDRESSES else value[:_MAX_VALUE])
        for name in _TEXTS
        for where, value in _first(_candidates(name, document, meta, items))
    }
    sources = {name: where for name, (where, _) in found.items()}
    values: dict[str, Any] = {name: value for name, (_, value) in found.items()}
    others = {
        **{name: _list(name, document, meta, items) for name in _LISTS},
        **{name: _declared_moment(name, document, meta, items) for name in ("date", "modified")},
        "authors": _declared_authors(tree, meta, items, values.get("site_name", "")),
        "alternates": ("link alternate", tuple(_alternates(document, addresses))),
    }
    for name, (where, value) in others.items():
        if value:
            sources["author" if name == "authors" else name], values[name] = where, value
    return Metadata(
        **values,
        author=", ".join(values.get("authors", ())),
        schema=_schema_types(document, items),
        sources=sources,
        confidence=how_sure(sources),
    )


def _first(candidates: Iterable[Found]) -> list[Found]:
    """The first candidate that has a value, or none."""
    return next(([found] for found in candidates if found[1]), [])


def _declared_moment(
    name: str, document: Document, meta: Meta, items: list[dict[str, Any]]
) -> tuple[str, Moment | None]:
    for where, value in _candidates(name, document, meta, items):
        if value and (moment := read_moment(value)) is not None:
            return where, moment
    return "", None


def _declared_authors(
    tree: Tree, meta: Meta, items: list[dict[str, Any]], site_name: str
) -> tuple[str, tuple[str, ...]]:
    """The declared authors. The site itself counts only if there is no other."""
    owners = site_names(tree.url, site_name)
    declared: list[Found] = []
    for where, value in _candidates("author", tree.document, meta, items):
        if names := author_names(value, owners):
            return where, names
        declared.append((where, value))
    for where, value in declared:
        if names := author_names(value, frozenset()):
            return where + SITE_ITSELF, names
    return "", ()


def how_sure(sources: Mapping[str, str]) -> dict[str, float]:
    """The probability that each value is right, by the place it was found in."""
    return {
        name: next(
            (
                known
                for key in (f"{name} {where}", f"{name} {where.split()[0]}", name)
                if (known := _SURE.get(key))
            ),
            _SURE_OF_OTHERS,
        )
        for name, where in sources.items()
    }


def read_title(tree: Tree) -> str:
    """The title alone, as read_metadata() finds it."""
    document = tree.document
    meta = _meta_values(document, frozenset((*_META["title"], *_META["site_name"])))
    candidates = _candidates("title", document, meta, list(_schema_items(document)))
    return next((value[:_MAX_VALUE] for _, value in candidates if value), "")


def _candidates(name: str, document: Document, meta: Meta, items: list[dict[str, Any]]) -> Iterator[Found]:
    """Values of a field with the place of each, the most reliable first."""
    if name == "title":
        yield from _titles(document, meta, items)
        return
    if name == "canonical_url":
        yield "link canonical", _link(document, "canonical")
        yield "meta og:url", (meta.get("og:url") or [""])[0]
        return
    if name == "licence":
        yield "link license", _link(document, "license")
        yield "a rel=license", _attribute(document, "a[rel~=license i]", "href")
    if name in _SCHEMA_FIRST:
        yield "schema.org", _schema_value(items, _SCHEMA[name])
    if name == "language":
        yield "html lang", _attribute(document, "html[lang]", "lang")
    for key in _META[name]:
        yield f"meta {key}", ", ".join(meta.get(key, ())) if name == "author" else (meta.get(key) or [""])[0]
    if name not in _SCHEMA_FIRST:
        yield "schema.org", _schema_value(items, _SCHEMA[name])
    yield from _microdata(name, document)


def _microdata(name: str, document: Document) -> Iterator[Found]:
    if name == "author":
        yield "itemprop=author", _text(document, "[itemprop~=author] [itemprop~=name]")
        yield "itemprop=author", _text(document, "[itemprop~=author]")
        yield "rel=author", _text(document, "[rel~=author i]")
    if name in {"date", "modified"}:
        key = _SCHEMA[name][0]
        for attribute in ("content", "datetime"):
            yield f"itemprop={key}", _attribute(document, f"[itemprop~={key}][{attribute}]", attribute)


def _titles(document: Document, meta: Meta, items: list[dict[str, Any]]) -> Iterator[Found]:
    """A heading that the declared title repeats, else the declared title without the name of the site.

    Declared titles are made for search engines: half of them carry the name of the site or other words.
    """
    declared = [("schema.org headline", _schema_value(items, ("headline",)))]
    declared += [(f"meta {key}", (meta.get(key) or [""])[0]) for key in _META["title"]]
    declared.append(("schema.org", _schema_value(items, _SCHEMA["title"])))
    declared.append(("title element", _text(document, "title")))
    declared = [(where, value) for where, value in declared if value]
    sites = [name for key in _META["site_name"] for name in meta.get(key, ())]
    best = _like_title(document, [value for _, value in declared], sites)
    if best:
        yield best
    for where, value in declared:
        yield where, _without_site(value, sites)
    yield "h1 alone", _text(document, "h1")[:_HEADING_CHARS]


def _like_title(document: Document, declared: Sequence[str], sites: Sequence[str]) -> Found | None:
    """The heading most of whose words the declared titles have."""
    not_titles = [_words(name) for name in sites]
    known = [_words(value) for value in declared]
    pieces = [_words(piece) for value in declared for piece in _SEPARATOR.split(value)]
    longest = max(map(len, pieces), default=0)
    likeness, best = 0.0, None
    for heading in document.select("h1, h2")[:_MOST_HEADINGS]:
        text = " ".join(heading.text[: 2 * _MAX_VALUE].split())
        own = _words(text)
        if not own or own in not_titles or len(text) > _HEADING_CHARS:
            continue
        if len(own) < _FEW_WORDS <= longest - 1:  # the name of a section or of the site
            continue
        shared = max((len(own & other) / len(own) for other in known), default=0.0)
        least = _LIKE_TITLE if heading.tag == "h1" else _SAME_AS_TITLE
        rank = shared + _WHOLE_PIECE * (own in pieces) - _WHOLE_PIECE * (heading.tag == "h2")
        if shared >= least and rank > likeness:
            likeness, best = rank, (heading.tag, text)
    return best


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


def _list(
    name: str, document: Document, meta: Meta, items: list[dict[str, Any]]
) -> tuple[str, tuple[str, ...]]:
    """Tags or categories: all values of the first place that has some."""
    for where, values in _list_places(name, document, meta, items):
        parts = [part.strip() for value in values for part in re.split(r"[,;]", value[:_MAX_VALUE])]
        if found := tuple(dict.fromkeys(filter(None, parts)))[:_MAX_LIST]:
            return where, found
    return "", ()


def _list_places(
    name: str, document: Document, meta: Meta, items: list[dict[str, Any]]
) -> Iterator[tuple[str, Sequence[str]]]:
    yield "schema.org", [_schema_value(items, _SCHEMA[name])]
    for key in _META[name]:
        yield f"meta {key}", meta.get(key, ())
    selector = "[rel~=tag i]" if name == "tags" else "[rel~=category i], [rel='category tag' i]"
    yield f"rel={name}", [" ".join(e.text[:200].split()) for e in document.select(selector)[:_MAX_LIST]]


def _meta_values(document: Document, wanted: frozenset[str] | None = None) -> dict[str, list[str]]:
    """The contents of meta elements by their names in lower case; of all, or of the wanted names."""
    values: dict[str, list[str]] = {}
    for element in document.select("meta[content]")[:_MAX_ITEMS]:
        key = (
            element.attr("name")
            or element.attr("property")
            or element.attr("itemprop")
            or element.attr("http-equiv")
        )
        if not key:
            continue
        key = key.strip().lower()
        if wanted is None or key in wanted:
            content = " ".join((element.attr("content") or "")[:_MAX_VALUE].split())
            if content and len(known := values.setdefault(key, [])) < _MAX_LIST:
                known.append(content)
    return values


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


def _schema_types(document: Document, items: list[dict[str, Any]]) -> tuple[str, ...]:
    kinds = [kind for item in items for kind in _as_list(item.get("@type"))]
    kinds += [(e.attr("itemtype") or "") for e in document.select("[itemscope][itemtype]")[:_MAX_ITEMS]]
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
    return (element.attr(name) or "").strip()[:_MAX_VALUE] if element is not None else ""


def _text(document: Document, selector: str) -> str:
    element = document.select_one(selector)
    return " ".join(element.text[: 10 * _MAX_VALUE].split())[:_MAX_VALUE] if element is not None else ""


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


def _moment_in_words(value: str) -> Moment | None:
    from threadmill.dates import parse_date  # seldom needed, and it loads the words of all languages

    moment = parse_date(value, _NEVER)
    return None if moment is None or moment.date.year in _NEVER_YEARS else moment
