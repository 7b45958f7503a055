"""Lists in boxes at the side of a page weigh less than the page's own."""

from datetime import UTC, datetime

import pytest

from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.read_page import extract_index
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord
from threadmill.forum.records.side_boxes import in_side_box
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _reading(side: str) -> PageAnalysis:
    rows = "".join(f'<li><a href="/t/{n}/">A question about pump {n}</a> ({n})</li>' for n in range(1, 4))
    recent = "".join(
        f'<li><a href="/t/9{n}/">What I found in shed {n}</a> {n} June 2020, 10:15</li>' for n in range(1, 6)
    )
    page = (
        f"<html><body><h1>Pumps</h1><ul>{rows}</ul><div class='{side}'><ol>{recent}</ol></div></body></html>"
    )
    return PageAnalysis(parse(page.encode(), "http://a.test/b/1/"), NOW)


def test_a_box_at_the_side_comes_after_the_list_of_the_page() -> None:
    assert [found.aside for found in _reading("page-sidebar").row_lists][:2] == [False, True]
    assert not any(found.aside for found in _reading("content").row_lists)
    assert not any(found.aside for found in _reading("no-sidebar").row_lists)


def test_a_counter_beside_the_title_is_read() -> None:
    boxed = _reading("sidebar")

    assert [row.replies for row in boxed.parsed_row_lists[0].rows] == [1, 2, 3]
    assert extract_index(boxed).rows or extract_index(boxed).boards


@pytest.mark.parametrize(
    ("box", "inside"),
    [
        ("<aside>#</aside>", True),
        ('<div role="complementary">#</div>', True),
        ('<div id="right-rail">#</div>', True),
        ('<div class="big widgets">#</div>', True),
        ('<div class="with-sidebar">#</div>', False),
        ('<div class="sidebar-left-out">#</div>', False),
        ("<aside><h1>Pumps</h1>#</aside>", False),
        ("<div>#</div>", False),
    ],
)
def test_a_box_is_known_by_its_tag_role_or_name(box: str, inside: bool) -> None:
    links = "".join(f'<p><a href="/t/{n}">Pump {n}</a></p>' for n in range(3))
    page = f"<html><body><p>{'words ' * 50}</p>{box.replace('#', links)}</body></html>"
    outline = PageOutline(parse(page.encode(), "http://a.test/"))
    anchors = [index for index, href in enumerate(outline.hrefs) if href]
    records = [PageRecord(index, (outline.parent[index],)) for index in anchors]
    assert in_side_box(outline, records) is inside


def test_a_box_with_most_of_the_text_is_the_page_and_half_of_the_records_are_not_enough() -> None:
    links = "".join(f'<p><a href="/t/{n}">Pump {n}</a></p>' for n in range(2))
    whole = PageOutline(parse(f"<html><body><aside>{links}</aside></body></html>".encode(), "http://a.test/"))
    records = [PageRecord(i, (whole.parent[i],)) for i, href in enumerate(whole.hrefs) if href]
    assert not in_side_box(whole, records)
    page = f"<html><body>{links}<aside>{links}</aside>{links[:-4]}</body></html>"
    outline = PageOutline(parse(page.encode(), "http://a.test/"))
    records = [PageRecord(i, (outline.parent[i],)) for i, href in enumerate(outline.hrefs) if href]
    assert not in_side_box(outline, records[:4])
    assert in_side_box(outline, records[1:4])
