"""Judges every paragraph of a page: the trained model says content or boilerplate, and why.

judge_pages() is the way in. A paragraph is a block here. For each block a table of features is filled, a
forest of decision trees turns its row into a probability, and draw_lines() finds for each page the
probability from which on blocks are kept. Of an article, what stands after its story and far before it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from turbohtml import Element

from threadmill.native.loader import load_extension
from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import READER, Cut, cut, hidden_chars
from threadmill.page.judge.block_evidence import (
    ENDINGS,
    KIND_CODES,
    ROLE_BITS,
    TAG_BITS,
    PageFacts,
    WordWeights,
    block_words,
)
from threadmill.page.judge.characters import small_letters
from threadmill.page.judge.clean_settings import Favour
from threadmill.page.judge.comments import OUTSIDE_STORY
from threadmill.page.judge.features import COLUMNS_FIRST, FeatureColumns, features
from threadmill.page.judge.justext import Judgement
from threadmill.page.judge.page_batch import Flags, Floats, Indices, PageBatch, exact, running
from threadmill.page.judge.stop_words import languages, stop_words
from threadmill.page.judge.story import (
    LIST_ITEMS,
    SURE_OF_STORY,
    Core,
    captions_of_pictures,
    find_core,
    inside_of_story,
    outside_of_story,
    small_parts,
)
from threadmill.page.judge.tree_model import KINDS, CleanModel, page_signs, shipped_clean_model
from threadmill.page.language import detect_language
from threadmill.page.parse.hidden import hidden_elements
from threadmill.page.parse.tree import Tree
from threadmill.types import ParagraphClass

_FEATURES = load_extension("features")
_VERDICTS = load_extension("verdicts")
_STORY = load_extension("story")

# Says whether a block with this text and tag path is known framing of its site. None where the site cannot
# tell: the text is on other pages too, but in no place of the framing.
Framing = Callable[[str, str], bool | None]

# A member of an enumeration takes 150 ns to find by its name, and a page has hundreds of blocks.
_GOOD = ParagraphClass.GOOD

# How much more a lost word counts than a wrong one (beta of the F-measure), and the least and greatest
# probability at which the line may be drawn. On held-out sites the F1 of BALANCE is the same from .05 to .2
# for the least and from .5 to .6 for the greatest.
_BETA_AND_LIMITS = {
    Favour.BALANCE: (1.0, 0.12, 0.60),
    Favour.PRECISION: (0.5, 0.35, 0.85),
    Favour.RECALL: (2.0, 0.03, 0.40),
}
# A block that the page keeps is rejected where its site speaks against it: a site takes text away and never
# adds any. Text in a place of the framing is framing: of the content of fifteen sites 0.2 % stood in such
# places. Text that other pages have too, in no place of the framing (teasers, buttons in posts), must be this
# likely by itself: docs/decisions/0013-template-places.md.
_LINKED_NOTE = 0.2  # link density of tools at the end of a story
_SURE_AGAINST_SITE = {True: 0.9997, None: 0.88}
# Notes of agencies between the paragraphs of a story are often the same on all of its pages. They stay where
# the page is as sure of them as of the text that shows where the story is; .7 to .9: the same on 11 sites.
_SURE_IN_STORY = {True: SURE_OF_STORY, None: 0.0}
_MOSTLY_LINKS = 0.5  # link density above which a block counts as links
_STEPS = 101  # a reason tells the probability in hundredths
_MOST_HIDDEN = 0.5  # a page that hides more of its text than this shows it by script
_TITLE_CHARS = 300
_SAMPLE = 10  # longest blocks that the language is detected from

# Rows of the table of features by the names of their columns.
TABLE_ROWS = {name: row for row, name in enumerate(COLUMNS_FIRST)}

_PLACES = ("nav", "footer", "aside", "header", "dialog", "button", "form fieldset search")
_PLACE_ROWS = np.array([TABLE_ROWS[f"in {place}"] for place in _PLACES], np.intp)


def visible_cut(tree: Tree, sheets: Sequence[str] = (), *, keeps_nodes: bool = False) -> Cut:
    """The blocks of a page. A block that a reader does not see is marked as hidden."""
    rules = replace(READER, keeps_nodes=True) if keeps_nodes else READER
    typed: list[Element] = []
    elements = hidden_elements(tree.document, sheets, typed)
    cutting = cut(tree.document, rules, elements)
    cutting.typed = typed
    if not elements:
        return cutting
    hidden, chars = hidden_chars(cutting.blocks)
    if hidden and hidden > _MOST_HIDDEN * chars:
        for block in cutting.blocks:
            block.hidden = ""
    return cutting


def text_language(blocks: Sequence[Block]) -> tuple[str, float]:
    """The language of a page, detected from its longest blocks. Which blocks are content is not known yet."""
    return detect_language("\n".join(longest_texts(blocks, _SAMPLE)))


def facts_of(
    tree: Tree,
    cutting: Cut,
    model: CleanModel | None,
    language: str | None = None,
    kind_odds: Floats | None = None,
) -> PageFacts:
    """What is known of the page as a whole. `kind_odds` are given where they were read before."""
    title = tree.document.select_one("title")
    code = text_language(cutting.blocks)[0] if language is None else language
    if model and kind_odds is None:
        kind_odds = model.kinds.log_odds(page_signs(tree.document, tree.url, cutting.typed))
    return PageFacts(
        title=title.text[:_TITLE_CHARS] if title is not None else "",
        stop_words=stop_words(code) if code in languages() else frozenset(),
        kinds=KINDS if model else (),
        kind_odds=() if kind_odds is None else kind_odds,
    )


@dataclass(frozen=True, slots=True)
class CutPage:
    """A page that is cut and not yet judged."""

    tree: Tree
    cutting: Cut
    framing: Framing | None = None
    kind_odds: Floats | None = None  # where they were read before


def judge_pages(
    pages: Sequence[CutPage], languages: Sequence[str], favour: Favour, *, model: CleanModel | None = None
) -> list[list[Judgement]]:
    """The class and reason of every block, page by page. Pages do not influence one another."""
    model = model or shipped_clean_model()
    filled = [page for page in pages if page.cutting.blocks]
    facts = [
        facts_of(page.tree, page.cutting, model, language, page.kind_odds)
        for page, language in zip(pages, languages, strict=True)
        if page.cutting.blocks
    ]
    found = iter(_judge(filled, facts, favour, model) if filled else ())
    return [
        _without_repeats(page.cutting.blocks, next(found)) if page.cutting.blocks else [] for page in pages
    ]


def _without_framing(
    page: CutPage, said: Sequence[bool | None], chances: Floats, found: list[Judgement], core: Core
) -> list[Judgement]:
    """Reject what is kept though the site speaks against it.

    Inside of the story, text that other pages have too stays unless it is linked, and so does text in a
    place of the framing if the page is sure of it: notes of agencies, disclaimers, names. Outside of it,
    items of lists stay that are no links and stand in no place of the framing.
    """
    cutting = page.cutting
    frame = core.frame
    inside = range(cutting.starts[frame], cutting.ends[frame]) if frame >= 0 else range(0)
    for i, answer in enumerate(said):
        block = cutting.blocks[i]
        if answer is False or found[i][0] is not _GOOD or _is_plain_item(answer, block):
            continue
        is_told = i in inside and block.link_chars < _LINKED_NOTE * len(block.text)
        if chances[i] < (_SURE_IN_STORY if is_told else _SURE_AGAINST_SITE)[answer]:
            found[i] = _JUDGEMENTS[_FRAMING * _STEPS + int(np.rint(chances[i] * (_STEPS - 1)))]
    return found


def _is_plain_item(answer: bool | None, block: Block) -> bool:
    """Whether a text that other pages have too is an unlinked item of a list.

    Things of one sort share properties: "Memory: 8 GB RAM" is part of the text of each of them.
    """
    return answer is None and block.tag in LIST_ITEMS and not block.link_chars


def _without_other_stories(
    cutting: Cut, facts: PageFacts, chances: Floats, found: list[Judgement], core: Core
) -> list[Judgement]:
    """Reject what is kept outside of the story of an article: teasers, headlines, forms for comments.

    Among these are comments of readers: set_comments_apart() brings them back where they are wanted.
    """
    kept = [i for i, judgement in enumerate(found) if judgement[0] is _GOOD]
    for i in outside_of_story(cutting, facts, chances, kept, core):
        found[i] = OUTSIDE_STORY
    for i in captions_of_pictures(cutting, kept):
        found[i] = _CAPTION
    inside = inside_of_story(cutting, chances, core)
    unlike = [i for i in inside if found[i][1] in _UNLIKE_REASONS]
    for i in small_parts(cutting, chances, unlike):
        found[i] = _PART_OF_STORY
    return found


def _without_repeats(blocks: Sequence[Block], found: list[Judgement]) -> list[Judgement]:
    """Keep a long text once: sliders and versions for small screens show it two to four times."""
    search = _long_texts if _STORY is None else _STORY.long_texts
    long: list[int] = search(blocks, found, ParagraphClass.GOOD, _LONG_REPEAT)
    if len({blocks[i].text for i in long}) == len(long):
        return found
    places: dict[str, list[int]] = {}
    for i in long:
        places.setdefault(blocks[i].text, []).append(i)
    for first_and_others in places.values():
        if len(first_and_others) <= _MOST_REPEATS:
            for i in first_and_others[1:]:
                found[i] = _REPEATED
    return found


def _long_texts(
    blocks: Sequence[Block], found: Sequence[Judgement], verdict: ParagraphClass, least: int
) -> list[int]:
    """The blocks of this class that have so many spaces, without those that keep their white space."""
    return [
        i
        for i, (told, _) in enumerate(found)
        if told is verdict and blocks[i].text.count(" ") >= least and blocks[i].tag != "pre"
    ]


def _judge(
    pages: Sequence[CutPage], facts: Sequence[PageFacts], favour: Favour, model: CleanModel
) -> Iterator[list[Judgement]]:
    answers = [_ask_site(page) for page in pages]
    found, chances = _verdicts_of_pages(pages, facts, favour, model, answers)
    start = 0
    for page, known, said, judged in zip(pages, facts, answers, found, strict=True):
        end = start + len(judged)
        likely = chances[start:end]
        start = end
        core = find_core(page.cutting, likely)
        if favour is not Favour.RECALL:
            _without_other_stories(page.cutting, known, likely, judged, core)
        if said:  # last: what a site takes away must not change how the rest is judged
            _without_framing(page, said, likely, judged, core)
        yield judged


def _ask_site(page: CutPage) -> list[bool | None]:
    """What the site says about each block; nothing where no site is known."""
    return [page.framing(block.text, block.path) for block in page.cutting.blocks] if page.framing else []


def _verdicts_of_pages(
    pages: Sequence[CutPage],
    facts: Sequence[PageFacts],
    favour: Favour,
    model: CleanModel,
    answers: Sequence[Sequence[bool | None]],
) -> tuple[list[list[Judgement]], Floats]:
    """Judge every block by itself. The probabilities of all blocks come with the judgements."""
    framing = np.zeros(sum(len(page.cutting.blocks) for page in pages), bool)
    if any(answers):
        blocks = (said or page.cutting.blocks for page, said in zip(pages, answers, strict=True))
        framing[:] = [answer is True for page in blocks for answer in page]
    table = native_features([page.cutting for page in pages], facts, model.word_weights)
    if table is not None and _VERDICTS is not None:
        chances = _as_chances(model.forest.score(table))
        found: list[list[Judgement]] = _native_verdicts(_VERDICTS, pages, table, favour, chances, framing)
        return found, chances
    batch = PageBatch.of_cuts([page.cutting for page in pages])
    columns = features(batch, facts, model.word_weights)
    chances = _as_chances(model.forest.score(columns.table()))
    words = np.rint(np.expm1(columns.column("words")))
    seen = ~batch.hidden
    lines = draw_lines(batch.page[seen], chances[seen], words[seen], len(pages), *_BETA_AND_LIMITS[favour])
    verdicts = _verdicts(batch, chances >= lines[batch.page], chances, columns, framing)
    return [
        _keep_pictures_among_content(page.cutting.blocks, judged)
        for page, judged in zip(pages, batch.by_page(verdicts), strict=True)
    ], chances


def _as_chances(odds: Floats) -> Floats:
    return (1 / (1 + np.exp(-odds))).astype(np.float32)


def _native_verdicts(  # noqa: PLR0917 -- columns of blocks, and the loop that reads them
    compiled: Any, pages: Sequence[CutPage], table: Floats, favour: Favour, chances: Floats, framing: Flags
) -> Any:
    """What _verdicts_of_pages() does with numpy, in one native loop over the blocks."""
    beta, least, most = _BETA_AND_LIMITS[favour]
    return compiled.verdicts(
        [page.cutting.blocks for page in pages],
        table,
        _PLACE_ROWS,
        TABLE_ROWS["link density"],
        TABLE_ROWS["chars"],
        chances,
        np.rint(np.expm1(table[TABLE_ROWS["words"]])),
        framing.view(np.uint8),
        beta**2,
        least,
        most,
        _JUDGEMENTS,
        _STEPS,
        _MOSTLY_LINKS,
        _NO_TEXT,
        _AMONG_CONTENT,
    )


def draw_lines(  # noqa: PLR0917 -- columns of blocks, and three settings
    page: Indices, chances: Floats, words: Floats, count: int, beta: float, least: float, most: float
) -> Floats:
    """For each page the probability from which on blocks are kept: the one with the best expected F-measure.

    A page whose content is hard to tell gets a lower line than a clear page: to lose half of an unclear page
    costs more than to keep a little framing.
    """
    order = np.lexsort((-chances, page))
    page, chances, words = page[order], chances[order], words[order]
    sizes = np.bincount(page, minlength=count)
    ends = np.cumsum(sizes)
    firsts = ends - sizes
    kept, gained = running(np.stack((words, exact(chances) * words)))
    whole = (gained[ends] - gained[firsts])[page]
    kept, gained = kept[1:] - kept[firsts][page], gained[1:] - gained[firsts][page]
    expected = (1 + beta**2) * gained / np.maximum(kept + beta**2 * whole, 1e-9)
    best = np.zeros(count)
    np.maximum.at(best, page, expected)
    reached = np.flatnonzero((expected == best[page]) & (expected > 0))[::-1]
    lines = np.full(count, most, np.float32)
    lines[page[reached]] = np.clip(
        chances[reached], least, most
    )  # the first of several is written last, and stays
    return lines


# All judgements, made once, by reason and probability in hundredths: a page has hundreds of blocks.
_UNLIKE, _LINKS, _FRAMING, _CONTENT = range(len(_PLACES), len(_PLACES) + 4)
_REASONS = (*(f"in {place}" for place in _PLACES), "unlike content", "mostly links", "framing of the site")
_JUDGEMENTS = [
    (verdict, f"{why}, {i / (_STEPS - 1):.2f}")
    for verdict, reasons in ((ParagraphClass.BAD, _REASONS), (ParagraphClass.GOOD, ("content",)))
    for why in reasons
    for i in range(_STEPS)
]


def _verdicts(
    batch: PageBatch, good: Flags, chances: Floats, columns: FeatureColumns, framing: Flags
) -> list[Judgement]:
    places = np.stack([columns.column(f"in {place}") for place in _PLACES])
    why = np.where(places.any(axis=0), places.argmax(axis=0), _UNLIKE)
    why[columns.column("link density") > _MOSTLY_LINKS] = _LINKS
    why[framing] = _FRAMING
    why[good] = _CONTENT
    steps = np.rint(chances * (_STEPS - 1)).astype(np.intp)
    found = list(map(_JUDGEMENTS.__getitem__, (why * _STEPS + steps).tolist()))
    for i in np.flatnonzero(columns.column("chars") == 0).tolist():  # a picture alone
        found[i] = _NO_TEXT
    for i in np.flatnonzero(batch.hidden).tolist():
        found[i] = (ParagraphClass.BAD, batch.blocks[i].hidden)
    return found


# Of 61 captions kept on the pages of the development sites, 3 are part of the text by hand.
_UNLIKE_REASONS = frozenset(reason for _, reason in _JUDGEMENTS if reason.startswith(_REASONS[_UNLIKE]))
_PART_OF_STORY = (ParagraphClass.GOOD, "part of the story")
_CAPTION = (ParagraphClass.BAD, "caption of a picture")

_LONG_REPEAT = 7  # spaces; shorter texts may stand twice for a reason
_MOST_REPEATS = 4  # a text that stands more often belongs to each item of a list
_REPEATED = (ParagraphClass.BAD, "stands above already")
_NO_TEXT = (ParagraphClass.BAD, "no text")
_AMONG_CONTENT = (ParagraphClass.GOOD, "picture among content")


def _keep_pictures_among_content(blocks: Sequence[Block], found: list[Judgement]) -> list[Judgement]:
    """Keep a picture without text when the text before it and after it is kept."""
    at = -1
    for i, judgement in enumerate(found):
        if judgement is not _NO_TEXT or i < at:
            continue
        at = i  # a row of pictures has the same text around it
        while at < len(found) and not blocks[at].text:
            at += 1
        around = [found[j][0] for j in (i - 1, at) if 0 <= j < len(found)]
        if around and all(verdict is _GOOD for verdict in around):
            found[i:at] = [_AMONG_CONTENT] * (at - i)
    return found


def read_names(cutting: Cut) -> None:
    """Read the names of frames for native code. It takes less time when a page was just cut."""
    if _FEATURES is not None:
        _FEATURES.read_names(cutting)


def native_features(cuts: Sequence[Cut], facts: Sequence[PageFacts], weights: WordWeights) -> Floats | None:
    """The table of features(), filled by native code; None where that is not built.

    Logarithms and powers are numpy's, of a whole batch in one call each: those of the C library differ from
    them in the last bit.
    """
    if _FEATURES is None:
        return None
    cuts, kinds = list(cuts), len(facts[0].kinds)
    sheet = _FEATURES.Sheet(_reader(_FEATURES, weights), cuts, kinds)
    blocks: int = sheet.blocks
    table = np.empty((_FEATURES.ROWS + kinds, blocks), np.float32)
    singles = np.empty((2, blocks), np.float32)
    prior = np.empty(blocks, np.float32)
    logs = np.empty(_FEATURES.BLOCK_LOGS * blocks + _FEATURES.PAGE_LOGS * len(cuts))
    stop_words = [page.stop_words for page in facts]
    titles = [list(set(block_words(page.title))) for page in facts]
    sheet.read(cuts, stop_words, titles, table, singles, prior, logs)
    np.log1p(singles, out=table[:2])
    np.log1p(logs, out=logs)
    sheet.fill(table, prior, np.exp(-prior), logs, np.array([page.kind_odds for page in facts], np.float32))
    return table


def longest_texts(blocks: Sequence[Block], count: int) -> list[str]:
    """The `count` longest visible texts, the longest first."""
    if _FEATURES is not None:
        found: list[str] = _FEATURES.longest(blocks, count)
        return found
    return sorted((block.text for block in blocks if not block.hidden), key=len, reverse=True)[:count]


def _reader(compiled: Any, weights: WordWeights) -> Any:
    """The weights laid out for native code, once."""
    if not weights.readers:
        weights.readers.append(
            compiled.Reader(
                weights.names,
                weights.words,
                TAG_BITS,
                KIND_CODES,
                ROLE_BITS,
                ENDINGS,
                small_letters(),
            )
        )
    return weights.readers[0]
