"""Reads what a page says about itself: title, author, date, site, URL, licence, and where each was found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from turbohtml import Document

from threadmill.page.parse.link_targets import LinkResolver, link_base
from threadmill.page.parse.tree import Tree
from threadmill.types import Metadata, Moment, Precision

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)  # dates with a year do not depend on the present

_JSON_LD = 'script[type*="ld+json" i]'

Found = tuple[str, str]  # (where, value)

# Longer values are cut: a hostile page may have a title of megabytes.
_MAX_VALUE = 2000
_MAX_ITEMS = 500  # structured items that are read; a hostile page may have a million

_META = {
    name: tuple(keys.split())
    for name, keys in {
        "title": "og:title twitter:title dc.title dcterms.title citation_title",
        "author": "author article:author dc.creator dcterms.creator citation_author parsely-author "
        "byl sailthru.author",
        "site_name": "og:site_name application-name publisher dc.publisher",
        "description": "description og:description twitter:description dc.description",
        "licence": "dc.rights dcterms.rights dcterms.license licence license copyright",
        "date": "article:published_time citation_publication_date dc.date dcterms.created dcterms.date "
        "datepublished date pubdate parsely-pub-date sailthru.date og:published_time article:modified_time",
    }.items()
}
_SCHEMA = {
    "title": ("headline", "name"),
    "author": ("author", "creator"),
    "site_name": ("publisher",),
    "description": ("description",),
    "licence": ("license",),
    "date": ("datePublished", "uploadDate", "dateCreated"),
}
# schema.org types that describe the page itself, not its site, breadcrumbs or pictures
_ABOUT = (
    "article posting page product recipe event video report book course review question softwareapplication "
    "dataset creativework podcastepisode howto"
)
_ABOUT_THE_PAGE = tuple(_ABOUT.split())
_NOT_OF_THE_PAGE = ("website", "breadcrumb", "listitem", "searchaction", "organization", "imageobject")


def read_metadata(tree: Tree) -> Metadata:
    """Each value from the most reliable place that has it, with the name of that place."""
    document = tree.document
    addresses = LinkResolver(link_base(document, tree.url))
    meta = _meta_values(document)
    items = list(_schema_items(document))
    sources: dict[str, str] = {}
    values: dict[str, str] = {}
    for name in ("title", "author", "site_name", "description", "licence", "date"):
        for where, value in _candidates(name, document, meta, items):
            if value:
                sources[name], values[name] = where, value[:_MAX_VALUE]
                break
    canonical = _link(document, "canonical") or meta.get("og:url", "")
    if canonical:
        sources["canonical_url"] = "link canonical" if _link(document, "canonical") else "meta og:url"
    alternates = tuple(_alternates(document, addresses))
    if alternates:
        sources["alternates"] = "link alternate"
    date = values.pop("date", "")
    return Metadata(
        **values,
        date=read_moment(date) if date else None,
        canonical_url=addresses.absolute(canonical) if canonical else "",
        alternates=alternates,
        schema=_schema_types(document, items),
        sources=sources,
    )


def read_title(tree: Tree) -> str:
    """The title alone, as read_metadata() finds it."""
    document = tree.document
    meta = _meta_values(document, frozenset(_META["title"]))
    candidates = _candidates("title", document, meta, list(_schema_items(document)))
    return next((value[:_MAX_VALUE] for _, value in candidates if value), "")


def _candidates(
    name: str, document: Document, meta: Mapping[str, str], items: list[dict[str, Any]]
) -> Iterator[Found]:
    if name == "licence":
        yield "link license", _link(document, "license")
        yield "a rel=license", _attribute(document, "a[rel~=license i]", "href")
    if name == "title":
        yield "schema.org headline", _schema_value(items, ("headline",))
    if name in {"author", "date", "licence"}:
        yield "schema.org", _schema_value(items, _SCHEMA[name])
    for key in _META[name]:
        yield f"meta {key}", meta.get(key, "")
    if name in {"title", "site_name", "description"}:
        yield "schema.org", _schema_value(items, _SCHEMA[name])
    if name == "title":
        yield "title element", _text(document, "title")
        yield "h1", _text(document, "h1")
    if name == "author":
        yield "rel=author", _text(document, "[rel~=author i]")
        yield "itemprop=author", _text(document, "[itemprop~=author]")
    if name == "date":
        yield "time element", _attribute(document, "time[datetime]", "datetime")


def _meta_values(document: Document, wanted: frozenset[str] | None = None) -> dict[str, str]:
    """The contents of meta elements by their names in lower case; of all, or of the wanted names."""
    values: dict[str, str] = {}
    for element in document.select("meta[content]")[:_MAX_ITEMS]:
        key = element.attr("name") or element.attr("property") or element.attr("itemprop")
        if not key:
            continue
        key = key.strip().lower()
        if (wanted is None or key in wanted) and key not in values:
            content = " ".join((element.attr("content") or "")[:_MAX_VALUE].split())
            if content:
                values[key] = content
    return values


def _schema_items(document: Document) -> Iterator[dict[str, Any]]:
    """schema.org items that describe the page, from JSON-LD, also inside of @graph."""
    if document.select_one(_JSON_LD) is None:  # this is fast, while json_ld() searches the whole page
        return
    try:
        waiting: list[Any] = list(document.json_ld())
    except (ValueError, RecursionError):
        return
    for _ in range(_MAX_ITEMS):
        if not waiting:
            return
        item = waiting.pop(0)
        if isinstance(item, list):
            waiting[:0] = item[:_MAX_ITEMS]
        elif isinstance(item, dict):
            waiting.extend(value for key in ("@graph", "mainEntity") if (value := item.get(key)) is not None)
            kind = str(item.get("@type", "")).lower()
            if any(word in kind for word in _ABOUT_THE_PAGE) and not any(
                word in kind for word in _NOT_OF_THE_PAGE
            ):
                yield item


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

    return parse_date(value, _NEVER)
