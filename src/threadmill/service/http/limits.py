"""The limit on the size of a request, kept before anything of it is parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PATIENCE = 10  # times the limit: what is larger is no mistake


class BodyLimit:
    """Answers 413 to a body that says it is too large, or turns out to be."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most
        self._told = f"The request is larger than {most} bytes, the most this service takes: send fewer sites"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, up to the limit."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > self._most:
            await self._drain(receive)
            await JSONResponse({"detail": self._told}, 413)(scope, receive, send)
            return
        came = 0

        async def counted() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > self._most:  # the framework turns this into the answer, as for any other
                if message.get("more_body"):
                    await self._drain(receive)
                raise HTTPException(413, self._told)
            return message

        await self._app(scope, counted, send)

    async def _drain(self, receive: Receive) -> None:
        """Let a body run out unread: who is cut off while sending never sees the answer."""
        came = 0
        while came <= _PATIENCE * self._most:
            message = await receive()
            came += len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body"):
                return
