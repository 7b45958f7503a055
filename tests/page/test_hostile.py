import subprocess
import sys
import time

import pytest

from tests.hostile import CONTENT, GENERATORS
from tests.implementations import SANITIZED
from threadmill.page.clean import clean
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings
from threadmill.types import Page

# pages that are given another encoding than they are in, or where nothing after the damage can be told apart
UNREADABLE = {"plaintext"}


def timed(page: bytes) -> tuple[float, Page]:
    """CPU seconds of a reading, and the reading; without the tracing of coverage, which doubles the time."""
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        start = time.process_time()
        read = clean(page, "https://example.org/page")
        return time.process_time() - start, read
    finally:
        sys.settrace(tracer)


def test_there_are_87_hostile_pages() -> None:
    assert len(GENERATORS) == 87


@pytest.mark.parametrize("name", GENERATORS)
def test_a_hostile_page_is_read_soon_and_its_text_survives(name: str) -> None:
    page = GENERATORS[name]()
    # a bound of 2 s on a free core; CPU time, and the better of two tries where a busy machine slows one
    seconds, read = timed(page)
    limit = 2 if not SANITIZED else 20
    assert seconds < limit or timed(page)[0] < limit
    assert CONTENT in "\n".join(paragraph.text for paragraph in read.paragraphs)
    if name not in UNREADABLE:
        assert CONTENT in read.text


@pytest.mark.parametrize("name", list(GENERATORS)[::6])
def test_a_hostile_page_passes_justext_mode(name: str) -> None:
    settings = CleanSettings(method=CleanMethod.JUSTEXT, stop_words="none")
    assert any(CONTENT[:80] in p.text for p in clean(GENERATORS[name](), None, settings).paragraphs)


# VmHWM, not ru_maxrss: the latter begins with what the parent had when it forked.
MEASURE = """
import sys
from pathlib import Path
from tests.hostile import GENERATORS
from threadmill.page.clean import clean
clean(GENERATORS[sys.argv[1]](), "https://example.org/")
status = Path("/proc/self/status").read_text()
print(int(status.partition("VmHWM:")[2].split()[0]) // 1000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.skipif(SANITIZED, reason="a sanitized build takes more memory by its nature")
@pytest.mark.parametrize(
    "name", ["one line of 10 MB", "60,000 short paragraphs", "60,000 links", "1 MB of noise"]
)
def test_a_hostile_page_takes_less_than_300_megabytes(name: str) -> None:
    found = subprocess.run([sys.executable, "-c", MEASURE, name], capture_output=True, text=True, check=True)
    assert int(found.stdout) < 300
