"""Pages that are nobody's site yet or any more: server defaults, parked and for-sale domains, empty CMS."""

from __future__ import annotations

import json
import re
from importlib.resources import files

from threadmill.sites.model import Outcome
from threadmill.sites.read.site_page import Reading
from threadmill.sites.read.spelling import fold

_LISTS = json.loads(files("threadmill.sites").joinpath("data/placeholder.json").read_text(encoding="utf-8"))


def _any_of(kind: str) -> str:
    # In the spelling of the text they are looked for in: Korean and Greek, too, come apart there.
    return "|".join(f"(?:{fold(phrase)})" for phrase in _LISTS[kind])


# SURE phrases are said by no company of itself; WEAK ones need a page with little else on it.
_SURE = re.compile(_any_of("sure"))
_WEAK = re.compile(_any_of("weak"))
_PRODUCT = re.compile(_any_of("product"))
# A page that says of its own address what became of it: "domain … expired", "website … not ready yet".
_OF_ITSELF = re.compile(
    f"(?:{_any_of('itself')})[^\\n]{{0,80}}?(?:{_any_of('state')})|(?:{_any_of('state')})[^\\n]{{0,50}}?(?:{_any_of('itself')})"
)
# The home pages of 204 real small organisations have at least 20 words, 19 of 20 have over 60.
_FEW_WORDS = 60
_NO_WORDS = 8
# A page that loads this much script for so few words builds itself in the browser.
_SHELL = re.compile(
    r"<div[^>]{0,80}\bid=[\"']?(?:root|app|__next|__nuxt|main-app|svelte|q-app)\b"
    r"|<app-root|<base href=|data-reactroot",
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
_WINDOW = 1500  # characters: a placeholder says what it is at once
_LONG = 250  # words: a page of so many is somebody's, whatever phrase it quotes, unless its title says so


def judge_home(page: Reading) -> tuple[Outcome, str]:
    """Whether a home page is somebody's site; with the words that told."""
    text = fold(page.text)
    words = len(re.findall(r"[^\W\d_]{2,}", text))
    cjk = len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]", page.text)) // 2
    words = max(words, cjk)
    title = fold(page.title).strip()
    told = _SURE.search(title) or (_SURE.search(text[:_WINDOW]) if words < _LONG else None)
    if told:
        return Outcome.PARKED, f"says {told[0].strip()[:60]!r}"
    if words < _FEW_WORDS:
        said = f"{title}\n{text[:_WINDOW]}"
        weak = _WEAK.search(said) or _OF_ITSELF.search(said) or _PRODUCT.search(said)
        if weak:
            return Outcome.PARKED, f"little more than {weak[0].strip()[:60]!r}"
    if words < _NO_WORDS:
        shell = bool(_SHELL.search(page.markup[:20_000])) or len(_SCRIPT.findall(page.markup)) > 2
        return (Outcome.SCRIPT_ONLY if shell else Outcome.EMPTY), f"{words} words"
    if words < 3 * _NO_WORDS and _SHELL.search(page.markup[:20_000]):
        return Outcome.SCRIPT_ONLY, f"{words} words beside its scripts"
    return Outcome.OK, ""
