from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.corpus.text.languages import language_profile
from threadmill.corpus.text.tokens import Tokeniser
from threadmill.corpus.text.unspaced_words import (
    FugashiCutter,
    WordCutter,
    chinese_script,
    cutter,
    cutter_of,
    table_cutter,
)


def words(language: str, text: str) -> list[str]:
    return [form.strip() for form in Tokeniser(language_profile(language)).forms(text)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("zh", "我们喜欢音乐。", ["我们", "喜欢", "音乐", "。"]),
        ("zh", "我們喜歡音樂。", ["我們", "喜歡", "音樂", "。"]),
        ("ja", "東京に行きました。", ["東京", "に", "行き", "まし", "た", "。"]),
        ("th", "ฉันรักประเทศไทย", ["ฉัน", "รัก", "ประเทศ", "ไทย"]),
        ("th", "เมื่อ พ.ศ. 2540 ฉันรัก", ["เมื่อ", "พ.ศ.", "2540", "ฉัน", "รัก"]),
        ("ja", "国立国会図書館で調べた", ["国立", "国会", "図書", "館", "で", "調べ", "た"]),
        ("en", "He said 我们 twice", ["He", "said", "我们", "twice"]),
    ],
)
def test_scripts_without_spaces_are_cut_into_words(language: str, text: str, expected: list[str]) -> None:
    assert words(language, text) == expected


def test_a_run_is_cut_by_its_script_first() -> None:
    assert cutter_of("ひらがな", "zh") is cutter("ja")
    assert cutter_of("音楽", "ja") is cutter("ja")
    assert cutter_of("音乐", "xx") is cutter("zh")
    assert cutter_of("ไทย", "xx") is cutter("th")
    assert cutter_of("ខ្មែរ", "xx") is cutter("km")
    assert cutter_of("ພາສາ", "xx") is cutter("lo")
    assert cutter_of("မြန်မာ", "xx") is cutter("my")
    assert cutter_of("abc", "km") is None


def test_the_weights_decide_and_the_word_list_is_a_feature() -> None:
    assert WordCutter(["ab", "cd"], {"n122": 1}, {}).cut("abcd") == ["ab", "cd"]
    assert WordCutter(["ab", "cd"], {}, {}).cut("abcd") == ["abcd"]
    assert WordCutter(["ab", "abc"], {"u203": 1}, {}).cut("abc") == ["ab", "c"]  # "abc" goes across the place
    assert WordCutter([], {"cab": 1}, {"X": "a"}).cut("Xb") == ["X", "b"]


def test_japanese_is_cut_by_the_library_of_the_extra_where_it_is_installed() -> None:
    pytest.importorskip("fugashi")
    pytest.importorskip("unidic_lite")
    assert isinstance(cutter("ja"), FugashiCutter)
    assert cutter("ja").cut("東京に行きました") == ["東京", "に", "行き", "まし", "た"]


def test_without_the_extra_the_table_cuts_japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threadmill.corpus.text.unspaced_words.find_spec", lambda _name: None)
    assert not isinstance(cutter.__wrapped__("ja"), FugashiCutter)
    assert table_cutter("ja").cut("東京に行きました") == ["東京", "に", "行き", "まし", "た"]


@given(
    st.text(alphabet="我们喜欢音楽にカきไทยประ", min_size=1, max_size=40), st.sampled_from(["zh", "ja", "th"])
)
def test_the_words_of_a_run_join_to_it(run: str, language: str) -> None:
    found = cutter(language).cut(run)
    assert "".join(found) == run
    assert all(found)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("這裡的人們說國語", "Hant"),
        ("这里的人们说国语", "Hans"),
        ("山水人", ""),
        ("", ""),
        ("臺灣，在台北", "Hant"),
    ],
)
def test_traditional_and_simplified_chinese_are_told_apart(text: str, script: str) -> None:
    assert chinese_script(text) == script
