"""The log-in page, and the form in which people say their name."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from threadmill.console.context import ConsoleContext
from threadmill.console.page_renderer import local_path, redirect
from threadmill.console.security.gate import AccessRules
from threadmill.console.security.sessions import SESSION, current_session


def make_router(context: ConsoleContext) -> APIRouter:
    """The routes of logging in and out."""
    router = APIRouter()
    rules = context.rules
    _add_login(router, context)

    @router.post("/logout")
    async def log_out(request: Request) -> Response:
        request.scope[SESSION] = rules.signer.begin(logged_in=False)
        return redirect(request, "/")

    @router.post("/name")
    async def set_name(request: Request) -> Response:
        form = await request.form()
        name = " ".join(str(form.get("name") or "").split())[:60]
        request.scope[SESSION] = replace(current_session(request), name=name)
        return redirect(request, local_path(str(form.get("to") or "")))

    return router


def _add_login(router: APIRouter, context: ConsoleContext) -> None:
    def show_form(request: Request, problem: str = "", status: int = 200) -> HTMLResponse:
        to = local_path(request.query_params.get("to", ""))
        return context.renderer.page(request, "login.html", status=status, problem=problem, to=to)

    @router.get("/login")
    async def login_page(request: Request) -> Response:
        token = request.query_params.get("token")
        if token is None:
            return show_form(request)
        if await _try_secret(context.rules, request, token, ""):
            return show_form(request, "This link is too old. Use the one that the console printed.", 401)
        return redirect(request, "/")

    @router.post("/login")
    async def log_in(request: Request) -> Response:
        form = await request.form()
        secret, name = str(form.get("password") or ""), str(form.get("name") or "")
        problem = await _try_secret(context.rules, request, secret, name)
        if problem:
            return show_form(request, problem, 429 if problem.startswith("Too many") else 401)
        return redirect(request, local_path(request.query_params.get("to", "")))


async def _try_secret(rules: AccessRules, request: Request, secret: str, name: str) -> str:
    """Log in. Return what is wrong, or nothing."""
    address = request.client.host if request.client else ""
    wait = rules.limit.wait(address)
    if wait > 0:
        return f"Too many wrong passwords. Wait {wait:.0f} seconds."
    if not await asyncio.to_thread(rules.admits, secret):
        rules.limit.note_failure(address)
        return "This is not the password."
    rules.limit.note_success(address)
    request.scope[SESSION] = rules.signer.begin(logged_in=True, name=name)
    return ""
