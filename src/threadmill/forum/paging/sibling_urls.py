"""Whether two addresses are pages of one thing, and what parts of addresses are called pages."""

from __future__ import annotations

import re
from urllib.parse import unquote

from threadmill.forum.paging.cursors import query_parameters

PAGE_NAME = re.compile(r"(?<![a-z])(?:p|pg|page|pageno|seite|pagina|sivu)[-=/]?$", re.IGNORECASE)
OFFSET_NAME = re.compile(r"(?<![a-z])(?:start|offset|from|skip)[-=/]?$", re.IGNORECASE)
# A thread's own number; pages have fewer digits, and a year names no thread.
_LONG_NUMBER = re.compile(r"(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{3,}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DIGITS = re.compile(r"\d+")


def is_same_thread_or_board(url: str, target: str) -> bool:
    """Whether two addresses can be pages of one thing: they differ by a number or a cursor, not by words."""
    if not url or not target:
        return True
    path, _, query = url.partition("?")
    other_path, _, other_query = target.partition("?")
    mine, theirs = query_parameters(query), query_parameters(other_query)
    if path.rstrip("/") == other_path.rstrip("/"):
        changed = [theirs[name] for name in theirs if theirs[name] != mine.get(name)]
        return not changed or any(character.isdigit() for value in changed for character in value)
    named = [number for number in _LONG_NUMBER.findall(path) if number in _LONG_NUMBER.findall(other_path)]
    if named or other_path.startswith(path.rstrip("/")):
        return True
    if _DIGITS.sub("0", path) != _DIGITS.sub("0", other_path):
        return False
    places = [m.start() for m in _DIGITS.finditer(path) if not _YEAR.fullmatch(m[0])]
    # The only number of an address names the thing itself, unless it is called a page.
    return len(places) > 1 or bool(places and PAGE_NAME.search(path[: places[0]]))


def comparable_url(url: str) -> str:
    """An address for comparison: parameters by name, without empty ones and those of where one came from."""
    path, mark, query = url.partition("?")
    if not mark or "&" not in query or ";" in query:
        return url
    parts = [part for part in query.split("&") if "=" not in part or _says_something(part)]
    return f"{path}?{'&'.join(sorted(parts))}"


def _says_something(parameter: str) -> bool:
    value = unquote(parameter.partition("=")[2])
    return bool(value) and "=" not in value


def is_called_page(before: str) -> bool:
    """Whether the number behind this part of an address is called a page or an offset."""
    return bool(PAGE_NAME.search(before) or OFFSET_NAME.search(before))
