"""Finds out what kind of page this is (article, forum, product, listing …), from signs outside its text.

Signs are words of its URL, og:type, the generator, schema.org types, and the class and id of its body. How
much each sign speaks for each kind was learnt from pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
from turbohtml import Document

from threadmill.page.judge.block_evidence import name_parts
from threadmill.page.judge.page_batch import Floats

KINDS = ("article", "collection", "documentation", "forum", "listing", "product", "service")

_HOST_WORDS = frozenset(
    ("blog", "community", "developer", "discuss", "docs", "forum", "forums", "help", "news", "shop", "store",
     "support", "wiki")
)  # fmt: skip
_SCHEMA_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"(\w{1,40})"')
_MOST = 40  # signs of one sort; more would only cost time
_SCRIPT_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class KindModel:
    """Multinomial logistic regression over signs."""

    weights: Mapping[str, Floats]  # sign → weight for each kind
    bias: Floats

    def log_odds(self, signs: tuple[str, ...]) -> Floats:
        """The logarithm of each kind's probability."""
        known = [weight for sign in signs if (weight := self.weights.get(sign)) is not None]
        total = np.array([self.bias, *known]).sum(axis=0)
        total -= total.max()
        chances: Floats = (total - np.log(np.exp(total).sum())).clip(-6, 0).astype(np.float32)
        return chances


def page_signs(document: Document, url: str) -> tuple[str, ...]:
    """All signs of a page, each once."""
    signs = [*_address_signs(url), *_head_signs(document), *_schema_signs(document)]
    body = document.find("body")
    if body is not None:
        names = name_parts(f"{body.attr('class') or ''} {body.attr('id') or ''}")
        signs.extend(f"body:{name}" for name in names[:20])
    return tuple(dict.fromkeys(signs))


def _address_signs(url: str) -> list[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    path = parts.path.strip("/")[:1000]
    depth = min(path.count("/") + 1 if path else 0, 4)
    hosts = [f"host:{name}" for name in name_parts(parts.netloc) if name in _HOST_WORDS]
    return [f"path:{name}" for name in name_parts(path)[:12]] + [f"depth:{depth}"] + hosts


def _head_signs(document: Document) -> list[str]:
    found = document.select('meta[property="og:type"], meta[name=generator]')[:4]
    return [f"meta:{name}" for meta in found for name in name_parts(meta.attr("content") or "")[:3]]


def _schema_signs(document: Document) -> list[str]:
    types: dict[str, None] = {}
    for script in document.select('script[type="application/ld+json"]')[:8]:
        types.update(dict.fromkeys(_SCHEMA_TYPE.findall(script.text[:_SCRIPT_CHARS])))
    for element in document.select("[itemtype]")[:_MOST]:
        types[(element.attr("itemtype") or "")[-60:].rpartition("/")[2]] = None
    return [f"schema:{name.lower()}" for name in list(types)[:_MOST] if name]
