import pytest

from threadmill.page.parse.metadata import read_metadata, read_moment, read_title
from threadmill.page.parse.tree import parse
from threadmill.types import Metadata


def read(head: str, body: str = "") -> Metadata:
    return read_metadata(
        parse(f"<html><head>{head}</head><body>{body}</body></html>", "https://example.org/a/b")
    )


def test_values_come_from_the_most_trustworthy_place() -> None:
    metadata = read(
        "<title>Tides - The Times</title><meta property=og:title content=Tides>"
        "<meta name=author content='A. Berg'>"
        '<script type="application/ld+json">{"@type":"NewsArticle","author":'
        '[{"name":"Ada Berg"},{"name":"B. Ek"}],'
        '"datePublished":"2024-05-06T10:11:00+02:00"}</script>'
    )
    assert (metadata.title, metadata.author) == ("Tides", "Ada Berg, B. Ek")
    assert metadata.date is not None
    assert metadata.date.isoformat() == "2024-05-06T10:11+02:00"
    assert metadata.sources == {"title": "meta og:title", "author": "schema.org", "date": "schema.org"}
    assert metadata.schema == ("NewsArticle",)


def test_links_are_absolute() -> None:
    metadata = read(
        "<link rel=canonical href=/c><link rel=alternate hreflang=cs href=../cs>"
        "<link rel=license href=//cc.org/by>"
    )
    assert metadata.canonical_url == "https://example.org/c"
    assert metadata.alternates == (("cs", "https://example.org/cs"),)
    assert metadata.licence == "//cc.org/by"


@pytest.mark.parametrize(
    ("value", "iso"),
    [
        ("2024-05-06", "2024-05-06"),
        ("2024-05-06T10:11:12Z", "2024-05-06T10:11:12+00:00"),
        ("6 May 2024", "2024-05-06"),
    ],
)
def test_dates_are_read(value: str, iso: str) -> None:
    moment = read_moment(value)
    assert moment is not None
    assert moment.isoformat() == iso


@pytest.mark.parametrize("value", ["", "yesterday", "soon", "[object Object]"])
def test_what_is_no_date_is_none(value: str) -> None:
    assert read_moment(value) is None


def test_broken_structured_data_is_passed_over() -> None:
    assert (
        read('<title>T</title><script type="application/ld+json">{"@type":"Article", broken</script>').title
        == "T"
    )


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>T</title>", "T"),
        ("<title>T</title><meta property=og:title content='  O  p '>", "O p"),
        ("<title>T</title><meta name=description content=D>", "T"),
        (
            '<title>T</title><script type="application/ld+json">{"@type":"Article","headline":"H"}</script>',
            "H",
        ),
        ("<title></title><h1>One</h1>", "One"),
        ("<p>nothing", ""),
    ],
)
def test_a_title_alone_is_that_of_the_metadata(head: str, title: str) -> None:
    tree = parse(head, "https://example.org/")
    assert read_title(tree) == read_metadata(tree).title == title
