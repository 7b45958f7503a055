"""Judges by the context whether something that looks like a date or time is one, and rejects false dates."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from threadmill.dates.lexicon import NUMBER_LETTERS, load_lexicon
from threadmill.dates.patterns import PatternMatch
from threadmill.dates.surroundings import Surroundings
from threadmill.dates.written_dates import (
    WrittenDate,
    WrittenTime,
    date_orders,
    possible_days,
    read_in_order,
    weekday_agrees,
)

# After these words, numbers with dots are no date.
_VERSION_WORD = re.compile(
    r"v|vers?|versions?|версия|версии|версию|release|build|kernel|firmware|ip|ipv4|addr|rev|revision|patch|update|"
    r"android|windows|ubuntu|debian|php|mysql|linux|driver|ios|macos|section|chapter|rfc"
)
# Words for days that are far more often another word. They need a time beside them, or must stand alone.
_AMBIGUOUS_DAY = re.compile(r"ma|hier|morgen|mañana|manana|sot|dje|dun|eile|sada|net|koll")
# Weekdays of one language that are common words of another. Alone they are no date.
_AMBIGUOUS_WEEKDAY = re.compile(r"cars|sal|per|base")
# Short names of months that are also words of English or of another language. With a day and no year they
# need a capital letter, a time, or must stand alone.
_AMBIGUOUS_MONTH = re.compile(
    r"out|set|ago|may|mar|dec|jan|sep|oct|nov|feb|des|jun|jul|led|lip|list|sty|pro|stu|"
    r"gen|mag|ene|eki|ara|kas"
)
# Among them, words that are more often something else. A capital letter is not enough for these.
_WEAK_MONTH_NAME = re.compile(r"ago|des|led|lip|list|sty|pro|stu|gen|mag|ene|eki|ara|kas")
_NEVER_BARE_MONTH = re.compile(r"out|set")
# Words that mark a time, where the number could be a price: «kl. 15.03», «15.03 Uhr».
_CLOCK_WORD = re.compile(
    r"kl|klo|klokken|klockan|klokka|kello|kell|plkst|alle|ore|pukul|pkl|jam|saat|godz|ώρα|ora|um"
)
_BEFORE_HOUR_WORD = ("at", "link", "tail", "month", "weekday", "relday", "dmark")
_COMPACT_DAY = 8  # digits: 20130321
_SHORT_WEEKDAY = 4  # letters: «started by Fred», Swedish for Friday
_CLOCK_WORD_AFTER = re.compile(r"uhr|hod|uur")


class DateCandidate(NamedTuple):
    """A possible date with its context."""

    around: Surroundings
    match: PatternMatch
    form: WrittenDate
    lenient: bool  # whether it stands in a cell of a date column, where less proof is needed


def judge_date(
    around: Surroundings, match: PatternMatch, form: WrittenDate, lenient: bool
) -> WrittenDate | None:
    """Return the date, perhaps without a false weekday, or None when it is no date."""
    form = drop_false_weekday(around, match, form)
    if not around.date_edges_allow(form):
        return None
    rule = _RULES.get(match.name)
    return form if rule is None or rule(DateCandidate(around, match, form, lenient)) else None


def judge_time(around: Surroundings, match: PatternMatch, form: WrittenTime) -> WrittenTime | None:
    """Return the time, or None when it is a duration or a part of something else."""
    if not around.time_edges_allow(form):
        return None
    if form.spoken:
        return (
            form if _is_hour_word_of_date(around, form) and not around.has_role(form.first, "unit") else None
        )
    if match.name in {"marks", "half"} and form.minute is None and _counts_hours(around, form):
        return None
    if match.name == "half" and around.has_role(match.token("half2"), "unit"):
        return None  # Russian «1 день» is one day, not 1 PM
    if form.needs_date and _has_clock_word(around, form):
        return form._replace(needs_date=False)
    return form


def _is_hour_word_of_date(around: Surroundings, form: WrittenTime) -> bool:
    """Whether a word such as «noon» follows a number, a month or «at», and no word follows it."""
    before, after = form.first - 1, form.last
    while before >= 0 and around.letters[before] in " ,.-":
        before -= 1
    while after < len(around.letters) and around.letters[after] == " ":
        after += 1
    led = before >= 0 and (
        around.letters[before] in NUMBER_LETTERS or around.has_role(before, *_BEFORE_HOUR_WORD)
    )
    return led and (after == len(around.letters) or not around.is_word(after))


def _counts_hours(around: Surroundings, form: WrittenTime) -> bool:
    """Whether it is an amount of hours, not a time: «il y a 2 heures», «3 h ago»."""
    before, after = form.first - 1, form.last
    while before >= 0 and (around.letters[before] == " " or around.has_role(before, "about")):
        before -= 1
    while after < len(around.letters) and around.letters[after] in " .":
        after += 1
    return around.has_role(before, "agobefore", "hencebefore") or around.has_role(
        after, "agoafter", "henceafter"
    )


def _has_clock_word(around: Surroundings, form: WrittenTime) -> bool:
    """Whether a word beside the number marks it as a time: «kl. 15.03», «15.03 Uhr»."""
    index = form.first - 1
    while index >= 0 and around.letters[index] in " .:":
        index -= 1
    after = form.last + (around.letters[form.last : form.last + 1] == " ")
    named = _CLOCK_WORD.fullmatch(around.word(index)) or _CLOCK_WORD_AFTER.fullmatch(around.word(after))
    return form.minute is not None and bool(named)


def _judge_numeric(candidate: DateCandidate) -> bool:
    around, form = candidate.around, candidate.form
    if _VERSION_WORD.fullmatch(around.word_before(form)):
        return False
    if 4 in form.widths:
        return True
    if " " in around.letters[form.first : form.last] and not form.weekdays:
        return form.separator == "." or candidate.lenient  # version numbers have no spaces after their dots
    if form.separator != "." or form.widths == (2, 2, 2):
        return True
    return candidate.lenient or bool(form.weekdays) or around.has_time_beside(form)


def _judge_spaced(candidate: DateCandidate) -> bool:
    form = candidate.form
    if 4 in form.widths:
        return True
    return form.separator == " " and (candidate.lenient or candidate.around.stands_alone(form))


def _judge_compact(candidate: DateCandidate) -> bool:
    around, form = candidate.around, candidate.form
    if candidate.lenient and around.stands_alone(form):
        return True
    glued_time = around.char(form.end) == "t" and around.char(form.end + 1).isdigit()
    if glued_time or _is_in_time_attribute(candidate):
        return True
    return form.end - form.start == _COMPACT_DAY and (around.in_byline(form) or around.has_time_beside(form))


def _is_in_time_attribute(candidate: DateCandidate) -> bool:
    """Whether the date is the value of an attribute whose name announces a time."""
    attribute = candidate.around.tokens.attribute_at(candidate.form.start)
    return attribute is not None and attribute.names_time


def _judge_named(candidate: DateCandidate) -> bool:
    around, form = candidate.around, candidate.form
    month, day = candidate.match.token("month"), candidate.match.token("day")
    word = around.word(month)
    if day == month + 1 and word.isascii() and (len(word) < 3 or form.year is None):  # «PS5 2023», «cut1»
        return False
    if form.year is None and (_is_name_before_date(candidate) or _counts_units(candidate)):
        return False
    unusual = _is_doubtful_month(candidate, word, month < day)
    if form.year is not None:
        return form.year_width == 4 or not unusual or around.stands_alone(form)
    if form.weekdays and not unusual:
        return True
    if around.has_role(month, "agoafter") and form.last - form.first > 3:
        return False  # «1d ago» is not 1 August
    return _judge_bare_month(candidate, word, unusual)


def _is_name_before_date(candidate: DateCandidate) -> bool:
    """Whether the month is a name in front of a whole date: «Marc 14-Apr-1997», «Mr.May 25.01.2015»."""
    around, match = candidate.around, candidate.match
    month, day = match.token("month"), match.token("day")
    return month < day and around.grammar.day_to_year.match(around.letters, day) is not None


def _counts_units(candidate: DateCandidate) -> bool:
    """Whether the month is a unit, counted from now: Italian «2 sett. fa» is two weeks ago."""
    around, month = candidate.around, candidate.match.token("month")
    if not around.has_role(month, "unit"):
        return False
    before, after = candidate.form.first - 1, month + 1
    while after < len(around.letters) and around.letters[after] in " .":
        after += 1
    return around.has_role(after, "agoafter") or around.has_role(before - 1, "agobefore")


def _judge_bare_month(candidate: DateCandidate, word: str, unusual: bool) -> bool:
    """Whether a day and a month without year and weekday are a date."""
    around, form = candidate.around, candidate.form
    month, day = candidate.match.token("month"), candidate.match.token("day")
    if unusual and "," in around.letters[month:day]:
        return False  # German «geht aus, 12 Leute»
    if not _AMBIGUOUS_MONTH.fullmatch(word) and len(word) > 2 and not unusual:
        return True
    if _NEVER_BARE_MONTH.fullmatch(word) and around.is_word(form.first):
        return candidate.lenient and around.stands_alone(form)
    weak = unusual or bool(_WEAK_MONTH_NAME.fullmatch(word))
    return (
        (around.is_capitalised(form) and not weak)
        or around.stands_alone(form)
        or around.has_time_beside(form)
    )


def _is_doubtful_month(candidate: DateCandidate, word: str, month_first: bool) -> bool:
    """Whether the month is doubtful: of a rare language, or short and in front of the day.

    English and Hungarian write the month first; in other languages a short month there is doubtful.
    """
    usual = candidate.around.grammar.common_languages
    if not word.isascii():
        return False
    if len(word) > 3:
        return not candidate.form.languages & usual  # «here» is October in Breton
    if month_first:
        usual &= load_lexicon().bit("en") | load_lexicon().bit("hu")
    return not candidate.form.languages & usual


def _judge_month(candidate: DateCandidate) -> bool:
    """Whether a month and a year are a date. In «Some Firm AG 2013», «AG» is August in some language."""
    index = candidate.match.token("month")
    word = candidate.around.word(index)
    if _is_glued_to_year(candidate) or _is_name_before_year(candidate):
        return False
    risky = _AMBIGUOUS_MONTH.fullmatch(word) or word == "már"  # «by 2028 may be», Hungarian «már 1998»
    if risky and not candidate.around.is_capitalised(candidate.form):
        return candidate.around.stands_alone(candidate.form)
    if candidate.match.token("year") < index and len(word) <= 3 and word.isascii():
        return candidate.around.stands_alone(candidate.form)  # «2024 LED»
    doubtful = index >= 0 and word.isascii() and (len(word) < 3 or _is_doubtful_month(candidate, word, False))
    return not doubtful or candidate.around.stands_alone(candidate.form)


def _is_glued_to_year(candidate: DateCandidate) -> bool:
    """Whether the month touches its year as in a user name: «Mars2020»."""
    month, year = candidate.match.token("month"), candidate.match.token("year")
    return abs(month - year) == 1 and candidate.around.is_attached_word(month)


def _is_name_before_year(candidate: DateCandidate) -> bool:
    """Whether the month is a name in front of a date that begins with its year: «Avril 2014-05-06»."""
    around, year = candidate.around, candidate.match.token("year")
    after = around.letters[year + 1 : year + 4]
    return (
        candidate.match.token("month") < year
        and len(after) == 3
        and after[0] in "-./"
        and after[1] in "1234"
        and after[2] == after[0]
    )


def _judge_partial(candidate: DateCandidate) -> bool:
    around, form = candidate.around, candidate.form
    if _VERSION_WORD.fullmatch(around.word_before(form)):
        return False
    named = _has_common_weekday(candidate) and (around.is_capitalised(form) or around.stands_alone(form))
    if named and (form.separator == "-" or around.letters[form.first + 1] in NUMBER_LETTERS):
        named = around.stands_alone(form) and form.widths == (2, 2)  # «I just Ned 2-3 meals», «WO1-5»
    if named or (candidate.lenient and around.stands_alone(form)) or around.has_time_beside(form):
        return named or candidate.lenient or 2 in form.widths
    dotted = form.separator == "." and candidate.match.token("dot") >= 0
    return dotted and form.widths == (2, 2) and around.count_words_before(form) <= 3


def _has_common_weekday(candidate: DateCandidate) -> bool:
    """Whether the weekday is a word of a common language."""
    return any(
        weekday.languages & candidate.around.grammar.common_languages for weekday in candidate.form.weekdays
    )


def _judge_month_year(candidate: DateCandidate) -> bool:
    return candidate.lenient and candidate.around.stands_alone(candidate.form)


def _judge_phrase(candidate: DateCandidate) -> bool:
    around, form = candidate.around, candidate.form
    offset = form.offset
    assert offset is not None
    word = around.word(form.first)
    if not form.languages & around.grammar.common_languages:  # «Ana» is yesterday in Yoruba
        return (candidate.lenient and around.stands_alone(form)) or around.has_time_after(form)
    if _AMBIGUOUS_DAY.fullmatch(word) or (len(word) < 3 and not around.is_unspaced(form.start)):
        byline = around.in_byline(form) and not _is_german_here(around, form)
        return byline or around.stands_alone(form) or around.has_time_beside(form)
    if offset.week is not None:
        return offset.week < 0 or around.stands_alone(form) or around.has_time_beside(form)
    unit, amount = offset.steps[0]
    if amount > 0:  # nobody posts tomorrow; «jutro» is tomorrow in Slovene, morning in Croatian
        return (candidate.lenient and around.stands_alone(form)) or around.has_time_beside(form)
    return unit == "day" or amount < 0 or around.stands_alone(form)


def _is_german_here(around: Surroundings, form: WrittenDate) -> bool:
    """Whether «hier» is the word for "here" of German and Dutch: «von Hans, hier»."""
    before = {around.word(index) for index in range(max(0, form.first - 8), form.first)}
    return around.word(form.first) == "hier" and bool(before & {"von", "van", "door"})


def _judge_now(candidate: DateCandidate) -> bool:
    if not candidate.form.languages & candidate.around.grammar.common_languages:
        return candidate.lenient and candidate.around.stands_alone(candidate.form)
    if candidate.form.end - candidate.form.start < 3 and not candidate.around.is_unspaced(
        candidate.form.start
    ):
        return candidate.lenient and candidate.around.stands_alone(candidate.form)  # «no» is now in Norwegian
    strong = any(
        sense.role == "now" and sense.value for sense in candidate.around.tokens.senses[candidate.form.first]
    )
    return strong or candidate.around.stands_alone(candidate.form)


def _judge_age(candidate: DateCandidate) -> bool:
    """Whether a bare duration, as Discourse shows it (3h, 2 г), is a date: alone or in a byline only."""
    form = candidate.form
    placed = candidate.around.stands_alone(form) or candidate.around.in_byline(form, plain_signs=False)
    if not placed or not (candidate.lenient or form.languages & candidate.around.grammar.common_languages):
        return False
    glued = form.last - form.first == 2 and candidate.around.letters[form.first] in NUMBER_LETTERS
    return candidate.lenient or form.numbers[0] > 1 or (glued and not _is_size(candidate))


def _is_size(candidate: DateCandidate) -> bool:
    """Whether it is a size: «6K», «3G», «2D».

    A single capital is no unit of time; Discourse prints 3h, 2d, 5m.
    """
    around, form = candidate.around, candidate.form
    start, end = around.tokens.original_span(form.start, form.end)
    letter = around.original_text[end - 1]
    single = end - start > 1 and not around.original_text[end - 2].isalpha()
    return letter.isascii() and single and (letter.isupper() or letter in "kgbxvcp")


def _judge_future(candidate: DateCandidate) -> bool:
    return candidate.around.stands_alone(candidate.form)


def _judge_weekday(candidate: DateCandidate) -> bool:
    around, form = candidate.around, candidate.form
    length = form.end - form.start
    if not _has_common_weekday(candidate):
        return candidate.lenient and around.stands_alone(form)
    if _AMBIGUOUS_WEEKDAY.fullmatch(around.word(form.first)):
        return around.has_time_in_line(form)
    if length > 3 or around.is_unspaced(form.start):
        if length == 1:
            return False
        in_byline = (length != _SHORT_WEEKDAY or around.follows_sign(form)) and around.in_byline(form)
        return in_byline or around.stands_alone(form) or around.has_time_in_line(form)
    beside = around.has_time_in_line(form) or (candidate.lenient and around.stands_alone(form))
    return length == 3 and around.is_capitalised(form) and beside


_RULES: dict[str, Callable[[DateCandidate], bool]] = {
    "numeric": _judge_numeric,
    "spaced": _judge_spaced,
    "compact": _judge_compact,
    "epoch": _is_in_time_attribute,
    "named": _judge_named,
    "month": _judge_month,
    "partial": _judge_partial,
    "monthyear": _judge_month_year,
    "phrase": _judge_phrase,
    "now": _judge_now,
    "age": _judge_age,
    "hence": _judge_future,
    "weekday": _judge_weekday,
}


_PREPOSITION = re.compile(r"on|la|op|om|um")
_SHORT_AMBIGUOUS_WEEKDAY = re.compile(r"so|do|to|me|mi|sa|die|on")


def drop_false_weekday(around: Surroundings, match: PatternMatch, form: WrittenDate) -> WrittenDate:
    """Remove a short word at either end of the date that is a weekday in some language, but not here.

    Examples: «on 5 May», «January 28 is».
    """
    if form.kind == "weekday" or not form.weekdays:
        return form
    index = match.token("weekday")
    leading = index == form.first and index >= 0
    if leading and _is_false_weekday(around, index, form):
        first = index + 1
        while around.letters[first] in " .,-" or (
            around.is_word(first) and not around.has_role(first, "month")
        ):
            first += 1
        form, leading = form._replace(first=first, start=around.tokens.starts[first], weekdays=()), False
    index = match.token("weekday3")
    ends = form.last - (around.letters[form.last - 1] == ".")
    if index == ends - 1 and index >= 0 and (leading or _is_false_weekday(around, index, form)):
        last = index
        while around.letters[last - 1] in " .,":
            last -= 1
        kept = form.weekdays if leading else ()
        return form._replace(last=last, end=around.tokens.ends[last - 1], weekdays=kept)
    return form


def _is_false_weekday(around: Surroundings, index: int, form: WrittenDate) -> bool:
    """Whether the word at a token is no weekday of this date."""
    word, start = around.word(index), around.tokens.starts[index]
    if around.is_unspaced(start):  # Korean 일 is Sunday, but also the end of 등록일 (date of entry)
        return len(word) == 1 and index == form.first and start > 0 and around.is_unspaced(start - 1)
    days = _usual_days(form)
    if form.languages and not days and _is_of_other_language(form):
        return True  # «is January 28th», «16 апреля по»
    if len(word) > 3:
        return bool(days) and form.languages > 0 and _is_foreign_weekday(around, form, days)
    return _is_other_short_word(around, index, form, days)


def _usual_days(form: WrittenDate) -> list[date]:
    """Return the days a date can mean. With dots, nobody puts the month first: «se 6. 5. 2010» is in May."""
    if form.kind == "numeric" and form.separator == "." and "dmy" in date_orders(form):
        day = read_in_order(form, "dmy")
        return [day] if day else []
    return possible_days(form)


def _is_other_short_word(around: Surroundings, index: int, form: WrittenDate, days: list[date]) -> bool:
    """Whether two or three letters are a preposition or a part of a name, and no weekday."""
    word = around.word(index)
    if _PREPOSITION.fullmatch(word) and around.letters[index + 1 : index + 2] not in {".", ","}:
        # Finnish «la 27.12.2014» is Saturday; Romanian «postat la 27.12.2014» has a word before it.
        said = index == form.first and form.separator == "." and not around.follows_word(index)
        return not (said and any(weekday_agrees(form.weekdays, day) for day in days))
    if form.separator == "." and around.letters[index + 1 : index + 2] == "-":
        return True  # «pre-2.1.99»
    if days and _is_foreign_weekday(around, form, days):
        return True
    risky = around.has_role(index, "at", "link", "number") or bool(_SHORT_AMBIGUOUS_WEEKDAY.fullmatch(word))
    if days:
        return (risky or len(word) == 2) and not any(weekday_agrees(form.weekdays, d) for d in days)
    return risky and around.letters[index + 1 : index + 2] not in {".", ","}


def _is_of_other_language(form: WrittenDate) -> bool:
    """Whether the weekday shares no language with the rest of the date."""
    return not any(weekday.languages & form.languages for weekday in form.weekdays)


def _is_foreign_weekday(around: Surroundings, form: WrittenDate, days: list[date]) -> bool:
    """Whether the word is a weekday in no language of the month, and what it says does not fit the date.

    Beside a numeric date, the common languages count.
    """
    languages = form.languages or around.grammar.common_languages
    if any(weekday.languages & languages for weekday in form.weekdays):
        return False
    agrees = any(weekday_agrees(form.weekdays, day) for day in days)
    return not agrees or not around.stands_alone(form)
