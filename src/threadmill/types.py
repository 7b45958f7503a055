"""The nouns of Threadmill: frozen values that rooms hand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from enum import StrEnum
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Capture:
    """What a server answered to one request, as it is kept for good."""

    url: str
    at: datetime  # aware, UTC
    status: int
    headers: tuple[tuple[str, str], ...]
    payload: bytes  # transfer and content encoding removed
    source: str = ""  # where it was read from: "file.warc.gz:offset", a path, "http"

    def header(self, name: str) -> str | None:
        """The first value of a header, by name in any case."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def content_type(self) -> str:
        """The media type without parameters, in lower case; empty when not said."""
        return (self.header("content-type") or "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer as they went over the wire: what the archive keeps."""

    url: str
    at: datetime  # aware, UTC: when the request was sent
    request_head: bytes  # request line and headers, ending in an empty line
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]  # as received
    body: bytes  # as received: content encoding kept, transfer encoding removed
    remote_address: str = ""
    truncated: str = ""  # "length" or "time" when the body was cut by our limits, "disconnect" by the peer


@dataclass(frozen=True, slots=True)
class Location:
    """Where the archive keeps a record."""

    file: str  # name relative to the archive directory
    offset: int
    length: int
    digest: str  # of the payload: "sha1:BASE32", as WARC writes it


class Link(NamedTuple):
    """A link or an image where it stands in a paragraph's text; a tuple, because pages have hundreds."""

    url: str
    text: str
    start: int  # character offsets in the paragraph's text; start == end for an image without text
    end: int
    kind: str = "link"  # "link" or "image"


class ParagraphClass(StrEnum):
    """jusText's four judgements of a paragraph."""

    GOOD = "good"
    BAD = "bad"
    SHORT = "short"
    NEAR_GOOD = "near-good"


class Paragraph(NamedTuple):
    """One block of a page's text, with its judgement and the reason for it; a tuple, as links are."""

    text: str
    kind: str  # p, h1…h6, li, td, th, dt, dd, pre, blockquote, caption …
    path: str  # tag path from the root, e.g. "html.body.div.p"
    links: tuple[Link, ...] = ()
    verdict: ParagraphClass = ParagraphClass.GOOD
    reason: str = ""
    language: str = ""
    html: str = ""


class Precision(StrEnum):
    """How exactly a moment was said; a date shown to the day is not midnight."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    HOUR = "hour"
    MINUTE = "minute"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, perhaps with a time and a zone, as precise as it was said."""

    date: date
    time: time | None = None
    zone: str | None = None  # "+02:00", "UTC" …; None when nothing said so
    precision: Precision = Precision.DAY

    def isoformat(self) -> str:
        """ISO 8601, no more precise than the moment itself."""
        if self.precision is Precision.YEAR:
            return f"{self.date.year:04d}"
        if self.precision is Precision.MONTH:
            return f"{self.date.year:04d}-{self.date.month:02d}"
        if self.time is None:
            return self.date.isoformat()
        timespec = {Precision.HOUR: "hours", Precision.MINUTE: "minutes"}.get(self.precision, "seconds")
        zone = {"UTC": "+00:00", "Z": "+00:00"}.get(self.zone or "", self.zone or "")
        return f"{self.date.isoformat()}T{self.time.isoformat(timespec)}{zone}"


@dataclass(frozen=True, slots=True)
class Quote:
    """A part of a post that repeats somebody else's words."""

    text: str
    author: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """One message of a thread, as a page shows it."""

    text: str  # the author's own words: quotes, signature and edit note apart
    html: str
    author: str | None = None
    author_url: str | None = None
    date: Moment | None = None
    url: str | None = None  # permalink
    post_id: str | None = None  # the site's own id
    position: int | None = None  # 1-based in the thread where known, else on the page
    parent: str | None = None  # post_id of the post it answers, on nested layouts
    quotes: tuple[Quote, ...] = ()
    signature: str = ""
    edit_note: str = ""
    links: tuple[Link, ...] = ()  # links, images and attachments of the body


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """One thread as a row of an index page tells of it."""

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
    # Every number of the row by its column, where the site's addresses are known; see forum.counts.
    numbers: Mapping[str, int] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One sub-board as a row of an index page tells of it."""

    url: str
    title: str
    threads: int | None = None
    posts: int | None = None
    active: Moment | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """One position of a corpus: its form, and whether white space follows it."""

    form: str
    space_after: bool = True
    lemma: str | None = None
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself, each value with where it was found."""

    title: str = ""
    author: str = ""
    date: Moment | None = None
    site_name: str = ""
    canonical_url: str = ""
    description: str = ""
    licence: str = ""
    alternates: tuple[tuple[str, str], ...] = ()  # (hreflang, url)
    schema: tuple[str, ...] = ()  # schema.org types the page says it is about
    sources: dict[str, str] = field(default_factory=dict)  # field name → where it came from


@dataclass(frozen=True)
class Page:
    """A page read: its paragraphs with their judgements, language and metadata.

    Without slots, because clean() gives one that finds its paragraphs and metadata when they are asked for.
    """

    url: str | None
    paragraphs: tuple[Paragraph, ...]
    language: str = ""
    language_confidence: float = 0.0
    encoding: str = ""
    metadata: Metadata = field(default_factory=Metadata)

    @property
    def title(self) -> str:
        """What the page calls itself."""
        return self.metadata.title

    @property
    def text(self) -> str:
        """The good paragraphs, one after the other; a paragraph of several lines keeps them."""
        return "\n".join(paragraph.text for paragraph in self.good if paragraph.text)

    @property
    def good(self) -> tuple[Paragraph, ...]:
        """The paragraphs that are content."""
        return tuple(p for p in self.paragraphs if p.verdict is ParagraphClass.GOOD)
