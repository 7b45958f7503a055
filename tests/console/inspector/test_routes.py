import re

import pytest

from tests.console.inspector.hostile_pages import hostile_pages
from tests.servers.console import ConsoleClient
from tests.servers.rabbitmq import free_port
from threadmill.lab.simulate.server import Simulation

CLOSED = "a port where nobody listens"


def test_an_archived_page_is_shown_with_its_class_and_layers(client: ConsoleClient) -> None:
    found = re.findall(r'href="/inspect/(c\d+)"', client.get("/inspect").text)
    assert found
    page = client.get(f"/inspect/{found[0]}").text
    assert "Page class" in page
    assert f'src="/inspect/{found[0]}/frame?layer=posts&amp;layer=rows&amp;layer=pager"' in page
    frame = client.get(f"/inspect/{found[0]}/frame?layer=paragraphs")
    assert "tm-paragraphs" in frame.text
    assert frame.headers["content-security-policy"].startswith("sandbox")
    assert "allow-scripts" not in frame.headers["content-security-policy"]
    assert "allow-same-origin" not in frame.headers["content-security-policy"]


def test_a_page_of_the_web_is_fetched_and_shown(
    client: ConsoleClient, simulation: tuple[Simulation, str]
) -> None:
    answer = client.post("/inspect", {"url": simulation[1]})
    assert answer.status == 303
    page = client.get(answer.headers["location"]).text
    assert "fetched just now" in page
    assert "index" in page


def test_captures_are_found_by_url(client: ConsoleClient, simulation: tuple[Simulation, str]) -> None:
    answer = client.get(f"/inspect/archived?url={simulation[1]}")
    assert answer.status in {200, 303}
    missing = client.get("/inspect/archived?url=http://nowhere.example/")
    assert "no capture of this URL" in missing.text


@pytest.mark.parametrize("url", ["", "javascript:alert(1)", "file:///etc/passwd", "http://[x", CLOSED])
def test_what_cannot_be_fetched_is_said_and_is_no_failure_of_the_console(
    client: ConsoleClient, url: str
) -> None:
    asked = f"http://127.0.0.1:{free_port()}/" if url == CLOSED else url
    answer = client.post("/inspect", {"url": asked})
    assert answer.status == 400
    assert "problem" in answer.text


def test_an_uploaded_page_is_shown_escaped(client: ConsoleClient) -> None:
    answer = client.upload("/inspect", hostile_pages()[0], name='"><script>x</script>.html')
    page = client.get(answer.headers["location"])
    assert page.status == 200
    assert "<script>x" not in page.text
    assert re.findall("<script", page.text) == ["<script"]  # our own


def test_unknown_pages_and_layers_are_answered(client: ConsoleClient) -> None:
    assert client.get("/inspect/zzz").status == 404
    assert client.get("/inspect/c999999999").status == 404
    assert client.get("/inspect/c1/frame?layer=nonsense").status == 200
    assert client.get("/inspect/c1?layer=nonsense").status == 400
    assert client.get("/inspect?before=x").status == 400
