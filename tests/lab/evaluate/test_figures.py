import json

import pytest

from threadmill.lab.evaluate.figures import CrawlExperiment, CrawlFigures, add_figures

ONE = CrawlFigures(
    pages=10, new=6, semi=3, duplicate=1, bytes=1000, news_bytes=900, least_thread=4, covered=3
)
TWO = CrawlFigures(
    pages=10, new=10, bytes=1000, news_bytes=1000, least_thread=4, covered=4, least=8, skeleton=50
)


def test_ratios_are_of_the_sums() -> None:
    both = add_figures([ONE, TWO])
    assert both.precision == pytest.approx(0.95)
    assert both.recall == pytest.approx(7 / 8)
    assert both.bandwidth == pytest.approx(0.95)
    assert both.f == pytest.approx(2 * 0.95 * 0.875 / (0.95 + 0.875))


def test_nothing_to_divide_by_is_no_figure() -> None:
    assert CrawlFigures().precision is None
    assert CrawlFigures().f is None
    assert CrawlFigures(bytes=5).bandwidth is None


def test_the_first_crawl_stands_apart_from_the_later_ones() -> None:
    experiment = CrawlExperiment("x", {"a": ONE, "b": TWO, "c": TWO})
    assert experiment.first is ONE
    assert experiment.later.pages == 20
    assert CrawlExperiment.from_json(json.loads(json.dumps(experiment.to_json()))) == experiment
