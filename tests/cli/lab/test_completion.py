import shutil
import subprocess

import pytest

from threadmill.cli import COMMANDS, main


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def test_bash_completes_commands_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    source = script("bash", capsys)

    def complete(*words: str) -> list[str]:
        line = " ".join(f"'{word}'" for word in words)
        asked = (
            f"{source}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _threadmill; echo ${{COMPREPLY[*]}}"
        )
        done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert complete("threadmill", "cra") == ["crawl"]
    assert complete("threadmill", "crawl", "--cook") == ["--cookies"]
    assert complete("threadmill", "sites", "comp") == ["compare"]
    assert complete("threadmill", "posts", "x") == []


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_know_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = script(shell, capsys)
    assert all(command in source for command in COMMANDS)
    assert "pseudonyms" in source
    if shutil.which(shell):
        subprocess.run([shell, "-n", "/dev/stdin"], input=source, text=True, check=True)
