"""`threadmill move`: take the database of a workspace to PostgreSQL, or back to SQLite."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path

from threadmill.cli.arguments import add_workspace
from threadmill.cli.terminal import complete_file, live_text
from threadmill.config import SETTINGS_FILE, holds_secrets, load_settings
from threadmill.errors import UsageError
from threadmill.workspace import DATABASE_FILE, Workspace, open_workspace, refuse_lost_database

EXAMPLES = """\
  threadmill move --to postgresql://threadmill@localhost/threadmill --workspace work
  threadmill move --to sqlite --workspace work"""

_ENDINGS = ("", "-wal", "-shm")  # of the files of a SQLite database
_SECTION = re.compile(r"^\s*\[", re.MULTILINE)
_STORE = re.compile(r"^\s*\[store\][^\n]*\n", re.MULTILINE)
_URL = re.compile(r"^[ \t]*url[ \t]*=[^\n]*\n?", re.MULTILINE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace to move")
    parser.add_argument(
        "--to",
        metavar="URL",
        required=True,
        help="an empty PostgreSQL database, or sqlite: a file in the workspace",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object: the rows of each table")


def run(arguments: argparse.Namespace) -> int:
    """Copy the database, check the copy, and let the settings name it."""
    from threadmill.crawl.lock import lock_workspace
    from threadmill.store.move import move_store

    workspace = open_workspace(arguments.workspace)
    own_file = f"sqlite:///{workspace.root / 'threadmill.sqlite'}"
    target = own_file if arguments.to == "sqlite" else arguments.to
    if not target.startswith(("sqlite:", "postgresql:", "postgres:", "postgresql+psycopg:")):
        kind = target.partition(":")[0]
        raise UsageError(f"--to is a URL such as postgresql://USER@HOST/DATABASE, or sqlite, not {kind}")
    if target == workspace.store_url:
        raise UsageError("the workspace is there already")
    refuse_lost_database(workspace)
    kept = None
    with lock_workspace(workspace.root), live_text("copying …") as show:
        report = (lambda name: show(f"copying the table {name} …")) if show else (lambda _: None)
        if target == own_file:
            rows, kept = _move_home(workspace, report)
        else:
            rows = move_store(workspace.store_url, target, report)
        secret = set_store_url(workspace, "" if target == own_file else target)
    if kept is not None:
        print(f"the file of before is kept as {kept}; delete it when nobody needs it", file=sys.stderr)
    if arguments.json:
        print(json.dumps({"rows": sum(rows.values()), "tables": rows}))
        return 0
    print(f"{sum(rows.values()):,} rows of {len(rows)} tables were copied and compared; all are equal")
    print(f"{workspace.root / SETTINGS_FILE} names the new database; the old one is as it was")
    if secret:
        print("The file holds the password now, so only its owner may read it.")
        print("docs/howto/operator.md tells how to keep the password elsewhere.")
    return 0


def _move_home(workspace: Workspace, report: Callable[[str], None]) -> tuple[dict[str, int], Path | None]:
    """Copy the database to the file of the workspace. An earlier file there is kept under another name."""
    from threadmill.store.move import move_store

    file = workspace.root / DATABASE_FILE
    fresh, old = file.with_name(f"{file.name}.new"), file.with_name(f"{file.name}.old")
    _remove(fresh)  # of a call that was cut off
    if old.exists():
        raise UsageError(f"{old} is there already, from an earlier move; delete it or put it elsewhere")
    rows = move_store(workspace.store_url, f"sqlite:///{fresh}", report)
    existed = file.exists()
    if existed:
        _rename(file, old)
    _rename(fresh, file)
    return rows, old if existed else None


def _rename(file: Path, to: Path) -> None:
    """Rename a database with its logs: SQLite finds them by its name."""
    for ending in reversed(_ENDINGS):
        part = file.with_name(f"{file.name}{ending}")
        if part.exists():
            part.rename(to.with_name(f"{to.name}{ending}"))


def _remove(file: Path) -> None:
    for ending in _ENDINGS:
        file.with_name(f"{file.name}{ending}").unlink(missing_ok=True)


def set_store_url(workspace: Workspace, url: str) -> bool:
    """Write the URL of the database into the settings file. All else in it stays as it is.

    If the file then holds a password, nobody but its owner may read it, and the answer is True.
    """
    file = workspace.root / SETTINGS_FILE
    changed = _with_store_url(file.read_text(encoding="utf-8"), url)
    with complete_file(file) as part:
        part.chmod(part.stat().st_mode & stat.S_IRWXU)
        part.write_text(changed, encoding="utf-8")
        written = load_settings(part, {})
        if written.store.url != url:
            raise UsageError(f"set store.url in {file} to the new database: its form is not understood")
        secret = holds_secrets(written)
        if not secret:
            shutil.copymode(file, part)
    return secret


def _with_store_url(text: str, url: str) -> str:
    quoted = url.replace("\\", "\\\\").replace('"', '\\"')
    line = f'url = "{quoted}"\n'
    head = _STORE.search(text)
    if head is None:
        return f"{text.rstrip()}\n\n[store]\n{line}"
    end = _SECTION.search(text, head.end())
    section = text[head.end() : end.start() if end else len(text)]
    changed = _URL.sub(lambda _: line, section, count=1) if _URL.search(section) else line + section
    return text[: head.end()] + changed + (text[end.start() :] if end else "")
