"""Index pages read, and the next page of a board chosen, without a network."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from tests.crawl.forum.stored_boards import BELOW, ENTRY, NOW, PARENT, StoredBoards, compare_rows, on
from threadmill.crawl.forum.index_visit import (
    _is_list_of_boards,
    _is_unexplained,
    _oldest_by_activity,
    _read_index,
    _without_counters_of_boards,
)
from threadmill.crawl.forum.knowledge import LayoutKnowledge
from threadmill.crawl.forum.rows.linked_rows import LinkedRows
from threadmill.crawl.forum.rows.next_index_page import NextIndexPage
from threadmill.crawl.forum.rows.row_state import (
    CLOSED,
    EMPTY_VISITS,
    FOUND,
    GROWN,
    IN_ORDER,
    LIST_END,
    LISTED,
    MOVED_ALONE,
    MOVED_IN,
    SKIPS,
    STOOD_STILL,
    SURELY_CHANGED,
    Change,
    RowState,
)
from threadmill.crawl.forum.rows.thread_reactivation import OldThreads
from threadmill.crawl.forum.rows.thread_rows import ComparedRows
from threadmill.forum.index.rows import IndexOrder
from threadmill.forum.link_urls import NumberSlot
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import IndexPage, PageAnalysis
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.forum.site_model.url_patterns import UrlPattern
from threadmill.page.parse.tree import parse
from threadmill.store.forum.forums import change_board
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread, change_thread, find_threads
from threadmill.types import BoardRow, Moment, Post, ThreadRow


def test_what_a_row_says_while_its_board_is_fetched_is_kept(boards: StoredBoards) -> None:
    boards.row(ENTRY)
    fetched = boards.board(BELOW)
    boards.row(PARENT, posts=5, active=on(4, 1, 12))
    page = '<html><body><table><tr><td><a href="/t/1">One</a></td></tr></table></body></html>'
    boards.visit.take(
        fetched, PageAnalysis(parse(page.encode(), BELOW), NOW), NOW, OldThreads(boards.forum, None)
    )
    assert boards.board(BELOW).said["count"] == 5


def _goes_on(boards: StoredBoards, grown: int, rows: dict[str, int], known: dict[str, int]) -> bool:
    boards.knowledge.layout.model = replace(boards.knowledge.layout.model, index_order=IndexOrder.CREATION)
    boards.knowledge.rows.record_growth(exact=True)
    board = boards.board(PARENT)
    for counts in (known, rows):
        shown = {key: ThreadRow(f"{PARENT}/{key}", key, replies=count) for key, count in counts.items()}
        read = compare_rows(boards, board, LinkedRows(shown, {}, {}))
        for state in find_threads(boards.connection, boards.forum, counts).values():
            change_thread(boards.connection, state.id, due=None)
    noted = boards.visit._note_board(replace(board, said={GROWN: grown}), LinkedRows(shown, {}, {}), read, 1)
    chooser = NextIndexPage(boards.connection, boards.knowledge, OldThreads(boards.forum, None))
    paging = Paging(next=f"{PARENT}?page=2", number=1)
    return chooser.choose(board.id, paging, read, noted, NOW) is not None


@pytest.mark.parametrize(("grown", "further"), [(3, False), (4, True)])
def test_sorted_by_creation_a_page_whose_threads_account_for_all_posts_is_the_last(
    boards: StoredBoards, grown: int, further: bool
) -> None:
    known = {"a": 5, "b": 5, "c": 5, "d": 5}
    assert _goes_on(boards, grown, {**known, "b": 6, "d": 7}, known) is further


def test_below_a_new_thread_there_may_be_more_of_them(boards: StoredBoards) -> None:
    assert _goes_on(boards, 3, {"e": 2, "f": 0}, {"a": 5})


def test_the_order_of_lists_is_learnt_from_the_threads_of_the_first_crawl(boards: StoredBoards) -> None:
    """A start page showed the threads of all boards, which then were stored with these boards."""
    board = boards.board(PARENT)
    for place, days in enumerate((2, 60, 3, 90, 5, 70)):
        begun = NOW - timedelta(days=100 + 10 * place)
        number = add_thread(
            boards.connection, forum=boards.forum, board=None, key=str(place), url=f"{ENTRY}{place}", title=""
        )
        for moment in (begun, begun + timedelta(days=days)):
            add_post(boards.connection, number, Post(f"{moment}", "", date=Moment(moment.date())), ENTRY, NOW)
    layout = boards.knowledge.layout
    assert layout.index_order is None
    assert layout.sorted_by_creation  # perhaps
    change_board(boards.connection, board.id, said={IN_ORDER: list("012345")})
    boards.visit._look_back(board, OldThreads(boards.forum, None))
    assert layout.index_order is IndexOrder.CREATION


def test_messages_are_joined_to_conversations_but_a_title_may_come_again(boards: StoredBoards) -> None:
    boards.knowledge.rows.messages.votes["answer"] = 5
    titles = ("Pumps", "Re: Pumps", "Re: Pumps", "Pumps", "Valves", "Re: Valves")
    for place, title in enumerate(titles):
        number = add_thread(
            boards.connection,
            forum=boards.forum,
            board=None,
            key=str(place),
            url=f"{ENTRY}{place}",
            title=title,
        )
        date = Moment((NOW - timedelta(days=place)).date())
        add_post(boards.connection, number, Post(title, "", date=date), ENTRY, NOW)
    days = [(NOW - timedelta(days=place)).date().isoformat() for place in range(6)]
    found = boards.visit._dates_in_list_order(list("012345"))
    assert found == [(days[2], days[0]), (days[3], days[3]), (days[5], days[4])]


def test_an_empty_board_is_looked_at_in_the_next_run_if_its_row_will_tell_nothing(
    boards: StoredBoards,
) -> None:
    board = boards.board(PARENT)
    nothing = ComparedRows({}, {}, {}, 0)
    for said, boards_shown, skips in (({}, (), 5), ({"count": 0}, (), 0), ({}, (ENTRY,), 0)):
        linked = LinkedRows({}, {url: BoardRow(url, "") for url in boards_shown}, {})
        noted = boards.visit._note_board(replace(board, said=said), linked, nothing, 0)
        assert noted[SKIPS] == skips


@pytest.mark.parametrize("page", [0, 1])
@pytest.mark.parametrize(("note", "name"), [(MOVED_ALONE, "moved_alone"), (STOOD_STILL, "still_boards")])
def test_whether_a_number_of_a_row_told_news_is_voted_on_at_the_first_page(
    boards: StoredBoards, page: int, note: str, name: str
) -> None:
    read = ComparedRows({}, {}, {}, 0)
    linked = LinkedRows({"t": ThreadRow(f"{ENTRY}t/1", "T")}, {}, {})
    board = replace(boards.board(PARENT), page=page)
    for said, news in (({note: True}, 0), ({note: True}, 2), ({}, 2)):
        boards.visit._note_board(replace(board, said=said), linked, read, news)
    votes = {one: getattr(boards.knowledge.rows, one).votes for one in ("moved_alone", "still_boards")}
    assert votes.pop(name) == ({"none": 1, "news": 1} if page == 0 else {})
    assert [dict(other) for other in votes.values()] == [{}]


def test_what_is_noted_of_lists_while_the_model_is_learnt_is_dropped_later(boards: StoredBoards) -> None:
    rows = {key: ThreadRow(f"{ENTRY}t/{key}", key) for key in "ab"}
    read = ComparedRows(rows, {}, {}, 0, gained=2, moved_in=1)
    board = replace(boards.board(PARENT), said={FOUND: 3, LISTED: 4, IN_ORDER: ["c"], CLOSED: 1})
    noted = boards.visit._note_board(board, LinkedRows(rows, {}, {}), read, 0)
    assert noted == {FOUND: 5, MOVED_IN: 1}
    boards.knowledge.just_learnt = True
    noted = boards.visit._note_board(board, LinkedRows(rows, {}, {}), read, 0)
    assert noted == {FOUND: 5, MOVED_IN: 1, LISTED: 6, IN_ORDER: ["c", "a", "b"]}


def _index_page(*numbers: int) -> PageAnalysis:
    rows = "".join(
        f'<tr><td><a href="/t/{number}">Thread about pumps {number}</a></td><td>ann{number}</td>'
        f"<td>{number * 7}</td><td>2026-04-{number + 10} 10:00</td></tr>"
        for number in numbers
    )
    head = "<tr><th>Topic</th><th>Author</th><th>Replies</th><th>Last post</th></tr>"
    return PageAnalysis(parse(f"<html><body><table>{head}{rows}</table></body></html>".encode(), PARENT), NOW)


def test_a_board_that_was_read_is_no_longer_due_and_its_passing_notes_are_dropped(
    boards: StoredBoards,
) -> None:
    board = replace(boards.board(PARENT), due=PARENT)
    old = OldThreads(boards.forum, None)
    news = boards.visit.take(board, _index_page(*range(1, 9)), NOW, old)
    assert (news.items, news.news, news.new_threads, news.next) == (8, 8, 8, None)
    after = boards.board(PARENT)
    assert (after.due, after.visited, after.page) == (None, NOW, 1)
    assert FOUND not in after.said
    again = boards.visit.take(after, _index_page(*range(1, 9)), NOW, old)
    assert (again.items, again.news, again.new_threads) == (8, 0, 0)


@pytest.mark.parametrize(
    ("said", "end"), [("Page 1 of 3", "cut"), ("Page 3 of 3", "pager"), ("End of the page", "links")]
)
def test_a_list_whose_pager_tells_of_more_pages_has_not_ended(
    boards: StoredBoards, said: str, end: str
) -> None:
    boards.row(PARENT)
    rows = '<table><tr><td><a href="/t/1">One</a></td></tr></table>'
    page = f"<html><body><div>{said}</div>{rows}</body></html>"
    analysis = PageAnalysis(parse(page.encode(), PARENT), NOW)
    boards.visit.take(boards.board(PARENT), analysis, NOW, OldThreads(boards.forum, None))
    assert boards.board(PARENT).said[LIST_END] == end


def test_a_page_without_rows_of_a_board_with_threads_stays_due_for_two_runs(boards: StoredBoards) -> None:
    old = OldThreads(boards.forum, None)
    boards.visit.take(boards.board(PARENT), _index_page(*range(1, 9)), NOW, old)
    for misses in (1, 2):
        news = boards.visit.take(replace(boards.board(PARENT), due=PARENT), _index_page(), NOW, old)
        assert (news.items, news.next) == (0, PARENT)
        assert boards.board(PARENT).said[EMPTY_VISITS] == misses
    assert boards.visit.take(replace(boards.board(PARENT), due=PARENT), _index_page(), NOW, old).next is None


def _read_pages(boards: StoredBoards, *pages: str) -> list[bool]:
    """Whether the list goes on after each of its pages, of which a text names the threads."""
    noted: dict[str, object] = {FOUND: 0}
    chooser = NextIndexPage(boards.connection, boards.knowledge, OldThreads(boards.forum, None))
    goes_on = []
    for names in pages:
        rows = {key: ThreadRow(f"{PARENT}/{key}", key, replies=1) for key in names}
        read = compare_rows(boards, boards.board(PARENT), LinkedRows(rows, {}, {}))
        paging = Paging(next=f"{PARENT}?page=9", number=1)
        goes_on.append(chooser.choose(boards.board(PARENT).id, paging, read, noted, NOW) is not None)
    return goes_on


def test_in_the_first_crawl_a_list_does_not_end_at_threads_that_another_list_has_shown(
    boards: StoredBoards,
) -> None:
    boards.knowledge.just_learnt = True
    _read_pages(boards, "abcd")
    assert _read_pages(boards, "ab", "cd", "cde", "de") == [True, True, True, False]


def test_a_circle_of_pages_ends_although_each_differs_from_the_one_before(boards: StoredBoards) -> None:
    boards.knowledge.just_learnt = True
    goes_on = _read_pages(boards, *(["ab", "cd", "ef"] * 4))
    assert goes_on[:3] == [True, True, True]
    assert False in goes_on


def test_pages_behind_the_end_that_repeat_a_box_end_a_later_visit_too(boards: StoredBoards) -> None:
    boards.knowledge.layout.model = replace(boards.knowledge.layout.model, index_order=IndexOrder.CREATION)
    assert _read_pages(boards, "ab", "ab") == [True, False]


def test_news_that_another_page_told_in_the_same_run_leads_on_too(boards: StoredBoards) -> None:
    boards.knowledge.just_learnt = False
    assert [_read_pages(boards, "ab") for _ in range(2)] == [[True], [True]]
    for state in find_threads(boards.connection, boards.forum, "ab").values():
        change_thread(boards.connection, state.id, due=None)
    assert _read_pages(boards, "ab") == [False]


@pytest.mark.parametrize(
    ("latest", "last", "grown", "spared"),
    [
        (True, Change.SAME, 2, True),
        (True, Change.CHANGED, 0, False),  # there may be more below
        (True, Change.SAME, 3, False),  # the board counts more news than the start page shows
        (False, Change.SAME, 0, False),
    ],
)
def test_a_start_page_that_reaches_down_to_known_threads_spares_the_boards(
    boards: StoredBoards, latest: bool, last: Change, grown: int, spared: bool
) -> None:
    layout = boards.knowledge.layout
    layout.model = replace(layout.model, start_lists_latest=latest)
    boards.row(ENTRY, posts=5)
    rows = {key: ThreadRow(f"{ENTRY}t/{key}", key) for key in "ab"}
    read = ComparedRows(rows, {"a": Change.CHANGED, "b": last}, {}, 1, gained=2)
    linked = LinkedRows(rows, {BELOW: BoardRow(BELOW, "Below", posts=5 + grown)}, {})
    assert boards.visit._shows_all_news(read, linked) is spared


def test_mere_links_to_boards_do_not_make_a_list_of_threads_a_list_of_boards() -> None:
    links = {url: BoardRow(url, "") for url in (PARENT, BELOW)}
    rows = {url: BoardRow(url, "", posts=3) for url in (PARENT, BELOW)}
    threads = {"t": ThreadRow(f"{ENTRY}t/1", "T", replies=3)}
    assert not _is_list_of_boards(LinkedRows(threads, links, {}), Paging())
    assert _is_list_of_boards(LinkedRows(threads, rows, {}), Paging())
    assert _is_list_of_boards(LinkedRows({}, links, {}), Paging())


@pytest.mark.parametrize(
    ("onward", "counted"), [(f"{ENTRY}?page=2", True), (None, True), (f"{ENTRY}?page=2", False)]
)
def test_a_list_of_threads_that_goes_on_is_no_list_of_boards(onward: str | None, counted: bool) -> None:
    """Beside the stories of a start page stood a box that counts those of each year: all news were lost."""
    years = {url: BoardRow(url, "", posts=3) for url in (PARENT, BELOW)}
    threads = {
        key: ThreadRow(f"{ENTRY}t/{key}", key, replies=3 if counted else None, views=9) for key in "abc"
    }
    is_list = _is_list_of_boards(LinkedRows(threads, years, {}), Paging(next=onward))
    assert is_list is not (counted and onward is not None)


def test_boards_whose_number_of_threads_was_taken_for_that_of_posts_are_not_spared(
    boards: StoredBoards,
) -> None:
    layout = boards.knowledge.layout
    layout.model = replace(layout.model, start_lists_latest=True)
    boards.row(ENTRY, posts=5, threads=50)
    rows = {key: ThreadRow(f"{ENTRY}t/{key}", key) for key in "ab"}
    read = ComparedRows(rows, {"a": Change.CHANGED, "b": Change.SAME}, {}, 1, gained=2)
    linked = LinkedRows(rows, {BELOW: BoardRow(BELOW, "Below", posts=6, threads=70)}, {})
    assert not boards.visit._shows_all_news(read, linked)


def test_a_page_that_shows_only_what_all_boards_show_has_no_threads_of_its_own(boards: StoredBoards) -> None:
    """A board for members has the box of the latest threads at its side, like all pages."""
    box = {key: ThreadRow(f"{ENTRY}t/{key}", key) for key in "ab"}
    own = {**box, "c": ThreadRow(f"{ENTRY}t/c", "c", replies=3)}
    old = OldThreads(boards.forum, None)
    old.shown_by = {7: frozenset("abcd"), 8: frozenset("abe")}
    board = boards.board(PARENT)

    def own_threads(linked: LinkedRows) -> list[str]:
        return list(boards.visit._without_box(board, linked, old).threads)

    assert own_threads(LinkedRows(box, {}, {})) == ["a", "b"]  # nothing is counted
    boards.knowledge.rows.record_counters(RowState(3), 4)
    assert own_threads(LinkedRows(box, {}, {})) == []
    assert own_threads(LinkedRows(own, {}, {})) == ["a", "b", "c"]
    assert own_threads(LinkedRows(box, {}, {"f": ThreadRow(f"{ENTRY}t/f", "")})) == ["f"]  # a list of one row
    old.shown_by = {7: frozenset("abcd")}
    assert own_threads(LinkedRows(box, {}, {})) == ["a", "b"]
    old.shown_by = {}
    board = boards.board(ENTRY)
    assert own_threads(LinkedRows(own, {}, {})) == ["a", "b", "c"]
    assert not old.shown_by  # the start page may have no box
    board = boards.board(PARENT)
    assert own_threads(LinkedRows({}, {}, {}, ("a", "b"))) == []
    assert old.shown_by == {board.id: {"a", "b"}}


def test_a_list_that_goes_on_is_no_notice(boards: StoredBoards) -> None:
    """A list of mere links may be taken for a notice. Its second page was not read, nor were later ones."""
    pattern = UrlPattern((("/1", "t"), ("/2", "\\d+")))
    layout = boards.knowledge.layout
    layout.model = replace(layout.model, threads=UrlFamily((pattern,)))
    old = OldThreads(boards.forum, None)
    closed = replace(boards.board(PARENT), said={CLOSED: "message"}, due=PARENT)

    def threads(page: int, pager: str) -> int:
        rows = "".join(f'<li><a href="/t/{page * 9 + row}">Subject {row}</a>' for row in range(3))
        words = "This page is seen best in a new browser with all of its scripts switched on. " * 4
        html = f"<html><body><p>{words}</p><ul>{rows}</ul>{pager}</body></html>"
        analysis = PageAnalysis(parse(html.encode(), PARENT), NOW)
        paging = Paging(next=f"{PARENT}?page=2") if pager else Paging()
        index = IndexPage((), (), paging, "")
        linked = boards.visit._find_links(replace(closed, page=page), analysis, index, old)
        return len(linked.threads) + len(linked.links)

    assert threads(0, "") == 0
    assert threads(0, '<a href="?page=2">Next</a>') == 3
    assert threads(1, "") == 3


def test_a_page_without_threads_is_no_board_if_those_it_names_lead_nowhere_either(
    boards: StoredBoards,
) -> None:
    """Profiles and rules named each other, and were read again in each crawl."""
    parent, linked = boards.board(PARENT), LinkedRows({}, {BELOW: BoardRow(BELOW, "Rules")}, {})
    boards.row(PARENT)
    change_board(boards.connection, boards.board(BELOW).id, parent=parent.id)
    assert boards.visit._has_no_threads(parent, linked)
    boards.knowledge.just_learnt = True
    assert not boards.visit._has_no_threads(parent, linked)
    boards.knowledge.just_learnt = False
    below = boards.board(BELOW)
    add_thread(boards.connection, forum=boards.forum, board=below.id, key="t", url=BELOW, title="T")
    assert not boards.visit._has_no_threads(parent, linked)


def test_the_next_page_of_a_list_is_no_thread() -> None:
    threads = UrlFamily((UrlPattern((("/1", "t"), ("/2", r"\d+"))),))
    for onward, kept in (("/t/5", False), ("/b/1?page=2", True)):
        html = f'<html><head><link rel="next" href="{onward}"></head><body><p>Tea</p></body></html>'
        analysis = PageAnalysis(parse(html, "https://f.example/b/1"), NOW)
        layout = LayoutKnowledge(ForumModel("https://f.example/", threads=threads))
        assert (_read_index(analysis, layout).paging.next is not None) == kept


def test_the_next_page_of_a_list_is_no_post() -> None:
    """The only row of a board links its last post, and the link stands where a pager may stand."""
    named = UrlPattern((("/1", r"msg\.php"), ("tid", r"\d+")))
    for own, onward, kept in (
        ("/list.php?f=4", "/msg.php?msg=281", False),
        ("/list.php?f=4", "/list.php?f=4&page=2", True),
        ("/msg.php?f=4", "/msg.php?f=4&page=2", True),  # one script for everything
        ("/", "/msg.php?act=recent&page=2", True),  # the script that a folder shows
    ):
        html = f'<html><head><link rel="next" href="{onward}"></head><body><p>Tea</p></body></html>'
        analysis = PageAnalysis(parse(html, f"https://f.example{own}"), NOW)
        layout = LayoutKnowledge(ForumModel("https://f.example/", threads=UrlFamily((named,))))
        assert (_read_index(analysis, layout).paging.next is not None) == kept


@pytest.mark.parametrize(
    ("noted", "news", "unexplained"),
    [
        ({GROWN: 3, FOUND: 0}, 0, True),
        ({GROWN: 3, FOUND: 3}, 1, False),
        ({GROWN: 0, FOUND: 0, SURELY_CHANGED: True}, 0, False),
        ({FOUND: 0, SURELY_CHANGED: True}, 0, True),
        ({FOUND: 0, SURELY_CHANGED: True}, 1, False),
        ({FOUND: 0}, 0, False),
    ],
)
def test_news_of_a_board_that_its_threads_do_not_show_are_below_it(
    noted: dict[str, object], news: int, unexplained: bool
) -> None:
    assert _is_unexplained(noted, news) is unexplained


def test_a_later_page_of_a_list_is_no_new_board(boards: StoredBoards) -> None:
    """When the learning saw lists of one page only, a broad pattern of boards fits later pages too."""
    second, other = f"{PARENT}-page2.html", f"{ENTRY}b/9"
    urls = (PARENT, second, other)
    linked = LinkedRows({}, {url: BoardRow(url, "") for url in urls}, {})
    paging = Paging(1, 2, second, slot=NumberSlot(f"{PARENT}-page", ".html"))
    assert set(boards.visit._without_pages(linked, paging).boards) == {PARENT, other}
    boards.knowledge.just_learnt = True
    assert set(boards.visit._without_pages(linked, paging).boards) == set(urls)
    boards.knowledge.just_learnt = False
    assert PARENT in boards.visit._without_pages(linked, Paging(next=PARENT)).boards  # known as a board


@pytest.mark.parametrize(("created", "quiet_since"), [([3, 1, 2], date(2026, 4, 5)), ([3, 2, 1], None)])
def test_a_list_that_is_by_creation_too_does_not_tell_since_when_other_threads_are_quiet(
    created: list[int], quiet_since: date | None
) -> None:
    rows = {
        f"t{number}": ThreadRow(f"u{number}", "t", active=Moment(date(2026, 4, day)))
        for number, day in enumerate((9, 7, 5))
    }
    read = ComparedRows(rows, dict.fromkeys(rows, Change.SAME), {}, 0)
    stored = {f"u{number}": (f"2026-03-{day:02d}", "later") for number, day in enumerate(created)}
    assert _oldest_by_activity(read, stored) == (quiet_since and quiet_since.toordinal())


def test_the_last_thread_in_the_row_of_a_board_has_none_of_its_counters() -> None:
    boards = {"b1": BoardRow("b1", "Pumps", threads=13, posts=98), "b2": BoardRow("b2", "Talk")}
    named, other = (
        ThreadRow("t1", "Seal", replies=13, views=98),
        ThreadRow("t2", "Noise", replies=12, views=98),
    )
    linked = _without_counters_of_boards(LinkedRows({"t1": named, "t2": other}, boards, {}))
    assert [(row.replies, row.views) for row in linked.threads.values()] == [(None, None), (12, 98)]


@pytest.mark.parametrize(("answers", "votes"), [(0, {"creation": 4}), (5, {})])
def test_single_messages_do_not_tell_by_what_their_conversations_are_sorted(
    boards: StoredBoards, answers: int, votes: dict[str, int]
) -> None:
    boards.knowledge.rows.messages.votes["answer"] = answers
    rows = "".join(
        f'<tr><td><a href="/t/{number}">Question about pumps {number}</a></td>'
        f"<td>2026-03-{30 - number} 10:00</td><td>2026-04-{day} 11:00</td></tr>"
        for number, day in enumerate((12, 13, 14, 15, 16))
    )
    head = "<tr><th>Topic</th><th>Started</th><th>Last post</th></tr>"
    page = f"<html><body><h1>Pumps</h1><table>{head}{rows}</table></body></html>"
    boards.knowledge.just_learnt = False
    analysis = PageAnalysis(parse(page.encode(), PARENT), NOW)
    boards.visit.take(boards.board(PARENT), analysis, NOW, OldThreads(boards.forum, None))
    assert boards.knowledge.layout.order.votes == votes


def test_since_when_threads_are_quiet_is_forgotten_once_a_later_page_shows_its_box_in_another_order(
    boards: StoredBoards,
) -> None:
    """The last posts of the first rows of a list by creation may be in the order of time by chance."""
    board, old, rows = boards.board(PARENT), OldThreads(boards.forum, None), boards.knowledge.rows
    for place in ("rows", "box"):
        rows.record_box(place, "activity")
    boards.visit._note_quiet_box(board, {"rows": 40, "box": 50}, old)
    boards.visit._note_quiet_box(board, {"box": 45}, old)
    assert old.quiet_by_board == {board.id: {"rows": 40, "box": 45}}
    rows.record_box("rows", "another")
    boards.visit._note_quiet_box(board, {"box": 50}, old)
    assert old.quiet_by_board == {board.id: {"box": 45}}
