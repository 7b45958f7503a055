from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.errors import UsageError
from threadmill.sites.decide.cosine_join import join_by_cosine
from threadmill.sites.decide.sparse_vectors import Vectors, make_vectors

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
