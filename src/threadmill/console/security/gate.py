"""The gate in front of every page: checks host, session and form token, and sets the security headers."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from fastapi import HTTPException, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse

from threadmill.console.security.passwords import LoginLimit, check_hash, check_password
from threadmill.console.security.sessions import SESSION, ConsoleSession, SessionSigner, current_session

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN_PATHS = ("/login", "/static/", "/health")

# No script, style or picture comes from elsewhere, nothing inline runs, and no other site may frame a page.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# An archived page: no script, no form, no network. `allow-top-navigation-by-user-activation` lets the links
# that we put into it lead back to the console; its own links are removed before.
ARCHIVED_POLICY = (
    "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)


@dataclass(frozen=True, slots=True)
class AccessRules:
    """Who may enter. On this machine everybody; from elsewhere those who have the password or the token."""

    open_to_all: bool
    password: str = ""  # its hash
    token: str = ""
    signer: SessionSigner = field(default_factory=SessionSigner)
    limit: LoginLimit = field(default_factory=LoginLimit)

    def admits(self, secret: str) -> bool:
        """Whether a secret is the password or the token. Takes some 50 ms."""
        if self.token and hmac.compare_digest(secret.encode("utf-8", "replace"), self.token.encode()):
            return True
        return bool(self.password) and check_password(secret, self.password)


def make_rules(host: str, password: str) -> AccessRules:
    """The rules for an address to listen on. Without a password, a token is made for this start."""
    if password:
        check_hash(password)
    if is_loopback(host):
        return AccessRules(open_to_all=not password, password=password)
    return AccessRules(
        open_to_all=False, password=password, token="" if password else secrets.token_urlsafe(24)
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class SecurityGate:
    """ASGI middleware: every request passes it before a route, every answer after it."""

    def __init__(self, app: ASGIApp, rules: AccessRules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it with a refusal or the log-in page."""
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        cookie = cookie_name(scope)
        session = self._rules.signer.read(_cookie(headers, cookie))
        fresh = session is None
        session = session or self._rules.signer.begin(logged_in=False)
        scope[SESSION] = session
        refusal = self._refuse(scope, headers, session)
        secure = scope.get("scheme") == "https"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer.setdefault("Content-Security-Policy", PAGE_POLICY)
                answer.setdefault("Cache-Control", "no-store")
                answer["X-Content-Type-Options"] = "nosniff"
                answer["Referrer-Policy"] = (
                    "same-origin"  # with "no-referrer", forms would say "Origin: null"
                )
                answer["Cross-Origin-Opener-Policy"] = "same-origin"
                answer["Cross-Origin-Resource-Policy"] = "same-origin"
                changed: ConsoleSession = scope[SESSION]
                if fresh or changed is not session:
                    value = self._rules.signer.cookie(changed)
                    path = scope.get("root_path") or "/"
                    flags = "; Secure" if secure else ""
                    answer.append(
                        "Set-Cookie", f"{cookie}={value}; Path={path}; HttpOnly; SameSite=Lax{flags}"
                    )
            await send(message)

        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refuse(self, scope: Scope, headers: Headers, session: ConsoleSession) -> ASGIApp | None:
        if self._rules.open_to_all and not is_loopback(_host(headers)):
            # A page of another site whose name leads to this machine (DNS rebinding).
            return PlainTextResponse("This console answers to localhost and 127.0.0.1 only.", 421)
        if scope["method"] not in _SAFE_METHODS and not _is_same_site(headers):
            return PlainTextResponse("This request comes from another site.", 403)
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if self._rules.open_to_all or session.logged_in or path.startswith(_OPEN_PATHS):
            return None
        if scope["method"] != "GET":
            return PlainTextResponse("Log in first.", 401)
        query = scope.get("query_string", b"").decode("latin-1")
        wanted = quote(path + (f"?{query}" if query else ""), safe="")
        return RedirectResponse(f"{scope.get('root_path', '')}/login?to={wanted}", 303)


def cookie_name(scope: Scope) -> str:
    """The name of the cookie. Browsers send the cookies of one port to all ports of a host."""
    port = (scope.get("server") or ("", 0))[1]
    return f"threadmill-{port}"


def _cookie(headers: Headers, name: str) -> str | None:
    for part in headers.get("cookie", "").split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return None


def _host(headers: Headers) -> str:
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def _is_same_site(headers: Headers) -> bool:
    """Whether a browser says that a request comes from a page of the console. Other programs say nothing."""
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc == headers.get("host", "")
    except ValueError:
        return False


async def check_form_token(request: Request) -> AsyncIterator[None]:
    """Refuse a form without the token of its session. Every route that changes something depends on this."""
    if request.method in _SAFE_METHODS:
        yield
        return
    rules: AccessRules = request.app.state.rules
    form = await request.form()
    token = form.get("form_token") or request.headers.get("x-form-token", "")
    if not isinstance(token, str) or not rules.signer.is_form_token(current_session(request), token):
        await form.close()
        raise HTTPException(403, "This form is too old. Go back, reload the page and try again.")
    try:
        yield
    finally:
        await form.close()  # uploaded files
