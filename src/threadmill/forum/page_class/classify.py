"""What a page is: index, thread or other, by a small trained model over its layout, and why it is other."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.features import features

# "The requested topic does not exist." has 36 characters, a shell has a title or nothing.
_SHELL = 30
KINDS = ("index", "other", "thread")


@dataclass(frozen=True, slots=True)
class PageClass:
    """A page's kind with how sure that is."""

    kind: str  # index, thread, other
    confidence: float
    reason: str = ""  # of other: login, empty shell, no such page, …
    detail: str = ""  # of index: threads, boards, mixed


@cache
def _model() -> dict[str, Any]:
    text = files("threadmill.forum.page_class").joinpath("weights.json").read_text("utf-8")
    model: dict[str, Any] = json.loads(text)
    return model


def classify_page(analysis: PageAnalysis) -> PageClass:
    """The class of a page that is being read."""
    numbers = features(analysis)
    if not analysis.row_lists and analysis.found_posts is None and not numbers["single"]:
        return PageClass("other", 1.0, _why_other(analysis, numbers))
    chances = predict(numbers)
    kind = max(KINDS, key=lambda name: chances[name])
    if kind == "other":
        return PageClass(kind, chances[kind], _why_other(analysis, numbers))
    detail = _index_detail(analysis) if kind == "index" else ""
    return PageClass(kind, chances[kind], "", detail)


def predict(numbers: dict[str, float]) -> dict[str, float]:
    """The model's chances of each kind: softmax of a linear form over standardised features."""
    model = _model()
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


def _why_other(analysis: PageAnalysis, numbers: dict[str, float]) -> str:
    # e**7.0 - 1 is 1,100 characters of text: less is a message, a form or a shell.
    short = numbers["text"] < 0.7
    if numbers["password"] and short:
        return "login"
    if _spoken(analysis) < _SHELL:
        return "empty shell"
    return "message" if short else "no rows and no posts"


def _spoken(analysis: PageAnalysis) -> int:
    """Characters that are no links, without what is said to readers whose scripts are off."""
    outline = analysis.outline
    if not len(outline):
        return 0
    silent = sum(
        outline.unlinked_length(index) for index, tag in enumerate(outline.tags) if tag == "noscript"
    )
    return outline.unlinked_length(0) - silent


def _index_detail(analysis: PageAnalysis) -> str:
    sides = {
        read.boardness > 0
        for found, read in zip(analysis.row_lists, analysis.parsed_row_lists, strict=True)
        if found.score > 0.5
    }
    return "mixed" if len(sides) == 2 else "boards" if sides == {True} else "threads"
