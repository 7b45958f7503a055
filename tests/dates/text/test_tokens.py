import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.text.lexicon import load_lexicon
from threadmill.dates.text.tokens import (
    _spaced_splitter,
    _unspaced_splitter,
    classify_number,
    token_cache_for,
    tokenise,
)

PIECES = token_cache_for(load_lexicon())


@given(st.text(max_size=60))
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    assert "".join(PIECES.split(text)) == text


@given(st.text(alphabet="aзéü\u0301\u0591\u0430 1.,-א²ß\u00b7", max_size=40))
def test_the_short_way_cuts_as_the_long_one(text: str) -> None:
    assert _spaced_splitter().findall(text) == _unspaced_splitter(
        load_lexicon().unspaced_words.pattern
    ).findall(text)


def test_words_of_scripts_without_spaces_are_cut_out() -> None:
    assert PIECES.split("张三昨天5月") == ["张", "三", "昨天", "5", "月"]


def test_a_long_run_is_not_kept() -> None:
    run = "q" * 200
    assert PIECES[run].letter == "w"
    assert run not in PIECES


def test_numbers_are_told_apart_by_what_they_can_be() -> None:
    digits = "0 5 05 24 31 59 99 00 123 2019 2562 9999 20190512 201905121030"
    assert [classify_number(run) for run in digits.split()] == list("012345678YB9EF")


def test_ten_and_thirteen_digits_may_be_a_time_stamp() -> None:
    assert [classify_number(run) for run in ("1394600000", "1394600000000", "0394600000")] == ["P", "P", "L"]


@pytest.mark.parametrize("phrase", ["il y a", "last week", "last-week"])
def test_a_phrase_is_one_token(phrase: str) -> None:
    tokens = tokenise(f"{phrase} 3", load_lexicon())
    assert tokens.ends[0] == len(phrase)


def test_words_of_a_phrase_with_another_sign_between_stay_apart() -> None:
    assert tokenise("last, week", load_lexicon()).ends[0] == len("last")


def test_behind_a_number_a_distance_is_no_phrase() -> None:
    assert len(tokenise("tuần trước", load_lexicon()).letters) == 1
    assert len(tokenise("2 tuần trước", load_lexicon()).letters) == 5


@given(st.text(max_size=80))
def test_tokens_cover_the_text_without_gaps(text: str) -> None:
    tokens = tokenise(text, load_lexicon())
    assert len(tokens.letters) == len(tokens.starts) == len(tokens.numbers) == len(tokens.senses)
    assert [*tokens.starts, len(tokens.text)] == [0, *tokens.ends]


@given(st.text(max_size=80))
def test_a_text_read_twice_has_the_same_tokens(text: str) -> None:
    assert tokenise(text, load_lexicon()) == tokenise(text, load_lexicon())
