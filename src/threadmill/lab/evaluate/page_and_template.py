"""How well content is told with a page alone, with its site's template alone, and with both together."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields

import turbohtml

from threadmill.lab.evaluate.template_sites import FramingTruth
from threadmill.lab.evaluate.templates import content_nodes, nodes_in, words_of
from threadmill.page.blocks.cutting import Cut
from threadmill.page.clean import clean, cut_page
from threadmill.page.judge.clean_settings import CleanSettings
from threadmill.page.parse.tree import Tree
from threadmill.template import clean_with_template, framing_flags, learn_template
from threadmill.template.apply.page_source import decode_exactly
from threadmill.types import Page, ParagraphClass

_JUDGED, _LEARNT_FROM = 25, 120
_QUICK = CleanSettings(languages=False, metadata=False)


@dataclass(slots=True)
class CombinedScore:
    """Mean word F1 over pages that the template was not learnt from."""

    page: float = 0.0
    template: float = 0.0
    both: float = 0.0


def score_page_and_template(truth: FramingTruth, pages: Sequence[bytes]) -> CombinedScore:
    """Learn from some pages of a site and judge others.

    What the truth calls neither framing nor content counts as not content here: nobody wants member cards and
    buttons in a text, wherever they stand.
    """
    order = list(range(len(pages)))
    random.Random(1).shuffle(order)
    judged = min(_JUDGED, len(pages) // 4)
    template = learn_template([pages[i] for i in sorted(order[judged : judged + _LEARNT_FROM])])
    found = CombinedScore()
    for i in order[:judged]:
        source = decode_exactly(pages[i])
        tree = Tree(source.parse(), "", source.codec)
        cutting = cut_page(tree, keeps_nodes=True)
        flags = framing_flags(template, tree.document, cutting)
        wanted = _wanted(truth, tree.document, cutting)
        kept = {
            "page": _good(clean(tree, settings=_QUICK, cutting=cutting)),
            "template": [not flag for flag in flags],
            "both": _good(clean_with_template(tree, template, _QUICK, cutting=cutting)),
        }
        for field in fields(found):
            score = _f1(kept[field.name], wanted)
            setattr(found, field.name, getattr(found, field.name) + score / judged)
    return found


def _good(page: Page) -> list[bool]:
    return [paragraph.verdict is ParagraphClass.GOOD for paragraph in page.paragraphs]


def _wanted(truth: FramingTruth, document: turbohtml.Document, cutting: Cut) -> list[tuple[int, int]]:
    """Of every block, how many words it has and how many of them are content."""
    content = content_nodes(truth, document)
    if truth.neither:
        content = content - nodes_in(document, truth.neither)
    counted = []
    for block in cutting.blocks:
        words = [
            (len(words_of(node.data)), node in content)
            for node in block.nodes
            if isinstance(node, turbohtml.Text)
        ]
        counted.append((sum(count for count, _ in words), sum(count for count, wanted in words if wanted)))
    return counted


def _f1(kept: Sequence[bool], wanted: Sequence[tuple[int, int]]) -> float:
    words = sum(count for keep, (count, _) in zip(kept, wanted, strict=True) if keep)
    right = sum(content for keep, (_, content) in zip(kept, wanted, strict=True) if keep)
    content = sum(content for _, content in wanted)
    return 2 * right / max(1, words + content)
