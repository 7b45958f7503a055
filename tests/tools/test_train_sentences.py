"""What sentence boundaries are learnt from."""

from __future__ import annotations

import lzma
from pathlib import Path

from bench.treebank import Unit, Word
from tools.train_sentences import UNITS, choose, is_punctuated, load_others


def unit(*sentences: str) -> Unit:
    """A paragraph of sentences whose words stand between spaces."""
    return Unit([[Word(form, True, form, "X") for form in sentence.split()] for sentence in sentences])


def conllu(paragraph: Unit) -> str:
    """A paragraph as it stands in a file."""
    blocks = [
        "".join(f"{at}\t{word.form}" + "\t_" * 8 + "\n" for at, word in enumerate(sentence, 1))
        for sentence in paragraph.sentences
    ]
    return "# newpar\n" + "\n".join(blocks) + "\n"


PROSE = unit("The wind rose .", "We went home .", "It rained")
VERSE = unit("O for a voice", "Like thunder", "And a tongue !")


def test_prose_is_punctuated_and_verse_is_not() -> None:
    assert is_punctuated(PROSE)
    assert not is_punctuated(VERSE)


def test_half_of_the_sentences_may_lack_a_mark() -> None:
    assert is_punctuated(unit("A heading", "It rained .", "We went home ."))


def test_the_last_sentence_of_a_paragraph_needs_no_mark() -> None:
    assert is_punctuated(unit("A heading alone"))
    assert is_punctuated(unit("It rained .", "And so on"))


def test_verse_takes_no_place_among_the_paragraphs_that_are_learnt_from() -> None:
    chosen = choose([VERSE, PROSE] * UNITS, "xx_test")
    assert len(chosen) == UNITS
    assert VERSE not in chosen


def test_a_file_of_verse_and_prose_gives_its_prose(tmp_path: Path) -> None:
    text = "".join(map(conllu, [PROSE, VERSE]))
    (tmp_path / "xx_test-ud-train.conllu.xz").write_bytes(lzma.compress(text.encode()))
    (bank,) = load_others(tmp_path, set())
    assert [found.text for found in bank.units] == [PROSE.text]
