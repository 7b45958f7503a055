"""The bench of blinded readers: a fault lasts as long as its context, and what it loses is told."""

import pytest

from bench import blinded_reader
from bench.blinded_reader import FAULTS, BlindCrawl, crawl_blinded, figure_of, judge, print_table
from threadmill.crawl.forum import forum_loop, index_visit

DATE = "2016-03-01"
SEED = 5040004


READERS = (
    (forum_loop, "read_thread_page"),
    (index_visit, "extract_index"),
    (index_visit, "find_linked_rows"),
)


def _readers() -> list[object]:
    return [getattr(module, name) for module, name in READERS]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_changes_one_reader_and_restores_it(fault: str) -> None:
    before = _readers()
    with FAULTS[fault]():
        changed = [one is not other for one, other in zip(before, _readers(), strict=True)]
    assert changed.count(True) == 1
    assert _readers() == before


def test_a_blinded_crawl_loses_posts_and_tells_so() -> None:
    (crawl,) = crawl_blinded(SEED, "fifth", [DATE])
    assert crawl.share < 0.9
    assert crawl.outcome == blinded_reader.TOLD


def test_only_complete_with_posts_missing_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = (("complete", 0.9), ("complete", 0.99), ("unknown", 0.9), ("incomplete", 0.9))
    crawls = [BlindCrawl("rows", SEED, DATE, judge(*pair), pair[1]) for pair in pairs]
    print_table(crawls)
    assert capsys.readouterr().out.splitlines()[1].split() == ["rows", "1", "1", "1", "1", "0"]
    assert figure_of(crawls, 1).value == 1
