import gc
import weakref
from collections.abc import Iterator

import pytest

from threadmill.page.garbage_collection import without_garbage_collection


class Ring:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_the_collector_rests_and_goes_on() -> None:
    with without_garbage_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    with without_garbage_collection():
        pass
    assert not gc.isenabled()


def test_what_was_made_meanwhile_is_not_searched_at_once() -> None:
    rings = []
    with without_garbage_collection():
        rings = [Ring() for _ in range(5_000)]
    assert gc.get_count()[0] < 700
    assert len(rings) == 5_000


def test_what_somebody_froze_stays_frozen() -> None:
    gc.freeze()
    with without_garbage_collection():
        pass
    assert gc.get_freeze_count() > 0


def test_cycles_made_between_two_pages_are_found_in_time() -> None:
    lost = weakref.ref(Ring())
    assert lost() is not None
    for _ in range(4_000):  # some 1,700 pages, read in batches
        with without_garbage_collection():
            pass
    assert lost() is None
