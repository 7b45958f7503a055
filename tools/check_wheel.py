"""Builds a wheel, installs it into a new environment without a compiler, and tries what it can do.

    python3 dev.py wheel

The wheel must hold every extension, all data and all licence files. The commands run outside of the source
folder, so that nothing but the wheel can answer them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMPILERS = ("cc", "gcc", "clang", "c++", "g++")
SAID_OF_ALL = "native code complete"
PAGE = (
    "<title>Ferry</title><nav><a href=/>Home</a></nav><article><h1>Ferry</h1><p>"
    + "The council voted on Tuesday evening to keep the old ferry running through the winter. " * 3
    + "</p></article>"
)
TRIES = f"""
import threadmill
page = threadmill.clean({PAGE!r}, "https://a.example/")
assert page.language == "en" and "council" in page.text and "Home" not in page.text, page
"""


def main() -> int:
    """Build, look into the wheel, install, try."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder / "wheels")
        check_contents(wheel)
        python = install(wheel, folder / "environment")
        try_commands(python, folder)
        print(f"check_wheel: {wheel.name} is complete and works without a compiler")
    return 0


def build(folder: Path) -> Path:
    """The wheel of this source tree, built in an environment of its own."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("threadmill-*.whl")
    return wheel


def check_contents(wheel: Path) -> None:
    """Fail where an extension, a data file or a licence file is missing."""
    with zipfile.ZipFile(wheel) as archive:
        held = archive.namelist()
    if wheel.name.endswith("-none-any.whl"):
        sys.exit(f"check_wheel: {wheel.name} has no native code; is there a C compiler?")
    wanted = [source.stem for source in (ROOT / "src/threadmill/native").glob("*.pyx")]
    missing = [
        name for name in wanted if not any(one.startswith(f"threadmill/native/{name}.c") for one in held)
    ]
    data = [file for file in (ROOT / "src").glob("threadmill/*/data/*") if file.is_file()]
    missing += [file.name for file in data if file.relative_to(ROOT / "src").as_posix() not in held]
    missing += [name for name in ("LICENSE", "NOTICE") if not any(one.endswith(f"/{name}") for one in held)]
    if missing:
        sys.exit(f"check_wheel: {wheel.name} lacks {', '.join(missing)}")


def install(wheel: Path, folder: Path) -> Path:
    """A new environment that holds the wheel and what it needs; gives its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary",
        ":all:",
    ]
    constraints = ["-c", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, *constraints, str(wheel)], check=True, env=_without_compilers(folder))
    return python


def try_commands(python: Path, folder: Path) -> None:
    """Ask for the version, clean a page through the API and by command."""
    environment = _without_compilers(folder / "environment")
    page = folder / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    version = _run([str(python), "-m", "threadmill", "--version"], folder, environment)
    if SAID_OF_ALL not in version:
        sys.exit(f"check_wheel: expected {SAID_OF_ALL!r}, but --version says: {version}")
    _run([str(python), "-c", TRIES], folder, environment)
    text = _run([str(python), "-m", "threadmill", "clean", str(page)], folder, environment)
    if "council" not in text or "Home" in text:
        sys.exit(f"check_wheel: `threadmill clean` gives an unexpected text: {text}")


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    return subprocess.run(
        command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def _without_compilers(environment: Path) -> dict[str, str]:
    """Variables with a PATH on which no compiler is found, and nothing that leads to the source tree."""
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    found = [name for name in COMPILERS if (programs / name).exists()]
    assert not found, found
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "CC", "CXX"}}
    return {**kept, "PATH": str(programs)}


if __name__ == "__main__":
    sys.exit(main())
