from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import JUSTEXT, cut
from threadmill.page.parse.hidden import hidden_elements
from threadmill.page.parse.link_targets import LinkResolver
from threadmill.page.parse.tree import parse


def blocks(html: str) -> list[Block]:
    document = parse(html).document
    return cut(document, hidden=hidden_elements(document)).blocks


def texts(html: str) -> list[str]:
    return [block.text for block in blocks(html)]


def test_white_space_is_as_a_reader_sees_it() -> None:
    assert texts("<p>  one \n\t two<b> three</b> <i>four</i>five</p>") == ["one two three fourfive"]


def test_blocks_end_at_block_level_tags() -> None:
    html = "loose<h2>Head</h2><ul><li>one<li>two<ul><li>three</ul>tail</ul><table><tr><td>a<td>b</table>"
    assert [(block.tag, block.text) for block in blocks(html)] == [
        ("body", "loose"),
        ("h2", "Head"),
        ("li", "one"),
        ("li", "two"),
        ("li", "three"),
        ("li", "tail"),
        ("td", "a"),
        ("td", "b"),
    ]


def test_one_break_is_a_line_two_are_a_block() -> None:
    assert texts("<p>a<br>b<br><br>c<br> <br>d") == ["a\nb", "c", "d"]


def test_preformatted_text_keeps_its_white_space() -> None:
    assert texts("<pre>\n  def f():\n\n      <b>pass</b>\n</pre>") == ["  def f():\n\n      pass"]


def test_links_and_images_keep_their_place() -> None:
    [block] = blocks('<p>See  <a href="/x">the <b>big</b>  one</a>, or <img src="y.png" alt="a  why"> here.')
    links = block.links(LinkResolver("https://example.org/d/p.html"))
    assert block.text == "See the big one, or here."
    assert [(link.url, link.text, link.kind) for link in links] == [
        ("https://example.org/x", "the big one", "link"),
        ("https://example.org/d/y.png", "a why", "image"),
    ]
    assert block.text[links[0].start : links[0].end] == "the big one"
    assert block.text[links[1].start :] == "here."


def test_a_link_around_blocks_is_a_link_in_each() -> None:
    first, second = blocks('<a href="/x"><div>one</div><div>two</div></a>')
    assert [block.links(LinkResolver(""))[0].text for block in (first, second)] == ["one", "two"]


def test_an_image_alone_is_a_block_without_text() -> None:
    [block] = blocks('<figure><img src="/a.png" alt="A"></figure>')
    assert (block.text, block.anchors[0].target) == ("", "/a.png")


def test_hidden_text_neither_joins_nor_splits_the_visible() -> None:
    found = blocks("<p>seen <span style='display: none'>not</span>all</p><div hidden><p>no<p>never</div>")
    assert [(block.text, block.hidden) for block in found] == [
        ("seen all", ""),
        ("not", "hidden by its style attribute"),
        ("no", "hidden by its attribute"),
        ("never", "hidden by its attribute"),
    ]


def test_a_shadow_tree_in_the_markup_is_read() -> None:
    html = "<x-card><template shadowrootmode=open><p>inside</p></template><p>own</p></x-card>"
    assert texts(html) == ["inside", "own"]


def test_justext_joins_words_that_only_white_space_parts() -> None:
    document = parse("<div><b>one</b> <i>two</i></div>").document
    assert [block.text for block in cut(document, JUSTEXT).blocks] == ["onetwo"]
