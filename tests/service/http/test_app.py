"""The calls of the specification to the letter, on a running service with everything in one place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, get_args
from uuid import UUID, uuid4

import pytest

from tests.servers.api import API
from tests.servers.companies import Companies
from tests.servers.service import TOKEN, Service
from threadmill.service.http.routes import OutcomeName
from threadmill.sites.model import ReadOutcome
from threadmill.store import open_store

AUTHORISED = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def companies() -> Iterator[Companies]:
    with Companies(5) as running:
        yield running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    limits = {"THREADMILL_SERVICE_MAX_SITES": "50", "THREADMILL_SERVICE_MAX_BODY_BYTES": "20000"}
    with Service(tmp_path_factory.mktemp("service"), limits) as running:
        yield running


@pytest.fixture(scope="module")
def done(service: Service, companies: Companies) -> dict[str, Any]:
    """A task that is done, with its answer at border 0.01."""
    task = service.post([*companies.urls, "http://127.0.0.1:1/"])
    return service.wait(task)


def test_a_new_task_is_answered_with_its_id_and_nothing_else(service: Service) -> None:
    body = {"sites": ["http://127.0.0.1:1/", "127.0.0.1:2"], "use_archive_data": True}
    status, value = service.ask("POST", "/task", body)
    assert (status, list(value)) == (200, ["id"])
    assert UUID(value["id"])


def test_results_are_the_pairs_from_the_border_on_best_first(service: Service, done: dict[str, Any]) -> None:
    assert list(done) == ["task_id", "created_at", "status", "done_at", "results"]
    assert done["status"] == "done"
    assert datetime.fromisoformat(done["created_at"]) < datetime.fromisoformat(done["done_at"])
    assert all(list(pair) == ["url1", "url2", "similarity"] for pair in done["results"])
    alike = [pair["similarity"] for pair in done["results"]]
    assert alike == sorted(alike, reverse=True)
    for border in (0.0, 0.5, alike[0], 1.0):
        status, value = service.ask("GET", f"/task/{done['task_id']}?similarity_border={border}")
        assert status == 200
        assert value["results"] == [pair for pair in done["results"] if pair["similarity"] >= border]


def test_a_task_in_progress_has_no_results_and_can_be_cancelled(service: Service) -> None:
    with Companies(2, latency=60) as slow:
        task = service.post(slow.urls)
        status, value = service.ask("GET", f"/task/{task}?similarity_border=0.5")
        assert (status, value["status"], value["done_at"]) == (200, "in_progress", None)
        assert "results" not in value
        status, value = service.ask("POST", f"/task/{task}/cancel")
        assert (status, value["status"]) == (200, "cancelled")
    assert service.ask("GET", f"/task/{task}")[1]["status"] == "cancelled"


def test_a_task_nobody_knows_is_not_found(service: Service) -> None:
    for path in ("", "/progress", "/sites", "/clusters"):
        assert service.ask("GET", f"/task/{uuid4()}{path}") == (404, {"detail": "Task not found"})
    assert service.ask("POST", f"/task/{uuid4()}/cancel") == (404, {"detail": "Task not found"})


@pytest.mark.parametrize(
    ("body", "where", "told"),
    [
        ({}, ["body", "sites"], "Field required"),
        ({"sites": []}, ["body", "sites"], "at least 1 item"),
        ({"sites": "http://a.example/"}, ["body", "sites"], "valid list"),
        ({"sites": ["http://a.example/", "da wei"]}, ["body", "sites", 1], "da wei"),
        ({"sites": ["http://a.example/"]}, ["body", "sites"], "at least two different sites"),
        ({"sites": ["http://a.example/", "a.example"]}, ["body", "sites"], "but got 1"),
        ({"sites": ["a.example", "b.example"], "archive": True}, ["body", "archive"], "Extra inputs"),
        ({"sites": ["http://a.example/"], "use_archive_data": "x"}, ["body", "use_archive_data"], "boolean"),
        ({"sites": [f"http://a{n}.example/" for n in range(51)]}, ["body", "sites"], "at most 50 sites"),
        (b'{"sites": [', ["body", 11], "JSON decode error"),
        ({"sites": ["http://\ud800.example/"]}, ["body", "sites", 0], ""),
    ],
)
def test_a_bad_request_is_told_what_is_wrong_and_where(
    service: Service, body: Any, where: list[Any], told: str
) -> None:
    status, value = service.ask("POST", "/task", body)
    assert status == 422
    assert value["detail"][0]["loc"] == where
    assert told in value["detail"][0]["msg"]


@pytest.mark.parametrize("border", ["-0.1", "1.1", "nan", "inf", "much"])
def test_a_border_is_a_number_from_0_to_1(service: Service, done: dict[str, Any], border: str) -> None:
    status, value = service.ask("GET", f"/task/{done['task_id']}?similarity_border={border}")
    assert (status, value["detail"][0]["loc"]) == (422, ["query", "similarity_border"])


def test_a_request_that_is_too_large_is_refused_unread(service: Service) -> None:
    status, value = service.ask("POST", "/task", b" " * 20_001)
    assert status == 413
    assert "20000 bytes" in value["detail"]


def test_results_come_page_by_page_when_asked_for(service: Service, done: dict[str, Any]) -> None:
    path = f"/task/{done['task_id']}?similarity_border=0.01&limit=2"
    pages: list[Any] = []
    while path:
        _, headers, text = service.fetch("GET", path)
        pages += json.loads(text)["results"]
        assert headers["x-total-count"] == str(len(done["results"]))
        onward = re.match(r'<(.+)>; rel="next"', headers.get("link", ""))
        path = onward[1] if onward else ""
    assert pages == done["results"]


def test_the_evidence_is_told_when_asked_for(service: Service, done: dict[str, Any]) -> None:
    value = service.ask("GET", f"/task/{done['task_id']}?evidence=true")[1]
    assert value["results"]
    assert all(pair["why"].endswith(".") and pair["evidence"] for pair in value["results"])
    first = value["results"][0]
    assert {place["page"].split("/")[2] for place in first["found"]} == {
        first[name].split("/")[2] for name in ("url1", "url2")
    }
    assert all(place["written"] for place in first["found"])


def test_an_outcome_that_does_not_exist_is_refused(service: Service, done: dict[str, Any]) -> None:
    status, value = service.ask("GET", f"/task/{done['task_id']}/sites?outcome=xx")
    assert (status, value["detail"][0]["loc"]) == (422, ["query", "outcome"])
    assert set(get_args(OutcomeName)) == {"", "failed", *(outcome.value for outcome in ReadOutcome)}


def test_a_body_that_is_no_text_is_answered_with_400_as_documented(service: Service) -> None:
    status, value = service.ask("POST", "/task", b'{"sites": ["http://\xff.example/"]}')
    assert (status, value) == (400, {"detail": "The body cannot be read. Send JSON in UTF-8."})
    documented = service.ask("GET", "/openapi.json")[1]["paths"]["/task"]["post"]["responses"]
    assert "400" in documented


def test_health_and_metrics_tell_operators_what_goes_on(service: Service, done: dict[str, Any]) -> None:
    assert done["status"] == "done"
    status, value = service.ask("GET", "/health")
    assert (status, value["status"]) == (200, "ok")
    _, headers, text = service.fetch("GET", "/metrics")
    assert headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = dict(line.rsplit(" ", 1) for line in text.decode().splitlines() if not line.startswith("#"))
    assert int(lines['threadmill_tasks{status="done"}']) >= 1
    assert int(lines['threadmill_sites{outcome="ok"}']) >= 5
    assert 'threadmill_sites{outcome="unread"}' in lines


def test_progress_sites_and_clusters_tell_of_every_stage_and_site(
    service: Service, companies: Companies, done: dict[str, Any]
) -> None:
    task = done["task_id"]
    progress = service.ask("GET", f"/task/{task}/progress")[1]
    assert progress["outcomes"] == {"dead": 1, "ok": 5}
    assert [progress[name] for name in ("sites", "downloaded", "preprocessed", "extracted")] == [6] * 4
    sites = service.ask("GET", f"/task/{task}/sites?outcome=dead")[1]["sites"]
    assert [(site["url"], site["reason"]) for site in sites] == [("http://127.0.0.1:1/", "refused")]
    clusters = service.ask("GET", f"/task/{task}/clusters?similarity_border=0.9")[1]["clusters"]
    assert [sorted(cluster) for cluster in clusters] == [sorted(companies.urls[:2])]


@pytest.mark.parametrize("path", ["/private/task/{}", "/private/site/{}"])
def test_private_calls_need_the_token(service: Service, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}):
        status, value = service.ask("GET", path.format(uuid4()), headers=headers)
        assert (status, list(value)) == (401, ["detail"])
    assert service.ask("GET", path.format(uuid4()), headers=AUTHORISED)[0] == 404


def test_private_calls_read_and_write_sites_and_results(store_url: str) -> None:
    store = open_store(store_url)
    with API(store) as api:  # with nobody behind it who would work on the task meanwhile
        _use_the_private_calls(api)
    store.close()


def _use_the_private_calls(service: API) -> None:
    task = service.post(["http://one.example/", "http://two.example/"])

    def ask(method: str, path: str, body: Any = None) -> tuple[int, Any]:
        return service.ask(method, f"/private{path}", body, AUTHORISED)

    status, value = ask("GET", f"/task/{task}")
    assert (status, list(value)) == (200, ["id", "created_at", "done_at", "sites"])
    one, other = value["sites"]
    assert list(one) == [
        *("id", "task_id", "root_url", "files_path"),
        *("downloaded_at", "preprocessed_at", "extracted_at", "vectorized_at"),
    ]
    assert ask("GET", f"/site/{one['id']}") == (200, one)
    change = {"task_id": task, "root_url": one["root_url"], "downloaded_at": "2026-11-16T01:00:00Z"}
    assert ask("PUT", f"/site/{one['id']}", change) == (200, {**one, **change})
    assert ask("PUT", f"/site/{one['id']}", {**change, "files_path": "../../etc"})[0] == 422
    assert ask("PUT", f"/site/{one['id']}", {**change, "task_id": str(uuid4())})[0] == 404
    for similarity in (0.3, 0.875):
        result = {"task_id": task, "similarity": similarity}
        status, value = ask("PUT", f"/compare_result/{other['id']}/{one['id']}", result)
        assert (status, value["similarity"]) == (200, similarity)
    assert ask("PUT", f"/compare_result/{one['id']}/{one['id']}", result)[0] == 422
    assert ask("PUT", f"/compare_result/{one['id']}/{uuid4()}", result)[0] == 404
    status, value = ask("PATCH", f"/task/{task}/done")
    assert status == 200
    assert value["done_at"] is not None
    assert service.wait(task)["results"] == [
        {"url1": "http://one.example/", "url2": "http://two.example/", "similarity": 0.875}
    ]


def test_the_documentation_needs_no_internet_and_has_examples(service: Service) -> None:
    for page in ("/docs", "/redoc"):
        assets = re.findall(r"""(?:src|href)=["']([^"']+)""", service.fetch("GET", page)[2].decode())
        assert assets
        assert not [asset for asset in assets if "//" in asset], f"{page} loads from elsewhere"
        assert {service.fetch("GET", asset)[0] for asset in assets} == {200}
    status, schema = service.ask("GET", "/openapi.json")
    assert status == 200
    assert schema["components"]["schemas"]["NewTask"]["examples"]
    assert set(schema["paths"]) >= {
        "/task",
        "/task/{task_id}",
        "/private/task/{task_id}",
        "/private/task/{task_id}/done",
        "/private/site/{site_id}",
        "/private/compare_result/{site1}/{site2}",
    }


def test_private_targets_are_refused_by_default(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = {"THREADMILL_SERVICE_PRIVATE_TARGETS": "0", "THREADMILL_SERVICE_TOKEN": ""}
    with Service(tmp_path_factory.mktemp("guarded"), settings) as guarded:
        status, value = guarded.ask("POST", "/task", {"sites": ["http://a.example/", "http://127.0.0.1/"]})
        assert (status, value["detail"][0]["loc"]) == (422, ["body", "sites", 1])
        assert "private or loopback" in value["detail"][0]["msg"]
        status, value = guarded.ask("GET", f"/private/task/{uuid4()}", headers={"Authorization": "Bearer "})
        assert (status, "service.token" in value["detail"]) == (401, True)
