"""Interrupts `vert`, `dedup` and `index` at random moments, lets them continue, and compares the results.

    python -m bench.interruptions --minutes 5 --write
    python -m bench.interruptions --archive large.warc.gz --minutes 5 --write

Each trial starts a job and ends it by SIGKILL, SIGTERM or Ctrl-C at a random moment, up to eight times. The
signal goes to the job alone, or to its workers too. Then the job runs until it ends by itself. Its output
must be equal, byte by byte, to that of a job that nobody interrupted. Trials add up in
bench/results/interruptions.jsonl, so the bench can run in pieces. With --archive, only `vert` is tried, on
that file.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.figures import RESULTS, Figure, at_least, at_most, write_figures
from bench.generated import make_page
from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.types import Exchange

TRIALS = RESULTS / "interruptions.jsonl"
BAR = 200
SIGNALS = (
    signal.SIGKILL,
    signal.SIGKILL,
    signal.SIGTERM,
    signal.SIGINT,
)  # a kill is the hardest, so it comes most
ARCHIVES = 7
PAGES = (0, 3, 40, 1, 25, 60, 12)  # of each archive: none, a few, more than a group
LARGE_PAGES = 900  # of one archive that the workers share by ranges of its bytes
LOOSE_PAGES = 20
LONGEST_END = 120.0  # seconds until an interrupted job must be gone
_AT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Job:
    """One command, and how its result is compared."""

    name: str
    words: tuple[str, ...]  # OUT stands for the output
    prints: bool = False  # whether the corpus goes to standard output


@dataclass(frozen=True, slots=True)
class Trial:
    """One job that was interrupted and continued."""

    job: str
    interruptions: int
    equal: bool
    note: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run trials for some minutes and tell what they gave."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5, help="how long to go on (5)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments; 0: a new one each time")
    parser.add_argument("--archive", type=Path, metavar="FILE", help="try vert on this large WARC file alone")
    parser.add_argument("--write", action="store_true", help="keep the trials and write the figures")
    options = parser.parse_args(arguments)
    chance = random.Random(options.seed or None)
    trials: list[Trial] = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        if options.archive:
            chosen = jobs_of_archive(options.archive.resolve())
        else:
            make_inputs(root / "in")
            chosen = all_jobs(root)
        jobs = [(job, *finish(job, root)) for job in chosen]
        until = time.monotonic() + 60 * options.minutes
        while time.monotonic() < until:
            job, expected, seconds = chance.choice(jobs)
            trial = try_once(job, expected, seconds, root, chance)
            trials.append(trial)
            outcome = "equal" if trial.equal else f"DIFFERENT {trial.note}"
            print(f"{job.name}: {trial.interruptions} × interrupted, {outcome}")
    if options.write:
        with TRIALS.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(trial)) + "\n" for trial in trials)
        trials = [Trial(**json.loads(line)) for line in TRIALS.read_text(encoding="utf-8").splitlines()]
        write_figures("interruptions", figures(trials))
    wrong = [trial for trial in trials if not trial.equal]
    count = sum(trial.interruptions for trial in trials)
    print(f"{count} interruptions in {len(trials)} trials, {len(wrong)} with other bytes")
    return 1 if wrong else 0


def figures(trials: Sequence[Trial]) -> list[Figure]:
    """What all trials gave."""
    count = sum(trial.interruptions for trial in trials)
    wrong = sum(not trial.equal for trial in trials)
    return [
        Figure("corpus", "interruptions of vert, dedup and index", count, at_least(BAR)),
        Figure("corpus", "results with other bytes after interruptions", wrong, at_most(0)),
    ]


def make_inputs(folder: Path) -> None:
    """Archives of several sizes, single pages, and two files to deduplicate."""
    number = 0
    for at, pages in enumerate(PAGES):
        write_archive(folder / "pages" / f"archive{at}", range(number + 1, number + 1 + pages), 500)
        number += pages
    write_archive(folder / "large", range(10_000, 10_000 + LARGE_PAGES), 2000)
    for at in range(LOOSE_PAGES):
        (folder / "pages" / f"page{at:02}.html").write_bytes(make_page(1000 + at, 2000))
    run(["vert", str(folder / "pages"), "-o", str(folder / "all.vert")], check=True)
    text = (folder / "all.vert").read_text(encoding="utf-8")
    documents = text.split("</doc>\n")[:-1]
    (folder / "verticals").mkdir()
    for at in range(4):
        part = "".join(
            f"{document}</doc>\n" for document in documents[at::3]
        )  # shares documents with another
        with gzip.open(folder / "verticals" / f"part{at}.vert.gz", "wt", encoding="utf-8") as file:
            file.write(part * 2)


def write_archive(folder: Path, numbers: Iterable[int], links_to: int) -> None:
    """Write a WARC file with a page of each number. After 90 of them the texts come again."""
    with ArchiveWriter(folder) as archive:
        for number in numbers:
            exchange = Exchange(
                f"http://a.example/{number}", _AT, b"GET / HTTP/1.1\r\n\r\n", 200, "OK",
                (("Content-Type", "text/html"),), make_page(number % 90, links_to),
            )  # fmt: skip
            archive.write(exchange)


def all_jobs(root: Path) -> list[Job]:
    """The commands that are tried."""
    pages, verticals = str(root / "in/pages"), sorted(map(str, (root / "in/verticals").iterdir()))
    jobs = jobs_of_archive(root / "in/large")
    for processes in ("1", "2"):
        vert = ("vert", pages, "-o", "OUT/c.vert", "--processes", processes)
        jobs += [Job(f"vert, {processes} processes", vert)]
        jobs += [Job(f"vert --dedup, {processes} processes", (*vert, "--dedup", "remove"))]
    jobs.append(Job("dedup", ("dedup", *verticals, "-o", "OUT")))
    jobs.append(Job("index", ("index", *verticals, "--index", "OUT/index")))
    return jobs


def jobs_of_archive(archive: Path) -> list[Job]:
    """What is tried on one large archive, which two processes share."""
    vert = ("vert", str(archive), "--processes", "2")
    return [
        Job("vert of one large file", (*vert, "-o", "OUT/c.vert")),
        Job("vert of one large file --dedup", (*vert, "-o", "OUT/c.vert", "--dedup", "remove")),
        Job("vert of one large file, printed", vert, prints=True),
    ]


def command(job: Job, output: Path) -> list[str]:
    """The command of a job with its output."""
    return [sys.executable, "-m", "threadmill", *(word.replace("OUT", str(output)) for word in job.words)]


def run(words: Sequence[str], *, check: bool = False) -> subprocess.CompletedProcess[bytes]:
    """Run one command of ours to its end."""
    return subprocess.run([sys.executable, "-m", "threadmill", *words], capture_output=True, check=check)


def finish(job: Job, root: Path) -> tuple[str, float]:
    """What a job gives that nobody interrupts, and how long it takes."""
    output = root / "whole"
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir()
    began = time.monotonic()
    if failure := run_job(job, output):
        raise SystemExit(f"{job.name} failed: {failure}")
    return result_of(job, output), time.monotonic() - began


def try_once(job: Job, expected: str, seconds: float, root: Path, chance: random.Random) -> Trial:
    """Interrupt a job at random moments, let it end, and compare."""
    output = root / "tried"
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir()
    interruptions = 0
    for _ in range(chance.randint(1, 8)):
        process = subprocess.Popen(
            command(job, output), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            process.wait(chance.uniform(0.05, 1) * seconds)
            break  # it was done before
        except subprocess.TimeoutExpired:
            send = chance.choice((os.kill, os.killpg))  # to the job, or to its workers too
            send(process.pid, chance.choice(SIGNALS))
            process.wait(LONGEST_END)
            interruptions += 1
    for _ in range(3):  # a worker of the killed job may still hold a lock for a moment
        failure = run_job(job, output)
        if not failure:
            break
        time.sleep(1)
    if failure:
        return Trial(job.name, interruptions, False, failure)
    if left := [
        path.name
        for path in output.iterdir()
        if path.name.startswith("c.vert.") and path.suffix != ".registry"
    ]:
        return Trial(job.name, interruptions, False, f"left behind: {left}")
    return Trial(job.name, interruptions, result_of(job, output) == expected)


def run_job(job: Job, output: Path) -> str:
    """Run a job to its end. Why it failed, or nothing."""
    with ExitStack() as stack:
        printed = stack.enter_context((output / "c.vert").open("wb")) if job.prints else subprocess.DEVNULL
        done = subprocess.run(command(job, output), stdout=printed, stderr=subprocess.PIPE, check=False)
    return done.stderr.decode("utf-8", "replace")[-500:] if done.returncode else ""


def result_of(job: Job, output: Path) -> str:
    """A hash of what a job gave: of its files, or of all entries of an index."""
    digest = hashlib.sha256()
    if job.name == "index":
        digest.update(entries_of(output / "index").encode())
    else:
        for file in sorted(output.rglob("*.vert")):
            digest.update(file.name.encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def entries_of(index: Path) -> str:
    """How often frequent words occur in an index, and its best hits."""
    found = []
    for word in ("river", "forum", "kernel", '"thread mill"', "coffee"):
        done = run(
            ["search", word, "--index", str(index), "--order", "corpus", "--limit", "1000", "--json"],
            check=True,
        )
        for line in done.stdout.splitlines():
            entry = json.loads(line)
            del entry["score"]  # it depends on how the index is cut into files
            found.append(json.dumps(entry))
    return "".join(found)


if __name__ == "__main__":
    sys.exit(main())
