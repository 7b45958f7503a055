from __future__ import annotations

import statistics

from hypothesis import given
from hypothesis import strategies as st

from threadmill.lab.simulate.content.seeded_random import (
    draw_normal,
    draw_one,
    pick_one,
    random_fraction,
    random_stream,
)


def test_a_name_always_gives_the_same_numbers() -> None:
    # Fixed values: simulated forums must not change between versions.
    assert random_fraction("harbour", "edit", 7) == 0.433262592790713
    assert random_stream("harbour", "boards").random() == 0.06740197895355704


@given(st.text(max_size=5), st.integers(0, 5))
def test_fractions_are_from_0_to_below_1_and_differ_by_name(name: str, number: int) -> None:
    fraction = random_fraction(name, number)
    assert 0 <= fraction < 1
    assert fraction == random_fraction(name, number)
    assert fraction != random_fraction(name, number + 1)


def test_every_option_is_picked_about_equally_often() -> None:
    options = "abcd"
    picked = [pick_one(options, "name", n) for n in range(4000)]
    source = random_stream("draws")
    drawn = [draw_one(options, source) for _ in range(4000)]
    for found in (picked, drawn):
        assert all(900 < found.count(option) < 1100 for option in options)


def test_normal_numbers_have_mean_0_and_deviation_1() -> None:
    source = random_stream("normal")
    numbers = [draw_normal(source) for _ in range(4000)]
    assert abs(statistics.mean(numbers)) < 0.06
    assert abs(statistics.stdev(numbers) - 1) < 0.05
