"""Finds who wrote each post: the column of short texts that differ and lead to one profile each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from statistics import median

from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import ColumnKey, RecordTable

_LETTER = re.compile(r"[^\W\d_]")
# Marks that no name has. A dot may end an initial ("Ingrid P."); after a longer word it ends a sentence.
_NO_NAME = re.compile(r"://|(?<!\b\w)\.(\s|$)|[!?…:](\s|$)|[<>{}|»›]")
# Parts of class names and URLs that are about people. They are weak evidence.
PERSON_WORDS = re.compile(
    r"auth|user|member|profil|nick|poster|person|people|membre|usuari|mitglied|uid|space|konto|creator|/u/",
    re.IGNORECASE,
)
_SEPARATOR_AT_END = re.compile(r"\s*[·•|–—»,]$")
_PHRASE_TAGS = frozenset(("b", "strong", "span", "em", "i", "cite", "font", "bdi"))
_DIGIT = re.compile(r"\d")
_MAX_NAME = 40  # characters
_EARLY = 0.3  # part of a record in which its author stands; buttons stand below the words
_MIN_COVER = 0.4  # share of the records that have a name


@dataclass(frozen=True, slots=True)
class PostAuthor:
    """A name, the element that shows it and the URL of its profile."""

    element: int
    name: str
    href: str | None


@dataclass(frozen=True, slots=True)
class AuthorColumn:
    """The authors by number of record. The score tells how much the column looks like names."""

    authors: dict[int, PostAuthor]
    score: float
    key: ColumnKey | None = None  # the column of the table; None when there is none


NO_AUTHORS = AuthorColumn({}, 0.0)


def find_authors(table: RecordTable) -> AuthorColumn:
    """The column of the table that looks most like names of authors."""
    best = NO_AUTHORS
    hrefs = _href_counts(table)
    dated = table.dated
    for key, cells in (*table.columns.items(), *table.loose_columns.items(), *table.named_columns.items()):
        if len(cells) < max(1, _MIN_COVER * len(table.records)):
            continue
        column = _rate_column(table, key, cells, hrefs, dated)
        if column.score > best.score + 1e-9:
            best = column
    return best


def fill_authors(table: RecordTable, column: AuthorColumn, bodies: dict[int, int]) -> AuthorColumn:
    """The column with authors for the records it missed, and without cells that are buttons.

    A record takes its first name outside the body that leads to the same kind of URL as the other authors,
    that its markup calls a person, or that stands in the same kind of place.
    """
    outline = table.outline
    authors = {n: author for n, author in column.authors.items() if not _is_button(table, author)}
    prefix = common_prefix([author.href for author in authors.values() if author.href])
    kinds = {_tag_path(outline, author.element) for author in authors.values()}
    for number, members in enumerate(table.members):
        if number in authors:
            continue
        outside = [i for i in members if not (number in bodies and outline.is_under(i, bodies[number]))]
        names = [a for i in outside if i not in table.dated and (a := author_at(outline, i))]
        linked = [a for a in names if a.href and prefix and a.href.startswith(prefix)]
        placed = [a for a in names if _tag_path(outline, a.element) in kinds]
        marked = [a for a in names if names_person(outline, a.element) and a.name not in outline.title]
        own = [a for a in (*linked, *marked, *placed) if a.name not in table.repeated_texts]
        beside_date = [a for a in names if is_name_in_byline(outline, a.element, table.dated)]
        if own or linked or marked or beside_date:
            authors[number] = (own or linked or marked or beside_date)[0]
    return AuthorColumn(authors, column.score, column.key)


def _is_button(table: RecordTable, author: PostAuthor) -> bool:
    """Whether half of the records show the same text, each time with a URL of its own.

    Where a guest's name is no link, the next link of the record takes its place in the column.
    """
    if author.href is None or author.name not in table.repeated_texts:
        return False
    outline = table.outline
    targets = [
        {outline.hrefs[i] for i in members if outline.hrefs[i] and outline.text(i, _MAX_NAME) == author.name}
        for members in table.members
    ]
    linked = [hrefs for hrefs in targets if hrefs]
    return len(linked) > 1 and len(set().union(*linked)) >= len(linked)


def common_prefix(hrefs: list[str]) -> str:
    """What several URLs begin with; "" when that is not more than a host."""
    distinct = sorted(set(hrefs))
    if len(distinct) < 2:
        return ""
    first, last = distinct[0], distinct[-1]
    length = next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last))
    )
    prefix = first[:length]
    return prefix if len(prefix.partition("://")[2] or prefix) > 3 and prefix.count("/") != 3 else ""


def _tag_path(outline: PageOutline, index: int) -> str:
    """The tags of an element and its three nearest ancestors."""
    up = outline.parent[index]
    above = outline.parent[up] if up >= 0 else -1
    top = outline.parent[above] if above >= 0 else -1
    return "/".join(outline.tags[i] if i >= 0 else "" for i in (top, above, up, index))


def _href_counts(table: RecordTable) -> list[Counter[str]]:
    """How often each URL is linked in each record: an avatar and a name lead to the same profile."""
    counts = []
    for members in table.members:
        counts.append(Counter(href for index in members if (href := table.outline.hrefs[index])))
    return counts


def _rate_column(
    table: RecordTable,
    key: ColumnKey,
    cells: dict[int, int],
    hrefs: list[Counter[str]],
    dated: set[int],
) -> AuthorColumn:
    """The authors a column names, with a score; no authors when it is certainly something else."""
    outline = table.outline
    authors: dict[int, PostAuthor] = {}
    for number, index in cells.items():
        author = author_at(outline, index)
        if author:
            authors[number] = author
    dates = sum(author.element in dated for author in authors.values())
    if dates > 0.3 * len(authors):  # "März 5" may be a name, but not a column of such texts
        return NO_AUTHORS
    size = len(table.records)
    cover = len(authors) / size
    if cover < _MIN_COVER or _is_constant_text(table, cells, authors):
        return NO_AUTHORS
    variety = len({author.name for author in authors.values()}) / len(authors)
    linked = sum(author.href is not None for author in authors.values()) / len(authors)
    score = cover * (0.6 + 0.4 * min(1.0, 2 * variety))
    score *= 1.0 + 0.5 * linked * _name_profile_match(authors)
    score *= 1.0 + 0.3 * _linked_twice(authors, hrefs)
    score *= 1.25 if _is_called_person(outline, cells, authors) else 1.0 if size > 1 else 0.6
    score *= 0.3 if _are_titles(outline, authors) else 1.0
    score *= 1.0 - 0.3 * _depth_in_record(table, cells)
    # Avatars without a picture show an initial.
    score *= 0.5 if median(len(author.name) for author in authors.values()) < 2 else 1.0
    return AuthorColumn(authors, score, key)


def _is_constant_text(table: RecordTable, cells: dict[int, int], authors: dict[int, PostAuthor]) -> bool:
    """Whether all cells show the same text and it is nobody's name.

    A thread may have one author: then one name leads to one profile. A button is one word with many URLs.
    Where nobody need give a name, everybody without one is called the same, beside the date.
    """
    outline = table.outline
    if len(table.records) < 2 or len({author.name for author in authors.values()}) != 1:
        return False
    if all(is_name_in_byline(outline, index, table.dated) for index in cells.values()):
        return False
    profiles = {author.href or str(number) for number, author in authors.items()}
    return len(profiles) > 1 or not (
        _url_has_name(next(iter(authors.values())))
        or _is_called_person(outline, cells, authors)
        or _begins_records(table, cells, authors)
    )


def _are_titles(outline: PageOutline, authors: dict[int, PostAuthor]) -> bool:
    """Whether the texts are parts of the page title. A short name may stand in a title by chance."""
    return all(len(author.name) > 12 and author.name in outline.title for author in authors.values())


def author_at(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name an element shows, if its text can be a name."""
    first, last = outline.text_from[index], outline.text_to[index]
    if not 1 <= last - first <= 2 or outline.segment_owner[first] != index:
        return None
    name = outline.segments[first]
    if last - first == 2:  # "anna · <span>3 May 2019</span>"
        if not _SEPARATOR_AT_END.search(name) or not _DIGIT.search(outline.segments[first + 1]):
            return None
        name = _SEPARATOR_AT_END.sub("", name)
    if len(name) > _MAX_NAME or not _LETTER.search(name) or _NO_NAME.search(name):
        return None
    href = _href_around(outline, index)
    if href and href.startswith(("#", "mailto:")):
        href = None
    return PostAuthor(index, " ".join(name.split()), href)


def names_person(outline: PageOutline, index: int) -> bool:
    """Whether an element shows a name, and its class, its URL or schema.org markup tell of a person."""
    author = author_at(outline, index)
    if author is None:
        return False
    evidence = [author.href or "", outline.symbols[index], outline.symbols[outline.parent[index]]]
    for _ in range(3):  # schema.org markup may stand one or two elements further out
        evidence.append(outline.attribute(index, "itemprop") or "")
        index = outline.parent[index]
        if index < 0:
            break
    return bool(PERSON_WORDS.search(" ".join(evidence)))


def is_name_in_byline(outline: PageOutline, index: int, dated: Collection[int]) -> bool:
    """Whether an element shows a name in a line that shows a date: "1: <b>anna</b> 2015/03/13 11:10"."""
    return (
        outline.parent[index] in dated
        and outline.tags[index] in _PHRASE_TAGS
        and index not in dated
        and author_at(outline, index) is not None
    )


def may_name_person(outline: PageOutline, index: int) -> bool:
    """Whether an element is a short link whose URL has a number or the text of the link in it."""
    author = author_at(outline, index)
    if author is None or not author.href or author.name in outline.title:
        return False
    path = author.href.partition("://")[2].partition("/")[2] if "://" in author.href else author.href
    return bool(_DIGIT.search(path)) or _url_has_name(author)


def _href_around(outline: PageOutline, index: int) -> str | None:
    """The URL of the link that an element is or stands in."""
    for _ in range(4):
        if index < 0 or outline.hrefs[index]:
            break
        index = outline.parent[index]
    return outline.hrefs[index] if index >= 0 else None


def _name_profile_match(authors: dict[int, PostAuthor]) -> float:
    """1 when each name has one URL and each URL one name; near 0 or below for buttons and permalinks."""
    by_name: dict[str, set[str]] = defaultdict(set)
    by_href: dict[str, set[str]] = defaultdict(set)
    for author in authors.values():
        if author.href:
            by_name[author.name].add(author.href)
            by_href[author.href].add(author.name)
    if not by_name:
        return 0.0
    wrong = sum(len(h) - 1 for h in by_name.values()) + sum(len(n) - 1 for n in by_href.values())
    return max(-1.0, 1.0 - 2 * wrong / len(authors))


def _linked_twice(authors: dict[int, PostAuthor], hrefs: list[Counter[str]]) -> float:
    """The share of authors whose profile is linked more than once in their record."""
    twice = sum(
        author.href is not None and hrefs[number][author.href] > 1 for number, author in authors.items()
    )
    return twice / len(authors)


def _url_has_name(author: PostAuthor) -> bool:
    """Whether the URL has the name in it, as those of profiles often have."""
    bare = re.sub(r"\W", "", author.name).lower()
    return len(bare) > 2 and bare in re.sub(r"\W", "", author.href or "").lower()


def _begins_records(table: RecordTable, cells: dict[int, int], authors: dict[int, PostAuthor]) -> bool:
    """Whether all records begin with a link whose URL has a number: that is their author in any language."""
    author = next(iter(authors.values()))
    return bool(
        author.href
        and _DIGIT.search(author.href)
        and len(authors) == len(table.records)
        and _depth_in_record(table, cells) < _EARLY
    )


def _is_called_person(outline: PageOutline, cells: dict[int, int], authors: dict[int, PostAuthor]) -> bool:
    """Whether class names, attributes or the URL of the first cell tell of a person."""
    number = next(iter(authors))
    index = cells[number]
    evidence = [outline.symbols[index], outline.symbols[outline.parent[index]], authors[number].href or ""]
    evidence += [outline.attribute(index, name) or "" for name in ("itemprop", "rel", "class")]
    return bool(PERSON_WORDS.search(" ".join(evidence)))


def _depth_in_record(table: RecordTable, cells: dict[int, int]) -> float:
    """How far down in its record the column stands on average: 0 first, 1 last."""
    total = 0.0
    for number, index in cells.items():
        members = table.members[number]
        total += (index - members[0]) / max(1, members[-1] - members[0])
    return total / len(cells)
