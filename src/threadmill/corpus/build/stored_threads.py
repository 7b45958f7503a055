"""What a workspace holds, as material of a corpus: threads with their posts, and pages of crawled sites."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.archive.read_tally import RecordPlace, ReadTally
from threadmill.config import SETTINGS_FILE
from threadmill.corpus.build.messages import Message
from threadmill.errors import ArchiveError
from threadmill.types import Capture, Location, Quote

if TYPE_CHECKING:
    from threadmill.store import Store
    from threadmill.workspace import Workspace

# A thread that goes on for ever is cut into documents of so many posts: some megabytes at most in memory.
_POSTS_A_DOCUMENT = 500


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread of a forum, or the next five hundred posts of a long one."""

    url: str
    title: str
    board: str
    messages: tuple[Message, ...]
    part: int = 1

    @property
    def payload(self) -> bytes:
        """Its text, so that it can be counted and grouped like a page."""
        return "\n".join(message.text for message in self.messages).encode("utf-8", "replace")


def is_workspace(path: Path) -> bool:
    """Whether a directory is a workspace of ours."""
    return (path / SETTINGS_FILE).is_file()


def stored_documents(root: Path, tally: ReadTally) -> Iterator[Capture | Thread]:
    """The threads of a workspace, then the newest answer to every page of its crawled sites."""
    from threadmill.store import open_store
    from threadmill.workspace import open_workspace

    workspace = open_workspace(root)
    with closing(open_store(workspace.store_url)) as store:
        yield from _threads(store, tally)
        yield from _pages(store, workspace, tally)


def _threads(store: Store, tally: ReadTally) -> Iterator[Thread]:
    from threadmill.store.forum.posts import read_posts

    with store.reading() as connection:
        for _, rows in groupby(read_posts(connection), key=lambda row: row.thread):
            for part, group in groupby(enumerate(rows), key=lambda row: row[0] // _POSTS_A_DOCUMENT):
                posts = [row for _, row in group]
                tally.records += 1
                tally.captures += 1
                first = posts[0]
                messages = tuple(map(_message, posts))
                yield Thread(first.thread_url, first.thread_title, first.board_url or "", messages, part + 1)


def _message(row: Any) -> Message:
    quotes = tuple(Quote(quote["text"], quote["author"], quote["url"]) for quote in row.apart["quotes"])
    return Message(row.text, row.author or "", row.date or "", row.url or "", row.post_id or "", quotes)


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
