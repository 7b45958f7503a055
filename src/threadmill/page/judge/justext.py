"""jusText's judgement of paragraphs, rule for rule: a first pass without context, a second by the neighbours.

After Pomikálek, Removing Boilerplate and Duplicate Content from Web Corpora (2011), and
jusText 3.0, whose classes this gives back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cache

from threadmill.native.loader import load_extension
from threadmill.page.blocks.block import Block
from threadmill.page.judge.stop_words import word_set
from threadmill.types import ParagraphClass

# Native code reads these: they stand before it is loaded.
# Class (good, bad, short, near-good) and reason of a block by itself.
NO_TEXT = ("s", "no text")
LINKS = ("b", "links")
COPYRIGHT = ("b", "copyright sign")
MENU = ("b", "menu")
SHORT = ("s", "short")
SHORT_LINK = ("b", "short, with a link")
LONG = ("g", "long text")
MIDDLING = ("n", "middling length")
FEW_STOP_WORDS = ("n", "few stop words")
TOO_FEW_STOP_WORDS = ("b", "too few stop words")
COPYRIGHT_SIGNS = ("©", "&copy")
MENU_TAG = "select"

_COMPILED = load_extension("story")


@dataclass(frozen=True, slots=True)
class JusTextThresholds:
    """jusText's settings with its defaults; with no stop words both densities count as 0."""

    length_low: int = 70
    length_high: int = 200
    stop_words_low: float = 0.30
    stop_words_high: float = 0.32
    max_link_density: float = 0.2
    max_heading_distance: int = 200
    headings: bool = True  # a short heading over good text may become good


_DEFAULT = JusTextThresholds()

Judgement = tuple[ParagraphClass, str]

# Classes as letters: what its neighbours make of a block is told for a whole run of letters at once.
_CLASSES = {
    "g": ParagraphClass.GOOD,
    "b": ParagraphClass.BAD,
    "s": ParagraphClass.SHORT,
    "n": ParagraphClass.NEAR_GOOD,
}
_UNSETTLED, _NEAR_GOOD = re.compile("[sn]+"), re.compile("n+")


def judge_by_justext(
    blocks: Sequence[Block], words: Set[str] | None, thresholds: JusTextThresholds = _DEFAULT
) -> list[Judgement]:
    """The final class of every block with its reason; without stop words, length and links alone decide."""
    if _COMPILED is not None:
        known = None if words is None else word_set(frozenset(words))
        native: list[Judgement] = _COMPILED.judge_by_rules(blocks, known, thresholds)
        return native
    told = [_context_free(block, words, thresholds) for block in blocks]
    first = "".join([letter for letter, _ in told])
    # jusText means to make a short heading near-good here when good text follows, but looks at classes that
    # are not set yet, so nothing comes of it; the last step below finds those headings all the same.
    settled = _settle_near_good(_settle_short(first))
    if thresholds.headings:
        settled = _settle_headings(blocks, first, settled, thresholds.max_heading_distance)
    return [judgement(before, reason, now) for now, (before, reason) in zip(settled, told, strict=True)]


@cache  # there are a few dozen
def judgement(before: str, reason: str, now: str) -> Judgement:
    """The judgement of a block whose class by itself had this letter and reason, and is this letter now."""
    verdict = _CLASSES[now]
    return verdict, reason if now == before else f"{reason}; {verdict} by its neighbours"


def _context_free(block: Block, words: Set[str] | None, settings: JusTextThresholds) -> tuple[str, str]:
    text = block.text
    length = len(text)
    if length == 0:
        return NO_TEXT
    if block.link_chars > settings.max_link_density * length:
        return LINKS
    if any(sign in text for sign in COPYRIGHT_SIGNS):
        return COPYRIGHT
    if MENU_TAG in block.path:
        return MENU
    if length < settings.length_low:
        return SHORT_LINK if block.link_chars else SHORT
    density = 1.0 if words is None else _density(text, words)
    if density >= settings.stop_words_high:
        return LONG if length > settings.length_high else MIDDLING
    return FEW_STOP_WORDS if density >= settings.stop_words_low else TOO_FEW_STOP_WORDS


def _density(text: str, words: Set[str]) -> float:
    found = text.lower().split()
    return sum(map(words.__contains__, found)) / len(found)


def _around(run: re.Match[str]) -> tuple[str, str]:
    """The letters before and after a run; the edges of the page count as bad."""
    start, end = run.span()
    return run.string[start - 1 : start] or "b", run.string[end : end + 1] or "b"


def _settle_short(letters: str) -> str:
    def settled(run: re.Match[str]) -> str:
        before, after = _around(run)
        found = run[0]
        if before == after:
            return found.replace("s", before)
        if "n" not in found:
            return found.replace("s", "b")
        # those between a near-good one and the good side are good
        if before == "b":
            at = found.index("n")
            return found[:at].replace("s", "b") + found[at:].replace("s", "g")
        at = found.rindex("n")
        return found[:at].replace("s", "g") + found[at:].replace("s", "b")

    return _UNSETTLED.sub(settled, letters)


def _settle_near_good(letters: str) -> str:
    """What is near-good becomes bad only among bad ones."""
    return _NEAR_GOOD.sub(lambda run: len(run[0]) * ("b" if _around(run) == ("b", "b") else "g"), letters)


def _settle_headings(blocks: Sequence[Block], first: str, letters: str, reach: int) -> str:
    """A heading that its neighbours made bad is good when good text follows."""
    settled = list(letters)
    for i, block in enumerate(blocks):
        if block.heading > 0 and letters[i] == "b" != first[i] and _good_follows(i, letters, blocks, reach):
            settled[i] = "g"
    return "".join(settled)


def _good_follows(i: int, letters: str, blocks: Sequence[Block], reach: int) -> bool:
    distance = 0
    for j in range(i + 1, len(letters)):
        if distance > reach:
            return False
        if letters[j] == "g":
            return True
        distance += len(blocks[j].text)
    return False
