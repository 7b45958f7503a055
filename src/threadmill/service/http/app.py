"""The FastAPI application of `threadmill serve`: its routes, error answers and body size limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from threadmill import __version__
from threadmill.config import ServiceSettings
from threadmill.errors import MissingDependencyError, StoreError
from threadmill.store import Store

try:
    from fastapi.exceptions import RequestValidationError
    from fastapi_offline import FastAPIOffline
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import JSONResponse, RedirectResponse
except ImportError:
    raise MissingDependencyError("fastapi", "service", "The service") from None

from threadmill.service.http.routes import make_monitoring_router, make_private_router, make_public_router
from threadmill.service.http.store_access import StoreAccess

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_DESCRIPTION = """\
Finds out which sites of a list belong to the same company, and why. Send a list of sites with `POST /task`,
then fetch the results with `GET /task/{id}`. You can ask again with another `similarity_border`."""
# A refused body is still read up to this many times the limit. Larger bodies are not sent by mistake.
_DRAIN_FACTOR = 10
_LONGEST_TEXT = 500  # characters of a request that are repeated in an error answer


def make_app(store: Store, settings: ServiceSettings, wake: Callable[[], None]) -> FastAPI:
    """Make the application over an open store. `wake` is called after each new task.

    The documentation pages (/docs, /redoc) work without internet.
    """
    app = FastAPIOffline(title="Threadmill: duplicate sites", version=__version__, description=_DESCRIPTION)
    access = StoreAccess(store)
    app.include_router(make_public_router(access, settings, wake), tags=["tasks"])
    app.include_router(make_private_router(access, settings.token), tags=["private"])
    app.include_router(make_monitoring_router(access, __version__), tags=["monitoring"])
    app.state.home = "docs"  # whoever adds pages for people may name them here
    app.add_api_route("/", _go_home, include_in_schema=False)
    app.add_exception_handler(RequestValidationError, _answer_invalid)  # type: ignore[arg-type]
    app.add_exception_handler(StoreError, _answer_unavailable)
    app.add_exception_handler(HTTPException, _answer_http_error)  # type: ignore[arg-type]
    app.add_middleware(BodyLimit, most=settings.max_body_bytes)
    return app


async def _go_home(request: Request) -> RedirectResponse:
    """Lead people who open the address of the service to a page that they can read."""
    return RedirectResponse(f"{request.scope.get('root_path', '')}/{request.app.state.home}", 303)


async def _answer_invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
    """Answer 422 with one entry per wrong value. The values are not repeated: they may be anything."""
    detail = [
        {
            "loc": [part if isinstance(part, int) else _printable(str(part)) for part in problem["loc"]],
            "msg": _printable(str(problem["msg"])),
            "type": str(problem["type"]),
        }
        for problem in error.errors()
    ]
    return JSONResponse({"detail": detail}, 422)


async def _answer_http_error(_request: Request, error: HTTPException) -> JSONResponse:
    """Answer with the detail of an error. The framework's own 400 means a body whose bytes are no text."""
    detail = "The body cannot be read. Send JSON in UTF-8." if error.status_code == 400 else error.detail
    return JSONResponse({"detail": detail}, error.status_code, error.headers)


async def _answer_unavailable(_request: Request, _error: Exception) -> JSONResponse:
    """Answer 503 when the store fails. The cause is for the operator's log, not for the caller."""
    detail = "The store cannot be reached at the moment. Try again in a few seconds."
    return JSONResponse({"detail": detail}, 503, {"Retry-After": "5"})


def _printable(text: str) -> str:
    """Make text of a request safe for an answer: valid Unicode and not too long."""
    return text.encode("utf-8", "replace").decode()[:_LONGEST_TEXT]


class BodyLimit:
    """ASGI middleware that answers 413 to bodies over the limit, before anything is parsed.

    A body is refused when its Content-Length is too large, or when more bytes than allowed arrive.
    """

    def __init__(self, app: ASGIApp, most: int, advice: str = "Send fewer sites.") -> None:
        self._app = app
        self._most = most
        self._detail = f"The request is larger than {most} bytes, the limit of this service. {advice}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, up to the limit."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > self._most:
            await self._drain(receive)
            await JSONResponse({"detail": self._detail}, 413)(scope, receive, send)
            return
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._most:
                if message.get("more_body"):
                    await self._drain(receive)
                raise HTTPException(413, self._detail)  # the framework turns this into the answer
            return message

        await self._app(scope, receive_counted, send)

    async def _drain(self, receive: Receive) -> None:
        """Read and discard the rest of a body. A client that is cut off sees no answer."""
        received = 0
        while received <= _DRAIN_FACTOR * self._most:
            message = await receive()
            received += len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body"):
                return
