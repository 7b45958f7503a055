"""What a database complains of, told in one sentence that says what to do."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

# The low byte of SQLite's extended result codes (sqlite.org/rescode.html).
_SQLITE = {
    sqlite3.SQLITE_FULL: "the disk is full; make room and run the same command again",
    sqlite3.SQLITE_READONLY: "it may not be written to; check the permissions of the file and its directory",
    sqlite3.SQLITE_PERM: "it may not be written to; check the permissions of the file and its directory",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore it from a backup, or name a new workspace",
    sqlite3.SQLITE_NOTADB: "the file is not an SQLite database; name another workspace or set store.url",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; check the permissions of its directory",
    sqlite3.SQLITE_BUSY: "another process keeps it locked; wait for that one to end",
    sqlite3.SQLITE_IOERR: "the disk failed or is full; make room and run the same command again",
}
# PostgreSQL's error codes: its appendix A; classes are the first two characters.
_POSTGRESQL = {
    "53": "the server is out of disk, memory or connections",
    "57": "the server was shut down",
    "28": "the server does not accept this user or password; check store.url",
    "3D": "there is no such database; make it with createdb, or check store.url",
    "42": "the user may not do this, or the schema is not ours",
    "25": "the server allows reading only",
}


def explain(error: DBAPIError, name: str) -> str:
    """One sentence on what went wrong with the store of this name."""
    original = error.orig
    if isinstance(original, sqlite3.Error):
        code = getattr(original, "sqlite_errorcode", 0) & 0xFF
        return f"cannot use the store {name}: {_SQLITE.get(code, _first_line(original))}"
    state = getattr(original, "sqlstate", None) or ""
    if not state:  # no answer of a server at all
        return (
            f"cannot reach PostgreSQL at {name}: {_first_line(original)}; "
            "start the server or set store.url to another"
        )
    known = _POSTGRESQL.get(state[:2])
    said = _first_line(original)
    return f"cannot use the store {name}: {f'{known} ({said})' if known else said}"


def _first_line(error: BaseException | None) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].removesuffix(".") if lines else type(error).__name__
