"""The moment a text speaks of."""

from __future__ import annotations

from datetime import datetime

from threadmill.dates.detection import in_attribute, prefer_exact
from threadmill.dates.forms.written_dates import Stamp
from threadmill.dates.meaning.resolve import UNKNOWN, Convention, resolve
from threadmill.dates.scan import Scan, scan
from threadmill.dates.text.lexicon import find_lexicon
from threadmill.types import Moment

# A text of fewer tokens may be nothing but the name of a day.
FEW = 8


def normalise(
    text: str, now: datetime, language: str | None = None, order: str | None = None
) -> Moment | None:
    """The moment a text or HTML fragment shows; None when it shows none.

    Of several, an exact value in an attribute comes first, then an exact one in the text, then a relative.
    """
    found = scan(text, language)
    if not found.stamps and (found.tokens.may_be_date or len(found.tokens.letters) < FEW):
        found = scan(text, language, lenient=True)
    convention = UNKNOWN
    if order or language:
        convention = Convention(order or "", find_lexicon(language).bit(language) if language else 0)
    for stamp in rank(found):
        moment = resolve(stamp, now, convention)
        if moment is not None:
            return moment
    return None


def rank(found: Scan) -> list[Stamp]:
    """The stamps of a text, the most trustworthy first."""
    if len(found.stamps) < 2:
        return found.stamps

    def trust(stamp: Stamp) -> tuple[int, int]:
        if stamp.date is None:
            return 4, stamp.start
        exact = stamp.date.exact
        if found.tokens.attribute_at(stamp.date.start) is None:
            return (1 if exact else 2), stamp.start
        if not in_attribute(stamp.date, found.tokens):
            return 3, stamp.start
        if exact:
            return (0 if stamp.time or stamp.date.kind == "epoch" else 1), stamp.start
        return 2, stamp.start

    return sorted(prefer_exact(found), key=trust)
