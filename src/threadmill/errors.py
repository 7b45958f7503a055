"""Every error Threadmill raises on purpose, as one tree; each says what was expected, what came, what to do.

ThreadmillError
├── UsageError            the caller asked for something that makes no sense
│   ├── URLError          a URL that is none, or of a scheme we do not fetch
│   └── SettingsError     a setting of the wrong name or type
├── WorkspaceError        the directory is not a workspace, or cannot be one
├── StoreError            the database cannot be reached, opened or written
│   └── OldModelError     what was learnt of a forum was stored in another form
├── QueueError            the message broker cannot be reached or does not do as asked
├── MessageError          a message between stages that makes no sense
├── ArchiveError          an archive file that cannot be read or written at all
├── HookError             the user's own function failed on a paragraph
├── VerticalError         a vertical file that breaks its format
├── SearchIndexError      a search index that is none, or cannot be read or written
├── FetchError            one request that brought no usable answer; `reason` names it for counting
│   ├── ForbiddenError    robots.txt or the address policy says no
│   │   ├── RobotsForbiddenError
│   │   └── AddressForbiddenError
│   ├── RedirectError     a redirect that cannot be followed
│   │   ├── TooManyRedirectsError
│   │   ├── RedirectLoopError
│   │   └── BadRedirectError
│   ├── UnknownHostError  there is no host of that name
│   ├── TLSError          no secure connection could be made
│   ├── BadAnswerError    what came is not HTTP
│   │   └── HeadTooLargeError
│   └── TransientError    worth another try later
│       ├── FetchTimeoutError
│       ├── RefusedError  nobody listens there, or no way leads there
│       ├── CutOffError   the peer closed before it had answered
│       ├── DNSFailureError
│       ├── BusyError     429 or 503, again and again
│       ├── HostAsideError
│       └── RobotsUnreachableError
└── MissingDependencyError  an optional package is not installed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadmill.types import Exchange


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


class OldModelError(StoreError):
    """What was learnt of a forum was stored by a version that wrote it in another form."""


class QueueError(ThreadmillError):
    """The message broker cannot be reached or does not do as asked."""


class MessageError(ThreadmillError):
    """A message between stages that makes no sense."""


class ArchiveError(ThreadmillError):
    """An archive file that cannot be read or written at all."""


class HookError(ThreadmillError):
    """The user's own function failed on a paragraph, or gave what is no class and text."""


class VerticalError(ThreadmillError):
    """A vertical file that breaks its format."""


class SearchIndexError(ThreadmillError):
    """A search index that is none, or cannot be read or written."""


class FetchError(ThreadmillError):
    """One request that brought no usable answer."""

    reason = "fetch"  # short and stable: outcomes are counted by it

    def __init__(self, message: str, exchanges: tuple[Exchange, ...] = ()) -> None:
        super().__init__(message)
        self.exchanges = exchanges  # what did come over the wire before it failed


class ForbiddenError(FetchError):
    """robots.txt or the address policy says no."""

    reason = "forbidden"


class RobotsForbiddenError(ForbiddenError):
    """The host's robots.txt disallows the URL."""

    reason = "robots"


class AddressForbiddenError(ForbiddenError):
    """The host is at a private, loopback, link-local or otherwise reserved address."""

    reason = "address"


class RedirectError(FetchError):
    """A redirect that cannot be followed."""

    reason = "redirect"


class TooManyRedirectsError(RedirectError):
    """A chain of redirects longer than the limit."""

    reason = "too-many-redirects"


class RedirectLoopError(RedirectError):
    """A chain of redirects that came back to where it was."""

    reason = "redirect-loop"


class BadRedirectError(RedirectError):
    """A redirect to something that is not a URL we fetch."""

    reason = "bad-redirect"


class UnknownHostError(FetchError):
    """There is no host of that name."""

    reason = "unknown-host"


class TLSError(FetchError):
    """No secure connection could be made."""

    reason = "tls"


class BadAnswerError(FetchError):
    """What came is not HTTP."""

    reason = "bad-http"


class HeadTooLargeError(BadAnswerError):
    """The headers of an answer go on beyond every measure."""

    reason = "headers-too-large"


class TransientError(FetchError):
    """A failure that is worth another try later."""

    reason = "transient"

    def __init__(
        self, message: str, exchanges: tuple[Exchange, ...] = (), retry_in: float | None = None
    ) -> None:
        super().__init__(message, exchanges)
        self.retry_in = retry_in  # seconds from now, when something told us


class FetchTimeoutError(TransientError):
    """No answer in time."""

    reason = "timeout"


class RefusedError(TransientError):
    """Nobody listens there, or no way leads there."""

    reason = "refused"


class CutOffError(TransientError):
    """The peer closed the connection before it had answered."""

    reason = "cut-off"


class DNSFailureError(TransientError):
    """The name could not be looked up just now."""

    reason = "dns"


class BusyError(TransientError):
    """The server said "later" (429, 503) more often than we ask."""

    reason = "busy"


class HostAsideError(TransientError):
    """The host keeps failing and is left alone for a while."""

    reason = "host-aside"


class RobotsUnreachableError(TransientError):
    """robots.txt cannot be had, so nothing of the host may be fetched for now."""

    reason = "robots-unreachable"


class MissingDependencyError(ThreadmillError):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package {package}, which is not installed; "
            f"in the source folder of Threadmill, run: pip install '.[{extra}]'"
        )
