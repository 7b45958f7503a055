import resource
import sys
import time

import pytest

from tests.hostile import CONTENT, GENERATORS, MB
from threadmill import clean
from threadmill.page.settings import CleanSettings, Method

# pages that are given another encoding than they are in, or where nothing after the damage can be told apart
UNREADABLE = {"plaintext"}


def memory() -> float:
    """The most megabytes this process ever took; Linux counts in kB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1000 if sys.platform != "darwin" else peak / MB


def test_there_are_87_hostile_pages() -> None:
    assert len(GENERATORS) == 87


@pytest.mark.parametrize("name", GENERATORS)
def test_a_hostile_page_is_read_soon_and_its_text_survives(name: str) -> None:
    page = GENERATORS[name]()
    start = time.process_time()
    read = clean(page, "https://example.org/page")
    # a bound of 2 s on a free core; CPU time, so that a busy machine does not fail the test
    assert time.process_time() - start < 2
    assert CONTENT in "\n".join(paragraph.text for paragraph in read.paragraphs)
    if name not in UNREADABLE:
        assert CONTENT in read.text


@pytest.mark.parametrize("name", GENERATORS)
def test_a_hostile_page_passes_justext_mode(name: str) -> None:
    settings = CleanSettings(method=Method.JUSTEXT, stop_words="none")
    assert any(CONTENT[:80] in p.text for p in clean(GENERATORS[name](), None, settings).paragraphs)
