"""The searches over blocks, compiled, find what their twins in Python find, on random pages."""

import random

import numpy as np

from tests.implementations import python_only
from tests.native.test_cutting import _markup
from threadmill.page import visible_metadata
from threadmill.page.blocks.cutting import JUSTEXT, Cut, cut
from threadmill.page.judge import comments, judgement, story
from threadmill.page.judge.judgement import visible_cut
from threadmill.page.judge.justext import JusTextThresholds, judge_by_justext
from threadmill.page.parse import metadata
from threadmill.page.parse.tree import parse
from threadmill.types import ParagraphClass


def _cuts(chance: random.Random) -> list[Cut]:
    words = " ".join(f"word{i}" for i in range(20))
    lines = (
        f"<p>{words} 10:05",
        f"<div class=aCommento id=b><p>{words} 1 day ago: so",
        "<p id='n-KOMMENTAR ü'>10h30: a",
    )
    return [visible_cut(parse("".join(_markup(chance) + chance.choice(lines)) * 3)) for _ in range(300)]


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
        around = blocks, some, cutting.parents, cutting.elements
        expected = comments._names_around(*around)
        assert compiled.names_around(*around, None, comments._HINTS) == expected
        judgement.read_names(cutting)
        assert compiled.names_around(*around, cutting.names, comments._HINTS) == expected
        named += len(expected[0])
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
    assert long > 50


def test_the_rules_of_justext_give_the_same_by_themselves_and_by_the_neighbours() -> None:
    chance = random.Random(17)
    thresholds = JusTextThresholds(
        length_low=8, length_high=30, stop_words_low=0.3, stop_words_high=0.6, max_heading_distance=40
    )
    parts = ["und der", "word", "und der und", "und word word", "© 2001 and more", "&copy; x"]
    parts += ["Wort und der und " * 3, "a lot of words " * 3, "<a href=x>y</a> z"]
    told = set()
    for _ in range(400):
        texts = [chance.choice(parts) for _ in range(chance.randrange(1, 25))]
        tags = [chance.choice(["p", "p", "p", "h2", "select", "a href=x"]) for _ in texts]
        page = "".join(f"<div><{tag}>{text}</div>" for tag, text in zip(tags, texts, strict=True))
        blocks = cut(parse(page).document, JUSTEXT).blocks
        words = chance.choice([None, frozenset({"und", "der"})])
        found = judge_by_justext(blocks, words, thresholds)
        with python_only():
            assert judge_by_justext(blocks, words, thresholds) == found
        told.update(found)
    assert len(told) >= 10


def test_texts_that_may_have_a_date_and_names_of_meta_elements_are_the_same() -> None:
    compiled, chance = visible_metadata._COMPILED, random.Random(11)
    assert compiled is not None
    dated = 0
    for _ in range(400):
        texts = [
            "".join(chance.choices("0189./-a é", (4, 4, 4, 4, 2, 2, 2, 2, 1, 0.2), k=9)) for _ in range(9)
        ]
        blocks = visible_cut(parse("".join(f"<p>{text}" for text in texts))).blocks
        with python_only():
            expected = visible_metadata._short_texts(blocks, None, 0, 9, 9, dated=True)
        assert compiled.short_texts(blocks, None, 0, 9, 9, True) == expected
        dated += len(expected)
    assert 500 < dated < 3_300
    names = ("name", "property", "itemprop", "http-equiv", "content", "content", "CONTENT")
    markup = (
        f"<meta {chance.choice(names)}='{chance.choice(('', ' A b', 'ü'))}' {chance.choice(names)}=' x  y '>"
        for _ in range(300)
    )
    elements = parse("".join(markup)).document.select("meta[content]")
    found = list(metadata._named_contents(elements, 4))
    assert compiled.named_contents(elements, 4) == found
    assert {name for name, _ in found} == {"a b", "ü", "x  y"}
