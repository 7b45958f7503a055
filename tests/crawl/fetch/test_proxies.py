"""Proxies: the choice by settings and environment, and fetches through real ones (pproxy)."""

from __future__ import annotations

import asyncio
import base64
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.crawl.fakes import quick_settings
from tests.servers.behaviours import PAGE
from tests.servers.misbehaving import MisbehavingServer
from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher, FetchResult, Request
from threadmill.crawl.fetch.proxies import ProxyChoice, read_proxy
from threadmill.crawl.fetch.target import parse_target
from threadmill.errors import RefusedError, SettingsError


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def proxy(scheme: str, login: str = "") -> Iterator[int]:
    """A proxy as a process of its own."""
    port = free_port()
    address = f"{scheme}://127.0.0.1:{port}" + (f"#{login}" if login else "")
    process = subprocess.Popen([sys.executable, "-m", "pproxy", "-l", address], stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def fetch(url: str, settings: Settings) -> FetchResult:
    async def go() -> FetchResult:
        async with Fetcher(settings) as fetcher:
            return await fetcher.fetch(Request(url))

    return asyncio.run(go())


@pytest.mark.parametrize("tls", [False, True])
@pytest.mark.parametrize(("kind", "login"), [("http", ""), ("http", "anna:pass"), ("socks5", "anna:pass")])
def test_pages_come_through_a_proxy(kind: str, login: str, tls: bool) -> None:
    with MisbehavingServer(tls=tls) as server, proxy(kind, login) as port:
        name = f"{login}@" if login else ""
        settings = override(quick_settings(), "access", proxy=f"{kind}://{name}127.0.0.1:{port}")
        settings = override(settings, "fetch", verify_tls=False, retries=0)
        result = fetch(server.url("/ok"), settings)
        assert result.capture.payload == PAGE
        assert result.exchanges[-1].remote_address == ""
        assert b"Proxy-Authorization" not in result.exchanges[-1].request_head
        assert result.exchanges[-1].request_head.startswith(b"GET /ok HTTP/1.1")


def test_addresses_are_checked_before_a_proxy_is_asked() -> None:
    with MisbehavingServer() as server, proxy("http") as port:
        settings = override(quick_settings(), "access", proxy=f"http://127.0.0.1:{port}")
        settings = override(settings, "fetch", private_targets=False, retries=0)
        with pytest.raises(Exception, match="not a public address"):
            fetch(server.url("/ok"), settings)
        assert server.hits["/ok"] == 0


def test_a_proxy_that_is_not_there_is_named_without_its_password() -> None:
    settings = override(quick_settings(), "access", proxy=f"socks5://anna:secret@127.0.0.1:{free_port()}")
    settings = override(settings, "fetch", retries=0)
    with pytest.raises(RefusedError, match=r"through the proxy socks5://127\.0") as told:
        fetch("http://forum.example.org/", settings)
    assert "secret" not in str(told.value)


def test_a_password_that_is_no_utf8_is_sent_as_the_environment_has_it() -> None:
    proxy = read_proxy("http://anna:\udcff@proxy.example:3128")
    assert base64.b64decode(proxy.authorization.split()[-1]) == b"anna:\xff"


def test_the_environment_is_asked_unless_the_settings_say_otherwise() -> None:
    told = {"http": "http://proxy:3128", "all": "socks5://other:1080", "no": "intern.example, .local.example"}
    choice = ProxyChoice("", told)

    def chosen(url: str, choice: ProxyChoice = choice) -> str:
        found = choice.choose(parse_target(url))
        return found.shown if found else ""

    assert chosen("http://a.example/") == "http://proxy:3128"
    assert chosen("https://a.example/") == "socks5://other:1080"
    assert chosen("http://intern.example/") == chosen("http://x.local.example/") == ""
    assert chosen("http://localhost:8000/") == chosen("http://127.0.0.1/") == chosen("http://[::1]/") == ""
    assert chosen("http://a.example/", ProxyChoice("none", told)) == ""
    assert chosen("http://127.0.0.1/", ProxyChoice("socks5h://mine", told)) == "socks5h://mine:1080"
    assert chosen("http://a.example/", ProxyChoice("", told | {"no": "*"})) == ""


@pytest.mark.parametrize("text", ["ftp://x:1", "http://", "http://x:notaport", "gopher://user:secret@x:70"])
def test_what_is_no_proxy_is_refused_without_its_password(text: str) -> None:
    with pytest.raises(SettingsError, match="expected a proxy") as told:
        read_proxy(text)
    assert "secret" not in str(told.value)
