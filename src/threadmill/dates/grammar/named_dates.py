"""Reads dates whose month is a word or carries a mark: 5 May 2019, 2019年5月5日."""

from __future__ import annotations

from threadmill.dates.grammar.pattern_match import (
    ALL_LANGUAGES,
    PatternMatch,
    all_languages,
    dot_belongs_to_date,
    end_before_foreign_suffix,
    era_of,
    named_values,
    restrict_to_languages,
    span_of,
    weekdays_of,
)
from threadmill.dates.grammar.written_dates import NamedValue, WrittenDate
from threadmill.dates.meaning.calendars import expand_year
from threadmill.dates.text.lexicon import load_lexicon
from threadmill.dates.text.masking import MARKUP
from threadmill.dates.text.tokens import NUMBER_LETTERS

# After a Thai month, «65» is 2565 of the Buddhist calendar, which is 2022. 43 is the year 2000; from 70 on, a
# Gregorian year such as 1970 is possible as well.
_THAI_SHORT_YEARS = range(43, 70)


def read_named(match: PatternMatch) -> WrittenDate | None:
    """Read a date whose month is a word."""
    day = match.number("day")
    months = named_values(match.senses("month", "month"))
    weekdays = weekdays_of(match)
    if day is None or not months or not 1 <= day <= 31:
        return None
    if weekdays:
        months = restrict_to_languages(months, all_languages(weekdays))
        weekdays = restrict_to_languages(weekdays, all_languages(months))
    if not _links_agree(match, all_languages(months)):
        return None
    if _has_dotted_day(match):
        months = restrict_to_languages(
            months, load_lexicon().days_with_dot
        )  # «21. listopada» is Croatian (October), not Polish (November)
    languages = all_languages(months)
    year, width = _year_written(match, languages)
    dot, cut = match.token("dot"), None
    if year is not None:
        if not _is_year(match, year, width):
            return None
        cut = end_before_foreign_suffix(match, languages)
        if cut is None and dot == match.token("year") + 1:
            months, cut = _read_last_dot(match, months)
            languages = all_languages(months)
    elif dot >= 0 and not _ends_in_dot(match, languages):
        cut = dot
    return WrittenDate(
        *span_of(match, cut),
        "named",
        day=day,
        months=months,
        year=year,
        year_width=width,
        weekdays=weekdays,
        era=era_of(match),
        languages=languages,
    )


def _year_written(match: PatternMatch, languages: int) -> tuple[int | None, int]:
    """Return the year and its number of digits. A short Thai year is completed."""
    year, width = match.number("year"), match.width("year")
    if (
        year is not None
        and year in _THAI_SHORT_YEARS
        and width == 2
        and languages == load_lexicon().bit("th")
    ):
        return 2500 + year, 4
    return year, width


def _has_dotted_day(match: PatternMatch) -> bool:
    """Whether the day stands in front of its month and a dot follows it."""
    day = match.token("day")
    return day < match.token("month") and match.tokens.letters[day + 1 : day + 2] == "."


def _read_last_dot(
    match: PatternMatch, months: tuple[NamedValue, ...]
) -> tuple[tuple[NamedValue, ...], int | None]:
    """Decide whether the dot after the year belongs to the date.

    It does in Croatian «30. lis 2016.», where the day has a dot too, and not in Polish.
    """
    dotted = load_lexicon().dates_end_in_dot
    day = match.token("day")
    always = (
        not all_languages(months) & ~dotted
    )  # only such languages are left: the dot stands even at a sentence's end
    if (
        match.tokens.letters[day + 1] == "."
        and all_languages(months) & dotted
        and (always or dot_belongs_to_date(match, "."))
    ):
        return restrict_to_languages(months, dotted), None
    return months, match.token("dot")


def _ends_in_dot(match: PatternMatch, languages: int) -> bool:
    """Whether the dot after a date without year belongs to it.

    It does in Hungarian «október 22.». In «until January 28.» it ends the sentence.
    """
    first = match.found.start()
    if (
        match.tokens.letters[match.token("dot") - 1] in NUMBER_LETTERS
        and not match.tokens.text[: match.tokens.starts[first]].rpartition(MARKUP)[2].strip()
    ):
        return True
    lexicon = load_lexicon()
    return bool(languages & lexicon.bit("hu")) and not languages & lexicon.bit("en")


def _links_agree(match: PatternMatch, languages: int) -> bool:
    """Whether the small words inside the date share a language with the month.

    «5 out of 10» has a Portuguese month and an English preposition, so it is no date.
    """
    words = [i for i in range(match.found.start(), match.found.end()) if match.tokens.senses[i]]
    if len(words) == 1:  # the month
        return True
    meant = {match.token(group) for group in ("month", "weekday", "weekday2", "weekday3", "tail", "era")}
    for index in words:
        if index in meant:
            continue
        roles = {sense.role for sense in match.tokens.senses[index]}
        whole = match.width("year") == 4
        if whole and "ordinal" in roles and index and match.tokens.letters[index - 1] in NUMBER_LETTERS:
            continue  # «30th Avr 2025»: the software adds the suffix, only the month is translated
        link_languages = [s.languages for s in match.tokens.senses[index] if s.role in {"link", "ordinal"}]
        if link_languages and not any(known & languages for known in link_languages):
            return False
    return True


def _is_year(match: PatternMatch, year: int, width: int) -> bool:
    """Whether the number after a month can be a year. Two bare digits are one only where a date can end."""
    if width != 2:
        return True
    price = match.tokens.letters[match.token("year") - 1] == ","  # «ab 19,90»
    if price or expand_year(year, 2) is None:
        return False
    if match.token("mark") >= 0 or year > 31:
        return True
    index = match.token("year")
    following = match.tokens.letters[index + 1 : index + 3]
    before = match.tokens.letters[index - 1]
    named_time = (
        following[:1] == " "
        and index + 2 < len(match.tokens.senses)
        and any(sense.role == "at" for sense in match.tokens.senses[index + 2])
    )
    # «… 21 Posts: 301»
    labelled = following[:1] == " " and match.tokens.letters[index + 3 : index + 4] == ":"
    return (
        named_time
        or (labelled and match.tokens.numbers[index + 2] < 0)
        or before in "-/.'"
        or not following
        or following[0] in ",)<|.;-("
        or (
            following[0] == " "
            and following[1:] in {"", "<", "(", "|", "-", "@", "0", "1", "2", "3", "7", "?"}
        )
    )


def read_marked(match: PatternMatch) -> WrittenDate | None:
    """Read a date whose month is a number with a mark: 2016年5月3日."""
    month = match.number("mnum")
    day = match.number("day")
    year, width = match.number("year"), match.width("year")
    if month is None or not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    if not _is_month_mark(match):
        return None
    era = era_of(match)
    if year is not None and width != 4 and era is None and (width != 2 or expand_year(year, width) is None):
        return None
    return WrittenDate(
        *span_of(match),
        "named" if day else "month",
        day=day,
        months=(NamedValue(month, ALL_LANGUAGES),),
        year=year,
        year_width=width,
        weekdays=weekdays_of(match),
        era=era,
        languages=0,
    )


def _is_month_mark(match: PatternMatch) -> bool:
    """Whether «th» in front of a number marks a month.

    In Vietnamese «27 Th07 2017» it does. In «27th 07 2017» and «the 5th 2 days» it is an ordinal suffix.
    """
    tokens, index = match.tokens, match.token("mnum") - 1
    apart = index >= 0 and tokens.letters[index] in " ."
    index -= apart
    if index < 0 or tokens.text[tokens.starts[index] : tokens.ends[index]] != "th":
        return True
    return not apart and index > 0 and tokens.letters[index - 1] not in NUMBER_LETTERS


def read_month(match: PatternMatch) -> WrittenDate | None:
    """Read a month with a year."""
    months = named_values(match.senses("month", "month"))
    if match.token("mnum") >= 0:
        months = (NamedValue(match.number("mnum") or 0, ALL_LANGUAGES),)
    year, width = match.number("year"), match.width("year")
    if not months or not 1 <= months[0].value <= 12 or year is None:
        return None
    cut = end_before_foreign_suffix(match, all_languages(months))
    languages = all_languages(months) if match.token("mnum") < 0 else 0
    return WrittenDate(
        *span_of(match, cut), "month", months=months, year=year, year_width=width, languages=languages
    )
