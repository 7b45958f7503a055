"""jusText's judgement of paragraphs, rule for rule: a first pass without context, a second by the neighbours.

After Pomikálek, Removing Boilerplate and Duplicate Content from Web Corpora (2011), and
jusText 3.0, whose classes this gives back.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from threadmill.page.block import Block
from threadmill.types import ParagraphClass

GOOD, BAD, SHORT, NEAR_GOOD = (
    ParagraphClass.GOOD,
    ParagraphClass.BAD,
    ParagraphClass.SHORT,
    ParagraphClass.NEAR_GOOD,
)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """jusText's settings with its defaults; with no stop words both densities count as 0."""

    length_low: int = 70
    length_high: int = 200
    stop_words_low: float = 0.30
    stop_words_high: float = 0.32
    max_link_density: float = 0.2
    max_heading_distance: int = 200
    headings: bool = True  # a short heading over good text may become good


_DEFAULT = Thresholds()
# What the data of its authors' followers prefers: shorter paragraphs pass, so that forum posts survive.
LENIENT = Thresholds(
    length_low=30, length_high=100, stop_words_low=0.10, stop_words_high=0.20, max_link_density=0.4
)

Judgement = tuple[ParagraphClass, str]


def judge(
    blocks: Sequence[Block], words: Set[str] | None, thresholds: Thresholds = _DEFAULT
) -> list[Judgement]:
    """The final class of every block with its reason; without stop words, length and links alone decide."""
    first = [_context_free(block, words, thresholds) for block in blocks]
    verdicts = [verdict for verdict, _ in first]
    headings = [thresholds.headings and block.heading > 0 for block in blocks]
    lengths = [len(block.text) for block in blocks]
    reach = thresholds.max_heading_distance
    # jusText means to make a short heading near-good here when good text follows, but looks at classes that
    # are not set yet, so nothing comes of it; the last step below finds those headings all the same.
    verdicts = _settle_near_good(_settle_short(verdicts))
    for i, heading in enumerate(headings):
        if heading and verdicts[i] is BAD and first[i][0] is not BAD:  # noqa: SIM102 -- the last test is dear
            if _good_follows(i, verdicts, lengths, reach):
                verdicts[i] = GOOD
    return [
        (now, reason if now is before else f"{reason}; {now} by its neighbours")
        for now, (before, reason) in zip(verdicts, first, strict=True)
    ]


def _context_free(block: Block, words: Set[str] | None, settings: Thresholds) -> Judgement:
    text, length = block.text, len(block.text)
    if length == 0:
        return SHORT, "no text"
    if block.link_chars > settings.max_link_density * length:
        return BAD, "links"
    if "©" in text or "&copy" in text:
        return BAD, "copyright sign"
    if "select" in block.path:
        return BAD, "menu"
    if length < settings.length_low:
        return (BAD, "short, with a link") if block.link_chars else (SHORT, "short")
    density = 1.0 if words is None else _density(text, words)
    if density >= settings.stop_words_high:
        return (GOOD, "long text") if length > settings.length_high else (NEAR_GOOD, "middling length")
    return (
        (NEAR_GOOD, "few stop words") if density >= settings.stop_words_low else (BAD, "too few stop words")
    )


def _density(text: str, words: Set[str]) -> float:
    found = text.lower().split()
    return sum(map(words.__contains__, found)) / len(found)


def _good_follows(i: int, verdicts: list[ParagraphClass], lengths: list[int], reach: int) -> bool:
    distance = 0
    for j in range(i + 1, len(verdicts)):
        if distance > reach:
            return False
        if verdicts[j] is GOOD:
            return True
        distance += lengths[j]
    return False


def _settle_short(verdicts: list[ParagraphClass]) -> list[ParagraphClass]:
    if SHORT not in verdicts:
        return verdicts
    before, after = _neighbours(verdicts, NEAR_GOOD)
    near_before, near_after = _neighbours(verdicts)
    settled = list(verdicts)
    for i, verdict in enumerate(verdicts):
        if verdict is not SHORT:
            continue
        if before[i] is after[i]:
            settled[i] = before[i]
        elif (before[i] is BAD and near_before[i] is NEAR_GOOD) or (
            after[i] is BAD and near_after[i] is NEAR_GOOD
        ):
            settled[i] = GOOD
        else:
            settled[i] = BAD
    return settled


def _settle_near_good(verdicts: list[ParagraphClass]) -> list[ParagraphClass]:
    """Left to right: a near-good block that became good or bad is a neighbour to those after it."""
    settled = list(verdicts)
    if NEAR_GOOD not in verdicts:
        return settled
    _, after = _neighbours(verdicts, NEAR_GOOD)
    before = BAD
    for i, verdict in enumerate(verdicts):
        if verdict is NEAR_GOOD:
            settled[i] = BAD if before is BAD and after[i] is BAD else GOOD
        before = settled[i]  # nothing is short any more
    return settled


def _neighbours(
    verdicts: list[ParagraphClass], passed_over: ParagraphClass = SHORT
) -> tuple[list[ParagraphClass], list[ParagraphClass]]:
    """For every block the nearest class before and after it, short ones and one more class passed over.

    The edges of the page count as bad. Classes are told by identity: hashing one is a call.
    """
    before, after = [], []
    last = BAD
    for verdict in verdicts:
        before.append(last)
        if verdict is not SHORT and verdict is not passed_over:
            last = verdict
    last = BAD
    for verdict in reversed(verdicts):
        after.append(last)
        if verdict is not SHORT and verdict is not passed_over:
            last = verdict
    return before, after[::-1]
