"""Links and images find their tokens."""

import pytest

from threadmill.corpus.build.documents import IMAGE, Span
from threadmill.corpus.build.linking import link_up, moved, placed
from threadmill.corpus.text.delimited_text import GLUE, SENTENCE
from threadmill.types import Link

URL = "http://a.test/"
TEXT = "See the old pier. It stands."
CUT = f"See the old pier{GLUE}.{SENTENCE}It stands{GLUE}."


def link(word: str, kind: str = "link") -> Link:
    start = TEXT.index(word)
    return Link(URL, word, start, start + len(word), kind)


def spans(*links: Link) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.kind) for span in link_up(CUT, links, len(TEXT))[1]]


@pytest.mark.parametrize(
    ("words", "tokens"),
    [("See", (0, 1)), ("old pier", (2, 4)), ("pier.", (3, 5)), ("pier. It", (3, 6)), ("ier", (3, 4))],
)
def test_a_link_covers_the_tokens_of_its_words(words: str, tokens: tuple[int, int]) -> None:
    assert spans(link(words)) == [(*tokens, "link")]


def test_a_link_over_the_whole_text_covers_all_tokens() -> None:
    assert spans(Link(URL, TEXT, 0, len(TEXT), "link")) == [(0, 8, "link")]


def test_a_link_inside_another_and_one_without_a_target_are_left_out() -> None:
    outer = link("old pier")
    assert spans(outer, link("pier")) == [(2, 4, "link")]
    assert spans(link("See")._replace(url=""), outer) == [(2, 4, "link")]


def test_an_image_is_a_token_of_its_own_and_moves_the_links_behind_it() -> None:
    image = Link("http://a.test/i.png", "", TEXT.index("old"), TEXT.index("old"), "image")
    cut, found = link_up(CUT, [image, link("stands")], len(TEXT))
    assert cut == CUT.replace(" old", f" {IMAGE} old")
    assert found == (
        Span("http://a.test/i.png", 2, 3, "image"),
        Span(URL, 7, 8),
    )


def test_an_image_without_text_is_the_only_token() -> None:
    image = Link(URL, "", 0, 0, "image")
    assert link_up("", [image, image], 0)[0] == f"{IMAGE} {IMAGE}"


def test_offsets_follow_the_cleaned_text() -> None:
    text = "  See\n  the  pier"
    cleaned = "See the pier"
    found = Link(URL, "pier", text.index("pier"), len(text), "link")
    at = moved(found, text)
    assert cleaned[at.start : at.end] == "pier"
    assert placed([found], text, cleaned) == [at]
    same = [Link(URL, "b", 2, 3, "link")]
    assert placed(same, "a\nb", "a b") is same
