"""The verb `index`: paragraphs and posts of corpora, archives and workspaces into a search index."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadmill.corpus.search.entries import SearchEntry
    from threadmill.corpus.search.index import SearchIndex

EXAMPLES = """\
  threadmill index corpus.vert
  threadmill index pages.jsonl posts.jsonl.gz --index my-index
  threadmill index work/forum --index my-index          # the posts of a workspace
  threadmill index crawl.warc.gz --index my-index       # cleaned on the way
"""
_SHOW_EVERY = 500  # entries


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `threadmill index`."""
    parser.add_argument(
        "inputs",
        nargs="+",
        type=Path,
        help="vertical, JSON lines (of clean, posts, vert), WARC, HTML, directories of them, workspaces",
    )
    add_index_argument(parser)
    parser.add_argument("--no-posts", action="store_true", help="thread pages by paragraphs, not by posts")


def add_index_argument(parser: argparse.ArgumentParser) -> None:
    """Where the index is, which `search` asks for too."""
    parser.add_argument(
        "--index",
        type=Path,
        default=Path("threadmill-index"),
        metavar="DIR",
        help="default: threadmill-index",
    )


def run(arguments: argparse.Namespace) -> int:
    """Index what is not in the index yet, or has changed since."""
    from threadmill.corpus.search.index import SearchIndex
    from threadmill.corpus.search.sources import files_of

    files = files_of(arguments.inputs)
    run_ = _Run(SearchIndex(arguments.index, create=True), len(files), posts=not arguments.no_posts)
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status("opening …") as status:
            run_.all(files, status.update)
    else:
        run_.all(files, lambda _: None)
    for text in (run_.line(), *(f"  left out: {n:,} × {why}" for why, n in run_.reasons.most_common())):
        print(text, file=sys.stderr)
    return 0 if len(run_.index) else 1


class _Run:
    """One run over the inputs, with what it has counted."""

    def __init__(self, index: SearchIndex, files: int, *, posts: bool) -> None:
        self.index = index
        self.reasons: Counter[str] = Counter()
        self._posts = posts
        self._files = files
        self._done = self._skipped = self._entries = self._characters = 0
        self._started = time.monotonic()
        self._show: Callable[[str], None] = lambda _: None

    def all(self, files: list[Path], show: Callable[[str], None]) -> None:
        """Every input; one that cannot be read is counted, and the others follow."""
        self._show = show
        try:
            for file in files:
                self._one(file)
        finally:
            self.index.close()

    def _one(self, file: Path) -> None:
        from threadmill.corpus.search.sources import read_entries, stamp_of
        from threadmill.errors import ArchiveError, StoreError, WorkspaceError

        source = str(file.resolve())
        try:
            stamp = stamp_of(file)
            if self.index.is_done(source, stamp):
                self._skipped += 1
            else:
                entries = read_entries(file, self.reasons, posts=self._posts)
                self.index.add(source, stamp, entries, self._count)
        except (ArchiveError, StoreError, WorkspaceError, OSError, EOFError) as error:
            self.reasons[f"unreadable input ({type(error).__name__})"] += 1
        self._done += 1

    def _count(self, entry: SearchEntry) -> None:
        self._entries += 1
        self._characters += len(entry.text)
        if self._entries % _SHOW_EVERY == 0:
            self._show(self.line())

    def line(self) -> str:
        """Where the run is."""
        seconds = max(time.monotonic() - self._started, 0.001)
        return (
            f"{self._done} of {self._files} inputs ({self._skipped} unchanged since the last time), "
            f"{self._entries:,} paragraphs and posts, {self._characters / 1e6:.1f} million characters; "
            f"{self._entries / seconds:,.0f} entries/s"
        )
