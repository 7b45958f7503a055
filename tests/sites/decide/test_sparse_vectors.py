from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.errors import UsageError
from threadmill.sites.decide import sparse_vectors
from threadmill.sites.decide.sparse_vectors import (
    Vectors,
    join_by_cosine,
    list_vectors,
    make_vectors,
)

_ROWS = st.lists(
    st.dictionaries(st.integers(0, 11), st.floats(0.01, 10.0), max_size=9), min_size=0, max_size=14
)


def brute_force(vectors: Vectors, floor: float) -> dict[tuple[int, int], float]:
    pairs = {}
    for one in range(len(vectors)):
        for other in range(one + 1, len(vectors)):
            cosine = vectors.cosines(one, [other])[0]
            if cosine >= floor:
                pairs[one, other] = cosine
    return pairs


@settings(max_examples=300, deadline=None)
@given(_ROWS, st.sampled_from([0.05, 0.3, 0.5, 0.8, 0.99, 1.0]))
def test_the_join_finds_what_comparing_every_pair_finds(rows: list[dict[int, float]], floor: float) -> None:
    vectors = make_vectors(rows, 12)
    found = {(match.one, match.other): match.cosine for match in join_by_cosine(vectors, floor)}
    sure, possible = brute_force(vectors, floor + 1e-7), brute_force(vectors, floor - 1e-7)
    assert sure.keys() <= found.keys() <= possible.keys()
    for pair, cosine in found.items():
        assert cosine == pytest.approx(possible[pair], abs=1e-6)


def test_each_pair_comes_once_with_the_earlier_row_first() -> None:
    vectors = make_vectors([{0: 1.0}, {1: 1.0}, {0: 2.0}, {}, {0: 1.0, 1: 1.0}], 2)
    pairs = [(match.one, match.other) for match in join_by_cosine(vectors, 0.6)]
    assert sorted(pairs) == [(0, 2), (0, 4), (1, 4), (2, 4)]


def test_rows_without_terms_are_like_nothing() -> None:
    assert list(join_by_cosine(make_vectors([{}, {}, {}], 5), 0.1)) == []
    assert list(join_by_cosine(make_vectors([], 5), 0.1)) == []


@pytest.mark.parametrize("floor", [0.0, -0.1, 1.1])
def test_a_floor_that_is_no_cosine_is_refused(floor: float) -> None:
    with pytest.raises(UsageError, match="floor"):
        list(join_by_cosine(make_vectors([{0: 1.0}], 1), floor))


def test_a_thousand_rows_by_zipf_are_joined_exactly() -> None:
    chance = np.random.default_rng(3)
    rows = [
        {int(t): float(v) for t, v in zip(chance.zipf(1.3, 40) % 700, chance.random(40) + 0.1, strict=True)}
        for _ in range(300)
    ]
    vectors = make_vectors(rows, 700)
    found = {(match.one, match.other) for match in join_by_cosine(vectors, 0.4)}
    assert found == set(brute_force(vectors, 0.4))
    assert len(found) > 50


ROWS = st.lists(st.dictionaries(st.integers(0, 8), st.floats(0.01, 10.0), max_size=6), min_size=1, max_size=8)


def rows_of(vectors: Vectors) -> list[dict[int, float]]:
    return [
        dict(zip(*(part.tolist() for part in vectors.row(number)), strict=True))
        for number in range(len(vectors))
    ]


def dense_cosine(one: dict[int, float], other: dict[int, float]) -> float:
    product = sum(value * other.get(column, 0.0) for column, value in one.items())
    lengths = [math.sqrt(sum(value * value for value in row.values())) for row in (one, other)]
    return product / (lengths[0] * lengths[1]) if all(lengths) else 0.0


def test_rows_are_sorted_by_column_and_have_length_one() -> None:
    vectors = make_vectors([{5: 3.0, 1: 4.0}, {}, {2: 7.0}], 6)
    assert len(vectors) == 3
    assert rows_of(vectors) == [
        {1: pytest.approx(0.8), 5: pytest.approx(0.6)},
        {},
        {2: pytest.approx(1.0)},
    ]
    assert vectors.row(0)[0].tolist() == [1, 5]
    assert vectors.width == 6


def test_values_up_to_zero_are_left_out() -> None:
    assert rows_of(make_vectors([{0: 0.0, 1: 2.0, 2: -1.0}], 3)) == [{1: pytest.approx(1.0)}]


@given(ROWS)
def test_cosines_are_those_of_the_dense_vectors(rows: list[dict[int, float]]) -> None:
    vectors = make_vectors(rows, 9)
    others = list(range(len(rows)))[::-1]
    for one, row in enumerate(rows):
        expected = [dense_cosine(row, rows[other]) for other in others]
        assert vectors.cosines(one, others) == pytest.approx(expected, abs=1e-5)


def test_cosines_of_many_rows_are_the_same_in_several_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = make_vectors([{number % 5: 1.0, 5: 1.0} for number in range(11)], 6)
    whole = vectors.cosines(0, range(11))
    monkeypatch.setattr(sparse_vectors, "_PAIRS_AT_ONCE", 4)
    assert vectors.cosines(0, range(11)) == pytest.approx(whole)
    assert whole == pytest.approx([1.0, 0.5, 0.5, 0.5, 0.5] * 2 + [1.0])
    assert vectors.cosines(0, []) == []


def columns(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(numbers, np.int32)


def test_columns_that_fewer_sites_of_the_list_have_weigh_more() -> None:
    rows = rows_of(list_vectors([columns(0, 1), columns(0), columns(0)], 3, 2))
    # log(4 / 3) for the column of all three sites, log(4 / 1) for the other.
    assert rows[0][1] / rows[0][0] == pytest.approx(math.log(4) / math.log(4 / 3), rel=1e-5)


def test_a_list_without_columns_has_empty_rows() -> None:
    assert rows_of(list_vectors([columns(), columns()], 2, 0)) == [{}, {}]
    assert len(list_vectors([], 0, 0)) == 0
    assert list_vectors([], 0, 0).width == 1


def test_cosines_of_pairs_are_the_same_spread_out_and_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(5)
    rows = [{chance.randrange(40): chance.random() for _ in range(chance.randrange(12))} for _ in range(300)]
    vectors = make_vectors(rows, 60)
    ones, others = (np.array([chance.randrange(300) for _ in range(700)]) for _ in range(2))
    spread_out = vectors.cosines_of_pairs(ones, others)
    monkeypatch.setattr(sparse_vectors, "_DENSE_CELLS", 0)
    assert spread_out.any()
    assert (spread_out == vectors.cosines_of_pairs(ones, others)).all()
