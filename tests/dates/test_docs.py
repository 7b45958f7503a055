"""The examples of docs/methods/dates.md are true."""

import doctest
from pathlib import Path


def test_the_examples_of_the_page_on_dates_run_as_they_stand() -> None:
    page = Path(__file__).parents[2] / "docs/methods/dates.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried >= 4
    assert failed == 0
