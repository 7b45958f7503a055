"""Finds keys that show who runs a site: e-mail, telephone, register number, address, accounts, profiles.

Every key is written in one spelling, so that two sites with the same data have the same key. Dummy data of
templates and data of third parties are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from urllib.parse import unquote

from threadmill.sites.model import Fact, words_around
from threadmill.sites.read.folded_words import common_words, fold
from threadmill.sites.read.postal_addresses import find_postal_addresses
from threadmill.sites.read.third_parties import without_credits, without_third_parties
from threadmill.urls.sites import is_ending

# The ending is written in small letters or in capitals: in "info@kern.deKontakt" it is "de".
_EMAIL = re.compile(
    r"(?<![\w.+€$@!/-])([a-zA-Z0-9][\w.+-]{0,63})@"
    r"((?:[a-zA-Z0-9-]{1,63}\.){1,4}(?:[a-z]{2,24}(?![a-z\d_-])|[A-Z]{2,24}(?![\w-])|[A-Z][a-z]{1,23}(?![\w-])))(?!/)"
)
# The end of a telephone number sticks to an address behind it: "+36 20 436 0307info@kern.hu".
_END_OF_NUMBER = re.compile(r"\d+(?=[a-zA-Z])")
_BEGIN_OF_NUMBER = re.compile(r"\d[\d ()/.-]{2,}[ )/.-]$")
_LEAST_WORD_BEHIND = 3  # letters: "tel" and "fax" stand behind addresses
_DISGUISED = re.compile(r"\s?[\[({]\s?(at|dot|ät|punkt|chiocciola|arroba)\s?[\])}]\s?", re.IGNORECASE)
_AT = re.compile(r"[\[({]\s?(?:at|ät|chiocciola|arroba)\s?[\])}]", re.IGNORECASE)
_DISGUISED_SIGNS = {"dot": ".", "punkt": "."}
# Providers of mailboxes for anybody. An address there is evidence, its domain is none.
_FREE_MAIL = common_words("free_mail")
_COMMON_DOMAINS = common_words("common_domains")
_DUMMY_DOMAIN = re.compile(
    r"(?:^|\.)(?:example|domain|domainname|yourdomain|yoursite|mysite|mydomain|company|yourcompany|website|email|"
    r"sample|test|site|firma|sentry|wixpress|sentry-next|template|demo|beispiel|esempio|ejemplo|exemple|primer|"
    r"przyklad|voorbeeld|yourwebsite|mail|website-name|colorlib|themewagon|bootstrapmade|html5up|w3layouts|"
    r"templatemo|googlegroups|github|users\.noreply)\.[a-z.]+$|\.(?:example|invalid|localhost|local)$",
    re.IGNORECASE,
)
_DUMMY_USER = re.compile(
    r"^(?:your|you|name|user|username|email|test|example|sample|john\.?doe|jane\.?doe|noreply|"
    r"vorname|max\.?mustermann|jan\.?kowalski|mario\.?rossi|xxx+|abc)",
    re.IGNORECASE,
)
_ANYBODY = re.compile(
    r"(?:info|contact|hello|support|office|sales|mail|e-?mail|(?:your)?-?name|you|your\.?e?mail|user|admin|example|test)@",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<![\w.,/='\"`-])(?<!\d:)(?:\+|00|\(\+?)?\s?\d(?:[ \t\u00a0./()\u2010-\u2015-]{0,3}\d){7,14}"
    r"(?![\w/]|[.,-]\d|[ .-]?\d+[^\W\d_])"
)
_PHONE_WORD = re.compile(
    r"(?:chiama|llam|ligue|appel|anruf|zadzwo|volejte|hivj|звон|tel|phon|fon|mobil|handy|fax|(?<![^\W\d_])(?:call|ring|cell|gsm|cep|puh)|hotline|whatsapp|☎|📞|тел|моб|電話|电话|טל|هاتف|تلفن|تماس|همراه|موبایل|โทร)"
    r"\w{0,10}[^\w]{0,12}(?:[^\W\d]{2,3}\W{1,2})?$",
    re.IGNORECASE,
)
_DATE_LIKE = re.compile(
    r"^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|(?:19|20)\d\d\s?[-–]\s?(?:19|20)\d\d)"
    r"|^\d{1,3}\.\d{6,}$"  # seconds in the log of a program
    r"|^\d{2}\.?\d{3}-\d{3}$"  # a postcode of Brazil, behind "CEP", which is a mobile telephone in Turkish
)
# Names of register, tax and bank numbers, and how many digits such a number has. A number of another length
# is something else: a house and a postcode, a telephone.
_REGISTERS = {
    r"(?:vat|ust|uid|umsatzsteuer|mwst|btw|tva|dph|pdv|ddv|kdv|moms|alv|áfa|iva|αφμ)": range(8, 13),
    r"(?:st|steuer)": range(10, 14),
    r"(?:p\.\s?i\.|p\.?\s?iva|partita iva|c\.?\s?f\.?|codice fiscale|oib|abn|mersis|vergi)": (10, 11, 16),
    r"(?:kvk|i[cč]o|cvr|y-tunnus|єдрпоу|едрпоу)": (7, 8),
    r"(?:nip|krs|cégjegyzékszám)": (10,),
    r"(?:cui)": range(6, 11),
    r"(?:di[cč]|adószám)": range(8, 12),
    r"(?:regon|siret|siren|rcs|cnpj)": (9, 14),
    r"(?:cif|nif|nie|niu)": range(7, 10),
    r"(?:rsin|anbi|pib|zvr|acn|ein)": range(8, 11),
    r"(?:hrb|hra|fn|rea|charity|company|registered|companies house)": range(6, 9),
    r"(?:org|corporate identity)": range(9, 11),
    r"(?:инн|огрн|огрнип|бин|унп)": (9, 10, 12, 13, 15),
    r"(?:mat)": (7, 8, 10),
    r"(?:iban|konto|account|bank)": range(8, 27),
}
_REGISTER_WORD = re.compile(rf"(?:{'|'.join(_REGISTERS)})", re.IGNORECASE)
# The name stands right before the number. Between them are at most words such as "number" and signs. The
# search begins with numbers, because few texts have long ones.
_REGISTER_NAME = re.compile(
    rf"(?<![^\W\d_])({'|'.join(_REGISTERS)})(?:[\s.-]{{0,2}}(?:nr|no|num|number|nummer|numer|numero|n[uú]mero|numéro|id|"
    r"idnr|identifikationsnummer|ident\w{0,14}|reg\w{0,12}|nummer|steuer\w{0,14}|eu|code|k[oó]d|sz[aá]m|šte?v?ilka|št|č|n|"
    r"tv|bb|dairesi|no))"
    r"{0,3}[\s.:#№°º()-]{0,4}(?-i:[A-Z]{2}\s?)?$",
    re.IGNORECASE,
)
_HOST_BEHIND = re.compile(r"(?:\.[a-z][a-z-]+)+\b|/\w")
_LONG_NUMBER = re.compile(r"\d(?:[ \u00a0.\-/]?\d){5,25}")
_REGISTER_WINDOW = 60  # characters before a number: room for the longest name and what may follow it
_VAT = re.compile(
    r"(?<![\w])(ATU\d{8}|BE[01]\d{9}|CHE-?\d{3}\.?\d{3}\.?\d{3}|CZ\d{8,10}|DE\s?\d{9}|DK\s?\d{8}|EE\d{9}|EL\d{9}|"
    r"ES[A-Z]\d{7}[A-Z0-9]|FI\s?\d{8}|FR\s?[A-Z0-9]{2}\s?\d{9}|GB\s?\d{9}|HU\d{8}|HR\d{11}|IE\d[A-Z0-9]\d{5}[A-Z]{1,2}|"
    r"IT\s?\d{11}|LT\d{9,12}|LU\d{8}|LV\d{11}|MT\d{8}|NL\s?\d{9}B\d{2}|PL\s?\d{10}|PT\d{9}|RO\d{6,10}|SE\d{12}|"
    r"SI\d{8}|SK\d{10})(?![\w])"
)
_IBAN = re.compile(r"(?<!\w)([A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,7}(?:\s?[A-Z0-9]{1,3})?)(?!\w)")
# A country code: "+49", "0049". "000…" begins no telephone number.
_ABROAD = re.compile(r"[( ]{0,2}(?:\+|00\s?[1-9])")
PLACEHOLDER = "placeholder"  # a kind of fact: what a template wrote where contact data belong
_LEAST_DIGITS = 7  # of a telephone number
_DIGITS_AT_END = 6  # that two spellings of one number share
_PHONE_WINDOW = 26  # characters in which a word such as "Tel." stands before
# Words for "example" in languages of templates, and postcodes of zeros.
_DUMMY_ADDRESS = re.compile(
    r"\b(?:muster(?:str|strasse|weg|gasse|platz|allee|stadt|ort|dorf|hausen)|beispiel\w*|przyklad\w*|priklad\w*|"
    r"exempl[eo]|ejemplo|esempio|voorbeeld\w*|primjer|ornek|lorem|ipsum|anytown|"
    r"(?:your|example|sample) (?:street|str|road|address|city|town)|main (?:street|st) 123|123 main)\b|"
    r"(?<!\d)0[0 -]{3,5}0(?!\d)"
)
_MOST_TEXT = 400_000  # characters of a page; contact data stand in the framing, not behind so much text

# Accounts that a page's markup names. Where a property or view number follows an account, it is left out.
_ACCOUNTS = {
    "Google Analytics": re.compile(r"[\"'=]\s?(UA-\d{4,10})-\d{1,4}\b"),
    "Google Analytics 4": re.compile(r"[\"'=/](G-[A-Z0-9]{8,12})\b"),
    "Google Tag Manager": re.compile(r"\b(GTM-[A-Z0-9]{4,9})\b"),
    "Google Ads": re.compile(r"\b(AW-\d{8,12})\b"),
    "AdSense": re.compile(r"(?<!host-)\b(pub-\d{14,18})\b"),  # the host is a builder of blogs
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
        r"((?:calendly\.com(?!/assets)|booking\.com/hotel|airbnb\.[a-z.]{2,6}/rooms)/[\w./-]{2,59}[\w/-])"
    ),
    "page for payments": re.compile(r"((?:paypal\.me|ko-fi\.com|patreon\.com)/[\w./-]{2,59}[\w/-])"),
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
    "bookings": ("calendly", "booking.com", "airbnb"),
    "page for payments": ("paypal.me", "ko-fi", "patreon"),
}
# What templates write where an id belongs: words, in any of the languages of templates, or a row of signs.
_DUMMY_ID = re.compile(
    r"(?:^|[^a-z0-9])(?:your|you|my|twoj|twoja|ihre?|votre|tu|tuo|su|uw|example|sample|test|demo|dummy|code|token|"
    r"placeholder|changeme|replace|insert|enter|todo|here|id|key|abc|abcd\w*|form[_-]?id|api[_-]?key|kod)"
    r"(?:$|[^a-z0-9])|x{5}|0{5}|a1b2c3|abc123|abcdefg|tracking[_-]?id|measurement",
    re.IGNORECASE,
).search
_NETWORKS = re.compile(
    r"https?://(?:(?:www|web|m|mobile|touch|business|[a-z]{2}(?:-[a-z]{2})?)\.)?"
    r"(facebook|instagram|linkedin|twitter|x|youtube|tiktok|vk|t(?=\.me)|pinterest|xing|vimeo|github(?=\.com)|"
    r"soundcloud|tripadvisor|yelp|threads|bsky|medium|telegram|flickr|behance|open\.spotify)\.(?:com|me|[a-z]{2,3})/"
    r"([^\s\"'<>?#]{2,300})",
    re.IGNORECASE,
)
# How the path of a profile begins on networks where other pages look like it: "tiktok.com/discover/mills".
_PATHS_OF_PROFILES = {
    "tiktok": re.compile(r"@"),
    "threads": re.compile(r"@"),
    "medium": re.compile(r"@"),
    "bsky": re.compile(r"profile/"),
    "yelp": re.compile(r"biz/"),
    "flickr": re.compile(r"(?:photos|people)/(?!tags/)"),
    "open.spotify": re.compile(r"(?:intl-[a-z]+/)?(?:user|artist|show)/"),
    "linkedin": re.compile(r"(?:company|in|school|showcase|pub|groups)/"),
    "github": re.compile(
        r"(?!(?:pricing|enterprise|topics|sponsors|orgs|security|resources|solutions|collections|trending|readme)(?:/|$))"
    ),
    "youtube": re.compile(r"(?:@|channel/|user/|c/|[^/]+/?$)"),
}
# A page about a post, a picture or a file of somebody says nothing of who runs the site.
_POST_OF_SOMEBODY = re.compile(
    r"/(?:status(?:es)?|posts?|photos?(?=/\d)|videos?(?=/\d)|permalink|issues?|pulls?|commits?|discussions?|wiki|gist)(?:/|$)"
)
# Paths that are no profile of a company: share buttons, pages of the network itself, defaults of templates.
_NO_PROFILE = re.compile(
    r"^(?:share|sharer|intent|home|plugins|tr|dialog|login|embed|watch|hashtag|search|policies|privacy|legal|help|about|"
    r"events?|groups/?$|pages/?$|company/?$|in/?$|channel/?$|user/?$|c/?$|p/|reel|explore|v/|playlist|shorts|status|"
    r"sharearticle|cws/share|pin/create|facebook|instagram|twitter|youtube|linkedin|wordpress|wix|squarespace|jimdo|"
    r"bootstrap|themewagon|colorlib|html5up|templatemo|bootstrapmade|w3|joomla|drupal|username|yourpage|profile\.php/?$|"
    r"settings|settings/|.*/shares?(?:/|$)|your|en_|de_|ads|business|web|iframe_api|player_api|"
    r"photo(?:\.php|/|$)|story\.php|stories/|notes?/|tv/|pin/|wall-?\d|l\.php|discover|tags?/|topics?/|music/|channels/|"
    r"categor|features?(?:/|$)|marketplace|media/|directory|posts/|pulse/|jobs|learning|\d{6,10}/?$|[a-z]{2}/?$|#)",
    re.IGNORECASE,
)
_PROFILE_PREFIX = re.compile(
    r"^(?:intl-[a-z]+/)?(?:pages/|people/|photos/|company/|in/|pub/|channel/|user/|artist/|show/|profile/|biz/|c/|@|"
    r"groups/|school/|showcase/)",
    re.IGNORECASE,
)
# An old address of a page begins with its place: "pages/Bremen-Germany/Kern-Mill/1168".
_PAGE_OF_PLACE = re.compile(r"pages/[^/]+/([^/]*[^\W\d_][^/]*)/\d+(?:/|$)", re.IGNORECASE)
_MOST_MARKUP = 1_500_000


def find_contacts(text: str, hrefs: list[str], own_label: str = "") -> Iterator[Fact]:
    """The contact data of a page, without those of its makers and of third parties."""
    text = text[:_MOST_TEXT]
    own = without_third_parties(without_credits(text), own_label)
    if own != text:  # a linked address that only the removed text shows is not the site's either
        hrefs = [href for href in hrefs if not _is_shown(href, text) or _is_shown(href, own)]
        text = own
    mail = list(_find_emails(text, hrefs, own_label))
    yield from mail
    yield from _find_register_numbers(text)
    for fact in (*_find_phones(text, hrefs), *find_postal_addresses(text, _REGISTER_WORD.fullmatch)):
        is_dummy = (fact.kind == "address" and is_dummy_address(fact.written)) or _stands_at_dummy(fact, mail)
        yield replace(fact, kind=PLACEHOLDER, value=fact.written) if is_dummy else fact


def _stands_at_dummy(fact: Fact, mail: Iterable[Fact]) -> bool:
    """Whether a number or an address stands beside mail that is all a template's: "info@yourdomain.com".

    An address such as "kern.mill@example.com" was filled in, and so were its neighbours.
    """
    beside = [found for found in mail if found.written in fact.around]
    dummies = [found for found in beside if found.kind == PLACEHOLDER and _ANYBODY.match(found.written)]
    return bool(dummies) and all(found.kind == PLACEHOLDER for found in beside)


def is_dummy_address(written: str) -> bool:
    """Whether an address was never filled in: "Musterstr. 1, 12345 Musterstadt", "00-000"."""
    return bool(_DUMMY_ADDRESS.search(fold(written)))


def _is_shown(href: str, text: str) -> bool:
    """Whether a text shows the address or number of a mailto: or tel: link."""
    kind, _, value = href.partition(":")
    return kind in {"mailto", "tel"} and value.partition("?")[0] in text


def _find_emails(text: str, hrefs: list[str], own_label: str) -> Iterator[Fact]:
    if _AT.search(text):
        text = _DISGUISED.sub(lambda m: _DISGUISED_SIGNS.get(m[1].lower(), "@"), text)
    linked = [unquote(href[7:].partition("?")[0]).strip() for href in hrefs if href.startswith("mailto:")]
    handles = _handles_in(hrefs)
    for place in (*(line for line in text.split("\n") if "@" in line), *linked):
        for found in _EMAIL.finditer(place):
            written = _with_known_ending(found[0])
            written = next((mail for mail in linked if _is_glued(mail, written)), written)
            if (end := _END_OF_NUMBER.match(written)) and _BEGIN_OF_NUMBER.search(place[: found.start()]):
                written = written[end.end() :]
            user, _, domain = written.lower().partition("@")
            user, domain = user.strip("."), domain.removeprefix("www.")
            if not domain or f"{user}@{domain}" in handles:
                continue
            words = words_around(place, *found.span())
            if _DUMMY_DOMAIN.search(domain) or _DUMMY_USER.match(user):
                yield Fact(PLACEHOLDER, written, written, words)
                continue
            if _is_of_provider(domain, own_label):
                continue
            yield Fact("e-mail", f"{user}@{domain}", written, words)
            if domain not in _FREE_MAIL:
                yield Fact("mail domain", domain, domain, words)


def _handles_in(hrefs: list[str]) -> frozenset[str]:
    """Names of users on other servers, which look like mail addresses: "https://forum.test/u/ann@kern.social"."""
    ends = (
        href.rstrip("/").rpartition("/")[2].lower().lstrip("@") for href in hrefs if href.startswith("http")
    )
    return frozenset(end for end in ends if "@" in end)


def _is_of_provider(domain: str, own_label: str) -> bool:
    """Whether mail at a domain goes to a provider of pages for everybody, whose own site this is not."""
    known = next((name for name in _COMMON_DOMAINS if f".{domain}".endswith(f".{name}")), "")
    return bool(known) and known.partition(".")[0] != own_label


def _is_glued(mail: str, written: str) -> bool:
    """Whether a text is a linked address behind something else: a telephone number, the name of a user."""
    return "@" in mail and len(mail) < len(written) and written.endswith(mail)


def _with_known_ending(address: str) -> str:
    """The address without a word that stands right behind it, empty if it ends like no domain.

    "info@kern.dekontakt" is "info@kern.de"; "logo@2x.png" is the name of a picture.
    """
    rest, dot, ending = address.rpartition(".")
    if ending[0].isupper() and is_ending(rest.rpartition(".")[2]) and rest.rpartition("@")[2].islower():
        return rest  # a sentence begins without a space: "info@kern.com.Sarah"
    if is_ending(ending.lower()):
        return address
    lengths = range(len(ending) - _LEAST_WORD_BEHIND, 1, -1)
    known = next((ending[:length] for length in lengths if is_ending(ending[:length].lower())), "")
    return f"{rest}{dot}{known}" if known else ""


def _find_phones(text: str, hrefs: list[str]) -> Iterator[Fact]:
    line_of_phone = -2
    for found in _PHONE.finditer(text):
        before = text[max(0, found.start() - _PHONE_WINDOW) : found.start()]
        line = text.rfind("\n", 0, found.start())
        # Behind a telephone number, another number of the same line that begins with 0 is one too.
        is_next = line == line_of_phone and found[0].lstrip().startswith("0")
        is_phone = is_next or _ABROAD.match(found[0]) is not None or bool(_PHONE_WORD.search(before))
        is_register = _REGISTER_NAME.search(text, max(0, found.start() - _REGISTER_WINDOW), found.start())
        if is_phone and not is_register and not _DATE_LIKE.match(found[0].strip()):
            line_of_phone = line
            yield from _phone_fact(found[0], words_around(text, *found.span()))
    for href in hrefs:
        if href.startswith(("tel:", "callto:", "sms:", "whatsapp:")):
            number = re.split("[?;,]", unquote(href.partition(":")[2]).lstrip("/"))[0]
            if not any(map(str.isalpha, number)):
                yield from _phone_fact(number, href)
        elif "wa.me/" in href or "api.whatsapp.com/send" in href:
            linked = re.search(r"(?:wa\.me/|phone=)\+?(\d{8,15})", href)
            if linked:
                yield from _phone_fact(linked[1], href)


def _phone_fact(written: str, words: str) -> Iterator[Fact]:
    if written.count("(") > written.count(")"):  # "0800 366 3645 (30 days)"
        written = written.rpartition("(")[0]
    digits = _plain_digits(re.sub(r"\(0\)|\D", "", written)).lstrip("0")
    if _LEAST_DIGITS <= len(digits) <= 15:
        written = " ".join(written.split())
        # The last eight digits are the same with and without country code, leading zero and long area codes.
        is_dummy = is_dummy_number(digits)
        yield (
            Fact(PLACEHOLDER, written, written, words)
            if is_dummy
            else Fact("phone", digits[-8:], written, words)
        )


def links_to_other_number(href: str, text: str) -> bool:
    """Whether a link shows another telephone number than its own, which a template has left."""
    if not href.startswith("tel:"):
        return False
    linked, shown = (_plain_digits(re.sub(r"\D", "", part)) for part in (unquote(href), text))
    return len(shown) >= _LEAST_DIGITS and linked[-_DIGITS_AT_END:] not in shown


def _plain_digits(digits: str) -> str:
    """Digits of any script as 0 to 9, so that a number in two scripts is one key."""
    return digits if digits.isascii() else "".join(str(int(digit)) for digit in digits)


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


def _find_register_numbers(text: str) -> Iterator[Fact]:
    for number in _LONG_NUMBER.finditer(text):
        named = _REGISTER_NAME.search(text, max(0, number.start() - _REGISTER_WINDOW), number.start())
        if named is not None and not _DATE_LIKE.match(number[0]) and not _is_in_url(text, named, number):
            yield from _register_fact(text, named, number)
    for line in text.split("\n"):
        if sum(map(line.count, "0123456789")) >= 6:
            for found in _VAT.finditer(line):
                digits = re.sub(r"\D", "", found[0])
                if not is_dummy_number(digits):
                    yield Fact("register number", digits, found[0], words_around(line, *found.span()))
            for found in _IBAN.finditer(line):
                value = re.sub(r"\W", "", found[0])
                if _is_iban(value):
                    yield Fact(
                        "register number", value, f"IBAN {found[0]}", words_around(line, *found.span())
                    )


def _is_in_url(text: str, named: re.Match[str], number: re.Match[str]) -> bool:
    """Whether both are a part of an address on the web: "https://company-134903.kern.test"."""
    begin = max(text.rfind(" ", 0, named.start()), text.rfind("\n", 0, named.start())) + 1
    return "//" in text[begin : named.start()] or bool(_HOST_BEHIND.match(text, number.end()))


def _register_fact(text: str, named: re.Match[str], number: re.Match[str]) -> Iterator[Fact]:
    """The number behind the name of a register, if it has as many digits as such numbers have."""
    lengths = next(
        lengths for name, lengths in _REGISTERS.items() if re.fullmatch(name, named[1], re.IGNORECASE)
    )
    parts = re.findall(r"\d+", number[0])
    # Behind the number may stand another one, such as a postcode: the longest beginning that fits is taken.
    for count in range(len(parts), 0, -1):
        digits = _plain_digits("".join(parts[:count]))
        if len(digits) in lengths:
            written = " ".join(text[named.start() : number.end()].split())
            words = words_around(text, named.start(), number.end())
            is_dummy = is_dummy_number(digits)
            yield Fact(
                PLACEHOLDER if is_dummy else "register number",
                written if is_dummy else digits,
                written,
                words,
            )
            return


def _is_iban(value: str) -> bool:
    """Whether the check digits of an IBAN are right (ISO 13616)."""
    if not value.isascii() or not 15 <= len(value) <= 34:
        return False
    return int("".join(str(int(sign, 36)) for sign in value[4:] + value[:4])) % 97 == 1


def find_accounts(markup: str, hrefs: list[str]) -> Iterator[Fact]:
    """Accounts in a page's markup (analytics, advertising, maps, forms) and linked social profiles."""
    markup = markup[:_MOST_MARKUP]
    for kind, pattern in _ACCOUNTS.items():
        if not any(mark in markup for mark in _ACCOUNT_MARKS[kind]):
            continue
        for found in pattern.finditer(markup):
            value = f"{kind} {unquote(found[1])}"
            is_dummy = is_dummy_id(found[1])
            yield Fact(
                PLACEHOLDER if is_dummy else "account", value, value, words_around(markup, *found.span())
            )
    for href in hrefs:
        yield from _profile_fact(href)


def is_dummy_id(found: str) -> bool:
    """Whether an id was never filled in: G-XXXXXXXXXX, formspree.io/f/YOUR_FORM_ID, TWOJ_KOD, 1234567890."""
    name = found.rpartition("/")[2]
    digits = re.sub(r"\D", "", name)
    if len(digits) >= 5 and len(digits) >= len(name) - 4 and is_dummy_number(digits):
        return True  # all of it is a number, after a mark such as "UA-"
    return _DUMMY_ID(name) is not None


def _profile_fact(href: str) -> Iterator[Fact]:
    found = _NETWORKS.match(href)
    if found is None:
        return
    network = {"x": "twitter", "t": "telegram"}.get(found[1].lower(), found[1].lower())
    written = unquote(found[2]).strip("/")
    path = written.casefold()
    shape = _PATHS_OF_PROFILES.get(network)
    if _NO_PROFILE.match(path) or _POST_OF_SOMEBODY.search(path) or (shape and not shape.match(path)):
        return
    name = _PROFILE_PREFIX.sub("", written, count=1).split("/")[0]
    if placed := _PAGE_OF_PLACE.match(written):
        name = placed[1]
    if len(name) > 2 and "\ufffd" not in name and not name.endswith(".php"):
        network = network.removeprefix("open.")
        yield Fact("profile", f"{network} {name.casefold()}", f"{network} {name}", href[:200])
