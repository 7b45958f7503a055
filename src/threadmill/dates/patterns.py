"""The grammar of dates and times: regular expressions over the class letters of tokens, not over characters.

`classify_number` in tokens.py lists the class letters of numbers. Words have a letter for each
combination of their roles (lexicon.py). Every repetition is bounded, so matching is linear in the length
of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from threadmill.dates.lexicon import ROLES, DateLexicon, WordSense
from threadmill.dates.tokens import TokenisedText
from threadmill.dates.written_dates import NamedValue

ALL_LANGUAGES = -1  # the bits of every language


class PatternMatch(NamedTuple):
    """A pattern found in a text: its name, the regular expression's match, and the tokens of the text."""

    name: str
    found: re.Match[str]
    groups: dict[str, int]  # name of each group → its number in the match
    tokens: TokenisedText

    def token(self, group: str) -> int:
        """Return the index of a group's first token; -1 when the group took no part."""
        number = self.groups.get(group)
        return -1 if number is None else self.found.start(number)

    def letter(self, group: str) -> str:
        """Return the class letters of a group; empty when the group took no part."""
        number = self.groups.get(group)
        return "" if number is None else self.found.group(number) or ""

    def number(self, group: str) -> int | None:
        """Return the number at a group's token."""
        index = self.token(group)
        return self.tokens.numbers[index] if index >= 0 else None

    def width(self, group: str) -> int:
        """Return how many characters a group's token has."""
        index = self.token(group)
        return self.tokens.ends[index] - self.tokens.starts[index] if index >= 0 else 0

    def senses(self, group: str, *roles: str) -> tuple[WordSense, ...]:
        """Return the meanings of a group's word in these roles."""
        index = self.token(group)
        if index < 0 or not self.tokens.senses[index]:
            return ()
        return tuple(sense for sense in self.tokens.senses[index] if sense.role in roles)


def named_values(senses: tuple[WordSense, ...]) -> tuple[NamedValue, ...]:
    """Return the values of a word with their languages."""
    return tuple(NamedValue(int(sense.value), sense.languages) for sense in senses)


def span_of(match: PatternMatch, last: int | None = None) -> tuple[int, int, int, int]:
    """Return start offset, end offset, first token and end token of a match.

    `last` is an earlier end token, where the match is cut.
    """
    first = match.found.start()
    end = match.found.end() if last is None else last
    return match.tokens.starts[first], match.tokens.ends[end - 1], first, end


def weekdays_of(match: PatternMatch) -> tuple[NamedValue, ...]:
    """Return the weekdays that the match's word for a weekday can mean."""
    for group in ("weekday", "weekday2", "weekday3"):
        if match.token(group) >= 0:
            return named_values(match.senses(group, "weekday"))
    number = match.number("weekdaynumber")
    if number is not None and 2 <= number <= 7:
        return (NamedValue(number - 2, ALL_LANGUAGES),)
    return ()


def era_of(match: PatternMatch) -> int | None:
    """Return the era a match names, as the year before the era's first year."""
    senses = match.senses("era", "era")
    return int(senses[0].value) if senses else None


def restrict_to_languages(values: tuple[NamedValue, ...], languages: int) -> tuple[NamedValue, ...]:
    """Keep the values that belong to one of the languages; keep all values when none does."""
    kept = tuple(NamedValue(v.value, v.languages & languages) for v in values if v.languages & languages)
    return kept or values


def all_languages(values: tuple[NamedValue, ...]) -> int:
    """Return all languages of some values."""
    languages = 0
    for value in values:
        languages |= value.languages
    return languages


def end_before_foreign_suffix(match: PatternMatch, languages: int) -> int | None:
    """Return the token where a date ends when the word after its year is foreign: «2020 a» is not Basque.

    None means that the suffix belongs to the date.
    """
    index = match.token("tail")
    if index < 0:
        return None
    suffix_languages = 0
    for sense in match.senses("tail", "tail"):
        suffix_languages |= sense.languages
    if suffix_languages & languages:
        dot = match.token("taildot")
        whole_word = match.tokens.ends[index] - match.tokens.starts[index] > 3
        return dot if dot >= 0 and whole_word else None  # «2000 roku.» ends a sentence, «2000 r.» does not
    cut = index
    while match.tokens.letters[cut - 1] == " ":
        cut -= 1
    return cut


def dot_belongs_to_date(match: PatternMatch, separator: str) -> bool:
    """Whether the dot after the last number is part of the date, and not the end of a sentence."""
    if separator != ".":
        return False
    letters = match.tokens.letters
    first, dot = match.found.start(), match.token("dot")
    words_before = sum(1 for c in letters[max(0, first - 40) : first] if c == "w" or c >= "\ue000")
    ends_text = not letters[dot + 1 :].strip(" <")
    return not (ends_text and words_before > 3)


# Up to three separators stand between the parts of a date, or none («2016January05»).
_GAP = r"[ .,/\\-]{0,3}"


class DatePattern(NamedTuple):
    """One way to write a date or a time: a regular expression over class letters."""

    name: str
    regex: str
    needs: str = ""  # a character class: every match has one of its letters; empty when nothing is needed


class CompiledPattern(NamedTuple):
    """A compiled pattern, with the numbers of its groups in the combined expression and on its own."""

    name: str
    regex: re.Pattern[str]
    groups_in_combination: dict[str, int]
    groups: dict[str, int]


class CombinedPatterns:
    """Several patterns as one regular expression; a match tells which pattern it was."""

    def __init__(self, patterns: list[DatePattern], first_letters: str) -> None:
        self._patterns: list[CompiledPattern] = []
        self._number_of: dict[int, int] = {}
        parts: list[str] = []
        outer = 1
        for number, (name, source, _) in enumerate(patterns):
            regex = re.compile(source)
            combined = {group: index + outer for group, index in regex.groupindex.items()}
            self._patterns.append(CompiledPattern(name, regex, combined, dict(regex.groupindex)))
            renamed = re.sub(r"\(\?P(<|=)(\w+)", lambda m, n=number: f"(?P{m[1]}{m[2]}_{n}", source)  # type: ignore[misc]
            parts.append(f"({renamed})")
            self._number_of[outer] = number
            outer += 1 + regex.groups
        # Most tokens can begin no date. One look at the first letter skips all alternatives for them.
        self._any = re.compile(f"(?=[{first_letters}])(?:{'|'.join(parts)})")

    def search(self, tokens: TokenisedText, start: int) -> tuple[PatternMatch, int] | None:
        """Return the next match and the number of its pattern."""
        found = self._any.search(tokens.letters, start)
        if not found:
            return None
        number = self._number_of[found.lastindex or 0]
        pattern = self._patterns[number]
        return PatternMatch(pattern.name, found, pattern.groups_in_combination, tokens), number

    def match_later_patterns(self, tokens: TokenisedText, start: int, number: int) -> Iterator[PatternMatch]:
        """Yield the matches at one token by the patterns that come after a given one."""
        for pattern in self._patterns[number + 1 :]:
            found = pattern.regex.match(tokens.letters, start)
            if found:
                yield PatternMatch(pattern.name, found, pattern.groups, tokens)


class PatternSet:
    """All patterns of a grammar. A text is matched only with the patterns whose needs it fulfils.

    A text without the name of a month skips a third of the patterns, one without words for units another
    third. This halves the time of a search. Each selection is compiled when a text first needs it.
    """

    def __init__(self, patterns: list[DatePattern], first_letters: str) -> None:
        self.patterns = patterns
        self._first_letters = first_letters
        self._needs = {need: re.compile(need) for need in dict.fromkeys(p.needs for p in patterns) if need}
        self._selections: dict[tuple[bool, ...], CombinedPatterns] = {}

    def patterns_for(self, letters: str) -> CombinedPatterns:
        """Return the patterns that a text with these class letters can match."""
        fulfilled = tuple([need.search(letters) is not None for need in self._needs.values()])
        selection = self._selections.get(fulfilled)
        if selection is None:
            missing = {need for need, there in zip(self._needs, fulfilled, strict=True) if not there}
            kept = [pattern for pattern in self.patterns if pattern.needs not in missing]
            selection = self._selections[fulfilled] = CombinedPatterns(kept, self._first_letters)
        return selection


@dataclass(frozen=True, slots=True)
class DateGrammar:
    """The patterns of dates and times for one lexicon."""

    dates: PatternSet
    times: PatternSet
    between: re.Pattern[str]  # signs and words that may stand between a date and its time
    day_periods: frozenset[str]  # the class letters of AM, PM and the like
    time_sign: re.Pattern[str]  # every time has one of these signs or words
    day_to_year: re.Pattern[str]  # a date that begins with its day and has a year: 14-Apr-1997, 25.01.2015
    common_languages: int  # their words need no further proof


@lru_cache(maxsize=8)
def grammar_for(lexicon: DateLexicon) -> DateGrammar:
    """Return the grammar that uses the class letters of a lexicon."""
    roles = {role: lexicon.role(role) for role in ROLES}
    return DateGrammar(
        PatternSet(
            _attach_needs(_date_patterns(roles), roles),
            _first_letters(roles, _DATE_FIRST_ROLES) + "1234567YBEFP0('",
        ),
        PatternSet(
            _attach_needs(_time_patterns(roles), roles),
            _first_letters(roles, ("half", "hourword", "at")) + "01237",
        ),
        re.compile(_between_pattern(roles)),
        frozenset(lexicon.letters["half"]),
        re.compile(f"[:.]|{roles['half']}|{roles['hmark']}|{roles['at']}"),
        re.compile(_day_to_year_pattern(roles)),
        lexicon.common_languages,
    )


_DATE_FIRST_ROLES = (
    *("month", "weekday", "link", "era", "monthmark", "number", "unit", "dual", "weekdaymark"),
    *("relday", "relunit", "relweekday", "now", "agobefore", "hencebefore", "about"),
)


# A pattern of this name matches only where a word has one of these roles.
_DISTANCE_ROLES = ("relday", "relunit", "relweekday", "pastunit", "unit", "dual", "now")
_NEEDED_ROLES = {
    "named": ("month",),
    "month": ("month", "monthmark"),
    "marked": ("monthmark", "mmark"),
    **dict.fromkeys(("counted", "lastweekday", "phrase", "ago", "hence", "age", "now"), _DISTANCE_ROLES),
}


def _attach_needs(patterns: list[tuple[str, str]], r: dict[str, str]) -> list[DatePattern]:
    """Add to each pattern the words it cannot match without."""
    needs = {name: _any_of_roles(r, *roles) for name, roles in _NEEDED_ROLES.items()}
    return [DatePattern(name, pattern, needs.get(name, "")) for name, pattern in patterns]


def _first_letters(r: dict[str, str], roles: Iterable[str]) -> str:
    """Return the class letters of some roles, as the content of a character class."""
    return "".join(sorted({letter for role in roles for letter in r[role][1:-1]}))


def _between_pattern(r: dict[str, str]) -> str:
    """Build the pattern of what may stand between a date and its time: up to nine signs and small words."""
    words = _any_of_roles(r, "at", "link", "and", "tail", "ordinal", "zone")
    return f"(?:[ ,.|<()\\-:;?'+x/]|{words}){{0,9}}"


def _day_to_year_pattern(r: dict[str, str]) -> str:
    """Build the pattern of a date from its day to its year, with the month as a number or a word."""
    numbers = "(?P<sep>[-./\\\\]) ?[1234](?P=sep) ?(?:Y|[234567](?![0-9]))"
    gap = f"[-./,\\\\]? ?(?:{r['link']} )?"  # « - » would be a range: «Jan 3 - Feb 2012»
    return f"[1234](?:{numbers}|{gap}{r['month']}{gap}Y)"


def _date_patterns(r: dict[str, str]) -> list[tuple[str, str]]:
    """Return the name and the regular expression of each way to write a date, the preferred ones first.

    `r` maps each role to the character class of its words.
    """
    month, weekday = r["month"], r["weekday"]
    links = f"(?:\\(?{r['link']}\\)?[',. -]{{0,3}}){{0,2}}"
    ordinal = f"(?:[-']?{r['ordinal']}(?![0-9])|\\({_any_of_roles(r, 'ordinal', 'link')}\\))?"
    day = f"(?P<day>[1234]){ordinal}"
    days = f"{day}(?:\\.? ?- ?[1234]\\.?(?![-/.]))?"  # «12-14 June 2021» begins on the 12th
    # Vietnamese numbers its weekdays: «Thứ 2» is Monday.
    weekday_said = f"(?:(?P<weekday>{weekday})|{r['weekdaymark']} ?(?P<weekdaynumber>1))"
    before = f"(?:(?:\\((?={weekday}\\.?\\)))?{weekday_said}[.,)']{{0,2}}[ -]{{0,2}}{links})?"
    after = (
        f"(?:[ ,.]{{0,3}}(?:\\((?P<weekday2>{weekday})\\.?\\)|(?P<weekday3>{weekday})(?:\\.(?= ?[0-9(<]))?))?"
    )
    tail = f"(?: ?(?P<tail>{r['tail']})(?P<taildot>\\.)?)?"
    # Two digits are no year when a time begins with them.
    short = f"[234567](?!(?: ?[:/\\\\] ?|- ?|\\.)[0-9BY]| ?(?:{r['half']}|{r['hmark']})|[0-9])"
    year = f"(?P<mark>')?(?P<year>[YB]|{short})"
    whole_year = "(?P<year>[YB])"
    zone = f"(?:{r['zone']} (?=[YB]))?"  # «Mon Nov 16 CET 2026»
    # «[Sept] 04, 2014», «'Sept' 04»; a closing bracket counts only when one opens in front of the month
    named = (
        f"(?:'|\\((?={month}\\.?\\)))?(?P<month>{month})(?:'(?=[ .,/-]{{0,2}}[0-9YB'])|(?<=\\({month})\\))?"
    )
    before_bar = f"(?:(?P<weekday>{weekday}) ?\\| ?)?"  # «Fri | September 1 | 2017»
    cjk_day = f"(?P<day>[1234])(?: ?{r['dmark']}|(?![0-9:]))"
    era = f"(?:(?P<era>{r['era']})[. ]{{0,2}})"
    # Most patterns may begin with a weekday. A look at the first letter saves the rest of the attempt.
    opening = _any_of_roles(r, "weekday", "weekdaymark")[1:-1] + "("
    led_day, led_month = f"(?=[{opening}1234])", f"(?=[{opening}'{month[1:-1]}])"
    led_year, led_number = f"(?=[{opening}{r['era'][1:-1]}YB])", f"(?=[{opening}{r['era'][1:-1]}1-7YB])"
    return [
        (
            "named",
            f"{led_day}{before}{days}{_GAP}{links}{named}{_GAP}{links}{year}{tail}(?P<dot>\\.(?![0-9]))?{after}",
        ),
        ("named", f"{led_month}{before}{named}{_GAP}{links}{days}{_GAP}{links}{zone}{year}{tail}{after}"),
        ("named", f"{named}{_GAP}(?P<weekday>{weekday}){_GAP}{day}{_GAP}{year}"),
        ("named", f"{before_bar}{named}{_GAP}{day} ?\\| ?{whole_year}(?= ?(?:[<|]|$))"),
        (
            "named",
            f"{led_year}{before}{era}?{whole_year}{_GAP}{links}{named}{_GAP}{links}{day}{tail}(?P<dot>\\.)?{after}",
        ),
        ("named", f"{led_year}{before}{whole_year}{_GAP}{links}{day}{_GAP}{links}{named}{after}"),
        ("named", f"{led_day}{before}{day}{_GAP}{links}{named}{_GAP}{links}{era}{whole_year}"),
        (
            "marked",
            f"{before}{links}{day}{_GAP}{links}{r['monthmark']}[ .]?(?P<mnum>[12]){_GAP}{links}{year}",
        ),
        (
            "marked",
            f"{era}?(?P<year>[YB1234567]) ?{r['ymark']} ?(?P<mnum>[12]) ?{r['mmark']}(?: ?{cjk_day})?{after}",
        ),
        # A Chinese language pack in an English format: «周二 4月 02, 2013», «9 11月 2014».
        (
            "marked",
            f"{led_number}{before}{era}?(?P<mnum>[12]) ?{r['mmark']} ?{day}{r['dmark']}?{_GAP}{whole_year}",
        ),
        ("marked", f"{led_day}{before}{day}{_GAP}(?P<mnum>[12]) ?{r['mmark']}{_GAP}{whole_year}"),
        ("marked", f"(?P<mnum>[12]) ?{r['mmark']} ?{cjk_day}{after}"),
        ("marked", f"{before}{r['monthmark']}[ .]?(?P<mnum>[12]){_GAP}{day}{_GAP}{whole_year}"),
        ("marked", f"{whole_year}{_GAP}{links}{r['monthmark']}[ .]?(?P<mnum>[12]){_GAP}{links}{day}"),
        ("marked", f"{before}{links}{day}{_GAP}{links}{r['monthmark']}[ .]?(?P<mnum>[12])(?![0-9])"),
        (
            "numeric",
            f"{led_number}{before}{era}?"
            f"(?P<a>[1-7YB]) ?(?P<sep>[-./\\\\]) ?(?P<b>[1-7YB]) ?(?P=sep) ?(?P<c>[1-7YB])"
            f"(?P<dot>\\.)?{tail}{after}",
        ),
        ("numeric", "(?P<a>[1234])(?P<sep>[-./])(?P<b>[1234])[-/.](?P<c>Y)"),
        # «12.-14.06.2021» begins on the 12th
        ("numeric", "(?P<a>[1234])\\.? ?- ?[1234](?P<sep>[./])(?P<b>[12])(?P=sep)(?P<c>Y)"),
        ("spaced", "(?P<a>[2-7YB])(?P<sep>[ ,]) ?(?P<b>[2-7YB])(?P=sep) ?(?P<c>[2-7YB])"),
        ("compact", "(?P<compact>[EF])"),
        ("epoch", "(?P<epoch>P)"),
        ("named", f"{led_day}{before}{day}{_GAP}{links}{named}(?!{_GAP}{links}9){after}"),
        ("named", f"{led_month}{before}{named}{_GAP}{links}{day}(?!{_GAP}{links}9)(?P<dot>\\.)?{after}"),
        ("month", f"{named}{_GAP}{links}{whole_year}{tail}"),
        ("month", f"{named} ?'(?P<year>[2-7])"),
        ("month", f"{whole_year}{_GAP}{links}{named}"),
        ("month", f"{r['monthmark']}[ .]?(?P<mnum>[12]){_GAP}{links}{whole_year}"),
        ("partial", f"{led_day}{before}(?P<a>[1234])(?P<sep>[-./]) ?(?P<b>[1234])(?P<dot>\\.)?"),
        ("monthyear", "(?P<a>[12])(?P<sep>[-./])(?P<b>Y)|(?P<year>Y)(?P<sep2>[-./])(?P<mnum>2)"),
        *_relative_patterns(r),
        ("weekday", f"(?P<weekday>{weekday})"),
    ]


def _relative_patterns(r: dict[str, str]) -> list[tuple[str, str]]:
    """Return the patterns of dates that are a distance from now: yesterday, 3 weeks ago."""
    amount = f"(?:[0-9](?:[.,][0-9])?|{r['number']})"
    # Atomic and possessive. Otherwise words that are article, preposition and unit at once («a a a a») would
    # be tried in every possible split.
    count = f"(?>{amount}[ ']?(?:{r['link']} )?{r['unit']}\\.?|{r['dual']})"
    more = f"(?:(?: ?,)? ?(?:{r['and']} ?)?{count}){{0,6}}+"
    about = f"(?:{r['about']}[ -]?)?"
    nearly = f"(?: {r['about']})?"  # Arabic puts the word for "about" last
    joint = f" ?,? ?(?:{r['and']} ?)?"
    again = f"(?:{joint}{r['agobefore']} ?{count}{more}){{0,4}}+"
    ago, hence = (f"(?:{r[name]})" for name in ("agoafter", "henceafter"))
    # Arabic says "one" after its unit, Serbian says "a week of days".
    single = f"(?P<unit>{r['unit']})(?: (?P<days>{r['unit']})| (?P<one>{r['number']}))?"
    return [
        # «1 ปีที่แล้ว», «2 órája»: the word for the unit includes "ago".
        ("counted", f"(?P<count>[0-9]|{r['number']}) ?(?P<phrase>{_any_of_roles(r, 'relunit', 'pastunit')})"),
        ("lastweekday", f"(?P<phrase>{r['relunit']}) ?{r['link']}?(?P<weekday>{r['weekday']})"),
        ("phrase", f"(?P<phrase>{_any_of_roles(r, 'relday', 'relunit', 'relweekday')})"),
        # Some sites repeat the word for "ago" in front of every unit: «преди 3 месеца преди 2 седмици».
        ("ago", f"{about}{r['agobefore']} ?{about}(?P<count>{count}{more}{again})(?: {ago})?{nearly}"),
        ("ago", f"{about}{r['agobefore']} {about}{single}{nearly}"),
        ("ago", f"{about}(?P<count>{count}{more}(?: ?{ago}{joint}{count}{more}(?= ?{ago})){{0,4}}+) ?{ago}"),
        ("ago", f"{about}(?P<unit>{r['unit']}) {ago}"),
        ("hence", f"{r['hencebefore']} ?(?P<count>{count}{more})(?: {hence})?"),
        ("hence", f"(?P<count>{count}{more}) ?{hence}"),
        ("age", f"(?:{r['now']} ?- ?|{r['about']} )?(?P<count>{count}{more})"),
        ("now", f"(?P<phrase>{r['now']})"),
    ]


def _any_of_roles(r: dict[str, str], *roles: str) -> str:
    """Return a character class of the words of any of these roles."""
    return "[" + "".join(sorted({c for role in roles for c in r[role][1:-1]})) + "]"


def _time_patterns(r: dict[str, str]) -> list[tuple[str, str]]:
    """Return the patterns of times of day."""
    half = r["half"]
    first = f"(?:(?P<half>{half})[ .]{{0,2}})?"
    second = f"(?:[ .]{{0,2}}(?P<half2>{half})(?P<halfdot>\\.)?)?"
    hour = "(?P<hour>[01237])"
    offset = "(?P<sign>[+-])(?:(?P<zhour>[12370]):?(?P<zminute>[23457])?|(?P<zfour>[9YB]))(?![0-9])"
    zone = f"(?: ?(?P<zone>{r['zone']})(?: ?{offset})?| ?{offset.replace('<', '<q')})?"
    clock = f"{hour}:(?P<minute>[123457])(?::(?P<second>[123457])(?:(?!,Y)[.,](?P<fraction>[0-9BEFLPY]))?)?"
    marks = (
        f"{hour} ?{r['hmark']}(?: ?(?P<minute>[23457]|1(?= ?{r['imark']}))(?: ?(?P<imark>{r['imark']})"
        f"(?: ?(?P<second>[123457]) ?{r['smark']})?)?)?"
    )
    return [
        ("clock", f"{first}{clock}{second}{zone}"),
        ("marks", f"{first}{marks}{second}"),
        ("half", f"{hour} ?(?P<half2>{half})(?! ?[01237](?::|{r['hmark']}))(?P<halfdot>\\.)?{zone}"),
        ("dotted", f"{first}{hour}\\.(?P<minute>[23457])(?:\\.(?P<second>[23457]))?{second}"),
        ("hourword", f"(?P<word>{r['hourword']})"),
        ("oclock", f"(?P<at>{r['at']})[. ]{{0,2}}{hour}(?! ?(?:[:.]?[0-9]|{r['hmark']}|{half}))"),
    ]
