import json
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.crawl.forum.world import FIRST, world
from threadmill.cli import main
from threadmill.cli.crawling.report import draw_chart, write_chart
from threadmill.store.forum.page_visits import PageCounts, RunReport
from threadmill.types import CrawlAccount

SVG = "{http://www.w3.org/2000/svg}"


def test_a_report_tells_of_every_crawl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with world(tmp_path) as here:
        here.crawl(FIRST)
        here.crawl("2016-03-01")
    root = str(here.workspace.root)
    assert main(["report", "--workspace", root, "--json", "--chart", str(tmp_path / "chart.html")]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["pages"] > second["pages"] > 0
    assert first["pages"] == sum(first[kind] for kind in ("new", "semi", "duplicate", "other"))
    assert first["new_posts"] + second["new_posts"] == len(here.posts())
    assert second["precision"] > 0.8
    chart = (tmp_path / "chart.html").read_text()
    assert chart.count("<rect") >= 2
    assert main(["report", "--workspace", root, "--chart", str(tmp_path / "chart.svg")]) == 0
    assert (tmp_path / "chart.svg").read_text().strip() in chart
    capsys.readouterr()
    assert main(["report", "--workspace", root]) == 0
    assert "precision" in capsys.readouterr().out


def test_a_workspace_without_crawls_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from threadmill.workspace import open_workspace

    open_workspace(tmp_path / "w", create=True)
    assert main(["report", "--workspace", str(tmp_path / "w")]) == 1
    assert "No forum" in capsys.readouterr().out


def test_a_chart_is_svg_or_html(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--workspace", str(tmp_path), "--chart", "crawls.png"]) == 2
    assert "a chart is a .svg or .html file, not crawls.png" in capsys.readouterr().err


def parse_svg(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314 -- we wrote it


def run_of(new: int, semi: int, duplicate: int, other: int) -> RunReport:
    pages = PageCounts(1, new, semi, duplicate, other, bytes=1000, useful_bytes=500, posts=1234)
    return RunReport("http://f.example/?a=1&b=<2>", datetime(2024, 5, 31, 10, 15, tzinfo=UTC), None, pages)


def test_bars_are_as_long_as_their_pages_are_many() -> None:
    picture = parse_svg(draw_chart([run_of(6, 2, 0, 2), run_of(5, 0, 0, 0)]))
    bars = [(float(r.attrib["x"]), float(r.attrib["width"])) for r in picture.iter(f"{SVG}rect")][4:]
    assert bars == [(150, 320), (470, 106.7), (576.7, 106.7), (150, 266.7)]


def test_a_bar_has_its_date_its_posts_and_titles() -> None:
    picture = parse_svg(draw_chart([run_of(1, 0, 0, 0)]))
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert texts[-3:] == ["http://f.example/?a=1&b=<2>", "2024-05-31 10:15", "1,234 new posts"]
    titles = [title.text for title in picture.iter(f"{SVG}title")]
    assert titles == ["Pages of each crawl", "1 new: http://f.example/?a=1&b=<2>"]


def test_a_chart_says_what_it_shows_and_how_to_read_it() -> None:
    picture = parse_svg(draw_chart([run_of(61, 0, 0, 0)]))
    texts = [text.text or "" for text in picture.iter(f"{SVG}text")]
    axes, head = texts[:7], texts[7:13]
    assert axes == ["start of the crawl, UTC", "0", "20", "40", "60", "80", "pages fetched"]
    assert head[0] == "Pages of each crawl"
    assert head[1].startswith("Each bar is one crawl.")
    assert [words.partition(":")[0] for words in head[2:]] == ["new", "semi", "duplicate", "other"]


@pytest.mark.parametrize("pages", [0, 1, 4, 5, 99, 100, 101, 999, 123_456])
def test_every_bar_ends_before_its_axis(pages: int) -> None:
    picture = parse_svg(draw_chart([run_of(pages, 0, 0, 0)]))
    widths = [float(r.attrib["width"]) for r in picture.iter(f"{SVG}rect")][4:]
    assert all(320 <= width <= 640 or pages < 4 for width in widths)


def test_a_chart_without_crawls_is_a_legend() -> None:
    picture = parse_svg(draw_chart([]))
    assert len(list(picture.iter(f"{SVG}rect"))) == 4


def test_pages_around_a_chart_need_no_script(tmp_path: Path) -> None:
    write_chart(tmp_path / "c.html", [run_of(1, 0, 0, 0)])
    page = (tmp_path / "c.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert draw_chart([run_of(1, 0, 0, 0)]) in page


def test_a_report_tells_what_is_kept_beside_what_the_forum_claims(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with world(tmp_path) as here:
        assert here.crawl(FIRST, max_pages=20).ended == "page limit"
    root = str(here.workspace.root)
    assert main(["report", "--workspace", root]) == 0
    out = capsys.readouterr().out
    assert "INCOMPLETE: kept " in out
    assert "of about 115 posts (the forum's own counters)" in out
    assert main(["report", "--workspace", root, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["account"]
    assert (told["verdict"], told["claimed"]) == ("incomplete", 115)
    account = here.workspace.account(f"{here.base}/")
    assert account is not None
    assert account == CrawlAccount.from_dict(told)
