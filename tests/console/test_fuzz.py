"""Every page and form of the console with odd values: whatever is sent, the answer is no failure of ours."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from threadmill.console.app import make_console
from threadmill.console.overview.crawl_processes import CrawlProcesses
from threadmill.console.security.gate import make_rules
from threadmill.store import open_store
from threadmill.store.crawl.captures import sample_pages
from threadmill.workspace import Workspace
from tools.console_examples import add_comparison

_STARTING = {"/search/index"}  # it takes no values, and starts a process
_WORDS = (
    "page sort dir q index site board author language since until order seed context border view outcome "
    "part layer chosen point url instead before date kind said element key one other decision back member "
    "reading name count contains choice seen list file to form_token"
)
_NAMES = tuple(_WORDS.split())
_FUZZ = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
_ODD = (
    "",
    "0",
    "-1",
    "1",
    "99999999999999999999",
    "nan",
    "1e999",
    "\x00",
    "'",
    '"><script>',
    "../..",
    "%",
    "c1",
)
_texts = st.one_of(st.sampled_from(_ODD), st.text(max_size=12))
_fields = st.lists(st.tuples(st.sampled_from(_NAMES), _texts), max_size=5)


class FuzzedConsole:
    """A console that is called without a network."""

    def __init__(self, app: Any, known: tuple[str, ...]) -> None:
        self.app = app
        self.known = known
        self.loop = asyncio.new_event_loop()
        self.cookie, self.token = "", ""

    def paths(self, method: str) -> list[str]:
        known = self.app.openapi()["paths"]
        return sorted({path for path, calls in known.items() if method.lower() in calls})

    def call(self, method: str, path: str, query: str = "", body: bytes = b"") -> tuple[int, str]:
        return self.loop.run_until_complete(self._call(method, path, query, body))

    async def _call(self, method: str, path: str, query: str, body: bytes) -> tuple[int, str]:
        status, parts, asked = 0, [], 0
        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/x-www-form-urlencoded")]
        headers += [(b"cookie", self.cookie.encode())]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
            "raw_path": quote(path).encode(), "query_string": query.encode(), "headers": headers,
            "scheme": "http", "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 9), "root_path": "",
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            nonlocal asked
            asked += 1
            if asked > 1:  # the reader has gone away
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                for name, value in message["headers"]:
                    if name == b"set-cookie":
                        self.cookie = value.decode().partition(";")[0]
            parts.append(message.get("body", b""))

        await self.app(scope, receive, send)
        return status, b"".join(parts).decode("utf-8", "replace")

    def fill(self, path: str, values: list[str]) -> str:
        """A path whose parameters are known ids or odd values."""
        waiting = iter(values)
        return re.sub(r"{(\w+)(?::\w+)?}", lambda _: next(waiting, "1") or "1", path)


@pytest.fixture(scope="module")
def console(crawled: Workspace) -> Iterator[FuzzedConsole]:
    store = open_store(crawled.store_url)
    task = add_comparison(store, 30, seed=99)
    with store.reading() as connection:
        capture = f"c{sample_pages(connection, '')[0]}"
    app = make_console(crawled, store, make_rules("127.0.0.1", ""), wake=lambda: None)
    found = FuzzedConsole(app, (str(task), capture, "1", "2", "0", "tally", "pairs.csv"))
    _, page = found.call("GET", "/inspect")
    found.token = re.findall(r'name="form_token" value="([0-9a-f]+)"', page)[0]
    with pytest.MonkeyPatch.context() as patch:
        # Other tests start crawls. Here only what comes before is tried.
        patch.setattr(CrawlProcesses, "start", lambda _self, _wanted: None)
        yield found
    found.loop.close()
    store.close()


def _values(console: FuzzedConsole) -> st.SearchStrategy[list[str]]:
    return st.lists(st.one_of(st.sampled_from(console.known), _texts), min_size=3, max_size=3)


@_FUZZ
@given(data=st.data())
def test_no_address_makes_the_console_fail(console: FuzzedConsole, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(console.paths("GET")))
    address = console.fill(path, data.draw(_values(console)))
    query = urlencode(data.draw(_fields), errors="replace")
    status, told = console.call("GET", address, query)
    assert 200 <= status < 500, (address, query, told[:500])
    assert "<script>" not in told


@_FUZZ
@given(data=st.data())
def test_no_form_makes_the_console_fail(console: FuzzedConsole, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([one for one in console.paths("POST") if one not in _STARTING]))
    address = console.fill(path, data.draw(_values(console)))
    kept = {"form_token"} if path.startswith("/crawls") else {"url", "form_token"}  # other URLs are fetched
    fields = [field for field in data.draw(_fields) if field[0] not in kept]
    body = urlencode([("form_token", console.token), *fields], errors="replace").encode()
    status, told = console.call("POST", address, body=body)
    assert 200 <= status < 500, (address, body, told[:500])


def test_every_route_is_there_to_be_tried(console: FuzzedConsole) -> None:
    assert len(console.paths("GET")) >= 25
    assert len(console.paths("POST")) >= 15
