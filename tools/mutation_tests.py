"""Chooses the tests that are asked about a changed module: its own first, then those that import it.

No test has to run before. A run of all tests with coverage would choose by lines; for four rooms it takes as
long as trying all mutants.
"""

from __future__ import annotations

import ast
from collections import defaultdict, deque
from pathlib import Path
from statistics import mean

_UNKNOWN = 1.0  # seconds of a test that has not run yet


class TestChoice:
    """Ranks test files by how near they are to a module, and their tests by how long they took."""

    __test__ = False  # no test, though it is called so

    def __init__(self, root: Path, tests: list[str]) -> None:
        self._root = root
        self._users = find_users(root)
        self._of_file: dict[str, list[str]] = defaultdict(list)
        for test in tests:
            self._of_file[test.partition("::")[0]].append(test)
        self.seconds: dict[str, float] = {}  # of each test, when it ran last

    def rank(self, file: str) -> list[str]:
        """All tests that may notice a change of a file. Files stay together: some share what they prepare."""
        near = self.distances(file)
        ranked = sorted(near, key=lambda name: (near[name], self._mean_seconds(name), name))
        return [test for name in ranked for test in sorted(self._of_file[name], key=self._seconds_of)]

    def _seconds_of(self, test: str) -> float:
        return self.seconds.get(test, _UNKNOWN)

    def _mean_seconds(self, name: str) -> float:
        return mean(map(self._seconds_of, self._of_file[name]))

    def distances(self, file: str) -> dict[str, int]:
        """How far each test file is from a file: the imports between them, less the folders they share.

        The test file of the same name and room comes before all others.
        """
        steps = {file: 1}
        queue = deque([file])
        while queue:
            used = queue.popleft()
            for user in sorted(self._users.get(used, ())):
                if user not in steps:
                    steps[user] = steps[used] + 1
                    queue.append(user)
        room = Path(file).parent.relative_to("src/threadmill")
        found = {}
        for name in (name for name in steps if name in self._of_file):
            folders = zip(room.parts, Path(name).parent.parts[1:], strict=False)
            found[name] = steps[name] - sum(ours == theirs for ours, theirs in folders)
        own = (Path("tests") / room / f"test_{Path(file).name}").as_posix()
        if own in self._of_file:
            found[own] = -len(room.parts) - 1
        return found


def find_users(root: Path) -> dict[str, set[str]]:
    """Each file of the source and of the tests, with the files that import it."""
    files = {
        _module_of(file.relative_to(top)): file.relative_to(root).as_posix()
        for top, folder in ((root / "src", "threadmill"), (root, "tests"))
        for file in sorted((top / folder).rglob("*.py"))
    }
    users: dict[str, set[str]] = defaultdict(set)
    for file in files.values():
        for name in _imported((root / file).read_text(encoding="utf-8")):
            if name in files and files[name] != file:
                users[files[name]].add(file)
    return users


def _module_of(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _imported(source: str) -> set[str]:
    """The modules that a file names in imports, anywhere; `from a import b` may name a.b or a."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found
