"""For tests that compare what is compiled with its twin in Python."""

import pytest

from threadmill.native.loader import load_extension

needs_compiled = pytest.mark.skipif(
    load_extension("cutting") is None,
    reason="nothing is compiled here: install a C compiler (Debian: gcc, python3-dev) and set up again",
)
