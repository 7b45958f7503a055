"""Settings of cleaning: which method judges, which error is worse, what else is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from threadmill.page.judge.justext import JusTextThresholds


class CleanMethod(StrEnum):
    """What judges the paragraphs."""

    DEFAULT = "default"  # the trained model
    JUSTEXT = "justext"
    EVERYTHING = "everything"  # nothing: all visible text is kept


class Favour(StrEnum):
    """Which error is worse."""

    BALANCE = "balance"
    PRECISION = "precision"  # kept framing is worse
    RECALL = "recall"  # lost text is worse


class Comments(StrEnum):
    """What becomes of the comments of readers."""

    AUTO = "auto"  # apart, but kept where the page is a discussion
    KEEP = "keep"  # they are content like the rest
    APART = "apart"  # not in the text of the page, but in Page.comments
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class CleanSettings:
    """How a page is cleaned."""

    method: CleanMethod = CleanMethod.DEFAULT
    favour: Favour = Favour.BALANCE
    comments: Comments = Comments.AUTO
    stop_words: str = "auto"  # jusText's: a language code, "auto" for the page's own language, "none"
    thresholds: JusTextThresholds = field(default_factory=JusTextThresholds)
    languages: bool = True  # detect the language of the page and of its paragraphs
    metadata: bool = True
    html: bool = False  # fill in Paragraph.html even when no hook asks for it
    style_sheets: tuple[str, ...] = ()  # text of the style sheets that the page links to
