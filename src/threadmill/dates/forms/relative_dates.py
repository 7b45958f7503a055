"""Reads dates that are a distance from now: yesterday, 3 weeks and 2 days ago, Monday."""

from __future__ import annotations

import re

from threadmill.dates.forms.written_dates import DateForm, Offset
from threadmill.dates.grammar.match import EVERYWHERE, NUMBER_LETTERS, Match, span_of, union, weekdays_of
from threadmill.dates.text.lexer import Tokens
from threadmill.dates.text.lexicon import Sense, find_lexicon


def read_phrase(match: Match) -> DateForm | None:
    """A word for a day or a distance: yesterday, last week."""
    senses = match.senses("phrase", "relday", "relunit", "relweekday", "now")
    if not senses:
        return None
    sense = senses[0]
    return DateForm(*span_of(match), "relative", offset=_phrase_offset(sense), languages=sense.languages)


def _phrase_offset(sense: Sense) -> Offset:
    if sense.role == "relday":
        return Offset((("day", int(sense.value)),))
    if sense.role == "now":
        return Offset((("second", 0),))
    unit, amount = re.fullmatch(r"(\D*|\d)([+-]\d+)", sense.value).groups()  # type: ignore[union-attr]
    if sense.role == "relweekday":
        return Offset((), int(unit), int(amount))
    return Offset(((unit, int(amount)),))


def read_counted(match: Match) -> DateForm | None:
    """A number and a word that says unit and past in one: «2 órája»."""
    senses = match.senses("phrase", "relunit", "pastunit")
    amount = _read_amount(match)
    words = match.senses("count", "number")
    if not senses or not amount:
        return None
    if words and not any(word.languages & sense.languages for word in words for sense in senses):
        return None  # English «a», Croatian «lani»
    if senses[0].role == "pastunit":
        unit = str(senses[0].value)
    else:
        unit, step = re.fullmatch(r"(\D*)([+-]\d+)", senses[0].value).groups()  # type: ignore[union-attr]
        if step != "-1":
            return None
    offset = Offset(((unit, -amount),))
    return DateForm(*span_of(match), "relative", offset=offset, languages=senses[0].languages)


def _read_amount(match: Match) -> float | None:
    """The number that stands for an amount, in digits or as a word."""
    senses = match.senses("count", "number")
    return float(senses[0].value) if senses else match.number("count")


def read_last_weekday(match: Match) -> DateForm | None:
    """«上周三»: a weekday with the word for last week before it."""
    weekdays = weekdays_of(match)
    weeks = [sense for sense in match.senses("phrase", "relunit") if sense.value == "week-1"]
    if not weeks or not union(weekdays) & weeks[0].languages:
        return None
    offset = Offset((), weekdays[0].value, -1)
    return DateForm(*span_of(match), "relative", offset=offset, languages=weeks[0].languages)


def read_count(match: Match) -> DateForm | None:
    """«3 weeks, 2 days ago»: numbers and units that belong to one language with the word for ago."""
    first, last = match.found.span(match.groups.get("count") or match.groups["unit"])
    sign = 1 if match.name == "hence" else -1
    steps, languages, _ = _read_steps(match.tokens, first, last, EVERYWHERE)
    mark_roles = ("agobefore", "agoafter") if sign < 0 else ("hencebefore", "henceafter")
    if match.name != "age":
        shared = _mark_languages(match, first, last, mark_roles)
        languages = languages & shared or _untranslated(match, languages, shared)
    if not steps or not languages:
        return None
    if (
        "unit" in match.groups
        and match.width("unit") < 2
        and not match.tokens.text[match.tokens.starts[first]] > "\u2e80"
    ):
        return None  # «I'm back», Spanish «hace a»: a letter alone counts nothing
    steps, _, stop = _read_steps(match.tokens, first, last, languages)
    if not steps:
        return None
    start, end, begin, after = span_of(match, _end_of_one(match) or _end_of_steps(match, last, stop))
    return DateForm(
        start,
        end,
        begin,
        after,
        "relative",
        offset=Offset(tuple((u, n * sign) for u, n in steps)),
        languages=languages,
        numbers=(len(steps),),
    )


def _untranslated(match: Match, units: int, marks: int) -> int:
    """«πριν από 2 days»: a language pack half done; only where the word for ago is not English."""
    english = find_lexicon().bit("en")
    first = match.tokens.text[match.tokens.starts[match.found.start()]]
    return english if marks and units & english and not first.isascii() else 0


def _end_of_steps(match: Match, last: int, stop: int) -> int | None:
    """Where the last step ends, when nothing is said behind it.

    In «il y a quelques semaines et m'a» a Danish «et m» is no step; in «2 месеца.» the dot ends a sentence.
    """
    if last != match.found.end():
        return None
    word = match.tokens.ends[stop - 1] - match.tokens.starts[stop - 1]
    dotted = stop < last and match.tokens.letters[stop] == "." and word <= 4
    return stop + 1 if dotted else stop


def _end_of_one(match: Match) -> int | None:
    """Arabic says «منذ دقيقة واحدة», one behind its unit; another number there is not of this date."""
    senses = match.senses("one", "number")
    if not senses or any(sense.value == 1 for sense in senses):
        return None
    return match.token("one") - 1


def _mark_languages(match: Match, first: int, last: int, roles: tuple[str, str]) -> int:
    """Languages in which the words around the count say ago; half a frame («for … siden») says nothing."""
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
    tokens: Tokens, first: int, last: int, languages: int
) -> tuple[list[tuple[str, float]], int, int]:
    """Numbers with their units in any of the languages, the languages all units share, and where they end."""
    steps: list[tuple[str, float]] = []
    shared, end = EVERYWHERE, last
    number: float | None = None
    for index in range(first, last):
        if tokens.letters[index] in NUMBER_LETTERS:
            number = _amount(tokens, index, number)
            continue
        senses = [sense for sense in tokens.senses[index] if sense.languages & languages]
        duals = [sense for sense in senses if sense.role == "dual"]
        if duals and number is None:
            steps.append((str(duals[0].value), 2))
            shared &= _sense_union(duals)
            end = index + 1
            continue
        units = [sense for sense in senses if sense.role == "unit"]
        counts = [sense for sense in senses if sense.role == "number"]
        if counts and number is None and index + 1 < last:
            number = int(counts[0].value)
        elif units and (number is not None or last - first == 1):
            best = min(units, key=lambda unit: _lowest_bit(unit.languages & languages))
            steps.append((str(best.value), number if number is not None else 1))
            shared &= _sense_union(units)
            number, end = None, index + 1
    return steps, shared, end


def _lowest_bit(languages: int) -> int:
    """The language with most forums: they stand first."""
    return languages & -languages


def _amount(tokens: Tokens, index: int, before: float | None) -> float:
    """The number at a token, with the whole before it when it is what follows the point of «2.5 hours»."""
    if before is None or index < 1 or tokens.letters[index - 1] not in ".,":
        return tokens.numbers[index]
    return before + tokens.numbers[index] / 10.0 ** (tokens.ends[index] - tokens.starts[index])


def _sense_union(senses: list[Sense]) -> int:
    languages = 0
    for sense in senses:
        languages |= sense.languages
    return languages


def read_weekday(match: Match) -> DateForm | None:
    """A weekday alone."""
    weekdays = weekdays_of(match)
    return DateForm(*span_of(match), "weekday", weekdays=weekdays, languages=union(weekdays))
