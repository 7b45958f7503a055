"""The package can be imported on every platform, and tells the truth about the licences of its data."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = {".py", ".pyx", ".pxd", ".so", ".pyd", ".pyc", ".typed", ".mako"}
OUR_OWN = ROOT / "src" / "threadmill" / "console"  # templates, style sheets and the script of the console
# Imports everything that must work without an operating system of the Unix family.
IMPORT_ALL = """
import importlib, pkgutil, sys
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "syslog"):
    sys.modules[name] = None
import threadmill
for name in dir(threadmill):
    getattr(threadmill, name)
for room in ("archive", "corpus", "dates", "forum", "page", "sites", "template", "urls"):
    package = importlib.import_module("threadmill." + room)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
"""


def test_nothing_but_crawls_and_services_needs_unix() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _data_files() -> set[str]:
    files = (file for file in (ROOT / "src").rglob("*") if file.is_file() and file.suffix not in CODE)
    files = (file for file in files if not file.is_relative_to(OUR_OWN))
    return {file.relative_to(ROOT).as_posix() for file in files}


def test_notice_names_every_data_file_of_the_package() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    named = set(re.findall(r"^src/\S+", notice, re.MULTILINE))
    assert named == _data_files()


def test_the_licence_expression_is_what_notice_says() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    of_data = {one for line in re.findall(r"Licence: (.*)", notice) for one in line.split(" AND ")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(project["license"].split(" AND ")) == {"Apache-2.0", *of_data}
