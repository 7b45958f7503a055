"""A held-out set for dates: labelled texts made from forum engines' formats and bylines, not from the grammar."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from babel import Locale
from babel.dates import format_timedelta

NOW = datetime(2026, 11, 15, 12, 0)
# The languages of the source, and those nobody trained anything for.
SPEC = "en ru tr es ro fr de nl it cs bg pl sv zh_Hans zh_Hant ko ja".split()  # noqa: SIM905
NEW = "sr_Cyrl sr_Latn uk sk el pt hu fi da hr he ar fa th vi".split()  # noqa: SIM905

# Date formats in PHP's letters, as they stand in the settings and language packs of forum engines.
FORMATS = {
    "en": ["D M d, Y", "F j, Y", "d-m-Y", "jS F Y", "l, j F Y", "M j, Y", "F jS, Y", "d M Y", "D jS M Y", "Y-m-d", "j M y",
           "l, F d, Y", "M d 'y", "d/m/Y"],
    "ru": ["d M Y", "j F Y", "d.m.Y", "D, d M Y", "l, j F Y", "Y-m-d", "d.m.y", "j M Y г.", "D M d, Y"],
    "tr": ["j F Y, l", "d.m.Y", "d M Y", "D M d, Y", "j F Y", "d/m/Y", "d-m-Y"],
    "es": ["D d M, Y", "d/m/Y", "j \\d\\e F \\d\\e Y", "d M Y", "l j \\d\\e F, Y", "d-m-Y", "F j, Y"],
    "ro": ["D M d, Y", "d M Y", "j F Y", "d.m.Y", "l, j F Y", "d-m-Y"],
    "fr": ["D d M Y", "d/m/Y", "j F Y", "l j F Y", "d-m-Y", "j M Y", "d M Y"],
    "de": ["D j. M Y", "j. F Y", "d.m.Y", "d.m.y", "l, j. F Y", "d. M Y", "D d. M Y", "j. M Y", "d M Y"],
    "nl": ["d M Y", "j F Y", "d-m-Y", "l j F Y", "d/m/y", "D d M Y"],
    "it": ["d/m/Y", "j F Y", "l j F Y", "d M Y", "D d M, Y", "d-m-Y"],
    "cs": ["j. F Y", "d.m.Y", "j. n. Y", "D d.m.Y", "d. M Y", "l j. F Y"],
    "bg": ["d M Y", "j F Y", "d.m.Y", "D M d, Y", "l, j F Y г."],
    "pl": ["d M Y", "j F Y", "d-m-Y", "D M d, Y", "d.m.Y", "l, j F Y", "D, j M Y"],
    "sv": ["j F Y", "Y-m-d", "d M Y", "l j F Y", "D j M Y", "j M -y"],
    "zh_Hans": ["Y-n-j", "Y年n月j日", "Y-m-d", "Y/n/j", "Y年m月d日", "n月j日"],
    "zh_Hant": ["Y-n-j", "Y年n月j日", "Y/m/d", "Y/n/j", "Y 年 n 月 j 日"],
    "ko": ["Y년 n월 j일", "Y.m.d", "Y-m-d", "Y. n. j.", "Y/m/d"],
    "ja": ["Y年n月j日", "Y/m/d", "Y年m月d日(D)", "Y-m-d", "Y/m/d(D)", "n月j日"],
    "sr_Cyrl": ["d M Y", "j. F Y.", "d.m.Y.", "l, j. F Y.", "D d M, Y"],
    "sr_Latn": ["d M Y", "j. F Y.", "d.m.Y.", "l, j. F Y.", "D d M, Y"],
    "uk": ["d M Y", "j F Y", "d.m.Y", "D, d M Y", "l, j F Y р."],
    "sk": ["j. F Y", "d.m.Y", "D j. M Y", "d. M Y", "l, j. F Y"],
    "el": ["d M Y", "j F Y", "d/m/Y", "D d M Y", "l, j F Y"],
    "pt": ["d/m/Y", "j \\d\\e F \\d\\e Y", "D d M Y", "d M Y", "l, j \\d\\e F \\d\\e Y", "d-m-Y"],
    "hu": ["Y. F j.", "Y.m.d.", "Y-m-d", "Y. M j.", "Y. F j., l"],
    "fi": ["d.m.Y", "j. F Y", "j.n.Y", "D d.m.Y"],
    "da": ["j. F Y", "d-m-Y", "d. M Y", "d/m-Y", "l j. F Y"],
    "hr": ["d.m.Y.", "j. F Y.", "d. M Y.", "l, j. F Y."],
    "he": ["d/m/Y", "j F Y", "d M Y", "l j F Y"],
    "ar": ["d/m/Y", "j F Y", "Y-m-d", "l j F Y"],
    "fa": ["j F Y", "Y/m/d", "l j F Y"],
    "th": ["j F Y", "d/m/Y", "d M Y", "l j F Y"],
    "vi": ["d/m/Y", "j \\t\\há\\n\\g n, Y", "d-m-Y", "Y-m-d"],
}  # fmt: skip
TIMES = {
    "en": ["g:i a", "h:i A", "H:i", "g:ia", "H:i:s", "g:i:s A"],
    "ko": ["H:i", "A g:i", "H:i:s"],
    "zh_Hans": ["H:i", "H:i:s", "A h:i"],
    "zh_Hant": ["H:i", "A h:i", "H:i:s"],
    "ja": ["H:i", "H:i:s", "A g:i"],
    "ar": ["g:i A", "H:i"],
    "el": ["g:i a", "H:i"],
    "da": ["H:i", "H:i:s"],
    "": ["H:i", "H:i:s", "G:i"],
}
# What stands around the stamp; {d} date, {t} time, {u} user, {n} number.
BYLINES = {
    "": ["{d} {t}", "{d}, {t}", "{u} » {d} {t}", "#{n} {d} {t}", "{d} - {t}", "{u} | {d} | {t}", "{d}", "[{d} {t}]",
         "({u} @ {d}, {t})", "{u} • {d} • {t} • {n}", "↑ {d}, {t}", "{t}, {d}", "« {d}, {t} »", "{u}, {d}"],
    "en": ["Posted by {u} on {d} at {t}", "Last edited by {u}; {d} at {t}. Reason: typo", "Joined: {d} Posts: {n}",
           "Re: Problem with v{n}.2.1 « Reply #{n} on: {d}, {t} »", "Post by {u} » {d}, {t}", "Quote: Originally posted {d}, {t}",
           "{n} replies, last one {d} at {t}"],
    "ru": ["Сообщение {u} » {d}, {t}", "Добавлено: {d} в {t}", "Зарегистрирован: {d}", "Отправлено {d} - {t}"],
    "de": ["Verfasst am: {d}, {t} Uhr", "von {u} am {d} um {t}", "Registriert seit: {d}", "Zuletzt geändert von {u}: {d}, {t}"],
    "fr": ["Posté le: {d} à {t}", "par {u} le {d} {t}", "Message de {u} » {d}, {t}", "Inscrit le: {d}"],
    "es": ["Publicado: {d} a las {t}", "por {u} el {d}, {t}", "Registrado: {d}"],
    "pl": ["Wysłany: {d}, {t}", "autor: {u} » {d}, {t}", "Napisano {d} o {t}"],
    "it": ["Inviato: {d} alle {t}", "da {u} » {d}, {t}"],
    "nl": ["Geplaatst: {d} om {t}", "door {u} op {d}, {t}"],
    "cs": ["Zaslal: {d} v {t}", "od {u} » {d} {t}"],
    "tr": ["Gönderilme zamanı: {d}, {t}", "{u} tarafından {d} {t} tarihinde"],
    "sv": ["Skrivet {d} kl. {t}", "av {u} » {d}, {t}"],
    "da": ["Skrevet {d} kl. {t}", "af {u} » {d}, {t}"],
    "fi": ["Lähetetty: {d} klo {t}", "Kirjoittaja {u} » {d}, {t}"],
    "hu": ["Elküldve: {d} {t}", "Szerző: {u} » {d} {t}"],
    "pt": ["Enviado: {d} às {t}", "por {u} em {d}, {t}"],
    "ro": ["Trimis: {d}, la {t}", "de {u} » {d} {t}"],
    "zh_Hans": ["发表于 {d} {t}", "{u} 发表于 {d} {t} | 只看该作者", "最后发表: {d} {t}"],
    "zh_Hant": ["發表於 {d} {t}", "{u} 於 {d} {t} 編輯"],
    "ja": ["投稿日時: {d} {t}", "{u} さんが {d} {t} に投稿"],
    "ko": ["작성일: {d} {t}", "{u} 님이 {d} {t} 작성"],
    "uk": ["Додано: {d}, {t}", "Повідомлення {u} » {d} {t}"],
    "bg": ["Пуснато на: {d} {t}", "от {u} » {d}, {t}"],
    "sk": ["Napísal {u} » {d}, {t}"], "hr": ["Postano: {d} {t}", "Napisao {u} » {d} {t}"],
    "sr_Latn": ["Poslao: {u} » {d} {t}"], "sr_Cyrl": ["Порука од {u} » {d} {t}"],
    "el": ["Δημοσιεύτηκε: {d} {t}"], "vi": ["Gửi lúc {d} {t}"],
}  # fmt: skip
FRAGMENTS = [
    '<span class="postdate old">{d},&nbsp;<span class="time">{t}</span></span>',
    '<abbr class="published" title="{iso}">{d} - {t}</abbr>',
    '<div class="smalltext">« <strong>Reply #{n} on:</strong> {d}, {t} »</div>',
    '<td class="row3"><a href="/forum/viewtopic.php?p={n}#{n}"><img src="i_2019.gif" alt="" /></a> {d} {t}</td>',
    '<p class="author"><a href="./m{n}.html">{u}</a> &raquo; <time>{d}, {t}</time></p>',
    '<li><dfn>x</dfn> <b>{d}</b> <i>{t}</i></li>',
    '<div class="DateCreated"><a href="/discussion/comment/{n}#Comment_{n}">{d}</a></div>',
    '<a class="u-concealed" href="/threads/a.{n}/" data-lb="1">{d}</a>',
]  # fmt: skip
EXACT_FRAGMENTS = [
    '<time class="u-dt" dir="auto" datetime="{iso}" data-date-string="x">{rel}</time>',
    '<span class="relative-date" title="{d} {t}" data-format="tiny">{rel}</span>',
    '<abbr class="timeago" title="{iso}">{rel}</abbr> by <a href="/u/{u}">{u}</a>',
]
NEGATIVES = [
    "version {a}.{b}.{c}", "v{a}.{b}.{c} released", "Firefox {h}.0.{b}", "kernel {a}.{h}.{b}-generic", "IP: {h}.{h}.{b}.{c}", "10.0.{a}.{b}",
    "page {a} of {h}", "Page {a}/{h}", "post #{h}", "Posts: {h}", "#{h}", "price ${h}.{e}", "{h},{e} €", "€ {h}.{e}", "{h}.{e} USD", "-{e}%",
    "call +1 ({h}) {h}-{y}", "tel. {e}-{e2}-{e}-99", "0{h} {h} {e}", "score {a}:{b}", "won {a}-{b}", "{a}:{b} (1:0)", "user{y}", "john_{e}_{f}", "max{e}may{e2}",
    "https://example.com/{y}/{f}/{e}/post", "http://ex.org/index.php?d={y}-{f}-{e}", "www.site.net/{y}-{f}-{e}.html", "see /blog/{y}/{f}/{e}/",
    "{a} out of {c}", "{a} of {c} people", "{h} MB", "{h}x{h}", "1920x1080", "16:9", "4:3", "RTX {y}", "Windows {a}.{b}", "file_{y}{f}{e}.zip",
    "IMG_{y}{f}{e}_{e}.jpg", "ISBN 978-{a}-{h}-{h}-{b}", "Views: {h},{h}", "{h} members and {a} guests", "1/{a}", "{a}/{h} cup", "chapter {a}.{b}", "§ {a}.{b}.{c}.",
    "fe80::{a}:{b}", "00:1B:44:{e}:3A:B7", "id={y}{f}{e}", "order 2019-{h}-{h}x", "Tracks: 1, 2, 3", "{a}+{b}={c}", "{a},{b},{c}", "lat {e}.{h}, {f}.{h}", "C{e}-{f}-{e2}X",
    "may be {a}", "you may {a} times", "set {a}", "march on!", "Sun and Moon", "I sat {a} rows away", "section {a}.{b}.{c}.{a}", "{h}k posts", "PHP {a}.{b}.{c}",
    "ratio {a}.{b}", "step {a} - {b} - {c}", "A{a}-B{b}", "{e}.{e}.{e}.{e}", "size {a} / {b} / {c}", "round {a}-{b}", "Re: #{h}", "model {y}", "since ever", "{h} ago", "{a} days",
]  # fmt: skip
USERS = [
    "alan",
    "Мария",
    "kiwi_99",
    "user2010",
    "Jürgen",
    "x-ray",
    "小明",
    "Max1985",
    "o'neil",
    "R2D2",
    "anna.k",
    "Maj0r",
]


@dataclass(frozen=True)
class Item:
    """A text with the spans it holds and the moment it means."""

    text: str
    spans: tuple[tuple[int, int, str], ...]
    moment: str | None
    language: str
    kind: str


@dataclass
class Names:
    """What one language calls months, days and halves of the day, as engines print them."""

    locale: Locale
    rng: random.Random
    cache: dict[str, dict[int, str]] = field(default_factory=dict)

    def month(self, number: int, wide: bool) -> str:
        """The month's name, genitive where the language has one, or its abbreviation, the dot kept or dropped."""
        name = str(self.locale.months["format"]["wide" if wide else "abbreviated"][number])
        return name if wide or self.rng.random() < 0.5 else name.rstrip(".")

    def day(self, number: int, wide: bool) -> str:
        """The weekday's name or abbreviation."""
        return str(self.locale.days["format"]["wide" if wide else "abbreviated"][number])

    def half(self, hour: int) -> str:
        """AM or PM."""
        half = "am" if hour < 12 else "pm"
        names = self.locale.day_periods["format"]
        return str(names["wide"].get(half) or names["abbreviated"][half])


def php(pattern: str, at: datetime, names: Names) -> str:
    """PHP's date() with names of a language."""
    ordinal = "th" if 10 < at.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(at.day % 10, "th")
    values = {
        "d": f"{at.day:02d}", "j": str(at.day), "S": ordinal, "m": f"{at.month:02d}", "n": str(at.month),
        "Y": str(at.year), "y": f"{at.year % 100:02d}", "H": f"{at.hour:02d}", "G": str(at.hour),
        "h": f"{at.hour % 12 or 12:02d}", "g": str(at.hour % 12 or 12), "i": f"{at.minute:02d}", "s": f"{at.second:02d}",
    }  # fmt: skip
    out = []
    for letter in re.findall(r"\\.|.", pattern):
        if letter in "MF":
            out.append(names.month(at.month, letter == "F"))
        elif letter in "Dl":
            out.append(names.day(at.weekday(), letter == "l"))
        elif letter in "aA":
            half = names.half(at.hour)
            out.append(half.lower() if letter == "a" and half.isascii() else half)
        else:
            out.append(values.get(letter, letter.removeprefix("\\")))
    return "".join(out)


def make(seed: int = 1, per_language: int = 120) -> Iterator[Item]:
    """The whole set: bylines, fragments, relative dates of every language, then hard negatives."""
    rng = random.Random(seed)
    for language in [*SPEC, *NEW]:
        names = Names(Locale.parse(language), rng)
        for _ in range(per_language):
            yield _stamped(rng, language, names)
        for _ in range(per_language // 6):
            yield _relative(rng, language)
            yield _preferred(rng, language, names)
    for _ in range(1500):
        yield _negative(rng)


def _moment(rng: random.Random) -> datetime:
    return NOW - timedelta(minutes=rng.randrange(60 * 24, 60 * 24 * 365 * 18), seconds=rng.randrange(60))


def _stamped(rng: random.Random, language: str, names: Names) -> Item:
    at = _moment(rng)
    pattern = rng.choice(FORMATS[language])
    if "Y" not in pattern and "y" not in pattern:  # engines leave the year out of this year's dates only
        at = NOW - timedelta(minutes=rng.randrange(60 * 24, 60 * 24 * 300))
    clock = rng.choice(TIMES.get(language, TIMES[""]))
    if rng.random() < 0.3:
        template, kind = rng.choice(FRAGMENTS), "html"
    else:
        template, kind = rng.choice(BYLINES[""] + BYLINES.get(language, []) * 2), "byline"
    date, time = php(pattern, at, names), php(clock, at, names)
    seconds = ":%S" if "s" in clock else ""
    exact = at.strftime(f"%Y-%m-%dT%H:%M{seconds}")
    moment = exact if "{t}" in template or "{iso}" in template else at.strftime("%Y-%m-%d")
    return _fill(rng, template, {"d": date, "t": time, "iso": at}, moment, (language, kind))


def _preferred(rng: random.Random, language: str, names: Names) -> Item:
    """A relative date with the exact one in an attribute: the exact one is wanted, alone."""
    at = _moment(rng)
    patterns = [p for p in FORMATS[language] if "Y" in p]
    relative = format_timedelta(
        at - NOW, add_direction=True, locale=language, granularity="day", threshold=1.1
    )
    parts = {"d": php(rng.choice(patterns), at, names), "t": f"{at:%H:%M}", "iso": at, "rel": relative}
    return _fill(rng, rng.choice(EXACT_FRAGMENTS), parts, at.strftime("%Y-%m-%dT%H:%M"), (language, "exact"))


def _relative(rng: random.Random, language: str) -> Item:
    unit, most = rng.choice([("minutes", 59), ("hours", 23), ("days", 6), ("weeks", 3)])
    step = timedelta(**{unit: rng.randrange(2, most + 1)})
    text = format_timedelta(-step, add_direction=True, locale=language, threshold=1)
    exact = (NOW - step).strftime("%Y-%m-%d")
    return Item(text, ((0, len(text), "DATE"),), exact, language, "relative")


def _negative(rng: random.Random) -> Item:
    small = [rng.randrange(1, 13) for _ in range(3)]
    values = {
        "a": small[0], "b": small[1], "c": small[2], "h": rng.randrange(100, 999), "e": f"{rng.randrange(10, 29)}",
        "e2": f"{rng.randrange(13, 29)}", "f": f"{small[0]:02d}", "y": rng.randrange(1990, 2026),
    }  # fmt: skip
    text = rng.choice(NEGATIVES).format(**values)
    return Item(text, (), None, "", "negative")


def _fill(
    rng: random.Random, template: str, parts: dict[str, object], moment: str, labels: tuple[str, str]
) -> Item:
    """Put the parts into a template and note where the dates and times came to stand."""
    text, spans = "", []
    for piece in re.split(r"(\{\w+\})", template):
        name = piece.strip("{}")
        if not piece.startswith("{"):
            text += piece
        elif name == "iso":
            at = parts["iso"]
            assert isinstance(at, datetime)
            day, clock = at.strftime("%Y-%m-%d"), at.strftime("%H:%M:%S+00:00")
            spans += [
                (len(text), len(text) + 10, "DATE"),
                (len(text) + 11, len(text) + 11 + len(clock), "TIME"),
            ]
            text += f"{day}T{clock}"
        elif name in {"d", "t"}:
            value = str(parts[name])
            spans.append((len(text), len(text) + len(value), "DATE" if name == "d" else "TIME"))
            text += value
        else:
            text += str(parts.get(name, rng.choice(USERS) if name == "u" else rng.randrange(2, 999)))
    return Item(text, tuple(spans), moment, labels[0], labels[1])


@dataclass(frozen=True)
class ColumnItem:
    """Cells of one column, what they mean, and whether they can settle their own order."""

    cells: tuple[str, ...]
    moments: tuple[str, ...]
    kind: str


COLUMN_FORMATS = [
    "d/m/Y", "m/d/Y", "d-m-Y, H:i", "m-d-Y, h:i A", "m/d/y", "d.m.y", "y-m-d", "y/m/d H:i", "n/j/Y g:i A", "j/n/y", "M d", "d M, H:i",
    "D d M", "j F", "D M d, Y g:i a", "d.m. H:i", "m-d H:i", "Y-m-d", "d M Y", "d/m H:i", "M j 'y",
]  # fmt: skip


def make_columns(seed: int = 2, number: int = 1500) -> Iterator[ColumnItem]:
    """Columns as boards and threads show them: sorted, with a sticky now and then, Today and Yesterday on top."""
    rng = random.Random(seed)
    languages = ["en", "en", "en", "de", "fr", "ru", "pl", "es", "it", "cs"]
    for _ in range(number):
        yield _column(rng, rng.choice(COLUMN_FORMATS), rng.choice(languages))


def _column(rng: random.Random, pattern: str, language: str) -> ColumnItem:
    names = Names(Locale.parse(language), random.Random(rng.randrange(10**6)))
    short = "Y" not in pattern and "y" not in pattern
    length = rng.choice([5, 8, 10, 15, 20, 30])
    step = rng.choice([0.05, 0.5, 2, 10]) if short else rng.choice([0.02, 0.2, 1, 5, 20])
    start = NOW - timedelta(days=rng.random() * (20 if short else 2000), minutes=30)
    moments = [start]
    while len(moments) < length:
        moments.append(moments[-1] - timedelta(days=rng.expovariate(1 / step), minutes=1))
    if short:  # a year is left out only while it is this one or the last twelve months
        moments = [at for at in moments if at > NOW - timedelta(days=350)]
    if rng.random() < 0.5:
        moments.reverse()
    elif rng.random() < 0.3 and len(moments) > 4:
        moments.insert(0, moments.pop(rng.randrange(2, len(moments))))
    today = language == "en" and rng.random() < 0.4
    cells = tuple(_cell(at, pattern, names, today) for at in moments)
    return ColumnItem(cells, tuple(at.strftime("%Y-%m-%d") for at in moments), pattern)


def _cell(at: datetime, pattern: str, names: Names, today: bool) -> str:
    days = (NOW.date() - at.date()).days
    if today and days < 2:
        return f"{'Yesterday' if days else 'Today'}, {at:%H:%M}"
    return php(pattern, at, names)


UTC_NOW = NOW.replace(tzinfo=UTC)
