"""A fifth held-out check: Django's own locales: date formats, «noon», «midnight», distances from now.

    pip install django
    python -m bench.dates_django [--misses N] [--seed N]

Django is imported late and is no dependency of Threadmill. Spans are exact: a date is what the language's
own date format prints, a time the rest that the letters of time print. First run: docs/figures.md.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from bench.dates_quality import Report, judge, report_figures, show
from bench.dates_set import NEW, NOW, SPEC, Item
from bench.figures import write_figures

# Django's code of a language where it differs from ours.
CODES = {"zh_Hans": "zh-hans", "zh_Hant": "zh-hant", "sr_Cyrl": "sr", "sr_Latn": "sr-latn"}
FORMATS = ("DATE_FORMAT", "DATETIME_FORMAT", "SHORT_DATE_FORMAT", "SHORT_DATETIME_FORMAT", "TIME_FORMAT", "")
DATE_LETTERS, TIME_LETTERS = frozenset("bdDEFjlLmMnNSwyY"), frozenset("aAfgGhHiPs")
# naturaltime says only the largest unit below a day, and two from a day on.
DISTANCES = (
    *({"minutes": n} for n in (1, 2, 5, 40)),
    *({"hours": n} for n in (1, 3, 11, 21)),
    *({"days": n} for n in (1, 2, 5, 6)),
    *({"weeks": n} for n in (1, 2, 3)),
    *({"days": 3, "hours": n} for n in (1, 4)),
    *({"weeks": 2, "days": n} for n in (1, 5)),
)


class Piece(NamedTuple):
    """A run of a formatted date, and what it tells of."""

    text: str
    label: str  # DATE, TIME, or empty for what stands between


def split_format(letters: str, show: Callable[[str], str]) -> list[Piece]:
    """A format's pieces as shown; a backslash makes the next letter a literal."""
    pieces: list[Piece] = []
    escaped = False
    for letter in letters:
        if letter == "\\" and not escaped:
            escaped = True
            continue
        label = "DATE" if letter in DATE_LETTERS else "TIME" if letter in TIME_LETTERS else ""
        pieces.append(Piece(letter, "") if escaped or not label else Piece(show(letter), label))
        escaped = False
    return pieces


def spans_of(pieces: list[Piece], dates: list[str]) -> tuple[tuple[int, int, str], ...]:
    """From the first to the last piece of each label; a date format found whole is the date."""
    spans = []
    text = "".join(piece.text for piece in pieces)
    for label in ("DATE", "TIME"):
        places = [index for index, piece in enumerate(pieces) if piece.label == label]
        if places:
            start = len("".join(piece.text for piece in pieces[: places[0]]))
            end = len("".join(piece.text for piece in pieces[: places[-1] + 1]))
            whole = next((date for date in dates if date in text), None) if label == "DATE" else None
            if whole:
                start, end = min(start, text.index(whole)), max(end, text.index(whole) + len(whole))
            spans.append((start, end, label))
    return tuple(sorted(spans))


def make(seed: int = 11, moments: int = 36) -> Iterator[Item]:
    """Every format of every language at random moments, some at noon or midnight; then distances."""
    from django.utils import translation

    for language in SPEC + NEW:
        rng = random.Random(f"{seed} {language}")
        with translation.override(CODES.get(language, language)):
            for index in range(moments):
                at = NOW - timedelta(minutes=rng.randrange(20 * 1440, 6000 * 1440))
                if index // len(FORMATS) in {1, 4}:
                    at = at.replace(hour=12 if index < moments // 2 else 0, minute=0)
                yield _item(FORMATS[index % len(FORMATS)], at, language)
            for distance in DISTANCES:
                yield _distance(timedelta(**distance), language)


def _item(name: str, at: datetime, language: str) -> Item:
    from django.utils import dateformat, formats

    letters = formats.get_format(name or "DATE_FORMAT") + (
        "" if name else ", P"
    )  # a site's own: noon, 2 p.m.
    pieces = split_format(letters, lambda letter: dateformat.format(at, letter))
    dates = [dateformat.format(at, formats.get_format(name)) for name in ("DATE_FORMAT", "SHORT_DATE_FORMAT")]
    spans = spans_of(pieces, dates)
    labels = {label for _, _, label in spans}
    moment = at.strftime("%Y-%m-%dT%H:%M" if "TIME" in labels else "%Y-%m-%d") if "DATE" in labels else None
    return Item("".join(piece.text for piece in pieces), spans, moment, language, "absolute")


def _distance(distance: timedelta, language: str) -> Item:
    """What naturaltime says of a distance; it reads the clock, so a second is added against rounding."""
    from django.contrib.humanize.templatetags.humanize import NaturalTimeFormatter

    said = NaturalTimeFormatter.string_for(datetime.now() - distance - timedelta(seconds=1))  # noqa: DTZ005 - USE_TZ is off
    text = str(said).replace("\xa0", " ").strip()
    return Item(text, ((0, len(text), "DATE"),), (NOW - distance).date().isoformat(), language, "relative")


def _set_up_django() -> None:
    """Django without a project: only its catalogues."""
    import django
    from django.conf import settings

    settings.configure(
        USE_I18N=True, USE_TZ=False, INSTALLED_APPS=["django.contrib.humanize"], USE_THOUSAND_SEPARATOR=False
    )
    django.setup()


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--seed", type=int, default=11)
    arguments = parser.parse_args()
    try:
        _set_up_django()
    except ImportError:
        print("This check needs Django: pip install django", file=sys.stderr)
        return 2
    absolute, relative = Report(), Report()
    for item in make(arguments.seed):
        judge(item, relative if item.kind == "relative" else absolute)
    for title, report in (("absolute", absolute), ("relative", relative)):
        show(report, title, arguments.misses)
    figures = report_figures(absolute, "Django's formats") + report_figures(relative, "Django's distances")
    write_figures("dates_django", figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
