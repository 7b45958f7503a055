"""Finds the columns of a table of posts without a wrapper: bodies, authors, dates, permalinks and ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from threadmill.forum.link_urls import absolute_url, is_back, is_next, names_service_page, same_site
from threadmill.forum.posts.author_names import PostAuthor
from threadmill.forum.posts.authors import fill_authors, find_authors
from threadmill.forum.posts.bodies import TextWeights, find_bodies
from threadmill.forum.posts.quotes_and_signatures import EDIT_WORDS
from threadmill.forum.records.date_columns import PageDate, read_page_dates, sort_key, sorted_share
from threadmill.forum.records.page_outline import PageOutline, codes_in_id, once_per_page, shape_of_id
from threadmill.forum.records.record_table import ColumnKey, RecordTable
from threadmill.types import Moment, Precision

_DatesAndMoments = tuple[dict[int, PageDate], dict[int, Moment]]
LAST_NUMBER = re.compile(r"(?<!\d)(\d++)(?=\D*+\Z)")  # in linear time, also of thousands of digits
_CODES = re.compile(r"[^\W_]*\d[^\W_]*")  # numbers and hashes
_LAST_WORD = re.compile(r"[^\W_]+\Z")
_HASH = re.compile(r"(?:(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,}|[a-f]{8,})\Z")
_TURN = re.compile(r"[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])")
_MIN_TURNS = 3  # between kinds of character; "p12" has one, "cG9zdDox" has four
_BEFORE_DIGIT = re.compile(r"\D*")
_PUBLISHED = frozenset(("datePublished", "dateCreated"))  # schema.org's words for the date of a post
_VAGUE = frozenset((Precision.YEAR, Precision.MONTH))
_NUMBER_ALONE = re.compile(r"\W*\d+\W*")
_MOST = 0.6  # share of the records that a column of permalinks or ids must cover
# Factors of the score of a date column:
_INSIDE_BODY = 0.6
_MARKED = 1.3
_REPEATED = 0.8  # dates of comments stand several times in a record
_LATER = 1.1
_OF_AUTHORS = 0.6  # one date for all posts of a person, as dates of joining are
# Taken off the score of a permalink for each character: "/post/5/" is better than "/post/5/quote/".
_FORM_PENALTY = 1.0  # a form is the permalink only where no other link has the number
_LENGTH_PENALTY = 0.0005
_MAX_DIGITS = 18  # of an id
_MAX_LINK = 2000  # characters of a permalink; Python reads no number of more than 4,300 digits
_ID_ATTRIBUTE = re.compile(r"data-(?:[\w-]*[-_])?(?:[a-z]*id|pk|post|message|comment|answer|msg)$")
_ID_OF_OTHERS = re.compile(
    r"user|auth|member|owner|poster|topic|thread|forum|board|categ|page|group|uid|tid|fid"
)
_WITHOUT_IDS = frozenset(
    ("class", "href", "style", "src", "alt", "title", "rel", "target", "width", "height")
)
_MAX_LOOKED_AT = 400  # elements of a record that may have its id


@dataclass(frozen=True, slots=True)
class PostColumns:
    """Where the parts of each post are, by number of record."""

    bodies: dict[int, int] = field(default_factory=dict)
    authors: dict[int, PostAuthor] = field(default_factory=dict)
    dates: dict[int, PageDate] = field(default_factory=dict)
    links: dict[int, int] = field(default_factory=dict)  # permalinks
    ids: dict[int, str] = field(default_factory=dict)

    def byline_of(self, number: int) -> Iterator[int]:
        """The elements of the author and the date of a post."""
        if number in self.authors:
            yield self.authors[number].element
        if number in self.dates:
            yield self.dates[number].element

    def parts_of(self, number: int) -> Iterator[int]:
        """The elements of the body, author and date of a post."""
        if number in self.bodies:
            yield self.bodies[number]
        yield from self.byline_of(number)


def find_post_columns(table: RecordTable, now: datetime) -> PostColumns:
    """The columns of a table of posts."""
    authors = find_authors(table)
    skip = {date.element for date in table.dates} | {author.element for author in authors.authors.values()}
    names = {number: author.name for number, author in authors.authors.items()}
    found = find_bodies(table, TextWeights(table, skip, names))
    bodies = {number: body for number, body in enumerate(found) if body is not None}
    authors = fill_authors(table, authors, bodies)
    links = _find_permalinks(table, bodies, authors.authors)
    ids = find_record_ids(table)
    many = len(table.records) > 1 and len(links) >= _MOST * len(table.records)
    if many and (_are_positions(list(ids.values())) or _contradict(table.outline, links, ids)):
        ids = {}  # the number in the permalink is the id of the post
    dates = _find_dates(table, bodies, authors.authors, now)
    return PostColumns(bodies, authors.authors, dates, links, ids)


def _are_positions(numbers: list[str]) -> bool:
    """Whether numbers only count the posts of the page: 0, 1, 2, …"""
    return bool(numbers) and _are_consecutive(numbers) and int(numbers[0]) <= 1


def _are_consecutive(numbers: list[str]) -> bool:
    """Whether each number is the one before it plus one. They may count the posts of the thread."""
    return all(map(str.isdecimal, numbers)) and all(
        int(other) == int(one) + 1 for one, other in pairwise(numbers)
    )


def _contradict(outline: PageOutline, links: dict[int, int], ids: dict[int, str]) -> bool:
    """Whether most permalinks end in a fragment with another number than the id: ids of the next posts."""
    fragments = {n: (outline.hrefs[index] or "").partition("#")[2] for n, index in links.items() if n in ids}
    numbers = {n: match[1] for n, text in fragments.items() if (match := LAST_NUMBER.search(text))}
    other = [n for n, number in numbers.items() if number != ids[n] and not fragments[n].endswith(ids[n])]
    return 2 * len(other) > len(ids)


def _find_dates(
    table: RecordTable, bodies: dict[int, int], authors: dict[int, PostAuthor], now: datetime
) -> dict[int, PageDate]:
    """The date of each post, from the column that covers the records best and is sorted best."""
    found = dict(_best_date_column(table, bodies, authors, now))
    symbols = {symbol for date in found.values() if "." in (symbol := table.outline.symbols[date.element])}
    missed: dict[int, list[PageDate]] = {}
    for date in table.dates:
        number = table.owner[date.element]
        if number >= 0 and number not in found and not _in_body(table, bodies, number, date.element):
            missed.setdefault(number, []).append(date)
    same = _find_same_dates(table, found, now) if missed else {}
    for number, dates in missed.items():  # the first of the usual class, else the first outside the body
        usual = (date for date in dates if table.outline.symbols[date.element] in symbols)
        found[number] = same.get(number) or next(usual, dates[0])
    for date in table.dates:  # a record without one takes the first at the head of its body
        number = table.owner[date.element]
        if number >= 0 and number not in found and _heads_body(table, bodies, number, date):
            found[number] = date
    return found


def _find_same_dates(table: RecordTable, found: dict[int, PageDate], now: datetime) -> dict[int, PageDate]:
    """The dates of columns that say the same as the column found, in records that it does not cover.

    A first post may lack the markup of the others and show the date of the last post besides its own.
    """
    known = _read_moments(found, now)
    same: dict[int, PageDate] = {}
    for dates in table.date_columns.values():
        shared = dates.keys() & known.keys()
        if len(shared) < max(2, 0.5 * len(known)) or len(dates) == len(shared):
            continue
        moments = _read_moments(dates, now)
        if all(n in moments and sort_key(moments[n]) == sort_key(known[n]) for n in shared):
            same |= {n: date for n, date in dates.items() if n not in same}
    return same


def _best_date_column(
    table: RecordTable, bodies: dict[int, int], authors: dict[int, PostAuthor], now: datetime
) -> dict[int, PageDate]:
    best: tuple[float, dict[int, PageDate], dict[int, Moment]] = (0.0, {}, {})
    for key, dates in table.date_columns.items():
        outside = {n: date for n, date in dates.items() if not _in_body(table, bodies, n, date.element)}
        # A column of bylines inside bodies is nearly whole. Dates in the words of authors never are.
        inside = len(outside) < 0.5 * len(dates) and len(dates) >= 0.8 * len(table.records)
        chosen = {n: d for n, d in (dates if inside else outside).items() if not _is_edit_date(table, d)}
        moments = _read_moments(chosen, now)
        score = _rate_dates(table, moments)
        score *= _INSIDE_BODY if inside else 1.0
        score *= _MARKED if _are_marked_published(table, chosen) else 1.0
        score *= _REPEATED if _is_repeated(table, key, dates) else 1.0
        score *= _OF_AUTHORS ** _share_told_by_author(moments, authors)
        if score * _compare_dates(bodies, (chosen, moments), best[1:]) > best[0] + 1e-9:
            best = score, chosen, moments
    return best[1]


def _share_told_by_author(moments: dict[int, Moment], authors: dict[int, PostAuthor]) -> float:
    """1 when all posts of a person show the same date and people differ, 0 when two of one person differ.

    Half of that where only one person has posted twice: two posts of a day may have no time of day.
    """
    of_author: dict[str, list[tuple[int, float]]] = {}
    for number, moment in moments.items():
        if number in authors:
            of_author.setdefault(authors[number].name, []).append(sort_key(moment))
    several = [found for found in of_author.values() if len(found) > 1]
    different = len({at for found in of_author.values() for at in found}) > 1
    if not different or not several or any(len(set(found)) > 1 for found in several):
        return 0.0
    return 1.0 if sum(map(len, several)) - len(several) > 1 else 0.5


def _is_repeated(table: RecordTable, key: ColumnKey, dates: dict[int, PageDate]) -> bool:
    """Whether half of the records of a date column have a second date of the same kind."""
    kind, place = key
    others = table.date_columns.get((kind, 3 - place), {}) if place <= 2 else dates
    return len(others.keys() & dates.keys()) * 2 >= len(dates)


def _heads_body(table: RecordTable, bodies: dict[int, int], number: int, date: PageDate) -> bool:
    """Whether a date stands in the first quarter of a body, as a byline does."""
    outline, body = table.outline, bodies.get(number)
    if body is None or _is_edit_date(table, date):
        return False
    before = outline.text_before
    ahead = before[outline.text_from[date.element]] - before[outline.text_from[body]]
    return ahead < max(60, 0.25 * outline.text_length(body))


def _is_edit_date(table: RecordTable, date: PageDate) -> bool:
    """Whether a date is that of a change, by its markup or by the words before it."""
    named = table.outline.attribute(date.element, "itemprop") or ""
    # Words after the date may tell of a second one: "20 April 11:17 (last edited 12:01)".
    before = _BEFORE_DIGIT.match(date.text)
    return "modif" in named.lower() or bool(before and EDIT_WORDS.search(before[0]))


def _are_marked_published(table: RecordTable, dates: dict[int, PageDate]) -> bool:
    """Whether schema.org markup calls most dates of a column those of a publication."""
    marked = sum(
        (table.outline.attribute(date.element, "itemprop") or "") in _PUBLISHED for date in dates.values()
    )
    return marked > 0.5 * len(dates)


def _compare_dates(bodies: dict[int, int], one: _DatesAndMoments, other: _DatesAndMoments) -> float:
    """A factor for `one`: above 1 when it looks more like the dates of posts than `other`, else below.

    The later column is right, because nobody posts before joining. But a later date below the body, where the
    other stands above it, is that of a change.
    """
    for later, earlier, factor in ((one, other, _LATER), (other, one, 1 / _LATER)):
        if _is_always_later(later[1], earlier[1]):
            timed = all(moment.time is not None for moment in earlier[1].values())  # join dates have no time
            edited = timed and _is_below_bodies(bodies, later[0]) and not _is_below_bodies(bodies, earlier[0])
            return 1 / factor if edited else factor
    return 1.0


def _is_below_bodies(bodies: dict[int, int], dates: dict[int, PageDate]) -> bool:
    return sum(n in bodies and date.element > bodies[n] for n, date in dates.items()) > 0.5 * len(dates)


def _is_always_later(one: dict[int, Moment], other: dict[int, Moment]) -> bool:
    """Whether a column is later than another in every record that has both, and most records have both."""
    both = one.keys() & other.keys()
    if len(both) < 0.7 * max(len(one), len(other)) or not both:
        return False
    return all(sort_key(one[number]) > sort_key(other[number]) for number in both)


def _read_moments(dates: dict[int, PageDate], now: datetime) -> dict[int, Moment]:
    """The moments of a column, where its dates can be read."""
    moments = zip(dates, read_page_dates(list(dates.values()), now), strict=True)
    return {number: moment for number, moment in moments if moment is not None}


def _rate_dates(table: RecordTable, column: dict[int, Moment]) -> float:
    """How well a date column covers the records, is sorted and tells the time of day."""
    moments = list(column.values())
    if not moments:
        return 0.0
    timed = sum(moment.time is not None for moment in moments) / len(moments)
    vague = sum(moment.precision in _VAGUE for moment in moments) / len(moments)
    order = 0.5 + 0.5 * sorted_share(moments)
    return len(moments) / len(table.records) * order * (1.0 + 0.1 * timed - 0.3 * vague)


def _in_body(table: RecordTable, bodies: dict[int, int], number: int, index: int) -> bool:
    return number in bodies and table.outline.is_under(index, bodies[number])


def _find_permalinks(
    table: RecordTable, bodies: dict[int, int], people: dict[int, PostAuthor]
) -> dict[int, int]:
    """The column of links whose last number differs in each record; best when the numbers rise."""
    outline = table.outline
    best: dict[int, int] = {}
    best_score = 0.0
    for cells in table.columns.values():
        if len(cells) < _MOST * len(table.records):
            continue
        numbers = _numbers_in_links(table, bodies, cells)
        if not numbers or len(set(numbers.values())) < 0.9 * len(numbers):
            continue  # the quickest test of all: most columns are no links
        if any(n in people and _leads_to(outline, index, people[n]) for n, index in cells.items()):
            continue
        if sum(is_next(outline, i) or is_back(outline, i) for i in cells.values()) * 2 > len(cells):
            continue  # links from each post to its neighbours
        if len(table.records) == 1 and not _points_at_post(table, cells[0]):
            continue
        hrefs = [outline.hrefs[cells[n]] or "" for n in numbers]
        score = len(numbers) / len(table.records) + _rising_share(list(numbers.values()))
        score += 0.5 * sum("#" in href for href in hrefs) / len(numbers)
        # Forms for answering and quoting have the number of the post too.
        urls = (absolute_url(outline.base, href) or href for href in hrefs)
        score -= _FORM_PENALTY * all("#" not in url and names_service_page(url) for url in urls)
        score -= _LENGTH_PENALTY * sum(len(href) for href in hrefs) / len(numbers)
        if score > best_score:
            best_score, best = score, {n: cells[n] for n in numbers}
    return _with_usual_shape(table, bodies, best)


def _with_usual_shape(table: RecordTable, bodies: dict[int, int], links: dict[int, int]) -> dict[int, int]:
    """The links. One written unlike most gives way to a link with the same id that is written like them.

    A column is the same place in each record: "link" in most, "source" where the link before it is missing.
    """
    hrefs = [href or "" for href in table.outline.hrefs]
    shapes = {number: _CODES.sub("#", hrefs[index]) for number, index in links.items()}
    usual, count = Counter(shapes.values()).most_common(1)[0] if shapes else ("", 0)
    if 2 * count <= len(shapes):
        return links
    found = dict(links)
    for number, shape in shapes.items():
        if shape == usual:
            continue
        codes = _CODES.findall(hrefs[links[number]])
        for index in table.members[number]:
            alike = _CODES.sub("#", hrefs[index]) == usual and _CODES.findall(hrefs[index]) == codes
            if alike and not _in_body(table, bodies, number, index):
                found[number] = index
                break
    return found


def _points_at_post(table: RecordTable, index: int) -> bool:
    """Whether a link leads to a place in a page, or shows the date or number of the only post.

    No other record tells which of its links is the permalink. Others lead to its board and its thread.
    """
    outline = table.outline
    return (
        "#" in (outline.hrefs[index] or "")
        or _NUMBER_ALONE.fullmatch(outline.text(index, _MAX_DIGITS)) is not None
        or any(outline.is_under(date, index) or outline.is_under(index, date) for date in table.dated)
    )


def _numbers_in_links(table: RecordTable, bodies: dict[int, int], cells: dict[int, int]) -> dict[int, str]:
    """The last number in the URL of each cell that is a link of the site outside the body.

    Buttons for sharing lead to other sites and name the post in their query.
    """
    found = {}
    for number, index in cells.items():
        href = table.outline.hrefs[index]
        match = LAST_NUMBER.search(href) if href and not href.startswith("javascript:") else None
        if match and same_site(href or "", table.outline.base) and not _in_body(table, bodies, number, index):
            found[number] = match[1]
    return found


def id_in_link(href: str) -> str | None:
    """The id of a post in its permalink: the code at its end ("#p248e0681"), else its last number.

    The digits at the end of a code are those of many posts.
    """
    if len(href) > _MAX_LINK:
        return None
    last = _LAST_WORD.search(href.rstrip("/"))
    if last and (_HASH.search(last[0]) or len(_TURN.findall(last[0])) >= _MIN_TURNS):
        return last[0]
    match = LAST_NUMBER.search(href)
    return match[1] if match else None


def _leads_to(outline: PageOutline, index: int, author: PostAuthor) -> bool:
    """Whether an element shows an author or leads to the profile: a name, or an avatar."""
    if author.href and outline.hrefs[index] == author.href:
        return True
    return outline.is_under(index, author.element) or outline.is_under(author.element, index)


def _rising_share(numbers: list[str]) -> float:
    """The share of neighbours of which the second is larger."""
    values = [int(number) for number in numbers if len(number) <= _MAX_DIGITS]
    up = sum(one < other for one, other in pairwise(values))
    return up / (len(values) - 1) if len(values) > 1 else 0.5


def find_record_ids(table: RecordTable) -> dict[int, str]:
    """The number the site gives each record, from id attributes of one shape: "post-#"."""
    people = _numbers_of_people(table)
    if len(table.records) == 1:
        return _find_only_id(table, people[0])
    shapes: dict[str, dict[int, str]] = {}
    places: dict[str, dict[int, int]] = {}
    for number in range(len(table.records)):
        for index in _elements_with_id(table, number):
            for shape, value in numbered_ids(table, index):
                shapes.setdefault(shape, {}).setdefault(number, value)
                places.setdefault(shape, {}).setdefault(number, index)
    least = _MOST * len(table.records)
    usable = {
        shape: values
        for shape, values in shapes.items()
        if len(values) >= least
        and len(set(values.values())) == len(values)
        and sum(value == people[number] for number, value in values.items()) * 2 <= len(values)
    }
    best = max(usable, key=lambda shape: len(usable[shape]), default="")
    if best and _are_consecutive(list(usable[best].values())):
        # It may count the posts of the thread. Then another attribute of the element tells their numbers.
        best = next((s for s in usable if s != best and places[s] == places[best]), best)
    return usable.get(best, {})


def _numbers_of_people(table: RecordTable) -> list[str | None]:
    """For each record the number in the URL of its author's profile."""
    authors = find_authors(table).authors
    hrefs = (authors[n].href if n in authors else None for n in range(len(table.records)))
    return [match[1] if href and (match := LAST_NUMBER.search(href)) else None for href in hrefs]


def _find_only_id(table: RecordTable, person: str | None) -> dict[int, str]:
    """The number that most ids in the only record have. 0 is a position and no id."""
    named = (name for index in table.members[0][:_MAX_LOOKED_AT] for name in numbered_ids(table, index))
    numbers = Counter(value for _, value in named if value not in {"0", person})
    return {0: numbers.most_common(1)[0][0]} if numbers else {}


def find_record_id(table: RecordTable, number: int, shapes: Container[str]) -> str | None:
    """The id of one record, from id attributes of known shapes."""
    for index in _elements_with_id(table, number):
        for shape, value in numbered_ids(table, index):
            if shape in shapes:
                return value
    return None


def _elements_with_id(table: RecordTable, number: int) -> list[int]:
    """The elements that may have the id of a record: those around it, then those in it."""
    return [*_elements_around(table, number), *table.members[number][:_MAX_LOOKED_AT]]


def _elements_around(table: RecordTable, number: int) -> list[int]:
    """Up to two elements around a record that begin with it: on nested layouts they have its id."""
    outline = table.outline
    start = table.records[number].start
    before = table.records[number - 1].start if number else -1
    found: list[int] = []
    up = outline.parent[start]
    while up > before and up > 1 and len(found) < 2 and outline.text_from[up] == outline.text_from[start]:
        if table.owner[up] not in {-1, number}:
            break
        found.append(up)
        up = outline.parent[up]
    return found


def numbered_ids(table: RecordTable, index: int) -> tuple[tuple[str, str], ...]:
    """The shapes and numbers of an element's id and of attributes such as data-pid: ("post-#", "123")."""
    return _numbered_ids_of_page(table.outline).get(index, ())


@once_per_page
def _numbered_ids_of_page(outline: PageOutline) -> dict[int, tuple[tuple[str, str], ...]]:
    """The same for all elements that have any."""
    found = {}
    for index, element in enumerate(outline.elements):
        attrs = element.attrs
        if not _WITHOUT_IDS.issuperset(attrs) and (names := tuple(_read_ids(outline.tags[index], attrs))):
            found[index] = names
    return found


def _read_ids(tag: str, attrs: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    name = attrs.get("id") or (attrs.get("name") if tag == "a" else None)
    if isinstance(name, str) and (named := _split_numbered(name)):
        yield named
    for key, value in attrs.items():
        if (
            key.startswith("data-")
            and isinstance(value, str)
            and (value.isdecimal() or value in codes_in_id(value))
            and len(value) <= _MAX_DIGITS
            and _ID_ATTRIBUTE.match(key)
            and not _ID_OF_OTHERS.search(key)
        ):
            yield f"{key}=#", value


def _split_numbered(name: str) -> tuple[str, str] | None:
    """The shape and the number or hash of an id or anchor name: ("post-#", "123")."""
    if codes := codes_in_id(name):
        return shape_of_id(name), codes[-1]
    match = LAST_NUMBER.search(name)
    if not match or len(match[1]) > _MAX_DIGITS:
        return None
    return shape_of_id(name), match[1]
