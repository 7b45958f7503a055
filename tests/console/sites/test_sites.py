"""Comparisons of sites in the console: a real one of six sites, and a made-up one of sixty."""

import csv
import io
import re
import time
from collections.abc import Iterator
from uuid import UUID
from xml.etree import ElementTree as ET

import pytest

from tests.servers.companies import Companies
from tests.servers.console import ConsoleClient
from threadmill.config import ServiceSettings
from threadmill.console.sites.routes import check_list
from threadmill.errors import UsageError
from threadmill.store import open_store
from threadmill.workspace import Workspace
from tools.console_examples import add_comparison

HOSTILE = "<script>document.title='owned'</script>"


@pytest.fixture(scope="session")
def companies() -> Iterator[Companies]:
    with Companies(6) as running:
        yield running


@pytest.fixture
def task(crawled: Workspace, request: pytest.FixtureRequest) -> UUID:
    """A comparison of sixty made-up sites, one for each test."""
    store = open_store(crawled.store_url)
    found = add_comparison(store, 60, seed=sum(request.node.name.encode()))
    store.close()
    return found


def clusters(client: ConsoleClient, task: UUID, border: float) -> dict[int, set[str]]:
    """The sites of each cluster, by the number in its link."""
    page = client.get(f"/sites/{task}?border={border}").text
    found = {}
    for number in map(int, re.findall(r"/cluster/(\d+)\?", page)):
        members = client.get(f"/sites/{task}/cluster/{number}?border={border}").text
        found[number] = set(re.findall(r'name="chosen" value="\d+"> ([^<]+)<', members))
    return found


def test_a_pasted_list_is_compared_and_every_pair_shows_its_evidence(
    client: ConsoleClient, companies: Companies
) -> None:
    pasted = "\n".join([*companies.urls[:5], f"# a comment {HOSTILE}", companies.urls[5]])
    answer = client.post("/sites", {"list": pasted})
    assert answer.status == 303, answer.text
    path = answer.headers["location"]
    for _ in range(600):
        page = client.get(path).text
        if "in progress" not in page:
            break
        assert "fetched" in page
        time.sleep(0.1)
    assert "1 cluster<" in page
    pair = client.get(re.findall(r'href="([^"]+/pair/0/1[^"]*)"', client.get(f"{path}?view=pairs").text)[0])
    assert "phone" in pair.text
    source = re.findall(rf'href="({path}/page/0/\d+)"', pair.text)[0]
    shown = client.get(source)
    assert shown.status == 303
    assert "collected for a comparison" in client.get(shown.headers["location"]).text


def test_the_border_decides_which_pairs_count(client: ConsoleClient, task: UUID) -> None:
    counts = [len(clusters(client, task, border)) for border in (0.95, 0.5)]
    assert 0 < counts[0] < counts[1]
    part = client.get(f"/sites/{task}?border=0.5&part=1").text
    assert "<html" not in part
    assert "part=1" not in part
    for odd in ("nan", "-1", "2", "x", "", "1e999"):
        assert "The border is <strong>0.50</strong>" in client.get(f"/sites/{task}?border={odd}").text


def test_a_rejected_pair_falls_apart_and_can_be_restored(client: ConsoleClient, task: UUID) -> None:
    before = clusters(client, task, 0.5)
    two = next(number for number, members in before.items() if len(members) == 2)
    page = client.get(f"/sites/{task}/cluster/{two}").text
    one, other = re.findall(
        r'name="one" value="(\d+)"><input type="hidden" name="other" value="(\d+)"', page
    )[0]
    values = {"one": one, "other": other, "back": f"/sites/{task}"}
    client.post("/name", {"name": "Ana"})
    client.get(f"/sites/{task}")
    answer = client.post(f"/sites/{task}/decide", {**values, "decision": "reject"})
    assert answer.headers["location"] == f"/sites/{task}"
    assert two not in clusters(client, task, 0.5)
    assert "Ana" in client.get(f"/sites/{task}?view=decisions").text
    client.post(f"/sites/{task}/decide", {**values, "decision": "forget"})
    assert clusters(client, task, 0.5) == before


def test_clusters_are_split_and_merged(client: ConsoleClient, task: UUID) -> None:
    before = clusters(client, task, 0.5)
    large = max(before, key=lambda number: len(before[number]))
    page = client.get(f"/sites/{task}/cluster/{large}").text
    members = re.findall(r'name="chosen" value="(\d+)"> ([^<]+)<', page)
    leaving = members[-1]
    form = [("member", number) for number, _ in members] + [("chosen", leaving[0])]
    assert client.post_pairs(f"/sites/{task}/split", form).status == 303
    assert not any({leaving[1], members[0][1]} <= found for found in clusters(client, task, 0.5).values())
    small = next(found for found in before.values() if members[0][1] not in found)
    joined = min(small)
    values = {"one": members[0][0], "url": f"https://{joined}/"}
    assert client.post(f"/sites/{task}/merge", values).status == 303
    assert any({members[0][1], joined} <= found for found in clusters(client, task, 0.5).values())
    assert client.post(f"/sites/{task}/merge", {**values, "url": "https://"}).status == 400


def test_downloads_hold_clusters_evidence_and_decisions(client: ConsoleClient, task: UUID) -> None:
    client.get(f"/sites/{task}")
    client.post(f"/sites/{task}/decide", {"one": "0", "other": "1", "decision": "accept"})
    rows = list(csv.DictReader(io.StringIO(client.get(f"/sites/{task}/export/pairs.csv?border=0.5").text)))
    assert rows[0]["cluster"]
    assert float(rows[0]["words"]) > 0
    assert {"phone", "other name"} <= rows[0].keys()
    assert "accepted" in {row["decision"] for row in rows}
    for name in ("graph.gexf", "graph.graphml"):
        answer = client.get(f"/sites/{task}/export/{name}?border=0.5")
        edges = [one for one in ET.fromstring(answer.text).iter() if one.tag.endswith("}edge")]  # noqa: S314
        assert len(edges) == len(rows)
        assert name in answer.headers["content-disposition"]
    assert "one company" in client.get(f"/sites/{task}/export/decisions.csv").text
    assert '"same": true' in client.get(f"/sites/{task}/export/decisions.json").text
    assert client.get(f"/sites/{task}/export/passwd").status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/sites/00000000-0000-0000-0000-000000000000",
        "/sites/{task}/cluster/9999",
        "/sites/{task}/pair/0/0",
        "/sites/{task}/pair/0/99999999999999999999",
        "/sites/{task}/page/-1/0",
        "/sites/{task}/page/0/0",
    ],
)
def test_what_is_not_there_is_404(client: ConsoleClient, task: UUID, path: str) -> None:
    assert client.get(path.format(task=task)).status == 404


@pytest.mark.parametrize(
    "text", ["", "one.test", "a.test\nhttp://a.test/", "a.test\nhttp://[x/", "a.test\n127.0.0.1"]
)
def test_a_list_that_cannot_be_compared_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        check_list(text, ServiceSettings())


def test_a_list_may_not_be_longer_than_the_service_allows() -> None:
    with pytest.raises(UsageError, match="2 to 3"):
        check_list("a.test\nb.test\nc.test\nd.test", ServiceSettings(max_sites=3))
