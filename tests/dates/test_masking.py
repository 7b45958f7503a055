import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.masking import MARKUP, MASK, decode_entities, fold, mask_addresses, mask_markup


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


def shown(text: str) -> tuple[str, list[tuple[int, int, bool]]]:
    masked, attributes = mask_markup(text)
    return masked.replace(MARKUP, "#"), [tuple(attribute) for attribute in attributes]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "masked", "attributes"),
    [
        ("a<b>c", "a###c", []),
        ("a < b", "a < b", []),
        ("<a title=x>", "#########x#", [(9, 10, False)]),
        ('<a title="5 May">t</a>', "##########5 May##t####", [(10, 15, False)]),
        ("<time datetime='2019'>", "################2019##", [(16, 20, True)]),
        ('<!-- title="x" -->', "#" * 18, []),
        ('</a title="x">', "#" * 14, []),
        ("<a title>x", "#########x", []),
        ('<img alt="2019" src="2018">', "##########2019#############", [(10, 14, False)]),
        ('<s title="x">y</s>', "##########x##y####", [(10, 11, False)]),
        ("<style>2019</style>y", "#" * 19 + "y", []),
        ("<SCRIPT>2019</SCRIPT>z", "#" * 21 + "z", []),
        ("<script>2019", "#" * 12, []),
    ],
)
def test_tags_are_masked_and_readable_values_kept(
    text: str, masked: str, attributes: list[tuple[int, int, bool]]
) -> None:
    assert shown(text) == (masked, attributes)


def test_linked_data_keeps_the_values_of_dates_only() -> None:
    text = (
        '<script type="application/ld+json">{"datePublished": "2020-05-05", "name": "2019-01-01"}</script>z'
    )
    masked, attributes = shown(text)
    assert masked == "#" * 54 + "2020-05-05" + "#" * 33 + "z"
    assert attributes == [(54, 64, True)]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("see www.a.org/2019", "see ##############"), ("a@b.de 2019", "###### 2019"),
        ("/a/2019/", "########"),
        ("x 5/5/2019", "x 5/5/2019"), ("/5/2019", "#######"), ("file.txt 5", "######## 5"),
        ("a_b 5", "### 5"),
        ("2019_05", "2019_05"), ("http://a/2019 5", "############# 5"), ("(http://a) 5", "(######### 5"),
        ("tel+http://a", "############"), ("?a=2019", "#######"), ("a.org/2019", "##########"),
        ("a.org 2019", "a.org 2019"), ("x.jpg", "#####"), ("12.05.2019", "12.05.2019"),
        ("photo.jpeg2", "photo.jpeg2"), ("../x/2019", "#########"), ("a=b", "a=b"),
    ],
)  # fmt: skip
def test_addresses_are_masked_from_where_they_begin(text: str, masked: str) -> None:
    assert mask_addresses(text).replace(MASK, "#") == masked


@pytest.mark.parametrize(
    ("text", "plain", "offsets"),
    [
        ("a&amp;b", "a&b", [0, 1, 6, 7]),
        ("a&b", "a&b", None),
        ("a&nosuch;b", "a&nosuch;b", None),
        ("&#49;&#x32;", "12", [0, 5, 11]),
        ("x", "x", None),
    ],
)
def test_character_references_are_resolved_with_their_offsets(
    text: str, plain: str, offsets: list[int] | None
) -> None:
    assert decode_entities(text) == (plain, offsets)
