"""Runs tests against mutants inside one process: tests are collected once, each mutant gets a fork.

`tools/mutate.py` starts this module as a pytest plugin in a copy of the project. A fork replaces the code of
the changed functions and runs the chosen tests. So a mutant costs the time of its tests, no start of Python.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import json
import math
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from tools.mutate import Mutant, find_mutant
from tools.mutation_reach import (
    Block,
    Reach,
    block_around,
    compile_with_probes,
    find_blocks,
    functions_of,
    load_with_probes,
    ran,
)
from tools.mutation_tests import TestChoice

# Seconds by the clock in which a fork may end no test; others may be using the machine. A test that waits so
# long has noticed the change if it ends in a fifth of the time without.
WAIT, QUICKER = 60.0, 5
MAX_CPU = 3000  # seconds of computing of a fork, whatever its tests may take
# Seconds of computing of a test, and times those it took before: a change may have made a loop endless.
MOST_CPU, CPU_FACTOR = 12.0, 4
PASSED, FAILED, ENDLESS = "passed", "failed", "endless"


@dataclass(slots=True)
class ForkResult:
    """What a fork said before it ended."""

    outcome: str
    test: str = ""  # the one that failed, or that was running
    data: dict[str, Any] = field(default_factory=dict)
    passed: list[dict[str, Any]] = field(default_factory=list)  # of each test that passed: seconds, blocks

    @property
    def seconds(self) -> dict[str, float]:
        """How long each test took that passed."""
        return {line["passed"]: line["seconds"] for line in self.passed}


class MutationRun:
    """A pytest plugin whose test loop tries every mutant."""

    def __init__(
        self,
        folder: Path,
        mutants: list[Mutant],
        report: Callable[[Mutant, str, int], None],
        seconds: float,
        most_seconds: float = math.inf,
    ) -> None:
        self._folder = folder
        self._mutants = mutants
        self._report = report
        self._seconds = seconds  # of computing for the tests of one mutant
        self._end = time.monotonic() + most_seconds
        self._items: dict[str, pytest.Item] = {}
        self._code: LoadedCode
        self._reach = Reach(folder / "reached.jsonl", Path.cwd())
        self._ran_at_import: set[int] = set()  # the functions that ran while modules were imported
        self._prepared: list[int] = []
        self._packages = sorted({_package_of(mutant.file) for mutant in mutants})
        load_with_probes(Path("src").resolve(), self._packages)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out tests on PostgreSQL: its server would outlive a fork, and SQLite runs the same tests."""
        items[:] = [item for item in items if "postgres" not in item.nodeid]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the mutants."""
        for package in self._packages:
            import_all(Path("src"), package)  # what a fork imports first would be unchanged
        self._ran_at_import = functions_of(ran)
        self._items = {item.nodeid: item for item in session.items}
        choice = TestChoice(Path.cwd(), list(self._items))
        choice.seconds |= self._reach.seconds
        self._code = LoadedCode()
        gc.freeze()  # a fork would search all of it for garbage again and again, and copy it thereby
        for mutant in self._mutants:
            if time.monotonic() > self._end:
                break
            block = find_block(mutant)
            killer, asked = self._find_killer(mutant, block, choice)
            if asked and not killer and block.function in self._ran_at_import:  # what it made is still in use
                killer = "in a new process" if self._fails_in_new_process(mutant, asked) else ""
            self._report(mutant, killer, len(asked))
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self) -> None:
        """What ran until now prepared the test: others of its file may share it."""
        self._prepared = list(ran)
        ran.clear()

    def _fails_in_new_process(self, mutant: Mutant, tests: list[str]) -> bool:
        """Whether a test fails when Python starts with the changed source, and passes without the change."""
        source = self._folder / "changed" / "src"
        if not source.exists():
            shutil.copytree("src", source)
        file = source.parent / mutant.file
        try:
            file.write_text(ast.unparse(find_mutant(Path(mutant.file), mutant.number)[0]), encoding="utf-8")
            if not _fails(source, tests):
                return False
        finally:
            shutil.copy(mutant.file, file)
        return not _fails(source, tests)

    def _find_killer(self, mutant: Mutant, block: Block, choice: TestChoice) -> tuple[str, list[str]]:
        """The test that notices the change, or nothing, and the tests that were asked.

        The test must pass without the change right after.
        """
        ranked = self._rank(mutant, block, choice)
        asked: list[str] = []
        seconds = self._seconds
        while ranked and seconds > 0:
            trial = functools.partial(self._try, mutant, ranked, seconds, choice.seconds)
            result = run_in_fork(trial, MAX_CPU, WAIT)
            self._note(result, choice)
            asked += result.seconds
            seconds -= sum(result.seconds.values())
            if result.outcome == PASSED or not result.test:
                break
            again = functools.partial(self._try, None, [result.test], seconds, choice.seconds)
            unchanged = run_in_fork(again, MAX_CPU, WAIT / QUICKER if result.outcome == ENDLESS else WAIT)
            self._note(unchanged, choice)
            if unchanged.outcome == PASSED:
                return result.test, [*asked, result.test]
            ranked = ranked[ranked.index(result.test) + 1 :]
        return "", asked

    def _rank(self, mutant: Mutant, block: Block, choice: TestChoice) -> list[str]:
        """The tests to ask: the nearest first, without those that are known not to run the changed block.

        These come last if the changed function ran while modules were imported.
        """
        ranked = choice.rank(mutant.file)
        others = [test for test in ranked if self._reach.reaches(test, block) is False]
        left_out = set(others)
        asked = [test for test in ranked if test not in left_out]
        return asked + others if block.function in self._ran_at_import else asked

    def _note(self, result: ForkResult, choice: TestChoice) -> None:
        choice.seconds |= result.seconds
        for line in result.passed:
            if "ran" in line:
                self._reach.note(line["passed"], line["seconds"], line["prepared"], line["ran"])

    def _try(
        self, mutant: Mutant | None, tests: list[str], seconds: float, known: dict[str, float], say: Say
    ) -> None:
        changed = None
        if mutant is not None:
            changed = find_block(mutant).function
            self._code.replace(mutant, forget=changed in self._ran_at_import)
        items = [self._items[test] for test in tests]
        end = computing_time() + seconds
        for item, following in zip(items, [*items[1:], None], strict=True):
            begin = computing_time()
            say({"running": item.nodeid})
            limit_cpu(MOST_CPU + CPU_FACTOR * known.get(item.nodeid, 0.0))
            ran.clear()
            self._prepared = []
            if not _passes(item, following):
                say({"failed": item.nodeid})
                return
            now = computing_time()
            line = {"passed": item.nodeid, "seconds": round(now - begin, 3)}
            if not self._reach.knows(item.nodeid) and changed not in functions_of((*ran, *self._prepared)):
                line |= {"prepared": sorted(self._prepared), "ran": sorted(ran)}
            say(line)
            if now >= end:
                item.session._setupstate.teardown_exact(None)
                return


Say = Callable[[dict[str, Any]], None]


def computing_time() -> float:
    """Seconds that this process and those it has started and awaited have computed."""
    return sum(os.times()[:4])


def limit_cpu(seconds: float) -> None:
    """Let the next test compute for so long."""
    soft = math.ceil(time.process_time() + seconds)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (min(soft, hard), hard))


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    from _pytest.runner import runtestprotocol

    reports = runtestprotocol(item, log=False, nextitem=following)
    failed = any(report.failed for report in reports)
    if failed:
        with contextlib.suppress(Exception):
            item.session._setupstate.teardown_exact(None)
    return not failed


def _fails(source: Path, tests: list[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", "0"]
    command += ["--timeout", "0", *tests]  # a busy machine must not look like a change that was noticed
    environment = {
        **os.environ,
        "PYTHONPATH": f"{source}:{Path.cwd()}",
        "PYTHONDONTWRITEBYTECODE": "1",  # two changes in one second would share a compiled file
    }
    try:
        done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=3600)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode in {1, 2}  # a test failed, or the module cannot be imported


class LoadedCode:
    """The functions and the remembered results of this process."""

    def __init__(self) -> None:
        self._functions: dict[str, list[FunctionType]] = {}
        self._caches: list[functools._lru_cache_wrapper[Any]] = []
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType):
                self._functions.setdefault(thing.__code__.co_filename, []).append(thing)
            elif isinstance(thing, functools._lru_cache_wrapper):
                self._caches.append(thing)

    def replace(self, mutant: Mutant, *, forget: bool = True) -> None:
        """Give every function of the changed file its new code; forget results that the old one made."""
        path = str(Path.cwd() / mutant.file)
        tree, _ = find_mutant(Path(path), mutant.number)
        code_of_file = compile_with_probes(tree, _blocks_of_mutant(mutant, tree), path)
        new = {(code.co_qualname, code.co_firstlineno): code for code in _codes(code_of_file)}
        for function in self._functions.get(path, []):
            code = new.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
            if code is not None and len(code.co_freevars) == len(function.__code__.co_freevars):
                function.__code__ = code
        for cache in self._caches if forget else ():
            cache.cache_clear()


def import_all(source: Path, package: str) -> None:
    """Import every module of a package whose libraries are here."""
    for file in sorted((source / package).rglob("*.py")):
        if file.stem != "__main__":
            with contextlib.suppress(ImportError):
                import_module(
                    ".".join(file.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
                )


def _package_of(file: str) -> str:
    """The folder of a file's room: threadmill/forum."""
    return "/".join(Path(file).parts[1:3])


def _blocks_of_mutant(mutant: Mutant, tree: ast.Module) -> list[Block]:
    """The blocks of a changed file, with the numbers that they have without the change."""
    unchanged = ast.parse(Path(mutant.file).read_text(encoding="utf-8"))
    numbers = (block.number for block in find_blocks(unchanged, mutant.file))
    blocks = (block.statements for block in find_blocks(tree, mutant.file))
    return [Block(number, statements) for number, statements in zip(numbers, blocks, strict=True)]


def find_block(mutant: Mutant) -> Block:
    """The block that was changed."""
    tree, (node, _) = find_mutant(Path(mutant.file), mutant.number)
    return block_around(_blocks_of_mutant(mutant, tree), node)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def run_in_fork(work: Callable[[Say], None], cpu: int, wait: float) -> ForkResult:
    """Do some work in a fork with a limit of computing time and one of waiting time."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _be_child(work, writing, cpu)
    os.close(writing)
    text, ended = _read_all(reading, wait)
    if not ended:
        _kill_group(child)
    _, status = os.waitpid(child, 0)
    _kill_group(child)  # what it has started and left behind
    return _result(text, ended and os.waitstatus_to_exitcode(status) == 0)


def _kill_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _be_child(work: Callable[[Say], None], writing: int, cpu: int) -> None:
    code = 1
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            work(lambda words: print(json.dumps(words), file=pipe, flush=True))
        code = 0
    finally:
        os._exit(code)


def _read_all(reading: int, wait: float) -> tuple[str, bool]:
    """What the fork wrote, and whether it ended. It must write something in each `wait` seconds."""
    end = time.monotonic() + wait
    parts: list[bytes] = []
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while (left := end - time.monotonic()) > 0:
            if not select.select([pipe], [], [], left)[0]:
                break
            part = pipe.read(65536)
            if not part:
                return b"".join(parts).decode("utf-8"), True
            parts.append(part)
            end = time.monotonic() + wait
    return b"".join(parts).decode("utf-8"), False


def _result(text: str, ended: bool) -> ForkResult:
    lines = [json.loads(line) for line in text.split("\n")[:-1]]
    running = next((line["running"] for line in reversed(lines) if "running" in line), "")
    failed = next((line["failed"] for line in reversed(lines) if "failed" in line), "")
    passed = [line for line in lines if "passed" in line]
    if failed:
        return ForkResult(FAILED, failed, passed=passed)
    if not ended:
        return ForkResult(ENDLESS, running, passed=passed)
    return ForkResult(PASSED, running, lines[-1] if lines else {}, passed)
