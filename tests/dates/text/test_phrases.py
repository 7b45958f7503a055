import pytest

from threadmill.dates.text.lexer import tokenise
from threadmill.dates.text.lexicon import find_lexicon


@pytest.mark.parametrize("phrase", ["il y a", "last week", "last-week"])
def test_a_phrase_is_one_token(phrase: str) -> None:
    tokens = tokenise(f"{phrase} 3", find_lexicon())
    assert tokens.ends[0] == len(phrase)


def test_words_of_a_phrase_with_another_sign_between_stay_apart() -> None:
    assert tokenise("last, week", find_lexicon()).ends[0] == len("last")


def test_behind_a_number_a_distance_is_no_phrase() -> None:
    assert len(tokenise("tuần trước", find_lexicon()).letters) == 1
    assert len(tokenise("2 tuần trước", find_lexicon()).letters) == 5
