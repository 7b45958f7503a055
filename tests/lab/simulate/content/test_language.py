from __future__ import annotations

import pytest

from threadmill.errors import UsageError
from threadmill.lab.simulate.content.language import CODES, load_language


@pytest.mark.parametrize("code", CODES)
def test_every_language_has_all_its_texts(code: str) -> None:
    language, english = load_language(code), load_language("en")
    assert language.code == code
    assert (len(language.months), len(language.short_months)) == (12, 12)
    assert (len(language.weekdays), len(language.short_weekdays)) == (7, 7)
    assert set(language.words) == set(english.words)
    assert set(language.ago) == set(english.ago)
    assert all("{n}" in form or unit for unit, forms in language.ago.items() for form in forms)
    assert len(language.boards) >= 7


def test_a_language_without_texts_is_refused_with_what_a_new_one_needs() -> None:
    with pytest.raises(
        UsageError, match=r"language 'cs'; expected one of en, .*languages/cs\.py, and its code in CODES"
    ):
        load_language("cs")


@pytest.mark.parametrize(
    ("code", "number", "expected"),
    [
        ("en", 1, "1 hour ago"),
        ("en", 2, "2 hours ago"),
        ("fr", 1, "il y a 1 heure"),
        ("fr", 2, "il y a 2 heures"),
        ("pl", 1, "1 godzinę temu"),
        ("pl", 3, "3 godziny temu"),
        ("pl", 13, "13 godzin temu"),
        ("pl", 21, "21 godzin temu"),
        ("pl", 22, "22 godziny temu"),
        ("ru", 1, "1 час назад"),
        ("ru", 3, "3 часа назад"),
        ("ru", 11, "11 часов назад"),
        ("ru", 12, "12 часов назад"),
        ("ru", 21, "21 час назад"),
        ("ja", 1, "1時間前"),
        ("ja", 5, "5時間前"),
    ],
)
def test_the_plural_follows_the_rule_of_the_language(code: str, number: int, expected: str) -> None:
    assert load_language(code).say_ago("hour", number) == expected
