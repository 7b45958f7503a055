"""The thresholds that decide when a place of a site is framing, with their evidence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlaceSettings:
    """When a place is framing.

    The values were set on eleven manuals and four forums together; none was held back.
    """

    min_pages: int = 4  # as in a cluster of the source
    min_presence: float = 0.5  # share of the pages with the parent place that have the place
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
    min_link_share: float = 0.5
    min_token_share: float = 0.02  # share of pages that must have an id or class before it names a place
    min_repeats: int = 3
    min_repeat_share: float = 0.02
