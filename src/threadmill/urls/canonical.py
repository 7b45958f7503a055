"""Gives each page one URL, without fragments, session ids and tracking, and names URLs that are traps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

import can_ada

from threadmill.errors import URLError

# No link to a page is longer. Servers refuse request lines over 8 kB (the default of Apache and nginx), and
# pages hold data: URIs of megabytes that nobody should parse.
MAX_LENGTH = 8000

# URLs of which only the parameters must be checked: no user, no escapes, no session id in the path.
_CLEAN = re.compile(
    r"(https?://([a-z0-9.-]+)(?::[0-9]+)?/[A-Za-z0-9._~!$'*+,=:/-]*+)"
    r"(?:\?([A-Za-z0-9._~!$'()*+,:@/?=&\[\]-]++))?(?:#|\Z)"
).match
_PARTS = re.compile(
    r"(https?://)(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#:@]+?)\.?(:[0-9]+)?(/[^?#]*)(?:\?([^#]*))?(?:#.*)?\Z",
    re.DOTALL,
).match
_LABELS = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\Z").match
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_NO_HOST = re.compile(r"\s*https?:(?![/\\]{2}[^/\\])", re.IGNORECASE).match
_AMPERSANDS = re.compile(r"&(?:amp;)+")
# Session ids that application servers put into paths: /page;jsessionid=1A2B and ASP.NET's /(S(abc))/page
_PATH_SESSION = re.compile(
    r";(?:jsessionid|phpsessid|sessionid|sid)=[^/;]*|/\((?:[A-Z]\([^()/]*\))+\)(?=/)", re.IGNORECASE
)

# Parameters that always mean a session or a campaign. The names come from the documentation of the
# application servers, shops, boards and trackers that write them.
_DROPPED = frozenset(
    """
    phpsessid jsessionid sessionid session_id sessid session-id cfid cftoken oscsid zenid xtcsid vbsid
    fbclid gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid msclkid yclid ysclid twclid ttclid
    li_fat_id igshid igsh mc_cid mc_eid _ga _gl _hsenc _hsmi __hstc __hssc __hsfp hsctatracking mkt_tok
    vero_id vero_conv oly_enc_id oly_anon_id wickedid rb_clickid s_cid ml_subscriber ml_subscriber_hash
    _openstat wt_mc wt.mc_id xtor epik srsltid s_kwcid ef_id ref_src ref_url _branch_match_id
    _branch_referrer guccounter guce_referrer guce_referrer_sig spm
    """.split()  # noqa: SIM905 -- sixty quotes read worse
)
_DROPPED_PREFIXES = ("utm_", "pk_", "piwik_", "matomo_", "mtm_", "aspsessionid", "bsft_")
# Parameters that are a session only when the value looks like one. phpBB and vBulletin write 32 hexadecimal
# digits, PHP writes 26. Elsewhere, sid is the number of a story and s is a search.
_AMBIGUOUS = frozenset({"s", "sid", "session", "sess", "hash"})
_SESSION_VALUE = re.compile(r"(?=[A-Za-z]*[0-9])[0-9A-Za-z]{24,}\Z").match

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def canonicalise(url: str, base: str | None = None) -> str:
    """Return the canonical form of a URL that a user or a program gave; URLError says what is wrong."""
    found = resolve(url, base)
    # Browsers take http:///path for http://path/. Whoever types that forgot the host.
    if found is None or (base is None and _NO_HOST(url)):
        raise URLError(_error_message(url, base))
    return found


def resolve(link: str, base: str | None = None) -> str | None:
    """Return the canonical URL of a link on a page, or None when it leads to no web page."""
    if len(link) > MAX_LENGTH:
        return None
    try:
        href = (can_ada.parse(link) if base is None else _parsed(base) + link).href
    except (ValueError, TypeError):  # no URL, or text with lone surrogates
        return None
    clean = _CLEAN(href)
    if clean is None or not _is_host(clean[2]):
        href = _tidy(href)
    elif clean[3] is None:
        href = clean[1]
    else:
        href = _join(clean[1], _tidy_query(clean[3]))
    return href if href and len(href) <= MAX_LENGTH else None


@lru_cache(maxsize=64)
def _parsed(base: str) -> can_ada.URL:
    """Parse a base URL; all links of a page share it."""
    return can_ada.parse(base)


def _tidy(href: str) -> str:
    """Return a parsed URL without the parts that do not name the page; empty when no page can be there."""
    parts = _PARTS(href)
    if parts is None or not _is_host(parts[2]):
        return ""
    scheme, host, port, path, query = parts.groups()
    if "%" in path:
        path = _ESCAPE.sub(_tidy_escape, path)
    if ";" in path or "/(" in path:
        path = _drop_path_sessions(path)
    return _join(f"{scheme}{host}{port or ''}{path}", _tidy_query(query) if query else "")


def _join(page: str, query: str) -> str:
    return f"{page}?{query}" if query else page


@lru_cache(maxsize=4096)
def _is_host(host: str) -> bool:
    """Whether a resolver could look up this host; browsers accept more."""
    return host.startswith("[") or (len(host) <= 253 and _LABELS(host) is not None)


def _drop_path_sessions(path: str) -> str:
    """Remove session ids from a path until nothing changes.

    The parts on both sides of one may form another one, or a dot segment.
    """
    while (shorter := _PATH_SESSION.sub("", path)) != path:
        path = can_ada.parse(f"http://host{shorter}").pathname
    return path


def _tidy_escape(match: re.Match[str]) -> str:
    """Normalise an escape (RFC 3986, 6.2.2): upper-case digits, none without need, `%25` for a stray %."""
    digits = match[1]
    if digits is None:
        return "%25"
    character = chr(int(digits, 16))
    return character if character in _UNRESERVED else "%" + digits.upper()


def _tidy_query(query: str) -> str:
    if "%" in query:
        query = _ESCAPE.sub(_tidy_escape, query)
    if "&amp;" in query:  # the ampersand was escaped twice
        query = _AMPERSANDS.sub("&", query)
    pairs = query.split("&")
    kept = [pair for pair in pairs if pair and _parameter_test(pair.partition("=")[0])(pair)]
    return query if len(kept) == len(pairs) else "&".join(kept)


@lru_cache(maxsize=4096)
def _parameter_test(name: str) -> Callable[[str], bool]:
    """Return the test that decides whether a parameter of this name is kept."""
    lowered = name.lower()
    if lowered in _DROPPED or lowered.startswith(_DROPPED_PREFIXES):
        return _never
    return _is_no_session if lowered in _AMBIGUOUS else bool


def _never(_pair: str) -> bool:
    return False


def _is_no_session(pair: str) -> bool:
    return not _SESSION_VALUE(pair.partition("=")[2])


# Matches ftp://x and mailto:a@b, but not forum.example.org:8080, which has a port and no scheme.
_OTHER_SCHEME = re.compile(r"\s*[a-zA-Z][a-zA-Z0-9+-]*:(?!\d)")


def _error_message(url: str, base: str | None) -> str:
    shown = url if len(url) <= 200 else f"{url[:200]}…"
    if len(url) > MAX_LENGTH:
        return f"expected a URL of at most {MAX_LENGTH} characters, but {shown!r} has {len(url)}"
    if base is not None and resolve(base) is None:
        return f"expected an http or https URL as the base of {shown!r}, but got {base[:200]!r}"
    if base is None and _NO_HOST(url):
        return f"expected a URL with a host, but got {shown!r}; an example: https://forum.example.org/"
    if base is None and not _OTHER_SCHEME.match(url) and resolve(f"https://{url}"):
        return f"expected a URL with its scheme, but got {shown!r}; did you mean https://{url.strip()} ?"
    return f"expected an http or https URL, but got {shown!r}; an example: https://forum.example.org/"


# Sitemaps allow 2,048 characters. Longer links come from loops.
_LONGEST = 2048
_DEEPEST = 20  # path segments; Heritrix's TooManyPathSegmentsDecideRule has the same figure
_MOST_PARAMETERS = 25  # forms of shops and boards have up to about 15
_MOST_OF_ONE_NAME = 3  # ?page=2&page=3&page=4: each visit adds one
_REPEATS = 3  # a/b/a/b/a/b: Heritrix's PathologicalPathDecideRule allows 2 repetitions
# Escaped three times: a return URL inside a return URL inside a return URL.
_NESTED_ESCAPE = "%252525"

_EARLIEST_YEAR = 1990  # the year of the first web page: no earlier event was announced on one
_YEARS_AHEAD = 2  # conferences and festivals are announced up to two years ahead

# Only as a whole segment, script or parameter: a thread about the best day ever is no calendar.
_CALENDAR_WORD = re.compile(
    r"[/?&;_=](?:(?:ajax-)?calend[aá]r(?:io?|s)?|kalend[ea]r|calendrier|cal|ical|events?|agenda|events?-calendar|"
    r"tribe-bar-date|veranstaltungen|evenements?|eventi|eventos|month|monat|mois|day|week|ym)(?=[/?&=.]|\Z)",
    re.IGNORECASE,
)
_YEAR_NAME = r"(?:year|yr|y|cal_?year|jahr|annee|ano|anno|rok|god)"
_YEAR_PARAMETER = re.compile(rf"[?&;]{_YEAR_NAME}=([0-9]{{4}})(?![0-9])", re.IGNORECASE)
# 2031-05 and 2031/5/17 count anywhere, 203105 and 20310517 only as a value: elsewhere such numbers are ids.
_YEAR_MONTH = re.compile(
    r"(?<![0-9])([0-9]{4})[-/.](?:0?[1-9]|1[0-2])(?:[-/.](?:0?[1-9]|[12][0-9]|3[01]))?(?![0-9])"
)
_COMPACT = re.compile(r"=([0-9]{4})(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])?(?![0-9])")
# Most URLs have no number with the length of a date, and need no further check.
_DATE_LIKE = re.compile(r"(?<![0-9])[0-9]{4}(?:[0-9]{2}|[0-9]{4})?(?![0-9])").search


def is_trap(url: str, *, year: int | None = None) -> str:
    """Return why a canonical URL leads into endless space, or an empty string; `year` is the present year."""
    if len(url) > _LONGEST:
        return "too long"
    _, _, rest = url.partition("://")
    path, _, query = rest.partition("?")
    reason = _path_trap(path) if path.count("/") >= _REPEATS else ""
    if not reason and query:
        reason = _query_trap(query)
    if not reason and _DATE_LIKE(rest):
        reason = _calendar_trap(rest, _this_year() if year is None else year)
    return reason


def _path_trap(path: str) -> str:
    segments = [segment for segment in path.split("/")[1:] if segment]
    if len(segments) > _DEEPEST:
        return "too deep"
    if len(set(segments)) > len(segments) - _REPEATS + 1:
        return ""
    for size in range(1, len(segments) // _REPEATS + 1):
        if _repeats(segments, size):
            return "repeating path"
    return ""


def _repeats(segments: list[str], size: int) -> bool:
    """Whether a block of so many segments stands three times in a row; bare numbers are dates and ids."""
    run = 0
    for here, there in zip(segments, segments[size:], strict=False):
        run = run + 1 if here == there and not here.isdigit() else 0
        if run == size * (_REPEATS - 1):
            return True
    return False


def _query_trap(query: str) -> str:
    if _NESTED_ESCAPE in query:
        return "nested query"
    if query.count("&") <= _MOST_OF_ONE_NAME - 1:
        return ""
    pairs = query.split("&")
    if len(pairs) > _MOST_PARAMETERS:
        return "too many parameters"
    counts = Counter(pair.partition("=")[0] for pair in pairs)
    name, count = counts.most_common(1)[0]
    is_list = name.endswith(("[]", "%5B%5D"))
    return "growing query" if count > _MOST_OF_ONE_NAME and not is_list else ""


def _calendar_trap(rest: str, this_year: int) -> str:
    """Return why a date in the URL is a trap.

    A distant month is one where a calendar is named. A distant year alone is one only if it lies in the
    future.
    """
    latest = this_year + _YEARS_AHEAD
    stated = [int(found[1]) for found in _YEAR_PARAMETER.finditer(rest)]
    if any(year > latest for year in stated):
        return "calendar far ahead"
    stated += [int(found[1]) for dates in (_YEAR_MONTH, _COMPACT) for found in dates.finditer(rest)]
    if all(_EARLIEST_YEAR <= year <= latest for year in stated) or not _CALENDAR_WORD.search(rest):
        return ""
    return "calendar far ahead" if max(stated) > latest else "calendar far back"


@lru_cache(maxsize=1)
def _this_year() -> int:
    """Return the present year, asked once.

    A process that runs over New Year is stricter by a year; that is harmless.
    """
    return datetime.now(UTC).year
