"""URL templates: write the URL of a page from its parts, and read the parts back from a URL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote, unquote

_FIELD = re.compile(r"\{(\w+)\}")
_PARTS = {
    "n": r"[\w%.-]+?",
    "slug": r"[^/?&;,]*?",
    "word": r"[a-z_]+",
    "dir": r"[\w-]+",
    "key": r"[^/?&;,#]+?",
    "board_key": r"[^/?&;,#]+?",
    "Y": r"\d{4}",
    "yy": r"\d\d",
    "mm": r"\d\d",
    "dd": r"\d\d",
    "stamp": r"\d+",
}
_UNSAFE = re.compile(r"%[0-9A-Fa-f]{2}")


class UrlTemplate:
    """A pattern such as /thread/{id}{pos}. `position` replaces {pos} on all pages but the first.

    With `parameters`, the query is a list of name=value, in any order; else it is plain text. The position is a
    further parameter, or a part of a value: msg=12.21.
    """

    def __init__(
        self, text: str, position: str = "", *, parameters: bool = False, first: str = "", last: str = ""
    ) -> None:
        self.text = text
        self.position = position
        self.first = first  # the number of the first page, where an engine writes it
        self.last = last  # replaces {pos} in links to the last post
        self._named = parameters and "?" in text
        self._parameters: dict[str, re.Pattern[str]] = {}
        self._position: dict[str, re.Pattern[str]] = {}
        self._last: dict[str, re.Pattern[str]] = {}
        self.set_ids(r"[\w%.~-]+?")

    def set_ids(self, ids: str) -> None:
        """Prepare for reading: `ids` is a pattern of the ids."""
        path, _, query = self.text.partition("?")
        if self._named:
            inside = self.position[:1] not in {"", "&", ";", "?"}
            optional = f"(?:{_as_pattern(self.position, ids)})?" if inside else ""
            self._parameters = _parameters(query, ids, optional)
            self._position = {} if inside else _parameters(self.position, ids)
            self._last = _parameters(self.last, ids)
            self._pattern = re.compile(_as_pattern(path, ids))
            return
        places = [f"(?:{_as_pattern(self.position, ids)})"] if self.position else []
        places += [f"(?P<last>{_as_pattern(self.last, ids)})"] if self.last else []
        optional = f"(?:{'|'.join(places)})?" if places else ""
        self._pattern = re.compile(_as_pattern(self.text, ids).replace(re.escape("{pos}"), optional))

    def write(self, parts: Mapping[str, str], number: str = "", *, last: bool = False) -> str:
        """Write a URL. `number` is the page, offset or cursor; empty on the first page."""
        number = number or self.first
        position = self.last if last else self.position.replace("{n}", number) if number else ""
        text = self.text.replace("{pos}", position)
        return _FIELD.sub(lambda m: _quoted(parts[m[1]]), text)

    def read(self, url: str) -> dict[str, str] | None:
        """Return the parts of a URL that has this form, else None."""
        if not self._named:
            found = self._pattern.fullmatch(url.removesuffix("="))
            return {name: text for name, text in found.groupdict().items() if text} if found else None
        path, _, query = url.partition("?")
        found = self._pattern.fullmatch(path)
        if not found:
            return None
        parts = {name: text for name, text in found.groupdict().items() if text}
        given = dict(piece.partition("=")[::2] for piece in re.split("[&;]", query))
        for wanted, needed in ((self._parameters, True), (self._position, False)):
            for name, pattern in wanted.items():
                match = pattern.fullmatch(given[name]) if name in given else None
                if match:
                    parts.update({key: text for key, text in match.groupdict().items() if text})
                elif needed:
                    return None
        if self._last and all(name in given and p.fullmatch(given[name]) for name, p in self._last.items()):
            parts["last"] = "1"
        return parts


def _parameters(query: str, ids: str, position: str = "") -> dict[str, re.Pattern[str]]:
    pieces = (piece.partition("=") for piece in re.split("[&;]", query) if piece)
    patterns = {name: _as_pattern(value, ids) for name, _, value in pieces if name != "{pos}"}
    pos = re.escape("{pos}")
    return {name: re.compile(pattern.replace(pos, position)) for name, pattern in patterns.items()}


def _as_pattern(text: str, ids: str) -> str:
    patterns = {"id": ids, "board": ids, "thread": ids, **_PARTS}
    return re.sub(
        r"\\\{(\w+)\\\}",
        lambda m: m[0] if m[1] == "pos" else f"(?P<{m[1]}>{patterns[m[1]]})",
        re.escape(text),
    )


def _quoted(text: str) -> str:
    return text if _UNSAFE.search(text) else quote(text, safe="~-._")


def plain(url: str, session: str) -> str:
    """Return a URL without host, fragment and session id, unquoted."""
    url = re.sub(r"^https?://[^/]*", "", url).partition("#")[0]
    url = re.sub(rf"([?&;]){session}=[^&;]*[&;]?", r"\1", url).rstrip("?&;")
    return unquote(url) or "/"
