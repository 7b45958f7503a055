import pytest
import turbohtml

from threadmill.template.places.text_outline import (
    TextKind,
    hash_wording,
    normalise_text,
    outline_texts,
    text_kind,
    title_parts,
    tokens_of,
)

PAGE = """<html><head><title>Tides - The site</title><link rel="up" title="Contents"></head><body>
<h1>Tides</h1><p>The sea <a href="/x">comes</a> and goes.</p><script>no text</script><p>12:30</p>
<b>Contents</b>
</body></html>"""


def test_elements_and_texts_stand_in_document_order() -> None:
    outline = outline_texts(turbohtml.parse(PAGE))
    assert outline.tags == ["body", "h1", "p", "a", "p", "b"]
    assert outline.parents == [-1, 0, 0, 2, 0, 0]
    assert outline.ends == [6, 2, 4, 4, 5, 6]
    assert outline.owners == [1, 2, 3, 2, 4, 5]
    assert outline.kinds == [
        TextKind.PLAIN, TextKind.PLAIN, TextKind.LINK, TextKind.PLAIN, TextKind.SIGNS, TextKind.LINK,
    ]  # fmt: skip
    assert outline.in_heading == [True, False, False, False, False, False]
    assert outline.titles == [(1, hash_wording("tides"))]


def test_the_own_title_is_one_that_other_pages_do_not_share() -> None:
    outline = outline_texts(turbohtml.parse(PAGE))
    assert outline.own_titles(frozenset()) == [1]
    assert outline.own_titles(frozenset([hash_wording("tides")])) == []


def test_the_own_title_is_no_end_of_a_trail() -> None:
    html = "<title>Tides</title><p><a>Home</a> » Tides</p><div>Tides</div><p>High and low</p>"
    outline = outline_texts(turbohtml.parse(html))
    assert [outline.tags[element] for element in outline.own_titles(frozenset())] == ["div"]


def test_numbers_in_texts_and_names_stand_for_any_number() -> None:
    assert normalise_text("  Page 12 \n of 345 ") == "Page 0 of 0"
    [element] = turbohtml.parse('<p id="post-17" class="b2 a b2">').iter_elements(["p"])
    assert tokens_of(element) == ("#post-0", ".a", ".b0")


@pytest.mark.parametrize(
    ("text", "linked", "heading", "kind"),
    [
        ("0.0", True, False, TextKind.SIGNS),
        ("» Tides", True, False, TextKind.ECHO),
        ("Tides", False, True, TextKind.PLAIN),
        ("Home", True, False, TextKind.LINK),
        ("Home", False, False, TextKind.PLAIN),
    ],
)
def test_a_text_has_a_kind_of_its_own(text: str, linked: bool, heading: bool, kind: TextKind) -> None:
    assert text_kind(text, frozenset(["tides"]), linked=linked, heading=heading) is kind


def test_a_title_falls_into_its_parts() -> None:
    assert title_parts(b"<title>Tides &amp; moons | The Site</title>") == [
        "tides & moons | the site",
        "tides & moons",
        "the site",
    ]
    assert title_parts(b"<p>no title</p>") == []
    assert title_parts(b" " * 20_000 + b"<title>late</title>") == []


def test_wordings_have_different_numbers() -> None:
    numbers = {hash_wording(f"wording {number}") for number in range(1000)}
    assert len(numbers) == 1000
    assert max(numbers) > 1 << 60
