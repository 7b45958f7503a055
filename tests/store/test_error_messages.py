import sqlite3

import pytest
from sqlalchemy.exc import DBAPIError

from threadmill.store.error_messages import explain


class ServerError(Exception):
    """An error as psycopg raises it."""

    def __init__(self, message: str, sqlstate: str | None) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate


def from_sqlite(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("raw words")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("original", "expected"),
    [
        (from_sqlite(sqlite3.SQLITE_FULL), "the store S: the disk is full; free some space and retry"),
        (from_sqlite(sqlite3.SQLITE_IOERR | 3 << 8), "cannot use the store S: the disk failed or is full"),
        (from_sqlite(sqlite3.SQLITE_BUSY), "cannot use the store S: another process keeps it locked"),
        (from_sqlite(sqlite3.SQLITE_MISMATCH), "cannot use the store S: raw words"),
        (ServerError("no password.\nmore", "28P01"), "check store.url (no password)"),
        (ServerError("odd", "99999"), "cannot use the store S: odd"),
        (ServerError("refused", None), "PostgreSQL at S: refused; start the server or change store.url"),
        (ServerError("", None), "cannot reach PostgreSQL at S: ServerError;"),
    ],
)  # fmt: skip
def test_an_error_is_one_sentence_with_a_cure(original: Exception, expected: str) -> None:
    message = explain(DBAPIError("SELECT 1", {}, original), "S")
    assert expected in message
    assert "\n" not in message
