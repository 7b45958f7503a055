"""Patterns of URLs, learnt from examples."""

from collections.abc import Callable

import pytest

from threadmill.forum.site_model.url_codes import find_hashes
from threadmill.forum.site_model.url_patterns import (
    UrlPattern,
    _generalise_codes,
    learn_naming,
    learn_patterns,
    matches_any,
    merge_patterns,
    tell_apart,
    url_key,
    without_members,
    without_title,
)

HOST = "https://f.example/"
BOARDS = [HOST + name for name in ("general-b2-1-1.html", "trip-reports-b6-1-1.html")]
THREADS = [
    HOST + name
    for name in ("trip-to-cork-m25-1-1.html", "sound-of-tr-214-m26-1-1.html", "thanks-m13-1-1.html")
]


@pytest.mark.parametrize(
    ("samples", "of_them", "not_of_them"),
    [
        (["/viewtopic.php?id=140", "/viewtopic.php?id=7"], "/viewtopic.php?id=999", "/viewtopic.php?pid=3"),
        (["/threads/foo-bar.123/", "/threads/x.9/"], "/threads/some-new.77/", "/members/foo.12/"),
        (["/t/slug-x/123", "/t/other/77"], "/t/a/9", "/u/a/9"),
        (["/topic/8/house-7", "/topic/9/garden-8"], "/topic/1/welcome-to-all", "/user/1/welcome"),
        (["/f/2/12-a.html", "/f/2/9-b-c.html"], "/f/2/77-z.html", "/f/2/77-z.php"),
        (
            ["/index.php?topic=64.0", "/index.php?topic=7.0"],
            "/index.php?topic=5.0",
            "/index.php?topic=5.0&print",
        ),
        (["/?thread-143.htm", "/?thread-7.htm"], "/?thread-5.htm", "/?forum-5.htm"),
        (["/read.php?1,1003", "/read.php?2,77"], "/read.php?3,5", "/read.php?3,5,9"),
        (
            ["/index.php?threads/a-b.1/", "/index.php?threads/x.22/"],
            "/index.php?threads/y.3/",
            "/index.php?forums/y.3/",
        ),
        (
            ["/index.php?/topic/1-x/", "/index.php?/topic/22-y/"],
            "/index.php?/topic/3-z/",
            "/index.php?/forum/3-z/",
        ),
        (["/t;id=1", "/t;id=2"], "/t;id=3", "/t;pid=3"),
    ],
)
def test_a_pattern_matches_its_kind_and_no_other(samples: list[str], of_them: str, not_of_them: str) -> None:
    patterns = learn_patterns(f"http://a{sample}" for sample in samples)
    assert matches_any(patterns, f"http://a{of_them}")
    assert not matches_any(patterns, f"http://a{not_of_them}")


@pytest.mark.parametrize(
    ("samples", "pattern"),
    [
        (["/t?id=1"], r"/t\?id=\d+"),
        (["/t5/x?q=a7.0"], r"/t\d+/x\?q=a\d+\.\d+"),
        (["/t?id=1&f=2", "/t?id=3&f=2"], r"/t\?f=2&id=\d+"),
        (["/t-1-1.html", "/t-2-1.html"], r"/t\-\d+\-\d+\.html"),
        (["/t-1-1.html", "/t-2-1.html", "/t-3-1.html"], r"/t\-\d+\-1\.html"),
        (["/a-x.5", "/b-y.6"], r"/[^/]*\.(\d+)"),
        (["/a-t5.html", "/b-x-t6.html"], r"/[^/]*\-t(\d+)\.html"),
        (["/a-5", "/b.6"], r"/[^/]*\d+"),
        (["/12-x", "/7-y-z"], r"/(\d+)[^/]*"),
        (["/t12-x", "/t7-y-z"], r"/t(\d+)[^/]*"),
        (["/a", "/b"], r"/[^/]+"),
        (["/x.html", "/yy.html"], r"/[^/]+\.html"),
        (["/x.1", "/y.2"], r"/[^/]*\.(\d+)"),
        (["/t?q=ab", "/t?q=cd"], r"/t\?q=[^&]*"),
        (["/t?q=a1", "/t?q=a2"], r"/t\?q=a\d+"),
        (["/", ""], "/"),
        (["/9/a-1", "/8/b"], r"/\d+/[^/]+"),
        (["/9/a-1", "/8/b-2"], r"/\d+/[^/]+"),
        (["/a/x-1", "/b/y-2"], r"/[^/]+/[^/]*\-(\d+)"),
        (["/5/x-1", "/5/y-2"], r"/5/[^/]*\-(\d+)"),
        (["/?t-1.htm", "/?t-2.htm"], r"/\?t\-\d+\.htm"),
        (["/r?1,5", "/r?1,6", "/r?1,7"], r"/r\?1,\d+"),
    ],
)
def test_what_differs_is_generalised_and_the_rest_stays(samples: list[str], pattern: str) -> None:
    assert [str(found) for found in learn_patterns(f"http://a{sample}" for sample in samples)] == [pattern]


def test_what_slips_in_by_mistake_makes_no_pattern() -> None:
    threads = [f"http://a/t/{n}" for n in range(20)]
    patterns = learn_patterns([*threads, "http://a/login?back=1"])
    assert not matches_any(patterns, "http://a/login?back=2")


def test_a_fifth_of_the_samples_makes_a_pattern_of_its_own() -> None:
    threads = [f"http://a/t/{n}" for n in range(4)]
    assert len(learn_patterns([*threads, "http://a/x?b=1"])) == 2
    assert len(learn_patterns([*threads, "http://a/t/99", "http://a/x?b=1"])) == 1


def test_session_ids_do_not_matter() -> None:
    patterns = learn_patterns(["http://a/t?id=1&sid=0123456789abcdef0123456789abcdef", "http://a/t?id=2"])
    assert matches_any(patterns, "http://a/t?id=3&sid=ffffffffffffffffffffffffffffffff")


def test_a_parameter_that_says_where_one_came_from_is_free() -> None:
    (pattern,) = learn_patterns(["http://a/t?id=1&from=page%3D1", "http://a/t?id=2&from=page%3D4"])
    assert pattern == UrlPattern((("/1", "t"), ("id", r"\d+")), ("from",))
    assert matches_any([pattern], "http://a/t?id=3")
    assert matches_any([pattern], "http://a/t?id=3&from=x")
    assert not matches_any([pattern], "http://a/t?from=x")


def test_patterns_that_differ_in_one_parameter_become_one() -> None:
    short = UrlPattern((("/1", "t"), ("id", r"\d+")))
    long = UrlPattern((("/1", "t"), ("f", r"\d+"), ("id", r"\d+")), ("x",))
    merged = UrlPattern((("/1", "t"), ("id", r"\d+")), ("f", "x"))
    assert merge_patterns([short, long]) == (merged,)
    assert merge_patterns([long, short]) == (merged,)


def test_patterns_that_differ_in_the_name_of_a_board_become_one() -> None:
    names = ("bikes", "old-cars", r"news@lists\.example", r"comp\.lang\.c\+\+")
    boards = [UrlPattern((("/1", name), ("/2", r"msg\d+\.html"))) for name in names]
    assert merge_patterns(boards) == (UrlPattern((("/1", "[^/]+"), ("/2", r"msg\d+\.html"))),)


def test_scripts_are_no_names_of_boards() -> None:
    scripts = tuple(
        UrlPattern((("/1", "forum"), ("/2", name), ("id", r"\d+"))) for name in (r"topic\.php", r"post\.php")
    )
    assert merge_patterns(scripts) == scripts


def test_words_are_no_names_of_boards_where_nothing_else_tells_the_kind_of_page() -> None:
    kinds = tuple(UrlPattern((("/1", word), ("/2", r"\d+"))) for word in ("forum", "topic"))
    assert merge_patterns(kinds) == kinds
    assert merge_patterns(kinds[:1]) == kinds[:1]


@pytest.mark.parametrize(
    "other",
    [
        UrlPattern((("/1", "u"), ("id", r"\d+"))),
        UrlPattern((("/1", "t"), ("id", r"[^&]*"))),
        UrlPattern((("/1", "t"), ("p", r"\d+"))),
        UrlPattern((("/1", "t"),)),
    ],
)
def test_other_patterns_stay_apart(other: UrlPattern) -> None:
    short = UrlPattern((("/1", "t"), ("id", r"\d+")))
    assert merge_patterns([short, other, short]) == (short, other)


BASE = "http://f.example"


def _key_of(lists: list[list[str]]) -> Callable[[str], str]:
    """The function that names threads, learnt from the rows of some index pages."""
    rows = [[BASE + url for url in one] for one in lists]
    patterns = learn_patterns(url for one in rows for url in one)
    known = [learn_naming(pattern, rows) for pattern in patterns]
    return lambda url: url_key(known, BASE + url)


@pytest.mark.parametrize(
    "urls",
    [
        ["/?thread-1.htm", "/?thread-2.htm", "/?thread-143.htm"],
        ["/read.php?1,1003", "/read.php?1,1004", "/read.php?1,7"],
        ["/index.php?threads/a.1/", "/index.php?threads/b.2/", "/index.php?threads/c.33/"],
        ["/index.php?/topic/1-x/", "/index.php?/topic/2-y/", "/index.php?/topic/3-zz/"],
        ["/index.php?t=msg&th=5", "/index.php?t=msg&th=6", "/index.php?t=msg&th=7"],
        ["/how-to-cook", "/what-to-eat", "/where-to-sleep"],
        ["/t/a8Kf0x", "/t/Bq7Zt1", "/t/c0Wm3k"],
        ["/v?i=YWJj", "/v?i=ZGVm", "/v?i=Z2hp"],
    ],
)
def test_every_thread_has_a_key_of_its_own(urls: list[str]) -> None:
    key = _key_of([urls])
    assert len({key(url) for url in urls}) == len(urls)


def test_the_title_in_a_url_may_change_where_there_is_an_id() -> None:
    key = _key_of([["/t/a-b/5", "/t/c-d/6", "/t/e/7"]])
    assert key("/t/new-title/5") == key("/t/a-b/5") != key("/t/a-b/6")
    key = _key_of([["/a-b.5/", "/c-d.6/", "/e.7/"]])
    assert key("/new-title.5/") == key("/a-b.5/") != key("/a-b.6/")


def test_a_list_may_link_a_thread_with_its_title_and_the_pages_of_the_thread_without() -> None:
    key = _key_of([["/topic/84-my-pump-84", "/topic/84", "/topic/17-a-leak", "/topic/17", "/topic/9-b"]])
    assert key("/topic/84") == key("/topic/84-my-pump-84") != key("/topic/17")
    key = _key_of([["/topic/1-my-pump", "/topic/1-a-leak", "/topic/2-a", "/topic/2-b"]])  # of two boards
    assert key("/topic/1-my-pump") != key("/topic/1-a-leak")


def test_a_thread_may_lack_the_title_behind_its_id() -> None:
    rows = [BASE + url for url in ("/topic/5/a-b/", "/topic/6/c/", "/topic/7/d-e/")]
    titled = learn_naming(learn_patterns(rows)[0], [rows])
    untitled = without_title(titled)
    assert untitled is not None
    assert [
        matches_any((untitled,), f"{BASE}{path}") for path in ("/topic/8/", "/topic/new/", "/user/8/")
    ] == [
        True,
        False,
        False,
    ]
    both = [titled, untitled]
    assert url_key(both, f"{BASE}/topic/5/") == url_key(both, f"{BASE}/topic/5/a-b/")


@pytest.mark.parametrize("form", ["/t/{}-title", "/topic/title-{}/", "/t.php?id={}", "/{}/title.html"])
def test_where_the_title_is_part_of_another_field_there_is_no_url_without_it(form: str) -> None:
    rows = [BASE + form.format(number).replace("title", "x" * number) for number in (5, 6, 7)]
    assert without_title(learn_naming(learn_patterns(rows)[0], [rows])) is None


def test_numbers_that_repeat_in_a_list_are_no_ids() -> None:
    key = _key_of([["/a-b.1/", "/c-d.1/", "/e.1/", "/f.2/"]])
    assert key("/a-b.1/") != key("/c-d.1/")


def test_the_name_of_a_board_in_the_path_belongs_to_the_key() -> None:
    key = _key_of([["/cars/5-x", "/cars/6-y", "/bikes/7-z", "/bikes/8-z"]])
    assert key("/cars/5-x") == key("/cars/5-new") != key("/bikes/5-x")


def test_a_parameter_that_is_equal_in_all_rows_of_a_page_names_nothing() -> None:
    rows = [[f"/f.php?tid={n}&extra=p{page}" for n in range(9 * page, 9 * page + 9)] for page in (1, 2)]
    key = _key_of(rows)
    assert key("/f.php?tid=14&extra=p1") == key("/f.php?tid=14&extra=p7") != key("/f.php?tid=15&extra=p1")


def test_where_each_board_counts_its_own_threads_the_board_belongs_to_the_key() -> None:
    key = _key_of([[f"/ib.cgi?f={board}&t={n}" for n in range(1, 9)] for board in (1, 2)])
    assert key("/ib.cgi?f=1&t=5") != key("/ib.cgi?f=2&t=5")


def test_without_a_pattern_the_whole_url_is_the_key() -> None:
    assert url_key((), "http://f.example/t?a=1&extra=2") == "f.example/t?a=1&extra=2"


def test_urls_may_be_taken_out_of_a_pattern() -> None:
    (pattern,) = learn_patterns([f"{BASE}/cars", f"{BASE}/bikes"])
    boards = without_members(pattern, [f"{BASE}/ask", f"{BASE}/log.in", f"{BASE}/t/5"])
    assert str(boards) == r"/(?!(?:ask|log\.in)$)[^/]+"
    names = ("cars", "ask", "log.in", "login", "asks")
    assert [name for name in names if matches_any([boards], f"{BASE}/{name}")] == ["cars", "login", "asks"]
    assert without_members(pattern, []) == pattern


def test_a_pattern_of_codes_fits_codes_that_were_not_among_its_examples() -> None:
    codes = ("dGhyZWFkOjE0", "dGhyZWFkOjE1", "dGhyZWFkOjE2", "dGhyZWFkOjE3")
    patterns = learn_patterns(f"https://f.example/read?id={code}" for code in codes)
    assert matches_any(patterns, "https://f.example/read?id=dGhyZWFkOjIz")
    assert not matches_any(patterns, "https://f.example/read?id=Ym9hcmQ6Mg")  # "board:2" in base64


def test_a_pattern_has_the_word_that_names_the_kind_of_page() -> None:
    titles = ("old-lamp", "a-red-boat", "to-all-of-you", "pump-of-1990")
    patterns = learn_patterns(f"https://f.example/{t}-topic-{n}.html" for n, t in enumerate(titles))
    assert matches_any(patterns, "https://f.example/anything-else-topic-77.html")
    assert not matches_any(patterns, "https://f.example/anything-board-77.html")


@pytest.mark.parametrize(
    ("urls", "same", "other"),
    [
        (["old-mill-topic12", "rd-39-or-bm-35-topic13"], "any-words-topic7", "smithy-board4"),
        (["le-comptoir-b-2", "gravure-b-6"], "aquarelle-b-44", "bruit-du-mr-244-m-23"),
        (["a-story-fa8cfb8b", "the-way-home-story-4e114f62"], "x-y-story-d533689e", "nets-cat-b54cda2b"),
    ],
)
def test_the_word_before_the_id_tells_kinds_of_pages_apart(urls: list[str], same: str, other: str) -> None:
    patterns = learn_patterns(f"https://f.example/bb/{url}.html" for url in urls)
    assert matches_any(patterns, f"https://f.example/bb/{same}.html")
    assert not matches_any(patterns, f"https://f.example/bb/{other}.html")


def test_hashes_are_told_from_words_and_numbers() -> None:
    ids = {"be9bca40.html", "c623a9b4.html", "17932292.html", "2064508f.html"}
    assert find_hashes([*ids, "index.html", "facade12.html", "user-Anna.html"]) == {*ids, "facade12.html"}
    assert not find_hashes(["decade.html", "facade.html", "accede.html", "efface.html"])
    assert not find_hashes(["100234", "100235", "100236", "100237"])
    assert [str(pattern) for pattern in learn_patterns(f"https://f.example/{one}" for one in ids)] == [
        r"/[\da-f]{8}\.html"
    ]


@pytest.mark.parametrize(
    ("urls", "other"),
    [
        (["t-08d12e03.htm", "t-1fe68e78.htm", "t-fa8cfb8b.htm", "t-45402165.htm"], "t-08d12e03-last.htm"),
        (["t08d12e03", "t1fe68e78", "tfa8cfb8b", "t45402165"], "t08d12e03-cabb01fbd"),
    ],
)
def test_hashes_behind_one_word_have_their_length(urls: list[str], other: str) -> None:
    patterns = learn_patterns(f"https://f.example/?{url}" for url in urls)
    assert matches_any(patterns, f"https://f.example/?{urls[0].replace('08d12e03', '98c4753c')}")
    assert not matches_any(patterns, f"https://f.example/?{other}"), "a page of a thread"


def test_a_pattern_refuses_urls_of_another_kind_that_no_page_has_proven() -> None:
    wide = UrlPattern((("/1", r"[^/]+\.html"),))
    narrow = tell_apart(wide, THREADS[:2], BOARDS[:1], THREADS)
    assert all(matches_any([narrow], url) for url in THREADS)
    assert not any(matches_any([narrow], url) for url in BOARDS)


def test_a_pattern_that_takes_in_no_stranger_stays() -> None:
    pattern = UrlPattern((("/1", r"[^/]*\-m(\d+)\-1\-1\.html"),))
    assert tell_apart(pattern, THREADS, BOARDS, THREADS) == pattern


def test_a_pattern_refuses_a_word_that_all_urls_of_another_kind_share() -> None:
    wide = UrlPattern((("/1", "[^/]+"), ("/2", "[^/]+")))
    threads = [
        f"https://f.example/{board}/{title}" for board in ("bikes", "cars") for title in ("oil", "chain")
    ]
    messages = [f"https://f.example/msg/{number}" for number in (117, 118)]
    narrow = tell_apart(wide, threads, messages, threads)
    assert matches_any([narrow], "https://f.example/trucks/brakes")
    assert not matches_any([narrow], "https://f.example/msg/119")


def test_a_hash_among_hashes_is_no_word_of_another_kind() -> None:
    """A board with two rows and excerpts was taken for a thread. It is a board like the others."""
    wide = UrlPattern((("/1", "boards"), ("/2", "[^/]+")))
    boards = [f"{HOST}boards/{code}" for code in ("3c6ef367", "78dde6c9", "0a51b2f4")]
    assert tell_apart(wide, boards, [f"{HOST}boards/b54cda2b"], boards) == wide


def test_a_word_that_stands_before_the_hash_of_all_titles_belongs_to_their_pattern() -> None:
    names = ("forge-cat78dde6c9", "foundry-catb54cda2b", "tools-catf1bbcd8d", "anvil-cat00c1d2e3")
    patterns = learn_patterns([f"https://f.example/{name}.html" for name in names])
    assert matches_any(patterns, "https://f.example/noise-cat736ae24f.html")
    assert not matches_any(patterns, "https://f.example/noise-story736ae24f.html")


@pytest.mark.parametrize(
    ("codes", "expression"),
    [
        (["t,fa8x1", "t,b7c2q"], "t,[^/]+"),
        (["fa8x1", "b7c2q"], "[^/]+"),
        (["t8d1x", "t9f2y", "t1a3z", "t7b8w"], "t[^/]*"),
        (["t8d1x", "t9f2y", "t1a3z"], "[^/]+"),  # three may begin alike by chance
    ],
)
def test_codes_begin_with_what_all_of_enough_examples_begin_with(codes: list[str], expression: str) -> None:
    assert _generalise_codes(codes) == expression


def test_one_title_with_a_number_of_another_kind_refuses_no_other_titles() -> None:
    """A thread was not read as one. Other threads are called alike: "broken-after-6-hours"."""
    wide = UrlPattern((("/1", r"\d+"), ("/2", "[^/]+")))
    threads = [f"{HOST}2016/{title}" for title in ("boats", "cars-and-oil", "rain")]
    narrow = tell_apart(wide, threads, [f"{HOST}2016/broken-after-6-hours"], threads)
    assert matches_any([narrow], f"{HOST}2016/broken-after-56-hours")
    assert not matches_any([narrow], f"{HOST}2016/broken-after-6-hours")
    pages = tell_apart(wide, threads, [f"{HOST}2016/page-2"], threads)
    assert not matches_any([pages], f"{HOST}2016/page-3")
