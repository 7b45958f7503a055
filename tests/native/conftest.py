"""Every test of this folder compares native code with its twin in Python."""

import pytest

from tests.implementations import require_native


@pytest.fixture(autouse=True, scope="module")
def native() -> None:
    """Fails in CI where native code is missing and could be built; skips elsewhere."""
    require_native()
