"""Which of a forum's addresses lead to boards and which to threads, judged by what visited ones were."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from threadmill.forum.site_model.link_shapes import group_by_shape
from threadmill.forum.site_model.url_patterns import UrlPattern, learn_patterns, merge_patterns

_SAME = 0.85  # of the links of two pages that are one: a login link may name the page it stands on
_ALL_LISTED = 2  # threads for each board
_NEARLY_ALL = 0.9  # a thread may be answered between the visit to the start page and that to its board
_FEWEST_THREADS = 3  # links to threads that make a list; fewer may be a box of the latest ones


@dataclass(frozen=True, slots=True)
class VisitedPage:
    """A page that was looked at, as far as its address and links go."""

    asked: str
    url: str
    kind: str
    links: Mapping[str, int]  # with the length of their texts
    threads: Sequence[str] = field(default=())  # what its rows call threads
    boards: Sequence[str] = field(default=())
    later: frozenset[str] = frozenset()  # links to other pages of the same list
    days: Mapping[str, str] = field(default_factory=dict)  # of threads: the date their rows show


class UrlGroups:
    """Groups of like addresses, each with the kind of page it leads to."""

    def __init__(self, visited: Sequence[VisitedPage], entry: str) -> None:
        start = next((page for page in visited if page.url == entry), None)
        # Another name of the entry would make lists of whatever is written like it.
        visited = [page for page in visited if page is start or not is_same_page(page, start)]
        self._visited = visited
        self._entry = entry
        seen = {page.asked for page in visited} | {page.url for page in visited}
        lists = [page for page in visited if page.kind != "thread"]
        self._groups = group_by_shape([*seen, *(url for page in lists for url in page.links if url != entry)])
        self._group_of = {url: number for number, urls in enumerate(self._groups) for url in urls}
        self._kinds = self._judge()

    def kind_of(self, url: str) -> str:
        """What pages with such an address turned out to be; empty where none was visited."""
        return self._kinds.get(self._group_of.get(url, -1), "")

    def threads(self) -> tuple[UrlPattern, ...]:
        """The addresses of threads: on each board the wordiest of the groups that lead to threads.

        Links to last posts and single pages lead to threads too, but their texts are dates and numbers.
        The list of boards shows threads by their last posts, so boards are asked first.
        """
        boards = self._index_pages()
        inner = [page for page in boards if page.url != self._entry]
        for pages in (inner, boards):
            best = {
                max(found, key=lambda g: found[g]) for page in pages if (found := self._words(page, "thread"))
            }
            if best:
                return self._patterns(best)
        return learn_patterns(url for page in boards for url in page.threads)

    def boards(self) -> tuple[UrlPattern, ...]:
        """The addresses of boards: groups that lead to lists, shown on the entry or in lists of boards."""
        chosen: set[int] = set()
        start = next((page for page in self._visited if page.url == self._entry), None)
        for page in self._index_pages():
            found = self._words(page, "index")
            chosen |= found.keys() & {self._group_of.get(url, -1) for url in page.boards}
            chosen.discard(self._group_of.get(self._entry, -1))
            if page.url == self._entry:
                chosen |= found.keys() - {self._group_of.get(self._entry, -1)}
        later = frozenset[str]().union(*(page.later for page in self._index_pages()))
        chosen = {group for group in chosen if not later.issuperset(self._groups[group])}
        inner = [page for page in self._index_pages() if page is not start and page.url not in later]
        if start and lists_threads_of_all_boards(
            start, inner, max((len(self._groups[group]) for group in chosen), default=0)
        ):
            return ()
        if chosen:
            return self._patterns(chosen)
        return learn_patterns(
            url for page in self._index_pages() for url in page.boards if self.kind_of(url) in {"", "index"}
        )

    def _judge(self) -> dict[int, str]:
        votes: dict[int, Counter[str]] = defaultdict(Counter)
        for page in self._visited:
            for url in {page.asked, page.url}:
                if url != self._entry:
                    votes[self._group_of[url]][page.kind] += 1
        kinds = {group: _majority(count) for group, count in votes.items()}
        return kinds | dict.fromkeys(self._unseen_lists(kinds), "index")

    def _unseen_lists(self, kinds: Mapping[int, str]) -> set[int]:
        """Pages that look like nothing, but link to threads which the start page does not know."""
        start = next((page for page in self._visited if page.url == self._entry), None)
        common = start.links.keys() if start else set()
        found = set()
        for page in self._visited:
            group = self._group_of[page.url]
            threads = [
                url
                for url, length in page.links.items()
                if length and url not in common and kinds.get(self._group_of.get(url, -1)) == "thread"
            ]
            if kinds.get(group) == "other" and len(threads) >= _FEWEST_THREADS:
                found.add(group)
        return found

    def _index_pages(self) -> list[VisitedPage]:
        """Lists by the majority of their like: a single page may be misread."""
        return [
            page for page in self._visited if page.url == self._entry or self.kind_of(page.url) == "index"
        ]

    def _words(self, page: VisitedPage, kind: str) -> Counter[int]:
        """How much text the page's links to pages of one kind have, group by group."""
        words: Counter[int] = Counter()
        for url, length in page.links.items():
            if length and self.kind_of(url) == kind:
                words[self._group_of[url]] += length
        return words

    def _patterns(self, groups: Collection[int]) -> tuple[UrlPattern, ...]:
        learnt = [pattern for group in sorted(groups) for pattern in learn_patterns(self._groups[group])]
        return merge_patterns(learnt)


def is_same_page(page: VisitedPage, start: VisitedPage | None) -> bool:
    """Is a page the start page under another address?"""
    if start is None or page.kind != start.kind:
        return False
    if start.boards or start.threads:
        return (page.boards, page.threads) == (start.boards, start.threads)
    both, either = page.links.keys() & start.links.keys(), page.links.keys() | start.links.keys()
    return len(both) >= _SAME * len(either)


def lists_threads_of_all_boards(entry: VisitedPage, boards: Sequence[VisitedPage], count: int) -> bool:
    """Does the start page list the threads of all boards itself, so that the boards add nothing?

    A start page that shows the latest thread of each board lists no more threads than there are boards. One
    that lists all of them down to some day has every thread of a board that is younger than that. Where no
    dates are shown the first threads of a board must be on it.
    """
    if entry.boards or len(entry.threads) < _ALL_LISTED * max(1, count):
        return False
    listed = set(entry.threads)
    until = entry.days.get(entry.threads[-1])  # its first rows may be stickies
    if until is not None and any(page.days for page in boards):
        younger = [url for page in boards for url, day in page.days.items() if day > until]
        return bool(younger) and sum(url in listed for url in younger) >= _NEARLY_ALL * len(younger)
    tops = [url for page in boards for url in page.threads[:2]]
    return bool(tops) and listed.issuperset(tops)


def _majority(votes: Counter[str]) -> str:
    told = Counter({kind: count for kind, count in votes.items() if kind != "other"})
    return told.most_common(1)[0][0] if told else "other"
