"""Accounts a site's markup gives away: analytics, advertising, maps, forms, social profiles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from threadmill.sites.model import Key

# One account per pattern; what follows the account (property, view) is left out where it is numbered apart.
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
# What each account's address cannot be without: a plain search is far faster than a pattern, and on most
# pages it finds nothing.
_SIGNS = {
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
_NETWORKS = re.compile(
    r"https?://(?:[\w-]+\.)?(facebook|instagram|linkedin|twitter|x|youtube|tiktok|vk|t|pinterest|xing|vimeo|github|"
    r"soundcloud|tripadvisor|yelp|threads|bsky|medium|telegram|flickr|behance|open\.spotify)\.(?:com|me|[a-z]{2,3})/"
    r"([^\s\"'<>?#]{2,90})",
    re.IGNORECASE,
)
# What stands on the pages of everybody: share buttons, the networks' own pages, defaults of templates.
_NOBODY = re.compile(
    r"^(?:share|sharer|intent|home|plugins|tr|dialog|login|embed|watch|hashtag|search|policies|privacy|legal|help|about|"
    r"events?|groups/?$|pages/?$|company/?$|in/?$|channel/?$|user/?$|c/?$|p/|reel|explore|v/|playlist|shorts|status|"
    r"sharearticle|cws/share|pin/create|facebook|instagram|twitter|youtube|linkedin|wordpress|wix|squarespace|jimdo|"
    r"bootstrap|themewagon|colorlib|html5up|templatemo|bootstrapmade|w3|joomla|drupal|username|yourpage|profile\.php/?$|"
    r"settings|settings/|your|en_|de_|ads|business|web|iframe_api|player_api|[a-z]{2}/?$|#)",
    re.IGNORECASE,
)
_PREFIXES = re.compile(
    r"^(?:pages/|people/|company/|in/|channel/|user/|c/|@|groups/|profile\.php\?id=|school/|showcase/)"
)
_MOST_MARKUP = 1_500_000


def identifiers(markup: str, hrefs: list[str]) -> Iterator[Key]:
    """All accounts that a page's markup names."""
    markup = markup[:_MOST_MARKUP]
    for kind, pattern in _ACCOUNTS.items():
        if not any(sign in markup for sign in _SIGNS[kind]):
            continue
        for found in set(pattern.findall(markup)):
            yield "account", f"{kind} {unquote(found)}"
    for href in hrefs:
        yield from _profile(href)


def _profile(href: str) -> Iterator[Key]:
    found = _NETWORKS.match(href)
    if found is None:
        return
    network = {"x": "twitter", "t": "telegram"}.get(found[1].lower(), found[1].lower())
    path = unquote(found[2]).strip("/").casefold()
    if _NOBODY.match(path):
        return
    name = _PREFIXES.sub("", path).split("/")[0]
    if "profile.php" in href:
        name = re.sub(r".*id=(\d+).*", r"\1", href)
    if len(name) > 2:
        yield "profile", f"{network} {name}"
