from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable

import pytest

from tests.crawl.fakes import FakeClock, Unscattered, quick_settings
from tests.servers.behaviours import PAGE
from tests.servers.misbehaving import MisbehavingServer
from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher, FetchResult, Request
from threadmill.errors import BusyError, FetchError, HostAsideError, URLError


def run(
    server: MisbehavingServer, clock: FakeClock, *requests: str | Request, settings: Settings | None = None
) -> list[FetchResult | FetchError]:
    """Fetch one after the other with one fetcher; failures are outcomes like others."""

    async def go() -> list[FetchResult | FetchError]:
        found: list[FetchResult | FetchError] = []
        async with Fetcher(settings or quick_settings(), clock=clock, rng=Unscattered()) as fetcher:
            for request in requests:
                wanted = Request(server.url(request)) if isinstance(request, str) else request
                try:
                    found.append(await fetcher.fetch(wanted))
                except FetchError as error:
                    found.append(error)
        return found

    return asyncio.run(go())


def answer_of(outcomes: Iterable[FetchResult | FetchError]) -> FetchResult:
    (outcome,) = outcomes
    assert isinstance(outcome, FetchResult), outcome
    return outcome


def error_of(outcomes: Iterable[FetchResult | FetchError]) -> FetchError:
    (outcome,) = outcomes
    assert isinstance(outcome, FetchError), outcome
    return outcome


def test_a_page_comes_as_it_was_sent(server: MisbehavingServer, clock: FakeClock) -> None:
    answer = answer_of(run(server, clock, "/ok"))
    assert answer.capture.payload == PAGE
    assert answer.capture.status == 200
    assert answer.capture.url == server.url("/ok")
    assert answer.capture.at == clock.now()
    assert answer.capture.content_type == "text/html"
    assert (answer.flaws, answer.not_modified) == ((), False)


def test_the_request_head_on_record_is_the_one_that_was_sent(
    server: MisbehavingServer, clock: FakeClock
) -> None:
    exchange = answer_of(run(server, clock, "/ok")).exchanges[0]
    assert exchange.request_head == server.asked[0].raw
    assert exchange.request_head.startswith(b"GET /ok HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % server.port)
    assert server.asked[0].headers["user-agent"].startswith("threadmill/")
    assert exchange.remote_address == "127.0.0.1"


def test_headers_keep_their_order_case_and_repetition(server: MisbehavingServer, clock: FakeClock) -> None:
    exchange = answer_of(run(server, clock, "/chunked")).exchanges[0]
    assert exchange.headers == (("Transfer-Encoding", "chunked"), ("X-Twice", "1"), ("X-Twice", "2"))
    assert exchange.body == PAGE  # transfer encoding removed


def test_a_connection_is_kept_alive(server: MisbehavingServer, clock: FakeClock) -> None:
    run(server, clock, "/ok", "/empty", "/chunked", "/no-content", "/ok")
    assert server.connections == 1


def test_a_kept_connection_that_died_is_no_failure(server: MisbehavingServer, clock: FakeClock) -> None:
    outcomes = run(server, clock, "/closes-when-idle", "/closes-when-idle")
    assert [answer.capture.payload for answer in outcomes if isinstance(answer, FetchResult)] == [PAGE, PAGE]
    assert clock.slept == []


def test_an_answer_to_nobody_ends_the_connection(server: MisbehavingServer, clock: FakeClock) -> None:
    first, second = run(server, clock, "/length-too-short", "/ok")
    assert isinstance(first, FetchResult)
    assert isinstance(second, FetchResult)
    assert first.capture.payload == PAGE[:-7]
    assert second.capture.payload == PAGE
    assert server.connections == 2


@pytest.mark.parametrize(
    ("path", "payload"),
    [
        ("/empty", b""),
        ("/no-content", b""),
        ("/until-close", PAGE),
        ("/early-hints", PAGE),
        ("/gzipped", PAGE),
        ("/raw-deflate", PAGE),
        ("/odd-headers", b"ok"),
        ("/moved", PAGE),
        ("/cookie-wall", PAGE),
        ("/nowhere", b"a redirect without a place"),
        ("/missing", b"gone"),
    ],
)
def test_odd_but_honest_answers_are_read(
    server: MisbehavingServer, clock: FakeClock, path: str, payload: bytes
) -> None:
    answer = answer_of(run(server, clock, path))
    assert answer.capture.payload == payload
    assert answer.flaws == ()
    assert clock.slept == []


@pytest.mark.parametrize(
    ("path", "flaw", "truncated"),
    [
        ("/drip", "timeout", "time"),
        ("/cut-off", "cut-off", "disconnect"),
        ("/cut-chunks", "cut-off", "disconnect"),
        ("/endless", "too-large", "length"),
        ("/length-too-long", "timeout", "time"),
        ("/bad-chunking", "bad-chunking", "disconnect"),
        ("/bad-gzip", "bad-encoding", ""),
        ("/short-gzip", "bad-encoding", ""),
        ("/plain-as-gzip", "not-encoded", ""),
        ("/bomb", "too-large", ""),
    ],
)
def test_what_came_of_a_flawed_answer_is_kept_and_said(
    server: MisbehavingServer, clock: FakeClock, path: str, flaw: str, truncated: str
) -> None:
    answer = answer_of(run(server, clock, path))
    assert answer.flaws == (flaw,)
    assert answer.exchanges[-1].truncated == truncated
    assert 0 < len(answer.capture.payload) <= 1_000_000


@pytest.mark.parametrize(
    ("path", "reason", "visits"),
    [
        ("/silent", "timeout", 3),
        ("/reset", "cut-off", 3),
        ("/hang-up", "cut-off", 3),
        ("/cut-in-head", "cut-off", 3),
        ("/garbage", "bad-http", 1),
        ("/length-is-nonsense", "bad-http", 1),
        ("/header-flood", "headers-too-large", 1),
        ("/giant-header", "headers-too-large", 1),
        ("/loop", "redirect-loop", 1),
        ("/chain", "too-many-redirects", 11),
        ("/mail", "bad-redirect", 1),
        ("/maintenance", "busy", 3),
    ],
)
def test_an_answer_that_is_none_is_told_by_its_reason(
    server: MisbehavingServer, clock: FakeClock, path: str, reason: str, visits: int
) -> None:
    error = error_of(run(server, clock, path))
    assert error.reason == reason
    assert server.hits[path] == visits


def test_a_flaky_page_comes_in_the_end(server: MisbehavingServer, clock: FakeClock) -> None:
    answer = answer_of(run(server, clock, "/flaky"))
    assert answer.capture.payload == PAGE
    assert [exchange.status for exchange in answer.exchanges] == [500, 200]


def test_an_error_of_the_server_is_an_answer_after_the_last_try(
    server: MisbehavingServer, clock: FakeClock
) -> None:
    answer = answer_of(run(server, clock, "/broken"))
    assert answer.capture.status == 500
    assert len(answer.exchanges) == 3
    assert clock.slept == [0.5, 1.0]  # half of 1 s, half of 2 s: doubling, without jitter


def test_retry_after_is_kept_to(server: MisbehavingServer, clock: FakeClock) -> None:
    answer = answer_of(run(server, clock, "/busy?60"))
    assert answer.capture.status == 200
    assert clock.seconds >= 1000.0 + 2 * 60


def test_retry_after_may_be_a_date(server: MisbehavingServer, clock: FakeClock) -> None:
    error = error_of(run(server, clock, "/maintenance?date", settings=quick_settings(retries=1)))
    assert isinstance(error, BusyError)
    assert clock.seconds >= 1000.0 + 60  # the server said 00:01:00, we began at 00:00:00


def test_a_host_that_asks_for_an_hour_is_put_aside(server: MisbehavingServer, clock: FakeClock) -> None:
    first, second = run(server, clock, "/maintenance?3600", "/ok")
    assert isinstance(first, BusyError)
    assert first.retry_in == pytest.approx(3600)
    assert isinstance(second, HostAsideError)
    assert server.hits["/ok"] == 0
    assert clock.slept == []


@pytest.mark.parametrize(("patience", "requests"), [(1000.0, 10), (90.0, 9)])
def test_a_host_that_keeps_failing_is_put_aside(
    server: MisbehavingServer, clock: FakeClock, patience: float, requests: int
) -> None:
    settings = override(quick_settings(), "crawl", patience=patience)
    outcomes = run(server, clock, *["/reset"] * 5, settings=settings)
    reasons = [outcome.reason for outcome in outcomes if isinstance(outcome, FetchError)]
    # Three tries for each page. The pause before the tenth request would be 128 seconds.
    assert reasons == ["cut-off", "cut-off", "cut-off", "host-aside", "host-aside"]
    assert server.hits["/reset"] == requests


def test_an_unchanged_page_is_not_sent_again(server: MisbehavingServer, clock: FakeClock) -> None:
    by_tag = Request(server.url("/validated"), etag='"v1"')
    by_date = Request(server.url("/dated"), last_modified="Sun, 01 Nov 2026 10:00:00 GMT")
    for answer in run(server, clock, by_tag, by_date):
        assert isinstance(answer, FetchResult)
        assert answer.not_modified
        assert answer.exchanges[-1].status == 304
        assert answer.capture.payload == b""


def test_validators_are_not_sent_where_a_redirect_leads(server: MisbehavingServer, clock: FakeClock) -> None:
    wanted = Request(server.url("/elsewhere?/validated"), etag='"v1"')
    answer = answer_of(run(server, clock, wanted))
    assert not answer.not_modified
    assert answer.capture.payload == PAGE
    assert server.asked[0].headers["if-none-match"] == '"v1"'
    assert "if-none-match" not in server.asked[1].headers


def test_redirects_are_exchanges_and_the_last_is_the_capture(
    server: MisbehavingServer, clock: FakeClock
) -> None:
    answer = answer_of(run(server, clock, "/moved"))
    assert [exchange.status for exchange in answer.exchanges] == [301, 200]
    assert answer.capture.url == server.url("/ok")


def test_an_error_carries_what_came_before_it(server: MisbehavingServer, clock: FakeClock) -> None:
    error = error_of(run(server, clock, "/loop"))
    assert [exchange.status for exchange in error.exchanges] == [302, 302]


def test_a_private_target_is_refused_however_it_is_spelt(server: MisbehavingServer, clock: FakeClock) -> None:
    settings = override(quick_settings(), "fetch", private_targets=False)

    async def go() -> list[str]:
        async def lookup(host: str, port: int) -> tuple[str, ...]:
            return ("127.0.0.1",) if host == "inside.test" else ("10.0.0.1",)

        reasons = []
        async with Fetcher(settings, clock=clock, lookup=lookup) as fetcher:
            for host in ("inside.test", "127.1", "2130706433", "0x7f.0.0.1"):
                try:
                    await fetcher.fetch(Request(server.url("/ok", host)))
                except FetchError as error:
                    reasons.append(error.reason)
        return reasons

    assert asyncio.run(go()) == ["address"] * 4
    assert server.hits["/ok"] == 0


def test_a_redirect_to_a_private_target_is_refused(
    server: MisbehavingServer, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Loopback is all a test may use: 127.0.0.1 plays the open internet, 127.0.0.2 the inside.
    monkeypatch.setattr(
        "threadmill.crawl.fetch.ip_addresses.is_public", lambda address: address == "127.0.0.1"
    )
    settings = override(quick_settings(), "fetch", private_targets=False)

    async def lookup(host: str, port: int) -> tuple[str, ...]:
        return ("127.0.0.2",) if host == "inside.test" else ("127.0.0.1",)

    async def go() -> FetchError:
        async with Fetcher(settings, clock=clock, lookup=lookup) as fetcher:
            outside = server.url(f"/elsewhere?{server.url('/ok', 'inside.test')}", "outside.test")
            with pytest.raises(FetchError) as refused:
                await fetcher.fetch(Request(outside))
            return refused.value

    error = asyncio.run(go())
    assert error.reason == "address"
    assert [exchange.status for exchange in error.exchanges] == [302]
    assert server.hits["/ok"] == 0


def test_a_wrong_url_is_a_wrong_call(server: MisbehavingServer, clock: FakeClock) -> None:
    for url in ("ftp://example.com/", "no scheme", "http:///path", "http://exa mple/"):
        with pytest.raises(URLError):
            run(server, clock, Request(url))


def test_nobody_listening_is_refused(clock: FakeClock, server: MisbehavingServer) -> None:
    error = error_of(run(server, clock, Request("http://127.0.0.1:1/")))
    assert error.reason == "refused"


def test_a_name_that_does_not_exist_is_an_unknown_host(clock: FakeClock, server: MisbehavingServer) -> None:
    error = error_of(run(server, clock, Request("http://nobody.invalid/")))
    assert error.reason in {"unknown-host", "dns"}  # without a network no name server says so


def test_a_certificate_nobody_vouches_for_is_refused_unless_allowed(clock: FakeClock) -> None:
    trusting = override(quick_settings(), "fetch", verify_tls=False)
    with MisbehavingServer(tls=True) as server:
        assert error_of(run(server, clock, "/ok")).reason == "tls"
        assert server.hits["/ok"] == 0
        outcomes = run(server, clock, "/ok", "/cut-off", "/ok", settings=trusting)
    assert [answer.capture.payload for answer in outcomes if isinstance(answer, FetchResult)] == [PAGE] * 3


def test_every_outcome_of_a_mixed_crawl_is_counted(server: MisbehavingServer, clock: FakeClock) -> None:
    paths = [
        *("/ok", "/gzipped", "/chunked", "/changing", "/sessions", "/calendar?month=3", "/wrong-charset"),
        *("/drip", "/cut-off", "/endless", "/bad-gzip", "/bomb", "/bad-chunking"),
        *("/silent", "/reset", "/garbage", "/header-flood", "/loop", "/chain", "/mail"),
        *("/missing", "/broken", "/flaky", "/busy?5", "/maintenance", "/cookie-wall", "/validated"),
    ]
    settings = override(quick_settings(), "crawl", host_concurrency=4)

    async def go() -> Counter[str]:
        counts: Counter[str] = Counter()

        async def one(path: str) -> None:
            try:
                answer = await fetcher.fetch(Request(server.url(path)))
            except FetchError as error:
                counts[error.reason] += 1
            else:
                counts[answer.flaws[0] if answer.flaws else str(answer.capture.status)] += 1

        async with Fetcher(settings, clock=clock, rng=Unscattered()) as fetcher:
            await asyncio.gather(*(one(path) for path in paths))
        return counts

    assert asyncio.run(go()) == {
        "200": 11,
        "404": 1,
        "500": 1,
        "timeout": 2,
        "cut-off": 2,
        "too-large": 2,
        "bad-encoding": 1,
        "bad-chunking": 1,
        "bad-http": 1,
        "headers-too-large": 1,
        "busy": 1,
        "redirect-loop": 1,
        "too-many-redirects": 1,
        "bad-redirect": 1,
    }
