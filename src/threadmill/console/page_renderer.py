"""Fills the HTML templates of the console, and serves its style sheet and script."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from threadmill import __version__
from threadmill.console.security.gate import AccessRules
from threadmill.console.security.sessions import current_session

_STATIC_TYPES = {"console.css": "text/css", "console.js": "text/javascript", "icon.svg": "image/svg+xml"}
_TOKEN_FIELD = Markup('<input type="hidden" name="form_token" value="{}">')
_UNITS = (("year", 31_556_952), ("month", 2_629_746), ("day", 86_400), ("hour", 3600), ("minute", 60))
PAGE_ROWS = 50  # of a table
_LAST_PAGE = 1_000_000


@dataclass(frozen=True, slots=True)
class TableView:
    """Which part of a table a reader wants to see: the page, from 1, and the order."""

    page: int
    sort: str
    descending: bool

    @property
    def offset(self) -> int:
        """Rows before this page."""
        return (self.page - 1) * PAGE_ROWS


def table_view(request: Request, sorts: Mapping[str, bool]) -> TableView:
    """The part of a table that the query of a request names. `sorts`: each order, and whether it falls.

    What makes no sense is read as the first page in the first order.
    """
    given = request.query_params
    text = given.get("page", "1")
    page = int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 1
    sort = given.get("sort", "")
    if sort not in sorts:
        sort = next(iter(sorts))
    falling = {"up": False, "down": True}.get(given.get("dir", ""), sorts[sort])
    return TableView(min(max(page, 1), _LAST_PAGE), sort, falling)


def redirect(request: Request, path: str) -> RedirectResponse:
    """Send a browser to another page of the console, after a form."""
    return RedirectResponse(request.scope.get("root_path", "") + path, 303)


def local_path(text: str) -> str:
    """A path of the console. Anything else (a URL of another site) becomes the overview."""
    is_local = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable()
    return text if is_local else "/"


class PageRenderer:
    """Makes whole pages and parts of pages. Everything that is put into a template is escaped."""

    def __init__(self, rules: AccessRules, workspace_name: str) -> None:
        self._rules = rules
        self._environment = environment = Environment(
            loader=PackageLoader("threadmill.console", "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters.update(
            count=show_count,
            counted=show_counted,
            when=show_when,
            ago=show_ago,
            size=show_size,
            short_url=show_url,
            site_name=show_site,
        )
        environment.globals.update(
            version=__version__,
            workspace_name=workspace_name,
            static=static_name,
            page_rows=PAGE_ROWS,
            sections=("/", "/search", "/inspect", "/compare", "/sites", "/operations"),
        )

    def page(self, request: Request, name: str, /, *, status: int = 200, **values: Any) -> HTMLResponse:
        """The answer with a filled template."""
        return HTMLResponse(self.text(request, name, **values), status)

    def text(self, request: Request, name: str, /, **values: Any) -> Markup:
        """A filled template."""
        session = current_session(request)

        def here(**changes: object) -> str:
            """The present URL with other parameters."""
            left_out = {*changes, "part"}  # a part of a page leads to whole pages
            kept = {key: value for key, value in request.query_params.items() if key not in left_out}
            kept |= {key: str(value) for key, value in changes.items() if value is not None}
            return "?" + urlencode(kept)

        rendered = self._environment.get_template(name).render(
            base=request.scope.get("root_path", ""),
            token=lambda: _TOKEN_FIELD.format(self._rules.signer.form_token(session)),
            session=session,
            may_log_out=not self._rules.open_to_all,
            here=here,
            path=request.scope["path"].removeprefix(request.scope.get("root_path", "")),
            query=request.query_params,
            **values,
        )
        return Markup(rendered)  # noqa: S704 -- made by a template that escapes


def show_count(number: float | None) -> str:
    """A number with separators between the thousands."""
    return "–" if number is None else f"{number:,.0f}"


def show_counted(number: int, word: str) -> str:
    """A number with its word: 1 site, 2 sites."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def show_site(url: str) -> str:
    """The URL of a site as people call it."""
    return show_url(url).removeprefix("www.")


def show_url(url: str) -> str:
    """A URL without its scheme and the slash at its end."""
    return url.partition("://")[2].rstrip("/") or url


def show_when(moment: datetime | None) -> str:
    """A time in UTC, to the minute."""
    return "never" if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def show_ago(moment: datetime | None, now: datetime | None = None) -> str:
    """How long ago a time was, or how soon it comes, in words."""
    if moment is None:
        return "never"
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    span = abs(seconds)
    for unit, size in _UNITS:
        if span >= size:
            number = int(span / size)
            words = f"{number} {unit}{'s' if number > 1 else ''}"
            return f"{words} ago" if seconds > 0 else f"in {words}"
    return "just now" if seconds >= 0 else "now"


def show_size(size: float | None) -> str:
    """A number of bytes in a unit that fits."""
    if size is None:
        return "–"
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:,.0f} {unit}" if unit == "bytes" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError


@cache
def static_name(name: str) -> str:
    """The name of a static file with its version, so that browsers may keep it for ever."""
    stem, _, ending = name.rpartition(".")
    return f"{stem}-{hashlib.sha256(_content(name)).hexdigest()[:12]}.{ending}"


@cache
def _content(name: str) -> bytes:
    return (files("threadmill.console") / "static" / name).read_bytes()


def make_static_router() -> APIRouter:
    """The route of the style sheet, the script and the icon."""
    router = APIRouter()

    @router.get("/static/{name}")
    async def static_file(name: str) -> Response:
        known = next((known for known in _STATIC_TYPES if static_name(known) == name), None)
        if known is None:
            raise HTTPException(404, "There is no such file.")
        lasting = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(_content(known), media_type=_STATIC_TYPES[known], headers=lasting)

    return router
