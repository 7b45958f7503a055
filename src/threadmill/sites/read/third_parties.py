"""Removes from a text what it says of others: who made the site, and third parties that it must name.

Web designers, hosts and themes are named at the end of a page. Authorities, hosting companies and payment
services are named in legal texts. None of them runs the site, so their contact data must not join two sites.
"""

from __future__ import annotations

import re
from functools import cache

from threadmill.sites.read.folded_words import common_words, fold

# Makers are named in the last characters of a page. Text before them belongs to the site, even if it speaks
# of web design.
_END_OF_PAGE = 1500
# Length of a credit: a name, a telephone number and an e-mail address fit into it.
_CREDIT_LENGTH = 90
# Length of a mention of a third party in a line: a name, an address, a telephone number and an e-mail address
# fit into it.
_MENTION_LENGTH = 300
_MOST_LINES = 7  # lines of an address below the name of a third party
_LONGEST_LINE = 120  # characters of such a line; a longer line is a sentence of its own
# Words with which the site speaks of itself again.
_OWN_DATA = re.compile(
    r"impress|imprint|angaben|betreiber|inhaber|geschaftsfuhr|verantwortlich|kontakt|contact|contatt|owner|"
    r"operator|responsible|controller|responsable|titolare|administrator danych|ust|vat\b|partita|"
    r"registergericht|handelsregister"
)


def without_credits(text: str) -> str:
    """The text of a page without the names and contact data of its makers at the end."""
    end = text[-_END_OF_PAGE:]
    folded = fold(end)
    if len(folded) != len(end):  # folding removed characters, so positions differ: drop whole lines
        return text[:-_END_OF_PAGE] + "\n".join(line for line in end.split("\n") if not is_credit(line))
    found = _maker_words().search(folded)
    while found:
        line_end = end.find("\n", found.start())
        stop = min(found.start() + _CREDIT_LENGTH, len(end) if line_end < 0 else line_end)
        end, folded = end[: found.start()] + end[stop:], folded[: found.start()] + folded[stop:]
        found = _maker_words().search(folded, found.start())
    return text[:-_END_OF_PAGE] + end


def is_credit(line: str) -> bool:
    """Whether a short line names who made the site."""
    return len(line) <= 2 * _CREDIT_LENGTH and bool(_maker_words().search(fold(line)))


def before_credit(line: str) -> str:
    """A line up to the words that name who made the site: "Kern Mill" of "Kern Mill, powered by Sites"."""
    folded = fold(line)
    found = _maker_words().search(folded)
    if found is None:
        return line
    return line[: found.start()] if len(folded) == len(line) else ""


def without_third_parties(text: str, own_label: str = "") -> str:
    """The text without the names and contact data of third parties.

    `own_label` is the first part of the site's own domain. A site that is itself one of the listed companies
    keeps its data.
    """
    folded = fold(text)
    stems = [
        stem
        for stem in _third_party_stems()
        if stem in folded and not (own_label and _without_signs(stem).startswith(own_label))
    ]
    if not stems:
        return text
    kept: list[str] = []
    lines_left = 0  # lines that may still belong to the last third party
    for line in text.split("\n"):
        plain = fold(line)
        places = [place for stem in stems if (place := plain.find(stem)) >= 0]
        if places:
            lines_left = _MOST_LINES
            kept.append(_without_mention(line, min(places)) if len(plain) == len(line) else "")
        elif lines_left and line.strip() and len(line) <= _LONGEST_LINE and not _OWN_DATA.search(plain):
            lines_left -= 1
        elif line.strip() or not lines_left:
            lines_left = 0
            kept.append(line)
    return "\n".join(kept)


def _without_mention(line: str, start: int) -> str:
    return line[:start] + line[start + _MENTION_LENGTH :]


def _without_signs(stem: str) -> str:
    return re.sub(r"\W", "", stem)


@cache
def _maker_words() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{fold(phrase)})" for phrase in sorted(common_words("makers"))))


@cache
def _third_party_stems() -> tuple[str, ...]:
    return tuple(sorted(fold(stem) for stem in common_words("third_parties")))
