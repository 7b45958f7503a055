"""Pages that follow each other by a value nobody can compute: `?before=991`, `?after=t3_x`, `?cursor=…`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from threadmill.forum.link_urls import absolute_url
from threadmill.forum.records.page_outline import PageOutline

# Older, newer, more: weak evidence, counted only where the address differs from this page's in one value.
_STEP = re.compile(
    r"\b(?:old(?:er|est)|earlier|newer|later|more|ältere|älter|neuere|weitere|mehr|ouder|oudere|nieuwere|meer|ancien|"
    r"antérieur|précédent|récent|plus|antiguo|anterior|reciente|más|mais|vecchi|recenti|altri|starsze|nowsze|więcej|"
    r"starší|novější|další|äldre|nyare|eldre|nyere|ældre|vanhemmat|uudemmat|eski|yeni|daha|starij|novij|još)\w*|"
    r"старые|старее|ранее|новые|новее|ещё|еще|もっと|以前|過去|古い|更多|更早|上一|이전|더",
    re.IGNORECASE,
)
_STEP_NAME = re.compile(r"(?:^|[-_ ])(?:older|newer|more|step|pag(?:er|ing|ination)|cursor)(?:$|[-_ ])")
# A number, or letters of both cases as codes have them; a plain word ("nextoldest") says where to go instead.
_VALUE = re.compile(r"\d|^(?=.*[a-z])(?=.*[A-Z])[\w\-=%.]{8,}$")
_MOST_WORDS = 5


def find_cursor(
    outline: PageOutline, url: str, links: Sequence[tuple[int, str]]
) -> tuple[str | None, str | None]:
    """The next and the previous page; from page one every step leads on, later pages know the way back."""
    path, _, query = url.partition("?")
    mine = query_parameters(query)
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
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
        elif _VALUE.search(theirs[name]):
            found[name].append((index, target))
    return _choose(found, back, mine)


def _choose(
    found: dict[str, list[tuple[int, str]]], back: list[str], mine: dict[str, str]
) -> tuple[str | None, str | None]:
    for name, steps in found.items():
        targets = list(dict.fromkeys(target for _, target in steps))
        if name in mine and len(mine) == 1 and not back:
            continue  # the only parameter names the thing itself: this leads to another thing
        if len(targets) == 1:
            return targets[0], (back[0] if back else None)
        if len(targets) == 2 and name in mine:  # both ways: the way back stands first
            return targets[1], targets[0]
    return None, (back[0] if back else None)


def is_step(outline: PageOutline, index: int) -> bool:
    """Whether a link says "older", "newer" or "more"."""
    words = outline.text(index, 60) or outline.attribute(index, "title") or ""
    if len(words.split()) > _MOST_WORDS:
        return False
    marks = f"{outline.attribute(index, 'rel') or ''} {outline.attribute(index, 'class') or ''}".lower()
    return bool(_STEP.search(words) or _STEP_NAME.search(marks))


def query_parameters(query: str) -> dict[str, str]:
    """The parameters of an address as they are written."""
    return dict(part.partition("=")[::2] for part in re.split("[&;]", query) if part)


def without_parameter(url: str, name: str) -> str:
    """An address without one of its parameters."""
    path, mark, query = url.partition("?")
    parts = [part for part in query.split("&") if part.partition("=")[0] != name]
    return f"{path}?{'&'.join(parts)}" if mark and parts else path


def find_cursor_parameter(url: str, onward: str | None) -> str:
    """The parameter in which the next page's address differs from this page's; empty where there is none."""
    if onward is None or onward.partition("?")[0] != url.partition("?")[0]:
        return ""
    mine, theirs = query_parameters(url.partition("?")[2]), query_parameters(onward.partition("?")[2])
    differing = [name for name in theirs if theirs[name] != mine.get(name)]
    return differing[0] if len(differing) == 1 and mine.keys() <= theirs.keys() else ""
