from datetime import UTC, datetime

from tests.forum import sites
from threadmill.forum.read_page import read_thread
from threadmill.page.parse.tree import parse

_NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _words(number: int) -> str:
    return f"{sites.WORDS[number % 4][: 90 - 7 * number].strip()} and so on."


def _reply(number: int, inside: str = "") -> str:
    return (
        f'<div class="reply" id="c{number}"><div class="by"><a href="/user/name{number}">name{number}</a> '
        f'<a href="/item/1/c{number}">{number} June 2020</a></div>'
        f'<div class="said"><p>{_words(number)}</p></div>'
        f'<div class="do"><a href="/reply?to={number}">Reply</a></div><div class="kids">{inside}</div></div>'
    )


def test_answers_inside_a_post_do_not_count_as_its_words() -> None:
    deep = ""
    for number in range(7, 4, -1):
        deep = _reply(number, deep)
    replies = _reply(1) + _reply(2) + _reply(3, _reply(4, deep)) + _reply(8)
    page = f"<html><body><h1>Pump</h1><div>{replies}</div></body></html>"
    posts = read_thread(parse(page.encode(), "http://a.test/item/1"), _NOW).posts
    assert [post.text for post in posts] == [_words(number) for number in range(1, 9)]
