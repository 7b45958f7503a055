import pytest

from threadmill import clean
from threadmill.types import Metadata

BODY = "<p>" + "The tide was late at the pier today, and nobody knew why. " * 6


def read(before: str, url: str = "https://example.org/a", head: str = "") -> Metadata:
    html = (
        f"<html><head>{head}</head><body><article><h1>Late tides</h1>{before}{BODY}</article></body></html>"
    )
    return clean(html, url).metadata


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("<div>By Ada Berg</div>", ("Ada Berg",)),
        ("<div>Von Ada Berg und Bo Ek, 3. Mai 2024</div>", ("Ada Berg", "Bo Ek")),
        ("<span class=post-author>Ada Berg</span>", ("Ada Berg",)),
        ("<h4>Autor</h4><p>Ada Berg</p>", ("Ada Berg",)),
        ("<p>by <span class='author vcard'>oz</span> on May 3</p>", ("oz",)),
        ("<p class=author>admin</p>", ()),
        (f"{BODY * 16}<p>von <em>Ada Berg</em></p>", ("Ada Berg",)),
        ("<p>The tide</p>", ()),
        ("<h2>Von Alster bis Elbe</h2>", ()),
        ("<form><label class=author>Name</label></form>", ()),
    ],
)
def test_a_visible_byline_names_the_authors(line: str, names: tuple[str, ...]) -> None:
    assert read(line).authors == names


@pytest.mark.parametrize(
    ("line", "url", "date", "where"),
    [
        ("<time datetime=2024-05-03>last week</time>", "", "2024-05-03", "time element"),
        ("<div class=dateline>3 de mayo de 2024</div>", "", "2024-05-03", "named as date"),
        ("<div>3. května 2024</div>", "", "2024-05-03", "dateline"),
        (f"<p>Bergen, 3 May 2024 – {BODY[3:]}</p>", "", "2024-05-03", "beginning of the text"),
        (
            "<div>May 2024</div><footer><time datetime=2024-05-03>then</time></footer>",
            "",
            "2024-05-03",
            "time element",
        ),
        ("<div>May 2024</div>", "https://example.org/2024/05/03/tides", "2024-05-03", "URL"),
        ("", "https://example.org/2024/05/03/tides", "2024-05-03", "URL"),
        ("", "https://example.org/2024/13/03/tides", None, None),
    ],
)
def test_a_visible_date_is_found(line: str, url: str, date: str | None, where: str | None) -> None:
    metadata = read(line, url or "https://example.org/a")
    assert (metadata.date and metadata.date.isoformat()) == date
    assert metadata.sources.get("date") == where


def test_a_shown_byline_replaces_a_declared_author_that_no_reader_sees() -> None:
    head = "<meta name=author content='Cy Dahl'>"
    assert read("<div>By Ada Berg</div>", head=head).authors == ("Ada Berg",)
    assert read("<div>By Ada Berg</div><p>Photos: Cy Dahl</p>", head=head).authors == ("Cy Dahl",)


def test_a_name_among_neighbours_does_not_replace_the_site_as_author() -> None:
    head = "<meta name=author content=Example>"
    sidebar = "<div class=sidebar><span class=author>Ada Berg</span></div>"
    assert read(sidebar, head=head).authors == ("Example",)
    assert read(sidebar).authors == ("Ada Berg",)


def test_dates_of_comments_come_after_the_date_of_the_page() -> None:
    line = "<div class=comments><time datetime=2020-01-01>then</time></div><div>3 May 2024</div>"
    found = read(line).date
    assert found is not None
    assert found.isoformat() == "2024-05-03"


def test_the_day_is_that_of_the_site_where_the_declared_moment_is_in_utc() -> None:
    head = "<meta property=article:published_time content=2024-05-04T01:30:00+00:00>"
    found = read("<div>3 May 2024</div>", head=head).date
    assert found is not None
    assert found.date.isoformat() == "2024-05-03"


def test_a_shown_date_of_another_week_does_not_replace_the_declared_one() -> None:
    head = "<meta property=article:published_time content=2024-05-04T01:30:00+00:00>"
    found = read("<div>Updated 20 May 2024</div>", head=head).date
    assert found is not None
    assert found.date.isoformat() == "2024-05-04"


def test_the_kind_of_page_is_told() -> None:
    assert read("", "https://example.org/forum/viewtopic.php").kind != ""
