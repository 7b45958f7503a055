from collections import Counter

import numpy as np
import pytest

from tests.quality_pages import quality_pages
from threadmill.page.clean import clean
from threadmill.page.judge.clean_settings import CleanSettings, Favour
from threadmill.page.judge.judgement import CutPage, _without_framing, draw_lines, visible_cut
from threadmill.page.judge.story import find_core
from threadmill.page.parse.tree import parse
from threadmill.types import ParagraphClass

PAGES = quality_pages()


def word_f1(text: str, gold: str) -> float:
    found, wanted = Counter(text.split()), Counter(gold.split())
    common = (found & wanted).total()
    return 2 * common / (found.total() + wanted.total()) if common else 0.0


@pytest.mark.quality
@pytest.mark.parametrize("name", PAGES)
def test_the_text_of_a_page_is_found(name: str) -> None:
    page, gold = PAGES[name]
    assert word_f1(clean(page, "https://example.org/page").text, gold) >= 0.8


@pytest.mark.quality
def test_the_text_of_ten_kinds_of_pages_is_found() -> None:
    scores = [word_f1(clean(page, "https://example.org/page").text, gold) for page, gold in PAGES.values()]
    assert sum(scores) / len(scores) >= 0.93


def test_a_sure_page_gets_a_high_line_and_an_unsure_one_a_low_one() -> None:
    words = np.full(4, 10.0, np.float32)
    chances = np.array([0.99, 0.98, 0.3, 0.01, 0.4, 0.35, 0.3, 0.01], np.float32)
    sure, unsure, empty = draw_lines(np.repeat((0, 1), 4), chances, np.tile(words, 2), 3, 1.0, 0.1, 0.9)
    assert sure > 0.31 > unsure
    assert empty == np.float32(0.9)


def test_a_higher_beta_never_raises_the_line() -> None:
    chances = np.linspace(0.01, 0.99, 40, dtype=np.float32)
    lines = [
        float(draw_lines(np.zeros(40, np.intp), chances, np.ones(40, np.float32), 1, beta, 0.0, 1.0)[0])
        for beta in (0.25, 0.5, 1.0, 2.0, 4.0)
    ]
    assert lines == sorted(lines, reverse=True)


LONG = "The tide was late at the pier today, and nobody in the town knew why it was."


@pytest.mark.parametrize(("times", "kept"), [(1, 1), (2, 1), (4, 1), (5, 5)])
def test_a_long_text_that_a_slider_shows_again_is_kept_once(times: int, kept: int) -> None:
    others = "".join(
        f"<p>Boat {i} left the harbour at dawn, and its crew of {i} came back with the evening tide.</p>"
        for i in range(6)
    )
    page = f"<article><h1>Late tides</h1>{others}{f'<p>{LONG}</p>' * times}</article>"
    assert clean(page, "https://example.org/page").text.count(LONG) == kept


def test_a_short_text_and_a_listing_of_code_may_stand_twice() -> None:
    code = "<pre>for boat in the harbour: print the name of it and its crew</pre>"
    page = f"<article><h1>Tides</h1><p>{LONG}</p>{code}<p>High tide</p><p>{LONG[::-1]}</p>{code}</article>"
    assert clean(page, "https://example.org/page").text.count("for boat") == 2


STORY = "".join(
    f"<p>Boat {i} left the harbour at dawn, and its crew of {i} came back with the evening tide, as they had "
    "done on every day of that long summer.</p>"
    for i in range(8)
)
TEASER = "The mayor of the next town over opened a bridge on Monday, and it was closed again on Tuesday."


def news(before: str = "", after: str = "") -> str:
    return (
        "<html><head><title>Late boats</title><meta property=og:type content=article></head><body>"
        f"{before}<div class=text><h1>Late boats</h1>{STORY}</div>{after}</body></html>"
    )


def test_a_story_after_the_story_is_rejected_except_by_those_who_want_all() -> None:
    page = news(after=f"<div class=more><p>{TEASER}</p></div>")
    found = clean(page, "https://example.org/news/boats")
    assert [p.reason for p in found.paragraphs if p.text == TEASER] == ["outside of the story"]
    assert "Boat 7" in found.text
    recall = CleanSettings(favour=Favour.RECALL)
    assert TEASER in clean(page, "https://example.org/news/boats", recall).text


def test_the_title_and_the_lead_before_the_story_stay() -> None:
    lead = "The boats of the harbour came back late on each evening of the week, and no captain knew why."
    page = news(before=f"<div class=lead><p>{lead}</p></div>")
    assert lead in clean(page, "https://example.org/news/boats").text


def test_a_page_without_much_text_has_no_story() -> None:
    page = f"<body><div><p>{LONG}</p></div><div><p>{TEASER}</p></div></body>"
    assert not any(p.reason == "outside of the story" for p in clean(page, "https://example.org/").paragraphs)


THINGS = (
    f"<div class=text><h1>Late boats</h1>{STORY}</div><div class=more><ul><li>Length: 8 metres</li>"
    "<li><a href=/nets>Nets: 12 pieces</a></li></ul><p>Sold by the harbour</p></div>"
)


def kept_against_site(answers: dict[str, bool | None], chance: float) -> set[str]:
    """What of THINGS stays when all but the story has one chance, and the site knows some texts."""
    tree = parse(THINGS)
    cutting = visible_cut(tree)
    chances = np.array([0.99 if "crew" in b.text else chance for b in cutting.blocks], np.float32)
    found = [(ParagraphClass.GOOD, "content, 0.50")] * len(chances)
    said = [answers.get(block.text, False) for block in cutting.blocks]
    page = CutPage(tree, cutting)
    judged = _without_framing(page, said, chances, found, find_core(cutting, chances))
    kept = zip(cutting.blocks, judged, strict=True)
    return {
        block.text for block, (verdict, _) in kept if verdict is ParagraphClass.GOOD and block.text in answers
    }


def test_an_unlinked_item_that_other_pages_have_too_stays_unless_it_stands_in_the_framing() -> None:
    texts = ("Length: 8 metres", "Nets: 12 pieces", "Sold by the harbour")
    assert kept_against_site(dict.fromkeys(texts), 0.5) == {"Length: 8 metres"}
    assert kept_against_site(dict.fromkeys(texts, True), 0.5) == set()


@pytest.mark.parametrize(("chance", "stays"), [(0.85, True), (0.7, False)])
def test_a_sure_text_inside_of_the_story_stays_in_a_place_of_the_framing(chance: float, stays: bool) -> None:
    assert kept_against_site({"Late boats": True}, chance) == ({"Late boats"} if stays else set())
