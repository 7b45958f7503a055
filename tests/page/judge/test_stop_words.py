import pytest

from threadmill.errors import UsageError
from threadmill.page.judge.stop_words import languages, stop_words, word_set


def test_every_language_has_words_in_lower_case() -> None:
    assert {"en", "de", "cs", "ru", "ja"} <= languages()
    for language in ("en", "de", "ru"):
        words = stop_words(language)
        assert "" not in words
        assert all(word == word.lower() for word in words)
    assert {"the", "and"} <= stop_words("en")


def test_an_unknown_language_is_named_beside_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"'xx'; use one of .*\ben\b"):
        stop_words("xx")


def test_the_set_of_native_code_is_made_once() -> None:
    words = frozenset({"the", "and"})
    assert word_set(words) is word_set(frozenset({"and", "the"}))
