"""The service measured as a whole: time from POST to results, polling, kills, fuzzing.

python -m bench.sites_service time [--sites 1000] [--modes one,two,rabbit1,rabbit2]
python -m bench.sites_service poll [--clients 100]
python -m bench.sites_service kills [--count 20]
python -m bench.sites_service fuzz [--seconds 120]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.figures import Figure, at_least, at_most, write_figures
from tests.servers.accidents import Stricken
from tests.servers.api import API
from tests.servers.companies import Companies, true_pairs
from tests.servers.fuzz import fuzz
from tests.servers.postgresql import Database
from tests.servers.rabbitmq import Broker
from tests.servers.service import TOKEN, Service
from threadmill.store import open_store

_TICKS = os.sysconf("SC_CLK_TCK")
# What "×N" means: so many processes that read and compare, beside one that answers and collects.
_IN_PROCESS = {"one": "0", "apart": "1", "two": "2"}
_WITH_BROKER = {
    "rabbit1": ("collect", "read", "decide"),
    "rabbit2": ("collect", "collect", "read", "read", "decide"),
}


def _cpu(pid: int) -> float:
    """Seconds of processor time of a process and all under it, as Linux counts them."""
    total = 0.0
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total = (int(fields[11]) + int(fields[12])) / _TICKS
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            total += _cpu(int(child))
    return total


@contextlib.contextmanager
def _running(mode: str, root: Path, servers: dict[str, int]) -> Iterator[Service]:
    """The service in one of its ways; `servers` hears what runs beside it."""
    if mode in _IN_PROCESS:
        with Service(root, {"THREADMILL_SERVICE_PROCESSES": _IN_PROCESS[mode]}) as service:
            yield service
        return
    with Database() as database, Broker() as broker:
        servers |= {"database": database.pid, "broker": broker.pid}
        settings = {"THREADMILL_STORE_URL": database.url, "THREADMILL_SERVICE_BROKER": broker.url}
        with Service(root, settings) as service:
            for stage in _WITH_BROKER[mode]:
                service.add_worker(stage)
            for worker in service.workers:
                worker.ready()
            yield service


def measure_time(sites: int, modes: list[str]) -> None:
    """From POST to results, stages apart, for several ways to run it."""
    figures = []
    print(f"{sites} sites of 6 pages on {os.cpu_count()} cores; load before: {os.getloadavg()[0]:.1f}")
    with Companies(sites) as companies:
        for mode in modes:
            servers: dict[str, int] = {"the sites' own server": companies.pid}
            with tempfile.TemporaryDirectory() as folder, _running(mode, Path(folder), servers) as service:
                service.wait(service.post(companies.urls[:4]))  # everything imported and loaded
                programs = {"serve": service.server.process.pid}
                programs |= {f"{w.words[1]} {n}": w.process.pid for n, w in enumerate(service.workers)}
                before = {name: _cpu(pid) for name, pid in (programs | servers).items()}
                begun = time.monotonic()
                task = service.post(companies.urls)
                answer = service.wait(task, 1800, 0.5)
                spent = time.monotonic() - begun
                used = {name: _cpu(pid) - before[name] for name, pid in (programs | servers).items()}
                ours = sum(used[name] for name in programs)
                print(f"\n{mode}: {spent:.1f} s from POST to results, load {os.getloadavg()[0]:.1f}")
                print(f"  CPU: {ours:.1f} s, with the servers beside it {sum(used.values()):.1f} s")
                print("  of it: " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in used.items()))
                _print_stages(service, task)
                _print_quality(companies, answer, sites)
                what = f"{sites:,} sites, way of running: {mode}"
                figures.append(Figure("service", f"from POST to results, {what}", spent, unit="s"))
                figures.append(Figure("service", f"CPU, {what}", ours, unit="s"))
    write_figures("sites_service.time", figures)


def _print_stages(service: Service, task: str) -> None:
    value = service.ask("GET", f"/private/task/{task}", headers={"Authorization": f"Bearer {TOKEN}"})[1]
    begun = datetime.fromisoformat(value["created_at"])
    ends = {
        "downloaded": max(datetime.fromisoformat(site["downloaded_at"]) for site in value["sites"]),
        "read": max(datetime.fromisoformat(site["extracted_at"]) for site in value["sites"]),
        "decided": datetime.fromisoformat(value["done_at"]),
    }
    told = (f"{name} after {(at - begun).total_seconds():.1f} s" for name, at in ends.items())
    print("  stages: all " + ", ".join(told))


def _print_quality(companies: Companies, answer: Mapping[str, Any], sites: int) -> None:
    true = {(companies.urls[one], companies.urls[other]) for one, other in true_pairs(sites)}
    found = {(pair["url1"], pair["url2"]) for pair in answer["results"]}
    print(f"  pairs: {len(found)} found, {len(found & true)} of {len(true)} true ones")


def measure_polling(clients: int, seconds: float) -> None:
    """How long each of many clients waits for an answer while their task is under way."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Companies(300) as companies,
        _running("apart", Path(folder), {}) as s,
    ):
        s.wait(s.post(companies.urls[:4]))
        figures = []
        for pause in (1.0, 0.1, 0.0):
            task = s.post(companies.urls)
            before = _cpu(s.server.process.pid)
            times = sorted(asyncio.run(_poll(s.port, task, clients, seconds, pause)))
            used = _cpu(s.server.process.pid) - before
            s.ask("POST", f"/task/{task}/cancel")
            p50, p99 = times[len(times) // 2], times[int(len(times) * 0.99)]
            told = ", ".join(f"{name} {at * 1000:.1f} ms" for name, at in (("median", p50), ("p99", p99)))
            print(
                f"{clients} clients, {pause:g} s between polls: {len(times) / seconds:.0f} answers a second, "
                f"{told}, worst {times[-1] * 1000:.1f} ms; {used:.1f} s of CPU in {seconds:g} s; "
                f"load {os.getloadavg()[0]:.1f}"
            )
            what = f"{clients} clients, {pause:g} s between polls"
            figures.append(Figure("service", f"answer to a poll, p99, {what}", p99 * 1000, unit="ms"))
        write_figures("sites_service.poll", figures)


async def _poll(port: int, task: str, clients: int, seconds: float, pause: float) -> list[float]:
    request = f"GET /task/{task}?similarity_border=0.5 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    end = time.monotonic() + seconds
    times: list[float] = []

    async def client() -> None:
        await asyncio.sleep(random.uniform(0, pause))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.monotonic() < end:
            begun = time.monotonic()
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            assert head.startswith(b"http/1.1 200"), head
            await reader.readexactly(int(head.partition(b"content-length: ")[2].split()[0]))
            times.append(time.monotonic() - begun)
            await asyncio.sleep(pause)
        writer.close()

    await asyncio.gather(*(client() for _ in range(clients)))
    return times


def measure_kills(count: int, sites: int, seed: int) -> int:
    """Random kills of workers, broker, database and the service itself; every task must end the same."""
    chance = random.Random(seed)
    kinds = [
        chance.choice(["collect", "read", "decide", "serve", "broker", "database"]) for _ in range(count)
    ]
    with tempfile.TemporaryDirectory() as folder:
        report = Stricken(Path(folder), sites, seed).run(kinds, print)
    same = sum(answer == report.expected for answer in report.answers)
    told = ", ".join(f"{report.kills.count(kind)} × {kind}" for kind in sorted(set(report.kills)))
    print(f"{len(report.kills)} kills ({told}): {same} of {len(report.answers)} tasks ended alike")
    share = same / len(report.answers)
    alike = Figure("service", f"tasks that end alike, {len(report.kills)} kills", share, at_least(1.0))
    write_figures("sites_service.kills", [alike])
    return 0 if same == len(report.answers) else 1


def measure_fuzz(seconds: int) -> int:
    """A long run of schemathesis."""
    with tempfile.TemporaryDirectory() as folder, Database() as database:
        store = open_store(database.url)
        with API(store) as api:
            words = (
                "--phases",
                "examples,coverage,fuzzing,stateful",
                "-n",
                "500",
                "--max-time",
                str(seconds),
            )
            code, told = fuzz(api.port, store, Path(folder), *words)
        store.close()
    print(told[told.find("SUMMARY") - 40 :])
    failed = Figure("service", f"fuzzing finds a fault, {seconds} s", float(code != 0), at_most(0.0))
    write_figures("sites_service.fuzz", [failed])
    return code


def main() -> int:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["time", "poll", "kills", "fuzz"])
    parser.add_argument("--sites", type=int, default=0)
    parser.add_argument("--modes", default="one,apart,two,rabbit1,rabbit2")
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=8)
    arguments = parser.parse_args()
    if arguments.what == "time":
        measure_time(arguments.sites or 1000, arguments.modes.split(","))
    elif arguments.what == "poll":
        measure_polling(arguments.clients, arguments.seconds or 10)
    elif arguments.what == "kills":
        return measure_kills(arguments.count, arguments.sites or 40, arguments.seed)
    else:
        return measure_fuzz(arguments.seconds or 120)
    return 0


if __name__ == "__main__":
    sys.exit(main())
