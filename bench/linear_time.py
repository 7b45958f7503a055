"""Time against length: hostile inputs eight times as long must take about eight times as long, no more.

    python -m bench.linear_time

A quadratic reader would take sixty-four times as long.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator

from bench.figures import Figure, at_most, write_figures
from threadmill.archive import ReadTally
from threadmill.archive.warc_reader import stream_records
from threadmill.corpus.text.languages import language_profile
from threadmill.corpus.text.tokens import Tokeniser
from threadmill.dates import find_dates
from threadmill.page.clean import cut_page
from threadmill.page.parse.tree import parse

UNITS = [
    "1", "12 ", "1.", "12/", "<a ", '<a b="', "&a", "a ", "1 day ", "1 day and ", "may ",
    "12 May 2019 10:15, ",
    "10:15 ", '<i title="12 May 2019">3 days ago</i>', "月日年前天", "_a", "<script>", "de ",
    "a'", "http://", "a@b.",
    "mon ",
]  # fmt: skip
TOKEN_UNITS = ["a.", "-", "1,", "a@", "x/", "'a", "\u0301"]
TOKEN_LANGUAGES = ("en", "fr", "hr")
FALSE_LENGTH = b"WARC/1.0\r\nContent-Length: 60000000\r\n\r\n"
_PARTS = {
    "dates": "dates",
    "tokens": "corpus",
    "archive": "archive",
    "cutting": "page",
}  # → part of the figure
_ratios: list[tuple[str, float]] = []
MOST = 24.0  # times as long; the bar between linear and quadratic

Run = Callable[[int], object]  # takes how often a unit is repeated


def main() -> None:
    """Print the ratio for each unit; those over the bar are marked."""
    figures = []
    parts = {"dates": date_runs, "corpus": token_runs, "archive": archive_runs, "page": page_runs}
    for part, runs in parts.items():
        worst = max(print_ratio(name, run) for name, run in runs())
        figures.append(Figure(part, "time for 8 × the input, the worst kind", worst, at_most(MOST), unit="×"))
    write_figures("linear_time", figures)


def date_runs() -> Iterator[tuple[str, Run]]:
    """Texts that look like the beginning of many dates."""
    for unit in UNITS:
        yield f"dates {unit!r}", lambda repeats, unit=unit: find_dates(unit * repeats)  # type: ignore[misc]


def token_runs() -> Iterator[tuple[str, Run]]:
    """Words that do not end."""
    for language in TOKEN_LANGUAGES:
        cut = Tokeniser(language_profile(language)).forms
        for unit in TOKEN_UNITS:
            yield (
                f"tokens {language} {unit!r}",
                lambda repeats, unit=unit, cut=cut: cut(unit * 10 * repeats),  # type: ignore[misc]
            )


def archive_runs() -> Iterator[tuple[str, Run]]:
    """Archives that lie about their records."""
    yield "archive, false lengths", lambda repeats: read_archive(FALSE_LENGTH * repeats)
    yield "archive, heads without end", lambda repeats: read_archive(b"WARC/1.1\r\n" * 5 * repeats)


def page_runs() -> Iterator[tuple[str, Run]]:
    """Pages of many nodes."""
    yield "cutting, many nodes", lambda repeats: cut_nodes(20 * repeats)


def read_archive(data: bytes) -> int:
    """The number of records of an archive."""
    return sum(1 for _ in stream_records(io.BytesIO(data), "f", ReadTally()))


def cut_nodes(count: int) -> int:
    """The number of blocks of a page of many short text nodes."""
    return len(cut_page(parse(b"<p>" + b"<b>x</b>" * count), keeps_nodes=True).blocks)


def print_ratio(name: str, run: Run) -> float:
    """Measure a short and a long input. Print and return how much longer the long one takes."""
    run(50)
    short, long = min(cost(run, 250) for _ in range(3)), min(cost(run, 2000) for _ in range(2))
    ratio = max(long - 0.05, 0.0) / max(short, 1e-9)  # the constant is for tiny times
    print(f"{name:50} {long / max(short, 1e-9):6.1f} times  {'ok' if ratio < MOST else 'TOO SLOW'}")
    return ratio


def cost(run: Run, repeats: int) -> float:
    """CPU seconds of one run."""
    start = time.process_time()
    run(repeats)
    return time.process_time() - start


if __name__ == "__main__":
    main()
