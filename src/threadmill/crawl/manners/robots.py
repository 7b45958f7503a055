"""Reads robots.txt files (RFC 9309): which URLs they allow, and how long a file is valid."""

from __future__ import annotations

import codecs
import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from protego import Protego

from threadmill.types import Exchange

MAX_BYTES = 500 * 1024  # RFC 9309, 2.5: at least 500 KiB must be parsed
MAX_REDIRECTS = 5  # RFC 9309, 2.3.1.2
FRESH_FOR = timedelta(hours=24)  # RFC 9309, 2.4
# RFC 9309 does not say when to ask again after a failure. Existing crawlers ask within the hour.
UNREACHABLE_FOR = timedelta(minutes=10)
# RFC 9309, 2.3.1.4: a file that stays unreachable for long (30 days is its example) counts as missing.
GIVE_UP_AFTER = timedelta(days=30)

NO_FILE = 404  # stored if RFC 9309 treats the file as missing, for instance after too many redirects

# UTF-32 begins like UTF-16, so it comes first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_USER_AGENT = re.compile(r"(?im)^[ \t]*user-?agent[ \t]*:").search
_PARSED_KEPT = 1_000


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """The robots.txt of an origin as it was last fetched."""

    origin: str  # scheme://host[:port]
    at: datetime  # of the last request, aware, UTC
    status: int  # of the last response; 0: no response came
    body: bytes = b""
    body_at: datetime | None = None  # when the body came; earlier than `at` while the host is unreachable
    failing_since: datetime | None = None

    @property
    def reachable(self) -> bool:
        """Did the last request bring a valid response? 429 counts as unreachable, like 503."""
        return 200 <= self.status < 500 and self.status != 429

    def stale_in(self, now: datetime) -> float:
        """Seconds until the file must be fetched again. Negative if it is already due."""
        kept_for = FRESH_FOR if self.reachable else UNREACHABLE_FOR
        return (self.at + kept_for - now).total_seconds()


class RobotsCache(Protocol):
    """Keeps robots.txt files. It also gets the exchanges that brought them, for the archive."""

    def get(self, origin: str) -> RobotsFile | None:
        """The last file that was put for an origin."""

    def put(self, file: RobotsFile, exchanges: Sequence[Exchange]) -> None:
        """Keep a file in place of the last one."""


class MemoryRobotsCache:
    """Keeps robots.txt files in memory."""

    def __init__(self) -> None:
        self._files: dict[str, RobotsFile] = {}

    def get(self, origin: str) -> RobotsFile | None:
        """The last file that was put for an origin."""
        return self._files.get(origin)

    def put(self, file: RobotsFile, exchanges: Sequence[Exchange]) -> None:  # noqa: ARG002 -- part of the interface
        """Keep a file in place of the last one."""
        self._files[file.origin] = file


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What a robots.txt says to our crawler."""

    parsed: Protego | None  # None: the same verdict for every URL
    verdict: bool
    crawl_delay: float | None = None
    sitemaps: tuple[str, ...] = ()

    def allow(self, url: str, token: str) -> bool:
        """May the URL be fetched?"""
        return self.parsed.can_fetch(url, token) if self.parsed is not None else self.verdict


_ALLOW_ALL = RobotsRules(None, verdict=True)
_FORBID_ALL = RobotsRules(None, verdict=False)


class RobotsParser:
    """Parses robots.txt files for one crawler. An unchanged file is parsed once."""

    def __init__(self, agent: str) -> None:
        self.token = agent_token(agent)
        self._parsed: OrderedDict[str, tuple[RobotsFile, RobotsRules]] = OrderedDict()

    def rules_of(self, file: RobotsFile) -> RobotsRules:
        """The rules of a file."""
        kept = self._parsed.get(file.origin)
        if kept is not None and kept[0] is file:
            return kept[1]
        rules = read_rules(file, self.token)
        self._parsed[file.origin] = (file, rules)
        if len(self._parsed) > _PARSED_KEPT:
            self._parsed.popitem(last=False)
        return rules


def agent_token(agent: str) -> str:
    """The name under which a robots.txt addresses us: the product of the User-Agent, "threadmill"."""
    found = re.match(r"[A-Za-z_-]+", agent)
    return found.group().lower() if found else "threadmill"


def read_rules(file: RobotsFile, token: str) -> RobotsRules:
    """Read the rules of a file.

    A missing file (4xx) allows everything. While the file is unreachable the last known rules hold; if none
    are known, nothing may be fetched.
    """
    if not file.reachable and file.body_at is None:
        gone_long = file.failing_since is not None and file.at - file.failing_since >= GIVE_UP_AFTER
        return _ALLOW_ALL if gone_long else _FORBID_ALL
    if file.body_at is None or not file.body.strip():
        return _ALLOW_ALL
    text = decode_robots(file.body[:MAX_BYTES])
    if text is None:
        return _FORBID_ALL
    parsed = Protego.parse(_drop_version(text, token))
    delay = parsed.crawl_delay(token)
    return RobotsRules(parsed, True, float(delay) if delay is not None else None, tuple(parsed.sitemaps))


def decode_robots(body: bytes) -> str | None:
    """The text of a robots.txt. None if it cannot be read: then its owner wanted rules that nobody knows.

    RFC 9309 asks for UTF-8. Some editors save UTF-16, with or without a mark at its start.
    """
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body.decode(encoding, "replace").replace("\0", "")
    if b"\0" not in body:
        return body.decode("utf-8", "replace")
    # Without its NUL bytes, ASCII in UTF-16 is plain ASCII.
    text = body.replace(b"\0", b"").decode("utf-8", "replace")
    return text if _USER_AGENT(text) else None


def _drop_version(text: str, token: str) -> str:
    """Turn "User-agent: Threadmill/1.0" into our token: RFC 9309 compares the product only, protego all."""
    line = rf"(?im)^([ \t]*user-?agent[ \t]*:[ \t]*{re.escape(token)})(?![a-z0-9_-])[^\r\n]*"
    return re.sub(line, r"\1", text)


def updated_file(origin: str, status: int, body: bytes, now: datetime, last: RobotsFile | None) -> RobotsFile:
    """The file to keep after a request. While the host is unreachable the last body stays valid."""
    if 200 <= status < 300:
        return RobotsFile(origin, now, status, body[:MAX_BYTES], now)
    if 300 <= status < 500 and status != 429:
        return RobotsFile(origin, now, status)
    since = (last.failing_since if last else None) or now
    if last is not None:
        return RobotsFile(origin, now, status, last.body, last.body_at, since)
    return RobotsFile(origin, now, status, failing_since=since)
