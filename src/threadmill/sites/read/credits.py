"""Who made a site is not who runs it: the lines that name web makers, hosts and themes are left out."""

from __future__ import annotations

import re
from functools import cache

from threadmill.sites.read.common_words import known
from threadmill.sites.read.spelling import fold

# Makers are named at the end of a page. What stands before is the site's own, also where it speaks of design.
_END = 1500
# A name, a telephone number and an e-mail address have room in it.
_REACH = 90


def without_credits(text: str) -> str:
    """A page's text without what its last lines say of who made it."""
    end = text[-_END:]
    marked = fold(end)
    if len(marked) != len(end):  # folding took signs away: places in one are no places in the other
        return text[:-_END] + "\n".join(line for line in end.split("\n") if not is_credit(line))
    found = _maker().search(marked)
    while found:
        line_end = end.find("\n", found.start())
        stop = min(found.start() + _REACH, len(end) if line_end < 0 else line_end)
        end, marked = end[: found.start()] + end[stop:], marked[: found.start()] + marked[stop:]
        found = _maker().search(marked, found.start())
    return text[:-_END] + end


def is_credit(line: str) -> bool:
    """Whether a short line names a maker."""
    return len(line) <= 2 * _REACH and bool(_maker().search(fold(line)))


@cache
def _maker() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{phrase})" for phrase in sorted(known("makers"))))
