import os

import pytest

from tools import cli_reference


def test_the_cli_reference_says_what_help_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", os.environ.get("COLUMNS", ""))
    written = cli_reference.TARGET.read_text(encoding="utf-8")
    assert written == cli_reference.render(), "run: python -m tools.cli_reference"
