"""What makes a place framing, on small sites made for one question each."""

from threadmill.template import learn_template, remove_framing

WORDS = [
    "garden",
    "winter",
    "morning",
    "engine",
    "paper",
    "silver",
    "bridge",
    "forest",
    "island",
    "window",
    "letter",
    "summer",
    "river",
    "stone",
]


def prose(number: int, count: int = 60) -> str:
    """Text that no other page has: its words end in the page's own letters."""
    own = chr(97 + number // 26 % 26) + chr(97 + number % 26)
    return " ".join(f"{WORDS[(number + i * i) % len(WORDS)]}{own}" for i in range(count))


def page(number: int, body: str) -> bytes:
    return f"<html><head><title>Page {prose(number, 2)}</title></head><body>{body}</body></html>".encode()


def bar(number: int) -> str:
    before, after = (prose(number + step, 3) for step in (-1, 1))
    return (
        f'<div class="bar">Next: <a href="{number + 1}">{after}</a>, '
        f'Previous: <a href="{number - 1}">{before}</a> '
        '[<a href="toc">Contents</a>][<a href="index">Index</a>]</div>'
    )


def test_framing_of_one_class_is_known_on_pages_of_a_new_kind() -> None:
    pages = [
        page(
            n,
            f'<div class="{"chapter" if n % 2 else "part"}">{bar(n)}<p>{prose(n)}</p></div>',
        )
        for n in range(40)
    ]
    template = learn_template(pages)
    rare = page(
        900, f'<div class="glossary">{bar(900)}<dl><dt>{prose(901, 2)}</dt><dd>{prose(902)}</dd></dl></div>'
    )
    rest = remove_framing(template, rare)
    assert b"Previous:" not in rest
    assert prose(902).encode() in rest


def test_a_box_of_that_class_with_text_of_its_own_is_kept() -> None:
    pages = [
        page(n, f'<div class="{"chapter" if n % 2 else "part"}">{bar(n)}<p>{prose(n)}</p></div>')
        for n in range(40)
    ]
    written = page(
        900, f'<div class="glossary"><div class="bar">Next: {prose(903, 20)}</div><p>{prose(902)}</p></div>'
    )
    assert prose(903, 20).encode() in remove_framing(learn_template(pages), written)


def test_nameless_paragraphs_that_some_pages_share_are_content() -> None:
    remarks = (
        "<p>This is the complete list of members for <a href=x>{}</a>, including all inherited members.</p>",
        "<p>Read the definitions of this file in <a href='y'>{}</a>, as they were when this was written.</p>",
        "<div>{}</div>",
    )
    pages = [
        page(
            n,
            '<div class="menu"><a href="/">Home</a> <a href="/list">All classes</a></div>'
            '<div class="contents">'
            f"<div>{prose(n)}</div><div>{prose(n + 50)}</div><div>{prose(n + 90)}</div>"
            f"{remarks[n % 3].format(prose(n, 1))}</div>",
        )
        for n in range(60)
    ]
    rest = remove_framing(learn_template(pages), pages[3])
    assert b"complete list of members" in rest
    assert b"All classes" not in rest


def test_a_menu_goes_with_the_name_of_its_part_of_the_site() -> None:
    menu = (
        '<table class="bar"><tr><td>[<a href="o">Overview</a>][<a href="c">Constants</a>]'
        '[<a href="t">Types</a>][<a href="f">Procedures and functions</a>]</td><td>Unit {}</td></tr></table>'
    )
    pages = [
        page(
            n,
            f"{menu.format(prose(n // 2, 1))}<h1>{prose(n, 2)}</h1><p>{prose(n)}</p><p>{prose(n + 50)}</p>"
            f"<ul><li>{prose(n + 90)}</ul>",
        )
        for n in range(40)
    ]
    rest = remove_framing(learn_template(pages), pages[3])
    assert b"Procedures" not in rest
    assert b"Unit" not in rest
    assert prose(3).encode() in rest


def test_inside_of_main_prose_that_a_third_of_the_pages_share_is_content() -> None:
    shared = "<div class=questions><p>All our tours include beds, maps and a telephone number.</p></div>"
    kept = {}
    for tag in ("main", "div"):
        pages = []
        for n in range(30):
            kind, more = ("plain", "") if n % 3 else ("tour", shared)
            own = f"<div class=own><p>{prose(n)}</p></div>"
            pages.append(page(n, f"<{tag} class={kind}>{own}{more}</{tag}>"))
        kept[tag] = b"include beds" in remove_framing(learn_template(pages), pages[0])
    assert kept == {"main": True, "div": False}
