"""Forgets an author, a thread or a forum: in the store, in the archive and in search indexes, and proves it.

What has to go is written to a plan first. Each step may be repeated, so after a crash the same call goes on
where it stopped. The plan is deleted at the end: it holds what is to be forgotten.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import Connection, select

from threadmill.archive import rewriting
from threadmill.archive.read_tally import ReadTally
from threadmill.archive.sent_files import fetch_file
from threadmill.archive.warc_reader import capture_of, read_records, warc_files
from threadmill.archive.warc_records import WarcRecord
from threadmill.archive.warc_writer import sha1_digest
from threadmill.crawl.compaction import replace_files
from threadmill.crawl.crash_recovery import repair_archive
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.lock import lock_workspace
from threadmill.errors import NothingFoundError, StoreError
from threadmill.page.parse.tree import choose_encoding
from threadmill.page.redaction import Redactor, Wanted, pieces_of
from threadmill.store import Store, open_store
from threadmill.store.crawl.captures import captured_urls
from threadmill.store.crawl.jobs import job
from threadmill.store.forum.export import PostFilter, forums_at, hint_at_spelling
from threadmill.store.forum.forums import forum
from threadmill.store.forum.removal import (
    count_chosen,
    count_mentions,
    count_quoting,
    find_rest,
    read_wanted,
    redact_rest,
    remove_forum,
    remove_posts,
    remove_threads,
)
from threadmill.store.forum.threads import thread
from threadmill.types import Capture
from threadmill.workspace import Workspace, refuse_lost_database

PLAN_FILE = "forgetting.json"
SEARCH_STATE = "threadmill-index.json"  # in the directory of a search index
_BLOCK = 1 << 24  # bytes of a file that are looked at together
_BOM = b"\xef\xbb\xbf"
Watch = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """Whom or what to forget. An author may be limited to one forum."""

    author: str | None = None
    thread: str | None = None
    forum: str | None = None

    @property
    def filter(self) -> PostFilter:
        """The posts that it chooses."""
        return PostFilter(author=self.author, thread=self.thread, forum=self.forum)

    def __str__(self) -> str:
        if self.author is not None:
            return f"the author {self.author}" + (f" of {self.forum}" if self.forum else "")
        return f"the thread {self.thread}" if self.thread is not None else f"the forum {self.forum}"


@dataclass(slots=True)
class ForgetReport:
    """What was found, what was done, and what is left."""

    posts: int = 0
    wordings: int = 0
    threads: int = 0
    quoting_posts: int = 0  # posts of others in which something was blanked
    records_dropped: int = 0  # of the archive
    records_changed: int = 0
    files: int = 0  # of the archive, written anew
    indexes: list[str] = field(default_factory=list)  # search indexes that were deleted
    mentions: int = 0  # posts of others that hold the name in their own words
    left: list[str] = field(default_factory=list)  # where the scan still found something


@dataclass(slots=True)
class _Plan:
    """What has to go, as it was when the work began."""

    request: ForgetRequest
    wanted: Wanted
    urls: list[str] = field(default_factory=list)  # archived pages that go as a whole
    hosts: list[str] = field(default_factory=list)  # of a forum: all that is archived of them
    forums: list[int] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)  # of payloads that were changed

    def save(self, root: Path) -> None:
        """Write it, complete or not at all. Nobody else may read it."""
        part = root / f"{PLAN_FILE}.new"
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump(asdict(self), stream)
            stream.flush()
            os.fsync(stream.fileno())
        part.rename(root / PLAN_FILE)

    @classmethod
    def load(cls, root: Path) -> _Plan | None:
        """The plan of a call that did not come to its end."""
        try:
            data = json.loads((root / PLAN_FILE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        wanted = Wanted(**{name: tuple(values) for name, values in data.pop("wanted").items()})
        return cls(ForgetRequest(**data.pop("request")), wanted, **data)


def count_forgotten(workspace: Workspace, request: ForgetRequest) -> ForgetReport:
    """What would be deleted. Nothing is changed. Raise NothingFoundError if there is nothing."""
    refuse_lost_database(workspace)
    with closing(open_store(workspace.store_url)) as store, store.reading() as connection:
        _check(connection, request)
        report = _counted(connection, request)
        if request.author is not None:
            report.mentions = count_mentions(connection, request.author)
        if request.author is not None or request.thread is not None:
            redactor = Redactor(read_wanted(connection, request.filter))
            report.quoting_posts = count_quoting(connection, request.filter, redactor)
        return report


def forget(
    workspace: Workspace,
    request: ForgetRequest,
    *,
    indexes: Sequence[Path] = (),
    watch: Watch = lambda _: None,
) -> ForgetReport:
    """Delete it everywhere, then look whether anything is left. A call that was cut off is finished first."""
    refuse_lost_database(workspace)
    with lock_workspace(workspace.root), closing(open_store(workspace.store_url)) as store:
        unfinished = _Plan.load(workspace.root)
        if unfinished is not None:
            report = _carry_out(workspace, store, unfinished, indexes, watch)
            if unfinished.request == request:
                return report
        with store.reading() as connection:
            _check(connection, request)
            plan = _make_plan(connection, request)
        plan.save(workspace.root)
        return _carry_out(workspace, store, plan, indexes, watch)


def _check(connection: Connection, request: ForgetRequest) -> None:
    if request.forum is not None and not connection.execute(forums_at(request.forum)).first():
        raise NothingFoundError(f"no crawl of {request.forum} is in this workspace; see: threadmill boards")
    if request.author is None and request.thread is None:
        return
    if not count_chosen(connection, request.filter)["posts"]:
        hint = hint_at_spelling(connection, request.author)
        raise NothingFoundError(f"expected posts of {request}, but there are none in this workspace{hint}")


def _make_plan(connection: Connection, request: ForgetRequest) -> _Plan:
    if request.author is None and request.thread is None:
        return _plan_for_forum(connection, request)
    plan = _Plan(request, read_wanted(connection, request.filter))
    if request.author is not None:
        plan.urls = list(plan.wanted.urls)
    if request.thread is not None:
        rows = connection.execute(
            select(thread.c.url, thread.c.key, thread.c.forum).where(*request.filter.conditions())
        )
        for row in rows.all():
            plan.threads.append(row.url)
            plan.urls += [row.url, *_pages_of_thread(connection, row.forum, row.key)]
    return plan


def _pages_of_thread(connection: Connection, forum_id: int, key: str) -> Iterator[str]:
    """The archived pages that belong to a thread, as the model of the forum reads their addresses."""
    row = connection.execute(select(forum.c.job, forum.c.model).where(forum.c.id == forum_id)).one()
    try:
        layout = ForumKnowledge.from_json(row.model).layout
    except StoreError:  # another version stored the model
        return
    for url in captured_urls(connection, row.job):
        if layout.link_kind(url) == "thread" and layout.thread_key(url) == key:
            yield url


def _plan_for_forum(connection: Connection, request: ForgetRequest) -> _Plan:
    plan = _Plan(request, Wanted())
    plan.forums = list(connection.execute(forums_at(str(request.forum))).scalars().all())
    mine = set(connection.execute(select(forum.c.job).where(forum.c.id.in_(plan.forums))).scalars())
    jobs = {row.id: row.url for row in connection.execute(select(job.c.id, job.c.url))}
    others = {urlsplit(url).netloc for number, url in jobs.items() if number not in mine}
    for number in mine:
        plan.urls += sorted({jobs[number], *captured_urls(connection, number)})
        if urlsplit(jobs[number]).netloc not in others:
            plan.hosts.append(urlsplit(jobs[number]).netloc)
    return plan


def _carry_out(
    workspace: Workspace, store: Store, plan: _Plan, indexes: Sequence[Path], watch: Watch
) -> ForgetReport:
    with store.reading() as connection:
        report = _counted(connection, plan.request)
    redactor = Redactor(plan.wanted)
    if workspace.archive.is_dir():
        repair_archive(store, workspace.archive)
        for result in _clean_archive(workspace, plan, redactor, watch):
            replace_files(store, workspace.archive, result, plan.digests)
            report.records_dropped += result.dropped
            report.records_changed += result.changed
            report.files += 1
    watch("cleaning the database …")
    with store.writing() as connection:
        if plan.forums:
            for number in plan.forums:
                remove_forum(connection, number)
        else:
            remove_posts(connection, plan.request.filter)
            remove_threads(connection, plan.threads)
            report.quoting_posts = redact_rest(connection, redactor)
    store.shrink()
    for directory in (*(file.parent for file in workspace.root.glob(f"*/{SEARCH_STATE}")), *indexes):
        if (directory / SEARCH_STATE).exists():
            shutil.rmtree(directory)
            report.indexes.append(str(directory))
    watch("looking whether anything is left …")
    gone = frozenset(plan.urls), frozenset(plan.hosts)
    report.left = list(scan(workspace, store, redactor, *gone, but=PLAN_FILE))
    if plan.request.author is not None:
        with store.reading() as connection:
            report.mentions = count_mentions(connection, plan.request.author)
    if not report.left:
        (workspace.root / PLAN_FILE).unlink()
    return report


def _counted(connection: Connection, request: ForgetRequest) -> ForgetReport:
    found = count_chosen(connection, request.filter)
    return ForgetReport(found["posts"], found["wordings"], found["threads"])


def _clean_archive(
    workspace: Workspace, plan: _Plan, redactor: Redactor, watch: Watch
) -> Iterator[rewriting.RewrittenFile]:
    """Write each archive file anew that holds something of it."""
    urls, hosts = frozenset(plan.urls), frozenset(plan.hosts)
    files = warc_files(workspace.archive)
    for number, file in enumerate(files, 1):
        watch(f"cleaning the archive: file {number:,} of {len(files):,} …")

        def change(_: str, record: WarcRecord) -> str | bytes:
            return _change(record, urls, hosts, redactor, plan.digests)

        if not file.exists():  # it was sent elsewhere
            if all(change("", record) == rewriting.KEEP for record in read_records(file, ReadTally())):
                continue
            fetch_file(file)
        result = rewriting.rewrite(workspace.archive, [file], change)
        if result.differs or result.damaged:
            plan.save(workspace.root)
            yield result
        else:
            rewriting.discard(workspace.archive, result)


def _change(
    record: WarcRecord,
    urls: frozenset[str],
    hosts: frozenset[str],
    redactor: Redactor,
    digests: dict[str, str],
) -> str | bytes:
    """What becomes of a record of the archive."""
    url = record.header(b"WARC-Target-URI").strip("<>")
    if url in urls or (hosts and urlsplit(url).netloc in hosts):
        return rewriting.DROP
    if record.kind == "revisit":
        fresh = digests.get(record.header(b"WARC-Payload-Digest"))
        if fresh is None:
            return rewriting.KEEP
        return rewriting.member(
            rewriting.with_headers(record.head, {b"WARC-Payload-Digest": fresh}), record.block
        )
    if record.kind not in {"response", "conversion", "resource"}:
        return rewriting.KEEP
    capture = capture_of(record, ReadTally())
    if capture is None:
        return rewriting.KEEP
    text = page_text(capture)
    if not redactor.finds(text):
        return rewriting.KEEP
    is_page = "html" in capture.content_type
    payload = _BOM + redactor.redact_html(text).encode("utf-8", "replace") if is_page else b""
    old = record.header(b"WARC-Payload-Digest")
    if old:
        digests[old] = sha1_digest(payload)
    return rewriting.with_payload(record, payload)


def scan(
    workspace: Workspace,
    store: Store,
    redactor: Redactor,
    urls: frozenset[str] = frozenset(),
    hosts: frozenset[str] = frozenset(),
    *,
    but: str = "",
) -> Iterator[str]:
    """Yield each place that still holds something. `but` is the name of the plan, which holds all of it."""
    with store.reading() as connection:
        yield from find_rest(connection, redactor)
    if workspace.archive.is_dir():
        yield from _scan_archive(workspace.archive, redactor, urls, hosts)
    needles = sorted(piece.encode() for piece in pieces_of(redactor.wanted.texts))
    for file in sorted(workspace.root.rglob("*")):
        looked_at = file.is_file() and file.name != but and workspace.archive not in file.parents
        if looked_at and _holds_any(file, needles):
            yield f"the file {file.relative_to(workspace.root)}; delete it if nothing else needs it"


def _scan_archive(
    directory: Path, redactor: Redactor, urls: frozenset[str], hosts: frozenset[str]
) -> Iterator[str]:
    for file in warc_files(directory):
        for record in read_records(file, ReadTally()):
            url = record.header(b"WARC-Target-URI").strip("<>")
            if url in urls or (hosts and urlsplit(url).netloc in hosts):
                yield f"the address of a record in {record.place}"
                continue
            capture = capture_of(record, ReadTally())
            if capture is not None and redactor.finds(page_text(capture)):
                yield f"the record {record.place}"


def _holds_any(file: Path, needles: list[bytes]) -> bool:
    """Does a file hold one of these texts, byte by byte? So deleted rows of a database are found, too."""
    if not needles:
        return False
    overlap = max(map(len, needles))
    tail = b""
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            window = tail + block
            if any(needle in window for needle in needles):
                return True
            tail = window[-overlap:]
    return False


def page_text(capture: Capture) -> str:
    """The payload of a capture as text."""
    body = capture.payload
    if body.startswith(b"\xef\xbb\xbf"):
        return body.decode("utf-8-sig", "replace")
    label, text = choose_encoding(body, capture.header("content-type") or "")
    if text is not None:
        return text
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace")
    return body.decode(f"whatwg-{label}" if label else "utf-8", "replace")
