"""The layouts, one module per engine; each is loaded when a forum asks for it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.lab.simulate.layout import ForumLayout

NAMES = (
    "phpbb",
    "vbulletin",
    "discuz",
    "smf",
    "xenforo",
    "mybb",
    "ipb",
    "vanilla",
    "bbpress",
    "discourse",
    "questions",
    "plaza",
    "kiosk",
    "tree",
    "cgi",
)


def load_layout(name: str) -> ForumLayout:
    """A layout by its name."""
    if name not in NAMES:
        raise UsageError(f"there is no layout {name!r}; known are {', '.join(NAMES)}")
    return cast("ForumLayout", import_module(f"threadmill.lab.simulate.layouts.{name}").LAYOUT)
