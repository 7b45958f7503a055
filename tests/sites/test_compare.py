"""The whole comparison of a list over loopback sites, with the method that was asked for."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.servers.sites import Reply, SiteServer
from threadmill.config import Settings, override
from threadmill.sites.compare import SOURCE_METHOD, compare_sites

_SINGULAR = (
    "The gardener plants a tree beside the house, repairs an old wooden fence and paints the narrow gate. "
)
_PLURAL = "Gardeners plant trees beside houses, repair older wooden fences and painted narrow gates. "


def cosine(*, lemmas: bool) -> float:
    """How alike the words of two sites are that say the same in other forms."""
    home = {
        text: {"/": Reply(f"<html lang=en><title>Garden</title><p>{text * 6}</p></html>".encode())}
        for text in (_SINGULAR, _PLURAL)
    }
    settings = override(override(Settings(), "crawl", delay=0.0), "fetch", private_targets=True)
    with SiteServer(home[_SINGULAR]) as one, SiteServer(home[_PLURAL]) as other:
        method = replace(SOURCE_METHOD, lemmas=lemmas, floor=0.01)
        results = asyncio.run(compare_sites([one.url(), other.url()], settings, method))
    return results.pairs[0].cosine


def test_lemmas_are_counted_when_they_are_asked_for() -> None:
    pytest.importorskip("simplemma", reason="lemmas need the extra of that name")
    assert cosine(lemmas=True) > cosine(lemmas=False) + 0.2
