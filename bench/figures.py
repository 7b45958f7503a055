"""Figures as data: every benchmark ends by writing what it measured to bench/results/NAME.json.

    precision = Figure("corpus", "near-duplicates, precision", 0.9995, at_least(0.98), peers={"rensa": 0.948})
    write_figures("dedup", [precision])

`python3 dev.py figures` makes docs/figures.md, its charts and its history from these files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
HISTORY = RESULTS / "history.jsonl"


@dataclass(frozen=True, slots=True)
class Bar:
    """The value a figure must reach."""

    sign: str  # "≥" or "≤"
    value: float

    def is_reached(self, value: float) -> bool:
        """Whether a figure is on the right side."""
        return value >= self.value if self.sign == "≥" else value <= self.value


def at_least(value: float) -> Bar:
    """A bar for figures that should be large."""
    return Bar("≥", value)


def at_most(value: float) -> Bar:
    """A bar for figures that should be small."""
    return Bar("≤", value)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number we measured, with its bar and what peers reach in the same run."""

    part: str  # dates, page, forum, crawl, template, sites, corpus, service, archive
    what: str  # one short phrase; data and unit belong here: "posts found, 4 recorded engines"
    value: float
    bar: Bar | None = None
    unit: str = ""  # "ms", "MB", "×" …
    peers: Mapping[str, float] = field(default_factory=dict)
    held_back: bool = True  # False: measured on data that the code was tuned to

    @property
    def is_reached(self) -> bool | None:
        """Whether the bar is reached; None without a bar."""
        return self.bar.is_reached(self.value) if self.bar else None


def write_figures(bench: str, figures: Sequence[Figure], folder: Path = RESULTS, *, module: str = "") -> None:
    """Replace the figures of one benchmark, and add them to the history. `module` is not in bench/."""
    folder.mkdir(parents=True, exist_ok=True)
    words = ["PATH" if word.startswith("/") else word for word in sys.argv[1:]]  # of this machine alone
    command = " ".join(["python -m", module or f"bench.{bench.partition('.')[0]}", *words])
    now = datetime.now(UTC).strftime("%Y-%m-%d")
    record = {"bench": bench, "command": command, "date": now, "figures": [asdict(f) for f in figures]}
    text = json.dumps(record, ensure_ascii=False, indent=1)
    (folder / f"{bench}.json").write_text(text + "\n", encoding="utf-8")
    with (folder / HISTORY.name).open("a", encoding="utf-8") as history:
        for figure in figures:
            line = {"date": now, "part": figure.part, "what": figure.what, "value": figure.value}
            history.write(json.dumps({**line, "unit": figure.unit}, ensure_ascii=False) + "\n")


def read_figures(folder: Path = RESULTS) -> list[tuple[Figure, str, str]]:
    """Every figure of every benchmark with its command and date, in the order of their names."""
    found = []
    for file in sorted(folder.glob("*.json")):
        record = json.loads(file.read_text(encoding="utf-8"))
        for values in record["figures"]:
            bar = Bar(**values.pop("bar")) if values["bar"] else values.pop("bar")
            found.append((Figure(bar=bar, **values), record["command"], record["date"]))
    return found
