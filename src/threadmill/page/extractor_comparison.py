"""Two extractors on the same page, side by side as an HTML page with the differences in colour."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from html import escape

from threadmill.errors import MissingDependencyError, UsageError

Extractor = Callable[[str], str]

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Threadmill: two extractors side by side</title>
<style>
body{font:15px/1.4 sans-serif;margin:1rem}
table{border-collapse:collapse;width:100%;table-layout:fixed}
td,th{vertical-align:top;padding:.2rem .5rem;border-bottom:1px solid #ddd;text-align:left}
td{overflow-wrap:anywhere}
.left{background:#fde2e2} .right{background:#e0f3e0} .none{background:#f6f6f6}
h2{font-size:1rem;margin-top:2rem}
</style></head><body>
<h1>FIRST and SECOND</h1>
<p>Red: only in the first. Green: only in the second.</p>
"""


def extractor(name: str) -> Extractor:
    """An extractor of other makers by its name."""
    known: dict[str, Callable[[], Extractor]] = {
        "justext": _justext,
        "trafilatura": _trafilatura,
        "resiliparse": _resiliparse,
    }
    if name not in known:
        raise UsageError(f"there is no extractor {name!r} to compare with; known are {', '.join(known)}")
    try:
        return known[name]()
    except ImportError as error:
        raise MissingDependencyError(name, "bench", f"comparing with {name}") from error


def _justext() -> Extractor:
    import justext

    words = justext.get_stoplist("English")
    return lambda html: "\n".join(p.text for p in justext.justext(html, words) if not p.is_boilerplate)


def _trafilatura() -> Extractor:
    from trafilatura import extract

    return lambda html: extract(html) or ""


def _resiliparse() -> Extractor:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html: str(extract_plain_text(html, main_content=True))


def comparison_head(first: str, second: str) -> str:
    """The beginning of the page, up to the first comparison."""
    return _HEAD.replace("FIRST", escape(first)).replace("SECOND", escape(second))


def compare(title: str, first: str, second: str) -> str:
    """One page's two texts as a table; everything in it is escaped."""
    one, two = _lines(first), _lines(second)
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    share = matcher.ratio() if len(one) * len(two) < 4_000_000 else matcher.quick_ratio()
    rows = "".join(_rows(one, two, matcher)) if len(one) * len(two) < 4_000_000 else _unmatched(one, two)
    return (
        f"<h2>{escape(title)}</h2><p>{len(one)} and {len(two)} lines, {share:.0%} alike</p>\n"
        f"<table>{rows}</table>\n"
    )


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _rows(one: list[str], two: list[str], matcher: SequenceMatcher[str]) -> Iterable[str]:
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            for line in one[a:b]:
                yield f"<tr><td>{escape(line)}</td><td>{escape(line)}</td></tr>\n"
            continue
        for i in range(max(b - a, d - c)):
            yield f"<tr>{_cell(one[a:b], i, 'left')}{_cell(two[c:d], i, 'right')}</tr>\n"


def _cell(lines: list[str], i: int, side: str) -> str:
    return f'<td class="{side}">{escape(lines[i])}</td>' if i < len(lines) else '<td class="none"></td>'


def _unmatched(one: list[str], two: list[str]) -> str:
    """Too long to be matched line by line in reasonable time: both as they are."""
    return "".join(
        f"<tr>{_cell(one, i, 'left')}{_cell(two, i, 'right')}</tr>\n" for i in range(max(len(one), len(two)))
    )
