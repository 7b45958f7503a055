from datetime import UTC, datetime

import pytest

from threadmill.crawl.forum.page_requests import site_time
from threadmill.types import Capture

OURS = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "moment"),
    [
        ("Fri, 31 Jan 2025 23:00:05 GMT", datetime(2025, 1, 31, 23, 0, 5, tzinfo=UTC)),
        ("Fri, 31 Jan 2025 23:00:05 +0100", datetime(2025, 1, 31, 22, 0, 5, tzinfo=UTC)),
        ("Fri, 31 Jan 2025 23:00:05 -0000", datetime(2025, 1, 31, 23, 0, 5, tzinfo=UTC)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", OURS),
        ("now", OURS),
        ("", OURS),
    ],
)
def test_the_time_at_the_site_is_what_its_date_header_says_if_that_makes_sense(
    said: str, moment: datetime
) -> None:
    capture = Capture("https://f.example/", OURS, 200, (("Date", said),), b"", "http")
    assert site_time(capture) == moment
