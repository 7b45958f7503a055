"""The values that the packages of Threadmill pass to each other. All of them are frozen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Any, NamedTuple, Self


@dataclass(frozen=True, slots=True)
class Capture:
    """The answer of a server to one request, as read from the archive or from a file."""

    url: str
    at: datetime  # aware, UTC
    status: int
    headers: tuple[tuple[str, str], ...]
    payload: bytes  # the body; transfer and content encoding are removed
    source: str = ""  # where it was read from: "file.warc.gz:offset", a path, or "http"

    def header(self, name: str) -> str | None:
        """The first value of a header. The case of the name does not matter."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def content_type(self) -> str:
        """The media type without parameters, in lower case. Empty when the server named none."""
        return (self.header("content-type") or "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer as they went over the wire. The archive keeps exchanges."""

    url: str
    at: datetime  # aware, UTC; when the request was sent
    request_head: bytes  # request line and headers, ending in an empty line
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]  # as received
    body: bytes  # as received; content encoding is kept, transfer encoding is removed
    remote_address: str = ""
    # Why the body is cut: "length" or "time" by our limits, "disconnect" by the server. Empty: it is whole.
    truncated: str = ""
    rendered: bytes = b""  # the page that scripts made of the answer, in UTF-8; empty: no browser was used


@dataclass(frozen=True, slots=True)
class Location:
    """The place of a record in the archive."""

    file: str  # name relative to the archive directory
    offset: int
    length: int
    digest: str  # of the payload, as WARC writes it: "sha1:BASE32"


class Link(NamedTuple):
    """A link or an image in the text of a paragraph. It is a tuple because pages have hundreds."""

    url: str
    text: str
    start: int  # character offset in the paragraph's text
    end: int  # equal to start for an image without text
    kind: str = "link"  # "link" or "image"


class ParagraphClass(StrEnum):
    """The four classes of a paragraph, as jusText names them."""

    GOOD = "good"
    BAD = "bad"
    SHORT = "short"
    NEAR_GOOD = "near-good"


class Paragraph(NamedTuple):
    """One block of a page's text, with its class and the reason for the class."""

    text: str
    kind: str  # p, h1…h6, li, td, th, dt, dd, pre, blockquote, caption …
    path: str  # tag path from the root, e.g. "html.body.div.p"
    links: tuple[Link, ...] = ()
    verdict: ParagraphClass = ParagraphClass.GOOD
    reason: str = ""
    language: str = ""
    html: str = ""


class Precision(StrEnum):
    """How exact a moment is. A date without a time is not midnight."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    HOUR = "hour"
    MINUTE = "minute"
    SECOND = "second"


_ISO_MOMENT = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d))?)?([+-]\d\d:\d\d)?)?)?)?"
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, with time and zone where they are known. It is as exact as its source."""

    date: date
    time: time | None = None
    zone: str | None = None  # "+02:00", "UTC" …; None when the source names no zone
    precision: Precision = Precision.DAY

    def isoformat(self) -> str:
        """The moment as ISO 8601, to its own precision: "2024", "2024-05", "2024-05-31T10:15"."""
        if self.precision is Precision.YEAR:
            return f"{self.date.year:04d}"
        if self.precision is Precision.MONTH:
            return f"{self.date.year:04d}-{self.date.month:02d}"
        if self.time is None:
            return self.date.isoformat()
        timespec = {Precision.HOUR: "hours", Precision.MINUTE: "minutes"}.get(self.precision, "seconds")
        zone = {"UTC": "+00:00", "Z": "+00:00"}.get(self.zone or "", self.zone or "")
        return f"{self.date.isoformat()}T{self.time.isoformat(timespec)}{zone}"

    def complete(self) -> str:
        """The moment with all parts, for programs that want one form: "2024-05-31T08:15:00".

        It is in UTC where the zone is known. Parts that the source lacks are the first possible.
        """
        at = datetime.combine(self.date, self.time or time())
        if self.time is not None and self.zone:
            try:
                at = datetime.fromisoformat(self.isoformat()).astimezone(UTC).replace(tzinfo=None)
            except (
                ValueError,
                OverflowError,
            ):  # a zone that is only a name, or the first day of the calendar
                return at.isoformat(timespec="seconds")
        return at.isoformat(timespec="seconds")

    @classmethod
    def fromisoformat(cls, text: str) -> Self:
        """Read what `isoformat` wrote. Another text raises ValueError."""
        match = _ISO_MOMENT.fullmatch(text)
        if match is None:
            raise ValueError(f"expected a moment such as 2024-05 or 2024-05-31T10:15+02:00, not {text!r}")
        year, month, day, hour, minute, second, zone = match.groups()
        on = date(int(year), int(month or 1), int(day or 1))
        at = time(int(hour), int(minute or 0), int(second or 0)) if hour else None
        parts = (year, month, day, hour, minute, second)
        precision = list(Precision)[sum(part is not None for part in parts) - 1]
        return cls(on, at, zone, precision)


@dataclass(frozen=True, slots=True)
class Quote:
    """A part of a post that repeats the words of another author."""

    text: str
    author: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """One message of a thread, as a page shows it."""

    text: str  # the author's own words, without quotes, signature and edit note
    html: str
    author: str | None = None
    author_url: str | None = None
    date: Moment | None = None
    url: str | None = None  # permalink
    post_id: str | None = None  # the site's own id
    position: int | None = None  # from 1: in the thread where that is known, else on the page
    parent: str | None = None  # on nested layouts: post_id of the post that it answers
    quotes: tuple[Quote, ...] = ()
    signature: str = ""
    edit_note: str = ""
    links: tuple[Link, ...] = ()  # links, images and attachments of the body


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """One thread, as a row of an index page shows it."""

    url: str
    title: str
    author: str | None = None
    replies: int | None = None
    views: int | None = None
    created: Moment | None = None
    active: Moment | None = None
    active_url: str | None = None
    page_urls: tuple[str, ...] = ()
    sticky: bool = False
    locked: bool = False
    moved: bool = False
    # Every number of the row, by its column. Filled where the URLs of the site's threads are known.
    numbers: Mapping[str, int] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One board, as a row of an index page shows it."""

    url: str
    title: str
    threads: int | None = None
    posts: int | None = None
    active: Moment | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """One word or punctuation mark of a corpus."""

    form: str
    space_after: bool = True  # does white space follow it
    lemma: str | None = None
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known about a page. `sources` tells where each value was found, `confidence` how sure it is."""

    title: str = ""
    author: str = ""  # all authors in one text
    date: Moment | None = None  # when the page was published
    site_name: str = ""
    canonical_url: str = ""
    description: str = ""
    licence: str = ""
    alternates: tuple[tuple[str, str], ...] = ()  # (hreflang, url)
    schema: tuple[str, ...] = ()  # types of schema.org that the page names
    sources: dict[str, str] = field(default_factory=dict)  # field name → where it came from
    authors: tuple[str, ...] = ()
    modified: Moment | None = None
    language: str = ""  # that the page declares; Page.language is detected
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    image: str = ""
    kind: str = ""  # article, collection, documentation, forum, listing, product or service
    confidence: dict[str, float] = field(default_factory=dict)  # field name → probability that it is right


COMMENT_REASON = "comment of a reader"  # the reason of paragraphs that are set apart as comments


@dataclass(frozen=True)
class Page:
    """A cleaned page: its paragraphs with their classes, its language and its metadata.

    It has no slots, because clean() returns a subclass that computes paragraphs and metadata on first use.
    """

    url: str | None
    paragraphs: tuple[Paragraph, ...]
    language: str = ""
    language_confidence: float = 0.0
    encoding: str = ""
    metadata: Metadata = field(default_factory=Metadata)

    @property
    def title(self) -> str:
        """The title that the page states."""
        return self.metadata.title

    @property
    def text(self) -> str:
        """The good paragraphs, one per line. A paragraph with line breaks keeps them."""
        return "\n".join(paragraph.text for paragraph in self.good if paragraph.text)

    @property
    def good(self) -> tuple[Paragraph, ...]:
        """The paragraphs that are content, not boilerplate."""
        return tuple(p for p in self.paragraphs if p.verdict is ParagraphClass.GOOD)

    @property
    def comments(self) -> tuple[Paragraph, ...]:
        """The comments of readers that were set apart from the content."""
        return tuple(p for p in self.paragraphs if p.reason == COMMENT_REASON)


@dataclass(frozen=True, slots=True)
class StoredPost:
    """One post of a workspace, with its thread and its board."""

    id: str  # a hash of date, author and text
    post_id: str | None  # the site's own id
    url: str  # permalink, or the page that shows the post
    thread_url: str
    thread_title: str
    board_url: str | None
    author: str | None
    author_url: str | None
    date: Moment | None
    position: int  # in the thread, from 1; 0 when unknown
    parent: str | None  # post_id of the post that it answers
    text: str
    html: str
    quotes: tuple[Quote, ...]
    first_seen: datetime  # aware, UTC; when a crawl first found the post
    vanished: datetime | None = None  # when a crawl first missed it; None: the forum still shows it

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Read what `as_dict` and `threadmill posts` write."""
        typed = {
            "date": Moment.fromisoformat(record["date"]) if record["date"] else None,
            "quotes": tuple(Quote(**quote) for quote in record["quotes"]),
            "first_seen": datetime.fromisoformat(record["first_seen"]),
            "vanished": datetime.fromisoformat(record["vanished"]) if record.get("vanished") else None,
        }
        return cls(**{**record, **typed})

    def as_dict(self) -> dict[str, Any]:
        """The post as `threadmill posts` writes it: plain values only, dates as ISO 8601."""
        plain = {
            "date": self.date.isoformat() if self.date else None,
            "quotes": [{"text": q.text, "author": q.author, "url": q.url} for q in self.quotes],
            "first_seen": self.first_seen.isoformat(timespec="seconds"),
            "vanished": self.vanished.isoformat(timespec="seconds") if self.vanished else None,
        }
        return {name: plain.get(name, getattr(self, name)) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class StoredThread:
    """One thread of a workspace."""

    url: str  # its first page
    title: str
    board_url: str | None
    posts: int  # posts that the workspace holds of it
    pages: int  # pages it had when it was last read to its end
    visited: datetime | None  # aware, UTC; when it was last read to its end
    gone: bool  # the site no longer shows it
    first_post: str | None = None  # date of its oldest post, ISO 8601, as precise as the page shows it
    last_post: str | None = None
    authors: int = 0  # different authors of its posts


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """One board of a workspace."""

    url: str
    title: str
    parent_url: str | None  # the board that lists it
    threads: int  # threads that the workspace holds of it
    visited: datetime | None  # aware, UTC; when it was last read to its end
    posts: int = 0  # posts that the workspace holds of it
    claimed_posts: int | None = None  # posts that the forum claims for it; None: nothing claims a number


@dataclass(frozen=True, slots=True)
class AccountLine:
    """The posts kept of one board or thread, beside the number that the forum claims for it."""

    url: str
    title: str
    kept: int
    claimed: int | None = None  # None: nothing claims a number
    reason: str = ""  # why posts are missing, as far as the crawl knows

    @property
    def missing(self) -> int:
        """Posts that are claimed and not kept."""
        return max(0, (self.claimed or 0) - self.kept)


UNREAD_TEXT = "text outside posts"  # the source of an account where pages show words that no post has


@dataclass(frozen=True, slots=True)
class CrawlAccount:
    """What a workspace keeps of a forum, beside what the forum claims to have."""

    verdict: str  # "complete", "incomplete", or "unknown" when no counter can be believed
    kept: int  # posts that the forum still shows
    claimed: int | None  # posts by the forum's own counters and pages; None: nothing is claimed
    sources: tuple[str, ...] = ()  # what is behind `claimed`: "board rows", "thread rows" …
    boards: tuple[AccountLine, ...] = ()  # every board
    threads: tuple[AccountLine, ...] = ()  # threads with missing posts, those that miss the most first
    short_threads: int = 0  # the number of all threads with missing posts
    notes: tuple[str, ...] = ()  # where posts are missing, and which counters are not believed

    @property
    def share(self) -> float | None:
        """The kept share of the claimed posts, at most 1. None if nothing is claimed."""
        return min(1.0, self.kept / self.claimed) if self.claimed else None

    def cut_off(self, unread: int) -> CrawlAccount:
        """The account of a crawl that ended before it had read all lists and threads that are due.

        Their rows may be older than the run, so that nothing says that all is there.
        """
        if self.verdict != "complete":
            return self
        note = f"{unread:,} lists and threads were not read before the crawl ended"
        return replace(self, verdict="unknown", notes=(*self.notes, note))

    @property
    def sentence(self) -> str:
        """The account in one sentence."""
        if self.claimed is None:
            return f"kept {self.kept:,} posts; whether that is all is unknown: the forum shows no counters"
        if self.verdict == "unknown" and self.kept < self.claimed:
            return (
                f"kept {self.kept:,} posts; whether that is all is unknown: the forum's counters say "
                f"{self.claimed:,} and were right nowhere"
            )
        if self.verdict == "unknown":
            return (
                f"kept {self.kept:,} posts; whether that is all is unknown: no counter tells of all threads"
            )
        by = (
            "text of its pages that no post has"
            if UNREAD_TEXT in self.sources
            else "the forum's own counters"
        )
        return f"kept {self.kept:,} of about {self.claimed:,} posts ({by})"

    def as_dict(self) -> dict[str, Any]:
        """The account as plain values, as the store and `threadmill report --json` write it."""
        return asdict(self) | {"share": self.share, "sentence": self.sentence}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Read what `as_dict` wrote."""
        values: dict[str, Any] = {
            name: tuple(AccountLine(**line) for line in record[name]) for name in ("boards", "threads")
        }
        values |= {name: tuple(record[name]) for name in ("sources", "notes")}
        values |= {name: record[name] for name in ("verdict", "kept", "claimed", "short_threads")}
        return cls(**values)
