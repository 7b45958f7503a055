"""The searches over blocks, compiled, find what their twins in Python find, on random pages."""

import random

import numpy as np

from tests.native.test_cutting import _markup
from threadmill.page.blocks.cutting import Cut
from threadmill.page.judge import comments, judgement, story
from threadmill.page.judge.judgement import visible_cut
from threadmill.page.parse.tree import parse
from threadmill.types import ParagraphClass


def _cuts(chance: random.Random) -> list[Cut]:
    words = " ".join(f"word{i}" for i in range(20))
    return [visible_cut(parse("".join(_markup(chance) + f"<p>{words} 10:05") * 3)) for _ in range(300)]


def test_the_frames_of_story_and_core_are_those_that_python_finds() -> None:
    compiled, chance = story._COMPILED, random.Random(3)
    assert compiled is not None
    frames = set()
    for cutting in _cuts(chance):
        blocks, parents = cutting.blocks, cutting.parents
        chances = np.array([chance.random() for _ in blocks], np.float32)
        sure = story._sure_blocks(blocks, chances, 0.3, 5)
        assert compiled.sure_blocks(blocks, chances, 0.3, 5) == sure
        counts = story.word_counts(blocks, range(len(blocks)))
        assert compiled.word_counts(blocks, range(len(blocks))) == counts
        core, whole = (
            story._frame_of_core(parents, sure, 4, 10),
            story._frame_of_most(parents, sure, 0.6, 10),
        )
        assert compiled.frame_of_core(parents, sure, 4, 10) == core
        assert compiled.frame_of_most(parents, sure, 0.6, 10) == whole
        frames |= {core, whole}
    assert len(frames) > 5


def test_lines_and_names_that_comments_are_told_by_are_the_same() -> None:
    compiled, chance = comments._COMPILED, random.Random(5)
    assert compiled is not None
    named = 0
    for cutting in _cuts(chance):
        blocks = cutting.blocks
        assert compiled.short_lines(blocks, 20, 30) == comments._short_lines(blocks, 20, 30)
        some = [i for i in range(len(blocks)) if chance.random() < 0.5]
        found = compiled.names_around(blocks, some, cutting.parents, cutting.elements)
        expected = comments._names_around(blocks, some, cutting.parents, cutting.elements)
        assert sorted(zip(*found, strict=True)) == sorted(zip(*expected, strict=True))
        named += sum(name != " " for name in found[1])
    assert named > 50


def test_long_texts_of_one_class_are_the_same() -> None:
    compiled, chance = judgement._STORY, random.Random(9)
    assert compiled is not None
    long = 0
    for cutting in _cuts(chance):
        found = [(chance.choice([ParagraphClass.GOOD, ParagraphClass.BAD]), "") for _ in cutting.blocks]
        expected = judgement._long_texts(cutting.blocks, found, ParagraphClass.GOOD, 7)
        assert compiled.long_texts(cutting.blocks, found, ParagraphClass.GOOD, 7) == expected
        long += len(expected)
    assert long > 100
