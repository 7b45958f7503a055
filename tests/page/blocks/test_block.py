from threadmill.page.blocks.block import Anchor, Block
from threadmill.page.parse.link_targets import LinkResolver


def test_a_hidden_block_has_single_spaces() -> None:
    block = Block("p", "body.p", 0, hidden="style")
    block.parts = [" one\n", " two  ", "three "]
    block.finish()
    assert block.text == "one two three"


def test_preformatted_text_loses_empty_lines_around_it_and_its_links_follow() -> None:
    block = Block("pre", "body.pre", 0)
    block.parts = ["\n\n  def ", "f", "():\n", "\n"]
    block.anchors = [Anchor("/f", 8, 9), Anchor("/before", 0, 1), Anchor("/behind", 12, 99)]
    block.finish()
    assert block.text == "  def f():"
    assert [block.text[anchor.start : anchor.end] for anchor in block.anchors] == ["f", "", ""]


def test_links_are_absolute_and_images_keep_their_label() -> None:
    block = Block("p", "body.p", 0)
    block.text = "see the pier"
    block.anchors = [Anchor("../pier", 8, 12), Anchor("i.png", 0, 0, "image", "a pier")]
    link, image = block.links(LinkResolver("http://a.test/b/c"))
    assert tuple(link) == ("http://a.test/pier", "pier", 8, 12, "link")
    assert tuple(image) == ("http://a.test/b/i.png", "a pier", 0, 0, "image")
