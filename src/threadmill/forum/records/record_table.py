"""Records of a page (repeated groups of elements, such as posts or rows) and the columns they share."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from itertools import pairwise
from typing import Any, TypeVar

from threadmill.forum.records.date_columns import PageDate, ends_as_sentence, has_date
from threadmill.forum.records.page_outline import PageOutline

# Siblings a record may take on each side; a post in a flat layout of headings and paragraphs has fewer.
_MAX_SIBLINGS = 60
_MAX_REPEATS = 3  # siblings of one kind that the last record may keep; elements of one kind that make columns
_MOST = 0.8  # share of the records that shows what is usual
_LIKE_TOP = "like its top"
_NUMBER = re.compile(r"\d+")
_ALIKE = 0.7  # share of the symbols of a part that other records have
_PHRASE_AND_TEXT_TAGS = frozenset(
    ("p", "br", "ul", "ol", "pre", "blockquote", "b", "i", "em", "strong", "span", "a", "hr", "font", "small")
)

_Siblings = tuple[list[int], list[int], bool]  # free ones before and after a top; whether a record follows
_Signature = tuple[
    tuple[str, ...], tuple[str, ...]
]  # names from an element down to its anchor; names of its parts


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One group of consecutive siblings that shows one thing: one post, or one row of an index page.

    `roots` are the siblings, as indices of a page outline. `anchor` is the element the record was found by,
    for instance its date. Records may stand inside one another; an element belongs to the innermost.
    """

    anchor: int
    roots: tuple[int, ...]

    @property
    def start(self) -> int:
        """The first element."""
        return self.roots[0]

    def spans(self, outline: PageOutline) -> Iterator[tuple[int, int]]:
        """The ranges of elements, one for each root."""
        for root in self.roots:
            yield root, outline.end[root]

    def holds(self, outline: PageOutline, index: int) -> bool:
        """Whether an element stands in the record."""
        return any(root <= index < outline.end[root] for root in self.roots)


def split_records(outline: PageOutline, anchors: Sequence[int]) -> list[PageRecord]:
    """One record for each anchor; none at all when two anchors cannot be told apart.

    A record grows from its anchor up to the highest element without another anchor (its top). Then it takes
    the siblings of its top that belong to no other record.
    """
    tops = _find_tops(outline, anchors)
    if len(set(tops)) < len(tops):
        return []
    return _part_merged(outline, _add_siblings(outline, list(anchors), tops))


def _part_merged(outline: PageOutline, records: list[PageRecord]) -> list[PageRecord]:
    """The records, where one that is made of the usual siblings twice is two: the second has no anchor.

    A guest's post may have no link, an advertisement between posts has no number.
    """
    shapes = [tuple(outline.symbols[root] for root in record.roots) for record in records]
    usual, count = Counter(shapes).most_common(1)[0]
    if count == len(records) or 2 * count < len(records) or _PHRASE_AND_TEXT_TAGS.issuperset(usual):
        return records
    inner = {
        outline.symbols[index]
        for record, shape in zip(records, shapes, strict=True)
        if shape == usual
        for start, end in record.spans(outline)
        for index in range(start, end)
    }
    parted: list[PageRecord] = []
    for record, shape in zip(records, shapes, strict=True):
        size = len(usual)
        chunks = [record.roots[place : place + size] for place in range(0, len(shape), size)]
        if len(chunks) < 2 or shape != usual * len(chunks):
            parted.append(record)
            continue
        parted.extend(_part(outline, record, chunks, inner))
    return parted


def _part(
    outline: PageOutline, record: PageRecord, chunks: Sequence[tuple[int, ...]], inner: set[str]
) -> list[PageRecord]:
    """The records that a record is made of. Siblings that are no record belong to the one beside them."""
    found: list[PageRecord] = []
    waiting: tuple[int, ...] = ()  # siblings before the first record
    for chunk in chunks:
        own = any(record.anchor in range(root, outline.end[root]) for root in chunk)
        if own or _is_alike(outline, chunk, inner):
            found.append(PageRecord(record.anchor if own else chunk[0], (*waiting, *chunk)))
            waiting = ()
        elif found:
            found[-1] = PageRecord(found[-1].anchor, (*found[-1].roots, *chunk))
        else:
            waiting = (*waiting, *chunk)
    return found


def _is_alike(outline: PageOutline, roots: tuple[int, ...], symbols: set[str]) -> bool:
    """Whether most elements of some siblings are such as other records have."""
    own = {outline.symbols[index] for root in roots for index in range(root, outline.end[root])}
    return len(own) > len(roots) and len(own & symbols) >= _ALIKE * len(own)


def _find_tops(outline: PageOutline, anchors: Sequence[int]) -> list[int]:
    """The highest element above each anchor that holds no other anchor."""
    meeting_points = [outline.common_ancestor(one, other) for one, other in pairwise(anchors)]
    tops = []
    for position, anchor in enumerate(anchors):
        around = meeting_points[max(position - 1, 0) : position + 1]
        lowest = max(around, key=lambda index: outline.depth[index]) if around else 0
        tops.append(outline.child_towards(lowest, anchor))
    return _find_like_tops(outline, anchors, tops)


def _find_like_tops(outline: PageOutline, anchors: Sequence[int], tops: list[int]) -> list[int]:
    """The tops, where records inside one another begin at the element that most of them begin at.

    A post with replies in it holds other anchors, so its top would be its head alone. A single reply fills
    the box of replies, so its top would be the box.
    """
    built = zip(tops, anchors, strict=True)
    if len({(outline.depth[top], outline.symbols[top], outline.depth[anchor]) for top, anchor in built}) == 1:
        return tops
    options: list[dict[_Signature, int]] = []
    for top, anchor in zip(tops, anchors, strict=True):
        near = _elements_near_top(outline, top, anchor, anchors)
        options.append({_signature(outline, index, anchor, anchors): index for index in near})
    own = {next(iter(found)) for found in options}  # of the tops themselves: others are parts of records
    counts = Counter(signature for found in options for signature in found if signature in own)
    # Of several that are equally frequent, the one of the highest element.
    chosen = [
        found[max(found, key=lambda signature: (counts[signature], len(signature[0])))] for found in options
    ]
    # Beside other records, what follows a box may be the rest of its record.
    beside = Counter(outline.parent[index] for index in chosen)
    return [
        top if index > top and beside[outline.parent[top]] and _is_followed(outline, top, anchors) else index
        for top, index in zip(tops, chosen, strict=True)
    ]


def _is_followed(outline: PageOutline, top: int, anchors: Sequence[int]) -> bool:
    """Whether text follows an element before the next record: in the next sibling that has any."""
    siblings = outline.children[outline.parent[top]][outline.child_position[top] + 1 :]
    following = next((one for one in siblings if outline.text_length(one)), None)
    return following is not None and bisect_left(anchors, following) == bisect_left(
        anchors, outline.end[following]
    )


def _elements_near_top(outline: PageOutline, top: int, anchor: int, anchors: Sequence[int]) -> Iterator[int]:
    """The elements that a record may begin at: its top, what is alone in it, and the element around it."""
    yield top
    inner = top
    while inner < anchor:
        filled = [child for child in outline.children[inner] if outline.text_length(child)]
        if filled != [child := outline.child_towards(inner, anchor)]:
            break
        inner = child
        yield inner
    parent = outline.parent[top]
    if parent >= 0 and bisect_left(anchors, parent) == bisect_left(anchors, top):
        yield parent


def _signature(outline: PageOutline, index: int, anchor: int, anchors: Sequence[int]) -> _Signature:
    """The names from an element down to the anchor of its record, and those of its parts."""
    path, up = [outline.symbols[anchor]], anchor
    while up != index:
        up = outline.parent[up]
        path.append(outline.symbols[up])
    parts = []
    for child in outline.children[index]:
        inside = anchors[bisect_left(anchors, child) : bisect_left(anchors, outline.end[child])]
        if outline.text_length(child) and not any(other != anchor for other in inside):
            parts.append(outline.symbols[child])
    return tuple(path), tuple(parts)


def _add_siblings(outline: PageOutline, anchors: list[int], tops: list[int]) -> list[PageRecord]:
    """The records with the siblings of their tops.

    A sibling belongs to the record before it, unless such siblings lead every record: then to the one after.
    """
    taken = _tops_and_ancestors(outline, tops)
    siblings = [_free_siblings(outline, top, taken) for top in tops]
    siblings = _move_anchors(outline, siblings)
    lead = _lead_length(outline, siblings, tops)
    usual_tail = _usual_tail(outline, siblings, lead)  # symbol → how many of it the last record may keep
    builds = {_build_of(outline, i) for _, after, bounded in siblings if bounded for i in after} - {()}
    records = []
    for anchor, top, (before, after, bounded) in zip(anchors, tops, siblings, strict=True):
        head = before[len(before) - lead :] if lead and len(before) >= lead else []
        if not head and before and is_empty_anchor(outline, before[-1]):
            head = before[-1:]
        tail = after[: len(after) - lead] if bounded and lead else after
        if not bounded:
            tail = _cut_tail(outline, tail, usual_tail, builds)
        records.append(PageRecord(anchor, (*head, top, *tail)))
    return records


def _move_anchors(outline: PageOutline, siblings: list[_Siblings]) -> list[_Siblings]:
    """The siblings, where the name of the next record (<a name="p5">) does not end the one before it."""
    return [
        (before, after[:-1] if bounded and after and is_empty_anchor(outline, after[-1]) else after, bounded)
        for before, after, bounded in siblings
    ]


def is_empty_anchor(outline: PageOutline, index: int) -> bool:
    """Whether an element only names a place that links lead to: <a name="p5"></a>."""
    if outline.tags[index] != "a" or outline.hrefs[index] or outline.text_length(index):
        return False
    return bool(_NUMBER.search(outline.attribute(index, "name") or outline.attribute(index, "id") or ""))


def _tops_and_ancestors(outline: PageOutline, tops: Sequence[int]) -> set[int]:
    """The elements that are the top of a record or hold one."""
    found: set[int] = set()
    for top in tops:
        index = top
        while index >= 0 and index not in found:
            found.add(index)
            index = outline.parent[index]
    return found


def _free_siblings(outline: PageOutline, top: int, taken: set[int]) -> _Siblings:
    """The free siblings right before and right after a top, and whether another record follows them."""
    siblings = outline.children[outline.parent[top]] if outline.parent[top] >= 0 else [top]
    position = outline.child_position[top]
    first = position
    while first > 0 and position - first < _MAX_SIBLINGS and siblings[first - 1] not in taken:
        first -= 1
    last = position + 1
    while last < len(siblings) and last - position <= _MAX_SIBLINGS and siblings[last] not in taken:
        last += 1
    bounded = last < len(siblings) and siblings[last] in taken
    return siblings[first:position], siblings[position + 1 : last], bounded


def _lead_length(outline: PageOutline, siblings: list[_Siblings], tops: list[int]) -> int:
    """How many siblings before its top belong to a record: those that look alike before every top."""
    # Records may stand in several containers, for instance the first one apart from its answers.
    usual_parent = Counter(outline.parent[top] for top in tops).most_common(1)[0][0]
    beside = [
        around for around, top in zip(siblings, tops, strict=True) if outline.parent[top] == usual_parent
    ]
    befores = [before for before, _, _ in beside]
    if len(befores) < 2:
        return 0
    ways = [
        [_way(outline, index, top) for index in before]
        for (before, _, _), top in zip(siblings, tops, strict=True)
        if outline.parent[top] == usual_parent
    ]
    first, others = befores[0], ways[1:]
    length = 0
    while length < len(first):
        wanted = _usual_way(others, length)
        own = first[len(first) - length - 1]
        # The first record may have another class, when two others show what is usual.
        alike = ways[0][len(first) - length - 1] == wanted or (
            len(others) > 1 and wanted is not None and wanted.startswith(f"{outline.tags[own]}.")
        )
        if not alike:
            break
        length += 1
    return length - _count_after_last(outline, beside[-1][1], befores[-1][len(befores[-1]) - length :])


def _way(outline: PageOutline, index: int, top: int) -> str:
    """The symbol of a sibling before a top, unless it is that of the top: posts have classes by turns."""
    symbol = outline.symbols[index]
    return _LIKE_TOP if "." in symbol and symbol == outline.symbols[top] else symbol


def _usual_way(befores: list[list[str]], distance: int) -> str | None:
    """What stands at this distance before nearly all tops."""
    found = Counter(before[len(before) - distance - 1] for before in befores if len(before) > distance)
    way, count = found.most_common(1)[0] if found else ("", 0)
    return way if count and count >= _MOST * len(befores) else None


def _count_after_last(outline: PageOutline, after: list[int], lead: list[int]) -> int:
    """How many of the siblings before the last record stand after it as well: these end records."""
    for count in range(min(len(after), len(lead)), 0, -1):
        if all(map(partial(_end_alike, outline), lead[:count], after)):
            return count
    return 0


def _end_alike(outline: PageOutline, one: int, other: int) -> bool:
    """Whether two siblings are the same part of two records: by their class, or by their children."""
    build = _build_of(outline, one)
    return (
        outline.symbols[one] == outline.symbols[other]
        and ("." in outline.symbols[one] or (len(build) > 1 and build == _build_of(outline, other)))
        and (outline.text_length(one) > 0) == (outline.text_length(other) > 0)
    )


def _usual_tail(outline: PageOutline, siblings: list[_Siblings], lead: int) -> dict[str, int]:
    """The symbols between the top of one record and the next record, and how many of each the last may keep.

    These are as many as each of the others has: a list of terms has five cells in each row. Where records
    differ, these are a few only.
    """
    tails = [
        Counter(outline.symbols[index] for index in after[: len(after) - lead])
        for _, after, bounded in siblings
        if bounded
    ]
    known = {symbol for tail in tails for symbol in tail}
    counts = {symbol: {tail[symbol] for tail in tails} for symbol in known}
    return {
        symbol: max(_MAX_REPEATS, *found) if len(found) == 1 else _MAX_REPEATS
        for symbol, found in counts.items()
    }


def _cut_tail(
    outline: PageOutline, tail: list[int], usual_tail: Mapping[str, int], builds: set[tuple[str, ...]]
) -> list[int]:
    """What the last record keeps: nothing after it shows where it ends, so it keeps what others have.

    More of one kind it keeps if they are built like those of others: a tree of answers has many.
    """
    kept = []
    seen: Counter[str] = Counter()
    for index in tail:
        symbol = outline.symbols[index]
        seen[symbol] += 1
        if symbol not in usual_tail:
            break
        if seen[symbol] > usual_tail[symbol] and _build_of(outline, index) not in builds:
            break
        kept.append(index)
    return kept


def _build_of(outline: PageOutline, index: int) -> tuple[str, ...]:
    """The symbols of an element and of its children. An element without children shows no build."""
    children = outline.children[index]
    return (outline.symbols[index], *(outline.symbols[child] for child in children)) if children else ()


_NAME_TAGS = frozenset(
    ("a", "b", "strong", "span", "em", "i", "bdi", "cite", "dt", "td", "h2", "h3", "h4", "h5")
)
_PHRASE_TAGS = frozenset(("span", "time", "abbr", "em", "b", "strong", "a", "small", "i", "font", "u", "bdi"))
_MIN_LINK_WORDS = 12  # characters; "3 hours ago" is shorter
_MIN_BARE = 15  # characters of bare text between records that are words, and no dash or button
_MAX_NUMBERED = 12  # elements at the begin of a record that may have its number in their id
_MAX_LABEL = 60  # characters of a text that may be a label or a button
_BLOCK = "block "  # begins the keys of columns by block
# Class names and IDs of such boxes on many sites. The last word of a name says what the element is.
_SIDE_NAME = re.compile(r"(?:^|[-_ ])(?:side(?:bar|box|col|column)?|aside|widgets?|rail)$", re.IGNORECASE)
# "no-sidebar" and "has-sidebar" name the page beside the box.
_ABOUT_SIDE = re.compile(r"^(?:no|not|has|have|with|without|hide)[-_]", re.IGNORECASE)
_MAX_SIDE_SHARE = 0.75  # of the text of the page: an element with more is the page itself
_PAGE_TAGS = frozenset(("main", "body", "html"))

_MIN_ALTERNATING = 4  # records that show by turns what is one thing

ColumnKey = tuple[str, int]  # the kind of an element, and its number among those of its kind in the record


_Found = TypeVar("_Found")


class RecordTable:
    """Records of one page side by side. A column is the same thing in each record."""

    def __init__(
        self,
        outline: PageOutline,
        records: Sequence[PageRecord],
        dates: Sequence[PageDate],
        *,
        without: Sequence[PageRecord] = (),
    ) -> None:
        self.outline = outline
        self.records = list(records)
        self.without = without  # records inside these that do not belong to them
        self.dates = dates
        self.memory: dict[object, Any] = {}  # what `once_per_table` remembers

    @cached_property
    def owner(self) -> list[int]:
        """The record of each element, by number; -1 for none. Of nested records the inner one counts."""
        owners = [-1] * len(self.outline)
        for number, record in enumerate(self.records):
            for start, end in record.spans(self.outline):
                owners[start:end] = [number] * (end - start)
        for record in self.without:
            for start, end in record.spans(self.outline):
                owners[start:end] = [-1] * (end - start)
        return owners

    @cached_property
    def members(self) -> list[list[int]]:
        """The elements of each record."""
        found: list[list[int]] = [[] for _ in self.records]
        spans = [(n, span) for n, record in enumerate(self.records) for span in record.spans(self.outline)]
        owner = self.owner
        if sum(end - start for _, (start, end) in spans) == len(owner) - owner.count(-1):
            for number, (start, end) in spans:  # none stands inside another
                found[number] += range(start, end)
            return found
        for index, number in enumerate(owner):
            if number >= 0:
                found[number].append(index)
        return found

    @cached_property
    def segments(self) -> list[list[int]]:
        """The text segments of each record, with the words that stand bare between it and the next."""
        found: list[list[int]] = [[] for _ in self.records]
        for number, record in enumerate(self.segment_records):
            if record >= 0:
                found[record].append(number)
        return found

    @cached_property
    def segment_records(self) -> list[int]:
        """The record of each text segment; -1 where it belongs to none.

        Words that stand directly beside the elements of records belong to the record above them.
        """
        outline, owner = self.outline, self.owner
        beside = {outline.parent[record.start] for record in self.records}
        found: list[int] = []
        latest: dict[int, int] = {}  # element around records → the last of these records so far
        for element, text in zip(outline.segment_owner, outline.segments, strict=True):
            number = owner[element]
            if number < 0 and element in beside and len(text) >= _MIN_BARE:
                number = latest.get(element, -1)
            elif number >= 0:
                latest[outline.parent[self.records[number].start]] = number
            found.append(number)
        return found

    @cached_property
    def segments_with_bare_text(self) -> list[list[int]]:
        """The text segments of each record, with the bare text that stands between its roots.

        Where records are lines, the text before the first root is part of the record, back to the line break.
        """
        outline = self.outline
        found = [set(segments) for segments in self.segments]
        breaks = sum(outline.tags[record.roots[-1]] == "br" for record in self.records)
        in_lines = len(self.records) > 1 and breaks + 1 >= len(self.records)
        for number, record in enumerate(self.records):
            above = outline.parent[record.start]
            between = range(outline.text_from[record.start], outline.text_to[record.roots[-1]])
            if in_lines and above >= 0:
                between = self._segments_of_line(record)
            found[number].update(segment for segment in between if outline.segment_owner[segment] == above)
        return [sorted(segments) for segments in found]

    def _segments_of_line(self, record: PageRecord) -> range:
        """The segments from the element before a record to its line break, or to the element after it."""
        outline, last = self.outline, record.roots[-1]
        above = outline.parent[record.start]
        siblings = outline.children[above]
        place, end = outline.child_position[record.start], outline.child_position[last] + 1
        first = outline.text_to[siblings[place - 1]] if place else outline.text_from[above]
        if outline.tags[last] == "br" or outline.parent[last] != above:
            return range(first, outline.text_to[last])
        return range(
            first, outline.text_from[siblings[end]] if end < len(siblings) else outline.text_to[above]
        )

    @cached_property
    def roots(self) -> set[int]:
        """The top elements of all records."""
        return {root for record in self.records for root in record.roots}

    @cached_property
    def same_root_tags(self) -> bool:
        """Whether all records begin with the same tags. Then their classes ("sticky", "odd") say nothing."""
        tags = self.outline.tags
        return len({tuple(tags[root] for root in record.roots[:2]) for record in self.records}) == 1

    def kind(self, index: int) -> str:
        """What kind of thing an element is; roots go by their tag where all records have the same."""
        return self._own_kinds.get(index) or self.outline.kinds[index]

    @cached_property
    def _own_kinds(self) -> dict[int, str]:
        """The kinds of elements that have another kind in this table than on the page."""
        parent = self.outline.parent
        return {
            index: f"{self._name(above)}/{self._name(up)}/{self._name(index)}"
            for index in self._renamed
            for up in (parent[index],)
            for above in (parent[up] if up >= 0 else -1,)
        }

    @cached_property
    def _renamed(self) -> set[int]:
        """The elements that have names of their own in this table, their children and grandchildren."""
        children, symbols = self.outline.children, self.outline.symbols
        names = self.own_names
        named = {index for index, name in names.items() if name != symbols[index]}
        inner = {child for index in named for child in children[index]}
        return named | inner | {child for index in inner for child in children[index]}

    @cached_property
    def own_names(self) -> dict[int, str]:
        """The names that elements have in this table only: roots, and what changes from record to record."""
        names = {
            index: self._same_things[symbol]
            for members in (self.members if self._same_things else ())
            for index in members
            if (symbol := self.outline.symbols[index]) in self._same_things
        }
        return names | self.root_names if self.same_root_tags else names

    @cached_property
    def _same_things(self) -> dict[str, str]:
        """Symbols that stand for one thing, and the usual one of them: "td.light" and "td.dark".

        They stand at one place in the page, each record has one of them, and several records have each.
        """
        if len(self.records) < _MIN_ALTERNATING:
            return {}
        places: dict[int, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        symbols, paths = self.outline.symbols, self.outline.tag_paths
        for number, members in enumerate(self.members):
            for index in members:
                places[paths[index]][symbols[index]].add(number)
        found: dict[str, str] = {}
        for shown in places.values():
            if len(shown) > 1 and _alternate(shown.values(), len(self.records)):
                usual = max(shown, key=lambda symbol: ("." not in symbol, len(shown[symbol])))
                found |= {symbol: usual for symbol in shown if symbol != usual}
        return found

    @cached_property
    def root_names(self) -> dict[int, str]:
        """The name of each root: its tag. Roots of one record are told apart by their symbols.

        A symbol counts if nearly all records have it: others may tell a state ("odd", "sticky"). Such a root
        stands for the one that its record lacks: the first post may have a class of its own.
        """
        outline = self.outline
        if all(len(record.roots) == 1 for record in self.records):
            return {record.start: outline.tags[record.start] for record in self.records}
        of_records = [[outline.symbols[root] for root in record.roots] for record in self.records]
        spread = Counter(symbol for symbols in of_records for symbol in dict.fromkeys(symbols))
        usual = [symbol for symbol, count in spread.items() if count >= _MOST * len(self.records)]
        tags = {symbol.partition(".")[0].partition(":")[0] for symbol in usual}
        names: dict[int, str] = {}
        for record, symbols in zip(self.records, of_records, strict=True):
            lacking = [symbol for symbol in usual if symbol not in symbols]
            for root, symbol in zip(record.roots, symbols, strict=True):
                tag = outline.tags[root]
                other = symbol if tag in tags else tag
                if symbol not in usual:
                    other = next((s for s in lacking if s.partition(".")[0] == tag), other)
                names[root] = other
        return names

    def _name(self, index: int) -> str:
        if index < 0:
            return ""
        return self.own_names.get(index) or self.outline.symbols[index]

    @cached_property
    def _own_loose_kinds(self) -> dict[int, str]:
        """The same for loose kinds: these have the name of the grandparent."""
        outline, found = self.outline, {}
        for index in self._renamed:
            up = outline.parent[index]
            above = outline.parent[up] if up >= 0 else -1
            found[index] = f"{self._name(above)}//{outline.tags[up] if up >= 0 else ''}/{outline.tags[index]}"
        return found

    @cached_property
    def in_side_box(self) -> bool:
        """Whether more than half of the records stand in boxes at the side of the page.

        Such boxes show threads of the whole site.
        """
        known: dict[int, bool] = {}
        parent = self.outline.parent
        inside = sum(is_in_side_box(self.outline, parent[record.start], known) for record in self.records)
        return 2 * inside > len(self.records)

    @cached_property
    def beside_side_box(self) -> bool:
        """Whether one record is a box at the side, or stands in one, and another does not."""
        known: dict[int, bool] = {}
        return len({is_in_side_box(self.outline, record.start, known) for record in self.records}) > 1

    @cached_property
    def columns(self) -> dict[ColumnKey, dict[int, int]]:
        """Column → record → element, for the first three elements of each kind in a record."""
        return _columns_by(self.outline.kinds, self._own_kinds, self.members)

    @cached_property
    def loose_columns(self) -> dict[ColumnKey, dict[int, int]]:
        """The same by tags, for elements that may hold a name: classes there differ from user to user."""
        tags = self.outline.tags
        names = [[index for index in members if tags[index] in _NAME_TAGS] for members in self.members]
        return _columns_by(self.outline.loose_kinds, self._own_loose_kinds, names)

    @cached_property
    def named_columns(self) -> dict[ColumnKey, dict[int, int]]:
        """The same by the class alone, for elements with one text: a guest's name stands in no link.

        Of several in a record, the one in the usual place counts: people who liked a post may have the class
        of authors.
        """
        found: dict[str, dict[int, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
        outline = self.outline
        for number, members in enumerate(self.members):
            for index in members:
                symbol = outline.symbols[index]
                if "." not in symbol:
                    continue
                first = outline.text_from[index]
                if outline.text_to[index] - first == 1:
                    # The element that directly holds the text; it may be a link inside the named one.
                    # Members and guests may have other tags: a.user, span.user.
                    place = outline.symbols[outline.parent[index]]
                    cells = found[symbol.partition(".")[2]][number]
                    cells.setdefault(place, outline.segment_owner[first])
        columns: dict[ColumnKey, dict[int, int]] = {}
        for name, records in found.items():
            places = Counter(place for cells in records.values() for place in cells)
            usual = max(places, key=lambda place: places[place])
            columns[f"@{name}", 1] = {
                number: cells.get(usual, next(iter(cells.values()))) for number, cells in records.items()
            }
        return columns

    @cached_property
    def numbers_in_ids(self) -> list[set[str]]:
        """The numbers in the ids and anchor names at the begin of each record: one of them may be its own."""
        found = []
        for members in self.members:
            elements = [self.outline.elements[index] for index in members[:_MAX_NUMBERED]]
            names = (element.attr(name) for element in elements for name in ("id", "name"))
            found.append({match[0] for name in names if name for match in _NUMBER.finditer(name)})
        return found

    @cached_property
    def repeated_texts(self) -> set[str]:
        """Short texts that stand in half of the records or more: labels and buttons.

        Two of three people may write the same sentence. It is a label where nearly all records have it.
        """
        spread: Counter[str] = Counter()
        texts = self.outline.segments
        for segments in self.segments:
            spread.update({texts[number] for number in segments if len(texts[number]) < _MAX_LABEL})
        size = len(self.records)
        return {
            text
            for text, count in spread.items()
            if count >= max(2, 0.5 * size) and (count >= _MOST * size or not ends_as_sentence(text))
        }

    @cached_property
    def _repeated_shapes(self) -> set[str]:
        """Short texts that stand in half of the records or more, apart from their numbers."""
        spread: Counter[str] = Counter()
        texts = self.outline.segments
        for segments in self.segments:
            short = (texts[number] for number in segments if len(texts[number]) < _MAX_LABEL)
            spread.update({_NUMBER.sub("#", text) for text in short if _NUMBER.search(text)})
        enough = max(3, 0.5 * len(self.records))
        return {shape for shape, count in spread.items() if count >= enough}

    def has_repeated_shape(self, text: str) -> bool:
        """Whether half of the records have a short text like this one with other numbers: "12 posts"."""
        return len(text) < _MAX_LABEL and _NUMBER.sub("#", text) in self._repeated_shapes

    @cached_property
    def dated(self) -> frozenset[int]:
        """The elements that show a date and little else."""
        # All tables of a page have the same dates.
        dates, found = self.outline.memory.get(_find_dated, ((), frozenset()))
        if dates is not self.dates:
            found = _find_dated(self.outline, self.dates)
            self.outline.memory[_find_dated] = (self.dates, found)
        dated: frozenset[int] = found
        return dated

    @cached_property
    def date_columns(self) -> dict[ColumnKey, dict[int, PageDate]]:
        """Column → record → date, by the kind of element and by the kind of the block around it.

        "Yesterday" may stand in a span where an older date stands bare: the block is the same.
        """
        found: dict[ColumnKey, dict[int, PageDate]] = defaultdict(dict)
        seen: Counter[tuple[int, str]] = Counter()
        for date in self.dates:
            number = self.owner[date.element]
            if number < 0:
                continue
            block = self._block_around(date.element)
            for kind in (self.kind(date.element), _BLOCK + self.kind(block)):
                seen[number, kind] += 1
                found[kind, seen[number, kind]][number] = date
        return _drop_needless_blocks(found)

    def _block_around(self, index: int) -> int:
        while self.outline.tags[index] in _PHRASE_TAGS and index not in self.roots:
            index = self.outline.parent[index]
        return index


def once_per_table(function: Callable[[RecordTable], _Found]) -> Callable[[RecordTable], _Found]:
    """The function with a memory: it is computed once for each table."""

    @wraps(function)
    def remembered(table: RecordTable) -> _Found:
        if function not in table.memory:
            table.memory[function] = function(table)
        found: _Found = table.memory[function]
        return found

    return remembered


def _columns_by(
    kinds: Sequence[str], own: Mapping[int, str], records: Sequence[Sequence[int]]
) -> dict[ColumnKey, dict[int, int]]:
    """The columns of elements by their kinds; `own` has those of elements with another kind in this table."""
    found: dict[ColumnKey, dict[int, int]] = defaultdict(dict)
    for number, elements in enumerate(records):
        seen: dict[str, int] = {}
        for index in elements:
            kind = own.get(index) or kinds[index]
            times = seen[kind] = seen.get(kind, 0) + 1
            if times <= _MAX_REPEATS:
                found[kind, times][number] = index
    return found


def _alternate(shown: Collection[set[int]], size: int) -> bool:
    """Whether nearly every record is in exactly one of these sets, and two of the sets have several."""
    together = set().union(*shown)
    several = sum(len(numbers) >= _MIN_ALTERNATING // 2 for numbers in shown)
    return sum(map(len, shown)) == len(together) >= _MOST * size and several > 1


def _find_dated(outline: PageOutline, dates: Sequence[PageDate]) -> frozenset[int]:
    found = set()
    for date in dates:
        index = date.element
        size = outline.text_length(index)
        repeated = date.exact is not None and date.text and date.text in date.exact
        has_words = size >= _MIN_LINK_WORDS or repeated
        if date.exact and has_words and outline.hrefs[index] and not has_date(date.text):
            continue  # a link with words, and a date in its title attribute, perhaps behind these words
        for _ in range(3):
            found.add(index)
            index = outline.parent[index]
            if index < 0 or outline.text_length(index) > size + 3:
                break
    return frozenset(found)


def _drop_needless_blocks(
    columns: dict[ColumnKey, dict[int, PageDate]],
) -> dict[ColumnKey, dict[int, PageDate]]:
    """Columns by block stay only where they cover more records than every column by kind."""
    covers = [set(cells) for (kind, _), cells in columns.items() if not kind.startswith(_BLOCK)]
    largest = max((len(cover) for cover in covers), default=0)
    return {
        key: cells for key, cells in columns.items() if not key[0].startswith(_BLOCK) or len(cells) > largest
    }


def is_in_side_box(outline: PageOutline, index: int, known: dict[int, bool]) -> bool:
    """Whether an element stands in a box at the side. `known` remembers what was found for other elements."""
    if index < 0:
        return False
    if index not in known:
        known[index] = _is_side_box(outline, index) or is_in_side_box(outline, outline.parent[index], known)
    return known[index]


def _is_side_box(outline: PageOutline, index: int) -> bool:
    if outline.tags[index] != "aside" and outline.attribute(index, "role") != "complementary":
        names = [*(outline.attribute(index, "class") or "").split(), outline.attribute(index, "id") or ""]
        if not any(_SIDE_NAME.search(name) and not _ABOUT_SIDE.match(name) for name in names):
            return False
    if outline.text_length(index) > _MAX_SIDE_SHARE * outline.text_before[-1]:
        return False
    tags = outline.tags[index : outline.end[index]]
    # A page has one heading. Some themes give each of their boxes one.
    return tags.count("h1") != 1 and _PAGE_TAGS.isdisjoint(tags)
