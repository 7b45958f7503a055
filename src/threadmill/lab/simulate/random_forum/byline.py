"""The fields of a random forum's posts and rows: author, date, number, permalink, avatar and profile."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from threadmill.lab.simulate.content.shown_dates import ShownDate
from threadmill.lab.simulate.content.writing import ForumAuthor
from threadmill.lab.simulate.view import ForumView, ShownPost

if TYPE_CHECKING:
    from threadmill.lab.simulate.random_forum.layout import RandomLayout


_TITLES = {3: "V.I.P.", 5: "Owner", 7: "Moderator"}


def draw_author(layout: RandomLayout, view: ForumView, author: ForumAuthor) -> str:
    """Draw the name of an author: linked, in bold or plain."""
    name, style = escape(author.name), layout.choices.author_link
    attribute = layout.names.of("author")
    if style == "linked" and author.number:
        return f'<a href="{view.href(layout.profile_url(author))}"{attribute}>{name}</a>'
    if style == "bold":
        tag = layout.pick("bold", "b", "strong")
        return f"<{tag}{attribute}>{name}</{tag}>"
    return f"<span{attribute}>{name}</span>" if attribute or layout.chance("span", 0.7) else name


def draw_named(layout: RandomLayout, view: ForumView, author: ForumAuthor) -> str:
    """Draw an author with the word that stands before or after."""
    name, word = draw_author(layout, view, author), layout.choices.author_word
    if word == "by":
        return f"{view.word('by')} {name}"
    if word == "wrote":
        return f"{name} {view.word('wrote')}:"
    return f"{view.word('author')}: {name}" if word == "label" else name


def draw_date(layout: RandomLayout, when: ShownDate, moment: int) -> str:
    """Draw a date: text, a time element, or text with the exact time in an attribute."""
    style, text, attribute = layout.choices.date_markup, when.text, layout.names.of("date")
    text = escape(text)
    if style == "time":
        title = f' title="{escape(when.title)}"' if when.title and layout.chance("time title", 0.4) else ""
        return f'<time datetime="{when.iso}"{title}{attribute}>{text}</time>'
    if style == "title":
        tag = layout.pick("title tag", "span", "abbr")
        return f'<{tag} title="{escape(when.title or when.text)}"{attribute}>{text}</{tag}>'
    if style == "data":
        return f'<span data-time="{moment}"{attribute}>{text}</span>'
    return f"<span{attribute}>{text}</span>" if attribute or layout.chance("date span", 0.5) else text


def draw_post_date(layout: RandomLayout, view: ForumView, post: ShownPost, link: str) -> str:
    """Draw the date of a post, with its label and the permalink around it."""
    text = draw_date(layout, post.when, view.world.times[post.rank])
    if layout.choices.permalink == "date" and link:
        text = f'<a href="{link}">{text}</a>'
    if layout.choices.date_label == "posted":
        text = f"{view.word('posted')}{layout.pick('colon', ':', '')} {text}"
    return text


def draw_number(layout: RandomLayout, view: ForumView, post: ShownPost, link: str) -> str:
    """Draw the number of a post, and the permalink on it or beside it."""
    style, permalink = layout.choices.number, layout.choices.permalink
    text = {"hash": f"#{post.position}", "plain": f"{post.position}."}.get(style, "")
    if layout.choices.shape == "imageboard":
        text = f"No.{post.id}"
    if permalink == "number" and link:
        text = f'<a href="{link}">{text}</a>'
    elif permalink == "icon" and link:
        icon = layout.pick(
            "icon", '<img src="/img/post.gif" width="12" height="9" alt="">', "¶", "&#128279;", "#"
        )
        text = f'{text} <a href="{link}">{icon}</a>'
    elif permalink == "word" and link:
        text = f'{text} <a href="{link}">{view.word("permalink")}</a>'
    return f"<span{layout.names.of('number')}>{text}</span>" if text else ""


def draw_avatar(layout: RandomLayout, view: ForumView, author: ForumAuthor) -> str:
    """Draw the avatar of a member."""
    if layout.choices.avatar == "none" or not author.number:
        return ""
    image = f'<img src="/avatars/{author.number}.png" width="80" height="80" alt="{escape(author.name) if layout.chance("alt", 0.5) else ""}">'
    if layout.choices.avatar == "linked" and layout.choices.author_link == "linked":
        return f'<a href="{view.href(layout.profile_url(author))}"{layout.names.of("avatar")}>{image}</a>'
    return image


def format_count(layout: RandomLayout, number: int) -> str:
    """Write a counter: 1234, 1,234 or 1.2k."""
    style = layout.choices.number_format
    if style == "short" and number >= 1000:
        return f"{number / 1000:.1f}k"
    return f"{number:,}" if style == "comma" else str(number)


def _title(layout: RandomLayout, view: ForumView, author: ForumAuthor) -> str:
    """Write the title of a member: most have the same, a few are owners or guests of honour."""
    text = _TITLES.get(author.number % 9, view.word("rank"))
    return f"<b>{text}</b>" if layout.chance("bold title", 0.3) else text


def draw_profile(layout: RandomLayout, view: ForumView, author: ForumAuthor) -> str:
    """Draw what is said about an author beside the name."""
    if layout.choices.profile == "none" or not author.number:
        return ""
    lines = [_title(layout, view, author)]
    if layout.choices.profile == "long":
        lines.append(f"{view.word('posts')}: {format_count(layout, author.posts)}")
        lines.append(f"{view.word('joined')}: {view.joined(author, '{d} {mon} {Y}')}")
        if author.place:
            lines.append(f"{view.word('location')}: {escape(author.place)}")
    tag = layout.pick("profile", "div", "br", "li", "dd")
    if tag == "br":
        return "<br>" + "<br>\n".join(lines)
    inner = "".join(f"<{tag}>{line}</{tag}>" for line in lines)
    return {"li": f"<ul>{inner}</ul>", "dd": f"<dl>{inner}</dl>"}.get(tag, inner)
