"""Speed of threadmill.dates beside dateparser in CPU time, import, memory: python -m bench.dates."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable

from bench.dates_set import NOW, make
from bench.figures import Figure, at_least, at_most, write_figures
from threadmill.dates import find_dates, parse_date

_COST = (
    "import time; a = time.process_time(); import threadmill.dates as d; b = time.process_time(); "
    "d.find_dates('5 May 2019'); c = time.process_time(); "
    "peak = [line for line in open('/proc/self/status') if line.startswith('VmHWM')]; "
    "print(b - a, c - b, int(peak[0].split()[1]) / 1024)"
)


def per_second(read: Callable[[str], object], texts: list[str], seconds: float) -> float:
    """Texts read in a second of processor time."""
    for text in texts[:50]:
        read(text)
    start, count = time.process_time(), 0
    while time.process_time() - start < seconds:
        for text in texts:
            read(text)
            count += 1
            if count % 16 == 0 and time.process_time() - start >= seconds:
                break
    return count / (time.process_time() - start)


def main() -> int:
    """Print all figures."""
    import dateparser
    import dateparser.search

    items = [item for item in make(1, 40) if item.kind != "negative"]
    random.Random(1).shuffle(items)
    texts = [item.text for item in items]
    stamps = [item.text[a:b] for item in items for a, b, label in item.spans[:1] if label == "DATE"]
    ours_detect = per_second(find_dates, texts, 3)
    theirs_detect = per_second(dateparser.search.search_dates, texts, 3)
    ratio = ours_detect / theirs_detect
    print(f"detect     {ours_detect:10,.0f}/s   dateparser {theirs_detect:8,.0f}/s   {ratio:,.0f} times")
    ours = per_second(lambda text: parse_date(text, NOW), stamps, 3)
    theirs = per_second(dateparser.parse, stamps, 3)
    print(f"normalise  {ours:10,.0f}/s   dateparser {theirs:8,.0f}/s   {ours / theirs:,.0f} times")
    done = subprocess.run([sys.executable, "-c", _COST], capture_output=True, text=True, check=True)
    imported, first, memory = map(float, done.stdout.split())
    print(f"import {imported:.3f} s, first text {first:.3f} s, memory {memory:.0f} MB")
    figures = [
        Figure(
            "dates",
            "texts searched per CPU-second",
            ours_detect,
            at_least(5000),
            peers={"dateparser": theirs_detect},
        ),
        Figure("dates", "texts read per CPU-second", ours, at_least(10_000), peers={"dateparser": theirs}),
        Figure("dates", "import", imported, at_most(0.2), "s"),
        Figure("dates", "memory", memory, at_most(60), "MB"),
    ]
    write_figures("dates", figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
