import pkgutil
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import threadmill.store
from threadmill.store import open_store
from threadmill.store.migration import head
from threadmill.store.schema import metadata

# Every module declares its own tables, and only imported ones are known.
for module in pkgutil.walk_packages(threadmill.store.__path__, "threadmill.store."):
    if not module.ispkg and ".migrations" not in module.name:
        import_module(module.name)


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
    assert {"capture", "frontier", "job", "post", "run", "thread"} <= set(metadata.tables)
