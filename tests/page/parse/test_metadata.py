from datetime import date

import pytest

from threadmill.dates import parse_date
from threadmill.page.parse.metadata import (
    _MONTHS,
    _NEVER,
    _WEEKDAYS,
    english_day,
    read_metadata,
    read_moment,
    read_title,
)
from threadmill.page.parse.tree import parse
from threadmill.types import Metadata, Moment


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


def test_structured_data_with_line_ends_inside_of_a_text_is_read() -> None:
    data = '{"@type":"Article", "articleBody":"a\nb", "author":{"name":"Ada Berg"}}'
    assert read(f'<script type="application/ld+json">/*<![CDATA[*/{data}/*]]>*/</script>').authors == (
        "Ada Berg",
    )


def test_an_author_that_is_only_pointed_at_has_the_name_of_the_thing_it_points_at() -> None:
    data = (
        '{"@graph":[{"@type":"WebPage","author":[{"@id":"#ada"}]},'
        '{"@type":["Person"],"@id":"#ada","name":"Ada Berg"}]}'
    )
    assert read(f'<script type="application/ld+json">{data}</script>').authors == ("Ada Berg",)


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


def test_the_title_is_the_heading_that_the_declared_title_repeats() -> None:
    metadata = read(
        "<title>Late tides | The Harbour Times</title>", "<h1>The Harbour</h1><h1>Late tides</h1>"
    )
    assert (metadata.title, metadata.sources["title"]) == ("Late tides", "h1")


@pytest.mark.parametrize(
    ("headings", "title"),
    [
        ("<h2>Late tides at sea</h2><h1>Late tides: sea</h1>", ("Late tides at sea", "h2")),  # as likely
        ("<h1>Late tides: sea</h1><h2>Late tides at sea</h2>", ("Late tides: sea", "h1")),
        ("<h2>Late tides at sea</h2><h1>Sea at late tides</h1>", ("Sea at late tides", "h1")),
        (
            "<h1>Fish in May</h1>" * 20 + "<h2>Late tides at sea</h2>",
            ("Late tides at sea | Bay", "title element"),
        ),
        ("<h2>Late tides at sea</h2>" + "<h1>Fish in May</h1>" * 20, ("Late tides at sea", "h2")),
    ],
)
def test_of_headings_alike_the_first_is_the_title_and_late_ones_are_not_asked(
    headings: str, title: tuple[str, str]
) -> None:
    metadata = read("<title>Late tides at sea | Bay</title>", headings)
    assert (metadata.title, metadata.sources["title"]) == title


def test_the_name_of_the_site_is_cut_off_a_declared_title() -> None:
    head = (
        "<meta property=og:site_name content='The Times'><meta property=og:title content='Tides - The Times'>"
    )
    assert read(head).title == "Tides"


@pytest.mark.parametrize(
    "value",
    [
        "https://www.facebook.com/ada",
        "@ada",
        "wordpressadmin",
        "ada.berg",
        "example",
        "ada@example.org",
        "No Author",
    ],
)
def test_an_address_an_account_or_the_site_is_no_author(value: str) -> None:
    metadata = read(f"<meta name=author content='{value}'><meta name=byl content='By Ada Berg'>")
    assert metadata.authors == ("Ada Berg",)


def test_the_site_is_the_author_where_there_is_no_other() -> None:
    metadata = read("<meta name=author content=Example>")
    assert metadata.authors == ("Example",)
    assert metadata.sources["author"] == "meta author (the site itself)"


def test_tags_categories_language_image_and_change_are_read() -> None:
    metadata = read(
        "<meta name=keywords content='sea, tide; sea'><meta property=article:section content=Coast>"
        "<meta property=og:image content=/a.png><meta property=article:modified_time content=2024-05-07>"
        "<meta property=og:locale content=en_GB>"
    )
    assert (metadata.tags, metadata.categories) == (("sea", "tide"), ("Coast",))
    assert (metadata.image, metadata.language) == ("https://example.org/a.png", "en_GB")
    assert metadata.modified is not None
    assert metadata.modified.isoformat() == "2024-05-07"


def test_every_value_has_a_place_and_a_probability() -> None:
    metadata = read("<title>T</title><meta name=description content=D>")
    assert metadata.sources.keys() == metadata.confidence.keys() == {"title", "description"}
    assert all(0 < sure <= 1 for sure in metadata.confidence.values())


@pytest.mark.parametrize("day", [date(1991, 1, 2), date(2008, 5, 31), date(2024, 2, 29), date(2039, 9, 9)])
@pytest.mark.parametrize(
    "form",
    ["{month} {day}, {year}", "{weekday}, {month} {day:02d}, {year}", "{day}th {short} {year}",
     "{short} {day}, {year}", "{weekday}, {day} {month}, {year}", "{weekday_short}, {day} {short} {year}"],
)  # fmt: skip
def test_a_day_in_english_is_the_one_that_the_dates_module_reads(day: date, form: str) -> None:
    weekday, month = _WEEKDAYS[day.weekday()], _MONTHS[day.month - 1]
    text = form.format(
        day=day.day, year=day.year, month=month, short=month[:3], weekday=weekday, weekday_short=weekday[:3]
    )
    assert english_day(text) == parse_date(text, _NEVER) == Moment(day)


@pytest.mark.parametrize(
    "text", ["Monday, May 31, 2008", "Mai 3, 2008", "May 32, 2008", "May 3, 1899", "May 3, 2008 at 4", "2008"]
)
def test_other_forms_are_left_to_the_dates_module(text: str) -> None:
    assert english_day(text) is None
