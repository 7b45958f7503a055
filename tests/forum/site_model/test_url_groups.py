from dataclasses import replace

import pytest

from threadmill.forum.site_model.url_groups import UrlGroups
from threadmill.forum.site_model.url_patterns import matches_any
from threadmill.forum.site_model.url_shapes import _find_longer_pieces
from threadmill.forum.site_model.visited_pages import VisitedPage

ENTRY = "https://f.example/"
THREADS = [f"https://f.example/topic,{n}.0.html" for n in range(1, 9)]
LAST = [f"https://f.example/topic,{n}.msg{n + 90}.html" for n in range(1, 9)]
BOARDS = [f"https://f.example/board,{n}.0.html" for n in (1, 2, 3)]
START = VisitedPage(
    ENTRY, ENTRY, "index", {**dict.fromkeys(BOARDS, 12), **dict.fromkeys(LAST[:3], 30)}, [], BOARDS
)
THREAD = VisitedPage(THREADS[0], THREADS[0], "thread", {})
LAST_POST = VisitedPage(LAST[1], LAST[1], "thread", {})


def _board(kind: str) -> VisitedPage:
    links = {**dict.fromkeys(THREADS, 25), **dict.fromkeys(LAST, 10), ENTRY: 5}
    return VisitedPage(BOARDS[0], BOARDS[0], kind, links, THREADS if kind == "index" else [])


@pytest.mark.parametrize("kind", ["index", "other"])
def test_boards_and_threads_are_told_by_what_their_like_turned_out_to_be(kind: str) -> None:
    families = UrlGroups([START, _board(kind), THREAD, LAST_POST], ENTRY)
    assert matches_any(families.threads(), "https://f.example/topic,77.0.html")
    assert matches_any(families.boards(), "https://f.example/board,9.0.html")


def test_links_to_last_posts_are_no_family_of_threads() -> None:
    families = UrlGroups([START, _board("index"), THREAD, LAST_POST], ENTRY)
    assert not matches_any(families.threads(), "https://f.example/topic,77.msg1234.html")


def test_boards_add_nothing_to_a_start_page_that_lists_their_threads() -> None:
    start = VisitedPage(
        ENTRY, ENTRY, "index", {**dict.fromkeys(BOARDS, 12), **dict.fromkeys(THREADS, 25)}, THREADS
    )
    assert UrlGroups([start, _board("index"), THREAD], ENTRY).boards() == ()


def dated(url: str, threads: list[str], days: list[int], links: list[str]) -> VisitedPage:
    dates = {thread: f"2026-04-{day:02d}" for thread, day in zip(threads, days, strict=True)}
    return VisitedPage(url, url, "index", dict.fromkeys([*threads, *links], 20), threads, days=dates)


def test_stickies_of_a_board_and_its_old_threads_need_not_be_on_a_start_page_that_lists_all() -> None:
    start = dated(ENTRY, THREADS[:6], [28, 27, 26, 25, 24, 23], BOARDS)
    board = dated(BOARDS[0], [THREADS[7], THREADS[1], THREADS[3], THREADS[6]], [2, 27, 25, 21], [ENTRY])
    goes_on = replace(start, next=f"{ENTRY}?page=2")
    assert UrlGroups([goes_on, board, THREAD], ENTRY).boards() == ()
    assert UrlGroups([start, board, THREAD], ENTRY).boards(), "a box of the latest threads is no list of all"


def test_boards_with_young_threads_that_the_start_page_does_not_name_are_boards() -> None:
    start = dated(ENTRY, THREADS[:6], [28, 27, 26, 25, 24, 23], BOARDS)
    board = dated(BOARDS[0], [THREADS[1], THREADS[3], THREADS[6]], [27, 25, 24], [ENTRY])
    assert matches_any(UrlGroups([start, board, THREAD], ENTRY).boards(), BOARDS[1])


def test_a_next_page_without_a_number_of_its_own_kind_is_no_board() -> None:
    more = "https://f.example/latest?page=1"
    start = dated(ENTRY, THREADS[:6], [28, 27, 26, 25, 24, 23], [*BOARDS, more])
    second = dated(more, THREADS[6:], [25, 24], BOARDS)
    board = dated(BOARDS[0], [THREADS[1], THREADS[3], THREADS[6]], [27, 25, 22], [ENTRY])
    assert UrlGroups([start, second, board, THREAD], ENTRY).boards() != ()
    start = replace(start, later=frozenset({more}))
    assert UrlGroups([start, second, board, THREAD], ENTRY).boards() == ()


def test_another_name_of_the_start_page_makes_no_boards_of_its_like() -> None:
    alias = VisitedPage(
        "https://f.example/index.php", "https://f.example/index.php", "index", START.links, [], BOARDS
    )
    start = VisitedPage(ENTRY, ENTRY, "index", {**START.links, "https://f.example/search.php": 6}, [], BOARDS)
    families = UrlGroups([start, alias, _board("index"), THREAD], ENTRY)
    assert not matches_any(families.boards(), "https://f.example/search.php")


def test_later_pages_of_the_start_page_are_no_boards() -> None:
    pages = [f"https://f.example/?page={n}" for n in (2, 3, 4)]
    links = {**dict.fromkeys(BOARDS, 12), **dict.fromkeys(pages, 1), **dict.fromkeys(THREADS[4:], 25)}
    start = VisitedPage(ENTRY, ENTRY, "index", links, THREADS[4:], BOARDS, frozenset(pages))
    second = VisitedPage(pages[0], pages[0], "index", dict.fromkeys(THREADS[:4], 25), THREADS[:4])
    boards = UrlGroups([start, second, _board("index"), THREAD], ENTRY).boards()
    assert matches_any(boards, "https://f.example/board,9.0.html")
    assert not matches_any(boards, "https://f.example/?page=5")


def test_the_kind_of_a_url_is_that_of_its_like() -> None:
    groups = UrlGroups([START, _board("index"), THREAD, LAST_POST], ENTRY)
    assert groups.kind_of(THREADS[5]) == "thread"
    assert groups.kind_of(BOARDS[2]) == "index"
    assert groups.kind_of("https://f.example/unknown") == ""


def test_one_misread_page_does_not_change_the_kind_of_its_group() -> None:
    misread = replace(THREAD, kind="other")
    another = replace(THREAD, asked=THREADS[1], url=THREADS[1])
    assert UrlGroups([START, _board("index"), misread, another], ENTRY).kind_of(THREADS[5]) == "thread"


def test_a_page_of_no_kind_that_links_to_three_new_threads_is_a_list() -> None:
    page = VisitedPage(BOARDS[0], BOARDS[0], "other", dict.fromkeys(THREADS[:3], 25))
    assert UrlGroups([START, page, THREAD], ENTRY).kind_of(BOARDS[1]) == "index"
    fewer = replace(page, links=dict.fromkeys(THREADS[:2], 25))
    assert UrlGroups([START, fewer, THREAD], ENTRY).kind_of(BOARDS[1]) == "other"
    unnamed = replace(page, links=dict.fromkeys(THREADS[:3], 0))
    assert UrlGroups([START, unnamed, THREAD], ENTRY).kind_of(BOARDS[1]) == "other"
    start = replace(START, links={**START.links, **dict.fromkeys(THREADS[:3], 25)})
    assert UrlGroups([start, page, THREAD], ENTRY).kind_of(BOARDS[1]) == "other"


def test_without_visits_rows_give_the_patterns() -> None:
    start = VisitedPage(ENTRY, ENTRY, "index", {}, THREADS, BOARDS)
    groups = UrlGroups([start], ENTRY)
    assert matches_any(groups.threads(), "https://f.example/topic,77.0.html")
    assert matches_any(groups.boards(), "https://f.example/board,9.0.html")


def test_a_menu_with_a_form_in_it_is_no_list_of_boards() -> None:
    boards = [f"https://f.example/{name}" for name in ("cars", "bikes", "boats")]
    menu = [f"https://f.example/{name}" for name in ("questions", "ask", "users")]
    links = dict.fromkeys([*boards, *menu, "https://f.example/feedback"], 8)
    places = {
        **dict.fromkeys(boards, "side"),
        **dict.fromkeys(menu, "top"),
        "https://f.example/feedback": "foot",
    }
    start = VisitedPage(ENTRY, ENTRY, "index", links, boards=boards, places=places)
    visited = [
        start,
        VisitedPage(boards[0], boards[0], "index", dict.fromkeys(THREADS, 20), THREADS),
        VisitedPage(menu[0], menu[0], "index", dict.fromkeys(THREADS[::-1], 20), THREADS[::-1]),
        VisitedPage(menu[1], menu[1], "other", {}),
        THREAD,
    ]
    patterns = UrlGroups(visited, ENTRY).boards()
    assert [url for url in links if matches_any(patterns, url)] == [*boards, menu[0]]
    assert matches_any(patterns, "https://f.example/planes")


def _latest(threads: list[str], days: list[int]) -> bool:
    """Whether a start page that lists these threads is one of the latest threads of two boards."""
    start = dated(ENTRY, threads, days, BOARDS)
    boards = [
        dated(BOARDS[0], THREADS[:4], [28, 26, 24, 2], [ENTRY]),
        dated(BOARDS[1], THREADS[4:], [27, 25, 23, 1], [ENTRY]),
    ]
    return UrlGroups([start, *boards, THREAD], ENTRY).start_lists_latest()


def test_a_start_page_may_list_the_latest_threads_of_all_boards() -> None:
    order = [THREADS[n] for n in (0, 4, 1, 5, 2)]
    assert _latest(order, [28, 27, 26, 25, 24])
    assert not _latest(order, [28, 27, 26, 27, 24])  # not sorted
    assert not _latest([THREADS[n] for n in (0, 4, 1, 2)], [28, 27, 26, 24])  # one of the 25th is not there
    assert not _latest(THREADS[:3], [28, 26, 24])  # one board alone


def test_hashes_of_boards_and_threads_are_told_apart_by_how_they_begin() -> None:
    boards = [f"https://f.example/f{code}-1.html" for code in ("f1bb", "3c6e", "b54c", "78dd")]
    threads = [f"https://f.example/t{code}-1.html" for code in ("11a2", "36fb", "d533", "f708", "1fe6")]
    start = VisitedPage(ENTRY, ENTRY, "index", dict.fromkeys(boards, 9), boards=boards)
    board = VisitedPage(boards[0], boards[0], "index", dict.fromkeys(threads, 20), threads)
    other = VisitedPage(boards[1], boards[1], "index", dict.fromkeys(threads[1:], 20), threads[1:])
    first, second = (VisitedPage(url, url, "thread", {}) for url in threads[:2])
    groups = UrlGroups([start, board, other, first, second], ENTRY)
    assert [str(pattern) for pattern in groups.boards()] == [r"/f[^/]+\-1\.html"]
    assert [str(pattern) for pattern in groups.threads()] == [r"/t[^/]+\-1\.html"]


@pytest.mark.parametrize("form", ["topic/{0}/", "topic/dGhyZWFkOjI{1}/{0}"], ids=["title", "title and ID"])
def test_titles_with_and_without_a_number_at_their_end_are_one_family(form: str) -> None:
    names = ("how-to-fix-a-12", "best-tea-4", "new-one-33", "my-x-5")
    threads = [f"https://f.example/{form.format(name, 'abcd'[n])}" for n, name in enumerate(names)]
    odd = f"https://f.example/{form.format('who-knows-this', 'e')}"
    places = dict.fromkeys([*threads, odd], "row")
    links = dict.fromkeys([*threads, odd], 20)
    start = VisitedPage(ENTRY, ENTRY, "index", links, [*threads, odd], places=places)
    patterns = UrlGroups([start, VisitedPage(threads[0], threads[0], "thread", {})], ENTRY).threads()
    assert matches_any(patterns, odd)
    assert matches_any(patterns, threads[0])


def test_a_short_thread_that_was_misread_takes_no_row_out_of_the_threads() -> None:
    home = "http://a.test/forum"
    threads = [f"http://a.test/post/{name}" for name in ("ab1c", "cd2e", "ef3a", "aa4b", "bb5c", "cc6d")]
    place = dict.fromkeys(threads, "table/tr/td/a")
    rows = VisitedPage(home, home, "index", dict.fromkeys(threads, 30), threads=threads, places=place)
    kinds = ("thread", "other", "thread")
    pages = [VisitedPage(url, url, kind, {}) for url, kind in zip(threads[:3], kinds, strict=True)]
    patterns = UrlGroups([rows, *pages], home).threads()
    assert all(matches_any(patterns, url) for url in threads)


def test_lists_below_boards_that_show_no_threads_are_boards_too() -> None:
    months = [f"https://f.example/archive/{year}/{month}/" for year in (2024, 2025) for month in range(1, 5)]
    board = VisitedPage(BOARDS[0], BOARDS[0], "index", {**dict.fromkeys(months, 8), ENTRY: 5})
    month = VisitedPage(months[0], months[0], "index", dict.fromkeys(THREADS, 25), THREADS)
    families = UrlGroups([START, board, month, THREAD], ENTRY)
    assert matches_any(families.boards(), "https://f.example/archive/2023/12/")
    assert matches_any(families.boards(), BOARDS[2])


def test_lists_that_boards_with_threads_link_to_are_other_orders_of_the_same_threads() -> None:
    orders = [f"https://f.example/by/{order}/{n}" for order in ("views", "votes") for n in range(1, 4)]
    board = _board("index")
    board = replace(board, links={**board.links, **dict.fromkeys(orders, 8)})
    ordered = VisitedPage(orders[0], orders[0], "index", dict.fromkeys(THREADS, 25), THREADS)
    assert not matches_any(UrlGroups([START, board, ordered, THREAD], ENTRY).boards(), orders[1])


MESSAGES = [f"https://f.example/read?msg={n}" for n in range(1, 9)]
WHOLE = [f"https://f.example/read?thread={n}" for n in (1, 2)]


def _tree(answers: bool) -> VisitedPage:
    """A list of whole threads and of their messages. The messages have the longer link texts."""
    links = {**dict.fromkeys(MESSAGES, 40), **dict.fromkeys(WHOLE, 0)}
    titled = frozenset(MESSAGES[2:]) if answers else frozenset()
    return VisitedPage(BOARDS[0], BOARDS[0], "index", links, MESSAGES, answers=titled)


@pytest.mark.parametrize("answers", [True, False])
def test_whole_threads_go_before_their_single_messages(answers: bool) -> None:
    messages = [VisitedPage(url, url, "thread", {}, posts=1 + answers) for url in MESSAGES[:2]]
    whole = VisitedPage(WHOLE[0], WHOLE[0], "thread", {}, posts=5)
    families = UrlGroups([START, _tree(answers), *messages, whole], ENTRY)
    assert matches_any(families.threads(), WHOLE[1])
    assert not matches_any(families.threads(), MESSAGES[0])


def test_single_messages_are_read_where_no_page_shows_the_whole_thread() -> None:
    messages = [VisitedPage(url, url, "thread", {}, posts=1) for url in MESSAGES[:2]]
    assert matches_any(UrlGroups([START, _tree(True), *messages], ENTRY).threads(), MESSAGES[0])


@pytest.mark.parametrize(
    ("sure", "single", "whole"), [(0.5, 1.0, False), (0.95, 1.0, True), (0.66, 0.62, True)]
)
def test_pages_that_hardly_look_like_threads_are_no_whole_threads(
    sure: float, single: float, whole: bool
) -> None:
    """Profiles beside a box of the latest posts: each shows the box, and each message names one."""
    messages = [VisitedPage(url, url, "thread", {}, posts=1, confidence=single) for url in MESSAGES[:2]]
    page = VisitedPage(WHOLE[0], WHOLE[0], "thread", {}, posts=4, confidence=sure)
    threads = UrlGroups([START, _tree(answers=False), *messages, page], ENTRY).threads()
    assert matches_any(threads, WHOLE[1]) == whole
    assert matches_any(threads, MESSAGES[0]) != whole


def test_titles_of_answers_lead_to_no_board_whatever_their_pages_look_like() -> None:
    misread = [VisitedPage(url, url, "index", {}, confidence=0.6) for url in MESSAGES[:2]]
    families = UrlGroups([START, _tree(True), *misread], ENTRY)
    assert families.kind_of(MESSAGES[5]) == "thread"


def test_next_pages_vote_on_the_kind_of_a_group() -> None:
    later = f"{THREADS[0]}?page=2"
    unsure = VisitedPage(THREADS[0], THREADS[0], "index", {}, next=later, confidence=0.6)
    families = UrlGroups([START, _board("index"), unsure, VisitedPage(later, later, "thread", {})], ENTRY)
    assert families.kind_of(THREADS[3]) == "thread"


def test_links_to_last_posts_with_long_texts_are_no_threads_where_the_same_urls_are_linked_without_them() -> (
    None
):
    threads = [f"https://f.example/topics/{n}" for n in range(10, 18)]
    last = [f"{url}?r={n}" for n, url in enumerate(threads, 300)]
    board = VisitedPage(
        BOARDS[0], BOARDS[0], "index", {**dict.fromkeys(threads, 25), **dict.fromkeys(last, 29)}, threads
    )
    pages = [VisitedPage(url, url, "thread", {}) for url in (threads[0], last[1])]
    patterns = UrlGroups([START, board, *pages], ENTRY).threads()
    assert matches_any(patterns, threads[3])
    assert not matches_any(patterns, last[3])


def test_the_parameter_that_names_the_thread_is_not_left_out() -> None:
    home = "https://f.example/index.php"
    threads = [f"{home}?topic={n}.0" for n in range(10, 18)]
    links = {**dict.fromkeys(threads, 25), home: 5}
    board = VisitedPage(f"{home}?board=1.0", f"{home}?board=1.0", "index", links, threads)
    start = VisitedPage(ENTRY, ENTRY, "index", {board.url: 12, home: 5}, [], [board.url])
    patterns = UrlGroups([start, board, VisitedPage(threads[0], threads[0], "thread", {})], ENTRY).threads()
    assert matches_any(patterns, f"{home}?topic=77.0")
    assert not matches_any(patterns, home)


def test_doubtful_threads_that_link_to_threads_of_another_form_are_lists() -> None:
    board = replace(_board("thread"), confidence=0.6)
    families = UrlGroups([START, board, THREAD, LAST_POST], ENTRY)
    assert matches_any(families.boards(), "https://f.example/board,9.0.html")
    sure = UrlGroups([START, replace(board, confidence=1.0), THREAD, LAST_POST], ENTRY)
    assert sure.kind_of(BOARDS[1]) == "thread"


def test_later_pages_and_what_is_left_over_make_no_pattern_of_threads() -> None:
    """Profiles, forms and later pages are written alike. Their group must not outweigh the threads."""
    home = "https://f.example/bb/"
    boards = [f"{home}{name}-board{n}.html" for n, name in enumerate(("smithy", "hyde-park", "foundry"), 2)]
    titles = ("old-mill", "parts-for-ab-7", "who-knows", "rd-39-or-bm-35", "thanks", "meeting")
    threads = [f"{home}{title}-topic{n}.html" for n, title in enumerate(titles, 12)]
    people = {f"{home}user-{name}.html": 30 for name in ("anna", "boris", "carla", "dora", "emil", "frida")}
    later = f"{home}old-mill-topic12-2.html"
    rows = {**dict.fromkeys(threads, 12), **people, later: 1, f"{home}login.html": 5}
    start = VisitedPage(home, home, "index", {**dict.fromkeys(boards, 9), **people}, (), boards)
    board = VisitedPage(boards[0], boards[0], "index", rows, threads)
    first = VisitedPage(threads[0], threads[0], "thread", {later: 1}, posts=6, next=later)
    second = VisitedPage(later, later, "thread", {threads[0]: 1}, posts=6)
    profile = VisitedPage(f"{home}user-anna.html", f"{home}user-anna.html", "other", {home: 5})
    groups = UrlGroups([start, board, first, second, profile], home)
    assert matches_any(groups.threads(), f"{home}any-title-topic99.html")
    assert not matches_any(groups.threads(), f"{home}foundry-board9.html")
    assert not matches_any(groups.threads(), f"{home}user-emil.html")
    assert matches_any(groups.boards(), f"{home}foundry-board9.html")


def test_second_pages_do_not_widen_the_pattern_of_threads() -> None:
    threads = [f"https://f.example/title-{word}-m{number}" for number, word in enumerate("abcde", 11)]
    links = [url + end for url in threads for end in ("-1-1.html", "-2-1.html")]
    board = VisitedPage(
        ENTRY, ENTRY, "index", dict.fromkeys(links, 20), [url + "-1-1.html" for url in threads]
    )
    visited = [VisitedPage(links[0], links[0], "thread", {}), VisitedPage(links[1], links[1], "thread", {})]
    groups = UrlGroups([board, *visited], ENTRY)
    assert [str(pattern) for pattern in groups.threads()] == [r"/title\-[^/]*\-m(\d+)\-1\-1\.html"]


@pytest.mark.parametrize("form", ["https://f.example/m/{title}.{n}", "https://f.example/m/{code}/{title}"])
def test_titles_that_many_messages_share_are_no_kinds_of_page(form: str) -> None:
    def url(title: str, n: int) -> str:
        return form.format(title=title, n=n, code=f"{(n + 1) * 2654435761 % 2**32:08x}")

    titles = ["雑談", "鉄道模型", "皆さんに感謝", "写真", "工作", "質問", "掃除方法"]
    urls = [url(title, 10 * k + n) for k, title in enumerate(titles) for n in range(5)]
    places = dict.fromkeys(urls, "ul/li/a")
    board = VisitedPage(BOARDS[0], BOARDS[0], "index", dict.fromkeys(urls, 12), urls, places=places)
    threads = [VisitedPage(url, url, "thread", {}) for url in urls[:4]]
    families = UrlGroups([START, board, *threads], ENTRY)
    assert matches_any(families.threads(), url("別の話", 87))


def test_forms_about_threads_are_no_titles_of_threads_although_they_stand_at_the_same_places() -> None:
    threads = [f"https://f.example/t,{number}.html" for number in range(11, 19)]
    kinds = ("fetch", "show", "save", "mark", "tell")  # words of no known form
    others = [f"https://f.example/{word},{number}.html" for word in kinds for number in (11, 12)]
    links = dict.fromkeys([*threads, *others], 12)
    board = VisitedPage(
        BOARDS[0], BOARDS[0], "index", links, threads, places=dict.fromkeys(links, "body/div/div")
    )
    families = UrlGroups([START, board, *(VisitedPage(url, url, "thread", {}) for url in threads[:3])], ENTRY)
    assert [str(pattern) for pattern in families.threads()] == [r"/t,\d+\.html"]


def test_what_is_written_like_the_second_page_of_the_start_page_is_no_board() -> None:
    entry = "https://f.example/"
    threads = [f"{entry}{name}-topic-{n}.html" for n, name in enumerate(("a-b", "c-d", "e-f", "g-h"), 11)]
    rest = [f"{entry}{name}.html" for name in ("rules", "help", "user-anna", "a-b-topic-11-s10")]
    second = f"{entry}index-s10.html"
    links = dict.fromkeys([*threads, *rest, second], 12)
    start = VisitedPage(entry, entry, "index", links, threads, later=frozenset({second}), next=second)
    later = VisitedPage(second, second, "index", links, threads[2:])
    pages = [VisitedPage(url, url, "thread", {}, posts=10) for url in threads[:2]]
    assert UrlGroups([start, later, *pages], entry).boards() == ()


def test_a_board_without_threads_yet_is_a_board_if_its_url_says_so() -> None:
    entry = "https://f.example/"
    boards = [f"{entry}?forums/{name}/" for name in ("trains", "photos", "tools")]
    links = dict.fromkeys(boards, 8)
    start = VisitedPage(entry, entry, "index", links, [], boards[:2], places=dict.fromkeys(boards, "li/a"))
    threads = [f"{entry}?threads/{name}-one/" for name in ("a", "b", "c")]
    full = [VisitedPage(url, url, "index", dict.fromkeys(threads, 20), threads) for url in boards[:2]]
    empty = VisitedPage(boards[2], boards[2], "other", {}, is_notice=True)
    assert matches_any(UrlGroups([start, *full, empty], entry).boards(), boards[2])


def test_urls_that_redirect_to_threads_are_no_threads_where_the_threads_are_linked_too() -> None:
    """An imageboard links each post of its list: "/comments/223" leads to "/t/28"."""
    threads = [f"{ENTRY}t/{n}" for n in range(20, 28)]
    posts = [f"{ENTRY}comments/{n}" for n in range(200, 224)]
    start = VisitedPage(
        ENTRY, ENTRY, "index", {**dict.fromkeys(threads, 5), **dict.fromkeys(posts, 9)}, threads
    )
    asked = VisitedPage(posts[0], threads[0], "thread", {})
    families = UrlGroups([start, asked], ENTRY)
    assert matches_any(families.threads(), f"{ENTRY}t/31")
    assert not matches_any(families.threads(), posts[5])
    alone = replace(start, links=dict.fromkeys(posts, 9), threads=posts)
    assert matches_any(UrlGroups([alone, asked], ENTRY).threads(), posts[5])


def test_the_second_page_of_the_start_page_makes_no_boards_of_single_pages() -> None:
    """ "index-from-16.html" is written like "user-anna.html", and all profiles were visited as boards."""
    second = f"{ENTRY}index-from-16.html"
    single = [f"{ENTRY}{name}.html" for name in ("user-anna", "user-bert", "rules", "search", "help")]
    threads = [f"{ENTRY}story-{n}.html" for n in range(20, 28)]
    older = [f"{ENTRY}story-{n}.html" for n in range(10, 16)]
    links = {**dict.fromkeys(threads, 20), **dict.fromkeys(single, 6), second: 4}
    start = VisitedPage(ENTRY, ENTRY, "index", links, threads, later=frozenset([second]), next=second)
    pages = [
        start,
        VisitedPage(threads[0], threads[0], "thread", {}),
        VisitedPage(single[0], single[0], "other", {}),
        VisitedPage(second, second, "index", dict.fromkeys([*older, *single], 20), older),
    ]
    assert not matches_any(UrlGroups(pages, ENTRY).boards(), single[1])


def test_what_the_second_page_of_the_start_page_shows_as_boards_is_none_if_it_is_written_like_it() -> None:
    """ "index-from-12.html" is written like "about-us.html", so each message was visited as a board."""
    names = ("user-anna", "user-bert", "news", "team", "chronicle", "links", "about-us", "index")
    footer = [f"{ENTRY}{name}.html" for name in names]
    threads = [f"{ENTRY}topic-{n}.html" for n in range(1, 9)]
    second = f"{ENTRY}index-from-12.html"
    first = {**dict.fromkeys([*footer, *threads[:5]], 20), second: 4}
    start = VisitedPage(ENTRY, ENTRY, "index", first, threads[:5], next=second)
    links = dict.fromkeys([*footer, *threads[5:]], 20)
    goes_on = VisitedPage(second, second, "index", links, threads[5:], footer[2:])
    topic = VisitedPage(threads[0], threads[0], "thread", dict.fromkeys(footer, 9), posts=4)
    assert UrlGroups([start, goes_on, topic], ENTRY).boards() == ()


def test_the_last_page_of_a_list_with_one_row_makes_no_threads_of_what_is_written_like_it() -> None:
    """ "/page-2" is written like "/rules". With one row it looks like a thread of one post."""
    last = f"{ENTRY}page-2"
    single = [f"{ENTRY}{name}" for name in ("rules-of-the-forum", "list-of-members", "frequent-questions")]
    threads = [f"{ENTRY}talk/title-{n}/" for n in range(20, 28)]
    board = f"{ENTRY}f/board-4/"
    framing = dict.fromkeys(single, 16)
    links = {**dict.fromkeys(threads, 20), **framing, board: 12, last: 4}
    start = VisitedPage(ENTRY, ENTRY, "index", links, threads, [board], frozenset([last]), next=last)
    pages = [
        start,
        VisitedPage(threads[0], threads[0], "thread", {}, posts=3),
        VisitedPage(board, board, "index", {**dict.fromkeys(threads[:2], 8), **framing}, threads[:2]),
        VisitedPage(last, last, "thread", {}, posts=1, confidence=0.88),
    ]
    learnt = UrlGroups(pages, ENTRY).threads()
    assert matches_any(learnt, threads[5])
    assert not matches_any(learnt, single[0])


def test_links_of_a_footer_do_not_hide_that_the_start_page_lists_all_threads() -> None:
    days = {url: f"2026-05-{30 - place:02}" for place, url in enumerate(THREADS)}
    footer = ["https://f.example/rules.html", "https://f.example/contact.html"]
    links = dict.fromkeys([*THREADS, *BOARDS[:2], *footer], 12)
    start = VisitedPage(ENTRY, ENTRY, "index", links, THREADS, footer, days=days)
    board = VisitedPage(
        BOARDS[0],
        BOARDS[0],
        "index",
        dict.fromkeys(THREADS, 12),
        THREADS[:3],
        days=dict(list(days.items())[:3]),
    )
    other = VisitedPage(footer[1], footer[1], "other", {})
    thread = VisitedPage(THREADS[0], THREADS[0], "thread", {}, posts=3)
    assert UrlGroups([start, board, other, thread], ENTRY).boards() == ()


def test_a_page_of_a_thread_is_known_by_the_shorter_url_that_its_own_begins_with() -> None:
    pieces = ["t-12", "t-12-last", "t-13", "t-13-last", "t-14", "t-14-from-e37", "t-15", "t-15-from-f38"]
    found = _find_longer_pieces(pieces)
    assert found["t-12-last"][0] == "t-12"
    assert found["t-14-from-e37"][0] == "t-14"  # the longest beginning, t-14-from, is no URL
    assert not found.keys() & {"t-12", "t-13", "t-14", "t-15"}


def test_pages_that_link_to_themselves_under_many_urls_are_threads_whatever_their_class() -> None:
    """A page with posts may look like a list of links to these posts. No list leads to itself."""
    threads = [f"https://f.example/story/{n}-pump-fails" for n in range(1, 6)]
    posts = {url: [f"https://f.example/comments/{n}{m}" for m in range(4)] for n, url in enumerate(threads)}

    def thread(url: str, asked: str, kind: str) -> VisitedPage:
        return VisitedPage(asked, asked, kind, {ENTRY: 9, f"{url}/print": 5} | dict.fromkeys(posts[url], 20))

    start = VisitedPage(ENTRY, ENTRY, "index", dict.fromkeys(threads, 30), threads)
    visited = [thread(url, url, "index") for url in threads[:3]]
    visited += [thread(url, posts[url][0], "thread") for url in threads[:2]]
    groups = UrlGroups([start, *visited], ENTRY)
    assert matches_any(groups.threads(), "https://f.example/story/77-pump-fails")
    assert not groups.boards()
    other = VisitedPage(posts[threads[1]][0], posts[threads[1]][0], "thread", {ENTRY: 9})
    lists = UrlGroups([start, *visited[:-1], other], ENTRY)
    assert lists.boards(), "a row that leads to another page is a row of a list"


def test_urls_of_one_group_that_show_the_same_page_are_permalinks_of_its_posts() -> None:
    """The start page of an imageboard links more posts than threads, and more of them were visited."""
    threads = [f"https://f.example/show.php?in=2&thread={n}" for n in range(21, 26)]
    posts = {
        url: [f"https://f.example/show.php?msg={n}{m}" for m in range(4)] for n, url in enumerate(threads)
    }

    def shows(url: str, asked: str, confidence: float) -> VisitedPage:
        links = {ENTRY: 9} | dict.fromkeys(posts[url], 20)
        return VisitedPage(asked, asked, "thread", links, posts=4, confidence=confidence)

    linked = dict.fromkeys(threads, 8) | dict.fromkeys([one for own in posts.values() for one in own], 20)
    start = VisitedPage(ENTRY, ENTRY, "index", linked, [*threads, *posts[threads[0]]])
    visited = [shows(threads[0], one, 0.9) for one in posts[threads[0]][:3]]
    visited += [shows(threads[1], one, 0.9) for one in posts[threads[1]][:2]]
    groups = UrlGroups([start, *visited, shows(threads[4], threads[4], 0.7)], ENTRY)
    assert matches_any(groups.threads(), "https://f.example/show.php?in=2&thread=77")
    assert not matches_any(groups.threads(), "https://f.example/show.php?msg=77")
    assert not groups.boards()


def test_boards_that_show_the_posts_of_their_only_thread_are_boards() -> None:
    boards = [f"https://f.example/board/{n}" for n in (2, 4, 6, 8)]
    threads = [f"https://f.example/t/{n}" for n in range(11, 19)]
    start = VisitedPage(ENTRY, ENTRY, "index", dict.fromkeys([*boards, *threads[4:]], 20), [], boards)
    full = VisitedPage(boards[0], boards[0], "index", dict.fromkeys(threads, 20), threads[:4], confidence=0.8)
    single = [VisitedPage(url, url, "thread", {threads[7]: 20}, posts=5) for url in boards[2:]]
    read = [VisitedPage(url, url, "thread", {}, posts=5) for url in threads[:3]]
    groups = UrlGroups([start, full, *single, *read], ENTRY)
    assert matches_any(groups.boards(), "https://f.example/board/9")
    assert matches_any(groups.threads(), "https://f.example/t/99")
    short = VisitedPage(boards[0], boards[0], "index", dict.fromkeys(threads[:2], 20), confidence=0.8)
    assert not UrlGroups([start, short, *single, *read], ENTRY).boards(), "two links may be a box"


@pytest.mark.parametrize("is_notice", [True, False])
def test_a_board_that_asks_to_log_in_is_a_board_like_the_others(is_notice: bool) -> None:
    """The boards beside it are boards, too, though none of them was visited."""
    boards = [f"https://f.example/{name}-cat{code}.html" for name, code in (("tea", "b54cda2b"), ("cars", "78dde6c9"), ("old", "9f80c83f"), ("code", "3c6ef367"))]  # fmt: skip  # noqa: E501
    links = dict.fromkeys(boards, 12)
    start = VisitedPage(ENTRY, ENTRY, "index", links, [], boards, places=dict.fromkeys(boards, "li/a"))
    seen = [
        VisitedPage(url, url, "index", dict.fromkeys([*THREADS, ENTRY], 25), THREADS) for url in boards[:2]
    ]
    closed = VisitedPage(boards[2], boards[2], "other", {ENTRY: 5}, is_notice=is_notice)
    families = UrlGroups([start, *seen, closed, THREAD], ENTRY)
    assert matches_any(families.boards(), boards[2]) == is_notice
    assert matches_any(families.boards(), boards[3]) == is_notice


@pytest.mark.parametrize("path", ["m/{}/t/{}", "topics/{}/{}"])
def test_the_name_of_a_board_in_the_url_of_a_thread_may_be_any_word(path: str) -> None:
    titles = ("how-to-fix-it", "best-tea-shop", "who-knows-this", "new-lamp-post")
    threads = [f"https://f.example/{path.format('hyde-park', title)}" for title in titles]
    others = [f"https://f.example/{path.format('forge', title)}" for title in titles[:2]]
    every = [*threads, *others]
    places = dict.fromkeys(every, "row")
    start = VisitedPage(ENTRY, ENTRY, "index", dict.fromkeys(every, 20), every, places=places)
    pages = [VisitedPage(url, url, "thread", {}) for url in (threads[0], threads[1], others[0])]
    patterns = UrlGroups([start, *pages], ENTRY).threads()
    assert all(matches_any(patterns, url) for url in every)
    assert matches_any(patterns, f"https://f.example/{path.format('garden', 'some-other-title')}")


def test_later_pages_of_boards_that_are_written_like_threads_are_no_threads() -> None:
    boards = [f"https://f.example/forum/{name}/" for name in ("hyde-park", "small-forge", "old-garden")]
    titles = ("how-to-fix-it", "best-tea-shop", "who-knows-this", "new-lamp-post")
    threads = [[f"{board}{title}-{board[-6:-1]}/" for title in titles] for board in boards]
    start = VisitedPage(ENTRY, ENTRY, "index", dict.fromkeys(boards, 9), boards=boards)
    lists = [
        VisitedPage(
            board, board, "index", dict.fromkeys([*rows, f"{board}page-2/"], 20), rows,
            later=frozenset([f"{board}page-2/"]), places=dict.fromkeys(rows, "row"),
        )
        for board, rows in zip(boards, threads, strict=True)
    ]  # fmt: skip
    second = VisitedPage(f"{boards[0]}page-2/", f"{boards[0]}page-2/", "index", {})
    read = [VisitedPage(url, url, "thread", {}) for rows in threads for url in rows[:2]]
    patterns = UrlGroups([start, *lists, second, *read], ENTRY).threads()
    assert all(matches_any(patterns, url) for rows in threads for url in rows)
    assert not matches_any(patterns, f"{boards[2]}page-3/")


@pytest.mark.parametrize(("sure", "in_rows"), [(0.7, True), (0.95, True), (0.7, False)])
def test_a_doubtful_list_among_the_rows_of_threads_is_a_thread(sure: float, in_rows: bool) -> None:
    """Two threads have the same title. One has a short post, beside a box of the latest threads."""
    titles = ("noise-in-gear", "best-tea-shop", "who-knows-it", "new-lamp-post")
    threads = [f"https://f.example/{title}-topic-{n}-1.html" for n, title in enumerate(titles, 11)]
    thanks = [f"https://f.example/thanks-to-you-topic-{n}-1.html" for n in (21, 26)]
    every = [*threads, *thanks]
    places = dict.fromkeys(threads, "row") | dict.fromkeys(thanks, "row" if in_rows else "menu")
    start = VisitedPage(ENTRY, ENTRY, "index", dict.fromkeys(every, 20), every, places=places)
    read = [VisitedPage(url, url, "thread", {}) for url in threads[:3]]
    misread = VisitedPage(thanks[0], thanks[0], "index", {}, confidence=sure)
    patterns = UrlGroups([start, *read, misread], ENTRY).threads()
    assert all(matches_any(patterns, url) for url in threads)
    assert matches_any(patterns, thanks[1]) == (sure < 0.8 and in_rows)


@pytest.mark.parametrize(("single", "known"), [(2, True), (3, False)])
def test_two_threads_without_answers_are_no_single_messages(single: int, known: bool) -> None:
    """Their titles are alike, and differ from those of the other threads."""
    titles = ("noise-in-gear", "best-tea-shop", "who-knows-it", "new-lamp-post")
    threads = [f"https://f.example/showthread/{title}-{n}" for n, title in enumerate(titles, 11)]
    projects = [f"https://f.example/showthread/my-project-of-{n}-days-{n + 20}" for n in range(1, 6)]
    every = [*threads, *projects]
    start = VisitedPage(
        ENTRY, ENTRY, "index", dict.fromkeys(every, 20), every, places=dict.fromkeys(every, "row")
    )
    read = [VisitedPage(url, url, "thread", {}, posts=5) for url in threads[:3]]
    alone = [VisitedPage(url, url, "thread", {}, posts=1) for url in projects[:single]]
    patterns = UrlGroups([start, *read, *alone], ENTRY).threads()
    assert all(matches_any(patterns, url) for url in threads)
    assert matches_any(patterns, projects[-1]) is known


@pytest.mark.parametrize("names", [2, 3])
def test_pages_that_the_names_of_authors_link_are_no_lists(names: int) -> None:
    """Profiles beside a box of the latest threads were asked for as boards, over and over."""
    people = [f"https://f.example/userinfo.php?uid={n}" for n in range(1, 9)]
    start = replace(START, links={**START.links, **dict.fromkeys(people, 6)})
    thread = replace(THREAD, people=frozenset(people[:names]), posts=names)
    profile = VisitedPage(people[0], people[0], "index", dict.fromkeys(THREADS, 25), THREADS)
    families = UrlGroups([start, _board("index"), thread, LAST_POST, profile], ENTRY)
    assert matches_any(families.boards(), people[-1]) == (names < 3)
