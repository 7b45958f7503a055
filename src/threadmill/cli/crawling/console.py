"""`threadmill console`: a web page on a workspace."""

from __future__ import annotations

import argparse
import getpass
import sys

from threadmill.cli.arguments import add_workspace, port
from threadmill.errors import UsageError

EXAMPLES = """\
  threadmill console
  threadmill console --workspace demo --port 9000
  threadmill console --hash-password      # makes the value of console.password in threadmill.toml
  threadmill console --host 0.0.0.0       # for a team; asks for the password or a token"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace to show; made when it is new")
    parser.add_argument("--host", help="the address to listen on (127.0.0.1: only this machine)")
    parser.add_argument("--port", type=port, help="the port to listen on; 0: any free port (8400)")
    parser.add_argument(
        "--hash-password",
        action="store_true",
        help="read a password and print its hash for the settings",
    )


def run(arguments: argparse.Namespace) -> int:
    """Show the console until interrupted."""
    if arguments.hash_password:
        return _print_hash()
    from dataclasses import replace

    from threadmill.config import SETTINGS_FILE, override
    from threadmill.console.app import run_console
    from threadmill.store import open_store
    from threadmill.workspace import open_workspace, refuse_lost_database

    is_new = not (arguments.workspace / SETTINGS_FILE).exists()
    workspace = open_workspace(arguments.workspace, create=True)
    if is_new:  # its name may be a slip of the pen
        print(f"{arguments.workspace} is a new workspace, without any forum", file=sys.stderr)
    refuse_lost_database(workspace)
    given = {"host": arguments.host, "port": arguments.port}
    workspace = replace(workspace, settings=override(workspace.settings, "console", **given))
    store = open_store(workspace.store_url)
    try:
        run_console(workspace, store, lambda line: print(line, flush=True))
    finally:
        store.close()
    return 0


def _print_hash() -> int:
    from threadmill.console.security.passwords import hash_password

    password = getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if not password:
        raise UsageError("expected a password, but got an empty line")
    print(f'password = "{hash_password(password)}"')
    return 0
