"""How likely a silent thread was answered, by the past of a forum."""

import math

import pytest

from threadmill.crawl.forum.rows.thread_reactivation import ReactivationRates, learn_rates

LIVELY = [[float(day) for day in range(begun, 360, 15)] for begun in range(0, 100, 5)]  # twice a month
DEAD = [[float(begun), begun + 1.0] for begun in range(0, 300, 5)]  # one answer on the next day


def test_threads_that_were_never_silent_long_are_likely_answered_and_dead_ones_are_not() -> None:
    rates = learn_rates(LIVELY + DEAD, until=360, span=30)
    assert rates is not None
    assert rates.probability(silence=3, days=30) > 0.6
    assert rates.probability(silence=120, days=30) < 0.05


def test_the_longer_nobody_looked_the_likelier_there_is_something() -> None:
    waking = [[float(begun), begun + 100.0] for begun in range(0, 250, 2)]
    rates = learn_rates(waking, until=360, span=30)
    assert rates is not None
    chances = [rates.probability(silence=60, days=days) for days in (0, 10, 30, 90)]
    assert chances[0] == 0
    assert chances == sorted(chances)
    assert chances[-1] > 2 * chances[1]


def test_what_never_happened_may_happen() -> None:
    """No thread was ever answered late: the chance was zero, and the first such answer was missed."""
    rates = learn_rates(DEAD, until=360, span=30)
    assert rates is not None
    assert 0 < rates.probability(silence=120, days=30) < 0.01


def test_the_less_is_known_of_the_past_the_likelier_is_an_answer() -> None:
    """A forum of a year with 24 threads had no rates, and old threads of it were never looked at."""
    found = [learn_rates(DEAD[:size], until=360, span=30) for size in (0, 1, 24)]
    chances = [rates.probability(silence=120, days=30) for rates in found if rates]
    assert len(chances) == 3
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > 0.4
    assert learn_rates(DEAD, until=360, span=0.0) is None


RATES = ReactivationRates(30.0, (0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02))


@pytest.mark.parametrize(
    ("silence", "days", "probability"),
    [
        (0, 30, 0.5),
        (0, 0, 0.0),
        (0, 15, 1 - 0.5**0.5),
        (7.49, 30, 0.5),
        (7.5, 30, 0.4),  # the first bin ends after a quarter of the span
        (22.5, 30, 0.3),
        (5000, 30, 0.02),
        (-3, 30, 0.5),
        (0, 60, 1 - 0.5 * (1 - 0.3)),  # after 30 days the silence has grown to 30 days
        (0, 45, 1 - 0.5 * (1 - 0.3) ** 0.5),
    ],
)
def test_the_probability_of_a_post_grows_with_the_days_and_falls_with_the_silence(
    silence: float, days: float, probability: float
) -> None:
    assert RATES.probability(silence, days) == pytest.approx(probability)


def test_rates_are_shares_of_answered_threads_drawn_to_the_mean_of_the_forum() -> None:
    """One post every other day, looks every day: half of the looks see a new post."""
    threads = [[float(day) for day in range(0, 41, 2)], [float(day) for day in range(1, 41, 2)]]
    rates = learn_rates(threads, until=40.0, span=1.0)
    assert rates is not None
    assert rates.span == 1.0
    # Silent for 0 days: 24 threads, none answered on the next day; for 1 day: 24 threads, all answered.
    assert rates.shares[0] == pytest.approx((0 + 2 * 0.5) / (24 + 2))
    assert rates.shares[2] == pytest.approx((24 + 2 * 0.5) / (24 + 2))
    assert rates.shares[6] == pytest.approx(0.5)


def test_only_the_last_24_looks_count() -> None:
    for until in (24.0, 100.0):
        rates = learn_rates([[-1.0]], until=until, span=1.0)
        assert rates is not None
        mean = 0.5 / (24 + 1)
        assert sum(rates.shares) == pytest.approx(sum(2 * mean / (n + 2) for n in _silences(until)))


def _silences(until: float) -> list[int]:
    """How many of the last 24 looks at a thread with one post fall in each bin of silence."""
    bins = [0] * 7
    for look in range(1, 25):
        bins[min(6, int(math.log2(1 + 4 * (until - look + 1.0))))] += 1
    return bins
