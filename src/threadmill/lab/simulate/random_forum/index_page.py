"""Index pages of a random forum: the list of boards, and lists of threads in tables, lists, cards or lines."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from threadmill.lab.simulate.content.shown_dates import ShownDate
from threadmill.lab.simulate.content.writing import ForumAuthor, write_post
from threadmill.lab.simulate.forum import PageLocation
from threadmill.lab.simulate.random_forum.byline import draw_date, format_count
from threadmill.lab.simulate.random_forum.elements import wrap_posts
from threadmill.lab.simulate.random_forum.message_page import draw_subject_tree
from threadmill.lab.simulate.random_forum.pager import draw_pager, draw_rel_links
from threadmill.lab.simulate.random_forum.thread_page import draw_post
from threadmill.lab.simulate.snapshot import ALL
from threadmill.lab.simulate.view import ForumView, IndexRow

if TYPE_CHECKING:
    from threadmill.lab.simulate.random_forum.layout import RandomLayout

_TAGS = {
    "div": ("div", "div", "div"),
    "ul": ("ul", "li", "span"),
    "article": ("section", "article", "div"),
    "custom": ("topic-list", "topic-row", "topic-cell"),
}


def draw_listing(layout: RandomLayout, view: ForumView, place: PageLocation) -> tuple[str, str]:
    """Draw a page of a list of threads, and the links of its head element."""
    choices, part = layout.choices, view.index_slice(place)

    def url(offset: int) -> str:
        return layout.key(view, PageLocation("index", place.index, offset))

    pager = draw_pager(layout, view, part, url)
    top = pager if choices.pager_place in {"top", "both"} else ""
    bottom = pager if choices.pager_place in {"bottom", "both"} else ""
    title = view.traits.title if place.index == ALL else view.world.boards[place.index].title
    rows = view.rows(place)
    if choices.shape in {"message", "tree"}:
        listed = _subject_trees(layout, view, rows)
    elif choices.shape == "imageboard":
        listed = _previews(layout, view, rows)
    else:
        listed = _wrap_rows(layout, view, [_cells(layout, view, row) for row in rows])
    content = f"<h1>{escape(title)}</h1>{_around(layout, view, place)}{top}{listed}{bottom}"
    return content, draw_rel_links(view, part, url)


def _around(layout: RandomLayout, view: ForumView, place: PageLocation) -> str:
    """Draw what stands above the rows: sub-boards, all boards, and links of the list."""
    found = ""
    if place.index == ALL and layout.choices.boards == "all":
        links = " | ".join(_board_link(layout, view, i) for i in view.snapshot.boards)
        found += f"<div{layout.names.of('tags')}>{links}</div>"
    elif place.index != ALL and not place.offset and view.boards(place.index):
        found += _wrap_boards(layout, view, view.boards(place.index))
    if layout.choices.tools != "none":
        pages = [("newtopic", view.word("new_thread"))]
        pages += [("markread", view.word("mark_read"))] if layout.choices.tools == "many" else []
        drawn = " | ".join(
            f'<a href="{view.href(layout.other_url(word))}">{text}</a>' for word, text in pages
        )
        found += f"<div{layout.names.of('list-tools')}>{drawn}</div>"
    return found


def _subject_trees(layout: RandomLayout, view: ForumView, rows: list[IndexRow]) -> str:
    trees = [draw_subject_tree(layout, view, row.index) for row in rows]
    return f"<div{layout.names.of('rows')}>{'<hr>'.join(trees) if layout.chance('hr', 0.3) else ''.join(trees)}</div>"


def _previews(layout: RandomLayout, view: ForumView, rows: list[IndexRow]) -> str:
    """Draw each thread of an imageboard: its first post, and its last replies."""
    found = []
    for row in rows:
        place = PageLocation("thread", row.index, 0)
        posts = view.posts(place)
        shown = posts[:1] + posts[1:][-3:]
        link = f'[<a href="{view.href(layout.thread_url(view, row.index))}">{view.word("reply")}</a>]'
        left = len(posts) - len(shown)
        omitted = f"<div>{left} {view.word('omitted')}.</div>" if left else ""
        first, *rest = [draw_post(layout, view, place, post) for post in shown]
        replies = wrap_posts(layout, rest, layout.choices.posts) if rest else ""
        title = f"<b>{escape(row.title)}</b> {link}"
        lead = wrap_posts(layout, [first], layout.choices.posts)
        found.append(f"<div{layout.names.of('thread')}>{title}{lead}{omitted}{replies}</div><hr>")
    return "".join(found)


# -- rows


def _user(layout: RandomLayout, view: ForumView, author: ForumAuthor) -> str:
    if layout.choices.row_author == "linked" and author.number:
        return f'<a href="{view.href(layout.profile_url(author))}">{escape(author.name)}</a>'
    return escape(author.name)


def _date(layout: RandomLayout, when: ShownDate, moment: int) -> str:
    return draw_date(layout, when, moment)


def _cells(layout: RandomLayout, view: ForumView, row: IndexRow) -> list[tuple[str, str]]:
    """Return the cells of a row: (role, HTML)."""
    choices, world = layout.choices, view.world
    found = [("title", _title_cell(layout, view, row))]
    ranks = view.snapshot.ranks(row.index)
    if choices.row_author != "none":
        by = f"{view.word('by')} " if layout.chance("by in rows", 0.4) else ""
        found.append(("author", by + _user(layout, view, row.author)))
    if choices.row_dates in {"created", "both"}:
        word = (
            f"{view.word('started')} "
            if choices.row_dates == "both" and layout.chance("started", 0.5)
            else ""
        )
        found.append(("created", word + _date(layout, row.created, world.times[ranks[0]])))
    found += _counters(layout, view, row)
    last = []
    if choices.row_dates in {"active", "both"}:
        last.append(_date(layout, row.active, world.times[ranks[-1]]))
    if choices.row_last == "author":
        last.append(f"{view.word('by')} {_user(layout, view, row.last_author)}")
    if choices.last_link != "none" and not row.stub:
        icon = layout.pick(
            "last icon", "→", '<img src="/img/last.gif" alt="">', view.word("last_post"), "&raquo;"
        )
        url = layout.last_url(view, row.index, row.last_id, row.last_offset)
        last.append(f'<a href="{view.href(url)}">{icon}</a>')
    if last:
        found.append(("last", layout.pick("last joint", " ", "<br>").join(last)))
    if layout.chance("counters first", 0.2):
        found.sort(key=lambda cell: cell[0] != "counter")
    return found


def _title_cell(layout: RandomLayout, view: ForumView, row: IndexRow) -> str:
    url = view.href(layout.thread_url(view, row.index))
    flag = f"{view.word('sticky')}: " if row.sticky else f"{view.word('moved')}: " if row.stub else ""
    tag = layout.pick("row title", "", "", "h3", "b", "strong")
    link = f'<a href="{url}"{layout.names.of("title")}>{escape(row.title)}</a>'
    text = flag + (f"<{tag}>{link}</{tag}>" if tag else link)
    if row.pages > 1 and view.traits.row_pages and not row.stub:
        per = view.traits.posts_per_page
        pages = [n for n in range(1, row.pages + 1) if n in {1, 2} or n > row.pages - 2]
        links = " ".join(
            f'<a href="{view.href(layout.thread_url(view, row.index, (n - 1) * per))}">{n}</a>' for n in pages
        )
        text += f" <small>[{links}]</small>"
    if layout.choices.excerpt == "text":
        words = write_post(view.world, view.snapshot.ranks(row.index)[0], view.now).paragraphs[0]
        text += f"<p{layout.names.of('excerpt')}>{escape(words[:140])}</p>"
    if layout.choices.boards == "all" and layout.chance("board in row", 0.7):
        text += f" <small>{_board_link(layout, view, view.world.boards.index(row.board))}</small>"
    return text


def _counters(layout: RandomLayout, view: ForumView, row: IndexRow) -> list[tuple[str, str]]:
    style = layout.choices.counters
    word = "comments" if layout.choices.shape == "news" else "posts" if style == "posts" else "replies"
    replies, views = (word, row.replies), ("views", row.views)
    chosen = {"both": [replies, views], "views_first": [views, replies], "none": []}.get(style, [replies])
    return [("counter", _counter(layout, view, name, number)) for name, number in chosen]


def _counter(layout: RandomLayout, view: ForumView, name: str, number: int) -> str:
    word, text = view.word(name), format_count(layout, number)
    style = layout.choices.counter_words
    if style == "after":
        return f"{text} {word}"
    return f"{word}: {text}" if style == "before" else text


_HEADERS = {"title": "thread", "author": "author", "created": "started", "last": "last_post"}


def _wrap_rows(layout: RandomLayout, view: ForumView, rows: list[list[tuple[str, str]]]) -> str:
    style, names = layout.choices.rows, layout.names
    if style == "table":
        header = ""
        if rows and (layout.choices.counter_words == "header" or layout.chance("header row", 0.4)):
            counters = iter(
                {"views_first": ("views", "replies"), "posts": ("posts",)}.get(
                    layout.choices.counters, ("replies", "views")
                )
            )
            words = [
                view.word(next(counters) if role == "counter" else _HEADERS[role]) for role, _ in rows[0]
            ]
            header = "<tr>" + "".join(f"<th>{word}</th>" for word in words) + "</tr>"
        drawn = "".join(
            f"<tr{names.of('row')}>"
            + "".join(f"<td{names.of(role)}>{text}</td>" for role, text in row)
            + "</tr>\n"
            for row in rows
        )
        return f"<table{names.of('rows')} width=100%>{header}{drawn}</table>"
    if style == "dl":
        return f"<dl{names.of('rows')}>" + "".join(_dl_row(layout, row) for row in rows) + "</dl>"
    joint = layout.pick("cell joint", " ", " - ", " | ", ", ")
    if style == "lines":
        lines = [joint.join(text for _, text in row) for row in rows]
        return f"<div{names.of('rows')}>" + "<br>\n".join(lines) + "</div>"
    outer, item, cell = _TAGS[style]
    drawn = "".join(
        f"<{item}{names.of('row')}>"
        + " ".join(f"<{cell}{names.of(role)}>{text}</{cell}>" for role, text in row)
        + f"</{item}>\n"
        for row in rows
    )
    return f"<{outer}{names.of('rows')}>{drawn}</{outer}>"


def _dl_row(layout: RandomLayout, row: list[tuple[str, str]]) -> str:
    title = next(text for role, text in row if role == "title")
    rest = "".join(f"<dd{layout.names.of(role)}>{text}</dd>" for role, text in row if role != "title")
    return f"<dt{layout.names.of('title')}>{title}</dt>{rest}"


# -- boards


def draw_board_list(layout: RandomLayout, view: ForumView) -> str:
    """Draw the list of boards: one list, or two under headings."""
    tops = view.boards()
    found = f"<h1>{escape(view.traits.title)}</h1>"
    if layout.choices.board_groups == "one" or len(tops) < 2:
        return found + _wrap_boards(layout, view, _with_subs(layout, view, tops))
    half = (len(tops) + 1) // 2
    for name, part in ((view.word("forum"), tops[:half]), (view.word("boards"), tops[half:])):
        tag = layout.pick("group heading", "h2", "h3", "div")
        group = _wrap_boards(layout, view, _with_subs(layout, view, part))
        found += f"<{tag}{layout.names.of('group')}>{name}</{tag}>{group}"
    return found


def _with_subs(layout: RandomLayout, view: ForumView, tops: list[int]) -> list[int]:
    if layout.choices.sub_boards == "links":
        return tops
    return [index for top in tops for index in (top, *view.boards(top))]


def _board_news(layout: RandomLayout, view: ForumView, index: int) -> tuple[int, int, IndexRow | None]:
    """Return threads, posts and the last thread of a board; with its sub-boards, if they have no rows."""
    family = [index, *(view.boards(index) if layout.choices.sub_boards == "links" else [])]
    counts = [view.board_counts(board) for board in family]
    rows = [row for board in family if (row := view.board_last(board))]
    last = max(rows, key=lambda row: row.last_id, default=None)
    return sum(threads for threads, _ in counts), sum(posts for _, posts in counts), last


def _board_link(layout: RandomLayout, view: ForumView, index: int) -> str:
    board = view.world.boards[index]
    return f'<a href="{view.href(layout.board_url(view.forum, board))}"{layout.names.of("board")}>{escape(board.title)}</a>'


def _board_cells(layout: RandomLayout, view: ForumView, index: int) -> list[tuple[str, str]]:
    choices, board = layout.choices, view.world.boards[index]
    threads, posts, last = _board_news(layout, view, index)
    title = _board_link(layout, view, index)
    if layout.chance("descriptions", 0.7):
        title += layout.pick("description", "<br>{}", "<p>{}</p>", " <small>{}</small>").format(
            escape(board.description)
        )
    if choices.sub_boards == "links" and view.boards(index):
        links = ", ".join(_board_link(layout, view, sub) for sub in view.boards(index))
        title += f"<br>{view.word('subboards')}: {links}"
    found = [("title", title)]
    numbers = {"topics": [("threads", threads)], "none": []}.get(
        choices.board_counters, [("threads", threads), ("posts", posts)]
    )
    if choices.board_counters == "posts_topics":
        numbers.reverse()
    found += [("counter", _counter(layout, view, name, number)) for name, number in numbers]
    if last and choices.board_last != "none":
        date = _date(layout, last.active, view.world.times[view.snapshot.ranks(last.index)[-1]])
        text = date
        if choices.board_last == "thread":
            link = f'<a href="{view.href(layout.thread_url(view, last.index))}">{escape(last.title)}</a>'
            text = f"{link} {view.word('by')} {_user(layout, view, last.last_author)} {date}"
        found.append(("last", text))
    return found


def _wrap_boards(layout: RandomLayout, view: ForumView, boards: list[int]) -> str:
    style, names = layout.choices.board_rows, layout.names
    rows = [_board_cells(layout, view, index) for index in boards]
    if style == "table":
        drawn = "".join(
            f"<tr{names.of('board-row')}>"
            + "".join(f"<td{names.of(role)}>{text}</td>" for role, text in row)
            + "</tr>"
            for row in rows
        )
        return f"<table{names.of('boards')} width=100%>{drawn}</table>"
    if style == "dl":
        return f"<dl{names.of('boards')}>" + "".join(_dl_row(layout, row) for row in rows) + "</dl>"
    if style == "lines":
        return "<p>" + "<br>\n".join(" - ".join(text for _, text in row) for row in rows) + "</p>"
    outer, item = ("ul", "li") if style == "ul" else ("div", "div")
    drawn = "".join(
        f"<{item}{names.of('board-row')}>"
        + " ".join(f"<span{names.of(role)}>{text}</span>" for role, text in row)
        + f"</{item}>"
        for row in rows
    )
    return f"<{outer}{names.of('boards')}>{drawn}</{outer}>"
