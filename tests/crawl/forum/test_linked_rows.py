"""Which of several rows speaks for a thread."""

from datetime import date

from threadmill.crawl.forum.knowledge import LayoutKnowledge
from threadmill.crawl.forum.linked_rows import _rows_by_name
from threadmill.forum.site_model.model import ForumModel
from threadmill.types import Moment, Precision, ThreadRow

URL = "https://f.example/t/209/"


def test_a_row_with_a_counter_goes_before_a_box_with_a_date() -> None:
    box = ThreadRow(URL, "T", active=Moment(date(2016, 11, 30), None, None, Precision.DAY))
    row = ThreadRow(URL, "T", replies=31)
    layout = LayoutKnowledge(ForumModel("https://f.example/"))
    for rows in ([box, row], [row, box]):
        assert list(_rows_by_name(rows, layout, "thread").values()) == [row]
