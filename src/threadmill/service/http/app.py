"""The application behind `threadmill serve`: the calls, their documentation, their errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from threadmill import __version__
from threadmill.config import ServiceSettings
from threadmill.errors import MissingDependencyError, StoreError
from threadmill.store import Store

if TYPE_CHECKING:
    from fastapi import FastAPI, Request
    from fastapi.exceptions import RequestValidationError
    from starlette.responses import JSONResponse

_ABOUT = """\
Tells which of many sites are of one company, and why. `POST /task` with a list of sites, then ask for the
results with `GET /task/{id}`: they are stored, so another `similarity_border` costs nothing."""


def make_app(store: Store, settings: ServiceSettings, wake: Callable[[], None]) -> FastAPI:
    """The application over an open store; its documentation pages need no internet."""
    try:
        from fastapi.exceptions import RequestValidationError
        from fastapi_offline import FastAPIOffline
    except ImportError:
        raise MissingDependencyError("fastapi", "service", "The service") from None
    from threadmill.service.http import private_routes as private
    from threadmill.service.http import public_routes as public
    from threadmill.service.http.limits import BodyLimit
    from threadmill.service.http.store_access import StoreAccess

    app = FastAPIOffline(title="Threadmill: duplicate sites", version=__version__, description=_ABOUT)
    door = StoreAccess(store)
    app.include_router(public.make_router(door, settings, wake), tags=["tasks"])
    app.include_router(private.make_router(door, settings.token), tags=["private"])
    app.add_exception_handler(RequestValidationError, _invalid)  # type: ignore[arg-type]
    app.add_exception_handler(StoreError, _unavailable)
    app.add_middleware(BodyLimit, most=settings.max_body_bytes)
    return app


async def _invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
    """What is wrong, value by value; the values themselves are not sent back: they may be anything."""
    from starlette.responses import JSONResponse

    told = [
        {
            "loc": [part if isinstance(part, int) else _printable(str(part)) for part in problem["loc"]],
            "msg": _printable(str(problem["msg"])),
            "type": str(problem["type"]),
        }
        for problem in error.errors()
    ]
    return JSONResponse({"detail": told}, 422)


async def _unavailable(_request: Request, _error: Exception) -> JSONResponse:
    """The store is away; what is wrong with it is the operator's business, not the caller's."""
    from starlette.responses import JSONResponse

    told = "The store cannot be reached just now: ask again in some seconds"
    return JSONResponse({"detail": told}, 503, {"Retry-After": "5"})


def _printable(text: str) -> str:
    """Text of a request as it may go out again: no lone surrogates, no more than a line."""
    return text.encode("utf-8", "replace").decode()[:500]
