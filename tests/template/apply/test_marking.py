import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.template.sites import make_site
from threadmill.template import (
    FramingMethod,
    find_framing,
    learn_template,
    mark_framing,
    remove_framing,
    unmark,
)
from threadmill.template.apply.marking import mark_spans, merge_spans, removable_spans, remove_spans
from threadmill.template.clusters.fragments import fragments_of

TEMPLATE = learn_template([page.html for page in make_site(30)])


def text_of(html: bytes) -> str:
    return " ".join(turbohtml.parse(html.decode()).text.split())


def test_marks_colour_texts_and_nothing_else() -> None:
    html = b"<ul id='a'><li>one<li> two </ul><p>three</p>"
    marked = mark_spans(html, [(0, html.index(b"<p>"))])
    assert marked.count(b"</threadmill-framing-0>") == 2
    assert b">one</threadmill-framing-0><li> <threadmill" in marked
    assert marked.endswith(b"</ul><p>three</p>")


def test_scripts_attributes_and_form_texts_are_not_marked() -> None:
    html = b"<script>a = '<b>x</b>'</script><select><option>one</select>"
    html += b"<textarea>t</textarea><a title='<p>q'>x</a>"
    marked = mark_spans(html, [(0, len(html))])
    assert marked.count(b"</threadmill-framing-0>") == 1
    assert marked.endswith(b">x</threadmill-framing-0></a>")


def test_a_marked_page_can_be_marked_again() -> None:
    html = b"<p>one</p>"
    once = mark_spans(html, [(0, len(html))])
    twice = mark_spans(once, [(0, len(once))])
    assert unmark(twice) == once
    assert unmark(once) == html


spans = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), max_size=5)


@settings(deadline=None)
@given(st.binary(max_size=200), spans)
def test_unmarking_gives_the_page_back_byte_for_byte(html: bytes, places: list[tuple[int, int]]) -> None:
    assert unmark(mark_spans(html, places)) == html


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                b"<p>",
                b"</p>",
                b"<b class='<'>",
                b"</b>",
                b" x ",
                b"<br>",
                b"<!-- -->",
                b"<script>",
                b"</script>",
                b"<threadmill-framing-0>",
            ]
        ),
        max_size=30,
    ).map(b"".join),
    spans,
)
def test_markup_survives_marking(html: bytes, places: list[tuple[int, int]]) -> None:
    marked = mark_spans(html, places)
    assert unmark(marked) == html
    before, after = (turbohtml.parse(page.decode()).text for page in (html, marked))
    assert before == after


def test_merged_spans_are_in_order_and_apart() -> None:
    assert merge_spans([(5, 7), (1, 3), (2, 4), (9, 9)]) == [(1, 4), (5, 7)]


def test_an_element_goes_only_when_all_of_it_goes() -> None:
    html = b"<div><a href='x'>menu</a><p>content</p></div>"
    places = fragments_of(html, 6).places
    flags = [html[start:end] not in {b"<p>", b"content", b"</p>"} for start, end in places]
    assert remove_spans(html, removable_spans(html, places, flags)) == b"<div><p>content</p></div>"


def test_title_and_body_stay_whatever_repeats() -> None:
    html = b"<html><head><title>T</title></head><body><p>x</p></body></html>"
    places = fragments_of(html, 6).places
    kept = remove_spans(html, removable_spans(html, places, [True] * len(places)))
    assert b"<title>T</title>" in kept
    assert b"<body>" in kept


def test_removal_keeps_title_links_and_every_word_of_the_content() -> None:
    for page in make_site(20, first=500):
        for method in FramingMethod:
            rest = remove_framing(TEMPLATE, page.html, method)
            assert all(paragraph in text_of(rest) for paragraph in page.content)
            assert f"<title>{page.title} - Site</title>".encode() in rest


def test_pages_are_marked_byte_for_byte_by_both_methods() -> None:
    for page in make_site(10, first=500):
        for method in FramingMethod:
            marked = mark_framing(TEMPLATE, page.html, method)
            assert unmark(marked) == page.html != marked


def test_places_take_varying_framing_too_and_chains_do_not() -> None:
    page = make_site(1, first=700)[0]
    ours, theirs = (text_of(remove_framing(TEMPLATE, page.html, method)) for method in FramingMethod)
    assert "Next:" not in ours
    assert "Home" not in ours
    assert "Next:" in theirs
    assert find_framing(TEMPLATE, page.html).fit == 1.0
