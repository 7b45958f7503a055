from datetime import UTC, datetime
from pathlib import Path

import pytest

from threadmill.archive import ArchiveWriter
from threadmill.cli.pages.site_pages import read_sites
from threadmill.config import ArchiveSettings
from threadmill.errors import NothingFoundError
from threadmill.types import Exchange


def answer(url: str, body: bytes, status: int = 200, kind: str = "text/html") -> Exchange:
    at = datetime(2024, 5, 31, tzinfo=UTC)
    return Exchange(url, at, b"GET / HTTP/1.1\r\n\r\n", status, "OK", (("Content-Type", kind),), body)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    with ArchiveWriter(tmp_path / "archive", ArchiveSettings()) as writer:
        writer.write(answer("https://a.example/1", b"old"))
        writer.write(answer("https://b.example/", b"other"))
        writer.write(answer("https://www.a.example/2", b"two"))
        writer.write(answer("https://a.example/1", b"new"))
        writer.write(answer("https://a.example/gone", b"gone", status=404))
        writer.write(answer("https://a.example/logo", b"png", kind="image/png"))
    [file] = (tmp_path / "archive").glob("*.warc.gz")
    return file


def test_an_archive_gives_the_latest_page_of_each_url_by_site(archive: Path) -> None:
    sites = {site.name: list(site.pages) for site in read_sites(archive)}
    assert sites == {"a.example": [b"new", b"two"], "b.example": [b"other"]}


def test_each_page_of_an_archive_has_a_file_name_of_its_own(archive: Path) -> None:
    names = {site.name: list(site.names) for site in read_sites(archive)}
    assert names["a.example"] == ["000000-a.example_1.html", "000001-www.a.example_2.html"]
    assert names["b.example"] == ["000000-b.example.html"]


def test_one_site_is_chosen_by_name(archive: Path) -> None:
    assert [site.name for site in read_sites(archive, "b.example")] == ["b.example"]
    with pytest.raises(NothingFoundError, match=r"no HTML pages in .* of the site c.example"):
        read_sites(archive, "c.example")


def test_a_directory_is_one_site_with_its_html_files(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.html", "deep/a.HTM", "index.html.de", "notes.txt"):
        (tmp_path / name).write_text(name)
    [site] = read_sites(tmp_path, "harbour")
    assert site.name == "harbour"
    assert list(site.names) == ["b.html", "deep/a.HTM", "index.html.de"]
    assert [bytes(page).decode() for page in site.pages] == list(site.names)


def test_a_directory_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NothingFoundError, match="no HTML pages"):
        read_sites(tmp_path)
