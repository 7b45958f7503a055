from hypothesis import given
from hypothesis import strategies as st

from threadmill.page.judge.block_evidence import WordWeights, joined_names, name_lines, name_parts


def test_names_are_parted_into_words() -> None:
    assert name_parts("postBody_3 js-post HTMLBody x") == ("post", "body", "js", "htmlbody")


@given(st.lists(st.text(st.sampled_from("aBcD-_ 3é\n"), max_size=20), max_size=5))
def test_many_names_are_parted_as_each_is(names: list[str]) -> None:
    lines = b" ".join(name_lines(names)).decode().split("\x01")[:-1]
    assert [tuple(dict.fromkeys(part for part in line.split() if len(part) > 1)) for line in lines] == [
        name_parts(name) for name in names
    ]


def test_a_word_weighs_once_however_often_it_stands_in_the_names() -> None:
    lexicon = WordWeights({"post": 2.0, "side": -1.0}, {})
    names = [
        ("post postBody", "sidePost", None, "main"),
        (None, None, None, "post"),
        ("side", None, "post", None),
    ]
    assert lexicon.weigh(names) == [1.0, 0.0, 1.0]
    assert lexicon.weigh(names[::-1]) == [1.0, 0.0, 1.0]


def test_a_name_cannot_end_its_line() -> None:
    lexicon = WordWeights({"post": 2.0, "side": -1.0}, {})
    assert joined_names(("side\x01post", None, None, None)) == "side post"
    assert lexicon.weigh([("side\x01post", None, None, None), ("post", None, None, None)]) == [1.0, 2.0]
