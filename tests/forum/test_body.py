from datetime import UTC, datetime

from threadmill.forum.pages import read_thread
from threadmill.page.tree import parse

_NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _reply(number: int, inside: str = "") -> str:
    return (
        f'<div class="reply" id="c{number}"><div class="by"><a href="/user/name{number}">name{number}</a> '
        f'<a href="/item/1/c{number}">{number} June 2020</a></div>'
        f'<div class="said"><p>Short answer number {number}.</p></div>'
        f'<div class="do"><a href="/reply?to={number}">Reply</a></div><div class="kids">{inside}</div></div>'
    )


def test_answers_inside_a_post_do_not_count_as_its_words() -> None:
    deep = ""
    for number in range(9, 4, -1):
        deep = _reply(number, deep)
    page = f"<html><body><h1>Pump</h1><div>{_reply(1)}{_reply(2)}{_reply(3, _reply(4, deep))}</div></body></html>"
    posts = read_thread(parse(page.encode(), "http://a.test/item/1"), _NOW).posts
    assert [post.text for post in posts] == [f"Short answer number {number}." for number in range(1, 10)]
