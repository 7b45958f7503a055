import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.forum import known_values
from threadmill.forum.link_urls import NumberSlot
from threadmill.forum.paging.cursors import find_cursor
from threadmill.forum.paging.page_urls import PageUrlStyle, find_url_style
from threadmill.forum.paging.pager import (
    PageNumbering,
    PagerEntry,
    Paging,
    find_paging,
    numbering_from_labels,
    numbering_from_next_link,
    numbering_from_url_name,
)
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse


def _paging(body: str, url: str) -> Paging:
    return find_paging(PageOutline(parse(f"<html><body>{body}</body></html>", url)))


def _links(*pairs: tuple[str, str]) -> str:
    return " ".join(f'<a href="{href}">{text}</a>' for text, href in pairs)


@pytest.mark.parametrize(
    ("url", "links", "wanted"),
    [
        ("http://a/t?id=1", [("2", "/t?id=1&p=2"), ("3", "/t?id=1&p=3")], "http://a/t?id=1&p=2"),
        ("http://a/t?id=1&p=2", [("1", "/t?id=1"), ("3", "/t?id=1&p=3")], "http://a/t?id=1&p=3"),
        ("http://a/b,14.25.html", [("1", "/b,14.0.html"), ("3", "/b,14.50.html")], "http://a/b,14.50.html"),
        ("http://a/x.9/", [("2", "/x.9/page-2"), ("Last", "/x.9/page-7")], "http://a/x.9/page-2"),
        ("http://a/f-28-1.html", [("2", "/f-28-2.html"), ("3", "/f-28-3.html")], "http://a/f-28-2.html"),
        ("http://a/x/", [("2", "?page=2"), ("3", "?page=3")], "http://a/x/?page=2"),
        ("http://a/t/8?page=0", [("2", "/t/8?page=1"), ("3", "/t/8?page=2")], "http://a/t/8?page=1"),
        ("http://a/t/8", [("Next", "/t/8?page=1"), ("Last", "/t/8?page=11")], "http://a/t/8?page=1"),
        ("http://a/t/8/", [("", "?page=2"), ("Last", "?page=4")], "http://a/t/8/?page=2"),
        ("http://a/t/8/?page=2", [("", "?page=1"), ("", "?page=3")], "http://a/t/8/?page=3"),
        ("http://a/t/8?start=40", [("", "?start=0"), ("", "?start=60")], "http://a/t/8?start=60"),
        ("http://a/t/8", [("volgende", "/t/8?start=993")], "http://a/t/8?start=993"),
    ],
)
def test_the_next_page_is_found_by_the_number_that_differs(
    url: str, links: list[tuple[str, str]], wanted: str
) -> None:
    assert _paging(_links(*links), url).next == wanted


def test_a_link_of_the_first_page_to_itself_is_no_pager() -> None:
    assert _paging(_links(("", "?page=1")), "http://a/t/8") == Paging()


def test_disabled_arrows_of_a_single_page_lead_nowhere() -> None:
    arrows = (
        '<li class="first disabled"><a href="?page=1"><i class="icon-back"></i></a></li>'
        '<li class="prev disabled"><a href="?"><i class="icon-left"></i></a></li>'
        '<li><a href="#">1 / 1</a></li>'
        '<li class="next disabled"><a href="?"><i class="icon-right"></i></a></li>'
        '<li class="last disabled"><a href="?page=1"><i class="icon-forward"></i></a></li>'
    )
    for markup in (
        arrows,
        arrows.replace(" disabled", ""),
        arrows.replace("<a ", '<a aria-disabled="true" '),
    ):
        assert _paging(f"<ul>{markup}</ul>", "http://a/t/8") == Paging()


def test_the_number_of_this_page_may_be_disabled() -> None:
    numbers = (
        '<a href="?page=1">1</a><b class="disabled"><a href="?page=2">2</a></b><a href="?page=3">3</a>'
        '<b class="disabled"><a href="?page=2">next</a></b>'
    )
    found = _paging(numbers, "http://a/t/8?page=2")
    assert (found.number, found.count, found.next) == (2, 3, "http://a/t/8?page=3")


def test_rel_next_counts_where_no_number_is_shown() -> None:
    page = '<html><head><link rel="next" href="/t/1?cursor=ab12"></head><body><p>x</p></body></html>'
    assert find_paging(PageOutline(parse(page, "http://a/t/1"))).next == "http://a/t/1?cursor=ab12"


def test_the_last_page_has_no_next() -> None:
    paging = _paging(_links(("1", "/t?id=1"), ("2", "/t?id=1&p=2")), "http://a/t?id=1&p=3")
    assert (paging.next, paging.number, paging.previous) == (None, 3, "http://a/t?id=1&p=2")


def test_links_to_the_next_thread_are_no_paging() -> None:
    assert (
        _paging(_links(("next", "/t?id=2"), ("Next thread", "/t?id=1&view=next")), "http://a/t?id=1").next
        is None
    )


_BASES = st.integers(1, 10**6)


@given(number=_BASES, page=st.integers(2, 500), step=st.sampled_from([1, 10, 15, 25]))
@pytest.mark.parametrize(
    ("base", "second"),
    [
        ("http://a/t?id={}", "http://a/t?id={}&p=#"),
        ("http://a/x.{}/", "http://a/x.{}/page-#"),
        ("http://a/thread-{}-1-1.html", "http://a/thread-{}-#-1.html"),
        ("http://a/d/{}/slug", "http://a/d/{}/slug/p#"),
        ("http://a/t{}.html", "http://a/t{}-s#.html"),
    ],
)
def test_page_addresses_are_made_and_taken_apart_again(
    base: str, second: str, number: int, page: int, step: int
) -> None:
    start = 1 if step == 1 or "thread-" in base else 0
    if "thread-" in base and step > 1:
        return
    first = base.format(number)
    shown = " ".join(
        f'<a href="{second.format(number).replace("#", str(start + step * (k - 1)))}">{k}</a>' for k in (2, 3)
    )
    style = find_url_style(first, _paging(shown, first))
    assert isinstance(style, PageUrlStyle)
    assert style.split(style.url_of(first, page) or "") == (first, page)


@pytest.mark.parametrize(
    ("url", "back", "number"),
    [
        ("http://a/t/8?page=2", "/t/8", 2),
        ("http://a/t/8?page=1", "/t/8", 2),
        ("http://a/t/8?start=20", "/t/8", 2),
        ("http://a/t/8?year=2", "/t/8", None),
    ],
)
def test_the_last_of_two_pages_may_lead_nowhere_but_back(url: str, back: str, number: int | None) -> None:
    paging = _paging(f'<a rel="prev" href="{back}">Previous</a>', url)
    assert (paging.number, paging.count, paging.next) == (number, number, None)


def test_a_count_beside_a_pager_that_links_its_own_page_is_no_page() -> None:
    pager = _links(("1", "/f/x.2/"), ("2", "/f/x.2/page-2"))
    rows = "<p>One <b>3</b></p><p>Two <b>9</b></p>"
    paging = _paging(f"<div>{pager}{rows}{pager}</div>", "http://a/f/x.2/page-2")
    assert (paging.number, paging.count, paging.previous) == (2, 2, "http://a/f/x.2/")


def test_every_page_has_its_known_pager() -> None:
    assert known_values.differences("thread") == []
    assert known_values.differences("index") == []


def test_a_pager_gives_the_whole_way() -> None:
    links = _links(("1", "/t?id=5"), ("2", "/t?id=5&start=20"), ("9", "/t?id=5&start=160"))
    assert _paging(f"<b>3</b> {links}", "http://a/t?id=5&start=40") == Paging(
        number=3,
        count=9,
        next="http://a/t?id=5&start=60",
        previous="http://a/t?id=5&start=20",
        first="http://a/t?id=5",
        last="http://a/t?id=5&start=160",
        slot=NumberSlot("http://a/t?id=5&start=", ""),
        step=20,
        start=0,
    )


def test_page_k_is_computed_and_page_one_is_as_linked() -> None:
    paging = Paging(first="http://a/t", slot=NumberSlot("http://a/t?p=", ""), step=1, start=1)
    assert paging.url_of(1) == "http://a/t"
    assert paging.url_of(4) == "http://a/t?p=4"
    assert Paging(slot=NumberSlot("http://a/t?p=", ""), step=20, start=0).url_of(1) == "http://a/t?p=0"
    assert Paging().url_of(2) is None


def test_links_inside_records_are_no_pager() -> None:
    page = f'<div id="r">{_links(("2", "/t/8?page=2"), ("3", "/t/8?page=3"))}</div>'
    outline = PageOutline(parse(f"<html><body>{page}</body></html>", "http://a/t/8"))
    record = outline.tags.index("div")
    assert find_paging(outline).next == "http://a/t/8?page=2"
    assert find_paging(outline, [(record, outline.end[record])]) == Paging()


def test_links_to_other_sites_and_long_texts_are_no_pager() -> None:
    long = "The second page of all that was ever said"
    assert (
        _paging(_links(("2", "http://b/t/8?page=2"), ("3", "http://b/t/8?page=3")), "http://a/t/8")
        == Paging()
    )
    assert _paging(_links((long, "/t/8?page=2")), "http://a/t/8") == Paging()


def test_the_canonical_url_stands_for_a_page_without_a_number() -> None:
    page = (
        '<html><head><link rel="canonical" href="http://a/t/8?page=2"></head><body>'
        f"{_links(('1', '/t/8?page=1'), ('3', '/t/8?page=3'))}</body></html>"
    )
    paging = find_paging(PageOutline(parse(page, "http://a/last-post?t=8")))
    assert (paging.number, paging.next, paging.previous) == (2, "http://a/t/8?page=3", "http://a/t/8?page=1")


def test_the_number_without_a_link_is_that_of_this_page() -> None:
    pager = f"<p>{_links(('1', '/t/8?page=1'))} <b>2</b> {_links(('3', '/t/8?page=3'))}</p>"
    assert _paging(pager, "http://a/latest/xy").number == 2
    assert _paging(pager.replace("<b>2</b>", "<b>7</b>"), "http://a/latest/xy").number is None


def test_the_next_link_tells_the_number_of_a_page_whose_url_has_none() -> None:
    links = _links(("1", "/t/8"), ("2", "/t/8?page=2"), ("Next", "/t/8?page=4"))
    assert _paging(links, "http://a/t/8").number == 3


def test_relations_of_other_threads_are_no_paging() -> None:
    page = '<html><head><link rel="next" href="/how-to-swim"></head><body><p>x</p></body></html>'
    assert find_paging(PageOutline(parse(page, "http://a/how-to-cook"))).next is None
    page = '<html><head><link rel="next" href="/t/1/more?c=5"></head><body><p>x</p></body></html>'
    assert find_paging(PageOutline(parse(page, "http://a/t/1"))).next == "http://a/t/1/more?c=5"


def test_first_last_and_previous_relations_are_kept() -> None:
    page = (
        '<html><head><link rel="first" href="/x"><link rel="last" href="/z"><link rel="prev" href="/y">'
        "</head><body><p>x</p></body></html>"
    )
    paging = find_paging(PageOutline(parse(page, "http://a/now")))
    assert (paging.first, paging.previous, paging.last) == ("http://a/x", "http://a/y", "http://a/z")


@pytest.mark.parametrize(
    ("url", "href", "found"),
    [
        ("http://a/t?id=1", "/t?id=1&after=t3x", True),
        ("http://a/t?id=1", "/t?id=2", False),
        ("http://a/t?page=1", "/t?page=x2", True),
        ("http://a/t?id=1", "/t?id=1&view=next", False),
        ("http://a/t?id=1", "/t?id=1&a=1&b=2", False),
        ("http://a/x/HIT.html", "/y/HIT_101.html", True),
        ("http://a/x/HIT.html", "/y/HITS_101.html", False),
        ("http://a/x/of.html", "/y/of_101.html", False),
    ],
)
def test_a_link_that_says_next_may_differ_in_one_value(url: str, href: str, found: bool) -> None:
    paging = _paging(_links(("Next", href)), url)
    assert (paging.next is not None) is found


def test_of_very_many_links_the_first_and_the_last_are_looked_at() -> None:
    filler = "".join(f'<a href="/u/{n}x">name</a>' for n in range(4100))
    pager = _links(("2", "/t/8?page=2"), ("3", "/t/8?page=3"))
    assert _paging(filler + pager, "http://a/t/8").count == 3
    assert _paging(pager + filler, "http://a/t/8").count == 3
    half = "".join(f'<a href="/u/{n}x">name</a>' for n in range(2100))
    assert _paging(half + pager + half, "http://a/t/8") == Paging()


# ---- cursors ----


def _outline(url: str, links: str) -> PageOutline:
    return PageOutline(parse(f"<html><body><p>{links}</p></body></html>".encode(), url))


def _steps(url: str, links: str) -> tuple[str | None, str | None]:
    outline = _outline(url, links)
    return find_cursor(outline, url, [(index, href) for index, href in enumerate(outline.hrefs) if href])


def test_from_page_one_a_step_to_older_posts_leads_on() -> None:
    page = _outline("http://a.test/t/1", '<a href="/t/1?before=130">Ältere Beiträge</a>')
    assert find_paging(page).next == "http://a.test/t/1?before=130"


def test_a_later_page_knows_the_way_back_and_on() -> None:
    links = '<a href="/t/1">Newer posts</a> <a href="/t/1?before=113">Older posts</a>'
    paging = find_paging(_outline("http://a.test/t/1?before=130", links))
    assert (paging.next, paging.previous) == ("http://a.test/t/1?before=113", "http://a.test/t/1")


def test_of_two_steps_by_one_parameter_the_first_leads_back() -> None:
    url = "http://a.test/t?id=1&c=b50"
    links = (
        '<a href="/t?id=1&c=b70">Newer</a> <a href="/t?id=1&c=b30">Older</a> <a href="/t?id=1&c=b30">More</a>'
    )
    assert _steps(url, links) == ("http://a.test/t?id=1&c=b30", "http://a.test/t?id=1&c=b70")


def test_the_last_page_leads_only_back() -> None:
    assert _steps("http://a.test/t/1?c=b50", '<a href="/t/1">Newer</a>') == (None, "http://a.test/t/1")


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/t/1?order=old">Older first</a>',  # sorts the page anew
        '<a href="/t/2?before=130">Older</a>',  # another path
        '<a href="/t/1?before=130&x=1">Older</a>',  # two parameters
        '<a href="/t/1">Older</a>',  # the page itself
        '<a href="/t/1?before=130">130</a>',  # does not say older
        '<a href="#x">Older</a>',
    ],
)
def test_other_links_are_no_steps(link: str) -> None:
    assert _steps("http://a.test/t/1", link) == (None, None)


def test_a_code_of_letters_of_both_cases_is_a_cursor() -> None:
    links = '<a href="/t/1?c=aBcDeFgH">Older</a>'
    assert _steps("http://a.test/t/1", links)[0] == "http://a.test/t/1?c=aBcDeFgH"
    assert _steps("http://a.test/t/1", links.replace("aBcDeFgH", "aBcDeFg")) == (None, None)


def test_the_only_parameter_names_the_thread() -> None:
    assert _steps("http://a.test/t?id=5", '<a href="/t?id=4">Older</a>') == (None, None)
    assert (
        _steps("http://a.test/t?id=5&x=1", '<a href="/t?id=4&x=1">Older</a>')[0] == "http://a.test/t?id=4&x=1"
    )


def test_three_steps_are_no_pager() -> None:
    links = "".join(f'<a href="/t?id=1&c=b{n}">More</a> ' for n in (10, 20, 30))
    assert _steps("http://a.test/t?id=1&c=b50", links) == (None, None)


def test_a_cursor_that_is_called_an_offset_is_not_counted_by() -> None:
    links = (
        '<a class="step" href="/t/1">Newer posts</a> <a class="step" href="/t/1?start=386">Older posts</a>'
    )
    paging = find_paging(_outline("http://a.test/t/1?start=398", links))
    assert (paging.next, paging.previous) == ("http://a.test/t/1?start=386", "http://a.test/t/1")
    assert paging.slot is None


def test_a_word_that_leads_to_another_thread_is_no_cursor() -> None:
    page = _outline("http://a.test/t.php?t=5", '<a href="/t.php?t=5&amp;goto=nextoldest">Older thread</a>')
    assert find_paging(page).next is None


def test_a_number_that_is_called_a_page_and_does_not_follow_page_one_is_no_page() -> None:
    page = (
        '<html><head><link rel="next" href="/c/x/3/?start=1885"></head><body>'
        '<a href="/c/x/3/?page=1885">Next</a></body></html>'
    )
    paging = find_paging(PageOutline(parse(page, "http://a.test/c/x/3/")))
    assert (paging.number, paging.next) == (None, "http://a.test/c/x/3/?start=1885")


@pytest.mark.parametrize("text", ["Next topic", "next thread »", "Следующая тема", "下一主题"])
def test_the_next_thread_is_not_the_next_page(text: str) -> None:
    assert _paging(_links((text, "/f/2/t/16")), "http://a/f/2/t/15").next is None


def test_relations_to_other_threads_without_parameter_names_are_no_paging() -> None:
    page = '<html><head><link rel="next" href="/read.php?1,1005"></head><body><p>x</p></body></html>'
    assert find_paging(PageOutline(parse(page, "http://a/read.php?1,1003"))).next is None


def test_pages_of_values_without_names_are_counted() -> None:
    links = _links(("2", "/read.php?1,1003,page=2"), ("3", "/read.php?1,1003,page=3"))
    paging = _paging(links, "http://a/read.php?1,1003")
    assert (paging.next, paging.count) == ("http://a/read.php?1,1003,page=2", 3)


def test_a_cursor_without_a_name_leads_on_and_back() -> None:
    first = '<a href="/?forum-2-c19.htm">Older</a>'
    assert _steps("http://a.test/?forum-2.htm", first) == ("http://a.test/?forum-2-c19.htm", None)
    later = '<a href="/?forum-2.htm">Newer</a> <a href="/?forum-2-c7.htm">Older</a>'
    assert _steps("http://a.test/?forum-2-c19.htm", later) == (
        "http://a.test/?forum-2-c7.htm",
        "http://a.test/?forum-2.htm",
    )
    assert _steps("http://a.test/?thread-9.htm", '<a href="/?thread-8.htm">Older</a>') == (None, None)


def _list(body: str, url: str) -> Paging:
    return find_paging(PageOutline(parse(f"<html><body>{body}</body></html>", url)), is_list=True)


def test_the_start_page_may_have_another_url_than_the_list_it_shows() -> None:
    link = _links(("next ›", "/latest.cgi?list=all&from=fa8cfb8b"))
    assert _list(link, "http://a/").next == "http://a/latest.cgi?list=all&from=fa8cfb8b"
    assert _paging(link, "http://a/").next is None  # in a thread, it may be the next thread
    numbers = _links(("2", "/f.php?0,offset=5"), ("3", "/f.php?0,offset=10"))
    assert (_list(numbers, "http://a/").number, _list(numbers, "http://a/").next) == (
        1,
        "http://a/f.php?0,offset=5",
    )


def test_newer_threads_are_no_next_page_of_a_list() -> None:
    links = _links(("Newer", "/index-s5.html"), ("Older", "/index-s15.html"))
    assert _list(links, "http://a/index-s10.html").next == "http://a/index-s15.html"
    assert _list(_links(("Newer", "/index-s10.html")), "http://a/index-s15.html").next is None


@pytest.mark.parametrize(
    ("said", "links", "following"),
    [
        ("Sayfa 1 / 3", '<a href="/cgi-bin/f.pl?all/8"><i class=icon-right></i></a>', "/cgi-bin/f.pl?all/8"),
        ("Page 1 of 3", '<a href="/cgi-bin/f.pl?all/8">→</a>', "/cgi-bin/f.pl?all/8"),
        ("Seite 1 von 3", '<a href="/cgi-bin/f.pl?all/8">mehr Themen</a>', "/cgi-bin/f.pl?all/8"),
        ("第 1 页，共 3 页", '<a href="/cgi-bin/f.pl?all/8">→</a>', "/cgi-bin/f.pl?all/8"),
        ("Page 3 of 3", '<a href="/cgi-bin/f.pl?all/8">←</a>', None),
        ("Page 1, 8 topics", '<a href="/cgi-bin/f.pl?all/8">rules</a>', None),
    ],
)
def test_a_pager_that_counts_its_pages_leads_on_by_the_link_beside_it(
    said: str, links: str, following: str | None
) -> None:
    body = f'<p><a href="/cgi-bin/f.pl?action=newtopic">Yeni konu</a></p><div>{said} {links}</div>'
    paging = _list(f"{body}<p>{'words ' * 40}</p>", "http://a/")
    assert paging.next == (following and f"http://a{following}")
    assert paging.previous is None
    assert (paging.number, paging.count) == ((int(said.split()[1]), 3) if "3" in said else (None, None))


def test_a_pager_without_a_link_tells_of_more_pages_all_the_same() -> None:
    paging = _list("<div>Page 1 of 3</div>", "http://a/")
    assert (paging.number, paging.count, paging.next) == (1, 3, None)


@pytest.mark.parametrize(
    "icon", ['<img src="/img/right.gif" alt="">', "<i class=icon-right></i>", '<img src="/x.gif" alt="next">']
)
def test_icons_say_next(icon: str) -> None:
    assert (
        _paging(f'<a href="/?board-2-2.htm">{icon}</a>', "http://a/?board-2.htm").next
        == "http://a/?board-2-2.htm"
    )


def test_a_value_that_is_a_title_names_another_thread() -> None:
    url = "http://a/?action=view&id=what-to-do"
    assert _paging(_links(("Next »", "/?action=view&id=my-3-cats-and-dogs")), url).next is None
    url = "http://a/i?threads/what-to-do/"
    assert _paging(_links(("Next »", "/i?threads/my-3-cats-and-dogs/")), url).next is None


def test_a_relation_leads_on_where_only_links_to_posts_of_this_page_have_numbers() -> None:
    body = _links(("1", "/read?t=25"), ("#11", "/read?t=25&p=2#r1"), ("#12", "/read?t=25&p=2#r2"))
    html = f"<html><head><link rel=next href='/read?t=25&amp;p=3'></head><body>{body}</body></html>"
    found = find_paging(PageOutline(parse(html, "http://f.test/read?t=25&p=2")))
    assert found.next == "http://f.test/read?t=25&p=3"


def test_a_word_for_page_may_stand_before_the_word_for_next() -> None:
    body = '<a href="list1.html">Pagina precedente</a> <a href="list3.html">Pagina successiva</a>'
    page = f"<html><body>{body}</body></html>"
    assert (
        find_paging(PageOutline(parse(page, "http://a/f/list2.html")), is_list=True).next
        == "http://a/f/list3.html"
    )


def test_load_more_leads_on_from_the_second_page_too() -> None:
    paging = _paging(_links(("Load more", "/i.php?t-13-3.htm")), "http://a/i.php?t-13-2.htm")
    assert paging.next == "http://a/i.php?t-13-3.htm"


@pytest.mark.parametrize("label", ["Carica altro", "Zobrazit více", "Visa fler", "Показать ещё", "Lisää"])
def test_more_leads_on_in_other_languages_too(label: str) -> None:
    paging = _paging(
        _links((label, "/noise-of-129-thread-19-2-1.html")), "http://a/noise-of-129-thread-19-1-1.html"
    )
    assert paging.next == "http://a/noise-of-129-thread-19-2-1.html"


def test_a_newer_thread_is_no_later_page() -> None:
    paging = _paging(_links(("Newer topic", "/b/2/t/16")), "http://a/b/2/t/15")
    assert paging.next is None


def test_a_cursor_beside_an_id_in_the_path_leads_on() -> None:
    here = "http://a/b/3c6ef367/t/cc623aa1?before=82f8634e"
    paging = _paging(_links(("▶", "/b/3c6ef367/t/cc623aa1?before=7d855ed3")), here)
    assert paging.next == "http://a/b/3c6ef367/t/cc623aa1?before=7d855ed3"


def test_a_page_named_by_its_newest_post_leads_on_to_one_with_a_smaller_number() -> None:
    """Newest posts first: the walk ended at the second page, and the oldest posts were never read."""
    base = "/i?threads/pump.46/"
    links = f'<a href="{base}">« Back</a> <a href="{base}from-370" rel="next">Next ›</a>'
    paging = _paging(f"<p>{links}</p><p>Text</p><p>{links}</p>", f"http://a{base}from-388")
    assert (paging.next, paging.number) == (f"http://a{base}from-370", None)


def test_load_more_leads_on_from_a_page_with_a_cursor_behind_the_id() -> None:
    here = "http://a/topic,11,from,111.html"
    assert (
        _paging(_links(("Load more", "/topic,11,from,122.html")), here).next
        == "http://a/topic,11,from,122.html"
    )
    assert _paging(_links(("Load more", "/topic,122.html")), "http://a/topic,111.html").next is None


def test_numbers_that_fall_towards_the_next_page_are_those_of_posts() -> None:
    """The page counted as the 150th and last one, and the rest of the thread was lost."""
    links = _links(("Previous", "/t/ka-259"), ("Next", "/t/ka-259?start=292"))
    paging = _paging(links, "http://a/t/ka-259?start=298")
    assert (paging.number, paging.next) == (None, "http://a/t/ka-259?start=292")


def test_offsets_of_a_list_grow_although_next_leads_to_newer_threads() -> None:
    links = _links(("next 10", "/?skip=10"), ("previous 10", "/?skip=30"))
    page = PageOutline(parse(f"<html><body>{links}</body></html>", "http://a/?skip=20"))
    assert find_paging(page, is_list=True).next == "http://a/?skip=30"
    links = _links(("next 10", "/?skip=10"))
    page = PageOutline(parse(f"<html><body>{links}</body></html>", "http://a/?skip=20"))
    assert find_paging(page, is_list=True).next is None


def test_the_days_of_a_calendar_are_no_pages() -> None:
    """Days without threads are no links. The first of them counted as the number of this page."""
    days = [
        f'<td><a href="/2016/03/{day:02}/">{day}</a>' if day in {1, 4} else f"<td>{day}"
        for day in range(1, 8)
    ]
    assert _paging(f"<table><tr>{''.join(days)}</table>", "http://a/70.html").next is None


@pytest.mark.parametrize(
    ("url", "link", "third"),
    [
        ("http://a/c/index.html", "/c/index-2-1.html", "http://a/c/index-3-1.html"),
        ("http://a/b.php?f=2", "/b.php?f=2&p=1", "http://a/b.php?f=2&p=2"),  # the 2 is that of the board
    ],
)
def test_of_two_numbers_in_a_url_the_one_that_its_link_shows_is_that_of_the_page(
    url: str, link: str, third: str
) -> None:
    assert _paging(f"<b>1</b>, {_links(('2', link), ('Next', link))}", url).url_of(3) == third


def test_a_number_that_leads_nowhere_is_that_of_this_page() -> None:
    """The pages of a start page may have another URL than the start page itself."""
    pager = '<nav>Page: <a href="#">1</a><a href="/b/index.php?/discover/page/2/">2</a></nav>'
    paging = _paging(pager, "http://a/b/")
    assert (paging.number, paging.next) == (1, "http://a/b/index.php?/discover/page/2/")
    third = pager.replace("#", "/b/index.php?/discover/page/1/").replace("/page/2/", "/page/3/")
    assert _paging(third, "http://a/b/").number is None


def test_a_link_that_says_next_leads_on_by_a_cursor_that_is_the_only_parameter() -> None:
    """The name of the parameter tells that it is no thread."""
    url = "http://f.example/thread/dGhy-noise?before=cG9zdDoxMTU"
    onward = "http://f.example/thread/dGhy-noise?before=cG9zdDoxMjk"
    html = (
        f'<p><a href="http://f.example/thread/dGhy-noise">Previous</a> <a href="{onward}">Next &gt;</a></p>'
    )
    assert find_paging(PageOutline(parse(html, url))).next == onward


def test_an_arrow_of_a_font_of_pictures_is_no_number() -> None:
    arrow = '<a href="/b?id=2&page=2&mode=0" title="Next"><font face="webdings">8</font></a>'
    paging = _paging(f"<b>[1] {_links(('[2]', '/b?id=2&page=2&mode=0'))}</b>{arrow}", "http://a/b?id=2")
    assert (paging.number, paging.next) == (1, "http://a/b?id=2&page=2&mode=0")


def _entries(*pairs: tuple[int, int]) -> list[PagerEntry]:
    return [PagerEntry(0, number, label, "") for label, number in pairs]


@given(st.integers(1, 60), st.sampled_from([0, 1]), st.integers(1, 99))
def test_the_page_of_a_number_is_the_page_it_was_made_for(step: int, start: int, page: int) -> None:
    assert PageNumbering(step, start).page(start + step * (page - 1)) == page


def test_a_number_between_or_before_the_pages_is_no_page() -> None:
    assert PageNumbering(25, 0).page(30) is None
    assert PageNumbering(25, 0).page(-25) is None
    assert PageNumbering(25, 0).page(50) == 3
    assert PageNumbering(1, 1).page(0) is None


@pytest.mark.parametrize(
    ("pairs", "here", "numbering"),
    [
        ([(2, 25), (3, 50), (9, 200)], None, PageNumbering(25, 0)),
        ([(2, 2), (3, 3)], None, PageNumbering(1, 1)),
        ([(1, 0), (2, 1)], None, PageNumbering(1, 0)),
        ([(2, 2)], None, PageNumbering(1, 1)),
        ([(2, 1)], None, PageNumbering(1, 0)),
        ([(3, 40)], None, PageNumbering(20, 0)),
        ([(3, 50)], None, PageNumbering(25, 0)),
        ([(3, 4)], None, PageNumbering(2, 0)),
        ([(5, 3)], None, None),
        ([(3, 41)], None, None),
        ([(2, 7), (3, 5), (4, 900)], None, None),
        ([(2, 4), (3, 3)], None, None),  # falls
        ([(2, 30), (3, 40)], None, None),  # page one would be 20
        ([(2, 2), (2, 3)], None, None),  # one label for two numbers
        ([(3, 60)], (2, 30), PageNumbering(30, 0)),
        ([(2, 2), (3, 3)], (9, 900), PageNumbering(1, 1)),  # two labels are enough
        ([], (2, 30), PageNumbering(30, 0)),
        ([], None, None),
        ([(1, 5)], None, None),
        ([(2, 2), (3, 3), (4, 4), (5, 5), (6, 7), (7, 7)], None, PageNumbering(1, 1)),
        ([(2, 2), (3, 9), (4, 9), (5, 5)], None, None),  # half of them fit
    ],
)
def test_labels_give_the_numbering(
    pairs: list[tuple[int, int]], here: tuple[int, int] | None, numbering: PageNumbering | None
) -> None:
    assert numbering_from_labels(_entries(*pairs), here) == numbering


def _outline_and_entries(*links: tuple[str, int]) -> tuple[PageOutline, list[PagerEntry]]:
    body = "".join(f'<a href="?n={number}">{text}</a>' for text, number in links)
    outline = PageOutline(parse(f"<html><body><p>{body}</p></body></html>", "http://a/"))
    places = [index for index, tag in enumerate(outline.tags) if tag == "a"]
    return outline, [PagerEntry(index, n, None, "") for index, (_, n) in zip(places, links, strict=True)]


@pytest.mark.parametrize(
    ("url", "before", "links", "numbering"),
    [
        ("http://a/t/8", "http://a/t/8?page=", [("Next", 1)], PageNumbering(1, 0)),
        ("http://a/t/8", "http://a/t/8?page=", [("Next", 2)], PageNumbering(1, 1)),
        ("http://a/t/8", "http://a/t/8?start=", [("Next", 3)], PageNumbering(3, 0)),
        ("http://a/t/8", "http://a/t/8?start=", [("Next", 500)], PageNumbering(500, 0)),
        ("http://a/t/8", "http://a/t/8?start=", [("Next", 501)], None),
        ("http://a/t/8", "http://a/t/8?page=", [("Next", 0)], None),
        ("http://a/t/8", "http://a/u/8?page=", [("Next", 2)], None),
        ("http://a/t/8", "http://a/t/8?page=", [("Other", 2)], None),
        ("http://a/t/8?page=3", "http://a/t/8?page=", [("Next", 4), ("Next", 9)], PageNumbering(1, 1)),
        ("http://a/t/8?start=45", "http://a/t/8?start=", [("Next", 60)], PageNumbering(15, 0)),
        ("http://a/t/8?start=46", "http://a/t/8?start=", [("Next", 61)], PageNumbering(15, 1)),
        ("http://a/t/8?page=3", "http://a/t/8?page=", [("Next", 2)], None),
        ("http://a/t/8", "http://a/t/", [("Next", 9)], None),  # the next thread
        ("http://a/list/mail2", "http://a/list/mail", [("Next Page", 3)], PageNumbering(1, 1)),
        ("http://a/list/mail2", "http://a/list/mail", [("Nächste Seite", 3)], PageNumbering(1, 1)),
        ("http://a/?page=8", "http://a/?page=", [("Next", 9)], PageNumbering(1, 1)),
    ],
)
def test_the_link_that_says_next_gives_the_numbering(
    url: str, before: str, links: list[tuple[str, int]], numbering: PageNumbering | None
) -> None:
    outline, entries = _outline_and_entries(*links)
    assert numbering_from_next_link(outline, url, NumberSlot(before, ""), entries) == numbering


def test_where_links_show_numbers_the_words_are_not_asked() -> None:
    outline, entries = _outline_and_entries(("Next", 2))
    labelled = [*entries, PagerEntry(entries[0].element, 3, 3, "")]
    slot = NumberSlot("http://a/t/8?page=", "")
    assert numbering_from_next_link(outline, "http://a/t/8", slot, labelled) is None
    assert numbering_from_url_name(outline, "http://a/t/8", slot, labelled, leads_back=False) is None


@pytest.mark.parametrize(
    ("url", "before", "links", "back", "numbering"),
    [
        ("http://a/t/8", "http://a/t/8?page=", [("", 2), ("", 4)], False, PageNumbering(1, 1)),
        ("http://a/t/8", "http://a/t/8?page=", [("", 1), ("", 4)], False, PageNumbering(1, 0)),
        ("http://a/t/8", "http://a/t/8?page=", [("", 1)], False, None),
        ("http://a/t/8?page=0", "http://a/t/8?page=", [("", 1)], False, PageNumbering(1, 0)),
        ("http://a/t/8?page=2", "http://a/t/8?page=", [("", 0), ("", 3)], False, PageNumbering(1, 0)),
        ("http://a/t/8?page=2", "http://a/t/8?page=", [("", 2)], True, PageNumbering(1, 1)),
        ("http://a/t/8?page=1", "http://a/t/8?page=", [], True, PageNumbering(1, 0)),
        ("http://a/t/8?page=2", "http://a/t/8?page=", [], False, None),
        ("http://a/t/8?start=20", "http://a/t/8?start=", [], True, PageNumbering(20, 0)),
        ("http://a/t/8?start=1", "http://a/t/8?start=", [], True, None),
        ("http://a/t/8?start=501", "http://a/t/8?start=", [], True, None),
        ("http://a/t/8?year=20", "http://a/t/8?year=", [], True, None),
        ("http://a/t/8?start=40", "http://a/t/8?start=", [("", 20), ("", 60)], False, PageNumbering(20, 0)),
        ("http://a/t/8?start=40", "http://a/t/8?start=", [("Older", 20)], False, None),
        ("http://a/t/8?start=40", "http://a/t/8?start=", [("", 21)], False, None),
        ("http://a/t/8", "http://a/t/8?start=", [("", 1000)], False, None),
        ("http://a/t/8", "http://a/t/8?id=", [("", 2)], False, None),
        ("http://a/u/9", "http://a/t/8?page=", [("", 2)], False, None),
    ],
)
def test_the_name_in_the_url_gives_the_numbering(
    url: str, before: str, links: list[tuple[str, int]], back: bool, numbering: PageNumbering | None
) -> None:
    outline, entries = _outline_and_entries(*links)
    found = numbering_from_url_name(outline, url, NumberSlot(before, ""), entries, leads_back=back)
    assert found == numbering


@pytest.mark.parametrize(
    ("here", "numbers", "step"),
    [(1, (11, 21), 10), (0, (10, 20), 10), (1, (2, 3), 1)],
    ids=["first post", "posts before", "page"],
)
def test_links_may_show_the_posts_of_their_pages(here: int, numbers: tuple[int, int], step: int) -> None:
    links = _links(("11-20", f"/t?m=7.{numbers[0]}"), ("21–23", f"/t?m=7.{numbers[1]}"))
    paging = _paging(f"<p><b>1-10</b> {links}</p>", f"http://a/t?m=7.{here}")
    assert (paging.number, paging.count, paging.step, paging.start) == (1, 3, step, here)
    assert paging.next == f"http://a/t?m=7.{numbers[0]}"


def test_the_second_page_is_known_by_the_posts_of_the_others() -> None:
    paging = _paging(f"<p>{_links(('1-10', '/t?m=7.1'), ('21-30', '/t?m=7.21'))}</p>", "http://a/t?m=7.11")
    assert (paging.number, paging.next) == (2, "http://a/t?m=7.21")


def test_spans_of_numbers_that_no_page_begins_with_are_no_pager() -> None:
    paging = _paging(f"<p>{_links(('11-20', '/t?m=7.13'), ('21-30', '/t?m=7.29'))}</p>", "http://a/t?m=7.1")
    assert paging.next is None


def test_a_number_that_counts_neither_from_0_nor_from_1_tells_no_page() -> None:
    link = '<p>Text</p><div class="pages"><a href="/t?id=33/from-{}">Next</a></div>'
    for here, ahead, number in ((12, 18, 3), (323, 329, None)):
        page = parse(link.format(ahead), f"http://a.test/t?id=33/from-{here}")
        paging = find_paging(PageOutline(page))
        assert paging.next == f"http://a.test/t?id=33/from-{ahead}"
        assert (paging.number, paging.count is None) == (number, number is None)


def _paging_beside(*roots: str) -> Paging:
    """The paging of a page whose records have taken all these roots."""
    outline = PageOutline(parse(f"<html><body>{''.join(roots)}</body></html>", "http://a/q/62/boats/"))
    tops = outline.children[outline.tags.index("body")]
    return find_paging(outline, [(top, outline.end[top]) for top in tops])


def test_a_pager_that_a_question_has_taken_is_known_by_its_numbers() -> None:
    pager = '<div class="pages"><b>1</b> <a href="?page=2">2</a> <a href="?page=2">next page</a></div>'
    posts = [
        f'<div class="post"><a href="/u/{n}">{n}</a> It rains here. <a href="?post={n}">{n}</a></div>'
        for n in (4, 5)
    ]
    assert _paging_beside(posts[0], pager, posts[1], pager).next == "http://a/q/62/boats/?page=2"
    assert _paging_beside(*posts).next is None
    sorting = (
        '<div class="sort"><a href="?sort=old&amp;page=2">2</a> <a href="/q/63/x/?page=2">next</a></div>'
    )
    assert _paging_beside(posts[0], sorting, posts[1], sorting).next is None


def test_cursors_of_a_list_may_fall_like_offsets_where_previous_leads_to_page_one() -> None:
    links = _links(("« Previous", "/list?f=2"), ("Next ›", "/list?f=2&from=18"))
    assert _list(links, "http://a/list?f=2&from=27").next == "http://a/list?f=2&from=18"
    newer = _links(("Previous", "/list?f=2&from=36"), ("Next", "/list?f=2&from=18"))
    assert _list(newer, "http://a/list?f=2&from=27").next == "http://a/list?f=2&from=36"


def test_archives_of_years_are_no_pager_of_a_list() -> None:
    """The blog also leads on: its list goes on behind "/search", which elsewhere is a page of a service."""
    years = _links(("2015", "/archive/2015"), ("2014", "/archive/2014"))
    older = "<a class='blog-pager-older-link' href='/search?updated-max=60&max-results=8'>Older posts</a>"
    assert _list(years, "http://a/") == Paging()
    assert _list(years + older, "http://a/").next == "http://a/search?updated-max=60&max-results=8"
    assert _list("<a href='/search?updated-max=60'>Older posts</a>", "http://a/").next is None


def test_a_pager_may_reach_as_far_as_a_year() -> None:
    pages = _links(("2", "/board/2"), ("3", "/board/3"), ("2015", "/board/2015"))
    assert _list("1 " + pages, "http://a/board").count == 2015
