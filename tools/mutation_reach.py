"""Notes which blocks of code each test runs: a mutant is shown only to tests that run the changed block.

A probe at the beginning of each block (the body of a function, a branch, a loop) notes that it ran. Each fork
that tries a mutant reports this for its tests, so nothing has to run before. The notes are kept in a file:
they hold as long as the function and the file of the test stay as they are, also for other mutants.
"""

from __future__ import annotations

import ast
import builtins
import importlib.abc
import importlib.util
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

_PROBE = "_block_ran"
_MOST_BLOCKS = 1000  # of one function; the number of a block is that of its function, and its place in it
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef

ran: set[int] = set()  # the blocks that ran since this set was emptied


@dataclass(frozen=True, slots=True)
class Block:
    """Statements that run one after the other."""

    number: int  # the same as long as the text of its function stays the same
    statements: list[ast.stmt]

    @property
    def function(self) -> int:
        """The number of its function."""
        return self.number // _MOST_BLOCKS


def functions_of(numbers: Iterable[int]) -> set[int]:
    """The numbers of the functions of blocks."""
    return {number // _MOST_BLOCKS for number in numbers}


def find_blocks(tree: ast.Module, file: str) -> list[Block]:
    """Every block inside functions; outer ones first."""
    found = []
    for function in ast.walk(tree):
        if isinstance(function, _FUNCTIONS):
            text = f"{file} {ast.unparse(function)}"
            number = int.from_bytes(blake2b(text.encode(), digest_size=5).digest()) * _MOST_BLOCKS
            for place, statements in enumerate(_lists_of_statements(function)):
                found.append(Block(number + min(place, _MOST_BLOCKS - 1), statements))
    return found


def _lists_of_statements(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements in a node, without those of inner functions and classes."""
    for name in ("body", "orelse", "finalbody"):
        statements = getattr(node, name, None)
        if isinstance(statements, list) and statements:
            yield statements
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FUNCTIONS | ast.ClassDef | ast.expr):
            yield from _lists_of_statements(child)


def block_around(blocks: Sequence[Block], node: ast.AST) -> Block:
    """The innermost block with a node."""
    around = [
        block for block in blocks if any(node is inner for top in block.statements for inner in ast.walk(top))
    ]
    return min(around, key=lambda block: sum(1 for top in block.statements for _ in ast.walk(top)))


def compile_with_probes(tree: ast.Module, blocks: Sequence[Block], path: str) -> CodeType:
    """The code of a file that notes which blocks run. The tree is changed."""
    setattr(builtins, _PROBE, ran.add)
    for block in blocks:
        first = block.statements[0]
        after = isinstance(first, ast.Expr) and isinstance(
            first.value, ast.Constant
        )  # a docstring stays first
        call = ast.Call(ast.Name(_PROBE, ast.Load()), [ast.Constant(block.number)], [])
        block.statements.insert(int(after), ast.copy_location(ast.Expr(call), first))
    return compile(ast.fix_missing_locations(tree), path, "exec")


class ProbedLoader(SourceFileLoader):
    """Loads a module with probes."""

    def get_code(self, fullname: str) -> CodeType:
        """Its code."""
        path = Path(self.get_filename(fullname))
        tree = ast.parse(path.read_text(encoding="utf-8"))
        return compile_with_probes(tree, find_blocks(tree, _name_of(path)), str(path))


class ProbedModules(importlib.abc.MetaPathFinder):
    """Loads the modules of some folders with probes."""

    def __init__(self, source: Path, folders: Sequence[str]) -> None:
        self._source = source
        self._folders = folders

    def find_spec(
        self, fullname: str, _: Sequence[str] | None = None, __: ModuleType | None = None
    ) -> ModuleSpec | None:
        """How to load a module, if it is one of ours."""
        name = fullname.replace(".", "/")
        if not any(name == folder or name.startswith(f"{folder}/") for folder in self._folders):
            return None
        for path in (self._source / name / "__init__.py", self._source / f"{name}.py"):
            if path.exists():
                return importlib.util.spec_from_file_location(
                    fullname, path, loader=ProbedLoader(fullname, str(path))
                )
        return None


def load_with_probes(source: Path, folders: Sequence[str]) -> None:
    """Load modules of these folders with probes from now on."""
    sys.meta_path.insert(0, ProbedModules(source, folders))


def _name_of(path: Path) -> str:
    return "src/" + path.as_posix().rpartition("/src/")[2]


class Reach:
    """Which tests run which blocks, as far as it is known."""

    def __init__(self, file: Path, root: Path) -> None:
        self._file = file
        self._root = root
        self._versions: dict[str, str] = {}
        self._of_test: dict[str, frozenset[int]] = {}
        self._of_preparation: dict[str, set[int]] = defaultdict(
            set
        )  # of a test file: tests share what it made
        self._functions: set[int] = set()
        self.seconds: dict[str, float] = {}
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            known = json.loads(line)
            if known["version"] == self._version(known["test"]):
                self._keep(known)

    def knows(self, test: str) -> bool:
        """Has a test been seen?"""
        return test in self._of_test

    def note(self, test: str, seconds: float, prepared: list[int], ran: list[int]) -> None:
        """Keep what a test ran."""
        if not self.knows(test):
            line = {"test": test, "version": self._version(test), "seconds": seconds}
            line |= {"prepared": prepared, "ran": ran}
            self._keep(line)
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")

    def reaches(self, test: str, block: Block) -> bool | None:
        """Does a test run a block? None if nobody knows."""
        if not self.knows(test) or block.function not in self._functions:
            return None
        return block.number in self._of_test[test] or block.number in self._of_preparation[_file_of(test)]

    def _keep(self, line: dict[str, Any]) -> None:
        test = line["test"]
        self.seconds[test] = line["seconds"]
        self._of_test[test] = frozenset(line["ran"])
        self._of_preparation[_file_of(test)].update(line["prepared"])
        self._functions |= functions_of((*line["ran"], *line["prepared"]))

    def _version(self, test: str) -> str:
        name = _file_of(test)
        if name not in self._versions:
            path = self._root / name
            text = path.read_bytes() if path.exists() else b""
            self._versions[name] = blake2b(text, digest_size=8).hexdigest()
        return self._versions[name]


def _file_of(test: str) -> str:
    return test.partition("::")[0]
