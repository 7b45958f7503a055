import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from threadmill.page.clean import LazyPage, clean
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings
from threadmill.types import Page, ParagraphClass

HTML = """
<html lang=en><head><title>Bread</title><meta name=author content="A. Baker"></head><body>
<nav><a href="/">Home</a> <a href="/all">All recipes</a></nav>
<main><h1>Bread</h1><p>Take a pound of flour and a pint of water, and wait for as long as it takes to rise.
Then bake it in a <a href="oven.html">very hot oven</a> until the crust is brown and sounds hollow.</p>
<img src="loaf.png" alt="A loaf"></main></body></html>
"""


def page(method: CleanMethod = CleanMethod.EVERYTHING) -> LazyPage:
    read = clean(HTML, "https://example.org/recipes/bread.html", CleanSettings(method=method))
    assert isinstance(read, LazyPage)
    return read


def test_it_makes_only_what_it_is_asked_for() -> None:
    read = page()
    assert "very hot oven" in read.text
    assert read.title == "Bread"
    made = {"paragraphs", "good", "metadata"} & set(read.__dict__)
    assert not made
    assert read.metadata.author == "A. Baker"
    assert "paragraphs" not in read.__dict__


def test_its_text_and_its_good_paragraphs_are_those_of_all_paragraphs() -> None:
    read = page(CleanMethod.DEFAULT)
    good = tuple(p for p in read.paragraphs if p.verdict is ParagraphClass.GOOD)
    assert good
    assert read.good == good
    assert read.text == "\n".join(p.text for p in good if p.text)
    assert read.whole().text == read.text


def test_its_links_are_absolute_and_stand_where_they_say() -> None:
    links = [(link, p.text) for p in page().paragraphs for link in p.links if link.kind == "link"]
    assert [link.url for link, _ in links][-1] == "https://example.org/recipes/oven.html"
    assert all(text[link.start : link.end] == link.text for link, text in links)


def test_it_equals_the_plain_page_and_another_reading_of_the_same() -> None:
    assert page() == page()
    assert page() == page().whole()
    assert page().whole() == page()
    assert page() != clean("<p>another")
    assert repr(page()) == repr(page().whole())


def test_it_leaves_its_process_as_a_plain_page() -> None:
    read = page()
    copy = pickle.loads(pickle.dumps(read))  # noqa: S301 -- bytes of our own
    assert type(copy) is Page
    assert copy == read


def test_replacing_a_value_gives_a_plain_page() -> None:
    read = page()
    other = replace(read, language="cs")
    assert type(other) is Page
    assert (other.language, other.paragraphs, other.text) == ("cs", read.paragraphs, read.text)


def test_it_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        page().language = "cs"  # type: ignore[misc]
