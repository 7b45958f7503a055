"""Finds keys that show who runs a site: e-mail, telephone, register number, address, accounts, profiles.

Every key is written in one spelling, so that two sites with the same data have the same key. Dummy data of
templates and data of third parties are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import unquote

from threadmill.sites.model import Key
from threadmill.sites.read.folded_words import common_words, fold
from threadmill.sites.read.third_parties import without_credits, without_third_parties

_EMAIL = re.compile(
    r"(?<![\w.+-])([a-z0-9][\w.+-]{0,63})@((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24})(?![\w-])", re.IGNORECASE
)
_DISGUISED = re.compile(r"\s?[\[({]\s?(at|dot|ät|punkt|chiocciola|arroba)\s?[\])}]\s?", re.IGNORECASE)
_AT = re.compile(r"[\[({]\s?(?:at|ät|chiocciola|arroba)\s?[\])}]", re.IGNORECASE)
_DISGUISED_SIGNS = {"dot": ".", "punkt": "."}
# Providers of mailboxes for anybody. An address there is evidence, its domain is none.
_FREE_MAIL = common_words("free_mail")
# Addresses that templates, libraries and examples leave in a page.
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
# The name of a register or tax number, right before it. The search begins with numbers, because few texts
# have long ones: a search for every name at every letter took a fifth of the time to read a site.
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
_REGISTER_WINDOW = 60  # characters before a number: room for the longest name and what may follow it
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
_STREET_AND_HOUSE = re.compile(
    r"([^\W\d_]{4,30})\.?,?\s{1,2}(?:nr?\.?\s|č\.?\s|u\.\s)?(\d{1,4})\s?[a-zA-Z]?(?![\d.:])|(?<!\d)(\d{1,4})[a-zA-Z]?,?\s(?:[^\W\d_]{1,10}\.?\s){0,3}([^\W\d_]{4,30})"
)
# Words before a number that is no house: names of register numbers, telephones, mailboxes, years.
_NO_STREET = frozenset(
    (
        *(
            "regon",
            "vat",
            "ustid",
            "steuer",
            "steuernummer",
            "partita",
            "codice",
            "fiscale",
            "siret",
            "siren",
        ),
        *("iban", "konto", "registergericht", "handelsregister", "amtsgericht"),
        *("fax", "telefon", "telefax", "telephone", "phone", "mobil", "mobile", "handy", "hotline"),
        *("number", "numer", "nummer", "numero", "postfach", "copyright", "seit", "since", "page", "seite"),
        *("kontakt", "contact", "office", "suite", "floor", "etage", "room"),
    )
)
_STREET = re.compile(r"str(?:asse|eet)?$")  # one spelling for "Lindenstraße" and "Lindenstr."
_NUMBER_BEFORE = re.compile(r"\d[\d\s()/-]{4,}$")  # then a "postcode" is the end of a telephone number
_STREET_WINDOW = 70  # characters before a postcode in which the street stands
_PHONE_WINDOW = 26  # characters before a telephone number in which a word such as "Tel." stands
_MOST_TEXT = 400_000  # characters of a page; contact data stand in the framing, not behind so much text


# Accounts that a page's markup names. Where a property or view number follows an account, it is left out.
_ACCOUNTS = {
    "Google Analytics": re.compile(r"[\"'=]\s?(UA-\d{4,10})-\d{1,4}\b"),
    "Google Analytics 4": re.compile(r"[\"'=/](G-[A-Z0-9]{8,12})\b"),
    "Google Tag Manager": re.compile(r"\b(GTM-[A-Z0-9]{4,9})\b"),
    "Google Ads": re.compile(r"\b(AW-\d{8,12})\b"),
    "AdSense": re.compile(r"\b(?:ca-)?(pub-\d{14,18})\b"),
    "Facebook pixel": re.compile(r"(?:fbq\(\s*[\"']init[\"']\s*,\s*[\"']?|facebook\.com/tr\?id=)(\d{10,18})"),
    "Facebook app": re.compile(r"fb:app_id[\"']\s+content=[\"'](\d{8,18})"),
    "Yandex Metrika": re.compile(r"(?:ym\(\s*|mc\.yandex\.ru/watch/|yaCounter)(\d{5,10})"),
    "Hotjar": re.compile(r"hjid\s*[:=]\s*(\d{5,9})"),
    "Clarity": re.compile(r"clarity\.ms/tag/(\w{8,14})"),
    "Matomo": re.compile(r"//([\w-]{1,60}\.[\w.-]{2,60}(?:/[\w-]{1,30}){0,2}/(?:matomo|piwik)\.(?:php|js))"),
    "LinkedIn Insight": re.compile(r"_linkedin_partner_id\s*=\s*[\"']?(\d{4,9})"),
    "site verification": re.compile(
        r"(?:google-site-verification|yandex-verification|msvalidate\.01|facebook-domain-verification|p:domain_verify)"
        r"[\"']\s+content=[\"']([\w=-]{10,80})"
    ),
    "reCAPTCHA": re.compile(r"[\"'=](6L[\w-]{38})\b"),
    "Cookiebot": re.compile(r"data-cbid=[\"']([\w-]{30,40})"),
    "iubenda": re.compile(r"iubenda\.com/privacy-policy/(\d{5,9})"),
    "Mailchimp": re.compile(r"list-manage\.com/subscribe[^\"']{0,40}?u=(\w{20,30})"),
    "form service": re.compile(
        r"((?:formspree\.io/(?:f/)?|formsubmit\.co/|getform\.io/f/|docs\.google\.com/forms/d/e/)[\w@.-]{8,80})"
    ),
    "Google Maps place": re.compile(r"(0x[0-9a-f]{8,16}(?::|%3A)0x[0-9a-f]{8,16})", re.IGNORECASE),
    "chat": re.compile(
        r"(?:embed\.tawk\.to/|code\.jivosite\.com/widget/|crisp\.chat[^\"']{0,40}?)([\w-]{8,40})"
    ),
    "bookings": re.compile(
        r"((?:calendly\.com(?!/assets)|booking\.com/hotel|airbnb\.[a-z.]{2,6}/rooms|paypal\.me|ko-fi\.com|patreon\.com)/[\w./-]{3,60})"
    ),
}
# A text that each kind of account always contains. A plain search is far faster than a pattern, and on most
# pages it finds nothing.
_ACCOUNT_MARKS = {
    "Google Analytics": ("UA-",),
    "Google Analytics 4": ("G-",),
    "Google Tag Manager": ("GTM-",),
    "Google Ads": ("AW-",),
    "AdSense": ("pub-",),
    "Facebook pixel": ("fb", "facebook.com/tr"),
    "Facebook app": ("fb:app_id",),
    "Yandex Metrika": ("ym(", "mc.yandex", "yaCounter"),
    "Hotjar": ("hjid",),
    "Clarity": ("clarity.ms",),
    "Matomo": ("matomo", "piwik"),
    "LinkedIn Insight": ("_linkedin_partner_id",),
    "site verification": ("verif", "msvalidate"),
    "reCAPTCHA": ("6L",),
    "Cookiebot": ("data-cbid",),
    "iubenda": ("iubenda",),
    "Mailchimp": ("list-manage",),
    "form service": ("formspree", "formsubmit", "getform", "docs.google.com/forms"),
    "Google Maps place": ("0x", "0X"),
    "chat": ("tawk.to", "jivosite", "crisp.chat"),
    "bookings": ("calendly", "booking.com", "airbnb", "paypal.me", "ko-fi", "patreon"),
}
# What templates write where an id belongs: words, in any of the languages of templates, or a row of signs.
_DUMMY_ID = re.compile(
    r"(?:^|[^a-z0-9])(?:your|you|my|twoj|twoja|ihre?|votre|tu|tuo|su|uw|example|sample|test|demo|dummy|code|token|"
    r"placeholder|changeme|replace|insert|enter|todo|here|id|key|abc|abcd\w*|form[_-]?id|api[_-]?key|kod)"
    r"(?:$|[^a-z0-9])|x{5}|0{5}|a1b2c3|abc123|abcdefg|tracking[_-]?id|measurement",
    re.IGNORECASE,
).search
_NETWORKS = re.compile(
    r"https?://(?:[\w-]+\.)?(facebook|instagram|linkedin|twitter|x|youtube|tiktok|vk|t|pinterest|xing|vimeo|github|"
    r"soundcloud|tripadvisor|yelp|threads|bsky|medium|telegram|flickr|behance|open\.spotify)\.(?:com|me|[a-z]{2,3})/"
    r"([^\s\"'<>?#]{2,90})",
    re.IGNORECASE,
)
# Paths that are no profile of a company: share buttons, pages of the network itself, defaults of templates.
_NO_PROFILE = re.compile(
    r"^(?:share|sharer|intent|home|plugins|tr|dialog|login|embed|watch|hashtag|search|policies|privacy|legal|help|about|"
    r"events?|groups/?$|pages/?$|company/?$|in/?$|channel/?$|user/?$|c/?$|p/|reel|explore|v/|playlist|shorts|status|"
    r"sharearticle|cws/share|pin/create|facebook|instagram|twitter|youtube|linkedin|wordpress|wix|squarespace|jimdo|"
    r"bootstrap|themewagon|colorlib|html5up|templatemo|bootstrapmade|w3|joomla|drupal|username|yourpage|profile\.php/?$|"
    r"settings|settings/|your|en_|de_|ads|business|web|iframe_api|player_api|[a-z]{2}/?$|#)",
    re.IGNORECASE,
)
_PROFILE_PREFIX = re.compile(
    r"^(?:pages/|people/|company/|in/|channel/|user/|c/|@|groups/|profile\.php\?id=|school/|showcase/)"
)
_MOST_MARKUP = 1_500_000


def find_contacts(text: str, hrefs: list[str], own_label: str = "") -> Iterator[Key]:
    """The contact data of a page, without those of its makers and of third parties.

    `own_label` is the first part of the site's own domain: a company of the third-party list keeps its data.
    """
    text = text[:_MOST_TEXT]
    own = without_third_parties(without_credits(text), own_label)
    if own != text:  # a linked address that only the removed text shows is not the site's either
        hrefs = [href for href in hrefs if not _is_shown(href, text) or _is_shown(href, own)]
        text = own
    yield from _find_emails(text, hrefs)
    yield from _find_phones(text, hrefs)
    yield from _find_register_numbers(text)
    yield from _find_addresses(text)


def _is_shown(href: str, text: str) -> bool:
    """Whether a text shows the address or number of a mailto: or tel: link."""
    kind, _, value = href.partition(":")
    return kind in {"mailto", "tel"} and value.partition("?")[0] in text


def _find_emails(text: str, hrefs: list[str]) -> Iterator[Key]:
    linked = [h[7:].partition("?")[0] for h in hrefs if h.startswith("mailto:")]
    if _AT.search(text):
        text = _DISGUISED.sub(lambda m: _DISGUISED_SIGNS.get(m[1].lower(), "@"), text)
    lines = [line for line in text.split("\n") if "@" in line]
    for written, host in _EMAIL.findall(" ".join([*lines, *linked])):
        user, domain = written.lower().strip("."), host.lower().removeprefix("www.")
        if (
            _DUMMY_DOMAIN.search(domain)
            or _DUMMY_USER.match(user)
            or domain.endswith((".png", ".jpg", ".webp", ".svg", ".js"))
        ):
            continue
        yield "e-mail", f"{user}@{domain}"
        if domain not in _FREE_MAIL:
            yield "mail domain", domain


def _find_phones(text: str, hrefs: list[str]) -> Iterator[Key]:
    for href in hrefs:
        if href.startswith(("tel:", "callto:", "sms:", "whatsapp:")):
            yield from _phone_key(href.partition(":")[2])
        elif "wa.me/" in href or "api.whatsapp.com/send" in href:
            found = re.search(r"(?:wa\.me/|phone=)\+?(\d{8,15})", href)
            if found:
                yield from _phone_key(found[1])
    for found in _PHONE.finditer(text):
        before = text[max(0, found.start() - _PHONE_WINDOW) : found.start()]
        is_phone = found[0].lstrip("( ").startswith(("+", "00")) or bool(_PHONE_WORD.search(before))
        if is_phone and not _DATE_LIKE.match(found[0]):
            yield from _phone_key(found[0])


def _phone_key(written: str) -> Iterator[Key]:
    digits = re.sub(r"\(0\)|\D", "", written).lstrip("0")
    if 7 <= len(digits) <= 15 and not is_dummy_number(digits):
        # The last eight digits are the same with and without country code, leading zero and long area codes.
        yield "phone", digits[-8:]


def is_dummy_number(digits: str) -> bool:
    """Whether a number comes from a template: 123456789, 5555555, 0123 4567 89, 555-0100."""
    if (
        len(set(digits)) <= 3
        or "555" in digits[-8:-3]
        or "12345" in digits
        or "98765" in digits
        or "45678" in digits
    ):
        return True
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(digits[-7:])}
    return len(steps) == 1


def _find_register_numbers(text: str) -> Iterator[Key]:
    for number in _LONG_NUMBER.finditer(text):
        if _REGISTER_NAME.search(text, max(0, number.start() - _REGISTER_WINDOW), number.start()):
            yield from _register_key(number[0])
    for line in text.split("\n"):
        if sum(map(line.count, "0123456789")) < 6:
            continue
        for found in _VAT.findall(line):
            yield from _register_key(found)
        for found in _IBAN.findall(line):
            if sum(map(str.isdigit, found)) >= 12:
                yield "register number", re.sub(r"\W", "", found)[-16:]


def _register_key(written: str) -> Iterator[Key]:
    digits = re.sub(r"\D", "", written)
    if 6 <= len(digits) <= 22 and not is_dummy_number(digits):
        yield "register number", digits


def _find_addresses(text: str) -> Iterator[Key]:
    for found in _POSTCODE.finditer(text):
        code = re.sub(r"\W", "", found[1])
        if code[:2] in {"19", "20"} and len(code) == 4:  # a year far more often than a postcode
            continue
        if _NUMBER_BEFORE.search(text, max(0, found.start() - 14), found.start()):
            continue
        window = text[max(0, found.start() - _STREET_WINDOW) : found.start()].rpartition("\n\n")[2]
        houses = list(_STREET_AND_HOUSE.finditer(window))
        if houses:
            last = houses[-1]
            street, number = (last[1], last[2]) if last[1] else (last[4], last[3])
            if fold(street) in _NO_STREET:
                continue
            yield "address", f"{code.lower()} {_STREET.sub('str', fold(street))} {number}"


def find_accounts(markup: str, hrefs: list[str]) -> Iterator[Key]:
    """Accounts in a page's markup (analytics, advertising, maps, forms) and linked social profiles."""
    markup = markup[:_MOST_MARKUP]
    for kind, pattern in _ACCOUNTS.items():
        if not any(mark in markup for mark in _ACCOUNT_MARKS[kind]):
            continue
        for found in set(pattern.findall(markup)):
            if not is_dummy_id(found):
                yield "account", f"{kind} {unquote(found)}"
    for href in hrefs:
        yield from _profile_key(href)


def is_dummy_id(found: str) -> bool:
    """Whether an id was never filled in: G-XXXXXXXXXX, formspree.io/f/YOUR_FORM_ID, TWOJ_KOD, 1234567890."""
    name = found.rpartition("/")[2]
    digits = re.sub(r"\D", "", name)
    if len(digits) >= 5 and len(digits) >= len(name) - 4 and is_dummy_number(digits):
        return True  # all of it is a number, after a mark such as "UA-"
    return _DUMMY_ID(name) is not None


def _profile_key(href: str) -> Iterator[Key]:
    found = _NETWORKS.match(href)
    if found is None:
        return
    network = {"x": "twitter", "t": "telegram"}.get(found[1].lower(), found[1].lower())
    path = unquote(found[2]).strip("/").casefold()
    if _NO_PROFILE.match(path):
        return
    name = _PROFILE_PREFIX.sub("", path).split("/")[0]
    if "profile.php" in href:
        name = re.sub(r".*id=(\d+).*", r"\1", href)
    if len(name) > 2:
        yield "profile", f"{network} {name}"
