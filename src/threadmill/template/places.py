"""Tells which places of a site's pages are framing, by what they hold over all of its pages.

A place is a path of tags, ids and classes. What decides is never one text but what the place holds from
page to page: the same wordings again and again, links, echoes of the page's own headings. A repeated text in
a place that otherwise holds new text (a disclaimer among paragraphs, a quoted post) is content.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from threadmill.template.outline import HEADINGS, Kind, Outline

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
ROOT = 0


@dataclass(frozen=True, slots=True)
class PlaceSettings:
    """When a place is framing; set on eleven manuals and four forums together, none held back."""

    min_pages: int = 4  # as the source asks of a cluster
    min_presence: float = 0.5  # share of the pages with the parent place that have the place
    max_per_page: float = 4.0  # framing stands once on a page, or above and below; more is a list of records
    max_spread: float = 0.25  # variance of that number from page to page
    max_new_share: float = 0.08  # of the place's text that is neither repeated, linked, echoed nor mere signs
    # A bar beside the content that is on nearly all pages, with the same links on each, may hold more of it:
    # titles of the pages before and after, which need not be links nor among the pages that were read.
    min_bar_presence: float = 0.9
    min_bar_steady: float = 0.15
    min_bar_link: float = 0.1
    max_bar_new_share: float = 0.8
    max_bar_varied_share: float = 0.1
    max_varied_share: float = (
        0.3  # of what is new on a page: a list of threads is links, but it is the content
    )
    max_heading_share: float = 0.9  # a heading alone belongs to what follows it,
    min_steady_share: float = 0.95  # unless it is the same on at least half of all pages: the site's name
    min_support: float = 0.25  # share of its text that is repeated or linked; a title alone is neither
    trunk_share: float = 0.5  # of what is new on a page: who holds that much leads to the content
    # Beside the trunk, inside a part of the content: a container that is repeated or linked throughout, or
    # links that are the same on at least half of all pages.
    min_inner_support: float = 0.9
    # Where the trunk ends and the content begins, a list of the page's own headings is part of the content.
    min_root_support: float = 0.25  # share that is repeated, or linked and no echo
    # What is prose must be on many pages to be framing: a disclaimer of some articles is not, a copyright is.
    min_prose_presence: float = 0.25
    min_link_share: float = 0.5
    min_token_share: float = 0.02  # of pages that have an id or class, for it to name a place
    min_repeats: int = 3
    min_repeat_share: float = 0.02


@dataclass(slots=True)
class Paths:
    """Numbers for places: the child of a place by its step; place 0 is the body."""

    children: dict[tuple[int, str], int] = field(default_factory=dict)

    def child(self, place: int, step: str) -> int:
        """The number of a place, a new one when it was not seen yet."""
        return self.children.setdefault((place, step), len(self.children) + 1)


@dataclass(frozen=True, slots=True)
class Place:
    """A framing place, with the figures that made it one."""

    number: int
    pages: int
    characters: float  # per page that has it
    repeated: float  # shares of its text
    linked: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What a cluster's pages teach: its framing places and the wordings known to stand in them."""

    tokens: frozenset[str]
    paths: Paths
    places: tuple[Place, ...]
    wordings: frozenset[int]
    refuted: frozenset[int]  # places that hold too much new text to be framing


def judge_places(outlines: Sequence[Outline], settings: PlaceSettings | None = None) -> Judged:
    """Find the framing places of pages that share one framing."""
    settings = settings or PlaceSettings()
    tokens = _known_tokens(outlines, settings)
    repeated, steady = _repeated_wordings(outlines, settings)
    paths = Paths()
    located = [list(_locate(outline, tokens, paths)) for outline in outlines]
    figures = _gather(outlines, located, (repeated, steady), len(paths.children) + 1)
    places = tuple(_framing_places(figures, paths, len(outlines), settings))
    new, total = figures.sums[:, _NEW], figures.sums[:, _TOTAL]
    refuted = frozenset(np.flatnonzero(new > settings.max_new_share * total).tolist())
    numbers = {place.number for place in places}
    wordings = _wordings_in(outlines, located, numbers, repeated)
    return Judged(tokens, paths, places, wordings, refuted)


def _known_tokens(outlines: Sequence[Outline], settings: PlaceSettings) -> frozenset[str]:
    """Ids and classes that are the site's, not one page's."""
    pages: Counter[str] = Counter()
    for outline in outlines:
        pages.update({token for tokens in outline.tokens for token in tokens})
    least = max(settings.min_pages, settings.min_token_share * len(outlines))
    return frozenset(token for token, count in pages.items() if count >= least)


def _repeated_wordings(
    outlines: Sequence[Outline], settings: PlaceSettings
) -> tuple[frozenset[int], frozenset[int]]:
    """Wordings of several pages, and those of at least half of all pages."""
    pages: Counter[int] = Counter()
    for outline in outlines:
        pages.update(set(outline.names))
    least = max(settings.min_repeats, settings.min_repeat_share * len(outlines))
    repeated = frozenset(name for name, count in pages.items() if count >= least)
    return repeated, frozenset(name for name in repeated if 2 * pages[name] >= len(outlines))


def step_of(tag: str, tokens: Iterable[str], known: frozenset[str]) -> str:
    """The step to an element that ids or classes name; only the tag when none of them is known."""
    return tag + "".join(token for token in tokens if token in known)


def from_start(tag: str, before: int) -> str:
    """The step to an element without a name, by how many of its kind stand before it under its parent."""
    return f"{tag}[{before + 1}]" if before < 4 else f"{tag}[…]"


def from_end(tag: str, after: int) -> str | None:
    """The same counted from the end, for what follows a content of any length."""
    return f"{tag}[-{after + 1}]" if after < 2 else None


def _locate(outline: Outline, known: frozenset[str], paths: Paths) -> Iterator[tuple[int, int]]:
    """(element, place) for every element, and once more from the end for those without a name."""
    places = [ROOT] * len(outline.tags)
    seen: Counter[tuple[int, str]] = Counter()
    nameless: list[tuple[int, int, str, int]] = []
    for i, (tag, tokens, parent) in enumerate(
        zip(outline.tags, outline.tokens, outline.parents, strict=True)
    ):
        if parent < 0:
            continue
        step = step_of(tag, tokens, known)
        if step == tag:
            before = seen[parent, tag]
            seen[parent, tag] = before + 1
            nameless.append((i, parent, tag, before))
            step = from_start(tag, before)
        places[i] = paths.child(places[parent], step)
        yield i, places[i]
    for i, parent, tag, before in nameless:
        step_back = from_end(tag, seen[parent, tag] - before - 1)
        if step_back is not None:
            yield i, paths.child(places[parent], step_back)


# Columns of the figures of a text, an element or a place.
_TOTAL, _REPEATED, _LINKED, _NEW, _HEADING, _VARIED, _SUPPORT, _STEADY, _STEADY_LINK, _LINK = range(10)

# Cells, paragraphs and inline elements are parts of something: beside the trunk they are not judged alone.
_LABELS = HEADINGS | {"thead", "th", "caption", "dt", "figcaption", "legend"}
_NAME_END = re.compile(r"[.#\[]")
_CONTAINERS = frozenset(["div", "nav", "ul", "ol", "form", "aside", "header", "footer", "section", "menu"])


@dataclass(slots=True)
class _Figures:
    sums: Numbers  # characters by place and column
    pages: Numbers
    count: Numbers
    count_squared: Numbers
    varied_share: Numbers  # summed over pages


def _gather(
    outlines: Sequence[Outline],
    located: Sequence[list[tuple[int, int]]],
    wordings: tuple[frozenset[int], frozenset[int]],
    size: int,
) -> _Figures:
    figures = _Figures(np.zeros((size, 10)), *(np.zeros(size) for _ in range(4)))
    for outline, pairs in zip(outlines, located, strict=True):
        if not pairs or not outline.owners:
            continue
        inside = _subtree_sums(outline, *wordings)
        elements, places = (np.array(column) for column in zip(*pairs, strict=True))
        np.add.at(figures.sums, places, inside[elements])
        count = np.bincount(places, minlength=size).astype(float)
        figures.count += count
        figures.count_squared += count * count
        figures.pages += count > 0
        varied = np.bincount(places, inside[elements, _VARIED], minlength=size)
        figures.varied_share += varied / max(1.0, inside[ROOT, _VARIED])
    return figures


def _subtree_sums(outline: Outline, repeated: frozenset[int], steady: frozenset[int]) -> Numbers:
    lengths = np.array(outline.lengths, float)
    kinds = np.array(outline.kinds)
    known = np.fromiter((name in repeated for name in outline.names), bool, len(outline.names))
    texts = np.zeros((len(lengths), 10))
    texts[:, _TOTAL] = lengths
    texts[:, _REPEATED] = lengths * known
    texts[:, _LINKED] = lengths * (~known & (kinds == Kind.LINK))
    texts[:, _NEW] = lengths * (~known & (kinds == Kind.PLAIN))
    texts[:, _HEADING] = lengths * np.array(outline.in_heading)
    texts[:, _VARIED] = texts[:, _LINKED] + texts[:, _NEW]
    linked = np.array(outline.linked)
    texts[:, _SUPPORT] = lengths * (known | linked)
    always = np.fromiter((name in steady for name in outline.names), bool, len(outline.names))
    texts[:, _STEADY] = lengths * always
    linking = linked | (kinds == Kind.SIGNS)
    texts[:, _LINK] = lengths * linking
    texts[:, _STEADY_LINK] = lengths * (always & linking)
    own = np.zeros((len(outline.tags) + 1, 10))
    np.add.at(own, np.array(outline.owners) + 1, texts)
    running = np.cumsum(own, axis=0)  # row i: everything held by the elements before element i
    return np.asarray(running[np.array(outline.ends)] - running[:-1])


@dataclass(slots=True)
class _Standing:
    """Where places stand: by number, what the tests ask of their surroundings."""

    on_trunk: Flags
    at_root: Flags  # directly in the content: on the part of the trunk that nothing leads on from
    near_trunk: Flags  # on something that hangs on the trunk
    container: Flags
    label: Flags  # headings and what stands in them, heads of tables, terms
    around: Numbers  # how many pages could have the place


def _framing_places(figures: _Figures, paths: Paths, pages: int, settings: PlaceSettings) -> Iterator[Place]:
    with np.errstate(invalid="ignore", divide="ignore"):
        total = figures.sums[:, _TOTAL]
        shares = figures.sums / total[:, None]
        standing = _standing(figures, paths, pages, settings)
        passed = (
            (total > 0)
            & ~standing.label
            & _steadily_there(figures, standing, settings)
            & _holds_framing(figures, shares, _bars(figures, shares, standing, pages, settings), settings)
            & _stands_right(shares, standing, settings)
            & _is_no_remark(figures, shares, standing, pages, settings)
        )
    for number in np.flatnonzero(passed):
        yield Place(
            int(number),
            int(figures.pages[number]),
            float(total[number] / figures.pages[number]),
            float(shares[number, _REPEATED]),
            float(shares[number, _LINKED]),
        )


def _steadily_there(figures: _Figures, standing: _Standing, settings: PlaceSettings) -> Flags:
    """On most pages that could have it, and equally often on each."""
    per_page = figures.count / figures.pages
    spread = figures.count_squared / figures.pages - per_page**2
    present = figures.pages >= np.maximum(settings.min_pages, settings.min_presence * standing.around)
    return np.asarray(present & (per_page <= settings.max_per_page) & (spread <= settings.max_spread))


def _bars(
    figures: _Figures, shares: Numbers, standing: _Standing, pages: int, settings: PlaceSettings
) -> Flags:
    """Bars beside the content that lead from page to page."""
    return np.asarray(
        standing.on_trunk
        & ~standing.at_root
        & (figures.pages >= settings.min_bar_presence * pages)
        & (shares[:, _STEADY] >= settings.min_bar_steady)
        & (shares[:, _LINK] >= settings.min_bar_link)
        & (shares[:, _NEW] <= settings.max_bar_new_share)
        & (shares[:, _HEADING] <= 1 - settings.max_heading_share)
        & (figures.varied_share / figures.pages <= settings.max_bar_varied_share)
    )


def _holds_framing(figures: _Figures, shares: Numbers, bars: Flags, settings: PlaceSettings) -> Flags:
    """Little new text, little of what makes its pages differ, and more than a title or a heading."""
    steady = shares[:, _STEADY] >= settings.min_steady_share
    return np.asarray(
        ((shares[:, _NEW] <= settings.max_new_share) | bars)
        & (figures.varied_share / figures.pages <= settings.max_varied_share)
        & ((shares[:, _HEADING] <= settings.max_heading_share) | steady)
        & (shares[:, _SUPPORT] >= settings.min_support)
    )


def _stands_right(shares: Numbers, standing: _Standing, settings: PlaceSettings) -> Flags:
    """Outside the content; or in it, but a container of links, or links that are the same everywhere."""
    own = shares[:, _REPEATED] + shares[:, _LINKED]
    controls = standing.near_trunk & (shares[:, _STEADY_LINK] >= settings.min_steady_share)
    inner = (
        standing.container
        & (own >= settings.min_root_support)
        & (shares[:, _SUPPORT] >= settings.min_inner_support)
        & (shares[:, _LINK] >= settings.min_link_share)
    )
    outer = standing.on_trunk & (~standing.at_root | (own >= settings.min_root_support))
    return np.asarray(outer | controls | inner)


def _is_no_remark(
    figures: _Figures, shares: Numbers, standing: _Standing, pages: int, settings: PlaceSettings
) -> Flags:
    """On a good part of all pages; or on few, but then a container of repeated links, not of prose."""
    frequent = figures.pages >= settings.min_prose_presence * pages
    links = (shares[:, _LINK] >= settings.min_link_share) & (shares[:, _REPEATED] >= settings.min_link_share)
    return np.asarray(frequent | (links & standing.container))


def _standing(figures: _Figures, paths: Paths, pages: int, settings: PlaceSettings) -> _Standing:
    """A part of the trunk belongs to a kind of pages; what hangs on it is asked for on those pages only."""
    size = len(figures.pages)
    trunk = figures.varied_share >= settings.trunk_share * figures.count
    trunk[ROOT] = True
    led = np.zeros(size)  # pages on which the trunk goes on from here
    flags = np.zeros((5, size), bool)
    around = np.full(size, float(pages))
    found = _Standing(flags[0], flags[1], flags[2], flags[3], flags[4], around)
    for (parent, step), child in paths.children.items():
        tag = _NAME_END.split(step, maxsplit=1)[0]
        led[parent] += trunk[child] * figures.pages[child]
        found.on_trunk[child] = trunk[parent]
        found.near_trunk[child] = found.on_trunk[parent]
        found.container[child] = tag in _CONTAINERS
        found.label[child] = found.label[parent] or tag in _LABELS
        if trunk[parent] and parent != ROOT:
            found.around[child] = figures.pages[parent]
    for (parent, _), child in paths.children.items():
        found.at_root[child] = trunk[parent] and 2 * led[parent] < around[parent]
    return found


def _wordings_in(
    outlines: Sequence[Outline],
    located: Sequence[list[tuple[int, int]]],
    numbers: set[int],
    repeated: frozenset[int],
) -> frozenset[int]:
    found: set[int] = set()
    for outline, pairs in zip(outlines, located, strict=True):
        spans = [(element, outline.ends[element]) for element, place in pairs if place in numbers]
        covered = np.zeros(len(outline.tags) + 1, bool)
        for start, end in spans:
            covered[start:end] = True
        found.update(
            name
            for name, owner in zip(outline.names, outline.owners, strict=True)
            if covered[owner] and name in repeated
        )
    return frozenset(found)
