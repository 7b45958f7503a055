"""Finds the learnt framing on one page, removes or marks it, and notices when it no longer fits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import turbohtml
from turbohtml import Element, Node

from threadmill.page.blocks.cutting import READER, Cut, cut
from threadmill.page.clean import clean, cut_page
from threadmill.page.judge.clean_settings import CleanSettings
from threadmill.page.judge.judgement import Framing
from threadmill.page.judge.user_hooks import Hook
from threadmill.page.parse.tree import Tree
from threadmill.template.apply.framing_places import match_framing
from threadmill.template.apply.marking import ByteSpan, mark_spans, merge_spans, removable_spans, remove_spans
from threadmill.template.apply.page_source import PageSource, decode_exactly, element_spans, text_spans
from threadmill.template.clusters.fragments import Chains, fragments_of, overlap_bytes
from threadmill.template.learn import KnownCluster, Template
from threadmill.template.places.judge_places import LABEL_TAGS
from threadmill.template.places.text_outline import hash_wording
from threadmill.types import Page, Paragraph, ParagraphClass


class FramingMethod(StrEnum):
    """How framing is found on a page."""

    PLACES = "places"  # our method: places that are framing on the whole site
    PAPER = "paper"  # the method of the source: chains of fragments that the pages of a cluster share


@dataclass(frozen=True, slots=True)
class FoundFraming:
    """The framing of one page."""

    spans: tuple[ByteSpan, ...]  # the framing, as byte offsets
    removable: tuple[ByteSpan, ...]  # the part that can be removed without breaking the rest
    cluster: int | None  # index into the template's clusters; only the method of the source uses it
    fit: float  # 0 to 1: how much of the learnt framing the page has


def find_framing(
    template: Template, html: bytes, method: FramingMethod = FramingMethod.PLACES
) -> FoundFraming:
    """Find the framing of a site on one of its pages."""
    if method is FramingMethod.PAPER:
        return _find_chains(template, html)
    source = decode_exactly(html)
    document = source.parse()
    loose: list[turbohtml.Text] = []
    matches = match_framing(document, template.framing, loose)
    elements = element_spans(source, (match.element for match in matches))
    spans = tuple(merge_spans([*elements, *text_spans(source, loose)]))
    known = sum(match.known for match in matches)
    fit = min(1.0, known / template.typical) if template.typical else 1.0
    return FoundFraming(spans, spans, None, fit)


def nearest_cluster(template: Template, chains: Chains) -> int | None:
    """Return the cluster whose framing a page holds most of, if it holds enough."""
    held = [overlap_bytes(chains, known.chains) for known in template.clusters]
    enough = [i for i, known in enumerate(template.clusters) if held[i] >= known.least]
    return max(enough, key=held.__getitem__, default=None)


def remove_framing(template: Template, html: bytes, method: FramingMethod = FramingMethod.PLACES) -> bytes:
    """Return the page without its framing."""
    return remove_spans(html, find_framing(template, html, method).removable)


def mark_framing(template: Template, html: bytes, method: FramingMethod = FramingMethod.PLACES) -> bytes:
    """Return the page with its framing coloured."""
    return mark_spans(html, find_framing(template, html, method).spans)


def _find_chains(template: Template, html: bytes) -> FoundFraming:
    """Find framing as the source does: by the chains of the page's cluster, else of all clusters."""
    fragments = fragments_of(html, template.chain_length)
    cluster = nearest_cluster(template, fragments.chains)
    wanted: Iterable[KnownCluster] = template.clusters if cluster is None else [template.clusters[cluster]]
    names = [known.chains.names for known in wanted]
    flags = fragments.covered(np.unique(np.concatenate(names)) if names else np.empty(0, np.uint64))
    spans = merge_spans(place for place, flag in zip(fragments.places, flags, strict=True) if flag)
    removable = removable_spans(html, fragments.places, flags)
    return FoundFraming(
        tuple(spans), tuple(removable), cluster, _chain_fit(template, fragments.chains, cluster)
    )


def _chain_fit(template: Template, chains: Chains, cluster: int | None) -> float:
    if cluster is None:
        return 0.0
    known = template.clusters[cluster].chains
    return overlap_bytes(chains, known) / known.size if known.size else 1.0


# After a redesign, no page has the known framing any more. A few odd pages (errors, print views) do not
# matter.
_RECENT_PAGES = 30
_MIN_PAGES = 10
_MIN_MEAN_FIT = 0.5


@dataclass(slots=True)
class TemplateFit:
    """How well the template fits the latest pages, one figure between 0 and 1 for each."""

    latest: deque[float] = field(default_factory=lambda: deque(maxlen=_RECENT_PAGES))

    def note(self, fit: float) -> None:
        """Add the fit of a page."""
        self.latest.append(fit)

    @property
    def mean(self) -> float:
        """The mean fit of the latest pages; 1 before any page."""
        return sum(self.latest) / len(self.latest) if self.latest else 1.0

    @property
    def fallen(self) -> bool:
        """Whether the site has changed, so that its framing must be learnt again."""
        return len(self.latest) >= _MIN_PAGES and self.mean < _MIN_MEAN_FIT


_WHOLE_PAGE = frozenset({"html", "body"})


def framing_of(template: Template) -> Callable[[Tree, Cut], Framing]:
    """Return a function that tells which blocks of a page are framing of its site."""
    return lambda tree, cutting: framing_blocks(template, tree.document, cutting)


def clean_with_template(
    tree: Tree,
    template: Template,
    settings: CleanSettings | None = None,
    *,
    hook: Hook | None = None,
    cutting: Cut | None = None,
) -> Page:
    """Clean a page of a site whose framing is known."""
    settings = settings or CleanSettings()
    cutting = cutting or cut_page(tree, settings)
    framing = framing_of(template)(tree, cutting)
    return clean(tree, settings=settings, hook=hook, framing=framing, cutting=cutting)


def clean_html(
    html: bytes,
    url: str = "",
    settings: CleanSettings | None = None,
    *,
    marked: bool = False,
    content_type: str = "",
    hook: Hook | None = None,
    template: Template | None = None,
) -> bytes:
    """Return the page's own bytes without its bad paragraphs, or with them coloured (see unmark())."""
    settings = settings or CleanSettings()
    source = decode_exactly(html, content_type)
    tree = Tree(source.parse(), url, source.codec)
    cutting = cut_page(tree, settings, keeps_nodes=True)
    if template is None:
        page = clean(tree, settings=settings, hook=hook, cutting=cutting)
    else:
        page = clean_with_template(tree, template, settings, hook=hook, cutting=cutting)
    spans = merge_spans(_bad_spans(source, cutting, page.paragraphs))
    return mark_spans(html, spans) if marked else remove_spans(html, spans)


def _bad_spans(
    source: PageSource, cutting: Cut, paragraphs: Sequence[Paragraph]
) -> Iterator[tuple[int, int]]:
    good = [0]
    for paragraph in paragraphs:
        good.append(good[-1] + (paragraph.verdict is ParagraphClass.GOOD))
    # a frame without blocks starts at -1 and stays
    bad = [
        start >= 0 and good[end] == good[start]
        for start, end in zip(cutting.starts, cutting.ends, strict=True)
    ]
    yield from element_spans(source, _outermost(cutting, bad))
    yield from text_spans(source, _loose(cutting, paragraphs, bad))


def _outermost(cutting: Cut, bad: Sequence[bool]) -> Iterator[Element]:
    """Yield the outermost elements whose blocks are all bad."""
    for element, parent, is_bad in zip(cutting.elements, cutting.parents, bad, strict=True):
        covered = parent >= 0 and bad[parent] and cutting.elements[parent].tag not in _WHOLE_PAGE
        if is_bad and not covered and element.tag not in _WHOLE_PAGE:
            yield element


def _loose(cutting: Cut, paragraphs: Sequence[Paragraph], bad: Sequence[bool]) -> Iterator[Node]:
    """Yield the texts of bad blocks that share an element with good ones."""
    for block, paragraph in zip(cutting.blocks, paragraphs, strict=True):
        frame = block.frame
        alone = frame >= 0 and bad[frame] and cutting.elements[frame].tag not in _WHOLE_PAGE
        if paragraph.verdict is not ParagraphClass.GOOD and not alone:
            yield from block.nodes


def framing_elements(template: Template, document: turbohtml.Document) -> list[turbohtml.Element]:
    """Return the outermost elements of a page that are framing as a whole."""
    return [match.element for match in match_framing(document, template.framing)]


def framing_flags(template: Template, document: turbohtml.Document, cutting: Cut) -> list[bool]:
    """Return for every block of a page whether it stands inside framing."""
    framing = set(framing_elements(template, document))
    inside: list[bool] = []
    for element, parent in zip(cutting.elements, cutting.parents, strict=True):
        inside.append((parent >= 0 and inside[parent]) or _within(element, framing, cutting, parent))
    return [block.frame >= 0 and inside[block.frame] for block in cutting.blocks]


def _within(element: turbohtml.Element, framing: set[turbohtml.Element], cutting: Cut, parent: int) -> bool:
    """Whether an element is framing, or inside an inline framing element below the next block."""
    above = cutting.elements[parent] if parent >= 0 else None
    node: turbohtml.Node | None = element
    while isinstance(node, turbohtml.Element) and node is not above:
        if node in framing:
            return True
        node = node.parent
    return False


_LONG_TEXT = 60  # characters; menus and headlines are shorter
_DIGITS_OF_DATE = 0.2  # share of digits: "Wednesday January 9 2008" has .21
_LEAST_TITLE = 15  # characters; a shorter text is part of a title by chance


def framing_blocks(
    template: Template, document: turbohtml.Document, cutting: Cut | None = None
) -> Callable[[str, str], bool | None]:
    """Return a test for blocks by text and tag path, as `threadmill.page` expects it.

    A text that stands both in the framing and in the content, at the same path, is kept. The answer is None
    where the page must decide: for a text that other pages have too, but not in a framing place (a teaser,
    a button in a post), and for a long text in a framing place that no other page has (a story without the
    usual frames). A heading such as "Notes" may stand on many pages and is content. So is the title of the
    page, which others link to. About dates and headings in a framing place that no other page has, the site
    says nothing.
    """
    cutting = cutting or cut(document, READER)
    framing: set[tuple[str, str]] = set()
    content: set[tuple[str, str]] = set()
    for block, flag in zip(cutting.blocks, framing_flags(template, document, cutting), strict=True):
        (framing if flag else content).add((block.text, block.path))
    framing -= content
    repeated = template.framing.repeated
    title = document.select_one("title")
    title_text = " ".join(title.text.split()) if title is not None else ""

    def is_framing(text: str, path: str) -> bool | None:
        if len(text) >= _LEAST_TITLE and text in title_text:
            return False
        is_repeated = hash_wording(text) in repeated
        is_label = path.rpartition(".")[2] in LABEL_TAGS
        if (text, path) not in framing:
            return None if is_repeated and not is_label else False
        if is_repeated:
            return True
        if len(text) >= _LONG_TEXT:
            return None
        return not is_label and sum(map(str.isdigit, text)) < _DIGITS_OF_DATE * len(text)

    return is_framing
