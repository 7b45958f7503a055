import json
from collections.abc import Iterator

import pytest

from tests.servers.sites import Reply, SiteServer, page
from threadmill.cli import main
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving


@pytest.fixture(scope="module")
def forum_url() -> Iterator[str]:
    simulation = Simulation({"harbour": open_forum("harbour")}, as_unix_time("2015-12-01"))
    with serving(simulation) as base:
        yield f"{base}/"


def inspect(url: str, *words: str) -> int:
    return main(["forum", "inspect", url, "--delay", "0", *words])


def test_what_was_learnt_is_shown_with_some_posts(forum_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert inspect(forum_url) == 0
    shown = dict(line.strip().split("  ", 1) for line in capsys.readouterr().out.splitlines()[1:10])
    assert shown["threads"].strip() == r"/viewtopic\.php\?f=\d+&t=\d+"
    assert shown["pages of threads"].strip() == "parameter start, from 0 by 15, 15 a page"
    assert shown["boards sorted by"].strip() == "activity"


def test_json_has_the_model_the_fetched_urls_and_posts(
    forum_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert inspect(forum_url, "--json", "--max-pages", "9") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["model"]["entry"] == forum_url
    assert found["fetched"][0] == forum_url
    assert len(found["fetched"]) <= 9
    assert all(post["author"] and post["date"] and post["text"] for post in found["posts"])
    assert 1 <= len(found["posts"]) <= 3


def test_a_site_without_threads_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    with SiteServer({"/": page("/a"), "/a": page("/")}) as site:
        assert inspect(site.url()) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "neither boards nor threads were found" in err


def test_the_reason_why_a_first_page_cannot_be_read_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with SiteServer({"/": Reply(status=403)}) as site:
        assert inspect(site.url()) == 1
    assert f"threadmill: {site.url()}: " in capsys.readouterr().err
