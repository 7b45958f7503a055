"""The join of site vectors, measured in CPU seconds: generated vectors, terms by Zipf's law."""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from bench.figures import Figure, at_most, write_figures
from threadmill.sites.decide.sparse_vectors import Vectors, join_by_cosine

_TERMS = 48_232  # of the source's vocabulary
_WORDS = 300  # of a site's text that are in the vocabulary: about 240 different terms
_TOPIC_SHARE = 0.3  # of the words, drawn from the site's trade


def generate(sites: int, words: int = _WORDS, seed: int = 8) -> Vectors:
    """TF-IDF vectors of sites: words by Zipf and of one of 500 trades, each hundredth a copy."""
    chance = np.random.default_rng(seed)
    shares = 1 / (np.arange(_TERMS) + 2.7)
    ladder = np.cumsum(shares / shares.sum())
    topics = chance.integers(200, _TERMS, (500, 300))
    counts: list[tuple[np.ndarray, np.ndarray]] = []
    for site in range(sites):
        if site % 100 == 99:  # a near copy of the one before: four fifths of its words
            terms, count = counts[-1]
            kept = chance.random(len(terms)) < 0.8
            counts.append((terms[kept], count[kept]))
            continue
        general = np.searchsorted(ladder, chance.random(int(words * (1 - _TOPIC_SHARE))))
        topic = topics[chance.integers(500)][chance.integers(0, 300, int(words * _TOPIC_SHARE))]
        terms, count = np.unique(np.concatenate([general, topic]), return_counts=True)
        counts.append((terms.astype(np.int32), count.astype(np.int32)))
    return _weigh(counts, sites)


def _weigh(counts: list[tuple[np.ndarray, np.ndarray]], sites: int) -> Vectors:
    starts = np.concatenate([[0], np.cumsum([len(terms) for terms, _ in counts])]).astype(np.int64)
    columns = np.minimum(np.concatenate([terms for terms, _ in counts]), _TERMS - 1).astype(np.int32)
    frequency = np.bincount(columns, minlength=_TERMS)
    values = np.concatenate([count for _, count in counts]) * np.log(sites / frequency[columns])
    rows = np.repeat(np.arange(sites), np.diff(starts))
    norms = np.sqrt(np.bincount(rows, values * values, sites))
    return Vectors(starts, columns, (values / norms[rows]).astype(np.float32), _TERMS)


def main() -> None:
    """Print seconds and memory for some sizes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int, default=[10_000])
    parser.add_argument("--floor", type=float, default=0.3)
    parser.add_argument(
        "--words", type=int, default=_WORDS, help="of a site: 300 make 247 terms, 600 make 446"
    )
    arguments = parser.parse_args()
    figures: list[Figure] = []
    for size in arguments.sizes:
        vectors = generate(size, arguments.words)
        begun = time.process_time()
        pairs = sum(1 for _ in join_by_cosine(vectors, arguments.floor))
        spent = time.process_time() - begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        terms = len(vectors.columns) / size
        print(
            f"{size:>7} sites of {terms:.0f} terms, floor {arguments.floor}: {spent:6.2f} s of CPU, "
            f"{pairs} pairs, peak {peak:.0f} MB"
        )
        bar = {10_000: at_most(3), 100_000: at_most(90)}.get(size)
        figures.append(Figure("sites", f"join of {size:,} sites of {terms:.0f} terms, CPU", spent, bar, "s"))
    write_figures("sites", figures)


if __name__ == "__main__":
    main()
