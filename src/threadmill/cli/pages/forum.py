"""The verb `forum`: what a forum looks like from one address, and what saved pages of forums show."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.errors import FetchError, UsageError

if TYPE_CHECKING:
    from threadmill.forum.site_model.learn import SamplePage
    from threadmill.forum.site_model.model import ForumModel
    from threadmill.page.parse.tree import Tree
    from threadmill.types import Moment, Post

EXAMPLES = """\
  threadmill forum inspect https://forum.example.org/any/page
  threadmill forum inspect https://forum.example.org/ --json
  threadmill forum posts page.html --url https://forum.example.org/t/1
  threadmill forum page saved/*.html.gz"""

_GZIP = b"\x1f\x8b"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    tasks = parser.add_subparsers(dest="task", metavar="TASK", required=True)
    inspect = tasks.add_parser("inspect", help="learn a forum from one address and show what was learnt")
    inspect.add_argument("url", metavar="URL", help="any page of the forum")
    inspect.add_argument("--json", action="store_true", help="print JSON instead of tables")
    inspect.add_argument("--delay", type=float, default=1.0, help="seconds between requests (default: 1)")
    inspect.add_argument(
        "--max-pages", type=int, default=40, help="fetch no more pages than this (default: 40)"
    )
    for name, text in (
        ("posts", "print the posts of saved thread pages"),
        ("page", "print what saved pages are"),
    ):
        task = tasks.add_parser(name, help=f"{text} as JSON lines")
        task.add_argument("files", metavar="FILE", nargs="+", type=Path, help="HTML files, also gzipped")
        task.add_argument("--url", default="", help="the address the pages came from")
        task.add_argument(
            "--now", help="the moment they were fetched, ISO 8601 (default: each file's own time)"
        )


def run(arguments: argparse.Namespace) -> int:
    """Do one task; 1 when nothing was found."""
    if arguments.task == "inspect":
        return _inspect(arguments)
    work = _posts if arguments.task == "posts" else _page
    return max(work(path, arguments) for path in arguments.files)


def _posts(path: Path, arguments: argparse.Namespace) -> int:
    from threadmill.forum.page_analysis import PageAnalysis
    from threadmill.forum.page_class.classify import classify_page
    from threadmill.forum.read_page import extract_thread

    tree, now = _open(path, arguments)
    analysis = PageAnalysis(tree, now)
    page = extract_thread(analysis)
    for post in page.posts:
        print(json.dumps(_post(post), ensure_ascii=False))
    kind = classify_page(analysis)
    if kind.kind == "other":
        print(f"threadmill: {path} does not look like a page of posts: {kind.reason}", file=sys.stderr)
    return 0 if page.posts else 1


def _page(path: Path, arguments: argparse.Namespace) -> int:
    from threadmill.forum.page_analysis import PageAnalysis
    from threadmill.forum.page_class.classify import classify_page
    from threadmill.forum.read_page import extract_index, extract_thread

    tree, now = _open(path, arguments)
    analysis = PageAnalysis(tree, now)
    kind = classify_page(analysis)
    shown: dict[str, Any] = {"file": str(path), **asdict(kind), "title": analysis.outline.title}
    if kind.kind == "thread":
        thread = extract_thread(analysis)
        shown |= {"paging": _plain(asdict(thread.paging)), "order": thread.order, "posts": len(thread.posts)}
    elif kind.kind == "index":
        index = extract_index(analysis)
        shown |= {"paging": _plain(asdict(index.paging)), "order": index.order}
        shown |= {"boards": [_plain(asdict(row)) for row in index.boards]}
        shown |= {"rows": [_plain(asdict(row)) for row in index.rows]}
    print(json.dumps(shown, ensure_ascii=False))
    return 0


def _open(path: Path, arguments: argparse.Namespace) -> tuple[Tree, datetime]:
    from threadmill.page.parse.tree import parse

    page = path.read_bytes()
    if page.startswith(_GZIP):
        try:
            page = gzip.decompress(page)
        except (OSError, EOFError) as error:
            raise UsageError(
                f"{path} begins like a gzip file but is none: {error}; unpack or replace it"
            ) from error
    try:
        now = datetime.fromisoformat(arguments.now) if arguments.now else None
    except ValueError as error:
        raise UsageError(f"--now wants ISO 8601 such as 2020-06-01T12:00, not {arguments.now!r}") from error
    return parse(page, arguments.url), now or datetime.fromtimestamp(path.stat().st_mtime, UTC)


def _post(post: Post) -> dict[str, Any]:
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


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Moments as ISO 8601, everything else as it is."""
    return {
        name: _moment(value) if isinstance(value, dict) and "precision" in value else value
        for name, value in values.items()
    }


def _moment(value: dict[str, Any]) -> str:
    from threadmill.types import Moment

    moment: Moment = Moment(value["date"], value["time"], value["zone"], value["precision"])
    return moment.isoformat()


def _inspect(arguments: argparse.Namespace) -> int:
    import asyncio

    model, samples = asyncio.run(_explore(arguments))
    if arguments.json:
        posts = [_post(post) for post in _sample_posts(model, samples)]
        shown = {"model": model.to_json(), "fetched": [sample.url for sample in samples], "posts": posts}
        print(json.dumps(shown, ensure_ascii=False, indent=1))
    else:
        _show(model, samples)
    return 0 if model.threads.patterns else 1


async def _explore(arguments: argparse.Namespace) -> tuple[ForumModel, list[SamplePage]]:
    from threadmill.config import Settings, override
    from threadmill.crawl.fetch.client import Fetcher
    from threadmill.forum.site_model.explore import explore

    settings = override(Settings(), "crawl", delay=arguments.delay)
    samples: list[SamplePage] = []
    async with Fetcher(settings) as fetcher:
        search = explore(arguments.url)
        url = next(search)
        while True:
            sample = await _fetch(fetcher, url) if len(samples) < arguments.max_pages else None
            if sample:
                samples.append(sample)
            try:
                url = search.send(sample)
            except StopIteration as end:
                return end.value, samples


async def _fetch(fetcher: Any, url: str) -> SamplePage | None:
    from threadmill.crawl.fetch.client import Request
    from threadmill.forum.site_model.learn import SamplePage
    from threadmill.page.parse.tree import parse

    try:
        capture = (await fetcher.fetch(Request(url))).capture
    except FetchError as error:
        print(f"threadmill: {url}: {error}", file=sys.stderr)
        return None
    if capture.status != 200 or "html" not in (capture.content_type or "html"):
        return None
    tree = parse(capture.payload, capture.url, capture.header("content-type") or "")
    return SamplePage(url, tree, _site_time(capture.header("date"), capture.at))


def _site_time(header: str | None, ours: datetime) -> datetime:
    """The moment by the site's own clock, when its header says one."""
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(header) if header else ours
    except ValueError:
        return ours


def _sample_posts(model: ForumModel, samples: list[SamplePage]) -> Iterator[Post]:
    from threadmill.forum.read_page import read_thread

    for sample in samples:
        if model.kind_of_url(sample.url).startswith("thread"):
            yield from read_thread(sample.tree, sample.now, model.wrapper).posts[:3]
            return


def _show(model: ForumModel, samples: list[SamplePage]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    facts = Table(title=model.entry, show_header=False)
    for name, value in _facts(model, len(samples)):
        facts.add_row(name, value)
    console.print(facts)
    posts = Table("author", "date", "text", title="a sample of posts")
    for post in _sample_posts(model, samples):
        posts.add_row(post.author or "", _iso(post.date), post.text[:200])
    console.print(posts)


def _iso(moment: Moment | None) -> str:
    return moment.isoformat() if moment else ""


def _facts(model: ForumModel, fetched: int) -> list[tuple[str, str]]:
    def lines(values: Iterator[str]) -> str:
        return "\n".join(values) or "none found"

    return [
        ("pages fetched", str(fetched)),
        ("boards", lines(str(pattern) for pattern in model.boards.patterns)),
        ("pages of boards", _style(model, "boards")),
        ("threads", lines(str(pattern) for pattern in model.threads.patterns)),
        ("pages of threads", _style(model, "threads")),
        ("boards sorted by", model.index_order or "unknown"),
        ("posts in order", model.post_order or "unknown"),
        (
            "posts stand in",
            lines(shape.top for shape in model.wrapper.shapes) if model.wrapper else "none found",
        ),
        (
            "their words in",
            lines(kind for shape in model.wrapper.shapes for kind, _ in shape.bodies)
            if model.wrapper
            else "none found",
        ),
    ]


def _style(model: ForumModel, name: str) -> str:
    family = getattr(model, name)
    if family.style is None:
        return "one page each"
    where = (
        f"parameter {family.style.parameter}"
        if family.style.parameter
        else family.style.insert + family.style.tail
    )
    return f"{where}, from {family.style.start} by {family.style.step}, {family.per_page or '?'} a page"
