"""Finds authors and dates that a page shows to its readers but declares nowhere: byline, dateline, URL, text.

complete_metadata() is the way in. It adds to what threadmill.page.parse.metadata read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain, pairwise
from typing import Any

from turbohtml import Document, Element

from threadmill.native.loader import load_extension
from threadmill.page.blocks.block import Block
from threadmill.page.parse.author_names import (
    BYLINE,
    BYLINE_LETTERS,
    LABEL_LETTERS,
    account_name,
    author_names,
    is_author_label,
    site_names,
)
from threadmill.page.parse.metadata import SITE_ITSELF, DeclaringPage, how_sure, read_moment
from threadmill.page.parse.tree import Tree
from threadmill.types import Metadata, Moment, Precision

_COMPILED = load_extension("story")

# Elements that the makers of a page named as byline or dateline, by words inside of class names and IDs.
AUTHORS, DATES, ACCOUNTS = range(3)
_CLASS_WORDS = (
    "byline author autor auteur writer redakt",
    "date datum publish fecha time meta",
    "username",
)
_ID_WORDS = ("author", "date", "")
# … and by other attributes. A search over all elements takes 40 µs and more, one by a tag takes one.
_AUTHOR_RELATION = "[rel~=author i], [itemprop~=author]"
_AUTHOR_PATHS = ("/author/", "/autor/")
_AUTHOR_LINKS = tuple(f"a[href*='{path}']" for path in _AUTHOR_PATHS)
_DATE_PROPERTY = "[itemprop~=datePublished]"
_NAMED = "[class], [id], [rel], [itemprop], time"
_NAMED_OR_LINK = f"{_NAMED}, {', '.join(_AUTHOR_LINKS)}"
# Elements that hold the name of an author and nothing else.
_NAMED_ACCOUNT = "[rel~=author i], .author .fn, .author.fn, .author a, .byline a, .author, .byline, .username"
_LABEL_CHARS = 30
_MOST_BYLINE_WORDS = 5
_COMMENTS = (
    "[class*=comment i], [id*=comment i], [class*=related i], [class*=sidebar i], aside, nav, "
    "footer:not(article footer)"
)
_MOST_ELEMENTS = 60
_INITIALS = 3  # characters; editors sign with their initials beside the name of the author
_SHORT = 200  # characters of a byline or dateline; longer text is something else
_AROUND_TITLE = (-6, 14)  # blocks before and after the title in which a byline or dateline stands
_MOST_BLOCKS = 400
_DIGITS = re.compile(r"\d{4}|\d\d?[./-]\d\d?[./-]\d\d")
_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)[/_-](0?[1-9]|1[0-2])[/_-](0?[1-9]|[12]\d|3[01])(?!\d)")
_IN_URL_JOINED = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_DASH = re.compile(r"\s[–—-]+\s")
_DATELINE_CHARS = 60  # of the place and date before a dash that begins a text
_FEW_PARAGRAPHS = 3
_FIRST_YEAR = 1991  # the first page of the web
_CAPITAL = re.compile(r"[^\W\d_a-zß-öø-ÿ]")


@dataclass(frozen=True, slots=True)
class _ReadPage:
    """What the searches look at."""

    tree: Tree
    blocks: Sequence[Block]
    content: Sequence[bool]  # which blocks are content
    title: int  # the block that is the title; -1 where there is none
    owners: frozenset[str]  # names of the site, which is no author
    marked: Sequence[tuple[str, Element]]  # elements with rel or itemprop, and these in lower case
    groups: list[list[Element]] = field(default_factory=list)  # once they are searched for
    moments: dict[str, Moment | None] = field(default_factory=dict)  # that were read in texts

    def named(self, group: int) -> list[Element]:
        """The elements that are named as something, in the order of the page; searched for once."""
        if not self.groups:
            self.groups.extend(_named_elements(self.tree.document, self.marked))
        return self.groups[group]

    def moment(self, text: str) -> Moment | None:
        """A date of the web's time, with day and month; read once, though searches meet it twice."""
        if not text or not _DIGITS.search(text):
            return None
        if text not in self.moments:
            moment = read_moment(text)
            in_time = moment is not None and moment.date.year >= _FIRST_YEAR
            self.moments[text] = moment if in_time else None
        return self.moments[text]


def complete_metadata(
    declared: Metadata,
    searched: DeclaringPage,
    blocks: Sequence[Block],
    content: Sequence[bool],
    kind: str = "",
) -> Metadata:
    """The metadata with authors and dates that only the visible page shows."""
    title = _title_block(blocks, declared.title)
    tree = searched.tree
    owners = site_names(tree.url, declared.site_name)
    page = _ReadPage(tree, blocks, content, title, owners, searched.named)
    sources = dict(declared.sources)
    values: dict[str, object] = {}
    if _wants_author(declared, blocks):
        among_neighbours = () if declared.authors else _named_authors(page, apart=True)
        shown_authors = (found for found in chain(_authors(page), among_neighbours) if found[1])
        where, names = next(shown_authors, ("", ()))
        if names:
            sources["author"] = where
            values |= {"authors": names, "author": ", ".join(names)}
    if declared.date is None:
        found = _most_exact(_dates(page))
        if found is not None:
            sources["date"], values["date"] = found
        elif declared.modified is not None:
            sources["date"], values["date"] = sources["modified"], declared.modified
    elif declared.date.time is not None or declared.date.precision in _COARSE:
        shown = next(_shown_dates(page), None)
        if shown is not None and _is_better(shown[1], declared.date):
            sources["date"], values["date"] = shown
    if kind:
        sources["kind"], values["kind"] = "the whole page", kind
    return replace(declared, **values, sources=sources, confidence=how_sure(sources))  # type: ignore[arg-type]


def _headings(blocks: Sequence[Block], most: int) -> list[tuple[int, int, str]]:
    """The first blocks with a text in a heading: number, level, text."""
    if _COMPILED is not None:
        native: list[tuple[int, int, str]] = _COMPILED.headings(blocks, most)
        return native
    return [
        (i, block.heading, block.text)
        for i, block in enumerate(blocks[:most])
        if block.heading and block.text
    ]


def _short_texts(
    blocks: Sequence[Block], content: Sequence[bool] | None, first: int, last: int, most: int, *, dated: bool
) -> list[str]:
    """Texts that are not longer than this: of content, or where that is not said, of what a reader sees.

    `dated` leaves out texts of ASCII that have no digits as dates have them.
    """
    if _COMPILED is not None:
        native: list[str] = _COMPILED.short_texts(blocks, content, first, last, most, dated)
        return native
    told = [not block.hidden for block in blocks] if content is None else content
    found = zip(blocks[first:last], told[first:last], strict=True)
    texts = [block.text for block, wanted in found if wanted and len(block.text) <= most]
    return [text for text in texts if not text.isascii() or _DIGITS.search(text)] if dated else texts


def _labelled_texts(
    blocks: Sequence[Block], first_letters: str, last: int, label: int, most: int
) -> list[tuple[str, str]]:
    """Texts that may be a label, by their length and first letter, each with the short text after it."""
    if _COMPILED is not None:
        native: list[tuple[str, str]] = _COMPILED.labelled_texts(blocks, first_letters, last, label, most)
        return native
    return [
        (block.text, following.text)
        for block, following in pairwise(blocks[:last])
        if len(block.text) <= label
        and (block.text[:1] in first_letters or not block.text[:1].isascii())
        and len(following.text) <= most
    ]


def _named_elements(document: Document, marked: Sequence[tuple[str, Element]]) -> list[list[Element]]:
    """The elements that are named as author, as date and as account."""
    if _COMPILED is None:
        return [document.select(selector) for selector in _SELECTORS]
    authors = [
        element for names, element in marked if "author" in names and element.matches(_AUTHOR_RELATION)
    ]
    links: list[Element] = _COMPILED.links_with(document.select("a[href]"), _AUTHOR_PATHS)
    dates = [e for names, e in marked if "datepublished" in names and e.matches(_DATE_PROPERTY)]
    groups: list[list[Element]] = [[], [], []]
    elements = document.select(_NAMED_OR_LINK if links else _NAMED)
    _HINTS.sort(elements, groups, (authors + links, [*dates, *document.select("time")]))
    return groups


def _selector(classes: str, ids: str, *others: str) -> str:
    named = [f"[class*={word} i]" for word in classes.split()] + [f"[id*={word} i]" for word in ids.split()]
    return ", ".join((*named, *others))


_OTHERS = ((_AUTHOR_RELATION, *_AUTHOR_LINKS), (_DATE_PROPERTY, "time"), ())
_SELECTORS = [
    _selector(classes, ids, *others)
    for classes, ids, others in zip(_CLASS_WORDS, _ID_WORDS, _OTHERS, strict=True)
]


def _hints() -> list[tuple[str, int, int]]:
    """Each word with the groups, as bits, that it speaks for in class names and in IDs."""
    words = dict.fromkeys(" ".join((*_CLASS_WORDS, *_ID_WORDS)).split())

    def groups_of(word: str, places: Sequence[str]) -> int:
        return sum((word in names.split()) << group for group, names in enumerate(places))

    return [(word, groups_of(word, _CLASS_WORDS), groups_of(word, _ID_WORDS)) for word in words]


_HINTS: Any = None if _COMPILED is None else _COMPILED.NameHints(_hints())


def _wants_author(declared: Metadata, blocks: Sequence[Block]) -> bool:
    """Whether a page declares no author, only its site, or a name that no reader sees."""
    if not declared.authors or declared.sources["author"].endswith(SITE_ITSELF):
        return True
    shown = "\n".join([block.text for block in blocks])
    if any(name in shown for name in declared.authors):  # most are shown as they are declared
        return False
    shown = shown.casefold()
    return not any(name.casefold() in shown for name in declared.authors)


def _most_exact(dates: Iterator[tuple[str, Moment]]) -> tuple[str, Moment] | None:
    """The first date with a day, else the first month or year."""
    coarse = None
    for found in dates:
        if found[1].precision not in _COARSE:
            return found
        coarse = coarse or found
    return coarse


def _is_better(shown: Moment, declared: Moment) -> bool:
    """Whether a date that the page shows is the declared one, but more exact or in the zone of the site.

    Many sites declare moments in UTC. In the evening of America, this is the next day.
    """
    if declared.precision in _COARSE:
        return shown.precision not in _COARSE and shown.date.year == declared.date.year
    return declared.time is not None and abs((shown.date - declared.date).days) == 1


_COARSE = (Precision.YEAR, Precision.MONTH)


def _title_block(blocks: Sequence[Block], title: str) -> int:
    wanted = title.casefold()
    first = -1
    for i, level, text in _headings(blocks, _MOST_BLOCKS):
        if text.casefold() == wanted:
            return i
        if first < 0 and level == 1:
            first = i
    return first


def _near_title(page: _ReadPage) -> list[str]:
    """Short texts around the title: those after it first, then those before it."""
    first, last = max(page.title + _AROUND_TITLE[0], 0), page.title + 1 + _AROUND_TITLE[1]
    after = [*page.blocks[max(page.title, 0) : last]]
    before = [*page.blocks[first : max(page.title, 0)]][::-1]
    return [block.text for block in (*after, *before) if 0 < len(block.text) <= _SHORT and not block.hidden]


def _authors(page: _ReadPage) -> Iterator[tuple[str, tuple[str, ...]]]:
    for text in _near_title(page):
        if names := _byline(text, page.owners):
            yield "byline", names
    yield from _named_authors(page)
    for text in _short_texts(page.blocks, page.content, 0, _MOST_BLOCKS, _SHORT, dated=False):
        if _is_byline_alone(text):
            yield "byline in the text", _byline(text, page.owners)
    for text, following in _labelled_texts(page.blocks, LABEL_LETTERS, _MOST_BLOCKS, _LABEL_CHARS, _SHORT):
        if is_author_label(text):
            yield "after a label", author_names(following, page.owners)
    # All others of these are among the elements named as author, or inside of one.
    for element, text in _short(_accounts(page)[:_MOST_ELEMENTS], apart=False):
        account = account_name(text, page.owners)
        if account and element.closest("form") is None:
            yield "account", (account,)


def _accounts(page: _ReadPage) -> list[Element]:
    if page.named(AUTHORS):
        return page.tree.document.select(_NAMED_ACCOUNT)
    return [element for element in page.named(ACCOUNTS) if element.matches(".username")]


def _named_authors(page: _ReadPage, *, apart: bool = False) -> Iterator[tuple[str, tuple[str, ...]]]:
    for element, text in _short(page.named(AUTHORS)[:_MOST_ELEMENTS], apart=apart):
        names = author_names(text, page.owners)
        if names and any(len(name) > _INITIALS for name in names) and element.closest("form") is None:
            yield "named as author, among neighbours" if apart else "named as author", names


def _byline(text: str, owners: frozenset[str]) -> tuple[str, ...]:
    """The names after "by" and its like, up to the first word without a capital or the first number."""
    lines = [line for line in text.splitlines() if _begins_byline(line)]
    if not lines:
        return ()
    rest = BYLINE.sub("", lines[0], count=1)
    kept: list[str] = []
    for word in rest.split():
        if not _CAPITAL.match(word) and word.casefold() not in _INSIDE_NAMES:
            if len(kept) == 1 and word[0].isalpha() and kept[0][-1].isalpha():
                return ()  # "From Anglesey to the sea" goes on after its only capital
            break
        kept.append(word)
        if word[-1] in ".|" and len(word) > 3:
            break
    while kept and kept[-1].casefold() in _INSIDE_NAMES:
        kept.pop()
    return author_names(" ".join(kept), owners)


def _begins_byline(text: str) -> re.Match[str] | None:
    """The words of a byline at the beginning of a text. Its first letter tells that most texts have none."""
    first = text[:1]
    if first in BYLINE_LETTERS or not first.isascii() or first.isspace():
        return BYLINE.match(text)
    return None


def _is_byline_alone(text: str) -> bool:
    """Whether a text is nothing but a byline with a name of several words."""
    found = _begins_byline(text)
    if not found:
        return False
    words = text[found.end() :].split()
    return 1 < len(words) <= _MOST_BYLINE_WORDS and all(
        _CAPITAL.match(word) or word.casefold() in _INSIDE_NAMES for word in words
    )


_SMALL = "and und et y e en och og van von de der den di da du del la le el bin ibn i и &"
_INSIDE_NAMES = frozenset(_SMALL.split())  # small words between and inside of names


def _shown_dates(page: _ReadPage) -> Iterator[tuple[str, Moment]]:
    """Dates in places where a page shows when it was published."""
    yield from _named_dates(page, of_time=True)
    yield from _named_dates(page, of_time=False)
    for text in _near_title(page):
        if moment := page.moment(text):
            yield "dateline", moment
    for text in _first_paragraphs(page):
        beginning, dash, _ = _DASH.sub("\0", text[:_SHORT], count=1).partition("\0")
        if dash and len(beginning) <= _DATELINE_CHARS and (moment := page.moment(beginning)):
            yield "beginning of the text", moment


def _first_paragraphs(page: _ReadPage) -> list[str]:
    """The first blocks of the content after the title."""
    first = max(page.title, 0)
    return [
        block.text
        for block, good in zip(page.blocks[first:], page.content[first:], strict=True)
        if good and not block.heading
    ][:_FEW_PARAGRAPHS]


def _dates(page: _ReadPage) -> Iterator[tuple[str, Moment]]:
    yield from _shown_dates(page)
    if moment := _url_moment(page.tree.url):
        yield "URL", moment
    for text in _short_texts(page.blocks, page.content, 0, _MOST_BLOCKS, _SHORT, dated=True):
        if moment := page.moment(text):
            yield "text", moment
    yield from _named_dates(page, apart=True)
    count = len(page.blocks)
    for text in reversed(
        _short_texts(page.blocks, None, max(count - _MOST_BLOCKS, 0), count, _SHORT, dated=True)
    ):
        if moment := page.moment(text):
            yield "end of the page", moment


def _named_dates(
    page: _ReadPage, *, of_time: bool | None = None, apart: bool = False
) -> Iterator[tuple[str, Moment]]:
    """Dates in time elements, in elements that are named as dates, or in both."""
    # Most pages that show a date have a time element. To find these alone takes a hundredth of the time.
    elements = page.tree.document.select("time") if of_time else page.named(DATES)
    if of_time is False:
        elements = [element for element in elements if element.tag != "time"]
    for element, text in _short(elements[:_MOST_ELEMENTS], apart=apart):
        stated = element.attr("datetime") or element.attr("content") or ""
        where = "time element" if element.tag == "time" else "named as date"
        moment = page.moment(stated) or page.moment(text)
        if moment is not None:
            yield f"{where}, among neighbours" if apart else where, moment


def _short(elements: Iterable[Element], *, apart: bool) -> Iterator[tuple[Element, str]]:
    for element in elements:
        if (element.closest(_COMMENTS) is not None) is apart:
            text = " ".join(element.text[: 10 * _SHORT].split())
            if len(text) <= _SHORT:
                yield element, text


def _url_moment(url: str) -> Moment | None:
    for pattern in (_IN_URL, _IN_URL_JOINED):
        if found := pattern.search(url):
            try:
                day = date(*map(int, found.groups()))
            except ValueError:
                continue
            if day.year >= _FIRST_YEAR:
                return Moment(day)
    return None
