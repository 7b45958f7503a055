"""The forums there are, each with its traits, and how one is opened."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from threadmill.errors import UsageError
from threadmill.simulate.clock import DateStyle, Zone
from threadmill.simulate.forum import Forum
from threadmill.simulate.layouts import load_layout
from threadmill.simulate.traits import Traits

# The dates of the source's experiment: a first crawl, then one on the first of each month.
CRAWL_DATES = ("2015-12-01", *(f"2016-{month:02d}-01" for month in range(1, 13)))

_ALL: tuple[Traits, ...] = (
    Traits(
        "harbour",
        "The Harbour Wall",
        "phpbb",
        "en",
        "phpBB manner; session ids until a cookie is kept, offsets, permalinks to last posts, 12-hour clock",
        zone=Zone(-300),
        threads_per_page=25,
        posts_per_page=15,
        index_dates="both",
        session_ids=True,
        index_date=DateStyle("{wd} {mon} {dd}, {Y} {h}:{MM} {ap}"),
        post_date=DateStyle("{wd} {mon} {dd}, {Y} {h}:{MM} {ap}"),
        validators="now",
        feed="truthful",
        missing_status=404,
        robots=(
            "/search.php",
            "/ucp.php",
            "/memberlist.php",
            "/posting.php",
            "/viewonline.php",
            "/report.php",
        ),
    ),
    Traits(
        "werkbank",
        "Werkbank-Forum",
        "vbulletin",
        "de",
        "vBulletin manner; tables, Heute and Gestern, page numbers, row paging with a link to the last page",
        zone=Zone(60, summer=True),
        threads_per_page=20,
        posts_per_page=10,
        session_ids=True,
        stickies=3,
        index_date=DateStyle("{dd}.{mm}.{Y} {HH}:{MM}", "{today} {HH}:{MM}", "{yesterday} {HH}:{MM}"),
        post_date=DateStyle("{dd}.{mm}.{Y}, {HH}:{MM}", "{today}, {HH}:{MM}", "{yesterday}, {HH}:{MM}"),
        adverts=True,
        missing_status=200,
        guests=0.04,
        robots=(
            "/search.php",
            "/login.php",
            "/member.php",
            "/newreply.php",
            "/printthread.php",
            "/calendar.php",
        ),
    ),
    Traits(
        "chaguan",
        "茶馆",
        "discuz",
        "zh",
        "Discuz! manner; path pieces, relative dates with exact title, redirecting last-post links, GMT+8",
        zone=Zone(480),
        threads_per_page=20,
        posts_per_page=10,
        index_dates="both",
        last_link="redirect",
        row_pages=True,
        index_date=DateStyle(
            "{Y}-{m}-{d} {HH}:{MM}", "", "{yesterday} {HH}:{MM}", 1, "{Y}-{m}-{d} {HH}:{MM}"
        ),
        post_date=DateStyle(
            "{Y}-{m}-{d} {HH}:{MM}:{SS}", "", "{yesterday} {HH}:{MM}", 1, "{Y}-{m}-{d} {HH}:{MM}:{SS}"
        ),
        missing_status=200,
        robots=("/search.php", "/member.php", "/home.php", "/misc.php"),
        crawl_delay=0,
    ),
    Traits(
        "almazara",
        "La Almazara",
        "smf",
        "es",
        "SMF manner; offsets with commas, pages by message, Hoy a las, row paging, stickies in every board",
        zone=Zone(60, summer=True),
        threads_per_page=20,
        posts_per_page=15,
        last_link="page",
        index_date=DateStyle(
            "{Month} {dd}, {Y}, {hh}:{MM}:{SS} {ap}",
            "<b>{today}</b> a las {hh}:{MM}:{SS} {ap}",
            "<b>{yesterday}</b> a las {hh}:{MM}:{SS} {ap}",
        ),
        post_date=DateStyle(
            "{Month} {dd}, {Y}, {hh}:{MM}:{SS} {ap}",
            "<b>{today}</b> a las {hh}:{MM}:{SS} {ap}",
            "<b>{yesterday}</b> a las {hh}:{MM}:{SS} {ap}",
        ),
        feed="lying",
        session_ids=True,
    ),
)

FORUMS: dict[str, Traits] = {traits.name: traits for traits in _ALL}

# What belongs to the people of a forum and stays when its software is replaced.
_KEPT = (
    "name",
    "title",
    "language",
    "about",
    "zone",
    "stickies",
    "guests",
    "deleted",
    "edited",
    "moves",
    "merges",
)


def open_forum(name: str, scale: str | int = "default", layout: str = "", **changes: Any) -> Forum:
    """A forum by its name; another `layout` is what it looks like after a relaunch of its software."""
    if name not in FORUMS:
        raise UsageError(f"there is no forum {name!r}; known are {', '.join(FORUMS)}")
    traits = FORUMS[name]
    if layout and layout != traits.layout:
        donor = next((other for other in _ALL if other.layout == layout), None)
        load_layout(layout)
        if donor is not None:
            traits = replace(donor, **{key: getattr(traits, key) for key in _KEPT})
    unknown = set(changes) - {field.name for field in fields(Traits)}
    if unknown:
        raise UsageError(f"a forum has no trait {', '.join(sorted(unknown))}")
    traits = replace(traits, **changes)
    return Forum(traits, load_layout(traits.layout), scale)
