"""Reads a workspace as material for a corpus: stored threads with their posts, and pages of crawled sites."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.archive.read_tally import ReadTally, RecordPlace
from threadmill.archive.remote_files import AnyFile
from threadmill.config import SETTINGS_FILE
from threadmill.errors import ArchiveError
from threadmill.types import Capture, Link, Location, Post, Quote


@dataclass(frozen=True, slots=True)
class CorpusPost:
    """A post as plain strings, from a page or from the store. Unknown fields are empty."""

    text: str  # the author's own words, without quotes
    author: str = ""
    date: str = ""  # ISO 8601, as precise as the forum showed it
    url: str = ""
    identifier: str = ""  # the forum's own number of the post
    quotes: tuple[Quote, ...] = ()
    links: tuple[Link, ...] = ()  # of the whole post; where they stand is in the HTML
    html: str = ""  # empty without links


def to_corpus_post(post: Post) -> CorpusPost:
    """Convert a post that was read from a page."""
    date = post.date.isoformat() if post.date else ""
    html = post.html if post.links else ""
    return CorpusPost(
        post.text, post.author or "", date, post.url or "", post.post_id or "", post.quotes, post.links, html
    )


if TYPE_CHECKING:
    from threadmill.store import Store
    from threadmill.workspace import Workspace

# A longer thread becomes several documents, so that a document needs some megabytes of memory at most.
_POSTS_PER_DOCUMENT = 500


@dataclass(frozen=True, slots=True)
class CorpusThread:
    """A thread of the store, or one part (up to 500 posts) of a long thread."""

    url: str
    title: str
    board: str
    messages: tuple[CorpusPost, ...]
    part: int = 1

    @property
    def payload(self) -> bytes:
        """The text as bytes, so that a thread can be counted and grouped like a page."""
        return "\n".join(message.text for message in self.messages).encode("utf-8", "replace")


def is_workspace(path: AnyFile) -> bool:
    """Whether a directory is a Threadmill workspace."""
    return isinstance(path, Path) and (path / SETTINGS_FILE).is_file()


def read_workspace(root: Path, tally: ReadTally) -> Iterator[Capture | CorpusThread]:
    """The threads of a workspace, then the newest capture of every page of its crawled sites.

    Without its database, all pages of its archive.
    """
    from threadmill.archive.warc_reader import read_captures
    from threadmill.store import open_store_for_reading
    from threadmill.workspace import lost_database, open_workspace

    workspace = open_workspace(root)
    if lost_database(workspace):
        yield from read_captures(workspace.archive, tally)
        return
    with closing(open_store_for_reading(workspace.store_url)) as store:
        yield from _threads(store, tally)
        yield from _pages(store, workspace, tally)


def _threads(store: Store, tally: ReadTally) -> Iterator[CorpusThread]:
    from threadmill.store.forum.posts import read_posts

    with store.reading() as connection:
        for _, rows in groupby(read_posts(connection), key=lambda row: row.thread):
            for part, group in groupby(enumerate(rows), key=lambda row: row[0] // _POSTS_PER_DOCUMENT):
                posts = [row for _, row in group]
                tally.records += 1
                tally.captures += 1
                first = posts[0]
                messages = tuple(map(_to_corpus_post, posts))
                yield CorpusThread(
                    first.thread_url, first.thread_title, first.board_url or "", messages, part + 1
                )


def _to_corpus_post(row: Any) -> CorpusPost:
    quotes = tuple(Quote(quote["text"], quote["author"], quote["url"]) for quote in row.apart["quotes"])
    links = tuple(Link(link["url"], link["text"], 0, 0, link["kind"]) for link in row.apart["links"])
    html = row.html if links else ""
    return CorpusPost(
        row.text, row.author or "", row.date or "", row.url or "", row.post_id or "", quotes, links, html
    )


def _pages(store: Store, workspace: Workspace, tally: ReadTally) -> Iterator[Capture]:
    from threadmill.archive.warc_reader import read_at
    from threadmill.store.crawl.captures import newest_pages

    with store.reading() as connection:
        for row in newest_pages(connection, "site"):
            tally.records += 1
            try:
                capture = read_at(workspace.archive, Location(row.file, row.offset, row.length, row.digest))
            except ArchiveError:
                tally.skip(RecordPlace(row.file, row.offset), "not in the archive any more", damaged=True)
                continue
            tally.captures += 1
            yield capture
