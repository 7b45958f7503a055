"""Compares the posts that are kept with those that the forum claims, board by board and thread by thread.

Forums say how much they have: in the rows of boards and threads, in pagers, in statistics boxes. A counter is
believed once it was right somewhere. Where nothing is claimed, the account is "unknown" and never "complete".
It is "incomplete" where threads show text of their own that no post has, unless these are few and the counter
of their board is right to the post, and where links were not followed although links like them lead to posts.
A post without a word or a picture is no post that is kept. A row proves something about the time when it was
seen: the rows of threads overrule that of their board only if they were seen since.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sqlalchemy import Connection

from threadmill.crawl.forum.account_claims import (
    ENOUGH,
    MIN_RIGHT,
    BoardCounters,
    BoardHolding,
    ThreadClaims,
    hold_boards,
)
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.forum.rows.row_state import (
    CLOSED,
    COMPARED_IN,
    EMPTY_THREAD,
    LIST_END,
    NOTES_ON_EMPTY_BOARDS,
    SHOWN_BY,
    SKIPS,
    SURPLUS,
    UNSEEN_NEWS,
    RowState,
)
from threadmill.store.forum.accounts import ThreadHolding, thread_holdings
from threadmill.store.forum.activity import all_boards
from threadmill.store.forum.forums import BoardState, change_board
from threadmill.types import UNREAD_TEXT, AccountLine, CrawlAccount

COMPLETE, INCOMPLETE, UNKNOWN = "complete", "incomplete", "unknown"
_ALL = 0.995  # where the rows of threads count exactly, and name the threads that lack posts
_MOST_THREADS = 1000  # threads with missing posts that an account names
_MOST_NAMED = 5  # boards that a note names
_FAR_TOO_FEW = 0.5  # of the claimed posts: even a counter that was never right is a warning
# Why a board is closed to guests. A page with much text and no rows may be one that was not understood.
_SHUT = re.compile(r"status \d+|robots|forbidden|login|message|empty shell")
_SHUT_WORDS = {"login": "asks to log in", "message": "shows a message", "robots": "closed by robots.txt"}
_FEW_FROM_BOX = 0.1  # of the posts of a board (set by hand): a box of the latest threads shows no more
_UNREAD = "its page shows text of its own that no post has"
_LIKELY = 0.05  # chance of unseen news (set by hand); below it, a list counts as read


def take_account(connection: Connection, forum: int, knowledge: ForumKnowledge) -> CrawlAccount:
    """The account of a forum as it is stored now."""
    threads = list(thread_holdings(connection, forum))
    return settle(all_boards(connection, forum), threads, knowledge)


def note_surplus(connection: Connection, forum: int, knowledge: ForumKnowledge) -> None:
    """Note by how much rows of boards count too many posts, where this crawl has proved it.

    The next crawls see only the rows at the top of a list again. They believe the proof of this one.
    """
    boards, threads = all_boards(connection, forum), list(thread_holdings(connection, forum))
    account = _open_account(boards, threads, threads, knowledge)
    for one in account.holdings:
        surplus = account.find_surplus(one)
        if surplus != one.board.said.get(SURPLUS, 0):
            change_board(connection, one.board.id, said={**one.board.said, SURPLUS: surplus})


def settle(
    boards: Sequence[BoardState], threads: Sequence[ThreadHolding], knowledge: ForumKnowledge
) -> CrawlAccount:
    """The account of stored boards and threads."""
    lost = _find_lost_boards(boards)
    shown = [one for one in threads if one.board not in lost]
    account = _open_account([one for one in boards if one.id not in lost], shown, threads, knowledge)
    for board in lost.values():
        kept = sum(one.kept for one in threads if one.board == board.id)
        account.note(f"the forum no longer shows {board.title or board.url}: {kept:,} posts of it are kept")
    found = account.close(shown)
    if found.verdict == INCOMPLETE and any(one.hollow for one in threads):
        full = [replace(one, kept=one.kept - one.hollow, hollow=0) for one in threads]
        if (without := settle(boards, full, knowledge)).verdict == COMPLETE:  # they are no posts at all
            return without
    return found


def _open_account(
    boards: Sequence[BoardState],
    shown: Sequence[ThreadHolding],
    threads: Sequence[ThreadHolding],
    knowledge: ForumKnowledge,
) -> _Account:
    """An account of boards and the threads that they show."""
    claims = ThreadClaims(knowledge, threads)
    holdings = hold_boards(boards, shown, claims)
    known = {one.id for one in boards}
    counters = BoardCounters(holdings, sum(one.board not in known for one in threads))
    exact = frozenset[int]() if claims.exact else counters.find_exact()
    claims = ThreadClaims(knowledge, threads, exact, counters.find_most())
    holdings = hold_boards(boards, shown, claims)
    return _Account(holdings, counters, claims, knowledge)


def _find_lost_boards(boards: Sequence[BoardState]) -> dict[int, BoardState]:
    """Boards whose row is gone from the page that used to show it, although it shows other boards.

    A board that was read since then is there: only its row could not be read.
    """
    latest: dict[object, int] = {}  # by board, the last run that compared a row of its page
    for one in boards:
        above, run = one.said.get(SHOWN_BY), one.said.get(COMPARED_IN)
        if isinstance(run, int):
            latest[above] = max(run, latest.get(above, 0))
    return {
        one.id: one
        for one in boards
        if isinstance(run := one.said.get(COMPARED_IN), int)
        and SKIPS not in one.said
        and max(run, one.visited_run or 0) < latest[one.said.get(SHOWN_BY)]
    }


def _count_empty_threads(threads: Sequence[ThreadHolding]) -> int:
    """Threads whose pages came without posts. 0 if they are so few that they may be deleted or empty."""
    empty = sum(not one.kept and (one.empty or bool(one.said.get(EMPTY_THREAD))) for one in threads)
    return empty if empty > (1 - ENOUGH) * len(threads) else 0


class _Account:
    """Joins the claims of boards, threads and the statistics box."""

    def __init__(
        self,
        holdings: Sequence[BoardHolding],
        counters: BoardCounters,
        claims: ThreadClaims,
        knowledge: ForumKnowledge,
    ) -> None:
        self.holdings = holdings
        self._counters = counters
        self._claims = claims
        self._stated = knowledge.site.stated_posts
        self._longest_list = knowledge.layout.longest_list
        self._sources: dict[str, None] = {}
        self._notes: list[str] = []
        self._overruled = 0
        self._open_lists: list[BoardHolding] = []  # boards without a claim whose lists may go on
        self._unconfirmed: list[BoardHolding] = []  # boards without threads whose numbers may count anything
        self._doubtful = False  # do posts miss by counters that were never right
        self._texts = knowledge.site.unread
        self._unread: set[str] = set()  # threads with text of their own that no post has
        self._unfollowed = knowledge.site.unfollowed
        self._empty_threads = 0

    def note(self, sentence: str) -> None:
        """Add a note."""
        self._notes.append(sentence)

    def close(self, threads: Sequence[ThreadHolding]) -> CrawlAccount:
        """Make the account."""
        self._unread = self._find_unread(threads)
        self._empty_threads = _count_empty_threads(threads)
        lines = [self._board_line(one) for one in self.holdings]
        known = {one.board.id for one in self.holdings}
        loose = [one for one in threads if one.board not in known]
        kept = sum(one.kept for one in threads)
        claims = [line.claimed for line in lines if line.claimed is not None]
        if "board rows" not in self._sources:  # otherwise the boards claim them too
            claims += [claim for one in loose if (claim := self._claims.of(one)) is not None]
        claimed = max(sum(claims), kept) if any(claims) else None
        short = sorted(self._short_threads(threads), key=lambda line: -line.missing)
        if claimed is not None and not short:
            claimed = max(kept, min(claimed, self._sum_of_rows()))
        claimed = self._with_hidden(lines, kept, claimed)
        claimed = self._with_stated(kept, claimed)
        hollow = sum(one.hollow for one in threads)
        verdict = INCOMPLETE if self._unread or self._unfollowed else self._judge(kept, claimed, short)
        if hollow > (1 - ENOUGH) * kept:
            verdict, claimed, kept = INCOMPLETE, max(claimed or 0, kept), kept - hollow
            self._notes.append(f"{hollow:,} of the posts that are kept have neither words nor pictures")
        if self._unread and (claimed is None or claimed < kept + len(self._unread)):
            claimed = kept + len(self._unread)  # one post for each thread that was looked at
            self._sources[UNREAD_TEXT] = None
        if self._unfollowed:
            claimed = max(claimed or 0, kept + self._unfollowed)  # one post for each link
            self._notes.append(
                f"{self._unfollowed:,} links of lists were not followed; links like them lead to posts"
            )
        if verdict == INCOMPLETE and claimed is not None:
            self._name_losses(lines, short, claimed - kept)
        if self._overruled:
            self._notes.append(
                f"boards whose rows claim more posts than there are: {self._overruled}; their lists were "
                "read to the end, and their threads have all posts that the rows of the threads claim"
            )
        return CrawlAccount(
            verdict,
            kept,
            claimed,
            tuple(self._sources),
            tuple(lines),
            tuple(short[:_MOST_THREADS]),
            len(short),
            tuple(self._notes),
        )

    def _find_unread(self, threads: Sequence[ThreadHolding]) -> set[str]:
        """The threads with text of their own that no post has, unless a counter proves that none is missing.

        Where a layout hides its first posts, most threads show such text, and a counter of replies may be
        right. Where a few show it, no counter of a board can be right to the post while these lack one. Nor
        can a counter of replies be just one below the posts of a thread that lacks its first post.
        """
        found = self._texts.find_threads()
        if self._claims.exact_replies:
            rest = found - {one.url for one in threads if self._claims.of(one) == one.kept}
            # Where most of these threads lack nothing, the text of the others is of the same kind.
            found = rest if 2 * len(rest) > len(found) else set()
        if 2 * len(found) > len(self._texts.threads) or not self._counters.believed:
            return found
        exact = self._counters.find_exact()
        return found - {one.url for one in threads if one.board in exact}

    def _sum_of_rows(self) -> int:
        """The posts that the rows of all boards claim together, where some threads may be kept with others.

        A box of the latest threads may have shown a thread before its board did.
        """
        claims = ((self._counters.own_claim(one), one.kept) for one in self.holdings)
        return sum(kept if claim is None else claim for claim, kept in claims)

    def _board_line(self, one: BoardHolding) -> AccountLine:
        by_row = self._counters.own_claim(one)
        by_threads = one.claimed_by_threads if one.threads and one.unknown_threads < one.threads else None
        claimed = by_threads
        is_open = bool(one.threads) and not self._has_ended(one)
        if by_row and self._is_unconfirmed(one):
            self._unconfirmed.append(one)
            by_row = None
        if by_row is not None and not self._is_overruled(one, by_row):
            claimed = max(by_row, by_threads or 0)
            self._sources["board rows"] = None
            self._doubtful |= not self._counters.believed and by_row > (by_threads or one.kept)
            is_open &= by_row < ENOUGH * one.kept  # it counts threads or people, which ends no list
        if is_open:
            self._open_lists.append(one)
        if by_threads is not None:
            self._sources["thread rows"] = None
        reason = one.board.said.get(CLOSED, "")
        if claimed is not None:
            claimed = max(claimed, one.kept)
        return AccountLine(one.board.url, one.board.title, one.kept, claimed, reason)

    def _is_overruled(self, one: BoardHolding, by_row: int) -> bool:
        """Is the row of a board wrong, by its threads and the end of its list?"""
        wrong = by_row > one.kept / ENOUGH and 0 < by_row - one.kept <= self.find_surplus(one)
        self._overruled += wrong
        return wrong

    def _is_unconfirmed(self, one: BoardHolding) -> bool:
        """Is a number beside a link all that says that a page without threads is a board with posts?

        The number may be a year, and the page may be one about the rules. Numbers beside other boards were
        never right, while those of threads are.
        """
        is_list = one.threads or one.kept or one.below or _SHUT.fullmatch(one.board.said.get(CLOSED, ""))
        looked = one.board.visited_run is not None and one.board.due is None
        return looked and not is_list and not self._counters.believed and self._claims.exact

    def find_surplus(self, one: BoardHolding) -> int:
        """The posts that the row of a board counts too many: they are in none of its threads.

        All rows of its list must have been seen since its own row, now or in an earlier crawl. And the row
        must not count more threads than are kept: then the posts are in those that no list showed.
        Nor must the rows of all boards count about one post more for each thread: then each thread lacks one.
        """
        whole = one.claimed_by_threads <= one.kept / ENOUGH and not one.unknown_threads
        proved = bool(one.kept) and self._has_ended(one) and whole and self._claims.exact
        if not proved or self._counters.lacking.get(one.board.id) or self._counters.counts_one_more_each:
            return 0
        if one.stale_threads:
            return int(one.board.said.get(SURPLUS, 0))
        return max(0, (self._counters.own_claim(one) or 0) - one.kept)

    def _has_ended(self, one: BoardHolding) -> bool:
        """Was the last page of a board read, by its links or because it is shorter than other pages?"""
        end = one.board.said.get(LIST_END)
        return end in {"pager", "links"} or (isinstance(end, int) and end < self._longest_list)

    def _with_hidden(self, lines: Sequence[AccountLine], kept: int, claimed: int | None) -> int | None:
        """The claimed posts without those of boards that are closed to guests."""
        pairs = zip(self.holdings, lines, strict=True)
        closed = [line for one, line in pairs if line.claimed and _is_closed_to_guests(one, line.claimed)]
        hidden = sum(line.missing for line in closed)
        if claimed is None or not hidden or hidden == claimed:
            return claimed
        names = ", ".join(
            f"{line.title or line.url} ({_SHUT_WORDS.get(line.reason, line.reason)})"
            for line in closed[:_MOST_NAMED]
        )
        self._notes.append(f"about {hidden:,} posts are not open to guests: {names}")
        return max(claimed - hidden, kept)

    def _with_stated(self, kept: int, claimed: int | None) -> int | None:
        """The claimed posts. The statistics box counts if nothing else does, or if it is right."""
        stated = self._stated
        if stated is None:
            return claimed
        if stated and abs(stated - kept) <= (1 - ENOUGH) * stated and kept >= MIN_RIGHT:
            self._sources["statistics box"] = None
            if not self._claims.believed and not self._counters.believed:
                return max(kept, stated)  # the numbers of rows were never right, this one is
        elif claimed is None and stated >= ENOUGH * kept:  # a smaller number counts something else
            self._sources["statistics box"] = None
            self._doubtful = True
            return stated
        return claimed

    def _judge(self, kept: int, claimed: int | None, short: Sequence[AccountLine]) -> str:
        if claimed is None:
            self._has_unseen_news()
            return UNKNOWN
        right = self._claims.believed or self._counters.believed or "statistics box" in self._sources
        in_threads = sum(line.missing for line in short)
        lacks_few = self._claims.exact and min(in_threads, claimed - kept) > (1 - _ALL) * claimed
        if kept >= ENOUGH * claimed and not lacks_few:
            unproved = (
                self._lists_may_go_on(kept)
                or self._lacks_threads()
                or self._has_unseen_news()
                or self._has_empty_threads()
                or self._has_resting_boards()
            )
            return COMPLETE if right and not unproved else UNKNOWN
        if self._doubtful and kept > _FAR_TOO_FEW * claimed and in_threads <= (1 - ENOUGH) * claimed:
            return UNKNOWN
        return INCOMPLETE

    def _lists_may_go_on(self, kept: int) -> bool:
        """Do only the listed threads claim anything, while nothing tells that their lists have ended?"""
        open_posts = sum(one.kept for one in self._open_lists)
        if "statistics box" in self._sources or open_posts <= (1 - ENOUGH) * kept:
            return False
        names = ", ".join(one.board.title or one.board.url for one in self._open_lists[:_MOST_NAMED])
        self._notes.append(f"nothing tells whether these lists of threads have ended: {names}")
        return True

    def _lacks_threads(self) -> bool:
        """Do rows of boards count more threads than are kept?"""
        if not self._counters.lacks_many or "statistics box" in self._sources:
            return False
        names = [
            f"{one.board.title or one.board.url} ({one.threads:,} of {one.threads + lacking:,})"
            for one in self.holdings
            if (lacking := self._counters.lacking.get(one.board.id))
        ]
        self._notes.append(f"rows of boards count more threads than are kept: {_join(names)}")
        return True

    def _has_unseen_news(self) -> bool:
        """May old threads have news, in lists by creation that were not read whole?"""
        if self._counters.believed or "statistics box" in self._sources:
            return False
        likely = [one for one in self.holdings if one.board.said.get(UNSEEN_NEWS, 0.0) > _LIKELY]
        if likely:
            names = ", ".join(one.board.title or one.board.url for one in likely[:_MOST_NAMED])
            self._notes.append(f"old threads of these lists were not looked at, and may have news: {names}")
        return bool(likely)

    def _has_empty_threads(self) -> bool:
        """Do pages that were listed as threads show no posts, while nothing counts the posts of boards?"""
        if not self._empty_threads or self._counters.believed or "statistics box" in self._sources:
            return False
        self._notes.append(f"{self._empty_threads:,} pages that lists show as threads show no posts")
        return True

    def _has_resting_boards(self) -> bool:
        """Were boards without threads not looked at again, while nothing would tell of their first thread?

        Or do numbers beside links count the posts of pages that are no lists?
        """
        names = [one.board.title or one.board.url for one in self._unconfirmed]
        if names:
            self._notes.append(f"pages without threads whose links have numbers beside them: {_join(names)}")
        if self._counters.believed or "statistics box" in self._sources:
            return bool(names)
        resting = [one.board for one in self.holdings if self._is_resting(one)]
        if resting:
            self._notes.append(
                "boards without threads that were not looked at again: "
                + _join([board.title or board.url for board in resting])
            )
        return bool(names or resting)

    def _is_resting(self, one: BoardHolding) -> bool:
        """May a board have got its first thread since it was last looked at? A counter of 0 would tell."""
        said = one.board.said
        if SKIPS not in said or one.threads or one.below or _SHUT.fullmatch(said.get(CLOSED, "")):
            return False
        latest = max(each.board.visited_run or 0 for each in self.holdings)
        is_zero = {one.row.count, one.row.other} - {None} == {0} and one.row.active is None
        return one.row != RowState() and not is_zero and (one.board.visited_run or 0) < latest

    def _short_threads(self, threads: Iterable[ThreadHolding]) -> Iterator[AccountLine]:
        for one in threads:
            claimed = self._claims.of(one)
            unread = one.url in self._unread and one.kept > 0
            if unread:
                claimed = max(claimed or 0, one.kept + 1)
            if claimed is not None and claimed > one.kept:
                reason = "" if one.kept else "its page shows no posts"
                if unread:
                    reason = _UNREAD
                if one.due and not one.empty:
                    reason = "its page was not read"
                yield AccountLine(one.url, one.title, one.kept, claimed, reason)

    def _name_losses(self, lines: Sequence[AccountLine], short: Sequence[AccountLine], missing: int) -> None:
        """Notes on where posts are missing: in which boards, and on which kind of page."""
        worst = sorted((line for line in lines if line.missing), key=lambda line: -line.missing)
        if worst:
            named = "; ".join(
                f"{line.title or line.url} (kept {line.kept:,} of {line.claimed:,})"
                for line in worst[:_MOST_NAMED]
            )
            more = f"; and {len(worst) - _MOST_NAMED} more boards" if len(worst) > _MOST_NAMED else ""
            self._notes.append(f"posts are missing in: {named}{more}")
        by_reason: dict[str, int] = defaultdict(int)
        for line in short:
            by_reason[line.reason or "its pages show fewer posts than its row claims"] += line.missing
        for reason, count in sorted(by_reason.items(), key=lambda item: -item[1]):
            self._notes.append(f"{count:,} posts in listed threads: {reason}")
        unlisted = missing - sum(by_reason.values())
        if unlisted > 0:
            self._notes.append(f"about {unlisted:,} posts in threads that no list page showed")


def _is_closed_to_guests(one: BoardHolding, claimed: int) -> bool:
    """Was the list of a board never open? A box beside other lists may have shown some of its threads."""
    said = one.board.said
    never_open = one.board.visited_run is None or any(note in said for note in NOTES_ON_EMPTY_BOARDS)
    from_box = never_open and one.kept <= _FEW_FROM_BOX * claimed
    return (not one.kept or from_box) and bool(_SHUT.fullmatch(said.get(CLOSED, "")))


def _join(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_NAMED])
