"""Threadmill keeps a clean, deduplicated corpus of forums and sites, and downloads almost nothing twice.

| to | call |
| --- | --- |
| get the main text of a page | `clean`, `clean_pages`, `learn_template`, `render_page` |
| read a saved forum page | `read_forum_page` |
| crawl | `crawl_forum`, `crawl_site` |
| read what was crawled | `open_workspace`, then `.posts()`, `.threads()`, `.boards()` |
| delete an author, thread or forum | `forget` |
| read dates | `find_dates`, `read_date_column` |
| make and search a corpus | `build_corpus`, `build_index`, `search` |
| ask a corpus in CQL | `build_positions`, then `open_positions` and its methods |
| find sites of one company | `compare_sites` |

`help(threadmill.clean)` shows an example of each. `threadmill.__all__` lists the functions, result types and
errors. A name is loaded when it is first used, because `import threadmill` must stay fast.

Functions that use the network have two forms. The plain name (`crawl_forum`) blocks until the work is done,
as every other function here does. The name with `_async` is for a running event loop: a notebook, a server.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadmill.api.corpora import IndexProgress as IndexProgress
    from threadmill.api.corpora import build_corpus as build_corpus
    from threadmill.api.corpora import build_index as build_index
    from threadmill.api.corpora import convert_vertical as convert_vertical
    from threadmill.api.corpora import search as search
    from threadmill.api.crawling import crawl_forum as crawl_forum
    from threadmill.api.crawling import crawl_forum_async as crawl_forum_async
    from threadmill.api.crawling import crawl_site as crawl_site
    from threadmill.api.crawling import crawl_site_async as crawl_site_async
    from threadmill.api.crawling import forget as forget
    from threadmill.api.dates import FoundDates as FoundDates
    from threadmill.api.dates import find_dates as find_dates
    from threadmill.api.dates import read_date_column as read_date_column
    from threadmill.api.forum_page import ForumPage as ForumPage
    from threadmill.api.forum_page import read_forum_page as read_forum_page
    from threadmill.api.pages import clean as clean
    from threadmill.api.pages import clean_pages as clean_pages
    from threadmill.api.pages import learn_template as learn_template
    from threadmill.api.pages import render_page as render_page
    from threadmill.api.queries import CorpusPositions as CorpusPositions
    from threadmill.api.queries import build_positions as build_positions
    from threadmill.api.queries import open_positions as open_positions
    from threadmill.api.sites import compare_sites as compare_sites
    from threadmill.api.sites import compare_sites_async as compare_sites_async
    from threadmill.config import Settings as Settings
    from threadmill.corpus.build.pipeline import BuildProgress as BuildProgress
    from threadmill.corpus.query.concordance import Concordance as Concordance
    from threadmill.corpus.query.concordance import ContextLine as ContextLine
    from threadmill.corpus.query.measures import Collocate as Collocate
    from threadmill.corpus.query.measures import Dispersion as Dispersion
    from threadmill.corpus.query.measures import FrequencyLine as FrequencyLine
    from threadmill.corpus.query.measures import Keyword as Keyword
    from threadmill.corpus.search.index import SearchHit as SearchHit
    from threadmill.corpus.search.index import SearchResult as SearchResult
    from threadmill.crawl.forget import ForgetReport as ForgetReport
    from threadmill.crawl.forum.progress import ForumProgress as ForumProgress
    from threadmill.crawl.site.site_loop import SiteProgress as SiteProgress
    from threadmill.dates import DateColumn as DateColumn
    from threadmill.dates import DateSpan as DateSpan
    from threadmill.errors import ArchiveError as ArchiveError
    from threadmill.errors import FetchError as FetchError
    from threadmill.errors import ForbiddenError as ForbiddenError
    from threadmill.errors import HookError as HookError
    from threadmill.errors import MissingDependencyError as MissingDependencyError
    from threadmill.errors import SearchIndexError as SearchIndexError
    from threadmill.errors import SettingsError as SettingsError
    from threadmill.errors import StoreError as StoreError
    from threadmill.errors import ThreadmillError as ThreadmillError
    from threadmill.errors import TransientError as TransientError
    from threadmill.errors import URLError as URLError
    from threadmill.errors import UsageError as UsageError
    from threadmill.errors import WorkspaceError as WorkspaceError
    from threadmill.forum.paging.pager import Paging as Paging
    from threadmill.page.clean import CleanedPage as CleanedPage
    from threadmill.page.clean import CleanFailure as CleanFailure
    from threadmill.page.clean import PageInput as PageInput
    from threadmill.page.judge.clean_settings import CleanSettings as CleanSettings
    from threadmill.sites.model import CompanySite as CompanySite
    from threadmill.sites.model import SitePair as SitePair
    from threadmill.sites.report.results import ComparisonResults as ComparisonResults
    from threadmill.template import Template as Template
    from threadmill.types import AccountLine as AccountLine
    from threadmill.types import BoardRow as BoardRow
    from threadmill.types import CrawlAccount as CrawlAccount
    from threadmill.types import Link as Link
    from threadmill.types import Metadata as Metadata
    from threadmill.types import Moment as Moment
    from threadmill.types import Page as Page
    from threadmill.types import Paragraph as Paragraph
    from threadmill.types import ParagraphClass as ParagraphClass
    from threadmill.types import Post as Post
    from threadmill.types import Precision as Precision
    from threadmill.types import Quote as Quote
    from threadmill.types import StoredBoard as StoredBoard
    from threadmill.types import StoredPost as StoredPost
    from threadmill.types import StoredThread as StoredThread
    from threadmill.types import ThreadRow as ThreadRow
    from threadmill.workspace import Workspace as Workspace
    from threadmill.workspace import open_workspace as open_workspace

__version__ = "0.1.0"

__all__ = [
    "AccountLine",
    "ArchiveError",
    "BoardRow",
    "BuildProgress",
    "CleanFailure",
    "CleanSettings",
    "CleanedPage",
    "Collocate",
    "CompanySite",
    "ComparisonResults",
    "Concordance",
    "ContextLine",
    "CorpusPositions",
    "CrawlAccount",
    "DateColumn",
    "DateSpan",
    "Dispersion",
    "FetchError",
    "ForbiddenError",
    "ForgetReport",
    "ForumPage",
    "ForumProgress",
    "FoundDates",
    "FrequencyLine",
    "HookError",
    "IndexProgress",
    "Keyword",
    "Link",
    "Metadata",
    "MissingDependencyError",
    "Moment",
    "Page",
    "PageInput",
    "Paging",
    "Paragraph",
    "ParagraphClass",
    "Post",
    "Precision",
    "Quote",
    "SearchHit",
    "SearchIndexError",
    "SearchResult",
    "Settings",
    "SettingsError",
    "SitePair",
    "SiteProgress",
    "StoreError",
    "StoredBoard",
    "StoredPost",
    "StoredThread",
    "Template",
    "ThreadRow",
    "ThreadmillError",
    "TransientError",
    "URLError",
    "UsageError",
    "Workspace",
    "WorkspaceError",
    "__version__",
    "build_corpus",
    "build_index",
    "build_positions",
    "clean",
    "clean_pages",
    "compare_sites",
    "compare_sites_async",
    "convert_vertical",
    "crawl_forum",
    "crawl_forum_async",
    "crawl_site",
    "crawl_site_async",
    "find_dates",
    "forget",
    "learn_template",
    "open_positions",
    "open_workspace",
    "read_date_column",
    "read_forum_page",
    "render_page",
    "search",
]

# The module of each public name; the imports above tell type checkers the same.
_NAMES_BY_MODULE = {
    "threadmill.api.corpora": (
        "IndexProgress",
        "build_corpus",
        "build_index",
        "convert_vertical",
        "search",
    ),
    "threadmill.api.crawling": (
        "crawl_forum",
        "crawl_forum_async",
        "crawl_site",
        "crawl_site_async",
        "forget",
    ),
    "threadmill.api.dates": (
        "FoundDates",
        "find_dates",
        "read_date_column",
    ),
    "threadmill.api.forum_page": (
        "ForumPage",
        "read_forum_page",
    ),
    "threadmill.api.pages": (
        "clean",
        "clean_pages",
        "learn_template",
        "render_page",
    ),
    "threadmill.api.queries": (
        "CorpusPositions",
        "build_positions",
        "open_positions",
    ),
    "threadmill.api.sites": (
        "compare_sites",
        "compare_sites_async",
    ),
    "threadmill.config": ("Settings",),
    "threadmill.corpus.build.pipeline": ("BuildProgress",),
    "threadmill.corpus.query.concordance": (
        "Concordance",
        "ContextLine",
    ),
    "threadmill.corpus.query.measures": (
        "Collocate",
        "Dispersion",
        "FrequencyLine",
        "Keyword",
    ),
    "threadmill.corpus.search.index": (
        "SearchHit",
        "SearchResult",
    ),
    "threadmill.crawl.forget": ("ForgetReport",),
    "threadmill.crawl.forum.progress": ("ForumProgress",),
    "threadmill.crawl.site.site_loop": ("SiteProgress",),
    "threadmill.dates": (
        "DateColumn",
        "DateSpan",
    ),
    "threadmill.errors": (
        "ArchiveError",
        "FetchError",
        "ForbiddenError",
        "HookError",
        "MissingDependencyError",
        "SearchIndexError",
        "SettingsError",
        "StoreError",
        "ThreadmillError",
        "TransientError",
        "URLError",
        "UsageError",
        "WorkspaceError",
    ),
    "threadmill.forum.paging.pager": ("Paging",),
    "threadmill.page.clean": (
        "CleanFailure",
        "CleanedPage",
        "PageInput",
    ),
    "threadmill.page.judge.clean_settings": ("CleanSettings",),
    "threadmill.sites.model": (
        "CompanySite",
        "SitePair",
    ),
    "threadmill.sites.report.results": ("ComparisonResults",),
    "threadmill.template": ("Template",),
    "threadmill.types": (
        "AccountLine",
        "BoardRow",
        "CrawlAccount",
        "Link",
        "Metadata",
        "Moment",
        "Page",
        "Paragraph",
        "ParagraphClass",
        "Post",
        "Precision",
        "Quote",
        "StoredBoard",
        "StoredPost",
        "StoredThread",
        "ThreadRow",
    ),
    "threadmill.workspace": (
        "Workspace",
        "open_workspace",
    ),
}
_MODULES = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not, for tab completion."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
