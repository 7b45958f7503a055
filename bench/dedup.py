"""Near-duplicates: precision and recall against exact Jaccard, speed and memory, beside datasketch and rensa.

python -m bench.dedup [--documents 10000] [--memory 1000000]
python -m bench.dedup --join 2000000    # documents past the memory: signatures in files, sorted keys
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from bench.figures import Figure, at_least, at_most, write_figures
from threadmill.corpus.near_duplicates.detector import DocumentIndex
from threadmill.corpus.near_duplicates.document_join import SignatureWriter, find_duplicates
from threadmill.parallel.parts import Part

THRESHOLD = 0.7


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument(
        "--memory", type=int, default=0, help="also take in so many short documents, for the memory"
    )
    parser.add_argument("--join", type=int, default=0, help="only: join so many documents by their files")
    arguments = parser.parse_args()
    if arguments.join:
        measure_join(arguments.join)
        return
    texts, families = plant(arguments.documents)
    wanted = exact(texts, families)
    words = sum(len(text.split()) for text in texts)
    print(f"{len(texts)} documents, {words / len(texts):.0f} words each, {len(wanted)} of them versions")
    ours = report("threadmill", wanted, texts, threadmill)
    peers: dict[str, tuple[float, ...]] = {}
    for name, peer in (("datasketch", datasketch), ("rensa", rensa)):
        try:
            peers[name] = report(name, wanted, texts, peer)
        except ImportError:
            print(f"{name:<12} not installed")
    bars = (("precision", 0.98), ("recall", 0.97), ("documents per CPU-second", 5000))
    figures = [
        Figure(
            "corpus",
            f"near-duplicates: {what}",
            ours[at],
            at_least(bar),
            peers={n: v[at] for n, v in peers.items()},
        )
        for at, (what, bar) in enumerate(bars)
    ]
    write_figures("dedup", figures)
    if arguments.memory:
        measure_memory(arguments.memory)


def measure_join(count: int, sample: int = 100_000) -> None:
    """The memory and time of a join, and whether its first decisions are those of the index in memory."""
    started = time.process_time()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stream = short_documents(count)
        parts = []
        for number in range(10):
            with (folder / f"{number}.part").open("wb") as file:
                writer = SignatureWriter(file.write)
                for text in islice(stream, -(-count // 10)):
                    writer.add(text)
            parts.append(Part(str(number), ((str(number), ""),), 0, "", {"documents": writer.documents}))
        written, signed = sum(file.stat().st_size for file in folder.iterdir()), time.process_time()
        found = find_duplicates(folder, parts, THRESHOLD)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    seconds = time.process_time()
    print(f"{count:,} documents, {int(found.sum()):,} duplicates; {written / count:.0f} bytes a signature")
    print(f"CPU: {signed - started:.0f} s for texts and signatures, {seconds - signed:.0f} s for the join")
    index = DocumentIndex(THRESHOLD)
    expected = [index.add(text) is not None for text in islice(short_documents(count), sample)]
    wrong = sum(one != other for one, other in zip(expected, found.tolist(), strict=False))
    print(f"at most {most:.2f} GB; {wrong} of the first {len(expected):,} decisions differ")
    figures = [
        Figure("corpus", f"memory of a join of {count:,} documents", round(most, 2), at_most(3), "GB"),
        Figure("corpus", f"decisions of it that differ, of {len(expected):,}", wrong, at_most(0)),
    ]
    write_figures("dedup.join", figures)


def short_documents(count: int, seed: int = 19) -> Iterator[str]:
    """Texts of 40 words, a third of them versions of one of the last 5,000, edited by up to a third."""
    chance = random.Random(seed)
    recent: deque[list[str]] = deque(maxlen=5000)
    for _ in range(count):
        if recent and chance.random() < 1 / 3:
            words = list(chance.choice(recent))
            for _ in range(int(len(words) * chance.random() / 3)):
                words[chance.randrange(len(words))] = f"w{chance.getrandbits(14)}"
        else:
            bits = chance.getrandbits(40 * 14)
            words = [f"w{(bits >> 14 * at) & 0x3FFF}" for at in range(40)]
        recent.append(words)
        yield " ".join(words)


def plant(count: int, seed: int = 7) -> tuple[list[str], list[int]]:
    """Documents of Zipf-like words, a third of them versions of an earlier one, edited by up to a third."""
    chance = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(30_000)]
    weights = [1 / (i + 3) for i in range(len(vocabulary))]
    documents: list[list[str]] = []
    families: list[int] = []
    for number in range(count):
        if documents and chance.random() < 0.35:
            source = chance.randrange(len(documents))
            documents.append(edit(documents[source], chance, vocabulary))
            families.append(families[source])
        else:
            length = int(chance.lognormvariate(5.5, 0.7)) + 20
            documents.append(chance.choices(vocabulary, weights, k=length))
            families.append(number)
    return [" ".join(words) for words in documents], families


def edit(words: list[str], chance: random.Random, vocabulary: list[str]) -> list[str]:
    """A version: words changed here and there, a stretch left out, a stretch added."""
    rate = chance.choice([0.0, 0.01, 0.03, 0.06, 0.1, 0.2])
    changed = [chance.choice(vocabulary) if chance.random() < rate else word for word in words]
    if chance.random() < 0.5:
        start = chance.randrange(len(changed))
        del changed[start : start + int(len(changed) * chance.random() * 0.3)]
    if chance.random() < 0.5:
        at = chance.randrange(len(changed) + 1)
        changed[at:at] = chance.choices(vocabulary, k=int(len(words) * chance.random() * 0.3))
    return changed or words


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Three-word shingles as plain tuples: nothing of the code under test."""
    words = text.lower().split()
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def exact(texts: list[str], families: list[int]) -> set[int]:
    """Documents with an earlier kept document at the threshold; only a family's members can reach it here."""
    kept: dict[int, list[frozenset[tuple[str, ...]]]] = {}
    found = set()
    for number, (text, family) in enumerate(zip(texts, families, strict=True)):
        grams = shingles(text)
        earlier = kept.setdefault(family, [])
        if any(len(grams & other) >= THRESHOLD * len(grams | other) for other in earlier):
            found.add(number)
        else:
            earlier.append(grams)
    return found


def report(
    name: str, wanted: set[int], texts: list[str], method: Callable[[list[str]], Iterable[int]]
) -> tuple[float, float, float]:
    """One line of figures: precision, recall, documents per second."""
    started = time.process_time()
    found = set(method(texts))
    seconds = time.process_time() - started
    right = len(found & wanted)
    precision, recall = right / max(1, len(found)), right / max(1, len(wanted))
    print(f"{name:<12} precision {precision:.4f} recall {recall:.4f} {len(texts) / seconds:,.0f} docs/s CPU")
    return precision, recall, len(texts) / seconds


def threadmill(texts: list[str]) -> Iterable[int]:
    """Ours."""
    index = DocumentIndex(THRESHOLD)
    return [number for number, text in enumerate(texts) if index.add(text) is not None]


def datasketch(texts: list[str]) -> Iterable[int]:
    """MinHash and LSH of datasketch, its own estimate as the judge."""
    from datasketch import MinHash, MinHashLSH  # type: ignore[import-untyped,unused-ignore]

    index = MinHashLSH(threshold=THRESHOLD, num_perm=128)
    sketches: dict[int, Any] = {}
    for number, text in enumerate(texts):
        sketch = MinHash(num_perm=128)
        sketch.update_batch([" ".join(gram).encode() for gram in shingles(text)])
        if any(sketch.jaccard(sketches[key]) >= THRESHOLD for key in index.query(sketch)):
            yield number
        else:
            sketches[number] = sketch
            index.insert(number, sketch)


def rensa(texts: list[str]) -> Iterable[int]:
    """MinHash and LSH of rensa, its own estimate as the judge."""
    from rensa import RMinHash, RMinHashLSH  # type: ignore[import-untyped,unused-ignore]

    index = RMinHashLSH(threshold=THRESHOLD, num_perm=128, num_bands=16)
    sketches: dict[int, Any] = {}
    for number, text in enumerate(texts):
        sketch = RMinHash(num_perm=128, seed=42)
        sketch.update([" ".join(gram) for gram in shingles(text)])
        if any(sketch.jaccard(sketches[key]) >= THRESHOLD for key in index.query(sketch)):
            yield number
        else:
            sketches[number] = sketch
            index.insert(number, sketch)


def measure_memory(count: int) -> None:
    """Resident memory after many documents of 60 words."""
    chance = random.Random(1)
    index = DocumentIndex(THRESHOLD)
    started = time.process_time()
    for _ in range(count):
        index.add(" ".join(str(n) for n in chance.choices(range(100_000), k=60)))
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count:,} documents: {peak:,.0f} MB at most, {count / seconds:,.0f} documents/s CPU")


if __name__ == "__main__":
    main()
