"""Which number of a thread's row counts its posts: a column, or two that add up to them."""

from __future__ import annotations

from itertools import combinations

from threadmill.crawl.forum.row_state import Said
from threadmill.crawl.forum.votes import Ballot

NO_COUNTER = "none"  # what the rows count is not posts: views, perhaps
PLUS = " + "  # between two columns that are added up
_TOLD = ("count", "other")  # what the page's own words tell for replies and views
_UNTOLD = 0.05  # of all threads: by so much a column must do better than one that is told
_ENOUGH_COUNTED = 5  # threads; fewer may agree by chance
_EXACT = 0.9  # of the threads: a few posts vanish later, and counters of old engines drift
_COUNTER_VOTES = 4000  # some twenty numbers and sums a thread
_NO_COUNT = 1_000_000_000  # an id


def judge_counters(votes: Ballot, said: Said, posts: int) -> None:
    """A thread was read to its end: which of its row's numbers counts posts, and does it the first?"""
    for name, number in counts_of(said).items():
        apart = posts - number
        answer = apart if apart in {0, 1} else NO_COUNTER
        votes.add(f"{name} {answer}", _COUNTER_VOTES)


def find_counter(votes: Ballot) -> tuple[str, int] | None:
    """The number of a row that has counted posts, and what to add to it; None where none does.

    In short threads any small number seems to count posts, so the misses decide between two that do. A
    column that the page's words do not tell for one of replies, or two that add up to them (answers and
    comments), must do clearly better than one that they do.
    """
    best: tuple[float, str, int] | None = None
    for name in {answer.rpartition(" ")[0]: None for answer in votes.votes}:
        told = name in _TOLD
        share, hits, offset = _share_of_hits(votes, name)
        if hits < (1 if told else _ENOUGH_COUNTED):
            continue
        worth = share - _UNTOLD * (1 if told else 2 if PLUS not in name else 3) - 0.001 * (name != "count")
        if share > 1 / 3 and (best is None or worth > best[0]):
            # of views hardly one fits; answers without their comments do often
            best = worth, name, offset
    return best[1:] if best else None


def is_exact(votes: Ballot) -> bool:
    """Has that number hardly ever been off, so that a difference means unseen posts?"""
    counter = find_counter(votes)
    if counter is None:
        return False
    share, hits, _ = _share_of_hits(votes, counter[0])
    return hits >= _ENOUGH_COUNTED and share >= _EXACT


def counts_of(said: Said) -> dict[str, int]:
    """Everything of a row that may count posts: its two told numbers, its columns, and columns in pairs."""
    told = {"count": said.count, "other": said.other}
    counts = {name: number for name, number in told.items() if number is not None}
    columns = sorted((name, number) for name, number in said.numbers.items() if number < _NO_COUNT)
    counts |= columns
    counts |= {f"{one}{PLUS}{other}": a + b for (one, a), (other, b) in combinations(columns, 2)}
    return counts


def _share_of_hits(ballot: Ballot, name: str) -> tuple[float, int, int]:
    votes = ballot.votes
    offset = max((0, 1), key=lambda apart: votes[f"{name} {apart}"])
    hits = votes[f"{name} {offset}"]
    misses = votes[f"{name} {1 - offset}"] + votes[f"{name} {NO_COUNTER}"]
    return (hits / (hits + misses) if hits else 0.0), hits, offset
