"""Builds the native code with AddressSanitizer in a directory of its own, and fuzzes and tests it there.

    python -m tools.sanitize [--only build|fuzz|tests] [--inputs 20000] [--minutes 30]
                             [--directory build/sanitized] [pytest options …]

A memory error is reported, and the code is not 0 then. It needs gcc with its libasan. The parts may run one
after the other: the first builds, the others use what it built.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from bench.figures import Figure, at_most, write_figures

ROOT = Path(__file__).resolve().parents[1]
FLAGS = "-fsanitize=address -fno-omit-frame-pointer -g1"
_OPTIONS = "detect_leaks=0:abort_on_error=0:allocator_may_return_null=1"
_MEMORY_ERROR = 99  # the exit code
_COUNTS = re.compile(r"^inputs 0 to ([0-9,]+):|([0-9]+) passed", re.MULTILINE)
# Readers whose work is done by native code.
READERS = (
    "clean",
    "justext",
    "cutting",
    "links",
    "sentences",
    "tags",
    "corpus of a page",
    "company",
    "framing",
)
TESTS = ("tests/native", "tests/page", "tests/corpus/text", "tests/corpus/vertical", "tests/corpus/build")


def main() -> int:
    """Build, then run; the code is 0 if nothing was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=["build", "fuzz", "tests"], default="")
    parser.add_argument("--inputs", type=int, default=20_000, help="fuzzed inputs of each reader")
    parser.add_argument("--minutes", type=float, default=30.0, help="of fuzzing each reader at most")
    parser.add_argument("--directory", type=Path, default=ROOT / "build" / "sanitized")
    wanted, options = parser.parse_known_args()
    library = _find_library()
    if library is None:
        print("AddressSanitizer needs gcc with its library: apt-get install gcc")
        return 1
    place = wanted.directory.resolve()
    if wanted.only in ("", "build"):
        _build(place)
    environment = _environment(place, library)
    failed = 0
    if wanted.only in ("", "fuzz"):
        limits = ["--count", str(wanted.inputs), "--minutes", str(wanted.minutes), "--first", "0"]
        commands = [["-m", "bench.fuzz", "--only", reader, *limits] for reader in READERS]
        failed += _run("fuzz", commands, environment, place)
    if wanted.only in ("", "tests"):
        tests = [test for test in TESTS if (ROOT / test).exists()]
        pytest = ["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
        failed += _run("tests", [[*pytest, test, *options] for test in tests], environment, place)
    return 1 if failed else 0


def _run(part: str, commands: list[list[str]], environment: dict[str, str], place: Path) -> int:
    """Run some commands with the sanitized build. Return how many failed."""
    memory_errors = failed = count = 0
    for words in commands:
        print("sanitized:", *words, flush=True)
        done = subprocess.run(
            [sys.executable, *words],
            env=environment,
            cwd=place,
            check=False,
            stdout=subprocess.PIPE,
            text=True,
        )
        print(done.stdout, flush=True)
        memory_errors += done.returncode == _MEMORY_ERROR
        failed += done.returncode != 0
        count += sum(int((one or two).replace(",", "")) for one, two in _COUNTS.findall(done.stdout))
    print(f"{part}: {count:,} tried, {memory_errors} memory errors, {failed} of {len(commands)} runs failed")
    what = {"fuzz": "fuzzed inputs", "tests": "tests of native code"}[part]
    figures = [
        Figure("page", f"{what} in an AddressSanitizer build", count),
        Figure("page", f"memory errors in {what}", memory_errors, at_most(0)),
        Figure("page", f"runs of {what} that failed for other reasons", failed - memory_errors, at_most(0)),
    ]
    write_figures(f"sanitize.{part}", figures, module="tools.sanitize")
    return failed


def _find_library() -> str | None:
    """The libraries that must be loaded first, because Python itself is built without them.

    Without that of C++ the sanitizer does not know how the URL parser throws.
    """
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    names = []
    for library in ("libasan.so", "libstdc++.so"):
        words = [compiler, f"-print-file-name={library}"]
        names.append(subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip())
    return " ".join(names) if all(Path(name).is_absolute() for name in names) else None


def _build(place: Path) -> None:
    """Copy the sources and compile them there: the extensions of the checkout stay as they are."""
    for name in ("src", "bench", "tests", "tools", "docs"):
        skipped = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
        shutil.copytree(ROOT / name, place / name, ignore=skipped, dirs_exist_ok=True)
    for name in ("hatch_build.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy2(ROOT / name, place / name)
    # A wheel is built there because that brings Cython; the extensions are left beside their sources.
    environment = os.environ | {"CFLAGS": FLAGS, "LDFLAGS": FLAGS, "THREADMILL_NATIVE": "required"}
    words = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "-w",
        str(place / "wheels"),
        str(place),
    ]
    subprocess.run(words, cwd=place, env=environment, check=True)


def _environment(place: Path, library: str) -> dict[str, str]:
    """Python's own allocator is off, so that every object is watched. Python never frees all at its end."""
    return os.environ | {
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": f"{_OPTIONS}:exitcode={_MEMORY_ERROR}",
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": str(place / "src"),
    }


if __name__ == "__main__":
    sys.exit(main())
