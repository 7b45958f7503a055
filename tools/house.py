"""Measures how easy the code is to follow: rooms, single importers, homonyms, files a forum page passes.

python3 dev.py run python tools/house.py                  # all bars, with the offenders
python3 dev.py run python tools/house.py trace PAGE.html  # the files that reading this page runs through
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import sys
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

SOURCE = Path(__file__).resolve().parents[1] / "src"
PACKAGE = SOURCE / "threadmill"
# A line of the catalogue each, not a step of an idea: a reader opens one of them, never all.
CATALOGUES = ("migrations", "layouts", "languages")
MAX_ROOM, MAX_SINGLE, MAX_PASSED = 16, 40, 32


class NamesInFile(NamedTuple):
    """What a file imports (a module, and a name of it or nothing), and the classes that it defines."""

    imports: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]


def main(words: list[str]) -> int:
    """Print the bars, or trace one page."""
    if words[:1] == ["trace"] and len(words) == 2:
        files = trace(Path(words[1]))
        print("\n".join(files))
        print(f"{len(files)} files")
        return 0
    if words:
        print(__doc__)
        return 2
    return 0 if report() else 1


def report() -> bool:
    """Print each bar with what is reached; True when all hold."""
    modules = {name_of(file): file for file in source_files()}
    rooms = count_rooms()
    largest = max(rooms, key=lambda room: rooms[room])
    single = find_single_importers(modules)
    names = find_homonyms(modules)
    for name, user in sorted(single.items()):
        print(f"one importer: {name} <- {user}")
    for name, homes in sorted(names.items()):
        print(f"class name used {len(homes)} times: {name} in {', '.join(homes)}")
    print(f"largest room: {largest}, {rooms[largest]} files (bar {MAX_ROOM})")
    print(f"modules with one importer: {len(single)} of {len(modules)} (bar {MAX_SINGLE})")
    print(f"class names used twice: {len(names)} (bar 0)")
    holds = rooms[largest] <= MAX_ROOM and len(single) <= MAX_SINGLE and not names
    print("passed: every bar holds" if holds else "failed: a bar above does not hold")
    return holds


def source_files() -> list[Path]:
    """Every Python file of the package that a reader may have to open."""
    return [file for file in sorted(PACKAGE.rglob("*.py")) if "migrations" not in file.parts]


def name_of(file: Path) -> str:
    """The dotted name of a module."""
    return ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def count_rooms() -> dict[str, int]:
    """Files per folder, compiled loops included."""
    rooms: dict[str, int] = defaultdict(int)
    for file in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyx")]:
        if not set(CATALOGUES) & set(file.parts):
            rooms[file.parent.relative_to(SOURCE).as_posix()] += 1
    return rooms


def find_single_importers(modules: dict[str, Path]) -> dict[str, str]:
    """Modules that exactly one other module imports, with that module; packages themselves do not count.

    Native code imports too: constants have one definition, which both twins read.
    """
    users: dict[str, set[str]] = defaultdict(set)
    for name, file in modules.items():
        for imported in imports_of(file, modules):
            users[imported].add(name)
    for file in PACKAGE.rglob("*.pyx"):
        for imported in native_imports_of(file.read_text(encoding="utf-8")) & modules.keys():
            users[imported].add(f"threadmill.native.{file.stem}.pyx")
    packages = {name_of(file) for file in modules.values() if file.name == "__init__.py"}
    return {name: min(found) for name, found in users.items() if len(found) == 1 and name not in packages}


def imports_of(file: Path, modules: dict[str, Path]) -> set[str]:
    """The modules of the package that a file imports, at its top or inside functions."""
    found: set[str] = set()
    for module, name in read_names(file).imports:
        full = f"{module}.{name}"
        found.add(full if full in modules else module)
    return found & modules.keys()


@cache  # several bars ask, and parsing all files takes seconds; their trees would fill the memory
def read_names(file: Path) -> NamesInFile:
    """What a file imports, and the classes that it defines."""
    imports: list[tuple[str, str]] = []
    classes: list[str] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            imports += [(node.module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            imports += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ClassDef):
            classes.append(node.name)
    return NamesInFile(tuple(imports), tuple(classes))


def native_imports_of(source: str) -> set[str]:
    """The dotted names that Cython code imports from Python: `from a.b import c` may name a.b or a.b.c."""
    found: set[str] = set()
    for module, names in re.findall(r"^from (threadmill[\w.]*) import ([\w, ]+|\()", source, re.MULTILINE):
        found |= {module, *(f"{module}.{name.split()[0]}" for name in names.split(",") if name.strip(" ("))}
    return found


def find_homonyms(modules: dict[str, Path]) -> dict[str, list[str]]:
    """Class names that stand for more than one class."""
    homes: dict[str, list[str]] = defaultdict(list)
    for name, file in modules.items():
        for defined in read_names(file).classes:
            homes[defined].append(name)
    return {name: found for name, found in homes.items() if len(found) > 1}


def trace(page: Path) -> list[str]:
    """The files with a function that runs while a page is parsed, classified and read into posts or rows."""
    from threadmill.cli import main as run_threadmill

    for name in map(name_of, source_files()):  # so that no module is loaded while we watch
        if name.startswith(("threadmill.cli", "threadmill.dates", "threadmill.forum", "threadmill.page")):
            import_module(name)
    words = [str(page), "--url", "http://forum.test/", "--now", "2025-06-01T12:00:00+00:00"]
    passed: set[str] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(PACKAGE)):
            passed.add(Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix())

    sys.setprofile(watch)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            run_threadmill(["forum", "page", *words])
            run_threadmill(["forum", "posts", *words])
    finally:
        sys.setprofile(None)
    # The command and the function of the API that it calls are how one gets in, not how a page is read.
    return sorted(file for file in passed if not file.startswith(("cli/", "api/")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
