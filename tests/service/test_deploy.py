"""The compose file says nothing that the program does not know."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from threadmill.cli import make_parser
from threadmill.config import load_settings

_DEPLOY = Path(__file__).parents[2] / "deploy"


def services() -> dict[str, Any]:
    text = (_DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text)["services"])


def test_every_command_of_the_compose_file_is_one_of_ours() -> None:
    ours = [service["command"] for service in services().values() if "command" in service]
    assert {tuple(words[:2]) for words in ours} >= {
        ("worker", "collect"),
        ("worker", "read"),
        ("worker", "decide"),
    }
    for verb, *words in ours:
        make_parser(verb)[0].parse_args(words)


def test_every_setting_of_the_compose_file_is_one_of_ours() -> None:
    for service in services().values():
        given = {k: v for k, v in service.get("environment", {}).items() if k.startswith("THREADMILL_")}
        filled = {name: re.sub(r"\$\{[^}]*\}", "x", value) for name, value in given.items()}
        settings = load_settings(None, filled)
        if "command" in service:
            assert settings.store.url.startswith("postgresql://")
            assert settings.service.broker.startswith("amqp://")


def test_what_the_compose_file_refers_to_is_in_it() -> None:
    known = services()
    for name, service in known.items():
        assert set(service.get("depends_on", {})) <= set(known), name
    dockerfile = (_DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for copied in re.findall(r"^COPY (.+) \S+$", dockerfile, re.MULTILINE):
        assert all((_DEPLOY.parent / word).exists() for word in copied.split())
