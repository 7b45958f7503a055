"""Draws a terminal as SVG: `python -m tools.terminal_svg < text > picture.svg`. README shows one."""

from __future__ import annotations

import sys
from html import escape

_LETTER, _LINE, _MARGIN = 8.4, 20, 16  # pixels
_TEMPLATE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img"
 aria-label="{label}">
<rect width="100%" height="100%" rx="8" fill="#16202b"/>
<g fill="#3d4f61"><circle cx="20" cy="18" r="6"/><circle cx="40" cy="18" r="6"/>
<circle cx="60" cy="18" r="6"/></g>
<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="#d5dee7"
 xml:space="preserve">
{lines}
</g>
</svg>
"""


def draw(text: str, label: str) -> str:
    """A picture of a terminal that shows a text. Lines that begin with "$ " are what the user typed."""
    lines = text.rstrip("\n").split("\n")
    drawn = []
    for number, line in enumerate(lines):
        colour = ' fill="#8fd3a8"' if line.startswith("$ ") else ""
        place = 36 + _LINE * (number + 1)
        drawn.append(f'<text x="{_MARGIN}" y="{place}"{colour}>{escape(line)}</text>')
    width = 2 * _MARGIN + _LETTER * max(map(len, lines))
    height = 36 + _LINE * (len(lines) + 1)
    return _TEMPLATE.format(width=width, height=height, label=escape(label), lines="\n".join(drawn))


if __name__ == "__main__":
    sys.stdout.write(draw(sys.stdin.read(), "A terminal with a first crawl and its posts"))
