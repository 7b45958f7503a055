from __future__ import annotations

import json
from importlib.resources import files
from zipfile import ZipFile

from threadmill.corpus.text.language_data import format_table, languages_in, read_entry, read_words


def test_a_language_is_read_alone() -> None:
    assert "en" in languages_in("languages")
    assert set(read_entry("languages", "en")) == {"abbreviations", "words"}
    assert read_entry("languages", "xx") == {}


def test_a_table_is_json_with_a_language_a_line() -> None:
    table = {"": {"a": 1}, "de": {"ü": [1, 2]}}
    text = format_table(table)
    assert json.loads(text) == table
    assert text.splitlines()[2] == '"de": {"ü":[1,2]}'


def test_words_and_names_are_lists_in_lower_case() -> None:
    words, names = (text.split("\n") for text in read_words("cs"))
    assert "škola" in words
    assert "praha" in names
    assert not set(words) & set(names)
    assert all(word == word.lower() for word in (*words, *names))


def test_lists_are_what_their_archive_holds() -> None:
    with ZipFile(str(files("threadmill.corpus").joinpath("data/words.zip"))) as packed:
        for language in packed.namelist():
            words, _, names = packed.read(language).decode().partition("\n\n")
            assert read_words(language) == (words, names), language


def test_no_listed_word_begins_with_a_sign() -> None:
    """A piece that begins with a sign is looked up in no list."""
    for language in languages_in("languages"):
        words = (*read_entry("languages", language).get("words", ()), *" ".join(read_words(language)).split())
        assert all(word[0].isalnum() for word in words), language


def test_a_language_without_capitals_has_no_word_list() -> None:
    assert read_words("hi") == read_words("xx") == ("", "")
