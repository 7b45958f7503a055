"""Reads URLs as fields and compares them: session IDs do not count, and one number may be set apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urljoin, urlsplit

_SESSION = re.compile(
    r";jsessionid=[^?#/]*|"
    r"(?P<lead>[?&;])(?:s|sid|phpsessid|jsessionid|zenid|oscsid|[a-z]*session[a-z_]*)=[^&#;?]*|"
    r"(?P<hex>[?&;])\w+=[0-9a-f]{26,}(?=[&#;]|$)",
    re.IGNORECASE,
)
_UNNAMED = re.compile("[,/]")  # between the values of a query that have no names
_NUMBER = re.compile(r"\d{1,7}(?!\d)")
_MAX_DIGITS = 7  # of a page number or an offset, as in _NUMBER
_MAX_URL = 600  # characters; longer URLs are not examined
# The part that the URL of a later page has and the URL of page one lacks:
# "&start=10", "/page/2", "-2", "index2.html".
_PAGE_PART = re.compile(r"[\W_]*[a-z_]{0,12}[\W_]*[a-z]{0,2}\d{1,7}[\W_]*[a-z]{0,5}", re.IGNORECASE)
# What the URL of page one may have in the same place.
_FIRST_PAGE_PART = re.compile(r"[\W_]*(?:index)?[\W_]*[a-z]{0,5}", re.IGNORECASE)
# General words that sites put into URLs. None of them belongs to one forum engine.
_KIND_WORDS = re.compile(
    r"(?P<thread>thread|topic|tema|thema|sujet|discussion|question|showpost|article|comments?(?![a-z])|message)|"
    r"(?P<index>forums?(?![a-z])|viewforum|forumdisplay|boards?|categor|foren|rubri|sektion|tags?(?![a-z]))|"
    r"(?P<other>login|signin|logging|regist|member|profil|users?(?![a-z])|search|suche|faq|account|"
    r"contact|privacy|terms|rules|password|calendar)",
    re.IGNORECASE,
)

# Whole values of fields that name a page for writing, for members or for machines. A crawler is a guest: it
# does not ask for these. A title may contain such a word ("login-problem"), but it consists of several.
_SERVICE = re.compile(
    r"(?:log|sign)[-_]?(?:in|out|on|up)|logging|auth|session|regist(?:er|ration|rieren)|join|account|password|"
    r"(?:lost|send|forgot)[-_]?(?:pw|password)|verify|captcha|"
    r"(?:re)?post(?:ing|_?reply|_?new)|reply|quote|respond|compose|submit|edit|delete|remove|move|split|merge|"
    r"(?:new|create|start|add)[-_]?(?:thread|topic|post|message|reply|question|discussion|ticket)|ask|"
    r"vote|rate|like|thank|karma|report|flag|warn|ban|ignore|subscribe|unsubscribe|notify|watch|bookmark|"
    r"fav(?:ou?rites?)?|share|mark(?:all)?[-_]?(?:as)?[-_]?read|markread|print(?:er|able|page|view|thread)?|pdf|"
    r"rss2?|atom|feeds?|xml|api|opensearch|"
    r"search|find|advanced[-_]?search|members?|member[-_]?list|users?|user[-_]?list|profiles?|online|"
    r"viewonline|who(?:'s|is)?[-_]?online|calendar|pm|privmsg|private|inbox|messages?[-_]?new|mail(?:to)?|email|"
    r"sendmessage|contact|feedback|help|faq|rules|terms|tos|privacy|imprint|impressum|about|cookies?|"
    r"donate|shop|stats|statistics|ucp|usercp|modcp|mcp|admin|admincp|language|style|theme",
    re.IGNORECASE,
)
_NUMBER_AT_END = re.compile(r"(?:[-_.,:]+[0-9a-f]*\d[0-9a-f]*)+$|\d+$", re.IGNORECASE)  # "reply-12.html"
_FILE_ENDING = re.compile(r"\.[a-z]{2,5}\d?$", re.IGNORECASE)


_HEAD = re.compile(r"[^\W\d_]+(?=[-_.,:\d])")  # "topic" of "topic-12"
_INDEX_FILE = re.compile(r"(?:index|default|main)\.\w+", re.IGNORECASE)
_DIGIT = re.compile(r"\d")


def strip_session(url: str) -> str:
    """The URL without its fragment and its session ID."""
    stripped = url.partition("#")[0].replace("&amp;", "&")
    if "=" in stripped:
        stripped = _SESSION.sub(_keep_question_mark, stripped)
        stripped = stripped.replace("?&", "?").rstrip("?&;")
    return stripped


def _keep_question_mark(match: re.Match[str]) -> str:
    lead = match["lead"] or match["hex"] or ""
    return lead if lead == "?" else ""


@lru_cache(maxsize=8192)
def url_fields(url: str) -> Mapping[str, str]:
    """The fields of a URL behind its host, by name and in order, whatever its separators are.

    The pieces of the path are "/1", "/2" and so on. Parameters have their own names. Values of the query
    without a name are "?1", "?2" and so on: "?thread-143.htm" has one, "?1,1003,page=2" has two and a
    parameter, "?/topic/1-x/" has four, the first and the last of them empty.
    """
    parts = urlsplit(strip_session(url))
    fields: dict[str, str] = {}
    for place, piece in enumerate((parts.path or "/").split("/")[1:], 1):
        value, *named = piece.split(";")
        fields[f"/{place}"] = unquote(value)
        for part in named:
            _add_query_field(fields, part)
    for part in re.split("[&;]", parts.query):
        # "1,1003,page=2" is three fields. The value of "q=a,b" is one.
        pieces = _UNNAMED.split(part) if _UNNAMED.search(part.partition("=")[0]) else [part] if part else []
        for piece in pieces:
            _add_query_field(fields, piece)
    return fields


def _add_query_field(fields: dict[str, str], part: str) -> None:
    name, equals, value = part.partition("=")
    if equals and name:
        fields[name] = unquote(value)
    else:
        place = 1 + sum(known[0] == "?" for known in fields)
        fields[f"?{place}"] = unquote(part)


def names_service_page(url: str) -> bool:
    """Whether a URL names a page for writing, logging in, searching or listing members."""
    fields = url_fields(url)
    words = [*fields.values(), *(name for name in fields if not is_unnamed(name) and fields[name])]
    bare = (_NUMBER_AT_END.sub("", _FILE_ENDING.sub("", word)) for word in words if word)
    return any(_SERVICE.fullmatch(word.strip("-_ ")) for word in bare)


def is_unnamed(field: str) -> bool:
    """Whether a field is told by its place, not by a name of its own."""
    return field[0] in "/?"


def differing_fields(one: str, other: str) -> set[str]:
    """The names of the fields in which two URLs differ, also of those that only one of them has."""
    mine, theirs = url_fields(one), url_fields(other)
    return {name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)}


def changed_parameter(one: str, other: str) -> str:
    """The only field of the query in which two URLs with one path differ. Empty if there is no such field."""
    if one.partition("?")[0] != other.partition("?")[0]:
        return ""
    names = differing_fields(one, other)
    return names.pop() if len(names) == 1 else ""


def only_names(url: str, field: str) -> bool:
    """Whether a field is the only one of the query of a URL: it names the page itself, not a part of it."""
    return field in url_fields(url) and sum(name[0] != "/" for name in url_fields(url)) == 1


def is_like_urls(url: str, urls: Sequence[str]) -> bool:
    """Whether a URL is built exactly like several others, and a word or a name says so."""
    mine, theirs = url_fields(url), [url_fields(other) for other in urls]
    if len(theirs) < 2 or any(other.keys() != mine.keys() for other in theirs):
        return False
    columns = {name: [other[name] for other in theirs] for name in mine}
    if not all(fits_values(mine[name], values) for name, values in columns.items()):
        return False
    varying = [name for name, values in columns.items() if len(set(values)) > 1]
    heads = [{_head(value) for value in columns[name]} for name in varying]
    named = any(not is_unnamed(name) for name in varying) or any(
        len(found) == 1 and found.isdisjoint({"", "0"}) for found in heads
    )
    words = [name for name in mine if name not in varying and mine[name] and name[0] in "/?"]
    return named or any(not _INDEX_FILE.fullmatch(mine[name]) for name in words)


def is_built_like(one: str, other: str) -> bool:
    """Whether two URLs have the same fields, with the same words before their numbers."""
    mine, theirs = url_fields(one), url_fields(other)
    return mine.keys() == theirs.keys() and all(fits_values(mine[name], [theirs[name]]) for name in mine)


def fits_values(own: str, values: Sequence[str]) -> bool:
    """Whether a value may be one of these: "forum-7" fits "forum-2" and "forum-9", not "topic-2"."""
    if len(values) > 1 and len(set(values)) == 1:
        return own == values[0]
    heads = {_head(value) for value in values}
    return len(heads) > 1 or _head(own) in heads


def _head(value: str) -> str:
    """The word before the first number or separator of a value, or whether it has a number at all."""
    found = _HEAD.match(value)
    return found[0] if found else "0" if _DIGIT.search(value) else ""


def absolute_url(base: str, href: str) -> str | None:
    """The absolute URL of a link, without fragment and session ID. None if it leads to no page."""
    if href.startswith(("#", "javascript:", "mailto:", "data:", "tel:")):
        return None
    try:
        url = urljoin(base, href.strip())
    except ValueError:  # such as "http://[broken"
        return None
    return strip_session(url)


def same_site(one: str, other: str) -> bool:
    """Whether two URLs are on one host. "www." does not count, and a URL without a host fits any."""
    first, second = urlsplit(one).netloc.lower(), urlsplit(other).netloc.lower()
    return not first or not second or first.removeprefix("www.") == second.removeprefix("www.")


def kind_named_by_url(url: str) -> str:
    """The kind of page that words of the URL suggest: "thread", "index" or "other". Empty if none does."""
    parts = urlsplit(url)
    found = [match.lastgroup or "" for match in _KIND_WORDS.finditer(f"{parts.path}?{parts.query}")]
    # The URL of a thread often names its board too. The URL of a board never names a thread.
    return "thread" if "thread" in found else found[-1] if found else ""


@dataclass(frozen=True, slots=True)
class NumberSlot:
    """A URL with one of its numbers taken out. The pages of one thread or board share a slot."""

    before: str
    after: str

    def fill(self, number: int) -> str:
        """The URL with this number in the slot."""
        return f"{self.before}{number}{self.after}"

    def number_in(self, url: str) -> int | None:
        """The number that a URL has in this slot. None if the rest of the URL differs."""
        if not url.startswith(self.before) or not url.endswith(self.after):
            return None
        middle = url[len(self.before) : len(url) - len(self.after)]
        return int(middle) if middle.isdecimal() and len(middle) <= _MAX_DIGITS else None

    def is_first(self, url: str) -> bool:
        """Whether a URL lacks the number but is otherwise alike: it is that of page one."""
        if not url or self.number_in(url) is not None:
            return False
        later = self.fill(0)
        start = _common_prefix_length(url, later)
        end = min(_common_prefix_length(url[::-1], later[::-1]), len(url) - start, len(later) - start)
        mine, theirs = url[start : len(url) - end], later[start : len(later) - end]
        if start > len(self.before) or not _PAGE_PART.fullmatch(theirs):
            return False
        return bool(_FIRST_PAGE_PART.fullmatch(mine)) and urlsplit(url).netloc == urlsplit(later).netloc


def _common_prefix_length(one: str, other: str) -> int:
    limit = min(len(one), len(other))
    if one[:limit] == other[:limit]:
        return limit
    return next(place for place in range(limit) if one[place] != other[place])


def number_slots(url: str) -> Iterator[tuple[NumberSlot, int]]:
    """Each number of a URL behind its host: the URL without this number, and the number."""
    start = url.find("/", url.find("://") + 3) if "://" in url else 0
    if start < 0 or len(url) > _MAX_URL:
        return
    for match in _NUMBER.finditer(url, start):
        if url[match.start() - 1].isdigit() or "%" in url[match.start() - 2 : match.start()]:
            continue  # the end of a longer number, or part of an escape such as %D0
        yield NumberSlot(url[: match.start()], url[match.end() :]), int(match[0])
