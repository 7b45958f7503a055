"""Makes docs/figures.md, its charts and its history from what the benchmarks wrote to bench/results.

python3 dev.py figures
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.figures import HISTORY, Figure, read_figures

DOCS = Path(__file__).resolve().parents[1] / "docs"
PARTS = ("crawl", "forum", "dates", "page", "template", "corpus", "sites", "service", "archive")
Row = tuple[Figure, str, str]


def main() -> int:
    """Write the pages and the charts."""
    rows = read_figures()
    write_page(rows, DOCS / "figures.md")
    write_history(DOCS / "figures-history.md")
    for part, found in by_part(rows).items():
        with_peers = [figure for figure, _, _ in found if figure.peers]
        if with_peers:
            (DOCS / "charts").mkdir(exist_ok=True)
            (DOCS / "charts" / f"{part}.svg").write_text(draw_chart(with_peers), encoding="utf-8")
    return 0


def by_part(rows: list[Row]) -> dict[str, list[Row]]:
    """The figures of each part, parts in their fixed order."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row[0].part].append(row)
    known = [part for part in PARTS if part in found]
    return {part: found[part] for part in [*known, *sorted(found.keys() - set(PARTS))]}


def write_page(rows: list[Row], file: Path) -> None:
    """One short row per figure."""
    judged = [figure.is_reached for figure, _, _ in rows if figure.bar]
    lines = [
        "# Figures",
        "",
        "`python3 dev.py figures` generates this page from what the benchmarks wrote to `bench/results/`.",
        "✓ means that the bar is reached, ✗ that it is missed. † marks data that the code was tuned to.",
        f"Of {len(judged)} bars, {sum(map(bool, judged))} are reached.",
        "[History](figures-history.md) has the earlier values.",
    ]
    for part, found in by_part(rows).items():
        lines += ["", f"## {part.capitalize()}", ""]
        if any(figure.peers for figure, _, _ in found):
            lines += [f"![{part}: ours and the best peer](charts/{part}.svg)", ""]
        lines += [
            "| what | bar | ours | best peer | | command | date |",
            "| --- | --- | --- | --- | --- | --- | --- |",
        ]
        lines += [format_row(row) for row in found]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def format_row(row: Row) -> str:
    """A figure as one line of the table."""
    figure, command, date = row
    bar = f"{figure.bar.sign} {number(figure.bar.value)}{unit(figure)}" if figure.bar else "–"
    mark = {True: "✓", False: "✗", None: ""}[figure.is_reached]
    what = figure.what + ("" if figure.held_back else " †")
    ours = f"{number(figure.value)}{unit(figure)}"
    return f"| {what} | {bar} | {ours} | {best_peer(figure)} | {mark} | `{command}` | {date} |"


def best_peer(figure: Figure) -> str:
    """The strongest peer with its value."""
    if not figure.peers:
        return "–"
    least = figure.bar is not None and figure.bar.sign == "≤"
    name = (min if least else max)(figure.peers, key=lambda peer: figure.peers[peer])
    return f"{name} {number(figure.peers[name])}{unit(figure)}"


def number(value: float) -> str:
    """A number with as many digits as tell something."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if value == int(value) else f"{value:.4g}"


def unit(figure: Figure) -> str:
    """The unit with a space before it."""
    return f" {figure.unit}" if figure.unit else ""


def write_history(file: Path) -> None:
    """Every value measured so far, newest last, one row per figure."""
    values: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line in HISTORY.read_text(encoding="utf-8").splitlines() if HISTORY.exists() else []:
        entry = json.loads(line)
        shown = f"{number(entry['value'])} ({entry['date']})"
        if shown not in values[entry["part"], entry["what"]]:
            values[entry["part"], entry["what"]].append(shown)
    lines = [
        "# History of figures",
        "",
        "Generated with [figures](figures.md): every value a command has written, newest last.",
    ]
    lines += ["", "| part | what | values |", "| --- | --- | --- |"]
    lines += [
        f"| {part} | {what} | {', '.join(found[-8:])} |" for (part, what), found in sorted(values.items())
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def draw_chart(figures: list[Figure]) -> str:
    """Bars of ours and each peer, scaled per figure, as SVG with a title, a legend and how to read it."""
    part = escape(figures[0].part.capitalize())
    rows: list[str] = [
        f'<text x="10" y="20" class="title">{part}: ours and other tools</text>',
        '<text x="10" y="40">Bars of one heading share a scale that begins at 0. The heading says which is'
        "</text>",
        '<text x="10" y="56">better; the number is the measured value.</text>',
        '<rect x="118" y="66" width="14" height="14" class="ours"/><text x="138" y="77">Threadmill</text>',
        '<rect x="238" y="66" width="14" height="14" class="peer"/><text x="258" y="77">another tool</text>',
    ]
    top = 92
    for figure in figures:
        shown = {"Threadmill": figure.value, **figure.peers}
        most = max(shown.values()) or 1.0
        rows.append(f'<text x="10" y="{top + 12}" class="what">{escape(figure.what + better(figure))}</text>')
        top += 20
        for name, value in shown.items():
            width = max(1, round(300 * value / most))
            kind = "ours" if name == "Threadmill" else "peer"
            rows.append(f'<text x="110" y="{top + 11}" class="name">{escape(name)}</text>')
            rows.append(f'<rect x="118" y="{top}" width="{width}" height="14" class="{kind}"/>')
            label = f"{number(value)}{unit(figure)}"
            rows.append(f'<text x="{124 + width}" y="{top + 11}" class="value">{escape(label)}</text>')
            top += 18
        rows.append(f'<line x1="118" x2="118" y1="{top - 18 * len(shown) - 2}" y2="{top - 2}"/>')
        top += 10
    style = (
        "text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:16px}"
        ".title,.what{font-weight:600}line{stroke:#888}"
        ".name{text-anchor:end}"
        ".ours{fill:#2a6f97}.peer{fill:#c2c9d1}"
        "@media(prefers-color-scheme:dark){text{fill:#ddd}.peer{fill:#5c6670}}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 {top}" width="560" height="{top}">'
    return f"{head}<style>{style}</style>{''.join(rows)}</svg>\n"


def better(figure: Figure) -> str:
    """Which of two values is better, where the bar of the figure says it."""
    if figure.bar is None:
        return ""
    return ", longer is better" if figure.bar.sign == "≥" else ", shorter is better"


if __name__ == "__main__":
    sys.exit(main())
