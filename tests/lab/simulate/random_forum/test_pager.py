"""Whatever pager a forum draws, the second page of a long list is linked from the first."""

from html import unescape

import pytest

from threadmill.lab.judge.truth import all_pages
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.random_forum.choices import options_of
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum
from threadmill.lab.simulate.respond import respond

DATE = "2016-06-01"


@pytest.mark.parametrize("pager", list(options_of("pager")))
def test_a_long_thread_links_its_second_page(pager: str) -> None:
    fixed = {"shape": "flat", "urls": "query", "ids": "number", "paging": "page", "page_size": "tiny"}
    forum = open_random_forum(3, pager=pager, **fixed)
    second = [page.key for page in all_pages(forum, DATE) if page.kind == "thread" and "page=2" in page.key]
    assert second
    first = second[0].replace("&page=2", "").replace("page=2&", "")
    answer = respond(forum, first, as_unix_time(DATE), {"Host": "forum.test"})
    html = unescape(answer.body.decode(forum.layout.charset))
    assert "page=2" in html
