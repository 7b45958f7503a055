"""Counts over a corpus: frequency lists, n-grams, collocations, keywords, dispersion, frequency over time.

Formulas: logDice by Rychlý (2008), MI and t-score by Church and Hanks (1990 and 1991), log-likelihood
by Dunning (1993), keywords by Kilgarriff's simple maths (2009), DP by Gries (2008), D by Juilland, ARF
by Savický and Hlaváčová (2002).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from threadmill.corpus.query.matches import all_matches, find_matches
from threadmill.corpus.query.position_index import Flags, Places, PositionIndex, StructureRanges
from threadmill.errors import UsageError

_BLOCK = 1 << 21  # n-grams that are sorted at once
_SMOOTHING = 1.0  # simple maths: added to both frequencies per million
_PARTS = 100  # equal parts of the corpus for Juilland's D


@dataclass(frozen=True, slots=True)
class FrequencyLine:
    """A value with its frequency."""

    value: str
    count: int
    per_million: float


@dataclass(frozen=True, slots=True)
class Collocate:
    """A value that occurs near the matches of a query."""

    value: str
    count: int  # together
    frequency: int  # in the corpus
    log_dice: float
    mi: float
    t_score: float
    log_likelihood: float


@dataclass(frozen=True, slots=True)
class Keyword:
    """A value that is more frequent here than in another corpus."""

    value: str
    count: int
    reference_count: int
    score: float
    log_likelihood: float
    log_ratio: float


@dataclass(frozen=True, slots=True)
class Dispersion:
    """How evenly the matches of a query are spread."""

    count: int
    documents: int  # with a match
    all_documents: int
    dp: float  # 0: as even as can be; 1: all in the smallest document
    juilland_d: float  # 1: as even as can be
    arf: float  # average reduced frequency


def frequency_list(
    index: PositionIndex, attribute: str = "word", *, pattern: str = "", least: int = 1, limit: int = 100
) -> list[FrequencyLine]:
    """The most frequent values of an attribute that match a regular expression."""
    values = index.attribute(attribute)
    counts = values.counts.copy()
    if pattern:
        counts[~values.lexicon.matching(pattern)] = 0
    numbers = np.flatnonzero(counts >= max(1, least))
    lines = [(values.lexicon[n], int(counts[n])) for n in _most_frequent(numbers, counts[numbers], limit)]
    return [_frequency(value, count, index.size) for value, count in _sorted(lines)[:limit]]


def _most_frequent(numbers: Places, counts: Places, limit: int) -> list[int]:
    """At least the `limit` most frequent, with all that are as frequent as the last."""
    if len(numbers) > limit:
        border = np.partition(counts, len(counts) - limit)[len(counts) - limit]
        numbers = numbers[counts >= border]
    return numbers.tolist()  # type: ignore[no-any-return]


def _sorted(lines: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(lines, key=lambda line: (-line[1], line[0]))


def _frequency(value: str, count: int, size: int) -> FrequencyLine:
    return FrequencyLine(value, count, 1e6 * count / max(1, size))


def ngrams(
    index: PositionIndex, length: int = 2, attribute: str = "word", *, least: int = 2, limit: int = 100
) -> list[FrequencyLine]:
    """The most frequent sequences of values inside sentences. Parts are counted in turn, to save memory."""
    if not 1 <= length <= 8:
        raise UsageError(f"n-grams have 1 to 8 positions, not {length}")
    values = index.attribute(attribute)
    parts = max(1, math.ceil(index.size / _BLOCK))
    best: list[tuple[tuple[int, ...], int]] = []
    for part in range(parts):
        rows, counts = _count_rows(_rows_of_part(index, attribute, length, part, parts))
        chosen = np.flatnonzero(counts >= least)
        found = [
            (tuple(rows[at].tolist()), int(counts[at]))
            for at in chosen[_most_frequent_rows(counts[chosen], limit)]
        ]
        best = _largest(best + found, limit)
    lines = [(" ".join(values.lexicon[n] for n in row), count) for row, count in best]
    return [_frequency(value, count, index.size) for value, count in _sorted(lines)[:limit]]


def _most_frequent_rows(counts: Places, limit: int) -> Places:
    return np.array(_most_frequent(np.arange(len(counts)), counts, limit), np.int64)


def _largest(entries: list[tuple[tuple[int, ...], int]], limit: int) -> list[tuple[tuple[int, ...], int]]:
    """The largest entries, with all that are as large as the last of them."""
    entries.sort(key=lambda entry: -entry[1])
    if len(entries) <= limit:
        return entries
    return [entry for entry in entries if entry[1] >= entries[limit - 1][1]]


def _rows_of_part(index: PositionIndex, attribute: str, length: int, part: int, parts: int) -> Places:
    """The n-grams whose first value belongs to this part, one a row."""
    stream = index.attribute(attribute).stream
    found = []
    for at in range(0, index.size, _BLOCK):
        block = np.asarray(stream[at : at + _BLOCK + length - 1], np.int32)  # `parts` may exceed a byte
        firsts = np.flatnonzero(block[:_BLOCK] % parts == part)
        firsts = firsts[firsts + length <= len(block)]
        firsts = firsts[_in_one_sentence(index, firsts + at, length)]
        found.append(np.stack([block[firsts + step] for step in range(length)], axis=1))
    return np.concatenate(found).astype(np.int64) if found else np.zeros((0, length), np.int64)


def _in_one_sentence(index: PositionIndex, begins: Places, length: int) -> Flags:
    sentences = index.structures.get("s")
    if sentences is None or length == 1:
        return np.ones(len(begins), np.bool_)
    around = sentences.of(begins)
    return np.logical_and(around >= 0, begins + length <= sentences.ends[np.maximum(around, 0)])


def _count_rows(rows: Places) -> tuple[Places, Places]:
    """The different rows and how often each occurs."""
    if not len(rows):
        return rows, np.zeros(0, np.int64)
    rows = rows[np.lexsort(rows.T[::-1])]
    starts = np.flatnonzero(np.concatenate(([True], (rows[1:] != rows[:-1]).any(axis=1))))
    return rows[starts], np.diff(np.concatenate((starts, [len(rows)])))


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What counts as near: values of an attribute, so many positions to the left and to the right."""

    attribute: str = "word"
    left: int = 5
    right: int = 5


def collocations(
    index: PositionIndex,
    query: str,
    near: Neighbourhood,
    *,
    least: int = 3,
    by: str = "log_dice",
    limit: int = 50,
) -> list[Collocate]:
    """Values near the matches of a query, in the same sentence. The matches themselves do not count."""
    if by not in ("log_dice", "mi", "t_score", "log_likelihood", "count"):
        raise UsageError(
            f"collocates are sorted by log_dice, mi, t_score, log_likelihood or count, not {by!r}"
        )
    values = index.attribute(near.attribute)
    together = np.zeros(len(values.lexicon), np.int64)
    matches = 0
    for part in find_matches(index, query):
        matches += len(part)
        for step in range(1, max(near.left, near.right) + 1):
            sides = ((part.begins - step, step <= near.left), (part.ends + step - 1, step <= near.right))
            for places, wanted in sides:
                if wanted:
                    inside = places[_same_sentence(index, part.begins, places)]
                    together += np.bincount(values.stream[inside], minlength=len(together))
    found = [
        _collocate(values.lexicon[n], int(together[n]), int(values.counts[n]), matches, index.size)
        for n in np.flatnonzero(together >= max(1, least)).tolist()
    ]
    return sorted(found, key=lambda line: (-getattr(line, by), line.value))[:limit]


def _same_sentence(index: PositionIndex, begins: Places, places: Places) -> Flags:
    """Which positions lie in the corpus and in the sentence of the match."""
    inside = (places >= 0) & (places < index.size)
    sentences = index.structures.get("s")
    if sentences is None:
        return inside
    around = sentences.of(begins)
    same: Flags = sentences.of(places) == around
    return inside & (around >= 0) & same


def _collocate(value: str, together: int, frequency: int, matches: int, size: int) -> Collocate:
    expected = matches * frequency / size
    return Collocate(
        value,
        together,
        frequency,
        log_dice=14 + math.log2(2 * together / (matches + frequency)),
        mi=math.log2(together / expected),
        t_score=(together - expected) / math.sqrt(together),
        log_likelihood=log_likelihood(together, matches, frequency, size),
    )


def log_likelihood(together: int, first: int, second: int, size: int) -> float:
    """Dunning's G² of a table with four cells. Cells that a wide window makes negative do not count."""
    cells = (
        (together, first, second),
        (first - together, first, size - second),
        (second - together, size - first, second),
        (size - first - second + together, size - first, size - second),
    )
    total = 0.0
    for observed, row, column in cells:
        if observed > 0 and row > 0 and column > 0:
            total += observed * math.log(observed * size / (row * column))
    return 2 * total


def keywords(
    index: PositionIndex,
    reference: PositionIndex,
    attribute: str = "word",
    *,
    least: int = 3,
    limit: int = 100,
) -> list[Keyword]:
    """Values that are more frequent here than in the reference corpus, by simple maths."""
    mine, other = index.attribute(attribute), reference.attribute(attribute)
    found = []
    for number in np.flatnonzero(mine.counts >= max(1, least)).tolist():
        value = mine.lexicon[number]
        there = other.lexicon.number(value)
        counts = int(mine.counts[number]), int(other.counts[there]) if there is not None else 0
        found.append(_keyword(value, counts, (index.size, reference.size)))
    return sorted(found, key=lambda line: (-line.score, line.value))[:limit]


def _keyword(value: str, counts: tuple[int, int], sizes: tuple[int, int]) -> Keyword:
    here, there = (1e6 * count / max(1, size) for count, size in zip(counts, sizes, strict=True))
    both = sum(counts)
    likelihood = 0.0
    for count, size in zip(counts, sizes, strict=True):
        if count:
            likelihood += 2 * count * math.log(count * sum(sizes) / (both * size))
    # Half an occurrence stands for none, so that the ratio is finite.
    smallest = 1e6 * 0.5 / max(1, sizes[1])
    ratio = math.log2(here / (there or smallest))
    return Keyword(value, *counts, (here + _SMOOTHING) / (there + _SMOOTHING), likelihood, ratio)


def dispersion(index: PositionIndex, query: str) -> Dispersion:
    """How evenly the matches of a query are spread over documents and over the corpus."""
    begins = all_matches(index, query).begins
    documents = index.structures.get("doc")
    count = len(begins)
    if not count:
        return Dispersion(0, 0, len(documents) if documents else 0, 0.0, 0.0, 0.0)
    by_document = np.zeros(0, np.int64)
    dp = 0.0
    if documents is not None and len(documents):
        around = documents.of(begins)
        by_document = np.bincount(around[around >= 0], minlength=len(documents))
        shares = (documents.ends - documents.begins) / max(1, int((documents.ends - documents.begins).sum()))
        dp = float(np.abs(by_document / count - shares).sum() / 2)
    return Dispersion(
        count,
        int((by_document > 0).sum()),
        len(by_document),
        dp,
        _juilland(begins, index.size),
        _arf(begins, index.size),
    )


def _juilland(begins: Places, size: int) -> float:
    parts = min(_PARTS, size)
    counts = np.bincount(begins * parts // size, minlength=parts)
    if parts < 2:
        return 1.0
    return float(1 - counts.std() / counts.mean() / math.sqrt(parts - 1))


def _arf(begins: Places, size: int) -> float:
    """The average reduced frequency: matches close together count less."""
    distances = np.diff(np.concatenate((begins, [begins[0] + size])))
    average = size / len(begins)
    return float(np.minimum(distances, average).sum() / average)


def frequency_over_time(
    index: PositionIndex, query: str, *, per: str = "year", attribute: str = "date"
) -> list[FrequencyLine]:
    """Matches by the date of their post or document, with the frequency per million positions of that time.

    The posts of a thread may be years apart, so a post counts by its own date.
    """
    length = {"year": 4, "month": 7, "day": 10}.get(per)
    if length is None:
        raise UsageError(f"time is counted per year, month or day, not per {per}")
    posts = index.structures.get("post")
    if posts is None or attribute not in posts.attributes:
        levels = [index.structure("doc")]
    else:
        levels = [posts, *(one for one in [index.structure("doc")] if attribute in one.attributes)]
    times = [_times(level, attribute, length) for level in levels]
    sizes: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    outer = levels[1] if len(levels) > 1 else None
    for level, shown in zip(levels, times, strict=True):
        lengths = level.ends - level.begins
        if level is outer:  # what is inside a post was counted there
            around = level.of(levels[0].begins)
            inside = around >= 0
            np.subtract.at(lengths, around[inside], (levels[0].ends - levels[0].begins)[inside])
        for time, size in zip(shown, lengths.tolist(), strict=True):
            sizes[time] += size
    for part in find_matches(index, query):
        begins = part.begins
        for level, shown in zip(levels, times, strict=True):
            around = level.of(begins)
            counts.update(shown[number] for number in around[around >= 0].tolist())
            begins = begins[around < 0]
    return [_frequency(time, counts[time], sizes[time]) for time in sorted(sizes) if len(time) == length]


def _times(ranges: StructureRanges, attribute: str, length: int) -> list[str]:
    """The date of each range, cut to a year, a month or a day."""
    lexicon, stream = ranges.values(attribute)
    known = [lexicon[number][:length] for number in range(len(lexicon))]
    return [known[number] for number in stream.tolist()]
