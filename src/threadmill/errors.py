"""Every error Threadmill raises on purpose, as one tree; each says what was expected, what came, what to do.

ThreadmillError
├── UsageError            the caller asked for something that makes no sense
│   ├── URLError          a URL that is none, or of a scheme we do not fetch
│   └── SettingsError     a setting of the wrong name or type
├── WorkspaceError        the directory is not a workspace, or cannot be one
├── StoreError            the database cannot be reached, opened or written
├── ArchiveError          an archive file that cannot be read or written at all
├── VerticalError         a vertical file that breaks its format
├── FetchError            one request that brought no usable answer
│   ├── ForbiddenError    robots.txt or the address policy says no
│   └── TransientError    worth another try later
└── MissingDependencyError  an optional package is not installed
"""

from __future__ import annotations


class ThreadmillError(Exception):
    """The root: catch this to catch everything Threadmill raises on purpose."""

    exit_code = 1


class UsageError(ThreadmillError):
    """The caller asked for something that makes no sense."""

    exit_code = 2


class URLError(UsageError):
    """A URL that is none, or of a scheme we do not fetch."""


class SettingsError(UsageError):
    """A setting of the wrong name or type."""


class WorkspaceError(ThreadmillError):
    """The directory is not a workspace, or cannot be one."""


class StoreError(ThreadmillError):
    """The database cannot be reached, opened or written."""


class ArchiveError(ThreadmillError):
    """An archive file that cannot be read or written at all."""


class VerticalError(ThreadmillError):
    """A vertical file that breaks its format."""


class FetchError(ThreadmillError):
    """One request that brought no usable answer."""


class ForbiddenError(FetchError):
    """robots.txt or the address policy says no."""


class TransientError(FetchError):
    """A failure that is worth another try later."""


class MissingDependencyError(ThreadmillError):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package {package}, which is not installed; "
            f"install it with: pip install 'threadmill[{extra}]'"
        )
