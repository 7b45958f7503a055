"""Where in its record a post's words stand: the smallest element that has them all and little else."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from threadmill.forum.records.record_table import RecordTable

_LETTERS = re.compile(r"[^\W\d_]{2,}|[\u3040-\u30ff\u4e00-\u9fff]")
# Elements that authors' words are made of; a template's boxes are other ones.
_TEXT_LEVEL = frozenset(
    [
        "p",
        "br",
        "b",
        "i",
        "u",
        "em",
        "strong",
        "a",
        "img",
        "ul",
        "ol",
        "li",
        "blockquote",
        "pre",
        "code",
        "font",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "sup",
        "sub",
        "q",
        "hr",
        "s",
    ]
)
# Records that are many show by what they share where their words are; of few, markup knows more.
_FEW = 3
_TEXT_NAMES = frozenset(("text", "articleBody", "commentText"))
_CAP = 1500  # characters of one record that may vote: one pasted log must not outvote twenty posts


class TextWeights:
    """How many characters that may be an author's words stand before each text segment."""

    def __init__(self, table: RecordTable, skip: set[int]) -> None:
        outline = table.outline
        weights: list[float] = []
        boilerplate, in_link = table.repeated_texts, outline.in_link
        for text, owner in zip(outline.segments, outline.segment_owner, strict=True):
            if table.owner[owner] < 0 or owner in skip or text in boilerplate or not _LETTERS.search(text):
                weights.append(0.0)
            else:
                weights.append(len(text) * (0.3 if in_link[owner] else 1.0))
        self.outline = outline
        total = 0.0
        self.before = [0.0]
        for weight in weights:
            total += weight
            self.before.append(total)
        self.answers = self._answers(table)

    def of(self, index: int) -> float:
        """The mass of a subtree, without that of the records inside it that are not its own."""
        return self._whole(index) - self.answers.get(index, 0.0)

    def _whole(self, index: int) -> float:
        return self.before[self.outline.text_to[index]] - self.before[self.outline.text_from[index]]

    def _answers(self, table: RecordTable) -> dict[int, float]:
        """How much of an element's mass is that of answers standing inside the post it belongs to."""
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


def find_bodies(table: RecordTable, masses: TextWeights) -> list[int | None]:
    """The body element of each record; None when a record shows no words of its own."""
    marked = _marked(table, masses) if len(table.records) <= _FEW else {}
    if marked:
        return [marked.get(number, heaviest(table, masses, number)) for number in range(len(table.records))]
    here: list[list[int]] = [list(record.roots) for record in table.records]
    chosen: list[int | None] = [None] * len(here)
    live = list(range(len(here)))
    trail: list[list[int | None]] = []
    while True:
        step = _best_child(table, masses, here, live)
        if step is None:
            break
        live = sorted(step)
        for number in live:
            chosen[number] = step[number]
            here[number] = table.outline.children[step[number]]
        trail.append(list(chosen))
    if len(live) < 0.6 * len(here) or not trail:
        chosen = _by_column(table, masses) or chosen
        trail = [chosen]
    return _settle(table, masses, chosen, trail)


def _marked(table: RecordTable, masses: TextWeights) -> dict[int, int]:
    """The elements schema.org's markup calls the text, where most records have one with most words."""
    found: dict[int, int] = {}
    for number, members in enumerate(table.members):
        for index in members:
            if number not in found and (table.outline.attribute(index, "itemprop") or "") in _TEXT_NAMES:
                found[number] = index
    total = sum(masses.of(root) for record in table.records for root in record.roots)
    held = sum(masses.of(index) for index in found.values())
    return found if len(found) >= _most(len(table.records)) and held >= 0.5 * total else {}


def _by_column(table: RecordTable, masses: TextWeights) -> list[int | None] | None:
    """The kind of element most records have that holds most words, where records begin differently."""
    best: tuple[float, list[int | None]] | None = None
    size = len(table.records)
    for (_, place), cells in table.columns.items():
        first = next(iter(cells.values()))
        if place > 1 or len(cells) < 0.8 * size or table.outline.symbols[first] in _TEXT_LEVEL:
            continue
        mass = sum(min(masses.of(index), _CAP) for index in cells.values())
        # Of elements that hold the same words the innermost is the body: it comes later.
        if mass and (best is None or mass >= best[0] * 0.97):
            best = max(mass, best[0] if best else 0.0), [cells.get(number) for number in range(size)]
    return best[1] if best else None


def _best_child(
    table: RecordTable, masses: TextWeights, here: list[list[int]], live: Sequence[int]
) -> dict[int, int] | None:
    """The kind of child that nearly every record has once and that holds most of the words."""
    groups = _group_children(table, here, live)
    total = sum(
        min(masses.of(child), _CAP)
        for number in live
        for child in here[number]
        if table.owner[child] == number
    )
    best: dict[int, list[int]] = {}
    weight = 0.0
    for cells in groups.values():
        mass = sum(min(masses.of(child), _CAP) for children in cells.values() for child in children)
        if mass > weight:
            best, weight = cells, mass
    if total == 0 or (weight < 0.5 * total and not _leads_alone(table, masses, here, live, best)):
        return None
    once = sum(len(children) == 1 for children in best.values())
    first = next(iter(best.values()))[0]
    if once < _most(len(live)) or table.outline.symbols[first] in _TEXT_LEVEL:
        return None
    return {number: max(children, key=masses.of) for number, children in best.items()}


def _most(size: int) -> float:
    """Four fifths, or all but one: the first post may have a layout of its own."""
    return min(0.8 * size, size - 1) if size > 2 else size


def _leads_alone(
    table: RecordTable,
    masses: TextWeights,
    here: list[list[int]],
    live: Sequence[int],
    cells: dict[int, list[int]],
) -> bool:
    """Whether nearly all records have nearly all of their words there, though an odd long one has not."""
    if len(cells) < _most(len(live)):
        return False
    shares = []
    for number, children in cells.items():
        total = sum(masses.of(child) for child in here[number] if table.owner[child] == number)
        shares.append(sum(masses.of(child) for child in children) / total if total else 1.0)
    return median(shares) >= 0.8


def _group_children(
    table: RecordTable, here: list[list[int]], live: Sequence[int]
) -> dict[tuple[str, int], dict[int, list[int]]]:
    """Children by what they are; several alike in every record are told apart by their place."""
    outline, owner = table.outline, table.owner
    alike: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    # Records' own names tell odd from even and first from later; where their tags agree these are enough.
    roots = table.roots if table.same_root_tags else frozenset[int]()
    for number in live:
        for child in here[number]:
            if owner[child] == number:
                name = outline.tags[child] if child in roots else outline.names[child]
                alike[name][number].append(child)
    groups: dict[tuple[str, int], dict[int, list[int]]] = {}
    for symbol, cells in alike.items():
        size, holders = Counter(len(children) for children in cells.values()).most_common(1)[0]
        if 1 < size <= 8 and holders >= 0.8 * len(cells) and len(cells) >= 2:
            for place in range(size):
                groups[symbol, place] = {n: c[place : place + 1] for n, c in cells.items() if len(c) > place}
        else:
            groups[symbol, 0] = cells
    return groups


def _settle(
    table: RecordTable, masses: TextWeights, chosen: list[int | None], trail: list[list[int | None]]
) -> list[int | None]:
    """Records the walk lost get the element that looks like the others' bodies, or their own heaviest."""
    outline = table.outline
    final = trail[-1] if trail else chosen
    sure = [index for number, index in enumerate(final) if index is not None and _is_final(trail, number)]
    kinds = {outline.kind(index) for index in sure}
    symbols = {outline.symbols[index] for index in sure if "." in outline.symbols[index]}
    settled: list[int | None] = []
    for number, index in enumerate(final):
        if index is not None and _is_final(trail, number):
            settled.append(index)
            continue
        alike = [
            m for m in table.members[number] if outline.kind(m) in kinds or outline.symbols[m] in symbols
        ]
        # Where the walk lost a record, its words are further down the same way: beside are panels.
        settled.append(alike[0] if alike else heaviest(table, masses, number, chosen[number]))
    return settled


def _is_final(trail: list[list[int | None]], number: int) -> bool:
    return len(trail) < 2 or trail[-1][number] != trail[-2][number]


def heaviest(table: RecordTable, masses: TextWeights, number: int, start: int | None = None) -> int | None:
    """Walk down one record alone, each time into the child that holds nearly all of its words."""
    outline = table.outline
    children = list(table.records[number].roots) if start is None else outline.children[start]
    current = start
    while True:
        total = sum(masses.of(child) for child in children if table.owner[child] == number)
        best = max((child for child in children if table.owner[child] == number), key=masses.of, default=None)
        if best is None or total == 0 or masses.of(best) < 0.7 * total:
            return current
        if outline.tags[best] in _TEXT_LEVEL and current is not None:
            return current
        current = best
        children = outline.children[best]
