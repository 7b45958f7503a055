"""CQL on a large index of positions: time to a first page, time of exact counts, memory.

python -m bench.query [--millions 100] [--directory DIR]

A vertical of a million positions is drawn (words by Zipf's law, lemmas and tags that follow them,
sentences of 5 to 30 positions, documents of 20 sentences) and indexed. Its streams are then repeated
until the index has so many million positions, and the lists of positions are made anew. Each question
runs in a process of its own, twice; the second time counts, when the files are in the cache of the
system, as on a machine in use.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.figures import Figure, at_least, at_most, write_figures
from threadmill.api.queries import build_positions
from threadmill.corpus.query.position_index import PositionIndex, make_places

DRAWN = 1_000_000
WORDS = 60_000
QUERIES = {
    "a rare word": '"w5000"',
    "a frequent word": '"w1"',
    "a lemma and a tag": '[lemma="l3" & tag="T1"]',
    "a regular expression": '[word="w12.*"]',
    "case ignored": '"W77"%c',
    "a pair": '[tag="T2"] [lemma="l5"] within s',
    "a gap": '[lemma="l4"] []{0,3} "w9" within s',
    "three tags": '[tag="T1"] [tag="T4"] [tag="T2"] within s',
}
_ASK = """
import json, sys, time
from pathlib import Path
started = time.perf_counter()
from threadmill.corpus.query.concordance import first_matches, lines_of
from threadmill.corpus.query.cql import parse_cql
from threadmill.corpus.query.matches import count_matches
from threadmill.corpus.query.position_index import PositionIndex
index = PositionIndex(Path(sys.argv[1]))
query = parse_cql(sys.argv[2])
opened = time.perf_counter()
lines = list(lines_of(index, first_matches(index, query, 0, 20), 8))
page = time.perf_counter()
count = count_matches(index, query)
counted = time.perf_counter()
found = {"page": 1000 * (page - opened), "count": counted - page, "matches": count, "memory": anonymous()}
print(json.dumps(found))
"""
# Pages of mapped files belong to the cache of the system; what the process itself holds is the rest.
_MEMORY = """
def anonymous():
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 1024
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--millions", type=int, default=100)
    parser.add_argument("--directory", type=Path)
    arguments = parser.parse_args()
    with TemporaryDirectory() as temporary:
        directory = (arguments.directory or Path(temporary)) / "positions"
        if not directory.exists():
            make(directory, arguments.millions)
        results = {name: [ask(directory, query) for _ in range(2)][-1] for name, query in QUERIES.items()}
    for name, found in results.items():
        print(f"{name:<22} first page {found['page']:7.1f} ms, count {found['count']:6.2f} s, "
              f"{found['matches']:>12,.0f} matches, {found['memory']:.0f} MB")  # fmt: skip
    size = f"{arguments.millions} million positions"
    figures = [
        Figure("corpus", f"CQL, slowest first page, ms, {size}", slowest(results, "page"), at_most(100)),
        Figure("corpus", f"CQL, slowest exact count, s, {size}", slowest(results, "count"), at_most(2)),
        Figure("corpus", f"CQL, most memory, MB, {size}", slowest(results, "memory"), at_most(1000)),
        Figure("corpus", "CQL, kinds of questions measured", len(results), at_least(8)),
    ]
    write_figures("query", figures)


def slowest(results: dict[str, dict[str, float]], what: str) -> float:
    """The largest value over all questions."""
    return max(found[what] for found in results.values())


def ask(directory: Path, query: str) -> dict[str, float]:
    """The times and the memory of one question in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY + _ASK, str(directory), query],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, float] = json.loads(done.stdout)
    return found


def make(directory: Path, millions: int) -> None:
    """Draw a vertical, index it, and repeat it."""
    started = time.process_time()
    vertical = directory.with_name("drawn.vert")
    vertical.parent.mkdir(parents=True, exist_ok=True)
    with vertical.open("w", encoding="utf-8") as out:
        out.writelines(draw(np.random.default_rng(1)))
    build_positions([vertical], directory, columns=["word", "lemma", "tag"])
    spent = time.process_time() - started
    print(f"drawn and indexed {DRAWN:,} positions in {spent:.0f} CPU-seconds", flush=True)
    repeat(directory, millions * 1_000_000 // DRAWN)


def draw(random: np.random.Generator) -> list[str]:
    """The lines of the vertical."""
    ranks = np.minimum(random.zipf(1.2, DRAWN), WORDS).tolist()
    lines = []
    at = sentence = 0
    while at < DRAWN:
        if sentence % 20 == 0:
            lines.append(f'<doc url="http://example.org/{sentence}" date="20{10 + sentence % 9}-05-01">\n')
        lines.append("<s>\n")
        end = min(DRAWN, at + int(random.integers(5, 31)))
        lines += [f"w{rank}\tl{rank // 2}\tT{rank % 13}\n" for rank in ranks[at:end]]
        lines.append("</s>\n")
        at, sentence = end, sentence + 1
        if sentence % 20 == 0 or at == DRAWN:
            lines.append("</doc>\n")
    return lines


def repeat(directory: Path, times: int) -> None:
    """Repeat the streams and ranges of an index so many times."""
    index = PositionIndex(directory)
    size, attributes = index.size, list(index.attributes)
    structures = {name: found.attributes for name, found in index.structures.items()}
    del index
    for name, names in structures.items():
        for edge in ("begins", "ends"):
            place = directory / f"{name}.{edge}"
            places = np.fromfile(place, np.int64)
            np.concatenate([places + at * size for at in range(times)]).tofile(place)
        for attribute in names:
            place = directory / f"{name}.{attribute}.stream"
            place.write_bytes(place.read_bytes() * times)
    for name in attributes:
        place = directory / f"{name}.stream"
        octets = place.read_bytes()
        with place.open("ab") as out:
            for _ in range(times - 1):
                out.write(octets)
        make_places(directory / name, size * times)
    bits = np.fromfile(directory / "glue.bits", np.uint8)
    np.zeros(len(bits) * times, np.uint8).tofile(directory / "glue.bits")
    meta = json.loads((directory / "index.json").read_text())
    (directory / "index.json").write_text(json.dumps(meta | {"size": size * times}))


if __name__ == "__main__":
    main()
