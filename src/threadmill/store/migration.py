"""Updates the database schema to this version. A schema that is up to date costs one query."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from threadmill.errors import StoreError

if TYPE_CHECKING:
    from threadmill.store.database import Store

_PACKAGE = "threadmill.store"
# An arbitrary number that every Threadmill uses. Two processes may open a new database at the same time.
_ADVISORY_LOCK = 0x7468_7264


def migrate(store: Store) -> None:
    """Run the missing migrations in one transaction."""
    with store.reading() as connection:
        version = _version(connection)
    if version == head():
        return
    if version is not None and version not in _revisions():
        raise StoreError(
            f"the store {store.name} was made by a newer Threadmill (schema {version}, "
            f"this one knows {head()}); upgrade Threadmill"
        )
    with store.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
        _upgrade(connection)


def head() -> str:
    """Return the number of the newest migration. Their files are named NUMBER_what.py."""
    return _revisions()[-1]


@cache
def _revisions() -> list[str]:
    names = (entry.name for entry in (files(_PACKAGE) / "migrations" / "versions").iterdir())
    return sorted(name.partition("_")[0] for name in names if name[:1].isdigit() and name.endswith(".py"))


def _version(connection: Connection) -> str | None:
    with suppress(DBAPIError):
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar())
    # The query fails on a new database, and on one that does not answer. The latter raises here.
    connection.rollback()
    connection.execute(text("SELECT 1"))
    return None


def _upgrade(connection: Connection) -> None:
    # Alembic takes 0.15 s to import. Only a database that needs a migration pays for it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option(
        "script_location", str(Path(str(files(_PACKAGE))) / "migrations").replace("%", "%%")
    )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
