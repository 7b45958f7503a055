import numpy as np

from threadmill.page.blocks.cutting import cut
from threadmill.page.judge.page_batch import PageBatch, exact, running
from threadmill.page.parse.tree import parse


def batch(*pages: str) -> PageBatch:
    return PageBatch.of_cuts([cut(parse(page).document) for page in pages])


ONE, TWO = "<div><p>a<p>b</div><p>c", "<ul><li>d<li>e</ul>"


def test_pages_are_laid_end_to_end_and_can_be_told_apart() -> None:
    both = batch(ONE, TWO)
    assert both.texts == ["a", "b", "c", "d", "e"]
    assert both.page.tolist() == [0, 0, 0, 1, 1]
    assert both.index().tolist() == [0, 1, 2, 0, 1]
    assert list(both.by_page(both.texts)) == [["a", "b", "c"], ["d", "e"]]


def test_sums_and_maxima_are_those_of_each_page() -> None:
    both = batch(ONE, TWO)
    values = np.array([1.0, 5.0, 2.0, 4.0, 3.0])
    assert both.sums(values).tolist() == [8.0, 7.0]
    assert both.most(values).tolist() == [5.0, 4.0]


def test_a_page_gives_the_same_frames_alone_and_behind_another() -> None:
    alone, both = batch(TWO), batch(ONE, TWO)
    frames, blocks = int(both.first_frames[1]), int(both.firsts[1])
    assert (both.of[both.page == 1] - frames).tolist() == alone.of.tolist()
    assert (both.around[frames:] - frames).tolist() == alone.around.tolist()
    assert (both.starts[frames:] - blocks).tolist() == alone.starts.tolist()
    assert (both.ends[frames:] - blocks).tolist() == alone.ends.tolist()
    assert [both.tags[shape] for shape in both.shapes[frames:]] == [alone.tags[s] for s in alone.shapes]


def test_the_last_frame_of_a_page_is_the_page_itself() -> None:
    alone = batch(ONE)
    last = len(alone.around) - 1
    assert alone.around[last] == last
    assert (alone.starts[last], alone.ends[last]) == (0, 3)
    assert not alone.filled[last]


def test_rounded_values_have_the_same_sum_in_any_order() -> None:
    values = exact(np.random.default_rng(1).random(5000))
    assert running(values)[-1] == running(values[::-1])[-1]
    assert running(np.array([1.0, 2.0, 4.0])).tolist() == [0.0, 1.0, 3.0, 7.0]
