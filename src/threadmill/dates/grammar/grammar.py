"""The grammar of dates and times: regular expressions over class letters, not over characters.

Letters of numbers (lexer.py): 0 zero, 1 one digit, 2 01…12, 3 13…24, 4 25…31, 5 32…59, 6 60…99, 7 00,
8 three digits, Y a year, B a year of the Buddhist or Persian calendar, 9 other four digits, E yyyymmdd,
F yyyymmddhhmmss, P a time stamp in seconds or milliseconds, L other. Every repetition is bounded, so that
matching is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from threadmill.dates.grammar.date_patterns import Shapes, Source
from threadmill.dates.text.lexicon import ROLES, Lexicon

# What may stand between the parts of a date: up to three separators, or nothing («2016January05»).
_GAP = r"[ .,/\\-]{0,3}"


@dataclass(frozen=True, slots=True)
class Grammar:
    """The shapes of dates and of times for one lexicon."""

    dates: Shapes
    times: Shapes
    between: re.Pattern[str]  # what may stand between a date and its time
    halves: frozenset[str]  # the letters of AM, PM and their like
    clock: re.Pattern[str]  # what every time has one of
    usual: int  # the languages that are believed without further proof


@lru_cache(maxsize=8)
def find_grammar(lexicon: Lexicon) -> Grammar:
    """The grammar whose letters are those of a lexicon."""
    roles = {role: lexicon.role(role) for role in ROLES}
    return Grammar(
        Shapes(_with_needs(_date_shapes(roles), roles), _starters(roles, _DATE_STARTERS) + "1234567YBEFP0('"),
        Shapes(
            _with_needs(_time_shapes(roles), roles), _starters(roles, ("half", "hourword", "at")) + "01237"
        ),
        re.compile(_between(roles)),
        frozenset(lexicon.letters["half"]),
        re.compile(f"[:.]|{roles['half']}|{roles['hmark']}|{roles['at']}"),
        lexicon.usual,
    )


_DATE_STARTERS = (
    *("month", "weekday", "link", "era", "monthmark", "number", "unit", "dual", "weekdaymark"),
    *("relday", "relunit", "relweekday", "now", "agobefore", "hencebefore", "about"),
)


# What the shapes of a name cannot do without: one of these roles.
_DISTANCE = ("relday", "relunit", "relweekday", "pastunit", "unit", "dual", "now")
_NEEDS = {
    "named": ("month",),
    "month": ("month", "monthmark"),
    "marked": ("monthmark", "mmark"),
    **dict.fromkeys(("counted", "lastweekday", "phrase", "ago", "hence", "age", "now"), _DISTANCE),
}


def _with_needs(shapes: list[tuple[str, str]], r: dict[str, str]) -> list[Source]:
    needs = {name: _union(r, *roles) for name, roles in _NEEDS.items()}
    return [Source(name, pattern, needs.get(name, "")) for name, pattern in shapes]


def _starters(r: dict[str, str], roles: Iterable[str]) -> str:
    return "".join(sorted({letter for role in roles for letter in r[role][1:-1]}))


def _between(r: dict[str, str]) -> str:
    words = _union(r, "at", "link", "and", "tail", "ordinal", "zone")
    return f"(?:[ ,.|<()\\-:;?'+x/]|{words}){{0,9}}"


def _date_shapes(r: dict[str, str]) -> list[tuple[str, str]]:
    month, weekday = r["month"], r["weekday"]
    links = f"(?:\\(?{r['link']}\\)?[',. -]{{0,3}}){{0,2}}"
    ordinal = f"(?:[-']?{r['ordinal']}(?![0-9])|\\({_union(r, 'ordinal', 'link')}\\))?"
    day = f"(?P<day>[1234]){ordinal}"
    days = f"{day}(?:\\.? ?- ?[1234]\\.?(?![-/.]))?"  # «12-14 June 2021» begins on the 12th
    # Vietnamese counts its days: «Thứ 2» is Monday.
    weekday_said = f"(?:(?P<weekday>{weekday})|{r['weekdaymark']} ?(?P<weekdaynumber>1))"
    before = f"(?:(?:\\((?={weekday}\\.?\\)))?{weekday_said}[.,)']{{0,2}}[ -]{{0,2}}{links})?"
    after = (
        f"(?:[ ,.]{{0,3}}(?:\\((?P<weekday2>{weekday})\\.?\\)|(?P<weekday3>{weekday})(?:\\.(?= ?[0-9(<]))?))?"
    )
    tail = f"(?: ?(?P<tail>{r['tail']})(?P<taildot>\\.)?)?"
    # Two digits are no year when they begin a time.
    short = f"[234567](?!(?: ?[:/\\\\] ?|- ?|\\.)[0-9BY]| ?(?:{r['half']}|{r['hmark']})|[0-9])"
    year = f"(?P<mark>')?(?P<year>[YB]|{short})"
    whole_year = "(?P<year>[YB])"
    zone = f"(?:{r['zone']} (?=[YB]))?"  # «Mon Nov 16 CET 2026»
    # «[Sept] 04, 2014», «'Sept' 04»; a bracket that closes has been opened before the month
    named = (
        f"(?:'|\\((?={month}\\.?\\)))?(?P<month>{month})(?:'(?=[ .,/-]{{0,2}}[0-9YB'])|(?<=\\({month})\\))?"
    )
    before_bar = f"(?:(?P<weekday>{weekday}) ?\\| ?)?"  # «Fri | September 1 | 2017»
    cjk_day = f"(?P<day>[1234])(?: ?{r['dmark']}|(?![0-9:]))"
    era = f"(?:(?P<era>{r['era']})[. ]{{0,2}})"
    # Most shapes may begin with a weekday; a look at the first letter spares the rest of the attempt.
    opening = _union(r, "weekday", "weekdaymark")[1:-1] + "("
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
        # A Chinese pack in an English format: «周二 4月 02, 2013», «9 11月 2014».
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
        *_relative_shapes(r),
        ("weekday", f"(?P<weekday>{weekday})"),
    ]


def _relative_shapes(r: dict[str, str]) -> list[tuple[str, str]]:
    amount = f"(?:[0-9](?:[.,][0-9])?|{r['number']})"
    # Atomic and possessive: words that are article, preposition and unit at once («a a a a») would otherwise
    # be tried in every split.
    count = f"(?>{amount}[ ']?(?:{r['link']} )?{r['unit']}\\.?|{r['dual']})"
    more = f"(?:(?: ?,)? ?(?:{r['and']} ?)?{count}){{0,6}}+"
    about = f"(?:{r['about']}[ -]?)?"
    nearly = f"(?: {r['about']})?"  # Arabic says it last
    joint = f" ?,? ?(?:{r['and']} ?)?"
    again = f"(?:{joint}{r['agobefore']} ?{count}{more}){{0,4}}+"
    ago, hence = (f"(?:{r[name]})" for name in ("agoafter", "henceafter"))
    return [
        # «1 ปีที่แล้ว», «2 órája»: the word for the unit says that it is past.
        ("counted", f"(?P<count>[0-9]|{r['number']}) ?(?P<phrase>{_union(r, 'relunit', 'pastunit')})"),
        ("lastweekday", f"(?P<phrase>{r['relunit']}) ?{r['link']}?(?P<weekday>{r['weekday']})"),
        ("phrase", f"(?P<phrase>{_union(r, 'relday', 'relunit', 'relweekday')})"),
        # The word may be said again for every unit: «преди 3 месеца преди 2 седмици».
        ("ago", f"{about}{r['agobefore']} ?{about}(?P<count>{count}{more}{again})(?: {ago})?{nearly}"),
        ("ago", f"{about}{r['agobefore']} {about}(?P<unit>{r['unit']})(?: (?P<one>{r['number']}))?{nearly}"),
        ("ago", f"{about}(?P<count>{count}{more}(?: ?{ago}{joint}{count}{more}(?= ?{ago})){{0,4}}+) ?{ago}"),
        ("ago", f"{about}(?P<unit>{r['unit']}) {ago}"),
        ("hence", f"{r['hencebefore']} ?(?P<count>{count}{more})(?: {hence})?"),
        ("hence", f"(?P<count>{count}{more}) ?{hence}"),
        ("age", f"(?:{r['now']} ?- ?|{r['about']} )?(?P<count>{count}{more})"),
        ("now", f"(?P<phrase>{r['now']})"),
    ]


def _union(r: dict[str, str], *roles: str) -> str:
    return "[" + "".join(sorted({c for role in roles for c in r[role][1:-1]})) + "]"


def _time_shapes(r: dict[str, str]) -> list[tuple[str, str]]:
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
