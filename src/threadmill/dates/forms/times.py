"""Reads times of day: 10:46 PM, 9h15, 下午4:08, 21:33:05+02:00."""

from __future__ import annotations

import re

from threadmill.dates.forms.written_dates import TimeForm
from threadmill.dates.grammar.match import Match, span_of
from threadmill.dates.text.lexicon import find_lexicon

_HAN_OR_HANGUL = re.compile("[\u3400-\u9fff\uac00-\ud7af]")
_ENDS = frozenset(["", *"<,.)|"])


def read_time(match: Match) -> TimeForm | None:
    """The time of day a match says, or None when the numbers are no time."""
    if match.name == "hourword":
        return _read_hour_word(match)
    hour, minute, second = match.number("hour"), match.number("minute"), match.number("second")
    if hour is None or hour > 24 or (minute or 0) > 59 or (second or 0) > 60:
        return None
    if hour == 24 and (minute or second):
        return None
    if match.name == "half" and not _names_half(match):
        return None
    half, cut, zone = "", None, None
    if match.token("half") >= 0 or not _ends_with_number(match):
        half, cut = _read_half(match, hour)
        if match.name == "half" and not half:
            return None
        if cut is None:
            zone, cut = _read_zone(match)
    start, end, first, last = span_of(match, cut)
    if match.name == "oclock" or _is_small_word(match):
        first = match.token("hour")
        start = match.tokens.starts[first]
        half = half if match.name != "oclock" and match.token("half2") >= 0 else ""
    return TimeForm(
        start,
        end,
        first,
        last,
        hour % 24,
        minute,
        min(second, 59) if second is not None else None,
        half,
        _is_english(match),
        _is_of_year_first(match),
        zone,
        dotted=match.name in {"dotted", "oclock"} or _is_amount(match),
    )


def _read_hour_word(match: Match) -> TimeForm:
    """«Oct. 11, 2025, noon»: an hour without a number; what stands around it decides whether it is one."""
    start, end, first, last = span_of(match)
    hour = int(match.senses("word", "hourword")[0].value)
    return TimeForm(start, end, first, last, hour, spoken=True, dotted=True)


def _ends_with_number(match: Match) -> bool:
    """Whether minutes or seconds stand last, with no word for a half of the day or a zone behind them."""
    return match.found.end() - 1 in {match.token("minute"), match.token("second")}


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
    if (
        dot >= 0 and not _owns_dot(match, word) and match.found.end() == dot + 1
    ):  # «10:46 PM.» ends a sentence
        return str(after[0].value), dot
    glued = match.tokens.letters[index - 1] not in " ."
    plain = word.isascii() and word.replace(".", "").replace(" ", "") not in {"am", "pm"}
    article = plain and not glued and len(word) <= 2 and not _ends_piece(match, index)
    if article or (hour > 12 and word == "am"):
        cut = index
        while match.tokens.letters[cut - 1] in " .":
            cut -= 1
        return "", cut
    return str(after[0].value), None


def _ends_piece(match: Match, index: int) -> bool:
    """Whether no word but a zone follows: «11:54 du» is Hungarian, a French article would have a noun."""
    return match.token("zone") > index or match.tokens.letters[index + 1 : index + 3].lstrip(" ")[:1] in _ENDS


def _owns_dot(match: Match, word: str) -> bool:
    """Whether the dot behind the word is its own: «a.m.», Greek «μμ.», Czech «dop.»."""
    if "." in word or (len(word) == 2 and not word.isascii()):
        return True
    return word not in {"am", "pm"} and bool(match.senses("half2", "cutword"))


def _is_amount(match: Match) -> bool:
    """«3h», «1h 54m» may as well be an amount of time: a time only beside a date."""
    if match.name != "marks":
        return False
    mark = match.tokens.letters.find(" ", match.token("hour"), match.found.end())
    word = match.tokens.text[match.tokens.starts[match.found.end() - 1] :]
    return word[:1].isascii() and (match.token("minute") < 0 or (mark >= 0 and match.token("imark") >= 0))


def _names_half(match: Match) -> bool:
    """Whether a word after a bare hour can only mean a half of the day: «9 PM», not «4wd» or «1 night»."""
    index = match.token("half2")
    word = match.tokens.text[match.tokens.starts[index] : match.tokens.ends[index]]
    if not word.isascii() or word.replace(".", "").replace(" ", "") in {"am", "pm"}:
        return True
    english = find_lexicon().bit("en")
    foreign = not any(sense.languages & english for sense in match.senses("half2", "half"))
    return len(word) > 3 and foreign


def _is_small_word(match: Match) -> bool:
    """«de 12h30» is French; Hungarian «de. 12:30» has a dot."""
    index = match.token("half")
    if index < 0 or match.tokens.letters[index + 1] == ".":
        return False
    word = match.tokens.text[match.tokens.starts[index] : match.tokens.ends[index]]
    return word.isascii() and len(word) < 3 and word not in {"am", "pm"}


def _is_english(match: Match) -> bool:
    """Whether AM or PM is said as in English, whose sites put the month first; Greek ΜΜ says nothing."""
    index = match.token("half2")
    word = match.tokens.text[match.tokens.starts[index] : match.tokens.ends[index]] if index >= 0 else ""
    return word.replace(".", "") in {"am", "pm"}


def _is_of_year_first(match: Match) -> bool:
    """Whether AM or PM is said in Chinese, Japanese or Korean, which all begin a date with its year."""
    index = match.token("half")
    return index >= 0 and bool(_HAN_OR_HANGUL.match(match.tokens.text, match.tokens.starts[index]))


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
