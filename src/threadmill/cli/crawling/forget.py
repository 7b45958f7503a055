"""`threadmill forget`: delete an author, a thread or a forum, and prove that nothing is left."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.cli.arguments import add_workspace
from threadmill.cli.terminal import counted, live_text
from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.crawl.forget import ForgetReport, ForgetRequest

EXAMPLES = """\
  threadmill forget --author "Anna K" --workspace work
  threadmill forget --author "Anna K" --workspace work --yes
  threadmill forget --thread https://forum.example.org/thread/12 --yes
  threadmill forget --forum https://forum.example.org/ --yes

Without --yes it only counts. Search indexes of the workspace are deleted; make them again afterwards.
A later crawl stores what the site still shows.

exit codes:
  0    nothing is left; without --yes: it was counted
  1    there is nothing to forget, or the scan still found something: lines that begin with "!" say where"""


_SAME_WORDS = "quote them or hold eight of their words in a row"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace to delete from")
    parser.add_argument("--author", metavar="NAME", help="all posts of an author; with --forum, of one forum")
    parser.add_argument("--thread", metavar="URL", help="a thread, by its address in: threadmill threads")
    parser.add_argument("--forum", metavar="URL", help="a whole forum, by the address given to crawl")
    parser.add_argument(
        "--index",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="delete this search index, too; those in the workspace are found; may be repeated",
    )
    parser.add_argument("--yes", action="store_true", help="delete it; without this, it is only counted")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Count or delete."""
    from threadmill.crawl.forget import ForgetRequest, count_forgotten, forget
    from threadmill.workspace import open_workspace

    given = (arguments.author, arguments.thread, arguments.forum)
    if not any(given):
        raise UsageError("name what to forget: --author NAME, --thread URL or --forum URL")
    if arguments.thread and (arguments.author or arguments.forum):
        raise UsageError("--thread stands alone; leave out --author and --forum")
    if any(value is not None and not value.strip() for value in given):
        raise UsageError("expected a name or an address, but got an empty text")
    request = ForgetRequest(*given)
    workspace = open_workspace(arguments.workspace)
    if not arguments.yes:
        report = count_forgotten(workspace, request)
        if arguments.json:
            print(json.dumps(asdict(report), ensure_ascii=False))
        else:
            posts, threads = counted(report.posts, "post"), counted(report.threads, "thread")
            print(f"{posts} of {request} in {threads} would be deleted")
            if report.quoting_posts:
                quoting = counted(report.quoting_posts, "post")
                print(f"{quoting} of others {_SAME_WORDS}; these would be blanked")
        print("nothing was deleted; add --yes to delete it for good", file=sys.stderr)
        return 0
    with live_text(f"forgetting {request} …", quiet=arguments.json) as show:
        report = forget(workspace, request, indexes=arguments.index, watch=show or (lambda _: None))
    if arguments.json:
        print(json.dumps(asdict(report), ensure_ascii=False))
    else:
        _print(report, request)
    return 1 if report.left else 0


def _print(report: ForgetReport, request: ForgetRequest) -> None:
    posts, wordings = counted(report.posts, "post"), counted(report.wordings, "earlier wording")
    print(f"{posts} of {request} and {wordings} were deleted")
    if report.quoting_posts:
        print(f"{counted(report.quoting_posts, 'post')} of others {_SAME_WORDS}; these were blanked")
    print(
        f"archive: {counted(report.records_dropped, 'record')} deleted, {report.records_changed:,} blanked, "
        f"{counted(report.files, 'file')} written anew"
    )
    for index in report.indexes:
        print(f"the search index {index} was deleted; make it again with: threadmill index")
    if report.mentions:
        mentions = counted(report.mentions, "post of others holds", "posts of others hold")
        print(f"{mentions} the name in their own words; they stay")
    for place in report.left:
        print(f"! left in {place}")
    if not report.left:
        print("a scan of the database, the archive and all files of the workspace found nothing")
