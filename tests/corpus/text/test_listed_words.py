from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.corpus.text.listed_words import ListCutter
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.corpus.text.unspaced_words import cutter

_TEXTS = {
    "km": "អភិបាលខេត្តបានដឹកនាំមន្ត្រីជំនាញ០៣កន្លែងៗ",
    "lo": "ແຫຼ່ງທຶນຂອງທະນາຄານພັດທະນາສັ້ນໆ໒໕",
    "my": "ဖေဖေနဲ့မေမေ၏ကျေးဇူးတရားမှာကြီးမားလှပေသည်၁၂",
}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("km", "ខ្ញុំស្រឡាញ់កម្ពុជា", ["ខ្ញុំ", "ស្រឡាញ់", "កម្ពុជា"]),
        ("lo", "ຂ້ອຍຮັກພາສາລາວ", ["ຂ້ອຍ", "ຮັກ", "ພາສາ", "ລາວ"]),
        ("my", "ဖေဖေနဲ့မေမေ", ["ဖေဖေ", "နဲ့", "မေမေ"]),
    ],
)
def test_runs_are_cut_into_words(language: str, text: str, expected: list[str]) -> None:
    assert SentenceSplitter(language).forms(text) == [expected]


def test_the_words_with_the_smallest_sum_of_costs_are_taken() -> None:
    costs = {"ກາ": 3, "ບາ": 3, "ກາບາ": 5}
    assert ListCutter("lo", costs, 9).cut("ກາບາ") == ["ກາບາ"]
    assert ListCutter("lo", {**costs, "ກາບາ": 7}, 9).cut("ກາບາ") == ["ກາ", "ບາ"]


def test_a_word_that_no_list_has_stays_together_if_it_is_short() -> None:
    assert ListCutter("lo", {"ຂອງ": 1}, 9).cut("ຂອງວຽງຈັນ") == ["ຂອງ", "ວຽງຈັນ"]


def test_a_long_unknown_run_falls_to_syllables_and_never_to_letters() -> None:
    assert ListCutter("lo", {}, 9).cut("ວຽງ" * 5) == ["ວຽງ"] * 5
    assert ListCutter("my", {}, 9).cut("ကျေးဇူးတရားမှာကြီးမား") == ["ကျေး", "ဇူး", "တ", "ရား", "မှာ", "ကြီး", "မား"]


def test_a_lone_final_letter_goes_to_the_word_before_it() -> None:
    assert ListCutter("lo", {"ຟ້າ": 1, "ບິນ": 1}, 9).cut("ຟ້າມບິນ") == ["ຟ້າມ", "ບິນ"]


def test_numbers_are_tokens() -> None:
    assert ListCutter("km", {"ខែ": 1}, 9).cut("ខែ១២,៥០") == ["ខែ", "១២,៥០"]


def test_a_space_of_no_width_ends_a_word() -> None:
    assert SentenceSplitter("km").forms("កាល\u200bបរិច្ឆេទ\u200bដែល") == [["កាល", "បរិច្ឆេទ", "ដែល"]]
    assert SentenceSplitter("th").forms("ตา\u200bกลม") == [["ตา", "กลม"]]


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [("my", "ဖေဖေ။မေမေ။", 2), ("km", "ខ្ញុំទៅ។គាត់ទៅ៕", 2), ("km", "ខ្ញុំទៅ ស្វាយ ចេក។ល។", 1)],
)
def test_sentences_end_at_the_stops_of_the_script(language: str, text: str, count: int) -> None:
    assert len(SentenceSplitter(language).forms(text)) == count


@given(st.sampled_from(sorted(_TEXTS)), st.data())
def test_the_words_of_a_run_join_to_it(language: str, data: st.DataObject) -> None:
    run = data.draw(st.text(alphabet=_TEXTS[language], min_size=1, max_size=40))
    found = cutter(language).cut(run)
    assert "".join(found) == run
    assert all(found)


@given(st.text(alphabet=" " + "".join(_TEXTS.values()) + "\u200b។။a.", max_size=60))
def test_the_forms_join_to_the_text_without_spaces_of_no_width(text: str) -> None:
    found = "".join(form for forms in SentenceSplitter("km").forms(text) for form in forms)
    assert _bare(found) == _bare(text)


def _bare(text: str) -> str:
    return "".join(text.replace("\u200b", "").split())
