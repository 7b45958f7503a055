"""Reads dates and times that are written in numbers: 05/12/2019, 20190512, 10:46 PM, 21:33:05+02:00."""

from __future__ import annotations

import re

from threadmill.dates.lexicon import load_lexicon
from threadmill.dates.patterns import (
    ALL_LANGUAGES,
    PatternMatch,
    dot_belongs_to_date,
    end_before_foreign_suffix,
    era_of,
    named_values,
    span_of,
    weekdays_of,
)
from threadmill.dates.written_dates import (
    NamedValue,
    WrittenDate,
    WrittenTime,
    possible_orders,
)


def read_numeric(match: PatternMatch) -> WrittenDate | None:
    """Read a date of three numbers."""
    numbers = tuple(match.number(group) or 0 for group in "abc")
    widths = tuple(match.width(group) for group in "abc")
    separator = match.letter("sep")
    if not possible_orders(numbers, widths):
        return None
    dot = match.token("dot")
    cut = _end_without_suffix(match) if match.token("tail") >= 0 else None
    if dot >= 0 and not dot_belongs_to_date(match, separator):
        cut = dot
    return WrittenDate(
        *span_of(match, cut),
        "numeric",
        numbers=numbers,
        widths=widths,
        separator=separator,
        weekdays=weekdays_of(match) if cut is None else named_values(match.senses("weekday", "weekday")),
        era=era_of(match),
    )


def _end_without_suffix(match: PatternMatch) -> int | None:
    """Return where the date ends when the word after it is not part of it.

    In «25. 9. 2012 a od té doby» it is not, in «25.09.2012 r.» it is.
    """
    index = match.token("tail")
    single = match.width("tail") == 1 and match.tokens.text[match.tokens.starts[index]].isascii()
    word = single and match.token("taildot") < 0 and match.tokens.letters[index - 1] == " "
    return end_before_foreign_suffix(match, 0 if word else ALL_LANGUAGES)


def read_compact(match: PatternMatch) -> WrittenDate | None:
    """Read a date of digits without separators: 20200422."""
    value = match.number("compact") or 0
    value //= 10 ** (match.width("compact") - 8)
    return WrittenDate(
        *span_of(match),
        "compact",
        day=value % 100,
        months=(NamedValue(value // 100 % 100, ALL_LANGUAGES),),
        year=value // 10000,
        year_width=4,
    )


def read_epoch(match: PatternMatch) -> WrittenDate | None:
    """Read seconds or milliseconds since 1970."""
    value = match.number("epoch") or 0
    if match.width("epoch") == 13:
        value //= 1000
    if not 0 < value < 2_556_144_000:  # the year 2051
        return None
    return WrittenDate(*span_of(match), "epoch", numbers=(value,))


def read_partial(match: PatternMatch) -> WrittenDate | None:
    """Read a day and a month as numbers."""
    a, b = match.number("a") or 0, match.number("b") or 0
    if not (1 <= a <= 31 and 1 <= b <= 31 and min(a, b) <= 12):
        return None
    return WrittenDate(
        *span_of(match),
        "partial",
        numbers=(a, b),
        widths=(match.width("a"), match.width("b")),
        separator=match.letter("sep"),
        weekdays=weekdays_of(match),
    )


def read_month_year(match: PatternMatch) -> WrittenDate | None:
    """Read a month as a number, and a year."""
    if match.token("a") >= 0:
        month, year = match.number("a"), match.number("b")
    else:
        month, year = match.number("mnum"), match.number("year")
    if month is None or not 1 <= month <= 12:
        return None
    return WrittenDate(
        *span_of(match), "monthyear", months=(NamedValue(month, ALL_LANGUAGES),), year=year, year_width=4
    )


_CJK = re.compile("[\u3400-\u9fff\uac00-\ud7af]")
_TEXT_ENDS = frozenset(["", *"<,.)|"])


def read_time(match: PatternMatch) -> WrittenTime | None:
    """Read the time of day of a match; None when the numbers are no time."""
    if match.name == "hourword":
        return _read_hour_word(match)
    hour, minute, second = match.number("hour"), match.number("minute"), match.number("second")
    if hour is None or hour > 24 or (minute or 0) > 59 or (second or 0) > 60:
        return None
    if hour == 24 and (minute or second):
        return None
    if match.name == "half" and not _is_day_period_word(match):
        return None
    period, cut, zone = "", None, None
    if match.token("half") >= 0 or not _ends_with_number(match):
        period, cut = _read_day_period(match, hour)
        if match.name == "half" and not period:
            return None
        if cut is None:
            zone, cut = _read_zone(match)
    start, end, first, last = span_of(match, cut)
    if match.name == "oclock" or _is_short_preposition(match):
        first = match.token("hour")
        start = match.tokens.starts[first]
        period = period if match.name != "oclock" and match.token("half2") >= 0 else ""
    return WrittenTime(
        start,
        end,
        first,
        last,
        hour % 24,
        minute,
        min(second, 59) if second is not None else None,
        period,
        _has_english_period(match),
        _has_cjk_period(match),
        zone,
        needs_date=match.name in {"dotted", "oclock"} or _may_be_duration(match),
    )


def _read_hour_word(match: PatternMatch) -> WrittenTime:
    """Read an hour without a number: «11 Oct 2025, noon».

    The context decides later whether it is a time.
    """
    start, end, first, last = span_of(match)
    hour = int(match.senses("word", "hourword")[0].value)
    return WrittenTime(start, end, first, last, hour, spoken=True, needs_date=True)


def _ends_with_number(match: PatternMatch) -> bool:
    """Whether the match ends with minutes or seconds: no word for a day period or a zone follows."""
    return match.found.end() - 1 in {match.token("minute"), match.token("second")}


def _read_day_period(match: PatternMatch, hour: int) -> tuple[str, int | None]:
    """Return the day period (am, pm …), and where to cut the match when the word means something else."""
    before = match.senses("half", "half")
    after = match.senses("half2", "half")
    if before:
        return str(before[0].value), None
    if not after:
        return "", None
    index = match.token("half2")
    word = match.tokens.text[match.tokens.starts[index] : match.tokens.ends[index]]
    dot = match.token("halfdot")
    if (
        dot >= 0 and not _dot_belongs_to_word(match, word) and match.found.end() == dot + 1
    ):  # «10:46 PM.» ends a sentence
        return str(after[0].value), dot
    glued = match.tokens.letters[index - 1] not in " ."
    plain = word.isascii() and word.replace(".", "").replace(" ", "") not in {"am", "pm"}
    article = plain and not glued and len(word) <= 2 and not _is_followed_by_end(match, index)
    if article or (hour > 12 and word == "am"):
        cut = index
        while match.tokens.letters[cut - 1] in " .":
            cut -= 1
        return "", cut
    return str(after[0].value), None


def _is_followed_by_end(match: PatternMatch, index: int) -> bool:
    """Whether no word but a zone follows. «11:54 du» is Hungarian; a French article would have a noun."""
    return (
        match.token("zone") > index
        or match.tokens.letters[index + 1 : index + 3].lstrip(" ")[:1] in _TEXT_ENDS
    )


def _dot_belongs_to_word(match: PatternMatch, word: str) -> bool:
    """Whether the dot after the word is part of it: «a.m.», Greek «μμ.», Czech «dop.»."""
    if "." in word or (len(word) == 2 and not word.isascii()):
        return True
    return word not in {"am", "pm"} and bool(match.senses("half2", "cutword"))


def _may_be_duration(match: PatternMatch) -> bool:
    """Whether the match may as well be a duration («3h», «1h 54m»). It is a time only beside a date."""
    if match.name != "marks":
        return False
    mark = match.tokens.letters.find(" ", match.token("hour"), match.found.end())
    word = match.tokens.text[match.tokens.starts[match.found.end() - 1] :]
    return word[:1].isascii() and (match.token("minute") < 0 or (mark >= 0 and match.token("imark") >= 0))


def _is_day_period_word(match: PatternMatch) -> bool:
    """Whether the word after a bare hour can only be a day period: «9 PM», but not «4wd» or «1 night»."""
    index = match.token("half2")
    word = match.tokens.text[match.tokens.starts[index] : match.tokens.ends[index]]
    if not word.isascii() or word.replace(".", "").replace(" ", "") in {"am", "pm"}:
        return True
    english = load_lexicon().bit("en")
    foreign = not any(sense.languages & english for sense in match.senses("half2", "half"))
    return len(word) > 3 and foreign


def _is_short_preposition(match: PatternMatch) -> bool:
    """Whether the word in front of the hour is a preposition: French «de 12h30».

    Hungarian «de.» has a dot.
    """
    index = match.token("half")
    if index < 0 or match.tokens.letters[index + 1] == ".":
        return False
    word = match.tokens.text[match.tokens.starts[index] : match.tokens.ends[index]]
    return word.isascii() and len(word) < 3 and word not in {"am", "pm"}


def _has_english_period(match: PatternMatch) -> bool:
    """Whether AM or PM is written as in English. Such sites put the month first; Greek ΜΜ tells nothing."""
    index = match.token("half2")
    word = match.tokens.text[match.tokens.starts[index] : match.tokens.ends[index]] if index >= 0 else ""
    return word.replace(".", "") in {"am", "pm"}


def _has_cjk_period(match: PatternMatch) -> bool:
    """Whether AM or PM is Chinese, Japanese or Korean. These languages begin a date with its year."""
    index = match.token("half")
    return index >= 0 and bool(_CJK.match(match.tokens.text, match.tokens.starts[index]))


def _read_zone(match: PatternMatch) -> tuple[str | None, int | None]:
    offset = _read_offset(match, "") or _read_offset(match, "q")
    senses = match.senses("zone", "zone")
    if senses:
        index = match.token("zone")
        word = match.tokens.text[match.tokens.starts[index] : match.tokens.ends[index]]
        if len(word) == 1 and match.tokens.letters[index - 1] == " ":
            return None, index - 1
        return offset or str(senses[0].value), _end_before_false_offset(match, "")
    if not offset:
        return None, _end_before_false_offset(match, "q")
    if match.letter("qsign") == "-" and not _is_iso_offset(match):
        return None, _token_before_sign(match, "q")
    return offset, None


def _end_before_false_offset(match: PatternMatch, prefix: str) -> int | None:
    """Return where a time ends when the number after its sign is no offset: «10:15+1500»; else None."""
    false = match.letter(prefix + "sign") and _read_offset(match, prefix) is None
    return _token_before_sign(match, prefix) if false else None


def _token_before_sign(match: PatternMatch, prefix: str) -> int:
    cut = match.token(prefix + "sign")
    return cut - 1 if match.tokens.letters[cut - 1] == " " else cut


def _is_iso_offset(match: PatternMatch) -> bool:
    """Whether a number after a dash is a time zone: «10:15:00-05:00» has one, «10:15-11:30» is a span."""
    return match.token("second") >= 0 or match.token("qzfour") >= 0


def _read_offset(match: PatternMatch, prefix: str) -> str | None:
    sign = match.letter(prefix + "sign")
    if not sign:
        return None
    four = match.number(prefix + "zfour")
    hours, minutes = match.number(prefix + "zhour") or 0, match.number(prefix + "zminute") or 0
    if four is not None:
        hours, minutes = four // 100, four % 100
    if hours > 14 or minutes > 59:
        return None
    return f"{sign}{hours:02d}:{minutes:02d}"
