"""One page of a forum as it came: what was archived, its tree, and what time it was there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from threadmill.archive import ArchiveWriter
from threadmill.archive.warc_writer import OriginalCapture
from threadmill.crawl.fetch.client import FetchResult
from threadmill.crawl.forum.page_requests import NOT_MODIFIED, Condition
from threadmill.crawl.site.recorder import capture_row
from threadmill.page.parse.tree import Tree, parse
from threadmill.store import Store
from threadmill.store.crawl.captures import CaptureRow, latest_capture
from threadmill.types import Capture, Location

_HTML = {"text/html", "application/xhtml+xml"}
_NOWHERE = Location("", 0, 0, "")


@dataclass(frozen=True, slots=True)
class PageCame:
    """An answer, archived; its rows are written with what the page says, in one transaction."""

    asked: str
    capture: Capture
    rows: tuple[CaptureRow, ...]
    hops: int
    condition: Condition | None = None  # how it was asked for

    @property
    def readable(self) -> bool:
        """Is it a page at all?"""
        return 200 <= self.capture.status < 300 and self.capture.content_type in _HTML

    @property
    def as_before(self) -> bool:
        """Did the server say that it has not changed, when asked to say so?"""
        asked = self.condition is not None and self.condition.sent
        return asked and self.capture.status == NOT_MODIFIED

    def tree(self) -> Tree:
        """The page, parsed."""
        capture = self.capture
        return parse(capture.payload, capture.url, capture.header("content-type") or "")

    @property
    def now(self) -> datetime:
        """What time it was at the site: relative dates are told against its own clock, not ours."""
        return site_time(self.capture)


def archive_answer(store: Store, archive: ArchiveWriter | None, job: int, answer: FetchResult) -> PageCame:
    """Write every exchange of an answer to the archive; identical payloads as revisits."""
    rows: list[CaptureRow] = []
    with store.reading() as connection:
        for exchange in answer.exchanges:
            location = _NOWHERE
            if archive is not None:
                earlier = latest_capture(connection, exchange.url)
                original = (
                    OriginalCapture(earlier.url, earlier.at, earlier.digest)
                    if earlier and earlier.digest
                    else None
                )
                location = archive.write(exchange, original)
            rows.append(capture_row(job, 0, exchange, location))
    return PageCame(answer.request.url, answer.capture, tuple(rows), len(answer.exchanges) - 1)


def site_time(capture: Capture) -> datetime:
    """The Date header, if it makes sense; else when we asked."""
    said = capture.header("date")
    if said:
        try:
            moment = parsedate_to_datetime(said)
        except ValueError:
            return capture.at
        if moment.tzinfo is None:  # "-0000": a moment in UTC by somebody who does not say where he is
            moment = moment.replace(tzinfo=UTC)
        if 1995 <= moment.year <= 2100:
            return moment.astimezone(UTC)
    return capture.at
