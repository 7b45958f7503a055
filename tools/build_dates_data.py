"""Builds the word list of threadmill.dates from CLDR's data and from the words forum software prints.

    for part in dates-full units-full rbnf; do
        npm pack cldr-$part && mkdir $part && tar xzf cldr-$part-*.tgz -C $part --strip-components 1
    done
    python tools/build_dates_data.py dates-full/main units-full/main rbnf/rbnf

CLDR is read from Unicode's own JSON and not through Babel: Babel drops the words for today and yesterday,
and its stand-alone month names fall back across locales. Babel only adds spellings the JSON lacks.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel import localedata

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("dates_words.toml").read_text())
MAJOR: list[str] = WORDS.pop("major").split()
STRONG_NOW: list[str] = WORDS.pop("strong_now").split()
FUSED_MARKS: list[str] = WORDS.pop("fused_marks").split()
# Zero-width marks, soft hyphen, tatweel, vowel signs of Arabic and Hebrew: they change nothing about a word.
LETTERS_DROPPED = [0x00AD, 0x0640, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x061C]
LETTERS_DROPPED += [
    *range(0x064B, 0x0653),
    0x0670,
    *range(0x0591, 0x05BE),
    0x05BF,
    0x05C1,
    0x05C2,
    0x05C4,
    0x05C5,
]
# Letters of the Arabic script that are typed for one another; the lexer joins the same ones.
SAME_LETTERS = str.maketrans("أإآٱىيكةۀ", "ااااییکهه")
TARGET = Path(__file__).parents[1] / "src/threadmill/dates/data/words.json.gz"
# Hindi in Latin letters, as nobody prints it: its weekdays are Manga and Sun, its yesterday and tomorrow kal.
LEFT_OUT = {"hi-Latn"}
# The first so many of the common languages have engines that cut names short.
MUCH_PRINTED = 40
UNITS = ("second", "minute", "hour", "day", "week", "month", "year")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
# Words that name an hour without a number: «Oct. 11, 2025, noon».
HOUR_WORDS = {"noon": 12, "midnight": 0}
COUNTS = {"zero": 0, "one": 1, "two": 2}
LETTERS = re.compile(r"[^\W\d_]")
FUSED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")

Sense = tuple[str, Any]
Words = dict[str, dict[Sense, set[str]]]


def fold(text: str) -> str:
    """The form under which a word is looked up: as the lexer folds the text it reads."""
    text = unicodedata.normalize("NFC", text.lower().replace("i̇", "i"))
    text = text.translate(dict.fromkeys(LETTERS_DROPPED))
    text = text.translate(str.maketrans("’ʼ‘´`ʻ׳՚ꞌ‵ʹ‐‑–—ς", "'''''''''''----σ"))
    text = text.translate(SAME_LETTERS)
    return re.sub(r"\s+", " ", re.sub("[.॰]", " ", text)).strip(" -,'()")


class Collector:
    """Gathers senses of words with the languages that have them."""

    def __init__(self) -> None:
        self.words: Words = defaultdict(lambda: defaultdict(set))
        self.dot_tails: set[str] = set()
        self.dot_days: set[str] = set()

    def add(self, language: str, text: str, role: str, value: Any = 0) -> None:
        """Note one sense; the same word without accents is kept too, for those who type it so."""
        if role == "weekday" and len(fold(text)) == 1 and fold(text).isascii():
            return  # a letter that is a day in some language is a letter everywhere else
        if role == "relweekday" and " " not in fold(text):
            return  # a narrow form that says no more than the weekday
        linked = re.fullmatch(r"(de|da|di|d)[ '](.+)", fold(text)) if role == "month" else None
        if linked:  # Catalan «de març», «d'abril»
            self.add(language, linked.group(1), "link")
            self.add(language, linked.group(2), "month", value)
            return
        if role == "half" and value in HOUR_WORDS and is_hour_word(fold(text)):
            self.add(language, text, "hourword", HOUR_WORDS[value])
        if role == "half" and text.endswith("."):
            self.add(language, text.rstrip("."), "cutword")
        if role == "now":
            value = int(" " in fold(text) or fold(text) in STRONG_NOW)
        ahead = role == "relday" and int(value) > 0  # nobody posts tomorrow; Afrikaans môre is no «more»
        for key in {fold(text), fold(text) if ahead else without_accents(fold(text))}:
            if key and LETTERS.search(key) and not re.search(r"\d|\{", key):
                self.words[key][(role, value)].add(language)

    def read_locale(self, folder: Path) -> None:
        """Everything one locale of CLDR says."""
        name = folder.name
        language = name.split("-")[0]
        gregorian = json.loads((folder / "ca-gregorian.json").read_text())
        dates = gregorian["main"][name]["dates"]["calendars"]["gregorian"]
        fields = json.loads((folder / "dateFields.json").read_text())["main"][name]["dates"]["fields"]
        self.read_names(language, dates)
        self.read_patterns(name, dates)
        self.read_relative_days(language, fields)
        self.read_relative_times(language, fields)

    def read_names(self, language: str, dates: dict[str, Any]) -> None:
        for _, number, name in names_of(dates["months"]):
            if re.search(r"\d", name):
                if not name[0].isdigit():  # «thg 1»; the sign of «1月» stands behind its number
                    self.add(language, re.sub(r"[\d.]+", "", name), "monthmark")
            else:
                self.add(language, name, "month", int(number))
        for _, day, name in names_of(dates["days"]):
            self.add(language, name, "weekday", WEEKDAYS.index(day))
        for _, period, name in names_of(dates["dayPeriods"]):
            half = half_of_day(period)
            if half:
                self.add(language, name, "half", half)

    def read_patterns(self, name: str, dates: dict[str, Any]) -> None:
        language = name.split("-", maxsplit=1)[0]
        full_names = dates["months"]["format"]
        for pattern in date_patterns(dates):
            text = re.sub(r"'([^']*)'", lambda m: f"«{m.group(1)}»", pattern)
            bare = re.sub(r"«([^»]*)»|[A-Za-z]+", lambda m: m.group(1) or "\0", text)
            for word in re.findall(r"[^\W\d_]+", bare):
                self.add(language, word, "link")
            tail = re.search("\0[^\\w\0]*([^\\W\\d_]+)[^\\w\0]*$", bare)
            if tail:
                self.add(language, tail.group(1), "tail")
            if re.search(r"y\.$", pattern):
                self.dot_tails.add(language)
            if name == language and re.search(r"d\. ?[ML]{3}", pattern):  # a region may differ: fr-CH
                self.dot_days.add(language)
            self.read_glued_months(language, text, full_names)
        for pattern in time_patterns(dates):
            for word in re.findall(r"'([^']*)'", pattern):
                for part in re.findall(r"[^\W\d_]+", word):
                    self.add(language, part, "at")

    def read_glued_months(self, language: str, text: str, names: dict[str, Any]) -> None:
        """Letters that a pattern sets against the month without space: Basque -ren, Hebrew ב-."""
        for before, letters, after in re.findall(r"(?:«([^» ]*)»)?(MMMM?)(?:«([^» ]*)»)?", text):
            if LETTERS.search(before + after):
                for number, name in names["wide" if len(letters) == 4 else "abbreviated"].items():
                    self.add(language, before + name + after, "month", int(number))

    def read_relative_days(self, language: str, fields: dict[str, Any]) -> None:
        for width in ("", "-short", "-narrow"):
            for unit in ("day", "week", "month", "year"):
                for key, text in fields.get(unit + width, {}).items():
                    offset = re.fullmatch(r"relative-type-(-?\d)", key)
                    if offset:
                        role = "relday" if unit == "day" else "relunit"
                        value = int(offset.group(1))
                        self.add(language, text, role, value if unit == "day" else f"{unit}{value:+d}")
            if (
                language not in MAJOR
            ):  # «this Sunday» in 300 languages is a third of the file and never printed
                continue
            for number, day in enumerate(WEEKDAYS):
                for week in (-1, 0, 1):
                    named = fields[day + width].get(f"relative-type-{week}")
                    if named:
                        self.add(language, named, "relweekday", f"{number}{week:+d}")
        now = fields.get("second", {}).get("relative-type-0")
        if now:
            self.add(language, now, "now")

    def read_units(self, folder: Path) -> None:
        """Every form a unit of time takes in a language: «5 minutit», «сағатта»."""
        language = folder.name.split("-")[0]
        units = json.loads((folder / "units.json").read_text())["main"][folder.name]["units"]
        for width in ("long", "short"):
            for unit in UNITS:
                for key, text in units[width].get(f"duration-{unit}", {}).items():
                    counted = re.fullmatch(r"\{0\}\s?([^\d{}/]+)", text)
                    if "-count-" in key and counted and len(fold(counted.group(1))) > 1:
                        self.add(language, counted.group(1), "unit", unit)

    def read_numbers(self, file: Path) -> None:
        """One to twelve in words, in every gender and case."""
        rules = json.loads(file.read_text())["rbnf"]["rbnf"].get("SpelloutRules", {})
        for name, rows in rules.items():
            if ("cardinal" not in name and "numbering" not in name) or name.startswith("%%"):
                continue
            for value, text in rows:
                word = text.rstrip(";").replace("\u00ad", "")
                plain = re.fullmatch(r"[^\W\d_]{2,}", word)
                if plain and value.isdigit() and 1 <= int(value) <= 12:
                    self.add(file.stem, word, "number", int(value))

    def read_relative_times(self, language: str, fields: dict[str, Any]) -> None:
        """Split «vor {0} Tagen» into a marker all units share and the unit's own word."""
        for direction in ("past", "future"):
            patterns = list(relative_patterns(fields, direction))
            counted = [p for p in patterns if "{0}" in p[2]]
            for unit, count, text in patterns:
                if "{0}" not in text and count in COUNTS:
                    sign = -COUNTS[count] if direction == "past" else COUNTS[count]
                    self.add(language, text, "relunit", f"{unit}{sign:+d}")
            if counted:
                self.split_patterns(language, direction, counted)

    def split_patterns(self, language: str, direction: str, patterns: list[tuple[str, str, str]]) -> None:
        side_words: dict[str, Counter[tuple[str, str]]] = {"before": Counter(), "after": Counter()}
        sides = []
        for unit, _, text in patterns:
            before, _, after = text.partition("{0}")
            before, after = split_fused(fold(before)), split_fused(fold(after))
            sides.append((unit, before.split(), after.split()))
            for side, words in (("before", before), ("after", after)):
                for word in set(words.split()):
                    side_words[side][(unit, word)] = 1
        # Romanian «20 de ore»: the preposition is part of the unit.
        marks = {side: shared_words(counter) - {"de"} for side, counter in side_words.items()}
        name = "ago" if direction == "past" else "hence"
        for unit, words_before, words_after in sides:
            for side, stand in (("before", words_before), ("after", words_after)):
                own = [w for w in stand if w not in marks[side]]
                common = [w for w in stand if w in marks[side]]
                if common:
                    # Danish «for 3 dage siden»: «for 3 dage» alone is a duration.
                    half = side == "before" and any(w in marks["after"] for w in words_after)
                    self.add(language, " ".join(common), name + side, int(half))
                if own:
                    self.add(language, " ".join(own), "unit", unit)


def is_hour_word(word: str) -> bool:
    """Short ones are other words somewhere: Spanish «del» is Hungarian noon without its accent."""
    return len(word) > 3 if word.isascii() else len(word) > 1


def without_accents(text: str) -> str:
    """Latin and Greek letters without their marks; other scripts mean something by theirs."""
    out = []
    text = text.translate(str.maketrans("ıłøđ", "ilod"))
    for char in text:
        base = unicodedata.normalize("NFD", char)[0]
        out.append(base if "LATIN" in (n := unicodedata.name(base, "")) or "GREEK" in n else char)
    return "".join(out)


def split_fused(text: str) -> str:
    """Scripts without spaces: the last or first character is the marker (前, 後, ก่อน …) where it is known."""
    if not FUSED.search(text):
        return text
    for mark in FUSED_MARKS:
        if text.endswith(mark) and text != mark:
            return f"{text.removesuffix(mark)} {mark}"
        if text.startswith(mark) and text != mark:
            return f"{mark} {text.removeprefix(mark)}"
    return text


def shared_words(counter: Counter[Any]) -> set[str]:
    """Words that stand with at least five of the seven units are the marker, not the unit."""
    units = Counter(word for _, word in counter)
    return {word for word, count in units.items() if count >= 5}


def names_of(block: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for context in block.values():
        for width, names in context.items():
            if width != "narrow":
                for key, name in names.items():
                    if not re.fullmatch(r"M?\d+", name):
                        yield width, key.partition("-alt")[0], name


def half_of_day(period: str) -> str:
    """What a day period says of the hour it stands with."""
    if period in {"am", "pm", "noon", "midnight"}:
        return period
    kind = period.rstrip("12")
    return {"morning": "am", "afternoon": "pm", "evening": "pm", "night": "night"}.get(kind, "")


def date_patterns(dates: dict[str, Any]) -> Iterator[str]:
    for value in dates["dateFormats"].values():
        yield value if isinstance(value, str) else value["_value"]
    for key, value in dates["dateTimeFormats"]["availableFormats"].items():
        if re.fullmatch(r"[GyMdE]*", key) and "M" in key and len(key) > 3:
            yield value


def time_patterns(dates: dict[str, Any]) -> Iterator[str]:
    for value in dates["timeFormats"].values():
        yield value if isinstance(value, str) else value["_value"]
    for key, value in dates["dateTimeFormats"]["availableFormats"].items():
        if "h" in key or "H" in key:
            yield value
    for group in ("dateTimeFormats", "dateTimeFormats-atTime", "dateTimeFormats-relative"):
        block = dates.get(group, {})
        for value in block.get("standard", block).values():
            if isinstance(value, str):
                yield value


def relative_patterns(fields: dict[str, Any], direction: str) -> Iterator[tuple[str, str, str]]:
    for unit in UNITS:
        for width in ("", "-short", "-narrow"):
            block = fields.get(unit + width, {}).get(f"relativeTime-type-{direction}", {})
            for key, text in block.items():
                yield unit, key.removeprefix("relativeTimePattern-count-"), text


def add_forum_words(collector: Collector) -> None:
    """Words of forum language packs that CLDR does not have."""
    for role, table in ((r, t) for r, t in WORDS.items() if r not in {"months", "weekdays"}):
        for value, languages in table.items():
            number = int(value) if re.fullmatch(r"-?\d+", value) else value
            for language, words in languages.items():
                add_words(collector, language, words, role, number)
    for table, role, first in (("months", "month", 1), ("weekdays", "weekday", 0)):
        for language, names in WORDS[table].items():
            for number, words in enumerate(names.split(), first):
                add_words(collector, language, words.replace("_", " "), role, number)


def add_words(collector: Collector, language: str, words: str, role: str, value: Any) -> None:
    """Alternatives separated by bars."""
    for word in words.split("|"):
        collector.add(language, word, role, value)


def add_truncations(collector: Collector) -> None:
    """Engines cut names to three or four letters; kept where no other name of the language begins so."""
    for language in MAJOR[:MUCH_PRINTED]:
        for role, least in (("month", 3), ("weekday", 3)):
            names = [
                (word, value)
                for word, senses in collector.words.items()
                for (r, value), languages in senses.items()
                if r == role and language in languages and len(word) > 4 and re.fullmatch(r"[^\W\d_]+", word)
            ]
            for length in range(least, least + 4):
                starts = defaultdict(set)
                for word, value in names:
                    starts[word[:length]].add(value)
                for start, values in starts.items():
                    known = {s for s, ls in collector.words.get(start, {}).items() if language in ls}
                    if len(values) == 1 and not known and not FUSED.search(start):
                        # A cut name without its accents is too often another word: «Cars» is no çarşamba.
                        collector.words[start][(role, values.pop())].add(language)


def pack(collector: Collector) -> dict[str, Any]:
    """One table of language sets, words pointing into it."""
    languages = sorted({lg for senses in collector.words.values() for s in senses.values() for lg in s})
    languages = [lg for lg in MAJOR if lg in languages] + [lg for lg in languages if lg not in MAJOR]
    bit = {lg: 1 << i for i, lg in enumerate(languages)}
    sets: dict[int, int] = {}
    words: dict[str, list[Any]] = {}
    for word, senses in sorted(collector.words.items()):
        packed = []
        for (role, value), owners in sorted(senses.items(), key=lambda item: str(item[0])):
            mask = sum(bit[lg] for lg in owners)
            packed.append([role, value, sets.setdefault(mask, len(sets))])
        words[word] = packed
    return {
        "languages": languages,
        "major": sum(bit[lg] for lg in MAJOR if lg in bit),
        "dotted": sum(bit[lg] for lg in collector.dot_tails if lg in bit),
        "dotted_days": sum(bit[lg] for lg in collector.dot_days if lg in bit),
        "sets": [f"{mask:x}" for mask in sets],
        "words": words,
    }


def add_other_spellings(collector: Collector) -> None:
    """Names that Unicode's package leaves out for want of coverage, and last year's spellings, from Babel.

    Raw, because what a locale inherits in Babel is another locale's word.
    """
    for name in localedata.locale_identifiers():
        if name.replace("_", "-") in LEFT_OUT:
            continue
        raw = localedata.load(name, merge_inherited=False)
        language = name.split("_")[0]
        for block, role in (("months", "month"), ("days", "weekday")):
            for number, word in raw_names(raw.get(block, {})):
                if not re.search(r"\d", word):
                    collector.add(language, word, role, number)
        for pattern in raw.get("date_formats", {}).values():
            literal = re.sub(r"'([^']*)'|[A-Za-z]+", lambda m: m.group(1) or " ", str(pattern.pattern))
            for word in re.findall(r"[^\W\d_]+", literal):
                collector.add(language, word, "link")


def raw_names(block: dict[str, Any]) -> Iterator[tuple[int, str]]:
    for context in block.values():
        for width, names in context.items() if isinstance(context, dict) else ():
            if width != "narrow" and isinstance(names, dict):
                yield from ((number, word) for number, word in names.items() if isinstance(word, str))


def main(dates: str, units: str, numbers: str) -> int:
    """Read every locale, add the forum words, write one compact file."""
    collector = Collector()
    for locale in sorted(Path(dates).iterdir()):
        if locale.name not in LEFT_OUT:
            collector.read_locale(locale)
    for locale in sorted(Path(units).iterdir()):
        if locale.name.split("-")[0] in MAJOR:
            collector.read_units(locale)
    for file in sorted(Path(numbers).glob("*.json")):
        if file.stem in MAJOR and not FUSED.search(file.read_text()):
            collector.read_numbers(file)
    add_other_spellings(collector)
    add_forum_words(collector)
    add_truncations(collector)
    data = json.dumps(pack(collector), ensure_ascii=False, separators=(",", ":"))
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_bytes(gzip.compress(data.encode(), 9, mtime=0))
    print(f"{TARGET}: {len(collector.words)} words, {TARGET.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("expected dates-full/main, units-full/main and rbnf/rbnf; see the first lines of this file")
    sys.exit(main(*sys.argv[1:]))
