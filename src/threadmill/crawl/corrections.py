"""Applies what people said about a forum to what is known of it, and tests it on archived pages."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta

from sqlalchemy import Connection

from threadmill.archive import read_at
from threadmill.crawl.forum.knowledge import LayoutKnowledge
from threadmill.errors import ArchiveError, UsageError
from threadmill.forum.read_page import PageAnalysis, extract_index, extract_thread
from threadmill.forum.site_model.corrections import ForumCorrections, correct_model
from threadmill.page.parse.tree import parse
from threadmill.store.crawl.captures import latest_capture
from threadmill.store.forum.corrections import CorrectionRow
from threadmill.store.forum.page_visits import visited_urls
from threadmill.types import Capture, Location, Post
from threadmill.workspace import Workspace

_THREAD_PAGES = 24  # that a correction is tested on
_INDEX_PAGES = 12
_EXAMPLES = 12  # of posts that are read differently
_TEXT = 160  # characters of a text in an example
_log = logging.getLogger("threadmill.crawl")


def join_corrections(rows: Iterable[CorrectionRow]) -> ForumCorrections:
    """All corrections of a forum together. Later ones come first. One that makes no sense is left out."""
    said = ForumCorrections()
    for row in rows:
        try:
            said = said.with_one(row.kind, row.said)
        except UsageError as error:
            _log.warning("%s: a correction was left out: %s", row.url, error)
    return said


def correct_layout(layout: LayoutKnowledge, said: ForumCorrections) -> None:
    """Let corrections win over what was learnt."""
    layout.model = correct_model(layout.model, said)
    layout.refused = frozenset(said.not_boards)


@dataclass(slots=True)
class ReadingCounts:
    """What is read on some archived pages."""

    thread_pages: int = 0
    posts: int = 0
    authors: int = 0  # posts with an author
    names: int = 0  # different authors
    dates: int = 0  # posts with a date
    future: int = 0  # dates after the page was fetched: they are misread
    words: int = 0
    index_pages: int = 0
    threads: int = 0  # links of index pages that lead to threads
    boards: int = 0
    others: int = 0


@dataclass(frozen=True, slots=True)
class ChangedReading:
    """A post that is read differently with a correction."""

    url: str
    part: str
    before: str
    after: str


@dataclass(slots=True)
class CorrectionTest:
    """Counts without and with a correction, over the same archived pages."""

    before: ReadingCounts = field(default_factory=ReadingCounts)
    after: ReadingCounts = field(default_factory=ReadingCounts)
    changed: int = 0  # posts that are read differently
    examples: list[ChangedReading] = field(default_factory=list)

    def counts(self) -> dict[str, dict[str, int]]:
        """The counts as plain data for the store."""
        return {
            "before": asdict(self.before),
            "after": asdict(self.after),
            "changed": {"posts": self.changed},
        }


def load_test_pages(
    workspace: Workspace, connection: Connection, job: int
) -> tuple[list[Capture], list[Capture]]:
    """Archived thread pages and index pages of a forum, spread over what was fetched."""
    found = []
    for kind, most in (("thread", _THREAD_PAGES), ("index", _INDEX_PAGES)):
        urls = visited_urls(connection, job, kind, most)
        captures = (_load(workspace, connection, url) for url in urls)
        found.append([capture for capture in captures if capture is not None])
    return found[0], found[1]


def _load(workspace: Workspace, connection: Connection, url: str) -> Capture | None:
    row = latest_capture(connection, url)
    if row is None or not row.file or row.status != 200:
        return None
    try:
        return read_at(workspace.archive, Location(row.file, row.offset, row.length, row.digest))
    except ArchiveError:
        return None


def try_correction(
    before: LayoutKnowledge, after: LayoutKnowledge, threads: Sequence[Capture], indexes: Sequence[Capture]
) -> CorrectionTest:
    """Read archived pages as they are read now, and with a correction."""
    test = CorrectionTest()
    names: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for capture in threads:
        analysis = _analyse(capture)
        read = [extract_thread(analysis, layout.model.wrapper).posts for layout in (before, after)]
        for counts, posts, seen in zip((test.before, test.after), read, names, strict=True):
            _count_posts(counts, posts, capture, seen)
        _compare(test, capture.url, read[0], read[1])
    for capture in indexes:
        page = extract_index(_analyse(capture))
        urls = [*(row.url for row in page.rows), *(row.url for row in page.boards)]
        _count_links(test.before, before, urls)
        _count_links(test.after, after, urls)
    test.before.names, test.after.names = (len(seen) for seen in names)
    return test


def _analyse(capture: Capture) -> PageAnalysis:
    tree = parse(capture.payload, capture.url, capture.header("content-type") or "")
    return PageAnalysis(tree, capture.at)


def _count_posts(counts: ReadingCounts, posts: Sequence[Post], page: Capture, names: Counter[str]) -> None:
    tomorrow = (page.at + timedelta(days=1)).date().isoformat()
    counts.thread_pages += 1
    counts.posts += len(posts)
    counts.authors += sum(bool(post.author) for post in posts)
    counts.dates += sum(post.date is not None for post in posts)
    counts.future += sum(post.date is not None and post.date.isoformat()[:10] > tomorrow for post in posts)
    counts.words += sum(len(post.text.split()) for post in posts)
    names.update(post.author for post in posts if post.author)


def _compare(test: CorrectionTest, url: str, before: Sequence[Post], after: Sequence[Post]) -> None:
    if len(before) != len(after):
        test.changed += abs(len(before) - len(after))
        return
    for one, other in zip(before, after, strict=True):
        parts = (
            ("author", one.author or "", other.author or ""),
            ("date", one.date.isoformat() if one.date else "", other.date.isoformat() if other.date else ""),
            ("text", one.text, other.text),
        )
        different = [ChangedReading(url, part, a[:_TEXT], b[:_TEXT]) for part, a, b in parts if a != b]
        test.changed += bool(different)
        test.examples += different[: _EXAMPLES - len(test.examples)]


def _count_links(counts: ReadingCounts, layout: LayoutKnowledge, urls: Iterable[str]) -> None:
    counts.index_pages += 1
    for url in urls:
        kind = layout.link_kind(url)
        if kind == "thread":
            counts.threads += 1
        elif kind == "index":
            counts.boards += 1
        else:
            counts.others += 1
