"""Links and images find their tokens."""

import pytest

from threadmill.corpus.build.documents import IMAGE, Span
from threadmill.corpus.build.linking import PostLinks, link_up, moved, placed
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


def found_in(html: str, links: list[Link], *lines: str) -> list[list[tuple[str, str]]]:
    places = PostLinks(html, links)
    return [[(link.url, line[link.start : link.end]) for link in places.of_line(line)] for line in lines]


def test_the_html_tells_which_of_two_equal_words_of_a_post_is_the_link() -> None:
    html = '<div>Look here, and<br>  not <b>there</b> but <a href="../x">here</a>.</div>'
    links = [Link("http://f.example/x", "here", 0, 0)]
    lines = ("Look here, and", "not there but here.")
    assert found_in(html, links, *lines) == [[], [("http://f.example/x", "here")]]
    assert PostLinks(html, links).of_line(lines[1])[0].start == len("not there but ")


def test_a_line_of_a_quote_and_the_same_line_of_the_answer_have_links_of_their_own() -> None:
    html = '<div><q>See <a href="/1">it</a></q><br>See <a href="/2">it</a><img src="/i"></div>'
    links = [
        Link("http://f/1", "it", 0, 0),
        Link("http://f/2", "it", 0, 0),
        Link("http://f/i", "", 0, 0, "image"),
    ]
    assert found_in(html, links, "See it", "See it") == [[("http://f/1", "it")], [("http://f/2", "it")]]


def test_a_link_over_two_lines_is_a_link_in_both() -> None:
    html = '<p>A <a href="/1">long<br>name</a> of it</p>'
    links = [Link("http://f/1", "long name", 0, 0)]
    assert found_in(html, links, "A long", "name of it") == [
        [("http://f/1", "long")],
        [("http://f/1", "name")],
    ]


def test_without_html_a_link_is_where_its_text_is_if_that_is_clear() -> None:
    links = [Link("http://f/1", "report", 0, 0), Link("http://f/2", "a", 0, 0)]
    assert found_in("The report as a file", links, "The report as a file") == [[("http://f/1", "report")]]
