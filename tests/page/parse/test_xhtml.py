import time

import pytest

from threadmill.page.parse.tree import parse
from threadmill.page.parse.xhtml import as_html


def test_an_iframe_closed_as_xml_does_not_swallow_the_page() -> None:
    page = b'<html><body><iframe src="x"/><i class="icon"/><p>All of it.</p></body></html>'
    assert "All of it." in parse(page).document.select_one("p").text  # type: ignore[union-attr]


@pytest.mark.parametrize("page", [b"<p>a<br/>b<img src='x'/></p>", b"<script src='x'></script><p/>", b""])
def test_html_is_left_alone(page: bytes) -> None:
    assert as_html(page) == page


@pytest.mark.parametrize(
    "piece", [b'<iframe "', b"<iframe ", b"<script a='", b"<iframe / ", b'<i/><iframe x="y"/>']
)
def test_hostile_pages_are_read_in_linear_time(piece: bytes) -> None:
    started = time.process_time()
    as_html(piece * 50_000)
    assert time.process_time() - started < 2
