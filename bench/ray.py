"""Ray on this machine: are the outputs those of one process, also after kills, and what does Ray cost?

    python -m bench.ray ARCHIVE                           # WARC files, such as those of bench.vert_data
    python -m bench.ray ARCHIVE --run kills --minutes 10  # a part, and nothing new after ten minutes
    python -m bench.ray ARCHIVE --run cost --anew         # forget what is on record of this part

Two nodes with a core each run as separate processes. Kills hit the driver or the second node at a random
moment of a verb, after Ray has started; each verb has its turn. A driver that was killed is started again, a
node is replaced. The overhead is the CPU time of everything that Ray runs, nodes and workers included,
compared with `--processes 2`. Each verb, each round of kills and each measurement of the cost is a line of a
record beside the results. The next call goes on from there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median
from typing import Any

from bench.figures import RESULTS, Figure, at_least, at_most, write_figures
from tests.servers.companies import Companies
from threadmill.archive import read_captures
from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.types import Capture, Exchange

FILES = 24
RUNS = ("cost", "verbs", "kills")
TICKS = os.sysconf("SC_CLK_TCK")
VERBS = {
    "vert": ["vert"],
    "vert --dedup": ["vert", "--dedup", "remove"],
    "clean": ["clean", "--format", "jsonl", "--template", "none"],
    "forum posts": ["forum", "posts"],
    "forum learn": ["forum", "learn"],
    "template": ["template", "remove"],
    "dedup": ["dedup"],
    "index": ["index"],
    "sites compare": ["sites", "compare", "--delay", "0"],
}
SITES = 30
MOST_HITS = 2  # kills of one output
ATTEMPTS = 3  # to hit a run before it ends
LEAST_OCTETS = 200  # of an output: two empty ones are equal, too


def main() -> None:
    """Run what is not on record yet, and write the figures when all is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", type=Path)
    parser.add_argument("--run", choices=RUNS, action="append", help="only this part (default: all)")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument(
        "--pages", type=int, default=5200, help="of the archive by which the cost is measured"
    )
    parser.add_argument("--fewer-pages", type=int, default=1200, help="of the archive of verbs and kills")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin nothing new after this time")
    parser.add_argument("--anew", action="store_true", help="forget what is on record of these parts")
    wanted = parser.parse_args()
    parts = wanted.run or RUNS
    record = RayRecord(RESULTS / "ray.jsonl")
    if wanted.anew:
        record.forget(parts)
    until = time.monotonic() + 60 * wanted.minutes
    with tempfile.TemporaryDirectory(prefix="threadmill-ray-") as name, ExitStack() as stack:
        cluster = start_cluster()
        stack.callback(cluster.shutdown)
        if "cost" in parts:
            measure_cost(
                record, write_archive(wanted.archive, Path(name, "large"), wanted.pages), wanted.pages
            )
        if "verbs" in parts or "kills" in parts:
            archive = write_archive(wanted.archive, Path(name, "small"), wanted.fewer_pages)
            trial = Trial(cluster, Path(name), sources_of(archive, Path(name), stack), wanted.fewer_pages)
            if "verbs" in parts:
                trial.compare_verbs(record, until)
            if "kills" in parts:
                trial.kill_verbs(record, wanted.kills, until)
    if record.is_complete():
        write_figures("ray", record.figures())


class RayRecord:
    """What was tried so far, one line of JSON each."""

    def __init__(self, file: Path) -> None:
        self._file = file
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        self._lines: list[dict[str, Any]] = [json.loads(line) for line in lines]

    def add(self, part: str, **said: Any) -> None:
        """Keep a result, and print it."""
        self._lines.append({"part": part, **said})
        line = json.dumps(self._lines[-1], ensure_ascii=False)
        with self._file.open("a", encoding="utf-8") as out:
            out.write(line + "\n")
        print(line, flush=True)

    def of(self, part: str) -> list[dict[str, Any]]:
        """The results of a part."""
        return [line for line in self._lines if line["part"] == part]

    def forget(self, parts: Sequence[str]) -> None:
        """Drop the results of some parts."""
        self._lines = [line for line in self._lines if line["part"] not in parts]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self._lines)
        self._file.write_text(text, encoding="utf-8")

    def kills(self) -> int:
        """All kills that hit something."""
        return sum(len(line["hits"]) for line in self.of("kills"))

    def is_complete(self) -> bool:
        """Whether every figure can be told."""
        return len(self.of("verbs")) >= len(VERBS) and bool(self.kills() and self.of("cost"))

    def figures(self) -> list[Figure]:
        """The figures of all parts."""
        differing = {line["verb"] for line in self.of("verbs") if not line["equal"]}
        equal = {line["verb"] for line in self.of("verbs")} - differing
        wrong = sum(not line["equal"] for line in self.of("kills"))
        tried = len({line["verb"] for line in self.of("kills")})
        pages = self.of("cost")[-1]["pages"]
        more = [100 * (line["ray"] / line["local"] - 1) for line in self.of("cost")]
        verbs = f"verbs with the same output on two Ray nodes, of {len(VERBS)}"
        kills = f"wrong outputs after {self.kills()} kills of a Ray node or driver, {tried} verbs"
        cost = f"more CPU time on Ray than in two processes, {pages} pages"
        return [
            Figure("corpus", verbs, len(equal), at_least(len(VERBS))),
            Figure("corpus", kills, wrong, at_most(0)),
            Figure("corpus", cost, round(median(more), 1), at_most(15), "%"),
        ]


def write_archive(source: Path, folder: Path, pages: int) -> Path:
    """So many pages from all over an archive, in many files. Where there are too few, they come again."""
    captures = [capture for capture in read_captures(source) if capture.status == 200]
    step = max(1, len(captures) // pages)
    chosen = list(islice(_again_and_again(captures[::step]), pages))
    for number in range(FILES):
        with ArchiveWriter(folder / f"{number:02}") as archive:
            for url, capture in chosen[number::FILES]:
                headers = (("Content-Type", capture.header("content-type") or "text/html"), ("Server", "x"))
                request = b"GET / HTTP/1.1\r\n\r\n"
                archive.write(Exchange(url, capture.at, request, 200, "OK", headers, capture.payload))
    return folder


def _again_and_again(captures: Sequence[Capture]) -> Iterator[tuple[str, Capture]]:
    for capture in captures:
        yield capture.url, capture
    for number, capture in zip(count(), cycle(captures), strict=False):
        yield f"{capture.url}#{number}", capture


def start_cluster() -> Any:
    """Two nodes with a core each."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # Ray then talks over the loopback address alone
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # a busy machine starts it late
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    os.environ["RAY_ADDRESS"] = cluster.address
    return cluster


def sources_of(archive: Path, folder: Path, stack: ExitStack) -> dict[str, Path]:
    """What each verb reads."""
    documents, addresses = folder / "documents.jsonl", folder / "sites.txt"
    run(command("clean", archive, documents))
    sites = stack.enter_context(Companies(SITES))
    addresses.write_text("\n".join(sites.urls) + "\n")
    return dict.fromkeys(VERBS, archive) | {"dedup": documents, "sites compare": addresses}


def command(verb: str, source: Path, output: Path, *options: str) -> list[str]:
    """The words that start a verb."""
    option = "--index" if verb == "index" else "--output"
    return [sys.executable, "-m", "threadmill", *VERBS[verb], str(source), option, str(output), *options]


def run(words: list[str]) -> None:
    """Run a command to its end."""
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def digest_of(verb: str, output: Path) -> str:
    """The hash of what a verb wrote; of an index, of what it answers. Nothing written is an error."""
    if verb == "index":
        said = hits_of(output)
        assert '"url"' in said or '"text"' in said, f"the index answers nothing: {said[:200]}"
        return hashlib.sha256(said.encode()).hexdigest()
    files = [output] if output.is_file() else list(files_of(output))
    assert sum(file.stat().st_size for file in files) > LEAST_OCTETS, f"{verb} wrote next to nothing"
    whole = hashlib.sha256()
    for file in files:
        name = "" if file == output else str(file.relative_to(output))
        whole.update(f"{name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def files_of(folder: Path) -> Iterator[Path]:
    """The files of a folder, without what a verb keeps there for its next run, such as .dedup."""
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not any(name.startswith(".") for name in file.relative_to(folder).parts):
            yield file


def hits_of(index: Path) -> str:
    """What an index answers to some questions."""
    words = ["search", "--index", str(index), "--order", "corpus", "--limit", "1000", "--json"]
    start = [sys.executable, "-m", "threadmill", *words]
    return "".join(
        subprocess.run([*start, question], check=True, capture_output=True, text=True).stdout
        for question in ("the", "forum")
    )


@dataclass
class Trial:
    """A cluster, and what each verb writes in one process."""

    cluster: Any
    folder: Path
    sources: dict[str, Path]
    pages: int
    expected: dict[str, str] = field(default_factory=dict)

    def expect(self, verb: str) -> str:
        """The hash of what one process writes."""
        if verb not in self.expected:
            output = self.folder / f"{verb} alone"
            run(command(verb, self.sources[verb], output, "--processes", "1"))
            self.expected[verb] = digest_of(verb, output)
        return self.expected[verb]

    def compare_verbs(self, record: RayRecord, until: float) -> None:
        """Each verb that is not on record yet, in one process and on Ray."""
        known = {line["verb"] for line in record.of("verbs")}
        for number, verb in enumerate(verb for verb in VERBS if verb not in known):
            if time.monotonic() > until:
                return
            output = self.folder / f"{verb} on Ray {number}"
            started = time.monotonic()
            run(command(verb, self.sources[verb], output, "--on", "ray"))
            seconds = round(time.monotonic() - started, 1)
            record.add(
                "verbs",
                verb=verb,
                pages=self.pages,
                equal=digest_of(verb, output) == self.expect(verb),
                seconds=seconds,
            )

    def kill_verbs(self, record: RayRecord, kills: int, until: float) -> None:
        """One verb after the other, killed on the way, until there are enough kills."""
        usual: dict[str, float] = {}
        start = self._seconds_of_start()
        while record.kills() < kills and time.monotonic() < until:
            seed = len(record.of("kills"))
            verb, chance = list(VERBS)[seed % len(VERBS)], random.Random(seed)
            expected = self.expect(verb)
            if verb not in usual:
                started = time.monotonic()
                run(command(verb, self.sources[verb], self.folder / f"{verb} calm", "--on", "ray"))
                usual[verb] = time.monotonic() - started
            hits: list[str] = []
            for attempt in range(ATTEMPTS):
                output = self.folder / f"{verb} killed {seed} {attempt}"
                words = command(verb, self.sources[verb], output, "--on", "ray")
                started = time.monotonic()
                while not self._run_and_hit(words, (start, usual[verb]), chance, hits):
                    pass
                if hits:
                    break
                usual[verb] = time.monotonic() - started  # the machine is less busy than before
            equal = digest_of(verb, output) == expected
            record.add("kills", verb=verb, pages=self.pages, seed=seed, hits=hits, equal=equal)

    def _seconds_of_start(self) -> float:
        """How long a verb needs that has next to nothing to do: Ray and Python start in that time."""
        [first, *_] = sorted(self.sources["vert"].rglob("*.warc.gz"))
        started = time.monotonic()
        run(command("vert", first, self.folder / "start.vert", "--on", "ray"))
        return time.monotonic() - started

    def _run_and_hit(
        self, words: list[str], span: tuple[float, float], chance: random.Random, hits: list[str]
    ) -> bool:
        """Run a command once, and perhaps kill something meanwhile. Return whether it came to its end."""
        log = self.folder / "log"
        with log.open("wb") as said, subprocess.Popen(words, stdout=said, stderr=said) as driver:
            if len(hits) < MOST_HITS:
                start, usual = span
                time.sleep(start + chance.uniform(0.05, 0.9) * max(0.0, usual - start))
                target = chance.choice(("driver", "node"))
                if driver.poll() is None:
                    hits.append(target)
                    self._hit(target, driver)
        if driver.returncode not in {0, -9}:
            raise SystemExit(f"the command failed with {driver.returncode}: {log.read_text()[-2000:]}")
        return driver.returncode == 0

    def _hit(self, target: str, driver: subprocess.Popen[bytes]) -> None:
        if target == "driver":
            driver.kill()
            return
        [node, *_] = self.cluster.worker_nodes
        self.cluster.remove_node(node, allow_graceful=False)
        self.cluster.add_node(num_cpus=1)


def measure_cost(record: RayRecord, archive: Path, pages: int) -> None:
    """The CPU time of `vert` in two processes and on Ray."""
    spent: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="threadmill-ray-") as name:
        folder = Path(name)
        for place, options in (("local", ["--processes", "2"]), ("ray", ["--on", "ray"])):
            spent[place] = cpu_of(command("vert", archive, folder / f"{place}.vert", *options))
        if digest_of("vert", folder / "local.vert") != digest_of("vert", folder / "ray.vert"):
            raise SystemExit("the outputs differ")
    load = round(os.getloadavg()[0], 1)
    record.add("cost", pages=pages, local=round(spent["local"], 2), ray=round(spent["ray"], 2), load=load)


def cpu_of(words: list[str]) -> float:
    """The CPU seconds that everything under this process takes while a command runs."""
    before = own_ticks()
    seen = dict(before)
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        # What ends under Ray is counted by nobody, so we look often.
        while driver.poll() is None:
            seen |= own_ticks()
            time.sleep(0.1)
    if driver.returncode:
        raise SystemExit(f"the command failed with {driver.returncode}")
    seen |= own_ticks()
    return sum(ticks - before.get(number, 0) for number, ticks in seen.items()) / TICKS


def own_ticks() -> dict[int, int]:
    """The CPU time of each process under this one, without those that ended under it."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        number = int(stat.parent.name)
        parents[number] = int(fields[1])
        ticks[number] = int(fields[11]) + int(fields[12])
    under: set[int] = set()
    while more := {number for number, parent in parents.items() if parent in {os.getpid(), *under}} - under:
        under |= more
    return {number: ticks[number] for number in under}


if __name__ == "__main__":
    main()
