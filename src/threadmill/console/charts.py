"""Charts as SVG, drawn on the server: bars, stacked bars and a line. Colours come from the style sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10

from markupsafe import Markup, escape

_LEFT, _BOTTOM, _TOP = 44, 22, 8  # room for the axes, in pixels
_LEAST_OF_TENTHS = 0.4  # the middle of a smaller axis needs more digits
_LETTER = 6.5  # pixels of a letter of an axis


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """One colour of a chart."""

    name: str
    values: Sequence[float]


def sparkline(values: Sequence[float], title: str, *, width: int = 260, height: int = 44) -> Markup:
    """Small bars without axes."""
    highest = max(values, default=0) or 1
    step = width / max(1, len(values))
    bars = "".join(
        f'<rect x="{number * step:.1f}" y="{height - value / highest * (height - 2):.1f}" '
        f'width="{max(0.8, step - 1):.1f}" height="{value / highest * (height - 2):.1f}"/>'
        for number, value in enumerate(values)
        if value > 0
    )
    return _svg(width, height, title, f'<g class="c1">{bars}</g>', "spark")


def bar_chart(
    labels: Sequence[str], series: Sequence[ChartSeries], title: str, *, width: int = 440, height: int = 220
) -> Markup:
    """Bars over time; several series are stacked. A bar tells its label and values when pointed at."""
    totals = [sum(one.values[number] for one in series) for number in range(len(labels))]
    top = _round_up(max(totals, default=0))
    plot_width, plot_height = width - _LEFT - 8, height - _TOP - _BOTTOM
    step = plot_width / max(1, len(labels))
    parts = [_axes(labels, top, width, height)]
    for number, label in enumerate(labels):
        x, y = _LEFT + number * step, float(_TOP + plot_height)
        shown = ", ".join(f"{one.name} {one.values[number]:,.0f}" for one in series)
        parts.append(f"<g><title>{escape(label)}: {escape(shown)}</title>")
        for place, one in enumerate(series, 1):
            size = one.values[number] / top * plot_height
            y -= size
            if size > 0:
                parts.append(
                    f'<rect class="c{place}" x="{x + 0.5:.1f}" y="{y:.1f}" '
                    f'width="{max(1.0, step - 1.5):.1f}" height="{size:.1f}"/>'
                )
        parts.append("</g>")
    return _svg(width, height, title, "".join(parts)) + _legend(series)


def line_chart(
    labels: Sequence[str],
    series: ChartSeries,
    title: str,
    *,
    width: int = 440,
    height: int = 180,
    top: float = 0,
) -> Markup:
    """One line with a dot for each value."""
    highest = top or _round_up(max(series.values, default=0))
    plot_width, plot_height = width - _LEFT - 8, height - _TOP - _BOTTOM
    step = plot_width / max(1, len(labels))
    points = [
        (_LEFT + (number + 0.5) * step, _TOP + plot_height * (1 - value / highest))
        for number, value in enumerate(series.values)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{escape(label)}: {value:,.2f}</title></circle>'
        for (x, y), label, value in zip(points, labels, series.values, strict=True)
    )
    axes = _axes(labels, highest, width, height)
    body = f'{axes}<polyline class="line" points="{path}"/><g class="c1">{dots}</g>'
    return _svg(width, height, title, body)


def _svg(width: int, height: int, title: str, body: str, kind: str = "chart") -> Markup:
    stretch = ' preserveAspectRatio="none"' if kind == "spark" else ""
    box = f'class="{kind}"{stretch} viewBox="0 0 {width} {height}"'
    head = f'<svg {box} role="img" aria-label="{escape(title)}">'
    return Markup(f"{head}{body}</svg>")  # noqa: S704 -- numbers, and texts that are escaped


def _axes(labels: Sequence[str], top: float, width: int, height: int) -> str:
    plot_height, step = height - _TOP - _BOTTOM, (width - _LEFT - 8) / max(1, len(labels))
    lines = []
    for share in (0.0, 0.5, 1.0):
        y = _TOP + plot_height * (1 - share)
        value = top * share
        text = f"{value:,.0f}" if top >= 2 else f"{value:.1f}" if top >= _LEAST_OF_TENTHS else f"{value:.3g}"
        lines.append(f'<line class="grid" x1="{_LEFT}" x2="{width - 8}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    longest = _LETTER * max(map(len, labels), default=0)
    # The first label begins at the axis and the others are centred: half a label more keeps them apart.
    every = max(1, ceil(len(labels) / 5), ceil(1.5 * longest / step))
    for number in range(0, len(labels), every):
        x = _LEFT + (number + 0.5) * step
        anchor = "start" if number == 0 else "middle"
        lines.append(
            f'<text x="{_LEFT if number == 0 else round(x)}" y="{height - 6}" text-anchor="{anchor}">'
            f"{escape(labels[number])}</text>"
        )
    return "".join(lines)


def _legend(series: Sequence[ChartSeries]) -> Markup:
    if len(series) < 2:
        return Markup()
    items = Markup("").join(
        Markup('<li><span class="key key{}" aria-hidden="true"></span>{}</li>').format(place, one.name)
        for place, one in enumerate(series, 1)
    )
    return Markup('<ul class="legend">{}</ul>').format(items)


def _round_up(value: float) -> float:
    """The next round number: 1, 2, 5, 10, 20 …"""
    if value <= 0:
        return 1.0
    power = 10.0 ** int(log10(value)) if value >= 1 else 10.0 ** (int(log10(value)) - 1)
    return next(power * factor for factor in (1, 2, 5, 10, 20) if power * factor >= value)
