"""Judges whether what looks like a date is one, by what stands around it; hard negatives end here."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from threadmill.dates.context.false_weekdays import drop_false_weekday
from threadmill.dates.context.surroundings import NUMBERS, Surroundings
from threadmill.dates.forms.written_dates import DateForm, TimeForm
from threadmill.dates.grammar.match import Match
from threadmill.dates.text.lexicon import find_lexicon

# Words after which numbers with dots are no date.
_VERSION_WORD = re.compile(
    r"v|vers?|versions?|версия|версии|версию|release|build|kernel|firmware|ip|ipv4|addr|rev|revision|patch|update|"
    r"android|windows|ubuntu|debian|php|mysql|linux|driver|ios|macos|section|chapter|rfc"
)
# Names of days that are far more often another word; they need a time beside them or nothing at all.
_RISKY_DAY = re.compile(r"ma|hier|morgen|mañana|manana|sot|dje|dun|eile|sada|net|koll")
# Weekdays in one language that are common words in another: never alone.
_OTHER_WORD = re.compile(r"cars|sal|per|base")
# Abbreviated months that are words of English: alone with a day they need a capital or a dot.
_RISKY_MONTH = re.compile(
    r"out|set|ago|may|mar|dec|jan|sep|oct|nov|feb|des|jun|jul|led|lip|list|sty|pro|stu|"
    r"gen|mag|ene|eki|ara|kas"
)
# Of these, words that are more often something else: they need a time or emptiness beside them.
_WEAK_MONTH = re.compile(r"ago|des|led|lip|list|sty|pro|stu|gen|mag|ene|eki|ara|kas")
_NEVER_BARE_MONTH = re.compile(r"out|set")
# The word that makes a time of what could be a price: «kl. 15.03», «15.03 Uhr».
_CLOCK_WORD = re.compile(
    r"kl|klo|klokken|klockan|klokka|kello|kell|plkst|alle|ore|pukul|pkl|jam|saat|godz|ώρα|ora|um"
)
_BEFORE_HOUR_WORD = ("at", "link", "tail", "month", "weekday", "relday", "dmark")
_CLOCK_WORD_AFTER = re.compile(r"uhr|hod|uur")


class Place(NamedTuple):
    """A date where it was found."""

    around: Surroundings
    match: Match
    form: DateForm
    lenient: bool  # in a cell of a column of dates, where less is proof enough


def judge_date(around: Surroundings, match: Match, form: DateForm, lenient: bool) -> DateForm | None:
    """The date, perhaps without a weekday that is none, or None."""
    form = drop_false_weekday(around, match, form)
    if not around.edges_allow(form):
        return None
    rule = _RULES.get(match.name)
    return form if rule is None or rule(Place(around, match, form, lenient)) else None


def judge_time(around: Surroundings, match: Match, form: TimeForm) -> TimeForm | None:
    """The time, or None when it is an amount or a part of something else."""
    if not around.time_edges_allow(form):
        return None
    if form.spoken:
        return form if _ends_stamp(around, form) and not around.has_role(form.first, "unit") else None
    if match.name in {"marks", "half"} and form.minute is None and _is_counted(around, form):
        return None
    if match.name == "half" and around.has_role(match.token("half2"), "unit"):
        return None  # Russian «1 день» is a day, not one in the afternoon
    if form.dotted and _has_clock_word(around, form):
        return form._replace(dotted=False)
    return form


def _ends_stamp(around: Surroundings, form: TimeForm) -> bool:
    """Whether a word for an hour stands behind a number, a month or «at», and no word behind it."""
    before, after = form.first - 1, form.last
    while before >= 0 and around.letters[before] in " ,.-":
        before -= 1
    while after < len(around.letters) and around.letters[after] == " ":
        after += 1
    led = before >= 0 and (around.letters[before] in NUMBERS or around.has_role(before, *_BEFORE_HOUR_WORD))
    return led and (after == len(around.letters) or not around.is_word(after))


def _is_counted(around: Surroundings, form: TimeForm) -> bool:
    """«il y a 2 heures» and «3 h ago» count hours, they do not name one."""
    before, after = form.first - 1, form.last
    while before >= 0 and (around.letters[before] == " " or around.has_role(before, "about")):
        before -= 1
    while after < len(around.letters) and around.letters[after] in " .":
        after += 1
    return around.has_role(before, "agobefore", "hencebefore") or around.has_role(
        after, "agoafter", "henceafter"
    )


def _has_clock_word(around: Surroundings, form: TimeForm) -> bool:
    index = form.first - 1
    while index >= 0 and around.letters[index] in " .:":
        index -= 1
    after = form.last + (around.letters[form.last : form.last + 1] == " ")
    named = _CLOCK_WORD.fullmatch(around.word(index)) or _CLOCK_WORD_AFTER.fullmatch(around.word(after))
    return form.minute is not None and bool(named)


def _judge_numeric(place: Place) -> bool:
    around, form = place.around, place.form
    if _VERSION_WORD.fullmatch(around.word_before(form)):
        return False
    if 4 in form.widths:
        return True
    if " " in around.letters[form.first : form.last] and not form.weekdays:
        return form.separator == "." or place.lenient  # no version has spaces after its dots
    if form.separator != "." or form.widths == (2, 2, 2):
        return True
    return place.lenient or bool(form.weekdays) or around.time_beside(form)


def _judge_spaced(place: Place) -> bool:
    form = place.form
    if 4 in form.widths:
        return True
    return form.separator == " " and (place.lenient or place.around.alone(form))


def _judge_compact(place: Place) -> bool:
    around, form = place.around, place.form
    if place.lenient and around.alone(form):
        return True
    glued_time = around.char(form.end) == "t" and around.char(form.end + 1).isdigit()
    return glued_time or _is_telling(place)


def _is_telling(place: Place) -> bool:
    attribute = place.around.tokens.attribute_at(place.form.start)
    return attribute is not None and attribute.telling


def _judge_named(place: Place) -> bool:
    around, form = place.around, place.form
    month, day = place.match.token("month"), place.match.token("day")
    word = around.word(month)
    if day == month + 1 and word.isascii() and (len(word) < 3 or form.year is None):  # «PS5 2023», «cut1»
        return False
    unusual = _is_unusual(place, word, month < day)
    if form.year is not None:
        return form.year_width == 4 or not unusual or around.alone(form)
    if form.weekdays and not unusual:
        return True
    if around.has_role(month, "agoafter") and form.last - form.first > 3:
        return False  # «1d ago» is no first of August
    return _judge_bare_month(place, word, unusual)


def _judge_bare_month(place: Place, word: str, unusual: bool) -> bool:
    """Whether a day and a month are a date without year and weekday."""
    around, form = place.around, place.form
    if not _RISKY_MONTH.fullmatch(word) and len(word) > 2 and not unusual:
        return True
    if _NEVER_BARE_MONTH.fullmatch(word) and around.is_word(form.first):
        return place.lenient and around.alone(form)
    weak = unusual or bool(_WEAK_MONTH.fullmatch(word))
    return (around.capital(form) and not weak) or around.alone(form) or around.time_beside(form)


def _is_unusual(place: Place, word: str, month_first: bool) -> bool:
    """A short month of a language without many forums, or before the day in one that writes the day first."""
    usual = place.around.grammar.usual
    if not word.isascii():
        return False
    if len(word) > 3:
        return not place.form.languages & usual  # Breton here is October
    if month_first:
        usual &= find_lexicon().bit("en") | find_lexicon().bit("hu")
    return not place.form.languages & usual


def _judge_month(place: Place) -> bool:
    """«Some Firm AG 2013» holds two letters that are August in one language, a firm in another."""
    index = place.match.token("month")
    word = place.around.word(index)
    risky = _RISKY_MONTH.fullmatch(word) or word == "már"  # «by 2028 may be», Hungarian «már 1998»
    if risky and not place.around.capital(place.form):
        return place.around.alone(place.form)
    if place.match.token("year") < index and len(word) <= 3 and word.isascii():
        return place.around.alone(place.form)  # «2024 LED»
    doubtful = index >= 0 and word.isascii() and (len(word) < 3 or _is_unusual(place, word, False))
    return not doubtful or place.around.alone(place.form)


def _judge_partial(place: Place) -> bool:
    around, form = place.around, place.form
    if _VERSION_WORD.fullmatch(around.word_before(form)):
        return False
    named = _has_usual_weekday(place) and (around.capital(form) or around.alone(form))
    if named and (form.separator == "-" or around.letters[form.first + 1] in NUMBERS):
        named = around.alone(form) and form.widths == (2, 2)  # «I just Ned 2-3 meals», «WO1-5»
    if named or (place.lenient and around.alone(form)) or around.time_beside(form):
        return named or place.lenient or 2 in form.widths
    dotted = form.separator == "." and place.match.token("dot") >= 0
    return dotted and form.widths == (2, 2) and around.words_before(form) <= 3


def _has_usual_weekday(place: Place) -> bool:
    return any(weekday.languages & place.around.grammar.usual for weekday in place.form.weekdays)


def _judge_month_year(place: Place) -> bool:
    return place.lenient and place.around.alone(place.form)


def _judge_phrase(place: Place) -> bool:
    around, form = place.around, place.form
    offset = form.offset
    assert offset is not None
    word = around.word(form.first)
    if not form.languages & around.grammar.usual:  # Ana is yesterday in Yoruba
        return (place.lenient and around.alone(form)) or around.time_follows(form)
    if _RISKY_DAY.fullmatch(word) or (len(word) < 3 and not around.is_fused(form.start)):
        return around.alone(form) or around.time_beside(form)
    if offset.week is not None:
        return offset.week < 0 or around.alone(form) or around.time_beside(form)
    unit, amount = offset.steps[0]
    if amount > 0:  # nobody posts tomorrow; Slovene jutro is a Croatian morning
        return (place.lenient and around.alone(form)) or around.time_beside(form)
    return unit == "day" or amount < 0 or around.alone(form)


def _judge_now(place: Place) -> bool:
    if not place.form.languages & place.around.grammar.usual:
        return place.lenient and place.around.alone(place.form)
    if place.form.end - place.form.start < 3 and not place.around.is_fused(place.form.start):
        return place.lenient and place.around.alone(place.form)  # Norwegian «no» is now
    strong = any(
        sense.role == "now" and sense.value for sense in place.around.tokens.senses[place.form.first]
    )
    return strong or place.around.alone(place.form)


def _judge_age(place: Place) -> bool:
    """A bare amount of time, as Discourse shows it (3h, 2 г), says when only where nothing else is said."""
    form = place.form
    if not place.around.alone(form) or not (place.lenient or form.languages & place.around.grammar.usual):
        return False
    glued = form.last - form.first == 2 and place.around.letters[form.first] in NUMBERS
    return place.lenient or form.numbers[0] > 1 or (glued and not _is_size(place))


def _is_size(place: Place) -> bool:
    """«6K», «3G», «2D»: one capital behind a number is no unit of time (Discourse prints 3h, 2d, 5m)."""
    around, form = place.around, place.form
    start, end = around.tokens.original(form.start, form.end)
    letter = around.source[end - 1]
    single = end - start > 1 and not around.source[end - 2].isalpha()
    return letter.isascii() and single and (letter.isupper() or letter in "kgbxvcp")


def _judge_hence(place: Place) -> bool:
    return place.around.alone(place.form)


def _judge_weekday(place: Place) -> bool:
    around, form = place.around, place.form
    length = form.end - form.start
    if not _has_usual_weekday(place):
        return place.lenient and around.alone(form)
    if _OTHER_WORD.fullmatch(around.word(form.first)):
        return around.time_in_line(form)
    if length > 3 or around.is_fused(form.start):
        return length > 1 and (around.alone(form) or around.time_in_line(form))
    beside = around.time_in_line(form) or (place.lenient and around.alone(form))
    return length == 3 and around.capital(form) and beside


_RULES: dict[str, Callable[[Place], bool]] = {
    "numeric": _judge_numeric,
    "spaced": _judge_spaced,
    "compact": _judge_compact,
    "epoch": _is_telling,
    "named": _judge_named,
    "month": _judge_month,
    "partial": _judge_partial,
    "monthyear": _judge_month_year,
    "phrase": _judge_phrase,
    "now": _judge_now,
    "age": _judge_age,
    "hence": _judge_hence,
    "weekday": _judge_weekday,
}
