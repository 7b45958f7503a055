"""Finds who wrote each post: the column of short texts that differ and lead to one profile each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from threadmill.forum.posts.author_names import (
    MAX_BYLINE,
    MAX_NAME,
    PostAuthor,
    are_numbered,
    are_titles,
    author_at,
    bare_author_at,
    bare_name_after_by,
    common_prefix,
    follows_by,
    is_action,
    is_after_by,
    is_called_other,
    is_called_person,
    is_listed,
    is_name_in_byline,
    may_follow_by,
    name_profile_match,
    names_person,
    read_name_in_dated_line,
    url_has_name,
)
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import ColumnKey, RecordTable, once_per_table

_BYLINE: ColumnKey = ("byline", 1)
_HREF_END = re.compile(r"[^/=?&,;-]+/?$")  # the part of a URL that differs from profile to profile
_NAME_ATTRIBUTE = re.compile(
    r"data-(?:\w+-)*(?:author|user-?name|poster|nick(?:name)?|author-?name|member-?name)$"
)
_DIGIT = re.compile(r"\d")
_LAST_NUMBER = re.compile(r"(?<!\d)(\d++)(?=\D*+\Z)")
_SENTENCE_MARK = re.compile(r"[.!?。]$")
_MAX_ATTRIBUTED = 40  # elements of a record that are searched for an attribute with a name
_NEARLY_ALL = 0.8  # share of the records
_MAX_FACTOR = 1.25 * 1.25  # of a column that markup and words before the names call people
_ALL_DIFFERENT = 0.8
_ALL_THE_WORDS = 0.3
# One text in all records, that nothing calls a name. It is the name of the only author, or a label.
_SAME_EVERYWHERE = 0.15
_ATTRIBUTE_SCORE = 1.6  # a linked name that is called a person has some 1.7
_IN_A_LIST = 0.6  # factor for texts that are items of a list: a panel about a person tells several things
_EARLY = 0.3  # part of a record in which its author stands; buttons stand below the words
_RANK_OR_NAME = 0.6  # of the score of ranks: the column of names may have less
_TOLD_WITH_DATE = 0.75  # more of the score: more than a link brings
_FEW_NAMES = 0.7  # of the records: persons write several posts, but other texts differ in nearly all
_MIN_COVER = 0.4  # share of the records that have a name


@dataclass(frozen=True, slots=True)
class AuthorColumn:
    """The authors by number of record. The score tells how much the column looks like names."""

    authors: dict[int, PostAuthor]
    score: float
    key: ColumnKey | None = None  # the column of the table; None when there is none
    weak: bool = False  # one text everywhere that nothing calls a name


NO_AUTHORS = AuthorColumn({}, 0.0)


@once_per_table
def find_authors(table: RecordTable) -> AuthorColumn:
    """The column of the table that looks most like names of authors."""
    best = _names_in_attributes(table)
    hrefs = _href_counts(table)
    least = max(1, _MIN_COVER * len(table.records))
    seen: set[tuple[int, ...]] = set()  # the same elements make columns by kind, by tag and by class
    columns = (*table.columns.items(), *table.loose_columns.items(), *table.named_columns.items())
    for key, cells in ((_BYLINE, _names_in_bylines(table)), *columns):
        if len(cells) < least or (elements := tuple(cells.values())) in seen:
            continue
        seen.add(elements)
        column = _rate_column(table, key, cells, hrefs, _RANK_OR_NAME * best.score)
        if _tells_persons(best, column) or (
            column.score > best.score + 1e-9 and not _tells_persons(column, best)
        ):
            best = column
    # A label may be all that the column is. It says nothing about the records.
    return replace(best, score=0.0) if best.weak else best


def _names_in_bylines(table: RecordTable) -> dict[int, int]:
    """The elements with a name after "by" in the line of a date, by record: "(3) (#5) by <a>anna</a> on …".

    A vote or a button before it changes the place of a name, and then no other column has all names.
    """
    outline = table.outline
    found: dict[int, int] = {}
    for date in table.dates:
        number = table.owner[date.element]
        if number < 0 or number in found or not may_follow_by(outline, date.element):
            continue
        inside = range(date.element + 1, outline.end[date.element])
        name = next((i for i in inside if outline.hrefs[i] and follows_by(outline, i)), None)
        if name is not None:
            found[number] = name
    return found if len(found) >= _NEARLY_ALL * len(table.records) else {}


def _tells_persons(column: AuthorColumn, other: AuthorColumn) -> bool:
    """Whether a column is one of ranks or places, and another one has the names of the persons.

    A name tells the rank: all posts of a person have the same one. A rank does not tell the name, and guests
    have none.
    """
    shared = column.authors.keys() & other.authors.keys()
    pairs = {(other.authors[number].name, column.authors[number].name) for number in shared}
    ranks, names = {rank for _, rank in pairs}, {name for name, _ in pairs}
    linked = any(author.href for author in column.authors.values())
    more = len(names) > len(ranks) or len(other.authors) > len(column.authors)
    return (
        more
        and 1 < len(ranks) <= len(names) == len(pairs) < len(shared)
        and not linked
        and not other.weak
        and len(shared) >= _NEARLY_ALL * len(column.authors)
        and len(names) <= _FEW_NAMES * len(shared)
    )


def fill_authors(table: RecordTable, column: AuthorColumn, bodies: dict[int, int]) -> AuthorColumn:
    """The column with authors for the records it missed, and without cells that are buttons.

    A record takes its first name outside the body that leads to the same kind of URL as the other authors,
    that its markup calls a person, or that stands in the same kind of place.
    """
    outline = table.outline
    authors = {n: author for n, author in column.authors.items() if not _is_button(table, author)}
    authors |= _authors_in_usual_place(table, authors)
    prefix = common_prefix([author.href for author in authors.values() if author.href])
    kinds = {_tag_path(outline, author.element) for author in authors.values()}
    above = {outline.symbols[outline.parent[author.element]] for author in authors.values() if author.href}
    holders = {symbol for symbol in above if "." in symbol}
    begun = {  # what begins with the name of a member, and may begin with that of a guest
        outline.kind(up)
        for author in authors.values()
        if outline.text_from[up := outline.parent[author.element]] == outline.text_from[author.element]
    }
    places = {_place(outline, author) for author in authors.values()}
    around = {table.kind(outline.parent[author.element]) for author in authors.values() if author.href}
    beside = {
        bare.name
        for author in authors.values()
        if (bare := bare_author_at(outline, outline.parent[author.element]))
    }
    people = {author.name for author in authors.values()}
    for number, members in enumerate(table.members):
        if number in authors:
            continue
        outside = [i for i in members if not (number in bodies and outline.is_under(i, bodies[number]))]
        names = [
            a for i in outside if i not in table.dated and (a := author_at(outline, i)) and not is_action(a)
        ]
        profiles = [a for a in names if a.href and prefix and a.href.startswith(prefix)]
        beside_others = Counter(outline.parent[a.element] for a in profiles)
        thanked = [a for a in profiles if beside_others[outline.parent[a.element]] > 1]  # by several readers
        told = [a for i in outside if (a := bare_name_after_by(outline, i))] if thanked else []
        linked = [*(a for a in profiles if a not in thanked), *told, *thanked]
        placed = [a for a in names if _tag_path(outline, a.element) in kinds]
        marked = [a for a in names if names_person(outline, a.element) and a.name not in outline.title]
        # A guest's name stands directly in the element that holds the links of members.
        held = [a for a in names if outline.symbols[a.element] in holders or outline.kind(a.element) in begun]
        seated = [a for a in names if _place(outline, a) in places]
        held += [
            a
            for i in outside
            if table.kind(i) in around and (a := bare_author_at(outline, i)) and a.name not in beside
        ]
        written = [a for i in outside if (a := read_name_in_dated_line(outline, i))]
        own = [
            a
            for a in (*linked, *written, *held, *marked, *placed, *seated)
            if a.name not in table.repeated_texts or (a in linked and a.name in people)
        ]
        beside_date = [a for a in names if is_name_in_byline(outline, a.element, table.dated)]
        known = [
            a
            for a in (*linked, *written, *held, *marked, *seated)
            if a.name in people or not _is_in_most(table, a.name)
        ]
        if own or known or beside_date:
            authors[number] = (own or known or beside_date)[0]
        elif number == 0 and authors and (apart := _author_of_first(table, names, authors.values())):
            authors[number] = apart[0]
    return AuthorColumn(authors, column.score, column.key)


def _authors_in_usual_place(table: RecordTable, authors: dict[int, PostAuthor]) -> dict[int, PostAuthor]:
    """The links around which stands what stands around most authors, for records with another author.

    A first post may be a <div> where replies are rows of a table. Readers who thanked are linked before its
    author, below the words.
    """
    outline = table.outline
    around = {number: _class_around(outline, author.element) for number, author in authors.items()}
    usual, count = Counter(around.values()).most_common(1)[0] if around else ("", 0)
    if not usual or count < _NEARLY_ALL * len(around):
        return {}
    found = {}
    for number, class_ in around.items():
        if class_ == usual or not authors[number].href:
            continue
        links = (i for i in table.members[number] if outline.hrefs[i] and _class_around(outline, i) == usual)
        own = next((author for i in links if (author := author_at(outline, i))), None)
        if own:
            found[number] = own
    return found


def _class_around(outline: PageOutline, index: int) -> str:
    """The class of the element around another one, by its symbol."""
    return outline.symbols[outline.parent[index]].partition(".")[2].partition(":")[0]


def _author_of_first(
    table: RecordTable, names: Sequence[PostAuthor], known: Iterable[PostAuthor]
) -> list[PostAuthor]:
    """The author of a first post that is laid out in another way than the rest.

    It is somebody after "by", the first text in an element like those of the other names, or what would be
    the author if the post stood alone. Titles and buttons are none.
    """
    outline, authors = table.outline, list(known)
    people, tags = {author.name for author in authors}, {outline.tags[author.element] for author in authors}
    begin = outline.text_from[table.records[0].start]
    first = [a for a in names if outline.text_from[a.element] == begin and outline.tags[a.element] in tags]
    alone = [
        author
        for author in find_authors(RecordTable(outline, table.records[:1], table.dates)).authors.values()
        if not author.href or not _is_linked_outside(table, {author.href})  # boards are linked in menus
    ]
    first += _known_after_label(table, people)
    return [
        author
        for author in (*(a for a in names if is_after_by(outline, a)), *first, *alone)
        if author.name not in outline.title
        and (author.name in people or author.name not in table.repeated_texts)
    ]


def _known_after_label(table: RecordTable, people: set[str]) -> list[PostAuthor]:
    """Authors of other posts that a line of the first record ends with, behind a label: "Written by anna"."""
    outline = table.outline
    return [
        PostAuthor(outline.segment_owner[segment], name, None)
        for segment in table.segments[0]
        if len(text := outline.segments[segment]) <= MAX_NAME
        and (name := next((one for one in people if text.endswith(f" {one}")), None))
    ]


def _place(outline: PageOutline, author: PostAuthor) -> tuple[str, int]:
    """Where a name stands: the kind of its parent, and its number in there, 0 for the first text."""
    parent = outline.parent[author.element]
    ahead = outline.text_from[author.element] > outline.text_from[parent]
    return outline.kind(parent), 1 + outline.child_position[author.element] if ahead else 0


def _is_in_most(table: RecordTable, text: str) -> bool:
    """Whether more than half of the records show a text."""
    texts = table.outline.segments
    shown = sum(any(texts[segment] == text for segment in segments) for segments in table.segments)
    return 2 * shown > max(2, len(table.records))


def _is_button(table: RecordTable, author: PostAuthor) -> bool:
    """Whether half of the records show the same text, each time with a URL of its own.

    Where a guest's name is no link, the next link of the record takes its place in the column.
    """
    if author.href is None or author.name not in table.repeated_texts:
        return False
    known: dict[str, bool] = table.memory.setdefault(_is_button, {})
    if author.name not in known:
        known[author.name] = _leads_everywhere(table, author)
    return known[author.name]


def _leads_everywhere(table: RecordTable, author: PostAuthor) -> bool:
    outline = table.outline
    targets = [
        {
            href
            for i in members
            if (href := outline.hrefs[i])
            and not href.startswith("#")
            and outline.text(i, MAX_NAME) == author.name
        }
        for members in table.members
    ]
    linked = [hrefs for hrefs in targets if hrefs]
    return len(linked) > 1 and len(set().union(*linked)) >= len(linked)


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


def _names_in_attributes(table: RecordTable) -> AuthorColumn:
    """The names in attributes made for them, such as data-author, if nearly all records have one."""
    found: dict[str, dict[int, PostAuthor]] = defaultdict(dict)
    for number, members in enumerate(table.members):
        for index in members[:_MAX_ATTRIBUTED]:
            for name, value in table.outline.elements[index].attrs.items():
                if (
                    name.startswith("data-")
                    and isinstance(value, str)
                    and _NAME_ATTRIBUTE.match(name)
                    and 0 < len(value := value.strip()) <= MAX_NAME
                    and not value.isdecimal()
                ):
                    found[name].setdefault(number, PostAuthor(index, value, None))
    best = max(found.values(), key=len, default={})
    if len(best) < _NEARLY_ALL * len(table.records):
        return NO_AUTHORS
    shown = {number: _element_showing(table, number, author) for number, author in best.items()}
    return AuthorColumn(shown, _ATTRIBUTE_SCORE * len(best) / len(table.records))


def _element_showing(table: RecordTable, number: int, author: PostAuthor) -> PostAuthor:
    """The first element of a record that shows the name; where none does, the one with the attribute."""
    for index in table.members[number]:
        shown = author_at(table.outline, index)
        if shown and shown.name == author.name:
            return shown
    return author


def _rate_column(
    table: RecordTable,
    key: ColumnKey,
    cells: dict[int, int],
    hrefs: list[Counter[str]],
    least: float,
) -> AuthorColumn:
    """The authors a column names, with a score; no authors when it is certainly something else.

    Nor when the score cannot be above `least`: that spares most of the work.
    """
    outline = table.outline
    authors: dict[int, PostAuthor] = {}
    for number, index in cells.items():
        author = author_at(outline, index)
        if author and not _is_button(table, author):
            authors[number] = author
    _add_linked_names(outline, cells, authors)
    size = len(table.records)
    if len({author.name for author in authors.values()}) == 1 and any(map(is_action, authors.values())):
        return NO_AUTHORS  # a button that leads to one page in all records
    linked = sum(author.href is not None for author in authors.values()) / (len(authors) or 1)
    highest = _MAX_FACTOR * (1.0 + 0.5 * linked) * (1.3 if linked else 1.0 + _TOLD_WITH_DATE)
    if len(authors) / size * highest <= least:
        return NO_AUTHORS
    _drop_labels(table, authors)
    cover = len(authors) / size
    if cover < _MIN_COVER:
        return NO_AUTHORS
    # "März 5" may be a name, but not a column of such texts. A name may share its text with the date.
    dates = sum(a.element in table.dated and outline.text(a.element) == a.name for a in authors.values())
    if dates > 0.3 * len(authors) or are_numbered(authors):
        return NO_AUTHORS
    constant = _is_constant_text(table, cells, authors)
    if constant and any(a.href or _SENTENCE_MARK.search(a.name) for a in authors.values()):
        return NO_AUTHORS
    variety = len({author.name for author in authors.values()}) / len(authors)
    linked = sum(author.href is not None for author in authors.values()) / len(authors)
    score = cover * (0.6 + 0.4 * min(1.0, 2 * variety))
    score *= 1.0 + 0.5 * linked * name_profile_match(authors)
    score *= 1.0 + 0.3 * _linked_twice(authors, hrefs)
    called = is_called_person(outline, cells, authors)
    score *= 1.25 if called else 1.0 if size > 1 else 0.6
    score *= 1.0 + 0.25 * sum(is_after_by(outline, a) for a in authors.values()) / len(authors)
    told = sum(_is_told_with_date(outline, author) for author in authors.values()) / len(authors)
    score *= 1.0 + _TOLD_WITH_DATE * told
    score *= 0.3 if are_titles(outline, authors) else 1.0
    score *= 1.0 - 0.3 * _depth_in_record(table, cells)
    score *= 1.0 - 0.4 * sum(is_called_other(outline, a.element) for a in authors.values()) / len(authors)
    score *= 1.0 - 0.8 * _share_of_permalinks(table, authors)
    score *= 1.0 - (1.0 - _IN_A_LIST) * sum(is_listed(outline, a) for a in authors.values()) / len(authors)
    if linked < _MIN_COVER and variety == 1.0 and size > 1 and not called:
        # A linked name leads to a person, and names come back.
        score *= _ALL_DIFFERENT * (_ALL_THE_WORDS if _are_all_words(table, authors) else 1.0)
    score *= _SAME_EVERYWHERE if constant else 1.0
    # Avatars without a picture show an initial.
    score *= 0.5 if median(len(author.name) for author in authors.values()) < 2 else 1.0
    return AuthorColumn(authors, score, key, weak=constant)


def _is_told_with_date(outline: PageOutline, author: PostAuthor) -> bool:
    """Whether one text tells who wrote a post and when: "By anna on 3 May". Links beside it are none."""
    told = read_name_in_dated_line(outline, author.element)
    return told is not None and told.name == author.name


def _add_linked_names(outline: PageOutline, cells: dict[int, int], authors: dict[int, PostAuthor]) -> None:
    """Add names that are links and fill their cell, where other cells show the plain names of guests."""
    if not authors or any(author.href for author in authors.values()):
        return
    for number in cells.keys() - authors.keys():
        first, last = outline.text_from[cells[number]], outline.text_to[cells[number]]
        owner = outline.segment_owner[first] if last == first + 1 else -1
        author = author_at(outline, owner) if owner >= 0 and outline.hrefs[owner] else None
        if author:
            authors[number] = author


def _drop_labels(table: RecordTable, authors: dict[int, PostAuthor]) -> None:
    """Drop the texts that most records show, but few in this place: the button beside a guest's name.

    Nor is a text a name that all other records show too, in the same kind of element.
    """
    counts = Counter(author.name for author in authors.values())
    labels = {
        name
        for name, count in counts.items()
        if 3 * count <= len(authors)
        and name in table.repeated_texts
        and _is_in_most(table, name)
        and _is_always_there(table, name)
    }
    if labels:
        heads = Counter(_HREF_END.sub("", author.href) for author in authors.values() if author.href)
        usual = heads.most_common(1)[0][0] if heads else None
        for number, author in list(authors.items()):
            if author.name in labels and (author.href is None or _HREF_END.sub("", author.href) != usual):
                del authors[number]
    common = {author.name: author for author in authors.values() if author.name in table.repeated_texts}
    for name, author in common.items() if len(counts) > 1 else ():
        if _is_shown_by_others(table, authors, author):
            for number in [n for n, other in authors.items() if other.name == name]:
                del authors[number]


def _is_always_there(table: RecordTable, text: str) -> bool:
    """Whether most elements at one of the places where a text stands show just this text, as buttons do.

    Where people comment on posts, the place with the name of one shows those of others too.
    """
    shown, others = _texts_by_place(table)
    return any(2 * count[text] > others[place] for place, count in shown.items() if text in count)


@once_per_table
def _texts_by_place(table: RecordTable) -> tuple[dict[str, Counter[str]], Counter[str]]:
    """For each place in records the short texts that stand there, and the number of all texts."""
    outline, chains = table.outline, table.outline.chains(3)
    shown: dict[str, Counter[str]] = defaultdict(Counter)
    size: Counter[str] = Counter()
    for segments in table.segments:
        for segment in segments:
            place = chains[outline.segment_owner[segment]]
            size[place] += 1
            if len(outline.segments[segment]) <= MAX_NAME:
                shown[place][outline.segments[segment]] += 1
    return shown, size


def _is_shown_by_others(table: RecordTable, authors: dict[int, PostAuthor], author: PostAuthor) -> bool:
    """Whether all records of other authors show the text of one in an element of the same kind."""
    others = [number for number, other in authors.items() if other.name != author.name]
    kind, texts = table.outline.kind(author.element), table.outline.segments
    return bool(others) and all(
        any(
            texts[segment] == author.name and table.outline.kind(table.outline.segment_owner[segment]) == kind
            for segment in table.segments[number]
        )
        for number in others
    )


def _are_all_words(table: RecordTable, authors: dict[int, PostAuthor]) -> bool:
    """Whether the texts are most of what the records say. A name is a small part of a post."""
    texts = table.outline.segments
    shares = [
        len(author.name) / sum(len(texts[segment]) for segment in table.segments[number])
        for number, author in authors.items()
    ]
    return median(shares) > 0.5


def _share_of_permalinks(table: RecordTable, authors: dict[int, PostAuthor]) -> float:
    """The share of authors whose link has the number of the record in it: it leads to the post."""
    linked = {number: author.href for number, author in authors.items() if author.href}
    if len(set(linked.values())) < len(linked) or not linked:
        return 0.0
    to_posts = 0
    for number, href in linked.items():
        match = _LAST_NUMBER.search(href)
        to_posts += bool(match and match[1] in table.numbers_in_ids[number])
    return to_posts / len(authors)


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
    profiles = {author.href or "" for author in authors.values()}
    return len(profiles) > 1 or not (
        url_has_name(next(iter(authors.values())))
        or all(is_after_by(outline, author) for author in authors.values())
        or is_called_person(outline, cells, authors)
        or _begins_records(table, cells, authors)
        or (_have_avatars(table, authors) and not _is_linked_outside(table, profiles))
    )


def _have_avatars(table: RecordTable, authors: dict[int, PostAuthor]) -> bool:
    """Whether in nearly all records something else leads where the name leads: a picture, a button."""
    outline = table.outline
    had = sum(
        any(
            outline.hrefs[index] == author.href and outline.text(index, MAX_NAME) != author.name
            for index in table.members[number]
        )
        for number, author in authors.items()
        if author.href
    )
    return had >= _NEARLY_ALL * len(authors)


def _is_linked_outside(table: RecordTable, hrefs: set[str]) -> bool:
    """Whether one of these URLs is linked outside of the records as well: "reply" stands above posts too."""
    return any(
        href in hrefs and table.owner[index] < 0 for index, href in enumerate(table.outline.hrefs) if href
    )


def _linked_twice(authors: dict[int, PostAuthor], hrefs: list[Counter[str]]) -> float:
    """The share of authors whose profile is linked more than once in their record."""
    twice = sum(
        author.href is not None and hrefs[number][author.href] > 1 for number, author in authors.items()
    )
    return twice / len(authors)


def _begins_records(table: RecordTable, cells: dict[int, int], authors: dict[int, PostAuthor]) -> bool:
    """Whether all records begin with a link whose URL has a number: that is their author in any language."""
    author = next(iter(authors.values()))
    return bool(
        author.href
        and _DIGIT.search(author.href)
        and len(authors) == len(table.records)
        and _depth_in_record(table, cells) < _EARLY
        and median(_text_ahead(table, number, index) for number, index in cells.items()) <= MAX_BYLINE
    )


def _text_ahead(table: RecordTable, number: int, index: int) -> int:
    """Characters of a record before one of its elements."""
    outline = table.outline
    start = outline.text_from[table.records[number].start]
    return outline.text_before[outline.text_from[index]] - outline.text_before[start]


def _depth_in_record(table: RecordTable, cells: dict[int, int]) -> float:
    """How far down in its record the column stands on average: 0 first, 1 last."""
    total = 0.0
    for number, index in cells.items():
        members = table.members[number]
        total += (index - members[0]) / max(1, members[-1] - members[0])
    return total / len(cells)
