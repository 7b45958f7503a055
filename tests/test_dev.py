import pytest

import dev

FAILS = ("first", ["python", "-c", "print('said'); raise SystemExit('and why')"])
PASSES = ("second", ["python", "-c", "print('fine')"])


def test_every_check_runs_and_those_that_failed_are_named(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "CHECKS", (FAILS, PASSES))
    assert dev.finish_checks(dev.start_checks()) == ["first"]
    said = capfd.readouterr().out
    assert all(word in said for word in ("said", "and why", "fine"))


def test_the_checks_run_without_a_test(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "set_up", lambda _: None)
    monkeypatch.setattr(dev, "CHECKS", (PASSES,))
    assert dev.main(["check"]) == 0
    assert capfd.readouterr().out.endswith("passed: every check\n")
    monkeypatch.setattr(dev, "CHECKS", (PASSES, FAILS))
    assert dev.main(["check"]) == 1
    assert capfd.readouterr().err == "dev.py: failed: first\n"


def test_the_exit_code_of_a_program_is_handed_on() -> None:
    assert dev.call(["python", "-c", "raise SystemExit(4)"]) == 4


def test_an_unknown_command_shows_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(["nothing"]) == 2
    usage = capsys.readouterr().out
    assert [command for command in dev.COMMANDS if f"\n  {command} " not in usage] == []
