from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.text.masking import MASK, decode_entities, fold, mask_addresses, mask_markup


@given(st.text(alphabet="<>a =\"'/!-bscript"))
def test_veiled_markup_is_as_long_as_the_text(text: str) -> None:
    assert len(mask_markup(text)[0]) == len(text)


def test_values_of_readable_attributes_stay_and_say_whether_they_promise_a_time() -> None:
    text, attributes = mask_markup('<time datetime="2019-05-12" class="2001-01-01">x</time>')
    assert "2019-05-12" in text
    assert "2001-01-01" not in text
    assert [attribute.names_time for attribute in attributes] == [True]


def test_scripts_are_not_read() -> None:
    assert "2019" not in mask_markup("<script>d = '2019-05-12'</script>")[0]


def test_addresses_and_file_names_are_veiled_and_the_rest_is_not() -> None:
    text = mask_addresses("on 2019-05-12 see http://a.org/2018/01/02 and x_2017.zip")
    assert "2019-05-12" in text
    assert text.count(MASK) == len("http://a.org/2018/01/02") + len("x_2017.zip")


@given(st.text())
def test_folding_keeps_every_character_at_its_place(text: str) -> None:
    assert len(fold(text)) == len(text)


def test_digits_and_signs_of_all_scripts_become_plain() -> None:
    assert fold("٢٥／０５－２０１９ İ") == "25/05-2019 i"


def test_resolved_references_know_where_they_stood() -> None:
    text, places = decode_entities("a&nbsp;b")
    assert text == "a\xa0b"
    assert places == [0, 1, 7, 8]
