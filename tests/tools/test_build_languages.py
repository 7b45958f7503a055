from pathlib import Path

import pytest

from tools import build_languages


def test_every_language_with_abbreviations_is_built() -> None:
    assert build_languages.read_additions().keys() <= set(build_languages.LANGUAGES)


def test_a_language_that_would_be_forgotten_is_told_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = tmp_path / "abbreviations.txt"
    words.write_text("# words\nde: usw bzw\nxx: etc\n")
    monkeypatch.setattr(build_languages, "ADDITIONS", words)
    monkeypatch.setattr(build_languages, "TARGET", tmp_path / "data" / "languages.json")
    assert build_languages.main() == 1
    assert "abbreviations.txt has xx, which LANGUAGES of the tool lacks" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [words]
