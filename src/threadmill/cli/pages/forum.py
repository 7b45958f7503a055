"""`threadmill forum`: learn the structure of a forum from one URL, or read saved pages of forums."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from threadmill.cli.arguments import (
    add_access,
    add_workers,
    add_workspace,
    read_now,
    seconds,
    whole_number,
)
from threadmill.cli.pages.forum_archives import (
    ForumModels,
    learn_forums,
    lines_of_archive,
    post_record,
    read_models,
)
from threadmill.cli.terminal import complete_file, counted, show_count, show_parts
from threadmill.errors import NothingFoundError, ThreadmillError, UsageError
from threadmill.workspace import open_workspace, refuse_lost_database

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from threadmill.api.forum_page import ForumPage
    from threadmill.archive.remote_files import AnyFile
    from threadmill.types import Moment

EXAMPLES = """\
  threadmill forum inspect https://forum.example.org/any/page
  threadmill forum inspect https://forum.example.org/ --json
  threadmill forum posts page.html --url https://forum.example.org/t/1
  threadmill forum posts s3://crawls/forums/ -o posts.jsonl --on ray
  threadmill forum learn crawls/ -o models.jsonl               one model for each site of an archive
  threadmill forum posts crawls/ --models models.jsonl -o posts.jsonl
  threadmill forum page saved/*.html.gz
  threadmill forum model --workspace work -o model.toml
  threadmill forum correct model.toml --workspace work        checks it on archived pages
  threadmill forum correct model.toml --workspace work --yes  checks it, and keeps it"""
_GZIP = b"\x1f\x8b"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    tasks = parser.add_subparsers(dest="task", metavar="TASK", required=True)
    inspect = tasks.add_parser("inspect", help="learn the structure of a forum from one URL, and show it")
    inspect.add_argument("url", metavar="URL", help="any page of the forum")
    inspect.add_argument("--json", action="store_true", help="print JSON instead of tables")
    inspect.add_argument(
        "--delay", type=seconds, default=1.0, metavar="S", help="least seconds between two requests (1)"
    )
    inspect.add_argument(
        "--max-pages", type=whole_number(0), default=40, metavar="N", help="fetch at most N pages (40)"
    )
    add_access(inspect)
    for name, text in (
        ("posts", "print the posts of saved thread pages"),
        ("page", "print the kind and the rows of saved pages"),
    ):
        task = tasks.add_parser(name, help=f"{text} as JSON lines")
        what = "HTML files, also gzipped"
        if name == "posts":
            what += "; WARC files, directories and URLs of them, of which thread pages are read"
            task.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
            task.add_argument(
                "--models", type=Path, metavar="FILE", help="read threads of archives with what `learn` wrote"
            )
            add_workers(task, 1)
        task.add_argument("files", metavar="FILE", nargs="+", help=what)
        task.add_argument("--url", default="", metavar="URL", help="the URL of the pages")
        task.add_argument(
            "--now", metavar="TIME", help="when they were fetched, ISO 8601 (default: the time of each file)"
        )

    learn = tasks.add_parser("learn", help="learn the forum of each site of an archive, as JSON lines")
    learn.add_argument("files", metavar="FILE", nargs="+", help="WARC files, directories and URLs of them")
    learn.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    add_workers(learn, 1)
    show = tasks.add_parser("model", help="write what was learnt about a crawled forum, as TOML to correct")
    show.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    correct = tasks.add_parser("correct", help="check corrections on archived pages, and keep them")
    correct.add_argument("file", metavar="FILE", type=Path, help="TOML, as `forum model` writes it")
    correct.add_argument("--yes", action="store_true", help="keep them; without this, they are only checked")
    correct.add_argument(
        "--force", action="store_true", help="keep them even if fewer posts or rows are read with them"
    )
    correct.add_argument("--json", action="store_true", help="print one JSON object")
    for task in (show, correct):
        add_workspace(task, "the workspace of the crawl")
        task.add_argument(
            "--forum", metavar="URL", help="the forum crawled from this URL, if there are several"
        )


def run(arguments: argparse.Namespace) -> int:
    """Run one task. The exit code is 1 when nothing was found."""
    if arguments.task in {"model", "correct"}:
        return _model(arguments) if arguments.task == "model" else _correct(arguments)
    if arguments.task == "inspect":
        from threadmill.cli.pages.forum_inspect import inspect_forum

        return inspect_forum(arguments)
    if arguments.task in {"posts", "learn"}:
        return _posts(arguments) if arguments.task == "posts" else _learn(arguments)
    return max(_page(Path(path), arguments) for path in arguments.files)


def _model(arguments: argparse.Namespace) -> int:
    from threadmill.crawl.corrections import write_corrections
    from threadmill.crawl.forum.knowledge import ForumKnowledge
    from threadmill.store import open_store_for_reading
    from threadmill.store.forum.browsing import forum_job_url, load_forum
    from threadmill.store.forum.corrections import corrections_of

    workspace = open_workspace(arguments.workspace)
    refuse_lost_database(workspace)
    store = open_store_for_reading(workspace.store_url)
    with closing(store), store.reading() as connection:
        number = _forum_number(connection, arguments.forum)
        found = load_forum(connection, number)
        rows = corrections_of(connection, forum_job_url(connection, number) or "")
    entry, stored = (found[1], found[2]) if found is not None else ("", {})
    model = ForumKnowledge.from_json(stored).layout.model if stored else None
    text = write_corrections(entry, model, rows)
    if arguments.output is None:
        print(text, end="")
    else:
        with complete_file(arguments.output) as part:
            part.write_text(text, encoding="utf-8")
        told = f"{arguments.output} is written; add corrections to it, then: threadmill forum correct"
        print(f"{told} {arguments.output} --workspace {arguments.workspace}", file=sys.stderr)
    return 0


def _forum_number(connection: Connection, url: str | None) -> int:
    """The forum of a workspace: the only one, or that of a URL."""
    from sqlalchemy import select

    from threadmill.store.forum.export import forums_at
    from threadmill.store.forum.forums import forum

    wanted = forums_at(url) if url is not None else select(forum.c.id)
    found = list(connection.execute(wanted).scalars().all())
    if len(found) == 1:
        return int(found[0])
    if found:
        raise UsageError(f"there are {len(found)} forums in this workspace; name one with --forum URL")
    raise NothingFoundError("there is no such forum in this workspace; crawl it first")


def _correct(arguments: argparse.Namespace) -> int:
    from threadmill.crawl.corrections import (
        COUNT_WORDS,
        check_corrections,
        compare_corrections,
        join_pairs,
        keep_corrections,
        read_corrections,
        why_worse,
    )
    from threadmill.store import open_store

    text = arguments.file.read_text(encoding="utf-8", errors="replace")
    given = read_corrections(text, str(arguments.file))
    workspace = open_workspace(arguments.workspace)
    refuse_lost_database(workspace)
    with closing(open_store(workspace.store_url)) as store:
        with store.reading() as connection:
            number = _forum_number(connection, arguments.forum)
            dropped, fresh = compare_corrections(connection, number, given)
            if not given and not dropped:
                raise UsageError(f"{arguments.file} has no correction; write one like the example in it")
            test = check_corrections(workspace, connection, number, join_pairs(given))
        worse = why_worse(test, fresh)
        kept = arguments.yes and (not worse or arguments.force)
        if kept:
            with store.writing() as connection:
                keep_corrections(connection, number, given, test, datetime.now(UTC))
    if arguments.json:
        examples = [asdict(example) for example in test.examples]
        verdict = {"worse": worse, "kept": kept, "dropped": [[row.kind, *row.said] for row in dropped]}
        print(json.dumps({**test.counts(), "examples": examples, **verdict}))
    else:
        for name, words in COUNT_WORDS.items():
            print(f"{words:22} {getattr(test.before, name):8,} → {getattr(test.after, name):8,}")
        print(f"{counted(test.changed, 'post is', 'posts are')} read differently")
        for example in test.examples:
            print(f"  {example.part}: {example.before!r} → {example.after!r}  {example.url}")
    for row in dropped:
        said = "is taken back" if kept else "would be taken back"
        print(f"{row.kind} = {', '.join(row.said)}: not in {arguments.file}, so it {said}", file=sys.stderr)
    if worse and not kept:
        raise ThreadmillError(f"the corrections are not kept: {worse}; add --force if that is right")
    if not kept:
        print("the corrections were checked, but not kept; add --yes to keep them", file=sys.stderr)
        return 0
    print("kept; the next crawl reads the forum with them", file=sys.stderr)
    return 0


def _learn(arguments: argparse.Namespace) -> int:
    """Write a model for each site of archives. The exit code is 1 when no site has a forum."""
    from threadmill.archive.remote_files import as_file
    from threadmill.parallel.workers import LOCAL, WorkPlace

    sources = [as_file(name) for name in arguments.files]
    for missing in (source for source in sources if not source.exists()):
        raise NothingFoundError(f"{missing} does not exist; name WARC files, directories or URLs of them")
    place = WorkPlace(arguments.on, arguments.processes)
    beside = arguments.output.resolve().parent if arguments.output and place.on != LOCAL else None
    with ExitStack() as stack:
        target = sys.stdout
        if arguments.output is not None:
            part = stack.enter_context(complete_file(arguments.output))
            target = stack.enter_context(part.open("w", encoding="utf-8"))
        count = 0
        for record in show_count(learn_forums(sources, place, beside), "sites with a forum"):
            target.write(json.dumps(record, ensure_ascii=False, sort_keys=True) + "\n")
            count += 1
    print(f"{counted(count, 'site')} with a forum", file=sys.stderr)
    return 0 if count else 1


def _posts(arguments: argparse.Namespace) -> int:
    """Print the posts of saved pages and archives. The exit code is 1 when an input has none."""
    models = read_models(arguments.models) if arguments.models else {}
    options = (arguments.url, read_now(arguments.now), models)
    here = arguments.output is None and arguments.on == "local" and arguments.processes == 1
    saved = [Path(name) for name in arguments.files]
    if here and all(path.is_file() for path in saved):
        return _say_posts(posts_of_files(options, saved, lambda line: sys.stdout.write(line.decode())))
    from threadmill.archive.remote_files import as_file
    from threadmill.corpus.build.corpus_inputs import expand_inputs
    from threadmill.parallel.parts import PartMaker, write_parts
    from threadmill.parallel.workers import WorkPlace

    files = expand_inputs([as_file(name) for name in arguments.files])
    if not files:
        raise NothingFoundError("found no WARC or HTML file in the given inputs; nothing to do")
    maker = PartMaker(
        posts_of_files, options, f"posts {json.dumps([str(options[:2]), models], sort_keys=True)}"
    )
    output = as_file(arguments.output) if arguments.output else None
    worst = 0
    parts = write_parts(maker, files, output, WorkPlace(arguments.on, arguments.processes))
    for outcome in show_parts(parts, files):
        worst = max(worst, len(outcome.failures), *(_say_posts(part.counts) for part in outcome.parts))
    return min(worst, 1)


def _say_posts(counts: dict[str, Any]) -> int:
    """Print what is to be said about the inputs. The exit code is 1 when one of them has no posts."""
    sys.stdout.flush()
    for text in counts["notes"]:
        print(f"threadmill: {text}", file=sys.stderr)
    return 1 if counts["empty"] else 0


def posts_of_files(
    options: tuple[str, datetime | None, dict[str, Any]],
    files: Sequence[AnyFile],
    write: Callable[[bytes], object],
) -> dict[str, Any]:
    """Write the posts of some files as JSON lines. Returns how many files have none, and why."""
    url, now, records = options
    models = ForumModels(records)
    notes: list[str] = []
    empty = 0
    kinds: Counter[str] = Counter()
    for file in files:
        posts = 0
        for line in (
            lines_of_archive(file, models, notes, kinds)
            if _is_archive(file)
            else _lines_of_page(file, url, now, notes)
        ):
            write(line)
            posts += 1
        empty += not posts
    return {"empty": empty, "notes": notes, "pages": kinds.total()}


def _is_archive(file: AnyFile) -> bool:
    from threadmill.archive.warc_reader import WARC_SUFFIXES

    return file.name.lower().endswith(WARC_SUFFIXES)


def _lines_of_page(file: AnyFile, url: str, now: datetime | None, notes: list[str]) -> Iterator[bytes]:
    """The posts of a saved page, which is read as a thread whatever it looks like."""
    page = _read_page(file, url, now, read_as="thread")
    for post in page.posts:
        yield (json.dumps(post_record(post), ensure_ascii=False) + "\n").encode("utf-8", "replace")
    if page.kind == "other":
        notes.append(f"{file} does not look like a page of posts: {page.reason}")


def _page(path: Path, arguments: argparse.Namespace) -> int:
    page = _read_page(path, arguments.url, read_now(arguments.now))
    shown: dict[str, Any] = {
        "file": str(path),
        "kind": page.kind,
        "confidence": page.confidence,
        "reason": page.reason,
        "detail": page.detail,
        "title": page.title,
    }
    if page.paging is not None:
        shown |= {"paging": _plain(asdict(page.paging)), "order": page.order}
    if page.kind == "thread":
        shown |= {"posts": len(page.posts)}
    elif page.kind == "index":
        shown |= {"boards": [_plain(asdict(row)) for row in page.boards]}
        shown |= {"rows": [_plain(asdict(row)) for row in page.threads]}
    print(json.dumps(shown, ensure_ascii=False))
    return 0


def _read_page(
    file: AnyFile, url: str, now: datetime | None, read_as: Literal["thread"] | None = None
) -> ForumPage:
    from threadmill.api.forum_page import read_forum_page

    html = _read_file(file)
    if not html.lstrip().startswith(b"<"):
        _refuse_binary(html, file)
    return read_forum_page(html, url, now=now or _date_of(file), read_as=read_as)


def _refuse_binary(content: bytes, file: AnyFile) -> None:
    from threadmill.page.obstacles import name_of_binary

    thing = name_of_binary(content)
    if thing:
        raise UsageError(f"expected a saved page, but {file} is {thing}")


def _date_of(file: AnyFile) -> datetime:
    """When a page was saved."""
    if isinstance(file, Path):
        return datetime.fromtimestamp(file.stat().st_mtime, UTC)
    return file.info()[2] or datetime.now(UTC)


def _read_file(file: AnyFile) -> bytes:
    """Read one saved page, gzipped or not, within the limits that hold for a fetched one."""
    from threadmill.archive.content_encoding import gunzip
    from threadmill.config import FetchSettings

    limit = FetchSettings().max_body_bytes
    with file.open("rb") as stream:
        content = stream.read(limit + 1)
    flaw = "too-large" if len(content) > limit else ""
    if content.startswith(_GZIP) and not flaw:
        content, flaw = gunzip(content, limit)
    if flaw == "too-large":
        raise UsageError(f"{file} has more than {limit:,} bytes, which no page has")
    if flaw:
        raise UsageError(f"{file} begins like a gzip file but cannot be unpacked; unpack or replace it")
    return content


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Moments as ISO 8601, other values unchanged."""
    return {
        name: _moment(value) if isinstance(value, dict) and "precision" in value else value
        for name, value in values.items()
    }


def _moment(value: dict[str, Any]) -> str:
    from threadmill.types import Moment

    moment: Moment = Moment(value["date"], value["time"], value["zone"], value["precision"])
    return moment.isoformat()
