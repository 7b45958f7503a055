"""Delimited text: a paragraph split into sentences and tokens, as one string with a delimiter between tokens.

A space between two tokens stays a space. The other delimiters are control characters, which no cleaned text
contains. Every delimiter is one character, so positions are easy to compute.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

GLUE = "\x1f"  # between two tokens without white space
SENTENCE = "\x1e"  # a sentence ends here, and a space follows
GLUED_SENTENCE = "\x1d"  # a sentence ends here without a space, as after 。
PASSAGE = "\x1c"  # between paragraphs that are processed together
# Inside a token of several syllables, as in Vietnamese, where the text has a space. No cleaned text has it.
JOINED = "\u00a0"
# At the end of a token where the text has a space of no width, which ends a word in a script without spaces.
# Links are found by offsets, so it stays until they are found.
NO_WIDTH = "\u200b"
DELIMITERS = f" {PASSAGE}-{GLUE}"  # all of them, for a character class


def to_forms(cut: str) -> list[str]:
    """The tokens of a delimited text. Each keeps the space before it, if there is one."""
    if not cut:
        return []
    if SENTENCE in cut:
        cut = cut.replace(SENTENCE, " ")
    if GLUED_SENTENCE in cut:
        cut = cut.replace(GLUED_SENTENCE, GLUE)
    forms = cut.replace(" ", f"{GLUE} ").split(GLUE)
    return forms if forms[0] else forms[1:]


def to_forms_by_sentence(cut: str) -> list[list[str]]:
    """The tokens of each sentence: to_forms() of each of to_sentences(), in half the time."""
    if not cut:
        return []
    marked = cut.replace(" ", f"{GLUE} ").replace(SENTENCE, f"{PASSAGE} ").replace(GLUED_SENTENCE, PASSAGE)
    return [sentence.split(GLUE) for sentence in marked.split(PASSAGE)]


def to_sentences(cut: str) -> list[str]:
    """The sentences as delimited texts, each with the space before it."""
    if not cut:
        return []
    return cut.replace(SENTENCE, f"{PASSAGE} ").replace(GLUED_SENTENCE, PASSAGE).split(PASSAGE)


def to_text(cut: str) -> str:
    """The text without its delimiters."""
    return cut.replace(GLUE, "").replace(SENTENCE, " ").replace(GLUED_SENTENCE, "").replace(JOINED, " ")


def from_forms(sentences: Iterable[list[str]]) -> str:
    """The inverse of to_forms_by_sentence."""
    cut = PASSAGE.join(GLUE.join(forms) for forms in sentences)
    return cut.replace(f"{GLUE} ", " ").replace(f"{PASSAGE} ", SENTENCE).replace(PASSAGE, GLUED_SENTENCE)


def count_tokens(cut: str) -> int:
    """The number of tokens of a delimited text that is not empty, or of several joined by PASSAGE."""
    return 1 + sum(map(cut.count, (" ", GLUE, SENTENCE, GLUED_SENTENCE, PASSAGE)))


def token_starts(cut: str) -> list[int]:
    """The position of each token in the delimited text, and the position where one more would begin."""
    lengths = map(len, _split(cut))
    return list(accumulate((length + 1 for length in lengths), initial=0))


def _split(cut: str) -> list[str]:
    for delimiter in (GLUE, SENTENCE, GLUED_SENTENCE):
        if delimiter in cut:
            cut = cut.replace(delimiter, " ")
    return cut.split(" ")
