"""Mutation testing: changes one small thing in the source, and asks whether a test fails.

    python3 dev.py run python tools/mutate.py forum sites crawl dates --count 300 --seed 1

Each mutant is one random change in a copy of the project: a flipped comparison, another constant, a
statement left out. Only the tests that run the changed line are asked. A mutant that no test notices has
survived: there a test is missing, or the code does nothing. The last line gives the share that was killed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("src", "tests", "tools", "bench", "docs", "pyproject.toml", "dev.py", "README.md")
MAX_TESTS = 80  # of those that run a line: more would take minutes and rarely add anything
MAX_SECONDS = 60.0  # of tests for one mutant, by their time in the run that measures coverage
# pytest's exit codes
TESTS_FAILED, NOT_COLLECTED, UNKNOWN_TEST = 1, 2, 4
# A mutant that never ends is noticed: it takes several times as long as its tests took before the change.
# Those ran with coverage, which doubles their time. So a slow machine alone makes no mutant look noticed.
PATIENCE, START_UP = 4.0, 60.0
_NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_BORDER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file."""

    file: str  # relative to the root
    line: int
    what: str
    source: str  # the whole file with the change


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the tests do before anything is changed."""

    tests: dict[tuple[str, int], list[str]]  # file and line → the tests that run it
    seconds: dict[str, float]  # of each test

    def choose(self, mutant: Mutant) -> list[str]:
        """The tests to ask about a mutant: those of the module's own test file first, then the quick ones."""
        own = f"test_{Path(mutant.file).stem}.py"
        found = set(self.tests.get((mutant.file, mutant.line), []))
        ranked = sorted(found, key=lambda test: (own not in test, self.seconds.get(test, 0.0), test))
        chosen: list[str] = []
        left = MAX_SECONDS
        for test in ranked[:MAX_TESTS]:
            left -= self.seconds.get(test, 0.0)
            if chosen and left < 0:
                break
            chosen.append(test)
        return chosen

    def limit(self, tests: list[str]) -> float:
        """Seconds after which a run of these tests never ends."""
        return START_UP + PATIENCE * sum(self.seconds.get(test, 0.0) for test in tests)


def main() -> int:
    """Draw mutants, try them, print what survived."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rooms", nargs="+", help="rooms of src/threadmill, such as forum or crawl/forum")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write the result here")
    options = parser.parse_args()
    mutants = draw_mutants(options.rooms, options.count, options.seed)
    with tempfile.TemporaryDirectory() as name:
        copies = [make_copy(Path(name) / str(number)) for number in range(options.workers)]
        baseline = measure_baseline(copies[0], options.rooms)
        survivors = try_all(mutants, copies, baseline)
    killed = len(mutants) - len(survivors)
    for mutant, tests in sorted(survivors, key=lambda found: (found[0].file, found[0].line)):
        print(f"survived: {mutant.file}:{mutant.line}: {mutant.what} ({tests} tests were asked)")
    print(f"killed {killed} of {len(mutants)} mutants: {killed / max(1, len(mutants)):.3f}")
    if options.json:
        result = {"killed": killed, "mutants": len(mutants), "rooms": options.rooms, "seed": options.seed}
        options.json.write_text(json.dumps(result) + "\n", encoding="utf-8")
    return 0


def draw_mutants(rooms: list[str], count: int, seed: int) -> list[Mutant]:
    """Random mutants, each possible change of the rooms equally likely."""
    files = sorted({file for room in rooms for file in (ROOT / "src/threadmill" / room).rglob("*.py")})
    sites = [(file, number) for file in files for number in range(count_changes(file.read_text("utf-8")))]
    chosen = random.Random(seed).sample(sites, min(count, len(sites)))
    return [make_mutant(file, number) for file, number in chosen]


def make_mutant(file: Path, number: int) -> Mutant:
    """The mutant of a file with its change of this number."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for position, (node, word, apply) in enumerate(find_changes(tree)):
        if position == number:
            what = f"{word}: {ast.unparse(node).splitlines()[0][:70]}"
            apply()
            source = ast.unparse(ast.fix_missing_locations(tree))
            return Mutant(file.relative_to(ROOT).as_posix(), getattr(node, "lineno", 0), what, source)
    raise IndexError(number)


def count_changes(source: str) -> int:
    """How many changes are possible in a file."""
    return sum(1 for _ in find_changes(ast.parse(source)))


def find_changes(tree: ast.Module) -> Iterator[tuple[ast.AST, str, Change]]:
    """Every possible change inside functions: of which node, a word for it, and how to do it to this tree."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in function.body:
                if not _is_docstring(statement):
                    for node in _walk_own(statement):
                        yield from _changes_of(node)


class Change:
    """Replaces attributes of a node in place."""

    def __init__(self, node: ast.AST, **values: object) -> None:
        self._node = node
        self._values = values

    def __call__(self) -> None:
        for name, value in self._values.items():
            setattr(self._node, name, value)


class Drop:
    """Turns a statement into `pass`, or an expression into another one."""

    def __init__(self, node: ast.AST, replacement: ast.AST) -> None:
        self._node = node
        self._replacement = replacement

    def __call__(self) -> None:
        self._node.__class__ = self._replacement.__class__
        self._node.__dict__.update(self._replacement.__dict__)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _walk_own(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is in it, without inner functions (they come by themselves) and annotations."""
    yield node
    for field, child in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list"}:
            continue
        for inner in child if isinstance(child, list) else [child]:
            if isinstance(inner, ast.AST) and not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _walk_own(inner)


def _changes_of(node: ast.AST) -> Iterator[tuple[ast.AST, str, Change]]:  # noqa: C901 -- one case a kind of node
    if isinstance(node, ast.Compare):
        for table, word in ((_NEGATED, "negated"), (_BORDER, "border moved")):
            if type(node.ops[0]) in table:
                ops = [table[type(node.ops[0])](), *node.ops[1:]]
                yield node, word, Change(node, ops=ops)
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        yield node, "other operator", Change(node, op=_ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, "and ↔ or", Change(node, op=other)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, "not left out", Drop(node, copy.copy(node.operand))  # type: ignore[misc]
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, "other value", Change(node, value=not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield node, "other value", Change(node, value=node.value + 1)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        negated = ast.UnaryOp(ast.Not(), node.test)
        yield node, "condition negated", Change(node, test=negated)
    elif isinstance(node, ast.Return) and node.value is not None:
        yield node, "returns None", Change(node, value=ast.Constant(None))
    elif (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)) or isinstance(node, ast.AugAssign):
        yield node, "left out", Drop(node, ast.Pass())  # type: ignore[misc]
    elif isinstance(node, ast.Break | ast.Continue):
        other_jump = ast.Continue() if isinstance(node, ast.Break) else ast.Break()
        yield node, "break ↔ continue", Drop(node, other_jump)  # type: ignore[misc]


def make_copy(folder: Path) -> Path:
    """A copy of the project to change files in."""
    folder.mkdir(parents=True)
    for name in COPIED:
        origin = ROOT / name
        if origin.is_dir():
            shutil.copytree(origin, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(origin, folder / name)
    return folder


def run_pytest(folder: Path, words: list[str], timeout: float | None = None) -> int:
    """The exit code of pytest in a copy; 1 when it takes too long."""
    paths = f"{folder / 'src'}:{folder}"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", "0", *words]
    environment = {"PYTHONPATH": paths, "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "CI": "true"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        return 1
    return done.returncode


def measure_baseline(folder: Path, rooms: list[str]) -> Baseline:
    """Run the tests of the rooms once with coverage."""
    tests = [f"tests/{room}" for room in rooms if (folder / "tests" / room).exists()]
    words = [*tests, "--cov=threadmill", "--cov-context=test", "--cov-report=", "--no-cov-on-fail"]
    code = run_pytest(folder, [*words, "--junitxml=times.xml"])
    if code != 0:
        raise SystemExit(f"mutate: the tests must pass before anything is changed; pytest ended with {code}")
    return Baseline(read_coverage(folder), read_times(folder / "times.xml"))


def read_times(report: Path) -> dict[str, float]:
    """The seconds of each test, from pytest's report in the format of JUnit."""
    return {
        f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}": float(case.get("time", 0))
        for case in ElementTree.parse(report).iter("testcase")  # noqa: S314 -- pytest wrote it
    }


def read_coverage(folder: Path) -> dict[tuple[str, int], list[str]]:
    """File and line → the tests that run it."""
    found: dict[tuple[str, int], list[str]] = {}
    from coverage.numbits import numbits_to_nums

    with sqlite3.connect(folder / ".coverage") as database:
        query = (
            "SELECT file.path, context.context, line_bits.numbits FROM line_bits "
            "JOIN file ON file.id = line_bits.file_id JOIN context ON context.id = line_bits.context_id"
        )
        if not database.execute("SELECT 1 FROM line_bits LIMIT 1").fetchone():
            query = (
                "SELECT DISTINCT file.path, context.context, arc.tono FROM arc "
                "JOIN file ON file.id = arc.file_id JOIN context ON context.id = arc.context_id"
            )
        for path, context, value in database.execute(query):
            test = context.partition("|")[0]
            lines = numbits_to_nums(value) if isinstance(value, bytes) else [value]
            for line in lines if test else []:
                found.setdefault((Path(path).relative_to(folder).as_posix(), line), []).append(test)
    return found


def try_all(mutants: list[Mutant], copies: list[Path], baseline: Baseline) -> list[tuple[Mutant, int]]:
    """The mutants that survive, each with the number of tests that were asked."""
    free: SimpleQueue[Path] = SimpleQueue()
    for folder in copies:
        free.put(folder)

    def survives(mutant: Mutant) -> tuple[Mutant, int] | None:
        tests = baseline.choose(mutant)
        folder = free.get()
        try:
            if tests and kills(folder, mutant, tests, baseline.limit(tests)):
                return None
        finally:
            free.put(folder)
        return mutant, len(tests)

    survivors: list[tuple[Mutant, int]] = []
    with ThreadPoolExecutor(len(copies)) as pool:
        for number, found in enumerate(pool.map(survives, mutants), 1):
            survivors += [found] if found else []
            print(f"\r{number} of {len(mutants)} tried, {len(survivors)} survived", end="", file=sys.stderr)
    print(file=sys.stderr)
    return survivors


def kills(folder: Path, mutant: Mutant, tests: list[str], limit: float) -> bool:
    """Whether one of the tests fails with the change."""
    file = folder / mutant.file
    original = file.read_text(encoding="utf-8")
    file.write_text(mutant.source, encoding="utf-8")
    try:
        code = run_pytest(folder, ["--no-cov", *tests], limit)
        if code == UNKNOWN_TEST:  # an id that pytest does not take back: ask the whole files
            files = sorted({test.partition("::")[0] for test in tests})
            code = run_pytest(folder, ["--no-cov", *files], PATIENCE * limit)
        return code in {TESTS_FAILED, NOT_COLLECTED}
    finally:
        file.write_text(original, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
