"""Finds the next page where its URL cannot be computed: `?before=991`, `?after=t3_x`, `?cursor=…`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from threadmill.forum.link_urls import absolute_url
from threadmill.forum.paging.pager_links import is_step
from threadmill.forum.records.page_outline import PageOutline

# A cursor has a digit, or it is a code with letters of both cases. A plain word such as "nextoldest" is a
# command that leads to another thread.
_CURSOR_VALUE = re.compile(r"\d|^(?=.*[a-z])(?=.*[A-Z])[\w\-=%.]{8,}$")


def find_cursor(
    outline: PageOutline, url: str, links: Sequence[tuple[int, str]]
) -> tuple[str | None, str | None]:
    """The next and the previous page, by links that say "older", "newer" or "more".

    Such a link counts only if its URL differs from the URL of this page in one parameter. On page one every
    such link leads forward. Later pages also have one that leads back.
    """
    path, _, query = url.partition("?")
    mine = query_parameters(query)
    steps: dict[str, list[str]] = defaultdict(list)  # parameter → URLs that differ in it
    back: list[str] = []
    for index, href in links:
        if not is_step(outline, index):
            continue
        target = absolute_url(outline.base, href)
        if target is None or target == url or target.partition("?")[0] != path:
            continue
        theirs = query_parameters(target.partition("?")[2])
        differing = {name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)}
        if len(differing) != 1:
            continue
        name = differing.pop()
        if name not in theirs:
            back.append(target)
        elif _CURSOR_VALUE.search(theirs[name]):
            steps[name].append(target)
    return _choose_steps(steps, back[0] if back else None, mine)


def _choose_steps(
    steps: dict[str, list[str]], back: str | None, mine: dict[str, str]
) -> tuple[str | None, str | None]:
    for name, found in steps.items():
        targets = list(dict.fromkeys(found))
        if name in mine and len(mine) == 1 and back is None:
            continue  # the only parameter names the thread itself: these links lead to other threads
        if len(targets) == 1:
            return targets[0], back
        if len(targets) == 2 and name in mine:  # one forward, one back: the link back stands first
            return targets[1], targets[0]
    return None, back


def query_parameters(query: str) -> dict[str, str]:
    """The parameters of a query as they are written, without decoding."""
    return dict(part.partition("=")[::2] for part in re.split("[&;]", query) if part)


def without_parameter(url: str, name: str) -> str:
    """The URL without one of its parameters."""
    path, mark, query = url.partition("?")
    parts = [part for part in query.split("&") if part.partition("=")[0] != name]
    return f"{path}?{'&'.join(parts)}" if mark and parts else path


def find_cursor_parameter(url: str, next_url: str | None) -> str:
    """The one parameter in which the URL of the next page differs from that of this page. Empty if none."""
    if next_url is None or next_url.partition("?")[0] != url.partition("?")[0]:
        return ""
    mine, theirs = query_parameters(url.partition("?")[2]), query_parameters(next_url.partition("?")[2])
    differing = [name for name in theirs if theirs[name] != mine.get(name)]
    return differing[0] if len(differing) == 1 and mine.keys() <= theirs.keys() else ""
