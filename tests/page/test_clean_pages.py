from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import clean_data
from tests.hostile import GENERATORS
from tests.quality_pages import quality_pages
from threadmill.page import clean as many
from threadmill.page.clean import (
    CleanedPage,
    CleanFailure,
    PageInput,
    _read_pages,
    clean,
    clean_pages,
    cut_page,
)
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings, Favour
from threadmill.types import Page

DATA = Path(__file__).parents[3] / "shared/data/extraction"
URL = "https://example.org/forum/1"
SMALL = ["", "   ", "<p>one", "<img src=a.png>", "<title>a</title>", "\0", "<pre>\n a\n</pre><p hidden>b"]
REAL = [page for page, _ in quality_pages().values()]
ALL_FAVOURS = [CleanSettings(favour=favour) for favour in Favour]


def read(sources: list[PageInput], wanted: CleanSettings) -> list[Page]:
    found = []
    for outcome in clean_pages(sources, wanted):
        assert isinstance(outcome, CleanedPage)
        found.append(outcome.page)
    return found


def same_as_alone(pages: list[str | bytes], wanted: CleanSettings) -> bool:
    return read([PageInput(page, URL) for page in pages], wanted) == [
        clean(page, URL, wanted) for page in pages
    ]


@pytest.mark.parametrize("wanted", ALL_FAVOURS, ids=lambda wanted: str(wanted.favour))
def test_pages_are_read_together_as_each_alone(wanted: CleanSettings) -> None:
    pages: list[str | bytes] = [*SMALL, *REAL, *SMALL, *reversed(REAL)]
    assert same_as_alone(pages, wanted)


@pytest.mark.parametrize("method", [CleanMethod.JUSTEXT, CleanMethod.EVERYTHING])
def test_other_methods_read_a_stream_too(method: CleanMethod) -> None:
    assert same_as_alone([*SMALL, *REAL], CleanSettings(method=method))


def test_hostile_pages_harm_no_page_beside_them() -> None:
    hostile = [make() for make in list(GENERATORS.values())[3::9]]
    pages: list[str | bytes] = []
    for ordinary, page in zip(REAL * 2, hostile, strict=False):
        pages += ordinary, page
    assert same_as_alone(pages, CleanSettings())


WORDS = st.sampled_from(
    ["the", "and", "sea", "ships", "price", "$5", "©", "Home", "A1", "2026", "漢字", "Über"]
)
TAGS = st.sampled_from(
    ["p", "div", "li", "td", "pre", "nav", "main", "article", "aside", "h1", "a", "button"]
)
NODES = st.recursive(
    st.lists(WORDS, min_size=1, max_size=30).map(" ".join),
    lambda inner: st.tuples(
        TAGS, st.lists(inner, max_size=5), st.sampled_from(("", " class=post", " hidden"))
    ).map(lambda made: f"<{made[0]}{made[2]}>{' '.join(made[1])}</{made[0]}>"),
    max_leaves=25,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(NODES, max_size=20))
def test_what_stands_beside_a_page_changes_nothing(pages: list[str]) -> None:
    assert same_as_alone([*pages], CleanSettings(languages=False, metadata=False))


@pytest.mark.skipif(not DATA.is_dir(), reason="the pages of shared/data/extraction are not here")
def test_pages_of_the_web_are_read_together_as_each_alone() -> None:
    records = list(clean_data.read_pages(DATA))[::25]
    together = read([PageInput(record["html"], record["url"] or "") for record in records], CleanSettings())
    for record, page in zip(records, together, strict=True):
        assert page == clean(record["html"], record["url"] or ""), record["url"]


def test_a_page_that_fails_is_told_in_its_turn_and_loses_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(tree, wanted):  # type: ignore[no-untyped-def]
        if "uncut" in tree.document.text:
            raise RecursionError("deep")
        return cut_page(tree, wanted)

    def judge(pages, wanted, hook):  # type: ignore[no-untyped-def]
        if any("unjudged" in page.tree.document.text for page in pages):
            raise ValueError("odd")
        return _read_pages(pages, wanted, hook)

    monkeypatch.setattr(many, "cut_page", cut)
    monkeypatch.setattr(many, "_read_pages", judge)
    sources = [
        PageInput(f"<p>{text}", origin=i) for i, text in enumerate(["a", "uncut", "b", "unjudged", "c"])
    ]
    found = list(clean_pages(sources))
    assert [outcome.source.origin for outcome in found] == [0, 1, 2, 3, 4]
    assert [type(outcome) for outcome in found] == [
        CleanedPage,
        CleanFailure,
        CleanedPage,
        CleanFailure,
        CleanedPage,
    ]
    assert [str(outcome.error) for outcome in found if isinstance(outcome, CleanFailure)] == ["deep", "odd"]


def test_pages_before_broken_input_are_given_and_the_error_after_them() -> None:
    def broken() -> Iterator[PageInput]:
        yield PageInput("<p>one")
        yield PageInput("<p>two")
        raise OSError("the disk is gone")

    stream = clean_pages(broken())
    assert isinstance(next(stream), CleanedPage)
    assert isinstance(next(stream), CleanedPage)
    with pytest.raises(OSError, match="the disk is gone"):
        next(stream)


def test_no_more_is_read_ahead_than_a_batch_holds() -> None:
    taken = 0

    def endless() -> Iterator[PageInput]:
        nonlocal taken
        while True:
            taken += 1
            yield PageInput("<p>text" * 100 + " " * 300_000)

    stream = clean_pages(endless())
    next(stream)
    assert taken <= 4  # of 300,000 characters each
