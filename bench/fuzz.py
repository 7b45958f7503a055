"""Fuzzed inputs over every reader of foreign data: nothing may raise but what the reader announces.

python -m bench.fuzz [--count 1000000] [--minutes 30] [--only NAME] [--first N]
python -m bench.fuzz --again FILE …

Every input has a number and comes again with it. The bench runs in pieces: it goes on from its record until
the count is reached. An input that raised is kept in tests/fuzz_found, where a test tries it from then on.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.figures import RESULTS, Figure, at_least, at_most, write_figures
from bench.fuzz_inputs import make_input
from bench.fuzz_targets import TARGETS, FuzzTarget

RECORD = RESULTS / "fuzz.jsonl"
FOUND = Path(__file__).parent.parent / "tests" / "fuzz_found"
_SLOW = 2.0  # seconds of CPU for an input of at most 60 kB
_HANGS = 60  # seconds of CPU after which an input is given up
_PIECE = 5_000  # inputs to a line of the record
_SCHEDULE = [target for target in TARGETS for _ in range(target.share)]


class _HangsError(Exception):
    """A reader does not come to an end."""


@dataclass(slots=True)
class FuzzPiece:
    """What came of a run of inputs."""

    first: int = 0
    count: int = 0
    seconds: float = 0.0
    by_target: Counter[str] = field(default_factory=Counter)
    raised: list[str] = field(default_factory=list)  # number, target, error
    slow: list[str] = field(default_factory=list)


def main() -> None:
    """Run a piece, print what raised, and write the figures of all pieces."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1_000_000, help="inputs of all pieces together")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no new input after this time")
    parser.add_argument("--only", default="", help="only the readers of this name; nothing is recorded")
    parser.add_argument("--first", type=int, default=-1, help="begin with this number; nothing is recorded")
    parser.add_argument("--again", nargs="+", type=Path, default=[], help="try kept inputs")
    wanted = parser.parse_args()
    if wanted.again:
        sys.exit(_try_again(wanted.again))
    until = time.monotonic() + 60 * wanted.minutes
    if wanted.only or wanted.first >= 0:
        piece = run_piece(max(0, wanted.first), wanted.count, until, wanted.only)
        _print(piece)
        sys.exit(1 if piece.raised else 0)
    pieces = _read_record()
    first = max((one.first + one.count for one in pieces), default=0)
    while first < wanted.count and time.monotonic() < until:
        piece = run_piece(first, min(_PIECE, wanted.count - first), until)
        _append(piece)
        pieces.append(piece)
        first += piece.count
        _print(piece)
    sys.exit(0 if _write(pieces) else 1)


def run_piece(first: int, count: int, until: float, only: str = "") -> FuzzPiece:
    """Try some inputs one after the other."""
    piece = FuzzPiece(first)
    start = time.process_time()
    targets = [target for target in _SCHEDULE if only in target.name]
    for number in range(first, first + count):
        if time.monotonic() >= until:
            break
        # Readers follow each other in a fixed order that mixes them, because 617 is a prime.
        target = targets[number * 617 % len(targets)]
        _try(target, number, piece)
        piece.count += 1
    piece.seconds = round(time.process_time() - start, 1)
    return piece


def _try(target: FuzzTarget, number: int, piece: FuzzPiece) -> None:
    data = make_input(target.kind, random.Random(f"{target.name} {number}"))
    piece.by_target[target.name] += 1
    begin = time.process_time()
    problem = try_input(target, data)
    taken = time.process_time() - begin
    if problem:
        piece.raised.append(f"{number} {target.name}: {problem}")
        keep(target, number, data)
    if taken > _SLOW:  # the first use of a reader loads its tables, so the second counts
        begin = time.process_time()
        try_input(target, data)
        taken = time.process_time() - begin
    if taken > _SLOW:
        piece.slow.append(f"{number} {target.name}: {taken:.1f} s for {len(data)} bytes")
        keep(target, number, data)


def try_input(target: FuzzTarget, data: bytes) -> str:
    """Read one input. Return what was raised and where; empty: nothing that a caller need not expect."""
    try:
        with _alarm():
            target.read(data)
    except target.may_raise:
        return ""
    except Exception as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "threadmill" in f.filename]
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
        return f"{type(error).__name__}: {str(error)[:120]} ({place})"
    return ""


@contextmanager
def _alarm() -> Iterator[None]:
    """Give up a reader that hangs."""

    def ring(_signal: int, _frame: object) -> None:
        raise _HangsError(f"no end after {_HANGS} s")

    signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, _HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def keep(target: FuzzTarget, number: int, data: bytes) -> None:
    """Keep an input for the tests."""
    FOUND.mkdir(parents=True, exist_ok=True)
    (FOUND / f"{file_stem(target)}-{number}.bin").write_bytes(data)


def file_stem(target: FuzzTarget) -> str:
    """The name of a target in names of files."""
    return "".join(sign if sign.isalnum() else "_" for sign in target.name)


def target_of(file: Path) -> FuzzTarget:
    """The target that a kept input belongs to."""
    return next(target for target in TARGETS if file.name.rpartition("-")[0] == file_stem(target))


def _try_again(files: list[Path]) -> int:
    problems = [(file, try_input(target_of(file), file.read_bytes())) for file in files]
    for file, problem in problems:
        print(file.name, problem or "held")
    return 1 if any(problem for _, problem in problems) else 0


def _read_record() -> list[FuzzPiece]:
    lines = RECORD.read_text(encoding="utf-8").splitlines() if RECORD.exists() else []
    return [FuzzPiece(**{**(v := json.loads(line)), "by_target": Counter(v["by_target"])}) for line in lines]


def _append(piece: FuzzPiece) -> None:
    values = {name: getattr(piece, name) for name in piece.__slots__}
    with RECORD.open("a", encoding="utf-8") as out:
        out.write(json.dumps(values, ensure_ascii=False) + "\n")


def _is_mended(line: str) -> bool:
    """Does a kept input hold now? `line` is the one of the record that names it."""
    number, _, rest = line.partition(" ")
    target = next((one for one in TARGETS if rest.startswith(f"{one.name}: ")), None)
    file = FOUND / f"{file_stem(target)}-{number}.bin" if target else None
    if target is None or file is None or not file.exists():
        return False
    begin = time.process_time()
    return not try_input(target, file.read_bytes()) and time.process_time() - begin < _SLOW


def _print(piece: FuzzPiece) -> None:
    print(
        f"inputs {piece.first:,} to {piece.first + piece.count:,}: {len(piece.raised)} raised, "
        f"{len(piece.slow)} slow, {piece.seconds:.0f} s"
    )
    for line in [*piece.raised[:40], *piece.slow[:10]]:
        print(f"  {line}")
    sys.stdout.flush()


def _write(pieces: list[FuzzPiece]) -> bool:
    count = sum(piece.count for piece in pieces)
    raised = {line for piece in pieces for line in piece.raised}
    slow = {line for piece in pieces for line in piece.slow}
    left = {line for line in raised | slow if not _is_mended(line)}
    figures = [
        Figure("crawl", "fuzzed inputs of all readers", count, at_least(1_000_000)),
        Figure("crawl", "fuzzed inputs that raised and still do", len(left & raised), at_most(0)),
        Figure("crawl", f"fuzzed inputs over {_SLOW:.0f} s, still", len(left & slow), at_most(0)),
        Figure("crawl", "fuzzed inputs that raised or were slow at first", len(raised | slow)),
    ]
    write_figures("fuzz", figures)
    return all(figure.is_reached is not False for figure in figures)


if __name__ == "__main__":
    main()
