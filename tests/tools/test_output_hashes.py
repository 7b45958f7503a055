from pathlib import Path

import pytest

from tools import output_hashes


@pytest.mark.parametrize(("second", "said"), [(b"one", ""), (b"two", "  (differs)")])
def test_an_output_that_differs_from_an_earlier_run_is_told(
    second: bytes,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(output: bytes, *words: str) -> int:
        made = [("vert --lemma", lambda: output), ("dates --json", lambda: b"same")]
        monkeypatch.setattr(output_hashes, "commands", lambda *_: iter(made))
        monkeypatch.setattr("sys.argv", ["output_hashes", "--data", str(tmp_path), *words])
        monkeypatch.chdir(tmp_path)  # the tool goes elsewhere, and the test comes back
        return output_hashes.main()

    assert run(b"one") == 0
    before = tmp_path / "before.txt"
    before.write_text(capsys.readouterr().out)
    assert run(second, "--compare", str(before)) == bool(said)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(f"  vert --lemma{said}")
    assert lines[1].endswith("  dates --json")
