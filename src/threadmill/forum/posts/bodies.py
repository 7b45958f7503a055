"""Finds what authors wrote: sentences on a page, and the body of each post.

The body is the smallest element with all of the author's words and little else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from itertools import accumulate
from statistics import median

from threadmill.forum.records.date_columns import count_letters, may_show_date
from threadmill.forum.records.page_outline import PageOutline, once_per_page
from threadmill.forum.records.record_table import RecordTable

_LETTERS = re.compile(r"[^\W\d_]{2,}|[\u3040-\u30ff\u4e00-\u9fff]")
_HEADINGS = frozenset(("h1", "h2", "h3", "title"))
SENTENCE_END = re.compile(r"[^\W\d_][^\w\s:]*[.!?。！？…][\"'»”)]?$")
_URL = re.compile(r"^\S*(?:https?://|www\.)\S+$|\{\{")
# A line of so many letters is a sentence. "Discussion in … started by …" comes in shorter pieces.
_MIN_SENTENCE = 45
TEXT_BEGINNING = 40  # characters by which a text is known; two sentences of one language share fewer
_MOST_UNREAD = 3  # texts of one page: a post has one sentence or more


def find_sentences(outline: PageOutline, block: int, dated: set[int]) -> Iterator[int]:
    """The text segments of a block that are long enough to be written by somebody.

    Links, headings, parts of the page title, URLs and the elements in `dated` are left out.
    """
    return _texts_of(outline, block, dated, _all_sentences(outline))


def find_remarks(outline: PageOutline, block: int, dated: set[int]) -> Iterator[int]:
    """The same for segments of any length that end like a sentence: some posts only say "Thanks!"."""
    return _texts_of(outline, block, dated, _all_remarks(outline))


_MIN_NAME = 3  # characters; a shorter name is a part of many words
_MIN_TITLE = 12  # characters of the title of a page that a sentence may end with


def find_unread_texts(
    outline: PageOutline,
    posts: Sequence[tuple[int, int]],
    find_dated: Callable[[], Container[int]],
    people: Collection[str] = (),
) -> tuple[str, ...]:
    """The beginnings of sentences outside the element ranges of the posts of a page.

    Where they differ from thread to thread, posts are unread. A list of the people who are online has no end
    of a sentence. `find_dated` finds the elements that show dates; it is called only if one of them may.
    The names of the authors (`people`) are left out: "Ask anna for more details." is said on every page.
    """
    names = sorted((re.escape(name) for name in people if len(name) >= _MIN_NAME), key=len, reverse=True)
    is_named = re.compile("|".join(names)) if names else None
    inside = bytearray(len(outline))
    for start, end in posts:
        inside[start:end] = b"\x01" * (end - start)
    owners = {
        number: outline.segment_owner[number]
        for number in find_sentences(outline, 0, set())
        if not inside[outline.segment_owner[number]] and SENTENCE_END.search(outline.segments[number])
    }
    asks = any(may_show_date(outline, owner) for owner in set(owners.values()))
    dated = find_dated() if asks else ()
    shown = (outline.segments[number].strip() for number, owner in owners.items() if owner not in dated)
    found = ((is_named.sub("*", text) if is_named else text)[:TEXT_BEGINNING] for text in shown)
    return tuple(dict.fromkeys(found))[:_MOST_UNREAD]


def _texts_of(outline: PageOutline, block: int, dated: set[int], texts: list[int]) -> Iterator[int]:
    """Those of the texts of a page that stand in a block and not in the elements in `dated`."""
    first = bisect_left(texts, outline.text_from[block])
    last = bisect_left(texts, outline.text_to[block])
    return (number for number in texts[first:last] if outline.segment_owner[number] not in dated)


@once_per_page
def _all_sentences(outline: PageOutline) -> list[int]:
    """The sentences of the whole page, whether dated or not."""
    return [
        number
        for number, text in enumerate(outline.segments)
        if _is_long(text)
        and _is_outside_links(outline, number)
        and _LETTERS.search(text)
        and not _is_title_or_url(outline, text)
    ]


@once_per_page
def _all_remarks(outline: PageOutline) -> list[int]:
    """The remarks of the whole page, whether dated or not."""
    return [
        number
        for number, text in enumerate(outline.segments)
        if _is_outside_links(outline, number)
        and SENTENCE_END.search(text)
        and not _is_title_or_url(outline, text)
    ]


def _is_outside_links(outline: PageOutline, number: int) -> bool:
    owner = outline.segment_owner[number]
    return not outline.in_link[owner] and outline.tags[owner] not in _HEADINGS


def _is_title_or_url(outline: PageOutline, text: str) -> bool:
    title = outline.title
    named = text in title or (len(title) >= _MIN_TITLE and text.endswith(title))  # "Forum – A title"
    return named or bool(_URL.search(text))


def _is_long(text: str) -> bool:
    return len(text) >= _MIN_SENTENCE or (
        3 * len(text) >= _MIN_SENTENCE and count_letters(text) >= _MIN_SENTENCE
    )


# fmt: off
# Elements that authors' words are made of. The boxes of a page template are other ones.
_TEXT_TAGS = frozenset((
    "p", "br", "b", "i", "u", "em", "strong", "a", "img", "ul", "ol", "li", "blockquote", "pre", "code",
    "font", "h1", "h2", "h3", "h4", "h5", "h6", "sup", "sub", "q", "hr", "s",
))
# fmt: on
# For so few records schema.org markup is used first. More records show by what they share where words are.
_FEW_RECORDS = 3
_BODY_PROPERTIES = frozenset(("text", "articleBody", "commentText"))
_MAX_WEIGHT = 1500  # characters of one record that count: one pasted log must not outvote twenty posts
_LABELLED = re.compile(r"[^.!?:：]{2,25}[:：]\s?[^.!?:：]{1,20}\.?$")  # "Posts: 12", "Location: Berlin"
_LABELLED_WEIGHT = 0.2  # of a character in such a line
_RECURRING_WEIGHT = 0.05  # of a character in a text that recurs in posts
_MAX_BYLINE = 50  # characters of a text with the name or date of a post
_MIN_COLUMN_WORDS = 0.3  # of the weight of the records, in a column that is their bodies
_NEARLY_ALL_WORDS = 0.9  # of the weight: labels and what recurs for an author count little
_MOST = 0.6  # of the records
_HARDLY_ANY_WORDS = 4  # characters, such as those of "By" beside a name
_MUCH_HEAVIER = 2.0  # times the words of a box that has none of a post
_TABLE_TAGS, _CELLS = frozenset(("table", "tbody")), frozenset(("td", "dd"))
_MAX_CELL_LABEL, _MIN_ROWS = 40, 4  # characters; of a table that tells many things
_LINK_WEIGHT = 0.3  # of a character in a link, against one outside

_Cells = dict[int, list[int]]  # record → its elements of one kind


class TextWeights:
    """How much text in each element may be the author's own words, in characters.

    Text of links counts less. Labels, numbers and the elements in `skip` (names and dates) count nothing.
    """

    def __init__(self, table: RecordTable, skip: set[int], authors: Mapping[int, str] | None = None) -> None:
        outline = table.outline
        weights: list[float] = []
        in_link = outline.in_link
        recurring = _find_recurring(table, authors or {}) | _find_repeated_shapes(table)
        in_form = _find_in_forms(table)
        title = outline.title if len(table.records) == 1 else ""
        first: dict[str, int] = {}  # long text → the record that said it first; others quote or preview it
        for text, owner in zip(outline.segments, outline.segment_owner, strict=True):
            number = table.owner[owner]
            if number < 0 or owner in in_form or text in table.repeated_texts or not _LETTERS.search(text):
                weights.append(0.0)
            elif title and outline.tags[owner] in _HEADINGS and text in title:
                weights.append(0.0)  # the only post may stand beside the heading of the page
            elif owner in skip and (len(text) <= _MAX_BYLINE or outline.text_length(owner) == len(text)):
                weights.append(0.0)  # an author may write a date among other words
            elif (number, text) in recurring or (
                len(text) >= _MIN_SENTENCE and first.setdefault(text, number) != number
            ):
                weights.append(_RECURRING_WEIGHT * len(text))
            else:
                factor = (
                    _LINK_WEIGHT if in_link[owner] else _LABELLED_WEIGHT if _LABELLED.match(text) else 1.0
                )
                weights.append(len(text) * factor)
        self.outline = outline
        self._before = [0.0, *accumulate(weights)]  # the weight before each text segment
        self._in_replies = self._weigh_replies(table)

    def of(self, index: int) -> float:
        """The weight of an element, without the records that stand inside the record it belongs to."""
        return self._whole(index) - self._in_replies.get(index, 0.0)

    def after(self, index: int, roots: Sequence[int]) -> float:
        """The weight of what stands below an element in its record."""
        last = self.outline.text_to[roots[-1]]
        return self._before[last] - self._before[min(last, self.outline.text_to[index])]

    def holds_only_replies(self, index: int) -> bool:
        """Whether an element holds records inside the record it belongs to, and no other words."""
        return index in self._in_replies and self.of(index) <= 0

    def _whole(self, index: int) -> float:
        return self._before[self.outline.text_to[index]] - self._before[self.outline.text_from[index]]

    def _weigh_replies(self, table: RecordTable) -> dict[int, float]:
        """For each element that holds replies to the post it belongs to: the weight of these replies."""
        parent, owner = self.outline.parent, table.owner
        inside: dict[int, float] = defaultdict(float)
        for record in table.records:
            for root in record.roots:
                above = parent[root]
                number = owner[above] if above >= 0 else -1
                while number >= 0 and above >= 0 and owner[above] == number != owner[root]:
                    inside[above] += self._whole(root)
                    above = parent[above]
        return dict(inside)


def _find_in_forms(table: RecordTable) -> set[int]:
    """The elements of forms that stand in a post, to answer or to report it. Its author wrote no word there.

    A form around a post, or around all posts, is for moderators. It says nothing.
    """
    outline = table.outline
    found: set[int] = set()
    for index, tag in enumerate(outline.tags):
        number = table.owner[index] if tag == "form" else -1
        if number >= 0 and list(table.records[number].roots) != [index] and _has_text_field(outline, index):
            found.update(range(index, outline.end[index]))
    return found


def _has_text_field(outline: PageOutline, form: int) -> bool:
    return outline.elements[form].select_one("textarea, input[type=text], input[type=email]") is not None


def _find_recurring(table: RecordTable, authors: Mapping[int, str]) -> set[tuple[int, str]]:
    """The texts that stand in all of several posts of one author: profile, title, signature."""
    of_author: dict[str, list[int]] = defaultdict(list)
    for number, name in authors.items():
        of_author[name].append(number)
    found: set[tuple[int, str]] = set()
    for numbers in of_author.values():
        if len(numbers) > 1:
            texts = [{table.outline.segments[s] for s in table.segments[number]} for number in numbers]
            common = set.intersection(*texts)
            found.update((number, text) for number in numbers for text in common)
    return found


def _find_repeated_shapes(table: RecordTable) -> set[tuple[int, str]]:
    """The texts that half of the records have with other numbers. Most records must have other words too."""
    texts = table.outline.segments
    found: set[tuple[int, str]] = set()
    worded = 0
    for number, segments in enumerate(table.segments):
        shaped = {texts[s] for s in segments if table.has_repeated_shape(texts[s])}
        found.update((number, text) for text in shaped)
        worded += any(
            len(texts[s]) > 2 and texts[s] not in shaped and texts[s] not in table.repeated_texts
            and table.outline.segment_owner[s] not in table.dated
            and not table.outline.in_link[table.outline.segment_owner[s]]
            and _LETTERS.search(texts[s])
            for s in segments
        )  # fmt: skip
    return found if worded > 0.5 * len(table.records) else set()


def find_bodies(table: RecordTable, weights: TextWeights) -> list[int | None]:
    """The body of each record; None when a record has no words of its own.

    All records are walked down together, from their roots into the kind of child that holds most of the words
    in nearly every record, until there is no such kind.
    """
    marked = _bodies_by_markup(table, weights) if len(table.records) <= _FEW_RECORDS else {}
    if marked:
        return [marked.get(n, find_heaviest(table, weights, n)) for n in range(len(table.records))]
    reached = _find_starts(table)
    children = [
        list(record.roots) if start is None else table.outline.children[start]
        for record, start in zip(table.records, reached, strict=True)
    ]
    walking = list(range(len(children)))  # records that had the right kind of child at every step
    steps: list[list[int | None]] = []
    while True:
        step = _best_child(table, weights, children, walking, reached)
        if step is None:
            break
        walking = sorted(step)
        for number in walking:
            reached[number] = step[number]
            children[number] = table.outline.children[step[number]]
        steps.append(list(reached))
    if len(walking) < _MOST * len(children) or not steps:
        reached = _bodies_by_column(table, weights) or reached
        steps = [reached]
    elif (inner := _bodies_inside(table, weights, reached)) is not None:
        steps.append(inner)
    return _complete(table, weights, reached, steps)


def _find_starts(table: RecordTable) -> list[int | None]:
    """The elements from which records are walked down together, where they stand at different depths.

    An answer may stand in a box of its own, one level deeper than the rest: the walk begins in the box. Only
    where nearly all records have parts of the same names there.
    """
    starts = [_element_with_parts(table, number) for number in range(len(table.records))]
    builds = [None if start is None else _names_of_parts(table, start) for start in starts]
    usual, count = Counter(build for build in builds if build).most_common(1)[0] if any(builds) else ((), 0)
    chosen = [start if build == usual else None for start, build in zip(starts, builds, strict=True)]
    paths = {_names_down_to(table, number, start) for number, start in enumerate(chosen) if start is not None}
    if len(paths) < 2 or count < _MOST * len(starts):
        return [None] * len(starts)
    return chosen


def _element_with_parts(table: RecordTable, number: int) -> int | None:
    """The lowest element with all text of the first root of a record; None for one with several like it."""
    outline, roots = table.outline, table.records[number].roots
    element = roots[0]
    if any(outline.tags[root] == outline.tags[element] for root in roots[1:]):
        return None
    while len(filled := _filled_children(table, element)) == 1 and outline.text_length(
        filled[0]
    ) == outline.text_length(element):
        element = filled[0]
    return element


def _filled_children(table: RecordTable, element: int) -> list[int]:
    """The children of an element that have text and belong to its record."""
    outline, owner = table.outline, table.owner
    return [
        child
        for child in outline.children[element]
        if outline.text_length(child) and owner[child] == owner[element]
    ]


def _names_of_parts(table: RecordTable, element: int) -> tuple[str, ...]:
    return (table.outline.names[element], *(table.outline.names[c] for c in _filled_children(table, element)))


def _names_down_to(table: RecordTable, number: int, element: int) -> tuple[str, ...]:
    """The names of the elements of a record that hold an element."""
    root = table.records[number].start
    above = (up for up in table.outline.ancestors(element) if up >= root)
    return tuple(table.outline.tags[up] for up in above)


def _bodies_by_markup(table: RecordTable, weights: TextWeights) -> dict[int, int]:
    """The elements schema.org markup calls the text, if most records have one and these hold most words."""
    found: dict[int, int] = {}
    for number, members in enumerate(table.members):
        for index in members:
            if number not in found and (table.outline.attribute(index, "itemprop") or "") in _BODY_PROPERTIES:
                found[number] = index
    total = sum(weights.of(root) for record in table.records for root in record.roots)
    held = sum(weights.of(index) for index in found.values())
    return found if len(found) >= _nearly_all(len(table.records)) and held >= 0.5 * total else {}


def _bodies_by_column(table: RecordTable, weights: TextWeights) -> list[int | None] | None:
    """The column with the most words, for records that begin differently and cannot be walked together."""
    best: tuple[float, list[int | None]] | None = None
    size = len(table.records)
    for (_, place), cells in table.columns.items():
        first = next(iter(cells.values()))
        if place > 1 or len(cells) < 0.8 * size or table.outline.symbols[first] in _TEXT_TAGS:
            continue
        weight = sum(min(weights.of(index), _MAX_WEIGHT) for index in cells.values())
        # Of elements with the same words the innermost is the body. It comes later.
        if weight and (best is None or weight >= best[0] * 0.97):
            best = max(weight, best[0] if best else 0.0), [cells.get(number) for number in range(size)]
    total = sum(min(weights.of(root), _MAX_WEIGHT) for record in table.records for root in record.roots)
    return best[1] if best and best[0] >= _MIN_COLUMN_WORDS * total else None


def _bodies_inside(
    table: RecordTable, weights: TextWeights, reached: Sequence[int | None]
) -> list[int | None] | None:
    """The innermost column that has nearly all words of the elements reached; None when there is none.

    The walk ends early where records have a part more or less: a row for the signature, a row for a note.
    """
    outline, size = table.outline, len(table.records)
    total = sum(min(weights.of(index), _MAX_WEIGHT) for index in reached if index is not None)
    best: dict[int, int] = {}
    for (_, place), cells in table.columns.items():
        if place > 1 or len(cells) < _nearly_all(size):
            continue
        if outline.symbols[next(iter(cells.values()))] in _TEXT_TAGS:
            continue
        inside = {
            number: index
            for number, index in cells.items()
            if (outer := reached[number]) is not None and outer < index < outline.end[outer]
        }
        held = sum(min(weights.of(index), _MAX_WEIGHT) for index in inside.values())
        if len(inside) < _nearly_all(size) or held < _NEARLY_ALL_WORDS * total:
            continue
        if not _make_paragraphs(table, weights, _with_siblings(table, inside)):
            best = inside
    return [best.get(number, outer) for number, outer in enumerate(reached)] if best else None


def _with_siblings(table: RecordTable, cells: dict[int, int]) -> _Cells:
    """Each cell with its siblings of the same name."""
    outline = table.outline
    return {
        number: [
            c for c in outline.children[outline.parent[index]] if outline.names[c] == outline.names[index]
        ]
        for number, index in cells.items()
    }


def _best_child(
    table: RecordTable,
    weights: TextWeights,
    children: list[list[int]],
    walking: Sequence[int],
    reached: Sequence[int | None],
) -> dict[int, int] | None:
    """For each record the child of the kind that nearly every record has once and that holds most words."""
    totals: dict[int, float] = {}
    for number in walking:
        parent = reached[number]
        # An element reached counts with the words that stand directly in it.
        own = [child for child in children[number] if table.owner[child] == number]
        parts = own if parent is None else [parent]
        totals[number] = sum(min(weights.of(part), _MAX_WEIGHT) for part in parts)
    # Of few records each has one vote: the long profile of one author must not outvote two short posts.
    few = len(walking) <= _FEW_RECORDS
    votes = {number: 1 / total if few and total else 1.0 for number, total in totals.items()}
    total = sum(votes[number] * weight for number, weight in totals.items())
    best: _Cells = {}
    heaviest = 0.0
    for cells in _group_children(table, weights, children, walking).values():
        weight = sum(
            votes[number] * min(weights.of(child), _MAX_WEIGHT)
            for number, own in cells.items()
            for child in own
        )
        if weight > heaviest:
            best, heaviest = cells, weight
    if total == 0:
        return None
    if heaviest < 0.5 * total and not _holds_most_of_each(table, weights, children, walking, best):
        return None
    once = sum(len(own) == 1 for own in best.values())
    first = next(iter(best.values()))[0]
    if once < _nearly_all(len(walking)) or not (
        _may_be_body(table, first) or _are_whole_posts(table, weights, best)
    ):
        return None
    if _make_paragraphs(table, weights, best):
        return None
    return {number: max(own, key=weights.of) for number, own in best.items()}


def _may_be_body(table: RecordTable, index: int) -> bool:
    """Whether an element may be a body.

    Preformatted text is one if every record has it, or if the only record says nothing else: mail looks so.
    """
    symbol = table.outline.symbols[index]
    return symbol not in _TEXT_TAGS or (
        symbol == "pre" and (len(table.records) > 1 or _has_all_words(table, index))
    )


def _are_whole_posts(table: RecordTable, weights: TextWeights, cells: _Cells) -> bool:
    """Whether <blockquote> is what the site writes posts in: with no sentence before and no words after it.

    Most of several records must be so. Whoever quotes somebody says something as well.
    """
    outline, whole = table.outline, 0
    if len(table.records) < 2 or outline.tags[next(iter(cells.values()))[0]] != "blockquote":
        return False
    for number, own in cells.items():
        start, inside = (
            table.records[number].start,
            range(outline.text_from[own[0]], outline.text_to[own[-1]]),
        )
        said = [n for n in find_sentences(outline, start, set(table.dated)) if n not in inside]
        whole += not said and weights.after(own[-1], table.records[number].roots) == 0
    return whole >= _nearly_all(len(cells))


def _has_all_words(table: RecordTable, index: int) -> bool:
    """Whether all sentences and remarks of the only record stand in one element."""
    outline = table.outline
    inside = range(outline.text_from[index], outline.text_to[index])
    return all(
        number in inside
        for root in table.records[0].roots
        for find in (find_sentences, find_remarks)
        for number in find(outline, root, set(table.dated))
    )


def _make_paragraphs(table: RecordTable, weights: TextWeights, cells: _Cells) -> bool:
    """Whether children of one name are the paragraphs of bodies: some bodies have several of them."""
    outline = table.outline
    several = alone = 0
    for own in cells.values():
        worded = [child for child in outline.children[outline.parent[own[0]]] if outline.text_length(child)]
        said = (weights.of(child) > _LABELLED_WEIGHT * outline.text_length(child) for child in own)
        several += sum(said) > 1
        alone += are_paragraphs(outline, worded, outline.names[own[0]])
    return several > 0 and alone >= _nearly_all(len(cells))


def are_paragraphs(outline: PageOutline, children: Sequence[int], name: str) -> bool:
    """Whether the children of an element that have text are paragraphs of this name, quotes and the like."""
    if not children:
        return False
    paragraphs = [child for child in children if outline.names[child] == name]
    others = [child for child in children if outline.names[child] != name]
    whole = sum(map(outline.text_length, children)) == outline.text_length(outline.parent[children[0]])
    return whole and bool(paragraphs) and all(outline.tags[child] in _TEXT_TAGS for child in others)


def _nearly_all(size: int) -> float:
    """Four fifths, or all but one: the first post may have another layout."""
    return min(0.8 * size, size - 1) if size > 2 else size


def _holds_most_of_each(
    table: RecordTable,
    weights: TextWeights,
    children: list[list[int]],
    walking: Sequence[int],
    cells: _Cells,
) -> bool:
    """Whether nearly all records have most of their words in these cells, even if one long record has not."""
    if len(cells) < _nearly_all(len(walking)):
        return False
    shares = []
    for number, own in cells.items():
        total = sum(weights.of(child) for child in children[number] if table.owner[child] == number)
        shares.append(sum(weights.of(child) for child in own) / total if total else 1.0)
    return median(shares) >= 0.8


def _group_children(
    table: RecordTable, weights: TextWeights, children: list[list[int]], walking: Sequence[int]
) -> dict[tuple[str, int], _Cells]:
    """Children by name. Where every record has several of one name, their position tells them apart.

    Boxes that only hold the replies to a post are left out.
    """
    outline, owner = table.outline, table.owner
    by_name: dict[str, _Cells] = defaultdict(lambda: defaultdict(list))
    own_names = table.own_names  # classes may only tell odd from even
    for number in walking:
        for child in children[number]:
            if owner[child] == number and not weights.holds_only_replies(child):
                by_name[own_names.get(child) or outline.names[child]][number].append(child)
    groups: dict[tuple[str, int], _Cells] = {}
    for name, cells in by_name.items():
        size, records = Counter(len(own) for own in cells.values()).most_common(1)[0]
        if 1 < size <= 8 and records >= 0.8 * len(cells) and len(cells) >= 2:
            for place in range(size):
                groups[name, place] = {n: c[place : place + 1] for n, c in cells.items() if len(c) > place}
        else:
            groups[name, 0] = cells
    return groups


def _complete(
    table: RecordTable, weights: TextWeights, reached: list[int | None], steps: list[list[int | None]]
) -> list[int | None]:
    """The bodies, also of records that left the common walk early.

    Such a record gets its element that looks like the bodies of the others, else its heaviest element.
    """
    outline = table.outline
    final = steps[-1] if steps else reached
    sure = [
        index for number, index in enumerate(final) if index is not None and _walked_to_end(steps, number)
    ]
    kinds = {outline.kind(index) for index in sure}
    symbols = {outline.symbols[index] for index in sure if "." in outline.symbols[index]}
    pairs = {(outline.symbols[outline.parent[index]], outline.symbols[index]) for index in sure}
    bodies: list[int | None] = []
    for number, index in enumerate(final):
        if index is not None and _walked_to_end(steps, number):
            bodies.append(_body_beside_box(table, weights, number, index))
            continue
        members = table.members[number]
        named = [m for m in members if outline.symbols[m] in symbols]
        alike = (
            [m for m in members if outline.kind(m) in kinds]
            or [m for m in named if (outline.symbols[outline.parent[m]], outline.symbols[m]) in pairs]
            or named
        )
        # The words stand below the element that the walk reached. Beside it are panels.
        heaviest = find_heaviest(table, weights, number, reached[number])
        bodies.append(max(alike, key=weights.of) if alike else heaviest)
    return [_body_with_words(table, weights, number, body) for number, body in enumerate(bodies)]


def _body_with_words(table: RecordTable, weights: TextWeights, number: int, body: int | None) -> int | None:
    """The body, or the heaviest element of a record whose words stand elsewhere: it has another layout.

    Where replies are rows of tables, the same row of a first post may be its byline.
    """
    roots = table.records[number].roots
    total = sum(weights.of(root) for root in roots if table.owner[root] == number)
    if body is None or total < _MIN_SENTENCE or weights.of(body) > _HARDLY_ANY_WORDS:
        return None if body is None else _labelled_cell(table, body)
    other = find_heaviest(table, weights, number)
    return body if other is None or table.outline.is_under(body, other) else _labelled_cell(table, other)


def _body_beside_box(table: RecordTable, weights: TextWeights, number: int, index: int) -> int:
    """The body of a first post made of several elements where one of them only looks like those of comments.

    An article has its words before such a box, several times as many as the box.
    """
    roots = table.records[number].roots
    if number or index not in roots or len(table.records) == 1 or len(roots) == 1:
        return index
    before = [root for root in roots if root < index and table.owner[root] == number]
    heaviest = max(before, key=weights.of, default=index)
    return heaviest if weights.of(heaviest) > _MUCH_HEAVIER * weights.of(index) else index


def _walked_to_end(steps: list[list[int | None]], number: int) -> bool:
    return len(steps) < 2 or steps[-1][number] != steps[-2][number]


def find_heaviest(
    table: RecordTable, weights: TextWeights, number: int, start: int | None = None
) -> int | None:
    """The body of one record alone: walk down into the child that holds most of the words."""
    outline = table.outline
    children = list(table.records[number].roots) if start is None else outline.children[start]
    current = start
    while True:
        own = [child for child in children if table.owner[child] == number]
        total = sum(weights.of(child) for child in own) if current is None else weights.of(current)
        best = max(own, key=weights.of, default=None)
        if best is None or total == 0 or weights.of(best) < 0.7 * total:
            return current
        item = outline.tags[best] == "li" and "." in outline.symbols[best]  # of a template, not of a text
        if outline.tags[best] in _TEXT_TAGS and not item and current is not None:
            return current
        current = best
        children = outline.children[best]


def _labelled_cell(table: RecordTable, element: int) -> int:
    """The cell with all sentences of a table whose rows have a label and a value; else the element itself.

    Such a table tells many things about what it shows. Only one of them was written by somebody.
    """
    outline = table.outline
    if outline.tags[element] not in _TABLE_TAGS:
        return element
    owners = [outline.segment_owner[number] for number in find_sentences(outline, element, set(table.dated))]
    cells = {_cell_around(outline, own) for own in owners}
    cell = cells.pop() if len(cells) == 1 else -1
    if cell <= element:
        return element
    row = outline.children[outline.parent[cell]]
    rows = outline.children[outline.parent[outline.parent[cell]]]
    labelled = row[0] != cell and 0 < outline.text_length(row[0]) <= _MAX_CELL_LABEL
    return cell if labelled and len(rows) >= _MIN_ROWS else element


def _cell_around(outline: PageOutline, index: int) -> int:
    """The cell of a table that an element stands in; else -1."""
    return next((up for up in (index, *outline.ancestors(index)) if outline.tags[up] in _CELLS), -1)
