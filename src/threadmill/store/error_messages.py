"""Turns database errors into one sentence that says what is wrong and what to do."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

# The low byte of SQLite's extended result codes (sqlite.org/rescode.html).
_SQLITE = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space and retry",
    sqlite3.SQLITE_READONLY: "the file may not be written; check its permissions and those of its directory",
    sqlite3.SQLITE_PERM: "the file may not be written; check its permissions and those of its directory",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore it from a backup or use a new workspace",
    sqlite3.SQLITE_NOTADB: "the file is not an SQLite database; use another workspace or set store.url",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; check the permissions of its directory",
    sqlite3.SQLITE_BUSY: "another process keeps it locked; wait until it ends",
    sqlite3.SQLITE_IOERR: "the disk failed or is full; check it and retry",
}
# Classes of PostgreSQL error codes (its manual, appendix A): the first two characters of a code.
_POSTGRESQL = {
    "53": "the server is out of disk, memory or connections",
    "57": "the server was shut down",
    "28": "the server does not accept this user or password; check store.url",
    "3D": "there is no such database; create it with createdb or check store.url",
    "42": "the user has no right to do this, or the schema is not Threadmill's",
    "25": "the server allows reading only",
}


def explain(error: DBAPIError, name: str) -> str:
    """Return one sentence about an error of the store with this name."""
    original = error.orig
    if isinstance(original, sqlite3.Error):
        code = getattr(original, "sqlite_errorcode", 0) & 0xFF
        return f"cannot use the store {name}: {_SQLITE.get(code, _first_line(original))}"
    state = getattr(original, "sqlstate", None) or ""
    if not state:  # no server answered
        return (
            f"cannot reach PostgreSQL at {name}: {_first_line(original)}; "
            "start the server or change store.url"
        )
    known = _POSTGRESQL.get(state[:2])
    said = _first_line(original)
    return f"cannot use the store {name}: {f'{known} ({said})' if known else said}"


def _first_line(error: BaseException | None) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].removesuffix(".") if lines else type(error).__name__
