"""Pages in, main text out: clean one page or many, learn the framing of a site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from threadmill import template as stage
from threadmill.errors import UsageError
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
    template: Template | None = None,
    hook: Hook | None = None,
) -> Page:
    """Find the main text of one page.

    `html` is the page itself, not the name of a file. The result has a class and a reason for every
    paragraph, the language of the page, and metadata such as title and date. Bytes are decoded as a browser
    does it; `content_type` is the header that came with them. `method` is "default", "justext" or
    "everything"; `favour` is "balance", "precision" or "recall"; `comments` of readers are "keep" (content),
    "apart" (in `comments` of the page), "drop", or "auto": apart, but kept where the page is a discussion.
    All three are fields of `settings`.
    `template` is the framing of the site (see `learn_template`). `hook` gets the text, class and HTML of each
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
    if not isinstance(html, str | bytes):
        raise UsageError(f"expected a page as str or bytes, not {type(html).__name__}")
    settings = _settle(settings, method, favour, comments)
    if template is None:
        return clean_tree(html, url, settings, content_type=content_type, hook=hook)
    return clean_with_template(parse(html, url, content_type), template, settings, hook=hook)


def clean_pages(
    pages: Iterable[str | bytes | PageInput],
    settings: CleanSettings = _DEFAULT,
    *,
    method: str = "",
    favour: str = "",
    comments: str = "",
    template: Template | None = None,
    hook: Hook | None = None,
) -> Iterator[CleanedPage | CleanFailure]:
    """Find the main text of many pages. The results come in the order of the pages.

    Each page gives the same result as with `clean`. A page that cannot be read gives a failure with the
    error, and the others follow. Pages are taken from the iterable some at a time, so it may be endless.

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
    framing = framing_of(template) if template is not None else None
    sources = (page if isinstance(page, PageInput) else PageInput(page) for page in pages)
    if framing is not None:
        sources = (replace(source, framing=source.framing or framing) for source in sources)
    return clean_sources(sources, settings, hook=hook)


def learn_template(pages: Sequence[bytes], settings: TemplateSettings | None = None) -> Template:
    """Learn the framing of a site (menus, headers, footers) from its pages.

    Ten pages or more of one site give a useful template. Pages are read one at a time, so a lazy sequence may
    be larger than memory. Pass the template to `clean` or `clean_pages`.

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
    return stage.learn_template(pages, settings)


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
