"""Floors under the figures of the held-out set (all of them: python -m bench.dates_quality)."""

import pytest

from bench.dates_quality import BARS, measure


@pytest.mark.quality
def test_no_figure_of_the_held_out_set_falls_under_its_bar() -> None:
    figures, report = measure(seed=4, per_language=30, columns=300)
    missed = {
        name: figures[name]
        for name, bar in BARS.items()
        if (figures[name] > -bar if bar < 0 else figures[name] < bar)
    }
    assert missed == {}, dict(report.misses)
