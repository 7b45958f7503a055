from datetime import UTC, datetime

import pytest

from threadmill.console.compare.tally import count_votes, wilson_interval
from threadmill.store.votes import Vote

AT = datetime(2026, 11, 17, tzinfo=UTC)


def test_the_interval_is_wilsons() -> None:
    # 8 of 10: 0.4902 to 0.9433 (Wilson 1927, as in any table)
    assert wilson_interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson_interval(0, 0) == (0.0, 1.0)
    low, high = wilson_interval(0, 20)
    assert low == 0.0
    assert 0.1 < high < 0.2


def test_equal_votes_count_for_nobody_and_agreement_is_by_pairs() -> None:
    ana = [(0, "ours"), (1, "equal"), (2, "ours")]
    votes = [Vote(page, "Ana", choice, 4.0, AT) for page, choice in ana]
    votes += [Vote(0, "Ben", "ours", 4.0, AT), Vote(1, "Ben", "other", 4.0, AT)]
    tally = count_votes(("other", "ours"), votes)
    best, worst = tally.scores
    assert (best.name, best.won, best.share) == ("ours", 3, 0.75)
    assert (worst.name, worst.won, worst.share) == ("other", 1, 0.25)
    assert (tally.votes, tally.equal, tally.pages, tally.agreement, tally.seconds) == (5, 1, 3, 0.5, 4.0)
    assert count_votes(("a", "b"), []).agreement is None
