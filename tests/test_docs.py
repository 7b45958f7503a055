import argparse
import inspect
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import threadmill
from threadmill.cli import COMMANDS
from threadmill.cli.pages import clean
from tools import cli_reference, scale_plan, settings_reference

ROOT = Path(__file__).resolve().parents[1]


def test_the_cli_reference_says_what_help_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", os.environ.get("COLUMNS", ""))
    written = cli_reference.TARGET.read_text(encoding="utf-8")
    assert written == cli_reference.render(), "run: python -m tools.cli_reference"


def test_the_plan_for_scale_says_what_was_measured() -> None:
    written = scale_plan.TARGET.read_text(encoding="utf-8")
    assert written == scale_plan.render(), "run: python -m tools.scale_plan"


def test_the_settings_reference_says_what_the_settings_are() -> None:
    written = settings_reference.TARGET.read_text(encoding="utf-8")
    assert written == settings_reference.render(), "run: python -m tools.settings_reference"


def test_the_api_page_names_every_public_function_and_says_what_it_does() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    public = {name: getattr(threadmill, name) for name in threadmill.__all__}
    functions = {name: found for name, found in public.items() if inspect.isfunction(found)}
    said = {name: str(inspect.getdoc(found)).splitlines()[0] for name, found in functions.items()}
    assert dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", page, re.MULTILINE)) == said
    assert functions.keys() <= set(re.findall(r"^::: threadmill\.(\w+)$", page, re.MULTILINE))


def test_the_page_on_cleaning_names_every_format() -> None:
    page = (ROOT / "docs" / "methods" / "clean.md").read_text(encoding="utf-8")
    [row] = re.findall(r"^\| `--format` \| (.+) \|$", page, re.MULTILINE)
    parser = argparse.ArgumentParser()
    clean.add_arguments(parser)
    [choices] = [action.choices for action in parser._actions if "--format" in action.option_strings]
    assert re.findall(r"`([\w-]+)`", row) == list(choices or ())


def test_every_command_the_readme_names_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`threadmill ([a-z]+) ", readme))
    assert named
    assert named <= set(COMMANDS)


@pytest.mark.parametrize(
    "document", ["docs/architecture.md", "docs/methods/*.md", "docs/howto/*.md", "CONTRIBUTING.md"]
)
def test_every_path_the_documents_name_exists(document: str) -> None:
    package = ROOT / "src" / "threadmill"
    for file in ROOT.glob(document):
        for path in re.findall(r"`([a-z_/]+(?:\.py|/))`", file.read_text(encoding="utf-8")):
            found = (package / path).exists() or (ROOT / path).exists() or list(package.glob(f"*/{path}"))
            assert found, f"{file.relative_to(ROOT)} names {path}, which does not exist"


def test_the_python_of_the_readme_runs(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout == "en Tides\nThe tide was late at the\n2005-09-05T10:48\n"


def test_the_readme_opens_with_the_two_commands_that_need_nothing_else() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line.strip().partition("  ")[0] for line in lines[2:4]] == [
        "python3 dev.py demo",
        "python3 dev.py test",
    ]


def test_every_decision_that_code_names_exists() -> None:
    named = {
        name
        for folder in ("src", "tools", "bench", "docs")
        for file in [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.md")]
        for name in re.findall(r"decisions/(\d{4}[\w-]*)", file.read_text(encoding="utf-8"))
    }
    assert named
    missing = [name for name in named if not (ROOT / "docs" / "decisions" / f"{name}.md").exists()]
    assert not missing, f"these decisions do not exist: {sorted(missing)}"


def test_decisions_are_few_and_short() -> None:
    records = [file for file in (ROOT / "docs" / "decisions").glob("*.md") if file.name != "index.md"]
    assert len(records) <= 25
    too_long = [file.name for file in records if len(file.read_text(encoding="utf-8").split()) > 300]
    assert not too_long


def test_every_hint_to_install_names_extras_that_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    files = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/*.py")]
    hints = [
        (file.name, hint)
        for file in files
        for hint in re.findall(
            r"pip install ['\"]?([^\s'\")`]+\[[^\]{]*\])", file.read_text(encoding="utf-8")
        )
    ]
    assert hints
    for name, hint in hints:  # the package is on no index: only a checkout can be installed
        assert hint.startswith(".["), f"{name} says {hint}"
        assert set(hint[2:-1].split(",")) <= project["optional-dependencies"].keys(), f"{name} says {hint}"
