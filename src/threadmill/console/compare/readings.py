"""Reads one page in several ways, and marks where the readings differ."""

from __future__ import annotations

import hashlib
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from threadmill.errors import UsageError
from threadmill.page.clean import clean
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings, Favour
from threadmill.page.parse.tree import parse
from threadmill.template import Template, clean_with_template
from threadmill.types import Capture

_MAX_PAGE = 5_000_000  # bytes; the rest of a larger page is not read
_MAX_PARAGRAPHS = 2000
TEMPLATE = "ours with the template of the site"
_SETTINGS = {
    "ours": CleanSettings(),
    "jusText": CleanSettings(method=CleanMethod.JUSTEXT),
    "ours, careful": CleanSettings(favour=Favour.PRECISION),
    "ours, generous": CleanSettings(favour=Favour.RECALL),
    "everything": CleanSettings(method=CleanMethod.EVERYTHING),
}
BUILT_IN = (*list(_SETTINGS)[:2], TEMPLATE, *list(_SETTINGS)[2:])

Extract = Callable[[bytes, str], str]  # a plug-in: HTML and URL of a page → its text, a paragraph a line


@dataclass(frozen=True, slots=True)
class ReadParagraph:
    """A paragraph of a reading."""

    text: str
    shared: bool  # every reading has it


@dataclass(frozen=True, slots=True)
class PageReading:
    """One reading of a page."""

    name: str
    paragraphs: tuple[ReadParagraph, ...]
    words: int
    milliseconds: float  # of this process
    problem: str = ""


def load_plug_ins(names: str) -> dict[str, Extract]:
    """The extractors that the settings name: "module:function, module:function"."""
    found: dict[str, Extract] = {}
    for name in filter(None, (part.strip() for part in names.split(","))):
        place, _, function = name.partition(":")
        try:
            found[name] = getattr(import_module(place), function)
        except (ImportError, AttributeError, ValueError) as error:
            raise UsageError(f"console.readings wants module:function, not {name!r}: {error}") from None
    return found


def read_page(
    capture: Capture, names: Sequence[str], template: Template | None, plug_ins: Mapping[str, Extract]
) -> list[PageReading]:
    """The readings of a page, in the order of the names."""
    html = capture.payload[:_MAX_PAGE]
    texts: list[tuple[str, list[str], float, str]] = []
    for name in names:
        started = time.thread_time()
        problem, lines = "", []
        try:
            lines = _read(capture, html, name, template, plug_ins)
        except Exception as error:  # a plug-in may do anything
            problem = f"failed with {type(error).__name__}: {error}"[:300]
        texts.append((name, lines[:_MAX_PARAGRAPHS], 1000 * (time.thread_time() - started), problem))
    return _mark_differences(texts)


def _read(
    capture: Capture, html: bytes, name: str, template: Template | None, plug_ins: Mapping[str, Extract]
) -> list[str]:
    tree = parse(html, capture.url, capture.header("content-type") or "")
    if name in plug_ins:
        lines = plug_ins[name](html, capture.url).split("\n")
    elif name == TEMPLATE:
        page = clean_with_template(tree, template) if template is not None else clean(tree)
        lines = [paragraph.text for paragraph in page.good]
    elif name in _SETTINGS:
        lines = [paragraph.text for paragraph in clean(tree, settings=_SETTINGS[name]).good]
    else:
        raise UsageError(f"the reading {name} is not there any more")
    return [line.strip() for line in lines if line.strip()]


def _mark_differences(texts: Iterable[tuple[str, list[str], float, str]]) -> list[PageReading]:
    texts = list(texts)
    held = Counter(key for _, lines, _, _ in texts for key in {_key(line) for line in lines})
    return [
        PageReading(
            name,
            tuple(ReadParagraph(line, held[_key(line)] == len(texts)) for line in lines),
            sum(len(line.split()) for line in lines),
            milliseconds,
            problem,
        )
        for name, lines, milliseconds, problem in texts
    ]


def _key(line: str) -> str:
    return " ".join(line.lower().split())


def shuffled(names: Sequence[str], who: str, number: int, page: int) -> list[str]:
    """The readings in an order that is random, but stays the same for a voter and a page.

    Voters see letters instead of names, so the order must tell them nothing.
    """
    seed = hashlib.blake2b(f"{who}\n{number}\n{page}".encode("utf-8", "replace")).hexdigest()
    return random.Random(seed).sample(list(names), len(names))
