"""Reads dates whose month is a word or has a mark: 5 May 2019, 2019年5月5日."""

from __future__ import annotations

from threadmill.dates.forms.written_dates import DateForm, Named
from threadmill.dates.grammar.match import (
    EVERYWHERE,
    NUMBER_LETTERS,
    Match,
    agreeing,
    end_of_tail,
    era_of,
    full_year,
    keeps_dot,
    named_values,
    span_of,
    union,
    weekdays_of,
)
from threadmill.dates.text.lexicon import find_lexicon
from threadmill.dates.text.markup import BARRIER

# Behind a Thai month «65» is 2565 of the Buddhist calendar, 2022: from 2000 up to where 1970 begins to fit.
_THAI_SHORT_YEARS = range(43, 70)


def read_named(match: Match) -> DateForm | None:
    """A date whose month is a word."""
    day = match.number("day")
    months = named_values(match.senses("month", "month"))
    weekdays = weekdays_of(match)
    if day is None or not months or not 1 <= day <= 31:
        return None
    if weekdays:
        months = agreeing(months, union(weekdays))
        weekdays = agreeing(weekdays, union(months))
    if not _links_agree(match, union(months)):
        return None
    if _has_dotted_day(match):
        months = agreeing(months, find_lexicon().dotted_days)  # «21. listopada» is Croatian, not Polish
    languages = union(months)
    year, width = _year_written(match, languages)
    dot, cut = match.token("dot"), None
    if year is not None:
        if not _is_year(match, year, width):
            return None
        cut = end_of_tail(match, languages)
        if cut is None and dot == match.token("year") + 1:
            months, cut = _read_last_dot(match, months)
            languages = union(months)
    elif dot >= 0 and not _ends_in_dot(match, languages):
        cut = dot
    return DateForm(
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


def _year_written(match: Match, languages: int) -> tuple[int | None, int]:
    """The year and its digits; of a Thai one written short, the whole."""
    year, width = match.number("year"), match.width("year")
    if (
        year is not None
        and year in _THAI_SHORT_YEARS
        and width == 2
        and languages == find_lexicon().bit("th")
    ):
        return 2500 + year, 4
    return year, width


def _has_dotted_day(match: Match) -> bool:
    """Whether a dot follows a day that stands before its month."""
    day = match.token("day")
    return day < match.token("month") and match.tokens.letters[day + 1 : day + 2] == "."


def _read_last_dot(match: Match, months: tuple[Named, ...]) -> tuple[tuple[Named, ...], int | None]:
    """«30. lis 2016.» ends in a dot, its day has one too, and Croatian writes it so, not Polish."""
    dotted = find_lexicon().dotted
    day = match.token("day")
    always = not union(months) & ~dotted  # who reads Croatian expects it at the end of a sentence too
    if match.tokens.letters[day + 1] == "." and union(months) & dotted and (always or keeps_dot(match, ".")):
        return agreeing(months, dotted), None
    return months, match.token("dot")


def _ends_in_dot(match: Match, languages: int) -> bool:
    """Hungarian «október 22.» ends in a dot; in «until January 28.» a sentence ends."""
    first = match.found.start()
    if (
        match.tokens.letters[match.token("dot") - 1] in NUMBER_LETTERS
        and not match.tokens.text[: match.tokens.starts[first]].rpartition(BARRIER)[2].strip()
    ):
        return True
    lexicon = find_lexicon()
    return bool(languages & lexicon.bit("hu")) and not languages & lexicon.bit("en")


def _links_agree(match: Match, languages: int) -> bool:
    """«5 out of 10» has a Portuguese month and an English preposition: no date."""
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
            continue  # «30th Avr 2025»: the suffix is the program's, the month the language pack's
        owners = [s.languages for s in match.tokens.senses[index] if s.role in {"link", "ordinal"}]
        if owners and not any(owner & languages for owner in owners):
            return False
    return True


def _is_year(match: Match, year: int, width: int) -> bool:
    """Two bare digits after a month are a year only where a year can end."""
    if width != 2:
        return True
    price = match.tokens.letters[match.token("year") - 1] == ","  # «ab 19,90»
    if price or full_year(year, 2) is None:
        return False
    if match.token("mark") >= 0 or year > 31:
        return True
    index = match.token("year")
    following = match.tokens.letters[index + 1 : index + 3]
    glue = match.tokens.letters[index - 1]
    named_time = (
        following[:1] == " "
        and index + 2 < len(match.tokens.senses)
        and any(sense.role == "at" for sense in match.tokens.senses[index + 2])
    )
    labelled = (
        following[:1] == " " and match.tokens.letters[index + 3 : index + 4] == ":"
    )  # «… 21 Posts: 301»
    return (
        named_time
        or (labelled and match.tokens.numbers[index + 2] < 0)
        or glue in "-/.'"
        or not following
        or following[0] in ",)<|.;-("
        or (
            following[0] == " "
            and following[1:] in {"", "<", "(", "|", "-", "@", "0", "1", "2", "3", "7", "?"}
        )
    )


def read_marked(match: Match) -> DateForm | None:
    """A date whose month is a number that a word or sign marks: 2016年5月3日."""
    month = match.number("mnum")
    day = match.number("day")
    year, width = match.number("year"), match.width("year")
    if month is None or not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    if not _mark_is_glued(match):
        return None
    era = era_of(match)
    if year is not None and width != 4 and era is None and (width != 2 or full_year(year, width) is None):
        return None
    return DateForm(
        *span_of(match),
        "named" if day else "month",
        day=day,
        months=(Named(month, EVERYWHERE),),
        year=year,
        year_width=width,
        weekdays=weekdays_of(match),
        era=era,
        languages=0,
    )


def _mark_is_glued(match: Match) -> bool:
    """Vietnamese «27 Th07 2017» is July; «27th 07 2017» and «the 5th 2 days» have an ordinal."""
    tokens, index = match.tokens, match.token("mnum") - 1
    apart = index >= 0 and tokens.letters[index] in " ."
    index -= apart
    if index < 0 or tokens.text[tokens.starts[index] : tokens.ends[index]] != "th":
        return True
    return not apart and index > 0 and tokens.letters[index - 1] not in NUMBER_LETTERS


def read_month(match: Match) -> DateForm | None:
    """A month and a year."""
    months = named_values(match.senses("month", "month"))
    if match.token("mnum") >= 0:
        months = (Named(match.number("mnum") or 0, EVERYWHERE),)
    year, width = match.number("year"), match.width("year")
    if not months or not 1 <= months[0].value <= 12 or year is None:
        return None
    cut = end_of_tail(match, union(months))
    languages = union(months) if match.token("mnum") < 0 else 0
    return DateForm(
        *span_of(match, cut), "month", months=months, year=year, year_width=width, languages=languages
    )
