from __future__ import annotations

import json

from threadmill.corpus.text.language_data import format_table, languages_in, read_entry


def test_a_language_is_read_alone() -> None:
    assert "en" in languages_in("languages")
    assert set(read_entry("languages", "en")) == {"abbreviations", "words"}
    assert read_entry("languages", "xx") == {}


def test_a_table_is_json_with_a_language_a_line() -> None:
    table = {"": {"a": 1}, "de": {"ü": [1, 2]}}
    text = format_table(table)
    assert json.loads(text) == table
    assert text.splitlines()[2] == '"de": {"ü":[1,2]}'
