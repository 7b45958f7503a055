"""Framing and content as further makers of manuals and forums lay them out, one question each."""

from tests.template.places.test_judge_places import page, prose
from threadmill.template import learn_template, remove_framing

MENU = '<div class="menu"><a href="/">Home</a> <a href="/list">All pages</a> <a href="/about">About</a></div>'


def rests(pages: list[bytes]) -> list[str]:
    template = learn_template(pages)
    return [remove_framing(template, html).decode() for html in pages]


def test_a_title_beside_buttons_is_content() -> None:
    """The words of the title are all known from other titles; as a whole it is the page's own."""
    kinds = ("Struct", "Trait", "Function")

    def title(n: int) -> str:
        return f'<h1>{kinds[n % 3]} <a href="m">{WORDS[n % 7]}</a>::<a href="x">{WORDS[n // 7]}</a></h1>'

    pages = [
        page(
            n,
            f'{MENU}<div class="content"><div class="top">{title(n)}'
            f'<span class="buttons"><a href="s">source</a></span></div>'
            f"<p>{prose(n)}</p><p>{prose(n + 300)}</p></div>",
        )
        for n in range(42)
    ]
    found = rests(pages)
    assert all(title(n) in rest for n, rest in enumerate(found))
    assert not any("All pages" in rest for rest in found)


WORDS = ("vector", "string", "option", "result", "cell", "slice", "range")


def test_of_a_path_that_ends_in_the_title_the_title_stays() -> None:
    pages = [
        page(
            n,
            '<div class="page"><div class="header"><span class="path"><a href="/">wiki</a>/ '
            f'<a href="/tips">tips</a>/</span> <span class="title">Page {prose(n, 2)}</span></div>'
            f'<div class="content"><p>{prose(n)}</p><p>{prose(n + 300)}</p></div></div>',
        )
        for n in range(40)
    ]
    for n, rest in enumerate(rests(pages)):
        assert f">Page {prose(n, 2)}<" in rest
        assert "tips" not in rest


def test_a_stamp_is_known_by_its_wording_where_other_pages_end_in_text() -> None:
    stamp = "<p><small>This page was changed on <a href=h>2021-03-{:02}</a> UTC</small></p>"

    def body(n: int) -> str:
        text = f"<p>{prose(n)}</p><p>{prose(n + 300)}</p>"
        end = f"<p>{prose(n + 600, 12)}</p>" if n % 10 == 9 else stamp.format(n % 28 + 1)
        return f'{MENU}<div class="fancy">{text}{end}</div>' if n % 2 else f"{MENU}{text}{end}"

    for n, rest in enumerate(rests([page(n, body(n)) for n in range(60)])):
        assert "This page was changed" not in rest
        assert n % 10 != 9 or prose(n + 600, 12) in rest


def test_options_that_most_commands_have_are_content_between_what_is_new() -> None:
    options = '<div id="flags"><dl><dt>--help</dt><dd>Print a summary of its use</dd></dl></div>'
    pages = [
        page(
            n,
            f'{MENU}<div class="body"><p>{prose(n)}</p>{options if n % 4 else ""}<p>{prose(n + 300)}</p>'
            f"<p>{prose(n + 500)}</p></div>",
        )
        for n in range(40)
    ]
    assert all("Print a summary" in rest for n, rest in enumerate(rests(pages)) if n % 4)


def test_a_list_of_sections_is_content_though_a_menu_repeats_its_titles() -> None:
    toc = "".join(f'<li><a href="{n}">{prose(n, 3)}</a></li>' for n in range(120))

    def sections(n: int) -> str:
        return "".join(f'<tr><td><a href="{m}">{prose(m, 3)}</a></td></tr>' for m in range(3 * n, 3 * n + 3))

    pages = [
        page(
            n,
            f'<div class="main"><h2>{prose(n + 200, 3)}</h2><p>{prose(n + 300)}</p><p>{prose(n + 400)}</p>'
            f'<table class="sections">{sections(n)}</table></div><div class="toc"><ul>{toc}</ul></div>',
        )
        for n in range(40)
    ]
    for n, rest in enumerate(rests(pages)):
        assert sections(n) in rest
        assert toc not in rest


def test_a_bar_over_every_section_goes() -> None:
    bar = (
        '<table class="bar"><tr><td>[<a href="/">Top of the book</a>][<a href="/toc">Contents</a>]'
        '[<a href="i">Index of all</a>]</td><td><a href="{}">{}</a></td></tr></table>'
    )

    def body(n: int) -> str:
        parts = (
            f"{bar.format(m, prose(m + 500, 2))}<p>{prose(m)}</p>" for m in range(n * 9, n * 9 + 3 + n % 6)
        )
        return f'<div class="main">{"".join(parts)}</div>'

    for n, rest in enumerate(rests([page(n, body(n)) for n in range(40)])):
        assert "Top of the book" not in rest
        assert prose(n * 9) in rest


def test_a_menu_is_known_by_its_id_when_it_is_unfolded() -> None:
    def menu(n: int) -> str:
        links = "".join(f'<li><a href="{m}">{prose(m, 3)}</a></li>' for m in range(n, n + 8))
        state = "open" if n >= 900 else "folded"
        return f'<div id="side" class="{state}"><a href="/">Start</a><ul>{links}</ul></div>'

    pages = [
        page(n, f'{menu(5)}<div class="body"><p>{prose(n)}</p><p>{prose(n + 300)}</p></div>')
        for n in range(40)
    ]
    front = page(900, f'{menu(900)}<div class="body"><p>{prose(950)}</p></div>')
    rest = remove_framing(learn_template(pages), front).decode()
    assert 'id="side"' not in rest
    assert prose(950) in rest


def test_a_locked_thread_is_a_thread() -> None:
    """Lists of a board by several orders hold the same threads: all of their text repeats."""

    def row(m: int, kind: str) -> str:
        member = f'<a href="u{m % 3}">member{m % 3}</a>'
        return f'<div class="{kind}"><a href="t{m}">{prose(m, 4)}</a> by {member}</div>'

    lists = [
        page(
            n,
            f'{MENU}<div class="list">{row(7, "row locked")}'
            f"{''.join(row(20 + (n + i) % 9, 'row') for i in range(8))}</div>",
        )
        for n in range(6)
    ]
    threads = [page(n, f'{MENU}<div class="posts"><p>{prose(n)}</p></div>') for n in range(100, 130)]
    found = rests(lists + threads)
    assert all(prose(7, 4) in rest for rest in found[:6])
    assert not any("All pages" in rest for rest in found)


def test_titles_that_the_head_names_as_neighbours_are_as_good_as_links() -> None:
    def html(n: int) -> bytes:
        links = f'<link rel="up" title="{prose(n + 700, 3)}"><link rel="prev" title="{prose(n - 1, 2)}">'
        body = (
            f'<div class="over"><table><tr><th>{prose(n + 700, 3)}</th></tr></table></div>'
            f'<div class="part"><h2>{prose(n + 800, 3)}</h2><p>{prose(n)}</p><p>{prose(n + 300)}</p></div>'
        )
        return page(n, body).replace(b"</head>", links.encode() + b"</head>")

    for n, rest in enumerate(rests([html(n) for n in range(40)])):
        assert f"<th>{prose(n + 700, 3)}" not in rest
        assert prose(n + 800, 3) in rest


def test_the_page_of_contents_keeps_them() -> None:
    toc = (
        '<div class="contents"><ul>'
        + "".join(f"<li><a href=x>{prose(n, 3)}</a></li>" for n in range(40))
        + "</ul></div>"
    )
    pages = [
        page(
            n,
            f'<div id="{"left" if n % 2 else "right"}">{toc}</div>'
            f'<div class="main"><p>{prose(n + 300)}</p></div>',
        )
        for n in range(40)
    ]
    contents = page(900, f'<div class="main"><h2>Contents</h2>{toc}</div>')
    assert prose(3, 3) in remove_framing(learn_template([*pages, contents]), contents).decode()


def test_a_menu_as_long_as_the_page_is_framing_where_it_unfolds() -> None:
    """All pages have it; only the part of it that the page stands in is unfolded."""
    top = "".join(f'<a href="/{word}">{word} library of ours</a> ' for word in WORDS)

    def body(n: int) -> str:
        part = "".join(f'<a href="/{n // 8}/{i}">{prose(n // 8 * 50 + i, 2)}</a> ' for i in range(25))
        own = "".join(f'<a href="/{n}/{i}">{prose(7000 + n * 50 + i, 2)}</a> ' for i in range(10))
        return (
            f'<div id="content"><h1>{prose(n, 2)} {n}</h1><div id="text">'
            f'<div class="navbar">{top}{part}{own}</div>'
            f"<p>{prose(n + 100, 12)}</p><p>{prose(n + 300, 12)}</p></div></div>"
        )

    for n, rest in enumerate(rests([page(n, body(n)) for n in range(48)])):
        assert "library" not in rest
        assert prose(n + 100, 12) in rest
        assert prose(n + 300, 12) in rest


def test_the_name_of_the_site_in_a_heading_is_framing() -> None:
    pages = [
        page(
            n,
            f'<h1 id="name"><a href="/">The name of the site</a></h1><div id="outer">{MENU}<div id="inner">'
            f"<h2>{prose(n, 3)}</h2><p>{prose(n + 100)}</p>"
            f"<h3>Options</h3><p>{prose(n + 300)}</p></div></div>",
        )
        for n in range(30)
    ]
    for n, rest in enumerate(rests(pages)):
        assert "The name of the site" not in rest
        assert "Options" in rest
        assert prose(n, 3) in rest


def test_a_long_licence_of_one_page_in_the_foot_is_framing_and_a_long_note_there_is_not() -> None:
    licence = "Copyright © 2003 Some Body. " + prose(900, 30)
    note = "This page has moved. " + prose(950, 30)
    terms = "Distributed under the usual terms, see the file of licences for all that they say"

    def foot(n: int) -> str:
        return f"<p>{ {3: licence, 4: note}.get(n, terms) }</p>"

    found = rests(
        [
            page(
                n,
                f'{MENU}<div class="body"><p>{prose(n)}</p><p>{prose(n + 300)}</p></div>'
                f'<div class="foot">{foot(n)}</div>',
            )
            for n in range(120)
        ]
    )
    assert licence not in found[3]
    assert note in found[4]
    assert not any("usual terms" in rest for rest in found)


def test_a_list_of_links_in_a_description_belongs_to_it() -> None:
    """Supertypes, the same on many pages, under the comment on a class."""
    links = '<div class="supers">Supertypes: <a href="a">Serializable</a>, <a href="b">Any</a></div>'
    pages = [
        page(
            n,
            f'{MENU}<div id="comment"><div class="cmt"><p>{prose(n, 30)}</p></div>{links}</div>'
            f'<div id="members"><p>{prose(n + 200, 80)}</p><p>{prose(n + 400, 80)}</p></div>',
        )
        for n in range(40)
    ]
    for rest in rests(pages):
        assert "Supertypes" in rest
        assert "All pages" not in rest


def test_what_comes_right_behind_a_heading_belongs_to_it() -> None:
    """A manual without framing: every page ends in the same paragraph under the same heading."""
    pages = [
        page(
            n,
            f"<h1>NAME</h1><p>{prose(n, 5)}</p>"
            f"<h1>Description</h1><p>{prose(n + 100)}</p><p>{prose(n + 300)}</p>"
            "<h1>Copyright</h1><p>This module and its friends are under the licence of the server.</p>",
        )
        for n in range(40)
    ]
    assert all("its friends" in rest for rest in rests(pages))


def test_a_foot_with_a_heading_that_names_the_page_is_framing() -> None:
    pages = [
        page(
            n,
            f'<div id="display"><h1>{prose(n, 3)}</h1><p>{prose(n + 100)}</p><p>{prose(n + 300)}</p></div>'
            "<footer><h3>Where this page comes from:</h3>"
            f'<p>This page is: <a href="{n}">source {prose(n, 1)}</a></p>'
            f"<p>Its old title was {prose(n + 200, 3)}</p></footer>",
        )
        for n in range(40)
    ]
    for n, rest in enumerate(rests(pages)):
        assert "comes from" not in rest
        assert "old title" not in rest
        assert prose(n + 300) in rest


def test_a_menu_that_is_longer_than_its_pages_does_not_tell_where_the_content_is() -> None:
    """Every page's menu lists its own neighbours: by what differs, the menu would be the content."""

    def body(n: int) -> str:
        near = "".join(f'<li><a href="/{n}/{i}">{prose(1000 + n * 40 + i, 4)}</a></li>' for i in range(25))
        return (
            f'<div class="row"><div class="side"><nav id="menu"><ul>{near}</ul></nav></div>'
            f"<main><h1>{prose(n, 3)}</h1><p>{prose(n + 100, 20)}</p><p>{prose(n + 300, 20)}</p></main></div>"
        )

    for n, rest in enumerate(rests([page(n, body(n)) for n in range(26)])):
        assert "<li>" not in rest
        assert prose(n + 100, 20) in rest
