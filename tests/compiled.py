"""For tests that compare what is compiled with its twin in Python."""

import pytest

from threadmill.compiled import part

needs_compiled = pytest.mark.skipif(
    part("page.compiled_walk") is None,
    reason="nothing is compiled here: install a C compiler (Debian: gcc, python3-dev) and set up again",
)
