import json

import pytest

from tests.forum import known_models, sites
from threadmill.forum.paging.page_urls import PageUrlStyle
from threadmill.forum.paging.pager import Paging
from threadmill.forum.posts.post_columns import PostColumns, find_post_columns
from threadmill.forum.read_page import PageAnalysis, read_thread
from threadmill.forum.records.record_table import RecordTable
from threadmill.forum.site_model.learn import (
    AnalysedSample,
    SamplePage,
    _find_thread_dates,
    _keeps_apart,
    _learn_paging,
    learn,
    learn_from_analysed,
    visited_page,
)
from threadmill.forum.site_model.learn_wrapper import learn_wrapper
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.forum.site_model.url_patterns import learn_patterns
from threadmill.forum.site_model.visited_pages import VisitedPage
from threadmill.forum.site_model.wrapper import Wrapper, apply_wrapper
from threadmill.lab.judge.truth import all_pages, true_posts
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.page.parse.tree import parse


@pytest.mark.quality
@pytest.mark.parametrize("name", ["harbour", "studio", "bahce"])
def test_a_simulated_forum_is_learnt_from_its_start_page(name: str) -> None:
    forum, model, fetched = sites.learn_simulated(name)
    assert fetched <= 25
    assert model.threads.per_page == forum.traits.posts_per_page
    assert model.post_order is not None
    assert model.post_order.startswith(forum.traits.post_order)
    assert model.index_order == forum.traits.index_order
    true = {post.post: post for post in true_posts(forum, sites.WHEN)}
    threads = [page for page in all_pages(forum, sites.WHEN) if page.kind == "thread"][::15]
    for page in threads:
        assert model.kind_of_url(sites.BASE + page.key).startswith("thread")
        sample = sites.fetch(forum, sites.BASE + page.key)
        assert sample
        posts = read_thread(sample.tree, sample.now, model.wrapper).posts
        assert [post.author for post in posts] == [true[number].author for number in page.items]


@pytest.mark.parametrize(("name", "seed"), [("studio", "f87"), ("studio", "f51"), ("harbour", "f20")])
def test_threads_of_a_young_forum_have_both_their_posts(name: str, seed: str) -> None:
    when = "2015-12-01"
    forum = open_forum(name, 30, name=seed)
    model, _ = sites.learn_forum(forum, when)
    sizes = set()
    for page in all_pages(forum, when):
        if page.kind == "thread":
            sample = sites.fetch(forum, sites.BASE + page.key, when)
            assert sample
            sizes.add(len(page.items))
            assert len(read_thread(sample.tree, sample.now, model.wrapper).posts) == len(page.items)
    assert sizes <= {1, 2}


def test_a_model_survives_json() -> None:
    _, model, _ = sites.learn_simulated("harbour")
    assert ForumModel.from_json(json.loads(json.dumps(model.to_json()))) == model


def test_addresses_tell_their_kind() -> None:
    _, model, _ = sites.learn_simulated("harbour")
    assert model.kind_of_url(f"{sites.BASE}/viewtopic.php?f=2&t=5") == "thread"
    assert model.kind_of_url(f"{sites.BASE}/viewtopic.php?f=2&t=5&start=30") == "thread page"
    assert model.base_of(f"{sites.BASE}/viewtopic.php?f=2&t=5&start=30") == (
        f"{sites.BASE}/viewtopic.php?f=2&t=5",
        3,
    )
    assert model.kind_of_url(f"{sites.BASE}/memberlist.php?mode=viewprofile&u=5") == "other"
    assert model.kind_of_url("https://elsewhere.example/viewtopic.php?f=2&t=5") == "other"


@pytest.mark.parametrize("name", known_models.NAMES)
def test_a_forum_has_its_known_model(name: str) -> None:
    expected = {
        key: value for key, value in known_models.known()[name].items() if key not in {"asked", "read"}
    }
    assert known_models.plain_model(name) == expected


def _sample(body: str, url: str = "http://a.test/b/1") -> AnalysedSample:
    page = f"<html><body>{body}</body></html>"
    return AnalysedSample(SamplePage(url, parse(page.encode(), url), sites.NOW))


def test_links_are_those_of_the_site_with_their_longest_text() -> None:
    body = (
        '<a href="/t/1">short</a> <a href="/t/1">a longer text</a> <a href="http://b.test/">other</a>'
        ' <a href="ftp://a.test/x">file</a> <a href="#top">top</a> <a href="/t/2"><img></a>'
    )
    assert _sample(body).links == {"http://a.test/t/1": 11, "http://a.test/t/2": 0}


def test_a_page_that_is_no_index_has_links_only() -> None:
    page = _sample('<p><a href="/t/1">one</a></p>', "http://a.test/x?phpsessid=1")
    assert visited_page("http://a.test/y", page) == VisitedPage(
        "http://a.test/y",
        "http://a.test/x",
        "other",
        {"http://a.test/t/1": 3},
        places={"http://a.test/t/1": page.analysis.outline.chain(page.analysis.outline.tags.index("p"), 3)},
        is_notice=True,  # so few words do not tell what it is
    )


def test_an_index_tells_its_rows_their_days_and_its_other_pages() -> None:
    url = "https://forum.example.org/b/5"
    page = AnalysedSample(SamplePage(url, sites.tree(sites.index_page(), url), sites.NOW))
    found = visited_page(url, page)
    assert (found.kind, len(found.threads), found.boards) == ("index", 8, [])
    assert found.later == {f"{url}?page=2", f"{url}?page=3"}
    assert found.days[found.threads[2]] == "2020-06-16"


def test_no_samples_give_an_empty_model() -> None:
    assert learn([]) == ForumModel("")
    assert learn([], "http://a.test/") == ForumModel("http://a.test/")


def _read(page: str) -> tuple[RecordTable, PostColumns]:
    analysis = PageAnalysis(sites.tree(page), sites.NOW)
    assert analysis.found_posts
    table = analysis.found_posts.table
    return table, find_post_columns(table, sites.NOW)


def _learn_pages(*pages: str) -> Wrapper:
    wrapper = learn_wrapper([_read(page) for page in pages])
    assert wrapper
    return wrapper


@pytest.mark.parametrize("name", known_models.NAMES)
def test_a_simulated_forum_has_its_known_wrapper(name: str) -> None:
    assert known_models.plain_model(name)["wrapper"] == known_models.known()[name]["wrapper"]


def test_pages_without_records_teach_nothing() -> None:
    assert learn_wrapper([]) is None
    table, _ = _read(sites.flat_thread())
    assert learn_wrapper([(table, PostColumns())]) is None


def test_a_wrapper_that_takes_bylines_for_bodies_is_none() -> None:
    """Rows without classes: the row of the text and that of the byline have the same chain of names."""
    rows = "".join(
        f'<tr data-post-id="{number}"><td><span>#{number}</span></td></tr>'
        f"<tr><td><div>Words of post {number} that say something about the pump.</div></td></tr>"
        f"<tr><td><div><span>{name}</span> | Posted: Dec {number}, 2015 at 5:2{number} pm</div></td></tr>"
        for number, name in enumerate(("anna", "bert", "carl", "anna", "dora"), 1)
    )
    table, columns = _read(f"<h1>Pumps</h1><table>{rows}</table>")
    assert len(columns.bodies) == 5
    assert learn_wrapper([(table, columns)] * 3) is None


def test_a_flat_thread_teaches_one_shape_and_all_columns() -> None:
    wrapper = learn_wrapper([_read(sites.flat_thread()), _read(sites.flat_thread(3))], "dmy")
    assert wrapper
    assert [shape.top for shape in wrapper.shapes] == ["body/div/div.post"]
    assert wrapper.shapes[0].bodies == (("div.post/div.main/div.words", 1),)
    assert wrapper.authors == (("div.post/div.side/a.name", 1),)
    assert wrapper.dates == (("div.main/p.when/a", 1),)
    assert wrapper.cover == {"authors": 1.0, "dates": 1.0, "links": 1.0, "ids": 1.0}
    assert (wrapper.pages, wrapper.order, wrapper.depth) == (2, "dmy", 3)


@pytest.mark.parametrize(
    "page", [sites.flat_thread(), sites.table_thread(), sites.nested_thread(), sites.odd_first_thread()]
)
def test_a_wrapper_finds_the_records_it_was_learnt_from(page: str) -> None:
    table, columns = _read(page)
    wrapper = learn_wrapper([(table, columns)])
    assert wrapper
    found, again, fit = apply_wrapper(wrapper, table.outline)
    assert len(found.records) == len(table.records)
    assert again.bodies == columns.bodies
    assert fit == 1.0


def test_a_rare_shape_on_a_page_of_its_own_is_dropped() -> None:
    other = sites.flat_thread().replace("post", "note")
    main = [sites.flat_thread()] * 3
    assert {shape.top for shape in _learn_pages(*main, other).shapes} == {"body/div/div.post"}
    assert {shape.top for shape in _learn_pages(main[0], other).shapes} == {
        "body/div/div.post",
        "body/div/div.note",
    }


def test_a_shape_whose_records_lack_authors_and_dates_is_dropped() -> None:
    main, other = _read(sites.flat_thread()), _read(sites.flat_thread().replace("post", "note"))
    both = learn_wrapper([main, other])
    assert both
    assert len(both.shapes) == 2
    for number in (0, 1):
        del other[1].authors[number]
    fewer = learn_wrapper([main, other])
    assert fewer
    assert [shape.top for shape in fewer.shapes] == ["body/div/div.post"]


def test_a_number_that_all_threads_differ_in_is_no_page_number() -> None:
    threads = [f"http://a.test/msg.php?2,{n}" for n in range(11, 31)]

    def keeps_apart(style: PageUrlStyle, *more: str) -> bool:
        return _keeps_apart(UrlFamily(learn_patterns(threads), style), [*threads, *more])

    assert not keeps_apart(PageUrlStyle("", ",{}", ",1"))
    assert keeps_apart(PageUrlStyle("", ",page={}"))
    assert keeps_apart(PageUrlStyle("page"), *(f"{url}&page=2" for url in threads[:5]))
    assert keeps_apart(PageUrlStyle("", ",{}")), "no thread has the URL that is left without its number"


def test_the_start_page_has_no_say_in_how_boards_write_pages() -> None:
    boards = UrlFamily(learn_patterns([f"http://a.test/f,{n}.html" for n in (2, 4, 6)]))
    start = "http://a.test/", Paging(next="http://a.test/recent,2.html"), 5
    board = "http://a.test/f,2.html", Paging(next="http://a.test/f,2,2.html"), 5
    style = _learn_paging(boards, [start, board]).style
    assert style
    assert (style.insert, style.tail) == (",{}", ".html")


def _thread_page(number: int) -> AnalysedSample:
    """The first or the second of two pages of a thread; the second has the later posts."""
    days = range(10 * number, 10 * number + 4)
    posts = "".join(
        f"<div class=post><a class=author href=/user/{day}>Writer{day}</a> <span>2024-05-{day} 10:15</span>"
        f"<div class=text>Some words about the tide of day {day}, and about the pier.</div></div>"
        for day in days
    )
    pager = {
        1: '<b>1</b> <a href="/t/7?page=2">2</a> <a rel=next href="/t/7?page=2">Next</a>',
        2: '<a rel=prev href="/t/7">Previous</a> <a href="/t/7">1</a> <b>2</b>',
    }
    url = "http://a.test/t/7" if number == 1 else "http://a.test/t/7?page=2"
    return _sample(f"<h1>Tides</h1>{posts}<div class=pager>{pager[number]}</div>", url)


def test_dates_of_first_and_last_posts_come_from_the_first_and_the_last_page() -> None:
    threads = UrlFamily(learn_patterns([f"http://a.test/t/{n}" for n in (7, 8, 9)]), PageUrlStyle("page"))
    first, second = _thread_page(1), _thread_page(2)

    def dates(*pages: AnalysedSample) -> tuple[int | None, int | None]:
        found = _find_thread_dates(pages, None, threads)["http://a.test/t/7"]
        days = [moment.date.day if moment else None for moment in (found.created, found.active)]
        return days[0], days[1]

    assert dates(first, second) == (10, 23)
    assert dates(second, first) == (10, 23)
    assert dates(first) == (10, None)
    assert dates(second) == (None, 23)


def test_links_count_by_their_letters_so_that_dates_are_no_longer_than_titles() -> None:
    body = (
        '<a href="/t/1">关于异味</a> <a href="/p/9">2016-2-28 12:30</a> <a href="/t/1?page=2">2</a> '
        '<a href="/t/3"><img src="x.png"></a>'
    )
    tree = parse(f"<html><body>{body}</body></html>", "http://f.example/")
    sample = AnalysedSample(SamplePage("http://f.example/", tree, sites.NOW))
    paths = {url.removeprefix("http://f.example"): letters for url, letters in sample.links.items()}
    assert paths == {"/t/1": 4, "/p/9": 1, "/t/1?page=2": 1, "/t/3": 0}


def _board_below(path: str, threads: range, page: str = "") -> AnalysedSample:
    """A list of threads, whose links name the page of the list."""
    rows = "".join(
        f'<tr><td><a href="/board?b=2&id={n}{page}">What to do about pump {n}?</a></td>'
        f"<td>user{n % 3}</td><td>{n % 4}</td><td>{1 + n} June 2020 10:0{n % 10}</td></tr>"
        for n in threads
    )
    links = '<p><a href="/board?b=2">1</a> <a href="/board?b=2&page=2">2</a></p>'
    head = "<tr><th>Title</th><th>Author</th><th>Replies</th><th>Date</th></tr>"
    return _sample(f"<h1>Pumps</h1><table>{head}{rows}</table>{links}", f"http://a.test{path}")


def _thread_in_list(number: int, page: str = "") -> AnalysedSample:
    """A thread whose "next" leads to the next one of the list."""
    posts = "".join(
        f'<div class="post"><a class="by" href="/user/{n}">user{n}</a> <i>{1 + n} June 2020 11:00</i>'
        f"<p>I took pump {number} apart and part {n} was worn down to nothing at all.</p></div>"
        for n in range(4)
    )
    onward = f'<p><a href="/board?b=2&id={number + 1}">Next</a></p>'
    return _sample(f"<h1>Pump {number}</h1>{posts}{onward}", f"http://a.test/board?b=2&id={number}{page}")


def test_next_leads_to_another_thread_where_a_list_has_a_row_for_it() -> None:
    pages = [_board_below("/board?b=2", range(9)), *map(_thread_in_list, (1, 3, 5))]
    model = learn_from_analysed({page.url: page for page in pages}, "http://a.test/")
    assert model.threads.key("http://a.test/board?b=2&id=7") != model.threads.key(
        "http://a.test/board?b=2&id=8"
    )
    assert model.threads.style is None


def test_the_page_of_the_list_in_the_links_of_its_threads_says_nothing() -> None:
    pages = [_board_below("/board?b=2", range(9)), *map(_thread_in_list, (1, 3, 5))]
    pages.append(_board_below("/board?b=2&page=2", range(9, 18), "&page=2"))
    model = learn_from_analysed({page.url: page for page in pages}, "http://a.test/")
    assert model.kind_of_url("http://a.test/board?b=2&id=12&page=2") == "thread"
    assert model.threads.key("http://a.test/board?b=2&id=12&page=2") == model.threads.key(
        "http://a.test/board?b=2&id=12"
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<h1>Tea</h1><p><a href='/new'>New topic</a></p><div id=list></div>", "empty shell"),
        ("<h1>Tea</h1><p>There are no topics here yet. You could write the first one.</p>", "message"),
    ],
)
def test_a_page_with_hardly_a_word_does_not_show_what_it_is(body: str, reason: str) -> None:
    """It may be a board without threads, and the other boards are written like it."""
    url = "http://f.test/category/6/tea/"
    tree = parse(f"<html><body>{body}</body></html>".encode(), url)
    sample = AnalysedSample(SamplePage(url, tree, sites.NOW))
    assert sample.page_class.reason == reason
    assert visited_page(url, sample).is_notice
