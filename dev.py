"""The two commands of README.md and their kin, with nothing but Python 3.11: demo, test, check, run."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")

USAGE = """\
usage: python3 dev.py COMMAND [options]

  demo     set up, then run the demonstration (options go to `threadmill demo`)
  test     set up, then run every check and test (options go to pytest)
  check    set up, then run the checks alone: style, format, types, direction of imports
  coverage set up, then run every test and report which lines none of them runs (options go to pytest)
  fuzz     set up, then try many new random inputs in the property tests (options go to pytest)
  docs     set up, then build the documentation site into site/
  figures  set up, then make docs/figures.md and its charts from bench/results
  run      set up, then run any command inside the environment: dev.py run threadmill --help
  wheel    set up, then build a wheel and try it in a new environment without a compiler
  setup    only set up the environment in .venv
"""

# What tests need from the system: a program that shows it is there → Debian's package.
SYSTEM_PACKAGES: dict[str, str] = {
    "/usr/lib/postgresql/*/bin/postgres": "postgresql",
    "/usr/lib/rabbitmq/bin/rabbitmq-server": "rabbitmq-server",
    "chromium": "chromium",
    "chromedriver": "chromium-driver",
    "zsh": "zsh",
    "fish": "fish",
}

# Three processes on two cores: tests wait for servers, browsers and disks a third of their time. Each takes
# tests in their order, so that what a file or a room starts for its tests is rarely started twice.
SPREAD = ("-n", "3", "--dist", "worksteal")

CHECKS = (
    ("style", ["ruff", "check", "."]),
    ("format", ["ruff", "format", "--check", "."]),
    ("types", ["mypy"]),
    ("direction of imports", ["lint-imports", "--no-logo"]),
)


def main(words: list[str]) -> int:
    """Run one command of this file."""
    if sys.version_info < (3, 11):  # noqa: UP036 -- this file is what an older Python gets to see
        return complain(f"Threadmill needs Python 3.11 or newer, this is {sys.version.split()[0]}")
    command, rest = (words or ["help"])[0], words[1:]
    if command not in COMMANDS:
        print(USAGE)
        return 0 if command in {"help", "-h", "--help"} else 2
    extras, run = COMMANDS[command]
    set_up(extras)
    return run(rest)


def set_up(extras: str) -> None:
    """Make .venv and install the project into it, unless that was done for these very files."""
    stamp = VENV / f".installed{extras}"
    wanted = fingerprint()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    if not (BIN / "python").exists():
        print("making .venv …", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    print("installing Threadmill and what it needs …", flush=True)
    pip = [str(BIN / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    constraints = ["-c", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, *constraints, "-e", f"{ROOT}{extras}"], check=True)
    stamp.write_text(wanted)


def fingerprint() -> str:
    """Names what the installation depends on; the same name means nothing is left to install."""
    parts = [sys.version, str(ROOT)]
    files = [ROOT / name for name in ("pyproject.toml", "constraints.txt", "hatch_build.py")]
    parts += [
        file.read_text()
        for file in (*files, *sorted((*ROOT.glob("src/**/*.pyx"), *ROOT.glob("src/**/*.pxd"))))
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def install_system_packages() -> None:
    """Install what some tests need from Debian, where we may; elsewhere those tests skip and say how."""
    missing = sorted({p for program, p in SYSTEM_PACKAGES.items() if not find_program(program)})
    if not missing or not shutil.which("apt-get") or os.geteuid() != 0:
        return
    print(f"installing Debian packages for the tests: {' '.join(missing)} …", flush=True)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-q"], env=environment, check=False, **quiet)  # type: ignore[call-overload]
    subprocess.run(["apt-get", "install", "-y", "-q", *missing], env=environment, check=False, **quiet)  # type: ignore[call-overload]


def find_program(pattern: str) -> bool:
    """A program on PATH, or a file by an absolute glob pattern."""
    if pattern.startswith("/"):
        return any(Path("/").glob(pattern.lstrip("/")))
    return shutil.which(pattern) is not None


def demo(options: list[str]) -> int:
    """The main job on a simulated forum."""
    return call(["threadmill", "demo", *options])


def test(options: list[str]) -> int:
    """Every check and every test; all of them run even when one fails.

    No coverage here: its tracing doubles the CPU time (6.9 s without, 13.9 s with it for the tests of
    forum/posts), and nothing fails by it. `dev.py coverage` measures it.
    """
    install_system_packages()
    checks = start_checks()  # they run beside the first tests: the slowest of them uses one core
    tests_passed = call(["pytest", *SPREAD, *options], title="tests") == 0
    failed = finish_checks(checks)
    if not tests_passed:
        failed.append("tests")
    if failed:
        return complain(f"failed: {', '.join(failed)}")
    return 0


def check(_: list[str]) -> int:
    """The checks of `test`, without a test."""
    failed = finish_checks(start_checks())
    if failed:
        return complain(f"failed: {', '.join(failed)}")
    print("\npassed: every check")
    return 0


Check = tuple[str, list[str], "subprocess.Popen[str]"]


def start_checks() -> list[Check]:
    """Start the checks side by side: the name of each, its command, and its process."""
    return [(name, command, start(command, output=subprocess.PIPE)) for name, command in CHECKS]


def finish_checks(checks: list[Check]) -> list[str]:
    """Wait for the checks, print what each says, and return the names of those that failed."""
    failed = []
    for name, command, process in checks:
        said = process.communicate()[0]
        print(f"\n── {name}: {' '.join(command)}\n{said}", end="", flush=True)
        if process.returncode != 0:
            failed.append(name)
    return failed


def coverage(options: list[str]) -> int:
    """The same tests, and which lines of the package none of them runs."""
    install_system_packages()
    return call(["pytest", *SPREAD, "--cov", "--cov-report=term:skip-covered", *options])


def fuzz(options: list[str]) -> int:
    """Property tests with a fresh seed. Inputs that fail are kept in tests/found_examples: commit them."""
    seed = int.from_bytes(os.urandom(4), "big")
    return call(["pytest", *SPREAD, "--hypothesis-profile=fuzz", f"--hypothesis-seed={seed}", *options])


def docs(options: list[str]) -> int:
    """The documentation as a site, without network; a broken link is an error."""
    os.environ["NO_MKDOCS_2_WARNING"] = "1"  # an advertisement for another generator
    code = call(["mkdocs", "build", "--strict", "--quiet", *options])
    if code == 0 and not options:
        print(f"built: open {ROOT / 'site' / 'index.html'}")
    return code


def figures(_: list[str]) -> int:
    """The pages of figures, from what the benchmarks wrote."""
    return call(["python", "tools/figures.py"])


def call(command: list[str], title: str = "") -> int:
    """Run a program of the environment from the project's root."""
    if title:
        print(f"\n── {title}: {' '.join(command)}", flush=True)
    try:
        return start(command).wait()
    except KeyboardInterrupt:
        return 130


def start(command: list[str], output: int | None = None) -> subprocess.Popen[str]:
    """Start a program of the environment; with `output`, errors go where the rest of its output goes."""
    program = BIN / command[0]
    words = [str(program) if program.exists() else command[0], *command[1:]]
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}
    errors = subprocess.STDOUT if output is not None else None
    return subprocess.Popen(words, cwd=ROOT, env=environment, stdout=output, stderr=errors, text=True)


def complain(message: str) -> int:
    """One sentence on standard error, and the exit code of a failure."""
    print(f"dev.py: {message}", file=sys.stderr)
    return 1


# command → what the environment needs, and what it does there
COMMANDS: dict[str, tuple[str, Callable[[list[str]], int]]] = {
    "demo": ("", demo),
    "test": ("[dev]", test),
    "check": ("[dev]", check),
    "coverage": ("[dev]", coverage),
    "fuzz": ("[dev]", fuzz),
    "docs": ("[dev]", docs),
    "figures": ("[dev]", figures),
    "run": ("[dev]", lambda words: call(words) if words else complain("expected a command to run")),
    "wheel": ("[dev]", lambda _: call(["python", "tools/check_wheel.py"])),
    "setup": ("[dev]", lambda _: 0),
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
