from importlib.resources import files
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from threadmill.store import captures, jobs, open_store, queue
from threadmill.store.migration import head
from threadmill.store.schema import metadata

TABLES = (captures.capture, jobs.job, jobs.run, queue.queue)


def test_migrations_are_one_line_and_end_where_we_say() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(str(files("threadmill.store"))) / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [head()]


def test_the_migrated_schema_is_the_one_the_code_speaks_of(store_url: str) -> None:
    store = open_store(store_url)
    with store.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
    store.close()
    assert {table.name for table in TABLES} <= set(metadata.tables)
