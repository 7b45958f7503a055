"""What a crawl survives: hostile servers and arguments, kills, power cuts, and a long watch.

python -m bench.trust checks [--only WORDS]
python -m bench.trust kills [--count 1000] [--store sqlite|postgresql|both] [--minutes 30] [--anew]
python -m bench.trust power [--count 200] [--minutes 30] [--anew]
python -m bench.trust watch [--rounds 2000]
python -m bench.trust outage [--minutes 10] [--gone broker|database|both]

Each part prints a table of what was tried and what held. Kills and cuts run in pieces: every round is added
to a record beside the results, and the next call goes on from there until the count is reached.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from bench.figures import RESULTS, Figure, at_least, at_most, write_figures
from bench.trust_accidents import AccidentRecord, AccidentReport, Accidents, Worker
from bench.trust_checks import run_checks
from bench.trust_outage import GONE, run_outage
from bench.trust_watch import watch_long
from tests.servers.postgresql import HOW_TO, Database, programs


def main() -> None:
    """Run one part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=["checks", "kills", "power", "watch", "outage"])
    parser.add_argument("--only", default="", help="checks: only those with these words in their name")
    parser.add_argument("--count", type=int, default=0, help="kills or cuts; default: 1000 or 200")
    parser.add_argument("--store", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no new round after this time")
    parser.add_argument("--anew", action="store_true", help="forget the rounds of earlier calls")
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--gone", choices=GONE, default="both", help="outage: the servers that are away")
    wanted = parser.parse_args()
    if wanted.anew:
        _record_file(wanted.part).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="threadmill-trust-") as name:
        root = Path(name)
        until = time.monotonic() + 60 * wanted.minutes
        held = {
            "checks": lambda: _checks(root, wanted.only),
            "kills": lambda: _kills(root, wanted.count or 1000, wanted.store, until),
            "power": lambda: _power(root, wanted.count or 200, until),
            "watch": lambda: _watch(root, wanted.rounds),
            "outage": lambda: _outage(root, wanted.gone, wanted.minutes if wanted.minutes < 1e9 else 10.0),
        }[wanted.part]()
    sys.exit(0 if held else 1)


def _record_file(part: str) -> Path:
    return RESULTS / f"trust.{part}.jsonl"


def _checks(root: Path, only: str) -> bool:
    tried = held = 0
    for name, problem, seconds in run_checks(root, only):
        tried += 1
        held += not problem
        print(f"{name:50} {'held' if not problem else 'FELL: ' + problem}  ({seconds:.1f} s)", flush=True)
    print(f"\n{tried} tried, {held} held")
    if not only:
        share = Figure(
            "crawl", f"hostile servers, files and arguments held, of {tried}", held, at_least(tried)
        )
        write_figures("trust.checks", [share])
    return held == tried


def _kills(root: Path, count: int, store: str, until: float) -> bool:
    """Kill with each store half of the times; return whether all figures so far are reached."""
    record = AccidentRecord(_record_file("kills"))
    stores = ["sqlite", "postgresql"] if store == "both" else [store]
    for kind in stores:
        if kind == "postgresql" and programs() is None:
            print(HOW_TO)
            return False
        with ExitStack() as stack:
            worker = stack.enter_context(Worker())
            database = stack.enter_context(Database()) if kind == "postgresql" else None
            accidents = Accidents(root / kind, worker, database)
            stack.enter_context(accidents.serving())
            # Half of the time that is left: each call adds to both.
            end = until if kind == stores[-1] else (time.monotonic() + until) / 2
            while record.total(kind).accidents < count / len(stores) and time.monotonic() < end:
                record.add(accidents.kills(record.next_seed(kind)))
                _print_report(f"kills, {kind}", record.total(kind))
    return write_kills(record)


def write_kills(record: AccidentRecord) -> bool:
    """Write the figures of all rounds so far. True if all are reached."""
    report = record.total()
    twice = report.asked / max(1, report.accidents)
    figures = [
        Figure("crawl", "kills of crawls, exports and rebuilds", report.accidents, at_least(1000)),
        Figure("crawl", "rounds with other posts after kills", report.unequal, at_most(0)),
        Figure("crawl", "requests asked twice, a kill", round(twice, 3), at_most(1)),
        Figure("crawl", "torn records and markers left after kills", report.torn, at_most(0)),
        Figure("crawl", "actions that failed between kills", report.failed, at_most(0)),
    ]
    write_figures("trust.kills", figures)
    return all(figure.is_reached for figure in figures)


def _power(root: Path, count: int, until: float) -> bool:
    record = AccidentRecord(_record_file("power"))
    with Worker() as worker:
        accidents = Accidents(root, worker)
        with accidents.serving():
            while record.total().accidents < count and time.monotonic() < until:
                record.add(accidents.power_cuts(record.next_seed("sqlite")))
                _print_report("power cuts", record.total())
    report = record.total()
    figures = [
        Figure("crawl", "power cuts", report.accidents, at_least(200)),
        Figure("crawl", "other posts after power cuts", report.unequal, at_most(0)),
        Figure("crawl", "torn records and markers left after power cuts", report.torn, at_most(0)),
        Figure("crawl", "crawls that failed after power cuts", report.failed, at_most(0)),
    ]
    write_figures("trust.power", figures)
    return all(figure.is_reached for figure in figures)


def _print_report(name: str, report: AccidentReport) -> None:
    twice = report.asked / max(1, report.accidents)
    print(
        f"{name}: {report.accidents} ({dict(report.by_action)}) in {report.rounds} rounds; other posts "
        f"{report.unequal}, asked twice {twice:.2f}, torn {report.torn}, failed {report.failed}"
    )
    for note in report.notes[-10:]:
        print(f"  {note}")
    sys.stdout.flush()


def _outage(root: Path, gone: str, minutes: float) -> bool:
    report = run_outage(root, gone, minutes)
    print(f"{gone} away for {minutes} minutes; meanwhile the service said: {sorted(report.said)}")
    for problem in report.problems:
        print(f"  {problem}")
    what = f"problems after an outage of {minutes:.0f} minutes: {gone}"
    write_figures(f"trust.outage.{gone}", [Figure("service", what, len(report.problems), at_most(0))])
    return not report.problems


def _watch(root: Path, rounds: int) -> bool:
    report = watch_long(root, rounds)
    print(report)
    growth = report.memory_late / report.memory_early
    figures = [
        Figure(
            "crawl", f"memory at the end of {report.rounds} rounds ÷ after a tenth", growth, at_most(1.25)
        ),
        Figure("crawl", "open files more at the end", report.files_late - report.files_early, at_most(3)),
        Figure("crawl", "WARC files of a long watch", report.warc_files, at_most(3)),
        Figure("crawl", "rounds that failed", report.failures, at_most(0)),
    ]
    write_figures("trust.watch", figures)
    return all(figure.is_reached for figure in figures)


if __name__ == "__main__":
    main()
