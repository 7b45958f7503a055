"""Search over a million paragraphs: how long questions take, ours (tantivy) beside SQLite's FTS5.

python -m bench.search --data DIRECTORY_OF_UD_FILES [--paragraphs 1000000] [--language en] [--index DIRECTORY]

Paragraphs are made of one to six sentences of Universal Dependencies files, with sites, authors and dates.
With --language all of them are of one language, the hard case: its frequent words are everywhere. Time is
that of the clock: the first asking in a process of its own, as at the command line, and the median of five
more in one that goes on. With --index the index is kept, and not made again when it is there.
"""

from __future__ import annotations

import argparse
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from statistics import median

from bench.figures import Figure, write_figures
from bench.treebank import load
from threadmill.corpus.search.entries import SearchEntry
from threadmill.corpus.search.index import SearchIndex
from threadmill.corpus.search.query import parse_query

# What is asked, in our way and in FTS5's, and the conditions for the table beside it.
QUESTIONS = (
    ("the", "the", ""),
    ("president", "president", ""),
    ("the president", "the AND president", ""),
    ('"of the"', '"of the"', ""),
    ('"one of the most"', '"one of the most"', ""),
    ('"the united states"', '"the united states"', ""),
    ("presid*", "presid*", ""),
    ('"of the" -president', '"of the" NOT president', ""),
    ("the site:site5.example", "the", "site = 'site5.example'"),
    ("the author:user777", "the", "author = 'user777'"),
    ("the date:2015", "the", "date >= '2015' AND date < '2016'"),
    ("the date:2015-03..2017-08", "the", "date >= '2015-03' AND date < '2017-09'"),
    (
        '"of the" lang:en date:2015-01',
        '"of the"',
        "language = 'en' AND date >= '2015-01' AND date < '2015-02'",
    ),
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--paragraphs", type=int, default=1_000_000)
    parser.add_argument("--language", default="")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--index", type=Path, default=None)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = paragraphs(arguments.data, arguments.paragraphs, arguments.language)
        times = ours(arguments.index or Path(folder) / "index", made)
        peers: list[float] = []
        if not arguments.no_peer:
            made = paragraphs(arguments.data, arguments.paragraphs, arguments.language)
            peers = theirs(Path(folder) / "fts5.sqlite", made)
    size = f"{arguments.paragraphs:,} paragraphs"
    compared = {
        what: {"FTS5": statistic(peers)} if peers else {}
        for what, statistic in (("median", median), ("slowest", max))
    }
    figures = [
        Figure("corpus", f"question, median, {size}", median(times), unit="ms", peers=compared["median"]),
        Figure("corpus", f"question, slowest, {size}", max(times), unit="ms", peers=compared["slowest"]),
    ]
    write_figures("search", figures)


def paragraphs(data: Path, count: int, language: str) -> Iterator[SearchEntry]:
    """Made-up paragraphs, the same every time; English is a third of them where all languages take part."""
    source = random.Random(1)
    sentences = {
        bank.language: [
            "".join(w.form + " " * w.space_after for w in s) for u in bank.units for s in u.sentences
        ]
        for bank in load(data)
        if language in {"", bank.language}
    }
    names = sorted(sentences)
    weights = [8 if name == "en" else 1 for name in names]
    for name in source.choices(names, weights, k=count):
        day = date(2010, 1, 1) + timedelta(days=source.randrange(6000))
        yield SearchEntry(
            " ".join(source.choices(sentences[name], k=source.randint(1, 6))),
            f"http://site{int(source.paretovariate(0.6)) % 3000}.example/{source.randrange(10**6)}",
            "",
            f"user{int(source.paretovariate(0.6)) % 50_000}",
            day.isoformat(),
            name,
        )


def ours(place: Path, entries: Iterator[SearchEntry]) -> list[float]:
    """Index and ask. Returns the milliseconds that each question takes."""
    taken = []
    started = time.process_time(), time.monotonic()
    index = SearchIndex(place, create=True)
    if not index.is_done("bench", "1"):
        index.add("bench", "1", entries)
        index.close()
    _made("threadmill", started, sum(file.stat().st_size for file in place.iterdir()))
    index = SearchIndex(place)
    for question, _, _ in QUESTIONS:
        for order in ("relevance", "corpus"):
            first = _first(place, question, order)
            spent = _asked(
                f"{question} ({order})",
                lambda q=question, o=order: index.search(parse_query(q), order=o).count,  # type: ignore[misc]
                first,
            )
            taken.append(spent)
    return taken


def _first(place: Path, question: str, order: str) -> float:
    """How long a process takes that has asked nothing before."""
    asks = (
        "import sys; from pathlib import Path; from threadmill.corpus.search.index import SearchIndex; "
        "from threadmill.corpus.search.query import parse_query; index = SearchIndex(Path(sys.argv[1])); "
        "print(index.search(parse_query(sys.argv[2]), order=sys.argv[3]).seconds)"
    )
    words = [sys.executable, "-c", asks, str(place), question, order]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def theirs(place: Path, entries: Iterator[SearchEntry]) -> list[float]:
    """The same with FTS5: the texts and fields in a table, its index on the fields, the words in FTS5."""
    started = time.process_time(), time.monotonic()
    database = sqlite3.connect(place)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("CREATE TABLE p (id INTEGER PRIMARY KEY, text, site, author, date, language)")
    database.execute("CREATE VIRTUAL TABLE words USING fts5(text, content='p', content_rowid='id')")
    numbered = enumerate(entries, 1)
    while group := list(islice(numbered, 10_000)):
        rows = [(at, e.text, e.url.split("/")[2], e.author, e.date, e.language) for at, e in group]
        database.executemany("INSERT INTO p VALUES (?, ?, ?, ?, ?, ?)", rows)
        database.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", [row[:2] for row in rows])
    for name in ("site", "author", "date"):
        database.execute(f"CREATE INDEX by_{name} ON p ({name})")
    database.execute("INSERT INTO words (words) VALUES ('optimize')")
    database.commit()
    _made("FTS5", started, place.stat().st_size)
    taken = []
    for _, words, where in QUESTIONS:
        condition = f" AND {where}" if where else ""
        joined = f"FROM words JOIN p ON p.id = words.rowid WHERE words MATCH ?{condition}"
        ranked = f"SELECT p.* {joined} ORDER BY rank LIMIT 20"
        first = f"SELECT p.* {joined} LIMIT 20"
        count = f"SELECT COUNT(*) {joined}" if where else "SELECT COUNT(*) FROM words WHERE words MATCH ?"
        for name, statement in (("relevance", ranked), ("corpus", first)):

            def ask(statement: str = statement, count: str = count, words: str = words) -> int:
                database.execute(statement, (words,)).fetchall()
                return int(database.execute(count, (words,)).fetchone()[0])

            taken.append(_asked(f"{words} {where} ({name})", ask))
    database.close()
    return taken


def _made(name: str, started: tuple[float, float], octets: int) -> None:
    cpu, wall = time.process_time() - started[0], time.monotonic() - started[1]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name}: {cpu:.0f} s of CPU, {wall:.0f} s, {octets / 1e6:.0f} MB on disk, {memory:.0f} MB resident"
    )


def _asked(name: str, ask: Callable[[], int], first: float | None = None) -> float:
    """Ask six times and print. Returns the median of the later five, in milliseconds."""
    times = []
    for _ in range(6):
        started = time.perf_counter()
        count = ask()
        times.append(1000 * (time.perf_counter() - started))
    begun = times[0] if first is None else 1000 * first
    print(f"  {name:<62} {count:>8,}  first {begun:7.1f} ms, then {median(times[1:]):7.1f}", flush=True)
    return median(times[1:])


if __name__ == "__main__":
    main()
