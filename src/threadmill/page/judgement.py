"""The default judgement of a page's blocks: evidence in, class and reason out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from threadmill.page.block import Block
from threadmill.page.cut import READER, Cut, cut
from threadmill.page.evidence import Floats, PageFacts
from threadmill.page.features import Columns, features
from threadmill.page.hidden import hidden_elements
from threadmill.page.justext import Judgement
from threadmill.page.language import detect_language
from threadmill.page.model import Model, shipped_model
from threadmill.page.settings import Favour
from threadmill.page.signs import KINDS, page_signs
from threadmill.page.stopwords import languages, stop_words
from threadmill.page.tree import Tree
from threadmill.types import ParagraphClass

# Whether a block with this text and tag path is known framing of its site: evidence from outside the page.
# None where the site has nothing to say, because the text is on other pages too but in no framing place.
Framing = Callable[[str, str], bool | None]

# How much more a lost word weighs than a wrong one (beta of the F-measure), and between which probabilities
# the line may be drawn. On held-out sites the F1 of the balance is flat from .05 to .2 and from .5 to .6.
_DIALS = {
    Favour.BALANCE: (1.0, 0.12, 0.60),
    Favour.PRECISION: (0.5, 0.35, 0.85),
    Favour.RECALL: (2.0, 0.03, 0.40),
}
# What is known of the site. Framing by its place is framing: of the content of fifteen sites 0.2 % stood in
# such places. New text of a site whose framing is known is rather content. Text that other pages have too,
# in no framing place (member cards, buttons in posts, headings), is left to the page: docs/decisions/0135.
_SITE_ODDS = {True: -8.0, False: 2.0, None: 0.0}
_MOST_HIDDEN = 0.5  # a page that hides more than this of its text shows it by script
_TITLE_CHARS = 300
_SAMPLE = 10  # blocks that the language is told from

_PLACES = ("nav", "footer", "aside", "header", "dialog", "button", "form fieldset search")


def visible_cut(tree: Tree, sheets: Sequence[str] = (), *, keeps_nodes: bool = False) -> Cut:
    """The blocks of a page, those that a reader does not see marked as such."""
    rules = replace(READER, keeps_nodes=True) if keeps_nodes else READER
    cutting = cut(tree.document, rules, hidden_elements(tree.document, sheets))
    hidden = sum(len(block.text) for block in cutting.blocks if block.hidden)
    if hidden and hidden > _MOST_HIDDEN * sum(len(block.text) for block in cutting.blocks):
        for block in cutting.blocks:
            block.hidden = ""
    return cutting


def text_language(blocks: Sequence[Block]) -> tuple[str, float]:
    """The language of a page before anybody knows which of its blocks matter: that of the longest."""
    longest = sorted((block.text for block in blocks if not block.hidden), key=len, reverse=True)
    return detect_language("\n".join(longest[:_SAMPLE]))


def facts_of(tree: Tree, cutting: Cut, model: Model | None, language: str | None = None) -> PageFacts:
    """What is known of the page as a whole."""
    title = tree.document.select_one("title")
    code = text_language(cutting.blocks)[0] if language is None else language
    return PageFacts(
        title=title.text[:_TITLE_CHARS] if title is not None else "",
        stop_words=stop_words(code) if code in languages() else frozenset(),
        kinds=KINDS if model else (),
        kind_odds=model.kinds.log_odds(page_signs(tree.document, tree.url)) if model else (),
    )


def judge_page(
    tree: Tree,
    cutting: Cut,
    favour: Favour,
    language: str,
    framing: Framing | None = None,
    *,
    model: Model | None = None,
) -> list[Judgement]:
    """The class of every block with its reason."""
    if not cutting.blocks:
        return []
    model = model or shipped_model()
    columns = features(cutting, facts_of(tree, cutting, model, language), model.lexicon)
    odds = model.forest.score(columns.table())
    known: list[bool | None] = [None] * len(cutting.blocks)
    if framing is not None:
        known = [framing(block.text, block.path) for block in cutting.blocks]
        odds += np.array([_SITE_ODDS[said] for said in known], np.float32)
    chances = (1 / (1 + np.exp(-odds))).astype(np.float32)
    words = np.expm1(columns.column("words"))
    seen = np.array([not block.hidden for block in cutting.blocks], bool)
    line = draw_line(chances[seen], words[seen], *_DIALS[favour])
    return _verdicts(cutting.blocks, chances, line, columns, known)


def draw_line(chances: Floats, words: Floats, beta: float, least: float, most: float) -> float:
    """The probability from which on blocks are kept so that the expected F-measure over words is greatest.

    A page whose content is hard to tell gets a lower line than one where it is plain: leaving out half of an
    unsure page costs more than keeping a little framing.
    """
    if not len(chances) or not words.any():
        return most
    order = np.argsort(-chances, kind="stable")
    gained = np.cumsum(chances[order] * words[order])
    kept = np.cumsum(words[order])
    expected = (1 + beta**2) * gained / np.maximum(kept + beta**2 * gained[-1], 1e-9)
    return float(np.clip(chances[order][int(np.argmax(expected))], least, most))


# Every judgement there is, by the probability in hundredths: a page has hundreds of blocks.
_GOOD = [(ParagraphClass.GOOD, f"content, {i / 100:.2f}") for i in range(101)]
_UNLIKE, _LINKS, _FRAMING = range(len(_PLACES), len(_PLACES) + 3)
_BAD = [
    [(ParagraphClass.BAD, f"{why}, {i / 100:.2f}") for i in range(101)]
    for why in (
        *(f"in {place}" for place in _PLACES),
        "unlike content",
        "mostly links",
        "framing of the site",
    )
]


def _verdicts(
    blocks: Sequence[Block], chances: Floats, line: float, columns: Columns, known: Sequence[bool | None]
) -> list[Judgement]:
    places = np.stack([columns.column(f"in {place}") for place in _PLACES])
    why = np.where(places.any(axis=0), places.argmax(axis=0), _UNLIKE)
    why[columns.column("link density") > 0.5] = _LINKS
    why[np.array(known, bool)] = _FRAMING
    hundredths = np.rint(chances * 100).astype(np.intp).tolist()
    found = [
        _GOOD[i] if good else _BAD[reason][i]
        for i, good, reason in zip(hundredths, (chances >= line).tolist(), why.tolist(), strict=True)
    ]
    for i, block in enumerate(blocks):
        if block.hidden:
            found[i] = (ParagraphClass.BAD, block.hidden)
        elif not block.text:  # a picture alone
            found[i] = _NO_TEXT
    return _settle_images(blocks, found)


_NO_TEXT = (ParagraphClass.BAD, "no text")


def _settle_images(blocks: Sequence[Block], found: list[Judgement]) -> list[Judgement]:
    """A picture without text belongs to the text around it: kept when what comes before and after it is."""
    lone = [i for i, judgement in enumerate(found) if judgement is _NO_TEXT]
    if not lone:
        return found
    good = [verdict is ParagraphClass.GOOD for verdict, _ in found]
    textual = np.array([i for i, block in enumerate(blocks) if block.text], np.intp)
    for i in lone:
        at = int(np.searchsorted(textual, i))
        around = [int(textual[j]) for j in (at - 1, at) if 0 <= j < len(textual)]
        if around and all(good[j] for j in around):
            found[i] = (ParagraphClass.GOOD, "picture among content")
    return found
