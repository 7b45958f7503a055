"""The compose file says nothing that the program does not know."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import yaml

from threadmill.cli import make_parser
from threadmill.config import load_settings

_DEPLOY = Path(__file__).parents[2] / "deploy"


def test_the_compose_file_is_yaml_without_surprises() -> None:
    """No key stands twice (the last one would win in silence), and values have the types of compose."""
    text = (_DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    yaml.load(text, Loader=_StrictLoader)  # noqa: S506 -- made from the safe loader
    whole = yaml.safe_load(text)
    assert set(whole) - {"name", "services", "volumes"} == {"x-threadmill"}
    for name, service in whole["services"].items():
        assert {"image", "build"} & set(service), name
        assert all(isinstance(value, str) for value in service.get("environment", {}).values()), name
        assert all(isinstance(word, str) for word in service.get("command", [])), name
        for dependency, how in service.get("depends_on", {}).items():
            healthy = how["condition"] == "service_healthy"
            assert not healthy or "healthcheck" in whole["services"][dependency], name
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in whole["volumes"], name


class _StrictLoader(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types
    """Refuses a mapping in which a key stands twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        assert len(keys) == len(set(keys)), f"a key stands twice: {keys}"
        return dict(super().construct_mapping(node, deep))


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


def test_the_wheel_is_built_from_exactly_the_files_that_the_image_gets(tmp_path: Path) -> None:
    dockerfile = (_DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (.+) \S+$", dockerfile, re.MULTILINE):
        for word in line.split():
            source = _DEPLOY.parent / word
            if source.is_dir():
                ignored = shutil.ignore_patterns("*.so", "*.pyx", "*.pxd", "__pycache__")
                shutil.copytree(source, tmp_path / word, ignore=ignored)
            else:
                shutil.copy(source, tmp_path / word)
    made = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "wheels"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert made.returncode == 0, made.stderr[-2000:]
    [wheel] = (tmp_path / "wheels").glob("*.whl")
    with zipfile.ZipFile(wheel) as parts:
        names = set(parts.namelist())
    assert {"threadmill/cli/__init__.py", "threadmill/sites/data/vocabulary.json.gz"} <= names


def test_the_units_run_commands_that_exist() -> None:
    units = list((_DEPLOY / "systemd").glob("*.service"))
    assert len(units) >= 2
    for unit in units:
        read = configparser.ConfigParser(interpolation=None)
        read.read_string(unit.read_text(encoding="utf-8"))
        words = read["Service"]["ExecStart"].split()
        parser, _ = make_parser(words[1])
        parser.parse_args(words[2:])
