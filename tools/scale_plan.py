"""Writes docs/scale.md from what was measured and simulated: python -m tools.scale_plan.

bench.scale measured the stages, bench.fleet_model simulated the fleets, bench.dedup and bench.sites_decision
measured the joins. Sizes that nobody measured are computed from these figures; the page says which.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.figures import RESULTS

TARGET = Path(__file__).resolve().parents[1] / "docs" / "scale.md"
TEXT = Path(__file__).resolve().parent / "scale_plan.md"
_SIZES = (1_000, 100_000, 10_000_000)
_STAGES = ("crawl", "clean", "vert", "vert --tags", "forum posts", "forum learn", "template learn", "dedup")
# One month of Common Crawl: pages and WARC files, as the issue of this plan has them; see the sources.
_PAGES, _FILES = 2_700_000_000, 90_000
_CORES = 64  # of a machine
_SITES_READ = 300  # by bench.sites_compare
_FIRST_PAGES = 2_000  # of a forum, in the first crawl


def measured() -> dict[str, float]:
    """Every figure by what it says."""
    found: dict[str, float] = {}
    for file in sorted(RESULTS.glob("*.json")):
        record = json.loads(file.read_text(encoding="utf-8"))
        found |= {figure["what"]: float(figure["value"]) for figure in record["figures"]}
    return found


def render() -> str:
    """The page: the text of tools/scale_plan.md with the tables filled in."""
    values = measured()
    text = TEXT.read_text(encoding="utf-8")
    tables = {
        "STAGES": stage_table(values),
        "FLEETS": fleet_table(values),
        "FIRST": first_crawl_table(values),
        "MONTH": month_table(values),
        "SITES": site_table(values),
    }
    for name, table in tables.items():
        text = text.replace(f"[{name}]", table)
    return text


def stage_table(values: dict[str, float]) -> str:
    """What each stage costs."""
    rows = []
    for stage in _STAGES:
        item = "document" if stage == "dedup" else "page"
        cost = {
            what: values[f"cost of {stage}: {what}"]
            for what in (f"CPU a {item}", f"bytes in a {item}", f"bytes out a {item}", "memory")
        }
        cpu, read, written, memory = cost.values()
        rows.append(
            [
                f"`{stage}`",
                f"{cpu:.1f} ms",
                f"{read / 1000:.1f} kB",
                f"{written / 1000:.1f} kB",
                f"{memory:.0f} MB",
            ]
        )
    return as_table(["stage", "CPU a page", "bytes in", "bytes out", "memory of a process"], rows)


def fleet_table(values: dict[str, float]) -> str:
    """Fleets that keep forums current, by simulation."""
    rows = [
        ("workers (processes)", "workers", "{:,.0f}"),
        ("busy cores", "busy cores", "{:,.2f}"),
        ("requests a second", "requests a second", "{:,.1f}"),
        ("posts a day", "posts a day", "{:,.0f}"),
        ("visits a day", "visits a day", "{:,.0f}"),
        ("wait of a post, median", "wait of a post, median", "{:.1f} h"),
        ("wait of a post, 95 %", "wait of a post, 95 %", "{:.0f} h"),
        ("workers that die a day", "deaths of workers a day", "{:,.0f}"),
        ("visits done again", "visits repeated after deaths", "{:,.0f}"),
    ]
    table = [
        [shown, *(form.format(values[f"fleet of {size:,} forums: {what}"]) for size in _SIZES)]
        for shown, what, form in rows
    ]
    page, post = (
        values["cost of crawl: bytes out a page"],
        values["cost of crawl, database: bytes out a post"],
    )
    for shown, what, octets in (("archive", "requests a second", page), ("database", "posts a day", post)):
        days = 365 * (86_400 if what == "requests a second" else 1)
        sizes = (values[f"fleet of {size:,} forums: {what}"] * days * octets for size in _SIZES)
        table.append([f"{shown}, a year", *map(as_size, sizes)])
    return as_table(["", *(f"{size:,} forums" for size in _SIZES)], table)


def first_crawl_table(values: dict[str, float]) -> str:
    """The first crawl of the same forums, by multiplication."""
    pages = [size * _FIRST_PAGES for size in _SIZES]
    hours = [number * values["cost of crawl: CPU a page"] / 3_600_000 for number in pages]
    octets = [number * values["cost of crawl: bytes out a page"] for number in pages]
    cores = (1, _CORES, 32 * _CORES)
    rows = [
        ["pages", *(f"{number:,}" for number in pages)],
        ["core hours", *(f"{number:,.0f}" for number in hours)],
        ["archive", *map(as_size, octets)],
        ["machines", *(f"{max(1, number // _CORES)} × {min(number, _CORES)} cores" for number in cores)],
        ["days", *(f"{hour / core / 24:,.1f}" for hour, core in zip(hours, cores, strict=True))],
    ]
    return as_table(["", *(f"{size:,} forums" for size in _SIZES)], rows)


def month_table(values: dict[str, float]) -> str:
    """One month of Common Crawl, by multiplication."""
    rows = []
    for stage in ("clean", "vert", "vert --tags"):
        hours = _PAGES * values[f"cost of {stage}: CPU a page"] / 3_600_000
        written = _PAGES * values[f"cost of {stage}: bytes out a page"]
        days = hours / (16 * _CORES) / 24
        rows.append([f"`{stage}`", f"{hours:,.0f}", f"{days:.1f} days", as_size(written)])
    return as_table(["stage", "core hours", f"16 machines of {_CORES} cores", "output"], rows)


def site_table(values: dict[str, float]) -> str:
    """The comparison of sites: the decision measured for 100,000, in proportion for a million."""
    size = f"{_SITES_READ:,} sites of seven pages"
    reading = (values[f"CPU, read, {size}"] + values[f"CPU, collect, {size}"]) / _SITES_READ / 3600  # hours
    seconds = values["decision over 100,000 sites, CPU"]
    memory = values["decision over 100,000 sites, memory"]
    rows = [
        [
            "100,000 (decision measured)",
            f"{1e5 * reading:,.1f} h",
            f"{seconds:,.0f} s",
            as_size(memory * 2**20),
        ],
        [
            "1,000,000 (in proportion)",
            f"{1e6 * reading:,.1f} h",
            f"{10 * seconds / 60:,.0f} min",
            as_size(10 * memory * 2**20),
        ],
    ]
    head = ["sites", "CPU of fetching and reading", "CPU of the decision", "memory of the decision"]
    return as_table(head, rows)


def as_size(octets: float) -> str:
    """Bytes in a unit that people read."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if octets < 1000:
            return f"{octets:.3g} {unit}"
        octets /= 1000
    return f"{octets:.3g} PB"


def as_table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
