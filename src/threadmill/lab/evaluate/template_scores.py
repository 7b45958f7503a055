"""Scores of site templates on real sites: framing removed, content lost, gain for search, and word F1.

`score_site` measures a template alone. `score_page_and_template` compares cleaning with the page alone, with
the template alone, and with both.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import turbohtml

from threadmill.lab.evaluate.template_sites import FramingTruth
from threadmill.page.blocks.cutting import Cut
from threadmill.page.clean import clean, cut_page
from threadmill.page.judge.clean_settings import CleanSettings
from threadmill.page.parse.tree import Tree
from threadmill.template import (
    FramingMethod,
    clean_with_template,
    find_framing,
    framing_flags,
    learn_template,
    unmark,
)
from threadmill.template.apply.marking import ByteSpan, mark_spans, remove_spans
from threadmill.template.apply.page_source import decode_exactly
from threadmill.template.places.text_outline import UNREAD_TAGS
from threadmill.types import Page, ParagraphClass

_WORD = re.compile(r"\w+")
_TITLE_END = re.compile(r"\s+[-–—|»·]\s+|\s*[—|»]\s*")
_QUERIES = 200
# The weight of title words, which every search engine raises. With framing left in, the mean reciprocal rank
# over twelve sites is .958 with 10, .968 with 20, .975 with 30 and .980 with 50.
_TITLE_WEIGHT = 30
# A title stays on its page. On a page whose head is broken it stands in the body.
_UNJUDGED_TAGS = UNREAD_TAGS | {"title"}


@dataclass(slots=True)
class TemplateScore:
    """The figures of one site with one method."""

    pages: int = 0
    framing: int = 0  # characters
    removed: int = 0
    content: int = 0
    lost: int = 0
    broken: int = 0  # pages whose marks could not be removed exactly, or that lost their title
    before: float = 0.0  # mean reciprocal rank in a search for known pages, with framing
    after: float = 0.0  # the same, without framing
    examples: dict[str, Counter[str]] = field(
        default_factory=lambda: {"missed": Counter(), "lost": Counter()}
    )

    @property
    def removed_share(self) -> float:
        """Share of the framing that was removed."""
        return self.removed / self.framing if self.framing else 1.0

    @property
    def lost_share(self) -> float:
        """Share of the content that was lost."""
        return self.lost / self.content if self.content else 0.0


def score_site(
    truth: FramingTruth, pages: Sequence[bytes], methods: Iterable[FramingMethod], *, held_out: bool = False
) -> Iterator[tuple[FramingMethod, TemplateScore]]:
    """Learn a template and judge it on the same pages; with `held_out`, on the half not learnt from."""
    order = list(range(len(pages)))
    random.Random(1).shuffle(order)
    half = (len(order) + 1) // 2
    template = learn_template([pages[i] for i in sorted(order[:half])] if held_out else pages)
    judged = [pages[i] for i in sorted(order[half:])] if held_out else pages
    for method in methods:
        score = TemplateScore(len(judged))
        rests = []
        for html in judged:
            found = find_framing(template, html, method)
            rest = remove_spans(html, found.removable)
            kept = _count(truth, html, found.removable, score)
            whole = _plain(kept) == _plain(text.data for text in _texts(_parse(rest)))
            score.broken += (
                unmark(mark_spans(html, found.spans)) != html or _title(html) != _title(rest) or not whole
            )
            rests.append(rest)
        score.before, score.after = _rank(judged, judged), _rank(judged, rests)
        yield method, score


def _parse(html: bytes) -> turbohtml.Document:
    return turbohtml.parse(decode_exactly(html).text)


_BEGIN, _END = "threadmill removes from here", "threadmill removes to here"


def _count(
    truth: FramingTruth, html: bytes, removable: Sequence[ByteSpan], score: TemplateScore
) -> list[str]:
    """Add the texts of a page to the score: content or framing, removed or kept. Return the kept texts."""
    document = _parse(_mark_removals(html, removable))
    content = content_nodes(truth, document)
    neither = nodes_in(document, truth.neither) if truth.neither else set()
    kept = []
    for text, goes in _texts_with_removal(document):
        words = " ".join(text.data.split())
        if not goes:
            kept.append(words)
        if text in neither:
            continue
        if text in content:
            score.content += len(words)
            score.lost += len(words) * goes
            score.examples["lost"][words[:60]] += len(words) * goes
        else:
            score.framing += len(words)
            score.removed += len(words) * goes
            score.examples["missed"][words[:60]] += len(words) * (not goes)
    return kept


def _mark_removals(html: bytes, spans: Sequence[ByteSpan]) -> bytes:
    """Put a comment on both sides of everything that is to be removed."""
    parts, at = [], 0
    for start, end in spans:
        parts += [html[at:start], f"<!--{_BEGIN}-->".encode(), html[start:end], f"<!--{_END}-->".encode()]
        at = end
    return b"".join([*parts, html[at:]])


def _texts_with_removal(document: turbohtml.Document) -> Iterator[tuple[turbohtml.Text, bool]]:
    """Yield each text of the body, and whether it is between these comments."""
    goes = False
    for node in _nodes(document):
        if isinstance(node, turbohtml.Comment):
            goes = node.data == _BEGIN or (goes and node.data != _END)
        elif isinstance(node, turbohtml.Text) and node.data.strip():
            yield node, goes


def _plain(texts: Iterable[str]) -> str:
    return "".join("".join(texts).split())


def content_nodes(truth: FramingTruth, document: turbohtml.Document) -> set[turbohtml.Text]:
    """Return the texts of a page that are content according to the truth."""
    content = nodes_in(document, truth.content)
    return content - nodes_in(document, truth.framing) if truth.framing else content


def nodes_in(document: turbohtml.Document, selector: str) -> set[turbohtml.Text]:
    """Return the texts inside the elements of a selector."""
    return {
        node
        for element in document.select(selector)
        for node in element.descendants
        if isinstance(node, turbohtml.Text)
    }


def _nodes(document: turbohtml.Document) -> Iterator[turbohtml.Node]:
    body = document.find("body")
    waiting: list[turbohtml.Node] = [body] if body is not None else []
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, turbohtml.Element) and node.tag not in _UNJUDGED_TAGS:
            waiting.extend(reversed(node.children))


def _texts(document: turbohtml.Document) -> Iterator[turbohtml.Text]:
    return (node for node in _nodes(document) if isinstance(node, turbohtml.Text) and node.data.strip())


def _title(html: bytes) -> str:
    title = _parse(html).find("title")
    return title.text if title is not None else ""


def _rank(pages: Sequence[bytes], indexed: Sequence[bytes]) -> float:
    """Return the mean reciprocal rank of pages in a BM25 search for their titles."""
    queries = [words_of(_TITLE_END.split(_title(html))[0]) for html in pages]
    index = Bm25Index([words_of(" ".join(_indexed(_parse(html)))) for html in indexed])
    shared = Counter(map(tuple, queries))  # a title that several pages share is no good query
    asked = [number for number, query in enumerate(queries) if query and shared[tuple(query)] == 1][:_QUERIES]
    ranks = [index.rank(queries[number], number) for number in asked]
    return sum(1 / rank for rank in ranks) / len(ranks) if ranks else 0.0


def _indexed(document: turbohtml.Document) -> Iterator[str]:
    """Yield what a search engine indexes: the title (removal keeps it) and the text."""
    title = document.find("title")
    if title is not None:
        yield from [title.text] * _TITLE_WEIGHT
    yield from (text.data for text in _texts(document))


def words_of(text: str) -> list[str]:
    """Return the words of a text, as they are indexed and counted."""
    return _WORD.findall(text.casefold())


class Bm25Index:
    """BM25 with its usual parameters (k1 = 1.2, b = 0.75) over a few thousand documents."""

    def __init__(self, documents: Sequence[list[str]]) -> None:
        self._lengths = [len(words) for words in documents]
        self._mean = sum(self._lengths) / max(1, len(documents)) or 1.0
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for number, words in enumerate(documents):
            for word, count in Counter(words).items():
                self._postings.setdefault(word, []).append((number, count))

    def rank(self, query: Iterable[str], wanted: int) -> float:
        """Return the rank of a document; among equal scores, the middle."""
        scores: dict[int, float] = {}
        total = len(self._lengths)
        for word in set(query):
            postings = self._postings.get(word, [])
            weight = math.log(1 + (total - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, count in postings:
                length = 1.2 * (0.25 + 0.75 * self._lengths[number] / self._mean)
                scores[number] = scores.get(number, 0.0) + weight * count * 2.2 / (count + length)
        own = scores.get(wanted, 0.0)
        better = sum(score > own for score in scores.values())
        equal = sum(score == own for score in scores.values()) if own else total - len(scores)
        return better + (max(1, equal) + 1) / 2


_JUDGED, _LEARNT_FROM = 25, 120
_QUICK = CleanSettings(languages=False, metadata=False)


@dataclass(slots=True)
class CombinedScore:
    """Mean word F1 on pages that the template was not learnt from."""

    page: float = 0.0
    template: float = 0.0
    both: float = 0.0


def score_page_and_template(truth: FramingTruth, pages: Sequence[bytes]) -> CombinedScore:
    """Learn a template from some pages of a site and judge others.

    Text that is neither framing nor content counts as no content here: nobody wants member cards and buttons
    in a text.
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
        for name, flags_kept in kept.items():
            setattr(found, name, getattr(found, name) + _f1(flags_kept, wanted) / judged)
    return found


def _good(page: Page) -> list[bool]:
    return [paragraph.verdict is ParagraphClass.GOOD for paragraph in page.paragraphs]


def _wanted(truth: FramingTruth, document: turbohtml.Document, cutting: Cut) -> list[tuple[int, int]]:
    """Return, for each block, the number of its words and of its content words."""
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
