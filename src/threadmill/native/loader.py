"""Loads the compiled version of a hot loop where one was built, and tells which are missing.

Each extension has a twin in Python that gives the same result. The twin runs where no C compiler was at hand,
and everywhere when the environment variable THREADMILL_PURE is set.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

# Every .pyx file of this folder.
EXTENSIONS = (
    "cutting",
    "features",
    "hidden",
    "language",
    "links",
    "paragraphs",
    "story",
    "tagger",
    "tokens",
    "verdicts",
    "vertical_lines",
    "word_sets",
    "xhtml",
)
_SWITCH = "THREADMILL_PURE"


def load_extension(name: str) -> ModuleType | None:
    """The extension of this name; None where Python has to do its work."""
    if name not in EXTENSIONS:
        raise ValueError(f"there is no extension {name!r}; known are {', '.join(EXTENSIONS)}")
    if os.environ.get(_SWITCH):
        return None
    try:
        return import_module(f"threadmill.native.{name}")
    except ImportError:
        return None


def missing_extensions() -> tuple[str, ...]:
    """The extensions that cannot be loaded here, because they were not built or do not fit this Python."""
    return tuple(name for name in EXTENSIONS if load_extension(name) is None)


def describe_extensions() -> str:
    """Which extensions are in use, as one phrase for `threadmill --version`."""
    if os.environ.get(_SWITCH):
        return f"native code switched off by {_SWITCH}"
    missing = missing_extensions()
    if not missing:
        return f"native code complete ({len(EXTENSIONS)} extensions)"
    if len(missing) == len(EXTENSIONS):
        return "no native code (Python does the work, more slowly)"
    return f"native code incomplete: missing {', '.join(missing)} (Python does their work, more slowly)"
