"""Where state lives: the workspace's SQLite file, or PostgreSQL by one URL; a table a file, by noun."""

from threadmill.store.database import Store, open_store

__all__ = ["Store", "open_store"]
