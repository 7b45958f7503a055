from pathlib import Path

import numpy as np
import pytest

from threadmill.page.judge.block_evidence import WordWeights
from threadmill.page.judge.tree_model import (
    CleanModel,
    Forest,
    KindModel,
    load_clean_model,
    page_signs,
)
from threadmill.page.parse.tree import parse

FOREST = {
    "oblivious_trees": [
        {"splits": [{"float_feature_index": 1, "border": 0.5}], "leaf_values": [-1.0, 2.0]},
        {
            "splits": [
                {"float_feature_index": 0, "border": 3.0},
                {"float_feature_index": 1, "border": 0.5},
            ],
            "leaf_values": [0.0, 0.25, 0.5, 1.0],
        },
    ],
    "scale_and_bias": [2.0, [0.5]],
}
KINDS = KindModel({"path:forum": np.array([0.0, 4.0], np.float32)}, np.array([1.0, 0.0], np.float32))


def model() -> CleanModel:
    return CleanModel.of_catboost(WordWeights({"menu": -1.0}, {"the": 0.5}), KINDS, FOREST)


def test_a_forest_adds_the_answers_of_its_trees() -> None:
    table = np.array([[4.0, 4.0, 3.0, 3.0], [1.0, 0.5, 1.0, 0.0]], np.float32)  # a column per block
    expected = [2 * (2.0 + 1.0) + 0.5, 2 * (-1.0 + 0.25) + 0.5, 2 * (2.0 + 0.5) + 0.5, 2 * -1.0 + 0.5]
    forest = model().forest
    assert forest.score(table).tolist() == pytest.approx(expected)
    assert forest._score(table).tolist() == forest.score(table).tolist()


def test_many_blocks_score_as_one_by_one() -> None:
    table = np.random.default_rng(2).random((2, 600), np.float32) * 6
    forest: Forest = model().forest
    single = [float(forest.score(table[:, i : i + 1])[0]) for i in range(0, 600, 97)]
    assert forest.score(table)[::97].tolist() == single


def test_a_model_is_read_as_it_was_saved(tmp_path: Path) -> None:
    before = model()
    before.save(tmp_path / "model.npz")
    after = load_clean_model(tmp_path / "model.npz")
    table = np.array([[4.0, 1.0], [1.0, 0.0]], np.float32)
    assert after.word_weights == before.word_weights
    assert after.forest.score(table).tolist() == before.forest.score(table).tolist()
    assert after.kinds.log_odds(("path:forum",)).tolist() == KINDS.log_odds(("path:forum",)).tolist()


def test_signs_change_which_kind_is_likely_and_unknown_ones_do_not() -> None:
    alone, forum = KINDS.log_odds(()), KINDS.log_odds(("path:forum", "path:unknown"))
    assert alone[0] > alone[1]
    assert forum[1] > forum[0]
    assert np.exp(alone).sum() == pytest.approx(1.0)
    assert KINDS.log_odds(("path:unknown",)).tolist() == alone.tolist()


def test_signs_come_from_the_address_the_head_the_body_and_schema_types() -> None:
    page = parse(
        '<meta property="og:type" content="article">'
        '<script type="application/ld+json">{"@type": "NewsArticle"}</script>'
        '<body class="single-post"><div itemtype="http://schema.org/Person">'
    )
    signs = page_signs(page.document, "https://forum.example.org/a/viewtopic.php?t=1")
    assert {"depth:2", "host:forum", "meta:article", "schema:newsarticle", "schema:person"} <= set(signs)
    assert any(sign.startswith("body:") for sign in signs)
    assert len(signs) == len(set(signs))
    assert "depth:0" in page_signs(page.document, "https://example.org/")
    assert not any(sign.startswith("depth") for sign in page_signs(page.document, "http://["))
