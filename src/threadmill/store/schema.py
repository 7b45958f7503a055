"""What all tables share: the metadata, column types that work the same in SQLite and PostgreSQL, copying."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, Connection, Dialect, Integer, MetaData, Table, Text, func, select, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.types import TypeDecorator, TypeEngine

# Constraints get predictable names, so that a later migration can refer to them.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_ROWS = 1000  # that are copied at a time

# SQLite numbers rows only in columns of the type INTEGER, which has 64 bits there.
Identity = BigInteger().with_variant(Integer(), "sqlite")


class Instant(TypeDecorator[datetime]):
    """A time with zone, in UTC: a timestamp in PostgreSQL, sortable ISO 8601 text in SQLite."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the column type of a database."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(TIMESTAMP(timezone=True))
        return dialect.type_descriptor(Text())

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Convert a time for the database."""
        if value is None or dialect.name == "postgresql":
            return value
        return value.astimezone(UTC).isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a time from the database."""
        if isinstance(value, str):
            return datetime.fromisoformat(value)
        return value.astimezone(UTC) if isinstance(value, datetime) else None


def copy_rows(tables: Sequence[Table], source: Connection, target: Connection) -> None:
    """Replace the rows of some tables, in the target's transaction. A table follows those it refers to."""
    for table in reversed(tables):
        target.execute(table.delete())
    for table in tables:
        # In the order of their numbers a row follows the row of the same table that it refers to.
        rows = source.execution_options(yield_per=_ROWS).execute(select(table).order_by(*table.primary_key))
        own = [key.parent.name for key in table.foreign_keys if key.column.table is table]
        late = []  # rows that refer to a later one, as a board that was moved below a newer one
        for part in rows.mappings().partitions(_ROWS):
            values = [dict(row) for row in part]
            for value, name in ((value, name) for value in values for name in own):
                if value[name] is not None and value[name] >= value["id"]:
                    late.append((value["id"], name, value[name]))
                    value[name] = None
            target.execute(table.insert(), values)
        for number, name, wanted in late:
            target.execute(table.update().where(table.c.id == number).values({name: wanted}))
        if target.dialect.name == "postgresql" and isinstance(
            getattr(table.c.get("id"), "type", 0), BigInteger
        ):
            _set_sequence(target, table)


def _set_sequence(connection: Connection, table: Table) -> None:
    """Let new rows get numbers above those that were copied."""
    last = connection.execute(select(func.max(table.c.id))).scalar()
    if last is not None:
        name = text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)")
        connection.execute(name, {"table": table.name, "last": int(last)})
