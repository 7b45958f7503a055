"""Thread pages of a random forum: flat, nested, questions, articles, imageboard threads, single messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from threadmill.lab.simulate.content.shown_dates import DAY
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation, find_author, make_author
from threadmill.lab.simulate.forum import PageLocation
from threadmill.lab.simulate.layout import join_with_breaks, with_links, wrap_in_paragraphs
from threadmill.lab.simulate.random_forum.byline import (
    draw_author,
    draw_avatar,
    draw_date,
    draw_named,
    draw_number,
    draw_post_date,
    draw_profile,
)
from threadmill.lab.simulate.random_forum.elements import PostParts, wrap_post, wrap_posts
from threadmill.lab.simulate.random_forum.pager import draw_pager, draw_rel_links
from threadmill.lab.simulate.view import ForumView, ShownPost

if TYPE_CHECKING:
    from threadmill.lab.simulate.random_forum.layout import RandomLayout


def draw_thread_page(layout: RandomLayout, view: ForumView, place: PageLocation) -> tuple[str, str]:
    """Draw the content of a thread page, and the links of its head element."""
    choices, part = layout.choices, view.thread_slice(place)

    def url(offset: int) -> str:
        return layout.thread_url(view, place.index, offset)

    if choices.paging == "fragment":
        pager = _fragments(layout, view, place)
    else:
        pager = draw_pager(layout, view, part, url, oldest_first=choices.order == "asc")
    top = pager if choices.pager_place in {"top", "both"} else ""
    bottom = pager if choices.pager_place in {"bottom", "both"} else ""
    title = _title(layout, view, place)
    content = (
        f"{title}{_tools(layout, view, place.index)}{top}{_poll(layout, view, place)}"
        f"{_posts(layout, view, place)}{bottom}{_below(layout, view, place.index)}"
    )
    return content, draw_rel_links(view, part, url)


def _title(layout: RandomLayout, view: ForumView, place: PageLocation) -> str:
    if layout.choices.shape == "news" and not place.offset:
        return ""
    tag = layout.pick("thread title", "h1", "h2", "h1", "div")
    return f"<{tag}{layout.names.of('title')}>{view.title(place.index)}</{tag}>"


def _posts(layout: RandomLayout, view: ForumView, place: PageLocation) -> str:
    choices = layout.choices
    if choices.shape in {"nested", "tree"}:
        return _nested(layout, view, place)
    if choices.shape == "questions":
        return _questions(layout, view, place)
    posts = view.posts(place)
    lead = ""
    if posts and posts[0].first and choices.lead in {"first", "every"}:
        lead = _lead(layout, view, place, posts.pop(0))
    elif choices.lead == "stub" and place.offset:
        lead = _stub(layout, view, place)
    drawn = []
    for order, post in enumerate(posts):
        drawn.append(draw_post(layout, view, place, post))
        if order == 1 and choices.adverts == "post":
            drawn.append(_advert(layout, view, post))
    heading = ""
    if choices.shape == "news" or (lead and layout.chance("count heading", 0.5)):
        count = view.snapshot.count(place.index) - 1
        heading = f"<h3>{count} {view.word('comments')}</h3>"
    return f"{lead}{heading}{wrap_posts(layout, drawn, choices.posts) if drawn else ''}"


def _lead(layout: RandomLayout, view: ForumView, place: PageLocation, post: ShownPost) -> str:
    """Draw a first post that stands apart: an article, or a box with other elements than the rest."""
    parts = _parts(layout, view, place, post)
    if layout.choices.shape == "news":
        title = f"<h1{layout.names.of('headline')}>{view.title(place.index)}</h1>"
        return wrap_post(layout, replace(parts, head=f"{title}{parts.side}{parts.head}", side=""), "article")
    style = "div" if layout.choices.posts != "div" else "article"
    return f"<div{layout.names.of('first-post')}>{wrap_post(layout, parts, style)}</div>"


def _stub(layout: RandomLayout, view: ForumView, place: PageLocation) -> str:
    """Draw what stands on later pages in place of the first post: its author, and a link to it."""
    author = find_author(view.world, view.snapshot.ranks(place.index)[0])
    link = f'<a href="{view.href(layout.thread_url(view, place.index))}">{view.title(place.index)}</a>'
    text = f"<div{layout.names.of('stub-text')}>{link}</div>"
    column = layout.choices.author_place == "column"
    name = draw_author(layout, view, author)
    parts = PostParts("", "", name if column else "", "" if column else name, text, "")
    return wrap_posts(layout, [wrap_post(layout, parts, layout.choices.posts)], layout.choices.posts)


def _nested(layout: RandomLayout, view: ForumView, place: PageLocation) -> str:
    posts = view.posts(place)
    style, nesting = layout.choices.posts, layout.choices.nesting
    if nesting != "inside":
        width = 20 if nesting == "margin" else 0
        drawn = [draw_post(layout, view, place, post, indent=post.depth * width) for post in posts]
        return wrap_posts(layout, drawn, style)
    drawn = []
    stack: list[tuple[int, ShownPost, list[str]]] = []  # posts whose children are still to come

    def close(depth: int) -> None:
        while stack and stack[-1][0] >= depth:
            _, post, under = stack.pop()
            inner = (
                wrap_posts(layout, under, "nested_tables")
                if style == "nested_tables" and under
                else "".join(under)
            )
            text = draw_post(layout, view, place, post, under=inner)
            (stack[-1][2] if stack else drawn).append(text)

    for post in posts:
        close(post.depth)
        stack.append((post.depth, post, []))
    close(0)
    return wrap_posts(layout, drawn, style)


def _questions(layout: RandomLayout, view: ForumView, place: PageLocation) -> str:
    drawn = []
    for post, comments in view.units(place):
        said = "".join(_comment(layout, view, place, comment) for comment in comments)
        tag = layout.pick("comments", "ul", "div", "table")
        item = {"ul": "li", "div": "div", "table": "tr"}[tag]
        if tag == "table":
            said = said.replace("<comment", "<tr><td").replace("</comment>", "</td></tr>")
        said = said.replace("<comment", f"<{item}").replace("</comment>", f"</{item}>")
        under = f"<{tag}{layout.names.of('comments')}>{said}</{tag}>" if said else ""
        drawn.append((post.first, draw_post(layout, view, place, post, under=under)))
    style = layout.choices.posts
    question = [text for first, text in drawn if first]
    answers = [text for first, text in drawn if not first]
    heading = f"<h2>{view.thread_slice(place).total} {view.word('answers')}</h2>"
    lead = wrap_posts(layout, question, style) if question else ""
    return f"{lead}{heading}{wrap_posts(layout, answers, style) if answers else ''}"


def _comment(layout: RandomLayout, view: ForumView, place: PageLocation, post: ShownPost) -> str:
    link = _permalink(layout, view, place, post)
    text = " ".join(with_links(paragraph) for paragraph in post.paragraphs)
    body = f"<span{layout.names.of('comment-text')}>{text}</span>"
    author = draw_author(layout, view, post.author)
    date = draw_post_date(layout, view, post, link)
    said = (
        f"{author} {date} {body}"
        if layout.chance("comment author first", 0.4)
        else f"{body} – {author} {date}"
    )
    return f"<comment{_attributes(layout, post)}{layout.names.of('comment')}>{said}</comment>"


def draw_post(
    layout: RandomLayout,
    view: ForumView,
    place: PageLocation,
    post: ShownPost,
    *,
    under: str = "",
    indent: int = 0,
) -> str:
    """Draw one post with its elements."""
    parts = _parts(layout, view, place, post)
    style = layout.choices.posts
    attributes = parts.attributes
    if indent:
        attributes += f' style="margin-left:{indent}px"'
    if layout.choices.shape in {"nested", "tree"} and layout.choices.nesting == "depth":
        attributes += f' data-depth="{post.depth}"'
    if layout.choices.shape == "questions" and under and style in {"table_rows", "tables", "hr", "dl"}:
        return wrap_post(layout, replace(parts, foot=parts.foot + under, attributes=attributes), style)
    return wrap_post(layout, replace(parts, under=under, attributes=attributes), style)


def _attributes(layout: RandomLayout, post: ShownPost) -> str:
    style, found = layout.choices.post_ids, ""
    if style == "id":
        found = f' id="{layout.anchor(post.id)}"'
    if style == "data":
        name = layout.pick("data", "data-post-id", "data-pid", "data-id", "data-comment")
        found = f' {name}="{layout.code(post.id, "post")}"'
    if layout.choices.author_attribute == "data":
        found += f' data-author="{escape(post.author.name)}"'
    return found


def _permalink(layout: RandomLayout, view: ForumView, place: PageLocation, post: ShownPost) -> str:
    if layout.choices.permalink == "none":
        return ""
    return view.href(layout.post_url(view, place.index, post.id, place.offset))


def _parts(layout: RandomLayout, view: ForumView, place: PageLocation, post: ShownPost) -> PostParts:
    choices = layout.choices
    link = _permalink(layout, view, place, post)
    date = draw_post_date(layout, view, post, link)
    author = draw_named(layout, view, post.author)
    if choices.author_place == "heading":
        tag = layout.pick("author heading", "h3", "h4", "h5")
        author = f"<{tag}>{author}</{tag}>"
    extras = draw_avatar(layout, view, post.author) + draw_profile(layout, view, post.author)
    side = head = after = ""
    if choices.author_place == "column":
        side = f"{author}{extras}" if layout.chance("name first", 0.7) else f"{extras}{author}"
        side += f"<div>{date}</div>" if choices.date_place == "column" else ""
    line = (
        []
        if choices.author_place in {"column", "after"}
        else [f"{draw_avatar(layout, view, post.author)}{author}"]
    )
    if choices.date_place == "head":
        line.insert(
            0 if choices.date_first == "yes" and choices.author_place != "heading" else len(line), date
        )
    line.append(draw_number(layout, view, post, link))
    joint = layout.pick("joint", " ", " · ", " | ", " &raquo; ", ", ")
    head = joint.join(filter(None, line))
    if choices.subject == "each":
        subject = ("" if post.first else "Re: ") + view.raw_title(place.index)
        head = f"<div{layout.names.of('subject')}>{escape(subject)}</div>{head}"
    last = [author] if choices.author_place == "after" else []
    last += [date] if choices.date_place == "after" else []
    after = f"<div{layout.names.of('byline')}>{joint.join(last)}</div>" if last else ""
    anchor = f'<a name="{layout.anchor(post.id)}"></a>' if choices.post_ids == "anchor" else ""
    return PostParts(
        _attributes(layout, post),
        anchor,
        side,
        head,
        draw_body(layout, view, post),
        after + draw_foot(layout, view, place, post),
    )


def draw_body(layout: RandomLayout, view: ForumView, post: ShownPost) -> str:
    style = layout.choices.paragraphs
    if style == "p":
        text = wrap_in_paragraphs(post.paragraphs)
    elif style == "br":
        text = join_with_breaks(post.paragraphs, "<br>\n")
    else:
        text = "".join(f"<div>{with_links(paragraph)}</div>" for paragraph in post.paragraphs)
    return f"<div{layout.names.of('body')}>{_quote(layout, view, post.quotation)}{text}</div>"


def _quote(layout: RandomLayout, view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    said = f"{escape(quotation.author)} {view.word('wrote')}:"
    inner = f"{_quote(layout, view, quotation.inner)}{with_links(quotation.text)}"
    names = layout.names
    if layout.choices.quotes == "blockquote":
        return f"<blockquote{names.of('quote')}><cite>{said}</cite><br>{inner}</blockquote>"
    if layout.choices.quotes == "table":
        return f'<table width="90%" align="center"><tr><td><b>{said}</b></td></tr><tr><td{names.of("quote")}>{inner}</td></tr></table>'
    return f'<div class="{names.name("quote") or "quote"}"><div>{said}</div>{inner}</div>'


def draw_foot(layout: RandomLayout, view: ForumView, place: PageLocation, post: ShownPost) -> str:
    choices, names = layout.choices, layout.names
    found = ""
    if choices.reply_note == "note" and not post.first:
        position = max(1, post.position - 1 - post.rank % 3)
        note = f"#{post.position}: {view.word('in_reply_to')} #{position}"
        found += f"<div{names.of('reply-note')}>[{note}]</div>"
    if post.edited and choices.edits == "note":
        words = view.language.words["edited"].format(who=post.author.name, when=post.edited.text, n=1)
        found += f"<div{names.of('note')}><em>{escape(words)}</em></div>"
    if post.author.signature and choices.signatures != "none":
        line = "<br>_________________<br>" if choices.signatures == "line" else ""
        found += f"<div{names.of('signature')}>{line}{escape(post.author.signature)}</div>"
    if choices.thanks == "list" and post.position % 3 == 1:
        people = [make_author(view.world, (post.rank + n) % 12) for n in range(2)]
        said = ", ".join(draw_author(layout, view, person) for person in people)
        found += f"<div{names.of('thanks')}>{view.word('thanks')}: {said}</div>"
    return found + _buttons(layout, view, place)


def _buttons(layout: RandomLayout, view: ForumView, place: PageLocation) -> str:
    style = layout.choices.buttons
    if style == "none":
        return ""
    words = [("reply", view.word("reply")), ("report", view.word("report"))]
    if style == "many":
        words += [("quote", view.word("quote")), ("like", view.word("like"))]
    links = [
        f'<a href="{view.href(layout.other_url(word, place.index))}" rel="nofollow">{text}</a>'
        for word, text in words
    ]
    if style == "many":
        links.append(f'<a href="#top">{view.word("top")}</a>')
    return f"<div{layout.names.of('buttons')}>{layout.pick('between', ' ', ' | ', ' · ').join(links)}</div>"


def _advert(layout: RandomLayout, view: ForumView, like: ShownPost) -> str:
    """Draw an advert that looks like a post."""
    name = view.language.words["advert"]
    author = ForumAuthor(0, name, 0, 0, "", "")
    head = draw_author(layout, view, author)
    if layout.chance("dated advert", 0.3):
        head += f" {draw_date(layout, view.show_date(view.now - DAY), view.now - DAY)}"
    text = f'<div{layout.names.of("body")}><p><a href="http://ads.example.org/?{like.rank}">{escape(view.language.boards[1][1])}</a></p></div>'
    column = layout.choices.author_place == "column"
    parts = PostParts("", "", head if column else "", "" if column else head, text, "")
    return wrap_post(layout, parts, layout.choices.posts)


def _fragments(layout: RandomLayout, view: ForumView, place: PageLocation) -> str:
    """Draw a pager whose links are fragments of this page."""
    posts = view.posts(place)
    if len(posts) <= 5 or layout.choices.post_ids not in {"id", "anchor"}:
        return ""
    links = " ".join(f'<a href="#{layout.anchor(post.id)}">{n}</a>' for n, post in enumerate(posts[::5], 1))
    return f"<div{layout.names.of('pager')}>{view.word('page')}: {links}</div>"


def _poll(layout: RandomLayout, view: ForumView, place: PageLocation) -> str:
    number = view.world.threads[place.index].number
    if layout.choices.polls != "some" or place.offset or number % 4:
        return ""
    options = "".join(
        f"<tr><td>{escape(p)}</td><td>{n * 7 % 30} {view.word('votes')}</td></tr>"
        for n, p in enumerate(view.language.places[:3], 2)
    )
    return f'<form action="{view.href(layout.other_url("vote", place.index))}"><table{layout.names.of("poll")}><tr><th colspan=2>{view.word("poll")}: {view.title(place.index)}</th></tr>{options}</table></form>'


def _tools(layout: RandomLayout, view: ForumView, index: int) -> str:
    if layout.choices.tools == "none":
        return ""
    words = [("print", view.word("print")), ("rss", "RSS"), ("reply", view.word("reply"))]
    if layout.choices.tools == "many":
        words += [("nexttopic", view.word("next_topic")), ("subscribe", view.word("share"))]
    return draw_links(
        layout, view, ((layout.other_url(word, index), text) for word, text in words), "thread-tools"
    )


def draw_links(layout: RandomLayout, view: ForumView, links: Iterable[tuple[str, str]], role: str) -> str:
    drawn = " | ".join(f'<a href="{view.href(url)}">{text}</a>' for url, text in links)
    return f"<div{layout.names.of(role)}>{drawn}</div>"


def _neighbours(layout: RandomLayout, view: ForumView, index: int) -> str:
    """Draw links to the threads before and after this one, which look like a pager."""
    visible = [i for i, thread in enumerate(view.world.threads) if view.snapshot.is_visible(thread)]
    at = visible.index(index)
    words = []
    if at:
        words.append((layout.thread_url(view, visible[at - 1]), f"&laquo; {view.title(visible[at - 1])}"))
    if at + 1 < len(visible):
        worded = layout.chance("worded neighbours", 0.5)
        text = view.word("next_topic") if worded else view.title(visible[at + 1])
        words.append((layout.thread_url(view, visible[at + 1]), f"{text} &raquo;"))
    return draw_links(layout, view, words, "neighbours")


def _below(layout: RandomLayout, view: ForumView, index: int) -> str:
    found = _neighbours(layout, view, index) if layout.choices.neighbours == "links" else ""
    if layout.choices.login == "hint":
        found += f'<p{layout.names.of("hint")}><a href="{view.href(layout.other_url("login"))}">{view.word("login_hint")}</a></p>'
    if layout.choices.similar == "list":
        rows = "".join(
            f'<li><a href="{view.href(layout.thread_url(view, row.index))}">{escape(row.title)}</a> {escape(row.author.name)}, {escape(row.active.text)}</li>'
            for row in view.recent(4)
            if row.index != index
        )
        found += f"<div{layout.names.of('similar')}><h4>{view.word('similar')}</h4><ul>{rows}</ul></div>"
    return found
