"""Alembic runs this module: it applies the migrations on the given connection, in its transaction."""

from alembic import context

from threadmill.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # also with SQLite, because we begin transactions explicitly
)
context.run_migrations()
