"""Boards whose page shows the latest threads only, and links a list of all of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.crawl.forum.served_pages import ServedPages, serving_pages
from threadmill.lab.evaluate.forum_experiment import crawl_whole, read_posts, scratch_workspace

_BOARDS = ("bikes", "boats", "maps")
_START = datetime(2025, 3, 1, 9, tzinfo=UTC)
_LATEST, _PER_PAGE = 5, 10


def _when(thread: int, post: int) -> str:
    return f"{_START + timedelta(days=thread, hours=post):%d %B %Y %H:%M}"


def _posts(thread: int) -> int:
    return 3 + thread % 4


def _row(board: str, thread: int) -> str:
    return (
        f'<div class="row"><a href="/list/{board}/thread/{thread}/">How to mend {thread} of {board}?</a>'
        f'<span class="by">user{thread % 7}</span><span class="comments">{_posts(thread)} comments</span>'
        f'<span class="date">{_when(thread, _posts(thread))}</span></div>'
    )


def _thread(board: str, thread: int) -> str:
    posts = "".join(
        f'<div class="post" id="p{n}"><a class="by" href="/user/{thread % 7}">user{thread % 7}</a>'
        f'<span class="date">{_when(thread, n)}</span><p>On {board} I turned screw {thread} of part {n} and '
        "it has been quiet ever since.</p></div>"
        for n in range(_posts(thread))
    )
    return f"<h1>How to mend {thread} of {board}?</h1>{posts}"


def _forum(count: int) -> dict[str, str]:
    rows = "".join(
        f'<tr><td><a href="/list/{board}/">All about {board}</a></td><td>{count} discussions</td></tr>'
        for board in _BOARDS
    )
    pages = {"/": f"<h1>Boards</h1><table>{rows}</table>"}
    for board in _BOARDS:
        newest = [_row(board, thread) for thread in reversed(range(count))]
        top = "".join(newest[:_LATEST])
        months = "".join(f'<li><a href="/months/{board}-2025-{n}/">Month {n}</a></li>' for n in range(1, 5))
        every = f'<a href="/list/{board}/latest">All recent threads</a>'
        pages[f"/list/{board}/"] = f"<h1>{board}</h1><ul>{months}</ul>{every}<div>{top}</div>"
        for page in range(-(-count // _PER_PAGE)):
            shown = "".join(newest[page * _PER_PAGE : (page + 1) * _PER_PAGE])
            links = "".join(
                f'<a href="/list/{board}/latest?page={n + 1}">{n + 1}</a> '
                for n in range(-(-count // _PER_PAGE))
            )
            number = f"?page={page + 1}" if page else ""
            pages[f"/list/{board}/latest{number}"] = f"<h1>{board}</h1><div>{shown}</div><p>{links}</p>"
        pages |= {f"/list/{board}/thread/{n}/": _thread(board, n) for n in range(count)}
    return pages


def test_the_list_behind_the_latest_threads_is_found_and_read_again_when_all_of_these_are_new(
    tmp_path: Path,
) -> None:
    served = ServedPages()
    workspace = scratch_workspace(tmp_path / "work")
    with serving_pages(served) as root:
        for count in (17, 26):
            served.pages = _forum(count)
            crawl_whole(workspace, root)
            kept = {(post["thread_url"], post["text"]) for post in read_posts(workspace)}
            assert len(kept) == len(_BOARDS) * sum(map(_posts, range(count)))
