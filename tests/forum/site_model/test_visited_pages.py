"""Whether two visited pages show the same."""

from dataclasses import replace

from threadmill.forum.site_model.visited_pages import (
    VisitedPage,
    find_permalinks,
    is_same_page,
    lists_threads_of_all_boards,
)

ENTRY = "https://f.example/"
THREADS = [f"https://f.example/topic,{n}.0.html" for n in range(1, 9)]
LAST = [f"https://f.example/topic,{n}.msg{n + 90}.html" for n in range(1, 4)]
BOARDS = [f"https://f.example/board,{n}.0.html" for n in (1, 2, 3)]
START = VisitedPage(
    ENTRY, ENTRY, "index", {**dict.fromkeys(BOARDS, 12), **dict.fromkeys(LAST, 30)}, [], BOARDS
)


def dated(url: str, threads: list[str], days: list[int], links: list[str]) -> VisitedPage:
    dates = {thread: f"2026-04-{day:02d}" for thread, day in zip(threads, days, strict=True)}
    return VisitedPage(url, url, "index", dict.fromkeys([*threads, *links], 20), threads, days=dates)


def test_the_start_page_under_another_url_is_known_by_its_rows_or_links() -> None:
    assert is_same_page(replace(START, url="https://f.example/x"), START)
    assert not is_same_page(replace(START, kind="other"), START)
    assert not is_same_page(replace(START, boards=BOARDS[:2]), START)
    assert not is_same_page(START, None)
    links = {f"https://f.example/{n}": 5 for n in range(20)}
    bare = VisitedPage(ENTRY, ENTRY, "other", links)
    assert is_same_page(replace(bare, links=dict(list(links.items())[:17])), bare)
    assert not is_same_page(replace(bare, links=dict(list(links.items())[:16])), bare)


def test_a_start_page_lists_all_threads_if_it_has_two_for_each_board() -> None:
    start = VisitedPage(ENTRY, ENTRY, "index", {}, THREADS[:6], next=f"{ENTRY}?page=2")
    board = VisitedPage(BOARDS[0], BOARDS[0], "index", {}, [*THREADS[2:4], THREADS[7]])
    assert lists_threads_of_all_boards(start, [board], 3)
    assert not lists_threads_of_all_boards(replace(start, next=None), [board], 3)  # a box of latest threads
    assert not lists_threads_of_all_boards(start, [board], 4)
    assert not lists_threads_of_all_boards(replace(start, boards=BOARDS), [board], 3)
    assert not lists_threads_of_all_boards(start, [], 3)
    assert not lists_threads_of_all_boards(start, [replace(board, threads=THREADS[6:])], 3)
    assert not lists_threads_of_all_boards(replace(start, threads=THREADS[:1]), [board], 0)


def test_a_start_page_sorted_in_another_way_is_the_start_page() -> None:
    assert is_same_page(replace(START, url="https://f.example/?sort=name", boards=BOARDS[::-1]), START)


def test_other_threads_of_the_last_day_that_a_start_page_shows_may_stand_on_its_next_page() -> None:
    same_day = [f"https://f.example/topic,{n}.0.html" for n in (50, 51)]
    start = replace(dated(ENTRY, THREADS[:4], [28, 27, 26, 24], BOARDS), next=f"{ENTRY}?page=2")
    board = dated(BOARDS[0], [*THREADS[:4], *same_day], [28, 27, 26, 24, 24, 24], [ENTRY])
    assert lists_threads_of_all_boards(start, [board], 1)
    older = dated(BOARDS[0], [*THREADS[:4], *same_day], [28, 27, 26, 24, 25, 25], [ENTRY])
    assert not lists_threads_of_all_boards(start, [older], 1)


def test_the_next_page_of_a_thread_is_no_other_url_of_it() -> None:
    """Buttons that name the thread give both pages the same links, where posts have no links of their own."""
    buttons = [[f"/{name}/{number}" for name in ("quote", "reply", "report", "like")] for number in (5, 6)]
    threads = ["/t/5", "/t/6"]
    pages = []
    for url, own in zip(threads, buttons, strict=True):
        links = dict.fromkeys([*own, url, "/t/7", "/t/8", f"{url}/page-2"], 9)
        pages += [
            VisitedPage(url, url, "thread", links, posts=7, next=f"{url}/page-2"),
            VisitedPage(f"{url}/page-2", f"{url}/page-2", "thread", links, posts=7),
        ]
    group_of = dict.fromkeys([*threads, "/t/7", "/t/8"], 0) | {f"{url}/page-2": 1 for url in threads}
    found = find_permalinks(pages, None, group_of, {0, 1})
    assert not found.links
    assert not found.threads
    lone = [replace(page, next=None) for page in pages]
    assert find_permalinks(lone, None, group_of, {0, 1}).threads, "two URLs that show the same"
