"""Which hot loops run compiled: those whose module was built when Threadmill was installed.

Each has a twin in Python that gives the same to the last bit, and that runs where no C compiler was at hand,
or where the environment variable THREADMILL_PURE is set.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType


def load_extension(name: str) -> ModuleType | None:
    """The compiled module of this name inside threadmill; None where Python has to do."""
    if os.environ.get("THREADMILL_PURE"):
        return None
    try:
        return import_module(f"threadmill.native.{name}")
    except ImportError:
        return None


def is_compiled() -> bool:
    """Whether hot loops run compiled here: they are built together, or not at all."""
    return load_extension("xhtml") is not None  # the one that is loaded soonest
