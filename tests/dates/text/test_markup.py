from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.text.markup import VEIL, veil_addresses, veil_markup


@given(st.text(alphabet="<>a =\"'/!-bscript"))
def test_veiled_markup_is_as_long_as_the_text(text: str) -> None:
    assert len(veil_markup(text)[0]) == len(text)


def test_values_of_readable_attributes_stay_and_say_whether_they_promise_a_time() -> None:
    text, attributes = veil_markup('<time datetime="2019-05-12" class="2001-01-01">x</time>')
    assert "2019-05-12" in text
    assert "2001-01-01" not in text
    assert [attribute.telling for attribute in attributes] == [True]


def test_scripts_are_not_read() -> None:
    assert "2019" not in veil_markup("<script>d = '2019-05-12'</script>")[0]


def test_addresses_and_file_names_are_veiled_and_the_rest_is_not() -> None:
    text = veil_addresses("on 2019-05-12 see http://a.org/2018/01/02 and x_2017.zip")
    assert "2019-05-12" in text
    assert text.count(VEIL) == len("http://a.org/2018/01/02") + len("x_2017.zip")
