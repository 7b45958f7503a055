"""Holds what the posts of one site look like (the wrapper), and finds them on a page with it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from threadmill.forum.posts.adverts import find_adverts, leads_away, only_leads_away
from threadmill.forum.posts.author_names import PostAuthor, author_at, bare_author_at, is_action
from threadmill.forum.posts.bodies import are_paragraphs
from threadmill.forum.posts.post_columns import PostColumns, find_record_id
from threadmill.forum.posts.post_records import belongs_to_site
from threadmill.forum.records.date_columns import PageDate, find_date_in
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

NEAR = 3  # names that identify an element: its own and those of the two elements around it
ElementKey = tuple[str, int]  # chain of names, and position among the elements of the record with this chain
COLUMNS = ("authors", "dates", "links", "ids")
# A record must have this share of the columns that most records have. Others are advertisements.
_MIN_COLUMNS = 0.5
_TEXT_BLOCKS = frozenset(("p", "ul", "ol", "blockquote", "pre", "code", "img"))  # parts of a text
_EXPECTED = 0.5  # of the records have a column that counts for the fit
_MAX_DATE = 60  # characters of an element that holds a date
MAX_TAIL = 60  # siblings of one record, as where records are found without a wrapper


_ANCHOR = re.compile(r"a(?![a-z])")  # the symbol of <a name="msg12"></a>


@dataclass(frozen=True, slots=True)
class RecordShape:
    """What one kind of record looks like. A site may have several, such as first posts and replies."""

    top: str  # chain of names of its main element
    anchors: tuple[str, ...]  # chains of the element in it that every record has once
    lead: tuple[str, ...]  # symbols of the siblings before the main element
    tail: tuple[str, ...]  # symbols that siblings after it may have
    bodies: tuple[ElementKey, ...]  # elements that may hold the text
    cover: dict[str, float] = field(default_factory=dict)  # column → share of its learnt records that had it
    # By how many elements the main element stands over the anchor, if it has neither class nor id: inside one
    # another such elements all look alike. Empty: by any number.
    heights: tuple[int, ...] = ()

    def fits(self, anchor: str, height: int) -> bool:
        """Whether a record has its main element so far over an anchor of this kind."""
        return anchor in self.anchors and (not self.heights or height in self.heights)


@dataclass(frozen=True, slots=True)
class Wrapper:
    """The shapes of records and the places of their columns, most frequent first. Plain data."""

    shapes: tuple[RecordShape, ...]
    authors: tuple[ElementKey, ...]
    dates: tuple[ElementKey, ...]
    links: tuple[ElementKey, ...]
    ids: tuple[str, ...]
    depth: int = NEAR  # names in the chain of a top
    pages: int = 0  # that it was learnt from
    cover: dict[str, float] = field(default_factory=dict)  # column → share of the learnt records that had it
    order: str = ""  # of day, month and year in dates, by all pages: "dmy"

    def to_json(self) -> dict[str, Any]:
        """The wrapper as plain data for the store."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Wrapper:
        """The wrapper that `to_json` wrote."""
        shapes = tuple(
            RecordShape(
                s["top"],
                tuple(s["anchors"]),
                tuple(s["lead"]),
                tuple(s["tail"]),
                _keys(s["bodies"]),
                dict(s.get("cover", data["cover"])),
                tuple(s.get("heights", ())),
            )
            for s in data["shapes"]
        )
        return cls(
            shapes,
            authors=_keys(data["authors"]),
            dates=_keys(data["dates"]),
            links=_keys(data["links"]),
            ids=tuple(data["ids"]),
            depth=data["depth"],
            pages=data["pages"],
            cover=dict(data["cover"]),
            order=data["order"],
        )


def _keys(data: Iterable[Any]) -> tuple[ElementKey, ...]:
    return tuple((str(kind), int(place)) for kind, place in data)


def element_keys(outline: PageOutline, members: Iterable[int]) -> Iterator[tuple[int, ElementKey]]:
    """The key of each element of a record: its chain of names, counted within the record."""
    seen: dict[str, int] = {}
    chains = outline.chains(NEAR)
    for index in members:
        kind = chains[index]
        place = seen[kind] = seen.get(kind, 0) + 1
        yield index, (kind, place)


def apply_wrapper(wrapper: Wrapper, outline: PageOutline) -> tuple[RecordTable, PostColumns, float]:
    """The records that a wrapper finds on a page, their columns, and how well it fits, from 0 to 1."""
    table = RecordTable(outline, find_records(wrapper, outline), ())
    columns = _fill_columns(wrapper, table)
    adverts = find_adverts(table, columns)
    kept = [
        n
        for n in range(len(table.records))
        if n in columns.bodies
        and n not in adverts
        and _has_usual_columns(_cover_of(wrapper, table, n), columns, n)
        and not _is_advert(_cover_of(wrapper, table, n), table, columns, n)
    ]
    if len(kept) < len(table.records):
        table = RecordTable(outline, [table.records[number] for number in kept], ())
        columns = _fill_columns(wrapper, table)
    return table, columns, _rate_fit(wrapper, table, columns)


def find_records(wrapper: Wrapper, outline: PageOutline) -> list[PageRecord]:
    """The elements of a page that have the shape of a record."""
    tops = _without_parts(outline, _find_tops(wrapper, outline))
    records = (_record_at(outline, top, tops[top], tops) for top in sorted(tops))
    return [record for record in records if record]


def _without_parts(outline: PageOutline, tops: dict[int, RecordShape]) -> dict[int, RecordShape]:
    """The main elements without the other parts of posts that stand side by side and have no names.

    An anchor stands before each post: "<a name=p1></a><div>Ann</div><div>It rains.</div>".
    """
    anchored = {top for top, shape in tops.items() if shape.lead and _head_of(outline, top, shape)}
    first = min(anchored, default=len(outline))
    return {
        top: shape
        for top, shape in tops.items()
        if top <= first or top in anchored or not shape.lead or "." in shape.top.rpartition("/")[2]
    }


def _find_tops(wrapper: Wrapper, outline: PageOutline) -> dict[int, RecordShape]:
    """The main elements of records: from each anchor up to the nearest element with the chain of a top.

    A comment in a post is known by its own name: comments on a question stand in another list than those on
    answers.
    """
    shapes = {shape.top: shape for shape in wrapper.shapes}
    named = {name: shape for shape in wrapper.shapes if "." in (name := shape.top.rpartition("/")[2])}
    top_names = {shape.top.rpartition("/")[2] for shape in wrapper.shapes}
    anchors = {kind for shape in wrapper.shapes for kind in shape.anchors}
    last_names = {kind.rpartition("/")[2] for kind in anchors}
    found: dict[int, RecordShape] = {}
    first_anchors: dict[int, int] = {}
    elsewhere: dict[int, RecordShape] = {}  # with the name of a top, but around it are other elements
    for index, name in enumerate(outline.names):
        if name not in last_names or (kind := outline.chains(NEAR)[index]) not in anchors:
            continue
        alike = -1  # the nearest element with the name of a top
        up = index
        while up >= 0:
            if outline.names[up] in top_names:
                shape = shapes.get(outline.chain(up, wrapper.depth))
                if shape and shape.fits(kind, outline.depth[index] - outline.depth[up]):
                    break
                other = named.get(outline.names[up])
                if alike < 0 and other and kind in other.anchors:
                    alike = up
            up = outline.parent[up]
        if up < index:  # a top may be an anchor itself, which tells nothing about its parts
            first_anchors.setdefault(up, index)
        if up >= 0 and (alike < 0 or outline.is_under(first_anchors[up], alike)):
            # A part of a post may have the name of its top. A post in a post has an anchor of its own.
            found[up] = shapes[outline.chain(up, wrapper.depth)]
        elif alike >= 0:
            elsewhere[alike] = named[outline.names[alike]]
    inside = {up: shape for up, shape in elsewhere.items() if _is_inside(outline, up, found)}
    return found | inside


def _is_inside(outline: PageOutline, index: int, tops: Container[int]) -> bool:
    """Whether an element is in one of some others."""
    up = outline.parent[index]
    while up >= 0 and up not in tops:
        up = outline.parent[up]
    return up >= 0


def _record_at(outline: PageOutline, top: int, shape: RecordShape, tops: Container[int]) -> PageRecord | None:
    """The record around a main element, with the siblings of its shape. None if its lead is missing.

    An anchor in front of the post may be missing: some engines write none before the first post of a page.
    """
    siblings = outline.children[outline.parent[top]] if outline.parent[top] >= 0 else [top]
    place = outline.child_position[top]
    head = _head_of(outline, top, shape)
    if not head and not all(_ANCHOR.match(symbol) for symbol in shape.lead):
        return None
    tail: list[int] = []
    bounded = False
    for sibling in siblings[place + 1 :] if shape.tail else []:
        bounded = sibling in tops
        if bounded or outline.symbols[sibling] not in shape.tail:
            break
        tail.append(sibling)
    if shape.lead and bounded:  # the lead of the next record is no tail of this one
        tail = tail[: max(0, len(tail) - len(shape.lead))]
    return PageRecord(top, (*head, top, *tail[:MAX_TAIL]))


def _head_of(outline: PageOutline, top: int, shape: RecordShape) -> list[int]:
    """The siblings of the lead before a main element. Empty if the page has others there."""
    siblings = outline.children[outline.parent[top]] if outline.parent[top] >= 0 else [top]
    place = outline.child_position[top]
    head = siblings[max(0, place - len(shape.lead)) : place] if shape.lead else []
    return head if _are_alike([outline.symbols[i] for i in head], shape.lead) else []


def _are_alike(symbols: Sequence[str], lead: Sequence[str]) -> bool:
    """Whether siblings before a post are those of its shape. The ids of anchors may be written in any way."""
    return len(symbols) == len(lead) and all(
        one == other or bool(_ANCHOR.match(one) and _ANCHOR.match(other))
        for one, other in zip(symbols, lead, strict=True)
    )


def _fill_columns(wrapper: Wrapper, table: RecordTable) -> PostColumns:
    columns = PostColumns()
    for number, members in enumerate(table.members):
        _fill_columns_of(wrapper, table, number, members, columns)
    for number, name in _find_buttons_for_names(table, columns):
        del columns.authors[number]
        _fill_columns_of(wrapper, table, number, table.members[number], columns, button=name)
    _drop_shared(columns.links, {number: table.outline.hrefs[i] for number, i in columns.links.items()})
    _drop_shared(columns.ids, dict(columns.ids))
    return columns


def _find_buttons_for_names(table: RecordTable, columns: PostColumns) -> list[tuple[int, str]]:
    """The records whose author is the text of a button: all records by other authors show it as well.

    Where a guest's name is no link, the first link may be a button, or the first bare text a label: "Posted".
    Several others must show it.
    """
    names = {number: author.name for number, author in columns.authors.items()}
    texts = table.outline.segments
    found = []
    for name in set(names.values()):
        others = [number for number, other in names.items() if other != name]
        if len(others) > 1 and all(
            any(texts[segment] == name for segment in table.segments[number]) for number in others
        ):
            found += [(number, name) for number, other in names.items() if other == name]
    return found


def _drop_shared(column: dict[int, Any], values: dict[int, str | None]) -> None:
    """Drop what several posts of a page share: a permalink and an id belong to one post."""
    counts = Counter(values.values())
    for number in [number for number, value in values.items() if counts[value] > 1]:
        del column[number]


def _fill_columns_of(
    wrapper: Wrapper,
    table: RecordTable,
    number: int,
    members: list[int],
    columns: PostColumns,
    *,
    button: str = "",
) -> None:
    """Find the parts of one post. The text `button` is not the name of its author."""
    outline = table.outline
    by_key = {key: index for index, key in element_keys(outline, members)}
    by_kind: dict[str, list[int]] = defaultdict(list)
    for (kind, _), index in by_key.items():
        by_kind[kind].append(index)
    body = _find_body(wrapper, table, number, by_key, by_kind)
    if body is not None:
        columns.bodies[number] = body

    def options(keys: tuple[ElementKey, ...]) -> Iterator[int]:
        """The elements at these keys: those outside the body first, then others with the same chain."""
        exact = [by_key[key] for key in keys if key in by_key]
        alike = [index for kind, _ in keys for index in by_kind.get(kind, ())]
        outer = [i for i in (*exact, *alike) if body is None or not outline.is_under(i, body)]
        yield from outer
        yield from (index for index in exact if index not in outer)

    named = (a for i in options(wrapper.authors) if (a := author_at(outline, i)))
    author = next((a for a in named if a.name != button and not is_action(a, outline.tree.url)), None)
    if author is None:
        author = _find_guest(wrapper, outline, members, body, button)
    if author:
        columns.authors[number] = author
    cell = next((c for i in options(wrapper.dates) if (c := find_date_in(outline, i))), None)
    if cell is None and wrapper.cover.get("dates", 0.0) > _EXPECTED:
        cell = _find_any_date(outline, (i for i in members if body is None or not outline.is_under(i, body)))
    if cell:
        columns.dates[number] = cell
    link = next((i for i in options(wrapper.links) if outline.hrefs[i]), None)
    if link is not None:
        columns.links[number] = link
    record_id = find_record_id(table, number, wrapper.ids) if wrapper.ids else None
    if record_id:
        columns.ids[number] = record_id
    _widen_body(outline, columns, number)


def _find_body(
    wrapper: Wrapper,
    table: RecordTable,
    number: int,
    by_key: dict[ElementKey, int],
    by_kind: dict[str, list[int]],
) -> int | None:
    """The body at one of its usual places, by the shape of the record first."""
    top = table.outline.chain(table.records[number].anchor, wrapper.depth)
    shapes = sorted(wrapper.shapes, key=lambda shape: shape.top != top)
    keys = [key for shape in shapes for key in shape.bodies]
    exact = [by_key[key] for key in keys if key in by_key]
    if exact:
        return next((body for body in exact if has_own_words(table, number, body)), exact[0])
    found = next((by_kind[kind][-1] for kind, _ in keys if kind in by_kind), None)
    return found if found is not None else _find_nested_body(keys, by_kind)


def _find_nested_body(keys: Sequence[ElementKey], by_kind: dict[str, list[int]]) -> int | None:
    """The body of a reply inside another post: the elements around the post are not those of its shape."""
    for own in dict.fromkeys("/".join(kind.split("/")[-2:]) for kind, _ in keys):
        alike = [indexes[0] for kind, indexes in by_kind.items() if kind.endswith(f"/{own}")]
        if "." in own.rpartition("/")[2] and alike:
            return min(alike)
    return None


def _widen_body(outline: PageOutline, columns: PostColumns, number: int) -> None:
    """Take the element around a body that is one of several paragraphs with nothing but words beside them.

    On the pages that the wrapper was learnt from, posts may have had one paragraph each. A single body below
    a heading or a bold line is whole: that is the subject of the post.
    """
    body = columns.bodies.get(number)
    parent = outline.parent[body] if body is not None else -1
    named = [column[number].element for column in (columns.authors, columns.dates) if number in column]
    if parent >= 0 and not any(outline.is_under(part, parent) for part in named):
        children = [child for child in outline.children[parent] if outline.text_length(child)]
        while len(children) > 1 and children[-1] != body and _are_buttons(outline, children[-1]):
            children.pop()
        name = outline.names[body or 0]
        others = [child for child in children if outline.names[child] != name]
        is_part = len(others) < len(children) - 1 or all(outline.tags[i] in _TEXT_BLOCKS for i in others)
        if len(children) > 1 and is_part and are_paragraphs(outline, children, name):
            columns.bodies[number] = parent


def _are_buttons(outline: PageOutline, index: int) -> bool:
    """Whether all words of an element are links into the site."""
    said = [
        outline.segment_owner[n]
        for n in range(outline.text_from[index], outline.text_to[index])
        if any(map(str.isalnum, outline.segments[n]))
    ]
    return all(outline.in_link[owner] and not leads_away(outline, owner) for owner in said)


def has_own_words(table: RecordTable, number: int, index: int) -> bool:
    """Whether at least half of the text of an element belongs to the record, not to comments in it."""
    outline = table.outline
    own = whole = 0
    for segment in range(outline.text_from[index], outline.text_to[index]):
        length = len(outline.segments[segment])
        whole += length
        own += length * (table.owner[outline.segment_owner[segment]] == number)
    return own > 0 and 2 * own >= whole


def _find_guest(
    wrapper: Wrapper, outline: PageOutline, members: list[int], body: int | None, button: str
) -> PostAuthor | None:
    """The name of a guest: it stands without a link where the names of members link to profiles.

    It is not the text `button`.
    """
    chains = [kind.split("/") for kind, _ in wrapper.authors]
    holders = {(chain[-3], chain[-2]) for chain in chains}
    holders |= {(chain[-3], chain[-1]) for chain in chains if chain[-2].partition(".")[0] == "a"}
    # Or another tag has the same class: a.user for members, span.user for guests.
    alike = {(chain[-2], chain[-1].partition(".")[2]) for chain in chains if "." in chain[-1]}
    for index in members:
        here = (outline.names[outline.parent[index]] if index else "", outline.names[index])
        called = (here[0], here[1].partition(".")[2])
        if (here in holders or called in alike) and (body is None or not outline.is_under(index, body)):
            author = author_at(outline, index) or bare_author_at(outline, index) or _only_name(outline, index)
            if author and author.name != button:
                return author
    return _find_guest_beside(outline, members, body, holders, button) if button else None


def _find_guest_beside(
    outline: PageOutline,
    members: list[int],
    body: int | None,
    holders: Container[tuple[str, str]],
    label: str,
) -> PostAuthor | None:
    """The name of a guest in an element beside a label: "<b>Guest</b> Posted <i>3 May</i>"."""
    for index in members:
        up = outline.parent[index]
        inside = up > 0 and (outline.names[outline.parent[up]], outline.names[up]) in holders
        if inside and index != body and outline.hrefs[index] is None and not find_date_in(outline, index):
            author = author_at(outline, index)
            if author and author.name != label:
                return author
    return None


def _only_name(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name that is the only text of an element: <h3><span>Guest</span></h3> beside <h3><a>anna</a>."""
    first, last = outline.text_from[index], outline.text_to[index]
    return author_at(outline, outline.segment_owner[first]) if last == first + 1 else None


def _find_any_date(outline: PageOutline, members: Iterable[int]) -> PageDate | None:
    """The first date of a record that has none at the usual places."""
    return next(
        (
            c
            for i in members
            if outline.text_length(i) <= _MAX_DATE and (c := find_date_in(outline, i, days=False))
        ),
        None,
    )


def _cover_of(wrapper: Wrapper, table: RecordTable, number: int) -> dict[str, float]:
    """Which columns the records of one shape have. A first post that stands apart may have no permalink."""
    top = table.outline.chain(table.records[number].anchor, wrapper.depth)
    return next((shape.cover for shape in wrapper.shapes if shape.top == top and shape.cover), wrapper.cover)


def _has_usual_columns(cover: dict[str, float], columns: PostColumns, number: int) -> bool:
    """Whether a record has at least half of the columns of its shape, by the weight of their cover."""
    usual = {name: share for name, share in cover.items() if share > _EXPECTED}
    had = sum(share for name, share in usual.items() if number in getattr(columns, name))
    return had >= _MIN_COLUMNS * sum(usual.values())


def _is_advert(cover: dict[str, float], table: RecordTable, columns: PostColumns, number: int) -> bool:
    """Whether a record has no permalink and no id, unlike its like, and only links to other sites.

    A post that is nothing but such a link has a permalink or an id. Where no post has, it has at least a
    button or a profile, like the first one.
    """
    usual = [name for name in ("links", "ids") if cover.get(name, 0.0) > _EXPECTED]
    if any(number in getattr(columns, name) for name in usual):
        return False
    if not usual and (belongs_to_site(table, number) or not belongs_to_site(table, 0)):
        return False
    return only_leads_away(table.outline, columns.bodies[number])


def _rate_fit(wrapper: Wrapper, table: RecordTable, columns: PostColumns) -> float:
    """How well the columns cover the records, compared with the records they were learnt from."""
    size = len(table.records)
    if not size:
        return 0.0
    covers = [_cover_of(wrapper, table, number) for number in range(size)]
    expected = {name: sum(cover.get(name, 0.0) for cover in covers) for name in COLUMNS}
    shares = [
        min(1.0, len(getattr(columns, name)) / count)
        for name, count in expected.items()
        if count > _EXPECTED * size
    ]
    return sum(shares) / len(shares) if shares else 1.0
