"""`threadmill archive`: list, show and verify the records of a WARC archive, compact it, or send it away."""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.cli.tables import TableColumns, print_table
from threadmill.cli.terminal import counted, live_text, printable, show_count
from threadmill.config import SETTINGS_FILE
from threadmill.errors import ArchiveError

if TYPE_CHECKING:
    from threadmill.archive import ReadTally
    from threadmill.types import Capture

EXAMPLES = """\
  threadmill archive list DIR                              every answer of a workspace or directory
  threadmill archive list crawl.warc.gz --status 200 --url '*viewtopic*'
  threadmill archive show DIR https://forum.example.org/   headers and body of the latest answer
  threadmill archive show crawl.warc.gz 24817              … of the record at an offset
  threadmill archive verify DIR                            digests and structure; fails when damaged
  threadmill archive compact DIR                           join small files, keep each answer once
  threadmill archive send DIR --to s3://bucket/forums      move complete files to an object store
  threadmill archive fetch DIR                             move them back
  xzcat old.warc.xz | threadmill archive verify -"""


_ANSWERS = TableColumns(("at", "status", "type", "bytes", "url", "source"), right=("status", "bytes"))
_RUNS = TableColumns(("begun", "ended", "answers", "url"), right=("answers",))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="list|show|runs|verify|compact|send|fetch"
    )
    listing = actions.add_parser(
        "list", help="one line per answer: time, status, type, length, URL, file and offset"
    )
    listing.add_argument("path", help="a WARC file, a directory, a workspace, or - for standard input")
    listing.add_argument("--url", metavar="PATTERN", help="only URLs of this form; * stands for any text")
    listing.add_argument("--status", type=int, metavar="N", help="only answers with this status")
    show = actions.add_parser("show", help="headers and body of one answer")
    show.add_argument("path", help="a WARC file, a directory, a workspace, or - for standard input")
    show.add_argument(
        "what", metavar="URL|OFFSET", help="a URL (its latest answer), an offset, or file:offset"
    )
    show.add_argument("--raw", action="store_true", help="only the body, as bytes")
    runs = actions.add_parser("runs", help="one line per crawl: begin, end, answers, URL")
    runs.add_argument("path", help="a directory of WARC files, or a workspace")
    verify = actions.add_parser(
        "verify", help="check every digest; the exit code is 1 when a record is damaged"
    )
    verify.add_argument("path", help="a WARC file, a directory, a workspace, or - for standard input")
    shrink = actions.add_parser(
        "compact", help="join small files, and keep answers that came twice once; a crash does no harm"
    )
    shrink.add_argument("path", help="a workspace")
    send = actions.add_parser(
        "send", help="move complete WARC files to an object store; all commands read them there"
    )
    send.add_argument("path", help="a workspace")
    send.add_argument("--to", metavar="URL", required=True, help="s3://BUCKET/FOLDER, gs://…, or a directory")
    send.add_argument(
        "--all", action="store_true", help="also small files, which the next crawl would continue"
    )
    fetch = actions.add_parser("fetch", help="move files back that were sent")
    fetch.add_argument("path", help="a workspace")
    for one in (listing, runs, verify, shrink, send, fetch):
        one.add_argument("--json", action="store_true", help="print JSON: one object, or one a line")


def run(arguments: argparse.Namespace) -> int:
    """List, show, list runs, or verify."""
    if arguments.action == "compact":
        return _compact(arguments)
    if arguments.action in {"send", "fetch"}:
        return _send_or_fetch(arguments)
    source = archive_of(arguments.path)
    if arguments.action == "list":
        return _list(source, arguments)
    if arguments.action == "show":
        capture = _find_indexed(arguments.path, arguments.what) or _find(source, arguments.what)
        return _show(capture, raw=arguments.raw)
    if arguments.action == "runs":
        return _list_runs(source, as_json=arguments.json)
    return _verify_all(source, arguments)


def archive_of(path: str) -> str:
    """The archive at a path: for a workspace, its archive directory."""
    root = Path(path)
    if path == "-":
        return path
    if (root / SETTINGS_FILE).exists():
        return str(root / "archive")
    if not root.exists():
        raise ArchiveError(
            f"expected a WARC file, a directory or a workspace at {path}, but nothing is there"
        )
    return path


def _captures(source: str, tally: ReadTally) -> Iterator[Capture]:
    from threadmill.archive.warc_reader import capture_of, read_records

    for record in read_records(source, tally):
        capture = capture_of(record, tally, keep_revisits=True)
        if capture is not None:
            tally.captures += 1
            yield capture


def _compact(arguments: argparse.Namespace) -> int:
    from threadmill.crawl.compaction import compact
    from threadmill.workspace import open_workspace

    workspace = open_workspace(arguments.path)
    with live_text("compacting …", quiet=arguments.json) as show:
        report = compact(workspace, show or (lambda _: None))
    if arguments.json:
        print(json.dumps(asdict(report)))
        return 0
    print(
        f"{counted(report.files_before, 'file')} of {report.bytes_before / 1e6:,.1f} MB became "
        f"{report.files_after:,} of {report.bytes_after / 1e6:,.1f} MB; "
        f"{counted(report.revisits, 'answer was', 'answers were')} held twice"
    )
    if report.damaged:
        left = counted(report.damaged, "file was left alone: it has", "files were left alone: they have")
        print(f"{left} damage; see: threadmill archive verify")
    return 0


def _send_or_fetch(arguments: argparse.Namespace) -> int:
    from threadmill.archive.remote_files import as_file
    from threadmill.archive.sent_files import fetch_files, send_files
    from threadmill.crawl.lock import lock_workspace
    from threadmill.workspace import open_workspace

    workspace = open_workspace(arguments.path)
    sends = arguments.action == "send"
    least = 0 if sends and arguments.all else workspace.settings.archive.join_file_bytes
    count = size = 0
    # Workers of a fleet may go on meanwhile. A crawl of one process, a compaction or a deletion may not.
    with lock_workspace(workspace.root, shared=True):
        moved = (
            send_files(workspace.archive, as_file(arguments.to), least)
            if sends
            else fetch_files(workspace.archive)
        )
        for _, octets in show_count(moved, "files moved", quiet=arguments.json):
            count, size = count + 1, size + octets
    if arguments.json:
        print(json.dumps({"files": count, "bytes": size}))
    else:
        what = "are now in " + arguments.to if sends else "are back"
        print(f"{counted(count, 'file')} of {size / 1e6:,.1f} MB {what}")
    return 0


def _list(source: str, arguments: argparse.Namespace) -> int:
    from threadmill.archive import ReadTally

    pattern, status = arguments.url, arguments.status
    tally = ReadTally()
    wanted = (
        _capture_as_dict(capture)
        for capture in _captures(source, tally)
        if (status is None or capture.status == status) and _is_like(capture.url, pattern)
    )
    shown = _print_lines(wanted, _ANSWERS, as_json=arguments.json)
    damaged = f", {tally.damaged} damaged (see: threadmill archive verify)" if tally.damaged else ""
    print(f"{shown} of {tally.captures} answers{damaged}", file=sys.stderr)
    return 0


def _capture_as_dict(capture: Capture) -> dict[str, object]:
    return {
        "at": capture.at.isoformat(timespec="seconds"),
        "status": capture.status,
        "type": capture.content_type,
        "bytes": len(capture.payload),
        "url": capture.url,
        "source": capture.source,
    }


def _list_runs(source: str, *, as_json: bool) -> int:
    from threadmill.archive.archive_index import ArchiveIndex

    unknown = None if as_json else "killed or unknown"
    end = None if as_json else 19  # people need no parts of a second
    runs = (
        {
            "begun": run.start.at[:end],
            "ended": run.end.at[:end] if run.end else unknown,
            "answers": len(run.exchanges),
            "url": run.start.url,
        }
        for run in ArchiveIndex(Path(source)).runs
    )
    _print_lines(runs, _RUNS, as_json=as_json)
    return 0


def _print_lines(rows: Iterable[Mapping[str, object]], columns: TableColumns, *, as_json: bool) -> int:
    """Print a table, or JSON lines. Return the number of rows."""
    if not as_json:
        return print_table(rows, columns)
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 -- the last one is the result
        print(json.dumps(row, ensure_ascii=False))
    return count


def _is_like(url: str, pattern: str | None) -> bool:
    return pattern is None or url == pattern or fnmatch.fnmatchcase(url, pattern)


def _find_indexed(path: str, what: str) -> Capture | None:
    """The latest answer to a URL by the database of a workspace, without a search through files."""
    if not (Path(path) / SETTINGS_FILE).exists():
        return None
    from threadmill.archive import read_at
    from threadmill.store import open_store_for_reading
    from threadmill.store.crawl.captures import latest_capture
    from threadmill.types import Location
    from threadmill.workspace import lost_database, open_workspace

    workspace = open_workspace(Path(path))
    if lost_database(workspace):
        return None
    store = open_store_for_reading(workspace.store_url)
    try:
        with store.reading() as connection:
            row = latest_capture(connection, what)
    finally:
        store.close()
    if row is None or not row.file:
        return None
    return read_at(workspace.archive, Location(row.file, row.offset, row.length, row.digest))


def _find(source: str, what: str) -> Capture:
    """Search all files for an answer by URL, offset, or file and offset."""
    from threadmill.archive import ReadTally

    found = None
    for capture in _captures(source, ReadTally()):
        if what in {capture.url, capture.source, capture.source.rpartition(":")[2]}:
            found = capture
            if capture.url != what:
                break
    if found is None:
        raise ArchiveError(f"there is no answer {what!r} in {source}; see: threadmill archive list {source}")
    return found


def _show(found: Capture, *, raw: bool) -> int:
    if raw:
        sys.stdout.buffer.write(found.payload)
        sys.stdout.buffer.flush()
        return 0
    print(
        f"{printable(found.url)}\n{found.at.isoformat()}  {printable(found.source)}\n\nstatus: {found.status}"
    )
    for name, value in found.headers:
        print(f"{printable(name)}: {printable(value)}")
    print()
    print(_body_text(found))
    return 0


def _body_text(capture: Capture) -> str:
    """The body as text, if it is text."""
    kind = capture.content_type
    textual = not kind or kind.startswith("text/") or kind.endswith(("xml", "json", "javascript"))
    if not textual or b"\0" in capture.payload[:1000]:
        size = len(capture.payload)
        return f"({size} bytes of {printable(kind) or 'no stated type'}; --raw writes them)"
    label = "utf-8"
    for part in (capture.header("content-type") or "").split(";")[1:]:
        name, _, value = part.partition("=")
        label = value.strip("\"' ") if name.strip().lower() == "charset" else label
    try:
        return printable(capture.payload.decode(label, "replace"))
    except (LookupError, UnicodeError):  # the charset is unknown, or its decoder cannot replace bad bytes
        return printable(capture.payload.decode("utf-8", "replace"))


def _verify_all(source: str, arguments: argparse.Namespace) -> int:
    from threadmill.archive.recovery import verify_archive

    verdict = verify_archive(source, watch=lambda records: show_count(records, "records verified"))
    gone = _gone_answers(arguments.path)
    if arguments.json:
        told = {
            "records": verdict.tally.records,
            "kinds": dict(verdict.kinds),
            "digests": verdict.digests,
            "damaged": verdict.damaged,
            "problems": [asdict(skip) for skip in verdict.tally.named],
            "gone": gone,
        }
        print(json.dumps(told, ensure_ascii=False))
    else:
        for skip in verdict.tally.named:
            print(f"{printable(skip.where)}: {printable(skip.reason)}")
        kinds = ", ".join(f"{count} {printable(kind)}" for kind, count in verdict.kinds.most_common())
        print(f"{verdict.tally.records} records ({kinds or 'none'}), {verdict.digests} digests agree")
        print(f"{verdict.damaged} damaged")
        for place in gone or ():
            print(place)
        if gone is not None:
            end = f"{len(gone)} answers are gone; the next crawl fetches them again"
            print(end if gone else "no answer is gone")
        elif (Path(arguments.path) / SETTINGS_FILE).exists():
            print(
                "the database is gone, so nothing tells whether answers are; "
                f"make it again: threadmill rebuild --workspace {arguments.path}"
            )
    return 1 if verdict.damaged or gone else 0


def _gone_answers(path: str) -> list[str] | None:
    """The answers that the database of a workspace names but the archive lacks. None: no database."""
    if not (Path(path) / SETTINGS_FILE).exists():
        return None
    from threadmill.crawl.crash_recovery import shortened_files
    from threadmill.store import open_store_for_reading
    from threadmill.store.crawl.captures import captures_behind, count_lost
    from threadmill.workspace import lost_database, open_workspace

    workspace = open_workspace(Path(path))
    if lost_database(workspace):
        return None
    store = open_store_for_reading(workspace.store_url)
    gone = []
    try:
        with store.reading() as connection:
            for name, size in shortened_files(connection, workspace.archive).items():
                for row in captures_behind(connection, name, size):
                    gone.append(f"{printable(name)}:{row.offset}: the answer of {printable(row.url)} is gone")
            gone += ["an answer that is known to be gone"] * count_lost(connection)
    finally:
        store.close()
    return gone
