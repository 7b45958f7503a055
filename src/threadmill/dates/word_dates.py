"""Reads dates with words in them: 5 May 2019, 2019年5月5日, yesterday, 3 weeks and 2 days ago, Monday."""

from __future__ import annotations

import re

from threadmill.dates.lexicon import MARKUP, NUMBER_LETTERS, WordSense, load_lexicon
from threadmill.dates.patterns import (
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
from threadmill.dates.tokens import TokenisedText
from threadmill.dates.written_dates import NamedValue, RelativeOffset, WrittenDate, expand_year

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


def read_phrase(match: PatternMatch) -> WrittenDate | None:
    """Read a word for a day or a distance: yesterday, last week."""
    senses = match.senses("phrase", "relday", "relunit", "relweekday", "now")
    if not senses:
        return None
    sense = senses[0]
    return WrittenDate(*span_of(match), "relative", offset=_phrase_offset(sense), languages=sense.languages)


def _phrase_offset(sense: WordSense) -> RelativeOffset:
    if sense.role == "relday":
        return RelativeOffset((("day", int(sense.value)),))
    if sense.role == "now":
        return RelativeOffset((("second", 0),))
    unit, amount = re.fullmatch(r"(\D*|\d)([+-]\d+)", sense.value).groups()  # type: ignore[union-attr]
    if sense.role == "relweekday":
        return RelativeOffset((), int(unit), int(amount))
    return RelativeOffset(((unit, int(amount)),))


def read_counted(match: PatternMatch) -> WrittenDate | None:
    """Read a number with a word that means both the unit and "ago": «2 órája»."""
    senses = match.senses("phrase", "relunit", "pastunit")
    amount = _read_amount(match)
    words = match.senses("count", "number")
    if not senses or not amount:
        return None
    if words and not any(word.languages & sense.languages for word in words for sense in senses):
        return None  # English «a» and Croatian «lani» share no language
    if senses[0].role == "pastunit":
        unit = str(senses[0].value)
    else:
        unit, step = re.fullmatch(r"(\D*)([+-]\d+)", senses[0].value).groups()  # type: ignore[union-attr]
        if step != "-1":
            return None
    offset = RelativeOffset(((unit, -amount),))
    return WrittenDate(*span_of(match), "relative", offset=offset, languages=senses[0].languages)


def _read_amount(match: PatternMatch) -> float | None:
    """Return the amount, written in digits or as a word."""
    senses = match.senses("count", "number")
    return float(senses[0].value) if senses else match.number("count")


def read_last_weekday(match: PatternMatch) -> WrittenDate | None:
    """Read a weekday after the word for last week: «上周三»."""
    weekdays = weekdays_of(match)
    weeks = [sense for sense in match.senses("phrase", "relunit") if sense.value == "week-1"]
    if not weeks or not all_languages(weekdays) & weeks[0].languages:
        return None
    offset = RelativeOffset((), weekdays[0].value, -1)
    return WrittenDate(*span_of(match), "relative", offset=offset, languages=weeks[0].languages)


def read_count(match: PatternMatch) -> WrittenDate | None:
    """Read numbers with units: «3 weeks, 2 days ago». Units and the word for "ago" must share a language."""
    first, last = match.found.span(match.groups.get("count") or match.groups["unit"])
    sign = 1 if match.name == "hence" else -1
    steps, languages, _ = _read_steps(match.tokens, first, last, ALL_LANGUAGES)
    mark_roles = ("agobefore", "agoafter") if sign < 0 else ("hencebefore", "henceafter")
    if match.name != "age":
        shared = _ago_word_languages(match, first, last, mark_roles)
        languages = languages & shared or _english_if_untranslated(match, languages, shared)
    if not steps or not languages:
        return None
    if (
        "unit" in match.groups
        and match.width("unit") < 2
        and not match.tokens.text[match.tokens.starts[first]] > "\u2e80"
    ):
        return None  # «I'm back», Spanish «hace a»: a single letter is no unit
    steps, _, stop = _read_steps(match.tokens, first, last, languages)
    if not steps:
        return None
    start, end, begin, after = span_of(
        match,
        _end_before_other_number(match)
        or _end_before_other_unit(match, steps[0][0], languages)
        or _end_of_steps(match, last, stop),
    )
    return WrittenDate(
        start,
        end,
        begin,
        after,
        "relative",
        offset=RelativeOffset(tuple((u, n * sign) for u, n in steps)),
        languages=languages,
        numbers=(len(steps),),
    )


def _english_if_untranslated(match: PatternMatch, units: int, marks: int) -> int:
    """Return English for a language pack that is half translated, such as «πριν από 2 days»; else nothing.

    The word for "ago" must not be English then.
    """
    english = load_lexicon().bit("en")
    first = match.tokens.text[match.tokens.starts[match.found.start()]]
    return english if marks and units & english and not first.isascii() else 0


def _end_of_steps(match: PatternMatch, last: int, stop: int) -> int | None:
    """Return where the last unit ends, when no word for "ago" follows it.

    In «il y a quelques semaines et m'a», the Danish «et m» is no unit. In «2 месеца.» the dot ends a
    sentence.
    """
    if last != match.found.end():
        return None
    word = match.tokens.ends[stop - 1] - match.tokens.starts[stop - 1]
    dotted = stop < last and match.tokens.letters[stop] == "." and word <= 4
    return stop + 1 if dotted else stop


def _end_before_other_number(match: PatternMatch) -> int | None:
    """Return where the date ends when a number that is not one follows the unit.

    Arabic «منذ دقيقة واحدة» says "one" after its unit. Any other number there is not part of the date.
    """
    senses = match.senses("one", "number")
    if not senses or any(sense.value == 1 for sense in senses):
        return None
    return match.token("one") - 1


def _end_before_other_unit(match: PatternMatch, unit: str, languages: int) -> int | None:
    """Return where the date ends when the unit after its unit is not part of it.

    Serbian «пре недељу дана» says "a week of days".
    """
    index = match.token("days")
    if index < 0:
        return None
    days = any(s.value == "day" and s.languages & languages for s in match.senses("days", "unit"))
    return None if days and unit in {"week", "month", "year"} else index - 1


def _ago_word_languages(match: PatternMatch, first: int, last: int, roles: tuple[str, str]) -> int:
    """Return the languages in which the words around the amount mean "ago".

    Half of a word pair is not enough: Danish «for … siden» needs both.
    """
    before = after = 0
    for index in range(match.found.start(), first):
        for sense in match.tokens.senses[index]:
            if sense.role == roles[0]:
                before |= sense.languages if not sense.value else 0
    for index in range(last, match.found.end()):
        for sense in match.tokens.senses[index]:
            if sense.role == roles[1]:
                after |= sense.languages
    return before | after


def _read_steps(
    tokens: TokenisedText, first: int, last: int, languages: int
) -> tuple[list[tuple[str, float]], int, int]:
    """Read numbers with units of the given languages.

    Returns the steps, the languages that all units share, and the token where they end.
    """
    steps: list[tuple[str, float]] = []
    shared, end = ALL_LANGUAGES, last
    number: float | None = None
    for index in range(first, last):
        if tokens.letters[index] in NUMBER_LETTERS:
            number = _add_decimals(tokens, index, number)
            continue
        senses = [sense for sense in tokens.senses[index] if sense.languages & languages]
        duals = [sense for sense in senses if sense.role == "dual"]
        if duals and number is None:
            steps.append((str(duals[0].value), 2))
            shared &= _sense_languages(duals)
            end = index + 1
            continue
        units = [sense for sense in senses if sense.role == "unit"]
        counts = [sense for sense in senses if sense.role == "number"]
        if counts and number is None and index + 1 < last:
            number = int(counts[0].value)
        elif units and (number is not None or last - first == 1):
            best = min(units, key=lambda unit: _lowest_bit(unit.languages & languages))
            steps.append((str(best.value), number if number is not None else 1))
            shared &= _sense_languages(units)
            number, end = None, index + 1
    return steps, shared, end


def _lowest_bit(languages: int) -> int:
    """Return the bit of the language with the most forums; languages are sorted by that."""
    return languages & -languages


def _add_decimals(tokens: TokenisedText, index: int, before: float | None) -> float:
    """Return the number at a token; after a decimal point, add it to the number before: «2.5 hours»."""
    if before is None or index < 1 or tokens.letters[index - 1] not in ".,":
        return tokens.numbers[index]
    return before + tokens.numbers[index] / 10.0 ** (tokens.ends[index] - tokens.starts[index])


def _sense_languages(senses: list[WordSense]) -> int:
    """Return all languages of some senses."""
    languages = 0
    for sense in senses:
        languages |= sense.languages
    return languages


def read_weekday(match: PatternMatch) -> WrittenDate | None:
    """Read a weekday that stands alone."""
    weekdays = weekdays_of(match)
    return WrittenDate(*span_of(match), "weekday", weekdays=weekdays, languages=all_languages(weekdays))
