"""Moves all that a database holds to another one, and proves that nothing was lost or changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from sqlalchemy import Connection, Table, func, select

import threadmill.store
from threadmill.errors import StoreError
from threadmill.store.database import open_store
from threadmill.store.schema import copy_rows, metadata

_ROWS = 1000  # that are read at a time


@dataclass(frozen=True, slots=True)
class TableProof:
    """What a table holds: its rows and a sum over their hashes, which the order of rows does not change."""

    rows: int
    hashes: int


def move_store(
    source_url: str, target_url: str, report: Callable[[str], None] = lambda _: None
) -> dict[str, int]:
    """Copy every table to an empty database, in one transaction. Return the rows of each.

    Raises StoreError if the target holds rows, or if what was copied differs; then the target stays empty.
    """
    tables = all_tables()
    source, target = open_store(source_url), None
    try:
        target = open_store(target_url)
        with source.reading() as old, target.writing() as new:
            _require_empty(tables, new, target.name)
            for table in tables:
                report(table.name)
                copy_rows([table], old, new)
            return {table.name: _compare(table, old, new) for table in tables}
    finally:
        source.close()
        if target is not None:
            target.close()


def all_tables() -> list[Table]:
    """All tables of a store. A table follows those it refers to."""
    for module in walk_packages(threadmill.store.__path__, "threadmill.store."):
        if ".migrations" not in module.name:
            import_module(module.name)  # it declares its tables
    return list(metadata.sorted_tables)


def _require_empty(tables: Iterable[Table], connection: Connection, name: str) -> None:
    for table in tables:
        if connection.execute(select(func.count()).select_from(table)).scalar():
            raise StoreError(f"{name} holds rows already (in the table {table.name}); name an empty database")


def _compare(table: Table, old: Connection, new: Connection) -> int:
    before, after = prove(table, old), prove(table, new)
    if before != after:
        raise StoreError(
            f"the copy of the table {table.name} differs: {before.rows:,} rows were read, {after.rows:,} are "
            "there, or their contents differ; nothing was moved"
        )
    return after.rows


def prove(table: Table, connection: Connection) -> TableProof:
    """Count the rows of a table, and add up their hashes."""
    rows, hashes = 0, 0
    for row in _rows_of(table, connection):
        rows += 1
        hashes += int.from_bytes(hashlib.sha256(row).digest()[:8])
    return TableProof(rows, hashes % 2**64)


def _rows_of(table: Table, connection: Connection) -> Iterator[bytes]:
    found = connection.execution_options(yield_per=_ROWS).execute(select(table))
    for row in found.mappings():
        values = {str(name): _plain(value) for name, value in row.items()}
        yield json.dumps(values, sort_keys=True, ensure_ascii=True).encode()


def _plain(value: Any) -> Any:
    """A value in one spelling for both databases."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="microseconds")
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)
