"""Small sites made up for tests, with what of them is framing and what is content."""

from __future__ import annotations

import random
from dataclasses import dataclass

WORDS = [
    *("river", "stone", "copper", "window", "letter", "garden", "winter", "morning", "engine", "paper"),
    *("silver", "bridge", "forest", "island", "market", "signal", "harbour", "candle", "mirror", "ladder"),
    *("needle", "planet", "button", "summer", "thunder", "velvet", "willow", "yellow", "zephyr", "anchor"),
]


@dataclass(frozen=True)
class MadePage:
    """A page with the texts that are its content."""

    html: bytes
    title: str
    content: tuple[str, ...]


def make_page(number: int, *, extra: str = "", layout: str = "one") -> MadePage:
    """A page of a site with menu, breadcrumb, previous and next, dates and footer."""
    chance = random.Random(number)
    title = f"{chance.choice(WORDS)} {chance.choice(WORDS)} {number}".capitalize()
    paragraphs = tuple(
        " ".join(chance.choices(WORDS, k=chance.randint(20, 60))) for _ in range(chance.randint(3, 7))
    )
    current = number % 8
    menu = "".join(
        f'<li{" class=current" if i == current else ""}><a href="/{word}">{word.title()} {layout}</a></li>'
        for i, word in enumerate(WORDS[:8])
    )
    body = "".join(f"<p>{text}</p>\n" for text in paragraphs)
    before, after = f"{chance.choice(WORDS)} {chance.choice(WORDS)}", chance.choice(WORDS)
    changed = f"{chance.randint(1, 28)} May 20{chance.randint(10, 25)}"
    html = (
        f"<!DOCTYPE html>\n<html><head><title>{title} - Site</title>"
        "<script>var a = '<div>';</script></head><body>"
        f'<div id="head-{layout}"><h1><a href="/">The site of {layout}</a></h1>'
        f'<ul class="menu">{menu}</ul></div>'
        f'<div class="crumbs"><a href="/">Home</a> &raquo; <a href="/{current}">{WORDS[current]}</a> '
        f"&raquo; {title}</div>"
        f'<div class="main"><h2>{title}</h2>\n{body}{extra}</div>'
        f'<div class="nav"><a href="/{number - 1}.html">Previous: {before}</a> | '
        f'<a href="/{number + 1}.html">Next: {after}</a></div>'
        f'<div class="foot">Last changed on {changed}. All rights reserved.</div>'
        "</body></html>"
    )
    return MadePage(html.encode(), title, paragraphs)


def make_site(count: int = 30, *, layout: str = "one", first: int = 0) -> list[MadePage]:
    """Pages with one framing."""
    return [make_page(first + number, layout=layout) for number in range(count)]
