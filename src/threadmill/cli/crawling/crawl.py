"""`threadmill crawl`: crawl a forum or a site into a workspace, and sum up what was fetched."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from threadmill.cli.arguments import add_access, add_workspace, read_access, seconds, whole_number
from threadmill.cli.tables import TableColumns, print_table
from threadmill.cli.terminal import counted, live_text
from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.crawl.forum.progress import ForumProgress
    from threadmill.crawl.site.site_loop import SiteProgress
    from threadmill.types import CrawlAccount

EXAMPLES = """\
  threadmill crawl https://forum.example.org/any/page
  threadmill crawl https://example.org/ --site
  threadmill crawl https://example.org/docs/ --site --scope prefix --max-depth 3
  threadmill crawl https://example.org/ --site --workspace work/example --delay 2 --max-pages 1000
  threadmill crawl https://forum.example.org/ --cookies cookies.txt
  threadmill crawl https://forum.example.org/ --browser
  threadmill crawl https://forum.example.org/ --board https://forum.example.org/cars/ --since 2025-01-01

exit codes:
  0    the forum was crawled, and no counter of it says that posts are missing
  1    nothing could be fetched, no post was found, or the host does not answer any more
  2    wrong use of the command; nothing was started
  3    the forum shows no counters, and few of its pages were understood: look at the posts
  4    the forum was crawled, but its own counters claim more posts than are kept (below 98 %)
  130  interrupted; the same command continues"""

_INTERRUPTED_CODE = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("url", metavar="URL", help="where to start, such as https://forum.example.org/")
    parser.add_argument("--site", action="store_true", help="crawl an ordinary site, breadth-first")
    parser.add_argument(
        "--scope",
        choices=["host", "site", "prefix"],
        help="with --site: stay on the host of URL, with or without www. (default); on all hosts of its "
        "registered domain; or below the directory of URL",
    )
    add_workspace(parser, "the directory of the database and the archive; made when it is new")
    parser.add_argument(
        "--delay", type=seconds, metavar="S", help="least seconds between two requests to a host"
    )
    parser.add_argument("--concurrency", type=whole_number(1), metavar="N", help="requests at the same time")
    parser.add_argument(
        "--max-pages",
        type=whole_number(0),
        metavar="N",
        help="stop after N pages of this run; with --site: of all runs together",
    )
    parser.add_argument(
        "--max-depth", type=whole_number(0), metavar="N", help="with --site: follow N links from URL"
    )
    parser.add_argument("--max-seconds", type=seconds, metavar="S", help="stop this run after S seconds")
    parser.add_argument(
        "--sitemaps", action="store_true", default=None, help="with --site: also start from its sitemaps"
    )
    chosen = parser.add_argument_group(
        "parts of a forum", "What is left out stays for a later crawl without these options."
    )
    chosen.add_argument(
        "--board", action="append", metavar="URL", help="this board and those below it only; may be repeated"
    )
    chosen.add_argument(
        "--include",
        action="append",
        metavar="PATTERN",
        help="only threads with such a URL or title, or in a board with one; * stands for any text",
    )
    chosen.add_argument(
        "--exclude", action="append", metavar="PATTERN", help="no threads and boards with such a URL or title"
    )
    chosen.add_argument(
        "--since", metavar="DATE", help="only threads whose last post is of this day or later"
    )
    chosen.add_argument(
        "--max-threads", type=whole_number(1), metavar="N", help="at most N threads in this run"
    )
    add_access(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress and no summary")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a summary")


def run(arguments: argparse.Namespace) -> int:
    """Crawl, and say by the exit code how it ended."""
    options: dict[str, Any] = {
        "delay": arguments.delay,
        "concurrency": arguments.concurrency,
        "max_pages": arguments.max_pages,
        "max_seconds": arguments.max_seconds,
        "access": read_access(arguments),
        "browser": arguments.browser,
    }
    if not arguments.site:
        given = {
            "--scope": arguments.scope,
            "--max-depth": arguments.max_depth,
            "--sitemaps": arguments.sitemaps,
        }
        for name, value in given.items():
            if value is not None:
                raise UsageError(f"{name} is for ordinary sites; add --site, or leave it out")
        options |= {
            "boards": arguments.board or (),
            "include": arguments.include or (),
            "exclude": arguments.exclude or (),
            "since": arguments.since,
            "max_threads": arguments.max_threads or 0,
        }
        return _crawl_forum(arguments, options)
    for name in ("board", "include", "exclude", "since", "max_threads"):
        if getattr(arguments, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} is for forums; leave it out, or leave out --site")
    options |= {
        "scope": arguments.scope or "host",
        "max_depth": arguments.max_depth,
        "sitemaps": arguments.sitemaps,
    }
    return _crawl_site(arguments, options)


def _crawl_forum(arguments: argparse.Namespace, options: dict[str, Any]) -> int:
    from threadmill.api.crawling import crawl_forum
    from threadmill.crawl.forum.progress import exit_code

    url = arguments.url
    with live_text(f"crawling {url} …", quiet=arguments.quiet) as show:
        watch = (lambda progress: show(_forum_status(progress, url))) if show else None
        progress = crawl_forum(url, arguments.workspace, **options, on_progress=watch)
    if arguments.json:
        print(json.dumps(_forum_as_dict(progress), ensure_ascii=False))
    elif not arguments.quiet:
        _sum_up_forum(progress, arguments)
    return exit_code(progress)


def _forum_as_dict(progress: ForumProgress) -> dict[str, Any]:
    """The end of a crawl as plain values, for --json."""
    names = (
        "ended", "pages", "index_pages", "thread_pages", "bytes", "new_threads", "new_posts", "edited",
        "vanished", "saved", "due_boards", "due_threads",
    )  # fmt: skip
    counts = {name: getattr(progress, name) for name in names}
    account = progress.account.as_dict() if progress.account else None
    return counts | {"troubles": dict(progress.troubles), "account": account}


def _forum_status(progress: ForumProgress, url: str) -> str:
    passed = max(0.001, time.monotonic() - progress.started)
    if progress.learning:
        return f"learning the structure of {url}\n{progress.pages:,} pages of about 20 to 40, {passed:.0f} s"
    return (
        f"crawling {url}\n"
        f"{progress.pages:,} pages ({progress.pages / passed:.1f}/s): {progress.index_pages:,} of boards, "
        f"{progress.thread_pages:,} of threads; {progress.new_posts:,} new posts\n"
        f"due: {progress.due_boards:,} boards, {progress.due_threads:,} threads; "
        f"{progress.boards:,} boards done; {sum(progress.troubles.values()):,} problems"
        + (f"\n{progress.saved:,} pages fewer than a full recrawl so far" if progress.known_pages > 1 else "")
    )


def _sum_up_forum(progress: ForumProgress, arguments: argparse.Namespace) -> None:
    from threadmill.crawl.forum.progress import CHOSEN_DONE, FOR_MEMBERS, HOST_FAILS, is_doubtful

    if progress.ended == HOST_FAILS:
        print("STOPPED: the host does not answer any more; the same command continues")
    if closed := progress.troubles[FOR_MEMBERS]:
        advice = "log in with --cookies FILE, --login FILE or --user NAME"
        print(f"CLOSED: {closed:,} of the pages that were tried are open to members only; {advice}")
    if is_doubtful(progress):
        print("DOUBTFUL: few of the pages that were read had posts; the forum may not have been understood")
    if progress.account is not None:
        _print_account(progress.account)
    counts = {
        "pages fetched": progress.pages,
        "  of boards": progress.index_pages,
        "  of threads": progress.thread_pages,
        "new threads": progress.new_threads,
        "new posts": progress.new_posts,
        "edited posts": progress.edited,
        "vanished posts": progress.vanished,
        "pages saved against a full recrawl": progress.saved,
        "boards still due": progress.due_boards,
        "threads still due": progress.due_threads,
    }
    shown = {what: count for what, count in counts.items() if count or not what.endswith("due")}
    problems = {f"problem: {reason}": count for reason, count in progress.troubles.most_common()}
    _print_counts(arguments, progress.ended, shown | problems)
    if progress.ended == CHOSEN_DONE and not progress.thread_pages:
        print("no thread was read: none fits what was chosen, or nothing is new in those that do")
    passed = max(0.001, time.monotonic() - progress.started)
    print(f"{counted(progress.pages, 'page')}, {progress.bytes / 1e6:.1f} MB in {passed:.1f} s")
    if progress.last_trouble:
        print(f"last problem: {progress.last_trouble}")


def _print_account(account: CrawlAccount) -> None:
    """The first line of a summary: what is kept beside what the forum claims."""
    lead = "INCOMPLETE: " if account.verdict == "incomplete" else ""
    print(f"{lead}{account.sentence}")
    for note in account.notes:
        print(f"  {note}")


def _crawl_site(arguments: argparse.Namespace, options: dict[str, Any]) -> int:
    from threadmill.api.crawling import crawl_site
    from threadmill.crawl.site.site_crawl import INTERRUPTED

    url = arguments.url
    with live_text(f"crawling {url} …", quiet=arguments.quiet) as show:
        watch = (lambda progress: show(_site_status(progress, url))) if show else None
        progress = crawl_site(url, arguments.workspace, **options, on_progress=watch)
    if arguments.json:
        print(json.dumps(_site_as_dict(progress), ensure_ascii=False))
    elif not arguments.quiet:
        _sum_up_site(progress, arguments)
    if progress.ended == INTERRUPTED:
        return _INTERRUPTED_CODE
    return 0 if progress.pages or progress.pages_before else 1


def _site_as_dict(progress: SiteProgress) -> dict[str, Any]:
    """The end of a crawl as plain values, for --json."""
    names = ("ended", "pages", "pages_before", "recovered", "queue", "waiting", "errors")
    counts = {name: getattr(progress, name) for name in names}
    counters = {name: dict(getattr(progress, name)) for name in ("visits", "flaws", "left_out")}
    return counts | counters | {"last_error": progress.last_error or None}


def _site_status(progress: SiteProgress, url: str) -> str:
    passed = max(0.001, time.monotonic() - progress.started)
    return (
        f"crawling {url}\n"
        f"{progress.pages:,} pages ({progress.pages / passed:.1f}/s), {progress.queue:,} in the queue, "
        f"{progress.under_way} under way, {progress.errors} errors, {progress.waiting} to try again, "
        f"{progress.resting} hosts waiting"
    )


def _sum_up_site(progress: SiteProgress, arguments: argparse.Namespace) -> None:
    from threadmill.crawl.forum.progress import PAGE_LIMIT

    _print_counts(arguments, progress.ended, dict(_site_counts(progress)))
    passed = max(0.001, time.monotonic() - progress.started)
    rest = progress.queue + progress.waiting
    # The limit is one of all runs: the same command would fetch nothing more.
    goes_on = "a larger --max-pages" if progress.ended == PAGE_LIMIT else "the same command"
    left = f"; {rest:,} URLs are left, and {goes_on} continues with them" if rest else ""
    print(f"{counted(progress.pages, 'page')} in {passed:.1f} s ({progress.pages / passed:.1f}/s){left}")
    if not progress.pages and not progress.pages_before:
        print(f"nothing could be fetched: {progress.last_error or 'see the counts above'}")


def _site_counts(progress: SiteProgress) -> Iterator[tuple[str, int]]:
    if progress.pages_before:
        yield "pages of earlier runs", progress.pages_before
    if progress.recovered:
        yield "recovered from the archive of a killed run", progress.recovered
    yield "pages fetched", progress.pages
    for kind, count in sorted(progress.visits.items()):
        if kind != "fetched":
            yield kind, count
    for flaw, count in sorted(progress.flaws.items()):
        yield f"pages with a flaw: {flaw}", count
    for reason, count in sorted(progress.left_out.items()):
        yield f"links left out: {reason}", count


def _print_counts(arguments: argparse.Namespace, ended: str, counts: dict[str, int]) -> None:
    print(f"{arguments.workspace.resolve()}: {ended}")
    rows = ({"what": what, "count": count} for what, count in counts.items())
    print_table(rows, TableColumns(("what", "count"), right=("count",)))
