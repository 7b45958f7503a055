import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from threadmill.cli import COMMANDS, main

OF_FORUM_LEARN = ["--verbose", "--debug", "--log-json", "--help", "--output", "--on", "--processes"]


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
    assert complete("threadmill", "posts", "--format", "") == ["jsonl", "csv", "parquet"]
    assert complete("threadmill", "forum", "") == ["inspect", "posts", "page", "learn", "model", "correct"]
    assert complete("threadmill", "worker", "co") == ["collect"]
    assert complete("threadmill", "report", "--chart", "") == []  # a file
    assert complete("threadmill", "crawl", "--verb") == ["--verbose"]
    assert complete("threadmill", "forum", "learn", "page.html", "--") == OF_FORUM_LEARN
    assert complete("threadmill", "archive", "show", "--js") == []  # an option of another verb
    assert complete("threadmill", "crawl", "posts", "--pseud") == []  # no command: a word further on


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_know_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = script(shell, capsys)
    assert all(command in source for command in COMMANDS)
    assert "pseudonyms" in source
    if shutil.which(shell):
        subprocess.run([shell, "-n", "/dev/stdin"], input=source, text=True, check=True)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("threadmill cra", ["crawl"]),
        ("threadmill crawl --max-p", ["--max-pages"]),
        ("threadmill posts --format ", ["csv", "jsonl", "parquet"]),
        ("threadmill forum ", ["correct", "inspect", "learn", "model", "page", "posts"]),
        ("threadmill archive com", ["compact"]),
        ("threadmill forum learn page.html --", sorted(OF_FORUM_LEARN)),
        ("threadmill crawl posts --pseud", []),
    ],
)
@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed: apt-get install fish")
def test_fish_completes(line: str, offered: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    asked = f"{script('fish', capsys)}\ncomplete -C '{line}'"
    done = subprocess.run(["fish", "-c", asked], capture_output=True, text=True, check=True)
    assert [found.partition("\t")[0] for found in done.stdout.splitlines() if found] == offered


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed: apt-get install zsh")
def test_zsh_completes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A shell in a terminal of its own, a line and the Tab key."""
    (tmp_path / "_threadmill").write_text(script("zsh", capsys))
    lines = [
        "threadmill cra",
        "threadmill archive com",
        "threadmill posts --format p",
        "threadmill forum cor",
        "threadmill forum learn page.html --proc",
    ]
    shell, screen = pty.fork()
    if shell == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb"})  # noqa: S606
    shown = ""

    def type_and_wait(text: str, wanted: str) -> None:
        nonlocal shown
        shown = ""
        os.write(screen, text.encode())
        until = time.monotonic() + 20
        while wanted not in shown and time.monotonic() < until:
            if select.select([screen], [], [], 0.2)[0]:
                shown += os.read(screen, 4096).decode(errors="replace")

    set_up = f"fpath=({tmp_path} $fpath); autoload -Uz compinit; compinit -u -D; print REA''DY\n"
    type_and_wait(set_up, "READY")
    for line, whole in zip(lines, ["crawl", "compact", "parquet", "correct", "--processes"], strict=True):
        type_and_wait(f"{line}\t", whole)
        assert whole in shown, line
        os.write(screen, b"\x15")  # clears the line
    os.write(screen, b"exit\n")
    os.close(screen)
    os.waitpid(shell, 0)
