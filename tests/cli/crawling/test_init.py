import tomllib
from pathlib import Path

import pytest

from threadmill.cli import main
from threadmill.cli.crawling.init import settings_file
from threadmill.config import Settings, load_settings
from threadmill.workspace import open_workspace


def test_the_settings_file_changes_nothing_until_it_is_edited(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path / "w")]) == 0
    assert open_workspace(tmp_path / "w").settings == Settings()


def test_every_line_can_be_switched_on(tmp_path: Path) -> None:
    switched = [
        line.removeprefix("# ") if " = " in line and line.startswith("# ") else line
        for line in settings_file().splitlines()[1:]
    ]
    file = tmp_path / "threadmill.toml"
    file.write_text("\n".join(switched), "utf-8")
    assert load_settings(file, {}) == Settings()
    assert {"fetch", "access", "crawl", "store"} <= tomllib.loads(file.read_text("utf-8")).keys()


def test_the_contact_is_set(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path / "w"), "--contact", "https://example.org/us"]) == 0
    assert "+https://example.org/us" in open_workspace(tmp_path / "w").settings.fetch.agent


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", str(tmp_path / "w")]) == 0
    assert main(["init", str(tmp_path / "w")]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["init", str(tmp_path / "v"), "--contact", 'a"b']) == 2
    assert not (tmp_path / "v").exists()
