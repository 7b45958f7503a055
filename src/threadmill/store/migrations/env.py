"""Alembic's way in: runs the migrations on the connection, and in the transaction, it is handed."""

from alembic import context

from threadmill.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # true of SQLite too, since our transactions begin explicitly
)
context.run_migrations()
