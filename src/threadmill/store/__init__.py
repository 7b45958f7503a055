"""The database: an SQLite file in the workspace, or PostgreSQL by URL. Each table has its own module."""

from threadmill.store.database import Store, open_store, open_store_for_reading

__all__ = ["Store", "open_store", "open_store_for_reading"]
