"""Contact data in a page's text and links: e-mail, telephone, register and tax numbers, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from threadmill.sites.model import Key
from threadmill.sites.read.common_words import known
from threadmill.sites.read.credits import without_credits
from threadmill.sites.read.spelling import fold
from threadmill.sites.read.third_parties import without_third_parties

_EMAIL = re.compile(
    r"(?<![\w.+-])([a-z0-9][\w.+-]{0,63})@((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24})(?![\w-])", re.IGNORECASE
)
_DISGUISED = re.compile(r"\s?[\[({]\s?(at|dot|ät|punkt|chiocciola|arroba)\s?[\])}]\s?", re.IGNORECASE)
_AT = re.compile(r"[\[({]\s?(?:at|ät|chiocciola|arroba)\s?[\])}]", re.IGNORECASE)
_DISGUISES = {"dot": ".", "punkt": "."}
# Mailboxes that anybody can have: the address tells something, its domain nothing.
FREE_MAIL = known("free_mail")
# Left in by templates, libraries and examples.
_DUMMY_DOMAIN = re.compile(
    r"(?:^|\.)(?:example|domain|domainname|yourdomain|yoursite|mysite|mydomain|company|yourcompany|website|email|"
    r"sample|test|site|firma|sentry|wixpress|sentry-next|template|demo|beispiel|esempio|ejemplo|exemple|primer|"
    r"przyklad|voorbeeld|yourwebsite|mail|website-name|colorlib|themewagon|bootstrapmade|html5up|w3layouts|"
    r"templatemo|googlegroups|github|users\.noreply)\.[a-z.]+$",
    re.IGNORECASE,
)
_DUMMY_USER = re.compile(
    r"^(?:your|you|name|user|username|email|test|example|sample|john\.?doe|jane\.?doe|noreply|"
    r"vorname|max\.?mustermann|jan\.?kowalski|mario\.?rossi|xxx+|abc)",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<![\w.,/=-])(?:\+|00|\(\+?)?\s?\d(?:[\s\u00a0./()\u2010-\u2015-]{0,3}\d){7,14}(?![\w/]|[.,-]\d)"
)
_PHONE_WORD = re.compile(
    r"(?:tel|phon|fon|mobil|handy|fax|call|ring|hotline|whatsapp|cell|☎|📞|тел|моб|電話|电话|טל|هاتف|โทร|gsm|cep|puh)"
    r"\w{0,10}[^\w]{0,12}$",
    re.IGNORECASE,
)
_DATE_LIKE = re.compile(
    r"^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|(?:19|20)\d\d\s?[-–]\s?(?:19|20)\d\d)"
)
# What a number is called, right before it. Numbers are looked for first: few texts have them, and a search
# for every name at every letter took a fifth of a site's reading time.
_REGISTER_NAME = re.compile(
    r"(?:vat|ust|uid|umsatzsteuer|steuer|btw|kvk|p\.?\s?iva|partita iva|c\.?\s?f\.?|codice fiscale|nip|"
    r"regon|krs|"
    r"i[cč]o|di[cč]|adószám|cégjegyzékszám|cui|cif|nif|nie|siret|siren|rcs|tva|hrb|hra|fn|zvr|"
    r"org\.?\s?(?:nr|nummer)|cvr|y-tunnus|инн|огрн|єдрпоу|mat\.?\s?št|pib|oib|vergi|mersis|"
    r"company (?:no|number|reg)|registered (?:no|number)|charity (?:no|number)|abn|ein|cnpj|rea|"
    r"rsin|anbi|iban|konto)"
    r"[\w.\s/-]{0,24}?[:.#\s№°]{1,4}(?:[A-Z]{2}\s?)?$",
    re.IGNORECASE,
)
_LONG_NUMBER = re.compile(r"\d[\d\s.\-/]{5,26}\d")
_NAME_WINDOW = 60  # characters before a number: the longest name and what may stand between
_VAT = re.compile(
    r"(?<![\w])(ATU\d{8}|BE[01]\d{9}|CHE-?\d{3}\.?\d{3}\.?\d{3}|CZ\d{8,10}|DE\s?\d{9}|DK\s?\d{8}|EE\d{9}|EL\d{9}|"
    r"ES[A-Z]\d{7}[A-Z0-9]|FI\s?\d{8}|FR\s?[A-Z0-9]{2}\s?\d{9}|GB\s?\d{9}|HU\d{8}|HR\d{11}|IE\d[A-Z0-9]\d{5}[A-Z]{1,2}|"
    r"IT\s?\d{11}|LT\d{9,12}|LU\d{8}|LV\d{11}|MT\d{8}|NL\s?\d{9}B\d{2}|PL\s?\d{10}|PT\d{9}|RO\d{6,10}|SE\d{12}|"
    r"SI\d{8}|SK\d{10})(?![\w])"
)
_IBAN = re.compile(r"(?<!\w)([A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,7}(?:\s?[A-Z0-9]{1,3})?)(?!\w)")
_POSTCODE = re.compile(
    r"(?<![\w.,/+-])(\d{5}|\d{4}(?:\s?[A-Z]{2})?|\d{2}-\d{3}|\d{3}\s\d{2}|\d{6}|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})(?=[\s,]+[^\W\d])"
)
_HOUSE = re.compile(
    r"([^\W\d_]{4,30})\.?,?\s{1,2}(?:nr?\.?\s|č\.?\s|u\.\s)?(\d{1,4})\s?[a-zA-Z]?(?![\d.:])|(?<!\d)(\d{1,4})[a-zA-Z]?,?\s(?:[^\W\d_]{1,10}\.?\s){0,3}([^\W\d_]{4,30})"
)
_STREET = re.compile(r"str(?:asse|eet)?$")  # written out or not
_IN_NUMBER = re.compile(r"\d[\d\s()/-]{4,}$")  # the last group of a telephone number
_WINDOW = 70
_MOST_TEXT = 400_000  # characters of one site: contact data stand in its framing, not behind that


def contacts(text: str, hrefs: list[str], label: str = "") -> Iterator[Key]:
    """All contact data of a page but its maker's and third parties'; `label` is of its own domain."""
    text = text[:_MOST_TEXT]
    own = without_third_parties(without_credits(text), label)
    if own != text:  # a linked address that the page shows only in such a line is not the site's either
        hrefs = [href for href in hrefs if not _is_shown(href, text) or _is_shown(href, own)]
        text = own
    yield from _emails(text, hrefs)
    yield from _phones(text, hrefs)
    yield from _registers(text)
    yield from _addresses(text)


def _is_shown(href: str, text: str) -> bool:
    kind, _, value = href.partition(":")
    return kind in {"mailto", "tel"} and value.partition("?")[0] in text


def _emails(text: str, hrefs: list[str]) -> Iterator[Key]:
    linked = [h[7:].partition("?")[0] for h in hrefs if h.startswith("mailto:")]
    plain = _DISGUISED.sub(lambda m: _DISGUISES.get(m[1].lower(), "@"), text) if _AT.search(text) else text
    told = [line for line in plain.split("\n") if "@" in line]
    for written, host in _EMAIL.findall(" ".join([*told, *linked])):
        user, domain = written.lower().strip("."), host.lower().removeprefix("www.")
        if (
            _DUMMY_DOMAIN.search(domain)
            or _DUMMY_USER.match(user)
            or domain.endswith((".png", ".jpg", ".webp", ".svg", ".js"))
        ):
            continue
        yield "e-mail", f"{user}@{domain}"
        if domain not in FREE_MAIL:
            yield "mail domain", domain


def _phones(text: str, hrefs: list[str]) -> Iterator[Key]:
    for href in hrefs:
        if href.startswith(("tel:", "callto:", "sms:", "whatsapp:")):
            yield from _phone(href.partition(":")[2], sure=True)
        elif "wa.me/" in href or "api.whatsapp.com/send" in href:
            found = re.search(r"(?:wa\.me/|phone=)\+?(\d{8,15})", href)
            if found:
                yield from _phone(found[1], sure=True)
    for found in _PHONE.finditer(text):
        before = text[max(0, found.start() - 26) : found.start()]
        sure = found[0].lstrip("( ").startswith(("+", "00")) or bool(_PHONE_WORD.search(before))
        if sure and not _DATE_LIKE.match(found[0]):
            yield from _phone(found[0], sure=sure)


def _phone(written: str, *, sure: bool) -> Iterator[Key]:
    digits = re.sub(r"\(0\)|\D", "", written).lstrip("0")
    if not sure or not 7 <= len(digits) <= 15 or is_dummy_number(digits):
        return
    # The last eight digits are the same with and without country code, trunk zero and long area codes.
    yield "phone", digits[-8:]


def is_dummy_number(digits: str) -> bool:
    """Numbers of templates: 123456789, 5555555, 0123 4567 89, 555-0100."""
    tail = digits[-7:]
    if (
        len(set(digits)) <= 3
        or "555" in digits[-8:-3]
        or "12345" in digits
        or "98765" in digits
        or "45678" in digits
    ):
        return True
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(tail)}
    return len(steps) == 1


def _registers(text: str) -> Iterator[Key]:
    for number in _LONG_NUMBER.finditer(text):
        if _REGISTER_NAME.search(text, max(0, number.start() - _NAME_WINDOW), number.start()):
            yield from _register(number[0])
    for line in text.split("\n"):
        if sum(map(line.count, "0123456789")) < 6:
            continue
        for found in _VAT.findall(line):
            yield from _register(found)
        for found in _IBAN.findall(line):
            if sum(map(str.isdigit, found)) >= 12:
                yield "register number", re.sub(r"\W", "", found)[-16:]


def _register(written: str) -> Iterator[Key]:
    digits = re.sub(r"\D", "", written)
    if 6 <= len(digits) <= 22 and not is_dummy_number(digits):
        yield "register number", digits


def _addresses(text: str) -> Iterator[Key]:
    for found in _POSTCODE.finditer(text):
        code = re.sub(r"\W", "", found[1])
        if code[:2] in {"19", "20"} and len(code) == 4:  # a year far more often than a postcode
            continue
        if _IN_NUMBER.search(text, max(0, found.start() - 14), found.start()):
            continue
        window = text[max(0, found.start() - _WINDOW) : found.start()].rpartition("\n\n")[2]
        houses = list(_HOUSE.finditer(window))
        if houses:
            last = houses[-1]
            word, number = (last[1], last[2]) if last[1] else (last[4], last[3])
            yield "address", f"{code.lower()} {_STREET.sub('str', fold(word))} {number}"
