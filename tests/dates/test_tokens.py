import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.lexicon import (
    MARKUP,
    _spaced_splitter,
    _unspaced_splitter,
    classify_number,
    load_lexicon,
    token_cache_for,
)
from threadmill.dates.tokens import MASK, decode_entities, fold, mask_addresses, mask_markup, tokenise

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
    assert len(tokenise("0 tuần trước", load_lexicon()).letters) == 5
    assert len(tokenise("2tuần trước", load_lexicon()).letters) == 4


@pytest.mark.parametrize(("before", "count"), [("", 0), (" ", 1), ("2,", 2), ("2, ", 3), ("xyz ", 2)])
def test_what_is_no_number_in_front_leaves_a_distance_one_phrase(before: str, count: int) -> None:
    assert len(tokenise(f"{before}tuần trước", load_lexicon()).letters) == count + 1


@given(st.text(max_size=80))
def test_tokens_cover_the_text_without_gaps(text: str) -> None:
    tokens = tokenise(text, load_lexicon())
    assert len(tokens.letters) == len(tokens.starts) == len(tokens.numbers) == len(tokens.senses)
    assert [*tokens.starts, len(tokens.text)] == [0, *tokens.ends]


@given(st.text(max_size=80))
def test_a_text_read_twice_has_the_same_tokens(text: str) -> None:
    assert tokenise(text, load_lexicon()) == tokenise(text, load_lexicon())


@pytest.mark.parametrize(
    ("letter", "digits"),
    [
        ("1", "1 9"), ("2", "01 12"), ("3", "13 24"), ("4", "25 31"), ("5", "32 59"), ("6", "60 99"),
        ("8", "100 999"), ("Y", "1970 2050"), ("9", "1969 2051 2512 2594 1348 1430"),
        ("B", "2513 2593 1349 1429"),
        ("E", "19700101 20501231"), ("F", "197001010000 20501231235959"), ("P", "1000000000 2020010100000"),
        ("L", "19691231 20511231 20200001 20200132 20201331 20200100 123456789012"),
    ],
)  # fmt: skip
def test_each_class_of_numbers_has_its_borders(letter: str, digits: str) -> None:
    assert {run: classify_number(run) for run in digits.split()} == dict.fromkeys(digits.split(), letter)


def test_words_that_lost_their_space_are_split_before_a_month_or_a_weekday() -> None:
    def words(text: str) -> list[str]:
        tokens = tokenise(text, load_lexicon())
        return [text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]

    assert words("SmithMarch") == ["Smith", "March"]
    assert words("SmithMondayMarch") == ["Smith", "Monday", "March"]
    assert words("SmithHouse") == ["SmithHouse"]
    assert words("smithmarch") == ["smithmarch"]


def test_offsets_lead_back_to_the_text_as_it_was_given() -> None:
    text = '<i title="5&nbsp;May">x</i>'
    tokens = tokenise(text, load_lexicon())
    [attribute] = tokens.attributes
    assert tokens.text[attribute.start : attribute.end] == "5 may"
    assert tokens.original_span(attribute.start, attribute.end) == (10, 20)
    assert tokens.attribute_at(attribute.start) == attribute
    assert tokens.attribute_at(attribute.end - 1) == attribute
    assert tokens.attribute_at(attribute.end) is None
    assert tokens.attribute_at(attribute.start - 1) is None
    plain = tokenise("5 May", load_lexicon())
    assert plain.original_span(2, 5) == (2, 5)


def test_a_text_without_numbers_says_so() -> None:
    assert tokenise("yesterday", load_lexicon()).has_number is False
    assert tokenise("3 days", load_lexicon()).has_number is True
    assert tokenise("0", load_lexicon()).has_number is True


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("", ""),
        ("q\u200dq", "w"),
        ("5²", "1w"),
        ("[x]", "(w)"),
        ("\u0e01\u0e02", "xx"),
        ("$", "?"),
        ("9 \n9", "1 1"),
    ],
)
def test_each_token_has_one_class_letter(text: str, letters: str) -> None:
    assert tokenise(text, load_lexicon()).letters == letters


def test_signs_that_do_not_change_a_word_are_ignored() -> None:
    plain, voweled = tokenise("יומיים", load_lexicon()), tokenise("יומיי\u05b0ם", load_lexicon())
    assert plain.letters == voweled.letters
    assert plain.letters not in {"w", "x"}


def test_words_of_a_phrase_may_be_three_signs_apart() -> None:
    assert len(tokenise("last - week", load_lexicon()).letters) == 1
    assert len(tokenise("last -- week", load_lexicon()).letters) > 1
    assert len(tokenise("lastweek", load_lexicon()).letters) == 1
    assert tokenise("lastweek", load_lexicon()).letters == "w"


@given(st.text(alphabet="<>a =\"'/!-bscript"))
def test_masked_markup_is_as_long_as_the_text(text: str) -> None:
    assert len(mask_markup(text)[0]) == len(text)


def test_values_of_readable_attributes_stay_and_say_whether_they_promise_a_time() -> None:
    text, attributes = mask_markup('<time datetime="2019-05-12" class="2001-01-01">x</time>')
    assert "2019-05-12" in text
    assert "2001-01-01" not in text
    assert [attribute.names_time for attribute in attributes] == [True]


def test_scripts_are_not_read() -> None:
    assert "2019" not in mask_markup("<script>d = '2019-05-12'</script>")[0]


def test_addresses_and_file_names_are_masked_and_the_rest_is_not() -> None:
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
