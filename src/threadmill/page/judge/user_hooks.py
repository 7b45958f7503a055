"""Hooks: a function of the user sees each judged paragraph last, and may change its class and text."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from threadmill.errors import HookError
from threadmill.types import Paragraph, ParagraphClass

# (text, class, HTML) → (class, text)
Hook = Callable[[str, str, str], tuple[str, str]]

_MOST_QUOTED = 100  # characters of a hook's answer in an error message
_TAGS = "p h1 h2 h3 h4 h5 h6 li dt dd td th pre blockquote caption figcaption"
_WRITTEN = frozenset(_TAGS.split())
_WIKIPEDIA = re.compile(r'href="https?://(?:[\w-]+\.)*wikipedia\.org/', re.IGNORECASE)


def keep_wikipedia_links(text: str, verdict: str, html: str) -> tuple[str, str]:
    """Keep every paragraph that links to Wikipedia: an example of a hook."""
    return ("good" if _WIKIPEDIA.search(html) else verdict), text


def paragraph_html(paragraph: Paragraph) -> str:
    """A paragraph as HTML with the two kinds of tags that survive cleaning: links and images."""
    text, at, pieces = paragraph.text, 0, []
    for link in sorted(paragraph.links, key=lambda link: (link.start, link.end)):
        if link.start < at:  # nested in the link before it: an image in a link, already written
            continue
        pieces.append(escape(text[at : link.start], quote=False))
        if link.kind == "image":
            pieces.append(f'<img src="{escape(link.url)}" alt="{escape(link.text)}">')
            at = link.start
        else:
            inside = escape(text[link.start : link.end], quote=False)
            pieces.append(f'<a href="{escape(link.url)}">{inside}</a>')
            at = link.end
    pieces.append(escape(text[at:], quote=False))
    tag = paragraph.kind if paragraph.kind in _WRITTEN else "p"
    return f"<{tag}>{''.join(pieces)}</{tag}>"


def apply_hook(hook: Hook, paragraph: Paragraph, html: str) -> tuple[ParagraphClass, str]:
    """The class and text that a hook returns. HookError if the hook fails."""
    try:
        said = hook(paragraph.text, str(paragraph.verdict), html)
    except Exception as error:
        raise HookError(
            f"the hook failed with {type(error).__name__}: {str(error)[:_MOST_QUOTED]}; it is called with "
            "(text, class, html) and returns (class, text)"
        ) from error
    try:
        verdict, text = said
        return ParagraphClass(verdict), text
    except (TypeError, ValueError) as error:
        classes = ", ".join(ParagraphClass)
        raise HookError(
            f"the hook gave {repr(said)[:_MOST_QUOTED]}; expected is a class ({classes}) and a text"
        ) from error
