# ruff: noqa
"""Dates in short texts, until threadmill.dates is here."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

from threadmill.types import Moment, Precision

_MONTHS = {}
for _n, _w in enumerate(
    [
        "jan ene янв gen janv",
        "feb фев fév fev févr",
        "mar мар mär mars mrt märz maa",
        "apr апр avr abr huh",
        "may mai май мая mei mag tou",
        "jun июн juin kes",
        "jul июл juil hei",
        "aug авг août ago elo",
        "sep сен sept set syy",
        "oct okt окт ott lok",
        "nov ноя mar11",
        "dec dez dez дек déc dic jou",
    ],
    1,
):
    for _x in _w.split():
        _MONTHS[_x] = _n
_NAME = "|".join(sorted((re.escape(m) for m in _MONTHS), key=len, reverse=True))
_ISO = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})")
_NUM = re.compile(r"\b(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})\b")
_DMY = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?[\s.\-]*(?:de |of )?({_NAME})\w*\.?,?[\s\-]*(?:de )?(?:'?(\d{{4}}|\d{{2}})\b(?!:))?",
    re.IGNORECASE,
)
_MDY = re.compile(
    rf"\b({_NAME})\w*\.?\s*(\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\s*'?(\d{{4}}))?", re.IGNORECASE
)
_TIME = re.compile(r"\b(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s*([ap]\.?m\b)?", re.IGNORECASE)
_REL = re.compile(
    r"(\d+|\ban?\b|\bone\b|\beine?[rmn]?\b)\s*(sec|min|hour|hr|day|week|month|year|stunde|tag|woche|monat|jahr|minute|sekunde|天|小时|分钟|个月|年|周|秒|ч\b|мин|дн|час|jour|heure|mois|semaine|an\b|ans\b|h\b|d\b)\w*",
    re.IGNORECASE,
)
_DAYWORD = re.compile(
    r"\b(today|yesterday|heute|gestern|hier|aujourd'hui|сегодня|вчера|ayer|hoy|oggi|ieri|tänään|eilen)\b|昨天|前天|今天",
    re.IGNORECASE,
)
_AGO = re.compile(
    r"\bago\b|\bvor\b|\bher\b|前|назад|il y a|hace|\bfa\b|geleden|sitten|^\s*\d+\s*[a-z]{1,2}\s*$",
    re.IGNORECASE,
)
_UNIT = {
    "sec": 1,
    "sek": 1,
    "秒": 1,
    "min": 60,
    "分": 60,
    "мин": 60,
    "hou": 3600,
    "hr": 3600,
    "stu": 3600,
    "小": 3600,
    "ч": 3600,
    "час": 3600,
    "heu": 3600,
    "h": 3600,
    "day": 86400,
    "tag": 86400,
    "天": 86400,
    "дн": 86400,
    "jou": 86400,
    "d": 86400,
    "wee": 604800,
    "woc": 604800,
    "周": 604800,
    "sem": 604800,
    "mon": 2629800,
    "moi": 2629800,
    "个": 2629800,
    "yea": 31557600,
    "jah": 31557600,
    "年": 31557600,
    "an": 31557600,
    "ans": 31557600,
}


def looks_dated(text: str) -> bool:
    """Whether a short text says a date."""
    if len(text) > 160:
        return False
    return bool(
        _ISO.search(text)
        or _NUM.search(text)
        or _DMY.search(text)
        or _MDY.search(text)
        or _DAYWORD.search(text)
        or (_REL.search(text) and (_AGO.search(text) or len(text) < 25))
    )


def read(text: str, now: datetime | None) -> Moment | None:
    """The date a text says."""
    clock = _TIME.search(_ISO.sub(" ", _NUM.sub(" ", text)))
    at = None
    if clock:
        h, m, s = int(clock[1]), int(clock[2]), int(clock[3] or 0)
        if clock[4]:
            h = h % 12 + (12 if clock[4].lower().startswith("p") else 0)
        if h < 24 and m < 60 and s < 60:
            at = time(h, m, s)
    precision = Precision.DAY if at is None else Precision.SECOND if clock and clock[3] else Precision.MINUTE
    day = _day(text, now)
    if day is None:
        return None
    if isinstance(day, datetime):
        return Moment(day.date(), day.time().replace(microsecond=0), None, Precision.HOUR)
    return Moment(day, at, None, precision)


def _day(text: str, now: datetime | None) -> date | None:
    try:
        if m := _ISO.search(text):
            return date(int(m[1]), int(m[2]), int(m[3]))
        if m := _NUM.search(text):
            d, mo, y = int(m[1]), int(m[2]), int(m[3])
            if mo > 12:
                d, mo = mo, d
            return date(y + (2000 if y < 70 else 1900) if y < 100 else y, mo, d)
        if m := _DMY.search(text):
            return _guess(m[3], _MONTHS[m[2].lower()], int(m[1]), now)
        if m := _MDY.search(text):
            return _guess(m[3], _MONTHS[m[1].lower()], int(m[2]), now)
    except ValueError:
        return None
    if now is None:
        return None
    if m := _DAYWORD.search(text):
        w = m[0].lower()
        back = (
            0
            if w in {"today", "heute", "aujourd'hui", "сегодня", "hoy", "oggi", "今天", "tänään"}
            else 2
            if w == "前天"
            else 1
        )
        return (now - timedelta(days=back)).date()
    if m := _REL.search(text):
        unit = next(
            (v for k, v in sorted(_UNIT.items(), key=lambda x: -len(x[0])) if m[2].lower().startswith(k)), 0
        )
        count = int(m[1]) if m[1].isdigit() else 1
        if count * unit < 4e9:
            return now - timedelta(seconds=count * unit)
    return None


def _guess(year: str | None, month: int, day: int, now: datetime | None) -> date:
    if year:
        y = int(year)
        return date(y + (2000 if y < 70 else 1900) if y < 100 else y, month, day)
    y = now.year if now else 2020
    found = date(y, month, day)
    if now and found > now.date() + timedelta(days=2):
        found = date(y - 1, month, day)
    return found
