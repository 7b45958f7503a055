import json

from threadmill.corpus.build.documents import Document, Passage, Section, Span, canonical
from threadmill.corpus.formats.json_lines import write
from threadmill.types import Token

PASSAGE = Passage(((Token("See", True), Token("here", False), Token(".")),), (Span("http://x.org/", 1, 2),))


def test_a_line_has_text_and_links_by_character() -> None:
    document = canonical(
        Document((("url", "http://x.org/"),), (PASSAGE, Section("post", (("author", "Ann"),), (PASSAGE,))))
    )
    record = json.loads(write(document, tokens=True))
    assert record["text"] == "See here.\nSee here."
    [first, post] = record["blocks"]
    assert [first["text"][link["start"] : link["end"]] for link in first["links"]] == ["here"]
    assert first["sentences"] == [["See", "here", "."]]
    assert post["author"] == "Ann"
