from dataclasses import replace
from datetime import UTC, datetime

import pytest

from threadmill.forum.posts.post_columns import find_post_columns
from threadmill.forum.posts.read_posts import read_columns
from threadmill.forum.read_page import PageAnalysis, extract_thread
from threadmill.forum.records.record_table import PageRecord, RecordTable
from threadmill.forum.site_model.learn_wrapper import learn_wrapper
from threadmill.lab.judge.truth import all_pages, true_posts
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum
from threadmill.lab.simulate.respond import respond
from threadmill.page.parse.tree import parse

DATE = "2016-03-01"
WHEN = datetime.fromtimestamp(as_unix_time(DATE), UTC)


@pytest.mark.parametrize(
    ("seed", "shape", "markup"),
    [
        (21, "questions", "tables without classes"),
        (16, "questions", "tables"),
        (57, "questions", "several rows a post"),
        (3000200, "nested", "elements without classes inside one another"),
    ],
)
def test_posts_inside_posts_and_alone_in_their_box_are_found(seed: int, shape: str, markup: str) -> None:
    forum = open_random_forum(seed, shape=shape)
    truth = {post.post: post.text for post in true_posts(forum, DATE)}
    pages = [page for page in all_pages(forum, DATE) if page.kind == "thread"][::3][:16]
    analyses = [
        PageAnalysis(
            parse(respond(forum, page.key, as_unix_time(DATE), {"host": "forum.example"}).body), WHEN
        )
        for page in pages
    ]
    found = [analysis for analysis in analyses if analysis.found_posts and analysis.found_posts.sure]
    wrapper = learn_wrapper(
        read_columns(analysis.found_posts.table, analysis.splits, WHEN)
        for analysis in found
        if analysis.found_posts
    )
    assert wrapper, markup
    for page, analysis in zip(pages, analyses, strict=True):
        read = [_letters(post.text) for post in extract_thread(analysis, wrapper).posts]
        assert sorted(read) == sorted(_letters(truth[number]) for number in page.items), (markup, page.key)


def test_days_that_few_posts_speak_of_are_no_dates() -> None:
    """On a site without dates, a page whose first post speaks of a day may be read as if it were its date."""
    analyses = [PageAnalysis(parse(_dateless_page(page)), WHEN) for page in range(6)]
    pages = []
    for analysis in analyses:
        assert analysis.found_posts
        table, columns = read_columns(analysis.found_posts.table, analysis.splits, WHEN)
        pages.append((table, replace(columns, dates=dict(enumerate(analysis.dates)))))
    wrapper = learn_wrapper(pages)
    assert wrapper
    assert not wrapper.dates
    posts = [post for analysis in analyses for post in extract_thread(analysis, wrapper).posts]
    assert [(post.author, post.date) for post in posts[4:6]] == [("Anna0", None), ("Bert1", None)]


def _dateless_page(page: int) -> str:
    """A thread of four posts. One of them on every other page tells a day."""
    day = "<p>Faturaya göre 30.3.2011 tarihinde bakım görmüş.</p>" if page % 2 else ""
    posts = (
        f'<article><div class="user"><h3 class="name">{name}{place}</h3></div><div class="body">'
        f"<p>It took me {place + page + 2} evenings and two broken screws to find out.</p>"
        f"<p>Have you looked whether the seal number {place * 7 + page} is the old one?</p>"
        f"{day if place == 0 else ''}</div></article><hr>"
        for place, name in enumerate(("Anna", "Bert", "Cleo", "Dora"))
    )
    return (
        f"<html><body><div class='all'><h1>Noise {page}</h1><div>{''.join(posts)}</div></div></body></html>"
    )


def test_a_bar_of_buttons_above_first_posts_is_no_part_of_them() -> None:
    """Cutting took the bar into the first posts. On long threads a pager stands between them."""
    pages = []
    for page in range(6):
        analysis = PageAnalysis(parse(_page_with_bar(page, "")), WHEN)
        assert analysis.found_posts
        table, columns = read_columns(analysis.found_posts.table, analysis.splits, WHEN)
        box = table.outline.names.index("ol.posts")
        bar, post = table.outline.children[box][:2]
        first = replace(table.records[0], roots=(bar, post))
        pages.append((RecordTable(table.outline, [first, *table.records[1:]], table.dates), columns))
    wrapper = learn_wrapper(pages)
    assert wrapper
    long = PageAnalysis(parse(_page_with_bar(7, "<nav>Page: <b>1</b> <a href='/t/7/2'>2</a></nav>")), WHEN)
    assert [post.author for post in extract_thread(long, wrapper).posts] == ["Anna", "Bert", "Cleo", "Dora"]


def _page_with_bar(page: int, pager: str) -> str:
    """A thread of four posts. The first one is an element of its own kind."""
    first, *replies = (
        f"<{tag} class='{tag}'><b class='name'>{name}</b> <time>{place + 1} June 2015 10:1{page}</time>"
        f"<div class='text'><p>It took {place + page + 2} evenings to find out what it was.</p></div></{tag}>"
        for place, (name, tag) in enumerate(
            (("Anna", "section"), ("Bert", "li"), ("Cleo", "li"), ("Dora", "li"))
        )
    )
    bar = f"<div class='bar'><a href='/print/{page}'>Print</a> <a href='/reply/{page}'>Reply</a></div>"
    return (
        f"<html><body><div><h2>Noise {page}</h2><ol class='posts'>{bar}{pager}{first}{''.join(replies)}</ol>"
        f"</div></body></html>"
    )


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def test_no_wrapper_is_better_than_one_that_loses_the_first_post_of_each_thread() -> None:
    """First posts without a name and a date are no records that a wrapper finds. Their pages show them."""
    pages = []
    for page in range(6):
        words = f"It took {page} evenings to find out what the noise was, and it came back a day later."
        opening = f"<section class='opening'><div class='words'><p>{words}</p></div></section>"
        html = _page_with_bar(page, "").replace("<ol class='posts'>", f"{opening}<ol class='posts'>")
        analysis = PageAnalysis(parse(html), WHEN)
        assert analysis.found_posts
        table = analysis.found_posts.table
        first = table.outline.names.index("section.opening")
        records = [PageRecord(first, (first,)), *table.records]
        table = RecordTable(table.outline, records, table.dates)
        pages.append((table, find_post_columns(table, WHEN)))

    assert all(0 in columns.bodies for _, columns in pages)
    assert learn_wrapper(
        [(table, replace(columns, bodies=_without_first(columns.bodies))) for table, columns in pages]
    )
    assert learn_wrapper(pages) is None


def _without_first(bodies: dict[int, int]) -> dict[int, int]:
    return {number: body for number, body in bodies.items() if number}
