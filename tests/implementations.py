"""The two implementations of each hot loop: native code, and its twin in Python."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest

from threadmill.native.loader import EXTENSIONS, missing_extensions

COMPILERS = ("cc", "gcc", "clang", "cl")
# tools.sanitize runs tests with native code that watches its memory: slower by four, with twice the memory.
SANITIZED = "ASAN_OPTIONS" in os.environ


def require_native() -> None:
    """Stop a test that needs native code where there is none: a failure in CI if it could have been built."""
    missing = missing_extensions()
    if not missing:
        return
    if os.environ.get("THREADMILL_PURE"):
        pytest.skip("native code is switched off by THREADMILL_PURE")
    reason = f"these extensions are not built: {', '.join(missing)}"
    if os.environ.get("CI") and any(map(shutil.which, COMPILERS)):
        pytest.fail(f"{reason}, although there is a C compiler")
    pytest.skip(f"{reason}; install a C compiler (Debian: gcc, python3-dev), then run dev.py setup")


def _is_extension(value: object) -> bool:
    return isinstance(value, ModuleType) and value.__name__.removeprefix("threadmill.native.") in EXTENSIONS


@contextmanager
def python_only() -> Iterator[None]:
    """Run everything in Python: no module that is loaded knows of an extension meanwhile."""
    found = [
        (module, name, value)
        for key, module in list(sys.modules.items())
        if key.startswith("threadmill.") and not key.startswith("threadmill.native")
        for name, value in vars(module).items()
        if _is_extension(value)
    ]
    for module, name, _ in found:
        setattr(module, name, None)
    try:
        yield
    finally:
        for module, name, value in found:
            setattr(module, name, value)


@pytest.fixture(params=["native", "python"], scope="module", autouse=True)
def implementation(request: pytest.FixtureRequest) -> Iterator[str]:
    """Runs every test of a folder with native code, and again in Python: its conftest.py imports this."""
    kind: str = request.param
    if kind == "native":
        require_native()
        yield kind
    elif SANITIZED:
        pytest.skip("only native code is of interest in a sanitized build")
    else:
        with python_only():
            yield kind
