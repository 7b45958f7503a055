"""`threadmill simulate`: serve a simulated forum as of a date, list the forums, or export their truth."""

from __future__ import annotations

import argparse
import errno
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.cli.arguments import port, refuse_unused
from threadmill.cli.tables import TableColumns, print_table

if TYPE_CHECKING:
    from threadmill.lab.simulate.forum import SimulatedForum

EXAMPLES = """\
  threadmill simulate --list
  threadmill simulate --forum harbour --date 2015-12-01 --port 9200 --log requests.jsonl
  threadmill simulate --forum harbour --date 2016-06-01 --layout xenforo
  threadmill simulate --forum harbour --truth truth.jsonl
  threadmill simulate --random 7 --describe
  threadmill simulate --random 7 --preset phorum --choose classes=none --port 9200
  curl 'http://127.0.0.1:9200/__simulate__/advance?date=2016-01-01'"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--list", action="store_true", help="list the forums with a description")
    parser.add_argument("--json", action="store_true", help="with --list and --describe: print JSON lines")
    parser.add_argument("--forum", help="name of a forum, or all (each at NAME.localhost)")
    parser.add_argument("--random", type=int, metavar="SEED", help="a forum drawn at random by this seed")
    parser.add_argument(
        "--preset", default="", help="with --random: choices like those of an engine, such as phorum"
    )
    parser.add_argument(
        "--choose",
        nargs="*",
        default=[],
        metavar="NAME=VALUE",
        help="with --random: choices that are not drawn",
    )
    parser.add_argument(
        "--describe", action="store_true", help="with --random: print what was drawn, and end"
    )
    parser.add_argument("--date", default="2015-12-01", help="the simulated date (default: %(default)s)")
    parser.add_argument("--host", default="127.0.0.1", help="address to serve on (default: %(default)s)")
    parser.add_argument("--port", type=port, default=0, help="port to serve on (default: a free one)")
    parser.add_argument(
        "--scale", default="default", help="small, default, or the number of posts by 2017, up to 2000000"
    )
    parser.add_argument(
        "--layout", default="", help="another layout, as after a change of the forum software"
    )
    parser.add_argument("--log", type=Path, help="append one JSON line per request to this file")
    parser.add_argument(
        "--latency-ms", type=float, default=0.0, help="milliseconds to wait before each answer"
    )
    parser.add_argument("--truth", type=Path, help="write the true threads and posts to this file, and end")
    parser.add_argument(
        "--dates", nargs="*", metavar="DATE", help="dates of the truth (default: the 13 crawl dates)"
    )


def run(arguments: argparse.Namespace) -> int:
    """List, export or serve."""
    from threadmill.errors import UsageError
    from threadmill.lab.simulate.catalogue import CRAWL_DATES, FORUMS, open_forum

    if arguments.list:
        refuse_unused(arguments, add_arguments, ("list", "json"), "simulate --list")
        columns = ("name", "layout", "language", "about")
        listed = (
            dict(zip(columns, (name, t.layout, t.language, t.about), strict=True))
            for name, t in FORUMS.items()
        )
        return _print(listed, columns, arguments)
    if arguments.random is not None:
        if arguments.forum or arguments.layout:
            raise UsageError("--random draws a forum of its own; leave out --forum and --layout")
        return _run_random(arguments, CRAWL_DATES)
    for name in ("preset", "choose", "describe", "json"):
        if getattr(arguments, name):
            raise UsageError(f"--{name} needs --random SEED{' or --list' if name == 'json' else ''}")
    if not arguments.forum:
        raise UsageError("expected --forum NAME, --random SEED or --list; see: threadmill simulate --help")
    names = list(FORUMS) if arguments.forum == "all" else [arguments.forum]
    forums = {name: open_forum(name, arguments.scale, arguments.layout) for name in names}
    if arguments.truth:
        return _export(forums, arguments.dates or CRAWL_DATES, arguments.truth)
    return _serve(forums, arguments)


def _run_random(arguments: argparse.Namespace, dates: Sequence[str]) -> int:
    from threadmill.errors import UsageError
    from threadmill.lab.simulate.random_forum.choices import describe
    from threadmill.lab.simulate.random_forum.open_forum import open_random_forum, preset, random_choices

    fixed = dict(preset(arguments.preset)) if arguments.preset else {}
    for word in arguments.choose:
        name, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"expected --choose NAME=VALUE, got {word!r}")
        fixed[name] = value
    if arguments.describe:
        columns = ("name", "value", "meaning")
        drawn = describe(random_choices(arguments.random, **fixed))
        return _print((dict(zip(columns, one, strict=True)) for one in drawn), columns, arguments)
    scale = 0 if arguments.scale == "default" else arguments.scale
    forum = open_random_forum(arguments.random, scale, **fixed)
    forums = {forum.traits.name: forum}
    if arguments.truth:
        return _export(forums, arguments.dates or dates, arguments.truth)
    return _serve(forums, arguments)


def _print(rows: Iterable[dict[str, str]], names: Sequence[str], arguments: argparse.Namespace) -> int:
    if not arguments.json:
        print_table(rows, TableColumns(names))
        return 0
    for row in rows:
        print(json.dumps(row, ensure_ascii=False))
    return 0


def _export(forums: dict[str, SimulatedForum], dates: Sequence[str], path: Path) -> int:
    from threadmill.lab.judge.truth import export_truth

    with path.open("w", encoding="utf-8") as lines:
        count = sum(export_truth(forum, dates, lines) for forum in forums.values())
    print(f"wrote {count} lines to {path}")
    return 0


def _serve(forums: dict[str, SimulatedForum], arguments: argparse.Namespace) -> int:
    from threadmill.errors import ThreadmillError
    from threadmill.lab.simulate.forum import as_unix_time
    from threadmill.lab.simulate.server import Simulation, serve

    simulation = Simulation(
        forums, as_unix_time(arguments.date), latency=arguments.latency_ms / 1000, keep_requests=False
    )
    try:
        serve(simulation, arguments.host, arguments.port, arguments.log, lambda line: print(line, flush=True))
    except KeyboardInterrupt:  # the usual way to stop a server
        print("stopped", flush=True)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise ThreadmillError(
            f"port {arguments.port} is in use; stop the program that uses it, or choose another with --port"
        ) from error
    return 0
