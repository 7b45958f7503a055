"""Groups URLs that are written alike, and finds which groups lead to boards and which to threads."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from threadmill.forum.link_urls import is_unnamed, kind_named_by_url, names_service_page, url_fields
from threadmill.forum.paging.page_urls import without_parameter
from threadmill.forum.site_model.url_codes import split_by_kind
from threadmill.forum.site_model.url_patterns import (
    UrlPattern,
    learn_patterns,
    merge_patterns,
    tell_apart,
    without_members,
)
from threadmill.forum.site_model.url_shapes import group_by_shape, is_name, is_title
from threadmill.forum.site_model.visited_pages import (
    VisitedPage,
    find_frame,
    find_permalinks,
    is_same_page,
    lists_threads_of_all_boards,
)

_PAGE_AT_END = re.compile(r"[-_.,][a-z]?\d+(?=\.[a-z]{3,5}$|$)", re.IGNORECASE)
_PAGE_BEHIND_ID = re.compile(r"(?<=\d)([-_.,])\d+(?=[-_.,]\d+(?:\.[a-z]{3,5})?$)", re.IGNORECASE)
_WITH_DIGIT = re.compile(r"[^\W\d_]*\d[^\W_]*")
_NEARLY_ALL = 0.9  # a thread may be answered between the visit to the start page and that to its board
_SEVERAL_MESSAGES = 3  # pages with one post each
_DOUBT = 0.8  # confidence in a class, below which a page may be of another kind; set by hand
_MANY_TITLES = 5  # groups at one place that differ in one field: a page has fewer kinds of link there
_MIN_PEOPLE = 3  # with pages that are written alike; a name may be misread
_MIN_THREADS = 3  # links to threads that make a list; fewer may be a box of the latest threads


class UrlGroups:
    """Groups of URLs that are written alike, each with the kind of page that it leads to."""

    def __init__(self, visited: Sequence[VisitedPage], entry: str) -> None:
        start = next((page for page in visited if page.url == entry), None)
        # A second URL of the start page would turn every URL that is written like it into an index.
        visited = [page for page in visited if page is start or not is_same_page(page, start)]
        self._visited = visited
        self._start = start
        self._entry = entry
        seen = dict.fromkeys(url for page in visited for url in (page.asked, page.url))
        boards = set(start.boards) if start else set()  # they may show posts
        lists = [
            page
            for page in visited
            if page.kind != "thread" or page.confidence < _DOUBT or page.url in boards
        ]
        known = {url: page.kind for page in visited for url in (page.asked, page.url)}
        shapes = group_by_shape([*seen, *(url for page in lists for url in page.links if url != entry)])
        self._groups = [finer for group in shapes for finer in split_by_kind(group, known)]
        self._group_of = {url: number for number, urls in enumerate(self._groups) for url in urls}
        self._votes = self._count_votes()
        found = find_permalinks(visited, start, self._group_of, self._groups_voted_threads())
        self._permalinks, self._permalinked, self._mirrors = found
        for group in self._permalinked:
            self._votes[group]["thread"] += self._votes[group].pop("index", 0)
        self._kinds = self._find_kinds()

    def kind_of(self, url: str) -> str:
        """The kind of the visited pages whose URLs are written like this one. Empty if none was visited."""
        return self._kinds.get(self._group_of.get(url, -1), "")

    def threads(self) -> tuple[UrlPattern, ...]:
        """The patterns of thread URLs: on each board the group with the longest link texts.

        Links to last posts and to single pages lead to threads too, but their texts are dates and numbers.
        The list of boards links threads by their last posts, so boards are asked first.
        """
        boards = self._index_pages()
        inner = [page for page in boards if page.url != self._entry]
        for pages in (inner, boards):
            best = {
                self._without_parameter(
                    self._whole_threads_beside(
                        page, self._behind_redirects(page, max(found, key=lambda group: found[group]))
                    )
                )
                for page in pages
                if (found := self._link_text_by_group(page, "thread"))
            }
            if best:
                return self._learn_patterns(best)
        return learn_patterns(url for page in boards for url in page.threads)

    def _behind_redirects(self, page: VisitedPage, group: int) -> int:
        """The group to which the URLs of a group redirect, if the page links that one too. Else the group.

        A list that shows posts has more links to single posts than to threads: "/comments/223" is "/t/28".
        """
        ends = {self._group_of[one.url] for one in self._visited if self._group_of[one.asked] == group}
        if len(ends) != 1 or group in ends:
            return group
        other = ends.pop()
        linked = sum(self._group_of.get(url) == other for url in page.links)
        return other if linked >= _MIN_THREADS and self._kinds.get(other) == "thread" else group

    def _without_parameter(self, group: int) -> int:
        """The group whose URLs are those of this group without a parameter: "/t/5" beside "/t/5?r=60".

        The longer ones lead to single posts. Their texts may be longer too: "Re: …". A parameter without
        which all URLs are one is the ID of the thread: "/index.php" beside "/index.php?topic=5".
        """
        urls = self._groups[group]
        for name in (name for name in url_fields(urls[0]) if not is_unnamed(name)):
            shorter = [without_parameter(url, name) for url in urls]
            other, count = Counter(self._group_of.get(url, -1) for url in shorter).most_common(1)[0]
            apart = len(set(shorter)) > 1
            if apart and other not in {group, -1} and count >= _NEARLY_ALL * len(urls):
                return other if self._kinds.get(other, "thread") == "thread" else group
        return group

    def _whole_threads_beside(self, page: VisitedPage, group: int) -> int:
        """The group of whole threads, if a page links them beside each of their messages. Else the group."""
        if not self._shows_single_messages(group):
            return group
        linked = Counter(self._group_of.get(url, -1) for url in page.links)
        whole = [other for other in linked if self._shows_whole_threads(other)]
        return max(whole, key=lambda other: linked[other], default=group)

    def _shows_single_messages(self, group: int) -> bool:
        """Do the pages of a group show one message each, or do rows name them by subjects of answers?"""
        posts = [page.posts for page in self._visited_of(group)]
        return (len(posts) > 1 and max(posts) == 1) or group in self._find_answers()

    def _single_messages(self) -> list[int]:
        """The groups whose pages show one message each."""
        return [group for group in range(len(self._groups)) if self._shows_single_messages(group)]

    def _surely_single_messages(self) -> list[int]:
        """The groups of single messages, by rows or by several pages. Two threads may lack answers."""
        answers = self._find_answers()
        return [
            group
            for group in self._single_messages()
            if group in answers or sum(1 for _ in self._visited_of(group)) >= _SEVERAL_MESSAGES
        ]

    def _shows_whole_threads(self, group: int) -> bool:
        """Do the pages of a group show several posts each? A thread of one post may be among them.

        Profiles beside a box of the latest posts look like threads, but less surely than single messages.
        """
        several = [page.confidence for page in self._visited_of(group) if page.posts > 1]
        if self._kinds.get(group) != "thread" or not several or self._shows_single_messages(group):
            return False
        single = [
            page.confidence
            for other in self._single_messages()
            for page in self._visited_of(other)
            if page.kind == "thread"
        ]
        return max(several) >= _DOUBT or (bool(single) and fmean(several) >= fmean(single))

    def _visited_of(self, group: int) -> list[VisitedPage]:
        return [page for page in self._visited if self._group_of.get(page.asked) == group]

    def boards(self) -> tuple[UrlPattern, ...]:
        """The patterns of board URLs: groups that lead to lists, linked on the start page or as boards."""
        chosen: set[int] = set()
        entry_group = self._group_of.get(self._entry, -1)
        for page in self._index_pages():
            found = self._link_text_by_group(page, "index")
            chosen |= found.keys() & {self._group_of.get(url, -1) for url in page.boards}
            chosen.discard(entry_group)
            if page.url == self._entry:
                chosen |= found.keys() - {entry_group}
        later = frozenset[str]().union(*(page.later for page in self._index_pages()))
        chosen |= self._find_lists_below(chosen)
        chosen = {
            group
            for group in chosen
            if not later.issuperset(self._groups[group]) and not self._only_continues_start(group)
        }
        inner = [page for page in self._index_pages() if page is not self._start and page.url not in later]
        count = max((len(self._groups[group]) for group in chosen), default=0)
        if self._start:
            # The links of a footer may look like boards. Pages of their kind were visited, and are none.
            boards = [
                url
                for url in self._start.boards
                if self.kind_of(url) != "other" and not names_service_page(url)
            ]
            if lists_threads_of_all_boards(replace(self._start, boards=boards), inner, count):
                return ()
        if chosen:
            return self._learn_patterns(chosen)
        # A footer is no list of boards: the second page of the start page may be written like its links.
        return learn_patterns(
            url
            for page in self._index_pages()
            for url in page.boards
            if self.kind_of(url) in {"", "index"} and not names_service_page(url)
            if not self._only_continues_start(self._group_of.get(url, -1))
        )

    def _find_lists_below(self, chosen: Collection[int]) -> set[int]:
        """Groups of lists one step deeper: a board that shows no threads itself may list months that do."""
        pages = [page for page in self._index_pages() if page is not self._start]
        full = {self._group_of[page.url] for page in pages if len(self._own_threads(page)) >= _MIN_THREADS}
        return {
            group
            for page in pages
            if self._group_of[page.url] in set(chosen) - full
            for group in self._link_text_by_group(page, "index").keys() & full
        }

    def start_lists_latest(self) -> bool:
        """Whether the start page lists the threads with the latest posts of all boards, by activity.

        Then each thread of a board that is younger than the last row of the start page is linked there.
        """
        start = self._start
        days = [start.days[url] for url in start.threads if url in start.days] if start else []
        if not start or len(days) < _MIN_THREADS or days != sorted(days, reverse=True):
            return False
        boards = [page for page in self._index_pages() if page is not start and page.url not in start.later]
        younger = [[url for url, day in page.days.items() if day > days[-1]] for page in boards]
        linked = sum(url in start.links for urls in younger for url in urls)
        return sum(map(bool, younger)) > 1 and linked >= _NEARLY_ALL * sum(map(len, younger))

    def _find_kinds(self) -> dict[int, str]:
        """The kind of each group by its visited pages, their next pages, and the titles of its rows."""
        kinds = {group: _most_common_kind(count) for group, count in self._votes.items()}
        kinds |= dict.fromkeys(kinds.keys() & self._find_answers(), "thread")
        kinds |= dict.fromkeys(self._find_boards_with_posts(kinds), "index")
        kinds |= dict.fromkeys(self._find_boards_of_proven_threads(kinds), "index")
        kinds |= dict.fromkeys(self._find_misread_threads(kinds), "thread")
        kinds |= dict.fromkeys(self._find_overlooked_lists(kinds), "index")
        return kinds | dict.fromkeys(self._find_people() & kinds.keys(), "other")

    def _count_votes(self) -> dict[int, Counter[str]]:
        """How sure the visited pages of each group, and their next pages, are of each kind, in per cent.

        A later page of the start page tells nothing about others that are written like it: a rest of single
        pages, such as rules and profiles. It counts where no other page of its group was visited.
        """
        votes: dict[int, Counter[str]] = defaultdict(Counter)
        by_url = {url: page for page in self._visited for url in (page.asked, page.url)}
        for page in sorted(self._visited, key=self._continues_start):
            follower = by_url.get(page.next or "", page)
            for url in dict.fromkeys(url for url in (page.asked, page.url) if url != self._entry):
                group = self._group_of[url]
                if votes[group] and self._continues_start(page):
                    continue
                for voter in {id(page): page, id(follower): follower}.values():
                    # The last page of a list may show one row, and look like a thread of one post.
                    if voter.kind != "thread" or not self._continues_start(voter):
                        votes[group][voter.kind] += round(100 * voter.confidence)
        return votes

    def _continues_start(self, page: VisitedPage) -> bool:
        """Is a page a later one of the list on the start page?"""
        return self._start is not None and page.url in {*self._start.later, self._start.next}

    def _only_continues_start(self, group: int) -> bool:
        """Are later pages of the start page the only lists of a group? The rest of it is left over."""
        lists = [page for page in self._visited_of(group) if page.kind == "index"]
        return bool(lists) and all(map(self._continues_start, lists))

    def _groups_voted_threads(self) -> set[int]:
        """Groups of which most visited pages are threads."""
        return {group for group, votes in self._votes.items() if _most_common_kind(votes) == "thread"}

    def _find_answers(self) -> set[int]:
        """Groups of which most rows are titled as answers: they lead to messages, never to lists."""
        rows = [(url, url in page.answers) for page in self._visited for url in (*page.threads, *page.boards)]
        count = Counter(self._group_of.get(url, -1) for url, _ in rows)
        answers = Counter(self._group_of.get(url, -1) for url, is_answer in rows if is_answer)
        return {group for group in answers if 2 * answers[group] > count[group]}

    def _find_boards_with_posts(self, kinds: Mapping[int, str]) -> set[int]:
        """Groups of boards that show posts: those with one thread look like this thread.

        The start page links them, and a page of the group, or the page after it, is a list. It links several
        threads that not every page links.
        """
        linked = {self._group_of.get(url, -1) for url in self._start.links} if self._start else set()
        lists, frame = {page.url for page in self._visited if page.kind == "index"}, find_frame(self._visited)
        return {
            group
            for page in self._visited
            if page.url in lists or page.next in lists
            if kinds.get(group := self._group_of[page.url]) == "thread"
            and group in linked - self._permalinked
            and sum(
                kinds.get(other := self._group_of.get(url, -1)) == "thread"
                and other != group
                and (group, other) not in self._mirrors
                for url in page.links.keys() - frame
            )
            >= _MIN_THREADS
        }

    def _find_boards_of_proven_threads(self, kinds: Mapping[int, str]) -> set[int]:
        """Groups that the start page links, and of which most pages link several threads that are proven.

        Threads are proven by permalinks of their posts. A board may show the first and last posts of each.
        """
        linked = {self._group_of.get(url, -1) for url in self._start.links} if self._start else set()
        proven, frame = self._permalinked, find_frame(self._visited)
        found = set()
        for group in linked - proven - self._permalinks:
            counts = [
                sum(self._group_of.get(url, -1) in proven for url in page.links.keys() - frame)
                for page in self._visited_of(group)
            ]
            if kinds.get(group) == "thread" and 2 * sum(n >= _MIN_THREADS for n in counts) > len(counts):
                found.add(group)
        return found

    def _find_people(self) -> set[int]:
        """Groups to which the names of authors link: profiles, which are no lists of a forum.

        A profile may list the threads of its person, or stand beside a box of the latest threads.
        """
        people = {url for page in self._visited if page.kind == "thread" for url in page.people}
        count = Counter(self._group_of.get(url, -1) for url in people)
        boards = {self._group_of.get(url, -1) for url in (self._start.boards if self._start else ())}
        return {group for group in count if count[group] >= _MIN_PEOPLE} - boards - {-1}

    def _find_overlooked_lists(self, kinds: Mapping[int, str]) -> set[int]:
        """Groups of pages that are hardly threads, but link to threads which the start page does not link."""
        return {
            group
            for page in self._visited
            if not self._continues_start(page)
            and self._group_of[page.url] not in self._permalinked
            and self._are_doubtful(group := self._group_of[page.url], kinds)
            and len(self._own_threads(page, {**kinds, group: ""})) >= _MIN_THREADS
        }

    def _find_misread_threads(self, kinds: Mapping[int, str]) -> set[int]:
        """Groups of doubtful lists that rows name among threads, by URLs that differ in their titles alone.

        A thread of one short post beside a box of the latest threads may be taken for a list.
        """
        proven = {group: self._places_of(self._groups[group]) for group in kinds if kinds[group] == "thread"}
        return {
            group
            for group in kinds
            if kinds[group] == "index"
            and max((page.confidence for page in self._visited_of(group)), default=1.0) < _DOUBT
            and any(
                places & self._places_of(self._groups[group]) and self._differ_in_title(group, other)
                for other, places in proven.items()
            )
        }

    def _differ_in_title(self, number: int, other: int) -> bool:
        """Do the URLs of two groups differ in titles alone, and in the IDs beside them?"""
        fields, theirs = url_fields(self._groups[number][0]), url_fields(self._groups[other][0])
        if fields.keys() != theirs.keys():
            return False
        differing = {name for name in fields if fields[name] != theirs[name]}
        titles = {name for name in differing if is_title(fields[name]) and is_title(theirs[name])}
        return bool(titles) and differing - titles <= self._varying_fields(number)

    def _are_doubtful(self, group: int, kinds: Mapping[int, str]) -> bool:
        """Are the pages of a group of no kind, or threads of which none is sure?"""
        sure = max((one.confidence for one in self._visited_of(group)), default=1.0)
        return kinds.get(group) == "other" or (kinds.get(group) == "thread" and sure < _DOUBT)

    def _own_threads(self, page: VisitedPage, kinds: Mapping[int, str] | None = None) -> list[str]:
        """The threads that a page links and the start page does not."""
        kinds = self._kinds if kinds is None else kinds
        common = self._start.links.keys() if self._start else set()
        return [
            url
            for url, length in page.links.items()
            if length
            and url not in common
            and kinds.get(group := self._group_of.get(url, -1)) == "thread"
            and group not in self._permalinks
            and (self._group_of[page.url], group) not in self._mirrors
        ]

    def _index_pages(self) -> list[VisitedPage]:
        """The pages that are lists by the majority of their group. A single page may be misread."""
        return [
            page for page in self._visited if page.url == self._entry or self.kind_of(page.url) == "index"
        ]

    def _link_text_by_group(self, page: VisitedPage, kind: str) -> Counter[int]:
        """Characters in the links of a page to pages of one kind, by group.

        They count less where pages of the group turned out to be of other kinds: a group of all that is left
        holds profiles, forms and single pages of threads.
        """
        lengths: Counter[int] = Counter()
        for url, length in page.links.items():
            if length and self.kind_of(url) == kind:
                lengths[self._group_of[url]] += length
        others = lengths.keys() - self._permalinks
        return Counter(
            {group: round(lengths[group] * self._purity(group, kind)) for group in others or lengths}
        )

    def _purity(self, group: int, kind: str) -> float:
        """The share of the votes of a group for a kind. 1 if the kind has other reasons than votes."""
        votes = self._votes.get(group, Counter())
        return votes[kind] / votes.total() if votes[kind] else 1.0

    def _learn_patterns(self, groups: Collection[int]) -> tuple[UrlPattern, ...]:
        learnt = [
            without_members(pattern, self._find_intruders(group))
            for group in sorted(groups)
            for pattern in self._patterns_of(group)
        ]
        whole = [url for group in groups if self._shows_whole_threads(group) for url in self._groups[group]]
        messages = [url for group in self._surely_single_messages() for url in self._groups[group] if whole]
        return tuple(tell_apart(pattern, whole, messages, whole) for pattern in merge_patterns(learnt))

    def _patterns_of(self, group: int) -> list[UrlPattern]:
        """The patterns of a group, without the URLs of visited pages of the other kind."""
        alike = self._first_pages([*self._groups[group], *self._find_siblings(group)])
        kinds = {url: self.kind_of(url) for page in self._visited for url in (page.asked, page.url)}
        later = self._later_pages_of_lists() if self._kinds.get(group) == "thread" else set()
        own = [url for url in kinds if kinds[url] == self._kinds.get(group) and url not in later]
        others = [url for url in kinds if kinds[url] in {"thread", "index"} and url not in own]
        others += sorted(later.difference(others))
        return [tell_apart(pattern, own, others, alike) for pattern in learn_patterns(alike)]

    def _later_pages_of_lists(self) -> set[str]:
        """Later pages of boards: "/bikes/page-2/" may be written like the threads "/bikes/sound-of-rain/"."""
        return {url for page in self._index_pages() if page.kind == "index" for url in page.later}

    def _first_pages(self, urls: list[str]) -> list[str]:
        """The URLs that are no later pages, if there are such.

        A later page is linked as such by a visited page, or it is another URL with a number behind it or with
        another number than 1 there: "title-t20-2-1.html" beside "title-t20-1-1.html".
        """
        later = frozenset[str]().union(*(page.later for page in self._visited))
        later |= {page.next for page in self._visited if page.next}
        known = set(urls)
        return [
            url
            for url in urls
            if url not in later
            and not known & {_PAGE_AT_END.sub("", url), _PAGE_BEHIND_ID.sub(r"\g<1>1", url)} - {url}
        ] or urls

    def _find_siblings(self, number: int) -> list[str]:
        """The URLs of other groups that stand at the same places of the same pages, and differ in one title.

        Some titles end in a number and others do not. That tells groups apart which are none. Nor do titles
        that many messages share, each with an ID of its own, or names of boards in the URLs of threads.
        """
        kind, fields = self._kinds.get(number), url_fields(self._groups[number][0])
        ids = self._varying_fields(number)
        places = self._places_of(self._groups[number])
        found: dict[str, list[tuple[list[str], bool]]] = defaultdict(list)
        for other, urls in enumerate(self._groups):
            if other == number or self._kinds.get(other, kind) != kind:
                continue
            theirs = url_fields(urls[0])
            if theirs.keys() != fields.keys():
                continue
            differing = [name for name in fields if fields[name] != theirs[name]]
            if len(differing) > 1:  # where each title has an ID beside it, both vary
                titles = [name for name in differing if is_title(fields[name]) and is_title(theirs[name])]
                differing = [name for name in differing if name not in ids] or titles
            beside = [url for url in urls if self._places_of([url]) & places]
            if len(differing) != 1 or not beside:
                continue
            name = differing[0]
            are_titles = is_title(fields[name]) and is_title(theirs[name])
            are_titles |= self._are_named_by_board(number, other, name)
            if are_titles or not self._are_other_pages(number, urls):
                found[name].append((beside, are_titles))
        return [
            url
            for alike in found.values()
            for urls, are_titles in alike
            if are_titles or len(alike) >= _MANY_TITLES
            for url in urls
        ]

    def _are_named_by_board(self, number: int, other: int, name: str) -> bool:
        """Are two groups threads of two boards, whose names are the field: "/m/bikes/t/5" and "/m/cars/t/7"?

        Pages of both were visited. Another field has a word too: "/poll/5" and "/topic/5" are of two kinds.
        """
        if not self._kinds.get(number) == self._kinds.get(other) == "thread":
            return False
        fields, theirs = url_fields(self._groups[number][0]), url_fields(self._groups[other][0])
        same = [one for one in fields if is_unnamed(one) and one != name and fields[one] == theirs[one]]
        words = any(fields[one].isalpha() for one in same)
        return words and is_unnamed(name) and all(map(is_name, (fields[name], theirs[name])))

    def _are_other_pages(self, number: int, urls: Sequence[str]) -> bool:
        """Do URLs lead to forms, or to other pages about the members of a group: "reply,12" beside "t,12"?"""
        members = list(map(_ids_in, self._groups[number]))
        has_ids = 1 < len(members) == len(set(members))
        return names_service_page(urls[0]) or (has_ids and not set(members).isdisjoint(map(_ids_in, urls)))

    def _varying_fields(self, number: int) -> set[str]:
        """The fields in which the URLs of a group differ."""
        columns: dict[str, set[str]] = defaultdict(set)
        for url in self._groups[number]:
            for name, value in url_fields(url).items():
                columns[name].add(value)
        return {name for name, words in columns.items() if len(words) > 1}

    def _find_intruders(self, number: int) -> list[str]:
        """The URLs of a group that lead to other pages than the rest, if a visited one of it does.

        Besides the visited ones, these are URLs that are linked at places where no proven page is linked: a
        menu may lead to a list and to a form, a list of boards leads to boards alone.
        """
        visited = {url: page for page in self._visited for url in (page.asked, page.url)}
        group = self._groups[number]
        proven = {url for url in group if url in visited and visited[url].kind == self._kinds.get(number)}
        wrong = {
            url
            for url in group
            if url in visited
            and visited[url].kind == "other"
            and not (visited[url].is_notice and _may_name_board(url))  # for members, or without threads yet
            and not self._own_threads(visited[url])
        }
        if self._kinds.get(number) == "index":
            wrong |= {url for url in group if names_service_page(url) and url not in proven}
        if self._kinds.get(number) == "thread":
            # A thread of one short post may be taken for another page. Rows of threads lead to threads.
            rows = self._places_of(proven)
            wrong = {url for url in wrong if not self._places_of({url}) & rows}
        if not wrong or not proven:
            return []
        good, bad = self._places_of(proven), self._places_of(wrong)
        return [
            url
            for url in group
            if url in wrong or (url not in proven and not self._places_of({url}) & (good - bad))
        ]

    def _places_of(self, urls: Collection[str]) -> set[str]:
        return {page.places[url] for page in self._visited for url in urls if url in page.places}


def _ids_in(url: str) -> tuple[str, ...]:
    """The parts of a URL that have digits."""
    return tuple(part for value in url_fields(url).values() for part in _WITH_DIGIT.findall(value))


def _may_name_board(url: str) -> bool:
    """Whether a URL has an ID like others, or a word for boards: "?forums/trains/"."""
    return bool(_ids_in(url)) or (kind_named_by_url(url) == "index" and not names_service_page(url))


def _most_common_kind(votes: Counter[str]) -> str:
    """The kind of most pages. "other" counts only if no page is anything else."""
    known = Counter({kind: count for kind, count in votes.items() if kind != "other"})
    return known.most_common(1)[0][0] if known else "other"
