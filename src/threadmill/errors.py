"""Every error that Threadmill raises on purpose, as one tree.

A message says what was expected, what came instead, and what to do.

ThreadmillError
├── UsageError            the call makes no sense
│   ├── URLError          not a URL, or a scheme that Threadmill does not fetch
│   └── SettingsError     a setting with an unknown name or a wrong type
├── NothingFoundError     what was asked for is not there: no such author, board or forum
├── LoginError            a log-in form that is not there, or that refuses
├── WorkspaceError        the directory is not a workspace and cannot become one
├── StoreError            the database cannot be reached, opened or written
│   └── OldModelError     another version stored what it learnt about a forum
├── QueueError            the message broker cannot be reached or refuses
├── MessageError          a message between stages that cannot be read
├── ArchiveError          an archive file that cannot be read or written at all
├── HookError             the user's own function failed on a paragraph
├── VerticalError         a vertical file that breaks its format
├── SearchIndexError      not a search index, or one that cannot be read or written
├── FetchError            a request without a usable answer; `reason` names it for counting
│   ├── ForbiddenError    robots.txt or the address policy forbids the request
│   │   ├── RobotsForbiddenError
│   │   └── AddressForbiddenError
│   ├── RedirectError     a redirect that cannot be followed
│   │   ├── TooManyRedirectsError
│   │   ├── RedirectLoopError
│   │   └── BadRedirectError
│   ├── UnknownHostError  no host has that name
│   ├── TLSError          no secure connection could be made
│   ├── BadAnswerError    the answer is not HTTP
│   │   └── HeadTooLargeError
│   ├── NotArchivedError  the archive that is read again has no answer
│   ├── TruncatedError    the body did not end within the limits
│   ├── BrowserError      the browser is missing, fails, or does not come to rest
│   └── TransientError    a later attempt may succeed
│       ├── FetchTimeoutError
│       ├── RefusedError  nothing listens there, or no route leads there
│       ├── CutOffError   the server closed the connection before the answer
│       ├── DNSFailureError
│       ├── BusyError     429 or 503 after every retry
│       ├── HostAsideError
│       └── RobotsUnreachableError
└── MissingDependencyError  an optional package is not installed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadmill.types import Exchange


class ThreadmillError(Exception):
    """The base class. Catch it to catch every error that Threadmill raises on purpose."""

    exit_code = 1


class UsageError(ThreadmillError):
    """The call makes no sense: a wrong argument, option or file."""

    exit_code = 2


class URLError(UsageError):
    """Not a URL, or a scheme that Threadmill does not fetch."""


class SettingsError(UsageError):
    """A setting with an unknown name or a wrong type."""


class NothingFoundError(ThreadmillError):
    """The call makes sense, but what it asks for is not there: no such author, or no forum."""


class LoginError(ThreadmillError):
    """A log-in form that is not there, or that refuses what was filled in."""


class WorkspaceError(ThreadmillError):
    """The directory is not a workspace and cannot become one."""


class StoreError(ThreadmillError):
    """The database cannot be reached, opened or written."""


class OldModelError(StoreError):
    """Another version of Threadmill stored what it learnt about a forum, in another form."""


class QueueError(ThreadmillError):
    """The message broker cannot be reached or refuses a request."""


class MessageError(ThreadmillError):
    """A message between stages of the service that cannot be read."""


class ArchiveError(ThreadmillError):
    """An archive file that cannot be read or written at all."""


class HookError(ThreadmillError):
    """The user's own function failed on a paragraph, or did not return a class and a text."""


class VerticalError(ThreadmillError):
    """A vertical file that breaks its format."""


class SearchIndexError(ThreadmillError):
    """Not a search index, or one that cannot be read or written."""


class FetchError(ThreadmillError):
    """A request without a usable answer."""

    reason = "fetch"  # short and stable; crawls count their failures by it

    def __init__(self, message: str, exchanges: tuple[Exchange, ...] = ()) -> None:
        super().__init__(message)
        self.exchanges = exchanges  # what went over the wire before the failure


class ForbiddenError(FetchError):
    """robots.txt or the address policy forbids the request."""

    reason = "forbidden"


class RobotsForbiddenError(ForbiddenError):
    """The host's robots.txt disallows the URL."""

    reason = "robots"


class AddressForbiddenError(ForbiddenError):
    """The host has a private, loopback, link-local or otherwise reserved address."""

    reason = "address"


class RedirectError(FetchError):
    """A redirect that cannot be followed."""

    reason = "redirect"


class TooManyRedirectsError(RedirectError):
    """A chain of redirects longer than the limit."""

    reason = "too-many-redirects"


class RedirectLoopError(RedirectError):
    """A chain of redirects that returns to an earlier URL."""

    reason = "redirect-loop"


class BadRedirectError(RedirectError):
    """A redirect to something that is not an http or https URL."""

    reason = "bad-redirect"


class UnknownHostError(FetchError):
    """No host has that name."""

    reason = "unknown-host"


class TLSError(FetchError):
    """No secure connection could be made."""

    reason = "tls"


class BadAnswerError(FetchError):
    """The answer is not HTTP."""

    reason = "bad-http"


class NotArchivedError(FetchError):
    """The archive that is read again has no answer to a request."""

    reason = "not-archived"


class TruncatedError(FetchError):
    """A body that did not end within the limits of size and time, where only a whole one is of use."""

    reason = "truncated"


class BrowserError(FetchError):
    """The browser that runs the scripts of pages is missing, fails, or does not come to rest."""

    reason = "browser"


class HeadTooLargeError(BadAnswerError):
    """The headers of an answer are longer than the limit."""

    reason = "headers-too-large"


class TransientError(FetchError):
    """A failure after which a later attempt may succeed."""

    reason = "transient"

    def __init__(
        self, message: str, exchanges: tuple[Exchange, ...] = (), retry_in: float | None = None
    ) -> None:
        super().__init__(message, exchanges)
        self.retry_in = retry_in  # seconds from now, when the server named them


class FetchTimeoutError(TransientError):
    """The answer did not come in time."""

    reason = "timeout"


class RefusedError(TransientError):
    """Nothing listens there, or no route leads there."""

    reason = "refused"


class CutOffError(TransientError):
    """The server closed the connection before the answer was complete."""

    reason = "cut-off"


class DNSFailureError(TransientError):
    """The name of the host could not be looked up at the moment."""

    reason = "dns"


class BusyError(TransientError):
    """The server answered "later" (429 or 503) to every retry."""

    reason = "busy"


class HostAsideError(TransientError):
    """The host failed repeatedly. No request goes to it for a while."""

    reason = "host-aside"


class RobotsUnreachableError(TransientError):
    """robots.txt cannot be fetched, so no page of the host may be fetched for now."""

    reason = "robots-unreachable"


class MissingDependencyError(ThreadmillError):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package {package}, which is not installed; "
            f"in a checkout of Threadmill, run: pip install '.[{extra}]'"
        )
