from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.crawl.manners.robots import (
    FRESH_FOR,
    GIVE_UP_AFTER,
    MAX_BYTES,
    MAX_REDIRECTS,
    UNREACHABLE_FOR,
    RobotsFile,
    RobotsParser,
    agent_token,
    read_rules,
    updated_file,
)

NOW = datetime(2030, 1, 1, tzinfo=UTC)
ORIGIN = "https://e.com"


def file_of(text: str, status: int = 200) -> RobotsFile:
    return updated_file(ORIGIN, status, text.encode(), NOW, None)


def allows(file: RobotsFile, path: str = "/page") -> bool:
    return read_rules(file, "threadmill").allow(ORIGIN + path, "threadmill")


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /private", "/private/x", False),
        ("User-agent: *\nDisallow: /private", "/page", True),
        ("User-agent: threadmill\nDisallow: /\n\nUser-agent: *\nAllow: /", "/page", False),
        ("User-agent: Threadmill/1.0\nDisallow: /", "/page", False),
        ("User-agent: other\nDisallow: /", "/page", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nDisallow: /*.php$", "/x/show.php", False),
        ("\ufeffUser-agent: *\nDisallow: /", "/page", False),
        ("", "/page", True),
        ("<html>not a robots file</html>", "/page", True),
    ],
)
def test_the_rules_that_speak_to_us_are_kept(text: str, path: str, allowed: bool) -> None:
    assert allows(file_of(text), path) is allowed


@pytest.mark.parametrize(
    ("status", "allowed"),
    [(404, True), (403, True), (401, True), (429, False), (500, False), (503, False), (0, False)],
)
def test_a_status_is_judged_as_rfc_9309_says(status: int, allowed: bool) -> None:
    assert allows(file_of("User-agent: *\nDisallow: /", status)) is allowed


def test_a_file_is_kept_a_day_and_a_failure_for_minutes() -> None:
    assert file_of("x").stale_in(NOW) == 24 * 3600
    assert 0 < file_of("x", 500).stale_in(NOW) <= 3600


def test_while_a_host_is_unreachable_its_last_file_stays_in_force() -> None:
    known = file_of("User-agent: *\nDisallow: /private")
    later = updated_file(ORIGIN, 503, b"", NOW + timedelta(days=2), known)
    assert allows(later)
    assert not allows(later, "/private")


def test_a_host_unreachable_for_thirty_days_counts_as_without_a_file() -> None:
    first = file_of("", 500)
    later = updated_file(ORIGIN, 500, b"", NOW + timedelta(days=29), first)
    last = updated_file(ORIGIN, 0, b"", NOW + timedelta(days=30), later)
    assert not allows(later)
    assert allows(last)


def test_crawl_delay_and_sitemaps_are_told() -> None:
    rules = read_rules(
        file_of(
            "User-agent: *\nCrawl-delay: 2.5\nSitemap: https://e.com/s.xml\nSitemap: https://e.com/t.xml"
        ),
        "threadmill",
    )
    assert rules.crawl_delay == 2.5
    assert rules.sitemaps == ("https://e.com/s.xml", "https://e.com/t.xml")


def test_what_goes_beyond_the_limit_is_not_read() -> None:
    body = b"#" * MAX_BYTES + b"\nUser-agent: *\nDisallow: /"
    assert allows(updated_file(ORIGIN, 200, body, NOW, None))


def test_a_file_is_parsed_once() -> None:
    parser = RobotsParser("threadmill/1.0 (+https://me.example)")
    file = file_of("User-agent: *\nDisallow: /")
    assert parser.rules_of(file) is parser.rules_of(file)
    assert parser.rules_of(file_of("")) is not parser.rules_of(file)


def test_we_are_called_by_the_product_of_the_user_agent() -> None:
    assert agent_token("threadmill/0.1 (+https://me.example)") == "threadmill"
    assert agent_token("MyBot 2") == "mybot"
    assert agent_token("") == "threadmill"


@given(st.binary(max_size=300))
def test_noise_is_judged_never_raised(noise: bytes) -> None:
    file = updated_file(ORIGIN, 200, b"User-agent: *\nDisallow: " + noise, NOW, None)
    read_rules(file, "threadmill").allow(f"{ORIGIN}/page", "threadmill")


def test_the_limits_are_those_of_rfc_9309() -> None:
    assert (MAX_BYTES, MAX_REDIRECTS) == (512_000, 5)
    assert (timedelta(hours=24), timedelta(minutes=10)) == (FRESH_FOR, UNREACHABLE_FOR)
    assert timedelta(days=30) == GIVE_UP_AFTER


@pytest.mark.parametrize(
    ("status", "reachable"),
    [
        (0, False),
        (199, False),
        (200, True),
        (404, True),
        (428, True),
        (429, False),
        (499, True),
        (500, False),
    ],
)
def test_an_answer_counts_unless_the_server_is_overloaded(status: int, reachable: bool) -> None:
    file = RobotsFile(ORIGIN, NOW, status)
    assert file.reachable is reachable
    assert file.stale_in(NOW) == (24 * 3600 if reachable else 600)
    assert file.stale_in(NOW + timedelta(hours=25)) < 0


def test_an_unreachable_file_allows_everything_after_thirty_days() -> None:
    def file(days: float) -> RobotsFile:
        return RobotsFile(ORIGIN, NOW, 503, failing_since=NOW - timedelta(days=days))

    assert not allows(file(29.9))
    assert allows(file(30))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "utf-8"])
def test_a_file_in_another_encoding_is_obeyed(encoding: str) -> None:
    body = "User-agent: *\r\nDisallow: /private\r\n".encode(encoding)
    rules = read_rules(RobotsFile("http://e.com", NOW, 200, body, NOW), "threadmill")
    assert not rules.allow("http://e.com/private/x", "threadmill")
    assert rules.allow("http://e.com/public", "threadmill")


def test_nul_bytes_do_not_hide_a_rule_and_an_unreadable_file_forbids_everything() -> None:
    rules = read_rules(
        RobotsFile("http://e.com", NOW, 200, b"User-agent: *\0\nDis\0allow: /p\n", NOW), "threadmill"
    )
    assert not rules.allow("http://e.com/p", "threadmill")
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    rules = read_rules(RobotsFile("http://e.com", NOW, 200, picture, NOW), "threadmill")
    assert not rules.allow("http://e.com/", "threadmill")
