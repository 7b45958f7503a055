import numpy as np

from threadmill import clean
from threadmill.page.judge.judgement import facts_of, visible_cut
from threadmill.page.judge.story import (
    captions_of_pictures,
    find_core,
    inside_of_story,
    outside_of_story,
    small_parts,
)
from threadmill.page.judge.tree_model import shipped_clean_model
from threadmill.page.parse.tree import parse

SENTENCES = (
    "The tide was late at the old pier today, and the harbour master said that nobody knew the reason.",
    "Fishermen waited on the quay for hours, because their boats lay dry in the mud of the inner harbour.",
    "The moon had been watched all night by two keepers of the lighthouse, who wrote down every change.",
    "A storm far out at sea may have held the water back, but no ship reported wind or waves that morning.",
    "In the afternoon the water came at last, and the boats left the harbour one after the other.",
)
STORY = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
OTHERS = (
    (
        "Bank raises rates again",
        "Interest on loans climbs to seven percent after bankers met on Monday.",
    ),
    (
        "Team wins third cup",
        "Supporters filled the stadium when the captain lifted a trophy on Sunday.",
    ),
    (
        "New opera opens in May",
        "Singers from twelve countries rehearse a piece thought lost for centuries.",
    ),
)
TEASERS = "".join(
    f"<dt><a href=/n{i}>{title}</a></dt><dd>{text * 2}</dd>" for i, (title, text) in enumerate(OTHERS)
)
HEAD = "<html><head><title>Late tides</title><meta property=og:type content=article></head><body><div>"
URL = "https://example.org/news/tides"


def page(after: str) -> str:
    return f"{HEAD}<div><h1>Late tides</h1><div>{STORY}</div>{after}</div></div></body></html>"


def test_teasers_beside_the_story_in_one_frame_are_rejected() -> None:
    found = clean(page(f"<div><h3>More headlines</h3><dl>{TEASERS}</dl></div>"), URL)
    assert all(sentence in found.text for sentence in SENTENCES)
    assert not any(text in found.text for _, text in OTHERS)


def test_a_second_part_with_the_words_of_the_story_stays() -> None:
    more = "The harbour master had seen such a late tide at the pier only once before."
    assert more in clean(page(f"<div class=more><p>{more}</p></div>"), URL).text


def test_a_page_of_equal_parts_has_no_other_stories() -> None:
    parts = "".join(f"<section><h2>{title}</h2><p>{text * 8}</p></section>" for title, text in OTHERS)
    found = clean(f"{HEAD}{parts}</div></body></html>", URL)
    assert all(text in found.text for _, text in OTHERS)


def test_those_who_want_all_get_other_stories() -> None:
    html = page(f"<div><h3>More headlines</h3><dl>{TEASERS}</dl></div>")
    assert all(text in clean(html, URL, favour="recall").text for _, text in OTHERS)


CAPTION = "The harbour master beside the old pier, where the boats of the fishermen lay dry all day."


def test_captions_of_pictures_are_no_part_of_the_story() -> None:
    figure = f"<figure><img src=a.jpg><figcaption>{CAPTION}</figcaption></figure>"
    found = clean(page(f"{figure}<p>{SENTENCES[0][4:]}</p>"), URL)
    assert CAPTION not in found.text


def test_a_caption_beside_much_other_text_is_found_however_likely_it_is() -> None:
    figure = f"<figure><img src=a.jpg><figcaption>{CAPTION}</figcaption></figure>"
    cutting = visible_cut(parse(page(figure)))
    captions = captions_of_pictures(cutting, range(len(cutting.blocks)))
    assert [cutting.blocks[i].text for i in captions] == [CAPTION]


def test_captions_stay_on_a_page_of_pictures() -> None:
    figures = "".join(
        f"<figure><img src={i}.jpg><figcaption>{CAPTION} Picture {i}.</figcaption></figure>" for i in range(8)
    )
    html = f"{HEAD}<article><h1>Late tides in pictures</h1>{figures}</article></div></body></html>"
    assert "Picture 3" in clean(html, URL).text


def test_links_and_doubtful_blocks_at_the_end_of_the_story_are_rejected() -> None:
    tools = "<ul><li><a href=/p>Print this page</a></li><li><a href=/m>Mail it to a friend</a></li></ul>"
    html = page("").replace(f"{STORY}</div>", f"{STORY}{tools}</div>")
    assert tools in html
    text = clean(html, URL).text
    assert "Mail it to a friend" not in text
    assert SENTENCES[-1] in text


TABLE = "<table><tr><td>Pier 4</td><td>9.2 ft</td></tr><tr><td>Pier 5</td><td>8.8 ft</td></tr></table>"


LISTED = "<h3>High water</h3><ul><li>Pier 4 at noon</li><li><a href=/5>Pier 5 at six</a></li></ul>"


def small_texts(html: str, chance: float) -> set[str]:
    """The small parts of a story in whose page only the sentences are sure, and all else has one chance."""
    tree = parse(html)
    cutting = visible_cut(tree)
    sure = [block.text in SENTENCES for block in cutting.blocks]
    chances = np.where(sure, 0.99, chance).astype(np.float32)
    inside = inside_of_story(cutting, chances, find_core(cutting, chances))
    rejected = [i for i in inside if not sure[i]]
    return {cutting.blocks[i].text for i in small_parts(cutting, chances, rejected)}


def in_story(html: str) -> str:
    return page("").replace("</p><p>The moon", f"</p>{html}<p>The moon")


def test_cells_between_the_paragraphs_of_a_story_are_parts_of_it() -> None:
    assert small_texts(in_story(TABLE), 0.05) == {"Pier 4", "9.2 ft", "Pier 5", "8.8 ft"}


def test_items_between_the_paragraphs_are_parts_of_the_story_unless_they_are_links_or_unlikely() -> None:
    assert small_texts(in_story(LISTED), 0.3) == {"Pier 4 at noon"}
    assert small_texts(in_story(LISTED), 0.15) == set()


def test_a_heading_before_a_paragraph_of_the_story_is_part_of_it() -> None:
    assert small_texts(in_story("<h3>High water</h3>"), 0.15) == {"High water"}


def test_cells_after_the_story_are_no_part_of_it() -> None:
    assert small_texts(page(TABLE), 0.5) == set()
    assert small_texts(TABLE, 0.5) == set()


def test_doubtful_links_before_the_first_paragraph_of_the_core_are_other_stories() -> None:
    links = "".join(
        f"<li><a href=/n{i}>{title} and what came of it</a>" for i, (title, _) in enumerate(OTHERS)
    )
    tree = parse(page("").replace(STORY, f"<ul>{links}</ul>{STORY}"), URL)
    cutting = visible_cut(tree)
    chances = np.array([0.99 if block.text in SENTENCES else 0.6 for block in cutting.blocks], np.float32)
    facts = facts_of(tree, cutting, shipped_clean_model())
    kept = range(len(cutting.blocks))
    outside = outside_of_story(cutting, facts, chances, kept, find_core(cutting, chances))
    assert {cutting.blocks[i].text for i in outside} == {
        f"{title} and what came of it" for title, _ in OTHERS
    }
