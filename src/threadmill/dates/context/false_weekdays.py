"""Takes away words beside a date that are weekdays elsewhere, but not here: «on 5 May», «January 28 is»."""

from __future__ import annotations

import re
from datetime import date

from threadmill.dates.context.surroundings import Surroundings
from threadmill.dates.forms.written_dates import DateForm
from threadmill.dates.grammar.match import Match
from threadmill.dates.meaning.resolve import possible_days, weekday_agrees

_PREPOSITION = re.compile(r"on|la|op|om|um")
_RISKY_WEEKDAY = re.compile(r"so|do|to|me|mi|sa|die|on")


def drop_false_weekday(around: Surroundings, match: Match, form: DateForm) -> DateForm:
    """Without a leading or trailing short word that is a weekday in some language but not here."""
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


def _is_false_weekday(around: Surroundings, index: int, form: DateForm) -> bool:
    word, start = around.word(index), around.tokens.starts[index]
    if around.is_fused(start):  # Korean 일 is Sunday, and the end of 등록일
        return len(word) == 1 and index == form.first and start > 0 and around.is_fused(start - 1)
    days = possible_days(form)
    if form.languages and not days and _is_of_other_language(form):
        return True  # «is January 28th», «16 апреля по»
    if len(word) > 3:
        return bool(days) and form.languages > 0 and _is_foreign_weekday(around, form, days)
    return _is_other_short_word(around, index, form, days)


def _is_other_short_word(around: Surroundings, index: int, form: DateForm, days: list[date]) -> bool:
    """Whether two or three letters are a preposition, a part of a name, anything but a weekday."""
    word = around.word(index)
    if _PREPOSITION.fullmatch(word) and around.letters[index + 1 : index + 2] not in {".", ","}:
        # Finnish «la 27.12.2014» is Saturday; Romanian «postat la 27.12.2014» has a word before it.
        said = index == form.first and form.separator == "." and not around.follows_word(index)
        return not (said and any(weekday_agrees(form.weekdays, day) for day in days))
    if form.separator == "." and around.letters[index + 1 : index + 2] == "-":
        return True  # «pre-2.1.99»
    if days and _is_foreign_weekday(around, form, days):
        return True
    risky = around.has_role(index, "at", "link", "number") or bool(_RISKY_WEEKDAY.fullmatch(word))
    if days:
        return (risky or len(word) == 2) and not any(weekday_agrees(form.weekdays, d) for d in days)
    return risky and around.letters[index + 1 : index + 2] not in {".", ","}


def _is_of_other_language(form: DateForm) -> bool:
    return not any(weekday.languages & form.languages for weekday in form.weekdays)


def _is_foreign_weekday(around: Surroundings, form: DateForm, days: list[date]) -> bool:
    """Whether the word is a weekday in no language of the month; beside numbers, in none with many forums."""
    languages = form.languages or around.grammar.usual
    if any(weekday.languages & languages for weekday in form.weekdays):
        return False
    agrees = any(weekday_agrees(form.weekdays, day) for day in days)
    return not agrees or not around.alone(form)
