"""Whom a site must name is not who runs it: authorities, hosts and payment services of its legal texts."""

from __future__ import annotations

import re
from functools import cache

from threadmill.sites.read.common_words import known
from threadmill.sites.read.spelling import fold

# Of the line that names one: a name, an address, a telephone number and an e-mail address have room in it.
_REACH = 300
_MOST_LINES = 7  # of an address that stands below the name, a line each
_LONGEST = 120  # characters of such a line; a longer one is a sentence of its own
# Where the site speaks of itself again.
_OWN = re.compile(
    r"impress|imprint|angaben|betreiber|inhaber|geschaftsfuhr|verantwortlich|kontakt|contact|contatt|owner|"
    r"operator|responsible|controller|responsable|titolare|administrator danych|ust|vat\b|partita|"
    r"registergericht|handelsregister"
)


def without_third_parties(text: str, own: str = "") -> str:
    """A text without what it says of third parties; the site itself, by its domain's label `own`, is none."""
    folded = fold(text)
    stems = [stem for stem in _stems() if stem in folded and not (own and _plain(stem).startswith(own))]
    if not stems:
        return text
    kept: list[str] = []
    below = 0  # lines that may still belong to the last one named
    for line in text.split("\n"):
        plain = fold(line)
        places = [place for stem in stems if (place := plain.find(stem)) >= 0]
        if places:
            below = _MOST_LINES
            kept.append(_cut(line, min(places)) if len(plain) == len(line) else "")
        elif below and line.strip() and len(line) <= _LONGEST and not _OWN.search(plain):
            below -= 1
        elif line.strip() or not below:
            below = 0
            kept.append(line)
    return "\n".join(kept)


def _cut(line: str, start: int) -> str:
    return line[:start] + line[start + _REACH :]


def _plain(stem: str) -> str:
    return re.sub(r"\W", "", stem)


@cache
def _stems() -> tuple[str, ...]:
    return tuple(sorted(fold(stem) for stem in known("third_parties")))
