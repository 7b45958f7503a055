"""Takes the words of an author, or of a thread, out of pages and texts. All else stays as it is.

What is removed: words that one of the posts holds, eight in a row at least; shorter pieces that are a whole
line or element of a post, on pages that hold more of it; and names in short pieces, such as the line above a
post. A name inside a sentence of somebody else stays.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

REMOVED = "[removed on request]"  # no forum writes this: "[removed]" alone is what some show of any post

_RUN = 8  # words in a row that are the same: a quotation. Phrases that many people use are shorter.
_SHORT = 60  # characters; "Last post by NAME, 12 May 2015, 10:15" is shorter, most sentences are longer
# What is not closed reaches to the end of the page, as in a browser. Looking for the end of each such thing
# without finding it would take the square of the time.
_PIECES = re.compile(
    r"(?s)(<!--(?:-?>|.*?(?:--!?>|\Z))|<script\b.*?(?:</script\s*>|\Z)|<style\b.*?(?:</style\s*>|\Z)"
    r"|<!\[CDATA\[|\]\]>|</?[a-zA-Z!?][^>]*(?:>|\Z))"
)
_TAG = re.compile(r"(?s)<[^>]*>")
_UNSEEN = ("<!--", "<script", "<style")
_UNSEEN_BORDER = re.compile(r"(?is)^<!--|-->$|^<(?:script|style)[^>]*>|</(?:script|style)\s*>$")
_VALUE = re.compile(r"""(?s)(=\s*)("[^"]*"|'[^']*')""")
_LINE_TAGS = re.compile(r"(?i)<(?:br|/?p|/?div|/?li|/?tr|/?blockquote)\b[^>]*>")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What has to go."""

    names: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()  # whole pieces, such as the title of a thread
    urls: tuple[str, ...] = ()  # the addresses of profiles or threads
    texts: tuple[str, ...] = ()
    htmls: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()  # words of others that the posts quote; they stay


@dataclass(slots=True)
class Redactor:
    """Finds and removes what is wanted."""

    wanted: Wanted
    _runs: set[int] = field(default_factory=set)
    _pieces: set[str] = field(default_factory=set)
    _name: re.Pattern[str] | None = None
    _url: re.Pattern[str] | None = None

    def __post_init__(self) -> None:
        for source in self.wanted.htmls:
            self._runs.update(_runs_of(_text_of(source)))
            self._pieces.update(filter(None, (_plain(piece) for piece in _PIECES.split(source)[::2])))
        for text in self.wanted.quoted:
            self._runs.difference_update(_runs_of(_plain(text)))
            self._pieces.difference_update(_plain(line) for line in text.splitlines())
        for text in self.wanted.texts:  # last: own words go, even if somebody said the same
            self._runs.update(_runs_of(text))
            self._pieces.update(filter(None, (_plain(line) for line in text.splitlines())))
        self._pieces.update(filter(None, map(_plain, self.wanted.titles)))
        if self.wanted.names:
            words = "|".join(re.escape(name) for name in sorted(self.wanted.names, key=len, reverse=True))
            self._name = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
        tails = "|".join(re.escape(_tail(url)) for url in self.wanted.urls)
        self._url = re.compile(rf"(?:^|/)(?:{tails})(?:$|[#&/])") if tails else None

    def redact_html(self, source: str) -> str:
        """A page without it. Scripts and comments that hold some of it are emptied."""
        if not self.finds(source):
            return source
        return "".join(
            self._redact_piece(piece, bool(n % 2)) for n, piece in enumerate(_PIECES.split(source))
        )

    def redact_text(self, text: str) -> str:
        """A text without it, line by line."""
        return "".join(self._redact_words(line, short=False) for line in text.splitlines(keepends=True))

    def finds(self, source: str) -> bool:
        """Does a page hold any of it that must not stay?"""
        return next(self.find(source), None) is not None

    def find(self, source: str) -> Iterator[str]:
        """Yield what a page still holds: long pieces of text, names in short pieces, titles, addresses."""
        for number, piece in enumerate(_PIECES.split(source)):
            if not number % 2:
                if self._holds(piece):
                    yield piece
            elif _is_unseen(piece):
                if self._hides(piece):
                    yield piece
            else:
                for _, value in _VALUE.findall(piece):
                    if self._holds(value[1:-1], address=True):
                        yield value[1:-1]

    def holds_text(self, text: str) -> bool:
        """Does a text hold some of it: eight words in a row, or a whole title?"""
        return any(self._holds(line) for line in text.splitlines())

    def holds_value(self, text: str, *, names: bool) -> bool:
        """Does a text hold some of it? With `names`, also a name or an address."""
        if names:
            return self._holds(text, strict=True, address=True)
        return _plain(text) in self.wanted.titles or not self._runs.isdisjoint(_runs_of(text))

    def _holds(self, piece: str, *, strict: bool = False, address: bool = False) -> bool:
        plain = _plain(piece)
        if not plain:
            return False
        if address and self._url is not None and self._url.search(plain):
            return True
        if plain in self.wanted.titles or not self._runs.isdisjoint(_runs_of(plain)):
            return True
        if self._name is None or not (strict or len(plain) <= _SHORT):
            return False
        return self._name.search(plain) is not None

    def _hides(self, piece: str) -> bool:
        """Does a script, a style sheet or a comment hold some of it? Their content is no text of the page."""
        inner = _UNSEEN_BORDER.sub(" ", piece)
        if self._name is not None and self._name.search(inner):
            return True
        return any(title in inner for title in self.wanted.titles) or not self._runs.isdisjoint(
            _runs_of(_plain(inner))
        )

    def _redact_piece(self, piece: str, is_tag: bool) -> str:
        if not is_tag:
            return self._redact_words(piece, short=True)
        if _is_unseen(piece):
            return "" if self._hides(piece) else piece
        return _VALUE.sub(self._redact_value, piece)

    def _redact_value(self, found: re.Match[str]) -> str:
        return f'{found[1]}""' if self._holds(found[2][1:-1], address=True) else found[0]

    def _redact_words(self, piece: str, *, short: bool) -> str:
        """A piece between two tags, or a line. `short`: pieces of few words are compared as a whole."""
        plain = _plain(piece)
        if not plain:
            return piece
        if (short and plain in self._pieces) or plain in self.wanted.titles:
            return _keep_spaces(piece, REMOVED)
        if not self._runs.isdisjoint(_runs_of(plain)):
            return _keep_spaces(piece, self._without_runs(plain))
        if self._name is not None and len(plain) <= _SHORT and self._name.search(plain):
            return _keep_spaces(piece, html.escape(self._name.sub(REMOVED, plain), quote=False))
        return piece

    def _without_runs(self, plain: str) -> str:
        """The words that stand in no run of eight that a post holds."""
        words = plain.split()
        keys = [_key(word) for word in words]
        drop = [False] * len(words)
        for start in range(len(words) - _RUN + 1):
            if hash(tuple(keys[start : start + _RUN])) in self._runs:
                drop[start : start + _RUN] = [True] * _RUN
        kept = [
            REMOVED if gone else html.escape(word, quote=False)
            for n, (word, gone) in enumerate(zip(words, drop, strict=True))
            if not (gone and n and drop[n - 1])
        ]
        return " ".join(kept)


def is_removed(text: str) -> bool:
    """Is nothing left of a text but the marks of what was removed?"""
    return REMOVED in text and not any(map(str.isalnum, text.replace(REMOVED, "")))


def _tail(url: str) -> str:
    """The end of a URL that tells it from others of its site, also in a relative link."""
    parts = urlsplit(url)
    path = "/".join(parts.path.strip("/").split("/")[-2:] if not parts.query else parts.path.split("/")[-1:])
    return f"{path}?{parts.query}" if parts.query else path


def _key(word: str) -> str:
    return word.casefold().strip(".,;:!?\"'()[]„“”»«…")


def _runs_of(text: str) -> Iterator[int]:
    """Hashes of all runs of eight words."""
    words = [_key(word) for word in text.split()]
    return (hash(tuple(words[start : start + _RUN])) for start in range(len(words) - _RUN + 1))


def _plain(piece: str) -> str:
    """A piece as a reader sees it. Feeds write the tags of a post as entities."""
    text = html.unescape(piece)
    if "<" in text:
        text = _replace_tags(_TAG, " ", html.unescape(text))
    return " ".join(text.split())


def _text_of(source: str) -> str:
    lines = _replace_tags(_LINE_TAGS, " ", source)
    return " ".join(html.unescape(_replace_tags(_TAG, "", lines)).split())


def _replace_tags(tags: re.Pattern[str], by: str, text: str) -> str:
    """Replace tags. Behind the last ">" there is none, and looking for one at each "<" would take long."""
    end = text.rfind(">") + 1
    return tags.sub(by, text[:end]) + text[end:]


def _is_unseen(piece: str) -> bool:
    """Is this a comment, a script, a style sheet, or a tag that is cut off by the end of the page?"""
    return piece.lower().startswith(_UNSEEN) or not piece.endswith(">")


def _keep_spaces(piece: str, inner: str) -> str:
    """Put another text between the spaces around a piece."""
    left = piece[: len(piece) - len(piece.lstrip())]
    right = piece[len(piece.rstrip()) :]
    return f"{left}{inner}{right}"


def redact_values(values: object, redactor: Redactor, *, names: bool = True) -> object:
    """Plain data (lists, dictionaries, texts) without what is wanted; with `names`, also without names."""
    if isinstance(values, str):
        return "" if redactor.holds_value(values, names=names) else values
    if isinstance(values, dict):
        return {key: redact_values(value, redactor, names=names) for key, value in values.items()}
    if isinstance(values, list):
        return [redact_values(value, redactor, names=names) for value in values]
    return values


def pieces_of(texts: Iterable[str]) -> frozenset[str]:
    """The lines of texts that are long enough to prove by themselves where they come from."""
    lines = (_plain(line) for text in texts for line in text.splitlines())
    return frozenset(line for line in lines if len(line.split()) > _RUN)
