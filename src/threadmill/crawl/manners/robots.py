"""What a robots.txt allows us (RFC 9309): judged here without network, kept through a seam."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from protego import Protego

from threadmill.types import Exchange

MAX_BYTES = 500 * 1024  # RFC 9309, 2.5: at least 500 kibibytes must be parsed
MAX_REDIRECTS = 5  # RFC 9309, 2.3.1.2
FRESH_FOR = timedelta(hours=24)  # RFC 9309, 2.4
# RFC 9309 leaves open when to ask again after a failure; crawlers in use do so within the hour.
UNREACHABLE_FOR = timedelta(minutes=10)
# RFC 9309, 2.3.1.4: after a reasonably long time (it names 30 days) an unreachable file counts as none.
GIVE_UP_AFTER = timedelta(days=30)

NO_FILE = 404  # kept for what RFC 9309 says counts as none, such as too many redirects

_PARSED_KEPT = 1_000


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """The robots.txt of an origin as it was last found."""

    origin: str  # scheme://host[:port]
    at: datetime  # when it was last asked for, aware, UTC
    status: int  # of the last answer; 0: no answer came
    body: bytes = b""
    body_at: datetime | None = None  # when the body came; older than `at` while the host is unreachable
    failing_since: datetime | None = None

    @property
    def reachable(self) -> bool:
        """Did the last request bring an answer that counts? 429 says no more than 503 does."""
        return 200 <= self.status < 500 and self.status != 429

    def stale_in(self, now: datetime) -> float:
        """Seconds until it is time to ask again; none left when negative."""
        kept_for = FRESH_FOR if self.reachable else UNREACHABLE_FOR
        return (self.at + kept_for - now).total_seconds()


class RobotsCache(Protocol):
    """Where robots.txt files are kept; the exchanges are handed on for the archive."""

    def get(self, origin: str) -> RobotsFile | None:
        """The file of an origin as last put."""

    def put(self, file: RobotsFile, exchanges: Sequence[Exchange]) -> None:
        """Keep a file in place of the last one."""


class MemoryRobotsCache:
    """Keeps them as long as the process lives."""

    def __init__(self) -> None:
        self._files: dict[str, RobotsFile] = {}

    def get(self, origin: str) -> RobotsFile | None:
        """The file of an origin as last put."""
        return self._files.get(origin)

    def put(self, file: RobotsFile, exchanges: Sequence[Exchange]) -> None:  # noqa: ARG002 -- part of the seam
        """Keep a file in place of the last one."""
        self._files[file.origin] = file


@dataclass(frozen=True, slots=True)
class Rules:
    """What a robots.txt says to us."""

    parsed: Protego | None  # None: one verdict for everything
    verdict: bool
    crawl_delay: float | None = None
    sitemaps: tuple[str, ...] = ()

    def allow(self, url: str, token: str) -> bool:
        """May the URL be fetched?"""
        return self.parsed.can_fetch(url, token) if self.parsed is not None else self.verdict


_ALLOW_ALL = Rules(None, verdict=True)
_FORBID_ALL = Rules(None, verdict=False)


class RulesOf:
    """Reads robots.txt files for one crawler, each once while it stays the same."""

    def __init__(self, agent: str) -> None:
        self.token = agent_token(agent)
        self._parsed: OrderedDict[str, tuple[RobotsFile, Rules]] = OrderedDict()

    def __call__(self, file: RobotsFile) -> Rules:
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
    """The name a robots.txt would call us by: the product of the User-Agent, "threadmill"."""
    found = re.match(r"[A-Za-z_-]+", agent)
    return found.group().lower() if found else "threadmill"


def read_rules(file: RobotsFile, token: str) -> Rules:
    """Judge a file: 4xx means no rules; unreachable means the last known ones, or nothing may be fetched."""
    if not file.reachable and file.body_at is None:
        gone_long = file.failing_since is not None and file.at - file.failing_since >= GIVE_UP_AFTER
        return _ALLOW_ALL if gone_long else _FORBID_ALL
    if file.body_at is None or not file.body.strip():
        return _ALLOW_ALL
    parsed = Protego.parse(_name_by_token(file.body[:MAX_BYTES].decode("utf-8-sig", "replace"), token))
    delay = parsed.crawl_delay(token)
    return Rules(parsed, True, float(delay) if delay is not None else None, tuple(parsed.sitemaps))


def _name_by_token(text: str, token: str) -> str:
    """Files call us by "Threadmill/1.0", too; RFC 9309 compares the product alone, protego all of it."""
    line = rf"(?im)^([ \t]*user-?agent[ \t]*:[ \t]*{re.escape(token)})(?![a-z0-9_-])[^\r\n]*"
    return re.sub(line, r"\1", text)


def next_file(origin: str, status: int, body: bytes, now: datetime, last: RobotsFile | None) -> RobotsFile:
    """The file to keep after asking again; while the host is unreachable the last body stays in force."""
    if 200 <= status < 300:
        return RobotsFile(origin, now, status, body[:MAX_BYTES], now)
    if 300 <= status < 500 and status != 429:
        return RobotsFile(origin, now, status)
    since = (last.failing_since if last else None) or now
    if last is not None:
        return RobotsFile(origin, now, status, last.body, last.body_at, since)
    return RobotsFile(origin, now, status, failing_since=since)
