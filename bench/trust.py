"""What a crawl survives: hostile servers and arguments, kills, power cuts, and a long watch.

python -m bench.trust checks [--only WORDS]
python -m bench.trust kills [--kills 1000] [--seed 1] [--store sqlite|postgresql|both]
python -m bench.trust power [--cuts 200] [--seed 1]
python -m bench.trust watch [--rounds 2000]

Each part prints a table of what was tried and what held. Kills and cuts can be run in pieces: each seed is
another piece.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from bench.figures import Figure, at_least, at_most, write_figures
from bench.trust_accidents import AccidentReport, Accidents, Worker
from bench.trust_checks import run_checks
from bench.trust_watch import watch_long
from tests.servers.postgresql import HOW_TO, Database, programs


def main() -> None:
    """Run one part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=["checks", "kills", "power", "watch"])
    parser.add_argument("--only", default="", help="checks: only those with these words in their name")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--rounds", type=int, default=2000)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="threadmill-trust-") as name:
        root = Path(name)
        held = {
            "checks": lambda: _checks(root, wanted.only),
            "kills": lambda: _kills(root, wanted.kills, wanted.seed, wanted.store),
            "power": lambda: _power(root, wanted.cuts, wanted.seed),
            "watch": lambda: _watch(root, wanted.rounds),
        }[wanted.part]()
    sys.exit(0 if held else 1)


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


def _kills(root: Path, kills: int, seed: int, store: str) -> bool:
    report = AccidentReport()
    stores = ["sqlite", "postgresql"] if store == "both" else [store]
    for kind in stores:
        if kind == "postgresql" and programs() is None:
            print(HOW_TO)
            return False
        with ExitStack() as stack:
            worker = stack.enter_context(Worker())
            database = stack.enter_context(Database()) if kind == "postgresql" else None
            accidents = Accidents(root / kind, worker, seed, database)
            part = accidents.kills(kills // len(stores))
        _print_report(f"kills, {kind}", part)
        report.add(part)
    twice = report.asked / max(1, report.accidents)
    figures = [
        Figure(
            "crawl", f"rounds with other posts after {report.accidents} kills", report.unequal, at_most(0)
        ),
        Figure("crawl", "requests asked twice, a kill", round(twice, 3), at_most(1)),
        Figure("crawl", "torn records and markers left after kills", report.torn, at_most(0)),
        Figure("crawl", "actions that failed between kills", report.failed, at_most(0)),
    ]
    write_figures("trust.kills", figures)
    return all(figure.is_reached for figure in figures)


def _power(root: Path, cuts: int, seed: int) -> bool:
    with Worker() as worker:
        report = Accidents(root, worker, seed).power_cuts(cuts)
    _print_report("power cuts", report)
    figures = [
        Figure("crawl", f"other posts after {report.accidents} power cuts", report.unequal, at_most(0)),
        Figure("crawl", "torn records and markers left after power cuts", report.torn, at_most(0)),
        Figure("crawl", "crawls that failed after power cuts", report.failed, at_most(0)),
    ]
    write_figures("trust.power", figures)
    return all(figure.is_reached for figure in figures)


def _print_report(name: str, report: AccidentReport) -> None:
    print(f"{name}: {report.accidents} ({dict(report.by_action)}) in {report.rounds} rounds")
    print(f"  rounds with other posts      {report.unequal}")
    print(f"  requests asked twice a kill  {report.asked / max(1, report.accidents):.2f}")
    print(f"  torn records, markers left   {report.torn}")
    print(f"  undisturbed actions failed   {report.failed}")
    for note in report.notes[:10]:
        print(f"  {note}")
    sys.stdout.flush()


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
