from datetime import UTC, datetime

from threadmill.console.inspector.page_layers import FEATURE_WORDS, LayerName, PageLayers, read_layers
from threadmill.forum.page_class.classify import page_features
from threadmill.forum.read_page import PageAnalysis
from threadmill.page.parse.tree import parse
from threadmill.template import learn_template

NOW = datetime(2024, 6, 1, tzinfo=UTC)
WORDS = "thinks that the ferry was late again, as it is on most days, and that nobody tells why."
THREAD = (
    "<title>The ferry</title><a href=/t/1?page=1>1</a> <a href=/t/1?page=2>2</a> <a href=/t/1?page=2>Next</a>"
    + "".join(
        f"<div class=post><a class=user href=/user/{name}>{name}</a> <span>2024-05-{day} 10:15</span>"
        f"<div class=body>{name} {WORDS}</div></div>"
        for name, day in [("anna", 28), ("boris", 29), ("carla", 30)]
    )
)
INDEX = "<title>Boats</title><table>" + "".join(
    f"<tr><td><a href=/t/{n}>Question number {n} about the boat</a></td><td>{n + 3}</td><td>{90 + n}</td>"
    f"<td>2024-05-{28 - n} 10:1{n}</td></tr>"
    for n in range(1, 9)
)


def layers(html: str, url: str = "https://forum.example.org/t/1") -> PageLayers:
    return read_layers(parse(html, url), NOW)


def parts(found: PageLayers, layer: LayerName) -> list[tuple[str, str]]:
    return [
        (mark.part, mark.label) for marks in found.marks.values() for mark in marks if mark.layer is layer
    ]


def test_a_thread_has_posts_with_author_date_and_body() -> None:
    found = layers(THREAD)
    assert found.kind.kind == "thread"
    marked = parts(found, LayerName.POSTS)
    assert [label for part, label in marked if part == "post"] == ["post 1", "post 2", "post 3"]
    assert ("author", "author: boris") in marked
    assert ("date", "date: 2024-05-29T10:15") in marked
    assert sum(part == "body" for part, _ in marked) == 3


def test_an_index_has_rows_and_no_posts() -> None:
    found = layers(INDEX, "https://forum.example.org/forum/boats")
    assert found.kind.kind == "index"
    assert len(found.rows) == 8
    assert not found.posts
    assert any("Question number 1" in label for _, label in parts(found, LayerName.ROWS))


def test_the_pager_and_its_next_link_are_marked() -> None:
    found = layers(THREAD, "https://forum.example.org/t/1?page=1")
    assert ("next", "next page") in parts(found, LayerName.PAGER)


def test_dates_tell_their_reading_and_paragraphs_their_reason() -> None:
    found = layers(THREAD)
    assert "2024-05-28T10:15" in {date.moment for date in found.dates}
    assert {label.partition(":")[0] for _, label in parts(found, LayerName.PARAGRAPHS)} <= {
        "good",
        "bad",
        "short",
        "near-good",
    }
    assert all(": " in label for _, label in parts(found, LayerName.PARAGRAPHS))


def test_framing_shows_where_a_template_is_known() -> None:
    menu = "<ul><li><a href=/>Start page</a><li><a href=/map>Map of the harbour</a></ul>"
    words = [
        "anchor",
        "buoy",
        "current",
        "deck",
        "eddy",
        "ferry",
        "gale",
        "hull",
        "inlet",
        "jetty",
        "keel",
        "lagoon",
    ]
    pages = [f"{menu}<h1>{word}</h1><p>Notes on {word}: nothing else here.</p>" for word in words]
    template = learn_template([page.encode() for page in pages])
    found = read_layers(parse(pages[0], "https://example.org/"), NOW, template=template)
    assert found.framing
    assert parts(found, LayerName.FRAMING)
    assert layers(pages[0]).framing is None


def test_the_evidence_is_sorted_and_every_feature_has_words() -> None:
    found = layers(THREAD)
    weights = [abs(weight) for _, weight in found.evidence]
    assert weights == sorted(weights, reverse=True)
    features = page_features(PageAnalysis(parse(THREAD, ""), NOW))
    assert {name for name, _ in found.evidence} <= set(FEATURE_WORDS)
    assert set(FEATURE_WORDS) <= set(features)


def test_an_empty_page_has_no_layers() -> None:
    found = layers("")
    assert found.kind.kind == "other"
    assert not found.posts
    assert not found.rows
