"""Decides which places of a site's pages are framing, by what they hold on all of its pages.

A place is a path of tags, ids and classes. One text never decides. What the place holds from page to page
does: the same wordings again and again, links, echoes of the page's own headings. A repeated text in a place
that otherwise holds new text (a disclaimer among paragraphs, a quoted post) is content.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from threadmill.template.places.loose_texts import LooseTexts, find_loose_texts, find_trail_heads
from threadmill.template.places.paths import ROOT, PlacePaths, locate_elements
from threadmill.template.places.place_statistics import (
    DATA,
    FIELDS,
    FORM,
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
    Numbers,
    PlaceSettings,
    PlaceStatistics,
    Wordings,
    gather_statistics,
    measure_recurrence,
)
from threadmill.template.places.text_outline import HEADING_TAGS, TextOutline

Flags = NDArray[np.bool_]

# Labels of something else: headings, heads of tables, terms.
LABEL_TAGS = HEADING_TAGS | {"thead", "th", "caption", "dt", "figcaption", "legend"}
_NAME_END = re.compile(r"[.#\[]")
_CONTAINER_TAGS = frozenset(
    ["div", "nav", "ul", "ol", "form", "aside", "header", "footer", "section", "menu"]
)
_FRAMING_TAGS = frozenset(["nav", "footer"])
_CONTENT_TAGS = frozenset(["main", "article"])
_ROW_TAGS = frozenset(["tr", "li", "dd"])


@dataclass(slots=True)
class PlaceContext:
    """Where each place stands: one array for each question that the tests of places ask."""

    leads: Flags  # on the way from the body to the content
    on_main_column: Flags
    at_root: Flags  # directly in the content: at the end of the main column
    near_main_column: Flags  # below a place that stands on the main column
    among_new: Flags  # below a place with much new text
    container: Flags
    declared: Flags  # its tag says that it is framing
    named: Flags  # it has an id or a class of the site
    paragraph: Flags
    in_main: Flags  # inside of an element whose tag says that it is content
    label: Flags  # headings and what they contain, heads of tables, terms
    titled: Flags  # holds the page's own title on at least half of its pages
    record: Flags  # in or like places that stand many times beside it: a locked thread in a list of threads
    in_prose: Flags  # directly in a paragraph
    variant: Flags  # each page has one element of its tag and class there, with various other classes
    part: Numbers  # share of the text of the place around it
    around: Numbers  # how many pages could have the place: those with the place around it


def find_place_context(
    statistics: PlaceStatistics, paths: PlacePaths, pages: int, settings: PlaceSettings
) -> PlaceContext:
    """Find where each place stands.

    Some part of the main column belongs to one kind of pages only. A place beside that part is expected on
    the pages of this kind only.
    """
    size = len(statistics.pages)
    per_page = statistics.count / np.maximum(1.0, statistics.pages)
    main_column = (statistics.varied_per_page() >= settings.main_column_share * per_page) & (
        statistics.pages_with_new_text > 0
    )
    main_column[ROOT] = True
    led = np.zeros(size)  # pages on which the main column continues below this place
    titled = 2 * statistics.titled >= np.maximum(1, statistics.pages)
    flags = np.zeros((11, size), bool)
    fresh = statistics.sums[:, NEW] > settings.max_inner_new_share * statistics.sums[:, TOTAL]
    around = np.full(size, float(pages))
    found = PlaceContext(
        main_column,
        flags[0],
        flags[1],
        flags[2],
        flags[3],
        flags[4],
        flags[5],
        flags[6],
        flags[7],
        flags[8],
        flags[9],
        titled,
        _find_records(statistics, paths, settings),
        flags[10],
        _find_variants(statistics, paths),
        np.zeros(size),
        around,
    )
    for (parent, step), child in paths.children.items():
        tag = _NAME_END.split(step, maxsplit=1)[0]
        led[parent] += main_column[child] * statistics.pages[child]
        found.on_main_column[child] = main_column[parent]
        found.near_main_column[child] = found.on_main_column[parent]
        found.among_new[child] = fresh[parent]
        found.container[child] = tag in _CONTAINER_TAGS
        found.declared[child] = tag in _FRAMING_TAGS
        found.named[child] = "[" not in step
        found.paragraph[child] = tag == "p"
        found.in_prose[child] = found.paragraph[parent]
        found.part[child] = statistics.sums[child, TOTAL] / max(1.0, statistics.sums[parent, TOTAL])
        found.in_main[child] = found.in_main[parent] or tag in _CONTENT_TAGS
        found.label[child] = found.label[parent] or tag in LABEL_TAGS
        found.record[child] |= found.record[parent]
        if main_column[parent] and parent != ROOT:
            found.around[child] = statistics.pages[parent]
    headers = np.zeros(size, bool)
    for (parent, step), child in paths.children.items():
        found.at_root[child] = main_column[parent] and 2 * led[parent] < around[parent]
        # What stands beside the title, in a header above the content, is judged on its own: a breadcrumb, for
        # example. A table is one thing, though, and a button in its first row is part of it.
        over = headers[parent] or (main_column[parent] and not found.at_root[child])
        headers[child] = titled[child] and over and not step.startswith("table")
        if headers[parent] and not main_column[parent]:
            found.on_main_column[child] = found.at_root[child] = True
            around[child] = statistics.pages[parent]
    return found


def _find_records(statistics: PlaceStatistics, paths: PlacePaths, settings: PlaceSettings) -> Flags:
    """Find places that share a tag and a class with a neighbour that stands many times on a page."""
    many = statistics.count > settings.max_per_page * statistics.pages
    kinds: set[tuple[int, str]] = set()
    for (parent, step), child in paths.children.items():
        if many[child]:
            kinds.update((parent, kind) for kind in _kinds(step))
    found = np.zeros(len(many), bool)
    for (parent, step), child in paths.children.items():
        found[child] = not many[child] and any((parent, kind) in kinds for kind in _kinds(step))
    return found


def _find_variants(statistics: PlaceStatistics, paths: PlacePaths) -> Flags:
    """Find places whose tag and class each page has once below one parent: the footers of two layouts."""
    count: Counter[tuple[int, str]] = Counter()
    for (parent, step), child in paths.children.items():
        for kind in _kinds(step):
            count[parent, kind] += int(statistics.count[child])
    found = np.zeros(len(statistics.pages), bool)
    for (parent, step), child in paths.children.items():
        whole = statistics.pages[parent] if parent != ROOT else statistics.pages.max()
        found[child] = any(
            _LEAST_VARIANTS * whole <= count[parent, kind] <= whole and "." in kind for kind in _kinds(step)
        )
    return found


_LEAST_VARIANTS = 0.9  # share of the pages


def _kinds(step: str) -> list[str]:
    """Return the tag with each of its classes; of a row of a table without classes, the tag."""
    tag, *classes = step.split(".")
    if not classes and _NAME_END.split(tag, maxsplit=1)[0] in _ROW_TAGS:
        return [_NAME_END.split(tag, maxsplit=1)[0]]
    return [f"{_NAME_END.split(tag, maxsplit=1)[0]}.{name}" for name in classes]


@dataclass(frozen=True, slots=True)
class FramingPlace:
    """A framing place, with the numbers behind the decision."""

    number: int
    pages: int
    characters: float  # mean over the pages that have it
    repeated: float  # shares of its text
    linked: float
    worded: bool = False  # framing only where it holds just wordings known from the site's framing


@dataclass(frozen=True, slots=True)
class JudgedPlaces:
    """What the pages of a site teach: its framing places and the wordings that stand in them."""

    tokens: frozenset[str]
    paths: PlacePaths
    places: tuple[FramingPlace, ...]
    wordings: frozenset[int]
    loose: LooseTexts  # texts that are framing without an element of their own
    refuted: frozenset[int]  # places that hold too much new text to be framing
    trails: frozenset[int]  # wordings of the first links of trails


def judge_places(outlines: Sequence[TextOutline], settings: PlaceSettings | None = None) -> JudgedPlaces:
    """Find the framing places of pages that share one framing."""
    settings = settings or PlaceSettings()
    tokens = _known_tokens(outlines, settings)
    wordings = _repeated_wordings(outlines, settings)
    paths = PlacePaths()
    located = [list(locate_elements(outline, tokens, paths)) for outline in outlines]
    statistics = gather_statistics(outlines, located, wordings, len(paths.children) + 1)
    context = find_place_context(statistics, paths, len(outlines), settings)
    found = list(_framing_places(statistics, context, len(outlines), settings))
    again = measure_recurrence(
        outlines, located, {place.number for place in found if context.at_root[place.number]}
    )
    around = statistics.pages >= settings.min_presence * context.around
    some = measure_recurrence(
        outlines,
        located,
        {place.number for place in found if not around[place.number]},
        settings.min_presence,
    )
    places = tuple(
        place
        for place in found
        if again.get(place.number, 1.0) >= settings.min_recurrence
        and some.get(place.number, 1.0) >= settings.min_steady_of_kind
    )
    new, total = statistics.sums[:, NEW], statistics.sums[:, TOTAL]
    refuted = frozenset(np.flatnonzero(new > settings.max_new_share * total).tolist())
    numbers = {place.number for place in places}
    known = _wordings_in(outlines, located, numbers, wordings.repeated)
    column = {ROOT: float(len(outlines))}
    column.update((place, float(statistics.pages[place])) for place in np.flatnonzero(context.leads).tolist())
    loose = find_loose_texts(outlines, located, wordings, column, settings)
    trails = find_trail_heads(outlines, wordings, settings)
    return JudgedPlaces(tokens, paths, places, known, loose, refuted, trails)


def _known_tokens(outlines: Sequence[TextOutline], settings: PlaceSettings) -> frozenset[str]:
    """Return the ids and classes that belong to the site, not to one page."""
    pages: Counter[str] = Counter()
    for outline in outlines:
        pages.update({token for tokens in outline.tokens for token in tokens})
    least = max(settings.min_pages, settings.min_token_share * len(outlines))
    return frozenset(token for token, count in pages.items() if count >= least)


def _repeated_wordings(outlines: Sequence[TextOutline], settings: PlaceSettings) -> Wordings:
    """Return wordings and titles of several pages, and wordings of at least half of all pages."""
    pages: Counter[int] = Counter()
    titles: Counter[int] = Counter()
    for outline in outlines:
        pages.update(set(outline.names))
        titles.update({name for _, name in outline.titles} | {name for _, name, _ in outline.captions})
    least = max(settings.min_repeats, settings.min_repeat_share * len(outlines))
    repeated = frozenset(name for name, count in pages.items() if count >= least)
    steady = frozenset(name for name in repeated if 2 * pages[name] >= len(outlines))
    exact: Counter[tuple[int, int]] = Counter()
    for outline in outlines:
        exact.update({pair for pair in zip(outline.names, outline.exact, strict=True) if pair[0] != pair[1]})
    data = {text for (name, text), count in exact.items() if count < settings.max_common_data * pages[name]}
    shared = frozenset(name for name, count in titles.items() if count >= least)
    return Wordings(repeated, steady, shared, frozenset(data))


def _framing_places(
    statistics: PlaceStatistics, context: PlaceContext, pages: int, settings: PlaceSettings
) -> Iterator[FramingPlace]:
    with np.errstate(invalid="ignore", divide="ignore"):
        total = statistics.sums[:, TOTAL]
        shares = statistics.sums / total[:, None]
        apart = (
            (total > 0)
            & ~(context.titled | context.record)
            & (~context.label | _is_site_name(statistics, shares, context, settings))
            & ~_is_between_content(statistics, shares, context, settings)
            & ~_is_data_of_page(statistics, shares, context, pages, settings)
            & ~_is_list_of_pages(statistics, shares, context, pages, settings)
            & ~(context.at_root & ~context.named & (2 * statistics.headed >= statistics.count))
            & (statistics.pages >= settings.min_pages)
            & (
                _is_evenly_present(statistics, settings)
                | _is_repeated_bar(shares, context, settings)
                | _is_form_of_record(statistics, shares, context, settings)
            )
        )
        variant = context.variant & context.on_main_column & ~context.at_root & ~context.in_main
        form = _is_form(shares, context, settings)
        passed = (
            apart
            & (_is_on_pages_of_kind(statistics, shares, context, settings) | variant | form)
            & _has_framing_text(shares, _is_bar(statistics, shares, context, pages, settings), settings)
            & _has_little_variation(statistics, shares, pages, settings)
            & (
                _has_framing_position(shares, context, settings)
                | _is_form_of_record(statistics, shares, context, settings)
            )
            & (_is_not_remark(statistics, shares, context, pages, settings) | form)
        )
        worded = (
            apart
            & context.on_main_column
            & ~_is_form_of_page(statistics, shares, context, settings)
            & _is_framing_by_wording(statistics, shares, pages, settings)
        )
    for number in np.flatnonzero(passed | worded):
        yield FramingPlace(
            int(number),
            int(statistics.pages[number]),
            float(total[number] / statistics.pages[number]),
            float(shares[number, REPEATED]),
            float(shares[number, LINKED]),
            not passed[number],
        )


def _is_site_name(
    statistics: PlaceStatistics, shares: Numbers, context: PlaceContext, settings: PlaceSettings
) -> Flags:
    """Whether it is a heading above the content that most pages have: the name of the site."""
    over = context.on_main_column & ~context.at_root & (2 * statistics.enclosed < statistics.count)
    return np.asarray(over & (shares[:, STEADY] >= settings.min_steady_share))


def _is_on_pages_of_kind(
    statistics: PlaceStatistics, shares: Numbers, context: PlaceContext, settings: PlaceSettings
) -> Flags:
    """Whether half of the pages have it that could: all around it or, for links, those of one kind."""
    around = statistics.pages >= settings.min_presence * context.around
    links = shares[:, LINK] >= settings.min_link_share
    return np.asarray(around | (links & (statistics.of_kind >= settings.min_presence)))


def _is_evenly_present(statistics: PlaceStatistics, settings: PlaceSettings) -> Flags:
    """Whether it stands once or a few times on a page, equally often on each."""
    per_page = statistics.count / statistics.pages
    spread = statistics.count_squared / statistics.pages - per_page**2
    return np.asarray((per_page <= settings.max_per_page) & (spread <= settings.max_spread))


def _is_form(shares: Numbers, context: PlaceContext, settings: PlaceSettings) -> Flags:
    """Whether it is a form to fill in with the same text on each page that has it."""
    return np.asarray(
        context.named
        & (shares[:, FORM] >= settings.min_form_share)
        & (shares[:, REPEATED] >= settings.min_form_repeated)
    )


def _is_form_of_record(
    statistics: PlaceStatistics, shares: Numbers, context: PlaceContext, settings: PlaceSettings
) -> Flags:
    """Whether it is a form that each post of a page has, to comment on it."""
    known = shares[:, REPEATED] + shares[:, SIGNS] >= settings.min_again_link
    filled = statistics.sums[:, FIELDS] >= statistics.count
    return np.asarray(_is_form(shares, context, settings) & known & filled)


def _is_repeated_bar(shares: Numbers, context: PlaceContext, settings: PlaceSettings) -> Flags:
    """Whether it is a bar above every section of a page: only links, most of which other pages have too."""
    return np.asarray(
        context.named
        & context.on_main_column
        & (shares[:, LINK] >= settings.min_again_link)
        & (shares[:, SIGNS] <= settings.max_again_signs)
        & (shares[:, REPEATED] >= settings.min_again_repeated)
        & (shares[:, STEADY] >= settings.min_bar_steady)
    )


def _is_between_content(
    statistics: PlaceStatistics, shares: Numbers, context: PlaceContext, settings: PlaceSettings
) -> Flags:
    """Whether it is prose amid the content: options that every command has, the licence of a module."""
    enclosed = 2 * statistics.enclosed >= statistics.count
    return np.asarray(context.at_root & enclosed & (shares[:, LINK] < settings.min_link_share))


def _is_data_of_page(
    statistics: PlaceStatistics, shares: Numbers, context: PlaceContext, pages: int, settings: PlaceSettings
) -> Flags:
    """Whether it tells about the page, before its text: a price, a date, a byline under the title."""
    ahead = 2 * statistics.ahead >= statistics.count
    data = (context.at_root | context.in_main) & (shares[:, DATA] >= settings.min_data_share)
    steady = shares[:, STEADY] >= settings.min_steady_share
    notice = steady & (statistics.pages >= settings.min_bar_presence * pages)
    links = shares[:, LINK] >= np.where(steady, settings.min_link_share, settings.min_again_link)
    under_title = context.at_root & (2 * statistics.under_title >= statistics.count)
    return np.asarray(ahead & (data | (under_title & ~links & ~notice)))


def _is_form_of_page(
    statistics: PlaceStatistics, shares: Numbers, context: PlaceContext, settings: PlaceSettings
) -> Flags:
    """Whether it has new text beside its labels, before the text of the page: a title and its status."""
    ahead = 2 * statistics.ahead >= statistics.count
    return np.asarray(ahead & context.in_main & (shares[:, NEW] > settings.max_new_share))


def _is_list_of_pages(
    statistics: PlaceStatistics, shares: Numbers, context: PlaceContext, pages: int, settings: PlaceSettings
) -> Flags:
    """Whether it is most of the content of its pages, and differs: the articles of a category.

    A menu may be longer than the text beside it, but nearly all pages have it.
    """
    differs = shares[:, STEADY] < settings.min_steady_paragraph
    some = statistics.pages < settings.min_bar_presence * pages
    return np.asarray(context.at_root & differs & some & (context.part >= settings.min_list_part))


def _is_bar(
    statistics: PlaceStatistics, shares: Numbers, context: PlaceContext, pages: int, settings: PlaceSettings
) -> Flags:
    """Whether it is a bar beside the content that leads from page to page, or names the part of the site."""
    leading = (
        ~context.at_root
        & (statistics.pages >= settings.min_bar_presence * pages)
        & (shares[:, STEADY] >= settings.min_bar_steady)
        & (shares[:, LINK] >= settings.min_bar_link)
        & (shares[:, NEW] <= settings.max_bar_new_share)
    )
    menus = (
        (context.container | context.named)
        & (shares[:, STEADY_LINK] >= settings.min_menu_steady_link)
        & (shares[:, NEW] <= settings.max_menu_new_share)
    )
    return np.asarray(
        context.on_main_column
        & (leading | menus)
        & ((shares[:, HEADING] <= 1 - settings.max_heading_share) | context.declared)
        & (statistics.varied_per_page() <= settings.max_bar_varied_share)
    )


def _has_framing_text(shares: Numbers, bars: Flags, settings: PlaceSettings) -> Flags:
    """Whether it has little new text, and more than a title or a heading."""
    steady = shares[:, STEADY] >= settings.min_steady_share
    return np.asarray(
        ((shares[:, NEW] <= settings.max_new_share) | bars)
        & ((shares[:, HEADING] <= settings.max_heading_share) | steady)
        & (shares[:, SUPPORT] >= settings.min_support)
    )


def _has_little_variation(
    statistics: PlaceStatistics, shares: Numbers, pages: int, settings: PlaceSettings
) -> Flags:
    """Whether it has little of what makes pages differ. A menu that unfolds at each page may have more."""
    varied = statistics.varied_per_page()
    menu = (
        (statistics.pages >= settings.min_bar_presence * pages)
        & (shares[:, LINK] >= settings.min_link_share)
        & (shares[:, REPEATED] >= settings.min_unfolded_repeated)
        & (shares[:, STEADY] >= settings.min_bar_steady)
        & (varied <= settings.max_unfolded_varied_share)
    )
    return np.asarray((varied <= settings.max_varied_share) | menu)


def _has_framing_position(shares: Numbers, context: PlaceContext, settings: PlaceSettings) -> Flags:
    """Whether it stands outside the content, or is a container of links or the same links on all pages."""
    own = shares[:, REPEATED] + shares[:, LINKED]
    controls = (
        context.near_main_column & ~context.in_prose & (shares[:, STEADY_LINK] >= settings.min_steady_share)
    )
    inner = (
        context.container
        & ~context.among_new
        & (own >= settings.min_root_support)
        & (shares[:, SUPPORT] >= settings.min_inner_support)
        & (shares[:, LINK] >= settings.min_link_share)
    )
    # A nameless place directly in the content is content, unless most pages have exactly the same there. So
    # is a paragraph anywhere on the main column.
    same = context.named | (shares[:, STEADY] >= settings.min_steady_paragraph)
    rooted = (context.container | same) & (own >= settings.min_root_support)
    outer = context.on_main_column & (~context.paragraph | same) & (~context.at_root | rooted)
    return np.asarray(outer | controls | inner)


def _is_not_remark(
    statistics: PlaceStatistics, shares: Numbers, context: PlaceContext, pages: int, settings: PlaceSettings
) -> Flags:
    """Whether many pages have it; on few pages, it must be a container of repeated links, not of prose."""
    least = np.where(context.in_main, settings.min_main_prose_presence, settings.min_prose_presence)
    frequent = statistics.pages >= least * pages
    links = (shares[:, LINK] >= settings.min_link_share) & (shares[:, REPEATED] >= settings.min_link_share)
    return np.asarray(frequent | (links & context.container))


def _is_framing_by_wording(
    statistics: PlaceStatistics, shares: Numbers, pages: int, settings: PlaceSettings
) -> Flags:
    """Whether half of all pages say most of it, even elsewhere: a date of change on two kinds of pages."""
    frequent = statistics.pages >= settings.min_prose_presence * pages
    headings = shares[:, HEADING] > settings.max_heading_share  # alone, they belong to what they head
    return np.asarray(frequent & ~headings & (shares[:, STEADY] >= settings.min_steady_paragraph))


def _wordings_in(
    outlines: Sequence[TextOutline],
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
