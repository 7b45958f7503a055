"""The directory that holds all state of a user's project: settings, database, archive."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from threadmill.config import SETTINGS_FILE, Settings, load_settings
from threadmill.errors import WorkspaceError

_NEW_SETTINGS = """\
# Settings of this Threadmill workspace; every value has a default (see docs/settings.md).

[fetch]
# contact = "https://your.site/about-our-crawler"   # said to every server we visit
"""


@dataclass(frozen=True, slots=True)
class Workspace:
    """An opened workspace: where its parts are, and its settings."""

    root: Path
    settings: Settings

    @property
    def archive(self) -> Path:
        """The directory of the WARC files."""
        return self.root / "archive"

    @property
    def store_url(self) -> str:
        """The database to use: the one set, else a SQLite file in the workspace."""
        return self.settings.store.url or f"sqlite:///{self.root / 'threadmill.sqlite'}"


def open_workspace(root: Path, *, create: bool = False) -> Workspace:
    """Open a workspace; with `create`, make one where there is none yet."""
    marker = root / SETTINGS_FILE
    if not marker.exists():
        _refuse_or_create(root, marker, create=create)
    return Workspace(root.resolve(), load_settings(marker))


def _refuse_or_create(root: Path, marker: Path, *, create: bool) -> None:
    if root.exists() and not root.is_dir():
        raise WorkspaceError(f"expected a workspace directory at {root}, but it is a file")
    if not create:
        raise WorkspaceError(
            f"{root} is not a Threadmill workspace (no {SETTINGS_FILE} in it); "
            "a crawl makes one: threadmill crawl URL --workspace DIR"
        )
    if root.exists() and any(root.iterdir()):
        raise WorkspaceError(
            f"{root} is not a Threadmill workspace and not empty; "
            "name an empty or new directory with --workspace"
        )
    try:
        root.mkdir(parents=True, exist_ok=True)
        marker.write_text(_NEW_SETTINGS, encoding="utf-8")
    except OSError as error:
        raise WorkspaceError(f"cannot make a workspace at {root}: {error.strerror}") from None
