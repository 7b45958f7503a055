"""A paragraph cut into sentences and tokens as one string: its text, with a sign at every joint.

Tokens that had a space between them still have it; the other joints are control characters, which no cleaned
text holds. Every joint is one character, so that a place in the text is easily counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

GLUE = "\x1f"  # two tokens without white space between them
SENTENCE = "\x1e"  # a space at which a sentence ends
GLUED_SENTENCE = "\x1d"  # a sentence ends, and no space follows: 。
PASSAGE = "\x1c"  # between the paragraphs of a document that are worked on together
JOINTS = f" {PASSAGE}-{GLUE}"  # all of them, for a character class


def to_forms(cut: str) -> list[str]:
    """The tokens of a cut text; each keeps the space before it, if there is one."""
    if not cut:
        return []
    if SENTENCE in cut:
        cut = cut.replace(SENTENCE, " ")
    if GLUED_SENTENCE in cut:
        cut = cut.replace(GLUED_SENTENCE, GLUE)
    forms = cut.replace(" ", f"{GLUE} ").split(GLUE)
    return forms if forms[0] else forms[1:]


def to_forms_by_sentence(cut: str) -> list[list[str]]:
    """The tokens of each sentence, as to_forms() of to_sentences() gives them, at half the price."""
    if not cut:
        return []
    parted = cut.replace(" ", f"{GLUE} ").replace(SENTENCE, f"{PASSAGE} ").replace(GLUED_SENTENCE, PASSAGE)
    return [sentence.split(GLUE) for sentence in parted.split(PASSAGE)]


def to_sentences(cut: str) -> list[str]:
    """The cut sentences, each with the space before it."""
    if not cut:
        return []
    return cut.replace(SENTENCE, f"{PASSAGE} ").replace(GLUED_SENTENCE, PASSAGE).split(PASSAGE)


def to_text(cut: str) -> str:
    """The text without its joints."""
    return cut.replace(GLUE, "").replace(SENTENCE, " ").replace(GLUED_SENTENCE, "")


def from_forms(sentences: Iterable[list[str]]) -> str:
    """The inverse of to_forms, sentence by sentence."""
    cut = PASSAGE.join(GLUE.join(forms) for forms in sentences)
    return cut.replace(f"{GLUE} ", " ").replace(f"{PASSAGE} ", SENTENCE).replace(PASSAGE, GLUED_SENTENCE)


def count(cut: str) -> int:
    """How many tokens a text that is not empty has, or several with joints between them."""
    return 1 + sum(map(cut.count, (" ", GLUE, SENTENCE, GLUED_SENTENCE, PASSAGE)))


def starts(cut: str) -> list[int]:
    """Where in the cut text each token begins, and where one more would."""
    lengths = map(len, _parted(cut))
    return list(accumulate((length + 1 for length in lengths), initial=0))


def _parted(cut: str) -> list[str]:
    for joint in (GLUE, SENTENCE, GLUED_SENTENCE):
        if joint in cut:
            cut = cut.replace(joint, " ")
    return cut.split(" ")
