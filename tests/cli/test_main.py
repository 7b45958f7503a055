import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from threadmill.cli import COMMANDS, main, make_parser, overview
from threadmill.errors import StoreError


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(command in out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_in_its_help(command: str) -> None:
    parser, module = make_parser(command)
    assert f"threadmill {command}" in module.EXAMPLES
    assert " ".join(module.EXAMPLES.split()) in " ".join(parser.format_help().split())
    examples = [line for line in module.EXAMPLES.splitlines() if line.startswith("  threadmill")]
    assert set(examples) <= set(parser.format_help().splitlines()), "an example is copied, so it is one line"


def test_an_unknown_command_is_one_sentence_and_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frobnicate"]) == 2
    err = capsys.readouterr().err
    assert "no command 'frobnicate'" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["crwl"], "crawl"),
        (["Crawl"], "crawl"),
        (["crawl", "https://forum.example.org/", "--bord", "x"], "--board"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_what_was_meant(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert f"(did you mean {meant}?)" in capsys.readouterr().err


def test_a_refused_connection_is_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crawl", "http://127.0.0.1:9/", "--workspace", str(tmp_path / "w")]) == 1
    assert capsys.readouterr().err == "threadmill: no connection to 127.0.0.1:9: connection refused\n"


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from threadmill.cli import main; main(['--help']); "
        "print(sorted({'rich', 'sqlalchemy', 'aiohttp', 'turbohtml', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def fail_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> int:
        raise error

    monkeypatch.setattr("threadmill.cli.pages.dates.run", fail)


def test_an_error_of_the_system_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(OSError(28, "No space left on device", "posts.jsonl"), monkeypatch)
    assert main(["dates", "today"]) == 1
    said = capsys.readouterr().err
    assert said == "threadmill: no space left on device (posts.jsonl). Fix this and retry.\n"


def test_an_interruption_says_how_to_continue(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(KeyboardInterrupt(), monkeypatch)
    assert main(["dates", "today"]) == 130
    assert "run the same command again to continue" in capsys.readouterr().err


@pytest.mark.parametrize("error", [OSError(28, "No space left"), StoreError("no database")])
def test_debugging_shows_the_traceback(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THREADMILL_DEBUG", "1")
    fail_with(error, monkeypatch)
    with pytest.raises(type(error)):
        main(["dates", "today"])


def test_an_error_of_ours_ends_with_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(StoreError("no database"), monkeypatch)
    assert main(["dates", "today"]) == 1
    assert capsys.readouterr().err == "threadmill: no database\n"


@pytest.mark.parametrize("words", [[], ["-h"], ["help"]])
def test_help_has_three_names(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("usage: threadmill COMMAND")


def test_help_texts_keep_their_promises_about_the_environment() -> None:
    assert "THREADMILL_DEBUG=1 shows tracebacks. THREADMILL_PURE=1 uses no compiled code." in overview()


@pytest.mark.parametrize("command", COMMANDS)
def test_sentences_of_the_help_fit_eighty_columns(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples and lists of choices stay whole."""
    monkeypatch.setenv("COLUMNS", "80")
    lines = make_parser(command)[0].format_help().splitlines()
    wide = [
        line for line in lines if len(line) > 80 and not {"threadmill", "{", "["}.intersection(line.split())
    ]
    assert not [line for line in wide if "{" not in line and "curl" not in line and "…" not in line]


def test_the_overview_fits_eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, overview().splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "own", "others"),
    [
        (["query", "find"], "--show", "--reference"),
        (["vert", "convert"], "--from", "--wiki"),
        (["template", "show"], "--site", "--output"),
        (["evaluate", "forums"], "--recordings", "--held-out"),
        (["forum", "posts"], "--now", "--yes"),
    ],
)
def test_the_help_of_a_verb_is_about_this_verb(
    words: list[str], own: str, others: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    told = capsys.readouterr().out
    assert told.startswith(f"usage: threadmill {' '.join(words)} ")
    assert own in told
    assert others not in told


def parsers_of(name: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for task, inner in action.choices.items():
                yield from parsers_of(f"{name} {task}", inner)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_each_task_and_each_option_is_for(command: str) -> None:
    for name, parser in parsers_of(command, make_parser(command)[0]):
        assert parser.description, name
        options = [one for one in parser._actions if not isinstance(one, argparse._SubParsersAction)]
        assert not [one.dest for one in options if not one.help], name
