from pathlib import Path

from fastapi import FastAPI

from tests.servers.console import ConsoleClient
from tests.servers.service import Program
from threadmill.console.app import mount_console
from threadmill.store import open_store
from threadmill.workspace import Workspace


def test_threadmill_serve_shows_the_same_pages_below_console(tmp_path: Path) -> None:
    words = ["serve", "--workspace", str(tmp_path / "work"), "--port", "0", "--processes", "0"]
    program = Program(words, {}, tmp_path / "log")
    try:
        line = program.ready()
        assert "console: /console/" in line
        client = ConsoleClient(line.split()[2].rstrip("/"))
        assert client.get("/").headers["location"] == "/console/"
        page = client.get("/console/")
        assert page.status == 200
        assert 'href="/console/inspect"' in page.text
        assert client.get("/console/inspect").status == 200
        assert client.post("/console/name", {"name": "Ana"}).headers["location"] == "/console/"
        assert client.get("/console/nowhere").status == 404
        assert client.get("/openapi.json").status == 200
    finally:
        program.end()


def test_for_a_team_the_console_asks_for_its_token(crawled: Workspace) -> None:
    store = open_store(crawled.store_url)
    everywhere = "0.0.0.0"  # noqa: S104 -- nothing listens there
    assert mount_console(FastAPI(), crawled, store, everywhere)
    assert not mount_console(FastAPI(), crawled, store, "127.0.0.1")
    store.close()
