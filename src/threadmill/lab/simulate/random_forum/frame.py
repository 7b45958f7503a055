"""The frame around every page of a random forum: menu, breadcrumbs, sidebar, people online and footer."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.view import ForumView

if TYPE_CHECKING:
    from threadmill.lab.simulate.random_forum.layout import RandomLayout


def draw_frame(  # noqa: PLR0917 -- the parts of one page
    layout: RandomLayout,
    view: ForumView,
    title: str,
    head: str,
    content: str,
    board: SimulatedBoard | None = None,
) -> str:
    """Draw a whole page around its content. Title and content are HTML."""
    names, side = layout.names, _sidebar(layout, view)
    body = f"{_crumbs(layout, view, board)}{content}"
    tag = layout.pick("content", "div", "main", "td")
    if tag == "td":
        left = f"<td width=160>{side}</td>" if side and layout.choices.sidebar == "left" else ""
        right = f"<td width=160>{side}</td>" if side and layout.choices.sidebar == "right" else ""
        body = f"<table width=100%><tr>{left}<td>{body}</td>{right}</tr></table>"
    else:
        main = f"<{tag}{names.of('content')}>{body}</{tag}>"
        body = f"{side}{main}" if layout.choices.sidebar == "left" else f"{main}{side}"
    charset = f'<meta charset="{layout.charset}">' if layout.chance("meta charset", 0.8) else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{view.language.code}"><head>{charset}<title>{title} - {escape(view.traits.title)}</title>'
        f"{view.feed_link()}{head}</head><body>{_menu(layout, view)}{body}{_footer(layout, view)}</body></html>"
    )


def _menu(layout: RandomLayout, view: ForumView) -> str:
    words = ["search", "members", "help", "register", "login"]
    if layout.choices.shape == "questions":
        words.insert(0, "ask")
    if layout.choices.tools == "many":
        words.insert(0, "feedback")
    spoken = {word: view.language.words.get(word, "") for word in words}
    links = [
        f'<a href="{view.href(layout.other_url(word))}">{escape(text) or view.word(word)}</a>'
        for word, text in spoken.items()
    ]
    form = ""
    if layout.choices.login == "form":
        form = f'<form method="post" action="{view.href(layout.other_url("login"))}"><input name="user"><input type="password" name="password"><button>{view.word("login")}</button></form>'
    logo = f'<a href="{view.href(layout.home)}">{escape(view.traits.title)}</a>'
    if layout.chance("menu list", 0.5):
        items = "".join(f"<li>{link}</li>" for link in links)
        return f"<header>{logo}<nav><ul{layout.names.of('menu')}>{items}</ul></nav>{form}</header>"
    return f"<div{layout.names.of('menu')}>{logo} {' | '.join(links)}{form}</div>"


def _crumbs(layout: RandomLayout, view: ForumView, board: SimulatedBoard | None) -> str:
    shown = board is not None and layout.choices.boards != "none"
    if layout.choices.crumbs == "none" and not (shown and layout.choices.boards == "nested"):
        return ""
    trail = [f'<a href="{view.href(layout.home)}">{view.word("home")}</a>']
    if shown and board is not None:
        trail.append(f'<a href="{view.href(layout.board_url(view.forum, board))}">{escape(board.title)}</a>')
    return f"<div{layout.names.of('crumbs')}>{layout.pick('crumb', ' › ', ' / ', ' &raquo; ', ' -&gt; ').join(trail)}</div>"


def _sidebar(layout: RandomLayout, view: ForumView) -> str:
    if layout.choices.sidebar == "none":
        return ""
    rows = "".join(
        f'<li><a href="{view.href(layout.thread_url(view, row.index))}">{escape(row.title)}</a> {escape(row.last_author.name)} {escape(row.active.text)}</li>'
        for row in view.recent(4)
    )
    return f"<div{layout.names.of('sidebar')}><h4>{view.word('recent')}</h4><ul>{rows}</ul></div>"


def _footer(layout: RandomLayout, view: ForumView) -> str:
    people = ""
    if layout.choices.online == "list":
        names = ", ".join(escape(author.name) for author in view.online())
        people = f"<div{layout.names.of('online')}><h4>{view.word('online')}</h4>{names}</div>"
    links = " ".join(
        f'<a href="{view.href(layout.other_url(word))}">{view.word(word)}</a>'
        for word in ("rules", "contact")
    )
    return f"{people}<div{layout.names.of('footer')}>{links} · {view.now // 31557600 + 1970} · {view.tick} ms</div>"
