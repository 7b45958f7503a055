"""What a user chose of a forum: boards, threads by URL or title, by their last post, or a number of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import translate

from threadmill.errors import UsageError
from threadmill.forum.link_urls import strip_session
from threadmill.store.forum.forums import BoardState
from threadmill.store.forum.threads import ThreadState
from threadmill.urls import canonicalise

_LONGEST = 500  # characters of a pattern


@dataclass(frozen=True, slots=True)
class CrawlChoice:
    """What to read. What is not chosen stays due: a crawl without a choice reads it later."""

    boards: tuple[str, ...] = ()  # URLs; the boards below them are chosen, too
    include: tuple[str, ...] = ()  # patterns of URLs or titles, of threads or of their boards
    exclude: tuple[str, ...] = ()
    since: str = ""  # ISO date: threads whose row shows an earlier last post are left out
    max_threads: int = 0  # in one run; 0: no limit

    def __bool__(self) -> bool:
        return bool(self.boards or self.include or self.exclude or self.since or self.max_threads)


def read_choice(
    boards: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    since: str = "",
    max_threads: int = 0,
) -> CrawlChoice | None:
    """The choice of a call, checked. None if everything is wanted. `since` is an ISO date."""
    for pattern in (*include, *exclude):
        if not pattern.strip() or len(pattern) > _LONGEST:
            raise UsageError(f"expected a pattern such as '*/cars/*', but got {pattern[:40]!r}")
    urls = tuple(strip_session(canonicalise(url)) for url in boards)
    return CrawlChoice(urls, tuple(include), tuple(exclude), since, max_threads) or None


@dataclass(slots=True)
class ChoiceFilter:
    """Says which due boards and threads of a run are chosen."""

    choice: CrawlChoice
    _boards: dict[int, bool] = field(default_factory=dict)  # board → is it, or one above it, chosen
    _included: dict[int, bool] = field(default_factory=dict)  # board → is it, or one above it, included
    _threads: set[int] = field(default_factory=set)  # read in this run
    _include: Callable[[str], object] = field(init=False)
    _exclude: Callable[[str], object] = field(init=False)

    def __post_init__(self) -> None:
        self._include, self._exclude = _matcher(self.choice.include), _matcher(self.choice.exclude)

    def wants(self, task: BoardState | ThreadState) -> bool:
        """Is a board or thread to be read?"""
        if self._exclude(task.url) or self._exclude(task.title):
            return False
        return self._wants_board(task) if isinstance(task, BoardState) else self._wants_thread(task)

    def note(self, task: BoardState | ThreadState) -> None:
        """A board or thread is read now."""
        if isinstance(task, ThreadState):
            self._threads.add(task.id)

    def _wants_board(self, board: BoardState) -> bool:
        above = board.parent if board.parent is not None else -1
        chosen = strip_session(board.url) in self.choice.boards or self._boards.get(above, False)
        self._boards[board.id] = chosen
        included = bool(self._include(board.url) or self._include(board.title))
        self._included[board.id] = included or self._included.get(above, False)
        return chosen or not self.choice.boards

    def _wants_thread(self, thread: ThreadState) -> bool:
        board = thread.board if thread.board is not None else -1
        if self.choice.boards and not self._boards.get(board, False):
            return False
        own = self._include(thread.url) or self._include(thread.title)
        if self.choice.include and not (own or self._included.get(board, False)):
            return False
        active = thread.said.get("active")
        if self.choice.since and active and str(active) < self.choice.since:
            return False
        limit = self.choice.max_threads
        return not limit or thread.id in self._threads or len(self._threads) < limit

    def ends_list(self, dates: Iterable[str | None]) -> bool:
        """Are all threads of an index page older than wanted? Then those of the next page are, too."""
        known = [date for date in dates if date]
        return bool(self.choice.since and known) and max(known) < self.choice.since


def _matcher(patterns: Sequence[str]) -> Callable[[str], object]:
    """A test for any of the patterns: * stands for any text, and the case does not matter."""
    if not patterns:
        return lambda _: None
    return re.compile("|".join(translate(pattern) for pattern in patterns), re.IGNORECASE).match
