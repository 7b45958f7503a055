import pytest

from tests.forum.outlines import URL, at, outline_of
from threadmill.forum.records import page_outline
from threadmill.forum.records.page_outline import PageOutline, element_text
from threadmill.page.parse.tree import parse


def test_elements_are_in_document_order_with_their_ranges() -> None:
    outline = outline_of("<div><p>One <b>two</b></p></div><hr>")
    assert outline.tags == ["html", "body", "div", "p", "b", "hr"]
    assert outline.parent == [-1, 0, 1, 2, 3, 1]
    assert outline.depth == [0, 1, 2, 3, 4, 2]
    assert outline.end == [6, 6, 5, 5, 5, 6]
    assert len(outline) == 6
    assert outline.children == [[1], [2, 5], [3], [4], [], []]
    assert outline.child_position == [0, 0, 0, 0, 0, 1]


def test_texts_are_stripped_and_belong_to_the_element_they_stand_in() -> None:
    outline = outline_of("<p> One <b>two</b>\n</p><p>three</p>")
    assert outline.segments == ["One", "two", "three"]
    assert [outline.tags[owner] for owner in outline.segment_owner] == ["p", "b", "p"]
    assert (outline.text_from[2], outline.text_to[2]) == (0, 2)
    assert outline.text_before == [0, 3, 6, 11]
    assert outline.text_length(2) == 6


def test_an_empty_page_has_neither_elements_nor_texts() -> None:
    outline = PageOutline(parse("", URL))
    assert outline.segments == []
    assert outline.text_before == [0]
    assert outline.script_density == 1.0
    assert outline.title == ""


@pytest.mark.parametrize("tag", ["script", "style", "select", "textarea", "svg", "iframe"])
def test_text_that_no_reader_sees_is_left_out(tag: str) -> None:
    outline = outline_of(f"<p>seen</p><{tag}>hidden</{tag}><p>too</p>")
    assert outline.segments == ["seen", "too"]
    assert tag not in outline.tags


def test_a_page_that_is_too_large_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_outline, "MAX_ELEMENTS", 4)
    outline = outline_of("<p>one</p><p>two</p><p>three</p>")
    assert outline.tags == ["html", "body", "p", "p"]
    assert outline.segments == ["one", "two"]


@pytest.mark.parametrize(
    ("markup", "symbol"),
    [
        ('<div class="post"></div>', "div.post"),
        ('<div class="odd Last post t3"></div>', "div.post"),
        ('<div class="post-17-4"></div>', "div.post-#-#"),
        ('<div class="even"></div>', "div"),
        ('<div id="post_message_12"></div>', "div.post_message_#"),
        ('<div id="p12"></div>', "div"),
        ('<div id="post12x"></div>', "div"),
        (f'<div class="{"x" * 50}"></div>', f"div.{'x' * 40}"),
    ],
)
def test_a_symbol_is_the_tag_with_what_its_author_calls_it(markup: str, symbol: str) -> None:
    assert outline_of(markup).symbols[2] == symbol


def test_cells_of_a_table_row_are_counted() -> None:
    outline = outline_of('<table><tr><th>a<td>b<td class="c">c<tr><td>d</table>')
    cells = [symbol for symbol in outline.symbols if symbol.startswith("t") and ":" in symbol]
    assert cells == ["th:1", "td:2", "td.c:3", "td:1"]


def test_an_element_without_a_class_goes_by_its_numbered_id() -> None:
    outline = outline_of('<div id="p12"><p id="top">x</p></div><div id="p13" class="post"></div>')
    assert outline.names[2:] == ["div@p#", "p", "div.post"]
    assert outline.names[1] == "body"


def test_a_chain_has_the_names_from_outside_in() -> None:
    outline = outline_of('<div class="a"><p><b k="b">x</b></p></div>')
    assert outline.chain(at(outline, "b"), 3) == "div.a/p/b"
    assert outline.chain(0, 3) == "//html"


def test_links_hold_what_stands_in_them() -> None:
    outline = outline_of('<p k="p">free <a href="/x" k="a"><b k="b">linked</b></a></p>')
    inside = {key: outline.in_link[at(outline, key)] for key in "pab"}
    assert inside == {"p": False, "a": True, "b": True}
    assert outline.hrefs[at(outline, "a")] == "/x"
    assert outline.hrefs[at(outline, "b")] is None
    assert outline.unlinked_before == [0, 4, 4]
    assert outline.unlinked_length(at(outline, "p")) == 4
    assert outline.text_length(at(outline, "p")) == 10


def test_a_chinese_page_says_three_times_as_much_with_a_character() -> None:
    assert outline_of("<p>水泵坏了</p>").script_density == 3.0
    assert outline_of("<p>水泵ab</p>").script_density == 2.0
    assert outline_of("<p>pump</p>").script_density == 1.0


def test_links_are_relative_to_the_base_element() -> None:
    page = '<html><head><base href="https://other.example/x/"></head><body></body></html>'
    assert PageOutline(parse(page, URL)).base == "https://other.example/x/"
    assert outline_of("").base == URL


def test_the_title_is_stripped() -> None:
    assert outline_of("", title=" Pump trouble ").title == "Pump trouble"


def test_equal_paths_have_equal_numbers() -> None:
    outline = outline_of('<div><p k="a"></p><p k="b"></p></div><p k="c"></p>')
    a, b, c = (outline.paths[at(outline, key)] for key in "abc")
    assert a == b != c


def test_text_has_single_spaces_and_a_limit() -> None:
    outline = outline_of("<p>one\n  two<b>three</b></p>")
    assert outline.text(2) == "one two three"
    assert outline.text(2, 5) == "one "


def test_the_kind_of_an_element_names_its_parent_and_grandparent() -> None:
    outline = outline_of('<div class="a"><p class="b"><i class="c" k="i">x</i></p></div>')
    assert outline.kind(at(outline, "i")) == "div.a/p.b/i.c"
    assert outline.loose_kinds[at(outline, "i")] == "div.a//p/i"
    assert (outline.kind(0), outline.loose_kinds[0]) == ("//html", "///html")
    assert (outline.kind(1), outline.loose_kinds[1]) == ("/html/body", "//html/body")


def test_an_element_is_under_itself_and_its_ancestors_only() -> None:
    outline = outline_of('<div k="d"><p k="p">x</p></div><p k="q">y</p>')
    d, p, q = (at(outline, key) for key in "dpq")
    assert outline.is_under(d, d)
    assert outline.is_under(p, d)
    assert not outline.is_under(d, p)
    assert not outline.is_under(q, d)


def test_the_common_ancestor_is_the_lowest_element_with_both() -> None:
    outline = outline_of('<div k="d"><p k="p"><b k="b"></b></p><i k="i"></i></div><p k="q"></p>')
    assert outline.common_ancestor(at(outline, "b"), at(outline, "i")) == at(outline, "d")
    assert outline.common_ancestor(at(outline, "i"), at(outline, "b")) == at(outline, "d")
    assert outline.common_ancestor(at(outline, "b"), at(outline, "p")) == at(outline, "p")
    assert outline.common_ancestor(at(outline, "b"), at(outline, "q")) == 1


def test_the_child_towards_an_element_holds_it() -> None:
    outline = outline_of('<div k="d"><p k="p"><b k="b"></b></p></div>')
    assert outline.child_towards(at(outline, "d"), at(outline, "b")) == at(outline, "p")
    assert outline.child_towards(at(outline, "p"), at(outline, "b")) == at(outline, "b")
    assert outline.child_towards(at(outline, "d"), at(outline, "d")) == at(outline, "d")


def test_the_text_of_an_element_has_the_lines_a_reader_sees() -> None:
    outline = outline_of('<div k="d">one\ntwo <b>three</b><p>four</p>five<br>six<script>x</script></div>')
    assert element_text(outline, at(outline, "d")) == "one two three\nfour\nfive\nsix"


def test_elements_can_be_left_out_of_a_text() -> None:
    outline = outline_of(
        '<div k="d"><p k="p">one <b>two</b></p><i k="i">three</i> four<u k="u">five</u></div>'
    )
    without = frozenset((at(outline, "p"), at(outline, "u")))
    assert element_text(outline, at(outline, "d"), without) == "three four"
    assert element_text(outline, at(outline, "d"), frozenset((at(outline, "i"),))) == "one two\nfourfive"


TOKEN = "0123456789abcdef" * 2


def links_of(*hrefs: str) -> list[str]:
    outline = outline_of("".join(f"<a href='{href}'>x</a>" for href in hrefs))
    return [href for href in outline.hrefs if href]


def test_a_token_that_all_links_share_is_a_session_whatever_its_name() -> None:
    found = links_of(f"/?zz={TOKEN}", f"/b?zz={TOKEN}&id=1", f"t?id=17&zz={TOKEN}#p5", f"/faq?zz={TOKEN}")
    assert found == ["/", "/b?id=1", "t?id=17#p5", "/faq"]


def test_a_hash_that_names_a_thread_stays_in_its_links_even_where_its_pager_is_long() -> None:
    pager = [f"/thread?id={TOKEN}&page={number}" for number in range(2, 40)]
    hrefs = ["/", "/login", f"/board?id={TOKEN[::-1]}", *pager]
    assert links_of(*hrefs) == hrefs


def test_links_to_other_hosts_say_nothing_about_a_session() -> None:
    hrefs = ["/", "/login", "/faq", *(f"http://other.example/{n}?k={TOKEN}" for n in "abcdef")]
    assert links_of(*hrefs) == hrefs


def test_a_symbol_is_no_colour_that_changes_from_row_to_row() -> None:
    assert outline_of("<p class='light-bg-color topic-row'>").symbols[2] == "p.topic-row"
    assert outline_of("<p class='post bg2'>").symbols[2] == "p.post"
    assert outline_of("<p class='medium-bg-color'>").symbols[2] == "p.medium-bg-color"


def test_characters_of_a_font_of_pictures_are_no_text() -> None:
    outline = outline_of("<a title='Next'><font face='Webdings'>8</font></a> <font face='Arial'>9</font>")
    assert outline.segments == ["9"]


def test_a_class_that_a_generator_named_by_a_number_is_no_other_class() -> None:
    outline = outline_of(
        '<div class="css-9aaab8"><div class="css-683298">Words</div><div class="css-910948">Reply</div></div>'
    )
    assert outline.symbols[2:] == ["div.css-#aaab#", "div.css-683298", "div.css-910948"]


def test_a_class_with_the_number_of_a_post_is_the_class_of_all_posts() -> None:
    outline = outline_of(
        '<div class="post-683298"></div><div class="post-683299"></div><p class="css-9aaab8">'
    )
    assert outline.symbols[2:] == ["div.post-#", "div.post-#", "p.css-#aaab#"]


@pytest.mark.parametrize(
    "name",
    ["p47d2be75", "pe60a3826", "p22792b88", "p01234567", "pebfafeba", "47d2be75", "ebfafeba", "post47d2be75"],
)
def test_hashes_as_ids_make_no_kinds_of_their_own(name: str) -> None:
    """By chance one hash has no digit, another no letter, and a third changes between them only once."""
    word = name.rstrip("0123456789abcdef")
    others = "".join(f'<li id="{word}{code}">Words</li>' for code in ("8441b1d7", "c0b0a539", "5ee81eea"))
    outline = PageOutline(parse(f'<ol><li id="{name}">Words</li>{others}</ol>'))
    assert {found for found in outline.names if found.startswith("li")} == {"li@#"}


@pytest.mark.parametrize("name", ["facade", "pagerlink", "footer2", "post_message_12"])
def test_words_as_ids_are_no_hashes(name: str) -> None:
    outline = PageOutline(parse(f'<ol><li id="{name}">Words</li></ol>'))
    assert "li@#" not in outline.names
