from __future__ import annotations

import pytest

from threadmill.corpus.text.languages import frequent_words, known_languages, language_profile


@pytest.mark.parametrize(
    ("code", "language"), [("pt-BR", "pt"), ("EN_us", "en"), ("no", "nb"), ("sh", "hr"), ("cmn", "zh")]
)
def test_codes_are_reduced_to_a_known_language(code: str, language: str) -> None:
    assert language_profile(code).language == language


def test_an_unknown_language_has_general_rules() -> None:
    profile = language_profile("xx")
    assert (profile.abbreviations, profile.steps, profile.hyphens) == (frozenset(), {}, "keep")
    assert profile.stop_attached
    assert not profile.ordinals
    assert not profile.elision


def test_habits_differ_between_languages() -> None:
    assert not language_profile("cs").stop_attached
    assert language_profile("de").ordinals
    assert language_profile("fr").elision
    assert language_profile("en").hyphens == "prefix"


def test_parts_of_abbreviations_are_abbreviations() -> None:
    assert {"z.b", "z"} <= language_profile("de").abbreviations


def test_frequent_words_have_four_steps() -> None:
    steps = language_profile("en").steps
    counts = {step: list(steps.values()).count(step) for step in "abcd"}
    assert counts["a"] == 30
    assert 115 <= counts["b"] <= 120  # some are names
    assert 335 <= counts["c"] <= 350
    assert counts["d"] > 0
    assert steps["the"] == "a"


@pytest.mark.parametrize(
    ("language", "word", "step"),
    [
        ("nb", "norge", "n"),
        ("uk", "львів", "n"),
        ("de", "mai", "d"),
        ("en", "the", "a"),
        ("sk", "teória", "f"),
        ("en", "sofa", "f"),
    ],
)
def test_names_are_told_from_common_words(language: str, word: str, step: str) -> None:
    assert language_profile(language).steps[word] == step


def test_steps_are_looked_up_like_a_dictionary() -> None:
    steps = language_profile("de").steps
    assert "und" in steps
    assert "undx" not in steps
    assert steps.get("undx", "e") == "e"
    assert dict(steps) == {word: steps.get(word, "") for word in steps}
    assert len(steps) == len(set(steps)) > 10_000


def test_frequent_words_come_from_all_languages() -> None:
    found = frequent_words(1)
    assert "the" in found
    assert len(found) <= len(known_languages())
    assert found < frequent_words(50)
