"""Reads dates that are a distance from now: yesterday, 3 weeks and 2 days ago, Monday."""

from __future__ import annotations

import re

from threadmill.dates.grammar.pattern_match import (
    ALL_LANGUAGES,
    PatternMatch,
    all_languages,
    span_of,
    weekdays_of,
)
from threadmill.dates.grammar.written_dates import RelativeOffset, WrittenDate
from threadmill.dates.text.lexicon import WordSense, load_lexicon
from threadmill.dates.text.tokens import NUMBER_LETTERS, TokenisedText


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
        match, _end_before_other_number(match) or _end_of_steps(match, last, stop)
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
