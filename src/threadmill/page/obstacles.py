"""Says why a page shows nothing to read: a log-in wall, a challenge for robots, a page made by scripts …"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import turbohtml

from threadmill.page.parse.tree import parse

_FEW_CHARACTERS = 400  # of visible text; a page with more has something to say
_HARDLY_ANY = 60  # of text outside links; less than one sentence
# What services that keep robots out put into their pages. A page with much text may mention them.
_CHALLENGES = re.compile(
    rb"challenge-platform|cf-chl|cf_chl|_Incapsula_Resource|captcha-delivery\.com|px-captcha|ddos-guard|"
    rb"sgcaptcha|aws-waf-token|awsWafCookie|/\.within\.website/|anubis_|hcaptcha\.com|recaptcha/api|"
    rb"challenges\.cloudflare\.com|friendlycaptcha|kpsdk|_sec/verify",
    re.IGNORECASE,
).search
_CHALLENGE_WORDS = re.compile(
    r"just a moment|checking (?:your|the) browser|attention required|verify (?:that )?you are (?:a )?human|"
    r"are you (?:a )?(?:human|robot)|ddos protection|making sure you|security check|access denied",
    re.IGNORECASE,
).search
_NEEDS_SCRIPT = re.compile(
    r"(?:enable|activate|requires?|needs?|without|turn on|aktivier\w*|activ\w+|habilit\w+|включ\w+)[^.]{0,40}"
    r"(?:java ?script|\bjs\b)|(?:java ?script|\bjs\b)[^.]{0,60}"
    r"(?:disabled|required|enable|deaktiviert|désactivé)",
    re.IGNORECASE,
).search
_PROGRAM_ROOT = "#root, #app, #__next, #__nuxt, #___gatsby, #svelte, [data-reactroot], app-root, [ng-app]"
_MAGIC = {
    b"%PDF-": "a PDF file", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture", b"GIF8": "a picture",
    b"PK\x03\x04": "a ZIP file (or a document of an office program)", b"\x1f\x8b": "a packed file",
    b"\x7fELF": "a program", b"MZ\x90": "a program", b"RIFF": "a media file", b"ID3": "a media file",
    b"SQLite format 3": "a database", b"\xd0\xcf\x11\xe0": "a document of an office program",
    b"PAR1": "a Parquet file", b"\xfd7zXZ": "a packed file", b"BZh": "a packed file",
}  # fmt: skip
# What no text in any encoding of the web holds in number. Tab, line ends, form feed and the escape of
# Japanese mails are text.
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\v\f\r\x1b"))
_MANY_CONTROLS = 0.03  # of the bytes; random bytes have .10, packed ones about as many, saved pages none
_HAS_TAG = re.compile(
    rb"<(?:!doctype|html|head|body|title|meta|table|div|p|a|br)[\s/>]", re.IGNORECASE
).search
_TEXT_TYPES = ("html", "xml", "text/")


@dataclass(frozen=True, slots=True)
class PageProblem:
    """Why a page cannot be read, and what to do about it."""

    kind: str  # password, log-in, challenge, refused, missing, failed, script, no page, empty
    sentence: str


_ADVICE = {
    "password": "the server asks for a password, or refuses the one given; give it with --user NAME",
    "log-in": "the page is open to members only; log in with --cookies FILE or --login FILE (cookies that "
    "you gave may have expired)",
    "challenge": "the site keeps robots out with a challenge; ask its owner for permission, or for a dump",
    "refused": "the server refuses the request; see whether a browser may read the page, and log in with "
    "--cookies FILE if only members may",
    "missing": "there is no page at this address; open it in a browser and copy its address",
    "failed": "the server fails to answer; try again later",
    "script": "scripts make this page in the browser, and its HTML holds no content; this site needs a "
    "browser: try --browser",
    "empty": "the page holds no text; see whether a browser shows some",
}


WALLS = frozenset({"password", "log-in", "refused"})  # an account may open these


def find_problem(
    body: bytes, status: int = 200, content_type: str = "", headers: Iterable[tuple[str, str]] = ()
) -> PageProblem | None:
    """Why a page shows nothing to read. None if nothing speaks against it."""
    kind = _kind_of_status(status)
    if kind in {"refused", "failed"} and _is_challenge(body, headers):
        kind = "challenge"
    if kind:
        return PageProblem(kind, _ADVICE[kind])
    thing = name_of_binary(body, content_type)
    if thing:
        return PageProblem("no page", f"expected a web page, but this is {thing}; name a page of the site")
    kind = _kind_of_page(parse(body, "", content_type).document, body, headers)
    return PageProblem(kind, _ADVICE[kind]) if kind else None


def name_of_binary(body: bytes, content_type: str = "") -> str:
    """What a body is that is no text, in words. Empty if it may be a page."""
    for magic, name in _MAGIC.items():
        if body.startswith(magic):
            return name
    kind = content_type.partition(";")[0].strip().lower()
    if kind and not any(one in kind for one in _TEXT_TYPES) and body.lstrip()[:1] != b"<":
        return f"a file of the type {kind}"
    # A page in UTF-16 has a zero in every second byte; another page has none.
    start = body[:1000]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")) or _HAS_TAG(start.replace(b"\0", b"")):
        return ""
    if len(start) - len(start.translate(None, _CONTROLS)) > _MANY_CONTROLS * len(start):
        return "a binary file"
    return "a binary file" if b"\0" in start and b"<" not in start else ""


def _kind_of_status(status: int) -> str:
    if status == 401:
        return "password"
    if status in {404, 410}:
        return "missing"
    return "refused" if 400 <= status < 500 else "failed" if status >= 500 else ""


def _is_challenge(body: bytes, headers: Iterable[tuple[str, str]]) -> bool:
    if any(name.lower() in {"cf-mitigated", "x-datadome", "x-sucuri-block"} for name, _ in headers):
        return True
    text = body[:200_000]
    return bool(_CHALLENGES(text) or _CHALLENGE_WORDS(text.decode("utf-8", "replace")))


def _kind_of_page(document: turbohtml.Document, body: bytes, headers: Iterable[tuple[str, str]]) -> str:
    """The problem of a page that came with status 200. Its tree is changed."""
    scripts = document.select("script")
    told = " ".join(str(element.text) for element in document.select("noscript")[:20])
    for element in document.select("script, style, noscript, template"):
        element.decompose()
    found = document.find("body")
    text = " ".join(str(found.text).split()) if found is not None else ""
    if len(text) >= _FEW_CHARACTERS:
        return ""
    if document.select("input[type=password i]"):
        return "log-in"
    if _is_challenge(body, headers):
        return "challenge"
    has_root = any(len(str(root.text).strip()) < _HARDLY_ANY for root in document.select(_PROGRAM_ROOT))
    if scripts and (has_root or _NEEDS_SCRIPT(f"{text} {told}")):
        return "script"
    return "" if text else "empty"
