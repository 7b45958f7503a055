"""A mutant is tried in a fork of the process that collected the tests."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from types import ModuleType

import pytest

from tools.mutate import Mutant
from tools.mutation_run import ENDLESS, FAILED, PASSED, LoadedCode, Say, limit_cpu, run_in_fork

SOURCE = """
from functools import cache

def is_large(number):
    return number > 3

@cache
def double(number):
    return number + number

class Box:
    def size(self):
        return 1
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that was imported from the folder in which mutants are tried."""
    file = tmp_path / "boxes.py"
    file.write_text(SOURCE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("boxes", file)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    monkeypatch.chdir(tmp_path)
    return found


@pytest.mark.parametrize(
    ("number", "results"),
    [(2, (True, 4, 1)), (5, (False, 0, 1)), (7, (False, 4, 2))],  # border moved, other operator, other value
)
def test_functions_and_methods_get_the_code_they_have_with_the_change(
    module: ModuleType, number: int, results: tuple[bool, int, int]
) -> None:
    assert (module.is_large(3), module.double(2), module.Box().size()) == (False, 4, 1)
    LoadedCode().replace(Mutant("", "boxes.py", number, 0, ""))
    assert (module.is_large(3), module.double(2), module.Box().size()) == results


def test_a_fork_tells_what_it_found_and_which_test_failed() -> None:
    assert run_in_fork(lambda say: say({"answer": 42}), 10, 60.0).data == {"answer": 42}

    def fail(say: Say) -> None:
        say({"running": "test_a"})
        say({"failed": "test_a"})

    found = run_in_fork(fail, 10, 60.0)
    assert (found.outcome, found.test) == (FAILED, "test_a")


def test_a_fork_that_never_ends_is_stopped_and_names_the_test_it_was_in() -> None:
    def wait(say: Say) -> None:
        say({"running": "test_a"})
        time.sleep(600)

    found = run_in_fork(wait, 10, 0.5)
    assert (found.outcome, found.test) == (ENDLESS, "test_a")


def test_a_test_that_computes_without_end_is_stopped() -> None:
    def loop(say: Say) -> None:
        say({"running": "test_a"})
        limit_cpu(0.5)
        while True:
            pass

    found = run_in_fork(loop, 1000, 600.0)
    assert (found.outcome, found.test) == (ENDLESS, "test_a")


def test_what_a_fork_changes_stays_there() -> None:
    seen: list[int] = []
    assert run_in_fork(lambda _: seen.append(1), 10, 60.0).outcome == PASSED
    assert not seen
