"""Finds postal addresses in a text: street, house and postcode, as countries write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from threadmill.sites.model import Fact, words_around
from threadmill.sites.read.folded_words import common_words, fold

_POSTCODE = re.compile(
    r"(?<![\w.,/+-])(\d{5}|\d{4}(?:\s?[A-Z]{2})?|\d{2}-\d{3}|\d{3}\s\d{2}|\d{6}|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})[\s,]{1,3}([^\W\d_]{2,40}(?:-[^\W\d_]{2,40}){0,3})"
)
_NO_ADDRESS = re.compile(r"\([^)]*$|\s[a-zß-ÿ]{4,}\s")  # a verb: places and floors have capitals
_WORD_BETWEEN = re.compile(r"[^\W\d_]{4,}")
_PLACE_AT_END = re.compile(r"\d.*,\s?[^\W\d_][^\d,]{2,30},?\s$")  # "Str. 45, Horka, " before a postcode
# Abbreviations of the United States before a postcode. "DE" is more often Germany.
_STATE = re.compile(
    r"[\s,](?:A[KLRZ]|C[AOT]|DC|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|PR|RI|S[CD]|T[NX]|UT|"
    r"V[AT]|W[AIVY])[.,]?\s{1,2}$"
)
# "Lindenstraße 14" and "Lange Straße 14a", or "14 rue des Lilas" and "14 Mill Road". All of it stands in one
# line: the cells of a table ("Feedback", "13", "1563", "October 25") are lines of their own.
_STREET_AND_HOUSE = re.compile(
    r"(?:([^\W\d_][\w.'’-]{2,30})\s)?([^\W\d_]{3,30})\.?,?[^\S\n]{1,2}(?:nr?\.?\s|č\.?\s|u\.\s)?(\d{1,4})(?:\s?[a-zA-Z]\b)?(?![\d.:])"
    r"|(?<![\w…$€£])(?<![A-Z]-)([1-9]\d{0,3})[a-zA-Z]?,?[^\S\n]((?:[^\W\d_][\w.'’-]{0,20}[^\S\n]){0,4}[^\W\d_]{2,30})"
)
_STREET_TYPE = re.compile(
    r"\b(?:str|strasse|strase|street|st|road|rd|avenue|ave|av|lane|ln|drive|dr|way|court|ct|close|terrace|square|sq|place|pl|"
    r"boulevard|blvd|bd|rue|chemin|allee|impasse|route|quai|cours|cite|via|viale|corso|piazza|calle|carrer|"
    r"plaza|rua|parkway|highway|hwy|crescent|hill|park|gardens?|ulica|ul|utca|ut|ter|gasse|platz|weg|straat|laan|"
    r"gata|gatan|vej|vei|katu|tie|sokak|caddesi|cad|sk|улица|ул|bulvar|nam|namesti|trg|cesta)\b"
)
# What belongs to the name of a street before its last word: "Reicher-Leute-", "Zum", "P.le Pietro".
_BEGIN_OF_STREET = re.compile(
    r"(?:(?<![\w-])(?:zum|zur|am|im|an (?:der|den)|in der|auf (?:dem|der)|via|viale|piazza|p\.?(?:le|zza|za)|"
    r"v\.?le|"
    r"c\.?so|l\.?go|ul\.|al\.|os\.|pl\.|av\.|c/)[^\S\n]?(?:[^\W\d_][\w.'’-]*[^\S\n]){0,3})?(?:[\w'’]+-)*$",
    re.IGNORECASE,
)
# A word that is the name of a street by itself: "Lindenstraße", "Molenaerstraat".
_STREET_NAME = re.compile(
    r"(?:str|strasse|strase|weg|gasse|platz|allee|straat|laan|plein|gata|gatan|vagen|vej|gade|katu|tie|utca)$"
)
_ARABIC = re.compile(r"[\u0600-\u06ff]")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_COPYRIGHT_SIGN = re.compile(r"©|copyright", re.IGNORECASE)  # a year and a name, no postcode and no place
_MOST_BETWEEN = 32  # characters between the house and the postcode: "2. Stock", a district
# Words before a number that is no house: names of register numbers, telephones, mailboxes, years.
_NO_STREET = common_words("no_streets")
_STREET = re.compile(r"str(?:asse|eet)?$")  # one spelling for "Lindenstraße" and "Lindenstr."
_NUMBER_BEFORE = re.compile(r"\d[\d\s()/-]{4,}$")  # then a "postcode" is the end of a telephone number
_STREET_WINDOW = 70  # characters in which the street stands before


def find_postal_addresses(text: str, is_register: Callable[[str], object]) -> Iterator[Fact]:
    """Addresses with street, house and postcode. A word before a number may name a register: no street."""
    for found in _POSTCODE.finditer(text):
        code = re.sub(r"\W", "", found[1])
        if len(code) == 4 and _is_year(code, found[2]):
            continue
        if _NUMBER_BEFORE.search(text, max(0, found.start() - 14), found.start()):
            continue
        place_behind = not _has_place_before(text, found)
        if place_behind and ("\n" in text[found.end(1) : found.start(2)] or not _is_place(found[2])):
            continue
        begin = max(0, found.start() - _STREET_WINDOW)
        begin += text[begin : found.start()].rfind("\n\n") + 1
        house = _last_house(text, begin, found.start())
        if house is not None and _is_near(text, house, found):
            street = "" if house[2] and is_register(house[2]) else _street_of(house)
            start = _start_of(house)
            if house[2] and (before := _BEGIN_OF_STREET.search(text[begin:start])):
                start -= len(before[0])
            end = found.end() if place_behind else found.end(1)
            written = " ".join(text[start:end].split())
            if street and not _COPYRIGHT_SIGN.search(written):
                yield Fact("address", f"{code.lower()} {street}", written, words_around(text, start, end))


def places_in(facts: Iterable[Fact]) -> frozenset[str]:
    """Folded words of the places that a site's addresses name: no company is called only by them."""
    found: set[str] = set()
    for fact in facts:
        if fact.kind == "address":
            last = fact.written.rpartition(" ")[2]
            if any(sign.isdigit() for sign in last):  # "14 Mill Road, London SE1 2QG"
                last = _STREET_TYPE.split(fold(fact.written))[-1]
            found.update(_LONG_WORD.findall(fold(last)))
    return frozenset(found)


def _last_house(text: str, begin: int, end: int) -> re.Match[str] | None:
    """The street and house that stand last in a part of a text."""
    houses = list(_STREET_AND_HOUSE.finditer(text, begin, end))
    if not houses:
        return None
    house = houses[-1]
    if house[3] and not _STREET_NAME.search(fold(house[2])):
        # In "La Flotte 3 rue du Calvaire" the number belongs to the words behind it.
        behind = _STREET_AND_HOUSE.match(text, house.start(3), end)
        if behind is not None and behind[5] and _STREET_TYPE.search(fold(behind[5])):
            return behind
    if house[4] and _NUMBER_BEFORE.search(text, max(0, house.start() - 14), house.start()):
        return None  # the number is the end of a telephone number
    return house


def _is_near(text: str, house: re.Match[str], postcode: re.Match[str]) -> bool:
    """Whether both are one address. Behind a sure street, other words may stand between: a floor, a town."""
    between = text[house.end() : postcode.start()]
    if len(between) > _MOST_BETWEEN or _NO_ADDRESS.search(between):
        return False
    words = fold(" ".join(word for word in (house[1], house[2], house[5]) if word))
    is_street = _STREET_TYPE.search(words) or any(map(_STREET_NAME.search, words.split()))
    return bool(is_street) or not _WORD_BETWEEN.search(between)


def _has_place_before(text: str, postcode: re.Match[str]) -> bool:
    """Whether the place stands before the postcode, as in Britain and the United States."""
    line = text[text.rfind("\n", 0, postcode.start()) + 1 : postcode.start()]
    is_end = "\n" in text[postcode.end(1) : postcode.start(2)]
    if postcode[1][0].isalpha() or (is_end and _PLACE_AT_END.search(line)):
        return True
    return len(postcode[1]) == 5 and bool(_STATE.search(text, max(0, postcode.start() - 6), postcode.start()))


def _is_year(code: str, behind: str) -> bool:
    """Whether four digits are a year, not a postcode. Countries of the Arabic script have no such codes."""
    return code[:2] in {"19", "20"} or bool(_ARABIC.match(behind))


def _is_place(written: str) -> bool:
    """Whether a word may be a place: it has a capital, or its script has none. "PL" is something else."""
    if written[0].islower() or (len(written) < 3 and written.isupper()):
        return False
    return fold(written) not in _NO_STREET  # "June", behind how often a page was read


def _start_of(house: re.Match[str]) -> int:
    """Where the street begins. The word before counts only with "Straße", or if it is "Via"."""
    before, word = house[1], house[2]
    is_part = before and any(_STREET_TYPE.fullmatch(fold(w).rstrip(".")) for w in (before, word))
    return house.start() if is_part or not word else house.start(2)


def _street_of(house: re.Match[str]) -> str:
    """The street and the number of a house in one spelling; empty if it is something else."""
    before, word, number, first_number, words = house.groups()
    if not word:  # "14 Mill Road"
        plain = fold(words)
        return " ".join([*_LONG_WORD.findall(plain), first_number]) if _STREET_TYPE.search(plain) else ""
    street = fold(word)
    if _STREET_TYPE.fullmatch(street):  # "Lange Straße 14"
        return f"{_STREET.sub('str', f'{fold(before)} {street}')} {number}" if before else ""
    if street in _NO_STREET or not _is_place(word) or len(word) < 4:
        return ""
    return f"{_STREET.sub('str', street)} {number}"
