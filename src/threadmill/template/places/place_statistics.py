"""What the places of a site hold, summed over its pages, and the thresholds that make a place framing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from threadmill.template.places.paths import ROOT
from threadmill.template.places.text_outline import HEADING_TAGS, TextKind, TextOutline


@dataclass(frozen=True, slots=True)
class PlaceSettings:
    """When a place is framing.

    The values were set on eleven manuals and four forums together; none was held back.
    """

    min_pages: int = 4  # as in a cluster of the source
    min_presence: float = 0.5  # share of the pages with the parent place that have the place
    # A place that only half of the pages of one kind have is on too few to be sure: so much of its text must
    # be the same on half of them. Lists of articles are links that repeat, but no page has those of another.
    min_steady_of_kind: float = 0.4
    max_per_page: float = (
        4.0  # framing stands once on a page, or above and below the content; more is a list of records
    )
    max_spread: float = 0.25  # largest variance of that number between pages
    max_new_share: float = 0.08  # share of its text that is not repeated, linked, an echo or signs
    # A bar beside the content, on nearly all pages and with the same links on each, may have more new text:
    # titles of the pages before and after. These need not be links, nor be among the pages that were read.
    min_bar_presence: float = 0.9
    min_bar_steady: float = 0.15
    min_bar_link: float = 0.1
    max_bar_new_share: float = 0.8
    max_bar_varied_share: float = 0.15
    # A box that consists mostly of links which half of all pages have may have more new text too: the name of
    # the part of the site stands beside its menu, on too few pages to be known.
    min_menu_steady_link: float = 0.5
    max_menu_new_share: float = 0.25
    max_varied_share: float = (
        0.3  # of what is new on a page: a list of threads is links, but it is the content
    )
    # A menu that unfolds at the present page may have more, if all pages have it and about half of it is
    # known. A menu as long as its pages: learnt from 26 pages, 0.47 is known and it has 0.46 of what is new;
    # from 81 pages, 0.69 and 0.32.
    min_unfolded_repeated: float = 0.45
    max_unfolded_varied_share: float = 0.5
    max_heading_share: float = 0.9  # a heading alone belongs to what follows it
    min_steady_share: float = 0.95  # except the same heading on at least half of all pages: the site's name
    min_support: float = 0.25  # share of its text that is repeated or linked; a lone title is neither
    main_column_share: float = 0.5  # a place with this share of a page's new text leads to the content
    # Beside the main column, inside a part of the content, framing is a container that is repeated or linked
    # throughout, or links that are the same on at least half of all pages.
    min_inner_support: float = 0.9
    max_inner_new_share: float = 0.25  # of that part: what stands beside a description belongs to it
    # At the end of the main column, where the content begins, a list of the page's own headings is content.
    min_root_support: float = 0.25  # share that is repeated, or linked and no echo
    min_steady_paragraph: float = (
        0.5  # of a nameless paragraph there: share of wordings that half of all pages have
    )
    # What stands directly in the content must have the same text on two pages. A chapter's list of its
    # sections has not (0.01), even if a menu beside it repeats every title. Bars and breadcrumbs have (0.47
    # to 1).
    min_recurrence: float = 0.15
    # A bar may stand more often than max_per_page, above every section, if it has only links and these are
    # known.
    min_again_link: float = 0.9
    max_again_signs: float = 0.5  # numbers of paragraphs, signs in code
    min_again_repeated: float = 0.4
    # Prose must be on many pages to be framing: a copyright is, a disclaimer of some articles is not.
    min_prose_presence: float = 0.25
    min_main_prose_presence: float = 0.5  # inside of main and article: questions that several offers share
    # Data about the page in its content: prices, dates, a byline. Their digits differ from page to page.
    min_data_share: float = 0.2
    max_common_data: float = 0.4  # share of the pages with such a text that have exactly the same
    # A list of links that is this part of the content is the content: the articles of a category.
    min_list_part: float = 0.5
    # A form to fill in, the same on all pages that have it: some pages only are open for comments.
    min_form_share: float = 0.5
    min_form_repeated: float = 0.8
    min_link_share: float = 0.5
    min_token_share: float = 0.02  # share of pages that must have an id or class before it names a place
    min_repeats: int = 3
    min_repeat_share: float = 0.02


Numbers = NDArray[np.float64]

# Columns of the numbers for a text, an element or a place.
TOTAL, REPEATED, LINKED, NEW, HEADING, VARIED, SUPPORT, STEADY, STEADY_LINK, LINK, SIGNS, DATA, FORM = range(
    13
)
TITLE, FIELDS = FORM + 1, FORM + 2
COLUMNS = FIELDS + 1
# Elements of a form to fill in; a form with buttons only may be a post.
_FIELD_TAGS = frozenset(["textarea", "select", "label"])


@dataclass(frozen=True, slots=True)
class Wordings:
    """The texts, by number, that several pages have."""

    repeated: frozenset[int]
    steady: frozenset[int]  # at least half of all pages
    titles: frozenset[int]  # of several pages: such a title is no page's own
    data: frozenset[int]  # exact texts whose digits differ from page to page: dates, prices


@dataclass(slots=True)
class PlaceStatistics:
    """The statistics of every place, by its number."""

    sums: Numbers  # characters by place and column
    pages: Numbers
    count: Numbers
    count_squared: Numbers
    varied_share: Numbers  # summed over pages
    pages_with_new_text: Numbers  # its pages with new text: only these show where the content stands
    titled: Numbers  # pages on which it holds the page's own title
    enclosed: Numbers  # how often new text stands before and behind it
    headed: Numbers  # how often it follows a heading directly
    under_title: Numbers  # how often it follows the page's own title, under the same parent
    ahead: Numbers  # how often much of the page's new text comes behind it
    of_kind: Numbers  # the largest share of the pages of one kind that have it

    def varied_per_page(self) -> Numbers:
        """Return the mean share of a page's new text that the place holds."""
        return self.varied_share / np.maximum(1.0, self.pages_with_new_text)


# A byline has the text behind it; a date of change and a pager at the end have little: some comments.
_MUCH_BEHIND = 0.3


def gather_statistics(
    outlines: Sequence[TextOutline],
    located: Sequence[list[tuple[int, int]]],
    wordings: Wordings,
    size: int,
) -> PlaceStatistics:
    """Sum up what each place holds, page by page."""
    statistics = PlaceStatistics(np.zeros((size, COLUMNS)), *(np.zeros(size) for _ in range(11)))
    present: list[NDArray[np.int_]] = []  # for each page, its places
    leading: list[list[int]] = []  # for each page, the places that lead to its content, outermost first
    for outline, pairs in zip(outlines, located, strict=True):
        if not pairs or not outline.owners:
            continue
        running = _running_sums(outline, wordings)
        inside = running[np.array(outline.ends)] - running[:-1]
        elements, places = (np.array(column) for column in zip(*pairs, strict=True))
        np.add.at(statistics.sums, places, inside[elements])
        count = np.bincount(places, minlength=size).astype(float)
        statistics.count += count
        statistics.count_squared += count * count
        statistics.pages += count > 0
        varied = np.bincount(places, inside[elements, VARIED], minlength=size)
        if inside[ROOT, VARIED] > 0:
            statistics.varied_share += varied / inside[ROOT, VARIED]
            statistics.pages_with_new_text += count > 0
        statistics.titled += np.bincount(places, inside[elements, TITLE], minlength=size) > 0
        statistics.enclosed += np.bincount(
            places, _has_new_text_around(outline, inside, running)[elements], minlength=size
        )
        statistics.headed += np.bincount(places, _follows_heading(outline)[elements], minlength=size)
        title_before = running[:-1, TITLE] - running[np.maximum(outline.parents, 0), TITLE] > 0
        statistics.under_title += np.bincount(places, title_before[elements], minlength=size)
        behind = running[-1, NEW] - running[np.array(outline.ends), NEW]
        is_ahead = behind > _MUCH_BEHIND * running[-1, NEW]
        statistics.ahead += np.bincount(places, is_ahead[elements], minlength=size)
        present.append(np.unique(places))
        most = inside[elements, VARIED] > max(0.0, _MOST_OF_PAGE * inside[ROOT, VARIED])
        leading.append(places[most].tolist())
    _measure_kinds(statistics, present, leading)
    return statistics


# Pages are of one kind when the same place holds most of their new text: threads and lists of threads.
_MOST_OF_PAGE, _LEAST_OF_KIND = 0.5, 4


def _measure_kinds(
    statistics: PlaceStatistics, present: Sequence[NDArray[np.int_]], leading: Sequence[list[int]]
) -> None:
    """Find for each place the kind of pages that has it most often."""
    kinds: dict[int, list[int]] = {}
    for page, places in enumerate(leading):
        known = [place for place in places if statistics.pages[place] >= _LEAST_OF_KIND]
        if known:
            kinds.setdefault(known[-1], []).append(page)
    for pages in kinds.values():
        if len(pages) >= _LEAST_OF_KIND:
            count = np.bincount(
                np.concatenate([present[page] for page in pages]), minlength=len(statistics.pages)
            )
            np.maximum(statistics.of_kind, count / len(pages), out=statistics.of_kind)


def _follows_heading(outline: TextOutline) -> Numbers:
    """Return 1 for each element that directly follows a heading under the same parent: it belongs to it."""
    found = np.zeros(len(outline.tags) + 1)
    for heading, tag in enumerate(outline.tags):
        behind = outline.ends[heading]
        if tag in HEADING_TAGS and behind < len(outline.tags):
            found[behind] = outline.parents[behind] == outline.parents[heading]
    return found


def _has_new_text_around(outline: TextOutline, inside: Numbers, running: Numbers) -> Numbers:
    """Return 1 for each element with new text before and behind it under the same parent."""
    parents = np.maximum(outline.parents, 0)
    before = running[:-1, NEW] - running[parents, NEW]
    behind = inside[parents, NEW] - before - inside[:, NEW]
    return np.asarray((before > 0) & (behind > 0), float)


def _in_menu(outline: TextOutline) -> NDArray[np.bool_]:
    """Return which texts stand in a `nav` element. Differences there do not show where the content is."""
    inside = np.zeros(len(outline.tags), bool)
    for element, tag in enumerate(outline.tags):
        if tag == "nav":
            inside[element : outline.ends[element]] = True
    return np.asarray(inside[outline.owners])


def _in_form(outline: TextOutline, lengths: Numbers) -> NDArray[np.bool_]:
    """Return which texts stand in a form. One around most of the page is only a way of making pages."""
    owners = np.array(outline.owners)
    inside = np.zeros(len(owners), bool)
    for element, tag in enumerate(outline.tags):
        if tag == "form":
            within = (owners >= element) & (owners < outline.ends[element])
            if 2 * lengths[within].sum() < lengths.sum():
                inside |= within
    return inside


def _running_sums(outline: TextOutline, wordings: Wordings) -> Numbers:
    """Return the running sums: row i holds everything of the elements before element i."""
    lengths = np.array(outline.lengths, float)
    kinds = np.array(outline.kinds)
    known = np.fromiter((name in wordings.repeated for name in outline.names), bool, len(outline.names))
    texts = np.zeros((len(lengths), COLUMNS))
    texts[:, TOTAL] = lengths
    texts[:, REPEATED] = lengths * known
    texts[:, LINKED] = lengths * (~known & (kinds == TextKind.LINK))
    texts[:, NEW] = lengths * (~known & (kinds == TextKind.PLAIN))
    texts[:, HEADING] = lengths * np.array(outline.in_heading)
    texts[:, VARIED] = (texts[:, LINKED] + texts[:, NEW]) * ~_in_menu(outline)
    linked = np.array(outline.linked)
    texts[:, SUPPORT] = lengths * (known | linked)
    always = np.fromiter((name in wordings.steady for name in outline.names), bool, len(outline.names))
    texts[:, STEADY] = lengths * always
    texts[:, SIGNS] = lengths * (kinds == TextKind.SIGNS)
    linking = linked | (kinds == TextKind.SIGNS)
    texts[:, LINK] = lengths * linking
    dated = np.fromiter((name in wordings.data for name in outline.exact), bool, len(outline.exact))
    texts[:, DATA] = lengths * (known & dated & ~(linked & (kinds == TextKind.SIGNS)))
    texts[:, STEADY_LINK] = lengths * (always & linking)
    texts[:, FORM] = lengths * _in_form(outline, lengths)
    own = np.zeros((len(outline.tags) + 1, COLUMNS))
    np.add.at(own, np.array(outline.owners) + 1, texts)
    own[[element + 1 for element in outline.own_titles(wordings.titles)], TITLE] = 1
    own[[element + 1 for element, tag in enumerate(outline.tags) if tag in _FIELD_TAGS], FIELDS] = 1
    return np.asarray(np.cumsum(own, axis=0))


Located = Sequence[list[tuple[int, int]]]


def measure_recurrence(
    outlines: Sequence[TextOutline], located: Located, places: Collection[int], least_share: float = 0.0
) -> dict[int, float]:
    """Return the share of a place's characters in wordings that it holds on at least two pages, or a share.

    A site that shows its table of contents on every page repeats all titles. A chapter's list of its sections
    repeats them too, but each list stands on one page only. A bar says "Next" on all pages.
    """
    pages: Counter[tuple[int, int]] = Counter()
    characters: Counter[tuple[int, int]] = Counter()
    shown: Counter[int] = Counter()
    for outline, pairs in zip(outlines, located, strict=True):
        shown.update({place for _, place in pairs if place in places})
        held = Counter[tuple[int, int]]()
        for place, name, length in _texts_in(outline, pairs, places):
            held[place, name] += length
        pages.update(held.keys())
        characters.update(held)
    total: Counter[int] = Counter()
    again: Counter[int] = Counter()
    for (place, name), length in characters.items():
        total[place] += length
        again[place] += length * (pages[place, name] >= max(2, least_share * shown[place]))
    return {place: again[place] / total[place] for place in total}


def _texts_in(
    outline: TextOutline, pairs: list[tuple[int, int]], places: Collection[int]
) -> Iterator[tuple[int, int, int]]:
    owners = np.array(outline.owners)
    for element, place in pairs:
        if place in places:
            for text in np.flatnonzero((owners >= element) & (owners < outline.ends[element])).tolist():
                yield place, outline.names[text], outline.lengths[text]
