"""The counts of a crawl while it runs, and how it ended: the reason and the exit code."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from threadmill.crawl.forum.account import INCOMPLETE, UNKNOWN
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.types import CrawlAccount

PAGE_LIMIT = "page limit"
TIME_LIMIT = "time limit"
NOTHING_LEFT = "nothing left"
FOR_MEMBERS = "for members only"  # the reason of a problem
CHOSEN_DONE = "what was chosen has been read"
HOST_FAILS = "the host does not answer any more"
BROKEN_OFF = "broken off"  # the store or the archive failed, or the program did
NO_POSTS = "no posts"  # the trouble with a page of a thread on which no post was recognised
FAILED_CODE = 1  # nothing was found, or the host does not answer any more
DOUBTFUL_CODE = 3  # the forum shows no counters, and few of its pages were understood
INCOMPLETE_CODE = 4  # the forum claims more posts than are kept
INTERRUPTED_CODE = 130
_MIN_PAGES = 20  # of a run; fewer prove nothing
_LEAST_POSTS = 0.5  # for each page of a run
_MOST_UNREAD = 0.5  # of the pages of threads: more without a post show that posts were not recognised


@dataclass(slots=True)
class ForumProgress:
    """The counts of one run. The crawl writes them; others only read them."""

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
    known_pages: int = 0  # pages of all boards and threads: what a full recrawl would fetch
    due_boards: int = 0
    due_threads: int = 0
    learning: bool = False  # the structure of the forum is being learnt
    ended: str = ""
    troubles: Counter[str] = field(default_factory=Counter)
    last_trouble: str = ""
    account: CrawlAccount | None = None  # what is kept beside what the forum claims; set at the end

    @property
    def saved(self) -> int:
        """Pages that a full recrawl would have fetched and this run did not."""
        return max(0, self.known_pages - self.pages)

    def add_trouble(self, reason: str, sentence: str) -> None:
        """Count a problem with one page. The crawl goes on."""
        self.troubles[reason] += 1
        self.last_trouble = sentence


def exit_code(progress: ForumProgress) -> int:
    """The exit code of a run; the table is in docs/howto/operator.md."""
    account = progress.account
    kept = account.kept if account else 0
    if progress.ended == INTERRUPTED:
        return INTERRUPTED_CODE
    if progress.ended in {HOST_FAILS, BROKEN_OFF}:
        return FAILED_CODE
    if not (kept or progress.index_pages + progress.thread_pages):
        return FAILED_CODE
    if account is not None and account.verdict == INCOMPLETE:
        return INCOMPLETE_CODE
    if account is not None and not kept and progress.ended == NOTHING_LEFT:
        return FAILED_CODE  # a forum without a single post is a forum that was not understood
    return DOUBTFUL_CODE if is_doubtful(progress) or is_mostly_closed(progress) else 0


def is_mostly_closed(progress: ForumProgress) -> bool:
    """Were at least half as many pages open to members only as pages of threads were read?"""
    return progress.troubles[FOR_MEMBERS] > progress.thread_pages / 2


def is_doubtful(progress: ForumProgress) -> bool:
    """Was a forum hardly understood? Its counters tell nothing, and most of its pages brought no post.

    Even a list of mail with a page for each message has more posts than half of the pages that are read.
    """
    account = progress.account
    if account is None or account.verdict != UNKNOWN or progress.pages < _MIN_PAGES:
        return False
    unread = progress.troubles[NO_POSTS] > _MOST_UNREAD * progress.thread_pages
    return unread or account.kept < _LEAST_POSTS * progress.pages


def stored_counts(progress: ForumProgress) -> dict[str, int]:
    """The counts that the store keeps of a run."""
    return {
        "pages": progress.pages,
        "index pages": progress.index_pages,
        "thread pages": progress.thread_pages,
        "bytes": progress.bytes,
        "new threads": progress.new_threads,
        "new posts": progress.new_posts,
        "edited posts": progress.edited,
        "vanished posts": progress.vanished,
        **{f"trouble: {reason}": count for reason, count in progress.troubles.items()},
    }
