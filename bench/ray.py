"""Ray on this machine: are the outputs those of one process, also after kills, and what does Ray cost?

    python -m bench.ray ARCHIVE                         # WARC files, such as those of bench.vert_data
    python -m bench.ray ARCHIVE --kills 3 --pages 1000  # a short run
    python -m bench.ray ARCHIVE --keep FILE --run kills --kills 5 --seed 1  # in pieces; kills add up

Two nodes with a core each run as separate processes. Kills hit the driver or the second node at a random
moment of `threadmill vert`; a driver that was killed is started again, a node is replaced. The overhead is
the CPU time of everything that Ray runs, nodes and workers included, compared with `--processes 2`.
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
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from bench.figures import Figure, at_least, at_most, write_figures
from tests.servers.companies import Companies
from threadmill.archive import read_captures
from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.types import Exchange

FILES = 24
RUNS = ("cost", "kills", "verbs")
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


def main() -> None:
    """Run all parts and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("archive", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pages", type=int, default=5200)
    parser.add_argument("--pages-of-kills", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--run", choices=RUNS, action="append", help="only this part (default: all)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the results of parts here")
    arguments = parser.parse_args()
    known: dict[str, Any] = {"kills": 0, "wrong": 0}
    if arguments.keep is not None and arguments.keep.exists():
        known |= json.loads(arguments.keep.read_text())
    known |= measure(arguments, known)
    if arguments.keep is not None:
        arguments.keep.write_text(json.dumps(known))
    if known.keys() >= {"cost", "equal"} and known["kills"]:
        write_figures("ray", figures_of(known))


def measure(arguments: argparse.Namespace, known: dict[str, Any]) -> dict[str, Any]:
    """Run the parts that were asked for. Kills are added to those that are known."""
    parts = arguments.run or RUNS
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cluster = start_cluster()
        try:
            if "cost" in parts:
                large = write_archive(arguments.archive, folder / "large", arguments.pages)
                found |= {"cost": compare_cost(large, folder), "pages": arguments.pages}
            small = write_archive(arguments.archive, folder / "small", arguments.pages_of_kills)
            if "kills" in parts:
                chance = random.Random(arguments.seed)
                done, wrong = kill(cluster, small, folder, arguments.kills, chance)
                found |= {"kills": known["kills"] + done, "wrong": known["wrong"] + wrong}
            if "verbs" in parts:
                found["equal"] = equal_verbs(small, folder)
                print(f"equal to one process: {', '.join(found['equal'])}")
        finally:
            cluster.shutdown()
    return found


def figures_of(known: dict[str, Any]) -> list[Figure]:
    """The figures of all parts."""
    verbs = f"verbs with the same output on two Ray nodes, of {len(VERBS)}"
    kills = f"wrong outputs after {known['kills']} kills of a Ray node or driver"
    cost = f"more CPU time on Ray than in two processes, {known['pages']} pages"
    return [
        Figure("corpus", verbs, len(known["equal"]), at_least(len(VERBS))),
        Figure("corpus", kills, known["wrong"], at_most(0)),
        Figure("corpus", cost, known["cost"], at_most(15), "%"),
    ]


def write_archive(source: Path, folder: Path, pages: int) -> Path:
    """The pages of an archive, repeated until there are enough, in many files."""
    captures = [capture for capture in read_captures(source) if capture.status == 200]
    chosen = list(islice(cycle(captures), pages))
    for number in range(FILES):
        with ArchiveWriter(folder / f"{number:02}") as archive:
            for at, capture in enumerate(chosen[number::FILES]):
                headers = (("Content-Type", capture.header("content-type") or "text/html"), ("Server", "x"))
                url = f"{capture.url}#{number}-{at}"
                archive.write(
                    Exchange(url, capture.at, b"GET / HTTP/1.1\r\n\r\n", 200, "OK", headers, capture.payload)
                )
    return folder


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


def command(verb: str, archive: Path, output: Path, *options: str) -> list[str]:
    """The words that start a verb."""
    option = "--index" if verb == "index" else "--output"
    return [sys.executable, "-m", "threadmill", *VERBS[verb], str(archive), option, str(output), *options]


def run(words: list[str]) -> None:
    """Run a command to its end."""
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def digest(output: Path) -> str:
    """The hash of a file, or of all files of a folder and their names."""
    if output.is_file():
        return hashlib.sha256(output.read_bytes()).hexdigest()
    files = sorted(file for file in output.rglob("*") if file.is_file())
    names = "".join(f"{file.relative_to(output)} {digest(file)}\n" for file in files)
    return hashlib.sha256(names.encode()).hexdigest()


def equal_verbs(archive: Path, folder: Path) -> list[str]:
    """The verbs that give the same on Ray as in one process."""
    documents, addresses = folder / "documents.jsonl", folder / "sites.txt"
    run(command("clean", archive, documents))
    with Companies(SITES) as sites:
        addresses.write_text("\n".join(sites.urls) + "\n")
        sources = {"dedup": documents, "sites compare": addresses}
        return [verb for verb in VERBS if same_output(verb, sources.get(verb, archive), folder)]


def same_output(verb: str, source: Path, folder: Path) -> bool:
    """Whether a verb gives the same bytes on Ray as in one process. An index must give the same hits."""
    digests: list[str] = []
    for place, options in (("alone", ["--processes", "1"]), ("together", ["--on", "ray"])):
        output = folder / f"{verb} {place}"
        run(command(verb, source, output, *options))
        digests.append(hits_of(output) if verb == "index" else digest(output))
    print(f"{verb}: {'the same' if digests[0] == digests[1] else 'DIFFERENT'}", flush=True)
    return digests[0] == digests[1]


def hits_of(index: Path) -> str:
    """What an index answers to some questions."""
    words = ["search", "--index", str(index), "--order", "corpus", "--limit", "1000", "--json"]
    start = [sys.executable, "-m", "threadmill", *words]
    return "".join(
        subprocess.run([*start, question], check=True, capture_output=True, text=True).stdout
        for question in ("the", "forum")
    )


def kill(cluster: Any, archive: Path, folder: Path, kills: int, chance: random.Random) -> tuple[int, int]:
    """Kill the driver or a node again and again. Returns the kills, and how many outputs are wrong."""
    expected, output = folder / "expected.vert", folder / "killed.vert"
    started = time.monotonic()
    run(command("vert", archive, expected, "--on", "ray"))
    usual = time.monotonic() - started
    wrong = done = 0
    hit: list[str] = []
    while done < kills:
        output.unlink(missing_ok=True)
        hit.clear()
        words = command("vert", archive, output, "--on", "ray")
        started = time.monotonic()
        while _run_and_hit(cluster, words, usual, chance, hit):
            pass
        if not hit:  # on a machine that is less busy than before, a run ends sooner
            usual = min(usual, time.monotonic() - started)
        done += len(hit)
        bad = digest(output) != digest(expected)
        wrong += bad
        print(f"{done} kills, {', '.join(hit) or 'none'}: {'WRONG' if bad else 'the same'}", flush=True)
    return done, wrong


def _run_and_hit(cluster: Any, words: list[str], usual: float, chance: random.Random, hit: list[str]) -> bool:
    """Run a command once, and perhaps kill something meanwhile. True if it must be run again."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        time.sleep(usual * chance.uniform(0.2, 0.95))
        target = chance.choice(("driver", "node", "nothing"))
        if driver.poll() is None and target == "node":
            [node, *_] = cluster.worker_nodes
            cluster.remove_node(node, allow_graceful=False)
            cluster.add_node(num_cpus=1)
            hit.append(target)
        elif driver.poll() is None and target == "driver":
            driver.kill()
            hit.append(target)
    if driver.returncode not in {0, -9}:
        raise SystemExit(f"the command failed with {driver.returncode}")
    return driver.returncode != 0


def compare_cost(archive: Path, folder: Path) -> float:
    """The CPU time that Ray needs more than two processes, in per cent."""
    spent: dict[str, float] = {}
    for name, options in (("local", ["--processes", "2"]), ("ray", ["--on", "ray"])):
        words = command("vert", archive, folder / f"{name}.vert", *options)
        before = own_ticks()
        seen = dict(before)
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
            # What ends under Ray is counted by nobody, so we look often.
            while driver.poll() is None:
                seen |= own_ticks()
                time.sleep(0.1)
        seen |= own_ticks()
        spent[name] = sum(ticks - before.get(number, 0) for number, ticks in seen.items()) / TICKS
    if digest(folder / "local.vert") != digest(folder / "ray.vert"):
        raise SystemExit("the outputs differ")
    print(f"CPU: {spent['local']:.1f} s in two processes, {spent['ray']:.1f} s on Ray", flush=True)
    return round(100 * (spent["ray"] / spent["local"] - 1), 1)


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
