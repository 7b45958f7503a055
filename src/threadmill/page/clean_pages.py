"""Many pages cleaned in their order, judged several at a time, which takes less time for each.

What a page gives is the same as when it is cleaned alone: clean() is a batch of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from threadmill.page.blocks.cutting import Cut
from threadmill.page.clean import cut_page, read_pages
from threadmill.page.judge.clean_settings import CleanSettings, Method
from threadmill.page.judge.judgement import CutPage, Framing
from threadmill.page.judge.user_hooks import Hook
from threadmill.page.parse.garbage_collection import without_collector
from threadmill.page.parse.page_signs import page_signs
from threadmill.page.parse.tree import Tree, parse
from threadmill.types import Page

_DEFAULT = CleanSettings()

# A batch is full at so many pages, blocks or characters of HTML. Where nothing is compiled, a page of 230 kB
# took 8.6 ms alone, 7.5 in batches of 4, 7.1 of 8, 7.0 of 16, 7.5 of 32, when what was read first has left
# the processor's cache; the trees and cuts of so many characters are some 10 MB.
_MOST_PAGES = 16
_MOST_BLOCKS = 5_000
_MOST_CHARS = 1_200_000


@dataclass(frozen=True, slots=True)
class PageInput:
    """A page to be cleaned."""

    html: str | bytes | Tree
    url: str = ""
    content_type: str = ""
    framing: Callable[[Tree, Cut], Framing] | None = None  # of its site, told from the page once it is cut
    origin: Any = None  # what the caller knows it by


class CleanedPage(NamedTuple):
    """A page as it was read, and the tree it was read from."""

    source: PageInput
    tree: Tree
    page: Page


class CleanFailure(NamedTuple):
    """A page that could not be read, and why."""

    source: PageInput
    error: Exception


def clean_pages(
    sources: Iterable[PageInput], settings: CleanSettings = _DEFAULT, *, hook: Hook | None = None
) -> Iterator[CleanedPage | CleanFailure]:
    """Read pages as clean() reads each, in their order; one that cannot be read loses no other."""
    batch = _Batch(settings, hook)
    try:
        for source in sources:
            batch.add(source)
            if batch.is_full():
                yield from batch.finish()
    except Exception:  # the sources broke off: what came before is not lost
        yield from batch.finish()
        raise
    yield from batch.finish()


class _Batch:
    """Pages that were cut and wait to be judged together."""

    def __init__(self, settings: CleanSettings, hook: Hook | None) -> None:
        self._settings = settings
        self._hook = hook
        self._waiting: list[tuple[PageInput, CutPage | Exception]] = []
        self._chars = self._blocks = 0

    def add(self, source: PageInput) -> None:
        """Parse and cut one more page."""
        try:
            with without_collector():
                page = self._cut(source)
        except Exception as error:  # a hostile page, or a fault of ours: told in its turn
            self._waiting.append((source, error))
            return
        self._waiting.append((source, page))
        self._chars += 0 if isinstance(source.html, Tree) else len(source.html)
        self._blocks += len(page.cutting.blocks)

    def _cut(self, source: PageInput) -> CutPage:
        html = source.html
        tree = html if isinstance(html, Tree) else parse(html, source.url, source.content_type)
        cutting = cut_page(tree, self._settings)
        framing = source.framing(tree, cutting) if source.framing else None
        # now, because the tree is still in the processor's cache: later it takes three times as long
        is_judged = self._settings.method is Method.DEFAULT
        return CutPage(tree, cutting, framing, page_signs(tree.document, tree.url) if is_judged else None)

    def is_full(self) -> bool:
        """Whether it is time to judge; jusText's rules gain nothing by waiting."""
        return (
            len(self._waiting) >= (_MOST_PAGES if self._settings.method is Method.DEFAULT else 1)
            or self._chars >= _MOST_CHARS
            or self._blocks >= _MOST_BLOCKS
        )

    def finish(self) -> Iterator[CleanedPage | CleanFailure]:
        """Judge what waits, and begin again."""
        waiting, self._waiting = self._waiting, []
        self._chars = self._blocks = 0
        read = iter(self._read([page for _, page in waiting if isinstance(page, CutPage)]))
        waiting.reverse()
        while waiting:  # a page that was given away is not kept
            source, page = waiting.pop()
            outcome = next(read) if isinstance(page, CutPage) else page
            if isinstance(page, CutPage) and isinstance(outcome, Page):
                yield CleanedPage(source, page.tree, outcome)
            elif isinstance(outcome, Exception):
                yield CleanFailure(source, outcome)

    def _read(self, pages: list[CutPage]) -> list[Page | Exception]:
        """All at once; if that fails, one by one, so that the one at fault is found."""
        try:
            with without_collector():
                return [*read_pages(pages, self._settings, self._hook)]
        except Exception as error:
            if len(pages) < 2:
                return [error for _ in pages]
            return [outcome for page in pages for outcome in self._read([page])]
