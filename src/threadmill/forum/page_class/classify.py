"""Classifies a page as index, thread or other with a small trained model over its layout."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.features import page_features

# Characters. "The requested topic does not exist." has 36. An empty shell has a title or nothing.
_MAX_SHELL = 30
# The feature "text" of 1,100 characters: e**7.0 - 1, over 10. Shorter pages are messages, forms or shells.
_SHORT_TEXT = 0.7
_MIN_LIST_SCORE = 0.5  # of lists that say whether an index shows threads or boards
KINDS = ("index", "other", "thread")


@dataclass(frozen=True, slots=True)
class PageClass:
    """The kind of a page, with the confidence in it."""

    kind: str  # index, thread, other
    confidence: float
    reason: str = ""  # of other: login, empty shell, message, no rows and no posts
    detail: str = ""  # of index: threads, boards, mixed


@cache
def _load_model() -> dict[str, Any]:
    text = files("threadmill.forum.page_class").joinpath("weights.json").read_text("utf-8")
    model: dict[str, Any] = json.loads(text)
    return model


def classify_page(analysis: PageAnalysis) -> PageClass:
    """The class of a page. A page without any list or post is other, whatever the model says."""
    numbers = page_features(analysis)
    if not analysis.row_lists and analysis.found_posts is None and not numbers["single"]:
        return PageClass("other", 1.0, _find_reason(analysis, numbers))
    probabilities = predict_kinds(numbers)
    kind = max(KINDS, key=lambda name: probabilities[name])
    if kind == "other":
        return PageClass(kind, probabilities[kind], _find_reason(analysis, numbers))
    detail = _index_detail(analysis) if kind == "index" else ""
    return PageClass(kind, probabilities[kind], "", detail)


def predict_kinds(numbers: dict[str, float]) -> dict[str, float]:
    """The probability of each kind: multinomial logistic regression over standardised features."""
    model = _load_model()
    values = [
        (numbers[name] - mean) / scale
        for name, mean, scale in zip(model["features"], model["means"], model["scales"], strict=True)
    ]
    sums = [
        sum(weight * value for weight, value in zip(weights, values, strict=True)) + bias
        for weights, bias in zip(model["weights"], model["biases"], strict=True)
    ]
    highest = max(sums)
    powers = [math.exp(value - highest) for value in sums]
    return {name: power / sum(powers) for name, power in zip(model["kinds"], powers, strict=True)}


def _find_reason(analysis: PageAnalysis, numbers: dict[str, float]) -> str:
    """Why a page is neither index nor thread."""
    short = numbers["text"] < _SHORT_TEXT
    if numbers["password"] and short:
        return "login"
    if _unlinked_length(analysis) < _MAX_SHELL:
        return "empty shell"
    return "message" if short else "no rows and no posts"


def _unlinked_length(analysis: PageAnalysis) -> int:
    """Characters of text outside links and outside <noscript>."""
    outline = analysis.outline
    if not len(outline):
        return 0
    without_script = sum(
        outline.unlinked_length(index) for index, tag in enumerate(outline.tags) if tag == "noscript"
    )
    return outline.unlinked_length(0) - without_script


def _index_detail(analysis: PageAnalysis) -> str:
    sides = {
        parsed.boardness > 0
        for found, parsed in zip(analysis.row_lists, analysis.parsed_row_lists, strict=True)
        if found.score > _MIN_LIST_SCORE
    }
    return "mixed" if len(sides) == 2 else "boards" if sides == {True} else "threads"
