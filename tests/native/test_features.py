"""The compiled judgement gives what its twin in Python gives, to the last bit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pytest

from tests.implementations import python_only
from tests.quality_pages import quality_pages
from threadmill.page.blocks.cutting import Cut
from threadmill.page.clean import cut_page
from threadmill.page.judge import tree_model as model
from threadmill.page.judge.block_evidence import PageFacts, WordWeights
from threadmill.page.judge.clean_settings import Favour
from threadmill.page.judge.features import features
from threadmill.page.judge.judgement import (
    TABLE_ROWS,
    CutPage,
    facts_of,
    judge_pages,
    longest_texts,
    native_features,
    text_language,
)
from threadmill.page.judge.page_batch import Floats, PageBatch
from threadmill.page.judge.tree_model import Forest, shipped_clean_model
from threadmill.page.parse.tree import parse

Result = TypeVar("Result")
TAGS = """
    div p span a br br img ul li table tr td pre b script style template svg noscript textarea select option
    button hr form h1 h2 h3 blockquote figcaption my-el nav main article aside header footer section dialog
    details summary
"""
NAMES = """
    post postBody POSTbody content-main js-nav nav_item sidebar Footer comment2 a B çontent menu-Ünder x1y2
    entryTitle related cookieBANNER share \x01 main
"""
TEXTS = (
    "word", "two words", " ", "\n  ", "a&amp;b", "&nbsp;", "caf\xe9 \u2026", "x\n\ny", "1 < 2",
    "It costs $5 or 4 €, £3.", "Read more", "Read more", "All rights reserved.", "Contact us:",
    "The council voted on Tuesday evening to keep the old ferry running through the winter, after a debate "
    "that lasted for almost three hours and drew more than a hundred residents.",
    "ISTANBUL \u0130\u0131 \u03a3\u03c3\u03c2 \u00df", "\u6771\u4eac\u3002", "\U0001f600 emoji \U0001f600",
    "I I I I I I I I I I I I I I a a a a a a a a a of of of of the the the", "lone \ud83d half", "x" * 500,
    "copyright 2026 privacy terms login password search home forum reply posted by admin views share tweet",
    "12.05.2024 13:45", "Ünïcödé wörds \xb2\xb3 \u0660\u0661", "word " * 30,
)  # fmt: skip


def random_page(rnd: random.Random) -> str:
    html = rnd.choice(("", f"<title>{rnd.choice(TEXTS)}</title>"))
    for _ in range(rnd.randrange(3, 120)):
        chance, tag = rnd.random(), rnd.choice(TAGS.split())
        if chance < 0.45:
            attributes = "".join(
                f' {name}="{" ".join(rnd.choices(NAMES.split(), k=rnd.choice((0, 1, 2, 3, 60))))}"'
                for name in rnd.sample(
                    ("class", "id", "itemprop", "href", "style", "data-x"), rnd.randrange(4)
                )
            )
            role = rnd.choice(
                ("", "", "", " role=navigation", " role=main", " role=banner", " role=x", " hidden", " class")
            )
            html += f"<{tag}{attributes}{role}>"
        elif chance < 0.65:
            html += f"</{tag}>"
        else:
            html += rnd.choice(TEXTS) + rnd.choice(("", "<img src=i.png>", "<p>"))
    return html


def cut_pages(sources: Sequence[str]) -> list[CutPage]:
    trees = [parse(source, "https://example.org/forum/topic-1") for source in sources]
    return [CutPage(tree, cut_page(tree)) for tree in trees]


@pytest.fixture(scope="module")
def pages() -> list[CutPage]:
    rnd = random.Random(7)
    return cut_pages(
        [*(html for html, _ in quality_pages().values()), *(random_page(rnd) for _ in range(300))]
    )


def batches(pages: Sequence[CutPage], size: int) -> Iterator[Sequence[CutPage]]:
    filled = [page for page in pages if page.cutting.blocks]
    return (filled[i : i + size] for i in range(0, len(filled), size))


def by_python(call: Callable[..., Result], *arguments: Any) -> Result:
    """What the twins in Python give."""
    with python_only():
        return call(*arguments)


def both_tables(batch: Sequence[CutPage], known: model.CleanModel | None = None) -> tuple[Floats, Floats]:
    trained = known or shipped_clean_model()
    cuts = [page.cutting for page in batch]
    facts = [facts_of(page.tree, page.cutting, trained) for page in batch]
    compiled = native_features(cuts, facts, trained.word_weights)
    assert compiled is not None
    return compiled, features(PageBatch.of_cuts(cuts), facts, trained.word_weights).table()


@pytest.mark.parametrize("size", [1, 16])
def test_tables_and_scores_are_the_same(pages: list[CutPage], size: int) -> None:
    forest = shipped_clean_model().forest
    for batch in batches(pages, size):
        compiled, by_columns = both_tables(batch)
        assert compiled.dtype == by_columns.dtype
        assert np.array_equal(compiled, by_columns, equal_nan=True)
        scores, by_levels = forest.score(by_columns), by_python(forest.score, by_columns)
        assert scores.dtype == by_levels.dtype
        assert np.array_equal(scores, by_levels)


def site_says(text: str, path: str) -> bool | None:
    return (True, False, None)[(len(text) + len(path)) % 3]


@pytest.mark.parametrize("size", [1, 16])
@pytest.mark.parametrize("favour", list(Favour))
def test_verdicts_and_reasons_are_the_same(pages: list[CutPage], size: int, favour: Favour) -> None:
    for i, found in enumerate(batches(pages, size)):
        batch = [replace(page, framing=site_says) for page in found] if i % 3 == 0 else found
        languages = [text_language(page.cutting.blocks)[0] for page in batch]
        judged = judge_pages(batch, languages, favour)
        assert judged == by_python(judge_pages, batch, languages, favour)


def test_the_rows_that_verdicts_are_told_from_stand_where_features_put_them(pages: list[CutPage]) -> None:
    page = next(batches(pages, 1))[0]
    names = features(
        PageBatch.of_cuts([page.cutting]), [PageFacts()], shipped_clean_model().word_weights
    ).names
    assert {name: names[name] for name in TABLE_ROWS} == TABLE_ROWS


def test_the_longest_texts_are_the_same(pages: list[CutPage]) -> None:
    for page in pages:
        blocks = page.cutting.blocks
        assert longest_texts(blocks, 10) == by_python(longest_texts, blocks, 10)


def test_many_frames_around_and_beside_one_another() -> None:
    deep = "<div class=content>" * 20_000 + "text" + "</div>" * 20_000 + "more"
    wide = "".join(f"<x-{i}><p>{i % 7} €</p></x-{i}>" for i in range(20_000))
    sections = "<ul>" + "<li><b>a</b><section class=post>" * 300 + "<p>one of many words here</p>" * 5
    for batch in batches(cut_pages([deep, wide, sections, "one"]), 4):
        compiled, by_columns = both_tables(batch)
        assert np.array_equal(compiled, by_columns)


def test_long_texts_and_names() -> None:
    names, words, signs, wide = "post " * 100_000, "word " * 200_000, "€" * 1_000_000, "\U0001f600 " * 70_000
    long = f"<p class='{names}'>{words}</p><p>{signs}</p><p>{wide}"
    compiled, by_columns = both_tables(cut_pages([long]))
    assert np.array_equal(compiled, by_columns)


def test_small_weights_are_rounded_as_numpy_rounds_them(pages: list[CutPage]) -> None:
    """A stop word in the title loses digits of its weight, and sums of many depend on their order."""
    rnd = random.Random(3)
    shipped = shipped_clean_model()
    words, names = (
        {word: float(np.float32(rnd.uniform(-1, 1) * 10 ** rnd.uniform(-9, 0))) for word in known}
        for known in (shipped.word_weights.words, shipped.word_weights.names)
    )
    words |= dict.fromkeys(("word", "the", "of", "i", "a"), 1.2345678e-7)
    odd = replace(shipped, word_weights=WordWeights(names, words))
    for batch in batches(pages, 16):
        compiled, by_columns = both_tables(batch, odd)
        assert np.array_equal(compiled, by_columns)


@pytest.mark.parametrize(("trees", "depth"), [(1, 1), (7, 2), (5, 3), (9, 4), (3, 6), (2, 8)])
def test_forests_of_other_depths(trees: int, depth: int) -> None:
    draw = np.random.default_rng(trees)
    forest = Forest(
        draw.integers(0, 6, (trees, depth)),
        draw.normal(size=(trees, depth)).astype(np.float32).round(1),
        draw.normal(size=(trees, 2**depth)).astype(np.float32),
        0.1,
    )
    for count in (1, 15, 16, 255, 256, 257, 1000):
        rows = draw.normal(size=(6, count)).astype(np.float32).round(1)
        rows[0, 0] = np.nan
        assert np.array_equal(forest.score(rows), by_python(forest.score, rows))


def broken(change: Callable[[Cut], None]) -> Cut:
    cut = cut_pages(["<div><p>one</p><p>two</p></div>"])[0].cutting
    change(cut)
    return cut


def move_parent(cut: Cut) -> None:
    cut.parents[1] = 3


def move_end(cut: Cut) -> None:
    cut.ends[0] = 99


def move_shape(cut: Cut) -> None:
    cut.shapes[0] = 99


def move_block(cut: Cut) -> None:
    cut.blocks[0].frame = 99


def lose_element(cut: Cut) -> None:
    cut.elements.pop()


@pytest.mark.parametrize("change", [move_parent, move_end, move_shape, move_block, lose_element])
def test_what_is_beyond_a_page_is_not_read(change: Callable[[Cut], None]) -> None:
    with pytest.raises(ValueError, match=r"beyond its page|different numbers"):
        native_features([broken(change)], [PageFacts()], shipped_clean_model().word_weights)
