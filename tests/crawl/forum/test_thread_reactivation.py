"""How likely a silent thread was answered, by the past of a forum."""

import pytest

from threadmill.crawl.forum.thread_reactivation import learn_rates

LIVELY = [[float(day) for day in range(begun, 360, 15)] for begun in range(0, 100, 5)]  # twice a month
DEAD = [[float(begun), begun + 1.0] for begun in range(0, 300, 5)]  # one answer on the next day


def test_threads_that_were_never_silent_long_are_likely_answered_and_dead_ones_are_not() -> None:
    revival = learn_rates(LIVELY + DEAD, until=360, span=30)
    assert revival is not None
    assert revival.probability(silence=3, days=30) > 0.6
    assert revival.probability(silence=120, days=30) < 0.05


def test_the_longer_nobody_looked_the_likelier_there_is_something() -> None:
    waking = [[float(begun), begun + 100.0] for begun in range(0, 250, 2)]
    revival = learn_rates(waking, until=360, span=30)
    assert revival is not None
    chances = [revival.probability(silence=60, days=days) for days in (0, 10, 30, 90)]
    assert chances[0] == 0
    assert chances == sorted(chances)
    assert chances[-1] > 2 * chances[1]


@pytest.mark.parametrize("span", [30.0, 0.0])
def test_a_forum_without_a_past_tells_nothing(span: float) -> None:
    assert learn_rates([[350.0, 352.0]], until=360, span=span) is None
