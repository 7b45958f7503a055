"""Tells which places of a site's pages are framing, by what they hold over all of its pages.

A place is a path of tags, ids and classes. What decides is never one text but what the place holds from
page to page: the same wordings again and again, links, echoes of the page's own headings. A repeated text in
a place that otherwise holds new text (a disclaimer among paragraphs, a quoted post) is content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from threadmill.template.places.outline import Outline
from threadmill.template.places.paths import Paths, locate
from threadmill.template.places.place_context import Flags, Standing, standing_of
from threadmill.template.places.place_settings import PlaceSettings
from threadmill.template.places.recurrence import recurrence
from threadmill.template.places.statistics import (
    HEADING,
    LINK,
    LINKED,
    NEW,
    REPEATED,
    SIGNS,
    STEADY,
    STEADY_LINK,
    SUPPORT,
    TOTAL,
    Figures,
    Numbers,
    Wordings,
    gather,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A framing place, with the figures that made it one."""

    number: int
    pages: int
    characters: float  # per page that has it
    repeated: float  # shares of its text
    linked: float
    worded: bool = False  # framing only where it holds nothing but wordings known from the site's framing


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
    wordings = _repeated_wordings(outlines, settings)
    paths = Paths()
    located = [list(locate(outline, tokens, paths)) for outline in outlines]
    figures = gather(outlines, located, wordings, len(paths.children) + 1)
    standing = standing_of(figures, paths, len(outlines), settings)
    found = list(_framing_places(figures, standing, len(outlines), settings))
    again = recurrence(outlines, located, {place.number for place in found if standing.at_root[place.number]})
    places = tuple(place for place in found if again.get(place.number, 1.0) >= settings.min_recurrence)
    new, total = figures.sums[:, NEW], figures.sums[:, TOTAL]
    refuted = frozenset(np.flatnonzero(new > settings.max_new_share * total).tolist())
    numbers = {place.number for place in places}
    known = _wordings_in(outlines, located, numbers, wordings.repeated)
    return Judged(tokens, paths, places, known, refuted)


def _known_tokens(outlines: Sequence[Outline], settings: PlaceSettings) -> frozenset[str]:
    """Ids and classes that are the site's, not one page's."""
    pages: Counter[str] = Counter()
    for outline in outlines:
        pages.update({token for tokens in outline.tokens for token in tokens})
    least = max(settings.min_pages, settings.min_token_share * len(outlines))
    return frozenset(token for token, count in pages.items() if count >= least)


def _repeated_wordings(outlines: Sequence[Outline], settings: PlaceSettings) -> Wordings:
    """Wordings and titles of several pages, and wordings of at least half of all pages."""
    pages: Counter[int] = Counter()
    titles: Counter[int] = Counter()
    for outline in outlines:
        pages.update(set(outline.names))
        titles.update({name for _, name in outline.titles + outline.captions})
    least = max(settings.min_repeats, settings.min_repeat_share * len(outlines))
    repeated = frozenset(name for name, count in pages.items() if count >= least)
    steady = frozenset(name for name in repeated if 2 * pages[name] >= len(outlines))
    return Wordings(repeated, steady, frozenset(name for name, count in titles.items() if count >= least))


def _framing_places(
    figures: Figures, standing: Standing, pages: int, settings: PlaceSettings
) -> Iterator[Place]:
    with np.errstate(invalid="ignore", divide="ignore"):
        total = figures.sums[:, TOTAL]
        shares = figures.sums / total[:, None]
        apart = (
            (total > 0)
            & ~(standing.titled | standing.record)
            & (~standing.label | _is_site_name(figures, shares, standing, settings))
            & ~_is_amid(figures, shares, standing, settings)
            & ~(standing.at_root & ~standing.named & (2 * figures.headed >= figures.count))
            & (figures.pages >= settings.min_pages)
            & (_evenly_there(figures, settings) | _bar_again(shares, standing, settings))
        )
        passed = (
            apart
            & (figures.pages >= settings.min_presence * standing.around)
            & _holds_framing(shares, _bars(figures, shares, standing, pages, settings), settings)
            & _varies_little(figures, shares, pages, settings)
            & _stands_right(shares, standing, settings)
            & _is_no_remark(figures, shares, standing, pages, settings)
        )
        worded = apart & standing.on_trunk & _is_worded(figures, shares, pages, settings)
    for number in np.flatnonzero(passed | worded):
        yield Place(
            int(number),
            int(figures.pages[number]),
            float(total[number] / figures.pages[number]),
            float(shares[number, REPEATED]),
            float(shares[number, LINKED]),
            not passed[number],
        )


def _is_site_name(figures: Figures, shares: Numbers, standing: Standing, settings: PlaceSettings) -> Flags:
    """A heading that most pages have, outside of the content and before it: what the site is called."""
    over = standing.on_trunk & ~standing.at_root & (2 * figures.enclosed < figures.count)
    return np.asarray(over & (shares[:, STEADY] >= settings.min_steady_share))


def _evenly_there(figures: Figures, settings: PlaceSettings) -> Flags:
    """Once on a page or a few times, and equally often on each."""
    per_page = figures.count / figures.pages
    spread = figures.count_squared / figures.pages - per_page**2
    return np.asarray((per_page <= settings.max_per_page) & (spread <= settings.max_spread))


def _bar_again(shares: Numbers, standing: Standing, settings: PlaceSettings) -> Flags:
    """A bar that stands over every section of a page: links only, most of which other pages have too."""
    return np.asarray(
        standing.named
        & standing.on_trunk
        & (shares[:, LINK] >= settings.min_again_link)
        & (shares[:, SIGNS] <= settings.max_again_signs)
        & (shares[:, REPEATED] >= settings.min_again_repeated)
        & (shares[:, STEADY] >= settings.min_bar_steady)
    )


def _is_amid(figures: Figures, shares: Numbers, standing: Standing, settings: PlaceSettings) -> Flags:
    """Prose between paragraphs of the content: options that every command has, the licence of a module."""
    enclosed = 2 * figures.enclosed >= figures.count
    return np.asarray(standing.at_root & enclosed & (shares[:, LINK] < settings.min_link_share))


def _bars(
    figures: Figures, shares: Numbers, standing: Standing, pages: int, settings: PlaceSettings
) -> Flags:
    """Bars beside the content that lead from page to page, or that name the part of the site."""
    leading = (
        ~standing.at_root
        & (figures.pages >= settings.min_bar_presence * pages)
        & (shares[:, STEADY] >= settings.min_bar_steady)
        & (shares[:, LINK] >= settings.min_bar_link)
        & (shares[:, NEW] <= settings.max_bar_new_share)
    )
    menus = (
        (standing.container | standing.named)
        & (shares[:, STEADY_LINK] >= settings.min_menu_steady_link)
        & (shares[:, NEW] <= settings.max_menu_new_share)
    )
    return np.asarray(
        standing.on_trunk
        & (leading | menus)
        & ((shares[:, HEADING] <= 1 - settings.max_heading_share) | standing.declared)
        & (figures.varied_per_page() <= settings.max_bar_varied_share)
    )


def _holds_framing(shares: Numbers, bars: Flags, settings: PlaceSettings) -> Flags:
    """Little new text, and more than a title or a heading."""
    steady = shares[:, STEADY] >= settings.min_steady_share
    return np.asarray(
        ((shares[:, NEW] <= settings.max_new_share) | bars)
        & ((shares[:, HEADING] <= settings.max_heading_share) | steady)
        & (shares[:, SUPPORT] >= settings.min_support)
    )


def _varies_little(figures: Figures, shares: Numbers, pages: int, settings: PlaceSettings) -> Flags:
    """Little of what makes pages differ; more in a menu that all pages have, unfolded on each elsewhere."""
    varied = figures.varied_per_page()
    menu = (
        (figures.pages >= settings.min_bar_presence * pages)
        & (shares[:, LINK] >= settings.min_link_share)
        & (shares[:, REPEATED] >= settings.min_unfolded_repeated)
        & (shares[:, STEADY] >= settings.min_bar_steady)
        & (varied <= settings.max_unfolded_varied_share)
    )
    return np.asarray((varied <= settings.max_varied_share) | menu)


def _stands_right(shares: Numbers, standing: Standing, settings: PlaceSettings) -> Flags:
    """Outside the content; or in it, but a container of links, or links that are the same everywhere."""
    own = shares[:, REPEATED] + shares[:, LINKED]
    controls = standing.near_trunk & (shares[:, STEADY_LINK] >= settings.min_steady_share)
    inner = (
        standing.container
        & ~standing.among_new
        & (own >= settings.min_root_support)
        & (shares[:, SUPPORT] >= settings.min_inner_support)
        & (shares[:, LINK] >= settings.min_link_share)
    )
    # what has no name among the content's own is part of it, unless most pages have the very same; so is a
    # paragraph wherever it stands on the trunk
    same = standing.named | (shares[:, STEADY] >= settings.min_steady_paragraph)
    rooted = (standing.container | same) & (own >= settings.min_root_support)
    outer = standing.on_trunk & (~standing.paragraph | same) & (~standing.at_root | rooted)
    return np.asarray(outer | controls | inner)


def _is_no_remark(
    figures: Figures, shares: Numbers, standing: Standing, pages: int, settings: PlaceSettings
) -> Flags:
    """On a good part of all pages; or on few, but then a container of repeated links, not of prose."""
    frequent = figures.pages >= settings.min_prose_presence * pages
    links = (shares[:, LINK] >= settings.min_link_share) & (shares[:, REPEATED] >= settings.min_link_share)
    return np.asarray(frequent | (links & standing.container))


def _is_worded(figures: Figures, shares: Numbers, pages: int, settings: PlaceSettings) -> Flags:
    """Holds mostly what half of all pages say, be it elsewhere: a date of change under pages of two kinds."""
    frequent = figures.pages >= settings.min_prose_presence * pages
    headings = shares[:, HEADING] > settings.max_heading_share  # alone, they belong to what they head
    return np.asarray(frequent & ~headings & (shares[:, STEADY] >= settings.min_steady_paragraph))


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
