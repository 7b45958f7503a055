"""Archives of mailing lists: a page for each message, and lists of subjects with the oldest first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.crawl.forum.served_pages import ServedPages, serving_pages
from threadmill.lab.evaluate.forum_experiment import crawl_whole, read_posts, scratch_workspace

_PER_PAGE = 20
_START = datetime(2025, 3, 1, 9, tzinfo=UTC)
_LISTS = ("bikes", "boats", "maps")


def _subject(number: int) -> str:
    topic = f"Chain number {number // 5} slips in third gear"
    return topic if number % 5 == 0 else f"Re: {topic}"


def _message(name: str, number: int) -> str:
    when = _START + timedelta(hours=7 * number)
    return f"""<h1>{_subject(number)}</h1><hr><ul><li><em>From</em>: user{number % 7} &lt;u@x.test&gt;</li>
<li><em>Date</em>: {when:%a, %d %b %Y %H:%M:%S} +0000</li><li><em>Subject</em>: {_subject(number)}</li></ul>
<hr><pre>Here on {name} I replaced the cable of machine {number} and it has been quiet ever since.</pre><hr>
<a href="list.html">Date Index</a>"""


def _list(count: int, page: int) -> str:
    shown = range((page - 1) * _PER_PAGE, min(count, page * _PER_PAGE))
    rows = "".join(f'<li><a href="msg{n:05}.html">{_subject(n)}</a> <i>user{n % 7}</i></li>' for n in shown)
    more = f'<a href="list{page + 1}.html">Next Page</a>' if page * _PER_PAGE < count else "Next Page"
    return f"<h1>Messages by date</h1>[{more}]<hr><ul>{rows}</ul>"


def _archive(count: int) -> dict[str, str]:
    """Every page of the archive, with so many messages on each list."""
    home = "".join(f'<li><a href="/{name}/list.html">All about {name}</a></li>' for name in _LISTS)
    pages = {"/": f"<h1>Mailing lists</h1><ul>{home}</ul>"}
    for name in _LISTS:
        for page in range(1, 2 + (count - 1) // _PER_PAGE):
            pages[f"/{name}/list{page if page > 1 else ''}.html"] = _list(count, page)
        pages |= {f"/{name}/msg{n:05}.html": _message(name, n) for n in range(count)}
    return pages


def test_every_message_is_kept_and_later_only_the_lists_and_new_messages_are_asked_for(
    tmp_path: Path,
) -> None:
    archive = ServedPages()
    workspace = scratch_workspace(tmp_path / "work")
    with serving_pages(archive) as root:
        for count in (45, 45, 48):
            archive.pages = _archive(count)
            archive.asked.clear()
            crawl_whole(workspace, root)
            posts = read_posts(workspace)
            assert len(posts) == count * len(_LISTS)
            assert len({(post["thread_url"], post["text"]) for post in posts}) == len(posts)
        messages = [path for path in archive.asked if "/msg" in path]
        assert len(messages) == 3 * len(_LISTS)
        assert {post["author"] for post in posts} == {f"user{n}" for n in range(7)}
        assert all(post["date"] for post in posts)
