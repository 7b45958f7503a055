from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.text.lexicon import find_lexicon
from threadmill.dates.text.word_classes import _general, _spaced, find_pieces

PIECES = find_pieces(find_lexicon())


@given(st.text(max_size=60))
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    assert "".join(PIECES.cut(text)) == text


@given(st.text(alphabet="aзéü\u0301\u0591\u0430 1.,-א²ß\u00b7", max_size=40))
def test_the_short_way_cuts_as_the_long_one(text: str) -> None:
    assert _spaced().findall(text) == _general(find_lexicon().fused.pattern).findall(text)


def test_words_of_scripts_without_spaces_are_cut_out() -> None:
    assert PIECES.cut("张三昨天5月") == ["张", "三", "昨天", "5", "月"]


def test_a_long_run_is_not_kept() -> None:
    run = "q" * 200
    assert PIECES[run].letter == "w"
    assert run not in PIECES
