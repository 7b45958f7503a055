"""Passwords of the console: hashed with scrypt, and tried a few times only."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import time
from collections.abc import Callable

from threadmill.errors import SettingsError

# The parameters that RFC 7914 and OWASP give for logins: 16 MiB and some 50 ms for each try.
_COST, _BLOCK, _LANES = 2**14, 8, 1
_SALT_BYTES = 16
_FREE_TRIES = 5  # wrong passwords of one address before it has to wait
_FIRST_WAIT, _LONGEST_WAIT = 2.0, 900.0  # seconds; doubles with each further wrong password
_MOST_ADDRESSES = 10_000
_FREE_TRIES_IN_ALL = 100  # of all addresses in one minute: an attacker may have many


def hash_password(password: str) -> str:
    """The hash of a password, as the setting console.password takes it."""
    salt = os.urandom(_SALT_BYTES)
    parts = (salt, _scrypt(password, salt))
    return "scrypt$" + "$".join(base64.b64encode(part).decode() for part in parts)


def check_password(password: str, hashed: str) -> bool:
    """Whether a password has this hash."""
    salt, wanted = _split(hashed)
    return hmac.compare_digest(_scrypt(password, salt), wanted)


def check_hash(hashed: str) -> None:
    """Refuse a setting that is no hash, for instance the password itself."""
    _split(hashed)


def _split(hashed: str) -> tuple[bytes, bytes]:
    try:
        name, salt, digest = hashed.split("$")
        if name == "scrypt":
            return base64.b64decode(salt, validate=True), base64.b64decode(digest, validate=True)
    except ValueError:
        pass
    raise SettingsError(
        "console.password must be a hash, not the password itself; "
        "`threadmill console --hash-password` makes one"
    )


def _scrypt(password: str, salt: bytes) -> bytes:
    secret = password.encode("utf-8", "replace")
    return hashlib.scrypt(secret, salt=salt, n=_COST, r=_BLOCK, p=_LANES, maxmem=64 * 1024 * 1024)


class LoginLimit:
    """Makes an address wait after some wrong passwords, and all addresses after very many."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: dict[str, tuple[int, float]] = {}  # address → wrong tries, when it may try again
        self._recent: list[float] = []

    def wait(self, address: str) -> float:
        """Seconds that an address has to wait before its next try."""
        now = self._clock()
        self._recent = [at for at in self._recent if now - at < 60]
        if len(self._recent) >= _FREE_TRIES_IN_ALL:
            return 60 - (now - self._recent[0])
        return max(0.0, self._failures.get(address, (0, 0.0))[1] - now)

    def note_failure(self, address: str) -> None:
        """Count a wrong password."""
        now = self._clock()
        if len(self._failures) >= _MOST_ADDRESSES:
            self._failures.pop(next(iter(self._failures)))
        count = self._failures.pop(address, (0, 0.0))[0] + 1
        pause = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(count - _FREE_TRIES, 20))
        self._failures[address] = (count, now + pause if count >= _FREE_TRIES else now)
        self._recent.append(now)

    def note_success(self, address: str) -> None:
        """Forget the wrong passwords of an address."""
        self._failures.pop(address, None)
