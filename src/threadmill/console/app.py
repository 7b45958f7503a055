"""The application of the console: its pages, its error pages, the gate in front, and its server."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from http import HTTPStatus
from importlib import import_module
from typing import TYPE_CHECKING

from threadmill.errors import MissingDependencyError, SettingsError, StoreError, ThreadmillError

try:
    import jinja2  # noqa: F401 -- the templates need it
    import python_multipart  # noqa: F401 -- forms need it
    from fastapi import Depends, FastAPI, Request
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException
except ImportError:
    raise MissingDependencyError("fastapi, jinja2 and python-multipart", "console", "The console") from None

from threadmill.console.context import ConsoleContext
from threadmill.console.overview.crawl_processes import CrawlProcesses
from threadmill.console.overview.summaries import disk_use
from threadmill.console.page_renderer import PageRenderer, make_static_router
from threadmill.console.security.gate import AccessRules, SecurityGate, check_form_token, make_rules
from threadmill.console.shared_reading import SharedReading
from threadmill.console.sites.comparisons import SiteWorker
from threadmill.service.http.app import BodyLimit
from threadmill.service.http.store_access import StoreAccess

if TYPE_CHECKING:
    from starlette.responses import Response

    from threadmill.config import ConsoleSettings
    from threadmill.store import Store
    from threadmill.workspace import Workspace


# The modules of the pages. Each has a function make_router.
_PAGES = (
    "security.login",
    "overview.routes",
    "forums.routes",
    "forums.corrections",
    "search.routes",
    "inspector.routes",
    "compare.routes",
    "sites.routes",
    "operations.routes",
)
_LAST_SECONDS = 2  # for answers under way when the console is stopped; events never end
_DISK_SECONDS = 30.0  # the use of the disk is looked up this often
_BACKLOG = 128  # connections that may wait
_WORDS = {404: "There is no such page.", 405: "This address does not take this kind of request."}
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


def make_console(
    workspace: Workspace, store: Store, rules: AccessRules, wake: Callable[[], None] | None = None
) -> FastAPI:
    """Make the console of a workspace over its open store. `wake` tells a service about a new task."""
    renderer = PageRenderer(rules, workspace.root.name)
    crawls = CrawlProcesses(workspace.root)
    worker = SiteWorker(workspace, wake)
    disk = SharedReading(lambda: asyncio.to_thread(disk_use, workspace.root), _DISK_SECONDS)
    context = ConsoleContext(workspace, StoreAccess(store), rules, renderer, crawls, worker, disk)
    app = FastAPI(title="Threadmill console", openapi_url=None, dependencies=[Depends(check_form_token)])
    app.state.rules = rules
    app.state.crawls = crawls
    app.include_router(make_static_router())
    for page in _PAGES:
        app.include_router(import_module(f"threadmill.console.{page}").make_router(context))
    _add_error_pages(app, renderer)
    advice = "Choose a smaller file."
    app.add_middleware(BodyLimit, most=workspace.settings.console.max_upload_bytes, advice=advice)
    app.add_middleware(SecurityGate, rules=rules)
    return app


def mount_console(
    app: FastAPI, workspace: Workspace, store: Store, host: str, wake: Callable[[], None] | None = None
) -> str:
    """Show the console below /console of another application. Return the token if it asks for one."""
    rules = make_rules(host, workspace.settings.console.password)
    app.mount("/console", make_console(workspace, store, rules, wake))
    return rules.token


def _add_error_pages(app: FastAPI, renderer: PageRenderer) -> None:
    def answer(request: Request, status: int, message: str) -> Response:
        title = _PHRASES.get(status, "Error")
        return renderer.page(request, "error.html", status=status, title=title, message=message)

    async def answer_status(request: Request, error: HTTPException) -> Response:
        said = str(error.detail)
        if said == _PHRASES.get(error.status_code):  # of the framework: the title says it already
            said = _WORDS.get(error.status_code, "The console does not answer this.")
        return answer(request, error.status_code, said)

    async def answer_invalid(request: Request, _error: RequestValidationError) -> Response:
        return answer(request, 400, "A value in this address or form makes no sense here.")

    async def answer_unavailable(request: Request, _error: StoreError) -> Response:
        return answer(request, 503, "The store cannot be reached at the moment. Try again in a few seconds.")

    async def answer_refused(request: Request, error: ThreadmillError) -> Response:
        return answer(request, 400, str(error))

    app.add_exception_handler(HTTPException, answer_status)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, answer_invalid)  # type: ignore[arg-type]
    app.add_exception_handler(StoreError, answer_unavailable)  # type: ignore[arg-type]
    app.add_exception_handler(ThreadmillError, answer_refused)  # type: ignore[arg-type]


def run_console(workspace: Workspace, store: Store, announce: Callable[[str], None]) -> None:
    """Answer until stopped."""
    try:
        import uvicorn
    except ImportError:
        raise MissingDependencyError("uvicorn", "console", "The console") from None
    settings = workspace.settings.console
    rules = make_rules(settings.host, settings.password)
    app = make_console(workspace, store, rules)
    listening = _listen(settings)
    host, port = listening.getsockname()[:2]
    announce(f"open the console: {console_url(host, port, rules.token)}")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    try:
        asyncio.run(uvicorn.Server(config).serve([listening]))
    finally:
        app.state.crawls.close()


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
