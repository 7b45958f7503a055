"""What holds of dates for every language and every input."""

from datetime import date, datetime

import pytest
from babel import Locale, localedata
from babel.dates import format_date
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.dates_locale import fresh_locale
from threadmill.dates import find_dates, parse_date, read_date_column
from threadmill.dates.lexicon import load_lexicon

NOW = datetime(2026, 11, 15, 12, 0)
DAYS = [
    date(2019, 3, 25),
    date(2008, 10, 9),
    date(2024, 12, 30),
    date(2020, 2, 29),
    date(2017, 4, 20),
    date(2022, 5, 1),
]
LEXICON = load_lexicon()
MAJOR = [name for bit, name in enumerate(LEXICON.languages) if LEXICON.common_languages >> bit & 1]
# One of each script or family beyond the common ones: each costs a lexicon of its own.
OTHERS = ["sw", "am", "ne", "km", "so", "cy", "ga", "zu", "mt", "lb", "gu"]
# English in a script of 1960, whose names begin with a dot; Hindi in Latin letters, left out of the words.
NOT_READ = ("en_Shaw", "hi_Latn")


def order_of(pattern: str) -> str:
    seen = dict.fromkeys(c.lower() for c in pattern if c in "dMyL")
    return "".join(seen).replace("l", "m")


def patterns_of(locale: Locale) -> list[str]:
    skeletons = [locale.datetime_skeletons.get(name) for name in ("yMMMd", "yMMMEd", "yMMMMd", "yMd", "yMEd")]
    found = [*locale.date_formats.values(), *(pattern for pattern in skeletons if pattern)]
    return sorted({str(pattern.pattern) for pattern in found})


@pytest.mark.parametrize("language", [*MAJOR, *OTHERS])
def test_what_cldr_formats_is_read_back(language: str) -> None:
    wrong = []
    for name in localedata.locale_identifiers():
        if name.split("_")[0] != language or name.startswith(NOT_READ):
            continue
        locale = fresh_locale(name)
        for pattern in patterns_of(locale):
            for day in DAYS:
                text = format_date(day, pattern, locale)
                if "M0" in text or "M1" in text:  # the locale has no names of months
                    continue
                moment = parse_date(text, NOW, language=language, order=order_of(pattern))
                if moment is None or moment.date != day:
                    wrong.append((name, pattern, text, moment))
    assert wrong == []


PIECES = st.sampled_from(
    [
        "12",
        "05",
        "2019",
        "99",
        "31",
        "00",
        "2563",
        "20200422",
        ":",
        ".",
        "/",
        "-",
        " ",
        ",",
        "'",
        "(",
        ")",
        "<b>",
        "T",
        "Z",
        '<time datetime="',
        '">',
        "+02:00",
        "am",
        "PM",
        "&nbsp;",
        "&auml;",
        "\u200f",
        "年",
        "月",
        "日",
        "前",
        "\n",
        "#",
        "İ",
        "ß",
        "\ud800",
        "May",
        "ago",
        "3 days",
        "vor",
        "il y a",
        "вчера",
        "a",
        "de",
        "sat",
        "mar",
        "Today",
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=25).map("".join))


@given(TEXTS)
@settings(deadline=None, max_examples=400)
def test_no_text_raises_and_spans_lie_inside_it(text: str) -> None:
    for span in find_dates(text):
        assert 0 <= span.start < span.end <= len(text)
    parse_date(text, NOW)


@given(st.lists(TEXTS, max_size=6))
@settings(deadline=None, max_examples=60)
def test_a_column_has_a_moment_or_none_for_every_cell(cells: list[str]) -> None:
    column = read_date_column(cells, NOW)
    assert len(column.moments) == len(cells)
    assert 0 <= column.confidence <= 1
