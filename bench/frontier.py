"""A million URLs in the frontier: memory, and CPU time a URL on its way in, out and in again."""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bench.figures import Figure, at_most, write_figures
from threadmill.crawl.frontier.frontier import FoundURL, Frontier, LeaseOutcome
from threadmill.store import Store, open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.crawl.url_queue import UrlState

PAGE_LINKS = 100


def main() -> None:
    """Fill, find again, drain; print what each cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=1_000)
    parser.add_argument("--drain", type=int, default=100_000)
    parser.add_argument("--store", default="", help="URL of an empty database (default: a new SQLite file)")
    options = parser.parse_args()
    before = memory()
    with tempfile.TemporaryDirectory() as directory:
        url = options.store or f"sqlite:///{Path(directory) / 'store.sqlite'}"
        store = open_store(url)
        with store.writing() as connection:
            job = find_or_add_job(connection, "site", "http://bench.example/", "bench", datetime.now(UTC)).id
        frontier = Frontier(job)
        fill(store, frontier, options.urls, options.hosts)
        find_again(store, frontier, options.urls, options.hosts)
        drain(store, frontier, options.drain)
        again = reopen(store, job)
        assert again.open == options.urls - options.drain
        store.close()
        if not options.store:
            print(f"file: {(Path(directory) / 'store.sqlite').stat().st_size / 1e6:.0f} MB")
    figure = Figure("crawl", f"memory of a frontier with {options.urls:,} URLs", memory(), at_most(300), "MB")
    write_figures("frontier", [figure])
    print(f"memory: {memory():.0f} MB at most (bar: 300), {before:.0f} MB before the first URL")


def memory() -> float:
    """The most memory this process ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def make_lead(number: int, hosts: int) -> FoundURL:
    """URLs of the length forums have, 70 to 80 characters."""
    host = (number * 2654435761 >> 7) % hosts
    url = f"https://forum{host}.example.org/viewtopic.php?f={number % 97}&t={number}&start={number % 40 * 25}"
    return FoundURL(url, 1 + number % 8, 1 + number % 8)


def fill(store: Store, frontier: Frontier, urls: int, hosts: int) -> None:
    """New URLs only, a page's worth per transaction."""
    start = time.process_time()
    for first in range(0, urls, PAGE_LINKS):
        with store.writing() as connection:
            frontier.add(
                connection, [make_lead(n, hosts) for n in range(first, min(first + PAGE_LINKS, urls))]
            )
    report("added", urls, start)
    assert frontier.open == urls


def find_again(store: Store, frontier: Frontier, urls: int, hosts: int) -> None:
    """Pages as they are: most links met on the pages before, a few anywhere in the million."""
    chance = random.Random(1)
    pages = [
        [make_lead(n if n % 10 else chance.randrange(urls), hosts) for n in range(urls - PAGE_LINKS, urls)]
        for _ in range(1_000)
    ]
    start = time.process_time()
    for page in pages:
        with store.writing() as connection:
            assert frontier.add(connection, page) == 0
    report("known already", PAGE_LINKS * len(pages), start)


def drain(store: Store, frontier: Frontier, count: int) -> None:
    """Out and done, in groups of 16."""
    start = time.process_time()
    done = 0
    while done < count:
        outcomes: list[LeaseOutcome] = []
        while len(outcomes) < min(16, count - done):
            host = next(iter(frontier.hosts), None)
            if host is None:
                with store.writing() as connection:
                    frontier.refill(connection, 0.0)
                continue
            outcomes.append(LeaseOutcome(frontier.take(host), UrlState.DONE))
        with store.writing() as connection:
            frontier.settle(connection, outcomes)
        done += len(outcomes)
    report("handed out and done", count, start)


def reopen(store: Store, job: int) -> Frontier:
    """What a new process does first."""
    start = time.process_time()
    frontier = Frontier(job)
    with store.writing() as connection:
        frontier.load(connection)
    print(f"taken up again by a new process: {time.process_time() - start:.2f} s")
    return frontier


def report(what: str, count: int, start: float) -> None:
    """One line of figures."""
    seconds = time.process_time() - start
    print(f"{what}: {count:,} URLs, {seconds / count * 1e6:.1f} µs of CPU each")


if __name__ == "__main__":
    main()
