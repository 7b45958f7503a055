"""Says in words what was learnt about a forum, with examples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.forum.site_model.model import UrlFamily

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class ModelFact:
    """One thing that was learnt."""

    name: str
    words: str
    examples: tuple[str, ...] = ()


def describe_model(
    knowledge: ForumKnowledge, boards: Sequence[str], threads: Sequence[str]
) -> list[ModelFact]:
    """The facts of a model. `boards` and `threads` are URLs, from which the examples are taken."""
    model, layout = knowledge.layout.model, knowledge.layout
    facts = [
        ModelFact("Start page", "Crawls begin here.", (model.entry,)),
        _describe_urls("Boards", model.boards, boards),
        _describe_urls("Threads", model.threads, threads),
        ModelFact("Pager of boards", _describe_pager(model.boards), _second_pages(model.boards, boards)),
        ModelFact("Pager of threads", _describe_pager(model.threads), _second_pages(model.threads, threads)),
        ModelFact("Order of threads", f"By {model.index_order}." if model.index_order else "Not known."),
        ModelFact("Order of posts", f"By date, {model.post_order}." if model.post_order else "Not known."),
        ModelFact("Posts on a page", f"{layout.posts_per_page or 'no fixed number'}"),
        _describe_wrapper(knowledge),
        ModelFact("Time zone", layout.zone or "The pages state none that holds all year."),
        ModelFact("Learnt from", f"{model.samples} pages."),
    ]
    if knowledge.site.feed:
        facts.append(ModelFact("Feed", "Asked first, once it has proved true.", (knowledge.site.feed,)))
    return facts


def _describe_urls(name: str, family: UrlFamily, urls: Sequence[str]) -> ModelFact:
    if not family.patterns:
        return ModelFact(name, "No URL pattern is known; links are told by their place on the page.")
    shown = " or ".join(_plain_pattern(str(pattern)) for pattern in family.patterns[:_EXAMPLES])
    fitting = tuple(url for url in urls if family.split(url))[:_EXAMPLES]
    return ModelFact(name, f"URLs like {shown}", fitting)


def _plain_pattern(pattern: str) -> str:
    """A pattern as a person writes it: "N" for a number, "…" for anything."""
    text = re.sub(r"\(?(?:\\d\+|\[0-9\]\+)\)?", "N", pattern)
    text = re.sub(r"\(?(?:\.[*+]|\[\^/\][*+]|\\w\+|\[\^?[^\]]*\][*+])\??\)?", "…", text)
    return re.sub(r"\\(.)", r"\1", text)


def _describe_pager(family: UrlFamily) -> str:
    style = family.style
    if style is None:
        return "Pages have no URLs that can be computed; links are followed."
    if not style.step:
        return f"Later pages have a mark in “{style.parameter}” that cannot be computed; links are followed."
    inserted = (style.insert or "").replace("{}", "N")
    where = f"the parameter “{style.parameter}”" if style.parameter else f"“{inserted}” in the path"
    size = f"; {family.per_page} entries on a page" if family.per_page else ""
    return f"The number stands in {where}; it begins with {style.start} and grows by {style.step}{size}."


def _second_pages(family: UrlFamily, urls: Sequence[str]) -> tuple[str, ...]:
    found = (family.url_of(url, 2) for url in urls[:1])
    return tuple(url for url in found if url)


def _describe_wrapper(knowledge: ForumKnowledge) -> ModelFact:
    wrapper = knowledge.layout.model.wrapper
    if wrapper is None:
        return ModelFact("Posts", "Found anew on every page; no wrapper was learnt.")
    cover = ", ".join(f"{name} on {100 * share:.0f} %" for name, share in wrapper.cover.items())
    order = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}.get(wrapper.order, "")
    words = f"Found by a wrapper from {wrapper.pages} pages ({cover})"
    if order:
        words += f"; dates are {order}"
    return ModelFact("Posts", f"{words}.", tuple(shape.top for shape in wrapper.shapes[:_EXAMPLES]))
