"""Runs the console: listens on an address, announces it, and answers until it is stopped."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from threadmill.config import ConsoleSettings
from threadmill.errors import MissingDependencyError, SettingsError
from threadmill.store import Store
from threadmill.workspace import Workspace

Announce = Callable[[str], None]
_BACKLOG = 128


def run_console(workspace: Workspace, store: Store, announce: Announce) -> None:
    """Answer until stopped."""
    try:
        import uvicorn
    except ImportError:
        raise MissingDependencyError("uvicorn", "console", "The console") from None
    from threadmill.console.app import make_console
    from threadmill.console.security.gate import make_rules

    settings = workspace.settings.console
    rules = make_rules(settings.host, settings.password)
    app = make_console(workspace, store, rules)
    listening = _listen(settings)
    host, port = listening.getsockname()[:2]
    announce(f"open the console: {console_url(host, port, rules.token)}")
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, lifespan="off")
    asyncio.run(uvicorn.Server(config).serve([listening]))


def console_url(host: str, port: int, token: str = "") -> str:
    """The address to open in a browser. The token logs in."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/" + (f"login?token={token}" if token else "")


def _listen(settings: ConsoleSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise SettingsError(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror}; "
            "set console.host and console.port, or use --host and --port"
        ) from None
    return listening
