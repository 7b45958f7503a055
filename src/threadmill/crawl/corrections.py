"""Applies what people said about a forum to what is known of it, and tests it on archived pages.

The console and the command `threadmill forum correct` are two doors to this.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise

from sqlalchemy import Connection

from threadmill.archive import read_at
from threadmill.config import parse_toml
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.dates import parse_date
from threadmill.errors import ArchiveError, NothingFoundError, OldModelError, UsageError
from threadmill.forum.read_page import PageAnalysis, extract_index, extract_thread
from threadmill.forum.site_model.corrections import KINDS, ForumCorrections, correct_model, write_place
from threadmill.forum.site_model.model import ForumModel
from threadmill.page.parse.tree import parse
from threadmill.store.crawl.captures import latest_capture
from threadmill.store.forum.browsing import forum_job_url, load_forum
from threadmill.store.forum.corrections import (
    CorrectionRow,
    add_correction,
    corrections_of,
    remove_correction,
    stop_boards,
)
from threadmill.store.forum.page_visits import visited_urls
from threadmill.types import Capture, Location, Post
from threadmill.workspace import Workspace

_THREAD_PAGES = 24  # that a correction is tested on
_INDEX_PAGES = 12
_LEAST_KEPT = 0.9  # of what was read before; a correction drops a wrong post or two, not a tenth of all
_LONGEST_NAME = 6  # words
_EXAMPLES = 12  # of posts that are read differently
_TEXT = 160  # characters of a text in an example
_log = logging.getLogger("threadmill.crawl")
COUNT_WORDS = {
    "thread_pages": "thread pages read",
    "posts": "posts",
    "authors": "posts with an author",
    "names": "different authors",
    "odd_names": "odd authors",
    "dates": "posts with a date",
    "future": "dates in the future",
    "falls": "dates out of order",
    "words": "words",
    "index_pages": "index pages read",
    "threads": "links to threads",
    "boards": "links to boards",
    "others": "links to other pages",
}


def join_corrections(rows: Iterable[CorrectionRow]) -> ForumCorrections:
    """All corrections of a forum together. Later ones come first. One that makes no sense is left out."""
    said = ForumCorrections()
    for row in rows:
        try:
            said = said.with_one(row.kind, row.said)
        except UsageError as error:
            _log.warning("%s: a correction was left out: %s", row.url, error)
    return said


def join_pairs(given: Iterable[tuple[str, Sequence[str]]]) -> ForumCorrections:
    """Corrections of a file together. Later ones come first."""
    said = ForumCorrections()
    for kind, values in given:
        said = said.with_one(kind, values)
    return said


def keep_corrections(
    connection: Connection,
    number: int,
    given: Sequence[tuple[str, tuple[str, ...]]],
    test: CorrectionTest,
    at: datetime,
) -> None:
    """Let a forum have these corrections and no others."""
    url = forum_job_url(connection, number) or ""
    dropped, fresh = compare_corrections(connection, number, given)
    for row in dropped:
        remove_correction(connection, url, row.id)
    for kind, values in fresh:
        add_correction(connection, url, kind, values, test.counts(), who="command line", at=at)
        if kind == "not boards":
            stop_boards(connection, number, values)


def correct_layout(layout: LayoutKnowledge, said: ForumCorrections) -> None:
    """Let corrections win over what was learnt."""
    layout.model = correct_model(layout.model, said)
    layout.refused = frozenset(said.not_boards)
    layout.told_zone = said.time_zone


@dataclass(slots=True)
class ReadingCounts:
    """What is read on some archived pages."""

    thread_pages: int = 0
    posts: int = 0
    authors: int = 0  # posts with an author
    names: int = 0  # different authors
    odd_names: int = 0  # posts whose author looks like a date, a number or a sentence
    dates: int = 0  # posts with a date
    future: int = 0  # dates after the page was fetched: they are misread
    falls: int = 0  # dates before that of the post above; where the newest posts come first, nearly all
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


def check_corrections(
    workspace: Workspace, connection: Connection, number: int, fresh: ForumCorrections
) -> CorrectionTest:
    """Read archived pages of a forum with its corrections as they are, and with others."""
    found, url = load_forum(connection, number), forum_job_url(connection, number)
    if found is None or url is None:
        raise NothingFoundError("there is no such forum in this workspace")
    try:
        layout = ForumKnowledge.from_json(found[2]).layout
    except OldModelError:
        raise NothingFoundError(
            f"the next crawl learns this forum again, so there is nothing to check corrections with; "
            f"crawl it, then correct it: threadmill crawl {url} --workspace {workspace.root}"
        ) from None
    if layout.model.wrapper is None and (fresh.authors or fresh.dates or fresh.texts or fresh.date_order):
        raise UsageError(
            "no wrapper was learnt for this forum, so the parts of its posts cannot be corrected"
        )
    kept = join_corrections(corrections_of(connection, url))
    threads, indexes = load_test_pages(workspace, connection, found[0])
    return try_correction(_corrected(layout, kept), _corrected(layout, fresh), threads, indexes)


def _corrected(layout: LayoutKnowledge, said: ForumCorrections) -> LayoutKnowledge:
    own = copy(layout)
    correct_layout(own, said)
    return own


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
    counts.odd_names += sum(_is_no_name(post.author, page.at) for post in posts if post.author)
    dates = [post.date.isoformat()[:10] for post in posts if post.date is not None]
    counts.falls += sum(later < earlier for earlier, later in pairwise(dates))
    names.update(post.author for post in posts if post.author)


def _is_no_name(author: str, at: datetime) -> bool:
    """Does what was read as an author look like a date, a number or a sentence?"""
    if len(author.split()) > _LONGEST_NAME or not any(map(str.isalpha, author)):
        return True
    return any(map(str.isdigit, author)) and parse_date(author, at) is not None


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


def why_worse(test: CorrectionTest, fresh: Sequence[tuple[str, tuple[str, ...]]] = ()) -> str:
    """Why corrections seem wrong: what they read less than before. Empty if nothing speaks against them.

    `fresh` are those that the forum does not have yet.
    """
    before, after = test.before, test.after
    if not test.changed and any(kind in {"author", "date", "text"} for kind, _ in fresh):
        return "with them no post on the archived pages is read differently; check the place they name"
    for name in ("posts", "authors", "dates", "words", "threads"):
        old, new = getattr(before, name), getattr(after, name)
        if new < _LEAST_KEPT * old:
            return f"with them there are {new:,} {COUNT_WORDS[name]} on archived pages, before {old:,}"
    if after.future > before.future:
        return f"with them {after.future:,} dates are in the future, before {before.future:,}"
    most = (1 - _LEAST_KEPT) * after.posts
    if after.odd_names > before.odd_names + most:
        told = "authors look like dates, numbers or sentences"
        return f"with them {after.odd_names:,} {told}, before {before.odd_names:,}"
    if after.names == 1 < before.names:
        return f"with them all posts have one author, before there were {before.names:,} different ones"
    if after.falls > before.falls + most:
        return f"with them {after.falls:,} posts are older than the one above, before {before.falls:,}"
    return ""


def compare_corrections(
    connection: Connection, number: int, given: Sequence[tuple[str, tuple[str, ...]]]
) -> tuple[list[CorrectionRow], list[tuple[str, tuple[str, ...]]]]:
    """The corrections that a forum has and that are not among these, and those of these that it has not."""
    rows = corrections_of(connection, forum_job_url(connection, number) or "")
    known = {(row.kind, row.said) for row in rows}
    return [row for row in rows if (row.kind, row.said) not in given], [g for g in given if g not in known]


def write_corrections(entry: str, model: ForumModel | None, rows: Sequence[CorrectionRow]) -> str:
    """The model of a forum as comments, and its corrections, as TOML that `read_corrections` reads.

    Without a model, the next crawl learns the forum again: a correction was taken back.
    """
    if model is None:
        lines = [f"# The next crawl learns {entry} again. These corrections will hold then."]
    else:
        lines = _describe_model(model)
    lines += ["#", f"# Kinds of corrections: {', '.join(KINDS)}", "# For example:", "#"]
    lines += ["# [[correction]]", '# kind = "date order"', '# values = ["dmy"]', ""]
    for row in rows:
        values = ", ".join(json.dumps(value, ensure_ascii=False) for value in row.said)
        lines += ["[[correction]]", f"kind = {json.dumps(row.kind)}", f"values = [{values}]", ""]
    return "\n".join(line.rstrip() for line in lines)


def _describe_model(model: ForumModel) -> list[str]:
    lines = [
        f"# The model of {model.entry}, as it was learnt. Only the corrections below can be changed.",
        "#",
    ]
    for name, family in (("threads", model.threads), ("boards", model.boards)):
        lines += [f"# {name}: {pattern}" for pattern in family.patterns]
        if family.per_page:
            lines.append(f"# {name}: {family.per_page} on a full page")
    if model.wrapper is not None:
        for part, keys in (("author", model.wrapper.authors), ("date", model.wrapper.dates)):
            lines += [f"# {part} of a post: {write_place(key)}" for key in keys]
        lines.append(f"# order of dates: {model.wrapper.order or 'not known'}")
    return lines


def read_corrections(text: str, name: str) -> list[tuple[str, tuple[str, ...]]]:
    """The corrections of a TOML file, checked. Raise UsageError for what makes no sense."""
    try:
        data = parse_toml(text)
    except ValueError as error:
        raise UsageError(f"expected TOML in {name}, but {error}; fix this line") from None
    given = data.pop("correction", [])
    if data or not isinstance(given, list):
        raise UsageError(
            f"expected tables [[correction]] in {name}, but got {next(iter(data), 'correction')}"
        )
    found = []
    for one in given:
        kind, values = (one.get("kind"), one.get("values")) if isinstance(one, dict) else (None, None)
        if not isinstance(kind, str) or not isinstance(values, list) or set(one) - {"kind", "values"}:
            raise UsageError(f'expected kind = "…" and values = ["…"] in each correction of {name}')
        texts = tuple(str(value) for value in values)
        ForumCorrections().with_one(kind, texts)
        found.append((kind, texts))
    return found
