"""Who wrote each record: the column of short, varying texts that goes with one profile each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from statistics import median

from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import ColumnKey, RecordTable

_LETTER = re.compile(r"[^\W\d_]")
# An initial may end in a dot ("Ingrid P."), a longer word with one ends a sentence.
_SENTENCE = re.compile(r"://|(?<!\b\w)\.(\s|$)|[!?…:](\s|$)|[<>{}|»›]")
# Roots that page authors put into names of things that are about people; weak evidence only.
PERSON_WORDS = re.compile(
    r"auth|user|member|profil|nick|poster|person|people|membre|usuari|mitglied|uid|space|konto|creator|/u/",
    re.IGNORECASE,
)
_TRAIL = re.compile(r"\s*[·•|–—»,]$")
_PHRASES = frozenset(("b", "strong", "span", "em", "i", "cite", "font", "bdi"))
_DIGIT = re.compile(r"\d")
_MAX_NAME = 40
_EARLY = 0.3  # of a record's elements; buttons stand below the words


@dataclass(frozen=True, slots=True)
class PostAuthor:
    """A name where it stands, with the address of its profile."""

    element: int
    name: str
    href: str | None


@dataclass(frozen=True, slots=True)
class AuthorColumn:
    """Record → author, with how sure it is that these are names."""

    authors: dict[int, PostAuthor]
    score: float
    key: ColumnKey | None = None


NO_AUTHORS = AuthorColumn({}, 0.0)


def find_authors(table: RecordTable) -> AuthorColumn:
    """The column that names the records' authors."""
    best = NO_AUTHORS
    partners = _href_counts(table)
    dated = table.dated
    for key, cells in (*table.columns.items(), *table.loose_columns.items(), *table.named_columns.items()):
        if len(cells) < max(1, 0.4 * len(table.records)):
            continue
        column = _judge(table, key, cells, partners, dated)
        if column.score > best.score + 1e-9:
            best = column
    return best


def fill_authors(table: RecordTable, column: AuthorColumn, bodies: dict[int, int]) -> AuthorColumn:
    """Records the column missed take the first name that leads to, or stands in, the same kind of place."""
    outline = table.outline
    authors = {n: author for n, author in column.authors.items() if not _is_button(table, author)}
    prefix = common_prefix([author.href for author in authors.values() if author.href])
    kinds = {_bare_kind(outline, author.element) for author in authors.values()}
    for number, members in enumerate(table.members):
        if number in authors:
            continue
        options = [i for i in members if not (number in bodies and outline.is_under(i, bodies[number]))]
        said = [a for i in options if i not in table.dated and (a := author_at(outline, i))]
        linked = [a for a in said if a.href and prefix and a.href.startswith(prefix)]
        placed = [a for a in said if _bare_kind(outline, a.element) in kinds]
        marked = [a for a in said if names_person(outline, a.element) and a.name not in outline.title]
        own = [a for a in (*linked, *marked, *placed) if a.name not in table.repeated_texts]
        beside = [a for a in said if is_name_in_byline(outline, a.element, table.dated)]
        if own or linked or marked or beside:
            authors[number] = (own or linked or marked or beside)[0]
    return AuthorColumn(authors, column.score, column.key)


def _is_button(table: RecordTable, author: PostAuthor) -> bool:
    """Whether a cell says what half of the records say, each time with an address of its own.

    Where a guest's name is no link, the next link takes its place in the column.
    """
    if author.href is None or author.name not in table.repeated_texts:
        return False
    outline = table.outline
    targets = [
        {outline.hrefs[i] for i in members if outline.hrefs[i] and outline.text(i, _MAX_NAME) == author.name}
        for members in table.members
    ]
    said = [hrefs for hrefs in targets if hrefs]
    return len(said) > 1 and len(set().union(*said)) >= len(said)


def common_prefix(hrefs: list[str]) -> str:
    """What the profile addresses begin with, when that says more than a host."""
    distinct = sorted(set(hrefs))
    if len(distinct) < 2:
        return ""
    first, last = distinct[0], distinct[-1]
    length = next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last))
    )
    prefix = first[:length]
    return prefix if len(prefix.partition("://")[2] or prefix) > 3 and prefix.count("/") != 3 else ""


def _bare_kind(outline: PageOutline, index: int) -> str:
    up = outline.parent[index]
    above = outline.parent[up] if up >= 0 else -1
    top = outline.parent[above] if above >= 0 else -1
    return "/".join(outline.tags[i] if i >= 0 else "" for i in (top, above, up, index))


def _href_counts(table: RecordTable) -> list[Counter[str]]:
    """How often each address is linked in each record: an avatar and a name lead to the same profile."""
    counts = []
    for members in table.members:
        counts.append(Counter(href for index in members if (href := table.outline.hrefs[index])))
    return counts


def _judge(
    table: RecordTable, key: ColumnKey, cells: dict[int, int], partners: list[Counter[str]], dated: set[int]
) -> AuthorColumn:
    outline = table.outline
    authors: dict[int, PostAuthor] = {}
    for number, index in cells.items():
        author = author_at(outline, index)
        if author:
            authors[number] = author
    said = sum(author.element in dated for author in authors.values())
    if said > 0.3 * len(authors):  # "März 5" may be a name, a column of such things is not
        return NO_AUTHORS
    size = len(table.records)
    cover = len(authors) / size
    if cover < 0.4:
        return NO_AUTHORS
    names = Counter(author.name for author in authors.values())
    constant = len(names) == 1 and size >= 2
    # A monologue has one name with one profile; a button has one word with many addresses.
    profiles = {author.href or str(number) for number, author in authors.items()}
    named = (
        _names_itself(authors) or _about_people(outline, cells, authors) or _leads_each(table, cells, authors)
    )
    # Where nobody need give a name, all who do not are called the same.
    nameless = all(is_name_in_byline(outline, index, dated) for index in cells.values())
    if constant and not nameless and (len(profiles) > 1 or not named):
        return NO_AUTHORS
    variety = len(names) / len(authors)
    linked = sum(author.href is not None for author in authors.values()) / len(authors)
    score = cover * (0.6 + 0.4 * min(1.0, 2 * variety))
    score *= 1.0 + 0.5 * linked * _functional(authors)
    score *= 1.0 + 0.3 * _paired(authors, partners)
    score *= 1.25 if _about_people(outline, cells, authors) else 1.0 if size > 1 else 0.6
    score *= 0.3 if _titles(outline, authors) else 1.0
    score *= 1.0 - 0.3 * _lateness(table, cells)
    # Avatars without a picture show an initial.
    score *= 0.5 if median(len(author.name) for author in authors.values()) < 2 else 1.0
    return AuthorColumn(authors, score, key)


def _titles(outline: PageOutline, authors: dict[int, PostAuthor]) -> bool:
    """Whether the texts are what the page is called; a single name may be in a title, longer ones are it."""
    return all(len(author.name) > 12 and author.name in outline.title for author in authors.values())


def author_at(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name an element says, if its text can be one."""
    first, last = outline.text_from[index], outline.text_to[index]
    if not 1 <= last - first <= 2 or outline.segment_owner[first] != index:
        return None
    name = outline.segments[first]
    if last - first == 2:  # "anna · <span>3 May 2019</span>"
        if not _TRAIL.search(name) or not _DIGIT.search(outline.segments[first + 1]):
            return None
        name = _TRAIL.sub("", name)
    if len(name) > _MAX_NAME or not _LETTER.search(name) or _SENTENCE.search(name):
        return None
    href = _href_around(outline, index)
    if href and href.startswith(("#", "mailto:")):
        href = None
    return PostAuthor(index, " ".join(name.split()), href)


def names_person(outline: PageOutline, index: int) -> bool:
    """Whether an element says a name, by what its markup calls it or where it leads."""
    name = author_at(outline, index)
    if name is None:
        return False
    said = [name.href or "", outline.symbols[index], outline.symbols[outline.parent[index]]]
    for _ in range(3):  # schema.org's markup says it one or two elements further out
        said.append(outline.attribute(index, "itemprop") or "")
        index = outline.parent[index]
        if index < 0:
            break
    return bool(PERSON_WORDS.search(" ".join(said)))


def is_name_in_byline(outline: PageOutline, index: int, dated: Collection[int]) -> bool:
    """Whether an element says a name inside of a line that says a date: "1: <b>anna</b> 2015/03/13 11:10"."""
    return (
        outline.parent[index] in dated
        and outline.tags[index] in _PHRASES
        and index not in dated
        and author_at(outline, index) is not None
    )


def may_name_person(outline: PageOutline, index: int) -> bool:
    """Whether an element is a link to one of many things of a kind, by number or by the name it says."""
    name = author_at(outline, index)
    if name is None or not name.href or name.name in outline.title:
        return False
    path = name.href.partition("://")[2].partition("/")[2] if "://" in name.href else name.href
    return bool(_DIGIT.search(path)) or _names_itself({0: name})


def _href_around(outline: PageOutline, index: int) -> str | None:
    """The address of the link an element is or stands in."""
    for _ in range(4):
        if index < 0 or outline.hrefs[index]:
            break
        index = outline.parent[index]
    return outline.hrefs[index] if index >= 0 else None


def _functional(authors: dict[int, PostAuthor]) -> float:
    """1 when each name has one address and each address one name; near 0 for buttons and permalinks."""
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


def _paired(authors: dict[int, PostAuthor], partners: list[Counter[str]]) -> float:
    """The share of authors whose profile is linked more than once in their record."""
    pairs = sum(
        author.href is not None and partners[number][author.href] > 1 for number, author in authors.items()
    )
    return pairs / len(authors)


def _names_itself(authors: dict[int, PostAuthor]) -> bool:
    """Whether the address has the name in it, as profiles often do."""
    author = next(iter(authors.values()))
    bare = re.sub(r"\W", "", author.name).lower()
    return len(bare) > 2 and bare in re.sub(r"\W", "", author.href or "").lower()


def _leads_each(table: RecordTable, cells: dict[int, int], authors: dict[int, PostAuthor]) -> bool:
    """Whether records begin with a link to something numbered: whoever wrote all of them, in any language."""
    author = next(iter(authors.values()))
    return bool(
        author.href
        and _DIGIT.search(author.href)
        and len(authors) == len(table.records)
        and _lateness(table, cells) < _EARLY
    )


def _about_people(outline: PageOutline, cells: dict[int, int], authors: dict[int, PostAuthor]) -> bool:
    number = next(iter(authors))
    index = cells[number]
    said = [outline.symbols[index], outline.symbols[outline.parent[index]], authors[number].href or ""]
    said += [outline.attribute(index, name) or "" for name in ("itemprop", "rel", "class")]
    return bool(PERSON_WORDS.search(" ".join(said)))


def _lateness(table: RecordTable, cells: dict[int, int]) -> float:
    """How far down in its record the column stands: 0 first, 1 last."""
    total = 0.0
    for number, index in cells.items():
        members = table.members[number]
        total += (index - members[0]) / max(1, members[-1] - members[0])
    return total / len(cells)
