"""The imitated engines answer: each page that the truth knows is drawn under its own URL."""

from __future__ import annotations

import pytest

from bench.imitations import open_imitation, read_engines
from threadmill.lab.judge.truth import all_pages
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.respond import respond
from threadmill.lab.simulate.url_keys import url_key

DATE = "2016-03-01"


@pytest.mark.parametrize("name", read_engines())
def test_an_imitated_engine_answers_every_url_of_the_truth(name: str) -> None:
    forum = open_imitation(name, 60)
    pages = all_pages(forum, DATE)
    assert {page.kind for page in pages} >= {"thread"}
    for page in pages:
        answer = respond(forum, page.key, as_unix_time(DATE), {"host": "forum.example"})
        assert answer.status == 200
        assert url_key(answer.page) == page.key
