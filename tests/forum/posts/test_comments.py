import re

from tests.forum import sites
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.posts.comments import add_comments
from threadmill.forum.posts.post_columns import find_post_columns
from threadmill.forum.read_page import read_thread
from threadmill.forum.site_model.wrapper_learning import learn_wrapper


def _comment(number: int, place: int) -> str:
    name = sites.NAMES[number]
    return (
        f'<li class="note" id="note-{number}{place}">'
        f'<span class="said">Please check the fuse of pump {number}{place} first.</span> '
        f'<a class="who" href="/user/{name}">{name}</a> '
        f'<i class="at">{number + 10} June 2020 11:0{number}</i></li>'
    )


def _answer(number: int) -> str:
    name = sites.NAMES[number]
    return (
        f'<div class="answer" id="answer-{number}"><div class="words"><p>{sites.WORDS[number]}</p></div>'
        f'<div class="by"><a class="name" href="/user/{name}">{name}</a> '
        f"<em>{number + 1} June 2020 10:1{number}</em></div>"
        f'<ul class="notes">{_comment(number, 1)}{_comment((number + 1) % 4, 2)}</ul></div>'
    )


def _page() -> str:
    return (
        f"<html><body><h1>Pump</h1><div id='all'>{''.join(_answer(n) for n in range(4))}</div></body></html>"
    )


def test_comments_inside_posts_are_records_of_their_own() -> None:
    analysis = PageAnalysis(sites.tree(_page()), sites.NOW)
    assert analysis.found_posts
    table = analysis.found_posts.table
    read = add_comments((table, find_post_columns(table, sites.NOW)), analysis.splits, sites.NOW)
    wrapper = learn_wrapper([read])
    posts = read_thread(sites.tree(_page()), sites.NOW, wrapper).posts
    assert [post.text for post in posts if "fuse" not in post.text] == list(sites.WORDS)
    assert sum("fuse" in post.text for post in posts) == 8


def test_comments_that_name_their_author_twice_are_found_by_their_dates() -> None:
    """A picture and a name lead to the same profile, so that no link stands once in a comment."""

    def note(number: int) -> str:
        name = sites.NAMES[number]
        face = f'<a class="face" href="/user/{name}"><img alt="{name}"></a>'
        link = f'{face}<a class="who" href="/user/{name}">{name}</a>'
        words = f"<p>Please check the fuse of pump {number} first.</p>"
        date = f"<abbr>{number + 10} June 2020 11:00</abbr>"
        return f'<div class="note"><div>{words}</div><div>{link} {date}</div></div>'

    def answer(number: int) -> str:
        return _answer(number).partition('<ul class="notes">')[0] + (
            f'<div class="notes">{note(number) if number else ""}<a href="#">add one</a></div></div>'
        )

    page = f"<html><body><div id='all'>{''.join(answer(n) for n in range(4))}</div></body></html>"
    analysis = PageAnalysis(sites.tree(page), sites.NOW)
    assert analysis.found_posts
    table = analysis.found_posts.table
    read = add_comments((table, find_post_columns(table, sites.NOW)), analysis.splits, sites.NOW)
    posts = read_thread(sites.tree(page), sites.NOW, learn_wrapper([read])).posts
    assert sum("fuse" in post.text for post in posts) == 3
    assert len(posts) == 7


def test_a_page_alone_shows_comments_that_have_numbers_and_leaves_others_in_their_posts() -> None:
    numbered = read_thread(sites.tree(_page()), sites.NOW).posts
    nameless = read_thread(sites.tree(re.sub(r' id="note-\d+"', "", _page())), sites.NOW).posts

    assert len(numbered) == 12
    assert len(nameless) == 4
