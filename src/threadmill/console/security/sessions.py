"""Sessions of the console: a signed cookie that says who is there, and the token that its forms carry."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request

SESSION = "threadmill_session"  # key of the session in the scope of a request
_DAYS_30 = 30 * 86_400.0  # seconds that a session lasts
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class ConsoleSession:
    """One browser. Its name is what votes and decisions are stored under."""

    number: str  # random
    began: float
    logged_in: bool = False
    name: str = ""


class SessionSigner:
    """Makes and reads cookies. The key lives as long as the process: a restart ends all sessions."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._key = os.urandom(32)
        self._clock = clock

    def begin(self, *, logged_in: bool, name: str = "") -> ConsoleSession:
        """A new session."""
        return ConsoleSession(os.urandom(16).hex(), self._clock(), logged_in, name.strip()[:_LONGEST_NAME])

    def cookie(self, session: ConsoleSession) -> str:
        """The cookie of a session."""
        said = [session.number, session.began, session.logged_in, session.name]
        body = base64.urlsafe_b64encode(json.dumps(said).encode()).decode()
        return f"{body}.{self._sign('cookie', body)}"

    def read(self, cookie: str | None) -> ConsoleSession | None:
        """The session of a cookie. None if it is forged, broken or too old."""
        body, _, signature = (cookie or "").partition(".")
        if not _same(signature, self._sign("cookie", body)):
            return None
        try:
            session = ConsoleSession(*json.loads(base64.urlsafe_b64decode(body)))
        except (ValueError, TypeError, binascii.Error):
            return None
        return session if self._clock() - session.began < _DAYS_30 else None

    def form_token(self, session: ConsoleSession) -> str:
        """The token that every form of a session carries. Another site cannot read it."""
        return self._sign("form", session.number)

    def is_form_token(self, session: ConsoleSession, token: str) -> bool:
        """Whether a token is that of the session."""
        return _same(token, self.form_token(session))

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self._key, f"{purpose}:{text}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def current_session(request: Request) -> ConsoleSession:
    """The session of a request."""
    session: ConsoleSession = request.scope[SESSION]
    return session
