"""The API under schemathesis and hypothesis: whatever is sent, the answer is never a failure of ours."""

from __future__ import annotations

import http.client
import json
import re
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.servers.api import API
from tests.servers.fuzz import fuzz, make_something
from tests.servers.service import TOKEN
from threadmill.store import open_store

_EXAMPLES = 8  # of each call; python -m bench.sites_service fuzz sends thousands

texts = st.text(st.characters(exclude_categories=()), max_size=20)
moments = st.one_of(st.none(), st.datetimes().map(str), st.integers(-(2**70), 2**70), st.floats(), texts)
sites = st.fixed_dictionaries(
    {
        "root_url": st.one_of(
            texts, st.just("http://a.example/"), texts.map(lambda t: f"http://a.example/{t}")
        )
    },
    optional={
        "files_path": texts,
        "downloaded_at": moments,
        "preprocessed_at": moments,
        "vectorized_at": moments,
    },
)


def test_no_request_makes_the_service_fail(postgres_url: str, tmp_path: Path) -> None:
    store = open_store(postgres_url)  # the stricter of the two stores
    with API(store) as api:
        code, told = fuzz(api.port, store, tmp_path, "--phases", "fuzzing", "-n", str(_EXAMPLES))
    store.close()
    assert code == 0, told[-3000:]
    sent = re.search(r"(\d+) generated", told)
    assert sent is not None, told[-3000:]
    assert int(sent[1]) >= 11 * _EXAMPLES / 2  # a call without a body has fewer different examples


def test_no_site_or_result_makes_the_service_fail(postgres_url: str) -> None:
    store = open_store(postgres_url)
    task, (one, other) = make_something(store)
    with API(store) as api:
        connection = http.client.HTTPConnection("127.0.0.1", api.port, timeout=30)

        def put(path: str, body: Any) -> None:
            headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
            connection.request("PUT", f"/private/{path}", json.dumps(body).encode(), headers)
            answer = connection.getresponse()
            told = answer.read()
            assert answer.status in {200, 422}, (answer.status, told)
            json.loads(told)

        @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(sites, st.one_of(st.floats(), st.integers(), texts, st.none()))
        def send(site: dict[str, Any], similarity: Any) -> None:
            put(f"site/{one.id}", {"task_id": str(task.id), **site})
            body = {"task_id": str(task.id), "similarity": similarity}
            put(f"compare_result/{one.id}/{other.id}", body)

        send()
        connection.close()
    store.close()
