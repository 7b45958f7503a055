# mypy: ignore-errors
"""The application of FlaskBB for the bench, with its database in the folder it runs in."""

import collections
import collections.abc
import inspect
from pathlib import Path

for name in ("Mapping", "MutableMapping", "Iterable", "Sequence", "Callable"):  # where they were in its time
    setattr(collections, name, getattr(collections.abc, name))

inspect.getargspec = inspect.formatargspec = inspect.getfullargspec

from flaskbb.app import create_app  # noqa: E402
from flaskbb.configs.default import DefaultConfig  # noqa: E402

HERE = Path.cwd()


class SiteConfig(DefaultConfig):
    """No log files, no search index, no limits."""

    SECRET_KEY = WTF_CSRF_SECRET_KEY = "bench"  # noqa: S105
    SQLALCHEMY_DATABASE_URI = f"sqlite:///{HERE}/data.sqlite"
    WHOOSHEE_DIR = str(HERE / "index")
    WHOOSHEE_ENABLE_INDEXING = False
    LOG_DEFAULT_CONF = {"version": 1}  # noqa: RUF012 -- its own form
    RATELIMIT_ENABLED = False


app = create_app(SiteConfig, instance_path=str(HERE))
