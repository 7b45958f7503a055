"""Compares URLs by their fields, without session IDs, and tells links that lead to the next page.

The words and marks of a link tell where it leads (next, back, older). Its number may count pages or posts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from threadmill.forum.records.page_outline import PageOutline

_SESSION = re.compile(
    r";jsessionid=[^?#/]*|"
    r"(?P<lead>[?&;])(?:phpsessid|jsessionid|zenid|oscsid|[a-z]*session[a-z_]*)=[^&#;?]*|"
    # Elsewhere s is a section or a search, and sid the number of a story.
    r"(?P<short>[?&;])s(?:id)?=(?:[0-9a-f]{24,}|(?=[a-z]*\d)[0-9a-z]{24,})(?=[&#;?]|$)",
    re.IGNORECASE,
)
_UNNAMED = re.compile("[,/]")  # between the values of a query that have no names
_NUMBER = re.compile(r"\d{1,7}(?!\d)")
_MAX_DIGITS = 7  # of a page number or an offset, as in _NUMBER
_MAX_URL = 600  # characters; longer URLs are not examined
_LONGEST_WORD = 200  # characters of a value that names a service; a longer one is looked at for minutes
# The part that the URL of a later page has and the URL of page one lacks:
# "&start=10", "/page/2", "-2", "index2.html".
_PAGE_PART = re.compile(
    r"[\W_]*(?:[a-z_]{0,12}[\W_]*[a-z]{0,2}|[a-z]{2,12}[-_]pag(?:e|ina)[-_=/]?)\d{1,7}[\W_]*[a-z]{0,5}",
    re.IGNORECASE,
)
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
    r"get[-_]?(?:ip|profile|daily)|(?:next|prev(?:ious)?)[-_]?(?:topic|thread|newest|oldest)|"
    r"donate|shop|stats|statistics|ucp|usercp|modcp|mcp|admin|admincp|language|style|theme",
    re.IGNORECASE,
)
_DAY = re.compile(r"/(?:19|20)\d\d/(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/?$")  # "/2016/02/28/"
_FILE = re.compile(
    r"\.(?:zip|rar|7z|t?gz|bz2|xz|tar|mbox|eml|pdf|docx?|xlsx?|csv|ics|vcf|jpe?g|png|gif|svg|webp|mp[34]|ogg|avi|exe|"
    r"atom|rss|rdf)$",
    re.IGNORECASE,
)
# "reply-12.html"; nothing is tried twice, so that a long number takes linear time
_NUMBER_AT_END = re.compile(r"(?:[-_.,:]++[a-f]*+\d[0-9a-f]*+)++$|(?<!\d)\d++$", re.IGNORECASE)
FILE_ENDING = re.compile(r"\.[a-z]{2,5}\d?$", re.IGNORECASE)
_VALUE_HEAD = re.compile(r"[^\W\d_]+(?=[-_.,:\d])")  # "topic" of "topic-12"
_VALUE_WORDS = re.compile(r"[^\W\d_]{2,}")
_INDEX_FILE = re.compile(r"(?:index|default|main)\.\w+", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
# A parameter whose value may be a session ID, or the hash that names a thread. Names that say what they are
# (sid, PHPSESSID) are left out of URLs later.
_TOKEN = re.compile(r"[?&;]((?!s=|sid=|\w*sess)\w+=(?=[A-Z]*\d)[0-9A-Z]{16,})(?=[&;#]|$)", re.IGNORECASE)
_ABSOLUTE = re.compile(r"(?:[a-z][a-z0-9+.-]*:|//|#)", re.IGNORECASE)
_DANGLING = re.compile(r"[?&;]+(?=#|$)")
# A session is in nearly all links of a page. The hash of a thread is not in links to other threads, to boards
# and to the start page; links that differ only in a number, as those of a pager do, count as one. In 353
# saved pages only links to style sheets and to a search have such parameters.
_SHARED_BY = 0.9
_FEWEST_LINKS = 3


def strip_session(url: str) -> str:
    """The URL without its fragment and its session ID."""
    stripped = url.partition("#")[0].replace("&amp;", "&")
    if "=" in stripped:
        stripped = _SESSION.sub(_keep_question_mark, stripped)
        stripped = stripped.replace("?&", "?").rstrip("?&;")
    return stripped


def _keep_question_mark(match: re.Match[str]) -> str:
    lead = match["lead"] or match["short"] or ""
    return lead if lead == "?" else ""


def leave_out_shared_token(hrefs: list[str | None], base: str) -> list[str | None]:
    """Links without the session ID that nearly all links to the own host share, whatever its name is."""
    if sum(href is not None and _TOKEN.search(href) is not None for href in hrefs) < _FEWEST_LINKS:
        return hrefs
    home = "/".join(base.split("/", 3)[:3])
    own = {href for href in hrefs if href and (href.startswith(home) or not _ABSOLUTE.match(href))}
    tokens = {_DIGITS.sub("0", _TOKEN.sub("", href)): _TOKEN.search(href) for href in own}
    counts = Counter(match[1] for match in tokens.values() if match).most_common(1)
    token, count = counts[0] if counts else ("", 0)
    if count < max(_FEWEST_LINKS, _SHARED_BY * len(tokens)):
        return hrefs
    shared = re.compile(rf"([?&;]){token}(?:[&;]|(?=#)|$)")
    return [href and _DANGLING.sub("", shared.sub(r"\1", href.replace("&amp;", "&"))) for href in hrefs]


@lru_cache(maxsize=8192)
def url_fields(url: str) -> Mapping[str, str]:
    """The fields of a URL behind its host, by name and in order, whatever its separators are.

    The pieces of the path are "/1", "/2" and so on. Parameters have their own names. Values of the query
    without a name are "?1", "?2" and so on: "?thread-143.htm" has one, "?1,1003,page=2" has two and a
    parameter, "?/topic/1-x/" has four, the first and the last of them empty.
    """
    parts = split_url(strip_session(url))
    fields: dict[str, str] = {}
    places = count(1)
    for place, piece in enumerate((parts.path or "/").split("/")[1:], 1):
        value, *named = piece.split(";")
        fields[f"/{place}"] = unquote(value)
        for part in named:
            _add_query_field(fields, part, places)
    for part in re.split("[&;]", parts.query):
        # "1,1003,page=2" is three fields. The value of "q=a,b" is one.
        pieces = _UNNAMED.split(part) if _UNNAMED.search(part.partition("=")[0]) else [part] if part else []
        for piece in pieces:
            _add_query_field(fields, piece, places)
    return fields


def _add_query_field(fields: dict[str, str], part: str, places: Iterator[int]) -> None:
    name, equals, value = part.partition("=")
    if equals and name:
        fields[name] = unquote(value)
    else:
        fields[f"?{next(places)}"] = unquote(part)


def names_service_page(url: str) -> bool:
    """Whether a URL names a page for writing, logging in, searching or members, or a day of a calendar."""
    if _DAY.search(url):
        return True
    fields = url_fields(url)
    words = [*fields.values(), *(name for name in fields if not is_unnamed(name) and fields[name])]
    short = (word for word in words if 0 < len(word) <= _LONGEST_WORD)
    bare = (_NUMBER_AT_END.sub("", FILE_ENDING.sub("", word)) for word in short)
    return any(_SERVICE.fullmatch(word.strip("-_ ")) for word in bare)


def names_file(url: str) -> bool:
    """Whether the path of a URL ends like that of a file to download."""
    return bool(_FILE.search(split_url(url).path))


def is_unnamed(field: str) -> bool:
    """Whether a field is told by its place, not by a name of its own."""
    return field[0] in "/?"


_ID_IN_PATH = re.compile(r"\d+|(?=[a-f]*\d)[\da-f]{6,}(?:[-.,]\w.*)?")  # 12, 28b7bc75, 28b7bc75-title


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
    """Whether a field is the only one of the query of a URL: it names the page itself, not a part of it.

    Where the path has an ID, that names the page.
    """
    fields = url_fields(url)
    alone = field in fields and sum(name[0] != "/" for name in fields) == 1
    return alone and not any(name[0] == "/" and _ID_IN_PATH.fullmatch(fields[name]) for name in fields)


def is_like_urls(url: str, urls: Sequence[str]) -> bool:
    """Whether a URL is built exactly like several others, and a word or a name says so."""
    mine, theirs = url_fields(url), [url_fields(other) for other in urls]
    if len(theirs) < 2 or any(other.keys() != mine.keys() for other in theirs):
        return False
    columns = {name: [other[name] for other in theirs] for name in mine}
    if not all(fits_values(mine[name], values) for name, values in columns.items()):
        return False
    varying = [name for name, values in columns.items() if len(set(values)) > 1]
    heads = [{_value_head(value) for value in columns[name]} for name in varying]
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
    words = (
        set.intersection(*(set(_VALUE_WORDS.findall(value)) for value in values))
        if len(values) > 1
        else set()
    )
    if not words.issubset(_VALUE_WORDS.findall(own)):  # "thread" of "chain-slips-thread12.html"
        return False
    heads = {_value_head(value) for value in values}
    return len(heads) > 1 or _value_head(own) in heads


def _value_head(value: str) -> str:
    """The word before the first number or separator of a value, or whether it has a number at all."""
    found = _VALUE_HEAD.match(value)
    return found[0] if found else "0" if _DIGIT.search(value) else ""


@lru_cache(maxsize=8192)
def split_url(url: str) -> SplitResult:
    """The parts of a URL, whatever it is: brackets that hold no address are part of a name."""
    try:
        return urlsplit(url)
    except ValueError:  # such as "http://[broken"
        return urlsplit(url.replace("[", "%5B").replace("]", "%5D"))


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
    first, second = _host(one), _host(other)
    return not first or not second or first == second


@lru_cache(maxsize=8192)
def _host(url: str) -> str:
    return split_url(url).netloc.lower().removeprefix("www.")


def kind_named_by_url(url: str) -> str:
    """The kind of page that words of the URL suggest: "thread", "index" or "other". Empty if none does."""
    parts = split_url(url)
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


@lru_cache(maxsize=8192)
def comparable_url(url: str) -> str:
    """A URL for comparison: parameters sorted by name, without empty ones.

    Parameters whose value is itself a query are left out too: they say where the reader came from.
    """
    path, mark, query = url.partition("?")
    if not mark or "&" not in query or ";" in query:
        return url
    parts = [part for part in query.split("&") if "=" not in part or _has_plain_value(part)]
    return f"{path}?{'&'.join(sorted(parts))}"


def _has_plain_value(parameter: str) -> bool:
    value = unquote(parameter.partition("=")[2])
    return bool(value) and "=" not in value


# What stands before the number in a URL: "page=", "/p/", "start=".
_PAGE_NAME = re.compile(
    r"(?<![a-z])(?:p|pg|page|pageno|seite|pagina|página|sivu|strana|stranica|sayfa|str|halaman)[-=/,_.]{0,2}$",
    re.IGNORECASE,
)
_OFFSET_NAME = re.compile(r"(?<![a-z])(?:st|start|offset|from|skip|limit)[-=/,_.]{0,2}$", re.IGNORECASE)


def names_page(before: str) -> bool:
    """Whether the part of a URL before a number calls this number a page."""
    return bool(_PAGE_NAME.search(before))


def names_offset(before: str) -> bool:
    """Whether the part of a URL before a number calls this number an offset: how many items come before."""
    return bool(_OFFSET_NAME.search(before))


def names_page_or_offset(before: str) -> bool:
    """Whether the part of a URL before a number calls this number a page or an offset."""
    return names_page(before) or names_offset(before)


# These words are weak evidence. They count only if the URL of the link agrees.
_NEXT = re.compile(
    r"^\W*(?:(?:pages?|página|pagina|seite|strona|stránka|strana|sida|side|sivu|sayfa|oldal|страница|сторінка)\s+)?"
    r"(?:next|weiter|nächste|vorwärts|suivant|siguiente|adelante|próxim|seguinte|success?iv|avanti|seguente|"
    r"volgende|verder|далее|след|вперед|вперёд|下一|下页|后页|次|다음|sonraki|ileri|następn|dalej|další|ďalš|seuraava|"
    r"nästa|næste|neste|urm|înainte|selanjutnya|berikutnya|επόμεν|következ|sljede|sledeć|следећ|следващ|наступн|tiếp|"
    r"ต่อไป|ถัดไป|הבא|التالي|بعد)\w*(?:\W+\w+){0,2}\W*$",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"^\W*(?:(?:pages?|página|pagina|seite|strona|stránka|strana|sida|side|sivu|sayfa|oldal|страница|сторінка)\s+)?"
    r"(?:prev|first|zurück|vorherig|erste|précéd|premi|anterior|primer|preced|indietro|prima|vorige|eerste|назад|"
    r"пред|перв|попередн|претходн|上一|首页|前|이전|처음|önceki|geri|ilk|poprzed|wstecz|pierwsz|předch|prvn|edellin|"
    r"föreg|forrige|prethod|προηγ|előző|السابق|הקודם|trước)\w*\W*$",
    re.IGNORECASE,
)
# "Next topic" leads to another thread.
_NEXT_THREAD = re.compile(
    r"topic|thread|tema|thema|téma|temat|sujet|discussi[oó]n|onderwerp|wątek|konu|tópico|тем[ау]|主[题題]|帖|"
    r"トピック|スレッド|記事|주제|(?<!댓)글|下一篇|上一篇",
    re.IGNORECASE,
)
# Words for "older", "newer" and "more".
_STEP = re.compile(
    r"\b(?:old(?:er|est)|earlier|newer|later|more|ältere|älter|neuere|weitere|mehr|ouder|oudere|nieuwere|meer|ancien|"
    r"antérieur|précédent|precedenti|récent|plus|antiguo|anterior|reciente|más|mais|vecchi|recenti|altr[aeio]\b|starsze|"
    r"nowsze|więcej|starší|novější|další|více|viac|äldre|nyare|fler|eldre|nyere|ældre|flere|vanhemmat|uudemmat|lisää|eski|"
    r"yeni|daha|starij|novij|još|több|mai mult|lagi|thêm)\w*|"
    r"старые|старее|ранее|новые|новее|ещё|еще|більше|още|још|περισσότερ|もっと|以前|過去|古い|更多|更早|上一|이전|더|المزيد|עוד|เพิ่มเติม",
    re.IGNORECASE,
)
_NEXT_MARK = re.compile(r"(?:^|[-_ /])(?:next|right|forward)(?:$|[-_ .])")
_BACK_MARK = re.compile(r"(?:^|[-_ /])(?:prev|previous|first|left|back)(?:$|[-_ .])")
_STEP_MARK = re.compile(r"(?:^|[-_ ])(?:older|newer|more|step|pag(?:er|ing|ination)|cursor)(?:$|[-_ ])")
_NEXT_ARROWS = frozenset(("›", "»", ">", ">>", "→", "≫", "▶", "⟩"))
_BACK_ARROWS = frozenset(("‹", "«", "<", "<<", "←", "≪", "◀", "⟨"))
_MAX_ICON = 6  # elements of an icon
_MAX_STEP_WORDS = 5  # a link with more words is a title


def is_next(outline: PageOutline, index: int) -> bool:
    """Whether the text, title, label or attributes of a link say "next"."""
    words = (
        outline.text(index, 60)
        or outline.attribute(index, "title")
        or outline.attribute(index, "aria-label")
        or ""
    )
    return says_next(words) or bool(_NEXT_MARK.search(_marks(outline, index)))


@lru_cache(maxsize=8192)
def says_next(words: str) -> bool:
    """Whether a text is a word or an arrow for "next", and not for the next thread."""
    if words.strip() in _NEXT_ARROWS:
        return True
    return bool(_NEXT.match(words)) and not _NEXT_THREAD.search(words)


def names_thread(outline: PageOutline, index: int) -> bool:
    """Whether the text of a link speaks of a thread: "newer topic" is no page of this one."""
    return bool(_NEXT_THREAD.search(outline.text(index, 60)))


def is_back(outline: PageOutline, index: int) -> bool:
    """Whether a link says "previous" or "first"."""
    words = outline.text(index, 24) or outline.attribute(index, "title") or ""
    return _says_back(words) or bool(_BACK_MARK.search(_marks(outline, index)))


@lru_cache(maxsize=8192)
def _says_back(words: str) -> bool:
    return words.strip() in _BACK_ARROWS or bool(_BACK.match(words))


def is_step(outline: PageOutline, index: int) -> bool:
    """Whether a link says "older", "newer" or "more"."""
    words = outline.text(index, 60) or outline.attribute(index, "title") or ""
    if len(words.split()) > _MAX_STEP_WORDS:
        return False
    return _says_step(words) or bool(_STEP_MARK.search(_marks(outline, index)))


def is_marked_step(outline: PageOutline, index: int) -> bool:
    """Whether both the words of a link and its `rel` or `class` attribute say "older", "newer" or "more"."""
    words = outline.text(index, 60)
    return _says_step(words) and bool(_STEP_MARK.search(_marks(outline, index)))


@lru_cache(maxsize=8192)
def _says_step(words: str) -> bool:
    return bool(_STEP.search(words))


def _marks(outline: PageOutline, index: int) -> str:
    """What the `rel` and `class` attributes of a link say, and the names of the icons in it."""
    words = [outline.attribute(index, "rel"), outline.attribute(index, "class")]
    if not outline.text_length(index):
        for inner in range(index + 1, min(outline.end[index], index + _MAX_ICON)):
            words += [outline.attribute(inner, name) for name in ("class", "alt", "title", "src")]
    return " ".join(word for word in words if word).lower()
