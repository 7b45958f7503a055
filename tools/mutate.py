"""Mutation testing: changes one small thing in the source, and asks whether a test fails.

    python3 dev.py run python -m tools.mutate forum sites crawl dates --count 320 --seed 1 --folder mutants

Each mutant is one random change in a copy of the project: a flipped comparison, another constant, a
statement left out. Each room gets the same number. The tests of the module are asked first, then those that
import it, for some seconds. A test that is known not to run the changed block of code is left out; the
file reached.jsonl of the folder keeps what each test runs, and may be copied to the folder of another run.
A mutant that no test notices has survived: there a test is missing, or the code does nothing. The folder
keeps the copy and every result. The same command continues a stopped run; with more --seconds it asks more
tests about what has survived. With --minutes it stops by itself and counts what it has tried.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import math
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.figures import Figure, at_least, write_figures

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("src", "tests", "tools", "bench", "docs", "pyproject.toml", "dev.py", "README.md")
MAX_SECONDS = 30.0  # of computing for the tests of one mutant
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

    room: str
    file: str  # relative to the root
    number: int  # of the change in its file
    line: int
    what: str


def main() -> int:
    """Draw mutants, try them, print what survived."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rooms", nargs="+", help="rooms of src/threadmill, such as forum or crawl/forum")
    parser.add_argument("--count", type=int, default=320, help="mutants in all rooms together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--seconds", type=float, default=MAX_SECONDS, help="of computing for the tests of one mutant"
    )
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no mutant after so long")
    parser.add_argument(
        "--folder", type=Path, required=True, help="keeps the copy of the project and the results"
    )
    parser.add_argument(
        "--part",
        default="1/1",
        help="1/2 and 2/2: for two runs side by side, each with its folder; join their results.jsonl then",
    )
    parser.add_argument(
        "--write",
        nargs="?",
        type=Path,
        const=ROOT / "bench/results",
        help="write the figures (bench/results)",
    )
    options = parser.parse_args()
    project = make_copy(options.folder.resolve() / "project")
    if project != ROOT:  # the tests must import the copy, so a new process works there
        return run_in_copy(project, options)
    mutants = take_part(draw_mutants(options.rooms, options.count, options.seed), options.part)
    results = try_mutants(mutants, options)
    figures = print_results(results, options.rooms)
    if options.write:
        write_figures("mutate", figures, options.write, module="tools.mutate")
    return 0


def draw_mutants(rooms: list[str], count: int, seed: int) -> list[Mutant]:
    """Random mutants, the same number from each room; there each possible change is equally likely."""
    drawn = random.Random(seed)
    chosen: list[Mutant] = []
    for room in rooms:
        files = sorted((ROOT / "src/threadmill" / room).rglob("*.py"))
        sites = [(file, number) for file in files for number in range(count_changes(file.read_text("utf-8")))]
        sample = drawn.sample(sites, min(count // len(rooms), len(sites)))
        chosen += [make_mutant(room, file, number) for file, number in sample]
    drawn.shuffle(chosen)  # a run that is stopped has then tried some of each room
    return chosen


def take_part(mutants: list[Mutant], part: str) -> list[Mutant]:
    """Every n-th mutant: "2/3" begins with the second, and takes every third."""
    number, _, parts = part.partition("/")
    return mutants[int(number) - 1 :: int(parts)]


def make_mutant(room: str, file: Path, number: int) -> Mutant:
    """The mutant of a file with its change of this number."""
    node, what = find_mutant(file, number)[1]
    return Mutant(room, file.relative_to(ROOT).as_posix(), number, getattr(node, "lineno", 0), what)


def find_mutant(file: Path, number: int) -> tuple[ast.Module, tuple[ast.AST, str]]:
    """The tree of a file with its change of this number; the node that was changed, and how."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for position, (node, word, apply) in enumerate(find_changes(tree)):
        if position == number:
            what = f"{word}: {ast.unparse(node).splitlines()[0][:70]}"
            apply()
            return ast.fix_missing_locations(tree), (node, what)
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
    elif isinstance(node, ast.Return) and not _is_none(node.value):
        yield node, "returns None", Change(node, value=ast.Constant(None))
    elif (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)) or isinstance(node, ast.AugAssign):
        yield node, "left out", Drop(node, ast.Pass())  # type: ignore[misc]
    elif isinstance(node, ast.Break | ast.Continue):
        other_jump = ast.Continue() if isinstance(node, ast.Break) else ast.Break()
        yield node, "break ↔ continue", Drop(node, other_jump)  # type: ignore[misc]


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def make_copy(folder: Path) -> Path:
    """A copy of the project to work in. Its source stays as it was first; tests and tools are copied anew."""
    if folder == ROOT:
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        origin, copied = ROOT / name, folder / name
        if origin.is_file():
            shutil.copy(origin, copied)
        elif name != "src" or not copied.exists():
            shutil.rmtree(copied, ignore_errors=True)
            shutil.copytree(origin, copied, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run_in_copy(project: Path, options: argparse.Namespace) -> int:
    """The same command in the copy, with absolute paths."""
    words = [*options.rooms, "--count", str(options.count), "--seed", str(options.seed)]
    words += ["--seconds", str(options.seconds), "--minutes", str(options.minutes)]
    words += ["--folder", str(options.folder.resolve()), "--part", options.part]
    words += ["--write", str(options.write.resolve())] if options.write else []
    environment = {**os.environ, "PYTHONPATH": f"{project / 'src'}:{project}", "CI": "true"}
    command = [sys.executable, "-m", "tools.mutate", *words]
    return subprocess.run(command, cwd=project, env=environment, check=False).returncode


def try_mutants(mutants: list[Mutant], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Try the mutants that have no result yet; the results of all."""
    import pytest

    from tools.mutation_run import MutationRun

    file = options.folder / "results.jsonl"
    known = read_results(file)

    def report(mutant: Mutant, killer: str, asked: int) -> None:
        line = {**asdict(mutant), "killed": bool(killer), "by": killer, "asked": asked}
        line["seconds"] = options.seconds
        with file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")

    left = [mutant for mutant in mutants if is_open(known.get(_key(asdict(mutant))), options.seconds)]
    if left and options.minutes > 0:
        run = MutationRun(options.folder, left, report, options.seconds, 60 * options.minutes)
        tests = [f"tests/{room}" for room in options.rooms if (ROOT / "tests" / room).exists()]
        pytest.main(["-q", "-s", "-p", "no:cacheprovider", "--timeout", "0", *tests], plugins=[run])
    known = read_results(file)
    return [known[_key(asdict(mutant))] for mutant in mutants if _key(asdict(mutant)) in known]


def is_open(result: dict[str, Any] | None, seconds: float) -> bool:
    """Was a mutant not tried yet, or did it survive when fewer tests were asked?"""
    return result is None or (not result["killed"] and result["seconds"] < seconds)


def read_results(file: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """The last result of each mutant."""
    if not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {_key(line): line for line in lines}


def _key(result: dict[str, Any]) -> tuple[str, int]:
    return result["file"], result["number"]


def print_results(results: list[dict[str, Any]], rooms: list[str]) -> list[Figure]:
    """Print what survived and the share that was killed in each room; the share of all rooms as a figure."""
    for found in sorted(results, key=_key):
        if not found["killed"]:
            where = f"{found['file']}:{found['line']}"
            print(f"survived: {where}: {found['what']} ({found['asked']} tests were asked)")
    for room in rooms:
        tried = [found["killed"] for found in results if found["room"] == room]
        print(f"{room}: killed {sum(tried)} of {len(tried)} mutants: {sum(tried) / max(1, len(tried)):.3f}")
    share = sum(found["killed"] for found in results) / max(1, len(results))
    print(f"all: {share:.3f} of {len(results)}")
    what = f"mutants killed, {len(results)} random of {', '.join(rooms)}"
    return [Figure("tests", what, share, at_least(0.8))]


if __name__ == "__main__":
    sys.exit(main())
