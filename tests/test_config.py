from pathlib import Path

import pytest

from threadmill.config import Settings, holds_secrets, load_settings, override, parse_toml
from threadmill.errors import SettingsError


def test_without_file_and_environment_the_defaults_hold() -> None:
    assert load_settings(environ={}) == Settings()


def test_environment_wins_over_file(tmp_path: Path) -> None:
    file = tmp_path / "threadmill.toml"
    file.write_text("[crawl]\ndelay = 3\nmax_pages = 7\n")
    settings = load_settings(file, {"THREADMILL_CRAWL_DELAY": "0.5", "UNRELATED": "1"})
    assert settings.crawl.delay == 0.5
    assert settings.crawl.max_pages == 7


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[crawl\n", "expected TOML"),
        ("[crawl]\n" + "a." * 20_000 + "b = 1\n", "more than 32 parts (at line 2)"),
        ("a = " + "[" * 5_000, "too deep in one another"),
        ("[kraul]\ndelay = 1\n", "section [kraul]"),
        ("[crawl]\ndelai = 1\n", "crawl.delai, which does not exist"),
        ("[crawl]\ndelay = 'soon'\n", "must be float"),
        ("[crawl]\nrobots = 'perhaps'\n", "must be bool"),
        ("[crawl]\nmax_pages = true\n", "must be int"),
        ("[crawl]\ndelay = -1\n", "must be 0 or more"),
        ("[crawl]\ndelay = nan\n", "must be 0 or more"),
        ("[crawl]\ndelay = inf\n", "must be 0 or more"),
        ("[crawl]\nconcurrency = 0\n", "must be from 1 to 10000"),
        ("[crawl]\nconcurrency = 99999999\n", "must be from 1 to 10000"),
        ("[service]\nport = 99999\n", "must be from 0 to 65535"),
        ("[crawl]\nmax_pages = inf\n", "must be int"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "threadmill.toml"
    file.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(file, {})
    assert complaint in str(caught.value)


def test_override_keeps_values_given_as_none() -> None:
    settings = override(Settings(), "crawl", delay=0.0, max_pages=None)
    assert settings.crawl.delay == 0.0
    assert settings.crawl.max_pages == Settings().crawl.max_pages


def test_the_user_agent_names_us_and_how_to_reach_the_operator() -> None:
    agent = override(Settings(), "fetch", contact="https://me.example/bot").fetch.agent
    assert agent.startswith("threadmill/")
    assert "+https://me.example/bot" in agent


def test_dots_in_values_are_no_parts_of_a_key() -> None:
    urls = [f"http://a.b{number}.example/x.y.z" for number in range(100)]
    assert parse_toml(f"values = {urls}\n")["values"] == urls
    assert parse_toml('a."b.c".d = "' + "It rains. " * 50 + '"\n') == {"a": {"b.c": {"d": "It rains. " * 50}}}


@pytest.mark.parametrize(
    ("section", "name", "value", "expected"),
    [
        ("store", "url", "postgresql://u:secret@h/d", True),
        ("store", "url", "postgresql://u@h/d", False),
        ("store", "url", "postgresql://u@h/d?password=secret", True),
        ("store", "url", "postgresql://u:secret@[h/d", True),
        ("service", "broker", "amqp://u:secret@h/", True),
        ("service", "broker", "amqp://h:5672/", False),
        ("service", "token", "t", True),
        ("access", "password", "secret", True),
        ("access", "headers", "Authorization: t", True),
        ("access", "proxy", "http://u:secret@h:80", True),
        ("access", "user", "anna", False),
        ("console", "password", "a hash", False),
    ],
)
def test_passwords_in_settings_are_told(section: str, name: str, value: str, expected: bool) -> None:
    assert holds_secrets(override(Settings(), section, **{name: value})) is expected
