"""What a visited page shows and links to, and whether two pages show the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

_SAME_LINKS = 0.85  # of the links of one page under two URLs: a login link may name the page it stands on
_THREADS_PER_BOARD = 2  # on a start page that lists all threads
_NEARLY_ALL = 0.9  # a thread may be answered between the visit to the start page and that to its board
_MIN_PERMALINKS = 3  # links of one page to itself; fewer may be other views of a list


@dataclass(frozen=True, slots=True)
class VisitedPage:
    """The URL and the links of a page that was fetched."""

    asked: str  # the URL that was asked for, before redirects
    url: str
    kind: str
    links: Mapping[str, int]  # URL → length of the longest text that links it
    threads: Sequence[str] = field(default=())  # URLs of rows that were read as threads
    boards: Sequence[str] = field(default=())
    later: frozenset[str] = frozenset()  # links to other pages of the same list
    days: Mapping[str, str] = field(default_factory=dict)  # thread → the date that its row shows
    places: Mapping[str, str] = field(default_factory=dict)  # URL → the names of the elements around its link
    posts: int = 0  # on a thread page
    next: str | None = None  # the next page of the same list or thread
    confidence: float = 1.0  # in its kind
    answers: frozenset[str] = frozenset()  # URLs of rows whose titles are subjects of answers
    people: frozenset[str] = frozenset()  # on a thread page, URLs that the names of authors link to
    is_notice: bool = False  # it asks to log in or tells of an error, and does not show what it is


def is_same_page(page: VisitedPage, start: VisitedPage | None) -> bool:
    """Whether a page is the start page under another URL."""
    if start is None or page.kind != start.kind:
        return False
    if start.boards or start.threads:  # perhaps in another order
        return all(
            sorted(mine) == sorted(theirs)
            for mine, theirs in ((page.boards, start.boards), (page.threads, start.threads))
        )
    return _are_alike(page.links.keys(), start.links.keys())


def _are_alike(one: Set[str], other: Set[str]) -> bool:
    """Whether two pages have nearly the same links."""
    return len(one & other) >= _SAME_LINKS * len(one | other) > 0


def _show_same_posts(one: Set[str], other: Set[str]) -> bool:
    """Whether two pages have the same links of their own, and enough of them to tell."""
    return len(one & other) >= _MIN_PERMALINKS and _are_alike(one, other)


def _follow_each_other(one: VisitedPage, other: VisitedPage) -> bool:
    """Whether one page is the next of the other. Where buttons name the thread, both have the same links."""
    return other.next in {one.asked, one.url} or one.next in {other.asked, other.url}


def _count_different(pages: Sequence[Set[str]]) -> int:
    """How many of some pages differ in their links."""
    found: list[Set[str]] = []
    for links in pages:
        if not any(_show_same_posts(links, other) for other in found):
            found.append(links)
    return len(found)


def lists_threads_of_all_boards(entry: VisitedPage, boards: Sequence[VisitedPage], count: int) -> bool:
    """Whether the start page lists the threads of all boards itself, so that the boards add nothing.

    `count` is the number of boards. A start page that shows the latest thread of each board lists no more
    threads than there are boards. One that lists all threads down to some day has every thread of a board
    that is younger than this day. If no dates are shown, it must have the first two threads of each board.
    A list without later pages that lacks threads of the boards is a box of the latest threads.
    """
    if entry.boards or len(entry.threads) < _THREADS_PER_BOARD * max(1, count):
        return False
    listed = set(entry.threads)
    goes_on = bool(entry.later or entry.next)
    if not goes_on and not listed.issuperset(url for page in boards for url in page.threads):
        return False
    oldest = entry.days.get(entry.threads[-1])  # the last row: the first rows may be sticky
    if oldest is not None and any(page.days for page in boards):
        younger = [url for page in boards for url, day in page.days.items() if day > oldest]
        return bool(younger) and sum(url in listed for url in younger) >= _NEARLY_ALL * len(younger)
    first_threads = [url for page in boards for url in page.threads[:2]]
    return bool(first_threads) and listed.issuperset(first_threads)


class Permalinks(NamedTuple):
    """What links between the pages of groups of URLs tell about the groups, by their numbers."""

    links: set[int]  # groups of permalinks of posts
    threads: set[int]  # groups of the threads that have these posts
    mirrors: set[tuple[int, int]]  # a group, and one it links that shows its own pages


def find_permalinks(
    visited: Sequence[VisitedPage],
    start: VisitedPage | None,
    group_of: Mapping[str, int],
    voted_threads: Set[int],
) -> Permalinks:
    """Groups of permalinks of posts, and groups of the threads that have these posts.

    A thread links to itself under many URLs, and these show the same page. No row of a list leads to the
    list it stands on, and no two threads show the same page.
    """
    by_url = {page.asked: page for page in visited if page is not start}
    frame = find_frame(visited)
    own = {url: page.links.keys() - frame for url, page in by_url.items()}
    shown, mirrors = _compare_linked_pages(by_url, own, group_of)
    threads = {
        (number, other)
        for (number, other), same in shown.items()
        if len(same) > 1 and all(same) and other in voted_threads
    }
    threads |= _find_redirects_back(visited, start, group_of)
    found = {number for number, _ in threads}
    later = {page.next or "" for page in by_url.values() if group_of[page.asked] in found}
    found |= {group_of[url] for url in later & by_url.keys()}
    links = _find_groups_of_one_page(own, group_of) | {other for _, other in threads} - found
    return Permalinks(links, found, mirrors)


def _find_groups_of_one_page(own: Mapping[str, Set[str]], group_of: Mapping[str, int]) -> set[int]:
    """Groups of which several URLs show the same page: most of them are other URLs of one thread."""
    groups: dict[int, list[Set[str]]] = defaultdict(list)
    for url, links in own.items():
        groups[group_of[url]].append(links)
    return {
        number
        for number, pages in groups.items()
        if len(pages) >= _MIN_PERMALINKS and 2 * _count_different(pages) <= len(pages)
    }


def _compare_linked_pages(
    by_url: Mapping[str, VisitedPage], own: Mapping[str, Set[str]], group_of: Mapping[str, int]
) -> tuple[dict[tuple[int, int], list[bool]], set[tuple[int, int]]]:
    """Whether pages and pages they link show the same, by their groups. And pairs of groups that do so once.

    Only groups of which a page links several count for the first.
    """
    shown: dict[tuple[int, int], list[bool]] = defaultdict(list)
    mirrors: set[tuple[int, int]] = set()
    for url, page in by_url.items():
        number = group_of[url]
        linked = [one for one in page.links if group_of.get(one, number) != number]
        count = Counter(group_of[one] for one in linked)
        for one in linked:
            if one not in by_url:
                continue
            other = group_of[one]
            is_same = _show_same_posts(own[url], own[one]) and not _follow_each_other(page, by_url[one])
            if is_same:
                mirrors.add((number, other))
            if count[other] >= _MIN_PERMALINKS:
                # A link for each post is as good as two such links.
                times = 2 if _NEARLY_ALL * page.posts <= count[other] <= page.posts / _NEARLY_ALL else 1
                shown[number, other] += [is_same] * times
    return shown, mirrors


def _find_redirects_back(
    visited: Sequence[VisitedPage], start: VisitedPage | None, group_of: Mapping[str, int]
) -> set[tuple[int, int]]:
    """Groups of pages, and groups of links on them that lead back to the page itself by a redirect.

    No row of a list does so, whatever the pages look like.
    """
    found: dict[tuple[int, int], set[str]] = defaultdict(set)
    for page in visited:
        groups = group_of[page.url], group_of[page.asked]
        if page is not start and page.asked in page.links and groups[0] != groups[1]:
            found[groups].add(page.asked)
    return {groups for groups, asked in found.items() if len(asked) >= _MIN_PERMALINKS}


def find_frame(visited: Sequence[VisitedPage]) -> set[str]:
    """The links that nearly all visited pages have, whatever they show."""
    count = Counter(url for page in visited for url in page.links)
    return {url for url, pages in count.items() if pages >= _NEARLY_ALL * len(visited)}
