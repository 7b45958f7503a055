"""Threadmill keeps a clean, deduplicated corpus of forums and sites, and downloads almost nothing twice."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threadmill.page.clean import clean as clean
    from threadmill.page.clean_pages import Source as Source
    from threadmill.page.clean_pages import clean_pages as clean_pages

__version__ = "0.1.0"

# name → module that has it; loaded when first asked for, because `threadmill --help` needs none of them
_ENTRANCES = {
    "clean": "threadmill.page.clean",
    "clean_pages": "threadmill.page.clean_pages",
    "Source": "threadmill.page.clean_pages",
}


def __getattr__(name: str) -> Any:
    if name not in _ENTRANCES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_ENTRANCES[name]), name)
