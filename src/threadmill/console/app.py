"""The application of the console: its routes, its error pages and the gate in front of them."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from threadmill.errors import MissingDependencyError, StoreError, ThreadmillError

try:
    import jinja2  # noqa: F401 -- the templates need it
    import python_multipart  # noqa: F401 -- forms need it
    from fastapi import Depends, FastAPI, Request
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException
except ImportError:
    raise MissingDependencyError("fastapi, jinja2 and python-multipart", "console", "The console") from None

from threadmill.console.context import ConsoleContext
from threadmill.console.inspector.routes import make_inspector_router
from threadmill.console.page_renderer import PageRenderer, make_static_router
from threadmill.console.security.gate import AccessRules, SecurityGate, check_form_token
from threadmill.console.security.login import make_login_router
from threadmill.service.http.app import BodyLimit
from threadmill.service.http.store_access import StoreAccess

if TYPE_CHECKING:
    from starlette.responses import Response

    from threadmill.store import Store
    from threadmill.workspace import Workspace


_PHRASES = {status.value: status.phrase for status in HTTPStatus}


def make_console(workspace: Workspace, store: Store, rules: AccessRules) -> FastAPI:
    """Make the console of a workspace over its open store."""
    renderer = PageRenderer(rules, workspace.root.name)
    context = ConsoleContext(workspace, StoreAccess(store), rules, renderer)
    app = FastAPI(title="Threadmill console", openapi_url=None, dependencies=[Depends(check_form_token)])
    app.state.rules = rules
    app.include_router(make_static_router())
    app.include_router(make_login_router(context))
    app.include_router(make_inspector_router(context))
    _add_error_pages(app, renderer)
    advice = "Choose a smaller file."
    app.add_middleware(BodyLimit, most=workspace.settings.console.max_upload_bytes, advice=advice)
    app.add_middleware(SecurityGate, rules=rules)
    return app


def _add_error_pages(app: FastAPI, renderer: PageRenderer) -> None:
    def answer(request: Request, status: int, message: str) -> Response:
        title = _PHRASES.get(status, "Error")
        return renderer.page(request, "error.html", status=status, title=title, message=message)

    async def answer_status(request: Request, error: HTTPException) -> Response:
        return answer(request, error.status_code, str(error.detail))

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
