"""Groups of URLs that are written alike."""

import pytest

from threadmill.forum.site_model.url_shapes import group_by_shape

SITE = "https://forum.example"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            ["/showthread.php?tid=1", "/showthread.php?tid=22"],
            ["/showthread.php?tid=1&action=lastpost", "/showthread.php?tid=9&action=lastpost"],
        ),
        (["/thread-1-1-1.html", "/thread-2-1-1.html"], ["/forum-1-1.html", "/forum-12-1.html"]),
        (["/topic/12-old-pump/", "/topic/7-new-valve/"], ["/forum/3-water/", "/forum/4-fire-and-ice/"]),
        (
            ["/old-pump-t12.html", "/new-valve-t7.html", "/what-now-t8.html"],
            ["/water-works-f2.html", "/fire-f3.html", "/ice-age-f5.html"],
        ),
    ],
)
def test_addresses_written_alike_are_one_group(one: list[str], other: list[str]) -> None:
    groups = group_by_shape(SITE + path for path in [*one, *other])
    assert {frozenset(group) for group in groups} == {
        frozenset(SITE + path for path in one),
        frozenset(SITE + path for path in other),
    }


def test_numbers_inside_titles_name_nothing() -> None:
    paths = ["/t/41/project-of-40-days", "/t/24/trip-to-assen", "/t/25/noise-in-ee-989", "/t/26/hello"]
    assert len(group_by_shape(SITE + path for path in paths)) == 1


def test_groups_come_by_size_and_each_url_is_in_one() -> None:
    paths = [*(f"/t/{n}" for n in range(5)), *(f"/forum/{n}/x/" for n in range(3)), "/login?back=1"]
    groups = group_by_shape(SITE + path for path in [*paths, paths[0]])
    assert [len(group) for group in groups] == [5, 3, 1]
    assert sorted(url for group in groups for url in group) == sorted(SITE + path for path in paths)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/t/1", "/t/1/"),
        ("/t/1", "/t/1/x"),
        ("/t?a=1", "/t?b=1"),
        ("/t?a=1", "/t"),
        ("/a/1.html", "/a/1.php"),
    ],
)
def test_different_forms_are_different_groups(one: str, other: str) -> None:
    assert len(group_by_shape([SITE + one, SITE + other])) == 2


def test_the_names_of_scripts_are_no_titles() -> None:
    urls = ["http://a/index2.php?2", "http://a/view.php?21", "http://a/login.php?1"]
    assert len(group_by_shape(urls)) == 3


def test_names_that_recur_with_other_numbers_are_told_apart_beside_single_words() -> None:
    urls = [f"http://f.example/?{word}.htm" for word in ("t-1", "t-2", "b-3", "b-4", "login", "rules", "faq")]
    groups = group_by_shape(urls)
    assert urls[:2] in groups
    assert urls[2:4] in groups


def test_codes_are_one_group_however_their_digits_fall() -> None:
    codes = ("dGhyZWFkOjE0", "dGhyZWFkOjE1", "dGhyZWFkOjIz", "dGhyZWFkOjI0", "dGhyZWFkOjMx")
    urls = [f"https://f.example/read?id={code}" for code in codes]
    assert group_by_shape([*urls, "https://f.example/read?id=new"])[0] == urls


def test_the_word_before_an_id_tells_boards_from_threads_with_like_titles() -> None:
    titles = ("old-lamp", "old-lamp", "a-red-boat", "to-all-of-you", "pump-of-1990")
    threads = [f"https://f.example/{title}-topic-{n}.html" for n, title in enumerate(titles, 30)]
    boards = [f"https://f.example/{name}-board-{n}.html" for n, name in enumerate(("sea", "tea-time"), 2)]
    others = [f"https://f.example/{name}.html" for name in ("help", "user-3", "user-5", "rules")]
    groups = [set(group) for group in group_by_shape([*others, *threads, *boards])]
    assert set(threads) in groups
    assert set(boards) in groups


def test_titles_with_a_word_for_the_kind_before_a_hash_are_no_codes() -> None:
    boards = [
        f"https://f.example/{name}-cat-{code}.html"
        for name, code in (("nets", "b54cda2b"), ("c", "3c6ef367"))
    ]
    stories = [
        f"https://f.example/{name}-story-{code}.html"
        for name, code in (("how-to", "4e114f62"), ("x", "afd9d5b1"))
    ]
    assert sorted(map(sorted, group_by_shape([*boards, *stories]))) == sorted(map(sorted, (boards, stories)))


def test_the_word_of_a_kind_is_found_behind_titles_that_end_in_numbers() -> None:
    threads = [f"https://f.example/{name}.html" for name in ("sound-of-tr-214-t26", "ls-629-o-th-986-t13")]
    others = [f"https://f.example/{name}.html" for name in ("trip-to-cork-t21", "search", "login", "help")]
    groups = group_by_shape([*threads, *others])
    assert sorted([*threads, others[0]]) in [sorted(group) for group in groups]


def test_two_numbers_behind_the_id_do_not_hide_the_kind() -> None:
    boards = [f"https://f.example/{name}-1-1.html" for name in ("general-b2", "trip-reports-b6")]
    threads = [f"https://f.example/{name}-1-1.html" for name in ("thanks-m13", "trip-to-cork-m25")]
    assert sorted(map(sorted, group_by_shape([*boards, *threads]))) == [sorted(boards), sorted(threads)]


def test_words_that_recur_tell_kinds_apart_beside_many_single_words() -> None:
    codes = ("dGhyZWFkOjE0", "dGhyZWFkOjE1", "dGhyZWFkOjIz", "dGhyZWFkOjI0", "dGhyZWFkOjMx")
    threads = [f"https://f.example/i.php?/topic/{code}/" for code in codes]
    boards = [
        f"https://f.example/i.php?/forum/{code}/" for code in ("Ym9hcmQ6Mg", "Ym9hcmQ6NA", "Ym9hcmQ6OA")
    ]
    single = [f"https://f.example/i.php?/{word}/{codes[0]}/" for word in ("reply", "quote", "like", "print")]
    groups = group_by_shape([*threads, *boards, *single])
    assert threads in groups
    assert boards in groups


def test_a_word_glued_to_a_hash_names_the_kind() -> None:
    titles = [
        "chain-slips-topic3fcd1cea",
        "which-oil-topica195a339",
        "thanks-topic035e2988",
        "hi-topic28b7bc75",
    ]
    threads = [f"http://f.example/{title}.html" for title in titles]
    rest = ["http://f.example/index-from-e3779b16.html", "http://f.example/rules.html"]
    assert sorted(threads) in [sorted(group) for group in group_by_shape([*threads, *rest])]


def test_pages_of_threads_whose_urls_are_longer_are_a_group_of_their_own() -> None:
    threads = [f"http://f.example/?thread-{number}.htm" for number in ("be1e0829", "98c4753c", "fa8cfb8b")]
    later = [url.replace(".htm", f"-c{place}47494f3.htm") for place, url in enumerate(threads)]
    last = [url.replace(".htm", "-last.htm") for url in threads]
    groups = [sorted(group) for group in group_by_shape([*threads, *later, *last])]
    assert sorted(map(tuple, groups)) == sorted(tuple(sorted(group)) for group in (threads, later, last))


def test_pages_behind_a_word_glued_to_a_hash_do_not_hide_the_kind() -> None:
    titles = [
        "kh-252-first-ride-storycc623aa1-1-1",
        "question-about-ha-928-story08d12e03-1-1",
        "question-about-ha-928-story08d12e03-2-1",
        "noise-in-tx-209-storye3779b16-1-1",
        "what-cleans-tc-144-storya195a339-1-1",
        "thanks-to-all-story1fe68e78-1-1",
    ]
    threads = [f"http://f.example/{title}.html" for title in titles]
    boards = [f"http://f.example/{name}-1-1.html" for name in ("forge-cat78dde6c9", "cars-catb54cda2b")]
    rest = ["http://f.example/rules.html", "http://f.example/login.html"]
    groups = [sorted(group) for group in group_by_shape([*threads, *boards, *rest])]
    assert sorted(threads) in groups


def test_titles_before_codes_are_one_group_although_some_begin_with_the_same_word() -> None:
    names = ["odd-sound-ln-405", "odd-sound-dr-280", "thanks-to-all", "thanks-to-some", "who-knows-this"]
    threads = [f"http://f.example/threads/{name}.dGhyZWFkOjI{'0134z'[n]}/" for n, name in enumerate(names)]
    assert len(group_by_shape(threads)) == 1


def test_a_word_glued_to_a_hash_may_begin_the_name() -> None:
    codes = ["fa8cfb8b", "98c4753c", "5c5581da", "be1e0829", "d467dc2c", "729f55dd", "a0ca16c7", "97f8e8ca"]
    threads = [f"http://f.example/t{code}-1-1.html" for code in codes]
    messages = [f"http://f.example/post{code}.html" for code in codes]
    rest = ["http://f.example/rules.html", "http://f.example/login.html"]
    groups = [sorted(group) for group in group_by_shape([*threads, *messages, *rest])]
    assert sorted(threads) in groups
    assert sorted(messages) in groups


def test_hashes_with_an_ending_are_one_group_beside_titles_and_words() -> None:
    ids = ("be9bca40", "c623a9b4", "17932292", "2064508f", "abb01fbd")  # one has no letter, by chance
    messages = [f"http://f.example/{one}.html" for one in ids]
    rest = [f"http://f.example/{name}.html" for name in ("forge-f3c6ef367", "index", "user-Anna", "facade")]
    groups = [sorted(group) for group in group_by_shape([*messages, *rest])]
    assert sorted(messages) in groups


def test_a_page_behind_the_id_without_a_separator_does_not_hide_the_kind() -> None:
    titles = ["manual-wanted", "noise-again", "what-now", "trip-to-leeds-next-month"]
    messages = [f"{SITE}/{title}-tp{n}p{n + 400}.html" for n, title in enumerate(titles)]
    later = [f"{SITE}/general-discussion-f2i{n}.html" for n in (12, 24, 36)]
    threads = [f"{SITE}/{title}-td{n}.html" for n, title in enumerate(titles)]
    groups = [set(group) for group in group_by_shape([*messages, *later, *threads])]
    assert groups == [set(messages), set(threads), set(later)]
