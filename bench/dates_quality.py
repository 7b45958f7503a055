"""Measures threadmill.dates on the held-out set, every bar: python -m bench.dates_quality [--misses N]."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from bench.dates_set import NEW, NOW, ColumnItem, Item, make, make_columns
from bench.figures import Bar, Figure, at_least, at_most, write_figures
from threadmill.dates import find_dates, parse_date, read_date_column


@dataclass
class Tally:
    """Hits, misses and false alarms of one label."""

    right: int = 0
    found: int = 0
    wanted: int = 0

    @property
    def f1(self) -> float:
        """Exact-span F1."""
        return 2 * self.right / (self.found + self.wanted) if self.found + self.wanted else 1.0


@dataclass
class Report:
    """Everything measured, and the misses by kind."""

    spans: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    moments: Counter[str] = field(default_factory=Counter)
    misses: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    negatives: int = 0
    alarms: int = 0


def is_ambiguous(item: Item) -> bool:
    """Whether the text has only numbers, two of which could be the month: no reader of one text can know."""
    if item.moment is None or item.kind in {"relative", "exact"}:
        return False
    day, month = int(item.moment[8:10]), int(item.moment[5:7])
    dates = [item.text[a:b] for a, b, label in item.spans if label == "DATE"]
    numeric = all(not any(c.isalpha() for c in d) and not d[:4].isdigit() for d in dates)
    return numeric and day <= 12 and day != month


def judge(item: Item, report: Report) -> None:
    """Add one text to the report."""
    found = {(span.start, span.end, span.label) for span in find_dates(item.text)}
    if item.kind == "negative":
        report.negatives += 1
        if any(label == "DATE" for _, _, label in found):
            report.alarms += 1
            report.misses["negative"].append(f"{item.text!r} {_show(item.text, found)}")
        return
    group = "new" if item.language in NEW else "spec"
    for label in ("DATE", "TIME"):
        ours = {span for span in found if span[2] == label}
        wanted = {span for span in item.spans if span[2] == label}
        tally = report.spans[f"{label} {group}"]
        tally.right += len(ours & wanted)
        tally.found += len(ours)
        tally.wanted += len(wanted)
        if ours != wanted:
            report.misses[f"span {item.language}"].append(f"{item.text!r} {_show(item.text, ours)}")
    judge_moment(item, report)


def judge_moment(item: Item, report: Report) -> None:
    """Add to the report whether the moment of a text is read."""
    if is_ambiguous(item) or item.moment is None:
        return
    group = "new" if item.language in NEW else "spec"
    moment = parse_date(item.text, NOW)
    report.moments[f"{group} all"] += 1
    right = moment is not None and moment.date.isoformat() == item.moment[:10]
    report.moments[f"{group} right"] += right
    if not right:
        got = moment.isoformat() if moment else None
        report.misses[f"moment {item.language}"].append(f"{item.text!r} {got} for {item.moment}")
    elif item.kind != "relative" and "T" in item.moment:
        report.moments["time all"] += 1
        same = (
            moment is not None
            and moment.time is not None
            and moment.time.isoformat()[:5] == item.moment[11:16]
        )
        report.moments["time right"] += same
        if not same:
            report.misses[f"time {item.language}"].append(f"{item.text!r} {moment}")


def _show(text: str, spans: set[tuple[int, int, str]]) -> list[str]:
    return [f"{label} {text[start:end]!r}" for start, end, label in sorted(spans)]


def show(report: Report, title: str, misses: int) -> None:
    """Print the figures of one report, and so many misses of each kind."""
    for name, tally in sorted(report.spans.items()):
        if tally.wanted:
            print(f"{title} {name} F1 {tally.f1:.4f} of {tally.wanted}")
    print(title, dict(report.moments), f"alarms {report.alarms} of {report.negatives}")
    for kind, texts in sorted(report.misses.items()):
        for text in texts[:misses]:
            print(f"{title} {kind} ({len(texts)}): {text}")


def report_figures(report: Report, data: str) -> list[Figure]:
    """The figures of a report on other data than the generated set, with the same bars."""
    named = {f"{name} F1": tally.f1 for name, tally in sorted(report.spans.items()) if tally.wanted}
    if report.negatives:
        named["false alarms"] = report.alarms / report.negatives
    for group in ("spec", "new"):
        if report.moments[f"{group} all"]:
            named[f"date right {group}"] = report.moments[f"{group} right"] / report.moments[f"{group} all"]
    if report.moments["time all"]:
        named["time right"] = report.moments["time right"] / report.moments["time all"]
    return [Figure("dates", f"{name}, {data}", value, _bar_of(name)) for name, value in named.items()]


def run(items: Iterable[Item], description: str, bench: str, data: str) -> int:
    """The command of a check that is one list of items."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--misses", type=int, default=0, help="show so many misses of each kind")
    arguments = parser.parse_args()
    report = Report()
    for item in items:
        judge(item, report)
    show(report, "all", arguments.misses)
    write_figures(bench, report_figures(report, data))
    return 0


def judge_columns(items: list[ColumnItem], misses: list[str]) -> tuple[float, float, float]:
    """Shares of cells and of whole columns right, where there are two days to tell an order by; and of all
    columns the share that is right or hands on the right reading among several."""
    cells = right = whole = offered = settleable = 0
    for item in items:
        column = read_date_column(item.cells, NOW)
        got = [moment.date.isoformat() if moment else "" for moment in column.moments]
        same = sum(a == b for a, b in zip(got, item.moments, strict=True))
        if len(set(item.moments)) > 1:  # a single day says nothing of the order of its numbers
            cells, right, whole = cells + len(got), right + same, whole + (same == len(got))
            settleable += 1
        readings = [[m.date.isoformat() if m else "" for m in r.moments] for r in column.readings]
        offered += same == len(got) or list(item.moments) in readings
        if same != len(got) and len(set(item.moments)) > 1:
            misses.append(
                f"{item.kind} {item.cells[:6]} {got[:6]} for {item.moments[:6]} {column.confidence}"
            )
    return right / cells, whole / settleable, offered / len(items)


def measure(seed: int = 1, per_language: int = 120, columns: int = 1500) -> tuple[dict[str, float], Report]:
    """Every figure by name."""
    report = Report()
    for item in make(seed, per_language):
        judge(item, report)
    cells, whole, offered = judge_columns(list(make_columns(seed + 1, columns)), report.misses["column"])
    figures = {f"{name} F1": tally.f1 for name, tally in sorted(report.spans.items())}
    figures["false alarms"] = report.alarms / report.negatives
    for group in ("spec", "new"):
        figures[f"date right {group}"] = report.moments[f"{group} right"] / report.moments[f"{group} all"]
    figures["time right"] = report.moments["time right"] / report.moments["time all"]
    figures |= {
        "column cells right": cells,
        "whole columns right": whole,
        "columns right or offered": offered,
    }
    return figures, report


BARS = {  # a negative bar is an upper one
    "DATE spec F1": 0.98,
    "DATE new F1": 0.97,
    "TIME spec F1": 0.985,
    "TIME new F1": 0.985,
    "false alarms": -0.01,  # at most
    "date right spec": 0.985,
    "date right new": 0.97,
    "time right": 0.985,
    "column cells right": 0.999,
    "whole columns right": 0.99,
}


def main() -> int:
    """Print each figure beside its bar; 1 when one is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", type=int, default=0, help="show so many misses of each kind")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    figures, report = measure(arguments.seed)
    failed = 0
    for name, value in figures.items():
        bar = BARS.get(name)
        if bar is None:
            print(f"{name:28} {value:.4f}")
            continue
        missed = value > -bar if bar < 0 else value < bar
        failed += missed
        print(f"{name:28} {value:.4f}  bar {abs(bar)}{'  MISSED' if missed else ''}")
    write_figures("dates_quality", [_as_figure(name, value) for name, value in figures.items()])
    for kind, texts in sorted(report.misses.items()):
        for text in texts[: arguments.misses]:
            print(f"{kind} ({len(texts)}): {text}")
    return int(failed > 0)


def _as_figure(name: str, value: float) -> Figure:
    """A figure of this bench. The set was used for tuning long ago."""
    return Figure("dates", f"{name}, generated set", value, _bar_of(name), held_back=False)


def _bar_of(name: str) -> Bar | None:
    bar = BARS.get(name)
    return None if bar is None else at_most(-bar) if bar < 0 else at_least(bar)


if __name__ == "__main__":
    sys.exit(main())
