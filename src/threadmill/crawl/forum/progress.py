"""Where a forum crawl stands; the crawl keeps it, others look at it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class ForumProgress:
    """Counts of one run."""

    started: float = 0.0
    pages: int = 0
    index_pages: int = 0
    thread_pages: int = 0
    bytes: int = 0
    boards: int = 0
    new_threads: int = 0
    new_posts: int = 0
    edited: int = 0
    vanished: int = 0
    known_pages: int = 0  # pages of boards and threads there are: what a full recrawl would fetch
    due_boards: int = 0
    due_threads: int = 0
    ended: str = ""
    troubles: Counter[str] = field(default_factory=Counter)
    last_trouble: str = ""

    @property
    def saved(self) -> int:
        """Pages that a full recrawl would have fetched and this run did not."""
        return max(0, self.known_pages - self.pages)

    def trouble(self, reason: str, sentence: str) -> None:
        """Something went wrong with one page; the crawl goes on."""
        self.troubles[reason] += 1
        self.last_trouble = sentence
