"""Framing and content on blogs, shops, boards and trackers, one question each."""

from random import Random

from tests.template.places.test_judge_places import page, prose
from threadmill.template import learn_template, remove_framing

MENU = '<div class="menu"><a href="/">Home</a> <a href="/list">All pages</a> <a href="/about">About</a></div>'
NAMES = ("anna", "bert", "carla", "dora", "emil", "frida", "gina")


def rests(pages: list[bytes]) -> list[str]:
    template = learn_template(pages)
    return [remove_framing(template, html).decode() for html in pages]


def test_a_price_under_the_title_is_content_and_the_basket_is_not() -> None:
    price = [f"£{Random(n).randrange(100, 999)}.00" for n in range(30)]
    pages = [
        page(
            n,
            f'{MENU}<div class="basket">Your basket is empty</div><article><div class="row">'
            f'<div class="head"><h1>{prose(n, 3)}</h1><p class="price">{price[n]}</p></div></div>'
            f"<p>{prose(n + 100)}</p><p>{prose(n + 300)}</p></article>",
        )
        for n in range(30)
    ]
    for n, rest in enumerate(rests(pages)):
        assert price[n] in rest
        assert "basket" not in rest
        assert "All pages" not in rest


def test_a_byline_under_the_title_is_content() -> None:
    pages = [
        page(
            n,
            f'{MENU}<div class="info"><h1>{prose(n, 3)}</h1>'
            f'<div class="by">Posted by <a href="/u{n % 7}">{NAMES[n % 7]}</a></div></div>'
            f'<div class="text"><p>{prose(n + 100)}</p><p>{prose(n + 300)}</p></div>',
        )
        for n in range(42)
    ]
    for n, rest in enumerate(rests(pages)):
        assert "Posted by" in rest
        assert NAMES[n % 7] in rest
        assert "All pages" not in rest


def test_articles_of_a_category_are_content_though_other_pages_list_them_too() -> None:
    def listing(n: int) -> bytes:
        rows = "".join(f'<li><a href="/{i}">{prose(i, 4)}</a></li>' for i in range(n % 5, 40, 5))
        title = f"<header><h1>Posts about {prose(n + 900, 1)}</h1></header>"
        body = f'<div class="body"><article class="tag">{title}<ul class="list">{rows}</ul></article></div>'
        return page(n + 500, f"{MENU}{body}")

    articles = [
        page(
            n,
            f'{MENU}<div class="body"><article class="post"><h1>{prose(n, 4)}</h1>'
            f"<p>{prose(n + 100)}</p><p>{prose(n + 300)}</p></article></div>",
        )
        for n in range(40)
    ]
    found = rests([*articles, *(listing(n) for n in range(10))])
    assert all(prose(n % 5, 4) in rest for n, rest in enumerate(found[40:]))
    assert not any("All pages" in rest for rest in found)


def test_neighbours_in_an_article_and_the_pages_of_a_list_are_framing() -> None:
    """Few pages have them, and they name other articles; but they are called links from page to page."""

    def html(n: int) -> bytes:
        around = (
            f'<nav class="x"><a href="/p">{prose(n + 700, 4)}</a> <a href="/n">{prose(n + 800, 4)}</a></nav>'
        )
        pager = (
            '<ul class="Pagination"><li><a href="?1">1</a></li><li>2</li><li><a href="?3">Next</a></li></ul>'
        )
        end = around if n % 9 == 0 else pager if n % 9 == 1 else ""
        text = f"<p>{prose(n + 100)}</p><p>{prose(n + 300)}</p>"
        return page(n, f"{MENU}<main><h1>{prose(n, 3)}</h1>{text}{end}</main>")

    for n, rest in enumerate(rests([html(n) for n in range(40)])):
        assert prose(n + 700, 4) not in rest
        assert "Next" not in rest
        assert prose(n + 300) in rest


def test_a_table_of_contents_in_the_text_stays_though_it_is_called_navigation() -> None:
    def html(n: int) -> bytes:
        parts = "".join(f'<a href="#s{i}">{prose(n * 3 + i, 2)}</a> ' for i in range(3))
        text = f"<p>{prose(n + 100)}</p><p>{prose(n + 300)}</p>"
        return page(n, f"{MENU}<main><h1>{prose(n, 3)}</h1><nav>{parts}</nav>{text}</main>")

    assert all(
        f'<a href="#s0">{prose(n * 3, 2)}' in rest
        for n, rest in enumerate(rests([html(n) for n in range(30)]))
    )


def test_a_line_without_an_element_of_its_own_is_framing_behind_the_content() -> None:
    log_in = '<a href="/in">Log in</a> or <a href="/new">register</a> to post a reply.'
    pages = [
        page(
            n,
            f'<div class="topic"><h1>{prose(n, 3)}</h1><p>{prose(n + 100)}</p><p>{prose(n + 300)}</p></div>'
            f"Price of this board: <b>{prose(n + 500, 2)}</b><hr>{log_in}",
        )
        for n in range(30)
    ]
    for n, rest in enumerate(rests(pages)):
        assert "to post a reply" not in rest
        assert "Price of this board" in rest  # new text stands in the same line
        assert prose(n + 300) in rest


def test_the_footer_of_a_second_layout_is_framing() -> None:
    """Each page has one footer; less than half of them have the classes of the second layout."""
    colours = ["white"] * 3 + ["grey"] * 2
    pages = [
        page(
            n,
            f'{MENU}<div class="part"><p>{prose(n + 100)}</p><p>{prose(n + 300)}</p></div>'
            f'<div class="foot {colours[n % 5]}">We sell {colours[n % 5]} boxes since the war. '
            '<a href="/t">Terms</a></div>',
        )
        for n in range(40)
    ]
    assert not any("boxes since" in rest for rest in rests(pages))


def test_kinds_of_pages_are_one_place_where_an_id_is_the_same() -> None:
    kinds = ("ticket", "report", "wiki", "roadmap", "log")

    def html(n: int) -> bytes:
        help_text = (
            f'<div class="help">Note: See <a href="/{kinds[n % 5]}">{kinds[n % 5]}</a> for help.</div>'
        )
        text = f"<h1>{prose(n, 3)}</h1><p>{prose(n + 100)}</p><p>{prose(n + 300)}</p>"
        return page(n, f'{MENU}<div id="content" class="{kinds[n % 5]}">{text}{help_text}</div>')

    assert not any("for help" in rest for rest in rests([html(n) for n in range(25)]))


def test_a_form_for_comments_on_a_tenth_of_the_pages_is_framing() -> None:
    form = (
        '<div id="respond"><h3>Leave a comment</h3><form><p>Your address will not be published. Some fields '
        "are required.</p><label>Name</label><input><label>Comment</label><textarea></textarea></form></div>"
    )

    def html(n: int) -> bytes:
        text = f"<h1>{prose(n, 3)}</h1><p>{prose(n + 100)}</p><p>{prose(n + 300)}</p>"
        own = f"<form><p>{prose(n + 500)}</p><input></form>"
        return page(n, f"{MENU}<main><article>{text}{form if n % 10 == 0 else own}</article></main>")

    for n, rest in enumerate(rests([html(n) for n in range(50)])):
        assert "not be published" not in rest
        assert n % 10 == 0 or prose(n + 500) in rest


def test_a_trail_to_the_title_is_framing_whatever_it_is_called() -> None:
    """It stands in the element of the text, in words that no list of names knows."""
    parts = ("Boats", "Harbours", "Weather")

    def html(n: int) -> bytes:
        trail = f'<a href="/all">Overview</a> › <a href="/p">{parts[n % 3]}</a> › {prose(n, 3)}'
        stamp = f'<p class="stamp">{trail}</p>' if n % 2 else f'<p class="stamp">Written in {prose(n, 1)}</p>'
        return page(n, f"{MENU}<main>{stamp}<h1>{prose(n, 3)}</h1><p>{prose(n + 100)}</p></main>")

    for n, rest in enumerate(rests([html(n) for n in range(30)])):
        assert "Overview" not in rest
        assert f"<h1>{prose(n, 3)}</h1>" in rest
        assert ("Written in" in rest) is (n % 2 == 0)


def test_a_trail_beside_the_text_goes_without_its_neighbours() -> None:
    trail = '<a href="/">Start</a> » <a href="/b{part}">Board {part}</a> » <b>{title}</b>'

    def html(n: int) -> bytes:
        said = trail.format(part=n % 3, title=prose(n, 3))
        rows = "".join(f"<tr><td>{prose(n * 3 + i, 20)}</td></tr>" for i in range(3))
        return page(n, f"{MENU}<div class=content>{said}<br><table class=t>{rows}</table></div>")

    for n, rest in enumerate(rests([html(n) for n in range(30)])):
        assert "Start" not in rest
        assert f"Board {n % 3}" not in rest
        assert prose(n * 3, 20) in rest


def test_a_line_of_tags_above_the_text_is_no_trail() -> None:
    def html(n: int) -> bytes:
        tags = f'<a href="/t/{n % 4}">Tag{n % 4}</a>, <a href="/t/{n % 5}">Word{n % 5}</a>'
        return page(n, f"{MENU}<main><h1>{prose(n, 3)}</h1><p>{tags}</p><p>{prose(n + 100)}</p></main>")

    assert all(f"Word{n % 5}" in rest for n, rest in enumerate(rests([html(n) for n in range(40)])))


def test_a_form_to_comment_on_each_answer_is_framing() -> None:
    """A page has as many of them as answers, each with an id of its own."""

    def form(n: int) -> str:
        return (
            f'<div class="comment" id="c{n}"><h2>Your comment on this answer:</h2><form><textarea></textarea>'
            "<label>Your name to display</label> Write to me when somebody answers</form></div>"
        )

    def html(n: int) -> bytes:
        answers = "".join(
            f'<div class="answer"><div class="words">{prose(n * 9 + i)}</div>{form(n * 9 + i)}</div>'
            for i in range(2 + n % 6)
        )
        return page(n, f'{MENU}<div class="answers"><h1>{prose(n, 3)}</h1>{answers}</div>')

    for n, rest in enumerate(rests([html(n) for n in range(30)])):
        assert "Your name to display" not in rest
        assert prose(n * 9) in rest


def test_posts_in_a_form_with_buttons_are_content() -> None:
    """One form around each post, to vote for it: its names and dates repeat."""

    def html(n: int) -> bytes:
        posts = "".join(
            f'<form class="post"><div class="by">answered by {NAMES[i % 7]}</div><input type=submit>'
            f'<div class="words">{prose(n * 9 + i)}</div></form>'
            for i in range(2 + n % 6)
        )
        return page(n, f'{MENU}<div class="answers"><h1>{prose(n, 3)}</h1>{posts}</div>')

    assert all("answered by anna" in rest for rest in rests([html(n) for n in range(30)]))


def test_a_menu_that_only_lists_have_is_framing_and_the_list_is_not() -> None:
    """Most pages are threads; the lists of threads have a menu of their own above."""

    def listing(n: int) -> bytes:
        menu = (
            f'<div class="tools"><div class="now"><a href="#">{prose(n % 3, 2)}</a></div>'
            '<a href="/new">Write a new topic</a> <a href="/every">All of the boards</a></div>'
        )
        rows = "".join(f'<div class="row"><a href="/{i}">{prose(i, 5)}</a></div>' for i in range(n, 40, 6))
        return page(n + 500, f'{MENU}<div class="body">{menu}<div class="rows">{rows}</div></div>')

    threads = [
        page(n, f'{MENU}<div class="body"><h1>{prose(n, 5)}</h1><div class="posts">{prose(n)}</div></div>')
        for n in range(40)
    ]
    found = rests([*threads, *(listing(n) for n in range(6))])
    for n, rest in enumerate(found[40:]):
        assert "Write a new topic" not in rest
        assert prose(n, 5) in rest


def test_the_page_of_a_list_in_words_is_framing() -> None:
    """'Page 2 of 3' is on too few pages to be known, but it stands between the links to the others."""

    def html(n: int) -> bytes:
        pager = (
            f'<div class="paging">{NAMES[n % 7]} {n % 7} of 7 <a href="?1">before</a> <a href="?3">behind</a>'
            "</div>"
        )
        end = pager if n % 9 == 1 else ""
        return page(n, f"{MENU}<main><h1>{prose(n, 3)}</h1><p>{prose(n + 100)}</p>{end}</main>")

    for n, rest in enumerate(rests([html(n) for n in range(40)])):
        assert "behind" not in rest
        assert prose(n + 100) in rest


def test_a_title_without_a_heading_stays_though_a_trail_repeats_it() -> None:
    def html(n: int) -> bytes:
        title = prose(n % 15, 3)  # two pages have the same
        trail = f'<div class="t"><a href="/">Start</a> » <a href="/b">Board</a> » {title}</div>'
        text = f'<div class="title">{title}</div>{trail}<div class="text">{prose(n + 100)}</div>'
        return page(n % 15, f'{MENU}<div class="body">{text}</div>')

    for n, rest in enumerate(rests([html(n) for n in range(30)])):
        assert f'<div class="title">{prose(n % 15, 3)}' in rest
        assert "Board" not in rest
