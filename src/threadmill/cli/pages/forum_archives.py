"""Forums in archives: a model for each site, learnt from its archived pages, and the posts of all threads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.errors import URLError, UsageError
from threadmill.parallel.workers import WorkPlace, WorkTask, open_workers
from threadmill.urls.sites import site_of

if TYPE_CHECKING:
    from threadmill.archive.page_spool import GroupedPages
    from threadmill.archive.remote_files import AnyFile
    from threadmill.forum.site_model.model import ForumModel
    from threadmill.types import Capture, Post

_PAGE_TYPES = {"text/html", "application/xhtml+xml", ""}
_LEAST_PAGES = 3  # of a site: a list of threads and two threads; fewer show no structure
_MOST_ASKED = 60  # pages that one search may ask for; it needs about 20


def learn_forums(
    sources: Sequence[AnyFile], place: WorkPlace, folder: Path | None
) -> Iterator[dict[str, Any]]:
    """The model of each site with a forum, as records that JSON can hold, in the order of the archive."""
    from threadmill.cli.pages.site_pages import group_by_site

    sites = group_by_site(sources, folder=folder)
    tasks = (
        WorkTask(learn_task, None, (pages,), site)
        for site, pages in sites.items()
        if len(pages) >= _LEAST_PAGES
    )
    if place.is_here():
        found: Iterable[Any] = (learn_task(None, task.items) for task in tasks)
        yield from filter(None, found)
        return
    with open_workers(place.on, place.processes) as workers:
        for outcome in workers.run(tasks):
            yield from filter(None, outcome.results)


def learn_task(_: None, sites: Sequence[GroupedPages]) -> dict[str, Any] | None:
    """What was learnt about one site; None if it has no threads. Workers call this.

    The search for the structure chooses the pages, as it does for a crawl. It gets them from the archive, one
    at a time. Pages that are not there are passed over.
    """
    from threadmill.forum.site_model.explore import explore

    [pages] = sites
    numbers = {_key(pages.url(number)): number for number in range(len(pages))}
    start = min((pages.url(number) for number in numbers.values()), key=lambda url: (len(url), url))
    search = explore(start)
    wanted, asked = next(search), 0
    while True:
        number = numbers.get(_key(wanted))
        asked += number is not None
        try:
            wanted = search.send(
                _sample(pages, number) if number is not None and asked <= _MOST_ASKED else None
            )
        except StopIteration as end:
            model: ForumModel = end.value
            break
    if not model.threads.patterns:
        return None
    return {
        "site": pages.site,
        "entry": model.entry,
        "learnt_from": min(asked, _MOST_ASKED),
        "model": model.to_json(),
    }


def _key(url: str) -> str:
    """Links of a page and URLs of the archive may differ in session IDs, and in http and https."""
    from threadmill.forum.link_urls import strip_session

    return strip_session(url).partition("://")[2]


def _sample(pages: GroupedPages, number: int) -> Any:
    from threadmill.forum.site_model.learn import SamplePage
    from threadmill.page.parse.tree import parse

    page = pages.page(number)
    return SamplePage(page.url, parse(page.payload, page.url, page.content_type), page.at)


def read_models(file: Path) -> dict[str, dict[str, Any]]:
    """The models of a file of `forum learn`, by site."""
    found = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            record = json.loads(line)
            found[str(record["site"])] = dict(record["model"])
        except (ValueError, KeyError, TypeError):
            raise UsageError(
                f"line {number} of {file} is no model; make the file with: threadmill forum learn"
            ) from None
    return found


class ForumModels:
    """The models of sites, each made ready when the first page of its site comes."""

    def __init__(self, records: dict[str, dict[str, Any]]) -> None:
        self._records = records
        self._ready: dict[str, ForumModel] = {}

    def of(self, url: str) -> ForumModel | None:
        """The model of the site of a page. None: it has none."""
        try:
            site = site_of(url)
        except URLError:
            return None
        if site not in self._records:
            return None
        if site not in self._ready:
            from threadmill.forum.site_model.model import ForumModel

            self._ready[site] = ForumModel.from_json(self._records[site])
        return self._ready[site]


def lines_of_archive(
    file: AnyFile, models: ForumModels, notes: list[str], seen: Counter[str]
) -> Iterator[bytes]:
    """The posts of all thread pages of an archive, each with its page. All pages are counted in `seen`."""
    from threadmill.archive import ReadTally, read_captures

    tally = ReadTally()
    kinds: Counter[str] = Counter()
    for capture in read_captures(file, tally):
        if capture.status != 200 or capture.content_type not in _PAGE_TYPES:
            continue
        try:
            kind, posts = _read(capture, models.of(capture.url))
        except Exception as error:  # a hostile page or a bug: the run continues
            kinds[f"failed with {type(error).__name__}"] += 1
            continue
        kinds[kind] += 1
        for post in posts:
            record = {**post_record(post), "page": capture.url, "fetched": capture.at.isoformat()}
            yield (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8", "replace")
    seen.update(kinds)
    said = ", ".join(f"{count:,} × {kind}" for kind, count in kinds.most_common())
    notes.append(f"{file}: pages: {said or 'none'}; {tally.damaged} records damaged")


def _read(capture: Capture, model: ForumModel | None) -> tuple[str, Sequence[Post]]:
    """The kind of a page and its posts. Where the model knows the URL as a thread, it reads the page."""
    from threadmill.api.forum_page import read_forum_page
    from threadmill.forum.read_page import read_thread
    from threadmill.page.parse.tree import parse

    kind = capture.header("content-type") or ""
    if model is not None and model.kind_of_url(capture.url).startswith("thread"):
        tree = parse(capture.payload, capture.url, kind)
        return "thread", read_thread(tree, capture.at, model.wrapper).posts
    page = read_forum_page(capture.payload, capture.url, now=capture.at, content_type=kind)
    return page.kind, page.posts


def post_record(post: Post) -> dict[str, Any]:
    """A post as JSON has it."""
    return {
        "author": post.author,
        "author_url": post.author_url,
        "date": post.date.isoformat() if post.date else None,
        "text": post.text,
        "html": post.html,
        "quotes": [asdict(quote) for quote in post.quotes],
        "url": post.url,
        "post_id": post.post_id,
        "position": post.position,
        "parent": post.parent,
        "signature": post.signature,
        "edit_note": post.edit_note,
        "links": [{"url": link.url, "text": link.text, "kind": link.kind} for link in post.links],
    }
