"""What each stage costs: CPU time, bytes in and out, memory. docs/howto/scale.md is made from these figures.

    python -m bench.scale ARCHIVE                # WARC files, such as those of bench.vert_data
    python -m bench.scale ARCHIVE --pages 300    # a short run

Each stage runs as the command that a user gives, in a process of its own. What the process needs to start is
measured with one page and taken off. The crawl asks simulated forums on loopback.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, write_figures
from threadmill.archive import read_captures
from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.types import Capture, Exchange

_KINDS = ("harbour", "werkbank", "almazara", "studio")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process used."""

    seconds: float  # of CPU
    megabytes: float  # of memory, at most


@dataclass(frozen=True, slots=True)
class StageCost:
    """What a stage costs for each of its items."""

    name: str
    item: str  # page, document, post or site
    items: int
    usage: Usage
    octets_in: int
    octets_out: int

    def figures(self) -> list[Figure]:
        """The cost of one item, in milliseconds, bytes and megabytes."""
        what = f"cost of {self.name}"
        return [
            Figure("scale", f"{what}: CPU a {self.item}", 1000 * self.usage.seconds / self.items, unit="ms"),
            Figure("scale", f"{what}: bytes in a {self.item}", self.octets_in / self.items),
            Figure("scale", f"{what}: bytes out a {self.item}", self.octets_out / self.items),
            Figure("scale", f"{what}: memory", self.usage.megabytes, unit="MB"),
        ]


def main() -> None:
    """Measure all stages and write the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", type=Path)
    parser.add_argument("--pages", type=int, default=1200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sample = _write_sample(arguments.archive, folder / "sample", arguments.pages)
        costs = [*corpus_costs(sample, folder, arguments.pages), *crawl_costs(folder)]
    figures = [figure for cost in costs for figure in cost.figures()]
    for figure in figures:
        print(f"{figure.what}: {figure.value:,.2f} {figure.unit}")
    write_figures("scale", figures)


def _write_sample(source: Path, folder: Path, pages: int) -> Path:
    """Some pages spread over an archive, and one of them alone."""
    captures = [capture for capture in read_captures(source) if capture.status == 200]
    chosen = captures[:: max(1, len(captures) // pages)][:pages]
    _write(folder / "all", chosen)
    _write(folder / "one", chosen[:1])
    return folder


def _write(folder: Path, captures: Sequence[Capture]) -> None:
    with ArchiveWriter(folder) as archive:
        for capture in captures:
            headers = (("Content-Type", capture.header("content-type") or "text/html"),)
            request = b"GET / HTTP/1.1\r\n\r\n"
            archive.write(Exchange(capture.url, capture.at, request, 200, "OK", headers, capture.payload))


def corpus_costs(sample: Path, folder: Path, pages: int) -> list[StageCost]:
    """The stages that read archives."""
    octets = _size(sample / "all")
    stages = {
        "vert": ["vert", "{}", "--output", "out", "--processes", "1"],
        "vert --tags": ["vert", "{}", "--output", "out", "--processes", "1", "--tags"],
        "clean": ["clean", "{}", "--format", "jsonl", "--template", "none", "--output", "out"],
        "forum posts": ["forum", "posts", "{}", "--output", "out"],
        "forum learn": ["forum", "learn", "{}", "--output", "out"],
        "template learn": ["template", "learn", "{}", "--workspace", "out"],
    }
    costs = []
    for name, words in stages.items():
        one, _ = _measure(words, sample / "one", folder)
        usage, written = _measure(words, sample / "all", folder)
        spent = Usage(max(0.0, usage.seconds - one.seconds), usage.megabytes)
        costs.append(StageCost(name, "page", pages, spent, octets, written))
        print(f"{name}: {1000 * spent.seconds / pages:.2f} ms a page", flush=True)
        if name == "clean":
            costs.append(_dedup_cost(folder / "out", folder / "texts.jsonl"))
    return costs


def _dedup_cost(cleaned: Path, texts: Path) -> StageCost:
    """Near-duplicates among the cleaned pages."""
    texts.write_bytes(cleaned.read_bytes())
    first = texts.with_name("first.jsonl")
    with texts.open("rb") as lines:
        first.write_bytes(lines.readline())
    documents = texts.read_bytes().count(b"\n")
    words = ["dedup", "{}", "--output", "out", "--processes", "1"]
    one, _ = _measure(words, first, texts.parent)
    usage, written = _measure(words, texts, texts.parent)
    spent = Usage(max(0.0, usage.seconds - one.seconds), usage.megabytes)
    return StageCost("dedup", "document", documents, spent, texts.stat().st_size, written)


def crawl_costs(folder: Path) -> list[StageCost]:
    """The first crawl of simulated forums: per page, and per post that is stored."""
    forums = {f"f{number}": open_forum(kind, 300, name=f"f{number}") for number, kind in enumerate(_KINDS)}
    simulation = Simulation(forums, as_unix_time("2015-12-01"))
    seconds, most = 0.0, 0.0
    work = folder / "work"
    with serving(simulation) as base:
        port = base.rpartition(":")[2]
        for name in forums:
            words = ["crawl", f"http://{name}.localhost:{port}/", "--workspace", str(work), "--delay", "0"]
            usage = _run([*words, "--quiet"], folder)
            start = _run(["dates", "today"], folder)
            seconds += max(0.0, usage.seconds - start.seconds)
            most = max(most, usage.megabytes)
    pages = len(simulation.requests)
    exported = folder / "posts.jsonl"
    _run(["posts", "--workspace", str(work), "--output", str(exported)], folder)
    posts = exported.read_bytes().count(b"\n")
    received = sum(
        capture.payload is not None and len(capture.payload) for capture in read_captures(work / "archive")
    )
    usage = Usage(seconds, most)
    print(f"crawl: {pages} pages, {posts} posts, {1000 * seconds / pages:.1f} ms a page", flush=True)
    database = sum(file.stat().st_size for file in work.glob("*.sqlite*"))
    return [
        StageCost("crawl", "page", pages, usage, received, _size(work / "archive")),
        StageCost("crawl, database", "post", posts, usage, 0, database),
    ]


def _measure(words: Sequence[str], source: Path, folder: Path) -> tuple[Usage, int]:
    """Run a stage: what it used, and the bytes it wrote."""
    output = folder / "out"
    subprocess.run(["rm", "-rf", str(output)], check=True)
    places = {"{}": str(source), "out": str(output)}
    usage = _run([places.get(word, word) for word in words], folder)
    return usage, _size(output)


def _run(words: Sequence[str], folder: Path) -> Usage:
    """Run one command to its end; the exit code 1 says that it found nothing, 4 that posts are missing."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen([sys.executable, "-m", "threadmill", *words], stdout=log, stderr=log)
        memory = 0.0
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            memory = max(memory, _peak_memory(process.pid))
            time.sleep(0.02)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1, 4}:
        raise SystemExit(f"threadmill {' '.join(words)} failed with {process.returncode}")
    return Usage(usage.ru_utime + usage.ru_stime, memory)


def _peak_memory(process: int) -> float:
    """Megabytes at most, so far. What the system tells at the end counts the memory of the parent, too."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def _size(place: Path) -> int:
    """Bytes of the files of an output, without hidden ones, which are for the next run."""
    files = [place] if place.is_file() else [file for file in place.rglob("*") if file.is_file()]
    shown = (file for file in files if not any(part.startswith(".") for part in file.parts))
    return sum(file.stat().st_size for file in shown)


if __name__ == "__main__":
    main()
