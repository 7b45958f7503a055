"""Turns a match of the grammar into a date or time as it is written, or refuses it."""

from __future__ import annotations

import re
from typing import NamedTuple

from threadmill.dates.forms import DateForm, Named, Offset, TimeForm
from threadmill.dates.lexer import FIRST_YEAR, LAST_YEAR, Tokens
from threadmill.dates.lexicon import Sense, find_lexicon

_NUMBER_LETTERS = frozenset("0123456789BEFLPY")
# Two-digit years 51–69 are neither 1951–1969 nor 2051–2069 on a forum.
SHORT_YEARS_OF_2000 = 50
SHORT_YEARS_OF_1900 = 70
EVERYWHERE = -1  # all languages


class Match(NamedTuple):
    """A shape found at a place: its name, the regular expression's match, the tokens it is about."""

    name: str
    found: re.Match[str]
    groups: dict[str, int]  # the numbers of the shape's groups in the match
    tokens: Tokens

    def token(self, group: str) -> int:
        """The token a group stands on; -1 when it took no part."""
        number = self.groups.get(group)
        return -1 if number is None else self.found.start(number)

    def letter(self, group: str) -> str:
        """The class letters a group took; empty when it took no part."""
        number = self.groups.get(group)
        return "" if number is None else self.found.group(number) or ""

    def number(self, group: str) -> int | None:
        """The number a group stands on."""
        index = self.token(group)
        return self.tokens.numbers[index] if index >= 0 else None

    def width(self, group: str) -> int:
        """How many digits a group's number has."""
        index = self.token(group)
        return self.tokens.ends[index] - self.tokens.starts[index] if index >= 0 else 0

    def senses(self, group: str, *roles: str) -> tuple[Sense, ...]:
        """What the word of a group can mean in these roles."""
        index = self.token(group)
        if index < 0 or not self.tokens.senses[index]:
            return ()
        return tuple(sense for sense in self.tokens.senses[index] if sense.role in roles)


def full_year(value: int, width: int) -> int | None:
    """The year meant by its digits; None when it is none of ours."""
    if width == 2:
        if value <= SHORT_YEARS_OF_2000:
            return 2000 + value
        return 1900 + value if value >= SHORT_YEARS_OF_1900 else None
    return value if FIRST_YEAR <= value <= LAST_YEAR else None


def named_values(senses: tuple[Sense, ...]) -> tuple[Named, ...]:
    """Values of a word with their languages."""
    return tuple(Named(int(sense.value), sense.languages) for sense in senses)


def read_date(match: Match) -> DateForm | None:
    """The date a match says, or None when the shape deceives."""
    reader = _READERS[match.name]
    return reader(match)


def _span(match: Match, last: int | None = None) -> tuple[int, int, int, int]:
    first = match.found.start()
    end = match.found.end() if last is None else last
    return match.tokens.starts[first], match.tokens.ends[end - 1], first, end


def _weekdays(match: Match) -> tuple[Named, ...]:
    for group in ("weekday", "weekday2", "weekday3"):
        senses = match.senses(group, "weekday")
        if senses:
            return named_values(senses)
    return ()


def _agreeing(values: tuple[Named, ...], languages: int) -> tuple[Named, ...]:
    """The values that share a language with the rest; all of them when none does."""
    kept = tuple(Named(v.value, v.languages & languages) for v in values if v.languages & languages)
    return kept or values


def _union(values: tuple[Named, ...]) -> int:
    languages = 0
    for value in values:
        languages |= value.languages
    return languages


def _end_of_tail(match: Match, languages: int) -> int | None:
    """Where the match ends without a last word that is of another language: «2020 a» is not Basque."""
    index = match.token("tail")
    if index < 0:
        return None
    owners = 0
    for sense in match.senses("tail", "tail"):
        owners |= sense.languages
    if owners & languages:
        return None
    cut = index
    while match.tokens.letters[cut - 1] == " ":
        cut -= 1
    return cut


def _read_named(match: Match) -> DateForm | None:
    day = match.number("day")
    months = named_values(match.senses("month", "month"))
    weekdays = _weekdays(match)
    if day is None or not months or not 1 <= day <= 31:
        return None
    if weekdays:
        shared = _union(weekdays)
        months = _agreeing(months, shared)
        weekdays = _agreeing(weekdays, _union(months))
    if not _links_agree(match, _union(months)):
        return None
    year, width = match.number("year"), match.width("year")
    cut = None
    if year is not None:
        if not _is_year(match, year, width):
            return None
        cut = _end_of_tail(match, _union(months))
        if cut is None and match.token("dot") == match.token("year") + 1:
            months, cut = _read_last_dot(match, months)
    start, end, first, last = _span(match, cut)
    return DateForm(
        start,
        end,
        first,
        last,
        "named",
        day=day,
        months=months,
        year=year,
        year_width=width,
        weekdays=weekdays,
        era=_era(match),
        languages=_union(months),
    )


def _read_last_dot(match: Match, months: tuple[Named, ...]) -> tuple[tuple[Named, ...], int | None]:
    """«30. lis 2016.» ends in a dot, its day has one too, and Croatian writes it so, not Polish."""
    dotted = find_lexicon().dotted
    day = match.token("day")
    if match.tokens.letters[day + 1] == "." and _union(months) & dotted and _keeps_dot(match, "."):
        return _agreeing(months, dotted), None
    return months, match.token("dot")


def _links_agree(match: Match, languages: int) -> bool:
    """«5 out of 10» has a Portuguese month and an English preposition: no date."""
    meant = {match.token(group) for group in ("month", "weekday", "weekday2", "weekday3", "tail", "era")}
    for index in range(match.found.start(), match.found.end()):
        if index in meant or not match.tokens.senses[index]:
            continue
        roles = {sense.role for sense in match.tokens.senses[index]}
        if "ordinal" in roles and index and match.tokens.letters[index - 1] in _NUMBER_LETTERS:
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


def _era(match: Match) -> int | None:
    senses = match.senses("era", "era")
    return int(senses[0].value) if senses else None


def _read_marked(match: Match) -> DateForm | None:
    month = match.number("mnum")
    day = match.number("day")
    year, width = match.number("year"), match.width("year")
    if month is None or not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    era = _era(match)
    if year is not None and width != 4 and era is None and (width != 2 or full_year(year, width) is None):
        return None
    start, end, first, last = _span(match)
    return DateForm(
        start,
        end,
        first,
        last,
        "named" if day else "month",
        day=day,
        months=(Named(month, EVERYWHERE),),
        year=year,
        year_width=width,
        weekdays=_weekdays(match),
        era=era,
        languages=0,
    )


def _read_numeric(match: Match) -> DateForm | None:
    numbers = tuple(match.number(group) or 0 for group in "abc")
    widths = tuple(match.width(group) for group in "abc")
    separator = match.letter("sep")
    if not possible_orders(numbers, widths):
        return None
    last = match.found.end()
    dot = match.token("dot")
    cut = _end_of_tail(match, EVERYWHERE) if match.token("tail") >= 0 else None
    if dot >= 0 and not _keeps_dot(match, separator):
        cut = dot
    start, end, first, last = _span(match, cut)
    return DateForm(
        start,
        end,
        first,
        last,
        "numeric",
        numbers=numbers,
        widths=widths,
        separator=separator,
        weekdays=_weekdays(match) if cut is None else named_values(match.senses("weekday", "weekday")),
        era=_era(match),
    )


def _keeps_dot(match: Match, separator: str) -> bool:
    """A dot after the last number belongs to the date unless a sentence ends there."""
    if separator != ".":
        return False
    letters = match.tokens.letters
    first, dot = match.found.start(), match.token("dot")
    words_before = sum(1 for c in letters[max(0, first - 40) : first] if c == "w" or c >= "\ue000")
    ends_text = not letters[dot + 1 :].strip(" <")
    return not (ends_text and words_before > 3)


def possible_orders(numbers: tuple[int, ...], widths: tuple[int, ...]) -> tuple[str, ...]:
    """The orders of day, month and year that three numbers allow, the likeliest first."""
    a, b, c = numbers
    if widths[0] == 4:
        return tuple(o for o, m, d in (("ymd", b, c), ("ydm", c, b)) if m <= 12 and d <= 31 and m and d)
    if widths[2] == 4:
        return tuple(o for o, m, d in (("dmy", b, a), ("mdy", a, b)) if m <= 12 and d <= 31 and m and d)
    if widths[1] == 4:
        return ()
    found = []
    for order, (y, m, d) in (("dmy", (c, b, a)), ("mdy", (c, a, b)), ("ymd", (a, b, c))):
        year_width = widths[order.index("y")]
        if year_width == 2 and 1 <= m <= 12 and 1 <= d <= 31 and full_year(y, 2) is not None:
            found.append(order)
    return tuple(found)


def _read_compact(match: Match) -> DateForm | None:
    value = match.number("compact") or 0
    value //= 10 ** (match.width("compact") - 8)
    start, end, first, last = _span(match)
    return DateForm(
        start,
        end,
        first,
        last,
        "compact",
        day=value % 100,
        months=(Named(value // 100 % 100, EVERYWHERE),),
        year=value // 10000,
        year_width=4,
    )


def _read_epoch(match: Match) -> DateForm | None:
    value = match.number("epoch") or 0
    if match.width("epoch") == 13:
        value //= 1000
    if not 0 < value < 2_556_144_000:  # the year 2051
        return None
    start, end, first, last = _span(match)
    return DateForm(start, end, first, last, "epoch", numbers=(value,))


def _read_month(match: Match) -> DateForm | None:
    months = named_values(match.senses("month", "month"))
    if match.token("mnum") >= 0:
        months = (Named(match.number("mnum") or 0, EVERYWHERE),)
    year, width = match.number("year"), match.width("year")
    if not months or not 1 <= months[0].value <= 12 or year is None:
        return None
    cut = _end_of_tail(match, _union(months))
    start, end, first, last = _span(match, cut)
    languages = _union(months) if match.token("mnum") < 0 else 0
    return DateForm(
        start, end, first, last, "month", months=months, year=year, year_width=width, languages=languages
    )


def _read_partial(match: Match) -> DateForm | None:
    a, b = match.number("a") or 0, match.number("b") or 0
    if not (1 <= a <= 31 and 1 <= b <= 31 and min(a, b) <= 12):
        return None
    start, end, first, last = _span(match)
    return DateForm(
        start,
        end,
        first,
        last,
        "partial",
        numbers=(a, b),
        widths=(match.width("a"), match.width("b")),
        separator=match.letter("sep"),
        weekdays=_weekdays(match),
    )


def _read_month_year(match: Match) -> DateForm | None:
    if match.token("a") >= 0:
        month, year = match.number("a"), match.number("b")
    else:
        month, year = match.number("mnum"), match.number("year")
    if month is None or not 1 <= month <= 12:
        return None
    start, end, first, last = _span(match)
    return DateForm(
        start, end, first, last, "monthyear", months=(Named(month, EVERYWHERE),), year=year, year_width=4
    )


def _read_phrase(match: Match) -> DateForm | None:
    senses = match.senses("phrase", "relday", "relunit", "relweekday", "now")
    if not senses:
        return None
    sense = senses[0]
    start, end, first, last = _span(match)
    return DateForm(
        start, end, first, last, "relative", offset=_phrase_offset(sense), languages=sense.languages
    )


def _phrase_offset(sense: Sense) -> Offset:
    if sense.role == "relday":
        return Offset((("day", int(sense.value)),))
    if sense.role == "now":
        return Offset((("second", 0),))
    unit, amount = re.fullmatch(r"(\D*|\d)([+-]\d+)", sense.value).groups()  # type: ignore[union-attr]
    if sense.role == "relweekday":
        return Offset((), int(unit), int(amount))
    return Offset(((unit, int(amount)),))


def _read_count(match: Match) -> DateForm | None:
    """«3 weeks, 2 days ago»: numbers and units that belong to one language with the word for ago."""
    first, last = match.found.span(match.groups.get("count") or match.groups["unit"])
    sign = 1 if match.name == "hence" else -1
    steps, languages = _read_steps(match.tokens, first, last)
    mark_roles = ("agobefore", "agoafter") if sign < 0 else ("hencebefore", "henceafter")
    if match.name != "age":
        shared = _mark_languages(match, first, last, mark_roles)
        languages &= shared
    if not steps or not languages:
        return None
    steps = _drop_other_languages(match.tokens, first, last, languages)
    if not steps:
        return None
    start, end, begin, stop = _span(match)
    return DateForm(
        start,
        end,
        begin,
        stop,
        "relative",
        offset=Offset(tuple((u, n * sign) for u, n in steps)),
        languages=languages,
        numbers=(len(steps),),
    )


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


def _read_steps(tokens: Tokens, first: int, last: int) -> tuple[list[tuple[str, float]], int]:
    steps: list[tuple[str, float]] = []
    languages = EVERYWHERE
    number: float | None = None
    for index in range(first, last):
        if tokens.letters[index] in _NUMBER_LETTERS:
            number = _amount(tokens, index, number)
            continue
        senses = tokens.senses[index]
        units = [sense for sense in senses if sense.role == "unit"]
        counts = [sense for sense in senses if sense.role == "number"]
        if counts and number is None and index + 1 < last:
            number = int(counts[0].value)
        elif units and (number is not None or last - first == 1):
            steps.append((str(units[0].value), number if number is not None else 1))
            languages &= _sense_union(units)
            number = None
    return steps, languages


def _amount(tokens: Tokens, index: int, before: float | None) -> float:
    """The number at a token, with the whole before it when it is what follows the point of «2.5 hours»."""
    if before is None or index < 1 or tokens.letters[index - 1] not in ".,":
        return tokens.numbers[index]
    return before + tokens.numbers[index] / 10.0 ** (tokens.ends[index] - tokens.starts[index])


def _drop_other_languages(tokens: Tokens, first: int, last: int, languages: int) -> list[tuple[str, float]]:
    """The steps again, each unit word read in a language the whole agrees on."""
    steps: list[tuple[str, float]] = []
    number: float | None = None
    for index in range(first, last):
        if tokens.letters[index] in _NUMBER_LETTERS:
            number = _amount(tokens, index, number)
            continue
        senses = tokens.senses[index]
        units = [s for s in senses if s.role == "unit" and s.languages & languages]
        counts = [s for s in senses if s.role == "number" and s.languages & languages]
        if counts and number is None and index + 1 < last:
            number = int(counts[0].value)
        elif units and (number is not None or last - first == 1):
            best = min(units, key=lambda s: (s.languages & languages) & -(s.languages & languages))
            steps.append((str(best.value), number if number is not None else 1))
            number = None
    return steps


def _sense_union(senses: list[Sense]) -> int:
    languages = 0
    for sense in senses:
        languages |= sense.languages
    return languages


def _read_weekday(match: Match) -> DateForm | None:
    weekdays = _weekdays(match)
    start, end, first, last = _span(match)
    return DateForm(start, end, first, last, "weekday", weekdays=weekdays, languages=_union(weekdays))


_READERS = {
    "named": _read_named,
    "marked": _read_marked,
    "numeric": _read_numeric,
    "spaced": _read_numeric,
    "compact": _read_compact,
    "epoch": _read_epoch,
    "month": _read_month,
    "partial": _read_partial,
    "monthyear": _read_month_year,
    "phrase": _read_phrase,
    "now": _read_phrase,
    "ago": _read_count,
    "hence": _read_count,
    "age": _read_count,
    "weekday": _read_weekday,
}


def read_time(match: Match) -> TimeForm | None:
    """The time of day a match says, or None when the numbers are no time."""
    hour, minute, second = match.number("hour"), match.number("minute"), match.number("second")
    if hour is None or hour > 24 or (minute or 0) > 59 or (second or 0) > 60:
        return None
    if hour == 24 and (minute or second):
        return None
    half, cut = _read_half(match, hour)
    if match.name == "half" and not half:
        return None
    if cut is None:
        zone, cut = _read_zone(match)
    else:
        zone = None
    start, end, first, last = _span(match, cut)
    if match.name == "oclock":
        first = match.token("hour")
        start = match.tokens.starts[first]
    return TimeForm(
        start,
        end,
        first,
        last,
        hour % 24,
        minute,
        min(second, 59) if second is not None else None,
        half,
        zone,
        dotted=match.name in {"dotted", "oclock"},
    )


def _read_half(match: Match, hour: int) -> tuple[str, int | None]:
    """Which half of the day, and where to cut the match when the word is not about that."""
    before = match.senses("half", "half")
    after = match.senses("half2", "half")
    if before:
        return str(before[0].value), None
    if not after:
        return "", None
    index = match.token("half2")
    word = match.tokens.text[match.tokens.starts[index] : match.tokens.ends[index]]
    dot = match.token("halfdot")
    if dot >= 0 and "." not in word and match.found.end() == dot + 1:  # «10:46 PM.» ends a sentence
        return str(after[0].value), dot
    glued = match.tokens.letters[index - 1] not in " ."
    plain = word.isascii() and word.replace(".", "").replace(" ", "") not in {"am", "pm"}
    if (plain and not glued and len(word) <= 2) or (hour > 12 and word == "am"):
        cut = index
        while match.tokens.letters[cut - 1] in " .":
            cut -= 1
        return "", cut
    return str(after[0].value), None


def _read_zone(match: Match) -> tuple[str | None, int | None]:
    offset = _read_offset(match, "") or _read_offset(match, "q")
    senses = match.senses("zone", "zone")
    if senses:
        index = match.token("zone")
        word = match.tokens.text[match.tokens.starts[index] : match.tokens.ends[index]]
        if len(word) == 1 and match.tokens.letters[index - 1] == " ":
            return None, index - 1
        return offset or str(senses[0].value), None
    if offset and match.letter("qsign") == "-" and not _is_iso_offset(match):
        cut = match.token("qsign")
        return None, cut - 1 if match.tokens.letters[cut - 1] == " " else cut
    return offset, None


def _is_iso_offset(match: Match) -> bool:
    """«10:15-11:30» is a span of time, «10:15:00-05:00» a time zone."""
    return match.token("second") >= 0 or match.token("qzfour") >= 0


def _read_offset(match: Match, prefix: str) -> str | None:
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
