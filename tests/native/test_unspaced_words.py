"""The compiled cutter of scripts without spaces gives the words of its twin in Python."""

import random

import pytest

from threadmill.corpus.text.unspaced_words import WordCutter, kind_of, read_table, table_cutter
from threadmill.native.loader import load_extension

native = load_extension("tokens")
LETTERS = "东京東大学生に行きましたカタ三กเ้ะ1aé𠉂。"


Table = dict[str, int]


def both(words: list[str], weights: Table, variants: dict[str, str]) -> tuple[WordCutter, WordCutter]:
    made: WordCutter = native.WordCutter(words, weights, variants)  # type: ignore[union-attr]
    return made, WordCutter(words, weights, variants)


def draw_features(rnd: random.Random, plain: WordCutter, count: int) -> dict[str, int]:
    found: dict[str, int] = {}
    while len(found) < count:
        run = "".join(rnd.choices(LETTERS, k=20))
        for _, features in plain.places(run):
            found.update((feature, rnd.randint(-90, 90)) for feature in rnd.sample(features, 3))
    return found


def test_the_words_of_drawn_tables_are_the_same() -> None:
    rnd = random.Random(5)
    for _ in range(30):
        # a list may name a word twice: the later place counts
        words = ["".join(rnd.choices(LETTERS, k=rnd.randint(1, rnd.choice([3, 12])))) for _ in range(200)]
        variants = {"東": "东"} if rnd.random() < 0.5 else {}
        weights = draw_features(rnd, WordCutter(words, {}, variants), 400)
        compiled, plain = both([*words, words[0]], weights, variants)
        for _ in range(50):
            run = "".join(rnd.choices(LETTERS, k=rnd.choice([1, 2, 9, 60])))
            assert compiled.cut(run) == plain.cut(run)


@pytest.mark.parametrize("language", ["zh", "ja", "th"])
def test_the_words_of_our_tables_are_the_same(language: str) -> None:
    table = read_table(language)
    compiled = table_cutter(language)
    plain = WordCutter(table["words"], table["weights"], table["variants"])
    rnd = random.Random(7)
    for _ in range(100):
        run = "".join(rnd.choices(table["words"][:3000], k=rnd.randint(1, 30)))
        assert compiled.cut(run) == plain.cut(run)


def test_an_empty_table_leaves_runs_whole() -> None:
    compiled, plain = both([], {}, {})
    assert compiled.cut("东京") == plain.cut("东京") == ["东京"]


def test_characters_beyond_the_first_plane_are_of_one_kind() -> None:
    assert {kind_of(chr(code)) for code in range(0x10000, 0x110000, 97)} == {kind_of("𠉂")}


def test_a_listed_word_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than 12"):
        native.WordCutter(["a" * 13], {}, {})  # type: ignore[union-attr]
