import pytest

from threadmill.dates.context.surroundings import Surroundings
from threadmill.dates.grammar.patterns import grammar_for
from threadmill.dates.scan import scan
from threadmill.dates.text.lexicon import load_lexicon
from threadmill.dates.text.tokens import tokenise


def around(text: str) -> Surroundings:
    lexicon = load_lexicon()
    return Surroundings(text, tokenise(text, lexicon), grammar_for(lexicon))


def found(text: str) -> list[str]:
    return [text[s.date.start : s.date.end] for s in scan(text).stamps if s.date]


@pytest.mark.parametrize(
    "text",
    [
        "1.22.04.2020",
        "x2019-05-12",
        "$12/05/2019",
        "12/05/2019%",
        "12/05/2019/3",
        "#12.05.2019",
        "a=2019-05-12",
    ],
)
def test_the_middle_of_something_longer_is_no_date(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("12.05.2019-15.05.2019", "12.05.2019"),
        ("By John SmithMarch 5, 2020", "March 5, 2020"),
        ("発言2019年5月5日に", "2019年5月5日"),
        ("2019-05-12T10:15", "2019-05-12"),
    ],
)
def test_a_date_may_touch_what_it_cannot_be_part_of(text: str, date: str) -> None:
    assert found(text)[0] == date


def test_alone_means_nothing_but_signs_and_times_beside() -> None:
    for text, alone in (
        ("<b>(5 May 2019, 10:15)</b>", True),
        ("on 5 May 2019", False),
        ("5 May 2019 4", False),
    ):
        stamp = scan(text).stamps[0]
        assert stamp.date is not None
        assert around(text).stands_alone(stamp.date) is alone


def test_words_before_are_seen_past_spaces_and_signs() -> None:
    text = around("version: 2")
    assert text.follows_word(3) is False
    assert around("la word 2").follows_word(4) is True
