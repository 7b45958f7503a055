"""When a place of a site is framing: the thresholds, with what they are for."""

from __future__ import annotations

from dataclasses import dataclass


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
    max_bar_varied_share: float = 0.15
    # So may a box that is mostly links which half of all pages have: the name of the part of the site
    # beside its menu is on too few pages to be known.
    min_menu_steady_link: float = 0.5
    max_menu_new_share: float = 0.25
    max_varied_share: float = (
        0.3  # of what is new on a page: a list of threads is links, but it is the content
    )
    # … unless all pages have it, and about half of it is known: a menu that unfolds where the page stands
    # in it (one as long as its pages: 0.47 known, 0.46 of what is new from 26, 0.69 and 0.32 from 81).
    min_unfolded_repeated: float = 0.45
    max_unfolded_varied_share: float = 0.5
    max_heading_share: float = 0.9  # a heading alone belongs to what follows it,
    min_steady_share: float = 0.95  # unless it is the same on at least half of all pages: the site's name
    min_support: float = 0.25  # share of its text that is repeated or linked; a title alone is neither
    trunk_share: float = 0.5  # of what is new on a page: who holds that much leads to the content
    # Beside the trunk, inside a part of the content: a container that is repeated or linked throughout, or
    # links that are the same on at least half of all pages.
    min_inner_support: float = 0.9
    max_inner_new_share: float = 0.25  # of the part: what stands beside a description belongs to it
    # Where the trunk ends and the content begins, a list of the page's own headings is part of the content.
    min_root_support: float = 0.25  # share that is repeated, or linked and no echo
    min_steady_paragraph: float = 0.5  # of a nameless paragraph there: wordings of at least half of all pages
    # What stands directly in the content must say on two pages the same: a chapter's list of its
    # sections does not (0.01), though a menu beside it repeats every title; bars and paths do (0.47 to 1).
    min_recurrence: float = 0.15
    # A bar may stand more often than that, over every section, if it is links only and these are known.
    min_again_link: float = 0.9
    max_again_signs: float = 0.5  # numbers of paragraphs, signs in lines of code
    min_again_repeated: float = 0.4
    # What is prose must be on many pages to be framing: a disclaimer of some articles is not, a copyright is.
    min_prose_presence: float = 0.25
    min_link_share: float = 0.5
    min_token_share: float = 0.02  # of pages that have an id or class, for it to name a place
    min_repeats: int = 3
    min_repeat_share: float = 0.02
