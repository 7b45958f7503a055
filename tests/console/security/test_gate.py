import re
from collections.abc import Iterator

import pytest

from tests.servers.console import ConsoleClient
from threadmill.console.security.gate import is_loopback, make_rules
from threadmill.console.security.passwords import hash_password
from threadmill.workspace import Workspace
from tools.console_screenshots import console_at

EVERYWHERE = "0.0.0.0"  # noqa: S104 -- only the rules for it are tried


@pytest.fixture(scope="module")
def locked(crawled: Workspace) -> Iterator[tuple[str, str]]:
    """A console as it is on an address that others reach, and its token."""
    with console_at(crawled, host=EVERYWHERE) as found:
        yield found


def test_only_addresses_of_this_machine_are_open_without_a_password() -> None:
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback(EVERYWHERE)
    assert not is_loopback("example.org")
    assert make_rules("127.0.0.1", "").open_to_all
    assert not make_rules("127.0.0.1", hash_password("x")).open_to_all
    assert make_rules(EVERYWHERE, "").token
    assert not make_rules(EVERYWHERE, hash_password("x")).token


def test_every_answer_has_a_strict_policy(client: ConsoleClient) -> None:
    for path in ("/inspect", "/nowhere", "/login"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"


def test_a_name_that_leads_here_by_a_trick_is_refused(base: str) -> None:
    client = ConsoleClient(base)
    assert client.get("/inspect", host="evil.example").status == 421
    assert client.get("/inspect", host="localhost").status == 200


def test_the_cookie_is_hidden_from_scripts_and_from_other_sites(base: str) -> None:
    cookie = ConsoleClient(base).get("/inspect").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_form_without_its_token_changes_nothing(client: ConsoleClient) -> None:
    client.token = "0" * 64
    assert client.post("/name", {"name": "eve"}).status == 403


def test_a_form_of_another_site_is_refused_even_with_the_token(client: ConsoleClient) -> None:
    assert client.post("/name", {"name": "eve"}, origin="https://evil.example").status == 403
    assert client.post("/name", {"name": "eve"}, sec_fetch_site="cross-site").status == 403
    assert client.post("/name", {"name": "ana"}, sec_fetch_site="same-origin").status == 303


def test_a_token_of_another_session_is_refused(base: str, client: ConsoleClient) -> None:
    other = ConsoleClient(base)
    other.get("/inspect")
    other.token = client.token
    assert other.post("/name", {"name": "eve"}).status == 403


def test_elsewhere_nothing_is_shown_before_the_log_in(locked: tuple[str, str]) -> None:
    client = ConsoleClient(locked[0])
    for path in ("/", "/inspect", "/inspect/c1", "/inspect/c1/frame", "/nowhere"):
        answer = client.get(path)
        assert answer.status == 303
        assert answer.headers["location"].startswith("/login?to=")
    client.get("/login")
    assert client.post("/inspect", {"url": "http://127.0.0.1/"}).status == 401


def test_the_printed_link_logs_in_and_a_wrong_one_does_not(locked: tuple[str, str]) -> None:
    base, token = locked
    client = ConsoleClient(base)
    assert client.get(f"/login?token={token[:-1]}").status == 401
    assert client.get(f"/login?token={token}").status == 303
    assert client.get("/inspect").status == 200
    assert client.post("/logout").status == 303
    assert client.get("/inspect").status == 303


def test_passwords_cannot_be_guessed_quickly(crawled: Workspace) -> None:
    with console_at(crawled, host=EVERYWHERE, password=hash_password("right")) as (base, _):
        client = ConsoleClient(base)
        client.get("/login")
        statuses = [client.post("/login", {"password": f"wrong {n}"}).status for n in range(7)]
        assert statuses[:5] == [401] * 5
        assert statuses[-1] == 429
        answer = client.post("/login", {"password": "right"})
        assert answer.status == 429
        assert re.search("Wait \\d+ seconds", answer.text)


def test_the_password_logs_in_and_leads_to_the_wanted_page_only_inside(crawled: Workspace) -> None:
    with console_at(crawled, host=EVERYWHERE, password=hash_password("right")) as (base, _):
        client = ConsoleClient(base)
        client.get("/login")
        answer = client.post("/login?to=//evil.example/", {"password": "right", "name": "Ana"})
        assert (answer.status, answer.headers["location"]) == (303, "/")
        assert client.get("/inspect").status == 200


def test_a_body_that_is_too_large_is_refused(client: ConsoleClient) -> None:
    assert client.upload("/inspect", b"x" * 21_000_000).status == 413
