"""Runs tests against mutants inside one process: tests are collected once, each mutant gets a fork.

`tools/mutate.py` starts this module as a pytest plugin in a copy of the project. A fork replaces the code of
the changed functions and runs the chosen tests. So a mutant costs the time of its tests, no start of Python.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import hashlib
import json
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
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from tools.mutate import Baseline, Mutant, find_mutant

WAIT = 900.0  # seconds that a fork may wait, by the clock; others may be using the machine
CPU_START, CPU_FACTOR = 8, 6  # seconds of computing of a test, and times those it took before the change
MAX_CPU = 3000  # seconds of computing of a fork, whatever its tests may take
FRESH_SECONDS = (
    20.0  # of tests in a new process. Few changes need one, and each mutant that survives gets one
)
PASSED, FAILED, ENDLESS = "passed", "failed", "endless"


@dataclass(slots=True)
class ForkResult:
    """What a fork said before it ended."""

    outcome: str
    test: str = ""  # the one that failed, or that was running
    data: dict[str, Any] = field(default_factory=dict)


class MutationRun:
    """A pytest plugin whose test loop measures the tests and then tries every mutant."""

    def __init__(
        self,
        folder: Path,
        rooms: list[str],
        mutants: list[Mutant],
        report: Callable[[Mutant, str, int], None],
    ) -> None:
        self._folder = folder
        self._rooms = rooms
        self._mutants = mutants
        self._report = report
        self._items: dict[str, pytest.Item] = {}
        self._source = _hash_source()  # lines move when the source changes

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out tests on PostgreSQL: its server would outlive a fork, and SQLite runs the same tests."""
        items[:] = [item for item in items if "postgres" not in item.nodeid]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure what is not measured yet, then try the mutants."""
        self._items = {item.nodeid: item for item in session.items}
        baseline = self._measure()
        for mutant in self._mutants:
            tests = baseline.choose(mutant)
            killer = self._find_killer(mutant, tests, baseline)
            if (
                tests
                and not killer
                and self._fails_in_new_process(mutant, baseline.first_tests(tests, FRESH_SECONDS))
            ):
                killer = (
                    "in a new process"  # the change is in what runs at import, or a test starts a program
                )
            self._report(mutant, killer, len(tests))
        return True

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

    def _measure(self) -> Baseline:
        tests: dict[tuple[str, int], list[str]] = {}
        seconds: dict[str, float] = {}
        for file, items in _by_file(self._items.values()):
            record = self._measure_file(file, items)
            for test, found in record.items():
                seconds[test] = found["seconds"]
                for name, lines in found["lines"].items():
                    for line in lines:
                        tests.setdefault((name, line), []).append(test)
        return Baseline(tests, seconds)

    def _measure_file(self, file: Path, items: list[pytest.Item]) -> dict[str, Any]:
        """Seconds and lines of each test of a file that passes, kept for the next run."""
        about = json.dumps([*self._rooms, file.name]).encode() + file.read_bytes() + self._source
        key = hashlib.sha256(about).hexdigest()[:16]
        kept = self._folder / "baseline" / f"{key}.json"
        if not kept.exists():
            print(f"measuring {file.name}", file=sys.stderr, flush=True)
            result = run_in_fork(lambda say: _measure_items(items, self._rooms, say), 6000, 4 * WAIT)
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(json.dumps(result.data), encoding="utf-8")
        record: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        return {test: found for test, found in record.items() if test in self._items}

    def _find_killer(self, mutant: Mutant, tests: list[str], baseline: Baseline) -> str:
        """The test that notices the change, or nothing. It must pass without the change right after."""
        if not tests:
            return ""
        asked = list(tests)
        while asked:
            result = run_in_fork(functools.partial(self._try, mutant, asked, baseline), MAX_CPU, WAIT)
            if result.outcome == PASSED or not result.test:
                return ""
            again = run_in_fork(functools.partial(self._try, None, [result.test], baseline), MAX_CPU, WAIT)
            if again.outcome == PASSED:
                return result.test
            asked = [test for test in asked if test != result.test]
        return ""

    def _try(self, mutant: Mutant | None, tests: list[str], baseline: Baseline, say: Say) -> None:
        if mutant is not None:
            replace_code(mutant)
        items = [self._items[test] for test in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            say({"running": item.nodeid})
            limit_cpu(baseline.seconds[item.nodeid])
            if not _passes(item, following):
                say({"failed": item.nodeid})
                return


Say = Callable[[dict[str, Any]], None]


def limit_cpu(seconds: float) -> None:
    """Let the next test compute some times as long as without a change: a loop may have lost its end."""
    soft = int(time.process_time() + CPU_START + CPU_FACTOR * seconds)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (min(soft, hard), hard))


def _hash_source() -> bytes:
    whole = hashlib.sha256()
    for file in sorted(Path("src").rglob("*.py")):
        whole.update(file.read_bytes())
    return whole.digest()


def _by_file(items: Any) -> Iterator[tuple[Path, list[pytest.Item]]]:
    found: dict[Path, list[pytest.Item]] = {}
    for item in items:
        found.setdefault(item.path, []).append(item)
    yield from found.items()


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    from _pytest.runner import runtestprotocol

    reports = runtestprotocol(item, log=False, nextitem=following)
    failed = any(report.failed for report in reports)
    if failed:
        with contextlib.suppress(Exception):
            item.session._setupstate.teardown_exact(None)
    return not failed


def _measure_items(items: list[pytest.Item], rooms: list[str], say: Say) -> None:
    """Run the tests of one file with coverage of the rooms that are changed, each under its own name."""
    import coverage

    root = Path.cwd()
    source = [str(root / "src/threadmill" / room) for room in rooms]
    cover = coverage.Coverage(data_file=None, source=source, branch=False, config_file=False)
    cover.start()
    found: dict[str, Any] = {}
    for item, following in zip(items, [*items[1:], None], strict=True):
        cover.switch_context(item.nodeid)
        begin = time.process_time()
        if _passes(item, following):
            found[item.nodeid] = {"seconds": round(time.process_time() - begin, 3), "lines": {}}
    cover.stop()
    data = cover.get_data()
    for name in data.measured_files():
        for line, tests in data.contexts_by_lineno(name).items():
            for test in tests:
                if test in found:
                    short = Path(name).relative_to(root).as_posix()
                    found[test]["lines"].setdefault(short, []).append(line)
    say(found)


def _fails(source: Path, tests: list[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", "0"]
    command += ["--timeout", "0", *tests]  # a busy machine must not look like a change that was noticed
    environment = {
        **os.environ,
        "PYTHONPATH": f"{source}:{Path.cwd()}",
        "PYTHONDONTWRITEBYTECODE": "1",  # two changes in one second would share a compiled file
    }
    try:
        done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=4 * WAIT)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode in {1, 2}  # a test failed, or the module cannot be imported


def replace_code(mutant: Mutant) -> None:
    """Give every function of the changed file its new code, and forget remembered results."""
    path = str(Path.cwd() / mutant.file)
    tree, _ = find_mutant(Path(path), mutant.number)
    new = {(code.co_qualname, code.co_firstlineno): code for code in _codes(compile(tree, path, "exec"))}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == path:
            code = new.get((thing.__code__.co_qualname, thing.__code__.co_firstlineno))
            if code is not None and len(code.co_freevars) == len(thing.__code__.co_freevars):
                thing.__code__ = code
        elif isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()


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
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return _result(text, ended and os.waitstatus_to_exitcode(status) == 0)


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
    """What the fork wrote, and whether it ended in time."""
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
    return b"".join(parts).decode("utf-8"), False


def _result(text: str, ended: bool) -> ForkResult:
    lines = [json.loads(line) for line in text.split("\n")[:-1]]
    running = next((line["running"] for line in reversed(lines) if "running" in line), "")
    failed = next((line["failed"] for line in reversed(lines) if "failed" in line), "")
    if failed:
        return ForkResult(FAILED, failed)
    if not ended:
        return ForkResult(ENDLESS, running)
    return ForkResult(PASSED, running, lines[-1] if lines else {})
