"""Finds who wrote each post: the column of short texts that differ and lead to one profile each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from threadmill.dates import DATE, find_dates
from threadmill.forum.records.date_columns import has_date
from threadmill.forum.records.page_outline import PageOutline, once_per_page
from threadmill.forum.records.record_table import ColumnKey, RecordTable, once_per_table

_LETTER = re.compile(r"[^\W\d_]")
# Marks that no name has. A dot may end an initial ("Ingrid P."); after a longer word it ends a sentence.
_NO_NAME = re.compile(r"://|(?<!\b\w)\.(\s|$)|[!?…:](\s|$)|[<>{}|»›。！？]")
# Parts of class names and URLs that are about people. They are weak evidence.
PERSON_WORDS = re.compile(
    r"auth|user|usr|member|profil|nick|poster|person|people|membre|usuari|mitglied|uid|space|konto|creator|/u/|"
    r"(?<![\w/-])(?:name|by|byline|fn)(?![\w/-])",
    re.IGNORECASE,
)
# What an element shows besides a name, by the last word of its class: "user-title", "author_rank".
_NO_PERSON = re.compile(
    r"(?:titles?|ranks?|status|groups?|role|level|badges?|reputation|location|count|posts|date|time|edit(?:ed)?|"
    r"reply|buttons?|btn|actions?|permalink|number|subject|quote|label|tags?|score|points|votes?)$",
    re.IGNORECASE,
)
# Words before a name, in the languages of the forums seen so far. Some are labels: "Author: anna".
_POSTED = (
    r"(?:posted|written|started|submitted|asked|answered|created|sent|added|reply|message|post|comment|"
    r"geschrieben|verfasst|erstellt|gepostet|beitrag|eintrag|posté|publié|envoyé|écrit|message|escrito|publicado|"
    r"enviado|mensaje|iniciado|inviato|scritto|postato|pubblicato|messaggio|escrita|postado|mensagem|geplaatst|"
    r"geschreven|bericht|skrevet|skriven|postad|inlägg|napisane|napisany|dodane|dodany|wysłane|wysłany|post|"
    r"отправлено|написано|добавлено|опубликовано|сообщение|odesláno|napsáno|příspěvek|poslao|gönderen)"
)
_BY = re.compile(
    rf"\W*(?:{_POSTED}\s+)?(?:by|von|vom|от|автор|par|por|de|di|da|door|av|af|przez|od|szerző|yazan|tekijä|author|"
    r"autor|auteur|autore|forfatter|författare|from|user(?:name)?|poster|nick(?:name)?|name|作者|投稿者|名前|글쓴이|"
    r"작성자|发帖人|發帖人|楼主)\s*[:：]?\s*",
    re.IGNORECASE,
)
_BY_AND_SPACE = re.compile(rf"{_BY.pattern}(?<=[\s:：])", re.IGNORECASE)
# Between a name and its date: "anna wrote on 3 May", "anna, am 3.5.2019 um".
_AFTER_NAME = re.compile(
    r"(?:[\s,;·•|/»>\-–—(\[@]|\b(?:on|at|am|um|the|le|il|el|op|den|dne|dnia|em|w|в|a|à|o|"
    r"wrote|writes|said|posted|replied|commented|asked|answered|schrieb|geschrieben|antwortete|"
    r"a écrit|écrit|posté|escribió|dijo|publicó|ha scritto|scritto|scrive|escreveu|disse|schreef|skrev|"
    r"kirjoitti|написала?|писала?|пишет|napisała?|napsala?|je napisa(?:o|la)|yazdı)\b(?:\(\w{1,2}\))?:?|"
    r"发表于|發表於|发布于|写道|さん|님이?)+$",
    re.IGNORECASE,
)
_MAIL = re.compile(
    r"[<(\[]?[\w.+-]+(?:@| at |\(at\)|\[at\])[\w-]+(?:(?:\.| dot )[\w-]+)+[>)\]]?"
    r"(?:\s*\((?P<name>[^()]{2,40})\))?$"
)
_COUNTER = re.compile(r"\d[\d.,]*\s+\D|[^\d:]+:\s*\d[\d.,]*$|\d{1,2}\s?[hH:.]\s?\d{2}(?:\s?[aApP][mM])?$")
_POST_NUMBER = re.compile(r"(?:no|nr|n°|№|#|post|msg|nummer|numéro)?[.\s#]*\d+$", re.IGNORECASE)
_MARKED_NUMBER = re.compile(r"(?:no|nr|n°|№|#|post|msg|nummer|numéro)[.\s#]*\d+$", re.IGNORECASE)
_ACTION = re.compile(
    r"(?<![^\W_])(?:reply|report|quote|respond|answer|like|vote|edit|delete|print|rss|share|subscribe|flag|"
    r"thank|log-?in|sign-?in|register)(?![^\W_])",
    re.IGNORECASE,
)
_START_PAGE = re.compile(r"(?:https?://[^/?#]+)?(?:\./|/)?")
_HREF_END = re.compile(r"[^/=?&,;-]+/?$")  # the part of a URL that differs from profile to profile
_COUNTED = re.compile(r"[\s#№:.]\d")
_NAME_ATTRIBUTE = re.compile(
    r"data-(?:\w+-)*(?:author|user-?name|poster|nick(?:name)?|author-?name|member-?name)$"
)
_NAME_HEADINGS = frozenset(("h4", "h5", "h6"))
_HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6"))
_AROUND_BARE_NAME = " \t\n·•|–—-»›,:#"
_DATE_TAGS = frozenset(("span", "time", "abbr", "small", "em", "i", "font", "a"))
_LINE_END = frozenset(("br", "hr", "div", "p", "ul", "ol", "dl", "table", "small", "h4", "h5", "h6", "img"))
_LISTS = frozenset(("ul", "ol", "dl"))
_SEPARATOR_AT_END = re.compile(r"\s*[·•|–—»,]$")
_PHRASE_TAGS = frozenset(("b", "strong", "span", "em", "i", "cite", "font", "bdi"))
_AROUND_NAMES = _HEADINGS | _PHRASE_TAGS | {"a"}
_DIGIT = re.compile(r"\d")
_LAST_NUMBER = re.compile(r"(?<!\d)(\d++)(?=\D*+\Z)")
_SENTENCE_MARK = re.compile(r"[.!?。]$")
_MAX_NAME = 40  # characters
_MAX_LABEL = 24  # characters
_MAX_BYLINE = 110  # characters
_MAX_LABELLED = 5  # texts of an element with a label and a name
_MAX_PANEL = 300  # characters of a cell with a name and what a forum tells about the person
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
_FEW_NAMES = 0.7  # of the records: persons write several posts, but other texts differ in nearly all
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
    weak: bool = False  # one text everywhere that nothing calls a name


NO_AUTHORS = AuthorColumn({}, 0.0)


@once_per_table
def find_authors(table: RecordTable) -> AuthorColumn:
    """The column of the table that looks most like names of authors."""
    best = _names_in_attributes(table)
    hrefs = _href_counts(table)
    least = max(1, _MIN_COVER * len(table.records))
    seen: set[tuple[int, ...]] = set()  # the same elements make columns by kind, by tag and by class
    for key, cells in (*table.columns.items(), *table.loose_columns.items(), *table.named_columns.items()):
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
            a for i in outside if i not in table.dated and (a := author_at(outline, i)) and not _is_action(a)
        ]
        profiles = [a for a in names if a.href and prefix and a.href.startswith(prefix)]
        beside_others = Counter(outline.parent[a.element] for a in profiles)
        thanked = [a for a in profiles if beside_others[outline.parent[a.element]] > 1]  # by several readers
        told = [a for i in outside if (a := _bare_name_after_by(outline, i))] if thanked else []
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
        own = [
            a
            for a in (*linked, *held, *marked, *placed, *seated)
            if a.name not in table.repeated_texts or (a in linked and a.name in people)
        ]
        beside_date = [a for a in names if is_name_in_byline(outline, a.element, table.dated)]
        known = [
            a
            for a in (*linked, *held, *marked, *seated)
            if a.name in people or not _is_in_most(table, a.name)
        ]
        if own or known or beside_date:
            authors[number] = (own or known or beside_date)[0]
        elif number == 0 and authors and (apart := _author_of_first(table, names, authors.values())):
            authors[number] = apart[0]
    return AuthorColumn(authors, column.score, column.key)


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
    alone = find_authors(RecordTable(outline, table.records[:1], table.dates)).authors.values()
    return [
        author
        for author in (*(a for a in names if _is_after_by(outline, a)), *first, *alone)
        if author.name not in outline.title
        and (author.name in people or author.name not in table.repeated_texts)
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
            and outline.text(i, _MAX_NAME) == author.name
        }
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
    is_host = "://" in prefix and prefix.count("/") == 3
    return prefix if len(prefix.partition("://")[2] or prefix) > 3 and not is_host else ""


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
                    and 0 < len(value := value.strip()) <= _MAX_NAME
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
    if len({author.name for author in authors.values()}) == 1 and any(map(_is_action, authors.values())):
        return NO_AUTHORS  # a button that leads to one page in all records
    linked = sum(author.href is not None for author in authors.values()) / (len(authors) or 1)
    if len(authors) / size * _MAX_FACTOR * (1.0 + 0.5 * linked) * (1.3 if linked else 1.0) <= least:
        return NO_AUTHORS
    _drop_labels(table, authors)
    cover = len(authors) / size
    if cover < _MIN_COVER:
        return NO_AUTHORS
    # "März 5" may be a name, but not a column of such texts. A name may share its text with the date.
    dates = sum(a.element in table.dated and outline.text(a.element) == a.name for a in authors.values())
    if dates > 0.3 * len(authors) or _are_numbered(authors):
        return NO_AUTHORS
    constant = _is_constant_text(table, cells, authors)
    if constant and any(a.href or _SENTENCE_MARK.search(a.name) for a in authors.values()):
        return NO_AUTHORS
    variety = len({author.name for author in authors.values()}) / len(authors)
    linked = sum(author.href is not None for author in authors.values()) / len(authors)
    score = cover * (0.6 + 0.4 * min(1.0, 2 * variety))
    score *= 1.0 + 0.5 * linked * _name_profile_match(authors)
    score *= 1.0 + 0.3 * _linked_twice(authors, hrefs)
    called = _is_called_person(outline, cells, authors)
    score *= 1.25 if called else 1.0 if size > 1 else 0.6
    score *= 1.0 + 0.25 * sum(_is_after_by(outline, a) for a in authors.values()) / len(authors)
    score *= 0.3 if _are_titles(outline, authors) else 1.0
    score *= 1.0 - 0.3 * _depth_in_record(table, cells)
    score *= 1.0 - 0.4 * sum(_is_called_other(outline, a.element) for a in authors.values()) / len(authors)
    score *= 1.0 - 0.8 * _share_of_permalinks(table, authors)
    score *= 1.0 - (1.0 - _IN_A_LIST) * sum(_is_listed(outline, a) for a in authors.values()) / len(authors)
    if linked < _MIN_COVER and variety == 1.0 and size > 1 and not called:
        # A linked name leads to a person, and names come back.
        score *= _ALL_DIFFERENT * (_ALL_THE_WORDS if _are_all_words(table, authors) else 1.0)
    score *= _SAME_EVERYWHERE if constant else 1.0
    # Avatars without a picture show an initial.
    score *= 0.5 if median(len(author.name) for author in authors.values()) < 2 else 1.0
    return AuthorColumn(authors, score, key, weak=constant)


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
            if len(outline.segments[segment]) <= _MAX_NAME:
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


def _are_numbered(authors: dict[int, PostAuthor]) -> bool:
    """Whether texts are counters and times, or differ only in their numbers: "message #10", "5 posts"."""
    names = [author.name for author in authors.values()]
    if 2 * sum(bool(_COUNTER.match(name)) for name in names) > len(names):
        return True
    if len(names) < 2 or not all(_COUNTED.search(name) for name in names):
        return False
    shapes = {re.sub(r"\d+", "#", name) for name in names}
    return len(set(names)) > 1 and 3 * len(shapes) <= 1 + len(set(names))


def follows_by(outline: PageOutline, index: int) -> bool:
    """Whether an element shows a name after a word for "by" or "from"."""
    author = author_at(outline, index)
    return author is not None and author.name not in outline.title and _is_after_by(outline, author)


def _is_after_by(outline: PageOutline, author: PostAuthor) -> bool:
    """Whether a word for "by" or "author" stands right before a name."""
    first = outline.text_from[author.element]
    own = outline.segments[first] if first < len(outline.segments) else ""
    if own != author.name and _BY_AND_SPACE.match(own):
        return True
    before = outline.segments[first - 1] if first else ""
    return len(before) <= _MAX_LABEL and bool(_BY.fullmatch(before))


def _is_called_other(outline: PageOutline, index: int) -> bool:
    """Whether the class of an element says that it shows no name: "user-title", "rank"."""
    return any(
        _NO_PERSON.search(outline.symbols[i].partition(":")[0]) for i in (index, outline.parent[index])
    )


def _is_listed(outline: PageOutline, author: PostAuthor) -> bool:
    """Whether a text without a link is one of several like elements: "V.I.P.", "Posts: 5", "Berlin"."""
    if author.href or outline.parent[author.element] < 0:
        return False
    siblings = outline.children[outline.parent[author.element]]
    symbol = outline.symbols[author.element]
    alike = [outline.text(s, _MAX_NAME) for s in siblings if outline.symbols[s] == symbol]
    return sum(bool(text) and not _MARKED_NUMBER.match(text) for text in alike) > 1  # "#3" numbers the post


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
        _url_has_name(next(iter(authors.values())))
        or all(_is_after_by(outline, author) for author in authors.values())
        or _is_called_person(outline, cells, authors)
        or _begins_records(table, cells, authors)
        or (_have_avatars(table, authors) and not _is_linked_outside(table, profiles))
    )


def _have_avatars(table: RecordTable, authors: dict[int, PostAuthor]) -> bool:
    """Whether in nearly all records something else leads where the name leads: a picture, a button."""
    outline = table.outline
    had = sum(
        any(
            outline.hrefs[index] == author.href and outline.text(index, _MAX_NAME) != author.name
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


def _are_titles(outline: PageOutline, authors: dict[int, PostAuthor]) -> bool:
    """Whether the texts are parts of the page title. A short name may stand in a title by chance."""
    return all(len(author.name) > 12 and author.name in outline.title for author in authors.values())


@once_per_page
def _names_shown(outline: PageOutline) -> dict[int, PostAuthor | None]:  # noqa: ARG001 -- one memory a page
    """What `author_at` found on the page so far."""
    return {}


def author_at(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name an element shows, if its text can be a name."""
    known = _names_shown(outline)
    if index not in known:
        known[index] = _read_author(outline, index)
    return known[index]


def bare_author_at(outline: PageOutline, index: int) -> PostAuthor | None:
    """The first bare text of an element that can be a name: a guest's, where those of members are links."""
    for number in range(outline.text_from[index], outline.text_to[index]):
        text = outline.segments[number].strip(_AROUND_BARE_NAME)
        if outline.segment_owner[number] == index and text and not _AFTER_NAME.fullmatch(text):
            author = None if _BY.fullmatch(text) else _author_named(outline, index, text)
            if author and not has_date(text):
                return author
    return None


def _bare_name_after_by(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name in a bare text of an element after a word such as "by": "by Guest »"."""
    for number in range(outline.text_from[index], outline.text_to[index]):
        text = outline.segments[number].strip(_AROUND_BARE_NAME)
        by = _BY_AND_SPACE.match(text) if outline.segment_owner[number] == index else None
        if by and by.end() < len(text) and not has_date(text):
            return _author_named(outline, index, text)
    return None


def _read_author(outline: PageOutline, index: int) -> PostAuthor | None:
    return _read_written_name(outline, index) or _read_name_of_picture(outline, index)


def _read_name_of_picture(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name behind a picture with the same name, or before the words that follow such names.

    Examples: "<img alt="anna">anna wrote on <time>…</time>", and "Guest wrote on <time>…</time>" beside it.
    """
    names, words = _names_of_pictures(outline)
    if index in names:
        return _author_named(outline, index, names[index])
    if words and outline.text_to[index] - outline.text_from[index] <= _MAX_LABELLED:
        for number in range(outline.text_from[index], outline.text_to[index]):
            if outline.segment_owner[number] == index and outline.segments[number].endswith(words):
                return _author_named(outline, index, outline.segments[number].removesuffix(words))
    return None


@once_per_page
def _names_of_pictures(outline: PageOutline) -> tuple[dict[int, str], str]:
    """The names that pictures have and bare texts begin with, by element, and the words that follow most."""
    found: dict[int, str] = {}
    words: Counter[str] = Counter()
    for picture, tag in enumerate(outline.tags):
        name = (outline.attribute(picture, "alt") or "").strip() if tag == "img" else ""
        index, behind = outline.parent[picture], outline.text_to[picture]
        if not _LETTER.match(name) or behind == outline.text_to[index]:
            continue
        text = outline.segments[behind]
        if outline.segment_owner[behind] == index and text.startswith(name) and index not in found:
            rest = text[len(name) :]
            if not rest[:1].isalnum():
                found[index] = name
                words[rest] += 1
    rest, count = words.most_common(1)[0] if words else ("", 0)
    return found, rest if 2 * count > words.total() and _LETTER.search(rest) else ""


def _read_written_name(outline: PageOutline, index: int) -> PostAuthor | None:
    first, last = outline.text_from[index], outline.text_to[index]
    if first == last or outline.segment_owner[first] != index:
        return _read_labelled_author(outline, index) or _read_name_behind_list(outline, index)
    name = outline.segments[first]
    if last - first == 2 and _SEPARATOR_AT_END.search(name) and _DIGIT.search(outline.segments[first + 1]):
        name = _SEPARATOR_AT_END.sub("", name)  # "anna · <span>3 May 2019</span>"
    elif last - first > 1 and not _ends_line(outline, index, first):
        if len(name) <= _MAX_LABEL and _BY.fullmatch(name):
            return _read_name_after_label(outline, index, first + 1)
        if _MARKED_NUMBER.match(outline.segments[first + 1]):
            return _author_named(outline, index, name)  # "Guest <span>#3</span>"
        if last - first > 3 or not _tells_by(name):
            return None
        name = _AFTER_NAME.sub("", name)  # "by anna on <time>…</time>"
    return _author_named(outline, index, name)


def _read_name_after_label(outline: PageOutline, index: int, number: int) -> PostAuthor | None:
    """The name in an element after a label, as "by <a>anna</a>". Guests stand there without an element."""
    owner = outline.segment_owner[number]
    if owner == index or outline.text_to[owner] != number + 1 or outline.text_to[index] > number + 2:
        return None
    return _author_named(outline, owner, outline.segments[number])


def _ends_line(outline: PageOutline, index: int, first: int) -> bool:
    """Whether the line ends after the first text of an element: "anna<br>Posts: 5"."""
    children = outline.children[index]
    return (
        bool(children)
        and outline.tags[children[0]] in _LINE_END
        and outline.text_from[children[0]] == first + 1
        and (outline.tags[index] != "p" and outline.text_length(index) <= _MAX_PANEL)
    )


def _tells_by(text: str) -> bool:
    return len(text) <= 2 * _MAX_NAME and bool(_BY_AND_SPACE.match(text) or _AFTER_NAME.search(text))


def _read_labelled_author(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name after a label or a date: "<b>Author:</b> anna", "<em>From</em>: anna &lt;anna@x.org&gt;"."""
    first, last = outline.text_from[index], outline.text_to[index]
    if not 2 <= last - first <= _MAX_LABELLED:
        return None
    label, text, owner = (
        outline.segments[first],
        outline.segments[first + 1],
        outline.segment_owner[first + 1],
    )
    if len(label) > _MAX_LABEL or outline.text_length(index) > _MAX_BYLINE:
        return None
    dated = has_date(label) and (owner == index or outline.parent[owner] == index)
    if not dated and (owner != index or not _BY.fullmatch(label)):
        return None
    if dated:
        return _author_named(outline, owner if owner != index else index, text)
    return _author_named(outline, index, text.lstrip(": \N{FULLWIDTH COLON}").removesuffix("<").strip())


def _read_name_behind_list(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name behind a list of facts about a person: "<ul><li>V.I.P.</li></ul>anna"."""
    children = outline.children[index]
    last = outline.text_to[index] - 1
    if not children or outline.tags[children[-1]] not in _LISTS or outline.segment_owner[last] != index:
        return None
    own = [n for n in range(outline.text_from[index], last + 1) if outline.segment_owner[n] == index]
    if len(own) != 1 or outline.text_length(index) > _MAX_PANEL:
        return None
    return _author_named(outline, index, outline.segments[last])


def _author_named(outline: PageOutline, index: int, text: str) -> PostAuthor | None:
    name = _cut_name(text)
    if len(name) > _MAX_NAME or not _LETTER.search(name) or _NO_NAME.search(name):
        return None
    if _POST_NUMBER.match(name):
        return None
    href = _href_around(outline, index)
    if href and href.startswith(("#", "mailto:")):
        href = None
    return PostAuthor(index, " ".join(name.split()), href)


def _cut_name(text: str) -> str:
    """The name in a text without what stands around it: "Posted by anna on 3 May 2019 at 10:11"."""
    if len(text) > _MAX_BYLINE:
        return text
    name = text
    if (mail := _MAIL.search(text)) and mail.start():  # "anna <anna@example.org>"
        name = text[: mail.start()].strip(" \"'")
    elif mail and mail["name"]:
        name = mail["name"]
    elif _DIGIT.search(text) and has_date(text):
        start = next((span.start for span in find_dates(text) if span.label == DATE), 0)
        ahead = text[:start]
        if (after := _AFTER_NAME.search(ahead)) and after.start():
            name = ahead[: after.start()]
    by = _BY_AND_SPACE.match(name)
    if by and by.end() < len(name):
        name = name[by.end() :]
    return name.strip()


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
    tag = outline.tags[index]
    if index in dated or not (
        tag in _PHRASE_TAGS or (tag in _NAME_HEADINGS and _is_no_title(outline, index))
    ):
        return False
    line = outline.parent[index]
    while outline.tags[line] in _AROUND_NAMES and outline.text_length(line) == outline.text_length(index):
        line = outline.parent[line]  # <h4><b>anna</b></h4> <span>3 May 2019</span>
    beside = outline.text_length(line) <= _MAX_BYLINE and any(
        i in dated and outline.tags[i] in _DATE_TAGS for i in outline.children[line]
    )
    return (line in dated or beside) and author_at(outline, index) is not None


def _is_no_title(outline: PageOutline, index: int) -> bool:
    return outline.text(index, _MAX_NAME) not in outline.title


def may_name_person(outline: PageOutline, index: int) -> bool:
    """Whether an element is a short link whose URL has a number or the text of the link in it."""
    author = author_at(outline, index)
    if author is None or not author.href or author.name in outline.title:
        return False
    path = author.href.partition("://")[2].partition("/")[2] if "://" in author.href else author.href
    may_be = bool(_DIGIT.search(path)) or _url_has_name(author)
    return may_be and not _is_action(author)


def _is_action(author: PostAuthor) -> bool:
    """Whether the URL of a link names something to do with a post, or the start page.

    A member may be called as an action is: then the URL ends with the name.
    """
    if not author.href:
        return False
    if _START_PAGE.fullmatch(author.href):
        return True
    found = _ACTION.search(author.href)
    return found is not None and not author.href.rstrip("/").lower().endswith(author.name.lower())


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
        and median(_text_ahead(table, number, index) for number, index in cells.items()) <= _MAX_BYLINE
    )


def _text_ahead(table: RecordTable, number: int, index: int) -> int:
    """Characters of a record before one of its elements."""
    outline = table.outline
    start = outline.text_from[table.records[number].start]
    return outline.text_before[outline.text_from[index]] - outline.text_before[start]


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
