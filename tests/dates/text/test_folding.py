from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.text.folding import decode_entities, fold


@given(st.text())
def test_folding_keeps_every_character_at_its_place(text: str) -> None:
    assert len(fold(text)) == len(text)


def test_digits_and_signs_of_all_scripts_become_plain() -> None:
    assert fold("٢٥／０５－２０１９ İ") == "25/05-2019 i"


def test_resolved_references_know_where_they_stood() -> None:
    text, places = decode_entities("a&nbsp;b")
    assert text == "a\xa0b"
    assert places == [0, 1, 7, 8]
