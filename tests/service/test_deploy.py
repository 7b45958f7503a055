"""The compose file says nothing that the program does not know."""

from __future__ import annotations

import configparser
import re
import tomllib
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


def test_the_image_has_every_file_that_the_build_reads() -> None:
    dockerfile = (_DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    copied = {
        word for line in re.findall(r"^COPY (.+) \S+$", dockerfile, re.MULTILINE) for word in line.split()
    }
    project = tomllib.loads((_DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {project["project"]["readme"], *project["project"]["license-files"], "pyproject.toml", "src"}
    needed.add(project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["path"])
    assert needed <= copied


def test_the_units_run_commands_that_exist() -> None:
    units = list((_DEPLOY / "systemd").glob("*.service"))
    assert len(units) >= 2
    for unit in units:
        read = configparser.ConfigParser(interpolation=None)
        read.read_string(unit.read_text(encoding="utf-8"))
        words = read["Service"]["ExecStart"].split()
        parser, _ = make_parser(words[1])
        parser.parse_args(words[2:])
