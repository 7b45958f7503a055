"""Pages in, main text out: clean one page or many, learn the framing of a site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TypeVar

from threadmill import template as stage
from threadmill.errors import NothingFoundError, UsageError
from threadmill.page.clean import CleanedPage, CleanFailure, PageInput
from threadmill.page.clean import clean as clean_tree
from threadmill.page.clean import clean_pages as clean_sources
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings, Comments, Favour
from threadmill.page.judge.user_hooks import Hook
from threadmill.page.parse.tree import parse
from threadmill.page.render import render
from threadmill.page.structure import StructureOptions
from threadmill.template import Template, TemplateSettings, clean_with_template, framing_of
from threadmill.types import Page

_DEFAULT = CleanSettings()


def clean(
    html: str | bytes,
    url: str = "",
    settings: CleanSettings = _DEFAULT,
    *,
    method: str = "",
    favour: str = "",
    comments: str = "",
    content_type: str = "",
    template: Template | str | PathLike[str] | None = None,
    hook: Hook | None = None,
) -> Page:
    """Find the main text of one page.

    `html` is the page itself, not the name of a file. The result has a class and a reason for every
    paragraph, the language of the page, and metadata such as title and date. Bytes are decoded as a browser
    does it; `content_type` is the header that came with them. `method` is "default", "justext" or
    "everything"; `favour` is "balance", "precision" or "recall"; `comments` of readers are "keep" (content),
    "apart" (in `comments` of the page), "drop", or "auto": apart, but kept where the page is a discussion.
    All three are fields of `settings`.
    `template` is the framing of the site: from `learn_template`, or the name of a file that
    `threadmill template learn --save` wrote. `hook` gets the text, class and HTML of each
    paragraph and returns a class and a text. `clean_pages` takes less time per page.

    >>> import threadmill
    >>> html = "<nav><a href=/>Home</a></nav><h1>Tides</h1><p>" + "The tide was late at the pier today. " * 9
    >>> page = threadmill.clean(html, "https://example.org/tides")
    >>> page.text[:42]
    'Tides\\nThe tide was late at the pier today.'
    >>> page.language
    'en'
    >>> page.paragraphs[0].text, page.paragraphs[0].verdict.value
    ('Home', 'bad')
    """
    _check_page(html)
    settings = _settle(settings, method, favour, comments)
    known = _as_template(template)
    if known is None:
        return clean_tree(html, url, settings, content_type=content_type, hook=hook)
    return clean_with_template(parse(html, url, content_type), known, settings, hook=hook)


def clean_pages(
    pages: Iterable[str | bytes | PageInput],
    settings: CleanSettings = _DEFAULT,
    *,
    method: str = "",
    favour: str = "",
    comments: str = "",
    template: Template | str | PathLike[str] | None = None,
    hook: Hook | None = None,
) -> Iterator[CleanedPage | CleanFailure]:
    """Find the main text of many pages. The results come in the order of the pages.

    Each page gives the same result as with `clean`. A page that cannot be read gives a failure with the
    error, and the others follow. What is no page at all (None, a number) is a wrong call and ends the run.
    Pages are taken from the iterable some at a time, so it may be endless.

    >>> import threadmill
    >>> pages = [threadmill.PageInput(f"<p>Low water at {hour}.</p>", f"https://example.org/{hour}")
    ...          for hour in (6, 18)]
    >>> for result in threadmill.clean_pages(pages):
    ...     if isinstance(result, threadmill.CleanFailure):
    ...         print(result.source.url, result.error)
    ...     else:
    ...         print(result.source.url, result.page.paragraphs[0].text)
    https://example.org/6 Low water at 6.
    https://example.org/18 Low water at 18.
    """
    settings = _settle(settings, method, favour, comments)
    known = _as_template(template)
    framing = framing_of(known) if known is not None else None
    sources = (_as_input(page) for page in _check_pages(pages))
    if framing is not None:
        sources = (replace(source, framing=source.framing or framing) for source in sources)
    return clean_sources(sources, settings, hook=hook)


def learn_template(pages: Iterable[str | bytes], settings: TemplateSettings | None = None) -> Template:
    """Learn the framing of a site (menus, headers, footers) from its pages.

    Ten pages or more of one site give a useful template. Each is str or bytes. Pages are read one at a time
    and more than once, so a lazy sequence may be larger than memory; of other iterables, all pages are kept.
    Pass the template to `clean` or `clean_pages`.

    >>> import threadmill
    >>> frame = "<ul><li><a href=/>Start page</a><li><a href=/map>Map of the harbour</a></ul><h1>{0}</h1>"
    >>> words = "anchor buoy current deck eddy ferry gale hull inlet jetty keel lagoon".split()
    >>> pages = [(frame + "<p>Notes on {0}: nothing else here.</p>").format(word).encode() for word in words]
    >>> template = threadmill.learn_template(pages)
    >>> template.pages
    12
    >>> page = threadmill.clean(pages[0], "https://example.org/anchor", template=template)
    >>> [paragraph.text for paragraph in page.paragraphs if "framing" in paragraph.reason]
    ['Start page', 'Map of the harbour']
    """
    _check_pages(pages)
    return stage.learn_template(_BytePages(pages if isinstance(pages, Sequence) else list(pages)), settings)


def render_page(
    page: Page,
    format: str = "markdown",  # noqa: A002 -- the name of the option
    *,
    tables: bool = True,
    images: bool = True,
    links: bool = True,
) -> str:
    """Write a cleaned page as "text", "markdown", "html", "xml", "tei", "csv" or "json" (one line).

    Markdown, HTML, XML and TEI keep headings, lists, tables, code, quotes, emphasis, links and images.
    `tables=False`, `images=False` and `links=False` leave these out.

    >>> import threadmill
    >>> page = threadmill.clean("<h1>Tides</h1><p>" + "The <b>tide</b> was late at the pier today. " * 9)
    >>> threadmill.render_page(page)[:49]
    '# Tides\\n\\nThe **tide** was late at the pier today.'
    """
    return render(page, format, StructureOptions(tables, images, links))


def read_template(file: str | PathLike[str]) -> Template:
    """Read a template that `threadmill template learn --save` wrote."""
    path = Path(file)
    try:
        template = stage.unpack_template(path.read_bytes())
    except OSError as error:
        raise NothingFoundError(f"cannot read the template {path}: {error.strerror}") from None
    if template is None:
        raise UsageError(
            f"{path} is not a template of this version; make one: threadmill template learn DIR --save FILE"
        )
    return template


class _BytePages(Sequence[bytes]):
    """The pages as bytes, each made when it is read: framing is found in the bytes of a page."""

    def __init__(self, pages: Sequence[str | bytes]) -> None:
        self._pages = pages

    def __len__(self) -> int:
        return len(self._pages)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        page = self._pages[index]
        _check_page(page)
        return page if isinstance(page, bytes) else page.encode("utf-8", "replace")


def _as_template(template: object) -> Template | None:
    if template is None or isinstance(template, Template):
        return template
    if isinstance(template, str | PathLike):
        return read_template(template)
    raise UsageError(
        "expected a template of learn_template, or the name of a file of `threadmill template learn --save`, "
        f"not {type(template).__name__}"
    )


def _as_input(page: str | bytes | PageInput) -> PageInput:
    if isinstance(page, PageInput):
        return page
    _check_page(page)
    return PageInput(page)


_Pages = TypeVar("_Pages")


def _check_pages(pages: _Pages) -> _Pages:
    """Refuse what is not many pages. A text is iterable too, but its letters are no pages."""
    if isinstance(pages, str | bytes) or not isinstance(pages, Iterable):
        raise UsageError(f"expected an iterable of pages, such as a list, not {type(pages).__name__}")
    return pages


def _check_page(html: object) -> None:
    if not isinstance(html, str | bytes):
        raise UsageError(f"expected a page as str or bytes, not {type(html).__name__}")


def _settle(settings: CleanSettings, method: str, favour: str, comments: str) -> CleanSettings:
    """The settings with the fields that were given by name."""
    if not isinstance(settings, CleanSettings):
        raise UsageError(f"expected settings as threadmill.CleanSettings, not {type(settings).__name__}")
    try:
        return replace(
            settings,
            method=CleanMethod(method or settings.method),
            favour=Favour(favour or settings.favour),
            comments=Comments(comments or settings.comments),
        )
    except ValueError as error:
        known = ", ".join([*CleanMethod] if method not in [*CleanMethod, ""] else [*Favour])
        raise UsageError(f"{error}; expected one of {known}") from None
