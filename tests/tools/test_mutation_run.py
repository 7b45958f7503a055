"""A mutant is tried in a fork of the process that collected the tests."""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from tools.mutate import Mutant
from tools.mutation_reach import functions_of
from tools.mutation_run import (
    ENDLESS,
    FAILED,
    PASSED,
    LoadedCode,
    MutationRun,
    Say,
    find_block,
    limit_cpu,
    run_in_fork,
)
from tools.mutation_tests import TestChoice

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


def test_a_fork_may_take_long_while_it_says_something() -> None:
    def work(say: Say) -> None:
        for _ in range(4):
            time.sleep(0.3)
            say({"answer": 42})

    assert run_in_fork(work, 10, 0.9).outcome == PASSED


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MutationRun:
    """One mutant of a small project; of two of its three tests it is known what they run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    source = "def is_large(n):\n    if n > 3:\n        return True\n    return False\n"
    files = {
        "src/threadmill/forum/boxes.py": source,
        "tests/forum/test_boxes.py": "from threadmill.forum.boxes import is_large",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    file = "src/threadmill/forum/boxes.py"
    mutant = Mutant("forum", file, 4, 3, "returns None: return True")
    made = MutationRun(tmp_path, [mutant], lambda *_: None, 30.0)
    inside = find_block(mutant).number
    outside = find_block(Mutant("forum", file, 0, 2, "")).number
    made._reach.note("tests/forum/test_boxes.py::small", 0.1, [], [outside])
    made._reach.note("tests/forum/test_boxes.py::large", 0.2, [], [outside, inside])
    return made


def test_tests_that_are_known_not_to_run_the_changed_block_are_not_asked(run: MutationRun) -> None:
    (mutant,) = run._mutants
    tests = [f"tests/forum/test_boxes.py::{name}" for name in ("new", "small", "large")]
    choice = TestChoice(Path.cwd(), tests)
    assert set(run._rank(mutant, find_block(mutant), choice)) == {tests[0], tests[2]}
    run._ran_at_import = functions_of(
        [find_block(mutant).number]
    )  # what it made then may be seen by any test
    assert run._rank(mutant, find_block(mutant), choice)[2:] == [tests[1]]
