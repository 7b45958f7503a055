"""How a page of a thread is read that its wrapper does not fit."""

from datetime import UTC, datetime

import pytest

from threadmill.crawl.forum.knowledge import FIT, ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.thread_visit import read_thread_page
from threadmill.forum.read_page import PageAnalysis
from threadmill.forum.site_model.model import ForumModel
from threadmill.forum.site_model.wrapper import Wrapper
from threadmill.page.parse.tree import parse

WORDS = "We took the pump apart on Monday. The seal was worn, and the shaft had a mark on one side."
PAGE = f"""<title>Old pump - Forum</title><h1>Old pump</h1><div><b>alan</b> 3 May 2025, 10:15
<p>{WORDS}</p></div>"""


@pytest.mark.parametrize(("title", "posts"), [("Old pump", 1), ("Old pu…", 1), ("A red boat", 0)])
def test_a_page_of_another_layout_is_a_thread_if_it_shows_the_title_of_its_row(
    title: str, posts: int
) -> None:
    wrapper = Wrapper((), authors=(), dates=(), links=(), ids=())
    layout = LayoutKnowledge(ForumModel("https://f.example/", wrapper=wrapper))
    layout.fits.add(FIT)
    tree = parse(PAGE, "https://f.example/t/1")
    analysis = PageAnalysis(tree, datetime(2026, 1, 1, tzinfo=UTC))
    assert len(read_thread_page(analysis, ForumKnowledge(layout), title).posts) == posts


def _line(number: int, target: str) -> str:
    return (
        f"<div><a href='{target}'>Re: Old pump {number}</a> <a href='/u/alan' class=author>alan</a>"
        f" <time datetime='2025-05-0{number}T10:15:00Z'>0{number}.05.2025 10:15</time></div>"
    )


@pytest.mark.parametrize(
    ("target", "posts"), [("/m/{}", 0), ("/t/1#p{}", 3)], ids=["other pages", "places of this page"]
)
def test_lines_that_lead_to_pages_of_their_own_are_no_posts(target: str, posts: int) -> None:
    body = "".join(_line(number, target.format(number)) for number in (1, 2, 3))
    tree = parse(f"<title>Old pump</title><h1>Old pump</h1><div>{body}</div>", "https://f.example/t/1")
    analysis = PageAnalysis(tree, datetime(2026, 1, 1, tzinfo=UTC))
    knowledge = ForumKnowledge(LayoutKnowledge(ForumModel("https://f.example/")))
    assert len(read_thread_page(analysis, knowledge, "Old pump").posts) == posts
